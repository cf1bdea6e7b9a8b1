r"""A ridge on parameters is a cost of the function: the chain.

Statement
    For every cost :math:`C \ge 0` that depends on the values of a function on :math:`\Omega` only, and every
    :math:`\lambda > 0`,

    .. math:: \inf_w C(F_w) + \lambda \|w\|^2 = \inf_f C(f) + \lambda R(f; \Omega, \sigma, L),

    where f runs over the functions that a network of depth L can represent. If :math:`\hat w` attains the left side, then
    :math:`\|\hat w\|^2 = R(F_{\hat w})`, and :math:`F_{\hat w}` attains the right side.
Checked
    For every linear network with layers of equal widths, with :math:`C(A) = \|A - T\|_F^2` and
    :math:`R(A) = L \sum_i s_i(A)^{2/L}`, the chain

    .. math:: C(F_w) + \lambda\|w\|^2 \ge C(F_w) + \lambda R(F_w) \ge \min_f C(f) + \lambda R(f)
              = \sum_i \min_{u \ge 0} \, (u^L - s_i(T))^2 + \lambda L u^2

    with equality at minimisers; the second step alone for every square matrix (``.matrices``). The scalar problem is decided
    exactly: a minimiser is 0 or a positive root of :math:`u^{2L-2} - tu^{L-2} + \lambda`, which is isolated for rational t and
    :math:`\lambda`. A nonlinear setting is ``one_point``; what the minimisers are is ``threshold`` and ``jump``.
Proof idea
    The infimum over w is the infimum over f of that over the networks that represent f. To singular values: the trace
    inequality :math:`\mathrm{Tr}[A^TT] \le \sum_i s_i(A)s_i(T)`.
Tight
    Balanced factors of a minimiser, at the depths 2, 3, 4 and 13.
Not checked
    Other costs C. The slides write :math:`\lambda / L` for :math:`\lambda` elsewhere; the factor of the norm is that of R.
Source
    notion_of_rank, definition of the representation cost; the closed forms are those of its linear networks.
"""

from functools import partial

import numpy as np

from theorems.shared.balanced import balanced_factors, end_to_end, plane_rotations, rotation
from theorems.shared.scalars import least_objective
from verify import Claim, DerivedHere, Domain, Networks, Q, Source, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import le, lifted, norm2, schatten_power, stack

product, least_value = lifted(end_to_end), lifted(least_objective)


def R(A, L):
    return L * schatten_power(A, Q(2, L))


def C(A, U, t, V):
    """The squared distance from the matrix T with these frames and singular values."""
    return norm2(A - (U * t) @ V.T)


def chain_of_inequalities(f, U, t, V, ridge):
    A, L = product(f), f.depth
    of_matrix, of_network = C(A, U, t, V) + ridge * R(A, L), C(A, U, t, V) + ridge * f.weight_norm_squared
    return le(of_matrix, of_network, name="networks above matrices") & minimum_over_functions(A, U, t, V, ridge, L)


def minimum_over_functions(A, U, t, V, ridge, depth):
    least = sum(least_value(s, ridge, depth) for s in t)
    return le(least, C(A, U, t, V) + ridge * R(A, depth), name="matrices above the minimum")


def norm_divided_by_the_depth(f, U, t, V, ridge):
    """The first step with lambda / L on the norm, and lambda on R."""
    A, L = product(f), f.depth
    return le(C(A, U, t, V) + ridge * R(A, L), C(A, U, t, V) + ridge * f.weight_norm_squared / L)


def last_layer_is_free(f, U, t, V, ridge):
    A, paid = product(f), f.weight_norm_squared - norm2(f.weights[-1])
    return le(C(A, U, t, V) + ridge * R(A, f.depth), C(A, U, t, V) + ridge * paid)


def soft_threshold_at_every_depth(A, U, t, V, ridge, depth):
    least = sum(least_value(s, ridge, 2) for s in t)
    return le(least, C(A, U, t, V) + ridge * R(A, depth))


def nothing_below_the_target(A, U, t, V, ridge, depth):
    """That no matrix is better than zero."""
    return le(norm2(t), C(A, U, t, V) + ridge * R(A, depth))


def linear_minimiser(L, *roots):
    r"""A minimiser for :math:`\lambda = 1/8`, and its targets: :math:`t = u^L + \lambda u^{2-L}` for roots u > 0.

    Where u is the local minimiser that is not global, the targets have another one: see ``jump``.
    """
    V, middle, U = rotation(rationals([["1/2"], [1], ["-1/3"]]))
    u, ridge = rationals(roots), rationals("1/8")
    f = balanced_factors(U, u, V, stack([middle] * (L - 1)))
    t = [q**L + (ridge * q ** (2 - L) if q != 0 else 0) for q in u]
    return {"f": f, "A": end_to_end(f), "U": U, "t": t, "V": V, "ridge": ridge, "depth": L}


def identity_as_minimiser(depth, dimension):
    """The identity, which is the minimiser for targets 1 + 1/8 and the ridge 1/8, at every depth."""
    frames = {f"{name}.chart": [0] * (dimension * (dimension - 1) // 2) for name in ("U", "V")}
    return {"A": np.eye(dimension, dtype=int), **frames, "t": ["9/8"] * dimension, "ridge": "1/8", "depth": depth}


SOURCE = Source("notion_of_rank", "Representation cost")
POSITIVE = interval(Q(1, 16), 4, role="ridge")
FRAME = derived(lifted(rotation), chart=reals(plane_rotations("dimension")))
TARGETS = {"U": FRAME, "t": interval(0, np.inf, "dimension"), "V": FRAME, "ridge": POSITIVE}
SIZES = {"depth": (1, 2, 3, 4, 6), "dimension": range(1, 4)}

CLAIM = Claim(
    id="notion_of_rank.ridge",
    title="Regularised parameters are regularised matrices",
    source=SOURCE,
    statement=chain_of_inequalities,
    domain=Domain(
        {"f": Networks(inputs="dimension", width="dimension", outputs="dimension", slope=1, biases=False), **TARGETS}, SIZES
    ),
    tight={
        "depth 2": partial(linear_minimiser, 2, "3/2", "1/2"),
        "depth 3": partial(linear_minimiser, 3, "3/2", 1),
        "depth 4, one value at zero": partial(linear_minimiser, 4, "5/4", 0),
        "depth 13": partial(linear_minimiser, 13, "9/8", "5/4"),
    },
    false_variants={
        "lambda / L on the norm, lambda on R": norm_divided_by_the_depth,
        "the last layer is free": last_layer_is_free,
    },
)

MATRICES = Claim(
    id="notion_of_rank.ridge.matrices",
    title="The minimum over matrices is that over singular values, one at a time",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=minimum_over_functions,
    domain=Domain({"A": reals("dimension", "dimension"), **TARGETS}, SIZES),
    tight={
        "depth 2": partial(linear_minimiser, 2, "3/2", "1/2"),
        "depth 3": partial(linear_minimiser, 3, "3/2", 1),
        "depth 4, one value at zero": partial(linear_minimiser, 4, "5/4", 0),
    },
    examples=[identity_as_minimiser(L, n) for L in SIZES["depth"] for n in SIZES["dimension"]],
    false_variants={
        "soft threshold at every depth": soft_threshold_at_every_depth,
        "zero is best": nothing_below_the_target,
    },
)
