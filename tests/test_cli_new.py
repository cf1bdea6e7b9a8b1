"""Packages of one's own: what `verify new` writes works at once, and packages are found beside ours."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from verify.checker.checking import Checker
from verify.checker.record import record_of
from verify.claims.catalogue import claims_of
from verify.claims.packages import packages_here, project_here
from verify.cli import app
from verify.cli.common import in_this_project
from verify.cli.new import Field, _label

ROOT = Path(__file__).parents[1]


def verify(*arguments, cwd, check=True, path=None):
    environment = os.environ | {"NO_COLOR": "1", **({"PYTHONPATH": str(path)} if path else {})}
    command = [sys.executable, "-m", "verify", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=check)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new")
    text = verify("new", "own_claims", cwd=folder).stdout
    assert text.splitlines()[-1] == "cd own_claims && verify run"
    for line in text.splitlines()[:-2]:
        assert (folder / line).is_file()
    return folder / "own_claims"


def test_a_run_works_at_once_and_in_a_folder_below(project):
    for folder in (project, project / "own_claims"):
        result = verify("run", "--sort", "claim", cwd=folder)
        assert "own_claims.theorem_1" in result.stdout
        assert "1 claim, all as expected" in result.stdout
        assert result.stderr.count("\n") == 1
        assert "leaky_resnets" not in result.stdout


def test_letters_of_a_label_lose_their_accents():
    assert _label("Théorème 3") == "theoreme_3"


def test_its_tests_and_its_baseline_hold(project):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert " passed" in result.stdout
    result = verify("bounds", "check", "--strict", "own_claims.theorem_1", cwd=project)
    assert "2 bounds: 2 unchanged" in result.stdout


@pytest.mark.parametrize("field", [field for field in Field if field != Field.norms])
def test_a_claim_of_each_field_is_as_expected(tmp_path, monkeypatch, field):
    package = f"own_{field}"
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["new", package, "--field", field]).exit_code == 0
    monkeypatch.chdir(tmp_path / package)
    more = CliRunner().invoke(app, ["new", "--claim", "Lemma 2", "--field", field])
    assert f"verify run {package}.lemma_2" in more.stdout
    assert "Lemma 2" in (tmp_path / package / package / "lemma_2.py").read_text()
    text = (tmp_path / package / package / "theorem_1.py").read_text()
    assert text.startswith('r"""Theorem 1: ')
    assert "$" not in text
    monkeypatch.syspath_prepend(tmp_path / package)
    (claim,) = claims_of(importlib.import_module(f"{package}.theorem_1"))
    record = record_of(Checker(claim).everything())
    assert record.as_expected
    assert record.problems == record.remarks == ()


def test_it_is_proved_and_its_certificate_stands(project):
    result = verify("prove", cwd=project)
    assert "1 of 1 claims are proved at some sizes" in result.stdout
    result = verify("check", "own_claims/certificates/own_claims.theorem_1.json", cwd=project)
    assert "stands" in result.stdout


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("prove",), "--out"),
        (("strength",), "--file"),
        (("bounds", "update"), "--baseline"),
        (("carry",), "--package"),
        (("export", "--coq", "coq", "--record"), "--record"),
    ],
)
def test_from_another_project_the_files_of_a_package_are_not_written_unasked(command, option, project):
    result = verify(*command, "leaky_resnets.speed_law", cwd=project, check=False, path=ROOT)
    assert result.returncode == 2
    assert result.stderr.startswith(f"Error: Invalid value for '{option}': {ROOT}")
    assert "is no part of the project in" in result.stderr


def test_a_package_that_is_installed_within_the_project_is_none_of_it(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    assert in_this_project(tmp_path / "own_claims", "--out") == tmp_path / "own_claims"
    for elsewhere in (tmp_path / ".venv/lib/python3.11/site-packages/theorems", tmp_path.parent / "theorems"):
        with pytest.raises(typer.BadParameter, match="is no part of the project in"):
            in_this_project(elsewhere, "--out")


def test_one_claim_more_may_be_false_and_gives_its_smallest_witness(project):
    assert "verify run own_claims.lemma_2" in verify("new", "--claim", "Lemma 2", cwd=project).stdout
    file = project / "own_claims" / "lemma_2.py"
    assert "own_claims, Lemma 2. (This is an example" in file.read_text()
    assert "all as expected" in verify("run", "own_claims.lemma_2", cwd=project).stdout
    file.write_text(file.read_text().replace("factor=1", "factor=Q('4/5')"))
    result = verify("run", "own_claims.lemma_2", cwd=project, check=False)
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert "refuted at this instance, on rationals" in result.stdout
    assert re.search(r"x = \[-?[0-9], -?[0-9]\]\n", result.stdout)
    assert verify("run", "--last-failed", "-q", cwd=project, check=False).stdout.count("own_claims.lemma_2: ") == 1
    file.unlink()


def test_it_is_listed_beside_ours(project):
    ids = verify("list", "-q", cwd=project).stdout.split()
    assert "own_claims.theorem_1" in ids
    assert "notion_of_rank.prop_3" in ids
    assert verify("list", "-q", "own_claims", cwd=project).stdout.split() == ["own_claims.theorem_1"]
    assert "own_claims, Theorem 1: Our own inequalities" in verify("show", "own_claims.theorem_1", cwd=project).stdout


def test_a_claim_of_the_project_is_shown_without_reading_the_catalogue(project, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "Our own inequalities" in verify("show", "own_claims.theorem_1", cwd=project).stdout
    indices = [file.name for file in (tmp_path / "deep-l2-verify").glob("*.index.json")]
    assert [name.partition("-")[0] for name in indices] == ["own_claims"]


def test_an_installed_package_is_found_by_its_entry_point(project, tmp_path):
    metadata = tmp_path / "site" / "own_claims-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: own-claims\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[verify.claims]\nown_claims = own_claims\n")
    (tmp_path / "site" / "own_claims").symlink_to(project / "own_claims")
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    found = json.loads(verify("run", "own_claims", "--json", "-", cwd=tmp_path, path=path).stdout)
    assert [claim["id"] for claim in found["claims"]] == ["own_claims.theorem_1"]
    assert "notion_of_rank.prop_3" in verify("list", "-q", cwd=tmp_path, path=path).stdout.split()


def test_what_is_broken_beside_is_a_line_and_what_is_broken_here_is_refused(tmp_path):
    metadata = tmp_path / "site" / "broken_claims-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-claims\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[verify.claims]\nbroken_claims = broken_claims\n")
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    result = verify("list", "-q", "notion_of_rank.prop_3*", cwd=tmp_path, path=path)
    assert "notion_of_rank.prop_3" in result.stdout.split()
    assert result.stderr == "problem: no package is called 'broken_claims', here or among the installed ones\n"
    here = tmp_path / "project"
    (here / "empty_claims").mkdir(parents=True)
    (here / "empty_claims" / "__init__.py").touch()
    (here / "pyproject.toml").write_text('[project.entry-points."verify.claims"]\nempty = "empty_claims"\n')
    result = verify("run", cwd=here, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert "the project here, empty_claims, has no claims: `verify new --claim LABEL` adds one" in result.stderr


def test_a_run_tells_what_a_claim_lacks_and_that_a_module_is_no_package(tmp_path):
    text = """from verify import Claim, Domain, Source, le, reals

CLAIM = Claim(
    "one.means", "", Source("one", "1"), lambda x, y: le(2 * x * y, x * x + y * y), Domain({"x": reals(), "y": reals()}),
    {"larger": lambda x, y: le(3 * x * y, x * x + y * y)},
)
"""
    (tmp_path / "one.py").write_text(text)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "__init__.py").write_text(text)
    missing = "one.means: no tight example shows how tight the inequality is: add one, or say why none is known"
    for _ in "made", "kept":
        result = verify("run", "--package", "two", "--json", "run.json", cwd=tmp_path, check=False)
        assert result.returncode == 0, result.stderr
        assert missing in result.stderr + result.stdout
        (claim,) = json.loads((tmp_path / "run.json").read_text())["claims"]
        assert [one.partition(":")[0] for one in claim["remarks"]] == [missing.partition(": ")[2].partition(":")[0]]
    result = verify("run", "--package", "one", cwd=tmp_path, check=False)
    assert result.returncode == 2
    assert "'one' is a module (" in result.stderr
    assert "a package is a folder with __init__.py; `pytest` checks the claims of one module" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the new package, as in `verify new inequalities`"),
        (["Inequalities"], "a package is named in lower case, with letters, digits and _, got 'Inequalities'"),
        (["theorems"], "another package is called 'theorems' already"),
        (["json"], "another package is called 'json' already"),
        (["there"], "there exists already: `verify new --claim LABEL` in it adds a claim"),
        (["mine", "--claim", ""], "a label must begin with a letter, as in 'Lemma 2', got ''"),
        (["mine", "--claim", "2"], "a label must begin with a letter, as in 'Lemma 2', got '2'"),
        (["--claim", "Lemma 2"], "no project of claims is here: `verify new NAME` begins one"),
    ],
)
def test_what_is_refused_says_what_to_write(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    result = CliRunner().invoke(app, ["new", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_project_is_found_and_a_broken_one_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert project_here() is None
    assert packages_here() == ()
    (tmp_path / "src" / "mine").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project.entry-points."verify.claims"]\nmine = "mine"\n')
    assert packages_here() == ("mine",)
    assert sys.path[0] == str(tmp_path.resolve() / "src")
    (tmp_path / "pyproject.toml").write_text("[project\n")
    result = CliRunner().invoke(app, ["list"])
    assert (result.exit_code, "pyproject.toml is not TOML" in result.stderr) == (2, True)


def test_a_claim_or_a_package_that_is_not_found_is_looked_for_elsewhere(project, tmp_path):
    def said(*arguments, cwd):
        result = verify("run", *arguments, cwd=cwd, check=False)
        assert result.returncode == 2
        return result.stderr

    (tmp_path / "loose.py").write_text((project / "own_claims" / "theorem_1.py").read_text())
    assert "`pytest loose.py` checks the claims of one module" in said("loose.py", cwd=tmp_path)
    assert "those of a project are found in its folder, or with --package NAME" in said("own_claims.no_such", cwd=tmp_path)
    assert "those of a project" not in said("own_claims.no_such", cwd=project)
    folder = f"{project.name}/own_claims"
    assert f"write --package own_claims in the folder {project.name}" in said("--package", folder, cwd=project.parent)
    for name in ("own_claims/", "./own_claims"):
        assert verify("run", "--package", name, cwd=project).returncode == 0
