"""The edges of a search: where nothing can be evaluated, moved or confirmed, it goes on, and what is open is counted."""

import numpy as np
import pytest
from flint import arb

from verify import Domain, Q, attack, integers, interval, reals
from verify.claims.domain import Sample
from verify.numbers.arithmetic import UndecidedInstances, is_exact, rationals
from verify.numbers.exactness import Ball
from verify.numbers.relation import Verdict
from verify.numbers.relation import le as le_of_arrays
from verify.search import BUDGETS, SampleCache
from verify.search.ascent import ascend, largest_violation
from verify.search.batch import Candidate, prepare
from verify.search.decide import Refutation, decide_sample
from verify.search.exchange import exchange
from verify.search.objective import Objective
from verify.search.phases import PHASES, exhaust
from verify.search.phases.constants import Constants
from verify.search.phases.exhaust import Exhaust
from verify.search.phases.optimise import Optimise
from verify.search.phases.swap import Swap
from verify.search.phases.sweep import Sweep
from verify.search.rationals import confirm_drawn, confirm_reached, decide_one, is_no_violation
from verify.search.rounding import perturbed, with_measured_rounding
from verify.search.state import Search
from verify.words import ge, le, lifted, norm2, where

LINE = Domain({"x": reals()})


def search_for(statement, domain=LINE, budget="quick", **options):
    cache = SampleCache("toy.edges", domain, BUDGETS[budget], 0)
    return Search(statement, cache, BUDGETS[budget], np.random.default_rng(0), **options)


def at(x):
    return Sample({}, {"x": np.array(float(x))})


def undecided_everywhere(x):
    raise UndecidedInstances(f"nobody knows {x}", np.array(True))


def test_what_cannot_be_evaluated_anywhere_has_no_objective():
    domain = Domain(LINE.variables, {}, {"known": undecided_everywhere})
    assert prepare(domain, at(1)[None]) is None
    objective = Objective(lambda x: ge(x, 0), domain, at(1), None, None)
    assert objective.values(np.array([[1.0], [2.0]])).tolist() == [1.0, 1.0]
    assert not objective.feasible.any()
    assert objective.evaluations == 2
    candidate = Candidate(at(1), -1.0, int(Verdict.FAILS))
    assert ascend(lambda x: ge(x, 0), domain, candidate, 20, np.random.default_rng(0), None)[0] is None
    nowhere = Objective(lambda x: undecided_everywhere(x), LINE, at(1), None, None)
    assert nowhere.values(np.array([[1.0]])).tolist() == [1.0]


@pytest.mark.parametrize("point", [[np.nan, 1.0], [1.0, np.inf]])
def test_what_is_no_point_is_flat_and_breaks_every_hypothesis(point):
    """L-BFGS and SLSQP can ask for it at a minimum."""
    domain = Domain({"x": reals(2)}, {}, {"small": lambda x: norm2(x) <= 4})
    start = Sample({}, {"x": np.array([1.0, 1.0])})
    objective = Objective(lambda x: le(x[0], 1), domain, start, None, None, walls=True)
    value, gradient = objective(np.array([1.0, 1.0]))
    assert (value, objective.margins.shape) == (0.0, (3, 1))
    assert gradient[0] < 0
    value, gradient = objective(np.array(point))
    assert (value, gradient.tolist(), objective.calls) == (1.0, [0.0, 0.0], 2)
    assert objective.margins.shape == (3, 1)
    assert np.isnan(objective.margins).all()
    assert objective.steps.tolist() == [1.0, 1.0]


def test_numbers_that_are_named_are_tried_inside_of_intervals_and_where_there_is_an_entry():
    unit = search_for(lambda x: le(x, Q("17.3")), Domain({"x": interval(0, 1)}))
    Constants().run(unit)
    assert unit.findings.evaluations == 0
    domain = Domain({"x": reals("n")}, {"n": (0, 2)})
    search = search_for(lambda x: le(where(x == Q("17.3"), 1, 0).sum(), 1), domain)
    Constants().run(search)
    assert search.findings.by == "constants"
    assert [str(entry) for entry in search.findings.refutation.sample.coordinates["x"]] == ["173/10", "173/10"]


def test_a_hypothesis_has_one_answer_for_each_instance():
    domain = Domain(LINE.variables, {}, {"shapeless": lifted(lambda x: np.ones(3, dtype=bool) & (0 * np.sum(x) == 0))})
    with pytest.warns(
        UserWarning, match=r"hypothesis 'shapeless' must give one answer for each of \d+ instances, got the shape"
    ):
        attack(lambda x: ge(x, x), domain)


@pytest.mark.parametrize(("radius", "excluded"), [(0.25, True), (0.75, False)])
def test_what_balls_leave_open_excludes_a_violation_that_is_larger(radius, excluded):
    search = search_for(lambda x: le(x, 0))
    wide = np.array([Ball(arb(0, radius))], dtype=object)
    open_one = le_of_arrays(wide, rationals([0]))
    assert is_no_violation(search, at(1), open_one) == excluded
    # where the parts are others, nothing is excluded
    assert not is_no_violation(search, at(1), open_one & open_one)
    assert is_no_violation(search, at(1), le_of_arrays(rationals([0]), rationals([0])))
    # what floats do not say fails is not excluded by anything
    assert is_no_violation(search, at(-1), open_one)


def test_what_fails_in_floats_and_is_no_number_exactly_is_kept():
    search = search_for(lambda x: le(1 / x, 5))
    search.findings.unexamined = 1
    assert not confirm_drawn(search, [Candidate(at(0), -1.0, int(Verdict.FAILS))], "draws")
    assert (len(search.findings.nowhere), len(search.findings.unconfirmed), search.findings.unexamined) == (1, 1, 0)


@pytest.mark.parametrize(("slack", "unconfirmed"), [(-1e-12, 0), (-0.5, 1)])
def test_on_the_edge_of_a_hypothesis_floats_err(slack, unconfirmed):
    domain = Domain(LINE.variables, {}, {"at least a third": lambda x: 3 * x >= 1})
    edge = 1 / 3
    assert 3 * edge == 1
    search = search_for(lambda x: ge(x, 1), domain)
    assert decide_sample(search.statement, domain, at(edge).exact()).outside
    search = search_for(lambda x: le(x, 1), domain)
    assert not confirm_drawn(search, [Candidate(at(edge), slack, int(Verdict.FAILS))], "draws")
    assert len(search.findings.unconfirmed) == unconfirmed


def test_what_floats_leave_open_where_an_ascent_ends_is_decided():
    search = search_for(lambda x: le(x, 1))
    assert confirm_reached(search, [Candidate(at(2), 0.0, int(Verdict.UNDECIDED))], "ascent")
    assert search.findings.by == "ascent"
    search = search_for(lambda x: le(x, 1))
    assert not confirm_reached(search, [Candidate(at(0), 0.5, int(Verdict.HOLDS))], "ascent")
    assert (search.findings.exactly.total(), search.findings.met[0]) == (0, 1.0)
    assert decide_one(search, at(1).exact(), "exact") is False
    assert search.findings.met[0] == 0


def test_exact_sides_have_no_rounding():
    relation = le_of_arrays(rationals([1]), rationals([1]))
    assert with_measured_rounding(relation, at(1)[None], LINE, None, np.random.default_rng(0), thorough=True) is relation


def test_integers_are_moved_only_on_request_and_nothing_leaves_its_interval():
    domain = Domain({"x": interval(0, 1, 200), "k": integers(-2, 2, 200)})
    rng = np.random.default_rng(0)
    sample = Sample({}, {"x": rng.choice([0.0, 0.3, 1.0], 200), "k": rng.integers(-2, 2, 200).astype(float)})
    moved = perturbed(sample, domain, rng)
    assert np.array_equal(moved.coordinates["k"], sample.coordinates["k"])
    change = moved.coordinates["x"] - sample.coordinates["x"]
    assert 0 < np.abs(change).max() <= 2.0**-51
    assert (change < 0).any()
    assert (change > 0).any()
    assert 0 <= moved.coordinates["x"].min() <= moved.coordinates["x"].max() <= 1
    whole = perturbed(sample, domain, rng, integers=True).coordinates["k"]
    assert (np.abs(whole) >= np.abs(sample.coordinates["k"])).all()
    assert (whole != sample.coordinates["k"]).any()


def test_without_integers_nothing_is_exchanged():
    worst = next(iter(LINE.batched(np.random.default_rng(0), 20)))
    assert exchange(lambda x: ge(x, 0), LINE, worst, 5, np.random.default_rng(0), None, None) is None
    search = search_for(lambda x: ge(x, 0))
    search.pending.worst = [(0.5, worst, None)]
    Swap().run(search)
    assert search.findings.evaluations == 0


def test_integers_that_are_exhausted_or_cost_too_much_are_not_exchanged():
    domain = Domain({"k": integers(0, 9, "n")}, {"n": (3,)})
    worst = Sample({"n": 3}, {"k": np.arange(6.0).reshape(2, 3)})
    statement = lambda k: le(k.sum(), 26)  # noqa: E731
    for exhausted, cost, evaluated in (({}, 1, True), ({(3,): 1000}, 1, False), ({}, 10**6, False)):
        cache = SampleCache("toy.edges", domain, BUDGETS["quick"], 0, cost=lambda sizes, cost=cost: cost * sizes["n"])
        search = Search(statement, cache, BUDGETS["quick"], np.random.default_rng(0))
        search.findings.exhausted |= exhausted
        search.pending.worst = [(0.5, worst, None)]
        Swap().run(search)
        assert (search.findings.evaluations > 0) == search.is_refuted == evaluated
        assert search.findings.by == ("exchange" if evaluated else None)


@pytest.mark.parametrize(("seconds", "exhausted"), [(120.0, {(15,): 2**15}), (-1.0, {})])
def test_what_takes_too_long_exhausts_nothing(monkeypatch, seconds, exhausted):
    monkeypatch.setattr(exhaust, "SECONDS", seconds)
    search = search_for(lambda k: ge(k.sum(), 0), Domain({"k": integers(0, 1, "n")}, {"n": (15,)}))
    (phase,) = [one for one in PHASES if isinstance(one, Exhaust)]
    phase.run(search)
    assert search.findings.exhausted == exhausted


def test_a_sweep_ends_at_its_refutation():
    search = search_for(lambda x: ge((x - 3) ** 2, Q("1/1000")), thorough=True)
    search.pending.worst = [(0.9, Sample({}, {"x": np.array([2.0])}), None)]
    Sweep().run(search)
    assert search.findings.by == "ascent"
    careless = search_for(lambda x: ge((x - 3) ** 2, Q("1/1000")))
    careless.pending.worst = search.pending.worst
    Sweep().run(careless)
    assert careless.findings.evaluations == 0


def test_an_optimiser_passes_over_what_has_too_many_numbers():
    domain = Domain({"x": reals("n")}, {"n": (2, 30)})
    search = search_for(lambda x: ge((x - 3).sum() ** 2, -1), domain, "standard", thorough=True)
    rng = np.random.default_rng(0)
    search.pending.worst = [(0.5, Sample({"n": n}, {"x": rng.standard_normal((4, n))}), None) for n in (2, 30)]
    Optimise().run(search)
    assert search.findings.evaluations > 0
    assert not search.is_refuted
    before = search.findings.evaluations
    search.pending.worst = search.pending.worst[1:]
    Optimise().run(search)
    assert search.findings.evaluations == before


def test_the_largest_violation_is_no_smaller_than_the_one_that_was_found():
    small = Refutation(at("-1").exact(), decide_sample(lambda x: ge(x, 0), LINE, at(-1).exact()).relation)
    # -1 against 0 is as large as a relative violation gets
    assert largest_violation(small, lambda x: ge(x, 0), LINE) is small
    bounded = lambda x: le(x, 1)  # noqa: E731
    found = Refutation(at(2).exact(), decide_sample(bounded, Domain({"x": interval(0, 8)}), at(2).exact()).relation)
    larger = largest_violation(found, bounded, Domain({"x": interval(0, 8)}))
    assert larger.relative_slack == -7 / 8
    assert str(larger.sample.coordinates["x"]) == "8"


@pytest.mark.parametrize(("reals_beside", "exchanged"), [(0, True), (1, False), (2, False)])
def test_integers_beside_real_numbers_are_not_exchanged(reals_beside, exchanged):
    domain = Domain({"k": integers(0, 9, "n"), "x": reals("m")}, {"n": (3,), "m": (0, 1, 2)})
    search = search_for(lambda k: le(k.sum(), 26), domain)
    coordinates = {"k": np.arange(6.0).reshape(2, 3), "x": np.zeros((2, reals_beside))}
    search.pending.worst = [(0.5, Sample({"n": 3, "m": reals_beside}, coordinates), None)]
    Swap().run(search)
    assert search.is_refuted == (search.findings.evaluations > 0) == exchanged


def test_where_floats_say_nothing_nothing_is_met():
    search = search_for(undecided_everywhere)
    assert not confirm_reached(search, [Candidate(at(0), 0.5, int(Verdict.HOLDS))], "ascent")
    assert search.findings.met[2] is None
    nothing = search_for(lambda x: le(x, where(x > 5, x, np.nan * x)))
    assert not confirm_reached(nothing, [Candidate(at(0), 0.5, int(Verdict.HOLDS))], "ascent")
    assert nothing.findings.met[2] is None
    assert not confirm_reached(nothing, [Candidate(at(6), 0.0, int(Verdict.HOLDS))], "ascent")
    assert nothing.findings.met[2] is not None


def whole(k):
    """Itself, of integers; what is none is refused, as an index is."""
    if not is_exact(k) and (k != np.rint(k)).any():
        raise IndexError("only integers are valid indices")
    return k


def test_the_rounding_of_what_asks_for_integers_is_measured_at_integers():
    result = attack(lambda k: le(10_000 * lifted(whole)(k), 10_000 * k + 1), {"k": integers(1, 10**6)})
    assert result.outcome == "survived"
    assert result.found.searched.in_floats > 0
