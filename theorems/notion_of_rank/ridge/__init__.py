"""A ridge on parameters is the representation cost of the function."""
