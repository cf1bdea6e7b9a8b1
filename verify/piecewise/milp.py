r"""Maximum of a network of many linear regions on a polytope: branch and bound with proofs, beside a mixed-integer programme.

The parts of the search are given by signs of pre-activations. The bound of a part holds whatever the multipliers are that it
comes from, and its rounding errors are bounded with it (see `verify.piecewise.maximisation.relaxation`); values at points are
computed in rationals; where all signs are known, the network is affine on a polytope, and whether it exceeds the value found
is decided in rationals. So the result is exact when nothing is left open, and a bracket otherwise.

Then a mixed-integer programme (a binary variable for the sign of each pre-activation; HiGHS) looks for a better point. Its own
bound is subject to its tolerances, and is reported beside the bracket, but not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from verify.networks import FullyConnected
from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import Array, floats, integer, rationals
from verify.piecewise._arguments import one_network, shaped_rationals
from verify.piecewise.bracket import Bracket
from verify.piecewise.cells.integer_network import read_only
from verify.piecewise.maximisation.branch_and_bound import Search
from verify.piecewise.maximisation.relaxation import Floats, Relaxation
from verify.piecewise.polytope import Polytope
from verify.piecewise.rewriting import simplify

PARTS = 20_000
"""Number of parts after which a search stops, unless another is given."""
SECONDS = 10.0
"""Time for the mixed-integer programme, unless another is given."""
METHOD = "branch and bound"


@dataclass(frozen=True, eq=False)
class SearchedMaximum:
    """What is known of the maximum of a network on a polytope.

    Attributes
    ----------
    bracket
        The maximum, exactly or between two rationals, both proved, and a point where the value is its lower end.
    solver_bound
        The upper bound that the mixed-integer programme states, in floats and up to the tolerances of HiGHS: no proof. None if
        it was not needed or gave none.
    parts
        Number of parts that were bounded.
    open_parts
        Number of parts that are left: with none, the bracket is exact (unless the exact decision on a part was given up).
    """

    bracket: Bracket
    solver_bound: float | None
    parts: int
    open_parts: int


def maximum_by_search(
    network: FullyConnected,
    polytope: Polytope,
    functional: Any = None,
    *,
    parts: int = PARTS,
    seconds: float = SECONDS,
    threshold: Any = None,
) -> SearchedMaximum:
    """Largest value of ``functional . network(x)`` on `polytope`, exactly or between proved bounds, and a point.

    `functional`, shape ``(n_L,)``, may be left out for a network of one output. The search bounds about `parts` parts of the
    polytope; if some are left then, a mixed-integer programme of at most so many `seconds` looks for a better point (none with
    0: the result does not depend on the machine's speed then). With a `threshold` the search is only for whether the maximum
    exceeds it, and the bracket may stay wide above or below.

    Raises
    ------
    ValueError
        A batch of networks, a polytope of another dimension than the inputs, a functional of another shape, NaN or infinity;
        `parts` below 1, `seconds` below 0 or not finite; a polytope beyond the
        largest float.
    TypeError
        No network, no polytope, an activation that is not homogeneous, or parameters that are balls.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 3, 0])
    >>> maximum_by_search(tent, Polytope.box([-1], [3])).bracket
    <Bracket 3, by branch and bound>
    """
    parts = integer("parts", parts, 1, ": a number of parts of the search")
    seconds = real_number("seconds", seconds, exact=False)
    if seconds < 0:
        raise ValueError(f"seconds must be a time that is not negative, got {seconds!r}")
    floor = None if threshold is None else shaped_rationals(threshold, 0, "threshold")[()]
    scalar = simplify(with_functional(network, functional), polytope)
    if scalar.depth == 1:
        row, bias = list(scalar.weights[0][0]), scalar.biases[0][0]
        value = polytope.range_of_row(row, bias)[1]
        return SearchedMaximum(Bracket(value, value, _point(polytope.highest_point(row)), METHOD), None, 0, 0)
    _check_floats(polytope)
    relaxation = Relaxation(scalar, polytope)
    search = Search(relaxation, None if floor is None else floor / relaxation.scale)
    search.run(parts)
    inputs = bound = None
    if len(search.open.values) and seconds > 0:
        inputs, bound = _by_solver(relaxation, seconds)
    if inputs is not None:
        search.try_inputs(inputs[None])
    search.run(parts)
    bracket = Bracket(relaxation.scale * search.lower, relaxation.scale * search.upper, _point(search.point), METHOD)
    return SearchedMaximum(bracket, bound, search.parts, len(search.open.values))


def with_functional(network: FullyConnected, functional: Any) -> FullyConnected:
    """The network of one output, in rationals, for ``functional . network(x)``; raises `ValueError` if it does not fit."""
    single = one_network(network).as_exact()
    if functional is None:
        if single.widths[-1] != 1:
            raise ValueError(f"functional must be given for a network of {single.widths[-1]} outputs: a vector of that length")
        return single
    row = shaped_rationals(functional, 1, "functional")
    if row.shape != single.widths[-1:]:
        raise ValueError(f"functional must have shape ({single.widths[-1]},), got {row.shape}")
    weights, biases = (
        [*single.weights[:-1], row[None] @ single.weights[-1]],
        [*single.biases[:-1], row[None] @ single.biases[-1]],
    )
    return FullyConnected(weights, biases, single.activation)


def _check_floats(polytope: Polytope) -> None:
    units = rationals(np.eye(polytope.dimension, dtype=np.int64))
    ends = rationals([polytope.range_of_row(list(unit), fmpq(0)) for unit in units])
    if not all(np.isfinite(floats(numbers)).all() for numbers in (ends, polytope.normals, polytope.offsets)):
        raise ValueError("polytope must lie within the range of floats to be searched: its numbers are beyond it")


def _point(point: Any) -> Array:
    return read_only(list(point), (len(point),))


def _by_solver(relaxation: Relaxation, seconds: float) -> tuple[Floats | None, float | None]:
    """The best inputs that the mixed-integer programme finds, and the upper bound that it states for the network.

    Variables: the inputs, t and r = max(t, 0) for every hidden neuron, and b in {0, 1} for each of either sign, with
    ``t <= r``, ``r <= u b`` and ``r <= t - l (1 - b)``.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    whole = relaxation.whole()
    lower, upper = whole.lower[0], whole.upper[0]
    d, n = len(relaxation.box[0]), relaxation.count
    binaries = np.flatnonzero(whole.unstable[0])
    size = d + 2 * n + len(binaries)
    t, r = d + np.arange(n), d + n + np.arange(n)
    layers = [(floats(w), floats(b)) for w, b in zip(relaxation.network.weights, relaxation.network.biases, strict=True)]
    p, q = relaxation.positive, relaxation.negative
    equations = np.zeros((n, size))
    equations[np.arange(n), t] = 1
    for layer, (weight, _) in enumerate(layers[:-1]):
        here = slice(relaxation.starts[layer], relaxation.starts[layer + 1])
        if layer == 0:
            equations[here, :d] = -weight
        else:
            before = slice(relaxation.starts[layer - 1], relaxation.starts[layer])
            equations[here, t[before]], equations[here, r[before]] = -weight * q, -weight * (p - q)
    objective = np.zeros(size)
    last = slice(relaxation.starts[-2], relaxation.starts[-1])
    objective[t[last]], objective[r[last]] = layers[-1][0][0] * q, layers[-1][0][0] * (p - q)
    above, small, large = np.zeros((n, size)), np.zeros((len(binaries), size)), np.zeros((len(binaries), size))
    above[np.arange(n), r], above[np.arange(n), t] = 1, -1
    rows, switches = np.arange(len(binaries)), d + 2 * n + np.arange(len(binaries))
    small[rows, r[binaries]], small[rows, switches] = 1, -upper[binaries]
    large[rows, r[binaries]], large[rows, t[binaries]], large[rows, switches] = 1, -1, -lower[binaries]
    polytope = relaxation.polytope
    facets = np.pad(floats(polytope.normals), ((0, 0), (0, size - d)))
    active = np.where(lower >= 0, 0, np.inf)  # r = t where t is never negative
    zeros, ones = np.zeros(len(binaries)), np.ones(len(binaries))
    solution = milp(
        -objective,
        integrality=np.concatenate([np.zeros(d + 2 * n), ones]),
        bounds=Bounds(
            np.concatenate([relaxation.box[0], lower, np.maximum(lower, 0), zeros]),
            np.concatenate([relaxation.box[1], upper, np.maximum(upper, 0), ones]),
        ),
        constraints=[
            LinearConstraint(equations, *[np.concatenate([bias for _, bias in layers[:-1]])] * 2),
            LinearConstraint(above, 0, active),
            LinearConstraint(small, -np.inf, 0),
            LinearConstraint(large, -np.inf, -lower[binaries]),
            LinearConstraint(facets, -np.inf, floats(polytope.offsets)),
        ],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    inputs = None if solution.x is None else solution.x[:d]
    bound = solution.mip_dual_bound
    if bound is None or not np.isfinite(bound):
        return inputs, None
    return inputs, float(floats(rationals([relaxation.scale]))[0] * (layers[-1][1][0] - bound))
