"""What every claim of the catalogue must satisfy, whatever it says."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from verify import FalseAsPrinted, Verdict, catalogue
from verify.checker.evidence import fingerprint, packaged_witness, read_witness, recheck
from verify.checker.search.decide import decide_sample, verdict_of

CLAIMS = catalogue()
HOLDING = [claim for claim in CLAIMS.values() if claim.expected == "holds"]
FALSE = [claim for claim in CLAIMS.values() if isinstance(claim.status, FalseAsPrinted)]


def names(claims):
    return [claim.id for claim in claims]


@pytest.mark.parametrize("claim", HOLDING, ids=names(HOLDING))
def test_no_small_rational_instance_breaks_a_claim(claim):
    """Hypothesis draws from the same set as the search, and shrinks what it finds."""

    @seed(0)
    @settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def no_counterexample(data):
        sample = data.draw(claim.domain.strategy())
        relation = decide_sample(claim.statement, claim.domain, sample)
        assert relation is None or verdict_of(relation) != Verdict.FAILS, (sample, relation.worst())

    no_counterexample()


@pytest.mark.parametrize("claim", FALSE, ids=names(FALSE))
def test_what_is_false_as_printed_has_a_witness_and_a_correction(claim):
    correction = CLAIMS[claim.status.corrected_by]
    assert correction.expected == "holds"
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
        assert claim.expected == "refuted" or len(claim.false_neighbours) + len(claim.needs) >= 2


def test_neighbours_are_other_statements():
    for claim in CLAIMS.values():
        prints = [fingerprint(claim.statement), *(fingerprint(other) for other in claim.false_neighbours.values())]
        assert len(set(prints)) == len(prints), claim.id


def test_samples_travel():
    for claim in CLAIMS.values():
        sizes = claim.domain.all_sizes()[0]
        assert pickle.loads(pickle.dumps(sizes)) == sizes
