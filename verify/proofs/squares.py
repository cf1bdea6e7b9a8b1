"""Inequalities by sums of squares: every cell of a statement, for all real coordinates, with an identity that shows it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly, fmpz_mat

from verify.claims.claim import Claim, Follows
from verify.proofs import second_look
from verify.proofs.boxes import definitions, divided
from verify.proofs.cells import CASES, Goal, Leaf, explored, leaves
from verify.proofs.certificate import ALL, CONSTANT, WITH_A_VALUE, Deadline, NotProved, Proof
from verify.proofs.expressions import UNKNOWNS, Path, Term, coordinate_names, nonnegative
from verify.proofs.finite import integer_cases
from verify.proofs.gram import (
    Exponents,
    Multiplier,
    Polynomial,
    Reducer,
    as_polynomial,
    sum_of_squares,
)
from verify.proofs.recorded import check_tree, ends, groups_text, skeleton, stripped
from verify.proofs.samples import Floats, points_of, values_of
from verify.proofs.taylor import Fact, facts
from verify.proofs.texts import to_text

METHOD = "sum_of_squares"
TIER = "proved"
MOST_MONOMIALS = 400
"""Monomials of a square that are listed before the goal is given up: blocks are far smaller (`LARGEST_BLOCK` of `gram`)."""
LEVELS: tuple[tuple[int, bool, int], ...] = (
    (0, True, 0),
    (1, True, 0),
    (2, True, 0),
    (1, False, 0),
    (2, False, 0),
    (1, False, 2),
)
"""How many assumptions are multiplied at most; whether only with what lies in the Newton polytope; degrees that are added."""
LEVELS_WITH_FACTOR = ((1, False, 0), (2, False, 0))
"""The levels for a goal that is multiplied by a positive factor, which raises the degree as it is."""
ALONE = ((1, False, 0), (2, False, 2))
"""The levels for a contradiction between assumptions of the same unknowns."""
FACTORS = 4
"""With how many positive unknowns a goal is multiplied, one after the other."""
THE_GOAL = "the goal is negative"
ROOTS = 2
"""How many roots are squared after the first."""


def prove(claim: Claim, sizes: Mapping[str, int], deadline: Deadline, follows: Sequence[Follows] = ()) -> Proof:
    """Prove the statement of a claim at `sizes`, for all values of its coordinates that satisfy the hypotheses.

    What it `follows` from is assumed.

    Raises
    ------
    NotProved
        It is computed otherwise than by rational operations, roots and orders; or a leaf resists.
    """
    layout = claim.domain.layout(sizes)
    every = list(integer_cases(layout, CASES))
    coordinates = coordinate_names(layout, every[0])
    if not coordinates:
        raise NotProved("it has no real coordinates: its cases are finite")
    prover = Prover(deadline)
    cases, leaves_of_cases = [], []
    for integers in every:
        tree = explored(claim, sizes, integers, deadline, follows)
        leaves_of_cases.append(leaves(tree))
        numbers = {name: [str(entry) for entry in values.flat] for name, values in integers.items()}
        cases.append({"integers": numbers, "tree": prover.shown(skeleton(tree), leaves(tree))})
    data = {"coordinates": coordinates, "cases": cases}
    return _proof(claim, sizes, data, list(zip(every, leaves_of_cases, strict=True)))


def _without_value(leaf: Leaf) -> str:
    """What is wrong with a leaf that is not shown to be empty."""
    if leaf.broken:
        return leaf.undefined
    return f"it may have no value on more than the zeros of a polynomial ({leaf.undefined})"


def _covers(data: Mapping[str, Any]) -> str:
    """Check a record, and say what it covers."""
    counts = [check_tree(data["coordinates"], case["tree"]) for case in data["cases"]]
    shown, undefined = (sum(column) for column in zip(*counts, strict=True))
    if not shown:
        raise NotProved("no cell in which the hypotheses hold has anything to show")
    words = "all instances" if shown == 1 else f"all instances, in {shown} cells"
    return words + (", where no denominator vanishes and roots and logarithms are defined" if undefined else "")


def _proof(
    claim: Claim, sizes: Mapping[str, int], data: Mapping[str, Any], cases: Sequence[tuple[Mapping[str, Any], list[Leaf]]]
) -> Proof:
    """A proof with this record, after its identities were checked, and what it covers by the leaves of its trees.

    Raises
    ------
    NotProved
        An identity does not hold; or the statement has no value on more than a few points.
    """
    covers = _covers(data)
    exceptions: dict[str, None] = {}
    points, shown = set(), []
    for (integers, own_leaves), case in zip(cases, data["cases"], strict=True):
        for leaf, node in zip(own_leaves, ends(case["tree"]), strict=True):
            if leaf.undefined and "empty" not in node:
                if leaf.equation is None:
                    raise NotProved(_without_value(leaf))
                exceptions[f"{leaf.equation} = 0"] = None
            elif leaf.goals and "empty" not in node:
                shown.append(leaf)
                points.add((str(integers), leaf.point))
    layout = claim.domain.layout(sizes)
    if exceptions and any(coordinate.integer and name not in cases[0][0] for name, coordinate in layout.items()):
        raise NotProved(f"integers are taken for real numbers, and it has no value where {min(exceptions)}")
    hypotheses = tuple(claim.domain.hypotheses) if any(leaf.outside for _, own_leaves in cases for leaf in own_leaves) else ()
    vacuous = ""
    if all(goal.trivial for leaf in shown for goal in leaf.goals):
        vacuous = "both sides are zero everywhere"
    elif len(points) == 1 and min(points, key=str)[1] is not None:
        vacuous = "one instance satisfies the hypotheses"
    elif _is_constant(shown):
        vacuous = CONSTANT
    elif all(leaf.is_given for leaf in shown) and any(not goal.top.is_zero() for leaf in shown for goal in leaf.goals):
        vacuous = "the domain or a hypothesis says what the statement says"
    elif hypotheses and not second_look.meets_two(claim, sizes, cases):
        vacuous = "no two instances that satisfy the hypotheses are met"
    coverage = WITH_A_VALUE if exceptions else ALL
    return Proof(METHOD, dict(sizes), covers, hypotheses, data, coverage, tuple(exceptions), vacuous)


def _is_constant(shown: Sequence[Leaf]) -> bool:
    """Whether the same numbers are compared everywhere, and no question of the statement decides which."""
    return (
        all(goal.constant for leaf in shown for goal in leaf.goals)
        and all(leaf.path.in_domain == len(leaf.path.questions) for leaf in shown)
        and len({str([(goal.top, goal.bottom, goal.equal) for goal in leaf.goals]) for leaf in shown}) == 1
    )


def check(claim: Claim, proof: Proof, follows: Sequence[Follows] = ()) -> int:
    """Check that the tree of a proof is that of the statement, and every identity in it; at how many points it was looked at.

    Raises
    ------
    NotProved
        It is not, or one does not hold.
    """
    layout = claim.domain.layout(proof.sizes)
    every = list(integer_cases(layout, CASES))
    coordinates = coordinate_names(layout, every[0])
    if proof.data["coordinates"] != coordinates:
        raise NotProved("the certificate has other coordinates than the domain")
    if len(every) != len(proof.data["cases"]):
        raise NotProved("the certificate does not have all values of the integer coordinates")
    leaves_of_cases, points = [], 0
    for integers, case in zip(every, proof.data["cases"], strict=True):
        numbers = {name: [str(entry) for entry in values.flat] for name, values in integers.items()}
        if case["integers"] != numbers:
            raise NotProved("the certificate has other values of the integer coordinates")
        tree = explored(claim, proof.sizes, integers, Deadline(), follows)
        leaves_of_cases.append(leaves(tree))
        if stripped(case["tree"]) != skeleton(tree):
            raise NotProved("the certificate shows something else than the statement")
        points += second_look.at_tree(claim, proof.sizes, integers, tree, case["tree"], second_look.share(len(every)))
        for node, leaf in zip(ends(case["tree"]), leaves(tree), strict=True):
            if "defined" in node and node["defined"] != definitions(leaf.path):
                raise NotProved("the certificate has other roots, logarithms or exponentials than the statement")
    again = _proof(claim, proof.sizes, proof.data, list(zip(every, leaves_of_cases, strict=True)))
    if replace(again, method=proof.method, does_not_tell=proof.does_not_tell) != proof:
        raise NotProved("the certificate covers something else than it says")
    return points


def in_letters_of(claim: Claim, proof: Proof) -> Proof:
    """A proof of the same statement in the letters that the claim has now: sizes and coordinates are known by their places.

    Whether it is one is not looked at: that is for `check`. What cannot be of this claim stays as it is.
    """
    if len(proof.sizes) != len(claim.domain.sizes):
        return proof
    sizes = dict(zip(claim.domain.sizes, proof.sizes.values(), strict=True))
    if "coordinates" not in proof.data or sizes not in claim.domain.all_sizes():
        return replace(proof, sizes=sizes)
    every = list(integer_cases(claim.domain.layout(sizes), CASES))
    cases = [
        {**case, "integers": dict(zip(integers, case["integers"].values(), strict=False))}
        for integers, case in zip(every, proof.data["cases"], strict=False)
    ]
    names = coordinate_names(claim.domain.layout(sizes), every[0])
    return replace(proof, sizes=sizes, data={**proof.data, "coordinates": names, "cases": cases})


@dataclass(frozen=True)
class Shown:
    """Why a polynomial is not negative: it is the product of sums of terms (`groups`), and of `rest`, if there is one.

    The product of `rest` and of the positive assumptions `by` is a sum of `terms`; in both, ``-rest`` counts as one more
    assumption: were `rest` negative, the product would be negative and the sum not.
    """

    groups: list[list[Term]]
    rest: fmpq_mpoly | None = None
    by: tuple[int, ...] = ()
    terms: tuple[Term, ...] = ()

    def text(self, path: Path) -> dict[str, Any]:
        """For a certificate."""
        # factors of 1 say nothing
        groups = [group for group in self.groups if group != [Term(fmpq(1), (), path.constant(1))]]
        document: dict[str, Any] = {"groups": groups_text(path, groups)}
        if self.rest is not None:
            document["rest"] = {
                "value": to_text(path, self.rest), "by": list(self.by), "terms": groups_text(path, [self.terms])[0]
            }  # fmt: skip
        return document


class Prover:
    """Shows goals of leaves, and remembers what it has shown."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self._levels = LEVELS
        self._points: Floats | None = None
        self._known: dict[str, list[tuple[list[str], list[tuple[fmpq, list[str], fmpq_mpoly]]]]] = {}

    def shown(self, node: dict[str, Any], own_leaves: Sequence[Leaf]) -> dict[str, Any]:
        """A tree, given as text, with the proofs of its leaves, which are given from left to right.

        Raises
        ------
        NotProved
            A leaf resists.
        """
        remaining = list(own_leaves)

        def below(node: dict[str, Any]) -> dict[str, Any]:
            if "ask" in node:
                return {**node, "yes": below(node["yes"]), "no": below(node["no"])}
            leaf = remaining.pop(0)
            if leaf.undefined and leaf.equation is None:
                return {**node, "empty": self._never(leaf)}
            if leaf.undefined and (denied := self._denied(leaf.path)) is not None:
                return {**node, "empty": [[], groups_text(leaf.path, [denied])]}
            return {**node, **self._leaf(leaf, node["goals"])} if "goals" in node else node

        return below(node)

    def _never(self, leaf: Leaf) -> list[Any]:
        """Why there is nothing in a leaf in which the statement has no value."""
        for levels in (LEVELS[:2], LEVELS):
            self._levels = levels
            contradiction = self.empty(leaf.path)
            if contradiction is not None:
                return [list(contradiction[0]), groups_text(leaf.path, [contradiction[1]])]
        where = " and ".join(map(str, leaf.path.questions[-3:]))
        raise NotProved(f"{_without_value(leaf)}: {where:.200}")

    def _leaf(self, leaf: Leaf, goals: list[dict[str, Any]]) -> dict[str, Any]:
        self._points = points_of(leaf.path)
        # what is cheap first: many cells are empty, and most of the others are easy
        for levels in (LEVELS[:2], LEVELS):
            self._levels = levels
            text = self._tried(leaf.path, leaf.goals, goals)
            if text is not None:
                return text
        values = (str(leaf.path.reduced(goal.top * goal.bottom)) for goal in leaf.goals)
        raise NotProved(f"no sum of squares was found, and no boxes, for one of {', '.join(values)[:200]}")

    def _tried(self, path: Path, every: Sequence[Goal], goals: list[dict[str, Any]]) -> dict[str, Any] | None:
        proved = []
        for goal, text in zip(every, goals, strict=True):
            self.deadline.check()
            value = goal.top * goal.bottom
            if goal.equal:
                if path.reduced(value).is_zero():
                    proved.append(text)
                    continue
            elif (quotient := self._quotient(path, goal)) is not None:
                proved.append({**text, **quotient.text(path)})
                continue
            # where there are points, the cell is not empty
            if (self._points is None or not len(self._points)) and (positive := self.empty(path)) is not None:
                by, terms = positive
                return {"goals": goals, "empty": [list(by), groups_text(path, [terms])]}
            if not goal.equal and (shown := self._with_lemmas(path, value)) is not None:
                proved.append({**text, **shown})
            elif (self._levels is LEVELS or len(path.names) == UNKNOWNS + 1) and (
                tree := divided(path, text, self.deadline)
            ) is not None:  # of one coordinate boxes are few
                proved.append({**text, "boxes": tree})
            else:
                return None
        return {"goals": proved, **({"defined": definitions(path)} if any(map(_takes_definitions, proved)) else {})}

    def _quotient(self, path: Path, goal: Goal) -> Shown | None:
        for sign in (1, -1):
            below = nonnegative(path, sign * goal.bottom)
            if below is not None:
                above = self.shows(path, sign * goal.top)
                if above is not None:
                    return replace(above, groups=[*above.groups, below])
        return self.shows(path, goal.top * goal.bottom)

    def shows(self, path: Path, target: fmpq_mpoly) -> Shown | None:
        """Why `target` is not negative on a path, modulo its equalities; None if nothing was found."""
        target = path.reduced(target)
        quick = nonnegative(path, target)
        if quick is not None:
            return Shown([quick])
        groups, rest = _factored(path, target)
        searched = self._searched(path, rest)
        return None if searched is None else Shown(groups, rest, *searched)

    def _with_lemmas(self, path: Path, target: fmpq_mpoly) -> dict[str, Any] | None:
        """Why a goal is not negative, as text, by squaring roots: with what has to be shown before."""
        lemmas: list[dict[str, Any]] = []
        known = len(path.assumptions)
        groups, rest = _factored(path, path.reduced(target))
        terms = (
            self._conjugated(path, rest, lemmas, ROOTS)
            or self._separated(path, rest, lemmas)
            or self._expanded(path, rest, lemmas)
        )
        del path.assumptions[known:]
        if terms is None:
            return None
        return {**({"lemmas": lemmas} if lemmas else {}), **Shown(groups, rest, *terms).text(path)}

    def _conjugated(
        self, path: Path, target: fmpq_mpoly, lemmas: list[dict[str, Any]], depth: int
    ) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        """For E = s r + t with a root r: ``-E^2 = N - 2 s r E`` with ``N = s^2 r^2 - t^2``, or ``-E^2 = -N - 2 t E``."""
        for number, definition in reversed(list(enumerate(path.defined))):
            place = UNKNOWNS - 1 - number
            if definition[:2] != ("root", 2) or target.degrees()[place] != 1:
                continue
            root = path.context.gens()[place]
            slope = target.derivative(place)
            constant = target - slope * root
            norm = path.reduced(slope * slope * definition[2] - constant * constant)
            for part, factors, difference in ((slope, (_index_of(path, root),), norm), (constant, (), -norm)):
                known, shown = len(path.assumptions), len(lemmas)
                if self._is_plausible(part) and self._is_plausible(difference):
                    first = self._lemma(path, part, lemmas, depth)
                    second = None if first is None else self._lemma(path, difference, lemmas, depth)
                    if first is not None and second is not None:
                        goal = len(path.assumptions)
                        more = (Term(2 * term.weight, (*term.factors, *factors, goal), term.square) for term in first)
                        return (goal,), (*second, *more)
                del path.assumptions[known:], lemmas[shown:]
        return None

    def _separated(
        self, path: Path, target: fmpq_mpoly, lemmas: list[dict[str, Any]]
    ) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        """For a sum whose parts have no unknown in common: each of them is shown."""
        parts = separated(path, target)
        if len(parts) < 2 or not all(map(self._is_plausible, parts)):
            return None
        terms: list[Term] = []
        for part in parts:
            shown = self._lemma(path, part, lemmas, 0)
            if shown is None:
                return None
            terms += shown
        return (), tuple(terms)

    def _expanded(
        self, path: Path, target: fmpq_mpoly, lemmas: list[dict[str, Any]]
    ) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        """By Taylor's formula for logarithms and exponentials."""
        known, every = len(path.assumptions), list(facts(path, target))
        values = [fact.polynomial(path, path.defined, path.assumptions) for fact in every]
        for value in values:
            path.assume(value)
        summands = search(path, target, self.deadline, LEVELS[:2]) if every else None
        del path.assumptions[known:]
        if summands is None:
            return self._replaced(path, target, lemmas, list(zip(every, values, strict=True)))
        used = sorted({index - known for term in summands for index in term.factors if index >= known})
        places = {known + index: known + place for place, index in enumerate(used)}
        for index in used:
            lemmas.append({"taylor": every[index].text()})
            path.assume(values[index])
        terms = (Term(term.weight, tuple(places.get(index, index) for index in term.factors), term.square) for term in summands)
        return (), tuple(terms)

    def _replaced(
        self, path: Path, target: fmpq_mpoly, lemmas: list[dict[str, Any]], known: Sequence[tuple[Fact, fmpq_mpoly]]
    ) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        """The power of an exponential is replaced by a bound for it; what is left is shown."""
        entries = target.to_dict()
        for fact, value in known:
            shared = [coefficient / value[exponents] for exponents, coefficient in entries.items() if value[exponents] != 0]
            for factor in sorted({ratio for ratio in shared if ratio > 0}):
                remaining = path.reduced(target - factor * value)
                if not self._is_plausible(remaining):
                    continue
                shown = self._lemma(path, remaining, lemmas, 0)
                if shown is not None:
                    lemmas.append({"taylor": fact.text()})
                    path.assume(value)
                    return (), (*shown, Term(factor, (len(path.assumptions) - 1,), path.constant(1)))
        return None

    def _lemma(self, path: Path, value: fmpq_mpoly, lemmas: list[dict[str, Any]], depth: int) -> list[Term] | None:
        """Terms whose sum is a polynomial that is not negative, or one that is an assumption from now on."""
        value = path.reduced(value)
        quick = nonnegative(path, value)
        if quick is not None:
            return quick
        shown = self.shows(path, value)
        if shown is None and depth:
            groups, rest = _factored(path, value)
            conjugated = self._conjugated(path, rest, lemmas, depth - 1)
            shown = None if conjugated is None else Shown(groups, rest, *conjugated)
        if shown is None:
            return None
        lemmas.append({"value": to_text(path, value), **shown.text(path)})
        path.assume(value)
        return [Term(fmpq(1), (len(path.assumptions) - 1,), path.constant(1))]

    def _is_plausible(self, value: fmpq_mpoly) -> bool:
        """Whether a polynomial is negative at no point of the leaf that was looked at."""
        if self._points is None or not len(self._points):
            return True
        values = values_of(value, self._points)
        return bool(values.min() >= -1e-9 * abs(values).max())

    def empty(self, path: Path) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        """Positive assumptions, and terms whose sum is minus their product: there is no such cell."""
        one = path.constant(1)
        strict = [(index, path.reduced(known.polynomial)) for index, known in enumerate(path.assumptions) if known.strict]
        for index, polynomial in [(-1, one), *strict]:
            self.deadline.check()
            # most contradictions are between assumptions of the same few unknowns
            for alone in (True, False) if index >= 0 else (False,):
                contradiction = search(path, -polynomial, self.deadline, ALONE if alone else self._levels, alone=alone)
                if contradiction is not None:
                    return () if index < 0 else (index,), contradiction
        denied = self._denied(path)
        return None if denied is None else ((), denied)

    def _denied(self, path: Path) -> tuple[Term, ...] | None:
        """Terms whose sum is -1 modulo an equation that was asked for, which is none of the leaf then."""
        for mark in path.marks:
            relation = path.assumptions[mark]
            if relation.equal:
                self.deadline.check()
                more = 2 * math.ceil(int(relation.polynomial.total_degree()) / 2)
                levels = ((1, False, more), (2, False, more))
                among = places_of(relation.polynomial)
                contradiction = search(path, -path.constant(1), self.deadline, levels, alone=True, among=among)
                if contradiction is not None:
                    return contradiction
        return None

    def _searched(self, path: Path, target: fmpq_mpoly) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        names = [str(known.polynomial) for known in path.assumptions]
        places = {name: index for index, name in reversed(list(enumerate([*names, THE_GOAL])))}
        for by, old in self._known.get(str(target), []):
            if all(name in places for factors_ in (by, *(factors for _, factors, _ in old)) for name in factors_):
                positive = tuple(places[name] for name in by)
                terms = tuple(Term(weight, tuple(places[name] for name in factors), square) for weight, factors, square in old)
                known = all(index == len(names) or path.assumptions[index].strict for index in positive)
                if known and _is_sum(path, target, positive, terms):
                    return positive, terms
        shown = self._new(path, target)
        if shown is not None:
            every = [*names, THE_GOAL]
            named = [(term.weight, [every[index] for index in term.factors], term.square) for term in shown[1]]
            self._known.setdefault(str(target), []).append(([every[index] for index in shown[0]], named))
        return shown

    def _new(self, path: Path, target: fmpq_mpoly) -> tuple[tuple[int, ...], tuple[Term, ...]] | None:
        plain = search(path, target, self.deadline, self._levels)
        if plain is not None or self._levels is not LEVELS:
            return None if plain is None else ((), plain)
        used = places_of(target)
        strict = [
            index
            for index, known in enumerate(path.assumptions)
            if known.strict and places_of(known.polynomial) <= used and len(known.polynomial) == 1
        ]
        factors = [(index, path.assumptions[index].polynomial) for index in strict[:FACTORS]]
        for index, factor in [*factors, (len(path.assumptions), -target)]:
            terms = search(path, target, self.deadline, LEVELS_WITH_FACTOR, factor)
            if terms is not None:
                return (index,), terms
        return None


def _factored(path: Path, target: fmpq_mpoly) -> tuple[list[list[Term]], fmpq_mpoly]:
    """The factors of a polynomial that are seen not to be negative, and the product of the others."""
    content, factors = target.factor()
    sign = 1 if content > 0 else -1
    one = path.constant(1)
    groups = [[Term(abs(content), (), one)]]
    rest = one
    for factor, power in factors:
        if power > 1:
            groups.append([Term(fmpq(1), (), factor ** (power // 2))])
        if power % 2:
            for side in (1, -1):
                signed = nonnegative(path, side * factor)
                if signed is not None:
                    groups.append(signed)
                    sign *= side
                    break
            else:
                rest = rest * factor
    return groups, rest * sign


def separated(path: Path, target: fmpq_mpoly) -> list[fmpq_mpoly]:
    """The parts of a sum that have no unknown in common, not even one that a root in them is taken of, with equal constants."""
    parts: list[tuple[set[int], dict[Exponents, fmpq]]] = []
    for exponents, coefficient in target.to_dict().items():
        places = _reached(path, {place for place, exponent in enumerate(exponents) if exponent})
        if not places:
            continue
        terms = {exponents: coefficient}
        for overlapping in [part for part in parts if part[0] & places]:
            parts.remove(overlapping)
            places |= overlapping[0]
            terms |= overlapping[1]
        parts.append((places, terms))
    return [path.context.from_dict(terms) + target[(0,) * len(path.names)] / len(parts) for _, terms in parts]


def _reached(path: Path, places: set[int]) -> set[int]:
    reached: set[int] = set()
    while places:
        place = places.pop()
        reached.add(place)
        number = UNKNOWNS - 1 - place
        if 0 <= number < len(path.defined) and path.defined[number][:1] == ("root",):
            places |= places_of(path.defined[number][2]) - reached
    return reached


def _takes_definitions(goal: Mapping[str, Any]) -> bool:
    return "boxes" in goal or any("taylor" in lemma for lemma in goal.get("lemmas", ()))


def _index_of(path: Path, polynomial: fmpq_mpoly) -> int:
    return next(
        index
        for index, assumption in enumerate(path.assumptions)
        if assumption.polynomial == polynomial and not assumption.equal
    )


def _is_sum(path: Path, target: fmpq_mpoly, by: Sequence[int], terms: Sequence[Term]) -> bool:
    """Whether the product of `target` and positive assumptions is the sum of terms; the equalities may be others."""
    factors = [*(assumption.polynomial for assumption in path.assumptions), -target]
    value = target
    for index in by:
        value = value * factors[index]
    for term in terms:
        product = term.square * term.square * term.weight
        for index in term.factors:
            product = product * factors[index]
        value = value - product
    return bool(path.reduced(value).is_zero())


def search(
    path: Path,
    target: fmpq_mpoly,
    deadline: Deadline,
    levels: Sequence[tuple[int, bool, int]],
    factor: fmpq_mpoly | None = None,
    *,
    alone: bool = False,
    among: Collection[int] = (),
) -> tuple[Term, ...] | None:
    """Terms whose sum is `target` modulo the equalities of a path, by semidefinite programmes of growing size.

    With a `factor`, the sum is their product, and ``-target`` is an assumption, too. Used are the assumptions of the unknowns
    of the target, or those `among` which it is, and of some more, or (`alone`) of no more.
    """
    if target.is_zero():
        return ()
    space = _Space(path, target, factor, alone=alone, among=among)
    sizes = set()
    every: Iterator[list[Multiplier]] = (space.multipliers(*level) for level in levels)
    if levels is LEVELS:
        # all assumptions together may make a programme too large that needs one of them
        every = itertools.chain(space.with_one_assumption(), every)
    for multipliers in every:
        deadline.check()
        size = tuple((multiplier.factors, len(multiplier.monomials)) for multiplier in multipliers)
        if not multipliers or size in sizes:
            continue
        sizes.add(size)
        squares = sum_of_squares(space.target, multipliers, space.reduce, deadline)
        if squares is not None:
            return tuple(Term(square.weight, square.factors, space.polynomial(square.polynomial)) for square in squares)
    return None


class _Space:
    """The unknowns that a goal depends on, and what is assumed of them."""

    def __init__(
        self, path: Path, target: fmpq_mpoly, factor: fmpq_mpoly | None, *, alone: bool, among: Collection[int] = ()
    ) -> None:
        self._path = path
        used = places_of(target) | set(among)
        inequalities = [
            (index, path.reduced(assumption.polynomial))
            for index, assumption in enumerate(path.assumptions)
            if not assumption.equal
        ]
        if factor is not None:
            inequalities.append((len(path.assumptions), -target))
            target = path.reduced(target * factor)
        while not alone:
            more = set(used)
            for lead, relation in path.rules:
                if any(lead[place] for place in used):
                    more |= places_of(relation)
            for _, polynomial in inequalities:
                if places_of(polynomial) & used and len(places_of(polynomial) - used) <= 2:
                    more |= places_of(polynomial)
            if more == used or len(more) > 16:
                break
            used = more
        self._keep = sorted(used)
        self.target = as_polynomial(target.to_dict(), self._keep)
        rules = [
            (tuple(lead[place] for place in self._keep), as_polynomial(relation.to_dict(), self._keep))
            for lead, relation in path.rules
            if places_of(relation) <= used
        ]
        self.reduce = Reducer(self._remainder, rules)
        self._inequalities: list[tuple[int, Polynomial]] = []
        seen = set()
        for index, polynomial in inequalities:
            if not polynomial.is_constant() and places_of(polynomial) <= used and str(polynomial) not in seen:
                seen.add(str(polynomial))
                self._inequalities.append((index, as_polynomial(polynomial.to_dict(), self._keep)))
        self._weights = self._weighted()

    def _remainder(self, monomial: Exponents) -> Polynomial:
        return as_polynomial(self._path.reduced(self.polynomial({monomial: fmpq(1)})).to_dict(), self._keep)

    def polynomial(self, entries: Polynomial) -> fmpq_mpoly:
        """A polynomial of the path."""
        count = len(self._path.names)
        full: dict[Exponents, fmpq] = {}
        for key, value in entries.items():
            exponents = [0] * count
            for place, exponent in zip(self._keep, key, strict=True):
                exponents[place] = exponent
            full[tuple(exponents)] = value
        polynomial: fmpq_mpoly = self._path.context.from_dict(full)
        return polynomial

    def _weighted(self) -> list[Fraction]:
        """The degree of each unknown: of a root, that of what it is a root of, divided."""
        weights = [Fraction(1)] * len(self._keep)
        for lead, value in reversed(self.reduce.rules):
            places = [place for place, exponent in enumerate(lead) if exponent]
            if len(places) == 1:
                place, power = places[0], lead[places[0]]
                degrees = [
                    sum((weights[k] * e for k, e in enumerate(key) if k != place), Fraction(0)) / (power - key[place])
                    for key in value
                    if key[place] < power
                ]
                weights[place] = max([*degrees, Fraction(0)])
        return weights

    def _degree(self, polynomial: Polynomial) -> Fraction:
        return max((self._of(key) for key in polynomial), default=Fraction(0))

    def _of(self, key: Exponents) -> Fraction:
        return sum((weight * e for weight, e in zip(self._weights, key, strict=True)), Fraction(0))

    def multipliers(self, level: int, newton: bool, more: int) -> list[Multiplier]:
        """Products of at most `level` assumptions, with the monomials of the squares before them; see `LEVELS`."""
        one = {(0,) * len(self._keep): fmpq(1)}
        chosen: list[tuple[tuple[int, ...], Polynomial]] = [((), one)]
        # roots of numbers are known up to their sign only: they make everything unbounded
        single = [((index,), value) for index, value in self._inequalities if not newton or self._degree(value)]
        if level >= 1:
            chosen += single
        if level >= 2:
            for (a, left), (b, right) in itertools.combinations(single, 2):
                value: Polynomial = {}
                for (x, p), (y, q) in itertools.product(left.items(), right.items()):
                    key = tuple(i + j for i, j in zip(x, y, strict=True))
                    value[key] = value.get(key, fmpq(0)) + p * q
                value = self.reduce(value)
                if value:
                    chosen.append((tuple(sorted(a + b)), value))
        degree = self._degree(self.target)
        bound = 2 * math.ceil(degree / 2) + more
        gradings = self._gradings([self.target, *(value for _, value in chosen)])
        multipliers = []
        for factors, value in chosen:
            monomials = self._monomials(value, Fraction(bound), gradings, newton=newton)
            if monomials is None:
                return []
            if monomials:
                multipliers.append(Multiplier(factors, value, tuple(monomials)))
        return multipliers

    def with_one_assumption(self) -> Iterator[list[Multiplier]]:
        """The multipliers of the first level, with each assumption alone."""
        every = self.multipliers(1, newton=False, more=0)
        yield from ([every[0], multiplier] for multiplier in every[1:])

    def _gradings(self, polynomials: Sequence[Polynomial]) -> list[list[int]]:
        """Weights for which all polynomials and equalities are homogeneous."""
        rows = []
        for polynomial in polynomials:
            keys = list(polynomial)
            rows += [[a - b for a, b in zip(key, keys[0], strict=True)] for key in keys[1:]]
        for lead, value in self.reduce.rules:
            rows += [[a - b for a, b in zip(key, lead, strict=True)] for key in value]
        count = len(self._keep)
        if not rows:
            return [[int(i == j) for j in range(count)] for i in range(count)]
        null, rank = fmpz_mat([list(row_of_exponents) for row_of_exponents in {tuple(row) for row in rows}]).nullspace()
        return [[int(null[i, j]) for i in range(count)] for j in range(rank)]

    def _monomials(
        self, value: Polynomial, bound: Fraction, gradings: Sequence[Sequence[int]], *, newton: bool
    ) -> list[Exponents] | None:
        least = min(self._of(key) for key in value) if value else Fraction(0)
        own = self._degree(value)
        room = (bound - (least if len(self.reduce.rules) else own)) / 2
        target_key = next(iter(self.target))
        own_key = next(iter(value))
        wanted = [(row, _dot(row, target_key) - _dot(row, own_key)) for row in gradings]
        monomials = []
        for monomial in self._all(room):
            if all(2 * _dot(row, monomial) == goal for row, goal in wanted):
                monomials.append(monomial)
                if len(monomials) > MOST_MONOMIALS:
                    return None
        return self._inside(monomials, value) if newton and monomials else monomials

    def _all(self, room: Fraction) -> Iterator[Exponents]:
        count = len(self._keep)
        made = [0]

        def below(place: int, remaining: Fraction, head: tuple[int, ...]) -> Iterator[Exponents]:
            if place == count:
                made[0] += 1
                if made[0] <= 60000 and not any(
                    all(a >= b for a, b in zip(head, lead, strict=True)) for lead, _ in self.reduce.rules
                ):
                    yield head
                return
            weight = self._weights[place]
            most = math.floor(remaining / weight) if weight > 0 else 2
            for exponent in range(most + 1):
                if made[0] > 60000:
                    return
                yield from below(place + 1, remaining - exponent * weight, (*head, exponent))

        if room >= 0:
            yield from below(0, room, ())

    def _inside(self, monomials: list[Exponents], value: Polynomial) -> list[Exponents]:
        """Those whose squares times `value` are not seen to lie outside the Newton polytope of the target and 1."""
        if self.reduce.rules:
            return monomials
        support = np.array([(0,) * len(self._keep), *self.target])
        generator = np.random.default_rng(0)
        count = support.shape[1]
        # all small directions where they are few
        small = np.array(list(itertools.product((-1, 0, 1), repeat=count))) if count <= 7 else np.eye(count)
        directions = np.concatenate([small, -np.eye(count), generator.integers(-3, 4, (400, count))])
        tops = (directions @ support.T).max(axis=1)
        room = tops - (directions @ np.array(list(value)).T).max(axis=1)
        squares = 2 * (directions @ np.array(monomials).T)
        return [monomial for monomial, inside in zip(monomials, (squares <= room[:, None]).all(axis=0), strict=True) if inside]


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


def places_of(polynomial: fmpq_mpoly) -> set[int]:
    return {place for place, degree in enumerate(polynomial.degrees()) if degree > 0}
