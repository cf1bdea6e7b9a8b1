"""What a function depends on beside its arguments and constants: chance, the clock, files, the surroundings, who calls it."""

from __future__ import annotations

import ast
import dis
import functools
import random
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.linting.literals import Names
from verify.linting.syntax import tree_of

OF_ARGUMENTS = frozenset(
    (
        *("__future__", "bisect", "builtins", "cmath", "collections", "contextlib", "copy", "dataclasses", "enum", "fractions"),
        *("functools", "heapq", "itertools", "math", "numbers", "operator", "re", "statistics", "string", "types", "typing"),
    )
)
"""Modules of Python whose functions say what their arguments tell; others ask the clock, chance, files, or who calls them."""
BUILTIN = ("__import__", "eval", "exec", "hash", "input", "open")
"""Functions of Python that reach the others, or say something else in another process."""
SETTINGS = re.compile("[gs]et(err|errcall|bufsize|_printoptions|_string_function)|printoptions|cache_(info|clear|parameters)")
"""Functions of libraries that ask for their settings and memories, or change them."""
READING = (np.load, np.loadtxt, np.genfromtxt, np.fromfile, np.memmap)
GOES_ON = (Iterator, random.Random, np.random.Generator, np.random.RandomState)
"""What answers otherwise the next time."""


@functools.cache
def beside(function: types.FunctionType) -> str:
    """The source of something that a function depends on and may be something else another time; empty if nothing is seen.

    Random numbers with a seed of their own are the same each time.
    """
    try:
        tree = tree_of(function.__code__)
    except (OSError, SyntaxError, ValueError):
        return _in_code(function.__code__, function.__globals__)
    names = Names(function, tree)
    return _in_tree(tree, names, frozenset((*function.__code__.co_varnames, *function.__code__.co_cellvars)))


def _in_tree(node: ast.AST, names: Names, local: frozenset[str]) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        own = isinstance(node, ast.ImportFrom) and node.level > 0
        return next((name for name in modules if not own and _answers_otherwise(name)), "")
    parts: Any = ast.iter_child_nodes(node)
    if isinstance(node, ast.Call) and node.args and names.value(node.func) is np.random.default_rng:
        parts = node.args
    elif isinstance(node, ast.Attribute) and SETTINGS.fullmatch(node.attr):
        return ast.unparse(node)
    elif isinstance(node, ast.Name | ast.Attribute) and (value := names.value(node)) is not None:
        owner = names.value(node.value) if isinstance(node, ast.Attribute) else None
        return ast.unparse(node) if _is_beside(value) or (owner is not None and _is_beside(owner)) else ""
    elif isinstance(node, ast.Name) and node.id in BUILTIN and node.id not in local:
        return node.id
    return next(filter(None, (_in_tree(part, names, local) for part in parts)), "")


def _is_beside(value: Any) -> bool:
    home = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    whole = isinstance(value, types.ModuleType) and home == "numpy.random"  # of which the function that is called counts
    return (
        isinstance(value, GOES_ON)
        or any(value is function for function in READING)
        or (callable(value) and SETTINGS.fullmatch(str(getattr(value, "__name__", ""))) is not None)
        or (isinstance(home, str) and not whole and _answers_otherwise(home))
    )


def _answers_otherwise(module: str) -> bool:
    """Whether the functions of a module may depend on something else than their arguments."""
    top = module.partition(".")[0]
    return module.startswith("numpy.random") or (top in sys.stdlib_module_names and top.removeprefix("_") not in OF_ARGUMENTS)


def _in_code(code: types.CodeType, space: dict[str, Any]) -> str:
    """Of a function without a source."""
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and _answers_otherwise(step.argval):
            return str(step.argval)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and (step.argval in BUILTIN or _is_beside(space.get(step.argval))):
            return str(step.argval)
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return next(filter(None, (_in_code(constant, space) for constant in inner)), "")
