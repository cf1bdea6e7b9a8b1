"""Theorem 1: the limit of the cost per layer is between two ranks."""
