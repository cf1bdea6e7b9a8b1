"""Graphs and 0/1 matrices: Mantel, trees, walks, spectra, the largest determinant."""

import itertools
import math

import numpy as np

from verify import Claim, Domain, Q, Source
from verify.families import adjacency, binary, doubly_stochastic, tree
from verify.words import determinant, diag, eigenvalues, eq, eye, ge, le, trace

GRAPHS = {"n": (2, 3, 4, 5)}


def mantel(A, factor=4):
    return le(factor * A.sum() / 2, A.shape[0] ** 2)


MANTEL = Claim(
    id="classics.mantel",
    title="A graph without triangles has at most n^2/4 edges",
    source=Source("combinatorics", "Mantel 1907"),
    statement=mantel,
    domain=Domain({"A": adjacency("n")}, GRAPHS, {"no triangle": lambda A: trace(A @ A @ A) == 0}),
    needs=("no triangle",),
    tight={"two sides": {"A": [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]}},
    false_variants={"n^2/5": {"factor": 5}},
)


def edges_of_a_tree(A):
    return eq(A.sum(), 2 * (A.shape[0] - 1)) & eq(trace(A @ A @ A), 0, name="no triangle")


TREE_EDGES = Claim(
    id="classics.tree_edges",
    title="A tree has one edge less than vertices, and no closed walk of length three",
    source=Source("combinatorics", "trees"),
    statement=edges_of_a_tree,
    domain=Domain({"A": tree("n")}, {"n": (1, 2, 4, 6)}),
    tight={"a path": {"A": [[0, 1, 0], [1, 0, 1], [0, 1, 0]]}},
    false_variants={
        "paths only": lambda A: le(A.sum(axis=0), 2),
        "stars only": lambda A: ge(A.sum(axis=0).max(), A.shape[0] - 1),
    },
)


def walks(A):
    return ge(A.shape[0] * (A @ A).sum(), A.sum() ** 2)


WALKS = Claim(
    id="classics.walks",
    title="There are at least as many walks of two steps as in a regular graph",
    source=Source("combinatorics", "Sidorenko for paths"),
    statement=walks,
    domain=Domain({"A": adjacency("n")}, GRAPHS),
    tight={"a cycle": {"A": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}},
    false_variants={
        "closed walks": lambda A: ge(A.shape[0] * trace(A @ A), A.sum() ** 2),
        "walks of three steps": lambda A: ge(A.shape[0] * (A @ A @ A).sum(), A.sum() ** 3),
    },
)


def average_degree(A):
    return ge(A.shape[0] * eigenvalues(A)[0], A.sum())


AVERAGE_DEGREE = Claim(
    id="classics.average_degree",
    title="The spectral radius is at least the average degree",
    source=Source("combinatorics", "Collatz and Sinogowitz 1957"),
    statement=average_degree,
    domain=Domain({"A": adjacency("n")}, GRAPHS),
    tight={"a triangle": {"A": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}},
    false_variants={
        "the largest degree": lambda A: ge(eigenvalues(A)[0], A.sum(axis=0).max()),
        "the second eigenvalue": lambda A: ge(A.shape[0] * eigenvalues(A)[1], A.sum()),
    },
)


def largest_determinant(B, bound=2):
    return le(determinant(B), bound)


LARGEST_DETERMINANT = Claim(
    id="classics.largest_determinant",
    title="A 3 x 3 matrix of zeros and ones has a determinant of at most 2",
    source=Source("combinatorics", "Hadamard's problem"),
    statement=largest_determinant,
    domain=Domain({"B": binary(3, 3)}),
    tight={"a circulant": {"B": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}},
    false_variants={"one": {"bound": 1}, "zero": {"bound": 0}},
)


def handshake(A):
    return eq(A.sum(axis=0).sum(), 2 * np.triu(A).sum())


HANDSHAKE = Claim(
    id="classics.handshake",
    title="Degrees sum to twice the number of edges",
    source=Source("combinatorics", "Euler 1736"),
    statement=handshake,
    domain=Domain({"A": adjacency("n")}, GRAPHS),
    tight={"an edge": {"A": [[0, 1], [1, 0]]}},
    false_variants={
        "once": lambda A: eq(A.sum(), np.triu(A).sum()),
        "squares": lambda A: eq((A.sum(axis=0) ** 2).sum(), 2 * np.triu(A).sum()),
    },
)


def four_joined(A):
    """Number of complete graphs with four vertices."""
    fours = itertools.combinations(range(A.shape[0]), 4)
    return sum(math.prod(A[i, j] for i, j in itertools.combinations(four, 2)) for four in fours)


def turan(A, factor=3):
    return le(factor * A.sum() / 2, A.shape[0] ** 2)


TURAN = Claim(
    id="classics.turan",
    title="A graph without four vertices that are all joined has at most n^2/3 edges",
    source=Source("combinatorics", "Turan 1941"),
    statement=turan,
    domain=Domain({"A": adjacency("n")}, {"n": (4, 5, 6)}, {"no four are joined": lambda A: four_joined(A) == 0}),
    needs=("no four are joined",),
    tight={"three parts": {"A": [[int(i // 2 != j // 2) for i in range(6)] for j in range(6)]}},
    false_variants={"as without triangles": {"factor": 4}},
)


def goodman(A, least_of_them=2):
    both = [trace(one @ one @ one) / 6 for one in (A, 1 - eye(6) - A)]
    return ge(both[0] + both[1], least_of_them)


GOODMAN = Claim(
    id="classics.goodman",
    title="Of six people there are two triples that all know each other, or none does: R(3, 3) is at most 6",
    source=Source("combinatorics", "Goodman 1959"),
    statement=goodman,
    domain=Domain({"A": adjacency(6)}),
    tight={"two sides": {"A": [[(i + j) % 2 for i in range(6)] for j in range(6)]}},
    false_variants={"three": {"least_of_them": 3}, "acquaintances": lambda A: ge(trace(A @ A @ A), 6)},
)


def permanent(B):
    orders = itertools.permutations(range(B.shape[0]))
    return sum(math.prod(B[i, place] for i, place in enumerate(order)) for order in orders)


def van_der_waerden(B, factor=1):
    n = B.shape[0]
    return ge(factor * n**n * permanent(B), math.factorial(n))


VAN_DER_WAERDEN = Claim(
    id="classics.van_der_waerden",
    title="The permanent of a doubly stochastic matrix is at least n!/n^n",
    source=Source("combinatorics", "Egorychev and Falikman 1981"),
    statement=van_der_waerden,
    domain=Domain({"B": doubly_stochastic("n")}, {"n": (2, 3)}),
    tight={"uniform": {"B": [["1/2", "1/2"], ["1/2", "1/2"]]}},
    false_variants={"1 % less": {"factor": Q("0.99")}, "one": lambda B: ge(permanent(B), 1)},
)


def matrix_tree(A):
    return eq(determinant((diag(A.sum(axis=1)) - A)[1:, 1:]), 1)


MATRIX_TREE = Claim(
    id="classics.matrix_tree",
    title="A tree has one spanning tree: so says the determinant of Kirchhoff",
    source=Source("combinatorics", "Kirchhoff 1847"),
    statement=matrix_tree,
    domain=Domain({"A": tree("n")}, {"n": (2, 4, 6)}),
    tight={"a path": {"A": [[0, 1, 0], [1, 0, 1], [0, 1, 0]]}},
    false_variants={
        "all of it": lambda A: eq(determinant(diag(A.sum(axis=1)) - A), 1),
        "without signs": lambda A: eq(determinant((diag(A.sum(axis=1)) + A)[:-1, :-1]), A.shape[0]),
    },
)
