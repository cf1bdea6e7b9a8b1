"""A statement as a tree of questions whose leaves compare polynomials, for all real coordinates at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly

from verify.claims.claim import Claim, Follows
from verify.claims.domain import Sample
from verify.claims.variables import Coordinate, call_with
from verify.numbers.arithmetic import Array, UndecidedInstances, object_array, precision
from verify.numbers.exactness import NoValue, exact_evaluation
from verify.numbers.relation import Relation
from verify.proofs.certificate import Deadline, NotProved
from verify.proofs.errors import ended, errors_met
from verify.proofs.expressions import (
    UNKNOWNS,
    Assumption,
    Expression,
    Fork,
    Path,
    Undefined,
    coordinate_names,
    new_path,
)
from verify.proofs.samples import points_of

BITS = 1024
"""Precision of the balls that stand for constants; what it leaves open is refused."""
CASES = 64
"""Most combinations of values of the integer coordinates that are decided one by one."""
LEAVES = 300
"""A statement with more cells is given up."""
NO_FUNCTION = "it is no function of rational operations, roots and orders"


@dataclass(frozen=True)
class Goal:
    """That a quotient of polynomials is not negative, or (`equal`) zero.

    It is `trivial` if it compares zero with zero, and `constant` if both sides are numbers.
    """

    top: fmpq_mpoly
    bottom: fmpq_mpoly
    equal: bool
    trivial: bool
    constant: bool

    def is_said_by(self, known: Assumption) -> bool:
        """Whether an assumption is this, up to a positive factor."""
        if not self.bottom.is_constant() or known.polynomial.is_zero():
            return False
        if all(power % 2 == 0 for _, power in self.top.factor()[1]):  # a square, which nobody has to say
            return False
        factor = self.top.leading_coefficient() * self.bottom.leading_coefficient() / known.polynomial.leading_coefficient()
        same = known.polynomial * factor == self.top * self.bottom.leading_coefficient()
        return bool(same and (known.equal or (factor > 0 and not self.equal)))


@dataclass(frozen=True)
class Leaf:
    """The end of a run: the path, and what has to be shown there; nothing where the hypotheses fail (`outside`) or the
    statement has no value (`undefined`).

    Where the run says nothing of the statement (`broken`: an error, or a question that numbers do not answer), the leaf has
    no value, and must be empty.
    """

    path: Path
    goals: tuple[Goal, ...] = ()
    outside: bool = False
    undefined: str = ""
    broken: bool = False

    @property
    def equation(self) -> fmpq_mpoly | None:
        """A polynomial of the coordinates that is asked for by the statement and is zero here; None if there is none.

        It is not zero everywhere, so that what satisfies the equation has no interior. Where the hypotheses ask for an
        equation themselves, the domain has none either, and nothing is small in it.
        """
        if self.broken:
            return None
        path = self.path
        equations = [question.polynomial if path.assumptions[mark].equal else None
                     for mark, question in zip(path.marks, path.questions, strict=True)]  # fmt: skip
        if any(equation is not None for equation in equations[: path.in_domain or 0]):
            return None
        return next(
            (equation for equation in equations if equation is not None and not any(equation.degrees()[:UNKNOWNS])), None
        )

    @property
    def is_given(self) -> bool:
        """Whether what has to be shown is zero, or what the domain or a hypothesis says itself, up to a positive factor."""
        given = self.path.assumptions[: self.path.given]
        return all(goal.top.is_zero() or any(map(goal.is_said_by, given)) for goal in self.goals)

    @property
    def point(self) -> tuple[fmpq, ...] | None:
        """The coordinates, where the equations that are assumed leave one point; else None."""
        values = [self.path.reduced(gen) for gen in self.path.context.gens()[UNKNOWNS:]]
        if not all(value.is_constant() for value in values):
            return None
        return tuple(value.leading_coefficient() if not value.is_zero() else fmpq(0) for value in values)


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
        The statement has too many cells; or it is computed otherwise than by rational operations, roots and orders, or raises
        an error, in a cell that is seen to have a point.
    """
    count = [0]
    memory: dict[Any, Any] = {}
    names = coordinate_names(claim.domain.layout(sizes), integers)

    def below(answers: tuple[bool, ...]) -> Split | Leaf:
        deadline.check()
        try:
            leaf = _run(claim, sizes, integers, new_path(names, answers, memory), follows)
        except Fork:
            return Split(below((*answers, True)), below((*answers, False)))
        if leaf.broken and (points := points_of(leaf.path)) is not None and len(points):
            raise NotProved(leaf.undefined)
        count[0] += 1
        if count[0] > LEAVES:
            raise NotProved(f"it has more than {LEAVES} cells")
        return leaf

    return below(())


def leaves(tree: Split | Leaf) -> list[Leaf]:
    """All leaves, from left to right."""
    return [tree] if isinstance(tree, Leaf) else [*leaves(tree.yes), *leaves(tree.no)]


def _run(claim: Claim, sizes: Mapping[str, int], integers: Mapping[str, Array], path: Path, follows: Sequence[Follows]) -> Leaf:
    layout = claim.domain.layout(sizes)
    sample = Sample(sizes, _coordinates(layout, integers, path))
    met: list[BaseException] = []
    raised: Exception | None = None
    try:
        with exact_evaluation(), precision(BITS), errors_met() as met:
            variables = claim.domain.build(sample[None])
            if claim.domain.violated(variables):
                leaf = Leaf(path, outside=True)
            else:
                path.in_domain, path.given = len(path.questions), len(path.assumptions)
                goals = _goals(path, call_with(claim.statement, variables))
                for follow in follows:
                    _assume(path, follow, sample)
                leaf = Leaf(path, goals)
    except (ZeroDivisionError, Undefined, NoValue) as error:
        leaf, raised = Leaf(path, undefined=str(error) or type(error).__name__), error
    except NotProved as error:
        leaf = Leaf(path, undefined=str(error), broken=True)
    except UndecidedInstances as error:
        leaf = Leaf(path, undefined=f"a question is not decided: {error}", broken=True)
    except Exception as error:  # a statement that takes rationals may do anything with what is none, or with any instance
        leaf = Leaf(path, undefined=f"{NO_FUNCTION}: {type(error).__name__}: {error}", broken=True)
    if path.fork is not None:
        raise path.fork
    if path.refused or (path.gone and not leaf.undefined):
        return Leaf(path, undefined=f"{NO_FUNCTION}: {path.refused or path.gone}", broken=True)
    if not leaf.broken and (over := ended(met, raised)) is not None:
        return Leaf(path, undefined=f"{NO_FUNCTION}: it goes on after {type(over).__name__}: {over}", broken=True)
    return leaf


def _goals(path: Path, relation: Any) -> tuple[Goal, ...]:
    if not isinstance(relation, Relation):
        raise NotProved("it is no relation of numbers")
    return tuple(
        _goal(path, comparison.sense, left, right)
        for comparison in relation.comparisons
        for left, right in zip(*(side.flat for side in np.broadcast_arrays(comparison.left, comparison.right)), strict=True)
    )


def _assume(path: Path, follows: Follows, sample: Sample) -> None:
    """Assume another claim at its instance; nothing, where that is outside its domain or its statement has no value."""
    domain = follows.claim.domain
    sizes = follows.sizes_of(sample.sizes)
    layout = domain.layout(sizes)
    given = sample.coordinates if follows.instance is None else follows.instance(sample.coordinates)
    coordinates = {name: np.asarray(given[name], dtype=object).reshape(coordinate.shape) for name, coordinate in layout.items()}
    for name, coordinate in layout.items():
        for entry in coordinates[name].flat:
            if coordinate.integer and not (isinstance(entry, fmpq) and entry.q == 1):
                raise NotProved(f"{name} of {follows.claim.id} must be integers")
            lower, upper = coordinate.exact_ends()
            if any(end is not None and sign * (entry - end) < 0 for sign, end in ((1, lower), (-1, upper))):
                return
    try:
        built = domain.build(Sample(sizes, coordinates)[None])
        goals = () if domain.violated(built) else _goals(path, call_with(follows.claim.statement, built))
    except (ZeroDivisionError, Undefined, NoValue):
        if path.refused:
            raise
        return
    for goal in goals:
        value = path.reduced(goal.top if goal.equal else goal.top * goal.bottom)
        if not value.is_constant():
            path.assume(value, equal=goal.equal)


def _goal(path: Path, sense: str, left: Any, right: Any) -> Goal:
    difference = left - right if sense == "ge" else right - left
    trivial = all(
        expression.top.is_zero() if isinstance(expression, Expression) else expression == 0 for expression in (left, right)
    )
    constant = all(
        expression.top.is_constant() and expression.bottom.is_constant()
        if isinstance(expression, Expression)
        else isinstance(expression, int | fmpq)
        for expression in (left, right)
    )
    if isinstance(difference, int | fmpq):
        return Goal(path.constant(difference), path.constant(1), sense == "eq", trivial, constant)
    if not isinstance(difference, Expression):
        raise NotProved(f"a side is no rational function of the coordinates, but {type(difference).__name__}")
    return Goal(difference.top, difference.bottom, sense == "eq", trivial, constant)


def _coordinates(layout: Mapping[str, Coordinate], integers: Mapping[str, Array], path: Path) -> dict[str, Array]:
    coordinates: dict[str, Array] = {}
    place = len(path.names) - sum(math.prod(coordinate.shape) for name, coordinate in layout.items() if name not in integers)
    generators = path.context.gens()
    for name, coordinate in layout.items():
        if name in integers:
            coordinates[name] = integers[name]
            continue
        count = math.prod(coordinate.shape)
        own = generators[place : place + count]
        place += count
        lower, upper = coordinate.exact_ends()
        for variable in own:
            if lower is not None:
                path.assume(variable - lower)
            if upper is not None:
                path.assume(upper - variable)
        coordinates[name] = object_array([Expression(unknown, path.constant(1), path) for unknown in own], coordinate.shape)
    return coordinates
