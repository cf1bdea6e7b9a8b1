from __future__ import annotations

import dataclasses
import json

import pytest

from verify import catalogue
from verify.checker.baseline import (
    Quantity,
    UnusableBaseline,
    compare,
    measure,
    read_baseline,
    regressed,
    write_baseline,
)

CLAIM = catalogue()["symmetry_learning.summary_statistics.noise"]
BASE = Quantity(0.25, 0.01, "smaller", "quick", "f" * 16)


def change(**changed):
    now = dataclasses.replace(BASE, **changed)
    (one,) = compare({"a.b": {"slack": BASE}}, {"a.b": {"slack": now}})
    return one.change


def test_what_a_comparison_says():
    assert change() == "unchanged"
    assert change(value=0.265) == "within noise"
    assert change(value=0.2) == "tightened"
    assert change(value=0.3) == "REGRESSED"
    assert change(value=0.3, noise=0.1) == "within noise"
    assert change(value=0.3, fingerprint="0" * 16) == "statement changed"


def test_tightness_may_be_lost_on_either_side_of_zero():
    base = dataclasses.replace(BASE, value=-1e-9, noise=1e-12, better="nearer zero")
    for value, expected in ((1e-3, "REGRESSED"), (-1e-3, "REGRESSED"), (0.0, "tightened")):
        now = dataclasses.replace(base, value=value)
        (one,) = compare({"a.b": {"slack": base}}, {"a.b": {"slack": now}})
        assert one.change == expected


def test_what_comes_and_goes_is_said():
    changes = compare({"a.b": {"old": BASE}}, {"a.c": {"new": BASE}})
    assert [one.change for one in changes] == ["gone", "new"]
    assert regressed(changes) == []


def test_measuring_twice_gives_the_same(tmp_path):
    first, second = measure(CLAIM), measure(CLAIM)
    assert first == second
    assert set(first) == {"smallest relative slack", *(f"slack at {name}" for name in CLAIM.tight)}
    write_baseline(tmp_path / "baseline.json", {CLAIM.id: first})
    assert read_baseline(tmp_path / "baseline.json") == {CLAIM.id: first}


def test_a_looser_constant_is_a_regression():
    looser = dataclasses.replace(CLAIM, statement=lambda v, w, E: CLAIM.statement(v, w, E, constant=9))
    before, now = measure(CLAIM), measure(looser)
    # the code of the statement is another one, too, which is said first; with the same code the number speaks
    forged = {name: dataclasses.replace(one, fingerprint=before[name].fingerprint) for name, one in now.items()}
    assert {one.change for one in compare({"c": before}, {"c": now})} == {"statement changed"}
    assert "slack at noise along w" in {one.quantity for one in regressed(compare({"c": before}, {"c": forged}))}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "not a baseline"),
        ("{}", "not a baseline of schema 1"),
        (json.dumps({"schema": 1, "claims": {"a.b": {"slack": {"value": 1}}}}), "not a baseline: .*noise"),
        (json.dumps({"schema": 1, "claims": {"a.b": 3}}), "not a baseline"),
        (json.dumps({"schema": 1, "claims": {"a": {"s": dataclasses.asdict(BASE) | {"noise": -1}}}}), "noise -1"),
    ],
)
def test_foreign_files_are_refused_with_the_reason(tmp_path, text, reason):
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(UnusableBaseline, match=reason):
        read_baseline(path)


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(UnusableBaseline, match="no such file; `verify bounds update` writes it"):
        read_baseline(tmp_path / "none.json")
