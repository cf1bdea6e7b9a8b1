"""Letters of formulas in prose: the b and the W of "with b the last column of W" are typeset as in the formula beside it."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable

from verify.claims.claim import Claim
from verify.report import words

GREEK: tuple[str, ...] = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu")
GREEK += ("xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega")
GREEK += ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Phi", "Psi", "Omega")
WORDS = {"a", "A", "I"}
"""Letters that are words, too: they are typeset where a formula has them."""
CAPITALS_OF_LABELS = {"A", "B", "C", "D", "E", "F"}
SIGNS = {"<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "=": "=", "+": "+", "-": "-"}

_NUMBER = r"\d+(?:[./]\d+)?"
_ATOM = rf"(?:{'|'.join(GREEK)}|[A-Za-z]|{_NUMBER})"
# what stands before and after is what reStructuredText allows beside a role, and no word of more letters
_EXPRESSION = re.compile(
    rf"(?<![^\s(\[{{\"/])-?{_ATOM}(?: (?:<=|>=|[<>=+-]) -?{_ATOM})*(?![^\s.,:;!?/'\")\]}}-])(?!\.\w)(?!'\w\w)(?!-[A-Z])"
)
_KEPT = re.compile(r"(:\w+:`[^`]*`|``[^`]*``|`[^`]*`)")
_LABEL = re.compile(r"(?:appendix|assumption|case|definition|figure|lemma|part|section|step|table|theorem)\s+$", re.IGNORECASE)
_RULE = re.compile(r"^ *=+(?: +=+)+ *$", re.MULTILINE)


def letters_in(texts: Iterable[str]) -> frozenset[str]:
    """The letters of the formulas in some docstrings."""
    found: set[str] = set()
    for text in texts:
        for formula in re.findall(r":math:`([^`]*)`|^( *)\.\. math::(.*(?:\n(?:\2 +\S.*)?$)*)", text, re.MULTILINE):
            source = re.sub(r"\\(?:mathrm|text|operatorname)\{[^}]*\}", " ", f"{formula[0]} {formula[2]}")
            found |= set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", source)))
    return frozenset(found)


def letters_of(claim: Claim) -> frozenset[str]:
    """The letters of a claim: its variables and sizes of one letter, and what its formulas and those of its module use."""
    module = sys.modules.get(words.unwrapped(claim.statement).__module__)
    texts = [inspect.getdoc(module) or "" if module is not None else "", words.docstring(claim.statement)]
    names = {*claim.domain.variables, *claim.domain.sizes, *inspect.signature(words.unwrapped(claim.statement)).parameters}
    return letters_in(texts) | {name for name in names if len(name) == 1}


def lettered(text: str, letters: frozenset[str]) -> str:
    """Prose in which letters, and short expressions of them such as ``L >= 2``, are formulas.

    The names of Greek letters are letters. Those that are words, too, are typeset only where a formula has them (`letters`).
    Code, formulas and tables stay, and so does what a label names, as in "Appendix B".
    """
    rules = [*_RULE.finditer(text)]
    if rules:
        before, table, after = text[: rules[0].start()], text[rules[0].start() : rules[-1].end()], text[rules[-1].end() :]
        return lettered(before, letters) + table + lettered(after, letters)
    lines: list[str] = []
    paragraphs: list[str] = []

    def ended() -> None:
        if lines:
            paragraphs.append(_prose("\n".join(lines), letters))
            lines.clear()

    inside: int | None = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if inside is not None and (not line.strip() or indent > inside):
            paragraphs.append(line)
        elif line.lstrip().startswith(".. "):
            ended()
            paragraphs.append(line)
            inside = indent
        else:
            inside = None
            lines.append(line)
    ended()
    return "\n".join(paragraphs)


def _prose(text: str, letters: frozenset[str]) -> str:
    kept = [found.span() for found in _KEPT.finditer(text)]

    def shown(found: re.Match[str]) -> str:
        inside = any(begin < found.end() and found.start() < end for begin, end in kept)
        return found[0] if inside else _formula(found[0], text[: found.start()], text[found.end() :], letters)

    return _EXPRESSION.sub(shown, text)


def _formula(text: str, here: str, following: str, letters: frozenset[str]) -> str:
    names = [atom for atom in re.findall(_ATOM, text) if not atom[0].isdigit()]
    if not names or not WORDS.intersection(names) <= letters or text == "a":
        return text
    if text in CAPITALS_OF_LABELS and _LABEL.search(here):
        return text
    if text == "A" and re.match(r"\s+[a-z]", following) and re.search(r"(?:^|[.:;!?]|\n\n)\s*$", here):
        return text
    if here.endswith("(") and following.startswith(")") and len(text) == 1:
        return text  # of a list: (i), (b)
    if (here and here[-1] == "`") or following[:1] == "`":
        return text
    tex = " ".join(SIGNS.get(part, _tex(part)) for part in text.split(" "))
    return f":math:`{tex}`"


def _tex(part: str) -> str:
    sign, name = ("-", part[1:]) if part.startswith("-") else ("", part)
    return sign + (rf"\{name}" if name in GREEK else name)
