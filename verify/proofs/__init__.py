"""Proofs that are derived from the statement itself: identities of rational functions."""

from verify.proofs.identities import Identity, NotProved, prove_identity

__all__ = ["Identity", "NotProved", "prove_identity"]
