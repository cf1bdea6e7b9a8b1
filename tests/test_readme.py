"""The README's commands and examples are what is run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands():
    return dict(re.findall(r"<!-- (the main job|passes the tests) -->\n```sh\n(.+)\n```", README))


def test_both_commands_are_one_line_that_needs_only_python():
    for command in commands().values():
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")
    assert len(commands()) == 2


def test_continuous_integration_runs_the_test_command_literally():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "passes the tests" in script
    assert 'bash -c "$command"' in script


def test_the_python_example_runs():
    names = {}
    for example in re.findall(r"```python\n(.+?)```", README, flags=re.DOTALL):
        exec(compile(example, "README.md", "exec"), names)
    assert names["decision"].verdict.name == "HOLDS"
    assert names["network"](names["np"].array([0.5, 0.25, 0.0])).round(12).tolist() == [0.5, 0.25, 0.25]


def test_the_captured_table_shows_claims_that_exist():
    from verify import catalogue

    table = README.split("<!-- captured", 1)[1].split("```", 2)[1]
    ids = re.findall(r"^([a-z_]+\.[a-z0-9_.]+) ", table, flags=re.MULTILINE)
    assert len(ids) > 5
    assert set(ids) <= set(catalogue())


def test_the_table_of_documents_counts_what_there_is():
    from verify import catalogue
    from verify.checker.evidence.files import certificate_folder

    claims = catalogue("theorems")
    proved = [path.stem for path in certificate_folder("theorems").glob("*.json")]
    rows = re.findall(r"\]\(theorems/(\w+)\) \| (\d+) \| (\d+) \| (\d+) \|", README)
    assert {row[0] for row in rows} == {name.partition(".")[0] for name in claims}
    for folder, *counts in rows:
        here = [claim for name, claim in claims.items() if name.startswith(f"{folder}.")]
        false = [claim for claim in here if claim.status.name == "false_as_printed"]
        certificates = [name for name in proved if name.startswith(f"{folder}.")]
        assert list(map(int, counts)) == [len(here), len(certificates), len(false)]


def test_the_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_strengths_that_the_readme_gives_are_those_that_were_measured():
    from verify.checker.strength import AMOUNTS, UNIT, distribution, known_strengths

    strengths = known_strengths("theorems").values()
    text = " ".join(README.split())
    comparisons, constants = (distribution(strengths, kind) for kind in ("comparisons", "constants"))
    noticed = sum(comparisons[one] for one in AMOUNTS[:3])
    assert f"Of the {sum(comparisons.values())} comparisons" in text
    assert f"1e-6 is noticed in {comparisons['1e-6']}, of 1e-2 in {noticed}; the other {comparisons['loose']} say why" in text
    assert comparisons["loose"] + noticed == sum(comparisons.values())
    noticed = sum(constants[one] for one in AMOUNTS[:3])
    assert f"Of the {sum(constants.values())} constants it is {constants['1e-6']} and {noticed}, and a unit" in text
    assert f"a unit in {constants[UNIT]} integers" in text
