r"""The cross term of a linear network depends on the ends of a path alone.

Statement
    .. math:: \int_0^1\mathrm{Tr}[\partial_pA\,A^+A^{+T}A^T]dp = \log|A_1|_+ - \log|A_0|_+ .
Correction
    The rank must be constant: for diag(1, p) the integral from :math:`2^{-64}` to 1 is above 44, the logarithms are 0 and 0.
Checked
    Paths :math:`(I + pE + p^2G)A_0` with E, G so small that no rank changes, for :math:`A_0` of any rank. The integral is by
    Gauss' rule in floats and a rigorous enclosure on rationals, the other side by singular values: both agree to 30 bits.
    With a bias (derived here), :math:`K = A^TA + 11^T`, the integral is :math:`\frac12\log(|K_1|_+/|K_0|_+)`. With ReLUs the
    term depends on the path, in one orthant already: from b = c = 1 to b = c = 2 in [[1, -b], [c, 1]] it is 4 if b moves
    first, and 19/2 if c does.
Proof idea
    The integrand is the derivative of the logarithm (in symbols for 2 x 2).
Source
    leaky_resnets, Section 1.3, footnote; the form with bias is derived here.
"""

from flint import acb, arb

from theorems.leaky_resnets.constructions.linear_paths import LINEAR_PATHS, cross_term, with_ones
from verify import Claim, DerivedHere, Domain, Q, Source
from verify.numbers.arithmetic import ball, rational, rationals
from verify.numbers.symbolic import identically_zero
from verify.words import eq, ge, inner, le, log_pseudo_determinant, pinv, relu, stack


def agree(integral, A0, A1):
    """The integral against the logarithms of the pseudo-determinants of two matrices, to 30 bits.

    An equality of two balls would never be decided.
    """
    return le(abs(integral - (log_pseudo_determinant(A1) - log_pseudo_determinant(A0))), Q(1, 2**30))


def logarithm_of_the_ends(path):
    return agree(cross_term(path, bias=False), path.at(0), path.at(1))


def logarithm_with_bias(path):
    """Half the logarithm of the kernel is that of the pseudo-determinant with ones."""
    return agree(cross_term(path, bias=True), with_ones(path.at(0)), with_ones(path.at(1)))


# False variants


def logarithm_of_the_kernel(path):
    A0, A1 = path.at(0), path.at(1)
    return agree(cross_term(path, bias=False), A0.T @ A0, A1.T @ A1)


def logarithm_of_the_flow(path):
    """Right for invertible A only."""
    return agree(cross_term(path, bias=False), path.flow(0), path.flow(1))


def logarithm_of_the_ends_with_ones(path):
    return agree(cross_term(path, bias=False), with_ones(path.at(0)), with_ones(path.at(1)))


def logarithm_without_ones(path):
    return agree(cross_term(path, bias=True), path.at(0), path.at(1))


def logarithm_of_the_flow_with_bias(path):
    return agree(cross_term(path, bias=True), path.flow(0), path.flow(1))


# Exact parts


def derivative_in_symbols():
    """The derivative of log |det A| along B is Tr[A^-1 B] for 2 x 2, and Tr[B A^-1 A^-T A^T] is the same."""
    import sympy as sp

    A, B = (sp.Matrix(2, 2, sp.symbols(f"{name}:4", real=True)) for name in "ab")
    along = sum((sp.log(A.det() ** 2).diff(a) / 2 * b for a, b in zip(A, B, strict=True)), sp.Integer(0))
    inverse = A.inv()
    return identically_zero(along - (inverse * B).trace(), (B * inverse * inverse.T * A.T).trace() - (inverse * B).trace())


def rank_that_changes():
    """From p = 2**-64 to 1 the cross term of diag(1, p) is 64 log 2, more than 44; the logarithms of the ends are 0 and 0."""
    integral = acb.integral(lambda p, _: 1 / p, arb(2) ** -64, 1).real
    ends = [log_pseudo_determinant(rationals([[1, 0], [0, p]])) for p in (0, 1)]
    return ge(ball(integral), rational(44)) & eq(ends[0], ends[1])


def depends_on_the_path():
    """With ReLUs and no bias: b first or c first. The integrand is linear in b, so that its middle gives the integral."""

    def integrand(A, dA):
        S = pinv(relu(A))
        return inner(dA @ S, A @ S)

    first = [integrand(rationals([[1, "-3/2"], [c, 1]]), rationals([[0, -1], [0, 0]])) for c in (1, 2)]
    # while c moves, the integrand is zero
    second = [integrand(rationals([[1, -b], ["3/2", 1]]), rationals([[0, 0], [1, 0]])) for b in (1, 2)]
    return eq(stack([*first, *second]), rationals([4, "19/2", 0, 0]))


SIZES = {"width": range(1, 4), "points": range(1, 4)}

CLAIM = Claim(
    id="leaky_resnets.linear_cross_term",
    title="The cross term of a linear network depends on the ends of a path alone",
    source=Source("leaky_resnets", "Section 1.3, footnote"),
    statement=logarithm_of_the_ends,
    domain=Domain({"path": LINEAR_PATHS}, SIZES),
    not_known_tight={"": "an equality: balls of the integral and of the logarithms are never equal, but 30 bits of them are"},
    false_variants={
        "logarithm of the kernel": logarithm_of_the_kernel,
        "determinant of the flow": logarithm_of_the_flow,
        "logarithm with ones": logarithm_of_the_ends_with_ones,
    },
    exact={
        "derivative in symbols": derivative_in_symbols,
        "a rank that changes": rank_that_changes,
        "with ReLUs it depends on the path": depends_on_the_path,
    },
    cost=20,
)

WITH_BIAS = Claim(
    id="leaky_resnets.linear_cross_term.with_bias",
    title="With bias the cross term is half the log of a volume ratio",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=logarithm_with_bias,
    domain=Domain({"path": LINEAR_PATHS}, SIZES),
    not_known_tight={"": "an equality: balls of the integral and of the logarithms are never equal, but 30 bits of them are"},
    false_variants={
        "logarithm without ones": logarithm_without_ones,
        "determinant of the flow": logarithm_of_the_flow_with_bias,
    },
    cost=20,
)
