"""What a statement takes: variables, built in either arithmetic from coordinates, which are arrays of free numbers."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from flint import fmpq

from verify.instances import InstanceArray, InstanceView, called, wrapped
from verify.numbers.arithmetic import Array, is_number, rationals
from verify.numbers.arithmetic import integer as checked_integer
from verify.numbers.measured import Measured

if TYPE_CHECKING:
    from verify.networks import FullyConnected, HomogeneousActivation

Sizes: TypeAlias = Mapping[str, int]
Dimension: TypeAlias = int | str | Callable[[Sizes], int]
"""A length: a number, the name of a size, or a function of the sizes."""

LARGEST_INTEGER = 2**53
"""Beyond it floats, as which integers are drawn, skip some."""


@dataclass(frozen=True)
class Coordinate:
    """An array of free numbers: its shape, its interval, whether its entries are integers, and which values are drawn often.

    `role` says what it is of a layer, for instances in which all layers are partial identities.
    """

    shape: tuple[int, ...]
    lower: float = -np.inf
    upper: float = np.inf
    integer: bool = False
    # how a domain is drawn is no part of what is claimed on it
    often: tuple[float, ...] = field(default=(), repr=False)
    role: Literal["", "weight", "bias"] = field(default="", repr=False)
    ends: tuple[float | Fraction, float | Fraction] | None = field(default=None, repr=False)
    """The interval itself, where an end is no float; `lower` and `upper` are the nearest floats inside."""

    def exact_ends(self) -> tuple[fmpq | None, fmpq | None]:
        """The ends of the interval; None where it has none."""
        return tuple(  # type: ignore[return-value]
            fmpq(*end.as_integer_ratio()) if math.isfinite(end) else None for end in self.ends or (self.lower, self.upper)
        )

    def on_rationals(self, values: Array) -> Array:
        """Floats as rationals: an end of the interval as what it is."""
        exact = rationals(values)
        if self.ends is not None:
            for near, end in zip((self.lower, self.upper), self.exact_ends(), strict=True):
                exact = np.where(np.asarray(values) == near, end, exact) if end is not None else exact
        return exact


Elements: TypeAlias = tuple[int, Callable[[Array], Mapping[str, Array]]]
"""How many values a variable has, and the free numbers, by name, of those with the given numbers, from 0: each value once."""


class Variable(Protocol):
    """Something a statement takes, built from coordinates."""

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """The free numbers, by name; the empty name if there is only one array."""
        ...

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> Any:
        """The variable, from coordinates with leading batch axes, in either arithmetic."""
        ...


def _length(dimension: Dimension, sizes: Sizes) -> int:
    if not isinstance(dimension, str) and not callable(dimension):
        return checked_integer("a length", dimension, 0, ": a number, or the name of a size")
    if isinstance(dimension, str):
        if dimension not in sizes:
            known = ", ".join(sizes) or f"it has none: write Domain({{...}}, {{{dimension!r}: range(1, 4)}})"
            raise ValueError(f"the length {dimension!r} must be one of the sizes of the domain ({known})")
        return sizes[dimension]
    return dimension(sizes)


Called = TypeVar("Called", bound=Callable[..., Any])


def says_its_call(call: str = "") -> Callable[[Called], Called]:
    """Let a function or class that is called with other arguments than it has say how it is called: `call`.

    Without one, it is called with a size for each argument, such as ``symmetric('n')``.
    """

    def decorated(function: Called) -> Called:
        if isinstance(function, type):
            function.__init__ = says_its_call(call)(function.__init__)  # type: ignore[misc]
            return function
        signature, name = inspect.signature(function), function.__qualname__.removesuffix(".__init__")
        example = call or f"{name}({', '.join(map(repr, signature.parameters))})"

        @functools.wraps(function)
        def checked(*arguments: Any, **options: Any) -> Any:
            try:
                signature.bind(*arguments, **options)
            except TypeError as error:
                raise TypeError(f"{name}: {error}: write {example}") from None
            return function(*arguments, **options)

        return cast(Called, checked)

    return decorated


class Numbers:
    """An array of numbers that is its own coordinate."""

    def __init__(
        self,
        lower: float | Fraction,
        upper: float | Fraction,
        dimensions: tuple[Dimension, ...],
        *,
        integer: bool,
        often: Sequence[float | Fraction] = (),
        role: str = "",
    ) -> None:
        for name, value in (("lower", lower), ("upper", upper), *(("often", value) for value in often)):
            if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.integer | np.floating):
                raise TypeError(f"{name} must be a number, got {value!r}: {_instead_of_end(value)}")
        # a Q beside a float is a float
        lower, upper, *often = (Fraction(value) if isinstance(value, Fraction) else value for value in (lower, upper, *often))
        if not lower < upper:
            raise ValueError(f"lower must be below upper, got the interval [{lower}, {upper}]")
        outside = [value for value in often if not lower <= value <= upper]
        if outside:
            raise ValueError(f"often must lie in the interval [{lower}, {upper}], got {outside[0]}")
        for dimension in dimensions:
            if not isinstance(dimension, int | str | np.integer) and not callable(dimension):
                raise TypeError(
                    f"a length must be an integer, the name of a size or a function of the sizes, got {dimension!r}"
                    f"{': write the lengths one by one, as in reals(2, 3)' if isinstance(dimension, tuple | list) else ''}"
                )
        self._limits, self._integer = (lower, upper), integer
        self.axes, self.dimensions, self.role = len(dimensions), dimensions, role
        self._lower, self._upper = _float_inside(lower, upward=True), _float_inside(upper, upward=False)
        if self._lower > self._upper:
            raise ValueError(f"the interval [{lower}, {upper}] must hold a float, which instances are drawn as")
        self._often = tuple(min(max(float(value), self._lower), self._upper) for value in often)
        self._ends = None if (self._lower, self._upper) == self._limits else self._limits

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        shape = tuple(_length(dimension, sizes) for dimension in self.dimensions)
        return {"": Coordinate(shape, self._lower, self._upper, self._integer, self._often, ends=self._ends)}

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> Array:  # noqa: ARG002 (the protocol's signature)
        return values[""]

    def limits(self, value: Any) -> list[tuple[str, Any, tuple[float | Fraction, float | Fraction, bool]]]:
        """What a value given by hand must satisfy."""
        return [("", value, (*self._limits, self._integer))]


def _instead_of_end(value: Any) -> str:
    """What to write for what is no end of an interval."""
    if value is None:
        return "an interval without an end there has numpy.inf, or -numpy.inf"
    if isinstance(value, tuple | list):
        return "write both ends one by one, as in interval(0, 1)"
    try:
        return f"write Q({str(Fraction(value))!r})"
    except (TypeError, ValueError, ZeroDivisionError):
        return "an end is the same at all sizes; what depends on others is a hypothesis, or derived(...) of other variables"


def _float_inside(end: float | Fraction, *, upward: bool) -> float:
    """The float nearest to the end of an interval that lies inside: 1/3 is no float, and beyond it nothing is claimed."""
    nearest = float(end)
    if isinstance(end, float) or nearest == end:
        return nearest if isinstance(end, Fraction) else end
    return float(np.nextafter(nearest, np.inf if upward else -np.inf)) if (nearest < end) is upward else nearest


def reals(*dimensions: Dimension, role: str = "") -> Variable:
    """An array of real numbers with the given lengths; a number if there are none.

    `role`, here and below, says what a trained network gives for it, such as ``"point"`` or ``"Jacobian"`` (see
    `verify.trained.roles`); without one the claim is not asked of networks. It has no part in what is drawn.

    Examples
    --------
    >>> print(attack(lambda x: ge(x @ x, 1), {"x": reals(2)}).witness.in_words())
    x = [0, 0]
    """
    return Numbers(-np.inf, np.inf, dimensions, integer=False, role=role)


@says_its_call("interval(lower, upper), as in interval(0, 1), or interval(0, 1, 'n') for n numbers")
def interval(
    lower: float | Fraction,
    upper: float | Fraction,
    *dimensions: Dimension,
    often: Sequence[float | Fraction] = (),
    role: str = "",
) -> Variable:
    """An array of numbers in the closed interval from `lower` to `upper`, either of which may be infinite.

    The values `often`, at which a statement is special, make up half of what is drawn.

    Examples
    --------
    >>> attack(lambda x: le(x**2, x), {"x": interval(0, 1)}).outcome
    'survived'
    >>> attack(lambda x: le(x**2, x), {"x": interval(0, 2)}).outcome
    'refuted'
    """
    return Numbers(lower, upper, dimensions, integer=False, often=often, role=role)


def slopes(lower: float | Fraction = -2, upper: float | Fraction = 2, *dimensions: Dimension, role: str = "") -> Variable:
    """Slopes of homogeneous activations for negative arguments: half the time ReLU, identity or absolute value.

    Examples
    --------
    >>> attack(lambda s: le(s**2, 4), {"s": slopes()}).outcome
    'survived'
    """
    return interval(lower, upper, *dimensions, often=_kinds(float(lower), float(upper)), role=role)


def _kinds(lower: float, upper: float) -> tuple[float, ...]:
    """Slopes of the activations that have names, as far as they lie in the interval: ReLU twice as often as the others."""
    return tuple(slope for slope in (0.0, 0.0, 1.0, -1.0) if lower <= slope <= upper)


@says_its_call("integers(lower, upper), as in integers(0, 6), or integers(0, 6, 'n') for n of them")
def integers(lower: int, upper: int, *dimensions: Dimension, role: str = "") -> Variable:
    """An array of integers from `lower` to `upper`, both included.

    Examples
    --------
    >>> print(attack(lambda n: le(n**2, 4), {"n": integers(0, 3)}).witness.in_words())
    n = 3
    """
    for name, value in (("lower", lower), ("upper", upper)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or abs(value) > LARGEST_INTEGER:
            raise ValueError(
                f"{name} must be an integer from -2**53 to 2**53, beyond which floats skip some, got {value!r}"
                f"{f': {_instead_of_end(value)}' if isinstance(value, str | tuple | list) else ''}"
            )
    return Numbers(lower, upper, dimensions, integer=True, role=role)


@dataclass(frozen=True)
class Derived:
    """What `function` makes of other variables, which it takes by name (and of a size, if it names one)."""

    function: Callable[..., Any]
    variables: Mapping[str, Variable]
    role: str = field(default="", repr=False)
    elements: Callable[[Sizes], Elements] | None = field(default=None, repr=False, compare=False)
    """Where several choices of the free numbers make the same: one for each value."""
    inverse: Callable[[Any], Mapping[str, Any]] | None = field(default=None, repr=False, compare=False)
    """Free numbers that make a value, for examples that are written by hand."""
    member: Callable[[Any], Any] | None = field(default=None, repr=False, compare=False)
    """Whether a value is one of these, by its definition; for values that are written by hand."""
    dimensions: tuple[Dimension, ...] = field(default=(), repr=False, compare=False)
    """The shape of a value, where it is an array."""

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """See `Variable`."""
        return coordinates_of(self.variables, sizes)

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> Any:
        """See `Variable`."""
        return call_with(self.function, {**sizes, **built(self.variables, sizes, values)})


@says_its_call("derived(function, name=variable, ...), as in derived(lambda A: A @ A.T, A=reals(2, 2))")
def derived(function: Callable[..., Any], *, role: Any = "", **variables: Variable) -> Derived:
    """The variable that `function` makes of other variables and of sizes, which it takes by name.

    A trained network gives all of it where it has a `role` (see `reals`), else what it is made of.

    Examples
    --------
    >>> gram = derived(lambda A: A @ A.T, A=reals(2, 2))
    >>> attack(lambda X: ge(X.trace(), 0), {"X": gram}).outcome
    'survived'
    """
    if not callable(function):
        raise TypeError(
            f"function must be a function of other variables, got {function!r}: write derived(lambda u: ..., u=reals())"
        )
    if not variables:
        raise TypeError(
            "derived makes a variable of others, and none is given: name them, as in derived(lambda u: ..., u=reals(3))"
        )
    return Derived(function, variables, role)


def elements_of(variables: Mapping[str, Variable], sizes: Sizes) -> Elements | None:
    """All values of variables together, each once; None where some of their free numbers are no integers."""
    parts: list[tuple[str, Elements]] = []
    for name, variable in variables.items():
        elements = _elements(variable, sizes)
        if elements is None:
            return None
        parts.append((name, elements))

    def chosen(numbers: Array) -> dict[str, Array]:
        result: dict[str, Array] = {}
        for name, (count, of_part) in parts:
            numbers, own = numbers // count, numbers % count
            result |= {f"{name}.{part}" if part else name: values for part, values in of_part(own).items()}
        return result

    return math.prod(count for _, (count, _) in parts), chosen


def _elements(variable: Variable, sizes: Sizes) -> Elements | None:
    if isinstance(variable, Derived):
        return variable.elements(sizes) if variable.elements is not None else elements_of(variable.variables, sizes)
    layout = variable.coordinates(sizes)
    if not all(coordinate.integer or 0 in coordinate.shape for coordinate in layout.values()):
        return None
    bases = {
        part: int(coordinate.upper) - int(coordinate.lower) + 1 if coordinate.integer else 1
        for part, coordinate in layout.items()
    }
    counts = {part: bases[part] ** math.prod(coordinate.shape) for part, coordinate in layout.items()}

    def chosen(numbers: Array) -> dict[str, Array]:
        result = {}
        for part, coordinate in layout.items():
            numbers, own = numbers // counts[part], numbers % counts[part]
            digits = digits_of(own, bases[part], math.prod(coordinate.shape))
            result[part] = (digits + (coordinate.lower if coordinate.integer else 0)).reshape(len(own), *coordinate.shape)
        return result

    return math.prod(counts.values()), chosen


def digits_of(numbers: Array, base: int, length: int) -> Array:
    """The digits of every number, as floats, the last one first."""
    digits = np.zeros((len(numbers), length))
    for place in range(length):
        numbers, digits[:, place] = np.divmod(numbers, base)
    return digits


@dataclass(frozen=True)
class Networks:
    """Fully connected networks with equally wide hidden layers.

    Attributes
    ----------
    depth, inputs, width, outputs
        Lengths; `width` is that of every hidden layer.
    slope
        Slope of the activation for negative arguments: a number, or an interval from which it is drawn; in half of the draws it
        is that of the ReLU, the identity or the absolute value, as far as they lie in it.
    biases
        Whether there are biases.
    role
        Which part of a trained network it is: all of it, or ``"first part"`` or ``"second part"``; see `reals`.

    Examples
    --------
    >>> affine = {"f": Networks(depth=1, inputs=1, width=1, outputs=1), "x": reals(1)}
    >>> print(attack(lambda f, x: ge(f(x), 0), affine).witness.in_words())
    f.W1 = [[0]]
    f.b1 = [-1]
    x = [0]
    """

    depth: Dimension = "depth"
    inputs: Dimension = "inputs"
    width: Dimension = "width"
    outputs: Dimension = "outputs"
    slope: int | tuple[float, float] = 0
    biases: bool = True
    role: str = field(default="network", repr=False)

    def widths(self, sizes: Sizes) -> tuple[int, ...]:
        """Widths of all layers, from the input to the output."""
        hidden = [_length(self.width, sizes)] * (_length(self.depth, sizes) - 1)
        return (_length(self.inputs, sizes), *hidden, _length(self.outputs, sizes))

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """See `Variable`."""
        result: dict[str, Coordinate] = {}
        for layer, (source, target) in enumerate(itertools.pairwise(self.widths(sizes)), start=1):
            result[f"W{layer}"] = Coordinate((target, source), role="weight")
            if self.biases:
                result[f"b{layer}"] = Coordinate((target,), role="bias")
        if isinstance(self.slope, tuple):
            result["slope"] = Coordinate((), *self.slope, often=_kinds(*self.slope))
        return result

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> FullyConnected:
        """See `Variable`."""
        from verify.networks import FullyConnected, HomogeneousActivation

        layers = range(1, _length(self.depth, sizes) + 1)
        activation: HomogeneousActivation = HomogeneousActivation(1, values.get("slope", self.slope))
        biases = [values[f"b{layer}"] for layer in layers] if self.biases else None
        return FullyConnected([values[f"W{layer}"] for layer in layers], biases, activation)

    def limits(self, value: Any) -> list[tuple[str, Any, tuple[float, float, bool]]]:
        """See `Numbers`: the slope of the activation."""
        return [("slope", value.activation.negative, (*self.slope, False))] if isinstance(self.slope, tuple) else []


def coordinates_of(variables: Mapping[str, Variable], sizes: Sizes) -> dict[str, Coordinate]:
    return {
        f"{name}.{part}" if part else name: coordinate
        for name, variable in variables.items()
        for part, coordinate in variable.coordinates(sizes).items()
    }


@dataclass(frozen=True)
class Plan:
    """How a variable of given sizes is built: which coordinates it takes, by which names, and how many axes they have."""

    name: str
    variable: Variable
    parts: tuple[tuple[str, str, int], ...]
    inner: tuple[Plan, ...]


def plans_of(variables: Mapping[str, Variable], sizes: Sizes) -> tuple[Plan, ...]:
    """The plans of all variables, which are the same for all instances of these sizes."""
    return tuple(
        Plan(
            name,
            variable,
            tuple(
                (part, f"{name}.{part}" if part else name, len(coordinate.shape))
                for part, coordinate in variable.coordinates(sizes).items()
            ),
            plans_of(variable.variables, sizes) if isinstance(variable, Derived) else (),
        )
        for name, variable in variables.items()
    )


def built(variables: Mapping[str, Variable], sizes: Sizes, values: Mapping[str, Array]) -> dict[str, Any]:
    """The variables from their coordinates; their batch axes are hidden."""
    return built_by(plans_of(variables, sizes), sizes, values)


def built_by(plans: Sequence[Plan], sizes: Sizes, values: Mapping[str, Array]) -> dict[str, Any]:
    """See `built`, of which the plans are made once for many batches."""
    result = {}
    for plan in plans:
        variable = plan.variable
        parts = {part: read_only(values[name]) for part, name, _ in plan.parts}
        if isinstance(variable, Derived):
            result[plan.name] = call_with(variable.function, {**sizes, **built_by(plan.inner, sizes, parts)})
        else:
            lead = max((np.ndim(parts[part]) - axes for part, _, axes in plan.parts), default=0)
            result[plan.name] = wrapped(variable.build(sizes, parts), lead)
    return result


def told_sizes(variables: Mapping[str, Variable], values: Mapping[str, Any]) -> dict[str, int]:
    """The sizes that values given by hand tell by their shapes."""
    sizes: dict[str, int] = {}
    for name, value in values.items():
        variable = variables.get(name)
        if isinstance(variable, Numbers | Derived) and variable.dimensions:
            pairs: list[tuple[Any, int]] = [*zip(variable.dimensions, np.shape(value), strict=False)]
        elif isinstance(variable, Networks) and hasattr(value, "widths"):
            names, lengths = (
                (variable.depth, variable.inputs, variable.outputs),
                (value.depth, value.widths[0], value.widths[-1]),
            )
            hidden = [(variable.width, value.widths[1])] if value.depth > 1 else []
            pairs = [*zip(names, lengths, strict=True), *hidden]
        else:
            continue
        sizes |= {dimension: length for dimension, length in pairs if isinstance(dimension, str)}
    return sizes


def builders(variables: Mapping[str, Variable]) -> Iterator[Callable[..., Any]]:
    for variable in variables.values():
        if isinstance(variable, Derived):
            yield variable.function
            yield from builders(variable.variables)


def read_only(value: Any) -> Any:
    """`value`; of arrays, and of tuples of them, views that cannot be written to: others look at the same numbers."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(read_only, value))
    if isinstance(value, np.ndarray) and value.flags.writeable:
        value = value.view()
        value.flags.writeable = False
    return value


def call_with(function: Callable[..., Any], available: Mapping[str, Any]) -> Any:
    """Call `function` with those of the `available` values that its parameters name; others keep their defaults.

    Raises
    ------
    TypeError
        A parameter without a default is none of them.
    """
    arguments: dict[str, Any] = {}
    for parameter in _parameters(function):
        if parameter.kind is parameter.VAR_KEYWORD:
            arguments |= available
        elif parameter.name in available and parameter.kind is not parameter.POSITIONAL_ONLY:
            arguments[parameter.name] = available[parameter.name]
        elif parameter.default is parameter.empty:
            raise TypeError(
                f"{getattr(function, '__name__', 'a function')} takes {str(parameter).partition(':')[0]!r} by its name, and "
                f"there is {', '.join(available) or 'nothing'}: write the parameters as these names"
            )
    return called(function, arguments)


@functools.lru_cache(maxsize=4096)
def _parameters(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(function).parameters.values())


def select(variables: Any, index: Any) -> Any:
    """Instances `index` of a batch of variables: arrays, networks and whatever else takes an index; tuples entrywise."""
    if isinstance(variables, tuple):
        parts = [select(entry, index) for entry in variables]
        return type(variables)(*parts) if hasattr(variables, "_fields") else tuple(parts)
    if isinstance(variables, Measured) and isinstance(variables.value, InstanceArray):
        # an error that is the same for all instances has no batch
        error = select(variables.error, index) if isinstance(variables.error, InstanceArray) else variables.error
        return Measured(select(variables.value, index), error)
    if isinstance(variables, InstanceArray | InstanceView):
        return variables.instances(index) if variables.lead else variables
    if isinstance(variables, int):  # a size, which all have
        return variables
    return variables[index]


def one_of(value: Any) -> Any:
    """The first instance of a batch of variables; what is the same for all of it, such as a depth, stays."""
    if isinstance(value, InstanceArray | InstanceView):
        return value.alone(0)
    if isinstance(value, Measured) and isinstance(value.value, InstanceArray):
        return Measured(one_of(value.value), one_of(value.error) if isinstance(value.error, InstanceArray) else value.error)
    if isinstance(value, Mapping):
        return {key: one_of(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        parts = [one_of(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if is_number(value) or (np.ndim(value) == 0 and not hasattr(value, "__getitem__")):
        return value
    return value[0]
