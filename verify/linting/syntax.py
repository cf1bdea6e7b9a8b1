"""The syntax trees of functions and lambdas, from their files."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import linecache
import textwrap
import types
from collections import defaultdict
from dataclasses import dataclass, field


def syntax_tree(function: types.FunctionType) -> ast.AST:
    """The syntax tree of a function or lambda, without docstrings and annotations."""
    if "<lambda>" in function.__qualname__:
        return _WithoutWords().visit(copy.deepcopy(_lambda(function.__code__)))  # type: ignore[no-any-return]
    tree: ast.AST = _WithoutWords().visit(ast.parse(textwrap.dedent(inspect.getsource(function))))
    return tree


def tree_of(code: types.CodeType) -> ast.AST:
    """The syntax tree of the definition of which this is the code, whatever it wraps; see `syntax_tree`."""
    tree: ast.AST = _WithoutWords().visit(copy.deepcopy(node_of(code)))
    return tree


class _WithoutWords(ast.NodeTransformer):
    """Drops docstrings, annotations and `widened`; writes f-strings as tuples: releases of Python quote them differently."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        return ast.Tuple(node.values, ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        return ast.Tuple([node.value, ast.Constant(node.conversion), node.format_spec or ast.Constant(None)], ast.Load())

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        # in which width integers come in is no part of what is computed
        node.decorator_list = [
            decorator
            for decorator in node.decorator_list
            if not (isinstance(decorator, ast.Name) and decorator.id == "widened")
        ]
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        value = ast.Constant(None) if node.value is None else node.value
        return ast.copy_location(ast.Assign([node.target], value), node)


def _lambda(code: types.CodeType) -> ast.Lambda:
    """The lambda of a file whose code this is: the innermost one around its instructions.

    Raises
    ------
    OSError
        There is no such file, as for what is typed at a prompt: what `inspect` raises for a function.
    """
    places = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]
    places += [(line, column) for _, line, _, column in code.co_positions() if line is not None and column is not None]
    # the first instruction of a function stands at its first line, wherever its body is
    places = [place for place in places if place != (code.co_firstlineno, 0)]
    lambdas = source_of(code.co_filename).lambdas
    if places:
        first, last = min(places), max(places)
        around = [
            node
            for node in lambdas
            if (node.lineno, node.col_offset) <= first and last <= (node.end_lineno or 0, node.end_col_offset or 0)
        ]
    else:  # Python 3.12 does not say where a constant stands that is all that a lambda gives
        around = [node for node in lambdas if node.lineno == code.co_firstlineno and _gives(node, code)]
    if not around:
        raise OSError(f"the source of a lambda of {code.co_filename} is not at hand")
    return max(around, key=lambda node: (node.lineno, node.col_offset))


def _gives(node: ast.Lambda, code: types.CodeType) -> bool:
    """Whether a lambda takes what the code takes, and gives a constant that the code has."""
    arguments = node.args
    taken = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = tuple(argument.arg for argument in taken if argument is not None)
    return (
        isinstance(node.body, ast.Constant)
        and names == code.co_varnames
        and (type(node.body.value), node.body.value) in [(type(const), const) for const in code.co_consts]
    )


Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class SourceFile:
    """The syntax tree of a file, and where its functions are.

    Attributes
    ----------
    functions
        By the line at which each begins, with its decorators.
    """

    tree: ast.Module
    functions: dict[int, list[Function]] = field(default_factory=lambda: defaultdict(list))
    lambdas: list[ast.Lambda] = field(default_factory=list)

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Lambda):
                self.lambdas.append(node)
            elif isinstance(node, Function):
                self.functions[min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])].append(node)


def source_of(path: str) -> SourceFile:
    """The file, as it is now; an empty one where there is none, as for what is typed at a prompt."""
    linecache.checkcache(path)
    return _parsed("".join(linecache.getlines(path)))


@functools.lru_cache(maxsize=2048)
def _parsed(text: str) -> SourceFile:
    return SourceFile(ast.parse(text))


def node_of(code: types.CodeType) -> Function | ast.Lambda:
    """The definition of which this is the code, as it stands in its file.

    Raises
    ------
    OSError
        There is no such file, or the definition is no longer in it.
    """
    if code.co_name == "<lambda>":
        return _lambda(code)
    at_its_line = source_of(code.co_filename).functions.get(code.co_firstlineno, [])
    definitions = [definition for definition in at_its_line if definition.name == code.co_name]
    if not definitions:
        raise OSError(f"the source of {code.co_name} of {code.co_filename} is not at hand")
    return definitions[0]
