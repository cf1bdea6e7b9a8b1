r"""Shallow networks of one input: lower bounds by duality.

Statement
    Multipliers :math:`\lambda_j` at points :math:`x_j` answer a neuron with
    :math:`g(w, b) = \sum_j \lambda_j \sigma(w x_j + b)`. With G the supremum of :math:`|g|` over :math:`w^2 + b^2 = 1`, every
    network of depth 2 and one output with the output bias :math:`\beta` satisfies

    .. math:: 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr| \le 2\,\Bigl|\beta\sum_j \lambda_j\Bigr| + G\,(\|w\|^2 - \beta^2) ,
              \quad 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr|\,G \le G^2 \|w\|^2 + \Bigl(\sum_j \lambda_j\Bigr)^2 .

    So multipliers with G = 2 show that :math:`R(f) \ge \lambda \cdot f - \frac14(\sum_j \lambda_j)^2` for every f with these
    values, on every domain that contains the points. On [-1, 1], for the ReLU,

    .. math:: R(x) = R(x + 1) = 2\sqrt2, \quad R(2x) = 4\sqrt2, \quad R(|x|) = 4, \quad R(\tfrac12) = \tfrac14, \quad
              R(1) = 1, \quad R(2) = 3,

    and 4 for the constant 2 without an output bias. The linear network for x costs 2, less than :math:`2\sqrt2`.
Checked
    Both bounds for every network. G is found exactly (`response_squared`): between the directions in which a neuron has its
    kink at a point, g is linear in (w, b), so that :math:`|g| / \|(w, b)\|` is largest at such a direction or at a gradient of
    one of the linear pieces. The values on [-1, 1] exactly, by a network and by multipliers.
Proof idea
    :math:`\sum_j \lambda_j F(x_j) = \beta\sum_j\lambda_j + \sum_i a_i g(w_i, b_i)`, and
    :math:`\sum_i |a_i|\,\|(w_i, b_i)\| \le \frac12(\|w\|^2 - \beta^2)`.
Tight
    The cheapest networks for |x|, x, x + 1 and constants.
Source
    derived here, beside the representation cost of shallow networks in notion_of_rank.
"""

from functools import partial

from theorems.notion_of_rank.constructions import shallow
from theorems.notion_of_rank.constructions.constants import constant_network
from theorems.notion_of_rank.shallow_networks.statement import variation
from verify import Claim, DerivedHere, Domain, Networks, Q, Relation, Source, Tight, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, concatenate, eq, greatest, le, lifted, ones, sqrt, stack

G2, response = lifted(shallow.response_squared), lifted(shallow.response)


def bounds(f, x, lam, square, factor=2):
    """Both bounds with `square` for :math:`G^2`."""
    pairing, beta, norm = factor * absolute(lam @ f(x[:, None])[:, 0]), f.biases[1][0], f.parameter_norm_squared
    by_the_bias = 2 * absolute(beta * lam.sum()) + sqrt(square) * (norm - beta**2)
    return le(pairing, by_the_bias, name="by the bias") & le(
        pairing * sqrt(square), square * norm + lam.sum() ** 2, name="by the norm"
    )


def weak_duality(f, x, lam, factor=2):
    return bounds(f, x, lam, G2(x, lam, f.activation.negative), factor)


def kinks_at_the_points_suffice(f, x, lam):
    """The supremum over neurons with their kink at a point."""
    along = stack([ones(len(x)), -x], axis=1)
    directions = concatenate([along, -along])
    square = greatest(response(x, lam, directions, f.activation.negative) ** 2 / (directions**2).sum(axis=1))
    return bounds(f, x, lam, square)


def without_the_sum(f, x, lam):
    """The first bound without the output bias."""
    G = sqrt(G2(x, lam, f.activation.negative))
    return le(2 * absolute(lam @ f(x[:, None])[:, 0]), G * f.parameter_norm_squared)


def without_output_bias(w, b, a):
    """ReLU network of one input and one output without output bias."""
    return FullyConnected([rationals(w)[:, None], rationals(a)[None, :]], [rationals(b), rationals([0])])


POINTS = [-1, 0, 1]
FUNCTIONS = {
    "x": (without_output_bias([1, -1], [1, 1], ["1/2", "-1/2"]), [-1, 0, 1], [-1, 0, 1], 8),
    "x + 1": (without_output_bias([1], [1], [1]), [0, 1, 2], [-1, 0, 1], 8),
    "2 x": (without_output_bias([1, -1], [1, 1], [1, -1]), [-2, 0, 2], [-1, 0, 1], 32),
    "|x|": (without_output_bias([1, -1], [0, 0], [1, 1]), [1, 0, 1], [1, -2, 1], 16),
}
"""Functions on [-1, 1], affine on both sides of 0: a cheapest network up to balance, values and multipliers at -1, 0 and 1, and
the square of R.
"""


def costs_on_the_interval():
    """The squares of R, each by a network and by multipliers of sum zero."""
    relation, x, halves = Relation(()), rationals(POINTS), rationals(["-1/2", "1/2"])
    for f, values, multipliers, square in FUNCTIONS.values():
        # without kinks between -1, 0 and 1, five points determine it on the interval
        y, lam = rationals(values), rationals(multipliers)
        relation &= eq(f(x[:, None])[:, 0], y) & eq(f(halves[:, None])[:, 0], (y[:-1] + y[1:]) / 2)
        entering, leaving = shallow.neuron_sizes(f)
        sizes = entering * leaving
        relation &= eq(4 * sqrt(sizes[:, None] * sizes).sum(), square)
        relation &= eq(4 * (lam @ y) ** 2 / G2(x, lam), square) & eq(lam.sum(), 0)
    return relation


def costs_of_constants():
    """R of 1/2, 1 and 2 by the multiplier 1 or 2 at the point 0, and 4 for the constant 2 without an output bias."""
    zero, relation = rationals([0]), Relation(())
    for c, multiplier, cost in (("1/2", 1, Q(1, 4)), (1, 2, 1), (2, 2, 3)):
        lam = rationals([multiplier])
        relation &= le(G2(zero, lam), 4) & eq(lam[0] * rationals(c) - lam[0] ** 2 / 4, cost)
        relation &= eq(constant_network(rationals(c), 2).parameter_norm_squared, cost)
    plain, lam = without_output_bias([0], [1], [2]), rationals([2])
    relation &= eq(plain(rationals([[-1], [1]])), 2) & eq(variation(plain), 4)
    return relation & eq(2 * (lam * 2).sum() / sqrt(G2(zero, lam)), 4)


def pair(name):
    """A cheapest network and its multipliers, from `FUNCTIONS`; the network is balanced."""
    f, _, multipliers, _ = FUNCTIONS[name]
    return {"f": shallow.balanced_neurons(f), "x": POINTS, "lam": multipliers}


def constant_pair(c):
    """A constant of at least 1 and the multiplier 2 at the point 0."""
    return {"f": constant_network(rationals(c), 2), "x": [0], "lam": [2]}


CLAIM = Claim(
    id="notion_of_rank.shallow_networks.dual",
    title="Multipliers bound the cost from below",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=weak_duality,
    domain=Domain(
        {
            "f": Networks(depth=2, inputs=1, outputs=1, slope=(-2, 2)),
            "x": reals("points", role="points of the line"),
            "lam": reals("points", role="residuals of one output"),
        },
        {"width": range(1, 4), "points": range(1, 5)},
    ),
    tight={
        "|x|": partial(pair, "|x|"),
        "constant 2": Tight(partial(constant_pair, 2), of=("by the bias", "by the norm")),
        "constant 5": Tight(partial(constant_pair, 5), of=("by the bias", "by the norm")),
        "x": partial(pair, "x"),
        "x + 1": partial(pair, "x + 1"),
    },
    false_variants={
        "21/10 times the pairing": {"factor": Q(21, 10)},
        "supremum over kinks at the points": kinks_at_the_points_suffice,
        "without the sum of the multipliers": without_the_sum,
    },
    exact={"values on [-1, 1]": costs_on_the_interval, "constants": costs_of_constants},
)
