"""The README's commands and examples are what is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import written_pages

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


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """What one command finds, the next one need not search."""
    return tmp_path_factory.mktemp("kept")


EXAMPLES = written_pages.examples(README)


def test_there_is_output_for_each_kind_of_user():
    commands = " ".join(code for _, code, _ in EXAMPLES)
    assert len(EXAMPLES) >= 6
    assert all(f"verify {name}" in commands for name in ("run", "check", "new", "measure", "bounds check"))
    assert not any("pip" in code for _, code, _ in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one[1].splitlines()[-1])
def test_what_is_shown_is_printed(example, kept, tmp_path):
    language, code, shown = example
    folder = tmp_path if "verify new" in code else ROOT
    printed = written_pages.printed_by(language, code, {}, folder, kept)
    line = written_pages.differs(shown, printed)
    assert line is None, f"not printed: {line}; python tests/written_pages.py writes the outputs anew\n\n{printed}"


def test_an_output_that_is_not_printed_is_told():
    shown = "a  1\n...\nb 2.00\n"
    assert written_pages.differs(shown, "a 1\nx\nb   3.14\n") is None
    assert written_pages.differs(shown, "a 2\nx\nb 3.14\n") == "a 1"
    assert written_pages.differs(shown, "a 1\nb 3.14\nc\n") == "(nothing), where 'c' is printed"
    assert written_pages.differs("a\n", "x\na\n") == "a"


def test_the_table_of_papers_counts_what_there_is():
    shown = re.search(r"\|---[-|]+\|\n((?:\|.+\n)+)<!-- end -->", README)[1]
    assert shown == written_pages.table_of_papers(), "python tests/written_pages.py writes it anew"


def test_the_strength_is_what_was_measured():
    assert written_pages.strengths() in README, "python tests/written_pages.py writes it anew"


def test_badges_say_what_the_project_says():
    for name, picture in written_pages.badges().items():
        assert (written_pages.BADGES / name).read_text(encoding="utf-8") == picture
        assert f"badges/{name}" in README


def test_the_links_lead_somewhere():
    targets = re.findall(r"\]\(([^)#]+)\)", README) + re.findall(r'(?:src|srcset)="([^"]+)"', README)
    for target in targets:
        assert (ROOT / target).exists(), target
