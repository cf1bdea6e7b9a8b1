r"""When the bias does not matter for the linear cross term.

Statement
    On a path :math:`A_p = \Phi_pA_0` with :math:`1 \notin \mathrm{Im}\,A_0^T`,
    :math:`|K_1|_+/|K_0|_+ = |A_1|_+^2/|A_0|_+^2` with :math:`K = A^TA + 11^T`.
Checked
    The product form, on rationals; that it fails where the constants are a combination of the rows.
Proof idea
    :math:`|A^TA + 11^T|_+ = |A|_+^2d^2`, with the distance d of 1 from :math:`\mathrm{Im}\,A^T`, which the flow does not move.
Source
    leaky_resnets, Section 1.3, footnote; the statement is derived here.
"""

from theorems.leaky_resnets.constructions.linear_paths import LINEAR_PATHS, squared_determinant, with_ones
from verify import Claim, DerivedHere, Domain, Source
from verify.networks.leaky_resnet import is_in_row_space
from verify.words import eq, lifted


def biases_do_not_matter(path):
    """The pseudo-determinants of the Gram matrices of the ends, with ones and without."""
    A0, A1 = path.at(0), path.at(1)
    return eq(
        squared_determinant(with_ones(A1)) * squared_determinant(A0),
        squared_determinant(A1) * squared_determinant(with_ones(A0)),
    )


def ones_are_of_no_account(path):
    return eq(squared_determinant(with_ones(path.A0)), squared_determinant(path.A0))


OUTSIDE = Claim(
    id="leaky_resnets.linear_cross_term.outside",
    title="If the rows do not span the constants, the bias does not matter",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=biases_do_not_matter,
    domain=Domain(
        {"path": LINEAR_PATHS},
        {"width": range(1, 4), "points": range(1, 4)},
        {"the constants are outside": lambda path: ~lifted(is_in_row_space)(0 * path.A0[:1] + 1, path.A0)},
    ),
    needs=("the constants are outside",),
    false_variants={"the ones are of no account": ones_are_of_no_account},
    cost=8,
)
