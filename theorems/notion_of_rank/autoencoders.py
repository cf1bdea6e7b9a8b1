r"""Autoencoders of rank k project onto their manifold, obliquely.

Statement
    Let M be the image of a piecewise linear map :math:`g^*` from :math:`\mathbb{R}^k`, and :math:`x_0` in the interior of a
    flat piece of M with the tangent space T of dimension k. Let :math:`\hat f` be affine near :math:`x_0`, the identity on M
    there, with a Jacobian A of rank at most k. Then :math:`A^2 = A` and the image of A is T: near :math:`x_0`,
    :math:`\hat f(x_0 + \xi) = x_0 + A\xi` is a projection onto the piece. It need not be orthogonal. Among the projections onto
    T the orthogonal one has the smallest :math:`\|A\|_F^2`, namely k, and the smallest :math:`\|A\|_{2/L}^{2/L}`, k too
    (``.oblique``). So the implicit bias of deep networks favours it (Proposition 3) and does not force it.
Checked
    :math:`g^*(z) = (z, S|z|)` and the left inverses :math:`e(x, y) = x + C(y - S|x|)` for any S and C. The power of the
    Schatten quasi-norm for L = 1, 2, 4 and 13; every positive exponent would do. The error of a noisy input,
    :math:`E\|\hat f(x_0 + s\xi) - x_0\|^2 = s^2 \|A\|_F^2` for standard normal :math:`\xi`, may be larger than that of no
    denoising, :math:`s^2 d`: it is so for one curve (exact). At a kink the product of the layers is no projection.
Proof idea
    A is the identity on T, which is all of its image. All non-zero singular values of a projection are at least 1.
Tight
    The orthogonal projections onto the two tangents of the curve (z, |z|).
Source
    notion_of_rank, autoencoders; the inequalities are derived here.
"""

from verify import Claim, DerivedHere, Domain, Q, Source, networks, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import absolute, block, concatenate, eq, eye, ge, lifted, norm2, schatten_power, trace

network, compose = lifted(FullyConnected), lifted(networks.compose)


def manifold(S):
    """The network for z -> (z, S|z|)."""
    one = eye(S.shape[1])
    return network([block([[one], [-one]]), block([[one, -one], [S, S]])])


def left_inverse(S, C):
    """The network for (x, y) -> x + C (y - S|x|)."""
    one, other = eye(S.shape[1]), eye(S.shape[0])
    copies = block([[one, 0], [-one, 0], [0, other], [0, -other]])
    return network([copies, block([[one - C @ S, -one - C @ S, C, -C]])])


def autoencoder(S, C):
    return compose(manifold(S), left_inverse(S, C), merge=True)


def jacobian_at(S, C, z):
    """The Jacobian of the autoencoder at the point of the manifold with the code z."""
    return autoencoder(S, C).jacobian(concatenate([z, S @ absolute(z)]))


def jacobian_projects(S, C, z):
    g, f = manifold(S), autoencoder(S, C)
    x = g(z)
    A, T = f.jacobian(x), g.jacobian(z)
    return (
        eq(f(x), x, name="identity on the manifold")
        & eq(A @ A, A, name="projection")
        # the rank of a projection is its trace
        & eq(trace(A), len(z), name="rank")
        & eq(A @ T, T, name="image")
    )


def symmetric_projection(S, C, z):
    A = jacobian_at(S, C, z)
    return eq(A, A.T)


def identity(S, C, z):
    A = jacobian_at(S, C, z)
    return eq(A, eye(len(A)))


def oblique_costs_more(S, C, z, depth):
    return ge(schatten_power(jacobian_at(S, C, z), Q(2, depth)), len(z))


def a_dimension_more(S, C, z):
    return ge(norm2(jacobian_at(S, C, z)), len(z) + 1)


def equal_to_the_dimension(S, C, z):
    return eq(norm2(jacobian_at(S, C, z)), len(z))


def more_noise_than_without():
    r"""On the curve (z, |z|) with C = 2 :math:`\|A\|_F^2 = 10`, more than the two dimensions of the input."""
    A = jacobian_at(rationals([[1]]), rationals([[2]]), rationals([1]))
    return eq(A, [[-1, 2], [-1, 2]]) & eq(norm2(A), 10)


SIZES = {"k": range(1, 4), "rest": range(1, 4)}
VARIABLES = {"S": reals("rest", "k"), "C": reals("k", "rest"), "z": reals("k")}
NO_KINK = {"no neuron is at its kink": lambda S, z: (z != 0).all() & (S @ absolute(z) != 0).all()}

CLAIM = Claim(
    id="notion_of_rank.autoencoders",
    title="An autoencoder of rank k projects onto its manifold",
    source=Source("notion_of_rank", "Autoencoders"),
    statement=jacobian_projects,
    domain=Domain(VARIABLES, SIZES, NO_KINK),
    needs=(*NO_KINK,),
    false_variants={"a symmetric projection": symmetric_projection, "the identity": identity},
)

OBLIQUE = Claim(
    id="notion_of_rank.autoencoders.oblique",
    title="Oblique projections cost more than orthogonal ones",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=oblique_costs_more,
    cost=2,
    domain=Domain(VARIABLES, {**SIZES, "depth": (1, 2, 4, 13)}, NO_KINK),
    tight={
        "right of the curve (z, |z|), L = 1": {"S": [[1]], "C": [["1/2"]], "z": [1], "depth": 1},
        "left of it, L = 2": {"S": [[1]], "C": [["-1/2"]], "z": [-1], "depth": 2},
        "left of it, L = 13": {"S": [[1]], "C": [["-1/2"]], "z": [-1], "depth": 13},
    },
    false_variants={"k + 1": a_dimension_more, "equal to k": equal_to_the_dimension},
    exact={"more noise than without": more_noise_than_without},
)
