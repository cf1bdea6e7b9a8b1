"""A trained network as claims see it: a batch of one, in floats or on rationals, at chosen points and layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from verify.arithmetic import Array, is_exact, rationals
from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.trained.networks import Network, each_parameter
from verify.trained.points import Points

SAMPLE = 16
"""Points of a sample as a claim takes it, at most: evenly chosen."""
EXACT_SAMPLE = 4
"""The same, of what is decided on rationals, and of claims that are dear."""
PLACES = 4
"""Places at which a claim is asked: points and layers, evenly chosen."""


class CannotAsk(ValueError):
    """A claim speaks of something that this network does not have: the reason, in a few words."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A network, a batch of one, with its points as rows.

    Attributes
    ----------
    network
        As it was read; of images on a ring, on a torus of the same pixels.
    inputs, targets
        Shapes ``(N, n_0)`` and ``(N, n_L)``, pixels and channels in a row; no targets if they are not known.
    ridge
        None if it is not known.
    """

    network: Network
    inputs: Array
    targets: Array | None
    ridge: Any

    @classmethod
    def of(cls, network: Network, points: Points, sample: int = SAMPLE) -> Subject:
        """The network and a sample of its points."""
        kept = np.unique(np.linspace(0, len(points.inputs) - 1, min(len(points.inputs), sample)).astype(int))
        targets = None if points.targets is None else points.targets[kept].reshape(len(kept), -1)
        return cls(_batch_of_one(network), points.inputs[kept].reshape(len(kept), -1), targets, points.ridge)

    def exact(self, first: Sequence[int] = ()) -> Subject:
        """The same on rationals, with few points: these, and others up to `EXACT_SAMPLE`."""
        others = [k for k in range(len(self.inputs)) if k not in first]
        kept = [*dict.fromkeys(first), *others][: max(EXACT_SAMPLE, len(set(first)))]
        targets = None if self.targets is None else rationals(self.targets[kept])
        ridge = None if self.ridge is None else rationals(self.ridge)[()]
        return Subject(self.network.as_exact(), rationals(self.inputs[kept]), targets, ridge)

    def with_few_points(self, count: int = EXACT_SAMPLE) -> Subject:
        """The same with the first few points only."""
        targets = None if self.targets is None else self.targets[:count]
        return Subject(self.network, self.inputs[:count], targets, self.ridge)

    def moved(self, rng: np.random.Generator) -> Subject:
        """The same with every number moved by up to two units in its last place: see `verify.checker.search.rounding`."""

        def change(values: Array) -> Array:
            return np.asarray(values * (1 + rng.integers(-2, 3, size=values.shape) * 2.0**-52))

        targets = None if self.targets is None else change(self.targets)
        return replace(self, network=each_parameter(self.network, change), inputs=change(self.inputs), targets=targets)

    @property
    def is_exact(self) -> bool:
        """Whether its numbers are rationals."""
        return self.network.is_exact

    @cached_property
    def dense(self) -> FullyConnected:
        """The network with matrices; that of a convolutional network has them repeated."""
        if isinstance(self.network, FullyConnected):
            return self.network
        if isinstance(self.network, CircularCNN):
            return self.network.as_fully_connected()
        raise CannotAsk("it is no fully connected network")

    @cached_property
    def leaky(self) -> LeakyResNet:
        """The network, if it is a leaky ResNet."""
        if not isinstance(self.network, LeakyResNet):
            raise CannotAsk("it is no leaky ResNet")
        return self.network

    @cached_property
    def circular(self) -> CircularCNN:
        """The network, if it is a convolutional one."""
        if not isinstance(self.network, CircularCNN):
            raise CannotAsk("it is no convolutional network")
        return self.network

    @cached_property
    def depth(self) -> int:
        """Number of layers."""
        return self.network.depth

    @cached_property
    def size(self) -> int:
        """Number of parameters."""
        return sum(int(one.size) for one in self.network.parameters)

    @cached_property
    def neurons(self) -> int:
        """Number of hidden neurons."""
        return self.network.width * self.depth if isinstance(self.network, LeakyResNet) else sum(self.dense.widths[1:-1])

    @cached_property
    def slope(self) -> Array:
        """Slope of the activation for negative arguments, shape ``(1,)``."""
        if isinstance(self.network, LeakyResNet):
            return self.number(0)
        slope = self.network.activation.negative
        return np.broadcast_to(self.array(slope), (1,))

    def number(self, value: Any) -> Array:
        """A number in the arithmetic of the network, shape ``(1,)``."""
        return rationals([value]) if self.is_exact else np.array([float(value)])

    def array(self, value: Any) -> Array:
        """Numbers in the arithmetic of the network."""
        if self.is_exact or is_exact(value):
            return rationals(value)
        return np.asarray(value, dtype=np.float64)

    @cached_property
    def path(self) -> tuple[Array, ...]:
        """``Z_1, ..., Z_L`` as columns ``(1, n_l, N)``; of a leaky ResNet ``A_0, ..., A_M``."""
        if isinstance(self.network, LeakyResNet):
            return tuple(np.broadcast_to(one, (1, *one.shape[-2:])) for one in self.network.activations(self.columns))
        return tuple(np.moveaxis(values, 0, -1) for values in self.dense.preactivations(self.inputs[:, None]))

    @cached_property
    def columns(self) -> Array:
        """The points as columns ``(1, n_0, N)``."""
        return np.swapaxes(self.inputs, 0, 1)[None]

    @cached_property
    def outputs(self) -> Array:
        """What the network gives, as columns ``(1, n_L, N)``."""
        return self.path[-1]

    def wanted(self) -> Array:
        """The targets as columns ``(1, n_L, N)``.

        Raises
        ------
        CannotAsk
            They are not known.
        """
        if self.targets is None:
            raise CannotAsk("the outputs that are wanted are not known")
        return np.swapaxes(self.targets, 0, 1)[None]

    def known_ridge(self) -> Array:
        """The ridge, shape ``(1,)``.

        Raises
        ------
        CannotAsk
            It is not known, or zero.
        """
        if self.ridge is None or self.ridge == 0:
            raise CannotAsk("the ridge is not known" if self.ridge is None else "there is no ridge")
        return self.number(self.ridge)

    @cached_property
    def residual(self) -> Array:
        """Wanted outputs less the outputs, as columns; the outputs themselves where none are known."""
        return self.outputs if self.targets is None else self.wanted() - self.outputs

    @cached_property
    def adjoints(self) -> tuple[Array, ...]:
        """``B_0, ..., B_M`` of a leaky ResNet; of others the residuals pulled back to ``Z_1, ..., Z_L``."""
        if isinstance(self.network, LeakyResNet):
            last = self.residual
            if self.targets is not None and self.ridge:
                last = 2 * last / (self.number(self.ridge) * last.shape[-1])[..., None, None]
            found = self.network.adjoints([one[0] if not self.network.batch_shape else one for one in self.path], last)
            return tuple(np.broadcast_to(one, (1, *one.shape[-2:])) for one in found)
        pulled = []
        for layer in range(1, self.depth + 1):
            rows = self.dense.jacobian_from_layer(layer, self.inputs[:, None])[:, 0]
            columns = [rows[k].swapaxes(0, 1) @ self.residual[0, :, k] for k in range(len(rows))]
            pulled.append(np.stack(columns, axis=-1)[None])
        return tuple(pulled)


def _batch_of_one(network: Network) -> Network:
    if isinstance(network, CircularCNN) and network.axes == 1:
        kernels = [kernel[..., None] for kernel in network.kernels]
        network = CircularCNN(kernels, network.biases, network.activation, axes=2)
    if isinstance(network, LeakyResNet):
        return LeakyResNet([w[None] for w in network.weights], np.asarray(network.leak)[None], np.asarray(network.steps)[None])
    return network.with_parameters([one[None] for one in network.parameters])


@dataclass(frozen=True, eq=False)
class Place:
    """Where a claim is asked: of three points and a layer.

    Attributes
    ----------
    points
        Three indices of points, which may be equal.
    layer
        Counted from 1; a hidden layer where there is one.
    """

    subject: Subject
    points: tuple[int, int, int]
    layer: int

    def point(self, which: int = 0) -> Array:
        """A point, shape ``(1, n_0)``."""
        return self.subject.inputs[None, self.points[which]]

    def exact(self) -> Place:
        """The same place on rationals, with few points."""
        kept = list(dict.fromkeys(self.points))
        first, second, third = (kept.index(one) for one in self.points)
        return Place(self.subject.exact(kept), (first, second, third), self.layer)

    @property
    def words(self) -> str:
        """Such as "point 3, layer 2", counted from 1."""
        return f"point {self.points[0] + 1}, layer {self.layer}"


def places(subject: Subject, count: int = PLACES) -> Sequence[Place]:
    """So many places, which meet points and layers evenly."""
    hidden = max(1, subject.depth - 1)
    total = len(subject.inputs)
    layers = [1 + (k * (hidden - 1)) // max(1, count - 1) for k in range(count)]
    points = [(k * (total - 1)) // max(1, count - 1) for k in range(count)]
    found = [Place(subject, (i, (i + 1) % total, (i + 2) % total), layer) for i, layer in zip(points, layers, strict=True)]
    return list({(one.points, one.layer): one for one in found}.values())
