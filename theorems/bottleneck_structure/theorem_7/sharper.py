r"""Theorem 7, sharper: powers of the average norm.

Statement
    For a balanced network of depth L with slopes in [-1, 1], :math:`\mathrm{rank}\, Jf(x) = k \ge 1` and
    :math:`c_1 = \|\theta\|^2 - kL`,

    .. math:: k\, |Jf|_+^{2/k} \sum_\ell (\|\alpha_{\ell-1}\|^2 + 1) \Bigl(1 + \frac{c_1}{kL}\Bigr)^{-\ell}
              \le \mathrm{Tr}\,\Theta .
Checked
    The inequality with the share of the biases in the kernel.
Proof idea
    The steps of the proof of Theorem 7 without the last one, :math:`(1 + c_1/(kL))^\ell \le \max\{1, e^{c_1/k}\}`.
Tight
    Identities; one layer; one scalar in every layer at the origin.
Source
    derived here, after bottleneck_structure, Theorem 16.
"""

from theorems.bottleneck_structure.constructions.balanced import small_depths
from theorems.bottleneck_structure.theorem_7.statement import (
    HYPOTHESES,
    IDENTITIES,
    SIZES,
    VARIABLES,
    kernel_trace,
    log_mean_volume,
    squared_activations,
)
from theorems.shared.activations import SLOPES
from verify import Claim, DerivedHere, Domain, Source
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import exp, le, rank, stack


def sum_with_powers(f, x, first=1):
    k = rank(f.jacobian(x))
    inverse_average = k * f.depth / f.parameter_norm_squared  # of 1 + c1 / (kL)
    powers = stack([inverse_average**ell for ell in range(first, first + f.depth)])
    weighted = ((squared_activations(f, x) + 1) * powers).sum()
    return le(k * weighted * exp(log_mean_volume(f, x, k)), kernel_trace(f, x))


def without_powers(f, x):
    k = rank(f.jacobian(x))
    return le(k * (squared_activations(f, x) + 1).sum() * exp(log_mean_volume(f, x, k)), kernel_trace(f, x))


def scalars(*weights, x):
    """Layers of one weight."""
    return {"f": FullyConnected([rationals([[weight]]) for weight in weights]), "x": [x]}


SHARPER = Claim(
    id="bottleneck_structure.theorem_7.sharper",
    title="The sum over the layers with powers of the average norm",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=sum_with_powers,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES, small_depths),
    needs=("balanced", SLOPES),
    tight={
        **IDENTITIES,
        "one layer of 1/2": lambda: scalars("1/2", x=1),
        # where the squares are those of the powers
        "three layers of 2": lambda: scalars(2, 2, 2, x=5),
    },
    false_variants={"one power less": {"first": 0}, "no powers": without_powers},
)
