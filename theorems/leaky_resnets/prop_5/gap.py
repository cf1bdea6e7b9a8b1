r"""Proposition 5, the gap: how much a negative entry saves.

Statement
    If the smallest entry m of :math:`A_{\cdot i}` is negative, then

    .. math:: \|A_{\cdot i}\|^2 \ge \|\bar\sigma(A_{\cdot i})\|^2 + m^2 .

    At a column without a negative entry, at rest and without bias, the squared norm of the weights of ``construction`` grows by
    :math:`\varepsilon^4 t^4 \|A_{\cdot i}\|^4` for L = 1: it has no term in :math:`\varepsilon^2`.
Correction
    The print keeps the entry 1 of :math:`\sigma(A_{\cdot i})`, with which a negative entry does not give
    :math:`\|A_{\cdot i}\|^2 > \|\sigma(A_{\cdot i})\|^2`: the negative part has to have a norm above 1 (``.printed_gap``).
Checked
    Both, and the print.
Tight
    Columns whose negative part is a single entry.
Source
    leaky_resnets, Proposition 9 of the appendix, proof.
"""

from theorems.leaky_resnets.constructions.representations import sigma
from theorems.leaky_resnets.constructions.wider_weights import POINT, widened_weights
from theorems.leaky_resnets.prop_5.construction import HELD, SIZES, SOURCE, weights_at_rest
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, interval, reals
from verify.words import eq, ge, least, norm2, relu


def gap(A):
    x = A[:, POINT]
    return ge(norm2(x), norm2(relu(x)) + least(x) ** 2)


def gap_as_printed(A):
    r"""With the entry 1 of :math:`\sigma(A_{\cdot i})`."""
    return ge(norm2(A[:, POINT]), norm2(sigma(A)[:, POINT]))


def no_leading_term(A, epsilon, t, fourth=1):
    W = weights_at_rest(A)
    stated = norm2(W) + fourth * (epsilon * t) ** 4 * norm2(A[:, POINT]) ** 2
    return eq(norm2(widened_weights(A, W, 1, epsilon, t)), stated)


def has_negative_entry(A):
    return (A[:, POINT] < 0).any()


NEGATIVE_ENTRY = "an entry of the column is negative"

NONNEGATIVE_COLUMN = "no entry of the column is negative"

GAP_DOMAIN = Domain({"A": reals("width", "points", role="values")}, SIZES, {NEGATIVE_ENTRY: has_negative_entry})

GAP = Claim(
    id="leaky_resnets.prop_5.gap",
    title="A negative entry makes a column longer than its ReLU",
    source=SOURCE,
    status=DerivedHere(),
    statement=gap,
    domain=GAP_DOMAIN,
    needs=(NEGATIVE_ENTRY,),
    tight={
        "a single negative entry": {"A": [[-1, 2], [3, -1]]},
        "a single negative entry, of 1/2": {"A": [["-1/2", 0], [0, 5]]},
    },
    false_variants={"than its ReLU with the entry 1, as printed": gap_as_printed},
)

NOTHING_NEGATIVE = Claim(
    id="leaky_resnets.prop_5.nonnegative",
    title="At a non-negative column another neuron has no effect of leading order",
    source=SOURCE,
    status=DerivedHere(),
    statement=no_leading_term,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "epsilon": interval(1 / 16, 1, role="free"),
            "t": interval(0, 1, role="free"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
        {**HELD, NONNEGATIVE_COLUMN: lambda A: ~has_negative_entry(A)},
    ),
    needs=(*HELD, NONNEGATIVE_COLUMN),
    false_variants={"nothing at all": {"fourth": 0}},
    cost=4,
)

PRINTED_GAP = Claim(
    id="leaky_resnets.prop_5.printed_gap",
    title="A negative entry makes a column longer than its ReLU with the entry 1",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=GAP.id),
    statement=gap_as_printed,
    domain=GAP_DOMAIN,
    false_variants={},
)
