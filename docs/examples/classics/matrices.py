"""Matrix inequalities: Hadamard, Fischer, Oppenheim, Minkowski, von Neumann, Weyl, Ky Fan, Golden-Thompson and others."""

import numpy as np

from verify import Claim, Domain, Q, Source, reals
from verify.families import positive_definite, positive_semidefinite, symmetric, with_spectrum
from verify.words import (
    block,
    determinant,
    diag,
    eigenvalues,
    eq,
    expm,
    eye,
    ge,
    inner,
    inverse,
    le,
    least,
    minimum,
    norm2,
    power,
    psd_power,
    rank,
    singular_values,
    trace,
)  # fmt: skip

SIZES = {"n": (2, 3)}


def hadamard(A, factor=1):
    return le(factor * determinant(A), diag(A).prod())


HADAMARD = Claim(
    id="classics.hadamard",
    title="The determinant is at most the product of the diagonal",
    source=Source("matrices", "Hadamard 1893"),
    statement=hadamard,
    domain=Domain({"A": positive_semidefinite("n")}, SIZES),
    tight={"diagonal": {"A": [[2, 0], [0, 3]]}},
    false_variants={
        "1 % more": {"factor": Q("1.01")},
        "the smallest entry to the power n": lambda A: le(determinant(A), diag(A).min() ** A.shape[0]),
    },
)


def fischer(A, k=1):
    return le(determinant(A), determinant(A[:k, :k]) * determinant(A[k:, k:]))


FISCHER = Claim(
    id="classics.fischer",
    title="The determinant is at most the product of those of two diagonal blocks",
    source=Source("matrices", "Fischer 1908"),
    statement=fischer,
    domain=Domain({"A": positive_semidefinite("n")}, SIZES),
    tight={"two blocks": {"A": [[2, 0, 0], [0, 2, 1], [0, 1, 2]]}},
    false_variants={
        "at least": lambda A: ge(determinant(A), A[0, 0] * determinant(A[1:, 1:])),
        "half of it": lambda A: le(2 * determinant(A), A[0, 0] * determinant(A[1:, 1:])),
    },
)


def oppenheim(A, B):
    return ge(determinant(A * B), determinant(A) * diag(B).prod())


OPPENHEIM = Claim(
    id="classics.oppenheim",
    title="The entrywise product has a determinant at least det(A) prod B_ii",
    source=Source("matrices", "Oppenheim 1930"),
    statement=oppenheim,
    domain=Domain({"A": positive_semidefinite("n"), "B": positive_semidefinite("n")}, SIZES),
    tight={"diagonal": {"A": [[2, 0], [0, 1]], "B": [[1, 0], [0, 3]]}},
    false_variants={
        "both diagonals": lambda A, B: ge(determinant(A * B), diag(A).prod() * diag(B).prod()),
        "the trace": lambda A, B: ge(determinant(A * B), determinant(A) * trace(B)),
    },
)


def minkowski(A, B, factor=1):
    n = A.shape[0]
    root = lambda M: power(determinant(M), Q(1, n))  # noqa: E731
    return ge(root(A + B), factor * (root(A) + root(B)))


MINKOWSKI = Claim(
    id="classics.minkowski",
    title="The n-th root of the determinant is superadditive",
    source=Source("matrices", "Minkowski"),
    statement=minkowski,
    domain=Domain({"A": positive_definite("n"), "B": positive_definite("n")}, SIZES),
    tight={"proportional": {"A": [[1, 0], [0, 1]], "B": [[4, 0], [0, 4]]}},
    false_variants={
        "1 % more": {"factor": Q("1.01")},
        "without the root, twice": lambda A, B: ge(determinant(A + B), 2 * (determinant(A) + determinant(B))),
    },
)


def von_neumann(A, B, factor=1):
    return le(factor * trace(A @ B), singular_values(A) @ singular_values(B))


VON_NEUMANN = Claim(
    id="classics.von_neumann",
    title="The trace of a product is at most the product of the singular values",
    source=Source("matrices", "von Neumann 1937"),
    statement=von_neumann,
    domain=Domain({"A": reals("n", "n"), "B": reals("n", "n")}, SIZES),
    tight={"diagonal": {"A": [[3, 0], [0, 1]], "B": [[2, 0], [0, 1]]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "in opposite order": lambda A, B: le(trace(A @ B), singular_values(A) @ singular_values(B)[::-1]),
    },
)


def weyl(A, B):
    return le(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B)[0])


WEYL = Claim(
    id="classics.weyl",
    title="Adding B raises no eigenvalue by more than the largest of B",
    source=Source("matrices", "Weyl 1912"),
    statement=weyl,
    domain=Domain({"A": symmetric("n"), "B": symmetric("n")}, SIZES),
    tight={"a multiple of the identity": {"A": [[1, 2], [2, 1]], "B": [[3, 0], [0, 3]]}},
    false_variants={
        "eigenvalue by eigenvalue": lambda A, B: le(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B)),
        "the second of B": lambda A, B: le(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B)[1]),
    },
)


def ky_fan(A, B):
    return le(eigenvalues(A + B).cumsum(), eigenvalues(A).cumsum() + eigenvalues(B).cumsum())


KY_FAN = Claim(
    id="classics.ky_fan",
    title="Sums of the largest eigenvalues are subadditive",
    source=Source("matrices", "Ky Fan 1949"),
    statement=ky_fan,
    domain=Domain({"A": symmetric("n"), "B": symmetric("n")}, SIZES),
    tight={"diagonal, in one order": {"A": [[3, 0], [0, 1]], "B": [[2, 0], [0, 1]]}},
    false_variants={
        "sums of the smallest": lambda A, B: le(
            eigenvalues(A + B)[::-1].cumsum(), eigenvalues(A)[::-1].cumsum() + eigenvalues(B)[::-1].cumsum()
        ),
        "each by itself": lambda A, B: le(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B)),
    },
)


def hoffman_wielandt(A, B, factor=1):
    return le(factor * norm2(eigenvalues(A) - eigenvalues(B)), norm2(A - B))


HOFFMAN_WIELANDT = Claim(
    id="classics.hoffman_wielandt",
    title="Spectra are at most as far apart as the matrices",
    source=Source("matrices", "Hoffman and Wielandt 1953"),
    statement=hoffman_wielandt,
    domain=Domain({"A": symmetric("n"), "B": symmetric("n")}, SIZES),
    tight={"diagonal, in one order": {"A": [[3, 0], [0, 1]], "B": [[2, 0], [0, 1]]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "in opposite order": lambda A, B: le(norm2(eigenvalues(A) - eigenvalues(B)[::-1]), norm2(A - B)),
    },
)


def golden_thompson(A, B, factor=1):
    return le(factor * trace(expm(A + B)), trace(expm(A) @ expm(B)))


GOLDEN_THOMPSON = Claim(
    id="classics.golden_thompson",
    title="The exponential of a sum has the smaller trace",
    source=Source("matrices", "Golden, Thompson 1965"),
    statement=golden_thompson,
    domain=Domain({"A": symmetric("n"), "B": symmetric("n")}, {"n": (2,)}),
    tight={"zero": {"A": [[0, 0], [0, 0]], "B": [[1, 0], [0, 2]]}},
    false_variants={
        "1 % more": {"factor": Q("1.01")},
        "for the square": lambda A, B: le(trace((A + B) @ (A + B)), 2 * trace(A @ B)),
    },
)


def boettcher_wenzel(A, B, factor=2):
    return le(norm2(A @ B - B @ A), factor * norm2(A) * norm2(B))


BOETTCHER_WENZEL = Claim(
    id="classics.boettcher_wenzel",
    title="A commutator has at most twice the product of the squared norms",
    source=Source("matrices", "Boettcher and Wenzel 2005"),
    statement=boettcher_wenzel,
    domain=Domain({"A": reals("n", "n"), "B": reals("n", "n")}, SIZES),
    tight={"two units": {"A": [[0, 1], [0, 0]], "B": [[0, 0], [1, 0]]}},
    false_variants={"1e-6 less": {"factor": Q("1.999998")}, "one": {"factor": 1}},
)


def kantorovich(A, x, factor=Q(4, 3)):
    return le((x @ A @ x) * (x @ inverse(A) @ x), factor * norm2(x) ** 2)


KANTOROVICH = Claim(
    id="classics.kantorovich",
    title="Spectrum in [1, 3]: the quadratic forms of A and its inverse multiply to at most 4/3",
    source=Source("matrices", "Kantorovich 1948"),
    statement=kantorovich,
    domain=Domain({"A": with_spectrum("n", 1, 3), "x": reals("n")}, SIZES),
    tight={"both ends": {"A": [[1, 0], [0, 3]], "x": [1, 1]}},
    false_variants={"1 % less": {"factor": Q("1.32")}, "one": {"factor": 1}},
)


def interlacing(A):
    outer, inner_ = eigenvalues(A), eigenvalues(A[1:, 1:])
    return le(inner_, outer[:-1], name="below") & ge(inner_, outer[1:], name="above")


INTERLACING = Claim(
    id="classics.interlacing",
    title="Eigenvalues of a principal submatrix lie between those of the matrix",
    source=Source("matrices", "Cauchy 1829"),
    statement=interlacing,
    domain=Domain({"A": symmetric("n")}, {"n": (2, 3, 4)}),
    tight={"diagonal": {"A": [[2, 0, 0], [0, 2, 0], [0, 0, 2]]}},
    false_variants={
        "above the next but one": lambda A: ge(eigenvalues(A[1:, 1:]), eigenvalues(A)[:-1]),
        "below the next": lambda A: le(eigenvalues(A[1:, 1:]), eigenvalues(A)[1:]),
    },
)


def schur_complement(A, B):
    n = A.shape[0]
    whole = block([[A, B], [B.T, B.T @ inverse(A) @ B + eye(n)]])
    return eq(determinant(whole), determinant(A))


SCHUR_COMPLEMENT = Claim(
    id="classics.schur_complement",
    title="With the Schur complement 1 a block matrix has the determinant of its corner",
    source=Source("matrices", "Schur 1917"),
    statement=schur_complement,
    domain=Domain({"A": positive_definite("n"), "B": reals("n", "n")}, {"n": (1, 2)}),
    tight={"numbers": {"A": [[2]], "B": [[3]]}},
    false_variants={
        "without the inverse": lambda A, B: le(determinant(block([[A, B], [B.T, B.T @ B + eye(A.shape[0])]])), determinant(A)),
        "the trace": lambda A, B: le(inner(A, B), determinant(A)),
    },
)


def lieb_thirring(A, B, factor=1):
    return le(factor * trace(A @ B @ A @ B), trace(A @ A @ B @ B))


LIEB_THIRRING = Claim(
    id="classics.araki_lieb_thirring",
    title="Of positive matrices the trace of (AB)^2 is at most that of A^2 B^2",
    source=Source("matrices", "Lieb and Thirring 1976, Araki 1990"),
    statement=lieb_thirring,
    domain=Domain({"A": positive_semidefinite("n"), "B": positive_semidefinite("n")}, SIZES),
    tight={"diagonal": {"A": [[1, 0], [0, 2]], "B": [[3, 0], [0, 1]]}},
    false_variants={
        "1e-6 more": {"factor": Q("1.000001")},
        "of squared traces": lambda A, B: ge(trace(A @ B) ** 2, trace(A @ A @ B @ B)),
    },
)


def loewner_heinz(A, D, p=Q(1, 2)):
    return ge(least(eigenvalues(psd_power(A + D, p) - psd_power(A, p))), 0)


LOEWNER_HEINZ = Claim(
    id="classics.loewner_heinz",
    title="The square root of matrices is monotone",
    source=Source("matrices", "Loewner 1934, Heinz 1951"),
    statement=loewner_heinz,
    domain=Domain({"A": positive_semidefinite("n"), "D": positive_semidefinite("n", 1)}, SIZES),
    tight={"one direction": {"A": [[1, 0], [0, 1]], "D": [[3, 0], [0, 0]]}},
    false_variants={"the square": {"p": Q(2)}, "the power 3/2": {"p": Q(3, 2)}},
)


def schur_horn(A):
    return le(np.cumsum(np.sort(diag(A))[::-1]), np.cumsum(eigenvalues(A)))


SCHUR_HORN = Claim(
    id="classics.schur_horn",
    title="The largest k entries of the diagonal sum to at most the largest k eigenvalues",
    source=Source("matrices", "Schur 1923"),
    statement=schur_horn,
    domain=Domain({"A": symmetric("n")}, SIZES),
    tight={"diagonal": {"A": [[1, 0], [0, 2]]}},
    false_variants={
        "entry by entry": lambda A: le(np.sort(diag(A))[::-1], eigenvalues(A)),
        "absolute values": lambda A: le(np.cumsum(np.sort(abs(diag(A)))[::-1]), np.cumsum(eigenvalues(A))),
    },
)


def sylvester(A, B, excess=0):
    return ge(rank(A @ B), rank(A) + rank(B) - A.shape[0] + excess)


SYLVESTER = Claim(
    id="classics.sylvester",
    title="A product loses at most as much rank as its factors together",
    source=Source("matrices", "Sylvester 1884"),
    statement=sylvester,
    domain=Domain({"A": reals("n", "n"), "B": reals("n", "n")}, SIZES),
    tight={"complementary": {"A": [[1, 0], [0, 0]], "B": [[0, 0], [0, 1]]}},
    false_variants={"one more": {"excess": 1}, "the smaller rank": lambda A, B: ge(rank(A @ B), minimum(rank(A), rank(B)))},
)
