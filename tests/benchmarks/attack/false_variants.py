"""Give the false variants of the catalogue to the methods that prove: none may be proved. Run by hand, some minutes.

    python tests/benchmarks/attack/false_variants.py [--only TEXT]

* At the sizes of each certificate the method of its proof is given every false variant that has a counterexample there.
* The method for all sizes is given every false variant of every claim.

`verify check` asks no method for a variant, and none is searched for here: what is proved is an error of a method.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from verify.claims.catalogue import catalogue
from verify.claims.claim import Claim
from verify.evidence.files import certificate_folder
from verify.proofs.all_sizes import proof as letters
from verify.proofs.certificate import Deadline, NotProved, Refuted, read_certificate
from verify.proofs.methods import METHODS, answered
from verify.proofs.plain import require_plain

SECONDS = 8
"""Of processor time, for one variant at one combination of sizes."""


def at_sizes(claim: Claim) -> Iterator[tuple[str, Callable[[], object]]]:
    """What the certificate of a claim offers: for each proof and each variant that it tells, a try to prove it."""
    path = certificate_folder("theorems") / f"{claim.id}.json"
    if not path.is_file():
        return
    for proof in read_certificate(path).proofs:
        method: Any = next(one for one in METHODS if proof.method == one.METHOD)
        for name, variant in claim.false_variants.items():
            if not proof.vacuous and name not in proof.does_not_tell:
                other = replace(claim, statement=variant, follows=())
                yield (
                    f"{claim.id} {dict(proof.sizes)} {name!r}",
                    lambda method=method, other=other, sizes=proof.sizes: method.prove(other, sizes, Deadline(SECONDS)),
                )


def on_letters(claim: Claim) -> Iterator[tuple[str, Callable[[], object]]]:
    """For each variant of a claim, a try to prove it for all sizes."""
    for name, variant in claim.false_variants.items():
        yield f"{claim.id} {name!r}", lambda variant=variant: _for_all_sizes(claim, variant)


def _for_all_sizes(claim: Claim, variant: Any) -> object:
    require_plain(claim)
    return letters._proved(claim, variant, Deadline(SECONDS))


def proved(tries: Iterator[tuple[str, Callable[[], object]]]) -> tuple[int, list[str]]:
    """How many tries there were, and which gave a proof."""
    count, found = 0, []
    for name, prove in tries:
        count += 1
        try:
            with answered():
                prove()
            found.append(name)
        except (NotProved, Refuted):
            continue
    return count, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="claims with this text in their ids")
    only = parser.parse_args().only
    claims = [claim for claim in catalogue().values() if only in claim.id]
    wrong = 0
    for what, tries in (("at the sizes of certificates", at_sizes), ("for all sizes", on_letters)):
        count, found = proved(one for claim in claims for one in tries(claim))
        print(f"{what}: {count} tries, {len(found)} proved")
        for name in found:
            print(f"  {name}")
        wrong += len(found)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
