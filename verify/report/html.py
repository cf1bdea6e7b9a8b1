"""A run as one page without any other file: a table to search and to sort, and below it the claims by paper and theorem."""

from __future__ import annotations

import base64
import hashlib
import inspect
import itertools
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources

from verify.checker.record import Record, summary
from verify.claims.claim import Claim
from verify.engines.machine import versions
from verify.report import fragments, pictures, words
from verify.report.changes import Since
from verify.report.console import closest, smallest_slack_of, undecided

COLUMNS = ("claim", "status", "outcome", "evidence", "tested", "closest", "variants", "decided exactly", "undecided", "seconds")
NUMERIC = 4
"""The columns from this one on are numbers."""
FILTERS = ("paper", "status", "outcome", "evidence")
LEGEND = {
    "claim": "one statement, in words; below it its id, by which the commands take it",
    "status": "stated: the paper says so; derived here: no paper does, such as a correction; false as printed: the paper says "
    "so, and it must be refuted; conjectured: nobody has proved it",
    "outcome": "survived: no instance fails, and some were decided; refuted: false at an instance on rationals; "
    "undecided: none of these",
    "evidence": "what stands behind the outcome. searched: floats; exact: instances were decided on rationals or by balls; "
    "argued: an exact part holds from which the statement follows by an argument of a person",
    "tested": "instances that satisfy all hypotheses and were evaluated",
    "closest": "how near one of them came to breaking the statement, over the size of the sides; attained: the bound is an "
    "equality there, up to rounding; false by: the statement fails there",
    "variants": "false statements beside this one that the same search refuted, of all of them",
    "decided exactly": "instances that were decided on rationals or by balls",
    "undecided": "tested instances that neither floats nor rationals decided: both sides are equal up to rounding, for example",
    "seconds": "of work, in one process",
}


def page(
    records: Sequence[Record],
    claims: Mapping[str, Claim],
    *,
    budget: str,
    seed: int,
    interrupted: bool = False,
    since: Since | None = None,
) -> str:
    """The page, as text; with what changed since an earlier run, if one is given."""
    counts = summary(records)
    wrong = counts["claims"] - counts["as_expected"]
    verdict = "all as expected" if not wrong else f"{wrong} not as expected"
    packages = ", ".join(f"{name} {version}" for name, version in versions().items())
    tiles = "".join(
        f'<div class="tile {name}"><b>{counts[name]}</b>{name.replace("_", " ")}</div>'
        for name in ("claims", "as_expected", "survived", "refuted", "undecided")
    )
    head = "".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in COLUMNS)
    files = resources.files("verify.report") / "static"
    style, script = (
        "".join(files.joinpath(f"{name}.{kind}").read_text(encoding="utf-8") for name in ("claims", "page"))
        for kind in ("css", "js")
    )
    # the page is one file: no other script runs than the one with this hash, and nothing is loaded
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    rows = [_facts(record) for record in records]
    options = {name: sorted({row[name] for row in rows}) for name in FILTERS}
    legend = "".join(f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in LEGEND.items())
    changes = "" if since is None else _changes(since, {record.id for record in records})
    note = '<p class="bad">The run was interrupted: claims are missing.</p>' if interrupted else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
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
{changes}<details><summary>What the columns mean</summary><dl>{legend}</dl></details>
{fragments.filters(options, len(records))}
<div class="wide"><table class="claims numbered" id="claims">
<thead><tr>{head}</tr></thead>
<tbody>
{"".join(map(_row, records))}</tbody>
</table></div>
{"".join(_papers(records, claims))}</main>
<script>{script}</script>
</body>
</html>
"""


def _changes(since: Since, shown: Collection[str]) -> str:
    """What changed, as a table with links to those claims that are on the page."""
    counted = f"<p>{escape(since.in_words[0].upper() + since.in_words[1:])}.</p>\n"
    rows = []
    for change in since.changes:
        name = f"<code>{escape(change.claim)}</code>"
        linked = f'<a href="#{escape(change.claim)}">{name}</a>' if change.claim in shown else name
        rows.append((linked, escape(change.what), escape(change.before or "-"), escape(change.now or "-")))
    table = fragments.table("", ("claim", "what", "before", "now"), rows) if rows else ""
    return f'<section id="changes"><h2>What changed</h2>{counted}{table}</section>\n'


def _facts(record: Record) -> dict[str, str]:
    """What the filters choose by."""
    return {"paper": record.id.split(".")[0], "status": record.status, "outcome": record.outcome, "evidence": record.evidence}


def _row(record: Record) -> str:
    slack = smallest_slack_of(record)
    refuted, variants = record.variants_refuted.split("/")
    name = escape(record.id)
    cells = [
        (f'<a href="#{name}">{escape(record.title)}</a><code>{name}</code>', record.id),
        (fragments.badge(record.status, record.status), None),
        (_outcome(record), None),
        (escape(record.evidence), None),
        (str(record.feasible), None),
        (closest(record), "" if slack is None else f"{slack:.6g}"),
        (f"{refuted}/{variants}", variants),
        (str(record.decided), None),
        (undecided(record), record.undecided if record.not_a_number else None),
        (f"{record.seconds:.2f}" if record.kept is None else "kept", None),
    ]
    keys = ("" if key is None else f' data-key="{escape(str(key))}"' for _, key in cells)
    tags = "".join(
        f"<td{' class=number' if place >= NUMERIC else ''}{key}>{text}</td>"
        for place, ((text, _), key) in enumerate(zip(cells, keys, strict=True))
    )
    data = "".join(f' data-{fact}="{escape(value)}"' for fact, value in {"id": record.id, **_facts(record)}.items())
    return f"<tr{'' if record.as_expected else ' class=problem'}{data}>{tags}</tr>\n"


def _outcome(record: Record) -> str:
    return fragments.badge(record.outcome, record.outcome if record.outcome == record.expected else "unexpected")


def _papers(records: Iterable[Record], claims: Mapping[str, Claim]) -> Iterator[str]:
    """The claims by paper, in the order of time, and by the module that states them."""
    titles: dict[str, str] = {}
    for package in {words.package_of(claim) for claim in claims.values()}:
        titles |= words.papers(package)
    order = [*titles]
    pairs = [(record.id.split(".")[0], record) for record in records]
    pairs.sort(key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order))
    for paper, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        yield f'<section class="group"><h2>{escape(titles.get(paper, paper))}</h2>\n'
        modules: dict[str, list[Record]] = {}
        for _, record in group:
            claim = claims.get(record.id)
            modules.setdefault("" if claim is None else words.unwrapped(claim.statement).__module__, []).append(record)
        for module, of_module in modules.items():
            yield f'<section class="group">{_words_of(module)}\n'
            yield from (_section(record, claims.get(record.id), claims) for record in of_module)
            yield "</section>\n"
        yield "</section>\n"


def _words_of(module: str) -> str:
    """The docstring of a module: its first paragraph as a heading, the rest folded."""
    text = inspect.cleandoc((sys.modules[module].__doc__ if module in sys.modules else None) or "")
    head, _, body = text.partition("\n\n")
    heading = f"<h3>{fragments.inline(' '.join(head.split()))}</h3>" if head else ""
    folded = f"<details><summary>The theorem in words</summary>{fragments.prose(body)}</details>" if body else ""
    return heading + folded


def _section(record: Record, claim: Claim | None, claims: Mapping[str, Claim]) -> str:
    parts = [_problems(record)]
    if claim is not None:
        docstring = words.docstring(claim.statement)
        parts.append(fragments.relations(claim, claims, lambda name: f"#{name}"))
        parts.append(f"<blockquote>{fragments.prose(docstring)}</blockquote>" if docstring else "")
    parts += [_counterexample(record, claim), _searched(record)]
    if claim is not None:
        parts.append(fragments.hypotheses(claim, record, fragments.in_a_line))
        parts.append(fragments.tight(claim, record))
        parts.append(fragments.variants(claim, record, fragments.in_a_line))
        parts.append(fragments.exact_parts(claim, record))
        parts += [fragments.code(claim), fragments.commands(claim)]
    opened = "" if record.as_expected else " open"
    source = f'<span class="quiet">{escape(record.label)}</span>'
    return (
        f'<details class="claim" id="{escape(record.id)}"{opened}><summary>{_outcome(record)} <b>{escape(record.title)}</b> '
        f"<code>{escape(record.id)}</code> {source}</summary>\n"
        f"{''.join(filter(None, parts))}</details>\n"
    )


def _problems(record: Record) -> str:
    if record.as_expected:
        return ""
    items = "".join(f"<li>{escape(problem)}</li>" for problem in record.problems)
    error = "" if record.error is None else f"<pre>{escape(record.error)}</pre>"
    return f'<ul class="bad">{items}</ul>{error}\n'


def _searched(record: Record) -> str:
    exhausted = f"; {words.exhausted(record.exhausted)}" if record.exhausted else ""
    return (
        f"<p>{record.drawn} instances drawn, {record.feasible} feasible, {record.evaluations} evaluations; {record.in_floats} "
        f"decided in floats, {record.decided} on rationals, {undecided(record)} undecided; smallest relative slack "
        f"{words.smallest_slack(record.relative_slack)}{exhausted}.</p>\n{pictures.slack_histogram(record.slacks)}"
    )


def _counterexample(record: Record, claim: Claim | None) -> str:
    if record.counterexample is None:
        return ""
    instance = record.counterexample
    shown = fragments.found_at(claim, instance) if claim is not None else f"<pre>{escape(words.found_at(instance))}</pre>"
    where = f'<p class="quiet">witness file: <code>{escape(record.witness)}</code></p>' if record.witness else ""
    return f"<h4>Refuted at</h4>{shown}{where}\n"
