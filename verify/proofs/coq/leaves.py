"""Certificates by sums of squares as theorems: one for each leaf of a tree, and one for each tree.

Denominators are cleared: what is assumed and claimed of a polynomial of the certificate is said of a positive multiple that has
integer coefficients. The certificate says that two polynomials are equal modulo the equalities; Coq is also told by which
multiples of them they differ.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from verify.proofs.coq.text import NotExported, Polynomials, argument, cleared, comment, fmpq_of, integer, listed

ACCEPTED = "ltac:(vm_cast_no_check (eq_refl true))"
"""The proof that the checker's answer is yes: the kernel computes it, once."""
SIGNS = {
    "Zero": "{} = 0",
    "Nonzero": "{} <> 0",
    "Positive": "0 < {}",
    "Nonnegative": "0 <= {}",
    "Nonpositive": "{} <= 0",
    "Negative": "{} < 0",
}
WRITTEN = {"=": "Zero", ">": "Positive", ">=": "Nonnegative"}
LONGEST_COMMENT = 240
"""Characters of what a leaf assumes and claims; with more, its polynomials are called by their names."""


@dataclass(frozen=True)
class Fact:
    """What is assumed or claimed: the sign of a polynomial with integer coefficients, `scale` times that of the certificate."""

    polynomial: fmpq_mpoly
    sign: str
    scale: int

    def positive(self) -> tuple[fmpq_mpoly, int]:
        """What is positive or not negative by it, and how many times that of the certificate it is."""
        if self.sign == "Nonzero":
            return self.polynomial * self.polynomial, self.scale**2
        return (-self.polynomial if self.sign in ("Nonpositive", "Negative") else self.polynomial), self.scale


@dataclass(frozen=True)
class Theorems:
    """The text of the theorems of one proof, and how many leaves and trees they are of."""

    text: str
    leaves: int
    trees: int


def theorems(proof: Mapping[str, Any], name: str, title: str) -> Theorems:
    """The module `name` with the theorems of one proof; `title` says in each comment which it is.

    Raises
    ------
    NotExported
        It rests on what Coq is not told: boxes, or Taylor's formula.
    """
    data = proof["data"]
    written = _Trees(data["coordinates"], 1 + max(_numbers(data["cases"]), default=-1), title)
    for number, case in enumerate(data["cases"]):
        written.add(case, number)
    variables = " ".join(written.polynomials.unknowns)
    lines = [
        f"Module {name}.",
        "Section Reals.",
        *([f"Variables {variables} : R."] if variables else []),
        f"Definition l : list R := {listed(written.polynomials.unknowns)}.",
        *written.polynomials.definitions,
        *written.lines,
        "End Reals.",
        f"End {name}.",
    ]
    return Theorems("\n".join(lines), written.leaves, len(data["cases"]))


def _numbers(value: Any) -> Iterator[int]:
    """The numbers of the unknowns in all polynomials."""
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, str):
                yield from (int(word) for word in key.split() if word.isdecimal())
            else:
                yield from _numbers(one)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)


class _Trees:
    """Collects the theorems of the trees of a proof."""

    def __init__(self, coordinates: Sequence[str], count: int, title: str) -> None:
        self.polynomials = Polynomials(coordinates, max(count, len(coordinates)))
        self.lines: list[str] = []
        self.leaves = 0
        self._title = title

    def add(self, case: Mapping[str, Any], number: int) -> None:
        """The theorems of a tree."""
        integers = ", ".join(f"{name} = {' '.join(values)}" for name, values in case["integers"].items())
        self._case, self._where = f"case{number}", f"{self._title}, case {number}" + (f" ({integers})" if integers else "")
        self._leaf = 0
        statement, proof = self._node(case["tree"], [], [], 0)
        self.lines += [
            comment(f"{self._where}: all leaves together, question by question. True stands where nothing is claimed."),
            f"Theorem {self._case} : ({statement})%R.",
            f"Proof. exact ({proof}). Qed.",
        ]

    def _fact(self, text: Mapping[str, str], sign: str) -> Fact:
        polynomial, scale = cleared(self.polynomials.read(text))
        return Fact(polynomial, sign, scale)

    def _said(self, fact: Fact) -> str:
        return SIGNS[fact.sign].format(f"p{self.polynomials.named(fact.polynomial)}")

    def _reified(self, facts: Sequence[Fact]) -> str:
        """A list of facts, the last first: what leaves share of it is defined once."""
        name = "[]"
        for one in facts:
            name = self.polynomials.shared(
                "a", "list fact", f"(q{self.polynomials.named(one.polynomial)}, {one.sign}) :: {name}"
            )
        return name

    def _places(self, known: Sequence[Fact], places: Sequence[int]) -> str:
        """Numbers of assumptions, as places in the list of them."""
        return self.polynomials.places(len(known) - 1 - place for place in places)

    def _node(self, node: Mapping[str, Any], above: list[Fact], answers: list[str], depth: int) -> tuple[str, str]:
        """What a tree says, and its proof from the theorems of the leaves."""
        new = [self._fact(text, WRITTEN[sign]) for text, sign in node["new"]]
        known = above + new
        if "ask" in node:
            zero = node["zero"]
            ways = [("yes", "Zero" if zero else "Positive"), ("no", "Nonzero" if zero else "Nonpositive")]
            both = []
            for way, sign in ways:
                asked = self._fact(node["ask"], sign)
                statement, proof = self._node(node[way], [*known, asked], [*answers, way], depth + 1)
                both.append((f"({self._said(asked)} -> {statement})", f"(fun h{len(known)} => {proof})"))
            statement, proof = f"({both[0][0]} /\\ {both[1][0]})", f"(conj {both[0][1]} {both[1][1]})"
        elif "outside" in node or ("undefined" in node and "empty" not in node):
            statement, proof = "True", "I"
        else:
            name, claimed = self._shown(node, known, answers)
            statement, proof = f"({claimed})", " ".join([name, *(f"h{number}" for number in range(len(known)))])
        for number in range(len(known) - 1, len(above) - 1, -1):
            proof = f"(fun h{number} => {proof})"
        return " -> ".join([*map(self._said, new), statement]), proof

    def _shown(self, node: Mapping[str, Any], known: list[Fact], answers: Sequence[str]) -> tuple[str, str]:
        """The name of the theorem of a leaf, and what that claims."""
        name = f"{self._case}_leaf{self._leaf}"
        if "empty" in node:
            goals: list[Fact] = []
            by, groups = node["empty"]
            left, scale = self._times(self.polynomials.constant(-1), 1, known, by)
            identity = self._identity(known, left, scale, groups)
            proof = f"nowhere {self._reified(known)} {self._places(known, by)} ({identity}) {ACCEPTED} l"
        else:
            goals = [self._fact(goal["value"], WRITTEN[goal["sense"]]) for goal in node["goals"]]
            certificates = listed(self._certificate(known, goal, fact) for goal, fact in zip(node["goals"], goals, strict=True))
            proof = f"by_squares {self._reified(known)} {self._goals(goals)} {certificates} {ACCEPTED} l"
        claimed = " /\\ ".join(map(self._said, goals)) if goals else "False"
        self.lines += [
            comment(self._words(known, goals, answers)),
            f"Theorem {name} : ({' -> '.join([*map(self._said, known), f'({claimed})'])})%R.",
            f"Proof. exact_no_check ({proof}). Qed.",
        ]
        self._leaf += 1
        self.leaves += 1
        return name, claimed

    def _goals(self, goals: Sequence[Fact]) -> str:
        return listed(f"(q{self.polynomials.named(one.polynomial)}, {one.sign})" for one in goals)

    def _words(self, known: Sequence[Fact], goals: Sequence[Fact], answers: Sequence[str]) -> str:
        head = f"{self._where}, leaf {self._leaf}" + (f" (answers: {', '.join(answers)})" if answers else "")
        for write in (self.polynomials.formula, lambda one: f"p{self.polynomials.named(one)}"):
            assumed, claimed = (
                "; ".join(SIGNS[fact.sign].format(write(fact.polynomial)) for fact in facts) for facts in (known, goals)
            )
            if len(assumed) + len(claimed) <= LONGEST_COMMENT:
                break
        claimed = claimed or "that this holds nowhere"
        return f"{head}. Assumed: {assumed or 'nothing'}. Claimed: {claimed}."

    def _certificate(self, known: list[Fact], goal: Mapping[str, Any], fact: Fact) -> str:
        if "boxes" in goal:
            raise NotExported("a goal is shown on boxes")
        if fact.sign == "Zero":
            multiples = self._multiples(known, fact.polynomial)
            scale = functools.reduce(math.lcm, (cleared(one)[1] for one in multiples.values()), 1)
            return f"Equation {argument(integer(scale))} {self._scaled(known, multiples, scale)}"
        shown, lemmas = list(known), []
        for lemma in goal.get("lemmas", ()):
            if "taylor" in lemma:
                raise NotExported("a lemma is one by Taylor's formula")
            one = self._fact(lemma["value"], "Nonnegative")
            lemmas.append(f"(q{self.polynomials.named(one.polynomial)}, {self._inequality(shown, lemma, one)})")
            shown.append(one)
        return f"Inequality {listed(lemmas)} ({self._inequality(shown, goal, fact)})"

    def _inequality(self, known: list[Fact], goal: Mapping[str, Any], fact: Fact) -> str:
        if "rest" not in goal:
            return f"Plain ({self._identity(known, fact.polynomial, fact.scale, goal['groups'])})"
        rest = self._fact(goal["rest"]["value"], "Negative")
        below = [*known, rest]
        by = goal["rest"]["by"]
        left, scale = self._times(rest.polynomial, rest.scale, below, by)
        of_rest = self._identity(below, left, scale, [goal["rest"]["terms"]])
        whole = self._identity(known, fact.polynomial, fact.scale, goal["groups"], rest)
        return f"Rest q{self.polynomials.named(rest.polynomial)} {self._places(below, by)} ({of_rest}) ({whole})"

    def _times(self, left: fmpq_mpoly, scale: int, known: Sequence[Fact], by: Sequence[int]) -> tuple[fmpq_mpoly, int]:
        for place in by:
            factor, times = known[place].positive()
            left, scale = left * factor, scale * times
        return left, scale

    def _identity(
        self, known: Sequence[Fact], left: fmpq_mpoly, scale: int, groups: Sequence[Any], rest: Fact | None = None
    ) -> str:
        """`left` is `scale` times what the certificate says to be the rest times sums of squares, modulo the equalities."""
        total, common, texts = rest.polynomial if rest else self.polynomials.constant(1), rest.scale if rest else 1, []
        for group in groups:
            text, part, denominator = self._sum(known, group)
            texts.append(text)
            total, common = total * part, common * denominator
        difference = left * fmpq_of(Fraction(1, scale)) - total * fmpq_of(Fraction(1, common))
        multiples = self._multiples(known, difference)
        every = functools.reduce(math.lcm, (scale, common, *(cleared(one)[1] for one in multiples.values())))
        first, second = (argument(integer(every // one)) for one in (scale, common))
        return f"Id {first} {second} {listed(texts)} {self._scaled(known, multiples, every)}"

    def _sum(self, known: Sequence[Fact], group: Sequence[Any]) -> tuple[str, fmpq_mpoly, int]:
        """A sum of squares with integer weights: its text, the polynomial, and how many times that of the certificate it is."""
        terms: list[tuple[Fraction, Sequence[int], fmpq_mpoly]] = []
        for text, factors, square in group:
            root, scale = cleared(self.polynomials.read(square))
            weight = Fraction(text) / scale**2
            for place in factors:
                weight /= known[place].positive()[1]
            if weight:
                terms.append((weight, factors, root))
        common = functools.reduce(math.lcm, (weight.denominator for weight, _, _ in terms), 1)
        total, words = self.polynomials.constant(0), []
        for weight, factors, root in terms:
            term = root * root * int(weight * common)
            for place in factors:
                term = term * known[place].positive()[0]
            total = total + term
            square = self.polynomials.shared("s", "poly", self.polynomials.reified(root))
            words.append(f"Square {argument(integer(int(weight * common)))} {self._places(known, factors)} {square}")
        return listed(words), total, common

    def _multiples(self, known: Sequence[Fact], difference: fmpq_mpoly) -> dict[int, fmpq_mpoly]:
        """By how much of each equality a polynomial differs from zero."""
        rules = [
            (place, fact.polynomial)
            for place, fact in enumerate(known)
            if fact.sign == "Zero" and not fact.polynomial.is_zero()
        ]
        rules.sort(key=lambda rule: max(tuple(map(int, key)) for key in rule[1].to_dict()), reverse=True)
        found: dict[int, fmpq_mpoly] = {}
        while rules:
            before = difference
            for place, rule in rules:
                quotient, difference = divmod(difference, rule)
                if not quotient.is_zero():
                    found[place] = found[place] + quotient if place in found else quotient
            if difference == before:
                break
        if not difference.is_zero():
            raise NotExported("an identity does not follow by the divisions of the certificate")
        return found

    def _scaled(self, known: Sequence[Fact], multiples: Mapping[int, fmpq_mpoly], scale: int) -> str:
        """Multiples of equalities, times a number that clears their denominators."""
        texts = []
        for place, one in multiples.items():
            number = self.polynomials.shared("i", "nat", str(len(known) - 1 - place))
            texts.append(f"({number}, {self.polynomials.reified(one * scale)})")
        return listed(texts)
