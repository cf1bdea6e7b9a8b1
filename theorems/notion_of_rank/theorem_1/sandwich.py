r"""Theorem 1 at finite depth: bounds on both sides of the cost.

Statement
    Let :math:`f = h \circ g` through dimension k, and let N(L; s, c) be the norm of the network of ``statement``. For slopes in
    [-1, 1] and every depth :math:`L \ge L_g + L_h`

    .. math:: \sum_i \mathrm s_i^{2/L} \le \frac{N(L; s, c)}L = k + \frac CL, \qquad \mathrm{rank} Jf(x) \le k ,

    with the singular values :math:`\mathrm s_i` of :math:`Jf(x) = Jh(g(x)) Jg(x)` and a number C that does not depend on L.
    For L to infinity the left side tends to the rank of the Jacobian, the right one to k.
Checked
    Both for the product of the layers at every point, for all shifts and scales: :math:`g + s \ge 0` is not needed here.
Proof idea
    Proposition 3 for the network of Theorem 1.
Tight
    The identity through identity layers.
Not checked
    That the limit of R / L exists, and that it is the bottleneck rank: both are open.
Source
    notion_of_rank, Theorem 1.
"""

from functools import partial

from theorems.notion_of_rank.prop_1.statement import PARTS
from theorems.notion_of_rank.theorem_1.statement import DEEP, N, is_deep_enough
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Q, Source, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, le, ones, rank, schatten_power, zeros


def jacobian(parts, x):
    g, h = parts
    return h.jacobian(g(x)) @ g.jacobian(x)


def sandwich(parts, x, s, c, depth):
    J, L = jacobian(parts, x), depth
    return le(schatten_power(J, Q(2, L)), N(parts, s, c, L) / L, name="cost") & le(rank(J), len(s), name="rank")


def rank_is_the_dimension(parts, x, s):
    return le(len(s), rank(jacobian(parts, x)))


def without_the_constant(parts, x, s, depth):
    return le(schatten_power(jacobian(parts, x), Q(2, depth)), len(s))


def identities(k, L, factor=1):
    """Identity matrices in all layers, those of g and h times a factor."""
    one = FullyConnected([rationals(factor * eye(k))])
    return {"parts": (one, one), "x": rationals(ones(k)), "s": rationals(zeros(k)), "c": rationals(ones(k)), "depth": L}


CLAIM = Claim(
    id="notion_of_rank.theorem_1.sandwich",
    title="The construction costs between the Jacobian and the bottleneck rank",
    source=Source("notion_of_rank", "Theorem 1"),
    status=DerivedHere(),
    statement=sandwich,
    domain=Domain(
        {
            "parts": PARTS,
            "x": reals("inputs", role="point"),
            "s": reals("bottleneck", role="shift of the first part"),
            "c": interval(Q("1/4"), Q("17/4"), "bottleneck", role="ones"),
        },
        {**DEEP, "bottleneck": (1, 2, 3)},
        {SLOPES: lambda parts: parts[0].activation.lipschitz_constant <= 1},
        is_deep_enough,
    ),
    needs=(SLOPES,),
    tight={
        "the identity of the line": partial(identities, 1, 2),
        "the identity of space": partial(identities, 3, 7),
        "the identity of the plane, deep": partial(identities, 2, 14),
        "twice the identity twice": partial(identities, 2, 2, 2),
    },
    false_variants={"the rank is k": rank_is_the_dimension, "without C": without_the_constant},
)
