"""Counterexamples that nobody expected are kept, and decided first by the next run."""

import json
import sys

import pytest

from verify import Claim, Domain, Q, Source, interval, reals
from verify.checker.checking import REFUTED_BEFORE, Checker
from verify.checker.record import Record
from verify.checker.records import KeptRecords
from verify.checker.refuted_before import MOST, samples
from verify.checker.running import record_of_checker
from verify.words import ge, where

pytest_plugins = ["pytester"]

HERE = __name__.partition(".")[0]


def needle(x, y, low=0):
    return ge(where((x[0] == Q(1, 3)) & (y == 5), low, 1), 1)


def claim_of(**changes):
    parts = {
        "statement": needle,
        "domain": Domain({"x": reals("n"), "y": reals()}, {"n": (1, 2)}),
        "tight": {"one": {"x": [1], "y": 1}},
        "false_variants": {"everywhere": lambda x, y: ge(0 * x[0] + y, y + 1)},
    }
    return Claim(id="toy.needle", title="Needle", source=Source("toy", "Lemma"), **(parts | changes))


def kept(tmp_path, **options):
    return KeptRecords("quick", options.pop("seed", 0), cache=tmp_path, **options)


def run(tmp_path, claim, **options):
    known = kept(tmp_path, **options)
    before = samples(claim, known.refuted_before(HERE, claim))
    record = record_of_checker(Checker(claim, "quick", options.get("seed", 0), before))
    known.keep(HERE, claim, record)
    return record


def test_what_was_refuted_is_refuted_by_every_seed_and_after_an_edit(tmp_path):
    assert run(tmp_path, claim_of()).outcome == "survived"
    first = run(tmp_path, claim_of(examples=[{"x": ["1/3", 4], "y": 5}]))
    assert (first.outcome, first.by) == ("refuted", "examples")
    edited = claim_of(statement=lambda x, y: needle(x, y, low=Q(1, 2)))
    for claim, options in ((claim_of(), {}), (claim_of(), {"seed": 1}), (edited, {})):
        again = run(tmp_path, claim, **options)
        assert (again.outcome, again.by, again.evaluations, again.feasible) == ("refuted", REFUTED_BEFORE, 1, 1)
        assert again.counterexample["coordinates"]["x"][0] == "1/3"
    assert run(tmp_path, claim_of(), fresh=True).outcome == "survived"


def test_a_statement_that_is_true_there_is_searched_as_if_nothing_were_kept(tmp_path):
    run(tmp_path, claim_of(examples=[{"x": ["1/3"], "y": 5}]))
    mended = claim_of(statement=lambda x, y: needle(x, y, low=1))
    with_it, without = run(tmp_path, mended), record_of_checker(Checker(mended))
    for record in (with_it, without):
        record.__dict__["seconds"] = 0.0
    assert with_it == without


@pytest.mark.parametrize(
    "domain",
    [
        Domain({"x": reals("n"), "z": reals()}, {"n": (1, 2)}),
        Domain({"x": reals("n"), "y": interval(0, 1)}, {"n": (1, 2)}),
        Domain({"x": reals("n"), "y": reals()}, {"n": (3,)}),
    ],
    ids=["another variable", "another interval", "another size"],
)
def test_what_the_domain_does_not_have_any_more_is_left_out(tmp_path, domain):
    claim = claim_of(examples=[{"x": ["1/3"], "y": 5}])
    run(tmp_path, claim)
    assert len(samples(claim, kept(tmp_path).refuted_before(HERE, claim))) == 1
    changed = claim_of(domain=domain, statement=lambda x: ge(x[0], x[0]), false_variants={"more": lambda x: ge(x[0], x[0] + 1)})
    assert samples(changed, kept(tmp_path).refuted_before(HERE, changed)) == []


def test_a_hypothesis_that_excludes_it_is_asked(tmp_path):
    run(tmp_path, claim_of(examples=[{"x": ["1/3"], "y": 5}]))
    domain = Domain({"x": reals("n"), "y": reals()}, {"n": (1, 2)}, hypotheses={"y is small": lambda y: y < 5})
    assert run(tmp_path, claim_of(domain=domain)).outcome == "survived"


def test_the_latest_are_kept_and_each_once(tmp_path):
    known = kept(tmp_path)
    for place in (*range(MOST + 2), MOST):
        sample = {"sizes": {"n": 1}, "coordinates": {"x": [str(place)], "y": "5"}}
        known.keep(
            HERE, claim_of(), Record("toy.needle", "", "", "", "", "survived", "refuted", counterexample=sample, problems=("",))
        )
    found = [instance["coordinates"]["x"] for instance in known.refuted_before(HERE, claim_of())]
    assert found == [[str(place)] for place in (MOST, MOST + 1, *range(MOST - 1, 1, -1))]


def test_what_is_refuted_as_expected_or_survives_is_not_kept(tmp_path):
    sample = {"sizes": {"n": 1}, "coordinates": {"x": ["1"], "y": "5"}}
    for expected, outcome in (("refuted", "refuted"), ("survived", "survived"), ("survived", "undecided")):
        record = Record("toy.needle", "", "", "", "", expected, outcome, counterexample=sample)
        kept(tmp_path).keep(HERE, claim_of(), record)
    assert kept(tmp_path).refuted_before(HERE, claim_of()) == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": 1, "instances": [3]}', '{"schema": 2, "instances": []}', "\0"])
def test_a_file_that_is_none_is_thrown_away(tmp_path, capsys, text):
    run(tmp_path, claim_of(examples=[{"x": ["1/3"], "y": 5}]))
    (path,) = (tmp_path / "refuted").rglob("*.json")
    path.write_text(text)
    assert kept(tmp_path).refuted_before(HERE, claim_of()) == []
    assert not path.exists()
    assert "thrown away" in capsys.readouterr().err


@pytest.mark.parametrize(
    "instance", [{}, {"sizes": 3, "coordinates": []}, {"sizes": {"n": 1}, "coordinates": {"x": ["1/0"], "y": "5"}}]
)
def test_an_instance_that_is_none_is_left_out(instance):
    assert samples(claim_of(), [instance]) == []


MODULE = """
from verify import Claim, Domain, Q, Source, reals
from verify.words import ge, where

def needle(x):
    return ge(where(x == Q(1, 3), 0, 1), 1)

CLAIM = Claim(
    id="{package}.needle", title="Needle", source=Source("toy", "Lemma"), statement=needle, domain=Domain({{"x": reals()}}),
    tight={{"one": {{"x": 1}}}}, false_variants={{"everywhere": lambda x: ge(x, x + 1)}}, examples={examples},
)
"""


def test_runs_and_pytest_know_it_from_each_other(tmp_path, pytester, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = "met_before"

    def found(examples, *command):
        pytester.makepyfile(**{f"{package}/__init__": MODULE.format(package=package, examples=examples)})
        return pytester.run(sys.executable, "-B", "-m", *command).stdout.str()

    command = ("verify", "run", "--package", package, "--engine", "inline")
    assert "1 survived" in found([], *command)
    assert "on rationals (examples)" in found([{"x": "1/3"}], *command)
    for again in (command, (*command, "--seed", "1"), ("pytest", "-q", "-p", "no:cacheprovider", f"{package}/__init__.py")):
        assert f"({REFUTED_BEFORE})" in found([], *again)
    assert "1 survived" in found([], *command, "--fresh")


def test_without_a_cache_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.checker.records.cache_folder", lambda: None)
    record = record_of_checker(Checker(claim_of(examples=[{"x": ["1/3"], "y": 5}])))
    known = KeptRecords("quick", 0)
    known.keep(HERE, claim_of(), record)
    assert known.refuted_before(HERE, claim_of()) == []
    assert not json.dumps([str(path) for path in tmp_path.rglob("*")]).count("refuted")
    assert HERE in sys.modules
