r"""Narrow networks with the outputs of a wide one: every hidden layer keeps few of its neurons, scaled.

A neuron with the row x and the cone weight :math:`\alpha` becomes the neuron :math:`\sqrt\alpha x`. The root is taken up to
rounding, within the rationals, and the factor that is left, 1 up to rounding, counts in the covariances (see `near_roots`); so
the outputs are exact, and the cost is that of the exact roots.

Source: feature_learning, Proposition 7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from theorems.feature_learning.constructions.activations import Activation
from theorems.feature_learning.constructions.layers import (
    gram,
    representations,
    row_costs,
    trace_of_product,
    with_bias_row,
)
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.constructions.pruning import number_in_use, pruned
from theorems.feature_learning.constructions.tuples import Instance, Pair, kernel_inverse, near_roots
from verify.arithmetic import Array, chosen_rationals, floats, is_exact
from verify.matrices import pseudo_inverse

Choice = Callable[[Array, Array, Array], Array]
"""Cone weights from the rows of a layer, their images, and their costs."""


def keep_pair(rows: Array, image: Array, costs: Array) -> Array:
    """Weights that keep both covariances, at most N(N + 1) of them not zero."""
    generators = np.concatenate([second_parts(rows), second_parts(image)], axis=-1)
    return pruned(generators, 0 * costs + 1, costs)


def keep_second(rows: Array, image: Array, costs: Array) -> Array:
    """Weights that keep the covariance after the activation, at most N(N + 1)/2 of them not zero."""
    del rows
    return pruned(second_parts(image), 0 * costs + 1, costs)


@dataclass(frozen=True, eq=False)
class Narrowed:
    """A network, and the narrow one: of every hidden layer the scaled rows, the factors that are left, the cone weights."""

    instance: Instance
    given: list[Array]
    seen: list[Array]
    rows: list[Array]
    factors: list[Array]
    chosen: list[Array]

    def pairs(self) -> list[Pair]:
        """The covariances of the narrow network."""
        return [
            (_weighted_gram(rows, factors), gram_with_bias(self.instance, rows, factors))
            for rows, factors in zip(self.rows, self.factors, strict=True)
        ]

    def cost(self) -> Array:
        """What the narrow network costs."""
        inverses = [kernel_inverse(self.seen[0])]
        inverses += [self._inverse(*layer) for layer in zip(self.rows, self.factors, strict=True)]
        firsts = [*(_weighted_gram(*layer) for layer in zip(self.rows, self.factors, strict=True)), gram(self.given[-1])]
        return np.asarray(sum(trace_of_product(*layer) for layer in zip(firsts, inverses, strict=True)))

    def cost_before(self) -> Array:
        """What the network itself costs, without residuals."""
        layers = zip(self.given, self.seen, strict=True)
        return np.asarray(sum(trace_of_product(gram(own), kernel_inverse(before)) for own, before in layers))

    def _inverse(self, rows: Array, factors: Array) -> Array:
        if is_exact(rows):
            return pseudo_inverse(gram_with_bias(self.instance, rows, factors))
        # through the features, whose condition number is only the root
        scaled = np.sqrt(factors)[..., None] * self.instance.activation(rows)
        return kernel_inverse(with_bias_row(scaled, self.instance.bias))

    def weights(self) -> list[Array]:
        """Weights of the narrow network."""
        result, before = [], self.seen[0]
        for rows in [*self.rows, self.given[-1]]:
            result.append(rows @ pseudo_inverse(before))
            before = with_bias_row(self.instance.activation(rows), self.instance.bias)
        return result

    def numbers(self) -> list[Array]:
        """How many neurons of each hidden layer are left."""
        return [number_in_use(weights) for weights in self.chosen]


def _weighted_gram(rows: Array, weights: Array) -> Array:
    return np.asarray(np.swapaxes(rows, -1, -2) @ (weights[..., None] * rows))


def gram_with_bias(instance: Instance, rows: Array, weights: Array) -> Array:
    """The covariance after the activation of neurons with these rows and weights."""
    return np.asarray(_weighted_gram(instance.activation(rows), weights) + (instance.bias**2)[..., None, None])


def exact_representations(weights: Sequence[Array], instance: Instance) -> tuple[list[Array], list[Array]]:
    """The representations on rationals; floats are taken as the rationals that they are."""
    slopes, saturates = (chosen_rationals(each) for each in (instance.activation.slopes, instance.activation.saturates))
    points, bias = chosen_rationals(instance.points), chosen_rationals(instance.bias)
    exact = [chosen_rationals(weight) for weight in weights]
    return representations(exact, points, Activation(slopes, saturates), bias)


def narrowed(weights: Sequence[Array], instance: Instance, choose: Choice) -> Narrowed:
    """The network with every hidden layer narrowed."""
    given, seen = representations(weights, instance.points, instance.activation, instance.bias)
    rows, factors, chosen = [], [], []
    # on rationals, so that the choice of neurons does not depend on the arithmetic
    exact_given, exact_seen = exact_representations(weights, instance)
    for layer, own in enumerate(given[:-1]):
        costs = row_costs(exact_given[layer], exact_seen[layer])
        found = choose(exact_given[layer], exact_seen[layer + 1][..., :-1, :], costs)
        chosen.append(found if is_exact(own) else floats(found))
        roots, left = near_roots(chosen[-1])
        rows.append(roots[..., None] * own)
        factors.append(left)
    return Narrowed(instance, given, seen, rows, factors, chosen)
