"""Proposition 1: the loss of the weights as a loss of the representations of the data; values and local minima."""
