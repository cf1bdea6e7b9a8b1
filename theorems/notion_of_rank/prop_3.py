r"""Proposition 3: the Jacobian's Schatten norm bounds the cost per layer.

Statement
    At every point x of the interior of :math:`\Omega` where f is differentiable,

    .. math:: \|Jf(x)\|_{2/L}^{2/L} = \sum_i s_i(Jf(x))^{2/L} \le \frac{R(f; \Omega, \sigma, L)}{L} .
Correction
    The slides ask for a homogeneous activation only. Its slopes must be at most 1 in absolute value (``.printed``).
Checked
    The inequality for every network, minimal or not, without its biases:

    .. math:: \sum_i s_i(JF_w(x))^{2/L} \le \frac1L \sum_{\ell=1}^L \|W_\ell\|_F^2

    at points where no hidden neuron is at its kink. That hypothesis can be dropped: the inequality holds for
    :math:`W_L D_{L-1} \cdots D_1 W_1` with any diagonal :math:`D_\ell` of entries between -1 and 1 (``.slopes``). So it holds
    at kinks with every convention there, and for every activation with Lipschitz constant 1. The companion for two points needs
    no derivative and holds on any domain, finite ones included (``.two_points``):

    .. math:: \Bigl(\frac{\|F_w(x) - F_w(y)\|}{\|x - y\|}\Bigr)^{2/L} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

    The matrix of differences at three points does not obey such a bound: it is a false variant.
Proof idea
    The one of ``linear_networks.cost``, with :math:`\|D_\ell\|_{op} \le 1` between the weights.
Tight
    Balanced factors with non-negative hidden values: :math:`W_1 = S^{1/L}V^T`, :math:`W_\ell = S^{1/L}`, :math:`W_L = US^{1/L}`
    where :math:`V^Tx > 0`.
Not checked
    Points where f is differentiable but the network has a kink. There Jf is the limit of Jacobians at points without one.
Source
    notion_of_rank, Proposition 3; the two companions are derived here.
"""

from functools import partial

from theorems.shared.activations import SLOPES
from theorems.shared.balanced import balanced_network, rational_factors
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Q, Source, derived, integers, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eye, greatest, le, norm2, ones, pinv, schatten_power, stack


def schatten_bound(f, x, p=2):
    L = f.depth
    return le(schatten_power(f.jacobian(x), Q(p, L)), f.weight_norm_squared / L)


def last_layer_is_free(f, x):
    L = f.depth
    return le(schatten_power(f.jacobian(x), Q(2, L)), (f.weight_norm_squared - norm2(f.weights[-1])) / L)


def product(f, D):
    """The matrix of the layers with the diagonals D between them."""
    J = f.weights[0]
    for W, d in zip(f.weights[1:], D, strict=True):
        J = W @ (d[:, None] * J)
    return J


def any_slopes(f, D, p=2):
    L = f.depth
    return le(schatten_power(product(f, D), Q(p, L)), f.weight_norm_squared / L)


def two_points(f, x, y):
    # to the power L: both sides are rational
    L = f.depth
    return le(norm2(f(x) - f(y)), norm2(x - y) * (f.weight_norm_squared / L) ** L)


def half_the_exponent(f, x, y):
    L = f.depth
    return le(norm2(f(x) - f(y)), norm2(x - y) * (f.weight_norm_squared / L) ** (2 * L))


def three_points(f, x, y, z):
    L, differences = f.depth, stack([f(y) - f(x), f(z) - f(x)], axis=1)
    return le(schatten_power(differences @ pinv(stack([y - x, z - x], axis=1)), Q(2, L)), f.weight_norm_squared / L)


def balanced(L, *roots, negative=0, sign=1):
    found = balanced_network(L, *roots, negative=negative, sign=sign)
    return {"f": found["network"], "x": found["x"]}


def balanced_with_slopes(slope, L, *roots):
    return {"f": rational_factors(L, *roots)["network"], "D": rationals(slope * ones(L - 1, 3))}


def along_a_singular_vector():
    found = balanced(4, "3/2")
    return {**found, "y": 3 * found["x"], "z": 0 * found["x"]}


def one_neuron_on(L, width):
    """A network of one input that passes it on in its first neuron, and the points 1, 0 and 2."""
    entry, first = rationals(eye(width)[:, :1]), rationals(eye(width)[:1])
    return {"f": FullyConnected([entry, *[entry @ first] * (L - 2), first]), "x": [1], "y": [0], "z": [2]}


NETWORKS = Networks(slope=(-2, 2))
DEPTHS = (1, 2, 3, 4, 6)
LENGTHS = {"inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
OURS, SOURCE = Source("notion_of_rank", "derived here"), Source("notion_of_rank", "Proposition 3")
NO_KINK = "no hidden neuron at its kink"


def slopes_at_most_one(f):
    return f.activation.lipschitz_constant <= 1


def no_kink(f, x):
    return f.distance_to_kink(x) > 0


CLAIM = Claim(
    id="notion_of_rank.prop_3",
    title="The Jacobian's Schatten norm bounds the cost per layer",
    source=SOURCE,
    statement=schatten_bound,
    domain=Domain(
        {"f": NETWORKS, "x": reals("inputs", role="point")},
        {"depth": (1, 2, 3, 4, 6, 13), **LENGTHS},
        {SLOPES: slopes_at_most_one, NO_KINK: no_kink},
    ),
    needs=(SLOPES,),
    tight={
        "depth 1": lambda: {"f": FullyConnected([rationals([[1, 2], [3, 4]])]), "x": [0, 0]},
        "balanced, depth 3": partial(balanced, 3, 2, 1, "1/2"),
        "balanced, depth 6": partial(balanced, 6, "5/3", "1/2"),
        "balanced, depth 13": partial(balanced, 13, "3/2", 1),
        "equal singular values": partial(balanced, 4, 2, 2, 2),
        "absolute value": partial(balanced, 4, 2, 1, "1/2", negative=-1, sign=-1),
    },
    false_variants={
        "exponent 19/10": {"p": Q("19/10")},
        "exponent 3": {"p": 3},
        "the last layer is free": last_layer_is_free,
    },
)

PRINTED = Claim(
    id="notion_of_rank.prop_3.printed",
    title="The bound of Proposition 3 holds for every homogeneous activation",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=schatten_bound,
    domain=Domain({"f": NETWORKS, "x": reals("inputs", role="point")}, {"depth": (2, 3, 4), **LENGTHS}, {NO_KINK: no_kink}),
)

ANY_SLOPES = Claim(
    id="notion_of_rank.prop_3.slopes",
    title="The bound of Proposition 3 holds for any slopes in [-1, 1]",
    source=OURS,
    status=DerivedHere(),
    statement=any_slopes,
    domain=Domain(
        {
            "f": Networks(slope=1, biases=False),
            "D": derived(
                lambda D, twice: D * (1 + twice),
                D=slopes(-2, 2, lambda sizes: sizes["depth"] - 1, "width"),
                twice=integers(0, 1),
            ),
        },
        {"depth": (2, 3, 4, 6), **LENGTHS},
        {SLOPES: lambda D: greatest(absolute(D)) <= 1},
    ),
    needs=(SLOPES,),
    tight={
        "slopes of 1": partial(balanced_with_slopes, 1, 4, 2, 1, "1/2"),
        "slopes of -1, rank 2": partial(balanced_with_slopes, -1, 2, "3/2", "1/3"),
        "slopes of -1, rank 1": partial(balanced_with_slopes, -1, 6, 2),
    },
    false_variants={"exponent 19/10": {"p": Q("19/10")}, "exponent 1": {"p": 1}},
)

TWO_POINTS = Claim(
    id="notion_of_rank.prop_3.two_points",
    title="Two points bound the cost from below",
    source=OURS,
    status=DerivedHere(),
    statement=two_points,
    domain=Domain(
        {
            "f": NETWORKS,
            "x": reals("inputs", role="point"),
            "y": reals("inputs", role="second point"),
            "z": reals("inputs", role="third point"),
        },
        {"depth": DEPTHS, **LENGTHS},
        {SLOPES: slopes_at_most_one},
    ),
    needs=(SLOPES,),
    tight={"along a singular vector": along_a_singular_vector},
    examples=[one_neuron_on(L, width) for L in DEPTHS[1:] for width in LENGTHS["width"]],
    false_variants={"exponent 1 / L": half_the_exponent, "matrix of differences at three points": three_points},
)
