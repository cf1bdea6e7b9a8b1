"""Proposition 2: any data have a fit of bottleneck rank one."""
