"""Nothing false is proved for all sizes, whatever a statement asks of sizes and types, nor what was not shown."""

from __future__ import annotations

import copy
import inspect
import json

import other_letters as other
import pytest

from verify import Claim, Domain, Source, reals
from verify.claims.variables import Networks
from verify.proofs import independent_words
from verify.proofs.all_sizes import proof
from verify.proofs.certificate import Deadline, NotProved
from verify.words import eq, norm2

KINDS = [(kind, name) for kind, ones in other.FALSE.items() for name in ones]


def claim(statement, variables, sizes):
    return Claim(
        "toy.letters",
        "",
        Source("toy", "derived here"),
        statement,
        Domain(variables, sizes),
        {"zero is one": lambda: eq(0, 1)},
    )


def of_letters(statement, sizes=other.SIZES):
    used = {name: one for name, one in other.VARIABLES.items() if name in inspect.signature(statement).parameters}
    names = {dimension for one in used.values() for dimension in one.dimensions}
    return claim(statement, used, {name: values for name, values in sizes.items() if name in names})


def test_there_are_enough():
    assert len(KINDS) + len(other.OF_OTHERS) >= 110


@pytest.mark.parametrize(("kind", "name"), KINDS, ids=[f"{kind}: {name}" for kind, name in KINDS])
def test_nothing_false_is_proved(kind, name):
    with pytest.raises(NotProved):
        proof.prove(of_letters(other.FALSE[kind][name]), Deadline(10))


@pytest.mark.parametrize("name", other.OF_OTHERS)
def test_nothing_false_is_proved_of_other_variables(name):
    with pytest.raises(NotProved):
        proof.prove(claim(*other.OF_OTHERS[name]), Deadline(10))


@pytest.mark.parametrize("name", other.FALSE["types and sizes"])
def test_what_no_search_meets_is_proved_of_the_sizes_that_are_named(name):
    small = of_letters(other.FALSE["types and sizes"][name], dict.fromkeys("mnk", (1, 2, 3)))
    try:
        found = proof.prove(small, Deadline(10))
    except NotProved:
        return
    assert found.fixed["m"] == (1, 2, 3)
    assert "m 1 to 3" in proof.covers(found)


@pytest.fixture(scope="module")
def document():
    """A certificate for depths 1, 2 and 3 and every width."""
    statement = lambda f, x: eq(f(x) - f.biases[-1], f.weights[-1] @ f.activations(x)[-1])  # noqa: E731
    variables = {"f": Networks(), "x": reals("inputs")}
    sizes = {"depth": (1, 2, 3), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)}
    found = proof.prove(claim(statement, variables, sizes), Deadline(20))
    assert found.fixed == {"depth": (1, 2, 3)}
    return json.loads(json.dumps(proof.document_of(found)))


CHANGES = {
    "a depth that no case is of": lambda one: one["fixed"]["depth"].append(4),
    "a depth that is not named": lambda one: one["fixed"]["depth"].pop(),
    "a case that is gone": lambda one: one["cases"].pop(),
    "a case twice": lambda one: one["cases"].append(copy.deepcopy(one["cases"][0])),
    "a width that is a number": lambda one: one["cases"][0]["sizes"].__setitem__("width", 1),
    "a depth that is true": lambda one: one["cases"][0]["sizes"].__setitem__("depth", True),
    "a depth that is text": lambda one: one["cases"][0]["sizes"].__setitem__("depth", "1"),
    "no symbols": lambda one: one.__setitem__("symbols", []),
    "another entry": lambda one: one.__setitem__("more", 1),
    "no fingerprint": lambda one: one.pop("fingerprint"),
    "a schema that is true": lambda one: one.__setitem__("schema", True),
    "assumptions that are not said": lambda one: one["cases"][0]["assumptions"].append("A is invertible"),
    "a coefficient with an exponent": lambda one: of_first(one, "left", "1e1000000000"),
    "a coefficient that is a float": lambda one: of_first(one, "left", "1.0"),
    "a power that is large": lambda one: of_first(one, "left", "1 #width^1000000000"),
    "a length that is large": lambda one: one["cases"][0]["letters"][0].__setitem__(1, "9" * 4000),
    "a comparison with more": lambda one: one["cases"][0]["comparisons"][0].__setitem__("more", 1),
    "a diagonal that is none": lambda one: one["cases"][0]["comparisons"][0].__setitem__("diagonal", 0),
}


def of_first(document, side, text):
    document["cases"][0]["comparisons"][0][side] = [text]


@pytest.mark.parametrize("name", CHANGES)
def test_a_certificate_of_more_than_was_shown_is_rejected(document, name):
    assert independent_words.check(document) > 0
    changed = copy.deepcopy(document)
    CHANGES[name](changed)
    changed["digest"] = independent_words.digest(changed["cases"])
    with pytest.raises(independent_words.Rejected):
        independent_words.check(changed)


def test_a_name_that_stands_twice_is_not_read(document, tmp_path, capsys):
    path = tmp_path / "one.json"
    path.write_text(json.dumps(document)[:-1] + ', "claim": "toy.other"}')
    assert independent_words.main([str(path)]) == 2
    assert "stands twice" in capsys.readouterr().out


def test_a_size_is_no_number_of_python():
    sizes = dict.fromkeys("mn", (1, 2))
    found = proof.prove(
        claim(lambda A: eq(A.shape[0] * norm2(A), len(A) * norm2(A)), {"A": reals("m", "n")}, sizes), Deadline(10)
    )
    assert proof.covers(found) == "every m and n"
