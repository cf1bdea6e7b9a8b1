"""Finite cases: a claim with integer coordinates only, decided exactly at every instance of some sizes."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from flint import fmpq

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.variables import Coordinate, Sizes, call_with
from verify.numbers.arithmetic import Array, object_array
from verify.numbers.exactness import exact_evaluation
from verify.numbers.relation import Relation, Verdict
from verify.proofs.certificate import ALL, GRID, Deadline, NotProved, Proof, Refuted
from verify.search.decide import decide_sample, verdict_of

METHOD = "finite_cases"
TIER = "proved"
MOST = 40_000
"""More instances are not decided."""
PROBES = 3
"""Instances beside which numbers that are no integers are tried."""


def prove(claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof:
    """Decide the statement of a claim at every instance with these sizes.

    Raises
    ------
    NotProved
        A coordinate is real or unbounded, there are too many instances, or one is not decided.
    Refuted
        One is false.
    """
    count, valid, digest = 0, 0, hashlib.sha256()
    trivial = True
    admitted: list[Sample] = []
    for sample in _samples(claim, sizes):
        deadline.check()
        decision = decide_sample(claim.statement, claim.domain, sample)
        count += 1
        if decision.floats_only or decision.nowhere or decision.unknown_domain:
            raise NotProved(f"it is not decided at {shown(sample)}")
        verdict = None if decision.relation is None else verdict_of(decision.relation)
        if verdict == Verdict.FAILS:
            raise Refuted(f"it is false at {shown(sample)}")
        if verdict == Verdict.UNDECIDED:
            raise NotProved(f"it is not decided at {shown(sample)}")
        if verdict is None and not claim.domain.violated(claim.domain.build(sample[None])):
            raise NotProved(f"it is not decided at {shown(sample)}")
        if decision.relation is not None:
            valid += 1
            trivial = trivial and _is_trivial(decision.relation)
            if len(admitted) < PROBES:
                admitted.append(sample)
        digest.update(f"{shown(sample)} {'outside' if verdict is None else 'holds'}\n".encode())
    if not valid:
        raise NotProved("no instance satisfies the hypotheses")
    for times, sample in enumerate(admitted, start=2):
        _require_one_answer(claim, sample, times)
    grid = any(_takes_other_numbers(claim, sample) for sample in admitted)
    words = f"{'a grid of' if grid else 'all'} {count} instances"
    words += f", of which {valid} satisfy the hypotheses" if valid < count else ""
    data = {"instances": count, "valid": valid, "grid": grid, "digest": digest.hexdigest()}
    vacuous = "both sides are zero everywhere" if trivial else "one instance satisfies the hypotheses" if valid == 1 else ""
    hypotheses = tuple(claim.domain.hypotheses) if valid < count else ()
    return Proof(METHOD, dict(sizes), words, hypotheses, data, GRID if grid else ALL, (), vacuous)


def _require_one_answer(claim: Claim, sample: Sample, times: int) -> None:
    """See that a statement says the same so many times more; a decision calls it so often as it counts to, perhaps."""
    with exact_evaluation():
        variables = claim.domain.build(sample[None])
        said = {int(call_with(claim.statement, variables).verdict.min()) for _ in range(times)}
    if said - {Verdict.HOLDS, Verdict.UNDECIDED}:
        raise NotProved(f"it holds at {shown(sample)} when it is decided, and not when it is asked again")


def _is_trivial(relation: Relation) -> bool:
    """Whether zero is compared with zero, and nothing else."""
    sides = (
        entry for comparison in relation.comparisons for side in (comparison.left, comparison.right) for entry in side.flat
    )
    return all(isinstance(entry, int | fmpq) and entry == 0 for entry in sides)


def _takes_other_numbers(claim: Claim, sample: Sample) -> bool:
    """Whether the statement has a value where integers of three values or more are not integers: they stand for real numbers.

    Of two values no grid is made: they are a choice.
    """
    layout = claim.domain.layout(sample.sizes)
    for name, coordinate in layout.items():
        if coordinate.upper - coordinate.lower < 2 or not math.prod(coordinate.shape):
            continue
        between = np.array(
            [entry + fmpq(1 if entry < coordinate.upper else -1, 3) for entry in sample.coordinates[name].flat], object
        )
        moved = Sample(sample.sizes, {**sample.coordinates, name: between.reshape(coordinate.shape)})
        try:
            if decide_sample(claim.statement, claim.domain, moved).relation is not None:
                return True
        except Exception:  # it takes integers only, and may say so in any way
            continue
    return False


def check(claim: Claim, proof: Proof) -> int:
    """Decide every instance again; how many satisfy the hypotheses.

    Raises
    ------
    NotProved
        An instance is false, or the record is of others.
    """
    if replace(prove(claim, proof.sizes, Deadline()), does_not_tell=proof.does_not_tell) != proof:
        raise NotProved("the certificate is of other instances")
    return int(proof.data["valid"])


def _samples(claim: Claim, sizes: Sizes) -> Iterator[Sample]:
    layout = claim.domain.layout(sizes)
    if any(not coordinate.integer and math.prod(coordinate.shape) for coordinate in layout.values()):
        raise NotProved("a coordinate is a real number")
    if not all(math.isfinite(coordinate.lower) and math.isfinite(coordinate.upper) for coordinate in layout.values()):
        raise NotProved("an integer coordinate has no bounds")
    ranges = {name: range(math.ceil(coordinate.lower), math.floor(coordinate.upper) + 1) for name, coordinate in layout.items()}
    lengths = {name: math.prod(coordinate.shape) for name, coordinate in layout.items()}
    if math.prod(len(ranges[name]) ** lengths[name] for name in layout) > MOST:
        raise NotProved(f"there are more than {MOST} instances")
    for chosen in itertools.product(*(itertools.product(ranges[name], repeat=lengths[name]) for name in layout)):
        yield Sample(
            sizes,
            {
                name: object_array([fmpq(value) for value in values], layout[name].shape)
                for name, values in zip(layout, chosen, strict=True)
            },
        )


def shown(sample: Sample) -> str:
    """The coordinates of an instance in words."""
    return "; ".join(f"{name} = {', '.join(map(str, values.flat))}" for name, values in sample.coordinates.items())


def integer_cases(layout: Mapping[str, Coordinate], most: int) -> Iterator[dict[str, Array]]:
    """All values of the integer coordinates; of more than `most`, none: then they are taken for real numbers."""
    integer = {name: coordinate for name, coordinate in layout.items() if coordinate.integer}
    count = math.prod(
        (coordinate.upper - coordinate.lower + 1) ** math.prod(coordinate.shape) for coordinate in integer.values()
    )
    if count > most:
        integer = {}
    values = [
        itertools.product(range(int(coordinate.lower), int(coordinate.upper) + 1), repeat=math.prod(coordinate.shape))
        for coordinate in integer.values()
    ]
    for chosen in itertools.product(*values):
        yield {
            name: object_array([fmpq(value) for value in entries], coordinate.shape)
            for (name, coordinate), entries in zip(integer.items(), chosen, strict=True)
        }
