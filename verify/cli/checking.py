"""The commands list, show, run and check."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.claim import Claim, FalseAsPrinted
from verify.cli.common import (
    INTERRUPTED,
    UNUSABLE,
    Package,
    Status,
    Timeout,
    app,
    claims_of,
    console,
    executor_of,
    explained,
    progress_bar,
    say,
    select_claims,
    unusable,
    writable,
)

if TYPE_CHECKING:
    from verify.checker.record import Record
    from verify.checker.strength import Strength


@app.command("list")
def listclaims_of(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    status: Annotated[Status | None, typer.Option(help="Only claims with this status.")] = None,
    package: Package = "theorems",
) -> None:
    """Every claim: id, status, tier, source and title; last the aliases."""
    from verify.checker.evidence import packaged_witness
    from verify.checker.strength import known_strengths

    claims = claims_of(package)
    chosen = [claim for claim in claims.values() if status in (None, claim.status.name)]
    witnesses = {claim.id: packaged_witness(claim, package) for claim in chosen}
    strengths = known_strengths(package)
    aliases = {claim.id: [name for name, target in claims.aliases.items() if target == claim.id] for claim in chosen}
    entries = [_entry(claim, witnesses[claim.id], strengths.get(claim.id), aliases[claim.id]) for claim in chosen]
    if as_json:
        typer.echo(json.dumps(entries, indent=1))
        return
    from verify.report.console import columns
    from verify.report.console import show as show_table

    header = ["id", "status", "tier", "strength", "document", "label", "title"]
    if status == "false_as_printed":
        header += ["corrected_by", "witness"]
    rows = [[entry[name] or "none" for name in header] for entry in entries]
    names = [name.replace("_", " ") for name in header]
    show_table(console(), columns(names, rows))
    for name, target in claims.aliases.items():
        if target in aliases:
            typer.echo(f"{name} -> {target}")


def _entry(claim: Claim, witness: Path | None, strength: Strength | None, aliases: list[str]) -> dict[str, Any]:
    return {
        "id": claim.id,
        "title": claim.title,
        "document": claim.source.document,
        "label": claim.source.label,
        "status": claim.status.name,
        # what the declaration promises; a run may decide more
        "tier": "argued" if claim.argument else "exact" if claim.exact or witness is not None else "searched",
        "strength": strength.in_a_word() if strength is not None else "not measured",
        "corrected_by": claim.status.corrected_by if isinstance(claim.status, FalseAsPrinted) else None,
        "witness": None if witness is None else str(witness),
        "aliases": aliases,
    }


@app.command()
def show(
    claim_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a claim.")],
    *,
    package: Package = "theorems",
) -> None:
    """All about one claim: statement, hypotheses, construction, neighbours, evidence, code."""
    from verify.report.description import describe

    claims = claims_of(package)
    if claim_id in claims.retired:
        typer.echo(f"{claim_id} is no longer a claim: {claims.retired[claim_id]}")
        return
    if claim_id in claims.aliases:
        typer.echo(f"{claim_id} stands for {claims.aliases[claim_id]}\n")
        claim_id = claims.aliases[claim_id]
    if claim_id not in claims:
        chosen = select_claims(claims, [claim_id], package)
        if len(chosen) > 1:
            raise unusable("ID", f"{claim_id!r} is a folder; its claims: {', '.join(claim.id for claim in chosen)}")
        claim_id = chosen[0].id
    typer.echo(describe(claims[claim_id], claims, package))


@app.command()
def run(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[ID or folder]...", help="Which claims; all by default.")
    ] = None,
    *,
    budget: Annotated[Literal["quick", "standard", "deep"], typer.Option(help="How hard each claim is tried.")] = "quick",
    seed: Annotated[int, typer.Option(help="Seed of the search, from 0.")] = 0,
    engine: Annotated[
        str, typer.Option(help="inline, processes, processes:N, dask:tcp://HOST:PORT or mpi: where it is done.")
    ] = "inline",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write what was found to FILE.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a page to DIR/index.html.")] = None,
    witnesses: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the witness of every refuted claim to DIR/ID.json.")
    ] = None,
    timeout: Timeout = None,
    package: Package = "theorems",
) -> None:
    """Check claims. The exit status is 0 when all is as expected, 1 when not, 2 for unusable input."""
    from verify.checker.running import checked

    if not 0 <= seed < 2**63:
        raise unusable("--seed", f"seed must be from 0 to 2**63 - 1, got {seed}")
    claims = claims_of(package)
    chosen = select_claims(claims, names or [], package)
    _writable(json_file, html, witnesses)
    executor = executor_of(engine, timeout)
    records: list[Record] = []
    interrupted = False
    unwritten: list[OSError] = []
    results = checked(executor, package, chosen, budget, seed)
    try:
        with progress_bar(len(chosen)) as advance:
            for record in results:
                try:
                    records.append(_with_witness(record, claims[record.id], package, witnesses))
                except OSError as error:  # what was found is not lost with the disk
                    records.append(record)
                    unwritten.append(error)
                advance(record.id)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()
    records.sort(key=lambda record: record.id)
    settings = {"budget": budget, "seed": seed, "engine": engine, "interrupted": interrupted, "problems": claims.problems}
    try:
        _write(records, claims, json_file, html, settings)
    except OSError as error:
        unwritten.append(error)
    _report(records, budget, seed, package, left=len(chosen) - len(records) if interrupted else 0)
    if unwritten:
        say(f"Error: not written: {explained(unwritten[0])}")
        raise typer.Exit(UNUSABLE)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(bool(claims.problems) or any(not record.as_expected for record in records)))


def _writable(json_file: Path | None, *folders: Path | None) -> None:
    """Refuse a place that cannot be written to before the work, not after it."""
    writable(json_file)
    for option, folder in zip(("--html", "--witnesses"), folders, strict=True):
        if folder is None:
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unusable(option, f"{folder} cannot be made a folder: {error.strerror}") from error
        if not os.access(folder, os.W_OK):
            raise unusable(option, f"the folder {folder} cannot be written to")


def _with_witness(record: Record, claim: Claim, package: str, folder: Path | None) -> Record:
    """The record with the path of a witness file, which is written if there is a folder for it."""
    import dataclasses

    from verify.checker.evidence import packaged_witness, write_whole

    if record.counterexample is not None and folder is not None:
        path = folder / f"{record.id}.json"
        write_whole(path, json.dumps(record.counterexample, indent=1) + "\n")
    else:
        found = packaged_witness(claim, package)
        if found is None:
            return record
        path = found
    return dataclasses.replace(record, witness=str(path))


def _report(records: list[Record], budget: str, seed: int, package: str, *, left: int) -> None:
    from verify.report import console as report

    screen = console()
    report.show(screen, report.table(records))
    screen.print(report.problems(records, budget, seed, package), end="", soft_wrap=True)
    screen.print("\n" + report.summary_line(records, budget, seed, interrupted=left), soft_wrap=True, markup=False)


def _write(
    records: list[Record], claims: Mapping[str, Claim], json_file: Path | None, html: Path | None, settings: Mapping[str, Any]
) -> None:
    from verify.checker.evidence import write_whole
    from verify.checker.record import document

    if json_file is not None:
        write_whole(json_file, json.dumps(document(records, **settings), indent=1, allow_nan=False) + "\n")
    if html is not None:
        from verify.report.html import page

        named = {name: settings[name] for name in ("budget", "seed", "interrupted")}
        write_whole(html / "index.html", page(records, claims, **named))


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="WITNESS.json...", help="Witness files.")],
    *,
    package: Package = "theorems",
) -> None:
    """Decide witnesses again. The exit status is 0 when all stand, 1 when one does not, 2 for an unusable file."""
    from verify.checker.evidence import UnusableWitness, read_witness, recheck, stands
    from verify.report import words

    claims = claims_of(package)
    status = 0
    for path in files:
        try:
            witness, claim = read_witness(path, claims)
            relation = recheck(witness, claim)
        except UnusableWitness as error:
            # of a file that cannot be used nothing is known, which is worse than a witness that no longer stands
            typer.echo(str(error) if str(path) in str(error) else f"{path}: {error}", err=True)
            status = 2
            continue
        refuted = claim.id if witness.neighbour is None else f"{claim.id}, false neighbour {witness.neighbour!r}"
        verdict = (
            "stands: the statement is false here" if stands(relation) else "does not stand: the statement does not fail here"
        )
        typer.echo(f"{path}\n{refuted}: {claim.title}")
        typer.echo(words.indented(words.instance(witness.sample.sizes, witness.sample.coordinates)))
        typer.echo(f"{words.indented(words.sides(relation))}\n{verdict}\n")
        if not stands(relation):
            status = max(status, 1)
    raise typer.Exit(status)
