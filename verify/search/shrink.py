"""Make a refutation smaller while it stands: fewer digits, smaller integers, more zeros."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from verify.claim import Statement
from verify.domain import Coordinate, Domain, Sample
from verify.relation import Verdict
from verify.search.decide import Refutation, decide_sample, verdict_of


def shrink(
    refutation: Refutation, statement: Statement, domain: Domain, *, without: str | None = None, decisions: int = 400
) -> Refutation:
    """The simplest refutation that greedy changes of single entries reach within `decisions` exact decisions."""
    best = refutation
    layout = domain.layout(best.sample.sizes)
    improved = True
    while improved:
        improved = False
        for name, coordinate in layout.items():
            for index in range(int(best.sample.coordinates[name].size)):
                for entry in _simpler(best.sample.coordinates[name].flat[index], coordinate):
                    if decisions == 0:
                        return best
                    decisions -= 1
                    changed = best.sample.coordinates[name].copy()
                    changed.flat[index] = entry
                    sample = Sample(best.sample.sizes, {**best.sample.coordinates, name: changed})
                    relation = decide_sample(statement, domain, sample, without)
                    if relation is not None and verdict_of(relation) == Verdict.FAILS:
                        best, improved = Refutation(sample, relation), True
                        break
    return best


def _complexity(entry: fmpq) -> tuple[int, int, bool]:
    return int(entry.q), abs(int(entry.p)), entry < 0


def _simpler(entry: fmpq, coordinate: Coordinate) -> Iterator[fmpq]:
    """Simpler rationals to try instead of `entry`, simplest first."""
    candidates = [fmpq(0), fmpq(1), fmpq(-1)]
    for denominator in (1, 2, 4, 8, 64):
        if coordinate.integer and denominator > 1:
            break
        nearest = (entry * denominator + fmpq(1, 2)).floor()
        candidates += [fmpq(nearest, denominator), fmpq(nearest - (1 if nearest > 0 else -1), denominator)]
    tried = set()
    for candidate in candidates:
        inside = coordinate.lower <= float(candidate.p) / float(candidate.q) <= coordinate.upper
        if inside and _complexity(candidate) < _complexity(entry) and candidate not in tried:
            tried.add(candidate)
            yield candidate
