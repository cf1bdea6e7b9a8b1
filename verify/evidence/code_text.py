"""The code of a function as text, the names that it reaches, and the names that functions write to while they run.

The text is the same in every release of Python, and without comments, docstrings, annotations and layout.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass

from verify.linting.syntax import SourceFile, node_of, source_of

Chain = tuple[str, ...]
"""A name and the attributes that are taken of it: ``a.b.c``."""
MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "clear",
        "remove",
        "discard",
        "sort",
        "reverse",
        "appendleft",
        "fill",
    ]
)
"""Methods that change what they are called on."""
_LEFT_OUT = frozenset({"ctx", "type_comment", "type_ignores", "kind", "type_params", "annotation", "returns"})
_BEGINNINGS = frozenset({"__init__", "__new__", "__post_init__", "__setstate__", "__set_name__", "__init_subclass__"})
"""Methods that give an object its first state; what others write is what it remembers."""


@dataclass(frozen=True)
class Code:
    """The code of one function.

    Attributes
    ----------
    text
        Of it.
    chains
        What it names, and the attributes that it takes of that.
    imports
        What it imports itself: the module, the level if it is relative, and the name, or none for the module.
    written
        Names of outer functions, and of the module, that it or a function beside it in one outer function changes.
    outermost
        The text of the outermost function around it; its own if there is none.
    """

    text: str
    chains: tuple[Chain, ...]
    imports: tuple[tuple[str, int, str], ...] = ()
    written: frozenset[str] = frozenset()
    outermost: str = ""


@functools.lru_cache(maxsize=8192)
def code_of(code: types.CodeType) -> Code:
    """What is to be known of the code of a function; of one without a source, as `exec` makes it, what this Python compiled."""
    try:
        node = node_of(code)
        file = source_of(code.co_filename)
    except (OSError, SyntaxError, ValueError):
        return Code(_compiled(code), tuple((name,) for name in all_names(code)))
    outermost = _outermost(file, node)
    return Code(text_of(node), chains_in(node), tuple(_imports(node)), _written_within(outermost), text_of(outermost))


def _compiled(code: types.CodeType) -> str:
    constants = (_compiled(const) if isinstance(const, types.CodeType) else repr(const) for const in code.co_consts)
    return f"{code.co_code.hex()} of {', '.join((*code.co_names, *constants))}"


def all_names(code: types.CodeType) -> set[str]:
    """The names of a function that are not its own, attributes among them, and of those inside it."""
    return {*code.co_names}.union(*(all_names(const) for const in code.co_consts if isinstance(const, types.CodeType)))


def text_of(node: ast.AST) -> str:
    """A syntax tree as text."""
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__} {node.value!r}"
    if isinstance(node, ast.JoinedStr):
        return f"JoinedStr({','.join(_pieces(node))})"
    parts = []
    for name in node._fields:
        value = getattr(node, name, None)
        if name in _LEFT_OUT or value is None:
            continue
        if isinstance(value, list):
            kept = _statements(value) if value and isinstance(value[0], ast.stmt) else value
            parts.append(f"{name}=[{','.join(text_of(part) if isinstance(part, ast.AST) else repr(part) for part in kept)}]")
        else:
            parts.append(f"{name}={text_of(value) if isinstance(value, ast.AST) else repr(value)}")
    kind = "Assign" if isinstance(node, ast.AnnAssign) else type(node).__name__
    if isinstance(node, ast.AnnAssign):
        return f"{kind}(targets=[{text_of(node.target)}],{parts[1]})"
    return f"{kind}({','.join(parts)})"


def _pieces(node: ast.JoinedStr) -> Iterator[str]:
    """The parts of an f-string; releases of Python divide the plain text otherwise."""
    plain = ""
    for value in node.values:
        if isinstance(value, ast.Constant):
            plain += str(value.value)
            continue
        if plain:
            yield repr(plain)
        plain = ""
        yield text_of(value)
    if plain:
        yield repr(plain)


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that do something: no docstrings, no texts that stand alone, no annotations without a value."""
    return [
        statement
        for statement in body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        and not (isinstance(statement, ast.AnnAssign) and statement.value is None)
        and not isinstance(statement, ast.Pass)
    ]


def chains_in(node: ast.AST) -> tuple[Chain, ...]:
    """The names in a syntax tree, each with the attributes that are taken of it."""
    chains: set[Chain] = set()
    waiting = [node]
    while waiting:
        current = waiting.pop()
        chain = _chain(current)
        if chain:
            chains.add(chain)
        else:
            waiting += _children(current)
    return tuple(sorted(chains))


def _chain(node: ast.AST) -> Chain:
    """``a.b.c`` as its names; nothing if it does not begin with a name."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return (node.id, *reversed(attributes)) if isinstance(node, ast.Name) else ()


def _children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node, but for annotations."""
    parts: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if name not in _LEFT_OUT:
            parts += [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)]
    return parts


def _imports(node: ast.AST) -> Iterator[tuple[str, int, str]]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            yield from ((alias.name, 0, "") for alias in inner.names)
        elif isinstance(inner, ast.ImportFrom):
            yield from ((inner.module or "", inner.level, alias.name) for alias in inner.names)


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _outermost(file: SourceFile, node: ast.AST) -> ast.AST:
    """The outermost function around a definition; the definition itself if there is none."""
    place = (node.lineno, node.end_lineno)  # type: ignore[attr-defined]
    waiting: list[ast.AST] = [file.tree]
    while waiting:
        current = waiting.pop()
        if isinstance(current, SCOPES):
            if current.lineno <= place[0] and place[1] <= (current.end_lineno or 0):
                return current if not isinstance(current, ast.Lambda) or current is node else node
        else:
            waiting += ast.iter_child_nodes(current)
    return node


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        current = waiting.pop()
        yield current
        if not isinstance(current, SCOPES):
            waiting += ast.iter_child_nodes(current)


@functools.lru_cache(maxsize=8192)
def _written_within(scope: ast.AST) -> frozenset[str]:
    """Names that functions inside `scope`, or it itself, change without having made them."""
    names: set[str] = set()
    for inner in ast.walk(scope):
        if isinstance(inner, SCOPES):
            names |= _written_by(inner)
    return frozenset(names)


def _written_by(scope: ast.AST) -> set[str]:
    arguments = scope.args  # type: ignore[attr-defined]
    bound = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound |= {argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument is not None}
    outer: set[str] = set()
    changed: set[str] = set()
    for node in _own_nodes(scope):
        if isinstance(node, ast.Global | ast.Nonlocal):
            outer |= set(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            bound.add(node.id)
        elif isinstance(node, SCOPES[:2]):
            bound.add(node.name)
        changed |= {chain[0] for chain in _changed(node) if chain}
    return (changed - (bound - outer)) | (bound & outer)


def _changed(node: ast.AST) -> Iterator[Chain]:
    """What a node changes the inside of."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        yield _chain(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
        yield _chain(node.func.value)


def module_text(path: str) -> tuple[str, tuple[tuple[str, int, str], ...]]:
    """A module as text, and what it imports."""
    return _module_text(source_of(path))


@functools.lru_cache(maxsize=2048)
def _module_text(file: SourceFile) -> tuple[str, tuple[tuple[str, int, str], ...]]:
    return text_of(file.tree), tuple(_imports(file.tree))


def written_in(path: str) -> frozenset[str]:
    """Names of a module that its functions change while they run."""
    try:
        return _written_in(source_of(path))
    except SyntaxError:
        return frozenset()


@functools.lru_cache(maxsize=2048)
def _written_in(file: SourceFile) -> frozenset[str]:
    return frozenset(name for inner in ast.walk(file.tree) if isinstance(inner, SCOPES) for name in _written_by(inner))


@functools.lru_cache(maxsize=8192)
def remembered_by(code: types.CodeType) -> frozenset[str]:
    """Attributes of its object in which a method remembers something: that it fills, or that it asks for and sets."""
    if code.co_name in _BEGINNINGS or not code.co_argcount:
        return frozenset()
    try:
        node = node_of(code)
    except (OSError, SyntaxError, ValueError):
        return frozenset()
    own = code.co_varnames[0]
    every = [*ast.walk(node)]
    attributes = [
        inner for inner in every if isinstance(inner, ast.Attribute) and _chain(inner)[:1] == (own,) and len(_chain(inner)) == 2
    ]
    asked, put = (
        {attribute.attr for attribute in attributes if isinstance(attribute.ctx, kind)} for kind in (ast.Load, ast.Store)
    )
    filled = {chain[1] for inner in every for chain in _changed(inner) if len(chain) > 1 and chain[0] == own}
    return frozenset(filled | (asked & put))


def statements_of(path: str, name: str) -> list[ast.stmt]:
    """The statements of a module, outside its functions and classes, that bind a name or change what it names."""
    try:
        waiting: list[ast.AST] = [*source_of(path).tree.body]
    except SyntaxError:
        return []
    statements: list[ast.stmt] = []
    while waiting:
        current = waiting.pop(0)
        if isinstance(current, (*SCOPES, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        inner = [
            part for part in ast.iter_child_nodes(current) if isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]
        if inner:
            waiting = inner + waiting
        elif isinstance(current, ast.stmt) and any(
            (isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load))
            or (name,) in [chain[:1] for chain in _changed(part)]
            for part in ast.walk(current)
        ):
            statements.append(current)
    return statements


def source_module(path: str, name: str) -> tuple[str, int, str] | None:
    """Where a module has a name from, by ``from ... import``; None if it makes it itself."""
    try:
        tree = source_of(path).tree
    except SyntaxError:
        return None
    for inner in ast.walk(tree):
        if isinstance(inner, ast.ImportFrom):
            for alias in inner.names:
                if (alias.asname or alias.name) == name:
                    return inner.module or "", inner.level, alias.name
    return None
