r"""Proposition 2, scaling: shrinking never raises the cost of identity.

Statement
    With :math:`P = K^+`, at a local minimum

    .. math:: \tfrac d{ds}\|sA\|_{K(sA)}^2\Big|_{s=1} = 2\mathrm{Tr}[A^TAP] - 2\mathrm{Tr}[A^TAP\bar KP] = 2\|AP1\|^2 = 0 .
Checked
    The derivative, at every A of finite cost. For every s > 0, with :math:`b = AP1`, :math:`c = 1^TP1` and
    :math:`h = s^{-2} - 1`, the cost of sA is that of A less :math:`h\|b\|^2/(1 + hc)`. So b = 0 at a local minimum, and then sA
    costs the same for every s: no local minimum but zero is strict (the text speaks of strict minima, see ``prop_3``).
    Neither needs that the cost is finite: they hold for the bare :math:`\|A\sigma(A)^+\|_F^2`.
Proof idea
    :math:`\sigma(sA)` is :math:`\sigma(A)` with another row of ones: Sherman and Morrison.
Tight
    A negative entry and a point at the origin: all multiples cost the same.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof; the cost of sA is derived here.
"""

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    cost,
    inverse_kernel,
    is_finite,
)
from verify import Claim, DerivedHere, Domain, Source, interval
from verify.words import eq, ge, le, norm2, ones, relu, trace


def scaling(A, s):
    r"""The cost of sA, and the derivative in s: :math:`2\|b\|^2` and :math:`2\mathrm{Tr}[A^TAP\bar KP]`."""
    P, one, h = inverse_kernel(A), ones(A.shape[1]), 1 / s**2 - 1
    b, c, AP = A @ P @ one, one @ P @ one, A @ P
    return eq(cost(s * A) + h * norm2(b) / (1 + h * c), cost(A), name="cost") & eq(
        2 * cost(A), 2 * norm2(b) + 2 * trace(AP @ relu(A).T @ relu(A) @ AP.T), name="derivative"
    )


def shrinking_never_costs(A, s, power=0):
    return le(cost(s * A), s**power * cost(A))


# False variants


def scaling_without_denominator(A, s):
    """As if c were 0."""
    b = A @ inverse_kernel(A) @ ones(A.shape[1])
    return eq(cost(s * A), cost(A) - (1 / s**2 - 1) * norm2(b))


def scaling_with_saturated_ones(A, s):
    """As if c were 1."""
    b = A @ inverse_kernel(A) @ ones(A.shape[1])
    return eq(cost(s * A), cost(A) - (1 - s**2) * norm2(b))


def shrinking_never_saves(A, s):
    return ge(cost(s * A), cost(A))


FINITE = {"the cost is finite": is_finite}

SCALING = Claim(
    id="leaky_resnets.prop_2.scaling",
    title="Where A shrinks, its cost falls by twice the squared bias",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    statement=scaling,
    domain=Domain({"A": REPRESENTATION, "s": interval(1 / 4, 4, role="free")}, SHAPES, FINITE),
    false_variants={"no denominator": scaling_without_denominator, "c = 1": scaling_with_saturated_ones},
    cost=2,
)

NOT_STRICT = Claim(
    id="leaky_resnets.prop_2.not_strict",
    title="Shrinking never costs: no minimum of the cost but zero is strict",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=shrinking_never_costs,
    domain=Domain({"A": REPRESENTATION, "s": interval(1 / 4, 1, role="free")}, SHAPES, FINITE),
    # a point at the origin: the smallest weights have no bias, and all multiples cost the same
    tight={"negative entry, no bias": {"A": [[1, "-1/2", 0], ["3/10", 1, 0]], "s": "1/2"}},
    false_variants={"as the square of the scale": {"power": 2}, "shrinking never saves": shrinking_never_saves},
    cost=4,
)
