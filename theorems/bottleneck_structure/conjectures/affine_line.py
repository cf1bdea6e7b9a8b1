r"""Open: a segment of a line that misses the origin costs one more than the depth.

Statement
    Proposition 5 says that :math:`R^{(1)}(id; \Omega) = 0` if and only if :math:`\Omega` is k-planar and completely positive.
    Its proof does not treat planes that miss the origin. Conjecture, for :math:`\Omega = [0, 1] \times \{1\}` and k = 1: every
    network through one neuron has :math:`\|\theta\|^2 \ge L + 1`, so that :math:`R^{(1)}(id; \Omega)` is not 0.
Checked
    ReLU networks of depth 3 and more: one or two layers to a single neuron that is not negative, which stands for any number of
    identity layers of cost 1, and one or two hidden layers after it with the smallest last layer that gives the identity at 0,
    1/2 and 1.
Proof idea
    None is known. The network with the weights (1, 0) and the bias (0, 1) of the output has the excess 1.
Sharp
    That network.
Not checked
    Networks with more than one neuron in every layer.
Source
    bottleneck_structure, Proposition 5; the value for the segment is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Conjectured, Domain, Networks, Relation, Source, Tight, ge
from verify.arithmetic import Array, compare, maximum, rational, rationals
from verify.matrices import pseudo_inverse, rank
from verify.networks import FullyConnected


def segment(network: FullyConnected) -> Array:
    """The points (0, 1), (1/2, 1) and (1, 1), in the arithmetic of a network, shape ``(3, 2)``."""
    half = rational("1/2") if network.is_exact else 0.5
    points: Array = np.array([[0 * half, 1 + 0 * half], [half, 1 + 0 * half], [2 * half, 1 + 0 * half]])
    return points


def neuron_at_points(front: FullyConnected) -> Array:
    """Values of the single neuron at the three points, shape ``(..., 3)``."""
    points = segment(front).reshape(3, *[1] * len(front.batch_shape), 2)
    return np.moveaxis(np.asarray(front(points))[..., 0], 0, -1)


def features(front: FullyConnected, back: FullyConnected) -> Array:
    """Activations before the last layer at the three points, and ones, shape ``(..., width + 1, 3)``."""
    neuron = np.moveaxis(neuron_at_points(front), -1, 0)[..., None]
    hidden = np.moveaxis(maximum(np.asarray(back(neuron)), 0), 0, -1)
    return np.concatenate([hidden, 0 * hidden[..., :1, :] + 1], axis=-2)


def excess(front: FullyConnected, back: FullyConnected) -> Array:
    """Squared norm less the number of layers, with the smallest last layer."""
    given = np.swapaxes(segment(front), -1, -2)
    last = given @ pseudo_inverse(features(front, back))
    norm = front.parameter_norm_squared + back.parameter_norm_squared + (last * last).sum(axis=(-2, -1))
    return np.asarray(norm - (front.depth + back.depth + 1))


def costs_one_more(front: FullyConnected, back: FullyConnected) -> Relation:
    """The excess and 1, beside the number of layers."""
    layers = front.depth + back.depth + 1
    return ge(excess(front, back) + layers, layers + 1)


def is_not_negative(front: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the neuron is not negative on the segment's points, so that identity layers keep it."""
    return np.asarray((compare(neuron_at_points(front), 0) >= 0).all(axis=-1))


def is_the_identity(front: FullyConnected, back: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether some last layer gives the identity at the three points."""
    found = features(front, back)
    given = np.broadcast_to(np.swapaxes(segment(front), -1, -2), (*found.shape[:-2], 2, 3))
    return np.asarray(compare(rank(np.concatenate([found, given], axis=-2)), rank(found)) == 0)


# False variants


def costs_at_most_one_more(front: FullyConnected, back: FullyConnected) -> Relation:
    """The excess is at most 1."""
    layers = front.depth + back.depth + 1
    return ge(layers + 1, excess(front, back) + layers)


def costs_two_more(front: FullyConnected, back: FullyConnected) -> Relation:
    """The excess 2."""
    return ge(excess(front, back), 2)


def first_coordinate() -> dict[str, Any]:
    """The first coordinate through all layers."""
    front = FullyConnected([rationals([[[1, 0]]])])
    return {"front": front, "back": FullyConnected([rationals([[[1]]])])}


CLAIM = Claim(
    id="bottleneck_structure.conjectures.affine_line",
    title="The identity of a segment that misses the origin costs one more than the depth",
    source=Source("bottleneck_structure", "Proposition 5"),
    status=Conjectured(),
    statement=costs_one_more,
    domain=Domain(
        {
            "front": Networks(depth="before", inputs=2, width=2, outputs=1),
            "back": Networks(depth="after", inputs=1, width=2, outputs="last"),
        },
        {"before": (1, 2), "after": (1, 2), "last": (1, 2, 3)},
        {"the neuron is not negative": is_not_negative, "a last layer gives the identity": is_the_identity},
    ),
    tight={"the first coordinate": Tight(first_coordinate)},
    false_neighbours={"at most 1": costs_at_most_one_more, "two": costs_two_more},
    cost=2,
)
