"""A trained network as claims see it: a batch of one, in floats or on rationals, at chosen points and layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.numbers.arithmetic import Array, floats, is_exact, rationals
from verify.numbers.exactness import Q
from verify.trained.evaluated import Evaluated, evaluated
from verify.trained.networks import Network, each_parameter
from verify.trained.points import Points
from verify.trained.traced import TracedNetwork

SAMPLE = 16
"""Points of a sample as a claim takes it, at most: evenly chosen."""
EXACT_SAMPLE = 4
"""The same, of what is decided on rationals, and of claims that are costly."""
PLACES = 4
"""Places at which a claim is asked: points and layers, evenly chosen."""
DEAD = 2.0**-26
"""A hidden neuron is dead if what it pays before and after it, as norms, is below this part of the most in its layer. Then what
it adds to the next layer, a product, and what it adds to the squared norm are below their rounding, 2**-52 of the whole."""


class CannotAsk(ValueError):
    """A claim speaks of something that this network does not have: the reason, in a few words."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A network, a batch of one, with its points as rows.

    Attributes
    ----------
    network
        As it was read; of images on a ring, on a torus of the same pixels; of kinds that the engine does not have, what it
        gives at the points.
    inputs, targets
        Shapes ``(N, n_0)`` and ``(N, n_L)``, pixels and channels in a row; no targets if they are not known.
    ridge
        None if it is not known.
    """

    network: Network | Evaluated
    inputs: Array
    targets: Array | None
    ridge: Any

    @classmethod
    def of(cls, network: Network | TracedNetwork, points: Points, sample: int = SAMPLE) -> Subject:
        """The network without its dead neurons (see `live_neurons`), and a sample of its points.

        One of no kind of the engine is the chain of matrices that it is, if it is one, or what it gives at the points.
        """
        kept = np.unique(np.linspace(0, len(points.inputs) - 1, min(len(points.inputs), sample)).astype(int))
        inputs = points.inputs[kept].reshape(len(kept), -1)
        targets = None if points.targets is None else points.targets[kept].reshape(len(kept), -1)
        if isinstance(network, TracedNetwork):
            if network.chain is None:
                return cls(evaluated(network, points.inputs[kept]), inputs, targets, points.ridge)
            network = network.chain
        if isinstance(network, FullyConnected):
            network = with_neurons(network, live_neurons(network))
        elif isinstance(network, LeakyResNet) and network.weights[0].shape[-1] == network.width:
            # no biases: claims speak of a column for them, which is zero
            weights = [np.concatenate([weight, np.zeros((network.width, 1))], axis=1) for weight in network.weights]
            network = LeakyResNet(weights, network.leak, network.steps)
        return cls(_batch_of_one(network), inputs, targets, points.ridge)

    def exact(self, first: Sequence[int] = ()) -> Subject:
        """The same on rationals, with few points: these, and others up to `EXACT_SAMPLE`."""
        further = [k for k in range(len(self.inputs)) if k not in first]
        kept = tuple([*dict.fromkeys(first), *further][: max(EXACT_SAMPLE, len(set(first)))])
        if kept not in self._exact_samples:
            targets = None if self.targets is None else rationals(self.targets[[*kept]])
            ridge = None if self.ridge is None else rationals(self.ridge)[()]
            exact = self.network.at(kept).as_exact() if isinstance(self.network, Evaluated) else self._exact_network
            self._exact_samples[kept] = Subject(exact, rationals(self.inputs[[*kept]]), targets, ridge)
        return self._exact_samples[kept]

    @cached_property
    def _exact_network(self) -> Network | Evaluated:
        return self.network.as_exact()

    @cached_property
    def _exact_samples(self) -> dict[tuple[int, ...], Subject]:
        """Those that were asked for: many claims share a place, and what is computed there."""
        return {}

    def with_few_points(self, count: int = EXACT_SAMPLE) -> Subject:
        """The same with the first few points only."""
        targets = None if self.targets is None else self.targets[:count]
        network = self.network.at(range(count)) if isinstance(self.network, Evaluated) else self.network
        smaller_subject = Subject(network, self.inputs[:count], targets, self.ridge)
        if "_exact_network" in self.__dict__:
            smaller_subject.__dict__["_exact_network"] = self._exact_network
        return smaller_subject

    def moved(self, rng: np.random.Generator, *, together: bool = False) -> Subject:
        """The same with every number moved by up to two units in its last place: see `verify.search.rounding`.

        With `together`, by units in the last place of the largest number of its array.
        """

        def change(values: Array) -> Array:
            moves = rng.integers(-2, 3, size=values.shape) * 2.0**-52
            scale = np.abs(values).max(initial=0.0) if together else values
            return np.asarray(values + moves * scale)

        targets = None if self.targets is None else change(self.targets)
        moved = self.network.changed(change) if isinstance(self.network, Evaluated) else each_parameter(self.network, change)
        return replace(self, network=moved, inputs=change(self.inputs), targets=targets)

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
        raise CannotAsk("it speaks of fully connected networks: chains of layers that share one homogeneous activation")

    @cached_property
    def leaky(self) -> LeakyResNet:
        """The network, if it is a leaky ResNet."""
        if not isinstance(self.network, LeakyResNet):
            raise CannotAsk("it speaks of leaky ResNets")
        return self.network

    @cached_property
    def circular(self) -> CircularCNN:
        """The network, if it is a convolutional one."""
        if not isinstance(self.network, CircularCNN):
            raise CannotAsk("it speaks of circular convolutional networks")
        return self.network

    @cached_property
    def depth(self) -> int:
        """Number of layers."""
        return self.network.depth

    @cached_property
    def size(self) -> int:
        """Number of parameters."""
        return sum(int(parameter.size) for parameter in self.network.parameters)

    @cached_property
    def neurons(self) -> int:
        """Number of hidden neurons."""
        if isinstance(self.network, Evaluated):
            return self.network.neurons
        return self.network.width * self.depth if isinstance(self.network, LeakyResNet) else sum(self.dense.widths[1:-1])

    @cached_property
    def slope(self) -> Array:
        """Slope of the activation for negative arguments, shape ``(1,)``."""
        if isinstance(self.network, LeakyResNet):
            return self.number(0)
        if isinstance(self.network, Evaluated):
            if isinstance(self.network.slope, str):
                raise CannotAsk(f"it speaks of one homogeneous activation, this network has {self.network.slope}")
            return self.number(self.network.slope)
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
            return tuple(
                np.broadcast_to(activation, (1, *activation.shape[-2:]))
                for activation in self.network.activations(self.columns)
            )
        if isinstance(self.network, Evaluated):
            return tuple(np.swapaxes(value, 0, 1)[None] for value in self.network.values)
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

    def jacobian(self, place: int) -> Array:
        """Jf at the point with this index, ``(1, n_L, n_0)``."""
        if isinstance(self.network, Evaluated):
            return self._evaluated_jacobians(0)[None, place]
        return self.dense.jacobian(self.inputs[None, place])

    def jacobians_from_layer(self, layer: int) -> Array:
        """Derivatives of the outputs by ``Z_l`` at all points, ``(N, n_L, n_l)``."""
        if isinstance(self.network, Evaluated):
            return self._evaluated_jacobians(layer)
        return self.dense.jacobian_from_layer(layer, self.inputs[:, None])[:, 0]

    def _evaluated_jacobians(self, layer: int) -> Array:
        assert isinstance(self.network, Evaluated)
        jacobians = self.network.jacobians[layer]
        if jacobians is None:
            raise CannotAsk("it speaks of Jacobians, which are too large here")
        return jacobians

    @cached_property
    def adjoints(self) -> tuple[Array, ...]:
        """``B_0, ..., B_M`` of a leaky ResNet; of others the residuals pulled back to ``Z_1, ..., Z_L``."""
        if isinstance(self.network, LeakyResNet):
            last = self.residual
            if self.targets is not None and self.ridge:
                last = 2 * last / (self.number(self.ridge) * last.shape[-1])[..., None, None]
            path = self.network.adjoints([array[0] if not self.network.batch_shape else array for array in self.path], last)
            return tuple(np.broadcast_to(array, (1, *array.shape[-2:])) for array in path)
        pulled = []
        for layer in range(1, self.depth + 1):
            rows = self.jacobians_from_layer(layer)
            columns = [rows[k].swapaxes(0, 1) @ self.residual[0, :, k] for k in range(len(rows))]
            pulled.append(np.stack(columns, axis=-1)[None])
        return tuple(pulled)


def live_neurons(network: FullyConnected) -> tuple[Array, ...]:
    """Of each hidden layer which neurons are not dead (see `DEAD`), booleans; at least one of each layer is not.

    With a ridge the neurons that the data do not need shrink together with what leads to them and from them.
    """
    weights, biases = [floats(weight) for weight in network.weights], [floats(bias) for bias in network.biases]
    alive = [np.ones(width, dtype=bool) for width in network.widths[1:-1]]
    while True:
        still_alive = []
        for layer, kept in enumerate(alive):
            before = weights[layer][:, alive[layer - 1]] if layer else weights[layer]
            after = weights[layer + 1][alive[layer + 1]] if layer + 1 < len(alive) else weights[layer + 1]
            incoming = np.hypot(np.linalg.norm(before, axis=1), biases[layer])
            outgoing = np.linalg.norm(after, axis=0)
            dead = (incoming <= DEAD * incoming[kept].max()) & (outgoing <= DEAD * outgoing[kept].max())
            still_alive.append(kept & ~dead if (kept & ~dead).any() else kept)
        if all(np.array_equal(new, old) for new, old in zip(still_alive, alive, strict=True)):
            return tuple(still_alive)
        alive = still_alive


def with_neurons(network: FullyConnected, kept: Sequence[Array]) -> FullyConnected:
    """The network with these hidden neurons only, one array of booleans for each hidden layer."""
    ends = [np.ones(network.widths[0], dtype=bool), *kept, np.ones(network.widths[-1], dtype=bool)]
    weights = [w[after][:, before] for w, before, after in zip(network.weights, ends[:-1], ends[1:], strict=True)]
    biases = [b[after] for b, after in zip(network.biases, ends[1:], strict=True)]
    return FullyConnected(weights, biases, network.activation)


def widened(network: FullyConnected, width: int) -> FullyConnected:
    """The same function with hidden layers of this width, at the same norm: neurons of narrower layers are split in two.

    The parts have 3/5 and 4/5 of the weights before and after them. So the network is one of those that domains draw, and has
    no kinks that it did not have.
    """
    if set(network.widths[1:-1]) <= {width}:
        return network
    weights, biases = list(network.weights), list(network.biases)
    for layer, count in enumerate(network.widths[1:-1]):
        while count < width:
            split = min(count, width - count)
            weights[layer] = _split(weights[layer], split, -2)
            biases[layer] = _split(biases[layer], split, -1)
            weights[layer + 1] = _split(weights[layer + 1], split, -1)
            count += split
    return FullyConnected(weights, biases, network.activation)


def _split(values: Array, count: int, axis: int) -> Array:
    """With the first `count` rows or columns split in two."""
    moved = np.moveaxis(values, axis, 0)
    parts = [Q("3/5") * moved[:count], moved[count:], Q("4/5") * moved[:count]]
    return np.moveaxis(np.concatenate(parts), 0, axis)


def _batch_of_one(network: Network) -> Network:
    if isinstance(network, CircularCNN) and network.axes == 1:
        kernels = [kernel[..., None] for kernel in network.kernels]
        network = CircularCNN(kernels, network.biases, network.activation, axes=2)
    if isinstance(network, LeakyResNet):
        return LeakyResNet([w[None] for w in network.weights], np.asarray(network.leak)[None], np.asarray(network.steps)[None])
    return network.with_parameters([parameter[None] for parameter in network.parameters])


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
        first, second, third = (kept.index(point) for point in self.points)
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
    chosen = [Place(subject, (i, (i + 1) % total, (i + 2) % total), layer) for i, layer in zip(points, layers, strict=True)]
    return list({(place.points, place.layer): place for place in chosen}.values())
