"""What the domain of a claim leaves out, and the sizes at which a claim cannot fail."""

import json
from dataclasses import replace

import numpy as np
from typer.testing import CliRunner

from verify import Claim, Domain, Networks, Source, derived, interval, reals, slopes
from verify.checker.excluded import Exclusion, exclusions, sizes_without_risk
from verify.checker.strength import Strength, is_measured
from verify.cli import app
from verify.evidence.fingerprint import strength_fingerprint
from verify.networks import FullyConnected, leaky_relu
from verify.words import le, lifted, norm2, ones


def claim_of(statement, domain, **settings):
    return Claim("toy.excluded", "", Source("toy", "derived here"), statement, domain, {"false": lambda: le(2, 1)}, **settings)


def test_ends_of_intervals_are_told_with_what_lies_beyond():
    claim = claim_of(lambda x: le(x * x, 1), Domain({"x": interval(-1, 1), "y": interval(0, np.inf)}))
    known = Strength("", ranges={"x below -1": "needed", "x above 1": "needed", "y below 0": "unknown"})
    assert exclusions(claim, known) == [Exclusion("x", "from -1 to 1", "needed"), Exclusion("y", "from 0", "unknown")]
    assert {one.beyond for one in exclusions(claim)} == {"not measured"}
    assert exclusions(claim, Strength("", ranges={"x above 1": "needed"}))[0].beyond == "below: not measured, above: needed"


def test_networks_tell_what_no_number_says():
    network = derived(lambda inner: inner, inner=Networks(depth=2, inputs=1, width=1, outputs=1, biases=False))
    claim = claim_of(lambda f: le(0, f.weight_norm_squared), Domain({"f": network}))
    assert [one.drawn for one in exclusions(claim)] == ["ReLU only", "no biases"]
    wide = Networks(depth=2, inputs=1, width=1, outputs=1, slope=(-2, 2))
    found = exclusions(claim_of(lambda f: le(0, f.weight_norm_squared), Domain({"f": wide})))
    assert [one.drawn for one in found] == ["from -2 to 2", "slope 1 above 0"]


def test_sizes_and_hypotheses_are_told():
    domain = Domain(
        {"x": reals("n")},
        {"n": (1, 2), "m": (1, 2)},
        {"small": lambda x: norm2(x) <= 1},
        lambda sizes: sizes["n"] <= sizes["m"],
    )
    claim = claim_of(lambda x: le(norm2(x), 1), domain, needs=("small",))
    assert exclusions(claim) == [
        Exclusion("n", "1, 2", "not measured"),
        Exclusion("m", "1, 2", "not measured"),
        Exclusion("sizes together", "3 of 4 combinations", "not measured"),
        Exclusion("small", "hypothesis", "needed"),
    ]


def count(x):
    """How many entries are positive, against 3: with two of them nothing can fail."""
    return le((x > 0).sum(), 3, name="count") & le((x * ones(len(x))).sum(), norm2(x) + len(x), name="sum")


def test_sizes_at_which_an_inequality_is_not_at_stake():
    claim = claim_of(count, Domain({"x": interval(0, 1, "n")}, {"n": (2, 3)}))
    assert sizes_without_risk(claim) == {"n = 2": "count, sum", "n = 3": "sum"}


def test_sizes_without_an_instance():
    claim = claim_of(
        lambda x: le(x.sum(), 1), Domain({"x": interval(0, 1, "n")}, {"n": (1, 2)}, {"one": lambda x: len(x) * norm2(x) < 0})
    )
    assert set(sizes_without_risk(claim).values()) == {"no feasible instance"}


def test_commands():
    found = CliRunner().invoke(app, ["list", "--excluded", "toy.means", "--package", "toy_claims"])
    assert found.exit_code == 0
    assert "is drawn" in found.stdout
    entries = json.loads(
        CliRunner().invoke(app, ["list", "--excluded", "toy.means", "--json", "--package", "toy_claims"]).stdout
    )
    assert {"what", "drawn", "beyond"} == set(entries["toy.means"][0])
    measured = CliRunner().invoke(app, ["strength", "--sizes", "toy.means", "--engine", "inline", "--package", "toy_claims"])
    assert measured.exit_code == 0
    assert "without risk" in measured.stdout


def with_slope(inner, slope):
    return lifted(FullyConnected)(inner.weights, inner.biases, lifted(leaky_relu)(slope))


def test_a_slope_that_is_drawn_beside_a_network_is_told_once():
    network = derived(with_slope, inner=Networks(depth=2, inputs=1, width=1, outputs=1), slope=slopes(-2, 2))
    claim = claim_of(lambda f: le(0, f.weight_norm_squared), Domain({"f": network}))
    assert [one.drawn for one in exclusions(claim)] == ["from -2 to 2"]


def test_a_strength_is_not_of_the_claim_when_a_coordinate_has_another_name():
    claim = claim_of(lambda x: le(x * x, 1), Domain({"x": interval(-1, 1)}))
    measured = Strength(strength_fingerprint(claim), ranges={"x above 1": "needed"})
    assert is_measured(measured, claim)
    assert not is_measured(replace(measured, ranges={"y above 1": "needed"}), claim)
    assert not is_measured(replace(measured, fingerprint="0-0"), claim)
