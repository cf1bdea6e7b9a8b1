"""The tree of activation cells of a network: layer by layer, every cell split by the hyperplanes that cross it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpz, fmpz_mat

from verify.piecewise.cells.convex import Cell, Row, split
from verify.piecewise.cells.integer_network import IntegerNetwork

Pattern: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A cell on which the pre-activations of the first ``len(pattern)`` layers keep their signs.

    ``rows / scale`` are the pre-activations of the next layer over ``(x, 1)``; of a leaf, the outputs of the network.
    """

    pattern: Pattern
    cell: Cell
    rows: fmpz_mat
    scale: fmpz


def leaves(
    network: IntegerNetwork,
    cell: Cell,
    *,
    skip: Callable[[Node], bool] | None = None,
    prefixes: dict[Pattern, tuple[fmpz_mat, fmpz]] | None = None,
) -> Iterator[Node]:
    """The activation cells of `network` in `cell`, depth first.

    What lies below a node for which `skip` answers True is left out. With `prefixes`, the affine maps are kept there, for more
    calls with the same network.
    """

    def below(node: Node) -> Iterator[Node]:
        layer, rows = len(node.pattern), node.rows.tolist()
        for signs, part in split(node.cell, node.rows):
            pattern = (*node.pattern, signs)
            following = None if prefixes is None else prefixes.get(pattern)
            if following is None:
                following = network.following(layer, rows, node.scale, signs)
                if prefixes is not None:
                    prefixes[pattern] = following
            yield Node(pattern, part, *following)

    stack = [iter([Node((), cell, *network.first())])]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
        elif skip is None or not skip(node):
            if len(node.pattern) == network.depth - 1:
                yield node
            else:
                stack.append(below(node))


def on_a_kink(network: IntegerNetwork, point: Row) -> bool:
    """Whether a hidden pre-activation is zero at a point, but not around it."""
    rows, scale = network.first()
    column = fmpz_mat(len(point), 1, point)
    for layer in range(network.depth - 1):
        entries, values = rows.tolist(), (rows * column).entries()
        if any(value == 0 and any(x != 0 for x in row) for row, value in zip(entries, values, strict=True)):
            return True
        rows, scale = network.following(layer, entries, scale, tuple((x > 0) - (x < 0) for x in values))
    return False
