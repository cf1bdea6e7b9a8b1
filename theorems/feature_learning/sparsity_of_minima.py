r"""The abstract's sparsity: N(N+1) neurons in each layer do for N points.

Statement
    "Any local minimum can be achieved with at most N(N+1) neurons in each hidden layer", for homogeneous activations.
Checked
    For every network, minimum or not, with an amount of bias b = 1, `prune_network` gives one with the same outputs on the
    data, at most N(N+1) neurons in each hidden layer, and the same pairs of covariances. Its squared norm is the cost

    .. math:: \sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+] \le \|W\|^2

    of these covariances, with equality for networks without residuals, as local minima are (see `weight_decomposition`); so
    the loss is reproduced. If the pairs may change, N(N+1)/2 neurons suffice for the same outputs at no larger a cost. For a
    local minimum this is again the same loss, since the cost is linear along the changes, which go both ways.
Proof idea
    Caratheodory's theorem for the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)`, or for the second parts alone with the cost of a
    neuron, :math:`z^T(K_{\ell-1}^\sigma)^+z`, as a linear cost.
Tight
    One point and a neuron of each sign.
Not checked
    That the narrower weights are a local minimum again. They need not be: from the segment of minima of Proposition 19, pruning
    leads to its end, from where the loss descends. That is the exact part.
Source
    feature_learning, abstract, with Propositions 3 and 7. The form that is checked, and N(N+1)/2, are derived here.
"""

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.narrow import OnData, narrowed, on_data, widest
from theorems.feature_learning.constructions.pairs import slopes_of
from theorems.feature_learning.constructions.segment import change_at_the_end, shallow_network
from theorems.feature_learning.prop_7.half import fewer_of_its_own
from theorems.feature_learning.prop_7.pairs import half_with_the_same_pairs
from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, reals
from verify.cones.hidden_layers import prune_network
from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import rationals
from verify.words import eq, le


def narrow_network_suffices(wide):
    narrow, N = narrowed(wide, "pair"), len(wide.x)
    return (
        eq(narrow.new_outputs, narrow.outputs, name="outputs")
        & eq(narrow.new_pairs, narrow.pairs, name="pairs")
        & eq(narrow.new_norm, narrow.cost, name="cost")
        & le(narrow.new_norm, narrow.norm, name="norm")
        & le(narrow.neurons, N * (N + 1), name="neurons")
    )


def norm_stays(wide):
    narrow = narrowed(wide, "pair")
    return eq(narrow.new_norm, narrow.norm)


def outputs_need_half(wide):
    narrow, N = narrowed(wide, "outputs"), len(wide.x)
    return (
        eq(narrow.new_outputs, narrow.outputs, name="outputs")
        & le(narrow.new_norm, narrow.cost, name="cost")
        & le(narrow.new_norm, narrow.norm, name="norm")
        & le(narrow.neurons, N * (N + 1) // 2, name="neurons")
    )


def cost_stays(wide):
    narrow = narrowed(wide, "outputs")
    return eq(narrow.new_norm, narrow.cost)


def end_of_the_segment():
    """The segment of minima for lam = 3/4, a = 3/10 and b = 4/10: pruned, it is its end, 1/2; a step from there descends."""
    weights, end = rationals(["3/10", "2/5"]), rationals("1/2")
    pruned = prune_network(shallow_network(weights, weights), rationals([[1], [-1]]))
    incoming, outgoing = pruned.scaled().weights
    before, after = change_at_the_end(end, rationals("1/4"), 1)
    return (
        eq(widest(pruned), 1)
        & eq(incoming[:, 0] * outgoing[0], end**2)
        & eq(incoming[:, 0] ** 2, end**2)
        & le(after, before - rationals("1/40"))
    )


def at_one_point(incoming, offsets, outgoing):
    """A ReLU network at the point 1, with the output bias 1."""
    weights, biases = [rationals(incoming), rationals(outgoing)], [rationals(offsets), rationals([1])]
    network = FullyConnected(weights, biases, HomogeneousActivation(1, 0))
    return {"wide": OnData(network, rationals([[1]]), rationals(1))}


def neuron_of_each_sign():
    """Two neurons, of which one is not active."""
    return at_one_point([[1], [-1]], [0, 0], [[1, 1]])


def without_residuals():
    """One neuron with weight and bias 1, which sees the point with both; its output counts 2, beside the bias 1."""
    return at_one_point([[1]], [1], [[2]])


def with_bias_one(network, slope, x):
    """The network with the slopes 1 and `slope` and the amount of bias 1."""
    return on_data(network, slopes_of(slope), x, 0 * slope + 1)


def cost(sizes):
    """Solving for the weights of a layer is what takes time."""
    return 60 * (sizes["depth"] - 1) * sizes["points"]


WIDTHS = {1: (1, 2, 4), 2: (3, 6, 8), 3: (14,)}
SOURCE = Source("feature_learning", "abstract")
DOMAIN = Domain(
    {
        "wide": derived(with_bias_one, network=Networks(), slope=NEGATIVE_SLOPES, x=reals("points", "inputs", role="points")),
    },
    {"depth": (2, 3), "inputs": (1, 2), "width": (1, 2, 3, 4, 6, 8, 14), "outputs": (1, 3), "points": (1, 2, 3)},
    # one hidden layer for three points
    sizes_where=lambda sizes: sizes["width"] in WIDTHS[sizes["points"]] and sizes["depth"] + sizes["points"] <= 5,
)

CLAIM = Claim(
    id="feature_learning.sparsity_of_minima",
    title="Outputs and covariances are reproduced with N(N+1) neurons",
    source=SOURCE,
    statement=narrow_network_suffices,
    domain=DOMAIN,
    tight={
        "a neuron of each sign": Tight(neuron_of_each_sign, of=("neurons",)),
        "no residual": Tight(without_residuals, of=("norm",)),
    },
    false_variants={"N(N+1)/2 neurons with the same pairs": half_with_the_same_pairs, "the norm stays": norm_stays},
    exact={"the narrow network need not be a local minimum": end_of_the_segment},
    cost=cost,
)

OUTPUTS = Claim(
    id="feature_learning.sparsity_of_minima.outputs",
    title="Outputs are reproduced with N(N+1)/2 neurons at no larger a norm",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=outputs_need_half,
    domain=DOMAIN,
    tight={"no residual": Tight(without_residuals, of=("cost", "norm", "neurons"))},
    false_variants={"N(N+1)/2 - 1 of its own neurons": fewer_of_its_own, "the cost stays": cost_stays},
    cost=cost,
)
