r"""The problem over weights has the value of a problem over activations, with a Lagrangian along the path.

Statement
    .. math:: \min_{A : A_0 = X} C(A_1) + \lambda\int_0^1\ell(A_p, \partial_pA_p)dp , \qquad
              \ell(A, \dot A) = \tfrac1{2L}\|LA + \dot A\|_K^2 , \quad C(A) = \tfrac1N\|F - A\|_F^2 ,

    has the value of :math:`\min_W C(A_1) + \frac\lambda{2L}\int_0^1\|W_p\|^2dp`: the Lagrangian is the least price at which A
    moves so.
Checked
    Discrete paths with layers of any length. For every network, the Lagrangian of its path is at most its regularisation, and
    the smallest weights give the same path at just that price. For every path of finite Lagrangian, the smallest weights give
    the path (``.paths``).
Sharp
    Independent features: a path has one choice of weights.
Not checked
    The limit of infinitely many layers. The infinite convention is needed: where
    :math:`\mathrm{Im}(LA + \partial A)^T \not\subset \mathrm{Im}\,K` no weights give the path, though the bare formula is
    finite. One neuron at the points 0, 1, 2 that moves by (0, 0, 1) has the bare value 41/18 (exact part).
Source
    leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.paths import Problem, driven, driven_problems, wandering_problems
from verify import Claim, Domain, Ours, Q, Relation, Sizes, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.matrices import pseudo_inverse, rank
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, smallest_weights, squared_norm

HALF = Q("1/2")


def weights_give_the_path(problem: Problem) -> Relation:
    """The smallest weights move the activations along the path."""
    return eq(problem.smallest_weights @ feature_matrix(problem.before), problem.driving, name="path", over=3)


def value_over_weights(problem: Problem) -> Array:
    r""":math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`."""
    norms = np.stack([squared_norm(one) for one in problem.weights], axis=-1)
    return np.asarray(problem.misfit + problem.penalty / (2 * problem.leak) * problem.over_layers(norms))


def value_over_activations(problem: Problem, weights: Array, half: Q = HALF) -> Array:
    r""":math:`C(A_M) + \lambda\sum_\ell\rho_\ell\ell(A_{\ell-1}, \partial A_{\ell-1})`, from the smallest weights."""
    lagrangian = half * problem.over_layers(squared_norm(weights)) / problem.leak
    return np.asarray(problem.misfit + problem.penalty * lagrangian)


def price_of_a_path(problem: Problem, half: Q = HALF) -> Relation:
    """The smallest weights give the path of a network at the value over activations, which is at most that over weights."""
    over_activations = value_over_activations(problem, problem.smallest_weights, half)
    return weights_give_the_path(problem) & le(over_activations, value_over_weights(problem), name="price")


def lagrangians_are_finite(problem: Problem) -> Array:
    """Whether some weights move the activations so, in every layer."""
    return np.asarray(is_in_row_space(problem.driving, feature_matrix(problem.before)).all(axis=-1))


def bare_formula_without_weights() -> Relation:
    """At the points 0, 1, 2 the direction (0, 0, 1) has the value 41/18 and no weights: the rank grows."""
    A, moved = rationals([[0, 1, 2]]), rationals([[0, 0, 1]])
    F = feature_matrix(A)
    M = A + moved
    missing = rank(np.concatenate([F, M], axis=-2)) - rank(F)
    return eq(squared_norm(M @ pseudo_inverse(F)), Q("41/18")) & eq(rationals(missing), 1)


def independent_features() -> dict[str, Any]:
    """One neuron that stays positive at two points: a path has one choice of weights."""
    one = rationals([1])
    weights = rationals([[[[1, 2]], [[3, -1]]]])
    return {"problem": driven(rationals([[[1, 2]]]), weights, rationals([["1/2", "1/2"]]), one, one, rationals([[[0, 1]]]))}


# False variants


def lagrangian_without_leak(problem: Problem) -> Relation:
    """The price of the velocity alone."""
    weights = smallest_weights(problem.moved, feature_matrix(problem.before))
    return le(value_over_activations(problem, weights), value_over_weights(problem))


def all_weights_have_one_price(problem: Problem) -> Relation:
    """No weights of the path are larger than the smallest."""
    return eq(value_over_activations(problem, problem.smallest_weights), value_over_weights(problem))


def weights_without_leak(problem: Problem) -> Relation:
    """The weights of the velocity alone give the path."""
    weights = smallest_weights(problem.moved, feature_matrix(problem.before))
    return eq(weights @ feature_matrix(problem.before), problem.driving, over=3)


def weights_without_bias(problem: Problem) -> Relation:
    """The smallest weights give the path without their last column."""
    features = feature_matrix(problem.before)[..., :-1, :]
    return eq(problem.smallest_weights[..., :-1] @ features, problem.driving, over=3)


def price(sizes: Sizes) -> int:
    """Rationals grow from layer to layer."""
    return 4 * sizes["layers"]


SIZES = {"layers": (1, 2, 3), "width": range(1, 4), "points": range(1, 5)}
FINITE = {"every layer has a finite Lagrangian": lagrangians_are_finite}
SOURCE = Source("leaky_resnets", "Section 1.3")

CLAIM = Claim(
    id="leaky_resnets.lagrangian",
    title="The problem over weights has the value of the problem over activations",
    source=SOURCE,
    statement=price_of_a_path,
    domain=Domain({"problem": driven_problems()}, SIZES),
    tight={"independent features": Tight(independent_features, of=("price",))},
    false_neighbours={
        "Lagrangian without the leak": lagrangian_without_leak,
        "all weights have one price": all_weights_have_one_price,
    },
    cost=price,
)

PATHS = Claim(
    id="leaky_resnets.lagrangian.paths",
    title="Every path of finite Lagrangian has weights",
    source=SOURCE,
    status=Ours(),
    statement=weights_give_the_path,
    domain=Domain({"problem": wandering_problems()}, SIZES, FINITE),
    needs=tuple(FINITE),
    false_neighbours={"without the leak": weights_without_leak, "without the bias": weights_without_bias},
    exact={"0, 1, 2": bare_formula_without_weights},
    cost=price,
)
