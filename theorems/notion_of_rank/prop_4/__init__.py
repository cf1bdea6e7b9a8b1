"""Proposition 4: some hidden representation is nearly of rank one."""
