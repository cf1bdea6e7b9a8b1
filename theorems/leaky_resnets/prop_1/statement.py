r"""The cost of identity is at least the square of the nuclear norm over that of the Frobenius norm.

Statement
    .. math:: \|A\|_{\bar K}^2 \ge \frac{\|A\|_*^2}{\|A\|_F^2} \qquad (A \ne 0) .
Checked
    The bound times :math:`\|A\|_F^2`, so that A = 0 is no exception, where the cost is finite. The chain (ours)
    :math:`\|A\|_{\bar K}^2 \ge \|A\|_*^2 / \|\bar\sigma(A)\|_F^2 \ge \|A\|_*^2 / \|A\|_F^2`, which for the rows (2, -1),
    (-1, 2) is 5/2, 2 and 8/5. With a bias (ours), :math:`\|A\|_K^2 \ge \|A\|_*^2 / (\|\bar\sigma(A)\|_F^2 + N)`, while the
    bound of the proposition fails.
Proof idea
    :math:`\|A\|_* = \|W\bar\sigma(A)\|_* \le \|W\|_F\|\bar\sigma(A)\|_F` for every W with :math:`W\bar\sigma(A) = A`.
Sharp
    The identity. With bias, equal activations of one neuron.
Source
    leaky_resnets, Proposition 1; the chain and the bound with bias are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    bias_free_cost_is_finite,
    cost_is_finite,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge
from verify.arithmetic import Array, rationals
from verify.matrices import nuclear_norm, operator_norm
from verify.networks.leaky_resnet import rectified, squared_norm


def effective_dimension_bound(A: Array) -> Relation:
    """The cost against the effective dimension, both times the squared norm."""
    return ge(bare_cost(A, bias=False).squared_norm * squared_norm(A), nuclear_norm(A) ** 2)


def chain(A: Array) -> Relation:
    """The cost against the nuclear norm over the norm of the ReLU, and that norm against the norm of A."""
    size = squared_norm(rectified(A))
    cost = ge(bare_cost(A, bias=False).squared_norm * size, nuclear_norm(A) ** 2, name="cost")
    return cost & ge(squared_norm(A), size, name="norms")


def bound_with_bias(A: Array) -> Relation:
    """The cost with bias against the nuclear norm; the ones add the number of points to the norm."""
    size = squared_norm(rectified(A)) + A.shape[-1]
    return ge(bare_cost(A).squared_norm * size, nuclear_norm(A) ** 2)


# False variants


def effective_dimension_bound_with_bias(A: Array) -> Relation:
    """The bound of the proposition for the cost with bias."""
    return ge(bare_cost(A).squared_norm * squared_norm(A), nuclear_norm(A) ** 2)


def effective_dimension_with_operator_norm(A: Array) -> Relation:
    """The operator norm in the denominator."""
    return ge(bare_cost(A, bias=False).squared_norm * operator_norm(A) ** 2, nuclear_norm(A) ** 2)


def chain_with_operator_norm(A: Array) -> Relation:
    """The operator norm of the ReLU."""
    return ge(bare_cost(A, bias=False).squared_norm * operator_norm(rectified(A)) ** 2, nuclear_norm(A) ** 2)


def chain_with_bias(A: Array) -> Relation:
    """The chain for the cost with bias."""
    return ge(bare_cost(A).squared_norm * squared_norm(rectified(A)), nuclear_norm(A) ** 2)


def bound_with_one_point_less(A: Array) -> Relation:
    """N - 1 for N."""
    size = squared_norm(rectified(A)) + A.shape[-1] - 1
    return ge(bare_cost(A).squared_norm * size, nuclear_norm(A) ** 2)


def identity() -> dict[str, Any]:
    """As many neurons as points, each active for one point."""
    return {"A": rationals(np.eye(3, dtype=int)[None])}


def equal_activations() -> dict[str, Any]:
    """One neuron and three points: the ones and the activations are proportional."""
    return {"A": rationals([[[3, 3, 3]], [["1/2", "1/2", "1/2"]]])}


def three_bounds() -> Relation:
    """For the rows (2, -1), (-1, 2): the cost, and both bounds of the chain."""
    A = rationals([[[2, -1], [-1, 2]]])
    values = [
        bare_cost(A, bias=False).squared_norm,
        nuclear_norm(A) ** 2 / squared_norm(rectified(A)),
        nuclear_norm(A) ** 2 / squared_norm(A),
    ]
    return eq(np.concatenate(values), rationals(["5/2", 2, "8/5"]), over=1)


FINITE = {"the cost without bias is finite": bias_free_cost_is_finite}
FINITE_WITH_BIAS = {"the cost is finite": cost_is_finite}

CLAIM = Claim(
    id="leaky_resnets.prop_1",
    title="The cost of identity without bias is at least an effective dimension",
    source=Source("leaky_resnets", "Proposition 1"),
    statement=effective_dimension_bound,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": Tight(identity)},
    false_variants={
        "cost with bias": effective_dimension_bound_with_bias,
        "operator norm": effective_dimension_with_operator_norm,
    },
)

CHAIN = Claim(
    id="leaky_resnets.prop_1.chain",
    title="The cost is at least the squared nuclear norm over that of the ReLU, and so the effective dimension",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=chain,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": Tight(identity, of=("cost", "norms"))},
    false_variants={
        "operator norm of the ReLU": chain_with_operator_norm,
        "cost with bias": chain_with_bias,
    },
    exact={"(2, -1), (-1, 2): 5/2, 2, 8/5": three_bounds},
    cost=4,
)

WITH_BIAS = Claim(
    id="leaky_resnets.prop_1.with_bias",
    title="With bias the cost is at least the squared nuclear norm over that of the features",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=bound_with_bias,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE_WITH_BIAS),
    needs=tuple(FINITE_WITH_BIAS),
    tight={"equal activations": Tight(equal_activations)},
    false_variants={
        "without the ones": chain_with_bias,
        "one point less": bound_with_one_point_less,
    },
    cost=4,
)
