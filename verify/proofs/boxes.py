"""Leaves without a sum of squares, on boxes: the goal is enclosed on each, with derivatives where it is attained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from verify.proofs.certificate import Deadline
from verify.proofs.enclosures import ONE, Boxes, Interval, NotShown
from verify.proofs.expressions import UNKNOWNS, Path
from verify.proofs.texts import to_text

MOST_COORDINATES = 3
"""More coordinates that a goal depends on make too many boxes."""
MOST_BOXES = 4000
"""Boxes for one goal."""
DEEPEST = 60
"""How often a box is divided, one part after the other."""

Box = list[Interval | None]


def definitions(path: Path) -> list[Any]:
    """What the unknowns of a path are, as text; see `Path.defined`."""
    return [
        [
            to_text(path, word) if isinstance(word, fmpq_mpoly) else word if type(word) is int else str(word)
            for word in definition
        ]
        for definition in path.defined
    ]


def boxes_of(path: Path, defined: Sequence[Any], goal: Mapping[str, Any]) -> Boxes:
    """What a path assumes, and a goal given as text, for boxes."""
    known = [
        ("", to_text(path, assumption.polynomial), "=" if assumption.equal else ">" if assumption.strict else ">=")
        for assumption in path.assumptions
    ]
    return Boxes(len(path.names) - UNKNOWNS, known, defined, goal["value"], equal=goal["sense"] == "=")


def divided(path: Path, goal: Mapping[str, Any], deadline: Deadline) -> list[Any] | None:
    """A tree of boxes that shows a goal, given as text, on a leaf; None if there is no box to begin with, or too many."""
    boxes = boxes_of(path, definitions(path), goal)
    start = boxes.start()
    bounded = [number for number, ends in enumerate(start) if ends is not None]
    if not bounded or len(bounded) > MOST_COORDINATES:
        return None
    search = _Search(boxes, range(len(path.assumptions)), start, bounded, deadline, equal=goal["sense"] == "=")
    return search.tree(start, DEEPEST)


class _Search:
    def __init__(
        self,
        boxes: Boxes,
        assumptions: Sequence[int],
        start: Box,
        bounded: Sequence[int],
        deadline: Deadline,
        *,
        equal: bool,
    ) -> None:
        self._equal = equal
        self._boxes, self._assumptions, self._bounded, self._deadline = boxes, assumptions, bounded, deadline
        self._widths = {number: _width(start[number]) for number in bounded}
        self._made = 0

    def tree(self, box: Box, depth: int) -> list[Any] | None:
        """What shows the goal on a box; None if it is not found."""
        self._deadline.check()
        self._made += 1
        if self._made > MOST_BOXES:
            return None
        shown = next(self._shown(box), None)
        if shown is not None:
            return shown
        number = max(self._bounded, key=lambda place: _width(box[place]) / (self._widths[place] or 1))
        ends = box[number]
        at = _between(ends) if ends else None
        if not depth or at is None or ends is None:
            return None
        below = self.tree([*box[:number], (ends[0], at), *box[number + 1 :]], depth - 1)
        above = below and self.tree([*box[:number], (at, ends[1]), *box[number + 1 :]], depth - 1)
        return above and ["divided", number, str(Fraction(at, ONE)), below, above]

    def _shown(self, box: Box) -> Iterator[list[Any]]:
        values = [self._bounded[0], 0, 0]
        if self._is_shown(box, values):
            yield ["goal", *values]
        for index in self._assumptions:
            if self._is_outside(box, index, values):
                yield ["outside", index, *values]
        for form in self._forms(box):
            if self._is_shown(box, form):
                yield ["goal", *form]

    def _forms(self, box: Box) -> Iterator[list[int]]:
        for number in self._bounded:
            for order in (1, 2) if len(self._bounded) > 1 else (1, 2, 4):
                yield [number, 2, order]
            for place, end in enumerate(box[number] or ()):
                # where the goal is attained, its first derivatives vanish
                if self._least([*box[:number], (end, end), *box[number + 1 :]], [number, 0, 0]) == 0:
                    yield from ([number, place, order] for order in range(1, 9))

    def _is_shown(self, box: Box, form: list[int]) -> bool:
        return not self._equal and self._least(box, form) >= 0

    def _least(self, box: Box, form: list[int]) -> int:
        try:
            return self._boxes.least(None, box, form)
        except (NotShown, IndexError):  # a logarithm or a quotient is not bounded, or an eigenvalue is needed
            return -1

    def _is_outside(self, box: Box, index: int, form: list[int]) -> bool:
        try:
            return self._boxes.excludes(index, box, form)
        except (NotShown, IndexError):
            return False


def _width(ends: Interval | None) -> int:
    return ends[1] - ends[0] if ends else 0


def _between(ends: Interval) -> int | None:
    """The roundest number in the middle half of an interval."""
    low, high = ends
    first, last = low + (high - low) // 4, high - (high - low) // 4
    for twos in range(40, -60, -1):
        step = ONE << twos if twos >= 0 else ONE >> -twos
        at = -(-first // step) * step
        if at <= last:
            return at
    return None
