r"""Linear networks: only balanced factors cost the least.

Statement
    Let :math:`\delta = \sum_\ell \|W_\ell\|_F^2 - L \sum_i s_i(W_L \cdots W_1)^{2/L}` be what a factorisation costs beyond the
    minimum. Two adjacent layers are nearly balanced:

    .. math:: \|W_\ell W_\ell^T - W_{\ell+1}^T W_{\ell+1}\|_*^2
              \le \delta \, (\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 + 2 \|W_{\ell+1} W_\ell\|_*) .

    A product through n neurons misses the smaller singular values (``.width``):

    .. math:: \|A - W_L \cdots W_1\|_F^2 \ge \sum_{i > n} s_i(A)^2 .
Checked
    Both as they stand, for every factorisation. So at the least cost :math:`W_\ell W_\ell^T = W_{\ell+1}^T W_{\ell+1}`, and a
    hidden width of at least the rank of A is needed. The converse, that balanced networks cost the least, is ``cost``.
Proof idea
    To exchange two adjacent layers for balanced factors of their product saves
    :math:`\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 - 2 \|W_{\ell+1} W_\ell\|_* \le \delta`. With columns of zeros and an
    orthogonal O for which :math:`\mathrm{Tr}[W_\ell^T W_{\ell+1}^T O] = \|W_{\ell+1} W_\ell\|_*`, the difference of the
    Grams is the symmetric part of :math:`(W_\ell - W_{\ell+1}^T O)(W_\ell + W_{\ell+1}^T O)^T`. The second is the theorem
    of Eckart and Young.
Tight
    Two neurons, and a third in balance with their product; the truncation of the singular values 8, 1, 1/8 to one.
Source
    derived here, beside the representation cost of linear networks in notion_of_rank.
"""

from functools import partial
from itertools import pairwise

from theorems.notion_of_rank.linear_networks.cost import FACTORS, product, rational
from theorems.shared.balanced import balanced_factors, rotation
from verify import Claim, DerivedHere, Domain, Q, Source, reals
from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import rationals
from verify.words import ge, le, norm2, nuclear_norm, schatten_power, singular_values, stack, where


def share(V, W, cross):
    """What two adjacent layers prove of the cost beyond the minimum; two layers of zeros are balanced."""
    sizes = norm2(V) + norm2(W)
    return nuclear_norm(V @ V.T - W.T @ W) ** 2 / (where(sizes > 0, sizes, 1) + cross * nuclear_norm(W @ V))


def imbalance(f, cross=2):
    # arranged such that no side is a small difference
    L = f.depth
    shares = stack([share(V, W, cross) for V, W in pairwise(f.weights)])
    return le(L * schatten_power(product(f), Q(2, L)) + shares, f.weight_norm_squared)


def narrowest(f):
    return min(f.widths[1:-1])


def missed_by_a_narrow_product(f, R):
    s = singular_values(product(f) + R)
    return ge(norm2(R), norm2(s[narrowest(f) :]))


def one_neuron_less(f, R):
    s = singular_values(product(f) + R)
    return ge(norm2(R), norm2(s[narrowest(f) - 1 :]))


def square_of_the_sum(f, R):
    s = singular_values(product(f) + R)
    return ge(norm2(R), s[narrowest(f) :].sum() ** 2)


def one_neuron_in_each_layer(*weights):
    return {"f": FullyConnected([rationals([[weight]]) for weight in weights], activation=identity())}


def one_pair_apart():
    """Adjacent layers of weights 1 and 4, at each place, the others of weight 2, the root of their product: equality there."""
    return [one_neuron_in_each_layer(*[2] * before, 1, 4, *[2] * (L - 2 - before)) for L in DEPTHS for before in range(L - 1)]


def truncation():
    """A rotated diagonal matrix and the product that keeps the largest of its singular values 8, 1 and 1/8."""
    V, U = rotation(rationals([["1/2", 1, "-1/3"], [0, "1/3", 1]]))
    R = (U[:, 1:] * rationals([1, "1/8"])) @ V[:, 1:].T
    return {"f": balanced_factors(U, rationals([2]), V, rationals([[[1]], [[1]]])), "R": R}


OURS = Source("notion_of_rank", "derived here")
DEPTHS = (2, 3, 4, 6)

BALANCED = Claim(
    id="notion_of_rank.linear_networks.balanced",
    title="Only balanced factors cost the least",
    source=OURS,
    status=DerivedHere(),
    statement=imbalance,
    domain=Domain({"f": FACTORS}, {"depth": DEPTHS, "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}),
    tight={"two neurons": partial(one_neuron_in_each_layer, 1, 3), "balanced": partial(rational, 3, 2, 1, "1/2")},
    false_variants={"nuclear norm 19/10 times": {"cross": Q("19/10")}, "nuclear norm once": {"cross": 1}},
    examples=one_pair_apart(),
)

WIDTH = Claim(
    id="notion_of_rank.linear_networks.width",
    title="A product through n neurons misses the singular values beyond n",
    source=OURS,
    status=DerivedHere(),
    statement=missed_by_a_narrow_product,
    domain=Domain(
        {"f": FACTORS, "R": reals("outputs", "inputs")},
        {"depth": (2, 3, 5), "inputs": range(2, 5), "width": range(1, 4), "outputs": range(2, 5)},
        sizes_where=lambda sizes: sizes["width"] < min(sizes["inputs"], sizes["outputs"]),
    ),
    tight={"truncated singular values": truncation},
    false_variants={"one neuron less would do": one_neuron_less, "the square of their sum": square_of_the_sum},
)
