"""Shallow networks: the cost is an l1 norm of neurons."""
