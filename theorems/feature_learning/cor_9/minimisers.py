r"""Corollary 9: an example with global minimisers of rank 1 and 2.

Statement
    A width n is on the plateau if and only if there is a global minimiser with :math:`n_\ell \ge \mathrm{Rank}_\sigma(K_\ell,
    K_\ell^\sigma)` for every hidden layer. Remark 11: the networks of the plateau have the covariances and outputs of a
    network at its start.
Correction
    It need not be every minimiser: those of the plateau do not all have the covariances of one at its start (``.printed``).
Checked
    A shallow ReLU network with the amount of bias :math:`b = 1/\sqrt3`, inputs X = (-1, 1), and outputs Y = (y, y). For
    outgoing weights :math:`\sqrt3\nu_i`, biases :math:`\beta_i` (whose regularised weights are :math:`\sqrt3\beta_i`), an
    output bias :math:`\gamma/\sqrt3`, and masses :math:`\alpha_i \ge 0` (a neuron with all its weights scaled by
    :math:`\sqrt{\alpha_i}`),

    .. math:: \|W\|^2 = \sum_i\alpha_i(w_i^2 + 3\beta_i^2 + 3\nu_i^2) + \gamma^2 \;\ge\; \sqrt3\,(f(-1) + f(1)) - 1 .

    So for :math:`y \ge 1/\sqrt3` the representation cost is :math:`2\sqrt3y - 1` (for y = 6, 19.784610).
Proof idea
    Each neuron satisfies :math:`w^2 + 3\beta^2 + 3\nu^2 \ge 3\nu(\sigma(z_1) + \sigma(z_2))` for :math:`z = \beta \mp w`, by

    .. math:: w^2 + 3\beta^2 = \tfrac34(z_1 + z_2)^2 + \tfrac14(z_1 - z_2)^2 = \tfrac34z_1^2 + (\tfrac{z_1}2 + z_2)^2 .
Tight
    A constant neuron, of rank 1; two neurons of which each sees one point, of rank 2; and mixtures. All are global minimisers;
    the plateau starts at width 1.
Source
    feature_learning, Corollary 9. The example is derived here.
"""

from functools import partial, reduce
from operator import and_

import numpy as np

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import eq, le, ones, rank, relu, stack, vector, where


def neurons(free, kind):
    r"""Rows :math:`(w, \beta, \nu)`: constant neurons (kind 0), those of one point (1 and 2), and any (3)."""
    t, kind = free[:, 0], kind[:, None]
    constant, left, right = (stack(row, axis=1) for row in ([0 * t, t, t], [t, t / 3, 2 * t / 3], [-t, t / 3, 2 * t / 3]))
    return where(kind == 0, constant, where(kind == 1, left, where(kind == 2, right, free)))


def preactivations(layer):
    """At the inputs -1 and 1, which are the columns."""
    w, beta, _ = layer.T
    return stack([beta - w, beta + w], axis=1)


def outputs(layer, alpha, gamma):
    r""":math:`f(-1)/\sqrt3` and :math:`f(1)/\sqrt3`."""
    return (alpha * layer[:, 2]) @ relu(preactivations(layer)) + gamma / 3


def norm_squared(layer, alpha, gamma, bias=3):
    w, beta, nu = layer.T
    return alpha @ (w**2 + bias * beta**2 + 3 * nu**2) + gamma**2


def cost_is_at_least(layer, alpha, gamma, saved=1, bias=3):
    return le(3 * outputs(layer, alpha, gamma).sum() - saved, norm_squared(layer, alpha, gamma, bias))


def minimisers_have_one_neuron(layer, alpha, gamma):
    """Every neuron but one costs something more."""
    present = (alpha * (layer**2).sum(axis=1) > 0).sum()
    return le(3 * outputs(layer, alpha, gamma).sum() - 1 + (present - 1) / 10, norm_squared(layer, alpha, gamma))


def two_of_a_size(t, kind):
    """Two neurons of these kinds with the same number t."""
    return neurons(t * ones(2, 3), kind)


def two_of_a_mass(mass):
    return mass * ones(2)


def rank_at_the_start(layer, alpha):
    """The first covariance against the width 1, at which one constant neuron has the same outputs and the same cost."""
    Z = preactivations(layer)
    return le(rank((alpha * Z.T) @ Z), 1)


def has_equal_outputs(layer, alpha, gamma):
    left, right = outputs(layer, alpha, gamma)
    return left == right


def costs_the_least(layer, alpha, gamma):
    return norm_squared(layer, alpha, gamma) == 3 * outputs(layer, alpha, gamma).sum() - 1


MINIMISERS = {
    "a constant neuron": ([[0, 1, 1]], ["2"]),
    "two neurons, each for a point": ([[3, 1, 2], [-3, 1, 2]], ["1/4", "1/4"]),
    "a mixture": ([[0, 1, 1], [3, 1, 2], [-3, 1, 2]], ["1", "1/8", "1/8"]),
}
r"""Neurons and masses for the outputs :math:`y = 7/\sqrt3`, at the cost 13."""


def minimiser(name):
    """One of the `MINIMISERS`, with its output bias."""
    layer, alpha = MINIMISERS[name]
    return {"layer": rationals(layer), "alpha": rationals(alpha), "gamma": rationals(1)}


def minimisers_have_different_ranks():
    """They have equal outputs and costs, and first covariances of rank 1 and 2; the constant one has a single neuron."""
    parts = []
    for name, expected in zip(MINIMISERS, (1, 2, 2), strict=True):
        layer, alpha, gamma = minimiser(name).values()
        Z = preactivations(layer)
        parts += [eq(outputs(layer, alpha, gamma), vector(7, 7) / rationals(3)), eq(norm_squared(layer, alpha, gamma), 13)]
        parts += [eq(rank((alpha * Z.T) @ Z), expected)]
    return reduce(and_, parts)


def neuron_in_symbols():
    """What a neuron costs more than it contributes, as sums of squares, on all sign patterns of its two values."""
    import sympy as sp

    w, beta, nu, gamma = sp.symbols("w beta nu gamma", real=True)
    z1, z2 = beta - w, beta + w
    norm = w**2 + 3 * beta**2
    both = 3 * (nu - (z1 + z2) / 2) ** 2 + (z1 - z2) ** 2 / 4
    first, second = (3 * (nu - z / 2) ** 2 + (z / 2 + other) ** 2 for z, other in ((z1, z2), (z2, z1)))
    return identically_zero(
        norm + 3 * nu**2 - 3 * nu * (z1 + z2) - both,
        norm + 3 * nu**2 - 3 * nu * z1 - first,
        norm + 3 * nu**2 - 3 * nu * z2 - second,
        gamma**2 - 3 * 2 * gamma / 3 + 1 - (gamma - 1) ** 2,
    )


CLAIM = Claim(
    id="feature_learning.cor_9",
    title="Global minimisers of rank 1 and 2: the plateau starts at the smallest",
    source=Source("feature_learning", "Corollary 9"),
    status=DerivedHere(),
    statement=cost_is_at_least,
    domain=Domain(
        {
            "layer": derived(neurons, free=reals("neurons", 3), kind=integers(0, 3, "neurons")),
            "alpha": interval(0, np.inf, "neurons"),
            "gamma": reals(),
        },
        {"neurons": range(1, 5)},
    ),
    tight={name: partial(minimiser, name) for name in MINIMISERS},
    false_variants={
        "without the 1 of the bias": {"saved": 0},
        "bias 1": {"bias": 1},
        "minimisers have one neuron": minimisers_have_one_neuron,
    },
    exact={"minimisers of rank 1 and 2": minimisers_have_different_ranks, "sums of squares": neuron_in_symbols},
)

PRINTED = Claim(
    id="feature_learning.cor_9.printed",
    title="Networks on the plateau have the covariances of one at its start",
    source=Source("feature_learning", "Remark 11"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=rank_at_the_start,
    domain=Domain(
        {
            "layer": derived(two_of_a_size, t=reals(), kind=integers(0, 2, 2)),
            "alpha": derived(two_of_a_mass, mass=interval(0, 4)),
            "gamma": interval(0, 2, often=(1,)),
        },
        {},
        {"both outputs are equal": has_equal_outputs, "the network is a global minimiser": costs_the_least},
    ),
)
