"""Conjectures of this paper, in a form that can be searched."""
