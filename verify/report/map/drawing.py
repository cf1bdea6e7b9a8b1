"""A map as an SVG: the shape says what a theorem is called, the fill what is known of it, the border who states it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from importlib import resources

from verify.report.map.arrows import KINDS, WRITTEN
from verify.report.map.graph import EVIDENCE, SHAPES, STATUSES, Node, TheoryMap, spelt
from verify.report.map.layout import Layout, Sizes, laid_out

LINE = 13.0
"""Height of a line of text."""
LETTERS = 18
"""Letters in a line of a label, at most."""
MARGIN = 6.0
Link = Callable[[Node], str]

COLOURS = {
    "--ink": ("#1b1e24", "#e4e6ea"),
    "--quiet": ("#5d646f", "#a2a9b4"),
    "--paper": ("#ffffff", "#16181c"),
    "--line": ("#d5d8dd", "#3d424a"),
    "--bad": ("#b8242b", "#ff8080"),
}
"""Colours of a file that stands alone, light and dark; a page has its own."""


def short_paper(paper: str) -> str:
    """The folder of a paper as words."""
    return spelt(paper.replace("_", " "))


def drawing(theory: TheoryMap, says: str, *, home: str | None = None, link: Link | None = None) -> str:
    """The map as an SVG element that is read out as `says`; theorems of other papers than `home` name their paper."""
    labels = {name: _lines(node, home) for name, node in theory.nodes.items()}
    tallest = max((len(lines) + bool(paper) for lines, paper in labels.values()), default=1)
    sizes = replace(Sizes(), height=LINE * tallest + 14)
    layered = [(arrow.source, arrow.target) for arrow in theory.arrows if arrow.kind in WRITTEN]
    layout = laid_out(list(theory.nodes), layered, sizes)
    kinds = {(arrow.source, arrow.target): arrow.kind for arrow in theory.arrows}
    inside = "".join(_arrow(corners, kinds[ends]) for ends, corners in layout.routes.items())
    inside += "".join(_straight(layout, ends, sizes) for ends, kind in kinds.items() if kind not in WRITTEN)
    for name, node in theory.nodes.items():
        x, y = layout.places[name]
        inside += _node(node, (x, y, sizes), *labels[name], link(node) if link else "")
    return _svg(inside, layout.width, layout.height, "group", says)


def legend() -> str:
    """What shapes, fills, borders and arrows mean, as an SVG of its own."""
    sizes = Sizes(width=110, height=26)
    rows: list[list[tuple[str, str]]] = [
        [(_shape(shape, "searched", (0, 0, sizes)), shape) for shape in SHAPES],
        [(_shape("other", evidence.replace(" ", "-"), (0, 0, sizes)), evidence) for evidence in EVIDENCE],
        [(_shape("other", f"searched {_kind(status)}", (0, 0, sizes)), status) for status in STATUSES],
    ]
    rows[-1].append((_shape("other", "searched wrong", (0, 0, sizes)), "has an erratum"))
    inside, step = "", sizes.width + 10
    for number, row in enumerate(rows):
        for place, (shape, word) in enumerate(row):
            inside += f'<g transform="translate({_n(place * step)} {_n(number * 34)})">{shape}'
            inside += f"{_text(sizes.width / 2, 17, word)}</g>"
    for place, kind in enumerate(KINDS):
        x = place * step
        inside += _arrow([(x, 115), (x + 34, 115)], kind) + _text(x + 40, 119, kind, "start")
    return _svg(inside, len(SHAPES) * step - 10, 128, "img", legend_in_words())


def legend_in_words() -> str:
    """What a map shows, in sentences."""
    evidence = "; ".join(f"{name}: {meaning}" for name, meaning in EVIDENCE.items())
    arrows = "; ".join(f"{name}: {meaning}" for name, meaning in KINDS.items())
    statuses = "; ".join(f"{name}: {meaning}" for name, meaning in STATUSES.items())
    return (
        "An arrow leads from a theorem to one that rests on it; arrows that follow from others are left out. The shape says "
        f"what a theorem is called ({', '.join(SHAPES)}), the fill what is known of it ({evidence}), the border who "
        f"states it ({statuses}); a thick one that something is false as printed. Arrows: {arrows}."
    )


def stand_alone(svg: str) -> str:
    """An SVG file with the colours in it, light, or dark where the screen is."""
    text = resources.files("verify").joinpath("report/static/map.css").read_text(encoding="utf-8")
    light, dark = (_in_colours(text, place) for place in (0, 1))
    style = (
        f"<style>{light}@media (prefers-color-scheme: dark) {{{dark}svg {{ background: {COLOURS['--paper'][1]}; }} }}</style>"
    )
    return svg.replace(">", f">{style}", 1) + "\n"


def _in_colours(text: str, place: int) -> str:
    """A style sheet with the colours of one scheme in place of variables."""
    text = re.sub(r"/\*.*?\*/\n?", "", text, flags=re.DOTALL)
    text = re.sub(r"light-dark\(([^,()]*), ([^,()]*)\)", lambda values: values[place + 1], text)
    return re.sub(r"var\((--\w+)\)", lambda values: COLOURS[values[1]][place], text)


def _svg(inside: str, width: float, height: float, role: str, says: str) -> str:
    """An element with a margin around what is in it."""
    wide, high, corner = _n(width + 2 * MARGIN), _n(height + 2 * MARGIN), _n(-MARGIN)
    return (
        f'<svg class="map" xmlns="http://www.w3.org/2000/svg" role="{role}" aria-label="{escape(says)}" '
        f'viewBox="{corner} {corner} {wide} {high}" width="{wide}" height="{high}">{inside}</svg>'
    )


def _n(value: float) -> str:
    """A coordinate, with one digit."""
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def _lines(node: Node, home: str | None) -> tuple[list[str], str]:
    """The label in lines, and the paper where it is another one."""
    return textwrap.wrap(node.label, LETTERS), "" if node.paper == home else short_paper(node.paper)


def _node(node: Node, box: tuple[float, float, Sizes], lines: Sequence[str], paper: str, address: str) -> str:
    x, y, sizes = box
    kinds = f"{node.evidence.replace(' ', '-')} {_kind(node.status)}{' wrong' if node.errata else ''}"
    # a page in reStructuredText has the drawing in one line
    said = escape(node.said).replace("\n", "&#10;")
    inside = f"<title>{said}</title>" + _shape(node.shape, kinds, box)
    count = len(lines) + bool(paper)
    first_y = y + sizes.height / 2 - LINE * (count - 1) / 2 + 4
    for number, line in enumerate(lines):
        inside += _text(x + sizes.width / 2, first_y + LINE * number, line)
    if paper:
        inside += _text(x + sizes.width / 2, first_y + LINE * len(lines), paper, kind="paper")
    return f'<a href="{escape(address)}">{inside}</a>' if address else f"<g>{inside}</g>"


def _kind(status: str) -> str:
    """The class of a border."""
    return f"is-{status.replace(' ', '-')}"


def _shape(shape: str, kinds: str, box: tuple[float, float, Sizes]) -> str:
    x, y, sizes = box
    width, height = sizes.width, sizes.height
    kinds = f'class="{kinds}"'
    if shape in ("proposition", "other"):
        round_ = f' rx="{_n(height / 2)}"' if shape == "proposition" else ""
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        return f"<rect {kinds} {place}{round_}/>"
    if shape == "theorem":
        cut, half = 12.0, _n(height / 2)
        path = f"M{_n(x)} {_n(y + height / 2)}l{_n(cut)} -{half}h{_n(width - 2 * cut)}l{_n(cut)} {half}l-{_n(cut)} {half}"
        return f'<path {kinds} d="{path}h-{_n(width - 2 * cut)}z"/>'
    cut = 8.0
    across, down = _n(width - 2 * cut), _n(height - 2 * cut)
    path = f"M{_n(x + cut)} {_n(y)}h{across}l{_n(cut)} {_n(cut)}v{down}l-{_n(cut)} {_n(cut)}h-{across}l-{_n(cut)} -{_n(cut)}"
    return f'<path {kinds} d="{path}v-{down}z"/>'


def _arrow(corners: Sequence[tuple[float, float]], kind: str) -> str:
    """A smooth line through the corners, level at each of them, with a point at its end."""
    (x, y), *following = corners
    path = f"M{_n(x)} {_n(y)}"
    for number, (corner_x, level) in enumerate(following):
        end = corner_x - (6 if number == len(following) - 1 else 0)
        middle = (x + end) / 2
        path += f"C{_n(middle)} {_n(y)} {_n(middle)} {_n(level)} {_n(end)} {_n(level)}"
        x, y = corner_x, level
    return f'<path class="{kind}" d="{path}"/><path class="point {kind}" d="M{_n(x)} {_n(y)}l-7 -3.5v7z"/>'


def _straight(layout: Layout, ends: tuple[str, str], sizes: Sizes) -> str:
    """An arrow that has no part in the layers."""
    (start_x, start_y), (end_x, end_y) = (layout.places[name] for name in ends)
    return _arrow([(start_x + sizes.width, start_y + sizes.height / 2), (end_x, end_y + sizes.height / 2)], kind="corrects")
