"""What several theorems of this paper build with."""
