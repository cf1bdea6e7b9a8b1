r"""Locality: the loss of representations couples only neighbouring layers.

Statement
    All terms and constraints depend on the outputs or on two neighbouring layers. As a result the (projected) gradient of
    :math:`L^r` by :math:`Z_\ell` depends only on :math:`Z_{\ell-1}`, :math:`Z_\ell` and :math:`Z_{\ell+1}`, unlike that of
    the loss by :math:`W_\ell`.
Checked
    The change of :math:`L^r` when one layer is replaced by any other matrix: it does not depend on the layers two or more
    away, and on the targets only for the last; so no derivative does, nor its projection to what the constraints leave to
    :math:`Z_\ell` while the other layers stay. A step with the sequential projection, of which the sentence does not speak,
    need not be local: :math:`Z_1` moves first, and with it what :math:`Z_2` is projected to. Two such steps that differ in X
    alone are on rationals.
Proof idea
    No term has more than two neighbouring layers in it.
Not checked
    The gradient on the set of all layers that satisfy the constraints, projected to its tangent space, which is not local: for
    widths (2, 1, 1, 1), X = I and the identity activation the representations are (u, au, bu), the tangent space is spanned by
    the changes of u, a and b, and the part that belongs to :math:`Z_1` depends on b and on the targets.
Source
    feature_learning, Section 3.1, item 1.
"""

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, Domain, Source, derived, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, pinv, vector

LINEAR = homogeneous(vector(1, 1))


def change_of_loss(problem, Z, new):
    r"""What :math:`L^r` changes by when a layer, counted from 1, is replaced."""
    layer, values = new
    replaced = [*Z[: layer - 1], values, *Z[layer:]]
    return problem.loss_of_representations(replaced) - problem.loss_of_representations(Z)


def elsewhere_far_away(layer, near, far):
    """The layer and its neighbours are those of the first sequence, all others of the second."""
    pairs = enumerate(zip(near, far, strict=True), start=1)
    return [own if abs(place - layer) <= 1 else other for place, (own, other) in pairs]


def far_layers_do_not_matter(problem, Z, new, other, Y):
    there = problem if new[0] == len(Z) else problem._replace(Y=Y)
    return eq(change_of_loss(there, elsewhere_far_away(new[0], Z, other), new), change_of_loss(problem, Z, new), name="change")


def neighbours_do_not_matter(problem, Z, new, other):
    layer, _ = new
    others = [*other[: layer - 1], Z[layer - 1], *other[layer:]]
    return eq(change_of_loss(problem, others, new), change_of_loss(problem, Z, new))


def targets_never_matter(problem, Z, new, Y):
    return eq(change_of_loss(problem._replace(Y=Y), Z, new), change_of_loss(problem, Z, new))


def weights_are_local(problem, Z, new, other):
    """The change of the loss of the weights does not depend on weights two or more layers away."""
    layer, values = new
    W, V = problem.to_weights(Z), problem.to_weights(other)
    new_W = values @ pinv(problem.seen(Z)[layer - 1])

    def change(weights):
        return problem.loss([*weights[: layer - 1], new_W, *weights[layer:]]) - problem.loss(weights)

    return eq(change(elsewhere_far_away(layer, W, V)), change(W))


def projected_step(u, a, X, Y, rate):
    r"""A step of the second layer from (u, au) for :math:`\lambda = 1`, with the sequential projection."""
    Z_1, Z_2 = u[None], a * u[None]
    first, last = Layer(X, Z_1, Z_2, LINEAR, 0), Layer(Z_1, Z_2, Z_2, LINEAR, 0)
    # X is invertible, so that the first layer needs no projection
    moved = Z_1 - rate * (first.attraction() + first.repulsion())
    return onto_image(Z_2 - rate * (2 * (Z_2 - Y) + last.attraction()), moved)


def two_projected_steps():
    r"""Those of :math:`Z_2` from :math:`Z_1 = Z_2 = (1, 0)` to itself, with the rate 1/4, for two X: they differ."""
    u, a, rate = rationals([1, 0]), rationals(1), rationals("1/4")
    X, other = rationals([[1, 0], [0, 1]]), rationals([[1, 0], [1, 1]])
    return eq(projected_step(u, a, X, u[None], rate), rationals([["1/2", 0]])) & eq(
        projected_step(u, a, other, u[None], rate), rationals([["2/5", "1/5"]])
    )


SOURCE = Source("feature_learning", "Section 3.1, item 1")

CLAIM = Claim(
    id="feature_learning.locality",
    title="The loss of the representations couples only neighbouring layers",
    source=SOURCE,
    statement=far_layers_do_not_matter,
    domain=Domain(
        {
            "problem": PROBLEMS,
            "Z": REPRESENTATIONS,
            "new": derived(
                lambda layer, values: (layer, values),
                values=reals(lambda sizes: sizes["outputs" if sizes["layer"] == sizes["depth"] else "width"], "points"),
            ),
            "other": REPRESENTATIONS,
            "Y": reals("outputs", "points"),
        },
        {
            "depth": (3, 4, 6),
            "layer": range(1, 7),
            "inputs": (1, 2),
            "width": (1, 3),
            "outputs": (1, 2),
            "points": (1, 3),
        },
        sizes_where=lambda sizes: sizes["layer"] <= sizes["depth"],
    ),
    false_variants={
        "nor on the neighbours": neighbours_do_not_matter,
        "nor on the targets": targets_never_matter,
        "of the weights": weights_are_local,
    },
    exact={"two steps with the sequential projection": two_projected_steps},
)
