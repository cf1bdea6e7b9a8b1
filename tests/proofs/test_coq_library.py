"""The theorems in ``theorems/coq`` say what the claims that they name say: both are evaluated at the same rationals."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from coq_reader import BUILT_IN, Evaluation, Statement, statements, tokens
from flint import arb

from theorems.bottleneck_structure.constructions.diverging import diverging_network
from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import Layer
from theorems.feature_learning.weight_decomposition.statement import first_term, split_of
from theorems.leaky_resnets.legendre.transform import motion
from verify import words
from verify.claims.catalogue import claim_of
from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.draws import structured_numbers
from verify.instances import one_of
from verify.numbers.arithmetic import ball, rational, rationals
from verify.numbers.exactness import exact_evaluation
from verify.numbers.relation import Comparison, Relation
from verify.proofs.coq import by_hand
from verify.proofs.coq.by_hand import accepted_by_hand, theorems_by_hand
from verify.proofs.coq.kernel import NotAccepted

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None or shutil.which("make") is None, reason="needs coqc and make")
FOLDER = Path(__file__).parents[2] / "theorems" / "coq"
FILES = [FOLDER / f"{name}.v" for name in ("Matrices", "Positive", "LeakyResNets", "StableKernel", "FeatureLearning")]
OF_LISTS = {"bottleneck_is_still", "range_is_a_unit"}
"""Theorems on networks of many layers, which the reader does not know."""
COSTS = [FOLDER / f"{name}.v" for name in ("Constants", "CostOfIdentity", "OperatorNorms", "NuclearNorms", "NewNeuron")]
"""Costs of the identity, norms, and new neurons of leaky ResNets."""
OF_SETS = {
    "velocity_at_zero": "an equivalence",
    "kinetic_energy_is_finite": "an inclusion of row spaces",
    "gaps_to_equality": "sums over singular values",
    "gap_is_at_most": "of the points of a path",
    "negative_entry_is_a_gap": "of every negative entry, where the claim has the smallest",
}
"""Theorems in these files that the reader does not know, and what they are of."""
STATEMENTS = {
    statement.name: statement for statement in statements(*FILES, *COSTS) if statement.name not in OF_LISTS | OF_SETS.keys()
}
FURTHER = {
    "GradientDescent": {"statistics_close", "step_closes", "gradient_is_exact"},
    "Neurons": {"group_is_one_neuron", "forces_along_the_layer"},
    "Ranks": {"ridge_regression"},
    "Continuity": {"covariances_are_continuous"},
    "Descent": {"covariances_descend"},
    "Columns": {"column_norms"},
}
"""Theorems that the reader knows in files of which it does not know all, and the files whose definitions these have."""
for of_file, names in (
    ("GradientDescent", ()),
    ("Neurons", ("Representations",)),
    ("Ranks", ()),
    ("Continuity", ("Representations",)),
    ("Descent", ("Representations",)),
    ("Columns", ("LeakyResNets", "Constants", "CostOfIdentity", "OperatorNorms")),
):
    files = [*FILES[:2], *(FOLDER / f"{name}.v" for name in (*names, of_file))]
    STATEMENTS |= {statement.name: statement for statement in statements(*files) if statement.name in FURTHER[of_file]}
# in its section the definition has fewer arguments
STATEMENTS["forces_along_the_layer"].definitions["features"] = (["f", "beta", "Z"], ["features_of", "f", "beta", "Z"])
STATEMENTS["group_is_one_neuron"].definitions["features"] = (["f", "beta", "Z"], ["features_of", "f", "beta", "Z"])
STATEMENTS["covariances_are_continuous"].definitions["features"] = (["Z"], ["features_of", "activation", "beta", "Z"])
GIVEN: dict[str, dict[str, Any]] = {
    "covariances_descend": {"inputs": rationals([[1, -1]]), "active": rationals([[1, -1], [-1, 1]])},
    "column_norms": {"i": -1},
}
"""Matrices that are defined entry by entry, and the index of another column than the first."""


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


def last_column_norm(A: Any) -> Relation:
    """What is said of the last point."""
    found = claim_of("leaky_resnets.prop_2.column_norms").statement(A).comparisons[0]
    return Relation((replace(found, left=found.left[-1:], right=found.right[-1:]),))


def covariances_descend(lam: Any, delta: Any, N: Any) -> Relation:
    """Of the step delta, which the claim has as a share."""
    with exact_evaluation():
        return claim_of("feature_learning.prop_19.covariance_descent").statement(lam, delta / (1 - N * lam), N)


def two_sided(activation: Any) -> Any:
    return homogeneous(np.stack([activation(rational(1)), -activation(rational(-1))]))


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
    "statistics_close": claimed("symmetry_learning.summary_statistics", v=lambda v: v[:, 0], w=lambda w: w[:, 0]),
    "step_closes": claimed("symmetry_learning.summary_statistics.gd_step", v=lambda v: v[:, 0], w=lambda w: w[:, 0]),
    "gradient_is_exact": claimed(
        "symmetry_learning.summary_statistics.gradient", v=lambda v: v[:, 0], w=lambda w: w[:, 0], u=lambda u: u[:, 0]
    ),
    "ridge_regression": claimed("notion_of_rank.ridge_regression", data=lambda X, Y: (X, Y)),
    "forces_along_the_layer": claimed(
        "feature_learning.forces.along_the_layer",
        layer=lambda before, Z, after, a, d, beta: Layer(before, Z, after, homogeneous(np.stack([a, d])), beta),
    ),
    "group_is_one_neuron": claimed(
        "feature_learning.aligned_neurons",
        group=lambda factors, length: (factors[:, 0], length),
        z=lambda z: z[0],
        sigma=two_sided,
    ),
    "covariances_are_continuous": claimed("feature_learning.prop_18", sigma=two_sided),
    "covariances_descend": covariances_descend,
    "column_norms": last_column_norm,
}
"""Where a claim takes other things than the theorem, or says it of more."""
OTHERWISE |= {
    "no_neuron_helps": claimed("leaky_resnets.prop_2.infinite", z=lambda z: z[0]),
    "energy_is_below_the_rank": claimed("leaky_resnets.bottleneck_rank.from_below", point=lambda A, B: (A, B)),
    "condition": claimed("leaky_resnets.gamma_choice.condition", R=lambda Q: Q),
    "smallest_product": claimed("leaky_resnets.prop_1.minimiser", pair=lambda A, B: (A, B)),
    "velocity_of_widened": claimed("leaky_resnets.prop_5.velocity", a=lambda a: a[0]),
}
NORMS: dict[str, Callable[[Any], Any]] = {"operator_norm": words.operator_norm, "nuclear_norm": words.nuclear_norm}
"""Relations in Coq between a matrix and a number, which the claims have as functions."""


def instance(statement: Statement, random: np.random.Generator) -> dict[str, Any]:
    """Rational values of all variables, at which the hypotheses hold."""
    for _ in range(400):
        sizes = {name: int(random.integers(1, 4)) for name, kind in statement.variables.items() if kind in {"nat", ""}}
        positive = random.random() < 0.5
        values: dict[str, Any] = {**sizes}
        for name, kind in statement.variables.items():
            shape = _shape(kind, sizes)
            if kind.startswith("'I_"):
                values[name] = 0  # the column that the claims have
            if kind == "R -> R":
                a, d = rationals(random.integers(-3, 4, 2).tolist()) / 2
                values[name] = BUILT_IN["two_slopes"][1](a, d)
            if shape is None:
                continue
            numbers = random.integers(0 if positive else -6, 7, shape)
            values[name] = rationals(numbers.tolist()) / 2 if shape else rational(int(numbers) or 1) / 2
        values |= GIVEN.get(statement.name, {})
        for norm, *matrix, number in statement.hypotheses:
            if norm in NORMS:
                values[number] = NORMS[norm](Evaluation(matrix, values | {"R": None}, statement.definitions).value())
        if all(_holds(one) for hypothesis in assumed(statement) for one in evaluated(statement, hypothesis, values)):
            return values
    raise AssertionError(f"no instance of {statement.name}")


def assumed(statement: Statement) -> list[list[str]]:
    """The hypotheses that are comparisons."""
    return [one for one in statement.hypotheses if one[0] not in NORMS]


def _sides(letters: str, size: str) -> tuple[str, str]:
    return {"M": (size, size), "cV": (size, "1"), "rV": ("1", size)}[letters]


def _shape(kind: str, sizes: dict[str, int]) -> tuple[int, ...] | None:
    """Of a variable of this type; none for sizes and fields."""
    if kind == "R":
        return ()
    matrix = re.fullmatch(r"'(M|cV|rV)(?:\[R\])?_(?:\(([^,]*),([^)]*)\)|(\w+))", kind)
    if matrix is None:
        return None
    rows, columns = (matrix[2], matrix[3]) if matrix[2] else _sides(matrix[1], matrix[4])

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
    """Whether two sides are the same numbers: rational ones exactly, and balls, which roots are, overlap."""
    one, other = (np.asarray(side, dtype=object) for side in (one, other))
    # one 0 may stand for a matrix of them; a column of a matrix is a vector of the claim
    one, other = one.ravel(), other.ravel() if other.shape else np.full(one.size, other[()])
    if one.shape != other.shape:
        return False
    return all(map(_same_number, one, other))


def _same_number(one: Any, other: Any) -> bool:
    if isinstance(one, arb) or isinstance(other, arb):
        return bool((ball(one) - ball(other)).contains(0))
    return bool(rational(one) == rational(other))


def agrees(statement: Statement, seed: int) -> bool:
    random = np.random.default_rng(seed)
    said = OTHERWISE.get(statement.name, claimed(statement.claim))
    for _ in range(4):
        values = instance(statement, random)
        theorem = evaluated(statement, statement.conclusion, values)
        left_out = GIVEN.get(statement.name, {})
        taken = {name: value for name, value in values.items() if not isinstance(value, int) and name not in left_out}
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


INFINITE = {"legendre_duality", "speed_law_lower_bound"}
"""Where a norm is infinite the claim has nothing to show, and the theorem leaves that out."""
OF_CLAIM: dict[str, Callable[..., dict[str, Any]]] = {
    "energy_split": lambda motion: dict(zip(("A", "dA", "L"), motion, strict=True)),
    "theorem_4_pointwise": lambda A, B, root_gamma: {"A": A, "B": B, "g": root_gamma},
    "statistics_close": lambda w: {"w": w[:, None]},
    "step_closes": lambda w: {"w": w[:, None]},
    "ridge_regression": lambda ridge: {"ridge": ridge},
    "group_is_one_neuron": lambda group, sigma: {
        "factors": group[0][:, None],
        "length": group[1],
        "activation": lambda t: sigma(rationals([[0]]) + t)[0, 0],
    },
    "output_scaling": lambda A, V, b, L, c, scale: {"A": A, "V": V, "b": b[:, None], "L": L, "c": c, "scale": scale},
}
"""The variables in Coq, from those of the claim, where these are others."""
OF_CLAIM |= {
    "energy_is_below_the_rank": lambda point: dict(zip(("A", "B"), point, strict=True)),
    "smallest_product": lambda pair: dict(zip(("A", "B"), pair, strict=True)),
    "velocity_of_widened": lambda A, W, L, t, epsilon, a: {"A": A, "W": W, "L": L, "t": t, "epsilon": epsilon, "a": a[None]},
}
OF_CLAIM |= {
    "covariances_are_continuous": lambda Z, D, sigma, beta: {
        "Z": Z,
        "D": D,
        "beta": beta,
        "activation": lambda t: sigma(rationals([[0]]) + t)[0, 0],
    },
    "covariances_descend": lambda lam, share, divisor: {"lam": lam, "N": divisor, "delta": share * (1 - divisor * lam)},
}
SHORT_STEPS = {"hamiltons_equations", "energy_is_stationary"}
"""Of every step that changes the sign of no activation, where the claims choose one."""
ASSUMING = [name for name, one in STATEMENTS.items() if assumed(one) and name not in INFINITE | SHORT_STEPS]


def drawn(claim: Claim) -> Iterator[dict[str, Any]]:
    """Rational instances of all small sizes of the domain of a claim that satisfy its hypotheses."""
    random = np.random.default_rng(5)
    all_sizes = claim.domain.all_sizes()[:8]
    count = 48 // len(all_sizes)
    for sizes in all_sizes:
        coordinates = {name: structured_numbers(random, one, count) for name, one in claim.domain.layout(sizes).items()}
        for sample in (claim.domain.on_rationals(Sample(sizes, coordinates)[place]) for place in range(count)):
            with exact_evaluation():
                variables = claim.domain.build(sample[None])
                if not claim.domain.violated(variables):
                    yield {name: one_of(value, 0) for name, value in variables.items()}


@pytest.mark.parametrize("name", ASSUMING)
def test_a_theorem_assumes_nothing_that_its_claim_does_not(name: str) -> None:
    statement = STATEMENTS[name]
    count = 0
    for instance in drawn(claim_of(statement.claim)):
        make = OF_CLAIM.get(name, dict)
        values = make(**{key: value for key, value in instance.items() if make is dict or key in parameters(make)})
        if "A" in values:
            values["w"], values["n"] = values["A"].shape
        values |= {key: 0 for key, kind in statement.variables.items() if kind.startswith("'I_")}
        for hypothesis in assumed(statement):
            assert all(map(_holds, evaluated(statement, hypothesis, values))), (hypothesis, values)
        count += 1
    assert count > 5


def test_the_page_on_proofs_counts_the_theorems_by_hand() -> None:
    page, count = (FOLDER.parents[1] / "docs" / "proofs.md").read_text(encoding="utf-8"), len(theorems_by_hand("theorems"))
    assert f"has {count} theorems in Coq for every size" in page
    assert f"is that test for {len(STATEMENTS)} of those" in page
    # Example 20 is read by a test of its own
    assert f"The other {count - len(STATEMENTS) - 1}, on networks" in " ".join(page.split())


DIVERGING = (FOLDER / "Diverging.v").read_text(encoding="utf-8")


def number_in_coq(text: str, **values: Any) -> Any:
    return Evaluation(tokens(text), values, {}).value()


def rows_in_coq(name: str, **values: Any) -> Any:
    """A matrix that is defined by its rows."""
    body = re.search(rf"Definition {name} .*?of_rows \d \d \[::(.*?)\]\.\n", DIVERGING, re.DOTALL)[1]  # type: ignore[index]
    return rationals([[number_in_coq(one, **values) for one in row.split(";")] for row in re.findall(r"\[:: ([^][]*)\]", body)])


@pytest.mark.parametrize("middle", range(4))
def test_example_20_has_the_layers_and_the_norm_of_its_claim(middle: int) -> None:
    network = claim_of("bottleneck_structure.example_20")
    for t in map(rational, ("3/2", "2/3", "1")):
        before, after = rows_in_coq("stretch", t=t), rows_in_coq("stretch", t=1 / t)
        rows = [
            *[before] * middle,
            rows_in_coq("kink", t=t, m=middle),
            rows_in_coq("after_kink", t=t, m=middle),
            *[after] * middle,
        ]
        found = diverging_network(2 * middle + 2, t)
        assert [W.tolist() for W in found.weights] == [W.tolist() for W in rows]
        halves = re.search(r"Definition halves .*?:=\n(.*?)\.\n", DIVERGING, re.DOTALL)[1]  # type: ignore[index]
        stated = re.search(r"Theorem diverging_is_the_function.*?norm \(diverging t m\) =(.*?)\.\n", DIVERGING, re.DOTALL)
        norm = stated[1].replace("(depth (diverging t m))", "L").replace("halves t m", f"({halves})")  # type: ignore[index]
        assert number_in_coq(norm, t=t, m=middle, L=2 * middle + 2) == found.parameter_norm_squared
        relation = network.statement(t, rationals([1, "1/2", 3]), 2 * middle + 2)
        assert relation.comparisons[1].right == found.parameter_norm_squared


def test_forces_are_assumed_to_cross_no_kink_as_in_the_claim() -> None:
    """The two hypotheses of `forces_are_derivatives`, which the reader does not know."""
    count = 0
    for instance in drawn(claim_of("feature_learning.forces")):
        layer, D = instance["layer"], instance["share"] * instance["layer"].Z
        moved = layer.moved(D)
        with exact_evaluation():
            assert np.all(layer.sigma(moved.Z) == layer.sigma(layer.Z) + layer.sigma.derivative(layer.Z) * D)
            for one in (layer, moved):
                assert words.rank(one.seen().T @ one.seen()) == one.Z.shape[1]
        count += 1
    assert count > 5


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


def test_every_theorem_names_its_claim_and_is_recorded() -> None:
    theorems = theorems_by_hand("theorems")
    written = [name for path in FOLDER.glob("*.v") for name in re.findall(r"^Theorem ([\w']+)", path.read_text(), re.MULTILINE)]
    assert sorted(written) == sorted(one.name for one in theorems.values())
    assert all(claim_of(claim).expected == "survived" for claim in theorems)
    # make it again: python -m verify.proofs.coq.by_hand theorems
    assert all(accepted_by_hand(claim_of(claim), "theorems") == one for claim, one in theorems.items())


IDENTITY = "leaky_resnets.theorem_4.identity"
CLOSED = "(** [{}] *)\nTheorem same (n : nat) : n = n.\nProof. reflexivity. Qed.\n"
MAKEFILE = (
    "all:\n\tcoqc Same.v >/dev/null\n\techo 'Require Import Same. Print Assumptions same.' >A.v\n\tcoqc A.v >assumptions.log\n"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package with one theorem by hand."""
    (tmp_path / "Same.v").write_text(CLOSED.format(IDENTITY))
    (tmp_path / "Makefile").write_text(MAKEFILE)
    monkeypatch.setattr(by_hand, "folder_of", lambda _: tmp_path)
    caches = by_hand.theorems_by_hand, by_hand._record
    for cache in caches:
        cache.cache_clear()
    yield tmp_path
    for cache in caches:
        cache.cache_clear()


def accepted_now(claim: Claim) -> bool:
    by_hand.theorems_by_hand.cache_clear()
    by_hand._record.cache_clear()
    return accepted_by_hand(claim, "theorems") is not None


@needs_coq
def test_a_theorem_counts_while_its_file_and_the_statement_are_what_coq_accepted(package: Path) -> None:
    claim = claim_of(IDENTITY)
    assert not accepted_now(claim)
    by_hand.record("theorems", {IDENTITY: claim})
    assert accepted_now(claim)
    assert not accepted_now(replace(claim, statement=claim.false_variants["no term in gamma"])), "another statement"
    with (package / "Same.v").open("a") as file:
        file.write("(* another file *)\n")
    assert not accepted_now(claim)


@needs_coq
@pytest.mark.parametrize("text", [CLOSED.replace("reflexivity. Qed", "Admitted"), CLOSED.replace("n = n", "n = S n")])
def test_nothing_is_recorded_of_what_coq_refuses_or_assumes(package: Path, text: str) -> None:
    (package / "Same.v").write_text(text.format(IDENTITY))
    with pytest.raises(NotAccepted):
        by_hand.record("theorems", {IDENTITY: claim_of(IDENTITY)})
    assert not (package / "accepted.json").exists()


@pytest.mark.usefixtures("package")
def test_a_theorem_of_no_claim_is_named() -> None:
    with pytest.raises(NotAccepted, match=r"Same\.v"):
        by_hand.record("theorems", {})


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', '{"schema": 1, "sources": 3, "claims": {"a": 1}}', "[" * 10**5])
def test_a_record_that_is_none_counts_for_nothing(package: Path, text: str) -> None:
    (package / "accepted.json").write_text(text)
    assert not accepted_now(claim_of(IDENTITY))
