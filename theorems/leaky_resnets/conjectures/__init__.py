"""Statements of this paper that nobody has proved, in a form in which a search can look for a counterexample."""
