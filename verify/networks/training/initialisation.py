"""Networks to start training from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from verify.networks.activations import HomogeneousActivation
from verify.networks.fully_connected import FullyConnected


def he_network(
    generator: np.random.Generator,
    widths: Sequence[int],
    activation: HomogeneousActivation | None = None,
    *,
    batch: tuple[int, ...] = (),
    scale: float = 1.0,
    dtype: Any = np.float64,
) -> FullyConnected:
    r"""Weights drawn from :math:`N(0, 2 s^2 / n_{\ell-1})` with s = `scale`, no biases; a batch of them for a `batch` shape.

    Raises
    ------
    TypeError
        `generator` is no `numpy.random.Generator`.
    ValueError
        Fewer than two widths, or one below 1.
    """
    if not isinstance(generator, np.random.Generator):
        raise TypeError(f"generator must be a numpy.random.Generator, got {type(generator).__name__}")
    if len(widths) < 2 or min(widths) < 1:
        raise ValueError(f"widths must be at least two numbers (n_0, ..., n_L), each at least 1, got {tuple(widths)}")
    weights = [
        (generator.standard_normal((*batch, rows, columns)) * (scale * (2 / columns) ** 0.5)).astype(dtype)
        for columns, rows in pairwise(widths)
    ]
    return FullyConnected(weights, activation=activation)
