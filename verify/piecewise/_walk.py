"""The tree of activation cells of a network: layer by layer, every cell split by the hyperplanes that cross it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpz, fmpz_mat

from verify.piecewise._cells import Cell, split
from verify.piecewise._integers import IntegerNetwork

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
    stack = [Node((), cell, *network.first())]
    while stack:
        node = stack.pop()
        if skip is not None and skip(node):
            continue
        layer = len(node.pattern)
        if layer == network.depth - 1:
            yield node
            continue
        rows = node.rows.tolist()
        for signs, part in reversed(split(node.cell, node.rows)):
            pattern = (*node.pattern, signs)
            following = None if prefixes is None else prefixes.get(pattern)
            if following is None:
                following = network.following(layer, rows, node.scale, signs)
                if prefixes is not None:
                    prefixes[pattern] = following
            stack.append(Node(pattern, part, *following))
