"""The commands list, show, run and check."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.claims.catalogue import Catalogue, Declaration
from verify.claims.claim import Claim
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
    from rich.console import Console

    from verify.checker.record import Record
    from verify.report.changes import Run, Since
    from verify.report.index import Listing
    from verify.report.tables import Table

SHOWN = 8
"""Ids in a message: more fill a screen."""


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
    excluded: Annotated[
        bool, typer.Option("--excluded", help="What is not drawn: ends of intervals, kinds of activations, sizes, hypotheses.")
    ] = False,
    package: Package = None,
) -> None:
    """Every claim: id, status, evidence, source and title; last the aliases."""
    if excluded:
        _list_exclusions(names, package, status, columns, sort, as_json=as_json)
        return
    from verify.checker.last_run import last_results
    from verify.report import evidence
    from verify.report.words import COQ_NOTE, IN_COQ, NOT_CHECKED

    claims = listing_of(package)
    # `--json -` is what other commands take
    chosen = _listed(claims, [name for name in names or [] if not (as_json and name == "-")], package, status)
    known = {package: last_results(package) for package in {claims.packages[claim.id] for claim in chosen}}
    entries = []
    for declaration in chosen:
        aliases = [name for name, target in claims.aliases.items() if target == declaration.id]
        last = known[claims.packages[declaration.id]].get(declaration.id)
        found = last.evidence if last is not None and last.fingerprint == declaration.form else ""
        entries.append(_entry(declaration, aliases, found) | _erratum(declaration, claims))
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
    if unchecked := [
        file
        for entry in table.values
        if NOT_CHECKED in entry["evidence"] and (file := claims[entry["id"]].certificate) is not None
    ]:
        typer.echo(evidence.note(unchecked), err=True)
    if any(IN_COQ in entry["evidence"] for entry in table.values):
        typer.echo(COQ_NOTE, err=True)
    for entry in table.values:
        for name in entry["aliases"]:
            typer.echo(f"{name} -> {entry['id']}")
    if verbose:
        from verify.notation.formulas import readable
        from verify.report import words

        imported = claims_of(package)
        for entry in table.values:
            docstring = readable(words.docstring(imported[entry["id"]].statement))
            typer.echo(f"\n{entry['id']}: {entry['title']}\n{words.indented(docstring)}")


def _list_exclusions(
    names: list[str] | None, package: str | None, status: str | None, columns: str | None, sort: str | None, *, as_json: bool
) -> None:
    """A row for each thing that the domain of a claim leaves out, with what is known of the statement beyond."""
    from dataclasses import asdict

    from verify.checker.excluded import exclusions
    from verify.checker.strength import is_measured, known_strengths
    from verify.report.console import show as show_table
    from verify.report.tables import plain

    claims = claims_of(package)
    excluded = {}
    for claim in select_claims(claims, names, package, status):
        known = known_strengths(claims.packages[claim.id]).get(claim.id)
        excluded[claim.id] = exclusions(claim, known if known is not None and is_measured(known, claim) else None)
    if as_json:
        typer.echo(json.dumps({name: [asdict(row) for row in rows] for name, rows in excluded.items()}, indent=1))
        return
    rows = [
        [name, exclusion.what, exclusion.drawn, exclusion.beyond]
        for name, left_out in excluded.items()
        for exclusion in left_out
    ]
    show_table(console(), shown_as_asked(plain(["claim", "of what", "is drawn", "beyond"], rows), columns, sort))


def _listed(claims: Listing, names: list[str], package: str | None, status: str | None) -> list[Declaration]:
    """What is listed: without names everything, also beside a project of one's own."""
    if names or package is not None:
        return select_claims(claims, names, package, status)
    return [claim for claim in claims.values() if status in (None, claim.status.name)]


def _entry(claim: Declaration, aliases: list[str], found: str) -> dict[str, Any]:
    from verify.report.evidence import after

    return {
        "id": claim.id,
        "title": claim.title,
        "paper": claim.source.paper,
        "label": claim.source.label,
        "status": claim.status.name,
        "evidence": after(claim.evidence, found) if found else claim.evidence,
        "corrected_by": claim.corrected_by,
        "witness": claim.witness,
        "aliases": aliases,
    }


def _erratum(claim: Declaration, claims: Listing) -> dict[str, Any]:
    """Of what is false as printed: how much is wrong, and where it stands; empty without a table of errata."""
    if claim.status.name != "false_as_printed":
        return {}
    from verify.claims.errata import row_of

    row = row_of(claim.id, claims.packages[claim.id])
    return {} if row is None else {"grade": row.grade, "place": row.place}


def _entries(entries: Sequence[Mapping[str, Any]], status: str | None) -> Table[Mapping[str, Any]]:
    from verify.report.tables import Column, Table
    from verify.report.words import shortened

    printed = status == "false_as_printed"

    def near(path: str | None) -> str:
        """A path from here, where it lies below."""
        here = Path.cwd()
        return "none" if path is None else str(Path(path).relative_to(here) if Path(path).is_relative_to(here) else path)

    return Table(
        [
            Column("id", lambda row: row["id"], 0),
            Column("status", lambda row: row["status"].replace("_", " "), 3 if printed else 1),
            Column("evidence", lambda row: shortened(row["evidence"]), 4),
            Column("paper", lambda row: row["paper"], 6),
            Column("label", lambda row: row["label"], 5),
            Column("title", lambda row: row["title"], 7 if printed else 2, elastic="cut"),
            Column("grade", lambda row: row.get("grade", "none"), 1 if printed else None),
            Column("place", lambda row: row.get("place", "none"), 8 if printed else None, elastic="cut"),
            Column("corrected by", lambda row: row["corrected_by"] or "none", 1 if printed else None),
            Column("witness", lambda row: near(row["witness"]), 2 if printed else None),
        ],
        entries,
    )


def _with(claim_id: str, package: str | None) -> Listing:
    """The claims to look for one in: those of the project here if it is among them, else all that are known.

    Reading the declarations of every package takes a minute the first time, which a claim of one's own need not wait for.
    """
    from verify.claims.packages import packages_here

    try:
        own = () if package is not None else packages_here()
    except ValueError as error:
        raise unusable("pyproject.toml", str(error)) from error
    for name in own:
        claims = listing_of(name)
        if claim_id in claims:
            return claims
    return listing_of(package)


@app.command()
def show(claim_id: ClaimId, *, package: Package = None) -> None:
    """All about one claim: statement, hypotheses, construction, variants, evidence, code."""
    from verify.report.description import describe
    from verify.report.index import declared

    claims = _with(claim_id, package)
    if claim_id in claims.retired:
        typer.echo(f"{claim_id} is no longer a claim: {claims.retired[claim_id]}")
        return
    if claim_id in claims.aliases:
        typer.echo(f"{claim_id} stands for {claims.aliases[claim_id]}\n")
        claim_id = claims.aliases[claim_id]
    if claim_id not in claims:
        chosen = select_claims(claims, [claim_id], package)
        if len(chosen) > 1:
            few = ", ".join(claim.id for claim in chosen[:SHOWN])
            more = f", and {len(chosen) - SHOWN} more: `verify list {claim_id}`" if len(chosen) > SHOWN else ""
            raise unusable("ID", f"{claim_id!r} names several claims: {few}{more}")
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
    github: Annotated[
        bool,
        typer.Option("--github", help="For GitHub Actions: annotate what is not as expected, and write the job's summary."),
    ] = False,
    quality: Annotated[
        Path | None, typer.Option("--code-quality", metavar="FILE", help="For GitLab: write a report of code quality to FILE.")
    ] = None,
    badge: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a badge for shields.io to FILE, as JSON.")] = None,
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """Check claims. The exit status is 0 when all is as expected, 1 when not, 2 for unusable input.

    Results that are as expected are kept until something changes that they depend on.
    """
    from verify.checker.record import document
    from verify.checker.records import KeptRecords
    from verify.checker.running import checked
    from verify.report import changes, ci
    from verify.report import console as report

    if not 0 <= seed < 2**63:
        raise unusable("--seed", f"seed must be from 0 to 2**63 - 1, got {seed}")
    shown_as_asked(report.table([]), columns, sort)
    writable(quality, "--code-quality")
    writable(badge, "--badge")
    try:
        claims = claims_of(package, timeout)
    except typer.BadParameter as error:  # what was told of it before is not left to stand
        write_json(badge, ci.badge([], [error.message]))
        write_json(quality, ci.code_quality([], {}, [error.message]))
        raise
    chosen = select_claims(claims, names, package, status)
    if last_failed:
        chosen = _failed_before(claims, chosen)
        if not chosen:
            say("no claim of these failed when it was last checked here")
            raise typer.Exit(int(bool(claims.problems)))
    _writable(json_file, html, witnesses)
    # before the work, which may write the same file anew
    earlier = None if since is None else _earlier(since)
    homes = {claims.packages[claim.id] for claim in chosen}
    executor = executor_of(engine, timeout, packages=homes, most=len(chosen), kind=budget)
    known = KeptRecords(budget, seed, fresh=fresh)
    results = checked(executor, claims.packages, chosen, budget, seed, known)
    records, unwritten, interrupted = _collected(results, chosen, claims, witnesses, quiet=quiet)
    _remember(claims, records, budget, seed)
    settings: dict[str, Any] = {
        "budget": budget,
        "seed": seed,
        "engine": engine,
        "interrupted": interrupted,
        "problems": claims.problems,
    }
    changed = None if earlier is None else changes.since(earlier, records, claims, claims.packages, budget)
    writes: Sequence[Callable[[], None]] = (
        lambda: write_json(json_file, document(records, **settings)),
        lambda: _write_page(records, claims, html, settings, changed),
        lambda: _write_for_github(records, claims, budget, seed) if github else None,
        lambda: write_json(quality, None if quality is None else ci.code_quality(records, claims, claims.problems)),
        lambda: write_json(badge, None if badge is None else ci.badge(records, claims.problems)),
    )
    unwritten += _failures(writes)
    # beside JSON the standard output holds nothing else
    screen = console(stderr=json_file == STDOUT)
    if not quiet:
        _show_table(screen, records, claims, columns, sort)
    if verbose:
        for record in records:
            screen.print(report.details(record), end="", soft_wrap=True)
    screen.print(report.problems(records, budget, seed, claims.packages), end="", soft_wrap=True)
    if not quiet:
        screen.print(report.remarks(records), end="", soft_wrap=True)
    if changed is not None:
        screen.print(report.changed(changed), end="", soft_wrap=True)
    remaining = len(chosen) - len(records) if interrupted else 0
    screen.print(
        "\n" * (not quiet) + report.summary_line(records, budget, seed, interrupted=remaining, problems=claims.problems),
        soft_wrap=True,
        markup=False,
    )
    if screen.is_terminal and not quiet and records:
        wrong = [record.id for record in records if not record.as_expected]
        next_id = wrong[0] if wrong else records[0].id
        screen.print(f"next: verify show {next_id}; verify explain closest", style="dim", soft_wrap=True, markup=False)
    if unwritten:
        for line in dict.fromkeys(map(explained, unwritten)):
            say(f"Error: not written: {line}")
        raise typer.Exit(UNUSABLE)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(bool(claims.problems) or any(not record.as_expected for record in records)))


def _failures(writes: Sequence[Callable[[], None]]) -> list[OSError]:
    """Write everything that can be written; what went wrong with the rest."""
    failures = []
    for write in writes:
        try:
            write()
        except BrokenPipeError:
            raise
        except OSError as error:
            failures.append(error)
    return failures


def _show_table(screen: Console, records: list[Record], claims: Catalogue, columns: str | None, sort: str | None) -> None:
    """A row for each record, and a note on certificates that count only once they are checked."""
    from verify.report import console as report
    from verify.report import evidence
    from verify.report.words import COQ_NOTE, IN_COQ, NOT_CHECKED

    said = {one.id: evidence.evidence_of(claims[one.id], claims.packages[one.id], found=one.evidence) for one in records}
    report.show(screen, shown_as_asked(report.table(records, said), columns, sort))
    unchecked = [one.id for one in records if NOT_CHECKED in said[one.id]]
    files = [evidence.certificate_of(claims[name], claims.packages[name]) for name in unchecked]
    if known := [file for file in files if file is not None]:
        say(evidence.note(known))
    if any(IN_COQ in words for words in said.values()):
        say(COQ_NOTE)


def _collected(
    results: Generator[Record, None, None], chosen: Sequence[Claim], claims: Catalogue, witnesses: Path | None, *, quiet: bool
) -> tuple[list[Record], list[OSError], bool]:
    """What a run finds, sorted by id; what could not be written; and whether it was interrupted."""
    records: list[Record] = []
    unwritten: list[OSError] = []
    interrupted = False
    teller = None if quiet else _Teller(chosen, {claims.packages[claim.id] for claim in chosen})
    try:
        with progress_bar(0 if quiet else len(chosen)) as advance:
            for record in results:
                try:
                    records.append(_with_witness(record, claims[record.id], claims.packages[record.id], witnesses))
                except OSError as error:  # what was found is not lost with the disk
                    records.append(record)
                    unwritten.append(error)
                if teller is not None:
                    teller.tell(record)
                advance(record.id)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()
    return sorted(records, key=lambda record: record.id), unwritten, interrupted


def _write_for_github(records: list[Record], claims: Catalogue, budget: str, seed: int) -> None:
    """Annotations, and the summary of the job."""
    from verify.report import ci

    for line in ci.annotated(records, claims, claims.problems).splitlines():
        say(line)
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(ci.summary(records, budget, seed, claims.problems))


MANY = 20
"""Claims of which it is said at once that they are being checked."""


class _Teller:
    """Says what is wrong while a run goes on and, where nobody looks at a bar, what has become of each folder."""

    def __init__(self, claims: Sequence[Claim], packages: set[str]) -> None:
        self._totals = Counter(claim.paper for claim in claims)
        self._done: dict[str, list[Record]] = {}
        self._bar = console(stderr=True).is_terminal
        # a folder of many claims takes minutes to be told of
        if not self._bar and len(claims) >= MANY:
            say(f"{len(claims)} claims to check, of {', '.join(sorted(packages))}")

    def tell(self, record: Record) -> None:
        """Say what there is to say of a claim that has just been checked."""
        if not record.as_expected:
            more = f" (and {len(record.problems) - 1} more)" if len(record.problems) > 1 else ""
            say(f"{record.id}: {record.problems[0]}{more}")
        folder = record.id.partition(".")[0]
        done = self._done.setdefault(folder, [])
        done.append(record)
        if len(done) == self._totals[folder] and not self._bar:
            wrong = sum(not record.as_expected for record in done)
            count = f"{len(done)} claim{'s' * (len(done) > 1)}"
            verdict = f"{wrong} of {count} NOT as expected" if wrong else f"{count}, all as expected"
            say(f"{folder}: {verdict}, {sum(record.seconds for record in done if not record.kept):.1f} s")


def _failed_before(claims: Catalogue, chosen: list[Claim]) -> list[Claim]:
    from verify.checker.last_run import last_results

    known = {home: last_results(home) for home in {claims.packages[claim.id] for claim in chosen}}
    if not any(known.values()):
        raise unusable("--last-failed", "no run of these claims is known here: `verify run` comes first")
    results = {claim.id: known[claims.packages[claim.id]].get(claim.id) for claim in chosen}
    return [claim for claim in chosen if (result := results[claim.id]) is not None and result.problems]


def _remember(claims: Catalogue, records: list[Record], budget: str, seed: int) -> None:
    from verify.checker.last_run import remember

    for home in {claims.packages[record.id] for record in records}:
        home_claims = {name: claim for name, claim in claims.items() if claims.packages[name] == home}
        remember(home, home_claims, [record for record in records if claims.packages[record.id] == home], budget, seed)


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

    from verify.evidence import packaged_witness, write_whole

    if record.counterexample is not None and folder is not None:
        path = folder / f"{record.id}.json"
        write_whole(path, json.dumps(record.counterexample, indent=1) + "\n")
    else:
        packaged = packaged_witness(claim, package)
        if packaged is None:
            return record
        path = packaged
    return dataclasses.replace(record, witness=str(path))


def _earlier(path: Path) -> Run:
    from verify.evidence.files import UnusableFile
    from verify.report.changes import read_run

    try:
        return read_run(path)
    except UnusableFile as error:
        raise unusable("--since", str(error)) from error


def _write_page(
    records: list[Record], claims: Mapping[str, Claim], html: Path | None, settings: Mapping[str, Any], changed: Since | None
) -> None:
    from verify.evidence import write_whole

    if html is not None:
        from verify.report.html import page

        named = {name: settings[name] for name in ("budget", "seed", "interrupted")}
        write_whole(html / "index.html", page(records, claims, since=changed, **named))


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.json...", help="Witnesses and certificates.")],
    *,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="A limit for each file, ten minutes by default, more on a slow machine.", min=0.1),
    ] = None,
    package: Package = None,
) -> None:
    """Decide witnesses and certificates again.

    The exit status is 0 when all stand, 1 when one does not or is not decided in time, 2 for an unusable file.
    """
    from verify.checker.running import time_limit
    from verify.engines.containment import TimeLimitExceeded, limited, took_too_long
    from verify.evidence.files import UnusableFile

    claims = claims_of(package, timeout)
    seconds = time_limit("check") if timeout is None else timeout
    status = 0
    for path in files:
        try:
            with limited(seconds, took_too_long(seconds), at_last=True):
                stands = _checker_of(path)(path, claims)
        except TimeLimitExceeded as error:
            typer.echo(f"{path}: {error}", err=True)
            status = max(status, 1)
            continue
        except UnusableFile as error:
            # of a file that cannot be used nothing is known, which is worse than a witness that no longer stands
            typer.echo(str(error) if str(path) in str(error) else f"{path}: {error}", err=True)
            status = 2
            continue
        status = status if stands else max(status, 1)
    raise typer.Exit(status)


def _checker_of(path: Path) -> Callable[[Path, Catalogue], bool]:
    """What checks a file, by what it holds."""
    from verify.evidence.files import UnusableFile, from_json, read_text

    try:
        document = from_json(read_text(path))
    except UnusableFile:
        return _check_witness  # which says why
    if isinstance(document, dict) and "proofs" in document:
        return _check_certificate
    return _check_all_sizes if isinstance(document, dict) and "cases" in document else _check_witness


def _compared(count: int) -> str:
    return f"compared with the statement at {count} instances"


def _check_all_sizes(path: Path, claims: Catalogue) -> bool:
    """Say whether a certificate proves a claim for all sizes."""
    from verify.evidence.files import UnusableFile, shortened
    from verify.proofs.all_sizes.proof import check, covers, document_of, read, reservations
    from verify.proofs.certificate import NotProved
    from verify.proofs.checked import keep

    certificate = read(path)
    claim = claims.get(certificate.claim)
    if claim is None:
        raise UnusableFile(f"{path}: no claim has the id {shortened(certificate.claim)}")
    try:
        points = check(certificate, claim)
    except NotProved as error:
        typer.echo(f"{path}\n{claim.id}: {claim.title}\ndoes not stand: {error}\n")
        return False
    keep(document_of(certificate), claim)
    reservation = f"; {words}" if (words := reservations(certificate)) else ""
    typer.echo(f"{path}\n{claim.id}: {claim.title}\n  for {covers(certificate)}{reservation}; {_compared(points)}\nstands\n")
    return True


def _check_certificate(path: Path, claims: Catalogue) -> bool:
    """Say whether a certificate proves what it says."""
    from verify.evidence.files import UnusableFile, shortened
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
        hypotheses = f", given {', '.join(proof.hypotheses)}" if proof.hypotheses else ""
        reservation = f"; {words}" if (words := reservations(proof)) else ""
        typer.echo(f"  {proof.method} at {text_of(proof.sizes)}: {proof.covers}{hypotheses}{reservation}; {_compared(count)}")
    typer.echo("stands\n")
    return True


def _check_witness(path: Path, claims: Catalogue) -> bool:
    """Say whether a witness refutes its statement."""
    from verify.evidence import read_witness, recheck, stands
    from verify.report import words

    witness, claim = read_witness(path, claims)
    relation = recheck(witness, claim)
    refuted = claim.id if witness.variant is None else f"{claim.id}, false variant {witness.variant!r}"
    verdict = "stands: the statement is false here" if stands(relation) else "does not stand: the statement does not fail here"
    typer.echo(f"{path}\n{refuted}: {claim.title}")
    typer.echo(words.indented(words.of_domain(claim.domain, witness.sample)))
    typer.echo(f"{words.indented(words.sides(relation))}\n{verdict}\n")
    return stands(relation)
