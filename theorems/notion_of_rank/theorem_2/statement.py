r"""Theorem 2: a fit of bottleneck rank one is steep and costs more.

Statement
    For a true function of Jacobian rank k on a bounded domain, i.i.d. data, and every :math:`\epsilon > 0` there is a c such
    that with probability :math:`1 - \epsilon` all functions f of bottleneck rank one through the data have
    :math:`R(f)/L > c N^{\frac2L(1 - \frac1k)}`.
Correction
    The labels need a bounded density in k dimensions, and N >= 2: see ``probability`` and ``random_labels``.
Checked
    The deterministic part, for activations with slopes in [-1, 1]. Let f = h(g(x)) with g scalar, g and h continuous, have the
    values :math:`y_i` at N points :math:`x_i` of a convex set B, and let P be the length of the shortest open path through the
    :math:`y_i`. Then

    .. math:: P \le \mathrm{length}(f \circ \gamma) \le \|x_b - x_a\| \sup_{\gamma} \|Jf\|_{op}
              \le \mathrm{diam}(B) \sup_B \|Jf\|_{op}

    for the segment :math:`\gamma` from the point :math:`x_a` with the smallest :math:`g(x_i)` to that with the largest, so that

    .. math:: \frac RL \ge \Bigl(\frac P{\mathrm{diam} B}\Bigr)^{2/L}, \qquad R - L \ge 2 \log \frac P{\mathrm{diam} B}

    by Proposition 3. Every step is checked for networks with one neuron in a layer: length and slopes along the segment are
    exact, from all its kinks (`nodes_on_segment`).
Proof idea
    On the segment g takes all values between the smallest and the largest :math:`g(x_i)`, so that :math:`f \circ \gamma` meets
    all :math:`y_i`.
Tight
    Data on a line, and a chain of equal weights; the second bound of R where the path is nearly as long as the diameter.
Source
    notion_of_rank, Theorem 2.
"""

from functools import partial

from theorems.shared import segments
from theorems.shared.activations import SLOPES
from theorems.shared.bottleneck import with_common_slope
from theorems.shared.paths import path_length, shortest_path, squared_distances
from verify import Claim, Domain, Networks, Q, Source, Tight, derived, networks, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rational, rationals
from verify.words import exp, greatest, le, lifted, norm, norm2, power, sqrt

compose, shortest = lifted(networks.compose), lifted(shortest_path)
path, distances2 = lifted(path_length), lifted(squared_distances)
extreme_points, length_and_steepness = lifted(segments.extreme_points), lifted(segments.length_and_steepness)


def on_the_segment(parts, X):
    """f, the segment as a vector, the length of its image, and the largest squared slope there."""
    g, h = parts
    f, (start, end) = compose(h, g, merge=False), extreme_points(X, g(X)[:, 0])
    return f, end - start, *length_and_steepness(f, start, end)


def steep(parts, X, logs=2):
    f, segment, length, steepest = on_the_segment(parts, X)
    P = shortest(f(X))
    return (
        le(P, length, name="path")
        & le(length, sqrt(norm2(segment) * steepest), name="segment")
        & costs(P, X, f.weight_norm_squared, f.depth, logs)
    )


def costs(P, X, cost, L, logs=2):
    """Both bounds of the cost by a path through the values, without roots and logarithms."""
    diameter2 = greatest(distances2(X))
    # of the squares, so that a path of rational length stays rational
    half = Q(logs) / 2
    return le(P**2, diameter2 * (cost / L) ** L, name="cost per layer") & le(
        power(P**2, half), power(diameter2, half) * exp(cost - L), name="beyond the depth"
    )


def closed_paths(parts, X):
    f, _, length, _ = on_the_segment(parts, X)
    Y = f(X)
    return le(shortest(Y) + norm(Y[0] - Y[-1]), length)


def in_the_order_of_the_data(parts, X):
    f, _, length, _ = on_the_segment(parts, X)
    return le(path(f(X)), length)


def average_slope(parts, X):
    """The second step with half the slope."""
    _, segment, length, steepest = on_the_segment(parts, X)
    return le(length, sqrt(norm2(segment) * steepest) / 2)


def chain_on_a_line(root, longer=0, places=(1, 0, 2)):
    """A chain whose weights have the norm `root`, and points on its line where all hidden values are positive."""
    q = rational(root)
    inner = FullyConnected([q * rationals([["3/5", "4/5"]]), q * rationals([[1]])])
    outer = FullyConnected([*[q * rationals([[1]])] * (1 + longer), q * rationals([["5/13"], ["12/13"]])])
    return {"parts": (inner, outer), "X": [[3 * place, 4 * place] for place in places]}


PARTS = derived(
    lifted(with_common_slope),
    inner=Networks(depth="inner_depth", outputs="bottleneck", role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", role="second part"),
    slope=slopes(-2, 2, role="slope"),
)
SECOND_ORDER = "log and square agree to second order"
ONE_NEURON = "one neuron in a layer"

CLAIM = Claim(
    id="notion_of_rank.theorem_2",
    title="Bottleneck rank one makes an interpolant steep",
    source=Source("notion_of_rank", "Theorem 2"),
    statement=steep,
    domain=Domain(
        {"parts": PARTS, "X": reals("count", "inputs", role="few points")},
        {
            "inner_depth": (1, 2),
            "outer_depth": (1, 2, 4),
            "inputs": (2, 3),
            "width": (2,),
            "count": (2, 3, 5),
            "bottleneck": (1, 2),
            "outputs": (1, 2, 3),
        },
        {ONE_NEURON: lambda parts: parts[0].widths[-1] == 1, SLOPES: lambda parts: parts[0].activation.lipschitz_constant <= 1},
    ),
    needs=(ONE_NEURON, SLOPES),
    tight={
        "a line": partial(chain_on_a_line, "1"),
        "five points, six layers": partial(chain_on_a_line, "1", 2, (1, 0, 4, 2, 7)),
        "a steep line": Tight(partial(chain_on_a_line, "2"), of=("path", "segment", "cost per layer")),
        "a line, a little steeper": Tight(
            partial(chain_on_a_line, "10000001/10000000"), 1e-13, SECOND_ORDER, of=("beyond the depth",)
        ),
        "a line, a little flatter": Tight(
            partial(chain_on_a_line, "9999999/10000000"), 1e-13, SECOND_ORDER, of=("beyond the depth",)
        ),
    },
    false_variants={
        "closed paths": closed_paths,
        "the labels in the order of the data": in_the_order_of_the_data,
        "half the slope": average_slope,
    },
    cost=4,
)
