r"""A linear network of least norm is a straight line in log space.

Statement
    Where the norm is the least for the product A, the kernels of the layers are

    .. math:: \Sigma_\ell(x, y) = \alpha_\ell(x)^T\alpha_\ell(y) = x^T(A^TA)^{\ell/L}y .

    The limit for :math:`\ell/L \to p` is :math:`K_p = (A^TA)^p`. The map to it and the map from it share the corrections of A:
    :math:`R^{(1)}` in the proportions p and 1 - p, :math:`R^{(2)}` in the proportions :math:`p^2` and :math:`(1-p)^2`.
Checked
    :math:`\Sigma_\ell^L = (A^TA)^\ell`, which determines the positive semi-definite :math:`\Sigma_\ell`, for every layer from 0
    to L; the power 0 is the identity there. Where A is not injective and the power is taken of the non-zero eigenvalues only,
    the formula fails at the input: :math:`(A^TA)^0` would be a projection. For :math:`R^{(2)}` (``.second_correction``), for
    all invertible matrices M and N, and p in (0, 1),

    .. math:: R^{(2)}(NM) \le \frac{R^{(2)}(M)}p + \frac{R^{(2)}(N)}{1 - p} ,

    so that no other representation shares :math:`R^{(2)}` better. That :math:`R^{(1)}` adds up is ``geodesic_limits``.
Proof idea
    Layers of least norm are balanced, so that the Gram of :math:`W_\ell\cdots W_1` is a power of that of the first layer.
    :math:`\sqrt{2R^{(2)}(A)}` is the distance of I and :math:`A^TA` in the affine-invariant metric.
Tight
    The shares p and 1 - p of one matrix.
Source
    bottleneck_structure, talk, representation geodesics; Section 3.2. The inequality is derived here.
"""

from functools import partial

from theorems.bottleneck_structure.constructions.corrections import second_correction
from theorems.bottleneck_structure.constructions.linear_networks import (
    LEAST,
    LINEAR,
    SIZES,
    has_room,
    partial_products,
    rotated_frame,
)
from theorems.shared.balanced import plane_rotations, rotated, rotation
from verify import Claim, DerivedHere, Domain, Q, Source, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, eye, le, lifted, stack

R2 = lifted(second_correction)


def kernels(f):
    r""":math:`\Sigma_\ell` for :math:`0 \le \ell \le L` as matrices."""
    grams = stack([M.T @ M for M in partial_products(f)])
    return concatenate([0 * grams[:1] + eye(f.widths[0]), grams])


def to_the_power(A, exponent):
    """A power of a matrix, or of each of several, by multiplication."""
    result = 0 * A + eye(A.shape[-1])
    for _ in range(exponent):
        result = result @ A
    return result


def powers_of_the_gram(f):
    S, L = kernels(f), f.depth
    return eq(to_the_power(S, L), stack([to_the_power(S[-1], m) for m in range(L + 1)]))


def straight_line(f):
    S, L = kernels(f), f.depth
    return eq(L * S, stack([(L - m) * S[0] + m * S[-1] for m in range(L + 1)]))


def two_steps_at_first(f):
    S = kernels(f)
    return eq(to_the_power(S[1], f.depth), to_the_power(S[-1], 2))


def shares_of_the_second_correction(M, N, p):
    return le(R2(N @ M), R2(M) / p + R2(N) / (1 - p))


def parts_add_up(M, N):
    return le(R2(N @ M), R2(M) + R2(N))


def shares_exchanged(M, N, p):
    return le(R2(N @ M), R2(M) / p**2 * (1 - p) + R2(N) / (1 - p))


def powers_of_one_matrix(before, after):
    """Powers of one matrix with the singular values 2 and 1/3."""
    frame = rotation(rationals(["1/2"]))
    A = rotated(frame, rationals([2, "1/3"]), frame)
    return {"M": to_the_power(A, before), "N": to_the_power(A, after), "p": Q(before, before + after)}


FRAME = derived(rotated_frame, chart=reals(plane_rotations("dimension")))
INVERTIBLE = derived(lifted(rotated), left=FRAME, values=interval(Q("1/8"), 8, "dimension"), right=FRAME)

CLAIM = Claim(
    id="bottleneck_structure.linear_geodesic",
    title="The kernels of a linear network of least norm are powers of the last",
    source=Source("bottleneck_structure", "Talk, representation geodesics"),
    statement=powers_of_the_gram,
    domain=Domain({"f": LINEAR}, SIZES, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=lambda sizes: sizes["depth"] ** 2,  # the powers of all layers; deep networks have long numbers
    false_variants={"a straight line of kernels": straight_line, "the exponent 2/L at the first layer": two_steps_at_first},
)

SECOND = Claim(
    id="bottleneck_structure.linear_geodesic.second_correction",
    title="The second correction of a product is at most a weighted sum",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=shares_of_the_second_correction,
    domain=Domain({"M": INVERTIBLE, "N": INVERTIBLE, "p": interval(Q("1/16"), Q("15/16"))}, {"dimension": range(1, 4)}),
    tight={
        "halves": partial(powers_of_one_matrix, 1, 1),
        "a third and two thirds": partial(powers_of_one_matrix, 1, 2),
    },
    false_variants={"the parts add up": parts_add_up, "shares exchanged": shares_exchanged},
)
