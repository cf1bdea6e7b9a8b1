"""How the variables of claims are read from a trained network: one table, by the name and the shape of a variable.

The names are those of the catalogue: x is a point, A are the activations of a layer, B what is pulled back to it. What makes a
variable of others is called with what is read for these: a problem is made of the points, the targets and the ridge. A number
that a claim leaves free (a factor, a step, a gamma) is one in the middle of its interval.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from verify.arithmetic import Array, compare, floats, maximum
from verify.networks import FullyConnected
from verify.trained.subjects import CannotAsk, Place
from verify.variables import Derived, Networks, Variable, _Numbers, call_with, read_only

Reader: TypeAlias = Callable[[Place], Any]


@dataclass
class Read:
    """The variables of a claim at a place, and those of them that are more than free numbers."""

    values: dict[str, Any] = field(default_factory=dict)
    of_the_network: set[str] = field(default_factory=set)


def read(variables: Mapping[str, Variable], claim_id: str, place: Place) -> Read:
    """The variables by name, each with a batch axis of length 1.

    Raises
    ------
    CannotAsk
        One of them cannot be read from this network.
    """
    found = Read()
    for name, variable in variables.items():
        value, is_read = _value(name, variable, (f"{claim_id}:", f"{claim_id.partition('.')[0]}:", ""), place)
        found.values[name] = read_only(value)
        if is_read:
            found.of_the_network.add(name)
    if not found.of_the_network:
        raise CannotAsk("it speaks of numbers that no network has")
    return found


def _value(name: str, variable: Variable, where: tuple[str, ...], place: Place) -> tuple[Any, bool]:
    """The value, and whether it is read from the network rather than free."""
    for key in _keys(name, variable):
        for start in where:
            if start + key in READINGS:
                return READINGS[start + key](place), True
    if isinstance(variable, Networks) or (isinstance(variable, Derived) and _function(variable).__name__ in GENERAL):
        return _network(_drawn(variable), place), True
    if isinstance(variable, Derived):
        function = _function(variable)
        if getattr(function, "__annotations__", {}).get("return") in ("FullyConnected", "LeakyResNet", "CircularCNN"):
            raise CannotAsk(f"it speaks of a family of networks ({function.__name__})")
        inner = (*(start + f"{function.__name__}." for start in where), *where)
        values = {part: _value(part, one, inner, place) for part, one in variable.variables.items()}
        known = {**_sizes(place), **{part: value for part, (value, _) in values.items()}}
        return call_with(variable.function, known), any(is_read for _, is_read in values.values())
    if isinstance(variable, _Numbers) and variable.axes == 0:
        if any(start + f"{name}()" in FREE for start in where):
            return place.subject.number(_middle(variable)), False
        raise CannotAsk(f"nothing in a network is its number {name}")
    raise CannotAsk(f"nothing in a network is its variable {name}")


def out_of_range(variables: Mapping[str, Variable], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Numbers of the wrong sign: the hypothesis that their intervals mean, and their entry that is furthest from it.

    The other ends of intervals are those of a search.
    """
    found = []
    for name, variable in variables.items():
        if not isinstance(variable, _Numbers) or name not in values:
            continue
        lower, upper = map(float, variable._limits)
        entries = floats(values[name])
        if entries.size and lower >= 0 and (entries.min() < 0 or (lower > 0 and entries.min() == 0)):
            found.append((f"{name} is {'positive' if lower > 0 else 'not negative'}", f"least entry {entries.min():.2g}"))
        if entries.size and upper <= 0 and entries.max() > 0:
            found.append((f"{name} is not positive", f"largest entry {entries.max():.2g}"))
    return found


def _function(variable: Derived) -> Callable[..., Any]:
    function = variable.function
    return function.func if isinstance(function, functools.partial) else function


def _keys(name: str, variable: Variable) -> list[str]:
    """Such as "x(inputs)" for numbers, "network=around_identity" and "=around_identity" for what is made of others."""
    if isinstance(variable, _Numbers):
        return [f"{name}({', '.join(str(one) if isinstance(one, str | int) else '?' for one in variable._dimensions)})"]
    if isinstance(variable, Derived):
        made = getattr(_function(variable), "__name__", "")
        return [f"{name}={made}", f"={made}"]
    return [f"{name}=Networks"]


def _middle(variable: _Numbers) -> Fraction | int:
    """A number in the interval: its middle, 1, or the end that is nearest to 1; an integer where one is wanted."""
    lower, upper = map(float, variable._limits)
    if np.isfinite(lower) and np.isfinite(upper):
        if variable._integer:
            return int(lower)
        return Fraction(lower + (upper - lower) / 2).limit_denominator(64)
    return max(1, int(lower)) if np.isfinite(lower) else min(1, int(upper)) if np.isfinite(upper) else 1


def _sizes(place: Place) -> dict[str, int]:
    """The sizes by the names that domains give them."""
    subject, layer = place.subject, place.layer
    depth = subject.depth
    sizes = {"depth": depth, "layers": depth, "points": len(subject.inputs), "before": layer, "after": max(1, depth - layer)}
    sizes |= {"outer": max(1, depth - layer), "inner": layer, "inner_depth": layer, "outer_depth": max(1, depth - layer)}
    return sizes | {"layer": max(1, min(layer, depth - 2)), "width": subject.path[max(0, layer - 1)].shape[-2]}


def _drawn(variable: Variable) -> Networks:
    """The networks that builders of `GENERAL` begin with; of any activation where one of them changes it."""
    changed = False
    while isinstance(variable, Derived):
        changed |= "slope" in variable.variables or _function(variable).__name__ in OTHER_SLOPES
        if "network" not in variable.variables:
            return Networks(slope=(-np.inf, np.inf))
        variable = variable.variables["network"]
    assert isinstance(variable, Networks)
    return replace(variable, slope=(-np.inf, np.inf)) if changed else variable


def _network(variable: Networks, place: Place) -> FullyConnected:
    """The network, if it is one of those that the variable draws, of any widths."""
    network = place.subject.dense
    for name, wanted, given in (
        ("inputs", variable.inputs, network.widths[0]),
        ("outputs", variable.outputs, network.widths[-1]),
        ("layers", variable.depth, network.depth),
    ):
        if isinstance(wanted, int) and wanted != given:
            raise CannotAsk(f"it speaks of networks with {wanted} {name}, this one has {given}")
    return with_slope_of(variable, network)


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


def without_hidden_widths(place: Place) -> int:
    """The width of all hidden layers.

    Raises
    ------
    CannotAsk
        They differ, or there are none.
    """
    widths = set(place.subject.dense.widths[1:-1])
    if len(widths) != 1:
        raise CannotAsk("it speaks of hidden layers of one width")
    return widths.pop()


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


def in_the_plane(place: Place, count: int | None = None) -> Array:
    """Points of the plane."""
    if place.subject.inputs.shape[1] != 2:
        raise CannotAsk(f"it speaks of points of the plane, these have {place.subject.inputs.shape[1]} coordinates")
    return sample(place, count)


def jacobian(place: Place, which: int = 0) -> Array:
    """Jf at a point, ``(1, n_L, n_0)``."""
    return place.subject.dense.jacobian(place.point(which))


def square_jacobian(place: Place) -> Array:
    """Jf at a point, where it is square."""
    found = jacobian(place)
    if found.shape[-1] != found.shape[-2]:
        raise CannotAsk(f"it speaks of square matrices, the Jacobian is {found.shape[-2]} x {found.shape[-1]}")
    return found


def to_layer(place: Place) -> Array:
    """The Jacobian of a layer."""
    return place.subject.dense.jacobian_to_layer(place.layer, place.point())


def from_layer(place: Place) -> Array:
    """The Jacobian of the outputs by a layer."""
    return place.subject.dense.jacobian_from_layer(place.layer, place.point())


def weight(place: Place) -> Array:
    """The weights of a layer."""
    return place.subject.dense.weights[place.layer - 1]


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
    own, other = activations(place), activations(place, further)
    return other if other.shape == own.shape and other is not own else np.roll(own, 1, axis=-1)


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
    """All hidden Z, ``(1, L - 1, n, N)``."""
    width = without_hidden_widths(place)
    return np.stack([one for one in place.subject.path[:-1] if one.shape[-2] == width], axis=-3)


def ones(*shape: int) -> Reader:
    """Ones of this shape."""
    return lambda place: place.subject.array(np.ones((1, *shape), dtype=int))


def ones_of(length: Callable[[Place], tuple[int, ...]]) -> Reader:
    """Ones of a shape that depends on the network."""
    return lambda place: place.subject.array(np.ones((1, *length(place)), dtype=int))


def frame(axis: int) -> Reader:
    """The first unit vectors as columns, of the outputs (-2) or the inputs (-1) of a layer."""

    def read_frame(place: Place) -> Array:
        matrix = weight(place)
        count = min(*matrix.shape[-2:], place.subject.dense.widths[-1], place.subject.dense.widths[0])
        return place.subject.array(np.eye(matrix.shape[axis], count, dtype=int))[None]

    return read_frame


def tangent(place: Place) -> Array:
    """Differences of points as columns, ``(1, n_0, k)`` with k at most 2."""
    inputs = place.subject.inputs
    i = place.points[0]
    others = [k for k in range(len(inputs)) if k != i][: min(2, inputs.shape[1])]
    if not others:
        raise CannotAsk("it speaks of several points, there is one")
    return np.stack([inputs[k] - inputs[i] for k in others], axis=-1)[None]


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


def part_with(part: Reader, **ends: int) -> Reader:
    """A part, if it has so many inputs and outputs."""

    def read_part(place: Place) -> FullyConnected:
        network: FullyConnected = part(place)
        given = {"inputs": network.widths[0], "outputs": network.widths[-1]}
        for name, wanted in ends.items():
            if given[name] != wanted:
                raise CannotAsk(f"it speaks of a part with {wanted} {name}, this one has {given[name]}")
        return network

    return read_part


def same_network(place: Place) -> FullyConnected:
    """The network itself."""
    return place.subject.dense


def shift(place: Place) -> Array:
    """What makes the first part non-negative at the points, a number for each of its outputs."""
    values = first_part(place)(place.subject.inputs[:, None])
    lowest = values[0]
    for one in values[1:]:
        lowest = -maximum(-lowest, -one)
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


def leak(place: Place) -> Array:
    """The leak."""
    return place.subject.leaky.leak


def step(place: Place) -> Array:
    """The length of a layer."""
    return place.subject.leaky.steps[..., place.layer - 1]


def smallest(place: Place, values: Array) -> Array:
    """A 64th of these values: a small step."""
    return np.asarray(values * place.subject.number(Fraction(1, 64))[0])


def middle_of(low: int | float | Fraction, high: int | float | Fraction, *shape: int) -> Reader:
    """The middle of an interval, in every entry."""
    middle = Fraction(low) + (Fraction(high) - Fraction(low)) / 2
    return lambda place: (
        place.subject.number(middle) if not shape else np.broadcast_to(place.subject.number(middle), (1, *shape))
    )


def number(value: int | Fraction) -> Reader:
    """A number."""
    return lambda place: place.subject.number(value)


GENERAL = (
    "around_identity", "with_slope", "with_identities", "with_other_biases", "with_small_bias", "partly_identity",
    "balanced_at_depth", "mostly_relu", "near_a_line", "near_balanced", "with_some_biases", "two_regions", "three_chains",
)  # fmt: skip
"""Builders of fully connected networks among which are all networks; what more is said of them are hypotheses."""
OTHER_SLOPES = ("mostly_relu",)
"""Those that change the activation, and have no argument `slope`."""
REPRESENTATIONS = (
    "representation", "product_representation", "cut_to_rank", "with_rational_roots", "signed", "of_one_sign",
)  # fmt: skip
"""Builders of representations among which are all of them."""


READINGS: Mapping[str, Reader] = {
    **{f"A={name}": activations for name in REPRESENTATIONS},
    "bottleneck_structure.balancedness.layers:network=without_last_bias": same_network,
    "network=linear_network": linear,
    "network=shallow_network": shallow,
    "network=shallow": shallow,
    "network=with_lifted_units": lambda place: _network(Networks(inputs=1), place),
    "network=leaky_network": lambda place: place.subject.leaky,
    "net=leaky_network": lambda place: place.subject.leaky,
    "network=with_one_bias": lambda place: place.subject.circular,
    "network=two_layers": lambda place: place.subject.circular,
    "symmetry_learning:network=linear_network": lambda place: linear(place) and place.subject.circular,
    # points
    "x(inputs)": Place.point,
    "notion_of_rank:x(dimension)": Place.point,
    "y(inputs)": lambda place: place.point(1),
    "z(inputs)": lambda place: place.point(2),
    "centre(inputs)": Place.point,
    "place(inputs)": ones_of(lambda place: (place.subject.inputs.shape[1],)),
    "radius(inputs)": ones_of(lambda place: (place.subject.inputs.shape[1],)),
    "u(inputs)": direction,
    "v(inputs)": lambda place: place.point(2) - place.point(0),
    "direction(inputs)": direction,
    "direction(dimension)": direction,
    "tangent(inputs, dimension)": tangent,
    "tangent(inputs, k)": tangent,
    "points(samples, inputs)": lambda place: sample(place)[:, :6],
    "points(points, inputs)": sample,
    "points(count, inputs)": lambda place: sample(place)[:, :5],
    "points(count, dimension)": lambda place: sample(place)[:, :5],
    "points(points, dimension)": lambda place: sample(place)[:, :5],
    "points(3, inputs)": lambda place: sample(place, 3),
    "points(points, 2)": in_the_plane,
    "points(atoms, 2)": in_the_plane,
    "points(3, 2)": lambda place: in_the_plane(place, 3),
    "points(points)": on_a_line,
    "atoms(3, dimension)": lambda place: sample(place, 3),
    "points=halved": lambda place: sample(place, 3),
    "points=one_point_in_each": lambda place: sample(place, 3),
    "points=points_of_chains": lambda place: sample(place, 3),
    "points=with_repetition": lambda place: sample(place)[:, :5],
    "copies(3)": ones(3),
    "copies=many_and_one": ones(3),
    "copies=many_and_two": ones(3),
    "elsewhere(points, inputs)": lambda place: np.roll(sample(place), 1, axis=-1),
    "elsewhere(points)": lambda place: np.roll(on_a_line(place), 1, axis=-1),
    "points(inputs, points)": lambda place: place.subject.columns,
    "inputs(inputs, points)": lambda place: place.subject.columns,
    "x(channels, side, side)": lambda place: place.point().reshape(
        1, place.subject.circular.channels[0], *place.subject.circular.image_shape
    ),
    "x(1, side, side)": lambda place: place.point().reshape(
        1, place.subject.circular.channels[0], *place.subject.circular.image_shape
    ),
    # outputs that are wanted, and what is between them and the outputs
    "labels(outputs, points)": lambda place: place.subject.wanted(),
    "labels(count, outputs)": lambda place: np.swapaxes(place.subject.wanted(), -1, -2)[:, :5],
    "targets(outputs, points)": lambda place: place.subject.wanted(),
    "target(width, points)": lambda place: place.subject.wanted(),
    "target(outputs, inputs)": least_squares,
    "feature_learning.interpolation.balanced:slope(outputs, inputs)": jacobian,
    "outputs(outputs, points)": lambda place: place.subject.outputs,
    "outputs=one_hot": lambda place: place.subject.wanted() if one_hot_classes(place) is not None else None,
    "dual(outputs, points)": lambda place: place.subject.residual,
    "balancedness.gradients:direction(outputs)": direction,
    "direction(outputs)": lambda place: place.subject.residual[..., place.points[0]],
    "ridge()": lambda place: place.subject.known_ridge(),
    "lam()": lambda place: place.subject.known_ridge(),
    "mu()": lambda place: place.subject.known_ridge(),
    "penalty()": lambda place: place.subject.known_ridge(),
    # matrices
    "A(rows, common)": from_layer,
    "B(common, columns)": to_layer,
    "A(rows, columns)": jacobian,
    "B(rows, columns)": lambda place: jacobian(place, 1),
    "A=product": jacobian,
    "B=product": lambda place: jacobian(place, 1),
    "second(outputs, width)": from_layer,
    "first(width, inputs)": to_layer,
    "matrix=rotated": square_jacobian,
    "matrix=product_near_identity": weight,
    "matrix(outputs, inputs)": jacobian,
    "weight(rows, columns)": weight,
    "left=reflected_frame": frame(-2),
    "right=reflected_frame": frame(-1),
    "feature_learning:weight(rows, columns)": with_bias,
    "feature_learning:other(rows, columns)": with_bias,
    "seen(columns, points)": seen,
    "values(rows, points)": activations,
    "values(width, points)": activations,
    "rows(neurons, points)": lambda place: activated(place, place.subject.depth - 1),
    "outgoing(outputs, neurons)": lambda place: place.subject.dense.weights[-1],
    "vectors(neurons, points)": lambda place: activations(place)[..., :4],
    "vectors(vectors, points)": lambda place: activations(place)[..., :4],
    "rows(rows, points)": lambda place: activations(place)[..., :4],
    "generators(number, dimension)": lambda place: activations(place)[..., :4],
    "images(points, width)": lambda place: np.swapaxes(activated(place, place.layer), -1, -2),
    "weights(vectors)": ones_of(lambda place: (activations(place).shape[-2],)),
    "weights(number)": ones_of(lambda place: (activations(place).shape[-2],)),
    "cost(number)": ones_of(lambda place: (activations(place).shape[-2],)),
    "incoming(?)": lambda place: with_bias(place, 1)[..., 0, :],
    "incoming(neurons, ?)": lambda place: with_bias(place, 1),
    "masses(neurons)": ones_of(lambda place: (place.subject.dense.widths[1],)),
    "row(width)": lambda place: activations(place)[..., 0],
    "vector(neurons)": lambda place: activations(place)[..., 0],
    "vector(dimension)": lambda place: activations(place)[..., 0],
    # activations
    "positive()": number(1),
    "negative()": lambda place: place.subject.slope,
    "homogeneous_activations:slope()": lambda place: place.subject.slope,
    "bottleneck_structure:slope()": lambda place: place.subject.slope,
    "notion_of_rank:slope()": lambda place: place.subject.slope,
    "feature_learning:slope()": lambda place: place.subject.slope,
    "t(3)": lambda place: activations(place)[..., :3, place.points[0]],
    "slope=drawn_negative_slope": lambda place: place.subject.slope,
    "slopes=drawn_slopes": slopes,
    "drawn_activation.kind()": number(4),
    "drawn_activation.numbers(2)": slopes,
    # several networks
    "inner=Networks": first_part,
    "outer=Networks": second_part,
    "first=Networks": first_part,
    "second=Networks": second_part,
    "with_common_slope.inner=around_identity": part_with(first_part, inputs=2),
    "with_common_slope.outer=around_identity": part_with(second_part, outputs=2),
    "with_common_slope.inner=shallow_network": shallow,
    "with_common_slope.outer=shallow_network": shallow,
    "notion_of_rank.finite_depth_axioms.sum:inner=Networks": same_network,
    "notion_of_rank.finite_depth_axioms.sum:outer=Networks": same_network,
    "notion_of_rank.finite_depth_axioms.sum:with_common_slope.inner=Networks": same_network,
    "notion_of_rank.finite_depth_axioms.sum:with_common_slope.outer=Networks": same_network,
    "notion_of_rank.rank_axioms.sum:with_common_slope.inner=Networks": same_network,
    "notion_of_rank.rank_axioms.sum:with_common_slope.outer=Networks": same_network,
    "g1=Networks": first_part,
    "h1=Networks": second_part,
    "g2=Networks": first_part,
    "h2=Networks": second_part,
    "front=Networks": first_part,
    "back=Networks": second_part,
    "encoder=Networks": part_with(first_part, inputs=2),
    "decoder=Networks": second_part,
    "inner=shallow": lambda place: first_part(place) if place.layer == 2 else shallow(Place(place.subject, place.points, 2)),
    "shift(bottleneck)": shift,
    "scale(bottleneck)": ones_of(lambda place: (first_part(place).widths[-1],)),
    "with_common_slope.slope()": lambda place: place.subject.slope,
    "with_bias_column.network=Networks": same_network,
    "with_bias_one.network=Networks": same_network,
    "on_data.network=Networks": same_network,
    "points(5, inputs)": lambda place: sample(place, 5),
    # representations of fully connected networks
    "bias()": number(1),
    "before(inputs, points)": seen,
    "after(outputs, points)": lambda place: activations(place, 1),
    "hidden(?, width, points)": hidden,
    "last(outputs, points)": lambda place: place.subject.outputs,
    "roots(?, width)": ones_of(lambda place: (place.subject.depth - 1, without_hidden_widths(place))),
    "roots(?, terms)": ones_of(lambda place: (place.subject.depth - 1, without_hidden_widths(place))),
    "vectors(?, width, points)": hidden,
    "vectors(?, terms, points)": hidden,
    "room(more, points)": lambda place: activations(place)[..., :1, :],
    "factors(?, width)": ones_of(lambda place: (place.subject.depth - 1, without_hidden_widths(place))),
    "factors(width)": ones_of(lambda place: (place.subject.dense.widths[1],)),
    "coefficients(4)": ones(4),
    "weights(neurons, 3)": neurons_on_a_line,
    "multipliers(points)": lambda place: place.subject.residual[..., 0, :],
    "labels(points)": one_hot_classes,
    # leaky ResNets, and representations of any network
    "x(width, points)": lambda place: place.subject.leaky and place.subject.columns,
    "x(1, points)": lambda place: place.subject.leaky and place.subject.columns[..., :1, :],
    "A(width, points)": activations,
    "A(width, ?)": activations,
    "A(layers, width, points)": lambda place: np.stack(place.subject.path[: place.subject.leaky.depth], axis=-3),
    "B(layers, width, points)": lambda place: np.stack(place.subject.adjoints[: place.subject.leaky.depth], axis=-3),
    "path(?, width, points)": lambda place: place.subject.leaky and np.stack(place.subject.path, axis=-3),
    "X(width, points)": lambda place: place.subject.leaky and place.subject.columns,
    "B(width, points)": adjoint,
    "B(height, points)": lambda place: of_same_shape(place, -1),
    "rows(width, points)": activations,
    "mix(width, height)": lambda place: place.subject.array(np.eye(activations(place).shape[-2], dtype=int))[None],
    "leaky_resnets.discretisation:B(width, points)": later_adjoint,
    "leaky_resnets.discretisation.trace:B(width, points)": later_adjoint,
    "last(width, points)": lambda place: place.subject.adjoints[-1],
    "other(width, points)": lambda place: of_same_shape(place, 1),
    "free(width, points)": lambda place: of_same_shape(place, 1),
    "change(width, points)": lambda place: of_same_shape(place, 1) - activations(place),
    "direction(width, points)": lambda place: smallest(place, of_same_shape(place, 1) - activations(place)),
    "move(width, points)": lambda place: of_same_shape(place, 1) - activations(place),
    "step(width, points)": lambda place: of_same_shape(place, 1) - activations(place),
    "R(width, points)": lambda place: of_same_shape(place, 1),
    "S(width, points)": lambda place: of_same_shape(place, -1),
    "Y(width, points)": lambda place: of_same_shape(place, 1),
    "M(2, points)": lambda place: activations(place, 1)[..., :2, :],
    "M(1, points)": lambda place: activations(place, 1)[..., :1, :],
    "neuron(points)": lambda place: activations(place)[..., 0, :],
    "weights(width, ?)": lambda place: place.subject.leaky and with_bias(place),
    "other(width, ?)": lambda place: place.subject.leaky and with_bias(place),
    "away(width, ?)": lambda place: place.subject.leaky and with_bias(place),
    "move(width, ?)": lambda place: place.subject.leaky and smallest(place, with_bias(place)),
    "weights(layers, width, ?)": stack_of_weights,
    "weights(depth, width, ?)": stack_of_weights,
    "direction(depth, width, ?)": lambda place: smallest(place, stack_of_weights(place)),
    "V(width, width)": lambda place: place.subject.leaky.weights[place.layer - 1][..., :, : place.subject.leaky.width],
    "weights(width, width)": lambda place: place.subject.leaky.weights[place.layer - 1][..., :, : place.subject.leaky.width],
    "b(width, 1)": lambda place: place.subject.leaky.weights[place.layer - 1][..., -1:],
    "b(width)": lambda place: place.subject.leaky.weights[place.layer - 1][..., -1],
    "first(width, 1)": lambda place: place.subject.leaky and activations(place)[..., :1],
    "second(width, 1)": lambda place: place.subject.leaky and activations(place)[..., -1:],
    "pair(width, 2)": lambda place: place.subject.leaky and place.subject.columns[..., :2],
    "leak()": leak,
    "leaky_resnets:step()": step,
    "steps(depth)": lambda place: place.subject.leaky.steps,
    "steps(layers)": lambda place: place.subject.leaky.steps,
    "heights(depth)": lambda place: 0 * place.subject.leaky.steps + place.subject.number(Fraction(1, 4))[0],
    "moving.kind()": number(1),
    "wandering.kind()": number(1),
    "beside.near()": number(0),
    "moved_by.near()": number(0),
    "combined.inside()": number(0),
    # convolutional networks
    "kernel(outputs, inputs, side, side)": kernel,
}
"""What is read for a variable: by its name and the lengths of its axes, or by what makes it; some claims differ."""

FREE = frozenset(
    (
        *("alpha()", "biased()", "c()", "constant()", "delta()", "drift()", "epsilon()", "excess()", "factor()", "gamma()"),
        *("growth()", "halvings()", "height()", "kind()", "layers()", "length()", "more()", "offset()", "p()", "pace()"),
        *("parameter()", "part()", "rate()", "repeated()", "rest()", "rho()", "root()", "root_gamma()", "s()", "scale()"),
        *("share()", "sign()", "size()", "stretch()", "t()", "time()", "times()"),
    )
)
"""Numbers that a claim leaves free beside a network; "ridge", "leak" and others are read or are not known."""
