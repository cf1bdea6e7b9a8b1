r"""Proposition 5, the outputs: the effect of a neuron to leading order.

Statement
    The new neuron starts at 0 and obeys :math:`\partial_pa = L(t\bar K_{i\cdot} - a)`, up to higher orders of
    :math:`\varepsilon`. It lags behind :math:`t\bar K_{i\cdot}`, so that the path moves, and with it the cost:

    .. math:: \Delta C = \varepsilon^2\lambda L\int_0^1t_p(t_p\bar K_{p,i\cdot} - a_p)B_p^TA_{p,\cdot i}\,dp
              + \tfrac{\varepsilon^2}N\|a_1\|^2 + O(\varepsilon^4) ,

    where the target of the new neuron is 0.
Correction
    The print refers to an argument of Groenwall's type. That bounds the change of the path by a factor :math:`e^{cL}`; the
    adjoints are what stays bounded.
Checked
    For discrete networks, critical or not, where the integrals are sums,

    .. math:: a_\ell = (1 - \rho_\ell L)a_{\ell-1} + \rho_\ell Lt_\ell\bar K_{\ell-1,i\cdot} , \qquad
              \lambda L\sum_\ell\rho_\ell t_\ell(t_\ell\bar K_{\ell-1,i\cdot} - a_{\ell-1})B_\ell^TA_{\ell-1,\cdot i} .

    As long as no activation changes its sign, the cost is a polynomial of known degree in :math:`\varepsilon^2`, whose
    coefficient follows from as many values, without error.
Proof idea
    The adjoints are the derivatives of the cost in the activations.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the formula is derived here.
"""

from math import prod

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.wider_weights import POINT, kernel_row, widened_weights
from verify import Claim, DerivedHere, Domain, Q, Source, interval, reals
from verify.networks import LeakyResNet
from verify.words import concatenate, eq, inner, lifted, norm2, sign, zeros

STEP = Q(1, 64)
r"""The values are taken at the multiples of this :math:`\varepsilon`."""

network_of = lifted(LeakyResNet)


def wider_path(f, X, t, epsilon):
    """The activations of the network with another neuron in every layer, which starts at 0."""
    layers = zip(f.activations(X), f.weights, t, strict=False)
    weights = [widened_weights(A, W, f.leak, epsilon, height) for A, W, height in layers]
    return network_of(weights, f.leak, f.steps).activations(with_zeros(X))


def with_zeros(A):
    return concatenate([A, zeros(1, A.shape[1])])


def wider_paths(f, X, t):
    r"""At as many :math:`\varepsilon` as determine the cost, a polynomial of the degree 2M in the square."""
    return [wider_path(f, X, t, k * STEP) for k in range(2 * f.depth + 1)]


def keeps_signs(f, X, t):
    """No activation before the outputs is zero or changes its sign, and no new neuron is negative."""
    kept = True
    for path in wider_paths(f, X, t):
        for before, after in zip(f.activations(X)[1:-1], path[1:-1], strict=True):
            kept = kept & (before != 0).all() & (sign(after[:-1]) == sign(before)).all() & (after[-1] >= 0).all()
    return kept


def slope_weights(count):
    """Of the values at 0, 1, 4, ..., (count - 1)^2: their sum is the derivative at 0 of a polynomial of lower degree."""
    nodes = [k * k for k in range(1, count)]
    # of Lagrange's polynomial of a node the factor of 0 alone is differentiated: the others vanish there
    weights = [prod((Q(-other, node - other) for other in nodes if other != node), start=Q(1, node)) for node in nodes]
    return [-sum(weights), *weights]


def slope_of_the_cost(f, X, t, F):
    r"""The derivative of the cost in :math:`\varepsilon^2` at 0, from its values."""
    costs = [norm2(with_zeros(F) - path[-1]) / X.shape[1] for path in wider_paths(f, X, t)]
    return sum(Q(weight) / STEP**2 * cost for weight, cost in zip(slope_weights(len(costs)), costs, strict=True))


def new_neuron(f, X, t):
    r""":math:`a_0 = 0, \ldots, a_M`."""
    a = [zeros(X.shape[1])]
    for A, rho, height in zip(f.activations(X)[:-1], f.steps, t, strict=True):
        a.append((1 - rho * f.leak) * a[-1] + rho * f.leak * height * kernel_row(A))
    return a


def cost_changes_by_adjoints(f, X, t, F, ridge, outputs=1, neuron=1, path=1):
    N, a, A = X.shape[1], new_neuron(f, X, t), f.activations(X)
    B = f.adjoints(A, 2 * (F - A[-1]) / (ridge * N))
    layers = zip(f.steps, t, A[:-1], a[:-1], B[1:], strict=True)
    moved = sum(
        rho * height * inner(height * kernel_row(before) - neuron * own, after.T @ before[:, POINT])
        for rho, height, before, own, after in layers
    )
    return eq(slope_of_the_cost(f, X, t, F), path * ridge * f.leak * moved + outputs * norm2(a[-1]) / N)


SMOOTH = "no activation changes its sign"

CLAIM = Claim(
    id="leaky_resnets.prop_5.cost_change",
    title="A new neuron changes the cost by its lag times the adjoint",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=DerivedHere(),
    statement=cost_changes_by_adjoints,
    domain=Domain(
        {
            "f": drawn_networks(),
            "X": reals("width", "points", role="start of the path"),
            "t": interval(0, 1, "depth", role="free"),
            "F": reals("width", "points", role="targets as columns"),
            "ridge": interval(1 / 8, 2, role="ridge"),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: keeps_signs},
    ),
    needs=(SMOOTH,),
    false_variants={
        "outputs of the new neuron forgotten": {"outputs": 0},
        "a new neuron that is zero": {"neuron": 0},
        "a path that does not move": {"path": 0},
    },
    cost=lambda sizes: 4 * sizes["depth"],
)
