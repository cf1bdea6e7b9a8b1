"""Smaller networks for the same function on a polytope, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat

from verify.networks import FullyConnected
from verify.piecewise._arguments import one_network
from verify.piecewise._forms import ZERO, Form, Symbols, Terms, combination, combinations, exact_entries, sparse_rows
from verify.piecewise._integers import common_denominator, read_only, scalar_slope
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import check_polytope

LAST = 2**62
"""Stands for a column after all others."""


@dataclass(frozen=True, eq=False, slots=True)
class _Layer:
    """Rows over the layer before."""

    rows: list[Terms]
    biases: list[fmpq]


def simplify(network: FullyConnected, polytope: Polytope) -> FullyConnected:
    """A network in rationals with no more layers and neurons that equals `network` on `polytope`.

    - A layer whose pre-activations all keep their sign on the polytope is multiplied into the next: so identity layers after
      a ReLU layer, ``relu(relu(h)) = relu(h)``, go.
    - A neuron goes whose value is an affine combination of others of its layer: constant ones, multiples of another one,
      sums of neurons that keep their sign. So do neurons on which no output depends.
    - The neurons that stay have weights and bias that are integers without common factor, in lexicographic order.

    Signs are read off bounds by interval arithmetic, exact for the first layer; a sign that these do not show is not used. Of
    any dimension: for boxes, no vertices are enumerated.

    Raises
    ------
    ValueError
        A batch of networks, or a polytope of another dimension than the inputs.
    TypeError
        No network, no polytope, or parameters that are balls.
    """
    one = one_network(network)
    check_polytope(polytope, one.widths[0])
    positive, negative = (scalar_slope(slope) for slope in (one.activation.positive, one.activation.negative))
    symbols = Symbols(polytope)
    before = symbols.inputs()
    kept = list[_Layer]()
    layers = [_Layer(sparse_rows(w), exact_entries(b)) for w, b in zip(one.weights, one.biases, strict=True)]
    current = layers[0]
    for following in layers[1:]:
        forms = combinations(current.rows, before, current.biases)
        ranges = [symbols.range_of(form) for form in forms]
        if positive == negative or all(low >= 0 or high <= 0 for low, high in ranges):
            slopes = [positive if low >= 0 else negative for low, _ in ranges]
            current = _merged(current, slopes, following)
            continue
        values = [symbols.activated(form, positive, negative) for form in forms]
        chosen, others = _independent(values)
        order, scales = _normal_order(current, chosen)
        kept.append(
            _Layer(
                [[(k, c * scale) for k, c in current.rows[i]] for i, scale in zip(order, scales, strict=True)],
                [current.biases[i] * scale for i, scale in zip(order, scales, strict=True)],
            )
        )
        before = [values[i].times(scale) for i, scale in zip(order, scales, strict=True)]
        place = {i: (k, 1 / scale) for k, (i, scale) in enumerate(zip(order, scales, strict=True))}
        current = _without(following, place, others)
    kept.append(current)
    result = _network(kept, one).prune()
    if 0 in result.widths[1:-1]:
        constant = [form.constant for form in combinations(current.rows, before, current.biases)]
        return _network([_Layer([[] for _ in constant], constant)], one)
    return result


def _merged(layer: _Layer, slopes: list[fmpq], following: _Layer) -> _Layer:
    """The two layers as one, where each neuron of the first multiplies by its slope."""
    inner = [Form(dict(row), bias).times(slope) for row, bias, slope in zip(layer.rows, layer.biases, slopes, strict=True)]
    forms = combinations(following.rows, inner, following.biases)
    return _Layer([sorted(form.coefficients.items()) for form in forms], [form.constant for form in forms])


def _independent(values: list[Form]) -> tuple[list[int], dict[int, Form]]:
    """Neurons whose values span all of them, up to constants, and the others as affine forms over the indices of these."""
    remaining = set(range(len(values)))
    chosen = list[int]()
    users: dict[int, set[int]] = {}
    for i, form in enumerate(values):
        for symbol in form.coefficients:
            users.setdefault(symbol, set()).add(i)
    # whoever alone has a symbol is independent of the rest, and the rest of it
    alone = [symbol for symbol, own in users.items() if len(own) == 1]
    while alone:
        own = users[alone.pop()]
        if not own:
            continue
        (i,) = own
        chosen.append(i)
        remaining.discard(i)
        for symbol in values[i].coefficients:
            users[symbol].discard(i)
            if len(users[symbol]) == 1:
                alone.append(symbol)
    rest = sorted(remaining)
    if not rest:
        return chosen, {}
    present = sorted({s for i in rest for s in values[i].coefficients})
    if not present:
        return chosen, {i: Form({}, values[i].constant) for i in rest}
    table = fmpq_mat(len(present), len(rest), [values[i].coefficients.get(s, ZERO) for s in present for i in rest])
    reduced, rank = table.rref()
    pivots = list[int]()
    for row in range(rank):
        start = pivots[-1] + 1 if pivots else 0
        pivots.append(next(j for j in range(start, len(rest)) if reduced[row, j] != 0))
    others: dict[int, Form] = {}
    for j, i in enumerate(rest):
        if j not in pivots:
            parts = {rest[pivot]: reduced[row, j] for row, pivot in enumerate(pivots) if reduced[row, j] != 0}
            constant = values[i].constant - sum((c * values[k].constant for k, c in parts.items()), ZERO)
            others[i] = Form(parts, constant)
    return chosen + [rest[pivot] for pivot in pivots], others


def _normal_order(layer: _Layer, chosen: list[int]) -> tuple[list[int], list[fmpq]]:
    """The neurons in the order of their rows, once these are integers without common factor; and the factors."""
    scaled = list[tuple[list[tuple[int, fmpq]], int, fmpq]]()
    for i in chosen:
        entries = [c for _, c in layer.rows[i]] + [layer.biases[i]]
        denominator = common_denominator(entries)
        content = denominator * 0
        for entry in entries:
            content = content.gcd((entry * denominator).p)
        scale = fmpq(denominator, content)
        row = [(k, c * scale) for k, c in layer.rows[i]]
        scaled.append(([*row, (LAST, layer.biases[i] * scale)], i, scale))
    scaled.sort(key=lambda item: (item[0], item[1]))
    return [i for _, i, _ in scaled], [scale for _, _, scale in scaled]


def _without(layer: _Layer, place: dict[int, tuple[int, fmpq]], others: dict[int, Form]) -> _Layer:
    """`layer` over the neurons that are kept, each at its place and times a factor; the others are forms over these."""
    sources = [
        Form({place[i][0]: place[i][1]}, ZERO)
        if i in place
        else Form({place[k][0]: c * place[k][1] for k, c in others[i].coefficients.items()}, others[i].constant)
        for i in range(len(place) + len(others))
    ]
    forms = [combination(row, sources, bias) for row, bias in zip(layer.rows, layer.biases, strict=True)]
    return _Layer([sorted(form.coefficients.items()) for form in forms], [form.constant for form in forms])


def _network(layers: list[_Layer], network: FullyConnected) -> FullyConnected:
    weights, biases, width = [], [], network.widths[0]
    for layer in layers:
        entries = np.full((len(layer.rows), width), ZERO, dtype=object)
        for i, row in enumerate(layer.rows):
            for k, coefficient in row:
                entries[i, k] = coefficient
        weights.append(entries)
        biases.append(read_only(layer.biases, (len(layer.biases),)))
        width = len(layer.rows)
    return FullyConnected(weights, biases, network.activation.as_exact())
