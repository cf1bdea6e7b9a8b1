r"""A path of constant cost to a representation with a dead neuron.

Statement
    For :math:`w > N(N+1)` there is a continuous path :math:`A_t` of constant cost from :math:`A_0 = \hat A` to a representation
    with a dead neuron, and a stationary point stays stationary.
Checked
    From every :math:`\hat A`, not only from local minima:

    - by Caratheodory's theorem in the space of pairs of symmetric matrices there are :math:`a_i \ge 0`, at most N(N+1) of
      them not zero, with
      :math:`\sum_ia_i(\hat A_i^T\hat A_i, \bar\sigma(\hat A_i)^T\bar\sigma(\hat A_i)) = (\hat A^T\hat A, \bar K)`;
    - the rows :math:`A_{t,i} = \sqrt{(1-t) + ta_i}\,\hat A_i` keep both matrices, and so the cost
      :math:`\mathrm{Tr}[A^TAK^+]`, for all t; the gradient is the subject of ``rows``.
Proof idea
    Both matrices are sums over the neurons, of dimension N(N+1)/2 each.
Tight
    N(N + 1) independent neurons, and one of them twice.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""

from theorems.leaky_resnets.constructions import wide_layers
from theorems.leaky_resnets.constructions.representations import cost
from theorems.leaky_resnets.constructions.wide_layers import neuron_pairs
from verify import Claim, Domain, Source, Tight, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, inner, le, lifted, pinv, relu

neuron_weights, pruned = lifted(wide_layers.neuron_weights), lifted(wide_layers.pruned)


def route(A):
    """A representation with the weights of its neurons."""
    return A, neuron_weights(A)


def path_is_level(walk, t):
    A, a = walk
    N = A.shape[1]
    return keeps(A, 1 - t + t * a) & ge(a, 0, name="weights") & le((a > 0).sum(), N * (N + 1), name="neurons in use")


def keeps(A, squares):
    """Both matrices and the cost, with and without these squares of the factors of the rows."""
    G, K = (X.T @ (squares[:, None] * X) for X in (A, relu(A)))
    return (
        eq(G, A.T @ A, name="Gram matrix")
        & eq(K + 1, relu(A).T @ relu(A) + 1, name="kernel")
        & eq(inner(G, pinv(K + 1)), cost(A), name="cost")
    )


# False variants


def one_neuron_fewer(walk):
    A, a = walk
    N = A.shape[1]
    return le((a > 0).sum(), N * (N + 1) - 1)


def path_without_roots(walk, t):
    """Rows multiplied by the weights, not by their roots."""
    A, a = walk
    return keeps(A, (1 - t + t * a) ** 2)


def path_of_the_kernel(walk, t):
    """Weights that keep the kernel alone."""
    A, _ = walk
    pairs = neuron_pairs(A)
    return keeps(A, 1 - t + t * pruned(pairs[:, pairs.shape[1] // 2 :]))


def one_point_by_hand():
    """For the activations 1, -1, 2 of one point, the weights 5, 1, 0 keep both sums of squares."""
    A, a = rationals([[1], [-1], [2]]), rationals([5, 1, 0])
    return eq(A.T @ (a[:, None] * A), A.T @ A) & eq(relu(A).T @ (a[:, None] * relu(A)), relu(A).T @ relu(A))


def width(sizes):
    """Neurons: more than N (N + 1)."""
    return sizes["points"] * (sizes["points"] + 1) + sizes["more"]


def cost_of_sizes(sizes):
    return (8, 16, 64)[sizes["points"] - 1]


CLAIM = Claim(
    id="leaky_resnets.prop_3",
    title="From any wide layer a path of constant cost leads to a dead neuron",
    source=Source("leaky_resnets", "Proposition 3"),
    statement=path_is_level,
    domain=Domain(
        {"walk": derived(route, A=reals(width, "points")), "t": interval(0, 1)}, {"points": (1, 2, 3), "more": (1, 2)}
    ),
    # six independent neurons, and the last of them again, half way
    tight={
        "one neuron twice": Tight(
            lambda: {"walk": route(rationals(wide_layers.one_neuron_twice(2))), "t": "1/2"}, of=("neurons in use",)
        )
    },
    not_known_tight={"weights": "weights that are zero have no size by which the other side could be moved"},
    false_variants={
        "one neuron fewer": one_neuron_fewer,
        "without the roots": path_without_roots,
        "only the kernel is kept": path_of_the_kernel,
    },
    exact={"1, -1, 2": one_point_by_hand},
    cost=cost_of_sizes,
)
