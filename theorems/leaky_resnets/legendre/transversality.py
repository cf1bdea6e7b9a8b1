r"""At the end of an optimal path the momentum is that of the loss.

With the target :math:`F = A_1 + \frac{\lambda N}2B` the end of a discrete path is optimal: moving it by D costs
:math:`\frac1N\|D\|^2 + \frac\lambda{2L\rho}\|D\|_K^2` more, without a term of first order.
"""

from theorems.leaky_resnets.constructions.representations import SHAPES, sigma
from theorems.leaky_resnets.legendre.transform import MOTION, momentum
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.words import eq, norm2, pinv


def cost_of_an_end(A1, F, A, S, L, lam, rho):
    r""":math:`\frac1N\|F - A_1\|^2 + \frac{\lambda\rho}{2L}\|LA + (A_1 - A)/\rho\|_K^2`, where S inverts the features."""
    return norm2(F - A1) / F.shape[1] + lam * rho / (2 * L) * norm2((L * A + (A1 - A) / rho) @ S)


def end_is_optimal(moved, W, L, lam, rho, sign=1):
    r"""What it costs to move the end of a path by :math:`D = W\sigma(A)`, where :math:`F = A_1 + \frac{\lambda N}2B`."""
    A, V = moved
    N, S, A1, D = A.shape[1], pinv(sigma(A)), A + L * rho * V, W @ sigma(A)
    F = A1 + sign * lam * N / 2 * momentum(A, V)
    more = cost_of_an_end(A1 + D, F, A, S, L, lam, rho) - cost_of_an_end(A1, F, A, S, L, lam, rho)
    return eq(more, norm2(D) / N + lam / (2 * L * rho) * norm2(D @ S))


CLAIM = Claim(
    id="leaky_resnets.legendre.transversality",
    title="At the end of an optimal path the momentum is that of the loss",
    source=Source("leaky_resnets", "Section 1.5"),
    status=DerivedHere(),
    statement=end_is_optimal,
    domain=Domain(
        {
            "moved": MOTION,
            "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
            "L": interval(1 / 4, 4, role="leak"),
            "lam": interval(1 / 8, 2, role="ridge"),
            "rho": interval(1 / 8, 1, role="step"),
        },
        SHAPES,
    ),
    false_variants={"the other sign": {"sign": -1}, "no momentum": {"sign": 0}},
    cost=2,
)
