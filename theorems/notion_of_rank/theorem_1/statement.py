r"""Theorem 1: the cost per layer of a function, as the depth grows, lies between its two ranks.

.. math:: \mathrm{Rank}_J(f; \Omega) \le \liminf_L \frac{R(f; \Omega, \sigma, L)}{L}
          \le \limsup_L \frac{R(f; \Omega, \sigma, L)}{L} \le \mathrm{Rank}_{BN}(f; \Omega)

for a continuous, piecewise linear f on a bounded :math:`\Omega` that is the closure of its interior, and an activation that is
the identity for t >= 0 and has a slope a with :math:`|a| < 1` below. (The slides write a limit, whose existence nobody has
proved, and ask for a homogeneous activation only.) This is a statement on limits; what is checked is what it follows from:

- the left side is Proposition 3 with L to infinity: the module ``prop_3``;
- the right side is a construction. Let f = h(g(x)) through dimension k, with g and h given by networks of depths
  :math:`L_g` and :math:`L_h`. For every :math:`L \ge L_g + L_h`, every shift s with :math:`g + s \ge 0` on :math:`\Omega` and
  all scales c > 0, `through_bottleneck` is a network of depth L that equals f on :math:`\Omega`, with the squared norm

  .. math:: N(L; s, c) = [\text{other layers of } g, h] + \sum_{i=1}^k c_i^2 (\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2)
            + \sum_{i=1}^k \frac{\|W^h_{\cdot i}\|^2}{c_i^2} + \|b^h - W^h s\|^2 + k (L - L_g - L_h) ,

  with the last layer :math:`W^g, b^g` of g and the first, :math:`W^h, b^h`, of h. Function and norm are compared for 0, 1, 2
  and 5 identity layers, for any widths and slopes, k = 0 (a constant) included;
- so N grows by exactly k per layer (``.affine_in_depth``), and N / L - k decays like 1 / L;
- shifts and scales are found in the module ``theorem_1_shift``.

As printed, without the shift (s = 0, c = 1), the construction does not represent f: one neuron and one point with g(x) < 0
suffice (``.printed``). Its norm is not even an upper bound for R: see ``theorem_1_interval``.

Source: notion_of_rank, Theorem 1 and its proof sketch; shift and scales are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.bottleneck import (
    Parts,
    constructed,
    joint,
    norm_of_the_construction,
    with_common_slope,
)
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Rate,
    Relation,
    Source,
    derived,
    eq,
    interval,
    reals,
)
from verify.arithmetic import Array, compare, floats
from verify.matrices import rank
from verify.networks import FullyConnected

IDENTITY_LAYERS = (0, 1, 2, 5)


def construction(
    parts: Parts, x: Array, shift: Array, scale: Array, per_layer: int = 1, moved: bool = True, shifted: bool = True
) -> Relation:
    """Value at x and norm of the network, for several depths."""
    inner, outer = parts
    value, relation = outer(inner(x)), Relation(())
    size = sizes_of(parts, x, shift)
    for identities in IDENTITY_LAYERS:
        network = constructed(parts, identities, shift if shifted else None, scale)
        norm = norm_of_the_construction(parts, shift, scale, identities) + (per_layer - 1) * identities * shift.shape[-1]
        if not moved:
            norm = norm - joint(parts, shift)[2] + squares(outer.biases[0])
        relation &= eq(network(x), value, scale=size[..., None], over=1)
        relation &= eq(network.parameter_norm_squared, norm, scale=size)
    return relation


def sizes_of(parts: Parts, x: Array, shift: Array) -> npt.NDArray[np.float64]:
    """Size of what cancels between the layers."""
    total = 1 + floats(squares(x)) + floats(squares(shift))
    for part in parts:
        for weight, bias in zip(part.weights, part.biases, strict=True):
            total = total * (1 + floats(squares(weight, (-2, -1))) + floats(squares(bias)))
    return np.asarray(total)


def is_lifted(parts: Parts, x: Array, shift: Array) -> Array:
    """Whether g(x) + s has no negative entry."""
    return np.asarray((compare(parts[0](x) + shift, 0) >= 0).all(axis=-1))


def growth(parts: Parts, x: Array, shift: Array, scale: Array, offset: int = 0, of_the_jacobian: bool = False) -> Relation:
    """How much the norm grows with the number of identity layers."""
    inner, outer = parts
    each = shift.shape[-1] + offset
    if of_the_jacobian:
        each = rank(outer.jacobian(inner(x)) @ inner.jacobian(x))
    norms = [constructed(parts, identities, shift, scale).parameter_norm_squared for identities in IDENTITY_LAYERS]
    relation = Relation(())
    for identities, norm in zip(IDENTITY_LAYERS[1:], norms[1:], strict=True):
        relation &= eq(norm - norms[0], each * identities, scale=norm)
    return relation


def excess_per_layer(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """N(L) / L - k of one network with k = 2, for a ladder of depths."""
    parts = FullyConnected([np.array([[1.0, 2.0], [-1.0, 1.0]])]), FullyConnected([np.array([[1.0, -1.0]])])
    shift = np.array([3.0, 2.0])
    norms = [constructed(parts, int(depth) - 2, shift).parameter_norm_squared for depth in depths]
    return np.asarray(norms / depths - 2)


def printed_construction(parts: Parts, x: Array) -> Relation:
    """The construction of the slides, without a shift, against the composition."""
    value = parts[1](parts[0](x))
    return eq(constructed(parts, 1)(x), value, scale=sizes_of(parts, x, 0 * x)[..., None], over=1)


PARTS = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="bottleneck", slope=0),
    outer=Networks(depth="outer_depth", inputs="bottleneck", slope=0),
    slope=interval(-1, 1),
)
SIZES = {
    "inner_depth": range(1, 3),
    "outer_depth": range(1, 3),
    "inputs": range(1, 3),
    "width": range(1, 3),
    "bottleneck": range(3),
    "outputs": range(1, 3),
}
JOINT = {"parts": PARTS, "x": reals("inputs"), "shift": reals("bottleneck"), "scale": interval(0.25, 4.25, "bottleneck")}
LIFTED = "the shift makes g non-negative"
SOURCE = Source("notion_of_rank", "Theorem 1")

CLAIM = Claim(
    id="notion_of_rank.theorem_1",
    title="A bottleneck of dimension k carried through identity layers",
    source=SOURCE,
    statement=construction,
    domain=Domain(JOINT, SIZES, {LIFTED: is_lifted}),
    needs=(LIFTED,),
    false_neighbours={
        "without the shift": partial(construction, shifted=False),
        "identity layers cost nothing": partial(construction, per_layer=0),
        "identity layers cost 2 k": partial(construction, per_layer=2),
        "bias of h not moved": partial(construction, moved=False),
    },
)

AFFINE_IN_DEPTH = Claim(
    id="notion_of_rank.theorem_1.affine_in_depth",
    title="Every further layer costs the dimension of the bottleneck",
    source=SOURCE,
    statement=growth,
    domain=Domain(JOINT, SIZES),
    false_neighbours={
        "k - 1 per layer": partial(growth, offset=-1),
        "k + 1 per layer": partial(growth, offset=1),
        "rank of the Jacobian per layer": partial(growth, of_the_jacobian=True),
    },
    rate=Rate(excess_per_layer, (4, 8, 16, 32, 64, 128, 256, 512), -1.0),
)

PRINTED = Claim(
    id="notion_of_rank.theorem_1.printed",
    title="The construction of the slides, without a shift",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_1"),
    statement=printed_construction,
    domain=Domain({"parts": PARTS, "x": reals("inputs")}, SIZES),
    false_neighbours={},
)
