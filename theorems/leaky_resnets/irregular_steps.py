r"""Irregular steps, :math:`\rho_\ell = \frac1M + \frac aM(\frac14 - |\frac\ell M - \frac12|)`, are short at both ends.

Steps are to sum up to 1. Printed is this choice for every number M of layers and :math:`a \in [0, 1)`. Its sum is 1 for even M
only, and :math:`1 - \frac a{4M^2}` for odd M; divided by it, the steps sum up to 1 for all. The longest step is

.. math:: \max_\ell\rho_\ell = \frac1M\Bigl(1 + \frac a4\Bigr) \text{ for even } M, \qquad
          \frac1M\Bigl(1 + \frac a4 - \frac a{2M}\Bigr) \text{ for odd } M ,

so that :math:`M > (1 + \frac a4)L`, which is printed as what guarantees :math:`\rho_\ell L < 1`, does so, and is needed for
even M. The shortest is the last, :math:`\frac1M(1 - \frac a4)`; the first, for M > 1, is longer: the steps are not symmetric.

What is checked: sum, renormalised sum and extremes for M up to 12 and all a; on rationals the sums for M up to 100: they are
affine in a, so that two values of a decide all.

Source: leaky_resnets, Section 3.
"""

from __future__ import annotations

from functools import partial

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, interval, le
from verify.arithmetic import Array, largest, rationals, smallest
from verify.networks.leaky_resnet import irregular_steps, irregular_steps_renormalised


def scheme(contrast: Array, layers: int) -> tuple[Array, Array]:
    """The contrast a with its M steps, shapes ``(...)`` and ``(..., M)``."""
    return contrast, irregular_steps(layers, contrast)


def sum_of_steps(steps: tuple[Array, Array], odd: int = 4, even: int = 0, power: int = 2) -> Relation:
    r"""The sum against :math:`1 - a/(4M^2)` or 1, and the sum after renormalisation; the keywords are for false neighbours."""
    a, rho = steps
    count = rho.shape[-1]
    missing = a / (odd * count**power) if count % 2 else even * a / (4 * count**power)
    renormalised = irregular_steps_renormalised(count, a)
    total = rho.sum(axis=-1)
    relation = eq(total, 1 - missing) & eq(renormalised.sum(axis=-1), 0 * a + 1)
    return relation & eq(renormalised * total[..., None], rho, over=1)


def sums_to_one(steps: tuple[Array, Array]) -> Relation:
    """What is printed."""
    a, rho = steps
    return eq(rho.sum(axis=-1), 0 * a + 1)


def extremes(steps: tuple[Array, Array], odd: int = 2, needed: int = 1, first: int = 1) -> Relation:
    r"""Longest, shortest, last and first step; and :math:`\rho L \le 1` at :math:`M = (1 + a/4)L`."""
    a, rho = steps
    count = rho.shape[-1]
    longest = (1 + a / 4 - (a / (odd * count) if count % 2 else 0)) / count
    shortest = (1 - a / 4) / count
    ahead = first * a / count**2 if count > 1 else 0 * a
    relation = eq(largest(rho), longest) & eq(smallest(rho), shortest) & eq(rho[..., -1], shortest)
    relation &= eq(rho[..., 0], shortest + ahead)
    return relation & le(largest(rho) * count / (1 + needed * a / 4), 0 * a + 1)


def sums_up_to_a_hundred() -> Relation:
    """Sums for all M up to 100, at a = 0 and a = 1/2."""
    relation = Relation(())
    for count in range(1, 101):
        relation &= sum_of_steps(scheme(rationals([0, "1/2"]), count))
    return relation


def even_number() -> dict[str, tuple[Array, Array]]:
    """Two layers: the first is the longest step that is allowed."""
    return {"steps": scheme(rationals(["1/2"]), 2)}


STEPS = Domain({"steps": derived(scheme, contrast=interval(0, 63 / 64))}, {"layers": range(1, 13)})
SOURCE = Source("leaky_resnets", "Section 3")

CLAIM = Claim(
    id="leaky_resnets.irregular_steps",
    title="Sum of the irregular steps, and of the renormalised ones",
    source=SOURCE,
    status=Ours(),
    statement=sum_of_steps,
    domain=STEPS,
    false_neighbours={
        "a / (4 M) missing": partial(sum_of_steps, power=1),
        "a / (2 M^2) missing": partial(sum_of_steps, odd=2),
        "as much missing for even M": partial(sum_of_steps, even=1),
    },
    exact={"up to 100 layers": sums_up_to_a_hundred},
)

EXTREMES = Claim(
    id="leaky_resnets.irregular_steps.extremes",
    title="Longest and shortest irregular step, and the depth that the leak asks for",
    source=SOURCE,
    status=Ours(),
    statement=extremes,
    domain=STEPS,
    tight={"two layers": Tight(even_number)},
    false_neighbours={
        "longest step of odd M": partial(extremes, odd=1),
        "M > L is enough": partial(extremes, needed=0),
        "the first step is as short as the last": partial(extremes, first=0),
    },
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.irregular_steps.printed",
    title="The irregular steps sum up to 1",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.irregular_steps"),
    statement=sums_to_one,
    domain=STEPS,
    false_neighbours={},
)
