"""What the constants of the search are worth: other values of each, on variants that are false in one place only. Run by hand.

    python tests/benchmarks/constants.py [WORD ...] [--seconds 1] [--seeds 1]

The variants are those of `narrow_variants.py` and `corner_variants.py` that the present constants refute within so many seconds
of the processor. A row says how many of them are refuted with another value, after how many evaluations, in how many seconds.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import corner_variants
import narrow_variants

from verify import catalogue
from verify.checker.checking import Checker

CONSTANTS: dict[str, tuple[Any, ...]] = {
    "verify.search.ascent.RESTARTS": (1, 3, 12),
    "verify.search.ascent.SPREADS": ((0.05,), (0.2,), (0.5, 0.5)),
    "verify.search.ascent.FEWEST_STEPS": (2, 10),
    "verify.search.population.SIZE": (16, 64),
    "verify.search.population.CROSSOVER": (0.5, 1.0),
    "verify.search.phases.evolve.POPULATIONS": (1, 6),
    "verify.search.phases.draw.WORST_OF_A_BATCH": (1, 6),
    "verify.search.phases.draw.UNDECIDED_OF_A_BATCH": (12, 48),
    "verify.search.phases.draw.SUSPECTS_OF_A_BATCH": (10, 40),
    "verify.search.phases.draw.FLOAT_COUNTEREXAMPLES_OF_A_BATCH": (20, 2000),
    "verify.search.phases.settle.SUSPECTS": (1, 8),
    "verify.search.phases.settle.FLOAT_COUNTEREXAMPLES": (5, 20),
    "verify.search.phases.sweep.STEPS": (10, 40),
    "verify.search.phases.swap.STEPS": (5, 20),
    "verify.search.exchange.HEAT": (0.0125, 0.2),
    "verify.search.exchange.MOST_MOVES": (1, 6),
    "verify.search.rationals.CONFIRMATIONS": (8, 32),
    "verify.search.rounding.MOVES": (1, 6),
    "verify.search.rounding.MARGIN": (8.0, 32.0),
    "verify.claims.draws.OF_COMMON_FORMS": (320, 1280),
    "verify.claims.draws.LEAST_COMMON": (4, 16),
    "verify.claims.draws.OF_SPECIAL_FORMS": (30, 120),
    "verify.claims.draws.OF_EQUAL_NUMBERS": (12, 48),
    "verify.claims.draws.STRUCTURED_LARGEST": (2, 8),
    "verify.claims.draws.SCALES": ((1.0,),),
    "verify.claims.draws.FEW_ONES": (1, 6),
}


@contextmanager
def set_to(name: str, value: Any) -> Iterator[None]:
    """A constant with another value, wherever a module has it."""
    home, _, short = name.rpartition(".")
    before = getattr(sys.modules[home], short)
    modules = [module for key, module in list(sys.modules.items()) if key.startswith("verify")]
    holders = [module for module in modules if vars(module).get(short) is before]
    for module in holders:
        setattr(module, short, value)
    try:
        yield
    finally:
        for module in holders:
            setattr(module, short, before)


def refuted(claims: dict[tuple[str, str], Any], seeds: int) -> dict[tuple[str, str], tuple[int, int, float]]:
    """With how many seeds each variant is refuted, after how many evaluations, in how many seconds."""
    found = {}
    for (identifier, name), claim in claims.items():
        start = time.process_time()
        results = [Checker(claim, "quick", seed).refutes(name) for seed in range(seeds)]
        count = sum(bool(result.refuted) for result in results)
        found[identifier, name] = count, sum(result.evaluations for result in results), time.process_time() - start
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="parts of the names of constants (default: all)")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    known, every = catalogue(), {}
    for identifier, variants in narrow_variants.VARIANTS.items():
        every |= {(identifier, name): statement for name, statement in variants.items()}
    for identifier, variants in corner_variants.VARIANTS.items():
        every |= {(identifier, name): statement for name, (statement, _) in variants.items()}
    claims = {key: dataclasses.replace(known[key[0]], false_variants={key[1]: statement}) for key, statement in every.items()}
    base = refuted(claims, arguments.seeds)
    claims = {key: claim for key, claim in claims.items() if base[key][0] and base[key][2] < arguments.seconds}
    base = {key: base[key] for key in claims}
    print(f"{len(claims)} of {len(every)} variants\n")
    print("| constant | value | refuted | evaluations | seconds |\n|---|---|---|---|---|")

    def row(name: str, value: Any, found: dict[tuple[str, str], tuple[int, int, float]]) -> None:
        sums = [sum(column) for column in zip(*found.values(), strict=True)]
        print(f"| {name} | {value} | {sums[0]} | {sums[1]} | {sums[2]:.1f} |", flush=True)

    row("as they are", "", base)
    for name, values in CONSTANTS.items():
        if not arguments.words or any(word in name for word in arguments.words):
            for value in values:
                with set_to(name, value):
                    row(name.removeprefix("verify."), value, refuted(claims, arguments.seeds))


if __name__ == "__main__":
    main()
