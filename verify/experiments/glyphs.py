"""Images of digits, drawn from the fonts that matplotlib brings along: a stand-in for handwritten ones, without a download."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.experiments.drawing import naming_the_extra

Array = npt.NDArray[Any]
FACES = tuple(
    f"DejaVu {family}:weight={weight}:slant={slant}"
    for family in ("Sans", "Serif", "Sans Mono")
    for weight in ("normal", "bold")
    for slant in ("normal", "oblique")
)
"""The fonts that digits are drawn in, as patterns of fontconfig."""
FINE = 4
"""A pixel is the mean over so many points along each side."""


def digit_images(generator: np.random.Generator, digits: Sequence[int], side: int) -> Array:
    """One image for each of `digits`, shape ``(len(digits), side * side)``, of grey values from 0 to 1.

    Each is in a face of its own, turned by up to 20 degrees, of a height between 60 % and 80 % of the image, stretched by up to
    15 %, and moved by up to 8 % of the side.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    ticks = (np.arange(side * FINE) + 0.5) / (side * FINE) - 0.5
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    images = []
    for digit in digits:
        outline = _outline(int(digit), FACES[generator.integers(len(FACES))])
        angle, shift = np.radians(generator.uniform(-20, 20)), generator.uniform(-0.08, 0.08, 2)
        height, stretch = generator.uniform(0.6, 0.8), generator.uniform(1 / 1.15, 1.15)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        drawn = [part * (height * stretch, -height) @ turn.T + shift for part in outline]
        inked = _inside(drawn, grid).reshape(side, FINE, side, FINE)
        images.append(inked.mean(axis=(1, 3)).ravel())
    return np.stack(images)


@functools.cache
def _outline(digit: int, face: str) -> list[Array]:
    """The closed curves of a glyph, as polygons: of height 1, and with their middle in the origin."""
    with naming_the_extra():
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import TextPath
    parts = TextPath((0, 0), str(digit), size=100, prop=FontProperties(face)).to_polygons()
    low, high = (np.concatenate(parts).min(axis=0), np.concatenate(parts).max(axis=0))
    return [(part - (low + high) / 2) / (high[1] - low[1]) for part in parts]


def _inside(polygons: Sequence[Array], points: Array) -> npt.NDArray[np.bool_]:
    """Whether points lie inside an odd number of polygons: the hole of an 8 is none of its ink."""
    from matplotlib.path import Path

    return np.asarray(np.logical_xor.reduce([Path(polygon).contains_points(points) for polygon in polygons]))
