"""The command new: a package of one's own, and one claim more."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import re
import sys
import unicodedata
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from verify.claims.packages import OURS, project_here
from verify.cli.common import app, unusable


class Field(StrEnum):
    """What the claim that one begins with is about; each has a template."""

    norms = "norms"
    matrices = "matrices"
    information = "information"
    combinatorics = "combinatorics"
    optimisation = "optimisation"
    networks = "networks"


RESERVED = frozenset({"verify", OURS, "tests", "test"})


@app.command()
def new(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of a new package; it is written to the folder NAME.")
    ] = None,
    *,
    claim: Annotated[
        str | None,
        typer.Option("--claim", metavar="LABEL", help="Label of the claim, such as 'Lemma 2'; without NAME, one claim more."),
    ] = None,
    field: Annotated[Field, typer.Option(help="What the claim that you begin with is about.")] = Field.norms,
) -> None:
    """Begin a package of claims of your own, or a module more in the one here. `verify run` there works at once."""
    if name is None and claim is None:
        raise unusable(
            "NAME", "name the new package, as in `verify new inequalities`, or a claim: `verify new --claim 'Lemma 2'`"
        )
    title = "Theorem 1" if claim is None else claim
    label = _label(title)
    if name is None:
        _add_module(label, title, field)
    else:
        _package(name, label, title, field)


def _label(title: str) -> str:
    # letters without their accents
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    label = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    if not label or not label[0].isalpha() or keyword.iskeyword(label):
        raise unusable("--claim", f"a label must begin with a letter, as in 'Lemma 2', got {title!r}")
    return label


def _package(name: str, label: str, title: str, field: Field) -> None:
    package = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", package) or keyword.iskeyword(package):
        raise unusable("NAME", f"a package is named in lower case, with letters, digits and _, got {name!r}")
    if package in RESERVED or package in sys.stdlib_module_names or importlib.util.find_spec(package) is not None:
        raise unusable("NAME", f"another package is called {package!r} already: take another name")
    root = Path(name)
    if root.exists():
        raise unusable("NAME", f"{name} exists already: `verify new --claim LABEL` in it adds a claim")
    words = {"package": package, "project": name, "label": label, "title": title}
    files = {
        "pyproject.toml": "pyproject",
        "README.md": "readme",
        ".gitignore": "gitignore",
        "ci.sh": "ci",
        f"{package}/__init__.py": "package",
        f"{package}/{label}.py": f"fields/{field}",
        f"tests/test_{package}.py": "test",
    }
    for path, template in files.items():
        _write(root / path, template, words)
    _measure(root, package)
    for path in [*files, f"{package}/baseline.json"]:
        typer.echo(f"{name}/{path}")
    typer.echo(f"\ncd {name} && verify run")


def _add_module(label: str, title: str, field: Field) -> None:
    try:
        project = project_here()
    except ValueError as error:
        raise unusable("pyproject.toml", str(error)) from error
    if project is None:
        raise unusable("--claim", "no project of claims is here: `verify new NAME` begins one, and `cd NAME` leads into it")
    root, packages = project
    package = packages[0]
    places = [place for place in (root / "src" / package, root / package) if place.is_dir()]
    if not places:
        raise unusable("--claim", f"{root / 'pyproject.toml'} names the package {package!r}, which has no folder beside it")
    path = places[0] / f"{label}.py"
    if path.exists():
        raise unusable("--claim", f"{_near(path)} exists already: take another label")
    _write(path, f"fields/{field}", {"package": package, "label": label, "title": title})
    typer.echo(f"{_near(path)}\n\nverify run {package}.{label}")


def _near(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _write(path: Path, template: str, words: dict[str, str]) -> None:
    from importlib import resources

    text = resources.files("verify").joinpath("templates", f"{template}.txt").read_text(encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Template(text).substitute(words), encoding="utf-8")


def _measure(root: Path, package: str) -> None:
    """Write the baseline of the new package."""
    from verify.checker.baseline import write_baseline
    from verify.checker.bounds import measured_by_id
    from verify.checker.running import claims_in

    sys.path.insert(0, str(root.resolve()))
    importlib.invalidate_caches()
    measured = {claim: measured_by_id(package, claim) for claim in claims_in(package)}
    write_baseline(root / package / "baseline.json", measured)
