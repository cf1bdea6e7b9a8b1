"""The number of layers as a variable of a statement that takes no network or other array with an axis for the layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify import derived


@dataclass(frozen=True)
class Depth:
    """The size ``depth`` of a domain, for all instances of a batch the same.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """

    depth: int

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ValueError(f"depth must be at least 1, got {self.depth}")

    def __getitem__(self, index: Any) -> Depth:
        return self


GIVEN_DEPTH = derived(Depth)
"""The variable that hands the size ``depth`` to the statement."""
