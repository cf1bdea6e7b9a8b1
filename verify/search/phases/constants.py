"""Constants: at the numbers that a statement names it may say something else than beside them."""

from __future__ import annotations

import functools
import inspect
import itertools
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from verify.claims.domain import Sample
from verify.claims.draws import STRUCTURED_DENOMINATORS, STRUCTURED_LARGEST
from verify.claims.variables import Coordinate
from verify.numbers.arithmetic import Array, rational
from verify.numbers.exactness import Q, written_fraction
from verify.numbers.relation import Verdict
from verify.search.decide import Refutation, decide_sample, verdict_of
from verify.search.samples import Budget
from verify.search.state import Search

MOST = 32
"""Instances that are decided. 28 of 509 claims name a number that the first phases seldom draw; with so many it costs each
of them 0.08 s."""
BATCHES = 2
"""Batches of structured instances of which the first feasible one is changed."""


@dataclass(frozen=True)
class Constants:
    """Decide instances with a free number that the source of the statement, or of a hypothesis, names, or one more."""

    name: str = "constants"
    does: str = "numbers that the statement or a hypothesis names, and these plus one, where the first phases seldom draw them"

    def amount(self, budget: Budget) -> str:  # noqa: ARG002 (few statements name any)
        """The most."""
        return f"at most {MOST}"

    def run(self, search: Search) -> None:
        """Decide them; what refutes nothing is no evidence, for it is rare."""
        functions = (search.statement, *search.domain.hypotheses.values())
        numbers = list(dict.fromkeys(itertools.chain.from_iterable(map(_named, functions))))
        if not numbers:
            return
        for sample in itertools.islice(_changed(search, numbers), MOST):
            search.findings.evaluations += 1
            relation = decide_sample(search.statement, search.domain, sample, search.without).relation
            if relation is not None and verdict_of(relation) == Verdict.FAILS:
                search.findings.refuted(Refutation(sample, relation), self.name)
                return


def _named(function: Any) -> list[Fraction]:
    """The numbers that the code of a function names and that are seldom drawn, in their order."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    code = getattr(function, "__code__", None)
    return [] if code is None else list(_numbers(code, function.__globals__))


def _numbers(code: types.CodeType, module: Mapping[str, Any]) -> Iterator[Fraction]:
    """Those of a code, of what is defined in it, and of its module."""
    for constant in (*code.co_consts, *(module.get(name) for name in code.co_names)):
        if isinstance(constant, types.CodeType):
            yield from _numbers(constant, module)
        elif type(constant) in (int, float, str, Fraction, Q):
            with suppress(ValueError, ZeroDivisionError):
                number = written_fraction(str(constant))
                if max(STRUCTURED_DENOMINATORS) % number.denominator or abs(number) > STRUCTURED_LARGEST:
                    yield number


def _changed(search: Search, numbers: list[Fraction]) -> Iterator[Sample]:
    """Instances of which one variable has a number in all its places, or in one: beside zeros, and beside drawn ones."""
    drawn = []
    for batch in itertools.islice(search.cache.phase("structured"), BATCHES):
        feasible = batch.chosen(search.without)
        if len(feasible):
            drawn.append(search.domain.on_rationals(batch.sample[int(feasible[0])]))
    zeros = [
        replace(one, coordinates={name: _filled(values, 0) for name, values in one.coordinates.items()}) for one in drawn[:1]
    ]
    for number in (rational(named + more) for named in numbers for more in (0, 1)):
        for sample in zeros + drawn:
            layout = search.domain.layout(sample.sizes)
            for turn, (name, values) in enumerate(sample.coordinates.items()):
                if values.size and _is_inside(number, layout[name]):
                    everywhere, once = _filled(values, number), values.copy()
                    once.flat[turn % values.size] = number
                    for changed in (everywhere, once)[: values.size]:
                        yield replace(sample, coordinates={**sample.coordinates, name: changed})


def _filled(values: Array, number: Any) -> Array:
    return np.full(values.shape, rational(number), dtype=object)


def _is_inside(number: fmpq, coordinate: Coordinate) -> bool:
    lower, upper = coordinate.exact_ends()
    whole = number.q == 1 or not coordinate.integer
    return whole and (lower is None or number >= lower) and (upper is None or number <= upper)
