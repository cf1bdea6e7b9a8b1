r"""Networks learn translation symmetries in the first layer.

Statement
    Shallow networks learn functions f = h(Ax) with Rank A below the dimension: f(x + v) = f(x) for all v in the kernel of A.
Checked
    For networks of every depth, with first weights :math:`W_1` and the projection :math:`P = W_1^+ W_1`:
    f(x + z - Pz) = f(x), f(x) = f(Px), and :math:`\mathrm{Rank}\,Jf(x) \le \mathrm{Rank}\,W_1`.
    The other way round: if f is invariant along v, the network with :math:`W_1 (I - vv^T/\|v\|^2)` in place of :math:`W_1` has
    the same values and no larger a norm. So minimisers have :math:`W_1 v = 0`. These networks have depth 2, and two neurons
    that see v and whose outputs cancel. A larger space of symmetries is projected out line by line.
Proof idea
    :math:`f(x) = f(P_{v^\perp} x)`, and a projection makes no norm larger.
Tight
    One neuron, for the rank; first weights across v.
Not checked
    That training finds a minimiser.
Source
    symmetry_learning, the slides on low-dimensional structure (shallow networks); the converse is derived here.
"""

from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, integers, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import block, concatenate, eq, eye, le, lifted, norm2, pinv, rank, zeros

network = lifted(FullyConnected)


def kernel_is_not_seen(f, x, z):
    W, value = f.weights[0], f(x)
    P = pinv(W) @ W
    return (
        eq(f(x + z - P @ z), value, name="kernel")
        & eq(f(P @ x), value, name="projection")
        & le(rank(f.jacobian(x)), rank(W), name="rank")
    )


def every_direction(f, x, z):
    return eq(f(x + z), f(x))


def within_the_row_space(f, x, z):
    W = f.weights[0]
    return eq(f(x + pinv(W) @ W @ z), f(x))


def rank_one_less(f, x):
    return le(rank(f.jacobian(x)), rank(f.weights[0]) - 1)


def with_first_weights(f, W):
    return network([W, *f.weights[1:]], f.biases, f.activation)


def projected(f, v):
    """The network whose first layer does not see v."""
    W, v = f.weights[0], v[None, :]
    return with_first_weights(f, W - W @ (pinv(v) @ v))


def projection_costs_nothing(moved, x):
    f, v = moved
    g = projected(f, v)
    return eq(g(x), f(x), name="values") & le(g.parameter_norm_squared, f.parameter_norm_squared, name="norm")


def half_of_the_weights(moved):
    f, v = moved
    return le(2 * norm2(projected(f, v).weights[0]), norm2(f.weights[0]))


def first_coordinate(moved, x):
    f, v = moved
    return eq(with_first_weights(f, f.weights[0] * (1 - eye(len(v))[0]))(x), f(x))


def with_cancelling_neurons(f, v, w, a, cancels):
    """A shallow network that does not see v, with two more neurons that do; their outputs cancel where `cancels` is 1."""
    W, V = projected(f, v).weights
    weights = [concatenate([W, [w, w]]), block([[V, a[:, None], -cancels * a[:, None]]])]
    return network(weights, [concatenate([f.biases[0], zeros(2)]), f.biases[1]], f.activation), v


def invariant(moved):
    f, v = moved
    W, V = f.weights
    return (W[-1] @ v == 0) | (V[:, -2:].sum(axis=1) == 0).all()


def one_neuron():
    layers = [rationals([[2, 0]]), rationals([[1]]), rationals([[1]])]
    return {"f": FullyConnected(layers), "x": [1, 5], "z": [1, 1]}


def across():
    f = FullyConnected([rationals([[2, 0], [1, 0], [1, 0]]), rationals([[1, 3, 4]])])
    return {"moved": (f, rationals([0, 1])), "x": [1, 1]}


INVARIANT = "the function does not see the direction"

CLAIM = Claim(
    id="symmetry_learning.translation_symmetry",
    title="A network does not change along the kernel of its first weights",
    source=Source("symmetry_learning", "Shallow networks"),
    statement=kernel_is_not_seen,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point"), "z": reals("inputs", role="third point")},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 5), "width": range(1, 4), "outputs": range(1, 4)},
    ),
    tight={"one neuron": Tight(one_neuron, of=("rank",))},
    false_variants={
        "every direction": every_direction,
        "the row space": within_the_row_space,
        "the rank less one": rank_one_less,
    },
)

CONVERSE = Claim(
    id="symmetry_learning.translation_symmetry.projection",
    title="Projecting out a translation symmetry costs nothing",
    source=Source("symmetry_learning", "derived here"),
    status=DerivedHere(),
    statement=projection_costs_nothing,
    domain=Domain(
        {
            "moved": derived(
                with_cancelling_neurons,
                f=Networks(depth=2, slope=(-2, 2)),
                v=reals("inputs"),
                w=reals("inputs"),
                a=reals("outputs"),
                cancels=integers(0, 1),
            ),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        {INVARIANT: invariant},
    ),
    needs=(INVARIANT,),
    tight={"weights across the direction": Tight(across, of=("norm",))},
    false_variants={"half of the weights": half_of_the_weights, "the first coordinate": first_coordinate},
)
