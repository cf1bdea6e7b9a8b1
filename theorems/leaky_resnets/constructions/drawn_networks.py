"""Leaky ResNets as claims draw them."""

from __future__ import annotations

from verify import derived, interval, reals
from verify.claims.variables import Derived, Sizes
from verify.networks import LeakyResNet
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import lifted


@widened
def leaky_network(weights: Array, leak: Array, steps: Array) -> LeakyResNet:
    """The network with the layers ``weights[..., l, :, :]``, the leak and the steps, shape ``(..., M)``."""
    return LeakyResNet([weights[..., layer, :, :] for layer in range(weights.shape[-3])], leak, steps)


def _columns(sizes: Sizes) -> int:
    return sizes["width"] + 1


def drawn_networks() -> Derived:
    """Networks with bias, of the sizes "depth" and "width", leaks from 1/4 to 3 and steps from 1/8 to 1."""
    return derived(
        lifted(leaky_network),
        weights=reals("depth", "width", _columns),
        leak=interval(1 / 4, 3),
        steps=interval(1 / 8, 1, "depth"),
        role="leaky ResNet",
    )
