r"""The loss explodes near violated constraints.

Statement
    If :math:`Z_\ell^\sigma v = 0` and :math:`Z_{\ell+1}v \ne 0` for a unit vector v, then for all :math:`Z' \in \mathcal Z`
    with :math:`\|Z'_\ell - Z_\ell\|, \|Z'_{\ell+1} - Z_{\ell+1}\| \le \epsilon` and an activation of Lipschitz constant c

    .. math:: \|Z'_{\ell+1}(Z'^\sigma_\ell)^+\|_F^2 \ge \frac{(\|Z_{\ell+1}v\| - \epsilon)_+^2}{c^2\epsilon^2} ,

    which tends to infinity: along a gradient flow, where the loss decreases, such a point is never approached.
Checked
    The bound for any two neighbouring layers. With one :math:`\epsilon` for both layers together (``.together``), for
    :math:`\epsilon < r = \|Z_{\ell+1}v\|`, the bound is :math:`(r^2/\epsilon^2 - 1)/c^2`. Both are false without
    :math:`Z' \in \mathcal Z`, which the proof uses: outside, the formula of :math:`L^r` may stay small, below the infimum on
    :math:`\mathcal Z` (the exact part).
Proof idea
    :math:`Z'_{\ell+1} = W'Z'^\sigma_\ell`, applied to v: :math:`\|Z'_{\ell+1}v\| \le \|W'\|\,\|Z'^\sigma_\ell v\| \le
    \|W'\|\,c\,\|Z'_\ell - Z_\ell\|`.
Sharp
    One neuron and one point: :math:`Z = (0, 1)`, :math:`Z' = (\epsilon, 1 - \epsilon)`; together,
    :math:`Z' = (\epsilon\sqrt{1 - \epsilon^2}, 1 - \epsilon^2)`.
Not checked
    Activations that are only continuous, where the cost explodes at another rate.
Source
    feature_learning, Appendix B.1; in the copy at hand the formulas are lost. The second bound is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import matrix_like, with_bias_row
from theorems.feature_learning.constructions.reformulation import Problem
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals, sqrt
from verify.matrices import frobenius_norm_squared, pseudo_inverse


@dataclass(frozen=True, eq=False)
class Pairs:
    r"""Two neighbouring layers that violate a constraint, and two near them.

    Attributes
    ----------
    values, after
        :math:`Z_\ell`, :math:`Z_{\ell+1}`.
    near, near_after
        :math:`Z'_\ell`, :math:`Z'_{\ell+1}`.
    activation, bias
        Those of the layer.
    kernel
        A vector v with :math:`Z_\ell^\sigma v = 0`, shape ``(..., N)``, of any length.
    inside
        1 where :math:`Z'` satisfies the constraint between these layers, else 0.
    """

    values: Array
    after: Array
    near: Array
    near_after: Array
    activation: Activation
    bias: Array
    kernel: Array
    inside: Array

    def __getitem__(self, index: Any) -> Pairs:
        layers = (self.values[index], self.after[index], self.near[index], self.near_after[index])
        return Pairs(*layers, self.activation[index], self.bias[index], self.kernel[index], self.inside[index])

    def distances(self) -> tuple[Array, Array]:
        """The squared distances of both layers."""
        return frobenius_norm_squared(self.near - self.values), frobenius_norm_squared(self.near_after - self.after)

    def cost(self) -> Array:
        r""":math:`\|Z'_{\ell+1}(Z'^\sigma_\ell)^+\|_F^2`."""
        return frobenius_norm_squared(self.near_after @ pseudo_inverse(with_bias_row(self.activation(self.near), self.bias)))

    def violation(self) -> Array:
        r""":math:`\|Z_{\ell+1}v\|^2` for the unit vector along v; 0 for v = 0."""
        square = (self.kernel**2).sum(axis=-1)
        image = ((self.after @ self.kernel[..., None]) ** 2).sum(axis=(-2, -1))
        return np.asarray(image / np.where(compare(square, 0) == 0, 1, square))

    def lipschitz(self) -> Array:
        """c: the larger of both slopes, in absolute value."""
        return maximum(absolute(self.activation.slopes[..., 0]), absolute(self.activation.slopes[..., 1]))


def explodes(pairs: Pairs) -> Relation:
    r"""The bound as :math:`r \le \epsilon + c\epsilon\|W'\|`, for the larger of both distances."""
    radius = sqrt(maximum(*pairs.distances()))
    return le(sqrt(pairs.violation()), radius * (1 + pairs.lipschitz() * sqrt(pairs.cost())), name="cost")


def explodes_together(pairs: Pairs) -> Relation:
    r"""The bound, times :math:`c^2\epsilon^2`, for the distance of both layers together."""
    square = np.asarray(sum(pairs.distances()))
    return le(pairs.violation() - square, pairs.lipschitz() ** 2 * square * pairs.cost(), name="cost")


# False variants


def without_the_next_layer(pairs: Pairs) -> Relation:
    r"""The bound :math:`r^2/(c\epsilon)^2`, as if only one layer could change."""
    square = np.asarray(sum(pairs.distances()))
    return le(pairs.violation(), pairs.lipschitz() ** 2 * square * pairs.cost())


def third_power(pairs: Pairs) -> Relation:
    r"""The rate :math:`\epsilon^{-3}`."""
    radius = sqrt(maximum(*pairs.distances()))
    return le(sqrt(pairs.violation()), radius * (1 + pairs.lipschitz() * sqrt(radius * pairs.cost())))


def steeper_bound(pairs: Pairs) -> Relation:
    r"""The fourth power of the Lipschitz constant."""
    square = np.asarray(sum(pairs.distances()))
    return le(pairs.violation() - square, pairs.lipschitz() ** 4 * square * pairs.cost())


def without_the_distance(pairs: Pairs) -> Relation:
    r"""The bound :math:`r^2/(c\epsilon)^2` for the larger distance."""
    return le(pairs.violation(), pairs.lipschitz() ** 2 * maximum(*pairs.distances()) * pairs.cost())


# Exact parts and instances


def formula_outside() -> Relation:
    r"""X = I, Y = (0, 1), :math:`\lambda = 1/20`: at Z = ((q, 0), (0, 1)) the loss is :math:`\lambda q^2`, here for q = 1/10.

    On the constraint set it is at least :math:`2\lambda - \lambda^2`: see `projected_gradient`.
    """
    lam, identity = rationals("1/20"), rationals([[1, 0], [0, 1]])
    problem = Problem(identity, homogeneous(rationals([1, 1])), rationals(0), rationals([[0, 1]]), lam)
    loss = problem.loss_of_representations([rationals([["1/10", 0]]), rationals([[0, 1]])])
    return eq(loss, lam / 100) & le(loss, 2 * lam - lam**2)


def drawn_pairs(
    live: Array,
    zeros: Array,
    after: Array,
    step: Array,
    step_after: Array,
    size: Array,
    direction: Array,
    activation: Activation,
    bias: Array,
    inside: Array,
) -> Pairs:
    """A layer with some neurons that are zero, the part of `direction` in its kernel, and steps; those inside are projected."""
    values = np.concatenate([live, 0 * zeros], axis=-2)
    seen = with_bias_row(activation(values), bias)
    kernel = direction - (direction[..., None, :] @ (pseudo_inverse(seen) @ seen))[..., 0, :]
    # next to nothing is left of a direction in the image but rounding errors
    nothing = compare((direction**2).sum(axis=-1), 2**40 * (kernel**2).sum(axis=-1)) > 0
    kernel = np.where(nothing[..., None], 0 * kernel, kernel)
    near, free = values + matrix_like(size) * step, after + matrix_like(size) * step_after
    projected = onto_image(free, with_bias_row(activation(near), bias))
    near_after = np.where(compare(matrix_like(inside), 1) == 0, projected, free)
    return Pairs(values, after, near, near_after, activation, bias, kernel, inside)


def one_neuron(near: str, near_after: str, slope: str = "1") -> dict[str, Pairs]:
    """One point and one neuron, of which the positive part counts: Z = (0, 1)."""
    here, after, there, after_there = (rationals([[number]]) for number in (0, 1, near, near_after))
    activation, none, one = homogeneous(rationals([slope, 0])), rationals(0), rationals(1)
    return {"pairs": Pairs(here, after, there, after_there, activation, none, rationals([1]), one)}


def satisfies_the_constraint(pairs: Pairs) -> Any:
    """Whether the layers nearby satisfy it."""
    return compare(pairs.inside, 1) == 0


PAIRS = derived(
    drawn_pairs,
    live=reals("live", "points"),
    zeros=interval(0, 1, "zeros", "points"),
    after=reals("outputs", "points"),
    step=reals(lambda sizes: sizes["live"] + sizes["zeros"], "points"),
    step_after=reals("outputs", "points"),
    size=interval(0, 1),
    direction=reals("points"),
    activation=ACTIVATIONS,
    bias=interval(0, 1),
    inside=integers(0, 1),
)
DOMAIN = Domain(
    {"pairs": PAIRS},
    {"live": (0, 1, 2), "zeros": (0, 1, 3), "outputs": range(1, 4), "points": (1, 3, 4)},
    {"the layers nearby satisfy the constraint": satisfies_the_constraint},
    sizes_where=lambda sizes: sizes["live"] + sizes["zeros"] > 0,
)

CLAIM = Claim(
    id="feature_learning.loss_explosion",
    title="The loss explodes near violated constraints",
    source=Source("feature_learning", "Appendix B.1"),
    statement=explodes,
    domain=DOMAIN,
    tight={
        "one neuron and one point": Tight(partial(one_neuron, "1/3", "2/3")),
        "slope 1/2": Tight(partial(one_neuron, "1/3", "2/3", slope="1/2")),
    },
    needs=tuple(DOMAIN.hypotheses),
    false_neighbours={"the rate of the third power": third_power, "without the distance": without_the_distance},
    exact={"outside the constraint set the formula stays small": formula_outside},
)

TOGETHER = Claim(
    id="feature_learning.loss_explosion.together",
    title="The sharp bound for the distance of both layers together",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=explodes_together,
    domain=DOMAIN,
    tight={
        "one neuron and one point": Tight(partial(one_neuron, "12/25", "16/25")),
        "slope 1/2": Tight(partial(one_neuron, "12/25", "16/25", slope="1/2")),
    },
    needs=tuple(DOMAIN.hypotheses),
    false_neighbours={
        "the squared distance is not subtracted": without_the_next_layer,
        "the fourth power of the Lipschitz constant": steeper_bound,
    },
)
