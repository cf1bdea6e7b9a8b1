"""Calls in the source of a function that answer otherwise on exact numbers, or otherwise each time, without an error."""

from __future__ import annotations

import ast
import functools
import random
import types
from typing import Any

import numpy as np

from verify.linting.literals import Names
from verify.linting.syntax import syntax_tree

LOGICAL = (np.logical_and, np.logical_or, np.logical_xor)
"""Of exact numbers these give one of the numbers, not True or False."""
DRAWN = "draws random numbers, which are variables of the domain: it must answer the same each time"


@functools.cache
def misleading_call(function: types.FunctionType) -> str:
    """What is wrong with a call in `function`, as the rest of a sentence that begins with its name; empty if nothing is.

    Seen are random numbers without a seed, `numpy.vectorize` without `otypes`, which takes the type of its first answer for
    all, and NumPy's logical functions of what is no comparison.
    """
    try:
        tree = syntax_tree(function)
    except (OSError, SyntaxError, TypeError):  # no source
        return ""
    names = Names(function, tree)
    parameters = {*function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]}
    calls = (call for call in ast.walk(tree) if isinstance(call, ast.Call))
    return next(filter(None, (_problem(call, names, parameters) for call in calls)), "")


def _problem(call: ast.Call, names: Names, parameters: set[str]) -> str:
    called: Any = names.value(call.func)
    owner = getattr(called, "__self__", None)
    if (owner is not None and owner in (_OF_RANDOM, _OF_NUMPY)) or (called is np.random.default_rng and not call.args):
        return f"{DRAWN} ({ast.unparse(call)})"
    if (isinstance(called, np.vectorize) and called.otypes is None) or (
        called is np.vectorize and not any(keyword.arg == "otypes" for keyword in call.keywords)
    ):
        return (
            f"calls numpy.vectorize without otypes ({ast.unparse(call.func)}), which takes the type of the first answer for "
            "all, an integer perhaps: write where, maximum and minimum of verify.words"
        )
    reduced = isinstance(call.func, ast.Attribute) and call.func.attr in ("reduce", "accumulate")
    logical = names.value(call.func.value) if reduced and isinstance(call.func, ast.Attribute) else called
    if any(logical is function for function in LOGICAL) and any(_is_variable(arg, parameters) for arg in call.args):
        return (
            f"takes a variable for a truth value ({ast.unparse(call)}), which gives the number itself where it is exact: write "
            "(x != 0) & (y != 0)"
        )
    return ""


_OF_RANDOM, _OF_NUMPY = getattr(random.random, "__self__", None), getattr(np.random.random, "__self__", None)
"""The generators behind the functions of these modules."""


def _is_variable(node: ast.AST, parameters: set[str]) -> bool:
    """Whether an expression is a parameter, or an entry of one."""
    while isinstance(node, ast.Subscript | ast.Starred):
        node = node.value
    return isinstance(node, ast.Name) and node.id in parameters
