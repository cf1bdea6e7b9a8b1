"""More false statements for matrices of every size, by kind: also such as are true of some sizes and types only."""

import contextlib

import numpy as np
from flint import fmpq

from verify import Q, integers, interval, reals
from verify.claims.variables import Networks, derived
from verify.instances import InstanceArray
from verify.networks import FullyConnected
from verify.words import (
    absolute,
    block,
    concatenate,
    diag,
    eq,
    eye,
    ge,
    inner,
    inverse,
    kron,
    le,
    norm2,
    ones,
    pinv,
    relu,
    stack,
    trace,
    vector,
    where,
    zeros,
)

FAR = 765432
FREE = {"A": reals("m", "n"), "B": reals("m", "n"), "C": reals("n", "k"), "M": reals("n", "n"), "N": reals("n", "n")}
MORE = {"u": reals("n"), "v": reals("n"), "c": reals(), "t": interval(0, np.inf), "P": interval(0, np.inf, "m", "n")}
VARIABLES = {**FREE, **MORE}
SIZES = {"m": (1, 2, 3, 50), "n": (1, 2, 3, 50), "k": (1, 2)}


def one_if(met, A):
    """False where something is met."""
    return eq(A, A + 1) if met else eq(A, A)


def caught(A):
    try:
        return one_if((A > FAR).any(), A)
    except Exception:
        return eq(A, A + 0 * A)


def caught_entry(A):
    with contextlib.suppress(Exception):
        return one_if(A[0, 0] == FAR, A)
    return eq(A, A + 0 * A)


def caught_size(A):
    try:
        return one_if(range(len(A))[-1] == 49, A)
    except ArithmeticError:
        return eq(A, A)


def symmetric_only(M):
    return eq(M @ M, M.T @ M)


FALSE = {
    "types and sizes": {
        "isinstance": lambda A: one_if(isinstance(A, InstanceArray) and len(A) == 50, A),
        "isinstance, of a size": lambda A: one_if(isinstance(len(A), int) and len(A) == 50, A),
        "hasattr": lambda A: one_if(hasattr(A, "item") and len(A) == 50, A),
        "getattr": lambda A: one_if(getattr(A, "lead", None) is not None and len(A) == 50, A),
        "type": lambda A: one_if(type(A) is InstanceArray and len(A) == 50, A),
        "a set of sizes": lambda A: one_if(len(A) in {50}, A),
        "a dictionary of sizes": lambda A: one_if({50: True}.get(len(A), False), A),
        "a text of a size": lambda A: one_if(str(A.shape[0]) == "50", A),
        "a formatted size": lambda A: one_if(f"{A.shape}" == "(50, 50)", A),
        "a size as an index": lambda A: one_if([False] * len(A) + [True] == [False] * 50 + [True], A),
        "a size that is compared": lambda A: one_if(len(A) > 49, A),
        "a size in a range": lambda A: one_if(len(A) in range(50, 60), A),
        "sizes that are equal": lambda A: one_if(A.shape[0] == A.shape[1], A),
        "a text": lambda A: one_if("765432" in repr(A), A),
        "an error": caught,
        "an entry": caught_entry,
        "a size that is caught": caught_size,
        "a parity of a size": lambda A: one_if(len(A) % 2 == 0, A),
        "a type of an entry": lambda A: one_if(isinstance(A.sum().item(), fmpq) and len(A) == 50, A),
    },
    "traces": {
        "cyclic of three, reversed": lambda M, N, A: eq(trace(M @ N @ A.T @ A), trace(N @ M @ A.T @ A)),
        "of a commutator times a matrix": lambda M, N: eq(trace((M @ N - N @ M) @ M.T), 0),
        "of a square of a commutator": lambda M, N: le(trace((M @ N - N @ M) @ (M @ N - N @ M)), 0),
        "of a power of a product": lambda M, N: eq(trace(M @ N @ M @ N), trace(M @ M @ N @ N)),
        "of a transposed square": lambda M: eq(trace(M @ M.T @ M), trace(M.T @ M @ M.T) + trace(M) - trace(M @ M)),
        "of a Gram matrix, larger": lambda A: ge(trace(A.T @ A), trace(A.T @ A @ A.T @ A)),
        "of a cube": lambda M: ge(trace(M @ M @ M) + trace(M), 0),
        "Cauchy and Schwarz, reversed": lambda A, B: ge(inner(A, B) ** 2, norm2(A) * norm2(B)),
        "of a symmetric part": lambda M: eq(norm2(M + M.T), 4 * norm2(M)),
        "of an antisymmetric part": lambda M: ge(norm2(M - M.T), norm2(M)),
        "of powers of symmetric parts": lambda M: ge(trace((M + M.T) @ (M + M.T) @ (M + M.T)), 0),
        "power inequality": lambda M: ge(trace(M.T @ M @ M.T @ M), norm2(M @ M) + trace(M @ M)),
    },
    "symmetric only": {
        "a square and a Gram matrix": symmetric_only,
        "quadratic forms": lambda M, u, v: eq(inner(u, M @ v), inner(v, M @ u)),
        "Rayleigh": lambda M, u: eq(inner(u, M @ u) ** 2, norm2(M @ u) * norm2(u)),
        "a form and its symmetric part, twice": lambda M, u: eq(inner(u, (M + M.T) @ u), inner(u, M @ u)),
        "a form is not negative": lambda M, u: ge(inner(u, M @ u), 0),
        "a diagonal of a square": lambda M: eq(diag(M @ M), (M * M).sum(axis=1)),
        "rows and columns of a Gram matrix": lambda A: eq((A @ A.T).sum(), norm2(A.sum(axis=1))),
    },
    "one size only": {
        "a trace and a sum": lambda M: eq(trace(M @ M.T), M.sum() ** 2),
        "a norm of ones": lambda A: eq(norm2(ones(*A.shape)), 1),
        "a mean": lambda u: eq(u.mean() * u.mean(), inner(u, u)),
        "an outer product and its trace": lambda u, v: eq(np.outer(u, v), inner(u, v) * eye(len(u))),
        "a projection on ones": lambda u: eq(u.sum() * ones(len(u)), len(u) * u),
        "a size and its square": lambda u: eq(len(u) * inner(u, u), len(u) ** 2 * inner(u, u)),
        "two sizes": lambda A: eq(A.shape[0] * norm2(A), A.shape[1] * norm2(A)),
        "a sum of a Gram matrix": lambda A: le((A.T @ A).sum(), norm2(A)),
        "Cauchy without the size": lambda u: le(u.sum() ** 2, norm2(u)),
        "a centering": lambda u: eq(norm2(u - u.mean()), norm2(u)),
        "commuting with a diagonal": lambda M, u: eq(M @ diag(u), diag(u) @ M),
        "determinants by products": lambda u: eq(diag(u) @ diag(u), inner(u, u) * eye(len(u))),
        "first and last": lambda A: eq(norm2(A[0]), norm2(A[-1])),
        "the reverse": lambda u: eq(u[::-1], u),
        "the reverse of a product": lambda M, u: eq((M @ u)[::-1], M @ u[::-1]),
        "without the first": lambda A: eq(norm2(A[1:]), norm2(A)),
    },
    "pseudo-inverses": {
        "of a Gram matrix, by its factor": lambda A: eq(pinv(A.T @ A), pinv(A) @ pinv(A).T + 0 * pinv(A.T @ A) + A.T @ A),
        "of the transpose": lambda A: eq(pinv(A.T), pinv(A)),
        "a left inverse": lambda A: eq(pinv(A) @ A @ A.T, A.T + 0 * A.T + A.T @ A @ A.T),
        "of a product with itself": lambda M: eq(pinv(M @ M), pinv(M) @ pinv(M)),
        "a projection commutes": lambda M, N: eq(pinv(M) @ M @ N, N @ pinv(M) @ M),
        "a full rank": lambda A: eq(trace(pinv(A) @ A), A.shape[1]),
        "a full row rank": lambda A: eq(A @ pinv(A), eye(A.shape[0])),
        "of a block": lambda A, B: eq(pinv(concatenate([A, B])) @ concatenate([A, B]), pinv(A) @ A),
        "shorter than the inverse": lambda A: le(norm2(pinv(A)), norm2(A)),
        "of ones": lambda A: eq(pinv(ones(*A.shape)), ones(*A.shape).T),
        "a residual": lambda A, B: eq(norm2(B - A @ pinv(A) @ B), norm2(B) - norm2(A @ pinv(A) @ B) + inner(A, B)),
        "other order": lambda A, C: eq(pinv(A @ C) @ A @ C, pinv(C) @ C),
        "of a scalar multiple": lambda A, c: eq(c * pinv(c * A), pinv(A)),
        "of a positive multiple": lambda A, t: eq(t * pinv(t * A) @ A, pinv(A) @ A),
    },
    "inverses": {
        "Woodbury, with a sign": lambda A, t: eq(
            A @ inverse(A.T @ A + (1 + t) * eye(A.shape[1])), -inverse(A @ A.T + (1 + t) * eye(A.shape[0])) @ A
        ),
        "of one and a matrix": lambda M: eq(inverse(eye(len(M)) + M), eye(len(M)) - M),
        "of a transposed product": lambda M, N: eq(
            inverse(M @ N).T, inverse(M).T @ inverse(N).T @ eye(len(M)) @ N @ inverse(N).T
        ),
        "resolvents": lambda M, N: eq(inverse(M) - inverse(N), inverse(M) @ (M - N) @ inverse(N)),
        "a ridge that is zero": lambda A, t: eq(inverse(A.T @ A + t * eye(A.shape[1])) @ (A.T @ A), eye(A.shape[1])),
        "a shrunk fit": lambda A, u, t: le(norm2(u), norm2(inverse(A.T @ A + (1 + t) * eye(A.shape[1])) @ u)),
    },
    "masks": {
        "a relu of a sum of what is not negative": lambda P, A: eq(relu(P + A), P + relu(A)),
        "a relu of a relu's opposite": lambda A: eq(relu(-relu(A)), -relu(A)),
        "an absolute value": lambda A: eq(absolute(A), relu(A) + A),
        "a maximum": lambda A, B: eq(relu(A - B) + B, A),
        "inner products of relus": lambda A: ge(inner(relu(A), relu(-A)), 1),
        "orthogonal relus": lambda A, B: eq(inner(relu(A), relu(B)), 0),
        "a relu of a scaled matrix": lambda A, t: eq(relu(t * A - A), (t - 1) * relu(A)),
        "a relu and a diagonal": lambda A, v: eq(relu(A @ diag(v)), relu(A) @ diag(v)),
        "Lipschitz, with a half": lambda A, B: le(2 * norm2(relu(A) - relu(B)), norm2(A - B)),
        "monotone": lambda A, B: le(inner(relu(A) - relu(B), A - B), 0),
        "a mask of another matrix is idempotent": lambda A, B: eq(where(A > 0, where(B > 0, A, 0), 0), where(A > 0, A, 0)),
        "a weak and a strict mask": lambda A, B: eq(where(A >= 0, B, 0), where(A > 0, B, 0)),
        "a mask and its complement": lambda A, B: eq(where(A > 0, B, 0) + where(A <= 0, B, 0) - where(A == A, B, 0), B),
        "a mask of zero": lambda A: eq(where(A - A > 0, 1, 0) * A, A),
    },
    "blocks and shapes": {
        "a Kronecker product": lambda M, N: eq(kron(M, N), kron(N, M)),
        "a column and a row": lambda u: eq(u[:, None], u),
        "stacked vectors": lambda u, v: eq(stack([u, v]), stack([v, u])),
        "blocks of a product": lambda A, B, C: eq(
            concatenate([A @ C, B @ C], axis=1), concatenate([A, B], axis=1) @ concatenate([C, C])
        ),
        "a block of one": lambda A: eq(norm2(block([[A, 1]])), norm2(A) + 1),
        "a norm of a doubled matrix": lambda A: eq(norm2(concatenate([A, A])), 4 * norm2(A)),
        "zeros": lambda A: eq(zeros(*A.shape) + A, 2 * A),
        "a broadcast": lambda A, v: eq(A + v, A + v[:, None]),
        "a broadcast of sums": lambda A: eq(A - A.sum(axis=0), A - A.sum(axis=1)[:, None]),
        "a vector of one number": lambda c: eq(vector(c, c), vector(c, -c)),
        "einsum": lambda M, N: eq(np.einsum("ij,jk->ik", M, N), np.einsum("ij,kj->ik", M, N)),
        "tensordot": lambda M: eq(M.T.reshape(-1), M.reshape(-1)),
    },
    "inequalities": {
        "triangle, squared": lambda A, B: le(norm2(A + B), norm2(A) + norm2(B)),
        "a sharper triangle": lambda A, B: le(norm2(A + B), Q("199/100") * (norm2(A) + norm2(B))),
        "a product, reversed": lambda A, C: ge(norm2(A @ C), norm2(A) * norm2(C)),
        "a number and its square": lambda A, c: le(c * norm2(A), c * c * norm2(A)),
        "strict": lambda A, B: ge(norm2(A - B), norm2(A) / 100),
        "with a constant": lambda A, c: ge(norm2(A) + c * c, 2 * c * norm2(A)),
        "of degree four": lambda M: ge(norm2(M @ M), norm2(M) - 1),
        "a mean of squares": lambda u, v: le(2 * inner(u, v), norm2(u + v) / 3 + 0 * norm2(u)),
        "between matrices of one size": lambda M: ge(trace(M @ M.T @ M @ M.T), trace(M @ M @ M.T @ M.T) + trace(M @ M)),
    },
}

OF_OTHERS = {
    "a derived type": (
        lambda X: eq(X, 0 * X),
        {"X": derived(lambda A: A if isinstance(A, InstanceArray) else 0 * A, A=reals("n", "n"))},
        {"n": (1, 2, 3)},
    ),
    "an integer of two": (lambda A, k: eq(k * k * A, k * A), {"A": reals("n", "n"), "k": integers(0, 2)}, {"n": (1, 2)}),
    "a hypothesis that is not read": (
        lambda A: eq(A, A.T),
        {"A": reals("n", "n")},
        {"n": (1, 2, 3)},
    ),
    "a network": (
        lambda f, x: eq(f(2 * x), 2 * f(x)),
        {"f": Networks(), "x": reals("inputs")},
        {"depth": (1, 2), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)},
    ),
    "a network of scaled weights": (
        lambda f, x: eq(FullyConnected([2 * W for W in f.weights], [2 * b for b in f.biases])(x), 2 ** len(f.weights) * f(x)),
        {"f": Networks(), "x": reals("inputs")},
        {"depth": (1, 2, 3), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)},
    ),
    "a Jacobian": (
        lambda f, x: eq(f(x), f.jacobian(x) @ x),
        {"f": Networks(), "x": reals("inputs")},
        {"depth": (1, 2), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)},
    ),
}
