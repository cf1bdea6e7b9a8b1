"""How small an error in a constant is detected, and by what: run by hand, `python tests/benchmarks/planted_errors.py`.

Every comparison of a tight claim is made stricter by a relative error of 1e-1 to 1e-6. The table says which tier of the search
refutes the result on rationals, after how many evaluations and seconds, and whether as many plain random draws, or as many
examples of Hypothesis with `target`, find a float violation beyond the noise.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import sys
import time

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings, target

from verify import Relation, Verdict, catalogue
from verify.claims.domain import Sample
from verify.claims.variables import call_with
from verify.instances.array import array_of_number
from verify.numbers.arithmetic import UndecidedInstances, absolute, floats
from verify.search import BUDGETS, attack
from verify.search.batch import evaluate, prepare
from verify.search.samples import generator, samples_of

ERRORS = (1, 2, 4, 6)


def stricter(statement, digits):
    """The statement with every bound wrong by 10**-digits; equalities stay."""

    def planted(**variables):
        parts = []
        for one in call_with(statement, variables).comparisons:
            error = absolute(one.right) / 10**digits
            right = {"le": one.right - error, "ge": one.right + error, "eq": one.right}[one.sense]
            parts.append(dataclasses.replace(one, right=array_of_number(right)))
        return Relation(tuple(parts))

    planted.__signature__ = inspect.signature(statement)
    return planted


def by_search(claim, statement):
    start = time.perf_counter()
    budget = BUDGETS["quick"].divided(claim.least_cost)
    found = attack(statement, samples_of(claim, BUDGETS["quick"], 0), budget, generator(0, claim.id, "benchmark"))
    return found, time.perf_counter() - start


def by_random_draws(claim, statement, evaluations):
    for sample in claim.domain.batched(np.random.default_rng(0), evaluations):
        batch = prepare(claim.domain, sample)
        evaluated = None if batch is None else evaluate(statement, batch, batch.chosen(None))
        if evaluated is not None and np.any(evaluated[0].verdict == Verdict.FAILS):
            return True
    return False


def by_hypothesis(claim, statement, evaluations, seconds=20.0):
    class Found(Exception):
        pass

    deadline = time.perf_counter() + seconds

    @seed(0)
    @settings(
        max_examples=evaluations,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    @given(claim.domain.strategy())
    def check(sample):
        if time.perf_counter() > deadline:
            return
        batch = Sample(sample.sizes, {name: floats(values)[None] for name, values in sample.coordinates.items()})
        try:
            variables = claim.domain.build(batch)
            if claim.domain.violated(variables):
                return
            relation = call_with(statement, variables)
        except UndecidedInstances:
            return
        if np.any(relation.verdict == Verdict.FAILS):
            raise Found
        slack = float(np.min(relation.relative_slack))
        if np.isfinite(slack):
            target(-slack)

    try:
        with np.errstate(all="ignore"):
            check()
    except Found:
        return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="claims (default: all that are tight)")
    parser.add_argument("--no-peers", action="store_true", help="only the search itself")
    arguments = parser.parse_args()
    print("| claim | error | found by | evaluations | seconds | random draws | Hypothesis |\n|---|---|---|---|---|---|---|")
    claims = catalogue()
    chosen = [claims[name] for name in arguments.ids] or [
        claim for claim in claims.values() if claim.tight and claim.expected == "survived"
    ]
    missed = 0
    for claim in chosen:
        for digits in ERRORS:
            statement = stricter(claim.statement, digits)
            found, seconds = by_search(claim, statement)
            missed += found.refutation is None
            peers = ["", ""]
            if not arguments.no_peers:
                peers = [
                    "yes" if peer(claim, statement, found.evaluations) else "no" for peer in (by_random_draws, by_hypothesis)
                ]
            row = [claim.id, f"1e-{digits}", found.by or "not found", str(found.evaluations), f"{seconds:.2f}", *peers]
            print("|", " | ".join(row), "|", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
