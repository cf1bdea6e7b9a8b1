r"""Frank-Wolfe: the fully corrective method on the cone of covariances finds the optimum of a shallow network of any width.

Statement
    For the loss :math:`\|Z - Y\|^2 + \lambda\|W\|^2` of a ReLU network the method returns a bound, a value and a network.
Checked
    The bound is below the loss of any network that is drawn, and within 1e-6 of the value, which is the loss of the network
    that is returned. Instances are solved in floats, of which the results are rationals; what is compared with them is exact
    where the search decides exactly. That the closed forms agree is among the tests of the method.
Proof idea
    The bound is that of `certificate`.
Sharp
    One point with the output 2, where the best neuron has both weights 1; and with the output 1, where no neuron is best.
Source
    feature_learning, Section 3.3; the check is ours.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.solvers import ACCURACY, in_arithmetic_of
from verify import Claim, Domain, Ours, Relation, Source, Tight, integers, le
from verify.arithmetic import Array, floats, rationals
from verify.cones.reference import Optimum, conic_frank_wolfe
from verify.matrices import frobenius_norm_squared
from verify.networks import relu


def solved(inputs: Array, targets: Array, bias: Array, lam: Array) -> Array:
    """Bound, value and loss of the returned network for each of a batch, with points in the columns, shape ``(..., 3)``."""
    X, Y, amount, ridge = (floats(each) for each in (inputs, targets, bias, lam))
    found = np.zeros((*X.shape[:-2], 3))
    for index in np.ndindex(X.shape[:-2]):
        b, lam_here = float(amount[index]), float(ridge[index])
        best = conic_frank_wolfe(X[index].T, Y[index].T, relu(), bias=b, ridge=lam_here)
        found[index] = best.bound, best.value, _loss(best, X[index].T, Y[index].T, b, lam_here)
    return in_arithmetic_of(found, inputs)


def _loss(best: Optimum, points: Array, targets: Array, bias: float, ridge: float) -> float:
    if best.network is None:
        raise ArithmeticError("the solver returned no network, though with a ridge there is always one")
    # c of the biases b c is what the norm counts
    weights, offsets = best.network.weight_norm_squared, best.network.parameter_norm_squared
    norm = weights + ((offsets - weights) / bias**2 if bias else 0.0)
    return float(((best.network(points) - targets) ** 2).sum() + ridge * norm)


def loss_of(inputs: Array, targets: Array, bias: Array, lam: Array, incoming: Array, outgoing: Array) -> Array:
    """The loss of a network that is drawn."""
    rows = with_bias_row(relu()(incoming @ with_bias_row(inputs, bias)), bias)
    norm = frobenius_norm_squared(incoming) + frobenius_norm_squared(outgoing)
    return np.asarray(frobenius_norm_squared(outgoing @ rows - targets) + lam * norm)


def solver_finds_the_optimum(
    inputs: Array, targets: Array, bias: Array, lam: Array, incoming: Array, outgoing: Array
) -> Relation:
    """Bound, value, and the losses of a network that is drawn, of none, and of the one that is returned."""
    bound, value, loss = np.moveaxis(solved(inputs, targets, bias, lam), -1, 0)
    allowed = ACCURACY * value
    return (
        le(bound, value + allowed, name="bound")
        & le(value, bound + allowed, name="gap")
        & le(value - allowed, loss, name="network, from below")
        & le(loss, value + allowed, name="network, from above")
        & le(bound - allowed, loss_of(inputs, targets, bias, lam, incoming, outgoing), name="other networks")
        & le(bound - allowed, frobenius_norm_squared(targets), name="no neurons")
    )


# False variants


def no_network_is_better(inputs: Array, targets: Array, bias: Array, lam: Array, incoming: Array, outgoing: Array) -> Relation:
    """No network has a smaller loss than no neurons at all."""
    del incoming, outgoing
    value = solved(inputs, targets, bias, lam)[..., 1]
    return le(frobenius_norm_squared(targets), (1 + ACCURACY) * value)


def drawn_networks_are_optimal(
    inputs: Array, targets: Array, bias: Array, lam: Array, incoming: Array, outgoing: Array
) -> Relation:
    """The value is the loss of any network."""
    value = solved(inputs, targets, bias, lam)[..., 1]
    return le(loss_of(inputs, targets, bias, lam, incoming, outgoing), (1 + ACCURACY) * value)


def one_point(target: int) -> dict[str, Array]:
    """X = 1 without bias, lam = 1, and the neuron with both weights 1."""
    numbers = {
        "inputs": [[[1]]],
        "targets": [[[target]]],
        "bias": [0],
        "lam": [1],
        "incoming": [[[1, 0]]],
        "outgoing": [[[1, 0]]],
    }
    return {name: rationals(number) for name, number in numbers.items()}


ALLOWED = (4e-6, "the solver's accuracy is allowed for")

SOLVER = Claim(
    id="feature_learning.frank_wolfe.solver",
    title="The fully corrective method finds the optimum",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=solver_finds_the_optimum,
    domain=Domain(
        {
            "inputs": integers(-2, 2, "inputs", "points"),
            "targets": integers(-2, 2, "outputs", "points"),
            "bias": integers(0, 1),
            "lam": integers(1, 2),
            "incoming": integers(-1, 1, "neurons", lambda sizes: sizes["inputs"] + 1),
            "outgoing": integers(-1, 1, "outputs", lambda sizes: sizes["neurons"] + 1),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "outputs": (1, 2, 3), "neurons": (1, 2)},
    ),
    tight={
        "the output 2": Tight(
            lambda: one_point(2),
            *ALLOWED,
            of=("bound", "gap", "network, from below", "network, from above", "other networks"),
        ),
        "the output 1": Tight(lambda: one_point(1), *ALLOWED, of=("no neurons",)),
    },
    false_variants={
        "no network is better than none": no_network_is_better,
        "every network is optimal": drawn_networks_are_optimal,
    },
    cost=30,
)
