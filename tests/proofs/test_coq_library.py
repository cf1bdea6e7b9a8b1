"""The theorems in ``theorems/coq`` say what the claims that they name say: both are evaluated at the same rationals."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from coq_reader import Evaluation, Statement, statements
from flint import fmpq

from theorems.feature_learning.weight_decomposition.statement import first_term, split_of
from theorems.leaky_resnets.legendre.transform import motion
from verify.claims.catalogue import claim_of
from verify.numbers.arithmetic import rational, rationals
from verify.numbers.relation import Comparison, Relation
from verify.proofs.coq.by_hand import theorems_by_hand

FOLDER = Path(__file__).parents[2] / "theorems" / "coq"
FILES = [FOLDER / f"{name}.v" for name in ("Matrices", "Positive", "LeakyResNets", "StableKernel", "FeatureLearning")]
OF_LISTS = {"bottleneck_is_still", "range_is_a_unit"}
"""Theorems on networks of many layers, which the reader does not know."""
STATEMENTS = {statement.name: statement for statement in statements(*FILES) if statement.name not in OF_LISTS}


def layer_of_a_network(W: Any, S: Any) -> Relation:
    return split_of(W, first_term(W, S), W - first_term(W, S), S)


def middle_layers(after: Any, W2: Any, W1: Any, before: Any, G: Any, lam: Any) -> Relation:
    """Of a linear network of four layers what is said of the two in the middle."""
    from verify.networks import FullyConnected

    found = claim_of("feature_learning.interpolation.balanced").statement(FullyConnected([before, W1, W2, after]), G, lam)
    return Relation(tuple(one for one in found.comparisons if one.name == "layer 2"))


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(signature(function).parameters)


def claimed(claim: str, **names: Callable[..., Any]) -> Callable[..., Relation]:
    """The statement of a claim, with what it takes made of the variables in Coq."""

    def statement(**values: Any) -> Relation:
        found = claim_of(claim)
        taken = parameters(found.statement)
        made = {name: make(**{key: values[key] for key in parameters(make)}) for name, make in names.items()}
        relation: Relation = found.statement(**{name: value for name, value in (values | made).items() if name in taken})
        return relation

    return statement


OTHERWISE: dict[str, Callable[..., Relation]] = {
    "legendre": claimed("leaky_resnets.legendre", moved=motion),
    "legendre_duality": claimed("leaky_resnets.legendre.duality", point=lambda A, B, V: (A, B, V)),
    "legendre_derivative": claimed("leaky_resnets.legendre.derivative", R=lambda Q: Q),
    "speed_law_lower_bound": claimed("leaky_resnets.speed_law.lower_bound", point=lambda A, B: (A, B)),
    "backward_equation": claimed(
        "leaky_resnets.backward_equation.continuous", W=lambda V: np.concatenate([V, rationals([[0]] * len(V))], axis=1)
    ),
    "output_scaling": claimed("leaky_resnets.output_scaling", b=lambda b: b[:, 0]),
    "energy_split": claimed("leaky_resnets.energy_split", motion=lambda A, dA, L: (A, dA, L)),
    "theorem_4_pointwise": claimed("leaky_resnets.theorem_4.pointwise", root_gamma=lambda g: g),
    "representation_cost": claimed("feature_learning.remark_23.representation_cost", W_1=lambda W1: W1, W_2=lambda W2: W2),
    "weights_decompose": layer_of_a_network,
    "balanced": middle_layers,
}
"""Where a claim takes other things than the theorem, or says it of more."""


def instance(statement: Statement, random: np.random.Generator) -> dict[str, Any]:
    """Rational values of all variables, at which the hypotheses hold."""
    for _ in range(400):
        sizes = {name: int(random.integers(1, 4)) for name, kind in statement.variables.items() if kind in {"nat", ""}}
        positive = random.random() < 0.5
        values: dict[str, Any] = {**sizes}
        for name, kind in statement.variables.items():
            shape = _shape(kind, sizes)
            if shape is None:
                continue
            numbers = random.integers(0 if positive else -6, 7, shape)
            values[name] = rationals(numbers.tolist()) / 2 if shape else rational(int(numbers) or 1) / 2
        if all(_holds(one) for hypothesis in statement.hypotheses for one in evaluated(statement, hypothesis, values)):
            return values
    raise AssertionError(f"no instance of {statement.name}")


def _shape(kind: str, sizes: dict[str, int]) -> tuple[int, ...] | None:
    """Of a variable of this type; none for sizes and fields."""
    if kind == "R":
        return ()
    matrix = re.fullmatch(r"'(M|cV)(?:\[R\])?_(?:\(([^,]*),([^)]*)\)|(\w+))", kind)
    if matrix is None:
        return None
    rows, columns = (matrix[2], matrix[3]) if matrix[2] else (matrix[4], "1" if matrix[1] == "cV" else matrix[4])

    def size(text: str) -> int:
        return sum(sizes[one] if one in sizes else int(one) for one in text.split(" + "))

    return size(rows.strip()), size(columns.strip())


def evaluated(statement: Statement, body: list[str], values: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return Evaluation(body, values | {"R": None}, statement.definitions).all()


def _holds(comparison: tuple[str, Any, Any]) -> bool:
    sense, left, right = comparison
    gap = np.asarray(right - left, dtype=object)
    return bool({"=": (gap == 0).all(), "<=": (gap >= 0).all(), "<": (gap > 0).all(), "!=": (gap != 0).all()}[sense])


def sides(comparison: Comparison) -> tuple[str, Any, Any]:
    """A comparison of a claim, written as in Coq."""
    left, right = comparison.left, comparison.right
    return {"eq": ("=", left, right), "le": ("<=", left, right), "ge": ("<=", right, left)}[comparison.sense]


def same(one: Any, other: Any) -> bool:
    """Whether two sides are the same numbers: rational ones exactly, roots to twelve digits."""
    one, other = (np.asarray(side, dtype=object) for side in (one, other))
    # one 0 may stand for a matrix of them; a column of a matrix is a vector of the claim
    one, other = one.ravel(), other.ravel() if other.shape else np.full(one.size, other[()])
    if one.shape != other.shape:
        return False
    if all(isinstance(number, fmpq) for number in (*one, *other)):
        return bool((one == other).all())
    return bool(np.allclose(one.astype(float), other.astype(float), rtol=1e-12, atol=1e-12))


def agrees(statement: Statement, seed: int) -> bool:
    random = np.random.default_rng(seed)
    said = OTHERWISE.get(statement.name, claimed(statement.claim))
    for _ in range(4):
        values = instance(statement, random)
        theorem = evaluated(statement, statement.conclusion, values)
        taken = {name: value for name, value in values.items() if not isinstance(value, int)}
        claim = [sides(one) for one in said(**taken).comparisons]
        if [sense for sense, *_ in theorem] != [sense for sense, *_ in claim]:
            return False
        for (_, *both), (_, *of_claim) in zip(theorem, claim, strict=True):
            if not all(map(same, both, of_claim)):
                return False
    return True


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_theorem_says_what_its_claim_says(name: str) -> None:
    assert agrees(STATEMENTS[name], seed=0)


OTHER_TOKENS = {"2": "3", "-": "+"}
CHANGED = [
    (name, place)
    for name, one in STATEMENTS.items()
    # the rank is the same for -W
    if name != "missing_rank"
    for place, (before, token) in enumerate(pairwise(["(", *one.conclusion]))
    # a sign has an operand before it, or it is none of a difference
    if token == "2" or (token == "-" and re.fullmatch(r"[\w)]+|\^T", before))
]


@pytest.mark.parametrize(("name", "place"), CHANGED)
def test_a_changed_theorem_says_something_else(name: str, place: int) -> None:
    tokens = list(STATEMENTS[name].conclusion)
    tokens[place] = OTHER_TOKENS[tokens[place]]
    changed = replace(STATEMENTS[name], conclusion=tokens)
    assert not (agrees(changed, seed=0) and agrees(changed, seed=1))


def test_every_theorem_names_its_claim() -> None:
    by_hand = theorems_by_hand("theorems")
    written = [name for path in FOLDER.glob("*.v") for name in re.findall(r"^Theorem ([\w']+)", path.read_text(), re.MULTILINE)]
    assert sorted(written) == sorted(one.name for one in by_hand.values())
    assert all(claim_of(claim).expected == "survived" for claim in by_hand)
