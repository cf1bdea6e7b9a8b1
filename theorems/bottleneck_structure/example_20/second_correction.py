r"""Example 20: what costs nearly 3L is not uniformly Lipschitz, and :math:`R^{(2)} = +\infty`.

Statement
    Let a network of depth L be f on the cube, e its excess :math:`\|\theta\|^2 - 3L`, and G the constant of Proposition 13 for
    points x and y on the two sides of the kink. Then

    .. math:: e \ge \frac{\sqrt2}G, \qquad (L - 2)\,e \ge \log_+^2 \frac{\sqrt2}e , \qquad L\,e \ge \tfrac14 \log^2 L .

    So :math:`G \le C^2` cannot stay bounded where e vanishes, and :math:`L\,(R - 3L)` is unbounded: there is no expansion
    :math:`R = 3L + R^{(2)}/L + O(L^{-2})`.
Checked
    The first for the diverging networks up to depth 42, with a factor moved between their layers; the others for depths up to
    :math:`2 \cdot 10^9` by the formula of the excess. That the second gives the third, in balls.
Proof idea
    The first is ``prop_13``: the Jacobians are the identity and a shear, both of volume 1, and the nuclear norm of their
    difference is :math:`\sqrt2`. The factors of G at a layer :math:`\ell` are at most :math:`e^u` and :math:`e^v` with
    :math:`e \ge 2u^2/(\ell - 1)` and :math:`e \ge 2v^2/(L - \ell - 1)` by ``prop_13.growth``, so that
    :math:`\log G \le u + v \le \sqrt{e(L - 2)}`. If :math:`e < \log^2 L/(4L)`, then :math:`\log(\sqrt2/e) > w + \log(4\sqrt2) -
    2\log w \ge w/2` with :math:`w = \log L`, against the second inequality.
Sharp
    Nothing: the best growth that we know costs 3.5 times :math:`\log^2 L/L`.
Source
    bottleneck_structure, Appendix D.1, Example 20, says that the representations cannot converge; the three bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from theorems.bottleneck_structure.constructions.diverging import diverging_network
from theorems.bottleneck_structure.constructions.diverging import excess as formula
from theorems.bottleneck_structure.constructions.points import stretching
from theorems.bottleneck_structure.example_20.function import SOURCE
from verify import Claim, Domain, Ours, Relation, Sizes, Source, derived, ge, integers, interval
from verify.arithmetic import Array, exp, log, maximum, rationals, sqrt
from verify.networks import FullyConnected


def rescaled(depth: int, growth: Array, factor: Array) -> FullyConnected:
    """The diverging network with the neurons of the first hidden layer times a positive factor."""
    network = diverging_network(depth, growth)
    ones = [1 + 0 * bias for bias in network.biases[:-1]]
    return network.rescale_neurons([factor[..., None] * ones[0], *ones[1:]])


def kept(corner: Array, gap: Array) -> Array:
    """A point of the cube where f is the identity."""
    low = corner[..., 0] * (1 - gap)
    return np.stack([low, low + gap, corner[..., 1]], axis=-1)


def sheared(corner: Array, gap: Array) -> Array:
    """A point of the cube where f is not the identity."""
    point = kept(corner, gap)
    return np.stack([point[..., 1], point[..., 0], point[..., 2]], axis=-1)


def excess(network: FullyConnected) -> Array:
    """What the network costs beyond 3L."""
    return np.asarray(network.parameter_norm_squared - 3 * network.depth)


def root_of_two(like: Array) -> Array:
    """The root of 2 in the arithmetic of `like`."""
    return sqrt(0 * like + 2)


def not_lipschitz(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The excess against the constant of the representation."""
    paid = excess(network)
    return ge(paid * stretching(network, x, y), root_of_two(paid))


def second_correction_is_infinite(middle: Array, share: Array) -> Relation:
    r"""The excess of the diverging network with the growth `share` times :math:`\log L/L`, times the depth."""
    depth, paid = 2 * middle + 2, scaled_excess(middle, share)
    missing = log(maximum(root_of_two(paid) * depth / paid, 0 * paid + 1)) ** 2
    return ge(2 * middle * paid, missing * depth, name="excess") & ge(paid, log(depth) ** 2 / 4, name="depth")


def scaled_excess(middle: Array, share: Array) -> Array:
    """The excess times the depth L = 2m + 2."""
    depth = 2 * middle + 2
    return np.asarray(depth * formula(middle, share * log(depth) / depth))


def logarithm_is_below_the_root() -> Relation:
    r"""For :math:`e < w^2 e^{-w}/4`: :math:`w + \log(4\sqrt2) - 2\log w > w/2`, whose difference is least at w = 4; and the
    bound is below :math:`\sqrt2`, where the second inequality has a logarithm: it is largest at w = 2.
    """
    least = 2 + log(rationals([32])) / 2 - 2 * log(rationals([4]))
    largest = exp(rationals([-2]))
    return ge(least, rationals([0])) & ge(sqrt(rationals([2])), largest)


# False variants


def without_the_constant(network: FullyConnected, x: Array, y: Array) -> Relation:
    """As if every network were 1-Lipschitz."""
    paid = excess(network) + 0 * (x - y)[..., 0]
    return ge(paid, root_of_two(paid))


def times_the_constant(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The square of the constant in place of its inverse."""
    paid = excess(network)
    return ge(paid, root_of_two(paid) * stretching(network, x, y))


def without_the_number_of_layers(middle: Array, share: Array) -> Relation:
    """The second inequality without the factor L - 2."""
    depth, paid = 2 * middle + 2, scaled_excess(middle, share)
    return ge(paid, log(maximum(root_of_two(paid) * depth / paid, 0 * paid + 1)) ** 2 * depth)


def grows_like_a_root(middle: Array, share: Array) -> Relation:
    """The root of the depth in place of the logarithm's square."""
    return ge(scaled_excess(middle, share), sqrt(2 * middle + 2))


def sixteen_times_the_square(middle: Array, share: Array) -> Relation:
    """The factor 16 in place of 1/4."""
    return ge(scaled_excess(middle, share), 16 * log(2 * middle + 2) ** 2)


def by_depth(sizes: Sizes) -> int:
    """Deep networks have long digits."""
    return sizes["depth"]


OURS = Source("bottleneck_structure", "ours")
CORNERS = {"corner": interval(0, 1, 2), "gap": interval(Fraction(1, 8), 1)}

LIPSCHITZ = Claim(
    id="bottleneck_structure.example_20.lipschitz",
    title="A representation whose excess vanishes is not uniformly Lipschitz",
    source=SOURCE,
    statement=not_lipschitz,
    domain=Domain(
        {
            "network": derived(
                rescaled,
                # at the largest depth the excess is least for 33/32
                growth=interval(1, Fraction(9, 8), often=(Fraction(33, 32),)),
                factor=interval(Fraction(1, 2), 2, often=(1,)),
            ),
            "x": derived(sheared, **CORNERS),
            "y": derived(kept, **CORNERS),
        },
        {"depth": (4, 6, 14, 42)},
    ),
    loose={"": "the best growth that is known has a larger excess"},
    false_variants={"as if C were 1": without_the_constant, "times C^2": times_the_constant},
    cost=by_depth,
)

INFINITE = Claim(
    id="bottleneck_structure.example_20.second_correction",
    title="The excess times the depth grows like the square of the logarithm at least",
    source=OURS,
    status=Ours(),
    statement=second_correction_is_infinite,
    domain=Domain({"middle": integers(0, 10**9), "share": interval(0, 2)}),
    loose={
        "excess": "the best growth that is known has a larger excess",
        "depth": "the best growth that is known costs fourteen times as much",
    },
    false_variants={
        "without L - 2": without_the_number_of_layers,
        "like the root of the depth": grows_like_a_root,
        "sixteen times the square": sixteen_times_the_square,
    },
    exact={"the logarithm is below the root": logarithm_is_below_the_root},
    proof="the logarithm is below the root",
    argument=(
        "Proposition 13 and the cost of growth give (L - 2) e >= log^2(sqrt 2 / e) for every network; with w = log L, "
        "an excess below w^2 / (4 L) would contradict it where w + log(4 sqrt 2) - 2 log w > w / 2"
    ),
)
