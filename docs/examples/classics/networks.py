"""Networks: the Lipschitz product, path norms, homogeneity, balanced layers, regions, tangent kernels."""

import itertools

import numpy as np

from verify import Claim, Domain, Q, Source, reals
from verify.families import unit_vector
from verify.words import (
    absolute,
    arccos,
    determinant,
    eq,
    ge,
    le,
    least,
    maximum,
    minimum,
    norm,
    norm2,
    operator_norm,
    pi,
    relu,
    schatten_power,
    sqrt,
    stack,
    vector,
    where,
)

SIZES = {"n": (1, 2, 3), "m": (1, 2, 3)}
LAYERS = {"W": reals("m", "n"), "V": reals("n", "m")}


def f(V, W, x):
    return V @ relu(W @ x)


def lipschitz(V, W, x, y, factor=1):
    return le(factor * norm(f(V, W, x) - f(V, W, y)), operator_norm(V) * operator_norm(W) * norm(x - y))


LIPSCHITZ = Claim(
    id="classics.lipschitz_product",
    title="A network is as Lipschitz as the product of the norms of its layers",
    source=Source("networks", "Lipschitz products"),
    statement=lipschitz,
    domain=Domain({**LAYERS, "x": reals("n"), "y": reals("n")}, SIZES),
    tight={"one neuron": {"W": [[1]], "V": [[1]], "x": [2], "y": [1]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "the norm of the product": lambda V, W, x, y: le(norm(f(V, W, x) - f(V, W, y)), operator_norm(V @ W) * norm(x - y)),
    },
)


def path_norm(V, W, x):
    return le(absolute(f(V, W, x)), absolute(V) @ absolute(W) @ absolute(x))


PATH_NORM = Claim(
    id="classics.path_norm",
    title="The sum over paths of absolute weights bounds each output",
    source=Source("networks", "Neyshabur, Tomioka, Srebro 2015"),
    statement=path_norm,
    domain=Domain({**LAYERS, "x": reals("n")}, SIZES),
    tight={"one path": {"W": [[2]], "V": [[3]], "x": [1]}},
    false_variants={
        "without absolute values": lambda V, W, x: le(absolute(f(V, W, x)), absolute(V @ W @ x)),
        "half of it": lambda V, W, x: le(2 * absolute(f(V, W, x)), absolute(V) @ absolute(W) @ absolute(x)),
    },
)


def homogeneous(V, W, x, c):
    return eq(f(c * V, c * W, x), c**2 * f(V, W, x))


HOMOGENEOUS = Claim(
    id="classics.homogeneous",
    title="Two layers scaled by c > 0 give c^2 times the output",
    source=Source("networks", "homogeneity"),
    statement=homogeneous,
    domain=Domain({**LAYERS, "x": reals("n"), "c": reals()}, SIZES, {"c is not negative": lambda c: c >= 0}),
    needs=("c is not negative",),
    tight={"one neuron": {"W": [[2]], "V": [[3]], "x": [1], "c": 2}},
    false_variants={"c times": lambda V, W, x, c: eq(f(c * V, c * W, x), c * f(V, W, x))},
)


def balanced_cost(V, W, factor=2):
    return ge(norm2(V) + norm2(W), factor * schatten_power(V @ W, 1))


BALANCED_COST = Claim(
    id="classics.balanced_cost",
    title="Two linear layers cost at least twice the nuclear norm of their product",
    source=Source("networks", "Srebro, Rennie, Jaakkola 2004"),
    statement=balanced_cost,
    domain=Domain(LAYERS, SIZES),
    tight={"balanced": {"W": [[1, 0], [0, 2]], "V": [[1, 0], [0, 2]]}},
    false_variants={
        "1e-6 more": {"factor": Q("2.000002")},
        "the squared norm": lambda V, W: ge(norm2(V) + norm2(W), 2 * norm2(V @ W)),
    },
)


def balanced_flow(W, V, G, sign=1):
    """Along the flow dW = -V^T G, dV = -G W^T the derivative of W W^T - V^T V vanishes."""
    dW, dV = -V.T @ G, -G @ W.T
    first, second = dW @ W.T, V.T @ dV
    return eq(first + first.T, sign * (second + second.T))


BALANCED_FLOW = Claim(
    id="classics.balanced_flow",
    title="Gradient flow keeps the difference of the Gram matrices of two linear layers",
    source=Source("networks", "Arora, Cohen, Hazan 2018"),
    statement=balanced_flow,
    domain=Domain({**LAYERS, "G": reals("n", "n")}, SIZES),
    tight={"one neuron": {"W": [[1]], "V": [[2]], "G": [[3]]}},
    false_variants={"the sum": {"sign": -1}, "twice": {"sign": 2}},
)


def patterns(W, b, X):
    """How many patterns of active neurons there are at the points X."""
    codes = where(X @ W.T + b > 0, 1, 0) @ 2 ** np.arange(W.shape[0])
    return sum(where((codes == code).any(), 1, 0) for code in range(2 ** W.shape[0]))


def regions(W, b, X, without=0):
    m = W.shape[0]
    return le(patterns(W, b, X), 1 + m + m * (m - 1) // 2 - without)


REGIONS = Claim(
    id="classics.regions",
    title="The lines of m neurons cut the plane into at most 1 + m + m(m - 1)/2 regions",
    source=Source("networks", "Schlaefli 1850, Montufar and others 2014"),
    statement=regions,
    domain=Domain({"W": reals("m", 2), "b": reals("m"), "X": reals(8, 2)}, {"m": (2, 3)}),
    tight={"a quadrant": {"W": [[1, 0], [0, 1]], "b": [0, 0], "X": [[1, 1], [1, -1], [-1, 1], [-1, -1]] * 2}},
    false_variants={
        "one region less": {"without": 1},
        "one for each neuron": lambda W, b, X: le(patterns(W, b, X), W.shape[0]),
    },
)


def kernel(x, y, z, flat=1):
    """The tangent kernel of a wide network with one hidden layer, at three points of the circle."""
    X = stack([x, y, z])
    u = minimum(maximum(X @ X.T, -1), 1)
    angle = pi() - arccos(u)
    return 2 * flat * u * angle + sqrt(1 - u**2)


def ntk(x, y, z, c, least_of_it=0):
    return ge(c @ kernel(x, y, z) @ c, least_of_it * norm2(c))


NTK = Claim(
    id="classics.ntk",
    title="The tangent kernel of a wide network is positive semidefinite on the circle",
    source=Source("networks", "Jacot, Gabriel, Hongler 2018; Cho and Saul 2009"),
    statement=ntk,
    domain=Domain({**{name: unit_vector(2) for name in "xyz"}, "c": reals(3)}),
    false_variants={
        "bounded from below": {"least_of_it": Q(1, 100)},
        "without the angles": lambda x, y, z, c: ge(c @ kernel(x, y, z, 0) @ c, 0),
    },
)


def no_three_on_a_line(X):
    threes = itertools.combinations(range(4), 3)
    return stack([determinant(stack([X[j] - X[i], X[k] - X[i]])) != 0 for i, j, k in threes]).all()


def baum(X, width=Q(1, 2), second=1):
    """Two thresholds, parallel to the line through the first two points, tell these from the others."""
    w = vector(X[0, 1] - X[1, 1], X[1, 0] - X[0, 0])
    away = (X - X[0]) @ w
    e = width * least(absolute(away[2:]))
    return eq(where(away > -e, 1, 0) - second * where(away >= e, 1, 0), vector(1, 1, 0, 0))


BAUM = Claim(
    id="classics.baum",
    title="Two threshold units tell two of four points in general position from the others: N/d are enough",
    source=Source("networks", "Baum 1988"),
    statement=baum,
    domain=Domain({"X": reals(4, 2)}, {}, {"no three on a line": no_three_on_a_line}),
    needs=("no three on a line",),
    tight={"a square": {"X": [[0, 0], [1, 1], [1, 0], [0, 1]]}},
    false_variants={"one unit": {"second": 0}, "thresholds too far apart": {"width": Q(3, 2)}},
)
