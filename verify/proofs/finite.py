"""Finite cases: a claim with integer coordinates only, decided exactly at every instance of some sizes."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator

from flint import fmpq

from verify.checker.search.decide import decide_sample, verdict_of
from verify.claim import Claim
from verify.domain import Sample
from verify.proofs.certificate import Deadline, NotProved, Proof
from verify.proofs.expressions import array_of_expressions
from verify.relation import Verdict
from verify.variables import Sizes

METHOD = "finite_cases"
TIER = "proved"
MOST = 40_000
"""More instances are not decided."""


def prove(claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof:
    """Decide the statement of a claim at every instance with these sizes.

    Raises
    ------
    NotProved
        A coordinate is real or unbounded, there are too many instances, or one is not decided or false.
    """
    count, valid, digest = 0, 0, hashlib.sha256()
    for sample in _samples(claim, sizes):
        deadline.check()
        decision = decide_sample(claim.statement, claim.domain, sample)
        count += 1
        if decision.floats_only or decision.nowhere or decision.unknown_domain:
            raise NotProved(f"it is not decided at {_shown(sample)}")
        verdict = None if decision.relation is None else verdict_of(decision.relation)
        if verdict not in (None, Verdict.HOLDS):
            raise NotProved(f"it is {'false' if verdict == Verdict.FAILS else 'not decided'} at {_shown(sample)}")
        if verdict is None and not claim.domain.violated(claim.domain.build(sample[None])):
            raise NotProved(f"it is not decided at {_shown(sample)}")
        valid += verdict is not None
        digest.update(f"{_shown(sample)} {'outside' if verdict is None else 'holds'}\n".encode())
    if not valid:
        raise NotProved("no instance satisfies the hypotheses")
    words = f"all {count} instances" + (f", of which {valid} satisfy the hypotheses" if valid < count else "")
    data = {"instances": count, "valid": valid, "digest": digest.hexdigest()}
    return Proof(METHOD, dict(sizes), words, tuple(claim.domain.hypotheses) if valid < count else (), data)


def check(claim: Claim, proof: Proof) -> None:
    """Decide every instance again.

    Raises
    ------
    NotProved
        An instance is false, or the record is of others.
    """
    if prove(claim, proof.sizes, Deadline()) != proof:
        raise NotProved("the certificate is of other instances")


def _samples(claim: Claim, sizes: Sizes) -> Iterator[Sample]:
    layout = claim.domain.layout(sizes)
    if any(not one.integer and math.prod(one.shape) for one in layout.values()):
        raise NotProved("a coordinate is a real number")
    if not all(math.isfinite(one.lower) and math.isfinite(one.upper) for one in layout.values()):
        raise NotProved("an integer coordinate has no bounds")
    ranges = {name: range(math.ceil(one.lower), math.floor(one.upper) + 1) for name, one in layout.items()}
    lengths = {name: math.prod(one.shape) for name, one in layout.items()}
    if math.prod(len(ranges[name]) ** lengths[name] for name in layout) > MOST:
        raise NotProved(f"there are more than {MOST} instances")
    for chosen in itertools.product(*(itertools.product(ranges[name], repeat=lengths[name]) for name in layout)):
        yield Sample(
            sizes,
            {
                name: array_of_expressions([fmpq(value) for value in values], layout[name].shape)
                for name, values in zip(layout, chosen, strict=True)
            },
        )


def _shown(sample: Sample) -> str:
    return "; ".join(f"{name} = {', '.join(map(str, values.flat))}" for name, values in sample.coordinates.items())
