r"""The forces along the layer itself, and those of aligned neurons.

Statement
    For a homogeneous activation, with :math:`W_{\ell+1} = (V_{\ell+1}, b_{\ell+1})`, the bias weights last,

    .. math:: \langle Z_\ell, A_\ell \rangle = 2\|W_\ell\|^2, \qquad \langle Z_\ell, R_\ell \rangle = -2\|V_{\ell+1}\|^2 .

    If :math:`z_{k'} = \alpha z_k` for some real :math:`\alpha`, then :math:`A_{k'} = \alpha A_k` and :math:`R_{k'} = \alpha
    R_k`.
Correction
    The second statement holds for :math:`\alpha > 0`. For :math:`\alpha < 0` the activation is another linear map. The first
    version has a real :math:`\alpha`; the text at hand has lost the formula.

    That the repulsion pushes away from the origin needs a homogeneous activation, too; the section has any. For
    :math:`\sigma(t) = [t + 1]_+` it pushes a neuron between -1 and 0 to larger values, and so towards the origin
    (``.printed_repulsion``).
Checked
    Both, at any rank, for amounts of bias up to 2. Where A + R = 0 the first gives :math:`\|W_\ell\|^2 = \|V_{\ell+1}\|^2`.
    The second as printed is refuted for :math:`\alpha = -1`, at values that satisfy the constraints, away from kinks and at
    rank N; it holds for the identity and the absolute value.
Proof idea
    :math:`\dot\sigma(t)t = \sigma(t)`; and :math:`\dot\sigma(\alpha t) = \dot\sigma(t)`.
Source
    feature_learning, Section 3.1. The first statement, Euler's identity, is derived here.
"""

from theorems.feature_learning.constructions.forces import LAYERS
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, interval, reals
from verify.words import concatenate, eq, inner, le, norm2, positive, rank, relu


def forces_along_the_layer(layer, factor=2):
    W, V = layer.incoming(), layer.outgoing()[:, :-1]
    pulled = eq(inner(layer.Z, layer.attraction()), factor * norm2(W), name="attraction")
    return pulled & eq(inner(layer.Z, layer.repulsion()), -2 * norm2(V), name="repulsion")


def with_the_bias_weights(layer):
    return eq(inner(layer.Z, layer.repulsion()), -2 * norm2(layer.outgoing()))


def with_aligned_neuron(layer, alpha):
    r"""The layer with one more neuron, the first times :math:`\alpha`."""
    return layer._replace(Z=concatenate([layer.Z, alpha * layer.Z[:1]]))


def proportional_forces(layer, alpha):
    wider = with_aligned_neuron(layer, alpha)
    A, R = wider.attraction(), wider.repulsion()
    return eq(A[-1], alpha * A[0], name="attraction") & eq(R[-1], alpha * R[0], name="repulsion")


def equal_repulsion(layer, alpha):
    R = with_aligned_neuron(layer, alpha).repulsion()
    return eq(R[-1], R[0])


def inverse_repulsion(layer, alpha):
    R = with_aligned_neuron(layer, alpha).repulsion()
    return eq(alpha * R[-1], R[0])


def repulsion_from_the_origin(z, y, shift):
    r"""Radial derivative of :math:`\|y\|^2 / \|\sigma(z)\|^2`, one point, :math:`\sigma(t) = [t + s]_+`; positive: inwards."""
    seen = relu(z + shift)
    return le(inner(z, -2 * norm2(y) * seen / norm2(seen) ** 2), 0, name="repulsion")


def is_differentiable(layer):
    """No entry is at the kink, and the layer has rank N."""
    return (layer.Z != 0).all() & (rank(layer.seen()) == layer.Z.shape[1])


def is_feasible(layer):
    r"""The rows of :math:`Z_\ell` are in the span of those of :math:`Z_{\ell-1}^\sigma`; the next are, at rank N."""
    return rank(concatenate([layer.before, layer.Z])) == rank(layer.before)


SOURCE = Source("feature_learning", "Section 3.1")
SIZES = {"inputs": (1, 3), "width": (1, 2, 4), "outputs": range(1, 4), "points": (1, 3, 4)}
LAYER_AND_FACTOR = {"layer": LAYERS, "alpha": interval(-2, 2, role="free")}
HOMOGENEOUS = {"the activation is homogeneous": lambda layer: layer.sigma.is_homogeneous}

EULER = Claim(
    id="feature_learning.forces.along_the_layer",
    title="The forces along a layer are the norms of the weights",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=forces_along_the_layer,
    domain=Domain({"layer": LAYERS}, SIZES, HOMOGENEOUS),
    needs=("the activation is homogeneous",),
    false_variants={"with the bias weights": with_the_bias_weights, "without the factor 2": {"factor": 1}},
)

ALIGNED = Claim(
    id="feature_learning.forces.aligned_neurons",
    title="Aligned neurons have aligned forces",
    source=SOURCE,
    statement=proportional_forces,
    domain=Domain(LAYER_AND_FACTOR, SIZES, {"alpha is positive": lambda alpha: alpha > 0, **HOMOGENEOUS}),
    needs=("alpha is positive", "the activation is homogeneous"),
    false_variants={"equal repulsion": equal_repulsion, "inversely proportional repulsion": inverse_repulsion},
)

PRINTED = Claim(
    id="feature_learning.forces.printed",
    title="Proportional values, of any sign, give proportional forces",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.forces.aligned_neurons"),
    statement=proportional_forces,
    domain=Domain(
        LAYER_AND_FACTOR,
        SIZES,
        {**HOMOGENEOUS, "the terms are differentiable": is_differentiable, "the constraints are satisfied": is_feasible},
    ),
)

REPULSION = Claim(
    id="feature_learning.forces.printed_repulsion",
    title="The repulsion pushes away from the origin, for every activation",
    source=Source("feature_learning", "Section 3.1, item 4"),
    status=FalseAsPrinted(corrected_by=EULER.id),
    statement=repulsion_from_the_origin,
    domain=Domain(
        {"z": reals("width"), "y": reals("outputs"), "shift": interval(0, 2)},
        {"width": (1, 2), "outputs": (1, 2)},
        {
            "no value is at the kink": lambda z, shift: (z + shift != 0).all(),
            "a neuron is active": lambda z, shift: positive(norm2(relu(z + shift))),
        },
    ),
)
