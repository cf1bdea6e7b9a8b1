r"""Formulas in LaTeX as MathML, which browsers show without a script, a font or a network.

The converter is the one of docutils; what it does not know and theorems use is written in another way first.
"""

from __future__ import annotations

import functools
import re

SPELLINGS = {
    r"\dots": r"\ldots",
    r"\iff": r"\;\Leftrightarrow\;",
    r"\implies": r"\;\Rightarrow\;",
    r"\Big": r"\Bigl",
    r"\big": r"\bigl",
    r"\bigg": r"\biggl",
    r"\Bigg": r"\Biggl",
}
"""Commands that the converter does not know, with what says the same."""
WORDS = re.compile(r"([_^])\{(in|out|op|full|const)\}")
"""Words, not products of letters, which stand upright."""
SHORT_FRACTION = re.compile(r"(\\[dt]?frac)\s*(\d)\s*(\d|[a-zA-Z](?![a-zA-Z]))")


class UnreadableFormula(ValueError):
    """The message has the formula, and what the converter says of it."""


@functools.cache
def mathml(formula: str, *, block: bool = False) -> str:
    r"""A ``<math>`` element, displayed on a line of its own if `block`; rows are separated by ``\\``, aligned at ``&``.

    Raises
    ------
    UnreadableFormula
        The formula has a command that is unknown, or is not complete.
    """
    # its import takes as long as that of the rest of the report
    from docutils.utils.math import MathError
    from docutils.utils.math.latex2mathml import tex2mathml

    text = re.sub(r"\\[a-zA-Z]+", lambda match: SPELLINGS.get(match[0], match[0]), formula)
    text = WORDS.sub(r"\1{\\mathrm{\2}}", SHORT_FRACTION.sub(r"\1{\2}{\3}", text))
    try:
        found = tex2mathml(text.strip(), as_block=block)
    except MathError as error:
        raise UnreadableFormula(f"the formula {formula!r} cannot be shown: {error}") from error
    # Firefox and Chromium leave room around it, even in an exponent
    found = found.replace('<mo stretchy="false">/</mo>', '<mo stretchy="false" lspace="0" rspace="0">/</mo>')
    if r"\left" not in formula:
        # of two bars, of which one has an exponent, browsers make the other one larger
        found = found.replace("<mo>‖</mo>", '<mo stretchy="false">‖</mo>')
    # HTML knows the name space
    return re.sub(r">\s+<", "><", found.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")).strip()
