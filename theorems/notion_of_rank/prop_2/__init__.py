"""Proposition 2: any data are fitted by a network of bottleneck rank one, so that global minimisers cost L + C_N at most."""
