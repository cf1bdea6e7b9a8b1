"""Optimisation: descent, contraction, acceleration, projections, Frank-Wolfe, cycles: on quadratics and closed forms."""

import numpy as np

from verify import Claim, Domain, Q, Source, interval, reals
from verify.families import positive_semidefinite, probability_vector, with_spectrum
from verify.words import (
    absolute,
    eye,
    ge,
    greatest,
    inner,
    inverse,
    le,
    maximum,
    minimum,
    norm2,
    relu,
    stack,
    vector,
    where,
)

SIZES = {"n": (1, 2, 3)}
SMOOTH = Domain({"A": with_spectrum("n", 1, 3), "x": reals("n")}, SIZES)


def f(A, x):
    return x @ A @ x / 2


def contraction(A, x, step=Q(1, 2), factor=Q(1, 4)):
    """The step is 2 / (L + mu), the factor ((L - mu) / (L + mu))^2."""
    return le(norm2(x - step * (A @ x)), factor * norm2(x))


CONTRACTION = Claim(
    id="classics.gradient_descent",
    title="With the step 2/(L + mu) gradient descent contracts by (L - mu)/(L + mu)",
    source=Source("optimisation", "Polyak 1963"),
    statement=contraction,
    domain=SMOOTH,
    tight={"curvature L": {"A": [[3]], "x": [1]}, "curvature mu": {"A": [[1]], "x": [1]}},
    false_variants={"1e-6 less": {"factor": Q("0.249999")}, "the step 1/L": {"step": Q(1, 3)}},
)


def descent(A, x, gain=Q(1, 2)):
    g = A @ x
    return le(f(A, x - g / 3), f(A, x) - gain * norm2(g) / 3)


DESCENT = Claim(
    id="classics.descent_lemma",
    title="A step 1/L gains at least |g|^2 / (2L)",
    source=Source("optimisation", "descent lemma"),
    statement=descent,
    domain=SMOOTH,
    tight={"curvature L": {"A": [[3]], "x": [1]}},
    false_variants={"1e-6 more": {"gain": Q("0.500001")}, "all of it": {"gain": 1}},
)


def lojasiewicz(A, x, factor=1):
    return ge(norm2(A @ x), 2 * factor * f(A, x))


LOJASIEWICZ = Claim(
    id="classics.polyak_lojasiewicz",
    title="A strongly convex quadratic has a gradient of at least 2 mu (f - f*)",
    source=Source("optimisation", "Polyak 1963, Lojasiewicz 1963"),
    statement=lojasiewicz,
    domain=SMOOTH,
    tight={"curvature mu": {"A": [[1]], "x": [2]}},
    false_variants={"1e-6 more": {"factor": Q("1.000001")}, "with L": {"factor": 3}},
)


def heavy_ball(A, x, momentum=Q(1, 4), step=Q(1, 2)):
    """Two steps from rest."""
    first = x - step * (A @ x)
    second = first - step * (A @ first) + momentum * (first - x)
    return le(norm2(second), norm2(x))


HEAVY_BALL = Claim(
    id="classics.heavy_ball",
    title="Two steps of the heavy ball with a quarter of momentum come no farther from the minimum",
    source=Source("optimisation", "Polyak 1964"),
    statement=heavy_ball,
    domain=SMOOTH,
    not_known_tight=dict.fromkeys(("", "momentum", "step"), "the largest ratio of two steps is below 1/2"),
    false_variants={"the step 3/2": {"step": Q(3, 2)}, "momentum 3": {"momentum": 3}},
)


def resolvent(A, x, y):
    """The proximal map of a convex quadratic."""
    J = inverse(eye(A.shape[0]) + A)
    return le(norm2(J @ (x - y)), inner(J @ (x - y), x - y))


RESOLVENT = Claim(
    id="classics.firmly_nonexpansive",
    title="Proximal maps are firmly nonexpansive",
    source=Source("optimisation", "Moreau 1965"),
    statement=resolvent,
    domain=Domain({"A": positive_semidefinite("n"), "x": reals("n"), "y": reals("n")}, SIZES),
    tight={"no function": {"A": [[0]], "x": [1], "y": [3]}},
    false_variants={
        "twice": lambda A, x, y: le(
            2 * norm2(inverse(eye(A.shape[0]) + A) @ (x - y)), inner(inverse(eye(A.shape[0]) + A) @ (x - y), x - y)
        ),
        "the forward step": lambda A, x, y: le(norm2((x - y) - A @ (x - y)), inner((x - y) - A @ (x - y), x - y)),
    },
)


def projection(x, y):
    return le(norm2(relu(x) - relu(y)), inner(relu(x) - relu(y), x - y))


PROJECTION = Claim(
    id="classics.projection",
    title="The projection onto the nonnegative orthant is firmly nonexpansive",
    source=Source("optimisation", "projections"),
    statement=projection,
    domain=Domain({"x": reals("n"), "y": reals("n")}, SIZES),
    tight={"inside": {"x": [1, 2], "y": [2, 0]}},
    false_variants={
        "expansive": lambda x, y: ge(norm2(relu(x) - relu(y)), inner(relu(x) - relu(y), x - y) + norm2(x - y)),
        "the difference": lambda x, y: le(norm2(relu(x - y)), inner(relu(x) - relu(y), x - y)),
    },
)


def huber(x, t):
    return where(absolute(x) <= t, x * x / 2, t * absolute(x) - t * t / 2)


def drori_teboulle(x, t, N, shift=2):
    start = x
    for _ in range(N):
        x = x - maximum(minimum(x, t), -t)
    return le((4 * N + shift) * huber(x, t), start**2)


DRORI_TEBOULLE = Claim(
    id="classics.drori_teboulle",
    title="N steps of gradient descent leave f at most R^2/(4N + 2) above its minimum: the functions of Huber attain it",
    source=Source("optimisation", "Drori and Teboulle 2014"),
    statement=drori_teboulle,
    domain=Domain({"x": reals(), "t": interval(0, 4)}, {"N": (1, 2, 3, 4)}),
    tight={"t = 1/(2N + 1)": {"x": 1, "t": "1/5", "N": 2}},
    false_variants={"4N + 3": {"shift": 3}, "4N + 2.01": {"shift": Q("2.01")}},
)


def proximal_point(x, t, N, factor=4):
    nearest = maximum(absolute(x) - N * t, 0)
    return le(factor * N * t * nearest, x * x)


PROXIMAL_POINT = Claim(
    id="classics.proximal_point",
    title="N proximal steps leave f at most R^2/(4N) above its minimum: multiples of |x| attain it",
    source=Source("optimisation", "Gueler 1991, Taylor, Hendrickx, Glineur 2017"),
    statement=proximal_point,
    domain=Domain({"x": reals(), "t": interval(0, 4)}, {"N": (1, 2, 3, 4)}),
    tight={"half of the way": {"x": 4, "t": 1, "N": 2}},
    false_variants={"R^2/(5N)": {"factor": 5}, "1e-6 more": {"factor": Q("4.000001")}},
)


def accelerated(A, x, steps):
    """The points of Nesterov's method with the step 1 and the momentum (k - 1)/(k + 2)."""
    points = [x, x - A @ x]
    for k in range(1, steps):
        y = points[-1] + Q(k - 1, k + 2) * (points[-1] - points[-2])
        points.append(y - A @ y)
    return points


def nesterov(A, x, steps=4, constant=2):
    return le((steps + 1) ** 2 * f(A, accelerated(A, x, steps)[-1]), constant * norm2(x))


NESTEROV = Claim(
    id="classics.nesterov",
    title="After k steps, here 4, Nesterov's method is within 2 L |x|^2/(k + 1)^2 of the least value, here of quadratics",
    source=Source("optimisation", "Nesterov 1983"),
    statement=nesterov,
    domain=Domain({"A": with_spectrum("n", 0, 1), "x": reals("n")}, {"n": (1, 2)}),
    false_variants={
        "a quarter of it": {"constant": Q(1, 4)},
        "each step lowers the value": lambda A, x: ge(*(f(A, y) for y in accelerated(A, x, 8)[-2:])),
    },
)


def away_from(p, steps):
    """Squared distances from p of Frank and Wolfe's points on the simplex, with the steps 2/(k + 2)."""
    x, distances = 0 * p, []
    for k in range(steps):
        vertex = where(np.arange(p.shape[0]) == np.argmin(x - p), 1, 0)
        x = x + Q(2, k + 2) * (vertex - x)
        distances.append(norm2(x - p))
    return distances


def frank_wolfe(p, steps=3, constant=8):
    """Twice the value; the constant is 4 L D^2, where the squared diameter D^2 is 2."""
    return le((steps + 2) * away_from(p, steps)[-1], constant)


FRANK_WOLFE = Claim(
    id="classics.frank_wolfe",
    title="After k steps, here 3, Frank and Wolfe's method is within 2 L D^2/(k + 2), here of a distance on the simplex",
    source=Source("optimisation", "Frank and Wolfe 1956, Jaggi 2013"),
    statement=frank_wolfe,
    domain=Domain({"p": probability_vector("n")}, {"n": (3, 6)}),
    false_variants={
        "a twelfth of it": {"constant": Q(2, 3)},
        "each step comes nearer": lambda p: le(away_from(p, 2)[1], away_from(p, 2)[0]),
    },
)


def slope(x):
    """Between 1 and 25 times as steep as x: not that of a quadratic."""
    return where(x < 1, 25 * x, where(x < 2, x + 24, 25 * x - 24))


CYCLE = (Q(792, 1225), Q(-2208, 1225))
"""Two of the three points of the cycle, one after the other."""


def heavy_ball_from(e, steps=9):
    """The last two points with the best step and momentum for quadratics, from points beside the cycle."""
    before, x = vector(*CYCLE) + e
    for _ in range(steps):
        before, x = x, x - slope(x) / 9 + Q(4, 9) * (x - before)
    return stack([before, x])


def heavy_ball_cycle(e, share=Q(11008, 19683)):
    """After three rounds with the slopes of the cycle: the largest row sum of their product, in absolute values."""
    return le(greatest(absolute(heavy_ball_from(e) - vector(*CYCLE))), share * greatest(absolute(e)))


HEAVY_BALL_CYCLE = Claim(
    id="classics.heavy_ball_cycle",
    title="Tuned for quadratics, the heavy ball comes to a cycle of three points where a convex function is not quadratic",
    source=Source("optimisation", "Lessard, Recht, Packard 2016"),
    statement=heavy_ball_cycle,
    domain=Domain({"e": interval(Q(-1, 20), Q(1, 20), 2)}),
    tight={"equal errors": {"e": [Q(1, 20), Q(1, 20)]}},
    false_variants={
        "half as far": {"share": Q(1, 2)},
        "it comes to the least point": lambda e: le(greatest(absolute(heavy_ball_from(e))), Q(1, 100)),
    },
)
