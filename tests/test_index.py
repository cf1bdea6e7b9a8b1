import importlib
import json
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verify.checker.running import claims_in
from verify.claims.catalogue import UnknownClaim, select
from verify.claims.domain import Sample
from verify.cli import app
from verify.evidence import Witness, claim_fingerprint, kept, write_witness
from verify.report import index
from verify.report.index import declared, listing

MODULE = '''
from pathlib import Path

from helper_of_the_indexed import label
from verify import Claim, Domain, DerivedHere, Source, reals
from verify.words import ge

with Path("imported.txt").open("a") as log:
    log.write(__name__ + "\\n")


def squares(x):
    """A square is not negative."""
    return ge(x * x, 0)


def cubes(x):
    return ge(x**3, 0)


SOURCE, X = Source("toy", label("{name}")), Domain({{"x": reals()}})
{name} = Claim("toy.{name}", "{title}", SOURCE, squares, X, {{"cubes": cubes}}, DerivedHere())
'''


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A package of two claims, and a module that it imports from beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(kept, "OPENED", {})  # as in a new process
    (tmp_path / "helper_of_the_indexed.py").write_text("def label(name):\n    return name\n")
    folder = tmp_path / "indexed_claims"
    folder.mkdir()
    (folder / "__init__.py").write_text("RETIRED = {'toy.gone': 'nothing'}\nALIASES = {'toy.other': 'toy.one'}\n")
    for name in ("one", "two"):
        (folder / f"{name}.py").write_text(MODULE.format(name=name, title=f"The title of {name}"))
    yield folder
    forget()


def forget():
    """As in a new process."""
    for name in [*sys.modules]:
        if name.startswith(("indexed_claims", "helper_of_the_indexed")):
            del sys.modules[name]
    claims_in.cache_clear()
    importlib.invalidate_caches()


def imported():
    """The modules of claims that have been imported since the last time this was asked."""
    log = Path("imported.txt")
    names = log.read_text().split() if log.exists() else []
    log.unlink(missing_ok=True)
    forget()
    return names


def titles(package="indexed_claims"):
    return {name: one.title for name, one in listing(package).items()}


BOTH = ["indexed_claims.one", "indexed_claims.two"]


@pytest.mark.usefixtures("place")
def test_what_is_known_is_not_imported():
    first = listing("indexed_claims")
    assert imported() == BOTH
    again = listing("indexed_claims")
    assert imported() == []
    assert dict(again) == dict(first)
    assert again["toy.one"].status.name == "derived_here"
    assert (again["toy.one"].evidence, again["toy.one"].witness) == ("searched", None)
    assert (
        (again.retired, again.aliases) == (first.retired, first.aliases) == ({"toy.gone": "nothing"}, {"toy.other": "toy.one"})
    )
    assert again.packages == dict.fromkeys(("toy.one", "toy.two"), "indexed_claims")
    assert [one.id for one in select(again, ["toy.other"])] == ["toy.one"]
    with pytest.raises(UnknownClaim, match=r"nearest: toy\.two"):
        select(again, ["toy.tvo"])
    assert declared(again["toy.two"]).title == "The title of two"
    assert imported() == ["indexed_claims.two"]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nNUMBER = os.environ.get('VERIFY_TOY_NUMBER')",
        "from pathlib import Path\nNUMBER = Path('number.txt').read_text()",
        "import time\nNUMBER = time.time()",
    ],
)
def test_what_a_module_takes_from_elsewhere_is_read_again(code, place, monkeypatch):
    def elsewhere(number):
        monkeypatch.setenv("VERIFY_TOY_NUMBER", number)
        Path("number.txt").write_text(number)

    (place / "one.py").write_text(f"{code}\n{(place / 'one.py').read_text()}")
    elsewhere("1")
    listing("indexed_claims")
    assert imported() == BOTH
    listing("indexed_claims")
    assert imported() == (BOTH if "time" in code else [])
    elsewhere("2")
    listing("indexed_claims")
    assert imported() == BOTH


def test_a_text_that_a_module_runs_may_ask_for_the_time(place):
    Path("asks.py").write_text("import time\nNUMBER = time.time()")
    runs = "from pathlib import Path\nexec(Path('asks.py').read_text())\n"
    (place / "one.py").write_text(runs + (place / "one.py").read_text())
    for _ in range(2):
        listing("indexed_claims")
        assert imported() == BOTH


def edited(folder):
    """Another title of the same length, at the same time of the last change."""
    file = folder / "one.py"
    before = file.stat()
    file.write_text(file.read_text().replace("The title", "Tho title"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def put_witness(folder, print_=None):
    claim = claims_in("indexed_claims")["toy.two"]
    sample = Sample({}, {"x": 1}).exact()
    (folder / "witnesses").mkdir()
    write_witness(
        Witness(claim.id, None, sample, "0", "1", print_ or claim_fingerprint(claim)), folder / "witnesses" / "toy.two.json"
    )


CHANGES = {
    "a title": edited,
    "a module more": lambda folder: (folder / "three.py").write_text(MODULE.format(name="three", title="New")),
    "a module less": lambda folder: (folder / "one.py").unlink(),
    "a module renamed": lambda folder: (folder / "one.py").rename(folder / "eins.py"),
    "a witness": lambda folder: put_witness(folder),
    "a witness of another statement": lambda folder: put_witness(folder, "0" * 16 + "-" + "0" * 16),
    "a certificate": lambda folder: (
        (folder / "certificates").mkdir() or (folder / "certificates" / "toy.two.json").write_text("{}")
    ),
    "strengths": lambda folder: (folder / "strength.json").write_text("{}"),
    "what it imports from elsewhere": lambda folder: (folder.parent / "helper_of_the_indexed.py").write_text(
        "def label(name):\n    return name + '!'\n"
    ),
    "a file that is gone": lambda folder: (folder.parent / "helper_of_the_indexed.py").unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen(place, change):
    listing("indexed_claims")
    imported()
    CHANGES[change](place)
    if change == "a module less":
        (place / "__init__.py").write_text("")
    forget()
    found = listing("indexed_claims")
    assert imported() or change == "a file that is gone"
    fresh = claims_in("indexed_claims")
    assert [(one.id, one.title, one.source) for one in found.values()] == [
        (one.id, one.title, one.source) for one in fresh.values()
    ]
    assert bool(found.problems) == (change == "a file that is gone")
    if change == "a witness":
        assert found["toy.two"].witness == str(place / "witnesses" / "toy.two.json")
        assert found["toy.two"].evidence == "exact"
    if change == "a witness of another statement":
        assert (found["toy.two"].witness, found["toy.two"].evidence) == (None, "searched")
    if change == "a certificate":
        assert found["toy.two"].evidence == "searched, certificate is stale"


def test_another_version_of_a_distribution_is_a_change(place, monkeypatch):
    monkeypatch.setattr(index, "_places", lambda: (str(place.parent / "helper"),))
    listing("indexed_claims")
    imported()
    listing("indexed_claims")
    assert imported() == []
    os.utime(place.parent / "helper_of_the_indexed.py", ns=(0, 0))
    listing("indexed_claims")
    assert imported() == BOTH


def test_what_is_wrong_is_said_every_time(place):
    (place / "three.py").write_text("import a_module_that_is_not_there\n")
    for _ in range(2):
        assert "three cannot be imported" in listing("indexed_claims").problems[0]
        assert imported() == BOTH
    assert not list((place.parent / "cache").rglob("*.index.json"))


def test_modules_of_the_past_make_no_index(place):
    importlib.import_module("indexed_claims.one")
    edited(place)
    assert titles()["toy.one"] == "The title of one"
    forget()
    assert titles()["toy.one"] == "Tho title of one"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}', None])
def test_a_damaged_index_is_made_anew(place, text):
    listing("indexed_claims")
    imported()
    (file,) = (place.parent / "cache").rglob("*.index.json")
    if text is None:
        kept = json.loads(file.read_text())
        kept["claims"][0]["status"] = ["of another kind", None]
        text = json.dumps(kept)
    file.write_text(text)
    assert titles()["toy.two"] == "The title of two"
    assert imported() == BOTH
    assert titles()["toy.two"] == "The title of two"
    assert imported() == []


def test_a_home_that_cannot_be_written_to(place, monkeypatch):
    (place.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.parent / "file"))
    for _ in range(2):
        assert list(titles()) == ["toy.one", "toy.two"]
        assert imported() == BOTH


@pytest.mark.usefixtures("place")
def test_the_commands_import_what_they_show():
    def invoke(*arguments):
        result = CliRunner().invoke(app, [*arguments, "--package", "indexed_claims"])
        assert result.exit_code == 0
        return result.stdout, imported()

    first, names = invoke("list")
    assert names == BOTH
    assert invoke("list") == (first, [])
    assert invoke("list", "-q", "toy.two") == ("toy.two\n", [])
    shown, names = invoke("show", "toy.two")
    assert names == ["indexed_claims.two"]
    assert "The title of two" in shown
    assert invoke("show", "toy.other")[1] == ["indexed_claims.one"]
    assert invoke("list", "--verbose")[1] == BOTH
