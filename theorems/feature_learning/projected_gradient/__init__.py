"""Gradient descent on the representations: the projection to the constraints, and what it does where ranks are small."""
