r"""Irregular steps are short at both ends.

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
Tight
    The condition on M, for even M.
Source
    leaky_resnets, Section 3.
"""

from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Relation, Source, Tight, derived, interval
from verify.networks.leaky_resnet import irregular_steps, irregular_steps_renormalised
from verify.numbers.arithmetic import rational, rationals
from verify.words import eq, greatest, le, least, lifted

renormalised_steps = lifted(irregular_steps_renormalised)


def scheme(a, layers):
    """The contrast a, and the steps of the engine."""
    return a, lifted(irregular_steps)(layers, a)


def sum_of_steps(steps, order=2):
    a, rho = steps
    M, renormalised = len(rho), renormalised_steps(len(rho), a)
    return (
        eq(rho.sum(), 1 - (M % 2) * a / (4 * M**order), name="sum")
        & eq(renormalised.sum(), 1, name="renormalised sum")
        & eq(renormalised * rho.sum(), rho, name="renormalised")
    )


def even_sums_lack_as_much(steps):
    a, rho = steps
    return eq(rho.sum(), 1 - a / (4 * len(rho) ** 2))


def sums_to_one(steps):
    return eq(steps[1].sum(), 1)


def extremes(steps):
    a, rho = steps
    M = len(rho)
    shortest = (1 - a / 4) / M
    return (
        eq(greatest(rho), (1 + a / 4 - (M % 2) * a / (2 * M)) / M, name="longest")
        & eq(least(rho), shortest, name="shortest")
        & eq(rho[-1], shortest, name="last")
        & eq(rho[0], shortest + (M > 1) * a / M**2, name="first")
        & le(greatest(rho) * M / (1 + a / 4), 1, name="depth")
    )


def more_layers_than_the_leak_suffice(steps):
    """M = L, as for equidistant steps."""
    rho = steps[1]
    return le(greatest(rho) * len(rho), 1)


def steps_are_symmetric(steps):
    return eq(steps[1][0], steps[1][-1])


def odd_numbers_reach_the_middle(steps):
    a, rho = steps
    return eq(greatest(rho), (1 + a / 4) / len(rho))


def sums_up_to_a_hundred():
    """Sums for all M up to 100, at a = 0 and a = 1/2."""
    relation = Relation(())
    for M in range(1, 101):
        for a in rationals([0, "1/2"]):
            relation &= sum_of_steps(scheme(a, M))
    return relation


STEPS = Domain({"steps": derived(scheme, a=interval(0, 63 / 64))}, {"layers": (*range(1, 14), 40)})
SOURCE = Source("leaky_resnets", "Section 3")

CLAIM = Claim(
    id="leaky_resnets.irregular_steps",
    title="Irregular steps sum up to 1 for even M, and to less for odd M",
    source=SOURCE,
    status=DerivedHere(),
    statement=sum_of_steps,
    domain=STEPS,
    false_variants={"as much missing for even M": even_sums_lack_as_much, "a / (4 M) missing": {"order": 1}},
    exact={"up to 100 layers": sums_up_to_a_hundred},
)

EXTREMES = Claim(
    id="leaky_resnets.irregular_steps.extremes",
    title="Irregular steps are at most (1 + a/4)/M long",
    source=SOURCE,
    status=DerivedHere(),
    statement=extremes,
    domain=STEPS,
    # the first of two layers is the longest step that is allowed
    tight={"two layers": Tight(lambda: {"steps": scheme(rational("1/2"), 2)}, of=("depth",))},
    false_variants={
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
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=sums_to_one,
    domain=STEPS,
)
