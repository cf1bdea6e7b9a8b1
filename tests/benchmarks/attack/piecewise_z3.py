"""Ranges, signs and equality of random small networks, against Z3. Run by hand: a minute.

    pip install z3-solver
    python tests/benchmarks/attack/piecewise_z3.py [--count 300] [--seed 0]

Networks have one to three inputs, one to three layers of up to four neurons, slopes of any sign, and small rationals for
weights, half of them floats; the polytopes are boxes, and boxes that are cut. Z3 is asked, in linear rational arithmetic,

* whether an output exceeds the bounds that `range_over` proves (it must not), and reaches them where they are exact (it must);
* whether an output is negative, as `is_nonnegative` says;
* whether two networks differ, as `equal` says: a network and itself rewritten (neurons split, scaled and permuted), and with a
  kink moved by a thousandth.

The table counts the questions and the answers that differ; the status is 1 where one does.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import z3

from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import fraction, rationals
from verify.piecewise import Polytope, equal, is_nonnegative, range_over


def _number(value: Any) -> Any:
    exact = fraction(value)
    return z3.RatVal(exact.numerator, exact.denominator)


def random_network(rng: np.random.Generator, inputs: int) -> FullyConnected:
    """Weights are quarters, some of them zero."""
    widths = [inputs, *rng.integers(1, 5, size=rng.integers(0, 3)).tolist(), int(rng.integers(1, 3))]
    weights = [rng.integers(-6, 7, size=(n, m)) / 4 for m, n in itertools.pairwise(widths)]
    biases = [rng.integers(-6, 7, size=n) / 4 for n in widths[1:]]
    slopes = [(1, 0), (1, -1), (1, Fraction(1, 4)), (2, -1), (Fraction(-1, 2), 1)][rng.integers(0, 5)]
    network = FullyConnected([rationals(w) for w in weights], [rationals(b) for b in biases], HomogeneousActivation(*slopes))
    return network.as_float() if rng.random() < 0.5 else network


def random_polytope(rng: np.random.Generator, inputs: int) -> Polytope:
    """A box, every other time cut by a plane that leaves its middle."""
    lower = rng.integers(-4, 1, size=inputs) / 2
    upper = lower + rng.integers(1, 5, size=inputs) / 2
    normals, offsets = [*np.eye(inputs), *-np.eye(inputs)], [*upper, *-lower]
    if rng.random() < 0.5:
        row = rng.integers(-2, 3, size=inputs).astype(float)
        if row.any():
            normals.append(row)
            offsets.append(float(row @ (lower + upper) / 2) + 0.25)
    return Polytope.from_inequalities(np.array(normals), np.array(offsets))


def rewritten(rng: np.random.Generator, network: FullyConnected) -> FullyConnected:
    """The same function: a neuron is halved, its halves are scaled by 2 and 1/2, and the first hidden layer is permuted."""
    exact = network.as_exact()
    weights, biases = [np.array(w) for w in exact.weights], [np.array(b) for b in exact.biases]
    if len(weights) < 2:
        return exact
    first, after = weights[0], weights[1]
    k, order = int(rng.integers(0, len(first))), rng.permutation(len(first) + 1)
    rows = np.concatenate([first, first[k : k + 1] * 2])[order]
    shifts = np.concatenate([biases[0], biases[0][k : k + 1] * 2])[order]
    columns = np.concatenate([after, after[:, k : k + 1] / 4], axis=1)
    columns[:, k] = after[:, k] / 2
    return FullyConnected([rows, columns[:, order], *weights[2:]], [shifts, *biases[1:]], exact.activation)


def with_a_kink_moved(network: FullyConnected) -> FullyConnected:
    """The bias of the first neuron is a thousandth larger."""
    biases = [np.array(b) for b in network.as_exact().biases]
    biases[0][0] += rationals([[Fraction(1, 1000)]])[0, 0]
    return FullyConnected(network.as_exact().weights, biases, network.as_exact().activation)


class Question:
    """The inputs in the polytope, and networks of them."""

    def __init__(self, polytope: Polytope) -> None:
        self.solver = z3.SolverFor("QF_LRA")
        self.x = [z3.Real(f"x{i}") for i in range(polytope.normals.shape[1])]
        for row, offset in zip(polytope.normals, polytope.offsets, strict=True):
            self.solver.add(z3.Sum([_number(a) * x for a, x in zip(row, self.x, strict=True)]) <= _number(offset))
        self._networks = 0

    def outputs(self, network: FullyConnected) -> list[Any]:
        """The outputs, as terms."""
        exact, values = network.as_exact(), self.x
        self._networks += 1
        positive, negative = (_number(slope) for slope in (exact.activation.positive, exact.activation.negative))
        for layer, (weight, bias) in enumerate(zip(exact.weights, exact.biases, strict=True)):
            sums = [
                z3.Sum([_number(w) * v for w, v in zip(row, values, strict=True)]) + _number(b)
                for row, b in zip(weight, bias, strict=True)
            ]
            if layer == exact.depth - 1:
                return sums
            values = [z3.Real(f"h{self._networks}_{layer}_{i}") for i in range(len(sums))]
            self.solver.add(*[h == z3.If(s >= 0, positive * s, negative * s) for h, s in zip(values, sums, strict=True)])
        raise AssertionError

    def possible(self, condition: Any) -> bool:
        """Whether a point of the polytope satisfies a condition."""
        answer = self.solver.check(condition)
        assert answer in (z3.sat, z3.unsat), answer
        return bool(answer == z3.sat)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    asked: Counter[str] = Counter()
    wrong: Counter[str] = Counter()

    def compare(what: str, number: int, ours: bool, theirs: bool) -> None:
        asked[what] += 1
        wrong[what] += ours != theirs
        if ours != theirs:
            print(f"network {number}: {what}: {ours} here, {theirs} by Z3")

    for number in range(arguments.count):
        rng = np.random.default_rng([arguments.seed, number])
        inputs = int(rng.integers(1, 4))
        network, polytope = random_network(rng, inputs), random_polytope(rng, inputs)
        question = Question(polytope)
        outputs, found = question.outputs(network), range_over(network, polytope)
        for output, low, high in zip(outputs, found.minima, found.maxima, strict=True):
            compare(
                "beyond the bounds",
                number,
                False,
                question.possible(z3.Or(output > _number(high.upper), output < _number(low.lower))),
            )
            for end in (low, high):
                if end.exact:
                    compare("a bound that is exact is reached", number, True, question.possible(output == _number(end.lower)))
        negative = question.possible(z3.Or([output < 0 for output in outputs]))
        compare("negative somewhere", number, not is_nonnegative(network, polytope), negative)
        for what, other in (("rewritten", rewritten(rng, network)), ("a kink moved", with_a_kink_moved(network))):
            both = Question(polytope)
            pairs = zip(both.outputs(network), both.outputs(other), strict=True)
            differ = both.possible(z3.Or([left != right for left, right in pairs]))
            compare(f"different: {what}", number, not equal(network, other, polytope), differ)
    print(f"seed {arguments.seed}, {arguments.count} networks")
    for what, count in asked.items():
        print(f"{what:36}{count:6} asked{wrong[what]:6} differ")
    return int(wrong.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
