"""The theorems as property tests: matrices of small integers, floats beyond them, 1000 examples led by `target`."""

import itertools

import numpy as np
from hypothesis import HealthCheck, given, seed, settings, target
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from said import determinant, laplacian, norm2, permanent, register
from scipy.linalg import expm
from scipy.special import entr, logsumexp, rel_entr, softmax

EXAMPLES = 1000
KNOWN = {}
says = register(KNOWN)


def run(said, statement, number):
    """How many examples there were, and whether one of them failed."""
    count = 0

    def property_test(**drawn):
        nonlocal count
        count += not failed
        try:
            statement(**drawn)
        except AssertionError:
            failed.append(count)
            raise

    failed = []
    options = settings(max_examples=EXAMPLES, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    try:
        seed(number)(options(given(**said.drawn)(property_test)))()
    except AssertionError:
        return f"counterexample after {failed[0]} examples"
    return f"nothing in {count} examples"


def at_most(left, right):
    scale = 1 + np.abs(left) + np.abs(right)
    worst = float(np.max((left - right) / scale))
    target(worst)
    assert worst <= 1e-9


def numbers(*shape, low=-9):
    return arrays(float, shape, elements=st.integers(low, 9).map(float))


def sorted_numbers(n):
    return numbers(n).map(np.sort)


def symmetric(n):
    return numbers(n, n).map(lambda B: B + B.T)


def semidefinite(n):
    return numbers(n, n).map(lambda B: B.T @ B)


def between_1_and_3(n):
    def clipped(B):
        values, vectors = np.linalg.eigh(B)
        return vectors @ np.diag(np.clip(values, 1, 3)) @ vectors.T

    return symmetric(n).map(clipped)


def probabilities(*shape, low=0):
    return numbers(*shape, low=low).filter(lambda p: p.sum(axis=-1).all()).map(lambda p: p / p.sum(axis=-1, keepdims=True))


def doubly_stochastic(n):
    orders = [np.eye(n)[list(order)] for order in itertools.permutations(range(n))]
    return probabilities(len(orders)).map(lambda p: sum(w * P for w, P in zip(p, orders, strict=True)))


def unit():
    return st.floats(0, 2 * np.pi).map(lambda t: np.array([np.cos(t), np.sin(t)]))


def graphs(n):
    return arrays(int, (n, n), elements=st.integers(0, 1)).map(lambda B: np.triu(B, 1) + np.triu(B, 1).T)


def trees(n):
    def joined(parents):
        A = np.zeros((n, n), int)
        for child, parent in enumerate(parents, start=1):
            A[child, parent] = A[parent, child] = 1
        return A

    return st.tuples(*(st.integers(0, child - 1) for child in range(1, n))).map(joined)


def spectrum(A):
    return np.linalg.eigvalsh(A)[::-1]


def root(A):
    values, vectors = np.linalg.eigh(A)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


def H(p):
    return entr(p).sum()


def KL(p, q):
    return rel_entr(p, q).sum()


def TV(p, q):
    return np.abs(p - q).sum() / 2


# matrices


@says("n = 3", {"factor": 1.000001}, A=semidefinite(3), B=semidefinite(3))
def araki_lieb_thirring(A, B, factor=1):
    at_most(factor * np.trace(A @ B @ A @ B), np.trace(A @ A @ B @ B))


@says("n = 3", {"factor": 1.999998}, A=numbers(3, 3), B=numbers(3, 3))
def boettcher_wenzel(A, B, factor=2):
    at_most(norm2(A @ B - B @ A), factor * norm2(A) * norm2(B))


@says("n = 3", lambda A: at_most(A[0, 0] * determinant(A[1:, 1:]), determinant(A)), A=semidefinite(3))
def fischer(A):
    at_most(determinant(A), A[0, 0] * determinant(A[1:, 1:]))


@says("n = 2", {"factor": 1.01}, A=symmetric(2), B=symmetric(2))
def golden_thompson(A, B, factor=1):
    at_most(factor * np.trace(expm(A + B)), np.trace(expm(A) @ expm(B)))


@says("n = 3", {"factor": 1.01}, A=semidefinite(3))
def hadamard(A, factor=1):
    at_most(factor * determinant(A), np.diag(A).prod())


@says("n = 3", {"factor": 1.000001}, A=symmetric(3), B=symmetric(3))
def hoffman_wielandt(A, B, factor=1):
    at_most(factor * norm2(spectrum(A) - spectrum(B)), norm2(A - B))


@says("n = 3", lambda A: at_most(spectrum(A)[:-1], spectrum(A[1:, 1:])), A=symmetric(3))
def interlacing(A):
    at_most(spectrum(A[1:, 1:]), spectrum(A)[:-1])
    at_most_too(spectrum(A)[1:], spectrum(A[1:, 1:]))


def at_most_too(left, right):
    assert (left <= right + 1e-9 * (1 + np.abs(left) + np.abs(right))).all()


@says("n = 3", {"factor": 1.32}, A=between_1_and_3(3), x=numbers(3))
def kantorovich(A, x, factor=4 / 3):
    at_most((x @ A @ x) * (x @ np.linalg.inv(A) @ x), factor * norm2(x) ** 2)


@says("n = 3", {"order": -1}, A=symmetric(3), B=symmetric(3))
def ky_fan(A, B, order=1):
    sums = lambda M: np.cumsum(spectrum(M)[::order])  # noqa: E731
    at_most(sums(A + B), sums(A) + sums(B))


@says("n = 2", {"power": lambda A: A @ A}, A=semidefinite(2), x=numbers(2))
def loewner_heinz(A, x, power=root):
    at_most(-spectrum(power(A + np.outer(x, x)) - power(A))[-1], 0)


# norms


@says("n = 4", {"factor": 1}, x=numbers(4, low=0))
def carleman(x, factor=np.e):
    at_most(sum(x[:k].prod() ** (1 / k) for k in range(1, 5)), factor * x.sum())


@says("n = 3", {"factor": 1.000001}, x=numbers(3), y=numbers(3))
def cauchy(x, y, factor=1):
    at_most(factor * (x @ y) ** 2, norm2(x) * norm2(y))


@says("n = 3", {"factor": 1}, x=sorted_numbers(3), y=sorted_numbers(3))
def chebyshev(x, y, factor=3):
    at_most(x.sum() * y.sum(), factor * (x @ y))


@says("n = 3", {"factor": 1.000001}, x=numbers(3), y=numbers(3))
def clarkson(x, y, factor=1):
    at_most(factor * ((x + y) ** 4 + (x - y) ** 4).sum(), 8 * (x**4 + y**4).sum())


@says("n = 2", {"squared": 1}, A=numbers(2, 2), u=unit(), v=unit(), w=unit(), z=unit())
def grothendieck(A, u, v, w, z, squared=2):
    signs = max(abs(A[0, 0] + b * A[0, 1] + a * (A[1, 0] + b * A[1, 1])) for a in (-1, 1) for b in (-1, 1))
    at_most((A * (np.array([u, v]) @ np.array([w, z]).T)).sum() ** 2, squared * signs**2)


@says("n = 5", {"factor": 1}, x=numbers(5, low=0))
def hardy(x, factor=4):
    at_most(norm2(x.cumsum() / np.arange(1, 6)), factor * norm2(x))


@says("n = 3", {"factor": 0.99}, x=numbers(3))
def khinchin(x, factor=1):
    mean = np.mean([abs(x @ np.array(signs)) for signs in itertools.product((-1, 1), repeat=3)])
    at_most(norm2(x), factor * 2 * mean**2)


@says("n = 3", lambda x: at_most(x.mean(), x.prod() ** (1 / 3)), x=numbers(3, low=0))
def means(x):
    at_most(x.prod() ** (1 / 3), x.mean())


@says("n = 3", {"order": -1}, x=sorted_numbers(3), y=sorted_numbers(3), P=st.permutations(range(3)))
def rearrangement(x, y, P, order=1):
    at_most(x @ y[P], x @ y[::order])


@says("one", {"sign": -1}, a=st.integers(0, 9), b=st.integers(0, 9), c=st.integers(0, 9))
def schur(a, b, c, sign=1):
    at_most(0, a * (a - b) * (a - c) + b * (b - a) * (b - c) + sign * c * (c - a) * (c - b))


# optimisation


@says("n = 3", {"gain": 0.500001}, A=between_1_and_3(3), x=numbers(3))
def descent_lemma(A, x, gain=0.5):
    g = A @ x
    at_most((x - g / 3) @ A @ (x - g / 3) / 2, x @ A @ x / 2 - gain * norm2(g) / 3)


@says("N = 2", {"shift": 3}, x=st.floats(-9, 9), t=st.floats(0, 4))
def drori_teboulle(x, t, shift=2):
    end = x
    for _ in range(2):
        end -= np.clip(end, -t, t)
    value = end**2 / 2 if abs(end) <= t else t * abs(end) - t**2 / 2
    at_most((4 * 2 + shift) * value, x**2)


@says("n = 3", {"factor": 2}, A=semidefinite(3), d=numbers(3))
def firmly_nonexpansive(A, d, factor=1):
    image = np.linalg.solve(np.eye(3) + A, d)
    at_most(factor * norm2(image), image @ d)


@says("n = 3", {"factor": 0.249999}, A=between_1_and_3(3), x=numbers(3))
def gradient_descent(A, x, factor=0.25):
    at_most(norm2(x - A @ x / 2), factor * norm2(x))


@says("n = 3", {"step": 1.5}, A=between_1_and_3(3), x=numbers(3))
def heavy_ball(A, x, step=0.5):
    first = x - step * (A @ x)
    second = first - step * (A @ first) + (first - x) / 4
    at_most(norm2(second), norm2(x))


@says("n = 3", {"factor": 1.000001}, A=between_1_and_3(3), x=numbers(3))
def polyak_lojasiewicz(A, x, factor=1):
    at_most(factor * (x @ A @ x), norm2(A @ x))


@says("n = 3", {"expansive": 1}, x=numbers(3), y=numbers(3))
def projection(x, y, expansive=0):
    d, image = x - y, np.maximum(x, 0) - np.maximum(y, 0)
    at_most(*((image @ d + norm2(d), norm2(image)) if expansive else (norm2(image), image @ d)))


@says("N = 2", {"factor": 5}, x=st.floats(-9, 9), t=st.floats(0, 4))
def proximal_point(x, t, factor=4):
    at_most(factor * 2 * t * max(abs(x) - 2 * t, 0), x**2)


# information


@says("n = 3", lambda x, V: at_most(softmax(x) @ V, V.mean(axis=0)), x=numbers(3), V=numbers(3, 2))
def attention(x, V):
    at_most(softmax(x) @ V, V.max(axis=0))


@says("n = 3", {"factor": 0.5}, p=probabilities(3), q=probabilities(3, low=1))
def bretagnolle_huber(p, q, factor=1):
    at_most(TV(p, q) ** 2, 1 - np.exp(-factor * KL(p, q)))


@says(
    "n = 3",
    {"entropy": True},
    p=probabilities(3),
    q=probabilities(3, low=1),
    K=probabilities(3, 3, low=1),
)
def data_processing(p, q, K, entropy=False):
    at_most(*((H(p @ K), H(p)) if entropy else (KL(p @ K, q @ K), KL(p, q))))


@says("3 x 3", {"others": 1}, p=probabilities(9))
def fano(p, others=2):
    p = p.reshape(3, 3)
    error = 1 - np.trace(p)
    at_most(H(p) - H(p.sum(axis=0)), entr(error) + entr(1 - error) + error * np.log(others))


@says("n = 3", {"factor": 1.000001}, p=probabilities(3))
def largest_entropy(p, factor=1):
    at_most(factor * H(p), np.log(3))


@says("n = 3", lambda P, p: at_most(norm2(p), norm2(P @ p)), P=doubly_stochastic(3), p=probabilities(3))
def mixing(P, p):
    at_most(H(p), H(P @ p))


@says("n = 3", {"factor": 2.02}, p=probabilities(3), q=probabilities(3, low=1))
def pinsker(p, q, factor=2):
    at_most(factor * TV(p, q) ** 2, KL(p, q))


@says("n = 3", {"factor": 4.000001}, p=probabilities(3), x=numbers(3))
def popoviciu(p, x, factor=4):
    at_most(factor * (p @ x**2 - (p @ x) ** 2), np.ptp(x) ** 2)


@says("n = 3", {"share": 0.5}, x=numbers(3))
def smooth_maximum(x, share=1):
    at_most(x.max(), logsumexp(x))
    at_most_too(logsumexp(x), x.max() + share * np.log(3))


@says("2 x 2 x 2", lambda p: at_most(H(p), H(p.reshape(4, 2).sum(axis=1))), p=probabilities(8))
def submodular(p):
    q = p.reshape(2, 2, 2)
    at_most(H(q) + H(q.sum(axis=(0, 2))), H(q.sum(axis=2)) + H(q.sum(axis=0)))


# combinatorics


@says("n = 5", lambda A: at_most(A.sum(axis=0).max(), spectrum(A)[0]), A=graphs(5))
def average_degree(A):
    at_most(A.sum() / 5, spectrum(A)[0])


@says("n = 6", {"least": 3}, A=graphs(6))
def goodman(A, least=2):
    other = 1 - np.eye(6, dtype=int) - A
    at_most(least, (np.trace(A @ A @ A) + np.trace(other @ other @ other)) / 6)


@says("n = 5", {"times": 1}, A=graphs(5))
def handshake(A, times=2):
    assert A.sum(axis=0).sum() == times * np.triu(A).sum()


@says("3 x 3", {"bound": 1}, B=arrays(int, (3, 3), elements=st.integers(0, 1)))
def largest_determinant(B, bound=2):
    at_most(determinant(B), bound)


@says("n = 5", {"factor": 5}, A=graphs(5).filter(lambda A: np.trace(A @ A @ A) == 0))
def mantel(A, factor=4):
    at_most(factor * A.sum() / 2, 25)


@says("n = 6", lambda A: at_most(1, determinant(laplacian(A))), A=trees(6))
def matrix_tree(A):
    assert determinant(laplacian(A)[1:, 1:]) == 1


@says("n = 6", lambda A: at_most(A.sum(axis=0), 2), A=trees(6))
def tree_edges(A):
    assert A.sum() == 2 * 5
    assert np.trace(A @ A @ A) == 0


def no_four(A):
    return not any(A[np.ix_(four, four)].sum() == 12 for four in itertools.combinations(range(len(A)), 4))


@says("n = 6", {"factor": 4}, A=graphs(6).filter(no_four))
def turan(A, factor=3):
    at_most(factor * A.sum() / 2, 36)


@says("n = 3", {"factor": 0.99}, B=doubly_stochastic(3))
def van_der_waerden(B, factor=1):
    at_most(6, factor * 27 * permanent(B))


@says("n = 5", lambda A: at_most(A.sum() ** 2, 5 * np.trace(A @ A)), A=graphs(5))
def walks(A):
    at_most(A.sum() ** 2, 5 * (A @ A).sum())


# networks


@says("n = m = 2", {"factor": 2.000002}, V=numbers(2, 2), W=numbers(2, 2))
def balanced_cost(V, W, factor=2):
    at_most(factor * np.linalg.norm(V @ W, "nuc"), norm2(V) + norm2(W))


@says("n = m = 2", {"sign": -1}, V=numbers(2, 2), W=numbers(2, 2), G=numbers(2, 2))
def balanced_flow(V, W, G, sign=1):
    first, second = -V.T @ G @ W.T, -V.T @ G @ W.T
    assert (first + first.T == sign * (second + second.T)).all()


def f(V, W, x):
    return V @ np.maximum(W @ x, 0)


@says("n = m = 2", {"power": 1}, V=numbers(2, 2), W=numbers(2, 2), x=numbers(2), c=st.integers(0, 9))
def homogeneous(V, W, x, c, power=2):
    assert (f(c * V, c * W, x) == c**power * f(V, W, x)).all()


@says("n = m = 2", {"factor": 1.000001}, V=numbers(2, 2), W=numbers(2, 2), x=numbers(2), y=numbers(2))
def lipschitz_product(V, W, x, y, factor=1):
    size = np.linalg.norm
    at_most(factor * size(f(V, W, x) - f(V, W, y)), size(V, 2) * size(W, 2) * size(x - y))


@says("n = m = 2", lambda V, W, x: at_most(abs(f(V, W, x)), abs(V @ W @ x)), V=numbers(2, 2), W=numbers(2, 2), x=numbers(2))
def path_norm(V, W, x):
    at_most(abs(f(V, W, x)), abs(V) @ abs(W) @ abs(x))
