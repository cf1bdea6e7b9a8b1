r"""Linear networks of depth L: the representation cost of a matrix is a Schatten quasi-norm.

.. math:: \min\Bigl\{\sum_{\ell=1}^L \|W_\ell\|_F^2 : W_L \cdots W_1 = A\Bigr\} = L \sum_{i=1}^{\mathrm{rank} A} s_i(A)^{2/L},

for every L >= 1, as soon as every hidden layer is at least as wide as the rank of A. This is R(A) on a domain
that spans the inputs; biases do not help, they are best zero.

What is checked:

- the lower bound for every factorisation, of any widths;
- that balanced factors :math:`W_\ell = Q_\ell S^{1/L} Q_{\ell-1}^T`, for any orthonormal frames between :math:`Q_0 = V` and
  :math:`Q_L = U` of :math:`A = U S V^T`, have the product A and this cost, and so have the factors that `from_matrix` finds.
  For rational frames and roots of the singular values all of this is rational.

That only balanced factors do, and that a narrower network does not reach A, is the module ``linear_networks_balance``.

Idea of the proof: :math:`\sum_i s_i(W_L \cdots W_1)^{2/L} \le \sum_i \prod_\ell s_i(W_\ell)^{2/L}` (Horn), then the
inequality of means.

In floats a zero singular value is a rounding error, and ``(1e-16) ** (2 / 50)`` is 0.23: zeros are decided before the power is
taken (`schatten_power`), and what the rounding of the others amounts to is passed on (`rounding_of_schatten_power`).

Source: notion_of_rank, representation cost of linear networks (Dai et al. 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from math import isqrt

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, is_exact, rationals
from verify.matrices import frobenius_norm_squared, inverse, schatten_power, singular_values
from verify.matrices.ranks import zero_threshold
from verify.networks import FullyConnected, HomogeneousActivation, from_matrix, identity


def end_to_end(network: FullyConnected) -> Array:
    """The product of all weights, shape ``(*batch, n_L, n_0)``."""
    product = network.weights[0]
    for weight in network.weights[1:]:
        product = weight @ product
    return product


def transpose(matrix: Array) -> Array:
    """Transpose of each matrix of a batch."""
    return np.swapaxes(matrix, -1, -2)


def rotation(chart: Array) -> Array:
    """Orthogonal matrix ``(I - K) (I + K)^-1``, shape ``(..., n (n - 1) / 2) -> (..., n, n)``, rational where `chart` is.

    `chart` is what stands above the diagonal of the skew matrix K (Cayley).
    """
    size = (1 + isqrt(1 + 8 * chart.shape[-1])) // 2
    unit = rationals(np.eye(size, dtype=int)) if is_exact(chart) else np.eye(size)
    skew = np.broadcast_to(0 * unit, (*chart.shape[:-1], size, size)).copy()
    for place, (i, j) in enumerate(combinations(range(size), 2)):
        skew[..., i, j], skew[..., j, i] = chart[..., place], -chart[..., place]
    return np.asarray((unit - skew) @ inverse(unit + skew))


def balanced_factors(
    left: Array, roots: Array, right: Array, hidden: Array, activation: HomogeneousActivation | None = None
) -> FullyConnected:
    r"""The network :math:`W_\ell = Q_\ell \,\mathrm{diag}(q)\, Q_{\ell-1}^T`: no biases, and linear without `activation`.

    Its product is :math:`Q_L \,\mathrm{diag}(q^L)\, Q_0^T`, and its squared norm is exactly :math:`L \sum_i q_i^2`. `roots`
    is q, shape ``(..., r)``, not negative; `left` and `right` are :math:`Q_L` and :math:`Q_0`, shapes ``(..., m, >= r)`` and
    ``(..., n, >= r)``; `hidden` holds the L - 1 others, ``(..., L - 1, width, >= r)``. Columns must be orthonormal; those
    beyond r are not used.

    Raises
    ------
    ValueError
        A frame has fewer columns than there are roots.
    """
    rank = roots.shape[-1]
    for name, frame in (("left", left), ("right", right), ("hidden", hidden)):
        if frame.shape[-1] < rank:
            raise ValueError(f"{name} must have a column for each of {rank} roots, got the shape {frame.shape}")
    middle = [hidden[..., layer, :, :rank] for layer in range(hidden.shape[-3])]
    frames = [right[..., :rank], *middle, left[..., :rank]]
    weights = [(after * roots[..., None, :]) @ transpose(before) for before, after in pairwise(frames)]
    return FullyConnected(weights, activation=identity() if activation is None else activation)


def rounding_of_schatten_power(matrix: Array, exponent: Fraction) -> npt.NDArray[np.float64]:
    """Absolute error of `schatten_power` of floats: every singular value errs by a few ulps of the largest; 0 for rationals."""
    if is_exact(matrix):
        return np.zeros(matrix.shape[:-2])
    values = singular_values(matrix)
    error = zero_threshold(values.dtype, max(matrix.shape[-2:])) * values[..., :1]
    kept = values > error
    return np.asarray((float(exponent) * np.where(kept, values, 1.0) ** float(exponent - 1) * error * kept).sum(axis=-1))


def cost_of_a_product(network: FullyConnected, basis_points: int = 10_000, exponent: int = 2, last: bool = True) -> Relation:
    """The lower bound for one factorisation; the constant is given in units of 1/10000."""
    product, power = end_to_end(network), Fraction(exponent, network.depth)
    paid = network.weight_norm_squared - (0 if last else frobenius_norm_squared(network.weights[-1]))
    least = network.depth * schatten_power(product, power) * basis_points / 10_000
    return le(least, paid, noise=network.depth * rounding_of_schatten_power(product, power))


def every_layer_pays(network: FullyConnected) -> Relation:
    """What the inequality of means does not say: that each single layer has its share of the cost."""
    share, relation = schatten_power(end_to_end(network), Fraction(2, network.depth)), Relation(())
    for weight in network.weights:
        relation &= le(share, frobenius_norm_squared(weight))
    return relation


def balanced_cost(
    left: Array,
    roots: Array,
    right: Array,
    hidden: Array,
    factor: int | None = None,
    exponent: int = 2,
    basis_points: int = 10_000,
) -> Relation:
    """Product and cost of balanced factors: those of given frames, and those that the engine finds from the matrix."""
    depth, rank = hidden.shape[-3] + 1, roots.shape[-1]
    matrix = (left[..., :rank] * (roots**depth)[..., None, :]) @ transpose(right[..., :rank])
    power = Fraction(exponent, depth)
    stated = (depth if factor is None else factor) * schatten_power(matrix, power) * basis_points / 10_000
    relation, noise = Relation(()), depth * rounding_of_schatten_power(matrix, power)
    for network in (balanced_factors(left, roots, right, hidden), from_matrix(matrix, depth)):
        relation &= eq(end_to_end(network), matrix, over=2) & eq(network.weight_norm_squared, stated, noise=noise)
    return relation


def rational_factors(depth: int, *roots: object) -> dict[str, FullyConnected]:
    """Balanced factors between rotations by Pythagorean angles, with another frame in every hidden layer."""
    charts = rationals([[f"1/{layer + 2}", 1, f"-2/{layer + 1}"] for layer in range(depth + 1)])
    frames = rotation(charts)
    return {"network": balanced_factors(frames[-1], rationals(roots), frames[0], frames[1:-1])}


def rounded_factors(depth: int) -> dict[str, FullyConnected]:
    """Factors of a float matrix of rank one: the other singular values of their product are rounding errors."""
    return {"network": from_matrix(np.outer([0.1, 0.2, 0.3], [0.7, 0.5, 0.3]), depth)}


def plane_rotations(size: str) -> Callable[[Mapping[str, int]], int]:
    """Number of entries above the diagonal, as a dimension of a `Domain`."""
    return lambda sizes: sizes[size] * (sizes[size] - 1) // 2


FACTORS = Networks(slope=1, biases=False)
SIZES = {"depth": range(2, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
SOURCE = Source("notion_of_rank", "Representation cost, linear networks")

CLAIM = Claim(
    id="notion_of_rank.linear_networks",
    title="Cost of a factorisation of a matrix",
    source=SOURCE,
    statement=cost_of_a_product,
    domain=Domain({"network": FACTORS}, SIZES),
    tight={
        "depth 1": Tight(lambda: {"network": FullyConnected([rationals([[1, 2], [3, 4]])], activation=identity())}),
        "depth 2": Tight(partial(rational_factors, 2, 3, 2, "1/2")),
        "depth 6": Tight(partial(rational_factors, 6, "5/3", 1, "1/2")),
        "equal singular values": Tight(partial(rational_factors, 3, 2, 2, 2)),
        "rank 1": Tight(partial(rational_factors, 4, 2, 0, 0)),
        "zero matrix": Tight(partial(rational_factors, 3, 0, 0, 0)),
        "rounding errors at depth 50": Tight(partial(rounded_factors, 50)),
    },
    false_neighbours={
        "constant 1.01": partial(cost_of_a_product, basis_points=10_100),
        "constant 1.0001": partial(cost_of_a_product, basis_points=10_001),
        "exponent 1/L": partial(cost_of_a_product, exponent=1),
        "exponent 3/L": partial(cost_of_a_product, exponent=3),
        "last layer not counted": partial(cost_of_a_product, last=False),
        "every layer pays its share": every_layer_pays,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.linear_networks.attained",
    title="Balanced factors cost the least",
    source=SOURCE,
    statement=balanced_cost,
    domain=Domain(
        {
            "left": derived(rotation, chart=reals(plane_rotations("outputs"))),
            "roots": interval(0, np.inf, "rank"),
            "right": derived(rotation, chart=reals(plane_rotations("inputs"))),
            "hidden": derived(rotation, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("width"))),
        },
        {**SIZES, "depth": range(1, 6), "rank": range(1, 4)},
        sizes_where=lambda sizes: sizes["rank"] <= min(sizes["inputs"], sizes["width"], sizes["outputs"]),
    ),
    false_neighbours={
        "without the factor L": partial(balanced_cost, factor=1),
        "exponent 1/L": partial(balanced_cost, exponent=1),
        "constant 1.0001": partial(balanced_cost, basis_points=10_001),
    },
)
