"""Probability and information: Pinsker, Bretagnolle-Huber, Gibbs, data processing, mixing, softmax."""

from verify import Claim, Domain, Q, Source, reals
from verify.families import doubly_stochastic, probability_vector, stochastic
from verify.words import (
    absolute,
    entropy,
    exp,
    ge,
    greatest,
    le,
    least,
    log,
    logsumexp,
    norm2,
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
