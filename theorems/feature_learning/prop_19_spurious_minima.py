r"""Proposition 19: local minima in the weights whose covariances are not a local minimum of the reformulated loss.

A ReLU network of widths (1, 2, 1) without bias has the data X = (1, -1), Y = (1, 1). For :math:`0 < \lambda < 1` and
a, b > 0 with :math:`a^2 + b^2 = 1 - \lambda`, the weights :math:`W_1 = (a, b)^T`, :math:`W_2 = (a, b)` are a local minimum of
:math:`\|Z_2 - Y\|^2 + \lambda\|W\|^2`. Where no weight is negative, with :math:`p = W_2W_1` and :math:`q = \|W_1 - W_2^T\|^2`,

.. math:: L = (p - 1)^2 + 1 + \lambda(2p + q), \qquad L - L(a, b) = (p - 1 + \lambda)^2 + \lambda q \ge 0 ,

and changes of at most min(a, b) in each weight stay there: the second identity decides the statement. All these weights have
the covariances :math:`K_1 = (1 - \lambda)G`, :math:`K_1^\sigma = (1 - \lambda)e_1e_1^T`, :math:`G = X^TX`, and the outputs
:math:`Z_2 = (1 - \lambda)e_1^T`. They are not a local minimum of :math:`L^k`: in the set for width 2 lies the line

.. math:: K_1 + \delta G, \quad K_1^\sigma + \delta e_2e_2^T, \quad Z_2 + \delta e_2^T, \qquad
   L^k(\delta) - L^k(0) = \delta^2 - 2(1 - \lambda)\delta .

In the weights only the ends of the segment show it: at :math:`W_1 = (\sqrt{1-\lambda}, -\epsilon)^T`,
:math:`W_2 = (\sqrt{1-\lambda}, \epsilon)` the loss changes by :math:`\epsilon^2(\epsilon^2 + 2\lambda - 2)`.

For Y = (1, y) the smallest loss of any width is :math:`L(a, b) - (|y| - \lambda)_+^2` (a hidden neuron sees one data point, and
each output is a soft threshold). So the segment is spurious if and only if :math:`|y| > \lambda`, and a global minimum
otherwise; for y > 0 the line has the law :math:`\delta^2 - 2(y - \lambda)\delta`. If the error is divided by N (`divisor`), all
of this holds with :math:`N\lambda` in place of :math:`\lambda`, divided by N.

Source: feature_learning, Proposition 19; the statement has lost its formulas, which its proof determines. The sum of squares
and the smallest loss for every y are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, is_exact, maximum, minimum, rationals
from verify.matrices import pseudo_inverse
from verify.networks import FullyConnected
from verify.symbolic import identically_zero

INPUTS = (1, -1)


def shallow_network(incoming: Array, outgoing: Array) -> FullyConnected:
    """The ReLU network of widths (1, n, 1) without bias with these weights, shapes ``(..., n)``."""
    return FullyConnected([incoming[..., :, None], outgoing[..., None, :]])


def regularised_loss(incoming: Array, outgoing: Array, lam: Array, divisor: Array, second_output: Any = 1) -> Array:
    r""":math:`\|Z_2 - Y\|^2 / divisor + \lambda\|W\|^2` of `shallow_network` for Y = (1, second_output), batched."""
    network = shallow_network(incoming, outgoing)
    one = rationals([1]) if network.is_exact else np.ones(1)
    error = (network(one)[..., 0] - 1) ** 2 + (network(-one)[..., 0] - second_output) ** 2
    return np.asarray(error / divisor + lam * network.weight_norm_squared)


def segment_value(lam: Any, divisor: Any, second_output: Any = 1) -> Any:
    """The loss on the segment of minima."""
    return (1 - (1 - divisor * lam) ** 2 + second_output**2) / divisor


def segment_is_a_local_minimum(
    ends: Array, step: Array, divisor: Array, ratio: int = 10_000, reach: int = 100, growth: int = 0, shrink: int = 1
) -> Relation:
    """The loss at a = ends[0], b = ends[1] and after a `step` in units of min(a, b), and the form of the loss there."""
    a, b = ends[..., 0], ends[..., 1]
    lam = (1 - a**2 - b**2) / (shrink * divisor)
    change = step * minimum(a, b)[..., None] * reach / 100
    incoming, outgoing = ends + change[..., :2], ends + change[..., 2:]
    here, there = regularised_loss(ends, ends, lam, divisor), regularised_loss(incoming, outgoing, lam, divisor)
    p, q = (incoming * outgoing).sum(axis=-1), ((incoming - outgoing) ** 2).sum(axis=-1)
    size = (1 + (ends**2).sum(axis=-1) + (change**2).sum(axis=-1)) ** 2
    below = here * ratio / 10_000 + growth * (change**2).sum(axis=-1) / 4
    return le(below, there, scale=size) & eq(there, ((p - 1) ** 2 + 1) / divisor + lam * (2 * p + q), scale=size)


def cone_point(weights: Array, generators: Array) -> tuple[Array, Array]:
    r"""The covariances :math:`\sum_i \alpha_i (x_ix_i^T, \sigma(x_i)\sigma(x_i)^T)` for ReLU, shapes ``(..., k), (k, N)``."""
    first, second = (
        (weights[..., :, None] * rows).swapaxes(-1, -2) @ rows for rows in (generators, maximum(generators, 0 * generators))
    )
    return first, second


def covariance_loss(weights: Array, lam: Array, divisor: Array) -> Array:
    r""":math:`L^k` at `cone_point` for the rows (1, -1) and (-1, 1), with :math:`Z_2` the cone weights, shape ``(..., 2)``."""
    rows = np.array([INPUTS, INPUTS[::-1]])
    rows = rationals(rows) if is_exact(weights) else rows.astype(np.float64)
    covariance, rectified = cone_point(weights, rows)
    # the rows are also the Gram matrix of the inputs
    first = (covariance * pseudo_inverse(rows)).sum(axis=(-2, -1))
    last = (weights[..., :, None] * weights[..., None, :] * pseudo_inverse(rectified)).sum(axis=(-2, -1))
    return np.asarray(((weights - 1) ** 2).sum(axis=-1) / divisor + lam * (first + last))


def covariances_descend(lam: Array, share: Array, divisor: Array, slope: int = 200, reach: int = 100) -> Relation:
    r"""The line for steps :math:`\delta` up to :math:`|1 - \lambda|`: its law, and a descent of :math:`|1 - \lambda|\delta`.

    For :math:`\lambda \ge 1` the segment has shrunk to zero weights, from where there is no descent.
    """
    gap = 1 - divisor * lam
    height, delta = maximum(gap, 0 * gap), share * absolute(gap) * reach / 100
    before = covariance_loss(np.stack([height, 0 * delta], axis=-1), lam, divisor)
    after = covariance_loss(np.stack([height, delta], axis=-1), lam, divisor)
    law = eq(after - before, (delta**2 - gap * delta * slope / 100) / divisor, scale=before + after)
    return law & le(after + absolute(gap) * delta / divisor, before, scale=after)


def end_descends(end: Array, epsilon: Array, divisor: Array, slope: int = 200, side: int = -1) -> Relation:
    r"""The loss at ``W_1 = (end, side * epsilon)``, ``W_2 = (end, epsilon)`` with :math:`\lambda = 1 - end^2`."""
    lam = (1 - end**2) / divisor
    edge, tip = np.stack([end, 0 * end], axis=-1), np.stack([0 * end, epsilon], axis=-1)
    before, after = regularised_loss(edge, edge, lam, divisor), regularised_loss(edge + side * tip, edge + tip, lam, divisor)
    change = epsilon**2 * (epsilon**2 + (divisor * lam - 1) * slope / 100) / divisor
    return eq(after - before, change, scale=before + after) & le(after, before)


def smallest_loss(
    incoming: Array,
    outgoing: Array,
    lam: Array,
    second_output: Array,
    divisor: Array,
    ratio: int = 10_000,
    threshold: int = 10,
    signed: bool = False,
    spurious: bool = True,
) -> Relation:
    r"""No network has a loss below that of the segment by more than :math:`(|y| - \lambda)_+^2`."""
    y = second_output if signed else absolute(second_output)
    excess = maximum(y - divisor * lam * threshold / 10, 0 * lam)
    bound = segment_value(lam, divisor, second_output) - spurious * excess**2 / divisor
    found = regularised_loss(incoming, outgoing, lam, divisor, second_output)
    return le(bound * ratio / 10_000, found, scale=1 + second_output**2)


def one_neuron_for_each_point(lam: str, second_output: str, first: str, second: str) -> dict[str, Array]:
    r"""``W_1 = (c, -d)``, ``W_2 = (c, +-d)``: optimal if :math:`c^2 = 1 - \lambda` and :math:`d^2 = (|y| - \lambda)_+`."""
    c, d = rationals([first, second])
    sign = -1 if second_output.startswith("-") else 1
    numbers = {"lam": rationals(lam), "second_output": rationals(second_output), "divisor": rationals(1)}
    return {"incoming": rationals([c, -d]), "outgoing": rationals([c, sign * d]), **numbers}


def sum_of_squares() -> Relation:
    """The identities of the local minimum, with the rectifiers written out."""
    import sympy as sp

    w1, w2, v1, v2 = weights = sp.symbols("w1 w2 v1 v2", nonnegative=True)
    lam, N = sp.symbols("lam N", positive=True)
    a, b = sp.symbols("a b", nonnegative=True)
    outputs = [v1 * sp.Max(w1 * x, 0) + v2 * sp.Max(w2 * x, 0) for x in INPUTS]
    loss = sum((z - 1) ** 2 for z in outputs) / N + lam * sum(weight**2 for weight in weights)
    p, q = w1 * v1 + w2 * v2, (w1 - v1) ** 2 + (w2 - v2) ** 2
    on_the_segment = {w1: a, w2: b, v1: a, v2: b, lam: (1 - a**2 - b**2) / N}
    return identically_zero(
        loss - ((p - 1) ** 2 + 1) / N - lam * (2 * p + q),
        loss - segment_value(lam, N) - (p - 1 + N * lam) ** 2 / N - lam * q,
        (loss - segment_value(lam, N)).subs(on_the_segment),
    )


def hessian_in_symbols() -> Relation:
    """The Hessian at (a, b, a, b) has the eigenvalues 4(a^2 + b^2), 4 lam (twice), and 0 along the tangent of the circle."""
    import sympy as sp

    w1, w2, v1, v2 = weights = sp.symbols("w1 w2 v1 v2", positive=True)
    a, b = sp.symbols("a b", positive=True)
    lam = 1 - a**2 - b**2
    loss = (w1 * v1 + w2 * v2 - 1) ** 2 + 1 + lam * sum(weight**2 for weight in weights)
    hessian = sp.hessian(loss, weights).subs({w1: a, w2: b, v1: a, v2: b})
    pairs = {(a, b, a, b): 4 * (1 - lam), (1, 0, -1, 0): 4 * lam, (0, 1, 0, -1): 4 * lam, (-b, a, -b, a): 0}
    return identically_zero(*(e for v, value in pairs.items() for e in (hessian - value * sp.eye(4)) * sp.Matrix(v)))


def line_in_symbols() -> Relation:
    r"""Covariances of the segment, rows that realise the line at width 2, and the law of the line for every y."""
    import sympy as sp

    a, b, c, d, N = sp.symbols("a b c d N", positive=True)  # c^2 = 1 - N lam, d^2 = delta
    y, lam = sp.Symbol("y", real=True), (1 - c**2) / N
    x = sp.Matrix([INPUTS])
    gram, segment, rows = x.T * x, sp.Matrix([a, b]) * x, sp.Matrix([c, -d]) * x
    rectified, outputs = rows.applyfunc(lambda entry: sp.Max(entry, 0)), sp.Matrix([[c**2, d**2]])
    of_rectified = rectified.T * rectified
    cost = sp.trace(rows.T * rows * gram.pinv()) + (outputs * of_rectified.inv() * outputs.T)[0]
    value = ((c**2 - 1) ** 2 + (d**2 - y) ** 2) / N + lam * cost
    return identically_zero(
        *(segment.T * segment - (a**2 + b**2) * gram),
        *(rows.T * rows - (c**2 + d**2) * gram),
        *(of_rectified - sp.diag(c**2, d**2)),
        value - segment_value(lam, N, y) - (d**4 - 2 * (y - N * lam) * d**2) / N,
    )


def end_in_symbols() -> Relation:
    """The change of the loss at the end of the segment, factorised."""
    import sympy as sp

    epsilon, c, N = sp.symbols("epsilon c N", positive=True)
    lam = (1 - c**2) / N
    outputs = [c * sp.Max(c * x, 0) + epsilon * sp.Max(-epsilon * x, 0) for x in INPUTS]
    after = sum((z - 1) ** 2 for z in outputs) / N + 2 * lam * (c**2 + epsilon**2)
    return identically_zero(after - segment_value(lam, N) - epsilon**2 * (epsilon**2 + 2 * N * lam - 2) / N)


def values_in_symbols() -> Relation:
    """For y = 1: the spurious value, and the global one, which it meets for lam = 1."""
    import sympy as sp

    lam = sp.Symbol("lam")
    spurious = lam**2 + 1 + 2 * lam * (1 - lam)
    return identically_zero(segment_value(lam, 1) - spurious, spurious - (1 - lam) ** 2 - 2 * lam**2 - 4 * lam * (1 - lam))


SOURCE, DIVISOR = Source("feature_learning", "Proposition 19"), {"divisor": integers(1, 2)}

CLAIM = Claim(
    id="feature_learning.prop_19",
    title="A segment of local minima in the weights",
    source=SOURCE,
    statement=segment_is_a_local_minimum,
    domain=Domain(
        {"ends": interval(0, 1, 2), "step": interval(-1.5, 1.5, 4), **DIVISOR},
        hypotheses={
            "lam is not negative": lambda ends: (ends**2).sum(axis=-1) <= 1,
            "each weight changes by at most min(a, b)": lambda step: (step**2 <= 1).all(axis=-1),
        },
    ),
    tight={
        "along the circle": Tight(
            lambda: {
                "ends": rationals(["3/10", "4/10"]),
                "step": rationals(["1/3", "-1/3", "1/3", "-1/3"]),
                "divisor": rationals(2),
            }
        )
    },
    false_neighbours={
        "0.01 percent more": partial(segment_is_a_local_minimum, ratio=10_001),
        "an isolated minimum": partial(segment_is_a_local_minimum, growth=1),
        "radius 1.1 min(a, b)": partial(segment_is_a_local_minimum, reach=110),
        "half the lam of the circle": partial(segment_is_a_local_minimum, shrink=2),
    },
    needs=("lam is not negative", "each weight changes by at most min(a, b)"),
    exact={"sum of squares": sum_of_squares, "Hessian": hessian_in_symbols},
    proof="sum of squares",
)

COVARIANCES = Claim(
    id="feature_learning.prop_19.covariance_descent",
    title="The covariances of the segment are not a local minimum",
    source=SOURCE,
    statement=covariances_descend,
    domain=Domain(
        {"lam": interval(0, 2), "share": interval(0, 1), **DIVISOR},
        hypotheses={"lam < 1": lambda lam, divisor: divisor * lam < 1},
    ),
    tight={"minimum of the line": Tight(lambda: dict(zip(("lam", "share", "divisor"), rationals(["1/4", 1, 1]), strict=True)))},
    false_neighbours={
        "slope 2 - 2 lam": partial(covariances_descend, slope=-200),
        "slope -1.99 (1 - lam)": partial(covariances_descend, slope=199),
        "steps 1 percent longer": partial(covariances_descend, reach=101),
    },
    needs=("lam < 1",),
    exact={"in symbols": line_in_symbols},
    proof="in symbols",
)

ENDPOINT = Claim(
    id="feature_learning.prop_19.endpoint",
    title="The ends of the segment are not local minima",
    source=SOURCE,
    statement=end_descends,
    domain=Domain(
        {"end": interval(0, 1), "epsilon": interval(0, 2), **DIVISOR},
        hypotheses={"epsilon^2 <= 2 - 2 lam": lambda end, epsilon: epsilon**2 <= 2 * end**2},
    ),
    tight={"no step": Tight(lambda: dict(zip(("end", "epsilon", "divisor"), rationals(["1/2", 0, 1]), strict=True)))},
    false_neighbours={
        "slope 2 - 2 lam": partial(end_descends, slope=-200),
        "slope -1.99 (1 - lam)": partial(end_descends, slope=199),
        "W_1 moves to the other side": partial(end_descends, side=1),
    },
    needs=("epsilon^2 <= 2 - 2 lam",),
    exact={"in symbols": end_in_symbols},
    proof="in symbols",
)

SECOND_OUTPUT = Claim(
    id="feature_learning.prop_19.second_output",
    title="The segment is spurious if and only if |y| > lam",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=smallest_loss,
    domain=Domain(
        {
            "incoming": reals("width"),
            "outgoing": reals("width"),
            "lam": interval(0, 0.5),
            "second_output": interval(-2, 2),
            **DIVISOR,
        },
        {"width": range(1, 5)},
    ),
    tight={
        "y > lam": Tight(partial(one_neuron_for_each_point, "7/16", "1", "3/4", "3/4")),
        "y < -lam": Tight(partial(one_neuron_for_each_point, "7/16", "-1", "3/4", "3/4")),
        "|y| < lam": Tight(partial(one_neuron_for_each_point, "7/16", "1/4", "3/4", "0")),
    },
    false_neighbours={
        "a global minimum for every y": partial(smallest_loss, spurious=False),
        "0.01 percent more": partial(smallest_loss, ratio=10_001),
        "threshold 1.5 lam": partial(smallest_loss, threshold=15),
        "threshold lam for y in place of |y|": partial(smallest_loss, signed=True),
    },
    exact={"the line": line_in_symbols, "values for y = 1": values_in_symbols},
)
