"""Proofs for all sizes: what is true of letters is proved, what is false never, and changed certificates are rejected."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from verify import Claim, DerivedHere, Domain, Networks, Source, derived, integers, interval, reals
from verify.claims.catalogue import catalogue
from verify.cli import app
from verify.networks import add, compose, through_bottleneck
from verify.networks.leaky_resnet import is_in_row_space
from verify.proofs import independent_words
from verify.proofs.all_sizes import proof
from verify.proofs.all_sizes.letters import NeedsNumber, Size
from verify.proofs.certificate import Deadline, NotProved
from verify.words import (
    absolute,
    block,
    concatenate,
    diag,
    eq,
    eye,
    ge,
    holds,
    inner,
    inverse,
    le,
    lifted,
    nonnegative,
    norm2,
    ones,
    pinv,
    rank,
    relu,
    singular_values,
    trace,
    where,
)

SIZES = dict.fromkeys("mnk", (1, 2, 3))
VARIABLES = {
    "A": reals("m", "n"),
    "B": reals("m", "n"),
    "C": reals("n", "k"),
    "M": reals("m", "m"),
    "N": reals("m", "m"),
    "P": interval(0, 4, "m", "n"),
    "u": reals("n"),
    "s": interval(1 / 4, 3, "m"),
    "v": reals("n"),
    "c": reals(),
    "t": interval(1 / 4, 3),
}


def claim_of(statement: Callable[..., Any], variables: dict[str, Any] | None = None, sizes: Any = None) -> Claim:
    """A claim of this statement; its false variant is never looked at."""
    return Claim(
        id="tests.letters",
        title="Letters",
        source=Source("tests", "letters"),
        status=DerivedHere(),
        statement=statement,
        domain=Domain(variables or VARIABLES, sizes or SIZES),
        false_variants={"zero is one": lambda A: eq(0 * A, 1)} if variables is None else {"one": lambda: eq(0, 1)},
    )


def features(A: Any) -> Any:
    return concatenate([relu(A), ones(1, A.shape[1])])


def with_bias(A: Any) -> Any:
    F = features(A)
    return F, pinv(F)


TRUE: dict[str, Callable[..., Any]] = {
    "transpose of a product": lambda A, C: eq((A @ C).T, C.T @ A.T),
    "an inverse is positive": lambda A, B, t: le(0, trace(B @ inverse(A.T @ A + t * eye(A.shape[1])) @ B.T)),
    "convex in what an inverse weighs": lambda A, B, P, t: le(
        2 * inner(B @ inverse(A.T @ A + t * eye(A.shape[1])), P),
        inner(B @ inverse(A.T @ A + t * eye(A.shape[1])), B) + inner(P @ inverse(A.T @ A + t * eye(A.shape[1])), P),
    ),
    "an absolute value": lambda A: eq(norm2(absolute(A)), norm2(A)) & eq(absolute(-2 * A), 2 * absolute(A)),
    "four vectors": lambda u, v: eq((u * v * u * v).sum(), ((u * u) * (v * v)).sum()),
    "a positive scale": lambda A, s: eq(relu(s[:, None] * A), s[:, None] * relu(A)) & eq(s[:, None] * A / s[:, None], A),
    "trace is cyclic": lambda A, C, M: eq(
        trace(M @ (A @ C) @ (A @ C).T), norm2(C.T @ A.T @ M.T) * 0 + trace((A @ C).T @ M @ A @ C)
    ),
    "trace of a transpose": lambda M, N: eq(trace(M @ N), trace(N.T @ M.T)),
    "square of a sum": lambda A, B: eq(norm2(A + B), norm2(A) + 2 * inner(A, B) + norm2(B)),
    "sum of entries": lambda A, C: eq((A @ C).sum(), A.sum(axis=0) @ C.sum(axis=1)),
    "trace of one": lambda A: eq(trace(eye(A.shape[0])), A.shape[0]),
    "masks move": lambda A, B: eq(inner(relu(A), B), inner(A, where(A > 0, B, 0))),
    "relu is a projection": lambda A: eq(inner(relu(A), A), norm2(relu(A))),
    "relu twice": lambda A: eq(relu(relu(A)), relu(A)),
    "relu of both signs": lambda A: eq(relu(A) - relu(-A), A),
    "relu of a positive multiple": lambda A, t: eq(relu(t * A), t * relu(A)),
    "relu of no negative entry": lambda P: eq(relu(P), P),
    "Penrose": lambda A: eq(A @ pinv(A) @ A, A) & eq(pinv(A) @ A @ pinv(A), pinv(A)),
    "normal equations": lambda A: eq(A.T @ A @ pinv(A), A.T),
    "pinv of a Gram matrix": lambda A: eq(pinv(A.T @ A), pinv(A) @ pinv(A).T),
    "Pythagoras": lambda A, B: eq(norm2(B), norm2(B @ pinv(A) @ A) + norm2(B - B @ pinv(A) @ A)),
    "kernel with a bias": lambda A: eq(features(A).T @ features(A), relu(A).T @ relu(A) + 1),
    "pinv of a kernel": lambda A: eq(pinv(relu(A).T @ relu(A) + 1), pinv(features(A)) @ pinv(features(A)).T),
    "resolvent": lambda A, t: eq(
        inverse(A.T @ A + t * eye(A.shape[1])) @ A.T @ A, eye(A.shape[1]) - t * inverse(A.T @ A + t * eye(A.shape[1]))
    ),
    "blocks": lambda A, B: eq(norm2(concatenate([A, B])), norm2(A) + norm2(B)),
    "block matrix": lambda A, B: eq(norm2(block([[A, 0], [0, B]])), norm2(A) + norm2(B)),
    "columns of a block": lambda A, B: eq(concatenate([A, B], axis=1)[:, : A.shape[1]], A),
    "a column of two": lambda A, u: eq(concatenate([A.T, u[:, None]], axis=1)[:, -1], u),
    "diagonal": lambda u, v: eq(diag(u) @ v, u * v) & eq(inner(u, v), trace(diag(u) @ diag(v))),
    "rows": lambda A, B: eq((A * B).sum(axis=1), (B * A).sum(axis=1)),
    "norm is not negative": lambda A, C: ge(norm2(A @ C), 0),
    "mean and product": lambda A, B: le(2 * inner(A, B), norm2(A) + norm2(B)),
    "relu is shorter": lambda A: le(norm2(relu(A)), norm2(A)),
    "a projection is shorter": lambda A, B: le(norm2(B @ pinv(A) @ A), norm2(B)),
    "outer products": lambda u, v: eq(norm2(np.outer(u, v)), norm2(u) * norm2(v)),
}

FALSE: dict[str, Callable[..., Any]] = {
    # transposes and orders
    "no transpose": lambda M: eq(M, M.T),
    "transpose of one factor": lambda M, N: eq(M @ N, M.T @ N),
    "transpose keeps the order": lambda M, N: eq((M @ N).T, M.T @ N.T),
    "products commute": lambda M, N: eq(M @ N, N @ M),
    "ABC = ACB": lambda M, N, A: eq(trace(M @ N @ (A @ A.T)), trace(M @ (A @ A.T) @ N)),
    "trace of any order": lambda M, N: eq(trace(M @ N @ M.T @ N), trace(M @ M.T @ N @ N)),
    "trace of squares": lambda M: eq(trace(M @ M), norm2(M)),
    "trace of one transpose": lambda M, N: eq(trace(M @ N), trace(M.T @ N)),
    "Gram matrices of both sides": lambda M: eq(M.T @ M, M @ M.T),
    "norm of a product": lambda A, C: eq(norm2(A @ C), norm2(A) * norm2(C)),
    "trace of a product": lambda M, N: eq(trace(M @ N), trace(M) * trace(N)),
    "inner product of products": lambda M, N: eq(inner(M @ N, N), inner(M, N @ N)),
    "vectors": lambda u, v: eq(np.outer(u, v), np.outer(v, u)),
    # coefficients and missing terms
    "missing cross term": lambda A, B: eq(norm2(A + B), norm2(A) + norm2(B)),
    "half of the cross term": lambda A, B: eq(norm2(A + B), norm2(A) + inner(A, B) + norm2(B)),
    "sign of the cross term": lambda A, B: eq(norm2(A - B), norm2(A) + 2 * inner(A, B) + norm2(B)),
    "a scalar once": lambda A, c: eq(norm2(c * A), c * norm2(A)),
    "a scalar is one": lambda A, c: eq(c * A, A),
    "number of columns for rows": lambda A: eq(trace(eye(A.shape[0])), A.shape[1]),
    "number of entries": lambda A: eq(norm2(ones(*A.shape)), A.shape[0]),
    "sum and trace": lambda M: eq(M.sum(), trace(M)),
    "sum over the other axis": lambda M: eq(M.sum(axis=0), M.sum(axis=1)),
    "sums of products": lambda A, C: eq((A @ C).sum(), A.sum() * C.sum()),
    "mean for sum": lambda A: eq(A.mean(), A.sum()),
    "a number is a matrix": lambda M, c: eq(M + c, M + c * eye(M.shape[0])),
    "one is the identity": lambda M: eq(ones(*M.shape) @ M, M),
    # masks
    "relu is linear": lambda A, B: eq(relu(A + B), relu(A) + relu(B)),
    "relu is odd": lambda A: eq(relu(-A), -relu(A)),
    "relu is even": lambda A: eq(relu(-A), relu(A)),
    "relu is the identity": lambda A: eq(relu(A), A),
    "relu of any multiple": lambda A, c: eq(relu(c * A), c * relu(A)),
    "relu of a product": lambda M, A: eq(relu(M @ A), M @ relu(A)),
    "relu of a difference of what is not negative": lambda P, A: eq(relu(P - A), P - A),
    "relu of minus what is not negative": lambda P: eq(relu(-P), -P),
    "a mask leaves": lambda A, B: eq(where(A > 0, B, 0), B),
    "another mask": lambda A, B: eq(where(A > 0, B, 0), where(B > 0, B, 0)),
    "a mask of the opposite": lambda A, B: eq(where(A > 0, B, 0), where(-A > 0, B, 0)),
    "both masks are one": lambda A, B: eq(where(A > 0, B, 0) + where(A < 0, B, 0), B),
    "a mask passes a product": lambda M, A, B: eq(where(A > 0, M @ B, 0), M @ where(A > 0, B, 0)),
    "a mask in the trace": lambda A, B, M: eq(inner(where(A > 0, M @ B, 0), B), inner(M @ where(A > 0, B, 0), B)),
    "a mask of a transpose": lambda M, N: eq(where(M > 0, N, 0).T, where(M > 0, N.T, 0)),
    "kernels of masks": lambda A, B: eq(inner(relu(A), relu(B)), inner(A, relu(B))),
    "features without the bias": lambda A: eq(features(A).T @ features(A), relu(A).T @ relu(A)),
    # pseudo-inverses
    "pinv is an inverse": lambda M: eq(pinv(M) @ M, eye(M.shape[0])),
    "pinv is the transpose": lambda A: eq(pinv(A), A.T),
    "pinv of a product": lambda A, C: eq(pinv(A @ C), pinv(C) @ pinv(A)),
    "pinv of a sum": lambda A, B: eq(pinv(A + B), pinv(A) + pinv(B)),
    "both projections": lambda M: eq(pinv(M) @ M, M @ pinv(M)),
    "in the row space": lambda A, B: eq(B @ pinv(A) @ A, B),
    "pinv twice": lambda A: eq(pinv(A) @ pinv(A).T, A.T @ A),
    "kernel of the other side": lambda A: eq(pinv(A.T @ A), pinv(A).T @ pinv(A) * 0 + A.T @ A),
    "pinv of any multiple": lambda A, c: eq(pinv(c * A), c * pinv(A)),
    "a projection has norm one": lambda A: eq(norm2(pinv(A) @ A), 1),
    "bias in the row space": lambda A: eq(with_bias(A)[1] @ with_bias(A)[0], eye(A.shape[1])),
    # inverses
    "resolvent without its number": lambda A, t: eq(
        inverse(A.T @ A + t * eye(A.shape[1])) @ A.T @ A, eye(A.shape[1]) - inverse(A.T @ A + t * eye(A.shape[1]))
    ),
    "inverses commute": lambda M, N: eq(inverse(M) @ N, N @ inverse(M)),
    "inverse of a product": lambda M, N: eq(inverse(M @ N), inverse(M) @ inverse(N)),
    "inverse of a sum": lambda M, N: eq(inverse(M + N), inverse(M) + inverse(N)),
    "inverse is symmetric": lambda M: eq(inverse(M), inverse(M).T),
    # blocks and parts
    "blocks of another sign": lambda A, B: eq(norm2(concatenate([A, B])), norm2(A) - norm2(B)),
    "blocks commute": lambda A, B: eq(concatenate([A, B]), concatenate([B, A])),
    "first is last": lambda A: eq(A[:, 0], A[:, -1]),
    "a part is all": lambda A, B: eq(norm2(concatenate([A, B], axis=1)[:, :-1]), norm2(A) + norm2(B)),
    "off the diagonal": lambda A, B: eq(block([[A, 0], [0, B]]), block([[A, B], [B, B]])),
    "a multiple of the identity": lambda M: eq(trace(M) * eye(M.shape[0]), M),
    "diagonal matrices": lambda M: eq(diag(M @ ones(M.shape[0])), M),
    "rows of the transpose": lambda M, N: eq((M * N).sum(axis=1), (M * N.T).sum(axis=1)),
    "rows for columns": lambda M: eq((M * M).sum(axis=1), (M * M).sum(axis=0)),
    # inequalities
    "an inequality reversed": lambda A, B: ge(2 * inner(A, B), norm2(A) + norm2(B)),
    "a larger constant": lambda A, B: le(3 * inner(A, B), norm2(A) + norm2(B)),
    "norm of a product is smaller": lambda A, C: le(norm2(A @ C), norm2(C)),
    "relu is longer": lambda A: ge(norm2(relu(A)), norm2(A)),
    "a projection is longer": lambda A, B: ge(norm2(B @ pinv(A) @ A), norm2(B)),
    "a trace is not negative": lambda M: ge(trace(M), 0),
    "a trace of a square": lambda M: ge(trace(M @ M), 0),
    "an inner product is not negative": lambda A, B: ge(inner(A, B), 0),
    "a number is not negative": lambda A, c: ge(c * norm2(A), 0),
    "a sum is not negative": lambda A: ge(A.sum(), 0),
    "strictly shorter": lambda A, t: le(norm2(A) + t, norm2(A)),
    "a norm is one": lambda A: le(norm2(A), 1),
    "a scale of any sign": lambda A, B: eq(relu(B[:, :1] * A), B[:, :1] * relu(A)),
    "another absolute value": lambda A, B: eq(absolute(A + B), absolute(A) + absolute(B)),
    "an inverse is small": lambda A, B, t: le(trace(B @ inverse(A.T @ A + t * eye(A.shape[1])) @ B.T), norm2(B)),
    "a relu and another": lambda A, B: le(norm2(relu(A) - relu(B)), inner(A - B, A)),
    # shapes that do not fit
    "shapes of a sum": lambda A, C: eq(A + C, C),
    "shapes of a product": lambda A, B: eq(A @ B, A),
    "shapes of sides": lambda M, A: eq(0 * M, 0 * A),
    "a trace that is not square": lambda A, B: eq(trace(A), trace(B)),
    "rows that are joined": lambda A, C: eq(concatenate([A, C], axis=1), 0),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_of_letters_is_proved(name):
    found = proof.prove(claim_of(TRUE[name]), Deadline(20))
    assert found.symbols
    assert found.cases
    # the one whose variant says that zero is one is not proved either
    assert found.does_not_tell == ()
    assert independent_words.check(json.loads(json.dumps(proof.document_of(found)))) > 0


def test_a_variant_without_a_counterexample_is_not_told():
    variants = {"larger": lambda A: le(2 * norm2(A), norm2(A)), "true": lambda A, B: le(inner(A, B), norm2(A) + norm2(B))}
    claim = replace(claim_of(lambda A, B: le(2 * inner(A, B), norm2(A) + norm2(B))), false_variants=variants)
    found = proof.prove(claim, Deadline(20))
    assert found.does_not_tell == ("true",)
    with pytest.raises(NotProved, match="another proof"):
        proof.check(replace(found, does_not_tell=()), claim)


def test_counterexamples_are_looked_for_where_sizes_are_fixed(monkeypatch):
    claim, met = catalogue()["leaky_resnets.range_symmetry"], []
    monkeypatch.setattr(proof, "is_refuted", lambda _, name, domain: met.append((name, domain.sizes)) or True)
    found = proof.prove(claim, Deadline(60))
    assert max(found.fixed["depth"]) < max(claim.domain.sizes["depth"])
    assert met == [(name, {**claim.domain.sizes, **found.fixed}) for name in claim.false_variants]


@pytest.mark.parametrize("name", FALSE)
def test_nothing_false_is_proved(name):
    with pytest.raises(NotProved):
        proof.prove(claim_of(FALSE[name]), Deadline(20))


def told(question: str) -> Any:
    """A statement of which the prover sees one half, if letters and sizes may be told from arrays and integers."""

    def statement(A: Any) -> Any:
        kind, name, has = question.split()
        thing = A.shape[1] if kind == "size" else A > 0 if kind == "mask" else A
        if hasattr(thing, name) is (has == "yes"):
            return eq(norm2(A), trace(A.T @ A))
        return eq(norm2(A), trace(A.T @ A) + (1 if bool(A[0, 0] == 765432) else 0))

    return statement


@pytest.mark.parametrize(
    "question",
    [
        *("array terms yes", "array room yes", "array diagonal_of yes", "array told_apart yes", "mask parts yes"),
        *("array flags no", "array __array_interface__ no", "array strides no", "array __setstate__ no"),
        *("size symbols yes", "size constant yes", "size bit_length no", "size real no", "size __index__ no"),
    ],
)
def test_letters_are_not_told_from_arrays(question):
    with pytest.raises(NotProved):
        proof.prove(claim_of(told(question)), Deadline(20))


def test_there_are_many_false_statements():
    assert len(FALSE) >= 60


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "a question": (lambda A: eq(A if (A > 0).all() else 2 * A, A), "is asked"),
    "singular values": (lambda A: eq(singular_values(A), singular_values(A)), "is asked of a matrix of letters"),
    "an entry": (lambda A: eq(A[1, 2], A[1, 2]), "the entry at 1 is read"),
    "a size of another axis, as a number": (
        lambda A: eq(sum(A[:, j].sum() for j in range(len(A))), A.sum()),
        "it is false at m=1, n=2",
    ),
    "a division": (lambda A, c: eq(A / c * c, A), "may be zero"),
    "nothing": (lambda: eq(1, 1), "no letters|truth|numbers|comparison"),
    "no relation": (lambda A: A, "returns a"),
    "an error": (lambda A: A.nothing, "'nothing' is asked"),
    "a float": (lambda A: eq(0.5 * A, A), "unsupported|float|number"),
    "an inequality between matrices": (lambda A: le(A, A + 1), "an inequality between matrices"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_why(name):
    statement, text = REFUSED[name]
    with pytest.raises(NotProved, match=text):
        proof.prove(claim_of(statement), Deadline(20))


# Hypotheses: what they say is used, and only that.

in_row_space = lifted(is_in_row_space)
HYPOTHESES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "rows that are combinations": (lambda A, B: in_row_space(A, B), lambda A, B: eq(A @ pinv(B) @ B, A)),
    "and what follows": (
        lambda A, B: in_row_space(A, B),
        lambda A, B: le(0, norm2(A @ pinv(B))) & eq(B.T @ pinv(B).T @ A.T, A.T),
    ),
    "independent rows": (lambda A: rank(A) == A.shape[0], lambda A: eq(A @ pinv(A), eye(A.shape[0]))),
    "independent columns": (lambda A: rank(A) == A.shape[1], lambda A: eq(pinv(A) @ A, eye(A.shape[1]))),
    "a letter": (lambda A: nonnegative(A), lambda A: eq(relu(A), A)),
    "a sum": (lambda A, B: nonnegative(A - B), lambda A, B: eq(relu(A - B), A - B) & eq(relu(3 * (B - A)), 0)),
    "an equation": (lambda M: holds(eq(M @ M, M)), lambda M: eq(M @ M @ M, M)),
    "two": (lambda M, N: holds(eq(M @ M, M) & eq(M @ N, 0 * M)), lambda M, N: eq(M @ M @ N, 0 * M)),
}
NOT_SAID: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "another factor": (HYPOTHESES["rows that are combinations"][0], lambda A, B: eq(A @ pinv(B) @ B, 2 * A)),
    "the other way": (HYPOTHESES["rows that are combinations"][0], lambda A, B: eq(B @ pinv(A) @ A, B)),
    "the other rank": (HYPOTHESES["independent rows"][0], lambda A: eq(pinv(A) @ A, eye(A.shape[1]))),
    "a rank that is not full": (lambda A: rank(A) == 1, lambda A: eq(A @ pinv(A), eye(A.shape[0]))),
    "not": (lambda A, B: ~in_row_space(A, B), lambda A, B: eq(A @ pinv(B) @ B, A)),
    "or": (lambda A, B: in_row_space(A, B) | nonnegative(A), lambda A, B: eq(A @ pinv(B) @ B, A)),
    "if not": (lambda A: nonnegative(A) == False, lambda A: eq(relu(A), A)),  # noqa: E712 (what a hypothesis may say)
    "of another": (lambda A: nonnegative(A), lambda B: eq(relu(B), B)),
    "the other sign": (lambda A, B: nonnegative(A - B), lambda A, B: eq(relu(B - A), B - A)),
    "an inequality": (lambda A, B: holds(le(norm2(A), norm2(B))), lambda A, B: eq(norm2(A), norm2(B))),
}


def under(hypothesis: Callable[..., Any], statement: Callable[..., Any]) -> Claim:
    claim = claim_of(statement)
    return replace(claim, domain=replace(claim.domain, hypotheses={"said": hypothesis}))


@pytest.mark.parametrize("name", HYPOTHESES)
def test_what_a_hypothesis_says_is_used(name):
    hypothesis, statement = HYPOTHESES[name]
    found = proof.prove(under(hypothesis, statement), Deadline(20))
    assert [case["hypotheses"] for case in found.cases] == [["said"]]
    assert independent_words.check(json.loads(json.dumps(proof.document_of(found)))) > 0
    with pytest.raises(NotProved):
        proof.prove(claim_of(statement), Deadline(20))


@pytest.mark.parametrize("name", NOT_SAID)
def test_what_a_hypothesis_does_not_say_is_not_used(name):
    with pytest.raises(NotProved):
        proof.prove(under(*NOT_SAID[name]), Deadline(20))


def test_without_what_is_given_a_certificate_is_rejected():
    document = json.loads(json.dumps(proof.document_of(proof.prove(under(*HYPOTHESES["an equation"]), Deadline(20)))))
    (equation,) = document["cases"][0]["given"]
    assert equation[:2] == [["1 M M"], ["1 M"]]
    with pytest.raises(independent_words.Rejected):
        independent_words.check(changed(document, lambda case: case.__setitem__("given", [])))
    with pytest.raises(independent_words.Rejected):
        independent_words.check(changed(document, lambda case: case.pop("hypotheses")))


def test_networks_are_composed_and_added():
    sizes = {"depth": (1, 2), "inputs": (1, 2), "middle": (1, 2), "width": (1, 2), "outputs": (1, 2)}
    variables = {
        "f": Networks("depth", "inputs", "width", "middle", slope=0),
        "g": Networks("depth", "middle", "width", "outputs", slope=0),
        "h": Networks("depth", "inputs", "width", "middle", slope=0),
        "x": reals("inputs"),
        "s": reals("middle"),
        "c": interval(1 / 4, 4, "middle"),
    }

    def composed(f, g, h, x):
        return eq(lifted(compose)(g, f, merge=True)(x), g(f(x))) & eq(lifted(add)(f, h)(x), f(x) + h(x))

    def through(f, g, x, s, c, moved=1):
        return eq(lifted(through_bottleneck)(f, g, f.depth + g.depth + 1, s, c)(x), moved * g(f(x)))

    claim = claim_of(composed, variables, sizes)
    found = proof.prove(claim, Deadline(60))
    assert found.symbols == ("inputs", "middle", "width", "outputs")
    assert found.fixed == {"depth": (1, 2)}
    lifting = {"the shift makes it non-negative": lambda f, x, s: nonnegative(f(x) + s)}
    claim = claim_of(through, variables, sizes | {"depth": (1,)})
    with pytest.raises(NotProved):
        proof.prove(claim, Deadline(60))
    lifted_claim = replace(claim, domain=replace(claim.domain, hypotheses=lifting))
    assert proof.prove(lifted_claim, Deadline(60)).assumptions == ()
    with pytest.raises(NotProved):
        proof.prove(replace(lifted_claim, statement=partial(through, moved=2)), Deadline(60))


def test_only_sizes_that_a_domain_has_together_are_tried():
    def depths(A, depth, less):
        return eq(sum(A for _ in range(depth - less)), (depth - less) * A)

    claim = claim_of(depths, {"A": reals("m", "n")}, {"m": (1, 2), "n": (1, 2), "depth": (2, 3), "less": (1, 2)})
    claim = replace(claim, domain=replace(claim.domain, sizes_where=lambda sizes: sizes["depth"] > sizes["less"]))
    found = proof.prove(claim, Deadline(20))
    together = [(case["sizes"]["depth"], case["sizes"]["less"]) for case in found.cases]
    assert together == [(2, 1), (3, 1), (3, 2)]


def test_layers_are_numbers_and_widths_are_not():
    variables = {"f": Networks("depth", "inputs", "width", "outputs"), "x": reals("inputs")}
    sizes = {"depth": (1, 2, 3, 6), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)}
    found = proof.prove(
        claim_of(lambda f, x: eq(f(x) - f.biases[-1], f.weights[-1] @ f.activations(x)[-1]), variables, sizes), Deadline(20)
    )
    assert proof.covers(found) == "every inputs, width and outputs, depth 1 to 3"
    with pytest.raises(NotProved):
        proof.prove(claim_of(lambda f, x: eq(f(x), f.weights[-1] @ x), variables, sizes), Deadline(20))


def test_integers_are_cases():
    variables = {"A": reals("m", "n"), "kind": integers(0, 2)}
    found = proof.prove(claim_of(lambda A, kind: eq(norm2(kind * A), kind**2 * norm2(A)), variables), Deadline(20))
    assert [case["integers"] for case in found.cases] == [{"kind": 0}, {"kind": 1}, {"kind": 2}]
    with pytest.raises(NotProved):  # it holds for two of the three kinds
        proof.prove(claim_of(lambda A, kind: eq(norm2(kind * A), kind * norm2(A)), variables), Deadline(20))


def test_a_derived_variable_is_a_letter_of_its_own_where_it_cannot_be_traced():
    variables = {"A": derived(lambda A: where((A > 0).any(), A, -A), A=reals("m", "n"))}
    found = proof.prove(claim_of(lambda A: eq(norm2(-A), norm2(A)), variables), Deadline(20))
    assert found.cases[0]["opaque"] == ["A"]


def changed(document: Any, change: Callable[[Any], None]) -> Any:
    document = copy.deepcopy(document)
    change(document["cases"][0])
    document["digest"] = independent_words.digest(document["cases"])
    return document


def side(place: int, name: str, terms: list[str]) -> Callable[[Any], None]:
    return lambda case: case["comparisons"][place].__setitem__(name, terms)


CHANGES: dict[str, Callable[[Any], None]] = {
    "another right side": side(0, "right", ["2 <A A'>"]),
    "no left side": side(0, "left", []),
    "another sense": lambda case: case["comparisons"][0].__setitem__("sense", "ge"),
    "a negative weight": lambda case: case["comparisons"][0]["squares"][0].__setitem__(0, "-1"),
    "no squares": lambda case: case["comparisons"][0].__setitem__("squares", []),
    "another letter": lambda case: case["letters"][0].__setitem__(3, ["pinv", "1 A"]),
    "a symmetric letter": lambda case: case["letters"][0].__setitem__(4, True),
    "an unknown letter": lambda case: case["letters"][-1].__setitem__(3, ["orthogonal"]),
    "no comparisons": lambda case: case.__setitem__("comparisons", []),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_certificate_is_rejected(name):
    document = json.loads(json.dumps(proof.document_of(proof.prove(claim_of(TRUE["a projection is shorter"]), Deadline(20)))))
    independent_words.check(document)
    with pytest.raises(independent_words.Rejected):
        independent_words.check(changed(document, CHANGES[name]))


def test_a_certificate_is_written_read_and_derived_again(tmp_path):
    claim = claim_of(TRUE["Pythagoras"])
    found = proof.prove(claim, Deadline(20))
    proof.write(found, tmp_path / "one.json")
    again = proof.read(tmp_path / "one.json")
    assert proof.document_of(again) == proof.document_of(found)
    assert proof.check(again, claim) > 0
    other = claim_of(TRUE["blocks"])
    with pytest.raises(ValueError, match="has changed since"):
        proof.check(again, other)
    assert independent_words.main([str(tmp_path / "one.json")]) == 0


def test_sizes_are_symbols():
    n = Size((("n", 1),))
    assert Size.same(Size.read("2*n-2"), 2 * n + 1 - 3)
    assert not Size.same(Size.read("2*n-1"), 2 * n + 1 - 3)
    assert int(n + 3 - n) == 3
    assert n + 1 > n
    with pytest.raises(NeedsNumber, match="the size 'n' is asked for as a number"):
        range(n)
    with pytest.raises(NeedsNumber):
        bool(n == Size((("m", 1),)))


def test_values_of_words_are_those_of_matrices():
    case = {
        "letters": [["A", "m", "n", ["free"], False], ["P", "n", "m", ["pinv", "1 A"], False]],
        "scalars": [["c", ""]],
        "nonnegative": [],
    }
    A = [[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)], [Fraction(0), Fraction(1)]]
    given = {"A": A, "c": Fraction(1, 2)}
    values = independent_words.Values(case, {"m": 3, "n": 2}, given, random.Random(0))
    floats = np.array(A, dtype=float)
    found = values.terms(["3 c <A A'> A P A", "-1 #m A"], (3, 2))
    wanted = 1.5 * (floats**2).sum() * floats - 3 * floats
    assert np.allclose(np.array(found, dtype=float), wanted)
    with pytest.raises(independent_words.Rejected, match="no letter is called 'X'"):
        values.terms(["1 X"], (3, 2))


FILES = sorted((Path(__file__).resolve().parents[2] / "theorems" / "certificates" / "all_sizes").glob("*.json"))


def test_the_certificates_of_the_catalogue_are_right_without_the_package(capsys):
    assert independent_words.main(list(map(str, FILES))) == 0
    assert len(FILES) == capsys.readouterr().out.count(": right, by words and at ")


def test_a_certificate_of_the_catalogue_is_derived_again():
    path = next(file for file in FILES if file.stem == "leaky_resnets.legendre.momentum")
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 0, result.output
    assert "for every width and points; compared with the statement at" in result.output


def test_a_proof_for_all_sizes_is_written_and_told(tmp_path):
    name = "leaky_resnets.prop_10.discrete"
    result = CliRunner().invoke(app, ["prove", name, "--all-sizes", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "1 of 1 claims are proved for all sizes" in result.output
    assert independent_words.main([str(tmp_path / "all_sizes" / f"{name}.json")]) == 0
    refused = CliRunner().invoke(app, ["prove", "notion_of_rank.prop_3", "--all-sizes", "--verbose", "--out", str(tmp_path)])
    assert refused.exit_code == 1
    assert "notion_of_rank.prop_3 is not proved for all sizes: " in refused.output


def test_options_beside_all_sizes_count_or_are_refused(tmp_path, monkeypatch):
    name = "leaky_resnets.prop_10.discrete"
    command = ["prove", name, "--all-sizes", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, [*command, "--json", "-"])
    assert list(json.loads(result.stdout)["proved"]) == [name]
    monkeypatch.setattr(proof, "prove", lambda *_: pytest.fail("it is proved already"))
    assert CliRunner().invoke(app, [*command, "--resume"]).exit_code == 0
    for option, value in (("--sizes", "3"), ("--engine", "inline")):
        refused = CliRunner().invoke(app, [*command, option, value])
        assert (refused.exit_code, f"got {option} {value} beside it" in refused.stderr) == (2, True)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(proof, "prove", interrupted)
    assert CliRunner().invoke(app, command).exit_code == 130


def test_what_is_not_found_again_in_a_short_time_stays_where_it_stands(tmp_path, monkeypatch):
    name = "leaky_resnets.theorem_4.identity"
    folder = tmp_path / "all_sizes"
    folder.mkdir()
    path = folder / f"{name}.json"
    path.write_bytes(next(file for file in FILES if file.stem == name).read_bytes())
    before, derive = path.read_bytes(), proof.prove

    def late(claim, deadline):
        if deadline.left() < 100:
            raise NotProved("the time is over")
        return derive(claim, deadline)

    monkeypatch.setattr(proof, "prove", late)
    command = ["prove", name, "--all-sizes", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, command).exit_code == 1
    assert path.read_bytes() == before
    path.write_text(path.read_text().replace('"fingerprint": "', '"fingerprint": "0'))
    assert "is void, and removed" in CliRunner().invoke(app, command).stderr
    assert not path.exists()
