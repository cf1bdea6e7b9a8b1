r"""Proposition 5, the new neuron: it follows the triangle t at a distance of 1/(Lr), and is forgotten after it.

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
Sharp
    The apex x = 1, where s is as far below t as ever; the end x = 2, where it is as far above.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the closed form is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.prop_5.construction import kernel_row, widened_activations, widened_weights
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, ge, interval, le
from verify.arithmetic import Array, compare, exp, maximum, minimum, rationals
from verify.networks import ContinuousLeakyResNet
from verify.networks.leaky_resnet import rectified
from verify.symbolic import identically_zero


def triangle(x: Array) -> Array:
    """t, from 0 at x = 0 to 1 at x = 1 and 0 at x = 2."""
    return maximum(minimum(x, 2 - x), 0 * x)


def pieces(x: Any, m: Any, exp: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """The closed form of s on its three pieces, for numbers and for symbols with their exponential."""
    kept = exp(-m)
    rising = x - (1 - exp(-m * x)) / m
    falling = 2 - x + (1 - (2 - kept) * exp(-m * (x - 1))) / m
    return rising, falling, (1 - kept) ** 2 * exp(-m * (x - 2)) / m


def response(x: Array, rate: Array) -> Array:
    r"""The value s at :math:`x \ge 0`, for m = `rate`, in either arithmetic."""
    # far from its piece an exponential would overflow
    one, two = 0 * x + 1, 0 * x + 2
    places = minimum(x, one), minimum(maximum(x, one), two), maximum(x, two)
    rising, falling, forgotten = (pieces(place, rate, exp)[k] for k, place in enumerate(places))
    return np.asarray(np.where(compare(x, 1) <= 0, rising, np.where(compare(x, 2) <= 0, falling, forgotten)))


def stays_near(x: Array, rate: Array) -> Relation:
    """The neuron against the triangle, and after it."""
    s, t, lost = response(x, rate), triangle(x), 1 - exp(-rate)
    return (
        ge(s, 0, name="not negative")
        & ge(s + lost / rate, t, name="behind")
        & le(s, t + lost**2 / rate, name="ahead")
        & le(s, t + exp(-rate * maximum(x - 2, 0 * x)) / rate, name="forgotten")
    )


# False variants


def behind_by_the_square(x: Array, rate: Array) -> Relation:
    """Behind by no more than the square of 1/m."""
    return ge(response(x, rate) + (1 - exp(-rate)) / rate**2, triangle(x))


def ahead_by_the_cube(x: Array, rate: Array) -> Relation:
    """The cube of what is lost for its square: ahead by less."""
    return le(response(x, rate), triangle(x) + (1 - exp(-rate)) ** 3 / rate)


def forgotten_from_the_apex_on(x: Array, rate: Array) -> Relation:
    """Forgotten one r earlier."""
    return le(response(x, rate), triangle(x) + exp(-rate * maximum(x - 1, 0 * x)) / rate)


def apex() -> dict[str, Array]:
    """The apex."""
    return {"x": rationals([1, 1]), "rate": rationals(["1/2", 6])}


def end() -> dict[str, Array]:
    """The end."""
    return {"x": rationals([2, 2]), "rate": rationals(["1/2", 6])}


def long_after() -> dict[str, Array]:
    """After a long triangle, at two places."""
    return {"x": rationals([3, "5/2"]), "rate": rationals([24, 24])}


def closed_form_in_symbols() -> Relation:
    """The equation on all three pieces, the start, and the joints."""
    import sympy as sp

    x, m = sp.symbols("x m", positive=True)
    found = pieces(x, m, sp.exp)
    remainders = [s.diff(x) - m * (t - s) for t, s in zip((x, 2 - x, 0), found, strict=True)]
    remainders.append(found[0].subs(x, 0))
    remainders += [(found[k] - found[k + 1]).subs(x, k + 1) for k in range(2)]
    return identically_zero(*remainders)


def lag_of_integrated_neuron(leaks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""Of a wider network that rests, how far the new neuron is behind :math:`\bar K_{i\cdot}` at the apex, relatively."""
    A, size, half = np.array([[1.0, 0.3], [-0.5, 1.0]]), np.array(1e-4), 0.2
    features, kernel = rectified(A), kernel_row(A)
    found = []
    for leak in leaks:
        weights = np.concatenate([leak * A @ np.linalg.inv(features), np.zeros((2, 1))], axis=1)

        def wider(position: float, weights: Array = weights, leak: float = leak) -> Array:
            height = np.maximum(1 - abs(position - 0.5) / half, 0.0)
            return widened_weights(A, weights, np.array(leak), size, np.array(height))

        network = ContinuousLeakyResNet([wider] * 3, leak, (0.0, 0.5 - half, 0.5, 1.0))
        apex = network.activations(widened_activations(A, np.zeros(2)), [0.5]).values[0, -1] / size
        found.append(np.linalg.norm(apex - kernel) / np.linalg.norm(kernel))
    return np.asarray(found)


CLAIM = Claim(
    id="leaky_resnets.prop_5.neuron",
    title="The new neuron follows the triangle",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=Ours(),
    statement=stays_near,
    domain=Domain({"x": interval(0, 4), "rate": interval(1 / 4, 24)}),
    tight={
        "apex": Tight(apex, of=("behind",)),
        "end": Tight(end, of=("ahead",)),
        "after": Tight(long_after, 1e-10, "approached as m grows", of=("forgotten",)),
    },
    loose={"not negative": "at the start the neuron is zero, and has no size by which the other side could be moved"},
    false_variants={
        "behind by the square": behind_by_the_square,
        "ahead by less": ahead_by_the_cube,
        "forgotten from the apex on": forgotten_from_the_apex_on,
    },
    exact={"in symbols": closed_form_in_symbols},
    rate=Rate(lag_of_integrated_neuron, (8, 16, 32, 64, 128, 256), -1.0),
    cost=4,
)
