"""The theorems as formulas of nonlinear real arithmetic, at one size each: the negation is given to Z3."""

import itertools
import threading
import time

import numpy as np
import z3
from said import determinant, laplacian, norm2, permanent, register

SECONDS = 20
KNOWN = {}
says = register(KNOWN)
NEW = itertools.count()
CANNOT = {
    "golden_thompson": "no exponential",
    "attention": "no exponential",
    "bretagnolle_huber": "no logarithm",
    "data_processing": "no logarithm",
    "fano": "no logarithm",
    "largest_entropy": "no logarithm",
    "mixing": "no logarithm",
    "pinsker": "no logarithm",
    "smooth_maximum": "no exponential",
    "submodular": "no logarithm",
}


def run(_said, statement, number):
    """Whether the negation has a model."""
    global NEW
    NEW = itertools.count()  # what Z3 does depends on names, too
    solver = z3.Solver()
    solver.set("random_seed", number)
    solver.add(z3.Not(statement(solver)))
    told = threading.Event()
    watch = threading.Thread(target=interrupt, args=(told,))
    watch.start()
    found = solver.check()
    in_time = not told.is_set()
    told.set()
    watch.join()
    if found == z3.unknown:
        return "gives up" if in_time else f"no answer in {SECONDS} s"
    return "proved" if found == z3.unsat else "counterexample"


def interrupt(told):
    """Z3's own limit is of the clock, which is another one where the machine is busy."""
    begun = time.process_time()
    while not told.wait(0.05):
        if time.process_time() - begun > SECONDS:
            told.set()
            z3.main_ctx().interrupt()


def value(text):
    return z3.RealVal(text)


def numbers(*shape, kind=z3.Real):
    names = np.empty(shape, object)
    for place in np.ndindex(shape):
        names[place] = kind(f"v{next(NEW)}")
    return names


def number():
    return z3.Real(f"v{next(NEW)}")


def symmetric(n):
    A = numbers(n, n)
    for i, j in itertools.combinations(range(n), 2):
        A[j, i] = A[i, j]
    return A


def semidefinite(s, n):
    A = symmetric(n)
    for k in range(1, n + 1):
        for places in itertools.combinations(range(n), k):
            s.add(determinant(A[np.ix_(places, places)]) >= 0)
    return A


def between_1_and_3(s):
    A = semidefinite(s, 2)
    for B in (A - np.eye(2, dtype=int), 3 * np.eye(2, dtype=int) - A):
        s.add(B[0, 0] >= 0, B[1, 1] >= 0, determinant(B) >= 0)
    return A


def spectrum(s, A):
    high, low = numbers(2)
    s.add(high >= low, high + low == A[0, 0] + A[1, 1], high * low == determinant(A))
    return np.array([high, low])


def root(s, x):
    y = number()
    s.add(y >= 0, y * y == x)
    return y


def nonnegative(s, *shape):
    x = numbers(*shape)
    s.add(*(one >= 0 for one in x.flat))
    return x


def ordered(s, n):
    x = numbers(n)
    s.add(*(a <= b for a, b in itertools.pairwise(x)))
    return x


def probabilities(s, n):
    p = nonnegative(s, n)
    s.add(p.sum() == 1)
    return p


def doubly_stochastic(s, n):
    P = nonnegative(s, n, n)
    s.add(*(one == 1 for one in P.sum(axis=0)), *(one == 1 for one in P.sum(axis=1)))
    return P


def graph(s, n):
    A = np.zeros((n, n), object)
    for i, j in itertools.combinations(range(n), 2):
        A[i, j] = A[j, i] = z3.Int(f"e{i}{j}")
        s.add(A[i, j] >= 0, A[i, j] <= 1)
    return A


def tree(s, n):
    A = graph(s, n)
    for child in range(1, n):
        s.add(A[child, :child].sum() == 1)
    return A


def absolute(x):
    return z3.If(x >= 0, x, -x)


def relu(x):
    return np.array([z3.If(one >= 0, one, 0) for one in x])


def largest(x):
    top = x[0]
    for one in x[1:]:
        top = z3.If(one > top, one, top)
    return top


def every(left, right):
    return z3.And(*(a <= b for a, b in zip(left, right, strict=True)))


def equal(left, right):
    return z3.And(*(a == b for a, b in zip(np.ravel(left), np.ravel(right), strict=True)))


# matrices


@says("n = 2", {"factor": "1.000001"})
def araki_lieb_thirring(s, factor=1):
    A, B = semidefinite(s, 2), semidefinite(s, 2)
    return value(factor) * np.trace(A @ B @ A @ B) <= np.trace(A @ A @ B @ B)


@says("n = 2", {"factor": "1.999998"})
def boettcher_wenzel(_s, factor=2):
    A, B = numbers(2, 2), numbers(2, 2)
    return norm2(A @ B - B @ A) <= value(factor) * norm2(A) * norm2(B)


@says("n = 2", {"at_least": True})
def fischer(s, at_least=False):
    A = semidefinite(s, 2)
    left, right = determinant(A), A[0, 0] * A[1, 1]
    return left >= right if at_least else left <= right


@says("n = 2", {"factor": "1.01"})
def hadamard(s, factor=1):
    A = semidefinite(s, 2)
    return value(factor) * determinant(A) <= A[0, 0] * A[1, 1]


@says("n = 2", {"factor": "1.000001"})
def hoffman_wielandt(s, factor=1):
    A, B = symmetric(2), symmetric(2)
    return value(factor) * norm2(spectrum(s, A) - spectrum(s, B)) <= norm2(A - B)


@says("n = 2", {"above": 0})
def interlacing(s, above=1):
    A = symmetric(2)
    values = spectrum(s, A)
    return z3.And(A[1, 1] <= values[0], A[1, 1] >= values[above])


@says("n = 2", {"factor": "1.32"})
def kantorovich(s, factor="4/3"):
    A, x = between_1_and_3(s), numbers(2)
    adjugate = np.array([[A[1, 1], -A[0, 1]], [-A[0, 1], A[0, 0]]])
    return (x @ A @ x) * (x @ adjugate @ x) <= value(factor) * norm2(x) * norm2(x) * determinant(A)


@says("n = 2", {"place": 1})
def ky_fan(s, place=0):
    A, B = symmetric(2), symmetric(2)
    return spectrum(s, A + B)[place] <= spectrum(s, A)[place] + spectrum(s, B)[place]


@says("n = 2", {"squares": True})
def loewner_heinz(s, squares=False):
    low, high = semidefinite(s, 2), semidefinite(s, 2)
    D = high - low if squares else high @ high - low @ low
    s.add(D[0, 0] >= 0, D[1, 1] >= 0, determinant(D) >= 0)
    D = high @ high - low @ low if squares else high - low
    return z3.And(D[0, 0] >= 0, D[1, 1] >= 0, determinant(D) >= 0)


# norms


@says("n = 2, e as 2.71828", {"factor": "1"})
def carleman(s, factor="2.71828"):
    x = nonnegative(s, 2)
    return x[0] + root(s, x[0] * x[1]) <= value(factor) * x.sum()


@says("n = 3", {"factor": "1.000001"})
def cauchy(_s, factor=1):
    x, y = numbers(3), numbers(3)
    return value(factor) * (x @ y) * (x @ y) <= norm2(x) * norm2(y)


@says("n = 3", {"factor": 1})
def chebyshev(s, factor=3):
    x, y = ordered(s, 3), ordered(s, 3)
    return x.sum() * y.sum() <= factor * (x @ y)


@says("n = 2", {"factor": "1.000001"})
def clarkson(_s, factor=1):
    x, y = numbers(2), numbers(2)
    return value(factor) * ((x + y) ** 4 + (x - y) ** 4).sum() <= 8 * (x**4 + y**4).sum()


@says("n = 2", {"squared": 1})
def grothendieck(s, squared=2):
    A, vectors = numbers(2, 2), numbers(4, 2)
    s.add(*(norm2(one) == 1 for one in vectors))
    signs = [A[0, 0] + b * A[0, 1] + a * (A[1, 0] + b * A[1, 1]) for a in (-1, 1) for b in (-1, 1)]
    left = (A * (vectors[:2] @ vectors[2:].T)).sum()
    return z3.Or(*(left * left <= squared * one * one for one in signs))


@says("n = 3", {"factor": 1})
def hardy(s, factor=4):
    x = nonnegative(s, 3)
    return norm2(x.cumsum() / np.array([value(k) for k in (1, 2, 3)])) <= factor * norm2(x)


@says("n = 2", {"factor": "0.99"})
def khinchin(_s, factor=1):
    x = numbers(2)
    mean = (absolute(x[0] + x[1]) + absolute(x[0] - x[1])) / 2
    return norm2(x) <= value(factor) * 2 * mean * mean


@says("n = 3", {"opposite": True})
def means(s, opposite=False):
    x = nonnegative(s, 3)
    mean, product = x.sum() / 3, x.prod()
    return mean * mean * mean <= product if opposite else product <= mean * mean * mean


@says("n = 3", {"order": -1})
def rearrangement(s, order=1):
    x, y = ordered(s, 3), ordered(s, 3)
    return z3.And(*(x @ y[list(P)] <= x @ y[::order] for P in itertools.permutations(range(3))))


@says("one", {"sign": -1})
def schur(s, sign=1):
    a, b, c = nonnegative(s, 3)
    return a * (a - b) * (a - c) + b * (b - a) * (b - c) + sign * c * (c - a) * (c - b) >= 0


# optimisation


@says("n = 2", {"gain": "0.500001"})
def descent_lemma(s, gain="0.5"):
    A, x = between_1_and_3(s), numbers(2)
    g = A @ x
    y = x - g / 3
    return y @ A @ y / 2 <= x @ A @ x / 2 - value(gain) * norm2(g) / 3


@says("N = 2", {"shift": 3})
def drori_teboulle(s, shift=2):
    x, t = number(), number()
    s.add(t >= 0, t <= 4)
    end = x
    for _ in range(2):
        end = end - z3.If(end > t, t, z3.If(end < -t, -t, end))
    size = absolute(end)
    return (4 * 2 + shift) * z3.If(size <= t, end * end / 2, t * size - t * t / 2) <= x * x


@says("n = 2", {"factor": 2})
def firmly_nonexpansive(s, factor=1):
    A, image = semidefinite(s, 2), numbers(2)
    return factor * norm2(image) <= image @ (image + A @ image)


@says("n = 2", {"factor": "0.249999"})
def gradient_descent(s, factor="0.25"):
    A, x = between_1_and_3(s), numbers(2)
    return norm2(x - A @ x / 2) <= value(factor) * norm2(x)


@says("n = 2", {"step": "1.5"})
def heavy_ball(s, step="0.5"):
    A, x = between_1_and_3(s), numbers(2)
    first = x - (A @ x) * value(step)
    second = first - (A @ first) * value(step) + (first - x) / 4
    return norm2(second) <= norm2(x)


@says("n = 2", {"factor": "1.000001"})
def polyak_lojasiewicz(s, factor=1):
    A, x = between_1_and_3(s), numbers(2)
    return value(factor) * (x @ A @ x) <= norm2(A @ x)


@says("n = 2", {"expansive": True})
def projection(_s, expansive=False):
    x, y = numbers(2), numbers(2)
    d, image = x - y, relu(x) - relu(y)
    return norm2(image) >= image @ d + norm2(d) if expansive else norm2(image) <= image @ d


@says("N = 2", {"factor": 5})
def proximal_point(s, factor=4):
    x, t = number(), number()
    s.add(t >= 0, t <= 4)
    end = absolute(x) - 2 * t
    return factor * 2 * t * z3.If(end > 0, end, 0) <= x * x


# information


@says("n = 3", {"factor": "4.000001"})
def popoviciu(s, factor=4):
    p, x = probabilities(s, 3), ordered(s, 3)
    return value(factor) * (p @ (x * x) - (p @ x) * (p @ x)) <= (x[2] - x[0]) * (x[2] - x[0])


# combinatorics


@says("n = 4, real vectors", {"largest": True})
def average_degree(s, largest=False):
    A, top = graph(s, 4), number()
    x = nonnegative(s, 4)
    s.add(norm2(x) == 1, *(left == top * right for left, right in zip(A @ x, x, strict=True)))
    others = numbers(4)
    s.add(z3.ForAll(list(others), others @ A @ others <= top * norm2(others)))
    return z3.And(*(one <= top for one in A.sum(axis=0))) if largest else A.sum() <= 4 * top


@says("n = 6", {"least": 3})
def goodman(s, least=2):
    A = graph(s, 6)
    alike = [z3.And(A[i, j] == A[j, k], A[j, k] == A[i, k]) for i, j, k in itertools.combinations(range(6), 3)]
    return z3.AtLeast(*alike, least)


@says("n = 5", {"times": 1})
def handshake(s, times=2):
    A = graph(s, 5)
    return A.sum(axis=0).sum() == times * np.triu(A).sum()


@says("3 x 3", {"bound": 1})
def largest_determinant(s, bound=2):
    B = numbers(3, 3, kind=z3.Int)
    s.add(*(z3.Or(one == 0, one == 1) for one in B.flat))
    return determinant(B) <= bound


def without(s, A, k):
    for places in itertools.combinations(range(len(A)), k):
        s.add(z3.Or(*(A[i, j] == 0 for i, j in itertools.combinations(places, 2))))


@says("n = 5", {"factor": 5})
def mantel(s, factor=4):
    A = graph(s, 5)
    without(s, A, 3)
    return factor * np.triu(A).sum() <= 25


@says("n = 4", {"all_of_it": True})
def matrix_tree(s, all_of_it=False):
    L = laplacian(tree(s, 4))
    return determinant(L if all_of_it else L[1:, 1:]) == 1


@says("n = 6", {"paths": True})
def tree_edges(s, paths=False):
    A = tree(s, 6)
    if paths:
        return z3.And(*(one <= 2 for one in A.sum(axis=0)))
    triangles = [A[i, j] + A[j, k] + A[i, k] == 3 for i, j, k in itertools.combinations(range(6), 3)]
    return z3.And(np.triu(A).sum() == 5, z3.Not(z3.Or(*triangles)))


@says("n = 6", {"factor": 4})
def turan(s, factor=3):
    A = graph(s, 6)
    without(s, A, 4)
    return factor * np.triu(A).sum() <= 36


@says("n = 3", {"factor": "0.99"})
def van_der_waerden(s, factor=1):
    return value(factor) * 27 * permanent(doubly_stochastic(s, 3)) >= 6


@says("n = 5", {"closed": True})
def walks(s, closed=False):
    A = graph(s, 5)
    degrees = A.sum(axis=0)
    return degrees.sum() * degrees.sum() <= 5 * (degrees.sum() if closed else norm2(degrees))


# networks


@says("n = m = 2", {"factor": "2.000002"})
def balanced_cost(s, factor=2):
    V, W = numbers(2, 2), numbers(2, 2)
    gram, size = norm2(V @ W), root(s, determinant(V @ W) * determinant(V @ W))
    return value(factor) * root(s, gram + 2 * size) <= norm2(V) + norm2(W)


@says("n = m = 2", {"sign": -1})
def balanced_flow(_s, sign=1):
    V, W, G = numbers(2, 2), numbers(2, 2), numbers(2, 2)
    dW, dV = -V.T @ G, -G @ W.T
    first, second = dW @ W.T, V.T @ dV
    return equal(first + first.T, sign * (second + second.T))


def f(V, W, x):
    return V @ relu(W @ x)


@says("n = m = 2", {"linear": True})
def homogeneous(s, linear=False):
    V, W, x, c = numbers(2, 2), numbers(2, 2), numbers(2), number()
    s.add(c >= 0)
    return equal(f(V * c, W * c, x), f(V, W, x) * (c if linear else c * c))


def squared_norm(s, A):
    bound = number()
    rest = np.eye(2, dtype=int) * bound - A.T @ A
    s.add(rest[0, 0] >= 0, rest[1, 1] >= 0, determinant(rest) == 0)
    return bound


@says("n = m = 2", {"factor": "1.000001"})
def lipschitz_product(s, factor=1):
    V, W, x, y = numbers(2, 2), numbers(2, 2), numbers(2), numbers(2)
    left = norm2(f(V, W, x) - f(V, W, y))
    return value(factor) * value(factor) * left <= squared_norm(s, V) * squared_norm(s, W) * norm2(x - y)


@says("n = m = 2", {"signed": True})
def path_norm(_s, signed=False):
    V, W, x = numbers(2, 2), numbers(2, 2), numbers(2)
    absolutes = lambda M: np.array([absolute(one) for one in M.flat]).reshape(M.shape)  # noqa: E731
    bound = absolutes(V @ W @ x) if signed else absolutes(V) @ absolutes(W) @ absolutes(x)
    return every(absolutes(f(V, W, x)), bound)
