r"""Proposition 2, the limit: the costs with and without bias agree.

Statement
    For :math:`A \ge 0` with :math:`1 \notin \mathrm{Im}\,A^T`,
    :math:`\|A\|_{\bar K + \gamma I}^2 - \mathrm{Tr}[A(K + \gamma I)^{-1}A^T] \to 0` as :math:`\gamma \to 0`.
Correction
    The print bounds the difference by :math:`1^TR1/(1 + 1^TR1)` with :math:`R = (\bar K + \gamma I)^{-1}`, and lets that go to
    0. It goes to 1, for :math:`1^TR1 \ge d^2/\gamma` with the distance d of 1 from :math:`\mathrm{Im}\,A^T`. The equality of
    the costs that is drawn from it is true.
Checked
    With :math:`s = 1^T\bar K^+1`,

    .. math:: \|A\|_{\bar K + \gamma I}^2 - \|A\|_{K + \gamma I}^2
              = \frac{1^TR\bar KR1}{1 + 1^TR1} \le \frac{\gamma s}{d^2} ,

    The printed quotient grows as :math:`\gamma` falls, so that its limit is not below its value at any :math:`\gamma`: that
    this value is at most 0 is refuted (``.printed``).
Proof idea
    Sherman and Morrison; the numerator is at most s, and the denominator at least :math:`d^2/\gamma`.
Tight
    One neuron, active for one of two points, as :math:`\gamma \to 0`.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof; the rate is derived here.
"""

from dataclasses import replace

from theorems.leaky_resnets.constructions.representations import NONNEGATIVE_PRODUCTS, NOT_NEGATIVE, has_constants
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, derived, interval
from verify.networks.leaky_resnet import stable_cost_of_identity
from verify.words import eq, eye, inverse, le, lifted, norm2, ones, pinv, relu

stable_cost = lifted(stable_cost_of_identity)


def image_of_ones(A, gamma):
    """R1."""
    return inverse(relu(A).T @ relu(A) + gamma * eye(A.shape[1])).sum(axis=1)


def lost_by_bias(A, gamma):
    r""":math:`1^TR\bar KR1`."""
    return norm2(relu(A) @ image_of_ones(A, gamma))


def rate(A, gamma):
    r""":math:`\gamma s/d^2`."""
    one = ones(A.shape[1])
    w = one @ pinv(A)
    return gamma * norm2(w) / norm2(one - w @ A)


def difference_of_costs(A, gamma):
    quotient = lost_by_bias(A, gamma) / (1 + image_of_ones(A, gamma).sum())
    with_bias, without = stable_cost(A, gamma), stable_cost(A, gamma, bias=False)
    return eq(with_bias + quotient, without, name="difference") & le(quotient, rate(A, gamma), name="bound")


def printed_quotient(A, gamma):
    r""":math:`1^TR1/(1 + 1^TR1)`."""
    total = image_of_ones(A, gamma).sum()
    return total / (1 + total)


def printed_limit_is_zero(A, gamma):
    """The printed quotient against its printed limit, which is not below it: it grows as gamma falls."""
    return le(printed_quotient(A, gamma), 0)


# False variants


def printed_quotient_is_bounded(A, gamma):
    return le(printed_quotient(A, gamma), rate(A, gamma))


def difference_without_denominator(A, gamma):
    return eq(stable_cost(A, gamma, bias=False) - stable_cost(A, gamma), lost_by_bias(A, gamma))


def fourth_power(root):
    """Small numbers are drawn more often so."""
    return root**4


LIMIT_DOMAIN = Domain(
    {**NONNEGATIVE_PRODUCTS.variables, "gamma": derived(fourth_power, root=interval(1 / 16, 3 / 4, role="free"))},
    NONNEGATIVE_PRODUCTS.sizes,
    {**NONNEGATIVE_PRODUCTS.hypotheses, "the constants are no combination of the rows": lambda A: ~has_constants(A)},
)
PROOF = Source("leaky_resnets", "Proposition 6, proof")

LIMIT = Claim(
    id="leaky_resnets.prop_2.limit",
    title="Both stabilised costs agree in the limit",
    source=PROOF,
    status=DerivedHere(),
    statement=difference_of_costs,
    domain=LIMIT_DOMAIN,
    needs=(NOT_NEGATIVE,),
    tight={
        "one neuron": Tight(
            lambda: {"A": [[1, 0]], "gamma": "1/1000000000000"}, 1e-11, "approached as gamma goes to 0", of=("bound",)
        )
    },
    false_variants={
        "kernel in the numerator missing": printed_quotient_is_bounded,
        "without the denominator": difference_without_denominator,
    },
    cost=8,
)

PRINTED_LIMIT = Claim(
    id="leaky_resnets.prop_2.limit.printed",
    title="The limit of the printed bound is zero",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=LIMIT.id),
    statement=printed_limit_is_zero,
    domain=replace(LIMIT_DOMAIN, hypotheses={**LIMIT_DOMAIN.hypotheses, "A is not zero": lambda A: (A != 0).any()}),
    false_variants={},
)
