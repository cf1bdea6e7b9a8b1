"""What the baseline guards of a claim: its bounds, measured now, and the strength of its check, as it was last measured."""

from __future__ import annotations

from collections.abc import Mapping

from verify.checker.baseline import NOTHING_KNOWN, Quantity, measure
from verify.checker.record import Record
from verify.checker.running import claims_in
from verify.checker.strength import Strength, is_measured, known_strengths
from verify.claims.claim import Claim
from verify.engines.executors import one_blas_thread
from verify.evidence.fingerprint import claim_fingerprint

NOT_REFUTED = 2.0
"""The strength, as a number to compare, where no error is detected: above a unit."""


def strengths_of(claim: Claim, known: Strength | None) -> dict[str, Quantity]:
    """The smallest error detected of each comparison and constant; nothing where another form of the claim was measured."""
    if known is None or known.problem or not is_measured(known, claim):
        return {}
    parts = {f"strength of comparison {name}".strip(): comparison for name, comparison in known.comparisons.items()}
    parts |= {f"strength of constant {name}": constant for name, constant in known.constants.items()}
    print_ = claim_fingerprint(claim)
    return {
        name: Quantity(min(part.size, NOT_REFUTED), 0.0, "smaller", "verify strength", print_) for name, part in parts.items()
    }


def measured_by_id(
    package: str, claim_id: str, known: Mapping[str, Quantity] = NOTHING_KNOWN, record: Record | None = None
) -> dict[str, Quantity]:
    """The quantities of a claim that is named: what a worker is given. What is `known` may suffice (see `measure`)."""
    claim = claims_in(package)[claim_id]
    with one_blas_thread():
        return measure(claim, known=known, record=record) | strengths_of(claim, known_strengths(package).get(claim_id))
