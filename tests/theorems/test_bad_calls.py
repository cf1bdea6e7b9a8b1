"""Bad calls of constructions end in a sentence that names the argument: a sample of tests/benchmarks/attack/bad_calls.py."""

from itertools import islice

import numpy as np
import pytest

from tests.benchmarks.attack.bad_calls import ACCEPTS, GOOD, bad_calls, calls_of_claims, constructions, is_empty
from theorems.bottleneck_structure.constructions.arrays import descending
from theorems.bottleneck_structure.constructions.frames import projection_to_image
from theorems.bottleneck_structure.constructions.linear_networks import has_room
from theorems.leaky_resnets.constructions.linear_paths import LinearPath, cross_term
from theorems.leaky_resnets.constructions.losses import difference_weight
from theorems.notion_of_rank.constructions.constants import cost_of_a_constant
from theorems.notion_of_rank.constructions.diagonal import balanced_layers
from theorems.shared.activations import is_smooth
from theorems.shared.arrays import squares
from theorems.shared.balanced import end_to_end
from theorems.shared.hidden_direction import statistics
from theorems.shared.paths import grid_points
from theorems.symmetry_learning.constructions.convolutions import shifted
from verify.claims.catalogue import catalogue
from verify.instances.array import InstanceArray
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened

V = np.array([1.0, 2.0])
PATH = LinearPath(np.eye(2), np.eye(2) / 8, np.eye(2) / 8)


def is_checked(function):
    """Whether one of the functions around the innermost is that of `widened`."""
    while hasattr(function, "__wrapped__"):
        if function.__code__.co_qualname == "widened.<locals>.of_wide":
            return True
        function = function.__wrapped__
    return False


def test_every_construction_checks_its_arguments():
    assert [name for name, function in constructions().items() if not is_checked(function)] == []


def test_a_sample_of_bad_calls_of_constructions():
    functions = constructions()
    calls = calls_of_claims(functions, islice(catalogue().values(), 0, None, 12))
    found = []
    for name in list(filter(calls.get, functions))[::5]:
        best = min(calls[name], key=lambda one: sum(map(is_empty, one.values())))
        found += bad_calls(name, functions[name], best, ACCEPTS.get(name, {}))
    assert len(found) > 500
    # what divides by a depth or a root that is zero gives NaN, as NumPy does
    assert [one for one in found if one.kind not in (*GOOD, "NaN")] == []
    assert sum(one.kind == "NaN" for one in found) < len(found) / 50


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: squares(None), TypeError, "array must be an array or a number, got None"),
        (lambda: squares([1.0, np.nan]), ValueError, "array must be finite, got 1 of 2 entries that are NaN or infinite"),
        (lambda: squares(V + 0j), ValueError, "array must hold real numbers .*, got dtype complex128"),
        (lambda: descending(3.0), ValueError, r"descending takes no values 3.0: "),
        (lambda: statistics(V, np.ones(3)), ValueError, r"statistics takes no v of shape \(2,\), w of shape \(3,\): "),
        (lambda: balanced_layers(V, 10**18), ValueError, "depth must be from -1000000 to 1000000, got 1000000000000000000"),
        (lambda: balanced_layers(V, 0), ValueError, "depth must be at least 1, got 0"),
        (lambda: cost_of_a_constant(V, "3"), TypeError, "depth must be an integer, got '3'"),
        (lambda: is_smooth(np.eye(2), V), TypeError, "network must be a FullyConnected, got array"),
        (lambda: end_to_end([V, V]), TypeError, r"network must be a FullyConnected, got \[array"),
        (lambda: has_room(None), TypeError, "sizes must be numbers by name, got None"),
        (lambda: cross_term(None, bias=object()), TypeError, "path must be a LinearPath, got None"),
        (lambda: cross_term(PATH, bias=object()), TypeError, "bias must be True or False, got <object"),
        (lambda: difference_weight(0, 3), ValueError, "place must be from 1 to half, 3, got 0"),
        (lambda: difference_weight(4, 3), ValueError, "place must be from 1 to half, 3, got 4"),
        (lambda: grid_points(10**18, 2), ValueError, "side must be from -1000000 to 1000000"),
        (lambda: shifted(np.eye(2), (2j, 0)), TypeError, r"shift\[0\] must be an integer, got 2j"),
        (lambda: squares(np.eye(2), "0"), TypeError, "axis must be an integer, got '0'"),
    ],
)
def test_what_is_said(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_lists_are_arrays():
    assert squares([3, 4]) == 25
    assert np.allclose(projection_to_image([[1.0], [1.0]]), 0.5)


def test_what_an_engine_calls_fails_as_it_is():
    batch = InstanceArray(np.full((2, 3), np.nan), 1)

    @widened
    def keeps(matrix: "Array"):
        return matrix

    @widened
    def fails(matrix: "Array"):
        raise AttributeError(f"of {matrix!r:.10}")

    assert keeps(batch) is batch
    with pytest.raises(ValueError, match="matrix must be finite, got 3 of 3 entries"):
        keeps(np.full(3, np.nan))

    with pytest.raises(AttributeError):
        fails(batch)
    with pytest.raises(ValueError, match=r"fails takes no matrix of shape \(2,\): of array"):
        fails(rationals(V))
