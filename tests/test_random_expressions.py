"""Random expressions in floats, rationals and balls, of one instance and of many: all agree with Python's fractions."""

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from verify.instances.calls import batched
from verify.numbers.arithmetic import fraction, rationals
from verify.numbers.exactness import Ball, exact_evaluation
from verify.words import absolute, maximum, minimum, where

OPERATIONS = ("+", "-", "*", "/", "absolute", "maximum", "minimum", "where", "power")
FRACTIONS = {
    "absolute": abs,
    "maximum": max,
    "minimum": min,
    "where": lambda condition, left, right: left if condition else right,
}
WORDS = {"absolute": absolute, "maximum": maximum, "minimum": minimum, "where": where}
INSTANCES = 5


def drawn(rng, depth):
    """An expression of three variables: an operation with what it is of."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([("x", rng.randrange(3)), ("c", Fraction(rng.randint(-9, 9), rng.randint(1, 9)))])
    return rng.choice(OPERATIONS), drawn(rng, depth - 1), drawn(rng, depth - 1)


def value(expression, x, functions, number):
    """The expression at x, by functions of one arithmetic; `number` makes a constant of it."""
    kind, *parts = expression
    if kind == "x":
        return x[parts[0]]
    if kind == "c":
        return number(parts[0])
    a, b = (value(part, x, functions, number) for part in parts)
    plain = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / (1 + b * b),
        "power": lambda: a**2 + b,
    }
    if kind in plain:
        return plain[kind]()
    if kind == "where":
        return functions["where"](a > 0, a, b)
    return functions[kind](a - b) if kind == "absolute" else functions[kind](a, b)


def size(expression, x):
    """The largest number that is met on the way."""
    kind, *parts = expression
    inner = [] if kind in "xc" else [size(part, x) for part in parts]
    return max([abs(value(expression, x, FRACTIONS, Fraction)), *inner])


@pytest.mark.parametrize("seed", range(40))
def test_all_arithmetics_agree(seed):
    rng = random.Random(seed)
    expression = drawn(rng, 4)
    points = [[Fraction(rng.randint(-40, 40), rng.choice([1, 2, 3, 8])) for _ in range(3)] for _ in range(INSTANCES)]
    right = [value(expression, x, FRACTIONS, Fraction) for x in points]
    floats = np.array(points, dtype=float)

    with exact_evaluation():
        exact = [value(expression, rationals(x), WORDS, lambda c: fmpq(c.numerator, c.denominator)) for x in points]
    assert [fraction(one) if isinstance(one, fmpq) else fraction(np.asarray(one).item()) for one in exact] == right

    # eight digits more are lost than an expression of 31 operations can lose
    bounds = [1e-8 * (1 + float(size(expression, x)) ** 2) for x in points]
    alone = [float(value(expression, x, WORDS, float)) for x in floats]
    assert all(abs(found - float(wanted)) <= bound for found, wanted, bound in zip(alone, right, bounds, strict=True))

    together = batched(lambda x: value(expression, x, WORDS, float) + 0 * x[0])(floats)
    assert np.allclose(together, alone, rtol=1e-12, atol=0)


@pytest.mark.parametrize("seed", range(20))
def test_balls_hold_the_right_number(seed):
    rng = random.Random(seed)
    expression = drawn(rng, 3)
    x = [Fraction(rng.randint(-40, 40), rng.choice([3, 7])) for _ in range(3)]
    wanted = value(expression, x, FRACTIONS, Fraction)
    around = np.array([Ball(arb(fmpq(one.numerator, one.denominator))) for one in x], dtype=object)
    found = value(expression, around, WORDS, lambda c: fmpq(c.numerator, c.denominator))
    exact = fmpq(wanted.numerator, wanted.denominator)
    ball = found if isinstance(found, arb) else arb(found) if isinstance(found, fmpq) else np.asarray(found).item()
    assert arb(ball).overlaps(arb(exact))
    assert float(arb(ball).rad()) < 1e-6
