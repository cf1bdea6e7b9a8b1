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
Tight
    Powers of one matrix, in any frames.
Source
    derived here, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

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
from verify import Claim, DerivedHere, Domain, Source
from verify.numbers.symbolic import identically_zero
from verify.words import ge, lifted, norm2, singular_values

R2 = lifted(second_correction)  # half of the squared norm of log A^T A


def energy_is_at_least(B):
    return ge((len(B) - 1) * R2(layers_of(B)).sum(), R2(whole_of(B)))


def energies_add_up(B):
    return ge(R2(layers_of(B)).sum(), R2(whole_of(B)))


def straight_line_is_the_least(B):
    s = singular_values(whole_of(B))
    return ge(2 * (len(B) - 1) * R2(layers_of(B)).sum(), norm2(s - 1 / s))


def cost_is_at_least(B):
    return ge(cost_of_kernels(B), cost(whole_of(B), len(B) - 1))


def one_layer_is_best(B):
    return ge(cost_of_kernels(B), cost(whole_of(B), 1))


def a_layer_more(B):
    return ge(cost_of_kernels(B), cost(whole_of(B), len(B)))


def straight_line_in_symbols():
    """The energy of K(t) = 1 - t + t s^2 is (s - 1/s)^2, that of the geodesic s^(2t) is 4 log(s)^2."""
    import sympy as sp

    t, s = sp.symbols("t s", positive=True)
    antiderivative = -(s**2 - 1) / (1 - t + t * s**2)
    line = sp.diff(antiderivative, t) - ((s**2 - 1) / (1 - t + t * s**2)) ** 2
    energy = antiderivative.subs(t, 1) - antiderivative.subs(t, 0)
    geodesic = sp.diff(s ** (2 * t), t) / s ** (2 * t)
    return identically_zero(line, energy - (s - 1 / s) ** 2, geodesic - 2 * sp.log(s))


SOURCE = Source("bottleneck_structure", "derived here")
DOMAIN = Domain({"B": FACTORS}, SIZES)
GEODESICS = {"depth 2": partial(geodesic, 2, 2, "1/3"), "depth 5": partial(geodesic, 5, "3/2", "1/2")}

LEAST = Claim(
    id="bottleneck_structure.geodesic_energy.least",
    title="No chain of kernels has less energy than the geodesic",
    source=SOURCE,
    status=DerivedHere(),
    statement=energy_is_at_least,
    domain=DOMAIN,
    tight=GEODESICS,
    false_variants={"energies add up": energies_add_up, "the straight line is the least": straight_line_is_the_least},
    exact={"the straight line in symbols": straight_line_in_symbols},
)

COST = Claim(
    id="bottleneck_structure.geodesic_energy.cost",
    title="No chain of kernels costs less than the geodesic",
    source=SOURCE,
    status=DerivedHere(),
    statement=cost_is_at_least,
    domain=DOMAIN,
    tight=GEODESICS,
    false_variants={"one layer is best": one_layer_is_best, "a layer more": a_layer_more},
)
