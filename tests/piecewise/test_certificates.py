import dataclasses
import math

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from integer_networks import DATA, cube, generic, load, quick

import verify.piecewise as exact
from verify.networks import FullyConnected, absolute_value, leaky_relu, relu
from verify.numbers.arithmetic import ball, rationals
from verify.piecewise import certificates
from verify.piecewise.certificates import existing, jacobian_rank, jacobian_ranks, lipschitz_constant, missing_volume
from verify.piecewise.skeleton import bounds, float_cells, maps

SLOPES = (relu(), leaky_relu(0.25), absolute_value())


def cells_of(seed=0, widths=(2, 8, 8, 3), activation=None):
    return float_cells(generic(seed, widths, activation), cube(widths[0]))


def without(cells, removed):
    """The cells but one, as if it had not been found."""
    kept = np.arange(cells.count) != removed
    members = np.repeat(kept, np.diff(cells.starts))
    starts = np.concatenate([[0], np.cumsum(np.diff(cells.starts)[kept])])
    part = dataclasses.replace(
        cells,
        patterns=cells.patterns[kept],
        interior_points=cells.interior_points[kept],
        vertex_ids=cells.vertex_ids[members],
        starts=starts,
    )
    values = dataclasses.replace(cells.volumes, values=cells.volumes.values[kept], errors=cells.volumes.errors[kept])
    part.__dict__["volumes"] = values
    return part


@pytest.mark.parametrize("activation", SLOPES, ids=["relu", "leaky", "absolute value"])
@pytest.mark.parametrize("widths", [(1, 9, 9, 1), (2, 8, 8, 3), (3, 6, 6, 1)])
def test_cells_exist_in_floats_and_in_balls(widths, activation):
    cells = cells_of(1, widths, activation)
    assert existing(cells).all()
    assert certificates._signs_in_balls(cells, np.arange(cells.count)).all()


def test_points_with_other_signs_or_outside_prove_nothing():
    cells = cells_of()
    moved = dataclasses.replace(cells, interior_points=np.roll(cells.interior_points, 1, axis=0))
    outside = dataclasses.replace(cells, interior_points=cells.interior_points + 2)
    corners = dataclasses.replace(cells, interior_points=np.sign(cells.interior_points))  # in the polytope, not inside
    for wrong in (moved, outside, corners):
        assert not existing(wrong).any()
        assert not certificates._signs_in_balls(wrong, np.arange(wrong.count)).any()
    mixed = dataclasses.replace(
        cells, interior_points=np.where(np.arange(cells.count)[:, None] % 3, cells.interior_points, 9.0)
    )
    assert np.array_equal(existing(mixed), np.arange(cells.count) % 3 > 0)


def test_balls_decide_where_floats_do_not(monkeypatch):
    # forty neurons that are always active, and two kinks 2^-44 apart in the layer behind
    weights = [np.ones((40, 1)), np.repeat(np.eye(1, 40), 2, axis=0), np.ones((1, 2))]
    f = FullyConnected(weights, [np.linspace(2, 3, 40), np.array([-2.3, -2.3 - 2.0**-44]), np.zeros(1)])
    cells = float_cells(f, cube(1))
    assert cells.count == 3
    assert existing(cells).all()
    monkeypatch.setattr(certificates, "_signs_in_balls", lambda _, chosen: np.zeros(len(chosen), dtype=bool))
    assert sorted(existing(cells)) == [False, True, True]  # the cell between the two kinks
    monkeypatch.undo()
    monkeypatch.setattr(certificates, "BITS", 40)
    assert sorted(existing(cells)) == [False, True, True]


@quick
@given(st.integers(0, 2**32), st.sampled_from(SLOPES), st.integers(1, 3))
def test_error_bounds_hold(seed, activation, inputs):
    rng = np.random.default_rng(seed)
    widths = (inputs, *map(int, rng.integers(1, 30, rng.integers(1, 6))), 2)
    f = generic(seed, widths, activation)
    cell = cube(inputs).cell
    layout = bounds.Layout(len(cell.facets), widths[1:-1])
    points = rng.uniform(-1, 1, (3, inputs))
    layers = f.as_exact().preactivations(rationals(points))
    for here in bounds.Evaluator(f, cell, layout).at(points):
        if here.layer:
            off = np.abs(layers[here.layer - 1] - rationals(here.values)).max(axis=1)
            assert (off <= rationals(here.error)).all()
            assert here.error.max() < 1e-6


def test_the_volume_that_is_missing():
    for cells in (cells_of(), cells_of(2, (3, 5, 4, 1)), cells_of(0, (1, 7, 5, 1))):
        assert missing_volume(cells) < 1e-9
        for removed in (0, int(cells.volumes.values.argmin())):
            volume = cells.volumes.values[removed]
            assert missing_volume(without(cells, removed)) == pytest.approx(volume, abs=1e-9, rel=1e-9)
            assert missing_volume(without(cells, removed)) >= volume * (1 - 1e-12)


def ranks_of(cells):
    matrices = [np.array(region.matrix) for region in exact.linear_regions(cells.network, cells.polytope)]
    return sorted(fmpq_mat(*m.shape, list(m.flat)).rank() for m in matrices)


@pytest.mark.parametrize("widths", [(2, 5, 5, 2), (3, 4, 2, 4, 3), (2, 3, 1, 3, 3), (3, 5, 1)])
@pytest.mark.parametrize("activation", SLOPES, ids=["relu", "leaky", "absolute value"])
def test_ranks_are_the_exact_ones(widths, activation):
    cells = cells_of(4, widths, activation)
    ranks = jacobian_ranks(cells)
    assert sorted(ranks.tolist()) == ranks_of(cells)
    bracket = jacobian_rank(cells)
    assert bracket.exact
    assert bracket.value == max(ranks)
    point = np.array([float(int(x.p) / int(x.q)) for x in bracket.argument])
    assert np.linalg.matrix_rank(cells.network.jacobian(point)) == bracket.value


def test_ranks_below_every_structural_bound_are_decided_in_rationals(monkeypatch):
    # the product of two weights of rank 2 has rank 1 on every cell where the two neurons in front are active
    first = np.array([[1.0, 0.5], [0.25, 1.0], [1.0, -1.0]])
    second = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 0.0]])
    third = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    f = FullyConnected([first, second, third], [np.array([3.0, 3.0, 0.1]), np.array([0.3, 0.7, 1.0]), np.zeros(2)])
    cells = float_cells(f, cube(2))
    assert jacobian_rank(cells).value == 1
    tall = generic(0, (3, 4, 4, 3))
    low = FullyConnected([tall.weights[0], *tall.weights[1:2], np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0, 0.5])], tall.biases)
    found = float_cells(low, cube(3))
    assert jacobian_rank(found).value == 1
    # remainders that lose rank: only the rationals tell
    monkeypatch.setattr(certificates, "jacobian_ranks", lambda cells: np.zeros(cells.count, dtype=np.int64))
    assert jacobian_rank(cells_of(0, (2, 4, 2))).value == 2
    monkeypatch.setattr(certificates, "CANDIDATES", 0)
    open_bracket = jacobian_rank(cells_of(0, (2, 4, 2)))
    assert (open_bracket.lower, open_bracket.upper) == (0, 2)


@quick
@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(0, 4))
def test_ranks_modulo_primes(seed, rows, columns):
    rng = np.random.default_rng(seed)
    matrices = (
        rng.integers(-2, 3, (6, rows, columns)) @ np.diag(rng.integers(0, 2, columns)) if columns else np.zeros((6, rows, 0))
    )
    matrices = matrices.astype(np.int64)
    true = [fmpq_mat(rows, columns, matrix.ravel().tolist()).rank() if matrix.size else 0 for matrix in matrices]
    for prime in maps.PRIMES:
        assert maps.ranks_modulo(matrices, prime).tolist() == true
        assert maps.ranks_modulo(prime * matrices, prime).tolist() == [0] * 6


def test_jacobians_modulo_a_prime_are_those_of_the_rationals():
    for widths, activation in (((3, 5, 5, 2), leaky_relu(0.3)), ((2, 5, 3000, 3), relu())):
        f = generic(0, widths, activation)
        signs = [np.random.default_rng(k).random((2, n)) < 0.5 for k, n in enumerate(widths[1:-1])]
        for prime in maps.PRIMES:
            found = maps.jacobians_modulo(f, signs, prime)
            network = certificates.integer_network(f)
            for k in range(2):
                true = maps.exact_jacobian(network, [layer[k : k + 1] for layer in signs])
                remainders = [[int(x.p) * pow(int(x.q), -1, prime) % prime for x in row] for row in true]
                assert found[k].tolist() == remainders


@pytest.mark.parametrize("norm", [1, 2, math.inf])
@pytest.mark.parametrize("widths", [(1, 6, 6, 1), (2, 7, 7, 1), (2, 6, 6, 4), (3, 5, 5, 2)])
def test_lipschitz_constant_is_the_exact_one(widths, norm):
    cells = cells_of(6, widths, leaky_relu(-0.125))
    bracket = lipschitz_constant(cells, norm)
    true = exact.lipschitz_constant(cells.network, cells.polytope, norm)
    assert bracket.lower <= true.upper
    assert true.lower <= bracket.upper
    assert bracket.gap <= bracket.upper / 2**50
    assert bracket.exact or norm == 2
    point = np.array([float(int(x.p) / int(x.q)) for x in bracket.argument])
    jacobian = cells.network.jacobian(point)
    assert np.linalg.norm(jacobian, norm) == pytest.approx(float(int(true.upper.p) / int(true.upper.q)), rel=1e-12)


def test_lipschitz_constant_of_published_networks():
    for file, value in (("rand_d2_w10_L3.npz", 4.919950596), ("rand_d2_w20_L3.npz", 4.235184)):
        f = load(DATA / "random_networks" / file)
        bracket = lipschitz_constant(float_cells(f, cube(2)), math.inf)
        assert bracket.exact
        assert float(int(bracket.value.p) / int(bracket.value.q)) == pytest.approx(value, rel=1e-6)


def test_lipschitz_constant_stays_a_bracket_when_too_many_cells_are_equal(monkeypatch):
    # |x| + |y|: every gradient has the same norm, on four cells; two of them are looked at
    f = FullyConnected(
        [np.array([[1.0, 0.25], [0.25, -1.0]]), np.ones((1, 2))], [np.array([0.1, 0.2]), np.zeros(1)], absolute_value()
    )
    cells = float_cells(f, cube(2))
    assert cells.count == 4
    monkeypatch.setattr(certificates, "CANDIDATES", 1)
    bracket = lipschitz_constant(cells, 2)
    assert not bracket.exact
    norm = ball(fmpq(17, 8)).sqrt()  # (5/4, -3/4) and (3/4, 5/4)
    assert arb(bracket.lower) <= norm + arb("1e-15")
    assert norm <= arb(bracket.upper)
    assert bracket.gap < fmpq(1, 10**10)


def test_matrix_errors_hold():
    for widths in ((2, 30, 30, 1), (1, 30, 30, 3), (3, 20, 20, 20, 2)):
        f = generic(9, widths, leaky_relu(0.3))
        signs = [np.random.default_rng(k).random((4, n)) < 0.5 for k, n in enumerate(widths[1:-1])]
        matrices, _, errors = maps.affine_maps(f, signs)
        network = certificates.integer_network(f)
        for k in range(4):
            off = maps.exact_jacobian(network, [layer[k : k + 1] for layer in signs]) - rationals(matrices[k])
            assert (off * off).sum() <= rationals(errors[k])[()] ** 2
            assert errors[k] < 1e-8


def test_conclusions_about_all_cells_need_the_proof():
    cells = float_cells(generic(0, (2, 5, 1)), cube(2), prove=False)
    for conclusion in (jacobian_rank, lipschitz_constant):
        with pytest.raises(
            ValueError, match=r"cells must be proved to be all cells, got cells of float_cells\(..., prove=False\)"
        ):
            conclusion(cells)
    with pytest.raises(ValueError, match=r"norm must be 1, 2 or inf, got 3"):
        lipschitz_constant(cells_of(), 3)
    assert existing(cells).all()
    assert jacobian_ranks(cells).max() == 1


def test_networks_without_kinks_or_outputs():
    affine = float_cells(generic(0, (3, 2)), cube(3))
    assert existing(affine).all()
    assert jacobian_rank(affine).value == 2
    assert lipschitz_constant(affine, 1).exact
    constant = FullyConnected([np.eye(2), np.zeros((1, 2))], [np.array([0.3, 0.4]), np.ones(1)])
    cells = float_cells(constant, cube(2))
    assert jacobian_rank(cells).value == 0
    assert lipschitz_constant(cells).value == 0
