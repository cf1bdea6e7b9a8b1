"""Branches of the statements that no drawn instance reaches. Run by hand.

    python tests/benchmarks/branches.py [ID ...] [--budget quick]

A branch is one of the two answers of an `if`, of a conditional expression, of a condition in a comprehension, of an entry of
the condition of `where` or `where_positive`, or of the question which argument of `maximum` or `minimum` is the larger one.
The modules of the theorems are compiled with a note at each of them; then every claim is evaluated at the valid instances that
are drawn for it in floats, and at one of each combination of sizes on rationals. A branch that none of them reaches is
printed, with "but elsewhere" if a tight example, an exact part, a false variant or an instance that breaks a hypothesis
does. Guards that raise are left out; they are the affair of the tests.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections import defaultdict
from typing import Any

import numpy as np

from verify.checker.checking import Checker
from verify.claims.catalogue import catalogue, select
from verify.claims.claim import Claim
from verify.engines.executors import one_blas_thread
from verify.numbers.arithmetic import compare
from verify.search import BUDGETS
from verify.search.batch import evaluate
from verify.search.decide import decide_sample

PACKAGE = "theorems"
answers: defaultdict[str, set[bool]] = defaultdict(set)
"""The answers so far at each place of the code."""


def noted(place: str, condition: Any) -> Any:
    """The condition itself; its answers, or those of its entries, are noted."""
    entries = np.asarray(condition)
    if entries.size and entries.dtype == bool:
        answers[place] |= {bool(entries.any()), bool(entries.all())}
    elif entries.ndim == 0 or not isinstance(condition, np.ndarray):
        answers[place].add(bool(condition))
    return condition


def noted_positive(place: str, condition: Any) -> Any:
    """The first argument of `where_positive`; which of its entries are positive is noted."""
    noted(place, compare(condition, 0) == 1)
    return condition


def noted_pair(place: str, function: Any, left: Any, right: Any) -> Any:
    """A maximum or minimum; which argument is the larger one is noted, ties apart."""
    order = np.asarray(compare(left, right))
    for sign in (-1, 1):
        if (order == sign).any():
            answers[place].add(sign == 1)
    return function(left, right)


class Notes(ast.NodeTransformer):
    """Puts a note at each case distinction of a module."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _place(self, node: ast.expr, kind: str) -> ast.Constant:
        return ast.Constant(f"{self.path}:{node.lineno}: {kind} {ast.unparse(node)}")

    def _call(self, name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if not all(isinstance(one, ast.Raise) for one in node.body):
            node.test = self._call("noted", self._place(node.test, "if"), node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._call("noted", self._place(node.test, "if"), node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._call("noted", self._place(one, "if"), one) for one in node.ifs]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        text = ast.unparse(node.func)
        place = self._place(node, "") if text in ("maximum", "minimum") else None
        condition = self._place(node.args[0], "where") if text in ("np.where", "where_positive") else None
        self.generic_visit(node)
        if place is not None and len(node.args) == 2:
            return self._call("noted_pair", place, node.func, *node.args)
        if condition is not None:
            name = "noted" if text == "np.where" else "noted_positive"
            node.args[0] = self._call(name, condition, node.args[0])
        return node


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with its notes."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_source(fullname) or "")
        short = path[path.rindex(PACKAGE) :]
        return compile(ast.fix_missing_locations(Notes(short).visit(tree)), path, "exec")

    def exec_module(self, module: Any) -> None:
        module.__dict__.update(noted=noted, noted_positive=noted_positive, noted_pair=noted_pair)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the theorems for the loader above."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:  # noqa: ARG002 (the protocol's signature)
        if fullname.split(".")[0] != PACKAGE:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found is None or found.origin is None:
            return found
        return importlib.util.spec_from_file_location(
            fullname,
            found.origin,
            loader=Loader(fullname, found.origin),
            submodule_search_locations=found.submodule_search_locations,
        )


def reached(claim: Claim, budget: str) -> tuple[dict[str, set[bool]], dict[str, set[bool]]]:
    """The answers at each place while the statement is evaluated at the valid instances drawn for a claim, and elsewhere.

    Elsewhere: where drawn instances that break a hypothesis are built, in tight examples, exact parts and false variants.
    """
    answers.clear()
    checker = Checker(claim, budget)
    batches = [batch for tier in ("structured", "batched") for batch in checker.cache.phase(tier)]
    for name in claim.tight:
        checker.tight(name)
    for name in claim.exact:
        checker.exact(name)
    for variant in claim.false_variants.values():
        for batch in batches:
            evaluate(variant, batch, batch.chosen(None))
    elsewhere = {place: set(found) for place, found in answers.items()}
    answers.clear()
    single = {}
    for batch in batches:
        chosen = batch.chosen(None)
        if len(chosen):
            sample = batch.sample[chosen]
            single.setdefault(tuple(sample.sizes.items()), sample[0].exact())
            with np.errstate(all="ignore"):
                variables = claim.domain.build(sample)
                claim.domain.validity(variables)
            evaluate(claim.statement, batch, chosen)
    for sample in single.values():
        decide_sample(claim.statement, claim.domain, sample)
    return {place: set(found) for place, found in answers.items()}, elsewhere


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", choices=BUDGETS, default="quick")
    options = parser.parse_args()
    sys.meta_path.insert(0, Finder())
    drawn: defaultdict[str, set[bool]] = defaultdict(set)
    other: defaultdict[str, set[bool]] = defaultdict(set)
    claims: defaultdict[str, list[str]] = defaultdict(list)
    with one_blas_thread():
        for claim in select(catalogue(PACKAGE), options.names):
            found, elsewhere = reached(claim, options.budget)
            for place, given in found.items():
                drawn[place] |= given
                claims[place].append(claim.id)
            for place, given in elsewhere.items():
                other[place] |= given
    missing = {place: {True, False} - given for place, given in sorted(drawn.items()) if len(given) == 1}
    for place, never in missing.items():
        note = " (but elsewhere)" if never <= other[place] else ""
        print(f"{place}\n    never {', '.join(map(str, never))}{note}, in {', '.join(claims[place])}")
    alone = sum(not never <= other[place] for place, never in missing.items())
    print(f"{len(missing)} of {len(drawn)} case distinctions have a branch that no valid drawn instance reaches,")
    print(f"of which {alone} are not reached elsewhere either")


if __name__ == "__main__":
    main()
