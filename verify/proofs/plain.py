"""Whether a statement takes numbers as numbers: what it reaches asks for no type, catches no error, and depends on them alone.

A prover runs a statement on what takes the place of rationals. Where the statement asks what kind of number it is given, or
goes on after an error that a rational does not raise, it does something else there than on rationals, at one point perhaps,
which no drawn point meets. What such numbers are asked themselves they tell (`verify.numbers.exactness.asked_from_outside`);
the source tells the rest. It also tells what answers otherwise another time, as a clock does.
"""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import dis
import functools
import gc
import itertools
import operator
import re
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.claims.claim import Claim
from verify.claims.variables import builders
from verify.evidence.fingerprint import fresh_source
from verify.evidence.sources import within
from verify.linting.beside import beside, is_beside
from verify.linting.lint import name_of
from verify.linting.literals import Names
from verify.linting.syntax import tree_of
from verify.numbers.arithmetic import any_traced
from verify.proofs.certificate import NotProved

TYPES = (
    *(type, id, operator.is_, operator.is_not, operator.attrgetter, operator.methodcaller, typing.get_origin, any_traced),
    *(bytes, bytearray, memoryview, np.frombuffer, np.bytes_, np.void),
)
"""Functions of Python that tell what takes the place of a number from a number, and do not ask it."""
KINDS = ("__class__", "singledispatch", "singledispatchmethod", "tobytes", "data", "from_bytes", "dump", "dumps", "tofile")
"""Attributes that do; the bytes of an array of objects are the places of these in memory."""
OF_CLASSES = re.compile(
    "__(init|post_init|new|call|name|qualname|file|doc|setattr|getattr|set_name|init_subclass|class_getitem|main)__"
)
"""Names between underscores that say nothing of a number; others, such as ``__module__`` and ``__sizeof__``, say its kind."""
CATCHES = "catches errors: what takes the place of numbers raises others than numbers do"
PASSING = (np.errstate, contextlib.nullcontext, warnings.catch_warnings)
"""Contexts of libraries that let errors pass."""


def require_plain(claim: Claim, *, of_numbers: bool = False) -> None:
    """See that the statement of a claim, its hypotheses and its variables take numbers as numbers, and depend on these alone.

    With `of_numbers` it is evaluated on numbers only, and may ask for their types.

    Raises
    ------
    NotProved
        One asks for the type of a number, catches an error, or depends on something else than numbers.
    """
    domain = claim.domain
    roots = [claim.statement, *domain.hypotheses.values(), *builders(domain.variables)]
    for follow in claim.follows:
        require_plain(follow.claim, of_numbers=of_numbers)
        roots += [follow.instance] if follow.instance is not None else []
    inside = within(roots)
    for function in inside.functions:
        if other := beside(function):
            raise NotProved(f"{name_of(function)} depends on {other}, which may be something else another time")
        if not of_numbers and (why := _special(function)):
            raise NotProved(f"{name_of(function)} {why}")
    # what stands in a table, in a class or in a partial has no name in a function
    for value in inside.values.values():
        if _is_inside_the_engine(value) and not of_numbers:
            raise NotProved(f"{value.__name__} is a function inside the engine, which may tell what takes the place of numbers")
        if isinstance(value, functools._lru_cache_wrapper) and (kind := _kept_open(value)):
            raise NotProved(f"{value.__name__} keeps a {kind}, which may be changed from call to call")
        if callable(value) and not isinstance(value, type | types.FunctionType) and is_beside(value):
            raise NotProved(f"{getattr(value, '__name__', value)} is reached, which may say something else another time")
    if inside.unseen:
        raise NotProved(f"{inside.unseen[0]} may be something else another time")
    if not of_numbers and any(id(kind) in inside.values for kind in TYPES):
        raise NotProved("type, id or their like is at hand under another name: of what is no number it says something else")


def _is_inside_the_engine(value: Any) -> bool:
    """Whether a value is a function of `verify` that is not for statements."""
    home = getattr(value, "__module__", None) or "" if isinstance(value, type | types.FunctionType) else ""
    name = getattr(value, "__name__", "_")
    return home.startswith("verify.proofs.") or (home.startswith("verify.") and name.startswith("_") and name != "_")


def _kept_open(cached: functools._lru_cache_wrapper[Any]) -> str:
    """The name of a type of what a cached function has kept, if that may be changed; else nothing."""
    inside = gc.get_referents(*gc.get_referents(cached))  # its answers, or what holds one each, are in a dictionary
    for one in (*inside, *gc.get_referents(*(one for one in inside if type(one).__name__ == "_lru_list_elem"))):
        if isinstance(one, list | dict | set | bytearray | collections.deque | Iterator):
            return type(one).__name__
    return ""


def require_unchanged(claim: Claim, fingerprint: str) -> None:
    """See that all that the statement of a claim reaches is as it was when this fingerprint was taken.

    Raises
    ------
    NotProved
        An evaluation has changed something.
    """
    if fresh_source(claim) != fingerprint.partition("-")[0]:
        raise NotProved(
            "an evaluation changes something that the statement reaches, so that it may say something else next time"
        )


@functools.cache
def _special(function: types.FunctionType) -> str:
    """What a function does that is not the same for every kind of number, as the rest of a sentence; empty if nothing."""
    try:
        tree = tree_of(function.__code__)
    except (OSError, SyntaxError, ValueError):
        unknown = "has no source at hand, and may ask for a type, or whether two numbers are one object, or catch an error"
        return unknown if _may(function.__code__) else ""
    if function.__name__ == "__exit__" and any(
        isinstance(node, ast.Return) and _may_be_true(node.value) for node in ast.walk(tree)
    ):
        return CATCHES
    names = Names(function, tree)
    local = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    for node in ast.walk(tree):
        if _asks_for_the_kind(node, names, local):
            return f"asks for {ast.unparse(node)}(...) of what may be a number: for other numbers it says something else"
        if isinstance(node, ast.Compare) and _asks_for_identity(node, names):
            return f"asks whether two numbers are one object ({ast.unparse(node)}): write =="
        if _catches(node, names):
            return CATCHES
    return ""


def _may(code: types.CodeType) -> bool:
    steps = list(dis.get_instructions(code))
    if any(step.opname == "IS_OP" and before.argval is not None for before, step in itertools.pairwise(steps)):
        return True
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return bool(code.co_exceptiontable) or any(kind.__name__ in code.co_names for kind in TYPES) or any(map(_may, inner))


def _may_be_true(value: ast.expr | None) -> bool:
    """Whether what `__exit__` returns may be true, so that the error ends there."""
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _asks_for_the_kind(node: ast.AST, names: Names, local: set[str]) -> bool:
    """Whether a name, under whatever module, is one of Python's functions that tell numbers from what takes their place."""
    if isinstance(node, ast.Name) and node.id not in local and any(node.id == kind.__name__ for kind in TYPES):
        return names.value(node) in (None, *TYPES)
    if isinstance(node, ast.Attribute) and (node.attr in KINDS or _says_the_kind(node.attr)):
        return True
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _says_the_kind(node.value):
        return True
    if not isinstance(node, ast.Name | ast.Attribute) or (value := names.value(node)) is None:
        return False
    return any(value is kind for kind in TYPES) or _is_inside_the_engine(value)


def _says_the_kind(name: str) -> bool:
    return re.fullmatch(r"__\w+__", name) is not None and OF_CLASSES.fullmatch(name) is None


def _asks_for_identity(node: ast.Compare, names: Names) -> bool:
    sides = [node.left, *node.comparators]
    return any(
        isinstance(operation, ast.Is | ast.IsNot) and not any(_is_known(side, names) for side in (left, right))
        for left, operation, right in zip(sides, node.ops, node.comparators, strict=False)
    )


def _is_known(side: ast.expr, names: Names) -> bool:
    """Whether an expression is None, or the name of a function, a class or a module, which no number of the domain is."""
    if isinstance(side, ast.Constant):
        return side.value is None or side.value is ...
    value = names.value(side)
    return (isinstance(side, ast.Name) and hasattr(builtins, side.id)) or callable(value) or isinstance(value, types.ModuleType)


def _catches(node: ast.AST, names: Names) -> bool:
    """Whether a part of a function goes on after an error."""
    if isinstance(node, ast.Try | ast.TryStar):
        ended = any(
            isinstance(inner, ast.Return | ast.Break | ast.Continue) for part in node.finalbody for inner in ast.walk(part)
        )
        return ended or any(not isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
    if isinstance(node, ast.With):
        return any(not _lets_pass(item.context_expr, names) for item in node.items)
    return False


def _lets_pass(context: ast.expr, names: Names) -> bool:
    """Whether a context manager is one that lets errors pass; those of one's own are looked into like other functions."""
    made: Any = names.value(context.func if isinstance(context, ast.Call) else context)
    home = (getattr(made, "__module__", None) or "").partition(".")[0]
    installed = home in sys.stdlib_module_names or home in ("numpy", "scipy", "sympy", "pytest")
    return made in PASSING or not (made is None or installed)
