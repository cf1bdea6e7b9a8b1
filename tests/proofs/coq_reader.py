"""A reader of statements in Coq: what a theorem of ``theorems/coq`` says of one instance of rational matrices.

It knows as much of the notation of Mathematical Components as these files use. Definitions are evaluated where they are
used, with the variables of their section; `pinv`, which they define by a factorisation, is that of `verify.words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from verify import words
from verify.networks.leaky_resnet import is_in_row_space as in_row_space
from verify.numbers.arithmetic import rational, rationals

Values = Mapping[str, Any]
TOKEN = re.compile(
    r"\s*(%:[RM]|%[RN]|\^T|\^\+|\^-1|\^-|\*m|\*:|\[/\\|/\\|->|<=|!=|:=|\\tr|\\rank|\\det|[A-Za-z_][\w.']*|\d+|.)", re.DOTALL
)
SENTENCE = re.compile(r"\.(?=\s|$)")
LEVELS = {"+": 50, "-": 50, "*": 40, "*m": 40, "*:": 40, "/": 40}
"""How tightly the operators of Coq bind that associate to the left; less binds tighter."""
COMPARISONS = {"=", "<=", "<", "!="}


@dataclass
class Statement:
    """A theorem, with all that is assumed and defined where it stands."""

    claim: str
    name: str
    variables: dict[str, str]
    hypotheses: list[list[str]]
    conclusion: list[str]
    definitions: dict[str, tuple[list[str], list[str]]]


@dataclass
class _Section:
    variables: dict[str, str] = field(default_factory=dict)
    hypotheses: list[list[str]] = field(default_factory=list)
    implicit: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)


def tokens(text: str) -> list[str]:
    """The tokens of a text, without the scopes of numbers, `%R` and `%N`."""
    return [token for token in TOKEN.findall(text) if token.strip() and token not in {"%R", "%N"}]


def _binders(text: str, implicit: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Names and types of ``(A B : T) C``."""
    nested = r"[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\)"
    for group, bare in re.findall(rf"\(((?:{nested})*)\)|([\w']+)", text):
        if bare:
            yield bare, implicit.get(bare, "")
        else:
            names, kind = group.split(":", 1)
            yield from ((name, kind.strip()) for name in names.split())


def _split(text: str, mark: str) -> tuple[str, str]:
    """The text before and after a mark outside of parentheses."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and text.startswith(mark, place) and (mark != ":" or text[place + 1] != "="):
            return text[:place], text[place + len(mark) :]
    return text, ""


def statements(*files: Path) -> list[Statement]:
    """The theorems of files, of which later ones use the definitions of earlier ones."""
    found, known = [], _Section()
    for path in files:
        text = re.sub(r"\(\*\*\s*\[([\w.]+)\].*?\*\)", r"Claim \1 .", path.read_text(), flags=re.DOTALL)
        text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        sections, claim = [known], ""
        for sentence in map(str.strip, SENTENCE.split(text)):
            word, _, rest = sentence.partition(" ")
            here = sections[-1]
            implicit = {name: kind for one in sections for name, kind in one.implicit.items()}
            if word == "Section":
                sections.append(_Section())
            elif word == "End":
                ended = sections.pop()
                sections[-1].definitions |= ended.definitions
            elif word == "Claim":
                claim = rest.strip()
            elif word in {"Variable", "Variables", "Hypothesis", "Hypotheses"}:
                pairs = _binders(rest if rest.startswith("(") else f"({rest})", implicit)
                if word.startswith("V"):
                    here.variables |= dict(pairs)
                else:
                    here.hypotheses += [tokens(kind) for _, kind in pairs]
            elif word == "Implicit":
                groups = rest.removeprefix("Types ")
                here.implicit |= dict(_binders(groups if groups.startswith("(") else f"({groups})", implicit))
            elif word in {"Definition", "Let", "Notation"} and ":=" in rest:
                head, body = rest.split(":=", 1)
                name, _, binders = _split(head, ":")[0].strip().partition(" ")
                # sizes without a type are implicit arguments
                here.definitions[name] = [one for one, kind in _binders(binders, implicit) if kind], tokens(body)
            elif word == "Theorem":
                head, body = _split(rest, ":")
                name, _, binders = head.strip().partition(" ")
                variables = {key: kind for one in sections for key, kind in one.variables.items()}
                hypotheses = [one for section in sections for one in section.hypotheses]
                for key, kind in _binders(binders, implicit):
                    if re.search(r"<=|<|forall", kind):
                        hypotheses.append(tokens(kind))
                    else:
                        variables[key] = kind
                *premises, conclusion = _premises(tokens(body))
                definitions = {key: one for section in sections for key, one in section.definitions.items()}
                found.append(Statement(claim, name, variables, hypotheses + premises, conclusion, definitions))
    return found


def _premises(body: list[str]) -> list[list[str]]:
    """What stands between the arrows of a statement that are in no parentheses."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in body:
        depth += (token in {"(", "[/\\"}) - (token in {")", "]"})
        if token == "->" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _closes(body: list[str]) -> int:
    """Where the first parenthesis is closed."""
    depth = 0
    for place, token in enumerate(body):
        depth += (token == "(") - (token == ")")
        if not depth:
            return place
    return len(body)


class Evaluation:
    """The value of a list of tokens, for given values of its names."""

    def __init__(self, body: list[str], values: Values, definitions: Mapping[str, tuple[list[str], list[str]]]) -> None:
        self._tokens, self._place, self._values, self._definitions = body, 0, dict(values), definitions

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _next(self, expected: str | None = None) -> str:
        token = self._peek()
        if expected is not None and token != expected:
            raise ValueError(f"expected {expected} before {' '.join(self._tokens[self._place :])}")
        self._place += 1
        return token

    def all(self) -> list[tuple[str, Any, Any]]:
        """Comparisons that must hold: what compares, and both sides."""
        while self._tokens[0] == "(" and _closes(self._tokens) == len(self._tokens) - 1:
            self._tokens = self._tokens[1:-1]
        found = self._proposition()
        if self._peek():
            raise ValueError(f"not understood: {' '.join(self._tokens[self._place :])}")
        return found

    def value(self) -> Any:
        """A number or a matrix."""
        while self._peek() == "let":
            self._let()
        found = self._sum(50)
        if self._peek():
            raise ValueError(f"not understood: {' '.join(self._tokens[self._place :])}")
        return found

    def _let(self) -> None:
        self._next("let")
        name = self._next()
        self._next(":=")
        self._values[name] = self._sum(50)
        self._next("in")

    def _proposition(self) -> list[tuple[str, Any, Any]]:
        if self._peek() == "let":
            self._let()
            return self._proposition()
        if self._peek() == "forall":
            # of all entries
            self._next()
            names = []
            while self._peek() != ",":
                names.append(self._next())
            self._next(",")
            self._values |= dict.fromkeys(names, ...)
            return self._proposition()
        if self._peek() == "[/\\":
            self._next()
            found = self._proposition()
            while self._peek() in {",", "&"}:
                self._next()
                found += self._proposition()
            self._next("]")
            return found
        if self._compares():
            self._next("(")
            inside = self._proposition()
            self._next(")")
            return inside
        left = self._sum(50)
        if isinstance(left, list):
            found = left
        else:
            sense = self._next()
            if sense not in COMPARISONS:
                raise ValueError(f"not a comparison: {sense}")
            found = [(sense, left, self._sum(50))]
            while self._peek() in COMPARISONS:
                found.append((self._next(), found[-1][2], self._sum(50)))
        if self._peek() == "/\\":
            self._next()
            found += self._proposition()
        return found

    def _compares(self) -> bool:
        """Whether a comparison in parentheses follows."""
        rest = self._tokens[self._place :]
        depth = 0
        for token in rest[: _closes(rest)] if self._peek() == "(" else []:
            depth += (token == "(") - (token == ")")
            if depth == 1 and token in COMPARISONS:
                return True
        return False

    def _sum(self, level: int) -> Any:
        left = self._power() if level < 40 else self._sum({50: 40, 40: 30}[level])
        while LEVELS.get(self._peek()) == level:
            sign = self._next()
            right = self._sum({50: 40, 40: 30}[level])
            if sign == "+":
                left = left + right
            elif sign == "-":
                left = left - right
            elif sign == "*m":
                # one 0 may stand for a matrix of them
                left = left @ right if isinstance(left, np.ndarray) else left * right
            else:
                left = left / right if sign == "/" else left * right
        return left

    def _power(self) -> Any:
        if self._peek() == "-":
            self._next()
            return -self._power()
        if self._peek() == "|" or self._peek() == "`":
            self._next()
            self._next("|")
            inside = self._sum(50)
            self._next("|")
            return words.absolute(inside)
        base = self._application()
        while self._peek() in {"^+", "^-"}:
            power = self._next()
            exponent = self._atom()
            base = base ** int(exponent if isinstance(exponent, int) else exponent.p)
            base = base if power == "^+" else 1 / base
        return base

    def _application(self) -> Any:
        head = self._peek()
        if head in BUILT_IN:
            self._next()
            if self._peek() == "R":
                self._next()
            arguments, function = BUILT_IN[head]
            return function(*(self._atom() for _ in range(arguments)))
        if head in self._definitions and head not in self._values:
            self._next()
            parameters, body = self._definitions[head]
            values = self._values | {parameter: self._atom() for parameter in parameters}
            inside = Evaluation(body, values, self._definitions)
            return inside.all() if COMPARISONS & set(body) else self._postfix(inside.value())
        value = self._atom()
        if isinstance(value, np.ndarray) and value.ndim == 2 and self._is_index(self._peek()):
            return value[self._index(), self._index()]
        return value

    def _is_index(self, token: str) -> bool:
        return token.isdigit() or self._values.get(token) is ... or token in {"i", "j"}

    def _index(self) -> Any:
        """A number, or all of them."""
        token = self._next()
        found = int(token) if token.isdigit() else self._values[token]
        return slice(None) if found is ... else int(found)

    def _atom(self) -> Any:
        token = self._next()
        if token == "if":
            held = self._sum(50)
            self._next("then")
            first = self._sum(50)
            self._next("else")
            other = self._sum(50)
            return first if held else other
        if token == "(":
            found = self._sum(50)
            if self._peek() == ":":
                while self._peek() != ")":
                    self._next()
            self._next(")")
        elif token.isdigit():
            found = rational(int(token))
        elif token in self._values:
            found = self._values[token]
        elif token in self._definitions and not self._definitions[token][0]:
            found = Evaluation(self._definitions[token][1], self._values, self._definitions).value()
        else:
            raise ValueError(f"unknown: {token}")
        return self._postfix(found)

    def _postfix(self, found: Any) -> Any:
        while self._peek() in {"^T", "^-1", "%:R", "%:M"}:
            mark = self._next()
            if mark == "^T":
                found = found.T
            elif mark == "^-1":
                found = 1 / found
            elif mark == "%:M":
                found = Scalar(found)
        return found


class Scalar:
    """A number times the identity of the size of what it is added to."""

    __array_ufunc__ = None

    def __init__(self, number: Any) -> None:
        self._number = number

    def __radd__(self, matrix: Any) -> Any:
        return matrix + self._number * rationals(np.eye(len(matrix), dtype=int).tolist())

    def __sub__(self, matrix: Any) -> Any:
        return -matrix + self


def _entrywise(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return np.vectorize(function, otypes=[object])


def _with_bias(Z: Any, beta: Any) -> Any:
    return np.concatenate([Z, rationals(np.zeros((1, Z.shape[1]), int).tolist()) + beta])


BUILT_IN: dict[str, tuple[int, Callable[..., Any]]] = {
    "\\tr": (1, np.trace),
    "\\det": (1, words.determinant),
    "col_mx": (
        2,
        lambda above, below: np.concatenate([above, rationals(np.zeros((1, above.shape[1]), int).tolist()) * 0 + below]),
    ),
    "row_mx": (2, lambda left, right: np.concatenate([left, left[:, :1] * 0 + right], axis=1)),
    "col": (2, lambda place, a: a[:, [place]]),
    "invmx": (1, words.inverse),
    "pinv": (1, words.pinv),
    "relu": (1, _entrywise(lambda a: a if a > 0 else a * 0)),
    "positive": (1, _entrywise(lambda a: rational(1 if a > 0 else 0))),
    "entrywise": (2, lambda a, b: a * b),
    "inner": (2, lambda a, b: (a * b).sum()),
    "norm2": (1, lambda a: (a * a).sum()),
    "ones": (1, lambda n: rationals([[1]] * n)),
    "Num.sqrt": (1, words.sqrt),
    "Num.max": (2, lambda a, b: a if a > b else b),
    "lsubmx": (1, lambda a: a[:, :-1]),
    "rsubmx": (1, lambda a: a[:, -1:]),
    "has_constants": (1, lambda a: rational(int(in_row_space(0 * a[:1] + 1, a)))),
    "\\rank": (1, lambda a: rational(int(words.rank(a)))),
    "map_mx": (2, lambda function, a: _entrywise(function)(a)),
    "features_of": (3, lambda function, beta, Z: _with_bias(_entrywise(function)(Z), beta)),
    "slope_of": (2, lambda a, d: lambda t: a if t >= 0 else d),
    "two_slopes": (2, lambda a, d: lambda t: (a if t >= 0 else d) * t),
    "homogeneous": (1, lambda function: [("=", function(rational(3)), 3 * function(rational(1)))]),
    "contracts": (1, lambda f: [("=", f(rational(0)), 0), *(("<=", abs(f(rational(sign))), 1) for sign in (1, -1))]),
    "diag_mx": (1, lambda a: np.diag(a[0])),
    "const_mx": (1, lambda number: number),
    "pair": (2, lambda a, b: np.array([[a, b]], dtype=object)),
    "row_free": (1, lambda a: [("=", words.rank(a), len(a))]),
}
"""Words that the library defines, or Mathematical Components: how many arguments they take, and what they are."""
