r"""Equidistant steps :math:`\rho_\ell = 1/M`: the condition :math:`\rho_\ell L < 1` becomes M > L.

Statement
    The steps add up to 1, and without weights the network multiplies its inputs by :math:`(1 - L/M)^M`. Positive activations
    stay positive exactly for M > L, and then :math:`0 < (1 - L/M)^M \le e^{-L}`, which is what the differential equation does
    (``.leak``).
Checked
    One neuron without weights, up to 64 layers.
Sharp
    The exponential, as L vanishes.
Source
    leaky_resnets, Section 3; the comparison with the exponential is ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, interval, le
from verify.arithmetic import Array, compare, exp, is_exact, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps


def network_without_weights(leak: Array, layers: int) -> LeakyResNet:
    """One neuron, no weights, equidistant steps."""
    steps = equidistant_steps(layers, exact=is_exact(leak))
    return LeakyResNet([0 * leak[..., None, None] * np.ones((1, 2), dtype=np.int64)] * layers, leak, steps)


def sign_of(values: Array) -> Array:
    """-1, 0 or 1, in the arithmetic of the values."""
    signs = compare(values, 0)
    return rationals(signs) if is_exact(values) else signs.astype(np.float64)


def powers_of_the_leak(network: LeakyResNet, x: Array) -> Relation:
    """Sum of the steps, the value of the network, and the sign of what a layer makes of positive inputs."""
    count, leak = network.depth, network.leak
    values = network.activations(x)
    factor = (1 - leak / count) ** count
    return (
        eq(network.steps.sum(axis=-1), 1, name="sum")
        & eq(values[-1], factor[..., None, None] * x, name="value", over=2)
        & eq(sign_of(values[1]), sign_of(count - leak)[..., None, None], name="sign", over=2)
    )


def leaks_faster_than_the_equation(network: LeakyResNet) -> Relation:
    r""":math:`(1 - L/M)^M` against :math:`e^{-L}`."""
    return le((1 - network.leak / network.depth) ** network.depth, exp(-network.leak))


def enough_layers(network: LeakyResNet) -> npt.NDArray[np.bool_]:
    """Whether M > L."""
    return np.asarray(compare(network.depth, network.leak) > 0)


# False variants


def as_many_layers_as_the_leak(network: LeakyResNet, x: Array) -> Relation:
    """M = L layers, or one less, keep the activations positive."""
    return eq(sign_of(network.activations(x)[1]), sign_of(network.depth + 1 - network.leak)[..., None, None], over=2)


def one_long_step(network: LeakyResNet, x: Array) -> Relation:
    """All layers leak as one step of length 1."""
    return eq(network(x), (1 - network.leak)[..., None, None] * x, over=2)


def leaks_slower_than_the_equation(network: LeakyResNet) -> Relation:
    """The bound the other way."""
    return ge((1 - network.leak / network.depth) ** network.depth, exp(-network.leak))


SOURCE = Source("leaky_resnets", "Section 3")
NETWORK = derived(network_without_weights, leak=interval(0, 6))
SIZES = {"layers": (*range(1, 9), 16, 64)}
ENOUGH = "more layers than the leak"

CLAIM = Claim(
    id="leaky_resnets.equidistant_steps",
    title="Equidistant steps keep positive activations positive if there are more of them than the leak",
    source=SOURCE,
    statement=powers_of_the_leak,
    domain=Domain({"network": NETWORK, "x": interval(1 / 8, 2, 1, 2)}, SIZES),
    false_neighbours={"one layer less": as_many_layers_as_the_leak, "one long step": one_long_step},
)

LEAK = Claim(
    id="leaky_resnets.equidistant_steps.leak",
    title="Equidistant steps leak faster than the equation",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=leaks_faster_than_the_equation,
    domain=Domain({"network": NETWORK}, SIZES, {ENOUGH: enough_layers}),
    needs=(ENOUGH,),
    tight={"no leak": Tight(lambda: {"network": network_without_weights(rationals([0]), 2)})},
    false_neighbours={"slower than the equation": leaks_slower_than_the_equation},
)
