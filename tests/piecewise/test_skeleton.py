import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from integer_networks import DATA, cube, generic, index, load, quick

from verify.networks import FullyConnected, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import compare, rationals
from verify.piecewise import Polytope, linear_regions
from verify.piecewise.skeleton import Degenerate, TooManyVertices, cut, float_cells, proof, slabs
from verify.piecewise.skeleton import cells as skeleton_cells

SLOPES = (relu(), leaky_relu(0.25), leaky_relu(-0.5), absolute_value(), identity())

SMALL = [("random_networks", entry["net"], entry["value"]) for entry in index("random_networks")]
SMALL += [("larger_networks", entry["net"], entry["value"]) for entry in index("larger_networks") if entry["value"] < 50_000]
ARRANGEMENTS = [(e["file"], e["expected"]) for e in index("regions") if e["file"].startswith("arrangement")]
COINCIDING = [e["file"] for e in index("regions") if not e["file"].startswith("arrangement")]


def integers(rng, widths, activation, noise=0.0):
    """Integer parameters, many of them zero, with noise: hyperplanes that nearly meet."""

    def entries(*shape):
        return np.where(rng.random(shape) < 0.2, 0, rng.integers(-3, 4, shape)) + noise * rng.standard_normal(shape)

    return FullyConnected([entries(n, m) for m, n in itertools.pairwise(widths)], [entries(n) for n in widths[1:]], activation)


def patterns(cells):
    rows = np.concatenate([*cells.activation_pattern()], axis=1) if cells.network.depth > 1 else np.zeros((1, 0), dtype=bool)
    return {tuple(row) for row in rows.tolist()}


def exact_patterns(network, domain):
    """The same from the exact splitter; None if a pre-activation vanishes on a whole cell."""
    signs = [[s for layer in region.pattern for s in layer] for region in linear_regions(network, domain)]
    return None if any(0 in row for row in signs) else {tuple(s > 0 for s in row) for row in signs}


@pytest.mark.parametrize(("folder", "file", "expected"), SMALL)
def test_known_counts(folder, file, expected):
    f = load(DATA / folder / file)
    cells = float_cells(f, cube(f.widths[0]))
    assert cells.count == len(cells) == expected
    assert cells.proof is not None
    assert len(cells.proof.in_integers) == 0
    if f.widths[0] == 2:  # Euler's formula
        assert len(cells.vertices) - len(cells.edges) + cells.count == 1


@pytest.mark.parametrize(("file", "expected"), ARRANGEMENTS)
def test_hyperplanes_in_general_position(file, expected):
    f = load(DATA / "regions" / file)
    assert float_cells(f, cube(f.widths[0])).count == expected


@pytest.mark.parametrize("file", COINCIDING)
def test_published_networks_with_coinciding_kinks_are_found_out(file):
    f = load(DATA / "regions" / file)
    for prove in (False, True):
        with pytest.raises(Degenerate, match="linear_regions"):
            float_cells(f, cube(f.widths[0]), prove=prove)


@pytest.mark.parametrize("file", COINCIDING)
def test_the_proof_finds_coinciding_kinks_out_alone(file, monkeypatch):
    monkeypatch.setattr(cut._Cutter, "_check", lambda *_: None)
    f = load(DATA / "regions" / file)
    with pytest.raises(Degenerate), np.errstate(all="ignore"):
        float_cells(f, cube(f.widths[0]))


@quick
@given(st.integers(0, 2**32), st.sampled_from(SLOPES), st.integers(1, 4), st.sampled_from([0, 1e-15, 1e-12, 1e-9, 1e-6, 1.0]))
def test_never_another_answer_than_the_exact_splitter(seed, activation, inputs, noise):
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 5, rng.integers(0, 4 if inputs < 4 else 3))
    f = integers(rng, (inputs, *map(int, hidden), int(rng.integers(1, 3))), activation, noise)
    lower = rng.integers(-3, 1, inputs)
    domain = Polytope.box(lower, lower + rng.integers(1, 5, inputs))
    try:
        cells = float_cells(f, domain)
    except Degenerate:
        assert noise < 1  # in general position there are cells
        return
    found = patterns(cells)
    assert len(found) == cells.count
    assert found == exact_patterns(f, domain)


def test_hyperplanes_that_nearly_meet_are_decided_in_integers(monkeypatch):
    decided = 0
    for seed in range(4, 16):
        f, domain = integers(np.random.default_rng(seed), (3, 4, 4, 1), relu(), 3e-12), cube(3)
        longer = float_cells(f, domain)
        monkeypatch.setattr(proof, "LONGER", np.float64)
        cells = float_cells(f, domain)
        monkeypatch.undo()
        assert patterns(longer) == patterns(cells)
        assert set(longer.proof.in_integers) <= set(cells.proof.in_integers)
        assert patterns(cells) == exact_patterns(f, domain)
        hard = cells.proof.in_integers
        decided += len(hard)
        with monkeypatch.context() as patch:
            patch.setattr(proof, "LONGER", np.float64)
            patch.setattr(proof, "EXACT_VERTICES", 0)
            if len(hard):
                with pytest.raises(Degenerate, match=f"^{len(hard)} of {len(cells.vertices)} vertices are nearer to a further"):
                    float_cells(f, domain)
            else:
                assert float_cells(f, domain).count == cells.count
    assert decided


@pytest.mark.parametrize("number", [np.float64, np.longdouble])
def test_deep_networks_are_proved_in_integers(number, monkeypatch):
    # the bounds of the rounding errors grow with every layer; after 40 they tell nothing in doubles
    monkeypatch.setattr(proof, "LONGER", number)
    rng = np.random.default_rng(0)
    widths = (1, *[10] * 40, 1)
    weights = [rng.standard_normal((n, m)) * np.sqrt(2 / m) for m, n in itertools.pairwise(widths)]
    f, domain = FullyConnected(weights, [0.3 * rng.standard_normal(n) for n in widths[1:]]), Polytope.box([0], [0.5])
    cells = float_cells(f, domain)
    longer = np.finfo(number).eps < np.finfo(np.float64).eps
    assert (len(cells.proof.in_integers) > len(cells.vertices) / 2) == (not longer)
    assert patterns(cells) == exact_patterns(f, domain)


def test_the_scale_of_a_neuron_does_not_matter():
    f, domain = generic(0, (2, 6, 6, 1)), cube(2)
    rng = np.random.default_rng(0)
    factors = [2.0 ** rng.integers(-400, 400, 6), 10.0 ** rng.integers(-100, 100, 6)]
    cells = float_cells(f.rescale_neurons(factors), domain)
    assert patterns(cells) == patterns(float_cells(f, domain))
    assert len(cells.proof.in_integers) == 0
    for weight in ([[1e-200, 1e200]], [[0.0, 1e200]]):
        f = FullyConnected(
            [np.array(weight), np.array([[1e200]]), np.ones((1, 1))], [np.array([1e199]), np.ones(1), np.ones(1)]
        )
        with pytest.raises(Degenerate, match="parameters of a neuron of layer 1 are too far apart for floats"):
            float_cells(f, domain)


@pytest.mark.parametrize(("inputs", "width", "hidden"), [(1, 6, 3), (2, 8, 3), (3, 6, 2), (4, 6, 1)])
@pytest.mark.parametrize("activation", SLOPES[:4], ids=["relu", "leaky", "negative slope", "absolute value"])
def test_cells_are_those_of_the_network(inputs, width, hidden, activation):
    f = generic(inputs, (inputs, *[width] * hidden, 3), activation)
    domain = Polytope.box(-np.ones(inputs), 2 * np.ones(inputs))
    cells = float_cells(f, domain)
    for own, there in zip(cells.activation_pattern(), f.activation_pattern(cells.interior_points), strict=True):
        assert np.array_equal(own, there)
    matrices, offsets = cells.affine_maps()
    values = np.einsum("nij,nj->ni", matrices, cells.interior_points) + offsets
    assert np.allclose(values, f(cells.interior_points), rtol=0, atol=1e-12)
    assert np.allclose(matrices, f.jacobian(cells.interior_points), rtol=0, atol=1e-12)
    # the other side of the product: more inputs than outputs
    scalar = FullyConnected([*f.weights[:-1], f.weights[-1][:1]], [*f.biases[:-1], f.biases[-1][:1]], activation)
    some = slice(1, None, 2)
    assert np.allclose(float_cells(scalar, domain).affine_maps(some)[0], matrices[some, :1], rtol=0, atol=1e-12)
    # a cell is the hull of its vertices: the map of the cell holds there, too
    for k in range(0, cells.count, 7):
        corners = cells.cell_vertices(k)
        assert len(corners) > inputs
        assert np.allclose(corners @ matrices[k].T + offsets[k], f(corners), rtol=0, atol=1e-9)


def test_vertices_are_as_near_to_the_true_ones_as_the_proof_says():
    f = generic(3, (2, 7, 7, 1))
    domain = cube(2)
    cells = float_cells(f, domain)
    exact = {
        tuple(sign > 0 for layer in region.pattern for sign in layer): region.polytope.vertices
        for region in linear_regions(f, domain)
    }
    off = cells.proof.errors
    assert off.max() < 1e-9
    for k, pattern in enumerate(np.concatenate(cells.activation_pattern(), axis=1).tolist()):
        true = exact[tuple(pattern)]
        ids = cells.vertex_ids[cells.starts[k] : cells.starts[k + 1]]
        assert len(true) == len(ids)
        for vertex in ids:
            gaps = true - rationals(cells.vertices[vertex])
            nearest = min((gap * gap).sum() for gap in gaps)
            assert compare(nearest, rationals(off[vertex])[()] ** 2) <= 0


def test_volumes_are_those_of_the_exact_cells():
    for inputs, widths in ((1, (1, 6, 5, 1)), (2, (2, 7, 6, 1)), (3, (3, 5, 4, 1)), (4, (4, 6, 1))):
        f, domain = generic(inputs, widths), cube(inputs)
        cells = float_cells(f, domain)
        exact = {
            tuple(s > 0 for layer in region.pattern for s in layer): region.polytope.volume
            for region in linear_regions(f, domain)
        }
        for pattern, value, error in zip(
            np.concatenate(cells.activation_pattern(), axis=1).tolist(), cells.volumes.values, cells.volumes.errors, strict=True
        ):
            assert abs(rationals(value)[()] - exact[tuple(pattern)]) <= rationals(error)[()]
        assert cells.volumes.errors.max() < 1e-9


def test_other_polytopes_than_boxes():
    f = generic(0, (3, 6, 6, 1))
    simplex = Polytope.from_vertices([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3]])
    assert patterns(float_cells(f, simplex)) == exact_patterns(f, simplex)
    hexagon = Polytope.from_vertices([[2, 1], [1, 2], [-1, 2], [-2, -1], [-1, -2], [1, -2]])
    g = generic(1, (2, 7, 7, 1))
    cells = float_cells(g, hexagon)
    assert patterns(cells) == exact_patterns(g, hexagon)
    for k in range(cells.count):  # polygons in order: they turn one way
        steps = np.diff(cells.cell_vertices(k), axis=0, append=cells.cell_vertices(k)[:1])
        after = np.roll(steps, -1, axis=0)
        assert (steps[:, 0] * after[:, 1] > steps[:, 1] * after[:, 0]).all()
    pyramid = Polytope.from_vertices([[1, 1, 0], [1, -1, 0], [-1, 1, 0], [-1, -1, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match=r"polytope must be simple, each vertex on 3 facets, got vertex \d on 4"):
        float_cells(f, pyramid)


def test_networks_without_kinks_have_one_cell():
    affine = generic(0, (3, 2))
    cells = float_cells(affine, cube(3))
    assert cells.count == 1
    assert cells.activation_pattern() == ()
    assert np.array_equal(cells.affine_maps()[0], affine.weights[-1][None])
    assert len(cells.cell_vertices(0)) == 8
    assert cells.volumes.values == pytest.approx([8.0], rel=1e-15)
    no_neurons = FullyConnected([np.zeros((0, 2)), np.zeros((1, 0))], [np.zeros(0), np.ones(1)])
    assert float_cells(no_neurons, cube(2)).count == 1
    positive = FullyConnected([np.eye(2), np.ones((1, 2))], [np.full(2, 3.0), np.zeros(1)])
    assert float_cells(positive, cube(2)).count == 1


def damaged(found, change):
    """A skeleton with one thing wrong."""
    patterns, vertices, edges, zeros = (x.copy() for x in (found.patterns, found.vertices, found.edges, found.vertex_zeros))
    edge_zeros, inner = found.edge_zeros, len(vertices) - 1
    if change == "sign":
        patterns[inner, 0] ^= np.uint64(1 << 3)
    elif change == "place":
        vertices[inner] += 1e-6
    elif change == "edge":
        edges, edge_zeros = edges[:-1], edge_zeros[:-1]
    elif change == "ends":
        edges[[0, 1], 1] = edges[[1, 0], 1]
    elif change == "hyperplane":
        zeros[inner, -1] -= 1
    return dataclasses.replace(
        found, patterns=patterns, vertices=vertices, edges=edges, vertex_zeros=zeros, edge_zeros=edge_zeros
    )


@pytest.mark.parametrize("change", ["sign", "edge", "ends", "hyperplane"])
def test_the_proof_fails_for_a_damaged_skeleton(change):
    f, domain = generic(0, (2, 6, 6, 1)), cube(2)
    found = float_cells(f, domain)._skeleton
    with pytest.raises(Degenerate):
        proof.prove(f, domain.cell, damaged(found, change))


def test_the_proof_fails_without_a_region_and_for_another_network():
    f, domain = generic(0, (2, 6, 6, 1)), cube(2)
    found = float_cells(f, domain)._skeleton
    # all vertices on one side of the last neuron that cuts are left out: what remains is not closed
    last = found.vertex_zeros.max()
    kept = ~((found.patterns & found.layout.bits(np.full((len(found.patterns), 1), last))).any(axis=1))
    number = np.cumsum(kept) - 1
    edges = kept[found.edges].all(axis=1)
    part = dataclasses.replace(
        found,
        vertices=found.vertices[kept],
        patterns=found.patterns[kept],
        vertex_zeros=found.vertex_zeros[kept],
        edges=number[found.edges[edges]].astype(np.int32),
        edge_zeros=found.edge_zeros[edges],
    )
    with pytest.raises(Degenerate, match="without one edge on each side"):
        proof.prove(f, domain.cell, part)
    for layer in (0, 1):
        biases = [bias.copy() for bias in f.biases]
        biases[layer][:] += 0.25
        with pytest.raises(Degenerate):
            proof.prove(FullyConnected(f.weights, biases), domain.cell, found)


def test_a_vertex_that_is_off_is_found_or_within_its_error():
    f, domain = generic(0, (2, 6, 6, 1)), cube(2)
    found = float_cells(f, domain)._skeleton
    before = proof.prove(f, domain.cell, found).errors
    after = proof.prove(f, domain.cell, damaged(found, "place"))
    assert before[-1] < 1e-12
    assert after.errors[-1] > 1e-6


def test_a_hash_shared_by_two_cells_is_found_out():
    found = float_cells(generic(0, (2, 6, 1)), cube(2))._skeleton
    ids, starts = skeleton_cells._around_vertices(found)
    for k in range(1, len(starts) - 1):
        merged = np.delete(starts, k)
        patterns = np.bitwise_or.reduceat(found.patterns[ids], merged[:-1], axis=0)
        with pytest.raises(Degenerate, match="two cells have the same hash"):
            skeleton_cells._check_equal_hashes(found, patterns, ids, merged)


def test_the_same_network_gives_the_same_cells_and_arrays_are_read_only():
    f = generic(5, (2, 9, 9, 1))
    one, other = float_cells(f, cube(2)), float_cells(f, cube(2), prove=False)
    assert other.proof is None
    assert "not proved" in repr(other)
    for name in ("patterns", "interior_points", "vertices", "vertex_ids", "starts", "edges"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        with pytest.raises(ValueError, match="read-only"):
            getattr(one, name)[0] = 0
    for array in (one.proof.errors, one.proof.in_integers, one.volumes.values, one.volumes.errors):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (lambda f: (f.as_exact(), cube(2)), ValueError, r"network must have float parameters, .* convert with as_float\(\)"),
        (lambda f: (f, cube(3)), ValueError, "polytope has dimension 3 but the network takes 2 inputs"),
        (lambda f: (f, [[-1, 1], [-1, 1]]), TypeError, "polytope must be a Polytope"),
        (lambda f: (f.weights, cube(2)), TypeError, "network must be a FullyConnected"),
        (lambda _: (FullyConnected([np.ones((4, 1, 2))]), cube(2)), ValueError, r"one network, got a batch of shape \(4,\)"),
    ],
)
def test_arguments_that_do_not_fit(arguments, error, message):
    with pytest.raises(error, match=message):
        float_cells(*arguments(generic(0, (2, 3, 1))))


def test_limit():
    f = generic(0, (2, 9, 9, 1))
    count = len(float_cells(f, cube(2)).vertices)
    assert float_cells(f, cube(2), limit=count).count > 1
    with pytest.raises(TooManyVertices, match=f"more than limit = {count - 1} vertices"):
        float_cells(f, cube(2), limit=count - 1)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        float_cells(f, cube(2), limit=0)


def room_for(monkeypatch, cells, part):
    """Leave room for so large a part of the vertices only; the sizes of the slabs that are found from now on."""
    rows = part * len(cells.vertices)
    monkeypatch.setattr(slabs, "ROOM", int(8 * rows * max(cells.network.widths[1:-1])))
    sizes, add = [], slabs._Glue.add
    monkeypatch.setattr(slabs._Glue, "add", lambda self, slab: (sizes.append(len(slab.vertices)), add(self, slab)))
    return sizes


def same_cells(one, other):
    assert one.count == other.count
    assert np.array_equal(one.patterns, other.patterns)
    assert (len(one.vertices), len(one.edges)) == (len(other.vertices), len(other.edges))
    np.testing.assert_allclose(one.interior_points, other.interior_points, atol=1e-9)
    np.testing.assert_allclose(one.volumes.values, other.volumes.values, atol=1e-9)


@pytest.mark.parametrize(
    ("inputs", "width", "hidden", "part"), [(1, 40, 2, 0.9), (2, 10, 1, 0.6), (2, 12, 3, 0.5), (3, 9, 2, 0.7), (4, 10, 2, 0.9)]
)
@pytest.mark.parametrize("activation", SLOPES[:4], ids=["relu", "leaky", "negative slope", "absolute value"])
def test_slabs_have_the_cells_of_the_whole(inputs, width, hidden, part, activation, monkeypatch):
    f = generic(3, (inputs, *[width] * hidden, 2), activation)
    whole = float_cells(f, cube(inputs))
    sizes = room_for(monkeypatch, whole, part)
    glued = float_cells(f, cube(inputs))
    assert len(sizes) > 1
    assert glued.proof is not None
    same_cells(glued, whole)
    with pytest.raises(TooManyVertices):
        float_cells(f, cube(inputs), limit=len(whole.vertices) - 1)


def test_slabs_of_other_polytopes_than_boxes(monkeypatch):
    triangle = Polytope.from_vertices([[-2, -1], [3, 0], [1, 2]])
    f = generic(2, (2, 15, 15, 1))
    whole = float_cells(f, triangle)
    sizes = room_for(monkeypatch, whole, 0.5)
    same_cells(float_cells(f, triangle), whole)
    assert len(sizes) > 1
    # a plane through a vertex would leave slabs that are not simple
    row = slabs._plane(triangle.cell, 0, 1.0)
    assert -float(row[-1]) / float(row[0]) == np.nextafter(1.0, 2.0)


@pytest.mark.parametrize("trouble", [Degenerate("a plane too near to a vertex"), slabs.TooLarge()])
def test_what_slabs_do_not_find_is_found_at_once(trouble, monkeypatch):
    def fails(*_):
        raise trouble

    f = generic(0, (2, 15, 15, 1))
    whole = float_cells(f, cube(2))
    monkeypatch.setattr(slabs, "ROOM", 4 * 8 * 15 * 10)
    monkeypatch.setattr(slabs._Glue, "add", fails)
    same_cells(float_cells(f, cube(2)), whole)


def test_slabs_that_do_not_fit_are_found_out():
    f = generic(0, (2, 15, 15, 1))
    found = float_cells(f, cube(2))
    left = slabs._plane(found.polytope.cell, 0, 0.1)
    layout = found._skeleton.layout
    within = cut.Layout(layout.facets + 2, layout.widths)
    glue = slabs._Glue(layout)
    glue.add(cut.cut_out(f, slabs._slab(found.polytope.cell, [None, left]), within, 10**6))
    right = slabs._plane(found.polytope.cell, 0, 0.7)
    with pytest.raises(Degenerate, match="do not fit"):
        glue.add(cut.cut_out(f, slabs._slab(found.polytope.cell, [right, None]), within, 10**6))
