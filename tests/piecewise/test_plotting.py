import sys

import matplotlib as mpl
import numpy as np
import pytest
from flint import fmpq
from integer_networks import network
from matplotlib import colors, pyplot
from matplotlib.collections import LineCollection, PolyCollection

from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, linear_regions
from verify.piecewise.plotting import CLASSES, RANKS, TIE, plot_regions

SQUARE = Polytope.box([-2, -2], [2, 2])


@pytest.fixture(autouse=True)
def _no_windows():
    mpl.use("Agg")
    yield
    pyplot.close("all")


def area(polygon):
    x, y = polygon[:-1].T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def polygons(ax):
    """Filled polygons by the name of their colour."""
    result = {}
    for collection in ax.collections:
        if isinstance(collection, PolyCollection) and len(collection.get_paths()):
            tint = colors.to_hex(collection.get_facecolor()[0])
            result.setdefault(tint, []).extend(path.vertices for path in collection.get_paths())
    return result


def areas(ax):
    return {tint: sum(map(area, shapes)) for tint, shapes in polygons(ax).items()}


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def clip():
    """The coordinates cut off at -1 and 1."""
    entry = rationals([[1, 0], [1, 0], [0, 1], [0, 1]])
    return FullyConnected([entry, rationals([[1, -1, 0, 0], [0, 0, 1, -1]])], [rationals([1, -1, 1, -1]), rationals([-1, -1])])


def tripod(shift):
    return FullyConnected(
        [rationals([[1, 0], [0, 1], [-1, -1]]), rationals(np.eye(3, dtype=int))], [rationals([shift] * 3), rationals([0] * 3)]
    )


@pytest.mark.parametrize("seed", range(4))
def test_every_region_is_drawn_once_and_neighbours_differ(seed):
    f = network(np.random.default_rng(seed), (2, 5, 4, 1))
    regions = list(linear_regions(f, SQUARE))
    ax = plot_regions(f, SQUARE)
    assert sum(map(len, polygons(ax).values())) == len(regions)
    assert sum(areas(ax).values()) == pytest.approx(16)
    assert ax.get_legend() is None
    corners = {
        tint: [{tuple(np.round(point, 9)) for point in shape} for shape in shapes] for tint, shapes in polygons(ax).items()
    }
    for shapes in corners.values():
        for i, shape in enumerate(shapes):
            assert all(len(shape & other) < 2 for other in shapes[:i])  # no common edge


def test_ranks():
    ax = plot_regions(clip(), SQUARE, "rank")
    assert areas(ax) == pytest.approx({RANKS[0]: 4, RANKS[1]: 8, RANKS[2]: 4})
    assert legend(ax) == ["rank 0", "rank 1", "rank 2"]
    ridge = FullyConnected([rationals([[1, 2]]), rationals([[1], [-1]])])
    assert legend(plot_regions(ridge, SQUARE, "rank")) == ["rank 0", "rank 1"]


def test_classes_and_their_tie():
    ax = plot_regions(tripod(fmpq(-1, 2)), SQUARE, "class")
    # all three are zero on the triangle x, y <= 1/2, x + y >= -1/2
    assert legend(ax) == ["class 0", "class 1", "class 2", "tie of 0, 1, 2"]
    assert areas(ax)[TIE] == pytest.approx(1.5**2 / 2)
    values = tripod(fmpq(-1, 2)).as_float()
    for index, tint in enumerate(CLASSES[:3]):
        for shape in polygons(ax)[tint]:
            outputs = values(shape[:-1].mean(axis=0))
            assert np.argmax(outputs) == index
            assert np.sum(outputs == outputs.max()) == 1
    assert sum(areas(ax).values()) == pytest.approx(16)


def test_thick_lines_lie_between_classes_only():
    # the difference of the two lower outputs changes its sign where the first is the largest
    f = FullyConnected([rationals([[0, 0], [1, 0], [0, 1]])], [rationals([3, 0, 0])])
    ax = plot_regions(f, Polytope.box([-1, -1], [1, 1]), "class")
    lines = [collection for collection in ax.collections if isinstance(collection, LineCollection)]
    assert legend(ax) == ["class 0"]
    assert [len(collection.get_segments()) for collection in lines] == [0, 4, 0]


def test_axes_are_used_and_labelled():
    _, axes = pyplot.subplots(1, 2)
    triangle = Polytope.from_vertices([[0, 0], [3, 0], [0, 1]])
    ax = plot_regions(clip(), triangle, ax=axes[1])
    assert ax is axes[1]
    assert ax.get_xlim() == (0, 3)
    assert ax.get_ylim() == (0, 1)
    assert sum(areas(ax).values()) == pytest.approx(1.5)
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((clip(), SQUARE, "colour"), {}, ValueError, "color must be 'pattern', 'rank' or 'class', got 'colour'"),
        ((clip(), Polytope.box([0], [1])), {}, ValueError, "the polytope has dimension 1 but the network takes 2 inputs"),
        (
            (FullyConnected([rationals([[1, 2, 3]])]), Polytope.box([0] * 3, [1] * 3)),
            {},
            ValueError,
            "polytope must be a polygon, of dimension 2, got dimension 3",
        ),
        ((FullyConnected([rationals([[1, 2]])]), SQUARE, "class"), {}, ValueError, "a network of at least 2 outputs, got 1"),
        ((clip(), SQUARE), {"limit": 3}, ValueError, "more than limit = 3 linear regions"),
        (("network", SQUARE), {}, TypeError, "network must be a FullyConnected"),
        ((clip(), Polytope.box([0, 0], [1, 10**400])), {}, ValueError, "polytope must lie within the range of floats"),
        ((clip(), 3), {}, TypeError, "polytope must be a Polytope"),
        ((clip(), SQUARE), {"ax": "left"}, TypeError, "ax must be the axes of a matplotlib figure, got 'left'"),
    ],
)
def test_arguments_are_validated(arguments, options, error, message):
    with pytest.raises(error, match=message):
        plot_regions(*arguments, **options)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'deep-l2-verify\[plots\]'"):
        plot_regions(clip(), SQUARE)
