"""The commands that gather evidence and keep it: search, ledger, bounds and carry."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.cli.common import (
    INTERRUPTED,
    STDOUT,
    ClaimId,
    Engine,
    JsonFile,
    Names,
    Package,
    Timeout,
    app,
    claims_of,
    console,
    executor_of,
    explained,
    in_this_project,
    one_package,
    progress_bar,
    say,
    select_claims,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.checker.baseline import Quantity
    from verify.checker.campaign import Progress, ShardResult
    from verify.claims.claim import Claim
    from verify.evidence.ledger import Entry

ledger_app = typer.Typer(help="Ledgers of campaigns: merge them, and say what they add up to.", no_args_is_help=True)
bounds_app = typer.Typer(help="Bounds against the committed baseline.", no_args_is_help=True)
app.add_typer(ledger_app, name="ledger")
app.add_typer(bounds_app, name="bounds")

Budget = Annotated[Literal["quick", "standard", "deep"], typer.Option(help="How hard each shard or claim is tried.")]
AHEAD = 3
"""Shards submitted for each worker beyond the one it works on: enough that none waits, few enough to throw away at the end."""


@app.command()
def search(
    claim_id: ClaimId,
    *,
    evaluations: Annotated[int, typer.Option(help="Evaluations in all, those already in the ledger included.")] = 1_000_000,
    engine: Engine = "processes",
    budget: Budget = "quick",
    ledger: Annotated[Path | None, typer.Option(metavar="FILE", help="Ledger; ID.ledger.jsonl here by default.")] = None,
    witnesses: Annotated[Path, typer.Option(metavar="DIR", help="Where witnesses of a refutation are written.")] = Path(),
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """Try to refute one claim, for as long as it takes; what is in the ledger is not done again.

    The exit status is 0 when the outcome is the expected one, 1 when not, 2 for unusable input, 130 when interrupted.
    """
    from verify.checker.campaign import ShardFailed, campaign, fingerprint_by_id
    from verify.engines.executors import abandon
    from verify.evidence.ledger import UnusableLedger, totals

    claims = claims_of(package, timeout)
    selected = select_claims(claims, [claim_id], package)
    if len(selected) != 1 and claim_id not in claims:
        raise unusable("ID", f"{claim_id!r} is a folder; a campaign is for one of {', '.join(claim.id for claim in selected)}")
    claim = claims.get(claim_id, selected[0])
    home = claims.packages[claim.id]
    if evaluations < 1:
        raise unusable("--evaluations", f"evaluations must be at least 1, got {evaluations}")
    path = Path(f"{claim.id}.ledger.jsonl") if ledger is None else ledger
    entries = _read(path)
    for folder in (path.absolute().parent, witnesses.absolute()):
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise unusable(
                "--ledger" if folder == path.absolute().parent else "--witnesses", f"{folder}: not a folder to write to"
            )
    executor = executor_of(engine, timeout, packages=[home], kind=budget)
    try:
        current = executor.submit(fingerprint_by_id, home, claim.id).result()
    except Exception as error:  # whatever the statement does
        abandon(executor)
        typer.echo(f"{claim.id}: its fingerprint cannot be computed: {error}", err=True)
        raise typer.Exit(1) from error
    done = sum(
        entry.evaluations for entry in entries if (entry.claim, entry.fingerprint, entry.budget) == (claim.id, current, budget)
    )
    typer.echo(
        f"{claim.id}: {claim.title}\nledger {path}, {done} evaluations before; budget {budget} for a shard, seeds from 0"
    )
    keeper = _Witnesses(witnesses, claim.id)
    steps = campaign(
        claim,
        evaluations,
        path,
        executor,
        package=home,
        budget=budget,
        fingerprint=current,
        in_flight=_in_flight(engine),
        report=keeper.keep,
    )
    finished = failed = False
    goes_on = "the ledger holds every finished shard, and the same command goes on from there"
    try:
        with _live(evaluations) as advance:
            for step in steps:
                advance(step)
        finished = True
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {goes_on}")
    except ShardFailed as error:
        failed = True
        typer.echo(f"{error.traceback}{claim.id}: {error}\n{goes_on}", err=True)
    except UnusableLedger as error:
        raise unusable("--ledger", str(error)) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unusable("--ledger", f"{explained(error)}; {goes_on}") from error
    finally:
        steps.close()
        # what was submitted ahead is not waited for
        abandon(executor)
    _print_totals(totals(entry for entry in _read(path) if entry.claim == claim.id))
    for file in keeper.files:
        typer.echo(f"witness: {file}")
    if not finished:
        raise typer.Exit(1 if failed else INTERRUPTED)
    outcomes = {entry.outcome for entry in _read(path) if (entry.claim, entry.fingerprint) == (claim.id, current)}
    as_expected = "refuted" in outcomes if claim.expected == "refuted" else outcomes == {claim.expected}
    raise typer.Exit(int(not as_expected))


def _in_flight(engine: str) -> int:
    from verify.engines.executors import workers_of

    return 1 if engine == "inline" else (1 + AHEAD) * workers_of(engine)


class _Witnesses:
    """Keeps two witnesses of a campaign: the largest relative violation, and the simplest instance."""

    def __init__(self, folder: Path, claim_id: str) -> None:
        self._paths = {kind: folder / f"{claim_id}.{kind}.json" for kind in ("largest", "smallest")}
        self._violation, self._length = 0.0, float("inf")
        self.files: list[Path] = []

    def keep(self, result: ShardResult) -> None:
        from verify.evidence import write_witness

        if result.largest is None or result.smallest is None:
            return
        if result.violation < self._violation:
            self._violation = result.violation
            write_witness(result.largest, self._paths["largest"])
        length = sum(len(str(number)) for values in result.smallest.sample.coordinates.values() for number in values.flat)
        if length < self._length:
            self._length = length
            write_witness(result.smallest, self._paths["smallest"])
        self.files = list(self._paths.values())


@contextlib.contextmanager
def _live(wanted: int) -> Iterator[Any]:
    """A live line on a terminal; elsewhere a line every ten seconds."""
    screen = console(stderr=True)
    start, before, printed = time.monotonic(), 0, time.monotonic()

    def line(step: Progress) -> str:
        rate = (step.evaluations - before) / max(1e-9, time.monotonic() - start)
        seconds = max(0, wanted - step.evaluations) / max(1e-9, rate)
        return (
            f"{step.evaluations:,} of {wanted:,} evaluations, {rate:,.0f} a second, {seconds:,.0f} s left; "
            f"smallest relative slack {step.relative_slack:.3g}, {step.entry.outcome}, evidence {step.entry.evidence}, "
            f"seed {step.entry.seed}"
        )

    status = screen.status("starting") if screen.is_terminal else None

    def advance(step: Progress) -> None:
        nonlocal before, printed
        if step.resumed:
            before = step.evaluations
        if status is not None:
            status.update(line(step))
        elif time.monotonic() - printed > 10:
            printed = time.monotonic()
            typer.echo(line(step), err=True)

    with status or contextlib.nullcontext():
        yield advance


def _read(path: Path) -> list[Entry]:
    import warnings

    from verify.evidence.ledger import TornLedgerWarning, UnusableLedger, read_ledger

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TornLedgerWarning)
        try:
            entries = read_ledger(path)
        except UnusableLedger as error:
            raise unusable("LEDGER", str(error)) from error
    for warning in caught:
        typer.echo(f"warning: {warning.message}", err=True)
    return entries


def _print_totals(totals: Any) -> None:
    from verify.report.console import show
    from verify.report.tables import plain

    header = ["claim", "fingerprint", "shards", "drawn", "feasible", "evaluations", "decided", "smallest slack", "refuted"]
    rows = [
        [
            claim,
            fingerprint,
            *(str(getattr(total, name)) for name in header[2:7]),
            f"{total.relative_slack:.3g}",
            "yes" if total.refuted else "no",
        ]
        for (claim, fingerprint), total in totals.items()
    ]
    show(console(), plain(header, rows))


@ledger_app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="LEDGER...", help="Ledgers.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the union is written; may be one of the ledgers.")],
) -> None:
    """The union of ledgers: in any order, any number of times, the same file."""
    from verify.evidence.ledger import merged, write_ledger

    missing = [path for path in files if not path.is_file()]
    if missing:
        raise unusable("LEDGER", f"there is no file {', '.join(map(str, missing))}")
    writable(out, option="--out")
    union = merged([_read(path) for path in files])
    write_ledger(out, union)
    typer.echo(f"{out}: {len(union)} shards")


@ledger_app.command("show")
def show_ledger(
    files: Annotated[list[Path], typer.Argument(metavar="LEDGER...", help="Ledgers, which count as one.")],
    *,
    package: Package = None,
) -> None:
    """What ledgers add up to, for each statement; evidence for an earlier form of a statement is void and is said to be."""
    from verify.evidence.fingerprint import is_of
    from verify.evidence.ledger import merged, totals

    missing = [path for path in files if not path.is_file()]
    if missing:
        raise unusable("LEDGER", f"there is no file {', '.join(map(str, missing))}")
    sums = totals(merged([_read(path) for path in files]))
    _print_totals(sums)
    claims = claims_of(package)
    for claim, fingerprint in sums:
        if claim not in claims:
            typer.echo(f"{claim}: void, no claim has this id")
        elif not is_of(fingerprint, claims[claim]):
            typer.echo(f"{claim}: void, the statement has changed since (it was {fingerprint})")


Baseline = Annotated[Path | None, typer.Option("--baseline", metavar="FILE", help="The baseline; PACKAGE/baseline.json.")]


def _baseline_path(package: str, path: Path | None) -> Path:
    from verify.evidence import witness_folder

    return path or witness_folder(package).with_name("baseline.json")


def _measured(
    chosen: list[Claim],
    package: str,
    engine: str,
    timeout: float | None,
    known: Mapping[str, Mapping[str, Quantity]] = MappingProxyType({}),
) -> tuple[dict[str, Any], list[str]]:
    """The quantities of the claims, and a line for each that could not be measured."""
    from verify.checker.bounds import measured_by_id
    from verify.checker.records import KeptRecords
    from verify.checker.running import finished
    from verify.engines.executors import abandon

    executor = executor_of(engine, timeout, packages=[package], most=len(chosen), kind="bounds")
    records = KeptRecords("quick", 0)
    # where nothing is known of the bounds, they are measured with all seeds
    kept_records = {claim.id: records.find(package, claim) for claim in chosen if claim.id in known}
    calls = {
        claim.id: (measured_by_id, package, claim.id, dict(known.get(claim.id, {})), kept_records.get(claim.id))
        for claim in chosen
    }
    result: dict[str, Any] = {}
    failures: list[str] = []
    try:
        with progress_bar(len(chosen)) as advance:
            for name, future in finished(executor, calls):
                try:
                    result[name] = future.result()
                except Exception as error:  # of the statement, or its process ended
                    failures.append(f"{name} could not be measured: {type(error).__name__}: {error}")
                advance(name)
    except BaseException:
        abandon(executor)
        raise
    executor.shutdown()
    return result, failures


@bounds_app.command("check")
def check_bounds(
    names: Names = None,
    *,
    baseline: Baseline = None,
    json_file: JsonFile = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail as well where the baseline guards a bound no more: gone, statement changed.")
    ] = False,
    engine: Engine = "processes",
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """Measure the bounds and compare. The exit status is 1 when one has regressed, or could not be measured.

    A bound that is gone, or whose statement has changed, is a warning; with --strict it fails, too. Three seeds are searched
    with, but no further one where the bound is already met as nearly as when the baseline was written.
    """
    from collections import Counter

    from verify.checker.baseline import LOST, UnusableBaseline, compare, document_of, read_baseline, regressed
    from verify.report.console import show
    from verify.report.tables import plain

    claims = claims_of(package, timeout)
    selected = select_claims(claims, names, package)
    chosen = {claim.id for claim in selected}
    home = one_package(claims, selected, package)
    try:
        before = read_baseline(_baseline_path(home, baseline))
    except UnusableBaseline as error:
        raise unusable("--baseline", str(error)) from error
    writable(json_file)
    is_whole = chosen == {name for name in claims if claims.packages[name] == home}
    before = {claim: quantities for claim, quantities in before.items() if is_whole or claim in chosen}
    measured, unmeasured = _measured(selected, home, engine, timeout, before)
    for line in unmeasured:
        say(line)
    failed = {line.partition(" ")[0] for line in unmeasured}
    comparisons = compare({claim: quantities for claim, quantities in before.items() if claim not in failed}, measured)
    rows = [
        [
            comparison.claim,
            comparison.quantity,
            comparison.change,
            *(f"{side.value:.6g}" if side else "" for side in (comparison.before, comparison.now)),
        ]
        for comparison in comparisons
        if comparison.change not in ("unchanged", "within noise")
    ]
    if rows:
        # beside JSON the standard output holds nothing else
        show(console(stderr=json_file == STDOUT), plain(["claim", "quantity", "change", "before", "now"], rows))
    counts = Counter(comparison.change for comparison in comparisons)
    counted = ", ".join(f"{count} {change}" for change, count in sorted(counts.items()))
    typer.echo(f"{len(comparisons)} bounds: {counted}", err=json_file == STDOUT)
    documents = [
        {
            **asdict(comparison),
            **{side: bound and document_of(bound) for side, bound in (("before", comparison.before), ("now", comparison.now))},
        }
        for comparison in comparisons
    ]
    write_json(json_file, documents)
    failures = regressed(comparisons, strict=strict)
    lost = sum(counts[change] for change in LOST)
    if lost and claims.problems:
        typer.echo(f"bounds that the baseline no longer guards: {lost}; some may be in what cannot be imported", err=True)
    elif lost:
        word = "failure" if strict else "warning"
        mend = "`verify bounds update` records the present ones"
        typer.echo(f"{word}: bounds that the baseline no longer guards: {lost}; {mend}", err=True)
    raise typer.Exit(int(bool(failures or unmeasured or claims.problems)))


@bounds_app.command("update")
def update_bounds(
    names: Names = None,
    *,
    baseline: Baseline = None,
    engine: Engine = "processes",
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """Measure the bounds and write the baseline; other claims keep what it says of them, claims that are gone leave it.

    The exit status is 1 when a claim could not be measured or fails though it should hold, or when a module cannot be
    imported: what the baseline says of such claims stays as it is.
    """
    from verify.checker.baseline import SLACK, UnusableBaseline, read_baseline, write_baseline

    claims = claims_of(package, timeout)
    chosen = select_claims(claims, names, package)
    home = one_package(claims, chosen, package)
    path = baseline or in_this_project(_baseline_path(home, None), "--baseline")
    before: dict[str, Any] = {}
    if path.exists():
        try:
            before = read_baseline(path)
        except UnusableBaseline as error:
            raise unusable("--baseline", str(error)) from error
    writable(path, option="--baseline")
    measured, unmeasured = _measured(chosen, home, engine, timeout)
    false = [claim for claim, quantities in measured.items() if SLACK in quantities and quantities[SLACK].value < 0]
    for claim in false:
        slack = measured.pop(claim)[SLACK].value
        unmeasured.append(f"{claim} is not recorded: it fails, with the relative slack {slack:.3g}; see verify run {claim}")
    for line in unmeasured:
        say(line)
    # the claims of a module that cannot be imported are not gone
    kept = {claim: quantities for claim, quantities in before.items() if claim in claims or claims.problems}
    updated = kept | measured
    write_baseline(path, updated)
    typer.echo(f"{path}: {sum(map(len, updated.values()))} bounds of {len(updated)} claims")
    raise typer.Exit(int(bool(unmeasured or claims.problems)))


@app.command()
def carry(
    names: Names = None,
    *,
    ledgers: Annotated[
        list[Path] | None,
        typer.Option("--ledger", metavar="FILE", help="A ledger whose lines are carried over, too; repeatable."),
    ] = None,
    json_file: JsonFile = None,
    package: Package = None,
) -> None:
    """Carry evidence over to statements that were written otherwise and say the same at all fixed instances.

    Of the baseline, strengths, certificates and witnesses of the package, and of ledgers, those are rewritten of which only the
    source has changed; whoever calls this vouches that the statement is the same. The exit status is 1 when some evidence is
    void, for its statement says something else now.
    """
    from collections import Counter

    from verify.evidence.files import UnusableFile
    from verify.proofs import carry as carrying
    from verify.report.console import show
    from verify.report.tables import plain

    claims = claims_of(package)
    chosen = select_claims(claims, names, package)
    home = one_package(claims, chosen, package)
    wanted = {claim.id: claim for claim in chosen}
    missing = [path for path in ledgers or () if not path.is_file()]
    if missing:
        raise unusable("--ledger", f"there is no file {', '.join(map(str, missing))}")
    writable(json_file)
    in_this_project(_baseline_path(home, None), "--package")
    pieces: list[carrying.Carried] = []
    try:
        pieces += carrying.carry(home, wanted)
        for path in ledgers or ():
            pieces += carrying.carry_ledger(path, wanted)
    except UnusableFile as error:
        raise unusable("PACKAGE", str(error)) from error
    rows = [
        [carried.claim, carried.evidence, carried.change, carried.before, carried.now]
        for carried in pieces
        if carried.change != "unchanged"
    ]
    if rows:
        # beside JSON the standard output holds nothing else
        show(console(stderr=json_file == STDOUT), plain(["claim", "evidence", "change", "before", "now"], rows))
    counts = Counter(carried.change for carried in pieces)
    counted = ", ".join(f"{counts[change]} {change}" for change in ("unchanged", "carried", "void"))
    typer.echo(f"{len(pieces)} pieces of evidence: {counted}", err=json_file == STDOUT)
    if any(carried.evidence.startswith("certificate") and carried.change == "carried" for carried in pieces):
        # a proof follows the statement step by step, and another way of writing it may have other steps
        typer.echo(
            "verify check says which of the certificates that were carried stand, the others are to be derived again", err=True
        )
    write_json(json_file, [asdict(carried) for carried in pieces])
    raise typer.Exit(int(counts["void"] > 0))
