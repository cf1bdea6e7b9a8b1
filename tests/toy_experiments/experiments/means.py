"""Means of more numbers spread less."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.drawing import band, panels, relation


@dataclass(frozen=True)
class Recipe:
    """How many numbers, how many means of them, and how long a run waits."""

    sizes: tuple[int, ...]
    means: int
    seconds: float = 0.0


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """One for each size, with all seeds."""
    return [{"size": size, "seeds": list(seeds)} for size in recipe.sizes]


def spread_of_means(recipe: Recipe, size: int, seeds: Sequence[int]) -> Iterator[Row]:
    """The standard deviation of means of `size` numbers."""
    time.sleep(recipe.seconds)
    for seed in seeds:
        means = np.random.default_rng([seed, size]).standard_normal((recipe.means, size)).mean(axis=1)
        yield {"size": size, "seed": seed, "spread": means.std()}


def scaled_spread(table: Table) -> dict[str, Any]:
    """The standard deviation times the root of the size: 1, up to what the seeds do."""
    return {f"size {size}": table.where(size=size).column("spread") * size**0.5 for size in table.distinct("size")}


def figure(table: Table) -> Any:
    """Spread against size."""
    drawn, ((ax,),) = panels()
    sizes = np.array(table.distinct("size"))
    band(ax, table, "size", "spread", marker="o", label="median of the seeds")
    relation(ax, sizes, sizes**-0.5, "one over the root")
    ax.set_xlabel("numbers")
    ax.set_ylabel("standard deviation of the mean")
    ax.legend()
    return drawn


EXPERIMENT = Experiment(
    name="toy.means",
    title="Means of more numbers spread less",
    source=Source("notion_of_rank", "derived here"),
    recipes={"smoke": Recipe((1, 4, 16), 400), "laptop": Recipe((1, 4, 16, 64), 400, 0.3), "paper": Recipe((1, 4), 10**6)},
    seconds={"smoke": 0.1, "laptop": 2, "paper": 90},
    runs=runs,
    run=spread_of_means,
    assertions=[
        Assertion(
            "the spread falls as one over the root of the size",
            Within(scaled_spread, 0.9, 1.1),
            false={"it does not fall": Within(lambda table: table.each("size", "spread"), 0.9, 1.1)},
        )
    ],
    figure=figure,
    text="A falling curve on a dashed one.",
    caption="means of more numbers spread less.",
    read_off={"law": "one over the root"},
    choices={"numbers": "Gaussian"},
)
