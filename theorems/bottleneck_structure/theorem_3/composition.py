r"""Theorem 3 (1): the first correction of a composition is at most the sum of both.

Statement
    If :math:`R^{(0)}(f \circ g) = R^{(0)}(f) = R^{(0)}(g)`, then :math:`R^{(1)}(f \circ g; \Omega) \le R^{(1)}(f; g(\Omega)) +
    R^{(1)}(g; \Omega)`. For linear maps, :math:`|AB|_+ \le |A|_+ |B|_+` if rank AB = rank A = rank B.
Correction
    The proof has :math:`R(f \circ g; L_1 + L_2) \le R(f; L_1) + R(g; L_2)`, which overlooks the activation between the two
    networks. For f = g = id on [-1, 1] and :math:`L_1 = L_2 = 1` the right side is 2, but a ReLU network of depth 2 that is the
    identity there costs at least :math:`2\sqrt2` (notion_of_rank, ``theorem_1.interval``). The appendix has the domain
    :math:`\Omega` for f, too.

    It is true where a linear isometry O makes :math:`O g(\Omega)` non-negative: with :math:`O W^g_{L_2}, O b^g_{L_2}` and
    :math:`W^f_1 O^T` the networks join without extra cost. In general :math:`y = (\sigma(y) - \sigma(-y))/(1 + a)` joins them
    for

    .. math:: \|\theta_f\|^2 + \|\theta_g\|^2 + \Bigl(\frac2{(1 + a)^2} - 1\Bigr)\|W^f_1\|^2 + \|W^g_{L_2}\|^2
              + \|b^g_{L_2}\|^2 .
Checked
    Linear maps, with squared volumes, which are rational; value and norm of both joined networks; the printed step for
    multiples of the identity. The join without an activation is ``finite_depth_axioms`` in notion_of_rank.
Proof idea
    On :math:`\mathrm{Im}\, B`, which A maps injectively, A enlarges volumes by the cosines of the angles to
    :math:`(\ker A)^\perp` times :math:`|A|_+`.
Sharp
    :math:`\mathrm{Im}\, B = (\ker A)^\perp`.
Not checked
    The inequality of :math:`R^{(1)}` for functions: neither side can be computed.
Source
    bottleneck_structure, Theorem 3 (1); the repaired finite forms are ours.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.bottleneck_structure.theorem_6.chain import squared_volume
from theorems.notion_of_rank.constructions.arrays import squares, transpose
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Ours,
    Relation,
    Source,
    Tight,
    derived,
    eq,
    interval,
    le,
    reals,
    slopes,
)
from verify.arithmetic import Array, compare, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, compose

Isometry = tuple[Parts, Array]
"""Two networks, and a matrix with orthonormal columns."""


def volumes_multiply(A: Array, B: Array) -> Relation:
    """The squared volume of the product against those of the factors."""
    return le(squared_volume(A @ B), squared_volume(A) * squared_volume(B))


def same_ranks(A: Array, B: Array) -> Array:
    """Whether A, B and AB have the same rank."""
    product = rank(A @ B)
    return np.asarray((rank(A) == product) & (rank(B) == product))


def through_an_isometry(joint: Isometry, x: Array) -> Relation:
    """Value and norm of the networks, joined by an isometry that makes the values between them non-negative."""
    (inner, outer), frame = joint
    network = joined_by(joint)
    value = eq(network(x), outer(inner(x)), name="value", over=1)
    norms = inner.parameter_norm_squared + outer.parameter_norm_squared + 0 * frame[..., 0, 0]
    return value & eq(network.parameter_norm_squared, norms, name="norm")


def joined_by(joint: Isometry) -> FullyConnected:
    """The network of depth L1 + L2: O after the last layer of g, its transpose before the first one of f."""
    (inner, outer), frame = joint
    last, bias = frame @ inner.weights[-1], (frame @ inner.biases[-1][..., None])[..., 0]
    before = FullyConnected([*inner.weights[:-1], last], [*inner.biases[:-1], bias], inner.activation)
    first = outer.weights[0] @ transpose(frame)
    behind = FullyConnected([first, *outer.weights[1:]], outer.biases, outer.activation)
    return compose(behind, before, merge=False)


def is_not_negative(joint: Isometry, x: Array) -> Array:
    """Whether the isometry makes the value of g non-negative."""
    (inner, _), frame = joint
    return np.asarray((compare((frame @ inner(x)[..., None])[..., 0], 0) >= 0).all(axis=-1))


def doubled(parts: Parts, x: Array) -> Relation:
    """Value and norm of the networks, joined through twice the neurons."""
    inner, outer = parts
    network, factor = joined_twice(parts), 1 + outer.activation.negative
    value = eq(network(x), outer(inner(x)), name="value", over=1)
    entry = squares(outer.weights[0], (-2, -1)) * (2 / factor**2 - 1)
    extra = entry + squares(inner.weights[-1], (-2, -1)) + squares(inner.biases[-1])
    norms = inner.parameter_norm_squared + outer.parameter_norm_squared + extra
    return value & eq(network.parameter_norm_squared, norms, name="norm")


def joined_twice(parts: Parts) -> FullyConnected:
    """The network of depth L1 + L2 that keeps the positive and the negative parts of the values of g."""
    inner, outer = parts
    last, bias, entry = (
        inner.weights[-1],
        inner.biases[-1],
        outer.weights[0] / np.asarray(1 + outer.activation.negative)[..., None, None],
    )
    weights = [*inner.weights[:-1], np.concatenate([last, -last], axis=-2), np.concatenate([entry, -entry], axis=-1)]
    biases = [*inner.biases[:-1], np.concatenate([bias, -bias], axis=-1), *outer.biases]
    return FullyConnected([*weights, *outer.weights[1:]], biases, outer.activation)


def printed_step(first: Array, second: Array) -> Relation:
    r"""The squared costs of :math:`f(x) = ax` and :math:`g(x) = bx` on an interval, of depth 1, and of abx of depth 2.

    The least cost of cx at depth 2 is :math:`2\sqrt2 |c|`, by homogeneity.
    """
    return le(8 * (first * second) ** 2, (first**2 + second**2) ** 2)


# False variants


def volumes_multiply_at_least(A: Array, B: Array) -> Relation:
    """The opposite inequality."""
    return le(squared_volume(A) * squared_volume(B), squared_volume(A @ B))


def the_larger_volume(A: Array, B: Array) -> Relation:
    """The square of the volume of A alone."""
    return le(squared_volume(A @ B), squared_volume(A) ** 2)


def without_the_transpose(joint: Isometry, x: Array) -> Relation:
    """The first layer of f as it is, on the first coordinates."""
    (inner, outer), frame = joint
    network = joined_by(((inner, outer), frame))
    entry = 0 * network.weights[inner.depth]
    entry[..., : outer.widths[0]] = outer.weights[0]
    weights = [*network.weights[: inner.depth], entry, *network.weights[inner.depth + 1 :]]
    return eq(FullyConnected(weights, network.biases, network.activation)(x), outer(inner(x)), over=1)


def norm_of_one_part(joint: Isometry, x: Array) -> Relation:
    """The norm without the biases of g."""
    (inner, outer), frame = joint
    norms = inner.weight_norm_squared + outer.parameter_norm_squared + 0 * frame[..., 0, 0] * x[..., 0]
    return eq(joined_by(joint).parameter_norm_squared, norms)


def norms_add(parts: Parts, x: Array) -> Relation:
    """The norm of the doubled join as the sum of both."""
    inner, outer = parts
    norms = inner.parameter_norm_squared + outer.parameter_norm_squared + 0 * x[..., 0]
    return eq(joined_twice(parts).parameter_norm_squared, norms)


def positive_part_only(parts: Parts, x: Array) -> Relation:
    """The join without an isometry or twice the neurons."""
    inner, outer = parts
    return eq(compose(outer, inner, merge=False)(x), outer(inner(x)), over=1)


def aligned() -> dict[str, Any]:
    """The image of B is the row space of A, of rank 2."""
    A = rationals([[1, 2, 2], [0, 3, -3], [1, 5, -1]])
    return {"A": A, "B": rationals([[1, 0], [2, 3], [2, -3]]) @ rationals([[2, 1], [1, 1]])}


def rank_one_aligned() -> dict[str, Any]:
    """The same for rank 1."""
    return {"A": rationals([[1, 2], [2, 4]]), "B": rationals([[3], [6]])}


LENGTHS = {"inner_depth": (1, 2, 4), "outer_depth": (1, 3), "inputs": (1, 2), "width": (2,), "outputs": (2,), "middle": (1, 2)}
CHAIN = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="middle", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="middle", slope=0, role="second part"),
    slope=slopes(Fraction(-3, 4), 1, role="slope"),
)


def pair(parts: Parts, mirrors: Array) -> Isometry:
    """Two networks, and a frame."""
    return parts, reflected_frame(mirrors)


NOT_NEGATIVE = {"the isometry makes g(x) non-negative": is_not_negative}
SAME = {"A, B and AB have the same rank": same_ranks}
SOURCE = Source("bottleneck_structure", "Theorem 3 (1)")
OURS = Source("bottleneck_structure", "ours")

CLAIM = Claim(
    id="bottleneck_structure.theorem_3.composition",
    title="The volume of a product of one rank is at most the product of the volumes",
    source=SOURCE,
    statement=volumes_multiply,
    domain=Domain(
        {
            "A": reals("rows", "common", role="Jacobian from the layer"),
            "B": reals("common", "columns", role="Jacobian to the layer"),
        },
        {"rows": (1, 2, 3), "common": (1, 2, 3, 4), "columns": (1, 2, 3)},
        SAME,
    ),
    needs=tuple(SAME),
    tight={"rank 2": Tight(aligned), "rank 1": Tight(rank_one_aligned)},
    false_variants={"at least": volumes_multiply_at_least, "the volume of A alone": the_larger_volume},
)

ISOMETRY = Claim(
    id="bottleneck_structure.theorem_3.composition.isometry",
    title="An isometry into the non-negative vectors joins two networks at no cost",
    source=OURS,
    status=Ours(),
    statement=through_an_isometry,
    domain=Domain(
        {"joint": derived(pair, parts=CHAIN, mirrors=reals("middle", "embedded")), "x": reals("inputs")},
        {**LENGTHS, "embedded": (1, 2, 3)},
        NOT_NEGATIVE,
        lambda sizes: sizes["middle"] <= sizes["embedded"],
    ),
    needs=tuple(NOT_NEGATIVE),
    cost=3,
    false_variants={"without the transpose": without_the_transpose, "without the biases of g": norm_of_one_part},
)

DOUBLED = Claim(
    id="bottleneck_structure.theorem_3.composition.doubled",
    title="Twice the neurons join any two networks",
    source=OURS,
    status=Ours(),
    statement=doubled,
    domain=Domain({"parts": CHAIN, "x": reals("inputs", role="point")}, LENGTHS),
    false_variants={"the norms add": norms_add, "the positive part only": positive_part_only},
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.composition.printed",
    title="The costs of two functions bound that of their composition",
    source=Source("bottleneck_structure", "Theorem 11 (1), proof"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_3.composition.isometry"),
    statement=printed_step,
    domain=Domain({"first": interval(0, 4), "second": interval(0, 4)}),
    false_variants={},
)
