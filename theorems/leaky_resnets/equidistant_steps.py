r"""Equidistant steps :math:`\rho_\ell = 1/M`: the condition :math:`\rho_\ell L < 1` becomes M > L.

Statement
    The steps add up to 1, and without weights the network multiplies its inputs by :math:`(1 - L/M)^M`. Positive activations
    stay positive exactly for M > L, and then :math:`0 < (1 - L/M)^M \le e^{-L}`, which is what the differential equation does
    (``.leak``).
Checked
    One neuron without weights, up to 64 layers.
Tight
    The exponential, as L vanishes.
Source
    leaky_resnets, Section 3; the comparison with the exponential is derived here.
"""

from __future__ import annotations

from verify import Claim, DerivedHere, Domain, Q, Source, derived, interval
from verify.networks import LeakyResNet
from verify.numbers.arithmetic import Array, rationals
from verify.words import eq, exp, ge, le, lifted, sign, zeros


def without_weights(L: Array, layers: int) -> LeakyResNet:
    """One neuron, no weights, equidistant steps."""
    network: LeakyResNet = lifted(LeakyResNet)([L * zeros(1, 2)] * layers, L)
    return network


def powers_of_the_leak(f, x):
    """The sum of the steps, the value, and the sign of what a layer makes of positive inputs."""
    A, L, M = f.activations(x), f.leak, len(f.steps)
    return (
        eq(f.steps.sum(), 1, name="sum")
        & eq(A[-1], (1 - L / M) ** M * x, name="value")
        & eq(sign(A[1]), sign(M - L), name="sign")
    )


def leaks_faster_than_the_equation(f):
    L, M = f.leak, len(f.steps)
    return le((1 - L / M) ** M, exp(-L))


def as_many_layers_as_the_leak(f, x):
    return eq(sign(f.activations(x)[1]), sign(f.depth + 1 - f.leak))


def one_long_step(f, x):
    return eq(f(x), (1 - f.leak) * x)


def as_many_layers_as_most_of_the_leak(f):
    """For a leak that is longer by 282/1000: M > 78/100 L instead of M > L; it fails from M = L / 1.2784 on, for even M."""
    L, M = Q("1.282") * f.leak, len(f.steps)
    return le((1 - L / M) ** M, exp(-L))


def leaks_faster_by_a_thousandth(f):
    L, M = f.leak, len(f.steps)
    return le((1 - L / M) ** M, Q("0.999") * exp(-L))


def leaks_slower_than_the_equation(f):
    L, M = f.leak, len(f.steps)
    return ge((1 - L / M) ** M, exp(-L))


SOURCE = Source("leaky_resnets", "Section 3")
NETWORK = derived(without_weights, L=interval(0, 6))
SIZES = {"layers": (*range(1, 9), 16, 64)}
ENOUGH = "more layers than the leak"

CLAIM = Claim(
    id="leaky_resnets.equidistant_steps",
    title="Equidistant steps keep positive activations positive for M > L",
    source=SOURCE,
    statement=powers_of_the_leak,
    domain=Domain({"f": NETWORK, "x": interval(1 / 8, 2, 1, 2)}, SIZES),
    false_variants={"one layer less": as_many_layers_as_the_leak, "one long step": one_long_step},
)

LEAK = Claim(
    id="leaky_resnets.equidistant_steps.leak",
    title="Equidistant steps leak faster than the equation",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=leaks_faster_than_the_equation,
    domain=Domain({"f": NETWORK}, SIZES, {ENOUGH: lambda f: f.depth > f.leak}),
    needs=(ENOUGH,),
    tight={"no leak": lambda: {"f": LeakyResNet([rationals([[0, 0]])] * 2, 0)}},
    false_variants={
        "slower than the equation": leaks_slower_than_the_equation,
        "faster by 1/1000": leaks_faster_by_a_thousandth,
        "more layers than 78/100 of the leak": as_many_layers_as_most_of_the_leak,
    },
)
