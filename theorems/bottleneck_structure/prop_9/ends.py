r"""Proposition 9 (2): the kernel is large at one end of a linear segment.

Statement
    If the pre-activations are constant between x and y, one of :math:`\|\Theta(x, x)\|_{op}` and
    :math:`\|\Theta(y, y)\|_{op}` is at least :math:`\frac L4 \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}`, with
    :math:`u = (y - x) / \|y - x\|`.
Correction
    The activation pattern is meant: constant pre-activations would give x and y one value. At a kink it is that above, as in
    the kernel: of a neuron that is negative between x and y, and zero at y, it changes, and the bound may fail. For a leaky
    ReLU of slope a in [-1, 1] the right side takes the factor :math:`|a|^{2(L-1)/L}`. For ReLU networks the factor 1/4 may be
    :math:`2^{-(1 + 1/L)}`.
Checked
    Both constants, with the kernel without the share of the biases.
Proof idea
    Along the segment :math:`v^T\Theta v` is a quadratic function whose second derivative is at least twice what (1) bounds from
    below, and such a function exceeds an eighth of it at one of its ends. Hidden activations of ReLU networks are not
    negative, so that their squared norms at x and y add up to at least that of their difference.
Tight
    Linear chains of equal weights or identities, and x = -y; for the larger constant a folded interval in depth 2.
Source
    bottleneck_structure, Proposition 18 (2); the leaky and the improved form are derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.prop_9.statement import (
    RELU,
    SIZES,
    SOURCE,
    chain,
    leaky_factor,
    slopes_at_most_one,
    with_slope,
)
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, reals, slopes
from verify.networks import FullyConnected, identity
from verify.networks.ntk import ntk
from verify.numbers.arithmetic import rationals
from verify.words import Q, eye, le, lifted, maximum, norm2, operator_norm, power

kernel = lifted(ntk)


def moved_along(f, x, y):
    r""":math:`L \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}`: the powers of the length of y - x meet in one."""
    L, step = f.depth, y - x
    return L * power(norm2(step), Q(1, L)) * power(norm2(f.jacobian(x) @ step), Q(L - 1, L))


def larger_end(f, x, y):
    """The larger norm of the kernel at x and at y, without the share of the biases."""
    return maximum(*(operator_norm(kernel(f, point, biases=False)) for point in (x, y)))


def large_at_one_end(f, x, y):
    return le(moved_along(f, x, y) * leaky_factor(f) / 4, larger_end(f, x, y))


def without_the_leak(f, x, y):
    return le(moved_along(f, x, y) / 4, larger_end(f, x, y))


def leaky_with_improved_constant(f, x, y):
    return le(moved_along(f, x, y) * leaky_factor(f), power(2, Q(f.depth + 1, f.depth)) * larger_end(f, x, y))


def large_at_one_end_of_relu(f, x, y, more=1):
    return le(moved_along(f, x, y), power(2, Q(more, f.depth) + 1) * larger_end(f, x, y))


def same_pattern(f, x, y):
    """x and y differ, and each hidden neuron has one slope at both and between them; that at zero is the slope above."""
    same, linear = (x != y).any(), f.activation.negative == 1
    for here, there in zip(f.preactivations(x)[:-1], f.preactivations(y)[:-1], strict=True):
        # a neuron that is at its kink at y, and negative before, has another slope in the kernel at y than on the way
        same = same & (linear | ((here >= 0) == (there >= 0)).all())
    return same


def opposite_points(depth, slope):
    """A chain of weights 2 and the points -1 and 1."""
    return chain(*[2] * depth, slope=slope, x=[-1], y=[1])


def isometric_layers(depth, width):
    """Identities of as many coordinates, without an activation, and opposite points."""
    x = rationals(range(1, width + 1))
    return {"f": FullyConnected([rationals(eye(width))] * depth, activation=identity()), "x": x, "y": -x}


def folded_interval(*direction):
    r"""Depth 2: two neurons that are not negative on [-1, 1], each zero at one end, :math:`W_1 = s(-u, u)^T`,
    :math:`b_1 = (s, s)`, :math:`W_2 = (-u, u)` for a unit vector u; the best s is :math:`1/\sqrt 2`, here 70/99.
    """
    s, u = rationals("70/99"), rationals(direction)
    W = np.stack([-u, u])
    return {"f": FullyConnected([s * W, W.T], [s * rationals([1, 1]), 0 * u]), "x": -u, "y": u}


ROOT = "70/99 in place of the root of 1/2"
PATTERN = "the activation pattern is the same"
POINTS = {"x": reals("inputs", role="point"), "y": reals("inputs", role="second point")}
# at slope 3 the factor alone is more than 4
LEAKY = derived(with_slope, network=RELU, slope=slopes(-3, 3), role="network")
NARROW = {**SIZES, "depth": (1, 2, 3, 5), "width": range(1, 3)}

ENDS = Claim(
    id="bottleneck_structure.prop_9.ends",
    title="The kernel is large at one end of a linear segment",
    source=SOURCE,
    statement=large_at_one_end,
    cost=2,
    domain=Domain({"f": LEAKY, **POINTS}, NARROW, {PATTERN: same_pattern, SLOPES: slopes_at_most_one}),
    needs=(PATTERN, SLOPES),
    tight={
        "one layer": partial(opposite_points, 1, 0),
        "three linear layers": partial(opposite_points, 3, 1),
        "one layer of rank 2": partial(isometric_layers, 1, 2),
        "five linear layers of rank 3": partial(isometric_layers, 5, 3),
    },
    false_variants={
        "leaky, without the factor": without_the_leak,
        "leaky, with the improved constant": leaky_with_improved_constant,
    },
)

IMPROVED = Claim(
    id="bottleneck_structure.prop_9.improved",
    title="The kernel at one end, with the constant of ReLU networks",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=large_at_one_end_of_relu,
    cost=2,
    domain=Domain({"f": RELU, **POINTS}, NARROW, {PATTERN: same_pattern}),
    tight={
        "one layer, opposite points": partial(opposite_points, 1, 0),
        "a folded interval": Tight(partial(folded_interval, "1"), 1.31e-9, ROOT),
        "a folded interval in the plane": Tight(partial(folded_interval, "3/5", "4/5"), 1.31e-9, ROOT),
    },
    false_variants={"1/2": {"more": 0}, "half of the exponent": {"more": Q(1, 2)}},
)
