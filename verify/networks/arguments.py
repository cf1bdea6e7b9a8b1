"""What a network accepts, checked on construction."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.networks._arrays import as_float64, frozen
from verify.networks.activations import HomogeneousActivation
from verify.numbers.arithmetic import Array, integer, is_exact


def check_weights(weights: tuple[Array, ...]) -> None:
    """At least one matrix, each taking what the one before gives."""
    if not weights:
        raise ValueError("depth must be at least 1, got no weights: a network has an output layer")
    for k, weight in enumerate(weights):
        if weight.ndim < 2:
            raise ValueError(f"weights[{k}] must have shape (*batch, outputs, inputs), got {weight.shape}")
        if k and weight.shape[-1] != weights[k - 1].shape[-2]:
            raise ValueError(
                f"weights[{k}] takes {weight.shape[-1]} inputs but weights[{k - 1}] gives {weights[k - 1].shape[-2]} outputs"
            )


def check_biases(biases: tuple[Array, ...], weights: tuple[Array, ...]) -> None:
    """One vector for each matrix, as long as its outputs."""
    if len(biases) != len(weights):
        raise ValueError(f"biases must be one for each of {len(weights)} weights, got {len(biases)}")
    for k, (bias, weight) in enumerate(zip(biases, weights, strict=True)):
        if bias.ndim < 1:
            raise ValueError(f"biases[{k}] must have shape (*batch, outputs), got {bias.shape}")
        if bias.shape[-1] != weight.shape[-2]:
            raise ValueError(f"biases[{k}] has {bias.shape[-1]} entries but weights[{k}] gives {weight.shape[-2]} outputs")


def checked_activation(activation: Any, name: str = "activation") -> HomogeneousActivation:
    """`activation` itself, which is one.

    Raises
    ------
    TypeError
        It is none.
    """
    if not isinstance(activation, HomogeneousActivation):
        raise TypeError(
            f"{name} must be a HomogeneousActivation (relu(), leaky_relu(slope), ...), got {activation!r}: "
            "networks here are piecewise linear"
        )
    return activation


def check_arithmetic(weights: Array, activation: HomogeneousActivation) -> None:
    """Slopes in the arithmetic of the weights."""
    exact = is_exact(weights)
    names = {True: "exact", False: "float"}
    if not activation.accepts(exact=exact):
        raise ValueError(
            f"the slopes of the activation are {names[not exact]} but the weights are {names[exact]}: "
            f"convert with activation.as_{names[exact]}()"
        )


def in_one_precision(weights: tuple[Array, ...], biases: tuple[Array, ...]) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Floats all in float64, unless all are float32; biases that were not given take the precision of the weights."""
    if len({array.dtype for array in (*weights, *biases)}) == 1:
        return weights, biases
    converted = [tuple(frozen(as_float64(array)) for array in arrays) for arrays in (weights, biases)]
    return converted[0], converted[1]


def common_batch(weights: tuple[Array, ...], biases: tuple[Array, ...], activation: HomogeneousActivation) -> tuple[int, ...]:
    """Shape of the batch axes of weights, biases and slopes, broadcast together."""
    shapes = [weight.shape[:-2] for weight in weights] + [bias.shape[:-1] for bias in biases] + [activation.batch_shape]
    if len(different := set(shapes) - {()}) < 2:
        return different.pop() if different else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"batch axes must broadcast, got {sorted(set(shapes))} in weights, biases and slopes") from None


def checked_layer(layer: Any, depth: int) -> int:
    """A layer, counted from 1.

    Raises
    ------
    TypeError, ValueError
        `layer` is no integer, or not one of 1, ..., `depth`.
    """
    number = integer("layer", layer)
    if not 1 <= number <= depth:
        raise ValueError(f"layer must be between 1 and {depth}, got {number}")
    return number
