r"""Aligned neurons can be replaced by one.

Statement
    For a homogeneous activation, neurons :math:`p_iz` with :math:`p_i \ge 0` are replaced by the single neuron
    :math:`\|p\|z`, "without changing the resulting function". For two, z and :math:`\alpha z` become
    :math:`\sqrt{1 + \alpha^2}\,z`.
Correction
    Neurons whose values are aligned on the data need not have proportional weights. The function on the data stays, not that
    elsewhere: no single ReLU neuron f has :math:`f(x)f(-x) \ne 0` at a point x, but a group may (``.printed``).
Checked
    Between any layers before and after, the covariances before and after the activation stay, and so do both costs in which the
    layer stands. In a network (``.network``), neurons with the incoming weights :math:`p_iw` and the outgoing weights
    :math:`c_i` become one with :math:`\|p\|w` and :math:`\sum_ip_ic_i/\|p\|`: the function is the same at all points, and the
    norm does not grow. The exact part has two neurons that are aligned on the data only.
Proof idea
    :math:`\sum_ip_i^2 = \|p\|^2`, and :math:`\|\sum_ip_ic_i\| \le \|p\|\,\|c\|`.
Tight
    Outgoing weights :math:`c_i = p_ic`, as at every local minimum.
Source
    feature_learning, Section 3.1, after item 5. The norms are derived here.
"""

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS, homogeneous
from theorems.feature_learning.constructions.layers import gram, representations, with_bias_row
from theorems.shared.vectors import unit_vector
from verify import Claim, Domain, FalseAsPrinted, Q, Source, Tight, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, nonnegative, norm2, pinv, relu


def multiples(parameters, length):
    """The factors p of a group of neurons, and their length, which is rational as they are."""
    return length * unit_vector(parameters), length


def covariances_and_costs(Z, Z_new, before, after, sigma, beta):
    """Those of a layer with the values Z_new against those with Z."""
    S, S_new = with_bias_row(sigma(Z), beta), with_bias_row(sigma(Z_new), beta)
    return (
        eq(gram(Z_new), gram(Z), name="covariance")
        & eq(gram(S_new), gram(S), name="covariance after the activation")
        & eq(norm2(Z_new @ pinv(before)), norm2(Z @ pinv(before)), name="cost of the layer")
        & eq(norm2(after @ pinv(S_new)), norm2(after @ pinv(S)), name="cost of the next layer")
    )


def group_is_one_neuron(group, z, others, before, after, sigma, beta):
    p, length = group
    Z, Z_new = concatenate([np.outer(p, z), others]), concatenate([length * z[None], others])
    return covariances_and_costs(Z, Z_new, before, after, sigma, beta)


def added(group, z, others, sigma, beta):
    p, _ = group
    Z, Z_new = concatenate([np.outer(p, z), others]), concatenate([sum(p) * z[None], others])
    return eq(gram(with_bias_row(sigma(Z_new), beta)), gram(with_bias_row(sigma(Z), beta)))


def the_first_of_them(group, z, others):
    p, _ = group
    return eq(gram(concatenate([p[0] * z[None], others])), gram(concatenate([np.outer(p, z), others])))


def shallow(incoming, outgoing, others, last):
    """The weights of both layers; the outgoing weights of the first neurons are rows, the others are the columns of `last`."""
    return [concatenate([incoming, others]), concatenate([outgoing.T, last], axis=1)]


def function_and_norm(group, w, c, others, last, x, sigma, beta):
    p, length = group
    W = shallow(np.outer(p, w), c, others, last)
    W_new = shallow(length * w[None], (p @ c)[None] / length, others, last)
    (Z, _), (Z_new, _) = representations(W, x, sigma, beta), representations(W_new, x, sigma, beta)
    return eq(Z_new[-1], Z[-1], name="outputs") & le(sum(map(norm2, W_new)), sum(map(norm2, W)), name="norm")


def outgoing_weights_added(group, w, c, others, last, x, sigma, beta):
    p, length = group
    W = shallow(np.outer(p, w), c, others, last)
    W_new = shallow(length * w[None], c.sum(axis=0)[None], others, last)
    return eq(representations(W_new, x, sigma, beta)[0][-1], representations(W, x, sigma, beta)[0][-1])


def norm_stays(group, w, c):
    p, length = group
    return eq(length**2 * norm2(w) + norm2(p @ c) / length**2, norm2(np.outer(p, w)) + norm2(c))


def group_on_the_data(w, n, p, c, x):
    """Two ReLU neurons with the weights w and pw + n."""
    return c[0] * relu(w @ x) + c[1] * relu((p * w + n) @ x)


def one_neuron_does_it(w, n, p, c, x):
    """A single neuron is zero at x or at -x."""
    return eq(group_on_the_data(w, n, p, c, x) * group_on_the_data(w, n, p, c, -x), 0, beside=norm2(c) * norm2(x))


def are_aligned(n, X):
    return (X @ n == 0).all()


def are_active(w, X):
    return (X @ w > 0).any()


def aligned_on_the_data_only():
    """The weights (1, 0) and (3/4, 1) are aligned on the point (1, 0), and become (5/4, 0): at (0, 1) outputs differ by 3/4."""
    sigma, beta = homogeneous(rationals([1, 0])), rationals(0)
    W = [rationals([[1, 0, 0], ["3/4", 1, 0]]), rationals([[1, "3/4", 0]])]
    W_new = [rationals([["5/4", 0, 0]]), rationals([["5/4", 0]])]
    (here, here_new), (there, there_new) = (
        [representations(V, rationals([point]), sigma, beta)[0] for V in (W, W_new)] for point in ([1, 0], [0, 1])
    )
    same = [eq(gram(new), gram(old)) for new, old in zip(here_new, here, strict=True)]
    return same[0] & same[1] & ge(there[1] - there_new[1], Q(3, 4))


def balanced_group():
    """The factors 1 and 3/4, and outgoing weights in this proportion."""
    p = rationals([1, "3/4"])
    return {
        "group": (p, rationals("5/4")),
        "w": [2, -1, 1],
        "c": np.outer(p, rationals([1, 2])),
        "others": [[1, 1, 0]],
        "last": [[1, 0], [1, 1]],
        "x": [[1, 2], [3, -1]],
        "sigma": homogeneous(rationals([1, 0])),
        "beta": 1,
    }


GROUP = derived(multiples, parameters=interval(-1, 1, lambda sizes: sizes["group"] - 1), length=interval(Q("1/4"), 2))
SOURCE = Source("feature_learning", "Section 3.1, after item 5")
HYPOTHESES = {"the neurons have the same direction": lambda group: nonnegative(group[0]), **HOMOGENEOUS}
SIZES = {"group": (2, 3), "others": (0, 2), "inputs": (1, 3), "outputs": range(1, 4), "points": (1, 3, 4)}

CLAIM = Claim(
    id="feature_learning.aligned_neurons",
    title="Aligned neurons have the covariances and the cost of a single one",
    source=SOURCE,
    statement=group_is_one_neuron,
    domain=Domain(
        {
            "group": GROUP,
            "z": reals("points"),
            "others": reals("others", "points"),
            "before": reals("inputs", "points"),
            "after": reals("outputs", "points"),
            "sigma": ACTIVATIONS,
            "beta": interval(0, 2),
        },
        SIZES,
        HYPOTHESES,
    ),
    needs=tuple(HYPOTHESES),
    false_variants={"their sum": added, "the first of them": the_first_of_them},
)

NETWORK = Claim(
    id="feature_learning.aligned_neurons.network",
    title="One neuron replaces a group: same function, no larger norm",
    source=SOURCE,
    statement=function_and_norm,
    domain=Domain(
        {
            "group": GROUP,
            "w": reals(lambda sizes: sizes["inputs"] + 1),
            "c": reals("group", "outputs"),
            "others": reals("others", lambda sizes: sizes["inputs"] + 1),
            "last": reals("outputs", lambda sizes: sizes["others"] + 1),
            "x": reals("points", "inputs"),
            "sigma": ACTIVATIONS,
            "beta": interval(0, 2),
        },
        SIZES,
        HYPOTHESES,
    ),
    needs=tuple(HYPOTHESES),
    tight={"balanced outgoing weights": Tight(balanced_group, of=("norm",))},
    false_variants={"the outgoing weights are added": outgoing_weights_added, "the norm stays": norm_stays},
    exact={"not if they are aligned on the data only": aligned_on_the_data_only},
)

PRINTED = Claim(
    id="feature_learning.aligned_neurons.printed",
    title="Neurons that are aligned on the data are one neuron everywhere",
    source=Source("feature_learning", "Section 3.1, end"),
    status=FalseAsPrinted(corrected_by=NETWORK.id),
    statement=one_neuron_does_it,
    domain=Domain(
        {
            "w": reals("inputs"),
            "n": reals("inputs"),
            "p": interval(Q("1/4"), 4),
            "c": reals(2),
            "X": reals("points", "inputs"),
            "x": reals("inputs"),
        },
        {"inputs": (2, 3), "points": (1, 2)},
        {"the neurons are aligned on the data": are_aligned, "and active there": are_active},
    ),
)
