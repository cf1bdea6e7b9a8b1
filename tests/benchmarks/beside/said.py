"""What the formulations of all tools share: their register, the lines they take, and a little algebra on arrays of objects."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Said:
    """A theorem as one tool takes it, and the first false variant that its claim declares."""

    size: str
    theorem: Callable[..., Any]
    false: Callable[..., Any]
    drawn: dict[str, Any]


def register(known):
    """The decorator `says` of a tool: sizes in words, the false variant, and for Hypothesis what is drawn."""

    def says(size, false, **drawn):
        def keep(function):
            variant = partial(function, **false) if isinstance(false, dict) else false
            known[function.__name__] = Said(size, function, variant, drawn)
            return function

        return keep

    return says


def lines_of(path, beginning):
    """Lines without the blank ones: of the functions and names of a file with `beginning` in their text, and of what they use.

    `beginning` is that of a function, or what else is found in one place only. What every formulation shares is left out.
    """
    text = path.read_text(encoding="utf-8")
    source = text.splitlines()
    parts = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            parts[node.name] = node, source[first - 1 : node.end_lineno]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            parts[node.targets[0].id] = node, source[node.lineno - 1 : node.end_lineno]
    used, left = set(), [name for name, (_, lines) in parts.items() if any(beginning in line for line in lines)]
    while left:
        one = left.pop()
        if one in used or one not in parts:
            continue
        used.add(one)
        left += [inner.id for inner in ast.walk(parts[one][0]) if isinstance(inner, ast.Name)]
    return sum(bool(line.strip()) for one in used - {"KNOWN", "says"} for line in parts[one][1])


def determinant(A):
    """By Leibniz, of anything that can be added and multiplied."""
    total = 0
    for order in itertools.permutations(range(len(A))):
        inversions = sum(a > b for a, b in itertools.combinations(order, 2))
        total += (-1) ** inversions * math.prod(A[i, j] for i, j in enumerate(order))
    return total


def permanent(A):
    return sum(math.prod(A[i, j] for i, j in enumerate(order)) for order in itertools.permutations(range(len(A))))


def norm2(x):
    return (x * x).sum()


def laplacian(A):
    return np.diag(A.sum(axis=0)) - A


def reasons(path, name):
    """Why a tool cannot say a theorem, from its file, which need not be imported; empty if it can."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    given = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                given[target.id] = node.value
    if name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
        return ""
    found = given["CANNOT"]
    if isinstance(found, ast.Dict):
        by_name = {key.value: value for key, value in zip(found.keys, found.values, strict=True)}
        found = by_name[name]
        if isinstance(found, ast.Name):
            found = given[found.id]
    return found.value
