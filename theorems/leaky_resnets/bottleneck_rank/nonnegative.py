r"""The constant is at most the rank of a non-negative representation.

Statement
    :math:`-\frac2L\mathcal H \le \min_p\|A_p\|_K^2`, the rank of a non-negative representation.
Checked
    For a non-negative A and any B, :math:`-\frac2L\mathcal H(A, B) \le \mathrm{Rank}A`; as H is constant, it is at most the
    smallest rank on the path. The stable cost, without bias, is between :math:`\mathrm{Rank}A - \gamma\|A^+\|_F^2` and
    the rank.
Proof idea
    :math:`-\frac2L\mathcal H = \|A\|_K^2 - \|(B - AK^+)\sigma(A)^T\|_F^2`; of the stable cost, by singular values.
Tight
    At rest, where the constants are no combination of the rows. Of the stable cost, singular values that are large beside
    :math:`\gamma`.
Source
    leaky_resnets, Section 2.1, after Proposition 5; the exact parts are derived here.
"""

from theorems.leaky_resnets.constructions.representations import NONNEGATIVE_PRODUCTS, NOT_NEGATIVE, inverse_kernel
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers, interval, reals
from verify.networks import leaky_resnet
from verify.numbers.arithmetic import rationals
from verify.words import le, lifted, nonnegative, norm2, nuclear_norm, operator_norm, pinv, rank, where

hamiltonian, stable_cost = lifted(leaky_resnet.hamiltonian), lifted(leaky_resnet.stable_cost_of_identity)


def energy_is_below_rank(point):
    A, B = point
    return le(-2 * hamiltonian(A, B), rank(A))


def stable_cost_is_nearly_rank(A, gamma, size=norm2):
    found = stable_cost(A, gamma, bias=False)
    return le(found, rank(A), name="at most") & le(rank(A) - found, gamma * size(pinv(A)), name="at least")


# False variants


def energy_is_below_effective_dimension(point):
    A, B = point
    return le(-2 * hamiltonian(A, B) * norm2(A), nuclear_norm(A) ** 2)


def energy_is_below_points(point):
    """As if the constants were never a combination of the rows."""
    A, B = point
    return le(-2 * hamiltonian(A, B), A.shape[1] - 1)


def stable_cost_with_bias(A, gamma):
    return le(rank(A) - stable_cost(A, gamma), gamma * norm2(pinv(A)))


def near_rest(A, B, rest):
    """A point of phase space, at rest where `rest` is 0 and near rest where it is 1."""
    still = A @ inverse_kernel(A)
    return A, where(rest == 0, still, where(rest == 1, still + B / 64, B))


def at_rest(A):
    r""":math:`B = AK^+`."""
    A = rationals(A)
    return {"point": (A, A @ inverse_kernel(A))}


OURS = Source("leaky_resnets", "Section 2.1")

BELOW_RANK = Claim(
    id="leaky_resnets.bottleneck_rank.from_below",
    title="The constant is at most the rank of a non-negative representation",
    source=OURS,
    status=DerivedHere(),
    statement=energy_is_below_rank,
    domain=Domain(
        {
            "point": derived(
                near_rest,
                A=NONNEGATIVE_PRODUCTS.variables["A"],
                B=reals("width", "points", role="adjoint"),
                rest=integers(0, 3, role="free"),
            )
        },
        NONNEGATIVE_PRODUCTS.sizes,
        {NOT_NEGATIVE: lambda point: nonnegative(point[0])},
    ),
    needs=(NOT_NEGATIVE,),
    # the rows do not span the constants
    tight={
        "at rest": lambda: at_rest([[1, 2, 2], [1, 1, 2]]),
        "at rest, of rank 1": lambda: at_rest([[1, 2, 3], [2, 4, 6]]),
    },
    false_variants={
        "at most the effective dimension": energy_is_below_effective_dimension,
        "at most N - 1": energy_is_below_points,
    },
    cost=4,
)

STABLE = Claim(
    id="leaky_resnets.bottleneck_rank.stable",
    title="The stable cost of a non-negative representation is nearly its rank",
    source=OURS,
    status=DerivedHere(),
    statement=stable_cost_is_nearly_rank,
    domain=Domain(
        {**NONNEGATIVE_PRODUCTS.variables, "gamma": interval(1 / 64, 1, role="free")},
        NONNEGATIVE_PRODUCTS.sizes,
        NONNEGATIVE_PRODUCTS.hypotheses,
    ),
    needs=(NOT_NEGATIVE,),
    tight={
        "large values": Tight(
            lambda: {"A": [[1000, 0, 0], [0, 1000, 0]], "gamma": "1/64"},
            1e-7,
            "approached as the singular values grow",
            of=("at most", "at least"),
        )
    },
    false_variants={
        "with bias": stable_cost_with_bias,
        "by the smallest singular value": {"size": lambda M: operator_norm(M) ** 2},
    },
    cost=4,
)
