"""Every code block of the README and of the guides is run, literally, and the notebooks too."""

import html
import importlib
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import written_pages
import yaml
from typer.testing import CliRunner

from verify import catalogue
from verify.cli import app
from verify.networks import FullyConnected
from verify.proofs.coq.by_hand import accepted_by_hand

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GUIDE = DOCS / "adding_a_theorem.md"


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.+?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def pages():
    return sorted(path for path in DOCS.glob("*.md") if path != GUIDE)


REPLACED = {
    r"(false )?neighbours?|mutants?(?! \|)": "false variant",
    r"sharp instances?|sharp examples?": "tight example",
    r"loose(?! by)": "not known to be tight",
    r"unrefuted": "survived",
    r"exactly/open|valid/drawn": "feasible/drawn, undecided",
    r"tiers?": "phase, evidence",
    r"dear|dearer|dearest|cheap|cheaper|price|prices": "cost, costly",
    r"loud|alarms?|quiet(?!\`)": "float counterexample, unsuspicious",
    r"pursuits?|pursued": "objective, lowered",
    r"coordinates": "free parameters",
    r"slips": "lint",
    r"pools?|instalments?": "sample cache, batch",
    r"noticed|notices": "detected",
    r"documents?": "paper, talk",
    r"ours": "derived here",
}
"""Words for which the glossary has others, and these."""
ALLOWED = (
    r"`[^`]*`",  # names in code and in files
    r"\bmax pooling",
)


MATHEMATICS = ("proofs", "piecewise", "benchmarks")
"""Pages on which points have coordinates."""


def replaced(text, *, mathematics=False):
    """Lines of prose with a word that the glossary replaces, with that word and the right one; code is no prose."""
    prose = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    found = []
    for number, line in enumerate(prose.splitlines(), start=1):
        plain = re.sub("|".join(ALLOWED), "", line)
        for words, right in REPLACED.items():
            if mathematics and words == "coordinates":
                continue
            if wrong := re.search(rf"\b({words})\b", plain, re.IGNORECASE):
                found.append(f"{number}: {wrong[0]!r} is {right!r}: {line.strip()}")
    return found


def test_words_that_are_replaced_are_found():
    assert replaced("A false neighbour is dear.\n") == [
        "1: 'false neighbour' is 'false variant': A false neighbour is dear.",
        "1: 'dear' is 'cost, costly': A false neighbour is dear.",
    ]
    assert replaced("```text\nneighbour\n```\n`coordinates` are a key\n") == []


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))], ids=lambda path: path.stem
)
def test_people_read_the_words_of_the_glossary(page):
    assert replaced(page.read_text(encoding="utf-8"), mathematics=page.stem in MATHEMATICS) == []


GENERATED = [folder for folder in ("atlas", "errata", "sentences", "reference") if (DOCS / folder).exists()]
NAMES_OF_THINGS = ("(false )?neighbours?|mutants?(?! \\|)", "coordinates", "loose(?! by)", "loud|alarms?|quiet(?!\\`)")
"""Of layers, points and pieces that lie beside each other, of vectors, of a mapping class, and of noise."""


def prose_of(page):
    """What a page in reStructuredText says: no code, formulas, tables of names, and marks."""
    text = re.sub(r"<(pre|code|math|table|svg|select)\b.*?</\1>", " ", page, flags=re.DOTALL)
    text = re.sub(
        r"<[^>]+>", " ", re.sub(r"^\.\. (?:code-block|math|auto\w+)::.*(?:\n(?: +\S.*)?$)*", "", text, flags=re.MULTILINE)
    )
    return html.unescape(re.sub(r"``[^`]*``|:math:`[^`]*`", " ", text))


def test_the_prose_of_a_page_is_what_people_read():
    page = (
        "A cheap bound of ``price``.\n\n.. code-block:: text\n\n   price\n\n.. raw:: html\n\n   <p>dear</p><pre>price</pre>\n"
    )
    assert prose_of(page).split() == ["A", "cheap", "bound", "of", ".", "..", "raw::", "html", "dear"]


@pytest.mark.skipif(not GENERATED, reason="the pages are written when the site is built: .ci/run site")
def test_generated_pages_have_the_words_of_the_glossary():
    found = []
    for page in sorted(path for folder in GENERATED for path in (DOCS / folder).rglob("*.rst")):
        for line in prose_of(page.read_text(encoding="utf-8")).splitlines():
            for words, right in {**REPLACED, "open in floats": "undecided in floats"}.items():
                if words not in NAMES_OF_THINGS and (wrong := re.search(rf"\b({words})\b", line, re.IGNORECASE)):
                    found.append(f"{page.relative_to(DOCS)}: {wrong[0]!r} is {right!r}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


def test_the_command_line_and_the_page_have_one_glossary():
    (page,) = blocks(DOCS / "glossary.md", "{glossary}")
    assert page == (ROOT / "verify" / "glossary.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["recipes"])
def test_commands_of_a_page_print_what_stands_below_them(name, tmp_path):
    examples = [one for one in written_pages.examples((DOCS / f"{name}.md").read_text(encoding="utf-8")) if one[0] == "sh"]
    assert examples
    for language, code, shown in examples:
        assert written_pages.differs(shown, written_pages.printed_by(language, code, {}, ROOT, tmp_path)) is None


@pytest.fixture(autouse=True)
def _pictures_without_a_screen(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    import matplotlib

    matplotlib.use("Agg")


@pytest.mark.filterwarnings("ignore:undecided")
@pytest.mark.parametrize("page", [page for page in pages() if blocks(page, "python")], ids=lambda page: page.stem)
def test_python_of_a_page_runs_and_prints_what_stands_below_it(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    text = page.read_text(encoding="utf-8")
    for block, printed in re.findall(r"^```python\n(.+?)^```\n(?:\n```text\n(.+?)^```)?", text, re.MULTILINE | re.DOTALL):
        capsys.readouterr()
        exec(compile(block, page.name, "exec"), names)
        assert not printed or capsys.readouterr().out == printed


def in_a_shell(script, cwd):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "NO_COLOR": "1"}
    command = ["bash", "-euc", script]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_guide_is_followed_literally(tmp_path):
    shell, python = blocks(GUIDE, "sh"), blocks(GUIDE, "python")
    begun = in_a_shell(shell[0], tmp_path)
    assert begun.returncode == 0, begun.stderr
    project = tmp_path / "inequalities"
    file = project / "inequalities" / "cauchy.py"
    file.write_text(python[0], encoding="utf-8")
    for script in shell[1:]:
        result = in_a_shell(script, project)
        assert result.returncode == 0, result.stdout + result.stderr
    file.write_text(f"{python[0]}\n\n{python[1]}", encoding="utf-8")
    result = in_a_shell("verify run", project)
    assert result.returncode == 1
    assert "refuted at this instance, on rationals" in result.stdout
    assert re.search(r"x = \[(-?\d+), \1\]\n", result.stdout)
    assert "Traceback" not in result.stdout + result.stderr
    script = "\n".join(["from inequalities.cauchy import *", *python[2:]])
    result = in_a_shell(f"MPLBACKEND=Agg python -c {shlex.quote(script)}", project)
    assert result.returncode == 0, result.stderr
    assert "It is false: at n = 2; x = [" in result.stdout


def test_the_installation_is_that_of_the_readme_and_its_commands_work(tmp_path):
    install, first = blocks(DOCS / "install.md", "sh")
    assert install in (ROOT / "README.md").read_text(encoding="utf-8")
    result = in_a_shell(first, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "leaky_resnets.prop_10.printed" in result.stdout


def test_every_page_stands_once_in_the_navigation():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = [name for tree in blocks(DOCS / "index.md", "{toctree}") for name in re.findall(r"^[\w/]+$", tree, re.MULTILINE)]
    assert sorted(set(listed)) == sorted(listed)
    captions = re.findall(r":caption: (\w+)", index)
    assert captions == ["Statements", "Tutorials", "Guides", "Reference", "Background"]
    written = {path.stem for path in [*DOCS.glob("*.md"), *DOCS.glob("*.ipynb")]} - {"index"}
    assert written == {name for name in listed if "/" not in name}


def test_the_recipe_of_continuous_integration_is_the_one_that_is_written():
    (recipe,) = blocks(DOCS / "bounds_in_ci.md", "sh")
    template = (ROOT / "verify" / "templates" / "ci.txt").read_text(encoding="utf-8").replace("$$", "$")
    assert template.endswith(recipe)


def test_workflows_are_yaml_and_their_commands_have_these_options():
    files = blocks(DOCS / "bounds_in_ci.md", "yaml")
    assert len(files) == 3
    files.append((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    lines = []
    for text in files:
        assert yaml.safe_load(text)
        lines += re.findall(r"\b(verify (?:run|bounds).*)$", text, re.MULTILINE)
    assert len(lines) == 6
    for line in lines:
        words = shlex.split(line)[1:]
        given = [word for word in words if word.startswith("--")]
        names = list(itertools.takewhile(lambda word: not word.startswith("--"), words))
        said = CliRunner().invoke(app, [*names, "--help"], terminal_width=200).stdout
        assert all(option in said for option in given), line


def test_commands_in_text_are_commands():
    texts = [text for page in [*DOCS.glob("*.md"), ROOT / "README.md"] for text in blocks(page, "text")]
    commands = [line for text in texts for line in text.splitlines() if line.startswith("verify ")]
    assert commands
    for line in commands:
        result = CliRunner().invoke(app, [*shlex.split(line)[1:], "--help"])
        assert result.exit_code == 0, line + result.stderr


def test_the_languages_of_blocks_are_those_that_are_run():
    for page in [*DOCS.glob("*.md"), ROOT / "README.md"]:
        languages = set(re.findall(r"^```(\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert languages <= {"python", "sh", "text", "yaml", "{glossary}", "{toctree}"}, page


@pytest.mark.parametrize("name", sorted(path.stem for path in DOCS.glob("*.ipynb")))
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((DOCS / f"{name}.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names = {}
    for cell in cells:
        exec(compile(cell, f"{name}.ipynb", "exec"), names)
    assert len(cells) >= 6
    assert names["result"].outcome == "refuted"
    # what a notebook says to be true, and what it says to be false
    assert all(names[one].outcome == "survived" for one in ("survived", "commuting", "true") if one in names)
    assert "sharper" not in names or names["sharper"].outcome == "refuted"
    assert all(cell["outputs"] == [] for cell in notebook["cells"] if cell["cell_type"] == "code")


def test_a_recipe_of_the_gallery_is_short_and_its_picture_has_a_description():
    _, *recipes = re.split(r"^### ", (DOCS / "gallery.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(recipes) == 12
    for recipe in recipes:
        (description, code) = re.search(r"^```{code-cell} ipython3\n---\n(.+?)\n---\n(.+?)^```", recipe, re.M | re.S).groups()
        assert yaml.safe_load(description)["mystnb"]["image"]["alt"].endswith("."), recipe
        assert len([line for line in code.splitlines() if line]) <= 16, recipe
        assert re.search(r"\]\((atlas|errata)/", recipe), recipe


def test_the_gallery_runs():
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    names = {}
    for cell in re.findall(r"^```{code-cell} ipython3\n(?:---\n.+?\n---\n)?(.+?)^```", text, re.MULTILINE | re.DOTALL):
        exec(compile(cell, "gallery.md", "exec"), names)
    assert names["layer"].Z.shape == (1, 2)
    names["pyplot"].close("all")


def test_the_version_is_the_same_wherever_it_stands():
    from verify import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert project["version"] == __version__
    assert f"\nversion: {__version__}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation


def test_links_between_pages_lead_somewhere():
    for page in [*DOCS.glob("*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            # pages of the atlas, of errata and of sentences are written from modules and folders when the site is built
            room, _, name = target.partition("/")
            theorem = ROOT / "theorems" / name.removesuffix("/index")
            is_page = theorem.is_dir() or theorem.with_suffix(".py").is_file() or name in ("claims", "map")
            written = room in ("atlas", "errata", "sentences") and is_page
            assert written or (page.parent / target).exists(), (page.name, target)


def test_every_command_has_a_help():
    command = typer.main.get_command(app)
    for name in command.commands:
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_the_letters_have_names_that_exist():
    text = (DOCS / "letters.md").read_text(encoding="utf-8")
    known = {*catalogue("theorems")}
    papers = "|".join({one.partition(".")[0] for one in known})
    for name in re.findall(rf"`((?:{papers})[a-z_0-9.]*)`", text):
        assert any(one == name or one.startswith(f"{name}.") for one in known), name
    rows = [line.rpartition(" of ") for line in text.split("\n") if re.search(r" of `verify\.\w", line)]
    for cells, _, module in rows:
        for name in re.findall(r"`(\w+)(?:\([^`]*\))?`", cells.rpartition("|")[2]):
            assert hasattr(importlib.import_module(re.findall(r"`([\w.]+)`", module)[0]), name), name
    for name in re.findall(r"`f\.(\w+)", text):
        assert name in FullyConnected.__dict__ or name in FullyConnected.__annotations__, name


def test_the_page_on_proofs_counts_what_coq_accepted():
    accepted = json.loads((ROOT / "theorems" / "kernel.json").read_text())["claims"].values()
    theorems, whole = sum(entry["theorems"] for entry in accepted), sum(entry["whole"] for entry in accepted)
    counted = f"accepted all {len(accepted)} files: {theorems:,} theorems, {whole} certificates whole".replace(",", " ", 1)
    assert counted in (ROOT / "docs" / "proofs.md").read_text()


def test_every_numbered_statement_has_a_proof_for_all_sizes_or_a_reason():
    """A claim has one of the two, not both."""
    page = (ROOT / "docs" / "proofs.md").read_text()
    rows = re.findall(
        r"^\| ([\w.]+) \| (.+) \|$", page.partition("<!-- resists -->")[2].partition("<!-- end -->")[0], re.MULTILINE
    )
    reasons = dict(rows[1:])
    numbered = {
        name
        for name, claim in catalogue("theorems").items()
        if claim.status.name == "stated" and re.fullmatch(r"(Theorem|Proposition|Corollary|Lemma) \d+", claim.source.label)
    }
    words = {path.stem for path in (ROOT / "theorems" / "certificates" / "all_sizes").glob("*.json")}
    proved = numbered & (words | {name for name in numbered if accepted_by_hand(catalogue("theorems")[name], "theorems")})
    assert reasons.keys() == numbered - proved
    assert f"Of the {len(numbered)} claims" in page
    assert f", {len(proved)} have a proof for all sizes" in page
