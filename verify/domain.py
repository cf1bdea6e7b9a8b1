"""Where a statement is claimed: sizes, variables built from coordinates, and hypotheses by name.

An instance is a choice of sizes (integers such as a depth) and of *coordinates* (arrays of real or integer numbers). The
variables that a statement takes are built from the coordinates by code that runs in both arithmetics, so that one
description serves the generator of small structured instances, the batched sampler, the optimiser (which moves the
coordinates), the exact re-check (which rounds them) and the witness file (which prints them).
"""

from __future__ import annotations

import functools
import inspect
import itertools
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.arithmetic import Array, floats, fraction, rationals
from verify.arithmetic import integer as checked_integer
from verify.exactness import exact_evaluation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from verify.networks import FullyConnected, HomogeneousActivation

Sizes: TypeAlias = Mapping[str, int]
Dimension: TypeAlias = int | str | Callable[[Sizes], int]
"""A length: a number, the name of a size, or a function of the sizes."""

STRUCTURED_LARGEST = 4
"""Largest numerator of a structured coordinate: small enough to read, large enough for every order and sign pattern."""
STRUCTURED_DENOMINATORS = (1, 1, 2, 4)
"""Denominators of structured coordinates: dyadic, so that float64 evaluates small polynomials of them without rounding."""
LARGEST_INTEGER = 2**53
"""Beyond it floats, as which integers are drawn, skip some."""


@dataclass(frozen=True)
class Coordinate:
    """An array of free numbers: its shape, its interval, whether its entries are integers, and which values are drawn often."""

    shape: tuple[int, ...]
    lower: float = -np.inf
    upper: float = np.inf
    integer: bool = False
    # how a domain is drawn is no part of what is claimed on it
    often: tuple[float, ...] = field(default=(), repr=False)


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
            raise ValueError(
                f"the length {dimension!r} must be one of the sizes of the domain ({', '.join(sizes) or 'it has none'})"
            )
        return sizes[dimension]
    return dimension(sizes)


class _Numbers:
    """An array of numbers that is its own coordinate."""

    def __init__(
        self,
        lower: float | Fraction,
        upper: float | Fraction,
        dimensions: tuple[Dimension, ...],
        *,
        integer: bool,
        often: Sequence[float | Fraction] = (),
    ) -> None:
        for name, value in (("lower", lower), ("upper", upper), *(("often", value) for value in often)):
            if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.integer | np.floating):
                raise TypeError(f"{name} must be a number, got {value!r}")
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
                )
        self._limits, self._dimensions, self._integer = (lower, upper), dimensions, integer
        self.axes = len(dimensions)
        self._lower, self._upper = _float_inside(lower, upward=True), _float_inside(upper, upward=False)
        self._often = tuple(min(max(float(value), self._lower), self._upper) for value in often)

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        shape = tuple(_length(dimension, sizes) for dimension in self._dimensions)
        return {"": Coordinate(shape, self._lower, self._upper, self._integer, self._often)}

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> Array:  # noqa: ARG002 (the protocol's signature)
        return values[""]

    def limits(self, value: Any) -> list[tuple[str, Any, tuple[float | Fraction, float | Fraction, bool]]]:
        """What a value given by hand must satisfy."""
        return [("", value, (*self._limits, self._integer))]


def _float_inside(end: float | Fraction, *, upward: bool) -> float:
    """The float nearest to the end of an interval that lies inside: 1/3 is no float, and beyond it nothing is claimed."""
    nearest = float(end)
    if isinstance(end, float) or nearest == end:
        return nearest if isinstance(end, Fraction) else end
    return float(np.nextafter(nearest, np.inf if upward else -np.inf)) if (nearest < end) is upward else nearest


def reals(*dimensions: Dimension) -> Variable:
    """An array of real numbers with the given lengths; a number if there are none."""
    return _Numbers(-np.inf, np.inf, dimensions, integer=False)


def interval(
    lower: float | Fraction, upper: float | Fraction, *dimensions: Dimension, often: Sequence[float | Fraction] = ()
) -> Variable:
    """An array of numbers in the closed interval from `lower` to `upper`, either of which may be infinite.

    The values `often`, at which a statement is special, make up half of what is drawn.
    """
    return _Numbers(lower, upper, dimensions, integer=False, often=often)


def slopes(lower: float | Fraction = -1, upper: float | Fraction = 1, *dimensions: Dimension) -> Variable:
    """Slopes of homogeneous activations for negative arguments: half the time ReLU, identity or absolute value."""
    return interval(lower, upper, *dimensions, often=_kinds(float(lower), float(upper)))


def _kinds(lower: float, upper: float) -> tuple[float, ...]:
    """Slopes of the activations that have names, as far as they lie in the interval: ReLU twice as often as the others."""
    return tuple(slope for slope in (0.0, 0.0, 1.0, -1.0) if lower <= slope <= upper)


def integers(lower: int, upper: int, *dimensions: Dimension) -> Variable:
    """An array of integers from `lower` to `upper`, both included."""
    for name, value in (("lower", lower), ("upper", upper)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or abs(value) > LARGEST_INTEGER:
            raise ValueError(f"{name} must be an integer from -2**53 to 2**53, beyond which floats skip some, got {value!r}")
    return _Numbers(lower, upper, dimensions, integer=True)


@dataclass(frozen=True)
class Derived:
    """What `function` makes of other variables, which it takes by name (and of a size, if it names one)."""

    function: Callable[..., Any]
    variables: Mapping[str, Variable]

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """See `Variable`."""
        return _coordinates(self.variables, sizes)

    def build(self, sizes: Sizes, values: Mapping[str, Array]) -> Any:
        """See `Variable`."""
        return call_with(self.function, {**sizes, **_build(self.variables, sizes, values)})


def derived(function: Callable[..., Any], **variables: Variable) -> Derived:
    """The variable that `function` makes of other variables and of sizes, which it takes by name."""
    return Derived(function, variables)


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
    """

    depth: Dimension = "depth"
    inputs: Dimension = "inputs"
    width: Dimension = "width"
    outputs: Dimension = "outputs"
    slope: int | tuple[float, float] = 0
    biases: bool = True

    def widths(self, sizes: Sizes) -> tuple[int, ...]:
        """Widths of all layers, from the input to the output."""
        hidden = [_length(self.width, sizes)] * (_length(self.depth, sizes) - 1)
        return (_length(self.inputs, sizes), *hidden, _length(self.outputs, sizes))

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """See `Variable`."""
        result: dict[str, Coordinate] = {}
        for layer, (source, target) in enumerate(itertools.pairwise(self.widths(sizes)), start=1):
            result[f"W{layer}"] = Coordinate((target, source))
            if self.biases:
                result[f"b{layer}"] = Coordinate((target,))
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
        """See `_Numbers`: the slope of the activation."""
        return [("slope", value.activation.negative, (*self.slope, False))] if isinstance(self.slope, tuple) else []


def _coordinates(variables: Mapping[str, Variable], sizes: Sizes) -> dict[str, Coordinate]:
    return {
        f"{name}.{part}" if part else name: coordinate
        for name, variable in variables.items()
        for part, coordinate in variable.coordinates(sizes).items()
    }


def _build(variables: Mapping[str, Variable], sizes: Sizes, values: Mapping[str, Array]) -> dict[str, Any]:
    result = {}
    for name, variable in variables.items():
        parts = {part: values[f"{name}.{part}" if part else name] for part in variable.coordinates(sizes)}
        result[name] = read_only(variable.build(sizes, {part: read_only(value) for part, value in parts.items()}))
    return result


def _builders(variables: Mapping[str, Variable]) -> Iterator[Callable[..., Any]]:
    for variable in variables.values():
        if isinstance(variable, Derived):
            yield variable.function
            yield from _builders(variable.variables)


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
    for one in _parameters(function):
        if one.kind is one.VAR_KEYWORD:
            arguments |= available
        elif one.name in available and one.kind is not one.POSITIONAL_ONLY:
            arguments[one.name] = available[one.name]
        elif one.default is one.empty:
            raise TypeError(
                f"{getattr(function, '__name__', 'a function')} takes {str(one).partition(':')[0]!r} by its name, and there is "
                f"{', '.join(available) or 'nothing'}: write the parameters as these names"
            )
    return function(**arguments)


@functools.lru_cache(maxsize=4096)
def _parameters(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(function).parameters.values())


@dataclass(frozen=True)
class Sample:
    """Instances of one domain with equal sizes.

    Attributes
    ----------
    sizes
        The sizes by name.
    coordinates
        The coordinates by name, all with one leading batch axis, or all without one: a single instance.
    """

    sizes: Sizes
    coordinates: Mapping[str, Array]

    def __getitem__(self, index: int | npt.NDArray[Any] | None) -> Sample:
        return Sample(self.sizes, {name: values[index] for name, values in self.coordinates.items()})

    def as_floats(self) -> Sample:
        """The nearest float64 of every coordinate."""
        return Sample(self.sizes, {name: floats(values) for name, values in self.coordinates.items()})

    def exact(self) -> Sample:
        """The same instances on rationals: every float is the rational that it is."""
        return Sample(self.sizes, {name: rationals(values) for name, values in self.coordinates.items()})


Hypothesis: TypeAlias = Callable[..., Any]
"""Takes some of the variables by name, and says for every instance of the batch whether it satisfies the hypothesis."""


def _required(function: Callable[..., Any]) -> list[str]:
    """Names of the parameters without a default."""
    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one.name for one in parameters if one.default is one.empty and one.kind not in kinds]


_EXAMPLES = {
    "variables": "{'x': reals()}",
    "sizes": "{'n': range(1, 6)}",
    "hypotheses": "{'x is positive': lambda x: compare(x, 0) > 0}",
}


Price: TypeAlias = Callable[[Sizes], int]
"""What an instance costs, relative to the cheapest of its domain."""


def equal_price(sizes: Sizes) -> int:  # noqa: ARG001 (a price that does not depend on the sizes)
    """All sizes cost the same."""
    return 1


@dataclass(frozen=True)
class Domain:
    """The instances on which a statement is claimed.

    Attributes
    ----------
    sizes
        The values that each size may take.
    variables
        What the statement takes, by the name of the parameter.
    hypotheses
        What the variables must satisfy, by a name that a report can print.
    sizes_where
        Which combinations of sizes are allowed.
    """

    variables: Mapping[str, Variable]
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=dict)
    sizes_where: Callable[[Sizes], bool] = lambda sizes: True  # noqa: ARG005

    def __post_init__(self) -> None:
        for argument in ("variables", "sizes", "hypotheses"):
            if not isinstance(getattr(self, argument), Mapping):
                kind = type(getattr(self, argument)).__name__
                raise TypeError(f"{argument} must go by name, got {kind}: write {argument}={_EXAMPLES[argument]}")
        if not self.variables:
            raise ValueError("variables must not be empty: a statement takes at least one")
        for name, variable in self.variables.items():
            if not hasattr(variable, "coordinates"):
                hint = f"interval{tuple(variable)}" if isinstance(variable, tuple | list) else "reals() or interval(0, 1)"
                raise TypeError(f"variables[{name!r}] must say how it is drawn, got {variable!r}: write {hint}")
        for name, values in self.sizes.items():
            if not isinstance(values, Sequence) or not all(isinstance(value, int) and value >= 0 for value in values):
                raise TypeError(
                    f"sizes[{name!r}] must be the integers it may be, none negative, got {values!r}: write range(1, 6)"
                )
        for name, hypothesis in self.hypotheses.items():
            if not callable(hypothesis):
                example = "lambda x: compare(x, 0) > 0"
                raise TypeError(f"hypotheses[{name!r}] must be a function of variables, got {hypothesis!r}: write {example}")
            unknown = [one for one in _required(hypothesis) if one not in self.variables]
            if unknown:
                names, known = ", ".join(map(repr, unknown)), ", ".join(self.variables)
                raise ValueError(f"the hypothesis {name!r} takes {names}, and the domain has no such variable: it has {known}")
        empty = [name for name, values in self.sizes.items() if not values]
        if empty:
            raise ValueError(f"sizes must each allow a value, got none for {', '.join(empty)}")

    def all_sizes(self) -> list[dict[str, int]]:
        """Every allowed combination of sizes, small ones first.

        Raises
        ------
        ValueError
            `sizes_where` asks for a size that the domain does not have.
        """
        combinations = (dict(zip(self.sizes, values, strict=True)) for values in itertools.product(*self.sizes.values()))
        try:
            return sorted(filter(self.sizes_where, combinations), key=lambda sizes: sum(sizes.values()))
        except KeyError as error:
            raise ValueError(f"sizes_where asks for the size {error}, the domain has {', '.join(self.sizes)}") from error

    def functions(self) -> list[Callable[..., Any]]:
        """The hypotheses, and what makes variables of others."""
        return [*self.hypotheses.values(), *_builders(self.variables)]

    def layout(self, sizes: Sizes) -> dict[str, Coordinate]:
        """The coordinates of an instance with these sizes."""
        return _coordinates(self.variables, sizes)

    def build(self, sample: Sample) -> dict[str, Any]:
        """The variables, by name, of one instance or of a batch."""
        return _build(self.variables, sample.sizes, sample.coordinates)

    def validity(self, variables: Mapping[str, Any]) -> dict[str, npt.NDArray[np.bool_]]:
        """For every hypothesis, which instances satisfy it.

        Raises
        ------
        TypeError
            A hypothesis says something else than True or False.
        """
        return {name: _truth(name, call_with(test, variables)) for name, test in self.hypotheses.items()}

    def violated(self, variables: Mapping[str, Any]) -> list[str]:
        """Names of the hypotheses that a single instance breaks; none if it is valid."""
        return [name for name, holds in self.validity(variables).items() if not np.all(holds)]

    def outside(self, variables: Mapping[str, Any]) -> list[str]:
        """Where variables that were given by hand leave their intervals or are no integers, in words; empty if nowhere."""
        found = []
        for name, variable in self.variables.items():
            limits = getattr(variable, "limits", None)
            if limits is None or name not in variables:
                continue
            for part, values, (lower, upper, integer) in limits(variables[name]):
                label = f"{name}.{part}" if part else name
                axes = getattr(variable, "axes", 0)
                if isinstance(values, list) or np.ndim(values) < axes:
                    found.append(f"{label} must be an array with {axes} axes or more, got {reprlib.repr(values)}")
                    continue
                exact = rationals(values)
                bad = [entry for entry in exact.flat if not lower <= fraction(entry) <= upper]
                if bad:
                    found.append(f"{label} must be from {lower} to {upper}, got {bad[0]}")
                broken = [entry for entry in exact.flat if integer and entry.q != 1]
                if broken:
                    found.append(f"{label} must consist of integers, got {broken[0]}")
        return found

    def structured(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """Batches of about `count` small degenerate instances in all: dyadic, many zeros, repeated and opposite rows.

        Fewer are drawn of the sizes that have a `price`: as many times fewer.
        """
        yield from self._batches(rng, count, price, _structured_numbers)

    def batched(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """Batches of about `count` random instances in all, of several magnitudes; `price` as for `structured`."""
        yield from self._batches(rng, count, price, _random_numbers)

    def of_all_sizes(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """Small batches, half structured and half random, of as many combinations of sizes as `count` affords at their `price`.

        A statement that fails at one combination only is missed where a dozen are drawn; none where a dozen are all there are.
        """
        combinations = self._allowed()
        if len(combinations) <= SIZES_OF_AN_INSTALMENT:
            return
        for index in rng.permutation(len(combinations)):
            sizes = combinations[index]
            count -= price(sizes)
            if count < 0:
                return
            layout = self.layout(sizes).items()
            halves = (
                (draw(rng, one, OF_ONE_SIZE // 2) for draw in (_structured_numbers, _random_numbers)) for _, one in layout
            )
            yield Sample(sizes, {name: np.concatenate(list(pair)) for (name, _), pair in zip(layout, halves, strict=True)})

    def _allowed(self) -> list[dict[str, int]]:
        combinations = self.all_sizes()
        if not combinations:
            raise ValueError("sizes_where must allow a combination of the sizes, it allows none")
        return combinations

    def _batches(self, rng: np.random.Generator, count: int, price: Price, draw: _Numbersource) -> Iterator[Sample]:
        combinations = self._allowed()
        # a dozen combinations of sizes an instalment keeps the batches large; `of_all_sizes` and other seeds have the others
        chosen = _covering(combinations, rng, max(1, min(len(combinations), SIZES_OF_AN_INSTALMENT, count)))
        share, rest = divmod(count, len(chosen))
        for position, index in enumerate(chosen):
            sizes = combinations[index]
            batch = -(-(share + (position < rest)) // price(sizes))
            if batch:
                layout = self.layout(sizes)
                yield Sample(sizes, {name: draw(rng, coordinate, batch) for name, coordinate in layout.items()})

    def admits(self, sample: Sample) -> bool:
        """Whether a single instance on rationals satisfies all hypotheses; in floats where they have no exact evaluation."""
        from verify.arithmetic import FloatOnly, UndecidedInstances

        try:
            with exact_evaluation():
                return not self.violated(self.build(sample[None]))
        except FloatOnly:
            try:
                with np.errstate(all="ignore"):
                    return not self.violated(self.build(sample.as_floats()[None]))
            except UndecidedInstances:
                return False
        except (UndecidedInstances, ZeroDivisionError):
            return False

    def strategy(self) -> SearchStrategy[Sample]:
        """A Hypothesis strategy of single valid instances on rationals: small integers over powers of two, which it can shrink.

        Where hypotheses are seldom met by chance, the instance is one of those that a batch of draws left over.

        Examples
        --------
        ``@given(claim.domain.strategy())`` gives a `Sample`; ``claim.domain.build(sample)`` are the variables by name.
        """
        from hypothesis import reject
        from hypothesis import strategies as st

        def coordinates(sizes: dict[str, int]) -> SearchStrategy[Sample]:
            drawn = {name: _exact_arrays(coordinate) for name, coordinate in self.layout(sizes).items()}
            return st.builds(Sample, st.just(sizes), st.fixed_dictionaries(drawn))

        candidates = st.sampled_from(self.all_sizes()).flatmap(coordinates)

        @st.composite
        def valid(draw: Callable[..., Any]) -> Sample:
            for _ in range(STRATEGY_TRIES):
                sample: Sample = draw(candidates)
                if self.admits(sample):
                    return sample
            if not (left := self._left_over()):
                reject()
            found: Sample = draw(st.sampled_from(left))
            return found

        return valid()

    def _left_over(self) -> list[Sample]:
        """Valid instances of all sizes, from batches of structured draws with a fixed seed."""
        from verify.arithmetic import UndecidedInstances

        found: list[Sample] = []
        for batch in self.structured(np.random.default_rng(0), 2_000):
            kept: list[Sample] = []
            for place in range(len(next(iter(batch.coordinates.values())))):
                try:
                    with np.errstate(all="ignore"):
                        met = not self.violated(self.build(batch[np.array([place])]))
                except UndecidedInstances:
                    met = True
                if met and self.admits(one := batch[place].exact()):
                    kept.append(one)
                if len(kept) == 3:
                    break
            found += kept
        return found


def _truth(name: str, answer: Any) -> npt.NDArray[np.bool_]:
    array = np.asarray(answer)
    if array.dtype.kind == "O" and all(isinstance(entry, bool | np.bool_) for entry in array.flat):
        array = array.astype(bool)
    if array.dtype.kind != "b":
        raise TypeError(
            f"hypothesis {name!r} must say True or False for every instance, such as x > 0, and joins two with &: it returned "
            f"{type(answer).__name__}{f' of {array.dtype}' if array.ndim else ''}"
        )
    return array


SIZES_OF_AN_INSTALMENT = 12
"""Combinations of sizes of which one call draws large batches."""
OF_ONE_SIZE = 8
"""Instances of each combination where all combinations are drawn."""


def _covering(combinations: Sequence[Sizes], rng: np.random.Generator, count: int) -> list[int]:
    """Indices of `count` combinations, drawn so that every value of every size, then every pair of values, is met early."""
    order = rng.permutation(len(combinations))
    if count >= len(combinations):
        return sorted(order.tolist())
    values = np.array([list(combinations[index].values()) for index in order])
    names = range(values.shape[1])
    # a column for each value of a size, and one for each pair of values
    single = [values[:, one] for one in names]
    pairs = [values[:, one] * (1 + int(values.max())) + values[:, two] for one in names for two in names if one < two]
    columns = [
        (np.unique(column, return_inverse=True)[1], weight) for part, weight in ((single, 64), (pairs, 1)) for column in part
    ]
    new = [np.ones(int(codes.max()) + 1, dtype=int) for codes, _ in columns]
    chosen: list[int] = []
    left = np.ones(len(order), dtype=bool)
    for _ in range(count):
        gain = sum(weight * fresh[codes] for (codes, weight), fresh in zip(columns, new, strict=True))
        place = int(np.argmax(np.where(left, gain, -1)))
        left[place] = False
        chosen.append(int(order[place]))
        for (codes, _), fresh in zip(columns, new, strict=True):
            fresh[codes[place]] = 0
    return sorted(chosen)


STRATEGY_TRIES = 4
"""Draws of a strategy before it falls back on instances that are known to be valid."""

_Numbersource: TypeAlias = Callable[[np.random.Generator, Coordinate, int], Array]


def _random_numbers(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    shape = (batch, *coordinate.shape)
    lower, upper = coordinate.lower, coordinate.upper
    if coordinate.integer:
        return rng.integers(int(lower), int(upper) + 1, size=shape).astype(np.float64)
    if np.isfinite(lower) and np.isfinite(upper):
        # by halves: the length of the interval may be beyond the largest float
        return _often(rng, coordinate, np.clip(2 * rng.uniform(lower / 2, upper / 2, size=shape), lower, upper))
    magnitude = np.exp2(rng.integers(-2, 2, size=(batch,) + (1,) * len(coordinate.shape)))
    values = magnitude * rng.standard_normal(shape)
    return _often(rng, coordinate, _into(values, lower, upper))


def _often(rng: np.random.Generator, coordinate: Coordinate, values: Array) -> Array:
    """`values`, half of them replaced by those that are drawn often."""
    if not coordinate.often:
        return values
    special = rng.choice(coordinate.often, size=values.shape)
    return np.asarray(np.where(rng.random(values.shape) < 0.5, special, values))


def _structured_numbers(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    shape = (batch, *coordinate.shape)
    if coordinate.integer:
        return rng.integers(int(coordinate.lower), int(coordinate.upper) + 1, size=shape).astype(np.float64)
    each = (batch,) + (1,) * len(coordinate.shape)
    denominator = rng.choice(STRUCTURED_DENOMINATORS, size=each)
    values = rng.integers(-STRUCTURED_LARGEST, STRUCTURED_LARGEST + 1, size=shape) / denominator
    values = values * (rng.random(shape) >= rng.choice([0.0, 0.3, 0.6], size=each))
    if len(coordinate.shape) and coordinate.shape[0] > 1:
        # every fourth instance has its second row equal, opposite or proportional to its first
        change = rng.random(batch) < 0.25
        factor = rng.choice([1.0, -1.0, 2.0], size=(batch,) + (1,) * (len(coordinate.shape) - 1))
        values[change, 1] = (factor * values[:, 0])[change]
    return _often(rng, coordinate, _into(values, coordinate.lower, coordinate.upper))


def _into(values: Array, lower: float, upper: float) -> Array:
    """Fold `values` into the interval: by reflection at a single bound, by wrapping around between two."""
    if np.isfinite(lower) and np.isfinite(upper):
        # both bounds themselves are drawn, too
        steps = 4 * STRUCTURED_LARGEST
        share = np.mod(np.rint(4 * values), steps + 1) / steps
        length = upper - lower
        inside = lower + length * share if np.isfinite(length) else lower * (1 - share) + upper * share
        return np.asarray(np.clip(inside, lower, upper))
    if np.isfinite(lower):
        return np.asarray(lower + np.abs(values))
    return np.asarray(upper - np.abs(values) if np.isfinite(upper) else values)


def _exact_arrays(coordinate: Coordinate) -> SearchStrategy[Array]:
    from hypothesis import strategies as st

    length = int(np.prod(coordinate.shape, dtype=int))
    if coordinate.integer:
        entries = st.integers(int(coordinate.lower), int(coordinate.upper)).map(float)
    else:
        numerators = st.integers(-STRUCTURED_LARGEST, STRUCTURED_LARGEST)
        entries = st.builds(lambda top, bottom: top / bottom, numerators, st.sampled_from(STRUCTURED_DENOMINATORS))

    if coordinate.often:
        entries = st.one_of(st.sampled_from(coordinate.often), entries)

    def array(values: list[float]) -> Array:
        shaped = np.array(values, dtype=np.float64).reshape(coordinate.shape)
        return rationals(shaped if coordinate.integer else _into(shaped, coordinate.lower, coordinate.upper))

    return st.lists(entries, min_size=length, max_size=length).map(array)


def select(variables: Any, index: Any) -> Any:
    """Instances `index` of a batch of variables: arrays, networks and whatever else takes an index; tuples entrywise."""
    if isinstance(variables, tuple):
        return tuple(select(entry, index) for entry in variables)
    return variables[index]
