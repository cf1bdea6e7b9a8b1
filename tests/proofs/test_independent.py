"""The checker on the standard library: what it computes modulo a prime, which signs it knows, and what each check is for."""

import random
from fractions import Fraction

import numpy as np
import pytest
from test_hostile_certificates import GOAL, document, of, piece, tree

from verify.proofs import independent, independent_words

FIND_PRIME = independent.prime

ALL = "all real coordinates"
SQUARE = {"value": {"0 0": "1"}, "sense": ">=", "groups": [[["1", [], {"0": "1"}]]]}


def checked(method, data, covers, **more):
    return independent.check_document(document(of(method, data, covers, **more)))


def cell(code, **more):
    """A programme of an identity, with a point and ranges for each of its coordinates."""
    count = code.split().count("x")
    return piece(code, **{"zeros": [], "point": {"x": ["1"] * count}, "ranges": [[None, None]] * count} | more)


def programme(code, covers=ALL, **more):
    return checked("identity", {"pieces": [cell(code, **more)]}, covers)


@pytest.fixture(autouse=True)
def one_prime(monkeypatch):
    """To find a random prime takes most of the time of a check."""
    monkeypatch.setattr(independent, "prime", lambda _: 2**521 - 1)


def refused(reason, of_what, *arguments, **options):
    with pytest.raises(independent.Rejected) as error:
        of_what(*arguments, **options)
    assert reason in str(error.value)


# an operation takes results so many places before; the last result is asked to vanish
IDENTITIES = {
    "a square of a sum": "x x +2,1 *1,1 *4,4 *4,4 *6,5 +1,1 +3,4 +2,1 -1,7",
    "a quotient": "x x /2,1 *1,2 -1,4",
    "a constant": "q3/4 q-1/2 *2,1 q3/8 +1,2",
    "a root": "x q0 -1,2 q0 r2,1 *1,1 -1,6",
    "a root in a denominator": "x q0 -1,2 q0 r2,1 q1 +1,2 q1 /1,2 *1,3 q1 -1,2",
    "a root of a root": "x q0 -1,2 q0 r2,1 q0 -1,2 q0 r2,1 *1,1 *1,1 -1,11",
    "the inverse of a root of a root": "x q0 -1,2 q0 r2,1 q0 -1,2 q0 r2,1 q1 +1,2 q1 /1,2 *1,3 q1 -1,2",
    "a cube root": "x q0 -1,2 q0 q0 r3,2,1 *1,1 *1,2 -1,8",
    "a root of t^2 + 3 t + x": "x q3 r2,1 *1,1 q3 *1,3 +1,3 +1,7",
    "either branch": "x x ?2,1,1 -1,2",
    "a function of which nothing is known": "x gsin,1 -1,1",
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_an_identity_vanishes_and_what_is_beside_it_does_not(name):
    code = IDENTITIES[name]
    # 1 and a root are not zero together
    last, divides = len(code.split()) - 1, name == "a quotient"
    covers = f"{ALL} at which no denominator vanishes" if divides else ALL
    more = {"coverage": "with a value", "exceptions": ["x = 0"]} if divides else {}
    assert checked("identity", {"pieces": [cell(code, zeros=[last])]}, covers, **more).startswith("toy.claim: 1 proofs")
    refused("both sides differ", programme, f"{code} q1 +2,1", zeros=[last + 2])
    if last > 2:
        refused("both sides differ", programme, code, zeros=[last - 1])


def test_a_denominator_that_vanishes_is_refused():
    refused("a denominator vanishes", programme, "x -1,1 x /1,2 -1,1", zeros=[4])


def test_roots_compute_as_numbers_do():
    """Elements of a field with two roots: sums, products and inverses fit together."""
    rng, p = random.Random(0), 2**61 - 1
    algebra = independent.Algebra(p)
    first = algebra.root([rng.randrange(p), 0])
    second = algebra.root([first, rng.randrange(p), 0])

    def number():
        parts = [rng.randrange(p) for _ in range(6)]
        total = 0
        for place, part in enumerate(parts):
            term = part
            for root, power in ((first, place % 2), (second, place // 2)):
                for _ in range(power):
                    term = algebra.times(term, root)
            total = algebra.plus(total, term)
        return total

    for _ in range(20):
        a, b, c = number(), number(), number()
        assert algebra.times(a, algebra.plus(b, c)) == algebra.plus(algebra.times(a, b), algebra.times(a, c))
        assert algebra.times(algebra.times(a, b), c) == algebra.times(a, algebra.times(b, c))
        assert algebra.times(a, b) == algebra.times(b, a)
        assert algebra.times(a, algebra.inverse(a)) == 1
        assert algebra.plus(a, algebra.minus(a)) == 0
    with pytest.raises(independent.Vanishes):
        algebra.inverse(algebra.plus(a, algebra.minus(a)))
    # the square of the first root is a number: t^2 = -c
    assert isinstance(algebra.times(first, first), int)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x1", "'x1' is no operation"),
        ("y", "'y' is no operation"),
        ("x +1", "'+1' has 1 operands"),
        ("x x +1,2,1", "'+1,2,1' has 3 operands"),
        ("x ?1,1", "'?1,1' has 2 operands"),
        ("x r1", "'r1' has 1 operands"),
        ("x +1,2", "operation 1 takes the result '2' places before"),
        ("x +1,0", "operation 1 takes the result '0' places before"),
        ("x +1,a", "operation 1 takes the result 'a' places before"),
        ("x gexp,2", "operation 1 takes the result '2' places before"),
        ("q1/0", "is no rational"),
        ("q", "is no rational"),
        ("zlib:x", "the programme cannot be unpacked"),
    ],
)
def test_what_is_no_programme_is_told(code, reason):
    refused(reason, programme, code, zeros=[0])


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"zeros": [1]}, "zeros must be results of the programme"),
        ({"zeros": [-1]}, "zeros must be results of the programme"),
        ({"zeros": [True]}, "zeros must be results of the programme"),
        ({"zeros": []}, "there is nothing that must hold"),
        ({"zeros": 0}, "zeros must be a list"),
        ({"code": 7}, "code must be text"),
        ({"same": [0], "zeros": []}, "there is nothing that must hold"),
        ({"same": [0]}, "what was taken for zero is not"),
        ({"signs": [[0, 0]]}, "what was taken for zero is not"),
        ({"signs": [[0]]}, "a condition is a result and its sign"),
        ({"signs": [["0", 1]]}, "a condition is a result and its sign"),
        ({"signs": [[2, 1]]}, "there is no condition"),
        ({"signs": [[0, 3]]}, "there is no condition"),
        ({"signs": [[0, -2]]}, "there is no condition"),
        ({"signs": [[0, 1]]}, "not all answers to its questions were met"),
        ({"fixed": {"k": "1"}}, "fixed has lists of numbers"),
        ({"fixed": {"k": ["a"]}}, "is no rational"),
    ],
)
def test_what_a_programme_must_have(more, reason):
    # x - x vanishes, at the place 1; of x alone nothing does
    one = cell("x" if "zeros" in more and len(more) == 1 else "x -1,1", zeros=[1]) | more
    refused(reason, checked, "identity", {"pieces": [one]}, ALL)


COORDINATE, ABOVE, BELOW, FROM_ONE = [None, None], ["0", None], [None, "0"], ["1", None]
SIGNS = [
    # a programme, ranges of its coordinates, and which signs its last result may have
    ("x", [COORDINATE], "-0+"),
    ("x", [ABOVE], "0+"),
    ("x", [BELOW], "-0"),
    ("x", [FROM_ONE], "+"),
    ("x", [[None, "-1"]], "-"),
    ("x", [["-1", None]], "-0+"),
    ("x", [["0", "0"]], "0"),
    ("q0", [], "0"),
    ("q-3", [], "-"),
    ("q1/2", [], "+"),
    ("x *1,1", [COORDINATE], "0+"),
    ("x *1,1", [FROM_ONE], "+"),
    ("x x *1,2", [COORDINATE, COORDINATE], "-0+"),
    ("x x *1,2", [ABOVE, BELOW], "-0"),
    ("x x *1,2", [BELOW, BELOW], "0+"),
    ("x x /1,2", [FROM_ONE, ABOVE], "0+"),
    ("x x +1,2", [ABOVE, ABOVE], "0+"),
    ("x x +1,2", [FROM_ONE, ABOVE], "+"),
    ("x x +1,2", [ABOVE, BELOW], "-0+"),
    ("x x -1,2", [BELOW, ABOVE], "0+"),
    ("x x -1,2", [ABOVE, BELOW], "-0"),
    ("x x -1,2", [ABOVE, ABOVE], "-0+"),
    ("x gexp,1", [COORDINATE], "+"),
    ("x gsin,1", [COORDINATE], "-0+"),
    # a maximum with 0, with 1, and with another coordinate
    ("x q0 ?2,2,1", [COORDINATE], "0+"),
    ("x q1 ?2,2,1", [COORDINATE], "0+"),
    ("x x ?2,2,1", [COORDINATE, COORDINATE], "-0+"),
    ("x x x ?3,2,1", [COORDINATE, ABOVE, FROM_ONE], "0+"),
    ("x x x ?3,2,1", [COORDINATE, BELOW, FROM_ONE], "-0+"),
    # an absolute value, and what is none
    ("x q0 -1,2 ?3,3,1", [COORDINATE], "0+"),
    ("x q1 -1,2 ?3,3,1", [COORDINATE], "-0+"),
    ("x q0 +1,2 ?3,3,1", [COORDINATE], "-0+"),
    # the largest root of t^2 - x, and of t^2 + t - x
    ("x q0 -1,2 q0 r2,1", [ABOVE], "0+"),
    ("x q0 -1,2 q0 r2,1", [FROM_ONE], "+"),
    ("x q0 -1,2 q1 r2,1", [ABOVE], "-0+"),
]


@pytest.mark.parametrize(("code", "ranges", "signs"), SIGNS)
def test_the_sign_of_a_result_is_known(code, ranges, signs):
    """What is not on the right side of zero must vanish, and does not; a root is taken of nothing that may be negative."""
    last = len(code.split()) - 1
    for sense, wrong in (("ge", "-"), ("le", "+")):
        if wrong in signs:
            refused("both sides differ", programme, code, ranges=ranges, orders=[[last, sense]])
        else:
            assert programme(code, ranges=ranges, orders=[[last, sense]])
    with_a_zero = {"code": f"{code} q0 *1,1", "ranges": ranges, "radicands": [last], "zeros": [last + 2]}
    if "-" in signs:
        refused("a root may be taken of a negative number", programme, **with_a_zero)
    else:
        assert programme(**with_a_zero)
    # 0 divided by it
    inverse = {"code": f"{code} q0 /1,2", "ranges": ranges, "zeros": [last + 2]}
    if "0" in signs:
        refused("vanishes", programme, **inverse)
    else:
        assert programme(**inverse)


def test_a_condition_of_a_cell_is_used_and_all_cells_must_be_there():
    """The absolute value of x, for positive and negative x, at which a programme takes x and -x; x = 0 is in neither."""
    code = "x q0 *1,2 +1,3"  # x + 0 x
    assert programme(code, zeros=[2], ranges=[FROM_ONE], signs=[[0, 1]])
    wide = [cell(code, zeros=[2], signs=[[0, sign]]) for sign in (1, -1)]
    refused("not all answers", checked, "identity", {"pieces": wide}, ALL)
    refused("not all answers", programme, code, zeros=[2], signs=[[0, 2]])
    # two questions, the second after one answer of the first only
    squares = "x x *2,2 *2,2 q0"
    first = {"zeros": [4], "ranges": [FROM_ONE, FROM_ONE]}
    one = cell(squares, **first, signs=[[0, 1], [1, 1]])
    assert checked("identity", {"pieces": [one]}, ALL)
    other = cell(squares, **first, signs=[[1, 1]])
    refused("not all answers", checked, "identity", {"pieces": [one, other]}, ALL)
    shorter = cell(squares, **first, signs=[[0, 1]])
    refused("not all answers", checked, "identity", {"pieces": [one, shorter]}, ALL)


def test_values_of_integers_are_told_and_have_cells_of_their_own():
    cells = [cell("x -1,1", zeros=[1], fixed={"k": [k]}) for k in ("0", "1", "2")]
    assert checked("identity", {"pieces": cells}, f"{ALL} and all 3 values of the integers")
    refused("and not 'all real coordinates'", checked, "identity", {"pieces": cells}, ALL)


def test_primes_are_told_from_composite_numbers():
    rng = random.Random(0)
    primes = [2**61 - 1, 2**89 - 1, 2**107 - 1, 10**9 + 7, 41, 43]
    composite = [561 * 1, 1105, 2**67 - 1, (2**31 - 1) * (2**61 - 1), 3215031751, 10**9 + 11, 35, 1369, 1763]
    assert all(independent.is_prime(n, rng.randrange) for n in primes)
    assert not any(independent.is_prime(n, rng.randrange) for n in composite)
    found = FIND_PRIME(rng.randrange)
    assert found.bit_length() == independent.PRIME_BITS
    assert pow(3, found - 1, found) == 1


@pytest.mark.parametrize("power", [1, 2, 3, 5, 40])
def test_certainty_falls_with_the_degree(power):
    code = independent.instructions("x " + "*1,1 " * power)
    assert independent.sizes(code)[-1] == 2**power
    assert independent.bits_of_certainty(code, [power]) == 512 - 11 - (1 + 2**power).bit_length()
    # a sum is as large as the larger, and one bit more; a quotient turns numerator and denominator around
    assert independent.sizes(independent.instructions("x *1,1 x +1,2"))[-1] == 3
    assert independent.sizes(independent.instructions("q1024 q1/1024 /1,2 /1,2"))[-2:] == [1, 11]


def leaf(**more):
    return tree({"goals": [SQUARE], **more})


POSITIVE_X, NEGATIVE_X = [{"0": "1"}, ">="], [{"0": "-1", "": "-1"}, ">="]
BY_X = {"value": {"0": "1"}, "sense": ">=", "groups": [[["1", [0], {"": "1"}]]]}
NOTHING_IS_BOTH = {
    "goals": [{"value": {"0": "1"}, "sense": ">="}],
    "empty": [[], [[["1", [0], {"": "1"}], ["1", [1], {"": "1"}]]]],
}
REST = {"value": {"0 0": "1", "": "1"}, "by": [], "terms": [["1", [], {"0": "1"}], ["1", [], {"": "1"}]]}
ACCEPTED = {
    "a square": (tree({"goals": [SQUARE]}), "all instances"),
    "an assumption": (tree({"new": [POSITIVE_X], "goals": [BY_X]}), "all instances"),
    "a product of assumptions": (
        tree({"new": [POSITIVE_X, [{"0": "1", "": "-1"}, ">"]], "goals": [
            {"value": {"0 0": "2", "0": "-2"}, "sense": ">=", "groups": [[["2", [0, 1], {"": "1"}]]]}]}),
        "all instances",
    ),
    "an equality": (
        tree({"new": [[{"0": "1", "": "-2"}, "="]], "goals": [{"value": {"0 0": "1", "": "-4"}, "sense": "="}]}),
        "all instances",
    ),
    "a square modulo an equality": (
        tree({"new": [[{"0 0": "1", "": "-2"}, "="]], "goals": [{**SQUARE, "value": {"": "2"}}]}), "all instances",
    ),
    "a product of sums": (
        tree({"goals": [{"value": {"0 0 0 0": "1", "0 0": "1"}, "sense": ">=",
                         "groups": [[["1", [], {"0": "1"}]], [["1", [], {"0": "1"}], ["1", [], {"": "1"}]]]}]}),
        "all instances",
    ),
    "a rest": (
        tree({"goals": [{"value": {"0 0": "3", "": "3"}, "sense": ">=", "groups": [[["3", [], {"": "1"}]]], "rest": REST}]}),
        "all instances",
    ),
    "two cells": (
        tree({"ask": {"0": "1"}, "zero": False, "yes": {"new": [], "goals": [{**BY_X, "value": {"0": "1"}}]},
              "no": {"new": [], "goals": [{"value": {"0": "-1"}, "sense": ">=", "groups": [[["1", [0], {"": "1"}]]]}]}}),
        "all instances, in 2 cells",
    ),
    "where it is zero, and not": (
        tree({"ask": {"0": "1"}, "zero": True, "yes": {"new": [], "goals": [{"value": {"0": "5"}, "sense": "="}]},
              "no": {"new": [], "goals": [{"value": {"0 0": "1"}, "sense": ">=", "groups": [[["1", [0], {"": "1"}]]]}]}}),
        "all instances, in 2 cells",
    ),
    "a cell outside": (
        tree({"ask": {"0": "1"}, "zero": False, "yes": {"new": [], "goals": [BY_X]}, "no": {"new": [], "outside": True}}),
        "all instances",
    ),
    "an empty cell": (
        tree({"new": [POSITIVE_X], "ask": {"0": "-1", "": "-1"}, "zero": False,
              "yes": {"new": [], **NOTHING_IS_BOTH}, "no": {"new": [], "goals": [BY_X]}}),
        "all instances",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_follows_is_accepted(name):
    data, covers = ACCEPTED[name]
    assert checked("sum_of_squares", data, covers) == "toy.claim: 1 proofs (sum_of_squares)"
    refused("it covers ", checked, "sum_of_squares", data, covers + ", in 3 cells")


def test_a_statement_without_a_value_on_a_thin_set_says_so():
    data = tree({"ask": {"0": "1"}, "zero": True, "yes": {"new": [], "undefined": True}, "no": {"new": [], "goals": [SQUARE]}})
    covers = "all instances, where no denominator vanishes and roots and logarithms are defined"
    assert checked("sum_of_squares", data, covers, coverage="with a value", exceptions=["x_0 = 0"])
    for name, wrong in (("ask", {"1": "1"}), ("zero", False)):
        changed = tree({**data["cases"][0]["tree"], name: wrong})
        refused(
            "no value on an open set",
            checked,
            "sum_of_squares",
            changed,
            covers,
            coverage="with a value",
            exceptions=["x_0 = 0"],
        )


OUTSIDE = {"new": [], "outside": True}
REFUSED = {
    "no leaf shows anything": {"outside": True},
    "a leaf has nothing to show": {"goals": []},
    "a goal is no equality and no inequality": {"goals": [{**SQUARE, "sense": ">"}]},
    "an equality does not follow": {"goals": [{"value": {"0": "1"}, "sense": "="}]},
    "a sum of squares is not what it should be": {"goals": [{**SQUARE, "value": {"0 0": "1", "": "1"}}]},
    "a monomial stands twice": {"goals": [{**SQUARE, "groups": [[["1", [], {"0 1": "1", "1 0": "1"}]]]}]},
    "an unknown has no such number": {"goals": [{**SQUARE, "groups": [[["1", [], {"a": "1"}]]]}]},
    "a polynomial has coefficients by monomial": {"goals": [{**SQUARE, "groups": [[["1", [], "0"]]]}]},
    "a weight is negative": {"goals": [{**SQUARE, "value": {"0 0": "-1"}, "groups": [[["-1", [], {"0": "1"}]]]}]},
    "a factor is no inequality": {"new": [[{"0": "1"}, "="]], "goals": [BY_X]},
    "an assumption is no equality and no inequality": {"new": [[{"0": "1"}, "<"]], "goals": [SQUARE]},
    "a number is assumed to have a sign": {"new": [[{"": "1"}, ">"]], "goals": [SQUARE]},
    "a question is about zero": {"ask": {"0": "1"}, "zero": 1, "yes": OUTSIDE, "no": OUTSIDE},
    "is no monomial": {"goals": [{**SQUARE, "value": {"0  0": "1"}}]},
    "no assumption has the number True": {"new": [POSITIVE_X], "goals": [{**BY_X, "groups": [[["1", [True], {"": "1"}]]]}]},
    "a factor is not known to be positive": {"new": [POSITIVE_X], "goals": [{**SQUARE, "rest": {**REST, "by": [0]}}]},
    "it has not the form of a proof": {"goals": [{**SQUARE, "groups": [[["1", []]]]}]},
}  # fmt: skip


@pytest.mark.parametrize("reason", REFUSED)
def test_what_does_not_follow_is_refused(reason):
    refused(reason, checked, "sum_of_squares", tree(REFUSED[reason]), "all instances")


def test_a_rest_is_no_rest_because_it_is_assumed_to_be_negative():
    """What shows that the rest is positive may use that it is not, and nothing of that stays for what follows."""
    rest = {"value": {"0": "1"}, "by": [], "terms": [["1", [], {"0": "1"}]]}
    goal = {"value": {"0": "1"}, "sense": ">=", "groups": [[["1", [], {"": "1"}]]], "rest": rest}
    refused("a sum of squares is not what it should be", checked, "sum_of_squares", tree({"goals": [goal]}), "all instances")
    positive = {"value": {"0 0": "1"}, "by": [], "terms": [["1", [], {"0": "1"}]]}
    first = {"value": {"0 0": "1"}, "sense": ">=", "groups": [[["1", [], {"": "1"}]]], "rest": positive}
    second = {"value": {"0": "-1"}, "sense": ">=", "groups": [[["1", [0], {"": "1"}]]]}
    refused("no assumption has the number 0", checked, "sum_of_squares", tree({"goals": [first, second]}), "all instances")


def test_an_empty_cell_is_empty():
    for groups, reason in (
        ([[["1", [0], {"": "1"}]]], "a sum of squares is not what it should be"),
        ([[["1", [2], {"": "1"}]]], "no assumption has the number 2"),
    ):
        node = {"new": [POSITIVE_X, NEGATIVE_X], **NOTHING_IS_BOTH, "empty": [[], groups]}
        refused(reason, checked, "sum_of_squares", tree(node), "all instances")
    # an empty cell shows nothing of the statement
    refused(
        "no leaf shows anything",
        checked,
        "sum_of_squares",
        tree({"new": [POSITIVE_X, NEGATIVE_X], **NOTHING_IS_BOTH}),
        "all instances",
    )


def taylor(factors, order, rest, side, value, new=(), defined=(("exp", {"0": "1"}),)):
    """A goal that is one of Taylor's bounds: the last of what is assumed."""
    goal = {"value": value, "sense": ">=", "lemmas": [{"taylor": [factors, order, rest, side]}]}
    goal["groups"] = [[["1", [len(new)], {"": "1"}]]]
    return tree({"new": list(new), "goals": [goal], "defined": [list(one) for one in defined]})


EXP = [[0, -1, 1]]


@pytest.mark.parametrize(
    "data",
    [
        taylor(EXP, 1, False, -1, {"1": "1", "0": "-1", "": "-1"}),
        taylor(EXP, 3, False, -1, {"1": "1", "0 0 0": "-1/6", "0 0": "-1/2", "0": "-1", "": "-1"}),
        taylor(EXP, 1, True, -1, {"1 0": "1", "1": "-1", "": "1"}),
        taylor(EXP, 2, False, 0, {"1": "1", "0 0": "-1/2", "0": "-1", "": "-1"}, [POSITIVE_X]),
        taylor(EXP, 2, False, 0, {"1": "-1", "0 0": "1/2", "0": "1", "": "1"}, [[{"0": "-3"}, ">="]]),
        taylor(EXP, 2, False, 0, {"1": "1", "0 0": "-1/2", "0": "-1", "": "-1"}, [[{"1": "1", "": "-1"}, ">="]]),
        taylor([[0, -1, 2]], 1, False, -1, {"1 1": "1", "0": "-2", "": "-1"}),
        # w = e^t is x, and t is its logarithm
        taylor(EXP, 1, False, -1, {"0": "1", "1": "-1", "": "-1"}, defined=[("log", {"0": "1"})]),
    ],
)
def test_what_taylors_formula_says_is_accepted(data):
    assert checked("sum_of_squares", data, "all instances")
    goal = data["cases"][0]["tree"]["goals"][0]
    goal["value"] = {**goal["value"], "": str(Fraction(goal["value"].get("", "0")) - 1)}
    refused("a sum of squares is not what it should be", checked, "sum_of_squares", data, "all instances")


@pytest.mark.parametrize(
    ("arguments", "new", "reason"),
    [
        (([], 1, False, -1), (), "Taylor's formula is taken of nothing"),
        ((EXP, 1, 1, -1), (), "Taylor's formula is taken of nothing"),
        ((EXP, 0, False, -1), (), "Taylor's formula is taken to no order"),
        ((EXP, 13, False, -1), (), "Taylor's formula is taken to no order"),
        (([[0, -1, 0]], 1, False, -1), (), "Taylor's formula is taken to no order"),
        (([[1, -1, 1]], 1, False, -1), (), "an unknown is no exp and no log"),
        (([[-1, -1, 1]], 1, False, -1), (), "an unknown is no exp and no log"),
        (([[True, -1, 1]], 1, False, -1), (), "an unknown is no exp and no log"),
        ((EXP, 2, False, -1), (POSITIVE_X,), "the sign of an exponent is not assumed"),
        ((EXP, 2, False, 1), (POSITIVE_X,), "the sign of an exponent is not assumed"),
        ((EXP, 2, False, True), (POSITIVE_X, POSITIVE_X), "the sign of an exponent is not assumed"),
        ((EXP, 2, False, 0), ([{"0": "1"}, "="],), "the sign of an exponent is not assumed"),
        ((EXP, 2, False, 0), ([{"0": "1", "": "1"}, ">="],), "an assumption does not show the sign of an exponent"),
        ((EXP, 2, False, 0), ([{"0 0": "1"}, ">="],), "an assumption does not show the sign of an exponent"),
    ],
)
def test_what_taylors_formula_does_not_say_is_refused(arguments, new, reason):
    refused(reason, checked, "sum_of_squares", taylor(*arguments, {"1": "1"}, new), "all instances")


DIGEST = {"instances": 2, "valid": 1, "grid": False, "digest": "0" * 64}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({**DIGEST, "valid": 0}, "there must be instances that satisfy"),
        ({**DIGEST, "valid": 3}, "there must be instances that satisfy"),
        ({**DIGEST, "instances": "2"}, "there must be instances that satisfy"),
        ({**DIGEST, "digest": "0" * 63}, "the digest is none"),
        ({**DIGEST, "grid": 0}, "whether the instances are a grid"),
    ],
)
def test_finite_cases_have_their_form(data, reason):
    refused(reason, independent.check_finite_cases, data)
    with pytest.raises(independent.NotChecked, match="the verdicts of finite cases"):
        independent.check_finite_cases(DIGEST)


def test_what_is_taken_for_known_is_proved_for_all_its_instances():
    square = of("sum_of_squares", tree({"goals": [GOAL]}))
    given = {"claim": "a.b", "proof": square}
    data = {"given": [given], **tree({"goals": [GOAL]})}
    with pytest.raises(independent.NotChecked, match="what is given is what the tree assumes"):
        independent.check_by_reference(data)
    finite = of("finite_cases", DIGEST, "all 2 instances, of which 1 satisfy the hypotheses")
    with pytest.raises(independent.NotChecked, match="what is given is what the tree assumes"):
        independent.check_by_reference({**data, "given": [{"claim": "a.b", "proof": finite}]})
    identity = of("identity", {"pieces": [piece("q0")]}, ALL)
    wrong = of("sum_of_squares", tree({"goals": [{**GOAL, "value": {"0 0": "-1"}}]}))
    for one, reason in (
        ([], "nothing is taken for known"),
        ([{"claim": 1, "proof": square}], "claim must be text"),
        ([{**given, "more": 1}], "it has other data than claim, proof"),
        ([{"claim": "a.b", "proof": identity}], "is not proved for all its instances"),
        ([{"claim": "a.b", "proof": wrong}], "a sum of squares is not what it should be"),
    ):
        refused(reason, independent.check_by_reference, {**data, "given": one})
    refused(
        "a sum of squares is not", independent.check_by_reference, {**data, **tree({"goals": [{**GOAL, "value": {"": "-1"}}]})}
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"claim": ""}, "its claim is no identifier"),
        ({"claim": "a" * 201}, "its claim is no identifier"),
        ({"claim": 7}, "claim must be text"),
        ({"schema": 1}, "it is a certificate of an earlier schema"),
        ({"schema": 3}, "it is no certificate of schema 2"),
        ({"proofs": {}}, "proofs must be a list"),
    ],
)
def test_what_a_certificate_has(change, reason):
    refused(reason, independent.check_document, document(of("sum_of_squares", leaf())) | change)


def test_a_proof_is_of_a_method_that_there_is():
    refused("no method is called 'guess'", checked, "guess", leaf(), "all instances")
    refused("a size is no integer", independent.check_document, document({**of("sum_of_squares", leaf()), "sizes": {"n": "2"}}))
    refused("a proof has sizes and data", independent.check_document, document({**of("sum_of_squares", leaf()), "data": []}))


@pytest.mark.parametrize(("text", "value"), [("-3/4", Fraction(-3, 4)), ("12", Fraction(12)), ("0/5", Fraction(0))])
def test_rationals_are_read(text, value):
    assert independent.rational(text) == value
    for wrong in (f"{text}x", f" {text}", text.replace("4", "0") if "4" in text else f"{text}/0/0", 7, None, "9" * 4001):
        refused("", independent.rational, wrong)


def test_what_is_read_and_not_needed_is_work_too(monkeypatch):
    monkeypatch.setattr(independent, "MOST_WORK", 20_000)
    long = {" ".join(["0"] * k): "1" for k in range(900, 1000)}
    refused("it takes more work", checked, "sum_of_squares", tree({"new": [[long, ">="]], "outside": True}), "all instances")
    monkeypatch.setattr(independent, "MOST_WORK", 60_000)
    refused(
        "no leaf shows anything", checked, "sum_of_squares", tree({"new": [[long, ">="]], "outside": True}), "all instances"
    )


def test_the_size_of_what_roots_generate_bounds_what_it_is():
    """Powers of a root of t^2 + x t + x: the degrees of their coefficients in x, and how many bits these have."""
    code = independent.instructions("x " + "r1,1 " + "*1,1 " * 5)
    bounds = independent.sizes(code)
    power = [[0], [1]]  # a_0 + a_1 t, polynomials in x
    for bound in bounds[2:]:
        low, high = power
        squares = {0: np.polymul(low, low), 1: 2 * np.polymul(low, high), 2: np.polymul(high, high)}
        # t^2 = -x t - x
        power = [np.polysub(squares[k], np.polymul([1, 0], squares[2])) for k in (0, 1)]
        degree = max(len(np.trim_zeros(part, "f")) - 1 for part in power)
        assert degree <= bound
        assert max(int(sum(abs(int(c)) for c in part)).bit_length() for part in power) <= bound + 1
    # it is no larger than it must be for an honest proof: 2^5 operations are far below the bits of a prime
    assert bounds[-1] < 2**9


@pytest.mark.parametrize("read", [independent.rational, independent_words.rational])
def test_the_longest_numbers_are_read(read):
    longest = "-" + "9" * 4000 + "/" + "7" * 4000
    assert read(longest) == Fraction(-int("9" * 4000), int("7" * 4000))
    for wrong in (longest.replace("/", "9/"), longest + "7"):
        with pytest.raises(ValueError, match="a number is text"):
            read(wrong)
