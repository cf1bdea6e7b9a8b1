"""Identities: what is proved is true, what is false is not proved, and nothing that a number carries is lost."""

import numpy as np
import pytest
from flint import arb, fmpq
from typer.testing import CliRunner

from verify import Claim, Domain, Q, Source, catalogue, eq, integers, interval, le, reals
from verify.arithmetic import absolute, sqrt
from verify.cli import app
from verify.matrices import determinant, frobenius_norm_squared, pseudo_inverse
from verify.proofs import NotProved, prove_identity
from verify.proofs.degrees import NoRationalFunction, Questions, Tracked

SQUARE = Domain({"x": reals("n", "n"), "y": reals("n", "n")}, {"n": (2, 3)})
NUMBERS = Domain({"x": interval(0, 1), "y": interval(-1, np.inf)})
FALSE = {"a": lambda x: le(x, 0 * x)}


def proof(statement, domain=NUMBERS, **sizes):
    return prove_identity(Claim("toy.identity", "", Source("toy", "ours"), statement, domain, FALSE), sizes)


def test_a_binomial_formula_is_an_identity_everywhere():
    found = proof(lambda x, y: eq((x + y) ** 2, x * x + 2 * x * y + y * y))
    assert (found.degree, found.generic, found.bits) == (2, False, 190)


@pytest.mark.parametrize(
    "statement",
    [
        lambda x, y: eq(determinant(x @ y), determinant(x) * determinant(y)),
        lambda x: eq(pseudo_inverse(x) @ x, np.eye(x.shape[-1], dtype=int), over=2),
        lambda x, y: eq(
            frobenius_norm_squared(x + y) + frobenius_norm_squared(x - y),
            2 * frobenius_norm_squared(x) + 2 * frobenius_norm_squared(y),
        ),
    ],
)
@pytest.mark.parametrize("n", [2, 3])
def test_identities_of_matrices(statement, n):
    assert proof(statement, SQUARE, n=n).bits >= 100


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (lambda x, y: eq((x + y) ** 2, x * x + 2 * x * y + y * y + Q("1/1000000000000") * x), "differ at a random point"),
        (lambda x, y: eq(x * (x - 1) * (2 * x - 1), 0 * y), "differ at a random point"),
        (lambda x: eq(absolute(x), x), "decides"),
        (lambda x: eq(sqrt(x * x), x), "decides"),
        (lambda x: le(x, x), "equalities alone"),
        (lambda x: eq(float(x[0]), x), "decides"),
    ],
)
def test_what_is_false_or_no_rational_function_is_not_proved(statement, reason):
    with pytest.raises(NotProved, match=reason):
        proof(statement)


def test_all_kinds_are_decided():
    domain = Domain({"x": reals(), "kind": integers(0, 3)})
    assert proof(lambda x, kind: eq(x * kind, kind * x), domain).kinds == 4
    with pytest.raises(NotProved, match="differ"):
        proof(lambda x, kind: eq(x * kind * (kind - 1) * (kind - 2), 0 * x), domain)
    with pytest.raises(NotProved, match="more than 64"):
        proof(lambda x, kind: eq(x * kind, kind * x), Domain({"x": reals(), "kind": integers(0, 99)}))


def test_degrees_bound_those_of_the_rational_function():
    tests = Questions()
    x, y = (Tracked(fmpq(value), 1, 0, tests) for value in (3, 5))
    for number, numerator, denominator in [
        (x * y + 1, 2, 0),
        (x / y, 1, 1),
        (1 / (x + y) + x / y, 2, 2),
        ((x + 1) ** 3, 3, 0),
        ((x + 1) ** -2, 0, 2),
        (2 - x, 1, 0),
    ]:
        assert (number.top, number.bottom) == (numerator, denominator)
    assert tests.generic


def test_a_number_that_depends_on_the_coordinates_goes_into_nothing_that_forgets_it():
    x = Tracked(fmpq(2), 1, 0, Questions())
    for forget in (float, int, abs, lambda x: x < 1, lambda x: x.numerator, lambda x: x.p):
        with pytest.raises(NoRationalFunction):
            forget(x)
    for other in (0.5, arb(1)):
        with pytest.raises(TypeError):
            x + other
        with pytest.raises(TypeError):
            other * x


def is_proved(claim, sizes):
    try:
        prove_identity(claim, sizes)
    except NotProved:
        return False
    return True


PROVED = ("bottleneck_structure.narrowness", "feature_learning.interpolation.balanced", "leaky_resnets.adaptive_steps.cycle")


@pytest.mark.parametrize("claim", PROVED)
def test_claims_of_the_catalogue_are_proved_and_their_false_neighbours_are_not(claim):
    from dataclasses import replace

    claim = catalogue()[claim]
    some = claim.domain.all_sizes()[:8]
    assert prove_identity(claim, some[0]).bits >= 100
    for wrong in claim.false_neighbours.values():
        # at the smallest sizes what is false may be true
        assert not all(is_proved(replace(claim, statement=wrong), sizes) for sizes in some)


def test_the_command_names_sizes_and_errors(tmp_path):
    result = CliRunner().invoke(app, ["prove", PROVED[0], "--sizes", "2", "--json", str(tmp_path / "proofs.json")])
    assert result.exit_code == 0
    assert "2^-1" in result.stdout
    assert "1 of 6 claims are identities" in result.stdout
    result = CliRunner().invoke(app, ["prove", "notion_of_rank.prop_3"])
    assert result.exit_code == 1
    assert "notion_of_rank.prop_3 is not proved: " in result.stdout


def test_a_statement_that_catches_a_refusal_is_not_proved():
    def evasive(x, y):
        try:
            return eq(absolute(x), x + 0 * y)
        except ArithmeticError:
            return eq(x, x + 0 * y)

    with pytest.raises(NotProved, match="decides"):
        proof(evasive)
