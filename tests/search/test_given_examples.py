"""Instances that are written by hand are tried first, and refused in a sentence where they do not lie in the domain."""

import re

import pytest

from verify import Claim, Domain, Q, Source, attack, check, families, integers, interval, reals
from verify.claims.variables import Networks
from verify.networks import FullyConnected
from verify.words import ge, le, norm2, where


def away_from_a_third(x):
    return ge(where(x[0] == Q(1, 3), 0, 1), 1)


def test_an_example_refutes_what_draws_do_not():
    assert attack(away_from_a_third, {"x": reals(2)}).outcome == "survived"
    result = attack(away_from_a_third, {"x": reals(2)}, examples=[{"x": [1, 1]}, {"x": ["1/3", 4]}])
    assert result.outcome == "refuted"
    assert result.found.searched.by == "examples"
    assert result.found.searched.evaluations == 2


def test_the_examples_of_a_claim_are_tried_for_all_that_is_beside_it():
    claim = Claim(
        id="toy.examples",
        title="x is not a third",
        source=Source("toy", "1"),
        statement=lambda x: le(x, 1),
        domain=Domain({"x": interval(0, 1)}),
        tight={"one": {"x": 1}},
        false_variants={"not a third": lambda x: ge(where(x == Q(1, 3), 0, 1), 1)},
        examples=[{"x": "1/3"}],
    )
    result = check(claim)
    assert result.outcome == "survived"
    assert result.found.false_variants["not a third"].by == "examples"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        (families.symmetric("n"), [[1, 2], [2, 3]]),
        (families.antisymmetric("n"), [[0, 2], [-2, 0]]),
        (families.diagonal("n"), [[1, 0], [0, 2]]),
        (families.lower_triangular("n"), [[1, 0], [5, 2]]),
        (families.upper_triangular("n"), [[1, 5], [0, 2]]),
        (families.unit_vector("n"), ["3/5", "4/5"]),
        (families.unit_vector("n"), [1, 0]),
        (families.sorted_numbers("n"), [-1, 1, 1]),
        (families.probability_vector("n"), ["1/3", "2/3"]),
        (families.stochastic("n", "n"), [[0, 1], ["1/2", "1/2"]]),
        (families.permutation("n"), [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
        (families.arrangement("n"), [2, 0, 1]),
        (families.adjacency("n"), [[0, 1], [1, 0]]),
        (families.tree("n"), [[0, 1, 1], [1, 0, 0], [1, 0, 0]]),
        (families.binary("n"), [1, 0]),
    ],
)
def test_members_of_families_are_given_as_they_are(variable, value):
    # false at all instances: the example is the one that is met
    result = attack(lambda x: le(1, 0 * norm2(x)), Domain({"x": variable}, {"n": (2, 3)}), examples=[{"x": value}])
    assert result.found.searched.by == "examples"


def test_free_numbers_and_networks_are_given():
    gram = Domain({"A": families.positive_semidefinite("n")}, {"n": (1, 2)})
    result = attack(lambda A: le(A[0, 0], 3), gram, examples=[{"A.factor": [[2, 0], [0, 1]]}])
    assert result.found.searched.by == "examples"
    nets = Domain({"f": Networks(depth=2, inputs=1, width=1, outputs=1)})
    f = FullyConnected([[[3]], [[1]]], [[0], [1]])
    result = attack(lambda f: le(norm2(f.weights[0]), 8), nets, examples=[{"f": f}])
    assert result.found.searched.by == "examples"


@pytest.mark.parametrize(
    ("variable", "example", "message"),
    [
        (families.symmetric("n"), {"x": [[1, 2], [3, 3]]}, "x is none that the domain has: its free numbers make [[1, 3], [3"),
        (families.sorted_numbers("n"), {"x": [2, 1]}, "x.steps must be from 0 to inf, got -1"),
        (families.orthogonal("n"), {"x": [[1, 0], [0, 1]]}, "these must be given: write {'x.normals': ...}"),
        (reals("n"), {"x": [[1, 2]]}, "such as x of shape (2,) (sizes n: 2, 3), got x of shape (1, 2)"),
        (reals(), {"x": 1}, "must say what n is, which no array tells: write {'n': ...}"),
        (reals(), {"x": 1, "n": 9}, "n must be one of 2, 3, got 9"),
        (interval(0, 1, "n"), {"x": [1, 2]}, "x must be from 0 to 1, got 2"),
        (integers(0, 3, "n"), {"x": ["1/2", 1]}, "x must consist of integers, got 1/2"),
        (reals("n"), {"x": "a"}, "x must be a number, a nested list of them or an array, got 'a'"),
        (reals("n"), {"x": [0, 0]}, "must satisfy the hypotheses, and breaks 'not zero'"),
        (reals("n"), {}, "must give all variables, and x is missing"),
        (reals("n"), {"x": [1, 1], "y": 2}, "gives y, and the domain has no such variable or size: it has x, n"),
    ],
)  # fmt: skip
def test_what_is_not_in_the_domain_is_refused(variable, example, message):
    domain = Domain({"x": variable}, {"n": (2, 3)}, {"not zero": lambda x: norm2(x) > 0})
    with pytest.raises(ValueError, match=re.escape(message)):
        attack(lambda x: le(x, x), domain, examples=[example])


def test_examples_are_a_list():
    with pytest.raises(TypeError, match=re.escape("write examples=[{'x': [3, 4]}]")):
        attack(lambda x: le(x, x), {"x": reals()}, examples={"x": 1})
