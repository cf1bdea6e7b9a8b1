"""Equalities as hypotheses: rational points of their surfaces are found, and what is false there falls."""

import numpy as np
import pytest
from flint import fmpq

from verify import Domain, Q, attack, derived, families, integers, interval, reals
from verify.claims.domain import Sample
from verify.numbers.arithmetic import floats, rationals
from verify.search.surface import Surface
from verify.words import absolute, eigenvalues, ge, le, norm2, trace, where

CIRCLE = Domain({"x": reals(), "y": reals()}, {}, {"on the circle": lambda x, y: x * x + y * y == 1})
SPHERE = Domain({"x": reals(3)}, {}, {"a unit vector": lambda x: norm2(x) == 1})
HYPERBOLA = Domain({"x": reals(), "y": reals()}, {}, {"inverse": lambda x, y: x * y == 1})
PRODUCT = Domain({"x": interval(0, np.inf, 3)}, {}, {"product 1": lambda x: x[0] * x[1] * x[2] == 1})
DENSITY = Domain({"A": families.positive_semidefinite(2)}, {}, {"trace 1": lambda A: trace(A) == 1})

FALSE = {
    "circle": (lambda x, y: le(x + y, Q("1.4142")), CIRCLE),
    "sphere": (lambda x: le(x.sum(), Q("1.73")), SPHERE),
    "hyperbola": (lambda x, y: le(absolute(x + y), 20), HYPERBOLA),
    "three numbers with the product 1": (
        lambda x: ge(1 / (1 + x[0]) + 1 / (1 + x[1]) + 1 / (1 + x[2]), Q("1.1")),
        PRODUCT,
    ),
    "entries of a density": (lambda A: le(A[0, 1], Q("0.49")), DENSITY),
}
TRUE = {
    "circle": (lambda x, y: le(2 * x * y, 1), CIRCLE),
    "sphere": (lambda x: le(x.sum() ** 2, 3), SPHERE),
    "hyperbola": (lambda x, y: ge(absolute(x + y), 2), HYPERBOLA),
    "three numbers with the product 1": (lambda x: ge(x.sum(), 3), PRODUCT),
    "eigenvalues of a density": (lambda A: le(eigenvalues(A), 1), DENSITY),
}


FALSE |= {
    # at the smallest size no line leads from one point to another
    "a product of the ends": (
        lambda x: le(absolute(x[0] + x[-1]), 20),
        Domain({"x": reals("n")}, {"n": range(1, 4)}, {"inverse": lambda x: x[0] * x[-1] == 1}),
    ),
    "a part of the circle": (
        lambda x, y: le(x + y, Q("1.3")),
        Domain({"x": reals(), "y": reals()}, {}, {"arc": lambda x, y: (x * x + y * y == 1) & (x > Q("0.9")) & (y > 0)}),
    ),
    "built with an equality": (
        lambda x, y: le(x + y, Q("1.41")),
        Domain(
            {"x": derived(lambda t: where(t == 7, 8, t), t=reals()), "y": reals()},
            {},
            {"circle": lambda x, y: x * x + y * y == 1},
        ),
    ),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_false_on_a_surface_is_refuted(name, seed):
    result = attack(*FALSE[name], seed=seed)
    assert result.outcome == "refuted"


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_on_a_surface_survives(name):
    assert attack(*TRUE[name]).outcome == "survived"


def test_how_near_a_bound_is_on_a_surface_is_said():
    near = attack(lambda x, y: le(x + y, Q("1.42")), CIRCLE)
    assert 0.004 < near.relative_slack < 0.0045  # 1.42 - sqrt(2), of 1.42


def points(domain, start, targets, seed=0):
    rng = np.random.default_rng(seed)
    surface = Surface.of(domain, Sample({}, {name: np.array([value], dtype=float) for name, value in start.items()}), rng)
    if surface is None:
        return None, ()
    origins = np.repeat(surface.vectors(surface.start), len(targets), axis=0)
    return surface, surface.near(origins, np.array(targets, dtype=float), rng)


def test_points_are_exact_and_near_their_targets():
    angles = np.linspace(0.1, 6, 40)
    targets = 1.01 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    surface, found = points(CIRCLE, {"x": 1, "y": 0}, targets)
    assert 40 <= len(found) <= 80
    assert all(x * x + y * y == 1 for x, y in found)
    assert np.abs(floats(found) - targets).max() < 0.2
    assert surface.feasible(found).all()


def test_a_root_outside_of_the_domain_is_not_feasible():
    domain = Domain({"x": interval(0, 2), "y": interval(0, 2)}, {}, {"product": lambda x, y: x * y == 1})
    surface, found = points(domain, {"x": 1, "y": 1}, [[0.25, 1], [1.5, 1]])
    assert surface.feasible(found).tolist() == [bool(x <= 2 and y <= 2) for x, y in found]
    assert surface.feasible(rationals([[4, "1/4"], [1, 1], [1, 2]])).tolist() == [False, True, False]


@pytest.mark.parametrize(
    "hypotheses",
    [
        {"none": lambda x: x[0] <= 1},
        {"two without a rational point": lambda x: (norm2(x) == 1) & (x.sum() == 0)},
    ],
)
def test_lines_tell_nothing_of_other_hypotheses(hypotheses):
    domain = Domain({"x": reals(2)}, {}, hypotheses)
    _, found = points(domain, {"x": [1, 0]}, [[0.5, 0.5], [2, 1]])
    assert len(found) == 0


def test_what_lines_find_of_a_higher_degree_is_feasible():
    domain = Domain({"x": reals(2)}, {}, {"of degree four": lambda x: (x**4).sum() == 1})
    surface, found = points(domain, {"x": [1, 0]}, np.random.default_rng(0).standard_normal((50, 2)))
    assert surface.feasible(found).all()


CENTRED = {"a unit vector": lambda x: norm2(x) == 1, "of mean zero": lambda x: x.sum() == 0}
ORTHONORMAL = Domain(
    {"x": reals("n"), "y": reals("n")},
    {"n": range(2, 5)},
    {
        "x is a unit vector": lambda x: norm2(x) == 1,
        "y is a unit vector": lambda y: norm2(y) == 1,
        "they are orthogonal": lambda x, y: x @ y == 0,
    },
)
SYSTEM = Domain(
    {"A": interval(0, np.inf, "m", "n"), "x": reals("n"), "b": reals("m")},
    {"m": range(1, 4), "n": range(2, 4)},
    {"solved": lambda A, x, b: (A @ x == b).all(), "b is positive": lambda b: (b > 0).all()},
)
SEVERAL_FALSE = {
    # of three numbers no rational ones are both
    "centred unit vectors": (lambda x: le(x.max(), Q("0.86")), Domain({"x": reals("n")}, {"n": range(2, 5)}, CENTRED)),
    "two orthonormal vectors": (lambda x, y: le((x[0] + y[0]) ** 2, Q("1.9")), ORTHONORMAL),
    "two planes": (
        lambda x: ge(norm2(x), Q("0.201")),
        Domain({"x": reals(4)}, {}, {"planes": lambda x: (x.sum() == 0) & (x[0] + 2 * x[1] + 3 * x[2] == 1)}),
    ),
    "a system": (lambda x: ge(x.sum(), Q("-19.5")), SYSTEM),
}
SEVERAL_TRUE = {
    "centred unit vectors": (
        lambda x: le(x.max() ** 2, (len(x) - 1) / Q(len(x))),
        Domain({"x": reals("n")}, {"n": range(2, 5)}, CENTRED),
    ),
    "two orthonormal vectors": (lambda x, y: le(x[0] ** 2 + y[0] ** 2, 1), ORTHONORMAL),
    "a system": (lambda x: ge(x.max(), 0), SYSTEM),
}


@pytest.mark.parametrize("name", SEVERAL_FALSE)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_false_where_several_equalities_hold_is_refuted(name, seed):
    assert attack(*SEVERAL_FALSE[name], seed=seed).outcome == "refuted"


@pytest.mark.parametrize("name", SEVERAL_TRUE)
def test_what_is_true_where_several_equalities_hold_survives(name):
    assert attack(*SEVERAL_TRUE[name]).outcome == "survived"


def test_each_entry_is_an_equality():
    domain = Domain({"A": reals(3, 3), "x": reals(3)}, {}, {"kernel": lambda A, x: (A @ x == 0).all() & (norm2(x) == 9)})
    start = {"A": np.zeros((3, 3)), "x": [1, 2, 2]}
    surface, found = points(domain, start, np.random.default_rng(0).standard_normal((60, 12)))
    assert surface.count == 4
    assert len(found) > 10
    assert surface.feasible(found).all()
    assert len({tuple(point[9:]) for point in found}) > 3  # x moves, too


def test_what_cannot_be_built_beyond_an_interval_is_no_point():
    def root(x):
        if float(x) > 1:
            raise ValueError("too large")
        return x

    domain = Domain({"y": derived(root, x=interval(0, 1))}, {}, {"half": lambda y: y == Q("1/2")})
    surface, found = points(domain, {"y.x": 0.5}, [[0.75]])
    assert len(found) == 0
    assert surface.feasible(rationals([[2]])).tolist() == [False]


def test_a_builder_has_its_integers_and_its_numbers_in_one_arithmetic():
    domain = Domain(
        {"y": derived(lambda x, k: k * x, x=reals(), k=integers(1, 4)), "z": reals()},
        {},
        {"circle": lambda y, z: y * y + z * z == 25},
    )
    assert attack(lambda y, z: le(y + z, 7), domain).outcome == "refuted"


def test_integers_stay_what_they_are():
    domain = Domain({"x": reals(2), "k": integers(1, 4)}, {}, {"product": lambda x, k: x[0] * x[1] == k})
    surface, found = points(domain, {"x": [1, 3], "k": 3}, [[2, 5]])
    assert all(x * y == 3 for x, y in found)
    assert surface.instance(found[0]).coordinates["k"] == fmpq(3)
