"""The command graph: which theorem rests on which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.cli.common import (
    STDOUT,
    JsonFile,
    Package,
    app,
    claims_of,
    listing_of,
    one_package,
    select_claims,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.report.map import TheoryMap


@app.command()
def graph(
    *,
    paper: Annotated[
        str | None,
        typer.Option("--paper", metavar="NAME", help="Only the theorems of this paper, and those that they rest on."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.svg", help="Where the map is drawn; by default on the standard output, as SVG."),
    ] = None,
    json_file: JsonFile = None,
    package: Package = None,
) -> None:
    """Draw which theorem rests on which, what is known of each, and where the print is wrong.

    The arrows are those of the package's map.toml, and those that the claims give themselves.
    """
    from verify.evidence import write_whole
    from verify.report.map.drawing import drawing, short_paper, stand_alone

    if out is not None and out != STDOUT and out.suffix != ".svg":
        raise unusable("--out", f"a map is drawn as SVG: write a name that ends in .svg, got {out}")
    if out == STDOUT and json_file == STDOUT:
        raise unusable("--out", "one of --out and --json can go to the standard output")
    writable(out, "--out")
    writable(json_file)
    theory = _of_paper(_map(package), paper)
    write_json(json_file, theory.document())
    if out is None and json_file is not None:
        return
    says = f"A map of {len(theory.nodes)} theorems{f' of {short_paper(paper)}' if paper else ''}"
    svg = stand_alone(drawing(theory, says, home=paper or (theory.papers[0] if len(theory.papers) == 1 else None)))
    if out is None or out == STDOUT:
        typer.echo(svg, nl=False)
    else:
        write_whole(out, svg)


def _map(package: str | None) -> TheoryMap:
    """The map of the package that is meant."""
    from verify.report.map import map_of

    # in this order: an index is kept of a package that was not imported before
    listing, claims = listing_of(package), claims_of(package)
    chosen = select_claims(claims, None, package)
    home = one_package(claims, chosen, package)
    try:
        return map_of({claim.id: claim for claim in chosen}, listing, home)
    except ValueError as error:
        raise unusable("--package", str(error)) from error


def _of_paper(theory: TheoryMap, paper: str | None) -> TheoryMap:
    """The part of one paper, if one was asked for."""
    if paper is None:
        return theory
    if paper not in theory.papers:
        raise unusable("--paper", f"no theorem is of {paper!r}; there are {', '.join(theory.papers)}")
    return theory.of_paper(paper)
