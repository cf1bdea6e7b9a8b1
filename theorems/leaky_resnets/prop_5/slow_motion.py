r"""Proposition 5 without limits: slow paths with a negative entry.

Statement
    Weights V and a bias b hold A in its place: :math:`LA = V\sigma(A) + b`; those of gA are V/g and b, times
    :math:`g + \nu/m`. Column i of A becomes a new neuron, and :math:`\bar K`, :math:`\bar\sigma` count the bias with the
    features. Let :math:`A_p = gA` from :math:`p_0 - r` to :math:`p_0 + r`, with :math:`g = 1 + \nu x`,
    :math:`x = (p - p_0)/r`; it rests if :math:`\nu = 0`. Let m = Lr, s = 1 - |x|, and :math:`t = s + (s' + 2s\nu/g)/m` with s'
    the slope of s in x. The weights of the construction, with ts in the place of :math:`t^2`, move the path *not at all*, and
    the new neuron is :math:`\varepsilon sg^2\bar K_{i\cdot}`, zero at both ends. With :math:`n = \|A_{\cdot i}\|^2`,
    :math:`k = \|\bar\sigma(A_{\cdot i})\|^2` and :math:`\beta = A_{\cdot i}^Tb/L`, the integral of the squared norm of the
    weights falls by :math:`rL^2` times

    .. math:: \varepsilon^2\Bigl[\Bigl(\frac{10 + \nu^2}{15} + \frac{4\nu}{3m}\Bigr)(n - k - 2\beta)
              - \frac2{m^2}\bigl(n + (1 + \nu^2)k + \nu^2\beta\bigr)\Bigr] - \varepsilon^4nk\int_{-1}^1(tsg^2)^2dx .

    The cost at the end does not change. Without bias n - k is positive if the column has a negative entry: the path is no
    stable local minimum as soon as m is large.
Checked
    The velocities at nodes on both halves, and the integral by a rule that is exact for it, for rest and for slow motion, with
    and without bias; that the norm falls if the bracket outweighs the last term.
Proof idea
    :math:`\partial(sg^2) = L(t - s)g^2`, so that what the new neuron gives to the path is what the corner takes.
Tight
    At rest at (-2, 1) for m = 3, and the largest neuron.
Not checked
    Motion that is not a change of scale.
Source
    leaky_resnets, Proposition 5 (Proposition 9 of the appendix); the finite form is derived here.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, in_row_space, sigma
from theorems.leaky_resnets.constructions.wider_weights import POINT, kernel_row, widened_weights
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, inner, le, norm2, pinv, relu, stack, where, zeros


def held(A, bias, biased):
    """A, and the weights [V, b] that hold it for L = 1, if any do, with this bias, or none where `biased` is 0."""
    b = where(biased == 0, 0, bias)[:, None]
    return A, concatenate([(A - b) @ pinv(relu(A)), b], axis=1)


NEWTON_COTES = (989, 5888, -928, 10496, -4540, 10496, -928, 5888, 989)
"""Nine nodes, of sum 28350: exact for polynomials of degree nine. The norm has degree eight on both halves of the triangle."""


def nodes(nu, m):
    """On both halves of the triangle: the weight in the integral over x, the slope of s, and s, g and t."""
    for slope in (1, -1):
        for place, weight in enumerate(NEWTON_COTES):
            s = Q(place, 8)
            g = 1 + nu * slope * (s - 1)
            yield Q(weight, 28350), slope, s, g, s + (slope + 2 * s * nu / g) / m


def weights_along(at, nu, epsilon, m, taken):
    """At every node, for L = 1: the weights before, and those with the new neuron."""
    A, W = at
    for _, _, s, g, t in nodes(nu, m):
        height, corner = taken(s, t)
        before = (g + nu / m) * concatenate([W[:, :-1] / g, W[:, -1:]], axis=1)
        yield before, widened_weights(g * A, before, 1, epsilon, height, corner=corner)


def taken_over(s, t):
    r"""t, and ts in the place of :math:`t^2`."""
    return t, t * s


def another_neuron_helps(at, nu, epsilon, m, taken=taken_over):
    """Nothing moves but the new neuron, as it should, and the norm falls."""
    (A, _), found, stated, before, after = at, [], [], 0, 0
    for (weight, slope, s, g, _), (narrow, wide) in zip(nodes(nu, m), weights_along(at, nu, epsilon, m, taken), strict=True):
        neuron = epsilon * kernel_row(A)[None, :]
        wider = concatenate([g * A, s * g**2 * neuron])
        found.append(wide @ sigma(wider))
        stated.append(wider + concatenate([nu * A, (slope * g**2 + 2 * s * g * nu) * neuron]) / m)
        before, after = before + weight * norm2(narrow), after + weight * norm2(wide)
    gain, loss = gain_and_loss(at, nu, m)
    return (
        eq(stack(found), stack(stated), name="velocity")
        & eq(after + gain * epsilon**2, before + loss * epsilon**4, name="norm")
        & le(after, before, name="better")
    )


def larger_neuron(at, nu, epsilon, m):
    """Larger by 1/1000 than the hypothesis allows."""
    return another_neuron_helps(at, nu, Q("1.001") * epsilon, m)


def gain_and_loss(at, nu, m):
    r"""What stands before :math:`\varepsilon^2` and :math:`-\varepsilon^4`."""
    A, W = at
    x = A[:, POINT]
    n, k, beta = norm2(x), norm2(relu(x)), inner(x, W[:, -1])
    gain = ((10 + nu**2) / 15 + 4 * nu / (3 * m)) * (n - k - 2 * beta)
    gain = gain - 2 * (n + (1 + nu**2) * k + nu**2 * beta) / m**2
    return gain, n * k * sum(weight * (t * s * g**2) ** 2 for weight, _, s, g, t in nodes(nu, m))


def is_held(at):
    A, W = at
    return in_row_space(A - W[:, -1:], relu(A))


def is_slow_and_small(at, nu, epsilon, m):
    """The bracket outweighs the term of fourth order."""
    gain, loss = gain_and_loss(at, nu, m)
    return gain >= loss * epsilon**2


def three_points_improve():
    r"""At rest at A = (-1/2, 1, 0; 1, 3/10, 0), b = 0, whose cost with bias no factor lowers: m = 6 is enough."""
    at = held(rationals([["-1/2", "1", "0"], ["1", "3/10", "0"]]), zeros(2), 0)
    nu, epsilon, m = rationals([0, "1/4", 6])
    if not (is_held(at) and is_slow_and_small(at, nu, epsilon, m)):
        raise ArithmeticError("the instance does not satisfy the hypotheses")
    return another_neuron_helps(at, nu, epsilon, m)


HELD = "the weights hold the representation"
SLOW = "the path is slow, and the neuron is small enough"

CLAIM = Claim(
    id="leaky_resnets.prop_5",
    title="A neuron improves a slow path that has a negative entry",
    source=Source("leaky_resnets", "Proposition 5"),
    status=DerivedHere(),
    statement=another_neuron_helps,
    domain=Domain(
        {
            "at": derived(held, A=REPRESENTATION, bias=interval(-1 / 2, 1 / 2, "width"), biased=integers(0, 1)),
            "nu": interval(-1 / 2, 1 / 2, often=(0,)),
            "epsilon": interval(1 / 16, 1),
            "m": interval(3, 24),
        },
        {"width": range(1, 4), "points": range(1, 5)},
        {HELD: is_held, SLOW: is_slow_and_small},
    ),
    needs=(HELD, SLOW),
    tight={
        # at rest, without bias
        "the largest neuron": Tight(
            lambda: {"at": held(rationals([[-2], [1]]), zeros(2), 0), "nu": 0, "epsilon": "3/4", "m": 3}, of=("better",)
        )
    },
    false_variants={
        "the square of t in the corner: the path moves": {"taken": lambda _, t: (t, t**2)},
        "s for t: the neuron lags": {"taken": lambda s, _: (s, s**2)},
        "a neuron that is larger by 1/1000": larger_neuron,
    },
    exact={"three points": three_points_improve},
    cost=12,
)
