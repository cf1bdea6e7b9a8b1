"""What the functions of this package accept, checked before any work."""

from __future__ import annotations

from typing import Any

from flint import arb

from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arguments import rational_array
from verify.numbers.arithmetic import Array, integer, is_exact


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
    if any(isinstance(slope, arb) for slope in slopes) or any(
        isinstance(entry, arb) for a in arrays if is_exact(a) for entry in a.flat
    ):
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


def shaped_rationals(values: Any, ndim: int, name: str) -> Array:
    """`values` as rationals with so many axes; floats are taken as the rationals that they are, and so is text such as "1/3".

    Raises
    ------
    ValueError
        Another number of axes, an empty array, NaN or infinity, or what is no real number.
    TypeError
        Balls, or no array and no lists.
    """
    result = rational_array(name, values, text=True)
    if result.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, got shape {result.shape}")
    if result.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {result.shape}")
    result.flags.writeable = False
    return result


def check_limit(limit: Any) -> None:
    """Raises `TypeError` if `limit` is no integer, and `ValueError` if it is not positive."""
    integer("limit", limit, 1, ": a number of regions")
