"""What is found layer by layer and region by region in networks that are not too large: neurons to drop, tripoints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.cones.hidden_layers import prune_hidden_layer
from verify.networks import FullyConnected
from verify.numbers.arithmetic import UndecidedInstances
from verify.piecewise.plotting import _classified
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import TooManyRegions, linear_regions
from verify.trained.networks import Floats

MOST_NEURONS, MOST_POINTS = 400, 64
"""Of networks with more hidden neurons no neurons are dropped; at most so many points must keep their outputs."""
FEW_NEURONS = 40
"""Of networks with more hidden neurons no regions are counted."""
REGIONS = 4_000
"""Regions that are counted, at most."""
BETTER = 1e-9
"""A pruned layer is taken if it keeps the outputs up to this, relative to the largest."""


def pruned(network: FullyConnected, inputs: Floats) -> tuple[FullyConnected, list[int | None]]:
    """The network with fewer neurons, the same outputs on the points and a norm that is not larger; and how many each hidden
    layer keeps, None where a rank is undecided.

    Every hidden layer by itself, from the first; the regularised norm counts the biases.

    Source: feature_learning, Proposition 7.
    """
    kept: list[int | None] = []
    current = network
    outputs = network(inputs)
    scale = max(float(np.abs(outputs).max()), 1e-300)
    for layer in range(1, network.depth):
        try:
            pruning = prune_hidden_layer(current, inputs, layer, bias=1)
        except (UndecidedInstances, ValueError, np.linalg.LinAlgError):
            kept.append(None)
            continue
        if float(np.abs(pruning.network(inputs) - outputs).max()) <= BETTER * scale:
            current = pruning.network
        kept.append(current.widths[layer])
    return current, kept


@dataclass(frozen=True, eq=False)
class Regions:
    """What the linear regions of a network of two inputs show in the box around its points.

    Attributes
    ----------
    box
        The box.
    regions
        Their number.
    tripoints
        Where three classes or more meet, shape ``(k, 2)``; None with fewer than three outputs.
    """

    box: Polytope
    regions: int
    tripoints: npt.NDArray[np.float64] | None


def regions(network: FullyConnected, inputs: Floats) -> Regions | None:
    """The regions in the box around the points, a tenth larger; None if there are too many, or the points are on a line."""
    if network.widths[0] != 2 or sum(network.widths[1:-1]) > FEW_NEURONS:
        return None
    low, high = inputs.min(axis=0), inputs.max(axis=0)
    margin = (high - low) / 10
    if not (margin > 0).all():
        return None
    box = Polytope.box(low - margin, high + margin)
    exact = network.as_exact()
    try:
        cells = list(linear_regions(exact, box, limit=REGIONS))
    except TooManyRegions:
        return None
    if network.widths[-1] < 3:
        return Regions(box, len(cells), None)
    winners: dict[tuple[object, ...], set[tuple[int, ...]]] = {}
    for region in cells:
        for cell, winner in _classified(region):
            for vertex in cell.vertices:
                winners.setdefault(vertex, set()).add(winner)
    meeting = [vertex for vertex, classes in winners.items() if len(classes) > 2]
    points = [[int(x) / int(vertex[-1]) for x in vertex[:-1]] for vertex in meeting]  # type: ignore[call-overload]
    return Regions(box, len(cells), np.array(points, dtype=np.float64).reshape(-1, 2))
