"""Attraction and repulsion: what pulls at a hidden layer from both sides."""
