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
    feature_learning, Section 3.1, item 4. The correction is ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.constructions.forces import LAYERS, Layer
from theorems.feature_learning.forces.scaling import HOMOGENEOUS, SIZES
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, eq, ge
from verify.arithmetic import Array
from verify.matrices import rank


def along_each_neuron(values: Array, force: Array) -> Array:
    """The inner products of the rows, shape ``(..., n)``."""
    return np.asarray((values * force).sum(axis=-1))


def forces_along_a_neuron(layer: Layer) -> Relation:
    """Inner products of the values of each neuron with its forces, against the weights into it and out of it."""
    incoming, outgoing = layer.incoming(), layer.outgoing()[..., :-1]
    pulled, pushed = (along_each_neuron(layer.values, force) for force in (layer.attraction(), layer.repulsion()))
    return eq(pulled, 2 * (incoming**2).sum(axis=-1), name="attraction", over=1) & eq(
        pushed, -2 * (outgoing**2).sum(axis=-2), name="repulsion", over=1
    )


def inputs_come_nearer(layer: Layer) -> Relation:
    """The attraction along the difference of the first two points."""
    force = layer.attraction()
    apart, pulled = (each[..., 0] - each[..., 1] for each in (layer.values, force))
    along = (apart * pulled).sum(axis=-1)
    return ge(along, 0 * along)


def is_unconstrained(layer: Layer) -> npt.NDArray[np.bool_]:
    """Whether the layer before has rank N."""
    return np.asarray(rank(layer.before) == layer.before.shape[-1])


# False variants


def weights_out_of_it(layer: Layer) -> Relation:
    """Attraction and repulsion cancel along every neuron of any layer."""
    pulled, pushed = (along_each_neuron(layer.values, force) for force in (layer.attraction(), layer.repulsion()))
    return eq(pulled, -pushed, over=1)


def forces_along_a_point(layer: Layer) -> Relation:
    """The attraction pushes the representation of every point to the origin."""
    along = (layer.values * layer.attraction()).sum(axis=-2)
    return ge(along, 0 * along, over=1)


CLAIM = Claim(
    id="feature_learning.forces.along_a_neuron",
    title="The forces along a neuron are the norms of the weights into it and out of it",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=forces_along_a_neuron,
    domain=Domain({"layer": LAYERS}, SIZES, HOMOGENEOUS),
    needs=tuple(HOMOGENEOUS),
    false_neighbours={"they cancel": weights_out_of_it, "along a point": forces_along_a_point},
)

PRINTED = Claim(
    id="feature_learning.forces.pairs.printed",
    title="The attraction pushes the representations of all inputs towards each other",
    source=Source("feature_learning", "Section 3.1, item 4"),
    status=FalseAsPrinted(corrected_by="feature_learning.forces.along_a_neuron"),
    statement=inputs_come_nearer,
    domain=Domain(
        {"layer": LAYERS},
        {**SIZES, "inputs": (2, 4), "points": (2, 4)},
        {**HOMOGENEOUS, "the layer before has rank N": is_unconstrained},
        sizes_where=lambda sizes: sizes["points"] <= sizes["inputs"],
    ),
    false_neighbours={},
)
