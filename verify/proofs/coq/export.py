"""The folder that is written for Coq: the checker, a file for each claim, what compiles them, and a table of what is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from verify.evidence.files import write_whole
from verify.proofs import independent
from verify.proofs.certificate import Certificate, document_of
from verify.proofs.coq import leaves, programmes
from verify.proofs.coq.text import NotExported, comment, module_name, numbers_file

CHECKER = {"Polynomials": (), "Squares": ("Polynomials",), "Programmes": ("Polynomials",)}
"""The files of the checker, and those that each needs."""
METHODS = {"sum_of_squares": leaves.theorems, "identity": programmes.theorems}
AXIOMS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
)
"""What Coq's real numbers rest on; with any other the folder does not compile."""
TABLE = "table.json"
COMPILED = (".v", ".vo", ".vos", ".vok", ".glob", ".log", ".aux")
"""How the names of files end that are written, or that Coq makes of them."""
WHOLE, PART, NOTHING = "exported", "in part", "not exported"


@dataclass(frozen=True)
class Row:
    """What is written of a claim.

    Attributes
    ----------
    claim, digest
        Its id, and the digest of its certificate.
    file
        The file with its theorems, empty if there are none.
    methods
        Of its proofs.
    leaves, theorems
        How many leaves are shown, and how many theorems there are: those, and one for each tree or programme.
    status
        One of `WHOLE`, `PART` and `NOTHING`.
    reasons
        Why proofs are not written.
    """

    claim: str
    digest: str
    file: str
    methods: tuple[str, ...]
    leaves: int
    theorems: int
    status: str
    reasons: tuple[str, ...]


def coq_text(certificate: Certificate, title: str = "") -> tuple[str, Row]:
    """The file of a claim, empty if nothing can be written, and its row of the table.

    Raises
    ------
    verify.proofs.independent.Rejected
        The certificate does not prove what it says, as far as the independent checker sees.
    """
    document = json.loads(json.dumps(document_of(certificate)))
    # that some of its proofs can only be decided by the library is no reason: they are not written
    with suppress(independent.NotChecked):
        independent.check_document(document)
    parts: list[str] = []
    reasons: list[str] = []
    leaf_count = theorem_count = 0
    trees: list[str] = []
    for number, proof in enumerate(document["proofs"]):
        where = f"{certificate.claim} at {', '.join(f'{name}={size}' for name, size in proof['sizes'].items()) or 'all sizes'}"
        name = f"Proof{number}"
        try:
            written = _proof(proof, name, where)
        except NotExported as reason:
            reasons.append(f"{where}: {reason}")
            continue
        hypotheses = f" under the hypotheses {', '.join(proof['hypotheses'])}" if proof["hypotheses"] else ""
        parts += [comment(f"{where}, by {proof['method']}: {proof['covers']}{hypotheses}."), written.text, ""]
        leaf_count, theorem_count = leaf_count + written.leaves, theorem_count + written.leaves + written.trees
        trees += [f"{name}.case{case}" for case in range(written.trees)]
    file = f"claims/{module_name(certificate.claim)}.v" if parts else ""
    status = WHOLE if parts and not reasons else PART if parts else NOTHING
    methods = tuple(sorted({proof.method for proof in certificate.proofs}))
    row = Row(
        certificate.claim, document["digest"], file, methods, leaf_count, theorem_count, status, tuple(dict.fromkeys(reasons))
    )
    if not parts:
        return "", row
    head = [
        comment(f"{certificate.claim}: {title}"),
        comment(f"statement {certificate.fingerprint}, certificate {document['digest']}; {theorem_count} theorems"),
        *(comment(f"not here: {reason}") for reason in row.reasons),
        "From Coq Require Import ZArith List Rbase.",
        "From Verify Require Import Polynomials Squares Programmes Numbers.",
        "Import ListNotations.",
        "Local Open Scope nat_scope.",
        "",
    ]
    # one term that has all trees in it, so that what they rest on is printed once
    used = [f"  let _ := {tree} in" for tree in trees]
    return "\n".join([*head, *parts, "Definition everything : True :=", *used, "  I.", ""]), row


def _proof(document: dict[str, Any], name: str, where: str) -> leaves.Theorems:
    method = document["method"]
    if method not in METHODS:
        raise NotExported(f"a proof by {method}, which the library decides")
    return METHODS[method](document, name, where)


def write_folder(folder: Path, written: Iterable[tuple[str, Row]]) -> list[Row]:
    """Write the folder, and remove what an earlier export left in its place; the rows of its table.

    A file that is there already stays as it is, and is not compiled again.
    """
    checker = {name: (files("verify.proofs.coq") / f"{name}.v").read_text("utf-8") for name in CHECKER}
    for subfolder in ("checker", "claims"):
        (folder / subfolder).mkdir(parents=True, exist_ok=True)
    for name, text in {**checker, "Numbers": numbers_file()}.items():
        _write(folder / "checker" / f"{name}.v", text)
    rows: list[Row] = []
    for text, row in written:
        rows.append(row)
        if text:
            _write(folder / row.file, text)
    names = [Path(row.file).stem for row in rows if row.file]
    for subfolder, known in (("checker", {*CHECKER, "Numbers"}), ("claims", set(names))):
        for path in (folder / subfolder).iterdir():
            if path.suffix in COMPILED and path.name.lstrip(".").partition(".")[0] not in known:
                path.unlink()
    _write(folder / "Assumptions.v", _assumptions(names))
    _write(folder / "_CoqProject", _project(names))
    _write(folder / "Makefile", _makefile(names))
    table = {"schema": 1, "claims": [asdict(row) for row in rows]}
    _write(folder / TABLE, json.dumps(table, indent=1) + "\n")
    return rows


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_bytes() != text.encode():
        write_whole(path, text)


def _assumptions(names: Sequence[str]) -> str:
    lines = [
        comment("What all theorems rest on: Coq prints the axioms."),
        *(f"From Claims Require {name}." for name in names),
        "Definition everything : True :=",
        *(f"  let _ := {name}.everything in" for name in names),
        "  I.",
        "Print Assumptions everything.",
        "",
    ]
    return "\n".join(lines)


def _project(names: Sequence[str]) -> str:
    checker = [f"checker/{name}.v" for name in (*CHECKER, "Numbers")]
    return "\n".join(
        ["-Q checker Verify", "-Q claims Claims", *checker, *(f"claims/{name}.v" for name in names), "Assumptions.v", ""]
    )


def _makefile(names: Sequence[str]) -> str:
    checker = [*CHECKER, "Numbers"]
    needs = [
        f"checker/{name}.vo: {' '.join(f'checker/{module}.vo' for module in needed)}"
        for name, needed in CHECKER.items()
        if needed
    ]
    axioms = "|".join(re.escape(name) for name in AXIOMS)
    lines = [
        "# make -j2 compiles all. It stops where Coq refuses something, and where there are other axioms than those of its",
        "# real numbers: assumptions.log has them.",
        "COQC ?= coqc",
        f"CHECKER := {' '.join(f'checker/{name}.vo' for name in checker)}",
        f"CLAIMS := {' '.join(f'claims/{name}.vo' for name in names)}",
        "OPTIONS := -q -Q checker Verify -Q claims Claims",
        ".DELETE_ON_ERROR:",
        "assumptions.log: Assumptions.v Makefile $(CLAIMS)",
        "\t$(COQC) $(OPTIONS) Assumptions.v > $@",
        "\tgrep -q -E '^(Axioms:|Closed under the global context)' $@",
        f"\t! grep '^[^ ]' $@ | grep -v -x -E '(Axioms:|Closed under the global context|({axioms})( :.*)?)'",
        "$(CLAIMS): %.vo: %.v $(CHECKER)",
        "\t$(COQC) $(OPTIONS) $<",
        "$(CHECKER): %.vo: %.v",
        "\t$(COQC) $(OPTIONS) $<",
        *needs,
        "clean:",
        "\trm -f assumptions.log *.vo* *.glob */*.vo* */*.glob */.*.aux .*.aux",
        ".PHONY: clean",
        "",
    ]
    return "\n".join(lines)
