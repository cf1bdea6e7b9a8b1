r"""Hidden layers through their covariances: from networks to covariances and back, and pruning on a data set.

A network with bias `b` has :math:`Z_\ell = W_\ell Z_{\ell-1} + b c_\ell 1^T`: the biases of a `FullyConnected` are
:math:`b c_\ell`, and the norm regularises :math:`c_\ell`: :math:`\|W\|^2 = \sum_\ell \|W_\ell\|_F^2 + \|c_\ell\|^2`.
Inputs have shape ``(N, n_0)`` and outputs ``(N, n_L)``, as everywhere; representations :math:`Z_\ell` have shape ``(n_l, N)``,
a row for each neuron, and :math:`K_\ell^s = s(Z_\ell)^T s(Z_\ell) + b^2 11^T`, with :math:`K_0^s = X X^T + b^2 11^T` for
inputs X. A neuron with the representation z may be replaced by some with the weights :math:`\alpha_i` and representations
:math:`z_i` (that is, :math:`\sqrt{\alpha_i} z_i`) wherever the pair of covariances stays.

Source: feature_learning, Proposition 3, Proposition 7, Proposition 8.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from verify.cones import conical_hull
from verify.cones._exact import number_in, one_matrix
from verify.cones.covariance_pairs import covariance_pair
from verify.matrices import pseudo_inverse
from verify.networks import FullyConnected, HomogeneousActivation
from verify.networks._arrays import named_list
from verify.networks.arguments import checked_activation
from verify.numbers.arguments import choice, instance, real_array, real_arrays
from verify.numbers.arithmetic import Array, UndecidedInstances, absolute, compare, integer, is_exact, rationals, sqrt

RANGE_TOLERANCE = 1e-7
"""A float representation leaves the range of the layer before by at most this, relative to its size."""

Kept = Literal["outputs", "pair"]
"""What pruning a layer keeps: the outputs (and a norm that is not larger), or the pair of covariances as well."""


@dataclass(frozen=True, eq=False)
class Covariances:
    """``pairs[l - 1]`` is ``(K_l, K_l^s)`` of hidden layer l; `outputs` has shape ``(N, n_L)``."""

    pairs: tuple[tuple[Array, Array], ...]
    outputs: Array


@dataclass(frozen=True, eq=False)
class Pruned:
    """A network from cone weights and vectors, and what became of outputs and norm.

    Attributes
    ----------
    network
        Has the wanted outputs on the inputs. For floats it has the norm `norm_squared`. If it is exact, hidden neuron i of
        layer l still has to be scaled by ``sqrt(weights[l - 1][i])`` to get this norm (see `scaled`), which changes no output.
    weights
        One array ``(n_l,)`` for each hidden layer.
    norm_squared, norm_squared_before
        Regularised norm (see `regularised_norm`) of the scaled network, and of the network before pruning, or None: rational
        for exact networks.
    output_error
        Largest difference of an output on the inputs: measured, and 0 if everything is exact.
    """

    network: FullyConnected
    weights: tuple[Array, ...]
    norm_squared: Any
    norm_squared_before: Any
    output_error: Any

    def scaled(self) -> FullyConnected:
        """The network of norm `norm_squared`: with rationals where the roots are rational, else with balls."""
        if not self.network.is_exact:
            return self.network
        return self.network.rescale_neurons([sqrt(weights) for weights in self.weights])


def regularised_norm(network: FullyConnected, *, bias: Any = 0) -> Any:
    """``sum ||W_l||^2 + ||biases_l / b||^2``.

    Raises
    ------
    ValueError
        `network` is a batch; or `bias` is zero and a bias of the network is not.

    Examples
    --------
    >>> regularised_norm(from_matrix(rationals([[4, 0], [0, 1]]), 2))
    10
    """
    _check_single(network)
    number = _number(bias, network.is_exact)
    weights: Any = network.weight_norm_squared
    squares: Any = network.parameter_norm_squared - weights
    if number == 0:
        if any(np.any(compare(offset, 0) != 0) for offset in network.biases):
            raise ValueError("bias is 0 but the network has biases that are not: give the b of its convention")
        return weights
    return weights + squares / number**2


def representations(network: FullyConnected, inputs: Array) -> tuple[Array, ...]:
    """``Z_1, ..., Z_L`` on the inputs ``(N, n_0)``, shapes ``(n_l, N)``.

    Raises
    ------
    ValueError
        `network` is a batch, or `inputs` do not fit to it.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    >>> print(*representations(network, rationals([[2], [-3]])))
    [[2 -3]
     [-2 3]] [[2 3]]
    """
    _check_single(network)
    points = _matching("inputs", inputs, network.is_exact)
    return tuple(values.T for values in network.preactivations(points))


def covariances(network: FullyConnected, inputs: Array, *, bias: Any = 0) -> Covariances:
    """The point of the width-independent set that a network reaches on the inputs; raises like `representations`.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    >>> ((K, K_sigma),) = covariances(network, rationals([[2], [-3]])).pairs
    >>> print(K)
    [[8 -12]
     [-12 18]]
    >>> print(K_sigma)
    [[4 0]
     [0 9]]
    """
    layers = representations(network, inputs)
    pairs = tuple(covariance_pair(layer, network.activation, bias) for layer in layers[:-1])
    return Covariances(pairs, layers[-1].T)


def covariance_cost(network: FullyConnected, inputs: Array, *, bias: Any = 0) -> Any:
    r""":math:`\sum_\ell Tr[K_\ell (K_{\ell-1}^s)^+]` for the covariances of a network on the inputs, and for its outputs.

    This is the norm of the smallest weights with the same representations, and computed as such: in floats a covariance shows
    nothing of what is smaller than the square root of its rounding errors, and its pseudo-inverse leaves that out.

    Raises
    ------
    RankUndecided
        A representation of floats has no certain rank: use rationals, or `regularised_norm`.
    ValueError
        As for `representations`.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    >>> covariance_cost(network, rationals([[1]]))
    3
    """
    layers = representations(network, inputs)
    builder = _Builder(_matching("inputs", inputs, network.is_exact), network.activation, _number(bias, network.is_exact))
    total: Any = _number(0, network.is_exact)
    for before, rows in zip((None, *layers), layers, strict=False):
        smallest = rows @ pseudo_inverse(builder.extended(before))
        total = total + (smallest**2).sum()
    return total


def network_from_representations(
    inputs: Array, layers: Sequence[Array], activation: HomogeneousActivation, *, bias: Any = 0
) -> FullyConnected:
    r"""The network of smallest norm with ``layers = (Z_1, ..., Z_L)``: :math:`W_\ell = Z_\ell (Z_{\ell-1}^s)^+`.

    Raises
    ------
    ValueError
        A representation is not in the range of the layer before, or a shape does not fit.
    RankUndecided
        A representation of floats has no certain rank.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    >>> inputs = rationals([[2], [-3]])
    >>> again = network_from_representations(inputs, representations(network, inputs), relu())
    >>> print(*again.weights)
    [[1]
     [-1]] [[1 1]]
    """
    points, *rows = real_arrays([("inputs", inputs), *named_list("layers", layers)])
    points = one_matrix(points, "inputs")
    if not rows:
        raise ValueError("layers must not be empty: the last holds the outputs")
    for k, layer in enumerate(rows):
        if layer.ndim != 2 or layer.shape[1] != len(points):
            raise ValueError(f"layers[{k}] must have shape (neurons, {len(points)}), got {layer.shape}")
    hidden = [(np.full(len(layer), _number(1, is_exact(layer))), layer) for layer in rows[:-1]]
    return network_from_covariances(points, hidden, rows[-1].T, activation, bias=bias).network


def network_from_covariances(
    inputs: Array,
    decompositions: Sequence[tuple[Array, Array]],
    outputs: Array,
    activation: HomogeneousActivation,
    *,
    bias: Any = 0,
) -> Pruned:
    r"""The pre-image of covariances: cone weights ``(k_l,)`` and vectors ``(k_l, N)`` to representations to weights.

    All rational, or all floats. The rows of :math:`Z_\ell` are :math:`\sqrt{\alpha_i} z_i`, and
    :math:`W_\ell = Z_\ell (Z_{\ell-1}^s)^+`. Of rationals, whose roots are none, the network has the rows :math:`z_i`: the same
    function, at another norm; `Pruned.scaled` multiplies by the roots, and ``norm_squared`` is the norm with them.

    Raises
    ------
    ValueError
        A vector is not in the range of the layer before; a weight is not positive; a shape does not fit.
    RankUndecided
        A representation of floats has no certain rank.

    Examples
    --------
    >>> inputs, vectors, outputs = rationals([[2], [-3]]), rationals([[2, -3], [-2, 3]]), rationals([[2], [3]])
    >>> found = network_from_covariances(inputs, [(rationals([4, 1]), vectors)], outputs, relu())
    >>> print(found.network(inputs).T, found.norm_squared)
    [[2 3]] 25/4

    Scaled by the roots of their weights, the neurons have the representations (4, -6) and (-2, 3):

    >>> print(*found.scaled().weights)
    [[2]
     [-1]] [[1/2 1]]
    """
    named = [("inputs", inputs), ("outputs", outputs)]
    for name, pair in named_list("decompositions", decompositions):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(f"{name} must be a pair of weights and vectors, got {reprlib.repr(pair)}")
        named += [(f"the weights of {name}", pair[0]), (f"the vectors of {name}", pair[1])]
    points, targets, *parts = real_arrays(named)
    points = one_matrix(points, "inputs")
    exact = is_exact(points)
    layers = [_checked_layer(k, *pair, len(points)) for k, pair in enumerate(zip(parts[::2], parts[1::2], strict=True))]
    if targets.ndim != 2 or len(targets) != len(points):
        raise ValueError(f"outputs must have shape ({len(points)}, n_L), one row for each input, got {targets.shape}")
    checked_activation(activation)
    builder = _Builder(points, activation.as_exact() if exact else activation.as_float(), _number(bias, exact))
    return builder.pruned(layers, targets, {}, None)


def prune_hidden_layer(network: FullyConnected, inputs: Array, layer: int, *, bias: Any = 0, keep: Kept = "outputs") -> Pruned:
    """The same outputs on the inputs with at most ``N(N+1)/2`` neurons in `layer` (counted from 1), the norm not larger.

    With ``keep="pair"`` also the pair of covariances of the layer stays, with at most ``N(N+1)`` neurons. Weights of layers
    that do not touch this one stay.

    Raises
    ------
    ValueError
        `network` is a batch, `layer` is not a hidden layer, `keep` is none of its values; or as for `representations`.
    UndecidedInstances
        A representation of floats has no certain rank, or floats lose the layers of the network.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [2], [-1]]), rationals([[1, 1, 1]])])
    >>> prune_hidden_layer(network, rationals([[1], [-1]]), 1).network.widths
    (1, 2, 1)
    """
    _check_single(network)
    layer = integer("layer", layer)
    if not 1 <= layer < network.depth:
        raise ValueError(f"layer must be a hidden layer, between 1 and {network.depth - 1}, got {layer}")
    return _prune(network, inputs, {layer}, bias, keep)


def prune_network(network: FullyConnected, inputs: Array, *, bias: Any = 0, keep: Kept = "outputs") -> Pruned:
    """`prune_hidden_layer` in every hidden layer; raises like it.

    Examples
    --------
    >>> network = FullyConnected([rationals([[1], [2], [-1]]), rationals([[1, 1, 1]])])
    >>> prune_network(network, rationals([[1], [-1]])).network.widths
    (1, 2, 1)
    """
    _check_single(network)
    return _prune(network, inputs, set(range(1, network.depth)), bias, keep)


def _prune(network: FullyConnected, inputs: Array, pruned_layers: set[int], bias: Any, keep: Kept) -> Pruned:
    choice("keep", keep, ("outputs", "pair"))
    before = regularised_norm(network, bias=bias)
    points = _matching("inputs", inputs, network.is_exact)
    layers = representations(network, points)
    builder = _Builder(points, network.activation, _number(bias, network.is_exact))
    hidden = []
    for index, rows in enumerate(layers[:-1], start=1):
        weights = np.full(len(rows), _number(1, network.is_exact))
        if index in pruned_layers:
            costs = builder.costs(layers[index - 2] if index > 1 else None, rows)
            weights = _pruned_weights(rows, network.activation(rows), costs if keep == "outputs" else None)
        kept = np.flatnonzero(weights)
        hidden.append((weights[kept], rows[kept]))
    unchanged = {
        index: (network.weights[index - 1], network.biases[index - 1])
        for index in range(1, network.depth + 1)
        if not {index, index - 1} & pruned_layers
    }
    try:
        return builder.pruned(hidden, layers[-1].T, unchanged, before)
    except NotInRange as error:
        if network.is_exact:
            raise
        # a network's own layers are in range, whatever floats have lost of it
        raise UndecidedInstances(f"floats lose the layers of this network: {error}", np.array(True)) from error


def _pruned_weights(rows: Array, image: Array, costs: Array | None) -> Array:
    """Weights, one for each neuron, most of them zero, that keep ``s(Z)^T s(Z)`` (and without costs, ``Z^T Z``)."""
    upper = np.triu_indices(rows.shape[1])
    parts = [image] if costs is not None else [rows, image]
    generators = np.concatenate([part[:, upper[0]] * part[:, upper[1]] for part in parts], axis=1)
    weights = np.full(len(rows), _number(1, is_exact(rows)))
    active = (compare(generators, 0) != 0).any(axis=1)
    result = 0 * weights
    if active.any():
        active_costs = None if costs is None else costs[active]
        result[active] = conical_hull.caratheodory(generators[active], weights[active], cost=active_costs)
    return result


class NotInRange(ValueError):
    """A layer is not in the range of the one before; the message says which."""


@dataclass(frozen=True, eq=False)
class _Builder:
    """Weights from cone weights and vectors: exact ones through the inverse of K^s, which has no roots, floats through Z^s."""

    points: Array
    activation: HomogeneousActivation
    bias: Any

    @property
    def exact(self) -> bool:
        return is_exact(self.points)

    def extended(self, rows: Array | None) -> Array:
        """``Z^s`` of a representation (None: of the inputs) with the row of the bias, shape ``(k + 1, N)``."""
        image = self.points.T if rows is None else self.activation(rows)
        return np.concatenate([image, np.full((1, len(self.points)), self.bias)])

    def covariance(self, layer: tuple[Array, Array] | None) -> Array:
        """``K^s`` of weights and vectors (None: of the inputs)."""
        if layer is None:
            return np.asarray(self.points @ self.points.T + self.bias**2)
        return covariance_pair(layer[1], self.activation, self.bias, layer[0])[1]

    def costs(self, before: Array | None, rows: Array) -> Array:
        """``z^T (K^s)^+ z`` of every row: the squared norm of its smallest incoming weights."""
        if self.exact:
            layer = None if before is None else (np.full(len(before), _number(1, exact=True)), before)
            return np.asarray(((rows @ pseudo_inverse(self.covariance(layer))) * rows).sum(axis=1))
        return np.asarray(((rows @ pseudo_inverse(self.extended(before))) ** 2).sum(axis=1))

    def incoming(self, before: tuple[Array, Array] | None, rows: Array, index: int) -> tuple[Array, Array, Any]:
        """Weights and biases of rows ``(k, N)`` from the layer before, and the squared norms of each row, scaled or not."""
        if not self.exact:
            extended = self.extended(None if before is None else np.sqrt(before[0])[:, None] * before[1])
            solution = rows @ pseudo_inverse(extended)
            error = np.abs(solution @ extended - rows).max(initial=0.0)
            if error > RANGE_TOLERANCE * (1 + np.abs(rows).max(initial=0.0)):
                raise NotInRange(f"layer {index} is not in the range of the layer before: the distance is {error:.2e}")
            return solution[:, :-1], self.bias * solution[:, -1], (solution**2).sum(axis=1)
        covariance = self.covariance(before)
        solved = rows @ pseudo_inverse(covariance)
        if not np.all(solved @ covariance == rows):
            raise NotInRange(f"layer {index} is not in the range of the layer before")
        if before is None:
            weights = solved @ self.points
        else:
            image = self.activation(before[1])
            weights = _product(solved, image.T) * before[0]
        return weights, self.bias**2 * solved.sum(axis=1), (solved * rows).sum(axis=1)

    def pruned(
        self,
        hidden: Sequence[tuple[Array, Array]],
        outputs: Array,
        unchanged: dict[int, tuple[Array, Array]],
        norm_before: Any,
    ) -> Pruned:
        """Assemble the network; layers in `unchanged` keep their weights."""
        before: tuple[Array, Array] | None = None
        weights, biases = [], []
        total: Any = _number(0, self.exact)
        unit = _number(1, self.exact)
        for index, (alphas, vectors) in enumerate((*hidden, (np.full(outputs.shape[1], unit), outputs.T)), start=1):
            rows = vectors if self.exact else np.sqrt(alphas)[:, None] * vectors
            if index in unchanged:
                matrix, offset = unchanged[index]
                square = (matrix**2).sum() + (0 if self.bias == 0 else (offset**2).sum() / self.bias**2)
                total = total + square
            else:
                matrix, offset, squares = self.incoming(before, rows, index)
                total = total + (alphas * squares if self.exact else squares).sum()
            weights.append(matrix)
            biases.append(offset)
            before = (alphas, vectors)
        network = FullyConnected(weights, biases, self.activation)
        error = absolute(network(self.points) - outputs)
        largest = max(error.flat, default=_number(0, self.exact)) if self.exact else float(error.max(initial=0.0))
        return Pruned(network, tuple(alphas for alphas, _ in hidden), total, norm_before, largest)


def _product(left: Array, right: Array) -> Array:
    product = left @ right
    return rationals(np.zeros(product.shape, dtype=np.int64)) if left.shape[1] == 0 else np.asarray(product)


def _checked_layer(index: int, alphas: Array, rows: Array, points: int) -> tuple[Array, Array]:
    if rows.ndim != 2 or rows.shape[1] != points:
        raise ValueError(f"the vectors of decompositions[{index}] must have shape (k, {points}), got {rows.shape}")
    if alphas.shape != rows.shape[:1]:
        raise ValueError(f"decompositions[{index}] has weights of shape {alphas.shape} for {len(rows)} vectors")
    if not all(alpha > 0 for alpha in alphas):
        raise ValueError(f"the weights of decompositions[{index}] must be positive: leave out vectors without weight")
    return alphas, rows


def _check_single(network: FullyConnected) -> None:
    instance("network", network, FullyConnected)
    if network.batch_shape:
        raise ValueError(f"network must be one network, got a batch of shape {network.batch_shape}")


def _matching(name: str, values: Any, exact: bool) -> Array:
    """`values` in the given arithmetic: floats are not taken for exact ones, nor the other way round."""
    return real_array(name, values, exact, "the network, or what stands beside it,")


def _number(value: Any, exact: bool) -> Any:
    """`value` as a rational or as a float."""
    return number_in("bias", value, exact=exact)
