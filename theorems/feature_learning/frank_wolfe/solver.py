r"""Frank-Wolfe: the fully corrective method finds the optimum.

Statement
    For the loss :math:`\|Z - Y\|^2 + \lambda\|W\|^2` of a ReLU network the method returns a bound, a value and a network.
Checked
    The bound is below the loss of any network that is drawn, and within 1e-6 of the value, which is the loss of the network
    that is returned. Instances are solved in floats, of which the results are rationals; what is compared with them is exact
    where the search decides exactly. That the closed forms agree is among the tests of the method.
Proof idea
    The bound is that of `certificate`.
Tight
    One point with the output 2, where the best neuron has both weights 1; and with the output 1, where no neuron is best.
Source
    feature_learning, Section 3.3; the check is derived here.
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.solvers import ACCURACY, solved
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers
from verify.numbers.arithmetic import rationals
from verify.words import le, norm2, relu, where


def loss(X, Y, b, lam, weights):
    W_1, W_2 = weights
    Z = W_2 @ with_bias_row(relu(W_1 @ with_bias_row(X, b)), b)
    return norm2(Z - Y) + lam * (norm2(W_1) + norm2(W_2))


def solver_finds_the_optimum(X, Y, b, lam, weights):
    """Bound, value, and the losses of a network that is drawn, of none, and of the one that is returned."""
    bound, value, reached = solved(X, Y, b, lam)
    allowed = ACCURACY * value
    return (
        le(bound, value + allowed, name="bound")
        & le(value, bound + allowed, name="gap")
        & le(value - allowed, reached, name="network, from below")
        & le(reached, value + allowed, name="network, from above")
        & le(bound - allowed, loss(X, Y, b, lam, weights), name="other networks")
        & le(bound - allowed, norm2(Y), name="no neurons")
    )


def no_network_is_better(X, Y, b, lam):
    """No network has a smaller loss than no neurons at all."""
    _, value, _ = solved(X, Y, b, lam)
    return le(norm2(Y), (1 + ACCURACY) * value)


def output_bias_is_free(X, Y, b, lam, weights):
    """It has no part in the ridge."""
    bound, value, _ = solved(X, Y, b, lam)
    return le(bound - ACCURACY * value, loss(X, Y, b, lam, weights) - lam * norm2(weights[1][:, -1]))


def drawn_weights(W_1, W_2, constant):
    """The weights; where `constant` is 1, all but the output bias are zero."""
    return where(constant == 1, 0, W_1), where((constant == 1) & (np.arange(W_2.shape[1]) < W_2.shape[1] - 1), 0, W_2)


def drawn_networks_are_optimal(X, Y, b, lam, weights):
    _, value, _ = solved(X, Y, b, lam)
    return le(loss(X, Y, b, lam, weights), (1 + ACCURACY) * value)


def one_point(target):
    """X = 1 without bias, lam = 1, and the neuron with both weights 1."""
    return {"X": [[1]], "Y": [[target]], "b": 0, "lam": 1, "weights": (rationals([[1, 0]]), rationals([[1, 0]]))}


ALLOWED = (4e-6, "the solver's accuracy is allowed for")

SOLVER = Claim(
    id="feature_learning.frank_wolfe.solver",
    title="The fully corrective method finds the optimum",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=solver_finds_the_optimum,
    domain=Domain(
        {
            "X": integers(-2, 2, "inputs", "points"),
            "Y": integers(-2, 2, "outputs", "points"),
            "b": integers(0, 1),
            "lam": integers(1, 2),
            "weights": derived(
                drawn_weights,
                W_1=integers(-1, 1, "neurons", lambda sizes: sizes["inputs"] + 1),
                W_2=integers(-1, 1, "outputs", lambda sizes: sizes["neurons"] + 1),
                constant=integers(0, 1),
            ),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "outputs": (1, 2, 3), "neurons": (1, 2)},
    ),
    tight={
        "the output 2": Tight(
            partial(one_point, 2),
            *ALLOWED,
            of=("bound", "gap", "network, from below", "network, from above", "other networks"),
        ),
        "the output 1": Tight(partial(one_point, 1), *ALLOWED, of=("no neurons",)),
    },
    false_variants={
        "no network is better than none": no_network_is_better,
        "every network is optimal": drawn_networks_are_optimal,
        "the output bias is free": output_bias_is_free,
    },
    cost=100,
)
