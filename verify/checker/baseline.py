"""The baseline of bounds: what was measured of each claim when its file was last written, to compare with what is now.

Times are never compared. A quantity is worse than its baseline only if it is so by more than the noise measured then and
now: what jitter by an ulp does to the instance, what a second precision says of it, and what other seeds find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from verify.checker.checking import Checker, Searched
from verify.checker.record import Record
from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.rate import Rate
from verify.evidence.files import UnusableFile, from_json, is_of_schema, read_text, shortened, write_whole
from verify.evidence.fingerprint import claim_fingerprint
from verify.numbers.arithmetic import FloatOnly
from verify.numbers.relation import FLOAT_ULPS
from verify.search.batch import judged, prepare
from verify.search.decide import decide_sample

SCHEMA = 1
SEEDS = (0, 1, 2)
"""Seeds over which the search is repeated: the smallest slack counts, the spread is part of the noise."""
SLACK, VIOLATION = "smallest relative slack", "largest violation"
"""What the search finds, of a claim that holds and of a refuted one."""

Change = Literal["unchanged", "within noise", "tightened", "REGRESSED", "statement changed", "new", "gone"]
Direction = Literal["smaller", "nearer zero"]
LOST: tuple[Change, ...] = ("gone", "statement changed")
"""Changes after which the baseline says nothing of a bound any more."""


class UnusableBaseline(UnusableFile):
    """A file that is not a baseline."""


@dataclass(frozen=True)
class Quantity:
    """A number measured of a claim.

    Attributes
    ----------
    value, noise
        The number, and how far it moves for reasons that mean nothing; infinite if that has no bound.
    better
        Which way it would be tighter.
    effort
        What was done to get it.
    fingerprint
        Of the statement.
    """

    value: float
    noise: float
    better: Direction
    effort: str
    fingerprint: str


JITTERED = 16
"""Instances beside the worst one, an ulp away, whose slacks tell how far rounding moves its slack."""

NOTHING_KNOWN: Mapping[str, Quantity] = MappingProxyType({})


@dataclass(frozen=True)
class Comparison:
    """A quantity beside its baseline; either may be missing."""

    claim: str
    quantity: str
    change: Change
    before: Quantity | None
    now: Quantity | None


def measure(
    claim: Claim,
    budget: str = "quick",
    known: Mapping[str, Quantity] = NOTHING_KNOWN,
    record: Record | None = None,
) -> dict[str, Quantity]:
    """The quantities of a claim, by name; those that have a finite value.

    Other seeds can bring the smallest slack down only. So they are not searched with once it is no larger than `known` says
    of the same statement, within the noise measured then: what follows cannot make it worse. Nothing is searched at all if
    the `record` of a run with this budget, which holds now, says the same within that noise.
    """
    print_ = claim_fingerprint(claim)
    name = VIOLATION if claim.expected == "refuted" else SLACK
    enough = known[name] if name in known and known[name].fingerprint == print_ else None
    if record is not None and enough is not None and _says_the_same(record, enough):
        return _recorded(claim, record, name, enough)
    drawings: list[Searched] = []
    for seed in SEEDS:
        drawings.append(Checker(claim, budget, seed).searched(drawings=1))
        if enough is not None and drawings[-1].relative_slack <= enough.value + enough.noise:
            break
    slacks = [drawing.relative_slack for drawing in drawings]
    best = int(np.argmin(slacks))
    evaluations = sum(drawing.evaluations for drawing in drawings)
    effort = f"{budget}, seeds {SEEDS[0]} to {SEEDS[len(drawings) - 1]}, {evaluations} evaluations"
    result = {}
    if np.isfinite(slacks[best]):
        worst = drawings[best].worst
        noise = float(max(slacks) - min(slacks)) + (0.0 if worst is None else instance_noise(claim, worst))
        result[name] = Quantity(float(slacks[best]), noise, "smaller", effort, print_)
    checker = Checker(claim, budget)
    for name in claim.tight:
        slack = checker.tight(name).relative_slack
        if np.isfinite(slack):
            result[f"slack at {name}"] = _tight_quantity(slack, print_)
    if claim.rate is not None:
        rate = checker.rate()
        result |= _rate_quantity(claim.rate, rate.exponent, rate.uncertainty, rate.stated, print_)
    return result


def _says_the_same(record: Record, known: Quantity) -> bool:
    return record.relative_slack is not None and abs(record.relative_slack - known.value) <= known.noise


def _recorded(claim: Claim, record: Record, name: str, known: Quantity) -> dict[str, Quantity]:
    """The quantities as a run has found them; how far the slack moves was measured before."""
    effort = f"{record.evaluations} evaluations of a run"
    quantities = {name: replace(known, value=float(record.relative_slack or 0.0), effort=effort)}
    for example, slack in record.tight.items():
        if slack is not None:
            quantities[f"slack at {example}"] = _tight_quantity(slack, known.fingerprint)
    if claim.rate is not None and record.rate is not None:
        fitted = {key: np.nan if value is None else value for key, value in record.rate.items()}
        quantities |= _rate_quantity(claim.rate, fitted["exponent"], fitted["uncertainty"], fitted["stated"], known.fingerprint)
    return quantities


def _tight_quantity(slack: float, print_: str) -> Quantity:
    return Quantity(slack, FLOAT_ULPS * 2.0**-52, "nearer zero", "one evaluation", print_)


def _rate_quantity(rate: Rate, exponent: float, uncertainty: float, stated: float, print_: str) -> dict[str, Quantity]:
    away = abs(exponent - stated)
    if not np.isfinite(away):
        return {}
    effort = f"sizes {rate.sizes[0]} to {rate.sizes[-1]}"
    return {"exponent, distance from stated": Quantity(away, uncertainty, "smaller", effort, print_)}


def instance_noise(claim: Claim, sample: Sample) -> float:
    """How far the relative slack moves when the instance moves by an ulp, and when it is evaluated on rationals instead."""
    rng = np.random.default_rng(0)
    layout = claim.domain.layout(sample.sizes)
    jittered = {}
    for name, values in sample.coordinates.items():
        ulps = rng.integers(-1, 2, size=(JITTERED, *np.shape(values))) * (0 if layout[name].integer else 1)
        shift = values * (1 + 2.0**-52 * ulps)
        jittered[name] = np.clip(shift, layout[name].lower, layout[name].upper)
        jittered[name][0] = values
    batch = prepare(claim.domain, Sample(sample.sizes, jittered), hypotheses=False)
    judgement = None if batch is None else judged(claim.statement, claim.domain, batch, batch.places, rng)
    if judgement is None or len(judgement[1]) < JITTERED:
        return float("inf")
    slack = judgement[0].known_slack
    if not np.isfinite(slack[0]):
        return float("inf")
    noise = float(np.max(np.abs(slack - slack[0]), where=np.isfinite(slack), initial=0.0))
    try:
        exact = decide_sample(claim.statement, claim.domain, sample.exact()).relation
    except FloatOnly:
        exact = None
    shift = np.nan if exact is None else abs(float(np.min(exact.known_slack)) - float(slack[0]))
    # balls that are no numbers say nothing
    return noise + shift if np.isfinite(shift) else noise


def compare(before: Mapping[str, Mapping[str, Quantity]], now: Mapping[str, Mapping[str, Quantity]]) -> list[Comparison]:
    """Every quantity that is in either baseline, in the order of claims and names."""
    keys = sorted({(claim, name) for side in (before, now) for claim, ones in side.items() for name in ones})
    result = []
    for claim, name in keys:
        old, new = before.get(claim, {}).get(name), now.get(claim, {}).get(name)
        result.append(Comparison(claim, name, _change(old, new), old, new))
    return result


def _change(old: Quantity | None, new: Quantity | None) -> Change:
    if old is None or new is None:
        return "new" if old is None else "gone"
    if old.fingerprint != new.fingerprint:
        return "statement changed"
    if old.value == new.value:
        return "unchanged"
    if abs(new.value - old.value) <= old.noise + new.noise:
        return "within noise"
    gain = {"smaller": old.value - new.value, "nearer zero": abs(old.value) - abs(new.value)}
    return "tightened" if gain[new.better] > 0 else "REGRESSED"


def write_baseline(path: Path, quantities: Mapping[str, Mapping[str, Quantity]]) -> None:
    """Write a baseline, replacing what is there only when all is written."""
    claims = {claim: {name: document_of(bound) for name, bound in ones.items()} for claim, ones in sorted(quantities.items())}
    text = json.dumps({"schema": SCHEMA, "claims": claims}, indent=1, sort_keys=True, allow_nan=False)
    write_whole(path, text + "\n")


def document_of(quantity: Quantity) -> dict[str, Any]:
    """`quantity` as the plain values that a file holds; a noise without bound, which JSON cannot say, is null."""
    return {**asdict(quantity), "noise": quantity.noise if np.isfinite(quantity.noise) else None}


def read_baseline(path: Path) -> dict[str, dict[str, Quantity]]:
    """The quantities of a baseline by claim and name.

    Raises
    ------
    UnusableBaseline
        The file is missing, not JSON, or not a baseline of this schema; the message says which.
    """
    try:
        document = from_json(read_text(path))
        if not is_of_schema(document, SCHEMA) or not isinstance(document.get("claims"), dict):
            raise UnusableFile(f"not a baseline of schema {SCHEMA}")
        return {claim: _quantities(claim, ones) for claim, ones in document["claims"].items()}
    except UnusableFile as error:
        hint = "" if path.exists() else "; `verify bounds update` writes it"
        raise UnusableBaseline(f"{path}: not a baseline: {error}{hint}") from error


def _quantities(claim: str, documents: Any) -> dict[str, Quantity]:
    if not isinstance(documents, dict):
        raise UnusableFile(f"{shortened(claim)} must have quantities by name, got {shortened(documents)}")
    return {name: _quantity(f"{shortened(claim)}, {shortened(name)}", document) for name, document in documents.items()}


def _quantity(where: str, document: Any) -> Quantity:
    fields = ("value", "noise", "better", "effort", "fingerprint")
    if not isinstance(document, dict) or set(document) != set(fields):
        raise UnusableFile(f"{where}: a quantity has {', '.join(fields)}, got {shortened(document)}")
    noise = float("inf") if document["noise"] is None else document["noise"]
    fitting = (
        _is_number(document["value"])
        and _is_number(noise)
        and noise >= 0
        and document["better"] in ("smaller", "nearer zero")
        and isinstance(document["effort"], str)
        and isinstance(document["fingerprint"], str)
    )
    if not fitting:
        raise UnusableFile(f"{where}: not a quantity: {', '.join(f'{name} {shortened(document[name])}' for name in fields)}")
    return Quantity(float(document["value"]), float(noise), document["better"], document["effort"], document["fingerprint"])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def regressed(comparisons: Iterable[Comparison], *, strict: bool = False) -> list[Comparison]:
    """The quantities that are worse than their baseline by more than the noise; if `strict`, also those it guards no more."""
    failures = ("REGRESSED", *LOST) if strict else ("REGRESSED",)
    return [comparison for comparison in comparisons if comparison.change in failures]
