"""What every claim of the catalogue must satisfy, whatever it says."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

import theorems
from theorems import PAPERS
from verify import FalseAsPrinted, Verdict, catalogue
from verify.checker.checking import tight_result
from verify.claims.catalogue import claims_of
from verify.evidence import fingerprint, packaged_witness, read_witness, recheck
from verify.numbers.arithmetic import FloatOnly
from verify.search import Budget, SampleCache
from verify.search.batch import evaluate
from verify.search.decide import verdict_of

CLAIMS = catalogue()
HOLDING = [claim for claim in CLAIMS.values() if claim.expected != "refuted"]
FALSE = [claim for claim in CLAIMS.values() if isinstance(claim.status, FalseAsPrinted)]
RUBRICS = ("Statement", "Correction", "Checked", "Proof idea", "Tight", "Not checked", "Source")
MODULES = {
    found.name: module
    for found in pkgutil.walk_packages(theorems.__path__, "theorems.")
    if claims_of(module := importlib.import_module(found.name)) and found.name.count(".") >= 2
}


def names(claims):
    return [claim.id for claim in claims]


def test_the_package_has_no_problem():
    assert CLAIMS.problems == ()
    assert not set(CLAIMS.retired) & set(CLAIMS)
    assert all(CLAIMS.retired.values())


@seed(0)
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_strategies_draw_valid_instances(data):
    claim = data.draw(st.sampled_from(HOLDING))
    sample = data.draw(claim.domain.strategy())
    assert sample.sizes in claim.domain.all_sizes()
    try:
        assert claim.domain.violated(claim.domain.build(sample[None])) == []
    except FloatOnly:
        assert claim.domain.admits(sample)


@pytest.mark.parametrize("claim", FALSE, ids=names(FALSE))
def test_what_is_false_as_printed_has_a_witness_and_a_correction(claim):
    correction = CLAIMS[claim.status.corrected_by]
    assert correction.expected == "survived"
    witness, found = read_witness(packaged_witness(claim), CLAIMS)
    assert found is claim
    assert verdict_of(recheck(witness, claim)) == Verdict.FAILS


def test_the_twelve_theorems_are_there():
    twelve = {
        "notion_of_rank.linear_networks",
        "notion_of_rank.prop_3",
        "notion_of_rank.theorem_1",
        "feature_learning.weight_decomposition",
        "feature_learning.prop_13",
        "feature_learning.prop_19",
        "bottleneck_structure.theorem_6",
        "bottleneck_structure.example_20",
        "leaky_resnets.hamiltonian",
        "leaky_resnets.theorem_4",
        "symmetry_learning.summary_statistics",
        "symmetry_learning.frequency_singular_values",
    }
    assert twelve <= set(CLAIMS)


def test_every_claim_says_where_it_stands_and_can_fail():
    for claim in CLAIMS.values():
        assert claim.title
        assert claim.source.label
        assert claim.expected == "refuted" or len(claim.false_variants) + len(claim.needs) >= 2


def test_variants_are_other_statements():
    for claim in CLAIMS.values():
        prints = [fingerprint(claim.statement), *(fingerprint(other) for other in claim.false_variants.values())]
        assert len(set(prints)) == len(prints), claim.id


def test_samples_travel():
    for claim in CLAIMS.values():
        sizes = claim.domain.all_sizes()[0]
        assert pickle.loads(pickle.dumps(sizes)) == sizes


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_claims_reads_in_one_order(name):
    text = MODULES[name].__doc__
    assert text is not None
    package = importlib.import_module(name.rpartition(".")[0])
    if not any(line in RUBRICS for line in text.splitlines()) and name.count(".") > 2:
        # a part of a theorem: the rubrics stand in its folder
        text = package.__doc__
    found = [line for line in text.splitlines() if line in RUBRICS]
    assert found == sorted(found, key=RUBRICS.index)
    assert len(set(found)) == len(found)
    assert {"Statement", "Checked", "Source"} <= set(found)
    assert re.match(r"[^\n]+[.:?]\n", text), "the first line is the theorem in a line"


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_contents_is_complete(paper):
    text = importlib.import_module(f"theorems.{paper}").__doc__
    declared = [name.removeprefix(f"theorems.{paper}.") for name in MODULES if name.startswith(f"theorems.{paper}.")]
    missing = [name for name in declared if not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\w)", text)]
    assert missing == []


def test_only_instances_that_attain_some_entries_say_partly():
    needless = []
    for claim in HOLDING:
        for name, tight in claim.tight.items():
            if tight.partly and tight_result(claim, replace(tight, partly=False)).reached == tight_result(claim, tight).reached:
                needless.append(f"{claim.id}: {name}")
    assert needless == []


def test_joined_comparisons_have_names():
    few = Budget(structured=12, batched=12, combinations=0, generations=0, ascents=0, steps=0, sweep=0, exact=0)
    unnamed = set()
    for claim in HOLDING:
        for batch in SampleCache(claim.id, claim.domain, few.divided(claim.least_cost), 0, claim.cost_at).phase("structured"):
            found = evaluate(claim.statement, batch, batch.chosen(None))
            if found is not None:
                unnamed |= {claim.id for name in found[0].names if name.startswith("#")}
    assert unnamed == set()


def test_no_knob_is_in_percent():
    for module in MODULES.values():
        text = Path(module.__file__).read_text(encoding="utf-8")
        assert re.search("percent|basis_points|ten_thousandths", text) is None, module.__name__


def test_every_inequality_has_a_tight_example_or_a_reason():
    few = Budget(structured=60, batched=60, combinations=0, generations=0, ascents=0, steps=0, sweep=0, exact=0)
    silent = set()
    for claim in HOLDING:
        if claim.tight:  # of which the check itself asks it
            continue
        cache = SampleCache(claim.id, claim.domain, few.divided(claim.least_cost), 0, claim.cost_at)
        for batch in (*cache.phase("structured"), *cache.phase("batched")):
            found = evaluate(claim.statement, batch, batch.chosen(None))
            if found is not None:
                bounds = zip(found[0].names, found[0].comparisons, strict=True)
                silent |= {
                    f"{claim.id}: {name}" for name, one in bounds if one.sense != "eq" and name not in claim.not_known_tight
                }
    assert silent == set()


def test_titles_of_the_catalogue_are_short_and_differ():
    titles = [claim.title for claim in catalogue("theorems").values()]
    assert [title for title in titles if len(title) > 70] == []
    assert len(set(titles)) == len(titles)
