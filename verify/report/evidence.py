"""The evidence for a claim in words: the same in every table, and wherever a claim is shown."""

from __future__ import annotations

from pathlib import Path

from verify.claims.claim import Claim
from verify.report.proved import read_for_all_sizes
from verify.report.words import IN_COQ, NOT_CHECKED

STALE = "certificate is stale"


def evidence_of(claim: Claim, package: str, has_witness: bool = False, found: str = "") -> str:
    """What a certificate of the present statement proves, else what a run found or the declaration promises; and Coq."""
    from verify.proofs.coq.by_hand import accepted_by_hand

    said = _without_coq(claim, package, has_witness, found)
    return said if accepted_by_hand(claim, package) is None else f"{said}, {IN_COQ}"


def _without_coq(claim: Claim, package: str, has_witness: bool, found: str) -> str:
    from verify.proofs.all_sizes import proof as letters
    from verify.proofs.certificate import UnusableCertificate, document_of, read_certificate
    from verify.proofs.checked import is_checked, is_kept
    from verify.proofs.coq.kernel import accepted
    from verify.proofs.methods import evidence

    base = found or ("argued" if claim.argument else "exact" if claim.exact or has_witness else "searched")
    on_letters = read_for_all_sizes(claim, package)
    tells = on_letters is not None and on_letters.may_fit(claim) and on_letters.tells
    # what is kept as checked is of the present statement
    if on_letters is not None and tells and is_kept(letters.document_of(on_letters), claim):
        return f"proved (all sizes): {letters.covers(on_letters)}"
    path = _files(claim.id, package)[1]
    if not path.is_file():
        return f"{base}, {NOT_CHECKED}" if tells else base
    try:
        certificate = read_certificate(path)
    except UnusableCertificate:
        return f"{base}, {STALE}"
    if not certificate.may_fit(claim):
        return f"{base}, {STALE}"
    # whoever wrote the file: what it says counts where this package has checked it
    if not is_checked(certificate, claim):
        return f"{base}, {NOT_CHECKED}"
    proved = evidence(certificate)
    if not proved:
        return base
    known = accepted(package, claim.id, document_of(certificate)["digest"])
    return proved if known is None else f"{proved}, Coq"


def after(said: str, found: str) -> str:
    """The words `said` before a run, where the run `found` something: what is proved stays."""
    base, comma, certificate = said.partition(", ")
    return f"{found}{comma}{certificate}" if base in ("searched", "exact", "argued") else said


def certificate_of(claim: Claim, package: str) -> str | None:
    """The file to check for a stronger evidence of a claim."""
    everywhere, at_sizes = _files(claim.id, package)
    on_letters = read_for_all_sizes(claim, package)
    fits = on_letters is not None and on_letters.may_fit(claim)
    return str(everywhere) if fits else str(at_sizes) if at_sizes.is_file() else None


def note(files: list[str]) -> str:
    """What the sign of `shortened` means, with the files of the claims that bear it."""
    paths = [Path(file) for file in files]
    near = [str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path) for path in paths]
    several = f", and so on for {len(near) - 1} more" if len(near) > 1 else ""
    return f"* {NOT_CHECKED}: `verify check {near[0]}` does it{several}"


def _files(claim_id: str, package: str) -> tuple[Path, Path]:
    from verify.claims.packages import ALL_SIZES
    from verify.evidence.files import certificate_folder

    folder = certificate_folder(package)
    return folder / ALL_SIZES / f"{claim_id}.json", folder / f"{claim_id}.json"
