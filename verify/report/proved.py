"""What is proved of a claim, in words: its certificates, what Coq accepted, and a proof on letters as one reads it.

Formulas stand in roles, ``:math:`...```.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.claims.claim import Claim
from verify.report.typeset import letter_tex
from verify.report.words import NOT_CHECKED

if TYPE_CHECKING:
    from verify.proofs.all_sizes.proof import Certificate as LetterCertificate
    from verify.proofs.certificate import Certificate

EVERYWHERE = "proved (all sizes)"
"""How the words for a proof for all sizes begin."""
TERMS = 8
"""Terms of a polynomial that are shown."""
_MASK = r"D \odot (D \odot X) = D \odot X, \; \langle D \odot X, Y \rangle = \langle X, D \odot Y \rangle"
RULES = {
    "ones": ("the vector of ones", r"1^\top 1 = n"),
    "part": ("the parts of a sum of sizes", r"E_i^\top E_j = 0, \; E_i^\top E_i = I, \; \sum_i E_i E_i^\top = I"),
    "mask": ("entries that are positive", _MASK),
    "nonnegative": ("entries that are not negative", _MASK),
    "pinv": ("Penrose's equations", r"Y P Y = Y, \; P Y P = P, \; (Y P)^\top = Y P, \; (P Y)^\top = P Y"),
    "inverse": ("the inverse", r"S Q = Q S = I"),
    "reversal": ("the order reversed", r"J J = I, \; J 1 = 1"),
    "slopes": ("slopes", r"\langle G \odot X, Y \rangle = \langle X, G \odot Y \rangle"),
}
"""What holds for letters, by their definition."""


@dataclass(frozen=True)
class Proofs:
    """What certificates of the present statement say: the strongest in a few words, and all, one thought a line."""

    head: str
    lines: tuple[str, ...]
    at_smallest_sizes: bool = False
    """Whether it is proved without a hidden layer, or at sizes of which none is above 1, and no more."""
    not_checked: bool = False
    """Whether the strongest is a certificate that this package has not checked on this machine."""

    @property
    def is_proved(self) -> bool:
        """Whether one proves the claim, for all sizes or at some; an identity at random numbers and a grid do not."""
        return self.head.startswith("proved")

    @property
    def said(self) -> str:
        """The strongest in words, with what is to be known of it."""
        return f"{self.head}, {NOT_CHECKED}" if self.head and self.not_checked else self.head

    @property
    def for_all_sizes(self) -> bool:
        """Whether one proves it for all sizes."""
        return self.head.startswith(EVERYWHERE)


def proofs(claim: Claim, package: str) -> Proofs:
    """What is proved of a claim; empty where there is no certificate of the present statement."""
    from verify.proofs.all_sizes import proof as letters
    from verify.proofs.certificate import document_of
    from verify.proofs.checked import is_checked, is_kept
    from verify.proofs.coq.by_hand import accepted_by_hand
    from verify.proofs.coq.kernel import accepted
    from verify.proofs.methods import at_smallest_sizes, evidence

    head, lines, smallest, not_checked = "", [], False, False
    certificate = _certificate(claim, package)
    if certificate is not None:
        head, lines = evidence(certificate), list(_at_sizes(certificate))
        smallest, not_checked = at_smallest_sizes(certificate), not is_checked(certificate, claim)
        known = accepted(package, claim.id, document_of(certificate)["digest"])
        if known is not None:
            head += ", Coq" if head else ""
            lines.append(f"Coq {known.coq}: its kernel accepted all of this, as {known.theorems} theorems")
    everywhere = for_all_sizes(claim, package)
    if everywhere is not None:
        if everywhere.tells:
            # what is checked counts before what is not
            unknown = not is_kept(letters.document_of(everywhere), claim)
            if not unknown or not_checked or not head:
                head, smallest, not_checked = f"{EVERYWHERE}: {letters.covers(everywhere)}", False, unknown
        lines += _on_letters(everywhere)
    by_hand = accepted_by_hand(claim, package)
    if by_hand is not None:
        # it stands beside a certificate that is not checked
        head = head if head.startswith(EVERYWHERE) and not not_checked else f"{EVERYWHERE} in Coq"
        smallest = not_checked = False
        lines.append(f"Coq, every size: theorem {by_hand.name} in {by_hand.file}, written by hand (make -C {package}/coq)")
    return Proofs(head, tuple(lines), smallest, not_checked)


def _folder(package: str) -> Path:
    from verify.evidence.files import certificate_folder

    return certificate_folder(package)


def _certificate(claim: Claim, package: str) -> Certificate | None:
    from verify.proofs.certificate import UnusableCertificate, read_certificate

    path = _folder(package) / f"{claim.id}.json"
    if not path.is_file():
        return None
    try:
        certificate = read_certificate(path)
    except UnusableCertificate:
        return None
    return certificate if certificate.fits(claim) else None


def for_all_sizes(claim: Claim, package: str) -> LetterCertificate | None:
    """The certificate on letters of the present statement, checked here or not; None without one."""
    certificate = read_for_all_sizes(claim, package)
    return certificate if certificate is not None and certificate.fits(claim) else None


def read_for_all_sizes(claim: Claim, package: str) -> LetterCertificate | None:
    """The certificate on letters that a package has for a claim, of whichever statement."""
    from verify.claims.packages import ALL_SIZES

    path = _folder(package) / ALL_SIZES / f"{claim.id}.json"
    if not path.is_file():
        return None
    from verify.proofs.all_sizes.proof import read
    from verify.proofs.certificate import UnusableCertificate

    try:
        return read(path)
    except UnusableCertificate:
        return None


def _at_sizes(certificate: Certificate) -> Iterator[str]:
    from verify.proofs.methods import reservations, text_of

    for proof in certificate.proofs:
        reservation = f"; {words}" if (words := reservations(proof)) else ""
        yield f"{METHODS[proof.method]} at {text_of(proof.sizes)}: {proof.covers}{reservation}"


METHODS = {
    "sum_of_squares": "by sums of squares",
    "identity": "by an identity",
    "finite_cases": "by finite cases",
    "by_reference": "from other claims",
}


def _on_letters(certificate: LetterCertificate) -> Iterator[str]:
    from verify.proofs.all_sizes.proof import covers, document_of, reservations

    reservation = f"; {words}" if (words := reservations(certificate)) else ""
    yield f"on letters, for {covers(certificate)}{reservation}"
    document = json.loads(json.dumps(document_of(certificate)))
    cases = document["cases"]
    # the last has the most layers of those that are shown in full
    shown = min(
        cases, key=lambda case: sum(len(comparison["left"]) + len(comparison["right"]) for comparison in case["comparisons"])
    )
    if len(cases) > 1:
        at = ", ".join(f"{name} = {value}" for name, value in {**shown["sizes"], **shown["integers"]}.items())
        yield f"{len(cases)} cases, each shown in the same way; at {at}:"
    yield from _Case(shown).lines()


class _Case:
    """One case of a proof on letters, as text."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self._case = case
        self._letters = {name: (rows, columns, definition) for name, rows, columns, definition, _ in case["letters"]}
        stems = [name.rpartition(".")[2] for name in self._letters]
        self._short = {name: name.rpartition(".")[2] for name in self._letters if stems.count(name.rpartition(".")[2]) == 1}
        self._scalars = [name for name, _ in case["scalars"]]

    def lines(self) -> Iterator[str]:
        """Letters, definitions, rules, and what is shown."""
        used = self._used()
        free = [name for name in self._letters if name in used and self._letters[name][2][0] == "free"]
        shapes: dict[str, list[str]] = {}
        for name in free:
            rows, columns, _ = self._letters[name]
            shapes.setdefault(f"{rows} x {columns}" if columns != "1" else rows, []).append(f":math:`{self._letter(name)}`")
        if shapes:
            yield "letters: " + "; ".join(f"{', '.join(names)} ({shape})" for shape, names in shapes.items())
        defined = [self._defined(name) for name in self._letters if name in used and name not in free]
        if defined:
            yield "where " + "; ".join(defined)
        kinds = {self._letters[name][2][0] for name in used} & set(RULES)
        if kinds:
            rules = dict.fromkeys(f"{RULES[kind][0]}: :math:`{RULES[kind][1]}`" for kind in RULES if kind in kinds)
            yield "rules: " + "; ".join(rules)
        if self._case.get("hypotheses"):
            given = [
                f":math:`{self._polynomial(left, matrix=rows != '1')} = {self._polynomial(right, matrix=rows != '1')}`"
                for left, right, rows, _ in self._case["given"]
            ]
            yield f"by hypothesis ({', '.join(self._case['hypotheses'])})" + (f": {'; '.join(given)}" if given else "")
        for comparison in self._case["comparisons"]:
            yield from self._comparison(comparison)

    def _comparison(self, comparison: Mapping[str, Any]) -> Iterator[str]:
        name = f"{comparison['name']}: " if comparison["name"] else ""
        matrix = comparison["rows"] != "1"
        left, right = (self._polynomial(comparison[side], matrix=matrix) for side in ("left", "right"))
        if comparison["squares"]:
            signs = {"le": "right less left", "ge": "left less right"}[comparison["sense"]]
            squares = " + ".join(map(self._square, comparison["squares"]))
            yield f"{name}left :math:`{left}`, right :math:`{right}`; {signs} is :math:`{squares}`, which is not negative"
        elif left == right:
            yield f"{name}both sides are :math:`{left}`"
        else:
            yield f"{name}by the rules :math:`{left}` and :math:`{right}` are the same words"

    def _square(self, square: Sequence[Any]) -> str:
        weight, factor, terms, *_ = square
        size = _fraction(abs(Fraction(weight)))
        factors = [*([size] if size != "1" else []), *map(self._factor, factor.split()[1:])]
        return " ".join([*factors, rf"\|{self._polynomial(terms)}\|^2"])

    def _used(self) -> set[str]:
        used: set[str] = set()
        texts = [text for comparison in self._case["comparisons"] for side in ("left", "right") for text in comparison[side]]
        texts += [text for comparison in self._case["comparisons"] for square in comparison["squares"] for text in square[2]]
        texts += [text for left, right, *_ in self._case.get("given", ()) for text in (*left, *right)]
        while texts:
            for name in _names(texts.pop()):
                if name in self._letters and name not in used:
                    used.add(name)
                    texts += self._letters[name][2][1:]
        return used

    def _letter(self, name: str) -> str:
        if name in self._letters and self._letters[name][2][0] == "ones":
            return r"\mathbf{1}"
        return letter_tex(self._short.get(name, name).replace(".", "_"))

    def _defined(self, name: str) -> str:
        kind, *arguments = self._letters[name][2]
        letter = f":math:`{self._letter(name)}`"
        if kind == "ones":
            return f"{letter} has {self._letters[name][0]} ones"
        if kind == "part":
            sizes = arguments[0].split("|")
            return f"{letter} embeds the part {int(arguments[1]) + 1} of {' + '.join(sizes)}"
        if kind == "reversal":
            return f"{letter} reverses an order"
        inside = self._polynomial(arguments, matrix=self._letters[name][0] != "1")
        if kind == "mask":
            return f"{letter} is 1 where :math:`{inside} > 0`, else 0"
        if kind == "nonnegative":
            return rf"{letter} is 1 where :math:`{inside} \ge 0`, else 0"
        if kind == "pinv":
            return f"{letter} is the pseudo-inverse of :math:`{inside}`"
        if kind == "inverse":
            return f"{letter} is the inverse of :math:`{inside}`"
        return f"{letter} is :math:`{inside}`" if kind == "sum" else f"{letter} has the definition {kind}"

    # words

    def _polynomial(self, terms: Sequence[str], *, matrix: bool = False) -> str:
        """A sum of terms; that of a matrix has the identity matrix where a term has no word."""
        text = ""
        for place, term in enumerate(terms[:TERMS]):
            value, *factors = _tokens(term)
            number, shown = Fraction(value), list(map(self._factor, factors))
            if matrix and all(factor.startswith(("<", "#")) or factor.partition("^")[0] in self._scalars for factor in factors):
                shown.append("I")
            size = _fraction(abs(number))
            shown = shown if size == "1" and shown else [size, *shown]
            sign = "-" if number < 0 else "+" if place else ""
            text += f" {sign} {' '.join(shown)}"
        return (text.strip() or "0") + (rf" + \dots \text{{ ({len(terms)} terms)}}" if len(terms) > TERMS else "")

    def _factor(self, token: str) -> str:
        if token.startswith("<"):
            inside, _, power = token[1:].rpartition(">")
            atoms = _tokens(inside)
            turned = [_turned(atom) for atom in reversed(atoms)]
            half = len(atoms) // 2
            if not len(atoms) % 2 and turned == atoms:
                text = rf"\|{self._word(atoms[:half])}\|^2"
            else:
                text = rf"\operatorname{{tr}}({self._word(atoms)})"
            return f"({text})^{{{power[1:]}}}" if power else text
        if token.startswith("["):
            mask, _, inside = token[1:-1].partition(": ")
            return rf"({self._atom(mask)} \odot {self._word(_tokens(inside))})"
        if token.startswith("diag("):
            return rf"\operatorname{{diag}}({self._letter(token[5:-1])})"
        name, _, power = token.partition("^")
        if name.startswith("#"):
            text = rf"\text{{{name[1:]}}}"
        else:
            text = self._atom(name) if name not in self._scalars else letter_tex(name.rpartition(".")[2])
        return f"{text}^{{{power}}}" if power else text

    def _atom(self, token: str) -> str:
        name = token.removesuffix("'")
        return self._letter(name) + (r"^\top" if token != name else "")

    def _word(self, atoms: Sequence[str]) -> str:
        return " ".join(map(self._factor, atoms))


def _fraction(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _turned(token: str) -> str:
    """The transpose of an atom, as text."""
    if token.startswith("["):
        mask, _, inside = token[1:-1].partition(": ")
        return f"[{_turned(mask)}: {' '.join(_turned(token) for token in reversed(_tokens(inside)))}]"
    return token if token.startswith("diag(") else token.removesuffix("'") if token.endswith("'") else f"{token}'"


def _tokens(text: str) -> list[str]:
    """What stands between the spaces that are in no brackets."""
    tokens, depth, start = [], 0, 0
    for place, sign in enumerate(f"{text} "):
        depth += (sign in "[<(") - (sign in "]>)")
        if sign == " " and not depth:
            tokens += [text[start:place]] if place > start else []
            start = place + 1
    return tokens


def _names(text: str) -> Iterator[str]:
    """What may be names of letters in a text of terms."""
    for sign in "[]<>():'":
        text = text.replace(sign, " ")
    yield from text.split()
    yield from (token.removeprefix("diag") for token in text.split() if token.startswith("diag"))
