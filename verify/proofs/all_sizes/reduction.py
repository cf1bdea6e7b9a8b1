"""Normal forms: words by the rules of an alphabet, traces up to rotation, transposition and masks that move."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from verify.proofs.all_sizes.letters import (
    DIAGONAL,
    LETTER,
    MASKED,
    ONE,
    Monomial,
    NotWords,
    Size,
    Terms,
    Word,
    times,
    transposed,
)
from verify.proofs.all_sizes.rules import Alphabet

STEPS = 200_000
"""Most replacements for one statement."""
TERMS = 20_000
"""Most terms of a polynomial."""
FORMS = 400
"""Most forms of one trace."""


class Reduction:
    """Brings polynomials to their normal form by the rules that an alphabet has by now."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.steps = 0
        self._version = alphabet.version
        self._words: dict[Word, Terms] = {}
        self._traces: dict[Word, Terms] = {}

    def __call__(self, terms: Terms) -> Terms:
        """The normal form of a polynomial, whose traces are scalars."""
        if self._version != self.alphabet.version:
            self._version = self.alphabet.version
            self._words.clear()
            self._traces.clear()
        result: Terms = {}
        for (monomial, word), value in terms.items():
            for (scalars, scalar_word), factor in self._monomial(monomial).items():
                if scalar_word:
                    raise NotWords("a scalar has a word")
                for (new_scalars, reduced), number in self._word(word).items():
                    key = (times(scalars, new_scalars), reduced)
                    result[key] = result.get(key, Fraction(0)) + value * factor * number
            if len(result) > TERMS:
                raise NotWords(f"a polynomial has more than {TERMS} terms")
        return {key: value for key, value in result.items() if value}

    def trace(self, terms: Terms, size: Size) -> Terms:
        """The trace of a square polynomial, as a scalar."""
        result: Terms = {}
        for (monomial, word), value in terms.items():
            for (new_scalars, _), factor in self._trace(word, size).items():
                key = (times(monomial, new_scalars), ())
                result[key] = result.get(key, Fraction(0)) + value * factor
        return {key: value for key, value in result.items() if value}

    def diagonal(self, terms: Terms) -> Terms:
        """The normal form of a square polynomial of which only the diagonal counts."""
        result: Terms = {}
        for (monomial, word), value in self(terms).items():
            for key, number in self._diagonal_form(word).items():
                place = (times(monomial, key[0]), key[1])
                result[place] = result.get(place, Fraction(0)) + value * number
        return {key: value for key, value in result.items() if value}

    def _diagonal_form(self, word: Word) -> Terms:
        forms: set[Word] = set()
        waiting = [word]
        while waiting:
            form = waiting.pop()
            if form in forms:
                continue
            if len(forms) > FORMS:
                raise NotWords(f"a diagonal has more than {FORMS} forms")
            forms.add(form)
            reduced = self._word(form)
            if reduced != {((), form): Fraction(1)}:
                ((monomial, reduced_word), value), *further_terms = reduced.items() or [(((), ()), Fraction(0))]
                if further_terms or monomial or value != 1 or len(reduced_word) != len(form):
                    return self.diagonal(reduced)
                waiting.append(reduced_word)
            waiting.append(transposed(form, self.alphabet.symmetric))
            if form and form[0][0] == DIAGONAL:
                waiting.append((*form[1:], form[0]))
            elif form and form[0][0] == MASKED and len(form) > 1:
                _, name, turned, inside = form[0]
                waiting.append((*inside, (MASKED, name, not turned, form[1:])))
        return {((), min(forms)): Fraction(1)}

    # words

    def _step(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise NotWords(f"more than {STEPS} replacements")

    def _word(self, word: Word) -> Terms:
        known = self._words.get(word)
        if known is None:
            known = self._words[word] = self._reduced(word)
        return known

    def _reduced(self, word: Word) -> Terms:
        for place in range(len(word)):
            rule = self._at(word, place)
            if rule is not None:
                length, terms = rule
                self._step()
                return self._each(terms, word[:place], word[place + length :])
        cuts = [place for place in range(1, len(word)) if self._is_cut(word, place)]
        if len(cuts) > 1:
            return self._each(self._trace(word[cuts[0] : cuts[1]], ONE), word[: cuts[0]], word[cuts[1] :])
        return {((), word): Fraction(1)}

    def _is_cut(self, word: Word, place: int) -> bool:
        columns = self.alphabet.shape(word[place - 1])[1]
        return columns.is_number and columns.constant == 1

    def _each(self, terms: Terms, before: Word, behind: Word) -> Terms:
        result: Terms = {}
        for (monomial, word), value in terms.items():
            for (scalars, scalar_word), factor in self._monomial(monomial).items():
                if scalar_word:
                    raise NotWords("a scalar has a word")
                for (new_scalars, reduced), number in self._word(before + word + behind).items():
                    key = (times(scalars, new_scalars), reduced)
                    result[key] = result.get(key, Fraction(0)) + value * factor * number
        return {key: value for key, value in result.items() if value}

    def _at(self, word: Word, place: int) -> tuple[int, Terms] | None:
        """How many atoms are replaced at a place of a word, and by what."""
        atom = word[place]
        for pattern, terms in self.alphabet.rules.get(atom, ()):
            if word[place : place + len(pattern)] == pattern:
                return len(pattern), terms
        if atom[0] == MASKED:
            return self._masked(word, place)
        if atom[0] == DIAGONAL:
            return self._diagonal(word, place)
        return None

    def _masked(self, word: Word, place: int) -> tuple[int, Terms] | None:
        _, name, turned, inside = word[place]
        if len(inside) == 1 and inside[0][:3] == (MASKED, name, turned):
            return 1, {((), (inside[0],)): Fraction(1)}
        argument = self.alphabet.argument.get(name)
        upright = transposed(inside, self.alphabet.symmetric) if turned else inside
        if argument == {((), upright): Fraction(1)} and self.alphabet.is_nonnegative_word(upright):
            return 1, {((), inside): Fraction(1)}
        reduced = self._word(inside)
        if reduced != {((), inside): Fraction(1)}:
            return 1, {
                (monomial, ((MASKED, name, turned, inner),)): value
                for (monomial, inner), value in self._nonempty(reduced).items()
            }
        return None

    def _nonempty(self, terms: Terms) -> Terms:
        if any(not word for _, word in terms):
            raise NotWords("a mask of the identity matrix")
        return terms

    def _diagonal(self, word: Word, place: int) -> tuple[int, Terms] | None:
        if place + 1 == len(word):
            return None
        first, second = word[place], word[place + 1]
        kind = self.alphabet.letters[second[1]].definition[0]
        if second[0] == DIAGONAL:
            if first == second and self.alphabet.is_mask(first[1]):
                return 2, {((), (first,)): Fraction(1)}
            return (2, {((), (second, first)): Fraction(1)}) if second < first else None
        if second[0] == LETTER and not second[2] and kind == "ones":
            return 2, {((), ((LETTER, first[1], False, ()),)): Fraction(1)}
        columns = self.alphabet.letters[second[1]].columns
        if second[0] == LETTER and not second[2] and columns.is_number and columns.constant == 1:
            name = second[1]
            if name == first[1] and self.alphabet.is_mask(name):
                return 2, {((), (second,)): Fraction(1)}
            if name < first[1]:  # both are vectors: their entrywise product
                return 2, {((), ((DIAGONAL, name, False, ()), (LETTER, first[1], False, ()))): Fraction(1)}
        return None

    # traces

    def _monomial(self, monomial: Monomial) -> Terms:
        """A monomial whose traces are reduced."""
        result: Terms = {((), ()): Fraction(1)}
        for generator, power in monomial:
            if isinstance(generator, str):
                factor: Terms = {(((generator, power),), ()): Fraction(1)}
                result = _product(result, factor)
                continue
            if power < 0:
                raise NotWords("a trace is divided by")
            for _ in range(power):
                result = _product(result, self._trace(generator, None))
        return result

    def _trace(self, word: Word, size: Size | None) -> Terms:
        if not word:
            if size is None:
                raise NotWords("a trace has no word")
            return self.alphabet.size_terms(size)
        known = self._traces.get(word)
        if known is None:
            known = self._traces[word] = self._reduced_trace(word)
        return known

    def _reduced_trace(self, word: Word) -> Terms:
        count = len(word)
        cuts = [place for place in range(count) if self._is_cut(word, place)]
        if cuts and (cuts[0] or len(cuts) > 1):
            rotated = word[cuts[0] :] + word[: cuts[0]]
            places = [cut - cuts[0] for cut in cuts] + [count]
            result: Terms = {((), ()): Fraction(1)}
            for start, end in pairwise(places):
                result = _product(result, self._trace(rotated[start:end], ONE))
            return result
        for place in range(count):
            rotated = word[place:] + word[:place]
            rule = self._at(rotated, 0)
            if rule is not None and self._renamed(rotated) is None:
                length, terms = rule
                self._step()
                remaining = rotated[length:]
                size = self.alphabet.shape(rotated[0])[0]
                result = {}
                for (monomial, replaced), value in terms.items():
                    for (scalars, _), number in self._monomial(monomial).items():
                        for (new_scalars, _), factor in self._trace(replaced + remaining, size).items():
                            key = (times(scalars, new_scalars), ())
                            result[key] = result.get(key, Fraction(0)) + value * number * factor
                return {key: value for key, value in result.items() if value}
        if all(atom[0] == DIAGONAL for atom in word):  # the sum of the products of all entries
            first, *others = sorted(word)
            row: Word = ((LETTER, first[1], True, ()),)
            last: Word = (
                ((LETTER, others.pop()[1], False, ()),) if others else self.alphabet.ones(self.alphabet.shape(first)[0])
            )
            return self._trace((*row, *others, *last), ONE)
        forms = self._forms(word)
        for form in sorted(forms):
            cut_count = sum(self._is_cut(form, place) for place in range(len(form)))
            if cut_count > 1 or self._shortens(form):
                return self._trace(form, None)
        return {(((min(forms), 1),), ()): Fraction(1)}

    def _renamed(self, word: Word) -> Word | None:
        """The one word of the same length by which a rule replaces the beginning of a word."""
        rule = self._at(word, 0)
        if rule is None or len(rule[1]) != 1:
            return None
        (monomial, replaced), value = next(iter(rule[1].items()))
        return (*replaced, *word[rule[0] :]) if not monomial and value == 1 and len(replaced) == rule[0] else None

    def _shortens(self, word: Word) -> bool:
        return self._at(word, 0) is not None and self._renamed(word) is None

    def _forms(self, word: Word) -> set[Word]:
        """All words with the same trace: rotations, the transpose, and what masks that move from one factor to another make."""
        forms: set[Word] = set()
        waiting = [word]
        while waiting:
            form = waiting.pop()
            if form in forms:
                continue
            if len(forms) > FORMS:
                raise NotWords(f"a trace has more than {FORMS} forms")
            forms.add(form)
            waiting += self._neighbours(form)
        return forms

    def _neighbours(self, word: Word) -> Iterator[Word]:
        yield transposed(word, self.alphabet.symmetric)
        if (renamed := self._renamed(word)) is not None:
            yield renamed
        for place in range(len(word)):
            rotated = word[place:] + word[:place]
            yield rotated
            kind, name, turned, inside = rotated[0]
            if kind == MASKED and len(rotated) > 1:
                # <D o X, Y> = <X, D o Y>
                yield (*inside, (MASKED, name, not turned, rotated[1:]))
            if kind == LETTER and turned and rotated[1:] and rotated[1][0] == DIAGONAL and self._is_vector(name):
                # v' diag(u) = u' diag(v)
                yield ((LETTER, rotated[1][1], True, ()), (DIAGONAL, name, False, ()), *rotated[2:])

    def _is_vector(self, name: str) -> bool:
        letter = self.alphabet.letters[name]
        return letter.columns.same(ONE) and letter.definition[0] not in ("ones", "part")


def _product(left: Terms, right: Terms) -> Terms:
    result: Terms = {}
    for (first, _), a in left.items():
        for (second, _), b in right.items():
            key = (times(first, second), ())
            result[key] = result.get(key, Fraction(0)) + a * b
    return {key: value for key, value in result.items() if value}
