r"""Local minima of the regularised loss up to the first correction.

Statement
    The loss :math:`C(A) + \lambda R(A; L)` of linear networks is approximated by :math:`C(A) + \lambda L\,\mathrm{rank} A +
    2\lambda\log|A|_+`, whose minima first minimise the rank, and then the pseudo-determinant among matrices of equal rank.
Correction
    On the matrices of a rank k > 0 the approximation is not bounded from below, so that only local minima can be meant
    (``decoupled_objective``).
Checked
    For :math:`C(A) = \|A - T\|_F^2` where T has the singular values :math:`t_i = r_i + \lambda/r_i`, :math:`r_i^2 \ge \lambda`,
    on square matrices of full rank: no matrix with singular values :math:`s_i \ge \lambda/r_i` (both in descending order) is
    better than the one with the frames of T and the singular values :math:`r_i`. For numbers, :math:`r = (t + \sqrt{t^2 -
    4\lambda})/2` is the local minimum, and :math:`\lambda/r` the local maximum. The local minimum :math:`a_L` of
    :math:`(a - t)^2 + \lambda L|a|^{2/L}` tends to it (``.depth``):

    .. math:: \frac{2\lambda}L|\log a_L|\min(1, a_L^{2/L}) \le |a_L - r|\,(a_L + r - t)
              \le \frac{2\lambda}L|\log a_L|\max(1, a_L^{2/L}) ,

    and with a fitted rate of 1/L.
Proof idea
    :math:`\mathrm{Tr}[A^TT] \le \sum_i s_i(A)t_i`. The derivative of :math:`(s - t)^2 + 2\lambda\log s` has the zeros r and
    :math:`\lambda/r`. Both :math:`a_L` and r are stationary, so that :math:`(a_L - r)(t - a_L - r) = \lambda(a_L^{2/L} - 1)`.
Tight
    The local minimum; one singular value at a large depth.
Source
    bottleneck_structure, Section 3, after the Taylor expansion; the statements are derived here.
"""

import numpy as np

from theorems.shared.balanced import plane_rotations, rotated, rotation
from theorems.shared.scalars import largest_stationary_root
from verify import Claim, DerivedHere, Domain, Rate, Source, Tight, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import (
    Q,
    absolute,
    ge,
    le,
    lifted,
    log,
    log_pseudo_determinant,
    maximum,
    minimum,
    norm2,
    singular_values,
    sqrt,
)

framed = lifted(rotated)


def truncated(A, T, lam):
    return norm2(A - T) + 2 * lam * log_pseudo_determinant(A)


def local_minimum(U, r, V, A, lam):
    T = framed(U, r + lam / r, V)
    return le(truncated(framed(U, r, V), T, lam), truncated(A, T, lam))


def target_is_the_minimum(U, r, V, A, lam):
    T = framed(U, r + lam / r, V)
    return le(truncated(T, T, lam), truncated(A, T, lam))


def smaller_roots(U, r, V, A, lam):
    T = framed(U, r + lam / r, V)
    return le(truncated(framed(U, lam / r, V), T, lam), truncated(A, T, lam))


def above_the_smaller_root(r, A, lam):
    return (singular_values(A) >= lam / np.sort(r)[::-1]).all()


def minima_are_the_larger_roots(r, lam):
    return (r**2 >= lam).all()


def target(u, lam, L):
    r"""t, for which :math:`a_L = u^L` is stationary."""
    return u**L + lam * u**2 / u**L


def steps_at_depth(u, lam, L):
    r""":math:`L\,|a_L - r|\,(a_L + r - t)` and :math:`\lambda|\log a_L|`."""
    a, t = u**L, target(u, lam, L)
    r = (t + sqrt(t**2 - 4 * lam)) / 2
    return L * absolute(a - r) * (a + r - t), lam * absolute(log(a))


def minimum_at_depth(u, lam, depth):
    step, bound = steps_at_depth(u, lam, depth)
    above = le(step, 2 * bound * maximum(u**2, 1), name="from above")
    return above & ge(step, 2 * bound * minimum(u**2, 1), name="from below")


def of_higher_order(u, lam, depth):
    step, bound = steps_at_depth(u, lam, depth)
    return le(step * depth, 2 * bound * maximum(u**2, 1))


def without_the_maximum(u, lam, depth):
    step, bound = steps_at_depth(u, lam, depth)
    return le(step, 2 * bound)


def both_are_local_minima(u, lam, depth):
    r""":math:`t^2 > 4\lambda`, and :math:`a_L + r \ge t`."""
    t = target(u, lam, depth)
    return (t**2 > 4 * lam) & (2 * u**depth >= t)


def stationary_points_in_symbols():
    """The derivative of the approximation for numbers, factored; it has no zero where t^2 < 4 lambda."""
    import sympy as sp

    a, t, r, lam = sp.symbols("a t r lambda", positive=True)
    derivative = sp.diff((a - t) ** 2 + 2 * lam * sp.log(a), a)
    discriminant = sp.discriminant(sp.expand(derivative * a / 2), a)
    at_roots = derivative.subs(t, r + lam / r) * a / 2 - (a - r) * (a - lam / r)
    return identically_zero(at_roots, discriminant - (t**2 - 4 * lam))


def distances(depths, t=3.0, lam=1.0):
    """Distance of the local minimum at each depth to that of the approximation."""
    r = (t + np.sqrt(t**2 - 4 * lam)) / 2
    roots = [float(largest_stationary_root(np.array(t), np.array(lam), int(L))) for L in depths]
    return np.abs(np.array(roots) ** depths - r)


def at_the_minimum():
    """The minimum itself, between rotations."""
    U, V = rotation(rationals([["1/2"], ["-2/3"]]))
    return {"U": U, "r": [3, 1], "V": V, "A": rotated(U, rationals([3, 1]), V), "lam": "1/2"}


FRAME = derived(lifted(rotation), chart=reals(plane_rotations("dimension")))
RIDGE = interval(Q("1/16"), 4, role="ridge")

CLAIM = Claim(
    id="bottleneck_structure.truncated_objective",
    title="The loss up to the first correction has a local minimum",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=local_minimum,
    domain=Domain(
        {
            "U": FRAME,
            "r": interval(Q("1/8"), 8, "dimension"),
            "V": FRAME,
            "A": derived(framed, left=FRAME, values=interval(Q("1/16"), 8, "dimension"), right=FRAME),
            "lam": RIDGE,
        },
        {"dimension": range(1, 4)},
        {"no singular value below the local maximum": above_the_smaller_root, "larger roots": minima_are_the_larger_roots},
    ),
    needs=("no singular value below the local maximum", "larger roots"),
    tight={"the minimum": at_the_minimum},
    false_variants={"the target is the minimum": target_is_the_minimum, "the smaller roots": smaller_roots},
    exact={"stationary points in symbols": stationary_points_in_symbols},
)

DEPTH = Claim(
    id="bottleneck_structure.truncated_objective.depth",
    title="Local minima of deep networks tend to those of the truncated loss",
    source=Source("bottleneck_structure", "Section 3, minima of the approximation"),
    statement=minimum_at_depth,
    domain=Domain(
        {"u": interval(Q("1/4"), 2, role="free"), "lam": RIDGE},
        {"depth": (1, 2, 3, 4, 6, 14)},
        {"both are local minima": both_are_local_minima},
    ),
    tight={
        "near one": Tight(
            lambda: {"u": "1000000001/1000000000", "lam": "1/4", "depth": 3}, 1e-8, "terms of second order are left out"
        )
    },
    false_variants={"order 1 / L^2": of_higher_order, "without the maximum": without_the_maximum},
    rate=Rate(distances, tuple(2**k for k in range(5, 14)), -1.0),
)
