r"""Proposition 1, the value: both losses have the same infimum.

Statement
    In the notation of `constructions.reformulation`, for every cost C, every :math:`\lambda \ge 0` and every activation,

    .. math:: \inf_W L_\lambda(W) = \inf_{Z \in \mathcal Z} L^r(Z), \qquad
       R_n(X, Y) = \min_{Z \in \mathcal Z, \, Z_L = Y} \sum_\ell \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 .
Checked
    For all weights :math:`L^r(\psi(W)) \le L(W)`, with the difference :math:`\lambda\|W - \phi(\psi(W))\|^2`, at the same
    outputs; so equality holds if and only if W is in the image of :math:`\phi`, for :math:`\lambda > 0`. For all Z in the
    constraint set (``.attained``) :math:`\psi(\phi(Z)) = Z` and :math:`L(\phi(Z)) = L^r(Z)`; outside it both are false. C is
    the squared distance from targets; since the outputs are the same, any other C is, too.
Proof idea
    The weights are split as in `weight_decomposition`.
Tight
    Weights without residuals.
Source
    feature_learning, Proposition 1 (Proposition 16 in the appendix).
"""

from functools import reduce
from operator import and_

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.layers import WEIGHTS
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS, Problem, squared_norm
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, Source, Tight
from verify.numbers.arithmetic import rationals
from verify.words import eq, le, pinv


def representations_cost_less(problem, W):
    Z, V = problem.of_weights(W), problem.without_residuals(W)
    residuals = squared_norm([own - kept for own, kept in zip(W, V, strict=True)])
    below, above = problem.loss_of_representations(Z), problem.loss(W)
    return (
        le(below, above, name="losses")
        & eq(above, below + problem.lam * residuals, name="difference")
        & eq(problem.of_weights(V)[-1], Z[-1], name="outputs")
    )


def inverse_of_the_same_layer(problem, W):
    r"""The pseudo-inverse of :math:`Z_\ell^\sigma` in place of :math:`Z_{\ell-1}^\sigma`, with one more at the first layer."""
    Z = problem.of_weights(W)
    costs = squared_norm([values @ pinv(problem.activated(values)) for values in Z])
    return le(problem.cost(Z[-1]) + problem.lam * costs, problem.loss(W))


def transpose_in_place_of_the_inverse(problem, W):
    Z = problem.of_weights(W)
    costs = squared_norm([values @ before.T for values, before in zip(Z, problem.seen(Z), strict=True)])
    return le(problem.cost(Z[-1]) + problem.lam * costs, problem.loss(W))


def no_residuals(problem, W):
    return eq(problem.loss_of_representations(problem.of_weights(W)), problem.loss(W))


def same_representations(problem, Z):
    """The weights of Z have the representations Z."""
    pairs = enumerate(zip(problem.of_weights(problem.to_weights(Z)), Z, strict=True), start=1)
    return reduce(and_, (eq(new, old, name=f"layer {layer}") for layer, (new, old) in pairs))


def weights_attain_it(problem, Z):
    Z = problem.onto_the_constraints(Z)
    loss = eq(problem.loss(problem.to_weights(Z)), problem.loss_of_representations(Z), name="loss")
    return same_representations(problem, Z) & loss


def loss_without_the_constraints(problem, Z):
    return eq(problem.loss(problem.to_weights(Z)), problem.loss_of_representations(Z))


def projected_all_at_once(problem, Z):
    """To the image of what the layer before was, not of what it has become."""
    layers = zip(Z, problem.seen(Z), strict=True)
    return same_representations(problem, [onto_image(values, before) for values, before in layers])


def determined_weights():
    """Two points, three leaky layers: weights that the representations determine."""
    x, sigma = rationals([[1, 2], [-1, 1]]), homogeneous(rationals([1, "1/2"]))
    problem = Problem(x, rationals(0), sigma, rationals([[3, -1]]), rationals("1/3"))
    Z = rationals([[1, 2], [-1, 3]]), rationals([[2, 1], [1, -1]]), rationals([[1, 4]])
    return {"problem": problem, "W": tuple(problem.to_weights(Z))}


SOURCE = Source("feature_learning", "Proposition 1")
SIZES = {"depth": (1, 2, 3, 6), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 2), "points": (1, 3)}

CLAIM = Claim(
    id="feature_learning.prop_1.value",
    title="The representations of weights have no larger a loss",
    source=SOURCE,
    statement=representations_cost_less,
    domain=Domain({"problem": PROBLEMS, "W": WEIGHTS}, SIZES),
    tight={"weights without residuals": Tight(determined_weights, of=("losses",))},
    false_variants={
        "the pseudo-inverse of the same layer": inverse_of_the_same_layer,
        "the transpose in place of the pseudo-inverse": transpose_in_place_of_the_inverse,
        "no residuals": no_residuals,
    },
)

ATTAINED = Claim(
    id="feature_learning.prop_1.value.attained",
    title="Representations within the constraints come from weights of that loss",
    source=SOURCE,
    statement=weights_attain_it,
    domain=Domain({"problem": PROBLEMS, "Z": REPRESENTATIONS}, SIZES),
    false_variants={
        "without the constraints": same_representations,
        "the loss without the constraints": loss_without_the_constraints,
        "all layers projected at once": projected_all_at_once,
    },
)
