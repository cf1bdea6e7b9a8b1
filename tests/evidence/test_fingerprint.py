from __future__ import annotations

import builtins
import subprocess
import sys
import textwrap
from functools import partial

import pytest

from verify.evidence import fingerprint
from verify.networks import FullyConnected

FACTOR = 2


def helper(x):
    return FACTOR * x


def statement(x, power=2):
    """A docstring."""
    return helper(x) ** power


PAIR = (lambda x: x + 1, lambda x: x + 2)


def variant(text):
    """The module with its text changed, executed from a file."""
    source = textwrap.dedent(
        '''
        from functools import partial
        FACTOR = 2
        def helper(x):
            return FACTOR * x
        def statement(x, power=2):
            """A docstring."""
            return helper(x) ** power
        def outer(limit):
            return lambda x: x < limit
        chosen = statement
        '''
    )
    return source.replace(*text) if text else source


@pytest.fixture
def print_of(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def compute(text=None):
        (tmp_path / "variant_of_a_module.py").write_text(variant(text))
        code = "import variant_of_a_module as m; from verify.evidence import fingerprint; print(fingerprint(m.chosen))"
        return subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    return compute


def test_layout_comments_docstrings_and_annotations_do_not_count(print_of):
    before = print_of()
    assert print_of(("A docstring.", "Other words.")) == before
    assert print_of(("    return FACTOR * x", "    # why\n    return (FACTOR *\n            x)")) == before
    assert print_of(("def helper(x):", "def helper(x: int) -> int:")) == before
    annotated = print_of(("return helper(x) ** power", "y: FACTOR = helper(x)\n    return y ** power"))
    assert annotated == print_of(("return helper(x) ** power", "y = helper(x)\n    return y ** power"))


@pytest.mark.parametrize(
    "text",
    [
        ("** power", "** (power + 1)"),
        ("power=2", "power=3"),
        ("FACTOR * x", "FACTOR + x"),
        ("FACTOR = 2", "FACTOR = 3"),
        ("chosen = statement", "chosen = partial(statement, power=3)"),
        ("chosen = statement", "chosen = outer(3)"),
    ],
)
def test_code_constants_defaults_and_what_is_called_count(print_of, text):
    assert print_of(text) != print_of()


def test_what_a_lambda_closes_over_counts(print_of):
    assert print_of(("chosen = statement", "chosen = outer(3)")) != print_of(("chosen = statement", "chosen = outer(4)"))


def test_two_lambdas_of_one_line_are_told_apart():
    assert fingerprint(PAIR[0]) != fingerprint(PAIR[1])


def test_the_arguments_of_a_partial_count():
    prints = [fingerprint(statement), *(fingerprint(partial(statement, power=power)) for power in (2, 3))]
    assert len(set(prints)) == 3
    assert fingerprint(partial(statement, power=3)) == prints[2]


def says(x):
    return f"{('at least' if x else 'above')} {x!r:>{FACTOR}}"


def test_a_fingerprint_is_the_same_in_every_release_of_python():
    # Python 3.12 began to quote f-strings in another way; what is compared here was computed by 3.11 and 3.13
    assert fingerprint(says) == "3c93297b648e40a5"


def test_a_function_without_a_source_has_the_fingerprint_of_what_was_compiled():
    def made(text):
        names = {}
        exec(f"def f(x): return {text}", names)
        return fingerprint(names["f"])

    assert made("x + 1") == made("x + 1")
    assert (
        len({made("x + 1"), made("x + 2"), made("x - 1"), made("abs(x)"), made("max(x)"), made("[one + 1 for one in x]")}) == 6
    )


def test_classes_of_compilers_whose_module_is_no_text_are_named():
    class Odd(type):
        @property
        def __module__(cls):
            return 3

    class Thing(metaclass=Odd):
        pass

    assert fingerprint(Thing()) == fingerprint(Thing())


def test_a_method_that_replaces_one_of_the_engine_counts_while_it_is_there(monkeypatch):
    def norm(network):
        return network.weight_norm_squared()

    before = fingerprint(norm)
    for factor in (2, 3):
        with monkeypatch.context() as patch:
            patch.setattr(FullyConnected, "weight_norm_squared", lambda _, factor=factor: factor)
            assert fingerprint(norm) != before
        assert fingerprint(norm) == before


def test_what_a_shell_puts_among_the_builtins_does_not_count(monkeypatch):
    def last(pairs):
        return [x for x, _ in pairs]

    before = fingerprint(last)
    monkeypatch.setattr(builtins, "_", "the last result", raising=False)
    assert fingerprint(last) == before
