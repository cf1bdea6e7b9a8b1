"""Variables with structure: every draw is a member, floats and rationals, and the special members are met."""

import numpy as np
import pytest

from verify import Claim, Domain, Q, Source, attack, check, evaluate, families, interval
from verify.claims.claim import given
from verify.search import BUDGETS, SampleCache
from verify.words import (
    determinant,
    diag,
    eigenvalues,
    eq,
    eye,
    ge,
    holds,
    le,
    least,
    nonnegative,
    norm2,
    rank,
    relu,
    trace,
    zeros,
)

SIZES = {"n": range(1, 5)}


def is_permutation(x):
    return holds(eq(x @ x.T, eye(x.shape[0]))) & ((x == 0) | (x == 1)).all()


def is_distribution(x):
    return nonnegative(x) & holds(eq(x.sum(), 1))


def is_projection(x):
    """Of floats, that it is symmetric: how near to a projection they are depends on the condition of the basis."""
    symmetric = holds(eq(x, x.T))
    return symmetric & holds(eq(x @ x, x)) if x.dtype == object else symmetric


def multiplication_by_i(n):
    """Multiplication by i."""
    return np.block([[zeros(n, n), -eye(n)], [eye(n), zeros(n, n)]])


def turned(x):
    return multiplication_by_i(x.shape[0] // 2) @ x @ multiplication_by_i(x.shape[0] // 2).T


MEMBERS = {
    "symmetric": (families.symmetric("n"), lambda x: holds(eq(x, x.T))),
    "antisymmetric": (families.antisymmetric("n"), lambda x: holds(eq(x, -x.T))),
    "diagonal": (families.diagonal("n"), lambda x: holds(eq(x, diag(diag(x))))),
    "lower_triangular": (families.lower_triangular("n"), lambda x: holds(eq(np.triu(x, 1), 0 * x))),
    "upper_triangular": (families.upper_triangular("n"), lambda x: holds(eq(np.tril(x, -1), 0 * x))),
    "positive_semidefinite": (families.positive_semidefinite("n", 2), lambda x: holds(eq(x, x.T)) & (rank(x) <= 2)),
    "positive_definite": (families.positive_definite("n"), lambda x: holds(eq(x, x.T)) & (determinant(x) > 0)),
    "orthogonal": (families.orthogonal("n"), lambda x: holds(eq(x @ x.T, eye(x.shape[0])))),
    "rotation": (
        families.rotation("n"),
        lambda x: holds(eq(x @ x.T, eye(x.shape[0]))) & (determinant(x) > 0),
    ),
    "complex_matrix": (
        families.complex_matrix("n", "n"),
        lambda x: holds(eq(x, turned(x))),
    ),
    "hermitian": (families.hermitian("n"), lambda x: holds(eq(x, x.T)) & holds(eq(x, turned(x)))),
    "unitary": (families.unitary("n"), lambda x: holds(eq(x @ x.T, eye(x.shape[0]))) & holds(eq(x, turned(x)))),
    "with_spectrum": (families.with_spectrum("n", 1, 3), lambda x: holds(eq(x, x.T)) & (trace(x) <= 3 * x.shape[0] + Q(1, 99))),
    "projection": (families.projection("n", 2), is_projection),
    "unit_vector": (families.unit_vector("n"), lambda x: holds(eq(norm2(x), 1))),
    "unit_ball": (families.unit_ball("n"), lambda x: holds(le(norm2(x), 1))),
    "contraction": (families.contraction(2, "n"), lambda x: holds(le(norm2(x[0]), 1)) & holds(le(norm2(x[:, 0]), 1))),
    "nonnegative_numbers": (families.nonnegative_numbers("n"), lambda x: nonnegative(x)),
    "sorted_numbers": (families.sorted_numbers("n"), lambda x: (x[1:] >= x[:-1]).all()),
    "probability_vector": (families.probability_vector("n"), is_distribution),
    "stochastic": (families.stochastic(2, "n"), lambda x: is_distribution(x[0]) & is_distribution(x[1])),
    "doubly_stochastic": (
        families.doubly_stochastic("n"),
        lambda x: is_distribution(x[0]) & is_distribution(x[:, 0]) & is_distribution(x.T[-1]),
    ),
    "permutation": (families.permutation("n"), is_permutation),
    "arrangement": (families.arrangement("n"), lambda x: holds(eq(np.sort(x), np.arange(x.shape[0])))),
    "binary": (families.binary("n"), lambda x: ((x == 0) | (x == 1)).all()),
    "adjacency": (families.adjacency("n"), lambda x: holds(eq(x, x.T)) & (diag(x) == 0).all()),
    "tournament": (families.tournament("n"), lambda x: holds(eq(x + x.T, 1 - eye(x.shape[0])))),
    "tree": (
        families.tree("n"),
        # n - 1 edges, and connected: from each vertex a walk of n - 1 steps, or of fewer, leads to the first
        lambda x: (x.sum() == 2 * (x.shape[0] - 1)) & (least(np.linalg.matrix_power(x + eye(x.shape[0]), x.shape[0])) > 0),
    ),
}


def test_every_family_is_tested():
    assert set(families.__all__) == set(MEMBERS)


@pytest.mark.parametrize("name", MEMBERS)
def test_every_draw_is_a_member(name):
    variable, is_member = MEMBERS[name]
    domain = Domain({"x": variable}, SIZES, {"member": is_member})
    cache = SampleCache(f"toy.{name}", domain, BUDGETS["quick"], 0)
    for phase in ("structured", "batched", "special"):
        for batch in cache.phase(phase):
            assert batch.validity["member"].all()
    for batch in list(cache.phase("structured"))[:4]:
        assert domain.violated(domain.build(batch.sample[np.array([0])].exact())) == []
        assert domain.outside(domain.instance(batch.sample[0].exact())) == []
        assert domain.outside(domain.instance(batch.sample[0])) == []


@pytest.mark.parametrize("name", sorted(set(MEMBERS) - {"binary", "nonnegative_numbers"}))
def test_what_is_none_of_a_family_is_outside(name):
    variable, _ = MEMBERS[name]
    is_vector = variable.dimensions == ("n",)
    for value in ([3, -1], [2.5, 0.5]) if is_vector else ([[1, 5], [2, -9]], [[0.5, 1.5], [2.5, -9.5]]):
        (text,) = Domain({"x": variable}, SIZES).outside({"x": given(value)})
        assert text.startswith(f"x must be of the family {name}, got [")


@pytest.mark.parametrize("name", sorted(set(MEMBERS) - {"binary", "nonnegative_numbers"}))
@pytest.mark.parametrize(
    "value", [5, [[]], [[[1]]], [[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 2]], [[np.nan, 1], [1, 1.0]], [np.inf]]
)
def test_what_has_another_shape_or_is_no_number_is_outside(name, value):
    variable, _ = MEMBERS[name]
    (text,) = Domain({"x": variable}, SIZES).outside({"x": given(value)})
    assert text.startswith(f"x must be of the family {name}, got ")


@pytest.mark.parametrize(
    ("variable", "special"),
    [
        (families.permutation(3), lambda x: eq(x, eye(3))),
        (families.probability_vector(3), lambda x: le(x[0], Q(9, 10))),
        (families.orthogonal(2), lambda x: ge(determinant(x), 0)),
        (families.orthogonal(2), lambda x: le(determinant(x), 0)),
        (families.rotation(3), lambda x: ge(trace(x), 0)),
        (families.doubly_stochastic(3), lambda x: ge(x, Q(1, 100))),
        (families.adjacency(3), lambda x: le(x.sum(), 5)),
        (families.tree(4), lambda x: le(x.sum(axis=0), 2)),
        (families.unit_vector(3), lambda x: ge(x, Q(-9, 10))),
        (families.unit_vector(2, 3), lambda x: ge(norm2(x[0] - x[1]), Q(1, 100))),
        (families.unit_ball(2, 3), lambda x: le(norm2(x[0]) + norm2(x[1]), Q(199, 100))),
        (families.unit_ball(2, 3), lambda x: ge(norm2(x), Q(1, 100))),
        (families.contraction(2, 3), lambda x: le(norm2(x), Q(199, 100))),
        (families.contraction(2, 2), lambda x: le(norm2(x - x.T), 1)),
        (families.tournament(3), lambda x: ge((x.sum(axis=1) - 1) ** 2, 1)),
        (families.symmetric(2), lambda x: ge(least(eigenvalues(x)), 0)),
        (families.sorted_numbers(3), lambda x: ge(x[2] - x[0], Q(1, 100))),
    ],
)
def test_special_members_are_met(variable, special):
    assert attack(special, Domain({"x": variable}, {})).outcome == "refuted"


@pytest.mark.parametrize(
    ("statement", "variables"),
    [
        (
            lambda A, B: ge(trace(A @ B), 0),
            {"A": families.positive_semidefinite("n"), "B": families.positive_semidefinite("n")},
        ),
        (lambda U, x: eq(norm2(U @ x), norm2(x)), {"U": families.orthogonal("n"), "x": families.unit_vector("n")}),
        (lambda P, x: ge(norm2(x), norm2(P @ x)), {"P": families.doubly_stochastic("n"), "x": families.sorted_numbers("n")}),
        (lambda A: eq(A, A - relu(-A)), {"A": families.adjacency("n")}),
        (lambda A, x: le(norm2(A @ x), 1), {"A": families.contraction("n", "n"), "x": families.unit_ball("n")}),
        (lambda x: le(np.abs(x @ x.T), 1), {"x": families.unit_ball("n", 2)}),
        (lambda T: eq(2 * T.sum(), T.shape[0] * (T.shape[0] - 1)), {"T": families.tournament("n")}),
    ],
)
def test_what_is_true_of_a_family_survives(statement, variables):
    result = attack(statement, Domain(variables, {"n": range(1, 4)}))
    assert result.outcome == "survived", str(result)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"x": 2}, "the instance does not give the variable 'y'"),
        ({"x": [1, 2], "y": 1}, "the instance is outside the domain: x must be one number, got [1, 2]"),
        ({"x": 1, "y": "a"}, "the instance: ValueError: values must hold rationals"),
    ],
)
def test_a_tight_example_is_one_instance(value, problem):
    claim = Claim(
        id="toy.squares",
        title="Squares",
        source=Source("toy", "here"),
        statement=lambda x, y: le(2 * x * y, x**2 + y**2),
        domain=Domain({"x": interval(-4, 4), "y": interval(-4, 4)}),
        tight={"equal": {"x": 1, "y": 1}, "wrong": value},
        false_variants={"tripled": lambda x, y: le(3 * x * y, x**2 + y**2)},
    )
    (said,) = check(claim).problems
    assert f"not tight at 'wrong': {problem}" in said


def test_a_tight_example_outside_its_family_is_a_problem_and_evaluate_warns():
    def hadamard(A):
        return le(determinant(A), diag(A).prod())

    domain = Domain({"A": families.positive_semidefinite("n")}, {"n": (2,)})
    claim = Claim(
        id="toy.hadamard",
        title="Hadamard's inequality",
        source=Source("toy", "here"),
        statement=hadamard,
        domain=domain,
        tight={"none of it": {"A": [[1, 0], [0, -1]]}, "diagonal": {"A": [[1, 0], [0, 2]]}},
        false_variants={"halved": lambda A: le(determinant(A), diag(A).prod() / 2)},
    )
    (problem,) = check(claim).problems
    assert (
        "not tight at 'none of it': the instance is outside the domain: A must be of the family positive_semidefinite"
        in problem
    )
    with pytest.warns(UserWarning, match="outside the domain of toy.hadamard: A must be of the family positive_semidefinite"):
        evaluate(claim, A=[[1, 0], [0, -1]])
