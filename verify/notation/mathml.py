r"""Formulas in LaTeX as MathML, which browsers show without a script, a font or a network.

The converter is the one of docutils; what it does not know and theorems use is written in another way first.
"""

from __future__ import annotations

import functools
import re
from html import escape

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
UPRIGHT = re.compile(r"\\mathrm\{([A-Za-z][A-Za-z ]+)\}( *(?=[A-Za-z]|\\(?!left|right|[,;!\\ ])[a-zA-Z]))?")
"""Names of several letters are one word, and a name of a function stands apart from what follows."""
SHORT_FRACTION = re.compile(r"(\\[dt]?frac)\s*(\d)\s*(\d|[a-zA-Z](?![a-zA-Z]))")


class UnreadableFormula(ValueError):
    """The message has the formula, and what the converter says of it."""


@functools.cache
def mathml(formula: str, *, block: bool = False) -> str:
    r"""A ``<math>`` element, displayed on a line of its own if `block`; rows are separated by ``\\``, aligned at ``&``.

    What ``\qquad`` separates in a line of its own are elements of their own, so that it can break where it is too long.

    Raises
    ------
    UnreadableFormula
        The formula has a command that is unknown, or is not complete.
    """
    parts = _parts(formula) if block else [formula]
    if len(parts) > 1:
        return "".join(mathml(part, block=True) for part in parts)
    # its import takes as long as that of the rest of the report
    from docutils.utils.math import MathError
    from docutils.utils.math.latex2mathml import tex2mathml

    text = re.sub(r"\\[a-zA-Z]+", lambda match: SPELLINGS.get(match[0], match[0]), formula)
    text = WORDS.sub(r"\1{\\mathrm{\2}}", SHORT_FRACTION.sub(r"\1{\2}{\3}", text))
    text = UPRIGHT.sub(lambda match: rf"\text{{{match[1]}}}" + r"\," * (match[2] is not None), text)
    try:
        converted = tex2mathml(text.strip(), as_block=block)
    except MathError as error:
        raise UnreadableFormula(f"the formula {formula!r} cannot be shown: {error}") from error
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        # the converter does not look whether what is opened is closed
        raise UnreadableFormula(f"the formula {formula!r} cannot be shown: it is not complete") from error
    # browsers leave room around these, even in an exponent
    for sign in "/|":
        converted = converted.replace(
            f'<mo stretchy="false">{sign}</mo>', f'<mo stretchy="false" lspace="0" rspace="0">{sign}</mo>'
        )
    if r"\left" not in formula:
        # of two bars, of which one has an exponent, browsers make the other one larger
        converted = converted.replace("<mo>‖</mo>", '<mo stretchy="false" lspace="0" rspace="0">‖</mo>')
    # HTML knows the name space
    return re.sub(r">\s+<", "><", converted.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")).strip()


def formula_or_text(formula: str, *, block: bool = False) -> str:
    """A formula as MathML, or as it is typed where the converter cannot read it."""
    try:
        return mathml(formula, block=block)
    except UnreadableFormula:
        return f"<code>{escape(formula)}</code>"


def _parts(formula: str) -> list[str]:
    """The formulas of a line that are set apart; the line itself if it has rows, or a space inside of something."""
    parts = [part for part in formula.split(r"\qquad") if part.strip()]
    balanced = all(part.count("{") == part.count("}") and part.count(r"\left") == part.count(r"\right") for part in parts)
    return parts if balanced and r"\\" not in formula and "&" not in formula else [formula]
