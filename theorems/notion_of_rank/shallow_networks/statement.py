r"""Shallow networks: the representation cost is a variation norm.

Statement
    At depth 2, on any domain :math:`\Omega` and for any homogeneous activation with slope 1 for t >= 0,

    .. math:: R(f; \Omega, \sigma, 2) = \inf\Bigl\{ 2\sum_i \|a_i\| \, \|(w_i, b_i)\| + \|\beta\|^2 :
              f = \beta + \sum_i a_i\, \sigma(w_i^T x + b_i) \text{ on } \Omega \Bigr\} .

    Outputs are vectors; biases count like weights.
    The slides say that R takes the form of an l_1 norm. Without the output bias it is twice an atomic norm: a sum costs at most
    the sum of the costs, since the network with the neurons of both costs their sum, and a multiple costs the multiple
    (``.sums``). With the output bias penalised, as everywhere in this
    folder, R is no norm: see ``constants``.
Checked
    For every network of depth 2 the squared norm is at least the quantity in braces (`variation`), and the network with
    rescaled neurons (`balanced_neurons`) has the same function and this squared norm. So the two infima agree.
Proof idea
    :math:`\|a_i\|^2 + \|(w_i, b_i)\|^2 \ge 2\|a_i\|\,\|(w_i, b_i)\|`, with equality after :math:`a_i \to a_i / t`,
    :math:`(w_i, b_i) \to t(w_i, b_i)` for one t > 0.
Tight
    Balanced neurons.
Not checked
    Values of R: lower bounds by duality and the linear programme for data are the modules ``duality`` and ``programme``.
Source
    notion_of_rank, representation cost of shallow networks.
"""

import numpy as np

from theorems.notion_of_rank.constructions import shallow
from theorems.shared.arrays import unit_vector
from theorems.shared.bottleneck import with_common_slope
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval, networks, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, ge, le, lifted, norm2, sqrt

network, leaky, add = lifted(FullyConnected), lifted(leaky_relu), lifted(networks.add)
balanced, unit = lifted(shallow.balanced_neurons), lifted(unit_vector)


def atomic_norm(f):
    r""":math:`\sum_i \|a_i\| \, \|(w_i, b_i)\|`."""
    W, a = f.weights
    return (sqrt((W**2).sum(axis=1) + f.biases[0] ** 2) * sqrt((a**2).sum(axis=0))).sum()


def variation(f, factor=2):
    return factor * atomic_norm(f) + norm2(f.biases[1])


def rescaled(f, x, factor=2):
    best = balanced(f)
    return (
        ge(f.parameter_norm_squared, variation(f, factor), name="norm above variation")
        & eq(best.parameter_norm_squared, variation(f, factor), name="variation attained")
        & eq(best(x), f(x), name="value")
    )


def biases_not_counted(f):
    """The norm after rescaling as if the biases of the neurons cost nothing."""
    W, a = f.weights
    neurons = (sqrt((W**2).sum(axis=1)) * sqrt((a**2).sum(axis=0))).sum()
    return eq(balanced(f).parameter_norm_squared, 2 * neurons + norm2(f.biases[1]))


def output_bias_not_counted(f):
    return eq(balanced(f).parameter_norm_squared, 2 * atomic_norm(f))


def times(c, f):
    return network([f.weights[0], c * f.weights[1]], [f.biases[0], c * f.biases[1]], f.activation)


def sums_and_multiples(parts, x, c):
    f, g = parts
    both, multiple = add(f, g), times(c, f)
    return (
        eq(both(x), f(x) + g(x), name="value of the sum")
        & eq(multiple(x), c * f(x), name="value of the multiple")
        & eq(atomic_norm(both), atomic_norm(f) + atomic_norm(g), name="sum")
        & eq(atomic_norm(multiple), absolute(c) * atomic_norm(f), name="multiple")
    )


def variations_add(parts):
    """The variation of a sum, with the penalised output bias, is at most the sum."""
    f, g = parts
    return le(variation(add(f, g)), variation(f) + variation(g))


def multiples_cost_the_square(parts, c):
    return eq(atomic_norm(times(c, parts[0])), c**2 * atomic_norm(parts[0]))


def shallow_network(incoming, outgoing, roots, stretch, offset, slope=0):
    r"""Neurons with :math:`(w_i, b_i)` of the length :math:`r_it_i` and :math:`a_i` of the length :math:`r_i/t_i`."""
    entering, leaving = (roots * stretch)[:, None] * incoming, (roots / stretch)[:, None] * outgoing
    return network([entering[:, :-1], leaving.T], [entering[:, -1], offset], leaky(slope))


def neurons(**slope):
    """Networks of depth 2 whose neurons have rational lengths, ReLU unless a `slope` is given."""
    return derived(
        shallow_network,
        incoming=derived(unit, chart=reals("width", "inputs"), flip=integers(0, 1, "width")),
        outgoing=derived(unit, chart=reals("width", lambda sizes: sizes["outputs"] - 1), flip=integers(0, 1, "width")),
        roots=interval(0, np.inf, "width"),
        stretch=interval(Q(1, 4), 4, "width"),
        offset=reals("outputs"),
        **slope,
        role="shallow network",
    )


def balanced_pair():
    """Two balanced neurons with vector outputs and an output bias."""
    incoming, outgoing = rationals([["3/5", "4/5"], ["-12/13", "5/13"]]), rationals([["4/5", "-3/5"], [0, 1]])
    roots, offset = rationals([2, "1/3"]), rationals([1, "-1/2"])
    return {"f": shallow_network(incoming, outgoing, roots, rationals([1, 1]), offset, rationals("1/3")), "x": ["7/3"]}


def neurons_without_effect():
    """The statement for a network two of whose three neurons have no input or no output."""
    weights = [rationals([[3, 0], [0, 0], [1, 2]]), rationals([[5, 2, 0]])]
    return rescaled(FullyConnected(weights, [rationals([4, 0, -1]), rationals([1])]), rationals([1, 1]))


SIZES = {"inputs": range(1, 4), "width": (1, 3, 5), "outputs": range(1, 4)}
SOURCE = Source("notion_of_rank", "Representation cost, shallow networks")

CLAIM = Claim(
    id="notion_of_rank.shallow_networks",
    title="The cost of a shallow network is its variation",
    source=SOURCE,
    status=DerivedHere(),
    statement=rescaled,
    domain=Domain({"f": neurons(slope=slopes()), "x": reals("inputs", role="point")}, SIZES),
    tight={"balanced": balanced_pair},
    false_variants={
        "21/10 times the sum": {"factor": Q(21, 10)},
        "biases of the neurons not counted": biases_not_counted,
        "output bias not counted": output_bias_not_counted,
    },
    exact={"neurons without effect": neurons_without_effect},
)

SUMS = Claim(
    id="notion_of_rank.shallow_networks.sums",
    title="Without output bias, sums and multiples cost what a norm allows",
    source=SOURCE,
    status=DerivedHere(),
    statement=sums_and_multiples,
    domain=Domain(
        {
            "parts": derived(lifted(with_common_slope), inner=neurons(), outer=neurons(), slope=slopes(-2, 2, role="slope")),
            "x": reals("inputs", role="point"),
            "c": reals(role="free"),
        },
        SIZES,
    ),
    false_variants={
        "with a penalised output bias": variations_add,
        "multiples cost the squared factor": multiples_cost_the_square,
    },
)
