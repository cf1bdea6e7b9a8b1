"""The commands prove and export."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
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
    in_this_project,
    one_package,
    progress_bar,
    select_claims,
    unusable,
    writable,
    write_json,
)

if TYPE_CHECKING:
    from verify.claims.catalogue import Catalogue
    from verify.claims.claim import Claim
    from verify.proofs.certificate import Certificate

PATIENCE = 10
"""By the clock a process may take so many times its limit, because it may have to wait for a processor."""


@app.command()
def prove(
    names: Names = None,
    *,
    sizes: Annotated[
        int | None,
        typer.Option(min=0, help="Combinations of sizes of each claim: so many of the smallest (2), and one with all sizes 2."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where certificates are written; PACKAGE/certificates.")
    ] = None,
    all_sizes: Annotated[
        bool, typer.Option("--all-sizes", help="For every width and number of points, on letters; to DIR/all_sizes/ID.json.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave out claims whose certificate is there and fits the statement.")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.1, metavar="SECONDS", help="A limit for each claim, of processor time; ten times that by the clock."
        ),
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
    from verify.checker.running import finished
    from verify.engines.executors import abandon
    from verify.evidence.files import certificate_folder
    from verify.proofs.certificate import Refuted, document_of, write_certificate
    from verify.proofs.checked import remember
    from verify.proofs.methods import prove_by_id, united
    from verify.report.console import show
    from verify.report.tables import plain

    claims = claims_of(package, timeout)
    chosen = [claim for claim in select_claims(claims, names, package, status) if claim.expected != "refuted"]
    if not chosen:
        raise unusable("ID", "what is false as printed has no proof")
    folder = out or in_this_project(certificate_folder(one_package(claims, chosen, package)), "--out")
    writable(json_file)
    _made("--out", folder)
    if not os.access(folder, os.W_OK):
        raise unusable("--out", f"the folder {folder} cannot be written to")
    if all_sizes:
        _refuse_beside_all_sizes(sizes, engine)
        raise typer.Exit(
            _prove_all_sizes(claims, chosen, folder, timeout, json_file, resume=resume, quiet=quiet, verbose=verbose)
        )
    sizes = 2 if sizes is None else sizes
    known, stale = _known_certificates(chosen, folder)
    reasons: dict[str, dict[str, str]] = {}
    refuted: dict[str, str] = {}
    proved = dict(known) if resume else {}
    wanted = [claim for claim in chosen if claim.id not in proved]
    limit = None if engine.startswith(("dask", "mpi")) else PATIENCE * timeout
    homes = {claims.packages[claim.id] for claim in wanted}
    executor = executor_of(engine, limit, packages=homes, most=len(wanted))
    broken: list[str] = []
    done = interrupted = False
    try:
        with progress_bar(0 if quiet else len(wanted)) as advance:
            calls = {claim.id: (prove_by_id, claims.packages[claim.id], claim.id, sizes, timeout) for claim in wanted}
            for name, future in finished(executor, calls):
                try:
                    certificate, reasons[name] = future.result()
                except Refuted as error:
                    certificate, refuted[name] = None, str(error)
                    proved.pop(name, None)
                    stale |= {name} if name in known else set()
                except Exception as error:  # a process that ended or took too long, or a method with a fault
                    certificate, reasons[name] = None, {"all sizes": _broke_down(error, timeout)}
                    broken.append(name)
                if certificate is not None:
                    proved[name] = united(known[name], certificate) if name in known else certificate
                    if proved[name] == known.get(name):
                        typer.echo(f"{name}: the certificate that is there shows as much, and stays", err=True)
                    else:
                        write_certificate(proved[name], folder / f"{name}.json")
                        remember(proved[name], claims[name])
                elif name in stale and name not in broken:
                    (folder / f"{name}.json").unlink()
                    typer.echo(f"{name}: the certificate that was there is void, and removed: {folder / name}.json", err=True)
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
            plain(
                ["claim", "method", "sizes", "covers", "reservation"],
                [row for certificate in proved.values() for row in _rows(certificate)],
            ),
        )
    for name, where in refuted.items():
        typer.echo(f"{name} is refuted: {where}", err=to_stderr)
    shown = {name: attempts for name, attempts in reasons.items() if verbose or not proved or name in broken}
    for name, place, reason in ((name, *pair) for name, attempts in shown.items() for pair in attempts.items()):
        typer.echo(f"{name} is not proved at {place}: {reason}", err=to_stderr)
    document = {name: document_of(certificate)["proofs"] for name, certificate in proved.items()}
    write_json(json_file, {"proved": document, "not_proved": reasons, "refuted": refuted})
    place = f"; certificates are in {folder}" if proved else ""
    typer.echo(f"{len(proved)} of {len(chosen)} claims are proved at some sizes{place}", err=to_stderr)
    raise typer.Exit(INTERRUPTED if interrupted else int(not proved or bool(refuted or broken)))


def _broke_down(error: Exception, timeout: float) -> str:
    if isinstance(error, TimeoutError):
        return f"a step of a method did not end: {error} (--timeout {timeout:g} is {PATIENCE} times as long by the clock)"
    return f"{type(error).__name__}: {error}"


def _known_certificates(chosen: Sequence[Claim], folder: Path) -> tuple[dict[str, Certificate], set[str]]:
    """Certificates in a folder that stand, by claim, and the claims of those that do not."""
    from verify.proofs.certificate import UnusableCertificate, read_certificate

    known: dict[str, Certificate] = {}
    stale: set[str] = set()
    for claim in chosen:
        path = folder / f"{claim.id}.json"
        try:
            certificate = read_certificate(path)
        except UnusableCertificate:
            stale |= {claim.id} if path.exists() else set()
            continue
        if certificate.fits(claim) and _stands(certificate, claim):
            known[claim.id] = certificate
        else:
            stale.add(claim.id)
    return known, stale


def _refuse_beside_all_sizes(sizes: int | None, engine: str) -> None:
    if sizes is not None:
        raise unusable("--sizes", f"--all-sizes is for every size, got --sizes {sizes} beside it")
    if engine != "processes":
        raise unusable("--engine", f"--all-sizes proves one claim after the other, here, got --engine {engine} beside it")


def _prove_all_sizes(
    claims: Catalogue,
    chosen: Sequence[Claim],
    folder: Path,
    timeout: float,
    json_file: Path | None,
    *,
    resume: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Prove claims for all sizes, one after the other, and write or remove their certificates; the exit status."""
    from verify.claims.packages import ALL_SIZES
    from verify.proofs.all_sizes.proof import Certificate as LetterCertificate
    from verify.proofs.all_sizes.proof import covers, document_of, prove, read, reservations, write
    from verify.proofs.certificate import Deadline, NotProved
    from verify.proofs.checked import keep
    from verify.report.console import show
    from verify.report.tables import plain

    (folder / ALL_SIZES).mkdir(exist_ok=True)
    found: dict[str, LetterCertificate] = {}
    reasons: dict[str, str] = {}
    interrupted, to_stderr = False, json_file == STDOUT
    try:
        with progress_bar(0 if quiet else len(chosen)) as advance:
            for claim in chosen:
                path = folder / ALL_SIZES / f"{claim.id}.json"
                if resume and path.exists() and _stands_for_all_sizes(path, claims[claim.id]):
                    found[claim.id] = read(path)
                    advance(claim.id)
                    continue
                try:
                    certificate = prove(claims[claim.id], Deadline(timeout))
                except NotProved as error:
                    reasons[claim.id] = str(error)
                    if path.exists() and not _stands_for_all_sizes(path, claims[claim.id]):
                        path.unlink()
                        typer.echo(f"{claim.id}: the certificate that was there is void, and removed: {path}", err=True)
                    if verbose or len(chosen) == 1:
                        typer.echo(f"{claim.id} is not proved for all sizes: {error}", err=to_stderr)
                else:
                    write(certificate, path)
                    keep(document_of(certificate), claim)
                    found[claim.id] = certificate
                advance(claim.id)
    except KeyboardInterrupt:
        interrupted = True
    if found and not quiet:
        rows = [[name, covers(certificate), reservations(certificate)] for name, certificate in found.items()]
        show(console(stderr=to_stderr), plain(["claim", "covers", "reservation"], rows))
    proved = {name: {"covers": covers(one), "reservation": reservations(one)} for name, one in found.items()}
    write_json(json_file, {"proved": proved, "not_proved": reasons})
    place = f"; certificates are in {folder / ALL_SIZES}" if found else ""
    typer.echo(f"{len(found)} of {len(chosen)} claims are proved for all sizes{place}", err=to_stderr)
    return INTERRUPTED if interrupted else int(not found)


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


def _stands_for_all_sizes(path: Path, claim: Claim) -> bool:
    """The same for a certificate for all sizes: what a short limit does not find again is not void."""
    from verify.proofs.all_sizes.proof import check, document_of, read
    from verify.proofs.certificate import NotProved, UnusableCertificate
    from verify.proofs.checked import is_kept, keep

    try:
        certificate = read(path)
        if not (certificate.fits(claim) and is_kept(document_of(certificate), claim)):
            check(certificate, claim)
            keep(document_of(certificate), claim)
    except (NotProved, UnusableCertificate):
        return False
    return True


def _rows(certificate: Certificate) -> list[list[str]]:
    from verify.proofs.methods import reservations, text_of

    return [
        [certificate.claim, proof.method, text_of(proof.sizes), proof.covers, reservations(proof)]
        for proof in certificate.proofs
    ]


@app.command()
def export(
    names: Names = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write SMT-LIB 2 to DIR/ID.smt2; smtlib, if that is all."),
    ] = None,
    coq: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write theorems for Coq to DIR, which `make -C DIR` compiles.")
    ] = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Have Coq compile DIR (make), and record in PACKAGE/kernel.json what its kernel accepted."
        ),
    ] = False,
    certificates: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the certificates lie; PACKAGE/certificates.")
    ] = None,
    quiet: Quiet = False,
    package: Package = None,
) -> None:
    """Write certificates for other programs: as SMT-LIB 2 for solvers such as z3 and cvc5, or as theorems for Coq.

    Of SMT-LIB 2 each obligation must be unsat. For Coq, DIR has a checker with its proof, a file for each claim, and
    table.json, which says what is written of each claim and why not more. The exit status is 1 when nothing can be written, or
    when Coq does not accept what is to be recorded.
    """
    from verify.evidence.files import certificate_folder
    from verify.proofs.certificate import UnusableCertificate, read_certificate
    from verify.proofs.independent import Rejected

    if record and coq is None:
        raise unusable("--record", "it needs --coq DIR, the folder that Coq compiles")
    claims = claims_of(package)
    chosen = select_claims(claims, names, package, None)
    home = one_package(claims, chosen, package)
    if record:
        in_this_project(certificate_folder(home), "--record")
    folder = certificates or certificate_folder(home)
    if not folder.is_dir():
        raise unusable("--certificates", f"{folder} is no folder")
    certified: list[tuple[Claim, Certificate]] = []
    for claim in chosen:
        source = folder / f"{claim.id}.json"
        if not source.exists():
            continue
        try:
            certificate = read_certificate(source)
            if not certificate.fits(claim):
                raise UnusableCertificate(f"{source}: of another form of the statement; see `verify prove {claim.id}`")
        except UnusableCertificate as error:
            raise unusable("ID", str(error)) from error
        certified.append((claim, certificate))
    lines = []
    try:
        if coq is not None:
            lines.append(_for_coq(certified, coq, home if record else None))
        if out is not None or coq is None:
            lines.append(_as_smtlib(certified, out or Path("smtlib"), len(chosen)))
    except (Rejected, KeyError, TypeError, IndexError, ValueError) as error:
        raise unusable("ID", f"there is no certificate: {error}") from error
    if not quiet:
        for line, _ in lines:
            typer.echo(line)
    raise typer.Exit(int(not all(written for _, written in lines)))


def _made(option: str, folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(option, f"{folder} cannot be made a folder: {error.strerror}") from error
    return folder


def _as_smtlib(certified: Sequence[tuple[Claim, Certificate]], out: Path, asked: int) -> tuple[str, int]:
    """Write SMT-LIB 2; what was written in a line, and for how many claims."""
    from verify.evidence.files import write_whole
    from verify.proofs.smtlib import smtlib

    written = 0
    for claim, certificate in certified:
        text = smtlib(certificate, claim.title)
        if text is not None:
            write_whole(_made("--out", out) / f"{claim.id}.smt2", text)
            written += 1
    unwritten = len(certified) - written
    return (
        f"{written} of {asked} claims are written to {out}; {unwritten} have finite cases only, the others no certificate",
        written,
    )


def _for_coq(certified: Sequence[tuple[Claim, Certificate]], folder: Path, recorded: str | None) -> tuple[str, int]:
    """Write theorems for Coq, and record what it accepts in the package `recorded`; a line on that, and for how many claims."""
    from verify.proofs.coq.export import WHOLE, coq_text, write_folder

    rows = write_folder(_made("--coq", folder), (coq_text(certificate, claim.title) for claim, certificate in certified))
    whole = sum(bool(row.file) and row.status == WHOLE for row in rows)
    partly = sum(bool(row.file) and row.status != WHOLE for row in rows)
    count = sum(row.theorems for row in rows)
    line = f"{whole} of {len(rows)} certificates are written to {folder}, {partly} in part, with {count} theorems"
    line += f"; {folder}/table.json says why not more"
    if recorded is None:
        return f"{line}; now `make -C {folder}`", whole + partly
    from verify.proofs.coq.kernel import NotAccepted, compile_folder, kernel_file, read_record, united, write_record

    try:
        known, new = read_record(kernel_file(recorded)), compile_folder(folder, rows)
    except NotAccepted as error:
        typer.echo(f"nothing is recorded: {error}", err=True)
        raise typer.Exit(1) from error
    record = united(known, new, _digests(recorded))
    write_record(record, kernel_file(recorded))
    return f"{line}; Coq accepts all of it; {len(record.claims)} claims are recorded in {kernel_file(recorded)}", whole + partly


def _digests(package: str) -> dict[str, str]:
    """The digests of the certificates of a package, by claim."""
    from verify.evidence.files import certificate_folder
    from verify.proofs.certificate import UnusableCertificate, document_of, read_certificate

    digests: dict[str, str] = {}
    for path in certificate_folder(package).glob("*.json"):
        with suppress(UnusableCertificate):
            digests[path.stem] = document_of(read_certificate(path))["digest"]
    return digests
