r"""The smallest weights of a path in representation space.

Statement
    At a minimum, and at every critical point, :math:`W_p = (LA_p + \partial_pA_p)\sigma(A_p)^+`. Of all W with
    :math:`W\sigma(A) = LA + \partial A` it alone has the smallest norm, and :math:`\|W\|_F^2 = \|LA + \partial A\|_K^2`.
Checked
    For every A and every W' that moves it, :math:`\|W'\|^2 = \|W\|^2 + \|W' - W\|^2`. If :math:`\sigma(A)` has full row rank,
    W = W'. The critical weights :math:`LB\sigma(A)^T` are the smallest ones for every B. Dead neurons, negative entries and
    singular kernels are drawn; A alone may have an infinite cost.
Proof idea
    :math:`W' - W` vanishes on the features, and the rows of W are combinations of them.
Source
    leaky_resnets, Section 1.3.
"""

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, derivative, sigma
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.networks import leaky_resnet
from verify.numbers.arithmetic import rational, rationals
from verify.words import concatenate, eq, inner, lifted, norm2, pinv, rank, zeros

kernel_inverse = lifted(leaky_resnet.kernel_inverse)


def weights(A, dA, L):
    return (L * A + dA) @ pinv(sigma(A))


def smallest_weights_of_a_path(A, W, L):
    """The weights of the path against those that it was made with, and the norm by the kernel."""
    smallest, M = weights(A, derivative(A, W, L), L), W @ sigma(A)
    return (
        eq(smallest @ sigma(A), M, name="they move A so")
        & eq(norm2(W), norm2(smallest) + norm2(W - smallest), name="smallest")
        & eq(inner(M @ kernel_inverse(A), M), norm2(smallest), name="by the kernel")
    )


def unique_weights(A, W, L, leak=1):
    return eq(weights(A, derivative(A, W, L), leak * L), W)


def critical_weights_are_smallest(A, B, L, leak=1):
    W = L * B @ sigma(A).T
    return eq(weights(A, derivative(A, W, L), leak * L), W)


# False variants


def all_weights_have_one_norm(A, W, L):
    return eq(norm2(W), norm2(weights(A, derivative(A, W, L), L)))


def path_without_leak(A, W, L):
    return eq(weights(A, derivative(A, W, L), 0) @ sigma(A), W @ sigma(A))


def critical_without_bias(A, B, L):
    V = L * B @ sigma(A)[:-1].T
    return unique_weights(A, concatenate([V, zeros(len(V), 1)], axis=1), L)


def by_hand():
    """Two neurons and two points, with sympy's pseudo-inverse: the features have rank 2, the weights norm 9/5 rather than 5."""
    import sympy as sp

    A, W, L = rationals([[1, 2], [-1, 0]]), [[1, 1, 0], [1, 1, 1]], rational(2)
    F = sp.Matrix([[1, 2], [0, 0], [1, 1]])
    stated = sp.Matrix(W) * F * F.pinv()
    found = weights(A, derivative(A, rationals(W), L), L)
    return eq(found, rationals([[str(entry) for entry in row] for row in stated.tolist()]))


SOURCE = Source("leaky_resnets", "Section 1.3")
LEAK = interval(0, 4, role="leak")
PATHS = {
    "A": REPRESENTATION,
    "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
    "L": LEAK,
}
INDEPENDENT = "the features are independent"

CLAIM = Claim(
    id="leaky_resnets.weights_from_activations",
    title="The smallest weights that move activations",
    source=SOURCE,
    statement=smallest_weights_of_a_path,
    domain=Domain(PATHS, SHAPES),
    false_variants={"all weights have one norm": all_weights_have_one_norm, "without the leak": path_without_leak},
    exact={"two neurons, two points": by_hand},
    cost=2,
)

UNIQUE = Claim(
    id="leaky_resnets.weights_from_activations.unique",
    title="Where the features are independent, a path has one choice of weights",
    source=SOURCE,
    status=DerivedHere(),
    statement=unique_weights,
    domain=Domain(PATHS, {"width": range(1, 4), "points": range(2, 6)}, {INDEPENDENT: lambda A: rank(sigma(A)) == len(A) + 1}),
    needs=(INDEPENDENT,),
    false_variants={"without the leak": {"leak": 0}},
)

CRITICAL = Claim(
    id="leaky_resnets.weights_from_activations.critical",
    title="Critical weights are the smallest of their path",
    source=SOURCE,
    status=DerivedHere(),
    statement=critical_weights_are_smallest,
    domain=Domain({"A": REPRESENTATION, "B": reals("width", "points", role="adjoint"), "L": LEAK}, SHAPES),
    false_variants={"without the leak": {"leak": 0}, "without the bias": critical_without_bias},
)
