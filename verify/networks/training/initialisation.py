"""Networks to start training from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from verify.networks.activations import HomogeneousActivation
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import integers, real_number

_PRECISIONS = (np.float64, np.float32, "float64", "float32", np.dtype(np.float64), np.dtype(np.float32), float)


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

    Examples
    --------
    >>> network = he_network(np.random.default_rng(0), (2, 100, 1), batch=(3,))
    >>> print(network.widths, network.batch_shape)
    (2, 100, 1) (3,)

    The variance of the first weights is 2/2:

    >>> print((he_network(np.random.default_rng(0), (2, 10_000)).weights[0]**2).mean().round(1))
    1.0
    """
    if not isinstance(generator, np.random.Generator):
        raise TypeError(f"generator must be a numpy.random.Generator, got {type(generator).__name__}")
    widths = integers("widths", widths, 1)
    if len(widths) < 2:
        raise ValueError(f"widths must be at least two numbers (n_0, ..., n_L), got {widths}")
    batch = integers("batch", batch, 0)
    scale = real_number("scale", scale, exact=False)
    if not isinstance(dtype, type | np.dtype | str) or dtype not in _PRECISIONS:
        raise ValueError(f"dtype must be float64 or float32, got {dtype!r}")
    weights = [
        (generator.standard_normal((*batch, rows, columns)) * (scale * (2 / columns) ** 0.5)).astype(dtype)
        for columns, rows in pairwise(widths)
    ]
    return FullyConnected(weights, activation=activation)
