"""Every word of a statement, in every arithmetic and on another array library: as on each instance alone."""

import sys

import numpy as np
import pytest
from array_libraries import stand_in
from flint import arb, fmpq

from verify import Q, measured, words
from verify.instances import InstanceArray
from verify.numbers.arithmetic import UndecidedInstances, ball, floats, precision, rationals
from verify.numbers.exactness import exact_evaluation
from verify.proofs import cells  # noqa: F401 (matrices of traced numbers)
from verify.proofs.certificate import Deadline
from verify.proofs.tracing import Tape, Traced

MATRIX, SQUARE, VECTOR, NUMBER, POSITIVE = "MSvtp"
NORMS = (1, 2, np.inf)
CALLS = {
    "absolute": (words.absolute, (MATRIX,)),
    "block": (lambda M, t: words.block([[M, 0], [t, words.ones(1, 1)]]), (MATRIX, NUMBER)),
    "arctan": (words.arctan, (VECTOR,)),
    "arcsin": (lambda v: words.arcsin(v / 4), (VECTOR,)),
    "arccos": (lambda v: words.arccos(v / 4), (VECTOR,)),
    "arcsinh": (words.arcsinh, (VECTOR,)),
    "arccosh": (lambda p: words.arccosh(1 + p), (POSITIVE,)),
    "arctanh": (lambda v: words.arctanh(v / 4), (VECTOR,)),
    "beta": (lambda p, t: words.beta(p, 1 + t * t), (POSITIVE, NUMBER)),
    "cholesky": (lambda S: words.cholesky(S @ S.T + words.eye(3)), (SQUARE,)),
    "condition_number": (words.condition_number, (SQUARE,)),
    "digamma": (words.digamma, (POSITIVE,)),
    "erfc": (words.erfc, (VECTOR,)),
    "induced_norm": (
        lambda M: words.stack([words.induced_norm(M, p, q) for p in NORMS for q in NORMS if p != 2 or q != 2]),
        (MATRIX,),
    ),
    "infinity": (lambda t: t - words.where(t > 9, words.infinity(), 1), (NUMBER,)),
    "ky_fan_norm": (lambda S: words.ky_fan_norm(S, 2), (SQUARE,)),
    "matrix_log": (lambda S: words.matrix_log(S @ S.T + words.eye(3)), (SQUARE,)),
    "psd_sqrt": (lambda S: words.psd_sqrt(S @ S.T + words.eye(3)), (SQUARE,)),
    "schur_complement": (lambda S: words.schur_complement(S, 1), (SQUARE,)),
    "cos": (words.cos, (VECTOR,)),
    "cosh": (words.cosh, (VECTOR,)),
    "eigenvalues": (lambda S: words.eigenvalues(S + S.T), (SQUARE,)),
    "entropy": (lambda p: words.entropy(p / p.sum()), (POSITIVE,)),
    "erf": (words.erf, (VECTOR,)),
    "expm": (lambda S: words.expm((S + S.T) / 8), (SQUARE,)),
    "gamma": (words.gamma, (POSITIVE,)),
    "kron": (words.kron, (MATRIX, SQUARE)),
    "logsumexp": (words.logsumexp, (VECTOR,)),
    "relative_entropy": (lambda p, v: words.relative_entropy(p / p.sum(), words.softmax(v)), (POSITIVE, VECTOR)),
    "sin": (words.sin, (VECTOR,)),
    "sinh": (words.sinh, (VECTOR,)),
    "softmax": (lambda v, M: words.softmax(v)[0] + words.softmax(M, axis=1) + 2 * words.softmax(M, axis=0), (VECTOR, MATRIX)),
    "softplus": (words.softplus, (VECTOR,)),
    "tan": (words.tan, (VECTOR,)),
    "tanh": (words.tanh, (VECTOR,)),
    "xlogx": (lambda M: words.xlogx(abs(M)), (MATRIX,)),
    "concatenate": (lambda v: words.concatenate([v, [1, 2], v]), (VECTOR,)),
    "determinant": (words.determinant, (SQUARE,)),
    "diag": (lambda M, v: words.diag(v) @ M[:3, :3] + words.diag(words.diag(v)), (SQUARE, VECTOR)),
    "exp": (words.exp, (VECTOR,)),
    "eye": (lambda S: S + words.eye(3), (SQUARE,)),
    "floor": (words.floor, (MATRIX,)),
    "gcd": (lambda M, v: words.gcd(2 * M, 12) + words.gcd(2 * v, 2 * M), (MATRIX, VECTOR)),
    "gram_power": (lambda S: words.gram_power(S, Q(1, 2)), (SQUARE,)),
    "geometric_mean": (lambda S: words.geometric_mean(S @ S.T + words.eye(3), words.eye(3)), (SQUARE,)),
    "greatest": (lambda M: words.greatest(M) + words.greatest(M, axis=0).sum(), (MATRIX,)),
    "inner": (words.inner, (MATRIX, MATRIX)),
    "inverse": (words.inverse, (SQUARE,)),
    "least": (lambda M: words.least(M) + words.least(M, axis=1).sum(), (MATRIX,)),
    "log": (words.log, (POSITIVE,)),
    "log_plus": (lambda S: words.log_plus(S @ S.T + words.eye(3)), (SQUARE,)),
    "log_pseudo_determinant": (words.log_pseudo_determinant, (SQUARE,)),
    "maximum": (lambda M, t: words.maximum(M, t), (MATRIX, NUMBER)),
    "minimum": (lambda M: words.minimum(M, Q(1, 3)), (MATRIX,)),
    "norm": (
        lambda v, M: words.norm(v) + words.norm(v, 1) + words.norm(M, 1, 0).sum() + words.norm(M, axis=1),
        (VECTOR, MATRIX),
    ),
    "norm2": (words.norm2, (MATRIX,)),
    "nuclear_norm": (words.nuclear_norm, (SQUARE,)),
    "ones": (lambda v: v + words.ones(3), (VECTOR,)),
    "operator_norm": (words.operator_norm, (MATRIX,)),
    "pi": (lambda t: words.pi() * t, (NUMBER,)),
    "pinv": (words.pinv, (MATRIX,)),
    "polar_factor": (words.polar_factor, (SQUARE,)),
    "power": (lambda p: words.power(p, Q(1, 3)), (POSITIVE,)),
    "pseudo_determinant": (words.pseudo_determinant, (MATRIX,)),
    "psd_power": (lambda S: words.psd_power(S @ S.T + words.eye(3), Q(1, 2)), (SQUARE,)),
    "rank": (lambda M: 1 * words.rank(M), (MATRIX,)),
    "relu": (words.relu, (MATRIX,)),
    "schatten_power": (lambda S: words.schatten_power(S, 2), (SQUARE,)),
    "sign": (words.sign, (MATRIX,)),
    "singular_values": (words.singular_values, (SQUARE,)),
    "solve": (lambda S, v: words.solve(S, v[:, None]), (SQUARE, VECTOR)),
    "sqrt": (words.sqrt, (POSITIVE,)),
    "spectral_radius": (words.spectral_radius, (SQUARE,)),
    "stable_rank": (words.stable_rank, (SQUARE,)),
    "stack": (lambda v, t: words.stack([v, t * v], axis=1), (VECTOR, NUMBER)),
    "trace": (words.trace, (SQUARE,)),
    "vector": (lambda v, t: words.vector(v[0], t, 1, Q(1, 2)), (VECTOR, NUMBER)),
    "where": (lambda M, t: words.where(t < M, M, Q(1, 2)), (MATRIX, NUMBER)),
    "zeros": (lambda v: words.concatenate([v, words.zeros(2)]), (VECTOR,)),
}
RELATIONS = {"Q", "eq", "ge", "holds", "le", "lifted", "majorises", "nonnegative", "positive"}
NOT_ON_BALLS = {
    "determinant",
    "eigenvalues",
    "expm",
    "entropy",
    "relative_entropy",
    "xlogx",
    "diag_",
    "rank",
    "inverse",
    "pinv",
    "solve",
    "singular_values",
}
OF_A_SPECTRUM = {
    "condition_number", "gram_power", "geometric_mean", "ky_fan_norm", "log_plus", "log_pseudo_determinant", "matrix_log",
    "nuclear_norm", "operator_norm", "polar_factor", "psd_power", "psd_sqrt", "pseudo_determinant", "schatten_power",
    "stable_rank",
}  # fmt: skip
"""Matrices of balls have no rank that is decided."""
NOT_TRACED = (
    OF_A_SPECTRUM
    | {"singular_values", "eigenvalues", "spectral_radius", "expm", "floor", "gcd"}
    | {"arccos", "arccosh", "arcsin", "arcsinh", "arctanh", "beta", "digamma", "erfc"}
    | {"arctan", "cos", "cosh", "erf", "gamma", "sin", "sinh", "tan", "tanh"}
)
"""Spectra are tested with the prover, which refuses numbers that are rounded."""
OF_ANOTHER_LIBRARY = (
    "absolute",
    "block",
    "concatenate",
    "eye",
    "maximum",
    "norm2",
    "ones",
    "relu",
    "stack",
    "trace",
    "where",
    "inner",
    "exp",
)


def drawn():
    rng = np.random.default_rng(1)
    square = rng.integers(-3, 4, (4, 3, 3)) + 5 * np.eye(3)
    return {
        MATRIX: rng.integers(-4, 5, (4, 2, 3)) / 2,
        SQUARE: square / 2,
        VECTOR: rng.integers(-4, 5, (4, 3)) / 2,
        NUMBER: np.array([0.5, 1.0, -1.0, 2.0]),
        POSITIVE: rng.integers(1, 9, (4, 3)) / 4,
    }


def test_every_word_is_tested():
    assert set(words.__all__) == set(CALLS) | RELATIONS


def expected(name, arrays):
    """The word on the plain arrays of each instance."""
    function, kinds = CALLS[name]
    return [np.asarray(floats(function(*(arrays[kind][place] for kind in kinds)))) for place in range(4)]


def compare(name, found):
    for place, one in enumerate(expected(name, drawn())):
        assert one.shape == found.shape[1:]
        np.testing.assert_allclose(found[place], one, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", CALLS)
def test_in_floats(name):
    function, kinds = CALLS[name]
    found = function(*(InstanceArray(drawn()[kind], 1) for kind in kinds))
    compare(name, found.values)


@pytest.mark.parametrize("name", CALLS)
def test_on_rationals(name):
    function, kinds = CALLS[name]
    exact = {kind: rationals(values) for kind, values in drawn().items()}
    with exact_evaluation():
        found = function(*(InstanceArray(exact[kind], 1) for kind in kinds))
        assert all(isinstance(entry, fmpq | arb) for entry in found.values.flat)
        alone = function(*(exact[kind][0] for kind in kinds))
        if name != "rank":
            assert np.array_equal(floats(alone), floats(found.values[0]))
    compare(name, floats(found.values))


@pytest.mark.parametrize("name", sorted(set(CALLS) - NOT_ON_BALLS - OF_A_SPECTRUM))
def test_on_balls(name):
    function, kinds = CALLS[name]
    with precision(128), exact_evaluation(active=False):
        exact = {kind: np.vectorize(ball, otypes=[object])(rationals(values)) for kind, values in drawn().items()}
    with precision(128), exact_evaluation():
        found = function(*(InstanceArray(exact[kind], 1) for kind in kinds))
    compare(name, floats(found.values))


@pytest.mark.parametrize("name", sorted(set(CALLS) - NOT_TRACED - {"pi", "exp", "log", "power", "sign"}))
def test_on_traced_numbers(name):
    function, kinds = CALLS[name]
    tape = Tape(Deadline(), False)
    point = {kind: rationals(drawn()[kind][1]) for kind in kinds}
    inputs = []
    for kind in kinds:
        traced = np.empty((1, *point[kind].shape), dtype=object)
        for index in np.ndindex(point[kind].shape):
            traced[(0, *index)] = tape.number(("x", kind, *index), point[kind][index])
        inputs.append(InstanceArray(traced, 1))
    with exact_evaluation(), precision(256):
        found = function(*inputs)
    values = [tape.values[Traced.place.__get__(entry)] if isinstance(entry, Traced) else entry for entry in found.values.flat]
    np.testing.assert_allclose(
        [float(arb(one).mid()) for one in values], expected(name, drawn())[1].ravel(), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("name", OF_ANOTHER_LIBRARY)
def test_on_another_array_library(name, monkeypatch):
    library = stand_in()
    monkeypatch.setitem(sys.modules, "cupy", library)
    function, kinds = CALLS[name]
    found = function(*(InstanceArray(library.asarray(drawn()[kind]), 1) for kind in kinds))
    assert type(found.values).__module__ == "cupy"
    compare(name, found.values._host)


def test_relations_are_of_one_instance():
    x = InstanceArray(np.array([[1.0, 2.0], [3.0, -4.0]]), 1)
    relation = words.le(0, x, "entries") & words.ge(words.norm2(x), 6)
    assert relation.batch_shape == (2,)
    assert relation.names == ("entries", "#2")
    assert relation.verdict.tolist() == [-1, -1]
    assert words.le(np.zeros(3), np.ones(3)).batch_shape == ()
    assert words.le([0, 0], [1, 2]).verdict == 1
    assert words.positive(x).values.tolist() == [True, False]
    assert words.nonnegative([0, 1])


def test_a_difference_is_measured_beside_what_it_is_small_against():
    alone, beside = words.eq(1e-9, 0.0), words.eq(1e-9, 0.0, beside=1e9)
    assert alone.verdict == -1
    assert beside.verdict == 0
    with exact_evaluation():
        exact = words.eq(fmpq(1, 10**9), 0, beside=10**9)
    assert exact.verdict == -1
    assert float(exact.relative_slack) == pytest.approx(-1e-18)


def test_integers_below_and_common_divisors():
    with precision(64):
        assert words.floor(np.array([ball(fmpq(7, 2)), ball(fmpq(-7, 2))]))[1] == -4
        with pytest.raises(UndecidedInstances, match="the integer below a number is not decided"):
            words.floor(np.array([ball(3) + (ball(fmpq(1, 3)) * 3 - 1)]))
    with pytest.raises(ValueError, match=r"left must hold integers, got .*1\.5"):
        words.gcd(np.array([1.5]), 3)
    assert words.gcd([0, -4], 6).tolist() == [6, 2]


def test_matrices_may_be_nested_lists_with_variables():
    x = InstanceArray(np.array([0.0, 1.0, 2.0]), 1)
    np.testing.assert_allclose(words.determinant([[1 + x * x, x], [x, 1]]).values, 1)
    np.testing.assert_allclose(words.inverse(np.array([[1 + x * x, x], [x, 1]])).values[2], [[1, -2], [-2, 5]])
    assert words.rank([[1, 2], [2, 4]]) == 1
    with exact_evaluation():
        exact = InstanceArray(rationals([0, 1, 2]), 1)
        assert words.determinant([[1 + exact * exact, exact], [exact, 1]]).values.tolist() == [1, 1, 1]
        assert words.eq(words.cholesky([[1 + exact * exact, exact], [exact, 2]])[1, 1] ** 2, 3).verdict.tolist() == [-1, -1, -1]


def test_norms_between_the_norms_are_those_of_their_definition():
    rng = np.random.default_rng(2)
    matrix = rng.integers(-3, 4, (2, 3)).astype(float)
    points = rng.standard_normal((20000, 3))
    corners = np.vstack([np.eye(3), [[1, a, b] for a in (1, -1) for b in (1, -1)]])
    for p in NORMS:
        inside = np.vstack([points, corners, np.linalg.svd(matrix)[2]])
        inside /= np.linalg.norm(inside, p, axis=1)[:, None]
        for q in NORMS:
            sampled = np.linalg.norm(inside @ matrix.T, q, axis=1).max()
            assert sampled <= words.induced_norm(matrix, p, q) * (1 + 1e-12)
            assert sampled >= words.induced_norm(matrix, p, q) * 0.99
    with pytest.raises(ValueError, match=r"p must be 1, 2 or numpy\.inf, got 3"):
        words.induced_norm(matrix, 3, 1)
    with pytest.raises(ValueError, match="at most 12 columns for the norm from inf to 1, got 13"):
        words.induced_norm(np.ones((2, 13)), np.inf, 1)


def test_majorisation_and_singular_logarithms():
    with exact_evaluation():
        assert words.majorises([3, 0, 0], [1, 1, 1]).verdict == 1
    assert words.majorises([1, 1, 1], [3, 0, 0]).verdict == -1
    assert words.majorises([3, 0], [1, 1]).verdict == -1
    with pytest.raises(UndecidedInstances, match="1 of 1 matrices are singular"):
        words.matrix_log([[1, 1], [1, 1]])
    with pytest.raises(ValueError, match="positive semi-definite"):
        words.matrix_log([[-1, 0], [0, 1]])


def test_the_divergence_is_infinite_where_there_is_no_support():
    p, q = InstanceArray(np.array([[0.5, 0.5], [0.0, 1.0]]), 1), InstanceArray(np.array([[0.0, 1.0], [0.0, 1.0]]), 1)
    assert words.relative_entropy(p, q).values.tolist() == [np.inf, 0]
    with exact_evaluation():
        half = rationals([1, 1]) / 2
        assert words.ge(words.relative_entropy(half, rationals([0, 1])), 10**9).verdict == 1
        assert words.eq(words.relative_entropy(rationals([0, 1]), rationals([0, 1])), 0).verdict == 1


def test_each_instance_has_its_own_error():
    x = measured(InstanceArray(np.array([[1.0, 2.0], [1.0, 2.0]]), 1), InstanceArray(np.array([0.5, 0.0]), 1))
    assert words.eq(x, [1.25, 2]).verdict.tolist() == [0, -1]
    assert words.eq(x[:1] * 3 + 1, 5).verdict.tolist() == [0, -1]  # an error of 3 / 2
    assert words.eq(words.lifted(lambda values: values * 2)(x), [2.5, 4]).verdict.tolist() == [0, -1]
    of_the_engine = words.lifted(lambda values: measured(values, np.array([[0.5], [0.0]])))(x.value)
    assert words.eq(of_the_engine, [1.25, 2]).verdict.tolist() == [0, -1]
    with pytest.raises(ValueError, match="error must not be negative"):
        measured(x.value, -x.error - 1)


def test_truth_values_are_compared_as_numbers():
    x = InstanceArray(np.array([[1.0, -1.0], [2.0, 3.0]]), 1)
    assert words.le(x > 2, x > 0).verdict.tolist() == [0, 0]  # in floats ties are not decided
    assert words.ge(x > 2, x > 0).verdict.tolist() == [-1, -1]
    assert words.eq(x > 2, x > 0).verdict.tolist() == [-1, -1]
    with exact_evaluation():
        assert words.le(rationals([1, 2]) > 1, rationals([1, 2]) > 0).verdict == 1


def test_hypotheses_hold_as_relations():
    x = InstanceArray(np.array([[1.0, 2.0], [3.0, -4.0]]), 1)
    assert words.holds(words.le(0, x)).values.tolist() == [True, False]
    assert words.holds(words.eq([1], [1])) is True


def test_softmax_of_a_matrix_says_of_which_lines():
    with pytest.raises(ValueError, match="softmax of a matrix: say axis=1 for its rows, axis=0 for its columns"):
        words.softmax([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="axis must be from -2 to 1, got 2"):
        words.softmax([[1, 2], [3, 4]], axis=2)


@pytest.mark.parametrize("axis", [0, 1])
def test_an_axis_is_counted_from_the_end_too(axis):
    matrix = np.array([[1.0, -2.0], [3.0, 5.0]])
    assert (words.softmax(matrix, axis=axis) == words.softmax(matrix, axis=axis - 2)).all()
    assert (words.norm(matrix, axis=axis) == words.norm(matrix, axis=axis - 2)).all()
    assert np.allclose(words.softmax(matrix, axis=axis).sum(axis=axis), 1, rtol=4 * 2.0**-52)
