"""The syntax trees of functions and lambdas, from their files."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import linecache
import textwrap
import types


def syntax_tree(function: types.FunctionType) -> ast.AST:
    """The syntax tree of a function or lambda, without docstrings and annotations."""
    if "<lambda>" in function.__qualname__:
        return _WithoutWords().visit(copy.deepcopy(_lambda(function.__code__)))  # type: ignore[no-any-return]
    tree: ast.AST = _WithoutWords().visit(ast.parse(textwrap.dedent(inspect.getsource(function))))
    return tree


class _WithoutWords(ast.NodeTransformer):
    """Drops docstrings and annotations, and writes f-strings as tuples: releases of Python quote them differently."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        return ast.Tuple(node.values, ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        return ast.Tuple([node.value, ast.Constant(node.conversion), node.format_spec or ast.Constant(None)], ast.Load())

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
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
    first, last = min(place for place in places if place != (code.co_firstlineno, 0)), max(places)
    around = [
        node
        for node in ast.walk(_module(code.co_filename))
        if isinstance(node, ast.Lambda)
        and (node.lineno, node.col_offset) <= first
        and last <= (node.end_lineno or 0, node.end_col_offset or 0)
    ]
    if not around:
        raise OSError(f"the source of a lambda of {code.co_filename} is not at hand")
    return max(around, key=lambda node: (node.lineno, node.col_offset))


@functools.cache
def _module(path: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(path)))
