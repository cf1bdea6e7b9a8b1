r"""From the zero representation a network learns constants only.

Statement
    If :math:`A_p = 0`, then :math:`K_p = 11^T`, so that a velocity of finite cost is :math:`v1^T`, and from there on all
    columns are equal.
Checked
    Equal columns of discrete networks stay equal, in particular after zero. At zero exactly the velocities :math:`v1^T` have a
    finite cost, namely :math:`\|v\|^2`. The converse (derived here): columns that differ never meet. With :math:`\delta` their
    difference,

    .. math:: \langle\delta, \partial\delta\rangle \ge -(L + \|V_p\|_F)\|\delta\|^2 , \qquad
              \|\delta_M\| \ge \prod_\ell(1 - \rho_\ell(L + \|V_\ell\|_F))\|\delta_0\|

    in networks with short steps; so :math:`A_p = 0` is a limit that a finite regularisation excludes.
Proof idea
    A layer does the same to all columns; the ReLU is Lipschitz.
Tight
    One neuron that is active at both points and inhibits itself.
Source
    leaky_resnets, Section 1.3; that columns never meet is derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks, leaky_network
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval, reals
from verify.networks.leaky_resnet import LeakyResNet, is_in_row_space
from verify.numbers.arithmetic import rationals
from verify.words import (
    absolute,
    concatenate,
    eq,
    ge,
    inner,
    lifted,
    nonnegative,
    norm,
    norm2,
    ones,
    pinv,
    relu,
    stack,
    trace,
    where,
)

in_row_space, network_of, leaky_network_of = lifted(is_in_row_space), lifted(LeakyResNet), lifted(leaky_network)


def equal_points_stay_equal(f, X):
    """All layers from two equal points, and from zero."""
    A, zero = stack(f.activations(concatenate([X[:, :1], X], axis=1))[1:]), stack(f.activations(0 * X)[1:])
    return eq(A[:, :, 0], A[:, :, 1], name="equal points") & eq(zero, zero[:, :, :1], name="zero")


def velocity_at_zero(v, D, kind):
    """Which velocities have a finite cost at zero, and what constant ones cost."""
    constant, F = v[:, None] * ones(1, D.shape[1]), sigma(0 * D)
    dA = where(kind == 0, D, constant)
    return eq(in_row_space(dA, F), (dA == dA[:, :1]).all(), name="finite") & eq(
        norm2(constant @ pinv(F)), norm2(v), name="cost"
    )


def difference_shrinks_slowly(x, y, V, L, leak=1, size=norm):
    delta = x - y
    return ge(inner(delta, V @ (relu(x) - relu(y)) - L * delta), -(leak * L + size(V)) * norm2(delta))


def shrinking_factors(f, leak=1):
    r""":math:`1 - \rho_\ell(L + \|V_\ell\|_F)` of every layer."""
    return 1 - f.steps * (leak * f.leak + stack([norm(W[:, :-1]) for W in f.weights]))


def points_stay_apart(f, pair, leak=1):
    """The squared distance of two points after the last layer against the bound."""
    before, after = pair[:, 0] - pair[:, 1], f(pair)[:, 0] - f(pair)[:, 1]
    return ge(norm2(after), (shrinking_factors(f, leak) ** 2).prod() * norm2(before))


# False variants


def opposite_points_stay_opposite(f, X):
    last = f(concatenate([X[:, :1], -X[:, :1]], axis=1))
    return eq(last[:, 0], -last[:, 1])


def equal_neurons_stay_equal(f, X):
    last = f(X[:1] * ones(len(X), 1))
    return eq(last[0], last[-1])


def zero_stays_zero(f, X):
    return eq(f(0 * X), 0)


def every_velocity_is_finite(v, D, kind):
    return eq(in_row_space(where(kind == 0, D, v[:, None]), sigma(0 * D)), 1)


def velocity_costs_its_norm(v, D):
    """N times as much."""
    constant = v[:, None] * ones(1, D.shape[1])
    return eq(norm2(constant @ pinv(sigma(0 * D))), norm2(constant))


def in_longer_steps(f, pair):
    """For steps that are longer by 1/1000 than short ones."""
    return points_stay_apart(network_of(f.weights, f.leak, Q("1.001") * f.steps), pair)


def inhibiting_network():
    """One neuron that is active at both points and inhibits itself, in three short layers."""
    f = LeakyResNet([rationals([[-2, 0]])] * 3, 1, rationals(["1/8", "1/4", "1/8"]))
    return {"f": f, "pair": [[1, 3]]}


def with_a_longest_step(weights, leak, steps, longest, others):
    """The leaky network; where `longest` is 1, its last step is nearly as long as a short one may be.

    Its first neuron inhibits itself there, and all other weights are smaller by the factor `others`.
    """
    W = weights[-1]
    c = absolute(W[0, 0])
    only = where((np.arange(W.shape[0])[:, None] == 0) & (np.arange(W.shape[1]) == 0), -c, others * W)
    # the root of c^2 + r is at most c + r / 2c
    size = leak + c + where(c == 0, 0, (norm2(only[:, :-1]) - c**2) / where(c == 0, 1, 2 * c))
    last, fits = np.arange(len(steps)) == len(steps) - 1, (longest == 1) & (c > 0)
    every = np.arange(len(weights))[:, None, None] == len(weights) - 1
    return leaky_network_of(where(fits & every, only[None], weights), leak, where(fits & last, 1 / where(fits, size, 1), steps))


SHORT = "steps are short"
SHORT_NETWORKS = derived(
    with_a_longest_step,
    weights=interval(-2, 2, "depth", "width", lambda sizes: sizes["width"] + 1),
    leak=interval(0, 2),
    steps=interval(1 / 64, 1 / 2, "depth"),
    longest=integers(0, 1),
    others=interval(0, Q("1/32")),
    role="leaky ResNet",
)
SOURCE = Source("leaky_resnets", "Section 1.3")
OURS = Source("leaky_resnets", "derived here")

CLAIM = Claim(
    id="leaky_resnets.zero_representation",
    title="Equal points stay equal: from zero only constants are learned",
    source=SOURCE,
    statement=equal_points_stay_equal,
    domain=Domain(
        {"f": drawn_networks(), "X": reals("width", "points", role="start of the path")},
        {"depth": (1, 2, 6, 14), "width": range(2, 4), "points": range(1, 4)},
    ),
    false_variants={
        "zero stays zero": zero_stays_zero,
        "opposite points stay opposite": opposite_points_stay_opposite,
        "equal neurons stay equal": equal_neurons_stay_equal,
    },
)

VELOCITY = Claim(
    id="leaky_resnets.zero_representation.velocity",
    title="At zero, a velocity of finite cost is the same for all points",
    source=SOURCE,
    status=DerivedHere(),
    statement=velocity_at_zero,
    domain=Domain(
        {"v": reals("width"), "D": reals("width", "points"), "kind": integers(0, 1)},
        {"width": range(1, 4), "points": range(1, 5)},
    ),
    false_variants={
        "every velocity has a finite cost": every_velocity_is_finite,
        "the norm of the velocity": velocity_costs_its_norm,
    },
)

INJECTIVE = Claim(
    id="leaky_resnets.zero_representation.injective",
    title="Two points come together at most exponentially fast",
    source=OURS,
    status=DerivedHere(),
    statement=difference_shrinks_slowly,
    domain=Domain(
        {
            "x": reals("width", 1, role="first column of the values"),
            "y": reals("width", 1, role="last column of the values"),
            "V": reals("width", "width", role="square weights of a residual layer"),
            "L": interval(0, 4, role="leak"),
        },
        {"width": range(1, 5)},
    ),
    tight={"inhibition": {"x": [[1]], "y": [[3]], "V": [[-2]], "L": 1}},
    false_variants={"without the leak": {"leak": 0}, "the trace for the norm": {"size": lambda V: absolute(trace(V))}},
)

STEPS = Claim(
    id="leaky_resnets.zero_representation.steps",
    title="Points that differ stay apart in short steps",
    source=OURS,
    status=DerivedHere(),
    statement=points_stay_apart,
    domain=Domain(
        {"f": SHORT_NETWORKS, "pair": reals("width", 2, role="two columns of the start")},
        {"depth": range(1, 5), "width": range(1, 4)},
        {SHORT: lambda f: nonnegative(shrinking_factors(f))},
    ),
    needs=(SHORT,),
    tight={"inhibition": inhibiting_network},
    false_variants={"without the leak": {"leak": 0}, "steps that are longer by 1/1000": in_longer_steps},
)
