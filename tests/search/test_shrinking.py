"""Shrinking: the refutation stands, is simpler, and stays in the domain."""

import numpy as np
import pytest

from verify.claims.domain import Domain, Sample
from verify.claims.variables import Networks, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.numbers.exactness import Q
from verify.numbers.relation import Verdict
from verify.search import Refutation, shrink
from verify.search.decide import verdict_of
from verify.words import absolute, ge, greatest, le, where


def refutation(statement, **coordinates):
    exact = {name: rationals(values) for name, values in coordinates.items()}
    return Refutation(Sample({}, exact), statement(**exact))


def test_a_refutation_becomes_small_and_stands():
    def statement(x):
        return le(x.sum(), 1)

    found, broken = shrink(refutation(statement, x=["17/64", "123/7", "-3/5"]), statement, Domain({"x": reals(3)}))
    assert broken is None
    assert verdict_of(found.relation) == Verdict.FAILS
    assert sorted(map(str, found.sample.coordinates["x"])) == ["0", "0", "2"]


@pytest.mark.parametrize(
    ("statement", "met", "left"),
    [
        (lambda x: le(x[1] - x[0], 2000), [0, 1964157326763], ["0", "5000"]),
        (lambda x: le(x[0], 100), [925, 0], ["200", "0"]),
        (lambda x: ge(x[1], 0 - 2000), [0, -123456], ["0", "-5000"]),
        (lambda x: le(Q("1/20") * x[0] ** 2, absolute(x[1]) + where(x[1] == 0, x[0] ** 2, 0)), [-1, "-3/2048"], ["1", "-1/32"]),
    ],
)
def test_large_numbers_become_round_and_small_ones_powers_of_two(statement, met, left):
    found, broken = shrink(refutation(statement, x=met), statement, Domain({"x": reals(2)}))
    assert broken is None
    assert [str(entry) for entry in found.sample.coordinates["x"]] == left


def test_arrays_lose_different_places():
    """One array has its large entry first, the other one last: no index can be dropped of both."""
    statement = lambda x, y: le(greatest(x) * greatest(y), 1)  # noqa: E731
    domain = Domain({"x": reals("n"), "y": reals("n")}, {"n": (1, 2, 3)})
    exact = {"x": rationals([5, 0, 0]), "y": rationals([0, 0, 7])}
    found, _ = shrink(Refutation(Sample({"n": 3}, exact), statement(**exact)), statement, domain)
    assert found.sample.sizes == {"n": 1}
    assert verdict_of(found.relation) == Verdict.FAILS


@pytest.mark.parametrize("variable", [interval(1 / 2, 3), integers(2, 9)])
def test_it_stays_in_the_interval(variable):
    statement = lambda x: le(x, 0)  # noqa: E731
    found, broken = shrink(refutation(statement, x=3), statement, Domain({"x": variable}))
    assert broken is None
    assert str(found.sample.coordinates["x"][()]) in ("1", "2")


def test_it_keeps_the_hypotheses():
    statement = lambda x, y: le(x, y)  # noqa: E731
    domain = Domain({"x": reals(), "y": reals()}, hypotheses={"far apart": lambda x, y: abs(x - y) >= 5})
    found, broken = shrink(refutation(statement, x="37/8", y="-97/16"), statement, domain)
    assert broken is None
    assert found.sample.coordinates["x"][()] - found.sample.coordinates["y"][()] >= 5
    assert all(values[()].q == 1 for values in found.sample.coordinates.values())


def test_it_stops_when_the_decisions_are_used_up():
    calls = []

    def statement(x):
        calls.append(x)
        return le(x.sum(), -(10**6))

    start = refutation(statement, x=[f"{k}/97" for k in range(1, 40)])
    calls.clear()
    shrink(start, statement, Domain({"x": reals(39)}), decisions=7)
    assert len(calls) <= 7


def test_it_gets_smaller_sizes():
    def statement(x, y):
        return le(x @ y, 0)

    domain = Domain({"x": reals("n"), "y": reals("n")}, {"n": range(1, 6)})
    start = {"x": rationals([0, 2, 0, "7/2"]), "y": rationals([3, 5, 1, -1])}
    found, broken = shrink(Refutation(Sample({"n": 4}, start), statement(**start)), statement, domain)
    assert broken is None
    assert found.sample.sizes == {"n": 1}
    assert [str(values[0]) for values in found.sample.coordinates.values()] == ["1", "1"]


def test_layers_of_a_network_go_too():
    def statement(network):
        return le(network.weight_norm_squared, 0)

    domain = Domain({"network": Networks(inputs=2, outputs=2, biases=False)}, {"depth": range(1, 5), "width": range(1, 4)})
    sizes = {"depth": 3, "width": 2}
    rng = np.random.default_rng(4)
    entries = {name: rng.integers(1, 5, one.shape) for name, one in domain.layout(sizes).items()}
    sample = Sample(sizes, {name: rationals(values) for name, values in entries.items()})
    found, broken = shrink(Refutation(sample, statement(domain.build(sample)["network"])), statement, domain)
    assert broken is None
    assert found.sample.sizes == {"depth": 1, "width": 1}
    assert sum(abs(entry) for values in found.sample.coordinates.values() for entry in values.flat) == 1


def test_it_keeps_a_hypothesis_broken_that_was_left_out():
    statement = lambda x, y: ge(x + y, 0)  # noqa: E731
    hypotheses = {"x at least -1": lambda x: x >= -1, "y at least 0": lambda y: y >= 0}
    domain = Domain({"x": reals(), "y": reals()}, hypotheses=hypotheses)
    found, broken = shrink(refutation(statement, x="-97/8", y="3/8"), statement, domain, without="x at least -1")
    assert broken is None
    assert [str(values[()]) for values in found.sample.coordinates.values()] == ["-2", "0"]


def test_what_raises_on_the_way_is_told_and_is_no_simpler_instance():
    def statement(x):
        if (x == 0).any():
            raise KeyError("zero")
        return le(x.sum(), -100)

    found, broken = shrink(refutation(statement, x=["5/3", "7/9"]), statement, Domain({"x": reals(2)}))
    assert [str(entry) for entry in found.sample.coordinates["x"]] == ["1", "1"]
    assert isinstance(broken, KeyError)


def test_nothing_is_asked_without_decisions():
    start = refutation(lambda x: le(x, 0), x="5/3")
    assert shrink(start, lambda x: le(x, 0), Domain({"x": reals()}), decisions=0) == (start, None)


def test_matrices_lose_a_row_and_a_column():
    """The place of a one goes with the row and the column that are left."""
    statement = lambda A: le(A.sum(), 0)  # noqa: E731
    domain = Domain({"A": reals("m", "n")}, {"m": (1, 2, 3), "n": (2, 3)})
    exact = {"A": rationals([[0, 0, 0], [0, 0, "7/2"], [0, 0, 0]])}
    found, _ = shrink(Refutation(Sample({"m": 3, "n": 3}, exact), statement(**exact)), statement, domain)
    assert found.sample.sizes == {"m": 1, "n": 2}
    assert sorted(map(str, found.sample.coordinates["A"].flat)) == ["0", "1"]


def test_sizes_that_are_left_out_are_passed_over():
    statement = lambda x: le(x.sum(), 0)  # noqa: E731
    exact = {"x": rationals([1, 2, 3, 4])}
    for sizes, smallest in (((2, 4), 2), ((4, 5), 4), ((1, 3, 4), 1)):
        domain = Domain({"x": reals("n")}, {"n": sizes})
        found, _ = shrink(Refutation(Sample({"n": 4}, exact), statement(**exact)), statement, domain)
        assert found.sample.sizes == {"n": smallest}
