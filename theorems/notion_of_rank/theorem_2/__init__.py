"""Theorem 2: a function of bottleneck rank one that fits data of higher dimension is steep, and therefore costs more."""
