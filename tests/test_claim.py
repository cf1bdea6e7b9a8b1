"""What a claim and its parts are made of: whatever else is refused at once, in a sentence that says what to write."""

import re
from fractions import Fraction

import numpy as np
import pytest

from verify import Claim, DerivedHere, Domain, Follows, Q, Source, Tight, integers, interval, reals
from verify.claims.rate import Rate
from verify.numbers.arithmetic import rationals
from verify.words import le

X = Domain({"x": reals()})
LADDER = (4, 8, 16, 32, 64, 128)


def squares(x):
    return le(0, x * x)


def negative(x):
    return le(x * x, -1)


def claim(**more):
    parts = {"statement": squares, "domain": X, "false_variants": {"negative": negative}, "title": "Squares"}
    return Claim(**{"id": "toy.squares", "source": Source("toy", "derived here"), "status": DerivedHere()} | parts | more)


def with_constant(variant):
    def scaled(x, factor=1):
        return le(factor * x, x)

    return claim(statement=scaled, false_variants={"a": variant})


def nothing():
    return {"x": 0}


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: claim(title=None), "title must be a text of one line, got NoneType"),
        (lambda: claim(title="two\nlines"), r"title must be a text of one line, got 'two\nlines'"),
        (lambda: claim(title="\ud800"), r"title must be a text of one line, got '\ud800'"),
        (lambda: claim(source=Source("toy", 3)), "source.label must be a text of one line, got int"),
        (lambda: claim(false_variants={3: negative}), "a name in false_variants must be a text of one line, got int"),
        (lambda: claim(tight={None: nothing}), "a name in tight must be a text of one line, got NoneType"),
        (lambda: with_constant({"factor": 0.9}), "must give exact numbers, such as factor=Q('0.9'), got 0.9, which is a float"),
        (lambda: claim(false_variants={"a": le(1, 0)}), "false_variants['a'] must be a function"),
        (lambda: claim(statement=le(0, 1)), "statement must be a function, got Relation"),
        (lambda: claim(exact={"a": le(0, 1)}), "exact['a'] must be a function"),
        (lambda: claim(argument="It follows."), "proof must name that part of exact"),
        (lambda: claim(tight={"zero": 0}), "tight['zero'] must be"),
        (lambda: claim(not_known_tight={"": " "}), "not_known_tight must say why '' is not tight, in a sentence"),
        (lambda: claim(follows=("toy.other",)), "follows must be a tuple of Follows"),
        (lambda: Follows("toy.other"), "claim must be a Claim, got 'toy.other'"),
        (lambda: Follows(claim(), {"x": 0}), "instance must be a function of the coordinates, got dict"),
        (lambda: Tight({"x": 0}), "instance must be a function that returns the variables"),
        (lambda: Tight(nothing, of="gap"), "of must be a tuple of names"),
        (lambda: Tight(nothing, relative_slack=0.1), "why= must say why the bound is not attained"),
        (lambda: Tight(nothing, relative_slack=float("nan"), why="nobody knows"), "relative_slack must be at least 0"),
        (lambda: Rate(lambda n: n, (0, *LADDER), 1.0), "sizes must be at least six increasing positive numbers"),
        (lambda: Rate(lambda n: n, LADDER, "1"), "exponent must be a finite number, got '1'"),
        (lambda: Rate(lambda n: n, LADDER, float("nan")), "exponent must be a finite number, got nan"),
        (lambda: Rate(2.0, LADDER, 1.0), "quantity must be a function of the sizes, got float"),
        (lambda: Domain({"x": reals}), "variables['x'] must say how it is drawn"),
        (lambda: Domain({"x": reals("n")}, {"n": 3}), "sizes['n'] must be the integers it may be"),
        (lambda: Domain({"x": reals("n")}, {"n": (2.0,)}), "sizes['n'] must be the integers it may be"),
        (lambda: Domain({"x": reals("n")}, {"n": (-1, 2)}), "sizes['n'] must be the integers it may be"),
        (lambda: Domain({"x": reals()}, hypotheses={"h": True}), "hypotheses['h'] must be a function of variables"),
        (lambda: Domain({"x": reals()}, {"n": (1,)}, sizes_where=lambda one: one["m"] > 0).all_sizes(), "the size 'm'"),
        (lambda: reals((2, 3)), "a length must be an integer, the name of a size or a function"),
        (lambda: interval("0", 1), "lower must be a number, got '0'"),
        (lambda: integers(0.5, 2), "lower must be an integer from -2**53 to 2**53"),
        (lambda: integers(0, 10**20), "upper must be an integer from -2**53 to 2**53"),
    ],
)
def test_what_is_no_part_of_a_claim_is_refused(make, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        make()


@pytest.mark.parametrize("end", [Fraction(1, 3), Q("1/10"), Fraction(-1, 3), Fraction(1, 10**30), 10**17 + 1])
def test_the_ends_of_an_interval_are_rounded_inward(end):
    above = interval(end, np.inf).coordinates({})[""].lower
    below = interval(-np.inf, end).coordinates({})[""].upper
    assert Fraction(below) <= Fraction(end) <= Fraction(above)
    assert below == above or np.nextafter(below, np.inf) == above


def test_an_end_that_is_no_float_may_be_given_by_hand():
    domain = Domain({"x": interval(Fraction(1, 3), 1)})
    assert domain.outside({"x": rationals("1/3")}) == []
    assert domain.outside({"x": rationals("33/100")}) != []


def test_variables_cannot_be_written_to():
    sample = next(iter(X.structured(np.random.default_rng(0), 8)))
    built = X.build(sample)["x"]
    with pytest.raises(TypeError, match="does not support item assignment"):
        built[...] = 1
    with pytest.raises(ValueError, match="read-only"):
        built.values[...] = 1
    sample.coordinates["x"][...] = 0  # the coordinates themselves belong to who drew them
