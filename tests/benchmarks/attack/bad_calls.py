"""Bad calls of every public construction of the theorems, and of every public function of the engine. Run by hand.

    python tests/benchmarks/attack/bad_calls.py [constructions] [engine] [--only TEXT] [--show KIND] [--json FILE]

Each argument of a call that is in order is replaced, one at a time: by what no function takes (None, text, NaN, infinity,
nothing, dates, ragged lists, numbers where arrays should be, and so on) and by what some do (other shapes, zeros, negative and
huge numbers, other arithmetics). Calls of the engine are those of ``tests/argument_calls.py``; those of constructions are taken
from the claims: what a statement, its variables or its tight examples call them with. A table says how the calls end:

* ``named``: a ValueError or a TypeError that names the argument, or a plain refusal of what some take;
* ``accepted``: it gives something, as it may for what some take;
* ``unnamed``: a ValueError or a TypeError that does not name the argument that no function takes;
* ``obscure``: another exception;
* ``NaN``: it gives NaN of numbers that are none;
* ``nonsense``: it gives something of what no function takes;
* ``long``: it takes more than `SECONDS` of the processor, or more memory than there is.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from machine_speed import patient
from test_arguments import has_nan, trials

from verify.claims.catalogue import catalogue
from verify.claims.claim import Claim
from verify.claims.variables import call_with
from verify.instances.array import one_of
from verify.search.batch import evaluate, prepare

SECONDS = patient(2)
KINDS = ("named", "accepted", "unnamed", "obscure", "NaN", "nonsense", "long")
GOOD = ("named", "accepted")
REFUSED = ("NaN", "infinity", "empty", "empty list", "no axes", "number", "masked", "infinite ball")
"""Labels of values that are bad for some functions only: a scalar is an array, and a sum of nothing is 0."""
SHAPES = ("empty", "empty list", "no axes", "number")
HUGE = {"huge": 10**18, "minus huge": -(10**18)}
"""Integers that nothing should count to."""
ACCEPTS = {
    "leaky_resnets.constructions.seen_trajectories.positive_root": {"square": "array, list"},
    "notion_of_rank.constructions.shallow.variation": {"factor": "fraction"},
}
"""What some constructions take beside what claims call them with: numbers without an error bound, and any exact number."""


@dataclass(frozen=True)
class Ended:
    """A call, and how it ended."""

    function: str
    argument: str
    label: str
    kind: str
    said: str


def constructions(package: str = "theorems") -> dict[str, Callable[..., Any]]:
    """All public functions of the folders `shared` and `constructions`, by name."""
    found: dict[str, Callable[..., Any]] = {}
    home = importlib.import_module(package)
    for module in pkgutil.walk_packages(home.__path__, f"{package}."):
        parts = module.name.removeprefix(f"{package}.").split(".")
        if (parts[0] != "shared" and "constructions" not in parts) or "experiments" in parts:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            own = getattr(value, "__module__", "") == module.name and not name.startswith("_")
            if own and inspect.isfunction(value) and inspect.signature(value).parameters:
                found[f"{module.name.removeprefix(f'{package}.')}.{name}"] = value
    return found


def plain(value: Any) -> Any:
    """The first instance of a batch, as plain arrays and networks."""
    return copy.copy(one_of(value, 0))


def calls_of_claims(functions: Mapping[str, Callable[..., Any]], claims: Iterator[Claim]) -> dict[str, list[dict[str, Any]]]:
    """For each function the arguments with which claims call it: at most four that are in order when repeated."""
    codes: dict[CodeType, str] = {inspect.unwrap(function).__code__: name for name, function in functions.items()}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in functions}

    def seen(frame: FrameType, event: str, _: Any) -> None:
        name = codes.get(frame.f_code) if event == "call" else None
        if name is None or len(found[name]) >= 12:
            return
        sys.setprofile(None)
        parameters = inspect.signature(functions[name]).parameters.values()
        if not any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
            with suppress(Exception):  # letters and symbols are no values
                found[name].append({one.name: plain(frame.f_locals[one.name]) for one in parameters})
        sys.setprofile(seen)

    for claim in claims:
        rng = np.random.default_rng(0)
        sys.setprofile(seen)
        try:
            for _, sample in zip(range(2), claim.domain.batched(rng, 8), strict=False):
                batch = prepare(claim.domain, sample)
                if batch is not None:
                    evaluate(claim.statement, batch, batch.chosen(None))
            for tight in list(claim.tight.values())[:2]:
                call_with(claim.statement, tight.variables())
        except Exception as error:  # what was seen before it counts; which claims end early is said
            print(f"{claim.id} ended with {type(error).__name__}: {error}", file=sys.stderr)
        finally:
            sys.setprofile(None)
    return {name: [one for one in calls if in_order(functions[name], one)][:4] for name, calls in found.items()}


def is_empty(value: Any) -> bool:
    """Whether it is an array without entries, or has one: nothing can be replaced in it."""
    if isinstance(value, list | tuple):
        return any(map(is_empty, value))
    return isinstance(value, np.ndarray) and not value.size


def in_order(function: Callable[..., Any], arguments: Mapping[str, Any]) -> bool:
    """Whether a call gives something that is not NaN."""
    found = attempt(function, arguments)
    return not isinstance(found, BaseException) and not has_nan(found)


def attempt(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """The result, or the exception; a TimeoutError where there is none in time."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    # of the processor: what waits for a busy machine is not long
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    signature = inspect.signature(function)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            positional = {name for name, one in signature.parameters.items() if one.kind is one.POSITIONAL_ONLY}
            named = {name: value for name, value in arguments.items() if name not in positional}
            found = function(*(arguments[name] for name in signature.parameters if name in positional), **named)
            return list(found) if hasattr(found, "__next__") else found
    except Exception as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def names(error: BaseException, argument: str) -> bool:
    """Whether a message names an argument."""
    wanted = {"parameters": "(parameters|weights|kernels|biases)"}.get(argument, re.escape(argument))
    return re.search(rf"(?<![A-Za-z]){wanted}(?![A-Za-z])", str(error)) is not None


def kind_of(found: Any, argument: str, label: str, *, bad: bool) -> str:
    """How a call ended; what is `bad` no function takes."""
    if isinstance(found, TimeoutError | MemoryError):
        return "long"
    if isinstance(found, ValueError | TypeError | ArithmeticError):
        plain_kind = type(found) in (ValueError, TypeError) or not isinstance(found, LookupError | ZeroDivisionError)
        if not plain_kind or isinstance(found, OverflowError):
            return "obscure"
        return "named" if names(found, argument) or not bad else "unnamed"
    if isinstance(found, BaseException):
        return "obscure"
    if has_nan(found) and label not in ("tiny", "huge", "large"):
        return "NaN"
    return "nonsense" if bad and label not in SHAPES else "accepted"


def bad_calls(name: str, function: Callable[..., Any], right: Mapping[str, Any], accepts: Mapping[str, str]) -> Iterator[Ended]:
    """Every argument of a call replaced, one at a time, and how that ends."""
    parameters = inspect.signature(function).parameters
    for argument, value in right.items():
        if is_empty(value):
            continue
        annotation = str(parameters[argument].annotation)
        counts = type(value) is int and "Array" not in annotation
        if counts:
            value = min(abs(value), 100)
        elif type(value) is int or (isinstance(value, Fraction) and "Array" in annotation):
            value = float(value)
        bad, strange, _ = trials(value)
        if isinstance(value, float) and "Array" in annotation:
            bad = {label: one for label, one in bad.items() if label != "array"}
        strange = strange | (HUGE if counts else {})
        accepted = accepts.get(argument, "")
        optional = parameters[argument].default is None or "None" in annotation or argument == "axis"
        anything = accepted == "anything" or annotation in ("object", "Any")
        for label, one in [*bad.items(), *strange.items()]:
            if label in bad and (label in accepted.split(", ") or (one is None and optional)):
                continue
            found = attempt(function, {**right, argument: one})
            kind = kind_of(found, argument, label, bad=label in bad and not anything and label not in SHAPES)
            said = f"{type(found).__name__}: {' '.join(str(found).split())}" if isinstance(found, BaseException) else "a value"
            yield Ended(name, argument, label, kind, said[:160])


def of_constructions(only: str) -> Iterator[Ended]:
    """The bad calls of all constructions."""
    functions = {name: one for name, one in constructions().items() if only in name}
    calls = calls_of_claims(functions, iter(catalogue().values()))
    for name, known in calls.items():
        if known:
            best = min(known, key=lambda one: sum(map(is_empty, one.values())))
            yield from bad_calls(name, functions[name], best, ACCEPTS.get(name, {}))
    missing = [name for name, known in calls.items() if not known]
    sys.stderr.write(f"{len(functions)} constructions; without a call that is in order: {', '.join(missing) or 'none'}\n")


def of_engine(only: str) -> Iterator[Ended]:
    """The bad calls of all public functions of the engine."""
    from argument_calls import CALLS

    for name, call in CALLS.items():
        if only in name:
            yield from bad_calls(name, call.function, call.arguments, call.accepts)


def table(found: list[Ended]) -> str:
    """How many calls ended how."""
    counts = Counter(one.kind for one in found)
    head = f"| calls | {' | '.join(KINDS)} |\n|---:|{'---:|' * len(KINDS)}\n"
    return head + f"| {len(found)} | {' | '.join(str(counts[kind]) for kind in KINDS)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["constructions", "engine", []], default=["constructions", "engine"])
    parser.add_argument("--only", default="", help="functions whose names have this text")
    parser.add_argument("--show", default="", help="print the calls of this kind, or all that are not good")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    everything: dict[str, list[Ended]] = {}
    for what in arguments.what:
        everything[what] = list({"constructions": of_constructions, "engine": of_engine}[what](arguments.only))
        print(f"{what}:\n\n{table(everything[what])}\n", flush=True)
    for one in (one for found in everything.values() for one in found):
        if arguments.show in (one.kind, "all") and (arguments.show in GOOD or one.kind not in GOOD):
            print(f"{one.function}({one.argument}), {one.label}: {one.kind}: {one.said}")
    if arguments.json:
        arguments.json.write_text(json.dumps({what: [vars(one) for one in found] for what, found in everything.items()}))


if __name__ == "__main__":
    main()
