"""The text of a proof by sums of squares: a tree of questions with polynomials, and what shows each leaf; how it is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq_mpoly

from verify.proofs.boxes import boxes_of
from verify.proofs.cells import Goal, Leaf, Split
from verify.proofs.certificate import NotProved
from verify.proofs.expressions import UNKNOWNS, Assumption, Path, Term, new_path
from verify.proofs.taylor import Fact
from verify.proofs.texts import to_polynomial, to_text


def skeleton(tree: Split | Leaf, known: int = 0) -> dict[str, Any]:
    """What a tree asks and has to show, without the proofs; `known` assumptions stand above it."""
    if isinstance(tree, Leaf):
        node: dict[str, Any] = {"new": _assumptions(tree.path, tree.path.assumptions[known:])}
        if tree.outside:
            return {**node, "outside": True}
        if tree.undefined:
            return {**node, "undefined": True}
        return {**node, "goals": [_goal(tree.path, goal) for goal in tree.goals]}
    leaf = tree.yes
    while isinstance(leaf, Split):
        leaf = leaf.yes
    path = leaf.path
    depth = next(k for k, mark in enumerate(path.marks) if mark >= known)
    mark, question = path.marks[depth], path.questions[depth]
    return {
        "new": _assumptions(path, path.assumptions[known:mark]),
        "ask": to_text(path, question.polynomial),
        "zero": question.zero,
        "yes": skeleton(tree.yes, mark + 1),
        "no": skeleton(tree.no, mark + 1),
    }


def _assumptions(path: Path, assumptions: Sequence[Assumption]) -> list[Any]:
    return [
        [to_text(path, assumption.polynomial), "=" if assumption.equal else ">" if assumption.strict else ">="]
        for assumption in assumptions
    ]


def _goal(path: Path, goal: Goal) -> dict[str, Any]:
    return {"value": to_text(path, goal.top * goal.bottom), "sense": "=" if goal.equal else ">="}


def groups_text(path: Path, groups: Sequence[Sequence[Term]]) -> list[Any]:
    """Sums of terms as text."""
    return [[[str(term.weight), list(term.factors), to_text(path, term.square)] for term in group] for group in groups]


def stripped(node: Mapping[str, Any]) -> dict[str, Any]:
    """A tree without the proofs of its leaves.

    Raises
    ------
    NotProved
        It is no tree.
    """
    try:
        if "ask" in node:
            return {
                **{key: node[key] for key in ("new", "ask", "zero")},
                "yes": stripped(node["yes"]),
                "no": stripped(node["no"]),
            }
        if "goals" not in node:
            return {key: entry for key, entry in node.items() if key != "empty"}
        goals = [{key: goal[key] for key in ("value", "sense")} for goal in node["goals"]]
        return {"new": node["new"], "goals": goals}
    except (KeyError, TypeError, AttributeError) as error:
        raise NotProved(f"the certificate has no tree where it should: {error}") from error


def ends(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The leaves of a tree, from left to right."""
    if "ask" in node:
        yield from ends(node["yes"])
        yield from ends(node["no"])
    else:
        yield node


def check_tree(coordinates: Sequence[str], node: Mapping[str, Any]) -> tuple[int, int]:
    """Check the proof of every leaf; how many leaves are shown and not empty, and in how many the statement has no value.

    Raises
    ------
    NotProved
        An identity does not hold.
    """
    return _checked(new_path(coordinates, ()), (), node)


def _checked(path: Path, above: tuple[Assumption, ...], node: Mapping[str, Any]) -> tuple[int, int]:
    known = list(above)
    for text, kind in node["new"]:
        known.append(Assumption(to_polynomial(path, text), strict=kind == ">", equal=kind == "="))
    if "ask" in node:
        polynomial = to_polynomial(path, node["ask"])
        if node["zero"]:
            yes, no = Assumption(polynomial, equal=True), Assumption(polynomial * polynomial, strict=True)
        else:
            yes, no = Assumption(polynomial, strict=True), Assumption(-polynomial)
        both = _checked(path, (*known, yes), node["yes"]), _checked(path, (*known, no), node["no"])
        return both[0][0] + both[1][0], both[0][1] + both[1][1]
    here = _with(path, known)
    if "empty" in node:
        by, groups = node["empty"]
        _check_identity(here, _times_positive(here, here.constant(-1), by), groups)
        return 0, 0
    if "goals" not in node:
        if "undefined" in node and not any(
            assumption.equal and not assumption.polynomial.is_constant() and not any(assumption.polynomial.degrees()[:UNKNOWNS])
            for assumption in known
        ):
            raise NotProved("the statement may have no value on an open set")
        return 0, int("undefined" in node)
    if not node["goals"]:
        raise NotProved("a leaf has nothing to show")
    for goal in node["goals"]:
        shown = list(known)
        for lemma in goal.get("lemmas", ()):
            if "taylor" in lemma:
                shown.append(Assumption(_expanded(here, node["defined"], shown, lemma)))
                continue
            shown.append(Assumption(_show(path, shown, lemma)))
        if "boxes" in goal:
            boxes = boxes_of(here, node["defined"], goal)
            boxes.check(goal["boxes"], boxes.start())
        elif goal["sense"] == "=":
            if not here.reduced(to_polynomial(here, goal["value"])).is_zero():
                raise NotProved("an equality does not follow from those that are assumed")
        else:
            _show(path, shown, goal)
    return 1, 0


def _expanded(here: Path, defined: Sequence[Any], known: Sequence[Assumption], lemma: Mapping[str, Any]) -> fmpq_mpoly:
    """A polynomial that is not negative by Taylor's formula."""
    every = [
        tuple(to_polynomial(here, word) if isinstance(word, dict) else word for word in definition) for definition in defined
    ]
    factors, *arguments = lemma["taylor"]
    return Fact(tuple((number, root, power) for number, root, power in factors), *arguments).polynomial(here, every, known)


def _show(path: Path, known: Sequence[Assumption], goal: Mapping[str, Any]) -> fmpq_mpoly:
    """A polynomial that is the product of sums of squares, and of a rest."""
    here = _with(path, known)
    value = to_polynomial(here, goal["value"])
    if "rest" not in goal:
        _check_identity(here, value, goal["groups"])
        return value
    rest = to_polynomial(here, goal["rest"]["value"])
    _check_identity(here, value, goal["groups"], rest)
    below = _with(path, [*known, Assumption(-rest, strict=True)])
    _check_identity(below, _times_positive(below, rest, goal["rest"]["by"]), [goal["rest"]["terms"]])
    return value


def _with(path: Path, known: Sequence[Assumption]) -> Path:
    here = new_path(path.names[UNKNOWNS:], ())
    for assumption in known:
        here.assume(assumption.polynomial, strict=assumption.strict, equal=assumption.equal)
    return here


def _times_positive(path: Path, value: fmpq_mpoly, by: Sequence[int]) -> fmpq_mpoly:
    for index in by:
        if not 0 <= index < len(path.assumptions) or not path.assumptions[index].strict:
            raise NotProved("a factor is not known to be positive")
        value = value * path.assumptions[index].polynomial
    return value


def _check_identity(path: Path, value: fmpq_mpoly, groups: Sequence[Any], rest: fmpq_mpoly | None = None) -> None:
    """Whether `value` is the product of sums of terms, and of `rest`."""
    total = path.constant(1) if rest is None else rest
    for group in groups:
        part = path.constant(0)
        for weight, factors, square in group:
            term = to_polynomial(path, {"": weight})
            if not term.is_zero() and term.leading_coefficient() < 0:
                raise NotProved("a weight is negative")
            for index in factors:
                if not 0 <= index < len(path.assumptions) or path.assumptions[index].equal:
                    raise NotProved("a factor is no inequality that is assumed")
                term = term * path.assumptions[index].polynomial
            root = to_polynomial(path, square)
            part = part + path.reduced(term * root * root)
        total = path.reduced(total * path.reduced(part))
    if not path.reduced(path.reduced(value) - total).is_zero():
        raise NotProved("a sum of squares is not what it should be equal to")
