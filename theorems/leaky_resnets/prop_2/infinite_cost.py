r"""Proposition 2 as printed: where the cost is infinite, negative representations are stable minima.

Statement
    All stable local minima of the cost of identity are non-negative.
Correction
    As printed, with the convention that the cost is infinite where no weights keep A, a point around which it is infinite is a
    local minimum in the words of the proposition. With minima of finite cost, which are surely meant, it is true: only the
    value :math:`+\infty` is at stake, see ``descent``.
Checked
    If all activations are negative, the features with one more neuron lack at least rank (A; 1) - 2 dimensions to give A. From
    rank (A; 1) = 3 on the cost of (A; z) is infinite for every z, and this stays so nearby: A is a stable minimum, and
    negative. The printed statement is refuted on such A, and on the finite minima of ``minima``, of which none is negative.
Sharp
    Two negative neurons, one of which the new one gives up to a constant.
Source
    leaky_resnets, Proposition 2; the examples are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import ones_like_row, with_rows, zeros_like_rows
from theorems.leaky_resnets.prop_2.minima import features_are_complete, inverse_with_neurons, is_positive, off_diagonal
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Sizes, Source, Tight, derived, ge, integers, interval, reals
from verify.arithmetic import Array, compare, rationals, smallest
from verify.matrices import rank
from verify.networks.leaky_resnet import feature_matrix


def missing_beside_neuron(A: Array, neuron: Array) -> Relation:
    """The dimensions that the features of A, all of it negative, and of one neuron more lack to give A."""
    whole = with_rows(A, neuron[..., None, :])
    F = feature_matrix(whole)
    return ge(rank(with_rows(F, whole)) - rank(F), rank(with_rows(A, ones_like_row(A))) - 2)


def smallest_entry_is_not_negative(A: Array) -> Relation:
    """Proposition 2 as printed."""
    return ge(smallest(A.reshape(*A.shape[:-2], -1)), 0)


# False variants


def new_neuron_is_no_use(A: Array, neuron: Array) -> Relation:
    """As many dimensions as without the new neuron."""
    whole = with_rows(A, neuron[..., None, :])
    F = feature_matrix(whole)
    return ge(rank(with_rows(F, whole)) - rank(F), rank(with_rows(A, ones_like_row(A))) - 1)


def is_negative(A: Array) -> Array:
    """Whether all activations are negative."""
    return is_positive(-A)


def is_stable_minimum(A: Array) -> Array:
    """Whether one of two conditions shows that A is a stable local minimum, of finite cost or of infinite cost."""
    infinite = is_negative(A) & np.asarray(rank(with_rows(A, ones_like_row(A))) >= 3)
    finite = np.array(is_positive(A) & features_are_complete(A))
    inverse = inverse_with_neurons(A[finite], zeros_like_rows(A, 1)[finite])
    finite[finite] = (compare(off_diagonal(inverse), 0) < 0).all(axis=-1)
    return np.asarray(infinite | finite)


def signed(magnitudes: Array, sign: Array) -> Array:
    """A matrix with the given absolute values, negative where `sign` is 0."""
    return np.where(compare(sign, 0)[..., None, None] == 0, -magnitudes, magnitudes)


def one_neuron_helps() -> dict[str, Any]:
    """Two negative neurons; the new one is, up to a constant, one of them."""
    return {"A": rationals([[[-1, -1, -2], [-1, -2, -1]]]), "neuron": rationals([[1, 1, 0]])}


def _points(sizes: Sizes) -> int:
    return sizes["width"] + 1


NEGATIVE = "activations are negative"

INFINITE = Claim(
    id="leaky_resnets.prop_2.infinite",
    title="Where no new neuron makes the cost of identity finite",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=missing_beside_neuron,
    domain=Domain(
        {
            "A": derived(signed, magnitudes=interval(0, np.inf, "width", "points"), sign=integers(0, 1), role="values"),
            "neuron": reals("points", role="values of a neuron"),
        },
        {"width": range(1, 4), "points": range(2, 6)},
        {NEGATIVE: is_negative},
    ),
    needs=(NEGATIVE,),
    tight={"one neuron helps": Tight(one_neuron_helps)},
    false_variants={"the new neuron is no use": new_neuron_is_no_use},
)

PRINTED = Claim(
    id="leaky_resnets.prop_2.printed",
    title="Stable minima are not negative, also where the cost is infinite",
    source=Source("leaky_resnets", "Proposition 2"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_2"),
    statement=smallest_entry_is_not_negative,
    domain=Domain(
        {"A": derived(signed, magnitudes=interval(0, np.inf, "width", _points), sign=integers(0, 1), role="values")},
        {"width": range(2, 4)},
        {"a stable local minimum": is_stable_minimum},
    ),
    false_variants={},
)
