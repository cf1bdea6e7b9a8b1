"""What several modules of this document build with."""
