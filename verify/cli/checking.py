"""The commands list, show, run and check."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.catalogue import Catalogue, Declaration
from verify.claim import Claim
from verify.cli.common import (
    INTERRUPTED,
    STDOUT,
    UNUSABLE,
    ClaimId,
    ColumnNames,
    Engine,
    JsonFile,
    Names,
    Package,
    Quiet,
    Sort,
    Status,
    Timeout,
    Verbose,
    app,
    claims_of,
    console,
    executor_of,
    explained,
    listing_of,
    progress_bar,
    say,
    select_claims,
    shown_as_asked,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.checker.record import Record
    from verify.index import Listing
    from verify.report.changes import Run, Since
    from verify.report.tables import Table


@app.command("list")
def list_claims(
    names: Names = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, on the standard output.")] = False,
    status: Status = None,
    columns: ColumnNames = None,
    sort: Sort = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Ids only, one a line.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="With what each statement says of itself.")] = False,
    package: Package = None,
) -> None:
    """Every claim: id, status, tier, source and title; last the aliases."""
    claims = listing_of(package)
    # `--json -` is what other commands take
    chosen = _listed(claims, [name for name in names or [] if not (as_json and name == "-")], package, status)
    entries = []
    for one in chosen:
        aliases = [name for name, target in claims.aliases.items() if target == one.id]
        entries.append(_entry(one, aliases))
    if as_json:
        typer.echo(json.dumps(entries, indent=1))
        return
    table = shown_as_asked(_entries(entries, status), columns, sort)
    if quiet:
        for entry in table.values:
            typer.echo(entry["id"])
        return
    from verify.report.console import show as show_table

    show_table(console(), table)
    for entry in table.values:
        for name in entry["aliases"]:
            typer.echo(f"{name} -> {entry['id']}")
    if verbose:
        from verify.report import words
        from verify.report.formulas import readable

        imported = claims_of(package)
        for entry in table.values:
            said = readable(words.docstring(imported[entry["id"]].statement))
            typer.echo(f"\n{entry['id']}: {entry['title']}\n{words.indented(said)}")


def _listed(claims: Listing, names: list[str], package: str | None, status: str | None) -> list[Declaration]:
    """What is listed: without names everything, also beside a project of one's own."""
    if names or package is not None:
        return select_claims(claims, names, package, status)
    return [one for one in claims.values() if status in (None, one.status.name)]


def _entry(claim: Declaration, aliases: list[str]) -> dict[str, Any]:
    return {
        "id": claim.id,
        "title": claim.title,
        "document": claim.source.document,
        "label": claim.source.label,
        "status": claim.status.name,
        "tier": claim.tier,
        "strength": claim.strength,
        "corrected_by": claim.corrected_by,
        "witness": claim.witness,
        "aliases": aliases,
    }


def _entries(entries: Sequence[Mapping[str, Any]], status: str | None) -> Table[Mapping[str, Any]]:
    from verify.report.tables import Column, Table

    printed = status == "false_as_printed"

    def near(path: str | None) -> str:
        """A path from here, where it lies below."""
        here = Path.cwd()
        return "none" if path is None else str(Path(path).relative_to(here) if Path(path).is_relative_to(here) else path)

    return Table(
        [
            Column("id", lambda one: one["id"], 0),
            Column("status", lambda one: one["status"], 3 if printed else 1),
            Column("tier", lambda one: one["tier"], 5),
            Column("strength", lambda one: one["strength"], 4),
            Column("document", lambda one: one["document"], 7),
            Column("label", lambda one: one["label"], 6),
            Column("title", lambda one: one["title"], 8 if printed else 2, elastic="cut"),
            Column("corrected by", lambda one: one["corrected_by"] or "none", 1 if printed else None),
            Column("witness", lambda one: near(one["witness"]), 2 if printed else None),
        ],
        entries,
    )


@app.command()
def show(claim_id: ClaimId, *, package: Package = None) -> None:
    """All about one claim: statement, hypotheses, construction, variants, evidence, code."""
    from verify.index import declared
    from verify.report.description import describe

    claims = listing_of(package)
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
    typer.echo(describe(declared(claims[claim_id]), claims, claims.packages[claim_id], for_a_terminal=True))


@app.command()
def run(
    names: Names = None,
    *,
    budget: Annotated[Literal["quick", "standard", "deep"], typer.Option(help="How hard each claim is tried.")] = "quick",
    seed: Annotated[int, typer.Option(help="Seed of the search, from 0.")] = 0,
    engine: Engine = "processes",
    status: Status = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Search again where nothing has changed since an earlier run, too.")
    ] = False,
    last_failed: Annotated[
        bool, typer.Option("--last-failed", "--lf", help="Only claims whose last result here was not as expected.")
    ] = False,
    columns: ColumnNames = None,
    sort: Sort = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json_file: JsonFile = None,
    html: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a page to DIR/index.html.")] = None,
    since: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Say what changed since the run whose --json is FILE, on the page, too.")
    ] = None,
    witnesses: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the witness of every refuted claim to DIR/ID.json.")
    ] = None,
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """Check claims. The exit status is 0 when all is as expected, 1 when not, 2 for unusable input.

    Results that are as expected are kept until something changes that they depend on.
    """
    from verify.checker.evidence.records import KeptRecords
    from verify.checker.running import checked
    from verify.report import changes
    from verify.report import console as report

    if not 0 <= seed < 2**63:
        raise unusable("--seed", f"seed must be from 0 to 2**63 - 1, got {seed}")
    shown_as_asked(report.table([]), columns, sort)
    claims = claims_of(package, timeout)
    chosen = select_claims(claims, names, package, status)
    if last_failed:
        chosen = _failed_before(claims, chosen)
        if not chosen:
            say("no claim of these failed when it was last checked here")
            return
    _writable(json_file, html, witnesses)
    # before the work, which may write the same file anew
    earlier = None if since is None else _earlier(since)
    homes = {claims.packages[one.id] for one in chosen}
    executor = executor_of(engine, timeout, packages=homes, most=len(chosen), kind=budget)
    records: list[Record] = []
    interrupted = False
    unwritten: list[OSError] = []
    known = KeptRecords(budget, seed, fresh=fresh)
    results = checked(executor, claims.packages, chosen, budget, seed, known)
    told = None if quiet else _Told(chosen)
    try:
        with progress_bar(0 if quiet else len(chosen)) as advance:
            for record in results:
                try:
                    records.append(_with_witness(record, claims[record.id], claims.packages[record.id], witnesses))
                except OSError as error:  # what was found is not lost with the disk
                    records.append(record)
                    unwritten.append(error)
                if told is not None:
                    told.tell(record)
                advance(record.id)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()
    records.sort(key=lambda record: record.id)
    _remember(claims, records, budget, seed)
    settings = {"budget": budget, "seed": seed, "engine": engine, "interrupted": interrupted, "problems": claims.problems}
    changed = None if earlier is None else changes.since(earlier, records, claims, claims.packages, budget)
    try:
        _write(records, claims, json_file, html, settings, changed)
    except BrokenPipeError:
        raise
    except OSError as error:
        unwritten.append(error)
    # beside JSON the standard output holds nothing else
    screen = console(stderr=json_file == STDOUT)
    if not quiet:
        report.show(screen, shown_as_asked(report.table(records), columns, sort))
    if verbose:
        for record in records:
            screen.print(report.details(record), end="", soft_wrap=True)
    screen.print(report.problems(records, budget, seed, claims.packages), end="", soft_wrap=True)
    if changed is not None:
        screen.print(report.changed(changed), end="", soft_wrap=True)
    left = len(chosen) - len(records) if interrupted else 0
    screen.print(
        "\n" * (not quiet) + report.summary_line(records, budget, seed, interrupted=left), soft_wrap=True, markup=False
    )
    if unwritten:
        say(f"Error: not written: {explained(unwritten[0])}")
        raise typer.Exit(UNUSABLE)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(bool(claims.problems) or any(not record.as_expected for record in records)))


class _Told:
    """Says what is wrong while a run goes on and, where nobody looks at a bar, what has become of each folder."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._left = Counter(claim.document for claim in claims)
        self._done: dict[str, list[Record]] = {}
        self._bar = console(stderr=True).is_terminal

    def tell(self, record: Record) -> None:
        """Say what there is to say of a claim that has just been checked."""
        if not record.as_expected:
            more = f" (and {len(record.problems) - 1} more)" if len(record.problems) > 1 else ""
            say(f"{record.id}: {record.problems[0]}{more}")
        folder = record.id.partition(".")[0]
        done = self._done.setdefault(folder, [])
        done.append(record)
        if len(done) == self._left[folder] and not self._bar:
            wrong = sum(not one.as_expected for one in done)
            found = f"{wrong} of {len(done)} claims NOT as expected" if wrong else f"{len(done)} claims, all as expected"
            say(f"{folder}: {found}, {sum(one.seconds for one in done):.1f} s")


def _failed_before(claims: Catalogue, chosen: list[Claim]) -> list[Claim]:
    from verify.checker.evidence.last_run import last_results

    known = {home: last_results(home) for home in {claims.packages[one.id] for one in chosen}}
    if not any(known.values()):
        raise unusable("--last-failed", "no run of these claims is known here: `verify run` comes first")
    results = {one.id: known[claims.packages[one.id]].get(one.id) for one in chosen}
    return [one for one in chosen if (result := results[one.id]) is not None and result.problems]


def _remember(claims: Catalogue, records: list[Record], budget: str, seed: int) -> None:
    from verify.checker.evidence.last_run import remember

    for home in {claims.packages[one.id] for one in records}:
        here = {name: claim for name, claim in claims.items() if claims.packages[name] == home}
        remember(home, here, [one for one in records if claims.packages[one.id] == home], budget, seed)


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


def _earlier(path: Path) -> Run:
    from verify.checker.evidence.files import UnusableFile
    from verify.report.changes import read_run

    try:
        return read_run(path)
    except UnusableFile as error:
        raise unusable("--since", str(error)) from error


def _write(
    records: list[Record],
    claims: Mapping[str, Claim],
    json_file: Path | None,
    html: Path | None,
    settings: Mapping[str, Any],
    changed: Since | None,
) -> None:
    from verify.checker.evidence import write_whole
    from verify.checker.record import document

    write_json(json_file, document(records, **settings))
    if html is not None:
        from verify.report.html import page

        named = {name: settings[name] for name in ("budget", "seed", "interrupted")}
        write_whole(html / "index.html", page(records, claims, since=changed, **named))


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.json...", help="Witnesses and certificates.")],
    *,
    package: Package = None,
) -> None:
    """Decide witnesses and certificates again.

    The exit status is 0 when all stand, 1 when one does not, 2 for an unusable file.
    """
    from verify.checker.evidence.files import UnusableFile

    claims = claims_of(package)
    status = 0
    for path in files:
        try:
            stands = (_check_certificate if _is_certificate(path) else _check_witness)(path, claims)
        except UnusableFile as error:
            # of a file that cannot be used nothing is known, which is worse than a witness that no longer stands
            typer.echo(str(error) if str(path) in str(error) else f"{path}: {error}", err=True)
            status = 2
            continue
        status = status if stands else max(status, 1)
    raise typer.Exit(status)


def _is_certificate(path: Path) -> bool:
    from verify.checker.evidence.files import UnusableFile, from_json, read_text

    try:
        document = from_json(read_text(path))
    except UnusableFile:
        return False  # what reads witnesses says why
    return isinstance(document, dict) and "proofs" in document


def _check_certificate(path: Path, claims: Catalogue) -> bool:
    """Say whether a certificate proves what it says."""
    from verify.checker.evidence.files import UnusableFile, shortened
    from verify.proofs.certificate import NotProved, read_certificate
    from verify.proofs.checked import check_and_remember
    from verify.proofs.methods import reservations, text_of

    certificate = read_certificate(path)
    claim = claims.get(certificate.claim)
    if claim is None:
        raise UnusableFile(f"{path}: no claim has the id {shortened(certificate.claim)}")
    try:
        points = check_and_remember(certificate, claim)
    except NotProved as error:
        typer.echo(f"{path}\n{claim.id}: {claim.title}\ndoes not stand: {error}\n")
        return False
    typer.echo(f"{path}\n{claim.id}: {claim.title}")
    for proof, count in zip(certificate.proofs, points, strict=True):
        given = f", given {', '.join(proof.hypotheses)}" if proof.hypotheses else ""
        but = f"; {words}" if (words := reservations(proof)) else ""
        typer.echo(f"  {proof.method} at {text_of(proof.sizes)}: {proof.covers}{given}{but}; it agrees at {count} points")
    typer.echo("stands\n")
    return True


def _check_witness(path: Path, claims: Catalogue) -> bool:
    """Say whether a witness refutes its statement."""
    from verify.checker.evidence import read_witness, recheck, stands
    from verify.report import words

    witness, claim = read_witness(path, claims)
    relation = recheck(witness, claim)
    refuted = claim.id if witness.variant is None else f"{claim.id}, false variant {witness.variant!r}"
    verdict = "stands: the statement is false here" if stands(relation) else "does not stand: the statement does not fail here"
    typer.echo(f"{path}\n{refuted}: {claim.title}")
    typer.echo(words.indented(words.of_domain(claim.domain, witness.sample)))
    typer.echo(f"{words.indented(words.sides(relation))}\n{verdict}\n")
    return stands(relation)
