r"""Theorem 6: neighbouring layers share a frame.

Statement
    For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k` there are
    :math:`V_0, \ldots, V_L` with k orthonormal columns such that

    .. math:: \sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 \le B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .
Correction
    True for slopes in [0, 1] of the activation, with the biases on the left as well. For a negative slope a it is false: for
    :math:`W_1 = (1, -1)^T`, :math:`W_2 = (1, 1)` and x = 1 every choice of frames gives at least 2, but :math:`Jf = 1 - a` and
    :math:`B = 2 - 2\log(1 - a)`.
Checked
    For slopes in [0, 1] the inequality at the frames of ``constructions.frames.shared_frames``, and that these are
    orthonormal. The printed form is refuted at the best of all frames, where they have a closed form: in networks of depth 2
    with one input and one output.
Proof idea
    :math:`V_0` spans :math:`(\ker Jf)^\perp`, and :math:`V_\ell` the image :math:`S_\ell` of :math:`D_\ell W_\ell V_{\ell-1}`,
    rotated so that :math:`T_\ell = V_\ell^T W_\ell V_{\ell-1}` is triangular with a positive diagonal (Gram and Schmidt, for
    the columns of :math:`S_\ell S_\ell^T W_\ell V_{\ell-1}`). Then :math:`\mathrm{tr}\, T_\ell \ge k + \log\det T_\ell`, and
    :math:`\det T_\ell` is :math:`\det(S_\ell^T D_\ell W_\ell V_{\ell-1})` times
    :math:`\det(S_\ell^T D_\ell^{-1} S_\ell) \ge 1`; for slope 0 the latter is the identity on :math:`S_\ell`.
Tight
    Layers whose k largest singular values are 1, and identities with biases.
Source
    bottleneck_structure, Theorem 6; the restriction to slopes that are not negative, and its proof, are derived here.
"""

from theorems.bottleneck_structure.constructions.frames import orthogonal_frames, shared_frames
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.theorem_6.chain import INSIDE
from theorems.bottleneck_structure.theorem_6.statement import (
    DERIVATIVE,
    NEARLY_ONE,
    POINT,
    SIZES,
    bound,
    few_combinations,
    identities_with_biases,
    one_short_side,
)
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Q, Relation, Source, derived, integers, reals
from verify.claims.domain import Hypothesis
from verify.networks import FullyConnected
from verify.words import absolute, diag, eq, le, lifted, maximum, norm, norm2, rank, where

frames, columns, network_of = lifted(shared_frames), lifted(orthogonal_frames), lifted(FullyConnected)


def distances(f, V):
    r""":math:`\sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 + \|b_\ell\|^2`."""
    layers = zip(f.weights, V[:-1], V[1:], strict=True)
    return sum(norm2(W - after @ before.T) for W, before, after in layers) + norm2_of_biases(f)


def norm2_of_biases(f):
    return f.parameter_norm_squared - f.weight_norm_squared


def shared_frames_are_near(f, x, log_factor=2):
    return le(distances(f, frames(f, x)), bound(f, x, log_factor))


def frames_are_orthonormal(f, x):
    """The columns are not normalised, so that they are rational: they are orthogonal, and k of them are not zero."""
    relation, k = Relation(()), rank(f.jacobian(x))
    for ell, V in enumerate(columns(f, x)[1:], start=1):
        lengths = diag(V.T @ V)
        relation &= eq(V.T @ V, diag(lengths), name=f"orthogonal in layer {ell}")
        relation &= eq((lengths != 0).sum(), k, name=f"columns in layer {ell}")
    return relation


def best_shared_frames_are_near(f, x):
    r"""At the best of all frames, for depth 2 with one input and one output.

    There :math:`V_0` and :math:`V_2` are signs, and the least value over the unit vectors :math:`V_1` is
    :math:`\|W_1\|^2 + \|W_2\|^2 + 2 - 2\max(\|W_1 + W_2^T\|, \|W_1 - W_2^T\|)`.
    """
    v, w = f.weights
    return le(f.weight_norm_squared + 2 - 2 * maximum(norm(v + w.T), norm(v - w.T)), bound(f, x))


def best_frames_of_small_slopes(f, x):
    """Only for slopes from -1/10 on, below 0."""
    small, relation = (f.activation.negative >= Q(-1, 10)) & (f.activation.negative < 0), best_shared_frames_are_near(f, x)
    (one,) = relation.comparisons
    return le(where(small, one.left, 0), where(small, one.right, 0))


def mirrored_frames(f, x):
    return le(distances(f, [(-1) ** ell * V for ell, V in enumerate(frames(f, x))]), bound(f, x))


def one_column_more(f, x):
    relation, k = Relation(()), rank(f.jacobian(x))
    for V in columns(f, x)[1:]:
        relation &= eq((diag(V.T @ V) != 0).sum(), k + 1)
    return relation


def weights_have_orthogonal_columns(f):
    relation = Relation(())
    for W in f.weights:
        relation &= eq(W.T @ W, diag(diag(W.T @ W)))
    return relation


def perhaps_balanced(network, balanced):
    """The network; where `balanced` is 1, with the outgoing weights of a neuron as large as the incoming ones, and positive."""
    v, w = network.weights
    return network_of([v, where(balanced == 1, absolute(v).T, w)], activation=network.activation)


NETWORK = derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network")
NOT_NEGATIVE: dict[str, Hypothesis] = {
    "the slope is between 0 and 1": lambda f: (f.activation.negative >= 0) & (f.activation.negative <= 1)
}
SOURCE = Source("bottleneck_structure", "Theorem 6")
DOMAIN = Domain({"f": NETWORK, "x": POINT}, SIZES, {**DERIVATIVE, **NOT_NEGATIVE}, few_combinations)

SHARED = Claim(
    id="bottleneck_structure.theorem_6.shared",
    title="Neighbouring layers share their frames, for slopes >= 0",
    source=SOURCE,
    status=DerivedHere(),
    statement=shared_frames_are_near,
    domain=DOMAIN,
    needs=tuple(NOT_NEGATIVE),
    tight={
        "one short side": one_short_side,
        "identities with biases": identities_with_biases,
        "one short side, the other nearly 1": NEARLY_ONE,
    },
    false_variants={"without the volume": {"log_factor": 0}, "mirrored frames": mirrored_frames},
)

FRAMES = Claim(
    id="bottleneck_structure.theorem_6.frames",
    title="The shared frames have k orthonormal columns",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=frames_are_orthonormal,
    domain=DOMAIN,
    false_variants={"k + 1 columns": one_column_more, "columns of the weights": weights_have_orthogonal_columns},
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_6.printed",
    title="Neighbouring layers share their frames, for every slope",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=SHARED.id),
    statement=best_shared_frames_are_near,
    domain=Domain(
        {
            "f": derived(
                perhaps_balanced,
                network=Networks(depth=2, inputs=1, outputs=1, slope=(-2, 2), biases=False),
                balanced=integers(0, 1),
                role="network",
            ),
            "x": reals(1),
        },
        {"width": range(2, 5)},
        {**DERIVATIVE, **INSIDE},
    ),
    false_variants={"for slopes from -1/10 to 0": best_frames_of_small_slopes},
)
