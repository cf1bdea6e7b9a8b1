"""The methods of proof, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Protocol

from verify.claims.claim import Claim, Statement
from verify.claims.domain import Domain
from verify.claims.variables import Sizes
from verify.evidence.fingerprint import claim_fingerprint, fresh_source
from verify.linting.lint import explained
from verify.proofs import finite, identities, independent, references, squares
from verify.proofs.certificate import (
    ALL,
    COVERAGES,
    GRID,
    Certificate,
    Deadline,
    NotProved,
    Proof,
    Refuted,
    UnusableCertificate,
    as_document,
    combinations,
)
from verify.proofs.plain import require_plain, require_unchanged
from verify.search.portfolio import attack
from verify.search.samples import Budget, SampleCache, generator


class Method(Protocol):
    """A module with these names."""

    METHOD: str
    TIER: str

    def prove(self, claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof: ...

    def check(self, claim: Claim, proof: Proof) -> int: ...


METHODS: tuple[Method, ...] = (finite, identities, references, squares)
MORE = 4
"""Combinations of sizes that are tried beyond those that are asked for, as long as no proof tells anything."""
SECONDS = 3.0
"""For a stronger proof, where another shows all instances already."""


@contextmanager
def answered() -> Iterator[None]:
    """Whatever a statement raises, its variables or its hypotheses, is no proof, and why not is said in its words.

    Raises
    ------
    NotProved
        Of every exception that is not one of the proofs themselves.
    """
    try:
        yield
    except (NotProved, Refuted, UnusableCertificate):
        raise
    except Exception as error:  # a statement may raise anything
        raise NotProved(explained(error)) from error


def prove(claim: Claim, count: int, seconds: float) -> tuple[Certificate | None, dict[str, str]]:
    """All that is proved of a claim at `count` combinations of sizes or one more, and why not at others, by their text.

    More sizes are tried where no proof tells the claim from its false variants. At each the strongest proof counts.

    Raises
    ------
    Refuted
        The claim is false.
    RuntimeError
        What is found does not stand: a method or the check of certificates is at fault.
    """
    deadline = Deadline(seconds)
    try:
        refute(claim, claim.domain)
    except NotProved as error:
        return None, {"all sizes": str(error)}
    before = fresh_source(claim)
    first, others = combinations(claim.domain, count)
    proofs: list[Proof] = []
    reasons: dict[str, str] = {}
    for number, sizes in enumerate([*first, *others[:MORE]]):
        if number >= len(first) and (any(proof.tells for proof in proofs) or not proofs or not deadline.left()):
            break
        attempt, reason = _strongest(claim, sizes, Deadline(min(deadline.left(), seconds / len(first))))
        if attempt is None:
            reasons[text_of(sizes)] = reason
        else:
            proofs.append(attempt)
    certificate = Certificate(claim.id, claim_fingerprint(claim), tuple(proofs)) if proofs else None
    try:
        require_unchanged(claim, before)
    except NotProved as error:
        return None, {"all sizes": str(error)}
    try:
        if certificate is not None:
            check(certificate, claim)
    except (NotProved, UnusableCertificate) as error:  # nothing leaves that does not stand
        raise RuntimeError(f"what is found does not stand: {error}") from error
    return certificate, reasons


def _strongest(claim: Claim, sizes: Sizes, deadline: Deadline) -> tuple[Proof | None, str]:
    """The strongest proof at these sizes; or why there is none."""
    try:
        refute(claim, at(claim.domain, sizes))
    except NotProved as error:
        return None, str(error)
    best: Proof | None = None
    refusals = []
    for method in METHODS:
        try:
            deadline.check()
            require_plain(claim, of_numbers=method is finite)
            # what is known of all instances needs no long search for a proof that does not rest on chance
            enough = best is not None and best.coverage == ALL
            with answered():
                attempt = method.prove(claim, sizes, Deadline(min(deadline.left(), SECONDS)) if enough else deadline)
        except NotProved as error:
            refusals.append(f"{method.METHOD}: {error}")
            continue
        if best is None or strength(attempt) < strength(best):
            best = attempt
        if strength(best) == STRONGEST:
            break
    if best is None:
        return None, "; ".join(refusals)
    names = tuple(name for name in claim.false_variants if not is_refuted(claim, name, at(claim.domain, sizes)))
    return replace(best, does_not_tell=names), ""


def at(domain: Domain, sizes: Sizes) -> Domain:
    """A domain with these sizes alone."""
    return replace(domain, sizes={name: (size,) for name, size in sizes.items()})


BUDGET = Budget(structured=400, batched=800, combinations=24, generations=2, ascents=1, steps=20, sweep=0, exact=10)
"""How hard it is tried to refute what is to be proved: a fraction of a second, where an evaluation is cheap."""


SEEDS = 4
"""How often a counterexample to a false variant is looked for, each time with other draws."""


def refute(claim: Claim, domain: Domain, statement: Statement | None = None, seed: int = 0) -> None:
    """Look for an instance at which the statement of a claim, or another, is false.

    Raises
    ------
    Refuted
        With the instance.
    NotProved
        It raises an error, and is not decided there.
    """
    budget = BUDGET.divided(claim.least_cost)
    cache = SampleCache(claim.id, domain, budget, seed, claim.cost_at)
    rng = generator(seed, claim.id, "before a proof")
    with answered():
        refutation = attack(claim.statement if statement is None else statement, cache, budget, rng, at_once=True).refutation
    if refutation is not None:
        sizes = f"{text_of(refutation.sample.sizes)}; " if refutation.sample.sizes else ""
        raise Refuted(f"it is false at {sizes}{finite.shown(refutation.sample)}")


def is_refuted(claim: Claim, name: str, domain: Domain) -> bool:
    """Whether a counterexample to a false variant is found in a part of the domain; the time that it takes decides nothing."""
    for seed in range(SEEDS):
        try:
            with suppress(NotProved):  # an error in a search says nothing of the variant
                refute(claim, domain, claim.false_variants[name], seed)
        except Refuted:
            return True
    return False


def prove_by_id(package: str, name: str, count: int, seconds: float) -> tuple[Certificate | None, dict[str, str]]:
    """See `prove`; of plain values, for another process."""
    from verify.checker.running import claims_in

    return prove(claims_in(package)[name], count, seconds)


def check(certificate: Certificate, claim: Claim) -> list[int]:
    """Derive what a certificate records from the statement again, and check that it proves what it says.

    Each proof is looked at where its statement is decided exactly, too (see `second_look`): at how many points is returned.

    Raises
    ------
    UnusableCertificate
        It is of another statement, or its proofs are not of this claim's sizes or of no known method.
    NotProved
        A proof is none.
    """
    if not certificate.fits(claim):
        raise UnusableCertificate(
            f"the statement of {claim.id} has changed since (fingerprint {certificate.fingerprint!r:.40})"
        )
    every = claim.domain.all_sizes()
    points = []
    for proof in certificate.proofs:
        method = next((method for method in METHODS if proof.method == method.METHOD), None)
        if method is None:
            raise UnusableCertificate(f"no method is called {proof.method!r:.40}")
        if dict(proof.sizes) not in every:
            raise UnusableCertificate(f"the sizes {text_of(proof.sizes):.60} are not in the domain of {claim.id}")
        for label, names, known in (
            ("hypothesis", proof.hypotheses, claim.domain.hypotheses),
            ("false variant", proof.does_not_tell, claim.false_variants),
        ):
            if unknown := set(names) - set(known):
                raise UnusableCertificate(f"{claim.id} has no {label} {min(unknown)!r:.60}")
        try:
            with answered():
                require_plain(claim, of_numbers=method is finite)
                with suppress(independent.NotChecked):  # the method decides it
                    independent.check_proof(as_document(proof))
                points.append(method.check(claim, proof))
        except Refuted as error:
            raise NotProved(str(error)) from error
        for name in claim.false_variants:
            if name not in proof.does_not_tell and not is_refuted(claim, name, at(claim.domain, proof.sizes)):
                raise NotProved(
                    f"at {text_of(proof.sizes)}: it does not tell the statement from {name!r}, and does not say so:"
                    " no counterexample is found at these sizes"
                )
    require_unchanged(claim, certificate.fingerprint)
    return points


KINDS = ("proved", "identity", "on a grid")
"""Kinds of proof, the strongest first: the first does not rest on chance, the last is of integers that stand for reals."""


def _kind(proof: Proof) -> str:
    return KINDS[-1] if proof.coverage == GRID else next(method.TIER for method in METHODS if proof.method == method.METHOD)


def strength(proof: Proof) -> tuple[bool, int, int]:
    """The smaller, the stronger: whether it tells anything, what it covers, and what it rests on."""
    return not proof.tells, COVERAGES.index(proof.coverage), KINDS.index(_kind(proof))


STRONGEST = (False, 0, 0)
"""What `strength` gives of a proof that nothing exceeds: other methods need not be asked."""


def united(known: Certificate, certificate: Certificate) -> Certificate:
    """At each combination of sizes what was found, unless what is known is stronger there."""
    best = {text_of(proof.sizes): proof for proof in known.proofs}
    for proof in certificate.proofs:
        earlier = best.get(text_of(proof.sizes))
        if earlier is None or strength(proof) <= strength(earlier):
            best[text_of(proof.sizes)] = proof
    return Certificate(certificate.claim, certificate.fingerprint, tuple(best.values()))


def evidence(certificate: Certificate) -> str:
    """What a table says of the strongest kind of proof that tells anything; nothing if there is none.

    ``proved at (width=2)``, ``proved at (width=2) where it has a value``, ``on a grid of 625 instances at (points=2)``.
    """
    telling = [proof for proof in certificate.proofs if proof.tells]
    if not telling:
        return ""
    kind = min(map(_kind, telling), key=KINDS.index)
    of_kind = [proof for proof in telling if _kind(proof) == kind]
    largest = max(of_kind, key=lambda proof: (-COVERAGES.index(proof.coverage), sum(proof.sizes.values())))
    more = f" and {len(of_kind) - 1} more" if len(of_kind) > 1 else ""
    if kind == KINDS[-1]:
        return f"on {largest.covers} at ({text_of(largest.sizes)}){more}"
    exceptions = " where it has a value" if largest.exceptions else ""
    return f"{kind} at ({text_of(largest.sizes)}){exceptions}{more}"


def at_smallest_sizes(certificate: Certificate) -> bool:
    """Whether what is proved is without a hidden layer, or at sizes of which none is above 1, and no more."""
    sizes = [proof.sizes for proof in certificate.proofs if proof.tells and _kind(proof) == KINDS[0]]
    return bool(sizes) and all(one and (max(one.values()) <= 1 or one.get("depth", 2) <= 1) for one in sizes)


def reservations(proof: Proof) -> str:
    """What a proof does not say, in words; empty if it says all."""
    sentences = [f"it has no value where {' or '.join(proof.exceptions):.80}"] if proof.exceptions else []
    if proof.vacuous:
        sentences.append(f"vacuous: {proof.vacuous}")
    if proof.does_not_tell:
        sentences.append(f"does not tell it from {', '.join(map(repr, proof.does_not_tell))}")
    return "; ".join(sentences)


def text_of(sizes: Sizes) -> str:
    """Sizes as a reader wants them."""
    return ", ".join(f"{name}={size}" for name, size in sizes.items()) or "its one size"
