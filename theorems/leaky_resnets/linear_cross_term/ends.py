r"""Where constants are no combination of the rows, the bias does not matter for the cross term of a linear network.

Statement
    On a path :math:`A_p = \Phi_pA_0` with :math:`1 \notin \mathrm{Im}\,A_0^T`,
    :math:`|K_1|_+/|K_0|_+ = |A_1|_+^2/|A_0|_+^2` with :math:`K = A^TA + 11^T`.
Checked
    The product form, on rationals; that it fails where the constants are a combination of the rows.
Proof idea
    :math:`|A^TA + 11^T|_+ = |A|_+^2d^2`, with the distance d of 1 from :math:`\mathrm{Im}\,A^T`, which the flow does not move.
Source
    leaky_resnets, Section 1.3, footnote; the statement is ours.
"""

from __future__ import annotations

from theorems.leaky_resnets.constructions.linear_paths import LINEAR_PATHS, LinearPath, with_ones
from theorems.leaky_resnets.constructions.representations import ones_like_row, transposed
from verify import Claim, Domain, Measured, Ours, Relation, Source, eq, measured
from verify.arithmetic import Array, is_exact
from verify.matrices import operator_norm, pseudo_determinant, pseudo_inverse
from verify.networks.leaky_resnet import is_in_row_space


def biases_do_not_matter(path: LinearPath) -> Relation:
    """The pseudo-determinants of the Gram matrices of the ends, with ones and without."""
    start, end = (squared_determinant(path.at(position)) for position in (0, 1))
    start_with_ones, end_with_ones = (squared_determinant(with_ones(path.at(position))) for position in (0, 1))
    return eq(end_with_ones * start, start_with_ones * end)


def squared_determinant(A: Array) -> Measured:
    """The square of the pseudo-determinant: for rationals that of the Gram matrix, which is rational.

    In floats small singular values are known up to the rounding errors of the largest.
    """
    if is_exact(A):
        return measured(pseudo_determinant(transposed(A) @ A))
    condition = operator_norm(A) * operator_norm(pseudo_inverse(A))
    return measured(pseudo_determinant(A) ** 2, 2.0**-46 * condition * pseudo_determinant(A) ** 2)


# False variants


def ones_are_of_no_account(path: LinearPath) -> Relation:
    """As if the pseudo-determinant with ones were that without."""
    return eq(squared_determinant(with_ones(path.start)), squared_determinant(path.start))


def ones_are_outside(path: LinearPath) -> Array:
    """Whether the constants are no combination of the rows."""
    return ~is_in_row_space(ones_like_row(path.start), path.start)


OUTSIDE = Claim(
    id="leaky_resnets.linear_cross_term.outside",
    title="Where constants are no combination of the rows, the bias does not matter",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=biases_do_not_matter,
    domain=Domain(
        {"path": LINEAR_PATHS},
        {"width": range(1, 4), "points": range(1, 4)},
        {"the constants are outside": ones_are_outside},
    ),
    needs=("the constants are outside",),
    false_neighbours={"the ones are of no account": ones_are_of_no_account},
    cost=8,
)
