"""Letters with what holds for them: an alphabet, whose rules are true of every real matrix that the definitions allow.

| letter | rules |
|---|---|
| ``ones`` of n rows | 1'1 = n |
| ``part`` i of a sum of sizes | E_i'E_j is I or 0, E_k E_k' is I less the others, E_i'1 = 1 |
| ``pinv`` P of Y | YPY = Y, PYP = P, (YP)' = YP, (PY)' = PY; Y'YP = Y', P'PY = P'; PE = PP'(E'Y)', (E'Y)PY = E'Y for parts E |
| ``inverse`` S of Q | SQ = QS = I, solved for the leading word of Q |
| ``sum`` Q of several words | Q for the leading word; E'Q for its parts, Q'Q for the leading word of their Gram matrices |
| ``reversal`` J | JJ = I, J1 = 1 |
| ``mask`` D of A | D o D o X = D o X, <D o X, Y> = <X, D o Y>, and D o A = A where A has no negative entry |
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.proofs.all_sizes.letters import (
    DIAGONAL,
    LETTER,
    MASKED,
    ONE,
    SIZE,
    Atom,
    Letter,
    Monomial,
    NotWords,
    Scalar,
    Size,
    Terms,
    Word,
    added,
    scaled,
    times,
    transposed,
)
from verify.proofs.all_sizes.texts import terms_text

IDENTITY: Terms = {((), ()): Fraction(1)}


class Alphabet:
    """Letters and scalars by name, the rules that their definitions give, and what was assumed of them."""

    def __init__(self) -> None:
        self.letters: dict[str, Letter] = {}
        self.scalars: dict[str, Scalar] = {}
        self.symmetric: set[str] = set()
        self.nonnegative: set[str] = set()
        self.rules: dict[Atom, list[tuple[Word, Terms]]] = {}
        self.assumptions: list[str] = []
        self.blocks: dict[str, list[tuple[Word, Terms]]] = {}
        """Of letters that are made of blocks: the embeddings, and what they embed."""
        self.argument: dict[str, Terms] = {}
        """Of what a mask tells where it is positive."""
        self.inverses: dict[str, Terms] = {}
        """Of letters that are inverses: of what."""
        self.version = 0
        self._by_definition: dict[tuple[str, ...], str] = {}

    # letters

    def letter(
        self, name: str, rows: Size, columns: Size, definition: tuple[str, ...] = ("free",), *, symmetric: bool = False
    ) -> Atom:
        """A new letter, or the one that has this definition."""
        if definition != ("free",):
            known = self._by_definition.get(definition)
            if known is not None:
                return LETTER, known, False, ()
            name = self._new(name)
            self._by_definition[definition] = name
        if name in self.letters:
            raise NotWords(f"two letters are called {name}")
        self.letters[name] = Letter(name, rows, columns, definition, symmetric)
        if symmetric:
            self.symmetric.add(name)
        return LETTER, name, False, ()

    def _new(self, name: str) -> str:
        return next(fresh for number in range(1, 10**6) if (fresh := f"{name}_{number}") not in self.letters)

    def scalar(self, name: str, *, positive: bool = False, nonnegative: bool = False) -> Terms:
        """A scalar as a polynomial."""
        self.scalars[name] = Scalar(name, positive, nonnegative or positive)
        return {(((name, 1),), ()): Fraction(1)}

    def shape(self, atom: Atom) -> tuple[Size, Size]:
        """Rows and columns of an atom."""
        kind, name, turned, _ = atom
        letter = self.letters[name]
        if kind == DIAGONAL:
            return letter.rows, letter.rows
        return (letter.columns, letter.rows) if turned else (letter.rows, letter.columns)

    def transposed(self, terms: Terms) -> Terms:
        """The transpose of a polynomial."""
        return {(monomial, transposed(word, self.symmetric)): value for (monomial, word), value in terms.items()}

    def is_positive(self, monomial: Monomial, *, strictly: bool = True) -> bool:
        """Whether a monomial of scalars is known to be positive, or not negative."""
        for generator, power in monomial:
            if not isinstance(generator, str):
                return False
            if generator.startswith(SIZE):
                continue
            known = self.scalars[generator]
            if not (known.positive or (known.nonnegative and not strictly) or (power % 2 == 0 and not strictly)):
                return False
            if power < 0 and not (known.positive or power % 2 == 0):
                return False
        return True

    def is_invertible(self, monomial: Monomial) -> bool:
        """Whether it is known not to be zero."""
        return self.is_positive(monomial)

    # rules

    def rule(self, word: Word, terms: Terms, *, both: bool = True) -> None:
        """The word may be replaced, and its transpose, too, unless they stand on `both` sides of the rule."""
        if not word:
            raise NotWords("a rule has no word")
        self.version += 1
        for left, right in ((word, terms), (transposed(word, self.symmetric), self.transposed(terms)))[: 1 + both]:
            if left not in [known for known, _ in self.rules.get(left[0], [])]:
                self.rules.setdefault(left[0], []).append((left, right))

    def solved_for_lead(self, terms: Terms, usable: Callable[[Word], bool] = bool) -> tuple[Word, Fraction, Monomial, Terms]:
        """The longest word whose coefficient can be divided by: it, that coefficient, and the other terms.

        Words that are no product of a column and a row come first: these are split into scalars elsewhere.
        """
        best: tuple[bool, int, Word, Monomial] | None = None
        for monomial, word in terms:
            if usable(word) and self.is_invertible(monomial):
                if sum(1 for _, other in terms if other == word) > 1:
                    continue
                rank = not any(self.shape(atom)[1].same(ONE) for atom in word[:-1]), len(word), word
                if best is None or rank > best[:3]:
                    best = *rank, monomial
        if best is None:
            raise NotWords("no word has a coefficient that can be divided by")
        word, monomial = best[2:]
        remaining = {key: value for key, value in terms.items() if key != (monomial, word)}
        return word, terms[monomial, word], monomial, remaining

    def assume(self, terms: Terms) -> None:
        """A hypothesis: this polynomial, which is reduced, is zero. It is solved for its leading word."""
        lead, value, monomial, remaining = self.solved_for_lead(terms)
        inverse = tuple((generator, -power) for generator, power in monomial)
        self.rule(lead, scaled(remaining, -1 / value, inverse), both=False)

    # ones and parts of sums

    def ones(self, size: Size) -> Word:
        """The vector of ones; of length one, the empty word."""
        if size.is_number and size.constant == 1:
            return ()
        known = ("ones", str(size)) in self._by_definition
        ones = (self.letter("one", size, ONE, ("ones", str(size))),)
        if not known:
            self.rule(transposed(ones, self.symmetric) + ones, self.size_terms(size))
        return ones

    def size_terms(self, size: Size) -> Terms:
        """A size as a scalar."""
        terms: Terms = {((), ()): Fraction(size.constant)} if size.constant else {}
        return added(terms, {(((SIZE + name, 1),), ()): Fraction(count) for name, count in size.symbols})

    def parts(self, sizes: tuple[Size, ...]) -> list[Word]:
        """The embeddings of the parts of a sum of sizes."""
        if len(sizes) == 1:
            return [()]
        total = Size()
        for size in sizes:
            total = total + size
        names = "|".join(map(str, sizes))
        known = ("part", names, "0") in self._by_definition
        atoms = [self.letter("E", total, size, ("part", names, str(place))) for place, size in enumerate(sizes)]
        if not known:
            words = [(atom,) for atom in atoms]
            for i, first in enumerate(words):
                for j, second in enumerate(words):
                    self.rule(transposed(first, self.symmetric) + second, dict(IDENTITY) if i == j else {})
            last = words[-1]
            others: list[Terms] = [{((), word + transposed(word, self.symmetric)): Fraction(-1)} for word in words[:-1]]
            self.rule(last + transposed(last, self.symmetric), added(IDENTITY, *others))
            for size, word in zip(sizes, words, strict=True):
                ones = self.ones(total)
                if ones:
                    self.rule(transposed(word, self.symmetric) + ones, {((), self.ones(size)): Fraction(1)})
        return [(atom,) for atom in atoms]

    def reversal(self, size: Size) -> Word:
        """The permutation that reverses an order."""
        known = ("reversal", str(size)) in self._by_definition
        J = (self.letter("J", size, size, ("reversal", str(size)), symmetric=True),)
        if not known:
            self.rule(J + J, dict(IDENTITY))
            ones = self.ones(size)
            if ones:
                self.rule(J + ones, {((), ones): Fraction(1)})
        return J

    # definitions

    def pinv(self, atom: Atom, shape: tuple[Size, Size]) -> Word:
        """The pseudo-inverse of an atom."""
        if atom[0] == LETTER and atom[2]:
            return transposed(self.pinv((atom[0], atom[1], False, atom[3]), (shape[1], shape[0])), self.symmetric)
        definition = ("pinv", *terms_text({((), (atom,)): Fraction(1)}))
        known = definition in self._by_definition
        is_symmetric = atom[0] == LETTER and atom[1] in self.symmetric
        P = (self.letter("P", shape[1], shape[0], definition, symmetric=is_symmetric),)
        if not known:
            Y = (atom,)
            Yt, Pt = transposed(Y, self.symmetric), transposed(P, self.symmetric)

            def equal(left: Word, right: Word, *, both: bool = True) -> None:
                self.rule(left, {((), right): Fraction(1)}, both=both)

            equal(Y + P + Y, Y)
            equal(P + Y + P, P)
            if is_symmetric:
                equal(Y + P, P + Y, both=False)
            else:
                equal(Pt + Yt, Y + P, both=False)
                equal(Yt + Pt, P + Y, both=False)
            equal(Yt + Y + P, Yt)
            equal(P + Y + Yt, Yt)
            equal(Pt + P + Y, Pt)
            equal(Y + P + Pt, Pt)
            for embedding, part in self.blocks.get(atom[1], ()):
                # P = PYP = PP'Y'
                self.rule(P + embedding, {(m, P + Pt + word): value for (m, word), value in self.transposed(part).items()})
                if len(part) == 1 and (word := next(iter(part))[1]):
                    # E'YPY = E'Y, with PY = Y'P' where it is transposed
                    self.rule(word + P + Y, {((), word): Fraction(1)}, both=False)
                    transposed_word = transposed(word, self.symmetric)
                    self.rule(P + Y + transposed_word, {((), transposed_word): Fraction(1)}, both=False)
        return P

    def inverse(self, terms: Terms, size: Size) -> Word:
        """The inverse of a square polynomial that is reduced."""
        is_symmetric = self.transposed(terms) == terms
        definition = ("inverse", *terms_text(terms))
        known = definition in self._by_definition
        S = (self.letter("S", size, size, definition, symmetric=is_symmetric),)
        if not known:
            self.inverses[S[0][1]] = terms
            lead, value, monomial, remaining = self.solved_for_lead(terms)
            inverse = tuple((generator, -power) for generator, power in monomial)
            for before in (True, False):
                product = {
                    (scalars, S + word if before else word + S): -number for (scalars, word), number in remaining.items()
                }
                self.rule(S + lead if before else lead + S, scaled(added(IDENTITY, product), 1 / value, inverse))
        return S

    def named(self, terms: Terms, rows: Size, columns: Size, blocks: list[tuple[Word, Terms]]) -> Word:
        """A letter for a polynomial of several words; `blocks` are its embeddings and what they embed, if it has some."""
        is_symmetric = rows.same(columns) and self.transposed(terms) == terms
        definition = ("sum", *terms_text(terms))
        known = definition in self._by_definition
        Q = (self.letter("F" if blocks else "Q", rows, columns, definition, symmetric=is_symmetric),)
        if known:
            return Q
        Qt = transposed(Q, self.symmetric)
        lead, value, monomial, remaining = self.solved_for_lead(terms)
        inverse = tuple((generator, -power) for generator, power in monomial)
        self.rule(lead, scaled(added({((), Q): Fraction(1)}, scaled(remaining, -1)), 1 / value, inverse))
        self.blocks[Q[0][1]] = blocks
        for embedding, part in blocks:
            self.rule(transposed(embedding, self.symmetric) + Q, part)
        if blocks:
            grams = [
                {
                    (times(left[0], right[0]), transposed(left[1], self.symmetric) + right[1]): first * second
                    for left, first in part.items()
                    for right, second in part.items()
                }
                for _, part in blocks
                if len(part) == 1
            ]
            if len(grams) == len(blocks):
                lead, value, monomial, remaining = self.solved_for_lead(added(*grams), lambda word: len(word) > 1)
                inverse = tuple((generator, -power) for generator, power in monomial)
                self.rule(lead, scaled(added({((), Qt + Q): Fraction(1)}, scaled(remaining, -1)), 1 / value, inverse))
        return Q

    def mask(self, terms: Terms, rows: Size, columns: Size, *, strict: bool = True) -> str:
        """The letter that is one where a polynomial is positive, else zero; it is the same for positive multiples.

        Not `strict`, it is one where it is zero, too.
        """
        monomials = [monomial for monomial, _ in terms]
        if monomials and all(monomial == monomials[0] for monomial in monomials) and self.is_positive(monomials[0]):
            terms = {((), word): value for (_, word), value in terms.items()}
        if terms:
            scale = abs(next(value for _, value in sorted(terms.items(), key=lambda pair: terms_text(dict([pair])))))
            terms = scaled(terms, 1 / scale)
        kind = "mask" if strict else "nonnegative"
        name = self.letter("D", rows, columns, (kind, *terms_text(terms)))[1]
        if strict:
            self.argument[name] = terms
        return name

    def is_mask(self, name: str) -> bool:
        """Whether all entries of a letter are zero or one."""
        return self.letters[name].definition[0] in ("mask", "nonnegative")

    def is_nonnegative_word(self, word: Word) -> bool:
        """Whether no entry of a word is negative."""
        return all(self._is_nonnegative(atom) for atom in word)

    def _is_nonnegative(self, atom: Atom) -> bool:
        kind, name, _, inside = atom
        if kind == MASKED:
            upright = tuple(inside) if not atom[2] else transposed(inside, self.symmetric)
            return self.argument.get(name) == {((), upright): Fraction(1)} or self.is_nonnegative_word(inside)
        return name in self.nonnegative or self.letters[name].definition[0] in ("ones", "part", "mask", "nonnegative")
