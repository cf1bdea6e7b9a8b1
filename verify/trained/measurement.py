"""One network measured: what it is, its quantities, and what the claims say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verify.claim import Claim
from verify.networks import CircularCNN, FullyConnected
from verify.trained.asking import Answer, NotAsked, ask_all
from verify.trained.modules import from_module
from verify.trained.networks import KINDS, Network
from verify.trained.points import Points, fitted, read_points
from verify.trained.quantities import Quantities, quantities
from verify.trained.reading import read_network
from verify.trained.subjects import Subject
from verify.trained.tensors import Unreadable


@dataclass(frozen=True, eq=False)
class Measurement:
    """What was found.

    Attributes
    ----------
    name
        The file, or "network".
    network, points
        What was measured, in floats.
    quantities
        By layer, and of the whole.
    answers
        What claims say of it, the surprising first.
    not_asked
        Claims that cannot be asked of it, and why.
    """

    name: str
    network: Network
    points: Points
    quantities: Quantities
    answers: Sequence[Answer]
    not_asked: Sequence[NotAsked]

    @property
    def description(self) -> str:
        """Kind, sizes, activation and points, in a line."""
        network = self.network
        kind = KINDS[type(network)]
        if isinstance(network, FullyConnected):
            sizes = "-".join(map(str, network.widths))
        elif isinstance(network, CircularCNN):
            sizes = f"{'-'.join(map(str, network.channels))} on {'x'.join(map(str, network.image_shape))}"
        else:
            sizes = f"width {network.width}, {network.depth} layers, leak {float(network.leak):g}"
        slope = "" if kind == "leaky ResNet" else f", {_activation(float(network.activation.negative))}"  # type: ignore[union-attr]
        points = f"{len(self.points.inputs)} points" + (" that were drawn, as none are given" if self.points.drawn else "")
        known = [f"ridge {self.points.ridge:g}"] if self.points.ridge is not None else []
        known += ["outputs known"] if self.points.targets is not None else []
        return f"{kind} {sizes}{slope}; {', '.join([points, *known])}"

    def counts(self) -> dict[str, int]:
        """How many claims have which outcome."""
        outcomes = [one.outcome for one in self.answers]
        return {name: outcomes.count(name) for name in ("holds", "fails", "within rounding", "hypothesis", "undecided")}

    def as_json(self) -> dict[str, Any]:
        """All of it as lists, texts and numbers."""
        return {
            "name": self.name,
            "description": self.description,
            "quantities": self.quantities.as_json(),
            "claims": [_finite(asdict(one) | {"says": one.words}) for one in self.answers],
            "not_asked": {one.claim: one.reason for one in self.not_asked},
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items() if count)
        return f"<Measurement of {self.name}: {self.description}; claims: {counts}>"


def _activation(slope: float) -> str:
    return {0.0: "ReLU", 1.0: "linear"}.get(slope, f"slope {slope:g} below zero")


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if isinstance(one, float) and not np.isfinite(one) else one for name, one in values.items()}


def measured_network(
    network: Any,
    points: Any = None,
    *,
    slope: float | None = None,
    image: Sequence[int] | None = None,
    targets: Any = None,
    ridge: float | None = None,
) -> tuple[Network, Points]:
    """A network of the engine in floats, and its points.

    Raises
    ------
    Unreadable
        Something cannot be read: one line.
    OSError
        A file cannot be opened.
    TypeError
        `network` is nothing that is read.
    """
    data: Points | None = None
    if isinstance(points, str | Path):
        data = _named(Path(points), read_points)
    elif isinstance(points, Points):
        data = points
    elif points is not None:
        data = Points(
            np.asarray(points, dtype=np.float64), None if targets is None else np.asarray(targets, dtype=np.float64), ridge
        )
    if data is not None and ridge is not None:
        data = Points(data.inputs, data.targets, ridge)
    if image is None and data is not None and data.inputs.ndim > 2:
        image = data.inputs.shape[2:]
    if isinstance(network, str | Path):
        found = _named(Path(network), lambda path: read_network(path, slope, image))
    else:
        found = from_module(network, None if image is None else tuple(image))
    return found.as_float(), fitted(data, found)


def _named(path: Path, reader: Callable[[Path], Any]) -> Any:
    try:
        return reader(path)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from error


def measured(
    name: str,
    network: Network,
    points: Points,
    claims: Iterable[Claim],
    progress: Callable[[str], None] = lambda _: None,
    seconds: float | None = None,
) -> Measurement:
    """Quantities of a network in floats, and what the claims say of it; for `seconds` see `ask_all`."""
    found = quantities(network, points, progress)
    subject = Subject.of(network, points)
    answers, left = ask_all(claims, subject, progress, seconds)
    return Measurement(name, network, points, found, answers, left)
