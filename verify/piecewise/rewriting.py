"""Smaller networks for the same function on a polytope, exactly."""

from __future__ import annotations

import numpy as np
from flint import fmpq, fmpq_mat, fmpz

from verify.matrices.exact import pivots
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, rational
from verify.piecewise._arguments import one_network
from verify.piecewise._forms import ZERO, Form, Symbols, combinations, exact_entries, sparse_rows
from verify.piecewise.cells.integer_network import common_denominator, read_only
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import check_polytope


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

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 1, 0])
    >>> simplify(tent, Polytope.box([0], [1])).widths
    (1, 1)
    """
    single = one_network(network)
    check_polytope(polytope, single.widths[0])
    positive, negative = (rational(slope) for slope in (single.activation.positive, single.activation.negative))
    symbols = Symbols(polytope)
    before = symbols.inputs()
    kept = list[list[Form]]()
    layers = [_rows(weight, bias) for weight, bias in zip(single.weights, single.biases, strict=True)]
    current = layers[0]
    composed: dict[int, tuple[Form, Form]] = {}
    for following in layers[1:]:
        for row in current:  # the rows that identity layers hand on are the same objects
            if id(row) not in composed:
                composed[id(row)] = row, symbols.layer([sorted(row.coefficients.items())], before, [row.constant])[0]
        forms = [composed[id(row)][1] for row in current]
        ranges = [symbols.range_of(form) for form in forms]
        if positive == negative or all(low >= 0 or high <= 0 for low, high in ranges):
            slopes = [positive if low >= 0 else negative for low, _ in ranges]
            current = _over(following, [row if s == 1 else row.times(s) for row, s in zip(current, slopes, strict=True)])
            continue
        order = _normal_order(current)
        values = [symbols.activated(forms[i], positive, negative).times(scale) for _, i, scale in order]
        chosen, dependent = _independent(values)
        kept.append([order[k][0] for k in chosen])
        before, composed = [values[k] for k in chosen], {}
        # a neuron of the old layer is one of the new over its factor
        place = {k: Form({new: fmpq(1)}, ZERO) for new, k in enumerate(chosen)}
        sources = [Form({}, ZERO)] * len(order)
        for k, (_, i, scale) in enumerate(order):
            sources[i] = (dependent[k] if k in dependent else place[k]).times(1 / scale)
        current = _over(following, sources)
    kept.append(current)
    return _network(_live(kept), single)


def _rows(weight: Array, bias: Array) -> list[Form]:
    rows = zip(sparse_rows(weight), exact_entries(bias), strict=True)
    return [Form(dict(terms), constant) for terms, constant in rows]


def _over(rows: list[Form], sources: list[Form]) -> list[Form]:
    """Forms over columns when these are forms."""
    return combinations([sorted(row.coefficients.items()) for row in rows], sources, [row.constant for row in rows])


def _independent(values: list[Form]) -> tuple[list[int], dict[int, Form]]:
    """Neurons whose values span all of them, up to constants, ascending; and the others as forms over the places of these."""
    remaining = set(range(len(values)))
    chosen = list[int]()
    users: dict[int, set[int]] = {}
    for i, form in enumerate(values):
        for symbol in form.coefficients:
            users.setdefault(symbol, set()).add(i)
    # whoever alone has a symbol is independent of the rest, and the rest of it
    alone = [symbol for symbol, neurons in users.items() if len(neurons) == 1]
    while alone:
        neurons = users[alone.pop()]
        if not neurons:
            continue
        (i,) = neurons
        chosen.append(i)
        remaining.discard(i)
        for symbol in values[i].coefficients:
            users[symbol].discard(i)
            if len(users[symbol]) == 1:
                alone.append(symbol)
    candidates = sorted(remaining)
    if not candidates:
        return sorted(chosen), {}
    present = sorted({s for i in candidates for s in values[i].coefficients})
    if not present:
        return sorted(chosen), {i: Form({}, values[i].constant) for i in candidates}
    table = fmpq_mat(len(present), len(candidates), [values[i].coefficients.get(s, ZERO) for s in present for i in candidates])
    reduced, rank = table.rref()
    kept = pivots(reduced, rank)
    chosen = sorted(chosen + [candidates[pivot] for pivot in kept])
    place = {i: k for k, i in enumerate(chosen)}
    dependent: dict[int, Form] = {}
    for j, i in enumerate(candidates):
        if j not in kept:
            parts = {candidates[pivot]: reduced[row, j] for row, pivot in enumerate(kept) if reduced[row, j] != 0}
            constant = values[i].constant - sum((c * values[k].constant for k, c in parts.items()), ZERO)
            dependent[i] = Form({place[k]: c for k, c in parts.items()}, constant)
    return chosen, dependent


def _normal_order(rows: list[Form]) -> list[tuple[Form, int, fmpq]]:
    """Rows as integers without common factor, in lexicographic order; of each the index and the factor that it had."""
    keyed = list[tuple[list[tuple[int, fmpq]], fmpq, int, fmpq]]()
    for i, row in enumerate(rows):
        entries = [*row.coefficients.values(), row.constant]
        denominator = common_denominator(entries)
        content = fmpz(0)
        for entry in entries:
            content = content.gcd((entry * denominator).p)
        scale = fmpq(denominator, content) if content != 0 else fmpq(1)
        keyed.append((sorted((k, c * scale) for k, c in row.coefficients.items()), row.constant * scale, i, scale))
    return [(Form(dict(terms), constant), i, scale) for terms, constant, i, scale in sorted(keyed)]


def _live(layers: list[list[Form]]) -> list[list[Form]]:
    """The neurons on which an output depends; the last layer alone if it depends on none."""
    result = [layers[-1]]
    for layer in layers[-2::-1]:
        used = sorted({k for row in result[0] for k in row.coefficients})
        if not used:
            return result
        place = {k: new for new, k in enumerate(used)}
        result[0] = [Form({place[k]: c for k, c in row.coefficients.items()}, row.constant) for row in result[0]]
        result.insert(0, [layer[k] for k in used])
    return result


def _network(layers: list[list[Form]], network: FullyConnected) -> FullyConnected:
    weights, biases, width = [], [], network.widths[0]
    for rows in layers:
        entries = np.full((len(rows), width), ZERO, dtype=object)
        for i, row in enumerate(rows):
            for k, coefficient in row.coefficients.items():
                entries[i, k] = coefficient
        weights.append(entries)
        biases.append(read_only([row.constant for row in rows], (len(rows),)))
        width = len(rows)
    return FullyConnected(weights, biases, network.activation.as_exact())
