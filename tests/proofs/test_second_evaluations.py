"""Refuted statements are evaluated a second time at their witnesses, and are not false wherever they are evaluated."""

import contextlib
import json
import random
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest

from theorems import second_evaluations
from theorems.second_evaluations import SECOND, NotChecked, Rejected, check_document, exp, log, root
from verify import catalogue
from verify.evidence.files import witness_folder

WITNESSES = sorted(witness_folder("theorems").glob("*.json"))

HOLDS = {
    "bottleneck_structure.completely_positive_domains.printed": {"X": [["1"], ["1"]]},
    "bottleneck_structure.corollary_8.display.printed": {"X.far": "1"},
    "bottleneck_structure.corollary_8.printed": {"X.far": "1/16777216"},
    "bottleneck_structure.homogeneous_activations.printed": {"f.b1": ["1"]},
    "bottleneck_structure.narrowness.printed": {"f.slope": "2"},
    "bottleneck_structure.path_length.printed": {"y": [["0"], ["0"], ["0"], ["10"], ["10"], ["10"]]},
    "bottleneck_structure.prop_13.printed": {"f.root": "1/4"},
    "bottleneck_structure.prop_5.last_layer.printed": {"H": [["0"]]},
    "bottleneck_structure.prop_9.printed": {"f.W2": [["4"]]},
    "bottleneck_structure.representation_symmetries.printed": {"U.chart": ["0", "0", "0"]},
    "bottleneck_structure.theorem_3.addition.printed": {"c": "0"},
    "bottleneck_structure.theorem_3.composition.printed": {"a": "4"},
    "bottleneck_structure.theorem_3.lower_bound.printed": {"f.root": "1"},
    "bottleneck_structure.theorem_6.chain.printed": {"f.W2": [["1", "1"]]},
    "bottleneck_structure.theorem_6.printed": {"f.network.slope": "1/2"},
    "bottleneck_structure.theorem_7.chain.printed": {"f.first": [["1", "0"], ["0", "1"]], "x": ["1", "1"]},
    "bottleneck_structure.theorem_7.printed": {"f.W1": [["-1"]]},
    "feature_learning.forces.pairs.printed": {"layer.Z": [["1", "-1"]]},
    "feature_learning.forces.printed": {"alpha": "2"},
    "feature_learning.projected_gradient.unprojected.printed": {"problem.Y": [["3", "4", "3"]]},
    "feature_learning.remark_11.printed": {"factors.tangent": "0"},
    "feature_learning.remark_11.printed_measure": {"Z": [["1", "1"], ["1", "2"], ["2", "1"]]},
    "feature_learning.remark_4.printed": {"t": "0"},
    "leaky_resnets.cost_of_identity.printed": {"A.rows": [["0"]]},
    "leaky_resnets.gamma_choice.printed": {"A": [["-1"]]},
    "leaky_resnets.irregular_steps.printed": {"steps.a": "0"},
    "leaky_resnets.prop_1.printed": {"pair.B": [["1/2"]]},
    "leaky_resnets.prop_10.printed": {"growth.B": [["0"]]},
    "leaky_resnets.prop_2.column_norms.printed": {"A.rows": [["1"]], "A.origin": "1"},
    "leaky_resnets.prop_2.expansion.printed": {"pair.kind": "2"},
    "leaky_resnets.prop_2.limit.printed": {"A.right": [["1", "1"]]},
    "leaky_resnets.prop_2.printed": {"A.magnitudes": [["1", "1", "1"], ["1", "1", "2"]]},
    "leaky_resnets.prop_3.kernels.printed": {"A": [["-2"]]},
    "leaky_resnets.prop_5.printed_coefficient": {"W": [["0", "1"]]},
    "leaky_resnets.prop_5.printed_corner": {"t": "1"},
    "leaky_resnets.prop_5.printed_gap": {"A": [["-2"]]},
    "leaky_resnets.reparametrisation.first_variation.printed": {"v": ["1", "0", "0"]},
    "leaky_resnets.theorem_4.printed": {"trajectory.root_gamma": "1"},
    "leaky_resnets.theorem_4.printed_at_global_minimisers": {"trajectory.root_gamma": "1"},
    "leaky_resnets.theorem_4.printed_at_local_minimisers": {"gamma": "1"},
    "leaky_resnets.theorem_4.printed_gap": {"trajectory.root_gamma": "1"},
    "leaky_resnets.theorem_4.printed_speed": {"trajectory.root_gamma": "1"},
    "notion_of_rank.prop_3.printed": {"f.slope": "-1/2"},
    "notion_of_rank.theorem_1.printed": {"parts.inner.b1": ["1"]},
    "notion_of_rank.theorem_1.printed_norm": {"inner.W1": [["4"]]},
    "symmetry_learning.gd_stability.printed": {"eta": "1"},
    "symmetry_learning.kernel_rate.printed": {"c": "0"},
    "bottleneck_structure.theorem_3.composition.printed_domain": {"m": "0"},
    "feature_learning.aligned_neurons.printed": {"n": ["0", "0"]},
    "feature_learning.cor_9.printed": {"gamma": "2"},
    "feature_learning.forces.printed_repulsion": {"shift": "0"},
    "feature_learning.prop_1.local_minima.printed": {"jump": "8"},
    "feature_learning.prop_5.printed": {"a": "0"},
    "leaky_resnets.particles.printed": {"A": [[]]},
    "leaky_resnets.prop_1.features.printed": {"A": [["-2"]]},
    "leaky_resnets.prop_5.printed_kernel": {"dK": ["0"]},
    "notion_of_rank.denoising.printed": {"C": [["1/2"]]},
    "notion_of_rank.rank_axioms.affine.printed": {"m": ["0", "0"]},
    "notion_of_rank.ridge.critical.printed": {"ridge": "1/2"},
    "notion_of_rank.theorem_1.printed_domain": {"u.chart": []},
    "notion_of_rank.theorem_2.printed_support": {"c": "1/1048576"},
    "symmetry_learning.symmetries.printed": {"A.edges": [["0", "1", "0"], ["0", "0", "1"], ["0", "0", "0"]]},
    "symmetry_learning.symmetry_overfitting.printed": {"c": "-1000000"},
}
"""Coordinates that are moved so that the statement holds there, or its hypotheses do not."""


def witness(claim):
    return json.loads((witness_folder("theorems") / f"{claim}.json").read_text())


def test_every_statement_that_is_false_as_printed_is_evaluated_a_second_time():
    refuted = {claim.id for claim in catalogue().values() if claim.expected == "refuted"}
    assert set(SECOND) == refuted == set(HOLDS) == {path.stem for path in WITNESSES}


@pytest.mark.parametrize("path", WITNESSES, ids=lambda path: path.stem)
def test_statements_are_false_at_their_witnesses(path):
    assert check_document(json.loads(path.read_text())) == f"{path.stem}: is false there, by a second evaluation"


@pytest.mark.parametrize("claim", sorted(HOLDS))
def test_a_statement_is_not_false_at_moved_coordinates(claim):
    document = witness(claim)
    assert set(HOLDS[claim]) <= set(document["coordinates"])
    with pytest.raises(Rejected, match=f"{claim} is not false there"):
        check_document({**document, "coordinates": document["coordinates"] | HOLDS[claim]})


def test_a_statement_is_not_false_at_other_sizes():
    with pytest.raises(Rejected, match="is not false there"):
        check_document({**witness("leaky_resnets.irregular_steps.printed"), "sizes": {"layers": 2}})


@pytest.mark.parametrize("path", WITNESSES, ids=lambda path: path.stem)
def test_a_witness_that_is_none_is_rejected(path):
    document = json.loads(path.read_text())
    for name in ("schema", "claim", "sizes", "coordinates", "variant"):
        with pytest.raises(Rejected):
            check_document({key: value for key, value in document.items() if key != name})
    for coordinates in ({}, [], dict.fromkeys(document["coordinates"], "1/0"), dict.fromkeys(document["coordinates"], 1)):
        with pytest.raises(Rejected):
            check_document({**document, "coordinates": coordinates})
    for other in (None, [], "", {**document, "sizes": {"depth": 10**9}}, {**document, "sizes": {"depth": True}}):
        with pytest.raises(Rejected):
            check_document(other)


def changed(value, rng):
    """A value with one number or its shape changed."""
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        if rng.random() < 0.1:
            return value[:place] + value[place + 1 :]
        return [*value[:place], changed(value[place], rng), *value[place + 1 :]]
    return rng.choice(["0", "1", "-1", "2", "-1/2", "1/1024", "1000", "", "x", [], ["1"], None])


@pytest.mark.parametrize("path", WITNESSES, ids=lambda path: path.stem)
def test_changed_witnesses_are_decided_or_rejected(path):
    document, rng = json.loads(path.read_text()), random.Random(0)
    for _ in range(20):
        name = rng.choice(list(document["coordinates"]))
        moved = {**document["coordinates"], name: changed(document["coordinates"][name], rng)}
        # nothing but Rejected may come out of it
        with contextlib.suppress(Rejected):
            assert "second evaluation" in check_document({**document, "coordinates": moved})


def test_what_is_not_evaluated_is_said():
    document = witness("leaky_resnets.gamma_choice.printed")
    for other in ({"claim": "somebody.else"}, {"variant": "another"}):
        with pytest.raises(NotChecked, match="not evaluated here: run `verify check`"):
            check_document({**document, **other})


def test_bounds_of_real_numbers_enclose_them():
    with localcontext() as context:
        context.prec = 60
        for x in map(Fraction, ("1/1000", "1/3", "1/2", "1", "3/2", "2", "4194305/4194304", "7", "123456789/1000")):
            exact = Decimal(x.numerator) / Decimal(x.denominator)
            for bounds, value in ((root(x), exact.sqrt()), (log(x), exact.ln()), (exp(x if x < 100 else -x / 10**4), None)):
                value = value if value is not None else (exact if x < 100 else -exact / 10**4).exp()
                low, high = (Decimal(end.numerator) / Decimal(end.denominator) for end in bounds)
                assert low <= value + Decimal("1e-55") * abs(value)
                assert value <= high + Decimal("1e-55") * abs(value)
                assert high - low <= Decimal("1e-25") * (1 + abs(value))


def test_it_runs_as_a_file_without_the_package(tmp_path):
    def run(*files):
        command = [sys.executable, "-I", "-S", second_evaluations.__file__, *files]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    result = run(*WITNESSES)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("is false there, by a second evaluation") == len(WITNESSES)
    true, broken = tmp_path / "true.json", tmp_path / "broken.json"
    document = witness("leaky_resnets.gamma_choice.printed")
    true.write_text(json.dumps({**document, "coordinates": {"A": [["-1"]], "gamma": "1"}}))
    broken.write_text("{")
    result = run(WITNESSES[0], true)
    assert (result.returncode, result.stdout.count("REJECTED")) == (1, 1)
    result = run(true, broken, tmp_path / "none.json")
    assert (result.returncode, result.stdout.count("cannot be read")) == (2, 2)


def test_it_needs_the_standard_library_only():
    source = Path(second_evaluations.__file__).read_text()
    imported = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
