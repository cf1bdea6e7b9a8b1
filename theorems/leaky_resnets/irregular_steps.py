r"""Irregular steps, :math:`\rho_\ell = \frac1M + \frac aM(\frac14 - |\frac\ell M - \frac12|)`, are short at both ends.

Statement
    The steps are to sum up to 1, for every number M of layers and :math:`a \in [0, 1)`. To guarantee :math:`\rho_\ell L < 1`
    one needs :math:`M > (1 + \frac a4)L`.
Correction
    Their sum is 1 for even M only, and :math:`1 - \frac a{4M^2}` for odd M; divided by it, the steps sum up to 1 for all. The
    longest step is (``.extremes``)

    .. math:: \max_\ell\rho_\ell = \frac1M\Bigl(1 + \frac a4\Bigr) \text{ for even } M, \qquad
              \frac1M\Bigl(1 + \frac a4 - \frac a{2M}\Bigr) \text{ for odd } M ,

    so that :math:`M > (1 + \frac a4)L` is enough, and needed for even M only. The shortest is the last,
    :math:`\frac1M(1 - \frac a4)`; the first, for M > 1, is longer by :math:`a/M^2`: the steps are not symmetric.
Checked
    Sum, renormalised sum and extremes for M up to 13 and M = 40, and all a; on rationals the sums for M up to 100: they are
    affine in a, so that two values of a decide all.
Sharp
    The condition on M, for even M.
Source
    leaky_resnets, Section 3.
"""

from __future__ import annotations

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, interval, le
from verify.arithmetic import Array, largest, rationals, smallest
from verify.networks.leaky_resnet import irregular_steps, irregular_steps_renormalised

Steps = tuple[Array, Array]
"""The contrast a and the steps, shapes ``(...)`` and ``(..., M)``."""


def scheme(contrast: Array, layers: int) -> Steps:
    """The contrast a with its M steps."""
    return contrast, irregular_steps(layers, contrast)


def sum_of_steps(steps: Steps, four: int = 4) -> Relation:
    r"""The sum against 1 or :math:`1 - a/(4M^2)`, and the renormalised steps."""
    a, rho = steps
    count = rho.shape[-1]
    total = rho.sum(axis=-1)
    renormalised = irregular_steps_renormalised(count, a)
    return (
        eq(total, 1 - (count % 2) * a / (four * count**2), name="sum")
        & eq(renormalised.sum(axis=-1), 1, name="renormalised sum")
        & eq(renormalised * total[..., None], rho, name="renormalised", over=1)
    )


def sums_to_one(steps: Steps) -> Relation:
    """What is printed."""
    return eq(steps[1].sum(axis=-1), 1)


def extremes(steps: Steps, four: int = 4, two: int = 2) -> Relation:
    r"""Longest, shortest, last and first step; and :math:`\rho_\ell L \le 1` at :math:`M = (1 + a/4)L`."""
    a, rho = steps
    count = rho.shape[-1]
    longest = (1 + a / four - (count % 2) * a / (two * count)) / count
    shortest = (1 - a / four) / count
    first = shortest + (a / count**2 if count > 1 else 0 * a)
    return (
        eq(largest(rho), longest, name="longest")
        & eq(smallest(rho), shortest, name="shortest")
        & eq(rho[..., -1], shortest, name="last")
        & eq(rho[..., 0], first, name="first")
        & le(largest(rho) * count / (1 + a / four), 1, name="depth")
    )


def sums_up_to_a_hundred() -> Relation:
    """Sums for all M up to 100, at a = 0 and a = 1/2."""
    relation = Relation(())
    for count in range(1, 101):
        relation &= sum_of_steps(scheme(rationals([0, "1/2"]), count))
    return relation


def even_number() -> dict[str, Steps]:
    """Two layers: the first is the longest step that is allowed."""
    return {"steps": scheme(rationals(["1/2"]), 2)}


# False variants


def even_sums_lack_as_much(steps: Steps) -> Relation:
    """Even M as odd M."""
    a, rho = steps
    return eq(rho.sum(axis=-1), 1 - a / (4 * rho.shape[-1] ** 2))


def sums_lack_the_order_of_a_step(steps: Steps) -> Relation:
    """What odd M lack falls as 1/M."""
    a, rho = steps
    return eq(rho.sum(axis=-1), 1 - (rho.shape[-1] % 2) * a / (4 * rho.shape[-1]))


def more_layers_than_the_leak_suffice(steps: Steps) -> Relation:
    """M = L, as for equidistant steps."""
    return le(largest(steps[1]) * steps[1].shape[-1], 1)


def steps_are_symmetric(steps: Steps) -> Relation:
    """The first step is as short as the last."""
    return eq(steps[1][..., 0], steps[1][..., -1])


def odd_numbers_reach_the_middle(steps: Steps) -> Relation:
    """The longest step of odd M is that of even M."""
    a, rho = steps
    return eq(largest(rho), (1 + a / 4) / rho.shape[-1])


STEPS = Domain({"steps": derived(scheme, contrast=interval(0, 63 / 64))}, {"layers": (*range(1, 14), 40)})
SOURCE = Source("leaky_resnets", "Section 3")

CLAIM = Claim(
    id="leaky_resnets.irregular_steps",
    title="Irregular steps sum up to 1 for even M, and to less for odd M",
    source=SOURCE,
    status=Ours(),
    statement=sum_of_steps,
    domain=STEPS,
    false_neighbours={
        "as much missing for even M": even_sums_lack_as_much,
        "a / (4 M) missing": sums_lack_the_order_of_a_step,
    },
    exact={"up to 100 layers": sums_up_to_a_hundred},
)

EXTREMES = Claim(
    id="leaky_resnets.irregular_steps.extremes",
    title="Irregular steps are at most (1 + a/4)/M long",
    source=SOURCE,
    status=Ours(),
    statement=extremes,
    domain=STEPS,
    tight={"two layers": Tight(even_number, of=("depth",))},
    false_neighbours={
        "M > L is enough": more_layers_than_the_leak_suffice,
        "the first step is as short as the last": steps_are_symmetric,
        "the longest step of odd M": odd_numbers_reach_the_middle,
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
