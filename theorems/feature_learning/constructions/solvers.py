"""What the solvers of `verify.cones.reference` give for a batch, and how accurate they are."""

from __future__ import annotations

import numpy as np

from verify import Q
from verify.cones.reference import Optimum, conic_frank_wolfe, largest_ratio
from verify.instances import lifted
from verify.networks import HomogeneousActivation, relu
from verify.numbers.arithmetic import Array, UndecidedInstances, chosen_rationals, floats, is_exact
from verify.numbers.parameters import widened

ACCURACY = Q(1, 10**6)
"""Relative accuracy that is asked of a solver; what it returns is a candidate, checked to this accuracy."""


@widened
def in_arithmetic_of(values: Array, pattern: Array) -> Array:
    """Floats, as the rationals that they are where `pattern` is exact."""
    return chosen_rationals(np.asarray(values)) if is_exact(pattern) else np.asarray(values, dtype=np.float64)


@lifted
@widened
def best_neurons(seen: Array, dual: Array, slope: Array | int) -> tuple[Array, Array]:
    r"""The largest :math:`\|U\sigma(z)\|^2/\|v\|^2` for z = vS, and weights v that attain it: ``(...)``, ``(..., n)``.

    Raises
    ------
    UndecidedInstances
        Some of the matrices S have no certain rank.
    """
    rows, forms = floats(seen), floats(dual)
    quotients, weights = np.zeros(rows.shape[:-2]), np.zeros(rows.shape[:-1])
    slopes = np.broadcast_to(floats(slope), quotients.shape)
    undecided = np.zeros(quotients.shape, dtype=bool)
    for index in np.ndindex(quotients.shape):
        activation = HomogeneousActivation(1.0, float(slopes[index]))
        try:
            quotients[index], weights[index] = largest_ratio(rows[index], forms[index], activation)
        except UndecidedInstances:
            undecided[index] = True
    if undecided.any():
        raise UndecidedInstances(f"{int(undecided.sum())} input covariances have no certain rank", undecided)
    return in_arithmetic_of(quotients, seen), in_arithmetic_of(weights, seen)


@lifted
@widened
def solved(X: Array, Y: Array, beta: Array, lam: Array) -> Array:
    """Bound, value and loss of the network of `conic_frank_wolfe` with the ReLU, points in the columns, shape ``(..., 3)``."""
    inputs, targets, amounts, ridges = (floats(each) for each in (X, Y, beta, lam))
    found = np.zeros((*inputs.shape[:-2], 3))
    for index in np.ndindex(inputs.shape[:-2]):
        data = inputs[index].T, targets[index].T
        bias, ridge = float(amounts[index]), float(ridges[index])
        best = conic_frank_wolfe(*data, relu(), bias=bias, ridge=ridge)
        found[index] = best.bound, best.value, _loss(best, *data, bias, ridge)
    return in_arithmetic_of(found, X)


def _loss(best: Optimum, points: Array, targets: Array, bias: float, ridge: float) -> float:
    if best.network is None:
        raise ArithmeticError("the solver returned no network, though with a ridge there is always one")
    # c of the biases b c is what the norm counts
    weights, offsets = best.network.weight_norm_squared, best.network.parameter_norm_squared
    norm = weights + ((offsets - weights) / bias**2 if bias else 0.0)
    return float(((best.network(points) - targets) ** 2).sum() + ridge * norm)
