"""Inequalities between scalars: a difference that is a sum of squared norms, found by semidefinite programming."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from fractions import Fraction

from flint import fmpq

from verify.proofs.all_sizes.letters import (
    LETTER,
    MASKED,
    Monomial,
    NotWords,
    Size,
    Terms,
    Word,
    added,
    scaled,
    times,
    transposed,
)
from verify.proofs.all_sizes.values import Room
from verify.proofs.certificate import Deadline
from verify.proofs.gram import decomposed, semidefinite

WORDS = 40
"""Most words of one sum of squares."""

Square = tuple[Fraction, Monomial, Terms, Size, Size]
"""A weight, a monomial that is not negative, and a matrix with its shape: weight times monomial times its squared norm."""


def sum_of_squares(room: Room, target: Terms, deadline: Deadline) -> list[Square] | None:
    """Squares whose sum is a scalar that is reduced; None if none were found."""
    squares = _sum_of(room, target, _blocks(room, target, products=False), deadline)
    # with products the words depend on one another, and a programme is harder
    return (
        squares
        if squares is not None or not room.alphabet.inverses
        else _sum_of(room, target, _blocks(room, target, products=True), deadline)
    )


Blocks = list[tuple[Monomial, list[Terms], tuple[Size, Size]]]


def _sum_of(room: Room, target: Terms, blocks: Blocks, deadline: Deadline) -> list[Square] | None:
    if not blocks or sum(len(words) for _, words, _ in blocks) > WORDS:
        return None
    rows: dict[tuple[Monomial, Word], int] = {}
    columns: list[list[list[dict[int, fmpq]]]] = []
    for factor, words, shape in blocks:
        entries = []
        for i, first in enumerate(words):
            row = []
            for second in words[: i + 1]:
                deadline.check()
                column: dict[int, fmpq] = {}
                for (monomial, word), number in room.reduce(_inner(room, second, first, shape)).items():
                    place = rows.setdefault((times(monomial, factor), word), len(rows))
                    column[place] = fmpq(number.numerator, number.denominator)
                row.append(column)
            entries.append(row)
        columns.append(entries)
    right = [fmpq(0)] * len(rows)
    for key, number in target.items():
        if key not in rows:
            return None
        right[rows[key]] = fmpq(number.numerator, number.denominator)
    grams = semidefinite(columns, [len(words) for _, words, _ in blocks], len(rows), right, deadline)
    if grams is None:
        return None
    squares: list[Square] = []
    for k, base, matrix in zip(grams.kept, grams.bases, grams.matrices, strict=True):
        factor, words, shape = blocks[k]
        for weight, vector in zip(*(decomposed(matrix) or ((), ())), strict=True):
            parts = []
            for matrix_word, basis in zip(words, base, strict=True):
                combination = sum((x * y for x, y in zip(basis, vector, strict=True)), fmpq(0))
                parts.append(scaled(matrix_word, Fraction(int(combination.p), int(combination.q))))
            squares.append((Fraction(int(weight.p), int(weight.q)), factor, added(*parts), *shape))
    return squares


def value_of(room: Room, squares: list[Square]) -> Terms:
    """The sum of the squares, as a scalar that is reduced."""
    total: Terms = {}
    for weight, factor, terms, rows, columns in squares:
        if weight < 0 or not room.alphabet.is_positive(factor, strictly=False):
            raise NotWords("a square has a weight that may be negative")
        total = added(total, scaled(room.reduce(_inner(room, terms, terms, (rows, columns))), weight, factor))
    return total


def _inner(room: Room, left: Terms, right: Terms, shape: tuple[Size, Size]) -> Terms:
    """The trace of the transpose of one matrix and another."""
    turned = room.alphabet.transposed(left)
    terms: Terms = {}
    for (first, before), a in turned.items():
        for (second, behind), b in right.items():
            key = (times(first, second), before + behind)
            terms[key] = terms.get(key, Fraction(0)) + a * b
    return room.reduce.trace(terms, shape[1])


def _blocks(room: Room, target: Terms, *, products: bool) -> Blocks:
    """Matrices whose inner products may make up a scalar: the beginnings of its traces, by shape, for each factor.

    With `products`, those of words and of what they have the inverse of, too.
    """
    alphabet = room.alphabet
    words_by_factor: dict[tuple[Monomial, Size, Size], list[Word]] = {}
    for monomial, _ in target:
        traces = [generator for generator, power in monomial if not isinstance(generator, str) for _ in range(power)]
        factor = tuple(pair for pair in monomial if isinstance(pair[0], str))
        if len(traces) != 1 or not alphabet.is_positive(factor, strictly=False):
            half = _halved(monomial)
            if half is not None:
                words_by_factor.setdefault(((), Size((), 1), Size((), 1)), []).append(((-1, "", False, half),))
            continue
        for form in sorted(room.reduce._forms(traces[0])):
            for place in range(1, len(form)):
                word = form[:place]
                if len(word) <= max((len(form) + 1) // 2, 3):
                    shape = alphabet.shape(word[0])[0], alphabet.shape(word[-1])[1]
                    for variant in (word, *_unmasked(word)):
                        words_by_factor.setdefault((factor, *shape), []).append(variant)
    whole: dict[Word, tuple[Size, Size]] = {}
    for (factor, rows, columns), words in list(words_by_factor.items()):
        for word in dict.fromkeys(words):
            for scalars, longer, shape, product in _through_inverses(room, word, (rows, columns)):
                if alphabet.is_positive(times(factor, scalars), strictly=False):
                    words_by_factor.setdefault((times(factor, scalars), *shape), []).append(longer)
                whole[product] = rows, columns
    for product, shape in whole.items() if products else ():
        for (_, rows, columns), words in words_by_factor.items():
            if rows.same(shape[0]) and columns.same(shape[1]):
                words.append(product)
    return _one_way(
        room,
        [(factor, _reduced(room, words, whole), (rows, columns)) for (factor, rows, columns), words in words_by_factor.items()],
    )


def _one_way(room: Room, blocks: Blocks) -> Blocks:
    """Without those that are the transposes of others."""
    alphabet = room.alphabet
    kept: Blocks = []
    for factor, terms_of, shape in blocks:
        turned = [alphabet.transposed(terms) for terms in terms_of]
        if any(
            block[0] == factor
            and all(a.same(b) for a, b in zip(block[2], shape[::-1], strict=True))
            and all(t in block[1] for t in turned)
            for block in kept
        ):
            continue
        kept.append((factor, terms_of, shape))
    return kept


def _reduced(room: Room, words: Sequence[Word], whole: Container[Word]) -> list[Terms]:
    """What words are, each once; those that are sums only where they are wanted as a whole."""
    reduced: list[Terms] = []
    for word in dict.fromkeys(words):
        if word and word[0][0] == -1:
            terms: Terms = {(word[0][3], ()): Fraction(1)}
        else:
            terms = room.reduce({((), word): Fraction(1)})
            if len(terms) != 1 and word not in whole:
                continue
        if terms not in reduced:
            reduced.append(terms)
    return reduced


def _through_inverses(
    room: Room, word: Word, shape: tuple[Size, Size]
) -> Iterator[tuple[Monomial, Word, tuple[Size, Size], Word]]:
    """Words whose squares add up to that of a word with the inverse S of Q at an end: ``w S w'`` is ``w S Q S w'``.

    Each with a scalar before its square, its shape, and the product of the word and a term of Q.
    """
    alphabet = room.alphabet
    for at_start in (True, False):
        if not word or word[0 if at_start else -1][0] != LETTER:
            continue
        terms = alphabet.inverses.get(word[0 if at_start else -1][1], {})
        for monomial, square in terms:
            half = square[len(square) // 2 :]
            if len(square) % 2 or transposed(half, alphabet.symmetric) + half != square:
                continue
            longer = half + word if at_start else word + transposed(half, alphabet.symmetric)
            size = alphabet.shape(half[0])[0] if half else shape[0 if at_start else 1]
            product = square + word if at_start else word + square
            yield monomial, longer, (size, shape[1]) if at_start else (shape[0], size), product


def _unmasked(word: Word) -> list[Word]:
    """A word that is masked, and the word behind the mask."""
    if len(word) == 1 and word[0][0] == MASKED:
        return [tuple(word[0][3])]
    return []


def _halved(monomial: Monomial) -> Monomial | None:
    """The root of a monomial of scalars."""
    if any(power % 2 or not isinstance(generator, str) for generator, power in monomial):
        return None
    return tuple((generator, power // 2) for generator, power in monomial)
