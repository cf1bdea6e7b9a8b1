"""Arrays of one instance: whatever is done to them is what NumPy does to each instance."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from verify import Claim, Domain, Q, Source, derived, evaluate, integers, interval, reals, words
from verify.checker.checking import Checker
from verify.evidence.fingerprint import strength_fingerprint
from verify.instances import InstanceArray, NeedsOneInstance, SlowerOneByOne, batched, lifted, one_of, wrapped
from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import UndecidedInstances, ball, floats, precision, rationals
from verify.numbers.exactness import exact_evaluation
from verify.words import eq, ge, le, norm2

INSTANCES = 5

EXPRESSIONS = {
    "sum": lambda A, B, x, y, t: A + B - 2 * A,
    "number times matrix": lambda A, B, x, y, t: t * A + y,
    "column": lambda A, B, x, y, t: x[:, None] * A[:, :1] - t,
    "quotient": lambda A, B, x, y, t: A / (1 + y * y) + 1 / (1 + t * t),
    "power": lambda A, B, x, y, t: A**2 + t**3,
    "constant in front": lambda A, B, x, y, t: Q("1/3") * A + A * Q("1/3") - Q(1, 2) + (1 - y) / Q(3),
    "matrix times matrix": lambda A, B, x, y, t: A @ B.T,
    "matrix times vector": lambda A, B, x, y, t: A @ y,
    "vector times matrix": lambda A, B, x, y, t: x @ A,
    "vector times vector": lambda A, B, x, y, t: x @ x,
    "constant matrix": lambda A, B, x, y, t: np.array([[1, 2], [0, 1]]) @ A[:2],
    "matrix times constant": lambda A, B, x, y, t: A @ np.eye(4, dtype=int),
    "three axes": lambda A, B, x, y, t: np.stack([A, B]) @ A.T,
    "sum of all": lambda A, B, x, y, t: A.sum(),
    "sum along": lambda A, B, x, y, t: A.sum(axis=0) + A.sum(0),
    "sum along the last": lambda A, B, x, y, t: A.sum(axis=-1),
    "kept axes": lambda A, B, x, y, t: A / (1 + (A * A).sum(axis=1, keepdims=True)),
    "mean": lambda A, B, x, y, t: A.mean() + x.mean(),
    "product": lambda A, B, x, y, t: A.prod(axis=0),
    "cumulative sum": lambda A, B, x, y, t: x.cumsum(),
    "minimum and maximum": lambda A, B, x, y, t: A.max() - A.min() + A.max(axis=1),
    "entry": lambda A, B, x, y, t: A[0, 1] * x[-1],
    "row and column": lambda A, B, x, y, t: A[0] + A[:, 0][0],
    "slice": lambda A, B, x, y, t: A[1:, ::-1],
    "list of places": lambda A, B, x, y, t: A[[0, 2]],
    "places of entries": lambda A, B, x, y, t: A[[0, 1, 2], [3, 2, 1]],
    "ellipsis": lambda A, B, x, y, t: A[..., 0] + A[..., None][0, 0],
    "reshape": lambda A, B, x, y, t: A.reshape(2, -1) + A.reshape((2, 6)),
    "ravel": lambda A, B, x, y, t: A.ravel()[::2],
    "transpose": lambda A, B, x, y, t: A.T + A.transpose(1, 0) + A.swapaxes(0, 1),
    "trace": lambda A, B, x, y, t: (A @ B.T).trace() + np.trace(A @ B.T),
    "diagonal": lambda A, B, x, y, t: np.diag(A @ B.T) + A.diagonal(),
    "diagonal matrix": lambda A, B, x, y, t: np.diag(x),
    "concatenate": lambda A, B, x, y, t: np.concatenate([A, B, np.ones((1, 4), dtype=int)]),
    "concatenate along": lambda A, B, x, y, t: np.concatenate([A, B], axis=1),
    "stack": lambda A, B, x, y, t: np.stack([x, 0 * x, x], axis=1),
    "vstack": lambda A, B, x, y, t: np.vstack([A, B]),
    "where": lambda A, B, x, y, t: np.where(A > 0, A, 0),
    "where of a constant": lambda A, B, x, y, t: np.where(np.eye(4, dtype=bool)[:3], A, t),
    "comparison": lambda A, B, x, y, t: np.where((A > B) & ~(A == 0), A, B),
    "any and all": lambda A, B, x, y, t: np.where((A > 0).any(axis=1) | (x > 0).all(), x, -x),
    "einsum": lambda A, B, x, y, t: np.einsum("ij,kj->ik", A, B) + np.einsum("i,k", x, x),
    "dot": lambda A, B, x, y, t: np.dot(A, y) + np.outer(x, y).sum(axis=1),
    "repeat and roll": lambda A, B, x, y, t: np.roll(A, 1, axis=1) + np.repeat(A[:, :1], 4, axis=1) + np.flip(A, axis=0),
    "triangle": lambda A, B, x, y, t: np.tril(A) + np.triu(A, 1),
    "iteration": lambda A, B, x, y, t: sum(row @ y for row in A),
    "unpacking": lambda A, B, x, y, t: (lambda a, b, c: a * b - c)(*x),
    "length": lambda A, B, x, y, t: len(A) * A + A.shape[1],
    "absolute": lambda A, B, x, y, t: abs(A) + np.abs(x)[:, None],
    "numpy's maximum": lambda A, B, x, y, t: np.maximum(A, 0) + np.minimum(A, t),
    "square": lambda A, B, x, y, t: np.square(A) + np.sum(A),
    "kron": lambda A, B, x, y, t: np.kron(x, y),
    "sort": lambda A, B, x, y, t: np.sort(A, axis=1),
    "place of the largest": lambda A, B, x, y, t: A[0][y.argmax()],
    "counting": lambda A, B, x, y, t: (A > 0).sum() + 0 * t,
    "truth times number": lambda A, B, x, y, t: (A > 0) * A,
}  # fmt: skip

IRRATIONAL = {
    "norms": lambda A, B, x, y, t: np.linalg.norm(A) + np.linalg.norm(x, 1) + np.linalg.norm(y, np.inf) + np.linalg.norm(y),
    "norms of matrices": lambda A, B, x, y, t: np.linalg.norm(A, 2) + np.linalg.norm(B, "nuc") + np.linalg.norm(B, "fro"),
    "determinant": lambda A, B, x, y, t: np.linalg.det(A @ B.T),
    "inverse": lambda A, B, x, y, t: np.linalg.inv(A @ A.T + np.eye(3, dtype=int)),
    "solution": lambda A, B, x, y, t: np.linalg.solve(A @ A.T + np.eye(3, dtype=int), x),
    "pseudo-inverse and rank": lambda A, B, x, y, t: np.linalg.pinv(A) * (0 * t + np.linalg.matrix_rank(A)),
    "eigenvalues": lambda A, B, x, y, t: np.linalg.eigvalsh(A @ A.T),
    "singular values": lambda A, B, x, y, t: np.linalg.svd(A, compute_uv=False) + np.linalg.svdvals(B),
    "matrix power": lambda A, B, x, y, t: np.linalg.matrix_power(A @ A.T + np.eye(3, dtype=int), -2),
    "variance": lambda A, B, x, y, t: np.var(x) + np.std(A),
    "logarithms": lambda A, B, x, y, t: np.log1p(y * y) + np.log2(1 + y * y) + np.log10(1 + y * y) + np.logaddexp(y, t),
    "exponentials": lambda A, B, x, y, t: np.expm1(x) + np.hypot(x, t),
    "circular": lambda A, B, x, y, t: np.sin(x) + np.cos(x) + np.tan(x) + np.arctan(x),
    "hyperbolic": lambda A, B, x, y, t: np.sinh(x) + np.cosh(x) + np.tanh(x),
}


@pytest.fixture(scope="module")
def batch():
    rng = np.random.default_rng(3)
    shapes = {"A": (3, 4), "B": (3, 4), "x": (3,), "y": (4,), "t": ()}
    return {name: rng.integers(-6, 7, (INSTANCES, *shape)) / 4 for name, shape in shapes.items()}


@pytest.mark.parametrize("name", [*EXPRESSIONS, *IRRATIONAL])
@pytest.mark.parametrize("exact", [False, True], ids=["floats", "rationals"])
def test_an_expression_is_numpys_on_each_instance(name, exact, batch):
    function = (EXPRESSIONS | IRRATIONAL)[name]
    with exact_evaluation(active=exact):
        arrays = {key: rationals(values) if exact else values for key, values in chosen(batch, exact).items()}
        found = function(**{key: InstanceArray(values, 1) for key, values in arrays.items()})
    assert found.lead == 1
    for place in range(INSTANCES):
        plain = np.asarray(function(**{key: values[place] for key, values in batch.items()}), dtype=float)
        assert plain.shape == found.shape
        np.testing.assert_allclose(floats(found.values[place]), plain, rtol=1e-12, atol=1e-13 if name in EXPRESSIONS else 1e-11)
        if exact and name in EXPRESSIONS:
            assert all(isinstance(entry, fmpq) for entry in found.values[place : place + 1].flat)


def chosen(batch, exact):
    """In an exact evaluation floats are no rationals, and these are made before it."""
    return {key: np.vectorize(fmpq_of, otypes=[object])(values) for key, values in batch.items()} if exact else batch


def fmpq_of(value):
    return fmpq(*float(value).as_integer_ratio())


def test_balls_keep_their_precision(batch):
    with precision(200), exact_evaluation():
        x = InstanceArray(np.vectorize(lambda value: ball(fmpq_of(abs(value) + 1)), otypes=[object])(batch["x"]), 1)
        found = words.norm2(np.sqrt(x)) - x.sum()
        assert all(abs(entry) < fmpq(1, 10**50) for entry in found.values)


def test_a_statement_with_a_branch_is_evaluated_one_by_one():
    def branching(x, y):
        return ge(norm2(x), x[0] ** 2 if x[0] > y else 0)

    domain = Domain({"x": reals("n"), "y": reals()}, {"n": (1, 3)})
    claim = Claim("some.claim", "t", Source("some", "claim"), branching, domain, false_variants={"more": more_than_that})
    with pytest.warns(SlowerOneByOne, match=r"return ge.norm2.x., x.0. \*\* 2 if x.0. > y else 0. asks for a truth value"):
        outcome = Checker(claim).everything()
    assert outcome.outcome == "survived"
    assert not outcome.problems()


def more_than_that(x, y):
    return ge(norm2(x), np.maximum(x[0], y) ** 2)


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: max(x),
        lambda x: float(x[0]),
        lambda x: math.floor(float(x[0])),
        lambda x: sorted(x)[0],
        lambda x: range(3)[x.argmax()],
    ],
    ids=["max", "float", "floor", "sorted", "index"],
)
def test_what_needs_a_value_asks_for_one_instance(ask):
    with pytest.raises(NeedsOneInstance):
        ask(InstanceArray(np.zeros((2, 3)), 1))
    ask(InstanceArray(np.zeros((1, 3)), 1))


def test_the_truth_of_several_entries_is_ambiguous():
    with pytest.raises(ValueError, match=r"3 entries is ambiguous: write .all\(\) or .any\(\)"):
        bool(InstanceArray(np.zeros((2, 3)), 1))


def test_an_unknown_order_is_told_of_its_instance():
    wide = ball(0) + ball(1).union(ball(-1))
    with exact_evaluation(), pytest.raises(UndecidedInstances) as caught:
        np.greater(InstanceArray(np.array([[ball(1)], [wide]], dtype=object), 1), 0)
    assert caught.value.where.reshape(2, -1).any(axis=1).tolist() == [False, True]


def test_networks_take_one_point_and_several():
    rng = np.random.default_rng(0)
    networks = FullyConnected(
        [rng.normal(size=(INSTANCES, 3, 2)), rng.normal(size=(INSTANCES, 2, 3))],
        [rng.normal(size=(INSTANCES, 3)), rng.normal(size=(INSTANCES, 2))],
    )
    points = rng.normal(size=(INSTANCES, 4, 2))
    f, X = wrapped(networks, 1), InstanceArray(points, 1)
    # as many as there are instances: they are points all the same
    common = rng.normal(size=(INSTANCES, 2))
    for place in range(INSTANCES):
        plain = networks[place]
        np.testing.assert_allclose(f(X).values[place], plain(points[place]))
        np.testing.assert_allclose(f(X[0]).values[place], plain(points[place, 0]))
        np.testing.assert_allclose(f(common).values[place], plain(common))
        np.testing.assert_allclose(f.jacobian(X).values[place], plain.jacobian(points[place]))
        np.testing.assert_allclose(f.preactivations(X)[0].values[place], plain.preactivations(points[place])[0])
        np.testing.assert_allclose(f.weights[1].values[place], plain.weights[1])
        np.testing.assert_allclose(f.parameter_norm_squared.values[place], plain.parameter_norm_squared)
    assert f.depth == 2
    assert f.activation(X[0]).shape == (2,)
    made = lifted(FullyConnected)([f.weights[0], f.weights[1] * 2])
    np.testing.assert_allclose(
        made(X).values[1], FullyConnected([networks.weights[0][1], 2 * networks.weights[1][1]])(points[1])
    )


@pytest.mark.parametrize("shape", [(), (4,), (INSTANCES, 4), (4, INSTANCES), (2, INSTANCES, 4)], ids=str)
@pytest.mark.parametrize("method", ["__call__", "derivative", "apply"])
def test_an_activation_takes_numbers_and_arrays_with_the_slopes_of_their_instance(method, shape):
    rng = np.random.default_rng(1)
    slopes, values, common = rng.uniform(-1, 1, (INSTANCES, 2)), rng.normal(size=(INSTANCES, *shape)), rng.normal(size=(4, 4))
    sigma = wrapped(HomogeneousActivation(slopes[:, 0], slopes[:, 1]), 1)
    of_all = getattr(sigma, method)(InstanceArray(values, 1)).values
    of_common = getattr(sigma, method)(common).values
    assert of_all.shape == values.shape
    for place in range(INSTANCES):
        alone = getattr(HomogeneousActivation(*slopes[place].tolist()), method)
        np.testing.assert_array_equal(of_all[place], alone(values[place]))
        np.testing.assert_array_equal(of_common[place], alone(common))


def test_objects_that_numpy_makes_of_entries_are_one_array():
    x = InstanceArray(np.arange(6.0).reshape(2, 3), 1)
    matrix = np.array([[1 + x[0], x[1]], [x[1], 1]], dtype=object)
    assert eq(matrix, matrix.T).batch_shape == (2,)
    np.testing.assert_allclose(words.determinant(matrix).values, [(1 + a) - b * b for a, b, _ in np.arange(6.0).reshape(2, 3)])


def test_a_statement_takes_sizes_and_derived_variables():
    def mean_of_squares(p, n, total):
        return eq(n * norm2(p) + total, n * p @ p + p.sum())

    domain = Domain(
        {"p": derived(lambda w: w / w.sum(), w=interval(1, 2, "n")), "total": derived(lambda t: 0 * t + 1, t=reals())},
        {"n": range(1, 4)},
        {"positive": lambda p, n: (p > 0).all() & (n > 0)},
    )
    claim = Claim("some.claim", "t", Source("some", "claim"), mean_of_squares, domain, false_variants={"twice": twice})
    outcome = Checker(claim).everything()
    assert outcome.outcome == "survived"
    assert not outcome.problems()


def twice(p, n):
    return eq(n * norm2(p), 2 * p.sum())


def test_a_claim_is_evaluated_at_plain_numbers():
    claim = Claim(
        "some.claim",
        "t",
        Source("some", "claim"),
        lambda A, x, power=2: le(norm2(A @ x), norm2(A) * norm2(x) ** (power / 2 if power % 2 else power // 2)),
        Domain({"A": reals("m", "n"), "x": reals("n")}, {"m": (1, 2), "n": (1, 2)}),
        false_variants={"power 4": {"power": 4}},
        tight={"one entry": {"A": [[2]], "x": [3]}},
    )
    relation = evaluate(claim, A=[[1, "1/2"]], x=[2, 2])
    assert relation.is_exact
    assert relation.verdict == 1
    assert relation.comparisons[0].left == 9
    with pytest.raises(TypeError, match="takes A, x, got A"):
        evaluate(claim, A=[[1]])
    assert Checker(claim).tight("one entry").as_expected


def test_numbers_of_a_tight_example_may_be_fractions_in_text():
    claim = Claim(
        "some.claim",
        "t",
        Source("some", "claim"),
        lambda x: ge(4 * x * x, 1),
        Domain({"x": reals()}, hypotheses={"x >= 1/2": lambda x: x >= Q("1/2")}),
        needs=("x >= 1/2",),
        tight={"the end": {"x": "1/2"}},
    )
    assert Checker(claim).tight("the end").as_expected


def test_hypotheses_of_a_tight_example_take_fractions_as_such():
    claim = Claim(
        "some.claim",
        "t",
        Source("some", "claim"),
        lambda x: ge(4 * x * x, 1),
        Domain({"x": reals()}, hypotheses={"x >= 1/2": lambda x: x >= words.vector(Q("1/2"), 0)[0]}),
        needs=("x >= 1/2",),
        tight={"the end": {"x": "1/2"}},
    )
    assert Checker(claim).tight("the end").as_expected


def test_a_tight_example_names_a_size_that_no_array_tells():
    claim = Claim(
        "some.claim",
        "t",
        Source("some", "claim"),
        lambda x, L: ge(x ** (2 * L), (2 * x - 1) ** L),
        Domain({"x": reals()}, {"L": range(1, 4)}),
        false_variants={"strictly": lambda x, L: ge(x ** (2 * L), (2 * x - 1) ** L + 1)},
        tight={"one": {"x": 1, "L": 3}, "half a layer": {"x": 1, "L": "1/2"}},
    )
    assert Checker(claim).tight("one").as_expected
    assert evaluate(claim, x=2, L=2).comparisons[0].left == 16
    assert "L must be an integer, at least 0, got 1/2: it is a size" in Checker(claim).tight("half a layer").why
    assert strength_fingerprint(claim) != strength_fingerprint(replace(claim, tight={"one": {"x": 0, "L": 1}}))


def test_false_variants_change_constants_that_there_are():
    def statement(x, p=2):
        return ge(norm2(x) ** p, 0)

    common = ("some.claim", "t", Source("some", "claim"), statement, Domain({"x": reals(2)}))
    with pytest.raises(ValueError, match=r"must change constants of the statement, .* \(p\), got q"):
        Claim(*common, false_variants={"q": {"q": 3}})
    with pytest.raises(ValueError, match="must differ from the statement, and p is 2 in both"):
        Claim(*common, false_variants={"same": {"p": 2}})


def test_nothing_is_told_where_nothing_is_slow():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        domain = Domain({"x": reals("n")}, {"n": (2, 3)})
        claim = Claim(
            "some.claim",
            "t",
            Source("some", "claim"),
            lambda x: ge(norm2(x), 0),
            domain,
            false_variants={"1": lambda x: ge(norm2(x), 1)},
        )
        assert Checker(claim).everything().outcome == "survived"


def test_what_python_makes_of_a_number_is_compared_as_such():
    domain = Domain({"k": integers(0, 40)})

    def bits(k, most=6):
        return le(int(k).bit_length(), most)

    claim = Claim("some.claim", "t", Source("some", "claim"), bits, domain, {"5 bits": {"most": 5}}, tight={"32": {"k": 32}})
    with pytest.warns(SlowerOneByOne, match=r"bit_length\(\), most\) asks for an integer"):
        outcome = Checker(claim).everything()
    assert (outcome.outcome, outcome.problems()) == ("survived", [])


def test_one_instance_of_a_batch_is_plain():
    array = InstanceArray(np.arange(6.0).reshape(2, 3), 1)
    assert isinstance(one_of(array, 1), np.ndarray)
    assert one_of((array, 2), 1)[0].tolist() == [3, 4, 5]


def test_a_function_of_one_instance_takes_arrays_of_many():
    x = np.arange(6.0).reshape(3, 2)
    assert batched(lambda one: one @ one)(x).tolist() == [1, 13, 41]
    assert batched(lambda one, other: (one[0], one - other))(x, x[:1])[1].tolist() == [[0, 0], [2, 2], [4, 4]]
