r"""Proposition 4: in a deep network of small norm, some hidden representation is nearly of rank one.

Let :math:`Z_\ell` hold the activations of N data in layer l as columns, :math:`Z_0 = X` the data, :math:`Z_L = F` the outputs,
and let a c mark that the mean over the data is taken off. For every network whose activation has slopes of at most 1, and for
any data with outputs that are not all equal, the representations satisfy

.. math:: \sum_{\ell=0}^{L-1} \log \frac{\|Z^c_\ell\|_F^2}{s_1(Z^c_\ell)^2} \le C' :=
          \sum_{\ell=1}^L \|W_\ell\|_F^2 - L + \log \frac{\|X^c\|_F^2}{\|F^c\|_F^2} .

No term on the left is negative, so that, for L >= 2,

.. math:: \min_{1 \le \ell \le L-1} \frac{s_2(Z^c_\ell)^2}{s_1(Z^c_\ell)^2} \le e^{C' / (L-1)} - 1 ,

and at most :math:`C' / \eta` layers have a logarithm above :math:`\eta`. The sum is sharp; the bound of the smallest ratio,
which leaves out the data, is approached by deep networks only: where all ratios are 1 in the plane it is
:math:`2^{L/(L-1)} - 1`.

For networks of norm L + C, in particular global minimisers (Proposition 2), C' is bounded, and :math:`s_2 / s_1 = O(L^{-1/2})`
in some hidden layer. That is more than the slides' :math:`O(L^{-1/4})`, but for representations without their means; for those
with their means see ``prop_4_uncentred``, and ``prop_4_witnesses`` for why the print needs more than a norm of L + C and why
the exponent 1/2 is the best.

It follows from one layer,

.. math:: s_1(Z^c_{\ell-1})^2 \ge e^{-\tau_\ell} \|Z^c_{\ell-1}\|_F^2, \qquad
          \tau_\ell = \|W_\ell\|_F^2 - 1 + \log \frac{\|Z^c_{\ell-1}\|_F^2}{\|Z^c_\ell\|_F^2}

(``.layer``), so that the other squared singular values add up to at most :math:`(e^{\tau_\ell} - 1) s_1^2`, which is below
:math:`1.6 \, \tau_\ell s_1^2` for :math:`\tau_\ell \le 1/8`. Idea of the proof: :math:`\|Z^c_\ell\|_F \le
\|W_\ell Z^c_{\ell-1}\|_F \le \|W_\ell\|_F \, s_1(Z^c_{\ell-1})` and :math:`t e^{1-t} \le 1`; equality where all singular
values of :math:`Z^c_{\ell-1}` are equal and :math:`W_\ell` is an isometry of Frobenius norm 1.

What a layer costs beyond carrying one dimension on splits into three parts, none of them negative
(``.energy_identity``): with :math:`p_\ell = \|W_\ell\|_{op}^2` and
:math:`\kappa_\ell = \|Z^c_\ell\|_F / (\sqrt{p_\ell} \|Z^c_{\ell-1}\|_F)`

.. math:: \tau_\ell = (\|W_\ell\|_F^2 - p_\ell) + (p_\ell - 1 - \log p_\ell) + 2 \log \frac1{\kappa_\ell}, \qquad
          \sum_\ell \tau_\ell = C' .

The biases are not in C'; with them on both sides it is the norm of all parameters.

Source: notion_of_rank, Proposition 4; the inequality for centred representations is ours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one, with_slope
from theorems.notion_of_rank.constructions.arrays import squares
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, exp, floats, log, rationals, smallest
from verify.matrices import frobenius_norm_squared, operator_norm, singular_values
from verify.networks import FullyConnected
from verify.symbolic import identically_zero


def representations(network: FullyConnected, points: Array) -> list[Array]:
    r""":math:`Z_0^T, \ldots, Z_L^T`, shapes ``(..., N, n_l)``, for data ``(..., N, n_0)``: data, activations, outputs."""
    moved = np.moveaxis(points, -2, 0)
    *hidden, outputs = network.preactivations(moved)
    return [points, *(np.moveaxis(one, 0, -2) for one in (*map(network.activation, hidden), outputs))]


def centred(rows: Array) -> Array:
    """The rows minus their mean."""
    return np.asarray(rows - rows.sum(axis=-2)[..., None, :] / rows.shape[-2])


def log_stable_rank(rows: Array) -> Array:
    """Logarithm of the stable rank."""
    return log(frobenius_norm_squared(rows) / operator_norm(rows) ** 2)


def energies(network: FullyConnected, values: list[Array]) -> list[Array]:
    r""":math:`\tau_1, \ldots, \tau_L` from the representations, centred or not."""
    sizes = [squares(rows, (-2, -1)) for rows in values]
    layers = zip(network.weights, pairwise(sizes), strict=True)
    return [squares(weight, (-2, -1)) - 1 + log(before / after) for weight, (before, after) in layers]


def total_energy(network: FullyConnected, values: list[Array], logarithm: bool = True) -> Array:
    """C' from the representations, centred or not."""
    ratio = squares(values[0], (-2, -1)) / squares(values[-1], (-2, -1))
    return np.asarray(network.weight_norm_squared - network.depth + (log(ratio) if logarithm else 0))


def reach(network: FullyConnected, points: Array) -> list[npt.NDArray[np.float64]]:
    """Bounds of the squared norms of the representations: what their rounding errors are proportional to."""
    sizes = [floats(squares(points, (-2, -1)))]
    for weight, bias in zip(network.weights, network.biases, strict=True):
        lifted = points.shape[-2] * floats(squares(bias))
        sizes.append(2 * floats(squares(weight, (-2, -1))) * sizes[-1] + 2 * lifted)
    return sizes


def rounding(network: FullyConnected, points: Array, values: list[Array]) -> npt.NDArray[np.float64]:
    """Absolute error of the logarithms of the norms of the representations, in floats."""
    pairs = zip(reach(network, points), values, strict=True)
    return np.asarray(sum(2.0**-44 * np.sqrt(size / floats(squares(rows, (-2, -1)))) for size, rows in pairs))


def outputs_differ(network: FullyConnected, points: Array) -> Array:
    """Whether the outputs are not all equal, nor equal but for rounding errors."""
    spread = squares(centred(representations(network, points)[-1]), (-2, -1))
    least = rationals(2.0**-80 * reach(network, points)[-1]) if network.is_exact else 2.0**-80 * reach(network, points)[-1]
    return np.asarray(compare(spread, least) == 1)


def nearly_rank_one(
    network: FullyConnected, points: Array, basis_points: int = 10_000, centre: bool = True, logarithm: bool = True
) -> Relation:
    """The sum over all layers, with the constant in units of 1/10000, and the smallest ratio of a hidden layer."""
    values = [centred(rows) if centre else rows for rows in representations(network, points)]
    total, noise = total_energy(network, values, logarithm), rounding(network, points, values)
    ranks = sum(log_stable_rank(rows) for rows in values[:-1])
    relation = le(ranks * basis_points / 10_000, total, scale=network.weight_norm_squared, noise=noise)
    if network.depth > 1:
        ratios = np.stack([squared_ratio(rows) for rows in values[1:-1]], axis=-1)
        relation &= le(smallest(ratios), exp(total / (network.depth - 1)) - 1, scale=1, noise=noise)
    return relation


def squared_ratio(rows: Array) -> Array:
    """Squared ratio of the second to the first singular value; 0 for a matrix of one row or column."""
    if min(rows.shape[-2:]) < 2:
        return 0 * squares(rows, (-2, -1))
    values = singular_values(rows)
    return np.asarray((values[..., 1] / values[..., 0]) ** 2)


def stable_ranks_less_one(network: FullyConnected, points: Array) -> Relation:
    """What is false: that the stable ranks minus one, more than their logarithms, have the sum C' at most."""
    values = [centred(rows) for rows in representations(network, points)]
    ranks = sum(frobenius_norm_squared(rows) / operator_norm(rows) ** 2 - 1 for rows in values[:-1])
    return le(ranks, total_energy(network, values), noise=rounding(network, points, values))


def single_layers(network: FullyConnected, points: Array, basis_points: int = 10_000, centre: bool = True) -> Relation:
    """The inequality of every layer."""
    values = [centred(rows) if centre else rows for rows in representations(network, points)]
    ranks = np.stack([log_stable_rank(rows) for rows in values[:-1]], axis=-1)
    energy, noise = np.stack(energies(network, values), axis=-1), rounding(network, points, values)[..., None]
    size = floats(network.weight_norm_squared)[..., None]
    return le(ranks * basis_points / 10_000, energy, scale=size, noise=noise, over=1)


def parts_of_the_energy(
    network: FullyConnected, points: Array, logarithms: int = 2, centre: bool = True, frobenius: bool = False
) -> Relation:
    """No part is negative, and all of them together are C'."""
    plain = representations(network, points)
    values = [centred(rows) for rows in plain]
    compared = values if centre else plain
    noise = rounding(network, points, values)
    parts: list[Array] = []
    for weight, before, after in zip(network.weights, compared, compared[1:], strict=False):
        weights = squares(weight, (-2, -1))
        largest = weights if frobenius else operator_norm(weight) ** 2
        lost = log(largest * squares(before, (-2, -1)) / squares(after, (-2, -1)))
        parts += [weights - operator_norm(weight) ** 2, largest - 1 - log(largest), logarithms * lost / 2]
    size = 1 + floats(network.weight_norm_squared)
    sign = ge(np.stack(parts, axis=-1), 0, scale=size[..., None], noise=noise[..., None], over=1)
    return sign & eq(sum(parts), total_energy(network, values), scale=size, noise=noise)


def parts_in_symbols() -> Relation:
    """The three parts of one layer are its energy, for all values of the norms."""
    import sympy as sp

    weights, largest, before, after = sp.symbols("w p b a", positive=True)
    lost = 2 * sp.log(1 / (sp.sqrt(after) / (sp.sqrt(largest) * sp.sqrt(before))))
    parts = (weights - largest) + (largest - 1 - sp.log(largest)) + lost
    difference = parts - (weights - 1 + sp.log(before) - sp.log(after))
    return identically_zero(sp.expand_log(difference, force=True))


ISOTROPIC_WEIGHTS = rationals([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 4
"""Half of an orthogonal matrix: of Frobenius norm 1."""


def isotropic_network(depth: int) -> dict[str, Any]:
    """`ISOTROPIC_WEIGHTS` in every layer, and data with equal singular values: equality in all layers."""
    points = rationals(np.vstack([np.eye(4, dtype=int), -np.eye(4, dtype=int)]))
    # biases keep the hidden values positive
    return {"network": FullyConnected([ISOTROPIC_WEIGHTS] * depth, [rationals([1] * 4)] * depth), "points": points}


def identity_on_a_line(depth: int) -> dict[str, Any]:
    """One neuron of weight 1 in every layer: C' is zero."""
    return {"network": FullyConnected([rationals([[1]])] * depth), "points": rationals([[0], [1], [3]])}


NETWORKS = derived(with_slope, network=Networks(inputs=2, outputs=2, slope=0), slope=interval(-1, 1), excess=integers(0, 1))
DATA = Domain(
    {"network": NETWORKS, "points": reals("points", 2)},
    {"depth": (2, 3, 4), "width": (1, 2), "points": (2, 3)},
    {SLOPES: has_slopes_at_most_one, "the outputs are not all equal": outputs_differ},
)
ISOTROPIC = {
    "isotropic, depth 1": Tight(partial(isotropic_network, 1)),
    "isotropic, depth 3": Tight(partial(isotropic_network, 3)),
}
SOURCE = Source("notion_of_rank", "Proposition 4")
OURS = Source("notion_of_rank", "ours")

ENERGY = Claim(
    id="notion_of_rank.prop_4.energy_identity",
    title="What the layers cost beyond one dimension",
    source=OURS,
    status=Ours(),
    statement=parts_of_the_energy,
    domain=DATA,
    needs=(SLOPES,),
    tight={"the identity on a line": Tight(partial(identity_on_a_line, 5))},
    false_neighbours={
        "one logarithm": partial(parts_of_the_energy, logarithms=1),
        "with the means": partial(parts_of_the_energy, centre=False),
        "Frobenius norm in place of the operator norm": partial(parts_of_the_energy, frobenius=True),
    },
    exact={"one layer in symbols": parts_in_symbols},
)

LAYER = Claim(
    id="notion_of_rank.prop_4.layer",
    title="A layer of small energy has an input of nearly rank one",
    source=OURS,
    status=Ours(),
    statement=single_layers,
    domain=replace(DATA, sizes={**DATA.sizes, "depth": (2,)}),
    needs=(SLOPES,),
    tight=ISOTROPIC,
    false_neighbours={
        "constant 1.01": partial(single_layers, basis_points=10_100),
        "constant 1.0001": partial(single_layers, basis_points=10_001),
        "with the means": partial(single_layers, centre=False),
    },
)

CLAIM = Claim(
    id="notion_of_rank.prop_4",
    title="Centred representations are nearly of rank one",
    source=SOURCE,
    status=Ours(),
    statement=nearly_rank_one,
    domain=DATA,
    needs=(SLOPES,),
    tight=ISOTROPIC,
    false_neighbours={
        "constant 1.01": partial(nearly_rank_one, basis_points=10_100),
        "with the means": partial(nearly_rank_one, centre=False),
        "without the change of norm": partial(nearly_rank_one, logarithm=False),
        "stable ranks minus one": stable_ranks_less_one,
    },
)
