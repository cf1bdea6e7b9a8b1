"""The command strength."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.cli.common import (
    INTERRUPTED,
    STDOUT,
    ColumnNames,
    Engine,
    JsonFile,
    Names,
    Package,
    Quiet,
    Sort,
    Status,
    Timeout,
    app,
    claims_of,
    console,
    executor_of,
    in_this_project,
    one_package,
    progress_bar,
    select_claims,
    shown_as_asked,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.checker.strength import Strength as Measured
    from verify.claims.claim import Claim
    from verify.report.tables import Table


@app.command()
def strength(
    names: Names = None,
    *,
    status: Status = None,
    columns: ColumnNames = None,
    sort: Sort = None,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also what an error of 1e-6 in it is detected of.")] = False,
    json_file: JsonFile = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Where strengths are kept; PACKAGE/strength.json.")
    ] = None,
    sizes: Annotated[
        bool, typer.Option("--sizes", help="Instead, at which sizes no error of a tenth in an inequality is detected.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Measure also what is known of the present statements.")] = False,
    engine: Engine = "processes",
    timeout: Timeout = None,
    package: Package = None,
) -> None:
    """How small an error in each inequality and constant is detected. What is known of a statement is not measured again.

    The exit status is 1 when a claim could not be measured.
    """
    from verify.checker.running import finished
    from verify.checker.strength import (
        Strength,
        UnusableStrength,
        distribution,
        is_measured,
        measured_by_id,
        read_strengths,
        strength_file,
        write_strengths,
    )
    from verify.engines.executors import abandon
    from verify.evidence.fingerprint import strength_source

    claims = claims_of(package, timeout)
    chosen = select_claims(claims, names, package, status)
    home = one_package(claims, chosen, package)
    path = file or (strength_file(home) if sizes else in_this_project(strength_file(home), "--file"))
    _shown({}, verbose, columns, sort)
    writable(json_file)
    if sizes:
        _sizes_without_risk(home, chosen, columns, sort, engine, timeout, json_file, quiet=quiet)
        return
    writable(path, option="--file")
    try:
        known = read_strengths(path)
    except UnusableStrength as error:
        raise unusable("--file", str(error)) from error
    known = {name: strength for name, strength in known.items() if name in claims}
    wanted = [
        claim
        for claim in chosen
        # what could not be measured is tried again
        if again or claim.id not in known or known[claim.id].problem or not is_measured(known[claim.id], claim)
    ]
    executor = executor_of(engine, timeout, packages=[home], most=len(wanted), kind="strength")
    interrupted = done = False
    try:
        with progress_bar(0 if quiet else len(wanted)) as advance:
            for name, future in finished(executor, {claim.id: (measured_by_id, home, claim.id) for claim in wanted}):
                try:
                    known[name] = future.result()
                except Exception as error:  # a worker that died, or that cannot import the package
                    known[name] = Strength(strength_source(claims[name]), problem=f"{type(error).__name__}: {error}")
                write_strengths(path, known)
                advance(name)
        done = True
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if done:
            executor.shutdown()
        else:
            abandon(executor)
    strengths = {claim.id: known[claim.id] for claim in chosen if claim.id in known}
    if not quiet:
        from verify.report.console import show

        # beside JSON the standard output holds nothing else
        screen = console(stderr=json_file == STDOUT)
        table = _shown(strengths, verbose, columns, sort)
        if table.values:
            show(screen, table)
    for kind in ("comparisons", "constants"):
        counts = distribution(strengths.values(), kind)
        detected = ", ".join(f"{name} ({count})" for name, count in counts.items() if count)
        detection = f"; smallest error that is detected: {detected}" if detected else ""
        typer.echo(f"{kind}: {sum(counts.values())}{detection}", err=json_file == STDOUT)
    write_json(json_file, {name: asdict(strength) for name, strength in strengths.items()})
    typer.echo(f"{len(wanted)} of {len(chosen)} claims measured now; the strengths are in {path}", err=json_file == STDOUT)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(any(strength.problem for strength in strengths.values())))


def _sizes_without_risk(
    home: str,
    chosen: Sequence[Claim],
    columns: str | None,
    sort: str | None,
    engine: str,
    timeout: float | None,
    json_file: Path | None,
    *,
    quiet: bool,
) -> None:
    """Search at each value of each size by itself, and show the inequalities that cannot fail there."""
    from verify.checker.excluded import sizes_by_id
    from verify.checker.running import finished
    from verify.engines.executors import abandon
    from verify.report.console import show
    from verify.report.tables import plain

    executor = executor_of(engine, timeout, packages=[home], most=len(chosen), kind="strength")
    idle_sizes: dict[str, dict[str, str]] = {}
    done = False
    try:
        with progress_bar(0 if quiet else len(chosen)) as advance:
            for name, future in finished(executor, {claim.id: (sizes_by_id, home, claim.id) for claim in chosen}):
                idle_sizes[name] = future.result()
                advance(name)
        done = True
    finally:
        if done:
            executor.shutdown()
        else:
            abandon(executor)
    rows = [[claim.id, place, inequalities] for claim in chosen for place, inequalities in idle_sizes[claim.id].items()]
    table = shown_as_asked(plain(["claim", "where", "not at stake"], rows), columns, sort)
    if table.values and not quiet:
        show(console(stderr=json_file == STDOUT), table)
    write_json(json_file, idle_sizes)
    typer.echo(f"{len(rows)} sizes of {len(chosen)} claims without risk", err=json_file == STDOUT)


def _shown(strengths: dict[str, Measured], everything: bool, columns: str | None, sort: str | None) -> Table[Any]:
    """Every comparison and constant, or those of which an error of 1e-6 is not detected."""
    from verify.report.tables import plain

    rows = []
    for claim, strength in strengths.items():
        if strength.problem:
            rows.append([claim, "", "?", strength.problem])
        parts = {f"comparison {name}".strip(): part for name, part in strength.comparisons.items()}
        parts |= {f"constant {name}": part for name, part in strength.constants.items()}
        rows += [
            [claim, name, part.amount, part.reason or part.by]
            for name, part in parts.items()
            if everything or part.amount != "1e-6"
        ]
    return shown_as_asked(plain(["claim", "what is perturbed", "detected from", "by, or why not"], rows), columns, sort)
