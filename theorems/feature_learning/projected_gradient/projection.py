r"""The sequential projection to the constraint set.

Statement
    A projection P to :math:`\mathcal Z` maps :math:`Z_\ell` to its product with the orthogonal projection to the image of
    :math:`(Z_{\ell-1}^\sigma)^T`, for :math:`\ell = 1, \ldots, L` in this order.
Checked
    P is idempotent and ends in :math:`\mathcal Z`. Every layer of P(Z) is the nearest to that of Z among all
    :math:`VZ_{\ell-1}^\sigma`, with the layer before it as it is in P(Z). The tuple as a whole is not the nearest in
    :math:`\mathcal Z`. Where all hidden :math:`Z_\ell^\sigma` have rank N, and X with the row of the bias, too, P(Z) = Z
    (``.full_rank``): no projection is needed there.
Proof idea
    Pythagoras in each layer.
Tight
    V = the weights of P(Z).
Not checked
    For which learning rates the loss decreases.
Source
    feature_learning, Section 3.3; the print omits the transpose. The distances are derived here.
"""

from functools import partial, reduce
from operator import and_

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.layers import WEIGHTS
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS, Problem
from verify import Claim, Domain, Source, Tight
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, le, norm2, pinv, rank


def same_layers(new, old):
    return reduce(and_, (eq(*pair, name=f"layer {layer}") for layer, pair in enumerate(zip(new, old, strict=True), start=1)))


def nearest_in_each_layer(problem, Z, V):
    """P is idempotent; distances of every layer from P(Z), and from what any weights V make of the layer before."""
    nearest = problem.onto_the_constraints(Z)
    relation = same_layers(problem.onto_the_constraints(nearest), nearest)
    others = [weights @ before for weights, before in zip(V, problem.seen(nearest), strict=True)]
    for layer, (own, near, other) in enumerate(zip(Z, nearest, others, strict=True), start=1):
        relation &= le(norm2(own - near), norm2(own - other), name=f"nearest in layer {layer}")
        relation &= eq(norm2(own - other), norm2(own - near) + norm2(near - other), name=f"distance in layer {layer}")
    return relation


def nothing_to_project(problem, Z):
    return same_layers(problem.onto_the_constraints(Z), Z)


def full_rank(problem, Z):
    """The data and all hidden layers have rank N after the activation."""
    return reduce(and_, [rank(seen) == len(problem.x) for seen in problem.seen(Z)])


def nearest_tuple(problem, Z, V):
    def distance(others):
        return sum(norm2(own - other) for own, other in zip(Z, others, strict=True))

    return le(distance(problem.onto_the_constraints(Z)), distance(problem.of_weights(V)))


def all_layers_at_once(problem, Z):
    """Idempotent, too: every layer projected to the image of the layer before as it was."""

    def projected(values):
        return [own @ pinv(seen) @ seen for own, seen in zip(values, problem.seen(values), strict=True)]

    return same_layers(projected(projected(Z)), projected(Z))


def without_the_transpose(problem, Z):
    """Nothing to project where the rows of every layer span all neurons: the print without the transpose."""
    seen = problem.seen(Z)
    return same_layers([one @ pinv(one) for one in seen], [eye(len(one)) for one in seen])


def loss_of_the_projection(problem, Z):
    return le(problem.loss_of_representations(problem.onto_the_constraints(Z)), problem.loss_of_representations(Z))


def unstable():
    r"""For :math:`Z^\sigma = \mathrm{diag}(1, d)` the next layer (1, e) costs :math:`1 + e^2/d^2`, here for d = 1/1000."""
    before, after = rationals([[1, 0], [0, "1/1000"]]), rationals([[1, "1/100"]])
    return eq(norm2(after @ pinv(before)), 101)


def weights_of_the_projection(depth):
    """Two points on a line without bias, and representations of rank two; V are the weights of their projection."""
    sigma = homogeneous(rationals([1, "1/2"]))
    problem = Problem(rationals([[1], [2]]), rationals(0), sigma, rationals([[1, 1]]), rationals(1))
    Z = (*[rationals([[1, 3], [2, -1]])] * (depth - 1), rationals([[3, -1]]))
    return {"problem": problem, "Z": Z, "V": tuple(problem.to_weights(problem.onto_the_constraints(Z)))}


SOURCE = Source("feature_learning", "Section 3.3")
SIZES = {"depth": (1, 2, 3, 5), "inputs": (1, 3), "width": (1, 3), "outputs": (1, 2), "points": (1, 3)}

CLAIM = Claim(
    id="feature_learning.projected_gradient",
    title="The sequential projection is the nearest in each layer",
    source=SOURCE,
    statement=nearest_in_each_layer,
    domain=Domain({"problem": PROBLEMS, "Z": REPRESENTATIONS, "V": WEIGHTS}, SIZES),
    tight={
        f"its own weights, {depth} layers": Tight(
            partial(weights_of_the_projection, depth), of=tuple(f"nearest in layer {layer + 1}" for layer in range(depth))
        )
        for depth in (2, 5)
    },
    false_variants={
        "the nearest tuple": nearest_tuple,
        "all layers at once": all_layers_at_once,
        "the loss does not grow": loss_of_the_projection,
    },
    exact={"unstable where a rank is nearly deficient": unstable},
)

FULL_RANK = Claim(
    id="feature_learning.projected_gradient.full_rank",
    title="At full rank there is nothing to project",
    source=SOURCE,
    statement=nothing_to_project,
    domain=Domain(
        {"problem": PROBLEMS, "Z": REPRESENTATIONS},
        {"depth": (1, 2, 3, 5), "inputs": (2, 3), "width": (2, 3, 4), "outputs": (1, 3), "points": (2, 3)},
        {"all layers have rank N": full_rank},
    ),
    needs=("all layers have rank N",),
    false_variants={"without the transpose": without_the_transpose},
)
