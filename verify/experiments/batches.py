"""Networks and samples of several seeds as one batch: what a seed draws does not depend on the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks import FullyConnected
from verify.networks.training import he_network


def each_seed(
    seeds: Sequence[int], stream: int, draw: Callable[[np.random.Generator], Sequence[npt.NDArray[Any]]]
) -> list[npt.NDArray[Any]]:
    """The arrays that `draw` gives for each seed, stacked along a new first axis; each `stream` of a seed is another one."""
    drawn = [draw(np.random.default_rng([seed, stream])) for seed in seeds]
    return [np.stack(arrays) for arrays in zip(*drawn, strict=True)]


def he_batch(seeds: Sequence[int], stream: int, widths: Sequence[int], dtype: Any = np.float32) -> FullyConnected:
    """`he_network` for each seed, as a batch of ReLU networks with one axis."""
    weights = each_seed(seeds, stream, lambda generator: he_network(generator, widths, dtype=dtype).weights)
    return FullyConnected(weights)


def on_samples(network: FullyConnected, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The values of each network of a batch on its own points, shape ``(seeds, N, n_0) -> (seeds, N, n_L)``."""
    return network(x.swapaxes(0, 1)).swapaxes(0, 1)
