r"""The loss explodes near violated constraints.

Statement
    If :math:`Z_\ell^\sigma v = 0` and :math:`Z_{\ell+1}v \ne 0` for a unit vector v, then for all :math:`Z' \in \mathcal Z`
    with :math:`\|Z'_\ell - Z_\ell\|, \|Z'_{\ell+1} - Z_{\ell+1}\| \le \epsilon` and an activation of Lipschitz constant c

    .. math:: \|Z'_{\ell+1}(Z'^\sigma_\ell)^+\|_F^2 \ge \frac{(\|Z_{\ell+1}v\| - \epsilon)_+^2}{c^2\epsilon^2} ,

    which tends to infinity: along a gradient flow, where the loss decreases, such a point is never approached.
Checked
    The bound for any two adjacent layers. With one :math:`\epsilon` for both layers together (``.together``), for
    :math:`\epsilon < r = \|Z_{\ell+1}v\|`, the bound is :math:`(r^2/\epsilon^2 - 1)/c^2`. Both are false without
    :math:`Z' \in \mathcal Z`, which the proof uses: outside, the formula of :math:`L^r` may stay small, below the infimum on
    :math:`\mathcal Z` (the exact part).
Proof idea
    :math:`Z'_{\ell+1} = W'Z'^\sigma_\ell`, applied to v: :math:`\|Z'_{\ell+1}v\| \le \|W'\|\,\|Z'^\sigma_\ell v\| \le
    \|W'\|\,c\,\|Z'_\ell - Z_\ell\|`.
Tight
    One neuron and one point: :math:`Z = (0, 1)`, :math:`Z' = (\epsilon, 1 - \epsilon)`; together,
    :math:`Z' = (\epsilon\sqrt{1 - \epsilon^2}, 1 - \epsilon^2)`.
Not checked
    Activations that are only continuous, where the cost explodes at another rate.
Source
    feature_learning, Appendix B.1; in the copy at hand the formulas are lost. The second bound is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.activations import ACTIVATIONS, homogeneous
from theorems.feature_learning.constructions.layers import with_bias_row
from theorems.feature_learning.constructions.reformulation import Problem
from theorems.feature_learning.constructions.tuples import onto_image
from verify import Claim, DerivedHere, Domain, Source, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, concatenate, eq, greatest, le, maximum, norm2, pinv, sqrt, where


def terms(pairs):
    r"""The squared distances :math:`d^2` and :math:`d_+^2` of both layers, :math:`r^2 = \|Z_{\ell+1}v\|^2`, c, and the cost."""
    (Z, after), (near, near_after), sigma, beta, v, _ = pairs
    # the vector v may have any length
    violation = norm2(after @ v) / where(norm2(v) == 0, 1, norm2(v))
    cost = norm2(near_after @ pinv(with_bias_row(sigma(near), beta)))
    return norm2(near - Z), norm2(near_after - after), violation, greatest(absolute(sigma.slopes)), cost


def explodes(pairs):
    r"""As :math:`r \le \epsilon + c\epsilon\|W'\|`, for the larger of both distances."""
    distance, distance_after, violation, c, cost = terms(pairs)
    epsilon = sqrt(maximum(distance, distance_after))
    return le(sqrt(violation), epsilon * (1 + c * sqrt(cost)), name="cost")


def third_power(pairs):
    r"""The rate :math:`\epsilon^{-3}`."""
    distance, distance_after, violation, c, cost = terms(pairs)
    epsilon = sqrt(maximum(distance, distance_after))
    return le(sqrt(violation), epsilon * (1 + c * sqrt(epsilon * cost)))


def without_the_slopes(pairs):
    """As if the Lipschitz constant were 1."""
    distance, distance_after, violation, _, cost = terms(pairs)
    return le(sqrt(violation), sqrt(maximum(distance, distance_after)) * (1 + sqrt(cost)))


def slope_of_positive_values(pairs):
    """The slope for positive values in place of the steeper one."""
    distance, distance_after, violation, _, cost = terms(pairs)
    epsilon = sqrt(maximum(distance, distance_after))
    return le(sqrt(violation), epsilon * (1 + absolute(pairs[2].slopes[0]) * sqrt(cost)))


def without_the_distance(pairs):
    r"""The bound :math:`r^2/(c\epsilon)^2` for the larger distance."""
    distance, distance_after, violation, c, cost = terms(pairs)
    return le(violation, c**2 * maximum(distance, distance_after) * cost)


def explodes_together(pairs, subtracted=1, power=2):
    r"""Times :math:`c^2\epsilon^2`, for the distance of both layers together."""
    distance, distance_after, violation, c, cost = terms(pairs)
    square = distance + distance_after
    return le(violation - subtracted * square, c**power * square * cost, name="cost")


def formula_outside():
    r"""X = I, Y = (0, 1), :math:`\lambda = 1/20`: at Z = ((q, 0), (0, 1)) the loss is :math:`\lambda q^2`, here for q = 1/10.

    On the constraint set it is at least :math:`2\lambda - \lambda^2`: see `projected_gradient`.
    """
    lam, unit = rationals("1/20"), rationals([[1, 0], [0, 1]])
    problem = Problem(unit, rationals(0), homogeneous(rationals([1, 1])), rationals([[0, 1]]), lam)
    loss = problem.loss_of_representations([rationals([["1/10", 0]]), rationals([[0, 1]])])
    return eq(loss, lam / 100) & le(loss, 2 * lam - lam**2)


def drawn_pairs(live, dead, after, step, step_after, size, direction, sigma, beta, inside):
    """Two layers, of which the first has neurons that are zero; two near them, which satisfy the constraint if `inside` is 1.

    And the part v of the `direction` that is in the kernel of the first.
    """
    Z = concatenate([live, 0 * dead])
    v = direction - onto_image(direction[None], with_bias_row(sigma(Z), beta))[0]
    # next to nothing is left of a direction in the image but rounding errors
    v = where(norm2(direction) > 2**40 * norm2(v), 0, v)
    near, near_after = Z + size * step, after + size * step_after
    projected = onto_image(near_after, with_bias_row(sigma(near), beta))
    return (Z, after), (near, where(inside == 1, projected, near_after)), sigma, beta, v, inside


def one_neuron(near, near_after, slope=1):
    """One point and one neuron, of which the positive part counts: Z = (0, 1)."""
    layers = [tuple(rationals([[number]]) for number in pair) for pair in ((0, 1), (near, near_after))]
    return {"pairs": (*layers, homogeneous(rationals([slope, 0])), rationals(0), rationals([1]), rationals(1))}


PAIRS = derived(
    drawn_pairs,
    live=reals("live", "points"),
    dead=interval(0, 1, "zeros", "points"),
    after=reals("outputs", "points"),
    step=reals(lambda sizes: sizes["live"] + sizes["zeros"], "points"),
    step_after=reals("outputs", "points"),
    size=interval(0, 1),
    direction=reals("points"),
    sigma=ACTIVATIONS,
    beta=interval(0, 1),
    inside=integers(0, 1),
)
DOMAIN = Domain(
    {"pairs": PAIRS},
    {"live": (0, 1, 2), "zeros": (0, 1, 3), "outputs": range(1, 4), "points": (1, 3, 4)},
    {"the layers nearby satisfy the constraint": lambda pairs: pairs[-1] == 1},
    sizes_where=lambda sizes: sizes["live"] + sizes["zeros"] > 0,
)

CLAIM = Claim(
    id="feature_learning.loss_explosion",
    title="The loss explodes near violated constraints",
    source=Source("feature_learning", "Appendix B.1"),
    statement=explodes,
    domain=DOMAIN,
    tight={
        "one neuron and one point": partial(one_neuron, "1/3", "2/3"),
        "slope 1/2": partial(one_neuron, "1/3", "2/3", slope="1/2"),
    },
    needs=tuple(DOMAIN.hypotheses),
    false_variants={
        "the rate of the third power": third_power,
        "without the distance": without_the_distance,
        "without the Lipschitz constant": without_the_slopes,
        "the slope for positive values": slope_of_positive_values,
    },
    exact={"outside the constraint set the formula stays small": formula_outside},
)

TOGETHER = Claim(
    id="feature_learning.loss_explosion.together",
    title="The tight bound for the distance of both layers together",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=explodes_together,
    domain=DOMAIN,
    tight={
        "one neuron and one point": partial(one_neuron, "12/25", "16/25"),
        "slope 1/2": partial(one_neuron, "12/25", "16/25", slope="1/2"),
    },
    needs=tuple(DOMAIN.hypotheses),
    false_variants={
        "the squared distance is not subtracted": {"subtracted": 0},
        "the fourth power of the Lipschitz constant": {"power": 4},
        "without the Lipschitz constant": {"power": 0},
    },
)
