"""Fingerprint of a statement: of its syntax tree and of those of the functions of ours that it reaches."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verify.claim import Claim
from verify.domain import Derived, Variable


def fingerprint(*functions: Callable[..., Any]) -> str:
    """Sixteen hexadecimal digits that change when the code of a function does, or that of anything of its package it names.

    Comments, docstrings, annotations and layout do not count. Functions of `verify` are named, not followed: the engine has
    its own tests, and its every change would void all evidence.
    """
    parts: dict[str, str] = {}
    for function in functions:
        _collect(function, parts)
    text = "\n".join(f"{name}: {parts[name]}" for name in sorted(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def claim_fingerprint(claim: Claim, neighbour: str | None = None) -> str:
    """Fingerprint of a claim's statement (or of a false neighbour), of its hypotheses and of what builds its variables."""
    statement = claim.statement if neighbour is None else claim.false_neighbours[neighbour]
    return fingerprint(statement, *claim.domain.hypotheses.values(), *_builders(claim.domain.variables))


def _builders(variables: Mapping[str, Variable]) -> Iterator[Callable[..., Any]]:
    for variable in variables.values():
        if isinstance(variable, Derived):
            yield variable.function
            yield from _builders(variable.variables)


def _collect(value: Any, parts: dict[str, str]) -> None:
    if isinstance(value, functools.partial):
        settings = sorted((value.keywords or {}).items())
        parts.setdefault(f"partial of {value.func.__qualname__}", repr((value.args, settings)))
        _collect(value.func, parts)
        return
    function = inspect.unwrap(value)
    if not isinstance(function, types.FunctionType):
        return
    name = f"{function.__module__}.{function.__qualname__}"
    if name in parts:
        return
    parts[name] = _tree(function)
    for reached in _reached(function):
        if callable(reached) and getattr(reached, "__module__", "").split(".")[0] == function.__module__.split(".")[0]:
            if function.__module__.split(".")[0] != "verify":
                _collect(reached, parts)
        elif isinstance(reached, int | float | str | bytes | tuple | frozenset):
            parts[name] += f" {reached!r}"


def _tree(function: types.FunctionType) -> str:
    """The syntax tree, or the code itself where a lambda's source cannot be cut out of its line."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        code = function.__code__
        return f"{code.co_code.hex()} {code.co_consts!r} {code.co_names!r}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs):
                argument.annotation = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
    return ast.dump(tree)


def _reached(function: types.FunctionType) -> Iterator[Any]:
    """What the function names: globals, closures and defaults."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        yield from (function.__globals__[name] for name in code.co_names if name in function.__globals__)
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    yield from function.__defaults__ or ()
