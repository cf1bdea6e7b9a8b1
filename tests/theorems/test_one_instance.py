"""Statements and hypotheses are plain functions: called with the arrays of one instance they say what the engine finds for it
in a batch."""

import numpy as np
import pytest

from verify import Claim, Domain, Networks, Source, catalogue, reals
from verify.claims.domain import Sample
from verify.claims.draws import random_numbers, structured_numbers
from verify.claims.variables import call_with
from verify.instances import one_of
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, floats
from verify.numbers.exactness import exact_evaluation
from verify.search.batch import evaluate, prepare
from verify.search.decide import decide_sample
from verify.words import eq, ge, le, norm2, relu

INSTANCES = 3


def jacobian(f, x, factor=1):
    return eq(f.jacobian(x) @ x, factor * f(x)) & le(norm2(f(x)), f.weight_norm_squared ** len(f.weights) * norm2(x))


def columns(A, n):
    return ge(n * norm2(A), norm2(A.sum(axis=1))) & ge(norm2(A), norm2(relu(A)))


OWN = [
    Claim(
        "toy.jacobian",
        "A network without biases is its Jacobian times the point",
        Source("toy", "derived here"),
        jacobian,
        Domain(
            {"f": Networks(biases=False), "x": reals("inputs")},
            {"depth": (1, 3), "inputs": (1, 2), "width": (2,), "outputs": (1, 2)},
        ),
        false_variants={"twice": {"factor": 2}},
    ),
    Claim(
        "toy.columns",
        "Cauchy, and the ReLU",
        Source("toy", "derived here"),
        columns,
        Domain({"A": reals("m", "n")}, {"m": (1, 3), "n": (1, 4)}),
        false_variants={"without n": lambda A: ge(norm2(A), norm2(A.sum(axis=1)))},
    ),
]
"""Claims that are always here, beside those of the catalogue."""
CLAIMS = {one.id: one for one in (*OWN, *catalogue().values())}


def samples(claim):
    """A few instances, of the smallest and of the largest sizes."""
    every = claim.domain.all_sizes()
    for sizes, draw in ((every[0], structured_numbers), (every[-1], random_numbers)):
        rng = np.random.default_rng(11)
        yield Sample(sizes, {name: draw(rng, one, INSTANCES) for name, one in claim.domain.layout(sizes).items()})


@pytest.mark.parametrize("name", CLAIMS)
def test_a_statement_takes_plain_arrays(name):
    claim = CLAIMS[name]
    for sample in samples(claim):
        batch = prepare(claim.domain, sample)
        found = None if batch is None else evaluate(claim.statement, batch, batch.places)
        if found is None:
            continue
        relation, places = found
        for row, place in enumerate(places):
            plain = {key: one_of(value, int(place)) for key, value in batch.variables.items()}
            with np.errstate(all="ignore"):
                alone = call_with(claim.statement, plain)
                for hypothesis, test in claim.domain.hypotheses.items():
                    holds = call_with(test, plain)
                    assert np.shape(holds) == (), hypothesis
                    assert bool(holds) == batch.validity[hypothesis][place], hypothesis
            assert alone.batch_shape == ()
            assert alone.names == relation.names
            for one, other in zip(alone.comparisons, relation.comparisons, strict=True):
                for side in ("left", "right"):
                    there = np.broadcast_to(getattr(other, side), other.shape)[row if other.shape[0] > 1 else 0]
                    here = np.broadcast_to(getattr(one, side), one.shape)
                    size = np.max(np.abs(there), initial=1.0, where=np.isfinite(there))
                    np.testing.assert_allclose(floats(here), floats(there), rtol=1e-6, atol=1e-6 * size)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_statement_takes_plain_rationals(name):
    claim = CLAIMS[name]
    for sample in samples(claim):
        one = Sample(sample.sizes, {key: values[0] for key, values in sample.coordinates.items()}).exact()
        decision = decide_sample(claim.statement, claim.domain, one)
        if decision.relation is None:
            continue
        from verify.search.decide import decide

        with exact_evaluation():
            plain = {key: one_of(value, 0) for key, value in claim.domain.build(one[None]).items()}
        try:
            alone = decide(claim.statement, plain)
        except (FloatOnly, UndecidedInstances):
            continue
        assert np.array_equal(alone.verdict, decision.relation.verdict.reshape(()))
