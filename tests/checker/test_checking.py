"""What a check does beyond its search: what should be refuted is tried on other instances before that is denied."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify import Claim, Domain, Q, Source, integers, interval, reals
from verify.checker import checking
from verify.checker.checking import Checker
from verify.checker.record import record_of
from verify.numbers.arithmetic import FloatOnly, is_exact
from verify.words import eq, ge, le, where


def not_negative(number):
    return ge(number, 0)


def never_in_the_window(number):
    """False for one number in 512, and nothing leads there."""
    return le(where((number > Q("40/64")) & (number < Q("321/512")), 1, 0), 0)


def small(number):
    return number < 1


COSTLY = Claim(
    id="toy.costly",
    title="Numbers are not negative",
    source=Source("toy", "derived here"),
    statement=not_negative,
    domain=Domain({"number": interval(0, 2)}, hypotheses={"small": small}),
    false_variants={"never in the window": never_in_the_window},
    cost=400,
)


def refuted(seed):
    return Checker(COSTLY, seed=seed).refutes("never in the window")


def test_a_false_variant_that_fails_at_rare_instances_is_refuted_by_other_draws(monkeypatch):
    with_others = [refuted(seed) for seed in range(8)]
    monkeypatch.setattr(checking, "DRAWINGS", 1)
    alone = [refuted(seed) for seed in range(8)]
    assert sum(one.refuted for one in alone) < sum(one.refuted for one in with_others)
    for one, other in zip(alone, with_others, strict=True):
        assert other == one if one.refuted else other.evaluations > one.evaluations


def test_what_is_not_claimed_to_be_needed_is_tried_once():
    insisted, once = replace(COSTLY, needs=("small",)), COSTLY
    assert Checker(insisted).needs("small").evaluations > 3 * Checker(once).needs("small").evaluations > 0


def hidden_from_floats(number, length):
    """False by 1e-18, which floats do not see; there is an exact evaluation of four numbers only."""
    if length != 4 and is_exact(number):
        raise FloatOnly("there is an exact evaluation of four numbers only")
    return eq(number, number * Q("1000000000000000001/1000000000000000000"))


@pytest.mark.parametrize("seed", range(6))
def test_sizes_without_an_exact_evaluation_do_not_keep_others_from_the_rationals(seed):
    domain = Domain({"number": interval(1, 2, "length")}, {"length": range(1, 9)})
    hidden = Claim("toy.hidden", "", Source("toy", "derived here"), hidden_from_floats, domain, {"a": hidden_from_floats})
    assert Checker(hidden, seed=seed).searched().outcome == "refuted"
    alone = replace(hidden, domain=replace(domain, sizes={"length": (3,)}))
    assert Checker(alone, seed=seed).searched().outcome == "undecided"


def otherwise_in_floats(apart):
    """A statement whose left side is another number in floats where `apart` says so."""

    def bounded(x):
        return le(x if is_exact(x) else where(apart(x), x + 1, x), 20)

    return bounded


@pytest.mark.parametrize(("apart", "said"), [(lambda x: x == 3, False), (lambda x: x > -8, True)])
def test_one_singular_instance_of_a_few_does_not_make_two_statements(apart, said):
    claim = replace(COSTLY, statement=otherwise_in_floats(apart), domain=Domain({"x": integers(-10, 10)}), cost=400)
    checkers = [Checker(claim, "quick", seed) for seed in range(40)]
    assert min(len(one.attack(claim.statement, "holds", one.budget).settled) for one in checkers) < 8
    assert {"do not compute the same" in one.searched().error for one in checkers} == {said}


def raises_where_the_rest_is_zero(x, y):
    """False above 8, where the code breaks at what is simplest."""
    if is_exact(x) and (x[0] > 8).all() and (x[1] == 0).all() and (y == 0).all():
        raise ValueError("boom")
    return le(x[0], 8)


def test_what_raises_at_a_simpler_instance_is_refuted_where_it_does_not():
    domain = Domain({"x": reals(2), "y": reals(2)})
    variants = {"a": raises_where_the_rest_is_zero, "b": raises_where_the_rest_is_zero}
    claim = replace(COSTLY, statement=lambda x: le(x[0], x[0] + 1), domain=domain, false_variants=variants, cost=1)
    record = record_of(Checker(claim).everything())
    assert record.outcome == "survived"
    assert all(one["refuted"] for one in record.false_variants.values())
    found = Checker(replace(claim, statement=raises_where_the_rest_is_zero)).searched()
    assert found.outcome == "refuted"
    assert any("ValueError: boom" in problem for problem in found.problems)
