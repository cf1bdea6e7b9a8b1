"""Usual slips of a newcomer: each ends in one sentence that says what to write, without a traceback."""

import re

import numpy as np
import pytest
from scipy import special

from verify import Claim, Domain, FalseAsPrinted, Q, Source, Tight, attack, check, evaluate, interval, reals, words
from verify.claims.catalogue import cause_of_import_error
from verify.linting.lint import _WORDS
from verify.words import le, norm, vector


def bound(x, y, factor=1):
    return le(x @ y, factor * norm(x) * norm(y))


def smaller(x, y):
    return bound(x, y, Q("9/10"))


DOMAIN = Domain({"x": reals(2), "y": reals(2)})


def claim(**changes):
    given = {
        "id": "lint.cauchy",
        "title": "Cauchy",
        "source": Source("slips", "Cauchy"),
        "statement": bound,
        "domain": DOMAIN,
        "false_variants": {"smaller": smaller},
    }
    return Claim(**(given | changes))


def found(**changes):
    """The problems of a claim, in one text."""
    return "\n".join(check(claim(**changes)).problems)


def attacked(statement, **variables):
    return "\n".join(attack(statement, variables or {"x": reals(2), "y": reals(2)}).problems)


SLIPS = {
    "capital letters in the id": (lambda: claim(id="Slips.Cauchy"), "id must look like document.label, in lower case"),
    "the source as a tuple": (lambda: claim(source=("slips", "Cauchy")), "write Source('paper', 'label')"),
    "the statement called": (lambda: claim(statement=bound(np.ones(2), np.ones(2))), "write its name without parentheses"),
    "the domain as a dict": (lambda: claim(domain={"x": reals(2)}), "write Domain({'x': reals()})"),
    "the status as text": (lambda: claim(status="stated"), "write Stated(), DerivedHere(), Conjectured() or"),
    "the class of a status": (lambda: claim(status=FalseAsPrinted), "FalseAsPrinted(corrected_by=ID)"),
    "no false variant": (lambda: claim(false_variants={}), "write false_variants={'a smaller constant': ...}"),
    "variants in a list": (lambda: claim(false_variants=[smaller]), "write false_variants={'a name': ...}"),
    "a relation as an exact part": (lambda: claim(exact={"one": le(Q(1), Q(2))}), "must be a function, got Relation"),
    "a list in place of Tight": (
        lambda: claim(tight={"a": [1, 0]}),
        "must be an instance, got list: write {'x': [3, 4]}",
    ),
    "an instance in place of a function": (lambda: Tight({"x": [1, 0]}), "write Tight(lambda: {'x': [3, 4]})"),
    "needs as text": (lambda: claim(needs="x is small"), "write needs=('x is small',)"),
    "a pair of numbers as a variable": (lambda: Domain({"x": (0, 1)}), "write interval(0, 1)"),
    "a number as sizes": (
        lambda: Domain({"x": reals("n")}, {"n": 3}),
        "sizes['n'] must be the integers it may be, none negative, got",
    ),
    "a length that is no size": (lambda: attacked(lambda x: le(x, x), x=reals("n")), "must be one of the sizes of the domain"),
    "a float as a length": (
        lambda: attacked(lambda x: le(x, x), x=reals(2.5)),
        "or a function of the sizes, got 2.5",
    ),
    "an interval upside down": (lambda: interval(1, 0), "lower must be below upper, got the interval [1, 0]"),
    "a hypothesis that is a value": (
        lambda: Domain({"x": reals()}, hypotheses={"positive": True}),
        "write lambda x: x > 0",
    ),
    "a hypothesis of another variable": (
        lambda: found(domain=Domain(DOMAIN.variables, hypotheses={"small": lambda z: z < 1})),
        "the hypothesis 'small' takes 'z', and the domain has no such variable: it has x, y",
    ),
    "a statement of another variable": (
        lambda: attacked(lambda x, z: le(x, z)),
        "takes 'z', and the domain has no such variable",
    ),
    "a comparison by Python": (
        lambda: attacked(lambda x, y: x[0] <= y[0]),
        "must return a relation, made by le",
    ),
    "relations joined by and": (lambda: attacked(lambda x, y: le(x[0], 1) and le(y[0], 9)), "join two with &"),
    "a comparison over a batch": (lambda: attacked(lambda x: le(x[0], 9, over=0)), "leave out over= and the axis of the batch"),
    "a comparison of constants": (lambda: attacked(lambda: le(1, 2)), "compare what depends on the instance"),
    "an entry that is set": (lambda: attacked(lambda x: x.__setitem__(0, 1)), "write y = 2 * x for x *= 2"),
    "a truth value of an array": (lambda: attacked(lambda x, y: le(x, y) if x > 0 else le(y, x)), "write .all() or .any()"),
    "a root of NumPy": (lambda: attacked(lambda x: le(np.sqrt(Q(2)) * x, 9)), "write sqrt, exp, log or power"),
    "a float constant": (lambda: attacked(lambda x: le(0.1 * norm(x), 9)), "such as Q('1/10')"),
    "other shapes": (lambda: attacked(lambda x: le(x @ vector(1, 2, 3), 9)), "as many columns as the other has rows"),
    "a tight example without names": (
        lambda: found(tight={"a": Tight(lambda: [1, 0])}),
        "by name, such as {'x': [3, 4]}",
    ),
    "a tight example of other names": (
        lambda: found(tight={"a": Tight(lambda: {"u": [1, 0], "v": [2, 0]})}),
        "does not give the variable 'x'",
    ),
}


@pytest.mark.filterwarnings("ignore:undecided")
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_ends_in_one_sentence(name):
    slip, sentence = SLIPS[name]
    try:
        said = slip()
    except (TypeError, ValueError) as error:
        said = str(error)
    lines = [line for line in said.splitlines() if sentence in line]
    assert lines, said
    assert "Traceback" not in said
    assert len(lines[0]) < 400


def test_there_are_twenty_and_more():
    assert len(SLIPS) >= 20


def test_a_slip_in_a_module_is_one_line_with_its_place(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from verify.cli import app

    (tmp_path / "slipping").mkdir()
    (tmp_path / "slipping" / "__init__.py").touch()
    # its name is part of the path of the file that raises
    (tmp_path / "slipping" / "verify.py").write_text("from verify import Domain\n\nDOMAIN = Domain({'x': (0, 1)})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = CliRunner().invoke(app, ["run", "--package", "slipping"])
    assert result.exit_code == 2
    assert (
        "slipping.verify cannot be imported: verify.py:3: TypeError: variables['x'] must say how it is drawn" in result.stderr
    )
    assert "Traceback" not in result.stderr + result.stdout


def test_lists_are_taken_where_arrays_are():
    sharp = {"integers": {"x": [3, 4], "y": [6, 8]}, "fractions": {"x": ["1/2", 1], "y": (1, 2)}}
    assert check(claim(tight=sharp)).problems == []
    floats = Tight(lambda: {"x": [0.3, 0.4], "y": [0.6, 0.8]}).variables()
    assert floats["x"].dtype == np.float64
    assert Tight(lambda: {"x": 3}).variables()["x"] == 3


def test_a_tuple_of_arrays_stays_one():
    layers = (np.ones((2, 3)), np.ones((1, 2)))
    assert Tight(lambda: {"layers": layers}).variables()["layers"] is layers


def hostile(x, y):  # noqa: ARG001 (a statement of two vectors)
    raise ValueError(f"\x1b[31mred\x07{'y' * 20_000}")


def test_a_terminal_obeys_no_message_and_long_ones_are_cut():
    problem = next(line for line in check(claim(statement=hostile, tight={})).problems if "ValueError" in line)
    assert problem.isprintable()
    assert r"ValueError: \x1b[31mred\x07yyy" in problem
    assert "and 19009 more characters" in problem
    cause = cause_of_import_error("a", ImportError("\x1b]0;title\x07"))
    assert cause == r"a cannot be imported: a: ImportError: \x1b]0;title\x07"


def test_a_claim_of_version_0_1_is_told_the_present_name():
    with pytest.raises(TypeError) as raised:
        claim(false_neighbours={})
    assert cause_of_import_error("a", raised.value).endswith("; since version 0.2 they are false_variants")


def test_a_variable_may_have_the_name_of_a_size():
    relation = evaluate("leaky_resnets.prop_2.stable_condition", A=[[3, 1]], neurons=[[1, 3]])
    assert relation.is_exact
    assert relation.names
    with pytest.raises(TypeError, match="takes A, neurons, got A, neurons, widht"):
        evaluate("leaky_resnets.prop_2.stable_condition", A=[[3, 1]], neurons=[[1, 3]], widht=2)


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        (lambda x: le(0, np.linalg.det(np.array([[1 + x * x, x], [x, 1]]))), "write determinant for det"),
        (lambda x: le(0, np.linalg.inv(np.array([[1 + x * x, x], [x, 1]]))[0, 0]), "write inverse for inv"),
        (lambda x: le(special.logsumexp(np.array([x, x])), abs(x) + 1), "verify.words has logsumexp"),
    ],
)
def test_the_word_for_a_function_of_numpy_is_named(statement, word):
    with pytest.warns(UserWarning, match=re.escape(f"another word for one of matrices; {word} [")):
        attack(statement, {"x": reals()})


@pytest.mark.parametrize("statement", [lambda x: le(special.erf(x), 1), lambda x: le(np.arcsinh(x * x), x * x)])
def test_entrywise_functions_of_numpy_and_scipy_are_exact(statement):
    assert attack(statement, {"x": reals()}).found.searched.decided > 0


def test_the_words_that_are_named_exist():
    named = {word for word in _WORDS.values() if word.isidentifier()}
    assert named - set(words.__all__) == set()
