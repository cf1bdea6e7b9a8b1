r"""Which transformations of a representation keep the cost of the layers behind it: permutations, and not all orthogonal ones.

Statement
    A representation stays optimal when its neurons are exchanged, and under other symmetries. So representations count up to
    orthogonal transformations, which do not affect the representation cost: what counts are the kernels
    :math:`K(x, y) = \tilde\alpha_\ell(x)^T\tilde\alpha_\ell(y)`. The talk writes :math:`R(K_p \to f; \Omega)` for the cost
    behind a kernel.
Correction
    An orthogonal O does not affect the cost :math:`R(\tilde\alpha_\ell; \Omega, \ell)` of the layers before, but that of the
    layers behind, :math:`R(\sigma(\tilde\alpha_\ell) \to f; \Omega, L - \ell)`, in which :math:`\sigma(O\tilde\alpha_\ell)`
    stands then: the kernel does not determine it. It may even be infinite: for the ReLU, :math:`\tilde\alpha = x` on [0, 1] and
    O = -1 nothing is left of x. Permutations commute with the activation and change neither cost, in linear networks all
    orthogonal maps do so.
Checked
    Any network with the neurons of a hidden layer permuted: function, norm, norm of the layers up to this one, and kernel are
    the same. Refuted (``.printed``) is that an orthogonal map keeps the cost of one layer behind a representation Z of N
    points, :math:`\min\{\|W\|_F^2 + \|b\|^2 : W\sigma(Z) + b1^T = Y\} = \|Y(\sigma(Z); 1^T)^+\|_F^2`, where outputs Y can be
    reached from both.
Source
    bottleneck_structure, Section 3.3; symmetry_learning, representation geodesics. The correction is ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotation
from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, derived, eq, reals, slopes
from verify.arithmetic import Array, compare
from verify.matrices import pseudo_inverse, rank
from verify.networks import FullyConnected, leaky_relu


def permutation(keys: Array) -> Array:
    """The matrix that sorts the keys, of equal ones the first first, shape ``(..., w) -> (..., w, w)``."""
    place = np.arange(keys.shape[-1])
    order = compare(keys[..., :, None], keys[..., None, :])
    before = (order < 0) | ((order == 0) & (place[:, None] < place))
    ranks = before.sum(axis=-2)
    return np.asarray((place[:, None] == ranks[..., None, :]).astype(np.int64) + 0 * keys[..., None])


def moved(network: FullyConnected, outgoing: Array, incoming: Array) -> FullyConnected:
    """The network with one matrix applied to the pre-activations of the first hidden layer, and another one behind it."""
    weights, biases = list(network.weights), list(network.biases)
    biases[0] = (outgoing @ biases[0][..., None])[..., 0]
    weights[0], weights[1] = outgoing @ weights[0], weights[1] @ incoming
    return FullyConnected(weights, biases, network.activation)


def first_kernel(network: FullyConnected, x: Array, y: Array) -> Array:
    """The inner product of the first pre-activations of two points."""
    return np.asarray((network.preactivations(x)[0] * network.preactivations(y)[0]).sum(axis=-1))


def permutations_keep_it(network: FullyConnected, keys: Array, x: Array, y: Array) -> Relation:
    """Value, norms and kernel, with the first hidden layer permuted and as it was."""
    matrix = permutation(keys)
    other = moved(network, matrix, transpose(matrix))
    before = [squares(one.weights[0], (-2, -1)) + squares(one.biases[0]) for one in (other, network)]
    return (
        eq(other(x), network(x), name="value", over=1)
        & eq(other.parameter_norm_squared, network.parameter_norm_squared, name="norm")
        & eq(*before, name="norm before")
        & eq(first_kernel(other, x, y), first_kernel(network, x, y), name="kernel")
    )


def features(values: Array, slope: Array) -> Array:
    r""":math:`(\sigma(Z); 1^T)`."""
    seen = leaky_relu(np.asarray(slope)[..., None])(values)
    return np.concatenate([seen, 0 * seen[..., :1, :] + 1], axis=-2)


def rotations_keep_it(values: Array, frame: Array, slope: Array, outputs: Array) -> Relation:
    """The cost of the layer behind O Z, and behind Z."""
    turned, given = (squares(outputs @ pseudo_inverse(features(each, slope)), (-2, -1)) for each in (frame @ values, values))
    return eq(turned, given)


def outputs_can_be_reached(values: Array, frame: Array, slope: Array) -> npt.NDArray[np.bool_]:
    """Whether both representations have independent points, for an activation that is not linear."""
    points = values.shape[-1]
    ranks = [rank(features(each, slope)) for each in (frame @ values, values)]
    return np.asarray((ranks[0] == points) & (ranks[1] == points) & (compare(slope, 1) != 0))


# False variants


def on_one_side(network: FullyConnected, keys: Array, x: Array) -> Relation:
    """The layer behind is not permuted."""
    matrix = permutation(keys)
    unit = np.eye(matrix.shape[-1], dtype=np.int64) + 0 * matrix
    return eq(moved(network, matrix, unit)(x), network(x), over=1)


def with_other_signs(network: FullyConnected, keys: Array, x: Array) -> Relation:
    """The neurons change their signs, too."""
    matrix = -permutation(keys)
    return eq(moved(network, matrix, transpose(matrix))(x), network(x), over=1)


CLAIM = Claim(
    id="bottleneck_structure.representation_symmetries",
    title="Permutations of neurons keep function, norms and kernels",
    source=Source("bottleneck_structure", "Section 3.3"),
    statement=permutations_keep_it,
    domain=Domain(
        {"network": Networks(slope=(-1, 1)), "keys": reals("width"), "x": reals("inputs"), "y": reals("inputs")},
        {"depth": (2, 3, 5), "inputs": (1, 3), "width": (2, 3, 4), "outputs": (1, 2)},
    ),
    false_neighbours={"on one side": on_one_side, "with other signs": with_other_signs},
)

PRINTED = Claim(
    id="bottleneck_structure.representation_symmetries.printed",
    title="Orthogonal maps of a representation keep the cost of what is behind it",
    source=Source("bottleneck_structure", "Section 3.3"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.representation_symmetries"),
    statement=rotations_keep_it,
    domain=Domain(
        {
            "values": reals("width", "points"),
            "frame": derived(rotation, chart=reals(plane_rotations("width"))),
            "slope": slopes(),
            "outputs": reals("outputs", "points"),
        },
        {"width": (2, 3), "points": (1, 2, 3), "outputs": (1, 2)},
        {"outputs can be reached from both": outputs_can_be_reached},
        sizes_where=lambda sizes: sizes["points"] <= sizes["width"] + 1,
    ),
    false_neighbours={},
)
