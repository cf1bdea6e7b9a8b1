r"""Theorem 2 fails for dense atoms: the cost of a fit grows no faster than the squared logarithm of the sample's size.

Statement
    Let :math:`a_j = (\phi_2(j), \phi_3(j))`, j = 0, 1, ..., where :math:`\phi_b` mirrors the digits of j in base b at the
    point; these atoms are dense in the unit square. The interpolant of Proposition 2 along (1, 0) through any of the first
    J of them, with the atoms as labels, has at every depth L >= 3

    .. math:: R \le L + 16 J^2 .

    If the atom j has the weight :math:`2^{-j-1}`, then a sample of size N lies among the first J with a probability of at least
    :math:`1 - 2^{-J} N`. So with probability :math:`1 - \epsilon` it is fitted at a cost of at most
    :math:`L + 16(1 + \log_2\frac N\epsilon)^2`. That is below :math:`cLN^{\frac2L(1 - \frac1k)}` for every c > 0 and large N,
    though the support is the square and the true function, the identity, has rank k = 2.
Checked
    The bound, for samples of up to 64 atoms, and the norm of three atoms by hand. Exactly: for L = 3, c = 1/1000 and
    :math:`\epsilon = 1/10` it is below what is printed for :math:`N = 2^{80}`, and all but 1/10 of these samples are fitted so.
Proof idea
    Two of the first J atoms differ by at least :math:`1/(2J)` in the first coordinate. So each of fewer than J slopes is at
    most :math:`2\sqrt2J`, and each bend at most twice that.
Not checked
    That the atoms are dense (they are van der Corput's and Halton's).
Source
    ours, beside Theorem 2 of notion_of_rank.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.rank_one import least_norm, rank_one_curve
from verify import Claim, Domain, Ours, Relation, Source, integers, le
from verify.arithmetic import Array, absolute, floats, is_exact, rationals, sqrt


def mirrored_digits(number: int, base: int) -> Any:
    """The digits of a number mirrored at the point, a rational of [0, 1)."""
    value, weight = rationals(0)[()], rationals(1)[()]
    while number:
        weight = weight / base
        value, number = value + weight * (number % base), number // base
    return value


ATOMS = rationals(np.array([[mirrored_digits(j, base) for base in (2, 3)] for j in range(64)], dtype=object))
"""The first atoms."""


def drawn(sample: Array) -> tuple[Array, npt.NDArray[np.intp]]:
    """The atoms of a sample of their numbers, in the arithmetic of the sample, and how many come before its last one."""
    numbers = np.asarray(sample, dtype=np.intp)
    atoms = ATOMS if is_exact(sample) else floats(ATOMS)
    return np.asarray(atoms[numbers]), numbers.max(axis=-1) + 1


def norm_of_the_fit(atoms: Array, depth: int) -> Array:
    """The norm of the interpolant along the first axis, shape ``(..., N, 2) -> (...)``."""
    return least_norm(rank_one_curve(atoms, atoms, 0 * atoms[..., 0, :] + np.array([1, 0])), depth)


def most(first: Any, depth: int, factor: int) -> Any:
    """The bound for so many first atoms."""
    return depth + factor * first**2


def cheap_fit(sample: Array, depth: Depth, factor: int = 16) -> Relation:
    """The norm of the interpolant, and its bound."""
    atoms, first = drawn(sample)
    norm = norm_of_the_fit(atoms, depth.depth)
    return le(norm, most(0 * norm + first, depth.depth, factor))


def below_the_printed_bound() -> Relation:
    """For L = 3, c = 1/1000, epsilon = 1/10: J = 84 atoms suffice for 2^80 points, at a cost below c N^(1/3) per layer."""
    atoms, size = 84, 2**80
    unlikely = le(rationals([size]) / 2**atoms, rationals(["1/10"]))
    return unlikely & le((most(rationals([atoms]), 3, 16) / 3) ** 3, rationals([size]) / 1000**3)


def three_atoms() -> Relation:
    r"""The atoms 0, 1, 3, which are (0, 0), (1/2, 1/3), (3/4, 1/9), by hand: slopes (1, 2/3) and (1, -8/9), and the norm

    .. math:: L - 2 + 2\frac{\sqrt{13}}3 + 2\frac{14}9\sqrt{1 + \tfrac14} .
    """
    found = norm_of_the_fit(drawn(rationals([[3, 0, 1, 3]]))[0], 5)
    stated = 3 + 2 * sqrt(rationals([13])) / 3 + 28 * sqrt(rationals([5])) / 18
    return le(absolute(found - stated), rationals(["1/100000000000000000000"]))


# False variants


def fit_of_bounded_cost(sample: Array, depth: Depth) -> Relation:
    """A cost that does not depend on the number of atoms."""
    norm = norm_of_the_fit(drawn(sample)[0], depth.depth)
    return le(norm, 0 * norm + depth.depth + 16)


def fit_of_linear_cost(sample: Array, depth: Depth) -> Relation:
    """A cost in proportion to the number of atoms."""
    atoms, first = drawn(sample)
    norm = norm_of_the_fit(atoms, depth.depth)
    return le(norm, depth.depth + 4 * (0 * norm + first))


CLAIM = Claim(
    id="notion_of_rank.theorem_2.dense_atoms",
    title="For dense atoms the cost of a fit grows like the squared logarithm of the size of the sample at most",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=cheap_fit,
    domain=Domain({"sample": integers(0, 63, "count"), "depth": GIVEN_DEPTH}, {"count": (2, 5, 16, 64), "depth": (3, 4, 9)}),
    loose={
        "": "the steps of neighbours are never all as steep as can be",
        "factor": "the steps of neighbours are never all as steep as can be",
    },
    false_variants={"bounded": fit_of_bounded_cost, "linear in the number of atoms": fit_of_linear_cost},
    exact={"below the printed bound": below_the_printed_bound, "three atoms": three_atoms},
    cost=8,
)
