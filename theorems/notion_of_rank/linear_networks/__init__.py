"""Linear networks of depth L: the cost of a matrix."""
