r"""Proposition 2, expansion: the cost of identity with one more neuron.

Statement
    For a neuron z in :math:`\mathrm{Im}\,\sigma(A)^T`, with :math:`P = K^+` and :math:`v = \bar\sigma(z)`,

    .. math:: \|(A; \epsilon z)\|_K^2 = \|A\|_K^2 + \epsilon^2 (z^TPz - \|v^TPA^T\|^2) + O(\epsilon^4) .
Correction
    v must be in :math:`\mathrm{Im}\,\sigma(A)^T`, too. Where it is not, the cost is exactly
    :math:`\|A\|_K^2 + \epsilon^2z^TPz`, so that the printed expansion is off by :math:`\epsilon^2\|v^TPA^T\|^2`, whatever the
    constant of the remainder is.
Checked
    For z and v in :math:`\mathrm{Im}\,\sigma(A)^T` and every :math:`\epsilon`, the closed form (derived here)

    .. math:: \|(A; \epsilon z)\|_K^2 = \|A\|_K^2 + \epsilon^2\Bigl(z^TPz
              - \frac{\epsilon^2 (z^TPv)^2 + \|APv\|^2}{1 + \epsilon^2 v^TPv}\Bigr) ,

    and the remainder, at most :math:`\epsilon^4((z^TPv)^2 + v^TPv\|APv\|^2)`; the printed form is refuted with this
    constant. For v outside, the exact cost.

    For v inside, the closed form does not need that the cost is finite, nor that z is given by the features: it is one of the
    bare :math:`\|A\sigma(A)^+\|_F^2`.
Proof idea
    One more row :math:`\epsilon v` of features: Sherman and Morrison.
Tight
    The remainder, as :math:`\epsilon \to 0`: for a constant neuron that gains nothing, and for one orthogonal to its ReLU.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from theorems.leaky_resnets.constructions.representations import (
    SHAPES,
    cost,
    in_row_space,
    inverse_kernel,
    is_finite,
    representation,
    sigma,
)
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, concatenate, eq, ge, le, norm2, relu, where


def with_neuron(A, z, epsilon):
    r""":math:`(A; \epsilon z)`."""
    return concatenate([A, epsilon * z[None, :]])


def closed_form(pair, epsilon, mixed=1):
    A, z = pair
    P, v = inverse_kernel(A), relu(z)
    saved = (mixed * epsilon**2 * (z @ P @ v) ** 2 + norm2(A @ P @ v)) / (1 + epsilon**2 * (v @ P @ v))
    return eq(cost(with_neuron(A, z, epsilon)) + epsilon**2 * saved, cost(A) + epsilon**2 * (z @ P @ z), name="closed form")


def expansion_to_fourth_order(pair, epsilon):
    """The printed expansion, with the constant that the closed form gives for the remainder."""
    A, z = pair
    P, v = inverse_kernel(A), relu(z)
    remainder = epsilon**4 * ((z @ P @ v) ** 2 + (v @ P @ v) * norm2(A @ P @ v))
    found = cost(with_neuron(A, z, epsilon)) + epsilon**2 * norm2(A @ P @ v)
    stated = cost(A) + epsilon**2 * (z @ P @ z)
    return le(found, stated + remainder, name="from above") & ge(found + remainder, stated, name="from below")


def expansion(pair, epsilon):
    return closed_form(pair, epsilon) & expansion_to_fourth_order(pair, epsilon)


def expansion_outside(pair, epsilon, own=1, gain=0):
    A, z = pair
    P, v = inverse_kernel(A), relu(z)
    return eq(cost(with_neuron(A, z, epsilon)), cost(A) + epsilon**2 * (own * (z @ P @ z) - gain * norm2(A @ P @ v)))


# False variants


def closed_form_without_mixed_term(pair, epsilon):
    """As if z and v were orthogonal."""
    return closed_form(pair, epsilon, mixed=0)


def expansion_without_gain(pair, epsilon):
    """As if the new neuron were no use for the others: true outside."""
    return expansion_outside(pair, epsilon)


# What is drawn


def beside(A, free, coefficients, kind):
    """A neuron of kind 0 is any row; one of kind 1 is a combination of the features of mean 0, one of kind 2 a positive one."""
    mixed = coefficients @ sigma(A)
    combination = where(kind == 1, mixed - mixed.mean(), absolute(coefficients) @ sigma(A))
    return A, where(kind == 0, free, combination)


def neuron_fits(pair):
    A, z = pair
    return in_row_space(z[None, :], sigma(A))


def image_fits(pair):
    A, z = pair
    return in_row_space(relu(z)[None, :], sigma(A))


def constant_neuron():
    """One neuron, active for one of two points, and a small constant one: no weight of the first uses it."""
    return {"pair": (rationals([[1, 0]]), rationals([1, 1])), "epsilon": "1/64"}


def orthogonal_parts():
    """A neuron that is orthogonal to its ReLU, for the kernel of two positive neurons."""
    return {"pair": (rationals([[1, 2, 1], [1, 4, 2]]), rationals([2, -5, 0]) / 16), "epsilon": "1/64"}


def drawn(first):
    """A representation with a new neuron, of this family and kind or later ones, and a step."""
    one_more = lambda sizes: sizes["width"] + 1  # noqa: E731
    A = derived(
        representation,
        rows=reals("width", "points"),
        mix=reals("width", one_more),
        family=integers(first, 2),
        origin=integers(0, 2),
    )
    pair = derived(beside, A=A, free=reals("points"), coefficients=reals(one_more), kind=integers(first, 2))
    return {"pair": pair, "epsilon": interval(0, 1)}


BEFORE = {"the cost is finite": lambda pair: is_finite(pair[0]), "the features give the neuron": neuron_fits}
INSIDE = "the features give the ReLU of the neuron"
OUTSIDE_IMAGE = "the features do not give the ReLU of the neuron"
OURS = Source("leaky_resnets", "derived here")

EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion",
    title="The cost of identity with a new neuron is a closed form",
    source=OURS,
    status=DerivedHere(),
    statement=expansion,
    domain=Domain(drawn(0), SHAPES, {**BEFORE, INSIDE: image_fits}),
    needs=(INSIDE,),
    tight={
        "constant neuron": Tight(constant_neuron, 1e-7, "approached as the step goes to 0", of=("from below",)),
        "orthogonal parts": Tight(orthogonal_parts, 1e-7, "approached as the step goes to 0", of=("from above",)),
    },
    false_variants={
        "without the mixed term": closed_form_without_mixed_term,
        "without the gain": expansion_without_gain,
    },
    cost=8,
)

PRINTED_EXPANSION = Claim(
    id="leaky_resnets.prop_2.expansion.printed",
    title="The cost expands in a new neuron wherever its ReLU lies",
    source=Source("leaky_resnets", "Proposition 6, proof"),
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=expansion_to_fourth_order,
    domain=Domain(drawn(0), SHAPES, BEFORE),
    false_variants={},
)

OUTSIDE = Claim(
    id="leaky_resnets.prop_2.expansion_outside",
    title="A new neuron whose ReLU is not given by the features only costs",
    source=OURS,
    status=DerivedHere(),
    statement=expansion_outside,
    domain=Domain(
        drawn(1), {"width": range(1, 3), "points": range(3, 6)}, {**BEFORE, OUTSIDE_IMAGE: lambda pair: ~image_fits(pair)}
    ),
    needs=("the cost is finite", OUTSIDE_IMAGE),
    false_variants={"the gain of the print": {"gain": 1}, "for nothing": {"own": 0}},
    cost=6,
)
