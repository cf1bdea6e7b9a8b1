r"""Theorem 3, first bound: the Jacobian along the domain.

Statement
    For a network of depth L with slopes from -1 to 1 that is f on :math:`\Omega`, and the projection P to the tangent space of
    :math:`\Omega` at x, with :math:`k = \mathrm{rank}\, Jf(x)P`,

    .. math:: \|\theta\|^2 \ge L\, \|Jf(x) P\|_{2/L}^{2/L} \ge kL + 2\log|Jf(x) P|_+ .
Correction
    The contributions have :math:`R^{(1)}(f) \ge 2\log|Jf(x)|_+` for all x. For :math:`f(x) = (x_1, \delta\sigma(x_2))` on
    :math:`[0, 1] \times [-1, 1]`, with :math:`0 < \delta < 1`, the rank is 1 and the volume 1 where :math:`x_2 < 0`, but
    diagonal networks show :math:`R^{(1)} \le 2\log\delta`. With the hypothesis of Theorem 3 that x has the rank
    :math:`R^{(0)}(f)` it is true. The contributions have "for all x" in the formula, put their constraints to composition and
    addition alone, and say that :math:`R^{(1)}` controls the Jacobian, which it does only there: the points of a lower rank
    are a half of the domain here.
Checked
    Both inequalities without the biases, for the product of the layers, on subspaces of one to three dimensions.
Proof idea
    Proposition 3 of notion_of_rank, which a projection only helps; :math:`L s^{2/L} \ge L + 2\log s`.
Tight
    Balanced weights, which keep the sign of all hidden values; singular values 1.
Source
    bottleneck_structure, Theorem 3; the finite form stands in the proof of Theorem 11.
"""

from functools import partial

from theorems.bottleneck_structure.constructions.frames import projection_to_image
from theorems.bottleneck_structure.constructions.near_isometries import around_identity, diagonal_layers
from theorems.shared.balanced import balanced_network
from verify import Claim, Domain, FalseAsPrinted, Networks, Q, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import diag, eye, ge, lifted, log_pseudo_determinant, rank, schatten_power, vector

projection = lifted(projection_to_image)


def along(f, x, tangent):
    r""":math:`Jf(x) P` for the projection P to the columns of `tangent`."""
    return f.jacobian(x) @ projection(tangent)


def jacobian_bounds_the_cost(f, x, tangent):
    J, L = along(f, x, tangent), f.depth
    norm = L * schatten_power(J, Q(2, L))
    return ge(f.weight_norm_squared, norm, name="norm") & ge(norm, rank(J) * L + 2 * log_pseudo_determinant(J), name="volume")


def printed_for_all_points(f):
    r"""The print on the flat side of the kink of :math:`(x_1, \delta\sigma(x_2))`, where R0 = 2.

    The excess of the network falls as the depth grows, so that it bounds the first correction from above.
    """
    return ge(f.weight_norm_squared - 2 * f.depth, 2 * log_pseudo_determinant(f.jacobian(vector(1, -1))))


def four_times_the_logarithm(f, x, tangent):
    J = along(f, x, tangent)
    return ge(f.weight_norm_squared, rank(J) * f.depth + 4 * log_pseudo_determinant(J))


def exponent_without_two(f, x, tangent):
    return ge(f.weight_norm_squared, f.depth * schatten_power(along(f, x, tangent), Q(1, f.depth)))


def without_the_lengths(f, x, tangent):
    """Vectors that span the tangent space but are not orthonormal."""
    return ge(f.weight_norm_squared, f.depth * schatten_power(f.jacobian(x) @ tangent, Q(2, f.depth)))


def rank_of_the_space(f, x, tangent):
    return ge(f.weight_norm_squared, rank(tangent) * f.depth + 2 * log_pseudo_determinant(along(f, x, tangent)))


def balanced(*roots, depth=4):
    """Balanced factors, and the whole space."""
    found = balanced_network(depth, *roots)
    return {"f": found["network"], "x": found["x"], "tangent": rationals(eye(3))}


def identities_along_a_line():
    """Three layers diag(1, 0) on the plane, of which only a line counts: one of its singular values is lost."""
    return {"f": FullyConnected([rationals(diag([1, 0]))] * 3), "x": [1, 1], "tangent": [[3], [0]]}


def few_combinations(sizes):
    """Subspaces of the inputs, and narrow networks where they are deep."""
    return sizes["dimension"] <= sizes["inputs"] and (sizes["depth"] < 13 or sizes["width"] * sizes["outputs"] <= 4)


SLOPES = {"the slope is between -1 and 1": lambda f: (f.activation.negative >= -1) & (f.activation.negative <= 1)}
SIZES = {"depth": (1, 2, 3, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 4), "outputs": (1, 2, 3), "dimension": (1, 2, 3)}

CLAIM = Claim(
    id="bottleneck_structure.theorem_3.lower_bound",
    title="The Jacobian along the domain bounds the cost and its first correction",
    source=Source("bottleneck_structure", "Theorem 3"),
    statement=jacobian_bounds_the_cost,
    domain=Domain(
        {
            "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 2), role="network"),
            "x": reals("inputs", role="point"),
            "tangent": reals("inputs", "dimension", role="directions"),
        },
        SIZES,
        SLOPES,
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={
        "balanced": Tight(partial(balanced, 2, 1, "1/2"), of=("norm",)),
        "balanced, depth 6": Tight(partial(balanced, "5/3", "1/2", depth=6), of=("norm",)),
        "balanced, depth 13": Tight(partial(balanced, "11/10", depth=13), of=("norm",)),
        "singular values 1": partial(balanced, 1, 1),
        "along a line": identities_along_a_line,
    },
    cost=3,
    false_variants={
        "four times the logarithm": four_times_the_logarithm,
        "exponent 1/L": exponent_without_two,
        "without the lengths": without_the_lengths,
        "the dimension of the space": rank_of_the_space,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_3.lower_bound.printed",
    title="The volume of the Jacobian bounds the first correction at all points",
    source=Source("bottleneck_structure", "Contributions"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=printed_for_all_points,
    domain=Domain({"f": derived(lifted(diagonal_layers), root=interval(Q(1, 4), 1))}, {"depth": (2, 3, 4, 6, 13)}),
)
