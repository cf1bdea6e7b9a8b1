"""Completely positive matrices: published ones, each kind of certificate, factorisations and bounds of the CP-rank."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import scipy.optimize
from published_matrices import published

from verify import Verdict
from verify.cones import completely_positive
from verify.cones.completely_positive import cp_rank_lower_bound, cp_rank_upper_bound, factorise, is_completely_positive
from verify.cones.copositive import is_copositive
from verify.cones.exposed_faces import exposed_face
from verify.cones.factorisation.closed_forms import horn_certificate
from verify.cones.support_graphs import edge_clique_cover, support_graph
from verify.numbers.arithmetic import ball, rational, rationals
from verify.numbers.exactness import exact_evaluation

CASES = published("cp_matrices.json")
TAKES_SECONDS = {"jucprank:ex03_n6_nzd0.73_r6_ucpr0_98B", "jucprank:ex21_n11_nzd0.8_r11_ucpr32_14BSUex5"}
"""Published matrices that are decided once, outside of an exact evaluation."""
UNDECIDED: set[str] = set()
"""Published matrices for which no certificate is found."""

HORN = published("copositive.json")["Horn_5"]["matrix"]
EXPOSED = {
    "jucprank:14BSU_ex1_n7": 14,
    "jucprank:14BSU_thm7_n7": 14,
    "jucprank:ex19_n8_nzd0.97_r8_ucpr18_14BSUmex3": 18,
    "jucprank:ex25_n9_zd2.0_r9_ucpr26#_14BSUmex2": 26,
    "jucprank:ex21_n11_nzd0.8_r11_ucpr32_14BSUex5": 32,
    "DJL_bipartite_2_3": 6,
}
"""CP-ranks that a face with finitely many directions decides."""


def gram(seed, order, terms, largest=4, density=1.0):
    generator = np.random.default_rng(seed)
    factor = generator.integers(0, largest, (terms, order)) * (generator.random((terms, order)) < density)
    return rationals(factor.T @ factor)


@pytest.mark.parametrize("name", CASES)
def test_published_matrices(name):
    case = CASES[name]
    decided = is_completely_positive(case["matrix"])
    expected = Verdict.HOLDS if case["completely_positive"] else Verdict.FAILS
    assert decided.verdict == (Verdict.UNDECIDED if name in UNDECIDED else expected)
    assert decided.verify() == decided.verdict
    if decided.verdict == Verdict.HOLDS:
        lower, upper = cp_rank_lower_bound(case["matrix"]), cp_rank_upper_bound(case["matrix"], decided)
        known = case["cp_rank_bounds"] or [0, 10**6]
        assert lower <= known[1]
        assert known[0] <= upper


@pytest.mark.parametrize("name", [name for name in CASES if name not in TAKES_SECONDS])
def test_published_matrices_in_an_exact_evaluation(name):
    """The search takes floats for candidates; the statement that asks for a decision must not have to know."""
    matrix = CASES[name]["matrix"]
    with exact_evaluation():
        decision = is_completely_positive(matrix)
        verdict = decision.verify()
    assert verdict == is_completely_positive(matrix).verdict


@pytest.mark.parametrize("name", EXPOSED)
def test_cp_ranks_of_exposed_faces(name):
    face = exposed_face(CASES[name]["matrix"])
    assert face.cp_rank == EXPOSED[name]
    assert face.verify() == Verdict.HOLDS
    assert np.all((face.vectors.T * face.weights) @ face.vectors == CASES[name]["matrix"])
    assert CASES[name]["cp_rank_bounds"] in (None, [EXPOSED[name]] * 2)


def test_a_face_with_a_wrong_weight_proves_nothing():
    face = exposed_face(CASES["DJL_bipartite_2_3"]["matrix"])
    assert replace(face, copositive=-face.copositive).verify() == Verdict.UNDECIDED


def test_no_face_is_exposed_in_the_interior():
    assert exposed_face(gram(0, 4, 9)) is None
    assert exposed_face(rationals(np.eye(13))) is None


@pytest.mark.parametrize("density", [1.0, 0.5])
@pytest.mark.parametrize("order", [2, 3, 4, 5, 6, 8])
@pytest.mark.parametrize("seed", range(2))
def test_sums_of_squares_are_recognised(seed, order, density):
    for terms in (2, order, 2 * order):
        decided = is_completely_positive(gram(seed, order, terms, density=density))
        assert decided.verdict == decided.verify() == Verdict.HOLDS
        assert np.all((decided.vectors.T * decided.weights) @ decided.vectors == decided.matrix)
        assert min(decided.weights, default=0) >= 0
        assert decided.copositive is None


def test_large_matrices_in_the_interior():
    generator = np.random.default_rng(0)
    factor = generator.random((50, 25))
    decided = is_completely_positive(factor.T @ factor)
    assert decided.verdict == decided.verify() == Verdict.HOLDS


@pytest.mark.parametrize("seed", range(6))
def test_scaled_horn_matrices_refute(seed):
    generator = np.random.default_rng(seed)
    order, scale = generator.permutation(5), rationals(generator.integers(1, 9, 5))
    # inside the doubly nonnegative cone, with a negative product with the Horn matrix: a cycle of five is its worst direction
    cycle = np.roll(np.eye(5), 1, axis=1)
    matrix = rationals(1000 * (cycle + cycle.T)) + rationals(np.eye(5) * 1650) + rationals(np.ones((5, 5)))
    matrix = (matrix * np.outer(scale, scale))[np.ix_(order, order)]
    decided = is_completely_positive(matrix)
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert "Horn" in decided.reason
    assert len(is_copositive(decided.copositive).zeros) == 5
    assert (horn_certificate(matrix) * matrix).sum() < 0


def test_a_cutting_plane_refutes():
    decided = is_completely_positive(CASES["jucprank:ex03_n6_nzd0.73_r6_ucpr0_98B"]["matrix"])
    assert str(decided) == "not completely positive (order 6): a copositive matrix has a negative product"


def test_blocks_are_decided_one_by_one():
    bad = CASES["jucprank:ex01_n5_nzd0.5_r4_ucpr0_93SZ"]["matrix"]
    matrix = rationals(np.zeros((9, 9)))
    matrix[np.ix_([0, 2, 4, 6, 8], [0, 2, 4, 6, 8])] = bad
    matrix[1, 1] = rational(3)
    decided = is_completely_positive(matrix)
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert not decided.copositive[1].any()
    matrix[0, 0] += 5
    decided = is_completely_positive(matrix)
    assert decided.verdict == decided.verify() == Verdict.HOLDS


def test_negative_entries_and_eigenvalues_refute():
    decided = is_completely_positive(rationals([[1, -1], [-1, 1]]))
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert decided.reason == "a negative entry at (0, 1)"
    decided = is_completely_positive(rationals([[0, 1], [1, 1]]))
    assert decided.verdict == decided.verify() == Verdict.FAILS
    assert decided.reason == "a negative eigenvalue"


def test_the_zero_matrix_is_an_empty_sum():
    decided = is_completely_positive(np.zeros((3, 3)))
    assert decided.verdict == decided.verify() == Verdict.HOLDS
    assert str(decided) == "completely positive (order 3): a sum of 0 terms"


def test_without_terms_order_four_is_decided_by_the_theorem(monkeypatch):
    monkeypatch.setattr(completely_positive, "search", lambda _: None)
    decided = is_completely_positive(gram(1, 4, 6))
    assert decided.verdict == decided.verify() == Verdict.HOLDS
    assert decided.weights is None
    assert "order at most 4" in decided.reason


def test_without_certificates_order_five_is_undecided(monkeypatch):
    monkeypatch.setattr(completely_positive, "search", lambda _: None)
    decided = is_completely_positive(gram(1, 5, 9))
    assert decided.verdict == decided.verify() == Verdict.UNDECIDED
    assert str(decided).startswith("perhaps completely positive (order 5): neither a factorisation nor")


def test_failures_of_the_solvers_leave_a_matrix_undecided(monkeypatch):
    def no_answer(*_, **__):
        return scipy.optimize.OptimizeResult(status=4, x=None, message="numerical difficulties")

    matrix = CASES["jucprank:ex03_n6_nzd0.73_r6_ucpr0_98B"]["matrix"]
    monkeypatch.setattr(scipy.optimize, "linprog", no_answer)
    decided = is_completely_positive(matrix)
    assert decided.verdict == decided.verify() == Verdict.UNDECIDED
    monkeypatch.setattr(scipy.optimize, "milp", no_answer)
    with pytest.raises(ArithmeticError, match="did not find a smallest edge clique cover: numerical difficulties"):
        edge_clique_cover(nx.to_numpy_array(nx.octahedral_graph()))


def test_certificates_that_were_tampered_with_prove_nothing():
    held = is_completely_positive(gram(0, 5, 9))
    assert replace(held, weights=-held.weights).verify() == Verdict.UNDECIDED
    assert replace(held, matrix=held.matrix + 1).verify() == Verdict.UNDECIDED
    failed = is_completely_positive(CASES["jucprank:ex01_n5_nzd0.5_r4_ucpr0_93SZ"]["matrix"])
    assert replace(failed, copositive=-failed.copositive).verify() == Verdict.UNDECIDED
    assert replace(failed, copositive=HORN * 0).verify() == Verdict.UNDECIDED


def test_entries_like_rounding_errors_are_part_of_the_matrix():
    factor = np.random.default_rng(0).random((9, 5))
    matrix = factor.T @ factor
    matrix[0, 1:] = matrix[1:, 0] = [3e-18, 0, 1e-17, 2e-18]
    decided = is_completely_positive(matrix)
    assert decided.verdict == decided.verify() == Verdict.HOLDS


def test_rows_of_very_different_sizes():
    scale = np.array([rational(10) ** k for k in (0, 100, 200, -150, 5)], dtype=object)
    decided = is_completely_positive(gram(3, 5, 12) * np.outer(scale, scale))
    assert decided.verdict == decided.verify() == Verdict.HOLDS


@pytest.mark.parametrize(("order", "columns"), [(3, 6), (8, 20), (20, 50)])
def test_factorisations(order, columns):
    generator = np.random.default_rng(order)
    source = generator.random((2 * order, order))
    matrix = source.T @ source
    found = factorise(matrix, columns)
    assert found.factor.shape == (order, columns)
    assert found.factor.min() >= 0
    assert found.residual < 1e-8
    assert np.abs(found.factor @ found.factor.T - matrix).max() < 1e-7 * matrix.max()
    assert found.exact().verify() == Verdict.HOLDS


def test_the_best_start_is_kept_where_no_factor_exists():
    found = factorise(gram(0, 5, 9), 2, starts=3)
    assert found.starts == 3
    assert found.residual > 1e-3


def test_factorisations_of_matrices_with_zeros():
    found = factorise(np.diag([4.0, 0.0, 9.0]), 2)
    assert np.allclose(found.factor @ found.factor.T, np.diag([4, 0, 9]))
    assert found.exact().verify() == Verdict.HOLDS
    nothing = factorise(np.zeros((2, 2)), 1)
    assert nothing.starts == 0
    assert nothing.exact().verify() == Verdict.HOLDS


def test_a_factor_that_cannot_be_rounded():
    # its CP-rank is 26
    decided = factorise(CASES["jucprank:ex25_n9_zd2.0_r9_ucpr26#_14BSUmex2"]["matrix"], 9, starts=1).exact()
    assert decided.verdict == decided.verify() == Verdict.UNDECIDED
    assert decided.reason == "the factor could not be rounded"


def test_clique_covers_of_large_graphs_without_triangles():
    graph = nx.complete_bipartite_graph(20, 20)
    assert len(edge_clique_cover(nx.to_numpy_array(graph))) == 400


def test_cp_rank_bounds_in_batches():
    matrices = np.stack([gram(seed, 5, 7) for seed in range(3)])
    assert cp_rank_lower_bound(matrices).shape == cp_rank_upper_bound(matrices).shape == (3,)
    assert np.all(cp_rank_upper_bound(matrices) == 6)
    assert np.all(cp_rank_lower_bound(matrices) == 5)


def test_upper_bounds_by_rank_and_order():
    assert cp_rank_upper_bound(gram(0, 6, 1)) == 1
    assert cp_rank_upper_bound(gram(0, 6, 2)) == 2
    assert cp_rank_upper_bound(gram(0, 6, 3)) == 5
    assert cp_rank_upper_bound(gram(0, 4, 9)) == 4
    assert cp_rank_upper_bound(gram(0, 6, 9)) == 17
    assert cp_rank_upper_bound(rationals(np.zeros((3, 3)))) == 0


def test_the_support_graph_of_a_batch():
    matrices = rationals([[[1, 0], [0, 1]], [[1, 2], [2, 9]]])
    assert support_graph(matrices)[:, 0, 1].tolist() == [0, 1]


UNUSABLE = {
    "asymmetric": (np.array([[1.0, 2.0], [0.0, 1.0]]), ValueError, r"matrix must be symmetric"),
    "not square": (np.ones((2, 3)), ValueError, r"matrix must be square, got 2 rows and 3 columns"),
    "NaN": (np.full((2, 2), np.nan), ValueError, r"matrix must be finite, got 4 of 4 entries"),
    "empty": (np.ones((0, 0)), ValueError, r"matrix must have at least one row and one column, got shape \(0, 0\)"),
    "a batch": (np.ones((2, 2, 2)), ValueError, r"matrix must be one matrix, .* got shape \(2, 2, 2\)"),
    "complex": (np.ones((1, 1), dtype=complex), ValueError, r"matrix must hold real numbers .* complex128"),
    "text": (np.array([["a"]], dtype=object), ValueError, r"matrix must hold real numbers"),
    "balls": (np.array([[ball(2).sqrt()]], dtype=object), TypeError, r"matrix holds balls"),
}
FUNCTIONS = [is_completely_positive, exposed_face, lambda matrix: factorise(matrix, 3)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=["is_completely_positive", "exposed_face", "factorise"])
@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_matrices_are_named(function, name):
    matrix, error, message = UNUSABLE[name]
    with pytest.raises(error, match=message):
        function(matrix)


@pytest.mark.parametrize("bound", [cp_rank_lower_bound, cp_rank_upper_bound])
@pytest.mark.parametrize("name", sorted(set(UNUSABLE) - {"a batch"}))
def test_bounds_name_unusable_matrices(bound, name):
    matrix, error, message = UNUSABLE[name]
    with pytest.raises(error, match=message):
        bound(matrix)


def test_what_cannot_be_factorised_is_named():
    with pytest.raises(ValueError, match=r"matrix must be doubly nonnegative .* got one with a negative eigenvalue"):
        factorise(np.array([[1.0, 2.0], [2.0, 1.0]]), 3)
    with pytest.raises(ValueError, match=r"got one with a negative entry at \(0, 1\)"):
        factorise(np.array([[1.0, -0.5], [-0.5, 1.0]]), 3)
    with pytest.raises(ValueError, match="columns must be at least 1, got 0"):
        factorise(np.eye(2), 0)
    with pytest.raises(ValueError, match="starts must be at least 1, got -1"):
        factorise(np.eye(2), 2, starts=-1)
    with pytest.raises(ValueError, match="matrix must have a positive diagonal, got 0: drop rows and columns of zeros"):
        exposed_face(np.diag([1.0, 0.0]))
