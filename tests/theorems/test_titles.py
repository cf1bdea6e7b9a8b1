"""The first sentence of a module is a heading of the site: it fits in a line."""

import ast
from pathlib import Path

import pytest

import theorems
from theorems import PAPERS
from verify.notation.formulas import readable

ROOT = Path(theorems.__file__).parent
LONGEST = 70
"""Letters of a title, as claims have it."""


def titles(paper):
    """The headings of a paper by file; constructions have no pages, and that of the paper is its title."""
    for path in sorted((ROOT / paper).rglob("*.py")):
        of_paper = path == ROOT / paper / "__init__.py"
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if text and not of_paper and "constructions" not in path.parts:
            head = " ".join(text.partition("\n\n")[0].split())
            yield path.relative_to(ROOT), readable(head.partition(". ")[0].rstrip("."))


@pytest.mark.parametrize("paper", PAPERS)
def test_headings_fit_in_a_line(paper):
    long = {str(path): title for path, title in titles(paper) if len(title) > LONGEST}
    assert not long, "; ".join(f"{path}: {len(title)} letters: {title}" for path, title in long.items())
