"""What a trained network gives for the variables of a claim: by the role that each declares, and by its lengths.

A claim says ``reals("inputs", role="point")``; a variable without a role is made of others that have one, or the claim is not
asked. Lengths with one name must agree over all variables of a claim, so that nothing is broadcast that the claim does not
broadcast.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from verify.claims.domain import Domain
from verify.claims.variables import Derived, Dimension, Networks, Numbers, Variable, call_with, read_only
from verify.instances import wrapped
from verify.networks import FullyConnected, LeakyResNet
from verify.numbers.arithmetic import Array, compare, floats, maximum
from verify.trained.subjects import CannotAsk, Place, widened

Reader: TypeAlias = Callable[[Place], Any]

FEW = 5
"""Points of "few points"."""
FREE = ("free", "ones")
"""Roles of numbers that a claim leaves free: in the middle of their interval, or 1; so are numbers in text, such as "4"."""
PARTS = ("network", "balanced network", "network of any slope", "first part", "second part")
"""Roles of fully connected networks that must be among those that the variable draws."""


@dataclass(frozen=True)
class Read:
    """The variables of a claim by name, and the arrays that the network gave for them.

    Where the claim speaks of one instance, its sizes are among the variables; else each has a batch axis of length 1.
    """

    variables: Mapping[str, Any]
    numbers: Sequence[tuple[str, Numbers, Array]]

    def of_the_wrong_sign(self) -> list[tuple[str, str]]:
        """The hypotheses that intervals mean, where numbers have another sign, and the entry that is furthest from each."""
        problems = []
        for name, variable, entries in self._entries():
            lower, upper = map(float, variable._limits)
            if lower >= 0 and (entries.min() < 0 or (lower > 0 and entries.min() == 0)):
                problems.append(
                    (f"{name} is {'positive' if lower > 0 else 'not negative'}", f"least entry {entries.min():.2g}")
                )
            if upper <= 0 and entries.max() > 0:
                problems.append((f"{name} is not positive", f"largest entry {entries.max():.2g}"))
        return problems

    def out_of_range(self) -> list[tuple[str, str]]:
        """The same for all ends of intervals, most of which are those of a search, and for integers."""
        problems = []
        for name, variable, entries in self._entries():
            lower, upper = map(float, variable._limits)
            if entries.min() < lower:
                problems.append((f"{name} is at least {lower:g}", f"least entry {entries.min():.2g}"))
            if entries.max() > upper:
                problems.append((f"{name} is at most {upper:g}", f"largest entry {entries.max():.2g}"))
            if variable._integer and (entries != np.round(entries)).any():
                problems.append((f"{name} is an integer", ""))
        return problems

    def _entries(self) -> Iterator[tuple[str, Numbers, Array]]:
        return ((name, variable, floats(values)) for name, variable, values in self.numbers if np.size(values))


def read(domain: Domain, place: Place) -> Read:
    """The variables of a claim.

    Raises
    ------
    CannotAsk
        One of them is nothing that this network has, or their lengths do not agree.
    """
    reading = _Reading(place)
    for name, variable in domain.variables.items():
        reading.look(name, variable)
    if not reading.by_variable:
        raise CannotAsk("it speaks of numbers that no network has")
    reading.check(domain)
    variables = {name: read_only(reading.value(name, variable)) for name, variable in domain.variables.items()}
    return Read({**reading.sizes, **variables}, reading.numbers)


def told(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """`function` of those of the values that it takes by name.

    Raises
    ------
    CannotAsk
        It takes a length that a network does not tell.
    """
    try:
        return call_with(function, values)
    except TypeError as error:
        if "by its name" not in str(error):
            raise
        raise CannotAsk(f"nothing in a network says how long something of it is: {str(error).partition(',')[0]}") from error


def roles(variables: Mapping[str, Variable]) -> Iterator[str]:
    """The roles of the variables, and of those that they are made of."""
    for variable in variables.values():
        role = getattr(variable, "role", "")
        if role:
            yield role
        elif isinstance(variable, Derived):
            yield from roles(variable.variables)


@dataclass
class _Reading:
    """The variables of one claim at one place: first what the network gives, then what is made of its lengths."""

    place: Place
    sizes: dict[str, int] = field(default_factory=dict)
    by_variable: dict[int, Any] = field(default_factory=dict)
    later: list[tuple[str, Callable[..., int], int]] = field(default_factory=list)
    numbers: list[tuple[str, Numbers, Array]] = field(default_factory=list)

    def look(self, name: str, variable: Variable) -> None:
        """Reads what the network gives for a variable, or for what it is made of."""
        role = getattr(variable, "role", "")
        if role in FREE or role.lstrip("-").isdecimal():
            return
        if role:
            if role not in ROLES:
                raise ValueError(f"the role of {name} must be one of {', '.join(sorted(ROLES))}, got {role!r}")
            value: Any = self._sample(variable) if role in COUNTED else ROLES[role](self.place)
            if role in PARTS:
                value = self._fitting(name, _drawn(variable), value)
            elif isinstance(variable, Numbers):
                self._fit(name, variable.dimensions, np.shape(value)[1:])
                self.numbers.append((name, variable, value))
            self.by_variable[id(variable)] = value
        elif isinstance(variable, Derived):
            function = _function(variable)
            if getattr(function, "__annotations__", {}).get("return") in ("FullyConnected", "LeakyResNet", "CircularCNN"):
                raise CannotAsk(f"it speaks of a family of networks ({function.__name__})")
            for part, inner in variable.variables.items():
                self.look(part, inner)
        else:
            raise CannotAsk(f"nothing in a network is its variable {name}")

    def check(self, domain: Domain) -> None:
        """Lengths that are computed from others, and whether the claim speaks of these lengths at all."""
        if "depth" in domain.sizes:  # as `Networks` calls it; lengths of arrays do not say it
            self.sizes.setdefault("depth", self.place.subject.depth)
        for name, length, given in self.later:
            self._agree(name, self._length(name, length), given)
        for name, given in self.sizes.items():
            allowed = domain.sizes.get(name, ())
            if allowed and (given < min(allowed) or (len(set(allowed)) == 1 and given != allowed[0])):
                wanted = f"{allowed[0]}" if len(set(allowed)) == 1 else f"at least {min(allowed)}"
                raise CannotAsk(f"its number of {name} must be {wanted}, here it is {given}")

    def value(self, name: str, variable: Variable) -> Any:
        """The variable."""
        if isinstance(variable, Derived) and id(variable) not in self.by_variable:
            values = {part: self.value(part, inner) for part, inner in variable.variables.items()}
            return told(variable.function, {**self.sizes, **values})
        value = self.by_variable[id(variable)] if id(variable) in self.by_variable else self._free(name, variable)
        return wrapped(value, 1)

    def _free(self, name: str, variable: Variable) -> Array:
        """Numbers that the claim leaves free."""
        assert isinstance(variable, Numbers)
        role = variable.role
        number = _middle(variable) if role == "free" else 1 if role == "ones" else int(role)
        shape = tuple(self._length(name, dimension) for dimension in variable.dimensions)
        return np.broadcast_to(self.place.subject.number(number).reshape((1,) * (1 + len(shape))), (1, *shape))

    def _sample(self, variable: Variable) -> Array:
        """As many points as the variable speaks of."""
        wanted = variable.dimensions[0] if isinstance(variable, Numbers) else None
        few = COUNTED[variable.role]  # type: ignore[attr-defined]
        return sample(self.place, wanted if isinstance(wanted, int) else None)[:, :few]

    def _fitting(self, name: str, variable: Networks, network: FullyConnected) -> FullyConnected:
        """The network as one of those that the variable draws: with hidden layers of one width."""
        for quantity, wanted, given in (
            ("inputs", variable.inputs, network.widths[0]),
            ("outputs", variable.outputs, network.widths[-1]),
            ("layers", variable.depth, network.depth),
        ):
            if isinstance(wanted, int) and wanted != given:
                raise CannotAsk(f"it speaks of networks with {wanted} {quantity}, {name} has {given} here")
            self._fit(f"{name}, {quantity},", (wanted,), (given,))
        with_slope_of(variable, network)
        network = widened(network, max(self.place.subject.dense.widths[1:-1], default=0))
        if network.depth > 1 and isinstance(variable.width, str):
            self._fit(f"{name}, width,", (variable.width,), (network.widths[1],))
        return network

    def _fit(self, name: str, dimensions: Sequence[Dimension], shape: Sequence[int]) -> None:
        if len(dimensions) != len(shape):
            raise CannotAsk(f"its variable {name} has {len(dimensions)} axes, here there are {len(shape)}")
        for dimension, given in zip(dimensions, shape, strict=True):
            if isinstance(dimension, str):
                self._agree(f"{name} ({dimension})", self.sizes.setdefault(dimension, given), given)
            elif callable(dimension):
                self.later.append((name, dimension, given))
            else:
                self._agree(name, int(dimension), given)

    def _agree(self, name: str, wanted: int, given: int) -> None:
        if wanted != given:
            raise CannotAsk(f"its variable {name} has the length {wanted}, here it is {given}")

    def _length(self, name: str, dimension: Dimension) -> int:
        if isinstance(dimension, str):
            if dimension not in self.sizes:
                raise CannotAsk(f"nothing in a network says how long its variable {name} is ({dimension})")
            return self.sizes[dimension]
        if not callable(dimension):
            return int(dimension)
        try:
            return dimension(self.sizes)
        except KeyError as error:
            raise CannotAsk(f"nothing in a network says how long its variable {name} is ({error})") from error


def _function(variable: Derived) -> Callable[..., Any]:
    function = variable.function
    return function.func if isinstance(function, functools.partial) else function


def _middle(variable: Numbers) -> Fraction | int:
    """A number in the interval: its middle, 1, or the end that is nearest to 1; an integer where one is wanted."""
    lower, upper = map(float, variable._limits)
    if np.isfinite(lower) and np.isfinite(upper):
        if variable._integer:
            return int(lower)
        return Fraction(lower + (upper - lower) / 2).limit_denominator(64)
    return max(1, int(lower)) if np.isfinite(lower) else min(1, int(upper)) if np.isfinite(upper) else 1


def _drawn(variable: Variable) -> Networks:
    """The networks that a variable begins with; where the activation is changed on the way, of those that it is changed to."""
    slopes: tuple[float, float] | None = (-np.inf, np.inf) if getattr(variable, "role", "") == "network of any slope" else None
    while isinstance(variable, Derived):
        changed = variable.variables.get("slope")
        if changed is not None and slopes is None:  # the last change counts
            lower, upper = changed._limits if isinstance(changed, Numbers) else (-np.inf, np.inf)
            slopes = float(lower), float(upper)
        if "network" not in variable.variables:
            return Networks(slope=slopes or (-np.inf, np.inf))
        variable = variable.variables["network"]
    assert isinstance(variable, Networks)
    return variable if slopes is None else replace(variable, slope=slopes)


def with_slope_of(variable: Networks, network: FullyConnected) -> FullyConnected:
    """The network, if the claim speaks of its activation and of its biases.

    Raises
    ------
    CannotAsk
        It speaks of another activation, or of networks without biases.
    """
    slope = float(network.activation.as_float().negative)
    lower, upper = variable.slope if isinstance(variable.slope, tuple) else (variable.slope, variable.slope)
    if not lower <= slope <= upper:
        wanted = f"from {lower:g} to {upper:g}" if lower < upper else f"{lower:g}"
        raise CannotAsk(f"it speaks of activations with the slope {wanted} below zero, this one has {slope:g}")
    if not variable.biases and any((compare(bias, 0) != 0).any() for bias in network.biases):
        raise CannotAsk("it speaks of networks without biases")
    return network


def linear(place: Place) -> FullyConnected:
    """The network, if it is linear and has no biases."""
    return with_slope_of(Networks(slope=1, biases=False), place.subject.dense)


def shallow(place: Place) -> FullyConnected:
    """The network, if it has one hidden layer."""
    network = place.subject.dense
    if network.depth != 2:
        raise CannotAsk(f"it speaks of networks with one hidden layer, this one has {network.depth - 1}")
    return network


def sample(place: Place, count: int | None = None) -> Array:
    """Points as rows, ``(1, N, n_0)``; the first `count` of them."""
    inputs = place.subject.inputs
    if count is not None and len(inputs) < count:
        raise CannotAsk(f"it speaks of {count} points, there are {len(inputs)}")
    return inputs[None, :count]


def on_a_line(place: Place) -> Array:
    """Points on the line, ``(1, N)``."""
    if place.subject.inputs.shape[1] != 1:
        raise CannotAsk(f"it speaks of points on a line, these have {place.subject.inputs.shape[1]} coordinates")
    return place.subject.inputs[None, :, 0]


def jacobian(place: Place, which: int = 0) -> Array:
    """Jf at a point, ``(1, n_L, n_0)``."""
    return place.subject.jacobian(place.points[which])


def square_jacobian(place: Place) -> Array:
    """Jf at a point, where it is square."""
    matrix = jacobian(place)
    if matrix.shape[-1] != matrix.shape[-2]:
        raise CannotAsk(f"it speaks of square matrices, the Jacobian is {matrix.shape[-2]} x {matrix.shape[-1]}")
    return matrix


def with_bias(place: Place, layer: int | None = None) -> Array:
    """The weights of a layer with its biases as the last column."""
    subject, layer = place.subject, place.layer if layer is None else layer
    if hasattr(subject.network, "leak"):
        return subject.leaky.weights[layer - 1]
    return np.concatenate([subject.dense.weights[layer - 1], subject.dense.biases[layer - 1][..., None]], axis=-1)


def activations(place: Place, further: int = 0) -> Array:
    """Z of a layer as columns, ``(1, n, N)``: of a leaky ResNet the A that it starts from."""
    path = place.subject.path
    return path[min(max(0, place.layer - 1 + further), len(path) - 1)]


def of_same_shape(place: Place, further: int) -> Array:
    """Z of a layer beside it of the same width; else its own entries, in another order of the points."""
    own, beside = activations(place), activations(place, further)
    return beside if beside.shape == own.shape and beside is not own else np.roll(own, 1, axis=-1)


def adjoint(place: Place) -> Array:
    """What is pulled back to the same layer, ``(1, n, N)``."""
    return place.subject.adjoints[min(place.layer - 1, len(place.subject.adjoints) - 1)]


def later_adjoint(place: Place) -> Array:
    """B at the end of a layer of a leaky ResNet."""
    return place.subject.adjoints[place.layer] if hasattr(place.subject.network, "leak") else adjoint(place)


def activated(place: Place, layer: int) -> Array:
    """The values of the activation in a layer as columns; of layer 0 the points."""
    subject = place.subject
    return (
        subject.columns
        if layer == 0
        else np.moveaxis(subject.dense.activation(np.moveaxis(subject.path[layer - 1], -1, 0)), 0, -1)
    )


def seen(place: Place) -> Array:
    """What a layer acts on, with a row of ones."""
    before = activated(place, place.layer - 1)
    return np.concatenate([before, 0 * before[..., :1, :] + 1], axis=-2)


def hidden(place: Place) -> Array:
    """All hidden Z, ``(1, L - 1, n, N)``; the rows of a neuron that a narrower layer does not have are zero."""
    path = place.subject.path[:-1]
    if not path or hasattr(place.subject.network, "leak"):
        raise CannotAsk("it speaks of hidden layers, there are none")
    width = max(array.shape[-2] for array in path)
    vectors = [
        np.concatenate([points, 0 * np.repeat(points[..., :1, :], width - points.shape[-2], axis=-2)], axis=-2)
        for points in path
    ]
    return np.stack(vectors, axis=-3)


def identity(place: Place) -> Array:
    """The identity of the width of a layer."""
    return place.subject.array(np.eye(activations(place).shape[-2], dtype=int))[None]


def of_the_line(place: Place) -> FullyConnected:
    """The network, if it has one input and is a network of ReLUs."""
    network = place.subject.dense
    if network.widths[0] != 1:
        raise CannotAsk(f"it speaks of networks with 1 input, this one has {network.widths[0]}")
    return with_slope_of(Networks(), network)


def frame(axis: int) -> Reader:
    """The first unit vectors as columns, of the outputs (-2) or the inputs (-1) of a layer."""

    def read_frame(place: Place) -> Array:
        matrix = place.subject.dense.weights[place.layer - 1]
        count = min(*matrix.shape[-2:], place.subject.dense.widths[-1], place.subject.dense.widths[0])
        return place.subject.array(np.eye(matrix.shape[axis], count, dtype=int))[None]

    return read_frame


def tangent(place: Place) -> Array:
    """Differences of points as columns, ``(1, n_0, k)`` with k at most 2."""
    inputs = place.subject.inputs
    i = place.points[0]
    other_points = [k for k in range(len(inputs)) if k != i][: min(2, inputs.shape[1])]
    if not other_points:
        raise CannotAsk("it speaks of several points, there is one")
    return np.stack([inputs[k] - inputs[i] for k in other_points], axis=-1)[None]


def direction(place: Place) -> Array:
    """From one point to another, ``(1, n_0)``."""
    return place.point(1) - place.point(0)


def first_part(place: Place) -> FullyConnected:
    """The layers up to one, as a network."""
    network = place.subject.dense
    if network.depth < 2:
        raise CannotAsk("it speaks of two networks, one after the other; this one has one layer")
    layer = place.layer
    return FullyConnected(network.weights[:layer], network.biases[:layer], network.activation)


def second_part(place: Place) -> FullyConnected:
    """The layers after it, as a network."""
    network = place.subject.dense
    first_part(place)
    layer = place.layer
    return FullyConnected(network.weights[layer:], network.biases[layer:], network.activation)


def shift(place: Place) -> Array:
    """What makes the first part non-negative at the points, a number for each of its outputs."""
    values = first_part(place)(place.subject.inputs[:, None])
    lowest = values[0]
    for value in values[1:]:
        lowest = -maximum(-lowest, -value)
    return maximum(-lowest, 0 * lowest)


def stack_of_weights(place: Place) -> Array:
    """The weights of a leaky ResNet with an axis for the layers."""
    return np.stack(place.subject.leaky.weights, axis=-3)


def one_hot_classes(place: Place) -> Array:
    """The class of each point, where the wanted outputs are unit vectors."""
    targets = place.subject.wanted()[0]
    if not ((compare(targets, 0) == 0) | (compare(targets, 1) == 0)).all() or not (compare(targets.sum(axis=0), 1) == 0).all():
        raise CannotAsk("it speaks of classes, and the wanted outputs are no unit vectors")
    return place.subject.array(np.argmax(np.asarray(targets == 1), axis=0)[None])


def slopes(place: Place) -> Array:
    """The slopes of the activation, ``(1, 2)``."""
    return np.stack([place.subject.number(1), place.subject.slope], axis=-1)


def least_squares(place: Place) -> Array:
    """The matrix that maps points to wanted outputs best, ``(1, n_L, n_0)``; of floats."""
    if place.subject.is_exact:
        raise CannotAsk("the best linear map is a matter of floats")
    return np.asarray(np.linalg.lstsq(place.subject.inputs, place.subject.wanted()[0].T)[0].T[None])


def neurons_on_a_line(place: Place) -> Array:
    """``(w, b, a)`` of the neurons of a shallow network from the line to the line, ``(1, n, 3)``."""
    network = shallow(place)
    if network.widths[0] != 1 or network.widths[2] != 1:
        raise CannotAsk("it speaks of shallow networks from the line to the line")
    return np.stack([network.weights[0][..., 0], network.biases[0], network.weights[1][..., 0, :]], axis=-1)


def kernel(place: Place) -> Array:
    """The filters of a layer, where the images are square."""
    network = place.subject.circular
    if len(set(network.image_shape)) > 1:
        raise CannotAsk(f"it speaks of square images, these are {'x'.join(map(str, network.image_shape))}")
    return network.kernels[place.layer - 1]


def smallest(place: Place, values: Array) -> Array:
    """A 64th of these values: a small step."""
    return np.asarray(values * place.subject.number(Fraction(1, 64))[0])


def residual_weights(place: Place) -> Array:
    """The weights of a layer of a leaky ResNet, with the biases as the last column."""
    return place.subject.leaky.weights[place.layer - 1]


def start(place: Place) -> Array:
    """The points of a leaky ResNet as columns."""
    if not isinstance(place.subject.network, LeakyResNet):
        raise CannotAsk("it is no leaky ResNet")
    return place.subject.columns


def image(place: Place) -> Array:
    """A point of a convolutional network, as it takes it."""
    network = place.subject.circular
    return place.point().reshape(1, network.channels[0], *network.image_shape)


def first_rows(values: Array, count: int) -> Array:
    """So many rows.

    Raises
    ------
    CannotAsk
        There are fewer.
    """
    if values.shape[-2] < count:
        raise CannotAsk(f"it speaks of {count} rows, there are {values.shape[-2]}")
    return values[..., :count, :]


def is_balanced(place: Place) -> Any:
    """Whether every hidden neuron pays as much before as after it."""
    return place.subject.dense.is_balanced()


HYPOTHESES: Mapping[str, tuple[str, Callable[[Place], Any]]] = {"balanced network": ("balanced", is_balanced)}
"""What a role takes for granted, by name, where the network itself is read for it."""
COUNTED: Mapping[str, int | None] = {"points": None, "few points": FEW}
"""Roles that are any number of points, or as many as the variable says; at most so many."""

ROLES: Mapping[str, Reader] = {
    "points": sample,
    "few points": sample,
    # networks
    "network": lambda place: place.subject.dense,
    "network of any slope": lambda place: place.subject.dense,
    "balanced network": lambda place: place.subject.dense,
    "first part": first_part,
    "second part": second_part,
    "linear network": linear,
    "shallow network": shallow,
    "network of the line": of_the_line,
    "leaky ResNet": lambda place: place.subject.leaky,
    "circular network": lambda place: place.subject.circular,
    "linear circular network": lambda place: linear(place) and place.subject.circular,
    # points
    "point": Place.point,
    "second point": lambda place: place.point(1),
    "third point": lambda place: place.point(2),
    "direction": direction,
    "second direction": lambda place: place.point(2) - place.point(0),
    "directions": tangent,
    "three points": lambda place: sample(place, 3),
    "three ones": lambda place: place.subject.array(np.ones((1, 3), dtype=int)),
    "points as columns": lambda place: place.subject.columns,
    "points of the line": on_a_line,
    "other points": lambda place: np.roll(sample(place), 1, axis=-1),
    "other points of the line": lambda place: np.roll(on_a_line(place), 1, axis=-1),
    "image": image,
    # outputs that are wanted, and what is between them and the outputs
    "targets as columns": lambda place: place.subject.wanted(),
    "few targets": lambda place: np.swapaxes(place.subject.wanted(), -1, -2)[:, :FEW],
    "one-hot targets": lambda place: one_hot_classes(place) is not None and place.subject.wanted(),
    "outputs as columns": lambda place: place.subject.outputs,
    "residuals": lambda place: place.subject.residual,
    "residuals of one output": lambda place: place.subject.residual[..., 0, :],
    "residual": lambda place: place.subject.residual[..., place.points[0]],
    "best linear map": least_squares,
    "ridge": lambda place: place.subject.known_ridge(),
    # matrices
    "Jacobian": jacobian,
    "second Jacobian": lambda place: jacobian(place, 1),
    "square Jacobian": square_jacobian,
    "Jacobian to the layer": lambda place: place.subject.dense.jacobian_to_layer(place.layer, place.point()),
    "Jacobian from the layer": lambda place: place.subject.dense.jacobian_from_layer(place.layer, place.point()),
    "weights": lambda place: place.subject.dense.weights[place.layer - 1],
    "weights with biases": with_bias,
    "first weights with biases": lambda place: with_bias(place, 1),
    "first neuron": lambda place: with_bias(place, 1)[..., 0, :],
    "last weights": lambda place: place.subject.dense.weights[-1],
    "frame of outputs": frame(-2),
    "frame of inputs": frame(-1),
    "identity": identity,
    "filters": kernel,
    "neurons of the line": neurons_on_a_line,
    # representations
    "inputs of the layer": seen,
    "values": activations,
    "next values": lambda place: activations(place, 1),
    "two rows of the next values": lambda place: first_rows(activations(place, 1), 2),
    "one row of the next values": lambda place: first_rows(activations(place, 1), 1),
    "second values": lambda place: of_same_shape(place, 1),
    "third values": lambda place: of_same_shape(place, -1),
    "change of values": lambda place: of_same_shape(place, 1) - activations(place),
    "small change of values": lambda place: smallest(place, of_same_shape(place, 1) - activations(place)),
    "few values": lambda place: activations(place)[..., :4],
    "values at a point": lambda place: activations(place)[..., 0],
    "three values at a point": lambda place: first_rows(activations(place), 3)[..., place.points[0]],
    "values of a neuron": lambda place: activations(place)[..., 0, :],
    "values of one neuron": lambda place: activations(place)[..., :1, :],
    "first column of the values": lambda place: activations(place)[..., :1],
    "last column of the values": lambda place: activations(place)[..., -1:],
    "values of all hidden layers": hidden,
    "last activations": lambda place: activated(place, place.subject.depth - 1),
    "shift of the first part": shift,
    "adjoint": adjoint,
    "adjoint at the end": later_adjoint,
    "last adjoint": lambda place: place.subject.adjoints[-1],
    # activations
    "slope": lambda place: place.subject.slope,
    "slopes": slopes,
    # leaky ResNets
    "start of the path": start,
    "one row of the start": lambda place: first_rows(start(place), 1),
    "two columns of the start": lambda place: start(place)[..., :2],
    "path": lambda place: np.stack([start(place), *place.subject.path[1:]], axis=-3),
    "starts of layers": lambda place: np.stack(place.subject.path[: place.subject.leaky.depth], axis=-3),
    "adjoints of starts": lambda place: np.stack(place.subject.adjoints[: place.subject.leaky.depth], axis=-3),
    "weights of a residual layer": residual_weights,
    "small weights of a residual layer": lambda place: smallest(place, residual_weights(place)),
    "square weights of a residual layer": lambda place: residual_weights(place)[..., :, : place.subject.leaky.width],
    "bias column of a residual layer": lambda place: residual_weights(place)[..., -1:],
    "bias of a residual layer": lambda place: residual_weights(place)[..., -1],
    "all weights": stack_of_weights,
    "small weights": lambda place: smallest(place, stack_of_weights(place)),
    "leak": lambda place: place.subject.leaky.leak,
    "step": lambda place: place.subject.leaky.steps[..., place.layer - 1],
    "steps": lambda place: place.subject.leaky.steps,
}
"""What is read for each role."""
