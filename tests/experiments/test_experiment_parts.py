"""Tables, medians with their intervals, and what a declaration must have."""

import math
from dataclasses import replace

import numpy as np
import pytest

from verify.experiments import Assertion, Table, Within, experiments_in, judge, median_interval
from verify.experiments.table import plain_row, read_table


@pytest.mark.parametrize(
    ("count", "low", "high", "confidence"),
    [(1, 0, 0, 0), (3, 0, 2, 0.75), (5, 0, 4, 0.9375), (7, 0, 6, 1 - 2**-6), (8, 1, 6, 1 - 18 / 256), (20, 5, 14, None)],
)
def test_the_interval_of_a_median_is_one_of_order_statistics(count, low, high, confidence):
    found = median_interval(np.random.default_rng(0).permutation(count))
    assert (found.median, found.low, found.high, found.seeds) == ((count - 1) / 2, low, high, count)
    if confidence is None:
        confidence = 1 - 2 * sum(math.comb(20, k) for k in range(6)) / 2**20
    assert found.confidence == pytest.approx(confidence)


def test_the_interval_covers_the_median_as_often_as_it_says():
    draws = np.random.default_rng(1).exponential(size=(4000, 9))
    found = [median_interval(row) for row in draws]
    covered = np.mean([one.low <= math.log(2) <= one.high for one in found])
    assert abs(covered - found[0].confidence) < 4 * 0.02**0.5 * 4000**-0.5 + 0.005


@pytest.mark.parametrize("values", [[], [1.0, math.nan]])
def test_medians_of_nothing_are_refused(values):
    with pytest.raises(ValueError, match="values must be finite numbers, one for each seed"):
        median_interval(values)


def measure(table):
    return table.each("depth", "slope")


TABLE = Table([{"depth": depth, "seed": seed, "slope": depth + seed / 10} for depth in (2, 3) for seed in (-2, -1, 0, 1, 2)])


@pytest.mark.parametrize(
    ("low", "high", "holds", "certain"), [(1.5, 3.5, True, True), (1.9, 3.1, True, False), (2.1, 4, False, False)]
)
def test_an_assertion_holds_where_every_median_lies_inside(low, high, holds, certain):
    found = judge(Assertion("slopes", Within(measure, low, high), {"five": Within(measure, 4.9, 5.1)}), TABLE)
    assert (found.holds, found.certain, found.as_asserted) == (holds, certain, holds)
    assert found.refuted["five"][0] == "depth 2"


def test_a_variant_is_refuted_only_by_a_whole_interval():
    found = judge(Assertion("slopes", Within(measure, 0), {"near": Within(measure, 1.9, 3.1)}), TABLE)
    assert found.holds
    assert found.refuted == {"near": None}
    assert not found.as_asserted


def test_nothing_to_measure_is_a_failure():
    found = judge(Assertion("slopes", Within(measure, 0), {"large": Within(measure, 9)}), Table([]))
    assert (found.holds, found.problem) == (False, "there is nothing to measure")


def test_a_table_is_the_same_after_it_was_written_and_read():
    rows = [{"kind": "norm", "depth": 3, "norm": np.float64(1 / 3)}, {"kind": "a, b", "fits": np.bool_(True), "value": 1e-300}]
    table = Table([plain_row(row) for row in rows])
    assert table.csv() == 'kind,depth,norm,fits,value\nnorm,3,0.333333,,\n"a, b",,,1,1e-300\n'
    assert read_table(table.csv()) == table
    assert table.where(kind="norm").column("norm").tolist() == [0.333333]
    assert table.distinct("kind") == ["a, b", "norm"]


@pytest.mark.parametrize("cell", [math.inf, math.nan, "3", "", None, [1]])
def test_cells_that_would_not_come_back_are_refused(cell):
    with pytest.raises(ValueError, match="norm must be a finite number, or a text that is no number, got"):
        plain_row({"norm": cell})


@pytest.mark.parametrize(
    ("text", "message"), [("", "the first line"), ("a,a\n", "the first line"), ("a,b\n1\n", "line 2 has 1")]
)
def test_what_is_no_table_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        read_table(text)


def test_declarations_are_checked():
    toy = experiments_in("toy_experiments")["toy.means"]
    with pytest.raises(ValueError, match="recipes must have the scales smoke, laptop, paper, got smoke"):
        replace(toy, recipes={"smoke": toy.recipes["smoke"]})
    with pytest.raises(ValueError, match="assertions must be one or more, with different names"):
        replace(toy, assertions=[*toy.assertions, *toy.assertions])
    with pytest.raises(ValueError, match="needs a false variant"):
        Assertion("slopes", Within(measure, 0), {})
    with pytest.raises(ValueError, match="low and high must be in order"):
        Within(measure, 1, 0)
    with pytest.raises(ValueError, match="one of them finite"):
        Within(measure)
