r"""Proposition 2: any data are fitted by a network of bottleneck rank one.

Statement
    For data :math:`(x_i, y_i)_{i \le N}` and :math:`\lambda > 0` let w be a global minimiser of
    :math:`\frac1N \sum_i \|F_w(x_i) - y_i\|^2 + \frac\lambda L \|w\|^2` at depth L. Then, with a constant that depends on the
    data only,

    .. math:: \frac{R(F_w)}{L} \le 1 + \frac{C_N}{L} .
Checked
    The network that shows it; ``minimisers`` has the constant and the bound. Let u be a direction in which distinct points have
    distinct projections, :math:`c = -\min_j u^T x_j`, and :math:`z_i = u^T x_i + c` in ascending order. In
    :math:`h(z) = \beta + \sum_{j < N} m_j \sigma(z - z_j)` the coefficients are chosen such that :math:`h(z_i) = y_i`, and h is
    carried to any depth by layers of one neuron, which are the identity because no z is negative. Where equal points have other
    labels, y is their mean. With scales :math:`a_j > 0` of the N - 1 neurons, for L >= 3,

    .. math:: \|w\|^2 = L - 3 + \|u\|^2 + c^2 + \sum_j a_j^2 (1 + z_j^2) + \sum_j \frac{\|m_j\|^2}{a_j^2} + \|\beta\|^2 ,

    and for L = 2 :math:`\sum_j a_j^2 (\|u\|^2 + (c - z_j)^2) + \sum_j \|m_j\|^2/a_j^2 + \|\beta\|^2`. Values and norm are
    compared at all depths, for every slope :math:`\alpha < 1` below zero, with repeated points and conflicting labels. For a
    slope other than 0 the coefficients are :math:`m_j = (v_j - v_{j-1}) / (1 - \alpha)`, with the slopes :math:`v_j` of the
    curve, for j > 1, :math:`m_1 = v_1 - \alpha \sum_{j>1} m_j`, and :math:`\beta = y_{(1)} + \alpha \sum_j m_j z_j`.
Proof idea
    The piecewise linear curve through the labels, and identity layers.
Source
    notion_of_rank, Proposition 2 and its proof sketch; the constant is derived here.
"""

from theorems.notion_of_rank.constructions import rank_one
from verify import Claim, Domain, Q, Relation, Source, derived, integers, interval, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, eye, lifted, norm2, vector, where, zeros

network_of, activation = lifted(FullyConnected), lifted(leaky_relu)
mean_labels, separates = lifted(rank_one.mean_labels), lifted(rank_one.separates)


@lifted
def curve(X, Y, u, alpha=0):
    r"""The numbers c, :math:`z_j`, :math:`m_j` and :math:`\beta` of h."""
    found = rank_one.rank_one_curve(X, Y, u, alpha)
    return found.offset, found.knots, found.coefficients, found.value


def interpolant(h, u, a, L, alpha=0):
    c, z, m, beta = h
    if L == 2:
        weights, biases = [a[:, None] * u], [a * (c - z)]
    else:
        weights, biases = [u[None, :], *[eye(1)] * (L - 3), a[:, None]], [vector(c), *[zeros(1)] * (L - 3), -a * z]
    return network_of([*weights, (m / a[:, None]).T], [*biases, beta], activation(alpha))


def norm_before(h, u, L):
    r"""The squared norm of what is before the N - 1 neurons, and what :math:`a_j^2` is multiplied by in the norm."""
    c, z, _, _ = h
    return (0, norm2(u) + (c - z) ** 2) if L == 2 else (L - 3 + norm2(u) + c**2, 1 + z**2)


def squared_norm(h, u, a, L):
    (before, entering), (_, _, m, beta) = norm_before(h, u, L), h
    return before + (a**2 * entering).sum() + ((m**2).sum(axis=1) / a**2).sum() + norm2(beta)


def interpolates(X, Y, u, a, alpha, depth):
    h = curve(X, Y, u, alpha)
    f = interpolant(h, u, a, depth, alpha)
    return eq(f(X), mean_labels(X, Y), name="values") & eq(f.parameter_norm_squared, squared_norm(h, u, a, depth), name="norm")


def coefficients_of_the_relu(X, Y, u, a, alpha, depth):
    return eq(interpolant(curve(X, Y, u), u, a, depth, alpha)(X), mean_labels(X, Y))


def every_label_is_fitted(X, Y, u, a, alpha, depth):
    """Conflicting labels of one point, too."""
    return eq(interpolant(curve(X, Y, u, alpha), u, a, depth, alpha)(X), Y)


def without_the_shift(X, Y, u, a, alpha, depth):
    f = interpolant(curve(X, Y, u, alpha), u, a, depth, alpha)
    unshifted = network_of(f.weights, [0 * f.biases[0], *f.biases[1:]], f.activation)
    return eq(unshifted(X), mean_labels(X, Y))


def degenerate_data():
    """Values at the data and norm for one point, for equal points with other labels, on a line, and for equal labels."""
    cases = {
        "one point": ([[1, 2]], [[3, 4]], [[3, 4]]),
        "conflict": ([[1, 1], [2, 0], [1, 1], [1, 1]], [[0], [5], [3], [6]], [[3], [5], [3], [3]]),
        "on a line": ([[0, 0], [2, 4], [-1, -2]], [[1], [-2], [1]], [[1], [-2], [1]]),
        "equal labels": ([[0], [1], [2]], [[2], [2], [2]], [[2], [2], [2]]),
        "on a hyperplane of all small t": ([[1, -1, 0], [0, 0, 0], [0, 1, -1]], [[1], [0], [2]], [[1], [0], [2]]),
    }
    relation = Relation(())
    for points, labels, fitted in cases.values():
        X, Y = rationals(points), rationals(labels)
        for L in (2, 3, 6):
            relation &= eq(rank_one.rank_one_interpolant(X, Y, L)(X), rationals(fitted))
    constant = rank_one.rank_one_interpolant(rationals([[1, 2]]), rationals([[3, 4]]), 5)
    return relation & eq(constant.parameter_norm_squared, 25)


def with_repetition(points, repeated):
    """The points, the last of them equal to the first where `repeated` is 1."""
    return concatenate([points[:-1], where(repeated > 0, points[0], points[-1])[None, :]])


VARIABLES = {
    "X": derived(with_repetition, points=reals("count", "inputs"), repeated=integers(0, 1), role="few points"),
    "Y": reals("count", "outputs", role="few targets"),
    "u": reals("inputs", role="direction"),
}
SCALES = interval(Q("1/4"), Q("17/4"), lambda sizes: sizes["count"] - 1)
LENGTHS = {"count": (2, 3, 5), "inputs": range(1, 4), "outputs": range(1, 4)}
SEPARATED = "the direction separates the points"

CLAIM = Claim(
    id="notion_of_rank.prop_2",
    title="A network of bottleneck rank one fits any data",
    source=Source("notion_of_rank", "Proposition 2"),
    statement=interpolates,
    domain=Domain(
        {**VARIABLES, "a": SCALES, "alpha": slopes(-2, Q("3/4"))},
        {**LENGTHS, "depth": (2, 3, 4, 6, 13), "count": (1, 2, 3, 5)},
        {SEPARATED: lambda X, u: separates(X, u)},
    ),
    needs=(SEPARATED,),
    false_variants={
        "coefficients for the ReLU with another slope": coefficients_of_the_relu,
        "conflicting labels are fitted": every_label_is_fitted,
        "without the shift": without_the_shift,
    },
    exact={"degenerate data": degenerate_data},
)
