"""The experiments."""
