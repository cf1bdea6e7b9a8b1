r"""Theorem 3 (3): linear maps on completely positive domains.

Statement
    Let :math:`\Omega` have the dimension k = rank A: at some x in it the image of the tangent space under A has it. If
    :math:`O_{in}^T O_{in}` is the projection P to :math:`(\ker A)^\perp`, :math:`O_{out}^T O_{out}` that to the image of A,
    and :math:`O_{in} x \ge 0`, :math:`O_{out} A x \ge 0` on :math:`\Omega`, then :math:`R^{(1)}(x \mapsto Ax; \Omega) =
    2\log|A|_+`. With :math:`B_0 = I`, :math:`B_\ell = (\sqrt{1 - \ell/L}\, O_{in};\; \sqrt{\ell/L}\, O_{out} A)`,
    :math:`B_L = A`, the network :math:`W_\ell = B_\ell B_{\ell-1}^+` is A on :math:`\Omega` and costs

    .. math:: \sum_i c(s_i^2), \qquad
              c(q) = \sum_{\ell=1}^L \frac{1 - t_\ell + t_\ell q}{1 - t_{\ell-1} + t_{\ell-1} q}, \quad t_\ell = \ell/L .
Correction
    The print has :math:`K_p = p K_{in} + (1 - p) K_{out}` with p growing along the layers, from A to the identity, and the
    identity for :math:`B_L`. "k dimensional" is the dimension of the domain itself, not that of its span: on the legs
    :math:`\{(s, 0)\} \cup \{(0, s)\}`, :math:`0 \le s \le 1`, which span the plane and are non-negative, the identity has a
    network of norm L + 6 (`prop_5.broken_line`).
Checked
    Value and norm of the network; for :math:`q = s^2 \ge 1` as below, and for q < 1 with
    the signs of the bounds changed and 1/q in them,

    .. math:: 0 \le c(q) - L - \log q - \frac{(q - 1)^2}{2Lq} \le \frac{(q - 1)^2 (1 - q^{-2})}{12 L^2} ;

    :math:`c(q) + c(1/q) = 2L + (q - 1)^2/(qL)`.
Proof idea
    :math:`B_\ell^T B_\ell = (1 - t)P + tA^TA` has the eigenvalues 1 - t + tq. The sum of the logarithms of the quotients is
    :math:`\log q`. The lower bound of the cost is ``lower_bound``.
Tight
    Singular values 1; near 1 up to the order of :math:`1/L^3`, on both sides.
Source
    bottleneck_structure, Theorem 3 (3); the exact cost and its bounds are derived here.
"""

from functools import partial
from itertools import pairwise

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from verify import (
    Claim,
    DerivedHere,
    Domain,
    Q,
    Source,
    Tight,
    derived,
    interval,
    reals,
    slopes,
)
from verify.networks import FullyConnected, leaky_relu
from verify.words import concatenate, eq, ge, le, lifted, log, nonnegative, sqrt, where

network, leaky, frame = lifted(FullyConnected), lifted(leaky_relu), lifted(reflected_frame)


def places(L):
    r""":math:`t_0, \ldots, t_L`."""
    return [Q(layer, L) for layer in range(L + 1)]


def kernel(t, q):
    """The eigenvalue 1 - t + tq of the kernel at t."""
    return (t.denominator - t.numerator + t.numerator * q) / t.denominator


def c(q, L):
    return sum(kernel(after, q) / kernel(before, q) for before, after in pairwise(places(L)))


def interpolating(L, U, s, V, O_in, O_out, alpha):
    r"""The network of the theorem for :math:`U \mathrm{diag}(s) V^T`, from :math:`O_{in} V` and :math:`O_{out} U`."""
    weights, before = [], V.T
    for t in places(L)[1:-1]:
        B = concatenate([O_in * sqrt(1 - t), O_out * s * sqrt(t)])
        weights.append(B @ before)
        before = (B / kernel(t, s**2)).T
    return network([*weights, (U * s) @ before], activation=leaky(alpha))


def network_is_the_map(U, s, V, O_in, O_out, alpha, x, depth):
    f = interpolating(depth, U, s, V, O_in, O_out, alpha)
    return eq(f(x), (U * s) @ V.T @ x, name="value") & eq(f.parameter_norm_squared, c(s**2, depth).sum(), name="norm")


def are_not_negative(s, V, O_in, O_out, x):
    return nonnegative(concatenate([O_in, O_out * s]) @ V.T @ x)


def rank_and_volume(q, depth):
    L = depth
    larger = where(q >= 1, q, 1 / q)
    error = (larger - 1) ** 2 * (1 - 1 / larger**2) / (12 * L**2)
    cost, middle = c(q, L) - log(q), L + (q - 1) ** 2 / (2 * L * q)
    return ge(cost, middle - where(q < 1, error, 0), name="below") & le(cost, middle + where(q > 1, error, 0), name="above")


def reciprocal_values(q, depth):
    return eq(c(q, depth) + c(1 / q, depth), 2 * depth + (q - 1) ** 2 / (q * depth))


def without_the_second_order(q, depth):
    return le(c(q, depth) - log(q), depth + (q - 1) ** 2 / (2 * depth * q))


def as_cheap_as_possible(q, depth):
    r"""The second correction of the cheapest representations, :math:`\frac12 \log^2 q`."""
    return le(c(q, depth) - log(q), depth + log(q) ** 2 / (2 * depth) + (q - 1) ** 2 / depth**2)


def only_the_logarithm(q, depth):
    return eq(c(q, depth) + c(1 / q, depth), 2 * depth)


def number_of_gaps(q, depth):
    return eq(c(q, depth) + c(1 / q, depth), 2 * depth + (q - 1) ** 2 / (q * (depth + 1)))


def norm_of_balanced_layers(U, s, V, O_in, O_out, alpha, depth):
    return eq(interpolating(depth, U, s, V, O_in, O_out, alpha).parameter_norm_squared, (depth + log(s**2)).sum())


def value_of_the_isometry(U, s, V, O_in, O_out, alpha, x, depth):
    """A coordinate of the isometry in place of one of A."""
    return eq(interpolating(depth, U, s, V, O_in, O_out, alpha)(x)[0], O_in[0] @ V.T @ x)


def fits(sizes):
    return sizes["k"] <= min(sizes["inputs"], sizes["outputs"], sizes["embedded"])


ORDER = "equal up to the order of 1/L^3"
SECOND = "the terms of order 1/L^2"
NOT_NEGATIVE = {"the isometries make x non-negative": are_not_negative}
SOURCE = Source("bottleneck_structure", "Theorem 3 (3)")
SQUARES = Domain({"q": interval(Q(1, 64), 64, often=(1,))}, {"depth": (1, 2, 3, 4, 6, 13, 40)})

COST = Claim(
    id="bottleneck_structure.theorem_3.linear_maps",
    title="The interpolating network costs rank and volume, up to 1/L",
    source=SOURCE,
    statement=rank_and_volume,
    domain=SQUARES,
    tight={
        "a singular value 1": {"q": 1, "depth": 5},
        "5/4, above": Tight(partial(dict, q="5/4", depth=40), 2e-13, ORDER, of=("above",)),
        "4/5, below": Tight(partial(dict, q="4/5", depth=40), 2e-13, ORDER, of=("below",)),
        "5/4, below": Tight(partial(dict, q="5/4", depth=200), 3e-10, SECOND, of=("below",)),
        "4/5, above": Tight(partial(dict, q="4/5", depth=200), 3e-10, SECOND, of=("above",)),
    },
    false_variants={
        "without the second order": without_the_second_order,
        "the second correction of the cheapest": as_cheap_as_possible,
    },
)

PAIRS = Claim(
    id="bottleneck_structure.theorem_3.linear_maps.reciprocal",
    title="What reciprocal singular values cost together",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=reciprocal_values,
    domain=SQUARES,
    false_variants={"2L": only_the_logarithm, "L + 1": number_of_gaps},
)

NETWORK = Claim(
    id="bottleneck_structure.theorem_3.linear_maps.network",
    title="The interpolating network is the linear map on its domain",
    source=SOURCE,
    statement=network_is_the_map,
    domain=Domain(
        {
            "U": derived(frame, mirrors=reals("k", "outputs")),
            "s": interval(Q(1, 4), 4, "k"),
            "V": derived(frame, mirrors=reals("k", "inputs")),
            "O_in": derived(frame, mirrors=reals("k", "embedded")),
            "O_out": derived(frame, mirrors=reals("k", "embedded")),
            "alpha": slopes(),
            "x": reals("inputs"),
        },
        {"depth": (1, 2, 3, 6), "k": (1, 2, 3), "inputs": (1, 3, 4), "outputs": (1, 3), "embedded": (1, 2, 3)},
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
