"""An experiment as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from verify.claims.claim import Source
from verify.experiments.assertions import Assertion
from verify.experiments.table import Row, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCALES = ("smoke", "laptop", "paper")
"""Seconds, for every change of the code; minutes, for the figures that are shown; and what the paper did."""
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Experiment(Generic[R]):
    """A figure of a paper: how it is made, and what it shows.

    Attributes
    ----------
    name
        Such as "bottleneck_structure.fig_1".
    title
        What the figure shows, in a line.
    source
        The paper and the figure in it.
    recipes
        For each of `SCALES` the recipe, a frozen dataclass of numbers, texts and tuples of these.
    seconds
        For each scale about how long it takes on two cores, with five seeds.
    runs
        ``(recipe, seeds) -> keys``: the independent pieces of work, each a dictionary of numbers, texts and lists of these,
        which is passed to `run` by name. Networks of one shape that differ in their seeds are best trained as one batch, in one
        run.
    run
        ``(recipe, **key) -> rows``: does one of them. It depends on its arguments alone.
    assertions
        What the figure shows.
    figure
        ``(table) -> figure``, with `verify.experiments.drawing`.
    text
        What there is to see, for those who do not see it.
    caption
        What the paper says of its figure: quoted, or in our words; empty where there is no paper.
    read_off
        What was read off the paper, by name.
    choices
        What the paper leaves open, and what we take.
    """

    name: str
    title: str
    source: Source
    recipes: Mapping[str, R]
    seconds: Mapping[str, float]
    runs: Callable[[R, Sequence[int]], Sequence[Mapping[str, Any]]]
    run: Callable[..., Iterable[Row]]
    assertions: Sequence[Assertion]
    figure: Callable[[Table], Figure]
    text: str
    caption: str
    read_off: Mapping[str, str]
    choices: Mapping[str, str]

    def __post_init__(self) -> None:
        for name in ("recipes", "seconds"):
            if set(getattr(self, name)) != set(SCALES):
                raise ValueError(f"{name} must have the scales {', '.join(SCALES)}, got {', '.join(getattr(self, name))}")
        names = [assertion.name for assertion in self.assertions]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"assertions must be one or more, with different names, got {names}")
        for assertion in self.assertions:
            if not set(assertion.scales) <= set(SCALES):
                raise ValueError(f"scales must be of {', '.join(SCALES)}, got {assertion.scales}")

    def settings(self, scale: str) -> dict[str, Any]:
        """The recipe of a scale as a dictionary of JSON."""
        settings: dict[str, Any] = json.loads(json.dumps(asdict(self.recipes[scale])))  # type: ignore[call-overload]
        return settings

    def fingerprint(self, scale: str) -> str:
        """Sixteen hexadecimal digits that change when the recipe or the code of the runs does."""
        from verify.evidence.fingerprint import fingerprint

        recipe = json.dumps(self.settings(scale), sort_keys=True)
        return hashlib.sha256(f"{self.name} {fingerprint(self.run)} {recipe}".encode()).hexdigest()[:16]
