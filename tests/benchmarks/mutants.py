"""Mutants of the statements: every number, operator and function of every statement changed, one at a time. Run by hand.

    python tests/benchmarks/mutants.py [ID ...] [--seconds 60] [--json FILE]

A mutant is detected when its claim no longer holds, a tight example is no longer sharp, an exact part no longer holds, a needed
hypothesis no longer seems needed, or a false variant that is built of it no longer fails. What survives is printed with its
line and what it does at the drawn and the tight examples: "same" where both sides have the same values at all of them (an
equivalent form, or a place that is never reached), "excused" where only comparisons change of which the claim says that they
are loose, "farther" where every comparison that changes is further from failing, "other" else. Where the time does not suffice
for all mutants of a claim, those that are tried are a random sample of them.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from verify.checker.checking import Checker, evaluated, unreached
from verify.claims.catalogue import catalogue, select
from verify.claims.claim import Claim
from verify.engines.executors import one_blas_thread
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Relation
from verify.search.batch import evaluate

SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
SWAPPED |= {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
METHODS = {"sum": "mean", "max": "min", "min": "max", "all": "any", "any": "all"}
"""A method of arrays, and what is put in its place."""
FUNCTIONS = dict.fromkeys(("sqrt", "absolute", "transpose", "swapaxes", "cumsum"), "lambda one, *more, **by: one")
FUNCTIONS |= dict.fromkeys(("maximum", "minimum"), "lambda left, right: -{0}(-left, -right)")
FUNCTIONS |= dict.fromkeys(("largest", "smallest"), "lambda one, *more, **by: -{0}(-one, *more, **by)")
"""A function, and what is put in its place; {0} is the function itself."""
SURVIVED = ("same", "excused", "farther", "other")
"""What a mutant that nothing notices does."""
ALIKE = 1e-9
"""How far values may differ that count as the same, relative to the size of the sides."""


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
    around = {id(part): node for node in ast.walk(tree) for part in ast.iter_child_nodes(node)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in signature or names_an_axis(around.get(id(node))):
            continue
        for text, change in changes(node):
            mutant = copy.deepcopy(tree)
            change(list(ast.walk(mutant))[place])
            where = f"line {first + getattr(node, 'lineno', 1) - 1}, {ast.unparse(around.get(id(node), node))[:60]}"
            yield f"{where}: {text}", ast.fix_missing_locations(mutant)


def names_an_axis(around: ast.AST | None) -> bool:
    """Whether what stands in this is an axis, whose number says where it is counted from: ``axis=-1``, ``shape[-1]``."""
    if isinstance(around, ast.Subscript):
        return isinstance(around.value, ast.Attribute) and around.value.attr == "shape"
    return isinstance(around, ast.keyword) and around.arg in ("axis", "over")


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """What can be changed at a node."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        for by in (1, -1):
            yield f"{node.value} becomes {node.value + by}", lambda one, by=by: setattr(one, "value", one.value + by)
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED and not gives_a_shape(node):
        other = SWAPPED[type(node.op)]
        text = f"{ast.unparse(node)}: {type(node.op).__name__} becomes {other.__name__}"
        yield text, lambda one: setattr(one, "op", SWAPPED[type(one.op)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        yield f"{ast.unparse(node)}: the bound changes sides", lambda one: one.ops.__setitem__(0, SWAPPED[type(one.ops[0])]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield f"{ast.unparse(node)} loses its sign", lambda one: setattr(one, "op", ast.UAdd())
    if isinstance(node, ast.Call):
        yield from changes_of_call(node)


def gives_a_shape(node: ast.BinOp) -> bool:
    """Whether the operation only gives a number a shape: 0 * x, 0 / x, 1 + 0 * x."""
    sides = [one for one in (node, node.right) if isinstance(one, ast.BinOp)]
    return any(isinstance(one.left, ast.Constant) and one.left.value == 0 for one in sides)


def changes_of_call(node: ast.Call) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """A mean for a sum, a minimum for a maximum, a root or a transposition left out, one case for both."""

    def instead(text: str) -> Callable[[Any], None]:
        return lambda one: setattr(one, "func", ast.parse(text, mode="eval").body)

    function, text = ast.unparse(node.func), ast.unparse(node)
    name = function.rpartition(".")[2]
    if isinstance(node.func, ast.Attribute) and name in METHODS and not function.startswith("np."):
        yield f"{text}: {name} becomes {METHODS[name]}", lambda one: setattr(one.func, "attr", METHODS[name])
    elif isinstance(node.func, ast.Attribute) and name == "swapaxes":
        # a method, whose first argument is the array itself
        yield f"{text}: left out", instead(f"lambda *axes: {ast.unparse(node.func.value)}")
    elif name in FUNCTIONS:
        yield f"{text}: changed", instead(FUNCTIONS[name].format(function))
    elif name in ("where", "where_positive") and len(node.args) == 3:
        yield f"{text}: the first case always", instead(f"lambda case, first, second: {function}(case, first, first)")
        yield f"{text}: the second case always", instead(f"lambda case, first, second: {function}(case, second, second)")


def detected(claim: Claim) -> str:
    """What of the check of `claim` fails; empty if nothing does."""
    checker = Checker(claim)
    tight = {name: checker.tight(name) for name in claim.tight}
    if not all(one.as_expected for one in tight.values()) or unreached(claim, tight):
        return "sharp"
    if any(checker.exact(name).verdict != 1 for name in claim.exact):
        return "exact"
    if checker.searched().outcome != claim.expected:
        return "search"
    if not all(checker.needs(name).refuted for name in claim.needs):
        return "needs"
    return "" if all(checker.refutes(name).refuted for name in claim.false_variants) else "variants"


class Values:
    """Both sides of a claim's statement at its drawn and its tight examples."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.cache = claim, Checker(claim).cache
        self.batches = [(one, one.chosen(None)[:400]) for tier in ("structured", "batched") for one in self.cache.phase(tier)]
        self.relations = self.relations_now()

    def relations_now(self) -> list[Relation]:
        """The relations, as the code of the statement is now."""
        drawn = [evaluate(self.claim.statement, batch, chosen) for batch, chosen in self.batches]
        instances = [tight.variables for tight in self.claim.tight.values()]
        sharp = [evaluated(self.claim.statement, instance(), instance) for instance in instances]
        return [one[0] for one in drawn if one is not None] + sharp

    def changed(self) -> str:
        """What the code of the statement as it is now does to them: one of `SURVIVED`."""
        answers = {"same"}
        for before, now in zip(self.relations, self.relations_now(), strict=False):
            if [(one.sense, one.name, one.shape) for one in before.comparisons] != [
                (one.sense, one.name, one.shape) for one in now.comparisons
            ]:
                return "other"
            for name, one, other in zip(before.names, before.comparisons, now.comparisons, strict=True):
                sides = [floats(side) for pair in (one, other) for side in (pair.left, pair.right)]
                room = ALIKE * np.nan_to_num(one.size)
                with np.errstate(all="ignore"):
                    same = all(np.all((np.abs(a - b) <= room) | (a == b)) for a, b in zip(sides[:2], sides[2:], strict=True))
                looser = one.sense != "eq" and bool(np.all((other.relative >= one.relative - ALIKE) | np.isnan(other.relative)))
                excused = name in self.claim.not_known_tight
                answers.add("same" if same else "excused" if excused else "farther" if looser else "other")
        return next(word for word in reversed(SURVIVED) if word in answers)


def code_of(tree: ast.Module, function: types.FunctionType) -> types.CodeType | None:
    """The code of the mutated function; None where it closes over other names."""
    code = compile(tree, function.__code__.co_filename, "exec")
    inner = next((one for one in code.co_consts if isinstance(one, types.CodeType) and one.co_name == function.__name__), None)
    return inner if inner is not None and inner.co_freevars == function.__code__.co_freevars else None


def tried(claim: Claim, seconds: float) -> list[tuple[str, str]]:
    """The mutants of a claim, as many as the time suffices for, with what notices each or what it does."""
    start, rows, values = time.process_time(), [], None
    pairs = [(function, *mutant) for function in functions_of(claim) for mutant in mutants(function)]
    # what the time suffices for is a sample of all of them, the same in every run
    random.Random(claim.id).shuffle(pairs)
    for function, text, tree in pairs:
        code, original = code_of(tree, function), function.__code__
        if time.process_time() - start > seconds:
            break
        if code is None:
            continue
        try:
            function.__code__ = code
            by = detected(claim)
            if not by:
                function.__code__ = original
                values = values or Values(claim)
                function.__code__ = code
                by = values.changed()
        except Exception as error:  # a mutant that cannot be evaluated is detected
            by = type(error).__name__
        finally:
            function.__code__ = original
        rows.append((f"{function.__name__}, {text}", by))
    return rows


def counts(by: list[str]) -> str:
    """How many mutants are detected, and what the others do."""
    left = {word: by.count(word) for word in SURVIVED}
    seen = len(by) - sum(left.values())
    return f"{seen} of {len(by)} detected ({seen / max(1, len(by)):.1%}), " + ", ".join(
        f"{n} {word}" for word, n in left.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the processor, for each claim")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result: dict[str, list[tuple[str, str]]] = {}
    with one_blas_thread():
        # of what is false as printed another false form is as false
        for claim in (one for one in select(catalogue(), options.names) if one.expected == "survived"):
            result[claim.id] = rows = tried(claim, options.seconds)
            left = [f"{text}: {by}" for text, by in rows if by in SURVIVED]
            print(f"{claim.id}: {len(rows) - len(left)} of {len(rows)}", *left, sep="\n    ", flush=True)
            if options.json:
                options.json.write_text(json.dumps(result, indent=1))
    for document in sorted({one.split(".")[0] for one in result}):
        print(document, counts([by for one, rows in result.items() if one.split(".")[0] == document for _, by in rows]))
    print("all", counts([by for rows in result.values() for _, by in rows]))


if __name__ == "__main__":
    sys.exit(main())
