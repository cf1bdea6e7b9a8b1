"""What several modules of this paper build with."""
