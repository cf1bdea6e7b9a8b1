r"""Transformations of a representation that keep the cost behind it.

Statement
    A representation stays optimal when its neurons are exchanged, and under other symmetries. So representations count up to
    orthogonal transformations, which do not affect the representation cost: what counts are the kernels
    :math:`K(x, y) = \tilde\alpha_\ell(x)^T\tilde\alpha_\ell(y)`. The talk writes :math:`R(K_p \to f; \Omega)` for the cost
    behind a kernel.
Correction
    An orthogonal U does not affect the cost :math:`R(\tilde\alpha_\ell; \Omega, \ell)` of the layers before, but that of the
    layers behind, :math:`R(\sigma(\tilde\alpha_\ell) \to f; \Omega, L - \ell)`, in which :math:`\sigma(U\tilde\alpha_\ell)`
    stands then: the kernel does not determine it. It may even be infinite: for the ReLU, :math:`\tilde\alpha = x` on [0, 1] and
    U = -1 nothing is left of x. Permutations commute with the activation and change neither cost. In linear
    networks all orthogonal maps do so.
Checked
    Any network with the neurons of a hidden layer permuted: function, norm, norm of the layers up to this one, and kernel are
    the same. Refuted (``.printed``) is that an orthogonal map U keeps the cost of one layer behind a representation Z of N
    points, :math:`\min\{\|W\|_F^2 + \|b\|^2 : W\sigma(Z) + b1^T = Y\} = \|Y(\sigma(Z); 1^T)^+\|_F^2`, where outputs Y can be
    reached from both.
Source
    bottleneck_structure, Section 3.3; symmetry_learning, representation geodesics. The correction is derived here.
"""

import numpy as np

from theorems.shared.balanced import plane_rotations, rotation
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, derived, reals, slopes
from verify.networks import FullyConnected
from verify.words import concatenate, eq, eye, lifted, norm2, ones, pinv, rank, where

network = lifted(FullyConnected)


def permutation(keys):
    """The matrix that sorts the keys, of equal ones the first first."""
    place = np.arange(len(keys))
    before = (keys[:, None] < keys) | ((keys[:, None] == keys) & (place[:, None] < place))
    return 1 * (place[:, None] == before.sum(axis=0))


def moved(f, P, R):
    """The network with P applied to the pre-activations of the first hidden layer, and R behind the activation."""
    (W1, W2, *weights), (b1, *biases) = f.weights, f.biases
    return network([P @ W1, W2 @ R, *weights], [P @ b1, *biases], f.activation)


def norm_before(f):
    return norm2(f.weights[0]) + norm2(f.biases[0])


def kernel(f, x, y):
    return f.preactivations(x)[0] @ f.preactivations(y)[0]


def permutations_keep_it(f, keys, x, y):
    P = permutation(keys)
    g = moved(f, P, P.T)
    return (
        eq(g(x), f(x), name="value")
        & eq(g.parameter_norm_squared, f.parameter_norm_squared, name="norm")
        & eq(norm_before(g), norm_before(f), name="norm before")
        & eq(kernel(g, x, y), kernel(f, x, y), name="kernel")
    )


def on_one_side(f, keys, x):
    return eq(moved(f, permutation(keys), eye(len(keys)))(x), f(x))


def with_other_signs(f, keys, x):
    P = -permutation(keys)
    return eq(moved(f, P, P.T)(x), f(x))


def features(Z, a):
    """The activations of the points, and a row of ones for the bias."""
    return concatenate([where(Z > 0, Z, a * Z), ones(1, Z.shape[1])])


def rotations_keep_it(Z, U, a, Y):
    return eq(norm2(Y @ pinv(features(U @ Z, a))), norm2(Y @ pinv(features(Z, a))))


def outputs_can_be_reached(Z, U, a):
    N = Z.shape[1]
    return (rank(features(U @ Z, a)) == N) & (rank(features(Z, a)) == N) & (a != 1)


SOURCE = Source("bottleneck_structure", "Section 3.3")

CLAIM = Claim(
    id="bottleneck_structure.representation_symmetries",
    title="Permutations of neurons keep function, norms and kernels",
    source=SOURCE,
    statement=permutations_keep_it,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "keys": reals("width"), "x": reals("inputs"), "y": reals("inputs")},
        {"depth": (2, 3, 5), "inputs": (1, 3), "width": (2, 3, 4), "outputs": (1, 2)},
    ),
    false_variants={"on one side": on_one_side, "with other signs": with_other_signs},
)

PRINTED = Claim(
    id="bottleneck_structure.representation_symmetries.printed",
    title="Orthogonal maps of a representation keep the cost of what is behind it",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=rotations_keep_it,
    domain=Domain(
        {
            "Z": reals("width", "points"),
            "U": derived(lifted(rotation), chart=reals(plane_rotations("width"))),
            "a": slopes(),
            "Y": reals("outputs", "points"),
        },
        {"width": (2, 3), "points": (1, 2, 3), "outputs": (1, 2)},
        {"outputs can be reached from both": outputs_can_be_reached},
        sizes_where=lambda sizes: sizes["points"] <= sizes["width"] + 1,
    ),
)
