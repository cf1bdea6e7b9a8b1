"""The command prove."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from verify.cli.common import (
    STDOUT,
    JsonFile,
    Names,
    Package,
    Quiet,
    Status,
    app,
    claims_of,
    console,
    progress_bar,
    select_claims,
    writable,
    write_json,
)


@app.command()
def prove(
    names: Names = None,
    *,
    sizes: Annotated[int, typer.Option(min=1, help="Combinations of sizes of each claim, the smallest first.")] = 6,
    status: Status = None,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also why the others are not proved.")] = False,
    json_file: JsonFile = None,
    package: Package = None,
) -> None:
    """Prove equalities of rational functions: for all real coordinates, at the sizes that are named.

    The exit status is 1 when nothing was proved.
    """
    from verify.proofs import Identity, NotProved, prove_identity
    from verify.report.console import show
    from verify.report.tables import plain

    chosen = select_claims(claims_of(package), names, package, status)
    writable(json_file)
    proved: dict[str, list[Identity]] = {}
    reasons: dict[str, str] = {}
    with progress_bar(0 if quiet else len(chosen)) as advance:
        for claim in chosen:
            for combination in claim.domain.all_sizes()[:sizes]:
                try:
                    proved.setdefault(claim.id, []).append(prove_identity(claim, combination))
                except NotProved as error:
                    reasons[claim.id] = str(error)
                    break
            advance(claim.id)
    found = {claim: ones for claim, ones in proved.items() if ones}
    rows = [
        [
            claim,
            "; ".join(", ".join(f"{name} = {size}" for name, size in one.sizes.items()) for one in ones) or "its one size",
            f"2^-{min(one.bits for one in ones)}",
            "where no denominator or pivot vanishes" if any(one.generic for one in ones) else "everywhere",
        ]
        for claim, ones in found.items()
    ]
    to_stderr = json_file == STDOUT
    if rows and not quiet:
        show(console(stderr=to_stderr), plain(["claim", "identity at", "error below", "holds"], rows))
    for name, reason in reasons.items() if verbose or not found else ():
        typer.echo(f"{name} is not proved: {reason}", err=to_stderr)
    document = {name: [asdict(one) for one in ones] for name, ones in found.items()}
    write_json(json_file, {"proved": document, "not_proved": reasons})
    typer.echo(f"{len(found)} of {len(chosen)} claims are identities at the sizes that were tried", err=to_stderr)
    raise typer.Exit(int(not found))
