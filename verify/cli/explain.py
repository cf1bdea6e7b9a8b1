"""The command explain: what a word of the tables and messages means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from importlib import resources
from typing import Annotated

import typer

from verify.cli.common import app, unusable


def glossary() -> Mapping[str, str]:
    """What each term means, in the order of the page."""
    text = resources.files("verify").joinpath("glossary.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^(\S.*)\n((?:  .*\n)+)", text, re.MULTILINE))


def _terms(incomplete: str) -> list[str]:
    return [term for term in glossary() if term.startswith(incomplete)]


@app.command("explain")
def explain(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="TERM", help="Such as slack; without one, all terms.", autocompletion=_terms),
    ] = None,
) -> None:
    """What a word means: slack, evidence, false variant, ..."""
    known = glossary()
    if not words:
        typer.echo(", ".join(known))
        return
    term = " ".join(words).lower().replace("_", " ")
    # a term in quotation marks, in the plural, or one of which it is a kind
    singular = term.removesuffix("s") if term not in known else term
    terms = [name for name in known if name in (term, singular)] or [
        name for name, text in known.items() if re.search(rf"\*{re.escape(term)}\*", re.sub(r"\s+", " ", text), re.IGNORECASE)
    ]
    if not terms:
        near = difflib.get_close_matches(term, known, n=3)
        others = f"near it: {', '.join(near)}" if near else f"its terms are {', '.join(known)}"
        raise unusable("TERM", f"{term!r} is no term of the glossary; {others}")
    for name in terms:
        typer.echo(f"{name}\n{known[name].replace('*', '').replace('`', '')}".rstrip())
