r"""Proposition 7: N(N+1) neurons of each layer suffice.

Statement
    If each hidden layer of two networks has at least N(N+1) neurons, then their infima of :math:`L_\lambda` are equal, and so
    are their representation costs on N points, for homogeneous activations.
Checked
    Any network, of any width, is narrowed in all its hidden layers by `prune_network`: outputs at the points and pairs of
    covariances are the same, the cost :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger (it is
    :math:`\|W\|^2` without the residuals), and no layer has more than N(N+1) neurons. Scaled neurons of an activation that
    saturates have other covariances.
Proof idea
    The pairs :math:`(K_\ell, K_\ell^\sigma)` lie in N(N+1) dimensions, and Caratheodory's theorem leaves that many neurons with
    positive weights, which homogeneity turns into scaled neurons.
Tight
    For one point and a neuron of each sign, 2 = N(N+1) neurons are needed. For N > 1 fewer neurons suffice (Fenchel and Bunt),
    but not of the neurons that are given.
Source
    feature_learning, Proposition 7.
"""

from functools import partial

from theorems.feature_learning.constructions.activations import SLOPES, Activation
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.narrow import OnData, for_each, narrowed, on_data, pruned_network
from theorems.feature_learning.constructions.pairs import second_parts
from verify import Claim, Domain, Networks, Source, Tight, derived, interval, reals
from verify.cones.covariance_pairs import rank_of_pair
from verify.networks import FullyConnected, HomogeneousActivation, relu
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, eye, greatest, le, lifted, ones, rank, stack, vector, where, zeros

saturating = lifted(lambda slopes: Activation(slopes, 0 * slopes[..., 0] + 1))


def layers_can_be_pruned(wide):
    narrow, N = narrowed(wide, "pair"), len(wide.x)
    return (
        eq(narrow.new_outputs, narrow.outputs, name="outputs")
        & eq(narrow.new_pairs, narrow.pairs, name="covariances")
        & le(narrow.new_norm, narrow.cost, name="cost")
        & le(narrow.neurons, N * (N + 1), name="neurons")
    )


def half_with_the_same_pairs(wide):
    """N(N + 1)/2 neurons, any ones, have the same pair without the bias."""

    def least(one):
        Z, image = one.hidden_layers()[0]
        return (rank_of_pair(gram(Z), gram(image), one.network.activation).lower,)

    (needed,), N = for_each(least, *wide), len(wide.x)
    return le(needed, N * (N + 1) // 2)


def neurons_needed(wide):
    """As many as a layer has, where its pairs are independent; the most of all layers."""
    layers = wide.hidden_layers()
    pairs = [concatenate([second_parts(Z), second_parts(image)], axis=1) for Z, image in layers]
    return greatest(stack([where(rank(products) == len(products), len(products), 0) for products in pairs]))


def fewer_of_its_own(wide):
    """N(N + 1) - 1 of the neurons of each layer have the same pair of covariances."""
    N = len(wide.x)
    return le(neurons_needed(wide), N * (N + 1) - 1)


def fewer_for_four_points(wide):
    """The same for four points only."""
    N = len(wide.x)
    return le(neurons_needed(wide), N * (N + 1) - (N == 4))


def same_function(wide, elsewhere, keep="pair"):
    """The narrow network has the same outputs at other points."""

    def both(one, points):
        return one.network(points), pruned_network(one, keep).network(points)

    old, new = for_each(both, *wide, elsewhere)
    return eq(new, old)


def scaled_neurons_of_any_activation(wide):
    """A neuron of twice the size counts four times, also for an activation that saturates."""
    Z, slopes = wide.hidden_layers()[0][0], wide.network.activation
    sigma = saturating(vector(slopes.positive, slopes.negative))
    return eq(gram(sigma(2 * Z)), 4 * gram(sigma(Z)))


def three_neurons_for_two_points():
    """Two points, ReLU: the pair of three neurons needs all of them, one more than there are points."""
    Z = rationals([[-2, -1], [2, 1], [-3, 3]])
    found = rank_of_pair(gram(Z), gram(relu()(Z)), relu())
    return eq([found.lower, found.upper], 3)


def cost(sizes):
    """Solving for the weights of a layer is what takes time."""
    return 40 * (sizes["depth"] - 1) * sizes["points"]


WIDTHS = {1: (1, 2, 4), 2: (3, 6, 8), 3: (6, 12, 14), 4: (10, 20, 22)}
"""By the number of points: N(N + 1)/2, N(N + 1), and more neurons."""
DOMAIN = Domain(
    {
        "wide": derived(
            on_data,
            network=Networks(),
            slopes=SLOPES,
            x=reals("points", "inputs", role="points"),
            beta=interval(0, 2, often=(0,), role="1"),
        ),
        "elsewhere": reals("points", "inputs", role="other points"),
    },
    {
        "depth": (2, 3, 6),
        "inputs": (1, 2, 3),
        "width": sorted({width for widths in WIDTHS.values() for width in widths}),
        "outputs": (1, 2, 3),
        "points": tuple(WIDTHS),
    },
    # deep networks of few points
    sizes_where=lambda sizes: sizes["width"] in WIDTHS[sizes["points"]] and (sizes["depth"] < 4 or sizes["points"] < 3),
)


def at_one_point(incoming, outgoing):
    """A ReLU network without biases at the point 1."""
    network = FullyConnected([rationals(incoming), rationals(outgoing)], activation=HomogeneousActivation(1, 0))
    return {"wide": OnData(network, rationals([[1]]), rationals(0)), "elsewhere": [[1]]}


def neurons_of_independent_pairs(N):
    r"""N(N + 1) neurons, :math:`\pm e_i` and :math:`\pm(e_i + e_j)`, whose pairs are independent, in free numbers.

    The points are 0 and the unit vectors of N - 1 inputs: the bias is the value at the first of them.
    """
    units = eye(N)
    sums = [units[i] + units[j] for i in range(N) for j in range(i)]
    Z = rationals([sign * z for z in (*units, *sums) for sign in (1, -1)])
    return {
        "wide.network.W1": Z[:, 1:] - Z[:, :1],
        "wide.network.b1": Z[:, 0],
        "wide.network.W2": ones(1, len(Z)),
        "wide.network.b2": zeros(1),
        "wide.slopes.kind": 0,
        "wide.slopes.numbers": vector(1, 0),
        "wide.x": units[1:].T,
        "wide.beta": 1,
        "elsewhere": units[1:].T,
    }


CLAIM = Claim(
    id="feature_learning.prop_7",
    title="N(N + 1) neurons of each layer suffice",
    source=Source("feature_learning", "Proposition 7"),
    statement=layers_can_be_pruned,
    domain=DOMAIN,
    tight={"neurons of both signs": Tight(partial(at_one_point, [[1], [-1]], [[1, 1]]), of=("cost", "neurons"))},
    false_variants={
        "N(N + 1)/2 neurons with the same pairs": half_with_the_same_pairs,
        "N(N + 1) - 1 of its own neurons": fewer_of_its_own,
        "N(N + 1) - 1 for four points": fewer_for_four_points,
        "the function does not change": same_function,
        "any activation": scaled_neurons_of_any_activation,
    },
    exact={"three neurons for two points": three_neurons_for_two_points},
    examples=[neurons_of_independent_pairs(N) for N in (2, 3, 4)],
    cost=cost,
)
