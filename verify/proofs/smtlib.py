"""Certificates as SMT-LIB 2: what has to be shown, as text that any solver of nonlinear real arithmetic can be asked about.

A script states every obligation of a certificate by itself, as the conjunction of what is assumed and of the negation of what
is claimed; each answer must be ``unsat``. The squares that prove it are not told: the solver finds its own proof. All that is
trusted is that an obligation is the statement's, which `verify check` derives again.

Instances of a finite case are decided by the library, and are not exported; nor is what is shown on boxes or by Taylor's
formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.proofs import independent
from verify.proofs.certificate import Certificate, Proof

LOGIC = "QF_NRA"


def smtlib(certificate: Certificate, title: str = "") -> str | None:
    """The script of a certificate, None if it has finite cases only.

    Parameters
    ----------
    certificate
        One that has been read; whether it proves anything is not looked at.
    title
        What the claim says, for a comment.

    Raises
    ------
    verify.proofs.independent.Rejected
        A programme cannot be read.
    """
    body = [line for proof in certificate.proofs if proof.method in _BODIES for line in _proof(proof)]
    if "(check-sat)" not in body:
        return None
    count = body.count("(check-sat)")
    head = [f"; {certificate.claim}: {title}" if title else f"; {certificate.claim}"]
    head += [f"; statement {certificate.fingerprint}; {count} obligations, each of which must be unsat"]
    return "\n".join([*head, f"(set-logic {LOGIC})", *body, ""])


def _proof(proof: Proof) -> Iterator[str]:
    yield f"; at {', '.join(f'{name}={size}' for name, size in proof.sizes.items())}: {proof.covers}"
    for case in _BODIES[proof.method](proof.data):
        yield "(push 1)"
        yield from case
        yield "(pop 1)"


# Sums of squares: a tree of assumptions, with goals at its leaves.


def _trees(data: Mapping[str, Any]) -> Iterator[list[str]]:
    for case in data["cases"]:
        tree = case["tree"]
        unknowns = 1 + max(_unknowns(tree), default=-1)
        names = [*data["coordinates"], *(f"t{number}" for number in range(len(data["coordinates"]), unknowns))]
        names = [f"|{name}|" for name in names]
        yield [*(f"(declare-const {name} Real)" for name in names), *_node(tree, names)]


def _references(data: Mapping[str, Any]) -> Iterator[list[str]]:
    for reference in data["given"]:
        if reference["proof"]["method"] in _BODIES:
            yield from _BODIES[reference["proof"]["method"]](reference["proof"]["data"])
    yield from _trees(data)


def _unknowns(node: Mapping[str, Any]) -> Iterator[int]:
    polynomials = [text for text, _ in node["new"]]
    polynomials += [goal["value"] for goal in node.get("goals", ())]
    if "ask" in node:
        polynomials.append(node["ask"])
        yield from _unknowns(node["yes"])
        yield from _unknowns(node["no"])
    yield from (int(number) for text in polynomials for monomial in text for number in monomial.split())


def _node(node: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    if "outside" in node or "undefined" in node:
        return
    yield from (f"(assert ({sign} {_polynomial(text, names)} 0))" for text, sign in node["new"])
    if "ask" in node:
        asked = _polynomial(node["ask"], names)
        for way, sign in (("yes", "=" if node["zero"] else ">"), ("no", "distinct" if node["zero"] else "<=")):
            below = list(_node(node[way], names))
            if below:
                yield from ("(push 1)", f"(assert ({sign} {asked} 0))", *below, "(pop 1)")
    elif "empty" in node:
        yield "(check-sat)"
    else:
        for goal in node["goals"]:
            # of a logarithm or an exponential the tree assumes bounds of first order only
            if "boxes" in goal or any("taylor" in lemma for lemma in goal.get("lemmas", ())):
                continue
            sign = "distinct" if goal["sense"] == "=" else "<"
            yield from ("(push 1)", f"(assert ({sign} {_polynomial(goal['value'], names)} 0))", "(check-sat)", "(pop 1)")


def _polynomial(text: Mapping[str, str], names: Sequence[str]) -> str:
    terms = []
    for monomial, coefficient in text.items():
        factors = [names[int(number)] for number in monomial.split()]
        if coefficient != "1" or not factors:
            factors.insert(0, _rational(Fraction(coefficient)))
        terms.append(_applied("*", factors))
    return _applied("+", terms) if terms else "0.0"


def _applied(operation: str, operands: Sequence[str]) -> str:
    return operands[0] if len(operands) == 1 else f"({operation} {' '.join(operands)})"


def _rational(value: Fraction) -> str:
    size = f"{abs(value.numerator)}.0" if value.denominator == 1 else f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size


# Identities: a programme, and results that must vanish on its cell.


def _programmes(data: Mapping[str, Any]) -> Iterator[list[str]]:
    for piece in data["pieces"]:
        yield list(_programme(piece))


_SIGNS = {-1: "<", 0: "=", 1: ">", 2: "distinct"}


def _programme(piece: Mapping[str, Any]) -> Iterator[str]:
    code = independent.instructions(independent.unpacked(piece["code"]))
    asked = dict(independent.conditions(piece, code))
    ranges = iter(piece["ranges"])
    for here, (kind, *operands) in enumerate(code):
        name, taken = f"r{here}", [f"r{operand}" for operand in operands if isinstance(operand, int)]
        if kind in "xrg":
            yield f"(declare-const {name} Real)"
        if kind == "x":
            for end, relation in zip(next(ranges, (None, None)), (">=", "<="), strict=True):
                if end is not None:
                    yield f"(assert ({relation} {name} {_rational(Fraction(end))}))"
        elif kind == "r":
            powers = [_applied("*", [*[name] * power, *taken[power : power + 1]]) for power in range(len(taken) + 1)]
            yield f"(assert (= 0.0 {_applied('+', powers)}))"
        elif kind == "q":
            yield f"(define-fun {name} () Real {_rational(operands[0])})"
        elif kind == "?":
            yield f"(define-fun {name} () Real (ite (>= {taken[0]} 0.0) {taken[1]} {taken[2]}))"
        elif kind != "g":  # of a function nothing is used: any number stands for its value
            if kind == "/":
                yield f"(assert (distinct {taken[1]} 0.0))"
            yield f"(define-fun {name} () Real ({kind} {taken[0]} {taken[1]}))"
        if here in asked:
            yield f"(assert ({_SIGNS[asked[here]]} {name} 0.0))"
    wanted = [("distinct", place) for place in [*piece["same"], *piece["zeros"]]]
    wanted += [(">" if sense == "le" else "<", place) for place, sense in piece["orders"]]
    for sign, place in wanted:
        yield from ("(push 1)", f"(assert ({sign} r{place} 0.0))", "(check-sat)", "(pop 1)")


_BODIES = {"sum_of_squares": _trees, "by_reference": _references, "identity": _programmes}
