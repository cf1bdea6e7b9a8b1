"""One network measured: what it is, its quantities, and what the claims say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from verify.claims.claim import Claim
from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.trained.asking import Answer, NotAsked, ask_all
from verify.trained.checking import outputs_of
from verify.trained.files import Unreadable
from verify.trained.networks import KINDS
from verify.trained.points import Points, fitted, read_points
from verify.trained.quantities import Quantities, quantities, singular_values_of
from verify.trained.reading import Reading, read
from verify.trained.recognising import leaky_part
from verify.trained.subjects import Subject
from verify.trained.traced import AnyNetwork, LayersAlone, TracedNetwork
from verify.trained.traced_quantities import of_layers_alone, of_traced
from verify.trained.untrained import least, mean_of, untrained_quantities

LARGEST, LARGEST_PRODUCT = 1e30, 1e150
"""What weights, points and outputs are below, and what the operator norms of all layers multiply to: squares are numbers."""
USED = 0.9
"""A bound is nearly attained where its smaller side is at least this part of the larger."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """What was found.

    Attributes
    ----------
    name
        The file, or "network".
    network, points
        What was measured, in floats.
    reading
        What the file was read as, where it does not say; or what is folded into its layers.
    quantities
        By layer, and of the whole.
    untrained
        The same of networks of this shape before training.
    least
        The least that the data allow, of quantities for which it is known.
    answers
        What claims say of it, the surprising first.
    not_asked
        Claims that cannot be asked of it, and why.
    """

    name: str
    network: AnyNetwork
    points: Points
    quantities: Quantities
    untrained: Sequence[Quantities]
    least: Mapping[str, float]
    answers: Sequence[Answer]
    not_asked: Sequence[NotAsked]
    reading: str = ""

    @property
    def description(self) -> str:
        """Kind, sizes, activation and points, in a line."""
        network = self.network
        if isinstance(network, LayersAlone):
            return network.description
        if isinstance(network, TracedNetwork):
            return f"{network.description}; {self._data()}"
        kind = KINDS[type(network)]
        if isinstance(network, FullyConnected):
            sizes = "-".join(map(str, network.widths))
        elif isinstance(network, CircularCNN):
            sizes = f"{'-'.join(map(str, network.channels))} on {'x'.join(map(str, network.image_shape))}"
        else:
            sizes = _of_leaky(network)
        slope = "" if kind == "leaky ResNet" else f", {_activation(float(network.activation.negative))}"  # type: ignore[union-attr]
        return f"{kind} {sizes}{slope}; {self._data()}"

    def _data(self) -> str:
        points = f"{len(self.points.inputs)} points" + (" that were drawn, as none are given" if self.points.drawn else "")
        known = [f"ridge {self.points.ridge:g}"] if self.points.ridge is not None else []
        known += ["outputs known"] if self.points.targets is not None else []
        return ", ".join([points, *known])

    @property
    def dead_neurons(self) -> str:
        """How many neurons are dead, in a line; empty where none are."""
        dead = {row["layer"]: row["dead neurons"] for row in self.quantities.layers if row.get("dead neurons")}
        if not dead:
            return ""
        by_layer = ", ".join(f"{count} in layer {layer}" for layer, count in dead.items())
        return f"dead neurons, without which claims are asked: {by_layer}"

    @property
    def failing(self) -> list[Answer]:
        """Claims that should hold and do not, and conjectures with a counterexample."""
        return [answer for answer in self.answers if answer.rank < 2]

    @property
    def nearly_attained(self) -> list[Answer]:
        """Bounds that this network nearly reaches, the nearest first."""
        attained = [bound for bound in self.bounds if (bound.used or 0.0) >= USED and bound.outcome == "holds"]
        return sorted(attained, key=lambda answer: -(answer.used or 0.0))

    @property
    def bounds(self) -> list[Answer]:
        """Inequalities that hold here or fail, of which a part is used; not those that are false as printed."""
        kept = [answer for answer in self.answers if answer.used is not None and answer.status != "false_as_printed"]
        return [answer for answer in kept if answer.outcome in ("holds", "fails")]

    @property
    def errata(self) -> list[Answer]:
        """Statements that are false as printed, and fail here."""
        return [answer for answer in self.answers if answer.outcome == "fails" and answer.status == "false_as_printed"]

    def counts(self) -> dict[str, int]:
        """How many claims have which outcome."""
        outcomes = [answer.outcome for answer in self.answers]
        return {name: outcomes.count(name) for name in ("holds", "fails", "within rounding", "hypothesis", "undecided")}

    def as_json(self) -> dict[str, Any]:
        """All of it as lists, texts and numbers."""
        return {
            "name": self.name,
            "description": self.description,
            "reading": self.reading,
            "dead_neurons": self.dead_neurons,
            "quantities": self.quantities.as_json(),
            "untrained": _finite({name: mean_of(self.untrained, name) for name in self.quantities.whole}),
            "least": dict(self.least),
            "claims": [_finite(asdict(answer) | {"says": answer.words}) for answer in self.answers],
            "not_asked": {claim.claim: claim.reason for claim in self.not_asked},
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items() if count)
        return f"<Measurement of {self.name}: {self.description}; claims: {counts}>"


def _of_leaky(network: LeakyResNet) -> str:
    return f"width {network.width}, {network.depth} layers, leak {float(network.leak):g}"


def _activation(slope: float) -> str:
    return {0.0: "ReLU", 1.0: "linear"}.get(slope, f"slope {slope:g} below zero")


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if isinstance(value, float) and not np.isfinite(value) else value for name, value in values.items()}


def measured_network(network: Any, points: Any = None, **options: Any) -> tuple[AnyNetwork, Points]:
    """A network in floats, and its points; see `measured_reading`."""
    reading, data = measured_reading(network, points, **options)
    return reading.network, data


def measured_reading(
    network: Any,
    points: Any = None,
    *,
    slope: float | None = None,
    image: Sequence[int] | None = None,
    targets: Any = None,
    ridge: float | None = None,
    activation: str | None = None,
    trust: bool = False,
) -> tuple[Reading, Points]:
    """A network in floats with what it was read as, and its points.

    Raises
    ------
    Unreadable
        Something cannot be read: one line.
    OSError
        A file cannot be opened.
    TypeError
        `network` is nothing that is read, or there are targets without points.
    ValueError
        There is no such activation.
    """
    data: Points | None = None
    if isinstance(points, str | Path):
        data = named(Path(points), read_points)
    elif isinstance(points, Points):
        data = points
    elif points is not None:
        data = Points(np.asarray(points, dtype=np.float64), None)
    if targets is not None and data is None:
        raise TypeError("targets come with points: there are no points")
    if data is not None:
        given = data.targets if targets is None else np.asarray(targets, dtype=np.float64)
        data = replace(data, targets=given, ridge=data.ridge if ridge is None else ridge)
    if image is None and data is not None and data.inputs.ndim > 2:
        image = data.inputs.shape[2:]
    shape = None if data is None else data.inputs.shape[1:]
    if isinstance(network, str | Path):
        options: dict[str, Any] = {"slope": slope, "image": image, "activation": activation, "trust": trust, "shape": shape}
        reading = named(Path(network), lambda path: read(path, **options))
    else:
        from verify.trained.modules import from_module

        module_network, folded = from_module(network, shape)
        reading = Reading(module_network, details=folded)
    network_read = reading.network
    if isinstance(network_read, TracedNetwork) and network_read.has_matrices and network_read.chain is not None:
        # only reshaping stands beside its matrices: it is the chain, at points in a row
        network_read = network_read.chain
    reading = Reading(network_read.as_float(), reading.words, reading.details, reading.assumed)
    data = fitted(data, reading.network)
    _check_sizes(reading.network, data)
    return reading, data


def _check_sizes(network: AnyNetwork, points: Points) -> None:
    """Whether squares of what is measured are numbers."""
    if isinstance(network, LayersAlone | TracedNetwork):
        arrays = [block for layer in network.layers for block in (layer.weight, layer.bias) if block is not None]
    else:
        arrays = [np.asarray(parameter) for parameter in network.parameters]
    values = [*arrays, points.inputs, *([] if points.targets is None else [points.targets])]
    with np.errstate(over="ignore", invalid="ignore"):
        if not isinstance(network, LayersAlone):
            values.append(outputs_of(network, points.inputs))
        largest = max(float(np.abs(value).max(initial=0.0)) for value in values)
        if not largest < LARGEST:  # NaN is none
            raise Unreadable(f"weights, points and outputs must be below {LARGEST:g}, the largest is {largest:g}")
        matrices = [array.reshape(len(array), -1) for array in arrays if array.ndim > 1]
        # the operator norm, where its bound by the entries does not decide
        for norm in (np.linalg.norm, singular_values_of):
            if np.prod([max(1.0, float(np.max(norm(matrix)))) for matrix in matrices]) < LARGEST_PRODUCT:
                return
    raise Unreadable(f"the norms of the layers multiply to more than {LARGEST_PRODUCT:g}: Jacobians may be no numbers")


def shared(network: AnyNetwork) -> list[str]:
    """A line for all layers that have the same weights, perhaps transposed: weights that are shared count for each."""
    if isinstance(network, LayersAlone | TracedNetwork):
        weights = [layer.weight for layer in network.layers]
    else:
        weights = [parameter for parameter in network.parameters if parameter.ndim > 1]
    uses: dict[bytes, list[str]] = {}
    for place, weight in enumerate(weights, start=1):
        if np.any(weight):
            turned = weight.T if weight.ndim == 2 else weight
            key = min(repr(one.shape).encode() + np.ascontiguousarray(one).tobytes() for one in (weight, turned))
            uses.setdefault(key, []).append(str(place))
    alike = "; ".join(", ".join(layers) for layers in uses.values() if len(layers) > 1)
    return [f"layers {alike} have the same weights, perhaps transposed: the norm counts them in each layer"] if alike else []


def named(path: Path, reader: Callable[[Path], Any]) -> Any:
    try:
        return reader(path)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from error


def measured(
    name: str,
    network: AnyNetwork,
    points: Points,
    claims: Iterable[Claim],
    progress: Callable[[str], None] = lambda _: None,
    seconds: float | None = None,
    reading: str = "",
) -> Measurement:
    """Quantities of a network in floats, and what the claims say of it (see `Subject.of`); for `seconds` see `ask_all`."""
    claims = list(claims)
    if isinstance(network, LayersAlone):
        trained = of_layers_alone(network)
        trained = replace(trained, notes=[*trained.notes, *shared(network)])
        not_asked = [NotAsked(claim.id, network.reason) for claim in claims]
        return Measurement(name, network, points, trained, [], {}, [], not_asked, reading)
    trained = (
        of_traced(network, points, progress) if isinstance(network, TracedNetwork) else quantities(network, points, progress)
    )
    answers, not_asked = ask_all(claims, Subject.of(network, points), progress, seconds)
    part = leaky_part(network.program) if isinstance(network, TracedNetwork) else None
    if part is not None:
        inner, starts = part
        unanswered = {claim.claim for claim in not_asked}
        part_answers, not_asked = ask_all(
            [claim for claim in claims if claim.id in unanswered],
            Subject.of(inner, Points(starts(points.inputs))),
            progress,
            seconds,
        )
        answers = sorted([*answers, *part_answers], key=lambda answer: answer.sort_key)
        trained = replace(
            trained, notes=[*trained.notes, f"claims on leaky ResNets are asked of its middle: {_of_leaky(inner)}"]
        )
    trained = replace(trained, notes=[*trained.notes, *shared(network)])
    untrained, smallest = untrained_quantities(network, points), least(network, points)
    return Measurement(name, network, points, trained, untrained, smallest, answers, not_asked, reading)
