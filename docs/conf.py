"""Sphinx configuration; the atlas and the errata are written from the claims when the site is built."""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path
from typing import Any

from verify import __version__
from verify.site.building import write_pages

HERE = Path(__file__).parent

project = "deep-l2-verify"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "verify.site.building"]
# notebooks are kept without their outputs: what the site shows is what the present code gives
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
myst_enable_extensions = ["attrs_inline", "deflist", "dollarmath", "substitution"]
exclude_patterns = ["_build", "_extra", "jupyter_execute"]
# single backticks are names in code
default_role = "literal"
html_math_renderer = "mathml"

# docstrings name things in plain code, so that these references come from annotations: other packages, aliases, private modules
nitpick_ignore_regex = [("py:.*", ".*")]
# a default that is the text "depth" is taken for a reference to every attribute of this name
suppress_warnings = ["ref.python"]
# an attribute is described with its class; as an object of its own it would be described twice where it is a property, too
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_theme = "furo"
html_title = "deep-l2-verify"
html_favicon = "_static/logo.svg"
html_logo = "_static/logo.svg"
# where the site is, if that is known: then links to it have a picture, and the page for what is not found leads back
html_baseurl = os.environ.get("SITE_URL", "")
if html_baseurl:
    html_baseurl = f"{html_baseurl.rstrip('/')}/"
html_extra_path = ["_extra"]
html_static_path = ["_static", "../verify/report/static"]
html_css_files = ["claims.css", "map.css", "site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("claims.js", "map.js", "reading.js")]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

myst_substitutions = write_pages(HERE)


def picture_of_links(_app: Any, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """What others show of a link to a page."""
    picture = f"{html_baseurl}_static/card.png" if html_baseurl else context["pathto"]("_static/card.png", 1)
    said = f"{context.get('title', page)}: {project}"
    context["metatags"] = context.get("metatags", "") + (
        f'<meta property="og:title" content="{escape(re.sub("<[^>]+>", "", said))}">'
        f'<meta property="og:image" content="{picture}"><meta name="twitter:card" content="summary_large_image">'
    )


def links_from_anywhere(app: Any, error: Exception | None) -> None:
    """The page for what is not found is shown at any address: its links begin at the root of the server, or of the site."""
    path = Path(app.outdir) / "404.html"
    if html_baseurl and error is None and path.exists():
        path.write_text(path.read_text(encoding="utf-8").replace('href="/', f'href="{html_baseurl}'), encoding="utf-8")


def setup(app: Any) -> None:
    """Add the picture to each page, and the address of the site to the page for what is not found."""
    app.connect("html-page-context", picture_of_links)
    app.connect("build-finished", links_from_anywhere)
