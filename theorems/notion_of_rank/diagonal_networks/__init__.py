"""Diagonal linear networks: the cost of a vector."""
