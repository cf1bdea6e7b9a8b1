r"""Theorem 3 (1): on which domain the outer function counts.

Statement
    If :math:`R^{(0)}(f \circ g) = R^{(0)}(f) = R^{(0)}(g)`, then :math:`R^{(1)}(f \circ g) \le R^{(1)}(f) + R^{(1)}(g)`.
Correction
    The proof in the appendix has :math:`R(f; \Omega, L_1)`. The domain of f is :math:`g(\Omega)`: for :math:`f(y) = y +
    m\sigma(y - 1)` and g(x) = sx on [0, 1] with s > 1, the function f is the identity on [0, 1], where identity weights
    represent it at the cost L, but f after g has the slope s(1 + m) behind 1/s, so that :math:`R^{(1)}(f \circ g) \ge
    2\log(s(1 + m))`, more than :math:`R^{(1)}(f; \Omega) + R^{(1)}(g; \Omega) = 2\log s`.
Checked
    The printed sum, at points of [0, 1] behind the kink. With f on the values of g the networks join at no cost where an
    isometry leads these values into an orthant: ``composition.isometry``.
Source
    bottleneck_structure, proof of Theorem 11 (1).
"""

from verify import Claim, Domain, FalseAsPrinted, Source, interval
from verify.networks import FullyConnected
from verify.words import eye, le, lifted, log, stack

network = lifted(FullyConnected)


def composition(s, m):
    """The network for sx + m [sx - 1]_+, x >= 0."""
    return network([stack([s, s])[:, None], stack([1 + 0 * m, m])[None]], [stack([0 * s, 0 * s - 1]), stack([0 * m])])


def on_the_inputs(s, m, x, depth):
    r"""Twice the logarithm of the slope of f after g, against the excess of f on [0, 1] and :math:`2\log s`."""
    slope = composition(s, m).jacobian(stack([x]))[0, 0]
    excess = network([eye(1)] * depth).parameter_norm_squared - depth
    return le(log(slope**2), excess + log(s**2))


PRINTED = Claim(
    id="bottleneck_structure.theorem_3.composition.printed_domain",
    title="The first correction of a composition, with f on the inputs",
    source=Source("bottleneck_structure", "Theorem 11 (1), proof"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_3.composition.isometry"),
    statement=on_the_inputs,
    domain=Domain(
        {"s": interval(1, 4), "m": interval(0, 4), "x": interval(0, 1)},
        {"depth": (1, 3)},
        {"x is behind the kink": lambda s, x: s * x > 1},
    ),
)
