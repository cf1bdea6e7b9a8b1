r"""Adaptive steps are the best for the present speeds.

Statement
    With :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell \|A_\ell\|)` of the present layers, taken as fixed numbers, it is
    optimal to choose these steps, so that the relative distances :math:`\rho_\ell c_\ell` are the same.
Checked
    Of all positive steps that add up to 1, these have the smallest :math:`\max_\ell \rho_\ell c_\ell`, namely
    :math:`1 / \sum_j c_j^{-1}`, which is their :math:`\rho_\ell c_\ell` in every layer.
Tight
    The adaptive steps themselves.
Not checked
    That repeated updates make the distances approximately equal while the path is trained: nothing precise is printed. On a
    path that stays as it is they need not: in a family of paths of speed 1, 4, 1 (half circles among them) two layers go from
    the steps (1/3, 2/3) to (2/3, 1/3) and back for ever, with distances 1 : 4 and 4 : 1 (``.cycle``).
Source
    leaky_resnets, Section 3; the cycle is derived here.
"""

from verify import Claim, DerivedHere, Domain, Source, Tight, interval
from verify.networks import leaky_resnet
from verify.words import eq, greatest, le, lifted, norm2, vector

adaptive_steps = lifted(leaky_resnet.adaptive_steps)


def best_for_fixed_speeds(c, shares):
    """Steps in the proportions of any positive shares against the adaptive ones."""
    common = 1 / (1 / c).sum()
    return le(common, greatest(shares / shares.sum() * c), name="best") & eq(adaptive_steps(c) * c, common, name="equal")


def equidistant_steps_are_best(c, shares):
    return le(greatest(c) / len(c), greatest(shares / shares.sum() * c))


def steps_by_squared_speeds(c, shares):
    return le(greatest(adaptive_steps(c**2) * c), greatest(shares / shares.sum() * c))


def on_circle(t):
    """The point at twice the angle with the tangent t."""
    return vector(1 - t**2, 2 * t) / (1 + t**2)


def turned(u, v):
    """The point u turned by the angle of v."""
    return vector(u[0] * v[0] - u[1] * v[1], u[0] * v[1] + u[1] * v[0])


def path(m):
    r"""At p = 0, 1/3, 2/3 and 1: half angles with the tangents :math:`t = 2m/(15 + m^2)` and :math:`4t/(1 - mt)`, then both.

    :math:`1 - 15t^2 = (1 - mt)^2`, so that the chord of the second angle is four times that of the first. Norms are 1.
    """
    t = 2 * m / (15 + m**2)
    first, second = on_circle(t), on_circle(4 * t / (1 - m * t))
    return [vector(1, 0), first, second, turned(first, second)]


def update_cycles(m, ratio=4):
    r"""Distances are as 1 to 4 for the steps (1/3, 2/3), and as 4 to 1 for (2/3, 1/3).

    An update makes the steps proportional to :math:`\rho_\ell/d_\ell`: to 1 and 2/4, then to 2/4 and 1.
    """
    A0, A1, A2, A3 = path(m)
    return eq(ratio**2 * norm2(A1 - A0), norm2(A3 - A1), name="forth") & eq(
        norm2(A2 - A0), ratio**2 * norm2(A3 - A2), name="back"
    )


def update_keeps_the_steps(m):
    A0, A1, _, A3 = path(m)
    return eq(norm2(A1 - A0), norm2(A3 - A1))


def update_makes_distances_equal(m):
    A0, _, A2, A3 = path(m)
    return eq(norm2(A2 - A0), norm2(A3 - A2))


CLAIM = Claim(
    id="leaky_resnets.adaptive_steps",
    title="Adaptive steps are the best for fixed speeds",
    source=Source("leaky_resnets", "Section 3"),
    statement=best_for_fixed_speeds,
    domain=Domain(
        {"c": interval(1 / 16, 16, "layers"), "shares": interval(1 / 16, 16, "layers")}, {"layers": (1, 2, 3, 4, 6, 14)}
    ),
    tight={"the adaptive steps themselves": Tight(lambda: {"c": [1, 2, 3], "shares": [6, 3, 2]}, of=("best",))},
    false_variants={
        "equidistant steps": equidistant_steps_are_best,
        "the squares of the speeds": steps_by_squared_speeds,
    },
)

CYCLE = Claim(
    id="leaky_resnets.adaptive_steps.cycle",
    title="Repeated updates can go in a cycle, with distances as 1 to 4",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=update_cycles,
    domain=Domain({"m": interval(1, 8)}),
    false_variants={"equal distances": update_makes_distances_equal, "the steps are kept": update_keeps_the_steps},
)
