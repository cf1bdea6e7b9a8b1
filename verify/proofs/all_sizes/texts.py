"""Words as text: ``-1/2 lam <A' [D: A B']> W A'`` is a number, scalars, traces between angles, and a word."""

from __future__ import annotations

from verify.proofs.all_sizes.letters import DIAGONAL, LETTER, Atom, Generator, Terms, Word


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
