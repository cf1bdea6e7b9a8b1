r"""The problem over weights as a problem over activations.

Statement
    .. math:: \min_{A : A_0 = X} C(A_1) + \lambda\int_0^1\ell(A_p, \partial_pA_p)dp , \qquad
              \ell(A, \dot A) = \tfrac1{2L}\|LA + \dot A\|_K^2 , \quad C(A) = \tfrac1N\|F - A\|_F^2 ,

    has the value of :math:`\min_W C(A_1) + \frac\lambda{2L}\int_0^1\|W_p\|^2dp`: the Lagrangian is the least cost at which A
    moves so.
Checked
    Discrete paths with layers of any length. For every network, the Lagrangian of its path is at most its regularisation, and
    the smallest weights give the same path at just that cost. For every path of finite Lagrangian, the smallest weights give
    the path (``.paths``).
Tight
    Independent features: a path has one choice of weights.
Not checked
    The limit of infinitely many layers. The infinite convention is needed: where
    :math:`\mathrm{Im}(LA + \partial A)^T \not\subset \mathrm{Im}\,K` no weights give the path, though the bare formula is
    finite. One neuron at the points 0, 1, 2 that moves by (0, 0, 1) has the bare value 41/18 (exact part).
Source
    leaky_resnets, Section 1.3.
"""

from theorems.leaky_resnets.constructions.paths import driven, driven_problems, wandering_problems
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, Q, Source, Tight
from verify.networks.leaky_resnet import is_in_row_space
from verify.numbers.arithmetic import rational, rationals
from verify.words import concatenate, eq, le, lifted, norm2, ones, pinv, rank, zeros


def smallest_weights(problem, leak=1):
    r""":math:`(LA + \partial A)\sigma(A)^+` in every layer."""
    return (leak * problem.L * problem.A + problem.dA) @ pinv(sigma(problem.A))


def integral(problem, W):
    r""":math:`\int_0^1\|W_p\|^2dp`."""
    return problem.rho @ (W * W).sum(axis=(1, 2))


def price_of_a_path(problem):
    """The smallest weights give the path of a network at the value over activations, which is at most that over weights."""
    L, lam, C, smallest = problem.L, problem.lam, problem.misfit, smallest_weights(problem)
    return eq(smallest @ sigma(problem.A), L * problem.A + problem.dA, name="path") & le(
        C + lam / (2 * L) * integral(problem, smallest), C + lam / (2 * L) * integral(problem, problem.W), name="price"
    )


def weights_give_the_path(problem, leak=1):
    A, dA, L = problem.A, problem.dA, problem.L
    return eq(smallest_weights(problem, leak) @ sigma(A), L * A + dA, name="path")


# False variants


def lagrangian_without_leak(problem):
    L, lam, C = problem.L, problem.lam, problem.misfit
    smallest = smallest_weights(problem, 0)
    return le(C + lam / (2 * L) * integral(problem, smallest), C + lam / (2 * L) * integral(problem, problem.W))


def all_weights_have_one_price(problem):
    L, lam, C = problem.L, problem.lam, problem.misfit
    smallest = smallest_weights(problem)
    return eq(C + lam / (2 * L) * integral(problem, smallest), C + lam / (2 * L) * integral(problem, problem.W))


def weights_without_bias(problem):
    A, dA, L = problem.A, problem.dA, problem.L
    return eq(smallest_weights(problem)[:, :, :-1] @ sigma(A)[:, :-1], L * A + dA)


def independent_features():
    """One neuron that stays positive at two points: a path has one choice of weights."""
    W, rho = rationals([[[1, 2]], [[3, -1]]]), rationals(["1/2", "1/2"])
    return {"problem": driven(rationals([[1, 2]]), W, rho, rational(1), rational(1), rationals([[0, 1]]))}


def bias_of_the_last_layer(layers, width, points):
    """From activations 0 the last layer moves by its bias alone: the smallest weights, where others give the same path."""
    W = zeros(layers, width, width + 1)
    W[-1, :, -1] = 1
    numbers = {"X": zeros(width, points), "W": W, "rho": ones(layers), "L": 1, "lam": 1, "F": zeros(width, points)}
    return {f"problem.{name}": value for name, value in numbers.items()}


def bare_formula_without_weights():
    """At the points 0, 1, 2 the direction (0, 0, 1) has the value 41/18 and no weights: the rank grows."""
    A, dA = rationals([[0, 1, 2]]), rationals([[0, 0, 1]])
    F = sigma(A)
    return eq(norm2((A + dA) @ pinv(F)), Q(41, 18)) & eq(rank(concatenate([F, A + dA])) - rank(F), 1)


def rationals_grow(sizes):
    return 4 * sizes["layers"]


SIZES = {"layers": (1, 2, 3), "width": range(1, 4), "points": range(1, 5)}
FINITE = "every layer has a finite Lagrangian"
SOURCE = Source("leaky_resnets", "Section 1.3")

CLAIM = Claim(
    id="leaky_resnets.lagrangian",
    title="The problem over weights has the value of the problem over activations",
    source=SOURCE,
    statement=price_of_a_path,
    domain=Domain({"problem": driven_problems()}, SIZES),
    tight={"independent features": Tight(independent_features, of=("price",))},
    false_variants={
        "Lagrangian without the leak": lagrangian_without_leak,
        "all weights have one price": all_weights_have_one_price,
    },
    # with no more points than neurons chance draws no smallest weights
    examples=[bias_of_the_last_layer(M, w, N) for M in SIZES["layers"] for w in SIZES["width"] for N in range(1, w + 1)],
    cost=rationals_grow,
)

PATHS = Claim(
    id="leaky_resnets.lagrangian.paths",
    title="Every path of finite Lagrangian has weights",
    source=SOURCE,
    status=DerivedHere(),
    statement=weights_give_the_path,
    domain=Domain(
        {"problem": wandering_problems()},
        SIZES,
        {FINITE: lambda problem: lifted(is_in_row_space)(problem.L * problem.A + problem.dA, sigma(problem.A)).all()},
    ),
    needs=(FINITE,),
    false_variants={"without the leak": {"leak": 0}, "without the bias": weights_without_bias},
    exact={"0, 1, 2": bare_formula_without_weights},
    cost=rationals_grow,
)
