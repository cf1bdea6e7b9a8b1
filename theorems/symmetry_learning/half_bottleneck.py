r"""A bottleneck is finer than the symmetry of the values.

Statement
    The full symmetry of f is :math:`x \sim_{full} y \iff f(x) = f(y)`; every symmetry of f, with f(x) = f(y) for
    :math:`x \sim y`, is finer. With a half bottleneck, :math:`\dim \Omega/{\sim} \ge d_{out}`, networks learn
    :math:`\sim_{full}` in place of :math:`\sim` in the bottleneck.
Checked
    For f = h(g(x)) through a bottleneck, with :math:`x \sim_g y \iff g(x) = g(y)`, on the points of a sample: :math:`\sim_g` is
    finer than :math:`\sim_{full}`, and f has at most as many values as g. If h is linear and injective, they are equal:
    nothing else of x is left; a bottleneck of the width :math:`d_{out} \le \dim` has such an h (h = id, g = f). For functions
    that do not change when coordinates are exchanged, the orbits are finer than :math:`\sim_{full}`, and the sum of the
    coordinates has fewer values than orbits. g is a network of depth 2 with small integers, and h(y) = Hy, so that equal
    values are exactly equal.
Proof idea
    g(x) = g(y) gives h(g(x)) = h(g(y)), and the converse for injective h.
Tight
    As many values of f as of g: h = id.
Not checked
    That trained networks have such an h: the talk gives it as an observation.
Source
    symmetry_learning, Impact of the output dimension.
"""

from itertools import permutations

import numpy as np

from verify import Claim, Domain, Source, derived, integers
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, le, lifted, rank, stack

network, activation = lifted(FullyConnected), lifted(leaky_relu)


def shallow(W1, b, W2, slope):
    return network([W1, W2], [b, 0 * W2[:, 0]], activation(slope))


def same(Y):
    """Which of the points have equal values, as a matrix."""
    return (Y[:, None] == Y[None]).all(axis=-1)


def classes(equivalent):
    """Number of classes: of points that are equivalent to none before them."""
    earlier = np.tri(len(equivalent), k=-1, dtype=np.bool_)
    return (~(equivalent & earlier).any(axis=1)).sum()


def bottleneck_is_finer(g, H, X):
    Y = g(X)
    kept, full = same(Y), same(Y @ H.T)
    return le(kept, full, name="finer") & le(classes(full), classes(kept), name="values")


def bottleneck_is_coarser(g, H, X):
    Y = g(X)
    return le(same(Y @ H.T), same(Y))


def finer_than_the_points(g, X):
    return le(same(g(X)), same(X))


def nothing_else_is_left(g, H, X):
    Y = g(X)
    return eq(same(Y), same(Y @ H.T))


def by_one_value(g, H, X):
    Y = g(X)
    return eq(same(Y), same(Y @ H[:1].T))


def by_two_of_three_values(g, H, X):
    """Where there are three of each; by all values else."""
    Y = g(X)
    return eq(same(Y), same(Y @ (H[:2] if H.shape == (3, 3) else H).T))


def orbits(X):
    """Which points are equal up to the order of their coordinates."""
    return same(np.sort(X, axis=1))


def symmetrised(f, X):
    return sum(f(X[:, list(order)]) for order in permutations(range(X.shape[1])))


def orbits_are_finer(f, X):
    return le(orbits(X), same(symmetrised(f, X)))


def orbits_are_all(f, X):
    return le(same(symmetrised(f, X)), orbits(X))


def without_the_sum(f, X):
    return le(orbits(X), same(f(X)))


def sum_has_fewer_values():
    """On the grid {0, 1, 2, 3}^2 the sum has 7 values, sum and product together have 10, and there are 10 orbits."""
    X = rationals(list(np.ndindex(4, 4)))
    both = stack([X.sum(axis=1), X[:, 0] * X[:, 1]], axis=1)
    return eq([classes(same(both[:, :1])), classes(same(both)), classes(orbits(X))], [7, 10, 10])


def identity():
    return FullyConnected([rationals(eye(2))])


def integer_networks(outputs, role):
    return derived(
        shallow,
        W1=integers(-2, 2, "width", "inputs"),
        b=integers(-2, 2, "width"),
        W2=integers(-2, 2, outputs, "width"),
        slope=integers(-1, 1),
        role=role,
    )


SOURCE = Source("symmetry_learning", "Impact of the output dimension")
BOTTLENECK = {
    "g": integer_networks("bottleneck", "first part"),
    "H": integers(-1, 2, "outputs", "bottleneck"),
    "X": integers(-1, 2, 5, "inputs"),
}
SIZES = {"inputs": range(1, 4), "width": (2, 4), "bottleneck": range(1, 4), "outputs": range(1, 4)}
INJECTIVE = "the outer map is injective"

CLAIM = Claim(
    id="symmetry_learning.half_bottleneck",
    title="What a bottleneck takes for equal has equal values",
    source=SOURCE,
    statement=bottleneck_is_finer,
    domain=Domain(BOTTLENECK, SIZES),
    tight={"the identity": lambda: {"g": identity(), "H": [[1, 0], [0, 1]], "X": [[1, 0], [1, 0], [0, 2]]}},
    false_variants={"the bottleneck is coarser": bottleneck_is_coarser, "it tells all points apart": finer_than_the_points},
)

INJECTION = Claim(
    id="symmetry_learning.half_bottleneck.injective",
    title="Before an injective map a bottleneck keeps the values and nothing else",
    source=SOURCE,
    statement=nothing_else_is_left,
    domain=Domain(BOTTLENECK, SIZES, {INJECTIVE: lambda H: rank(H) == H.shape[1]}),
    needs=(INJECTIVE,),
    false_variants={"the first output": by_one_value, "two of three outputs": by_two_of_three_values},
)

ORBITS = Claim(
    id="symmetry_learning.half_bottleneck.orbits",
    title="A true symmetry is finer than the symmetry of the values",
    source=SOURCE,
    statement=orbits_are_finer,
    domain=Domain(
        {"f": integer_networks("outputs", "shallow network"), "X": integers(-1, 2, 5, "inputs", role="few points")},
        {"inputs": range(2, 4), "width": (2, 3), "outputs": range(1, 4)},
    ),
    tight={"two orbits": lambda: {"f": identity(), "X": [[1, 0], [0, 1], [0, 2]]}},
    false_variants={"the values tell orbits apart": orbits_are_all, "without the sum": without_the_sum},
    exact={"sum and product on a grid": sum_has_fewer_values},
)
