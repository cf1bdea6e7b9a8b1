r"""Proposition 5: a true function of rank k bounds the cost of minimisers.

Statement
    Let :math:`f^* = h \circ g` through dimension k, with networks of depths :math:`L_g, L_h` for g and h. Let the labels be
    :math:`y_i = f^*(x_i)`, and let w be a global minimiser of
    :math:`\frac1N \sum_i \|F_w(x_i) - y_i\|^2 + \frac\lambda L \|w\|^2` at a depth :math:`L \ge L_g + L_h` and the widths of
    Theorem 1. Then

    .. math:: \frac{R(F_w)}{L} \le k + \frac CL, \quad \frac1N \sum_i \|F_w(x_i) - y_i\|^2 \le \lambda \Bigl(k + \frac CL\Bigr),

    with :math:`C = N(L_0; s, 1) - kL_0` at :math:`L_0 = L_g + L_h` for the norm N of Theorem 1. It depends on :math:`f^*`, the
    domain and the activation only. With labels :math:`y_i = f^*(x_i) + e_i` the bound needs one more term (``.noise``),

    .. math:: \frac{R(F_w)}{L} \le k + \frac CL + \frac1{\lambda N} \sum_i \|e_i\|^2 .

    The slides do not say how the labels are made from :math:`f^*`. Without noise is the reading under which the bound is true.
Checked
    Of a minimiser only one thing is used: its loss is no larger than that of the network of Theorem 1. The bounds are checked
    for all networks with this property, near that network and far from it.
Proof idea
    The ridge bounds the norm, and the data loss is not negative.
Tight
    The identity of the unit square, where C = 0; with noise a constant that fits a label and has the loss of the network of
    Theorem 1; for the data loss the zero network, where it has that loss.
Source
    notion_of_rank, Proposition 5; the term for the noise is derived here.
"""

from dataclasses import replace
from functools import partial

from theorems.notion_of_rank.constructions import rank_one
from theorems.notion_of_rank.theorem_1.statement import N, through
from theorems.shared import bottleneck
from verify import Claim, DerivedHere, Domain, Networks, Q, Source, Tight, derived, integers, interval, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import holds, le, lifted, norm2, ones, zeros

moved = lifted(rank_one.moved)


def case(parts, X, s, noise, noisy, step, network, root, identities):
    """What is given: g and h, the network of Theorem 1 and another one, data and labels, shift, noise and ridge."""
    g, h = parts
    true, E = through(g, h, g.depth + h.depth + identities, s), noisy * noise
    return parts, true, moved(true, network, step), X, h(g(X)) + E, s, E, root**4


def constant(case):
    """C of the statement."""
    parts, _, _, _, _, s, _, _ = case
    return N(parts, s, ones(len(s)), 0)


def bounded_by(bound, case):
    """The bounds of the norm and of the data loss, times L."""
    _, _, F, X, Y, _, _, ridge = case
    data_loss = norm2(F(X) - Y) / len(X)
    return le(F.parameter_norm_squared, bound, name="norm") & le(F.depth * data_loss, ridge * bound, name="data loss")


def cost_of_minimiser(case):
    _, _, F, _, _, s, _, _ = case
    return bounded_by(len(s) * F.depth + constant(case), case)


def a_dimension_less(case):
    _, _, F, _, _, s, _, _ = case
    return bounded_by((len(s) - 1) * F.depth + constant(case), case)


def without_the_constant(case):
    _, _, F, _, _, s, _, _ = case
    return bounded_by(len(s) * F.depth, case)


def cost_with_noise(case, share=1):
    _, _, F, X, _, s, E, ridge = case
    return bounded_by(len(s) * F.depth + constant(case) + share * F.depth * norm2(E) / (ridge * len(X)), case)


def is_no_worse(case):
    _, true, F, X, Y, _, _, ridge = case
    share = ridge * len(X) / F.depth
    loss, most = (norm2(one(X) - Y) + share * one.parameter_norm_squared for one in (F, true))
    return holds(le(loss, most))


def is_lifted(case):
    (g, _), _, _, X, _, s, _, _ = case
    return (g(X) + s >= 0).all()


def chain(k, L):
    return bottleneck.identity_chain(k, L)


def identity_of_the_square():
    X = rationals([[0, 0], [1, 0], ["1/2", "1/3"]])
    return {"case": ((chain(2, 2), chain(2, 1)), chain(2, 4), chain(2, 4), X, X, zeros(2), 0 * X, Q(1, 8))}


def on_a_line(constant, point, noise, ridge):
    """The identity of norm 4, and a constant."""
    zero = rationals([0])
    F = FullyConnected([rationals([[0]])] * 4, [zero, zero, zero, zero + constant])
    X, E = rationals([[point]]), rationals([[noise]])
    return {"case": ((chain(1, 2), chain(1, 1)), chain(1, 4), F, X, X + E, zero, E, Q(ridge))}


def zero_network():
    """The zero network at the ridge 1 and one point: it has the loss of the network of Theorem 1 for the first coordinate."""
    layers = {"inner.W1": [[1, 0]], "inner.b1": [0], "outer.W1": [[1]], "outer.b1": [0], "slope": 0}
    zero = {"W1": [[0] * 2] * 3, "b1": [0] * 3, "W2": [[0] * 3], "b2": [0]}
    parts = {f"parts.{name}": value for name, value in layers.items()} | {
        f"network.{name}": value for name, value in zero.items()
    }
    given = {"X": [[1, 0]], "s": [0], "noise": [[0]], "noisy": 0, "step": 4, "root": 1}
    sizes = {"inner_depth": 1, "outer_depth": 1, "identities": 0}
    return sizes | {f"case.{name}": value for name, value in (parts | given).items()}


LIFTED = "the shift makes g non-negative"
NO_WORSE = "the loss is at most that of the network of Theorem 1"
NO_NOISE = "the labels have no noise"
DOMAIN = Domain(
    {
        "case": derived(
            case,
            parts=derived(
                lifted(bottleneck.with_common_slope),
                inner=Networks(depth="inner_depth", inputs=2, width=2, outputs="bottleneck", slope=0),
                outer=Networks(depth="outer_depth", inputs="bottleneck", width=2, slope=0),
                slope=slopes(-2, 2),
            ),
            X=reals("count", 2),
            s=reals("bottleneck"),
            noise=reals("count", "outputs"),
            noisy=integers(0, 1),
            step=integers(0, 4),
            network=Networks(
                depth=lambda sizes: sizes["inner_depth"] + sizes["outer_depth"] + sizes["identities"], inputs=2, width=3
            ),
            root=interval(Q("1/8"), Q("3/2")),
        )
    },
    {
        "count": (1, 3, 4),
        "inner_depth": (1, 2),
        "outer_depth": (1, 2),
        "bottleneck": (1, 2, 3),
        "identities": (0, 2, 9),
        "outputs": (1, 2),
    },
    {NO_WORSE: is_no_worse, LIFTED: is_lifted, NO_NOISE: lambda case: norm2(case[6]) == 0},
)

CLAIM = Claim(
    id="notion_of_rank.prop_5",
    title="A true function of bottleneck rank k bounds the cost of minimisers",
    source=Source("notion_of_rank", "Proposition 5"),
    statement=cost_of_minimiser,
    domain=DOMAIN,
    needs=(NO_WORSE, LIFTED, NO_NOISE),
    tight={
        "the identity of the square": Tight(identity_of_the_square, of=("norm",)),
        # for the ridge 1 the identity and 0 have the loss 1 at the point 1 with the label 1
        "the zero network": Tight(partial(on_a_line, 0, 1, 0, 1), of=("data loss",)),
    },
    examples=[zero_network()],
    false_variants={"k - 1 per layer": a_dimension_less, "without C": without_the_constant},
    cost=2,
)

NOISE = Claim(
    id="notion_of_rank.prop_5.noise",
    title="Label noise adds its energy over the ridge to the cost of minimisers",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=cost_with_noise,
    domain=replace(DOMAIN, hypotheses={NO_WORSE: is_no_worse, LIFTED: is_lifted}),
    needs=(NO_WORSE, LIFTED),
    tight={
        # at the point 0 with the label 4 both losses are 64/3
        "a constant through a label": Tight(partial(on_a_line, 4, 0, 4, "16/3"), of=("norm",)),
        # at the point 1 with the label 2 both losses are 4
        "the zero network": Tight(partial(on_a_line, 0, 1, 1, 3), of=("data loss",)),
    },
    false_variants={"no term for the noise": {"share": 0}, "half the term for the noise": {"share": Q(1, 2)}},
    cost=2,
)
