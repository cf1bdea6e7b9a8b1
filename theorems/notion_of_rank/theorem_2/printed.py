r"""Theorem 2 as printed fails for a distribution on the square.

Statement
    Given :math:`f^*` of Jacobian rank k on a bounded :math:`\Omega`, for all :math:`\epsilon` there is :math:`c_\epsilon > 0`
    such that every function of bottleneck rank one that fits N points, drawn from a distribution with support :math:`\Omega`,
    has :math:`R/L > c_\epsilon N^{\frac2L(1 - \frac1k)}` with probability :math:`1 - \epsilon`.
Correction
    The labels need a density. Let the atoms of ``dense_atoms``, whose closure is the unit square, have the weights
    :math:`2^{-j-1}`, and let :math:`f^*` be the identity, k = 2. A sample of size :math:`N = 2^{J-2}` lies among the first J
    atoms with a probability of at least 3/4. Then one network fits it, of a norm of at most :math:`L + 16J^2`; for every c > 0
    that is below :math:`cLN^{1/L}` for large J. So no c serves :math:`\epsilon = 1/2`. With a density the theorem is true
    (``probability``).
Checked
    The printed bound for the interpolant of the first J atoms, with unit scales, at depth 3.
Source
    notion_of_rank, Theorem 2. The example is derived here.
"""

from theorems.notion_of_rank.theorem_2.dense_atoms import excess_of_the_first
from verify import Claim, Domain, FalseAsPrinted, Q, Source, interval
from verify.words import ge


def grows_with_the_sample(c, atoms):
    """For k = 2 and L = 3, to the third power, for a sample of size 2^(J - 2) of the first J atoms."""
    return ge(((3 + excess_of_the_first(atoms, c)) / 3) ** 3, c**3 * 2 ** (atoms - 2))


PRINTED = Claim(
    id="notion_of_rank.theorem_2.printed_support",
    title="The cost grows with N whenever the support is the square",
    source=Source("notion_of_rank", "Theorem 2"),
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_2.random_labels"),
    statement=grows_with_the_sample,
    domain=Domain({"c": interval(Q("1/16"), 1)}, {"atoms": (8, 48, 64)}),
)
