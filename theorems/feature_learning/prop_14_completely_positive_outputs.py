r"""Proposition 14: outputs whose optimal hidden covariance is a given completely positive matrix, of any CP-rank.

A shallow ReLU network without bias has the inputs X = I_N and outputs Y such that :math:`A = \sqrt{Y^TY}` is completely
positive, of CP-rank k. Then at every minimum of the representation cost :math:`K_1 = K_1^\sigma = A`, so that the rank of the
pair is k, and :math:`R(I, Y) = 2\,\mathrm{Tr}\,A = 2\|Y\|_*`. For all small enough ridges the rank is at least k.

The first part is an identity: for all vectors z with weights :math:`\alpha \ge 0` that reach the outputs
(:math:`\mathrm{Im}\,A \subset \mathrm{Im}\,K^\sigma`), and a slope :math:`|d| \le 1` for negative arguments,

.. math:: \mathrm{Tr}\,K + \mathrm{Tr}[Y^TY(K^\sigma)^+] = 2\,\mathrm{Tr}\,A + (1 - d^2)\sum\alpha\|z_-\|^2
   + \mathrm{Tr}[(K^\sigma - A)(K^\sigma)^+(K^\sigma - A)] .

Both remainders are at least 0. The last is 0 only for :math:`K^\sigma = A`, the first for |d| < 1 only without negative
entries, where :math:`K = K^\sigma`. It needs no complete positivity: that is what makes the bound attained, by
:math:`W_1 = B`, :math:`W_2 = YB^+` for :math:`A = B^TB`, :math:`B \ge 0`. For d = -1 the cost is the same, but K may be
another matrix.

With a ridge, and the outputs eliminated (see `frank_wolfe`), the loss
:math:`\frac1N\|Z_2 - Y\|^2 + \lambda\|W\|^2` of a pair is at least what the singular values s of Y cost one by one,

.. math:: \lambda\mathrm{Tr}\,K + \lambda\mathrm{Tr}[Y^TY(K^\sigma + N\lambda)^{-1}] \ge \sum_s g(s), \qquad
   g(s) = 2\lambda s - N\lambda^2 \;(s \ge N\lambda), \quad s^2/N \;(s \le N\lambda) ,

with equality where the matrix A with its eigenvalues lowered by :math:`N\lambda` (to no less than 0) is completely positive.
For Y = Y_4, of CP-rank 4, this happens at :math:`\lambda = 1/4` with three neurons, exactly: the ridge up to which rank 4 is
needed is at most 1/4. (Whether it is 1/4 is known from numerical optimisation only.)

Source: feature_learning, Proposition 14 (Proposition 22 in the appendix). The identity and the bound with a ridge are ours.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.caratheodory import in_use
from theorems.feature_learning.prop_3_covariances import row_costs
from theorems.feature_learning.prop_13_cp_rank_of_graphs import edges_of, gram, incidence_matrix, mantel_matrix
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals, sqrt
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import covariance_pair
from verify.cones.support_graphs import like, support_graph
from verify.matrices import frobenius_norm_squared, inverse, pseudo_inverse, rank, singular_values
from verify.networks import FullyConnected, HomogeneousActivation


def trace(matrix: Array) -> Array:
    """Sum of the diagonal, ``(..., N, N) -> (...)``."""
    return np.asarray(matrix.trace(axis1=-2, axis2=-1))


def reflected(matrix: Array, normal: Array) -> Array:
    r""":math:`(I - 2vv^T/\|v\|^2)A`, whose covariance is that of A: outputs Y with :math:`\sqrt{Y^TY} = A`, or A for v = 0."""
    length = (normal * normal).sum(axis=-1) + np.where(compare((normal * normal).sum(axis=-1), 0) == 0, 1, 0)
    shadow = (normal[..., :, None] * matrix).sum(axis=-2) / length[..., None]
    return np.asarray(matrix - 2 * normal[..., :, None] * shadow[..., None, :])


def leaky(slope: Array) -> HomogeneousActivation:
    """The activation with slopes 1 and `slope`, for arrays ``(..., k, N)``."""
    return HomogeneousActivation(1, slope[..., None])


def excess_is_a_sum(
    problem: tuple[Array, Array, Array], weights: Array, slope: Array, ratio: int = 10_000, gap: int = 10_000, sign: int = -1
) -> Relation:
    """The identity, for A, Y and vectors; and that its two remainders, so the excess over 2 Tr A, are at least 0."""
    root, outputs, vectors = problem
    K, K_sigma = covariance_pair(vectors, leaky(slope), weights=weights)
    rows, unit = leaky(slope)(vectors), like(np.eye(vectors.shape[-1], dtype=np.int64), vectors)
    first, second = trace(K), row_costs(outputs, rows, weights).sum(axis=-1)
    # only the product with A^2, not with K, is known to be well conditioned
    condition = trace(K_sigma) * row_costs(unit, rows, weights).sum(axis=-1)
    size = (first + second + trace(root)) * (1 + condition**2)
    negative = maximum(-vectors, 0 * vectors)
    remainder = (1 + sign * slope**2) * (weights * (negative**2).sum(axis=-1)).sum(axis=-1) * gap / 10_000
    distance = row_costs(K_sigma - root, rows, weights).sum(axis=-1)
    bound = 2 * trace(root)
    return (
        eq(first + second, bound + remainder + distance, scale=size)
        & le(bound * ratio / 10_000, first + second, scale=size)
        & ge(remainder, 0 * remainder)
        & ge(distance, 0 * distance, scale=size)
    )


def reaches_outputs(problem: tuple[Array, Array, Array], weights: Array, slope: Array) -> npt.NDArray[np.bool_]:
    """Whether the outputs are combinations of the activated vectors with positive weights."""
    rows = in_use(weights)[..., None] * leaky(slope)(problem[2])
    return np.asarray(rank(np.concatenate([rows, problem[1]], axis=-2)) == rank(rows))


def construction_attains(factor: Array, normal: Array, ratio: int = 10_000, inverted: bool = True) -> Relation:
    r""":math:`W_1 = B, W_2 = YB^+` has the outputs Y on X = I, and the squared norm :math:`2\,\mathrm{Tr}\,A`."""
    root = gram(factor)
    outputs = reflected(root, normal)
    pseudo = pseudo_inverse(factor)
    network = FullyConnected([factor, outputs @ (pseudo if inverted else np.swapaxes(factor, -1, -2))])
    unit = like(np.eye(factor.shape[-1], dtype=np.int64), factor)
    reached = np.stack([network(unit[i] + 0 * normal) for i in range(len(unit))], axis=-1)
    condition = frobenius_norm_squared(factor) * frobenius_norm_squared(pseudo) + 1
    size = (frobenius_norm_squared(outputs) + trace(root)) * condition
    return eq(reached, outputs, scale=size[..., None, None], over=2) & eq(
        network.weight_norm_squared, 2 * trace(root) * ratio / 10_000, scale=size
    )


def single_values_cost(outputs: Array, lam: Array, average: bool = True, linear: bool = False) -> Array:
    r""":math:`\sum_s g(s)` over the singular values of Y; for ``linear=True`` :math:`\sum_s 2\lambda s`."""
    values, count = singular_values(outputs), outputs.shape[-1] if average else 1
    threshold = (count * lam)[..., None]
    if linear:
        return np.asarray((2 * lam[..., None] * values).sum(axis=-1))
    # s^2/N - (s - N lam)_+^2 / N is g
    above = maximum(values - threshold, 0 * values)
    return np.asarray((values**2 - above**2).sum(axis=-1) / count)


def loss_is_at_least(
    problem: tuple[Array, Array, Array],
    weights: Array,
    lam: Array,
    ratio: int = 10_000,
    average: bool = True,
    linear: bool = False,
) -> Relation:
    """The bound for the loss with a ridge, ReLU."""
    _, outputs, vectors = problem
    K, K_sigma = covariance_pair(vectors, HomogeneousActivation(1, 0), weights=weights)
    shift = outputs.shape[-1] * lam[..., None, None] * like(np.eye(outputs.shape[-1], dtype=np.int64), outputs)
    inverted = inverse(K_sigma + shift)
    loss = lam * (trace(K) + (outputs * (outputs @ inverted)).sum(axis=(-2, -1)))
    size = loss * sqrt(frobenius_norm_squared(K_sigma + shift) * frobenius_norm_squared(inverted))
    return le(single_values_cost(outputs, lam, average, linear) * ratio / 10_000, loss, scale=size)


def problem_near_optimum(factor: Array, normal: Array, noise: Array, kind: Array) -> tuple[Array, Array, Array]:
    """A, Y, and the vectors that are best (kind 0), others with their signs (1), or any of both signs (2)."""
    root, share = gram(factor), kind[..., None, None]
    other = noise + share * (noise - absolute(noise)) / 2
    vectors = np.where(compare(share, 0) == 0, factor, np.where(compare(share, 1) == 0, absolute(noise), other))
    return root, reflected(root, normal), np.asarray(vectors)


def three_neurons() -> dict[str, Any]:
    r"""Y_4 at :math:`\lambda = 1/4`: three vectors and weights whose matrix is A with its eigenvalues lowered by one."""
    outputs = rationals(mantel_matrix(4))
    vectors = rationals([[0, 1, 0, 1], [1, 0, "1/3", "2/3"], ["1/3", "2/3", 1, 0]])
    problem = (outputs[None], outputs[None], vectors[None])
    return {"problem": problem, "weights": rationals([["3/4", "9/8", "9/8"]]), "lam": rationals(["1/4"])}


def threshold_of_three_neurons() -> Relation:
    """The lowered matrix has rank 3 and a factor with three rows, though that of Y_4 itself has four."""
    instance = three_neurons()
    outputs, _, vectors = (one[0] for one in instance["problem"])
    lowered = covariance_pair(vectors, HomogeneousActivation(1, 0), weights=instance["weights"][0])[1]
    # A less the projection to its range
    expected = outputs - pseudo_inverse(outputs) @ outputs
    bounds = rationals([int(rank(lowered)), int(cp_rank_lower_bound(outputs))])
    return eq(lowered, expected, over=2) & eq(bounds, rationals([3, 4]), over=1) & loss_is_at_least(**instance)


def mantel_outputs(largest: int = 8) -> Relation:
    """For Y_N: it is its own root, the incidence matrix attains 2 Tr, and fewer than floor(N^2/4) neurons are no factor."""
    parts = []
    for points in range(2, largest + 1):
        outputs = rationals(mantel_matrix(points))
        edges = incidence_matrix(edges_of(support_graph(outputs)))
        factor = edges[[bool(row.any()) for row in edges]]
        parts += [eq(gram(factor), outputs, over=2), construction_attains(factor[None], 0 * outputs[None, 0])]
        parts += [eq(rationals(len(factor)), points**2 // 4), eq(cp_rank_lower_bound(outputs), points**2 // 4)]
    return reduce(and_, parts)


def optimal(factor: Any, slope: str = "0") -> dict[str, Any]:
    """The rows of a factor without negative entries, with weights 1."""
    rows = rationals(factor)
    root = gram(rows)
    return {"problem": (root, root, rows), "weights": rationals([1] * len(rows)), "slope": rationals(slope)}


SOURCE = Source("feature_learning", "Proposition 14")
PROBLEM = derived(
    problem_near_optimum,
    factor=integers(0, 2, "neurons", "points"),
    normal=integers(-1, 1, "points"),
    noise=integers(-3, 3, "neurons", "points"),
    kind=integers(0, 2),
)
SIZES = {"neurons": range(1, 6), "points": range(1, 5)}
WEIGHTS = interval(0, np.inf, "neurons")

CLAIM = Claim(
    id="feature_learning.prop_14",
    title="The optimal covariance is the square root of that of the outputs",
    source=SOURCE,
    statement=excess_is_a_sum,
    domain=Domain(
        {"problem": PROBLEM, "weights": WEIGHTS, "slope": interval(-1.5, 1.5)},
        SIZES,
        hypotheses={
            "the outputs are reached": reaches_outputs,
            "the slope is between -1 and 1": lambda slope: absolute(slope) <= 1,
        },
    ),
    needs=("the outputs are reached", "the slope is between -1 and 1"),
    tight={
        "path of three vertices": Tight(partial(optimal, [[1, 1, 0], [0, 1, 1]])),
        "cycle of four vertices": Tight(partial(optimal, [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], "1/2")),
    },
    false_neighbours={
        "0.01 percent more than 2 Tr A": partial(excess_is_a_sum, ratio=10_001),
        "negative entries cost 0.01 percent more": partial(excess_is_a_sum, gap=10_001),
        "1 + d^2": partial(excess_is_a_sum, sign=1),
        "negative entries cost nothing": partial(excess_is_a_sum, gap=0),
    },
    exact={"Y_N for N up to 8": mantel_outputs},
)

ATTAINED = Claim(
    id="feature_learning.prop_14.attained",
    title="A network attains twice the nuclear norm",
    source=SOURCE,
    statement=construction_attains,
    domain=Domain({"factor": interval(0, np.inf, "neurons", "points"), "normal": reals("points")}, SIZES),
    false_neighbours={
        "0.01 percent more": partial(construction_attains, ratio=10_001),
        "transpose in place of pseudo-inverse": partial(construction_attains, inverted=False),
    },
)

RIDGE = Claim(
    id="feature_learning.prop_14.ridge",
    title="The loss is at least that of the singular values of the outputs",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=loss_is_at_least,
    domain=Domain(
        {"problem": PROBLEM, "weights": WEIGHTS, "lam": interval(0, 1)},
        SIZES,
        hypotheses={"lam is positive": lambda lam: lam > 0},
    ),
    tight={"three neurons for Y_4 at lam = 1/4": Tight(three_neurons)},
    false_neighbours={
        "0.01 percent more": partial(loss_is_at_least, ratio=10_001),
        "twice lam times the nuclear norm": partial(loss_is_at_least, linear=True),
        "for the sum of squares": partial(loss_is_at_least, average=False),
    },
    exact={"three neurons at lam = 1/4": threshold_of_three_neurons},
)
