r"""Theorem 1 for an affine map: the limit is the rank of its matrix.

Statement
    Let A = B C have the rank k, with k columns of B and k rows of C, and :math:`\Omega = \{x : \|x\|_\infty \le \rho\}` for
    :math:`\rho > 0`. At every depth L >= 2 a network with slopes of absolute value at most 1 that equals Ax + b on
    :math:`\Omega` has a squared norm of at least :math:`kL + 2\log|A|_+`, and there is one of the squared norm

    .. math:: N = \|C\|_F^2 + \|s\|^2 + k(L - 2) + \|B\|_F^2 + \|b - Bs\|^2 , \qquad s_i = \rho\|C_{i\cdot}\|_1 .

    Hence :math:`kL + 2\log|A|_+ \le R(Ax + b; \Omega, L) \le N`, the limit of R / L exists, and

    .. math:: R_\infty(Ax + b; \Omega) = k = \mathrm{rank} A .
Correction
    The slides have any bounded domain. On a segment :math:`\{tu : 0 \le t \le 1\}` of the plane the identity of the plane has
    the Jacobian rank 2, at every point, and a chain of single neurons of the squared norm L represents it at every depth: R /
    L is at most 1 (``.printed_domain``). The domain must be the closure of its interior, or the Jacobian be that along the
    domain.
Checked
    That the network is the affine map on :math:`\Omega`, and both bounds of its norm.
Proof idea
    Proposition 3 and the inequality of means for the k singular values; the construction of Theorem 1 with the shift s.
Tight
    The identity of one number, at the radius 0.
Source
    notion_of_rank, Theorem 1 and property (4) of a rank; the constants are derived here.
"""

from functools import partial

from theorems.notion_of_rank.theorem_1.statement import through
from theorems.shared.arrays import unit_vector
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.words import absolute, determinant, eq, eye, greatest, le, lifted, log, norm2, positive, rank

affine, unit = lifted(FullyConnected), lifted(unit_vector)


def volume(B, C):
    r""":math:`|BC|_+^2` for k independent columns of B and rows of C."""
    return determinant(B.T @ B) * determinant(C @ C.T)


def with_shift(B, C, b, s, L):
    return through(affine([C]), affine([B], [b]), L, s)


def affine_map_costs_its_rank(B, C, b, place, radius, depth, more=0):
    """The network at a place of the cube, times its radius; and the bound that holds for every network."""
    L, k, s, x = depth, len(C), radius * absolute(C).sum(axis=1), radius * place
    f = with_shift(B, C, b, s, L)
    N = norm2(C) + norm2(s) + k * (L - 2) + norm2(B) + norm2(b - B @ s)
    return (
        eq(f(x), B @ (C @ x) + b, name="value")
        & eq(f.parameter_norm_squared, N, name="norm")
        & le((k + more) * L + log(volume(B, C)), f.parameter_norm_squared, name="every network")
    )


def largest_entry_for_the_sum(B, C, b, place, radius, depth):
    s, x = radius * greatest(absolute(C), axis=1), radius * place
    return eq(with_shift(B, C, b, s, depth)(x), B @ (C @ x) + b)


def along_a_segment(u, L):
    """The identity on the multiples tu, t >= 0, of a unit vector: a chain of single neurons."""
    return affine([u[None, :], *[eye(1)] * (L - 2), u[:, None]])


def rank_bounds_the_cost(u, depth):
    """The rank of the Jacobian of the identity, at most the cost per layer on a segment in the limit."""
    return le(rank(eye(len(u))) * depth, along_a_segment(u, depth).parameter_norm_squared)


def is_the_identity(u, place, depth):
    return (along_a_segment(u, depth)(place * u) == place * u).all()


def identity_of_a_number(depth):
    return {"B": [[1]], "C": [[1]], "b": [0], "place": [0], "radius": 0, "depth": depth}


IN_THE_CUBE = "x is in the cube"

CLAIM = Claim(
    id="notion_of_rank.theorem_1.affine_map",
    title="The cost per layer of an affine map tends to its rank",
    source=Source("notion_of_rank", "Theorem 1"),
    status=DerivedHere(),
    statement=affine_map_costs_its_rank,
    domain=Domain(
        {
            "B": reals("outputs", "rank"),
            "C": reals("rank", "inputs"),
            "b": reals("outputs"),
            "place": interval(-2, 2, "inputs"),
            "radius": interval(0, 8),
        },
        {"inputs": (1, 3), "outputs": (1, 2, 3), "rank": (1, 2, 3), "depth": (2, 14)},
        {
            "B and C have rank k": lambda B, C: positive(volume(B, C)),
            IN_THE_CUBE: lambda place: greatest(absolute(place)) <= 1,
        },
        sizes_where=lambda sizes: sizes["rank"] <= min(sizes["inputs"], sizes["outputs"]),
    ),
    needs=(IN_THE_CUBE,),
    tight={f"depth {depth}": Tight(partial(identity_of_a_number, depth), of=("every network",)) for depth in (2, 7)},
    false_variants={"k + 1 per layer": {"more": 1}, "the largest entry for the sum": largest_entry_for_the_sum},
    cost=4,
)

PRINTED = Claim(
    id="notion_of_rank.theorem_1.printed_domain",
    title="Rank Jf bounds the cost per layer on every bounded domain",
    source=Source("notion_of_rank", "Theorem 1"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=rank_bounds_the_cost,
    domain=Domain(
        {"u": derived(unit, chart=reals(lambda sizes: sizes["inputs"] - 1), flip=integers(0, 1)), "place": interval(0, 1)},
        {"inputs": (2, 3), "depth": (2, 3, 6, 13)},
        {"the network is the identity at the point": is_the_identity},
    ),
)
