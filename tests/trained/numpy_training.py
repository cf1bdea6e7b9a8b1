"""Networks trained with NumPy alone: Adam on the mean squared error plus a ridge, in double precision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from verify.networks import FullyConnected, leaky_relu
from verify.trained.points import Points


def trained(
    widths: Sequence[int],
    slope: float = 0.0,
    ridge: float = 1e-3,
    *,
    steps: int = 3000,
    seed: int = 0,
    biases: bool = True,
    single: bool = False,
) -> tuple[FullyConnected, Points]:
    """A network of a smooth function on 48 points, and the points; with `single`, rounded to single precision."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (48, widths[0]))
    y = np.stack([np.sin(2 * x[:, 0] + k) * (1 if k % 2 else x[:, -1]) for k in range(widths[-1])], axis=1)
    pairs = list(pairwise(widths))
    weights = [rng.standard_normal((rows, columns)) * np.sqrt(2 / columns) for columns, rows in pairs]
    shifts = [np.zeros(rows) for _, rows in pairs]
    parameters = [*weights, *shifts]
    first, second = [0 * one for one in parameters], [0 * one for one in parameters]
    for step in range(1, steps + 1):
        inside, before = [x], []
        for layer, (weight, shift) in enumerate(zip(weights, shifts, strict=True)):
            before.append(inside[-1] @ weight.T + shift)
            inside.append(np.where(before[-1] > 0, 1.0, slope) * before[-1] if layer + 1 < len(pairs) else before[-1])
        error = 2 * (inside[-1] - y) / len(x)
        # the ridge grows in the first tenth: from the start it would lead to the zero network
        factor = 2 * ridge * min(1.0, 10 * step / steps)
        gradients = [factor * one for one in parameters]
        for layer in reversed(range(len(pairs))):
            gradients[layer] = gradients[layer] + error.T @ inside[layer]
            gradients[len(pairs) + layer] = (gradients[len(pairs) + layer] + error.sum(axis=0)) * biases
            if layer:
                error = (error @ weights[layer]) * np.where(before[layer - 1] > 0, 1.0, slope)
        rate = 5e-3 * (np.cos(np.pi * step / steps) + 1.001) / 2
        for one, gradient, mean, square in zip(parameters, gradients, first, second, strict=True):
            mean += (gradient - mean) / 10
            square += (gradient**2 - square) / 1000
            one -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    if single:
        weights, shifts = ([one.astype(np.float32).astype(np.float64) for one in each] for each in (weights, shifts))
    return FullyConnected(weights, shifts, leaky_relu(slope)), Points(x, y, ridge)
