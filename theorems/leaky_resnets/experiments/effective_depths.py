"""The networks of Figures 1 and 3: growing effective depths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.experiments.adaptive_training import (
    Continued,
    Path,
    averaged_path,
    initial_weights,
    padded,
    standardised,
    train_adaptively,
)
from verify.experiments.batches import each_seed
from verify.networks.leaky_resnet import LeakyResNet, equidistant_steps
from verify.networks.training import Adam, Cosine, he_network

Array = npt.NDArray[Any]
DATA, NETWORK = 0, 1
"""The streams of a seed."""


@dataclass(frozen=True)
class Recipe:
    r"""Sizes of the task and of the networks.

    The task has bottleneck rank `rank`. `strength` is :math:`\lambda`. `learning_rate` is in units of the effective depth, the
    size of the weights. `averaged` steps at the end give the adjoints.
    """

    depths: tuple[float, ...]
    layers: int
    dimension: int
    rank: int
    hidden: int
    points: int
    width: int
    strength: float
    learning_rate: float
    steps: int
    averaged: int


RECIPES = {
    "smoke": Recipe(
        depths=(4, 8, 20),
        layers=24,
        dimension=4,
        rank=1,
        hidden=6,
        points=40,
        width=8,
        strength=0.1,
        learning_rate=4e-3,
        steps=1600,
        averaged=400,
    ),
    "laptop": Recipe(
        depths=(4, 6, 9, 13, 20),
        layers=40,
        dimension=6,
        rank=2,
        hidden=6,
        points=80,
        width=12,
        strength=0.05,
        learning_rate=4e-3,
        steps=16_000,
        averaged=1000,
    ),
    "paper": Recipe(
        depths=(4, 7, 10, 13, 16, 19, 22),
        layers=50,
        dimension=20,
        rank=5,
        hidden=100,
        points=1000,
        width=200,
        strength=0.002,
        learning_rate=1e-3,
        steps=20_000,
        averaged=10_000,
    ),
}


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """One for each effective depth: the networks of all seeds are trained as one batch."""
    return [{"depth": depth, "seeds": list(seeds)} for depth in recipe.depths]


def task(generator: np.random.Generator, recipe: Recipe) -> list[Array]:
    """Gaussian points and what two shallow networks make of them, with `rank` numbers between; all coordinates standardised."""
    x = generator.standard_normal((recipe.points, recipe.dimension))
    inner = he_network(generator, (recipe.dimension, recipe.hidden, recipe.rank))
    outer = he_network(generator, (recipe.rank, recipe.hidden, recipe.dimension))
    return [standardised(values.T).astype(np.float32) for values in (x, outer(inner(x)))]


def trained_at_depth(recipe: Recipe, depth: float, seeds: Sequence[int]) -> Path:
    """Train the networks of all seeds with adaptive steps."""
    x, y = each_seed(seeds, DATA, lambda generator: task(generator, recipe))
    x = padded(x, recipe.width)
    weights = initial_weights(seeds, NETWORK, depth, recipe.width, recipe.layers)
    start = LeakyResNet(weights, depth, equidistant_steps(recipe.layers))
    adam = Continued(Adam(Cosine(recipe.learning_rate * depth, recipe.steps)))
    ridge = recipe.strength / (2 * depth)
    network = train_adaptively(start, x, y, steps=recipe.steps, optimiser=adam, ridge=ridge)
    return averaged_path(network, x, y, steps=recipe.averaged, optimiser=adam, ridge=ridge)
