"""Quantities of networks that are none of the engine's kinds: by layer, and of the function where it is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from verify.trained.evaluated import LARGEST_DERIVATIVES
from verify.trained.points import Points
from verify.trained.programs import Activation, Floats
from verify.trained.quantities import JACOBIANS, Number, Quantities, chosen, decided_rank, singular_values_of
from verify.trained.traced import LayersAlone, NamedWeight, TracedNetwork

ASKED = "claims are asked that speak of the points, of what the layers and the network give there, and of Jacobians"
"""Of networks that are no chain."""


def _of_layer(place: int, layer: NamedWeight) -> tuple[dict[str, Number], Floats]:
    values = singular_values_of(layer.matrix)
    rank, gap = decided_rank(values)
    largest = float(values[0])
    return {
        "layer": place + 1,
        "inputs": layer.matrix.shape[1],
        "outputs": layer.matrix.shape[0],
        "squared norm": layer.squared_norm,
        "of it biases": 0.0 if layer.bias is None else float((layer.bias**2).sum()),
        "rank": rank,
        "gap": gap,
        "stable rank": float((values**2).sum() / largest**2) if largest > 0 else 0.0,
        "largest singular value": largest,
    }, values


def of_layers_alone(network: LayersAlone) -> Quantities:
    """Of each weight by itself."""
    measured = [_of_layer(place, layer) for place, layer in enumerate(network.layers)]
    whole: dict[str, Number] = {"depth": network.depth, "squared norm of weights and biases": network.parameter_norm_squared}
    names = ", ".join(layer.name for layer in network.layers)
    return Quantities(
        [row for row, _ in measured], {"weights": [values for _, values in measured]}, whole, [f"the weights are {names}"]
    )


def of_traced(network: TracedNetwork, points: Points, progress: Callable[[str], None] = lambda _: None) -> Quantities:
    """By layer, of the Jacobian at the points, and of the losses."""
    program = network.program
    progress("layers")
    measured = [_of_layer(place, layer) for place, layer in enumerate(network.layers)]
    norm = network.parameter_norm_squared
    whole: dict[str, Number] = {
        "depth": network.depth,
        "squared norm of weights and biases": norm,
        "squared norm, mean over layers": norm / network.depth,
    }
    spectra: dict[str, Sequence[Floats]] = {"weights": [values for _, values in measured]}
    notes = _left_out(network)
    size = math.prod(program.input_shape)
    if size * max(map(math.prod, program.shapes)) <= LARGEST_DERIVATIVES:
        progress("Jacobians")
        few_points = points.inputs[chosen(len(points.inputs), JACOBIANS)]
        values = np.linalg.svd(program.jacobians(few_points), compute_uv=False)
        typical = np.median(values, axis=0)
        rank, gap = decided_rank(typical)
        whole |= {
            "rank of the Jacobian": rank,
            "gap below the rank of the Jacobian": gap,
            "largest slope": float(values[:, 0].max()),
        }
        spectra["Jacobian"] = [typical]
    else:
        notes.append(f"Jacobians are not computed: {size} inputs and values of {max(map(math.prod, program.shapes))} entries")
    outputs = network(points.inputs)
    if points.targets is not None:
        cost = float(((outputs - points.targets) ** 2).reshape(len(outputs), -1).sum(axis=1).mean())
        whole["mean squared error"] = cost
        if points.ridge is not None:
            whole |= {"ridge": points.ridge, "loss": cost + points.ridge * norm}
    return Quantities([row for row, _ in measured], spectra, whole, notes)


def _left_out(network: TracedNetwork) -> list[str]:
    """Which quantities are not those of this network, and why."""
    smooth = [
        step.operation.words
        for step in network.program.steps
        if isinstance(step.operation, Activation) and not step.operation.is_homogeneous
    ]
    if smooth:
        names = ", ".join(dict.fromkeys(smooth))
        return [f"no imbalance, bounds and kinks: they need one homogeneous activation, and this network has {names}", ASKED]
    if network.chain is None:
        return ["no imbalance and bounds: they are of chains of layers, and this network is none, or a very large one", ASKED]
    return ["claims are asked of the matrices that convolutions and pooling are, whose norm is not that of the parameters"]
