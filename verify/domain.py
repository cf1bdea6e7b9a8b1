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

from verify.arithmetic import Array, floats, fraction, integer, is_exact, precision, rationals
from verify.draws import (
    ALL_INSTANCES,
    LEAST_COMMON,
    OF_COMMON_FORMS,
    OF_EQUAL_NUMBERS,
    OF_ONE_SIZE,
    OF_SPECIAL_FORMS,
    SIZES_OF_AN_INSTALMENT,
    SPECIAL_FORMS,
    NumberSource,
    common_forms,
    covering,
    equal_numbers,
    exact_arrays,
    random_numbers,
    related_numbers,
    special_forms,
    structured_numbers,
)
from verify.exactness import exact_evaluation
from verify.instances import InstanceArray, wrapped
from verify.variables import Coordinate, Sizes, Variable, builders, built, call_with, coordinates_of, one_of, told_sizes

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


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
"""Takes some of the variables by name, and says for every instance of the batch whether it satisfies the hypothesis."""


def _whole(value: Any) -> Any:
    """A rational that is an integer as such: by hand all numbers are rationals."""
    return int(value) if isinstance(value, fmpq) and value.q == 1 else value


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
    one_instance
        Whether the statement, the hypotheses and what derives variables are functions of one instance (see `verify.words`),
        which take the sizes by name, too; else of arrays with a batch axis.
    """

    variables: Mapping[str, Variable]
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=dict)
    sizes_where: Callable[[Sizes], bool] = lambda sizes: True  # noqa: ARG005
    one_instance: bool = False

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
            unknown = [one for one in _required(hypothesis) if one not in self.variables and one not in self.sizes]
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
        """The variables, by name, of one instance or of a batch; of one instance each, the sizes are among them."""
        if self.one_instance:
            return {**sample.sizes, **built(self.variables, sample.sizes, sample.coordinates, one_instance=True)}
        return built(self.variables, sample.sizes, sample.coordinates)

    @property
    def told(self) -> tuple[str, ...]:
        """Names of the sizes, where a statement may take them."""
        return tuple(self.sizes) if self.one_instance else ()

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Variables that were given by hand, as a statement takes them; sizes that arrays and networks tell are added.

        A size that nothing tells, such as the number of layers of vectors, may be among them.
        """
        if not self.one_instance:
            return dict(values)
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
            for part, values, (lower, upper, whole) in limits(variables[name]):
                label = f"{name}.{part}" if part else name
                axes = getattr(variable, "axes", 0)
                if isinstance(values, list) or np.ndim(values) < axes:
                    found.append(f"{label} must be an array with {axes} axes or more, got {reprlib.repr(values)}")
                    continue
                exact = rationals(values)
                bad = [entry for entry in exact.flat if not lower <= fraction(entry) <= upper]
                if bad:
                    found.append(f"{label} must be from {lower} to {upper}, got {bad[0]}")
                broken = [entry for entry in exact.flat if whole and entry.q != 1]
                if broken:
                    found.append(f"{label} must consist of integers, got {broken[0]}")
        return found

    def structured(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """Batches of about `count` small degenerate instances in all: dyadic, many zeros, repeated and opposite rows.

        Fewer are drawn of the sizes that have a `price`: as many times fewer.
        """
        yield from self._batches(rng, count, price, structured_numbers)

    def batched(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """Batches of about `count` random instances in all, of several magnitudes; `price` as for `structured`.

        Where there are few instances, for all coordinates are integers of short ranges, all are yielded once.
        """
        if 0 < sum(self._instances(sizes) * price(sizes) for sizes in self._allowed()) <= ALL_INSTANCES * count:
            yield from map(self._every_instance, self._allowed())
        else:
            yield from self._batches(rng, count, price, random_numbers)

    def _instances(self, sizes: Sizes) -> float:
        """How many instances there are with these sizes."""
        ones = self.layout(sizes).values()
        if not all(one.integer for one in ones):
            return math.inf
        ranges = ((int(one.upper) - int(one.lower) + 1, math.prod(one.shape)) for one in ones)
        return math.exp2(sum(length * math.log2(values) for values, length in ranges))

    def _every_instance(self, sizes: Sizes) -> Sample:
        layout = self.layout(sizes)
        ranges = [range(int(one.lower), int(one.upper) + 1) for one in layout.values() for _ in range(math.prod(one.shape))]
        table = np.array(list(itertools.product(*ranges)), dtype=np.float64)
        coordinates, start = {}, 0
        for name, one in layout.items():
            end = start + math.prod(one.shape)
            coordinates[name] = table[:, start:end].reshape(len(table), *one.shape)
            start = end
        return Sample(sizes, coordinates)

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
            halves = ((draw(rng, one, OF_ONE_SIZE // 2) for draw in (structured_numbers, random_numbers)) for _, one in layout)
            yield Sample(sizes, {name: np.concatenate(list(pair)) for (name, _), pair in zip(layout, halves, strict=True)})

    def of_equal_numbers(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """A few instances of arrays with equal entries, of as many combinations of sizes as `count` affords at their `price`.

        Means attain their bounds there, and of many numbers chance seldom draws more than a few that are equal.
        """
        combinations = self._allowed()
        batch = max(2, min(OF_EQUAL_NUMBERS // len(combinations), count // 4))
        for index in rng.permutation(len(combinations)):
            sizes = combinations[index]
            layout = self.layout(sizes)
            if all(math.prod(one.shape) < 2 for one in layout.values()):
                continue
            count -= price(sizes)
            if count < 0:
                return
            yield Sample(sizes, {name: equal_numbers(rng, coordinate, batch) for name, coordinate in layout.items()})

    def of_special_forms(self, rng: np.random.Generator, count: int, price: Price = equal_price) -> Iterator[Sample]:
        """A few instances of low rank, of units, of other magnitudes, and of arrays that fit one another.

        They are of as many combinations of sizes as `count` affords. Of many rows chance draws none of rank two, of many layers
        none of norm one, of unbounded numbers none far from one, and of two arrays none that are equal.
        """
        combinations = self._allowed()
        batch = SPECIAL_FORMS * max(1, min(8, OF_SPECIAL_FORMS // len(combinations), count // 4))
        most = min(48, OF_COMMON_FORMS // len(combinations), count)
        least = min(LEAST_COMMON, max(LEAST_COMMON // 2, count // 4))
        for index in rng.permutation(len(combinations)):
            sizes = combinations[index]
            layout = self.layout(sizes)
            own = {name: special_forms(rng, coordinate, batch) for name, coordinate in layout.items()}
            fitting = max(least, most // price(sizes))
            count -= price(sizes)
            if count < 0:
                return
            parts = (own, common_forms(rng, layout, fitting), related_numbers(rng, layout, fitting // 2))
            yield Sample(sizes, {name: np.concatenate([part[name] for part in parts]) for name in layout})

    def _allowed(self) -> list[dict[str, int]]:
        combinations = self.all_sizes()
        if not combinations:
            raise ValueError("sizes_where must allow a combination of the sizes, it allows none")
        return combinations

    def _batches(self, rng: np.random.Generator, count: int, price: Price, draw: NumberSource) -> Iterator[Sample]:
        combinations = self._allowed()
        # a dozen combinations of sizes an instalment keeps the batches large; `of_all_sizes` and other seeds have the others
        chosen = covering(combinations, rng, max(1, min(len(combinations), SIZES_OF_AN_INSTALMENT, count)))
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
            drawn = {name: exact_arrays(coordinate) for name, coordinate in self.layout(sizes).items()}
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
    if isinstance(answer, InstanceArray):
        answer = answer.all().values
    array = np.asarray(answer)
    if array.dtype.kind == "O" and all(isinstance(entry, bool | np.bool_) for entry in array.flat):
        array = array.astype(bool)
    if array.dtype.kind != "b":
        raise TypeError(
            f"hypothesis {name!r} must say True or False for every instance, such as x > 0, and joins two with &: it returned "
            f"{type(answer).__name__}{f' of {array.dtype}' if array.ndim else ''}"
        )
    return array


STRATEGY_TRIES = 4
"""Draws of a strategy before it falls back on instances that are known to be valid."""
