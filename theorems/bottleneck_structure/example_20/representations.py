r"""Example 20: the hidden representations grow like :math:`e^{(L-2)\epsilon/2}`.

Statement
    The hidden values before the kink are :math:`(t^m x_1, t^m x_2, t^{-2m} x_3)` with :math:`t = e^\epsilon` and
    :math:`m = (L-2)/2`, and the third one counts :math:`t^{2m}` times in the output: as the depth grows, no constant bounds
    the one (t > 1) nor the other.
Checked
    Both, wherever no coordinate is negative.
Proof idea
    m diagonal layers.
Source
    bottleneck_structure, Appendix D.1, Example 20.
"""

from __future__ import annotations

import numpy as np

from theorems.bottleneck_structure.example_20.function import INSIDE, INSTANCE, SOURCE, equal_in_symbols
from verify import Claim, Domain, Relation, eq
from verify.arithmetic import Array
from verify.networks import FullyConnected


def representation_grows(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """The hidden values before the kink, and what the output makes of the third one."""
    network, t = instance
    middle = (network.depth - 2) // 2
    expected = np.stack([t**middle * x[..., 0], t**middle * x[..., 1], t ** (-2 * middle) * x[..., 2]], axis=-1)
    outward = network.jacobian_from_layer(middle, x)[..., 2, 2]
    return eq(network.preactivations(x)[middle - 1], expected, over=1, name="before") & eq(
        outward, t ** (2 * middle), name="behind"
    )


# False variants


def one_step_less(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """The first coordinate with the power of the layer before."""
    network, t = instance
    middle = (network.depth - 2) // 2
    return eq(network.preactivations(x)[middle - 1][..., 0], t ** (middle - 1) * x[..., 0])


def all_coordinates_alike(instance: tuple[FullyConnected, Array], x: Array) -> Relation:
    """The third coordinate in the output as the first ones."""
    network, t = instance
    middle = (network.depth - 2) // 2
    return eq(network.jacobian_from_layer(middle, x)[..., 2, 2], t**middle)


DIVERGING = Claim(
    id="bottleneck_structure.example_20.diverging",
    title="The hidden representation grows like e^((L - 2) eps / 2)",
    source=SOURCE,
    statement=representation_grows,
    domain=Domain(INSTANCE, {"depth": range(4, 15, 2)}, INSIDE),
    needs=tuple(INSIDE),
    false_variants={"one step fewer": one_step_less, "output as the first coordinates": all_coordinates_alike},
    exact={"in symbols": equal_in_symbols},
)
