"""Where a network's hyperplanes stand in packed sign patterns, and the random words by which faces are recognised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.uint64]
"""Packed bits, or hashes."""

Indices: TypeAlias = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Layout:
    """Numbers of the hyperplanes: the facets of the polytope come first, then the hidden neurons, layer by layer.

    Facets are written as inequalities ``>= 0``, so that only their positive side exists. A pattern has one bit for each
    neuron, set where it is positive; the bits of a layer start at a word of their own.
    """

    facets: int
    widths: tuple[int, ...]

    @cached_property
    def first(self) -> tuple[int, ...]:
        """Number of the first neuron of each hidden layer, and the number of all hyperplanes."""
        return tuple(self.facets + int(n) for n in np.cumsum([0, *self.widths]))

    @cached_property
    def word(self) -> tuple[int, ...]:
        """First word of each hidden layer, and the number of words in a pattern."""
        return tuple(int(n) for n in np.cumsum([0, *(word_count(width) for width in self.widths)]))

    @cached_property
    def layer_of(self) -> npt.NDArray[np.int64]:
        """Layer of every hyperplane, from 1; 0 for facets."""
        return np.repeat(np.arange(len(self.widths) + 1), [self.facets, *self.widths])

    @cached_property
    def _place(self) -> npt.NDArray[np.int64]:
        """Bit of every neuron, counted from the start of a pattern; -1 for facets."""
        neurons = [64 * word + np.arange(width) for word, width in zip(self.word, self.widths, strict=False)]
        return np.concatenate([np.full(self.facets, -1), *neurons])

    def bits(self, hyperplanes: Indices) -> Words:
        """Patterns in which the given hyperplanes are set, facets not: shape ``(n, k) -> (n, words)``."""
        result = np.zeros((len(hyperplanes), self.word[-1]), dtype=np.uint64)
        rows = np.arange(len(hyperplanes))
        for column in hyperplanes.T:
            place = self._place[column]
            neuron = place >= 0
            bit = np.uint64(1) << (place[neuron] % 64).astype(np.uint64)
            result[rows[neuron], place[neuron] // 64] |= bit  # no two entries of a column are in one row
        return result

    def unpacked(self, patterns: Words) -> tuple[npt.NDArray[np.bool_], ...]:
        """Booleans, one array ``(n, width)`` for each hidden layer."""
        return tuple(
            np.unpackbits(
                np.ascontiguousarray(patterns[:, start:end]).view(np.uint8), axis=1, count=width, bitorder="little"
            ).view(np.bool_)
            for start, end, width in zip(self.word, self.word[1:], self.widths, strict=False)
        )


@dataclass(frozen=True, eq=False)
class Keys:
    """Random words: a face has the hash XOR of ``positive`` over its positive neurons and ``zero`` over its hyperplanes."""

    positive: Words
    zero: Words
    tables: Words
    """Shape ``(8 words, 256)``: XOR of ``positive`` over the bits of one byte of a pattern."""

    @staticmethod
    def drawn(layout: Layout) -> Keys:
        """The same words for the same layout."""
        random = np.random.default_rng(layout.first[-1])
        positive, zero = random.integers(0, 2**64, (2, layout.first[-1]), dtype=np.uint64)
        positive[: layout.facets] = 0  # being inside tells no two cells apart
        padded = np.zeros(64 * layout.word[-1], dtype=np.uint64)
        for start, first, end in zip(layout.word, layout.first, layout.first[1:], strict=False):
            padded[64 * start : 64 * start + end - first] = positive[first:end]
        tables = np.zeros((8 * layout.word[-1], 256), dtype=np.uint64)
        for bit, keys in enumerate(padded.reshape(-1, 8).T):
            tables[:, np.arange(256) >> bit & 1 == 1] ^= keys[:, None]
        return Keys(positive, zero, tables)

    def of_patterns(self, patterns: Words, start: int = 0, byte_count: int | None = None) -> Words:
        """XOR of ``positive`` over the bits set, shape ``(n, words) -> (n,)``; the first word is word `start` of a pattern."""
        result = np.zeros(len(patterns), dtype=np.uint64)
        pattern_bytes = np.ascontiguousarray(patterns).view(np.uint8)[:, :byte_count]
        tables = self.tables[8 * start : 8 * start + pattern_bytes.shape[1]].ravel()
        places = 256 * np.arange(pattern_bytes.shape[1])
        for block in in_blocks(len(pattern_bytes), pattern_bytes.shape[1]):
            result[block] = np.bitwise_xor.reduce(tables[pattern_bytes[block] + places], axis=1)
        return result


def word_count(width: int) -> int:
    """Words of 64 bits that hold `width` bits."""
    return -(-width // 64)


def packed(positive: npt.NDArray[np.bool_]) -> Words:
    """Booleans ``(n, width)`` as words ``(n, word_count(width))``."""
    result = np.zeros((len(positive), 8 * word_count(positive.shape[1])), dtype=np.uint8)
    filled = np.packbits(positive, axis=1, bitorder="little")
    result[:, : filled.shape[1]] = filled
    return result.view(np.uint64)


def lowest_bit(words: Words, none: int) -> npt.NDArray[np.int64]:
    """Place of the lowest bit set in each row, `none` where no bit is: shape ``(n, words) -> (n,)``."""
    word = (words != 0).argmax(axis=1)
    column = words[np.arange(len(words)), word]
    lowest = column & (~column + np.uint64(1))
    place = np.frexp(lowest.astype(np.float64))[1] - 1  # a power of two is exact as a float
    return np.where(column != 0, place + 64 * word, none)


def bit_ranges(width: int) -> tuple[Words, Words]:
    """For every ``j < width`` a row of words with the bits below `j` set, and one with those above."""
    places = np.arange(width)
    return packed(places[None, :] < places[:, None]), packed(places[None, :] > places[:, None])


def in_blocks(count: int, width: int) -> Iterator[slice]:
    """Slices of ``range(count)``, so long that rows of `width` floats stay near the processor."""
    size = max(256, 2**18 // max(width, 1))
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def grown(array: npt.NDArray[Any], count: int, capacity: int) -> npt.NDArray[Any]:
    """An array of `capacity` rows that starts with the first `count` rows of `array`."""
    result = np.empty((capacity, *array.shape[1:]), dtype=array.dtype)
    result[:count] = array[:count]
    return result


class Table:
    """Columns with one row for each vertex, or each edge, that grow together.

    Room is made for half as many rows again, so that every row is copied a bounded number of times.
    """

    def __init__(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        self.columns = columns
        self.count = len(next(iter(columns.values())))

    def extend(self, more: int) -> slice:
        """Where `more` new rows, not filled yet, are."""
        start, self.count = self.count, self.count + more
        for name, column in self.columns.items():
            if len(column) < self.count:
                self.columns[name] = grown(column, start, self.count + self.count // 2)
        return slice(start, self.count)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """The rows of a column, as a view."""
        return self.columns[name][: self.count]

    def frozen(self, names: Sequence[str]) -> tuple[npt.NDArray[Any], ...]:
        """Copies of columns, without the room to grow, read-only."""
        results = tuple(self[name].copy() for name in names)
        for result in results:
            result.flags.writeable = False
        return results
