"""Proofs of claims for all sizes: found, written as certificates, and derived again."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from verify.claims.claim import Claim, Statement
from verify.claims.variables import built, call_with
from verify.evidence.files import UnusableFile, from_json, read_text, shortened, write_whole
from verify.evidence.fingerprint import claim_fingerprint
from verify.linting.lint import explained
from verify.numbers.arithmetic import UndecidedInstances
from verify.numbers.exactness import exact_evaluation
from verify.proofs import independent_words
from verify.proofs.all_sizes.letters import NeedsNumber, NotWords, Size, Terms, added, scaled
from verify.proofs.all_sizes.squares import Square, sum_of_squares, value_of
from verify.proofs.all_sizes.texts import terms_text
from verify.proofs.all_sizes.tracing import OpaqueVariable, Plan, Traced, counts_layers, small_integers, trace
from verify.proofs.all_sizes.values import Room, WordArray
from verify.proofs.all_sizes.vocabulary import LetterComparison
from verify.proofs.certificate import Deadline, NotProved, OfAClaim, Refuted, UnusableCertificate
from verify.proofs.methods import is_refuted, refute
from verify.proofs.plain import require_plain, require_unchanged

SCHEMA = 1
LARGEST_DEPTH = 4
"""Sizes that are numbers, such as a depth, are at most this."""
CASES = 40
"""Most combinations of sizes that are numbers and of integers."""
KINDS = 8
"""Most values of an integer."""
PLANS = 16
"""Attempts to find what must be a number, and which variables are letters of their own."""
POINTS = 6
"""Instances of each case at which the statement and its words are compared."""


@dataclass(frozen=True)
class Certificate(OfAClaim):
    """What is proved of a claim for every size.

    Attributes
    ----------
    symbols
        Sizes that may be any number, from 1 on.
    fixed
        The others, with the values for which it is proved.
    assumptions
        What is assumed, in words.
    does_not_tell
        Names of the false variants to which no counterexample is found where the others are fixed.
    cases
        Plain values of JSON; see `docs/formats.md`.
    """

    symbols: tuple[str, ...]
    fixed: Mapping[str, tuple[int, ...]]
    assumptions: tuple[str, ...]
    does_not_tell: tuple[str, ...]
    cases: tuple[Mapping[str, Any], ...]

    @property
    def tells(self) -> bool:
        """Whether each false variant has a counterexample."""
        return not self.does_not_tell


def covers(certificate: Certificate) -> str:
    """For which sizes, as a table says it: ``every points and width, depth 1 to 4``."""
    text = f"every {_listed(certificate.symbols)}"
    fixed = [f"{name} {_range(values)}" for name, values in certificate.fixed.items()]
    return ", ".join([text, *fixed])


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _range(values: tuple[int, ...]) -> str:
    if len(values) == 1:
        return str(values[0])
    if values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return f"{', '.join(map(str, values[:-1]))} and {values[-1]}"


def reservations(certificate: Certificate) -> str:
    """What a proof does not say or assumes, in words; empty if it says all."""
    sentences = [f"where {assumption}" for assumption in certificate.assumptions]
    if certificate.does_not_tell:
        sentences.append(f"does not tell it from {', '.join(map(repr, certificate.does_not_tell))}")
    return "; ".join(sentences)


# Finding


def prove(claim: Claim, deadline: Deadline) -> Certificate:
    """A proof of a claim for every size.

    Raises
    ------
    NotProved
        With the reason.
    """
    require_plain(claim)
    try:
        with suppress(NotProved):  # an error of the search says nothing of letters
            refute(claim, claim.domain)
    except Refuted as error:  # at sizes perhaps that the proof would leave out
        raise NotProved(str(error)) from error
    plans, cases = _proved(claim, claim.statement, deadline)
    symbols = tuple(name for name in claim.domain.sizes if name not in plans[0].fixed)
    lengths = {length for case in cases for _, rows, columns, *_ in case["letters"] for length in (rows, columns)}
    used = {name for length in lengths for name, _ in Size.read(length).symbols}
    if not used:
        raise NotProved("no size is a symbol: it is about matrices of one size")
    fixed = {name: tuple(sorted({plan.fixed[name] for plan in plans})) for name in claim.domain.sizes if name in plans[0].fixed}
    covered = replace(claim.domain, sizes={**claim.domain.sizes, **fixed})
    certificate = Certificate(
        claim.id,
        claim_fingerprint(claim),
        tuple(name for name in symbols if name in used),
        fixed,
        tuple(dict.fromkeys(assumption for case in cases for assumption in case["assumptions"])),
        tuple(name for name in claim.false_variants if not is_refuted(claim, name, covered)),
        tuple(cases),
    )
    _check_alone(certificate)
    second_look(certificate, claim)
    require_unchanged(claim, certificate.fingerprint)
    return certificate


def _check_alone(certificate: Certificate) -> None:
    """What the second checker says of a certificate."""
    try:
        independent_words.check(document_of(certificate))
    except independent_words.Rejected as error:
        raise NotProved(f"the second checker says: {error}") from error


def _proved(claim: Claim, statement: Statement, deadline: Deadline) -> tuple[list[Plan], list[dict[str, Any]]]:
    """The proofs of a statement on the domain of a claim, one for each case."""
    plans = _plans(claim, statement, deadline)
    cases = []
    for plan in plans:
        deadline.check()
        try:
            traced = trace(claim, statement, plan)
            if traced.outside:
                _check_outside(claim, plan, traced.outside)
            else:
                cases.append(_case(plan, traced, deadline))
        except NotProved:
            raise
        except Exception as error:  # a statement may raise anything
            raise NotProved(_said(error)) from error
    if not cases:
        raise NotProved("no case satisfies the hypotheses")
    return plans, cases


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, NotWords) else explained(error)


def _check_outside(claim: Claim, plan: Plan, names: tuple[str, ...]) -> None:
    """See that hypotheses which are false of letters with these integers are false of numbers, too."""
    domain = claim.domain
    sizes = next(sizes for sizes in domain.all_sizes() if all(sizes[name] == value for name, value in plan.fixed.items()))
    sized_domain = replace(domain, sizes={name: (size,) for name, size in sizes.items()})
    for batch in sized_domain.structured(np.random.default_rng(0), POINTS):
        for place in range(len(next(iter(batch.coordinates.values())))):
            exact = _with_integers(batch[place].exact(), plan.integers)
            with exact_evaluation():
                if not set(names) & set(sized_domain.violated(sized_domain.build(exact[None]))):
                    raise NotProved(f"{', '.join(names)}: false of letters, and not of numbers")


def _with_integers(sample: Any, values: Mapping[str, int]) -> Any:
    """An instance with these integers."""
    coordinates = {
        name: np.asarray(coordinate * 0 + values[name]) if name in values else coordinate
        for name, coordinate in sample.coordinates.items()
    }
    return replace(sample, coordinates=coordinates)


def _plans(claim: Claim, statement: Statement, deadline: Deadline) -> list[Plan]:
    """What must be a number and which variables are letters of their own, found by trying; and then all values."""
    domain = claim.domain
    fixed: dict[str, int] = {}
    opaque: frozenset[str] = frozenset()
    first_reason = ""
    for _ in range(PLANS):
        deadline.check()
        integers = small_integers(domain.variables, opaque, KINDS)
        try:
            for values in itertools.islice(_integer_cases(integers), CASES):
                trace(claim, statement, Plan(fixed, opaque, values))
        except NeedsNumber as error:
            if error.name in fixed or error.name not in domain.sizes:
                raise NotProved(str(error)) from error
            allowed = _allowed(claim, (*fixed, error.name))
            if not allowed:
                raise NotProved(f"{error!s}; none is at most {LARGEST_DEPTH}") from error
            fixed = allowed[-1]
            continue
        except OpaqueVariable as error:
            first_reason = first_reason or str(error)
            if error.name in opaque:
                raise NotProved(str(error)) from error
            opaque |= {error.name}
            continue
        except Exception as error:  # a statement may raise anything
            raise NotProved(f"{first_reason + '; then ' if first_reason else ''}{_said(error)}") from error
        break
    else:
        raise NotProved("too many variables are no letters")
    if not set(domain.sizes) - set(fixed):
        raise NotProved("no size is a symbol")
    combinations = _allowed(claim, tuple(fixed)) if fixed else [{}]
    integers = small_integers(domain.variables, opaque, KINDS)
    plans = [
        Plan(combination, opaque, integer_values) for combination in combinations for integer_values in _integer_cases(integers)
    ]
    if len(plans) > CASES:
        raise NotProved(f"there are {len(plans)} cases, more than {CASES}")
    return plans


def _allowed(claim: Claim, names: tuple[str, ...]) -> list[dict[str, int]]:
    """The values that these sizes have together, small ones first."""
    combinations = {tuple(sizes[name] for name in names): None for sizes in claim.domain.all_sizes()}
    kept = [values for values in combinations if max(values) <= LARGEST_DEPTH]
    return [dict(zip(names, values, strict=True)) for values in sorted(kept, key=lambda values: (sum(values), values))]


def _integer_cases(integers: Mapping[str, range]) -> Iterator[dict[str, int]]:
    for values in itertools.product(*integers.values()):
        yield dict(zip(integers, values, strict=True))


def _case(plan: Plan, traced: Traced, deadline: Deadline) -> dict[str, Any]:
    room, proved = traced.room, []
    for comparison in traced.comparisons:
        squares = _shown(room, comparison, deadline)
        proved.append((comparison, squares))
    used: dict[str, Any] = {}
    if traced.hypotheses:
        used = {"hypotheses": list(traced.hypotheses), "given": [_equation(*pair) for pair in traced.given]}
    # written when all letters are known
    return {
        **used,
        "sizes": dict(plan.fixed),
        "integers": dict(plan.integers),
        "opaque": sorted(plan.opaque),
        "letters": [
            [letter.name, str(letter.rows), str(letter.columns), list(letter.definition), letter.symmetric]
            for letter in room.alphabet.letters.values()
        ],
        "scalars": [
            [scalar.name, "positive" if scalar.positive else "nonnegative" if scalar.nonnegative else ""]
            for scalar in room.alphabet.scalars.values()
        ],
        "nonnegative": sorted(room.alphabet.nonnegative),
        "assumptions": list(dict.fromkeys(room.alphabet.assumptions)),
        "comparisons": [_written(comparison, squares) for comparison, squares in proved],
    }


def _equation(left: WordArray, right: WordArray) -> list[Any]:
    return [terms_text(left.terms), terms_text(right.terms), str(left.rows), str(left.columns)]


def _shown(room: Room, comparison: LetterComparison, deadline: Deadline) -> list[Square]:
    """The squares that show a comparison; none for an equality."""
    difference = difference_of(room, comparison)
    if not difference:
        return []
    if comparison.sense == "eq":
        raise NotProved(
            f"the words of both sides differ{f' in {comparison.name}' if comparison.name else ''}: {_some(difference)}"
        )
    if comparison.left.ndim or comparison.right.ndim:
        raise NotProved("an inequality between matrices")
    target = difference if comparison.sense == "ge" else scaled(difference, -1)
    squares = sum_of_squares(room, target, deadline)
    if squares is None:
        raise NotProved(f"no sum of squares is found{f' for {comparison.name}' if comparison.name else ''}: {_some(target)}")
    if added(target, scaled(value_of(room, squares), -1)):
        raise NotProved("squares are not what they should be equal to")
    return squares


def _some(terms: Terms) -> str:
    text = " + ".join(terms_text(terms))
    return text if len(text) < 160 else f"{text[:160]}... ({len(terms)} terms)"


def difference_of(room: Room, comparison: LetterComparison) -> Terms:
    """Left less right, reduced; of diagonals up to the transpose of each word."""
    left, right = comparison.left, comparison.right
    if left.diagonal_of != right.diagonal_of:
        shape = left.shape
        left, right = left.as_diagonal(shape), right.as_diagonal(shape)
    terms = (left - right).terms
    return room.reduce.diagonal(terms) if left.diagonal_of else room.reduce(terms)


def _written(comparison: LetterComparison, squares: list[Square]) -> dict[str, Any]:
    left, right = comparison.left, comparison.right
    if left.diagonal_of != right.diagonal_of:
        left, right = left.as_diagonal(left.shape), right.as_diagonal(left.shape)
    elif left.ndim != right.ndim or left.shape != right.shape:
        shape = left._common(right)
        left, right = left.broadcast(shape), right.broadcast(shape)
    return {
        "sense": comparison.sense,
        "name": comparison.name,
        "rows": str(left.rows),
        "columns": str(left.columns),
        "diagonal": left.diagonal_of,
        "left": terms_text(left.terms),
        "right": terms_text(right.terms),
        "squares": [
            [str(weight), *terms_text({(factor, ()): Fraction(1)}), terms_text(terms), str(rows), str(columns)]
            for weight, factor, terms, rows, columns in squares
        ],
    }


# Checking


def check(certificate: Certificate, claim: Claim) -> int:
    """Derive a certificate from the statement again, and look at the statement itself; at how many points is returned.

    Raises
    ------
    UnusableCertificate
        It is of another statement.
    NotProved
        It is no proof.
    """
    if not certificate.fits(claim):
        raise UnusableCertificate(
            f"the statement of {claim.id} has changed since (fingerprint {certificate.fingerprint!r:.40})"
        )
    derived = prove(claim, Deadline(600.0))
    if _without_squares(derived) != _without_squares(certificate):
        raise NotProved("derived again, it is another proof")
    # other squares may be as good: those that are recorded are looked at by both ways of the second checker
    _check_alone(certificate)
    return second_look(certificate, claim)


def _without_squares(certificate: Certificate) -> dict[str, Any]:
    """All that is derived from the statement, without what was searched for."""
    document = document_of(certificate)
    del document["digest"]
    for case in document["cases"]:
        case["comparisons"] = [{**comparison, "squares": bool(comparison["squares"])} for comparison in case["comparisons"]]
    return document


def second_look(certificate: Certificate, claim: Claim) -> int:
    """Compare the sides of the statement with those that are recorded, at instances on rationals; how many is returned.

    Raises
    ------
    NotProved
        They differ, or no instance could be compared.
    """
    points = 0
    for number, case in enumerate(certificate.cases):
        compared = 0
        for sizes in _sizes_of(claim, case):
            compared += _looked_at(claim, case, sizes, POINTS - compared, number)
            if compared >= POINTS:
                break
        if not compared:
            raise NotProved(f"the statement could not be compared with its words: {case['sizes']} {case['integers']}")
        points += compared
    return points


def _sizes_of(claim: Claim, case: Mapping[str, Any]) -> list[dict[str, int]]:
    """Combinations of sizes that a case covers: the largest, and then others."""
    covered = [
        sizes
        for sizes in claim.domain.all_sizes()
        if all(sizes[name] == value for name, value in case["sizes"].items()) and max(sizes.values(), default=0) < 7
    ]
    chosen = covered[-1:] + covered[:1] + covered[len(covered) // 2 :: max(1, len(covered) // 6)]
    return chosen[:8]


def _looked_at(claim: Claim, case: Mapping[str, Any], sizes: dict[str, int], limit: int, seed: int) -> int:
    points = 0
    sized_domain = replace(claim.domain, sizes={name: (size,) for name, size in sizes.items()})
    rng = np.random.default_rng(seed)
    for batch in sized_domain.structured(rng, 12):
        for place in range(len(next(iter(batch.coordinates.values())))):
            exact = _with_integers(batch[place].exact(), case["integers"])
            try:
                with exact_evaluation():
                    variables = sized_domain.build(exact[None])
                    if case.get("hypotheses") and sized_domain.violated(variables):
                        continue
                    relation = call_with(claim.statement, variables)
                    sides = [_entries(comparison) for comparison in relation.comparisons]
                    letter_values = _given(claim, case, exact)
            except (ArithmeticError, ValueError, TypeError, UndecidedInstances):
                continue
            if any(side is None for side in sides):
                continue
            try:
                values = independent_words.Values(case, sizes, letter_values, random.Random(seed))
                word_sides = [values.sides(comparison) for comparison in case["comparisons"]]
                if not values.fits(case):
                    raise NotProved(f"at {sizes} a hypothesis does not say what its words say")
            except ZeroDivisionError:
                continue
            lefts = [entry for left, _ in word_sides for row in left for entry in row]
            rights = [entry for _, right in word_sides for row in right for entry in row]
            if lefts != [x for pair in sides if pair for x in pair[0]] or rights != [
                x for pair in sides if pair for x in pair[1]
            ]:
                raise NotProved(f"at {sizes} the statement is not what its words say")
            points += 1
            if points >= limit:
                return points
    return points


def _entries(comparison: Any) -> tuple[list[Fraction], list[Fraction]] | None:
    sides = [np.broadcast_to(side, comparison.shape) for side in (comparison.left, comparison.right)]
    numbers = []
    for side in sides:
        entries = []
        for entry in side.reshape(-1):
            if not hasattr(entry, "p"):
                if not isinstance(entry, int | np.integer):
                    return None
                entries.append(Fraction(int(entry)))
            else:
                entries.append(Fraction(int(entry.p), int(entry.q)))
        numbers.append(entries)
    return numbers[0], numbers[1]


def _given(claim: Claim, case: Mapping[str, Any], sample: Any) -> dict[str, Any]:
    """Matrices of the letters that are free, and numbers of the scalars."""
    names = [name for name, _, _, definition, _ in case["letters"] if definition[0] == "free"]
    names += [name for name, _ in case["scalars"]]
    arrays: dict[str, Any] = dict(sample.coordinates)
    for path in case["opaque"]:
        arrays |= _opaque_values(claim, path, sample)
    letter_values: dict[str, Any] = {}
    for name, value in arrays.items():
        letter_values |= dict(_parts(name, np.asarray(value, dtype=object), names))
    return {name: letter_values[name] for name in names}


def _parts(name: str, value: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    if name in names:
        if value.ndim == 0:
            entry = value[()]
            yield name, Fraction(int(entry.p), int(entry.q))
        else:
            matrix = value[:, None] if value.ndim == 1 else value
            yield name, [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in matrix]
    elif value.ndim:
        for place in range(value.shape[0]):
            yield from _parts(f"{name}{place + 1}", np.asarray(value[place], dtype=object), names)


def _opaque_values(claim: Claim, path: str, sample: Any) -> dict[str, Any]:
    """The arrays of a derived variable that is a letter of its own."""
    variables: Any = claim.domain.variables
    outer_name, *inner_names = path.split(".")
    variable = variables[outer_name]
    for name in inner_names:
        variable = variable.variables[name]
    prefix = f"{path}."
    coordinates = {name: values[None] for name, values in sample.coordinates.items() if name.startswith(prefix)}
    value = built({path: variable}, sample.sizes, coordinates)[path]
    return dict(_named_arrays(path, value))


def _named_arrays(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple | list):
        for place, entry in enumerate(value, start=1):
            yield from _named_arrays(f"{name}{place}", entry)
    else:
        yield name, value.alone(0) if hasattr(value, "alone") else value


# Files


def document_of(certificate: Certificate) -> dict[str, Any]:
    """A certificate as the plain values that its file holds."""
    return {
        "schema": SCHEMA,
        "method": "all sizes",
        "claim": certificate.claim,
        "fingerprint": certificate.fingerprint,
        "symbols": list(certificate.symbols),
        "fixed": {name: list(values) for name, values in certificate.fixed.items()},
        "assumptions": list(certificate.assumptions),
        "does_not_tell": list(certificate.does_not_tell),
        "cases": [dict(case) for case in certificate.cases],
        "digest": independent_words.digest([dict(case) for case in certificate.cases]),
    }


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate, replacing what is there only when all is written."""
    document = document_of(certificate)
    cases = ",\n  ".join(json.dumps(case) for case in document.pop("cases"))
    head = json.dumps(document, indent=1).removesuffix("\n}")
    write_whole(path, f'{head},\n "cases": [\n  {cases}\n ]\n}}\n')


def read(path: Path) -> Certificate:
    """Read a certificate; whether it proves anything is not looked at.

    Raises
    ------
    UnusableCertificate
        With the reason.
    """
    try:
        return certificate_of(from_json(read_text(path)))
    except UnusableFile as error:
        raise UnusableCertificate(f"{path}: not a certificate for all sizes: {error}") from error


NAMES = {
    "schema",
    "method",
    "claim",
    "fingerprint",
    "symbols",
    "fixed",
    "assumptions",
    "does_not_tell",
    "cases",
    "digest",
}


def certificate_of(document: Any) -> Certificate:
    """The certificate that a document of JSON is; raises `UnusableFile`."""
    if not isinstance(document, dict) or set(document) != NAMES:
        raise UnusableFile(f"it must have {', '.join(sorted(NAMES))}, got {shortened(document)}")
    if document["schema"] != SCHEMA or document["method"] != "all sizes":
        raise UnusableFile(f"its schema is not {SCHEMA}, or its method another one")
    texts_fit = all(isinstance(document[name], str) for name in ("claim", "fingerprint", "digest"))
    lists_fit = all(
        isinstance(document[name], list) and all(isinstance(text, str) for text in document[name])
        for name in ("symbols", "assumptions", "does_not_tell")
    )
    fixed = document["fixed"]
    numbers_fit = isinstance(fixed, dict) and all(
        isinstance(values, list) and values and all(type(value) is int for value in values) for values in fixed.values()
    )
    if not (texts_fit and lists_fit and numbers_fit and document["symbols"]):
        raise UnusableFile("it does not fit the schema")
    if not isinstance(document["cases"], list) or not document["cases"]:
        raise UnusableFile("it has no cases")
    if document["digest"] != independent_words.digest(document["cases"]):
        raise UnusableFile("its cases are not those that were written: its digest differs")
    return Certificate(
        document["claim"],
        document["fingerprint"],
        tuple(document["symbols"]),
        {name: tuple(values) for name, values in fixed.items()},
        tuple(document["assumptions"]),
        tuple(document["does_not_tell"]),
        tuple(document["cases"]),
    )


__all__ = ["Certificate", "Size", "check", "counts_layers", "covers", "prove", "read", "second_look", "write"]
