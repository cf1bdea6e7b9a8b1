"""Instances that are decided in one evaluation have the decisions that each has by itself."""

import numpy as np
import pytest

from verify import Domain, reals
from verify.claims.domain import Sample
from verify.numbers.arithmetic import FloatOnly, is_exact
from verify.search.decide import decide_sample, decide_together
from verify.words import ge, le, sqrt

ENTRIES = np.array([[1, -2], [0, 0], [3, 4], [-1, -1], [2, 0]])


def holds_at_some(x):
    return ge(x[0] * x[1], 0)


def two_parts(x):
    return le(x[0], 3, name="first") & le(x * x, 9, name="all")


def tie_of_roots(x):
    return le(sqrt(x[0] ** 2), abs(x[0]))


def root(x):
    return ge(sqrt(x[0]), 0)


def quotient(x):
    return le(1 / x[1], 5)


def of_floats(x):
    if is_exact(x):
        raise FloatOnly("a search")
    return ge(x[0], 0)


def shared_constant(x):
    return le(x[0], np.array([2]))


def samples():
    return [Sample({"n": 2}, {"x": row}).exact() for row in ENTRIES]


@pytest.mark.parametrize("hypothesis", [{}, {"x is not (3, 4)": lambda x: x[0] != 3}], ids=["all", "some"])
@pytest.mark.parametrize(
    ("statement", "told"),
    [(holds_at_some, 5), (two_parts, 5), (tie_of_roots, 5), (root, 4), (quotient, 0), (of_floats, 0), (shared_constant, 5)],
)
def test_a_decision_is_the_same_alone_and_together(statement, told, hypothesis):
    domain = Domain({"x": reals("n")}, {"n": (2,)}, hypothesis)
    together = decide_together(statement, domain, samples())
    assert sum(one is not None for one in together) == (told or len(hypothesis))
    for sample, decision in zip(samples(), together, strict=True):
        if decision is None:
            continue
        alone = decide_sample(statement, domain, sample)
        assert decision.outside == alone.outside
        if alone.relation is None:
            assert decision.relation is None
            continue
        assert decision.relation.verdict.tolist() == alone.relation.verdict.tolist()
        assert decision.relation.relative_slacks().tolist() == alone.relation.relative_slacks().tolist()
        assert decision.relation.tied == alone.relation.tied
