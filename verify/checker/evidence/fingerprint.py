"""Fingerprint of a statement: of its syntax tree and of those of the functions of ours that it reaches."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import fmpq

from verify.checker.syntax import syntax_tree
from verify.claim import Claim


def fingerprint(*functions: Callable[..., Any], text: str = "") -> str:
    """Sixteen hexadecimal digits that change when the code of a function does, or that of anything of its package it names.

    `text` counts as well. Comments, docstrings, annotations and layout do not count. Functions of `verify` are named, not
    followed: the engine has its own tests, and its every change would void all evidence.
    """
    parts: dict[str, str] = {}
    for function in functions:
        _collect(function, parts)
    text += "\n".join(f"{name}: {parts[name]}" for name in sorted(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def claim_fingerprint(claim: Claim, neighbour: str | None = None) -> str:
    """Fingerprint of a claim's statement (or of a false neighbour) and of its domain: sizes, intervals, hypotheses."""
    statement = claim.statement if neighbour is None else claim.false_neighbours[neighbour]
    domain = claim.domain
    drawn = "".join(f"{sizes} {domain.layout(sizes)} {claim.price(sizes)}\n" for sizes in domain.all_sizes())
    return fingerprint(statement, *domain.functions(), text=drawn)


def _collect(value: Any, parts: dict[str, str]) -> None:
    if isinstance(value, functools.partial):
        settings = {str(place): bound for place, bound in enumerate(value.args)} | value.keywords
        text = ", ".join(f"{name}={_plain(bound)}" for name, bound in sorted(settings.items()))
        parts[f"partial of {_name(value.func)} with {text}"] = ""
        for reached in (value.func, *settings.values()):
            _collect(reached, parts)
        return
    function = inspect.unwrap(value) if callable(value) else value
    if not isinstance(function, types.FunctionType) or _name(function) in parts:
        return
    parts[_name(function)] = _tree(function)
    package = (function.__module__ or "").split(".")[0]
    if package == "verify":
        return
    for name, reached in sorted(_reached(function).items()):
        parts[_name(function)] += f" {name}={_plain(reached)}"
        if isinstance(reached, functools.partial) or (getattr(reached, "__module__", None) or "").split(".")[0] == package:
            _collect(reached, parts)


def _name(function: Any) -> str:
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", type(function).__qualname__)
    # several lambdas of one module have one name
    return f"{module}.{name}" + (
        f": {_tree(function)}" if isinstance(function, types.FunctionType) and "<lambda>" in name else ""
    )


def _plain(value: Any) -> str:
    """Text that is the same in every process: plain constants themselves, functions by name, other objects by their type."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_plain, value))})"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_plain, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(sorted(f'{_plain(key)}: {_plain(one)}' for key, one in value.items()))}}}"
    if isinstance(value, Fraction | fmpq):
        return str(value)
    return _name(value) if callable(value) else type(value).__qualname__


def _tree(function: types.FunctionType) -> str:
    """The code of a function as text, without docstrings, annotations, comments and layout; the same in every Python.

    Of a function without a source, such as `exec` makes, it is what this Python compiled.
    """
    try:
        return ast.unparse(syntax_tree(function))
    except OSError:
        return _compiled(function.__code__)


def _compiled(code: types.CodeType) -> str:
    constants = (_compiled(one) if isinstance(one, types.CodeType) else _plain(one) for one in code.co_consts)
    return f"{code.co_code.hex()} of {', '.join((*code.co_names, *constants))}"


def _reached(function: types.FunctionType) -> dict[str, Any]:
    """What the function names: globals, what it closes over, and defaults."""
    try:
        names = {node.id for node in ast.walk(syntax_tree(function)) if isinstance(node, ast.Name)}
    except OSError:  # no source
        names = {*function.__code__.co_names}
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found |= {f"closed {name}": cell.cell_contents for name, cell in cells}
    found |= {f"default {place}": value for place, value in enumerate(function.__defaults__ or ())}
    return found | {f"default {name}": value for name, value in (function.__kwdefaults__ or {}).items()}
