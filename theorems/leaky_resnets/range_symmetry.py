r"""Stretching the integration range: [0, c] with leak L/c.

Statement
    With :math:`W'_q = \frac1cW_{q/c}` and leak L/c on [0, c] the activations are stretched,
    :math:`\alpha'_q = \alpha_{q/c}`, and

    .. math:: \int_0^c\|W'_q\|^2dq = \frac1c\int_0^1\|W_p\|^2dp ,

    biases included. So leak 1 on [0, c] is leak c on [0, 1], with :math:`\frac\lambda2\int_0^c\|W'\|^2 =
    \frac\lambda{2c}\int_0^1\|W\|^2`: the reason for the factor 1/L of the ridge.
Checked
    For discrete networks, whose steps are stretched by c, the activations of all layers and the norm. For weights that are
    linear in p, the velocity at every position and the norm, for any c; integrated on both ranges, the activations, for
    c = 3/10 and 5/2.
Proof idea
    The chain rule.
Source
    leaky_resnets, Section 1.2.
"""

from typing import NamedTuple

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, Measured, Q, Source, derived, interval, measured, reals
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.numbers.arithmetic import Array, FloatOnly, is_exact
from verify.words import concatenate, eq, lifted, norm2, stack

network = lifted(LeakyResNet)


def stretched(f, c):
    """The network on a range c times as long."""
    return network([W / c for W in f.weights], f.leak / c, f.steps * c)


def layers(f, X):
    return stack(f.activations(X)[1:])


def squared_norm(f):
    r""":math:`\sum_\ell\rho_\ell\|W_\ell\|^2`, biases included."""
    return f.parameter_norm_squared


def range_is_a_unit(f, X, c):
    g = stretched(f, c)
    return eq(squared_norm(g) * c, squared_norm(f), name="norm") & eq(layers(g, X), layers(f, X), name="activations")


class Path(NamedTuple):
    """Weights that are linear in p from W0 to W1, a leak L, a position p, the factor c; activations where it is integrated."""

    W0: Array
    W1: Array
    L: Array
    p: Array
    c: Array
    integrated: tuple[Measured, ...]


CONSTANTS = {1: Q("3/10"), 2: Q("5/2")}
"""The constants c for which both equations are integrated."""


def linear_weights(ends, L, X, p, c, integrated):
    """Integrated for c = 3/10 (1) or 5/2 (2)."""
    W0, W1 = ends
    if not integrated:
        return Path(W0, W1, L, p, c, ())
    return Path(W0, W1, L, p, 0 * c + CONSTANTS[integrated], integrate(W0, W1, L, X, float(CONSTANTS[integrated])))


@lifted
def integrate(W0, W1, leak, X, factor):
    """Of a batch: activations in the middle and at the end of both ranges."""
    if is_exact(X):
        raise FloatOnly("an integrated path has no exact evaluation")
    short = ContinuousLeakyResNet.piecewise_linear([W0, W1], leak).activations(X, [0.5, 1.0])
    ends = [W0 / factor, W1 / factor]
    long = ContinuousLeakyResNet.piecewise_linear(ends, leak / factor, [0.0, factor]).activations(X, [factor / 2, factor])
    return tuple(measured(path.values, path.accuracy[..., None, None, None]) for path in (short, long))


def integral(V, W):
    """Of the squared norm of what is linear in between, by Simpson's rule, which is exact here."""
    return (norm2(V) + norm2(V + W) + norm2(W)) / 6


def equation_is_stretched(path, X):
    """The velocity at a position, the integrals of the squared norm, and the integrated paths."""
    W0, W1, L, p, c, integrated = path
    W, W_longer = (1 - p) * W0 + p * W1, (1 - p) * (W0 / c) + p * (W1 / c)
    relation = eq(c * (W_longer @ sigma(X)) + L * X, W @ sigma(X) + c * (L / c) * X, name="velocity") & eq(
        c * (c * integral(W0 / c, W1 / c)), integral(W0, W1), name="norm"
    )
    return relation & eq(*integrated, name="paths") if integrated else relation


# False variants


def norm_does_not_change(f, c):
    return eq(squared_norm(stretched(f, c)), squared_norm(f))


def leak_does_not_change(f, X, c):
    g = stretched(f, c)
    return eq(layers(network(g.weights, f.leak, g.steps), X), layers(f, X))


def biases_do_not_change(f, X, c):
    g = stretched(f, c)
    weights = [concatenate([new[:, :-1], W[:, -1:]], axis=1) for new, W in zip(g.weights, f.weights, strict=True)]
    return eq(layers(network(weights, g.leak, g.steps), X), layers(f, X))


def norm_of_the_equation_does_not_change(path):
    return eq(path.c * integral(path.W0 / path.c, path.W1 / path.c), integral(path.W0, path.W1))


def leak_of_the_equation_does_not_change(path, X):
    W0, W1, L, p, c, _ = path
    W, W_longer = (1 - p) * W0 + p * W1, (1 - p) * (W0 / c) + p * (W1 / c)
    return eq(c * (W_longer @ sigma(X) - L * X), W @ sigma(X) - L * X)


def integrations(sizes):
    return 256 if sizes["integrated"] else 1


SOURCE = Source("leaky_resnets", "Section 1.2")
POINTS = interval(-2, 2, 2, 2)

CLAIM = Claim(
    id="leaky_resnets.range_symmetry",
    title="A longer integration range is a smaller leak",
    source=SOURCE,
    statement=range_is_a_unit,
    domain=Domain(
        {
            "f": drawn_networks(),
            "X": reals("width", "points", role="start of the path"),
            "c": interval(1 / 4, 4, role="free"),
        },
        {"depth": (1, 2, 3, 6), "width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={
        "norm as it was": norm_does_not_change,
        "leak as it was": leak_does_not_change,
        "biases as they were": biases_do_not_change,
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.range_symmetry.continuous",
    title="A longer integration range of the equation is a smaller leak",
    source=SOURCE,
    statement=equation_is_stretched,
    domain=Domain(
        {
            "path": derived(
                linear_weights,
                ends=interval(-2, 2, 2, 2, 3),
                L=interval(0, 2),
                X=POINTS,
                p=interval(0, 1),
                c=interval(1 / 4, 4),
            ),
            "X": POINTS,
        },
        {"integrated": (0, 1, 2)},
    ),
    not_known_tight={"paths": "integrated in floats, which refute nothing on rationals: the velocities beside it are exact"},
    false_variants={
        "norm as it was": norm_of_the_equation_does_not_change,
        "leak as it was": leak_of_the_equation_does_not_change,
    },
    cost=integrations,
)
