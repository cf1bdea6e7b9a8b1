"""Membership of pairs of covariances, pruning of a layer of 10 000 neurons, and the reference solvers: seconds and answers.

Run it with ``python tests/benchmarks/pairs_and_pruning.py``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from verify.cones.covariance_pairs import contains, covariance_pair, is_dual
from verify.cones.hidden_layers import prune_hidden_layer
from verify.cones.reference import conic_frank_wolfe, line_socp, shallow_sdp
from verify.networks import FullyConnected, relu
from verify.numbers.arithmetic import rationals

CASES = Path(__file__).parents[1] / "data" / "cones" / "covariance_pairs.json"


def timed(name: str, work: Callable[[], Any]) -> Any:
    """Run, print the seconds and the result."""
    start = perf_counter()
    result = work()
    print(f"{name:<68} {perf_counter() - start:8.3f} s   {result}", flush=True)
    return result


def published(largest: int) -> str:
    """Verdicts of the published pairs up to a number of points."""
    counts: Counter[str] = Counter()
    for case in json.loads(CASES.read_text()):
        if case["N"] <= largest:
            found = contains(rationals(np.array(case["A"])), rationals(np.array(case["B"])), relu())
            right = found.verdict == (1 if case["member"] else -1)
            counts["right" if right else ("undecided" if found.verdict == 0 else "wrong")] += 1
    return str(dict(counts))


def random_pairs(size: int, count: int, repetitions: int, change: int) -> str:
    """Verdicts of sums of integer vectors, changed by integers."""
    random = np.random.default_rng(size)
    counts: Counter[str] = Counter()
    for _ in range(repetitions):
        K, K_sigma = covariance_pair(rationals(random.integers(-3, 4, (count, size))), relu())
        noise = random.integers(-change, change + 1, (size, size))
        counts[contains(K, K_sigma + rationals(noise + noise.T), relu()).verdict.name] += 1
    return str(dict(counts))


def dual_check(size: int) -> bool:
    """An exact check on all orthants of a form that is positive, but on no orthant definite."""
    ones = np.ones((size, size), dtype=int)
    return is_dual(rationals(0 * ones), rationals(ones - np.eye(size, dtype=int)), relu())


def pruned(exact: bool, keep: Any) -> str:
    """A layer of 10 000 neurons on 10 points of dimension 5, with 3 outputs."""
    random = np.random.default_rng(0)
    arrays = [random.integers(-99, 100, shape) for shape in ((10_000, 5), (3, 10_000), (10, 5))]
    first, second, inputs = (rationals(array) if exact else array / 64 for array in arrays)
    result = prune_hidden_layer(FullyConnected([first, second]), inputs, 1, keep=keep)
    return f"{result.network.widths[1]} neurons, output error {result.output_error}"


def main() -> None:
    """All of it, in about a minute."""
    timed("published pairs with N <= 6", lambda: published(6))
    timed("published pairs", lambda: published(20))
    for size in (3, 4, 5, 6):
        for count in (2, size, 2 * size, size * (size + 1)):
            timed(f"5 sums of {count} vectors, N = {size}", lambda size=size, count=count: random_pairs(size, count, 5, 0))
        timed(f"5 changed sums, N = {size}", lambda size=size: random_pairs(size, 2 * size, 5, 6))
    timed("a sum of 150 vectors, N = 8", lambda: random_pairs(8, 150, 1, 0))
    timed("dual form, N = 8", lambda: dual_check(8))
    for exact in (False, True):
        for keep in ("outputs", "pair"):
            name = f"pruning 10 000 neurons, {'rationals' if exact else 'floats'}, keeping the {keep}"
            timed(name, lambda exact=exact, keep=keep: pruned(exact, keep))
    random = np.random.default_rng(0)
    X, Y = random.standard_normal((8, 4)), random.standard_normal((8, 2))
    timed("R1, N = 4", lambda: shallow_sdp(X[:4], Y[:4], relu(), bias=1))
    for size in (4, 6, 8):
        timed(f"R5, N = {size}", lambda size=size: conic_frank_wolfe(X[:size], Y[:size], relu(), bias=1))
    line = np.linspace(-1, 1, 100)[:, None]
    timed("R2, N = 100", lambda: line_socp(line, np.sin(5 * line), bias=1))


if __name__ == "__main__":
    main()
