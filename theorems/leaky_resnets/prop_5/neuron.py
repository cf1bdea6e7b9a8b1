r"""Proposition 5, the new neuron follows a triangle, then forgets it.

Statement
    Where the path rests the new neuron is :math:`a_p = s_p\bar K_{i\cdot}` with :math:`\partial_ps = L(t - s)`,
    :math:`s_0 = 0`, for the triangle :math:`t_p = [1 - |p - p_0|/r]_+`. It is near :math:`t\bar K_{i\cdot}` for large L, and
    at the end :math:`a_1 \to 0`.
Checked
    With m = Lr and :math:`x = (p - p_0)/r + 1`,

    .. math:: s = \begin{cases} x - (1 - e^{-mx})/m & 0 \le x \le 1 \\
              2 - x + (1 - (2 - e^{-m})e^{-m(x-1)})/m & 1 \le x \le 2 \\
              (1 - e^{-m})^2e^{-m(x-2)}/m & 2 \le x . \end{cases}

    So :math:`s \ge 0`, and s - t lies between :math:`-(1 - e^{-m})/m` and :math:`(1 - e^{-m})^2/m`; after the triangle
    :math:`s \le e^{-m(x-2)}/m`. In sympy, the equation and that the pieces fit; the new neuron of an integrated wider network
    falls behind at the rate 1/L.
Proof idea
    A linear equation on three pieces.
Tight
    The apex x = 1, where s is as far below t as ever; the end x = 2, where it is as far above.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the closed form is derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.wider_weights import kernel_row, widened_weights
from verify import Claim, DerivedHere, Domain, Rate, Source, Tight, interval
from verify.networks import ContinuousLeakyResNet
from verify.numbers.symbolic import identically_zero
from verify.words import exp, ge, le, maximum, minimum, where


def triangle(x):
    """t, from 0 at x = 0 to 1 at x = 1 and 0 at x = 2."""
    return maximum(minimum(x, 2 - x), 0)


def pieces(x, m, exp):
    """The closed form of s on its three pieces, for numbers and for symbols with their exponential."""
    kept = exp(-m)
    rising = x - (1 - exp(-m * x)) / m
    falling = 2 - x + (1 - (2 - kept) * exp(-m * (x - 1))) / m
    return rising, falling, (1 - kept) ** 2 * exp(-m * (x - 2)) / m


def response(x, m):
    """s."""
    # far from its piece an exponential would overflow
    places = minimum(x, 1), minimum(maximum(x, 1), 2), maximum(x, 2)
    rising, falling, forgotten = (pieces(place, m, exp)[k] for k, place in enumerate(places))
    return where(x <= 1, rising, where(x <= 2, falling, forgotten))


def stays_near(x, m, behind=1, ahead=2, end=2):
    s, t = response(x, m), triangle(x)
    return (
        ge(s, 0, name="not negative")
        & ge(s + (1 - exp(-m)) / m**behind, t, name="behind")
        & le(s, t + (1 - exp(-m)) ** ahead / m, name="ahead")
        & le(s, t + exp(-m * maximum(x - end, 0)) / m, name="forgotten")
    )


def closed_form_in_symbols():
    """The equation on all three pieces, the start, and the joints."""
    import sympy as sp

    x, m = sp.symbols("x m", positive=True)
    found = pieces(x, m, sp.exp)
    remainders = [s.diff(x) - m * (t - s) for t, s in zip((x, 2 - x, 0), found, strict=True)]
    remainders.append(found[0].subs(x, 0))
    remainders += [(found[k] - found[k + 1]).subs(x, k + 1) for k in range(2)]
    return identically_zero(*remainders)


def lag_of_integrated_neuron(leaks):
    r"""Of a wider network that rests, how far the new neuron is behind :math:`\bar K_{i\cdot}` at the apex, relatively."""
    A, epsilon, r = np.array([[1.0, 0.3], [-0.5, 1.0]]), 1e-4, 0.2
    held = np.concatenate([A @ np.linalg.inv(np.maximum(A, 0)), np.zeros((2, 1))], axis=1)
    start, kernel, found = np.concatenate([A, np.zeros((1, 2))]), kernel_row(A), []
    for L in leaks:

        def wider(p, L=L):
            return widened_weights(A, L * held, L, epsilon, max(1 - abs(p - 0.5) / r, 0.0))

        network = ContinuousLeakyResNet([wider] * 3, L, (0.0, 0.5 - r, 0.5, 1.0))
        apex = network.activations(start, [0.5]).values[0, -1] / epsilon
        found.append(np.linalg.norm(apex - kernel) / np.linalg.norm(kernel))
    return np.asarray(found)


CLAIM = Claim(
    id="leaky_resnets.prop_5.neuron",
    title="The new neuron follows the triangle",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=DerivedHere(),
    statement=stays_near,
    domain=Domain({"x": interval(0, 4), "m": interval(1 / 4, 24)}),
    tight={
        "apex": Tight(lambda: {"x": 1, "m": "1/2"}, of=("behind",)),
        "apex, m = 6": Tight(lambda: {"x": 1, "m": 6}, of=("behind",)),
        "end": Tight(lambda: {"x": 2, "m": "1/2"}, of=("ahead",)),
        "end, m = 6": Tight(lambda: {"x": 2, "m": 6}, of=("ahead",)),
        "after": Tight(lambda: {"x": 3, "m": 24}, 1e-10, "approached as m grows", of=("forgotten",)),
        "after, at 5/2": Tight(lambda: {"x": "5/2", "m": 24}, 1e-10, "approached as m grows", of=("forgotten",)),
    },
    not_known_tight={"not negative": "at the start the neuron is zero, and has no size by which the other side could be moved"},
    false_variants={
        "behind by the square": {"behind": 2},
        "ahead by less": {"ahead": 3},
        "forgotten from the apex on": {"end": 1},
    },
    exact={"in symbols": closed_form_in_symbols},
    rate=Rate(lag_of_integrated_neuron, (8, 16, 32, 64, 128, 256), -1.0),
    cost=4,
)
