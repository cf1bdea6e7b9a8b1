r"""Shallow networks, constants: the representation cost is no norm.

Statement
    On every domain that contains 0, for slopes of at most 1, the constant c (one output) costs

    .. math:: R(c; 1) = c^2, \qquad
              R(c; L) = \begin{cases} c^2 & |c| \le 1 \\ 2|c| - 1 & 1 \le |c| \le 2 \end{cases} \quad (L \ge 2),

    and beyond :math:`|c| = 2` still :math:`2|c| - 1` at depth 2, but at depth 3 only :math:`r^{-2} + 3r^2 - 1` for the root
    r >= 1 of :math:`r^3 + 1/r = |c|`, which is :math:`\min_u (u^3 - |c|)^2 + 3u^2 - 1`: the problem of ``ridge`` again. At
    larger depths this is an upper bound, and the cost for :math:`|c| = 2` a lower one.
    At no depth L >= 2 is R a norm: R(2) = 3 is more than 2 R(1) = 2, and R(1/2) = 1/4 less than R(1)/2. The slides say of
    shallow networks, in a line on earlier work, that R takes the form of a norm; that needs an output bias without a penalty
    (``statement``).
Checked
    Every network costs at least this for its value at 0 (``.constants``; at another point, or with larger slopes, it may cost
    less), and `constant_network` attains it (``.constants_attained``).
Proof idea
    With :math:`V_1(y) = y^2`, a value y of layer l + 1 at 0 costs at least
    :math:`V_{l+1}(y) = \min_z (y - z)^2 + \min_x z^2/x^2 + V_l(x)`: output bias, weights, and the layers before.
Tight
    The cheapest networks for constants.
Source
    notion_of_rank, representation cost of shallow networks; the values are derived here.
"""

from functools import partial

from theorems.notion_of_rank.constructions.constants import LARGEST_DEPTH, constant_network, cost_of_a_constant
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Networks, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, le, lifted, minimum, ones, vector, where

constant, R = lifted(constant_network), lifted(cost_of_a_constant)


def value_at(f, place):
    """Size of the value where all inputs are `place`."""
    return absolute(f(place * ones(f.widths[0]))[0])


def cost_of_the_value(f):
    c, L = value_at(f, 0), f.depth
    return le(R(c, L) if L <= LARGEST_DEPTH else R(minimum(c, 2), 2), f.parameter_norm_squared)


def size_of_the_value(f):
    return le(value_at(f, 0), f.parameter_norm_squared)


def square_of_the_value(f):
    return le(value_at(f, 0) ** 2, f.parameter_norm_squared)


def depth_two_at_every_depth(f):
    return le(R(value_at(f, 0), 2), f.parameter_norm_squared)


def value_at_one(f):
    return le(R(minimum(value_at(f, 1), 2), 2), f.parameter_norm_squared)


def without_the_output_bias(f):
    return le(R(minimum(value_at(f, 0), 2), 2), f.parameter_norm_squared - f.biases[-1][0] ** 2)


def attained(c, x, depth):
    f = constant(c, depth)
    return eq(f(vector(x))[0], c, name="value") & eq(f.parameter_norm_squared, R(c, depth), name="cost")


def norm_of_constants(c, depth):
    return eq(constant(c, depth).parameter_norm_squared, absolute(c))


def squares_of_constants(c, depth):
    return eq(constant(c, depth).parameter_norm_squared, c**2)


def constant_with_roots(root, piece, negative, depth):
    """A constant up to 1, up to 2 or beyond, by the `piece`, whose cheapest network is rational."""
    k = root / 2
    r = (1 + k**2) / (1 - k**2)
    beyond = 1 + (2 + root) ** 2 if depth == 2 else r**3 + 1 / r
    return where(piece == 0, root, where(piece == 1, 1 + root**2, beyond)) * (1 - 2 * negative)


def cheapest(depth, c):
    return {"f": constant_network(rationals(c), depth)}


OURS = Source("notion_of_rank", "derived here")

CONSTANTS = Claim(
    id="notion_of_rank.shallow_networks.constants",
    title="The value at zero costs at least what the constant does",
    source=OURS,
    status=DerivedHere(),
    statement=cost_of_the_value,
    domain=Domain(
        {"f": Networks(outputs=1, slope=(-2, 2))},
        {"depth": (1, 2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 3)},
        {SLOPES: lambda f: f.activation.lipschitz_constant <= 1},
    ),
    needs=(SLOPES,),
    tight={
        "1/2 at depth 2": partial(cheapest, 2, "1/2"),
        "2 at depth 2": partial(cheapest, 2, 2),
        "-5 at depth 2": partial(cheapest, 2, -5),
        "5/4 at depth 3": partial(cheapest, 3, "5/4"),
        "881/320 at depth 3": partial(cheapest, 3, "881/320"),
        "5/4 at depth 7": partial(cheapest, 7, "5/4"),
    },
    false_variants={
        "a norm": size_of_the_value,
        "the square at every depth": square_of_the_value,
        "depth 2 at every depth": depth_two_at_every_depth,
        "the value at 1": value_at_one,
        "output bias not counted": without_the_output_bias,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.shallow_networks.constants_attained",
    title="Networks of single neurons attain the cost of constants",
    source=OURS,
    status=DerivedHere(),
    statement=attained,
    domain=Domain(
        {
            "c": derived(constant_with_roots, root=interval(0, 1), piece=integers(0, 2), negative=integers(0, 1)),
            "x": reals(),
        },
        {"depth": range(1, 4)},
    ),
    false_variants={"the square": squares_of_constants, "a norm": norm_of_constants},
)
