"""The figures of the paper, as experiments."""
