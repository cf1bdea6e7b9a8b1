r"""Solving with :math:`K + \gamma I` in place of a pseudo-inverse.

Statement
    The norm with :math:`(K + \gamma I)^{-1}`, which is computed by solving, stands for the norm with :math:`K^+`, which is
    numerically unstable.
Checked
    For invertible K with the smallest eigenvalue k, and every M,

    .. math:: \frac k{k + \gamma}\|M\|_K^2 \le \|M\|_{K+\gamma I}^2 \le \|M\|_K^2 ,

    so that both agree as :math:`\gamma \to 0`. For any two kernels, singular or not,

    .. math:: \bigl|\|M\|_{K+\gamma I}^2 - \|M\|_{K'+\gamma I}^2\bigr| \le \frac{\|K - K'\|_{op}}{\gamma^2}\|M\|_F^2 ,

    while the formula with the pseudo-inverse obeys no such bound: for M = (0, 1) it is :math:`10^9` at
    diag(1, :math:`10^{-9}`) and 0 at diag(1, 0).
Proof idea
    Eigenvalues; the resolvent identity.
Tight
    The direction of the smallest eigenvalue; a large kernel; kernels that come together in the direction of a kernel vector.
Source
    leaky_resnets, Appendix B (and the remark in Section 1.3); the constants are derived here.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, sigma
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval, reals
from verify.networks.leaky_resnet import activation_kernel, stable_kernel_norm_squared
from verify.numbers.arithmetic import rational, rationals
from verify.words import (
    absolute,
    eq,
    eye,
    ge,
    inner,
    le,
    lifted,
    norm2,
    operator_norm,
    pinv,
    rank,
    singular_values,
    where,
    zeros,
)

kernel, stable_norm2 = lifted(activation_kernel), lifted(stable_kernel_norm_squared)


def near_the_inverse(A, M, gamma):
    F = sigma(A)
    norm, stable, k = norm2(M @ pinv(F)), stable_norm2(M, kernel(A), gamma), singular_values(F)[-1] ** 2
    return le(stable, norm, name="smaller") & ge(stable, k / (k + gamma) * norm, name="near")


def near_by_the_largest_eigenvalue(A, M, gamma):
    F = sigma(A)
    k = operator_norm(F) ** 2
    return ge(stable_norm2(M, kernel(A), gamma), k / (k + gamma) * norm2(M @ pinv(F)))


def moves_little(pair, M, gamma, power=2):
    K, K1 = kernel(pair[0]), kernel(pair[1])
    difference = absolute(stable_norm2(M, K, gamma) - stable_norm2(M, K1, gamma))
    return le(difference, operator_norm(K - K1) * norm2(M) / gamma**power)


def pseudo_inverse_moves_little(pair, M, gamma):
    K, K1 = kernel(pair[0]), kernel(pair[1])
    difference = absolute(norm2(M @ pinv(sigma(pair[0]))) - norm2(M @ pinv(sigma(pair[1]))))
    return le(difference, operator_norm(K - K1) * norm2(M) / gamma**2)


def beside(A, D, near):
    """A and a representation nearby, or where `near` is 0 far from it."""
    return A, A + where(near == 0, D, D / 64)


def nearly_singular():
    """For M = (0, 1): the pseudo-inverse at diag(1, 1e-9) and diag(1, 0), and the stable norms for gamma = 1/1000."""
    M, gamma = rationals([[0, 1]]), rational("1/1000")
    near, singular = rationals([[1, 0], [0, "1/1000000000"]]), rationals([[1, 0], [0, 0]])
    difference = absolute(stable_norm2(M, near, gamma) - stable_norm2(M, singular, gamma))
    return (
        eq(inner(M @ pinv(near), M), 10**9)
        & eq(inner(M @ pinv(singular), M), 0)
        & le(difference, Q(1, 1000))
        & eq(stable_norm2(M, singular, gamma), 1000)
    )


def out_of_the_kernel():
    """From equal activations, whose kernel is singular, a little apart in the direction of its kernel."""
    A, D = rationals([[1, 1], [1, 1]]), rationals([[1, -1], [-1, 1]])
    return {"pair": (A, A + rational("1/100000") * D), "M": [[1, -1]], "gamma": 1}


def neurons_that_wake(width, points):
    """Activations 0, and two neurons that become active at a point each: the kernel moves by a multiple of a projection."""
    rest = {"rows": zeros(width, points), "mix": zeros(width, width + 1), "family": 0, "origin": 1}
    pair = {f"pair.A.{name}": value for name, value in rest.items()}
    moved = {"pair.D": eye(4)[:width, :points], "pair.near": 1, "M": [[1, -1] + [0] * (points - 2)], "gamma": 2}
    return {**pair, **moved}


INVERTIBLE = "the kernel is invertible"
SOURCE = Source("leaky_resnets", "Appendix B")
ROWS = [[1, -1], [2, -2]]

CLAIM = Claim(
    id="leaky_resnets.stable_solve",
    title="The norm with gamma is near the norm of an invertible kernel",
    source=SOURCE,
    status=DerivedHere(),
    statement=near_the_inverse,
    domain=Domain(
        {
            "A": REPRESENTATION,
            "M": reals(2, "points", role="two rows of the next values"),
            "gamma": interval(1 / 64, 2, role="free"),
        },
        SHAPES,
        {INVERTIBLE: lambda A: rank(sigma(A)) == A.shape[1]},
    ),
    needs=(INVERTIBLE,),
    tight={
        # two neurons, each active for one point: (1, -1) has the eigenvalue 1
        "smallest eigenvalue": Tight(lambda: {"A": [[1, 0], [0, 1]], "M": ROWS, "gamma": "1/4"}, of=("near",)),
        "large kernel": Tight(
            lambda: {"A": [[1000, 0], [0, 1000]], "M": ROWS, "gamma": "1/64"},
            1e-7,
            "approached as the kernel grows",
            of=("smaller",),
        ),
    },
    false_variants={"largest eigenvalue": near_by_the_largest_eigenvalue},
    cost=2,
)

STABLE = Claim(
    id="leaky_resnets.stable_solve.stable",
    title="The norm with gamma is Lipschitz in the kernel",
    source=SOURCE,
    status=DerivedHere(),
    statement=moves_little,
    domain=Domain(
        {
            "pair": derived(
                beside, A=REPRESENTATION, D=reals("width", "points", role="change of values"), near=integers(0, 1, role="0")
            ),
            "M": reals(1, "points", role="one row of the next values"),
            "gamma": interval(1 / 4, 2, role="free"),
        },
        SHAPES,
    ),
    tight={"out of the kernel": Tight(out_of_the_kernel, 1e-8, "approached as the kernels come together")},
    false_variants={"gamma for its square": {"power": 1}, "pseudo-inverse": pseudo_inverse_moves_little},
    examples=[neurons_that_wake(width, points) for width in (2, 3) for points in (2, 3, 4)],
    exact={"diag(1, 1e-9)": nearly_singular},
    cost=2,
)
