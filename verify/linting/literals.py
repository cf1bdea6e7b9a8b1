"""Floats in the source of a function that are asked for equality: no rational equals one, so that the answer is always no."""

from __future__ import annotations

import ast
import functools
import importlib.util
import operator
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from verify.linting.syntax import syntax_tree
from verify.numbers.exactness import Q

Kind = Literal["float", "integer", ""]
"""What an expression is for certain: a float, or a collection with one; an integer; something else."""

EQUALITIES = (np.equal, np.not_equal, np.isin, np.array_equal, operator.eq, operator.ne)
"""Functions that ask whether their arguments are equal."""


@functools.cache
def float_equality(function: types.FunctionType) -> str:
    """The source of a comparison by equality with a float or a `Fraction` other than `Q` in `function`; else empty.

    Seen are ``==``, ``!=`` and ``in``, NumPy's `equal` and `isin`, `list.count` and `list.index`, and dictionaries whose keys
    are floats; of floats, literals, quotients of integers and what names or makes them.
    """
    try:
        tree = syntax_tree(function)
    except (OSError, SyntaxError, TypeError):  # no source
        return ""
    names = Names(function, tree)
    return next((ast.unparse(node) for node in ast.walk(tree) if _asks(node, names)), "")


def _asks(node: ast.AST, names: Names) -> bool:
    if isinstance(node, ast.Compare):
        pairs = zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
        return any(
            isinstance(operation, ast.Eq | ast.NotEq | ast.In | ast.NotIn) and "float" in (names.kind(left), names.kind(right))
            for left, operation, right in pairs
        )
    if isinstance(node, ast.Subscript):
        return names.has_float_keys(node.value)
    if not isinstance(node, ast.Call):
        return False
    if any(names.value(node.func) is equality for equality in EQUALITIES):
        return any(names.kind(argument) == "float" for argument in node.args)
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("count", "index"):
        return names.kind(node.func.value) == "float"
    return isinstance(node.func, ast.Attribute) and node.func.attr == "get" and names.has_float_keys(node.func.value)


def _imported(tree: ast.AST, space: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The names that a function imports itself, as far as their modules are in memory."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or name, sys.modules.get(name)
        elif isinstance(node, ast.ImportFrom):
            with suppress(ImportError, ValueError):
                package = space.get("__package__") or space.get("__name__")
                home = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                for alias in node.names:
                    value = getattr(sys.modules.get(home), alias.name, None)
                    yield alias.asname or alias.name, value if value is not None else sys.modules.get(f"{home}.{alias.name}")


class Names:
    """What the names of a function stand for, as far as its source tells."""

    def __init__(self, function: types.FunctionType, tree: ast.AST) -> None:
        known: dict[str, Any] = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            known[name] = cell.cell_contents
        code, defaults = function.__code__, function.__defaults__ or ()
        parameters = code.co_varnames[: code.co_argcount]
        for name in (*code.co_varnames, *code.co_cellvars):
            known.pop(name, None)
        known |= dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True)) | (
            function.__kwdefaults__ or {}
        )
        self._known: Mapping[str, Any] = known | dict(_imported(tree, function.__globals__))
        self._assigned: dict[str, Kind] = {}
        sources: dict[str, list[ast.expr]] = {}
        for name, value in _assignments(tree):
            sources.setdefault(name, []).append(value)
        for name, values in sources.items():
            kinds = {self.kind(value) for value in values}
            if name not in known and len(kinds) == 1:
                self._assigned[name] = kinds.pop()

    def value(self, node: ast.AST) -> Any:
        """What a name, or an attribute of a module, is; None if it is not known."""
        if isinstance(node, ast.Name):
            return self._known.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(module := self.value(node.value), types.ModuleType):
            return getattr(module, node.attr, None)
        return None

    def has_float_keys(self, node: ast.AST) -> bool:
        """Whether an expression is a dictionary with a float among its keys."""
        if isinstance(node, ast.Dict):
            return any(key is not None and self.kind(key) == "float" for key in node.keys)
        value = self.value(node)
        return isinstance(value, dict) and any(_kind_of(key) == "float" for key in value)

    def kind(self, node: ast.AST) -> Kind:
        """What an expression is for certain."""
        if isinstance(node, ast.Constant):
            return _kind_of(node.value)
        if isinstance(node, ast.Name) and node.id in self._assigned:
            return self._assigned[node.id]
        if isinstance(node, ast.Name | ast.Attribute):
            return "integer" if isinstance(node, ast.Attribute) and node.attr == "ndim" else _kind_of(self.value(node))
        if isinstance(node, ast.UnaryOp):
            return self.kind(node.operand)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return "float" if any(self.kind(entry) == "float" for entry in node.elts) else ""
        if isinstance(node, ast.Dict):
            return "float" if self.has_float_keys(node) else ""
        if isinstance(node, ast.Subscript):
            of_a_shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
            # of a collection with a float
            return "integer" if of_a_shape else "float" if self.kind(node.value) == "float" else ""
        if isinstance(node, ast.BinOp):
            return self._of_operation(node)
        return self._of_call(node) if isinstance(node, ast.Call) else ""

    def _of_operation(self, node: ast.BinOp) -> Kind:
        kinds = {self.kind(node.left), self.kind(node.right)}
        if "" in kinds:
            return ""
        return "float" if "float" in kinds or isinstance(node.op, ast.Div) else "integer"

    def _of_call(self, node: ast.Call) -> Kind:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            return ""
        called: Any = self.value(node.func)
        if isinstance(node.func, ast.Name) and called is None:
            called = {"float": float, "len": len, "int": int}.get(node.func.id)
        if called in (len, int):
            return "integer"
        if called in (float, Fraction, np.float64, np.float32):
            return "float"
        module = getattr(called, "__module__", None) or ""
        # a function of numbers alone, such as numpy.array([0.5]) and math.sqrt(2)
        if module.partition(".")[0] in ("numpy", "math"):
            kinds = [self.kind(argument) for argument in node.args]
            roots = getattr(called, "__name__", "") in ("sqrt", "exp", "log", "cbrt", "linspace")
            return "float" if "float" in kinds or (roots and kinds and "" not in kinds) else ""
        return ""


def _assignments(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names that are bound, with what they are bound to: by ``=``, and by a loop over a literal collection."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, ast.BinOp(node.target, node.op, node.value)
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            yield node.target.id, node.iter


def _kind_of(value: Any) -> Kind:
    if isinstance(value, bool | Q):
        return ""
    if isinstance(value, int | np.integer):
        return "integer"
    if isinstance(value, float | np.floating | Fraction):
        return "float"
    if isinstance(value, np.ndarray):
        return "float" if value.dtype.kind == "f" else ""
    if isinstance(value, list | tuple | set | frozenset) and len(value) < 1000:
        return "float" if any(_kind_of(entry) == "float" for entry in value) else ""
    return ""
