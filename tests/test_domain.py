"""Domains: what they draw, what is valid, and that a description means the same in both arithmetics."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify import Claim, Source
from verify.checker.checking import Checker
from verify.checker.record import record_of
from verify.claims.domain import Domain, Sample
from verify.claims.variables import Networks, derived, integers, interval, reals, select
from verify.instances import InstanceArray
from verify.numbers.arithmetic import floats, is_exact
from verify.numbers.measured import measured
from verify.report import words
from verify.words import eq, le

DOMAIN = Domain(
    {
        "x": reals("n", 2),
        "t": interval(-1, 1),
        "up": interval(3, np.inf),
        "down": interval(-np.inf, -3),
        "k": integers(0, 3, lambda sizes: sizes["n"] + 1),
        "total": derived(lambda row, n: row.sum() + n, row=reals("n")),
    },
    {"n": range(1, 4)},
    {"positive": lambda t: t > 0, "ordered": lambda x: x[0, 0] <= x[0, 1]},
)


def drawn(kind, seed=0, count=500):
    return list(getattr(DOMAIN, kind)(np.random.default_rng(seed), count))


@pytest.mark.parametrize("kind", ["structured", "batched"])
def test_draws_fit_the_layout(kind):
    samples = drawn(kind)
    assert sum(len(sample.coordinates["t"]) for sample in samples) == 500
    assert {sample.sizes["n"] for sample in samples} == {1, 2, 3}
    for sample in samples:
        for name, coordinate in DOMAIN.layout(sample.sizes).items():
            values = sample.coordinates[name]
            assert values.shape[1:] == coordinate.shape
            assert np.all((values >= coordinate.lower) & (values <= coordinate.upper))
            assert not coordinate.integer or np.all(values == np.rint(values))


@pytest.mark.parametrize("kind", ["structured", "batched"])
def test_draws_are_a_function_of_the_seed(kind):
    first, again, other = drawn(kind, 1), drawn(kind, 1), drawn(kind, 2)
    assert all(np.array_equal(a.coordinates["x"], b.coordinates["x"]) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.coordinates["x"], b.coordinates["x"]) for a, b in zip(first, other, strict=True))


def test_structured_draws_hold_the_degenerate_cases():
    values = np.concatenate([sample.coordinates["x"] for sample in drawn("structured") if sample.sizes["n"] == 2])
    first, second = values[:, 0], values[:, 1]
    assert np.any(np.all(first == 0, axis=-1))
    assert np.any(np.all(first == second, axis=-1) & np.any(first != 0, axis=-1))
    assert np.any(np.all(first == -second, axis=-1) & np.any(first != 0, axis=-1))
    assert np.all(values * 4 == np.rint(values * 4))
    ends = np.concatenate([sample.coordinates["t"] for sample in drawn("structured")])
    assert {-1.0, 1.0} <= set(ends)


def test_variables_are_built_alike_from_floats_and_rationals():
    for sample in drawn("structured", count=30):
        one = sample[0]
        rough, exact = DOMAIN.build(one), DOMAIN.build(one.exact())
        assert all(values.dtype == object for values in one.exact().coordinates.values())
        assert is_exact(exact["x"].values)
        assert float(rough["total"]) == float(floats(exact["total"].values))
        assert DOMAIN.violated(rough) == DOMAIN.violated(exact)


def test_validity_is_told_for_each_hypothesis():
    sample = drawn("batched")[1]
    validity = DOMAIN.validity(DOMAIN.build(sample))
    assert list(validity) == ["positive", "ordered"]
    assert np.array_equal(validity["positive"], sample.coordinates["t"] > 0)


@given(st.data())
def test_the_strategy_draws_instances_of_the_domain(data):
    sample = data.draw(DOMAIN.strategy())
    layout = DOMAIN.layout(sample.sizes)
    for name, coordinate in layout.items():
        values = floats(sample.coordinates[name])
        assert values.shape == coordinate.shape
        assert np.all((values >= coordinate.lower) & (values <= coordinate.upper))
    assert set(DOMAIN.build(sample)) == {*DOMAIN.variables, "n"}


def test_sizes_come_small_ones_first_and_may_be_restricted():
    domain = Domain({"x": reals()}, {"a": (3, 1), "b": (2, 5)}, sizes_where=lambda sizes: sizes["a"] < sizes["b"])
    assert domain.all_sizes() == [{"a": 1, "b": 2}, {"a": 1, "b": 5}, {"a": 3, "b": 5}]


def test_unusable_domains_are_refused():
    with pytest.raises(ValueError, match="variables must not be empty"):
        Domain({})
    with pytest.raises(ValueError, match="got none for n"):
        Domain({"x": reals()}, {"n": ()})
    with pytest.raises(ValueError, match=r"lower must be below upper, got the interval \[2, 1\]"):
        interval(2, 1)


def test_select_reaches_into_tuples():
    first, second = select((np.arange(3), np.arange(6).reshape(3, 2)), np.array([2, 0]))
    assert first.tolist() == [2, 0]
    assert second.tolist() == [[4, 5], [0, 1]]


def test_select_keeps_named_tuples_and_errors():
    class Path(NamedTuple):
        points: Any
        length: Any

    values, errors = InstanceArray(np.arange(6.0).reshape(3, 2), 1), InstanceArray(np.arange(3.0), 1)
    chosen = select(Path(values, measured(values, errors)), np.array([2, 0]))
    assert isinstance(chosen, Path)
    assert chosen.points.values.tolist() == [[4, 5], [0, 1]]
    assert chosen.length.value.values.tolist() == [[4, 5], [0, 1]]
    assert chosen.length.error.values.tolist() == [2, 0]
    assert select(chosen, 0).length.value.values.tolist() == [4, 5]
    assert select(measured(values, 0.5), np.array([2])).value.values.tolist() == [[4, 5]]


def of_domain(domain, kind, seed=0, count=60):
    return list(getattr(domain, kind)(np.random.default_rng(seed), count))


def test_chains_of_partial_identities_without_biases_are_drawn_at_every_depth():
    domain = Domain({"f": Networks("L", "n", "w", "n"), "x": reals("n")}, {"n": (3,), "w": (3,), "L": (1, 2, 6)})
    met = set()
    for one in (one for seed in range(3) for one in of_domain(domain, "of_special_forms", seed, count=120)):
        weights = [values for name, values in one.coordinates.items() if ".W" in name]
        biases = [values for name, values in one.coordinates.items() if ".b" in name]
        assert len(weights) == one.sizes["L"]
        fitting = np.all([(values == np.eye(*values.shape[1:])).all(axis=(1, 2)) for values in weights], axis=0)
        fitting &= np.all([(values == 0).all(axis=1) for values in biases], axis=0)
        if (fitting & one.coordinates["x"].any(axis=1)).any():
            met.add(one.sizes["L"])
    assert met == {1, 2, 6}


def test_arrays_of_one_shape_are_drawn_equal_inverse_and_opposite():
    domain = Domain({"x": reals(7), "y": reals(7), "t": interval(1, 3, 5), "s": interval(Fraction(1, 3), 1, 5)})
    (one,) = of_domain(domain, "of_special_forms")
    x, y, t, s = (one.coordinates[name] for name in "xyts")
    assert ((x == y) & (x != 0)).all(axis=1).any()
    assert ((x == -y) & (x != 0)).all(axis=1).any()
    assert ((s * t == 1) & (t != t[:, :1])).any()


def test_matrices_of_rank_two_without_zeros_are_drawn_in_a_cone():
    for A in (interval(0, np.inf, 5, 4), interval(-np.inf, 0, 5, 4)):
        (one,) = of_domain(Domain({"A": A}), "of_special_forms", count=400)
        A = one.coordinates["A"]
        assert ((np.linalg.matrix_rank(A) == 2) & (A != 0).all(axis=(1, 2))).any()


@pytest.mark.parametrize("A", [reals(3, 4), interval(-2, 2, 3, 4), integers(1, 9, 3, 4)])
def test_points_coincide_whose_neurons_differ(A):
    (one,) = of_domain(Domain({"A": A}), "of_special_forms", count=400)
    A = one.coordinates["A"]
    coincide = (A[..., 0] == A[..., 1]).all(axis=1) & ~(A[..., 0] == A[..., 2]).all(axis=1)
    assert (coincide & (A != 0).all(axis=(1, 2)) & (np.ptp(A[..., 0], axis=1) > 0)).any()


@pytest.mark.parametrize("A", [reals(3, 4), interval(-2, 2, 3, 5), integers(-9, 9, 3, 4)])
def test_columns_are_opposite_to_each_other_in_pairs(A):
    (one,) = of_domain(Domain({"A": A}), "of_special_forms", count=400)
    A = one.coordinates["A"]
    opposite = (A[..., 0] == -A[..., 1]).all(axis=1) & (A[..., 2] == -A[..., 3]).all(axis=1)
    assert (opposite & (np.linalg.matrix_rank(A[..., :4]) == 2) & (np.abs(A[..., :4]).min(axis=(1, 2)) > 0)).any()


def test_a_matrix_is_drawn_skew_symmetric_turned_and_with_rows_of_sum_zero():
    domain = Domain({"A": reals(3, 3), "B": reals(3, 3)})
    # a permutation beside an identity is seldom
    drawn = [of_domain(domain, "of_special_forms", seed, count=400)[0].coordinates for seed in range(12)]
    A, B = (np.concatenate([one[name] for one in drawn]) for name in "AB")
    beyond_the_diagonal = (A * (1 - np.eye(3)) != 0).any(axis=(1, 2))
    for sign in (1, -1):
        assert ((sign * A.swapaxes(1, 2) == A).all(axis=(1, 2)) & beyond_the_diagonal).any()
    # a few are so by chance: 5 have rows of sum zero, and 6 are zero beside a matrix of full rank
    assert ((A.sum(axis=2) == 0).all(axis=1) & A.any(axis=2).all(axis=1)).sum() > 12
    turned = (np.eye(3) == np.roll(A, 1, axis=2)).all(axis=(1, 2)) | (np.eye(3) == np.roll(A, -1, axis=2)).all(axis=(1, 2))
    assert (turned & (np.eye(3) == B).all(axis=(1, 2))).any()
    assert ((A == 0).all(axis=(1, 2)) & (np.linalg.matrix_rank(B) == 3)).sum() > 10


def test_all_points_coincide_be_they_rows_or_columns():
    domain = Domain({"x": reals(4, 3, role="points"), "f": Networks(2, 3, 3, 3)})
    (one,) = of_domain(domain, "of_special_forms", count=400)
    x, W = one.coordinates["x"], one.coordinates["f.W1"]
    distinct = np.linalg.matrix_rank(W) > 1  # the weights are any
    assert ((x == x[:, :1]).all(axis=(1, 2)) & (np.ptp(x[:, 0], axis=1) > 0) & distinct).any()
    assert ((x == x[..., :1]).all(axis=(1, 2)) & (np.ptp(x[..., 0], axis=1) > 0) & distinct).any()


def test_arrays_are_transposed_and_a_vector_is_a_row():
    domain = Domain({"A": reals(3, 2), "B": reals(2, 3), "x": reals(2)})
    (one,) = of_domain(domain, "of_special_forms", count=400)
    A, B, x = (one.coordinates[name] for name in "ABx")
    transposed = A.swapaxes(1, 2)
    for sign in (1, -1):
        alike = (sign * B == transposed).all(axis=(1, 2)) & (sign * x == A[:, 0]).all(axis=1)
        assert (alike & (A >= 0).all(axis=(1, 2)) & (np.linalg.matrix_rank(A) == 2)).any()


@pytest.mark.parametrize("upper", [10**5, 2**53])
def test_wide_ranges_of_integers_have_their_ends_and_small_ones(upper):
    (one,) = of_domain(Domain({"n": integers(0, upper)}), "structured", count=400)
    n = one.coordinates["n"]
    assert {0, 1, 2, 3, 4, upper, upper - 1} <= {*n.tolist()}
    assert all(((n >= low) & (n < 10 * low)).any() for low in (10, 100, 1000, 10_000))
    assert ((n >= 0) & (n <= upper) & (n == np.rint(n))).all()


def test_wide_ranges_of_integers_have_powers_of_two():
    (one,) = of_domain(Domain({"n": integers(-50, 10**6)}), "structured", count=2000)
    assert {2**power for power in range(20)} <= {*one.coordinates["n"].tolist()}


@pytest.mark.parametrize(("lower", "upper"), [(0, np.inf), (-1, np.inf), (-np.inf, 2)])
def test_numbers_with_one_end_are_drawn_large_and_near_it(lower, upper):
    end, sign = (lower, 1) if np.isfinite(lower) else (upper, -1)
    (one,) = of_domain(Domain({"t": interval(lower, upper, 3)}), "of_special_forms")
    away = sign * (one.coordinates["t"] - end)
    assert (away >= 0).all()
    assert (away.max(axis=1) >= 256).any()
    assert ((away.max(axis=1) < 1 / 32) & (away.max(axis=1) > 0)).any()
    assert (((away == 0) | (away == 1)).all(axis=1) & away.any(axis=1)).any()


def test_intervals_have_whole_numbers():
    (one,) = of_domain(Domain({"t": interval(0, 6)}), "structured", count=400)
    assert set(range(7)) <= {*one.coordinates["t"].tolist()}
    (one,) = of_domain(Domain({"t": interval(0, 1e-300)}), "structured", count=400)
    assert len({*one.coordinates["t"].tolist()}) > 10


@pytest.mark.parametrize(("upper", "every"), [(9, True), (999, False)])
def test_where_there_are_few_instances_all_are_drawn(upper, every):
    domain = Domain({"m": integers(1, upper), "n": integers(0, 2, "k")}, {"k": (0, 1, 2)})
    samples = of_domain(domain, "batched", count=100)
    pairs = [(one.sizes["k"], *zip(one.coordinates["m"], one.coordinates["n"], strict=True)) for one in samples]
    met = {(k, m, *n) for k, *ones in pairs for m, n in ones}
    total = sum(len(one.coordinates["m"]) for one in samples)
    assert (total == len(met) == upper * (1 + 3 + 9)) is every
    assert every or total == 100


def test_sizes_that_number_kinds_say_what_these_are():
    kinds = {0: "a point", 1: "a line"}
    domain = Domain({"x": reals()}, {"family": kinds, "n": range(1, 3)})
    assert domain.all_sizes()[0] == {"family": 0, "n": 1}
    assert words.sizes(domain) == "family: 0 (a point), 1 (a line), n in {1, 2}"
    sample = Sample({"family": 1, "n": 2}, {"x": np.array(0.5)})
    assert words.of_domain(domain, sample) == "family = 1 (a line), n = 2\nx = 0.5"


def test_a_record_keeps_what_kind_an_instance_is_of():
    domain = Domain({"x": interval(-4, 4)}, {"family": {0: "a point", 1: "a line"}})
    claim = Claim(
        "toy.kinds",
        "A number is at most its family",
        Source("toy", "here"),
        lambda x, family: le(x, family),
        domain,
        {"one less": lambda x, family: le(x, family - 1), "the family": lambda x, family: eq(x, family)},
    )
    shown = record_of(Checker(claim).everything()).counterexample
    assert shown["kinds"] == {"family": domain.sizes["family"][shown["sizes"]["family"]]}
    assert f"family = {shown['sizes']['family']} ({shown['kinds']['family']})" in words.found_at(shown)
    assert (
        "kinds"
        not in record_of(
            Checker(replace(claim, domain=Domain({"x": interval(-4, 4)}, {"family": (0, 1)}))).everything()
        ).counterexample
    )


@pytest.mark.parametrize("kinds", [{0: 1}, {0: " "}, {"a": "b"}, {-1: "less"}])
def test_kinds_are_words_for_integers(kinds):
    with pytest.raises(TypeError, match="sizes\\['family'\\] must"):
        Domain({"x": reals()}, {"family": kinds})
