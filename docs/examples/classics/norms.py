"""Norms, means and orders: Clarkson, the parallelogram, means, Hardy, Carleman, rearrangement, Chebyshev, Schur, Hanner."""

import itertools

import numpy as np

from verify import Claim, Domain, Q, Source, interval, reals
from verify.families import nonnegative_numbers, permutation, sorted_numbers, unit_vector
from verify.words import absolute, exp, ge, greatest, inner, le, norm2, power, stack

SIZES = {"n": (1, 2, 3)}
PAIR = Domain({"x": reals("n"), "y": reals("n")}, SIZES)


def clarkson(x, y, factor=1):
    return le(factor * (((x + y) ** 4).sum() + ((x - y) ** 4).sum()), 8 * ((x**4).sum() + (y**4).sum()))


CLARKSON = Claim(
    id="classics.clarkson",
    title="Clarkson's inequality in l4",
    source=Source("norms", "Clarkson 1936"),
    statement=clarkson,
    domain=PAIR,
    tight={"equal": {"x": [1, 2], "y": [1, 2]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "half of it, as for squares": lambda x, y: le(
            ((x + y) ** 4).sum() + ((x - y) ** 4).sum(), 2 * ((x**4).sum() + (y**4).sum())
        ),
    },
)


def cauchy(x, y, factor=1):
    return le(factor * (x @ y) ** 2, norm2(x) * norm2(y))


CAUCHY = Claim(
    id="classics.cauchy",
    title="The inner product is at most the product of the norms",
    source=Source("norms", "Cauchy 1821"),
    statement=cauchy,
    domain=PAIR,
    tight={"parallel": {"x": [1, 2], "y": [2, 4]}},
    false_variants={"1e-6 more": {"factor": Q("1.000001")}, "without the square": lambda x, y: le(x @ y, norm2(x) * norm2(y))},
)


def means(x):
    n = x.shape[0]
    return le(power(x.prod(), Q(1, n)), x.sum() / n)


MEANS = Claim(
    id="classics.means",
    title="The geometric mean is at most the arithmetic mean",
    source=Source("norms", "Cauchy 1821"),
    statement=means,
    domain=Domain({"x": nonnegative_numbers("n")}, SIZES),
    tight={"equal numbers": {"x": [2, 2, 2]}},
    false_variants={
        "the harmonic way": lambda x: ge(power(x.prod(), Q(1, x.shape[0])), x.sum() / x.shape[0]),
        "the smallest": lambda x: le(power(x.prod(), Q(1, x.shape[0])), x.min()),
    },
)


def hardy(x, factor=4):
    averages = x.cumsum() / np.arange(1, x.shape[0] + 1)
    return le(norm2(averages), factor * norm2(x))


HARDY = Claim(
    id="classics.hardy",
    title="The averages of a sequence have at most four times its squares",
    source=Source("norms", "Hardy 1920"),
    statement=hardy,
    domain=Domain({"x": nonnegative_numbers("n")}, {"n": (1, 2, 5, 9)}),
    not_known_tight={"": "4 is the limit for infinite sequences", "factor": "4 is the limit for infinite sequences"},
    false_variants={"one": {"factor": 1}, "three halves": {"factor": Q(3, 2)}},
)


def carleman(x, factor=1):
    n = x.shape[0]
    geometric = sum(power(x[:k].prod(), Q(1, k)) for k in range(1, n + 1))
    return le(factor * geometric, exp(1) * x.sum())


CARLEMAN = Claim(
    id="classics.carleman",
    title="Geometric means of the beginnings sum to at most e times the sum",
    source=Source("norms", "Carleman 1923"),
    statement=carleman,
    domain=Domain({"x": nonnegative_numbers("n")}, {"n": (1, 2, 4)}),
    not_known_tight=dict.fromkeys(("", "factor"), "e is the limit for infinite sequences"),
    false_variants={
        "one": lambda x: le(sum(power(x[:k].prod(), Q(1, k)) for k in range(1, x.shape[0] + 1)), x.sum()),
        "three times": {"factor": 3},
    },
)


def rearrangement(x, y, P):
    return le(x @ (P @ y), x @ y)


REARRANGEMENT = Claim(
    id="classics.rearrangement",
    title="In equal order the inner product is largest",
    source=Source("norms", "rearrangement"),
    statement=rearrangement,
    domain=Domain({"x": sorted_numbers("n"), "y": sorted_numbers("n"), "P": permutation("n")}, SIZES),
    tight={"nothing moved": {"x": [1, 2], "y": [0, 3], "P": [[1, 0], [0, 1]]}},
    false_variants={
        "in opposite order": lambda x, y, P: le(x @ (P @ y), x @ y[::-1]),
        "smallest": lambda x, y, P: ge(x @ (P @ y), x @ y),
    },
)


def chebyshev(x, y):
    return ge(x.shape[0] * (x @ y), x.sum() * y.sum())


CHEBYSHEV = Claim(
    id="classics.chebyshev",
    title="Sequences in equal order are correlated",
    source=Source("norms", "Chebyshev 1882"),
    statement=chebyshev,
    domain=Domain({"x": sorted_numbers("n"), "y": sorted_numbers("n")}, {"n": (2, 3, 4)}),
    tight={"one is constant": {"x": [1, 1], "y": [0, 3]}},
    false_variants={
        "without the length": lambda x, y: ge(x @ y, x.sum() * y.sum()),
        "in opposite order": lambda x, y: ge(x.shape[0] * (x @ y[::-1]), x.sum() * y.sum()),
    },
)


def schur(a, b, c):
    return ge(a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b), 0)


SCHUR = Claim(
    id="classics.schur",
    title="Schur's inequality of degree three",
    source=Source("norms", "Schur"),
    statement=schur,
    domain=Domain({"a": interval(0, np.inf), "b": interval(0, np.inf), "c": interval(0, np.inf)}),
    tight={"two equal, one zero": {"a": 1, "b": 1, "c": 0}},
    false_variants={
        "one sign": lambda a, b, c: ge(a * (a - b) * (a - c) + b * (b - a) * (b - c) - c * (c - a) * (c - b), 0),
        "two terms": lambda a, b, c: ge(a * (a - b) * (a - c) + b * (b - a) * (b - c), 0),
    },
)


def khinchin(x, factor=1):
    signs = itertools.product((-1, 1), repeat=x.shape[0])
    mean = sum(absolute(inner(x, np.array(one))) for one in signs) / 2 ** x.shape[0]
    return ge(factor * 2 * mean**2, norm2(x))


KHINCHIN = Claim(
    id="classics.khinchin",
    title="The mean of |sum +-x_i| over all signs is at least the norm over the root of two",
    source=Source("norms", "Khinchin 1923, Szarek 1976"),
    statement=khinchin,
    domain=Domain({"x": reals("n")}, {"n": (1, 2, 3, 4)}),
    tight={"two equal": {"x": [1, 1]}},
    false_variants={"1 % less": {"factor": Q("0.99")}, "the norm itself": {"factor": Q(1, 2)}},
)


def grothendieck(A, u, v, w, z, squared=2):
    """Of two by two matrices the constant is the root of two."""
    gram = stack([stack([u @ w, u @ z]), stack([v @ w, v @ z])])
    signs = [np.outer((1, a), (b, c)) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    return le(inner(A, gram) ** 2, squared * greatest(stack([inner(A, one) for one in signs])) ** 2)


GROTHENDIECK = Claim(
    id="classics.grothendieck",
    title="Unit vectors in place of signs gain at most the root of two, for matrices of order two",
    source=Source("norms", "Grothendieck 1953, Tsirelson 1980"),
    statement=grothendieck,
    domain=Domain({"A": reals(2, 2), **dict.fromkeys("uvwz", unit_vector(2))}),
    tight={
        "the Bell inequality": lambda: {
            "A": np.array([[1.0, 1.0], [1.0, -1.0]]),
            "u": np.array([1.0, 0.0]),
            "v": np.array([0.0, 1.0]),
            "w": np.array([0.5, 0.5]) ** 0.5,
            "z": np.array([1.0, -1.0]) * 0.5**0.5,
        }
    },
    false_variants={"as signs": {"squared": 1}, "1 % less": {"squared": Q("1.98")}},
)


def hanner(x, y, p=3, factor=1):
    a, b = (power(power(absolute(v), p).sum(), Q(1, p)) for v in (x, y))
    both = power(absolute(x + y), p).sum() + power(absolute(x - y), p).sum()
    return le(factor * both, power(a + b, p) + power(absolute(a - b), p))


HANNER = Claim(
    id="classics.hanner",
    title="In l3 the powers of |x + y| and |x - y| sum to at most those of the sum and the difference of the norms",
    source=Source("norms", "Hanner 1956"),
    statement=hanner,
    domain=Domain({"x": reals("n"), "y": reals("n")}, {"n": (1, 2, 3)}),
    tight={"parallel": {"x": [1, 0], "y": [3, 0]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "for the exponent 3/2": lambda x, y: hanner(x, y, Q(3, 2)),
    },
)
