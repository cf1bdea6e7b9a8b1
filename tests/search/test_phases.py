"""The phases, each by itself: what it refutes, what it leaves to others, and the table of the docs."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from verify import Domain, Q, attack, integers, interval, reals
from verify.claims.domain import Sample
from verify.numbers.arithmetic import FloatOnly, is_exact
from verify.numbers.relation import Verdict
from verify.search import BUDGETS, Budget, Findings, SampleCache
from verify.search.objective import Objective
from verify.search.optimiser import optimise
from verify.search.phases import PHASES, SPECIAL, phases_of, table
from verify.search.phases.constants import _named
from verify.search.phases.draw import Draw
from verify.search.phases.exhaust import Exhaust
from verify.search.phases.optimise import Optimise
from verify.search.phases.settle import SUSPECTS, FloatCounterexamples, Suspects
from verify.search.phases.swap import Swap
from verify.search.phases.sweep import Sweep
from verify.search.state import Search
from verify.search.walls import along_walls
from verify.words import absolute, eq, ge, greatest, le, norm2, sqrt, stack, where

ROOT = Path(__file__).resolve().parents[2]
LINE = Domain({"x": reals(), "y": interval(0, 1)}, {})
VECTORS = Domain({"x": reals("n"), "y": reals("m")}, {"n": range(1, 8), "m": range(1, 8)})


def search_for(statement, domain=LINE, **options):
    cache = SampleCache("toy.phases", domain, BUDGETS["quick"], 0)
    return Search(statement, cache, BUDGETS["quick"], np.random.default_rng(0), **options)


def test_the_docs_have_the_table_of_the_phases():
    text = (ROOT / "docs" / "how_it_searches.md").read_text(encoding="utf-8")
    found = text.partition("<!-- phases -->\n")[2].partition("<!-- end -->")[0]
    assert found == table({name: BUDGETS[name] for name in ("quick", "standard")})


# what lists all instances of integers has none here
DRAWS = [phase for phase in PHASES if isinstance(phase, Draw) and not isinstance(phase, Exhaust)]


@pytest.mark.parametrize("phase", DRAWS, ids=lambda phase: phase.name)
def test_a_draw_refutes_what_is_false_nearly_everywhere(phase):
    search = search_for(lambda x, y: ge(x @ x, y @ y + 1), VECTORS)
    phase.run(search)
    assert search.is_refuted
    assert search.findings.by == phase.name
    assert search.findings.feasible > 0


@pytest.mark.parametrize("place", range(len(PHASES)))
def test_a_phase_refutes_nothing_that_is_true(place):
    search = search_for(lambda x, y: le(y * y, y) & ge(x * x, 0, name="square"), thorough=True)
    for phase in PHASES[: place + 1]:
        phase.run(search)
    assert not search.is_refuted
    # there are no examples
    assert search.findings.names == ({"#1", "square"} if place else set())


def test_an_infinite_slack_has_its_sign():
    start = Sample({}, {"x": np.array(1.0), "y": np.array(1.0)})
    for statement, sign in ((lambda x, y: le(x * 1e308, y), -1.0), (lambda x, y: ge(x * 1e308, y), 1.0)):
        objective = Objective(statement, Domain({"x": reals(), "y": reals()}, {}), start, None, None, absolute=True)
        assert objective.values(np.array([[5.0, 1.0], [-5.0, 1.0]])).tolist() == [sign, -sign]


def test_ascents_find_what_no_draw_meets():
    needle = lambda x, y: ge((x - 3) ** 4 + (y - Q(1, 2)) ** 2 + Q(1, 10**9), (x - 3) ** 2 / 2**30)  # noqa: E731
    search = search_for(needle, thorough=True)
    found = {}
    for phase in PHASES:
        phase.run(search)
        found[phase] = search.findings.met[1]
    assert found[Sweep()] < found[SPECIAL]


def test_further_drawings_have_a_share_of_the_small_batches():
    search = search_for(lambda x: ge(x @ x, 0), VECTORS)
    met = []
    for again in (0, 1):
        (special,) = [phase for phase in phases_of(again) if phase.name == "special"]
        before = search.findings.feasible
        special.run(search)
        met.append(search.findings.feasible - before)
    assert 3.5 * met[1] > met[0] > 2 * met[1]


def test_ascents_begin_at_ordinary_instances_of_small_batches():
    search = search_for(lambda x: ge(x @ x, 0), VECTORS)
    (special,) = [phase for phase in PHASES if phase.name == "special"]
    special.run(search)
    drawn = list(search.cache.phase("special"))
    assert all(len(batch.places) > search.domain.ordinary > 0 for batch in drawn)
    ordinary = {row.tobytes() for batch in drawn for row in batch.sample.coordinates["x"][: search.domain.ordinary]}
    assert search.best
    assert search.pending.worst
    assert {one.sample.coordinates["x"].tobytes() for one in search.best} <= ordinary
    assert all(row.tobytes() in ordinary for _, sample, _ in search.pending.worst for row in sample.coordinates["x"])


def test_what_is_not_expected_to_hold_is_not_decided_for_its_floats():
    search = search_for(lambda x, y: ge(y, x))
    PHASES[1].run(search)
    before = search.findings.exactly.total()
    FloatCounterexamples().run(search)
    assert search.findings.exactly.total() == before


def test_findings_of_two_searches_add_up():
    one, other = Findings(evaluations=2, feasible=1, names={"a"}), Findings(evaluations=3, feasible=4, names={"b"})
    one.exactly[1], other.exactly[1] = 2, 5
    one.join(other)
    assert (one.evaluations, one.feasible, one.names, one.exactly[1], one.refutation) == (5, 5, {"a", "b"}, 7, None)


def test_the_optimiser_finds_a_needle_that_nothing_else_meets():
    """Four of five numbers are special, and beside 0 the relative slack tells nothing."""
    special = (Q(1, 3), Q(-7, 5), Q(9, 7), Q(3, 11))

    def needle(x):
        distance = greatest(absolute(x[:4] - stack(special)))
        return ge(distance - absolute(x[4]) / 10_000, 0)

    result = attack(needle, {"x": interval(-2, 2, 5)}, budget="standard")
    assert result.outcome == "refuted"
    assert result.found.searched.by == Optimise().name


def test_walls_are_followed_to_where_a_bound_is_worst():
    """The bound is too small by a ten-thousandth, and only where the hypothesis is attained."""
    ball = Domain({"x": reals("n")}, {"n": (6,)}, {"in the ball": lambda x: norm2(x) <= 1})
    search = search_for(lambda x: le(absolute(x).sum(), Q("9999/10000") * sqrt(len(x))), ball)
    for phase in PHASES:
        phase.run(search)
        if search.is_refuted:
            break
    assert search.findings.by == "walls"


@pytest.mark.parametrize(
    "hypothesis",
    [
        lambda x: (x[0] <= 1) | (x[1] <= 1),  # it holds where one comparison does not
        lambda x: ~(norm2(x) <= 1),
        lambda x: x[0] != x[1],
        lambda x: norm2(x) >= -1,
    ],
    ids=["or", "not", "nowhere equal", "everywhere"],
)
def test_what_is_no_wall_is_left_alone(hypothesis):
    domain = Domain({"x": reals(3)}, {}, {"no wall": hypothesis})
    start = Sample({}, {"x": np.array([0.9, 0.9, 1.1])})
    statement = lambda x: le(x[0], 100)  # noqa: E731
    assert along_walls(statement, domain, start, 20, np.random.default_rng(0), None) is None


NEEDLES = {
    "a decimal": lambda x, v: le(where(x == Q("17.3"), 1, 0), 0 * v[0]),
    "a large integer, as a sum": lambda x, v: le(where(x + v[0] == 765432, 1, 0), 0),
    "beyond it": lambda x, v: le(where(x > 765432, 1, 0), 0 * v[0]),
    "an entry": lambda x, v: le(where(v[1] == Q("3/7"), 1, 0), 0 * x),
}


@pytest.mark.parametrize("name", NEEDLES)
def test_numbers_that_a_statement_names_are_tried(name):
    found = attack(NEEDLES[name], {"x": reals(), "v": reals(2)}).found.searched
    assert found.outcome == "refuted"
    assert found.by == "constants"


def test_a_hypothesis_names_them_too_and_what_is_drawn_anyway_is_not_tried():
    domain = Domain({"x": reals()}, hypotheses={"not there": lambda x: x != Q("41/17")})
    assert attack(lambda x: le(where(x > 2, 1, 1), 1), domain).outcome == "survived"
    assert _named(lambda x: le(x, 4) & le(x, 0.25) & eq("axis", "3/4")) == []
    assert _named(domain.hypotheses["not there"]) == [Fraction(41, 17)]


@pytest.mark.parametrize("at", [40, 300])
def test_what_seems_to_fail_by_far_and_is_unsure_is_decided(at):
    """One digit of x decides in floats: a small move changes the answer as much as the slack."""
    jumps = lambda x, y: ge(where(x * 2**44 % 2 == 1, -at, at), y)  # noqa: E731
    search = search_for(jumps, thorough=True)
    search.pending.suspects = [Sample({}, {"x": np.array(x), "y": np.array(0.5)}) for x in (1.0, 2.0, 1 + 2.0**-44)]
    Suspects().run(search)
    assert search.is_refuted
    assert search.findings.by == "exact"
    assert search.findings.exactly.total() == 3
    assert search.findings.refutation.relative_slack < -1


def test_suspects_are_spread_over_all_that_were_met():
    """Of a hundred one in three is decided: the last of them is among them."""
    search = search_for(lambda x, y: ge(x + 100, y), thorough=True)
    count = SUSPECTS * search.budget.exact
    search.pending.suspects = [Sample({}, {"x": np.array(float(k)), "y": np.array(0.5)}) for k in range(2 * count + 1)]
    Suspects().run(search)
    decided = [int(sample.coordinates["x"]) for sample, _ in search.findings.settled]
    assert decided == list(range(0, 2 * count + 1, 3))


def test_float_counterexamples_that_hold_on_rationals_are_examined():
    """What cancels in floats holds on rationals; with the last digit lost it is told that it was decided."""
    search = search_for(lambda x, y: ge((x * x + 2**60) - 2**60, x * x + 0 * y), thorough=True)
    search.pending.float_counterexamples = [Sample({}, {"x": np.array(x), "y": np.array(0.5)}) for x in (1.0, 3.0)]
    search.findings.unexamined = 2
    FloatCounterexamples().run(search)
    assert (search.findings.unexamined, search.findings.exactly[Verdict.HOLDS]) == (0, 2)
    false = search_for(lambda x, y: ge(x, y), thorough=True)
    false.pending.float_counterexamples = [Sample({}, {"x": np.array(-1.0), "y": np.array(0.5)})]
    FloatCounterexamples().run(false)
    assert false.is_refuted


def test_what_has_no_exact_evaluation_is_not_taken_to_the_rationals_again_and_again():
    def floats_only(x, y):
        if is_exact(x):
            raise FloatOnly("an integrator")
        return ge(x, y)

    for phase, pending in ((FloatCounterexamples(), "float_counterexamples"), (Suspects(), "suspects")):
        search = search_for(floats_only, thorough=True)
        setattr(search.pending, pending, [Sample({}, {"x": np.array(-1.0), "y": np.array(k / 32)}) for k in range(9)])
        phase.run(search)
        assert search.findings.without_exact == {(): 4}
        assert not search.is_refuted


def test_an_optimiser_ends_in_the_valley_that_its_population_found():
    """The population is coarse: the descent that follows goes on from its best member to the end."""
    domain = Domain({"x": reals(2)})
    rng = np.random.default_rng(0)
    worst = domain.batched(rng, 20)
    valley = lambda x: ge((x[0] - Q("77/10")) ** 2 + (x[1] + Q("53/10")) ** 2 + 1, Q("1/2"))  # noqa: E731
    objective = optimise(valley, domain, next(iter(worst)), 240, rng, None, None)
    assert objective.best[0] == pytest.approx(1 / 3, abs=1e-9)  # the slack s of 1/2, as s / (1 + s)
    assert objective.vector(objective.best[1]) == pytest.approx([7.7, -5.3], abs=1e-3)
    many = Domain({"x": reals(25)})
    assert optimise(lambda x: ge(norm2(x), 0), many, next(iter(many.batched(rng, 20))), 240, rng, None, None) is None
    whole = Domain({"x": integers(0, 5)})
    assert optimise(lambda x: ge(x, 0), whole, next(iter(whole.batched(rng, 20))), 240, rng, None, None) is None


def test_an_interval_without_an_end_is_sought_up_to_a_box():
    """The box of a number from 100 on begins there, and that of one up to -100 ends there."""
    domain = Domain({"x": interval(100, np.inf), "y": interval(-np.inf, -100)})
    rng = np.random.default_rng(0)
    met = []

    def watched(x, y):
        met.append((float(np.min(x.values)), float(np.max(x.values)), float(np.min(y.values)), float(np.max(y.values))))
        return ge(x, y)

    optimise(watched, domain, next(iter(domain.batched(rng, 20))), 240, rng, None, None)
    low, high, below, above = np.array(met).T
    assert 100 <= low.min() < high.max() <= 132
    assert -132 <= below.min() < above.max() <= -100


def test_a_statement_that_compares_nothing_is_undecided():
    result = attack(lambda x: ge(x[3:], 0), Domain({"x": reals("n")}, {"n": (2, 3)}))
    assert result.outcome == "undecided"
    assert "floats decide none of" in "; ".join(result.found.searched.problems)


def test_a_draw_notes_the_instance_that_is_nearest_to_failing():
    search = search_for(lambda x, y: ge(x * x + y + 1, x / 2), thorough=True)
    for phase in DRAWS:
        phase.run(search)
    drawn = [batch.sample for phase in DRAWS for batch in search.cache.phase(phase.drawn or phase.name)]
    x, y = (np.concatenate([sample.coordinates[name] for sample in drawn]) for name in "xy")
    left, right = x * x + y + 1, x / 2
    slack = (left - right) / np.maximum(np.abs(left), np.abs(right))
    assert search.findings.met[0] == slack.min() > 0
    (nearest,) = np.unique(np.stack([x, y], axis=1)[slack == slack.min()], axis=0)
    assert [float(search.findings.met[2].coordinates[name]) for name in "xy"] == nearest.tolist()


@pytest.mark.parametrize(
    ("statement", "more"), [(lambda x, y: eq((x + y) * x, x * x + y * x), False), (lambda x, y: ge(x * x, -y), True)]
)
def test_an_equality_that_holds_has_no_slack_to_lose(statement, more):
    search = search_for(statement, thorough=True)
    place = next(place for place, phase in enumerate(PHASES) if isinstance(phase, Swap))
    for phase in PHASES[:place]:
        phase.run(search)
    before = search.findings.evaluations
    for phase in PHASES[place:]:
        phase.run(search)
    assert (search.findings.evaluations > before) == more


def test_a_costly_statement_has_a_smaller_budget():
    quick, standard = BUDGETS["quick"], BUDGETS["standard"]
    assert quick.divided(1) == quick
    assert quick.divided(10) == Budget(40, 200, 12, 4, 1, 6, 0, 2, exhausted=500, optimiser=0)
    assert quick.divided(1000) == Budget(8, 8, 8, 4, 1, 5, 0, 2, exhausted=0, optimiser=0)
    assert standard.divided(2).optimiser == standard.optimiser // 2
    assert quick.persistent() == replace(quick, ascents=8 * quick.ascents)
