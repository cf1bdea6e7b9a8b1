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

from theorems.bottleneck_structure.example_20.function import INSIDE, SOURCE, VARIABLES, diverging, equal_in_symbols
from verify import Claim, Domain
from verify.words import eq, vector


def representation_grows(t, x, depth):
    m, f = (depth - 2) // 2, diverging(depth, t)
    hidden = vector(t**m * x[0], t**m * x[1], t ** (-2 * m) * x[2])
    return eq(f.preactivations(x)[m - 1], hidden, name="before") & eq(
        f.jacobian_from_layer(m, x)[2, 2], t ** (2 * m), name="behind"
    )


def one_step_less(t, x, depth):
    """The first coordinate with the power of the layer before."""
    m = (depth - 2) // 2
    return eq(diverging(depth, t).preactivations(x)[m - 1][0], t ** (m - 1) * x[0])


def all_coordinates_alike(t, x, depth):
    """The third coordinate in the output as the first ones."""
    m = (depth - 2) // 2
    return eq(diverging(depth, t).jacobian_from_layer(m, x)[2, 2], t**m)


DIVERGING = Claim(
    id="bottleneck_structure.example_20.diverging",
    title="The hidden representation grows like e^((L - 2) eps / 2)",
    source=SOURCE,
    statement=representation_grows,
    domain=Domain(VARIABLES, {"depth": range(4, 15, 2)}, INSIDE),
    needs=tuple(INSIDE),
    false_variants={"one step fewer": one_step_less, "output as the first coordinates": all_coordinates_alike},
    exact={"in symbols": equal_in_symbols},
)
