"""The pictures of a page in small at its top."""

from docutils import nodes
from docutils.core import publish_doctree

from verify.site.thumbnails import add_thumbnails

PAGE = """
Pictures
========

Two of them.

More words.

Costs
-----

A curve
.......

.. image:: curve.png
   :alt: A curve that falls.

No picture
..........

Words.

Only words
----------

None here
.........

Words.
"""


def test_a_picture_with_its_title_leads_to_its_section():
    document = publish_doctree(PAGE, settings_overrides={"doctitle_xform": False})
    add_thumbnails(document)
    page = next(document.findall(nodes.section))
    assert [part.astext() for part in page.children[1:5]] == ["Two of them.", "Costs", "A curve", "More words."]
    (link,) = document.findall(nodes.reference)
    assert link["refid"] == "a-curve"
    small, large = document.findall(nodes.image)
    assert (small["uri"], small["alt"]) == ("curve.png", "")
    assert large["alt"] == "A curve that falls."
