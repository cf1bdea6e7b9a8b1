"""Theorem 2: a fit of bottleneck rank one is steep and costs more."""
