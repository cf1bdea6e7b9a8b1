r"""Without biases the kernel is at least of order L.

Statement
    For a ReLU network without biases :math:`\mathrm{Tr}\,\Theta(x, x) \ge L\, \|f(x)\|^{2 - 2/L} \|x\|^{2/L}`. The paper says
    that no function that is not trivial has a kernel much smaller than L; that is a form of it.
Checked
    The inequality without the share of the biases in the kernel, for the ReLU and for slopes 1 and -1; other slopes break it.
    With biases it fails: :math:`f(x) = x` has the trace 5001/5000 at 0 in a network of depth 3.
Proof idea
    :math:`\|f(x)\| \le \|J(\tilde\alpha_\ell \to f)\|\, \|\alpha_\ell\|` at every hidden layer, because the slopes there
    are 0 or of absolute value 1; and the inequality of means.
Sharp
    Chains of equal weights; one layer.
Source
    ours, after bottleneck_structure, Section 4.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, compare, power, rationals
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace


def trace_is_not_small(network: FullyConnected, x: Array) -> Relation:
    r"""Trace of the kernel without the share of the biases, against :math:`L \|f(x)\|^{2-2/L} \|x\|^{2/L}`."""
    depth = network.depth
    value, point = squares(network(x)), squares(x)
    least = depth * power(value, Fraction(depth - 1, depth)) * power(point, Fraction(1, depth))
    return le(least, ntk_trace(network, x, biases=False))


# False variants


def value_alone(network: FullyConnected, x: Array) -> Relation:
    """The square of the value, without the point."""
    return le(network.depth * squares(network(x)), ntk_trace(network, x, biases=False))


def exponents_exchanged(network: FullyConnected, x: Array) -> Relation:
    """The exponent 2/L at the value and 2 - 2/L at the point."""
    depth = network.depth
    value, point = squares(network(x)), squares(x)
    least = depth * power(value, Fraction(1, depth)) * power(point, Fraction(depth - 1, depth))
    return le(least, ntk_trace(network, x, biases=False))


def keeps_or_cuts(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope below zero is 0, 1 or -1."""
    slope = network.activation.negative
    return np.asarray((compare(slope, 0) == 0) | (compare(slope * slope, 1) == 0))


def scalar_chain(*weights: int | str, **others: Any) -> dict[str, Any]:
    """One neuron in every layer, without biases."""
    return {"network": FullyConnected([rationals([[weight]]) for weight in weights]), **others}


def steep_at_the_end() -> Relation:
    r"""f(x) = x with weights 100, 1 and 1/100: with the biases the trace at 0 is 1 + 2/100^2."""
    network = scalar_chain(100, 1, "1/100")["network"]
    return eq(ntk_trace(network, rationals([0])), rationals("5001/5000"))


LOWER = Claim(
    id="bottleneck_structure.narrowness.lower_bound",
    title="Without biases the kernel is at least of order L",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=trace_is_not_small,
    domain=Domain(
        {"network": Networks(biases=False, slope=(-1, 1)), "x": reals("inputs")},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        {"the slope is 0, 1 or -1": keeps_or_cuts},
    ),
    needs=("the slope is 0, 1 or -1",),
    tight={
        "a chain of equal weights": Tight(partial(scalar_chain, 2, 2, 2, x=rationals([3]))),
        "one layer": Tight(partial(scalar_chain, 2, x=rationals([3]))),
    },
    false_neighbours={"the value alone": value_alone, "the exponents exchanged": exponents_exchanged},
    exact={"small at one point with biases": steep_at_the_end},
)
