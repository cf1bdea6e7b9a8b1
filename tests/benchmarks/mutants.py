"""Mutants of the statements: every number and operator of every statement function changed, one at a time. Run by hand.

    python tests/benchmarks/mutants.py [ID ...] [--seconds 60] [--json FILE]

A mutant is noticed when its claim no longer holds, a sharp instance is no longer sharp, or an exact part no longer holds. What
survives is printed with its line: an equivalent statement, a looser one that nothing tests, or a place that is never reached.
Where the time does not suffice for all mutants of a claim, those that are tried are a random sample of them.
"""

from __future__ import annotations

import argparse
import ast
import copy
import inspect
import json
import random
import sys
import textwrap
import time
import types
from collections.abc import Iterator
from pathlib import Path

from verify.catalogue import catalogue, select
from verify.checker.checking import Checker, unreached
from verify.checker.engines import one_blas_thread
from verify.claim import Claim

SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
SWAPPED |= {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def folder(function: types.FunctionType) -> list[str]:
    """Package and document of a function."""
    return function.__module__.split(".")[:2]


def functions_of(claim: Claim) -> list[types.FunctionType]:
    """The statement and the functions of its document that it calls."""
    from verify.report.words import unwrapped

    first = unwrapped(claim.statement)
    waiting, found = [first], []
    while waiting:
        one = waiting.pop()
        if not isinstance(one, types.FunctionType) or one in found or folder(one) != folder(first):
            continue
        found.append(one)
        waiting += [one.__globals__[name] for name in one.__code__.co_names if name in one.__globals__]
    return found


def mutants(function: types.FunctionType) -> Iterator[tuple[str, ast.Module]]:
    """The module of one function, with one number or operator changed, and what was changed."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return
    if not isinstance(tree.body[0], ast.FunctionDef):
        return
    first = inspect.getsourcelines(function)[1]
    # what stands in the signature is no code of the body, and the constants there are moved by `verify strength`
    signature = {id(part) for one in (tree.body[0].args, *tree.body[0].decorator_list) for part in ast.walk(one)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in signature:
            continue
        for text, change in changes(node):
            mutant = copy.deepcopy(tree)
            change(list(ast.walk(mutant))[place])
            yield f"line {first + getattr(node, 'lineno', 1) - 1}: {text}", ast.fix_missing_locations(mutant)


def changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """What can be changed at a node."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        for by in (1, -1):
            yield f"{node.value} becomes {node.value + by}", lambda one, by=by: setattr(one, "value", one.value + by)
    # 0 * x is a way of giving a number a shape, and 0 / x the same
    gives_a_shape = isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and node.left.value == 0
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED and not gives_a_shape:
        other = SWAPPED[type(node.op)]
        text = f"{ast.unparse(node)}: {type(node.op).__name__} becomes {other.__name__}"
        yield text, lambda one: setattr(one, "op", SWAPPED[type(one.op)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        yield f"{ast.unparse(node)}: the bound changes sides", lambda one: one.ops.__setitem__(0, SWAPPED[type(one.ops[0])]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield f"{ast.unparse(node)} loses its sign", lambda one: setattr(one, "op", ast.UAdd())


def noticed(claim: Claim) -> str:
    """What of the check of `claim` fails; empty if nothing does."""
    checker = Checker(claim)
    tight = {name: checker.tight(name) for name in claim.tight}
    if not all(one.as_expected for one in tight.values()) or unreached(claim, tight):
        return "sharp"
    if any(checker.exact(name).verdict != 1 for name in claim.exact):
        return "exact"
    return "" if checker.holds().outcome == claim.expected else "search"


def code_of(tree: ast.Module, function: types.FunctionType) -> types.CodeType | None:
    """The code of the mutated function; None where it closes over other names."""
    code = compile(tree, function.__code__.co_filename, "exec")
    inner = next((one for one in code.co_consts if isinstance(one, types.CodeType) and one.co_name == function.__name__), None)
    return inner if inner is not None and inner.co_freevars == function.__code__.co_freevars else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0, help="at most this long for each claim")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result, total, survived = {}, 0, 0
    with one_blas_thread():
        # of what is false as printed another false form is as false
        for claim in (one for one in select(catalogue(), options.names) if one.expected == "holds"):
            start, rows = time.monotonic(), []
            pairs = [(function, *mutant) for function in functions_of(claim) for mutant in mutants(function)]
            # what the time suffices for is a sample of all of them, the same in every run
            random.Random(claim.id).shuffle(pairs)
            for function, text, tree in pairs:
                code, original = code_of(tree, function), function.__code__
                if time.monotonic() - start > options.seconds:
                    break
                if code is None:
                    continue
                function.__code__ = code
                try:
                    by = noticed(claim)
                except Exception as error:  # a mutant that cannot be evaluated is noticed
                    by = type(error).__name__
                finally:
                    function.__code__ = original
                rows.append((f"{function.__name__}, {text}", by))
            left = [text for text, by in rows if not by]
            total, survived = total + len(rows), survived + len(left)
            result[claim.id] = rows
            print(f"{claim.id}: {len(rows) - len(left)} of {len(rows)}", *left, sep="\n    ", flush=True)
    print(f"{total - survived} of {total} mutants are noticed ({(total - survived) / max(1, total):.1%})")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    sys.exit(main())
