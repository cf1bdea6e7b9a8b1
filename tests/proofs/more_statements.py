"""More false and void statements by kind, most of them of one instance, in the words of `verify.words`.

Each false one is false at a rational point of its domain; `AT` has such points where one is hard to meet.
"""

import functools
import itertools
import operator

import numpy as np

from verify import Domain, Q, integers, interval, reals
from verify.families import positive_definite, tree, unitary
from verify.words import (
    absolute,
    concatenate,
    determinant,
    diag,
    eq,
    exp,
    eye,
    ge,
    greatest,
    holds,
    inner,
    inverse,
    le,
    least,
    log,
    log_plus,
    maximum,
    minimum,
    norm,
    norm2,
    nuclear_norm,
    operator_norm,
    pi,
    pinv,
    polar_factor,
    power,
    psd_power,
    pseudo_determinant,
    rank,
    relu,
    schatten_power,
    sign,
    singular_values,
    solve,
    sqrt,
    stable_rank,
    stack,
    trace,
    vector,
    where,
)


def one(variables, sizes=None, hypotheses=None):
    """A domain whose statements are of one instance."""
    return Domain(variables, sizes or {}, hypotheses or {})


HALF = Q("1/2")
LINE = one({"x": reals()})
PLANE = one({"x": reals(), "y": reals()})
UNIT = one({"x": interval(0, 1)})
POSITIVE = one({"x": interval(0, np.inf)})
SQUARE = one({"x": interval(0, 1), "y": interval(0, 1)})
QUADRANT = one({"x": interval(0, np.inf), "y": interval(0, np.inf)})
VECTOR2 = one({"v": reals("n")}, {"n": (2,)})
VECTOR3 = one({"v": reals("n")}, {"n": (3,)})
VECTORS = one({"v": reals("n")}, {"n": (1, 2, 3, 4)})
TWO = one({"v": reals("n"), "w": reals("n")}, {"n": (2,)})
MATRIX = one({"M": reals("n", "n")}, {"n": (2,)})
MATRICES = one({"A": reals("n", "n"), "B": reals("n", "n")}, {"n": (2,)})
ROW = one({"M": reals("n", "k")}, {"n": (1,), "k": (2,)})
SMALL = one({"k": integers(-3, 6)})
LARGE = one({"k": integers(-100, 100)})
DEPTHS = one({"x": interval(1, 2)}, {"L": (1, 2, 3, 4)})


def under(domain, **hypotheses):
    """A domain with hypotheses."""
    return Domain(domain.variables, domain.sizes, hypotheses)


def summed(v):
    """A sum by a loop of Python."""
    total = 0
    for entry in range(v.shape[0]):
        total = total + v[entry]
    return total


BRANCHES = {True: lambda x: x - 1, False: lambda x: x + 1}


ROOTS = one({"k": integers(1, 3000)})
PAIRS = one({"x": integers(0, 2, 2), "y": integers(0, 2, 2)})

FALSE = {
    "what balls do not decide": {
        "an equality of roots beside a point": (
            lambda x: le(where(holds(eq(sqrt(2) * sqrt(3), sqrt(6))) & (x == Q("1777/1000")), x + 1, x), x),
            LINE,
        ),
        "a hypothesis that always holds": (
            lambda x: le(0, x),
            under(LINE, always=lambda x: holds(le(sqrt(2) * sqrt(3), sqrt(6))) | (x > 0)),
        ),
        "a hypothesis of pi": (lambda x: le(0, x), under(LINE, always=lambda x: holds(le(pi() * 2, pi() + pi())) | (x > 0))),
        "parallel vectors": (
            lambda x, y: le(x[0] * x[1] * norm2(y), x[0]),
            under(PAIRS, parallel=lambda x, y: holds(eq(norm(x + y), norm(x) + norm(y)))),
        ),
        "roots of integers": (
            lambda k: ge(where(holds(le(sqrt(k) * sqrt(k + 1), sqrt(k * (k + 1)))) & (k == 1777), 0, 1), 1),
            ROOTS,
        ),
    },
    "truth values": {
        "a sum of two": (lambda k: eq((k >= 1777) + (k <= 1777), 1 + where(k == 1777, 1, 0)), ROOTS),
        "a product of two, and a third": (
            lambda k: eq((k >= 7) * (k <= 7) + (k == 7), 2 * where(k == 7, 1, 0)),
            ROOTS,
        ),
    },
    "the ends of what is drawn": {
        "a small pivot": (lambda A: ge(A[0, 0], Q(1, 16)), one({"A": positive_definite("n")}, {"n": (1, 2)})),
        "large pivots": (lambda A: le(determinant(A), 256), one({"A": positive_definite("n")}, {"n": (2,)})),
        "an eigenvalue of -1": (
            lambda U: le(where(U[0, 0] == -1, 2, U[0, 0]), 1),
            one({"U": unitary("n")}, {"n": (1,)}),
        ),
        "an end that is no float": (lambda x: le(x, Q(1, 3) - Q(1, 10**18)), one({"x": interval(0, Q(1, 3))})),
        "an end beyond floats": (lambda x: le(x, 0), one({"x": interval(-1, Q(1, 10**400))})),
        "the last edge of a tree": (lambda T: eq(T[12, 13], 0), one({"T": tree("n")}, {"n": (14,)})),
    },
    "ties": {
        "the first that is positive": (lambda v: ge(v[int(np.argmax([v[0] > 0, v[1] > 0]))], v[1]), VECTOR2),
        "the larger is strictly larger": (lambda v: ge(sign(greatest(v) - least(v)), 1), VECTOR2),
        "distinct after sorting": (
            lambda v: ge(sign(absolute(v[0] - v[1]) + absolute(v[1] - v[2]) + absolute(v[0] - v[2])), 1),
            VECTOR3,
        ),
        "the second largest": (
            lambda v: eq(maximum(minimum(v[0], v[1]), minimum(maximum(v[0], v[1]), v[2])), minimum(greatest(v), v[0])),
            VECTOR3,
        ),
        "strict maxima are unique": (lambda v: eq(where(v[0] > v[1], 1, 0) + where(v[1] > v[0], 1, 0), 1), VECTOR2),
        "weak maxima are unique": (lambda v: eq(where(v[0] >= v[1], 1, 0) + where(v[1] >= v[0], 1, 0), 1), VECTOR2),
        "a tie of three": (
            lambda v: le(where(v[0] >= v[1], 1, 0) + where(v[1] >= v[2], 1, 0) + where(v[2] >= v[0], 1, 0), 2),
            VECTOR3,
        ),
        "a tie of norms": (lambda v, w: ge(absolute(sign(norm2(v) - norm2(w))), 1), TWO),
    },
    "slices": {
        "the least of the tail": (lambda v: eq(least(v[1:]), least(v)), VECTOR3),
        "the greatest of every other": (lambda v: ge(greatest(v[::2]), greatest(v)), VECTOR3),
        "of a row and a column": (lambda M: ge(greatest(M[0]), greatest(M[:, 1])), MATRIX),
        "minimax": (lambda M: eq(least(greatest(M, axis=0)), greatest(least(M, axis=1))), MATRIX),
        "of absolute values": (lambda v: eq(greatest(absolute(v)), absolute(greatest(v))), VECTOR2),
        "of sums": (lambda v, w: eq(greatest(v + w), greatest(v) + greatest(w)), TWO),
        "of squares": (lambda v: eq(greatest(v * v), greatest(v) ** 2), VECTOR2),
        "reversed": (lambda v: eq(v[::-1], v), VECTOR3),
        "differences": (lambda v: ge(greatest(v[1:] - v[:-1]), (v[2] - v[0]) * Q("51/100")), VECTOR3),
    },
    "signs of determinants": {
        "of a symmetric part": (lambda M: ge(determinant(M + M.T), 4 * determinant(M)), MATRIX),
        "of a Gram matrix and one": (lambda M: ge(determinant(M @ M.T), determinant(M) ** 2 + determinant(M)), MATRIX),
        "strictly positive": (lambda M: ge(sign(determinant(M.T @ M)), 1), MATRIX),
        "of a commutator": (lambda A, B: eq(determinant(A @ B - B @ A), 0), MATRICES),
        "of a sum of squares": (
            lambda A, B: ge(determinant(A @ A + B @ B), 0),
            MATRICES,
        ),
        "Minkowski, without roots": (
            lambda A, B: ge(determinant(A @ A.T + B @ B.T), 2 * determinant(A) ** 2 + determinant(B) ** 2),
            MATRICES,
        ),
        "of the rectified matrix": (lambda M: ge(determinant(relu(M)), minimum(determinant(M), 0)), MATRIX),
        "of the identity and a matrix": (lambda M: ge(determinant(eye(2) + M @ M), 0 * trace(M) + Q("1/2")), MATRIX),
        "sign of a product": (lambda A, B: eq(sign(determinant(A @ B)), sign(determinant(A))), MATRICES),
        "cofactors": (lambda M: eq(inverse(M)[0, 1] * determinant(M), M[0, 1]), MATRIX),
    },
    "ranks of words": {
        "of a product of outer products": (lambda v, w: eq(rank(stack([v, w]) @ stack([v, w]).T), 2), TWO),
        "is the number of rows": (lambda v, w: eq(rank(stack([v, w])), 1 + sign(absolute(inner(v, w)))), TWO),
        "of a shifted matrix": (lambda M: ge(rank(M) + rank(M - eye(2)), 3), MATRIX),
        "of a diagonal": (lambda v: eq(rank(diag(v)), 2), VECTOR2),
        "of a Gram matrix of the rectified": (lambda M: le(rank(relu(M)), rank(M)), MATRIX),
        "of absolute values": (lambda M: eq(rank(absolute(M)), rank(M)), MATRIX),
        "of a commutator": (lambda A, B: le(rank(A @ B - B @ A), 1), MATRICES),
        "Sylvester": (lambda A, B: ge(rank(A @ B), rank(A) + rank(B) - 1), MATRICES),
        "of a projection": (lambda M: eq(trace(pinv(M) @ M), 2), MATRIX),
        "of a Jacobian": (lambda v, w: eq(rank(stack([where(v > 0, w, 0)])), sign(norm2(w))), TWO),
    },
    "inverses": {
        "times itself": (lambda M: eq(M @ pinv(M), eye(2)), MATRIX),
        "of a sum": (lambda A, B: eq(pinv(A + B), pinv(A) + pinv(B)), MATRICES),
        "of a product of a row": (lambda M: eq((pinv(M) @ M)[0, 0], 1), ROW),
        "of a transposed product": (lambda M: eq(pinv(M.T @ M) @ M.T @ M, eye(2)), MATRIX),
        "solves what is singular": (lambda M, v: eq(M @ pinv(M) @ v, v), one({"M": reals(2, 2), "v": reals(2)})),
        "of an inverse, far away": (
            lambda x: eq(solve(stack([vector(x, 0), vector(0, 1)]), vector(x, 1)[:, None])[0, 0], where(x > 64, 2, 1)),
            LINE,
        ),
        "is continuous": (lambda x: le(absolute(pinv(stack([vector(x)]))[0, 0] * x), absolute(sign(x)) - sign(x) ** 2), LINE),
        "the norm of the inverse": (lambda x: le(norm(pinv(stack([vector(x, x)]))), 1), LINE),
    },
    "spectra of words": {
        "Schatten norms": (lambda M: le(schatten_power(M, 1), operator_norm(M) * Q("3/2")), MATRIX),
        "of a sum": (lambda A, B: ge(operator_norm(A + B), operator_norm(A)), MATRICES),
        "nuclear norm of a square": (lambda M: eq(nuclear_norm(M @ M), norm2(M)), MATRIX),
        "stable rank": (lambda M: ge(stable_rank(M), 2 * sign(absolute(determinant(M)))), MATRIX),
        "the polar factor is the identity": (lambda M: eq(polar_factor(M @ M), eye(2)), MATRIX),
        "a root of a product": (
            lambda A, B: eq(
                psd_power(A @ A.T, Q("1/2")) @ psd_power(B @ B.T, Q("1/2")), psd_power(A @ B @ B.T @ A.T, Q("1/2"))
            ),
            MATRICES,
        ),
        "the pseudo-determinant of a row": (lambda M: eq(pseudo_determinant(M), norm(M)), ROW),
        "the pseudo-determinant of a number": (lambda x: eq(pseudo_determinant(diag(vector(x))), absolute(x)), LINE),
        "the logarithm's positive part": (lambda x: ge(log_plus(diag(vector(1 + x * x, 1 + x * x))), 1), LINE),
        "singular values of a triangle": (
            lambda x: eq(singular_values(stack([vector(1, x), vector(0, 1)]))[0], 1 + absolute(x)),
            LINE,
        ),
        "of a rotation, twice as long": (
            lambda x, y: eq(operator_norm(stack([vector(x, -y), vector(y, x)])), absolute(x) + absolute(y)),
            PLANE,
        ),
    },
    "roots of products": {
        "the cube root of a product of squares": (lambda x, y: ge(x * y * power(x * x * y * y, Q("1/3")), 0), PLANE),
        "a fifth root of a fourth power": (lambda x, y: eq(power((x * y) ** 4, Q("1/4")), x * y), PLANE),
        "the root of a quartic": (lambda x, y: eq(sqrt((x * x - y * y) ** 2), x * x - y * y), PLANE),
        "of three factors": (
            lambda x, y: eq(sqrt(x * x * (x + y) ** 2), x * (x + y) + 2 * relu(-x) * relu(x + y)),
            PLANE,
        ),
        "a root of a root of a product": (lambda x: eq(sqrt(sqrt(x**4 * (1 + x) ** 4)), x * (1 + x)), LINE),
        "a cube root of a difference": (lambda x, y: ge((x - y) * power((x - y) ** 2 * (1 + x * x), Q("1/3")), 0), PLANE),
        "a root over its number": (lambda x: eq(sqrt(x * x) / x, 1), LINE),
        "of a sum of a square and its root": (lambda x: le(sqrt(x * x + sqrt(x**4)), 1 + x * x * Q("49/100")), LINE),
        "a product of conjugates": (
            lambda x: eq((sqrt(1 + x * x) - x) * (sqrt(1 + x * x) + x), 1 + relu(x - 50) ** 2),
            LINE,
        ),
        "a root with a multiplicity": (lambda x: eq(power(x**6, Q("1/2")), x**3), LINE),
        "an odd root of a quotient": (lambda x: ge(x * power(x * x / (x * x + 1), Q("1/3")), 0), LINE),
    },
    "walls": {
        "where, weak": (lambda x: eq(where(x >= 0, 1, 0), where(x > 0, 1, 0)), LINE),
        "where, on a parabola": (lambda x, y: ge(where(y == x * x, x - 1, 0), 0), PLANE),
        "where, on both": (lambda x, y: eq(where(x > y, 1, 0) * where(x < y, 1, 0) + where(x == y, 1, 0), 0), PLANE),
        "a choice that is no number": (lambda x: ge(where(x == 7, -1, x * x), 0), LINE),
        "a dictionary of branches": (lambda x: ge(BRANCHES[bool(x > 100)](x), x), LINE),
        "a sign beside a wall": (lambda x: eq(sign(x) ** 2, sign(x * x + relu(1 - x * x))), LINE),
        "a product of signs": (lambda x, y: eq(sign(x) * sign(y), sign(x + y) ** 2), PLANE),
        "nested": (lambda x, y: ge(where(x > 0, where(y > 0, where(x == y, -1, 1), 1), 1), 0), PLANE),
        "an equality of sides": (lambda x: eq(where(absolute(x - 9) > 0, x, x + 1), x), LINE),
        "on a hyperplane": (lambda v: ge(sign(absolute(3 * v[0] - 2 * v[1] + v[2] - 1)), 1), VECTOR3),
        "on a curve of degree four": (lambda x, y: ge(sign((x * x * y - y - 6) ** 2), 1), PLANE),
    },
    "integer parts of words": {
        "the floor of a product": (lambda k: eq(np.floor(k / 2) + np.floor(k / 3), np.floor(5 * k / 6)), SMALL),
        "the ceiling and the floor": (lambda k: eq(np.ceil(k / 3) - np.floor(k / 3), 1), SMALL),
        "truncated": (lambda k: eq(np.trunc(k / 2), np.floor(k / 2)), SMALL),
        "the floor of a real": (lambda x: le(x - np.floor(x), Q("99/100")), LINE),
        "of a large integer": (lambda k: eq(np.floor(k / 97) * np.floor((k + 1) / 98), 0 * k), LARGE),
        "an even number": (lambda k: eq(k - 2 * np.floor(k / 2), 0), SMALL),
        "a square or not": (lambda k: ge((k * k - 49) ** 2, 1), LARGE),
        "a cubic at an integer": (lambda k: ge((k - 41) ** 2 * (k + 57) ** 2, 1), LARGE),
        "between two integers": (lambda k: ge(k * (k - 1), Q("1/100")), LARGE),
        "a Pythagorean triple": (
            lambda k, m: ge((k * k + m * m - 85 * 85) ** 2, 1),
            one({"k": integers(1, 100), "m": integers(1, 100)}),
        ),
    },
    "norms of differences": {
        "reversed": (lambda v, w: le(norm(v) + norm(w), Q("3/2") * norm(v - w) + norm(v + w) / 2), TWO),
        "strict": (lambda v, w: ge(sign(norm(v) + norm(w) - norm(v + w)), 1), TWO),
        "of the rectified": (lambda v, w: le(norm2(relu(v) - relu(w)), Q("99/100") * norm2(v - w)), TWO),
        "of the rectified, from below": (lambda v, w: ge(norm2(relu(v) - relu(w)), norm2(v - w) / 100), TWO),
        "is never one": (lambda v, w: ge(sign((norm2(v - w) - 25) ** 2), 1), TWO),
        "a parallelogram": (lambda v, w: eq(norm2(v + w) + norm2(v - w), 2 * norm2(v) + 2 * norm2(w) + relu(v[0] - 60)), TWO),
        "inner product": (lambda v, w: le(absolute(inner(v, w)), Q("9999/10000") * (norm2(v) + norm2(w)) / 2), TWO),
        "roots of both": (lambda v, w: le(norm(v) * norm(w), Q("999/1000") * (inner(v, v) + inner(w, w)) / 2), TWO),
    },
    "far away": {
        "beyond a hundred": (lambda x: le(relu(x - 100), relu(x - 100) ** 2), LINE),
        "a root, far away": (lambda x: le(sqrt(x), 10 + x / 200), POSITIVE),
        "a polynomial, far away": (lambda x: ge((x - 60) * (x - 61) + Q("1/5"), 0), LINE),
        "an exponential, far away": (lambda x: le(x**4, exp(x) + 400), POSITIVE),
        "a logarithm, far away": (lambda x: le(log(1 + x), 5 + x / 500), POSITIVE),
        "a product, far away": (lambda x, y: ge((x * y - 5000) ** 2 + (x - y) ** 2, 1), PLANE),
        "a quotient, far away": (lambda x: le(x / (1 + x / 1000), 900), POSITIVE),
        "near zero": (lambda x: ge(absolute(x - Q("1/4096")) * 4096, Q("1/100")), UNIT),
        "a narrow tooth": (lambda x: le(relu(1 - 4000 * absolute(x - Q("3/7"))), Q("1/2")), UNIT),
        "a wide and flat tooth": (lambda x, y: le(relu(x + y - 150), Q("1/1000") * x * x * y * y), QUADRANT),
    },
    "hypotheses of words": {
        "all but a null set": (lambda x: ge(sign(x * x), 1), under(LINE, not_one=lambda x: x != 1)),
        "all but two lines": (lambda x, y: ge(x * y, 0), under(PLANE, off=lambda x, y: x * y != 0)),
        "strict, and false beside it": (
            lambda x, y: le(x * y, Q("999/1000")),
            under(SQUARE, strict=lambda x, y: x < 1 + 0 * y),
        ),
        "on a circle": (lambda x, y: ge(x + y, -Q("7/5")), under(PLANE, circle=lambda x, y: x * x + y * y == 1)),
        "on a hyperbola": (lambda x, y: ge(x + y, 2), under(PLANE, hyperbola=lambda x, y: x * y == 1)),
        "on a line of rank one": (lambda M: eq(rank(M), 1), under(MATRIX, singular=lambda M: determinant(M) == 0)),
        "a vector of length one": (lambda v: le(greatest(v), Q("99/100")), under(VECTOR2, unit=lambda v: norm2(v) == 1)),
        "ordered": (lambda v: ge(v[1] - v[0], v[2] - v[1]), under(VECTOR3, up=lambda v: (v[0] <= v[1]) & (v[1] <= v[2]))),
        "two points and more": (lambda x: le(x, 2), under(LINE, roots=lambda x: (x - 1) * (x - 2) * (x - 3) == 0)),
        "an implication": (lambda x: le(x, 1), under(LINE, either=lambda x: (x <= 1) | (x * x <= 4))),
    },
    "powers and constants of words": {
        "a power above": (lambda x: le(power(x, Q("3/2")), x * x + Q("1/16")), POSITIVE),
        "of a power": (lambda x: eq(power(x * x, Q("3/2")), x**3), LINE),
        "at zero": (lambda x: ge(power(x, Q("1/3")), x + Q("1/1000")), UNIT),
        "pi as a bound": (lambda x: le(x, pi()), one({"x": interval(0, 3.15)})),
        "pi squared": (lambda x: le(x * pi() * pi(), Q("986960/100000") * x), UNIT),
        "a root of pi": (lambda x: le(x * sqrt(pi()), Q("17724/10000") * x), UNIT),
        "an exponential of a logarithm": (lambda x: eq(exp(log(1 + x * x) / 2), 1 + x), LINE),
        "a logarithm of a root": (lambda x: eq(log(sqrt(x * x)), log(x * x) / 2 + relu(x - 2)), LINE),
        "a logarithm of a product": (lambda x, y: le(log(1 + x) * log(1 + y), x * y - x * y * (x + y) / 3), QUADRANT),
        "a mean of powers": (lambda x, y: le(power(x * y, Q("1/3")), (x + y) / 3), QUADRANT),
        "a power of a power": (lambda x: eq(power(power(x * x, Q("1/3")), Q("3/2")), x), LINE),
    },
    "joined": {
        "a norm of parts": (lambda v, w: eq(norm(concatenate([v, w])), norm(v) + norm(w)), TWO),
        "the least of parts": (lambda v, w: eq(least(concatenate([v, w])), least(v)), TWO),
        "a determinant of stacked rows": (
            lambda v, w: ge(determinant(stack([v, w])), -norm2(v) * Q("49/100") - norm2(w) / 2),
            TWO,
        ),
        "and": (lambda x, y: ge(x * x, 0) & ge(x * y + 1, x * x * Q("1/9") * 0), PLANE),
        "and, at a point": (lambda x, y: ge(x * x + y * y, 0) & ge(sign(x * x + (y - 1) ** 2), 1), PLANE),
        "all entries": (lambda v: ge(v * v, v), VECTOR3),
        "an entry of many": (lambda M: ge((M @ M.T), 0), MATRIX),
        "a broadcast": (lambda v, w: ge(absolute(v - w[0]), absolute(v - w)), TWO),
    },
}

AT_A_SIZE = {
    "at one size": (lambda v: ge(norm2(v), v[0] * v[-1] * where(len(v) == 4, 3, 1)), VECTORS),
    "at the largest": (lambda v: le(summed(v) ** 2, 3 * norm2(v)), VECTORS),
    "a loop": (lambda v: ge(functools.reduce(lambda a, b: a * a + b, v[1:], v[0]), v[-1] - len(v) + 2), VECTORS),
    "pairs": (lambda v: ge(sum((v[i] * v[j] for i, j in itertools.combinations(range(len(v)), 2)), 0 * v[0]), 0), VECTORS),
    "a power of the size": (lambda x, L: le(x**L, 1 + 7 * (x - 1)), DEPTHS),
    "a product": (lambda v: le(functools.reduce(operator.mul, v), 1 + norm2(v) ** 2 / 64), VECTORS),
    "an index": (lambda v: eq(v[len(v) // 3], v[0]), VECTORS),
}
"""True at some sizes, where methods prove it, and false at others: a search refutes the claim first."""

VOID = {
    "nothing above one": (lambda x: le(x, x - 1), under(UNIT, above=lambda x: x > 1)),
    "a negative square": (lambda x: le(x, x - 1), under(LINE, negative=lambda x: x * x + 1 <= 0)),
    "a negative norm": (lambda v: le(norm(v), -1), under(VECTOR2, negative=lambda v: norm2(v) < 0)),
    "a rank of three": (lambda M: le(norm2(M), -1), under(MATRIX, rank=lambda M: rank(M) == 3)),
    "two signs": (lambda x: le(x * x, -1), under(LINE, plus=lambda x: x > 0, minus=lambda x: x < 0)),
    "a cycle": (
        lambda v: le(norm2(v), -1),
        under(VECTOR3, cycle=lambda v: (v[0] < v[1]) & (v[1] < v[2]) & (v[2] < v[0])),
    ),
    "an empty circle": (lambda x, y: eq(x, y), under(PLANE, circle=lambda x, y: x * x + y * y == -1)),
    "a larger root": (lambda x: le(x, -1), under(POSITIVE, root=lambda x: 2 * sqrt(x) > 1 + x)),
    "no integer": (lambda k: le(k, k - 1), under(SMALL, half=lambda k: 2 * k == 1)),
    "no integer of many": (lambda k: le(k, k - 1), under(LARGE, half=lambda k: (2 * k - 1) ** 2 == 0)),
    "an inverse of nothing": (lambda x: eq(inverse(stack([vector(x, x), vector(x, x)]))[0, 0], x), LINE),
    "a logarithm of a negative square": (lambda x: le(log(-x * x), 0), LINE),
    "a quotient of zero": (lambda x, y: eq(x / (y - y), x / (y - y)), PLANE),
}
"""Statements without an instance, or without a value: there is nothing to prove."""

NOTHING = {
    "zero and zero": (lambda v: eq(v - v, 0 * v), VECTOR2),
    "zero for all sizes": (lambda v: le(0 * norm2(v), 0 * summed(v)), VECTORS),
    "a rank of zero": (lambda M: eq(rank(M - M), 0), MATRIX),
    "never positive": (lambda x: eq(relu(-x * x), 0), LINE),
    "one and one": (lambda x: eq(1 + 0 * x, 1), LINE),
    "one and zero": (lambda x: ge(1 + 0 * x, 0), LINE),
    "a bound of its depth": (lambda x, L: le(0 * x + Q(1, L), 1), DEPTHS),
    "a single point": (lambda x: le(x, 1), under(LINE, point=lambda x: (x - 1) ** 2 <= 0)),
    "a single point, expanded": (lambda x: eq(x, 1), under(LINE, point=lambda x: x * x <= 2 * x - 1)),
    "a single matrix": (lambda M: eq(rank(M), 0), under(MATRIX, zero=lambda M: norm2(M) == 0)),
    "a single matrix, by its norm": (lambda M: le(norm2(M), -trace(M)), under(MATRIX, zero=lambda M: norm2(M) <= 0)),
    "a single vector, by a root": (lambda v: le(v[0], v[1]), under(VECTOR2, zero=lambda v: norm(v) <= 0)),
    "a center": (lambda x, y: le(2 * x, y), under(PLANE, center=lambda x, y: (x - 1) ** 2 + (y - 2) ** 2 <= 0)),
    "an end": (lambda x: ge(x, 1), under(UNIT, end=lambda x: x >= 1)),
    "a point of contact": (
        lambda x, y: ge(x, 1 + y),
        under(PLANE, disc=lambda x, y: x * x + y * y <= 1, right=lambda x, y: x >= 1 + 0 * y),
    ),
    "two lines": (lambda x, y: eq(x * y, 2), under(PLANE, lines=lambda x, y: (x + y == 3) & (x - y == -1))),
    "an integer": (lambda k: eq(k, 3), under(LARGE, near=lambda k: (k - 3) ** 2 <= 0)),
}
"""Of one instance, or of numbers that do not depend on it: what is proved of them tells nothing."""

AT = {
    "a line, one point of it": {"x": "1/4", "y": "1/4"},
    "a product of two, and a third": {"k": 7},
    "of an inverse, far away": {"x": 65},
    "a choice that is no number": {"x": 7},
    "an equality of sides": {"x": 9},
    "beyond a hundred": {"x": "201/2"},
    "a root, far away": {"x": 400},
    "a polynomial, far away": {"x": "121/2"},
    "a logarithm, far away": {"x": 499},
    "a product, far away": {"x": "7071/100", "y": "7071/100"},
    "strict, and false beside it": {"x": "9999/10000", "y": 1},
    "a quotient, far away": {"x": 20000},
    "a narrow tooth": {"x": "3/7"},
    "a wide and flat tooth": {"x": 1000, "y": 0},
    "on a circle": {"x": "-20/29", "y": "-21/29"},
}
"""Where a statement is false that is true at most points."""

UNDECIDED = tuple(FALSE["what balls do not decide"])
"""Nothing decides the comparison of which they speak."""
