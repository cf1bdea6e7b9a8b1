"""The commands prove and export."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.cli.common import (
    INTERRUPTED,
    STDOUT,
    Engine,
    JsonFile,
    Names,
    Package,
    Quiet,
    Status,
    app,
    claims_of,
    console,
    executor_of,
    one_package,
    progress_bar,
    select_claims,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.claim import Claim
    from verify.proofs.certificate import Certificate

PATIENCE = 10
"""By the clock a process may take so many times its limit, because it may have to wait for a processor."""


@app.command()
def prove(
    names: Names = None,
    *,
    sizes: Annotated[
        int, typer.Option(min=0, help="Combinations of sizes of each claim: so many of the smallest, and one with all sizes 2.")
    ] = 2,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where certificates are written; PACKAGE/certificates.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave out claims whose certificate is there and fits the statement.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="A limit for each claim, of processor time.")
    ] = 20.0,
    engine: Engine = "processes",
    status: Status = None,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also why the others are not proved.")] = False,
    json_file: JsonFile = None,
    package: Package = None,
) -> None:
    """Prove claims at the sizes that are named, and write a certificate of each to DIR/ID.json.

    What is found to be false is said with an instance, and has no certificate. A certificate of an earlier form of the
    statement, or of weaker rules, is replaced, or removed where nothing is proved. The exit status is 1 when nothing is
    proved, when something is refuted, or when an attempt broke down.
    """
    from verify.checker.engines import abandon
    from verify.checker.evidence.files import certificate_folder
    from verify.checker.running import finished
    from verify.proofs.certificate import Refuted, UnusableCertificate, document_of, read_certificate, write_certificate
    from verify.proofs.checked import remember
    from verify.proofs.methods import prove_by_id, united
    from verify.report.console import show
    from verify.report.tables import plain

    claims = claims_of(package, timeout)
    chosen = [one for one in select_claims(claims, names, package, status) if one.expected != "refuted"]
    if not chosen:
        raise unusable("ID", "what is false as printed has no proof")
    folder = out or certificate_folder(one_package(claims, chosen, package))
    writable(json_file)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable("--out", f"{folder} cannot be made a folder: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise unusable("--out", f"the folder {folder} cannot be written to")
    known: dict[str, Certificate] = {}
    reasons: dict[str, dict[str, str]] = {}
    stale: set[str] = set()
    for claim in chosen:
        path = folder / f"{claim.id}.json"
        try:
            there = read_certificate(path)
        except UnusableCertificate:
            stale |= {claim.id} if path.exists() else set()
            continue
        if there.fits(claim) and _stands(there, claim):
            known[claim.id] = there
        else:
            stale.add(claim.id)
    refuted: dict[str, str] = {}
    proved = dict(known) if resume else {}
    wanted = [one for one in chosen if one.id not in proved]
    limit = None if engine.startswith(("dask", "mpi")) else PATIENCE * timeout
    homes = {claims.packages[one.id] for one in wanted}
    executor = executor_of(engine, limit, packages=homes, most=len(wanted))
    broken: list[str] = []
    done = interrupted = False
    try:
        with progress_bar(0 if quiet else len(wanted)) as advance:
            calls = {one.id: (prove_by_id, claims.packages[one.id], one.id, sizes, timeout) for one in wanted}
            for name, future in finished(executor, calls):
                try:
                    certificate, reasons[name] = future.result()
                except Refuted as error:
                    certificate, refuted[name] = None, str(error)
                    proved.pop(name, None)
                    stale |= {name} if name in known else set()
                except Exception as error:  # a process that ended or took too long, or a method with a fault
                    certificate, reasons[name] = None, {"all sizes": f"{type(error).__name__}: {error}"}
                    broken.append(name)
                if certificate is not None:
                    proved[name] = united(known[name], certificate) if name in known else certificate
                    if proved[name] == known.get(name):
                        typer.echo(f"{name}: the certificate that is there shows as much, and stays", err=True)
                    else:
                        write_certificate(proved[name], folder / f"{name}.json")
                        remember(proved[name], claims[name])
                elif name in stale:
                    (folder / f"{name}.json").unlink()
                    typer.echo(f"{name}: the certificate that was there is void, and removed", err=True)
                advance(name)
        done = True
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if done:
            executor.shutdown()
        else:
            abandon(executor)
    to_stderr = json_file == STDOUT
    if proved and not quiet:
        show(
            console(stderr=to_stderr),
            plain(["claim", "by", "at", "for", "but"], [row for one in proved.values() for row in _rows(one)]),
        )
    for name, where in refuted.items():
        typer.echo(f"{name} is refuted: {where}", err=to_stderr)
    for name, why in reasons.items():
        if not (verbose or not proved or name in broken):
            continue
        for place, reason in why.items():
            typer.echo(f"{name} is not proved at {place}: {reason}", err=to_stderr)
    document = {name: document_of(one)["proofs"] for name, one in proved.items()}
    write_json(json_file, {"proved": document, "not_proved": reasons, "refuted": refuted})
    typer.echo(f"{len(proved)} of {len(chosen)} claims are proved at some sizes; {folder}", err=to_stderr)
    raise typer.Exit(INTERRUPTED if interrupted else int(not proved or bool(refuted or broken)))


def _stands(certificate: Certificate, claim: Claim) -> bool:
    """Whether a certificate that was found in a folder proves what it says: anybody may have written it."""
    from verify.proofs.certificate import NotProved, UnusableCertificate
    from verify.proofs.checked import check_and_remember, is_checked

    if is_checked(certificate, claim):
        return True
    try:
        check_and_remember(certificate, claim)
    except (NotProved, UnusableCertificate):
        return False
    return True


def _rows(certificate: Certificate) -> list[list[str]]:
    from verify.proofs.methods import reservations, text_of

    return [[certificate.claim, one.method, text_of(one.sizes), one.covers, reservations(one)] for one in certificate.proofs]


@app.command()
def export(
    names: Names = None,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where DIR/ID.smt2 is written.")] = Path("smtlib"),
    certificates: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the certificates lie; PACKAGE/certificates.")
    ] = None,
    quiet: Quiet = False,
    package: Package = None,
) -> None:
    """Write certificates as SMT-LIB 2, for solvers such as z3 and cvc5: each obligation must be unsat.

    The exit status is 1 when nothing can be written.
    """
    from verify.checker.evidence.files import certificate_folder, write_whole
    from verify.independent import Rejected
    from verify.proofs.certificate import UnusableCertificate, read_certificate
    from verify.proofs.smtlib import smtlib

    claims = claims_of(package)
    chosen = select_claims(claims, names, package, None)
    folder = certificates or certificate_folder(one_package(claims, chosen, package))
    if not folder.is_dir():
        raise unusable("--certificates", f"{folder} is no folder")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable("--out", f"{out} cannot be made a folder: {error.strerror}") from error
    written = left = 0
    for claim in chosen:
        source = folder / f"{claim.id}.json"
        if not source.exists():
            continue
        try:
            certificate = read_certificate(source)
            if not certificate.fits(claim):
                raise UnusableCertificate(f"{source}: of another form of the statement; see `verify prove {claim.id}`")
            text = smtlib(certificate, claim.title)
        except (UnusableCertificate, Rejected, KeyError, TypeError, IndexError, ValueError) as error:
            raise unusable("ID", f"{source} is no certificate: {error}") from error
        if text is None:
            left += 1
        else:
            write_whole(out / f"{claim.id}.smt2", text)
            written += 1
    if not quiet:
        typer.echo(
            f"{written} of {len(chosen)} claims are written to {out}; {left} have finite cases only, the others no certificate"
        )
    raise typer.Exit(int(not written))
