r"""Proposition 6 can be strict: two neurons are better than one.

Statement
    On X = (1, -1), Y = (1, 1), a ReLU network of width 1 without bias has a loss of at least :math:`2 - (1 - \lambda)^2` for
    :math:`0 < \lambda < 1`; two neurons reach :math:`2 - 2(1 - \lambda)^2`.
Checked
    The loss of any single neuron, and that of the best two, for :math:`\lambda = 1 - r^2`, which keeps the best weights
    rational.
Proof idea
    A neuron sees one data point.
Tight
    The weights (c, c) with :math:`c^2 = 1 - \lambda`.
Source
    feature_learning, Proposition 6; the example is derived here.
"""

from theorems.feature_learning.constructions.segment import one_neuron_for_each_point, regularised_loss
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import eq, le, vector


def loss_of_one(w, v, root):
    r"""For :math:`\lambda = 1 - root^2`."""
    return regularised_loss(vector(w), vector(v), 1 - root**2, 1)


def loss_of_two(root):
    """A neuron for each point, with all weights the root."""
    return regularised_loss(vector(root, -root), vector(root, root), 1 - root**2, 1)


def two_neurons_are_better(w, v, root):
    lam = 1 - root**2
    one = le(2 - (1 - lam) ** 2, loss_of_one(w, v, root), name="one neuron")
    return one & eq(loss_of_two(root) + root**4, 2 - (1 - lam) ** 2, name="two neurons")


def no_gain(w, v, root):
    return le(loss_of_one(w, v, root), loss_of_two(root))


def one_neuron_gains_half(w, v, root):
    return le(2 - root**4 / 2, loss_of_one(w, v, root))


def one_neuron_in_symbols():
    r"""For :math:`p = wv > 0`, :math:`q = (w - v)^2`, the loss less the bound is :math:`(p - 1 + \lambda)^2 + \lambda q`.

    A neuron with w < 0 sees the other point, with the same loss; for v < 0 both errors are at least 1, and the loss is above 2.
    """
    import sympy as sp

    w, v, root = sp.symbols("w v root", positive=True)
    p, q, lam = w * v, (w - v) ** 2, 1 - root**2
    loss = (p - 1) ** 2 + 1 + lam * (w**2 + v**2)
    return identically_zero(loss - (2 - (1 - lam) ** 2) - (p - root**2) ** 2 - lam * q)


def neuron_for_each_point():
    """Weights of the best network of two neurons, as in Proposition 19, exactly."""
    return eq(regularised_loss(**one_neuron_for_each_point("16/25", "1", "3/5", "3/5")), rationals("1088/625"))


STRICT = Claim(
    id="feature_learning.prop_6.strict",
    title="Two neurons can be strictly better than one",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=two_neurons_are_better,
    domain=Domain({"w": reals(), "v": reals(), "root": interval(0, 1)}),
    tight={"the best neuron": {"w": "3/5", "v": "3/5", "root": "3/5"}},
    false_variants={"no gain": no_gain, "one neuron gains half of it": one_neuron_gains_half},
    exact={"one neuron": one_neuron_in_symbols, "two neurons": neuron_for_each_point},
)
