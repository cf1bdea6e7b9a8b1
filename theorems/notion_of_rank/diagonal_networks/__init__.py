"""Diagonal linear networks of depth L: what a vector costs, with weights of their own in each layer or with tied ones."""
