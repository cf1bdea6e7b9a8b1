r"""Proposition 1, the local minima: those of both losses correspond.

Statement
    For :math:`\lambda > 0`, a continuous activation and a lower semi-continuous cost: if W is a local minimum of :math:`L`,
    then :math:`\psi(W)` is one of :math:`L^r` on :math:`\mathcal Z`; if Z is a local minimum of :math:`L^r` on
    :math:`\mathcal Z`, then :math:`\phi(Z)` is one of :math:`L`.
Correction
    The paper has a general cost. Let X = I for two points, ReLU, two neurons, no bias, and C be the squared distance from
    :math:`(2a^2 + \lambda, 0)` and a jump J where the second output is not negative. Both rows of :math:`W_1` are (a, 0), and
    :math:`W_2 = (a, a)`. Near W the second output is not negative, so that C is there the distance and J, of which W is a local
    minimum: its norm is the least for its outputs. But of the representations one neuron can move to :math:`(a, \varepsilon)`
    where :math:`W_2 = (3a, -a)`: the outputs are :math:`(2a^2, -a\varepsilon)`, and for every small :math:`\varepsilon > 0` the
    loss has fallen by nearly :math:`J - 8\lambda a^2` (``.printed``).
Checked
    Both losses on the segment of local minima of Proposition 19, which are not global: neither is smaller after changes of at
    most min(a, b) in each number, those of the representations followed by the projection to :math:`\mathcal Z`. At the end
    of the segment, where b = 0, both descend, and by the same amount. For all networks the step that leads from Z to
    :math:`\phi(Z)` (``.weights``): for :math:`Z \in \mathcal Z` and any weights W'

    .. math:: L(W') - L(\phi(Z)) \ge L^r(\psi(W')) - L^r(Z) ,

    where :math:`\psi(W')` is near Z if W' is near :math:`\phi(Z)`. And a consequence (``.residuals``): with the residuals
    :math:`\tilde W = W - \phi(\psi(W))`,

    .. math:: L(W - t\tilde W) = L(W) - \lambda t(2 - t)\|\tilde W\|^2 ,

    so that a local minimum of L has none.
Proof idea
    The inequality is Proposition 1 for the values. The other way needs that :math:`\phi` of a sequence with smaller losses is
    bounded, and that a limit W' of it has the representations Z and no larger a norm than :math:`\phi(Z)`, so is
    :math:`\phi(Z)`.
Tight
    Along the segment's hyperbola :math:`Z_2 = \|W_1\|^2`; weights without residuals.
Not checked
    That :math:`\psi` of a local minimum is one, but on the segment. The limit: :math:`\phi` is not continuous where the rank of
    a representation drops.
Source
    feature_learning, Proposition 1 (Proposition 16 in the appendix). The inequality for all W' is derived here.
"""

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.layers import WEIGHTS
from theorems.feature_learning.constructions.reformulation import PROBLEMS, REPRESENTATIONS, Problem, squared_norm
from theorems.feature_learning.prop_1.value import SIZES, SOURCE, determined_weights
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Q, Source, interval
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, eye, le, minimum, norm2, stack, vector, where, zeros


def problem_of_the_segment(ends):
    r"""X = (1, -1), Y = (1, 1), ReLU, no bias, and :math:`\lambda = 1 - a^2 - b^2`."""
    return Problem(vector(1, -1)[:, None], 0, homogeneous(vector(1, 0)), vector(1, 1)[None], 1 - norm2(ends))


def weights_of_the_segment(ends, change):
    """The weights (a, b)^T and (a, b), changed by four numbers, without bias weights."""
    incoming, outgoing = ends + change[:2], ends + change[2:]
    return [concatenate([incoming[:, None], zeros(2, 1)], axis=1), concatenate([outgoing, zeros(1)])[None]]


def on_the_segment(ends):
    """The problem, the weights and their representations."""
    problem, W = problem_of_the_segment(ends), weights_of_the_segment(ends, zeros(4))
    return problem, W, problem.of_weights(W)


def both_are_local_minima(ends, reach, change, first, last):
    """The changes are in units of min(a, b)."""
    (problem, W, Z), unit = on_the_segment(ends), reach * minimum(*ends)
    near = problem.onto_the_constraints([Z[0] + unit * first, Z[1] + unit * last])
    return le(problem.loss(W), problem.loss(weights_of_the_segment(ends, unit * change)), name="weights") & le(
        problem.loss_of_representations(Z), problem.loss_of_representations(near), name="representations"
    )


def without_the_projection(ends, reach, first, last):
    (problem, _, Z), unit = on_the_segment(ends), reach * minimum(*ends)
    near = [Z[0] + unit * first, Z[1] + unit * last]
    return le(problem.loss_of_representations(Z), problem.loss_of_representations(near))


def isolated(ends, reach, first, last):
    """The loss of the representations grows with the square of their change."""
    (problem, _, Z), unit = on_the_segment(ends), reach * minimum(*ends)
    near = problem.onto_the_constraints([Z[0] + unit * first, Z[1] + unit * last])
    gain = problem.lam * (norm2(near[0] - Z[0]) + norm2(near[1] - Z[1])) / 2
    return le(problem.loss_of_representations(Z) + gain, problem.loss_of_representations(near))


def changes(problem, Z, W):
    r"""Those of the losses from Z and :math:`\phi(Z)` to W and :math:`\psi(W)`."""
    Z = problem.onto_the_constraints(Z)
    of_representations = problem.loss_of_representations(problem.of_weights(W)) - problem.loss_of_representations(Z)
    return of_representations, problem.loss(W) - problem.loss(problem.to_weights(Z))


def weights_gain_more(problem, Z, W):
    of_representations, of_weights = changes(problem, Z, W)
    return le(of_representations, of_weights, name="changes")


def equal_changes(problem, Z, W):
    return eq(*changes(problem, Z, W))


def from_any_weights(problem, Z, W):
    """The change from given weights, with their residuals, to those of representations."""
    of_representations, of_weights = changes(problem, Z, W)
    return le(-of_representations, -of_weights)


def law(problem, W, t, counted, gain):
    r"""The loss at :math:`W - t\tilde W` is smaller by the `gain` times the norm of the residuals that are `counted`."""
    residuals = [own - kept for own, kept in zip(W, problem.without_residuals(W), strict=True)]
    fewer = [own - t * rest for own, rest in zip(W, residuals, strict=True)]
    lost = problem.lam * gain * squared_norm(residuals[counted])
    return eq(problem.loss(fewer), problem.loss(W) - lost, name="law")


def residuals_only_cost(problem, W, t):
    return law(problem, W, t, slice(None), t * (2 - t))


def without_the_square(problem, W, t):
    return law(problem, W, t, slice(None), 2 * t)


def residuals_of_the_last_layer(problem, W, t):
    return law(problem, W, t, slice(-1, None), t * (2 - t))


def end_of_the_segment():
    """At the end, a = 1/2 and b = 0, both losses descend along the same path by eps^2 (2 a^2 - eps^2), for eps = 1/4."""
    ends, eps = rationals(["1/2", 0]), Q("1/4")
    problem, here, _ = on_the_segment(ends)
    there = weights_of_the_segment(ends, rationals([0, -1, 0, 1]) * eps)
    descent = eps**2 * (2 * Q("1/4") - eps**2)
    losses = [problem.loss_of_representations(problem.of_weights(W)) for W in (here, there)]
    return eq(problem.loss(there), problem.loss(here) - descent) & eq(losses[1], losses[0] - descent)


def no_representations_near_cost_less(a, lam, jump, eps):
    """For the cost with a jump where the second output is not negative: before and after the step of one neuron."""
    one = eye(2)
    problem = Problem(one, 0, homogeneous(vector(1, 0)), vector(2 * a**2 + lam, 0)[None], lam)
    hidden, outputs = a * stack([one[0], one[0]]), vector(2 * a**2, 0)
    near = [hidden + eps * stack([0 * one[0], one[1]]), (outputs - a * eps * one[1])[None]]
    before = problem.loss_of_representations([hidden, outputs[None]]) + jump
    return le(before, problem.loss_of_representations(near) + where(eps > 0, 0, jump))


ALONG_THE_SEGMENT = {
    "ends": ["3/10", "2/5"],
    "reach": 1,
    "change": ["1/3", "-1/3", "1/3", "-1/3"],
    "first": [[0, 0], [0, 0]],
    "last": [[0, 0]],
}
"""The weights from (3/10, 4/10) to (4/10, 3/10); the representations where they are."""
ON_THE_HYPERBOLA = {**ALONG_THE_SEGMENT, "first": [["1/3", "-1/3"], ["-1/3", "1/3"]], "last": [[0, 1]]}
"""(3/10, 4/10) moved to (4/10, 3/10), and the outputs as they are."""


def weights_without_residuals():
    """Weights that the representations determine, beside others."""
    Z = rationals([[2, 1], [1, 5]]), rationals([[1, 0], [2, 1]]), rationals([[0, 2]])
    return {**determined_weights(), "Z": Z}


CLAIM = Claim(
    id="feature_learning.prop_1.local_minima",
    title="Both losses have their local minima on one segment",
    source=SOURCE,
    status=DerivedHere(),
    statement=both_are_local_minima,
    domain=Domain(
        {
            "ends": interval(0, 1, 2),
            "reach": interval(0, 3),
            "change": interval(-1, 1, 4),
            "first": interval(-1, 1, 2, 2),
            "last": interval(-1, 1, 1, 2),
        },
        hypotheses={
            "lam is not negative": lambda ends: norm2(ends) <= 1,
            "each number changes by at most min(a, b)": lambda reach: reach <= 1,
        },
    ),
    tight={"along the circle": ALONG_THE_SEGMENT, "on the hyperbola": ON_THE_HYPERBOLA},
    needs=("lam is not negative", "each number changes by at most min(a, b)"),
    false_variants={"outside the constraint set": without_the_projection, "isolated minima": isolated},
    exact={"at the end of the segment both descend": end_of_the_segment},
)

GAIN = Claim(
    id="feature_learning.prop_1.local_minima.weights",
    title="The loss of weights moves more than that of their representations",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=weights_gain_more,
    domain=Domain({"problem": PROBLEMS, "Z": REPRESENTATIONS, "W": WEIGHTS}, SIZES),
    tight={"weights without residuals": weights_without_residuals},
    false_variants={"from any weights": from_any_weights, "equal changes": equal_changes},
)

RESIDUALS = Claim(
    id="feature_learning.prop_1.local_minima.residuals",
    title="A local minimum has no residuals",
    source=SOURCE,
    statement=residuals_only_cost,
    domain=Domain({"problem": PROBLEMS, "W": WEIGHTS, "t": interval(0, 2, role="free")}, SIZES),
    false_variants={"without the square": without_the_square, "residuals of the last layer": residuals_of_the_last_layer},
)

PRINTED = Claim(
    id="feature_learning.prop_1.local_minima.printed",
    title="Representations of a local minimum are one, for every cost",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=no_representations_near_cost_less,
    domain=Domain({"a": interval(Q(1, 4), 2), "lam": interval(Q(1, 16), 1), "jump": interval(0, 16), "eps": interval(0, 1)}),
)
