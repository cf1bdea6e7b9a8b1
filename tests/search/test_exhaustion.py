"""Discrete domains: small ones are exhausted, each element once, and of larger ones integers are changed and exchanged."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from verify import Domain, attack, derived, explain, families, integers, interval, reals
from verify.claims.variables import elements_of
from verify.search import BUDGETS, SampleCache
from verify.search.phases import Swap
from verify.words import absolute, ge, le, trace, where

NO_TRIANGLE = {"no triangle": lambda A: trace(A @ A @ A) == 0}


@pytest.mark.parametrize(
    ("variable", "sizes", "count"),
    [
        (families.adjacency("n"), {"n": 4}, 64),
        (families.adjacency("n"), {"n": 1}, 1),
        (families.permutation("n"), {"n": 4}, 24),
        (families.arrangement("n"), {"n": 5}, 120),
        (families.tree("n"), {"n": 5}, 24),
        (families.binary("n"), {"n": 5}, 32),
        (families.binary(2, 2), {}, 16),
        (integers(-1, 3, 2), {}, 25),
        (derived(lambda p, k: p * k, p=families.arrangement(3), k=integers(1, 2)), {}, 12),
    ],
)
def test_each_element_is_listed_once(variable, sizes, count):
    elements = elements_of({"x": variable}, sizes)
    assert elements is not None
    assert elements[0] == count
    domain = Domain({"x": variable}, {name: (value,) for name, value in sizes.items()})
    sample = next(iter(domain.exhausted(0, count)))
    built = np.asarray(domain.build(sample)["x"].values)
    assert len(built) == count
    assert len({entry.tobytes() for entry in built}) == count


def test_what_has_a_real_number_is_not_listed():
    assert elements_of({"x": integers(0, 1), "y": interval(0, 1)}, {}) is None
    assert elements_of({"x": integers(0, 1), "y": reals(0)}, {}) is not None


def test_the_outcome_says_of_which_sizes_all_instances_were_tried():
    domain = Domain({"A": families.adjacency("n")}, {"n": (5, 6, 7)}, NO_TRIANGLE)
    result = attack(lambda A: le(2 * A.sum(), A.shape[0] ** 2), domain)
    assert result.outcome == "survived"
    assert result.found.searched.exhausted == {"n = 5": 1024, "n = 6": 32768}
    assert "all instances of n = 5 (1024) and of n = 6 (32768)" in explain(result)
    assert "all instances of n = 5 (1024) and of n = 6 (32768)" in repr(result)


def test_a_small_domain_is_all_there_is():
    result = attack(lambda x: le(x.sum(), 3), {"x": families.binary(3)})
    assert result.found.searched.exhausted == {"": 8}
    assert "all instances (8)" in repr(result)


def test_a_refutation_exhausts_nothing():
    result = attack(lambda x: le(x.sum(), 2), {"x": families.binary(3)})
    assert result.outcome == "refuted"
    assert result.found.searched.exhausted == {}


def test_real_numbers_exhaust_nothing():
    assert attack(lambda x: ge(x * x, 0), {"x": reals()}).found.searched.exhausted == {}


def queens(p):
    rows = np.arange(p.shape[0])
    attacked = absolute(p[:, None] - p[None, :]) == absolute(rows[:, None] - rows[None, :])
    return ge(where(attacked, 1, 0).sum() - p.shape[0], 1)


def magic(p):
    square = (p + 1).reshape(3, 3)
    lines = [*square, *square.T, square[[0, 1, 2], [0, 1, 2]], square[[0, 1, 2], [2, 1, 0]]]
    return ge(sum(absolute(line.sum() - 15) for line in lines), 1)


def ramsey(A):
    """A triangle, or four vertices that no edge joins."""
    fours = itertools.combinations(range(A.shape[0]), 4)
    free = sum(where(sum(A[i, j] for i, j in itertools.combinations(four, 2)) == 0, 1, 0) for four in fours)
    return ge(trace(A @ A @ A) / 6 + free, 1)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda A: le(A.sum() / 2, 8), Domain({"A": families.adjacency(6)}, {}, NO_TRIANGLE)),
        (lambda A: le(A.sum() / 2, 11), Domain({"A": families.adjacency(7)}, {}, NO_TRIANGLE)),
        (ramsey, Domain({"A": families.adjacency(8)})),
        (queens, Domain({"p": families.arrangement(6)})),
        (magic, Domain({"p": families.arrangement(9)})),
    ],
    ids=["Mantel, n = 6", "Mantel, n = 7", "R(3, 4) <= 8", "six queens", "magic squares"],
)
def test_what_few_instances_refute_falls(statement, domain):
    result = attack(statement, domain)
    assert result.outcome == "refuted", str(result)


def test_exchanges_find_what_draws_miss():
    domain = Domain({"A": families.adjacency(9)}, {}, NO_TRIANGLE)
    result = attack(lambda A: le(A.sum() / 2, 19), domain)
    assert result.found.searched.by == Swap().name


def test_costly_instances_are_not_all_listed():
    domain = Domain({"A": families.adjacency("n")}, {"n": (4, 5, 6)})
    budget = replace(BUDGETS["quick"], batched=0, exhausted=2000)
    assert domain.exhaustible(2000) == [{"n": 4}, {"n": 5}]
    assert domain.exhaustible(2000, lambda _: 2) == [{"n": 4}]
    met = [batch.sample.sizes["n"] for batch in SampleCache("toy.costly", domain, budget, 0).phase("all")]
    assert met == [4, 5]
