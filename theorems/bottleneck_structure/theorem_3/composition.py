r"""Theorem 3 (1): the first correction of a composition.

Statement
    If :math:`R^{(0)}(f \circ g) = R^{(0)}(f) = R^{(0)}(g)`, then :math:`R^{(1)}(f \circ g; \Omega) \le R^{(1)}(f; g(\Omega)) +
    R^{(1)}(g; \Omega)`. For linear maps, :math:`|AB|_+ \le |A|_+ |B|_+` if rank AB = rank A = rank B.
Correction
    The proof has :math:`R(f \circ g; L_1 + L_2) \le R(f; L_1) + R(g; L_2)`, which overlooks the activation between the two
    networks. For f = g = id on [-1, 1] and :math:`L_1 = L_2 = 1` the right side is 2, but a ReLU network of depth 2 that is the
    identity there costs at least :math:`2\sqrt2` (notion_of_rank, ``theorem_1.interval``). The appendix has the domain
    :math:`\Omega` for f, too.

    It is true where a linear isometry O makes :math:`O g(\Omega)` non-negative: with :math:`O W^g_{L_2}, O b^g_{L_2}` and
    :math:`W^f_1 O^T` the networks join without extra cost. In general, with the slope a > -1 below 0,
    :math:`y = (\sigma(y) - \sigma(-y))/(1 + a)` joins them for

    .. math:: \|\theta_f\|^2 + \|\theta_g\|^2 + \Bigl(\frac2{(1 + a)^2} - 1\Bigr)\|W^f_1\|^2 + \|W^g_{L_2}\|^2
              + \|b^g_{L_2}\|^2 .
Checked
    Linear maps, with squared volumes, which are rational; value and norm of both joined networks; the printed step for
    multiples of the identity. The join without an activation is ``finite_depth_axioms`` in notion_of_rank.
Proof idea
    On :math:`\mathrm{Im}\, B`, which A maps injectively, A enlarges volumes by the cosines of the angles to
    :math:`(\ker A)^\perp` times :math:`|A|_+`.
Tight
    :math:`\mathrm{Im}\, B = (\ker A)^\perp`.
Not checked
    The inequality of :math:`R^{(1)}` for functions: neither side can be computed.
Source
    bottleneck_structure, Theorem 3 (1); the repaired finite forms are derived here.
"""

from theorems.bottleneck_structure.constructions.corrections import squared_volume
from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.shared.bottleneck import with_common_slope
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Q, Source, derived, interval, networks, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, le, lifted, nonnegative, norm2, rank, zeros

network, compose = lifted(FullyConnected), lifted(networks.compose)
volume2, frame = lifted(squared_volume), lifted(reflected_frame)


def volumes_multiply(A, B):
    return le(volume2(A @ B), volume2(A) * volume2(B))


def same_ranks(A, B):
    return (rank(A) == rank(A @ B)) & (rank(B) == rank(A @ B))


def joined_by(isometry, g, f):
    """The network of depth L1 + L2: O after the last layer of g, its transpose before the first one of f."""
    before = network([*g.weights[:-1], isometry @ g.weights[-1]], [*g.biases[:-1], isometry @ g.biases[-1]], g.activation)
    behind = network([f.weights[0] @ isometry.T, *f.weights[1:]], f.biases, f.activation)
    return compose(behind, before, merge=False)


def through_an_isometry(parts, isometry, x):
    g, f = parts
    joined = joined_by(isometry, g, f)
    return eq(joined(x), f(g(x)), name="value") & eq(
        joined.parameter_norm_squared, g.parameter_norm_squared + f.parameter_norm_squared, name="norm"
    )


def joined_twice(g, f):
    """The network of depth L1 + L2 that keeps the positive and the negative parts of the values of g."""
    W, b, V = g.weights[-1], g.biases[-1], f.weights[0] / (1 + f.activation.negative)
    weights = [*g.weights[:-1], concatenate([W, -W]), concatenate([V, -V], axis=1), *f.weights[1:]]
    return network(weights, [*g.biases[:-1], concatenate([b, -b]), *f.biases], f.activation)


def doubled(parts, x):
    g, f = parts
    joined, a = joined_twice(g, f), f.activation.negative
    extra = (2 / (1 + a) ** 2 - 1) * norm2(f.weights[0]) + norm2(g.weights[-1]) + norm2(g.biases[-1])
    return eq(joined(x), f(g(x)), name="value") & eq(
        joined.parameter_norm_squared, f.parameter_norm_squared + g.parameter_norm_squared + extra, name="norm"
    )


def printed_step(a, b):
    r"""The squared costs of :math:`f(x) = ax` and :math:`g(x) = bx` on [-1, 1], of depth 1, and of abx of depth 2.

    The least cost of cx at depth 2 is :math:`2\sqrt2 |c|` there, by homogeneity.
    """
    return le(8 * (a * b) ** 2, (a**2 + b**2) ** 2)


def volumes_multiply_at_least(A, B):
    return le(volume2(A) * volume2(B), volume2(A @ B))


def volume_of_the_first(A, B):
    return le(volume2(A @ B), volume2(A) ** 2)


def without_the_transpose(parts, isometry, x):
    """The first layer of f as it is, on the first coordinates."""
    g, f = parts
    joined, V = joined_by(isometry, g, f), f.weights[0]
    padded = concatenate([V, zeros(len(V), len(isometry) - V.shape[1])], axis=1)
    weights = [*joined.weights[: g.depth], padded, *joined.weights[g.depth + 1 :]]
    return eq(network(weights, joined.biases, joined.activation)(x), f(g(x)))


def without_biases_of_g(parts, isometry):
    g, f = parts
    return eq(joined_by(isometry, g, f).parameter_norm_squared, g.weight_norm_squared + f.parameter_norm_squared)


def norms_add(parts):
    g, f = parts
    return eq(joined_twice(g, f).parameter_norm_squared, g.parameter_norm_squared + f.parameter_norm_squared)


def positive_part_only(parts, x):
    g, f = parts
    return eq(compose(f, g, merge=False)(x), f(g(x)))


def aligned():
    """The image of B is the row space of A, of rank 2."""
    A = rationals([[1, 2, 2], [0, 3, -3], [1, 5, -1]])
    return {"A": A, "B": rationals([[1, 0], [2, 3], [2, -3]]) @ rationals([[2, 1], [1, 1]])}


NOT_NEGATIVE = {"the isometry makes g(x) non-negative": lambda parts, isometry, x: nonnegative(isometry @ parts[0](x))}
SAME = {"A, B and AB have the same rank": same_ranks}
OURS = Source("bottleneck_structure", "derived here")
LENGTHS = {"inner_depth": (1, 2, 4), "outer_depth": (1, 3), "inputs": (1, 2), "width": (2,), "outputs": (2,), "middle": (1, 2)}
CHAIN = derived(
    lifted(with_common_slope),
    inner=Networks(depth="inner_depth", outputs="middle", slope=0, role="first part"),
    outer=Networks(depth="outer_depth", inputs="middle", slope=0, role="second part"),
    slope=slopes(Q(-3, 4), 2, role="slope"),
)

CLAIM = Claim(
    id="bottleneck_structure.theorem_3.composition",
    title="For factors of one rank, volume(AB) <= volume(A) volume(B)",
    source=Source("bottleneck_structure", "Theorem 3 (1)"),
    statement=volumes_multiply,
    domain=Domain(
        {
            "A": reals("rows", "common", role="Jacobian from the layer"),
            "B": reals("common", "columns", role="Jacobian to the layer"),
        },
        {"rows": (1, 2, 3), "common": (1, 2, 3, 4), "columns": (1, 2, 3)},
        SAME,
    ),
    needs=tuple(SAME),
    tight={"rank 2": aligned, "rank 1": {"A": [[1, 2], [2, 4]], "B": [[3], [6]]}},
    false_variants={"at least": volumes_multiply_at_least, "the volume of A alone": volume_of_the_first},
)

ISOMETRY = Claim(
    id="bottleneck_structure.theorem_3.composition.isometry",
    title="An isometry into an orthant joins two networks at no cost",
    source=OURS,
    status=DerivedHere(),
    statement=through_an_isometry,
    domain=Domain(
        {"parts": CHAIN, "isometry": derived(frame, mirrors=reals("middle", "embedded")), "x": reals("inputs")},
        {**LENGTHS, "embedded": (1, 2, 3)},
        NOT_NEGATIVE,
        lambda sizes: sizes["middle"] <= sizes["embedded"],
    ),
    needs=tuple(NOT_NEGATIVE),
    cost=3,
    false_variants={"without the transpose": without_the_transpose, "without the biases of g": without_biases_of_g},
)

DOUBLED = Claim(
    id="bottleneck_structure.theorem_3.composition.doubled",
    title="Twice the neurons join any two networks",
    source=OURS,
    status=DerivedHere(),
    statement=doubled,
    domain=Domain({"parts": CHAIN, "x": reals("inputs", role="point")}, LENGTHS),
    false_variants={"the norms add": norms_add, "the positive part only": positive_part_only},
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.composition.printed",
    title="The costs of two functions bound that of their composition",
    source=Source("bottleneck_structure", "Theorem 11 (1), proof"),
    status=FalseAsPrinted(corrected_by=ISOMETRY.id),
    statement=printed_step,
    domain=Domain({"a": interval(0, 4), "b": interval(0, 4)}),
)
