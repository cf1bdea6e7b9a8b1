"""Networks: the Lipschitz product, path norms, homogeneity and the arithmetic of balanced layers."""

from verify import Claim, Domain, Q, Source, reals
from verify.words import absolute, eq, ge, le, norm, norm2, operator_norm, relu, schatten_power

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
