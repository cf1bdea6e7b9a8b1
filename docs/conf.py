"""Sphinx configuration; the atlas and the errata are written from the claims when the site is built."""

from __future__ import annotations

from pathlib import Path

from verify import __version__
from verify.report.site import write_pages

HERE = Path(__file__).parent

project = "deep-l2-verify"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "verify.report.site"]
# the notebook is kept without its outputs: what the site shows is what the present code gives
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build", "jupyter_execute"]
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
html_static_path = ["_static", "../verify/report/static"]
html_css_files = ["claims.css", "site.css"]
html_js_files = [("claims.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

write_pages(HERE)
