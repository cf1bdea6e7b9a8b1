"""Identities in sympy as relations, so that a symbolic part of a claim reports like every other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from verify.numbers.arithmetic import ball, rationals
from verify.numbers.exactness import FloatOnExactSide
from verify.numbers.relation import Relation, eq

if TYPE_CHECKING:
    from sympy import Expr


def identically_zero(*expressions: Expr) -> Relation:
    """The relation that every expression is zero for all values of its symbols (within their assumptions).

    Decided by simplification, and the other way by sympy's evaluation at random points; undecided if neither answers.

    Raises
    ------
    ValueError
        There is no expression.
    TypeError
        One is no expression.
    FloatOnExactSide
        One holds a float of sympy, and is zero up to rounding at best.
    """
    if not expressions:
        raise ValueError("expressions must not be empty: nothing would be compared")
    found = rationals([0] * len(expressions))
    for place, expression in enumerate(expressions):
        found[place] = _remainder(expression)
    return eq(found, rationals([0] * len(expressions)), over=1)


def _remainder(expression: Expr) -> object:
    """0 for zero, 1 for an expression that is not, a ball without information where sympy cannot tell."""
    import sympy as sp

    expression = sp.sympify(expression)
    if not isinstance(expression, sp.Expr):
        raise TypeError(
            f"expressions must be expressions of sympy, got {expression!r}: write the left side minus the right side"
        )
    inexact = expression.atoms(sp.Float)
    if inexact:
        raise FloatOnExactSide(
            f"the float {min(inexact, key=str)} stands in an expression: write sympy.Rational(1, 10) for 0.1"
        )
    if sp.expand(expression) == 0 or sp.simplify(expression) == 0:
        return rationals(0)[()]
    known = expression.is_finite is not False and not expression.has(sp.nan)
    return rationals(1)[()] if known and expression.equals(0) is False else ball(arb.nan())
