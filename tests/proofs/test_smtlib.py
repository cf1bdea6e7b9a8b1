"""Certificates as SMT-LIB: what is true has no model at any point that is tried, what is false has one."""

import json
import operator
import re
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from typer.testing import CliRunner

from verify import Claim, Domain, Source, interval, reals
from verify.cli import app
from verify.proofs import identities, squares
from verify.proofs.certificate import Certificate, Deadline, Proof
from verify.proofs.smtlib import smtlib
from verify.words import absolute, eq, le, log, sqrt

PLANE = Domain({"x": reals(), "y": interval(0, np.inf)})
RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "distinct": operator.ne,
}


def parsed(text):
    """The commands of a script, as nested lists of words."""
    stack = [[]]
    for word in re.findall(r"\(|\)|\|[^|]*\||[^\s()|]+", re.sub(r";.*", "", text)):
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    assert len(stack) == 1, "brackets do not match"
    return stack[0]


def value(term, known):
    if isinstance(term, str):
        return known[term] if term in known else Fraction(term)
    head, *operands = term
    if head == "ite":
        return value(operands[1 if value(operands[0], known) else 2], known)
    numbers = [value(one, known) for one in operands]
    if head in RELATIONS:
        return RELATIONS[head](*numbers)
    if head == "-" and len(numbers) == 1:
        return -numbers[0]
    if head == "/" and numbers[1] == 0:
        return Fraction(0)
    return reduce({"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[head], numbers)


def models(text, draw):
    """How many obligations there are, and how many have the drawn numbers as a model."""
    frames, found, count = [[]], 0, 0
    known = {}
    for head, *rest in parsed(text):
        if head == "push":
            frames.append([])
        elif head == "pop":
            frames.pop()
        elif head == "declare-const":
            known[rest[0]] = draw()
        elif head == "define-fun":
            known[rest[0]] = value(rest[3], known)
        elif head == "assert":
            frames[-1].append(value(rest[0], known))
        elif head == "check-sat":
            count += 1
            found += all(one for frame in frames for one in frame)
        else:
            assert head == "set-logic"
    return count, found


def script(method, statement, domain=PLANE):
    claim = Claim("toy.export", "", Source("toy", "derived here"), statement, domain, {"a": lambda x: le(x, 0 * x)})
    return smtlib(Certificate(claim.id, "0" * 16, (method.prove(claim, {}, Deadline()),)), "a toy")


def small(seed):
    rng = np.random.default_rng(seed)
    return lambda: Fraction(int(rng.integers(-8, 9)), int(rng.integers(1, 5)))


TRUE = [
    (squares, lambda x, y: le(2 * x * y, x * x + y * y)),
    (squares, lambda x, y: le(absolute(x + y), absolute(x) + absolute(y))),
    (identities, lambda x, y: eq((x + y) ** 2, x * x + 2 * x * y + y * y)),
    (identities, lambda x, y: eq(absolute(2 * x), 2 * absolute(x) + 0 * y)),
    (identities, lambda x, y: eq(1 / (1 + x * x) * (1 + x * x) * y, y)),
]


@pytest.mark.parametrize(("method", "statement"), TRUE)
def test_what_is_proved_has_no_model(method, statement):
    text = script(method, statement)
    counts = [models(text, small(seed)) for seed in range(300)]
    assert min(count for count, _ in counts) >= 1
    assert not any(found for _, found in counts)


@pytest.mark.parametrize(
    ("method", "statement", "here", "there"),
    [
        (squares, lambda x, y: le(2 * x * y, x * x + y * y), "(- 2.0)", "(- 3.0)"),
        (squares, lambda y: le(0, y + y * y), "(assert (< (+", "(assert (> (+"),
        (identities, lambda x, y: eq((x + y) ** 2, x * x + 2 * x * y + y * y), " Real 2.0)", " Real 3.0)"),
    ],
)
def test_what_is_false_has_one(method, statement, here, there):
    text = script(method, statement)
    assert here in text
    assert any(models(text.replace(here, there), small(seed))[1] for seed in range(300))


def test_a_root_satisfies_its_equation():
    text = script(identities, lambda x: eq(sqrt(x * x + 1) ** 2, x * x + 1))
    assert re.search(r"\(assert \(= 0\.0 \(\+ r\d+ \(\* r(\d+) r\d+\) \(\* r\1 r\1\)\)\)\)", text)


def test_finite_cases_are_not_exported():
    assert smtlib(Certificate("toy.finite", "0" * 16, (Proof("finite_cases", {}, "all 2 instances", (), {}),))) is None


def test_what_boxes_show_is_not_exported():
    domain, false = Domain({"x": interval(1, 8)}), {"a": lambda x: le(x, 0 * x)}
    claim = Claim("toy.boxes", "", Source("toy", "derived here"), lambda x: le(2 * log(x), x - 1 / x), domain, false)
    found = squares.prove(claim, {}, Deadline(30))
    assert '"boxes"' in json.dumps(found.data)
    assert smtlib(Certificate("toy.boxes", "0" * 16, (found,))) is None


def test_the_command_writes_what_has_a_certificate(tmp_path):
    name = "leaky_resnets.adaptive_steps.cycle"
    arguments = ["export", name, "leaky_resnets.theorem_4.pointwise", "--out", str(tmp_path), "--package", "theorems"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "1 of 2 claims are written" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.smt2"]
    assert parsed((tmp_path / f"{name}.smt2").read_text())[0] == ["set-logic", "QF_NRA"]


def test_bad_input_is_refused(tmp_path):
    name = "leaky_resnets.adaptive_steps.cycle"
    result = CliRunner().invoke(app, ["export", name, "--certificates", str(tmp_path / "none"), "--package", "theorems"])
    assert result.exit_code == 2
    (tmp_path / f"{name}.json").write_text("{}")
    result = CliRunner().invoke(
        app, ["export", name, "--certificates", str(tmp_path), "--out", str(tmp_path / "o"), "--package", "theorems"]
    )
    assert result.exit_code == 2
    assert "no certificate" in result.output or "not a certificate" in result.output
