"""What was read, beside an evaluator that is not ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks import LeakyResNet
from verify.trained.files import Unreadable
from verify.trained.points import Points
from verify.trained.programs import Floats, Program, Shape
from verify.trained.traced import AnyNetwork, LayersAlone

SCALES = (1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 3.0, 3.0, 10.0, 10.0)
"""Sizes of the points at which a reading is compared."""


def random_points(shape: Shape) -> Floats:
    """Ten random points, the same every time; of several sizes, so that neurons are on and off."""
    points = np.random.default_rng(0).standard_normal((len(SCALES), *shape))
    return np.asarray(points * np.reshape(SCALES, (-1, *[1] * len(shape))))


def outputs_of(network: AnyNetwork, x: Floats) -> Floats:
    """Outputs of a network of any kind at points, one for each entry of the first axis."""
    if isinstance(network, LayersAlone):
        raise TypeError(f"nothing is known of the outputs: {network.reason}")
    return np.asarray(network(x.T).T if isinstance(network, LeakyResNet) else network(x))


def compared(
    program: Program, network: AnyNetwork, x: npt.NDArray[Any], outputs: npt.NDArray[Any], by: str, unit: float
) -> None:
    """Refuses a network that gives something else than `outputs` by more than rounding with this unit explains.

    Raises
    ------
    Unreadable
        It does; both values are named.
    """
    points = x.astype(np.float64)
    computed = outputs_of(network, points)
    if computed.shape != outputs.shape:
        raise Unreadable(f"what was read gives outputs of shape {computed.shape}, {by} gives {outputs.shape}: it is not read")
    # both are rounded: that of ours in double precision
    with np.errstate(over="ignore", invalid="ignore"):
        bound = program.errors(program.values(points), unit) + program.errors(program.values(points), 2.0**-53)
    wrong = ~(np.abs(computed - outputs) <= bound)
    if wrong.any():
        place = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise Unreadable(
            f"what was read gives {computed[place]:.6g} at a random point, {by} gives {float(outputs[place]):.6g}: it is "
            "not read"
        )


def mean_squared_error(network: AnyNetwork, points: Points) -> float:
    """Over the points, of the squared distance to the outputs that are wanted."""
    if points.targets is None:
        raise ValueError("the outputs that are wanted are not known")
    outputs = outputs_of(network, points.inputs)
    return float(((outputs - points.targets) ** 2).reshape(len(outputs), -1).sum(axis=1).mean())
