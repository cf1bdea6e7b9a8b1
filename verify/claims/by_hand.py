"""Instances that are written by hand, as the samples of a domain: sizes, and free numbers on rationals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from verify.claims.claim import given
from verify.claims.domain import Domain, Sample
from verify.claims.variables import Coordinate, Derived, Networks, Variable
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, fraction, rationals
from verify.numbers.exactness import exact_evaluation


def samples_by_hand(domain: Domain, examples: Iterable[Mapping[str, Any]], where: str) -> list[Sample]:
    """The examples as exact samples; `where` says in errors whose they are.

    Raises
    ------
    ValueError
        One does not lie in the domain; the message says what is wrong and what is accepted.
    """
    return [_sample(domain, example, f"{where}examples[{place}]") for place, example in enumerate(examples)]


def _sample(domain: Domain, example: Mapping[str, Any], label: str) -> Sample:
    sizes = {name: value for name, value in example.items() if name in domain.sizes and name not in domain.variables}
    values = {name: value for name, value in example.items() if name not in sizes}
    numbers: dict[str, Any] = {}
    for name, variable in domain.variables.items():
        parts = {key: value for key, value in values.items() if key.startswith(f"{name}.")}
        if name in values:
            numbers |= _free_numbers(name, variable, values[name], label)
        elif parts:
            numbers |= {key: _exact(value, f"{label}: {key}") for key, value in parts.items()}
        else:
            raise ValueError(f"{label} must give all variables, and {name} is missing: it has {', '.join(example) or 'none'}")
    unknown = [name for name in values if name not in domain.variables and name not in numbers]
    if unknown:
        known = ", ".join([*domain.variables, *domain.sizes])
        raise ValueError(f"{label} gives {', '.join(unknown)}, and the domain has no such variable or size: it has {known}")
    sample = Sample(_sizes(domain, numbers, sizes, label), numbers)
    _check_limits(sample, domain.layout(sample.sizes), label)
    _check_members(domain, sample, values, label)
    return sample


def _exact(value: Any, label: str) -> Any:
    try:
        array = np.asarray(given(value))
        return rationals(array.reshape(array.shape or (1,))).reshape(array.shape)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{label} must be a number, a nested list of them or an array, got {value!r}") from error


def _free_numbers(name: str, variable: Variable, value: Any, label: str) -> dict[str, Any]:
    """The free numbers that make a variable what is given, on rationals."""
    if isinstance(variable, Networks):
        if not hasattr(value, "weights"):
            raise ValueError(f"{label}: {name} must be a network, such as FullyConnected([W1, W2], [b1, b2]), got {value!r}")
        layers = {f"{name}.W{k}": rationals(np.asarray(weight)) for k, weight in enumerate(value.weights, start=1)}
        biases = {f"{name}.b{k}": rationals(np.asarray(bias)) for k, bias in enumerate(value.biases or (), start=1)}
        slope = {f"{name}.slope": _exact(value.activation.negative, label)} if isinstance(variable.slope, tuple) else {}
        return {**layers, **(biases if variable.biases else {}), **slope}
    if not isinstance(variable, Derived):
        return {name: _exact(value, f"{label}: {name}")}
    if variable.inverse is None:
        made_of = ", ".join(f"'{name}.{part}'" for part in variable.variables)
        raise ValueError(f"{label}: {name} is made of other numbers, so that these must be given: write {{{made_of}: ...}}")
    parts = variable.inverse(_exact(value, f"{label}: {name}"))
    return {f"{name}.{part}": _exact(numbers, label) for part, numbers in parts.items()}


def _sizes(domain: Domain, numbers: Mapping[str, Any], sizes: Mapping[str, int], label: str) -> dict[str, int]:
    """The only sizes at which the free numbers have these shapes."""
    for name, value in sizes.items():
        if value not in domain.sizes[name]:
            raise ValueError(f"{label}: {name} must be one of {', '.join(map(str, domain.sizes[name]))}, got {value!r}")
    shapes = {name: np.shape(value) for name, value in numbers.items()}
    fitting = [
        combination
        for combination in domain.all_sizes()
        if {name: coordinate.shape for name, coordinate in domain.layout(combination).items()} == shapes
        and all(combination[name] == value for name, value in sizes.items())
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        open_ = [name for name in domain.sizes if len({combination[name] for combination in fitting}) > 1]
        raise ValueError(f"{label} must say what {', '.join(open_)} is, which no array tells: write {{'{open_[0]}': ...}}")
    got = ", ".join(f"{name} of shape {shape}" for name, shape in shapes.items())
    layout = domain.layout(domain.all_sizes()[0])
    drawn = ", ".join(f"{name} of shape {coordinate.shape}" for name, coordinate in layout.items())
    ranges = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in domain.sizes.items())
    raise ValueError(
        f"{label} must have the shapes of the domain, such as {drawn}{f' (sizes {ranges})' if ranges else ''}, got {got}"
    )


def _check_limits(sample: Sample, layout: Mapping[str, Coordinate], label: str) -> None:
    for name, coordinate in layout.items():
        for entry in np.asarray(sample.coordinates[name], dtype=object).flat:
            if not coordinate.lower <= fraction(entry) <= coordinate.upper:
                raise ValueError(f"{label}: {name} must be from {coordinate.lower:g} to {coordinate.upper:g}, got {entry}")
            if coordinate.integer and entry.q != 1:
                raise ValueError(f"{label}: {name} must consist of integers, got {entry}")


def _check_members(domain: Domain, sample: Sample, values: Mapping[str, Any], label: str) -> None:
    """What is derived is what was given, and the hypotheses hold, as far as rationals tell."""
    with exact_evaluation():
        try:
            built = domain.build(sample[None])
            for name, variable in domain.variables.items():
                if name in values and isinstance(variable, Derived):
                    made, wanted = np.asarray(domain.instance(sample)[name]), np.asarray(_exact(values[name], label))
                    if made.shape != wanted.shape or not (made == wanted).all():
                        raise ValueError(f"{label}: {name} is none that the domain has: its free numbers make {made.tolist()}")
            broken = domain.violated(built)
        except (FloatOnly, UndecidedInstances):
            return
    if broken:
        raise ValueError(f"{label} must satisfy the hypotheses, and breaks {', '.join(map(repr, broken))}")
