"""What people write as in NumPy works, or the message says what to write instead."""

import math
import operator

import numpy as np
import pytest
import scipy.linalg
import scipy.special

from verify import Claim, Domain, Q, Source, attack, check, derived, evaluate, families, integers, interval, reals
from verify.words import (
    determinant,
    diag,
    eigenvalues,
    eq,
    exp,
    ge,
    inverse,
    le,
    least,
    majorises,
    norm,
    norm2,
    pi,
    power,
    psd_power,
    relative_entropy,
    singular_values,
    solve,
    sqrt,
    trace,
)

MATRIX = {"A": families.positive_definite(2)}
VECTOR = {"x": reals(3)}
WHOLE = {"m": integers(-30, 30), "n": integers(1, 30)}
GRAPH = Domain({"A": families.adjacency("n")}, {"n": (3, 4, 5)})
NO_ODD_CYCLE = Domain({"A": families.adjacency("n")}, {"n": (3, 4)}, {"no triangle": lambda A: trace(A @ A @ A) == 0})


def says_nothing(x):
    le(x, 2)


def laplacian(A):
    return diag(A.sum(axis=0)) - A


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda A: ge(np.linalg.cond(A), 1), MATRIX),
        (lambda A: eq(np.linalg.cholesky(A) @ np.linalg.cholesky(A).T, A), MATRIX),
        (lambda A: le(np.linalg.slogdet(A)[1], np.log(np.trace(A)) * 2), MATRIX),
        (lambda x: le(np.linalg.norm(x, 3), np.linalg.norm(x, 1)), VECTOR),
        (lambda x: ge(x.var(), 0), VECTOR),
        (lambda x: le(x.std() ** 2, norm2(x)), VECTOR),
        (lambda x: le(x.clip(0, 1), 1), VECTOR),
        (lambda x: le(np.cbrt(x), 1 + abs(x)), VECTOR),
        (lambda x: ge(np.arcsinh(abs(x)), 0), VECTOR),
        (lambda x: ge(np.arctanh(x), x), {"x": interval(0, Q("99/100"))}),
        (lambda x: le(scipy.special.erf(x) + scipy.special.erfc(x) / 2, 1), VECTOR),
        (lambda x: ge(scipy.special.xlogy(x, x), x - 1), {"x": interval(0, 9)}),
        (lambda x: ge(determinant([[1 + x * x, x], [x, 1]]), 1), {"x": reals()}),
        (lambda A: ge(np.linalg.norm(A, 1) * np.linalg.norm(A, np.inf), np.linalg.norm(A, 2) ** 2), MATRIX),
        (
            lambda p, q: ge(relative_entropy(p, q), 0),
            {"p": families.probability_vector(2), "q": families.probability_vector(2)},
        ),
        (lambda x: le(np.arcsin(x) + np.arccos(x), 2), {"x": interval(-1, 1)}),
        (lambda x, k: ge((1 + x) ** k, 1 + k * x), {"x": interval(-1, np.inf), "k": integers(1, 5)}),
        (lambda x, y: le(x**y, 1 + y * (x - 1)), {"x": interval(0, np.inf), "y": interval(0, 1)}),
        (lambda x: le(1 + x / 2, 2**x), {"x": interval(1, 8)}),
        (lambda m: eq((m**3 - m) % 6, 0), {"m": integers(-30, 30)}),
        (lambda m, n: eq(m // n * n + np.mod(m, n), m), WHOLE),
        (lambda m, n: eq(np.gcd(m, n) * np.lcm(m, n), abs(m) * n), WHOLE),
        (lambda x: le(abs(np.round(x) - x), Q("1/2")) & eq(x.round(), np.rint(x)), VECTOR),
        (lambda x: eq(np.heaviside(x, 1) + np.heaviside(-x, 0), 1), VECTOR),
        (lambda A: le(np.sort(eigenvalues(A) ** 2)[0], eigenvalues(A @ A)[0]), {"A": families.symmetric(3)}),
        (lambda x, y: le(x ** sqrt(y), 1 + x), {"x": interval(0, 8), "y": interval(0, 1)}),
        (
            lambda A, D: ge(least(eigenvalues(psd_power(A + D, 1) - psd_power(A, 1))), 0),
            {"A": families.positive_semidefinite(2), "D": families.positive_semidefinite(2)},
        ),
    ],
)
def test_what_numpy_has_works(statement, domain):
    result = attack(statement, domain)
    assert result.outcome == "survived", str(result)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda x, k: ge((1 + x) ** k, 1 + k * x), {"x": reals(), "k": integers(1, 5)}),
        (lambda A: le(np.linalg.cond(A), 2), MATRIX),
        (lambda m: eq((m**5 - m) % 60, 0), {"m": integers(-30, 30)}),
        (lambda m, n: eq(np.lcm(m, n), abs(m) * n), WHOLE),
        (lambda x: ge(np.round(x), x - Q("49/100")), VECTOR),
        (lambda x: ge(x.clip(-1, 1).sum(), x.sum()), VECTOR),
        (lambda x: le(np.arcsin(x), x), {"x": interval(-1, 1)}),
    ],
)
def test_what_is_false_falls(statement, domain):
    assert attack(statement, domain).outcome == "refuted"


@pytest.mark.parametrize(
    ("statement", "domain", "advice"),
    [
        (lambda A: ge(np.linalg.eigh(A)[0], 0), MATRIX, "write eigenvalues(A) of verify.words"),
        (lambda A: ge(np.linalg.qr(A)[1][0, 0], 0), MATRIX, "R=upper_triangular('n')"),
        (lambda A: ge(np.linalg.svd(A)[1], 0), MATRIX, "write singular_values(A) of verify.words"),
        (lambda A: ge(np.linalg.eigvals(A), 0), MATRIX, "of others spectral_radius(A) is known exactly"),
        (lambda A: ge(np.cov(A), -1), MATRIX, "write C = X - X.mean(axis=1)[:, None]"),
        (lambda x: le(np.quantile(x, 0.25), x.max()), VECTOR, "write what is asked of numpy.sort(x)"),
        (lambda x: ge(np.trapezoid(x), x.sum()), VECTOR, "write slices"),
        (lambda x: eq(np.isclose(x, x), True), VECTOR, "write eq(x, y), whose tolerance is derived"),
        (lambda x: le(abs(np.fft.fft(x)), abs(x).sum()), VECTOR, "write sums with cos and sin"),
        (lambda A: ge(scipy.linalg.expm(A), 0), MATRIX, "verify.words has expm"),
        (lambda A: ge(np.linalg.det(np.array([[1, A[0, 0]], [0, 1]])), 0), MATRIX, "write determinant for det"),
        (lambda A: ge(np.linalg.eigvals(A + np.triu(A)), 0), MATRIX, "write eigenvalues(A) of verify.words"),
        (lambda x: le(abs(x).sum(), np.sqrt(len(x)) * norm2(x)), VECTOR, "np.sqrt of an integer is a float: write sqrt of"),
        (lambda x: le(np.arctan(x), np.pi / 2), VECTOR, "np.pi is a float: write pi() of verify.words"),
        (lambda x: norm2(x) >= 0, VECTOR, "write le(a, b) for a <= b"),
        (lambda x: le(abs(np.exp(1j * x)), 1), VECTOR, "complex_matrix, hermitian and unitary of verify.families"),
        (lambda A: ge(A + np.eye(2), 0), MATRIX, "np.eye makes floats: write eye of verify.words, or dtype=int"),
        (lambda x: ge(norm2(x), len(x) / 2 - 2), VECTOR, "a quotient of two integers of Python is a float"),
        (lambda x: ge(norm2(x) ** 0.5, 0), VECTOR, "write an exact constant, such as Q('1/10')"),
        (lambda x: eq(exp(x) * exp(1), exp(x + 1)), VECTOR, "no precision decides an identity between logarithms"),
    ],
)
@pytest.mark.filterwarnings("ignore:undecided")
def test_what_does_not_work_says_what_to_write(statement, domain, advice):
    result = attack(statement, domain)
    assert result.outcome == "undecided"
    assert advice in result.problems[0]


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda A: ge(eigenvalues(laplacian(A)), 0), GRAPH),
        (lambda A: ge(np.linalg.eigvalsh(diag(A.sum(axis=0)) + A), 0), GRAPH),
        (lambda A: eq(singular_values(laplacian(A))[-1], 0), GRAPH),
        (lambda A: eq(np.linalg.det(laplacian(A)), 0), GRAPH),
        (lambda A: eq(eigenvalues(A) + eigenvalues(A)[::-1], 0), NO_ODD_CYCLE),
        (
            lambda A, B: ge(eigenvalues((inverse(A) + inverse(B)) / 2 - inverse((A + B) / 2)), 0),
            {"A": families.positive_definite(2), "B": families.positive_definite(2)},
        ),
    ],
)
def test_zeros_of_spectra_that_floats_miss_are_rounding(statement, domain):
    # the matrices have integers, or cancel: moving the free numbers a little shows no rounding
    result = attack(statement, domain)
    assert result.outcome == "survived", str(result)


def test_what_is_beyond_the_largest_float_leaves_the_other_instances():
    from verify.words import determinant, expm

    result = attack(lambda A: ge(determinant(expm(A)), 0), {"A": families.symmetric(2)})
    assert result.outcome == "survived", str(result)


@pytest.mark.parametrize(
    ("statement", "domain", "advice"),
    [
        (
            lambda x: le(power(abs(x), 1.5), 2),
            VECTOR,
            "write Q(3, 2) for 3/2, and exp(p * log(x)) for a power p that is computed",
        ),
        (lambda A: le(least(eigenvalues(A + np.array([[0, 1], [0, 0]]))), 2), MATRIX, "singular_values takes any matrix"),
        (lambda A, x: le(norm2(A @ x), 2), {"A": reals(3, 2), "x": reals(4)}, "got the shapes (3, 2) and (4,)"),
        (lambda A, x: le(norm2(x @ A), 2), {"A": reals(3, 2), "x": reals(4)}, "got the shapes (4,) and (3, 2)"),
        (lambda x: le(x[0] * pi, 4), VECTOR, "call it, as in pi() for pi"),
        (lambda x: le(math.exp(x[0]), 10**9), VECTOR, "write sqrt, exp, log or power of verify.words"),
        (lambda x: le(math.log(x[0]), 10**9), VECTOR, "exclude by a hypothesis where they are not defined"),
        (lambda x: le(max(entry for entry in x if entry > 0), norm2(x) + 1), VECTOR, "as in max(..., default=0)"),
        (lambda x: le(x[x > 0].max(), norm2(x) + 1), VECTOR, "as in max(..., default=0)"),
        (lambda x, y: le(min(norm(x), norm(y)), norm(x)), {"x": reals(3), "y": reals(3)}, "write minimum(a, b) for min(a, b)"),
        (lambda x: le(norm2(x), 1) & (norm2(x) >= 0), VECTOR, "& joins relations, got InstanceArray"),
        (lambda x: (norm2(x) >= 0) & le(norm2(x), 1), VECTOR, "& joins relations, got InstanceArray"),
        (lambda x: le(norm2(x), 1) | ge(norm2(x), 0), VECTOR, "such as le(x, maximum(y, z))"),
        (lambda x: operator_norm(x), VECTOR, "from verify.words import operator_norm"),  # noqa: F821
        (lambda x: le(np.nuclear_norm(x), 1), VECTOR, "from verify.words import nuclear_norm"),
        (lambda x: le(nrm(x), 1), VECTOR, "verify.words has norm"),  # noqa: F821
        (lambda x: le(np.linalg.vector_norm(x), 1), VECTOR, "write norm for vector_norm"),
        (lambda x: ge((x * np.log(x)).sum(), -1), {"x": interval(0, 1, 2)}, "write xlogx(x)"),
        (says_nothing, VECTOR, "it returned NoneType: write return le(a, b)"),
    ],
)
@pytest.mark.filterwarnings("ignore:undecided")
def test_a_slip_is_told_what_to_write(statement, domain, advice):
    assert advice in attack(statement, domain).problems[0]


def test_lengths_are_written_one_by_one():
    with pytest.raises(TypeError, match=r"got \(2, 3\): write the lengths one by one, as in reals\(2, 3\)"):
        reals((2, 3))


def test_an_arrangement_says_places():
    domain = {"x": reals(4), "p": families.arrangement(4)}
    assert attack(lambda x, p: eq(x[p].sum(), x.sum()), domain).outcome == "survived"
    assert attack(lambda x, p: le(x[p[0]], x.max()), domain).outcome == "survived"
    assert attack(lambda x, p: eq(x[p], x), domain).outcome == "refuted"


@pytest.mark.filterwarnings("ignore:undecided")
def test_a_number_that_is_no_integer_is_no_place():
    result = attack(lambda x, t: le(x[[t, t]], x.max()), {"x": reals(4), "t": interval(0, 3)})
    assert "IndexError" in result.problems[0]


def test_a_vector_is_the_right_side_of_a_system_as_in_numpy():
    domain = {"A": families.positive_definite(2), "b": reals(2)}
    assert attack(lambda A, b: eq(A @ solve(A, b), b), domain).outcome == "survived"
    assert attack(lambda A, b: le(norm2(solve(A, b)), norm2(b)), domain).outcome == "refuted"
    assert attack(lambda A, b: eq(solve(A, [b[0], 1]), solve(A, [[b[0]], [1]])[:, 0]), domain).outcome == "survived"
    assert solve([[2, 0], [0, 4]], [1, 1]).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("name", families.__all__)
def test_a_family_says_how_it_is_called(name):
    family = getattr(families, name)
    if name in ("binary", "nonnegative_numbers"):  # any number of lengths, none included
        return
    with pytest.raises(TypeError, match=rf"write {name}\('"):
        family()
    if not name.startswith("unit_"):
        with pytest.raises(TypeError, match=rf"{name}: too many positional arguments: write {name}\('"):
            family(2, 1, 3, 4)


@pytest.mark.parametrize(
    ("slip", "advice"),
    [
        (lambda: interval(0), r"missing a required argument: 'upper': write interval\(lower, upper\)"),
        (lambda: interval(0, 1, size=3), r"write interval\(lower, upper\), as in interval\(0, 1\), or interval\(0, 1, 'n'\)"),
        (lambda: interval(0, "2/3"), r"got '2/3': write Q\('2/3'\)"),
        (lambda: interval(0, None), "an interval without an end there has numpy.inf"),
        (lambda: interval(0, "n"), "an end is the same at all sizes"),
        (lambda: interval((0, 1), 2), "write both ends one by one"),
        (lambda: integers(5), r"write integers\(lower, upper\)"),
        (lambda: derived(lambda u: u), r"name them, as in derived\(lambda u: ..., u=reals\(3\)\)"),
        (lambda: derived(reals(3), u=reals(3)), "function must be a function of other variables"),
        (lambda: derived(reals(3), lambda u: u), r"write derived\(function, name=variable, ...\)"),
        (lambda: Domain(x=reals(3)), r"Domain: missing a required argument: 'variables': write Domain\(\{'x': reals\('n'\)\}"),
        (lambda: Claim("a.b", says_nothing), r"Claim: missing a required argument: 'source': write Claim\(id='paper"),
        (
            lambda: Claim("a.b", "t", Source("a", "b"), says_nothing, Domain({"x": reals()}), variants={}),
            r"'variants': write Claim\(id='paper.theorem_1', title=",
        ),
        (lambda: Domain({"x": [1, 2, 3]}), r"write reals\(\) or interval\(0, 1\)"),
        (lambda: attack(says_nothing, {"x": reals("n")}, {"n": (1, 2)}), r"or attack\(statement, Domain\(variables, sizes"),
        (lambda: attack(says_nothing, x=reals(3)), r"write attack\(statement, \{'x': reals\(3\)\}\)"),
        (lambda: evaluate(says_nothing, x=[1, 2]), r"a function is called, as in statement\(numpy.array"),
        (lambda: operator.and_(le(1, 2), True), r"& joins relations, got bool"),
    ],
)
def test_a_call_is_told_what_to_write(slip, advice):
    with pytest.raises((TypeError, ValueError), match=advice):
        slip()


def test_an_integer_has_no_end_that_is_a_size():
    with pytest.raises(ValueError, match="an end is the same at all sizes"):
        integers(0, "n")


@pytest.mark.filterwarnings("ignore:undecided")
def test_a_relation_as_a_hypothesis_is_told_of_holds():
    domain = Domain({"x": reals(2), "y": reals(2)}, hypotheses={"x majorises y": majorises})
    with pytest.warns(UserWarning, match=r"write holds\(\.\.\.\) of it"):
        attack(lambda x, y: ge(norm2(x), norm2(y)), domain)


def test_an_example_of_a_square_matrix_is_square():
    claim = Claim(
        id="slips.square",
        title="An example that is no square matrix",
        source=Source("slips", "Square"),
        statement=lambda A: ge(norm2(A), 0),
        domain=Domain({"A": reals("n", "n")}, {"n": (1, 2)}),
        tight={"a row": {"A": [[0, 0]]}},
        false_variants={"one": lambda A: ge(norm2(A), 1)},
    )
    assert "A must have as many rows as columns, n, got the shape (1, 2)" in check(claim).problems[0]


def test_a_needed_hypothesis_that_is_not_there_is_told_which_are():
    domain = Domain({"x": reals()}, {}, {"x is positive": lambda x: x > 0})
    with pytest.raises(ValueError, match="does not have: positive; it has x is positive"):
        Claim("slips.needs", "t", Source("slips", "Needs"), lambda x: ge(x, 0), domain, needs=("positive",))
