"""The theorems as expressions that must not be negative, or must be zero, at one size each.

What a user has at hand: assumptions of symbols, `expand`, `factor` and `simplify`, `minimum` of one variable; for what is
false, the inequality in one variable, solved, when all others are small integers.
"""

import itertools
import signal

import numpy as np
import sympy as sp
from said import determinant, norm2, permanent, register
from sympy.calculus.util import minimum
from sympy.core.cache import clear_cache

SECONDS = 20
KNOWN = {}
says = register(KNOWN)
NEW = itertools.count()
FINITE = "finitely many cases: a loop of one's own"
CANNOT = {
    "average_degree": FINITE,
    "goodman": FINITE,
    "grothendieck": "nine variables, and a maximum of absolute values",
    "largest_determinant": FINITE,
    "lipschitz_product": "the norms are roots of roots, and ReLU has four cases for each point",
    "mantel": FINITE,
    "matrix_tree": FINITE,
    "tree_edges": FINITE,
    "turan": FINITE,
    "data_processing": "five variables in logarithms",
    "fano": "eight variables in logarithms",
    "submodular": "seven variables in logarithms",
}


class TimeOut(Exception):
    pass


def ended(*_):
    raise TimeOut


def run(_said, statement, _number):
    """Whether it is seen to be true, or to be false at a point."""
    signal.signal(signal.SIGPROF, ended)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    clear_cache()
    try:
        told = statement()
        told = list(np.ravel(told)) if isinstance(told, list | np.ndarray) else [told]
        if all(shown(one) for one in told):
            return "proved"
        return "counterexample" if any(false_somewhere(one) for one in told) else "gives up"
    except TimeOut:
        return f"no answer in {SECONDS} s"
    except NotImplementedError:
        return "gives up"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def shown(expression):
    """Whether SymPy sees that it is true: a truth value, an equation, or what must not be negative."""
    if isinstance(expression, bool | sp.logic.boolalg.BooleanAtom):
        return bool(expression)
    if isinstance(expression, sp.Eq):
        return sp.simplify(expression.lhs - expression.rhs) == 0
    return any(form(expression).is_nonnegative for form in (sp.expand, sp.factor, sp.simplify))


def false_somewhere(told):
    """Whether the inequality in one variable has solutions, where the others are 1, or 1, 2, 3 and so on."""
    if isinstance(told, bool | sp.logic.boolalg.BooleanAtom):
        return not told
    if isinstance(told, sp.Eq):
        return (
            sp.simplify((told.lhs - told.rhs).subs({v: k + 2 for k, v in enumerate(sorted(told.free_symbols, key=str))})) != 0
        )
    variables = sorted(told.free_symbols, key=str)
    for values, one in itertools.product((itertools.repeat(1), range(1, 99)), variables):
        others = dict(zip([v for v in variables if v != one], values, strict=False))
        t = sp.Dummy(real=True)
        where = sp.Interval(0, sp.oo) if one.is_nonnegative else sp.S.Reals
        left = told.subs(others).subs(one, t)
        if not left.free_symbols:
            if left.is_negative:
                return True
            continue
        if sp.solve_univariate_inequality(left < 0, t, relational=False, domain=where) != sp.S.EmptySet:
            return True
    return False


def value(text):
    return sp.Rational(text)


def numbers(*shape, **assumed):
    names = np.empty(shape, object)
    for place in np.ndindex(shape):
        names[place] = sp.Symbol(f"v{next(NEW):03}", **(assumed or {"real": True}))
    return names


def symmetric(n):
    A = numbers(n, n)
    return np.array([[A[min(i, j), max(i, j)] for j in range(n)] for i in range(n)])


def semidefinite(n):
    """By its root of Cholesky."""
    B = np.triu(numbers(n, n))
    return B.T @ B


def nonnegative(*shape):
    return numbers(*shape, nonnegative=True)


def ordered(n):
    """The first, and what each adds."""
    return np.concatenate([numbers(1), nonnegative(n - 1)]).cumsum()


def spectrum(A):
    middle, half = (A[0, 0] + A[1, 1]) / 2, (A[0, 0] - A[1, 1]) / 2
    radius = sp.sqrt(half**2 + A[0, 1] ** 2)
    return np.array([middle + radius, middle - radius])


def between_1_and_3(n):
    """Diagonal: for a quadratic form it is enough."""
    t = nonnegative(n)
    return np.diag([(1 + 3 * one) / (1 + one) for one in t])


def probabilities(n, low=0):
    """Positive where low is positive: weights over their sum."""
    p = numbers(n, positive=True) if low else nonnegative(n)
    return p / p.sum()


def doubly_stochastic(n):
    orders = [np.eye(n, dtype=int)[list(order)] for order in itertools.permutations(range(n))]
    return sum(w * P for w, P in zip(probabilities(len(orders), 1), orders, strict=True))


def graph(n):
    """Any symmetric matrix with zeros on the diagonal: more than is needed."""
    A = symmetric(n)
    return A - np.diag(np.diag(A))


def H(p):
    return -sum(one * sp.log(one) for one in p)


def absolute(x):
    return np.array([sp.Abs(one) for one in x])


def least_of(function, low, high):
    """The minimum of a function of one variable over an interval is not negative."""
    t = sp.Symbol("t", real=True)
    return sp.simplify(minimum(function(t), t, sp.Interval(low, high))) >= 0


# matrices


@says("n = 2", {"factor": "1.000001"})
def araki_lieb_thirring(factor=1):
    A, B = semidefinite(2), semidefinite(2)
    return np.trace(A @ A @ B @ B) - value(factor) * np.trace(A @ B @ A @ B)


@says("n = 2", {"factor": "1.999998"})
def boettcher_wenzel(factor=2):
    A, B = numbers(2, 2), numbers(2, 2)
    return value(factor) * norm2(A) * norm2(B) - norm2(A @ B - B @ A)


@says("n = 2", {"sign": -1})
def fischer(sign=1):
    A = semidefinite(2)
    return sign * (A[0, 0] * A[1, 1] - determinant(A))


@says("n = 2, A diagonal", {"factor": "1.01"})
def golden_thompson(factor=1):
    A, B = sp.diag(*numbers(2)), sp.Matrix(symmetric(2))
    return (A.exp() * B.exp()).trace() - value(factor) * (A + B).exp().trace()


@says("n = 2", {"factor": "1.01"})
def hadamard(factor=1):
    A = semidefinite(2)
    return A[0, 0] * A[1, 1] - value(factor) * determinant(A)


@says("n = 2", {"factor": "1.000001"})
def hoffman_wielandt(factor=1):
    A, B = np.diag(numbers(2)), symmetric(2)
    return norm2(A - B) - value(factor) * norm2(spectrum(A) - spectrum(B))


@says("n = 2", {"above": 0})
def interlacing(above=1):
    A = symmetric(2)
    values = spectrum(A)
    return [values[0] - A[1, 1], A[1, 1] - values[above]]


@says("n = 2, A diagonal", {"factor": "1.32"})
def kantorovich(factor="4/3"):
    A, x = between_1_and_3(2), numbers(2)
    inverse = np.diag(1 / np.diag(A))
    return value(factor) * norm2(x) ** 2 - (x @ A @ x) * (x @ inverse @ x)


@says("n = 2", {"place": 1})
def ky_fan(place=0):
    A, B = np.diag(numbers(2)), symmetric(2)
    return spectrum(A)[place] + spectrum(B)[place] - spectrum(A + B)[place]


@says("n = 2, in squares", {"squares": True})
def loewner_heinz(squares=False):
    low, x = np.diag(nonnegative(2)), numbers(2)
    rest = np.outer(x, x)
    if squares:
        D = (low + rest) @ (low + rest) - low @ low
        return [D[0, 0], determinant(D)]
    A = sp.Matrix(low @ low + rest)
    trace, root = A.trace(), sp.sqrt(A.det())
    high = (A + root * sp.eye(2)) / sp.sqrt(trace + 2 * root)
    D = np.array(high) - low
    return [D[0, 0], determinant(D)]


# norms


@says("n = 2", {"factor": 1})
def carleman(factor=sp.E):
    x = nonnegative(2)
    return sp.sympify(factor) * x.sum() ** 1 - x[0] - sp.sqrt(x[0] * x[1])


@says("n = 2", {"factor": "1.000001"})
def cauchy(factor=1):
    x, y = numbers(2), numbers(2)
    return norm2(x) * norm2(y) - value(factor) * (x @ y) ** 2


@says("n = 3", {"factor": 1})
def chebyshev(factor=3):
    x, y = ordered(3), ordered(3)
    return factor * (x @ y) - x.sum() * y.sum()


@says("n = 1", {"factor": "1.000001"})
def clarkson(factor=1):
    x, y = numbers(1), numbers(1)
    return (8 * (x**4 + y**4) - value(factor) * ((x + y) ** 4 + (x - y) ** 4)).sum()


@says("n = 3", {"factor": 1})
def hardy(factor=4):
    x = nonnegative(3)
    return factor * norm2(x) - norm2(x.cumsum() / np.array([sp.Integer(k) for k in (1, 2, 3)]))


@says("n = 2, x1 >= x2 >= 0", {"factor": "0.99"})
def khinchin(factor=1):
    low, more = nonnegative(2)
    return 2 * value(factor) * (low + more) ** 2 - (low + more) ** 2 - low**2


@says("n = 2", {"sign": -1})
def means(sign=1):
    x = nonnegative(2)
    return sign * (x.sum() / 2 - sp.sqrt(x[0] * x[1]))


@says("n = 3", {"order": -1})
def rearrangement(order=1):
    x, y = ordered(3), ordered(3)
    return [x @ y[::order] - x @ y[list(P)] for P in itertools.permutations(range(3))]


@says("one, c >= b >= a", {"sign": -1})
def schur(sign=1):
    a, b, c = nonnegative(3).cumsum()
    return a * (a - b) * (a - c) + b * (b - a) * (b - c) + sign * c * (c - a) * (c - b)


# optimisation


@says("n = 1", {"gain": "0.500001"})
def descent_lemma(gain="1/2"):
    A, x = between_1_and_3(1), numbers(1)
    g = A @ x
    y = x - g / 3
    return x @ A @ x / 2 - value(gain) * norm2(g) / 3 - y @ A @ y / 2


@says("N = 2, x = 1", {"shift": 3})
def drori_teboulle(shift=2):
    t = sp.Symbol("t", real=True)
    third, half = sp.Rational(1, 3), sp.Rational(1, 2)
    value_at_the_end = sp.Piecewise((t * (1 - 2 * t) - t**2 / 2, t <= third), ((1 - 2 * t) ** 2 / 2, t <= half), (0, True))
    return sp.solve_univariate_inequality((4 * 2 + shift) * value_at_the_end > 1, t, False, sp.Interval(0, 4)) == sp.S.EmptySet


@says("n = 2", {"factor": 2})
def firmly_nonexpansive(factor=1):
    A, image = semidefinite(2), numbers(2)
    return image @ (image + A @ image) - factor * norm2(image)


@says("n = 1", {"factor": "0.249999"})
def gradient_descent(factor="1/4"):
    A, x = between_1_and_3(1), numbers(1)
    return value(factor) * norm2(x) - norm2(x - A @ x / 2)


@says("n = 1", {"step": "3/2"})
def heavy_ball(step="1/2"):
    A, x = between_1_and_3(1), numbers(1)
    first = x - value(step) * (A @ x)
    second = first - value(step) * (A @ first) + (first - x) / 4
    return norm2(x) - norm2(second)


@says("n = 1", {"factor": "1.000001"})
def polyak_lojasiewicz(factor=1):
    A, x = between_1_and_3(1), numbers(1)
    return norm2(A @ x) - value(factor) * (x @ A @ x)


@says("n = 1, by signs", {"expansive": True})
def projection(expansive=False):
    u, v = nonnegative(2)
    told = []
    for x, y in itertools.product((u, -u), (v, -v)):
        d, image = x - y, sp.Max(x, 0) - sp.Max(y, 0)
        told.append(image**2 - image * d - d**2 if expansive else image * d - image**2)
    return told


@says("N = 2, |x| >= 2 t", {"factor": 5})
def proximal_point(factor=4):
    t, rest = nonnegative(2)
    return (rest + 2 * t) ** 2 - factor * 2 * t * rest


# information


@says("n = 2, V1 >= V2", {"mean": True})
def attention(mean=False):
    x, (low, more) = numbers(2), (*numbers(1), *nonnegative(1))
    V = np.array([low + more, low])
    weights = np.array([sp.exp(one) for one in x])
    return sp.factor((V.sum() / 2 if mean else V[0]) - weights @ V / weights.sum())


@says("n = 2, q = 1/2", {"factor": "1/2"})
def bretagnolle_huber(factor=1):
    divergence = lambda p: p * sp.log(2 * p) + (1 - p) * sp.log(2 - 2 * p)  # noqa: E731
    return least_of(
        lambda p: 1 - sp.exp(-value(factor) * divergence(p)) - (p - sp.Rational(1, 2)) ** 2,
        sp.Rational(1, 99),
        sp.Rational(98, 99),
    )


@says("n = 2", {"factor": "1.000001"})
def largest_entropy(factor=1):
    return least_of(lambda p: sp.log(2) - value(factor) * H([p, 1 - p]), 0, 1)


@says("n = 2", {"squares": True})
def mixing(squares=False):
    P, p = doubly_stochastic(2), probabilities(2, 1)
    return norm2(P @ p) - norm2(p) if squares else H(P @ p) - H(p)


@says("n = 2, q = 1/2", {"factor": "2.02"})
def pinsker(factor=2):
    divergence = lambda p: p * sp.log(2 * p) + (1 - p) * sp.log(2 - 2 * p)  # noqa: E731
    return least_of(
        lambda p: divergence(p) - value(factor) * (p - sp.Rational(1, 2)) ** 2, sp.Rational(1, 99), sp.Rational(98, 99)
    )


@says("n = 2", {"factor": "4.000001"})
def popoviciu(factor=4):
    p, x = probabilities(2, 1), ordered(2)
    return (x[1] - x[0]) ** 2 - value(factor) * (p @ x**2 - (p @ x) ** 2)


@says("n = 2, by the difference", {"share": "1/2"})
def smooth_maximum(share=1):
    t = sp.Symbol("t", nonnegative=True)
    over = sp.log(1 + sp.exp(-t))
    return [over, value(share) * sp.log(2) - over]


# combinatorics


@says("n = 5", {"times": 1})
def handshake(times=2):
    A = graph(5)
    return sp.Eq(A.sum(axis=0).sum(), times * np.triu(A).sum())


@says("n = 2", {"factor": "0.99"})
def van_der_waerden(factor=1):
    return value(factor) * 4 * permanent(doubly_stochastic(2)) - 2


@says("n = 3", {"closed": True})
def walks(closed=False):
    A = graph(3)
    return 3 * (np.trace(A @ A) if closed else (A @ A).sum()) - A.sum() ** 2


# networks


@says("n = m = 2", {"factor": "2.000002"})
def balanced_cost(factor=2):
    V, W = numbers(2, 2), numbers(2, 2)
    nuclear = sp.sqrt(norm2(V @ W) + 2 * sp.Abs(determinant(V @ W)))
    return norm2(V) + norm2(W) - value(factor) * nuclear


@says("n = m = 3", {"sign": -1})
def balanced_flow(sign=1):
    V, W, G = numbers(3, 3), numbers(3, 3), numbers(3, 3)
    dW, dV = -V.T @ G, -G @ W.T
    first, second = dW @ W.T, V.T @ dV
    return [sp.Eq(left, right) for left, right in zip((first + first.T).flat, (sign * (second + second.T)).flat, strict=True)]


def f(V, W, x):
    hidden = [sp.factor(one) for one in W @ x]
    return V @ np.array([(one + sp.Abs(one)) / 2 for one in hidden])


@says("n = m = 2", {"power": 1})
def homogeneous(power=2):
    V, W, x, (c,) = numbers(2, 2), numbers(2, 2), numbers(2), numbers(1, positive=True)
    return [sp.Eq(left, c**power * right) for left, right in zip(f(c * V, c * W, x), f(V, W, x), strict=True)]


@says("n = 1, m = 2", {"signed": True})
def path_norm(signed=False):
    V, W, x = numbers(1, 2), numbers(2, 1), numbers(1)
    left = absolute(f(V, W, x))
    return (absolute(V @ W @ x) - left)[0] if signed else (absolute(V[0]) @ absolute(W[:, 0]) * sp.Abs(x[0]) - left)[0]
