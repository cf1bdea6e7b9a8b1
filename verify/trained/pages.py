"""What was measured as one page without any other file: what is surprising first, pictures, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from verify.report import fragments, words
from verify.trained import figures
from verify.trained.asking import Answer
from verify.trained.measurement import Measurement
from verify.trained.tables import number, sides

KINDS = {"holds": "holds", "within rounding": "holds", "fails": "unexpected", "hypothesis": "ours", "undecided": "undecided"}
"""The colour of an outcome."""


def page(found: Sequence[Measurement]) -> str:
    """The page, as text.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    files = resources.files("verify.report") / "static"
    style = "".join(files.joinpath(f"{name}.css").read_text(encoding="utf-8") for name in ("claims", "page"))
    title = f"{found[0].name} measured" if len(found) == 1 else f"{len(found)} networks measured"
    body = "".join(_series(found) if len(found) > 1 else "") + "".join(part for one in found for part in _one(one))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}
table.facts td:first-child {{ min-width: 11rem; }}
figure {{ margin: 1rem 0; overflow-x: auto; background: #fff; border-radius: 8px; padding: .5rem; }}
figure svg {{ max-width: 100%; height: auto; }}
figcaption {{ color: #5d6878; font-size: .85em; }}
</style>
</head>
<body>
<header><h1>{escape(title)}</h1></header>
<main>
{body}</main>
</body>
</html>
"""


def _series(found: Sequence[Measurement]) -> Iterator[str]:
    yield '<section class="group"><h2>The series</h2>\n'
    if (drawn := figures.over_series(found)) is not None:
        yield _figure(drawn, "Quantities of the networks, in the order of the files.")
    names = list(dict.fromkeys(name for one in found for name in one.quantities.whole))
    rows = [[escape(name), *(number(one.quantities.whole.get(name)) for one in found)] for name in names]
    yield fragments.table("Quantities", ["quantity", *(escape(one.name) for one in found)], rows)
    changed = _changed(found)
    yield fragments.table("Claims that say different things", ["claim", *(escape(one.name) for one in found)], changed)
    yield "</section>\n"


def _changed(found: Sequence[Measurement]) -> list[list[str]]:
    """The claims whose answers differ between the networks."""
    answers = [{one.claim: one for one in measured.answers} for measured in found]
    rows = []
    for name in sorted(set.intersection(*map(set, answers))):
        kinds = {(table[name].outcome, table[name].conclusion) for table in answers}
        if len(kinds) > 1:
            cells = [f"{_badge(table[name])} {escape(table[name].words)}" for table in answers]
            rows.append([f"<code>{escape(name)}</code>", *cells])
    return rows


def _one(one: Measurement) -> Iterator[str]:
    yield f'<section class="group"><h2>{escape(one.name)}</h2>\n<p class="quiet">{escape(one.description)}</p>\n'
    tiles = "".join(f'<div class="tile"><b>{count}</b>{escape(name)}</div>' for name, count in one.counts().items())
    yield f'<div class="tiles">{tiles}<div class="tile"><b>{len(one.not_asked)}</b>cannot be asked</div></div>\n'
    yield _claims("What is surprising", [it for it in one.answers if it.rank < 5])
    yield _figure(figures.spectra(one), "Singular values by layer, down to a millionth of the largest of each picture.")
    for drawn, said in (
        (figures.along_depth(one), "Along the depth."),
        (figures.plane(one), "Linear regions; the rank of the Jacobian; classes, with a ring where three meet."),
        (figures.slacks(one.answers), "Each bound against its sharp value."),
    ):
        if drawn is not None:
            yield _figure(drawn, said)
    whole = [[escape(name), number(value)] for name, value in one.quantities.whole.items()]
    yield fragments.table("The network", ["quantity", "value"], whole)
    names = list(dict.fromkeys(name for row in one.quantities.layers for name in row))
    rows = [[number(row.get(name)) for name in names] for row in one.quantities.layers]
    yield fragments.table("Layers", names, rows)
    rest = [it for it in one.answers if it.rank >= 5]
    yield f"<details><summary>The other {len(rest)} claims</summary>{_claims('Claims', rest)}</details>\n"
    left = [[f"<code>{escape(it.claim)}</code>", escape(it.reason)] for it in one.not_asked]
    told = fragments.table("Not asked", ["claim", "because"], left)
    yield f"<details><summary>{len(left)} claims cannot be asked</summary>{told}</details>\n</section>\n"


def _claims(title: str, answers: Sequence[Answer]) -> str:
    rows = [
        [
            f"{escape(one.title)} <code>{escape(one.claim)}</code>",
            f"{_badge(one)} {escape(one.words)}",
            escape(sides(one)),
            words.slack(one.relative),
            "exact" if one.exact else words.slack(one.error),
            escape(one.where),
        ]
        for one in answers
    ]
    return fragments.table(title, ["claim", "says", "sides", "relative slack", "error", "where"], rows)


def _badge(one: Answer) -> str:
    return fragments.badge(one.outcome, "refuted" if one.outcome == "fails" and one.rank == 2 else KINDS[one.outcome])


def _figure(drawn: object, caption: str) -> str:
    return f"<figure>{figures.svg(drawn)}<figcaption>{escape(caption)}</figcaption></figure>\n"  # type: ignore[arg-type]
