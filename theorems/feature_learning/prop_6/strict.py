r"""Proposition 6 can be strict: two neurons are better than one.

Statement
    On X = (1, -1), Y = (1, 1), a ReLU network of width 1 without bias has a loss of at least :math:`2 - (1 - \lambda)^2` for
    :math:`0 < \lambda < 1`; two neurons reach :math:`2 - 2(1 - \lambda)^2`.
Checked
    The loss of any single neuron, and that of the best two, for :math:`\lambda = 1 - r^2`, which keeps the best weights
    rational.
Proof idea
    A neuron sees one data point.
Sharp
    The weights (c, c) with :math:`c^2 = 1 - \lambda`.
Source
    feature_learning, Proposition 6; the example is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.segment import one_neuron_for_each_point, regularised_loss, segment_value
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.symbolic import identically_zero


def loss_of_one(weight: Array, outgoing: Array, root: Array) -> Array:
    """The loss of a single neuron."""
    return regularised_loss(weight[..., None], outgoing[..., None], 1 - root**2, 1 + 0 * root)


def loss_of_two(root: Array) -> Array:
    """The loss of a neuron for each point, with all weights the root."""
    incoming, outgoing = np.stack([root, -root], axis=-1), np.stack([root, root], axis=-1)
    return regularised_loss(incoming, outgoing, 1 - root**2, 1 + 0 * root)


def two_neurons_are_better(weight: Array, outgoing: Array, root: Array) -> Relation:
    """The losses of one neuron and of two."""
    bound = segment_value(1 - root**2, 1)
    one = le(bound, loss_of_one(weight, outgoing, root), name="one neuron")
    return one & eq(loss_of_two(root) + root**4, bound, name="two neurons")


# False variants


def no_gain(weight: Array, outgoing: Array, root: Array) -> Relation:
    """Two neurons are as good as one."""
    return le(loss_of_one(weight, outgoing, root), loss_of_two(root))


def sees_both_points(weight: Array, outgoing: Array, root: Array) -> Relation:
    r"""A neuron gains :math:`(1 - \lambda)^2/2` at most."""
    return le(2 - root**4 / 2, loss_of_one(weight, outgoing, root))


def best_single_neuron() -> dict[str, Array]:
    """The weights (c, c) with c^2 = 1 - lam."""
    return {name: rationals("3/5") for name in ("weight", "outgoing", "root")}


def one_neuron_in_symbols() -> Relation:
    r"""For :math:`p = wv > 0`, :math:`q = (w - v)^2`, the loss less the bound is :math:`(p - 1 + \lambda)^2 + \lambda q`.

    A neuron with w < 0 sees the other point, with the same loss; for v < 0 both errors are at least 1, and the loss is above 2.
    """
    import sympy as sp

    w, v, root = sp.symbols("w v root", positive=True)
    p, q, lam = w * v, (w - v) ** 2, 1 - root**2
    loss = (p - 1) ** 2 + 1 + lam * (w**2 + v**2)
    return identically_zero(loss - segment_value(lam, 1) - (p - root**2) ** 2 - lam * q)


def neuron_for_each_point() -> Relation:
    """Weights of the best network of two neurons, as in Proposition 19, exactly."""
    instance = one_neuron_for_each_point("16/25", "1", "3/5", "3/5")
    return eq(regularised_loss(**instance), rationals("1088/625"))


STRICT = Claim(
    id="feature_learning.prop_6.strict",
    title="Two neurons can be strictly better than one",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=two_neurons_are_better,
    domain=Domain({"weight": reals(), "outgoing": reals(), "root": interval(0, 1)}),
    tight={"the best neuron": Tight(best_single_neuron)},
    false_neighbours={"no gain": no_gain, "one neuron gains half of it": sees_both_points},
    exact={"one neuron": one_neuron_in_symbols, "two neurons": neuron_for_each_point},
)
