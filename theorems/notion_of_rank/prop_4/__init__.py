"""Proposition 4: in a deep network of small norm, some hidden representation is nearly of rank one."""
