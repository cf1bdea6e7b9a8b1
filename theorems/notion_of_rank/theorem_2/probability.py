r"""Theorem 2, the probability: the shortest path through random labels is long, unless the labels have atoms.

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
    :math:`R/L = \|y\|^2/L` is below every c for deep networks. If the distribution is made of finitely many atoms, one and the
    same interpolant fits all samples, whatever N is: for **every** c the printed bound fails for large N (``.printed``: three
    atoms, not on a line, k = 2, L = 3, labels equal to the points). As printed the support is :math:`\Omega`, there the set of
    the atoms. For the unit square see ``dense_atoms``: with infinitely many atoms of fast decreasing weights the support
    is all of it, and a sample has about log N distinct points. With a density, which is surely meant, the theorem is true.
Checked
    The bound for all samples of 2, 3 and 4 labels from every distribution on three atoms (of weights 1/3; equal atoms add up).
    For the uniform distribution on an interval, where P is the range, the probability as it is. That the length grows like the
    root of N in the unit square is fitted for one sequence of random points.
Proof idea
    A path shorter than m r has more than N - 1 - m edges shorter than r, so that N - m pairs of labels are closer than r; the
    expected number of such pairs is :math:`\frac{N(N-1)}2 \rho(r)` (Markov).
Sharp
    Two labels. For more the expected number of pairs is larger than the probability of one.
Source
    notion_of_rank, Theorem 2; the bound and its constants are ours.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.paths import shortest_path, spanning_tree, squared_distances
from theorems.notion_of_rank.constructions.rank_one import norm_of_network, rank_one_curve
from theorems.notion_of_rank.prop_2.statement import SEPARATED, are_separated
from verify import Claim, Domain, FalseAsPrinted, Ours, Q, Rate, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, compare, is_exact, rational, rationals

SAMPLES = (2, 3, 4)
ATOMS = 3


def fraction_below(values: Array, limit: Array) -> Array:
    """Which part of the values on the last axis is below the limit, shapes ``(..., n), (...) -> (...)``."""
    order = compare(values, limit[..., None])
    found = (order == -1).sum(axis=-1)
    share = np.asarray(found) / np.asarray(values.shape[-1]) if not is_exact(values) else rationals(found) / values.shape[-1]
    return np.asarray(share)


def long_with_high_probability(atoms: Array, radius: Array) -> Relation:
    """The bound for all sample sizes and all m."""
    left, right = zip(*(sides(atoms, radius, count, m) for count in SAMPLES for m in range(1, count)), strict=True)
    return le(np.stack(left, axis=-1), np.stack(right, axis=-1), over=1)


def sides(atoms: Array, radius: Array, count: int, m: int) -> tuple[Array, Array]:
    """Both sides of the bound, times 2 (N - m), for samples of so many labels."""
    samples = atoms[..., np.array(list(product(range(ATOMS), repeat=count))), :]
    close = fraction_below(squared_distances(atoms).reshape(*atoms.shape[:-2], -1), radius**2)
    return fraction_below(shortest_path(samples), m * radius) * (2 * (count - m)), close * (count * (count - 1))


def range_of_uniform_numbers() -> Relation:
    """Probability that N uniform numbers of [0, 1] have a range below the bound of the theorem, against epsilon."""
    relation = Relation(())
    for count, parts in product((2, 3, 4, 5, 10, 50), (1, 2, 20, 1000)):
        epsilon = rational(1) / parts
        least = count // 2 * epsilon / (2 * (count - 1))
        probability = count * least ** (count - 1) - (count - 1) * least**count
        relation &= le(rationals([probability]), rationals([epsilon]))
    return relation


def tree_of_random_points(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Mean length of the spanning trees of random points of the unit square, a lower bound of the paths."""
    rng = np.random.default_rng(0)
    return np.array([float(spanning_tree(rng.uniform(size=(16, int(count), 2))).mean()) for count in counts])


def grows_with_the_sample(points: Array, direction: Array, constant: Array) -> Relation:
    """What is printed, for k = 2 and L = 3: every interpolant of bottleneck rank one costs at least c N^(1/3) per layer.

    A sample of any size from the points as atoms, with labels equal to the points, is fitted by the one network. For every c
    the bound is compared at a size at which it fails.
    """
    curve = rank_one_curve(points, points, direction)
    per_layer = norm_of_network(curve, 3, 0 * points[..., 1:, 0] + 1) / 3
    return ge(per_layer**3, constant**3 * integer_above((per_layer / constant) ** 3))


def integer_above(values: Array) -> Array:
    """An integer larger than every value by at least 1, and at least `ATOMS`."""
    if is_exact(values):
        return rationals(np.frompyfunc(lambda one: int(one.floor()) + 2 + ATOMS, 1, 1)(values))
    return np.floor(values) + 2 + ATOMS


def span_the_plane(points: Array) -> Array:
    """Whether three points are not on a line."""
    first, second = points[..., 1, :] - points[..., 0, :], points[..., 2, :] - points[..., 0, :]
    area = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return np.asarray(compare(area**2, 0) == 1)


# False variants


def one_edge_more(atoms: Array, radius: Array) -> Relation:
    """The probability that the path is shorter than (m + 1) r."""
    samples = atoms[..., np.array(list(product(range(ATOMS), repeat=2))), :]
    _, right = sides(atoms, radius, 2, 1)
    return le(fraction_below(shortest_path(samples), 2 * radius) * 2, right)


def probability_of_one_pair(atoms: Array, radius: Array) -> Relation:
    """The probability of one pair in place of the expected number of pairs."""
    left, right = sides(atoms, radius, 4, 3)
    return le(left / 2, right / 12)


def two_atoms() -> dict[str, Any]:
    """Two of three atoms closer than the radius."""
    return {"atoms": rationals([[[0, 0], [1, 0], [0, 3]]]), "radius": rationals([2])}


SOURCE = Source("notion_of_rank", "Theorem 2")

PROBABILITY = Claim(
    id="notion_of_rank.theorem_2.probability",
    title="The shortest path through independent labels is long",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=long_with_high_probability,
    domain=Domain({"atoms": reals(ATOMS, "dimension"), "radius": interval(Q("1/16"), 4)}, {"dimension": (1, 2, 3)}),
    tight={"two atoms": Tight(two_atoms, partly=True)},
    false_variants={
        "one edge more": one_edge_more,
        "the probability of one pair": probability_of_one_pair,
    },
    exact={"uniform on an interval": range_of_uniform_numbers},
    rate=Rate(tree_of_random_points, (8, 16, 32, 64, 128, 256), 0.5),
    cost=8,
)

PRINTED = Claim(
    id="notion_of_rank.theorem_2.printed",
    title="The cost grows with the sample, for every distribution",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="notion_of_rank.theorem_2.random_labels"),
    statement=grows_with_the_sample,
    domain=Domain(
        {"points": reals(ATOMS, 2), "direction": reals(2), "constant": interval(Q("1/1024"), 1)},
        hypotheses={SEPARATED: are_separated, "the atoms are not on a line": span_the_plane},
    ),
    false_variants={},
)
