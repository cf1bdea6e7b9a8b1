r"""What attraction and repulsion do to a neuron and to a pair of inputs.

Statement
    The attraction pushes the representations towards the origin, and hence the representations of every input towards each
    other; the repulsion pushes them away from the origin.
Correction
    This is true of every neuron: with its values :math:`z_k` at all points, the weights :math:`W_{\ell,k\cdot}` into it and
    :math:`V_{\ell+1,\cdot k}` out of it,

    .. math:: \langle z_k, A_k \rangle = 2\|W_{\ell,k\cdot}\|^2, \qquad \langle z_k, R_k \rangle = -2\|V_{\ell+1,\cdot k}\|^2 .

    It is not true of pairs of inputs: two inputs with equal representations are pushed apart where the layer before is smaller
    at one of them.
Checked
    Both equalities, for homogeneous activations at any rank. Refuted is that
    :math:`\langle z(x) - z(y), A(x) - A(y) \rangle \ge 0` for two of the points, with N independent rows before, so that every
    Z satisfies the constraints.
Proof idea
    :math:`W_{\ell,k\cdot} = z_k(Z_{\ell-1}^\sigma)^+`, and :math:`\dot\sigma(t)t = \sigma(t)`.
Source
    feature_learning, Section 3.1, item 4. The correction is derived here.
"""

from theorems.feature_learning.constructions.forces import LAYERS
from theorems.feature_learning.forces.scaling import HOMOGENEOUS, SIZES
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source
from verify.words import eq, ge, rank


def forces_along_a_neuron(layer):
    Z, A, R, W, V = layer.Z, layer.attraction(), layer.repulsion(), layer.incoming(), layer.outgoing()[:, :-1]
    pulled = eq((Z * A).sum(axis=1), 2 * (W**2).sum(axis=1), name="attraction")
    return pulled & eq((Z * R).sum(axis=1), -2 * (V**2).sum(axis=0), name="repulsion")


def they_cancel(layer):
    return eq((layer.Z * layer.attraction()).sum(axis=1), -(layer.Z * layer.repulsion()).sum(axis=1))


def along_a_point(layer):
    return ge((layer.Z * layer.attraction()).sum(axis=0), 0)


def inputs_come_nearer(layer):
    Z, A = layer.Z, layer.attraction()
    return ge((Z[:, 0] - Z[:, 1]) @ (A[:, 0] - A[:, 1]), 0)


CLAIM = Claim(
    id="feature_learning.forces.along_a_neuron",
    title="The forces along a neuron are the norms of its weights, in and out",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=forces_along_a_neuron,
    domain=Domain({"layer": LAYERS}, SIZES, HOMOGENEOUS),
    needs=tuple(HOMOGENEOUS),
    false_variants={"they cancel": they_cancel, "along a point": along_a_point},
)

PRINTED = Claim(
    id="feature_learning.forces.pairs.printed",
    title="The attraction pushes the representations of all inputs together",
    source=Source("feature_learning", "Section 3.1, item 4"),
    status=FalseAsPrinted(corrected_by="feature_learning.forces.along_a_neuron"),
    statement=inputs_come_nearer,
    domain=Domain(
        {"layer": LAYERS},
        {**SIZES, "inputs": (2, 4), "points": (2, 4)},
        {**HOMOGENEOUS, "the layer before has rank N": lambda layer: rank(layer.before) == layer.before.shape[1]},
        sizes_where=lambda sizes: sizes["points"] <= sizes["inputs"],
    ),
)
