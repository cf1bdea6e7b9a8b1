"""How fast cells are found, beside exact splitting and peers: run by hand, `python tests/benchmarks/piecewise.py [NAME ...]`.

Peers are run in environments of their own, named by `--python`, for instance

    python3 -m venv z3 && z3/bin/pip install z3-solver
    python tests/benchmarks/piecewise.py equality --python z3=z3/bin/python

with the names z3 (package z3-solver), highspy and relucent. All seconds shown are processor time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from flint import fmpq
from rich.console import Console
from rich.table import Table
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix

from verify.networks import FullyConnected
from verify.piecewise import Polytope, equal, float_cells, linear_regions, range_over
from verify.piecewise.certificates import existing, jacobian_ranks, lipschitz_constant

DATA = Path(__file__).parents[1] / "data" / "piecewise"
PEERS = Path(__file__).with_name("piecewise_peers.py")
LIMIT = 120
"""Seconds of processor time after which a peer is stopped."""

EXACT = 3000
"""Largest number of cells that are found exactly, too."""


def timed(call):
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def by_peer(options, name, task, what):
    """Answer and seconds of a peer, as text."""
    if name not in options.python:
        return "-"
    done = subprocess.run(
        [options.python[name], PEERS, task],
        input=json.dumps(what),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
    )
    if done.returncode < 0:
        return f"stopped after {LIMIT} s"
    if done.returncode:
        return done.stderr.strip().splitlines()[-1][:40]
    answer = json.loads(done.stdout.splitlines()[-1])
    return f"{answer['answer']}: {answer['seconds']:.2f}"


def as_lists(network):
    return {"weights": [w.tolist() for w in network.weights], "biases": [b.tolist() for b in network.biases]}


def load(folder, file, hidden=None):
    """A network of the data folder; with its first `hidden` layers only, and their first neuron as output."""
    arrays = np.load(DATA / folder / file)
    count = len(arrays.files) // 2
    weights, biases = [arrays[f"W{k}"] for k in range(count)], [arrays[f"b{k}"] for k in range(count)]
    if hidden is not None:
        weights, biases = [*weights[:hidden], weights[hidden][:1]], [*biases[:hidden], biases[hidden][:1]]
    return FullyConnected(weights, biases)


def cube(network):
    d = network.widths[0]
    return Polytope.box([-1] * d, [1] * d)


def known():
    """Folder, file and number of cells, from few to many."""
    entries = [
        (folder, entry["net"], entry["value"])
        for folder in ("random_networks", "larger_networks")
        for entry in json.loads((DATA / folder / "index.json").read_text())
    ]
    return sorted(entries, key=lambda entry: entry[2])


def cells(options):
    table = Table(
        "network", "cells", "float", "cells/s", "proved", "cells/s", "volumes", "existing", "ranks", "exact", "cells/s"
    )
    rows = [(file.removesuffix(".npz"), load(folder, file), expected) for folder, file, expected in known()]
    # a size between the others, for which there is no count by another program
    rows.insert(-5, ("rand_d2_w100_L10, first 5", load("larger_networks", "rand_d2_w100_L10.npz", 5), None))
    for name, network, expected in rows:
        if expected is not None and expected > options.largest:
            continue
        domain = cube(network)
        _, seconds = timed(lambda n=network, p=domain: float_cells(n, p, prove=False))
        found, proved = timed(lambda n=network, p=domain: float_cells(n, p))
        expected = expected or found.count
        right = found.count == expected
        _, volumes = timed(lambda f=found: f.volumes)
        exist, balls = timed(lambda f=found: existing(f).sum())
        _, ranks = timed(lambda f=found: jacobian_ranks(f))
        exact = None
        if expected <= EXACT:
            counted, exact = timed(lambda n=network, p=domain: sum(1 for _ in linear_regions(n, p)))
            right &= counted == expected
        table.add_row(
            name,
            f"{found.count}{'' if right and exist == expected else ' WRONG'}",
            *(f"{seconds:.3f}", f"{expected / seconds:,.0f}", f"{proved:.3f}", f"{expected / proved:,.0f}"),
            *(f"{volumes:.3f}", f"{balls:.3f}", f"{ranks:.3f}"),
            *(("-", "-") if exact is None else (f"{exact:.2f}", f"{expected / exact:,.0f}")),
        )
    return table


def deep(options):  # noqa: ARG001
    table = Table("hidden layers", "cells", "not proved: s", "proved: s", "vertices", "in integers")
    for hidden in (10, 20, 25, 30):
        network = random_network(0, 2, 20, hidden, unit=None)
        _, seconds = timed(lambda n=network: float_cells(n, cube(n), prove=False))
        found, proved = timed(lambda n=network: float_cells(n, cube(n)))
        counts = str(len(found.vertices)), str(len(found.proof.in_integers))
        table.add_row(str(hidden), str(found.count), f"{seconds:.2f}", f"{proved:.2f}", *counts)
    return table


def random_network(seed, inputs, width, hidden, unit=64):
    """Parameters in multiples of 1/64, so that the peers' rationals are short; without a unit, in doubles."""
    random = np.random.default_rng(seed)
    widths = (inputs, *[width] * hidden, 1)
    weights = [random.standard_normal((n, m)) * math.sqrt(2 / m) for m, n in itertools.pairwise(widths)]
    biases = [random.uniform(-0.5, 0.5, n) for n in widths[1:]]
    if unit is None:
        return FullyConnected(weights, biases)
    return FullyConnected(*([np.round(unit * x) / unit for x in arrays] for arrays in (weights, biases)))


def rearranged(network, seed):
    """The same function: hidden neurons permuted and rescaled, an identity layer inserted."""
    random = np.random.default_rng(seed)
    weights, biases = list(network.weights), list(network.biases)
    for layer in range(network.depth - 1):
        order = random.permutation(len(biases[layer]))
        scale = 2.0 ** random.integers(-2, 3, len(order))
        weights[layer], biases[layer] = weights[layer][order] * scale[:, None], biases[layer][order] * scale
        weights[layer + 1] = weights[layer + 1][:, order] / scale
    return FullyConnected(weights, biases).insert_identity_layers(1, 1)


def one_positive(network):
    """The network whose first neuron of the second layer has one positive weight and no positive bias."""
    weights, biases = [w.copy() for w in network.weights], [b.copy() for b in network.biases]
    weights[1][0] = -np.abs(weights[1][0])
    weights[1][0, 0] = np.abs(weights[1][0]).sum()
    biases[1][0] = -np.abs(biases[1][0]) / 4
    return FullyConnected(weights, biases)


def unfolded(network):
    """The same function on the cube as `network`, one of `one_positive`, from another first layer.

    Where relu(u) is the only positive term of a pre-activation, u will do: for u < 0 the neuron is at zero with both. The first
    layer passes u on as relu(u + s) - s.
    """
    weights, biases = list(network.weights), list(network.biases)
    shift = 2.0 ** math.ceil(math.log2(np.abs(weights[0][0]).sum() + abs(biases[0][0])))
    weights[0] = np.concatenate([weights[0], weights[0][:1]])
    biases[0] = np.concatenate([biases[0], biases[0][:1] + shift])
    passed = np.zeros((len(biases[1]), 1))
    weights[1], biases[1] = np.concatenate([weights[1], passed], axis=1), biases[1].copy()
    weights[1][0, -1], weights[1][0, 0] = weights[1][0, 0], 0
    biases[1][0] -= shift * weights[1][0, -1]
    return FullyConnected(weights, biases)


def moved(network):
    """Another function: a bias of the first layer plus 1/1024."""
    biases = [bias.copy() for bias in network.biases]
    biases[0][1] += 2.0**-10
    return FullyConnected(network.weights, biases)


def equality(options):
    table = Table("network", "second network", "equal: s", "by", "cells", "z3: s")
    for inputs, width, hidden in ((2, 10, 2), (2, 10, 3), (2, 20, 3), (3, 10, 3)):
        network = one_positive(random_network(0, inputs, width, hidden))
        others = {"rearranged": rearranged(network, 1), "unfolded": unfolded(network), "moved": moved(unfolded(network))}
        for name, other in others.items():
            answer, seconds = timed(lambda f=network, g=other: equal(f, g, cube(f)))
            peer = by_peer(options, "z3", "z3_equal", {"networks": [as_lists(network), as_lists(other)]})
            word = "equal" if answer else "different"
            row = f"{inputs}-{width}-{hidden}", name, f"{word}: {seconds:.3f}", answer.method, str(answer.regions), peer
            table.add_row(*row)
    return table


def ranges(options):
    table = Table("network", "cells", "range_over: s", "by")
    for folder, file, expected in known():
        if expected <= options.largest:
            network = load(folder, file)
            found, seconds = timed(lambda n=network: range_over(n, cube(n)))
            methods = {bracket.method for bracket in (*found.minima, *found.maxima) if bracket.exact}
            table.add_row(file.removesuffix(".npz"), str(expected), f"{seconds:.3f}", ", ".join(methods) or "not exact")
    return table


def peers(options):
    table = Table("network", "cells", "float, proved: s", "exact: s", "highspy: s", "relucent: s")
    for folder, file, expected in known()[:3]:
        network = load(folder, file)
        found, seconds = timed(lambda n=network: float_cells(n, cube(n)).count)
        counted, exact = timed(lambda n=network: sum(1 for _ in linear_regions(n, cube(n))))
        task = as_lists(network)
        table.add_row(
            file.removesuffix(".npz"),
            str(expected),
            f"{found}: {seconds:.3f}",
            f"{counted}: {exact:.2f}",
            by_peer(options, "highspy", "highs_cells", task),
            by_peer(options, "relucent", "relucent_cells", task),
        )
    return table


class Programme:
    """A mixed-integer programme that grows: variables by name, rows of inequalities."""

    def __init__(self):
        self.lower, self.upper, self.integral, self.rows, self.sides = [], [], [], [], []

    def variables(self, lower, upper, *, integral=False):
        start = len(self.lower)
        self.lower += list(lower)
        self.upper += list(upper)
        self.integral += [int(integral)] * len(lower)
        return list(range(start, len(self.lower)))

    def at_most(self, terms, bound):
        self.rows.append(terms)
        self.sides.append(bound)

    def equals(self, terms, value):
        self.at_most(terms, value)
        self.at_most([(j, -c) for j, c in terms], -value)

    def maximised(self, objective, limit):
        places = [(i, j, c) for i, row in enumerate(self.rows) for j, c in row]
        rows, columns, values = zip(*places, strict=True)
        matrix = coo_matrix((values, (rows, columns)), shape=(len(self.rows), len(self.lower))).tocsr()
        cost = np.zeros(len(self.lower))
        cost[objective] = -1
        return milp(
            cost,
            integrality=self.integral,
            bounds=Bounds(self.lower, self.upper),
            constraints=LinearConstraint(matrix, -np.inf, self.sides),
            options={"time_limit": limit},
        )


def interval(matrix, low, high):
    positive, negative = np.maximum(matrix, 0), np.minimum(matrix, 0)
    return positive @ low + negative @ high, positive @ high + negative @ low


def lipschitz_programme(network, limit):
    """Largest 1-norm of the gradient of a ReLU network of one output on the cube, by mixed-integer programming."""
    programme = Programme()
    low, high = -np.ones(network.widths[0]), np.ones(network.widths[0])
    inputs = programme.variables(low, high)
    switches = []
    for weight, bias in zip(network.weights[:-1], network.biases[:-1], strict=True):
        low, high = (side + bias for side in interval(weight, low, high))
        values = programme.variables(np.maximum(low, 0), np.maximum(high, 0))
        switch = programme.variables((low > 0) * 1.0, (high > 0) * 1.0, integral=True)
        for i, row in enumerate(weight):
            sums = list(zip(inputs, row, strict=True))
            programme.at_most([*sums, (values[i], -1.0)], -bias[i])
            programme.at_most([(values[i], 1.0), (switch[i], -max(high[i], 0.0))], 0.0)
            programme.at_most(
                [(values[i], 1.0), *((j, -c) for j, c in sums), (switch[i], -min(low[i], 0.0))], bias[i] - min(low[i], 0.0)
            )
        low, high = np.maximum(low, 0), np.maximum(high, 0)
        inputs = values
        switches.append(switch)
    low = high = network.weights[-1][0]
    gradient = programme.variables(low, high)
    for weight, switch in zip(network.weights[-2::-1], switches[::-1], strict=True):
        passed_low, passed_high = np.minimum(low, 0), np.maximum(high, 0)
        passed = programme.variables(passed_low, passed_high)
        for i in range(len(switch)):
            for sign, bound in ((1.0, high[i]), (-1.0, -low[i])):
                programme.at_most([(passed[i], sign), (switch[i], -max(bound, 0.0))], 0.0)
            for sign, bound in ((1.0, min(low[i], 0.0)), (-1.0, -max(high[i], 0.0))):
                programme.at_most([(passed[i], sign), (gradient[i], -sign), (switch[i], -bound)], -bound)
        low, high = interval(weight.T, passed_low, passed_high)
        gradient = programme.variables(low, high)
        for i, row in enumerate(weight.T):
            programme.equals([(gradient[i], 1.0), *((j, -c) for j, c in zip(passed, row, strict=True))], 0.0)
    reach = np.maximum(-low, high)
    sizes = programme.variables(np.zeros(len(low)), reach)
    sides = programme.variables(np.zeros(len(low)), np.ones(len(low)), integral=True)
    for i in range(len(low)):
        programme.at_most([(sizes[i], 1.0), (gradient[i], -1.0), (sides[i], 2 * reach[i])], 2 * reach[i])
        programme.at_most([(sizes[i], 1.0), (gradient[i], 1.0), (sides[i], -2 * reach[i])], 0.0)
    return programme.maximised(sizes, limit)


def lipschitz(options):
    table = Table("network", "cells", "constant from cells", "s", "milp: value", "bound", "s")
    for name, hidden in (("rand_d2_w10_L3", None), ("rand_d3_w10_L3", None), ("rand_d2_w20_L3", None)):
        network = load("random_networks", f"{name}.npz", hidden)
        found, seconds = timed(lambda n=network: float_cells(n, cube(n)))
        bracket, more = timed(lambda f=found: lipschitz_constant(f, math.inf))
        answer, programme = timed(lambda n=network: lipschitz_programme(n, options.limit))
        value = "-" if answer.fun is None else f"{-answer.fun:.9f}"
        bound = "-" if answer.mip_dual_bound is None else f"{-answer.mip_dual_bound:.9f}"
        table.add_row(
            name, str(found.count), f"{decimal(bracket.upper)}", f"{seconds + more:.3f}", value, bound, f"{programme:.2f}"
        )
    return table


def decimal(value: fmpq) -> str:
    return f"{int(value.p) / int(value.q):.9f}"


def sizes(options):  # noqa: ARG001
    table = Table(
        "hidden layers", "vertices, doubles: bits", "affine maps, doubles: bits", "vertices, 8 bits", "affine maps, 8 bits"
    )
    for hidden in (1, 2, 3, 5, 7, 10):
        row = [str(hidden)]
        doubles = load("larger_networks", "rand_d2_w20_L10.npz", hidden)
        short = FullyConnected(*([np.round(64 * x) / 64 for x in arrays] for arrays in (doubles.weights, doubles.biases)))
        for network in (doubles, short):
            domain = Polytope.box([0, 0], [0.25, 0.25])
            regions = list(itertools.islice(linear_regions(network, domain), 100))
            row.append(str(max(bits(x) for region in regions for x in region.polytope.vertices.flat)))
            row.append(str(max(bits(x) for region in regions for x in [*region.matrix.flat, *region.offset])))
        table.add_row(*row)
    return table


def bits(value: fmpq) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


TABLES = {one.__name__: one for one in (cells, deep, ranges, equality, peers, lipschitz, sizes)}


def python_of(text):
    name, _, path = text.partition("=")
    if name not in ("z3", "highspy", "relucent") or not path:
        raise argparse.ArgumentTypeError(f"expected z3=PATH, highspy=PATH or relucent=PATH, got {text!r}")
    return name, path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TABLES))
    parser.add_argument("--python", action="append", type=python_of, default=[], metavar="PEER=PATH")
    parser.add_argument("--largest", type=int, default=100_000, help="number of cells above which networks are left out")
    parser.add_argument("--limit", type=float, default=300, help="seconds on the clock for a mixed-integer programme")
    given = parser.parse_args()
    given.python = dict(given.python)
    if unknown := set(given.names) - set(TABLES):
        sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(TABLES)}")
    for name in given.names or TABLES:
        Console(width=160).print(name, TABLES[name](given))
