r"""No chain of kernels has less energy, or costs less, than the geodesic.

Statement
    For every chain of kernels of full rank, with the layers :math:`W_\ell = B_\ell B_{\ell-1}^{-1}` of the product A,

    .. math:: L\sum_\ell\|\log W_\ell^TW_\ell\|_F^2 \ge \|\log A^TA\|_F^2 , \qquad
              \sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] \ge L\sum_i s_i(A)^{2/L} .

    The straight line of kernels has the energy :math:`\sum_i(s_i - 1/s_i)^2`, which is larger.
Checked
    Both inequalities; the energies of the straight line and of the geodesic for numbers, in symbols.
Proof idea
    The triangle inequality of the affine-invariant metric; the cost of linear networks.
Sharp
    Powers of one matrix, in any frames.
Source
    ours, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial

from theorems.bottleneck_structure.constructions.corrections import second_correction
from theorems.bottleneck_structure.constructions.kernel_paths import (
    FACTORS,
    SIZES,
    cost_of_kernels,
    geodesic,
    layers_of,
    whole_of,
)
from theorems.bottleneck_structure.constructions.linear_networks import cost
from verify import Claim, Domain, Ours, Relation, Source, Tight, ge
from verify.arithmetic import Array
from verify.matrices import singular_values
from verify.symbolic import identically_zero


def energy_is_at_least(factors: Array) -> Relation:
    """The energy of the chain against that of the geodesic between its ends."""
    layers = layers_of(factors)
    energy = layers.shape[-3] * second_correction(layers).sum(axis=-1)
    return ge(energy, second_correction(whole_of(factors)))


def cost_is_at_least(factors: Array) -> Relation:
    """The cost of the chain against that of the geodesic between its ends."""
    return ge(cost_of_kernels(factors), cost(whole_of(factors), factors.shape[-3] - 1))


# False variants


def energy_of_the_average(factors: Array) -> Relation:
    """Without the factor L: as if the energies of the layers added up to that of the whole."""
    return ge(second_correction(layers_of(factors)).sum(axis=-1), second_correction(whole_of(factors)))


def cost_of_the_straight_line(factors: Array) -> Relation:
    r"""The energy of the straight line, :math:`\sum_i(s_i - 1/s_i)^2`, as the least."""
    layers = layers_of(factors)
    values = singular_values(whole_of(factors))
    energy = 2 * layers.shape[-3] * second_correction(layers).sum(axis=-1)
    return ge(energy, ((values - 1 / values) ** 2).sum(axis=-1))


def cost_of_one_layer(factors: Array) -> Relation:
    """As if no chain cost less than a single layer."""
    return ge(cost_of_kernels(factors), cost(whole_of(factors), 1))


def cost_with_a_layer_more(factors: Array) -> Relation:
    """The cost of one layer more."""
    return ge(cost_of_kernels(factors), cost(whole_of(factors), factors.shape[-3]))


# Exact parts


def straight_line_in_symbols() -> Relation:
    """The energy of K(t) = 1 - t + t s^2 is (s - 1/s)^2, that of the geodesic s^(2t) is 4 log(s)^2."""
    import sympy as sp

    t, s = sp.symbols("t s", positive=True)
    antiderivative = -(s**2 - 1) / (1 - t + t * s**2)
    line = sp.diff(antiderivative, t) - ((s**2 - 1) / (1 - t + t * s**2)) ** 2
    energy = antiderivative.subs(t, 1) - antiderivative.subs(t, 0)
    geodesic = sp.diff(s ** (2 * t), t) / s ** (2 * t)
    return identically_zero(line, energy - (s - 1 / s) ** 2, geodesic - 2 * sp.log(s))


OURS = Source("bottleneck_structure", "ours")
DOMAIN = Domain({"factors": FACTORS}, SIZES)

LEAST = Claim(
    id="bottleneck_structure.geodesic_energy.least",
    title="No chain of kernels has less energy than the geodesic",
    source=OURS,
    status=Ours(),
    statement=energy_is_at_least,
    domain=DOMAIN,
    tight={
        "depth 2": Tight(partial(geodesic, 2, 2, "1/3")),
        "depth 5": Tight(partial(geodesic, 5, "3/2", "1/2")),
    },
    false_neighbours={"energies add up": energy_of_the_average, "the straight line is the least": cost_of_the_straight_line},
    exact={"the straight line in symbols": straight_line_in_symbols},
)

COST = Claim(
    id="bottleneck_structure.geodesic_energy.cost",
    title="No chain of kernels costs less than the geodesic",
    source=OURS,
    status=Ours(),
    statement=cost_is_at_least,
    domain=DOMAIN,
    tight={
        "depth 2": Tight(partial(geodesic, 2, 2, "1/3")),
        "depth 5": Tight(partial(geodesic, 5, "3/2", "1/2")),
    },
    false_neighbours={"one layer is best": cost_of_one_layer, "a layer more": cost_with_a_layer_more},
)
