"""The quantities of the theory in a trained network, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.networks._samples import Sample
from verify.networks.leaky_resnet import activation_kernel, path_length, squared_norm, stable_kernel_norm_squared
from verify.trained.layers import MOST_NEURONS, MOST_POINTS, pruned, regions
from verify.trained.networks import Floats, Network
from verify.trained.points import Points
from verify.trained.subjects import live_neurons

JACOBIANS = 64
"""Points at which Jacobians are taken, evenly chosen; the kernel's trace is that of as many."""
LARGEST_JACOBIAN = 2**19
"""Entries of all Jacobians of one layer that are computed at a time; fewer points are taken where it would be more."""
BY_GRAM = 256
"""Matrices with more rows and columns take a third of the time by their Gram matrix."""
GAP = 10.0
"""A rank is decided where a singular value is at least so many times the next one: random square matrices often reach 2."""
CLEAR = 1e-2
"""Below this part of the largest one, a gap between singular values is one between small ones, and decides no rank."""
GAMMA = 1e-3
"""Of the stable norms of a leaky ResNet: the part of the largest eigenvalue of the kernel that is added to all."""

OF_SLOPES = (
    "squared norm less rank x depth",
    "bound B on the distance to isometries",
    "lower bound of the squared norm by the Jacobian",
)
"""What bounds the norm where the slopes of the activation are in [-1, 1]."""

Number: TypeAlias = float | int | None

MEANINGS: Mapping[str, str] = {
    "mean squared error": "the mean over the points of the squared norm of what is wanted less what the network gives",
    "squared norm of weights and biases": "the sum of the squares of all parameters, which the ridge multiplies; of a leaky "
    "ResNet each layer counts as its step",
    "squared norm, mean over layers": "the squared norm of weights and biases over the depth",
    "bottleneck rank": "the least rank of a weight matrix between the first and the last; a rank is where a singular "
    "value is at least ten times the next one, and the full one where none is",
    "gap below the bottleneck rank": "the factor from the last singular value that counts to the next one",
    "rank of the Jacobian": "where the gap is of the medians over the points of its singular values",
    "squared norm less rank x depth": "what the network pays beyond the least that its rank costs",
    "bound B on the distance to isometries": "the squared norm less rank x depth, less twice the logarithm of the largest "
    "pseudo-determinant of the "
    "Jacobian; the smaller, the nearer most layers are to isometries of the rank",
    "lower bound of the squared norm by the Jacobian": "depth x the sum of s^(2/depth) over the singular values s of the "
    "Jacobian, largest over the points",
    "imbalance of a neuron, largest": "| |w|^2 + b^2 - |v|^2 | over the mean of (|w|^2 + b^2 + |v|^2) / 2 in its layer, for "
    "weights w and bias b before a neuron and weights v after it; 0 at every minimum with a ridge on all parameters",
    "trace of the tangent kernel, mean over points": "the squared norm of the derivatives of the outputs by all parameters",
}
"""What the main quantities are, in a line each."""


@dataclass(frozen=True, eq=False)
class Quantities:
    """What was measured.

    Attributes
    ----------
    layers
        One mapping of names to numbers for each layer.
    spectra
        Singular values in falling order, by kind and by layer; NaN beyond their number.
    whole
        Numbers of the whole network, by name.
    notes
        What was left out, and why.
    """

    layers: Sequence[Mapping[str, Number]]
    spectra: Mapping[str, Sequence[Floats]]
    whole: Mapping[str, Number]
    notes: Sequence[str] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Lists and numbers; what is not finite is None."""
        return {
            "layers": [{name: _plain(value) for name, value in row.items()} for row in self.layers],
            "spectra": {kind: [[_plain(value) for value in values] for values in rows] for kind, rows in self.spectra.items()},
            "whole": {name: _plain(value) for name, value in self.whole.items()},
            "notes": list(self.notes),
        }


def _plain(value: Any) -> Number:
    if value is None or isinstance(value, int):
        return value
    return float(value) if np.isfinite(value) else None


def quantities(
    network: Network, points: Points, progress: Callable[[str], None] = lambda _: None, *, brief: bool = False
) -> Quantities:
    """The quantities of a network in floats at its points; without regions and kept neurons, which take longest, if `brief`."""
    if isinstance(network, FullyConnected):
        return _of_fully_connected(network, points, progress, brief=brief)
    if isinstance(network, LeakyResNet):
        return _of_leaky_resnet(network, points, progress)
    return _of_circular_cnn(network, points, progress)


def decided_rank(values: Floats) -> tuple[int, float]:
    """The rank at which singular values in falling order have their largest gap, and the gap: the factor between two of them.

    Only what is at least 1/100 of the largest can be above the gap; all of them, with the gap 1, where none is as large as 10.
    """
    values = values[np.isfinite(values)]
    if not len(values) or values[0] == 0:
        return 0, np.inf
    below = np.maximum(values[1:], values[0] * 2.0**-52 * len(values))
    ratios = np.where(values[:-1] >= CLEAR * values[0], values[:-1] / below, 0.0)
    if not len(ratios) or ratios.max() < GAP:
        return len(values), 1.0
    place = int(np.argmax(ratios))
    return place + 1, float(ratios[place])


def chosen(count: int, wanted: int) -> Any:
    """Indices of at most so many of `count` points, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, wanted)).astype(int))


def singular_values_of(matrix: Floats) -> Floats:
    """In falling order; of large matrices from the smaller Gram matrix, which shows what is above 1e-8 of the largest."""
    if min(matrix.shape) <= BY_GRAM:
        return np.asarray(np.linalg.svd(matrix, compute_uv=False))
    gram = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[::-1], 0.0)))


def _stable_rank(values: Floats) -> float:
    return float((values**2).sum() / values[0] ** 2) if len(values) and values[0] > 0 else 0.0


def _of_fully_connected(network: FullyConnected, points: Points, progress: Callable[[str], None], *, brief: bool) -> Quantities:
    x = points.inputs
    preactivations = network.preactivations(x)
    few_points = x[chosen(len(x), _points_at_once(network))]
    progress("Jacobians")
    backward, shares, trace = _backward(network, few_points)
    forward = _forward(network, few_points)
    alive = live_neurons(network)
    layers: list[dict[str, Number]] = []
    spectra: dict[str, list[Floats]] = {
        "weights": [],
        "representations": [],
        "Jacobians to the layer": forward,
        "Jacobians from it": backward,
    }
    for place, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        progress(f"layer {place + 1} of {network.depth}")
        values = singular_values_of(weight)
        rank, gap = decided_rank(values)
        squares = float((bias**2).sum())
        row: dict[str, Number] = {
            "layer": place + 1,
            "inputs": weight.shape[1],
            "outputs": weight.shape[0],
            "squared norm": float((weight**2).sum()) + squares,
            "of it biases": squares,
            "rank": rank,
            "gap": gap,
            "stable rank": _stable_rank(values),
            "largest singular value": float(values[0]),
        }
        hidden = preactivations[place]
        if place + 1 < network.depth:
            kept = alive[place]
            incoming, outgoing = (weight**2).sum(axis=1) + bias**2, (network.weights[place + 1] ** 2).sum(axis=0)
            mean = max(float((incoming + outgoing)[kept].mean()) / 2, 1e-300)
            row["dead neurons"] = int((~kept).sum())
            row["imbalance"] = float(np.abs(incoming - outgoing)[kept].max()) / mean
            hidden = network.activation.apply(hidden)
        representation_values = singular_values_of(hidden) / np.sqrt(len(x))
        row["representation rank"], row["representation gap"] = decided_rank(representation_values)
        row["mean square of the representation"] = float((hidden**2).sum() / len(x))
        row["variance of the representation"] = float(((hidden - hidden.mean(axis=0)) ** 2).sum() / len(x))
        row["share of the kernel"] = shares[place]
        spectra["weights"].append(values)
        spectra["representations"].append(representation_values)
        layers.append(row)
    if not brief:
        _add_kept_neurons(network, points, layers)
    norm = float(network.parameter_norm_squared)
    jacobians = np.linalg.svd(network.jacobian(few_points), compute_uv=False)
    steep = abs(float(network.activation.negative)) > 1
    whole = _whole(network.depth, norm, spectra["weights"], jacobians, bounds=not steep) | {
        "trace of the tangent kernel, mean over points": trace,
        "distance of a neuron to its kink, least": min(
            (
                float(np.abs(preactivation[:, kept]).min())
                for preactivation, kept in zip(preactivations[:-1], alive, strict=True)
            ),
            default=np.inf,
        ),
        "imbalance of a neuron, largest": max(
            (float(row["imbalance"] or 0) for row in layers if "imbalance" in row), default=0.0
        ),
    }
    return Quantities(
        layers,
        spectra,
        whole | ({} if brief else _of_regions(network, points)) | _losses(preactivations[-1], points, norm),
        ["no bounds of the norm by ranks and Jacobians: they are of activations with slopes from -1 to 1"] if steep else [],
    )


def _add_kept_neurons(network: FullyConnected, points: Points, layers: Sequence[dict[str, Number]]) -> None:
    if sum(network.widths[1:-1]) > MOST_NEURONS:
        return
    _, kept = pruned(network, points.inputs[chosen(len(points.inputs), MOST_POINTS)])
    for row, count in zip(layers, kept, strict=False):
        row["kept neurons"] = count


def _of_regions(network: FullyConnected, points: Points) -> dict[str, Number]:
    cells = regions(network, points.inputs)
    if cells is None:
        return {}
    whole: dict[str, Number] = {"linear regions in the box of the points": cells.regions}
    return whole if cells.tripoints is None else whole | {"tripoints": len(cells.tripoints)}


def _points_at_once(network: FullyConnected) -> int:
    entries = max(network.widths) * max(network.widths[0], network.widths[-1])
    return int(min(JACOBIANS, max(1, LARGEST_JACOBIAN // max(entries, 1))))


def _whole(depth: int, norm: float, weights: Sequence[Floats], jacobians: Floats, *, bounds: bool) -> dict[str, Number]:
    """What the theorems on bottlenecks speak of: the rank of the Jacobian, and if `bounds`, what the norm exceeds depth times
    it by.
    """
    typical = np.median(jacobians, axis=0)
    rank, gap = decided_rank(typical)
    hidden = [decided_rank(values) for values in weights[1:-1] or weights]
    narrow, narrow_gap = min(hidden, key=lambda pair: (pair[0], -pair[1]))
    kept = jacobians[:, :rank]
    logs = np.log(np.maximum(kept, 1e-300)).sum(axis=1)
    best = float(logs.max()) if rank else 0.0
    schatten = float((jacobians ** (2 / depth) * (jacobians > 1e-12 * jacobians[:, :1])).sum(axis=1).max()) * depth
    whole: dict[str, Number] = {
        "depth": depth,
        "squared norm of weights and biases": norm,
        "squared norm, mean over layers": norm / depth,
        "rank of the Jacobian": rank,
        "gap below the rank of the Jacobian": gap,
        "bottleneck rank": narrow,
        "gap below the bottleneck rank": narrow_gap,
        "squared norm less rank x depth": norm - rank * depth,
        "2 log of the pseudo-determinant of the Jacobian, largest": 2 * best,
        "bound B on the distance to isometries": norm - rank * depth - 2 * best,
        "lower bound of the squared norm by the Jacobian": schatten,
    }
    return whole if bounds else {name: value for name, value in whole.items() if name not in OF_SLOPES}


def _losses(outputs: Floats, points: Points, norm: float) -> dict[str, Number]:
    if points.targets is None:
        return {}
    cost = float(((outputs - points.targets) ** 2).reshape(len(outputs), -1).sum(axis=1).mean())
    losses: dict[str, Number] = {"mean squared error": cost}
    if points.ridge is not None:
        losses |= {"ridge": points.ridge, "loss": cost + points.ridge * norm}
    return losses


def _forward(network: FullyConnected, x: Floats) -> list[Floats]:
    """The median singular values of the Jacobians of all layers."""
    medians = []
    jacobian = np.broadcast_to(network.weights[0], (len(x), *network.weights[0].shape))
    values = network.preactivations(x)
    for place in range(network.depth):
        if place:
            active = np.asarray(network.activation.derivative(values[place - 1]))[..., None] * jacobian
            jacobian = np.matmul(network.weights[place], active)
        medians.append(np.median(np.linalg.svd(jacobian, compute_uv=False), axis=0))
    return medians


def _backward(network: FullyConnected, x: Floats) -> tuple[list[Floats], list[float], float]:
    """The median singular values of the Jacobians of the outputs by all layers, the part of the trace of the neural tangent
    kernel that each layer has, and the mean trace of the points.
    """
    sample = Sample(network, x)
    squares = np.zeros((network.depth, len(x)))
    medians = []
    outputs = network.widths[-1]
    for depth, rows in zip(reversed(range(network.depth)), sample.backward(slice(0, outputs), by_point=True), strict=True):
        values = sample.activation(depth, True)
        matrices = np.broadcast_to(np.eye(outputs), (len(x), outputs, outputs)) if rows is None else np.moveaxis(rows, -3, -1)
        medians.append(np.median(np.linalg.svd(matrices, compute_uv=False), axis=0))
        squares[depth] = (values * values).sum(axis=-2) * (matrices**2).sum(axis=(-2, -1))
    total = float(squares.sum())
    return medians[::-1], [float(row_sum / total) if total else 0.0 for row_sum in squares.sum(axis=1)], total / len(x)


def _of_leaky_resnet(network: LeakyResNet, points: Points, progress: Callable[[str], None]) -> Quantities:
    x = points.inputs.T
    path = network.activations(x)
    leak, steps = float(network.leak), np.asarray(network.steps)
    bias = network.has_bias
    layers: list[dict[str, Number]] = []
    spectra: dict[str, list[Floats]] = {"weights / leak": [], "activations": []}
    for place, weight in enumerate(network.weights):
        progress(f"layer {place + 1} of {network.depth}")
        before, after = path[place], path[place + 1]
        values = singular_values_of(weight) / (leak or 1.0)
        activation_values = singular_values_of(after) / np.sqrt(x.shape[1])
        spectra["weights / leak"].append(values)
        spectra["activations"].append(activation_values)
        rank, gap = decided_rank(values)
        row: dict[str, Number] = {
            "layer": place + 1,
            "step": float(steps[place]),
            "squared norm": float(steps[place] * squared_norm(weight)),
            "rank": rank,
            "gap": gap,
            "stable rank": _stable_rank(values),
            "activation rank": decided_rank(activation_values)[0],
            "speed": float(np.sqrt(squared_norm(after - before) / max(float(squared_norm(after)), 1e-300)) / steps[place]),
        }
        if leak > 0:
            kernel = activation_kernel(before, bias=bias)
            gamma = GAMMA * float(np.linalg.norm(kernel, 2))
            moved = (after - before) / (steps[place] * leak)
            identity = float(stable_kernel_norm_squared(before, kernel, gamma)) if gamma else 0.0
            kinetic = float(stable_kernel_norm_squared(moved, kernel, gamma)) if gamma else 0.0
            row |= {"cost of identity": identity, "kinetic": kinetic, "-2H/leak": identity - kinetic}
            row["separation"] = identity / kinetic if kinetic else None
        layers.append(row)
    norm = float(network.parameter_norm_squared)
    whole: dict[str, Number] = {
        "depth": network.depth,
        "leak": leak,
        "squared norm of weights and biases": norm,
        "path length": float(path_length(np.stack(path))),
    }
    energies = [float(row["-2H/leak"] or 0) for row in layers if "-2H/leak" in row]
    if energies:
        middle = energies[len(energies) // 4 : max(len(energies) // 4 + 1, 3 * len(energies) // 4)]
        whole |= {
            "-2H/leak, median over the middle layers": float(np.median(middle)),
            "-2H/leak, range over the middle layers": max(middle) - min(middle),
        }
    outputs = path[-1].T
    return Quantities(layers, spectra, whole | _losses(outputs, points, norm))


def _of_circular_cnn(network: CircularCNN, points: Points, progress: Callable[[str], None]) -> Quantities:
    values = network.preactivations(points.inputs)
    layers: list[dict[str, Number]] = []
    spectra: dict[str, list[Floats]] = {"frequency blocks": [], "all frequencies": []}
    pixels = int(np.prod(network.image_shape))
    for place, (kernel, bias) in enumerate(zip(network.kernels, network.biases, strict=True)):
        progress(f"layer {place + 1} of {network.depth}")
        by_frequency = np.asarray(network.singular_values_by_frequency(place + 1))
        flat = by_frequency.reshape(pixels, -1)
        all_values = np.sort(flat.ravel())[::-1]
        spectra["frequency blocks"].append(flat.max(axis=1))
        spectra["all frequencies"].append(all_values)
        rank, gap = decided_rank(all_values)
        kept = flat > (all_values[rank] if rank < len(all_values) else -1.0)
        hidden = (
            values[place]
            if place + 1 == network.depth
            else np.asarray(network.activation(values[place].reshape(len(values[place]), -1)))
        )
        layers.append(
            {
                "layer": place + 1,
                "inputs": kernel.shape[1],
                "outputs": kernel.shape[0],
                "squared norm": float((kernel**2).sum() + (bias**2).sum()),
                "of it biases": float((bias**2).sum()),
                "rank": rank,
                "gap": gap,
                "stable rank": _stable_rank(all_values),
                "largest singular value": float(all_values[0]),
                "frequencies": int(kept.any(axis=1).sum()),
                "mean square of the representation": float((hidden**2).sum() / len(hidden)),
            }
        )
    norm = float(network.parameter_norm_squared)
    hidden_ranks = [(int(row["rank"] or 0), -float(row["gap"] or 0)) for row in layers[1:-1] or layers]
    narrow = min(hidden_ranks)
    whole: dict[str, Number] = {
        "depth": network.depth,
        "pixels": pixels,
        "squared norm of weights and biases": norm,
        "squared norm, mean over layers": norm / network.depth,
        "bottleneck rank": narrow[0],
        "gap below the bottleneck rank": -narrow[1],
    }
    return Quantities(layers, spectra, whole | _losses(np.asarray(values[-1]), points, norm))
