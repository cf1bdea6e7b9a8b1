"""Functions of one instance, called for a batch: at once, or instance by instance where they need to see one."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from verify.instances.array import NeedsOneInstance, batch_leaves, one_of, together
from verify.instances.views import lead_in, unwrapped, wrapped
from verify.numbers.arithmetic import UndecidedInstances
from verify.numbers.relation import Comparison, Relation


class SlowerOneByOne(UserWarning):
    """A function is evaluated instance by instance, because of what a line of it does."""


def called(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """`function` of these arguments: for the whole batch, or instance by instance where it needs to see one."""
    try:
        answer = function(**arguments)
        if isinstance(answer, Relation) and answer.batch_shape == () and lead_in(arguments) and _count(arguments) == 1:
            return _relations_together([answer])  # of what Python made of the one instance
        return answer
    except NeedsOneInstance as error:
        if not lead_in(arguments):
            raise
        tell_once(error)
    return _called_one_by_one(function, arguments)


def batched(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one instance, for arrays whose first axis counts the instances: plain arrays go in and come out."""

    def of_a_batch(*operands: Any) -> Any:
        arguments = {f"{place}": wrapped(np.asarray(operand), 1) for place, operand in enumerate(operands)}
        return unwrapped(called(lambda **given: function(*given.values()), arguments))

    return of_a_batch


def _count(arguments: Mapping[str, Any]) -> int:
    return int(max(leaf.count for leaf in batch_leaves(arguments) if leaf.lead))


def _called_one_by_one(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    count = _count(arguments)
    answers: list[Any] = []
    undecided = np.zeros(count, dtype=bool)
    for place in range(count):
        try:
            answers.append(function(**{name: wrapped(one_of(value, place), 0) for name, value in arguments.items()}))
        except UndecidedInstances:
            undecided[place] = True
    if undecided.any():
        raise UndecidedInstances("some instances are not decided in this precision", undecided)
    if isinstance(answers[0], Relation):
        return _relations_together(answers)
    return together(answers, 1)


def _relations_together(relations: Sequence[Relation]) -> Relation:
    kinds = {
        tuple((comparison.sense, comparison.name, comparison.shape) for comparison in relation.comparisons)
        for relation in relations
    }
    if len(kinds) > 1:
        raise ValueError("a statement must make the same comparisons, of the same shapes, at all instances of a size")
    return Relation(tuple(map(_comparisons_together, zip(*(relation.comparisons for relation in relations), strict=True))))


def _comparisons_together(parts: Sequence[Comparison]) -> Comparison:
    shape = parts[0].shape
    sides: dict[str, Any] = {
        name: np.stack([np.broadcast_to(getattr(part, name), shape) for part in parts])
        for name in ("left", "right", "noise", "beside")
        if getattr(parts[0], name) is not None
    }
    return replace(parts[0], **sides)


TOLD: set[str] = set()
"""Lines of which was told that they are evaluated one by one."""


def tell_once(error: NeedsOneInstance) -> None:
    """Say which line keeps a statement from being evaluated for a batch, and how to write it."""
    own = str(Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith((own, "<"))]
    frames = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: {(frames[-1].line or '').strip()}" if frames else ""
    if where in TOLD:
        return
    TOLD.add(where)
    warnings.warn(
        f"{where or 'a line'} asks for {error}, so that the function is evaluated instance by instance: the same answers, "
        "slower; write where(x > 0, a, b) for `a if x > 0 else b`, maximum(x, y) for max(x, y), and greatest(x) for max(x)",
        SlowerOneByOne,
        stacklevel=2,
    )
