"""Exhaustion: all instances of those sizes that have few, of integers, graphs, permutations and their like."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verify.search.batch import Batch, batch_length
from verify.search.findings import sizes_of
from verify.search.phases.draw import Draw
from verify.search.state import Search

SECONDS = 120.0
"""Of the processor, after which a statement that takes long is not evaluated at further instances."""


@dataclass(frozen=True)
class Exhaust(Draw):
    """Judge all instances of some sizes, and note which these are."""

    def run(self, search: Search) -> None:
        """See `Draw`; what was met of which sizes is counted on the way."""
        super().run(search)
        findings, cache = search.findings, search.cache
        if findings.refutation is None and search.without is None and cache.lists_all:
            met: Counter[tuple[int, ...]] = Counter()
            for batch in cache.phase("batched"):
                met[sizes_of(batch.sample)] += batch_length(batch.sample)
            findings.exhausted |= _complete(search, met)

    def _batches(self, search: Search) -> Iterable[Batch]:
        return self._in_time(search)

    def _in_time(self, search: Search) -> Iterator[Batch]:
        start = time.process_time()
        met: Counter[tuple[int, ...]] = Counter()
        for batch in search.cache.phase(self.name):
            if time.process_time() - start > SECONDS:
                break
            yield batch
            met[sizes_of(batch.sample)] += batch_length(batch.sample)
        if search.without is None:
            search.findings.exhausted |= _complete(search, met)


def _complete(search: Search, met: Counter[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """The sizes of which all instances were met, none left out because floats do not decide what it is."""
    names = tuple(search.domain.sizes)
    return {
        sizes: count
        for sizes, count in met.items()
        if count == search.domain.instances_of(dict(zip(names, sizes, strict=True)))
    }
