"""Projected gradient descent on the representations."""
