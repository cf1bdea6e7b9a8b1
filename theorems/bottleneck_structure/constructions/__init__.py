"""What several theorems of this document build with."""
