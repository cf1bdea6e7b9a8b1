"""What the domain of a claim leaves out, and the sizes at which the claim cannot fail.

What is not drawn is a hypothesis without a name: nothing shows that it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from verify.checker.checking import Checker
from verify.checker.running import claims_in
from verify.checker.strength import NEEDED, Strength, with_error
from verify.claims.claim import Claim
from verify.claims.variables import Derived, Networks, Variable
from verify.networks import FullyConnected
from verify.search import BUDGETS
from verify.search.batch import batch_length, evaluate
from verify.search.samples import samples_of

NOT_MEASURED = "not measured"
ERROR = Fraction(1, 10)
"""An inequality that holds beside this error at all instances of a size is not at stake there."""
INSTANCES = 12
"""So many tell whether a slope varies: at least half of the slopes that are drawn are none of the ReLU, so that all of them are
in one of 4096 claims at most."""


@dataclass(frozen=True)
class Exclusion:
    """One thing that is not drawn, in words, and what is known of the statement without it.

    Attributes
    ----------
    what
        The variable, the size or the hypothesis.
    drawn
        What is drawn of it, such as "from -1 to 1".
    beyond
        "needed" where the statement fails beyond, "unknown" where it was not seen to, "undefined", or "not measured".
    """

    what: str
    drawn: str
    beyond: str


def exclusions(claim: Claim, strength: Strength | None = None) -> list[Exclusion]:
    """Ends of intervals, kinds of activations, sizes and hypotheses; what lies beyond is read from a measured `strength`."""
    known = strength or Strength("")
    return [*_intervals(claim, known), *_activations(claim), *_sizes(claim), *_hypotheses(claim, known)]


def _intervals(claim: Claim, known: Strength) -> Iterator[Exclusion]:
    layout = {name: coordinate for sizes in claim.domain.all_sizes() for name, coordinate in claim.domain.layout(sizes).items()}
    for name, coordinate in layout.items():
        ends = [(side, end) for side, end in (("below", coordinate.lower), ("above", coordinate.upper)) if np.isfinite(end)]
        if not ends:
            continue
        words = {"below": f"from {coordinate.lower:g}", "above": f"to {coordinate.upper:g}"}
        drawn = " ".join(words[side] for side, _ in ends)
        answers = [known.ranges.get(f"{name} {side} {end:g}", NOT_MEASURED) for side, end in ends]
        beyond = (
            answers[0]
            if len(set(answers)) == 1
            else ", ".join(f"{side}: {answer}" for (side, _), answer in zip(ends, answers, strict=True))
        )
        yield Exclusion(name, f"integers {drawn}" if coordinate.integer else drawn, beyond)


def _activations(claim: Claim) -> Iterator[Exclusion]:
    """Of fully connected networks, what no coordinate says.

    A derived network may have another activation than those that it is made of: then their activation is not told.
    """
    changed = None
    for name, network in _networks(claim.domain.variables):
        if not isinstance(network.slope, tuple):
            changed = _with_other_slopes(claim) if changed is None else changed
            if name.partition(".")[0] in changed:
                continue
            kind = {0: "ReLU", 1: "identity", -1: "absolute value"}.get(network.slope, f"slope {network.slope} below 0")
            yield Exclusion(name, f"{kind} only", NOT_MEASURED)
        else:
            yield Exclusion(name, "slope 1 above 0", NOT_MEASURED)
        if not network.biases:
            yield Exclusion(name, "no biases", NOT_MEASURED)


def _with_other_slopes(claim: Claim) -> set[str]:
    """Variables whose networks have several slopes below zero: those of some instances that are drawn first."""
    slopes: dict[str, set[float]] = {}
    for sample in claim.domain.structured(np.random.default_rng(0), INSTANCES):
        for place in range(min(INSTANCES, batch_length(sample))):
            for name, value in claim.domain.instance(sample[place]).items():
                slopes.setdefault(name, set()).update(float(network.activation.negative) for network in _built_networks(value))
    return {name for name, met in slopes.items() if len(met) > 1}


def _built_networks(value: Any) -> Iterator[FullyConnected]:
    if isinstance(value, FullyConnected):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _built_networks(part)


def _networks(variables: Mapping[str, Variable], before: str = "") -> Iterator[tuple[str, Networks]]:
    for name, variable in variables.items():
        if isinstance(variable, Networks):
            yield before + name, variable
        elif isinstance(variable, Derived):
            yield from _networks(variable.variables, f"{before}{name}.")


def _sizes(claim: Claim) -> Iterator[Exclusion]:
    for name, values in claim.domain.sizes.items():
        yield Exclusion(name, ", ".join(map(str, values)), NOT_MEASURED)
    allowed, product = len(claim.domain.all_sizes()), int(np.prod([len(values) for values in claim.domain.sizes.values()]))
    if allowed < product:
        yield Exclusion("sizes together", f"{allowed} of {product} combinations", NOT_MEASURED)


def _hypotheses(claim: Claim, known: Strength) -> Iterator[Exclusion]:
    for name in claim.domain.hypotheses:
        measured = known.hypotheses.get(name, NOT_MEASURED)
        yield Exclusion(name, "hypothesis", NEEDED if name in claim.needs else measured)


def sizes_without_risk(claim: Claim, budget: str = "quick", seed: int = 0) -> dict[str, str]:
    """For each value of a size, such as "points = 3", the inequalities in which no error of `ERROR` is detected there.

    All other sizes are drawn as ever. Where no instance satisfies the hypotheses, "no feasible instance" stands.
    """
    idle_sizes = {}
    for name, values in claim.domain.sizes.items():
        for value in values:
            domain = replace(claim.domain, sizes={**claim.domain.sizes, name: (value,)})
            if domain.all_sizes():
                idle = _idle(replace(claim, domain=domain), budget, seed)
                if idle:
                    idle_sizes[f"{name} = {value}"] = idle
    return idle_sizes


def sizes_by_id(package: str, claim_id: str) -> dict[str, str]:
    """`sizes_without_risk` of the claim with this id, for a worker."""
    return sizes_without_risk(claims_in(package)[claim_id])


def _idle(claim: Claim, budget: str, seed: int) -> str:
    names = _inequalities(claim, budget, seed)
    if names is None:
        return "no feasible instance"
    checker = Checker(claim, budget, seed)
    quiet = []
    for name in names:
        findings = checker.attack(with_error(claim.statement, name, ERROR), f"risk of {name}", checker.budget, at_once=True)
        if findings.refutation is None:
            quiet.append(name or "the inequality")
    return ", ".join(quiet)


def _inequalities(claim: Claim, budget: str, seed: int) -> list[str] | None:
    """Names of the inequalities that instances meet; None where no instance is feasible."""
    names: dict[str, None] = {}
    feasible = False
    cache = samples_of(claim, BUDGETS[budget], seed)
    for phase in ("structured", "batched"):
        for batch in cache.phase(phase):
            chosen = batch.chosen(None)
            feasible |= bool(len(chosen))
            evaluation = evaluate(claim.statement, batch, chosen) if len(chosen) else None
            for name, comparison in (
                zip(evaluation[0].names, evaluation[0].comparisons, strict=True) if evaluation is not None else ()
            ):
                if comparison.sense != "eq":
                    names[name] = None
    return list(names) if feasible else None
