r"""Scaling of outputs: more leak scales the activations down.

Statement
    If :math:`\partial_p\alpha_p = -L\alpha_p + V_p\bar\sigma(\alpha_p)`, then :math:`\alpha'_p = e^{-cp}\alpha_p` solves the
    same equation with L + c for L, for every c. So a network without leak and with the outputs :math:`\alpha_1` is one of
    leak L with the outputs :math:`e^{-L}\alpha_1`.
Checked
    The velocities at every point, which is the proof; trajectories whose activations keep their signs, of one neuron in closed
    form and of several integrated. With a bias (derived here) the same is true if it is scaled, too,
    :math:`b'_p = e^{-cp}b_p`, and false if it is not: from x = 0 with V = 0 and b = L = c = log 2,
    :math:`\alpha'_1 = 3/8`, which is not :math:`\frac12\alpha_1 = 1/4`.
Proof idea
    The ReLU is homogeneous.
Not checked
    The regularisation, which is not equivalent: its factor is 1/L.
Source
    leaky_resnets, Section 1.2; the scaled bias is derived here.
"""

from typing import NamedTuple

import numpy as np

from verify import Claim, DerivedHere, Domain, Measured, Source, derived, integers, interval, measured, reals
from verify.networks.leaky_resnet import ContinuousLeakyResNet
from verify.numbers.arithmetic import Array, FloatOnly, is_exact, rational
from verify.words import absolute, eq, ge, lifted, log, ones, relu, where


def scaled_velocity(A, V, b, L, c, scale, more=1):
    r"""Where the factor :math:`e^{-cp}` is `scale`: with more leak at the scaled point, against the scaled velocity less what
    the factor falls.
    """
    return eq(
        V @ relu(scale * A) + scale * b[:, None] - (L + more * c) * scale * A,
        scale * (V @ relu(A) + b[:, None] - L * A - c * A),
    )


def velocity_with_unscaled_bias(A, V, b, L, c, scale):
    return eq(V @ relu(scale * A) + b[:, None] - (L + c) * scale * A, scale * (V @ relu(A) + b[:, None] - L * A - c * A))


class Ends(NamedTuple):
    r"""Activations at p = 1 of three networks, and :math:`e^{-c}`."""

    first: Measured
    """With the leak L."""
    second: Measured
    """With the leak L + c and the scaled bias."""
    unscaled: Measured
    """With the leak L + c and the bias as it was."""
    scale: Array


def one_neuron(active, x, rest, growth, leak_growth, scale):
    """One neuron and one point in closed form; it is active all the time if `active` is positive, else never.

    `growth` is the exponential of V, `leak_growth` that of L. The bias is `rest` times r, the rate of the neuron, which is
    V - L if it is active and else -L: then both ends are rational.
    """
    kept = where(active > 0, growth, 1) / leak_growth
    first = kept * x + rest * (kept - 1)
    # the integral of the scaled bias, which grows at the rate -r before it is multiplied by all that is kept
    second = kept * scale * (x + rest * (1 - 1 / kept))
    unscaled = kept * scale * x + rest * log(kept) * mean_of_exponential(kept * scale)
    first, second, unscaled = (measured(one * ones(1, 1)) for one in (first, second, unscaled))
    return Ends(first, second, unscaled, scale)


def mean_of_exponential(end):
    r""":math:`\int_0^1 e^{rp}dp = (e^r - 1)/r` for :math:`e^r` = `end`."""
    return where(end == 1, 1, (end - 1) / log(where(end == 1, 2 * end, end)))


@lifted
def integrated(x, V, b, leak, scale):
    """Of a batch of several neurons; floats only."""
    if is_exact(x):
        raise FloatOnly("an integrated trajectory has no exact evaluation")
    more = -np.log(scale)

    def weights(rate):
        return lambda p: np.concatenate([V, b[..., None] * np.exp(-rate * p)[..., None, None]], axis=-1)

    paths = [
        ContinuousLeakyResNet(weights(rate), total).activations(x, [1.0])
        for rate, total in ((0 * more, leak), (more, leak + more), (0 * more, leak + more))
    ]
    first, second, unscaled = (measured(path.values[..., 0, :, :], path.accuracy[..., None, None]) for path in paths)
    return Ends(first, second, unscaled, scale)


def ends(X, V, b, growths, scale, signs, family):
    """The trajectories of a family from the same coordinates: family 0 is the closed form.

    Each neuron starts with a sign, and its weights and bias have the same: it never changes sign, as an integrator would lose
    accuracy there.
    """
    side = where(signs > 0, 1, -1)
    X, V, b = side[:, None] * absolute(X), side[:, None] * absolute(V), side * absolute(b)
    growth, leak_growth = growths
    if family == 0:
        rising = (side[0] > 0) & (growth > leak_growth)
        return one_neuron(side[0], X[0, 0], where(rising, b[0], -b[0]), growth, leak_growth, scale)
    return integrated(X, V, b, log(leak_growth), scale)


def outputs_are_scaled(ends):
    return eq(ends.second, ends.first * ends.scale)


def outputs_with_unscaled_bias(ends):
    return eq(ends.unscaled, ends.first * ends.scale)


def outputs_are_the_same(ends):
    return eq(ends.second, ends.first)


def unscaled_bias_fails():
    """From x = 0 with b = log 2, V = 0 and L = c = log 2: 3/8, which is more than 1/4 by at least 1/9."""
    found = one_neuron(*map(rational, (1, 0, -1, 1, 2, "1/2")))
    return ge(found.unscaled - found.first * found.scale, rational("1/9"))


FAMILIES = {0: (1, 1), 1: (1, 2), 2: (2, 3), 3: (3, 2)}
"""Neurons and points of the families."""
KINDS = {0: "closed form, 1 x 1", 1: "integrated, 1 x 2", 2: "integrated, 2 x 3", 3: "integrated, 3 x 2"}


def neurons(sizes):
    return FAMILIES[sizes["family"]][0]


def points(sizes):
    return FAMILIES[sizes["family"]][1]


SOURCE = Source("leaky_resnets", "Section 1.2")

CLAIM = Claim(
    id="leaky_resnets.output_scaling",
    title="More leak scales the activations down",
    source=SOURCE,
    statement=scaled_velocity,
    domain=Domain(
        {
            "A": reals("width", "points", role="values"),
            "V": reals("width", "width", role="square weights of a residual layer"),
            "b": reals("width", role="bias of a residual layer"),
            "L": interval(0, 4, role="leak"),
            "c": interval(-2, 4, role="free"),
            "scale": interval(1 / 64, 4, role="free"),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={"bias not scaled": velocity_with_unscaled_bias, "the old leak": {"more": 0}},
)

TRAJECTORY = Claim(
    id="leaky_resnets.output_scaling.trajectory",
    title="More leak scales the outputs down",
    source=SOURCE,
    status=DerivedHere(),
    statement=outputs_are_scaled,
    domain=Domain(
        {
            "ends": derived(
                ends,
                X=interval(-2, 2, neurons, points),
                V=interval(-2, 2, neurons, neurons),
                b=interval(-2, 2, neurons),
                growths=interval(1, 4, 2),
                scale=interval(1 / 8, 2),
                signs=integers(0, 1, neurons),
            )
        },
        {"family": KINDS},
    ),
    false_variants={"bias not scaled": outputs_with_unscaled_bias, "not scaled": outputs_are_the_same},
    exact={"bias not scaled": unscaled_bias_fails},
    cost=lambda sizes: 1 if sizes["family"] == 0 else 60,
)
