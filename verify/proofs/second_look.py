"""A second look at a certificate: at points of the domain it must say what the statement is there, decided exactly.

A prover derives a tree of questions from a statement, and a checker derives it again in the same way: an error in the
derivation is in both. Here points with rational coordinates are drawn, also where questions change their answers. The
unknowns of a tree are computed as what they stand for, exactly or as balls; the way of every point through the questions is
followed by the signs of their polynomials; and what the leaf says must be the verdict of the statement at the point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, arb_poly, fmpq, fmpq_mpoly, fmpq_poly

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.draws import (
    NumberSource,
    common_forms,
    equal_numbers,
    random_numbers,
    related_numbers,
    special_forms,
    structured_numbers,
)
from verify.claims.variables import Coordinate, Sizes
from verify.linting.lint import check_relation
from verify.numbers.arithmetic import UNKNOWN, Array, exp, log, object_array, power, precision, rational, sqrt
from verify.numbers.exactness import exact_evaluation
from verify.numbers.relation import Verdict
from verify.proofs import independent
from verify.proofs.cells import Leaf, Split
from verify.proofs.certificate import NotProved, Refuted
from verify.proofs.expressions import UNKNOWNS, Assumption, Path
from verify.search.decide import decide, decide_sample, verdict_of

POINTS = 1000
"""Points at which a proof is looked at, for all values of its integer coordinates together."""
LEAST = 24
"""Points for each combination of values of the integer coordinates."""
BITS = (128, 1024)
"""Precisions of the balls; what the last leaves open is not followed."""
LARGEST_DENOMINATOR = 4096
"""Of rationals near drawn floats, so that exact evaluations stay short."""
BATCH = 128
"""Instances of a statement that are evaluated at once."""
ALONE = 8
"""Of so many one is evaluated alone, too."""
SPECIAL = tuple(
    Fraction(text) for text in ("0", "1", "-1", "1/2", "2", "3/5", "4/5", "-3/5", "5/13", "12/13", "1/3", "20/29", "21/29")
)
"""Numbers at which questions often change their answers, among them the coordinates of points of the unit circle."""
BESIDE = tuple(Fraction(text) for text in ("0", "0", "1", "-1", "1/1099511627776", "-1/1099511627776"))
"""Distances from a wall."""

OUTSIDE, UNDEFINED, FAILS, OPEN, HOLDS = "outside", "undefined", "fails", "open", "holds"
"""What is true of a point: a hypothesis fails, the statement has no value, is false, is not decided, is true."""

Indices = npt.NDArray[np.intp]


class Disagreement(NotProved):
    """At a point a certificate says something else than the statement."""


def at_tree(
    claim: Claim, sizes: Sizes, integers: Mapping[str, Array], tree: Split | Leaf, node: Mapping[str, Any], points: int
) -> int:
    """Follow points through a tree, and compare what its leaves say with the statement; at how many both were decided.

    Parameters
    ----------
    integers
        The values of the integer coordinates that the tree is for.
    node
        The tree with its proofs, which say of some leaves that they are empty.

    Raises
    ------
    Disagreement
        At a point they differ.
    Refuted
        The statement is false at one of them.
    """
    layout = claim.domain.layout(sizes)
    sample = drawn(layout, sizes, integers, [*_questions(tree)], points)
    return _Look(claim, sample, integers).follow(tree, node)


def at_statement(claim: Claim, sizes: Sizes, pieces: Sequence[Mapping[str, Any]] = (), points: int = POINTS) -> int:
    """Decide a statement at points of its domain; how many are decided and in the domain.

    The programmes of an identity, if there are `pieces`, ask for signs: points are drawn where these are zero, too.

    Raises
    ------
    Refuted
        It is false at one of them.
    """
    layout = claim.domain.layout(sizes)
    sample = drawn(layout, sizes, {}, [], points)
    walls = _on_walls_of_programmes(layout, pieces, points // 4)
    if walls:
        joined = {name: np.concatenate([values, walls[name]]) for name, values in sample.coordinates.items()}
        sample = Sample(sizes, joined)
    answers = verdicts(claim, sample)
    for place, verdict in enumerate(answers):
        if verdict == FAILS:
            raise Refuted(f"it is false at {shown(sample, place)}")
    return answers.count(HOLDS)


def meets_two(claim: Claim, sizes: Sizes, cases: Sequence[tuple[Mapping[str, Array], Sequence[Leaf]]]) -> bool:
    """Whether the statement holds at two instances that are drawn, also where what the leaves of its trees ask about is zero.

    Parameters
    ----------
    cases
        The values of the integer coordinates, and the leaves of their tree.
    """
    layout = claim.domain.layout(sizes)
    met: set[str] = set()
    for integers, leaves in cases:
        questions = {str(question.polynomial): question.polynomial for leaf in leaves for question in leaf.path.questions}
        sample = drawn(layout, sizes, integers, list(questions.values()), share(len(cases)))
        for place in range(len(next(iter(sample.coordinates.values())))):
            if _decided_alone(claim, _single(sample, place)) == HOLDS:
                met.add(shown(sample, place))
                if len(met) == 2:
                    return True
    return False


def share(cases: int) -> int:
    """How many points are drawn for each of so many combinations of values of the integer coordinates."""
    return max(LEAST, POINTS // cases)


# Points.


def drawn(
    layout: Mapping[str, Coordinate],
    sizes: Sizes,
    fixed: Mapping[str, Array],
    questions: Sequence[fmpq_mpoly],
    count: int,
) -> Sample:
    """Instances with rational coordinates: of every kind that a search draws, and such at which a question is about zero."""
    rng = np.random.default_rng(0)
    free = {name: coordinate for name, coordinate in layout.items() if name not in fixed}

    def of_all(draw: NumberSource) -> Callable[[int], Mapping[str, Array]]:
        return lambda number: {name: draw(rng, coordinate, number) for name, coordinate in free.items()}

    parts: list[tuple[int, Callable[[int], Mapping[str, Array]]]] = [
        (3, of_all(structured_numbers)),
        (2, of_all(random_numbers)),
        (1, of_all(special_forms)),
        (1, of_all(equal_numbers)),
        (1, of_all(_special)),
        (1, lambda number: common_forms(rng, free, number)),
        (1, lambda number: related_numbers(rng, free, number)),
    ]
    total = sum(weight for weight, _ in parts) + 3 * bool(questions)
    pieces = [part(max(4, count * weight // total)) for weight, part in parts]
    exact = {name: _rounded(np.concatenate([piece[name] for piece in pieces]), coordinate) for name, coordinate in free.items()}
    solved = _on_walls(exact, free, questions, count // 4, rng)
    exact = {name: np.concatenate([solved[name], values])[:count] for name, values in exact.items()} if solved else exact
    number = len(next(iter(exact.values()))) if exact else 1
    exact |= {name: np.broadcast_to(values, (number, *values.shape)) for name, values in fixed.items()}
    return Sample(sizes, {name: exact[name] for name in layout})


def _special(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    """Entries from `SPECIAL` and the ends of the interval, those that lie in it."""
    ends = [end for end in (coordinate.lower, coordinate.upper) if np.isfinite(end)]
    inside = [number for number in map(float, SPECIAL) if coordinate.lower <= number <= coordinate.upper]
    known = [number for number in [*inside, *map(float, ends)] if not coordinate.integer or number.is_integer()]
    return rng.choice(known or [0.0], size=(batch, *coordinate.shape))


def _rounded(values: Array, coordinate: Coordinate) -> Array:
    """Rationals with small denominators near floats, in the interval."""
    known: dict[float, fmpq] = {}
    result = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        if value not in known:
            itself = Fraction(float(value))
            near = itself.limit_denominator(LARGEST_DENOMINATOR)
            # an end of an interval stays what it is
            inside = coordinate.lower < near < coordinate.upper and value not in (coordinate.lower, coordinate.upper)
            known[value] = rational(near) if inside else coordinate.on_rationals(np.array([float(value)]))[0]
        result[index] = known[value]
    return result


def _on_walls(
    exact: Mapping[str, Array],
    layout: Mapping[str, Coordinate],
    questions: Sequence[fmpq_mpoly],
    most: int,
    rng: np.random.Generator,
) -> dict[str, Array]:
    """Points at which the polynomial of a question vanishes: one coordinate of others is changed, where it is rational then."""
    points_: list[dict[str, Array]] = []
    places = [(name, entry) for name, coordinate in layout.items() for entry in range(math.prod(coordinate.shape))]
    solvable = [
        (polynomial, place)
        for polynomial in questions
        if not any(polynomial.degrees()[:UNKNOWNS])
        for place, degree in enumerate(polynomial.degrees())
        if 1 <= degree <= 2
    ]
    number = len(next(iter(exact.values()), ()))
    for attempt in range(4 * most if solvable else 0):
        if len(points_) == most:
            break
        polynomial, place = solvable[attempt % len(solvable)]
        base = int(rng.integers(number))
        point = {name: values[base].copy() if layout[name].shape else values[base] for name, values in exact.items()}
        others = [point[name].flat[k] if layout[name].shape else point[name] for name, k in places]
        name, entry = places[place - UNKNOWNS]
        coordinate = layout[name]
        beside = rational(BESIDE[int(rng.integers(len(BESIDE)))])
        for root in (zero + beside for zero in _zeros(polynomial, place, others)):
            if coordinate.lower <= Fraction(int(root.p), int(root.q)) <= coordinate.upper and not (
                coordinate.integer and root.q != 1
            ):
                if coordinate.shape:
                    point[name].flat[entry] = root
                else:
                    point[name] = root
                points_.append(point)
                break
    if not points_:
        return {}
    result = {name: np.empty((len(points_), *coordinate.shape), dtype=object) for name, coordinate in layout.items()}
    for row, point in enumerate(points_):
        for name, values in result.items():
            values[row] = point[name]
    return result


def _zeros(polynomial: fmpq_mpoly, place: int, values: Sequence[fmpq]) -> Iterator[fmpq]:
    """Rationals for one coordinate at which a polynomial of degree 1 or 2 in it vanishes; the others are given."""
    coefficients = [fmpq(0)] * 3
    for exponents, coefficient in polynomial.to_dict().items():
        term = coefficient
        for at, exponent in enumerate(exponents):
            if exponent and at != place:
                term = term * values[at - UNKNOWNS] ** int(exponent)
        coefficients[int(exponents[place])] += term
    yield from _zeros_of(*coefficients)


def _zeros_of(c: fmpq, b: fmpq, a: fmpq) -> Iterator[fmpq]:
    """The rational zeros of ``a x^2 + b x + c``."""
    if a == 0:
        if b != 0:
            yield -c / b
        return
    discriminant = b * b - 4 * a * c
    if discriminant >= 0 and isinstance(root := sqrt(discriminant).item(), fmpq):
        yield (-b + root) / (2 * a)
        yield (-b - root) / (2 * a)


def _on_walls_of_programmes(
    layout: Mapping[str, Coordinate], pieces: Sequence[Mapping[str, Any]], most: int
) -> dict[str, Array]:
    """Points at which a number is zero whose sign a programme asks for, as far as it is of degree 2 at most in a coordinate."""
    rng = np.random.default_rng(0)
    points_: list[dict[str, Array]] = []
    for piece in pieces:
        code = independent.instructions(independent.unpacked(piece["code"]))
        asked = sorted({place for place, _ in independent.conditions(piece, code)})
        free = [(name, entry) for name in piece["point"] for entry in range(len(piece["point"][name]))]
        fixed = {name: [rational(text) for text in texts] for name, texts in piece["fixed"].items()}
        count = max(1, most // len(pieces))
        for _ in range(count if asked and free else 0):
            base = {name: [_drawn_number(rng, layout[name]) for _ in texts] for name, texts in piece["point"].items()}
            name, entry = free[int(rng.integers(len(free)))]
            place = asked[int(rng.integers(len(asked)))]
            coordinate = layout[name]
            values = [
                _evaluated(code[: place + 1], [at if key == (name, entry) else base[key[0]][key[1]] for key in free])
                for at in map(fmpq, range(4))
            ]
            if None in values:
                continue
            beside = rational(BESIDE[int(rng.integers(len(BESIDE)))])
            for root in (zero + beside for zero in _zeros_through(values)):
                if coordinate.lower <= Fraction(int(root.p), int(root.q)) <= coordinate.upper and not (
                    coordinate.integer and root.q != 1
                ):
                    base[name][entry] = root
                    points_.append({key: object_array(entries, layout[key].shape) for key, entries in (fixed | base).items()})
                    break
    return {name: np.stack([point[name] for point in points_]) for name in layout} if points_ else {}


def _drawn_number(rng: np.random.Generator, coordinate: Coordinate) -> fmpq:
    value = structured_numbers(rng, coordinate, 1).flat[0]
    return rational(Fraction(float(value)).limit_denominator(LARGEST_DENOMINATOR))


def _evaluated(code: Sequence[tuple[Any, ...]], coordinates: Sequence[fmpq]) -> fmpq | None:
    """The last result of a programme on rationals; None if it takes a root or another function, or divides by zero."""
    results: list[fmpq] = []
    inputs = iter(coordinates)
    for kind, *operands in code:
        if kind in "rg":
            return None
        if kind == "x":
            results.append(next(inputs))
        elif kind == "q":
            results.append(rational(operands[0]))
        elif kind == "?":
            results.append(results[operands[1 if results[operands[0]] >= 0 else 2]])
        else:
            a, b = (results[operand] for operand in operands)
            if kind == "/" and b == 0:
                return None
            results.append(a + b if kind == "+" else a - b if kind == "-" else a * b if kind == "*" else a / b)
    return results[-1]


def _zeros_through(values: Sequence[Any]) -> Iterator[fmpq]:
    """The rational zeros of a polynomial of degree 2 at most that has these values at 0, 1, 2 and 3, if there is one."""
    first, second, third, fourth = values
    if fourth - 3 * third + 3 * second - first == 0:
        a = (third - 2 * second + first) / 2
        yield from _zeros_of(first, second - first - a, a)


def shown(sample: Sample, place: int) -> str:
    """One instance of a batch, for a message."""
    instance = _single(sample, place)
    return "; ".join(
        f"{name} = {', '.join(map(str, values.flat))}" for name, values in instance.coordinates.items() if values.size
    )


def _single(sample: Sample, place: int) -> Sample:
    return Sample(sample.sizes, {name: np.asarray(values[place], dtype=object) for name, values in sample.coordinates.items()})


# What is true at a point.


def verdicts(claim: Claim, sample: Sample) -> list[str]:
    """What the library decides at every instance of a batch: what it decides of one alone."""
    number = len(next(iter(sample.coordinates.values())))
    answers: list[str] = []
    for start in range(0, number, BATCH):
        answers += _decided(claim, sample, list(range(start, min(start + BATCH, number))))
    alone = {place: _decided_alone(claim, _single(sample, place)) for place in range(0, number, ALONE)}
    if any(answers[place] != text for place, text in alone.items()):
        # a branch of Python on all instances of a batch together
        return [alone.get(place) or _decided_alone(claim, _single(sample, place)) for place in range(number)]
    return answers


def _decided(claim: Claim, sample: Sample, places: list[int]) -> list[str]:
    if len(places) == 1:
        return [_decided_alone(claim, _single(sample, places[0]))]
    try:
        return _decided_together(claim, sample[np.array(places)])
    except Exception:  # one of them has no value, or is not decided, or the statement takes one instance only
        half = len(places) // 2
        return _decided(claim, sample, places[:half]) + _decided(claim, sample, places[half:])


def _decided_together(claim: Claim, sample: Sample) -> list[str]:
    number = len(next(iter(sample.coordinates.values())))
    inside = np.ones(number, dtype=bool)
    with precision(BITS[0]), exact_evaluation():
        for holds in claim.domain.validity(claim.domain.build(sample)).values():
            inside &= np.broadcast_to(holds.reshape(number, -1).all(axis=1), (number,))
    answers = np.full(number, OUTSIDE, dtype=object)
    if inside.any():
        kept = sample[np.flatnonzero(inside)]
        relation = decide(claim.statement, lambda: claim.domain.build(kept))
        check_relation(relation, claim.statement, int(inside.sum()))
        words = {Verdict.FAILS: FAILS, Verdict.HOLDS: HOLDS, Verdict.UNDECIDED: OPEN}
        answers[inside] = [
            words[Verdict(int(verdict))] if defined or verdict == Verdict.FAILS else UNDEFINED
            for verdict, defined in zip(relation.verdict, relation.is_number(), strict=True)
        ]
    return list(answers)


def _decided_alone(claim: Claim, sample: Sample) -> str:
    try:
        decision = decide_sample(claim.statement, claim.domain, sample)
    except (ArithmeticError, ValueError, LookupError):  # whatever a statement raises where it has no value
        return OPEN
    if decision.outside:
        return OUTSIDE
    if decision.nowhere:
        return UNDEFINED
    if decision.relation is None:
        undecided = decision.unknown_domain or decision.unknown_inside or decision.floats_only
        return OPEN if undecided else UNDEFINED
    return {Verdict.FAILS: FAILS, Verdict.HOLDS: HOLDS, Verdict.UNDECIDED: OPEN}[verdict_of(decision.relation)]


# Trees.


def _questions(tree: Split | Leaf) -> Iterator[fmpq_mpoly]:
    """The polynomials of all questions and goals, each once."""
    seen: set[str] = set()
    waiting: list[Split | Leaf] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Split):
            waiting += [node.yes, node.no]
            continue
        for polynomial in (*(question.polynomial for question in node.path.questions), *(goal.top for goal in node.goals)):
            if (text := str(polynomial)) not in seen:
                seen.add(text)
                yield polynomial


class _Look:
    """Points on their ways through a tree."""

    def __init__(self, claim: Claim, sample: Sample, integers: Mapping[str, Array]) -> None:
        self._claim, self._sample = claim, sample
        self._number = len(next(iter(sample.coordinates.values())))
        self._true = np.array(verdicts(claim, sample), dtype=object)
        free = [values.reshape(self._number, -1) for name, values in sample.coordinates.items() if name not in integers]
        self._coordinates = [part[:, k] for part in free for k in range(part.shape[1])]
        self._unknowns: dict[tuple[int, int], Array] = {}

    def follow(self, tree: Split | Leaf, node: Mapping[str, Any]) -> int:
        """How many points came to a leaf that agrees with the statement."""
        return self._below(tree, node, np.arange(self._number), 0, 0)

    def _below(self, tree: Split | Leaf, node: Mapping[str, Any], here: Indices, depth: int, known: int) -> int:
        if not here.size:
            return 0
        if isinstance(tree, Leaf):
            self._assume(tree.path, tree.path.assumptions[known:], here)
            return self._compare(tree, node, here)
        leaf = tree.yes
        while isinstance(leaf, Split):
            leaf = leaf.yes
        path = leaf.path
        mark, question = path.marks[depth], path.questions[depth]
        self._assume(path, path.assumptions[known:mark], here)
        signs = self._signs(path, question.polynomial, here)
        yes, no = (signs == 0, abs(signs) == 1) if question.zero else (signs == 1, (signs == 0) | (signs == -1))
        return self._below(tree.yes, node["yes"], here[yes], depth + 1, mark + 1) + self._below(
            tree.no, node["no"], here[no], depth + 1, mark + 1
        )

    def _assume(self, path: Path, assumptions: Sequence[Assumption], here: Indices) -> None:
        for assumption in assumptions:
            signs = self._signs(path, assumption.polynomial, here, BITS[:1])
            wrong = abs(signs) == 1 if assumption.equal else (signs == -1) | (assumption.strict & (signs == 0))
            if wrong.any():
                self._refuse("what the certificate assumes is not so", here[wrong])

    def _compare(self, leaf: Leaf, node: Mapping[str, Any], here: Indices) -> int:
        true = self._true[here]
        if (false := true == FAILS).any():
            raise Refuted(f"it is false at {shown(self._sample, int(here[false][0]))}")
        if "empty" in node:
            self._refuse("the certificate says that there is no such point", here)
        if leaf.outside or leaf.undefined:
            said = OUTSIDE if leaf.outside else UNDEFINED
            if (wrong := (true != said) & (true != OPEN)).any():
                self._refuse(f"the certificate says {said}, and the statement {true[wrong][0]}", here[wrong])
            return int((true == said).sum())
        if (wrong := (true == OUTSIDE) | (true == UNDEFINED)).any():
            self._refuse(f"the certificate shows something, and the point is {true[wrong][0]}", here[wrong])
        followed = true == HOLDS
        for goal in leaf.goals:
            signs = self._signs(leaf.path, goal.top * goal.bottom, here)
            wrong = abs(signs) == 1 if goal.equal else signs == -1
            if (wrong & (true == HOLDS)).any():
                self._refuse("what the certificate shows is false, and the statement is not", here[wrong])
            followed &= signs != UNKNOWN
        return int(followed.sum())

    def _refuse(self, why: str, here: Indices) -> None:
        raise Disagreement(f"{why} at {shown(self._sample, int(here[0]))}")

    def _signs(
        self, path: Path, polynomial: fmpq_mpoly, here: Indices, precisions: Sequence[int] = BITS
    ) -> npt.NDArray[np.int8]:
        """The sign of a polynomial at some points, or `UNKNOWN`."""
        signs = np.full(len(here), UNKNOWN, dtype=np.int8)
        for bits in precisions:
            undecided = np.flatnonzero(signs == UNKNOWN)
            if not undecided.size:
                break
            with precision(bits):
                signs[undecided] = [_sign(value) for value in self._values(path, polynomial, here[undecided], bits)]
        return signs

    def _values(self, path: Path, polynomial: fmpq_mpoly, here: Indices, bits: int) -> Array:
        powers: dict[tuple[int, int], Array] = {}
        total = np.full(len(here), fmpq(0), dtype=object)
        for exponents, coefficient in polynomial.to_dict().items():
            term: Any = coefficient
            for place, exponent in enumerate(exponents):
                if exponent:
                    key = place, int(exponent)
                    if key not in powers:
                        powers[key] = self._value(path, place, here, bits) ** key[1]
                    term = powers[key] * term
            total = total + term
        return total

    def _value(self, path: Path, place: int, here: Indices, bits: int) -> Array:
        """A coordinate or an unknown, by its place among the names of the polynomials."""
        if place >= UNKNOWNS:
            return self._coordinates[place - UNKNOWNS][here]
        number = UNKNOWNS - 1 - place
        known = self._unknowns.setdefault((bits, number), np.full(self._number, None, dtype=object))
        missing = np.array([place for place in here if known[place] is None], dtype=np.intp)
        if missing.size:
            self._compute(path, number, missing, bits, known)
        return known[here]

    def _compute(self, path: Path, number: int, here: Indices, bits: int, known: Array) -> None:
        kind, *words = path.defined[number] or ("eigenvalue",)
        if kind == "eigenvalue":
            self._spectrum(path, number, here, bits)
        elif kind == "between":
            least, largest = words
            known[here] = [arb((least + largest) / 2, (largest - least) / 2)] * len(here)
        else:
            for place, inside in zip(here, self._values(path, words[-1], here, bits), strict=True):
                sign = _sign(inside)
                if (sign == -1 and kind != "exp") or (sign == 0 and kind == "log"):
                    self._refuse(f"a {kind} that the certificate takes has no value", np.array([place]))
                known[place] = _function(kind, inside, words[0])

    def _spectrum(self, path: Path, number: int, here: Indices, bits: int) -> None:
        """All eigenvalues of the matrix of which an unknown is one, or the numbers of which these are the squares."""
        place = UNKNOWNS - 1 - number
        gens = path.context.gens()
        squares, unknowns = next(
            (key.startswith("spectrum True"), values)
            for key, values in path.roots.items()
            if key.startswith("spectrum ") and gens[place] in values
        )
        places = [gens.index(unknown) for unknown in unknowns]
        last = places[-1]  # the smallest, which only its own equation is of
        equation = next(
            assumption.polynomial
            for assumption in path.assumptions
            if assumption.equal and assumption.polynomial.degrees()[last] and not any(assumption.polynomial.degrees()[:last])
        )
        step = 2 if squares else 1
        coefficients: dict[int, dict[tuple[int, ...], fmpq]] = {}
        for exponents, value in equation.to_dict().items():
            monomial = tuple(0 if at == last else exponent for at, exponent in enumerate(exponents))
            coefficients.setdefault(int(exponents[last]) // step, {})[monomial] = value
        zero = np.full(len(here), fmpq(0), dtype=object)
        columns = [
            self._values(path, path.context.from_dict(coefficients[k]), here, bits) if k in coefficients else zero
            for k in range(len(places) + 1)
        ]
        for at, row in zip(here, zip(*columns, strict=True), strict=True):
            values = _real_roots(row)
            if squares:
                values = [_function("root", value, 2) if _sign(value) != -1 else arb.nan() for value in values]
            for index, value in zip(places, values, strict=True):
                key = bits, UNKNOWNS - 1 - index
                self._unknowns.setdefault(key, np.full(self._number, None, dtype=object))[at] = value


def _sign(value: Any) -> int:
    if isinstance(value, fmpq):
        return int(value > 0) - int(value < 0)
    if value.is_zero():
        return 0
    return 1 if value > 0 else -1 if value < 0 else UNKNOWN


def _function(kind: str, inside: Any, degree: Any) -> Any:
    """The value of a root, an exponential or a logarithm; of what may be zero, a ball from zero on."""
    if kind == "exp":
        return _plain(exp(inside).item())
    if isinstance(inside, arb) and _sign(inside) == UNKNOWN:
        if kind == "log" or not inside.is_finite():
            return arb.nan()
        largest = arb(inside.upper()).root(degree).upper()
        return arb(largest / 2, largest / 2)
    return _plain(log(inside).item() if kind == "log" else power(inside, Fraction(1, degree)).item())


def _plain(number: Any) -> Any:
    """A ball that takes rationals beside it."""
    return arb(number) if isinstance(number, arb) else number


def _real_roots(coefficients: Sequence[Any]) -> list[Any]:
    """The roots, descending and with their multiplicities, of a polynomial all of whose roots are real; NaN if not found."""
    count = len(coefficients) - 1
    roots: list[Any] = []
    if all(isinstance(coefficient, fmpq) for coefficient in coefficients):
        for factor, times in fmpq_poly(list(coefficients)).factor()[1]:
            if factor.degree() == 1:
                roots += [fmpq(-factor[0]) / fmpq(factor[1])] * times
            else:
                roots += [root.real for root, _ in factor.complex_roots()] * times
    else:
        try:
            roots = [root.real for root in arb_poly(list(map(arb, coefficients))).complex_roots()]
        except ValueError:  # they are not isolated
            roots = []
    return sorted(roots, key=lambda root: -float(arb(root).mid())) if len(roots) == count else [arb.nan()] * count
