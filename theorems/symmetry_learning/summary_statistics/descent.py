r"""Summary statistics under gradient descent close.

Statement
    A step of gradient descent without noise takes :math:`a = w^Tv` and :math:`b = \|(I - ww^T)v\|` to
    :math:`a(1 - 4\eta(a^2 + b^2 - 1))` and :math:`b\,|1 - 4\eta(a^2 + b^2)|`. Two starts that a rotation about w takes into
    each other have the same losses at all times.
Checked
    The step; the losses of four steps from a start and from its reflection along a direction across w. These reflections
    generate the rotations about w.
Proof idea
    The gradient is a combination of v and w.
Source
    bottleneck_structure, Section 5; the step is derived here.
"""

from theorems.shared.hidden_direction import PLANE, SIZES, gradient, loss, statistics
from theorems.shared.vectors import reflected
from verify import Claim, DerivedHere, Domain, Source, interval, reals
from verify.words import eq, stack


def step_closes(v, w, eta, rate=4, one=1):
    (p, q), after = statistics(v, w), v - eta * gradient(v, w)
    along = eq(w @ after, (w @ v) * (1 - rate * eta * (p + q - one)), name="along")
    return along & eq(statistics(after, w)[1], q * (1 - rate * eta * (p + q)) ** 2, name="across")


def losses(v, w, eta):
    """At the start and after each of four steps."""
    C = [loss(v, w)]
    for _ in range(4):
        v = v - eta * gradient(v, w)
        C.append(loss(v, w))
    return stack(C)


def rotations_keep_losses(v, w, eta, u):
    return eq(losses(v, w, eta), losses(reflected(v, u - (w @ u) * w), w, eta))


def every_reflection(v, w, eta, u):
    return eq(losses(v, w, eta), losses(reflected(v, u), w, eta))


def only_the_length(v, w, eta, u):
    return eq(losses(v, w, eta), losses(reflected(reflected(v, w), u), w, eta))


GD_STEP = Claim(
    id="symmetry_learning.summary_statistics.gd_step",
    title="A step of gradient descent closes in the statistics",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=step_closes,
    domain=Domain({**PLANE, "eta": interval(0, 1)}, SIZES),
    false_variants={"law of the flow": {"rate": 8}, "a grows for p + q < 2": {"one": 2}},
)

ROTATION = Claim(
    id="symmetry_learning.summary_statistics.rotation",
    title="Rotations about the hidden direction do not change the losses",
    source=Source("bottleneck_structure", "Section 5"),
    statement=rotations_keep_losses,
    domain=Domain({"v": interval(-2, 2, "d"), "w": PLANE["w"], "eta": interval(0, 1 / 8), "u": reals("d")}, SIZES),
    false_variants={"every reflection": every_reflection, "the length of the start": only_the_length},
)
