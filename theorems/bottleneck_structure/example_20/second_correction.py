r"""Example 20: what costs nearly 3L is not uniformly Lipschitz.

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
Tight
    Nothing: the best growth that we know costs 3.36 times :math:`\log^2 L/L`, at the depth 28.
Source
    bottleneck_structure, Appendix D.1, Example 20, says that the representations cannot converge; the three
    bounds are derived here.
"""

from theorems.bottleneck_structure.constructions.diverging import excess
from theorems.bottleneck_structure.example_20.function import SOURCE, diverging
from theorems.bottleneck_structure.prop_13.statement import G
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, interval
from verify.networks import FullyConnected
from verify.words import exp, ge, lifted, log, maximum, sqrt, vector

network, E = lifted(FullyConnected), lifted(excess)


def rescaled(depth, growth, factor):
    """The diverging network with the neurons of the first hidden layer times a positive factor."""
    first, second, *others = diverging(depth, growth).weights
    return network([factor * first, second / factor, *others])


def kept(corner, gap):
    """A point of the cube where f is the identity."""
    low = corner[0] * (1 - gap)
    return vector(low, low + gap, corner[1])


def sheared(corner, gap):
    """A point of the cube where f is not the identity."""
    low = corner[0] * (1 - gap)
    return vector(low + gap, low, corner[1])


def not_lipschitz(f, x, y):
    e = f.parameter_norm_squared - 3 * f.depth
    return ge(e * G(f, x, y), sqrt(2))


def depth_and_excess(m, share):
    r"""L, and the excess of the diverging network with the growth `share` times :math:`\log L/L`."""
    L = 2 * m + 2
    return L, E(m, share * log(L) / L)


def second_correction_is_infinite(m, share):
    L, e = depth_and_excess(m, share)
    return ge((L - 2) * e, log(maximum(sqrt(2) / e, 1)) ** 2, name="excess") & ge(L * e, log(L) ** 2 / 4, name="depth")


def logarithm_is_below_the_root():
    r"""For :math:`e < w^2 e^{-w}/4`: :math:`w + \log(4\sqrt2) - 2\log w > w/2`, whose difference is least at w = 4; and the
    bound is below :math:`\sqrt2`, where the second inequality has a logarithm: it is largest at w = 2.
    """
    return ge(2 + log(32) / 2 - 2 * log(4), 0) & ge(sqrt(2), exp(-2))


def without_the_constant(f):
    """As if every network were 1-Lipschitz."""
    return ge(f.parameter_norm_squared - 3 * f.depth, sqrt(2))


def times_the_constant(f, x, y):
    """The constant in place of its inverse."""
    return ge(f.parameter_norm_squared - 3 * f.depth, sqrt(2) * G(f, x, y))


def without_the_number_of_layers(m, share):
    _, e = depth_and_excess(m, share)
    return ge(e, log(maximum(sqrt(2) / e, 1)) ** 2)


def grows_like_a_root(m, share):
    L, e = depth_and_excess(m, share)
    return ge(L * e, sqrt(L))


def sixteen_times_the_square(m, share):
    """The factor 16 in place of 1/4."""
    L, e = depth_and_excess(m, share)
    return ge(L * e, 16 * log(L) ** 2)


CORNERS = {"corner": interval(0, 1, 2), "gap": interval(Q(1, 8), 1)}

LIPSCHITZ = Claim(
    id="bottleneck_structure.example_20.lipschitz",
    title="A representation whose excess vanishes is not uniformly Lipschitz",
    source=SOURCE,
    statement=not_lipschitz,
    domain=Domain(
        {
            "f": derived(
                rescaled,
                # at the largest depth the excess is least for 33/32
                growth=interval(1, Q(9, 8), often=(Q(33, 32),)),
                factor=interval(Q(1, 2), 2, often=(1,)),
            ),
            "x": derived(sheared, **CORNERS),
            "y": derived(kept, **CORNERS),
        },
        {"depth": (4, 6, 14, 42)},
    ),
    not_known_tight={"": "the best growth that is known has a larger excess"},
    false_variants={"as if C were 1": without_the_constant, "times C^2": times_the_constant},
    cost=lambda sizes: sizes["depth"],  # deep networks have long digits
)

INFINITE = Claim(
    id="bottleneck_structure.example_20.second_correction",
    title="The excess times the depth grows at least like the squared logarithm",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=second_correction_is_infinite,
    domain=Domain({"m": integers(0, 10**9), "share": interval(0, 2)}),
    not_known_tight={
        "excess": "the best growth that is known has a larger excess",
        "depth": "the best growth that is known costs thirteen times as much",
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
