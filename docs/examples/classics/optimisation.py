"""Optimisation: descent, contraction, firm nonexpansiveness and projections, on quadratics and closed forms."""

from verify import Claim, Domain, Q, Source, interval, reals
from verify.families import positive_semidefinite, with_spectrum
from verify.words import absolute, eye, ge, inner, inverse, le, maximum, minimum, norm2, relu, where

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
