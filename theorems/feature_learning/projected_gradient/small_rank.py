r"""Projected gradient descent is stuck where the rank is small.

Statement
    For the widths (2, 1, 1), X = I, no bias and a homogeneous activation, take representations (z, bz) with positive entries
    of z. A step of the gradient of :math:`L^r` with the rate :math:`\eta`, followed by the sequential projection, leads to

    .. math:: \Bigl(1 - 2\eta\lambda\Bigl(1 - \frac{b^2}{\|z\|^2}\Bigr)\Bigr)z, \qquad
       \Bigl(b - 2\eta\Bigl(\frac{\lambda b}{\|z\|^2} + b - \frac{\langle Y, z \rangle}{\|z\|^2}\Bigr)\Bigr)z ,

    if the first factor is positive: both stay in the direction of z. In this direction, with :math:`u = z/\|z\|`,

    .. math:: L^r(z, bz) \ge \|Y\|^2 - (|\langle Y, u \rangle| - \lambda)_+^2 .
Checked
    Both. The gradient of the loss of the weights turns z, unless Y is in its direction. Outside the constraint set the formula
    of :math:`L^r` is smaller than all that it is inside.
Proof idea
    Both forces at :math:`Z_1` are multiples of z. Then the means of :math:`\|z\|^2` and :math:`b^2`, and a soft threshold.
Tight
    :math:`\|z\| = b`, :math:`b^2 = \langle Y, u \rangle - \lambda`.
Source
    derived here, an example for feature_learning, Section 3.3.
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.pairs import slopes_of
from theorems.feature_learning.constructions.reformulation import Problem
from theorems.feature_learning.constructions.tuples import onto_image
from theorems.shared.vectors import unit_vector
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval, reals, slopes
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, le, norm2, positive, relu, stack, vector


def identity():
    return stack([[1, 0], [0, 1]])


def projected_step(z, b, d, Y, lam, rate):
    """Both representations after a step."""
    sigma, Z_1, Z_2 = homogeneous(slopes_of(d)), z[None], b * z[None]
    first, last = Layer(identity(), Z_1, Z_2, sigma, 0), Layer(sigma(Z_1), Z_2, Z_2, sigma, 0)
    Z_1 = Z_1 - rate * lam * (first.attraction() + first.repulsion())
    Z_2 = Z_2 - rate * (lam * last.attraction() + 2 * (Z_2 - Y))
    return Z_1[0], onto_image(Z_2, sigma(Z_1))[0]


def direction_stays(z, b, d, Y, lam, rate):
    Z_1, Z_2 = projected_step(z, b, d, Y, lam, rate)
    kept = 1 - 2 * rate * lam * (1 - b**2 / norm2(z))
    factor = b - 2 * rate * (lam * b / norm2(z) + b - (Y @ z) / norm2(z))
    return eq(Z_1, kept * z, name="hidden layer") & eq(Z_2, factor * z, name="outputs")


def does_not_turn(z, b, lam, rate):
    """A positive multiple of z is left."""
    # times the square, which may be zero outside the domain
    return norm2(z) - 2 * rate * lam * (norm2(z) - b**2) > 0


def step_of_the_weights(z, b, Y, lam, rate):
    r"""A step of gradient descent on the weights leaves :math:`W_1 = z` in its direction."""
    moved = z - rate * (2 * b * (b * z - Y) + 2 * lam * z)
    return eq(z[0] * moved[1], z[1] * moved[0])


def step_without_projection(z, b, Y, lam, rate):
    """The outputs stay in the direction without the projection, too."""
    moved = b * z - 2 * rate * (lam * b * z / norm2(z) + b * z - Y)
    return eq(z[0] * moved[1], z[1] * moved[0])


def problem_of(d, Y, lam):
    """X = I without bias."""
    return Problem(identity(), 0, homogeneous(slopes_of(d)), Y[None], lam)


def loss_in_the_direction(u, length, b, aside, d, Y, lam, threshold=1, gain=1):
    """The loss at (z, bz) against the bound; `aside` times a vector orthogonal to z is added to the outputs."""
    z = length * u
    Z_2 = b * z + aside * vector(-z[1], z[0])
    bound = norm2(Y) - gain * relu(absolute(Y @ u) - threshold * lam) ** 2
    return le(bound, problem_of(d, Y, lam).loss_of_representations([z[None], Z_2[None]]), name="bound")


def weights_are_not_stuck():
    r"""Y = (0, 1), :math:`\lambda = 1/5`: from (3, 4) nothing is below 0.64; weights in the direction of Y reach 0.36."""
    problem = problem_of(rationals(0), rationals([0, 1]), rationals("1/5"))
    best = [rationals([[0, "9/10"]]), rationals([[0, "4/5"]])]
    return le(problem.loss_of_representations(best), Q(2, 5)) & le(Q(16, 25), 1 - (Q(4, 5) - Q(1, 5)) ** 2)


def minimum_in_a_direction(lam):
    r"""The direction u = (3/5, 4/5), b = 1/2, and :math:`\langle Y, u \rangle = 1/4 + \lambda`."""
    u, across = rationals(["3/5", "4/5"]), rationals(["-4/5", "3/5"])
    Y = (Q(1, 4) + Q(lam)) * u + across
    return {"u": u, "length": "1/2", "b": "1/2", "aside": 0, "d": 0, "Y": Y, "lam": lam}


SOURCE = Source("feature_learning", "derived here")

STUCK = Claim(
    id="feature_learning.projected_gradient.direction",
    title="Projected gradient descent keeps the direction of a single neuron",
    source=SOURCE,
    status=DerivedHere(),
    statement=direction_stays,
    domain=Domain(
        {
            "z": interval(0, np.inf, 2),
            "b": reals(),
            "d": slopes(),
            "Y": reals(2),
            "lam": interval(0, 1),
            "rate": interval(0, 1),
        },
        hypotheses={"z is positive": lambda z: positive(z), "the step does not turn z around": does_not_turn},
    ),
    needs=("the step does not turn z around",),
    false_variants={"of the weights": step_of_the_weights, "without the projection": step_without_projection},
)

BOUND = Claim(
    id="feature_learning.projected_gradient.bound",
    title="What projected gradient descent can reach from a direction",
    source=SOURCE,
    status=DerivedHere(),
    statement=loss_in_the_direction,
    domain=Domain(
        {
            "u": derived(unit_vector, chart=interval(0, 1, 1)),
            "length": interval(0, np.inf),
            "b": reals(),
            "aside": integers(-1, 1),
            "d": slopes(),
            "Y": reals(2),
            "lam": interval(0, 1),
        },
        hypotheses={"the representations satisfy the constraints": lambda aside: aside == 0},
    ),
    needs=("the representations satisfy the constraints",),
    tight={
        "lam = 1/20": partial(minimum_in_a_direction, "1/20"),
        "lam = 1/2": partial(minimum_in_a_direction, "1/2"),
    },
    false_variants={"twice the threshold": {"threshold": 2}, "zero is best": {"gain": 0}},
    exact={"weights are not stuck": weights_are_not_stuck},
)
