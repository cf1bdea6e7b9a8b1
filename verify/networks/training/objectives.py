"""What all objectives share: a flat vector of parameters with views as matrices, the ridge, and the checks of samples."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from verify.numbers.arithmetic import Array, array_module, is_exact


class Trainable(Protocol):
    """What training needs of a network."""

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of networks."""

    @property
    def is_exact(self) -> bool:
        """Whether the parameters are rationals or balls."""

    @property
    def parameters(self) -> tuple[Array, ...]:
        """What is trained."""

    def with_parameters(self, parameters: Sequence[Array], /) -> Any:
        """The network with other values of the parameters."""


class Objective(ABC):
    """A loss on data plus a ridge, as a function of a flat vector of parameters, and of its views as blocks.

    Attributes
    ----------
    flat, flat_gradient
        One-dimensional, in the order of memory.
    parameters, gradient
        The same as blocks ``(*batch, ...)``, views.
    """

    def __init__(
        self,
        network: Trainable,
        blocks: Sequence[Array],
        shares: Sequence[Array] | None = None,
        *,
        batch_last: bool = False,
    ) -> None:
        """`blocks` are the initial parameters with all batch axes; `shares` weight the squares of each block in the norm."""
        self._network = network
        batch, xp = network.batch_shape, array_module(blocks[0])
        sizes = [math.prod(block.shape[len(batch) :]) for block in blocks]
        total = sum(sizes)
        self.flat, self.flat_gradient = (xp.empty(total * math.prod(batch), dtype=blocks[0].dtype) for _ in range(2))
        vectors = [
            xp.moveaxis(flat.reshape((total, *batch)), 0, -1) if batch_last else flat.reshape((*batch, total))
            for flat in (self.flat, self.flat_gradient)
        ]
        self._vector, self._gradient_vector = vectors
        self.parameters, self.gradient = list[Array](), list[Array]()
        for vector, views in zip(vectors, (self.parameters, self.gradient), strict=True):
            start = 0
            for size, block in zip(sizes, blocks, strict=True):
                views.append(vector[..., start : start + size].reshape(block.shape))
                start += size
        for view, block in zip(self.parameters, blocks, strict=True):
            view[...] = block
        self._shares: Array | None = None
        if shares is not None:
            repeated = [xp.broadcast_to(share[..., None], (*batch, size)) for share, size in zip(shares, sizes, strict=True)]
            self._shares = xp.concatenate(repeated, axis=-1)

    def evaluate(self, ridge: Any) -> Array:
        """Loss plus `ridge` times the squared norm, shape ``batch``; fills the gradient."""
        value = self._loss()
        if ridge == 0:
            return value
        squared = self._vector if self._shares is None else self._vector * self._shares
        self._gradient_vector += 2 * ridge * squared
        if is_exact(self.flat):
            return np.asarray(value + ridge * (self._vector * squared).sum(axis=-1), dtype=object)
        objective: Array = value + ridge * array_module(self.flat).einsum("...p,...p->...", self._vector, squared)
        return objective

    def network(self) -> Any:
        """The network with the present parameters."""
        return self._network.with_parameters(self._arrays(self.parameters))

    def gradient_arrays(self) -> tuple[Array, ...]:
        """The gradient in the shapes of the network's parameters; copies."""
        return tuple(array.copy() for array in self._arrays(self.gradient))

    @abstractmethod
    def _loss(self) -> Array:
        """The loss; its gradient is written to `gradient`."""

    @abstractmethod
    def _arrays(self, blocks: Sequence[Array]) -> list[Array]:
        """Blocks in the shapes and the order of the network's parameters; views."""


def check_sample(network: Trainable, x: Array, targets: Array, wanted: tuple[int | str, ...], trailing: int) -> None:
    """Check the shapes of a sample whose shapes end in `trailing` axes beside those of the batch.

    Raises
    ------
    ValueError
        They do not fit, where `wanted` are the last axes of the targets.
    """
    if targets.ndim < trailing or targets.shape[-trailing:] != wanted:
        raise ValueError(
            f"targets must have shape (..., {', '.join(map(str, wanted))}), one value for each point of x, got {targets.shape}"
        )
    for name, array in (("x", x), ("targets", targets)):
        try:
            fits = np.broadcast_shapes(array.shape[: array.ndim - trailing], network.batch_shape) == network.batch_shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"the axes of {name} before its points must broadcast to the batch {network.batch_shape}, "
                f"got {name} of shape {array.shape}"
            )
