"""Probability and information: Pinsker, Bretagnolle-Huber, Gibbs, data processing, mixing, softmax, Hoeffding, Ingleton."""

from verify import Claim, Domain, Q, Source, interval, reals
from verify.families import doubly_stochastic, probability_vector, stochastic
from verify.words import (
    absolute,
    concatenate,
    entropy,
    exp,
    ge,
    greatest,
    le,
    least,
    log,
    logsumexp,
    norm2,
    rank,
    relative_entropy,
    softmax,
    stack,
    trace,
)  # fmt: skip

SIZES = {"n": (2, 3)}
TWO = Domain({"p": probability_vector("n"), "q": probability_vector("n")}, SIZES, {"q is positive": lambda q: (q > 0).all()})


def variation(p, q):
    return absolute(p - q).sum() / 2


def pinsker(p, q, factor=2):
    return ge(relative_entropy(p, q), factor * variation(p, q) ** 2)


PINSKER = Claim(
    id="classics.pinsker",
    title="The divergence is at least twice the squared total variation",
    source=Source("information", "Pinsker 1960, Csiszar 1967"),
    statement=pinsker,
    domain=TWO,
    tight={"equal": {"p": ["1/2", "1/2"], "q": ["1/2", "1/2"]}},
    false_variants={"1 % more": {"factor": Q("2.02")}, "four": {"factor": 4}},
)


def bretagnolle_huber(p, q, factor=1):
    return le(variation(p, q) ** 2, 1 - exp(-factor * relative_entropy(p, q)))


BRETAGNOLLE_HUBER = Claim(
    id="classics.bretagnolle_huber",
    title="The squared total variation is at most 1 - exp(-KL)",
    source=Source("information", "Bretagnolle and Huber 1979"),
    statement=bretagnolle_huber,
    domain=TWO,
    tight={"equal": {"p": ["1/2", "1/2"], "q": ["1/2", "1/2"]}},
    false_variants={
        "half of the divergence": {"factor": Q(1, 2)},
        "without the square": lambda p, q: le(variation(p, q), 1 - exp(-relative_entropy(p, q))),
    },
)


def data_processing(p, q, K):
    return le(relative_entropy(p @ K, q @ K), relative_entropy(p, q))


DATA_PROCESSING = Claim(
    id="classics.data_processing",
    title="A channel does not raise the divergence",
    source=Source("information", "data processing"),
    statement=data_processing,
    domain=Domain(
        {"p": probability_vector("n"), "q": probability_vector("n"), "K": stochastic("n", "n")},
        SIZES,
        {"q is positive": lambda q: (q > 0).all(), "so is its image": lambda q, K: (q @ K > 0).all()},
    ),
    tight={"no channel": {"p": ["1/2", "1/2"], "q": ["1/4", "3/4"], "K": [[1, 0], [0, 1]]}},
    false_variants={
        "the entropy": lambda p, K: le(entropy(p @ K), entropy(p)),
        "half of it": lambda p, q, K: le(2 * relative_entropy(p @ K, q @ K), relative_entropy(p, q)),
    },
)


def mixing(P, p):
    return ge(entropy(P @ p), entropy(p))


MIXING = Claim(
    id="classics.mixing",
    title="A doubly stochastic matrix does not lower the entropy",
    source=Source("information", "Schur 1923"),
    statement=mixing,
    domain=Domain({"P": doubly_stochastic("n"), "p": probability_vector("n")}, SIZES),
    tight={"a permutation": {"P": [[0, 1], [1, 0]], "p": ["1/4", "3/4"]}},
    false_variants={
        "not for the sum of squares": lambda P, p: ge(norm2(P @ p), norm2(p)),
        "a tenth more": lambda P, p: ge(entropy(P @ p), entropy(p) + variation(P @ p, p) / 10 + Q(1, 100)),
    },
)


def largest_entropy(p, factor=1):
    return le(factor * entropy(p), log(p.shape[0]))


LARGEST_ENTROPY = Claim(
    id="classics.largest_entropy",
    title="The entropy is at most log n",
    source=Source("information", "Gibbs"),
    statement=largest_entropy,
    domain=Domain({"p": probability_vector("n")}, {"n": (2, 3, 4)}),
    tight={"uniform": {"p": ["1/3", "1/3", "1/3"]}},
    false_variants={"1e-6 more": {"factor": Q("1.000001")}, "log(n - 1)": lambda p: le(entropy(p), log(p.shape[0] - 1))},
)


def smooth_maximum(x):
    return ge(logsumexp(x), greatest(x), name="above") & le(logsumexp(x), greatest(x) + log(x.shape[0]), name="below")


SMOOTH_MAXIMUM = Claim(
    id="classics.smooth_maximum",
    title="logsumexp lies between the largest entry and log n above it",
    source=Source("information", "logsumexp"),
    statement=smooth_maximum,
    domain=Domain({"x": reals("n")}, {"n": (1, 2, 3)}),
    tight={"one entry": {"x": [2]}, "equal entries": {"x": [1, 1]}},
    false_variants={
        "log(n) / 2": lambda x: le(logsumexp(x), greatest(x) + log(x.shape[0]) / 2),
        "below the largest": lambda x: le(logsumexp(x), greatest(x)),
    },
)


def attention(x, V):
    """A head of attention with the scores x and the values V."""
    return le(softmax(x) @ V, V.max(axis=0))


ATTENTION = Claim(
    id="classics.attention",
    title="Attention stays below the largest value",
    source=Source("information", "softmax"),
    statement=attention,
    domain=Domain({"x": reals("n"), "V": reals("n", 2)}, SIZES),
    tight={"equal values": {"x": [1, 2], "V": [[3, 1], [3, 1]]}},
    false_variants={
        "below the mean": lambda x, V: le(softmax(x) @ V, V.sum(axis=0) / V.shape[0]),
        "below the first": lambda x, V: le(softmax(x) @ V, V[0]),
    },
)


JOINT = Domain({"p": probability_vector("cells")}, {"cells": (9,)})


def fano(p, others=2):
    joint = p.reshape(3, 3)
    error = 1 - trace(joint)
    return le(entropy(joint) - entropy(joint.sum(axis=0)), entropy(stack([error, 1 - error])) + error * log(others))


FANO = Claim(
    id="classics.fano",
    title="What is left open of X by a guess is at most h(e) + e log(n - 1), where e is the probability of an error",
    source=Source("information", "Fano 1952"),
    statement=fano,
    domain=JOINT,
    tight={"no error": {"p": [1, 0, 0, 0, 0, 0, 0, 0, 0]}},
    false_variants={"no choice left": {"others": 1}, "the error alone": lambda p: le(entropy(p), 1 - trace(p.reshape(3, 3)))},
)


def submodular(p):
    q = p.reshape(2, 2, 2)
    return le(entropy(q) + entropy(q.sum(axis=(0, 2))), entropy(q.sum(axis=2)) + entropy(q.sum(axis=0)))


SUBMODULAR = Claim(
    id="classics.submodular",
    title="Entropy is submodular: H(X, Y, Z) + H(Y) is at most H(X, Y) + H(Y, Z)",
    source=Source("information", "Shannon 1948"),
    statement=submodular,
    domain=Domain({"p": probability_vector("cells")}, {"cells": (8,)}),
    tight={"one cell": {"p": [1, 0, 0, 0, 0, 0, 0, 0]}},
    false_variants={
        "without Y": lambda p: le(entropy(p), entropy(p.reshape(2, 2, 2).sum(axis=2))),
        "at least": lambda p: ge(entropy(p), entropy(p.reshape(4, 2).sum(axis=1)) + entropy(p.reshape(4, 2).sum(axis=0))),
    },
)


def popoviciu(p, x, factor=4):
    return le(factor * (p @ x**2 - (p @ x) ** 2), (greatest(x) - least(x)) ** 2)


POPOVICIU = Claim(
    id="classics.popoviciu",
    title="The variance is at most a quarter of the squared range",
    source=Source("information", "Popoviciu 1935"),
    statement=popoviciu,
    domain=Domain({"p": probability_vector("n"), "x": reals("n")}, SIZES),
    tight={"both ends": {"p": ["1/2", "1/2"], "x": [0, 1]}},
    false_variants={"1e-6 more": {"factor": Q("4.000001")}, "a fifth": {"factor": 5}},
)


def hoeffding(p, x, t, factor=1):
    return le(p @ exp(t * (x - p @ x)), exp(factor * t**2 / 8))


HOEFFDING = Claim(
    id="classics.hoeffding",
    title="Of values between 0 and 1, E exp(t(X - EX)) is at most exp(t^2/8)",
    source=Source("information", "Hoeffding 1963"),
    statement=hoeffding,
    domain=Domain({"p": probability_vector("n"), "x": interval(0, 1, "n"), "t": interval(-8, 8)}, {"n": (2, 3)}),
    tight={"t = 0": {"p": ["1/2", "1/2"], "x": [0, 1], "t": 0}},
    false_variants={
        "1 % less": {"factor": Q("0.99")},
        "by the mean": lambda p, x, t: le(p @ exp(t * (x - p @ x)), exp(t**2 * (p @ x) / 2)),
    },
)


def ingleton(A, B, C, D, once=1):
    def r(*parts):
        return rank(concatenate(parts, axis=1))

    return le(r(A) + r(B) + r(A, B, C) + r(A, B, D) + once * r(C, D), r(A, B) + r(A, C) + r(A, D) + r(B, C) + r(B, D))


INGLETON = Claim(
    id="classics.ingleton",
    title="The ranks of four subspaces and of their sums satisfy Ingleton's inequality",
    source=Source("information", "Ingleton 1971"),
    statement=ingleton,
    domain=Domain({name: reals(3, "n") for name in "ABCD"}, {"n": (1, 2)}),
    tight={"one line": {name: [[1], [0], [0]] for name in "ABCD"}},
    false_variants={
        "modular": lambda A, B: ge(rank(concatenate([A, B], axis=1)), rank(A) + rank(B)),
        "C and D count twice": {"once": 2},
    },
)


def informations(p):
    """I(A;B), I(C;D) and I(C;A,B) of bits C and D with the joint distribution p, of A = C D and B = (1 - C) (1 - D)."""
    a_b, bit = stack([p[0], p[1] + p[2], p[3]]), lambda t: entropy(stack([t, 1 - t]))
    c, d = bit(p[0] + p[1]), bit(p[0] + p[2])
    return bit(p[3]) + bit(p[0]) - entropy(a_b), c + d - entropy(p), c + entropy(a_b) - entropy(p)


def zhang_yeung(p):
    """Given C or D, one of A and B is known to be zero, so that I(A;B|C) and I(A;B|D) vanish."""
    ab, cd, c_ab = informations(p)
    return le(2 * ab, cd + c_ab)


ZHANG_YEUNG = Claim(
    id="classics.zhang_yeung",
    title="Entropies of four variables, of which I(A;B|C) = I(A;B|D) = 0: 2 I(A;B) is at most I(C;D) + I(C;A,B)",
    source=Source("information", "Zhang and Yeung 1998"),
    statement=zhang_yeung,
    domain=Domain({"p": probability_vector(4)}),
    tight={"certain": {"p": [1, 0, 0, 0]}},
    false_variants={
        "Ingleton's inequality": lambda p: le(informations(p)[0], informations(p)[1]),
        "without I(C;D)": lambda p: le(2 * informations(p)[0], informations(p)[2] - informations(p)[1]),
    },
)
