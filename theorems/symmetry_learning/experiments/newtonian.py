r"""A deep convolutional network learns the flight of a ball.

Recipe
    A ball on a torus: positions with :math:`p_{t+1} = 2p_t - p_{t-1} + g`, drawn as smooth bumps in frames of n by n pixels. A
    network of circular convolutions takes two frames as channels and is trained, with a ridge, to give the next ones.
Shown
    In the middle of the network the singular values :math:`s_{\omega,i}(W_\ell)` that are near 1 have frequencies with
    :math:`|\omega| \leq 1`; there are two of them at :math:`\omega = (1, 0)` and two at :math:`(0, 1)`. The higher frequencies
    of the frames come back in the last layer. At frequency 0 there are some, too: ReLU passes a wave only after an offset.
Not shown
    That these pairs hold the position and the velocity. The velocity does not change when the frames are shifted, so that it
    may as well be kept at frequency 0, and in some layers of some networks it is.
Source
    symmetry_learning, Convolutional networks and Newtonian mechanics (a figure without a recipe).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from verify import Source
from verify.experiments import Assertion, Experiment, Row, Table, Within
from verify.experiments.drawing import COLOURS, band, mosaic, range_entry, relation
from verify.networks.circular import CircularCNN
from verify.networks.training import Adam, Linear, train

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
DATA, NETWORK, TEST = 0, 1, 2
"""The streams of a seed."""
SEEN = 2
"""Frames that the network is given: they determine position and velocity."""
NEAR_ONE = 0.5, 2.0
"""Singular values between these are near 1."""
AXES = ("(1, 0)", "(0, 1)")
"""The frequencies of absolute value 1, up to their sign."""


@dataclass(frozen=True)
class Recipe:
    """Sizes; `speed` is the largest on each axis in pixels for each frame; `ridge` is for the squared norm of the matrices."""

    side: int
    frames: int
    points: int
    speed: float
    gravity: float
    sharpness: float
    depth: int
    channels: int
    ridge: float
    learning_rate: float
    steps: int


# The task


def positions(recipe: Recipe, generator: np.random.Generator) -> Array:
    """Positions in all frames, those that are seen first, shape ``(points, frames, 2)``; gravity is along the first axis."""
    place = generator.uniform(0, recipe.side, (recipe.points, 1, 2))
    velocity = generator.uniform(-recipe.speed, recipe.speed, (recipe.points, 1, 2))
    t = np.arange(SEEN + recipe.frames)[:, None]
    return np.asarray(place + velocity * t + np.array([recipe.gravity, 0]) * t * (t - 1) / 2)


def bumps(recipe: Recipe, places: Array) -> Array:
    """Frames with a ball at each place, ``(..., 2) -> (..., n, n)``, of mean 0 and squared norm 1."""
    turns = 2 * np.pi * (np.arange(recipe.side) - places[..., None]) / recipe.side
    first, second = np.moveaxis(np.exp(recipe.sharpness * (np.cos(turns) - 1)), -2, 0)
    frames = first[..., :, None] * second[..., None, :]
    frames = frames - frames.mean(axis=(-2, -1), keepdims=True)
    return np.asarray(frames / np.sqrt((frames**2).sum(axis=(-2, -1), keepdims=True)))


def sample(recipe: Recipe, generator: np.random.Generator) -> tuple[Array, Array]:
    """The frames that are seen, and those that are to be predicted, which have the squared norm 1 together."""
    frames = bumps(recipe, positions(recipe, generator)).astype(np.float32)
    return frames[:, :SEEN], frames[:, SEEN:] / np.float32(recipe.frames**0.5)


def he_kernels(recipe: Recipe, generator: np.random.Generator) -> list[Array]:
    """Kernels that keep the squares of signals on average: variance 2 over the inputs of a pixel, 1 where no ReLU is before."""
    pixels = recipe.side, recipe.side
    channels = (SEEN, *[recipe.channels] * (recipe.depth - 1), recipe.frames)
    kernels = []
    for layer, (inputs, outputs) in enumerate(pairwise(channels)):
        deviation = ((2 if layer else 1) / (inputs * recipe.side**2)) ** 0.5
        kernels.append((deviation * generator.standard_normal((outputs, inputs, *pixels))).astype(np.float32))
    return kernels


# The runs


def runs(recipe: Recipe, seeds: Sequence[int]) -> list[dict[str, Any]]:  # noqa: ARG001 (the same for every recipe)
    """One for each seed. A flight of the first one is shown."""
    return [{"seed": seed, "shown": seed == seeds[0]} for seed in seeds]


def learn_the_flight(recipe: Recipe, seed: int, *, shown: bool) -> Iterator[Row]:
    """Errors on new flights; the largest singular values of all layers at frequency 0, on the two axes and elsewhere."""
    x, y = sample(recipe, np.random.default_rng([seed, DATA]))
    start = CircularCNN(he_kernels(recipe, np.random.default_rng([seed, NETWORK])))
    adam = Adam(Linear(recipe.learning_rate, recipe.steps, decay=2 * recipe.steps // 5, warm_up=50))
    # a filter has a share of 1 / n^2 in the squared norm of its matrix
    network = train(start, x, y, steps=recipe.steps, optimiser=adam, ridge=recipe.ridge * recipe.side**2).network
    new_x, new_y = sample(recipe, np.random.default_rng([seed, TEST]))
    predicted = network(new_x)
    errors = {"error": squared_error(predicted, new_y), "affine": squared_error(affine_prediction(x, y, new_x), new_y)}
    yield {"panel": "fit", "seed": seed, **errors, "norm": network.parameter_norm_squared * recipe.side**2}
    for layer in range(1, recipe.depth + 1):
        for group, values in by_group(network.singular_values_by_frequency(layer)).items():
            for index, value in enumerate(values[:4], 1):
                one = {"layer": layer, "frequency": group, "index": index, "singular_value": value}
                yield {"panel": "spectrum", "seed": seed, **one}
    if shown:
        yield from _flight(new_x[0], new_y[0], predicted[0])


def squared_error(found: Array, wanted: Array) -> float:
    """As a share of the squares of what is wanted."""
    return float(((found - wanted) ** 2).sum() / (wanted**2).sum())


def affine_prediction(x: Array, y: Array, new_x: Array) -> Array:
    """What the best affine map that commutes with shifts predicts: least squares at each frequency (of means 0)."""
    spectra, wanted, new = (np.moveaxis(np.fft.rfft2(images), 1, -1) for images in (x, y, new_x))
    found = np.empty((*new.shape[:-1], wanted.shape[-1]), dtype=complex)
    for frequency in np.ndindex(spectra.shape[1:3]):
        here = (slice(None), *frequency)
        found[here] = new[here] @ np.linalg.lstsq(spectra[here], wanted[here])[0]
    return np.fft.irfft2(np.moveaxis(found, -1, 1), s=x.shape[-2:])


def by_group(values: Array) -> dict[str, Array]:
    """Singular values ``(n, n, count)`` at frequency 0, at (1, 0) and (0, 1), and at all others, each in descending order.

    Of the frequencies w and -w, whose singular values are the same, there is one.
    """
    side = values.shape[0]
    groups: dict[str, list[Array]] = {"zero": [], **{axis: [] for axis in AXES}, "higher": []}
    named = {(0, 0): "zero", (1, 0): AXES[0], (0, 1): AXES[1]}
    for place in np.ndindex(side, side):
        opposite = tuple(-one % side for one in place)
        if place <= opposite:
            groups[named.get(place, "higher")].append(values[place])
    return {name: np.sort(np.concatenate(found))[::-1] for name, found in groups.items()}


def _flight(seen: Array, wanted: Array, predicted: Array) -> Iterator[Row]:
    """The frames of a flight, of which those that are predicted come twice; all of norm 1."""
    frames = len(wanted)
    kinds = {"seen": seen, "true": wanted * frames**0.5, "network": predicted * frames**0.5}
    for kind, images in kinds.items():
        for number, image in enumerate(images):
            time = number if kind == "seen" else SEEN + number
            for (row, column), value in np.ndenumerate(image):
                yield {"panel": "frames", "kind": kind, "time": time, "row": row, "column": column, "value": value}


# What the figure shows


def layers_of(table: Table) -> list[int]:
    """The layers whose singular values are in the table."""
    return table.where(panel="spectrum").distinct("layer")


def middle_half(table: Table) -> list[int]:
    """The layers of the middle half of the network."""
    layers = layers_of(table)
    return layers[len(layers) // 4 : len(layers) - len(layers) // 4]


def largest(table: Table, frequency: str, layers: Sequence[int]) -> dict[str, Array]:
    """The largest singular value at some frequencies, in each of these layers."""
    found = table.where(panel="spectrum", frequency=frequency, index=1)
    return {f"layer {layer}": found.where(layer=layer).column("singular_value") for layer in layers}


def largest_of_higher(table: Table) -> dict[str, Array]:
    """Of the frequencies above 1, in the middle half."""
    return largest(table, "higher", middle_half(table))


def largest_of_one(table: Table) -> dict[str, Array]:
    """Of (1, 0), in the middle half."""
    return largest(table, AXES[0], middle_half(table))


def largest_of_higher_at_the_end(table: Table) -> dict[str, Array]:
    """Of the frequencies above 1, in the last layer."""
    return largest(table, "higher", layers_of(table)[-1:])


def pairs_on_each_axis(table: Table) -> dict[str, list[int]]:
    """How many singular values are near 1 at (1, 0) and at (0, 1), in each layer of the middle half."""
    return {
        f"{axis}, layer {layer}": near_one(table.where(panel="spectrum", frequency=axis, layer=layer))
        for axis in AXES
        for layer in middle_half(table)
    }


def near_one(spectra: Table) -> list[int]:
    """How many singular values are near 1, for each seed."""
    low, high = NEAR_ONE
    counts = []
    for seed in spectra.distinct("seed"):
        values = spectra.where(seed=seed).column("singular_value")
        counts.append(int(((values >= low) & (values <= high)).sum()))
    return counts


def errors_of(table: Table) -> dict[str, Array]:
    """The error of the network on new flights."""
    return {"new flights": table.where(panel="fit").column("error")}


def errors_of_affine_maps(table: Table) -> dict[str, Array]:
    """The error of the best affine map."""
    return {"new flights": table.where(panel="fit").column("affine")}


ASSERTIONS = [
    Assertion(
        "the network learns the flight: squared error on new flights, as a share of the squares",
        Within(errors_of, high=0.05),
        false={"so does an affine map that commutes with shifts": Within(errors_of_affine_maps, high=0.05)},
        scales=("laptop", "paper"),
    ),
    Assertion(
        "in the middle half no singular value is near 1 at a frequency above 1: the largest is below 1/2",
        Within(largest_of_higher, high=NEAR_ONE[0]),
        false={
            "nor at frequency 1": Within(largest_of_one, high=NEAR_ONE[0]),
            "nor in the last layer": Within(largest_of_higher_at_the_end, high=NEAR_ONE[0]),
        },
    ),
    Assertion(
        "two pairs on each axis: singular values from 1/2 to 2 at the frequencies (1, 0) and (0, 1) in the middle half",
        Within(pairs_on_each_axis, 2, 2),
        false={"one pair": Within(pairs_on_each_axis, 1, 1), "three": Within(pairs_on_each_axis, 3, 3)},
        scales=("laptop", "paper"),
    ),
]


def figure(table: Table) -> Figure:
    """A flight, as it is and as the network sees it coming; singular values against the layer, coloured by frequency."""
    frames = table.where(panel="frames")
    shown = [(kind, time) for kind in ("seen", "true", "network") for time in frames.where(kind=kind).distinct("time")]
    names = [f"{kind} {time}" for kind, time in shown]
    drawn, axes = mosaic([["spectrum"] * len(names), names], (3.4, 1.3))
    _spectrum(axes["spectrum"], table.where(panel="spectrum"))
    for name, (kind, time) in zip(names, shown, strict=True):
        _frame(axes[name], frames.where(kind=kind, time=time))
        axes[name].set_title(f"{kind}\nframe {time}")
    return drawn


def _spectrum(ax: Any, spectra: Table) -> None:
    looks = {
        "higher": ("#999999", "", "higher"),
        "zero": (COLOURS[0], "s", "(0, 0)"),
        AXES[0]: (COLOURS[1], "o", AXES[0]),
        AXES[1]: (COLOURS[2], "^", AXES[1]),
    }
    for frequency, (colour, marker, label) in looks.items():
        here = spectra.where(frequency=frequency)
        for index in here.distinct("index"):
            one = here.where(index=index)
            band(ax, one, "layer", "singular_value", colour=colour, marker=marker, label=label if index == 1 else "")
    layers = spectra.distinct("layer")
    relation(ax, [layers[0], layers[-1]], 1, "value 1")
    range_entry(ax)
    ax.set_xlabel("layer")
    ax.set_ylabel("singular values")
    ax.set_ylim(bottom=0)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(title="frequency", loc="upper left", bbox_to_anchor=(1, 1))


def _frame(ax: Any, frame: Table) -> None:
    rows, columns = frame.distinct("row"), frame.distinct("column")
    values = frame.column("value").reshape(len(rows), len(columns))
    # every frame has the same range of colours: a ball that fades away is seen to
    ax.imshow(values, cmap="viridis", vmin=-0.15, vmax=0.45)
    ax.set_xticks([])
    ax.set_yticks([])


EXPERIMENT = Experiment(
    name="symmetry_learning.newtonian",
    title="A convolutional network keeps a ball in two pairs of frequency 1 on each axis",
    source=Source("symmetry_learning", "Learning Newtonian mechanics"),
    recipes={
        "smoke": Recipe(
            side=6,
            frames=2,
            points=40,
            speed=1.0,
            gravity=1.0,
            sharpness=1.0,
            depth=4,
            channels=8,
            ridge=6e-3,
            learning_rate=0.004,
            steps=450,
        ),
        "laptop": Recipe(
            side=8,
            frames=2,
            points=100,
            speed=1.5,
            gravity=1.0,
            sharpness=1.0,
            depth=8,
            channels=12,
            ridge=1e-3,
            learning_rate=1e-3,
            steps=3000,
        ),
        "paper": Recipe(
            side=16,
            frames=4,
            points=1000,
            speed=3.0,
            gravity=1.0,
            sharpness=2.0,
            depth=16,
            channels=32,
            ridge=2e-4,
            learning_rate=5e-4,
            steps=20_000,
        ),
    },
    seconds={"smoke": 4, "laptop": 240, "paper": 700_000},
    runs=runs,
    run=learn_the_flight,
    assertions=ASSERTIONS,
    figure=figure,
    text=(
        "Above, the largest singular values of the layers of convolutional networks against the layer, in colours and marks by "
        "frequency, with a dashed line at 1. In the middle there are two at the frequency (1, 0) and two at (0, 1), one near "
        "the line and one above it, below 2. At frequency 0 there are two or three in the first layers and one from the middle "
        "on. Those of higher frequencies are near 0, but not in the last layer. Below, frames of a flight of a ball: two that "
        "the network is given, the next two, and what the network predicts; these look alike."
    ),
    caption=(
        '"(b) Singular values of W_l colored by frequency. The network keeps position and velocity in two freq. 1 pairs."'
    ),
    read_off={
        "(a)": "a network learns the trajectory of a ball under gravity",
        "(b)": "singular values coloured by frequency; position and velocity are kept in two pairs of frequency 1",
        "weights": "convolutions of several channels on n by n images",
    },
    choices={
        "sizes, points, steps, ridge": "not given: see the recipe",
        "optimiser": "not given: Adam with a warm-up and two fifths linear at the end",
        "boundary": "a torus: convolutions are circular, with full-size filters and a bias for each channel",
        "ball": "exp(s cos) on each axis with the sharpness s of the recipe, centred to mean 0, at real positions",
        "frames": "two are given, two predicted: with one predicted frame the velocity need not be kept",
        "norm": "the ridge multiplies the sum of squares of the matrices and of the biases of all pixels: n^2 times that of "
        "the parameters",
        "two pairs on each axis": "of the three readings of 'two pairs of frequency 1' the one that tells all four of position "
        "and velocity; a pair on each axis would hold the position alone",
        "near 1": "from 1/2 to 2",
        "bottleneck": "the middle half of the layers",
        "flight that is shown": "the first new one of the first seed",
        "recipe of a laptop": "found by trial: a learning rate of 0.005 ended in the zero network, a ridge of 0.002 in one "
        "pair; with 12 layers some seeds kept the velocity at frequency 0",
    },
)
