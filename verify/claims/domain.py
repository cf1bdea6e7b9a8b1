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
import math
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.claims.draws import (
    ALL_INSTANCES,
    LEAST_COMMON,
    LEAST_SHARE,
    OF_COMMON_FORMS,
    OF_EQUAL_NUMBERS,
    OF_ONE_SIZE,
    OF_SPECIAL_FORMS,
    SIZES_AT_ONCE,
    SPECIAL_FORMS,
    Kinds,
    NumberSource,
    covering,
    exact_arrays,
    of_many_kinds,
    random_numbers,
    structured_numbers,
)
from verify.claims.variables import (
    Coordinate,
    Derived,
    Dimension,
    Plan,
    Sizes,
    Variable,
    builders,
    built_by,
    call_with,
    coordinates_of,
    elements_of,
    one_of,
    plans_of,
    says_its_call,
    told_sizes,
)
from verify.instances import InstanceArray, wrapped
from verify.numbers.arithmetic import Array, UndecidedInstances, floats, fraction, integer, is_exact, precision, rationals
from verify.numbers.exactness import exact_evaluation
from verify.numbers.relation import Relation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


LISTED_TOGETHER = 10_000
"""Most instances of a batch where all are listed: what is computed of it on the way takes room, too. As many as of a batch
of random numbers that is not kept."""
BITS = 1024
"""Precision of the balls of an instance that is shown: as large as that of a decision."""


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
        chosen = {name: values[index] for name, values in self.coordinates.items()}
        if isinstance(index, int):  # a view of one instance would keep all others of its batch in memory
            chosen = {name: values.copy() if isinstance(values, np.ndarray) else values for name, values in chosen.items()}
        return Sample(self.sizes, chosen)

    def as_floats(self) -> Sample:
        """The nearest float64 of every coordinate."""
        return Sample(self.sizes, {name: floats(values) for name, values in self.coordinates.items()})

    def exact(self) -> Sample:
        """The same instances on rationals: every float is the rational that it is."""
        return Sample(self.sizes, {name: rationals(values) for name, values in self.coordinates.items()})


Hypothesis: TypeAlias = Callable[..., Any]
"""Takes some of the variables and sizes by name, and says whether the instance satisfies the hypothesis."""


def _whole(value: Any) -> Any:
    """A rational that is an integer as such: by hand all numbers are rationals."""
    return int(value) if isinstance(value, fmpq) and value.q == 1 else value


def _required(function: Callable[..., Any]) -> list[str]:
    """Names of the parameters without a default."""
    parameters = inspect.signature(function).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.default is parameter.empty and parameter.kind not in kinds]


_EXAMPLES = {
    "variables": "{'x': reals()}",
    "sizes": "{'n': range(1, 6)}",
    "hypotheses": "{'x is positive': lambda x: x > 0}",
}


Cost: TypeAlias = Callable[[Sizes], int]
"""What an instance costs, relative to the cheapest of its domain."""


def equal_cost(sizes: Sizes) -> int:  # noqa: ARG001 (a cost that does not depend on the sizes)
    """All sizes cost the same."""
    return 1


@says_its_call("Domain({'x': reals('n')}, {'n': range(1, 4)}, {'x is positive': lambda x: (x > 0).all()})")
@dataclass(frozen=True)
class Domain:
    """The instances on which a statement is claimed.

    The statement, the hypotheses and what derives variables are functions of one instance (see `verify.words`), which take
    variables and sizes by name.

    Attributes
    ----------
    sizes
        The values that each size may take. Where they number kinds of instances: what each kind is, in words.
    variables
        What the statement takes, by the name of the parameter.
    hypotheses
        What the variables must satisfy, by a name that a report can print.
    sizes_where
        Which combinations of sizes are allowed.

    Examples
    --------
    >>> domain = Domain({"p": interval(0, 1, "n")}, {"n": range(1, 4)}, {"p is positive": lambda p: p.min() > 0})
    >>> domain.all_sizes()
    [{'n': 1}, {'n': 2}, {'n': 3}]
    >>> domain.outside({"p": rationals([2])})
    ['p must be from 0 to 1, got 2']
    """

    variables: Mapping[str, Variable]
    sizes: Mapping[str, Sequence[int] | Mapping[int, str]] = field(default_factory=dict)
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
                ends = tuple(variable) if isinstance(variable, tuple | list) else ()
                hint = f"interval{ends}" if len(ends) == 2 else "reals() or interval(0, 1)"
                raise TypeError(f"variables[{name!r}] must say how it is drawn, got {variable!r}: write {hint}")
        for name, values in self.sizes.items():
            if not isinstance(values, Sequence | Mapping) or not all(isinstance(value, int) and value >= 0 for value in values):
                raise TypeError(
                    f"sizes[{name!r}] must be the integers it may be, none negative, got {values!r}: write range(1, 6)"
                )
            kinds = values.values() if isinstance(values, Mapping) else ()
            if not all(isinstance(kind, str) and kind.strip() for kind in kinds):
                raise TypeError(f"sizes[{name!r}] must say of each integer in words what it stands for, got {values!r}")
        for name, hypothesis in self.hypotheses.items():
            if not callable(hypothesis):
                example = "lambda x: x > 0"
                raise TypeError(f"hypotheses[{name!r}] must be a function of variables, got {hypothesis!r}: write {example}")
            unknown = [name for name in _required(hypothesis) if name not in self.variables and name not in self.sizes]
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
        return [sizes.copy() for sizes in self._all_sizes]

    @functools.cached_property
    def _all_sizes(self) -> list[dict[str, int]]:
        combinations = (dict(zip(self.sizes, values, strict=True)) for values in itertools.product(*self.sizes.values()))
        try:
            return sorted(filter(self.sizes_where, combinations), key=lambda sizes: sum(sizes.values()))
        except KeyError as error:
            raise ValueError(f"sizes_where asks for the size {error}, the domain has {', '.join(self.sizes)}") from error

    def kinds(self, sizes: Sizes) -> dict[str, str]:
        """What the sizes that number kinds of instances stand for, in words."""
        return {name: values[sizes[name]] for name, values in self.sizes.items() if isinstance(values, Mapping)}

    def functions(self) -> list[Callable[..., Any]]:
        """The hypotheses, and what makes variables of others."""
        return [*self.hypotheses.values(), *builders(self.variables)]

    def layout(self, sizes: Sizes) -> dict[str, Coordinate]:
        """The coordinates of an instance with these sizes."""
        key = tuple(sizes.items())
        if key not in self._layouts:
            self._layouts[key] = coordinates_of(self.variables, sizes)
        return self._layouts[key]

    @functools.cached_property
    def _layouts(self) -> dict[tuple[tuple[str, int], ...], dict[str, Coordinate]]:
        """The layouts that were asked for."""
        return {}

    def build(self, sample: Sample) -> dict[str, Any]:
        """The variables and the sizes, by name, of one instance or of a batch."""
        key = tuple(sample.sizes.items())
        if key not in self._plans:
            self._plans[key] = plans_of(self.variables, sample.sizes)
        return {**sample.sizes, **built_by(self._plans[key], sample.sizes, sample.coordinates)}

    @functools.cached_property
    def _plans(self) -> dict[tuple[tuple[str, int], ...], tuple[Plan, ...]]:
        """How the variables are built, for sizes that were asked for."""
        return {}

    @property
    def told(self) -> tuple[str, ...]:
        """Names of the sizes, where a statement may take them."""
        return tuple(self.sizes)

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Variables that were given by hand, as a statement takes them; sizes that arrays and networks tell are added.

        A size that nothing tells, such as the number of layers of vectors, may be among them.
        """
        named = [name for name in values if name in self.sizes and name not in self.variables]
        return {
            **told_sizes(self.variables, values),
            **{name: wrapped(value, 0) for name, value in values.items()},
            **{name: integer(name, _whole(values[name]), 0, ": it is a size") for name in named},
        }

    def instance(self, sample: Sample) -> dict[str, Any]:
        """The variables, by name, of one instance, without a batch axis.

        They are built as a batch of one: what derives a variable is written for batches.
        """
        exact = any(is_exact(values) for values in sample.coordinates.values())
        with np.errstate(all="ignore"), precision(BITS), exact_evaluation(active=exact):
            return {name: one_of(value) for name, value in self.build(sample[None]).items() if name in self.variables}

    def on_rationals(self, sample: Sample) -> Sample:
        """The same instances on rationals: a float is what it is, or the end of the interval that it stands for."""
        layout = self.layout(sample.sizes)
        return Sample(sample.sizes, {name: layout[name].on_rationals(values) for name, values in sample.coordinates.items()})

    def validity(self, variables: Mapping[str, Any]) -> dict[str, npt.NDArray[np.bool_]]:
        """For every hypothesis, which instances satisfy it.

        Raises
        ------
        TypeError
            A hypothesis says something else than True or False.
        """
        return {name: _truth(name, call_with(test, variables)) for name, test in self.hypotheses.items()}

    def violated(self, variables: Mapping[str, Any]) -> list[str]:
        """Names of the hypotheses that a single instance breaks; none if it is feasible."""
        return [name for name, holds in self.validity(variables).items() if not np.all(holds)]

    def outside(self, variables: Mapping[str, Any]) -> list[str]:
        """Where variables that were given by hand leave their intervals or families, in words; empty if nowhere."""
        problems = []
        for name, variable in self.variables.items():
            if name in variables and isinstance(variable, Derived) and not _is_member(variable, variables[name]):
                family = variable.member.__qualname__.partition(".")[0] if variable.member is not None else ""
                shown = reprlib.repr(getattr(variables[name], "tolist", lambda name=name: variables[name])())
                problems.append(f"{name} must be of the family {family}, got {shown}")
            elif name in variables:
                problems += _other_lengths(name, variable, variables[name])
            limits = getattr(variable, "limits", None)
            if limits is None or name not in variables:
                continue
            for part, values, (lower, upper, whole) in limits(variables[name]):
                label = f"{name}.{part}" if part else name
                axes = getattr(variable, "axes", 0)
                if isinstance(values, list) or np.ndim(values) != axes:  # a list is ragged
                    wanted = f"an array with {axes} {'axis' if axes == 1 else 'axes'}" if axes else "one number"
                    got = values if isinstance(values, list) else np.asarray(values).tolist()
                    problems.append(f"{label} must be {wanted}, got {reprlib.repr(got)}")
                    continue
                exact = rationals(values)
                bad = [entry for entry in exact.flat if not lower <= fraction(entry) <= upper]
                if bad:
                    problems.append(f"{label} must be from {lower} to {upper}, got {bad[0]}")
                broken = [entry for entry in exact.flat if whole and entry.q != 1]
                if broken:
                    problems.append(f"{label} must consist of integers, got {broken[0]}")
        return problems

    def structured(self, rng: np.random.Generator, count: int, cost: Cost = equal_cost) -> Iterator[Sample]:
        """Batches of about `count` small degenerate instances in all: dyadic, many zeros, repeated and opposite rows.

        Fewer are drawn of the sizes that have a `cost`: as many times fewer.
        """
        yield from self._batches(rng, count, cost, structured_numbers)

    def batched(self, rng: np.random.Generator, count: int, cost: Cost = equal_cost) -> Iterator[Sample]:
        """Batches of about `count` random instances in all, of several magnitudes; `cost` as for `structured`.

        Where there are few instances, for all coordinates are integers of short ranges, all are yielded once.
        """
        if self.are_all_listed(count, cost):
            yield from self._listed(self._allowed)
        else:
            yield from self._batches(rng, count, cost, random_numbers)

    def exhaustible(self, most: int, cost: Cost = equal_cost) -> list[dict[str, int]]:
        """The combinations of sizes, small ones first, whose instances are few enough that `most` evaluations meet them all."""
        combinations, spent = [], 0.0
        for sizes in sorted(self._allowed, key=self._instances):
            spent += self._instances(sizes) * cost(sizes)
            if spent > most:
                break
            combinations.append(sizes)
        return combinations

    def exhausted(self, batched: int, most: int, cost: Cost = equal_cost) -> Iterator[Sample]:
        """All instances of the sizes that are exhaustible, but where `batched` yields them for its count."""
        if not self.are_all_listed(batched, cost):
            yield from self._listed(self.exhaustible(most, cost))

    def instances_of(self, sizes: Sizes) -> int:
        """How many different instances there are with these sizes; 0 where they are not countable."""
        elements = elements_of(self.variables, sizes)
        return 0 if elements is None else elements[0]

    def _instances(self, sizes: Sizes) -> float:
        return self.instances_of(sizes) or math.inf

    def are_all_listed(self, count: int, cost: Cost = equal_cost) -> bool:
        """Whether `batched` yields all instances for this count: all are integers, and there are few."""
        return sum(self._instances(sizes) * cost(sizes) for sizes in self._allowed) <= ALL_INSTANCES * count

    def _listed(self, combinations: Sequence[Sizes]) -> Iterator[Sample]:
        for sizes in combinations:
            elements = elements_of(self.variables, sizes)
            assert elements is not None
            count, chosen = elements
            for start in range(0, count, LISTED_TOGETHER):
                yield Sample(sizes, dict(chosen(np.arange(start, min(start + LISTED_TOGETHER, count)))))

    @functools.cached_property
    def ordinary(self) -> int:
        """With so many instances of the usual kinds a batch of `of_special_forms` begins; none where a dozen sizes are all."""
        return OF_ONE_SIZE if len(self._allowed) > SIZES_AT_ONCE else 0

    def of_special_forms(
        self, rng: np.random.Generator, count: int, cost: Cost = equal_cost, *, share: int = 1
    ) -> Iterator[Sample]:
        """Small batches of as many combinations of sizes as `count` affords at their `cost`; of a `share`, one in so many.

        First come the `ordinary` instances: a statement that fails at one combination only is missed where a dozen are drawn.
        Then arrays of equal numbers, at which means attain their bounds; and in the first half of the batches low rank, units,
        other magnitudes, and arrays that fit one another. Of many rows chance draws none of rank two, of many layers none of
        norm one, of unbounded numbers none far from one, and of two arrays none that are equal.
        """
        combinations = self._allowed
        chosen = rng.permutation(len(combinations))[: -(-len(combinations) // share)]
        count = max(min(count, LEAST_SHARE), count // share)
        half = count // 2
        equal = max(2, min(OF_EQUAL_NUMBERS // len(combinations), count // 4))
        special = SPECIAL_FORMS * max(1, min(8, OF_SPECIAL_FORMS // len(combinations), half // 4))
        most = min(48, OF_COMMON_FORMS // len(combinations), half)
        least = min(LEAST_COMMON, max(LEAST_COMMON // 2, half // 4))
        for index in chosen:
            sizes = combinations[index]
            layout = self.layout(sizes)
            count, half = count - cost(sizes), half - cost(sizes)
            if count < 0:
                return
            alike = 0 if all(math.prod(coordinate.shape) < 2 for coordinate in layout.values()) else equal
            fitting = max(least, most // cost(sizes)) if half >= 0 else 0
            # what is related has sixteen kinds
            kinds = Kinds(self.ordinary, alike, special if half >= 0 else 0, fitting, fitting)
            if self.ordinary or alike or fitting:
                yield Sample(sizes, of_many_kinds(rng, layout, kinds))

    @functools.cached_property
    def _allowed(self) -> list[dict[str, int]]:
        """Every allowed combination of sizes, of which there is one."""
        combinations = self.all_sizes()
        if not combinations:
            raise ValueError("sizes_where must allow a combination of the sizes, it allows none")
        return combinations

    def _batches(self, rng: np.random.Generator, count: int, cost: Cost, draw: NumberSource) -> Iterator[Sample]:
        combinations = self._allowed
        # a dozen combinations of sizes at once keep the batches large; `of_all_sizes` and other seeds have the others
        chosen = covering(combinations, rng, max(1, min(len(combinations), SIZES_AT_ONCE, count)))
        share, remainder = divmod(count, len(chosen))
        for position, index in enumerate(chosen):
            sizes = combinations[index]
            batch = -(-(share + (position < remainder)) // cost(sizes))
            if batch:
                layout = self.layout(sizes)
                yield Sample(sizes, {name: draw(rng, coordinate, batch) for name, coordinate in layout.items()})

    def admits(self, sample: Sample) -> bool:
        """Whether a single instance on rationals satisfies all hypotheses; in floats where they have no exact evaluation."""
        from verify.numbers.arithmetic import FloatOnly, UndecidedInstances

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
        """A Hypothesis strategy of single feasible instances: small integers over powers of two, which it can shrink.

        Where hypotheses are seldom met by chance, the instance is one of those that a batch of draws left over.

        Examples
        --------
        ``@given(claim.domain.strategy())`` gives a `Sample`; ``claim.domain.build(sample)`` are the variables by name.
        """
        from hypothesis import reject
        from hypothesis import strategies as st

        def coordinates(sizes: dict[str, int]) -> SearchStrategy[Sample]:
            drawn = {name: exact_arrays(coordinate) for name, coordinate in self.layout(sizes).items()}
            return st.builds(Sample, st.just(sizes), st.fixed_dictionaries(drawn))

        candidates = st.sampled_from(self.all_sizes()).flatmap(coordinates)

        @st.composite
        def feasible(draw: Callable[..., Any]) -> Sample:
            for _ in range(STRATEGY_TRIES):
                sample: Sample = draw(candidates)
                if self.admits(sample):
                    return sample
            if not self._left_over:
                reject()
            instance: Sample = draw(st.sampled_from(self._left_over))
            return instance

        return feasible()

    @functools.cached_property
    def _left_over(self) -> list[Sample]:
        """Valid instances of all sizes, from batches of structured draws with a fixed seed."""
        from verify.numbers.arithmetic import UndecidedInstances

        samples: list[Sample] = []
        for batch in self.structured(np.random.default_rng(0), 2_000):
            kept: list[Sample] = []
            for place in range(len(next(iter(batch.coordinates.values())))):
                try:
                    with np.errstate(all="ignore"):
                        met = not self.violated(self.build(batch[np.array([place])]))
                except UndecidedInstances:
                    met = True
                if met and self.admits(instance := self.on_rationals(batch[place])):
                    kept.append(instance)
                if len(kept) == 3:
                    break
            samples += kept
        return samples


def _is_member(variable: Derived, value: Any) -> bool:
    """Whether a value that was given by hand is of a family, as far as its definition can be decided there."""
    if variable.member is None:
        return True
    array = value if isinstance(value, InstanceArray) else wrapped(np.asarray(value), 0)
    if len(array.shape) != len(variable.dimensions) or not _has_lengths(array.shape, variable.dimensions):
        return False
    if not is_exact(array) and not np.isfinite(floats(array.values)).all():
        return False
    with exact_evaluation(active=is_exact(array)):
        try:
            return bool(np.all(variable.member(array)))
        except UndecidedInstances:
            return True


def _has_lengths(shape: Sequence[int], dimensions: Sequence[Dimension]) -> bool:
    """Whether axes of one dimension have one length, and those with a number that one."""
    lengths: dict[Dimension, int] = {length: length for length in dimensions if isinstance(length, int)}
    return all(length == lengths.setdefault(dimension, length) for dimension, length in zip(dimensions, shape, strict=True))


def _other_lengths(name: str, variable: Variable, value: Any) -> list[str]:
    """Where two axes that have the same size by name have different lengths."""
    dimensions, shape = getattr(variable, "dimensions", ()), getattr(value, "shape", ())
    told: dict[str, int] = {}
    for dimension, length in zip(dimensions, shape, strict=False):
        if isinstance(dimension, str) and told.setdefault(dimension, length) != length:
            return [f"{name} must have as many rows as columns, {dimension}, got the shape {shape}"]
    return []


def _truth(name: str, answer: Any) -> npt.NDArray[np.bool_]:
    array = answer.values if isinstance(answer, InstanceArray) else np.asarray(answer)
    if array.dtype.kind == "O" and all(isinstance(entry, bool | np.bool_) for entry in array.flat):
        array = array.astype(bool)
    if array.dtype.kind != "b":
        if isinstance(answer, Relation):
            raise TypeError(f"hypothesis {name!r} returned a relation: write holds(...) of it, or x <= y for le(x, y)")
        raise TypeError(
            f"hypothesis {name!r} must say True or False for every instance, such as x > 0, and joins two with &: it returned "
            f"{type(answer).__name__}{f' of {array.dtype}' if array.ndim else ''}"
        )
    return InstanceArray(array, answer.lead).all().values if isinstance(answer, InstanceArray) else array


STRATEGY_TRIES = 4
"""Draws of a strategy before it falls back on instances that are known to be feasible: where every other draw is feasible,
one example in sixteen is one of those."""
