r"""Theorem 4 as printed fails at local minimisers.

Statement
    For points :math:`x = (x_1, x_2)` with :math:`x_1 > x_2 > 0`, M equal layers of length :math:`\rho = 1/M` and a number
    :math:`\tau > 0`, put :math:`c = 1 - \rho L(1 - \tau) > 0`. The network with the weights :math:`W_\ell = (L\tau, 0)` has

    .. math:: A_\ell = c^\ell x, \qquad B_\ell = \frac{\tau}{c^{\ell-1}(x_1 - x_2)}(1, -1), \qquad
              -\tfrac2L\mathcal H(A_{\ell-1}, B_\ell) = 1 - (1 - \tau)^2

    and is critical for the target :math:`F = A_M + \lambda B_M`. For :math:`\lambda \le c^{2M-1}(x_1 - x_2)^2/(2\tau)` the
    second derivative of the loss along any direction :math:`\delta` is at least
    :math:`\frac{\rho\lambda}L\sum\|\delta_\ell\|^2`: a strict local minimiser, with the same convexity for every number of
    layers. As M grows it becomes the path

    .. math:: A_p = \frac xE, \qquad B_p = \frac{\tau E}{x_1 - x_2}(1, -1), \qquad E = e^{L(1 - \tau)p} ,

    of which Theorem 4 speaks. There the printed law for the speed fails, where its radicand is not negative.
Checked
    The first and the second derivative along every direction, from values of the loss, a polynomial along it; the closed form
    of the path of layers; that the Hessian of a network of two layers is positive definite, by its leading minors on rationals;
    and the printed law at both ends of the path of the theorem, for :math:`\tau < 1`. That this path solves Hamilton's
    equations is checked in ``trajectories``.
Proof idea
    Along :math:`\delta_\ell = (v_\ell, u_\ell)` the second derivative is

    .. math:: \frac{\rho\lambda}L\sum\|\delta_\ell\|^2
              + \frac{\lambda\rho^2\tau}c\Bigl[\sum v_\ell^2 - \bigl(\sum v_\ell\bigr)^2\Bigr]
              + \rho^2\Bigl\|\bigl(\sum v_\ell\bigr)c^{M-1}x + \sum c^{M-\ell}u_\ell\mathbf 1\Bigr\|^2 ,

    and the last square is at least half of :math:`(c^{M-1}(x_1 - x_2)\sum v_\ell)^2`. With :math:`\sum v_\ell^2 \ge
    (\sum v_\ell)^2/M` the bound of :math:`\lambda` may be M/(M - 1) times as large; for a path it is the same.
Tight
    Biases that move without an effect on the outputs.
Source
    Derived here; the printed law is leaky_resnets, Theorem 4.
"""

from typing import Any, NamedTuple

from theorems.leaky_resnets.constructions.losses import difference_weight
from theorems.leaky_resnets.constructions.phase_points import hamiltonian
from theorems.leaky_resnets.constructions.seen_trajectories import kernel, kernel_norm2, velocity
from theorems.leaky_resnets.theorem_4.statement import NOT_NEGATIVE
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, Tight, derived, integers, interval
from verify.networks import leaky_resnet
from verify.numbers.arithmetic import rational, rationals
from verify.words import (
    concatenate,
    determinant,
    eq,
    ge,
    le,
    lifted,
    nonnegative,
    norm,
    norm2,
    positive,
    relu,
    sqrt,
    stack,
    vector,
    where,
)

step, critical_weights = lifted(leaky_resnet.symplectic_euler_step), lifted(leaky_resnet.critical_weights)
STEP = 64
"""The loss is taken at multiples of the direction, divided by this: no activation becomes negative."""


class TwoPoints(NamedTuple):
    r"""The points (second + gap, second), :math:`\tau`, the leak and a direction :math:`\delta`, shape ``(M, 1, 2)``."""

    second: Any
    gap: Any
    tau: Any
    L: Any
    delta: Any


def kept(instance):
    r""":math:`c = 1 - \rho L(1 - \tau)`."""
    return 1 - instance.L * (1 - instance.tau) / len(instance.delta)


def points(instance):
    return stack([vector(instance.second + instance.gap, instance.second)])


def activations(instance):
    r""":math:`A_\ell = c^\ell x`, for all :math:`\ell`."""
    return [kept(instance) ** ell * points(instance) for ell in range(len(instance.delta) + 1)]


def adjoints(instance):
    r""":math:`B_\ell = \frac{\tau}{c^{\ell-1}(x_1 - x_2)}(1, -1)`."""
    b, M = instance.tau / instance.gap, len(instance.delta)
    return [kept(instance) ** (1 - ell) * stack([vector(b, -b)]) for ell in range(M + 1)]


def target(instance, ridge):
    r""":math:`F = A_M + \lambda B_M`."""
    return activations(instance)[-1] + ridge * adjoints(instance)[-1]


def weights(instance, multiple=0):
    r"""The weights :math:`(L\tau, 0)` of all layers, moved by a multiple of the direction."""
    own = stack([vector(instance.L * instance.tau, 0 * instance.L)])
    return [own + Q(multiple, STEP) * change for change in instance.delta]


def path(instance, W):
    """The activations of the network with the weights W, at the same points."""
    values, M = [points(instance)], len(W)
    for V in W:
        A = values[-1]
        values.append(A + (V @ concatenate([relu(A), 0 * A + 1]) - instance.L * A) / M)
    return values


def slope_and_curvature(values):
    """First and second derivative at 0 of a polynomial of the degree 2M, from its values at the multiples -M, ..., M."""
    M, slope, curvature = len(values) // 2, 0, 0
    for k in range(1, M + 1):
        back, forth, weight = values[M - k], values[M + k], Q(difference_weight(k, M))
        slope = slope + weight * (forth - back)
        curvature = curvature + weight * Q(2, k) * (forth + back - 2 * values[M])
    return slope * STEP, curvature * STEP**2


def derivatives(instance, F, ridge):
    r"""Of the misfit and of :math:`\frac\lambda{2L}\sum\rho\|W_\ell\|^2` along the direction."""
    M, L = len(instance.delta), instance.L
    networks = [weights(instance, k) for k in range(-M, M + 1)]
    misfits = [norm2(F - path(instance, W)[-1]) / 2 for W in networks]
    prices = [ridge / (2 * L * M) * sum(map(norm2, W)) for W in networks]
    return slope_and_curvature(misfits), slope_and_curvature(prices)


def is_strict_minimum(instance, ridge):
    """No slope, a second derivative that is large, and the closed form."""
    M, L, delta = len(instance.delta), instance.L, instance.delta
    (slope, curvature), (slope_of_price, curvature_of_price) = derivatives(instance, target(instance, ridge), ridge)
    return (
        eq(slope, -slope_of_price, name="slope")
        & ge(curvature + curvature_of_price, ridge / (M * L) * norm2(delta), name="curvature")
        & path_is_closed(instance)
    )


def path_is_closed(instance):
    A, B, W, L = activations(instance), adjoints(instance), weights(instance), instance.L
    pairs = list(zip(A[:-1], B[1:], strict=True))
    steps = [step(a, b, L, Q(1, len(W))) for a, b in pairs]
    return (
        eq(stack(path(instance, W)[1:]), stack(A[1:]), name="activations")
        & eq(stack([after for after, _ in steps]), stack(A[1:]), name="forward")
        & eq(stack([before for _, before in steps]), stack(B[:-1]), name="backward")
        & eq(stack([critical_weights(a, b, L) for a, b in pairs]), stack(W), name="weights")
        & eq(stack([-2 * hamiltonian(a, b) for a, b in pairs]), 1 - (1 - instance.tau) ** 2, name="energy")
    )


def stays_positive(instance):
    """Whether the loss is a polynomial where it is taken."""
    M = len(instance.delta)
    return positive(stack([A for k in range(-M, M + 1) for A in path(instance, weights(instance, k))[1:-1]]))


def ridge_is_small(instance, ridge):
    c, M = kept(instance), len(instance.delta)
    return c ** (2 * M - 1) * instance.gap**2 >= 2 * instance.tau * ridge


def varied(second, gap, rate, leak, direction, kind):
    """Along any direction (0); along its biases, the last of which makes up for the others (1); along equal weights, for whose
    mean effect the last bias makes up (2).
    """
    M, v = len(direction), where(kind == 2, 1, 0)
    c = kept(TwoPoints(second, gap, rate, leak, direction))
    biases = [(1 - v) * direction[ell, 0, 1] for ell in range(M)]
    effect = M * v * c ** (M - 1) * (second + gap / 2)
    biases[-1] = -sum((c ** (M - 1 - ell) * biases[ell] for ell in range(M - 1)), effect)
    special = stack([stack([vector(v, u)]) for u in biases])
    return TwoPoints(second, gap, rate, leak, where(kind == 0, direction, special))


def unit_points(delta):
    """The points 2 and 1, tau = 1, L = 1."""
    one = rational(1)
    return TwoPoints(one, one, one, one, delta)


def balanced_biases():
    """Biases of two layers that cancel at the outputs."""
    return {"instance": unit_points(rationals([[[0, 1]], [[0, -1]]])), "ridge": "1/2"}


def hessian_is_positive():
    r"""Two layers, L = 1, points 2 and 1, :math:`\tau = 1`, :math:`\lambda = \frac14`: no slope, positive leading minors."""
    ridge, slopes, along = rational("1/4"), [], {}
    for i in range(4):
        for j in range(i, 4):
            delta = rationals([int(k in (i, j)) for k in range(4)]).reshape(2, 1, 2)
            instance = unit_points(delta)
            parts = derivatives(instance, target(instance, ridge), ridge)
            slope, along[i, j] = (sum(part) for part in zip(*parts, strict=True))
            slopes.append(slope)
    mixed = {(i, j): (along[i, j] - along[i, i] - along[j, j]) / 2 for i, j in along if i < j}
    hessian = stack([vector(*(along[i, i] if i == j else mixed[min(i, j), max(i, j)] for j in range(4))) for i in range(4)])
    minors = [determinant(hessian[:k, :k]) for k in range(1, 5)]
    return eq(stack(slopes), 0) & eq(stack([1 * (minor > 0) for minor in minors]), 1)


def ends_of_the_path(second, gap, rate, growth):
    r"""A and B at p = 0 and p = 1 of the path of the theorem, where :math:`e^{L(1 - \tau)}` is `growth`."""
    x, b = stack([vector(second + gap, second)]), stack([vector(rate / gap, -rate / gap)])
    return (x, b), (x / growth, b * growth)


def radicands(second, gap, rate, growth, gamma):
    r""":math:`\|A_p\|^2 + \frac2L\mathcal H`."""
    ends = ends_of_the_path(second, gap, rate, growth)
    return stack([kernel_norm2(A, kernel(A), gamma) + 2 * hamiltonian(A, B) for A, B in ends])


def printed_law_on_the_path(second, gap, rate, growth, gamma):
    """The second display; the norm of the adjoint is largest at the end."""
    ends = ends_of_the_path(second, gap, rate, growth)
    speeds = stack([sqrt(kernel_norm2(velocity(A, B), kernel(A), gamma)) for A, B in ends])
    excess, c = speeds - sqrt(relu(radicands(second, gap, rate, growth, gamma))), norm(ends[1][1])
    return ge(excess, -gamma * c, name="speed from below") & le(excess, 2 * gamma * c, name="speed from above")


# False variants


def target_at_the_end(instance, ridge):
    """The network is critical for the target that it reaches."""
    (slope, _), (slope_of_price, _) = derivatives(instance, activations(instance)[-1], ridge)
    return eq(slope, -slope_of_price, name="slope")


def convexity_by_the_entries(instance, ridge):
    """A convexity that does not fall with the steps."""
    (_, curvature), (_, curvature_of_price) = derivatives(instance, target(instance, ridge), ridge)
    return ge(curvature + curvature_of_price, ridge / instance.L * norm2(instance.delta))


def energy_is_the_rate(instance):
    r"""The constant is :math:`\tau`, as the singular value of the weights over L."""
    return eq(-2 * hamiltonian(activations(instance)[0], adjoints(instance)[1]), instance.tau)


PROBLEM = {
    "second": interval(1 / 4, 2),
    "gap": interval(1 / 4, 2),
    "rate": interval(1 / 2, 3 / 2),
    "leak": interval(1 / 4, 3 / 2),
}

POSITIVE = "no activation becomes negative"

SMALL = "the ridge is small enough"

CLAIM = Claim(
    id="leaky_resnets.theorem_4.local_minimiser",
    title="One active neuron at two points is a strict local minimiser",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=is_strict_minimum,
    domain=Domain(
        {
            "instance": derived(varied, **PROBLEM, direction=interval(-1, 1, "depth", 1, 2), kind=integers(0, 2)),
            "ridge": interval(1 / 64, 2),
        },
        {"depth": (2, 3, 5)},
        {POSITIVE: stays_positive, SMALL: ridge_is_small},
    ),
    needs=(SMALL,),
    tight={"biases without an effect": Tight(balanced_biases, of=("curvature",))},
    false_variants={
        "the target is the output": target_at_the_end,
        "convexity by the entries that does not fall with the steps": convexity_by_the_entries,
        "the constant is the rate": energy_is_the_rate,
    },
    exact={"a positive definite Hessian": hessian_is_positive},
    cost=16,
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed_at_local_minimisers",
    title="The law for the speed with gamma for its root, at local minimisers",
    source=Source("leaky_resnets", "Theorem 4"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_law_on_the_path,
    domain=Domain(
        {
            "second": interval(1 / 4, 2),
            "gap": interval(1 / 4, 2),
            "rate": interval(1 / 4, 15 / 16),
            "growth": interval(9 / 8, 8),
            "gamma": interval(1 / 1024, 2),
        },
        {},
        {NOT_NEGATIVE: lambda **path: nonnegative(radicands(**path))},
    ),
    false_variants={},
)
