r"""Theorem 2, the probability: the shortest path is long.

Statement
    Let :math:`Y_1, \ldots, Y_N` be independent with one distribution, P the length of the shortest open path through them, and
    :math:`\rho(r)` the probability of :math:`\|Y_1 - Y_2\| < r`. For every r > 0 and 1 <= m < N

    .. math:: \Pr[P < m r] \le \frac{N (N - 1)}{2 (N - m)} \rho(r) .

    A density of at most F in k dimensions has :math:`\rho(r) \le \omega_k F r^k` with the volume :math:`\omega_k` of the unit
    ball. For N >= 2 take m the integer part of N / 2 and :math:`r = (\epsilon / (\omega_k F (N - 1)))^{1/k}`: the right side is
    at most :math:`\epsilon`, and m >= N / 3, so that with probability :math:`1 - \epsilon`

    .. math:: P \ge \frac13 \Bigl(\frac{\epsilon}{\omega_k F}\Bigr)^{1/k} N^{1 - 1/k} .

    By ``statement`` this makes :math:`R/L \ge \min(1, P/\mathrm{diam})^{2/L} \ge c N^{\frac2L(1 - \frac1k)}` with c independent
    of L.
Correction
    Printed without a density, and for N = 1, the theorem is false. One point is fitted by a constant, for which
    :math:`R/L = \|y\|^2/L` is below every c for deep networks. If the distribution is made of atoms of fast decreasing weights
    that are dense in the unit square, its support is all of it, and a sample has about log N distinct points, which one and the
    same network fits for all N (``printed_support``). With a density the theorem is true.
Checked
    The bound for all samples of 2, 3 and 4 labels from every distribution on three atoms (of weights 1/3; equal atoms add up).
    For the uniform distribution on an interval, where P is the range, the probability as it is. That the length grows like the
    root of N in the unit square is fitted for one sequence of random points.
Proof idea
    A path shorter than m r has more than N - 1 - m edges shorter than r, so that N - m pairs of labels are closer than r; the
    expected number of such pairs is :math:`\frac{N(N-1)}2 \rho(r)` (Markov).
Tight
    Two labels. For more the expected number of pairs is larger than the probability of one.
Source
    notion_of_rank, Theorem 2; the bound and its constants are derived here.
"""

from itertools import product

import numpy as np

from theorems.shared.paths import shortest_path, spanning_tree, squared_distances
from verify import Claim, DerivedHere, Domain, Q, Rate, Relation, Source, Tight, interval, reals
from verify.numbers.arithmetic import rational
from verify.words import le, lifted, stack, where

ATOMS = 3
shortest, distances2 = lifted(shortest_path), lifted(squared_distances)


def samples(atoms, N):
    """All samples of so many labels."""
    return atoms[np.array(list(product(range(ATOMS), repeat=N)))]


def share(condition):
    """Of the entries that are true."""
    return where(condition, 1, 0).sum() / condition.size


def short(atoms, N, limit):
    """The probability that the path through N labels is shorter."""
    return share(shortest(samples(atoms, N)) < limit)


def rho(atoms, r):
    return share(distances2(atoms) < r**2)


def long_with_high_probability(atoms, r):
    """For samples of two to four labels and all m, times 2 (N - m)."""
    pairs = [(N, m) for N in (2, 3, 4) for m in range(1, N)]
    left = [2 * (N - m) * short(atoms, N, m * r) for N, m in pairs]
    return le(stack(left), stack([N * (N - 1) * rho(atoms, r) for N, _ in pairs]))


def one_edge_more(atoms, r):
    """The probability that the path is shorter than (m + 1) r."""
    return le(2 * short(atoms, 2, 2 * r), 2 * rho(atoms, r))


def probability_of_one_pair(atoms, r):
    """In place of the expected number of pairs."""
    return le(short(atoms, 4, 3 * r), rho(atoms, r))


def range_of_uniform_numbers():
    """Probability that N uniform numbers of [0, 1] have a range below the bound of the theorem, against epsilon."""
    relation = Relation(())
    for N, parts in product((2, 3, 4, 5, 10, 50), (1, 2, 20, 1000)):
        epsilon = rational(1) / parts
        shortest = N // 2 * epsilon / (2 * (N - 1))
        relation &= le(N * shortest ** (N - 1) - (N - 1) * shortest**N, epsilon)
    return relation


def tree_of_random_points(counts):
    """Mean length of the spanning trees of random points of the unit square, a lower bound of the paths."""
    rng = np.random.default_rng(0)
    return np.array([spanning_tree(rng.uniform(size=(16, int(count), 2))).mean() for count in counts])


PROBABILITY = Claim(
    id="notion_of_rank.theorem_2.probability",
    title="The shortest path through independent labels is long",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=long_with_high_probability,
    domain=Domain({"atoms": reals(ATOMS, "dimension"), "r": interval(Q(1, 16), 4)}, {"dimension": (1, 2, 3)}),
    tight={"two atoms": Tight(lambda: {"atoms": [[0, 0], [1, 0], [0, 3]], "r": 2}, partly=True)},
    false_variants={
        "one edge more": one_edge_more,
        "the probability of one pair": probability_of_one_pair,
    },
    exact={"uniform on an interval": range_of_uniform_numbers},
    rate=Rate(tree_of_random_points, (8, 16, 32, 64, 128, 256), 0.5),
    cost=8,
)
