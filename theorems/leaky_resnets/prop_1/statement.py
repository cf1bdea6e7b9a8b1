r"""The cost of identity is at least a quotient of squared norms.

Statement
    .. math:: \|A\|_{\bar K}^2 \ge \frac{\|A\|_*^2}{\|A\|_F^2} \qquad (A \ne 0) .
Checked
    The bound times :math:`\|A\|_F^2`, so that A = 0 is no exception, where the cost is finite. The chain (derived here)
    :math:`\|A\|_{\bar K}^2 \ge \|A\|_*^2 / \|\bar\sigma(A)\|_F^2 \ge \|A\|_*^2 / \|A\|_F^2`, which for the rows (2, -1),
    (-1, 2) is 5/2, 2 and 8/5. With a bias (derived here), :math:`\|A\|_K^2 \ge \|A\|_*^2 / (\|\bar\sigma(A)\|_F^2 + N)`,
    while the bound of the proposition fails.
Proof idea
    :math:`\|A\|_* = \|W\bar\sigma(A)\|_* \le \|W\|_F\|\bar\sigma(A)\|_F` for every W with :math:`W\bar\sigma(A) = A`.
Tight
    The identity. With bias, equal activations of one neuron.
Source
    leaky_resnets, Proposition 1; the chain and the bound with bias are derived here.
"""

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    cost,
    cost_without_bias,
    is_finite,
    is_finite_without_bias,
)
from verify import Claim, DerivedHere, Domain, Source, Tight
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, norm2, nuclear_norm, operator_norm, relu, stack


def effective_dimension_bound(A):
    return ge(cost_without_bias(A) * norm2(A), nuclear_norm(A) ** 2)


def chain(A):
    return ge(cost_without_bias(A) * norm2(relu(A)), nuclear_norm(A) ** 2, name="cost") & ge(
        norm2(A), norm2(relu(A)), name="norms"
    )


def bound_with_bias(A, less=0):
    N = A.shape[1]
    return ge(cost(A) * (norm2(relu(A)) + N - less), nuclear_norm(A) ** 2)


# False variants


def effective_dimension_bound_with_bias(A):
    return ge(cost(A) * norm2(A), nuclear_norm(A) ** 2)


def effective_dimension_with_operator_norm(A):
    return ge(cost_without_bias(A) * operator_norm(A) ** 2, nuclear_norm(A) ** 2)


def chain_with_operator_norm(A):
    return ge(cost_without_bias(A) * operator_norm(relu(A)) ** 2, nuclear_norm(A) ** 2)


def chain_with_bias(A):
    return ge(cost(A) * norm2(relu(A)), nuclear_norm(A) ** 2)


def three_bounds():
    """For the rows (2, -1), (-1, 2): the cost, and both bounds of the chain."""
    A = rationals([[2, -1], [-1, 2]])
    bounds = [nuclear_norm(A) ** 2 / norm2(relu(A)), nuclear_norm(A) ** 2 / norm2(A)]
    return eq(stack([cost_without_bias(A), *bounds]), rationals(["5/2", 2, "8/5"]))


FINITE = {"the cost without bias is finite": is_finite_without_bias}
FINITE_WITH_BIAS = {"the cost is finite": is_finite}
IDENTITY = {"A": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}

CLAIM = Claim(
    id="leaky_resnets.prop_1",
    title="The cost of identity without bias is at least an effective dimension",
    source=Source("leaky_resnets", "Proposition 1"),
    statement=effective_dimension_bound,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": IDENTITY},
    false_variants={
        "cost with bias": effective_dimension_bound_with_bias,
        "operator norm": effective_dimension_with_operator_norm,
    },
)

CHAIN = Claim(
    id="leaky_resnets.prop_1.chain",
    title="The cost is at least the squared nuclear norm over that of the ReLU",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=chain,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": Tight(lambda: IDENTITY, of=("cost", "norms"))},
    false_variants={
        "operator norm of the ReLU": chain_with_operator_norm,
        "cost with bias": chain_with_bias,
    },
    exact={"(2, -1), (-1, 2): 5/2, 2, 8/5": three_bounds},
    cost=4,
)

WITH_BIAS = Claim(
    id="leaky_resnets.prop_1.with_bias",
    title="With bias the cost is at least ||A||_*^2 / (||relu(A)||^2 + N)",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=bound_with_bias,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE_WITH_BIAS),
    needs=tuple(FINITE_WITH_BIAS),
    # the ones and the activations are proportional
    tight={"equal activations": {"A": [[3, 3, 3]]}, "small equal activations": {"A": [["1/2", "1/2", "1/2"]]}},
    false_variants={"without the ones": chain_with_bias, "one point less": {"less": 1}},
    cost=4,
)
