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
    """The arrays that `draw` gives for each seed, stacked along a new first axis; each `stream` of a seed is another one.

    Examples
    --------
    What seed 7 draws does not depend on the other seeds:

    >>> def draw(generator):
    ...     return [generator.standard_normal(3)]
    >>> print((each_seed([1, 7], 0, draw)[0][1] == each_seed([7], 0, draw)[0][0]).all())
    True
    """
    drawn = [draw(np.random.default_rng([seed, stream])) for seed in seeds]
    return [np.stack(arrays) for arrays in zip(*drawn, strict=True)]


def he_batch(seeds: Sequence[int], stream: int, widths: Sequence[int], dtype: Any = np.float32) -> FullyConnected:
    """`he_network` for each seed, as a batch of ReLU networks with one axis.

    Examples
    --------
    >>> networks = he_batch([0, 1, 2], 0, (2, 5, 1))
    >>> print(networks.batch_shape, networks.widths)
    (3,) (2, 5, 1)
    """
    weights = each_seed(seeds, stream, lambda generator: he_network(generator, widths, dtype=dtype).weights)
    return FullyConnected(weights)


def on_samples(network: FullyConnected, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The values of each network of a batch on its own points, shape ``(seeds, N, n_0) -> (seeds, N, n_L)``.

    Examples
    --------
    :math:`x` and :math:`10x`, each on two points of its own:

    >>> networks = FullyConnected([np.array([[[1.0]], [[10.0]]])])
    >>> print(on_samples(networks, np.array([[[1.0], [2.0]], [[3.0], [4.0]]]))[..., 0])
    [[ 1.  2.]
     [30. 40.]]
    """
    return network(x.swapaxes(0, 1)).swapaxes(0, 1)
