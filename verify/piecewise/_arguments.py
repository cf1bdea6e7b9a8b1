"""What the functions of this package accept, checked before any work."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb

from verify.arithmetic import Array, is_exact, rationals
from verify.networks import FullyConnected, HomogeneousActivation


def one_network(network: Any, name: str = "network") -> FullyConnected:
    """`network`, or the network that its method ``as_network`` gives.

    Raises
    ------
    TypeError
        No network, or parameters that are balls.
    ValueError
        A batch of networks, or no inputs.
    """
    if not isinstance(network, FullyConnected):
        convert = getattr(network, "as_network", None)
        if convert is None:
            raise TypeError(
                f"{name} must be a FullyConnected or have a method as_network() that gives one, got {type(network).__name__}"
            )
        network = convert()
        if not isinstance(network, FullyConnected):
            raise TypeError(f"{name}.as_network() must give a FullyConnected, got {type(network).__name__}")
    if network.batch_shape:
        raise ValueError(f"{name} must be one network, got a batch of shape {network.batch_shape}: choose one with {name}[i]")
    slopes = (network.activation.positive, network.activation.negative)
    arrays = (*network.weights, *network.biases)
    if any(isinstance(slope, arb) for slope in slopes) or any(arb in set(map(type, a.flat)) for a in arrays if is_exact(a)):
        raise TypeError(f"{name} must have floats or rationals as parameters and slopes, got balls (flint.arb)")
    if network.widths[0] == 0:
        raise ValueError(f"{name} must have at least one input, got widths {network.widths}")
    return network


def one_activation(activation: Any) -> HomogeneousActivation | None:
    """`activation` in rationals, or None.

    Raises
    ------
    TypeError
        No activation, or slopes that are balls.
    ValueError
        A batch of activations.
    """
    if activation is None:
        return None
    if not isinstance(activation, HomogeneousActivation):
        raise TypeError(f"activation must be a HomogeneousActivation (relu(), leaky_relu(slope), ...), got {activation!r}")
    if activation.batch_shape:
        raise ValueError(f"activation must be one activation, got a batch of shape {activation.batch_shape}")
    if any(isinstance(slope, arb) for slope in (activation.positive, activation.negative)):
        raise TypeError("activation must have floats or rationals as slopes, got balls (flint.arb)")
    return activation.as_exact()


def rational_array(values: Any, ndim: int, name: str) -> Array:
    """`values` as rationals with so many axes; floats are taken as the rationals that they are.

    Raises
    ------
    ValueError
        Another number of axes, an empty array, NaN or infinity, or what is no real number.
    TypeError
        Balls.
    """
    try:
        array = values if is_exact(values) else _native(values)
    except ValueError:
        raise ValueError(f"{name} must be an array of real numbers, got rows of different lengths") from None
    if array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if is_exact(array):
        if any(isinstance(x, arb) for x in array.flat):
            raise TypeError(f"{name} must hold floats or rationals, got balls (flint.arb)")
    elif array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {array.dtype}")
    elif not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    try:
        result = rationals(array)
    except ValueError as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from None
    result.flags.writeable = False
    return result


def _native(values: Any) -> Array:
    array = np.asarray(values)
    # lists that mix Python integers beyond 64 bits, fractions or text
    return array if array.dtype.kind in "biufc" else np.asarray(values, dtype=object)


def check_limit(limit: int) -> None:
    """Raises `ValueError` if `limit` is not a positive integer."""
    if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 1:
        raise ValueError(f"limit must be a positive number of regions, got {limit!r}")
