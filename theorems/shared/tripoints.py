"""Points where three classes meet, exactly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from flint import fmpq

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened
from verify.piecewise import Polytope, linear_regions


@widened
def tripoints(scores: FullyConnected, polytope: Polytope) -> Array:
    """The points of the polytope in the closures of three classes or more, as rationals, shape ``(count, n_0)``.

    A class is the open set where its score is larger than all others; the points are isolated, and all of them are found, in
    the plane. The differences of the scores are made hidden neurons: then each linear region lies in one class, or in none, and
    as regions meet face to face, such a point is a vertex of all regions around it.

    Raises
    ------
    ValueError
        The network has not two inputs, or fewer than three outputs.
    TooManyRegions
        There are too many linear regions.
    """
    if scores.widths[0] != 2 or scores.widths[-1] < 3:
        raise ValueError(f"scores must be a network of the plane with three outputs or more, got the widths {scores.widths}")
    # three differences of floats are not rounded such that one is the sum of the two others
    exact = scores.as_exact()
    classes = exact.widths[-1]
    pairs = list(combinations(range(classes), 2))
    rows = rationals(np.array([[(c == a) - (c == b) for c in range(classes)] for a, b in pairs]))
    compared = FullyConnected(
        [*exact.weights[:-1], rows @ exact.weights[-1], rationals(np.ones((1, len(pairs)), dtype=np.int64))],
        [*exact.biases[:-1], rows @ exact.biases[-1], rationals([0])],
        exact.activation,
    )
    met: dict[tuple[fmpq, ...], set[int]] = {}
    for region in linear_regions(compared, polytope):
        signs = dict(zip(pairs, region.pattern[-1], strict=True))
        ahead = [c for c in range(classes) if all(signs[pair] == (1 if pair[0] == c else -1) for pair in pairs if c in pair)]
        for vertex in region.cell.vertices if ahead else ():
            met.setdefault(vertex, set()).update(ahead)
    found = [[fmpq(x, vertex[-1]) for x in vertex[:-1]] for vertex, here in met.items() if len(here) >= 3]
    return np.array(found, dtype=object).reshape(len(found), 2)
