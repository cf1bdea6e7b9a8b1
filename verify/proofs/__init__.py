"""Proofs that are derived from the statement itself, with certificates that can be checked without it."""
