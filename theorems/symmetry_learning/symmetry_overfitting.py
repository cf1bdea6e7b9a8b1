r"""Symmetry overfitting: fitting N scattered labels costs order log N.

Statement
    Given :math:`f^*` with :math:`\mathrm{Rank}_J(f^*; \Omega) = k^* > 1`, for all :math:`\epsilon` there is :math:`c_\epsilon`
    such that every function of bottleneck rank one that fits :math:`f^*` on N i.i.d. points with support :math:`\Omega` has
    :math:`R^{(1)} > 2(1 - 1/k^*) \log N + c_\epsilon` with probability :math:`1 - \epsilon`.
Correction
    The labels need a bounded density in k dimensions. Otherwise the statement is false for **every** constant c (``.printed``):
    take the atoms of ``notion_of_rank.theorem_2.dense_atoms``, whose closure is the unit square, and let :math:`C_J` be the
    excess of a network through the first J. If the others have a mass below :math:`1/(4N_J)`, with :math:`N_J = 4^n` and
    :math:`n = \lfloor C_J \rfloor + J`, then three quarters of the samples of :math:`N_J` points are among the first J, and
    :math:`C_J` is below :math:`\log N_J + c`, which is printed for k = 2, if :math:`J > 1 - c`. With a density the
    statement is true.
Checked
    What the labels of any sample make of it, at finite depth, for slopes in [-1, 1]. Let d be the diameter of the data and
    :math:`r_m` the distance of the (N - m)-th closest pair of labels, with P the shortest path through the labels. Then for all
    m < N

    .. math:: m\,r_m \le P, \qquad \|\theta\|^2 - L \ge 2 \log \frac{m\,r_m}d .

    With a density at most F in k dimensions, m the integer part of N/2 and :math:`\rho = (\epsilon/(\omega_k F))^{1/k}`, a
    sample has :math:`r_m \ge \rho (N-1)^{-1/k}` with probability :math:`1 - \epsilon`
    (``notion_of_rank.theorem_2.probability``), so that
    :math:`R^{(1)} \ge 2(1 - 1/k) \log N + 2\log(\rho/(3d))`. Two neurons do not pay it: the identity of a grid.
Proof idea
    Among the N - 1 edges of a path all but N - m - 1 are at least as long as :math:`r_m`; Theorem 2 of notion_of_rank.
Tight
    Equal steps on a line, fitted by a chain of unit weights; for smaller m some points are equal.
Source
    symmetry_learning, Symmetry overfitting; the form with the distances of pairs is derived here.
"""

from functools import partial

import numpy as np

from theorems.notion_of_rank.theorem_2.dense_atoms import excess_of_the_first
from theorems.shared import bottleneck, paths
from theorems.shared.activations import SLOPES
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, Tight, derived, interval, reals, slopes
from verify.networks import FullyConnected
from verify.networks import compose as composition
from verify.numbers.arithmetic import rational, rationals
from verify.words import Q, exp, floor, ge, greatest, le, lifted, log, maximum, power

compose = lifted(composition)
shortest_path, squared_distances = lifted(paths.shortest_path), lifted(paths.squared_distances)


def close_pairs(Y):
    """Squared distances of the closest pair, the second closest and so on, one less than points."""
    i, j = np.triu_indices(len(Y), 1)
    return np.sort(squared_distances(Y)[i, j])[: len(Y) - 1]


def costs_of_pairs(parts, X, m, logs=2):
    g, h = parts
    f = compose(h, g, merge=False)
    Y = f(X)
    scattered, diameter2 = m**2 * close_pairs(Y), greatest(squared_distances(X))
    grown = exp(f.weight_norm_squared - f.depth) * power(diameter2, Q(logs, 2))
    return le(scattered, shortest_path(Y) ** 2, name="path") & le(power(scattered, Q(logs, 2)), grown, name="norm")


def scattered_labels_cost(parts, X, logs=2):
    return costs_of_pairs(parts, X, np.arange(len(X) - 1, 0, -1), logs)


def one_edge_more(parts, X):
    return costs_of_pairs(parts, X, np.arange(len(X), 1, -1))


def all_edges(parts, X):
    return costs_of_pairs(parts, X, len(X) - 1)


def grows_with_the_sample(c, atoms):
    """For k = 2: the excess of one network for most samples of size N = 4^n, against log N + c."""
    C = excess_of_the_first(atoms, c)
    return ge(C, log(4) * (floor(maximum(C, 0)) + atoms) + c)


def chain_of_steps(root="1", longer=0, places=(3, 2, 1, 0)):
    """A chain of weights of norm `root`, and points of equal steps on its line."""
    q = rational(root)
    g = FullyConnected([q * rationals([["3/5", "4/5"]]), q * rationals([[1]])])
    h = FullyConnected([*[q * rationals([[1]])] * (1 + longer), q * rationals([["5/13"], ["12/13"]])])
    return {"parts": (g, h), "X": [[3 * place, 4 * place] for place in places]}


def identity_of_a_grid():
    """The identity of a 4 x 4 grid at depth 2, of excess 2, against the bound for one neuron."""
    X = paths.grid_points(4, 2)
    return ge(15**2 * close_pairs(X)[0], exp(rationals(2)) * greatest(squared_distances(X)))


SOURCE = Source("symmetry_learning", "Theorem (2023a)")
PARTS = derived(
    lifted(bottleneck.with_common_slope),
    inner=Networks(depth="inner_depth", outputs="bottleneck", role="first part"),
    outer=Networks(depth="outer_depth", inputs="bottleneck", role="second part"),
    slope=slopes(-2, 2, role="slope"),
)

CLAIM = Claim(
    id="symmetry_learning.symmetry_overfitting",
    title="Functions of bottleneck rank one pay the logarithm of scattered labels",
    source=SOURCE,
    statement=scattered_labels_cost,
    domain=Domain(
        {"parts": PARTS, "X": reals("count", "inputs", role="few points")},
        {
            "inner_depth": (1, 2),
            "outer_depth": (1, 2, 4),
            "inputs": (2, 3),
            "width": (2,),
            "count": (2, 3, 5),
            "bottleneck": (1,),
            "outputs": (1, 2, 3),
        },
        {SLOPES: lambda parts: parts[0].activation.lipschitz_constant <= 1},
    ),
    needs=(SLOPES,),
    tight={
        "equal steps": Tight(chain_of_steps, partly=True),
        "six points, seven layers": Tight(partial(chain_of_steps, "1", 3, (5, 4, 3, 2, 1, 0)), partly=True),
        "equal steps, two equal points": Tight(partial(chain_of_steps, "1", 1, (2, 0, 1, 0)), of=("path", "norm"), partly=True),
        "two points, each twice": Tight(partial(chain_of_steps, "1", 1, (1, 0, 1, 0)), of=("path", "norm"), partly=True),
        "two points": Tight(partial(chain_of_steps, "1", 0, (1, 0))),
        "a little steeper": Tight(
            partial(chain_of_steps, "10000001/10000000"),
            1e-13,
            "log and square agree to second order",
            of=("norm",),
            partly=True,
        ),
    },
    false_variants={"one edge more": one_edge_more, "all edges": all_edges},
    exact={"the identity of a grid": identity_of_a_grid},
    cost=4,
)

PRINTED = Claim(
    id="symmetry_learning.symmetry_overfitting.printed",
    title="Rank one pays log N, for every distribution",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=grows_with_the_sample,
    domain=Domain({"c": interval(-64, 64)}, {"atoms": (3, 8, 64)}),
)
