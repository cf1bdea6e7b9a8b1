"""The theorems as claims of `docs/examples/classics`: searched, the first false variant searched, and the prover asked."""

import sys
import time
from pathlib import Path

from said import Said

sys.path.insert(0, str(Path(__file__).parents[3] / "docs" / "examples"))

from verify import attack
from verify.claims.catalogue import catalogue
from verify.proofs.all_sizes import proof as all_sizes
from verify.proofs.certificate import Deadline, NotProved, Refuted
from verify.proofs.methods import prove

SECONDS = 20
SIZES = 2
FIELDS = ("matrices", "norms", "optimisation", "information", "combinatorics", "networks")
FIRST = 10
CLAIMS = dict(catalogue("classics"))
CANNOT = ""


def first_of(field):
    """The names of the first theorems of a field, in the order of docs/classics.md."""
    return [name.partition(".")[2] for name, claim in CLAIMS.items() if claim.source.paper == field][:FIRST]


def known(claim):
    return Said(sizes_in_words(claim), claim.statement, next(iter(claim.false_variants.values())), {})


def sizes_in_words(claim):
    return "; ".join(f"{name} = {', '.join(map(str, values))}" for name, values in claim.domain.sizes.items()) or "one"


KNOWN = {name: known(CLAIMS[f"classics.{name}"]) for field in FIELDS for name in first_of(field)}


def run(_said, statement, number, name):
    """What the search finds."""
    found = attack(statement, CLAIMS[f"classics.{name}"].domain, seed=number)
    return "counterexample" if found.outcome == "refuted" else str(found.outcome)


def proofs(name):
    """What the prover shows at the smallest sizes, and on letters."""
    claim, begun = CLAIMS[f"classics.{name}"], time.process_time()
    try:
        all_sizes.prove(claim, Deadline(SECONDS))
    except (NotProved, Refuted):
        pass
    else:
        return "proved at every size"
    certificate, _ = prove(claim, SIZES, max(1.0, SECONDS - (time.process_time() - begun)))
    if certificate is None:
        return f"no answer in {SECONDS} s" if time.process_time() - begun > 0.9 * SECONDS else "gives up"
    sizes = [", ".join(f"{key} = {value}" for key, value in proof.sizes.items()) for proof in certificate.proofs]
    return f"proved at {'; '.join(sizes)}" if any(sizes) else "proved"
