"""Proposition 1: the loss of weights as a loss of representations."""
