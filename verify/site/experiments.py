"""Pages of experiments as reStructuredText for Sphinx: each figure with its assertions, from the files of its last result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.experiments import words
from verify.experiments.discovery import experiments_in
from verify.experiments.results import RESULT, TABLE, read_result
from verify.site.atlas import plain, title


def pages(folder: Path, package: str = "theorems") -> dict[str, str]:
    """All pages, by their names, for the experiments that have a result below `folder`.

    Raises
    ------
    UnusableResult
        A file below `folder` is no result.
    """
    known = experiments_in(package)
    results = {name: read_result(folder / name) for name in known if (folder / name / RESULT).is_file()}
    written = {f"{name}.rst": page(result, known[name].caption) for name, result in results.items()}
    return written | {"index.rst": _index(results, [name for name in known if name not in results])}


def _index(results: Mapping[str, Mapping[str, Any]], without_result: Sequence[str]) -> str:
    text = title("Figures")
    text += (
        "Figures of the papers, made by ``verify experiment``, each with what it shows as assertions. What failed is said "
        "to have failed. :doc:`/experiments` says what an assertion means and how to make one of your own.\n\n"
    )
    text += ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in results) + "\n"
    for name, result in results.items():
        good = sum(words.as_asserted(assertion) for assertion in result["assertions"])
        where = f"{result['source']['paper']}, {result['source']['label']}"
        text += f":doc:`{plain(result['title'])} <{name}>`\n"
        text += f"   {plain(where)}; {good} of {len(result['assertions'])} as asserted, at the scale {result['scale']}\n\n"
    if without_result:
        text += f"Without a result here: {', '.join(f'``{name}``' for name in without_result)}.\n"
    return text


def page(result: Mapping[str, Any], caption: str) -> str:
    """The page of one result, with the paper's `caption`; figure and files lie in a folder of its name beside it."""
    name = result["name"]
    text = title(plain(result["title"]))
    text += f".. figure:: {name}/figure.png\n   :width: 600px\n   :alt: {' '.join(result['text'].split())}\n\n"
    text += f"   {plain(result['text'])}\n\n"
    if caption:
        text += f"The paper, of its figure: {plain(caption)}\n\n"
    where = f"{result['source']['paper']}, {result['source']['label']}"
    minutes = result["seconds"] / 60
    text += (
        f"``{name}`` ({plain(where)}), at the scale {result['scale']}: {len(result['seeds'])} seeds, {result['runs']} runs, "
        f"{minutes:.1f} minutes of work. "
    )
    text += f"Files: :download:`figure <{name}/figure.svg>`, :download:`numbers <{name}/{TABLE}>`, "
    text += f":download:`result <{name}/{RESULT}>`.\n\n"
    text += title("What is asserted", "-")
    for assertion in result["assertions"]:
        text += _assertion(assertion)
    text += title("Recipe", "-")
    text += _table(("setting", "value"), ((key, _shown(value)) for key, value in result["recipe"].items()))
    for heading, key in (("Read off the paper", "read_off"), ("Our choices", "choices")):
        if result.get(key):
            text += title(heading, "-") + _table(("what", "how"), result[key].items())
    text += title("Computed with", "-")
    text += "".join(
        f"* {plain(', '.join(f'{key} {value}' for key, value in run_versions.items()))}\n"
        for run_versions in result["versions"]
    )
    return text


def _assertion(assertion: Mapping[str, Any]) -> str:
    """One assertion: its outcome, its medians, and its false variants."""
    text = f"**{plain(words.outcome(assertion))}**: {plain(assertion['name'])}, {plain(words.bounds(assertion['within']))}.\n\n"
    medians = assertion["medians"]
    text += _table(
        ("case", "median", "interval", "confidence", "seeds"),
        (
            (
                case,
                f"{median['median']:.4g}",
                f"{median['low']:.4g} to {median['high']:.4g}",
                f"{100 * median['confidence']:.0f} %",
                str(median["seeds"]),
            )
            for case, median in medians.items()
        ),
    )
    for name, variant in assertion["false"].items():
        text += f"* False variant: {plain(name)}, {plain(words.bounds(variant['within']))}: "
        if variant["refuted"]:
            ((case, median),) = variant["by"].items()
            text += f"refuted by {plain(words.median(case, median))}\n"
        else:
            text += "**not refuted**\n"
    return text + "\n"


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing where there are no rows."""
    cells = list(rows)
    if not cells:
        return ""
    text = ".. list-table::\n   :header-rows: 1\n\n"
    for row in (header, *cells):
        text += "".join(f"   {'*' if not place else ' '} - {plain(str(cell))}\n" for place, cell in enumerate(row))
    return text + "\n"
