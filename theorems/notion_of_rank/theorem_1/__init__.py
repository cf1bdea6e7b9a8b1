"""Theorem 1: the cost per layer of a function, as the depth grows, lies between its two ranks."""
