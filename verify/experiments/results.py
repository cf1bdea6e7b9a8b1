"""The files of an experiment: figure, table, and what was asserted with its numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.evidence.files import UnusableFile, from_json, is_of_schema, read_text, shortened, write_whole
from verify.experiments.assertions import Interval, Judged, Within, judge
from verify.experiments.experiment import Experiment
from verify.experiments.table import DIGITS, Table, read_table
from verify.experiments.words import assertion_lines

SCHEMA = 2
TABLE, RESULT = "table.csv", "result.json"
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "title", "scale", "text"), (str,)),
    **dict.fromkeys(("assertions", "seeds", "versions"), (list,)),
    **dict.fromkeys(("source", "recipe", "read_off", "choices"), (dict,)),
    "as_asserted": (bool,),
    "runs": (int,),
    "seconds": (int, float),
}
"""What a result must have, and of which types of JSON."""


class UnusableResult(UnusableFile):
    """A folder that holds no result of an experiment."""


def judged(experiment: Experiment[Any], scale: str, table: Table) -> list[Judged]:
    """The assertions that are made at this scale, judged by a table."""
    return [judge(assertion, table) for assertion in experiment.assertions if scale in assertion.scales]


def document(
    experiment: Experiment[Any],
    scale: str,
    seeds: Sequence[int],
    made: Mapping[str, Any],
    assertions: Sequence[Judged],
) -> dict[str, Any]:
    """What `result.json` holds; `made` says how the numbers were made: runs, seconds and versions."""
    return {
        "schema": SCHEMA,
        "name": experiment.name,
        "title": experiment.title,
        "source": {"paper": experiment.source.paper, "label": experiment.source.label},
        "scale": scale,
        "seeds": list(seeds),
        "recipe": experiment.settings(scale),
        "read_off": dict(experiment.read_off),
        "choices": dict(experiment.choices),
        **made,
        "text": experiment.text,
        "as_asserted": all(assertion.as_asserted for assertion in assertions),
        "assertions": [_assertion(assertion) for assertion in assertions],
    }


def _assertion(judged: Judged) -> dict[str, Any]:
    return {
        "name": judged.assertion.name,
        "outcome": "holds" if judged.holds else "failed",
        "certain": judged.certain,
        "problem": judged.problem,
        "within": _bounds(judged.assertion.true),
        "medians": {case: _interval(interval) for case, interval in judged.cases.items()},
        "false": {
            name: {
                "within": _bounds(variant),
                "refuted": (by := judged.refuted[name]) is not None,
                "by": None if by is None else {by[0]: _interval(by[1])},
            }
            for name, variant in judged.assertion.false.items()
        },
    }


def _bounds(within: Within) -> list[float | None]:
    """Both ends; null where there is none."""
    return [end if math.isfinite(end) else None for end in (within.low, within.high)]


def _interval(interval: Interval) -> dict[str, float]:
    low, median, high = (float(f"{value:.{DIGITS}g}") for value in (interval.low, interval.median, interval.high))
    return {"median": median, "low": low, "high": high, "confidence": round(interval.confidence, 4), "seeds": interval.seeds}


def read_result(folder: Path) -> dict[str, Any]:
    """The document that `write` left in a folder.

    Raises
    ------
    UnusableResult
        There is none.
    """
    path = folder / RESULT
    try:
        result = from_json(read_text(path))
    except UnusableFile as error:
        raise UnusableResult(f"{path}: {error}") from error
    if not is_of_schema(result, SCHEMA):
        raise UnusableResult(f"{path}: not a result of schema {SCHEMA}")
    for name, kind in KINDS.items():
        if type(result.get(name)) not in kind:
            raise UnusableResult(f"{path}: not a result: its {name} is {shortened(result.get(name))}")
    try:
        for assertion in result["assertions"]:
            assertion_lines(assertion)
        texts = [result["source"][name] for name in ("paper", "label")]
        texts += [assertion["name"] for assertion in result["assertions"]]
        fits = all(isinstance(text, str) for text in texts) and all(type(seed) is int for seed in result["seeds"])
        fits = fits and all(map(dict, result["versions"]))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise UnusableResult(f"{path}: not a result: {type(error).__name__}: {shortened(error)}") from error
    if not fits:
        raise UnusableResult(f"{path}: not a result: seeds are integers, versions have names, sources and assertions are text")
    return dict(result)


def read_numbers(folder: Path) -> Table:
    """The table that `write` left in a folder.

    Raises
    ------
    UnusableResult
        There is none.
    """
    path = folder / TABLE
    try:
        return read_table(read_text(path))
    except ValueError as error:
        raise UnusableResult(f"{path}: {error}") from error


def write(folder: Path, experiment: Experiment[Any], table: Table, result: Mapping[str, Any]) -> None:
    """Write the table, the result and the figure, as SVG and as PNG, to a folder.

    Raises
    ------
    OSError
        They cannot be written.
    """
    from verify.experiments.drawing import save, style

    # numbers before pictures: what cannot be drawn has been measured all the same
    write_whole(folder / TABLE, table.csv())
    write_whole(folder / RESULT, json.dumps(result, indent=1, allow_nan=False) + "\n")
    with style():
        save(experiment.figure(table), folder, experiment.title, experiment.text)
