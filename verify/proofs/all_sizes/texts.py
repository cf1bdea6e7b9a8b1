"""Words as text, and back: ``-1/2 lam <A' [D: A B']> W A'`` is a number, scalars, traces between angles, and a word."""

from __future__ import annotations

from collections.abc import Container, Iterator
from fractions import Fraction

from verify.proofs.all_sizes.letters import DIAGONAL, LETTER, MASKED, Atom, Generator, Monomial, NotWords, Terms, Word, times


def word_text(word: Word) -> str:
    """A word, such as ``A' [D: A B']``."""
    return " ".join(map(_atom_text, word))


def _atom_text(atom: Atom) -> str:
    kind, name, turned, inside = atom
    if kind == LETTER:
        return name + "'" * turned
    if kind == DIAGONAL:
        return f"diag({name})"
    return f"[{name}{chr(39) * turned}: {word_text(inside)}]"


def _generator_text(generator: Generator) -> str:
    return generator if isinstance(generator, str) else f"<{word_text(generator)}>"


def terms_text(terms: Terms) -> list[str]:
    """A polynomial, one text for each of its terms, in an order that is always the same."""
    lines = []
    for (monomial, word), value in terms.items():
        scalars = [_generator_text(generator) + (f"^{power}" if power != 1 else "") for generator, power in monomial]
        lines.append(" ".join([str(value), *scalars, *map(_atom_text, word)]))
    return sorted(lines)


def read_terms(lines: list[str], letters: Container[str], scalars: Container[str]) -> Terms:
    """The polynomial that `terms_text` writes; raises `NotWords` where there is none."""
    result: Terms = {}
    for line in lines:
        tokens = _tokens(line)
        try:
            value = Fraction(next(tokens))
        except (StopIteration, ValueError, ZeroDivisionError) as error:
            raise NotWords(f"a term must begin with a number, got {line!r:.60}") from error
        monomial: Monomial = ()
        word: list[Atom] = []
        for token in tokens:
            name, _, power = token.partition("^")
            if token.startswith("<"):
                inside, _, after = token[1:].rpartition(">")
                monomial = times(monomial, ((_word(inside, letters), int(after[1:] or 1)),))
            elif name in scalars or name.startswith("#"):
                monomial = times(monomial, ((name, int(power or 1)),))
            else:
                word.append(_atom(token, letters))
        key = (monomial, tuple(word))
        result[key] = result.get(key, Fraction(0)) + value
    return {key: value for key, value in result.items() if value}


def _word(text: str, letters: Container[str]) -> Word:
    return tuple(_atom(token, letters) for token in _tokens(text))


def _atom(token: str, letters: Container[str]) -> Atom:
    if token.startswith("["):
        mask, _, inside = token[1:-1].partition(": ")
        return MASKED, _known(mask.rstrip("'"), letters), mask.endswith("'"), _word(inside, letters)
    if token.startswith("diag("):
        return DIAGONAL, _known(token[5:-1], letters), False, ()
    return LETTER, _known(token.rstrip("'"), letters), token.endswith("'"), ()


def _known(name: str, letters: Container[str]) -> str:
    if name not in letters:
        raise NotWords(f"no letter is called {name!r:.40}")
    return name


def _tokens(text: str) -> Iterator[str]:
    """What stands between the spaces that are in no brackets."""
    depth, start = 0, 0
    for place, sign in enumerate(text + " "):
        depth += (sign in "[<(") - (sign in "]>)")
        if sign == " " and not depth:
            if place > start:
                yield text[start:place]
            start = place + 1
