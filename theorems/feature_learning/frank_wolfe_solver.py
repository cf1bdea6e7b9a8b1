r"""The fully corrective Frank-Wolfe method on the cone of covariances finds the optimum of a shallow network of any width.

What `conic_frank_wolfe` returns for the loss :math:`\|Z - Y\|^2 + \lambda\|W\|^2` of a ReLU network is an optimum: its bound is
below the loss of any network that is drawn, and within 1e-6 of its value, which is the loss of the network that it returns. The
bound rests on the certificate of `frank_wolfe`; the closed forms with which the method agrees are among its tests.
Instances are solved in floats, of which the results are rationals; what is compared with them is exact where the search
decides exactly.

Source: feature_learning, Section 3.3; the check is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.feature_learning.frank_wolfe import ACCURACY, in_arithmetic_of
from theorems.feature_learning.weight_decomposition import with_bias_row
from verify import Claim, Domain, Ours, Relation, Source, integers, le
from verify.arithmetic import Array, floats
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
        return best.value
    # c of the biases b c is what the norm counts
    weights, offsets = best.network.weight_norm_squared, best.network.parameter_norm_squared
    norm = weights + ((offsets - weights) / bias**2 if bias else 0.0)
    return float(((best.network(points) - targets) ** 2).sum() + ridge * norm)


def solver_finds_the_optimum(
    inputs: Array,
    targets: Array,
    bias: Array,
    lam: Array,
    incoming: Array,
    outgoing: Array,
    percent: int = 100,
    better: bool = False,
) -> Relation:
    """Bound, value, and the losses of a network that is drawn and of the one that is returned."""
    bound, value, loss = np.moveaxis(solved(inputs, targets, bias, lam), -1, 0)
    rows = with_bias_row(relu()(incoming @ with_bias_row(inputs, bias)), bias)
    errors = frobenius_norm_squared(outgoing @ rows - targets)
    other = errors + lam * (frobenius_norm_squared(incoming) + frobenius_norm_squared(outgoing))
    # without hidden neurons
    linear = frobenius_norm_squared(targets)
    allowed = value / ACCURACY
    relation = (
        le(bound * percent / 100, value + allowed)
        & le(value, bound + allowed)
        & le(value - allowed, loss)
        & le(loss, value + allowed)
        & le(bound - allowed, other)
        & le(bound - allowed, linear)
    )
    return relation & le(linear, value + allowed) if better else relation


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
        {"inputs": range(1, 3), "points": range(1, 4), "outputs": range(1, 3), "neurons": range(1, 3)},
    ),
    false_neighbours={
        "1 percent more": partial(solver_finds_the_optimum, percent=101),
        "no network is better than none": partial(solver_finds_the_optimum, better=True),
    },
    cost=30,
)
