r"""Beyond Proposition 15: N neurons suffice for one output.

Statement
    A shallow network with a homogeneous activation and N points needs at most :math:`n_LN` hidden neurons: N for one output, in
    place of 4N.
Checked
    A network with balanced neurons is :math:`\sum_i r_iv_i\sigma(u_i \cdot x)` with unit vectors u and v, and its norm is
    :math:`2\sum_i r_i` (a constant input takes care of the biases). After pruning, outputs at the points are the same, the norm
    is not larger, and no more than :math:`n_LN` neurons are left; unit vectors are stereographic projections, so that they are
    rational. Every neuron that is left is evaluated as :math:`v\sigma(ru \cdot x)`.
Proof idea
    The contributions of the neurons to the outputs are vectors in :math:`n_LN` dimensions: Caratheodory's theorem.
Tight
    One neuron for one point and one output.
Source
    feature_learning, Proposition 15; all of this is derived here.
"""

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, homogeneous
from theorems.feature_learning.constructions.pruning import pruned
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, le, ones, rank, where


def unit_rows(chart):
    """Inverse stereographic projection of every row: vectors of length 1."""
    square = (chart**2).sum(axis=1)[:, None]
    return concatenate([2 * chart, 1 - square], axis=1) / (1 + square)


def signed_unit_rows(chart, flipped):
    return (1 - 2 * flipped)[:, None] * unit_rows(chart)


def contributions(u, v, x, sigma):
    r""":math:`v_i\sigma(u_i \cdot x)` at all points, a row for each neuron."""
    return (v[:, :, None] * sigma(u @ x.T)[:, None]).reshape(len(u), -1)


def few_neurons_suffice(r, u, v, x, sigma):
    """The last input may be constant, for the biases."""
    kept = pruned(contributions(u, v, x, sigma), r, ones(len(r)))
    before, after = (contributions(scale[:, None] * u, v, x, sigma).sum(axis=0) for scale in (r, kept))
    return (
        eq(after, before, name="outputs")
        & le(kept.sum(), r.sum(), name="norm")
        & le((kept > 0).sum(), v.shape[1] * len(x), name="neurons")
    )


def needed(r, u, v, x, sigma):
    """How many neurons are needed: all where their contributions are independent, else 0, a lower bound."""
    return where((r > 0).all() & (rank(contributions(u, v, x, sigma)) == len(r)), len(r), 0)


def one_neuron_less(r, u, v, x, sigma):
    return le(needed(r, u, v, x, sigma), v.shape[1] * len(x) - 1)


def as_many_as_points(r, u, v, x, sigma):
    return le(needed(r, u, v, x, sigma), len(x))


def one_neuron():
    """One input, one output."""
    return {"r": [2], "u": [[1]], "v": [[1]], "x": [[1]], "sigma": homogeneous(rationals([1, 0]))}


FEWER = Claim(
    id="feature_learning.prop_15.fewer",
    title="As many neurons suffice as there are outputs at all points",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=few_neurons_suffice,
    domain=Domain(
        {
            "r": interval(0, 4, "neurons"),
            "u": derived(unit_rows, chart=reals("neurons", lambda sizes: sizes["inputs"] - 1)),
            "v": derived(
                signed_unit_rows, chart=reals("neurons", lambda sizes: sizes["outputs"] - 1), flipped=integers(0, 1, "neurons")
            ),
            "x": reals("points", "inputs"),
            "sigma": ACTIVATIONS,
        },
        {"neurons": (1, 3, 4, 8, 10), "inputs": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4)},
        HOMOGENEOUS,
    ),
    needs=tuple(HOMOGENEOUS),
    tight={"one neuron": Tight(one_neuron, of=("norm", "neurons"))},
    false_variants={
        "one neuron less": one_neuron_less,
        "as many neurons as points, for any number of outputs": as_many_as_points,
    },
    cost=20,
)
