r"""Balancedness: a balanced network is the least among its rescalings.

Statement
    The function does not change when the weights into a neuron are multiplied by c > 0 and those out of it are divided by c.
    Balanced networks have the least norm among all such rescalings, in all layers at once.
Checked
    The inequality for all factors; and that one layer can save at most :math:`\sum_i (\|in_i\| - \|out_i\|)^2`.
Proof idea
    The squared norm is a convex function of the logarithms of the factors, and balancedness says that its gradient is zero
    at 1. In one layer the best factors have :math:`c_i^2 = \|out_i\| / \|in_i\|`.
Sharp
    Factors 1; one layer with the best factors.
Source
    bottleneck_structure, Section 2 (balancedness); what one layer saves is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.constructions.balanced import BALANCED, is_balanced
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, integers, interval, le
from verify.arithmetic import Array, rationals, sqrt
from verify.networks import FullyConnected
from verify.symbolic import identically_zero


def rescaled(network: FullyConnected, factors: Array) -> FullyConnected:
    """The network with the factors, shape ``(..., L - 1, w)``, at its neurons."""
    return network.rescale_neurons([factors[..., layer, :] for layer in range(network.depth - 1)])


def rescaled_costs_more(network: FullyConnected, factors: Array) -> Relation:
    """Squared norm of the network and of the one with the factors."""
    return le(network.parameter_norm_squared, rescaled(network, factors).parameter_norm_squared)


def norms_of_neurons(network: FullyConnected) -> tuple[Array, Array]:
    """What the neurons of the first hidden layer pay before them, and after them, shapes ``(..., n_1)``."""
    before = squares(network.weights[0]) + network.biases[0] ** 2
    return sqrt(before), sqrt(squares(network.weights[1], -2))


def saved_by_factors(network: FullyConnected, factors: Array) -> Array:
    """What factors at the first hidden layer save."""
    others = [0 * bias + 1 for bias in network.biases[1:-1]]
    return network.parameter_norm_squared - network.rescale_neurons([factors, *others]).parameter_norm_squared


def saved_by_one_layer(network: FullyConnected, factors: Array) -> Relation:
    """No factors at the neurons of the first layer save more than the squares of the differences of the norms."""
    before, after = norms_of_neurons(network)
    return le(saved_by_factors(network, factors), ((before - after) ** 2).sum(axis=-1))


def saving_in_symbols() -> Relation:
    """The least of c^2 r^2 + s^2 / c^2 is 2rs, at c^2 = s / r; the derivative at c = 1 is 2 (r^2 - s^2)."""
    import sympy as sp

    r, s, c = sp.symbols("r s c", positive=True)
    paid = c**2 * r**2 + s**2 / c**2
    return identically_zero(
        paid - (c * r - s / c) ** 2 - 2 * r * s,
        paid.subs(c, sp.sqrt(s / r)) - 2 * r * s,
        sp.diff(paid, c).subs(c, 1) - 2 * (r**2 - s**2),
    )


# False variants


def weights_cost_more(network: FullyConnected, factors: Array) -> Relation:
    """The same without the biases."""
    return le(network.weight_norm_squared, rescaled(network, factors).weight_norm_squared)


def saved_without_the_bias(network: FullyConnected, factors: Array) -> Relation:
    """The norm of the incoming weights alone."""
    before, after = sqrt(squares(network.weights[0])), sqrt(squares(network.weights[1], -2))
    return le(saved_by_factors(network, factors), ((before - after) ** 2).sum(axis=-1))


def saved_by_means(network: FullyConnected, factors: Array) -> Relation:
    """Half of it, as if the two norms could only meet in the middle."""
    before, after = norms_of_neurons(network)
    return le(2 * saved_by_factors(network, factors), ((before - after) ** 2).sum(axis=-1))


def with_other_biases(network: FullyConnected, shift: Array) -> FullyConnected:
    """The network with `shift` added to every bias of the first layer."""
    first, *others = network.biases
    return FullyConnected(network.weights, [first + shift[..., None], *others], network.activation)


def identity_chain(depth: int, **others: Any) -> dict[str, Any]:
    """Identity layers of two neurons, which are balanced."""
    return {"network": FullyConnected([rationals([[1, 0], [0, 1]])] * depth), **others}


def norms_one_and_four() -> dict[str, Any]:
    """One neuron with weights 1 and 4, and the best factor 2."""
    return {"network": FullyConnected([rationals([[1]]), rationals([[4]])]), "factors": rationals([2])}


SIZES = {"depth": (2, 3, 4, 7), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}

CLAIM = Claim(
    id="bottleneck_structure.balancedness",
    title="A balanced network costs the least among its rescalings",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=rescaled_costs_more,
    domain=Domain(
        {
            "network": derived(with_other_biases, network=BALANCED, shift=integers(0, 1)),
            "factors": interval(0.25, 4, lambda sizes: sizes["depth"] - 1, "width"),
        },
        SIZES,
        {"balanced": is_balanced},
    ),
    needs=("balanced",),
    tight={"all factors 1": Tight(partial(identity_chain, 3, factors=rationals([[1, 1], [1, 1]])))},
    false_neighbours={"without the biases": weights_cost_more},
)

ONE_LAYER = Claim(
    id="bottleneck_structure.balancedness.one_layer",
    title="What the neurons of one layer can save by rescaling",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=saved_by_one_layer,
    domain=Domain({"network": Networks(), "factors": interval(0.25, 4, "width")}, SIZES),
    tight={"norms 1 and 4": Tight(norms_one_and_four)},
    false_neighbours={"without the bias": saved_without_the_bias, "half of it": saved_by_means},
    exact={"the least of one neuron in symbols": saving_in_symbols},
)
