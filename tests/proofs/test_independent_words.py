"""The checker of proofs for all sizes: its rules and its numbers each know what is true of words, and nothing beside it."""

import copy
import json
import random
from fractions import Fraction

import numpy as np
import pytest
from test_hostile_certificates import FREE, words

from verify.proofs import independent_words
from verify.proofs.independent_words import Rejected, Rules, Values

A, B, S = ["A", "m", "n", FREE, False], ["B", "m", "n", FREE, False], ["S", "m", "m", FREE, False]
U, V = ["u", "m", "1", FREE, False], ["v", "m", "1", FREE, False]
P, INVERSE = ["P", "n", "m", ["pinv", "1 A"], False], ["I", "m", "m", ["inverse", "1 S"], False]
ONES, REVERSAL = ["e", "m", "1", ["ones"], False], ["J", "m", "m", ["reversal"], False]
FIRST, SECOND = ["p", "m+n", "m", ["part", "m|n", "0"], False], ["q", "m+n", "n", ["part", "m|n", "1"], False]
MASK, WEAK = ["M", "m", "n", ["mask", "1 A"], False], ["N", "m", "n", ["nonnegative", "1 A"], False]
LARGER = ["X", "m", "n", ["maximum", "1", "1 A", "1 B"], False]
SUM = ["C", "m", "n", ["sum", "1 A", "1 B"], False]
GRAM = ["G", "m", "m", ["sum", "1 A A'"], True]
STACK = ["K", "m+n", "n", ["sum", "1 p A", "2 q"], False]
CONSTANT, POSITIVE, NONNEGATIVE = ["c", ""], ["c", "positive"], ["c", "nonnegative"]


def true(left, right, letters, rows="1", columns="1", *, sense="eq", squares=(), diagonal=False, scalars=(), **more):
    comparison = {"left": left, "right": right, "rows": rows, "columns": columns, "sense": sense, "squares": list(squares)}
    return words(letters=letters, scalars=list(scalars), comparison=comparison | {"diagonal": diagonal}, **more)


def weighted(factor, weight="1"):
    """The square of A times a factor."""
    return [weight, factor, ["1 A"], "m", "n"]


DIFFERENCE = ["1", "1", ["1 A", "-1 B"], "m", "n"]
TRUE = {
    "A A+ A = A": true(["1 A P A"], ["1 A"], [A, P], "m", "n"),
    "A+ A A+ = A+": true(["1 P A P"], ["1 P"], [A, P], "n", "m"),
    "A A+ is symmetric": true(["1 P' A'"], ["1 A P"], [A, P], "m", "m"),
    "A' A A+ = A'": true(["1 A' A P"], ["1 A'"], [A, P], "n", "m"),
    "A+ A A' = A'": true(["1 P A A'"], ["1 A'"], [A, P], "n", "m"),
    "S S^-1": true(["1 S I"], ["1"], [S, INVERSE], "m", "m"),
    "S^-1 S": true(["1 I S"], ["1"], [S, INVERSE], "m", "m"),
    "as many ones as rows": true(["1 <e' e>"], ["1 #m"], [ONES]),
    "a reversal of a reversal": true(["1 J J"], ["1"], [REVERSAL], "m", "m"),
    "a reversal of ones": true(["1 J e"], ["1 e"], [ONES, REVERSAL], "m", "1"),
    "a reversal is symmetric": true(["1 J' J"], ["1"], [["J", "m", "m", ["reversal"], True]], "m", "m"),
    "a part is orthogonal": true(["1 p' p"], ["1"], [FIRST, SECOND], "m", "m"),
    "parts are orthogonal to each other": true(["1 p' q", "1 A"], ["1 A"], [A, FIRST, SECOND], "m", "n"),
    "parts are all there is": true(["1 p p'", "1 q q'"], ["1"], [FIRST, SECOND], "m+n", "m+n"),
    "a part of ones": true(["1 p' f"], ["1 e"], [["f", "m+n", "1", ["ones"], False], ONES, FIRST, SECOND], "m", "1"),
    "blocks of a matrix": true(["1 p' K"], ["1 A"], [A, FIRST, SECOND, STACK], "m", "n"),
    "blocks add up": true(["1 K' K"], ["1 A' A", "4"], [A, FIRST, SECOND, STACK], "n", "n"),
    "masks twice": true(["1 [M: [M: B]]"], ["1 [M: B]"], [A, B, MASK], "m", "n"),
    "masks of a sum": true(["1 [M: C]"], ["1 [M: A]", "1 [M: B]"], [A, B, SUM, MASK], "m", "n"),
    "a mask in a trace": true(["1 <B' [M: A]>"], ["1 <A' [M: B]>"], [A, B, MASK]),
    "a mask turned": true(["1 <[M': A'] B>"], ["1 <A' [M: B]>"], [A, B, MASK]),
    "a mask of what is positive": true(["1 [M: A]"], ["1 A"], [A, MASK], "m", "n", nonnegative=["A"]),
    "a mask of what is not negative": true(["1 [N: A]"], ["1 [M: A]"], [A, MASK, WEAK], "m", "n"),
    "a maximum": true(["1 X", "1 A"], ["1 A", "1 X"], [A, B, LARGER], "m", "n"),
    "diagonal matrices": true(["1 diag(u) v"], ["1 diag(v) u"], [U, V], "m", "1"),
    "diagonal matrices commute": true(["1 diag(u) diag(v)"], ["1 diag(v) diag(u)"], [U, V], "m", "m"),
    "a diagonal of ones": true(["1 diag(u) e"], ["1 u"], [U, ONES], "m", "1"),
    "a trace of diagonals": true(["1 <diag(u) diag(v)>"], ["1 <u' v>"], [U, V]),
    "a trace of a diagonal alone": true(["1 <diag(u)>"], ["1 <diag(u)>"], [U]),
    "a trace of a diagonal": true(["1 <diag(u)>"], ["1 <u' e>"], [U, ONES]),
    "three vectors": true(["1 <u' diag(v) u>"], ["1 <diag(u) diag(u) diag(v)>"], [U, V]),
    "a mask of a vector twice": true(
        ["1 diag(w) diag(w) v"], ["1 diag(w) v"], [U, V, ["w", "m", "1", ["mask", "1 u"], False]], "m", "1"
    ),
    "a mask of a vector of itself": true(["1 diag(w) w"], ["1 w"], [U, ["w", "m", "1", ["mask", "1 u"], False]], "m", "1"),
    "numbers leave a word": true(["1 u v' u v'"], ["1 <u' v> u v'"], [U, V], "m", "m"),
    "a product of traces": true(["1 <u' v u' v>"], ["1 <u' v>^2"], [U, V]),
    "a trace is turned": true(["1 <A B' S>"], ["1 <S' B A'>"], [A, B, S]),
    "the diagonal of a product": true(["1 diag(u) S"], ["1 S diag(u)"], [U, S], "m", "1", diagonal=True),
    "the diagonal of a transpose": true(["1 S"], ["1 S'"], [S], "m", "1", diagonal=True),
    "a symmetric matrix": true(["1 G'"], ["1 G"], [A, GRAM], "m", "m"),
    "a sum": true(["1 C"], ["1 A", "1 B"], [A, B, SUM], "m", "n"),
    "a difference": true(["2 C", "-2 B"], ["2 A"], [A, B, SUM], "m", "n"),
    "scalars": true(["1 c c A"], ["1 c^2 A"], [A], "m", "n", scalars=[CONSTANT]),
    "sizes": true(["1 #m A"], ["1 <e' e> A"], [A, ONES], "m", "n"),
    "what is given": true(
        ["3 A"], ["6 B"], [A, B], "m", "n", hypotheses=["h"], given=[[["1 A"], ["2 B"], "m", "n"]]
    ),
    "a square": true(["1 <A A'>"], [], [A], sense="ge", squares=[["1", "1", ["1 A"], "m", "n"]]),
    "the square of a difference": true(["1 <A A'>", "1 <B B'>"], ["2 <A B'>"], [A, B], sense="ge", squares=[DIFFERENCE]),
    "the other way": true(["2 <A B'>"], ["1 <A A'>", "1 <B B'>"], [A, B], sense="le", squares=[DIFFERENCE]),
    "an even power": true(["1 c^2 <A A'>"], [], [A], sense="ge", squares=[weighted("1 c^2")], scalars=[CONSTANT]),
    "a positive factor": true(["1 c <A A'>"], [], [A], sense="ge", squares=[weighted("1 c")], scalars=[POSITIVE]),
    "one over a positive factor": true(
        ["1 c^-1 <A A'>"], [], [A], sense="ge", squares=[["1", "1 c^-1", ["1 A"], "m", "n"]], scalars=[POSITIVE]
    ),
    "a factor that is not negative": true(
        ["3 c <A A'>"], [], [A], sense="ge", squares=[["3", "1 c", ["1 A"], "m", "n"]], scalars=[NONNEGATIVE]
    ),
    "a size as a factor": true(["1 #m <A A'>"], [], [A], sense="ge", squares=[["1", "1 #m", ["1 A"], "m", "n"]]),
}  # fmt: skip
SIZES = {"m": 3, "n": 2}


def by_rules(document):
    (case,) = document["cases"]
    Rules(case).check(case["comparisons"][0])


def by_numbers(document):
    """At ten random instances, as far as what is given holds there and all inverses exist."""
    (case,) = document["cases"]
    rng = random.Random(0)
    for _ in range(10):
        given = {}
        if "given" in case:
            given["B"] = [[independent_words.drawn(rng) for _ in range(2)] for _ in range(3)]
            given["A"] = [[2 * entry for entry in row] for row in given["B"]]
        try:
            values = Values(case, SIZES, given, rng)
        except ZeroDivisionError:
            continue
        assert values.fits(case)
        independent_words._compare(values, case["comparisons"][0])


def changed(document, **more):
    """A document with another comparison; its digest fits."""
    document = copy.deepcopy(document)
    document["cases"][0]["comparisons"][0] |= more
    return document | {"digest": independent_words.digest(document["cases"])}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_of_words_is_known_to_rules_and_to_numbers(name):
    document = json.loads(json.dumps(TRUE[name]))
    by_rules(document)
    by_numbers(document)
    assert independent_words.check(document) == independent_words.ROUNDS


@pytest.mark.parametrize("name", TRUE)
def test_what_is_beside_it_is_refused_by_rules_and_by_numbers(name):
    comparison = TRUE[name]["cases"][0]["comparisons"][0]
    coefficient, _, rest = comparison["left"][0].partition(" ")
    wrong = changed(TRUE[name], left=[f"{Fraction(coefficient) + 1} {rest}".strip(), *comparison["left"][1:]])
    if name == "parts are orthogonal to each other":  # where nothing times two is nothing
        wrong = changed(TRUE[name], left=["1 p' q", "2 A"])
    with pytest.raises(Rejected, match="differ by words that nothing brings to zero"):
        by_rules(wrong)
    with pytest.raises(Rejected, match=r"differ at .* by something else than the squares"):
        by_numbers(wrong)


SQUARE = TRUE["a square"]


NEGATIVE, PERHAPS = "has a weight that is negative", "which may be negative"


@pytest.mark.parametrize(
    ("squares", "scalars", "rules", "numbers"),
    [
        ([weighted("1", "-1")], [], NEGATIVE, NEGATIVE),
        ([weighted("-1")], [], NEGATIVE, NEGATIVE),
        ([weighted("1 c")], [CONSTANT], f"the factor 'c', {PERHAPS}", NEGATIVE),
        ([weighted("1 c^3")], [CONSTANT], f"the factor 'c', {PERHAPS}", NEGATIVE),
        ([weighted("1 c^-1")], [NONNEGATIVE], f"the factor 'c', {PERHAPS}", NEGATIVE),
        ([weighted("1 <A A'>")], [], PERHAPS, "by something else than the squares"),
        ([weighted("1 <A A'>^2")], [], PERHAPS, "by something else than the squares"),
        ([], [], "differ by words", "by something else than the squares"),
        ([weighted("1", "2")], [], "differ by words", "by something else than the squares"),
    ],
)
def test_a_square_is_weighted_by_what_is_not_negative(squares, scalars, rules, numbers):
    document = changed(SQUARE, squares=squares)
    (case,) = document["cases"]
    case["scalars"] = scalars
    with pytest.raises(Rejected, match=rules):
        by_rules(document)
    values = Values(case, SIZES, {"c": Fraction(-1)}, random.Random(0))
    with pytest.raises(Rejected, match=numbers):
        independent_words._compare(values, case["comparisons"][0])


def test_squares_show_inequalities_between_numbers_only():
    for more in ({"sense": "eq"}, {"rows": "m", "left": ["1 u"], "squares": [["1", "1", ["1 A"], "m", "n"]]}):
        document = changed(SQUARE, **more)
        document["cases"][0]["letters"].append(U)
        with pytest.raises(Rejected, match="squares stand where '#1' is no inequality between numbers"):
            by_numbers(document)
    with pytest.raises(Rejected, match="sides are compared by 'lt'"):
        by_numbers(changed(SQUARE, sense="lt"))
    # with its sides turned it is false
    with pytest.raises(Rejected, match="differ by words"):
        by_rules(changed(SQUARE, sense="le"))


SHAPES = {
    "brackets do not match": ["1 <A A'"],
    "no letter is called 'Y'": ["1 Y"],
    "the trace of a word that is not square": ["1 <A> B"],
    "a word of shape": ["1 A A'"],
    "shapes do not fit": ["1 A A"],
    "a mask of another shape": ["1 [A: A A']"],
    "a diagonal that is no vector": ["1 diag(A)"],
    "the identity matrix of shape": ["1"],
    "is no power": ["1 c^65 A"],
    "is no rational": ["1.5 A"],
    "is no length": ["1 #m- A"],
    "the size 'k' is not known": ["1 #k A"],
    "is none from 0 to 64": ["1 #-m A"],
}


@pytest.mark.parametrize("reason", SHAPES)
def test_words_have_shapes(reason):
    document = true(SHAPES[reason], ["1 A"], [A, B], "m", "n", scalars=[CONSTANT])
    with pytest.raises(Rejected, match=reason):
        by_numbers(document)


DEFINED = {
    "ones": (ONES, np.ones((3, 1))),
    "a part": (FIRST, np.eye(5)[:, :3]),
    "the second part": (SECOND, np.eye(5)[:, 3:]),
    "a reversal": (REVERSAL, np.eye(3)[::-1]),
    "a maximum": (LARGER, [[1, 2], [0, 4], [0, 7]]),
    "a mask": (MASK, [[1, 0], [0, 1], [0, 0]]),
    "a weak mask": (WEAK, [[1, 0], [0, 1], [1, 1]]),
    "a sum": (SUM, [[2, 0], [-7, 8], [0, 7]]),
    "an inverse": (INVERSE, np.linalg.inv([[1, 2, 0], [0, 1, 3], [1, 0, 1]])),
    "a pseudo-inverse": (P, np.linalg.pinv([[1, -2], [-7, 4], [0, 0]])),
}


@pytest.mark.parametrize("name", DEFINED)
def test_letters_are_what_defines_them(name):
    letter, wanted = DEFINED[name]
    given = {"A": [[1, -2], [-7, 4], [0, 0]], "B": [[1, 2], [0, 4], [0, 7]], "S": [[1, 2, 0], [0, 1, 3], [1, 0, 1]]}
    given = {key: [[Fraction(entry) for entry in row] for row in rows] for key, rows in given.items()}
    (case,) = words(letters=[A, B, S, letter])["cases"]
    found = Values(case, SIZES, given, random.Random(0)).matrices[letter[0]]
    assert np.allclose(np.array(found, dtype=float), np.array(wanted, dtype=float))


def test_the_pseudo_inverse_of_a_matrix_of_any_rank_is_that_of_floats():
    rng = random.Random(0)
    for rows, columns, rank in ((3, 2, 2), (2, 3, 2), (3, 3, 1), (3, 2, 0), (4, 3, 2)):
        left = [[independent_words.drawn(rng) for _ in range(rank)] for _ in range(rows)]
        right = [[independent_words.drawn(rng) for _ in range(columns)] for _ in range(rank)]
        matrix = independent_words.product(left, right, columns) if rank else [[Fraction(0)] * columns for _ in range(rows)]
        found = independent_words.pseudo_inverse(matrix, columns)
        assert np.allclose(np.array(found, dtype=float), np.linalg.pinv(np.array(matrix, dtype=float)))


def test_special_matrices_may_satisfy_what_is_given():
    """Rows that are multiples of others, and rows and columns of zeros: what chance alone does not draw."""
    rng = random.Random(0)
    matrix = [[Fraction(independent_words.drawn(rng)) or Fraction(1) for _ in range(3)] for _ in range(4)]
    drawn = [np.array(independent_words._special(matrix, rng), dtype=float) for _ in range(60)]
    ranks = [int(np.linalg.matrix_rank(one)) for one in drawn]
    assert {0, 1, 2, 3} <= set(ranks)
    assert any((one == 0).all(axis=0).any() and one.any() for one in drawn)
    assert any((one[0] >= 0).all() and one.all() for one in drawn)


WRONG = {
    "no certificate for all sizes": {"schema": 2},
    "no certificate for all sizes with": {"method": "identity"},
    "it has not what a certificate has": {"more": 1},
    "a text of it is none": {"claim": 7},
    "its digest differs": {"digest": "0" * 64},
    "a size is no positive integer": {"fixed": {"k": [0]}},
    "no size may be any number": {"symbols": []},
    "no size may be any number, or one is a number, too": {"fixed": {"m": [1]}},
    "a case is of other sizes": {"fixed": {"k": [1]}},
    "it does not fit the format": {"fixed": 3},
}


@pytest.mark.parametrize("reason", WRONG)
def test_what_a_certificate_has(reason):
    with pytest.raises(Rejected, match=reason):
        independent_words.check(words() | WRONG[reason])


CASES = {
    "a case has other entries": {"more": 1},
    "a case has other entries than it should": {"comparisons": []},
    "a text of a case is none": {"opaque": [1]},
    "a case assumes more than the certificate says": {"assumptions": ["x > 0"]},
    "is symmetric without a reason": {"letters": [["A", "m", "n", FREE, True]]},
    "a letter is 'guess', which is not known": {"letters": [["A", "m", "n", ["guess"], False]]},
    "it does not fit the format": {"letters": [["A", "m", "n"]]},
    "a case is of other sizes": {"sizes": {"m": 1}},
    "what is no integer": {"integers": {"k": "1"}},
}


@pytest.mark.parametrize("reason", CASES)
def test_what_a_case_has(reason):
    with pytest.raises(Rejected, match=reason):
        independent_words.check(words(**CASES[reason]))


def test_cases_of_sizes_that_are_numbers_are_all_there():
    (case,) = words()["cases"]

    def of_sizes(fixed, *sizes):
        cases = [case | {"sizes": {"k": size}} for size in sizes]
        return independent_words.check(
            words() | {"fixed": {"k": fixed}, "cases": cases, "digest": independent_words.digest(cases)}
        )

    assert of_sizes([1, 2], 1, 2) == 2 * independent_words.ROUNDS
    for fixed, sizes, reason in (
        ([1, 2], (1,), "other values of k"),
        ([1], (1, 2), "other values of k"),
        ([1], (1, 1), "other values of k|two cases are of the same sizes"),
    ):
        with pytest.raises(Rejected, match=reason):
            of_sizes(fixed, *sizes)


def test_a_case_that_nothing_satisfies_is_not_evaluated():
    given = {"hypotheses": ["h"], "given": [[["1 A A'"], ["-1", "-1 A A'"], "m", "m"]]}
    document = true(["1 A"], ["1 A"], [A], "m", "n", **given)
    with pytest.raises(Rejected, match="a case could not be evaluated"):
        independent_words.check(document)


@pytest.mark.parametrize(("text", "value"), [("width+1", 4), ("2*width-1", 5), ("3", 3), ("width-width", 0)])
def test_lengths_are_read(text, value):
    assert independent_words.length_of(text, {"width": 3}) == value


def test_a_size_that_only_letters_name_is_any_number():
    letters = [["A", "k", "n", FREE, False]]
    assert independent_words.check(true(["1 <A A'>"], ["1 <A' A>"], letters)) == independent_words.ROUNDS


def test_a_definition_is_not_solved_for_a_word_that_stands_twice_in_it():
    """C = A + c A does not say what A is without a sum of scalars in a denominator."""
    document = true(
        ["1 C"], ["1 A", "1 c A"], [A, ["C", "m", "n", ["sum", "1 A", "1 c A"], False]], "m", "n", scalars=[POSITIVE]
    )
    by_numbers(document)
    with pytest.raises(Rejected, match="differ by words that nothing brings to zero"):
        independent_words.check(document)


def test_a_product_of_matrices_is_as_much_work_as_it_has_products(monkeypatch):
    matrix = [[Fraction(1)] * 20 for _ in range(20)]
    assert independent_words.product([], matrix, 20) == []
    assert independent_words.product([[], []], [], 3) == [[0, 0, 0], [0, 0, 0]]
    monkeypatch.setattr(independent_words._Work, "remaining", 8000)
    assert independent_words.product(matrix, matrix, 20)[0][0] == 20
    assert independent_words._Work.remaining == 0
    with pytest.raises(Rejected, match="it takes more work"):
        independent_words.product(matrix[:1], [row[:1] for row in matrix], 1)
