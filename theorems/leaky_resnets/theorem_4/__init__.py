"""Theorem 4: the separation of time scales."""
