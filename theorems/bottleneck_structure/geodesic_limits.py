r"""Limits of the representations: rank and regularity of their parts.

Statement
    If the representations converge for :math:`\ell/L \to p`, the limit has :math:`R^{(0)}(f) = R^{(0)}(\tilde\alpha_p) =
    R^{(0)}(\sigma(\tilde\alpha_p) \to f)`, and :math:`R^{(1)}(f) = R^{(1)}(\tilde\alpha_p) + R^{(1)}(\sigma(\tilde\alpha_p)
    \to f)`. Where the limit is continuous, :math:`R^{(1)}(\sigma(\tilde\alpha_p) \to \tilde\alpha_p) = 0`, and the
    representation :math:`\tilde\alpha_p(\Omega)` is :math:`R^{(0)}(f)`-planar.
Checked
    On linear networks of least norm, for every layer at every depth: the ranks of :math:`M_\ell = W_\ell\cdots W_1` and
    :math:`N_\ell = W_L\cdots W_{\ell+1}` are the rank k of A, and :math:`|A|_+ = |N_\ell|_+|M_\ell|_+`. What the layers
    from :math:`l + 1` to m cost beyond k each lies between two sides that vanish with :math:`t = (m - l)/L` (``.middle``):

    .. math:: 2t\log|A|_+ \le \sum_{j=l+1}^m\|W_j\|_F^2 - (m - l)k
              \le 2t\log|A|_+ + \frac{2t}L\sum_i(\log s_i)^2\max(1, s_i^{2/L}) .

Proof idea
    The kernel :math:`M_\ell^TM_\ell` is a power of :math:`A^TA`; every layer costs :math:`\sum_i s_i^{2/L}`.
Tight
    Partial isometries; a chain near the identity.
Not checked
    Networks that are not linear, where the limit need not exist (``example_20``). The construction of Theorem 3 (3) is
    ``theorem_3.linear_maps``, planar domains are ``prop_5``.
Source
    bottleneck_structure, Section 3.3, and the talk, representation geodesics; the finite depths are derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.linear_networks import (
    LEAST,
    LINEAR,
    SIZES,
    has_room,
    norms_of_layers,
    partial_products,
    planted,
    remaining_products,
)
from theorems.shared.spectra import positive_singular_values, remainder
from verify import Claim, DerivedHere, Domain, Source, Tight
from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, lifted, log_pseudo_determinant, norm2, pseudo_determinant, rank, stack, zeros

singular_values, second_order = lifted(positive_singular_values), lifted(remainder)


def volume2(A):
    r""":math:`|A|_+^2`."""
    return pseudo_determinant(A.T @ A)


def ranks_and_determinants(f):
    M, N = partial_products(f), remaining_products(f)
    ranks, volumes = stack([rank(A) for A in M]), stack([volume2(A) for A in M])
    return (
        eq(ranks[:-1], ranks[-1:], name="ranks before")
        & eq(stack([rank(A) for A in N[1:]]), ranks[-1:], name="ranks after")
        & eq(volumes[:-1] * stack([volume2(A) for A in N[1:]]), volumes[-1:], name="determinants")
    )


def half_of_the_regularity(f):
    return eq(volume2(f.weights[0]) ** 2, volume2(partial_products(f)[-1]))


def full_rank_before(f):
    return eq(rank(f.weights[0]), f.widths[0])


def middle_costs(f):
    A, L = partial_products(f)[-1], f.depth
    paid = concatenate([zeros(1), np.cumsum(norms_of_layers(f) - rank(A))])
    runs = [(a, b) for a in range(L) for b in range(a + 1, L + 1)]
    found = stack([(paid[b] - paid[a]) * L / (b - a) for a, b in runs])
    limit, rest = 2 * log_pseudo_determinant(A), second_order(singular_values(A), L)
    return ge(found, limit, name="from below") & le(found, limit + rest, name="from above")


def middle_costs_the_rank(f):
    return eq(norms_of_layers(f), rank(partial_products(f)[-1]))


def middle_without_the_rest(f):
    A = partial_products(f)[-1]
    return le(f.depth * (norm2(f.weights[0]) - rank(A)), 2 * log_pseudo_determinant(A))


def near_the_identity(L):
    """One neuron with the weight 1 + 10^-7 in every layer."""
    return {"f": FullyConnected([rationals([["10000001/10000000"]])] * L, activation=identity())}


def roots_near_one(L, rank):
    """The free numbers of diagonal layers of that width, of which the first entry is 1001/1000, and the others are 1."""
    plane = rank * (rank - 1) // 2
    frames = {"left.chart": [0] * plane, "right.chart": [0] * plane, "hidden.chart": [[0] * plane] * (L - 1)}
    return {f"f.{name}": value for name, value in {**frames, "kind": 0, "roots": ["1001/1000"] + [1] * (rank - 1)}.items()}


DOMAIN = Domain({"f": LINEAR}, {**SIZES, "depth": (2, 3, 4, 6)}, LEAST, sizes_where=has_room)

CLAIM = Claim(
    id="bottleneck_structure.geodesic_limits",
    title="Representations of a linear network of least norm have its rank",
    source=Source("bottleneck_structure", "Section 3.3, representation geodesics"),
    statement=ranks_and_determinants,
    domain=DOMAIN,
    needs=tuple(LEAST),
    cost=10,
    false_variants={
        "half of the regularity in each part": half_of_the_regularity,
        "the first layers keep all inputs": full_rank_before,
    },
)

MIDDLE = Claim(
    id="bottleneck_structure.geodesic_limits.middle",
    title="Layers in the middle cost their rank, and a share of the regularity",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=middle_costs,
    domain=DOMAIN,
    needs=tuple(LEAST),
    cost=10,
    tight={
        "partial isometries": partial(planted, 5, 1, 1, 0),
        "near the identity": Tight(partial(near_the_identity, 4), 1e-6, "terms of second order are left out"),
    },
    examples=[roots_near_one(L, k) for L in (2, 3, 4, 6) for k in (1, 2, 3)],
    false_variants={"every layer costs its rank": middle_costs_the_rank, "without the rest": middle_without_the_rest},
)
