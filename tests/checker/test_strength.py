"""The strength of a check: what is moved, what notices it, and the file that keeps it."""

import json
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from typer.testing import CliRunner

from verify import Claim, Domain, Q, Rate, Source, Tight, derived, integers, interval, reals
from verify.checker.strength import (
    NOTHING,
    UNIT,
    Detected,
    Strength,
    UnusableStrength,
    constants_of,
    distribution,
    measure_strength,
    read_strengths,
    write_strengths,
)
from verify.cli import app
from verify.words import eq, ge, le, lifted, sqrt

POSITIVE = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)}, hypotheses={"not large": lambda x: x <= 10**6})


def means(x, y, factor=2):
    return (
        le(factor * sqrt(x * y), x + y, name="means") & le(sqrt(x * y), x + y + 1, name="loose") & eq(x + y, y + x, name="sum")
    )


def claim_of(statement=means, **more):
    settings = {"tight": {"equal": Tight(lambda: {"x": 4, "y": 4}, of=("means",))}} | more
    return Claim("toy.means", "", Source("toy", "derived here"), statement, POSITIVE, {"a": lambda x: le(1, x)}, **settings)


def test_each_comparison_is_moved_by_itself():
    found = measure_strength(claim_of())
    assert found.comparisons["means"] == Detected("1e-6", "tight: equal")
    assert found.comparisons["loose"].amount == NOTHING
    assert found.comparisons["sum"].amount == "1e-6"
    assert found.worst.amount == NOTHING
    assert found.in_a_word() == NOTHING


def test_a_range_beyond_which_the_statement_fails_is_needed():
    domain = Domain({"x": interval(-1, 1), "n": integers(0, 2)})
    claim = replace(claim_of(lambda x, n: le(x * (2 * n + 1), 2 * n + 1), tight={}), domain=domain)
    assert measure_strength(claim).ranges == {
        "x below -1": "unknown",
        "x above 1": "needed",
        "n below 0": "needed",
        "n above 2": "unknown",
    }


def test_a_range_beyond_which_nothing_can_be_built_is_told_apart():
    domain = Domain({"x": derived(lifted(lambda kind: np.array([1, 2])[np.asarray(kind, dtype=int)]), kind=integers(0, 1))})
    claim = replace(claim_of(lambda x: le(x, 3), tight={}), domain=domain)
    assert measure_strength(claim).ranges["x.kind above 1"] == "undefined"


def test_what_is_said_to_be_loose_is_not_the_worst():
    found = measure_strength(claim_of(not_known_tight={"loose": "It is there for show."}))
    assert found.comparisons["loose"] == Detected(NOTHING, "", "It is there for show.")
    assert found.in_a_word() == "1e-6"
    assert distribution([found])["not known to be tight"] == 1


def test_a_bound_off_by_two_per_cent_notices_a_tenth():
    found = measure_strength(claim_of(lambda x, y: le(2 * sqrt(x * y), Q("102/100") * (x + y)), tight={}))
    assert found.comparisons[""].amount == "1e-1"
    assert found.comparisons[""].by.startswith("search: ")


def test_constants_are_moved_and_integers_by_a_unit():
    def powers(x, y, factor=2, times=1):
        side = x + y
        for _ in range(times):
            side = side * (x + y)
        return le(factor * x * y, side)

    claim = claim_of(powers, tight={})
    assert constants_of(claim) == {"factor": 2, "times": 1}
    found = measure_strength(claim)
    assert found.constants["times"].amount == UNIT
    assert constants_of(claim_of()) == {"factor": 2}


def test_hypotheses_rates_and_kinds_are_in_it():
    found = measure_strength(claim_of(rate=Rate(lambda n: n**-2.0, (2, 4, 8, 16, 32, 64), -2)))
    assert found.hypotheses == {"not large": "unknown"}
    assert found.rate == "0.01"
    assert sum(found.sizes.values()) > 1000


def test_the_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "strength.json"
    assert read_strengths(path) == {}
    strengths = {"toy.means": measure_strength(claim_of()), "toy.broken": Strength("0" * 16, problem="KeyError: 'x'")}
    write_strengths(path, strengths)
    assert read_strengths(path) == strengths
    for damaged in ("[]", "{", '{"schema": 2, "claims": {}}', '{"schema": 1, "claims": {"a": {}}}'):
        path.write_text(damaged)
        with pytest.raises(UnusableStrength, match="not a file of strengths"):
            read_strengths(path)


def test_a_claim_that_cannot_be_checked_has_none():
    found = measure_strength(claim_of(lambda x, y: le(x.chalk, y), tight={}))
    assert found.in_a_word() == "?"
    assert "chalk" in found.problem


def test_the_command_measures_what_changed(tmp_path):
    kept, out = tmp_path / "strength.json", tmp_path / "out.json"
    command = ["strength", "toy.means", "--package", "toy_claims", "--file", str(kept), "--json", str(out)]
    first = CliRunner().invoke(app, command)
    assert first.exit_code == 0, first.output
    assert "2 of 2 claims measured now" in first.output
    assert set(json.loads(out.read_text())) == {"toy.means", "toy.means.cubes"}
    again = CliRunner().invoke(app, command)
    assert "0 of 2 claims measured now" in again.output
    kept.write_text("{")
    assert CliRunner().invoke(app, command).exit_code == 2


def test_a_worker_that_dies_is_a_problem_of_its_claim_and_is_tried_again(tmp_path, monkeypatch):
    died = Mock(side_effect=BrokenPipeError("the worker died"))
    kept = tmp_path / "strength.json"
    command = ["strength", "toy.squares", "--package", "toy_claims", "--file", str(kept)]
    with monkeypatch.context() as broken:
        broken.setattr("verify.checker.strength.measured_by_id", died)
        result = CliRunner().invoke(app, [*command, "--engine", "inline"])
    assert result.exit_code == 1
    assert "BrokenPipeError: the worker died" in result.output
    again = CliRunner().invoke(app, command)
    assert "2 of 2 claims measured now" in again.output
    assert not any(one.problem for one in read_strengths(kept).values())


def test_an_interrupt_of_the_search_by_sizes_abandons_its_work(monkeypatch):
    abandoned = []

    def interrupted(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("verify.checker.running.finished", interrupted)
    monkeypatch.setattr("verify.engines.executors.abandon", abandoned.append)
    result = CliRunner().invoke(app, ["strength", "leaky_resnets.prop_10.discrete", "--sizes", "--engine", "inline"])
    assert (result.exit_code, len(abandoned)) == (130, 1)


def test_a_true_statement_about_anything_is_measured_without_sharp_instances():
    claim = Claim(
        "toy.any",
        "",
        Source("toy", "derived here"),
        lambda x: ge(x * x, 0),
        Domain({"x": reals()}),
        {"a": lambda x: le(1, x)},
    )
    assert measure_strength(claim).comparisons[""].amount == "1e-6"
