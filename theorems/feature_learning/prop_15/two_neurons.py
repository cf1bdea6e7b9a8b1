r"""Beside Proposition 15: three points need more than two neurons.

Statement
    Two neurons reach 5, -5, 5 at -1, 0, 1 with the norm 65 at best, where three attain the bound 49 of `three_points`: their
    weights are :math:`(\sqrt{10}, \pm\sqrt{10}, 0)` and (-2, 0, 2), with :math:`b_0 = -1`. So N neurons are needed for N = 3.
Checked
    Outputs and norm of all networks of two balanced neurons that reach the outputs, in four forms, up to mirror images.
Proof idea
    As the second difference of the outputs is 20 and the ends are equal, either both neurons have a cusp between the points, in
    opposite directions with equal signs or in one direction with opposite signs; or one of them has a cusp, and the other one
    is active at all points, with either sign.
Tight
    Cusps at 0.
Not checked
    That the four forms are all networks of two neurons: the idea of the proof says it.
Source
    feature_learning, Proposition 15; all of this is derived here.
"""

from theorems.feature_learning.constructions.one_dimension import at_points, lengths
from verify import Claim, DerivedHere, Domain, Source, derived, integers, reals
from verify.words import absolute, eq, ge, relu, stack, vector, where


def two_neurons(form, middle, other):
    r"""Balanced neurons u as rows, signs of their outgoing weights and :math:`b_0` for the outputs 5, -5, 5 at -1, 0, 1.

    The values of the first neuron at 0 and 1 are the positive part of `middle`, and p. The second one has the positive part of
    `other` at 0 and p at -1 (form 0); 10 more than the first at 0, and p at 1 (form 1); or its lower end is |`other`|, at 1
    (form 2) or at -1 (form 3).
    """
    m, o, low = relu(middle), relu(other), absolute(other)
    p = where(form == 0, 10 + m + o, where(form == 1, 20 + 2 * m + low, 20 + 2 * m))
    shapes = [(other - p, other), (p - m - 10, m + 10), (-p / 2, low + p / 2), (p / 2, low + p / 2)]
    second = sum(where(form == k, vector(*shape), 0) for k, shape in enumerate(shapes))
    sign = where((form == 1) | (form == 3), -1, 1)
    b_0 = where(form == 0, 5 - p, where(form == 1, 5, where(form == 2, 5 - low - p, 5 + low)))
    return stack([vector(p - middle, middle), second]), vector(1, sign), b_0


def two_neurons_cost(form, middle, other):
    u, signs, b_0 = two_neurons(form, middle, other)
    outputs = signs @ relu(u @ at_points([-1, 0, 1], 1)) + b_0
    return eq(outputs, [5, -5, 5], name="outputs") & ge(2 * lengths(u).sum() + b_0**2, 65, name="norm")


def without_the_output_bias(form, middle, other):
    u, _, _ = two_neurons(form, middle, other)
    return ge(2 * lengths(u).sum(), 65)


def cusps_between_the_points(form, middle, other):
    """The neurons with a cusp are not active at the far end."""
    (first, second), _, _ = two_neurons(form, middle, other)
    return (first[1] - first[0] <= 0) & ((form != 0) | (second[1] + second[0] <= 0))


# as far as cusps that leave the gap
FOURFOLD = derived(lambda number: 4 * number, number=reals())

TWO_NEURONS = Claim(
    id="feature_learning.prop_15.two_neurons",
    title="Two neurons are not enough for three points",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=two_neurons_cost,
    domain=Domain(
        {"form": integers(0, 3), "middle": FOURFOLD, "other": FOURFOLD},
        hypotheses={"the cusps are between the points": cusps_between_the_points},
    ),
    tight={"cusps at 0": {"form": 0, "middle": 0, "other": 0}},
    needs=("the cusps are between the points",),
    false_variants={"without the output bias": without_the_output_bias},
)
