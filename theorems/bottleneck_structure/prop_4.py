r"""Proposition 4: the second correction :math:`R^{(2)}` of linear maps.

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
Tight
    Powers of one matrix; orthogonal summands.
Not checked
    Functions that are not linear: :math:`R^{(2)}` cannot be computed. Without converging representations it may be
    infinite (``example_20.second_correction``).
Source
    bottleneck_structure, Proposition 4 (14 in the appendix); the finite forms are derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.shared.balanced import balanced_factors, end_to_end
from verify import Claim, DerivedHere, Domain, Source, derived, integers, interval, reals, slopes
from verify.networks import leaky_relu
from verify.numbers.arithmetic import rationals
from verify.words import (
    Q,
    concatenate,
    diag,
    eq,
    ge,
    holds,
    le,
    lifted,
    log,
    maximum,
    nonnegative,
    norm2,
    rank,
    schatten_power,
    singular_values,
    sqrt,
    stack,
    trace,
    where,
)

frame, factors, product = lifted(reflected_frame), lifted(balanced_factors), lifted(end_to_end)


def R2(A):
    r""":math:`2\sum_i \log^2 s_i` over the singular values that are not zero."""
    s = singular_values(A)
    return 2 * norm2(log(where(np.arange(len(s)) < rank(A), s, 1)))


def roots_are_subadditive(A, B, p):
    whole, a, b = R2(A @ B), R2(A), R2(B)
    return le(sqrt(whole), sqrt(a) + sqrt(b), name="roots") & le(whole, a / p + b / (1 - p), name="weights")


def without_the_roots(A, B):
    return le(R2(A @ B), R2(A) + R2(B))


def weights_as_factors(A, B, p):
    return le(R2(A @ B), R2(A) * (1 + p) + R2(B) * (2 - p))


def images_match(A, B):
    """The image of B is the orthogonal complement of the kernel of A, so that R0 agrees and R1 adds up."""
    both = rank(concatenate([A.T, B], axis=1))
    return (rank(A) == both) & (rank(B) == both)


def cost(A, L):
    return L * schatten_power(A, Q(2, L))


def depths_add(A, B, Lf, Lg, fewer=0):
    return le(cost(A @ B, Lf + Lg - fewer), cost(A, Lf) + cost(B, Lg))


def factors_cost_less(A, B, Lf, Lg):
    return ge(cost(A @ B, Lf + Lg), cost(A, Lf) + cost(B, Lg))


def costs_are_subadditive(A, B, depth):
    return le(cost(A + B, depth), cost(A, depth) + cost(B, depth))


def at_depth_one(A, B):
    return costs_are_subadditive(A, B, 1)


def costs_add(A, B, depth):
    return ge(cost(A + B, depth), cost(A, depth) + cost(B, depth))


def summands(left, right, values, sheared):
    """Two matrices of ranks 1 and k - 1 with orthogonal images and coimages, of which a shear may spoil the first."""
    U, V = frame(left), frame(right)
    first = U[:, 0] + sheared * U[:, 1]
    return values[0] * np.outer(first, V[:, 0]), (values[1:] * U[:, 1:]) @ V[:, 1:].T


def power_sums(A):
    """Sums of the powers 1, 2, ... of the squared singular values, as many as there are columns: they determine them."""
    powers = [A.T @ A]
    for _ in range(A.shape[1] - 1):
        powers.append(powers[-1] @ powers[0])
    return stack([trace(power) for power in powers])


def singular_values_are_joined(summands):
    A, B = summands
    return eq(power_sums(A + B), power_sums(A) + power_sums(B))


def one_value_each(summands):
    A, B = summands
    exponents = range(1, A.shape[1] + 1)
    return eq(power_sums(A + B), stack([norm2(A) ** k + norm2(B) ** k for k in exponents]))


def larger_summand(summands):
    A, B = summands
    return eq(power_sums(A + B), maximum(power_sums(A), power_sums(B)))


def are_orthogonal(summands):
    """The images of A and B are orthogonal, and those of their transposes; in floats, up to rounding."""
    A, B = summands
    size = norm2(A) + norm2(B)
    return holds(eq(A.T @ B, 0, beside=size) & eq(A @ B.T, 0, beside=size))


def powers(roots, left, right, hidden, slope):
    """The network of 3, from the L-th roots of the singular values and mirrors of the frames."""
    return factors(frame(left), roots, frame(right), frame(hidden), lifted(leaky_relu)(slope))


def powers_are_the_map(f, x):
    A = product(f)
    return eq(f(x), A @ x, name="value") & eq(f.weight_norm_squared, cost(A, f.depth), name="norm")


def one_layer_fewer(f):
    return eq(f.weight_norm_squared, f.depth * schatten_power(product(f), Q(2, f.depth - 1)))


def norm_by_the_rank(f):
    return eq(f.weight_norm_squared, f.depth * rank(product(f)))


def are_not_negative(f, x):
    """The linear network has no negative hidden value."""
    found = np.True_
    for W in f.weights[:-1]:
        x = W @ x
        found = found & nonnegative(x)
    return found


def all_powers_are_more_than_the_ends():
    r"""Three rays whose images under :math:`A^0` and :math:`A^1` have no negative inner products, so that they are completely
    positive, and two of which make an obtuse angle under :math:`A^{1/2}`.

    At depth 2 the cost :math:`2\|A\|_*` is attained only where the hidden layer has the kernel :math:`(A^TA)^{1/2}`.
    """
    rays = rationals([[1, "11/10", "1/2"], [1, "-11/10", "1/2"], [1, 0, 1]])
    first, last, middle = (rays * rationals(kernel) @ rays.T for kernel in ([1, 1, 1], ["1/4", 1, 4], ["1/2", 1, 2]))
    return ge(first, 0) & ge(last, 0) & le(middle[0, 1], Q(-1, 5))


def powers_of_one_matrix(Lf, Lg, *roots):
    """Powers of one diagonal matrix with as many factors as there are layers."""
    q = rationals(roots)
    return {"A": diag(q**Lf), "B": diag(q**Lg), "Lf": Lf, "Lg": Lg}


def squares_and_cubes():
    """Of one matrix: R2(A) : R2(B) = 4 : 9, p = 2/5."""
    return {"A": diag(rationals([4, "1/9"])), "B": diag(rationals([8, "1/27"])), "p": "2/5"}


def powers_of_two(first, second, dimension):
    """R2(A) : R2(B) is the ratio of the squares of two exponents, and p : 1 - p that of the exponents."""
    A, B = (np.diag([2**power, *[1] * (dimension - 1)]) for power in (first, second))
    return {"A": A, "B": B, "p": Q(first, first + second)}


def orthogonal_projections(depth, first, second):
    """Partial identities of these ranks in space, on different coordinates."""
    places = np.arange(3)
    return {"A": diag(1 * (places < first)), "B": diag(1 * ((places >= first) & (places < first + second))), "depth": depth}


def orthogonal_summands():
    """Two matrices of ranks 1 and 2 with orthogonal images and coimages, at depth 3."""
    return {"A": diag(rationals([8, 0, 0])), "B": diag(rationals([0, "1/27", 1])), "depth": 3}


SOURCE, OURS = Source("bottleneck_structure", "Proposition 4"), Source("bottleneck_structure", "derived here")
MATCH = "the image of B is the orthogonal complement of the kernel of A"
ORTHOGONAL_IMAGES = "the images are orthogonal, and those of the transposes"
NOT_NEGATIVE = "no hidden value of the linear network is negative"
MATRICES = {
    "A": reals("rows", "common", role="Jacobian from the layer"),
    "B": reals("common", "columns", role="Jacobian to the layer"),
}
LENGTHS = {"rows": (1, 2, 3), "common": (1, 2, 3), "columns": (1, 2, 3)}

CLAIM = Claim(
    id="bottleneck_structure.prop_4",
    title="The root of the second correction is subadditive under composition",
    source=SOURCE,
    statement=roots_are_subadditive,
    domain=Domain({**MATRICES, "p": interval(Q(1, 16), Q(15, 16), role="free")}, LENGTHS, {MATCH: images_match}),
    needs=(MATCH,),
    tight={"powers of one matrix": squares_and_cubes},
    examples=[powers_of_two(*powers, n) for powers in ((1, 9), (1, 2), (1, 1), (2, 1), (9, 1)) for n in (1, 2, 3)],
    false_variants={"without the roots": without_the_roots, "weights as factors": weights_as_factors},
)

DEPTHS = Claim(
    id="bottleneck_structure.prop_4.depths",
    title="The cost of a product at depth L + M is at most the sum of the costs",
    source=OURS,
    status=DerivedHere(),
    statement=depths_add,
    domain=Domain(MATRICES, {"Lf": (1, 2, 3, 5), "Lg": (1, 2, 4), **LENGTHS}),
    tight={
        "powers of one matrix": partial(powers_of_one_matrix, 3, 2, 2, "1/3"),
        "depth 1": partial(powers_of_one_matrix, 1, 1, 2, "1/2", 1),
    },
    false_variants={"one layer fewer": {"fewer": 1}, "at least": factors_cost_less},
)

SUMS = Claim(
    id="bottleneck_structure.prop_4.sums",
    title="The cost of a sum of matrices is at most the sum of the costs",
    source=OURS,
    status=DerivedHere(),
    statement=costs_are_subadditive,
    domain=Domain(
        {"A": reals("rows", "columns", role="Jacobian"), "B": reals("rows", "columns", role="second Jacobian")},
        {"depth": (2, 3, 4, 6, 13), "rows": (1, 2, 3), "columns": (1, 2, 3)},
    ),
    tight={"orthogonal": orthogonal_summands},
    examples=[orthogonal_projections(L, *ranks) for L in (2, 3, 4, 6, 13) for ranks in ((1, 1), (1, 2), (2, 1))],
    false_variants={"at depth 1": at_depth_one, "at least": costs_add},
)

ORTHOGONAL = Claim(
    id="bottleneck_structure.prop_4.orthogonal_sums",
    title="Where R0 and R1 of matrices add up, the second correction does, too",
    source=SOURCE,
    statement=singular_values_are_joined,
    domain=Domain(
        {
            "summands": derived(
                summands,
                left=reals("k", "outputs"),
                right=reals("k", "inputs"),
                values=interval(Q(1, 4), 4, "k"),
                sheared=integers(0, 1),
            )
        },
        {"k": (2, 3), "inputs": (2, 3), "outputs": (2, 3)},
        {ORTHOGONAL_IMAGES: are_orthogonal},
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["outputs"]),
    ),
    needs=(ORTHOGONAL_IMAGES,),
    false_variants={"one singular value each": one_value_each, "the larger one": larger_summand},
)

POWERS = Claim(
    id="bottleneck_structure.prop_4.powers",
    title="If all powers of A are completely positive, the ReLU costs nothing",
    source=SOURCE,
    statement=powers_are_the_map,
    domain=Domain(
        {
            "f": derived(
                powers,
                roots=interval(Q(1, 4), 4, "k"),
                left=reals("k", "outputs"),
                right=reals("k", "inputs"),
                hidden=reals(lambda sizes: sizes["depth"] - 1, "k", "width"),
                slope=slopes(-2, 2),
            ),
            "x": reals("inputs"),
        },
        {"depth": (2, 3, 6), "k": (1, 2, 3), "inputs": (1, 3), "outputs": (1, 2, 3), "width": (1, 3)},
        {NOT_NEGATIVE: are_not_negative},
        lambda sizes: sizes["k"] <= min(sizes["inputs"], sizes["outputs"], sizes["width"]),
    ),
    needs=(NOT_NEGATIVE,),
    false_variants={"one layer fewer": one_layer_fewer, "L times the rank": norm_by_the_rank},
    exact={"all powers are more than the ends": all_powers_are_more_than_the_ends},
)
