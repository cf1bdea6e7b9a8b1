r"""Open: a segment of a line that misses the origin costs L + 1.

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
Tight
    That network.
Not checked
    Networks with more than one neuron in every layer.
Source
    bottleneck_structure, Proposition 5; the value for the segment is derived here.
"""

from verify import Claim, Conjectured, Domain, Networks, Source
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, ge, le, nonnegative, norm2, ones, pinv, rank, relu


def segment(front):
    """The points (0, 1), (1/2, 1) and (1, 1), in the arithmetic of a network."""
    return (0 * front.weights[0][0] + [[0, 2], [1, 2], [2, 2]]) / 2


def features(front, back):
    """Activations before the last layer at the three points, and ones, as rows."""
    return concatenate([relu(back(front(segment(front)))).T, ones(1, 3)])


def norm(front, back):
    """Of all parameters, with the smallest last layer."""
    last = segment(front).T @ pinv(features(front, back))
    return front.parameter_norm_squared + back.parameter_norm_squared + norm2(last)


def costs_one_more(front, back, more=1):
    return ge(norm(front, back), front.depth + back.depth + 1 + more)


def costs_at_most_one_more(front, back):
    return le(norm(front, back), front.depth + back.depth + 2)


def neuron_is_not_negative(front):
    """So that identity layers keep it at the points of the segment."""
    return nonnegative(front(segment(front)))


def last_layer_gives_the_identity(front, back):
    Z = features(front, back)
    return rank(concatenate([Z, segment(front).T])) == rank(Z)


def first_coordinate():
    """The first coordinate through all layers."""
    return {"front": FullyConnected([rationals([[1, 0]])]), "back": FullyConnected([rationals([[1]])])}


CLAIM = Claim(
    id="bottleneck_structure.conjectures.affine_line",
    title="The identity of a segment that misses the origin costs L + 1",
    source=Source("bottleneck_structure", "Proposition 5"),
    status=Conjectured(),
    statement=costs_one_more,
    domain=Domain(
        {
            "front": Networks(depth="before", inputs=2, width=2, outputs=1, role="first part"),
            "back": Networks(depth="after", inputs=1, width=2, outputs="last", role="second part"),
        },
        {"before": (1, 2), "after": (1, 2), "last": (1, 2, 3)},
        {
            "the neuron is not negative": neuron_is_not_negative,
            "a last layer gives the identity": last_layer_gives_the_identity,
        },
    ),
    tight={"the first coordinate": first_coordinate},
    false_variants={"at most 1": costs_at_most_one_more, "two": {"more": 2}},
    cost=2,
)
