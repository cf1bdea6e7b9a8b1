"""A statement as a tree of questions whose leaves compare polynomials, for all real coordinates at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly

from verify.arithmetic import Array, UndecidedInstances
from verify.claim import Claim, Follows
from verify.domain import Sample
from verify.exactness import exact_evaluation
from verify.proofs.certificate import Deadline, NotProved
from verify.proofs.expressions import Expression, Fork, Path, Undefined, array_of_expressions, coordinate_names, new_path
from verify.relation import Relation
from verify.variables import Coordinate, call_with

CASES = 64
"""Most combinations of values of the integer coordinates that are decided one by one."""
LEAVES = 300
"""A statement with more cells is given up."""


@dataclass(frozen=True)
class Goal:
    """That a quotient of polynomials is not negative, or (`equal`) zero."""

    top: fmpq_mpoly
    bottom: fmpq_mpoly
    equal: bool


@dataclass(frozen=True)
class Leaf:
    """The end of a run: the path, and what has to be shown there; nothing where the hypotheses fail (`outside`) or the
    statement has no value (`undefined`).
    """

    path: Path
    goals: tuple[Goal, ...] = ()
    outside: bool = False
    undefined: str = ""


@dataclass(frozen=True)
class Split:
    """A question, and the cells on both sides."""

    yes: Split | Leaf
    no: Split | Leaf


def explored(
    claim: Claim,
    sizes: Mapping[str, int],
    integers: Mapping[str, Array],
    deadline: Deadline,
    follows: Sequence[Follows] = (),
) -> Split | Leaf:
    """The tree of a claim at some sizes and values of its integer coordinates; what it `follows` from is assumed.

    Raises
    ------
    NotProved
        The statement is computed otherwise than by rational operations, roots and orders, or has too many cells.
    """
    found = [0]
    memory: dict[Any, Any] = {}
    names = coordinate_names(claim.domain.layout(sizes), integers)

    def below(answers: tuple[bool, ...]) -> Split | Leaf:
        deadline.check()
        try:
            leaf = _run(claim, sizes, integers, new_path(names, answers, memory), follows)
        except Fork:
            return Split(below((*answers, True)), below((*answers, False)))
        found[0] += 1
        if found[0] > LEAVES:
            raise NotProved(f"it has more than {LEAVES} cells")
        return leaf

    return below(())


def integer_cases(layout: Mapping[str, Coordinate]) -> Iterator[dict[str, Array]]:
    """All values of the integer coordinates; of more than `CASES`, none: then they are taken for real numbers."""
    integer = {name: one for name, one in layout.items() if one.integer}
    count = math.prod((one.upper - one.lower + 1) ** math.prod(one.shape) for one in integer.values())
    if count > CASES:
        integer = {}
    values = [
        itertools.product(range(int(one.lower), int(one.upper) + 1), repeat=math.prod(one.shape)) for one in integer.values()
    ]
    for chosen in itertools.product(*values):
        yield {
            name: array_of_expressions([fmpq(value) for value in entries], one.shape)
            for (name, one), entries in zip(integer.items(), chosen, strict=True)
        }


def leaves(tree: Split | Leaf) -> list[Leaf]:
    """All leaves, from left to right."""
    return [tree] if isinstance(tree, Leaf) else [*leaves(tree.yes), *leaves(tree.no)]


def _run(claim: Claim, sizes: Mapping[str, int], integers: Mapping[str, Array], path: Path, follows: Sequence[Follows]) -> Leaf:
    layout = claim.domain.layout(sizes)
    sample = Sample(sizes, _coordinates(layout, integers, path))
    try:
        with exact_evaluation():
            variables = claim.domain.build(sample[None])
            if claim.domain.violated(variables):
                return Leaf(path, outside=True)
            goals = _goals(path, call_with(claim.statement, variables))
            for one in follows:
                _assume(path, one, sample)
    except (Fork, NotProved):
        raise
    except (ZeroDivisionError, Undefined, UndecidedInstances) as error:
        if path.refused:
            raise NotProved(f"it is no function of rational operations, roots and orders: {path.refused}") from error
        return Leaf(path, undefined=str(error))
    except Exception as error:  # a statement that takes rationals may do anything with what is none
        why = path.refused or f"{type(error).__name__}: {error}"
        raise NotProved(f"it is no function of rational operations, roots and orders: {why}") from error
    if path.refused:
        raise NotProved(f"it is no function of rational operations, roots and orders: {path.refused}")
    return Leaf(path, goals)


def _goals(path: Path, relation: Any) -> tuple[Goal, ...]:
    if not isinstance(relation, Relation):
        raise NotProved("it is no relation of numbers")
    return tuple(
        _goal(path, one.sense, left, right)
        for one in relation.comparisons
        for left, right in zip(*(side.flat for side in np.broadcast_arrays(one.left, one.right)), strict=True)
    )


def _assume(path: Path, follows: Follows, sample: Sample) -> None:
    """Assume another claim at its instance; nothing, where that is outside its domain or its statement has no value."""
    domain = follows.claim.domain
    sizes = follows.sizes_of(sample.sizes)
    layout = domain.layout(sizes)
    given = sample.coordinates if follows.instance is None else follows.instance(sample.coordinates)
    coordinates = {name: np.asarray(given[name], dtype=object).reshape(one.shape) for name, one in layout.items()}
    for name, one in layout.items():
        for entry in coordinates[name].flat:
            if one.integer and not (isinstance(entry, fmpq) and entry.q == 1):
                raise NotProved(f"{name} of {follows.claim.id} must be integers")
            if any(
                np.isfinite(end) and sign * (entry - fmpq(*float(end).as_integer_ratio())) < 0
                for sign, end in ((1, one.lower), (-1, one.upper))
            ):
                return
    try:
        built = domain.build(Sample(sizes, coordinates)[None])
        goals = () if domain.violated(built) else _goals(path, call_with(follows.claim.statement, built))
    except (ZeroDivisionError, Undefined, UndecidedInstances):
        if path.refused:
            raise
        return
    for goal in goals:
        value = path.reduced(goal.top if goal.equal else goal.top * goal.bottom)
        if not value.is_constant():
            path.assume(value, equal=goal.equal)


def _goal(path: Path, sense: str, left: Any, right: Any) -> Goal:
    difference = left - right if sense == "ge" else right - left
    if isinstance(difference, int | fmpq):
        return Goal(path.constant(difference), path.constant(1), sense == "eq")
    if not isinstance(difference, Expression):
        raise NotProved(f"a side is no rational function of the coordinates, but {type(difference).__name__}")
    return Goal(difference.top, difference.bottom, sense == "eq")


def _coordinates(layout: Mapping[str, Coordinate], integers: Mapping[str, Array], path: Path) -> dict[str, Array]:
    found: dict[str, Array] = {}
    place = len(path.names) - sum(math.prod(one.shape) for name, one in layout.items() if name not in integers)
    generators = path.context.gens()
    for name, one in layout.items():
        if name in integers:
            found[name] = integers[name]
            continue
        count = math.prod(one.shape)
        own = generators[place : place + count]
        place += count
        for variable in own:
            if np.isfinite(one.lower):
                path.assume(variable - fmpq(*float(one.lower).as_integer_ratio()))
            if np.isfinite(one.upper):
                path.assume(fmpq(*float(one.upper).as_integer_ratio()) - variable)
        found[name] = array_of_expressions([Expression(one_, path.constant(1), path) for one_ in own], one.shape)
    return found
