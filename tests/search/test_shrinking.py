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
