"""Evidence that outlives a run: witness files."""

from verify.evidence.fingerprint import fingerprint
from verify.evidence.witness import UnusableWitness, Witness, read_witness, recheck, witness_of, write_witness

__all__ = ["UnusableWitness", "Witness", "fingerprint", "read_witness", "recheck", "witness_of", "write_witness"]
