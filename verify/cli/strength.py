"""The command strength."""

from __future__ import annotations

import json
from concurrent.futures import as_completed
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.cli.common import (
    INTERRUPTED,
    Package,
    app,
    claims_of,
    console,
    executor_of,
    progress_bar,
    select_claims,
    unusable,
    writable,
)

if TYPE_CHECKING:
    from verify.checker.strength import Noticed
    from verify.checker.strength import Strength as Measured


@app.command()
def strength(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[ID or folder]...", help="Which claims; all by default.")
    ] = None,
    *,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the strengths of these claims to FILE.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Where strengths are kept; PACKAGE/strength.json.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure also what is known of the present statements.")] = False,
    engine: Annotated[
        str, typer.Option(help="inline, processes, processes:N, dask:tcp://HOST:PORT or mpi: where it is done.")
    ] = "inline",
    package: Package = "theorems",
) -> None:
    """How small an error in each inequality and constant is noticed. What is known of a statement is not measured again.

    The exit status is 1 when a claim could not be measured.
    """
    from verify.checker.engines import abandon
    from verify.checker.strength import (
        Strength,
        UnusableStrength,
        measured_by_id,
        read_strengths,
        strength_file,
        strength_fingerprint,
        write_strengths,
    )

    claims = claims_of(package)
    chosen = select_claims(claims, names or [], package)
    path = file or strength_file(package)
    writable(json_file)
    writable(path, option="--file")
    try:
        known = read_strengths(path)
    except UnusableStrength as error:
        raise unusable("--file", str(error)) from error
    known = {name: one for name, one in known.items() if name in claims}
    wanted = [
        one
        for one in chosen
        # what could not be measured is tried again
        if again or one.id not in known or known[one.id].problem or known[one.id].fingerprint != strength_fingerprint(one)
    ]
    executor = executor_of(engine, None)
    interrupted = finished = False
    try:
        with progress_bar(len(wanted)) as advance:
            if engine == "inline":
                results: Any = ((one.id, executor.submit(measured_by_id, package, one.id)) for one in wanted)
            else:
                submitted = {executor.submit(measured_by_id, package, one.id): one.id for one in wanted}
                results = ((submitted[future], future) for future in as_completed(submitted))
            for name, future in results:
                try:
                    known[name] = future.result()
                except Exception as error:  # a worker that died, or that cannot import the package
                    known[name] = Strength(strength_fingerprint(claims[name]), problem=f"{type(error).__name__}: {error}")
                write_strengths(path, known)
                advance(name)
        finished = True
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if finished:
            executor.shutdown()
        else:
            abandon(executor)
    here = {one.id: known[one.id] for one in chosen if one.id in known}
    _show(here)
    if json_file is not None:
        from verify.checker.evidence import write_whole

        write_whole(json_file, json.dumps({name: asdict(one) for name, one in here.items()}, indent=1) + "\n")
    typer.echo(f"{len(wanted)} of {len(chosen)} claims measured now; {path}")
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(int(any(one.problem for one in here.values())))


def _show(strengths: dict[str, Measured]) -> None:
    """Every comparison and constant of which an error of 1e-6 is not noticed, and the counts of all."""
    from verify.checker.strength import distribution
    from verify.report.console import columns
    from verify.report.console import show as show_table

    rows = []
    for claim, one in strengths.items():
        if one.problem:
            rows.append([claim, "", "?", one.problem])
        parts = {**{f"comparison {name}".strip(): it for name, it in one.comparisons.items()}}
        parts |= {f"constant {name}": it for name, it in one.constants.items()}
        rows += [[claim, name, it.amount, _why(it)] for name, it in parts.items() if it.amount != "1e-6"]
    if rows:
        show_table(console(), columns(["claim", "what is moved", "noticed from", "by, or why not"], rows))
    for kind in ("comparisons", "constants"):
        counts = distribution(strengths.values(), kind)
        typer.echo(f"{kind}: {sum(counts.values())}; noticed from " + ", ".join(f"{k} {v}" for k, v in counts.items() if v))


def _why(noticed: Noticed) -> str:
    return noticed.reason or noticed.by
