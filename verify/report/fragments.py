"""Pieces of HTML that the report of a run and the pages of the site share: what is known of a claim."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from verify.checker.record import Record
from verify.checker.strength import Strength
from verify.claims.claim import Claim, FalseAsPrinted
from verify.claims.domain import Sample
from verify.claims.variables import Derived
from verify.evidence import UnusableWitness, packaged_witness, read_witness, recheck
from verify.notation.mathml import formula_or_text
from verify.numbers.arithmetic import rationals
from verify.report import pictures, words
from verify.report.instances import FEW, instance, numbers_in
from verify.report.letters import lettered, letters_of

Link = Callable[[str], str]
"""Where the id of a claim leads."""
Shown = Callable[[Claim, Mapping[str, Any]], str]
"""How an instance that a record holds is shown."""


def badge(text: str, kind: str) -> str:
    """A word in a frame, coloured by its kind."""
    return f'<span class="badge {escape(kind)}">{escape(text.replace("_", " "))}</span>'


def table(title: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with a heading, if it has a title; the cells are HTML."""
    names = list(header)
    labelled = (zip(names, row, strict=True) for row in rows)
    tagged = ("".join(f'<td data-label="{escape(name)}">{cell}</td>' for name, cell in row) for row in labelled)
    body = "".join(f"<tr>{row}</tr>" for row in tagged)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    return (
        f"{f'<h4>{escape(title)}</h4>' if title else ''}"
        f'<div class="wide"><table class="facts"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>\n"
    )


def prose(text: str) -> str:
    """A docstring as HTML: paragraphs, rubrics, formulas in MathML, code in a fixed-width face, tables as they stand."""
    return "".join(_blocks(inspect.cleandoc(text).splitlines()))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    paragraph: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        inner = _indented(lines[place + 1 :])
        if line.startswith(".. math::"):
            yield from _paragraph(paragraph)
            formula = "\n".join([line.removeprefix(".. math::").strip(), *inner]).strip()
            yield f'<div class="formula">{formula_or_text(formula, block=True)}</div>'
            place += len(inner)
        elif line.strip() and not paragraph and inner and not line.startswith(" ") and lines[place + 1].strip():
            # a line by itself with an indented block below it
            yield f"<h4>{inline(line)}</h4>"
            yield from _blocks(inspect.cleandoc("\n" + "\n".join(inner)).splitlines())
            place += len(inner)
        elif not line.strip():
            yield from _paragraph(paragraph)
        else:
            paragraph.append(line)
        place += 1
    yield from _paragraph(paragraph)


def _indented(lines: Sequence[str]) -> list[str]:
    """The lines up to the first that is not indented."""
    until = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith(" ")), len(lines))
    return list(lines[:until])


def _paragraph(lines: list[str]) -> Iterator[str]:
    """The lines so far, as one paragraph; they are taken."""
    if lines:
        text = "\n".join(lines)
        is_table = re.match(r"=+( +=+)*$", lines[0]) is not None
        yield f"<pre>{escape(text)}</pre>" if is_table else f"<p>{inline(text)}</p>"
        lines.clear()


def inline(text: str) -> str:
    """Text with formulas and code."""
    parts = re.split(r"(:math:`[^`]*`|``[^`]*``|`[^`]*`)", text)
    return "".join(map(_inline, parts))


def named(claim: Claim, text: str) -> str:
    """Text about a claim, with formulas and code; its letters are typeset."""
    return inline(lettered(text, letters_of(claim)))


def _inline(part: str) -> str:
    if part.startswith(":math:`"):
        return formula_or_text(part[len(":math:`") : -1])
    if part.startswith("`") and len(part) > 1:
        return f"<code>{escape(part.strip('`'))}</code>"
    return escape(part)


def relations(claim: Claim, claims: Mapping[str, Claim], link: Link) -> str:
    """What corrects the claim and what it corrects, as a sentence with links; empty if there is nothing."""

    def linked(name: str) -> str:
        return f'<a href="{escape(link(name))}"><code>{escape(name)}</code></a>'

    sentences = []
    if isinstance(claim.status, FalseAsPrinted):
        sentences.append(f"Corrected by {linked(claim.status.corrected_by)}.")
    corrected = [other.id for other in claims.values() if getattr(other.status, "corrected_by", None) == claim.id]
    if corrected:
        sentences.append(f"Corrects {', '.join(map(linked, corrected))}.")
    if claim.follows:
        sentences.append(f"Follows from {', '.join(map(linked, dict.fromkeys(follow.claim.id for follow in claim.follows)))}.")
    return f'<p class="relations">{" ".join(sentences)}</p>\n' if sentences else ""


def hypotheses(claim: Claim, record: Record | None = None, shown: Shown | None = None) -> str:
    """The hypotheses, which of them are needed, and the instances that say so."""
    rows = []
    for name in claim.domain.hypotheses:
        needed = name in claim.needs if record is None else record.needs.get(name) == "needed"
        counterexample = None if record is None else record.needed_at.get(name)
        where = "" if counterexample is None or shown is None else f": without it, false at {shown(claim, counterexample)}"
        rows.append((named(claim, name), f"needed{where}" if needed else '<span class="quiet">not shown to be needed</span>'))
    located = record is not None and shown is not None and bool(record.needed_at)
    note = "<p>Needed: without the hypothesis the search refutes the statement.</p>" if claim.needs and not located else ""
    sizes = words.sizes(claim.domain)
    text = f"<p>Sizes that are tried (how large the instances are, or of which kind): {escape(sizes)}.</p>\n" if sizes else ""
    return (table("Hypotheses", ("hypothesis", "needed?"), rows) + note if rows else "") + text


def tight(claim: Claim, record: Record | None = None) -> str:
    """The instances at which the statement is attained, and how far from it they are allowed to be."""
    if not claim.tight:
        return ""
    rows = []
    for name, example in claim.tight.items():
        relative = None if record is None else record.tight.get(name)
        allowed = "attained" if example.relative_slack == 0 else f"relative slack at most {words.slack(example.relative_slack)}"
        measured = "" if relative is None or (example.relative_slack == relative == 0) else f"measured {words.slack(relative)}"
        why = named(claim, example.why) if example.why else ""
        rows.append((named(claim, name), "; ".join(filter(None, (allowed, measured))), why))
    explained = any(example.why for example in claim.tight.values())
    header = ("instance", "how near to equality", "why not nearer") if explained else ("instance", "how near to equality")
    return table("Tight examples", header, (row[: len(header)] for row in rows))


def variants(
    claim: Claim, record: Record | None = None, shown: Shown | None = None, says: Callable[[Claim, str], str] | None = None
) -> str:
    """The false statements beside this one, what they say (`says` gives HTML for one of them), and what refutes them."""
    if not claim.false_variants:
        return ""
    rows = []
    for name, statement in claim.false_variants.items():
        text = words.docstring(statement) if words.unwrapped(statement) is not words.unwrapped(claim.statement) else ""
        row = [named(claim, name)]
        row[0] += f'<br><span class="quiet">{named(claim, text.split(chr(10) * 2)[0])}</span>' if text else ""
        row[0] += "" if says is None else says(claim, name)
        if record is not None:
            result: Mapping[str, Any] = record.false_variants.get(name, {})
            by = f"{result.get('by') or 'search'}, {result.get('evaluations')} evaluations"
            counterexample = result.get("counterexample")
            refuted = f"refuted ({escape(by)})" if counterexample is None or shown is None else shown(claim, counterexample)
            row.append(refuted if result.get("refuted") else '<b class="bad">NOT refuted</b>')
        rows.append(row)
    return table(
        "False variants", ["false variant", *([] if record is None else ["refuted" if shown is None else "false at"])], rows
    )


def exact_parts(claim: Claim, record: Record | None = None) -> str:
    """What is decided on rationals or symbols without a sample, and a fitted rate."""
    rows = []
    for name in claim.exact:
        argued = f"with the argument: {named(claim, claim.argument)}" if name == claim.proof else ""
        rows.append((named(claim, name), *(() if record is None else (escape(record.exact.get(name, "-")),)), argued))
    header = ("part", *(() if record is None else ("verdict",)), "proves the statement")
    if not any(row[-1] for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    text = table("Exact parts", header, rows) if rows else ""
    if claim.rate is not None:
        text += f"<h4>Rate</h4><p>Stated exponent {claim.rate.exponent:g}"
        if record is not None and record.rate is not None:
            fitted = {name: "-" if value is None else f"{value:.4f}" for name, value in record.rate.items()}
            text += f"; fitted {fitted['exponent']} ± {fitted['uncertainty']}"
        text += ".</p>\n"
    return text


def strength(strength_: Strength | None) -> str:
    """The smallest error in each comparison and constant that the check notices."""
    if strength_ is None or not (strength_.comparisons or strength_.constants):
        return ""
    named = {f"comparison {name}".strip(): comparison for name, comparison in strength_.comparisons.items()}
    named |= {f"constant {name}": constant for name, constant in strength_.constants.items()}
    rows = [(inline(name), escape(detected.amount), inline(detected.by or detected.reason)) for name, detected in named.items()]
    return table("Strength: the smallest error that is detected", ("of", "error", "by, or why not"), rows)


def witness(claim: Claim, claims: Mapping[str, Claim], package: str = "theorems") -> str:
    """The packaged instance at which a claim is false, in readable numbers, with both sides; empty if there is none."""
    path = packaged_witness(claim, package)
    if path is None:
        return ""
    try:
        witness_, _ = read_witness(path, claims)
    except UnusableWitness:
        return '<p class="bad">The witness in the package is of an earlier form of the statement.</p>\n'
    relation = recheck(witness_, claim)
    left, right, _ = relation.worst()
    comparison = relation.comparisons[int(np.argmin([float(np.min(slack)) for slack in relation.relative_slacks()]))]
    return (
        f"{pictures.side_by_side(pictures.pictures(claim.domain.instance(witness_.sample)))}"
        f"{_variables(claim, witness_.sample)}{sides(left, right, comparison.sense)}"
        f"<p>Decide it again: <code>verify check theorems/witnesses/{path.name}</code></p>\n"
    )


def found_at(claim: Claim, document: Mapping[str, Any]) -> str:
    """The instance and both sides of a witness, as a record holds it."""
    sample = _sample(claim, document)
    if sample is None:
        return '<p class="quiet">an instance of an earlier form of the claim</p>\n'
    return _variables(claim, sample) + sides(document["left"], document["right"])


def _variables(claim: Claim, sample: Sample) -> str:
    """The variables of one instance and, folded, the free parameters from which some are derived."""
    variables = claim.domain.instance(sample)
    derived = [name for name in variables if isinstance(claim.domain.variables[name], Derived)]
    drawn = {label: values for label, values in sample.coordinates.items() if label.partition(".")[0] in derived}
    summary = f"Free parameters of {escape(', '.join(derived))}"
    free = f'<details class="numbers"><summary>{summary}</summary>{instance(drawn)}</details>' if drawn else ""
    return instance(variables, words.with_kinds(sample.sizes, claim.domain.kinds(sample.sizes))) + free


def in_numbers(claim: Claim, document: Mapping[str, Any]) -> str:
    """The variables of an instance that a record holds, and both sides; folded if they are many."""
    text = found_at(claim, document)
    count = numbers_in(document["coordinates"])
    if count <= FEW:
        return text
    return f'<details class="numbers"><summary>an instance of {count} numbers</summary>{text}</details>'


def in_a_line(claim: Claim, document: Mapping[str, Any]) -> str:  # noqa: ARG001 (as `in_numbers`)
    """The coordinates of an instance that a record holds, and both sides, as short text."""
    left, right = words.two_short_numbers(document["left"], document["right"])
    parts = [f"{name} = {value}" for name, value in document["sizes"].items()]
    parts += [f"{name} = {words.short_list(values)}" for name, values in document["coordinates"].items()]
    return f"<code>{escape(', '.join(parts))}</code>: {escape(left)} against {escape(right)}"


def drawn(claim: Claim, record: Record | None = None) -> str:
    """Pictures: how near to failing the drawn instances come, the first tight example that can be drawn, and the worst."""
    figures = []
    if record is not None and (svg := pictures.slack_histogram(record.slacks)):
        caption = f"<b>how near {sum(record.slacks)} instances come</b><br>relative slack, grey: undecided in floats"
        figures.append(pictures.figure(svg, caption))
    tight_pictures = {name: pictures.pictures(example.instance()) for name, example in claim.tight.items()}
    # of several, the one with most to see
    richest = max(tight_pictures, key=lambda name: (len(tight_pictures[name]), sum(map(len, tight_pictures[name]))), default="")
    figures += [_captioned(picture, f"tight: {named(claim, richest)}") for picture in tight_pictures.get(richest, [])]
    if record is not None and record.nearest is not None:
        figures += [_captioned(picture, "nearest to failing") for picture in _pictures_at(claim, record.nearest)]
    return pictures.side_by_side(figures)


def _captioned(figure: str, which: str) -> str:
    return figure.replace("<figcaption>", f"<figcaption><b>{which}</b><br>", 1)


def _sample(claim: Claim, document: Mapping[str, Any]) -> Sample | None:
    """Of rationals, which a record holds as text, or of floats; None if the claim has other coordinates by now."""
    if document["sizes"] not in claim.domain.all_sizes():
        return None
    layout = claim.domain.layout(document["sizes"])
    coordinates = {name: np.asarray(values) for name, values in document["coordinates"].items()}
    if {name: array.size for name, array in coordinates.items()} != {
        name: math.prod(coordinate.shape) for name, coordinate in layout.items()
    }:
        return None
    # nested lists say nothing of the lengths behind one that is 0
    coordinates = {name: array.reshape(layout[name].shape) for name, array in coordinates.items()}
    exact = any(values.dtype.kind == "U" for values in coordinates.values())
    return Sample(
        document["sizes"], {name: rationals(array.astype(object)) if exact else array for name, array in coordinates.items()}
    )


def _pictures_at(claim: Claim, document: Mapping[str, Any]) -> list[str]:
    sample = _sample(claim, document)
    return [] if sample is None else pictures.pictures(claim.domain.instance(sample))


SENSES = {"le": "at most", "ge": "at least", "eq": "equal to"}


def sides(left: Any, right: Any, sense: str = "") -> str:
    """Both sides of a comparison, and what is said of them, if it is given."""
    shown_left, shown_right = map(escape, words.two_short_numbers(left, right))
    claimed = f"; the left is said to be {SENSES[sense]} the right" if sense else ""
    return f'<p class="sides">left side <code>{shown_left}</code>, right side <code>{shown_right}</code>{claimed}</p>\n'


def code(claim: Claim) -> str:
    """The source of the statement, folded; empty if there is none."""
    function = words.unwrapped(claim.statement)
    try:
        lines, first_line = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return ""
    place = f"{escape(function.__module__)}, line {first_line}"
    return (
        f'<details class="code"><summary>Code of the statement <span class="quiet">({place})</span></summary>'
        f"<pre>{escape(''.join(lines))}</pre></details>\n"
    )


def commands(claim: Claim) -> str:
    """What repeats the check."""
    lines = "\n".join(f"verify {verb} {claim.id}" for verb in ("run", "show", "strength"))
    return f'<details class="code"><summary>Repeat it</summary><pre>{escape(lines)}</pre></details>\n'


def filters(options: Mapping[str, Sequence[str]], count: int, noun: str = "claims") -> str:
    """A search field and a choice for each kind of fact, for tables of so many `noun`.

    `claims.js` shows them and acts on them, and keeps them in the address.
    """
    choices = "".join(
        f'<label>{name} <select name="{name}"><option value="">all</option>'
        + "".join(f'<option value="{escape(text)}">{escape(text.replace("_", " "))}</option>' for text in texts)
        + "</select></label>"
        for name, texts in options.items()
    )
    return (
        f'<form class="filters" role="search" data-noun="{noun}" hidden>'
        f'<label>search <input type="search" name="text"></label>{choices}'
        f'<output aria-live="polite">{count} {noun}</output></form>'
    )
