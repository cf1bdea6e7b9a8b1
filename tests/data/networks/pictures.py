"""Draws the pictures of the guide to `verify measure`: `python pictures.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot

import verify
from verify.trained.figures import slacks, spectra
from verify.trained.measurement import Measurement

HERE = Path(__file__).parent


def both() -> list[Measurement]:
    """The network with the ridge, and the one without."""
    return [verify.measure(HERE / f"{name}.npz", HERE / "points.npz") for name in ("ridge", "plain")]


def draw(folder: Path) -> None:
    for name, one in zip(("ridge", "plain"), both(), strict=True):
        spectra(one).savefig(folder / f"measure_spectra_{name}.png", dpi=80)
        figure, ax = pyplot.subplots(figsize=(8, 6.5), layout="constrained")
        chosen = [it for it in one.bounds if it.claim.startswith(("bottleneck_structure", "notion_of_rank"))]
        slacks(chosen, ax)
        figure.savefig(folder / f"measure_slacks_{name}.png", dpi=80)


if __name__ == "__main__":
    mpl.use("Agg")
    draw(Path(sys.argv[1]))
