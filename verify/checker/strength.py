"""How strong the check of a claim is: the smallest error in each of its inequalities and constants that something notices.

A check that passes says little unless it would fail if the statement were wrong. So every comparison is perturbed the wrong
way by itself, every constant of the printed theorem is perturbed both ways, and every hypothesis is dropped; each change is
detected by a tight example, by the search, or by nothing.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from verify.checker.checking import Checker, constants_of, evaluated
from verify.claims.claim import Claim, Statement, Tight
from verify.claims.domain import Domain
from verify.claims.variables import Coordinate, Sizes, call_with
from verify.evidence.files import (
    UnusableFile,
    from_json,
    is_of_schema,
    read_text,
    shortened,
    witness_folder,
    write_whole,
)
from verify.evidence.fingerprint import is_of_strength, strength_fingerprint
from verify.linting.lint import explained
from verify.numbers.arithmetic import absolute, is_exact, maximum
from verify.numbers.exactness import Q
from verify.numbers.relation import Comparison, Relation, Verdict
from verify.search.batch import evaluate

AMOUNTS = ("1e-6", "1e-4", "1e-2", "1e-1")
"""Errors that are tried, smallest first: what notices an error notices a larger one."""
NOTHING = "not at all"
UNIT = "1 unit"
NEEDED, UNKNOWN, UNDEFINED = "needed", "unknown", "undefined"
"""What dropping a hypothesis or leaving a range shows: the statement fails there, was not seen to, or has no meaning there."""
RATES = ("0.01", "0.02", "0.05")
"""Errors of an exponent that are tried, relative to it."""
SCHEMA = 1


@dataclass(frozen=True)
class Detected:
    """The smallest error that is detected, and by what: "tight: NAME", "search: PHASE", or nothing.

    Attributes
    ----------
    amount
        One of `AMOUNTS`, `UNIT`, or `NOTHING`.
    by
        Empty if nothing notices it.
    reason
        Why it is not known to be tight, as the claim says.
    """

    amount: str
    by: str = ""
    reason: str = ""

    @property
    def size(self) -> float:
        """The amount as a number: 1 for a unit, infinite for nothing."""
        return {UNIT: 1.0, NOTHING: float("inf")}.get(self.amount) or float(self.amount)


@dataclass(frozen=True)
class Strength:
    """What is detected of one claim.

    Attributes
    ----------
    fingerprint
        Of the statement, the domain and the tight examples.
    comparisons, constants
        For each comparison of the relation, and each constant of the statement, the smallest error that is detected.
    hypotheses
        For each, whether dropping it is detected ("needed") or not ("unknown").
    ranges
        For each end of the interval of a coordinate, such as "slope above 1", what instances beyond it show.
    rate
        The smallest relative error of the exponent that the fitted interval excludes; None without a rate.
    sizes
        For each combination of sizes that was drawn, how many instances were feasible.
    special
        For each coordinate with values that are drawn often, the share of the feasible instances at which it has one of them.
    """

    fingerprint: str
    comparisons: Mapping[str, Detected] = field(default_factory=dict)
    constants: Mapping[str, Detected] = field(default_factory=dict)
    hypotheses: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, str] = field(default_factory=dict)
    rate: str | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    special: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""

    @property
    def worst(self) -> Detected | None:
        """Of the comparisons and constants that are claimed to be tight, the one of which least is detected."""
        claimed = [strength for strength in (*self.comparisons.values(), *self.constants.values()) if not strength.reason]
        return max(claimed, key=lambda comparison: comparison.size, default=None)

    def in_a_word(self) -> str:
        """Such as "1e-06"; "not known to be tight" where nothing is claimed to be tight, "?" where it could not be measured."""
        if self.problem:
            return "?"
        return self.worst.amount if self.worst is not None else "not known to be tight" if self.comparisons else "-"


def with_error(statement: Statement, name: str, amount: Fraction, unit: Fraction | None = None) -> Statement:
    """`statement` with the right side of one comparison perturbed the wrong way, by `amount` times the larger side.

    Where a side is zero on every instance, moving by a share of the other would change nothing: then by `amount` times `unit`.
    """

    @functools.wraps(statement)
    def perturbed(**variables: Any) -> Relation:
        relation: Relation = call_with(statement, variables)
        names = relation.names
        if name not in names:
            return relation
        parts = list(relation.comparisons)
        place = names.index(name)
        parts[place] = _perturbed(parts[place], amount, unit)
        return Relation(tuple(parts))

    # call_with reads the signature behind the wrapper
    return perturbed


def _given(claim: Claim, tight: Tight) -> dict[str, Any]:
    return claim.domain.given(tight.variables())


def _perturbed(comparison: Comparison, amount: Fraction, unit: Fraction | None) -> Comparison:
    size = maximum(absolute(comparison.left), absolute(comparison.right))
    share = Q(amount) if is_exact(size) else float(amount)
    by = share * size if unit is None else 0 * size + share * (Q(unit) if is_exact(size) else float(unit))
    right = comparison.right + by if comparison.sense == "ge" else comparison.right - by
    return replace(comparison, right=np.asarray(right, dtype=object if is_exact(size) else None))


@dataclass(frozen=True)
class _Wider(Domain):
    """A domain with the interval of one coordinate wider at one end, by its width; by a quarter of it for integers."""

    coordinate: str = ""
    below: bool = False

    def layout(self, sizes: Sizes) -> dict[str, Coordinate]:
        """See `Domain`."""
        return {
            name: _wider(coordinate, below=self.below) if name == self.coordinate else coordinate
            for name, coordinate in super().layout(sizes).items()
        }


def _wider(coordinate: Coordinate, *, below: bool) -> Coordinate:
    width = coordinate.upper - coordinate.lower
    if not np.isfinite(width):
        width = max(1.0, abs(coordinate.lower if below else coordinate.upper))
    by = width // 4 + 1 if coordinate.integer else width
    return replace(coordinate, lower=coordinate.lower - by) if below else replace(coordinate, upper=coordinate.upper + by)


def _ends(layout: Mapping[str, Coordinate]) -> dict[str, tuple[str, bool]]:
    """The finite ends of intervals, in words, with the coordinate and whether it is the lower one."""
    ends = [
        (f"{name} {'below' if below else 'above'} {end:g}", name, below)
        for name, coordinate in layout.items()
        for below, end in ((True, coordinate.lower), (False, coordinate.upper))
        if np.isfinite(end) and np.prod(coordinate.shape)
    ]
    return {words: (name, below) for words, name, below in ends}


class _Meter:
    """Tries wrong statements on one claim."""

    def __init__(self, claim: Claim, budget: str, seed: int) -> None:
        self.claim = claim
        self.checker = Checker(claim, budget, seed)
        self._tight = {name: functools.partial(_given, claim, tight) for name, tight in claim.tight.items()}

    def at_tight_examples(self, wrong: Iterable[Statement]) -> str:
        """The tight example at which one of the wrong statements fails; empty if there is none."""
        for statement in wrong:
            for name, anew in self._tight.items():
                if np.any(evaluated(statement, anew(), anew).verdict == Verdict.FAILS):
                    return f"tight: {name}"
        return ""

    def by_search(self, wrong: Iterable[Statement], purpose: str) -> str:
        """The phase of the search that refutes one of the wrong statements; empty if none does."""
        for statement in wrong:
            findings = self.checker.attack(statement, f"strength {purpose}", self.checker.budget)
            if findings.refutation is not None:
                return f"search: {findings.by}"
        return ""

    def smallest(self, variants: Callable[[Fraction], Iterable[Statement]], purpose: str, reason: str) -> Detected:
        """The smallest amount at which one of the variants is detected."""
        detected: dict[str, str] = {}
        for amount in AMOUNTS:
            by = self.at_tight_examples(variants(Fraction(amount)))
            if by:
                detected[amount] = by
                break

        def search(amount: str) -> bool:
            by = self.by_search(variants(Fraction(amount)), f"{purpose} {amount}")
            if by:
                detected[amount] = by
            return bool(by)

        smaller = [
            amount for amount in AMOUNTS if amount not in detected and (not detected or float(amount) < float(min(detected)))
        ]
        # an error of 1e-2 first: what is not detected costs the whole search
        for amount in [size for size in reversed(smaller) if size != "1e-1"]:
            if not search(amount):
                break
        if "1e-1" in smaller and not detected:
            search("1e-1")
        smallest = next((amount for amount in AMOUNTS if amount in detected), NOTHING)
        return Detected(smallest, detected.get(smallest, ""), reason)

    def beyond(self, coordinate: str, *, below: bool) -> str:
        """Whether the statement fails at instances beyond one end of the interval of a coordinate."""
        domain = self.claim.domain
        own = {field_.name: getattr(domain, field_.name) for field_ in fields(Domain)}
        wider = _Wider(**own, coordinate=coordinate, below=below)
        try:
            checker = Checker(replace(self.claim, domain=wider), self.checker.budget_name, self.checker.seed)
            # what fails beyond an end fails at many instances there: no ascent is needed
            budget = replace(checker.budget, generations=0, ascents=0)
            findings = checker.attack(self.claim.statement, f"beyond {coordinate} {below}", budget)
        except Exception:  # an index beyond its array, a size below zero: what is built there may be nothing at all
            return UNDEFINED
        return NEEDED if findings.refutation is not None else UNKNOWN

    def constant(self, name: str, value: Fraction | int) -> Detected:
        """How far a constant can be perturbed undetected."""
        statement, reason = self.claim.statement, self.claim.not_known_tight.get(name, "")

        def both_ways(amount: Fraction) -> Iterable[Statement]:
            by = amount * (abs(Fraction(value)) or 1)
            return [functools.partial(statement, **{name: Q(Fraction(value) + sign * by)}) for sign in (1, -1)]

        with contextlib.suppress(TypeError, ValueError, IndexError):  # a count, a power that must be an integer, an index
            smallest = self.smallest(both_ways, name, reason)
            if smallest.by or Fraction(value).denominator > 1:
                return smallest
        for perturbed in (int(value) + 1, int(value) - 1):
            try:
                wrong = [functools.partial(statement, **{name: perturbed})]
                by = self.at_tight_examples(wrong) or self.by_search(wrong, f"{name} {perturbed}")
            except (TypeError, ValueError, IndexError, ZeroDivisionError):
                continue
            if by:
                return Detected(UNIT, by, reason)
        return Detected(NOTHING, "", reason)


def measure_strength(claim: Claim, budget: str = "quick", seed: int = 0) -> Strength:
    """Move everything that can be perturbed, and see what detects it; of a claim that is expected to be refuted, nothing."""
    print_ = strength_fingerprint(claim)
    if claim.expected == "refuted":
        return Strength(print_)
    try:
        return _measured(claim, _Meter(claim, budget, seed), print_)
    except Exception as error:  # a claim that cannot be checked has no strength; `verify run` says why
        return Strength(print_, problem=explained(error, claim.statement))


def _measured(claim: Claim, meter: _Meter, print_: str) -> Strength:
    names: dict[str, list[Comparison]] = {}
    cache = meter.checker.cache
    sizes: dict[str, int] = {}
    special: dict[str, list[float]] = {}
    ends: dict[str, tuple[str, bool]] = {}
    for phase in ("structured", "batched"):
        for batch in cache.phase(phase):
            chosen = batch.chosen(None)
            label = ", ".join(f"{key}={value}" for key, value in batch.sample.sizes.items())
            sizes[label] = sizes.get(label, 0) + len(chosen)
            layout = claim.domain.layout(batch.sample.sizes)
            ends |= _ends(layout)
            for key, coordinate in layout.items():
                if coordinate.often and len(chosen):
                    special.setdefault(key, []).append(
                        float(np.isin(batch.sample.coordinates[key][chosen], coordinate.often).mean())
                    )
            evaluation = evaluate(claim.statement, batch, chosen)
            for name, comparison in (
                zip(evaluation[0].names, evaluation[0].comparisons, strict=True) if evaluation is not None else ()
            ):
                names.setdefault(name, []).append(comparison)

    def perturbed(name: str) -> Detected:
        unit = _unit(names[name])
        return meter.smallest(
            lambda amount: [with_error(claim.statement, name, amount, unit)], f"of {name}", claim.not_known_tight.get(name, "")
        )

    comparisons = {name: perturbed(name) for name in names}
    rate = None
    if claim.rate is not None:
        fitted = meter.checker.rate()
        excluded = [
            amount for amount in RATES if not any(fitted.allows(fitted.stated * (1 + sign * float(amount))) for sign in (1, -1))
        ]
        rate = excluded[0] if excluded else NOTHING
    return Strength(
        print_,
        comparisons,
        {name: meter.constant(name, value) for name, value in constants_of(claim).items()},
        {name: NEEDED if meter.checker.needs(name).refuted else UNKNOWN for name in claim.domain.hypotheses},
        {words: meter.beyond(name, below=below) for words, (name, below) in ends.items()},
        rate,
        sizes,
        {key: float(np.mean(shares)) for key, shares in special.items()},
    )


def measured_by_id(package: str, claim_id: str) -> Strength:
    """`measure_strength` of a claim that is named: what a worker is given."""
    from verify.checker.running import claims_in
    from verify.engines.executors import one_blas_thread

    with one_blas_thread():
        return measure_strength(claims_in(package)[claim_id])


def strength_file(package: str = "theorems") -> Path:
    """The file ``strength.json`` of a package, or beside the module of this name; it need not exist."""
    return witness_folder(package).with_name("strength.json")


def _unit(ones: list[Comparison]) -> Fraction | None:
    """The power of two at the median size of the sides, where one of them is zero on all instances."""
    if not any(all(not np.any(getattr(comparison, side)) for comparison in ones) for side in ("left", "right")):
        return None
    sizes = np.concatenate([np.ravel(comparison.size) for comparison in ones])
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    return Fraction(2) ** int(np.round(np.log2(np.median(sizes)))) if len(sizes) else None


def is_measured(strength: Strength, claim: Claim) -> bool:
    """Whether a strength is of the claim as it is now, with the coordinates that it has now.

    A fingerprint is one of values: it stays when a variable, and with it a coordinate, gets another name.
    """
    if not is_of_strength(strength.fingerprint, claim):
        return False
    ends = {end for sizes in claim.domain.all_sizes() for end in _ends(claim.domain.layout(sizes))}
    return set(strength.ranges) <= ends


class UnusableStrength(UnusableFile):
    """A file that holds no strengths of this schema."""


def read_strengths(path: Path) -> dict[str, Strength]:
    """The strengths of a file by claim; none if there is no file.

    Raises
    ------
    UnusableStrength
        It is not such a file.
    """
    if not path.exists():
        return {}
    try:
        document = from_json(read_text(path))
        if not is_of_schema(document, SCHEMA) or not isinstance(document.get("claims"), dict):
            raise UnusableFile(f"not one of schema {SCHEMA}")
        return {claim: _strength(claim, strength) for claim, strength in document["claims"].items()}
    except UnusableFile as error:
        raise UnusableStrength(f"{path}: not a file of strengths: {error}") from error


def known_strengths(package: str) -> dict[str, Strength]:
    """The strengths that a package carries; none where it carries none that can be read."""
    try:
        return read_strengths(strength_file(package))
    except UnusableStrength:
        return {}


def present_strengths(
    package: str,
    claims: Mapping[str, Claim],
    done: Callable[[str], object] = lambda name: None,  # noqa: ARG005
) -> dict[str, Strength]:
    """Those of `known_strengths` that are of claims as they are now; `done` is told each claim that was looked at."""
    known, present = known_strengths(package), {}
    for name, claim in claims.items():
        if name in known and is_measured(known[name], claim):
            present[name] = known[name]
        done(name)
    return present


def _strength(claim: str, document: Any) -> Strength:
    names = [field_.name for field_ in fields(Strength)]
    if not isinstance(document, dict) or set(document) != set(names):
        raise UnusableFile(f"{shortened(claim)} must have {', '.join(names)}, got {shortened(document)}")
    wrong = [name for name, fits in _FITTING.items() if not fits(document[name])]
    if wrong:
        raise UnusableFile(f"{shortened(claim)}: not {wrong[0]}: {shortened(document[wrong[0]])}")
    detected = {
        name: {key: Detected(**detected) for key, detected in document[name].items()} for name in ("comparisons", "constants")
    }
    return Strength(**(document | detected))


def _by_name(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_detected(value: Any) -> bool:
    known = isinstance(value, dict) and set(value) == {field_.name for field_ in fields(Detected)}
    return known and all(map(_is_text, value.values())) and value["amount"] in (*AMOUNTS, UNIT, NOTHING)


_FITTING: Mapping[str, Callable[[Any], bool]] = {
    "fingerprint": _is_text,
    "comparisons": _by_name(_is_detected),
    "constants": _by_name(_is_detected),
    "hypotheses": _by_name(lambda value: value in (NEEDED, UNKNOWN)),
    "ranges": _by_name(lambda value: value in (NEEDED, UNKNOWN, UNDEFINED)),
    "rate": lambda value: value is None or _is_text(value),
    "sizes": _by_name(lambda value: type(value) is int and value >= 0),
    "special": _by_name(lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "problem": _is_text,
}
"""For each field of a strength in a file whether a value is one of it."""


def write_strengths(path: Path, strengths: Mapping[str, Strength]) -> None:
    """Write a file of strengths, replacing what is there only when all is written."""
    claims = {claim: asdict(strength) for claim, strength in sorted(strengths.items())}
    write_whole(path, json.dumps({"schema": SCHEMA, "claims": claims}, indent=1, allow_nan=False) + "\n")


def distribution(strengths: Iterable[Strength], kind: str = "comparisons") -> dict[str, int]:
    """How many comparisons (or constants) notice each amount at the least; those not known to be tight apart."""
    counts = dict.fromkeys((*AMOUNTS, UNIT, NOTHING, "not known to be tight"), 0)
    for strength in strengths:
        for detected in getattr(strength, kind).values():
            loose = detected.reason and detected.amount not in AMOUNTS[:3]
            counts["not known to be tight" if loose else detected.amount] += 1
    return counts
