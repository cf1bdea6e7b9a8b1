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

import flint
import numpy as np

from verify.linting.installed import is_followed
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
ASKING = ("getattr", "vars")
"""Functions of Python that reach all of a module, if another function calls them."""
SETTINGS = re.compile("[gs]et(err|errcall|bufsize|_printoptions|_string_function)|printoptions|cache_(info|clear|parameters)")
"""Functions of libraries that ask for their settings and memories, or change them."""
READING = (np.load, np.loadtxt, np.genfromtxt, np.fromfile, np.fromregex, np.memmap, np.lib.npyio.DataSource, open)
OF_THE_PRECISION = (flint.ctx, flint.arb, flint.acb, flint.arb_mat, flint.acb_mat, flint.arb_poly, flint.acb_poly)
"""What answers otherwise in another precision, without a word: comparisons of FLINT's own balls that overlap are false."""
UNWRITTEN = (np.empty, np.empty_like, np.ndarray)
"""What makes arrays of whatever was in memory, except of objects."""
OF_LIBRARIES = re.compile(r"scipy\.io|networkx\.readwrite|(.*[._])?rand|.*random|(.*\.)?rvs")
"""Functions of other packages that read files, or that draw without a seed, by their modules and names."""
SEEDS = ("seed", "random_state", "rng")
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
    if isinstance(node, ast.Call):
        value = names.value(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if _is_seeded(node, value):
            parts = arguments
        elif any(value is maker for maker in UNWRITTEN) and not any(_is_object(argument) for argument in arguments):
            return ast.unparse(node.func)
        elif _reaches_into(node, names):
            return ast.unparse(node)
        elif isinstance(node.func, ast.Name) and node.func.id in ASKING:
            parts = arguments
    elif isinstance(node, ast.Attribute) and (SETTINGS.fullmatch(node.attr) or node.attr == "rvs"):
        return ast.unparse(node)
    elif isinstance(node, ast.Name | ast.Attribute) and (value := names.value(node)) is not None:
        owner = names.value(node.value) if isinstance(node, ast.Attribute) else None
        found = is_beside(value) or value is np.random or (owner is not None and is_beside(owner))
        return ast.unparse(node) if found else ""
    elif isinstance(node, ast.Name) and node.id in BUILTIN and node.id not in local:
        return node.id
    elif isinstance(node, ast.Name) and node.id in ASKING and node.id not in local:
        return f"{node.id}, which is passed on"
    return next(filter(None, (_in_tree(part, names, local) for part in parts)), "")


def _is_seeded(call: ast.Call, function: Any) -> bool:
    """Whether a function draws from a seed that it is given."""
    seeds = [keyword.value for keyword in call.keywords if keyword.arg in SEEDS]
    if function is np.random.default_rng:
        seeds += call.args[:1]
    return any(not (isinstance(seed, ast.Constant) and seed.value is None) for seed in seeds)


def _is_object(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "object"


def _reaches_into(call: ast.Call, names: Names) -> bool:
    """Whether a name is asked of a module of others as a text."""
    asks = isinstance(call.func, ast.Name) and call.func.id in ASKING and call.args
    module = names.value(call.args[0]) if asks else None
    return isinstance(module, types.ModuleType) and not is_followed(module.__name__.partition(".")[0])


def is_beside(value: Any) -> bool:
    """Whether a value is a function or a module that answers otherwise another time."""
    home = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    whole = isinstance(value, types.ModuleType) and home == "numpy.random"  # of which the function that is called counts
    return (
        isinstance(value, GOES_ON)
        or any(value is function for function in READING)
        or any(value is one for one in OF_THE_PRECISION)
        or (callable(value) and SETTINGS.fullmatch(str(getattr(value, "__name__", ""))) is not None)
        or (isinstance(home, str) and not whole and _answers_otherwise(home))
        or (isinstance(home, str) and callable(value) and _draws(home, str(getattr(value, "__name__", ""))))
    )


def _draws(home: str, name: str) -> bool:
    """Whether a function of another package reads files, or may draw."""
    top = home.partition(".")[0]
    ours = top in ("verify", "numpy") or top in sys.stdlib_module_names or is_followed(top)
    return not ours and OF_LIBRARIES.match(f"{home}.{name}") is not None


def _answers_otherwise(module: str) -> bool:
    """Whether the functions of a module may depend on something else than their arguments."""
    top = module.partition(".")[0]
    return module.startswith("numpy.random") or (top in sys.stdlib_module_names and top.removeprefix("_") not in OF_ARGUMENTS)


def _in_code(code: types.CodeType, space: dict[str, Any]) -> str:
    """Of a function without a source."""
    value: Any = None
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and (_answers_otherwise(step.argval) or step.argval.partition(".")[0] == "numpy"):
            return str(step.argval)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            value = space.get(step.argval)
            if step.argval in BUILTIN or is_beside(value):
                return str(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, types.ModuleType):
            value = getattr(value, step.argval, None)
            if value is np.random or is_beside(value):
                return str(step.argval)
        else:
            value = None
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return next(filter(None, (_in_code(constant, space) for constant in inner)), "")
