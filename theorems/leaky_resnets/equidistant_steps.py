r"""Equidistant steps :math:`\rho_\ell = 1/M`: the condition :math:`\rho_\ell L < 1` becomes M > L.

The steps add up to 1, and without weights the network multiplies its inputs by :math:`(1 - L/M)^M`: the factor of each layer is
positive exactly for M > L, and then :math:`0 < (1 - L/M)^M \le e^{-L}`, what the differential equation would do (``.leak``).

Source: leaky_resnets, Section 3; the comparison with the exponential is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, compare, exp, is_exact, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps


def network_without_weights(leak: Array, layers: int) -> LeakyResNet:
    """One neuron, no weights, equidistant steps."""
    steps = equidistant_steps(layers, exact=is_exact(leak))
    return LeakyResNet([0 * leak[..., None, None] * np.ones((1, 2), dtype=np.int64)] * layers, leak, steps)


def factor_per_layer(network: LeakyResNet, x: Array, more: int = 0, whole: bool = True) -> Relation:
    """Sum of the steps, value of the network, and the sign of its factor; the keywords are for false neighbours."""
    count, leak = network.depth, network.leak
    factor = 1 - leak / count
    values = network.activations(x)
    power = factor**count if whole else 1 - leak
    relation = eq(network.steps.sum(axis=-1), 0 * leak + 1)
    size = np.asarray(abs(x).sum(axis=(-2, -1))) * (1 + leak) ** count
    relation &= eq(values[-1], power[..., None, None] * x, scale=size[..., None, None], over=2)
    signs = [
        rationals(sign) if is_exact(leak) else sign.astype(np.float64)
        for sign in (compare(factor, 0), compare(count + more, leak))
    ]
    return relation & eq(signs[0], signs[1])


def slower_than_the_equation(network: LeakyResNet, percent: int = 100) -> Relation:
    r""":math:`(1 - L/M)^M` against :math:`e^{-L}`."""
    leak = network.leak
    return le((1 - leak / network.depth) ** network.depth, exp(-leak) * percent / 100)


def enough_layers(network: LeakyResNet) -> npt.NDArray[np.bool_]:
    """Whether M > L."""
    return np.asarray(compare(network.depth, network.leak) > 0)


SOURCE = Source("leaky_resnets", "Section 3")
NETWORK = derived(network_without_weights, leak=interval(0, 6))
SIZES = {"layers": range(1, 9)}
ENOUGH = "more layers than the leak"

CLAIM = Claim(
    id="leaky_resnets.equidistant_steps",
    title="Equidistant steps keep the activations positive if there are more of them than the leak",
    source=SOURCE,
    statement=factor_per_layer,
    domain=Domain({"network": NETWORK, "x": reals(1, 2)}, SIZES),
    tight={
        "as many layers as the leak": Tight(
            lambda: {"network": network_without_weights(rationals([2]), 2), "x": rationals([[[1, -3]]])}
        )
    },
    false_neighbours={
        "one layer less": partial(factor_per_layer, more=1),
        "one long step": partial(factor_per_layer, whole=False),
    },
)

LEAK = Claim(
    id="leaky_resnets.equidistant_steps.leak",
    title="Equidistant steps leak faster than the equation",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=slower_than_the_equation,
    domain=Domain({"network": NETWORK}, SIZES, {ENOUGH: enough_layers}),
    needs=(ENOUGH,),
    tight={"no leak": Tight(lambda: {"network": network_without_weights(rationals([0]), 2)})},
    false_neighbours={
        "1 percent less": partial(slower_than_the_equation, percent=99),
    },
)
