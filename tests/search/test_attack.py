"""The portfolio: what it finds, that what it finds is exact, and that a seed decides it all."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from verify import Q, interactive
from verify.checker.checking import Checker
from verify.claims.claim import Claim, Source
from verify.claims.domain import Domain, Sample
from verify.claims.draws import SPECIAL_FORMS
from verify.claims.variables import integers, interval, reals
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, is_exact, rational
from verify.numbers.relation import Verdict
from verify.search import BUDGETS, Budget, Findings, SampleCache, attack, confirm, decide, rounding
from verify.search.batch import judged, prepare
from verify.search.decide import verdict_of
from verify.search.portfolio import decide_some
from verify.search.rationals import TOGETHER, decide_by_turns
from verify.search.samples import KEPT, PIECE, generator
from verify.search.state import Search
from verify.words import eq, eye, ge, le, lifted, norm2, rank, sqrt, where

QUICK = BUDGETS["quick"]
PLANE = Domain({"x": reals(), "y": reals()})
POSITIVE = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)})


def search(statement, domain, budget=QUICK, seed=0, **options):
    return attack(
        statement, SampleCache("toy.search", domain, budget, seed), budget, generator(seed, "toy.search", "x"), **options
    )


def test_an_error_of_1e_6_in_a_constant_is_found_and_exact():
    # attained on a curve only, away from every structured instance

    def sharp(x, y, z):
        return le(4 * (x - 1) * (y - 1) * Q(1_000_001, 1_000_000), 4 * (x - 1) ** 2 + (y - 1) ** 2 + (z - x * y) ** 2)

    for seed in range(5):
        found = search(sharp, Domain({name: interval(1.1, 3.3) for name in "xyz"}), seed=seed)
        assert found.refutation is not None
        assert verdict_of(found.refutation.relation) == Verdict.FAILS
        assert all(is_exact(values) for values in found.refutation.sample.coordinates.values())
        assert found.by in ("population", "ascent")


def test_a_true_statement_is_not_refuted():
    found = search(lambda x, y: le(2 * x * y, x**2 + y**2), PLANE)
    assert found.refutation is None
    assert found.unconfirmed == []
    assert found.feasible == QUICK.structured + QUICK.batched + 8 * SPECIAL_FORMS + 48 + 48
    assert abs(found.relative_slack) < 1e-12
    assert found.worst is not None


def test_a_bound_beside_an_equality_and_an_attained_bound_is_pursued_by_itself():
    def joined(x, y, z, factor):
        bound = le(4 * (x - 1) * (y - 1) * factor, 4 * (x - 1) ** 2 + (y - 1) ** 2 + (z - x * y) ** 2, name="bound")
        return eq((x + y) ** 2, x**2 + 2 * x * y + y**2, name="square") & le(2 * z * x, z**2 + x**2, name="means") & bound

    def false(x, y, z):
        return joined(x, y, z, Q(100_001, 100_000))

    domain = Domain({name: interval(1.1, 3.3) for name in "xyz"})
    for seed in range(5):
        found = search(false, domain, seed=seed)
        assert found.refutation is not None
        assert found.by in ("population", "ascent")
        assert search(lambda x, y, z: joined(x, y, z, 1), domain, seed=seed).refutation is None


def test_matrices_of_low_rank_and_large_numbers_are_drawn():
    of_rank_two = search(lambda a: ge((rank(a) - 2) ** 2, 1), Domain({"a": integers(-4, 4, 12, 4)}))
    assert of_rank_two.by == "special"
    assert search(lambda x: le(0, where(abs(x) > 300, -1, 0)), PLANE).by == "special"


def test_a_false_equality_is_found_at_once():
    found = search(lambda x, y: eq((x + y) ** 2, x**2 + y**2), PLANE)
    assert found.by == "structured"
    assert found.evaluations <= QUICK.structured


SIZED = Domain({"x": reals("n")}, {"n": range(1, 7)})


def test_what_should_be_refuted_does_not_wait_for_the_end_of_a_tier():
    false = lambda x: le(norm2(x), 1)  # noqa: E731
    patient, hasty = search(false, SIZED), search(false, SIZED, at_once=True)
    assert patient.by == hasty.by == "structured"
    assert verdict_of(hasty.refutation.relation) == Verdict.FAILS
    assert hasty.evaluations < patient.evaluations / 3


def test_what_only_seems_to_fail_ends_no_search():
    # floats lose what is beside the power of two, and say that the difference is 0
    true = lambda x: ge((x * x + 2**60) - 2**60, x * x)  # noqa: E731
    patient, hasty = search(true, SIZED), search(true, SIZED, at_once=True)
    assert patient.refutation is hasty.refutation is None
    assert (patient.evaluations, patient.feasible) == (hasty.evaluations, hasty.feasible)


@pytest.mark.parametrize("rows", [20, 4096])
def test_moved_instances_say_the_same_in_one_batch_and_in_several(monkeypatch, rows):
    cancels = lambda x: eq(1e6 * x - (1e6 - 1) * x, x)  # noqa: E731
    noise = []
    for at_once in (rows, 1):
        monkeypatch.setattr(rounding, "AT_ONCE", at_once)
        batch = prepare(SIZED, next(SIZED.batched(np.random.default_rng(1), 40)))
        relation, _ = judged(cancels, SIZED, batch, batch.places, np.random.default_rng(2))
        noise.append(relation.comparisons[0].noise)
    assert np.array_equal(*noise)
    assert np.isfinite(noise[0]).all()
    assert (noise[0] > cancels(batch.variables["x"]).comparisons[0].noise).any()


def test_without_a_hypothesis_the_others_still_hold():
    domain = Domain(
        {"x": reals(), "y": reals()}, hypotheses={"x at least 0": lambda x: x >= 0, "y at least 0": lambda y: y >= 0}
    )
    found = search(lambda x, y: ge(x + y, -abs(y)), domain, without="x at least 0")
    sample = found.refutation.sample.coordinates
    assert sample["x"][()] < 0
    assert sample["y"][()] >= 0


def test_a_seed_decides_what_is_found():
    def statement(x, y):
        return le(10_001 * x * y, 5_000 * (x**2 + y**2))

    first, again = (search(statement, POSITIVE, seed=9) for _ in range(2))
    assert first.evaluations == again.evaluations
    assert first.relative_slack == again.relative_slack
    assert str(first.refutation.sample) == str(again.refutation.sample)


def test_the_instances_do_not_depend_on_the_order_of_asking():
    caches = [SampleCache("toy.order", PLANE, QUICK, 3) for _ in range(2)]
    caches[0].phase("structured")
    batches = [next(iter(cache.phase("batched"))).sample.coordinates["x"] for cache in caches]
    assert np.array_equal(*batches)


def test_a_large_tier_is_drawn_again_and_counted_once():
    large = SampleCache("toy.large", PLANE, replace(QUICK, batched=KEPT + 1), 3)
    passes = [[batch.sample.coordinates["x"] for batch in large.phase("batched")] for _ in range(2)]
    assert max(map(len, passes[0])) <= PIECE
    assert np.array_equal(*map(np.concatenate, passes))
    assert large.drawn == len(np.concatenate(passes[0])) == KEPT + 1
    assert sum(one.base is not None for one in large.phase("structured")[0].sample[0].coordinates.values()) == 0


def test_instances_that_floats_cannot_decide_are_dropped_and_counted():
    @lifted
    def root(x):
        if not is_exact(x) and np.any(x < 0):
            raise UndecidedInstances("a root of a negative number", where=np.asarray(x < 0))
        return sqrt(x)

    found = search(lambda x, y: ge(root(x) + 0 * y, 0), PLANE)
    assert found.refutation is None
    assert 0 < found.in_floats < found.feasible
    cache = SampleCache("toy.broken", Domain({"x": reals()}, hypotheses={"has a root": lambda x: root(x) >= 0}), QUICK, 0)
    kept = sum(len(batch.sample.coordinates["x"]) for tier in ("structured", "batched") for batch in cache.phase(tier))
    assert cache.broken["cannot be evaluated"] == cache.drawn - kept > 0


def test_a_candidate_becomes_a_small_exact_witness():
    sample = Sample({}, {"x": np.array(0.4871234567), "y": np.array(-3.0123)})
    found = confirm(lambda x, y: ge(x**2, x) & le(y, 0), PLANE, sample)
    assert found.relative_slack < 0
    assert str(found.sample.coordinates["x"]) == "1/2"
    assert str(found.sample.coordinates["y"]) == "-3"


def test_a_candidate_that_only_rounding_made_is_not_confirmed():
    third = Sample({}, {"x": np.array(1 / 3), "y": np.array(0.0)})
    assert confirm(lambda x, y: eq((x + y) ** 2, x**2 + 2 * x * y + y**2), PLANE, third) is None


def test_what_has_no_exact_evaluation_is_never_a_refutation():
    def floats_only(x, y):
        if is_exact(x):
            raise FloatOnly("an integrator")
        return le(x, y)

    found = search(floats_only, PLANE, Budget(50, 50, 8, 4, 1, 5, 0, 5))
    assert found.refutation is None
    assert found.unconfirmed
    claim = Claim(
        "toy.floats", "", Source("notion_of_rank", "derived here"), floats_only, PLANE, {"a": floats_only, "b": floats_only}
    )
    assert Checker(claim).searched().outcome == "undecided"


def test_precision_is_raised_until_the_balls_separate():
    close = {"x": rational("665857/470832")}
    relation = decide(lambda x: le(sqrt(rational(2)), x), close)
    assert int(relation.verdict) == Verdict.HOLDS
    tiny = {"x": rational(1) / 2**40}
    assert int(decide(lambda x: ge(sqrt(1 + x), rational(1) + x / 2), tiny).verdict) == Verdict.FAILS


def test_structured_instances_are_decided_on_rationals():
    cache = SampleCache("toy.exact", PLANE, QUICK, 0)
    found = Findings()
    search = partial(Search, cache=cache, budget=QUICK, rng=np.random.default_rng(0), findings=found)
    assert not decide_some(search(lambda x, y: le(2 * x * y, x**2 + y**2)), "structured", 12)
    assert (found.exactly[Verdict.HOLDS], found.refutation) == (12 * TOGETHER, None)
    assert decide_some(search(lambda x, y: le(x, y)), "structured", 12)
    assert found.exactly[Verdict.FAILS] == 1
    assert found.refutation.relative_slack < 0


@pytest.mark.parametrize(("without", "values"), [(None, (1, 0, 2, 7)), ("x is positive", (-1, -2, -3, -7))])
def test_what_is_last_in_a_queue_is_reached(without, values):
    """Beside an instance without a value, and where a hypothesis is broken, no instance is passed over: each takes a turn."""
    hypotheses = {"x is positive": lambda x: x > 0}
    domain = Domain({"x": reals()}, {}, hypotheses if without else {})
    queue = [Sample({}, {"x": np.array(float(x))}) for x in values]
    statement = lambda x: le(abs(x) / abs(x) * abs(x), 6)  # noqa: E731
    for turns in (3, 4):
        cache = SampleCache("toy.queue", domain, QUICK, 0)
        search = Search(statement, cache, QUICK, np.random.default_rng(0), without)
        decide_by_turns(search, [queue], turns, "exact")
        assert search.is_refuted == (turns == 4)
    assert abs(int(search.findings.refutation.sample.coordinates["x"])) == 7


def test_an_integer_of_numpy_is_a_seed():
    statement = lambda x, y: le(2 * x * y, x * x + y * y)  # noqa: E731
    plain, of_numpy = (interactive.attack(statement, PLANE, seed=seed) for seed in (5, np.int64(5)))
    assert plain.outcome == of_numpy.outcome == "survived"
    assert str(plain) == str(of_numpy)


@pytest.mark.parametrize(
    ("budget", "seed", "message"),
    [
        ("fast", 0, "budget must be one of quick"),
        *(("quick", seed, "seed must be an integer from 0") for seed in (-1, 2**63, 1.5, True, "a", None)),
    ],
)
def test_unusable_settings_are_refused(budget, seed, message):
    statement = lambda x, y: le(x, y)  # noqa: E731
    claim = Claim("toy.x", "", Source("notion_of_rank", "derived here"), statement, PLANE, {"a": statement, "b": statement})
    with pytest.raises(ValueError, match=message):
        Checker(claim, budget, seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("largest", [3, 4])
def test_the_few_feasible_instances_of_an_equality_are_decided_wherever_they_are_drawn(largest, seed):
    def is_inverse(A, B, C):
        return A.shape == (largest, largest) == B.shape and len(C) == largest and (eye(largest) == A @ B).all()

    sizes = {name: range(1, largest + 1) for name in "mnk"}
    matrices = {"A": reals("m", "n"), "B": reals("n", "m"), "C": reals("k", "m")}
    domain = Domain(matrices, sizes, {"inverse": is_inverse})
    result = interactive.attack(lambda A, B, C: eq(C @ A @ B, C), domain, seed=seed)
    assert (result.outcome, result.found.searched.in_floats) == ("survived", 0)
    assert result.found.searched.decided > 0


def test_zeros_do_not_hide_what_seems_to_fail():
    findings = Findings()
    zeros, other = Sample({}, {"x": np.array(0.0)}), Sample({}, {"x": np.array(1.0)})
    findings.meet(0.0, 0.0, zeros, vanishes=True)
    findings.meet(0.5, 0.5, other)
    assert (findings.relative_slack, findings.worst, findings.attained_by_zeros_only) == (0, zeros, True)
    findings.unexamined = 1
    findings.meet_failing(-0.1, other)
    assert (findings.relative_slack, findings.worst, findings.attained_by_zeros_only) == (-0.1, other, False)
