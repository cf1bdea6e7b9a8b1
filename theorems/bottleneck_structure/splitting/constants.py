r"""Splitting of constants: the second part is cheapest from its start.

Statement
    For a network of least norm for f and every layer, :math:`R(f; \Omega, L) = R(\tilde\alpha_\ell; \Omega, \ell) +
    R(\sigma(\tilde\alpha_\ell) \to f; \Omega, L - \ell)`.
Checked
    For a constant, which costs the sum of the norms :math:`p_1, \dots, p_L` of its cheapest layers, with the values :math:`c_1,
    \dots, c_L` (``known_costs``): every network of depth L - 2, with slopes of at most 1, that takes a point of norm
    :math:`c_2` to a value of norm :math:`c_L` costs at least :math:`p_3 + \dots + p_L`. That the first two layers cost
    :math:`p_1 + p_2` is ``known_costs`` at depth 2.
Proof idea
    Else the constant would cost less.
Tight
    The last layers of the cheapest network, for s = 9/4.
Source
    bottleneck_structure, Section 3.3.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.cheapest_constants import cheapest_constant, cost_at_the_value
from theorems.bottleneck_structure.known_costs.constants import slopes_at_most_one
from verify import Claim, Domain, Networks, Source, interval
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, ge


def start(f, s):
    r"""The point :math:`c_2 e_1`."""
    return s * eye(f.widths[0])[0]


def cost_of_the_last_layers(f, s, after=2, times=1):
    c2, p = cheapest_constant(s, f.depth + 2)
    return ge(cost_at_the_value(f, times * start(f, s), c2[-1]), p[after:].sum())


def last_layers(*outputs, depth):
    """For s = 9/4 the layers after the second, up to a factor in the last, whose value has the direction `outputs`."""
    weights, biases = ["3/2", "97/24"][:depth], ["2/3", "1"][:depth]
    directions = [rationals([1])] * (depth - 1) + [rationals(outputs)]
    W = [rationals([[w]]) * u[:, None] for w, u in zip(weights, directions, strict=True)]
    return {"f": FullyConnected(W, [rationals([b]) * u for b, u in zip(biases, directions, strict=True)]), "s": "9/4"}


CLAIM = Claim(
    id="bottleneck_structure.splitting.constants",
    title="Behind any layer the cheapest network for a constant is the cheapest",
    source=Source("bottleneck_structure", "Section 3.3, representation geodesics"),
    statement=cost_of_the_last_layers,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "s": interval(1, np.inf, often=(1, 2), role="free")},
        {"depth": (1, 2, 3, 4), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {
            "slopes at most 1": slopes_at_most_one,
            "not zero at the start": lambda f, s: (f(start(f, s)) != 0).any(),
        },
    ),
    needs=("slopes at most 1",),
    tight={
        "1 layer": partial(last_layers, 1, depth=1),
        "2 layers": partial(last_layers, 1, depth=2),
        "2 layers, 2 outputs": partial(last_layers, "3/5", "4/5", depth=2),
    },
    false_variants={"one layer more": {"after": 1}, "from twice the value": {"times": 2}},
)
