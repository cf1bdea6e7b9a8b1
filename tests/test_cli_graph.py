"""The command graph, on the toy claims and on a package of one's own."""

import itertools
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from verify.cli import app

TESTS = Path(__file__).parent
SCHEMA = json.loads((TESTS.parent / "verify" / "schemas" / "map.json").read_text())
NUMBERS = itertools.count()
SVG = "{http://www.w3.org/2000/svg}"

CLAIM = """
from verify import Claim, Domain, Follows, Source, le, reals

{imports}

def statement(x, factor=1):
    return le(0 * x, factor * x**2)

CLAIM = Claim(
    id="{package}.{label}",
    title="Squares, {label}",
    source=Source("{package}", "{label}"),
    statement=statement,
    domain=Domain({{"x": reals()}}),
    false_variants={{"the other way": dict(factor=-1)}},
    {follows}
)
"""


@pytest.fixture(autouse=True)
def _without_colours(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A package of three theorems, of which one follows from another; none is called as one that was imported before."""
    name = f"own_map_{next(NUMBERS)}"
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    for label, before in {"lemma_1": "", "theorem_2": "lemma_1", "bounds_of_squares": ""}.items():
        imports = f"from {name}.{before} import CLAIM as BEFORE" if before else ""
        follows = "follows=(Follows(BEFORE),)," if before else ""
        (package / f"{label}.py").write_text(CLAIM.format(package=name, label=label, imports=imports, follows=follows))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return package


def invoke(*arguments, package="toy_claims"):
    return CliRunner().invoke(app, ["graph", *map(str, arguments), "--package", package])


def test_a_map_is_drawn_to_the_standard_output_or_to_a_file(tmp_path):
    result = invoke()
    assert result.exit_code == 0, result.stderr
    root = ET.fromstring(result.stdout)
    assert root.get("aria-label") == "A map of 2 theorems"
    assert [group.find(f"{SVG}title").text for group in root.findall(f"{SVG}g")] == [
        "The mean inequality and its cousin: 2√(xy) ≤ x + y, and xy(x + y) ≤ x³ + y³.\n2 √(x y) ≤ x + y\nStated; searched.",
        "A number is at most its square: false between 0 and 1.\nx ≤ x²\nStated; searched; 1 statement false as printed.",
    ]
    file = tmp_path / "map.svg"
    assert invoke("--out", file).stdout == ""
    assert file.read_text() == result.stdout


def test_the_json_fits_its_schema_and_stands_alone():
    result = invoke("--json", "-")
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert [(one["name"], one["claims"], one["errata"]) for one in found["theorems"]] == [
        ("toy.means", 2, 0),
        ("toy.squares", 1, 1),
    ]
    assert found["arrows"] == []


def test_without_a_table_the_arrows_are_those_of_the_claims(own, tmp_path):
    result = invoke("--json", tmp_path / "map.json", "--out", "map.svg", package=own.name)
    assert result.exit_code == 0, result.stderr
    found = json.loads((tmp_path / "map.json").read_text())
    assert [(one["label"], one["shape"]) for one in found["theorems"]] == [
        ("Bounds of squares", "other"),
        ("Lemma 1", "lemma"),
        ("Theorem 2", "theorem"),
    ]
    (arrow,) = found["arrows"]
    assert (arrow["source"], arrow["target"], arrow["kind"]) == (f"{own.name}.lemma_1", f"{own.name}.theorem_2", "uses")
    root = ET.fromstring((tmp_path / "map.svg").read_text())
    assert len(root.findall(f"{SVG}path[@class='uses']")) == 1


def test_a_table_of_ones_own_is_read(own):
    (own / "map.toml").write_text(f'[{own.name}.lemma_1]\nextends.bounds_of_squares = "the proof of Lemma 1"\n')
    found = json.loads(invoke("--json", "-", package=own.name).stdout)
    assert [(arrow["source"], arrow["kind"], arrow["place"]) for arrow in found["arrows"]] == [
        (f"{own.name}.bounds_of_squares", "extends", "the proof of Lemma 1"),
        (f"{own.name}.lemma_1", "uses", f"a proof of {own.name}.theorem_2 may use {own.name}.lemma_1"),
    ]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('[own_map.lemma_2]\nuses.lemma_1 = "here"', "own_map/map.toml: [own_map.lemma_2] is no theorem of this package"),
        ('[own_map.lemma_1]\nuses.theorem_2 = "here"', "own_map: own_map.lemma_1 rests on own_map.theorem_2 rests on own_map."),
    ],
)
def test_a_table_that_cannot_be_used_is_told_in_a_line(own, table, says):
    (own / "map.toml").write_text(table.replace("own_map", own.name))
    result = invoke(package=own.name)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert says.replace("own_map", own.name) in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--paper", "toys"), "Invalid value for '--paper': no theorem is of 'toys'; there are toy"),
        (("--out", "map.png"), "'--out': a map is drawn as SVG: write a name that ends in .svg, got map.png"),
        (("--out", "nowhere/map.svg"), "'--out': nowhere/map.svg: there is no folder"),
        (("--json", "nowhere/map.json"), "'--json': nowhere/map.json: there is no folder"),
        (("--out", "-", "--json", "-"), "'--out': one of --out and --json can go to the standard output"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments, says):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in result.stderr


def test_one_paper_of_several():
    text = invoke("--paper", "toy").stdout
    assert ET.fromstring(text).get("aria-label") == "A map of 2 theorems of Toy"
