r"""Formulas in LaTeX as a line of Unicode, for a terminal.

Only the subset that docstrings of theorems use. The libraries that were tried change the meaning: ``x^{2/L}`` becomes
``x^2/L``, and norms or fractions go; here whatever has no sign of its own keeps its parentheses, and an unknown command stays
as it is typed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

_SIGNS = r"""
ell ℓ  le ≤  leq ≤  ge ≥  geq ≥  ne ≠  neq ≠  cdot ·  times ×  partial ∂  sum ∑  prod ∏  int ∫  infty ∞  to →  pm ±  mp ∓  in ∈
notin ∉  subset ⊂  subseteq ⊆  cup ∪  cap ∩  bigcup ⋃  odot ⊙  otimes ⊗  oplus ⊕  circ ∘  perp ⊥  mapsto ↦  Rightarrow ⇒  iff ⇔
implies ⇒  ldots …  dots …  cdots ⋯  langle ⟨  rangle ⟩  lfloor ⌊  rfloor ⌋  lceil ⌈  rceil ⌉  nabla ∇  forall ∀  exists ∃
emptyset ∅  approx ≈  equiv ≡  sim ∼  propto ∝  ll ≪  gg ≫  setminus ∖  mid ∣  prime ′  succeq ⪰  preceq ⪯  top ⊤  wedge ∧
vee ∨  alpha α  beta β  gamma γ  delta δ  epsilon ε  varepsilon ε  zeta ζ  eta η  theta θ  iota ι  kappa κ  lambda λ  mu μ  nu ν
xi ξ  pi π  rho ρ  sigma σ  tau τ  upsilon υ  phi φ  varphi φ  chi χ  psi ψ  omega ω  Gamma Γ  Delta Δ  Theta Θ
Lambda Λ  Xi Ξ  Pi Π  Sigma Σ  Upsilon Υ  Phi Φ  Psi Ψ  Omega Ω
"""
_NAMES = "log exp max min sup inf limsup liminf lim det ker gcd mod cos sin tan cosh sinh tanh arcsin arccos arctan "
_NAMES += "Pr dim deg arg"
_IGNORED = "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle limits nolimits mathop"
_FACES = "mathrm text mathbf mathit operatorname textrm mathsf boldsymbol"
SIGNS: Mapping[str, str] = dict(zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True))
SPACED = set("≤≥≠→∈∉⊂⊆∪∩⇒⇔↦≈≡∼∝≪≫⪰⪯∧∨·×±∓⊙⊗⊕∘")
"""Signs between two sides, which stand between spaces."""
NAMES = frozenset(_NAMES.split())
LETTERS: Mapping[str, str] = {"|": "‖", "\\": ";", **{letter: letter for letter in "{}%_&#"}}
SPACES: Mapping[str, str] = {",": " ", ";": " ", ":": " ", " ": " ", "!": "", "quad": "  ", "qquad": "   "}
IGNORED = frozenset(_IGNORED.split())
FACES = frozenset(_FACES.split())
ACCENTS: Mapping[str, str] = {
    "bar": "\u0304",
    "overline": "\u0304",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "hat": "\u0302",
    "widehat": "\u0302",
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "\u20d7",
}
CALLIGRAPHIC = dict(zip("BEFHILMRegoOPNSTCDGKAVWXYZ", "ℬℰℱℋℐℒℳℛℯℊℴ𝒪𝒫𝒩𝒮𝒯𝒞𝒟𝒢𝒦𝒜𝒱𝒲𝒳𝒴𝒵", strict=True))
BLACKBOARD = dict(zip("RNZQCPEH1", "ℝℕℤℚℂℙ𝔼ℍ𝟙", strict=True))
RAISED = dict(zip("0123456789+-=()nijkmTLNabcdeoprstuvwxyz*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱʲᵏᵐᵀᴸᴺᵃᵇᶜᵈᵉᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*", strict=True))
LOWERED = dict(zip("0123456789+-=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
TOKEN = re.compile(r"\\[a-zA-Z]+|\\\\|\\.|\s+|.", re.DOTALL)
_SCRIPTS = r"(?:[\u0300-\u036f′⁰-₟²³¹ᵀ-ᵿⁱⁿ]|_\w|_\([^()]*\)|\^\w)*"
PRODUCT = re.compile(rf"(?:\d+|[^\W\d_]{_SCRIPTS})+")
"""Letters and numbers side by side, which need no parentheses above a line."""
ONE_FACTOR = re.compile(rf"\d+|[^\W\d_]{_SCRIPTS}|∞")
"""One of them, which needs none below it either."""


def unicode_formula(formula: str) -> str:
    """`formula`, in LaTeX, as Unicode; lines stay lines. What is nested too deeply is given as it is typed."""
    try:
        text = _Reader(formula).until("")
    except RecursionError:
        return formula
    lines = [re.sub(r"(?<=\S) {2,}(?=[,.;])", "", line).rstrip() for line in text.splitlines()]
    return "\n".join(lines)


def readable(text: str) -> str:
    """A docstring whose formulas, in roles and in directives, are Unicode."""

    def block(match: re.Match[str]) -> str:
        indent, first_line, body = match["indent"], match["first_line"], match["body"]
        source = "\n".join(filter(None, [first_line.strip(), textwrap.dedent(body).strip("\n")]))
        shown = "\n".join(re.sub(r"(?<=\S)  +", "   ", line.strip()) for line in unicode_formula(source).splitlines())
        return textwrap.indent(shown, indent + "    ") + "\n"

    text = re.sub(
        r"^(?P<indent> *)\.\. math::(?P<first_line>[^\n]*)\n?(?P<body>(?:\n|(?P=indent) +[^\n]*(?:\n|\Z))*)",
        lambda match: block(match) + ("\n" if match["body"].endswith("\n\n") or match["body"] == "\n" else ""),
        text,
        flags=re.MULTILINE,
    )
    return re.sub(r":math:`([^`]*)`", lambda match: " ".join(unicode_formula(match[1]).split()), text)


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, formula: str) -> None:
        self._tokens = TOKEN.findall(formula)
        self._at = 0

    def _next(self) -> str:
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        self._at += 1
        return token

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def until(self, end: str) -> str:
        """What stands before the token `end`, or before the end of all."""
        parts: list[str] = []
        while self._at < len(self._tokens):
            token = self._next()
            if token == end:
                break
            if token in ("^", "_"):
                parts.append(self._script(token))
            else:
                _join(parts, self._converted(token))
        return "".join(parts)

    def _argument(self) -> str:
        """A group in braces, or the next sign."""
        while self._peek().isspace():
            self._next()
        token = self._next()
        return self.until("}") if token == "{" else self._converted(token)

    def _converted(self, token: str) -> str:
        if token == "{":
            return self.until("}")
        if token.isspace():
            return "\n" if "\n" in token else " "
        if token in ("~", "&"):
            return " "
        if not token.startswith("\\"):
            return {"-": "−", "'": "′", "*": "∗"}.get(token, token) if token in "-'*" else token
        return self._command(token[1:])

    def _command(self, name: str) -> str:
        if name in LETTERS:
            return LETTERS[name]
        if name in SPACES:
            return SPACES[name]
        if name in SIGNS:
            sign = SIGNS[name]
            return f" {sign} " if sign in SPACED else sign
        if name in NAMES or name == "bmod":
            return name.removeprefix("b")
        if name in IGNORED:
            # a delimiter follows; the full stop is the one that is not there
            if self._peek() == "." and name in ("left", "right", "Big", "big"):
                self._next()
            return ""
        if name in FACES:
            return self._argument()
        return self._construction(name)

    def _construction(self, name: str) -> str:
        """What a command makes of the arguments that follow it."""
        if name in ACCENTS:
            return "".join(letter + ACCENTS[name] if letter.strip() else letter for letter in self._argument())
        if name in ("mathcal", "mathbb", "mathscr"):
            letters = BLACKBOARD if name == "mathbb" else CALLIGRAPHIC
            return "".join(letters.get(letter, letter) for letter in self._argument())
        if name in ("frac", "tfrac", "dfrac"):
            above, below = self._argument(), self._argument()
            above = above.strip()
            return f"{above if PRODUCT.fullmatch(above) else f'({above})'}/{_factor(below)}"
        if name in ("binom", "tbinom"):
            return f"C({self._argument()}, {self._argument()})"
        if name == "sqrt":
            return self._root()
        if name == "not":
            return self._argument().strip() + "\u0338"
        if name == "begin":
            return self._environment()
        return f"\\{name}"

    def _root(self) -> str:
        order = ""
        if self._peek() == "[":
            self._next()
            order = self.until("]")
        return f"{_raised(order) if order else ''}√{_factor(self._argument())}"

    def _environment(self) -> str:
        kind = self._argument()
        inside = self.until("\\end")
        self._argument()
        inside = re.sub(r"\s+", " ", inside).strip()
        if kind in ("pmatrix", "bmatrix", "matrix"):
            return f"[{re.sub(r' *; *', '; ', inside)}]"
        return f"{{ {inside}" if kind == "cases" else inside

    def _script(self, kind: str) -> str:
        text = self._argument().strip()
        return _raised(text) if kind == "^" else _script(text, "_", LOWERED)


def _join(parts: list[str], part: str) -> None:
    """Append, with a space where two words or a fraction and its neighbour would run into one another."""
    if not part:
        return
    before = parts[-1] if parts else ""
    if before and not before[-1].isspace() and not part[0].isspace():
        name_before = before in NAMES and part[0] not in "([{|‖_^,.;"
        name_after = part in NAMES and (before[-1].isalnum() or before[-1] in ")]}′‖")
        fraction_before = len(before) > 1 and "/" in before and part[0] not in ")]}⟩,.;:+−=/^|"
        fraction_after = len(part) > 1 and "/" in part and (before[-1].isalnum() or before[-1] in ")]}‖")
        if name_before or name_after or fraction_before or fraction_after:
            parts.append(" ")
    if part[0] == " " and before.endswith(" "):
        part = part.lstrip(" ") if part.strip() else part[1:]
    parts.append(part)


def _factor(text: str) -> str:
    """`text`, in parentheses unless it is one factor."""
    text = text.strip()
    return text if ONE_FACTOR.fullmatch(text) else f"({text})"


def _raised(text: str) -> str:
    return _script(text, "^", RAISED)


def _script(text: str, mark: str, letters: Mapping[str, str]) -> str:
    plain = text.replace("−", "-")
    if letters is LOWERED and re.fullmatch(r"[a-z]{4,}\d*", plain):
        return f"{mark}{text}"  # a word of small letters is hard to read
    if plain and all(letter in letters for letter in plain):
        return "".join(letters[letter] for letter in plain)
    return f"{mark}{text}" if len(text) == 1 or re.fullmatch(r"[^\W\d_]\w*|.[\u0300-\u036f]", text) else f"{mark}({text})"
