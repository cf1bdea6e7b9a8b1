"""Evidence that outlives a run: witness files."""

from verify.evidence.files import packaged_witness, witness_folder, write_whole
from verify.evidence.fingerprint import claim_fingerprint, fingerprint
from verify.evidence.witness import (
    UnusableWitness,
    Witness,
    as_text,
    document_of,
    read_witness,
    recheck,
    stands,
    witness_of,
    write_witness,
)

__all__ = [
    "UnusableWitness",
    "Witness",
    "as_text",
    "claim_fingerprint",
    "document_of",
    "fingerprint",
    "packaged_witness",
    "read_witness",
    "recheck",
    "stands",
    "witness_folder",
    "witness_of",
    "write_whole",
    "write_witness",
]
