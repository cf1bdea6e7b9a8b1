r"""The problem over activations: a cost at the end and a Lagrangian along the path.

.. math:: \min_{A : A_0 = X} C(A_1) + \frac\lambda{2L}\int_0^1\|LA_p + \partial_pA_p\|_{K_p}^2dp ,
          \qquad C(A) = \tfrac1N\|F - A\|_F^2 ,

has the value of the problem over weights, because the Lagrangian :math:`\ell(A, \dot A) = \frac1{2L}\|LA + \dot A\|_K^2` is the
least regularisation with which A moves so. What is checked, for networks of two layers with steps of any length
(:math:`\partial A` is then a difference quotient):

- for every network, the Lagrangian of its path is at most its regularisation, and the smallest weights of the path give the
  same path at just this price (the claim);
- for every path of finite Lagrangian, the smallest weights give the path (``.paths``). That the Lagrangian is infinite where
  :math:`\mathrm{Im}(LA + \partial A)^T \not\subset \mathrm{Im}\,K` is needed: with more points than features the bare formula
  is finite for every path, though no weights give it. One neuron at the points 0, 1, 2 that moves by (0, 0, 1) has no weights,
  and the bare formula for it is 41/18 (exact part).

Source: leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import numbers_like, rounding, scaled, with_rows
from verify import Claim, Domain, Ours, Relation, Sizes, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, compare, floats, rationals, sqrt
from verify.domain import Variable
from verify.matrices import pseudo_inverse, rank
from verify.networks.leaky_resnet import LeakyResNet, feature_matrix, is_in_row_space, squared_norm

LAYERS = 2


@dataclass(frozen=True, eq=False)
class Layer:
    r"""What the smallest weights of a layer make of it, batch-shaped unless said.

    Attributes
    ----------
    target, reached
        :math:`LA + \partial A` and :math:`W\sigma(A)`, shape ``(..., w, N)``.
    price
        The squared norm of W: :math:`\|LA + \partial A\|_K^2` where that is finite.
    noise, noise_reached
        Their rounding errors.
    """

    target: Array
    reached: Array
    price: Array
    noise: Array
    noise_reached: Array


@dataclass(frozen=True, eq=False)
class Problem:
    r"""A discrete problem with a path and the network that it comes from, if it does from one.

    Attributes
    ----------
    path
        Activations :math:`A_0, \ldots, A_M`, shapes ``(..., w, N)``.
    weights
        Weights of the layers, shapes ``(..., w, w + 1)``.
    target
        F.
    leak, penalty
        L and :math:`\lambda`.
    steps
        Lengths of the layers, shape ``(..., M)``.
    """

    path: tuple[Array, ...]
    weights: tuple[Array, ...]
    target: Array
    leak: Array
    penalty: Array
    steps: Array

    def __getitem__(self, index: Any) -> Problem:
        parts = {one.name: getattr(self, one.name) for one in fields(self)}
        chosen: dict[str, Any] = {
            name: tuple(one[index] for one in part) if isinstance(part, tuple) else part[index] for name, part in parts.items()
        }
        return Problem(**chosen)

    def layers(self, *, leaks: int = 1) -> list[Layer]:
        """All layers; in false neighbours the leak is left out."""
        result = []
        for layer, (A, after) in enumerate(zip(self.path, self.path[1:], strict=False)):
            length = self.steps[..., layer]
            kept, moved = scaled(A, leaks * self.leak), scaled(after - A, 1 / length)
            F = feature_matrix(A)
            inverse = pseudo_inverse(F)
            weights = (kept + moved) @ inverse
            size = squared_norm(kept) + (squared_norm(A) + squared_norm(after)) / length**2
            price = size * squared_norm(inverse)
            reached = rounding(sqrt(price * squared_norm(F)), F, inverse, 2)
            noise = rounding(price, F, inverse)
            result.append(Layer(kept + moved, weights @ F, squared_norm(weights), noise, reached))
        return result

    def objective(self, squared_norms: list[Array], twice: int = 1) -> Array:
        r""":math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell` of squared norms, of shape ``(...)`` each."""
        loss = squared_norm(self.target - self.path[-1]) / self.target.shape[-1]
        total = (self.steps * np.stack(squared_norms, axis=-1)).sum(axis=-1)
        return np.asarray(loss + twice * self.penalty / (2 * self.leak) * total)

    def noise(self, layers: list[Layer]) -> Array:
        """Rounding errors of the objective of the path."""
        found = sum(floats(self.steps[..., k]) * layer.noise for k, layer in enumerate(layers))
        return np.asarray(floats(self.penalty / self.leak) * found)


def driven(X: Array, weights: Array, steps: Array, leak: Array, penalty: Array, target: Array) -> Problem:
    """The path of a network; `weights` has an axis of layers before its last two."""
    layers = tuple(weights[..., k, :, :] for k in range(LAYERS))
    path = LeakyResNet(layers, leak, steps).activations(X)
    return Problem(path, layers, target, leak, penalty, steps)


def wandering(path: Array, weights: Array, steps: Array, leak: Array, penalty: Array, target: Array, kind: Array) -> Problem:
    """The path of a network, or where `kind` is 0 any path."""
    problem = driven(path[..., 0, :, :], weights, steps, leak, penalty, target)
    free = compare(kind, 0)[..., None, None] == 0
    chosen = tuple(np.where(free, path[..., k, :, :], one) for k, one in enumerate(problem.path))
    return Problem(chosen, problem.weights, target, leak, penalty, steps)


def given_back(problem: Problem, leaks: int = 1) -> Relation:
    """The smallest weights move the activations along the path; in false neighbours they are computed with another leak."""
    relation = Relation(())
    for wanted, found in zip(problem.layers(), problem.layers(leaks=leaks), strict=True):
        size, noise = (one[..., None, None] for one in (sqrt(squared_norm(wanted.target)), found.noise_reached))
        relation &= eq(found.reached, wanted.target, scale=size, noise=noise, over=2)
    return relation


def price_of_a_path(problem: Problem, twice: int = 1, leaks: int = 1, *, equal: bool = False) -> Relation:
    """The objective over weights against that over activations; in false neighbours its factor or the leak is wrong."""
    layers = problem.layers(leaks=leaks)
    over_weights = problem.objective([squared_norm(one) for one in problem.weights])
    over_path = problem.objective([one.price for one in layers], twice)
    compared = eq if equal else le
    return given_back(problem) & compared(over_path, over_weights, noise=problem.noise(layers))


def lagrangians_are_finite(problem: Problem) -> Array:
    """Whether some weights move the activations so, in every layer."""
    found = [is_in_row_space(layer.target, feature_matrix(A)) for A, layer in zip(problem.path, problem.layers(), strict=False)]
    return np.asarray(reduce(and_, found))


def bare_formula_without_weights() -> Relation:
    """At the points 0, 1, 2 the direction (0, 0, 1) has the value 41/18 and no weights: the rank grows."""
    A, moved, leak = rationals([[[0, 1, 2]]]), rationals([[[0, 0, 1]]]), rationals([1])
    F = feature_matrix(A)
    M = scaled(A, leak) + moved
    value = squared_norm(M @ pseudo_inverse(F))
    return eq(value, rationals(["41/18"])) & eq(numbers_like(A, rank(with_rows(F, M)) - rank(F)), rationals([1]))


def independent_features() -> dict[str, Any]:
    """One neuron that stays positive at two points: a path has one choice of weights."""
    one = rationals([1])
    weights = rationals([[[[1, 2]], [[3, -1]]]])
    return {"problem": driven(rationals([[[1, 2]]]), weights, rationals([["1/2", "1/2"]]), one, one, rationals([[[0, 1]]]))}


def _features(sizes: Sizes) -> int:
    return sizes["width"] + 1


COMMON: dict[str, Variable] = {
    "weights": reals(LAYERS, "width", _features),
    "steps": interval(1 / 8, 1, LAYERS),
    "leak": interval(1 / 4, 4),
    "penalty": interval(1 / 8, 2),
    "target": reals("width", "points"),
}
SIZES = {"width": range(1, 3), "points": range(1, 5)}
FINITE = {"every layer has a finite Lagrangian": lagrangians_are_finite}
SOURCE = Source("leaky_resnets", "Section 1.3")

CLAIM = Claim(
    id="leaky_resnets.lagrangian",
    title="The problem over weights has the value of the problem over activations",
    source=SOURCE,
    statement=price_of_a_path,
    domain=Domain({"problem": derived(driven, X=reals("width", "points"), **COMMON)}, SIZES),
    tight={"independent features": Tight(independent_features)},
    false_neighbours={
        "1/L for 1/(2L)": partial(price_of_a_path, twice=2),
        "Lagrangian without the leak": partial(price_of_a_path, leaks=0),
        "all weights have one price": partial(price_of_a_path, equal=True),
    },
    cost=4,
)

PATHS = Claim(
    id="leaky_resnets.lagrangian.paths",
    title="Every path of finite Lagrangian has weights",
    source=SOURCE,
    status=Ours(),
    statement=given_back,
    domain=Domain(
        {"problem": derived(wandering, path=reals(LAYERS + 1, "width", "points"), kind=integers(0, 1), **COMMON)},
        SIZES,
        FINITE,
    ),
    needs=tuple(FINITE),
    false_neighbours={
        "without the leak": partial(given_back, leaks=0),
        "with twice the leak": partial(given_back, leaks=2),
    },
    exact={"0, 1, 2": bare_formula_without_weights},
    cost=2,
)
