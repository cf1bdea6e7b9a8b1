r"""Balancedness: a balanced network is the least among its rescalings.

Statement
    The function does not change when the weights into a neuron are multiplied by c > 0 and those out of it are divided by c.
    Balanced networks have the least norm among all such rescalings, in all layers at once.
Checked
    The inequality for all factors. In one layer, whose neurons pay :math:`r_i^2` before them and :math:`s_i^2` after them,
    factors save at most :math:`\sum_i (r_i - s_i)^2`, for every network.
Proof idea
    The squared norm is a convex function of the logarithms of the factors, and balancedness says that its gradient is zero
    at 1. In one layer the best factors have :math:`c_i^2 = s_i / r_i`.
Tight
    Factors 1; one layer with the best factors.
Source
    bottleneck_structure, Section 2 (balancedness); what one layer saves is derived here.
"""

from theorems.bottleneck_structure.constructions.balanced import BALANCED
from verify import Claim, DerivedHere, Domain, Networks, Source, derived, integers, interval
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import eye, le, lifted, norm2, ones, sqrt

network, rescaled = lifted(FullyConnected), lifted(FullyConnected.rescale_neurons)


def rescaled_costs_more(f, c):
    return le(f.parameter_norm_squared, rescaled(f, list(c)).parameter_norm_squared)


def weights_cost_more(f, c):
    return le(f.weight_norm_squared, rescaled(f, list(c)).weight_norm_squared)


def saved_by_one_layer(f, c, bias=1, times=1):
    (W, V), b = f.weights[:2], f.biases[0]
    r, s = sqrt((W**2).sum(axis=1) + bias * b**2), sqrt((V**2).sum(axis=0))
    other = rescaled(f, [c, *(ones(n) for n in f.widths[2:-1])])
    return le(times * (f.parameter_norm_squared - other.parameter_norm_squared), norm2(r - s))


def saving_in_symbols():
    """The least of c^2 r^2 + s^2 / c^2 is 2rs, at c^2 = s / r; the derivative at c = 1 is 2 (r^2 - s^2)."""
    import sympy as sp

    r, s, c = sp.symbols("r s c", positive=True)
    paid = c**2 * r**2 + s**2 / c**2
    return identically_zero(
        paid - (c * r - s / c) ** 2 - 2 * r * s,
        paid.subs(c, sp.sqrt(s / r)) - 2 * r * s,
        sp.diff(paid, c).subs(c, 1) - 2 * (r**2 - s**2),
    )


def with_other_biases(f, shift):
    """The network with `shift` added to every bias of the first layer."""
    return network(f.weights, [f.biases[0] + shift, *f.biases[1:]], f.activation)


def identity_chain(L, **others):
    """Identity layers of two neurons, which are balanced."""
    return {"f": FullyConnected([rationals(eye(2))] * L), **others}


def norms_one_and_four():
    """One neuron with the weights 1 and 4, and the best factor 2."""
    return {"f": FullyConnected([rationals([[1]]), rationals([[4]])]), "c": [2]}


SIZES = {"depth": (2, 3, 4, 7), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}

CLAIM = Claim(
    id="bottleneck_structure.balancedness",
    title="A balanced network costs the least among its rescalings",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=rescaled_costs_more,
    domain=Domain(
        {
            "f": derived(with_other_biases, f=BALANCED, shift=integers(0, 1), role="network"),
            "c": interval(0.25, 4, lambda sizes: sizes["depth"] - 1, "width", role="ones"),
        },
        SIZES,
        {"balanced": lambda f: f.is_balanced()},
    ),
    needs=("balanced",),
    tight={"all factors 1": lambda: identity_chain(3, c=[[1, 1], [1, 1]])},
    false_variants={"without the biases": weights_cost_more},
)

ONE_LAYER = Claim(
    id="bottleneck_structure.balancedness.one_layer",
    title="Rescaling one layer saves at most the sum of (|w_in| - |w_out|)^2",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=saved_by_one_layer,
    domain=Domain({"f": Networks(), "c": interval(0.25, 4, "width", role="ones")}, SIZES),
    tight={"norms 1 and 4": norms_one_and_four},
    false_variants={"without the bias": {"bias": 0}, "half of it": {"times": 2}},
    exact={"the least of one neuron in symbols": saving_in_symbols},
)
