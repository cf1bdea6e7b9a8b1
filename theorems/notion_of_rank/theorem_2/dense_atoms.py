r"""Theorem 2 fails for dense atoms: the cost grows like a logarithm.

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
    derived here, beside Theorem 2 of notion_of_rank.
"""

import numpy as np

from theorems.notion_of_rank.prop_2.minimisers import least_norm
from theorems.notion_of_rank.prop_2.statement import curve, squared_norm
from verify import Claim, DerivedHere, Domain, Source, integers
from verify.numbers.arithmetic import rationals
from verify.words import absolute, floor, greatest, le, ones, sqrt, stack, vector


def mirrored(j, b, digits):
    r""":math:`\phi_b(j)` of numbers with so many digits."""
    whole = [floor(j / b**k) for k in range(digits + 1)]
    return sum((whole[k] - b * whole[k + 1]) / b ** (k + 1) for k in range(digits))


def fit(sample):
    """The interpolant along the first axis, and that axis."""
    X, u = stack([mirrored(sample, 2, 6), mirrored(sample, 3, 4)], axis=1), vector(1, 0)
    return curve(X, X, u), u


def norm_of_the_fit(sample, L):
    h, u = fit(sample)
    return least_norm(h, u, L)


def excess_of_the_first(atoms, c):
    """Squared norm less depth of the interpolant of unit scales through the first atoms, for L >= 3; in the arithmetic of c."""
    h, u = fit(0 * c + np.arange(atoms))
    return squared_norm(h, u, ones(len(h[1])), 3) - 3


def cheap_fit(sample, depth, factor=16):
    J = greatest(sample) + 1
    return le(norm_of_the_fit(sample, depth), depth + factor * J**2)


def fit_of_bounded_cost(sample, depth):
    return le(norm_of_the_fit(sample, depth), depth + 16)


def fit_of_linear_cost(sample, depth):
    return le(norm_of_the_fit(sample, depth), depth + 4 * (greatest(sample) + 1))


def below_the_printed_bound():
    """For L = 3, c = 1/1000, epsilon = 1/10: J = 84 atoms suffice for 2^80 points, at a cost below c N^(1/3) per layer."""
    J, N = rationals(84), rationals(2**80)
    return le(N / 2**84, rationals("1/10")) & le(((3 + 16 * J**2) / 3) ** 3, N / 1000**3)


def three_atoms():
    r"""The atoms 0, 1, 3, which are (0, 0), (1/2, 1/3), (3/4, 1/9), by hand: slopes (1, 2/3) and (1, -8/9), and the norm

    .. math:: L - 2 + 2\frac{\sqrt{13}}3 + 2\frac{14}9\sqrt{1 + \tfrac14} .
    """
    stated = 3 + 2 * sqrt(rationals(13)) / 3 + 28 * sqrt(rationals(5)) / 18
    return le(absolute(norm_of_the_fit(rationals([3, 0, 1, 3]), 5) - stated), rationals("1e-20"))


CLAIM = Claim(
    id="notion_of_rank.theorem_2.dense_atoms",
    title="For dense atoms the cost of a fit grows at most like log(N)^2",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=cheap_fit,
    domain=Domain({"sample": integers(0, 63, "count")}, {"count": (2, 5, 16, 64), "depth": (3, 4, 9)}),
    not_known_tight={
        "": "the steps of neighbours are never all as steep as can be",
        "factor": "the steps of neighbours are never all as steep as can be",
    },
    false_variants={"bounded": fit_of_bounded_cost, "linear in the number of atoms": fit_of_linear_cost},
    exact={"below the printed bound": below_the_printed_bound, "three atoms": three_atoms},
    cost=8,
)
