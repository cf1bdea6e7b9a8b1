"""The pictures of a page in small at its top, by topic, each a link to its section: taken from the page when it is written."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes


def add_thumbnails(document: nodes.document) -> None:
    """Put a grid of links below the first paragraph: a list for each section of the page, with the pictures of its subsections.

    Subsections without a picture have no link. The pictures are the files of the page itself.
    """
    page = next(document.findall(nodes.section))
    grid = [part for topic in _subsections(page) for part in _topic(topic)]
    begin = next((page.index(part) for part in page.children if isinstance(part, nodes.paragraph)), 0)
    page[begin + 1 : begin + 1] = grid


def _subsections(section: nodes.section) -> Iterator[nodes.section]:
    return (part for part in section.children if isinstance(part, nodes.section))


def _topic(topic: nodes.section) -> list[nodes.Element]:
    """Its heading and its list, if there are pictures."""
    links = nodes.bullet_list(classes=["thumbnails"])
    for recipe in _subsections(topic):
        picture = next(recipe.findall(nodes.image), None)
        if picture is None:
            continue
        small = picture.deepcopy()
        # the title is beside it: read aloud it would be said twice
        small["alt"] = ""
        link = nodes.reference("", "", small, nodes.inline("", _title(recipe)), refid=recipe["ids"][0], internal=True)
        links += nodes.list_item("", nodes.paragraph("", "", link))
    return [nodes.rubric("", _title(topic)), links] if links.children else []


def _title(section: nodes.section) -> str:
    title: str = next(section.findall(nodes.title)).astext()
    return title
