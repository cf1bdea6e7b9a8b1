"""Tables in every width, what is chosen and in which order, what is said while a run goes on, and what is remembered."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.text import Text
from typer.testing import CliRunner

from verify.checker.checking import Checker, VariantResult
from verify.checker.running import claims_in
from verify.cli import app
from verify.report.tables import Column, Table, find, plain

TESTS = Path(__file__).parent


@pytest.fixture(autouse=True)
def _without_colours(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def invoke(*arguments, package="toy_claims", **environment):
    where = ["--package", package] if package else []
    return CliRunner().invoke(app, [*map(str, arguments), *where], env=environment)


def longest_id():
    return "symmetry_learning.frequency_singular_values.operator_norm"


def test_the_first_column_stands_whole_in_every_width():
    rows = [[longest_id(), "survived", "a title of some length, which may be cut or folded", "0.25"], ["b", "refuted", "", "1"]]
    columns = [
        Column("id", lambda row: row[0], 0),
        Column("outcome", lambda row: row[1], 1),
        Column("title", lambda row: row[2], 3, elastic="cut"),
        Column("seconds", lambda row: row[3], 2, key=lambda row: float(row[3]), right=True),
    ]
    shown = {}
    for width in (10, 70, 80, 100, 200, None):
        lines = Table(columns, rows).fitted(width).plain.splitlines()
        assert len(lines) == 3
        assert lines[1].startswith(longest_id())
        assert max(map(len, lines)) <= max(width or 1000, len(longest_id()))
        shown[width] = lines[0].split()
    assert shown[10] == ["id"]
    assert shown[70] == ["id", "outcome"]
    assert shown[80] == ["id", "outcome", "seconds"]
    assert shown[100] == shown[200] == shown[None] == ["id", "outcome", "title", "seconds"]
    assert "…" in Table(columns, rows).fitted(100).plain
    assert "…" not in Table(columns, rows).fitted(200).plain


def test_the_last_column_of_a_plain_table_is_folded():
    text = plain(["claim", "why"], [["toy.means", "one reason after the other, " * 5]]).fitted(60).plain
    assert text.count("reason") == 5
    assert max(map(len, text.splitlines())) <= 60


def test_a_table_is_sorted_by_numbers_and_what_has_none_comes_last():
    columns = [Column("id", lambda one: Text(one[0])), Column("slack", lambda one: str(one[1]), key=lambda one: one[1])]
    table = Table(columns, [("a", 10.0), ("b", None), ("c", 9.0)])
    assert [one[0] for one in table.asked(sort="slack").values] == ["c", "a", "b"]
    assert [one[0] for one in table.asked(sort="-id").values] == ["c", "b", "a"]


def test_columns_are_found_by_part_of_their_names():
    columns = [Column("relative slack", str), Column("sizes", str), Column("size", str)]
    assert find(columns, "slack") is columns[0]
    assert find(columns, "Relative_Slack") is columns[0]
    assert find(columns, "size") is columns[2]
    with pytest.raises(ValueError, match="no column is called 'siz'; the columns are relative_slack, sizes, size"):
        find(columns, "siz")


@pytest.mark.parametrize("width", ["80", "100", "200"])
def test_a_run_fits_the_width(width):
    lines = invoke("run", COLUMNS=width).stdout.splitlines()
    table = lines[: lines.index("")]
    assert [line.split()[0] for line in table] == [
        "claim",
        "toy.means",
        "toy.means.cubes",
        "toy.squares",
        "toy.squares.printed",
    ]
    assert max(map(len, table)) <= int(width)


def test_ids_of_ours_are_whole_in_eighty_columns():
    from verify import catalogue

    lines = [line for line in invoke("list", package=None, COLUMNS="80").stdout.splitlines() if " -> " not in line]
    assert [line.split()[0] for line in lines[1:]] == list(catalogue())
    assert max(map(len, lines)) <= 80


def test_columns_and_order_are_what_is_asked_for():
    lines = invoke("run", "--columns", "outcome,title", "--sort", "-claim").stdout.splitlines()
    assert lines[0].split() == ["claim", "outcome", "title"]
    assert [line.split()[0] for line in lines[1:5]] == ["toy.squares.printed", "toy.squares", "toy.means.cubes", "toy.means"]
    for option, value in (("--columns", "id,price"), ("--sort", "price")):
        result = invoke("list", option, value)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'{option}'" in result.stderr
        assert "the columns are id, status" in result.stderr


def test_globs_and_a_status_choose():
    assert invoke("list", "*.means*", "-q").stdout.split() == ["toy.means", "toy.means.cubes"]
    assert invoke("list", "toy.*", "--status", "false_as_printed", "-q").stdout.split() == ["toy.squares.printed"]
    assert "1 claim, all as expected" in invoke("run", "toy.s*", "--status", "false_as_printed").stdout
    result = invoke("run", "toy.cube*")
    assert (result.exit_code, "no claim or folder is called 'toy.cube*'" in result.stderr) == (2, True)
    result = invoke("list", "toy.means", "--status", "conjectured")
    assert (result.exit_code, "none of these 2 claims has the status 'conjectured'" in result.stderr) == (2, True)


@pytest.mark.parametrize("status", ["false as printed", "False-As-Printed", "false_as_printed"])
def test_a_status_is_named_as_tables_or_json_write_it(status):
    assert invoke("list", "toy.*", "--status", status, "-q").stdout.split() == ["toy.squares.printed"]


def test_an_unknown_status_is_refused_in_one_line():
    result = invoke("list", "--status", "wrong")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'--status': a status is one of stated, derived_here, conjectured, false_as_printed, got 'wrong'" in result.stderr


def test_what_cannot_be_written_does_not_keep_the_rest_from_being_written(monkeypatch, tmp_path):
    (tmp_path / "page").mkdir()

    def full(*_):
        raise OSError(28, "No space left on device", str(tmp_path / "page"))

    with monkeypatch.context() as patch:
        patch.setattr("verify.cli.checking._write_page", full)
        files = ("--json", tmp_path / "a.json", "--html", tmp_path / "page", "--badge", tmp_path / "b.json")
        result = invoke("run", "toy.squares", *files)
    assert result.exit_code == 2
    assert "not written" in result.stderr
    assert json.loads((tmp_path / "a.json").read_text())["claims"]
    assert json.loads((tmp_path / "b.json").read_text())


def test_a_label_of_a_paper_chooses():
    found = invoke("list", "proposition 3", "-q", package="theorems").stdout.split()
    assert {"notion_of_rank.prop_3", "leaky_resnets.prop_3"} <= set(found)
    assert "leaky_resnets.prop_2" not in found
    assert invoke("list", "position 3", package="theorems").exit_code == 2


def test_list_run_and_show_say_the_same_evidence_with_a_footnote():
    name, settings = "symmetry_learning.summary_statistics.closed_form", {"package": "theorems", "COLUMNS": "160"}
    listed = invoke("list", name, **settings)
    assert ", certificate*  " in listed.stdout
    assert listed.stderr.startswith("* certificate not checked here: `verify check theorems/certificates/")
    assert f"{name}.json` does it" in listed.stderr
    ran = invoke("run", name, **settings)
    assert "  argued, certificate*  " in ran.stdout
    assert listed.stderr in ran.stderr
    assert "  argued, certificate*  " in invoke("list", name, **settings).stdout
    assert "evidence:\n  argued, certificate not checked here: `verify check " in invoke("show", name, **settings).stdout


def test_quiet_and_verbose():
    quiet = invoke("run", "-q")
    assert quiet.stdout.splitlines()[0].startswith("4 claims, all as expected")
    assert quiet.stderr == ""
    verbose = invoke("run", "-v").stdout
    for part in (
        "tight example 'equal numbers': relative slack 0",
        "false variant 'power 0': refuted",
        "hypothesis 'the sum is not negative': needed",
        "refuted at this instance",
        "x = 1/2",
    ):
        assert part in verbose
    assert "Cubes beat products." in invoke("list", "-v").stdout


@pytest.mark.parametrize("command", [("run", "--json", "-"), ("list", "--json"), ("list", "--json", "-")])
def test_json_on_the_standard_output_stands_alone(command):
    result = invoke(*command)
    assert result.exit_code == 0
    assert json.loads(result.stdout)


def test_without_a_terminal_every_folder_has_a_line():
    lines = invoke("run").stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("toy: 4 claims, all as expected, ")


def broken(self, name):
    found = Checker(self.claim).searched() if name is None else None
    assert found is None
    return VariantResult(refuted=False, by=None, evaluations=7, worst=self.cache.phase("structured")[0].sample[0])


def test_what_is_wrong_shows_at_once_and_with_its_instance(monkeypatch):
    monkeypatch.setattr(Checker, "refutes", broken)
    result = invoke("run", "toy.squares", "--engine", "inline")  # another process may be a fresh one, which is not broken
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == "toy.squares: false variant 'power 0' was not refuted (and 1 more)"
    assert result.stderr.splitlines()[1].startswith("toy: 1 of 2 claims NOT as expected")
    assert "false variant 'power 0': the instance nearest to failing, in floats:\n\n    x = " in result.stdout
    assert "\n    left  = " in result.stdout
    assert "\n    right = 1" in result.stdout
    assert "again: verify run toy.squares --budget quick --seed 0 --package toy_claims" in result.stdout


def test_a_refuting_instance_is_printed(tmp_path, monkeypatch):
    text = (TESTS / "toy_claims" / "squares.py").read_text().replace("interval(1, np.inf)", "interval(0, np.inf)")
    (tmp_path / "false_claims").mkdir()
    (tmp_path / "false_claims" / "__init__.py").touch()
    (tmp_path / "false_claims" / "squares.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = invoke("run", "toy.squares", package="false_claims")
    assert result.exit_code == 1
    assert "refuted at this instance, on rationals (" in result.stdout
    assert "\n    x = 1/2\n\n    left  = 1/2\n    right = 1/4\n" in result.stdout


def test_only_what_failed_is_run_again(monkeypatch):
    result = invoke("run", "--last-failed")
    assert (result.exit_code, "no run of these claims is known here" in result.stderr) == (2, True)
    with monkeypatch.context() as patch:
        patch.setattr(Checker, "refutes", broken)
        # in this process, where `refutes` is broken
        assert "1 NOT as expected" in invoke("run", "toy.means.cubes", "--engine", "inline").stdout
    assert "4 claims" not in invoke("run", "toy.squares").stdout
    assert "1 claim, all as expected" in invoke("run", "--last-failed").stdout
    result = invoke("run", "--last-failed")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no claim of these failed when it was last checked here" in result.stderr


def test_show_gives_the_last_result_and_formulas_in_unicode():
    assert "last result" not in invoke("show", "toy.means").stdout
    invoke("run", "toy.means", "--seed", 4)
    text = invoke("show", "toy.means").stdout
    assert "evidence:\n  exact\n" in text
    assert "last result:\n  survived, relative slack " in text
    assert "budget quick, seed 4)" in text
    assert "2√(xy) ≤ x + y" in text
    known = invoke("show", "notion_of_rank.prop_3", package=None).stdout
    assert "last result:\n  in the baseline: smallest relative slack 0 (quick, seeds 0 to 2, " in known
    assert "= ∑ᵢ sᵢ(Jf(x))^(2/L) ≤ (R(f; Ω, σ, L))/L ." in known
    assert "strength:\n  comparison: detected from 1e-6" in known


RESULT = {
    "outcome": "survived",
    "evidence": "exact",
    "relative_slack": 0.5,
    "problems": [],
    "budget": "quick",
    "seed": 4,
    "when": "2026-01-01",
    "fingerprint": "",
}
BAD = [
    b"",
    b"{",
    b"[]",
    b"3",
    b"\xff",
    b'{"toy.means": 3}',
    b'{"toy.means": {}}',
    b"9" * 5000,
    b"[" * 100_000,
    b'{"toy.means": NaN}',
    *(
        json.dumps({"toy.means": RESULT | changed}).encode()
        for changed in (
            {"outcome": None},
            {"evidence": 3},
            {"relative_slack": "small"},
            {"relative_slack": True},
            {"problems": "none"},
            {"problems": [3]},
            {"seed": None},
            {"seed": 10**30},
            {"when": []},
            {"more": 1},
        )
    ),
]


@pytest.mark.parametrize("kind", ["results", "index"])
def test_a_bad_cache_is_thrown_away_and_said(tmp_path, kind):
    def names():
        folder = tmp_path / "deep-l2-verify"
        kept = [path for path in folder.glob("*.json") if not path.name.endswith(".fingerprints.json")]
        return [path for path in kept if path.name.endswith(".index.json") == (kind == "index")]

    def show():
        return invoke("show", "toy.means", XDG_CACHE_HOME=str(tmp_path))

    assert invoke("run", "toy.means", XDG_CACHE_HOME=str(tmp_path)).exit_code == 0
    command = [sys.executable, "-m", "verify", "list", "--package", "toy_claims"]  # which has not imported it before
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]), "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run(command, env=environment, capture_output=True, check=True)
    assert "thrown away" not in show().stderr
    (path,) = names()
    good = json.loads(path.read_bytes())
    bad = list(BAD)
    if kind == "index":
        bad += [json.dumps(good | {name: wrong}).encode() for name in good for wrong in (None, [3], {"a": 3})]
        claim = good["claims"][0]
        bad += [json.dumps(good | {"claims": [claim | {name: wrong}]}).encode() for name in claim for wrong in ([], 3)]
        bad += [json.dumps(good | {"claims": [{k: v for k, v in claim.items() if k != name}]}).encode() for name in claim]
        empty = [json.dumps(good | {name: good[name] and type(good[name])()}).encode() for name in ("retired", "aliases")]
        bad = [one for one in bad if one not in empty]
    for content in bad:
        path.write_bytes(content)
        result = show()
        assert result.exit_code == 0, content
        assert f"{path}: thrown away: " in result.stderr, content
    for place in (tmp_path / "folder", Path("/dev/zero")):
        path.unlink(missing_ok=True)
        if place.name == "folder":
            path.mkdir()
        else:
            path.symlink_to(place)
        result = show()
        assert result.exit_code == 0
        assert (f"{path}: thrown away: " if place.name == "zero" else f"{path}: not used: ") in result.stderr
        if path.is_dir():
            path.rmdir()


def test_runs_beside_each_other_lose_no_last_result(tmp_path):
    code = (
        "import sys, dataclasses\n"
        "from verify.checker.last_run import remember\n"
        "from verify.checker.record import record_of_failure\n"
        "from verify.checker.running import claims_in\n"
        "claims = claims_in('toy_claims')\n"
        "sys.stdin.readline()\n"
        "for seed in range(20):\n"
        "    remember('toy_claims', claims, [record_of_failure(claims[sys.argv[1]], ValueError('bad'))], 'quick', seed)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]), "XDG_CACHE_HOME": str(tmp_path)}
    ids = list(claims_in("toy_claims"))
    running = [subprocess.Popen([sys.executable, "-c", code, one], stdin=subprocess.PIPE, env=environment) for one in ids]
    for process in running:
        process.stdin.write(b"\n")
        process.stdin.close()
    assert [process.wait() for process in running] == [0] * len(ids)
    (path,) = (tmp_path / "deep-l2-verify").glob("*.json")
    assert {claim: one["seed"] for claim, one in json.loads(path.read_text()).items()} == dict.fromkeys(ids, 19)


def test_what_cannot_be_remembered_is_no_failure(tmp_path):
    (tmp_path / "file").touch()
    assert invoke("run", "toy.means", XDG_CACHE_HOME=str(tmp_path / "file")).exit_code == 0


def test_the_version_and_the_completion_of_ids(cache_of_the_session):
    from verify import __version__

    assert invoke("--version", package=None).stdout == f"verify {__version__}\n"
    words = {"COMP_WORDS": "verify show notion_of_rank.prop_3", "COMP_CWORD": "2", "_VERIFY_COMPLETE": "complete_bash"}
    command = [sys.executable, "-m", "verify"]
    from os import environ

    environment = environ | words | {"XDG_CACHE_HOME": cache_of_the_session}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "notion_of_rank.prop_3" in result.stdout.split()
