"""A run as one page without any other file: a table to sort, and a section for each claim."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from verify.checker.machine import versions
from verify.checker.record import Record, summary
from verify.claim import Claim
from verify.report import words
from verify.report.console import left_open

COLUMNS = ("claim", "status", "outcome", "tier", "valid/drawn", "exactly", "open", "relative slack", "neighbours", "seconds")
NUMERIC = 4
"""The columns from this one on are numbers."""


def page(records: Sequence[Record], claims: Mapping[str, Claim], *, budget: str, seed: int, interrupted: bool = False) -> str:
    """The page, as text."""
    counts = summary(records)
    wrong = counts["claims"] - counts["as_expected"]
    verdict = "all as expected" if not wrong else f"{wrong} not as expected"
    packages = ", ".join(f"{name} {version}" for name, version in versions().items())
    tiles = "".join(
        f'<div class="tile {name}"><b>{counts[name]}</b>{name.replace("_", " ")}</div>'
        for name in ("claims", "as_expected", "holds", "unrefuted", "refuted", "undecided")
    )
    head = "".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in COLUMNS)
    files = resources.files("verify.report")
    style, script = (files.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    note = '<p class="bad">The run was interrupted: claims are missing.</p>' if interrupted else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{len(records)} claims: {verdict}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{len(records)} claims, <span class="{"bad" if wrong else "good"}">{verdict}</span></h1>
<p class="quiet">budget {escape(budget)}, seed {seed}, {counts["seconds"]:.1f} s of work; {escape(packages)}</p>
{note}<div class="tiles">{tiles}</div>
</header>
<main>
<div class="wide"><table id="claims">
<thead><tr>{head}</tr></thead>
<tbody>
{"".join(map(_row, records))}</tbody>
</table></div>
{"".join(_section(record, claims.get(record.id), claims) for record in records)}</main>
<script>
{script}</script>
</body>
</html>
"""


def _row(record: Record) -> str:
    slack = record.relative_slack
    refuted, neighbours = record.neighbours_refuted.split("/")
    cells = [
        (f'<a href="#{escape(record.id)}">{escape(record.id)}</a><span class="quiet">{escape(record.title)}</span>', record.id),
        (escape(record.status.replace("_", " ")), record.status),
        (_outcome(record), record.outcome),
        (escape(record.tier), record.tier),
        (f"{record.valid}/{record.drawn}", record.valid),
        (str(record.decided), record.decided),
        (left_open(record), record.undecided),
        (words.slack(slack), "" if slack is None else slack),
        (f"{refuted}/{neighbours}", int(neighbours)),
        (f"{record.seconds:.2f}", record.seconds),
    ]
    tags = "".join(
        f'<td{" class=number" if place >= NUMERIC else ""} data-key="{escape(str(key))}">{text}</td>'
        for place, (text, key) in enumerate(cells)
    )
    return f"<tr{'' if record.as_expected else ' class=problem'}>{tags}</tr>\n"


def _outcome(record: Record) -> str:
    kind = record.outcome if record.outcome == record.expected else "unexpected"
    return f'<span class="badge {kind}">{escape(record.outcome)}</span>'


def _section(record: Record, claim: Claim | None, claims: Mapping[str, Claim]) -> str:
    parts = [_problems(record)]
    if claim is not None:
        parts += [_statement(claim, claims), _domain(record, claim)]
    parts += [_tight(record, claim), _neighbours(record), _decided(record), _counterexample(record), _code(claim)]
    opened = "" if record.as_expected else " open"
    source = f'<span class="quiet">{escape(record.document)}, {escape(record.label)}</span>'
    return (
        f'<details class="claim" id="{escape(record.id)}"{opened}><summary>{_outcome(record)} <b>{escape(record.title)}</b> '
        f"<code>{escape(record.id)}</code>{source}</summary>\n"
        f"{''.join(filter(None, parts))}</details>\n"
    )


def _problems(record: Record) -> str:
    if record.as_expected:
        return ""
    items = "".join(f"<li>{escape(problem)}</li>" for problem in record.problems)
    error = "" if record.error is None else f"<pre>{escape(record.error)}</pre>"
    return f'<ul class="bad">{items}</ul>{error}\n'


def _statement(claim: Claim, claims: Mapping[str, Claim]) -> str:
    links = []
    for part in words.status(claim, claims):
        before, _, name = part.rpartition(" ")
        links.append(f'{escape(before)} <a href="#{escape(name)}">{escape(name)}</a>' if name in claims else escape(part))
    text = words.docstring(claim.statement)
    said = f"<blockquote>{prose(text)}</blockquote>" if text else ""
    document = escape(words.document(claim))
    return f"<p>{document}, {escape(claim.source.label)}; {'; '.join(links)}.</p>{said}\n"


def prose(text: str) -> str:
    """A docstring as HTML: paragraphs, formulas and code in a fixed-width face, lists of attributes as they stand."""
    paragraphs = []
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.lstrip().startswith(".. math::"):
            formula = inspect.cleandoc(block.replace(".. math::", "         ", 1))
            paragraphs.append(f'<pre class="formula">{escape(formula)}</pre>')
        else:
            marked = re.sub(r":math:`([^`]*)`", r'<code class="formula">\1</code>', escape(block))
            marked = re.sub(r"``?([^`]+)``?", r"<code>\1</code>", marked)
            paragraphs.append(f"<p>{marked}</p>")
    return "".join(paragraphs)


def _table(title: str, header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    names = "".join(f"<th>{escape(name)}</th>" for name in header)
    return (
        f'<h3>{escape(title)}</h3><div class="wide"><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>\n'
    )


def _domain(record: Record, claim: Claim) -> str:
    sizes = words.sizes(claim.domain)
    text = f"<p>Sizes: {escape(sizes)}.</p>" if sizes else ""
    searched = (
        f"<p>{record.drawn} instances drawn, {record.valid} valid, {record.evaluations} evaluations; {record.in_floats} "
        f"decided in floats, {record.decided} on rationals, {left_open(record)} left open; smallest relative slack "
        f"{words.slack(record.relative_slack)}.</p>"
    )
    rows = [(name, count, record.needs.get(name, "-")) for name, count in record.broken.items()]
    return text + searched + (_table("Hypotheses", ("hypothesis", "broken by", "needed?"), rows) if rows else "")


def _tight(record: Record, claim: Claim | None) -> str:
    if not record.tight:
        return ""
    why = {name: tight.why for name, tight in claim.tight.items()} if claim is not None else {}
    rows = [(name, words.slack(slack), why.get(name, "")) for name, slack in record.tight.items()]
    return _table("Sharp instances", ("instance", "relative slack", "why not sharper"), rows)


def _neighbours(record: Record) -> str:
    if not record.false_neighbours:
        return ""
    rows = [
        (
            name,
            "refuted" if one["refuted"] else "NOT refuted",
            one["by"] or "-",
            one["evaluations"],
            words.slack(one["relative_slack"]),
        )
        for name, one in record.false_neighbours.items()
    ]
    return _table("False neighbours", ("statement", "", "by", "evaluations", "relative slack"), rows)


def _decided(record: Record) -> str:
    text = _table("Exact parts", ("part", "verdict"), record.exact.items()) if record.exact else ""
    if record.rate is not None:
        fitted = {name: "-" if value is None else f"{value:.4f}" for name, value in record.rate.items()}
        text += f"<h3>Rate</h3><p>fitted {fitted['exponent']} ± {fitted['uncertainty']}, stated {fitted['stated']}</p>\n"
    return text


def _counterexample(record: Record) -> str:
    if record.counterexample is None:
        return ""
    shown = words.found_at(record.counterexample)
    where = f'<p class="quiet">witness file: <code>{escape(record.witness)}</code></p>' if record.witness else ""
    return f"<h3>Refuted at</h3><pre>{escape(shown)}</pre>{where}\n"


def _code(claim: Claim | None) -> str:
    if claim is None:
        return ""
    function = words.unwrapped(claim.statement)
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return ""
    place = f"{escape(function.__module__)}, line {first}"
    text = sys.modules[function.__module__].__doc__
    said = f"<details><summary>the module in words</summary>{prose(inspect.cleandoc(text))}</details>\n" if text else ""
    code = escape("".join(lines))
    return f"{said}<details><summary>code of the statement ({place})</summary><pre>{code}</pre></details>\n"
