"""Extreme values of a network on a polytope, at the vertices of its float cells; the last word is in rationals."""

from __future__ import annotations

import functools
import math

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import floats
from verify.piecewise.bracket import Bracket
from verify.piecewise.cells.integer_network import affine, integer_network, read_only
from verify.piecewise.skeleton.bounds import SMALLEST, Evaluator
from verify.piecewise.skeleton.cells import FloatCells
from verify.piecewise.skeleton.cut import Floats, in_one_scale
from verify.piecewise.skeleton.layout import in_blocks
from verify.piecewise.skeleton.proof import ABOVE, ExactVertices

CANDIDATES = 1000
"""So many vertices at most are computed as rationals for one extreme value."""

METHOD = "cells"


def extreme_values(cells: FloatCells, exact: FullyConnected) -> tuple[tuple[Bracket, ...], tuple[Bracket, ...]] | None:
    """Minima and maxima of the outputs of `exact`, a network in rationals with the hidden layers of the proved `cells`.

    The network is affine on each cell, so that its extreme values are taken at vertices. Values in floats, with bounds of
    their errors and of what they change from a float vertex to the true one, leave a few vertices, which are compared in
    rationals. None if they leave more than `CANDIDATES`, as on a plateau, or if the output layer is beyond floats.
    """
    values_and_errors = _values(cells, exact)
    if values_and_errors is None:
        return None
    values, errors = values_and_errors
    decide = ExactVertices(integer_network(cells.network), cells.polytope.cell, cells._skeleton)
    network = integer_network(exact)
    outputs = functools.cache(lambda vertex: network.value(decide.point(vertex)))
    extremes = []
    for sign in (-1, 1):
        brackets = []
        for output, column in enumerate(sign * values.T):
            candidates = np.flatnonzero(column + errors >= (column - errors).max()).tolist()
            if len(candidates) > CANDIDATES:
                return None
            best = max(candidates, key=lambda vertex: sign * outputs(vertex)[output])
            value, point = outputs(best)[output], affine(decide.point(best))
            brackets.append(Bracket(value, value, read_only(point, (len(point),)), METHOD))
        extremes.append(tuple(brackets))
    return extremes[0], extremes[1]


def _values(cells: FloatCells, exact: FullyConnected) -> tuple[Floats, Floats] | None:
    """The outputs at the float vertices, shape ``(V, n_L)``, times powers of two; and how far the true ones are."""
    if cells.proof is None:
        raise AssertionError("cells without a proof may lack a vertex")
    weight, bias = (floats(numbers[-1]) for numbers in (exact.weights, exact.biases))
    for nearest, true in ((weight, exact.weights[-1]), (bias, exact.biases[-1])):
        if not np.all(np.isfinite(nearest) & ((np.abs(nearest) > SMALLEST) | (true == 0))):
            return None
    hidden, width = cells.network, len(bias)
    # an evaluator stops before the last layer, which is one more here
    weights = [*hidden.weights[:-1], weight, np.zeros((0, width))]
    longer = in_one_scale(FullyConnected(weights, [*hidden.biases[:-1], bias, np.zeros(0)], hidden.activation))
    evaluator = Evaluator(longer, cells.polytope.cell, cells._skeleton.layout)
    slope = max(map(abs, evaluator.slopes))
    reach = math.prod(slope * size.spectral for size in evaluator.sizes[1:-1]) * evaluator.sizes[-1].row
    values, errors = np.empty((len(cells.vertices), width)), np.empty(len(cells.vertices))
    for block in in_blocks(len(values), max(longer.widths)):
        for here in evaluator.at(cells.vertices[block]):
            if here.layer == hidden.depth:  # before the evaluator writes over it
                values[block], errors[block] = here.values, ABOVE * (here.error + reach * cells.proof.errors[block])
    return values, errors
