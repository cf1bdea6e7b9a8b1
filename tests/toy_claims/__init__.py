"""A package of three small claims: a sharp one, a false one, and its correction."""

ALIASES = {"toy.inequality_of_means": "toy.means"}
