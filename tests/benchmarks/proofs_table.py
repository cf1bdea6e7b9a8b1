"""Count the certificates of the catalogue by what they cover, and write the table into docs/proofs.md.

python tests/benchmarks/proofs_table.py
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- counted -->\n", "<!-- end -->"
COLUMNS = (
    "proved, all",
    "proved, where it has a value",
    "identity, all",
    "identity, where it has a value",
    "on a grid",
    "tells nothing",
)


def column(certificate):
    """Of the strongest proof that tells anything."""
    from verify.proofs.certificate import ALL, GRID
    from verify.proofs.methods import METHODS, strength

    best = min(certificate.proofs, key=strength)
    if not best.tells:
        return COLUMNS[-1]
    if best.coverage == GRID:
        return COLUMNS[-2]
    method = next(one.TIER for one in METHODS if best.method == one.METHOD)
    return f"{method}, {'all' if best.coverage == ALL else 'where it has a value'}"


def table():
    """The rows: documents, and all of them together."""
    from verify import catalogue
    from verify.evidence.files import certificate_folder
    from verify.proofs.certificate import read_certificate

    claims = Counter(one.paper for one in catalogue().values() if one.expected == "survived")
    found = {document: Counter() for document in claims}
    for path in sorted(certificate_folder("theorems").glob("*.json")):
        certificate = read_certificate(path)
        found[certificate.claim.split(".")[0]][column(certificate)] += 1
    rows = [["paper", "claims", *COLUMNS], ["---"] * (2 + len(COLUMNS))]
    rows += [[document, claims[document], *(found[document][one] for one in COLUMNS)] for document in sorted(claims)]
    together = sum(found.values(), Counter())
    rows.append(["together", claims.total(), *(together[one] for one in COLUMNS)])
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


def main():
    """Write the table."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    PAGE.write_text(head + BEGIN + table() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
