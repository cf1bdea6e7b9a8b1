"""Layers are steps of the equation; steps of 1/L are fully connected."""

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, Source, reals
from verify.networks import FullyConnected, LeakyResNet
from verify.words import eq, lifted, relu, stack

network, fully_connected = lifted(LeakyResNet), lifted(FullyConnected)


def path(f, X):
    """Activations before and after every layer, with its weights, the leak and its step."""
    A = stack(f.activations(X))
    return A[:-1], A[1:], stack(f.weights), f.leak, f.steps[:, None, None]


def layers_are_steps(f, X):
    """Every layer against the step of the equation, and the value of every point against that of all points."""
    A, after, W, L, rho = path(f, X)
    return (
        eq(after, A + rho * (W @ sigma(A) - L * A), name="layer")
        & eq(f(X[:, ::-1]), after[-1][:, ::-1], name="order")
        & eq(f(X[:, :1]), after[-1][:, :1], name="one point")
    )


def full_steps(f):
    """The network with the same weights and leak and steps of length 1/L."""
    return network(f.weights, f.leak, 1 / f.leak + 0 * f.steps)


def dense(f, X, scale):
    """Outputs of the fully connected network with the weights and biases divided by `scale`."""
    g = fully_connected([W[:, :-1] / scale for W in f.weights], [W[:, -1] / scale for W in f.weights])
    return g(X.T).T


def full_steps_forget(f, X):
    return eq(full_steps(f)(X), dense(f, relu(X), f.leak))


# False variants


def leak_not_scaled_by_the_step(f, X):
    A, after, W, L, rho = path(f, X)
    return eq(after, (1 - L) * A + rho * (W @ sigma(A)))


def bias_not_scaled_by_the_step(f, X):
    A, after, W, L, rho = path(f, X)
    return eq(after, A + rho * (W[:, :, :-1] @ relu(A) - L * A) + W[:, :, -1:])


def points_are_centred(f, X):
    """Every layer sees the differences from the mean over the points."""
    A, after, W, L, rho = path(f, X)
    return eq(after, A + rho * (W @ sigma(A - A.sum(axis=2, keepdims=True) / X.shape[1]) - L * A))


def inputs_not_rectified(f, X):
    return eq(full_steps(f)(X), dense(f, X, f.leak))


def weights_not_divided(f, X):
    return eq(full_steps(f)(X), dense(f, relu(X), 1))


def rationals_grow(sizes):
    return sizes["depth"]


SOURCE = Source("leaky_resnets", "Section 1.1")
NETWORKS = {"f": drawn_networks(), "X": reals("width", "points", role="start of the path")}

CLAIM = Claim(
    id="leaky_resnets.ode",
    title="Layers of a leaky ResNet are steps of its differential equation",
    source=SOURCE,
    statement=layers_are_steps,
    domain=Domain(NETWORKS, {"depth": (1, 2, 3, 6, 14), "width": range(1, 4), "points": range(1, 4)}),
    false_variants={
        "leak not scaled by the step": leak_not_scaled_by_the_step,
        "bias not scaled by the step": bias_not_scaled_by_the_step,
        "activations centred over the points": points_are_centred,
    },
    cost=rationals_grow,
)

FULLY_CONNECTED = Claim(
    id="leaky_resnets.ode.fully_connected",
    title="Steps of length 1/L make a fully connected network",
    source=SOURCE,
    statement=full_steps_forget,
    domain=Domain(NETWORKS, {"depth": (1, 2, 3, 6), "width": range(1, 4), "points": (2,)}),
    false_variants={"inputs not rectified": inputs_not_rectified, "weights not divided by L": weights_not_divided},
    cost=rationals_grow,
)
