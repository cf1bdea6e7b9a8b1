r"""Proposition 2: the appended neurons are columns of the kernel.

Statement
    For :math:`z = \bar K_{\cdot i}`, :math:`P = K^+`, :math:`z^TPz = \|\sigma(A_{\cdot i})\|^2 - 2 + 1^TP1` and
    :math:`APz = A_{\cdot i} - AP1`. If no such neuron lowers the cost to second order, and AP1 = 0, then

    .. math:: \|\sigma(A_{\cdot i})\|^2 \ge \|A_{\cdot i}\|^2 + 1 .
Correction
    The print has :math:`\|\sigma(A_{\cdot i})\|^2 - 1` on the left of the last line. No representation satisfies that: the
    other inequality always holds, and both sides are equal only if no entry of the point is negative.
Checked
    Both scalar products, for all pairs of points. The inequality, for points one of which is zero, so that AP1 = 0; for
    the printed form, too.
Proof idea
    :math:`Kz = K(K_{\cdot i} - 1)`, and :math:`AP K = A` where the cost is finite.
Tight
    Representations that are not negative.
Source
    leaky_resnets, Proposition 6 (Proposition 2 of the main text), proof.
"""

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    inverse_kernel,
    is_finite,
    sigma,
)
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source
from verify.words import eq, ge, nonnegative, norm2, ones, pinv, relu


def column_neurons(A, added=2, bias=1):
    r"""Of all columns of :math:`\bar K`, with each other and with A; b = AP1."""
    P, Kbar, one = inverse_kernel(A), relu(A).T @ relu(A), ones(A.shape[1])
    return eq(Kbar @ P @ Kbar + added, sigma(A).T @ sigma(A) + one @ P @ one, name="with each other") & eq(
        A @ P @ Kbar + bias * (A @ P @ one)[:, None], A, name="with A"
    )


def column_norms(A, less=0):
    return ge((sigma(A) ** 2).sum(axis=0) - less, (A**2).sum(axis=0) + 1)


def column_norms_as_printed(A):
    return column_norms(A, less=1)


ROUNDED = Q(1, 2**40)
"""Coefficients of relative size below this count as zero in floats: half of them would else be lost to rounding."""


def columns_do_not_help(A):
    S, Kbar = pinv(sigma(A)), relu(A).T @ relu(A)
    change = ((Kbar @ S) ** 2).sum(axis=1) - ((A @ S @ (Kbar @ S).T) ** 2).sum(axis=0)
    return nonnegative(change if A.dtype == object else change + ROUNDED * (1 + norm2(relu(A))))


FINITE = "the cost is finite"
NO_HELP = "no column neuron lowers the cost"
COLUMNS = Domain(
    {"A": REPRESENTATION},
    SHAPES,
    # the smallest weights have no bias where the first point is zero
    {FINITE: is_finite, "the first point is zero": lambda A: (A[:, 0] == 0).all(), NO_HELP: columns_do_not_help},
)
PROOF = Source("leaky_resnets", "Proposition 6, proof")

COLUMN = Claim(
    id="leaky_resnets.prop_2.column",
    title="The columns of the kernel as neurons",
    source=PROOF,
    statement=column_neurons,
    domain=Domain({"A": REPRESENTATION}, SHAPES, {FINITE: is_finite}),
    needs=(FINITE,),
    false_variants={"1 for 2": {"added": 1}, "without the bias": {"bias": 0}},
    cost=2,
)

COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms",
    title="Where no column neuron helps, no point loses norm in the activation",
    source=PROOF,
    status=DerivedHere(),
    statement=column_norms,
    domain=COLUMNS,
    needs=tuple(COLUMNS.hypotheses),
    tight={"not negative": {"A": [[0, 2, 1], [0, 0, 3]]}},
    false_variants={"one less, as printed": {"less": 1}},
    cost=2,
)

PRINTED_COLUMN_NORMS = Claim(
    id="leaky_resnets.prop_2.column_norms.printed",
    title="If no column neuron helps, the ReLU gains norm 1 at every point",
    source=PROOF,
    status=FalseAsPrinted(corrected_by=COLUMN_NORMS.id),
    statement=column_norms_as_printed,
    domain=COLUMNS,
    false_variants={},
)
