r"""The ridge at one data point, for nonlinear networks.

Statement
    One data point x has the label y. The activation has slope 1 for t >= 0 and slopes of at most 1, there are no biases. Then
    on :math:`\Omega = \{x\}` the value z costs :math:`R = L(\|z\| / \|x\|)^{2/L}`, and

    .. math:: \|F_w(x) - y\|^2 + \lambda\|w\|^2 \ge \|F_w(x) - y\|^2 + \lambda L (\|F_w(x)\| / \|x\|)^{2/L}
              \ge \min_{u \ge 0} (\|x\|u^L - \|y\|)^2 + \lambda L u^2 .
Checked
    Both steps for every network; the minimum is exact (see ``chain``).
Proof idea
    The inequality of means for the norms of the layers, then the triangle inequality.
Tight
    A chain of single neurons between two unit vectors, at a minimiser.
Source
    notion_of_rank, definition of the representation cost.
"""

from functools import partial

import numpy as np

from theorems.notion_of_rank.prop_3 import slopes_at_most_one
from theorems.notion_of_rank.ridge.chain import POSITIVE, SOURCE
from theorems.shared.activations import SLOPES
from theorems.shared.arrays import unit_vector
from theorems.shared.scalars import least_objective
from verify import Claim, Domain, Networks, Q, derived, integers, interval, reals
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rational, rationals
from verify.words import le, lifted, norm2, power

least_value, unit = lifted(least_objective), lifted(unit_vector)


def cost_of_value(y, size, L):
    """Of the value y at a point of this size."""
    return L * power(norm2(y) / size**2, Q(1, L))


def at_one_point(f, size, u, t, v, ridge):
    """The point is size times the unit vector u, its label t times the unit vector v."""
    L, y = f.depth, f(size * u)
    regularised = norm2(y - t * v) + ridge * cost_of_value(y, size, L)
    return le(regularised, norm2(y - t * v) + ridge * f.weight_norm_squared, name="networks above values") & le(
        least_value(t, ridge, L, size), regularised, name="values above the minimum"
    )


def last_layer_is_free(f, size, u, ridge):
    paid = f.weight_norm_squared - norm2(f.weights[-1])
    return le(ridge * cost_of_value(f(size * u), size, f.depth), ridge * paid)


def length_left_out(f, size, u, t, v, ridge):
    L, y = f.depth, f(size * u)
    return le(least_value(t, ridge, L), norm2(y - t * v) + ridge * cost_of_value(y, size, L))


def minimiser(L, root, size, ridge):
    r"""A chain of single neurons between two unit vectors, and the label :math:`t = \|x\|q^L + \lambda q^{2-L} / \|x\|`."""
    q, size, ridge = rationals([root, size, ridge])
    u, v = rationals(["3/5", "-4/5"]), rationals(["5/13", "12/13"])
    weights = [q * u[None, :], *[rationals([[q]])] * (L - 2), q * v[:, None]]
    f = FullyConnected(weights, activation=leaky_relu(rational("1/2")))
    numbers = {"size": size, "t": size * q**L + ridge * q ** (2 - L) / size, "ridge": ridge}
    return {"f": f, "u": u, "v": v, **{name: rationals(value) for name, value in numbers.items()}}


def direction(dimension):
    return derived(unit, chart=reals(lambda sizes: sizes[dimension] - 1), flip=integers(0, 1))


CLAIM = Claim(
    id="notion_of_rank.ridge.one_point",
    title="Regularised parameters are regularised values at one data point",
    source=SOURCE,
    statement=at_one_point,
    domain=Domain(
        {
            "f": Networks(slope=(-2, 2), biases=False),
            "size": interval(Q(1, 4), 4),
            "u": direction("inputs"),
            "t": interval(0, np.inf),
            "v": direction("outputs"),
            "ridge": POSITIVE,
        },
        {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": (2, 4), "outputs": range(1, 4)},
        {SLOPES: slopes_at_most_one},
    ),
    needs=(SLOPES,),
    tight={
        "depth 2": partial(minimiser, 2, "3/2", 2, "1/3"),
        "depth 3": partial(minimiser, 3, "3/2", "1/2", "1/8"),
        "depth 13": partial(minimiser, 13, "5/4", 1, "1/2"),
    },
    false_variants={"the last layer is free": last_layer_is_free, "length of the point left out": length_left_out},
)
