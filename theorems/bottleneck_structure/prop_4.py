r"""Proposition 4: the second correction :math:`R^{(2)}`, for linear maps and their domains.

Statement
    If the optimal representations of f converge as :math:`L \to \infty`, then :math:`R^{(2)}(f) \ge 0`. Moreover

    1. :math:`\sqrt{R^{(2)}(f \circ g)} \le \sqrt{R^{(2)}(f)} + \sqrt{R^{(2)}(g)}` if :math:`R^{(0)}` of all three is the
       same and :math:`R^{(1)}` adds up;
    2. :math:`R^{(2)}(f + g) \le R^{(2)}(f) + R^{(2)}(g)` if :math:`R^{(0)}` and :math:`R^{(1)}` add up;
    3. :math:`R^{(2)}(x \mapsto Ax; \Omega) = \frac12\|\log_+ A^TA\|_F^2` if :math:`A^p\Omega` is k = rank A dimensional and
       completely positive for all p in [0, 1].
Correction
    The paper has the limit :math:`L \to 0`, and divides by :math:`L_f + L_g` in the proof of 1 where it multiplies.
Checked
    For linear maps, where :math:`R^{(2)} = 2\sum_i \log^2 s_i` over the singular values that are not zero. 1: with the weighted
    form of the proof, :math:`R^{(2)}(AB) \le R^{(2)}(A)/p + R^{(2)}(B)/(1 - p)`, and at finite depths, for all matrices,

    .. math:: (L_f + L_g)\|AB\|_{2/(L_f + L_g)}^{2/(L_f + L_g)} \le L_f\|A\|_{2/L_f}^{2/L_f} + L_g\|B\|_{2/L_g}^{2/L_g} .

    2: :math:`R^{(0)}` and :math:`R^{(1)}` add up where the images of A and B are orthogonal, and those of their transposes.
    There A + B has the singular values of A and of B, by their power sums, so that :math:`R^{(2)}` adds up, too
    (``.orthogonal_sums``). At finite depths :math:`L \ge 2`, for all matrices,
    :math:`\|A + B\|_{2/L}^{2/L} \le \|A\|_{2/L}^{2/L} + \|B\|_{2/L}^{2/L}`. 3: value and norm of
    :math:`W_\ell = U_\ell S^{1/L} U_{\ell-1}^T` where :math:`U_\ell S^{\ell/L} V^T x \ge 0`. That "for all p" is more than p =
    0 and 1: three rays and :math:`A^TA = \mathrm{diag}(1/4, 1, 4)`, exactly.
Proof idea
    1: the triangle inequality of the affine-invariant metric; block by block Hoelder's inequality. 2: p-th powers of Schatten
    quasi-norms with :math:`p \le 1` are subadditive.
Sharp
    Powers of one matrix; orthogonal summands.
Not checked
    Functions that are not linear: :math:`R^{(2)}` cannot be computed. Without converging representations it may be
    infinite (``example_20.second_correction``).
Source
    bottleneck_structure, Proposition 4 (14 in the appendix); the finite forms are ours.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.notion_of_rank.constructions.arrays import squares, transpose
from theorems.notion_of_rank.constructions.balanced import balanced_factors, end_to_end
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals, slopes
from verify.arithmetic import Array, compare, is_exact, log, maximum, rationals, sqrt
from verify.matrices import rank, schatten_power, singular_values
from verify.networks import FullyConnected, leaky_relu


def second_correction(matrix: Array) -> Array:
    """Twice the sum of the squared logarithms of the singular values that are not zero."""
    values = singular_values(matrix)
    kept = np.arange(values.shape[-1]) < np.asarray(rank(matrix))[..., None]
    return np.asarray(2 * (log(np.where(kept, values, 0 * values + 1)) ** 2).sum(axis=-1))


def roots_are_subadditive(A: Array, B: Array, p: Array) -> Relation:
    """Both forms of the inequality for a product."""
    whole, first, second = second_correction(A @ B), second_correction(A), second_correction(B)
    roots = le(sqrt(whole), sqrt(first) + sqrt(second), name="roots")
    return roots & le(whole, first / p + second / (1 - p), name="weights")


def images_match(A: Array, B: Array) -> Array:
    """Whether the image of B is the orthogonal complement of the kernel of A, so that R0 agrees and R1 adds up."""
    both = rank(np.concatenate([transpose(A), B], axis=-1))
    return np.asarray((rank(A) == both) & (rank(B) == both))


def cost(matrix: Array, depth: int) -> Array:
    """What the matrix costs at this depth."""
    return depth * schatten_power(matrix, Fraction(2, depth))


def depths_add(A: Array, B: Array, outer: Depth, inner: Depth) -> Relation:
    """The cost of a product against those of its factors."""
    return le(cost(A @ B, outer.depth + inner.depth), cost(A, outer.depth) + cost(B, inner.depth))


def costs_are_subadditive(A: Array, B: Array, depth: Depth) -> Relation:
    """The cost of a sum against those of the summands."""
    return le(cost(A + B, depth.depth), cost(A, depth.depth) + cost(B, depth.depth))


Summands = tuple[Array, Array]
"""Two matrices to be added."""


def summands(left: Array, right: Array, values: Array, sheared: Array) -> Summands:
    """Two matrices of ranks 1 and k - 1 with orthogonal images and coimages, of which a shear may spoil the first."""
    columns, rows = reflected_frame(left), transpose(reflected_frame(right))
    first = columns[..., :1] + sheared[..., None, None] * columns[..., 1:2]
    others = values[..., None, 1:] * columns[..., 1:]
    return values[..., None, :1] * first @ rows[..., :1, :], others @ rows[..., 1:, :]


def power_sums(matrix: Array) -> Array:
    """Sums of the powers 1, 2, ... of the squared singular values, as many as there are columns: they determine them."""
    gram = power = transpose(matrix) @ matrix
    sums = [np.trace(power, axis1=-2, axis2=-1)]
    for _ in range(matrix.shape[-1] - 1):
        power = power @ gram
        sums.append(np.trace(power, axis1=-2, axis2=-1))
    return np.stack(sums, axis=-1)


def singular_values_are_joined(parts: Summands) -> Relation:
    """Power sums of the sum, and of the summands: rational, unlike the second correction."""
    A, B = parts
    return eq(power_sums(A + B), power_sums(A) + power_sums(B), over=1)


def are_orthogonal(parts: Summands) -> Array:
    """Whether the images of A and B are orthogonal, and those of their transposes; in floats, up to rounding."""
    A, B = parts
    rounding = 0 if is_exact(A) else 2.0**-80 * squares(A, (-2, -1)) * squares(B, (-2, -1))
    products = transpose(A) @ B, A @ transpose(B)
    return np.logical_and(*(compare(squares(one, (-2, -1)), rounding) <= 0 for one in products))


def powers(roots: Array, left: Array, right: Array, hidden: Array, slope: Array) -> FullyConnected:
    """The network of 3, from the L-th roots of the singular values and mirrors of the frames."""
    frames = [reflected_frame(mirrors) for mirrors in (left, right, hidden)]
    return balanced_factors(frames[0], roots, frames[1], frames[2], leaky_relu(slope))


def powers_are_the_map(network: FullyConnected, x: Array) -> Relation:
    """Value and norm of the network."""
    matrix = end_to_end(network)
    value = eq(network(x), (matrix @ x[..., None])[..., 0], name="value", over=1)
    return value & eq(network.weight_norm_squared, cost(matrix, network.depth), name="norm")


def are_not_negative(network: FullyConnected, x: Array) -> Array:
    """Whether the linear network has no negative hidden value."""
    values, holds = x, np.ones((), dtype=bool)
    for weight in network.weights[:-1]:
        values = (weight @ values[..., None])[..., 0]
        holds = holds & (compare(values, 0) >= 0).all(axis=-1)
    return np.asarray(holds)


def all_powers_are_more_than_the_ends() -> Relation:
    r"""Three rays whose images under :math:`A^0` and :math:`A^1` have no negative inner products, so that they are completely
    positive, and two of which make an obtuse angle under :math:`A^{1/2}`.

    At depth 2 the cost :math:`2\|A\|_*` is attained only where the hidden layer has the kernel :math:`(A^TA)^{1/2}`.
    """
    rays = rationals([[1, "11/10", "1/2"], [1, "-11/10", "1/2"], [1, 0, 1]])
    ends = [rays * rationals(kernel) @ transpose(rays) for kernel in (["1/4", 1, 4], [1, 1, 1])]
    middle = rays * rationals(["1/2", 1, 2]) @ transpose(rays)
    return ge(np.stack(ends), rationals([0]), over=3) & le(middle[0, 1], rationals("-1/5"))


# False variants


def squares_add(A: Array, B: Array, p: Array) -> Relation:
    """The second corrections themselves in place of their roots."""
    return le(second_correction(A @ B), second_correction(A) + second_correction(B) + 0 * p)


def weights_exchanged(A: Array, B: Array, p: Array) -> Relation:
    """P and 1 - p as factors in place of divisors."""
    return le(second_correction(A @ B), second_correction(A) * (1 + p) + second_correction(B) * (2 - p))


def depth_of_one_factor(A: Array, B: Array, outer: Depth, inner: Depth) -> Relation:
    """The product with one layer fewer."""
    return le(cost(A @ B, outer.depth + inner.depth - 1), cost(A, outer.depth) + cost(B, inner.depth))


def factors_cost_less(A: Array, B: Array, outer: Depth, inner: Depth) -> Relation:
    """The opposite inequality."""
    return ge(cost(A @ B, outer.depth + inner.depth), cost(A, outer.depth) + cost(B, inner.depth))


def at_depth_one(A: Array, B: Array) -> Relation:
    """The same at depth 1."""
    return le(cost(A + B, 1), cost(A, 1) + cost(B, 1))


def sums_add(A: Array, B: Array, depth: Depth) -> Relation:
    """As if the cost were additive."""
    return ge(cost(A + B, depth.depth), cost(A, depth.depth) + cost(B, depth.depth))


def one_value_each(parts: Summands) -> Relation:
    """As if each summand had one singular value, its norm."""
    A, B = parts
    first, second = (squares(one, (-2, -1))[..., None] ** np.arange(1, A.shape[-1] + 1) for one in parts)
    return eq(power_sums(A + B), first + second, over=1)


def larger_summand(parts: Summands) -> Relation:
    """The larger of the two for their sum."""
    A, B = parts
    return eq(power_sums(A + B), maximum(power_sums(A), power_sums(B)), over=1)


def one_layer_fewer(network: FullyConnected, x: Array) -> Relation:
    """The norm with the exponent of one layer fewer."""
    matrix, depth = end_to_end(network), network.depth
    return eq(network.weight_norm_squared + 0 * x[..., 0], depth * schatten_power(matrix, Fraction(2, depth - 1)))


def norm_of_the_map(network: FullyConnected, x: Array) -> Relation:
    """The norm as L times the rank."""
    return eq(network.weight_norm_squared + 0 * x[..., 0], network.depth * rank(end_to_end(network)))


def commuting(outer: int, inner: int, *roots: object) -> dict[str, Any]:
    """Powers of one diagonal matrix with as many factors as there are layers."""
    A, B = (np.diag(rationals(roots)) for _ in range(2))
    for _ in range(outer - 1):
        A = A @ np.diag(rationals(roots))
    for _ in range(inner - 1):
        B = B @ np.diag(rationals(roots))
    return {"A": A, "B": B, "outer": Depth(outer), "inner": Depth(inner)}


def powers_of_a_number() -> dict[str, Any]:
    """The squares and cubes of one matrix: R2(A) : R2(B) = 4 : 9, p = 2/5."""
    A, B = np.diag(rationals([4, "1/9"])), np.diag(rationals([8, "1/27"]))
    return {"A": A, "B": B, "p": rationals("2/5")}


def orthogonal_summands() -> dict[str, Any]:
    """Two matrices of ranks 1 and 2 with orthogonal images and coimages, at depth 3."""
    A, B = np.diag(rationals([8, 0, 0])), np.diag(rationals([0, "1/27", 1]))
    return {"A": A, "B": B, "depth": Depth(3)}


SOURCE = Source("bottleneck_structure", "Proposition 4")
OURS = Source("bottleneck_structure", "ours")
MATCH = {"the image of B is the orthogonal complement of the kernel of A": images_match}
NOT_NEGATIVE = {"no hidden value of the linear network is negative": are_not_negative}
MATRICES = {"A": reals("rows", "common"), "B": reals("common", "columns")}
LENGTHS = {"rows": (1, 2, 3), "common": (1, 2, 3), "columns": (1, 2, 3)}

CLAIM = Claim(
    id="bottleneck_structure.prop_4",
    title="The root of the second correction is subadditive under composition",
    source=SOURCE,
    statement=roots_are_subadditive,
    domain=Domain({**MATRICES, "p": interval(Fraction(1, 16), Fraction(15, 16))}, LENGTHS, MATCH),
    needs=tuple(MATCH),
    tight={"powers of one matrix": Tight(powers_of_a_number)},
    false_neighbours={"without the roots": squares_add, "weights as factors": weights_exchanged},
)

DEPTHS = Claim(
    id="bottleneck_structure.prop_4.depths",
    title="The costs of two matrices at two depths bound that of their product at the sum",
    source=OURS,
    status=Ours(),
    statement=depths_add,
    domain=Domain(
        {**MATRICES, "outer": derived(lambda outer: Depth(outer)), "inner": derived(lambda inner: Depth(inner))},
        {"outer": (1, 2, 3, 5), "inner": (1, 2, 4), **LENGTHS},
    ),
    tight={
        "powers of one matrix": Tight(lambda: commuting(3, 2, 2, "1/3")),
        "depth 1": Tight(lambda: commuting(1, 1, 2, "1/2", 1)),
    },
    false_neighbours={"one layer fewer": depth_of_one_factor, "at least": factors_cost_less},
)

SUMS = Claim(
    id="bottleneck_structure.prop_4.sums",
    title="The cost of a sum of matrices is at most the sum of the costs",
    source=OURS,
    status=Ours(),
    statement=costs_are_subadditive,
    domain=Domain(
        {"A": reals("rows", "columns"), "B": reals("rows", "columns"), "depth": GIVEN_DEPTH},
        {"depth": (2, 3, 4, 6, 13), "rows": (1, 2, 3), "columns": (1, 2, 3)},
    ),
    tight={"orthogonal": Tight(orthogonal_summands)},
    false_neighbours={"at depth 1": at_depth_one, "at least": sums_add},
)

ORTHOGONAL = Claim(
    id="bottleneck_structure.prop_4.orthogonal_sums",
    title="Where R0 and R1 of matrices add up under addition, the second correction does, too",
    source=SOURCE,
    statement=singular_values_are_joined,
    domain=Domain(
        {
            "parts": derived(
                summands,
                left=reals("k", "outputs"),
                right=reals("k", "inputs"),
                values=interval(Fraction(1, 4), 4, "k"),
                sheared=integers(0, 1),
            )
        },
        {"k": (2, 3), "inputs": (2, 3), "outputs": (2, 3)},
        {"the images are orthogonal, and those of the transposes": are_orthogonal},
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["outputs"]),
    ),
    needs=("the images are orthogonal, and those of the transposes",),
    false_neighbours={"one singular value each": one_value_each, "the larger one": larger_summand},
)

POWERS = Claim(
    id="bottleneck_structure.prop_4.powers",
    title="Where all powers of A are completely positive, A costs as much as without activation",
    source=SOURCE,
    statement=powers_are_the_map,
    domain=Domain(
        {
            "network": derived(
                powers,
                roots=interval(Fraction(1, 4), 4, "k"),
                left=reals("k", "outputs"),
                right=reals("k", "inputs"),
                hidden=reals(lambda sizes: sizes["depth"] - 1, "k", "width"),
                slope=slopes(-1, 1),
            ),
            "x": reals("inputs"),
        },
        {"depth": (2, 3, 6), "k": (1, 2, 3), "inputs": (1, 3), "outputs": (1, 2, 3), "width": (1, 3)},
        NOT_NEGATIVE,
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["outputs"], sizes["width"]),
    ),
    needs=tuple(NOT_NEGATIVE),
    false_neighbours={"one layer fewer": one_layer_fewer, "L times the rank": norm_of_the_map},
    exact={"all powers are more than the ends": all_powers_are_more_than_the_ends},
)
