"""A function that is lifted and forgets the axis of the batch is told, and refutes nothing."""

import re

import numpy as np
import pytest

from verify import Claim, DerivedHere, Domain, Source, attack, check, ge, interval, le, reals
from verify.checker.batches import _hypotheses_that_differ
from verify.claims.domain import Sample
from verify.numbers.relation import Verdict
from verify.search import BUDGETS, SampleCache
from verify.search.batch import prepare
from verify.search.decide import decide_sample, decide_together
from verify.words import lifted

POSITIVE, ROW = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)}), Domain({"x": reals(3)})


@lifted
def largest(x):
    return x.max() + 0 * x


@lifted
def mean(x):
    return x.mean() + 0 * x


@lifted
def running(x):
    return np.cumsum(x)


@lifted
def others(x):
    return x[::-1]


FORGOTTEN = {
    "mean": (POSITIVE, lambda x, y: le((x - mean(x)) ** 2, (x - mean(x)) ** 2 + y)),
    "largest": (POSITIVE, lambda x, y: le(x, largest(x) + y)),
    "running sum": (POSITIVE, lambda x, y: le(x, running(x) + y)),
    "reversed": (POSITIVE, lambda x, y: le(0, others(x) + y)),
    "squares of all": (ROW, lambda x: le(x[0], 20 + lifted(lambda x: (x * x).sum() + 0 * x[..., 0])(x))),
}


@pytest.mark.parametrize("name", FORGOTTEN)
def test_what_mixes_instances_is_undecided_and_told(name):
    domain, statement = FORGOTTEN[name]
    claim = Claim(
        "mixed.instances", name, Source("mixed", "derived here"), statement, domain, {"itself": statement}, DerivedHere()
    )
    result = check(claim)
    assert result.outcome == "undecided"
    assert re.search(r"depends on the batch.*reduces over the last axes", "\n".join(result.problems)), result.problems


@pytest.mark.filterwarnings("ignore:undecided")
def test_a_hypothesis_that_mixes_instances_is_told():
    domain = Domain({"x": reals(), "y": reals()}, {}, {"above the mean": lambda x: x >= mean(x)})
    result = attack(lambda x, y: le(2 * x * y, x * x + y * y), domain)
    assert result.outcome == "undecided"
    assert "the hypothesis 'above the mean' answers otherwise for an instance alone" in "\n".join(result.problems)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        # x / 49 * 49 is x for most numbers, and not for 1
        (lambda x: (x / 49) * 49 == x if len(x) > 1 else x == x, False),
        (lambda x: x > 2 if len(x) > 1 else x == x, True),
        (lambda x: x == x, False),
    ],
    ids=["rounding decides it", "it mixes instances", "one answer"],
)
def test_a_hypothesis_that_rounding_decides_mixes_nothing(statement, told):
    domain = Domain({"x": reals()}, {}, {"it is so": lifted(statement)})
    cache = SampleCache("toy.rounding", domain, BUDGETS["quick"], 0)
    batch = prepare(domain, Sample({}, {"x": np.ones(3)}))
    alone = prepare(domain, batch.sample[np.array([2])])
    assert list(_hypotheses_that_differ(cache, batch, 2, alone)) == ["it is so"] * told


@pytest.mark.filterwarnings("ignore:undecided")
def test_what_depends_on_the_batch_is_no_refutation():
    smallest = lifted(lambda x: x[..., 0].min() + (0 if len(x) == 1 else 1) + 0 * x[..., 0])
    statement = lambda x: ge(x[0], smallest(x))  # noqa: E731
    rows = np.array([[1, -2], [0, 0], [3, 4], [-1, -1], [2, 0]])
    samples = [Sample({"n": 2}, {"x": row}).exact() for row in rows]
    domain = Domain({"x": reals("n")}, {"n": (2,)})
    together = decide_together(statement, domain, samples)
    assert any(one.relation.verdict[0] == Verdict.FAILS for one in together)
    assert all(decide_sample(statement, domain, one).relation.verdict[0] == Verdict.HOLDS for one in samples)
    assert attack(statement, domain).outcome == "undecided"


def test_what_is_true_of_each_instance_is_not_told():
    assert attack(lambda x, y: le(lifted(np.minimum)(x, y), x), POSITIVE).outcome == "survived"
