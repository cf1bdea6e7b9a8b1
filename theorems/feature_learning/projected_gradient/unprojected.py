r"""Without a projection the gradient leaves the constraint set.

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
    feature_learning, Section 3.3 and Appendix B.1. The correction is derived here.
"""

from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.layers import WEIGHTS, with_bias_row
from theorems.feature_learning.constructions.reformulation import PROBLEMS
from verify import Claim, Domain, FalseAsPrinted, Source
from verify.words import eq, eye, pinv, rank


def velocities(problem, Z_1, Z_2):
    r""":math:`-\nabla L^r` of two layers."""
    _, beta, sigma, Y, lam = problem
    first = Layer(problem.inputs(), Z_1, Z_2, sigma, beta)
    last = Layer(problem.activated(Z_1), Z_2, Z_2, sigma, beta)
    return -lam * (first.attraction() + first.repulsion()), -(lam * last.attraction() + 2 * (Z_2 - Y))


def constraint_is_kept(problem, W):
    Z_1, Z_2 = problem.of_weights(W)
    Z_sigma = problem.activated(Z_1)
    dZ_1, dZ_2 = velocities(problem, Z_1, Z_2)
    # the row of the bias stays
    dZ_sigma = with_bias_row(problem.sigma.derivative(Z_1) * dZ_1, 0)
    inverse = pinv(Z_sigma)
    return eq((dZ_2 - Z_2 @ inverse @ dZ_sigma) @ (eye(len(inverse)) - inverse @ Z_sigma), 0)


def independent_data(problem):
    return (rank(problem.inputs()) == len(problem.x)) & (problem.lam > 0)


def few_neurons(problem, W):
    r"""The rows of :math:`Z_1^\sigma` are independent, and no entry of :math:`Z_1` is at a kink."""
    Z = problem.of_weights(W)[0]
    seen = problem.activated(Z)
    return (rank(seen) == len(seen)) & (Z != 0).all()


PRINTED = Claim(
    id="feature_learning.projected_gradient.unprojected.printed",
    title="Without projections the gradient flow keeps the constraints",
    source=Source("feature_learning", "Section 3.3"),
    status=FalseAsPrinted(corrected_by="feature_learning.projected_gradient.full_rank"),
    statement=constraint_is_kept,
    domain=Domain(
        {"problem": PROBLEMS, "W": WEIGHTS},
        {"depth": (2,), "inputs": (3, 4), "width": (1, 2), "outputs": (1, 2), "points": (3, 4)},
        {"few neurons": few_neurons, "independent data": independent_data},
        # one dimension more is that of the bias
        sizes_where=lambda sizes: sizes["width"] + 1 < sizes["points"],
    ),
)
