"""Fully connected networks: their values, Jacobians and norms, and the changes that keep the function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb

from verify.networks._arrays import (
    apply_to_vector,
    as_float64,
    checked_shift,
    chosen_networks,
    decided,
    equal,
    eye,
    frozen_copies,
    named_list,
    positive,
    real_points,
    with_batch,
    zeros,
)
from verify.networks._jacobians import chain
from verify.networks._passes import Layers, Points, activations, checked_points, fold, for_columns, preactivations, value
from verify.networks.activations import HomogeneousActivation, relu
from verify.networks.arguments import (
    check_arithmetic,
    check_biases,
    check_weights,
    checked_activation,
    checked_layer,
    common_batch,
    in_one_precision,
)
from verify.networks.balancing import balancing_factors, check_range, live_neurons
from verify.notation.representation import card
from verify.numbers.arguments import integers, listed
from verify.numbers.arithmetic import (
    LARGEST_COUNT,
    Array,
    FloatOnly,
    absolute,
    array_module,
    ball,
    certain_order,
    floats,
    integer,
    is_exact,
    rationals,
    smallest,
)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FullyConnected:
    r"""Network, or a batch of networks of the same widths: :math:`\alpha_0 = x`,
    :math:`\tilde\alpha_\ell = W_\ell \alpha_{\ell-1} + b_\ell`, :math:`\alpha_\ell = \sigma(\tilde\alpha_\ell)`; the value is
    :math:`\tilde\alpha_L`: no activation on the output.

    ``weights[l - 1]`` is :math:`W_\ell`, shape ``(*batch, n_l, n_{l-1})``; ``biases[l - 1]`` is :math:`b_\ell`, shape
    ``(*batch, n_l)``; without biases they are zero. The batch axes of weights, biases and slopes broadcast together, and
    every weight and bias is stored with all of them. All arrays are copied and read-only: exact ones as they are, floats as
    float64, or as float32 where all weights and biases are float32 (for speed: claims are checked in float64). NumPy's and
    CuPy's arrays are accepted, and results are of the same library.

    An input has shape ``(..., n_0)``; its leading axes broadcast with the batch. So N points of one network are ``(N, n_0)``,
    and N points of each of B networks ``(N, B, n_0)``, or ``(N, 1, n_0)`` where all networks share them. Layers are counted
    from 1 to `depth`, as in the formula; hidden widths may be zero.

    Raises `ValueError` for no layers, arrays of the wrong shape, NaN or infinity, and floats mixed with exact values, and
    `TypeError` for an activation that is not a `HomogeneousActivation`.

    Source: bottleneck_structure, Section 2; notion_of_rank, conventions.

    Examples
    --------
    >>> network = FullyConnected([[[1.0], [-1.0]], [[1.0, 1.0]]])
    >>> network(np.array([[-2.0], [3.0]])).ravel()
    array([2., 3.])
    >>> network.depth, network.widths
    (2, (1, 2, 1))
    """

    weights: tuple[Array, ...]
    biases: tuple[Array, ...]
    activation: HomogeneousActivation

    def __init__(
        self, weights: Sequence[Array], biases: Sequence[Array] | None = None, activation: HomogeneousActivation | None = None
    ) -> None:
        activation = checked_activation(relu() if activation is None else activation)
        named = named_list("weights", weights)
        count = len(named)
        copies = frozen_copies(named + ([] if biases is None else named_list("biases", biases)))
        checked = tuple(copies[:count])
        check_weights(checked)
        offsets = tuple(zeros(weight.shape[-2:-1], weight) for weight in checked) if biases is None else tuple(copies[count:])
        check_biases(offsets, checked)
        check_arithmetic(checked[0], activation)
        checked, offsets = in_one_precision(checked, offsets)
        batch = common_batch(checked, offsets, activation)
        object.__setattr__(self, "weights", tuple(with_batch(weight, batch, 2) for weight in checked))
        object.__setattr__(self, "biases", tuple(with_batch(bias, batch, 1) for bias in offsets))
        object.__setattr__(self, "activation", activation)

    def __reduce__(self) -> tuple[Any, ...]:
        # through the constructor: a pickled array forgets that it is read-only
        return FullyConnected, (self.weights, self.biases, self.activation)

    def __repr__(self) -> str:
        widths = "-".join(map(str, self.widths))
        arithmetic = "exact" if self.is_exact else self.weights[0].dtype.name
        return f"FullyConnected({widths}, batch_shape={self.batch_shape}, {arithmetic}, {self.activation})"

    def _repr_html_(self) -> str:
        rows = {
            "widths": "-".join(map(str, self.widths)),
            "batch": self.batch_shape or None,
            "arithmetic": "exact" if self.is_exact else self.weights[0].dtype.name,
            "activation": str(self.activation),
            "parameters": None if self.batch_shape else f"squared norm {self.parameter_norm_squared}",
        }
        return card("Fully connected network", rows, r":math:`f(x) = W_L\,\sigma(\cdots\sigma(W_1 x + b_1)\cdots) + b_L`")

    def __getitem__(self, index: Any) -> FullyConnected:
        """The networks at `index` of the batch axes.

        Raises
        ------
        TypeError
            The network has no batch axes.
        """
        chosen = chosen_networks(index, self.batch_shape, self.weights[0])
        return FullyConnected(
            [*map(chosen, self.weights)],
            [*map(chosen, self.biases)],
            self.activation.each_slope(lambda slope: chosen(with_batch(slope, self.batch_shape, 0))),
        )

    @cached_property
    def depth(self) -> int:
        """Number of layers, the output layer included."""
        return len(self.weights)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """``(n_0, ..., n_L)``: inputs, hidden neurons, outputs."""
        return (self.weights[0].shape[-1], *(weight.shape[-2] for weight in self.weights))

    @cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of networks; ``()`` for one network."""
        return self.weights[0].shape[:-2]

    @cached_property
    def is_exact(self) -> bool:
        """Whether the parameters are rationals or balls rather than floats."""
        return is_exact(self.weights[0])

    @property
    def parameters(self) -> tuple[Array, ...]:
        """What is trained: the weights, then the biases."""
        return (*self.weights, *self.biases)

    def with_parameters(self, parameters: Sequence[Array], /) -> FullyConnected:
        """The network with these weights and biases, and this activation.

        Raises
        ------
        ValueError
            Not as many arrays as `parameters` has; otherwise as on construction.
        """
        parameters = listed("parameters", parameters)
        if len(parameters) != 2 * self.depth:
            raise ValueError(f"parameters must be {self.depth} weights and as many biases, got {len(parameters)} arrays")
        return FullyConnected(parameters[: self.depth], parameters[self.depth :], self.activation)

    def __call__(self, x: Array, /) -> Array:
        """Value at `x`, shape ``(..., n_0) -> (..., n_L)``.

        Raises
        ------
        ValueError
            `x` does not end in an axis of length ``n_0``, its other axes do not broadcast with the batch, or its arithmetic is
            not the network's.
        """
        points = self._points(x)
        kept, _ = activations(points.layers, points.columns, self.depth - 1, kept=False, patterns=False)
        return points.returned(value(points.layers, kept[-1] if kept else points.columns))

    def preactivations(self, x: Array, /) -> tuple[Array, ...]:
        r""":math:`\tilde\alpha_1, \ldots, \tilde\alpha_L` at `x`, shapes ``(..., n_l)``; the last is the value."""
        return tuple(self._preactivations(x, self.depth))

    def activations(self, x: Array, /) -> tuple[Array, ...]:
        r""":math:`\alpha_0, \ldots, \alpha_{L-1}` at `x`, shapes ``(..., n_l)``; the first is `x` itself, not broadcast."""
        x = checked_points(self, x)
        points = Points.of(self, x)
        kept, _ = activations(points.layers, points.columns, self.depth - 1, kept=True, patterns=False)
        return (x, *(points.returned(augmented[..., :-1, :]) for augmented in kept))

    def activation_pattern(self, x: Array, /) -> tuple[Array, ...]:
        """Which pre-activations of the hidden layers are above zero, shapes ``(..., n_l)``, booleans.

        Raises
        ------
        UndecidedInstances
            The sign of a ball is not decided.
        """
        return tuple(positive("a pre-activation", values) for values in self._preactivations(x, self.depth - 1))

    def distance_to_kink(self, x: Array, /) -> Array:
        """Smallest absolute value of a hidden pre-activation, shape ``(..., n_0) -> (...)``; infinite without hidden neurons.

        Above zero, the network is differentiable at `x` and `jacobian` is its derivative. An exact infinity is a ball.
        """
        x = checked_points(self, x)
        hidden = self._preactivations(x, self.depth - 1)
        if not sum(self.widths[1:-1]):
            leading = np.broadcast_shapes(x.shape[:-1], self.batch_shape)
            if self.is_exact:
                return np.full(leading, ball(arb.pos_inf()), dtype=object)
            return array_module(x).full(leading, np.inf, dtype=self.weights[0].dtype)  # type: ignore[no-any-return]
        return smallest(absolute(array_module(x).concatenate(hidden, axis=-1)))

    def jacobian(self, x: Array, /) -> Array:
        """Derivative of the value by `x`, shape ``(..., n_0) -> (..., n_L, n_0)``.

        At a kink the derivative of the activation is its slope for ``t >= 0``; then the product of the layers need not be a
        derivative of the network, even where there is one: see `distance_to_kink`.
        """
        return self._chain(1, self.depth, x)

    def jacobian_to_layer(self, layer: int, x: Array, /) -> Array:
        r"""Derivative of :math:`\tilde\alpha_\ell` by `x`: :math:`W_\ell D_{\ell-1} \cdots D_1 W_1`, shape ``(..., n_l, n_0)``.

        Raises
        ------
        ValueError
            `layer` is not one of 1, ..., `depth`.
        """
        layer = checked_layer(layer, self.depth)
        return self._chain(1, layer, x)

    def jacobian_from_layer(self, layer: int, x: Array, /) -> Array:
        r"""Derivative of the value by :math:`\tilde\alpha_\ell`: :math:`W_L D_{L-1} \cdots W_{\ell+1} D_\ell`, shape
        ``(..., n_L, n_l)``; the identity for the last layer.

        Raises
        ------
        ValueError
            `layer` is not one of 1, ..., `depth`.
        """
        layer = checked_layer(layer, self.depth)
        if layer == self.depth:
            leading = np.broadcast_shapes(checked_points(self, x).shape[:-1], self.batch_shape)
            return with_batch(eye(self.widths[-1], self.weights[-1]), leading, 2).copy()
        return self._chain(layer + 1, self.depth, x, times_slopes=True)

    @property
    def weight_norm_squared(self) -> Array:
        """Sum of the squares of all weights, without the biases, shape ``batch_shape``."""
        total = zeros(self.batch_shape, self.weights[0])
        for weight in self.weights:
            total = total + (weight * weight).sum(axis=(-2, -1))
        return total

    @property
    def parameter_norm_squared(self) -> Array:
        """Sum of the squares of all weights and biases, shape ``batch_shape``."""
        total = self.weight_norm_squared
        for bias in self.biases:
            total = total + (bias * bias).sum(axis=-1)
        return total

    def is_balanced(self) -> Array:
        r"""Whether :math:`\|W_{\ell,i\cdot}\|^2 + b_{\ell,i}^2 = \|W_{\ell+1,\cdot i}\|^2` for every hidden neuron, shape
        ``batch_shape``, booleans.

        Exactly for exact networks; for floats up to the rounding of the sums of squares, relative to the norm of the two
        layers (factors from an orthogonal decomposition are accurate relative to that, not to each neuron).

        Raises
        ------
        UndecidedInstances
            The equality of two balls is not decided.

        Source: bottleneck_structure, Section 2 (balancedness).
        """
        result: Array = array_module(self.weights[0]).ones(self.batch_shape, dtype=bool)
        for weight, bias, after in zip(self.weights[:-1], self.biases[:-1], self.weights[1:], strict=True):
            incoming, outgoing = (weight * weight).sum(axis=-1) + bias * bias, (after * after).sum(axis=-2)
            if self.is_exact:
                result = result & (decided("balancedness", certain_order(incoming, outgoing)) == 0).all(axis=-1)
            else:
                rounding = 8 * (weight.shape[-1] + after.shape[-2] + 1) * float(np.finfo(weight.dtype).eps)
                tolerance = rounding * (incoming + outgoing).sum(axis=-1, keepdims=True)
                result = result & (absolute(incoming - outgoing) <= tolerance).all(axis=-1)
        return result

    def rescale_neurons(self, factors: Sequence[Array], /) -> FullyConnected:
        """The same function: incoming weights and bias of each hidden neuron times its factor, outgoing weights divided by it.

        ``factors[l - 1]``, shape ``(*batch, n_l)``, belongs to layer `l`.

        Raises
        ------
        ValueError
            Not one array for each hidden layer, a wrong width, or a factor that is not positive.
        """
        named = named_list("factors", factors)
        if len(named) != self.depth - 1:
            raise ValueError(f"factors must be one array for each of {self.depth - 1} hidden layers, got {len(named)}")
        weights, biases = list(self.weights), list(self.biases)
        for layer, (name, values) in enumerate(named):
            factor = real_points(name, values, exact=self.is_exact)
            if factor.shape[-1:] != (self.widths[layer + 1],):
                raise ValueError(f"factors[{layer}] has shape {factor.shape} for a layer of {self.widths[layer + 1]} neurons")
            if not positive(f"factors[{layer}]", factor).all():
                raise ValueError(f"factors[{layer}] must be positive: a negative factor does not pass through the activation")
            weights[layer] = weights[layer] * factor[..., :, None]
            biases[layer] = biases[layer] * factor
            weights[layer + 1] = weights[layer + 1] / factor[..., None, :]
        return FullyConnected(weights, biases, self.activation)

    def balance(self) -> FullyConnected:
        """The same function with the smallest parameter norm that rescaling neurons can give; dead neurons are set to zero.

        A neuron is dead if no non-zero weights lead to it from an input or a bias, or from it to an output.

        Raises
        ------
        FloatOnly
            The network is exact: the scales are roots.
        ValueError
            A parameter is not zero and not between 1e-50 and 1e50 in absolute value.
        UndecidedInstances
            Newton's method does not reach its accuracy.
        """
        if self.is_exact:
            raise FloatOnly("balance leaves the rationals (its scales are roots): convert with as_float() first")
        weights, biases = [*map(as_float64, self.weights)], [*map(as_float64, self.biases)]
        check_range([*weights, *biases])
        for layer, alive in enumerate(live_neurons(weights, biases)):
            weights[layer] = weights[layer] * alive[..., :, None]
            biases[layer] = biases[layer] * alive
            weights[layer + 1] = weights[layer + 1] * alive[..., None, :]
        network = FullyConnected(weights, biases, self.activation)
        for _ in range(2):  # once more without large scales, whose rounding is felt
            network = network.rescale_neurons(balancing_factors(network.weights, network.biases))
        return network.with_parameters([array.astype(self.weights[0].dtype, copy=False) for array in network.parameters])

    def insert_identity_layers(self, position: int, count: int, shift: Array | None = None) -> FullyConnected:
        r"""`count` layers ``W = I`` between layers `position` and ``position + 1``; position 0 is before the first layer.

        Equal to this network wherever :math:`\alpha_{position} + shift` is not negative: always for ReLU, ``position >= 1``
        and no shift. With `shift`, shape ``(*batch, n_position)``, the first new layer has this bias and the layer after
        the last takes it back.

        Raises
        ------
        ValueError
            `position` is not one of 0, ..., ``depth - 1``; `count` is negative; a shift without a layer; the slope of the
            activation for ``t >= 0`` is not 1.
        """
        position, count = integer("position", position), integer("count", count, most=LARGEST_COUNT)
        if not 0 <= position < self.depth:
            raise ValueError(f"position must be between 0 and {self.depth - 1}, got {position}: {self.depth} layers")
        if count < 0 or (shift is not None and count == 0):
            raise ValueError(f"count must be at least {int(shift is not None)}, got {count}")
        if not equal(self.activation.positive, 1):
            raise ValueError(f"identity layers need slope 1 for t >= 0, got {self.activation.positive}")
        width, like = self.widths[position], self.weights[0]
        offsets = [zeros((width,), like)] * count
        biases = list(self.biases)
        if shift is not None:
            shift = offsets[0] = checked_shift("shift", shift, width, like)
            biases[position] = biases[position] - apply_to_vector(self.weights[position], shift)
        return FullyConnected(
            [*self.weights[:position], *[eye(width, like)] * count, *self.weights[position:]],
            [*biases[:position], *offsets, *biases[position:]],
            self.activation,
        )

    def pad_to_depth(self, depth: int, shift: Array | None = None) -> FullyConnected:
        """The function with `depth` layers: identity layers before the last one; `shift` as in `insert_identity_layers`.

        Raises
        ------
        ValueError
            `depth` is below this network's; or as for `insert_identity_layers`.
        """
        depth = integer("depth", depth, most=LARGEST_COUNT)
        if depth < self.depth:
            raise ValueError(f"depth must be at least {self.depth}, the depth of the network, got {depth}")
        return self.insert_identity_layers(self.depth - 1, depth - self.depth, shift)

    def prune(self) -> FullyConnected:
        """The same function without the hidden neurons that are dead (see `balance`) in every network of the batch."""
        weights, biases = list(self.weights), list(self.biases)
        for layer, alive in enumerate(live_neurons(self.weights, self.biases)):
            kept = alive.any(axis=tuple(range(alive.ndim - 1)))
            weights[layer] = weights[layer][..., kept, :]
            biases[layer] = biases[layer][..., kept]
            weights[layer + 1] = weights[layer + 1][..., kept]
        return FullyConnected(weights, biases, self.activation)

    def embed(self, widths: Sequence[int], /) -> FullyConnected:
        """The same function and norm with `widths`, ``(n_0, ..., n_L)``: neurons with zero weights and bias are added.

        Raises
        ------
        ValueError
            `widths` has another length or other ends than this network's, or a smaller entry.
        """
        widths = integers("widths", widths)
        added = [new - old for new, old in zip(widths, self.widths, strict=False)]
        if len(widths) != len(self.widths) or added[0] or added[-1] or min(added) < 0:
            raise ValueError(f"widths must have the ends of {self.widths} and be at least as large, got {widths}")
        weights = [zeros((*self.batch_shape, rows, columns), self.weights[0]) for columns, rows in pairwise(widths)]
        biases = [zeros((*self.batch_shape, rows), self.weights[0]) for rows in widths[1:]]
        for wide, weight, longer, bias in zip(weights, self.weights, biases, self.biases, strict=True):
            wide[..., : weight.shape[-2], : weight.shape[-1]] = weight
            longer[..., : bias.shape[-1]] = bias
        return FullyConnected(weights, biases, self.activation)

    def as_exact(self) -> FullyConnected:
        """The same network in rationals; floats are taken as the rationals that they are."""
        if self.is_exact:
            return self
        return FullyConnected([*map(rationals, self.weights)], [*map(rationals, self.biases)], self.activation.as_exact())

    def as_float(self) -> FullyConnected:
        """The network whose parameters and slopes are the nearest floats (for balls: the nearest to their midpoints)."""
        if not self.is_exact:
            return self
        return FullyConnected([*map(floats, self.weights)], [*map(floats, self.biases)], self.activation.as_float())

    @cached_property
    def _layers(self) -> Layers:
        return Layers(fold(self.weights, self.biases, batch_last=False), for_columns(self.activation))

    @cached_property
    def _layers_batch_last(self) -> Layers:
        return Layers(fold(self.weights, self.biases, batch_last=True), for_columns(self.activation), batch_last=True)

    def _points(self, x: Array) -> Points:
        return Points.of(self, checked_points(self, x))

    def _preactivations(self, x: Array, count: int) -> list[Array]:
        points = self._points(x)
        return [points.returned(values) for values in preactivations(points.layers, points.columns, count)]

    def _chain(self, first: int, last: int, x: Array, *, times_slopes: bool = False) -> Array:
        """``W_last D_{last-1} ... D_first W_first`` at `x`; with `times_slopes`, times ``D_{first-1}``."""
        points = self._points(x)
        _, patterns = activations(points.layers, points.columns, last - 1, kept=False, patterns=True)
        if first == last:
            result = with_batch(self.weights[last - 1][..., None, :, :], (*points.batch, points.count), 2)
            result = result if times_slopes else result.copy()
        else:
            result = chain(points.layers, patterns[first - 1 :], first, last, points.batch, points.count)
        if times_slopes:
            slopes = points.layers.activation.slopes(patterns[first - 2], result.dtype)
            result = result * slopes.swapaxes(-1, -2)[..., None, :]
        return points.split(result)
