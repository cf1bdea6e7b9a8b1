r"""Without a projection the gradient of the loss of the representations leads off the constraint set.

Statement
    The loss explodes where the constraints become unsatisfied, so that gradient flow needs no projections: it never approaches
    a point where they are violated.
Correction
    The loss explodes on :math:`\mathcal Z`, not in the space around it (``loss_explosion``). Where a hidden layer has fewer
    than N dimensions the flow of the formula of :math:`L^r` leaves :math:`\mathcal Z` at once: on the kernel of
    :math:`Z_1^\sigma` nothing holds the outputs back from the targets. It goes below the infimum of the loss, as the exact
    part of ``loss_explosion`` shows. Where all layers have rank N there is nothing to project (``.full_rank``).
Checked
    Two layers, fewer neurons than points, data of rank N and a positive ridge; representations of any weights with
    :math:`Z_1^\sigma` of full row rank and off the kinks, where :math:`L^r` is differentiable along changes of both layers.
    With the velocities :math:`\dot Z = -\nabla L^r` and :math:`W_2 = Z_2(Z_1^\sigma)^+` the constraint
    :math:`Z_2(I - P) = 0` changes at the rate

    .. math:: \bigl(\dot Z_2 - W_2\,\tfrac d{dt}Z_1^\sigma\bigr)(I - P), \qquad P = (Z_1^\sigma)^+Z_1^\sigma .

    Refuted is that it is zero.
Source
    feature_learning, Section 3.3 and Appendix B.1. The correction is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.layers import WEIGHTS, matrix_like, with_bias_row
from theorems.feature_learning.constructions.reformulation import PROBLEMS, Problem
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, eq
from verify.arithmetic import Array, compare
from verify.cones.support_graphs import like
from verify.matrices import pseudo_inverse, rank


def velocities(problem: Problem, hidden: Array, outputs: Array) -> tuple[Array, Array]:
    r""":math:`-\nabla L^r` of two layers."""
    ridge, seen = matrix_like(problem.ridge), problem.activated(hidden)
    first = Layer(problem.inputs(), hidden, outputs, problem.activation, problem.bias)
    last = Layer(seen, outputs, outputs, problem.activation, problem.bias)
    pulled = ridge * last.attraction() + 2 * (outputs - problem.targets)
    return -ridge * (first.attraction() + first.repulsion()), np.asarray(-pulled)


def constraint_is_kept(problem: Problem, weights: Sequence[Array]) -> Relation:
    """The rate at which the constraint of the outputs changes, and zero."""
    hidden, outputs = problem.of_weights(weights)
    seen, slopes = problem.activated(hidden), problem.activation.derivative(hidden)
    moved, pulled = velocities(problem, hidden, outputs)
    # the row of the bias stays
    moved_seen = with_bias_row(slopes * moved, 0 * problem.bias)
    inverse = pseudo_inverse(seen)
    off = like(np.eye(seen.shape[-1], dtype=np.int64), seen) - inverse @ seen
    rate = (pulled - outputs @ inverse @ moved_seen) @ off
    return eq(rate, 0 * rate, over=2)


def independent_data(problem: Problem) -> npt.NDArray[np.bool_]:
    """Whether the data have rank N, and the ridge is positive."""
    points = problem.points.shape[-2]
    return np.asarray((rank(problem.inputs()) == points) & (compare(problem.ridge, 0) > 0))


def few_neurons(problem: Problem, weights: Sequence[Array]) -> npt.NDArray[np.bool_]:
    r"""Whether the rows of :math:`Z_1^\sigma` are independent, and no entry of :math:`Z_1` is at a kink."""
    hidden = problem.of_weights(weights)[0]
    seen = problem.activated(hidden)
    return np.asarray((rank(seen) == seen.shape[-2]) & (compare(hidden, 0) != 0).all(axis=(-2, -1)))


PRINTED = Claim(
    id="feature_learning.projected_gradient.unprojected.printed",
    title="Without projections a gradient flow of the representations keeps the constraints",
    source=Source("feature_learning", "Section 3.3"),
    status=FalseAsPrinted(corrected_by="feature_learning.projected_gradient.full_rank"),
    statement=constraint_is_kept,
    domain=Domain(
        {"problem": PROBLEMS, "weights": WEIGHTS},
        {"depth": (2,), "inputs": (3, 4), "width": (1, 2), "outputs": (1, 2), "points": (3, 4)},
        {"few neurons": few_neurons, "independent data": independent_data},
        # one dimension more is that of the bias
        sizes_where=lambda sizes: sizes["width"] + 1 < sizes["points"],
    ),
    false_neighbours={},
)
