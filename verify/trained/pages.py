"""What was measured as one page without any other file: what was read, main quantities, pictures; claims are folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from verify.report import fragments, words
from verify.trained import figures
from verify.trained.asking import Answer
from verify.trained.measurement import Measurement
from verify.trained.quantities import MEANINGS
from verify.trained.tables import (
    ATTAINED,
    MEANING_OF_ATTAINED,
    changed,
    main_quantities,
    names_of,
    number,
    sides,
    used,
    words_of,
)

KINDS = {
    "holds": "holds",
    "within rounding": "holds",
    "fails": "unexpected",
    "hypothesis": "derived_here",
    "undecided": "undecided",
}
"""The colour of an outcome."""


def page(measurements: Sequence[Measurement]) -> str:
    """The page, as text.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is missing.
    """
    files = resources.files("verify.report") / "static"
    style = "".join(files.joinpath(f"{name}.css").read_text(encoding="utf-8") for name in ("claims", "page"))
    title = f"{measurements[0].name} measured" if len(measurements) == 1 else f"{len(measurements)} networks measured"
    body = "".join(_series(measurements) if len(measurements) > 1 else "") + "".join(
        part for measurement in measurements for part in _section(measurement)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}
table.facts td:first-child {{ min-width: 11rem; }}
figure {{ margin: 1rem 0; overflow-x: auto; background: #fff; border-radius: 8px; padding: .5rem; break-inside: avoid; }}
figure svg {{ max-width: 100%; height: auto; }}
figcaption {{ color: #5d6878; font-size: .85em; }}
@media (min-width: 46rem) {{
  .main td:nth-child(n + 2), .main th {{ white-space: nowrap; text-align: right; }} .main th:first-child {{ text-align: left; }}
}}
.main td:nth-child(n + 3) {{ padding-left: 1.2rem; }}
.meaning {{ color: var(--quiet); font-size: .85em; }}
@media (max-width: 46rem) {{ figure svg {{ min-width: var(--least); }} }}
@media print {{
  :root {{ color-scheme: light; }}
  body {{ max-width: none; padding: 0; font-size: 10pt; }}
  details:not([open]) {{ display: none; }}
  section.group {{ break-before: page; }} section.group:first-of-type {{ break-before: auto; }}
  tr {{ break-inside: avoid; }} h2, h3, h4 {{ break-after: avoid; }}
}}
</style>
</head>
<body>
<header><h1>{escape(title)}</h1></header>
<main>
{body}</main>
</body>
</html>
"""


def _series(measurements: Sequence[Measurement]) -> Iterator[str]:
    yield f'<section class="group"><h2>{"Both" if len(measurements) == 2 else "The series"}</h2>\n'
    if len(measurements) > 2 and (drawn := figures.over_series(measurements)) is not None:
        yield _figure(
            drawn,
            f"The main quantities, from file 1, {measurements[0].name}, to file {len(measurements)}, {measurements[-1].name}.",
        )
    rows = [
        [escape(name), *(number(measurement.quantities.whole.get(name)) for measurement in measurements)]
        for name in names_of(measurements)
    ]
    yield fragments.table("Quantities", ["quantity", *(escape(measurement.name) for measurement in measurements)], rows)
    differing = [
        [f"<code>{escape(name)}</code>", *(_said(sentence) for sentence in said)] for name, said in changed(measurements)
    ]
    changes = fragments.table("", ["claim", *(escape(measurement.name) for measurement in measurements)], differing)
    yield f"<details><summary>{len(differing)} claims say different things</summary>{changes}</details>\n</section>\n"


def _section(measurement: Measurement) -> Iterator[str]:
    """What was read, the main quantities, bounds that are nearly attained; folded, the claims; errata at the end."""
    yield f'<section class="group"><h2>{escape(measurement.name)}</h2>\n<p>{escape(measurement.description)}</p>\n'
    if measurement.dead_neurons:
        yield f'<p class="quiet">{escape(measurement.dead_neurons)}</p>\n'
    if measurement.failing:
        yield _claims("Claims that fail, decided on rationals", measurement.failing)
    rows = [
        [f"{escape(name)}{_meaning(name)}", escape(value), escape(before), escape(least)]
        for name, value, before, least in main_quantities(measurement)
    ]
    table = fragments.table("", ["quantity", "this network", "untrained", "least for these data"], rows)
    yield f'<div class="main">{table}</div>'
    if measurement.untrained:
        yield '<p class="meaning">Untrained: the mean of networks of the same shape with He\'s initialisation.</p>\n'
    for note in measurement.quantities.notes:
        yield f'<p class="meaning">{escape(note[:1].upper() + note[1:])}.</p>\n'
    yield from _attained(measurement)
    for drawn, said in (
        (figures.spectra(measurement), "Singular values by layer."),
        (figures.ranks(measurement), "Ranks by layer; what is above them is width that the network does not use."),
        (figures.norms(measurement), "Squared norms by layer; a balanced network pays the same in each, up to its biases."),
        (figures.along_depth(measurement), "Quantities of the layers along the depth."),
        (figures.plane(measurement), "Linear regions; the rank of the Jacobian; classes, with a ring where three meet."),
        (figures.slacks(measurement.bounds), "How much of each bound is used."),
    ):
        if drawn is not None:
            yield _figure(drawn, said)
    names = list(dict.fromkeys(name for row in measurement.quantities.layers for name in row))
    rows = [[number(row.get(name)) for name in names] for row in measurement.quantities.layers]
    yield f"<details><summary>All quantities by layer</summary>{fragments.table('', names, rows)}</details>\n"
    answers = [answer for answer in measurement.answers if answer not in measurement.errata]
    said = ", ".join(f"{count} {name}" for name, count in words_of(measurement) if name != "false as printed")
    if answers:
        yield f"<details><summary>{len(answers)} claims: {escape(said)}</summary>{_claims('', answers)}</details>\n"
    not_asked = [[f"<code>{escape(claim.claim)}</code>", escape(claim.reason)] for claim in measurement.not_asked]
    reasons = fragments.table("", ["claim", "because"], not_asked)
    yield f"<details><summary>{len(not_asked)} claims were not asked of this network</summary>{reasons}</details>\n"
    if measurement.errata:
        said = f"{len(measurement.errata)} statements are false as printed, of which this network is an example"
        yield f"<details><summary>{said}</summary>{_claims('', measurement.errata)}</details>\n"
    yield "</section>\n"


def _meaning(name: str) -> str:
    return f'<div class="meaning">{escape(MEANINGS[name])}</div>' if name in MEANINGS else ""


def _attained(measurement: Measurement) -> Iterator[str]:
    attained = measurement.nearly_attained
    if not attained:
        return
    rows = [
        [f"{escape(answer.title)} <code>{escape(answer.claim)}</code>", _unbroken(sides(answer)), _unbroken(used(answer))]
        for answer in attained[:ATTAINED]
    ]
    yield f"<h3>Bounds that are nearly attained</h3>\n<p>{len(attained)} of them: {MEANING_OF_ATTAINED}.</p>\n"
    yield fragments.table("", ["theorem", "sides", "of what is allowed"], rows)


def _unbroken(text: str) -> str:
    return escape(text).replace(" ", "&nbsp;")


def _claims(title: str, answers: Sequence[Answer]) -> str:
    rows = [
        [
            f"{escape(answer.title)} <code>{escape(answer.claim)}</code>",
            _said(answer),
            _unbroken(sides(answer)),
            words.slack(answer.relative),
            "exact" if answer.exact else words.slack(answer.error),
            escape(answer.where),
        ]
        for answer in answers
    ]
    return fragments.table(title, ["claim", "says", "sides", "relative slack", "error", "where"], rows)


def _said(answer: Answer) -> str:
    return _badge(answer) if answer.words == answer.outcome else f"{_badge(answer)} {escape(answer.words)}"


def _badge(answer: Answer) -> str:
    return fragments.badge(
        answer.outcome,
        "refuted" if answer.status == "false_as_printed" and answer.outcome == "fails" else KINDS[answer.outcome],
    )


def _figure(drawn: object, caption: str) -> str:
    picture = figures.svg(drawn)  # type: ignore[arg-type]
    width = float(picture.partition('width="')[2].partition("pt")[0])
    # narrow pages scroll beside pictures whose words could not be read at less than three fifths of their size
    return f'<figure style="--least: {0.6 * width:.0f}pt">{picture}<figcaption>{escape(caption)}</figcaption></figure>\n'
