"""Errors of 1 % that are made somewhere only: at one size, rank, kind of activation, or entry. Run by hand.

    python tests/benchmarks/errors_somewhere.py [ID ...] [--seconds 5]

Every inequality that is not said to be loose is moved the wrong way by 1 %, but only at the instances of one kind, or only in
the first, the middle or the last entry of an axis over which it must hold. Such an error is detected where a drawn or a tight
instance of that kind is nearer to equality than that, without both sides being zero, or where the search finds one. What is not
detected is printed with the smallest relative slack of its instances: there the bound may be wrong, or not tight, which a
person must judge. Comparisons with zero have no size by which they could be perturbed, and are left out. Kinds to which no
feasible instance belongs are printed as "never", of equalities, too.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.checker.checking import Checker, evaluated
from verify.checker.strength import with_error
from verify.claims.catalogue import catalogue, select
from verify.claims.claim import Claim, Statement
from verify.claims.variables import call_with
from verify.claims.variables import select as chosen_of
from verify.engines.executors import one_blas_thread
from verify.networks import FullyConnected
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Comparison, Relation
from verify.search.batch import evaluate

AMOUNT = Fraction(1, 100)
ENTRIES = ("first", "middle", "last")
Kinds = dict[str, npt.NDArray[np.bool_]]
Where = Callable[[Mapping[str, Any], Relation, Comparison], npt.NDArray[np.bool_]]


def kinds_of(variables: Mapping[str, Any], batch: tuple[int, ...]) -> Kinds:
    """Which instances of a batch are of which kind, by what their variables are: numbers, vectors, matrices, networks."""
    found: Kinds = {}
    for name, value in variables.items():
        parts = enumerate(value) if isinstance(value, tuple) else [(None, value)]
        for place, part in parts:
            called = name if place is None else f"{name}[{place}]"
            if isinstance(part, FullyConnected):
                found |= {f"{called}, {kind}": where for kind, where in kinds_of_network(part, variables.get("x"))}
            elif isinstance(part, np.ndarray) and part.ndim - len(batch) in (0, 1, 2):
                found |= {f"{called} {kind}": where for kind, where in kinds_of_array(floats(part), part.ndim - len(batch))}
    return {kind: np.asarray(where) for kind, where in found.items() if np.shape(where) == batch}


def kinds_of_array(values: npt.NDArray[np.float64], axes: int) -> Iterator[tuple[str, Any]]:
    """Signs and ties of numbers and vectors, ranks and signs of matrices."""
    last = tuple(range(-axes, 0))
    yield "below 0", (values < 0).any(axis=last)
    yield "with a zero", (values == 0).any(axis=last)
    yield "not below 0", (values >= 0).all(axis=last)
    if axes == 0:
        yield "between 0 and 1", (values > 0) & (values < 1)
        yield "above 1", values > 1
    if axes == 1:
        yield "with two equal entries", (np.diff(np.sort(values, axis=-1), axis=-1) == 0).any(axis=-1)
    if axes == 2:
        ranks = np.linalg.matrix_rank(values)
        yield "of deficient rank", ranks < min(values.shape[-2:])
        yield from ((f"of rank {rank}", ranks == rank) for rank in range(1, 1 + min(4, *values.shape[-2:])))


def kinds_of_network(network: FullyConnected, x: Any) -> Iterator[tuple[str, Any]]:
    """The activation, the biases, the ranks of the weights, and, if there is a point, the rank and the neurons there."""
    slope = floats(network.activation.negative) + np.zeros(network.batch_shape)
    named = {"ReLU": slope == 0, "absolute value": slope == -1, "linear": slope == 1, "leaky": (slope > 0) & (slope < 1)}
    yield from named.items()
    biases = np.concatenate([np.broadcast_to(floats(one), (*slope.shape, one.shape[-1])) for one in network.biases], axis=-1)
    yield "with biases", (biases != 0).any(axis=-1)
    yield "without biases", (biases == 0).all(axis=-1)
    deficient = [np.linalg.matrix_rank(floats(one)) < min(one.shape[-2:]) for one in network.weights]
    yield "with a weight of deficient rank", functools.reduce(np.logical_or, deficient)
    if isinstance(x, np.ndarray) and x.shape[:-1] == network.batch_shape and x.shape[-1] == network.widths[0]:
        ranks = np.linalg.matrix_rank(floats(network.jacobian(x)))
        yield from ((f"of rank {rank} at x", ranks == rank) for rank in (1, 2, 3))
        for values in network.preactivations(x)[:1] if network.depth > 1 else ():
            yield "all neurons active at x", (floats(values) > 0).all(axis=-1)
            yield "not all neurons active at x", (floats(values) < 0).any(axis=-1)


def distances(one: Comparison) -> npt.NDArray[np.float64]:
    """The relative slacks of all entries; infinite where both sides are zero: an error relative to them would be none."""
    return np.where(one.size > 0, one.relative, np.inf)


def is_with_zero(one: Comparison) -> bool:
    """Whether a side is zero at all instances."""
    return any(not floats(side).any() for side in (one.left, one.right))


def entry(axis: int, which: str, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The first, the middle or the last entry of an axis, in an array of this shape."""
    length = shape[axis]
    place = {"first": 0, "middle": length // 2, "last": length - 1}[which]
    return np.broadcast_to((np.arange(length) == place).reshape(length, *[1] * (-axis - 1)), shape)


def with_error_where(statement: Statement, name: str, where: Where) -> Statement:
    """`statement` with one comparison moved the wrong way, where `where` says so."""

    @functools.wraps(statement)
    def moved(**variables: Any) -> Relation:
        right = call_with(statement, variables)
        wrong = call_with(with_error(statement, name, AMOUNT), variables)
        parts = list(right.comparisons)
        place = right.names.index(name)
        one = parts[place]
        mask = np.broadcast_to(where(variables, right, one), one.shape)
        parts[place] = replace(one, right=np.where(mask, wrong.comparisons[place].right, one.right))
        return Relation(tuple(parts))

    return moved


def of_kind(kind: str) -> Where:
    """Where the instances are of a kind."""

    def where(variables: Mapping[str, Any], relation: Relation, one: Comparison) -> npt.NDArray[np.bool_]:
        found = kinds_of(variables, relation.batch_shape).get(kind, np.zeros(relation.batch_shape, dtype=bool))
        return found.reshape(*found.shape, *[1] * one.over)

    return where


def in_entry(axis: int, which: str) -> Where:
    """Where an axis has its first, middle or last entry."""
    return lambda variables, relation, one: entry(axis, which, one.shape)  # noqa: ARG005 (all have one signature)


@dataclass
class Seen:
    """How many instances of a kind were met, the smallest relative slack among them, and the search for a smaller one."""

    search: Callable[[], bool]
    count: int = 0
    slack: float = field(default=np.inf)

    def note(self, slacks: npt.NDArray[np.float64]) -> None:
        """Instances with these relative slacks."""
        self.count += slacks.size
        self.slack = min(self.slack, float(slacks.min(initial=np.inf)))


class Sweep:
    """All errors of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.checker = claim, Checker(claim)
        self.seen: dict[tuple[str, str], Seen] = {}
        self.spoken: set[str] = set()
        for tier in ("structured", "batched"):
            for batch in self.checker.cache.phase(tier):
                found = evaluate(claim.statement, batch, batch.chosen(None)[:300])
                if found is not None:
                    relation, places = found
                    self.note({name: chosen_of(one, places) for name, one in batch.variables.items()}, relation)
                    self.note_sizes(batch.sample.sizes, relation)
        for tight in claim.tight.values():
            variables = tight.variables()
            self.note(variables, evaluated(claim.statement, variables, tight.variables))

    def note(self, variables: Mapping[str, Any], relation: Relation) -> None:
        """The kinds of these instances, and the entries of the comparisons."""
        statement = self.claim.statement
        kinds = kinds_of(variables, relation.batch_shape)
        for name, one in zip(relation.names, relation.comparisons, strict=True):
            if one.sense != "eq" and name not in self.claim.not_known_tight and not is_with_zero(one):
                self.spoken.add(name)
            slacks = distances(one).min(axis=one.last_axes, initial=np.inf)
            for kind, where in kinds.items():
                self._of(name, kind, with_error_where(statement, name, of_kind(kind))).note(slacks[where])
            for axis in range(-one.over, 0) if 0 not in one.shape and one.sense != "eq" else ():
                for which in ENTRIES if one.shape[axis] > 1 else ():
                    slacks_there = distances(one)[entry(axis, which, one.shape)]
                    wrong = with_error_where(statement, name, in_entry(axis, which))
                    self._of(name, f"{which} entry of axis {axis}", wrong).note(slacks_there)

    def note_sizes(self, sizes: Mapping[str, int], relation: Relation) -> None:
        """The sizes of these instances."""
        for name, one in zip(relation.names, relation.comparisons, strict=True):
            slacks = distances(one).min(axis=one.last_axes, initial=np.inf)
            for size, value in sizes.items():
                domain = replace(self.claim.domain, sizes={**self.claim.domain.sizes, size: (value,)})
                wrong = with_error(self.claim.statement, name, AMOUNT)
                self._of(name, f"{size} = {value}", wrong, replace(self.claim, domain=domain)).note(slacks)

    def _of(self, name: str, kind: str, wrong: Statement, narrower: Claim | None = None) -> Seen:
        def found() -> bool:
            checker = self.checker if narrower is None else Checker(narrower)
            return checker.attack(wrong, "somewhere", checker.budget).refutation is not None

        return self.seen.setdefault((name, kind), Seen(found))

    def undetected(self, seconds: float) -> Iterator[str]:
        """What is not detected, in words."""
        start = time.process_time()
        for (name, kind), one in sorted(self.seen.items()):
            words = f"{name}: {kind}" if name else kind
            if not one.count:
                yield f"{words}: never"
            elif name not in self.spoken or one.slack < AMOUNT:
                continue
            elif time.process_time() - start > seconds:
                yield f"{words}: not searched, slack {one.slack:.2g} at {one.count}"
            elif not one.search():
                yield f"{words}: slack {one.slack:.2g} at {one.count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=5.0, help="of the processor, for the searches of each claim")
    options = parser.parse_args()
    with one_blas_thread():
        for claim in select(catalogue(), options.names):
            if claim.expected == "survived":
                sweep = Sweep(claim)
                left = list(sweep.undetected(options.seconds))
                print(f"{claim.id}: {len(sweep.seen) - len(left)} of {len(sweep.seen)}", *left, sep="\n    ", flush=True)


if __name__ == "__main__":
    sys.exit(main())
