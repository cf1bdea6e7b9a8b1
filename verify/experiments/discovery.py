"""Find the experiments of a package: the value ``EXPERIMENT`` of every module in a folder ``experiments``."""

from __future__ import annotations

import difflib
import fnmatch
import functools
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from verify.claims.catalogue import cause_of_import_error
from verify.experiments.experiment import Experiment


class UnknownExperiment(LookupError):
    """No experiment has this name; the message gives the nearest ones."""


class Experiments(dict[str, Experiment[Any]]):
    """Experiments by name, in the order of the names.

    Attributes
    ----------
    packages
        The package of each.
    problems
        A line for every module that cannot be imported, and for every name that is used twice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.packages: dict[str, str] = {}
        self.problems: list[str] = []

    def select(self, names: Sequence[str]) -> list[Experiment[Any]]:
        """The experiments of these names, folders or globs.

        Raises
        ------
        UnknownExperiment
            A name is none of these.
        """
        chosen: dict[str, Experiment[Any]] = {}
        for name in names:
            selected = {
                key: experiment
                for key, experiment in self.items()
                if fnmatch.fnmatchcase(key, name) or key.startswith(f"{name}.")
            }
            if not selected:
                nearest = difflib.get_close_matches(name, self, n=3, cutoff=0.4) or sorted(self)
                raise UnknownExperiment(f"no experiment is called {name!r}; nearest: {', '.join(nearest) or 'there are none'}")
            chosen |= selected
        return list(chosen.values())


@functools.cache
def experiments_in(*packages: str) -> Experiments:
    """The experiments of packages, which are read once in each process.

    Examples
    --------
    >>> found = experiments_in("theorems")
    >>> print(sorted(found)[:2])
    ['bottleneck_structure.fig_1', 'bottleneck_structure.fig_2']
    """
    by_name: dict[str, tuple[Experiment[Any], str]] = {}
    result = Experiments()
    for package in packages:
        for name in _modules(package):
            try:
                value = getattr(importlib.import_module(name), "EXPERIMENT", None)
            except Exception as error:  # whatever a module raises while it is imported
                result.problems.append(cause_of_import_error(name, error))
                continue
            if isinstance(value, Experiment) and by_name.setdefault(value.name, (value, package))[0] is not value:
                result.problems.append(f"{name}: the name {value.name} is used twice; the first experiment that has it is kept")
    for name, (experiment, package) in sorted(by_name.items()):
        result[name], result.packages[name] = experiment, package
    return result


def _modules(package: str) -> Iterator[str]:
    """The modules in folders ``experiments``; no other one is imported to find them."""
    for place in getattr(importlib.import_module(package), "__path__", ()):
        for path in sorted(Path(place).rglob("experiments/*.py")):
            parts = path.relative_to(place).with_suffix("").parts
            yield ".".join((package, *(part for part in parts if part != "__init__")))
