r"""Shallow networks: the representation cost is a variation norm, as long as the output bias is not penalised.

Statement
    At depth 2, on any domain :math:`\Omega` and for any homogeneous activation with slope 1 for t >= 0,

    .. math:: R(f; \Omega, \sigma, 2) = \inf\Bigl\{ 2\sum_i \|a_i\| \, \|(w_i, b_i)\| + \|\beta\|^2 :
              f = \beta + \sum_i a_i\, \sigma(w_i^T x + b_i) \text{ on } \Omega \Bigr\} .

    Outputs are vectors; biases count like weights.
    The slides say that R takes the form of an l_1 norm. Without the output bias it is twice an atomic norm: a sum costs at most
    the sum of the costs, and a multiple costs the multiple (``.sums``). With the output bias penalised, as everywhere in this
    folder, R is no norm: see ``constants``.
Checked
    For every network of depth 2 the squared norm is at least the quantity in braces (`variation`), and the network with
    rescaled neurons (`balanced_neurons`) has the same function and this squared norm. So the two infima agree.
Proof idea
    :math:`\|a_i\|^2 + \|(w_i, b_i)\|^2 \ge 2\|a_i\|\,\|(w_i, b_i)\|`, with equality after :math:`a_i \to a_i / t`,
    :math:`(w_i, b_i) \to t(w_i, b_i)` for one t > 0.
Sharp
    Balanced neurons; two neurons of different directions for the sum.
Not checked
    Values of R: lower bounds by duality and the linear programme for data are the modules ``duality`` and ``programme``.
Source
    notion_of_rank, representation cost of shallow networks.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.arrays import unit_vector
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals, slopes
from verify.arithmetic import Array, absolute, compare, rationals, sqrt
from verify.networks import FullyConnected, HomogeneousActivation, add
from verify.variables import Variable


def neuron_sizes(network: FullyConnected) -> tuple[Array, Array]:
    r""":math:`\|(w_i, b_i)\|^2` and :math:`\|a_i\|^2` of all hidden neurons of a network of depth 2, shapes ``(*batch, n_1)``.

    Raises
    ------
    ValueError
        The depth is not 2.
    """
    if network.depth != 2:
        raise ValueError(f"network must have depth 2, got {network.depth}")
    incoming, outgoing = network.weights
    return (incoming * incoming).sum(axis=-1) + network.biases[0] ** 2, (outgoing * outgoing).sum(axis=-2)


def atomic_norm(network: FullyConnected) -> Array:
    r""":math:`\sum_i\|a_i\|\,\|(w_i, b_i)\|` of a network of depth 2, shape ``batch_shape``. Raises as `neuron_sizes`."""
    entering, leaving = neuron_sizes(network)
    return np.asarray((sqrt(entering) * sqrt(leaving)).sum(axis=-1))


def variation(network: FullyConnected, factor: Q | int = 2) -> Array:
    r""":math:`2\sum_i\|a_i\|\,\|(w_i, b_i)\| + \|\beta\|^2` of a network of depth 2, shape ``batch_shape``.

    `factor` is that of the sum. Raises as `neuron_sizes`.
    """
    return np.asarray(factor * atomic_norm(network) + (network.biases[1] ** 2).sum(axis=-1))


def balanced_neurons(network: FullyConnected) -> FullyConnected:
    """The same function of depth 2 with the smallest norm that rescaling neurons gives, `variation`; exact where roots are.

    Neurons without effect become zero. Raises as `neuron_sizes`.
    """
    entering, leaving = neuron_sizes(network)
    alive = (compare(entering, 0) > 0) & (compare(leaving, 0) > 0)
    ratio = np.where(alive, leaving, 0 * leaving + 1) / np.where(alive, entering, 0 * entering + 1)
    factor = sqrt(sqrt(ratio))
    into, out = np.where(alive, factor, 0 * factor), np.where(alive, 1 / factor, 0 * factor)
    weights = [network.weights[0] * into[..., :, None], network.weights[1] * out[..., None, :]]
    return FullyConnected(weights, [network.biases[0] * into, network.biases[1]], network.activation)


def rescaled(network: FullyConnected, x: Array, factor: Q | int = 2) -> Relation:
    """Norm of a network against its variation, and value and norm after rescaling its neurons."""
    least, best = variation(network, factor), balanced_neurons(network)
    return (
        ge(network.parameter_norm_squared, least, name="norm above variation")
        & eq(best.parameter_norm_squared, least, name="variation attained")
        & eq(best(x), network(x), name="value", over=1)
    )


def sums_and_multiples(parts: Parts, x: Array, factor: Array) -> Relation:
    """Value and atomic norm of a sum and of a multiple."""
    network, other = parts
    both, multiple = add(network, other), times(factor, network)
    return (
        eq(both(x), network(x) + other(x), name="value of the sum", over=1)
        & eq(multiple(x), factor[..., None] * network(x), name="value of the multiple", over=1)
        & le(atomic_norm(both), atomic_norm(network) + atomic_norm(other), name="sum")
        & eq(atomic_norm(multiple), absolute(factor) * atomic_norm(network), name="multiple")
    )


def times(factor: Array, network: FullyConnected) -> FullyConnected:
    """The network with multiplied outputs."""
    outgoing, offset = network.weights[1] * factor[..., None, None], network.biases[1] * factor[..., None]
    return FullyConnected([network.weights[0], outgoing], [network.biases[0], offset], network.activation)


# False variants


def biases_not_counted(network: FullyConnected) -> Relation:
    """The norm after rescaling as if the biases of the neurons cost nothing."""
    incoming, outgoing = ((weight * weight).sum(axis=axis) for weight, axis in zip(network.weights, (-1, -2), strict=True))
    least = 2 * (sqrt(incoming) * sqrt(outgoing)).sum(axis=-1) + (network.biases[1] ** 2).sum(axis=-1)
    return eq(balanced_neurons(network).parameter_norm_squared, least)


def output_bias_not_counted(network: FullyConnected) -> Relation:
    """The norm after rescaling as if the output bias cost nothing."""
    return eq(balanced_neurons(network).parameter_norm_squared, 2 * atomic_norm(network))


def variations_add(parts: Parts) -> Relation:
    """The variation of a sum, with the penalised output bias, is at most the sum."""
    network, other = parts
    return le(variation(add(network, other)), variation(network) + variation(other))


def multiples_cost_the_square(parts: Parts, factor: Array) -> Relation:
    """A multiple costs the square of the factor."""
    network, _ = parts
    return eq(atomic_norm(times(factor, network)), factor * factor * atomic_norm(network))


# Tight examples


def shallow_network(
    incoming: Array, outgoing: Array, roots: Array, stretch: Array, offset: Array, slope: Array | int = 0
) -> FullyConnected:
    r"""Neurons of given lengths: :math:`(w_i, b_i)` is :math:`r_it_i` and :math:`a_i` is :math:`r_i/t_i` times a unit vector.

    Shapes ``(..., n_1, n_0 + 1)`` and ``(..., n_1, n_2)`` for the unit vectors, ``(..., n_1)`` for the roots r >= 0 and the
    factors t > 0, ``(..., n_2)`` for the output bias, and the slope of the activation below zero.
    """
    entering = (roots * stretch)[..., None] * incoming
    leaving = (roots / stretch)[..., None] * outgoing
    weights = [entering[..., :-1], np.swapaxes(leaving, -1, -2)]
    return FullyConnected(weights, [entering[..., -1], offset], HomogeneousActivation(1, slope))


def balanced_pair() -> dict[str, object]:
    """Two balanced neurons with vector outputs and an output bias."""
    numbers = {
        "incoming": rationals([["3/5", "4/5"], ["-12/13", "5/13"]]),
        "outgoing": rationals([["4/5", "-3/5"], [0, 1]]),
        "roots": rationals([2, "1/3"]),
        "stretch": rationals([1, 1]),
        "offset": rationals([1, "-1/2"]),
        "slope": rationals("1/3"),
    }
    return {"network": shallow_network(**numbers), "x": rationals(["7/3"])}


def neurons_without_effect() -> Relation:
    """The statement for a network two of whose three neurons have no input or no output."""
    weights = [rationals([[3, 0], [0, 0], [1, 2]]), rationals([[5, 2, 0]])]
    return rescaled(FullyConnected(weights, [rationals([4, 0, -1]), rationals([1])]), rationals([1, 1]))


def two_networks(first: list[object], second: list[object]) -> dict[str, object]:
    """Two networks of one neuron and one input, each given by w, b, a and the output bias, a point and a factor."""
    found = [
        FullyConnected([rationals([[w]]), rationals([[a]])], [rationals([b]), rationals([offset])])
        for w, b, a, offset in (first, second)
    ]
    return {"parts": (found[0], found[1]), "x": rationals([2]), "factor": rationals(-3)}


def neurons(**slope: Variable) -> Variable:
    """Networks of depth 2 whose neurons have rational lengths, ReLU unless a `slope` is given."""
    return derived(
        shallow_network,
        incoming=derived(unit_vector, chart=reals("width", "inputs"), flip=integers(0, 1, "width")),
        outgoing=derived(unit_vector, chart=reals("width", lambda sizes: sizes["outputs"] - 1), flip=integers(0, 1, "width")),
        roots=interval(0, np.inf, "width"),
        stretch=interval(Q("1/4"), 4, "width"),
        offset=reals("outputs"),
        **slope,
        role="shallow network",
    )


SIZES = {"inputs": range(1, 4), "width": (1, 3, 5), "outputs": range(1, 4)}
SOURCE = Source("notion_of_rank", "Representation cost, shallow networks")

CLAIM = Claim(
    id="notion_of_rank.shallow_networks",
    title="The cost of a shallow network is its variation",
    source=SOURCE,
    status=Ours(),
    statement=rescaled,
    domain=Domain({"network": neurons(slope=slopes(-1, 1)), "x": reals("inputs", role="point")}, SIZES),
    tight={"balanced": Tight(balanced_pair)},
    false_variants={
        "21/10 times the sum": partial(rescaled, factor=Q("21/10")),
        "biases of the neurons not counted": biases_not_counted,
        "output bias not counted": output_bias_not_counted,
    },
    exact={"neurons without effect": neurons_without_effect},
)

SUMS = Claim(
    id="notion_of_rank.shallow_networks.sums",
    title="Without output bias, sums and multiples cost what a norm allows",
    source=SOURCE,
    status=Ours(),
    statement=sums_and_multiples,
    domain=Domain(
        {
            "parts": derived(with_common_slope, inner=neurons(), outer=neurons(), slope=slopes(-1, 1, role="slope")),
            "x": reals("inputs", role="point"),
            "factor": reals(role="free"),
        },
        SIZES,
    ),
    tight={"two neurons": Tight(partial(two_networks, [3, 4, 2, 1], [-5, 12, -1, "1/2"]))},
    false_variants={
        "with a penalised output bias": variations_add,
        "multiples cost the squared factor": multiples_cost_the_square,
    },
)
