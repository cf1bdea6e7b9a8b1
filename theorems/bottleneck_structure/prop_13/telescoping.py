r"""Proposition 13, proof: the difference is a sum over hidden layers.

Statement
    For any network and any two points,

    .. math:: Jf(x) - Jf(y) = \sum_{\ell=1}^{L-1} W_L D_{L-1}(y) \cdots W_{\ell+1}
              \bigl(D_\ell(x) - D_\ell(y)\bigr) W_\ell D_{\ell-1}(x) \cdots W_1 .
Checked
    The identity, for every slope of the activation.
Source
    bottleneck_structure, proof of Proposition 13.
"""

from theorems.bottleneck_structure.prop_13.statement import SOURCE
from verify import Claim, Domain, Networks, reals
from verify.words import eq


def slopes_of(f, x):
    r"""Diagonals of :math:`D_1, \ldots, D_{L-1}`."""
    return [f.activation.derivative(values) for values in f.preactivations(x)[:-1]]


def term(f, layer, before, behind):
    """The summand of a hidden layer, with the slopes before it and behind it."""
    slopes = [*before[: layer - 1], before[layer - 1] - behind[layer - 1], *behind[layer:]]
    product = f.weights[0]
    for D, W in zip(slopes, f.weights[1:], strict=True):
        product = W @ (D[:, None] * product)
    return product


def difference_is_a_sum(f, x, y):
    Dx, Dy = slopes_of(f, x), slopes_of(f, y)
    return eq(f.jacobian(x) - f.jacobian(y), sum(term(f, layer, Dx, Dy) for layer in range(1, f.depth)))


def all_at_one_point(f, x, y):
    """The layers before the change at the point y, too."""
    Dx, Dy = slopes_of(f, x), slopes_of(f, y)
    total = sum(term(f, layer, [*Dy[: layer - 1], *Dx[layer - 1 :]], Dy) for layer in range(1, f.depth))
    return eq(f.jacobian(x) - f.jacobian(y), total)


def the_last_layer_only(f, x, y):
    return eq(f.jacobian(x) - f.jacobian(y), term(f, f.depth - 1, slopes_of(f, x), slopes_of(f, y)))


TELESCOPING = Claim(
    id="bottleneck_structure.prop_13.telescoping",
    title="The difference of two Jacobians is a sum over the hidden layers",
    source=SOURCE,
    statement=difference_is_a_sum,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point"), "y": reals("inputs", role="second point")},
        {"depth": (3, 4, 6, 13), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2)},
    ),
    false_variants={"all at one point": all_at_one_point, "the last layer only": the_last_layer_only},
)
