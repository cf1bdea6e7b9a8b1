r"""Attraction and repulsion are the derivatives of the two terms that depend on a hidden layer.

Statement
    .. math:: \partial_{Z_\ell}\|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 = 2 Z_\ell (K_{\ell-1}^\sigma)^+, \qquad
       \partial_{Z_\ell}\|Z_{\ell+1} (Z_\ell^\sigma)^+\|_F^2
       = -2\,\dot\sigma(Z_\ell) \odot [\sigma(Z_\ell) (K_\ell^\sigma)^+ K_{\ell+1} (K_\ell^\sigma)^+] ;

    the forces are these times :math:`-\lambda`.
Checked
    Both as expansions with all their higher terms, for steps of any size that take no entry across a kink, where
    :math:`Z_\ell^\sigma` has rank N before and after. With :math:`S = \dot\sigma(Z) \odot D` for the step D, and
    :math:`E = K'^\sigma - K^\sigma`, the second term changes by

    .. math:: \langle R, D \rangle - \mathrm{Tr}[K_{\ell+1} (K^\sigma)^{-1} S^TS (K^\sigma)^{-1}]
       + \mathrm{Tr}[K_{\ell+1} (K^\sigma)^{-1} E (K'^\sigma)^{-1} E (K^\sigma)^{-1}] ,

    of which all but the first is of second order. At the optimum of Proposition 14 for Y_4 the two cancel at all positive
    entries, though the rank is 3.
Proof idea
    :math:`K'^{-1} = K^{-1} - K^{-1}EK^{-1} + K^{-1}EK'^{-1}EK^{-1}`.
Not checked
    Representations of smaller rank, where the second term has a derivative only along changes that keep the rank.
Source
    feature_learning, Section 3.1, item 4. The remainder is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import LAYERS, Layer
from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from theorems.feature_learning.constructions.layers import gram, trace_of_product
from verify import Claim, Domain, Relation, Source, eq, interval
from verify.arithmetic import Array, absolute, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared, inverse, pseudo_inverse, rank


def step_of(layer: Layer, share: Array) -> Array:
    """A share of every entry."""
    return np.asarray(share * layer.values)


def forces_are_derivatives(layer: Layer, share: Array) -> Relation:
    """Both expansions."""
    step = step_of(layer, share)
    moved = layer.moved(step)
    (pulled, pushed), (pulled_there, pushed_there) = layer.costs(), moved.costs()
    second_order = frobenius_norm_squared(step @ pseudo_inverse(layer.before))
    attraction = pulled + trace_of_product(layer.attraction(), step) + second_order
    repulsion = pushed + trace_of_product(layer.repulsion(), step) + remainder(layer, moved, step)
    return eq(pulled_there, attraction, name="attraction") & eq(pushed_there, repulsion, name="repulsion")


def remainder(layer: Layer, moved: Layer, step: Array) -> Array:
    """What the change of the second term has of second and higher order."""
    before, after = gram(layer.seen()), gram(moved.seen())
    inverted = inverse(before)
    weight = inverted @ gram(layer.after) @ inverted
    change = after - before
    bent = layer.activation.derivative(layer.values) * step
    return np.asarray(trace_of_product(weight, change @ inverse(after) @ change) - trace_of_product(weight, gram(bent)))


def full_rank(layer: Layer, share: Array) -> Any:
    """Whether the activated layer has rank N, before and after."""
    moved = layer.moved(step_of(layer, share))
    points = layer.values.shape[-1]
    return (rank(layer.seen()) == points) & (rank(moved.seen()) == points)


def no_kink_is_crossed(layer: Layer, share: Array) -> Any:
    """Whether every entry stays on its piece of the activation."""
    here, there = layer.values, layer.values + step_of(layer, share)
    same = compare(here, 0) == compare(there, 0)
    inside = compare(absolute(here), 1) == compare(absolute(there), 1)
    homogeneous_one = np.asarray(layer.activation.is_homogeneous)[..., None, None]
    return (same & (inside | homogeneous_one)).all(axis=(-2, -1))


# False variants


def expansion(layer: Layer, share: Array, repulsion: Array) -> Relation:
    """The second expansion with another first term."""
    step = step_of(layer, share)
    moved = layer.moved(step)
    change = trace_of_product(repulsion, step) + remainder(layer, moved, step)
    return eq(moved.costs()[1], layer.costs()[1] + change)


def without_the_slope(layer: Layer, share: Array) -> Relation:
    """The slope of the activation is forgotten."""
    inverted = inverse(gram(layer.seen()))
    return expansion(layer, share, -2 * layer.activation(layer.values) @ inverted @ gram(layer.after) @ inverted)


def one_inverse(layer: Layer, share: Array) -> Relation:
    """The repulsion with one inverse in place of two."""
    slopes = layer.activation.derivative(layer.values)
    pushed = layer.activation(layer.values) @ inverse(gram(layer.seen())) @ gram(layer.after)
    return expansion(layer, share, -2 * slopes * pushed)


def attracted_by_both(layer: Layer, share: Array) -> Relation:
    """The second term attracts as well."""
    return expansion(layer, share, -layer.repulsion())


# Exact parts


def balance_for_mantel() -> Relation:
    """X = I, Y = Y_4 and the rows of its edges: A + R = 0 at the positive entries; at the zeros R = 0 on both sides."""
    outputs, rows = rationals(mantel_matrix(4)), edge_rows(4)
    unit = like(np.eye(4, dtype=np.int64), rows)
    layer = Layer(unit, rows, outputs, homogeneous(rationals([1, 0])), rationals(0))
    forces = np.where(compare(rows, 0) > 0, layer.attraction() + layer.repulsion(), 0 * rows)
    return eq(forces, 0 * rows, over=2) & eq(layer.attraction(), 2 * rows, over=2)


CLAIM = Claim(
    id="feature_learning.forces",
    title="Attraction and repulsion are derivatives",
    source=Source("feature_learning", "Section 3.1, item 4"),
    statement=forces_are_derivatives,
    domain=Domain(
        {"layer": LAYERS, "share": interval(-1, 1, "width", "points")},
        {"inputs": (1, 3), "width": (1, 2, 4), "outputs": (1, 2), "points": (1, 2, 3)},
        {"the layer has rank N": full_rank, "no entry crosses a kink": no_kink_is_crossed},
        sizes_where=lambda sizes: sizes["points"] <= sizes["width"] + 1,
    ),
    needs=("no entry crosses a kink",),
    false_neighbours={
        "without the slope": without_the_slope,
        "one inverse": one_inverse,
        "attraction by both": attracted_by_both,
    },
    exact={"they cancel at the optimum for Y_4": balance_for_mantel},
)
