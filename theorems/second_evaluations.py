"""Evaluates refuted statements a second time at their witnesses: this file imports nothing of the package it belongs to.

    python theorems/second_evaluations.py theorems/witnesses/*.json

It prints a line for each file and ends with the status 0 if every statement is false at its witness, 1 if one is not or a file
is no witness, 2 if one cannot be read, and else 3 if a statement is not evaluated here.

Each function of `SECOND` is a statement as its document prints it, written from the document, not from the library. It returns
whether the coordinates satisfy the hypotheses and violate what is printed. All numbers are rationals; roots, logarithms and
exponentials are pairs of rationals that they lie between. What it trusts is the meaning of the coordinates: which of them is an
input and which a weight. "Wording" tells where the refutation rests on the letter of a sentence, or on one of its readings.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

LARGEST_FILE = 2**16
"""Bytes of a file: the witnesses of the catalogue have below a thousand."""
LONGEST = 200
"""Digits of a numerator or a denominator: those of the catalogue have below sixty."""
LARGEST_SIZE = 64
LARGEST_EXPONENT = 2**16
"""Of an exponential."""
BITS = 128
"""Bits behind the point of what bounds roots, logarithms and exponentials."""

Row = list[Fraction]
Matrix = list[Row]
Coordinates = Mapping[str, Any]
"""Rationals, rows and matrices by name; the sizes of the instance, integers, as ``sizes.name``."""
Bounds = tuple[Fraction, Fraction]
"""A lower and an upper bound of a real number."""

SECOND: dict[str, Callable[[Coordinates], bool]] = {}
"""What is evaluated here: the identifier of the claim, and its statement."""


class Rejected(ValueError):
    """The statement is not false there, or the file is no witness."""


class NotChecked(Exception):
    """The statement is not evaluated here."""


def refutes(*claims: str) -> Callable[[Callable[[Coordinates], bool]], Callable[[Coordinates], bool]]:
    """A function that is the statement of these claims."""

    def kept(statement: Callable[[Coordinates], bool]) -> Callable[[Coordinates], bool]:
        SECOND.update(dict.fromkeys(claims, statement))
        return statement

    return kept


# Matrices, as lists of rows.


def dot(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """The inner product."""
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def transposed(A: Sequence[Sequence[Fraction]]) -> Matrix:
    """The transpose."""
    return [list(column) for column in zip(*A, strict=True)]


def product(A: Matrix, B: Matrix) -> Matrix:
    """The product."""
    return [[dot(row, column) for column in zip(*B, strict=True)] for row in A]


def applied(A: Matrix, x: Row) -> Row:
    """A matrix times a vector."""
    return [dot(row, x) for row in A]


def plus(A: Matrix, B: Matrix, factor: Fraction | int = 1) -> Matrix:
    """A + factor B."""
    return [[a + factor * b for a, b in zip(p, q, strict=True)] for p, q in zip(A, B, strict=True)]


def scaled(A: Matrix, factor: Fraction | int) -> Matrix:
    """A number times a matrix."""
    return [[factor * a for a in row] for row in A]


def inner(A: Matrix, B: Matrix) -> Fraction:
    """Tr[A B^T]."""
    return sum((dot(p, q) for p, q in zip(A, B, strict=True)), Fraction(0))


def square(A: Matrix) -> Fraction:
    """The square of the Frobenius norm."""
    return inner(A, A)


def gram(A: Matrix) -> Matrix:
    """A^T A."""
    return product(transposed(A), A)


def diagonal(values: Sequence[Fraction]) -> Matrix:
    """A diagonal matrix."""
    return [[value if i == j else Fraction(0) for j in range(len(values))] for i, value in enumerate(values)]


def unit(n: int) -> Matrix:
    """The identity."""
    return diagonal([Fraction(1)] * n)


def eliminated(A: Matrix) -> tuple[Matrix, list[int]]:
    """The reduced echelon form, and the columns of its pivots."""
    rows, pivots = [list(row) for row in A], list[int]()
    for column in range(len(rows[0]) if rows else 0):
        here = len(pivots)
        found = next((i for i in range(here, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[here], rows[found] = rows[found], rows[here]
        rows[here] = [value / rows[here][column] for value in rows[here]]
        for i, row in enumerate(rows):
            if i != here:
                rows[i] = [a - row[column] * b for a, b in zip(row, rows[here], strict=True)]
        pivots.append(column)
    return rows, pivots


def rank(A: Matrix) -> int:
    """The rank."""
    return len(eliminated(A)[1])


def inverse(A: Matrix) -> Matrix:
    """The inverse."""
    rows, pivots = eliminated([row + one for row, one in zip(A, unit(len(A)), strict=True)])
    if pivots != list(range(len(A))):
        raise Rejected("a matrix is singular that the second evaluation inverts")
    return [row[len(A) :] for row in rows]


def right_inverse(A: Matrix) -> Matrix:
    """The pseudo-inverse of a matrix with independent rows."""
    return product(transposed(A), inverse(product(A, transposed(A))))


def number(A: Matrix) -> Fraction:
    """The entry of a matrix that has only one."""
    if len(A) != 1 or len(A[0]) != 1:
        raise Rejected("the second evaluation is for one neuron and one point only")
    return A[0][0]


def rectified(A: Matrix, slope: Fraction | int = 0) -> Matrix:
    """The ReLU, or the activation with that slope below zero, of every entry."""
    return [[a if a >= 0 else slope * a for a in row] for row in A]


def with_ones(A: Matrix) -> Matrix:
    """The matrix with a row of ones below it."""
    return [*A, [Fraction(1)] * len(A[0])]


def features(A: Matrix) -> Matrix:
    """sigma(A) of the leaky ResNets: the ReLU, and a row of ones."""
    return with_ones(rectified(A))


def kernel_square(M: Matrix, K: Matrix) -> Fraction:
    """Tr[M K^-1 M^T]."""
    return inner(product(M, inverse(K)), M)


def nonnegative(A: Matrix) -> bool:
    """Whether no entry is negative."""
    return all(a >= 0 for row in A for a in row)


def rotation(chart: Row, n: int) -> Matrix:
    """The orthogonal matrix (I - K)(I + K)^-1, where the skew matrix K has the chart above its diagonal."""
    skew = scaled(unit(n), 0)
    for (i, j), value in zip(itertools.combinations(range(n), 2), chart, strict=True):
        skew[i][j], skew[j][i] = value, -value
    return product(plus(unit(n), skew, -1), inverse(plus(unit(n), skew)))


# Bounds of real numbers.


def root(x: Fraction | int) -> Bounds:
    """Of the square root."""
    below = math.isqrt(math.floor(Fraction(x) * 4**BITS))
    return Fraction(below, 2**BITS), Fraction(below + 1, 2**BITS)


def _beside(x: Fraction) -> Bounds:
    """Of a number itself: short rationals beside it, on both sides."""
    shift = 2 * BITS - x.numerator.bit_length() + x.denominator.bit_length()
    scale = Fraction(2) ** shift
    return math.floor(x * scale) / scale, math.ceil(x * scale) / scale


def _series_of_log(x: Fraction) -> Bounds:
    """Of log x for x between 1/2 and 2: twice the series of z + z^3/3 + ... for z = (x - 1)/(x + 1)."""
    z = (x - 1) / (x + 1)
    terms = BITS // 3
    total = 2 * sum((z ** (2 * i + 1) / (2 * i + 1) for i in range(terms)), Fraction(0))
    rest = 2 * abs(z) ** (2 * terms + 1) / (1 - z * z)
    return total - rest, total + rest


def log(x: Fraction | int) -> Bounds:
    """Of the logarithm of a positive number."""
    x = Fraction(x)
    twos = x.numerator.bit_length() - x.denominator.bit_length()
    below, above = _beside(x / Fraction(2) ** twos)
    ends = [twos * one for one in _series_of_log(Fraction(2))]
    return _series_of_log(below)[0] + min(ends), _series_of_log(above)[1] + max(ends)


def exp(x: Fraction) -> Bounds:
    """Of the exponential: the series at x over a power of two, squared as often."""
    if abs(x) > LARGEST_EXPONENT:
        raise Rejected("the exponential of a number that no witness has")
    halvings = max(0, math.ceil(abs(x)).bit_length())
    low, high = (_series_of_exp(end / 2**halvings) for end in _beside(x)) if x else ((Fraction(1),) * 2,) * 2
    below, above = low[0], high[1]
    for _ in range(halvings):
        below, above = _beside(below * below)[0], _beside(above * above)[1]
    return below, above


def _series_of_exp(z: Fraction) -> Bounds:
    """Of the exponential of what lies between -1 and 1."""
    terms = BITS // 4
    total = sum((z**i / math.factorial(i) for i in range(terms)), Fraction(0))
    rest = 2 * abs(z) ** terms / math.factorial(terms)
    return total - rest, total + rest


# Fully connected networks.


@dataclass(frozen=True)
class Network:
    """Weights and biases; the activation has this slope below zero, and the output layer none."""

    weights: list[Matrix]
    biases: list[Row]
    slope: Fraction

    @classmethod
    def of(cls, at: Coordinates, name: str, slope: Fraction | int = 0) -> Network:
        """The network with the weights ``name.W1``, ``name.W2``, ... and the biases ``name.b1``, ..., where there are any."""
        numbers = list(itertools.takewhile(lambda i: f"{name}.W{i}" in at, itertools.count(1)))
        weights = [at[f"{name}.W{i}"] for i in numbers]
        biases = [at.get(f"{name}.b{i}", [Fraction(0)] * len(weights[i - 1])) for i in numbers]
        return cls(weights, biases, Fraction(at.get(f"{name}.slope", slope)))

    @property
    def depth(self) -> int:
        """The number of layers."""
        return len(self.weights)

    @property
    def square(self) -> Fraction:
        """The squared norm of all parameters."""
        return sum(map(square, self.weights), square(self.biases))

    def preactivations(self, x: Row) -> list[Row]:
        """What enters the neurons of the layers 1 to L; the last is the output."""
        found, value = list[Row](), x
        for weight, bias in zip(self.weights, self.biases, strict=True):
            found.append([a + b for a, b in zip(applied(weight, value), bias, strict=True)])
            value = rectified([found[-1]], self.slope)[0]
        return found

    def activations(self, x: Row) -> list[Row]:
        """What leaves the layers 0 to L - 1."""
        return [x, *rectified(self.preactivations(x)[:-1], self.slope)]

    def __call__(self, x: Row) -> Row:
        """The value."""
        return self.preactivations(x)[-1]

    def slopes(self, x: Row) -> list[Row]:
        """The derivatives of the activations of the layers 1 to L - 1."""
        hidden = self.preactivations(x)[:-1]
        if any(value == 0 for row in hidden for value in row):
            raise Rejected("a hidden neuron is at its kink")
        return [[Fraction(1) if value > 0 else self.slope for value in row] for row in hidden]

    def before(self, x: Row) -> list[Matrix]:
        """The Jacobians of the pre-activations of the layers 1 to L by the input; the last is that of the network."""
        found = [self.weights[0]]
        for weight, slopes in zip(self.weights[1:], self.slopes(x), strict=True):
            found.append(product(weight, product(diagonal(slopes), found[-1])))
        return found

    def behind(self, x: Row) -> list[Matrix]:
        """The Jacobians of the output by the pre-activations of the layers 1 to L."""
        found = [unit(len(self.weights[-1]))]
        for weight, slopes in zip(self.weights[:0:-1], self.slopes(x)[::-1], strict=True):
            found.append(product(found[-1], product(weight, diagonal(slopes))))
        return found[::-1]

    def gradients(self, x: Row) -> Matrix:
        """For each output its derivatives by all parameters: the neural tangent kernel is their Gram matrix."""
        outputs: Matrix = [[] for _ in self.weights[-1]]
        for values, jacobian in zip(self.activations(x), self.behind(x), strict=True):
            for found, row in zip(outputs, jacobian, strict=True):
                found += [slope * value for slope in row for value in [*values, Fraction(1)]]
        return outputs

    def is_balanced(self) -> bool:
        """Whether every hidden neuron has as much squared weight and bias before it as weight behind it."""
        pairs = zip(self.weights, self.biases, self.weights[1:], strict=False)
        return all(
            [dot(row, row) + b * b for row, b in zip(weight, bias, strict=True)]
            == [dot(c, c) for c in zip(*after, strict=True)]
            for weight, bias, after in pairs
        )


def more_than_a_share(values: Sequence[Fraction], bound: Callable[[int], Fraction]) -> bool:
    """Whether, for some j, the j largest values are all above bound(j).

    "At least (1 - p)L layers are at most b(p)", for all p in (0, 1), fails where j layers are above b(j/L): they are also above
    b(p) for a p a little smaller, as b is continuous, and j > pL.
    """
    return any(value > bound(j) for j, value in enumerate(sorted(values, reverse=True), start=1))


# bottleneck_structure, "Bottleneck Structure in Learned Features". The talk of the same author counts to it.


@refutes("bottleneck_structure.completely_positive_domains.printed")
def isometric_embedding(at: Coordinates) -> bool:
    """Theorem 3 (3), main text: a set is completely positive if it "can be embedded isometrically" into an orthant.

    The proof needs the inner products of vectors without negative entries. A translation is an isometry. Wording: Theorem 11
    asks for a linear one.
    """
    moved = [[x + shift for x, shift in zip(point, at["shift"], strict=True)] for point in at["X"]]
    return nonnegative(moved) and not nonnegative(gram(transposed(at["X"])))


@refutes("bottleneck_structure.corollary_8.display.printed")
def average_activations(at: Coordinates) -> bool:
    """After Theorem 16: for Tr Theta(X, X) <= cNL at least (1 - p)L layers have a mean square of the activations of the sample
    of at most c max{1, exp(c1/k)} / (p k |Jf(x)|_+^(2/k)). Wording: x is not bound; here it is a point of the sample.
    """
    flat, near, far, copies = (at[name] for name in ("f.flat", "X.near", "X.far", "copies.copies"))
    one = Fraction(1)
    network = Network([diagonal([one, flat]), [[one, flat]]], [[one * 0] * 2, [one * 0]], one * 0)
    sample = [[near, -near / 64], [-far / 64, far]]
    shares = [copies / (copies + 1), 1 / (copies + 1)]
    steepest = square(network.before(sample[0])[-1])
    if not network.is_balanced() or not all(square(network.before(x)[-1]) for x in sample):
        return False
    trace = dot(shares, [square(network.gradients(x)) for x in sample])
    most = trace * max(one, exp(network.square - network.depth)[1]) / steepest
    values = [[dot(v, v) for v in network.activations(x)] for x in sample]
    return more_than_a_share([dot(shares, column) for column in zip(*values, strict=True)], lambda j: most / j)


@refutes("bottleneck_structure.corollary_8.printed")
def average_kernel(at: Coordinates) -> bool:
    """Corollary 8: for balanced parameters with |theta|^2 <= kL + c1 and Tr Theta(X, X)/N <= cL at least (1 - p)L layers have
    s_{k+1}(preactivations/sqrt N) <= sqrt(c1 - 2 log|Jf(x)|_+) (sqrt(mean of C_i) + sqrt p)/(p sqrt L), where
    C_i = c max{1, exp(c1/k)}/(k |Jf(x_i)|_+^(2/k)). The display is damaged; it is read as its proof has it. k = 1.
    """
    flat, far, one = at["f.flat"], 2**24 * at["X.far"], Fraction(1)
    chains = [one, flat, flat]
    network = Network([diagonal(chains)] * 4 + [[chains]], [[one * 0] * 3] * 4 + [[one * 0]], one / 64)
    places = [at["X.near"], far, far]
    sample = [[place if i == j else -place / 64 for j in range(3)] for i, place in enumerate(places)]
    counts = [10**7 * at["copies.copies"], one, one]
    shares = [count / sum(counts) for count in counts]
    volumes = [square(network.before(x)[-1]) for x in sample]
    if not network.is_balanced() or not all(volumes):
        return False
    excess, depth = network.square - network.depth, network.depth
    budget = excess - log(min(volumes))[0]
    c = dot(shares, [square(network.gradients(x)) for x in sample]) / depth
    mean = dot(shares, [c * max(one, exp(excess)[1]) / volume for volume in volumes])
    values = []
    for rows in list(zip(*map(network.preactivations, sample), strict=True))[:-1]:
        # the second eigenvalue of the Gram matrix is at least the smaller one of a block, which is at least det / trace
        (a, b), (_, d) = ([dot(shares, [x[i] * x[j] for x in rows]) for j in (1, 2)] for i in (1, 2))
        values.append(root((a * d - b * b) / (a + d))[0])
    return more_than_a_share(values, lambda j: root(budget)[1] * (root(mean * depth)[1] + root(j)[1]) / j)


@refutes("bottleneck_structure.homogeneous_activations.printed")
def activation_twice(at: Coordinates) -> bool:
    """The talk, "Deep Neural Networks": alpha_l = sigma(W_l alpha_{l-1} + b_l) and f = W_L sigma(alpha_{L-1}) + b_L.

    It is to be the network of the paper, which applies the activation, of a slope in (-1, 1) below zero, once. Wording: a slip
    in a definition.
    """
    network = Network.of(at, "f")
    twice = rectified([network.activations(at["x"])[-1]], network.slope)[0]
    talk = [a + b for a, b in zip(applied(network.weights[-1], twice), network.biases[-1], strict=True)]
    return network.depth >= 2 and abs(network.slope) < 1 and talk != network(at["x"])


@refutes("bottleneck_structure.narrowness.printed")
def kernel_without_biases(at: Coordinates) -> bool:
    """Proof of Theorem 16: the kernel of a network with biases is the sum over the layers of alpha_{l-1}(x)^T alpha_{l-1}(y)
    times the product of the Jacobians of the output by the pre-activations of the layer.
    """
    network, x, y = Network.of(at, "f"), at["x"], at["y"]
    left, right = network.gradients(x), network.gradients(y)
    found = scaled(product(left, transposed(right)), 0)
    layers = zip(network.activations(x), network.activations(y), network.behind(x), network.behind(y), strict=True)
    for a, b, at_x, at_y in layers:
        found = plus(found, product(at_x, transposed(at_y)), dot(a, b))
    return abs(network.slope) < 1 and product(left, transposed(right)) != found


@refutes("bottleneck_structure.path_length.printed")
def shortest_path(at: Coordinates) -> bool:
    """Proof of Theorem 19: the shortest path through all points is at least half the sum of the distances of each to the
    closest and to the second closest of the others. On a line it goes from end to end.
    """
    points = [number([point]) for point in at["y"]]
    nearest = [sorted(abs(x - y) for other, y in enumerate(points) if other != here)[:2] for here, x in enumerate(points)]
    return max(points) - min(points) < sum(map(sum, nearest), Fraction(0)) / 2


@refutes("bottleneck_structure.prop_13.printed")
def two_jacobians(at: Coordinates) -> bool:
    """Proposition 13: for a C-uniformly Lipschitz sequence of ReLU networks of f and any x, y,
    R1(f) >= log|Jf(x)|_+ + log|Jf(y)|_+ + |Jf(x) - Jf(y)|_*/C^2.

    The layers diag(1, q), q <= 1, have C = 1 and the function (x_1, d sigma(x_2)), d = q^L. It has R0 = 2, so that R1 is at
    most the norm less 2L, for this depth and, as L (d^(2/L) - 1) falls with L, in the limit. At (1, 1) and (1, -1) the volumes
    are d and 1, and the Jacobians differ by d. Wording: that both have the rank R0, as Theorem 11 asks, is not repeated.
    """
    q, depth = at["f.root"], at["sizes.depth"]
    return bool(0 < q <= 1 and depth * (q * q - 1) < log(q**depth)[0] + q**depth)


@refutes("bottleneck_structure.prop_5.last_layer.printed")
def last_representation(at: Coordinates) -> bool:
    """Proof of Proposition 12: where P = W_L A for the Jacobian A of the last hidden layer of a network that is the identity,
    one can write A = W_L^+ P. The network is x -> (x; Gx) -> (I - HG) x + HGx, at positive x.
    """
    G, H, x = at["G"], at["H"], at["x"]
    A = unit(len(x)) + G
    last = [p + q for p, q in zip(plus(unit(len(x)), product(H, G), -1), H, strict=True)]
    is_identity = nonnegative(G) and all(value > 0 for value in x) and product(last, A) == unit(len(x))
    return is_identity and right_inverse(last) != A


@refutes("bottleneck_structure.prop_9.printed")
def bent_kernel(at: Coordinates) -> bool:
    """Proposition 9: at any x the mixed derivative of the kernel has the norm 2L |Jf(x)|^(2 - 2/L) at least.

    One input, one output. In a linear region the kernel is affine in x and in y: its mixed difference over a step is the
    derivative.
    """
    network, step, x = Network.of(at, "f"), Fraction(1, 2**20), at["x"]
    beside = [x[0] + step]
    if len(at["x"]) != 1 or network.slopes(x) != network.slopes(beside):
        return False
    change = plus(network.gradients(beside), network.gradients(x), -1)
    steepness, depth = number(network.before(x)[-1]) ** 2, network.depth
    return steepness > 0 and (square(change) / step**2) ** depth < (2 * depth) ** depth * steepness ** (depth - 1)


@refutes("bottleneck_structure.representation_symmetries.printed")
def rotated_representation(at: Coordinates) -> bool:
    """Section 3.3: representations count up to orthogonal transformations, "which do not affect the representation cost".

    The cost of one layer behind the representation Z that gives Y, min{|W|^2 + |b|^2 : W sigma(Z) + b 1^T = Y}, with U Z for Z.
    """
    Z, slope, Y = at["Z"], at["a"], at["Y"]
    U = rotation(at["U.chart"], len(Z))
    before, after = (kernel_square(Y, gram(with_ones(rectified(each, slope)))) for each in (Z, product(U, Z)))
    return gram(U) == unit(len(Z)) and -1 < slope < 1 and before != after


def cost_of_constant(c: Fraction) -> Fraction:
    """R(c; L) for a constant c >= 0 on a domain that contains 0: c^2 up to 1, then 2c - 1; for c <= 2 if L > 2.

    The cheapest last layer that makes c of a vector of norm g pays c^2/(1 + g^2), so that V_L(c) = min_g c^2/(1 + g^2) +
    V_{L-1}(g) with V_1(g) = g^2. For L = 2 the minimum is at 1 + g^2 = max(1, c). For g >= 1 and c <= 2 the sum grows with g.
    """
    return c * c if c <= 1 else 2 * c - 1


@refutes("bottleneck_structure.theorem_3.addition.printed")
def sum_of_constants(at: Coordinates) -> bool:
    """Theorem 3 (2): R1(f + g) <= R1(f) + R1(g) where R0(f + g) = R0(f) + R0(g). For constants, of which R0 = 0, on a domain
    that contains 0; their cost is the same at every depth from 2 on. Wording: functions of rank 0.
    """
    c, d = at["c"], at["d"]
    return 0 <= c <= 1 and 0 <= d <= 1 and cost_of_constant(c + d) > cost_of_constant(c) + cost_of_constant(d)


def costs_more_at_depth_two(slope: Fraction, norm: Fraction) -> bool:
    """Whether the linear function of this slope costs more than `norm` on [-1, 1] at depth 2: at least sqrt 8 times the slope.

    For the ReLU. The slopes at -1 and 1 together are the sum of wv over the active neurons at both ends. A neuron with the
    weights w and v and the bias b that is active at both has |b| >= |w|, and pays 2w^2 + v^2 >= sqrt 8 |wv| for 2wv; another
    one pays at least 2|wv| for wv.
    """
    return 8 * slope**2 > norm**2


@refutes("bottleneck_structure.theorem_3.composition.printed")
def cost_of_composition(at: Coordinates) -> bool:
    """Proof of Theorem 11 (1): R(f o g; L1 + L2) <= R(f; L1) + R(g; L2), for ax, bx at depth 1, abx at depth 2, on [-1, 1]."""
    a, b = at["a"], at["b"]
    return costs_more_at_depth_two(a * b, a**2 + b**2)


@refutes("bottleneck_structure.theorem_3.composition.printed_domain")
def composition_on_inputs(at: Coordinates) -> bool:
    """Proof of Theorem 11 (1): R1(f o g; [0, 1]) <= R1(f; [0, 1]) + R1(g; [0, 1]), for f(y) = y + m sigma(y - 1) and g(x) = sx.

    On [0, 1] f is the identity, of R1 = 0, and g costs 2 log s; but f o g has the slope s(1 + m) behind 1/s, and so R1 of at
    least twice its logarithm. Wording: Theorem 3 (1) names no domain.
    """
    s, m, x = at["s"], at["m"], at["x"]
    return bool(s >= 1 and 0 <= x <= 1 < s * x and m > 0)


@refutes("bottleneck_structure.theorem_3.lower_bound.printed")
def all_points(at: Coordinates) -> bool:
    """Section 1.1: "for all x", R1(f) >= 2 log|Jf(x)|_+. The function and its bound of R1 are those of `two_jacobians`; where
    x_2 < 0 its volume is 1. Wording: Theorem 3 itself asks for the rank R0 at x.
    """
    q = at["f.root"]
    return bool(0 < q <= 1 and at["sizes.depth"] * (q * q - 1) < 0)


@refutes("bottleneck_structure.theorem_6.chain.printed")
def product_of_volumes(at: Coordinates) -> bool:
    """Proof of Theorem 15: |Jf|_+ is the product of the volumes of P W_l P and P D_l P, projected to the images of the
    Jacobians before them and of the transposed Jacobians behind them.

    Depth 2, one input, one output: w and v, with the slopes D. The factors are v P_Dw, P_v D P_w and P_Dv w, here squared. The
    projections are damaged; they are those of the catalogue.
    """
    network, x = Network.of(at, "f"), at["x"]
    (D,), w, (v,) = network.slopes(x), transposed(network.weights[0])[0], network.weights[1]
    Dw, Dv = ([d * a for d, a in zip(D, each, strict=True)] for each in (w, v))
    j = dot(v, Dw) ** 2
    return abs(network.slope) < 1 and j > 0 and j != j**3 / (dot(Dw, Dw) * dot(v, v) * dot(w, w) * dot(Dv, Dv))


@refutes("bottleneck_structure.theorem_6.printed")
def shared_frames(at: Coordinates) -> bool:
    """Theorem 6: there are orthonormal V_0, ..., V_L with sum |W_l - V_l V_{l-1}^T|^2 <= |theta|^2 - kL - 2 log|Jf(x)|_+.

    Depth 2, one input, one output, k = 1: V_0 and V_2 are signs, and the best unit vector V_1 is along the sum or the
    difference of W_1 and W_2^T.
    """
    network, x = Network.of(at, "f.network"), at["x"]
    w, v = network.weights[0], transposed(network.weights[1])
    longest = max(root(square(plus(w, v, sign)))[1] for sign in (1, -1))
    volume, norm = number(network.before(x)[-1]) ** 2, square(w) + square(v)
    return abs(network.slope) < 1 and volume > 0 and norm + 2 - 2 * longest > network.square - 2 - log(volume)[0]


@refutes("bottleneck_structure.theorem_7.chain.printed")
def volume_as_quotient(at: Coordinates) -> bool:
    """Proof of Theorem 16: for balanced parameters |J(z_l -> f) P_l|_+ = |Jf|_+/|J z_l|_+, z_l the pre-activations and P_l the
    projection to the image of J z_l. Two inputs, l = 1, W_1 invertible. The sign between the sides is damaged.

    A neuron with the root q and squared incoming weights S has the bias (S - q^2)/(2q), and weights of the norm (S + q^2)/(2q)
    behind it, in the direction that `inner` or `last` gives as (2p, 1 - |p|^2)/(1 + |p|^2).
    """
    weights, biases = [at["f.first"]], list[Row]()
    for roots, directions in zip(at["f.roots"], [*at["f.inner"], at["f.last"]], strict=True):
        sums = [dot(row, row) for row in weights[-1]]
        biases.append([(s - q * q) / (2 * q) for s, q in zip(sums, roots, strict=True)])
        behind = []
        for s, q, p in zip(sums, roots, directions, strict=True):
            length = (s + q * q) / (2 * q) / (1 + dot(p, p))
            behind.append([*(2 * length * a for a in p), length * (1 - dot(p, p))])
        weights.append(transposed(behind))
    network, x = Network(weights, [*biases, at["f.offset"]], at["f.slope"]), at["x"]
    after, whole = network.behind(x)[0], network.before(x)[-1]
    (a, b), (c, d) = weights[0]
    volume = (a * d - b * c) ** 2
    return network.is_balanced() and square(whole) > 0 and volume > 0 and square(after) * volume != square(whole)


@refutes("bottleneck_structure.theorem_7.printed")
def without_maximum(at: Coordinates) -> bool:
    """The talk, "Convergence of the representations": for |theta|^2 = kL + c1 and |J_theta f(x)|^2 <= cL, the squared norms of
    all activations together are at most cL exp(2 c1/k)/(k |Jf(x)|_+^(2/k)). One output, k = 1. Wording: c1 may be negative.
    """
    network, x = Network.of(at, "f"), at["x"]
    volume, excess = square(network.before(x)[-1]), network.square - network.depth
    total = sum((dot(value, value) for value in network.activations(x)), Fraction(0))
    return network.is_balanced() and total * volume > square(network.gradients(x)) * exp(2 * excess)[1] and len(x) == 1


# feature_learning, "Feature Learning in L2-regularized DNNs". Its text has lost all formulas: they are those of the catalogue.


def relu_only(at: Coordinates, name: str) -> None:
    """Raises unless the drawn activation is of kind 0."""
    if at[f"{name}.kind"] != 0:
        raise Rejected("the second evaluation is for the ReLU only")


@refutes("feature_learning.aligned_neurons.printed")
def one_neuron_for_a_group(at: Coordinates) -> bool:
    """End of 3.1: "a group of aligned neurons can be replaced by a single neuron without changing the resulting function".

    Two ReLU neurons without bias whose values on the data are proportional. A single one is zero at x or at -x; their sum is
    not. Wording: the function, not its values on the data.
    """
    w, n, p, c, x = (at[name] for name in ("w", "n", "p", "c", "x"))
    other = [p * a + b for a, b in zip(w, n, strict=True)]
    aligned = all(dot(other, point) == p * dot(w, point) for point in at["X"])
    seen = [rectified([[sign * dot(w, x), sign * dot(other, x)]])[0] for sign in (1, -1)]
    return p > 0 and aligned and any(dot(w, point) > 0 for point in at["X"]) and all(dot(c, row) for row in seen)


@refutes("feature_learning.cor_9.printed")
def covariances_at_the_start(at: Coordinates) -> bool:
    """Remark 11: "the networks learned in the plateau are equivalent to a network at the start of the plateau, i.e. in terms of
    their covariances and outputs". The start is here the width 1, so that all first covariances should have the rank 1.

    Inputs -1 and 1, an amount of bias 1/sqrt 3; z = beta -+ w are the values of a neuron, f/sqrt 3 is a nu sigma(z) + gamma/3.
    No network costs less than sqrt 3 (f(-1) + f(1)) - 1, and one constant neuron (0, t, t) with gamma = 1 attains it for every
    pair of equal outputs of at least 1/sqrt 3: a network that does it, too, is a global minimiser.
    """
    gamma, a, t = at["gamma"], at["alpha.mass"], at["layer.t"]
    outputs, norm, values = [gamma / 3] * 2, gamma**2, list[Row]()
    for kind in at["layer.kind"]:
        w, beta, nu = [(0 * t, t, t), (t, t / 3, 2 * t / 3), (-t, t / 3, 2 * t / 3)][int(kind)]
        z = [beta - w, beta + w]
        outputs = [f + a * nu * s for f, s in zip(outputs, rectified([z])[0], strict=True)]
        norm += a * (w * w + 3 * beta * beta + 3 * nu * nu)
        values.append(z)
    is_minimiser = outputs[0] == outputs[1] >= Fraction(1, 3) and norm == 3 * sum(outputs) - 1
    return is_minimiser and a > 0 and rank(values) > 1


@refutes("feature_learning.forces.pairs.printed")
def attraction_of_pairs(at: Coordinates) -> bool:
    """Section 3.1, item 4: |Z_l (Z_{l-1}^sigma)^+|^2 "pushes the representations at depth l of every input towards each other".

    Its derivative by Z is 2Z K^-1, K the Gram matrix of Z_{l-1}^sigma. Descent along it moves the first two points apart where
    the difference of their derivatives is opposite to their own. All Z are feasible, as K is regular.
    """
    Z = at["layer.Z"]
    force = scaled(product(Z, inverse(gram(at["layer.before"]))), 2)
    apart, pulled = ([row[0] - row[1] for row in each] for each in (Z, force))
    return dot(apart, pulled) < 0


@refutes("feature_learning.forces.printed")
def forces_of_aligned_neurons(at: Coordinates) -> bool:
    """Section 3.1: if z_k' = alpha z_k for a real alpha, the forces on both neurons have the same ratio.

    Here the repulsion, which the layer before does not enter, but by the constraint that z is in the span of its rows:
    -2 sigma'(Z) o [sigma(Z) K^-1 M K^-1], with the Gram matrices M of Z_{l+1} and K of Z_l^sigma.
    """
    relu_only(at, "layer.sigma")
    (z,), alpha, bias = at["layer.Z"], at["alpha"], at["layer.beta"]
    seen = rectified([z, [alpha * value for value in z]])
    K = inverse(gram([*seen, [bias] * len(z)]))
    pushed = product(seen, product(K, product(gram(at["layer.after"]), K)))
    forces = [[-2 * f if s > 0 else Fraction(0) for f, s in zip(p, q, strict=True)] for p, q in zip(pushed, seen, strict=True)]
    is_feasible = rank([*at["layer.before"], z]) == rank(at["layer.before"])
    return is_feasible and 0 not in z and alpha != 0 and forces[1] != [alpha * force for force in forces[0]]


@refutes("feature_learning.forces.printed_repulsion")
def repulsion_of_a_shifted_activation(at: Coordinates) -> bool:
    """Section 3.1, item 4: the second term "pushes the representations away from the origin". The section has any activation.

    One point, no bias, sigma(t) = max(t + shift, 0): the term is |y|^2/|sigma(z)|^2, and descent along it moves z by a positive
    multiple of sigma(z), which points to the origin where <z, sigma(z)> < 0.
    """
    z, shift = at["z"], at["shift"]
    seen = rectified([[value + shift for value in z]])[0]
    return 0 not in [value + shift for value in z] and any(seen) and any(at["y"]) and dot(z, seen) < 0


@refutes("feature_learning.projected_gradient.unprojected.printed")
def flow_without_projection(at: Coordinates) -> bool:
    """Section 3.3: for gradient flow on the loss of Z "there is no need for the projections", of Z_2 to the span of Z_1^sigma.

    Two layers. Where W_2 = 0 also Z_2 = 0, which moves with the velocity 2Y, as the cost is |Z_2 - Y|^2; the movement of Z_1
    does not matter. So what 2Y has outside the span of Z_1^sigma leads off the constraints.
    """
    relu_only(at, "problem.sigma")
    if any(map(any, at["W.network.W2"])) or any(at["W.network.b2"]):
        raise Rejected("the second evaluation is for weights 0 in the last layer only")
    beta, count = at["problem.beta"], len(at["problem.x"])
    X = [*transposed(at["problem.x"]), [beta] * count]
    weights = [[*row, b] for row, b in zip(at["W.network.W1"], at["W.network.b1"], strict=True)]
    Z = product(weights, X)
    seen = [*rectified(Z), [beta] * count]
    outside = plus(unit(count), product(right_inverse(seen), seen), -1)
    leaves = square(product(at["problem.Y"], outside)) > 0
    return rank(X) == count and all(map(all, Z)) and at["problem.lam"] > 0 and leaves


def pair(z: Row, slope: Fraction) -> Row:
    """The upper triangles of z z^T and sigma(z) sigma(z)^T."""
    images = [z, *rectified([z], slope)]
    return [x[i] * x[j] for x in images for i in range(len(z)) for j in range(i + 1)]


@refutes("feature_learning.prop_1.local_minima.printed")
def local_minimum_of_representations(at: Coordinates) -> bool:
    """Proposition 1: if W is a local minimum of the loss, its representations are one of theirs. Wording: C is any cost.

    Two points X = I, ReLU, two neurons (a, 0) and W_2 = (a, a); C is |outputs - (2a^2 + lam, 0)|^2, and a jump where the second
    output is not negative, which it is near W. There the norm is at least twice the first output y, and the loss at least
    (y - 2a^2 - lam)^2 + 2 lam y + jump; W attains its minimum. With (a, eps) for one neuron the outputs (2a^2, -a eps) lie in
    the constraint set. The loss falls there by jump - 8 lam a^2 - eps^2 (a^2 + lam): for every smaller eps by more.
    """
    a, lam, jump, eps = (at[name] for name in ("a", "lam", "jump", "eps"))
    hidden, outputs = [[a, 0 * a], [a, eps]], [[2 * a * a, -a * eps]]
    if not (a > 0 and lam > 0 and eps > 0):
        return False
    # W_1 has the entries of the hidden layer, because X = I
    norm = square(hidden) + square(product(outputs, inverse(hidden)))
    loss = lam**2 + outputs[0][1] ** 2 + lam * norm
    return bool(loss < lam**2 + jump + lam * 4 * a**2 and jump > 8 * lam * a**2)


@refutes("feature_learning.prop_5.printed")
def convex_in_the_outputs(at: Coordinates) -> bool:
    """Proposition 5: the cost is convex with respect to the outputs if everything else is fixed. Wording: C is any cost.

    For C(Z) = (|Z|^2 - a)^2, and a covariance I + F^T F of the last hidden layer, at the midpoint of two outputs.
    """
    F, first, second = at["F"], at["Z"], at["Z_other"]
    K = plus(unit(len(F[0])), gram(F))

    def loss(Z: Matrix) -> Fraction:
        return Fraction((square(Z) - at["a"]) ** 2 + at["lam"] * kernel_square(Z, K))

    return at["lam"] >= 0 and 2 * loss(scaled(plus(first, second), Fraction(1, 2))) > loss(first) + loss(second)


@refutes("feature_learning.remark_11.printed")
def rank_by_face(at: Coordinates) -> bool:
    """Remark 11: the rank of a pair of covariances "is determined by the dimension of the smallest face" of their cone.

    The face of p(e_1) + p(-e_1) + p(e_2), p(z) = (zz^T, sigma(z) sigma(z)^T), has no other edges: dimension and rank are 3.
    For B without negative entries the face of the sum over its rows has the pairs (M, M) only, at most 3 dimensions for two
    points; with QB, for a rotation Q, a second sum of the same pair, it has 3, but B has two rows. Wording: the example in
    brackets has "at most".
    """
    B, t, slope = at["factors.factor"], at["factors.tangent"], at["slope"]
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    turned = [[c * a - s * b for a, b in zip(*B, strict=True)], [s * a + c * b for a, b in zip(*B, strict=True)]]
    dimension = rank([pair(z, slope) for z in [*B, *turned]])
    return (
        slope == 0 and len(B[0]) == 2 and nonnegative(B) and nonnegative(turned) and gram(B) == gram(turned) and dimension == 3
    )


@refutes("feature_learning.remark_11.printed_measure")
def pairs_of_less_rank(at: Coordinates) -> bool:
    """Remark 11: "the set of pairs in the cone that are not full rank has measure zero".

    Full rank is N(N + 1), the dimension. If the derivative of the pair of k < N(N + 1) vectors is onto, all pairs nearby have k
    vectors, too. Wording: full rank may be the largest rank that occurs.
    """
    vectors, slope = at["Z"], at["slope"]
    points, rows = len(vectors[0]), list[Row]()
    for z in vectors:
        for k in range(points):
            # the derivative by z_k, of z and of sigma(z)
            e = unit(points)[k]
            moved = [(z, e), (rectified([z], slope)[0], [(1 if z[k] > 0 else slope) * one for one in e])]
            rows.append([x[i] * d[j] + d[i] * x[j] for x, d in moved for i in range(points) for j in range(i + 1)])
    full = points * (points + 1)
    return all(map(all, vectors)) and len(vectors) < full == rank(rows)


@refutes("feature_learning.remark_4.printed")
def weights_and_covariances(at: Coordinates) -> bool:
    """Remark 4: where covariances and outputs of weights W are a local minimum of their loss, W is one of its own.

    One point x = (1, 0), ReLU, W_1 = (c, t), W_2 = c, target c^2 + lam: covariance and output c^2. Of
    (o - c^2 - lam)^2 + lam (k + o^2/k) they are the minimum, lam^2 + 2 lam c^2, as k + o^2/k >= 2o. The loss is convex
    in t: if a smaller t is better, W is no local minimum.
    """
    c, t, step, lam = (at[name] for name in ("c", "t", "step", "lam"))
    here, there = (lam**2 + lam * (2 * c**2 + one**2) for one in (t, (1 - step) * t))
    return bool(c > 0 and lam > 0 and there < here)


# leaky_resnets, "Hamiltonian Mechanics of Feature Learning". K = sigma(A)^T sigma(A), where sigma appends a 1 to the ReLU.


def drawn(at: Coordinates, name: str) -> Matrix:
    """A representation with the given rows (family 0), or a positive neuron; its first point is zero where `origin` is 0."""
    rows = at[f"{name}.rows"]
    if at[f"{name}.family"] != 0:
        if len(rows) != 1:
            raise Rejected("the second evaluation is for one neuron or given rows only")
        rows = [[abs(value) for value in row] for row in rows]
    return [[value * (place > 0 or at[f"{name}.origin"] != 0) for place, value in enumerate(row)] for row in rows]


@refutes("leaky_resnets.cost_of_identity.printed")
def cost_is_a_norm(at: Coordinates) -> bool:
    """Section 1.3: |A|_K^2 = Tr[A K^-1 A^T] "is the Frobenius norm of the smallest weight matrix" with W sigma(A) = A.

    That is W = A sigma(A)^+, for a regular K with the squared norm Tr[A K^-1 A^T]. Wording: a norm for its square.
    """
    A = drawn(at, "A")
    smallest = product(A, product(inverse(gram(features(A))), transposed(features(A))))
    return product(smallest, features(A)) == A and kernel_square(A, gram(features(A))) ** 2 != square(smallest)


@refutes("leaky_resnets.gamma_choice.printed")
def squared_norms(at: Coordinates) -> bool:
    """Section 2.1: gamma_0 |sigma(A)|_op^2 = gamma_0 |K|_op^2. For one point both are numbers. Wording: a square too many."""
    column = features(at["A"])
    return bool(at["gamma"] > 0 and square(column) != number(gram(column)) ** 2)


@refutes("leaky_resnets.irregular_steps.printed")
def irregular_steps(at: Coordinates) -> bool:
    """Section 3: steps of the sum 1, "concretely" 1/L + (a/L)(1/4 - |l/L - 1/2|) for a in [0, 1)."""
    a, L = at["steps.a"], at["sizes.layers"]
    steps = [(1 + a * (Fraction(1, 4) - abs(Fraction(place, L) - Fraction(1, 2)))) / L for place in range(1, L + 1)]
    return bool(0 <= a < 1 and sum(steps) != 1)


@refutes("leaky_resnets.particles.printed")
def kernel_of_neurons(at: Coordinates) -> bool:
    """Section 1.3: the covariance K is the sum over the neurons of sigma(A_i) sigma(A_i)^T. It is the Gram matrix of sigma(A),
    which has a row of ones.
    """
    return gram(features(at["A"])) != gram(rectified(at["A"]))


@refutes("leaky_resnets.prop_1.features.printed")
def norm_of_features(at: Coordinates) -> bool:
    """Proof of Proposition 1: |sigma(A)| <= |A|, with the sigma that appends ones. Wording: the bar of the ReLU is missing."""
    return square(features(at["A"])) > square(at["A"])


@refutes("leaky_resnets.prop_1.printed")
def smallest_product(at: Coordinates) -> bool:
    """Proof of Proposition 1: of all B with |B|_F <= |A|_F a multiple of the root of A has the smallest |AB^+|_F^2, which
    is |A|_*^2/|A|_F^2.

    For numbers that is 1, and 0^+ = 0. Wording: B = 0 has an infinite value if the convention for |A|_K is meant here, too.
    """
    A, B = number(at["pair.rows"]), number(at["pair.B"])
    if at["pair.inside"] != 0:
        A = number(at["pair.mix"]) * B
    return A != 0 and abs(B) <= abs(A) and (A / B if B else 0) ** 2 < 1


@refutes("leaky_resnets.prop_10.printed")
def growth_of_weights(at: Coordinates) -> bool:
    """Proposition 10: at critical weights |W_p|^2 = |W_0|^2 + L int_0^p |b_q|^2 dq, b the bias, at p = 1.

    One neuron with a < 0: sigma(a) = (0, 1), so that W = LB sigma(a)^T has the bias LB alone, and Hamilton's equations are
    B' = LB, a' = L(B - a). With E = e^(Lp): B = B_0 E, a = (a_0 - B_0/2)/E + B_0 E/2, and aE is affine in E^2: a is negative in
    between if it is so at both ends. Both sides are divided by L^2.
    """
    a, B, g = -number(at["growth.A"]), number(at["growth.B"]), at["growth.growth"]
    return g > 1 and a < 0 and (a - B / 2) / g + B * g / 2 < 0 and B**2 * g**2 != B**2 + B**2 * (g**2 - 1) / 2


@refutes("leaky_resnets.prop_2.column_norms.printed")
def column_norms(at: Coordinates) -> bool:
    """Proof of Proposition 6: at stable minima |sigma(A_i)|^2 - 1 >= |A_i|^2 + 1 for every point. A = 0, of cost 0, is one.

    Wording: the line before has -2 + 1 on the left, and 0 on the right.
    """
    A = drawn(at, "A")
    is_minimum = square(A) == 0
    return is_minimum and any(dot(f, f) - 1 < dot(x, x) + 1 for f, x in zip(*map(transposed, (features(A), A)), strict=True))


@refutes("leaky_resnets.prop_2.expansion.printed")
def expansion_of_cost(at: Coordinates) -> bool:
    """Proof of Proposition 6: for z in the image of sigma(A)^T the cost of (A; ez) is that of A and, up to O(e^4),
    e^2 (|z^T sigma(A)^+|^2 - |v^T K^+ A^T|^2) with the ReLU v of z.

    If v is not in the image, what gives A and z from sigma(A) is still the only way to give them with the row ev more, for
    independent rows: the cost is exactly |A|_K^2 + e^2 |z^T sigma(A)^+|^2, and the error of order e^2 is |v^T K^+ A^T|^2.
    """
    A, kind = drawn(at, "pair.A"), at["pair.kind"]
    F = features(A)
    shares = at["pair.coefficients"]
    z = [dot(shares if kind == 1 else [abs(share) for share in shares], column) for column in zip(*F, strict=True)]
    z = at["pair.free"] if kind == 0 else [value - sum(z) / len(z) * (kind == 1) for value in z]
    v, inward = rectified([z]), right_inverse(F)
    is_inside = all(product(product(row, inward), F) == row for row in (A, [z]))
    return is_inside and rank([*F, *v]) > len(F) and square(product(product(v, inward), transposed(product(A, inward)))) > 0


@refutes("leaky_resnets.prop_2.limit.printed")
def limit_of_cost(at: Coordinates) -> bool:
    """Proof of Proposition 6: for A >= 0, t = 1^T (K - 11^T + gamma)^-1 1 and 1 not in the image of A^T the cost without bias
    less t/(1 + t) tends to the cost without bias as gamma goes to 0, so that the limit of t/(1 + t) is 0. But t grows then:
    the limit is at least t/(1 + t) at any gamma.

    The lines of the display are out of order; they are read with the catalogue.
    """
    left, right, gamma = at["A.left"], at["A.right"], at["gamma.root"] ** 4
    if at["A.signs"] != 0 or at["A.constant"] == 0 or at["A.drop"] == 0:
        raise Rejected("the second evaluation is for a plain product only")
    A = product(left, right)
    ones = [[Fraction(1)] * len(A[0])]
    t = kernel_square(ones, plus(gram(A), unit(len(A[0])), gamma))
    return nonnegative(A) and rank(A) > 0 and rank([*A, *ones]) > rank(A) and gamma > 0 and t / (1 + t) > 0


@refutes("leaky_resnets.prop_2.printed")
def stable_minima(at: Coordinates) -> bool:
    """Proposition 2: all stable minima of the cost are non-negative. It is infinite where no W has W sigma(A) = A.

    If all entries are negative, sigma of (A; z) has the rows of z's ReLU and of ones only, which do not give A if A and the
    ones have three independent rows. So the cost is infinite for all z, there and nearby. Wording: minima of infinite
    cost count as minima.
    """
    A = at["A.magnitudes"] if at["A.sign"] != 0 else scaled(at["A.magnitudes"], -1)
    return all(a < 0 for row in A for a in row) and rank(with_ones(A)) >= 3


@refutes("leaky_resnets.prop_3.kernels.printed")
def kernels_tell_signs(at: Coordinates) -> bool:
    """Proof of Proposition 7: A has no negative entry if and only if A^T A = sigma(A)^T sigma(A).

    Wording: sigma with its row of ones, as Section 1.1 defines it.
    """
    return nonnegative(at["A"]) != (gram(at["A"]) == gram(features(at["A"])))


def leading_change(at: Coordinates, corner: Fraction) -> tuple[Fraction, Fraction]:
    """The e^2 term of the squared norm in the proof of Proposition 9, with this corner for t or t^2, and the printed one.

    The weights are W - L e^2 corner A_i sigma(A_i)^T, e L t A_i and e L t sigma(A_i)^T; the point is the first. Printed is
    L^2 t^2 (-|A_i|^2 + |sigma(A_i)|^2 - A_i^T A_i'/L), with A_i' = W sigma(A_i) - L A_i.
    """
    A, W, L, t = at["A"], at["W"], at["L"], at["t"]
    column, seen = ([row[0] for row in each] for each in (A, features(A)))
    sizes = dot(column, column), dot(seen, seen)
    pulled = dot(column, applied(W, seen))
    printed = (L * t) ** 2 * (sizes[1] - sizes[0] - (pulled - L * sizes[0]) / L)
    return (L * t) ** 2 * sum(sizes) - 2 * L * corner * pulled, printed


@refutes("leaky_resnets.prop_5.printed_coefficient")
def coefficient_of_velocity(at: Coordinates) -> bool:
    """Proof of Proposition 9: the squared norm grows as `leading_change` says. With t^2 in the corner, as the first line of the
    display needs; the second has A_i^T A_i'/L for twice that.
    """
    found, printed = leading_change(at, at["t"] ** 2)
    return found != printed


@refutes("leaky_resnets.prop_5.printed_corner")
def corner_of_weights(at: Coordinates) -> bool:
    """The same with t in the corner, as printed, where A_i^T A_i' = 0, so that its coefficient does not matter."""
    found, printed = leading_change(at, at["t"])
    right, stated = leading_change(at, at["t"] ** 2)
    return right == stated and 0 <= at["t"] <= 1 and found != printed


@refutes("leaky_resnets.prop_5.printed_kernel")
def kernel_in_the_integral(at: Coordinates) -> bool:
    """Proof of Proposition 9: a_p = L int_0^p t(q) K_{p,i} exp(L(q - p)) dq has the derivative L(t(p) K_{p,i} - a_p).

    With K_p before the integral m, of which m' = L(t - m), it has m K' besides. On the rising side of the triangle
    m = x - (1 - exp(-rate x))/rate, which is positive for x > 0. Wording: a slip, p for q.
    """
    x, rate = at["x"], at["rate"]
    grown = x - (1 - exp(-rate * x)[0]) / rate
    return 0 < x <= 1 and rate > 0 and grown > 0 and any(at["dK"])


@refutes("leaky_resnets.prop_5.printed_gap")
def gap_of_negative_entry(at: Coordinates) -> bool:
    """Proof of Proposition 9: a negative entry of a column gives |A_i|^2 > |sigma(A_i)|^2. Wording: sigma with its entry 1."""
    column = [row[:1] for row in at["A"]]
    return not nonnegative(column) and square(column) <= square(features(column))


def integral(*factors: Row) -> Fraction:
    """Over [0, 1], of a product of polynomials with their coefficients, constant first."""
    total = Fraction(0)
    for places in itertools.product(*map(enumerate, factors)):
        total += math.prod((c for _, c in places), start=Fraction(1)) / (1 + sum(power for power, _ in places))
    return total


@refutes("leaky_resnets.reparametrisation.first_variation.printed")
def first_variation(at: Coordinates) -> bool:
    """Proof of Proposition 10: int r'^2 (|V_r|^2 + e^(2L(r - q)) |b_r|^2) dq has at r = q the variation int 2d'n + 2Ld|b|^2
    along d, n = |V|^2 + |b|^2. It is int 2d'n + d n' + 2Ld|b|^2. Polynomials; d = q(1 - q) times one.
    """
    V, b = at["v"], at["b"]
    n = [v + w for v, w in zip(V, b, strict=True)]
    slope = [power * c for power, c in enumerate(n)][1:]
    forgotten = integral([Fraction(0), Fraction(1), Fraction(-1)], at["d"], slope)
    return nonnegative([V, b]) and at["L"] > 0 and forgotten != 0


@dataclass(frozen=True)
class Geodesic:
    """Points (A, B) of a trajectory of Hamilton's equations, gamma, and an upper bound of c, the largest norm of B.

    A' = L(BK - A), and -2/L times the Hamiltonian is 2 Tr[BA^T] - |B sigma(A)^T|^2. Norms of A and A' are in
    (K + gamma)^-1.
    """

    points: list[tuple[Matrix, Matrix]]
    gamma: Fraction
    c: Fraction

    def at_each(self) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """At each point |A'/L|^2, |A|^2 and -2/L times the Hamiltonian."""
        for A, B in self.points:
            F = features(A)
            K = gram(F)
            norm = plus(K, unit(len(K)), self.gamma)
            moved = plus(product(B, K), A, -1)
            yield kernel_square(moved, norm), kernel_square(A, norm), 2 * inner(B, A) - square(product(B, transposed(F)))

    def breaks_the_speed_law(self) -> bool:
        """Whether somewhere -gamma c <= |A'|/L - sqrt(|A|^2 + 2H/L) <= 2 gamma c is false."""
        for speed, cost, energy in self.at_each():
            if cost >= energy:
                (a, b), (c, d) = root(speed), root(cost - energy)
                if a - d > 2 * self.gamma * self.c or b - c < -self.gamma * self.c:
                    return True
        return False


def pure_bias(a: Fraction, b: Fraction, g: Fraction, gamma: Fraction) -> Geodesic:
    """One neuron that stays negative, from a and B_0 = b: see `growth_of_weights`; g = e^L.

    Near it the ReLU vanishes, so that the loss is convex in the biases and all other weights only cost: a local minimiser.
    """
    points = [([[(a - b / 2) / E + b * E / 2]], [[b * E]]) for E in (Fraction(1), (1 + g) / 2, g)]
    if g <= 1 or any(nonnegative(A) for A, _ in (points[0], points[-1])):
        raise Rejected("the neuron does not stay negative")
    return Geodesic(points, gamma, abs(b) * g)


def leak_alone(A: Matrix, share: Fraction, g: Fraction, gamma: Fraction) -> Geodesic:
    """Negative activations, and B_0 along their differences from their mean: B1 = 0, so that W = 0, A = A_0/E and B = B_0 E.

    A local minimiser, as for `pure_bias`.
    """
    B = [[share / (gamma * g**2) * (a - sum(row, Fraction(0)) / len(row)) for a in row] for row in A]
    if g <= 1 or any(a >= 0 for row in A for a in row):
        raise Rejected("the activations are not negative")
    points = [(scaled(A, 1 / E), scaled(B, E)) for E in (Fraction(1), (1 + g) / 2, g)]
    return Geodesic(points, gamma, root(square(B))[1] * g)


def geodesic(at: Coordinates) -> Geodesic:
    """That of family 0 or 1, with e^L the fourth power of `root_growth`."""
    A, B = at["trajectory.A"], at["trajectory.B"]
    g, gamma = at["trajectory.root_growth"] ** 4, at["trajectory.root_gamma"] ** 2
    if at["sizes.family"] == 0:
        return pure_bias(number(A), number(B), g, gamma)
    return leak_alone([[-abs(a) - Fraction(1, 8) for a in row] for row in A], 4 * B[0][0], g, gamma)


@refutes("leaky_resnets.theorem_4.printed", "leaky_resnets.theorem_4.printed_speed")
def speed_law(at: Coordinates) -> bool:
    """Theorem 4, second display: for geodesics with |B_p| <= c and any gamma > 0, at all p
    -L gamma c <= |A_p'|_{K + gamma} - L sqrt(|A_p|_{K + gamma}^2 + 2H/L) <= 2L gamma c.
    """
    return geodesic(at).breaks_the_speed_law()


@refutes("leaky_resnets.theorem_4.printed_gap")
def gap_of_hamiltonian(at: Coordinates) -> bool:
    """Theorem 4, first display: -(l/L + gamma c)^2 <= -2H/L - min_p |A_p|_{K + gamma}^2, l the length of the path.

    For the leak alone A' = -LA and K stays: |A_p| is least at p = 1, and l/L is at most |A_0|.
    """
    if at["sizes.family"] == 0:
        raise Rejected("the second evaluation is for the leak alone only")
    found = geodesic(at)
    (speed, _, energy), *_, (_, cost, _) = found.at_each()
    return energy - cost < -((root(speed)[1] + found.gamma * found.c) ** 2)


@refutes("leaky_resnets.theorem_4.printed_at_global_minimisers")
def speed_law_at_minimisers(at: Coordinates) -> bool:
    """The second display at the global minimiser of (F - a_1)^2 + (lambda/2L) int |W|^2, for an input and a target below 0.

    min(a, 0) is driven by the bias where a <= 0, at no larger cost, to an end no farther from F: so only biases count, for
    which the loss is convex, and the critical one, B_1 = (2/lambda)(F - a_1), is the best.
    """
    x, F, ridge, g = (at[f"trajectory.{name}"] for name in ("x", "target", "ridge", "growth"))
    x, F = -x, -F
    b = 2 * g * (F - x / g) / (ridge * g**2 + g**2 - 1)
    end = (x - b / 2) / g + b * g / 2
    is_minimal = ridge > 0 and F <= 0 and ridge * b * g == 2 * (F - end)
    return is_minimal and pure_bias(x, b, g, at["trajectory.root_gamma"] ** 2).breaks_the_speed_law()


@refutes("leaky_resnets.theorem_4.printed_at_local_minimisers")
def speed_law_of_active_neuron(at: Coordinates) -> bool:
    """The second display on the path A_p = x/E, B_p = E (1, -1) s/(x_1 - x_2), E = e^(L(1 - s)p), for x_1 > x_2 > 0, s < 1.

    W = LB sigma(A)^T = (Ls, 0) there, and Hamilton's equations hold. At p = 0 and p = 1, where E is `growth`.
    """
    second, gap, rate, growth, gamma = (at[name] for name in ("second", "gap", "rate", "growth", "gamma"))
    if not (min(second, gap, rate, gamma) > 0 and rate < 1 < growth):
        return False
    x, adjoint = [[second + gap, second]], [[rate / gap, -rate / gap]]
    points = [(scaled(x, 1 / E), scaled(adjoint, E)) for E in (Fraction(1), growth)]
    return Geodesic(points, gamma, root(square(adjoint))[1] * growth).breaks_the_speed_law()


# notion_of_rank, a talk on "Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions".


@refutes("notion_of_rank.denoising.printed")
def noise_of_a_projection(at: Coordinates) -> bool:
    """Autoencoders: with rank k they are locally a projection, "which is equivalent to denoising": noise of size 1 in all d
    directions is left with the mean square |A|^2, A the Jacobian, which should be at most d. Wording: it may mean to project.

    The autoencoder z -> (z, S|z|) after (x, y) -> x + C(y - S|x|), at a point (z, S|z|) away from all kinks.
    """
    S, C, z = at["S"], at["C"], at["z"]
    if not all(z) or not all(dot(row, [abs(value) for value in z]) for row in S):
        return False
    slopes = product(S, diagonal([Fraction(1 if value > 0 else -1) for value in z]))
    code = [[*a, *b] for a, b in zip(plus(unit(len(z)), product(C, slopes), -1), C, strict=True)]
    A = product([*unit(len(z)), *slopes], code)
    return product(A, A) == A and rank(A) == len(z) and square(A) > len(A)


@refutes("notion_of_rank.prop_3.printed")
def steep_activation(at: Coordinates) -> bool:
    """Proposition 3: the sum of the powers 2/L of the singular values of Jf(x) is at most R(f)/L, for any activation with
    sigma(ct) = c sigma(t), c >= 0. Depth 2, one output; near x the network shows that R(f) is at most its norm.
    """
    network, x = Network.of(at, "f"), at["x"]
    return network.depth == 2 and 4 * square(network.before(x)[-1]) > network.square**2 and len(network.weights[-1]) == 1


@refutes("notion_of_rank.rank_axioms.affine.printed")
def rank_of_a_matrix(at: Coordinates) -> bool:
    """Axiom (4): if f(x) = Ax + b, then Rank f = rank A, for the bottleneck rank on any domain.

    On the multiples of u, A = h g^T + m v^T with v orthogonal to u is h g^T x, and factors through one number. Wording: the
    slide names no domain.
    """
    h, g, m, u = (at[name] for name in ("h", "g", "m", "u"))
    v = [-u[1], u[0]]
    A = [[a * x + b * y for x, y in zip(g, v, strict=True)] for a, b in zip(h, m, strict=True)]
    return any(u) and applied(A, u) == [a * dot(g, u) for a in h] and rank(A) > 1


@refutes("notion_of_rank.ridge.critical.printed")
def rank_is_never_underestimated(at: Coordinates) -> bool:
    """Proposition 5: "rank underestimation never happens" for large N. For x -> tx and inputs of mean square 1, the least loss
    of a linear network with the product a = u^L is (a - t)^2 + ridge L u^2, for every N.

    Its stationary points u > 0 are the roots of p(u) = u^(2L-2) - t u^(L-2) + ridge, at most two, of which the larger one is
    the minimum among all u > 0 or above zero's loss, as p is decreasing and then increasing. At it the loss is above t^2.
    """
    u, ridge, depth = at["u"], at["ridge"], int(at["sizes.depth"])
    t = u**depth + ridge / u ** (depth - 2)
    is_larger = (2 * depth - 2) * u ** (2 * depth - 3) >= (depth - 2) * t * u ** (depth - 3)
    return bool(u > 0 and ridge > 0 and is_larger and (u**depth - t) ** 2 + ridge * depth * u * u > t * t)


@refutes("notion_of_rank.theorem_1.printed")
def bottleneck_without_shift(at: Coordinates) -> bool:
    """Theorem 1, proof sketch: h o g is the network of the layers of g, identity layers on R^k, and the layers of h.

    With activations between them. Wording: the talk of the author has the non-negative vectors for R^k.
    """
    slope = at["parts.slope"]
    inner, outer = (Network.of(at, f"parts.{name}", slope) for name in ("inner", "outer"))
    value = inner(at["x"])
    between = value
    for _ in range(1 + at["sizes.depth"] - inner.depth - outer.depth):
        between = rectified([between], slope)[0]
    return at["sizes.depth"] >= inner.depth + outer.depth and abs(slope) < 1 and outer(between) != outer(value)


@refutes("notion_of_rank.theorem_1.printed_domain")
def identity_on_a_segment(at: Coordinates) -> bool:
    """Theorem 1: Rank_J(f; B) is at most the limit of R(f; B, L)/L, for any bounded B; a segment from 0 to a unit vector.

    The identity of R^n has the rank n, but a chain of single neurons with u at both ends is the identity there, of the norm L
    at every depth. Wording: the Jacobian is that of f, not along the domain.
    """
    chart, depth, one = at["u.chart"], int(at["sizes.depth"]), Fraction(1)
    length = (1 - 2 * at["u.flip"]) / (1 + dot(chart, chart))
    u = [length * a for a in [*(2 * a for a in chart), 1 - dot(chart, chart)]]
    weights = [[u], *[[[one]]] * (depth - 2), transposed([u])]
    network = Network(weights, [[one * 0] * len(weight) for weight in weights], one * 0)
    # its only kinks are at 0
    return depth >= 2 and network(u) == u and network.square / depth < len(u)


@refutes("notion_of_rank.theorem_1.printed_norm")
def norm_of_bottleneck(at: Coordinates) -> bool:
    """The same: the norm is |w_g|^2 + k(L - L_g - L_h) + |w_h|^2. For affine g and h on [-1, 1], the ReLU, L = 2 and k = 1."""
    inner, outer = (Network.of(at, name) for name in ("inner", "outer"))
    slope = number(product(outer.weights[0], inner.weights[0]))
    return inner.depth == outer.depth == 1 and costs_more_at_depth_two(slope, inner.square + outer.square)


def interpolant(points: Matrix, direction: Row) -> Network:
    """A network of depth 3 through one neuron that maps every point to itself, by a broken line over the direction.

    Its hidden values are not negative, so that each further layer between, with the weight 1, costs 1.
    """
    order = sorted(points, key=lambda x: dot(direction, x))
    lowest = dot(direction, order[0])
    z = [dot(direction, x) - lowest for x in order]
    gaps = [b - a for a, b in itertools.pairwise(z)]
    if not all(gaps):
        raise Rejected("the direction does not separate the points")
    slopes = [[a / gap for a in row] for row, gap in zip(plus(order[1:], order[:-1], -1), gaps, strict=True)]
    bends = [slopes[0], *plus(slopes[1:], slopes[:-1], -1)]
    weights = [[direction], [[Fraction(1)]] * len(gaps), transposed(bends)]
    network = Network(weights, [[-lowest], [-value for value in z[:-1]], order[0]], Fraction(0))
    if any(network(x) != x for x in points):
        raise Rejected("the network does not fit")
    return network


# symmetry_learning, the talk "Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning".


@refutes("symmetry_learning.gd_stability.printed")
def gradient_step(at: Coordinates) -> bool:
    """Minima stability: gradient descent with the rate eta cannot converge to a minimum with (2/N)|J f(x_i)|^2 >= 1/eta.

    On the mean of (x w)^2 every step multiplies w by 1 - 2 eta mean(x^2), here a number between -1 and 1.
    """
    data, eta = at["x"], at["eta"]
    mean = sum((x * x for x in data), Fraction(0)) / len(data)
    return bool(2 * eta * max(x * x for x in data) >= len(data) and (1 - 2 * eta * mean) ** 2 < 1)


@refutes("symmetry_learning.kernel_rate.printed")
def number_of_monomials(at: Coordinates) -> bool:
    """Linear models: "number of degree m monomial: m^d", read up to a factor c; the number is binomial(m + d - 1, d - 1).

    For large m that is below every c m^d. Wording: of degree at most m there are as many, up to a factor that depends on d.
    """
    c, d = at["c"], int(at["d"])
    if d > LARGEST_SIZE:
        raise Rejected("the second evaluation is for few dimensions only")
    m = math.ceil(2**d / c) + d if c > 0 else 1
    return c > 0 and d >= 1 and math.comb(m + d - 1, d - 1) < c * m**d


@refutes("symmetry_learning.symmetries.printed")
def dimension_of_a_quotient(at: Coordinates) -> bool:
    """Infinite depth limit: a symmetry G has Rank_BN(f; B) <= dim B/G. For G trivial, f = id, and B a graph, of dimension 1.

    The rank is 1 only if a number tells all points of B apart. Then B is made of paths: no vertex has three edges, and there
    is no cycle. Wording: the paper of the same author has the least dimension in which B/G embeds.
    """
    rows = at["A.edges"]
    edges = [(i, j) for i, j in itertools.combinations(range(len(rows)), 2) if rows[i][j] == 1]
    component = list(range(len(rows)))
    has_cycle = False
    for i, j in edges:
        first, second = component[i], component[j]
        has_cycle |= first == second
        component = [first if one == second else one for one in component]
    return has_cycle or any(sum(k in edge for edge in edges) > 2 for k in range(len(rows)))


def atoms_of_the_square(count: int) -> Matrix:
    """The first points of Halton's sequence in the bases 2 and 3, which is dense in the unit square."""

    def mirrored(number: int, base: int) -> Fraction:
        return (number % base + mirrored(number // base, base)) / base if number else Fraction(0)

    return [[mirrored(j, base) for base in (2, 3)] for j in range(count)]


@refutes("notion_of_rank.theorem_2.printed_support")
def cost_grows_with_dense_atoms(at: Coordinates) -> bool:
    """Theorem 2 as in `cost_grows_with_sample`, for a distribution whose support is the unit square: dense atoms of the weights
    2^(-j-1). Of the samples of size 2^(J-2) at least 3/4 are among the first J, and fitted by one network.
    """
    c, count = at["c"], int(at["sizes.atoms"])
    cost = interpolant(atoms_of_the_square(count), [Fraction(1), Fraction(0)]).square / 3
    return bool(c > 0 and count > 2 and cost**3 < c**3 * 2 ** (count - 2))


@refutes("symmetry_learning.symmetry_overfitting.printed")
def excess_grows_with_sample(at: Coordinates) -> bool:
    """Symmetry overfitting: with probability 1 - epsilon R1 > 2(1 - 1/k) log N + c for every fit of bottleneck rank 1.

    For f* = id in the unit square, k = 2, and dense atoms of which all but the first J have a mass of at most 1/(4N), with
    N = 4^n, n = floor(C) + J and the excess C of a fit of the first J over its depth: R1 is at most C.
    """
    c, count = at["c"], int(at["sizes.atoms"])
    excess = interpolant(atoms_of_the_square(count), [Fraction(1), Fraction(0)]).square - 3
    return bool(count > 2 and excess < (math.floor(excess) + count) * log(4)[0] + c)


# Files.


def rationals(values: Any) -> Any:
    """The numbers of a witness, which are text, in lists.

    Raises
    ------
    Rejected
        They are something else.
    """
    if isinstance(values, list):
        return [rationals(value) for value in values]
    if not isinstance(values, str) or len(values) > 2 * LONGEST + 2:
        raise Rejected(f"a coordinate is text such as '-3/4', got {values!r:.40}")
    # no exponents, which could be as long as they like
    found = re.fullmatch(rf"(-?[0-9]{{1,{LONGEST}}})(?:/([0-9]{{1,{LONGEST}}}))?", values, re.ASCII)
    if found is None or not (denominator := int(found[2] or 1)):
        raise Rejected(f"{values[:40]!r} is no rational")
    return Fraction(int(found[1]), denominator)


def check_document(document: Any) -> str:
    """Evaluate a witness; what it shows, in a line.

    Raises
    ------
    Rejected
        The statement is not false there, or it is no witness.
    NotChecked
        The statement is not evaluated here.
    """
    try:
        return _checked(document)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(f"it is no witness that can be evaluated: {error!r:.100}") from error


def _checked(document: Any) -> str:
    if not isinstance(document, dict) or type(document.get("schema")) is not int or document["schema"] != 2:
        raise Rejected("it is no witness of schema 2")
    if "proofs" in document:
        raise NotChecked("a certificate: run verify/proofs/independent.py on it")
    claim, sizes, coordinates = document["claim"], document["sizes"], document["coordinates"]
    if not isinstance(claim, str) or not isinstance(coordinates, dict) or not isinstance(sizes, dict):
        raise Rejected("it has a claim, sizes and coordinates by name")
    if not re.fullmatch(r"[\w.-]{1,200}", claim, re.ASCII):
        raise Rejected("its claim is no identifier")
    if any(type(size) is not int or not 0 <= size <= LARGEST_SIZE for size in sizes.values()):
        raise Rejected(f"a size is an integer from 0 to {LARGEST_SIZE}")
    at = {name: rationals(values) for name, values in coordinates.items()}
    if claim not in SECOND or document["variant"] is not None:
        raise NotChecked(
            f"{claim}: a witness of {len(at)} coordinates, of a statement that is not evaluated here: run `verify check` on it"
        )
    if not SECOND[claim]({f"sizes.{name}": size for name, size in sizes.items()} | at):
        raise Rejected(f"{claim} is not false there")
    return f"{claim}: is false there, by a second evaluation"


def read(name: str) -> Any:
    """The document of a file.

    Raises
    ------
    OSError, ValueError
        It cannot be read: it is no file, too large, or no JSON.
    """
    path = Path(name)
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is a folder or a device, not a file")
    if found.st_size > LARGEST_FILE:
        raise ValueError(f"it has {found.st_size} bytes; at most {LARGEST_FILE} are read")
    return json.loads(path.read_bytes().decode("utf-8"), parse_int=_integer, parse_float=_no_number, parse_constant=_no_number)


def _integer(text: str) -> int:
    if len(text) > 20:
        raise ValueError(f"an integer has {len(text)} digits")
    return int(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text:.20} is no integer; all other numbers are text")


def main(files: Sequence[str]) -> int:
    """Evaluate files, say what they show, and give the exit status."""
    found = {0}
    for name in files:
        try:
            print(f"{name}: {check_document(read(name))}")  # noqa: T201
        except Rejected as error:
            print(f"{name}: REJECTED: {error}")  # noqa: T201
            found.add(1)
        except NotChecked as reason:
            print(f"{name}: NOT CHECKED HERE: {reason}")  # noqa: T201
            found.add(3)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{name}: cannot be read: {error}")  # noqa: T201
            found.add(2)
    return next(status for status in (2, 1, 3, 0) if status in found)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
