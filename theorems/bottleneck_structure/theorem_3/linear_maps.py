r"""Theorem 3 (3): on a completely positive domain a linear map costs its rank and its volume.

Statement
    If :math:`O_{in}^T O_{in}` is the projection P to :math:`(\ker A)^\perp`, :math:`O_{out}^T O_{out}` that to the image of A,
    and :math:`O_{in} x \ge 0`, :math:`O_{out} A x \ge 0` on :math:`\Omega`, then :math:`R^{(1)}(x \mapsto Ax; \Omega) =
    2\log|A|_+`. With :math:`B_0 = I`, :math:`B_\ell = (\sqrt{1 - \ell/L}\, O_{in};\; \sqrt{\ell/L}\, O_{out} A)`,
    :math:`B_L = A`, the network :math:`W_\ell = B_\ell B_{\ell-1}^+` is A on :math:`\Omega` and costs

    .. math:: \sum_i c(s_i^2), \qquad
              c(q) = \sum_{\ell=1}^L \frac{1 - t_\ell + t_\ell q}{1 - t_{\ell-1} + t_{\ell-1} q}, \quad t_\ell = \ell/L .
Correction
    The print has :math:`K_p = p K_{in} + (1 - p) K_{out}` with p growing along the layers, from A to the identity, and the
    identity for :math:`B_L`. As printed, "k dimensional" may mean the span. So read it is false (``.printed``): on the legs
    :math:`\{(s, 0)\} \cup \{(0, s)\}`, :math:`0 \le s \le 1`, which span the plane and are non-negative, the identity has a
    network of norm L + 6. With the dimension of the domain itself at some point, which is surely meant and 1 for the legs, it
    is true.
Checked
    Value and norm of the network; on both sides, for q = s^2 > 1 and with the sides exchanged for 1/q,

    .. math:: 0 \le c(q) - L - \log q - \frac{(q - 1)^2}{2Lq} \le \frac{(q - 1)^2 (1 - q^{-2})}{12 L^2} ;

    :math:`c(q) + c(1/q) = 2L + (q - 1)^2/(qL)`; and the network for the legs.
Proof idea
    :math:`B_\ell^T B_\ell = (1 - t)P + tA^TA` has the eigenvalues 1 - t + tq. The sum of the logarithms of the quotients is
    :math:`\log q`. The lower bound of the cost is ``lower_bound``.
Sharp
    Singular values 1; near 1 up to the order of :math:`1/L^3`, on both sides.
Source
    bottleneck_structure, Theorem 3 (3); the exact cost and its bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Ours,
    Relation,
    Source,
    Tight,
    derived,
    eq,
    ge,
    integers,
    interval,
    le,
    reals,
    slopes,
)
from verify.arithmetic import Array, compare, log, rationals, sqrt
from verify.networks import FullyConnected, leaky_relu

Linear = tuple[FullyConnected, Array, Array, Array]
"""A network; the matrix A; the squared singular values of A; the two isometries, one above the other."""


def places(depth: int) -> list[Fraction]:
    """All t_l."""
    return [Fraction(layer, depth) for layer in range(depth + 1)]


def between(t: Fraction, q: Array) -> Array:
    """The eigenvalue 1 - t + tq of the kernel at t, times the depth."""
    return np.asarray((t.denominator - t.numerator + t.numerator * q) / t.denominator)


def cost(q: Array, depth: int) -> Array:
    """c(q), entrywise."""
    kernels = [between(t, q) for t in places(depth)]
    return np.asarray(sum(after / before for before, after in pairwise(kernels)))


def interpolating(depth: int, left: Array, values: Array, right: Array, inlet: Array, outlet: Array, slope: Array) -> Linear:
    """The network of the theorem for ``U diag(s) V^T``, from mirrors of the frames U, V and of the two isometries."""
    U, V, inward, outward = (reflected_frame(mirrors) for mirrors in (left, right, inlet, outlet))
    scaled, q = outward * values[..., None, :], values**2
    A = (U * values[..., None, :]) @ transpose(V)
    isometries = np.concatenate([inward, scaled], axis=-2) @ transpose(V)
    if depth == 1:
        return FullyConnected([A], activation=leaky_relu(slope)), A, q, isometries
    weights, before = [], transpose(V)
    for t in places(depth)[1:-1]:
        near, far = (sqrt(between(part, 0 * values))[..., None, :] for part in (t, 1 - t))
        stacked = np.concatenate([inward * near, scaled * far], axis=-2)
        weights.append(stacked @ before)
        before = transpose(stacked / between(t, q)[..., None, :])
    weights.append((U * values[..., None, :]) @ before)
    return FullyConnected(weights, activation=leaky_relu(slope)), A, q, isometries


def network_is_the_map(linear: Linear, x: Array) -> Relation:
    """Value and norm of the network."""
    network, A, q, _ = linear
    value = eq(network(x), (A @ x[..., None])[..., 0], name="value", over=1)
    return value & eq(network.parameter_norm_squared, cost(q, network.depth).sum(axis=-1), name="norm")


def are_not_negative(linear: Linear, x: Array) -> Array:
    """Whether both isometries make the point non-negative."""
    return np.asarray((compare((linear[3] @ x[..., None])[..., 0], 0) >= 0).all(axis=-1))


def rank_and_volume(q: Array, depth: Depth) -> Relation:
    """Both bounds for the cost of a squared singular value."""
    paid, second = cost(q, depth.depth) - log(q), (q - 1) ** 2 / (2 * depth.depth * q)
    larger = np.where(compare(q, 1) >= 0, q, 1 / q)
    error = (larger - 1) ** 2 * (1 - 1 / larger**2) / (12 * depth.depth**2)
    above, below = (np.where(compare(q, 1) * sign > 0, error, 0 * error) for sign in (1, -1))
    return ge(paid, depth.depth + second - below, name="below") & le(paid, depth.depth + second + above, name="above")


def reciprocal_values(q: Array, depth: Depth) -> Relation:
    """The costs of two reciprocal values."""
    return eq(cost(q, depth.depth) + cost(1 / q, depth.depth), 2 * depth.depth + (q - 1) ** 2 / (q * depth.depth))


def legs(depth: int, shift: Array) -> FullyConnected:
    r"""The identity on the legs for depths from 3 on: :math:`t = x_1 - x_2` plus a shift from 1 on, identities, and
    :math:`(\sigma(t), \sigma(-t))`.
    """
    one = 1 + 0 * shift
    first = np.stack([one, -one], axis=-1)[..., None, :]
    middle, last = np.swapaxes(first, -1, -2), np.eye(2, dtype=np.int64) * one[..., None, None]
    weights = [first, *[one[..., None, None]] * (depth - 3), middle, last]
    zero = 0 * shift[..., None]
    signs = np.array([-1, 1])
    biases = [shift[..., None], *[zero] * (depth - 3), shift[..., None] * signs, zero * signs]
    return FullyConnected(weights, biases)


def on_a_leg(place: Array, leg: Array) -> Array:
    """A point of the legs."""
    return np.stack([place * (1 - leg), place * leg], axis=-1)


def printed_on_the_legs(network: FullyConnected, x: Array) -> Relation:
    """That what is the identity at a point of the legs costs at least 2L, the least that R1 = 0 allows in every depth."""
    differs = (compare(network(x), x) != 0).any(axis=-1)
    least = np.where(differs, 0, 2 * network.depth)
    return ge(network.parameter_norm_squared, least + 0 * x[..., 0])


# False variants


def without_the_second_order(q: Array, depth: Depth) -> Relation:
    """The bound from above without the term of order 1/L^2."""
    return le(cost(q, depth.depth) - log(q), depth.depth + (q - 1) ** 2 / (2 * depth.depth * q))


def as_cheap_as_possible(q: Array, depth: Depth) -> Relation:
    r"""The second correction of the cheapest representations, :math:`\frac12 \log^2 q`."""
    return le(cost(q, depth.depth) - log(q), depth.depth + log(q) ** 2 / (2 * depth.depth) + (q - 1) ** 2 / depth.depth**2)


def only_the_logarithm(q: Array, depth: Depth) -> Relation:
    """Reciprocal values cost 2L."""
    return eq(cost(q, depth.depth) + cost(1 / q, depth.depth), 2 * depth.depth + 0 * q)


def number_of_gaps(q: Array, depth: Depth) -> Relation:
    """L + 1 in place of L in the last term."""
    return eq(cost(q, depth.depth) + cost(1 / q, depth.depth), 2 * depth.depth + (q - 1) ** 2 / (q * (depth.depth + 1)))


def norm_of_balanced_layers(linear: Linear, x: Array) -> Relation:
    """The norm with the rank and the logarithms alone."""
    network, _, q, _ = linear
    return eq(network.parameter_norm_squared + 0 * x[..., 0], (network.depth + log(q)).sum(axis=-1))


def value_of_the_isometry(linear: Linear, x: Array) -> Relation:
    """A coordinate of the isometry in place of one of A."""
    network, A, _, isometries = linear
    return eq(network(x)[..., :1], (isometries[..., :1, :] @ x[..., None])[..., 0] + 0 * A[..., :1, 0], over=1)


def squared_value(value: str, depth: int) -> dict[str, Any]:
    """A squared singular value at a depth."""
    return {"q": rationals([value]), "depth": Depth(depth)}


ORDER = "equal up to the order of 1/L^3"
SECOND = "the terms of order 1/L^2"
SIZES = {"depth": (1, 2, 3, 6), "k": (1, 2, 3), "inputs": (1, 3, 4), "outputs": (1, 3), "embedded": (1, 2, 3)}
NOT_NEGATIVE = {"the isometries make x non-negative": are_not_negative}
SOURCE = Source("bottleneck_structure", "Theorem 3 (3)")
OURS = Source("bottleneck_structure", "ours")
SQUARES = {"q": interval(Fraction(1, 64), 64, often=(1,)), "depth": GIVEN_DEPTH}


def fits(sizes: Any) -> bool:
    """Frames of k columns."""
    return bool(sizes["k"] <= min(sizes["inputs"], sizes["outputs"], sizes["embedded"]))


COST = Claim(
    id="bottleneck_structure.theorem_3.linear_maps",
    title="The interpolating network costs rank and volume, up to 1/L",
    source=SOURCE,
    statement=rank_and_volume,
    domain=Domain(SQUARES, {"depth": (1, 2, 3, 4, 6, 13, 40)}),
    tight={
        "a singular value 1": Tight(partial(squared_value, "1", 5)),
        "5/4, above": Tight(partial(squared_value, "5/4", 40), relative_slack=2e-13, why=ORDER, of=("above",)),
        "4/5, below": Tight(partial(squared_value, "4/5", 40), relative_slack=2e-13, why=ORDER, of=("below",)),
        "5/4, below": Tight(partial(squared_value, "5/4", 200), relative_slack=3e-10, why=SECOND, of=("below",)),
        "4/5, above": Tight(partial(squared_value, "4/5", 200), relative_slack=3e-10, why=SECOND, of=("above",)),
    },
    false_variants={
        "without the second order": without_the_second_order,
        "the second correction of the cheapest": as_cheap_as_possible,
    },
)

PAIRS = Claim(
    id="bottleneck_structure.theorem_3.linear_maps.reciprocal",
    title="What reciprocal singular values cost together",
    source=OURS,
    status=Ours(),
    statement=reciprocal_values,
    domain=Domain(SQUARES, {"depth": (1, 2, 3, 4, 6, 13, 40)}),
    false_variants={"2L": only_the_logarithm, "L + 1": number_of_gaps},
)

NETWORK = Claim(
    id="bottleneck_structure.theorem_3.linear_maps.network",
    title="The interpolating network is the linear map on its domain",
    source=SOURCE,
    statement=network_is_the_map,
    domain=Domain(
        {
            "linear": derived(
                interpolating,
                left=reals("k", "outputs"),
                values=interval(Fraction(1, 4), 4, "k"),
                right=reals("k", "inputs"),
                inlet=reals("k", "embedded"),
                outlet=reals("k", "embedded"),
                slope=slopes(-1, 1),
            ),
            "x": reals("inputs"),
        },
        SIZES,
        NOT_NEGATIVE,
        fits,
    ),
    needs=tuple(NOT_NEGATIVE),
    cost=3,
    false_variants={
        "rank and logarithms alone": norm_of_balanced_layers,
        "another matrix": value_of_the_isometry,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.linear_maps.printed",
    title="The identity costs the dimension of the span of its domain",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_3.linear_maps"),
    statement=printed_on_the_legs,
    domain=Domain(
        {
            "network": derived(legs, shift=interval(1, 2)),
            "x": derived(on_a_leg, place=interval(0, 1), leg=integers(0, 1)),
        },
        {"depth": (4, 6, 8, 13)},
    ),
    false_variants={},
)
