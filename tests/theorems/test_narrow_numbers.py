"""Constructions take integers of any width, and half floats, for the numbers that they are."""

import importlib
import inspect
import pkgutil
from fractions import Fraction

import numpy as np
import pytest

import theorems
from theorems.bottleneck_structure.constructions.frames import row_space
from theorems.feature_learning.constructions.layers import trace_of_product
from theorems.notion_of_rank.constructions.diagonal import quasi_norm
from theorems.shared.arrays import squares
from theorems.shared.balanced import rotation
from theorems.shared.hidden_direction import loss, symmetric_part
from theorems.shared.paths import path_length, squared_distances
from verify.linting.syntax import syntax_tree
from verify.numbers.arithmetic import rationals
from verify.numbers.parameters import widened

NARROW = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", "float16")
MATRIX = [[91, 2, 0], [40, 100, 7]]
CALLS = [
    (quasi_norm, [[91, 2]], (Fraction(2),)),
    (squares, MATRIX, ()),
    (path_length, MATRIX, ()),
    (squared_distances, MATRIX, ()),
    (symmetric_part, [[100, 90], [80, 70]], ()),
    (row_space, MATRIX, ()),
]


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize(("function", "values", "others"), CALLS, ids=lambda one: getattr(one, "__name__", ""))
def test_narrow_numbers_are_the_numbers_that_they_are(function, values, others, dtype):
    found = function(np.array(values, dtype=dtype), *others)
    wanted = function(np.array(values, dtype=float), *others)
    assert np.allclose(np.asarray(found, dtype=float), np.asarray(wanted, dtype=float), rtol=1e-12)


@pytest.mark.parametrize("dtype", NARROW)
def test_pairs_of_narrow_arrays(dtype):
    first, second = np.array([[90, 100], [3, 5]], dtype=dtype), np.array([[7, 80], [90, 60]], dtype=dtype)
    assert np.allclose(trace_of_product(first, second), trace_of_product(first.astype(float), second.astype(float)))
    assert np.isclose(float(loss(first[0], second[1])), loss(first[0].astype(float), second[1].astype(float)))
    assert np.array_equal(rotation(first[1, :1]), rotation(first[1, :1].astype(float)))


def test_what_is_not_narrow_comes_in_as_it_is():
    seen = []
    keep = widened(lambda *args, **kwargs: seen.append((*args, *kwargs.values())))
    wide = [
        np.ones(2),
        np.ones(2, dtype="float32"),
        np.ones(2, dtype=int),
        np.ones(2, dtype=bool),
        rationals(np.ones(2)),
        3,
        None,
    ]
    keep(*wide, more="text")
    assert all(first is other for first, other in zip(seen[0], [*wide, "text"], strict=True))
    keep([np.ones(2, dtype="int8")], (np.ones(2, dtype="float16"), 1), x=np.full(2, 2**63, dtype="uint64"))
    (listed,), (half, number), huge = seen[1]
    assert (listed.dtype, half.dtype, number, huge.dtype) == (np.int64, np.float64, 1, np.uint64)


def constructions():
    """Every public function of `shared` and of the folders `constructions` that takes an array."""
    for found in pkgutil.walk_packages(theorems.__path__, "theorems."):
        if not {"constructions", "shared"} & {*found.name.split(".")} or "experiments" in found.name:
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            function = inspect.unwrap(value) if callable(value) else value
            if inspect.isfunction(function) and function.__module__ == found.name and not name.startswith("_"):
                annotations = [str(one.annotation) for one in inspect.signature(function).parameters.values()]
                if any("Array" in one for one in annotations):
                    yield f"{found.name}.{name}", value


def test_every_construction_takes_narrow_numbers():
    found = dict(constructions())
    assert len(found) > 150
    assert [name for name, function in found.items() if not hasattr(function, "__wrapped__")] == []


def test_the_width_of_integers_is_no_part_of_a_statement():
    assert "widened" in inspect.getsource(quasi_norm)
    assert syntax_tree(inspect.unwrap(quasi_norm)).body[0].decorator_list == []
