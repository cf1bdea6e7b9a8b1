r"""Beyond Proposition 7: N(N+1)/2 neurons of each layer suffice.

Statement
    The infima of :math:`L_\lambda`, and the representation costs, are equal as soon as each hidden layer has N(N+1)/2 neurons.
Checked
    Any network is narrowed in all its hidden layers: the outputs at the points and the covariances after the activation are the
    same, :math:`\sum_\ell \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]` is not larger, and no layer has more than N(N+1)/2 neurons.
Proof idea
    In the linear programme

    .. math:: \min_{\alpha \ge 0} \sum_i \alpha_i x_i^T(K_{\ell-1}^\sigma)^+x_i \quad\text{subject to}\quad
       \sum_i \alpha_i\sigma(x_i)\sigma(x_i)^T = K_\ell^\sigma - \beta^211^T

    only :math:`K_\ell^\sigma` is kept. The later layers do not notice, the cost of layer l does not grow, and some solution has
    at most N(N+1)/2 positive weights.
Tight
    One neuron for one point. For N points :math:`\lfloor N^2/4 \rfloor` neurons may be needed (Proposition 14), and
    asymptotically N(N+1)/2 is attained through the largest CP-ranks.
Not checked
    The bounds by Proposition 14: see `prop_14`.
Source
    feature_learning, Proposition 7; N(N+1)/2 is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.narrow import narrowed
from theorems.feature_learning.constructions.pairs import second_parts
from theorems.feature_learning.prop_7.pairs import DOMAIN, at_one_point, cost, same_function
from verify import Claim, DerivedHere, Source, Tight
from verify.words import eq, greatest, le, rank, stack, where


def half_as_many_suffice(wide):
    narrow, N = narrowed(wide, "outputs"), len(wide.x)
    return (
        eq(narrow.new_outputs, narrow.outputs, name="outputs")
        & eq(narrow.new_pairs[:, 1], narrow.pairs[:, 1], name="covariances after the activation")
        & le(narrow.new_norm, narrow.cost, name="cost")
        & le(narrow.neurons, N * (N + 1) // 2, name="neurons")
    )


def pairs_stay(wide):
    narrow = narrowed(wide, "outputs")
    return eq(narrow.new_pairs, narrow.pairs)


def fewer_of_its_own(wide):
    """N(N + 1)/2 - 1 of the neurons of each layer have the same covariance after the activation."""
    N, images = len(wide.x), [image for _, image in wide.hidden_layers()]
    # all neurons of a layer are needed where their products are independent
    needed = greatest(stack([where(rank(second_parts(image)) == len(image), len(image), 0) for image in images]))
    return le(needed, N * (N + 1) // 2 - 1)


HALF_CLAIM = Claim(
    id="feature_learning.prop_7.half",
    title="N(N + 1)/2 neurons of each layer suffice",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=half_as_many_suffice,
    domain=DOMAIN,
    tight={"one neuron": Tight(partial(at_one_point, [[1]], [[1]]), of=("cost", "neurons"))},
    false_variants={
        "N(N + 1)/2 - 1 of its own neurons": fewer_of_its_own,
        "the covariances before the activation stay": pairs_stay,
        "the function does not change": partial(same_function, keep="outputs"),
    },
    cost=cost,
)
