r"""At a local minimum of a loss with L2 regularisation every hidden neuron pays as much before it as after it.

.. math:: \|W_{\ell, i\cdot}\|^2 + b_{\ell, i}^2 = \|W_{\ell+1, \cdot i}\|^2 \qquad (1 \le \ell < L) .

The function does not change when the weights into a neuron are multiplied by c > 0 and those out of it are divided by c. What
is checked, for every network and data:

* the derivative of any loss in that direction is zero: the inner products of incoming weights and of outgoing weights with
  their gradients are equal (`balancedness.gradients`). So at a critical point of loss + lambda times norm the two squared norms
  are equal, for the regulariser's share of the two inner products is all that is left;
* what one layer can save is :math:`\sum_i (\|in_i\| - \|out_i\|)^2`, attained by :math:`c_i^2 = \|out_i\| / \|in_i\|`
  (`balancedness.one_layer`);
* a balanced network is the least among all its rescalings, in all layers at once (`balancedness`): the squared norm is a
  convex function of the logarithms of the factors, and balancedness says that its gradient is zero at 1;
* for a balanced network :math:`\|W_\ell\|_F^2 + \|b_\ell\|^2 = \|W_{\ell+1}\|_F^2`, hence
  :math:`\frac1\ell \sum_{m \le \ell} \|W_m\|_F^2 \le \|\theta\|^2 / L` (`balancedness.layers`).

Source: bottleneck_structure, Section 2 (balancedness).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.theorem_1 import squares
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals, sqrt
from verify.networks import FullyConnected, leaky_relu
from verify.symbolic import identically_zero


def vectors_of_length(length: Array, parameters: Array) -> Array:
    """Vectors with the given lengths and stereographic coordinates, shapes ``(...)`` and ``(..., n - 1) -> (..., n)``."""
    square = squares(parameters)[..., None]
    vectors = np.concatenate([2 * length[..., None] * parameters, (1 - square) * length[..., None]], axis=-1)
    return np.asarray(vectors / (1 + square))


def balanced_network(first: Array, roots: Array, inner: Array, last: Array, offset: Array, slope: Array) -> FullyConnected:
    """Balanced network, with rational norms of all neurons from rational coordinates.

    `first`, shape ``(..., w, n_0)``, are the weights of the first layer. With the number q > 0 from `roots`, shape
    ``(..., L - 1, w)``, and the squared norm S of its weights, a neuron gets the bias (S - q^2) / (2q), so that it pays
    ((S + q^2) / (2q))^2. The directions of the outgoing weights have the stereographic coordinates `inner`, shape
    ``(..., L - 2, w, w - 1)``, and `last`, shape ``(..., w, n_L - 1)``; `offset`, shape ``(..., n_L)``, is the bias of the
    output.

    Raises
    ------
    ValueError
        The shapes do not fit, or a root is not positive.
    """
    if roots.ndim < 2 or first.ndim < 2 or roots.shape[-1] != first.shape[-2]:
        raise ValueError(f"roots must have one for each neuron of L - 1 layers, got {roots.shape} for first {first.shape}")
    if inner.ndim < 3 or inner.shape[-3] != roots.shape[-2] - 1:
        raise ValueError(f"inner must have {roots.shape[-2] - 1} layers of directions, L - 2, got the shape {inner.shape}")
    if not (compare(roots, 0) > 0).all():
        raise ValueError("roots must be positive: a neuron pays ((S + q^2) / (2q))^2")
    weights, biases = [first], []
    for layer in range(roots.shape[-2]):
        q, square = roots[..., layer, :], squares(weights[-1])
        biases.append((square - q * q) / (2 * q))
        directions = inner[..., layer, :, :] if layer < inner.shape[-3] else last
        outgoing = vectors_of_length((square + q * q) / (2 * q), directions)
        weights.append(outgoing.swapaxes(-1, -2))
    return FullyConnected(weights, [*biases, offset], leaky_relu(slope))


def rescaled_costs_more(network: FullyConnected, factors: Array, basis_points: int = 10_000) -> Relation:
    """Squared norm of the network and of the one with the factors, shape ``(..., L - 1, w)``, at its neurons."""
    rescaled = network.rescale_neurons([factors[..., layer, :] for layer in range(network.depth - 1)])
    return le(network.parameter_norm_squared * basis_points / 10_000, rescaled.parameter_norm_squared)


def rescaled_weights_only(network: FullyConnected, factors: Array) -> Relation:
    """What is false: the same without the biases."""
    rescaled = network.rescale_neurons([factors[..., layer, :] for layer in range(network.depth - 1)])
    return le(network.weight_norm_squared, rescaled.weight_norm_squared)


def with_other_biases(network: FullyConnected, shift: Array) -> FullyConnected:
    """The network with `shift` added to every bias of the first layer."""
    first, *others = network.biases
    return FullyConnected(network.weights, [first + shift[..., None], *others], network.activation)


def both_sides_of(network: FullyConnected, layer: int) -> tuple[Array, Array]:
    """What the neurons of a hidden layer pay before them, and after them, shapes ``(..., n_l)``."""
    before = squares(network.weights[layer - 1]) + network.biases[layer - 1] ** 2
    return before, squares(network.weights[layer].swapaxes(-1, -2))


def saved_by_one_layer(network: FullyConnected, factors: Array, basis_points: int = 10_000, halved: bool = False) -> Relation:
    """No factors at the neurons of the first layer save more than the squares of the differences of the norms."""
    before, after = both_sides_of(network, 1)
    differences = (sqrt(before) - sqrt(after)) ** 2
    others = [0 * bias + 1 for bias in network.biases[1:-1]]
    rescaled = network.rescale_neurons([factors, *others])
    saved = network.parameter_norm_squared - rescaled.parameter_norm_squared
    most = differences.sum(axis=-1) * basis_points / (20_000 if halved else 10_000)
    return le(saved, most, scale=network.parameter_norm_squared + rescaled.parameter_norm_squared)


def gradients_agree(network: FullyConnected, x: Array, direction: Array, bias: bool = True, layer_ahead: int = 1) -> Relation:
    r"""Inner products of the weights of each hidden neuron with the gradients of :math:`\langle direction, f(x) \rangle`.

    The gradient by :math:`W_\ell` is :math:`\delta_\ell \alpha_{\ell-1}^T` with
    :math:`\delta_\ell = J(\tilde\alpha_\ell \to f)^T direction`, that by :math:`b_\ell` is :math:`\delta_\ell`. Every loss of
    the outputs is such a function to first order, with a direction for each point.
    """
    values = network.activations(x)
    deltas = [
        (network.jacobian_from_layer(layer, x).swapaxes(-1, -2) @ direction[..., None])[..., 0]
        for layer in range(1, network.depth + 1)
    ]
    relation = Relation(())
    for layer in range(1, network.depth):
        into = deltas[layer - 1] * (network.weights[layer - 1] @ values[layer - 1][..., None])[..., 0]
        if bias:
            into = into + deltas[layer - 1] * network.biases[layer - 1]
        gradient = deltas[layer][..., :, None] * values[layer + layer_ahead - 1][..., None, :]
        out = (network.weights[layer] * gradient).sum(axis=-2)
        # the terms of the sums are products along paths through the network
        sizes = _path_sizes(network, x, direction)
        relation &= eq(into, out, scale=sizes[..., None], over=1)
    return relation


def _path_sizes(network: FullyConnected, x: Array, direction: Array) -> Array:
    """Sum over all paths of the absolute products that a value is made of, batch-shaped."""
    steepest = np.asarray(maximum(1, absolute(network.activation.negative)))
    row = absolute(x)
    for weight, bias in zip(network.weights, network.biases, strict=True):
        row = ((absolute(weight) @ row[..., None])[..., 0] + absolute(bias)) * steepest[..., None]
    return np.asarray((row * absolute(direction)).sum(axis=-1))


def layers_are_equal(network: FullyConnected, bias: bool = True, basis_points: int = 10_000) -> Relation:
    """Squared norms of neighbouring layers, and the average over the first layers against the average over all."""
    norms = [squares(weight, (-2, -1)) for weight in network.weights]
    offsets = [squares(one) for one in network.biases]
    relation = Relation(())
    for layer in range(network.depth - 1):
        relation &= eq(norms[layer] + (offsets[layer] if bias else 0), norms[layer + 1])
    return relation & averages(network, basis_points=basis_points)


def averages(network: FullyConnected, last: bool = False, basis_points: int = 10_000) -> Relation:
    """The average of the first layers (of the last ones in a false neighbour) against the average of all parameters."""
    norms = [squares(weight, (-2, -1)) for weight in network.weights]
    if last:
        norms = norms[::-1]
    relation, total = Relation(()), 0 * norms[0]
    for layer, norm in enumerate(norms, start=1):
        total = total + norm
        relation &= le(network.depth * total * basis_points / 10_000, layer * network.parameter_norm_squared)
    return relation


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


def identity_chain(depth: int, **others: Any) -> dict[str, Any]:
    """Identity layers of two neurons, which are balanced."""
    network = FullyConnected([rationals([[1, 0], [0, 1]])] * depth, activation=leaky_relu(0))
    return {"network": network, **others}


SOURCE = Source("bottleneck_structure", "Section 2, balancedness")
OURS = Source("bottleneck_structure", "ours")
SIZES = {"depth": range(2, 5), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3)}
BALANCED = derived(
    balanced_network,
    first=reals("width", "inputs"),
    roots=interval(0.25, 4, lambda sizes: sizes["depth"] - 1, "width"),
    inner=reals(lambda sizes: sizes["depth"] - 2, "width", lambda sizes: sizes["width"] - 1),
    last=reals("width", lambda sizes: sizes["outputs"] - 1),
    offset=reals("outputs"),
    slope=interval(-1, 1),
)
FACTORS = interval(0.25, 4, lambda sizes: sizes["depth"] - 1, "width")

CLAIM = Claim(
    id="bottleneck_structure.balancedness",
    title="A balanced network costs the least among its rescalings",
    source=SOURCE,
    statement=rescaled_costs_more,
    domain=Domain(
        {"network": derived(with_other_biases, network=BALANCED, shift=integers(0, 1)), "factors": FACTORS},
        SIZES,
        {"balanced": lambda network: network.is_balanced()},
    ),
    needs=("balanced",),
    tight={"all factors 1": Tight(partial(identity_chain, 3, factors=rationals([[1, 1], [1, 1]])))},
    false_neighbours={
        "constant 1.01": partial(rescaled_costs_more, basis_points=10_100),
        "constant 1.0001": partial(rescaled_costs_more, basis_points=10_001),
        "without the biases": rescaled_weights_only,
    },
)

ONE_LAYER = Claim(
    id="bottleneck_structure.balancedness.one_layer",
    title="What the neurons of one layer can save by rescaling",
    source=OURS,
    status=Ours(),
    statement=saved_by_one_layer,
    domain=Domain({"network": Networks(), "factors": interval(0.25, 4, "width")}, SIZES),
    tight={
        "norms 1 and 4": Tight(
            lambda: {"network": FullyConnected([rationals([[1]]), rationals([[4]])]), "factors": rationals([2])}
        )
    },
    false_neighbours={
        "constant 0.99": partial(saved_by_one_layer, basis_points=9_900),
        "constant 0.9999": partial(saved_by_one_layer, basis_points=9_999),
        "half of it": partial(saved_by_one_layer, halved=True),
    },
    exact={"the least of one neuron in symbols": saving_in_symbols},
)

GRADIENTS = Claim(
    id="bottleneck_structure.balancedness.gradients",
    title="The gradients before and after a neuron agree along its rescaling",
    source=SOURCE,
    statement=gradients_agree,
    domain=Domain({"network": Networks(slope=(-1, 1)), "x": reals("inputs"), "direction": reals("outputs")}, SIZES),
    tight={
        "identities": Tight(partial(identity_chain, 3, x=rationals([1, 2]), direction=rationals([1, 1]))),
    },
    false_neighbours={
        "without the bias": partial(gradients_agree, bias=False),
        "the values one layer before": partial(gradients_agree, layer_ahead=0),
    },
)

LAYERS = Claim(
    id="bottleneck_structure.balancedness.layers",
    title="In a balanced network the norms of the layers grow by their biases",
    source=SOURCE,
    statement=layers_are_equal,
    domain=Domain({"network": BALANCED}, SIZES),
    tight={"identities": Tight(partial(identity_chain, 3))},
    false_neighbours={
        "without the biases": partial(layers_are_equal, bias=False),
        "average 1.01": partial(layers_are_equal, basis_points=10_100),
        "the last layers": partial(averages, last=True),
    },
)
