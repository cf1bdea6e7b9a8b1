"""Short representations of values, as text and as HTML for notebooks; formulas in HTML are MathML, which needs no script."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from verify.notation.mathml import formula_or_text

LARGEST = 8
"""Rows and columns of a matrix that is shown whole."""


def card(title: str, rows: Mapping[str, Any], text: str = "") -> str:
    """A titled table of names and values; `text` is a docstring, whose formulas are set. Values that are None are left out."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{_cell(value)}</td></tr>'
        for name, value in rows.items()
        if value is not None
    )
    return f"<div><b>{escape(title)}</b>{prose(text)}<table>{cells}</table></div>"


def prose(text: str) -> str:
    """A docstring as HTML, with the formulas of roles and directives."""
    paragraphs = []
    for block in re.split(r"\n\s*\n", text.strip()) if text.strip() else []:
        if block.lstrip().startswith(".. math::"):
            formula = inspect.cleandoc(block.replace(".. math::", "         ", 1))
            paragraphs.append(f"<p>{formula_or_text(' '.join(line.strip() for line in formula.splitlines()), block=True)}</p>")
        else:
            parts = re.split(r":math:`([^`]*)`", block)
            words = [re.sub(r"``?([^`]+)``?", r"<code>\1</code>", escape(part)) for part in parts[::2]]
            formulas = [*map(formula_or_text, parts[1::2]), ""]
            paragraphs.append(f"<p>{''.join(word + formula for word, formula in zip(words, formulas, strict=True))}</p>")
    return "".join(paragraphs)


def rubric(text: str, name: str) -> str:
    """A part of the docstring of a theorem, such as its ``Statement``; empty if it has none."""
    match = re.search(rf"^{name}\n((?:    .*\n|\s*\n)+)", inspect.cleandoc(text) + "\n", re.MULTILINE)
    return inspect.cleandoc(match[1]) if match else ""


def said_by(module: str) -> str:
    """What a module states: the rubric ``Statement`` of its docstring, or the first line of it."""
    text = getattr(sys.modules.get(module), "__doc__", None) or ""
    return rubric(text, "Statement") or text.strip().partition("\n")[0]


def _cell(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.ndim in (1, 2) and value.size and max(value.shape) <= LARGEST:
            rows = np.atleast_2d(value)
            lines = " \\\\ ".join(" & ".join(_short(entry) for entry in row) for row in rows)
            return formula_or_text(f"\\begin{{pmatrix}}{lines}\\end{{pmatrix}}")
        return f"array of shape {value.shape}"
    return escape(str(value))


def _short(entry: Any) -> str:
    text = f"{entry:.6g}" if isinstance(entry, float | np.floating) else str(entry)
    return text if len(text) <= 24 else f"{text[:20]}\\ldots"
