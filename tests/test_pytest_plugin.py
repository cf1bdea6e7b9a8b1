"""The plugin: what it collects, what it checks, and what a failure says."""

import re
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import numpy.fft
import pytest
import scipy.optimize  # noqa: F401

import verify.checker.checking
import verify.report.words  # noqa: F401
from verify.pytest_plugin import BUDGETS
from verify.search import BUDGETS as SEARCHED

pytest_plugins = ["pytester"]
TOY = Path(__file__).parent / "toy_claims"

WRONG = '''
"""Wrong on purpose."""
from verify import Claim, Domain, FalseAsPrinted, Rate, Source, interval, reals
from verify.words import eq, le

def small_square(x):
    """The square of a number is at most the number."""
    return le(x**2, x)

CLAIM = Claim(
    id="wrong.squares",
    title="Small squares",
    source=Source("notion_of_rank", "derived here"),
    statement=small_square,
    domain=Domain({"x": reals()}, {}, {"any number": lambda x: x == x, "large": lambda x: x >= -100}),
    tight={"two": {"x": 2}},
    false_variants={"true": lambda x: le(x, x + 1), "false": small_square},
    needs=("any number",),
    exact={"one is two": lambda: eq(1, 2)},
    rate=Rate(lambda n: n**-1.0, (2, 4, 8, 16, 32, 64), -2),
)

EMPTY = Claim(
    id="wrong.empty",
    title="About nothing",
    source=Source("notion_of_rank", "derived here"),
    statement=small_square,
    domain=Domain({"x": reals()}, hypotheses={"impossible": lambda x: x > x}),
    false_variants={"a": small_square, "b": small_square},
)

PRINTED = Claim(
    id="wrong.printed",
    title="True after all",
    source=Source("notion_of_rank", "derived here"),
    status=FalseAsPrinted(corrected_by="wrong.squares"),
    statement=lambda x: le(x, x + 1),
    domain=Domain({"x": interval(0, 1)}),
    false_variants={},
)
'''


@pytest.fixture
def toy(pytester, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_claims"]:
        monkeypatch.delitem(sys.modules, name)
    shutil.copytree(TOY, pytester.path / "toy_claims", ignore=shutil.ignore_patterns("__pycache__"))
    return pytester


def run(pytester, *arguments):
    return pytester.runpytest("-p", "no:cacheprovider", *arguments)


def names(result):
    return {line.split("::", 1)[1] for line in result.outlines if "::" in line}


def test_the_budgets_are_those_of_the_search():
    assert tuple(SEARCHED) == BUDGETS


def test_every_part_of_a_claim_is_an_item(toy):
    result = run(toy, "toy_claims", "--collect-only", "-q")
    assert names(result) == {
        "toy.means[survives]",
        "toy.means[tight:equal numbers]",
        "toy.means[attained]",
        "toy.means[hypothesis]",
        "toy.means.cubes[hypothesis]",
        "toy.squares.printed[hypothesis]",
        "toy.squares[hypothesis]",
        "toy.means[refutes:constant larger by 1e-6]",
        "toy.means[refutes:constant larger by 1 %]",
        "toy.means[exact:the square]",
        "toy.means[rate]",
        "toy.means.cubes[survives]",
        "toy.means.cubes[refutes:constant larger by 1e-6]",
        "toy.means.cubes[needs:the sum is not negative]",
        "toy.squares.printed[survives]",
        "toy.squares.printed[exact]",
        "toy.squares[survives]",
        "toy.squares[refutes:power 0]",
        "toy.squares[refutes:power -1]",
    }


def test_the_items_pass_and_the_header_says_how_hard_they_tried(toy):
    result = run(toy, "toy_claims", "--verify-seed", "4")
    result.assert_outcomes(passed=19)
    result.stdout.fnmatch_lines(["verify: budget quick, seed 4"])


def test_what_an_earlier_run_found_is_not_searched_again(toy, monkeypatch):
    def kept(*arguments):
        result = run(toy, "toy_claims", *arguments)
        result.assert_outcomes(passed=19)
        said = [line for line in result.outlines if "kept from an earlier run" in line]
        return int(said[0].split()[1]) if said else 0

    monkeypatch.setenv("XDG_CACHE_HOME", str(toy.path / "cache"))
    assert kept() == 0
    # all but Hypothesis's tests and the file of the witness
    assert kept() == 14
    assert [kept("--verify-fresh"), kept("--verify-seed", "3")] == [0, 0]
    # one part alone is no result of the claim
    monkeypatch.setenv("XDG_CACHE_HOME", str(toy.path / "other"))
    assert run(toy, "toy_claims/means.py::toy.means[survives]").ret == 0
    assert not (toy.path / "other" / "deep-l2-verify" / "records").exists()


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["toy_claims/means.py"], 12),
        (["toy_claims/means.py::toy.means[survives]"], 1),
        (["toy_claims/means.py::toy.means[tight:equal numbers]"], 1),
        (["toy_claims/means.py::toy.means"], 8),
        (["toy_claims", "-k", "cubes and refutes"], 1),
        (["--pyargs", "toy_claims"], 19),
        (["--pyargs", "toy_claims.squares"], 7),
        (["toy_claims", "-n", "2"], 19),
        ([], 19),
    ],
)
def test_items_are_chosen_as_tests_are(toy, arguments, passed):
    toy.syspathinsert()
    run(toy, *arguments).assert_outcomes(passed=passed)


def test_an_imported_claim_belongs_to_the_module_that_declares_it(toy):
    (toy.path / "toy_claims" / "more.py").write_text("from verify import Claim\nfrom toy_claims.means import CLAIM\n# Claim(\n")
    run(toy, "toy_claims").assert_outcomes(passed=19)


@pytest.fixture
def failures(pytester):
    (pytester.path / "wrong.py").write_text(WRONG)
    result = run(pytester, "wrong.py")
    result.assert_outcomes(passed=1, failed=14)
    text = result.stdout.str()
    parts = {}
    for part in text.split("\n____")[1:]:
        header, _, body = part.partition("\n")
        parts[header.strip("_ ")] = body
    return parts


def test_failures_say_what_is_wrong(failures):
    # the small instance, both sides and the command
    text = failures["wrong.squares[survives]"]
    assert text.startswith("Small squares\n  notion_of_rank, derived here\n")
    assert "The square of a number is at most the number." in text
    assert "x = -1\n" in text
    assert "left  = 1\n" in text
    assert "right = -1\n" in text
    assert "slack = -2   relative slack = -2\n" in text
    assert "again: verify run wrong.squares --budget quick --seed 0 --package wrong\n" in text
    assert "or: pytest 'wrong.py::wrong.squares[survives]' --verify-budget quick --verify-seed 0" in text
    assert "Traceback" not in text
    assert "not tight at 'two': relative slack -0.5, stated at most 0" in failures["wrong.squares[tight:two]"]
    assert "the false variant 'true' was not refuted, after " in failures["wrong.squares[refutes:true]"]
    assert "the nearest instance:\n\n  x = " in failures["wrong.squares[refutes:true]"]
    assert "no tight example reaches the comparison: add one" in failures["wrong.squares[attained]"]
    assert "wrong.squares fails at" in failures["wrong.squares[hypothesis]"]
    assert "assert_statement" not in failures["wrong.squares[hypothesis]"]  # the instance, without the code of the engine
    assert "wrong.printed[hypothesis]" not in failures  # it has no witness, of which `exact` tells
    assert "hypothesis 'any number' was not shown to be needed" in failures["wrong.squares[needs:any number]"]
    assert "exact part 'one is two': FAILS" in failures["wrong.squares[exact:one is two]"]
    assert "the fitted exponent is -1.0000" in failures["wrong.squares[rate]"]
    assert "no drawn instance satisfied the hypotheses" in failures["wrong.empty[survives]"]
    assert re.search(r"\(of (\d+) drawn, broken: 'impossible' by \1\)", failures["wrong.empty[survives]"])
    assert "expected refuted, but it was not refuted" in failures["wrong.printed[survives]"]
    exact = failures["wrong.printed[exact]"]
    assert "the package has no witness" in exact
    assert "make it: verify run wrong.printed --budget quick --seed 0 --package wrong --witnesses " in exact


def test_profiles_of_hypothesis_say_how_many_examples_they_want(toy):
    (toy.path / "conftest.py").write_text(
        "from hypothesis import settings\nsettings.register_profile('seven', max_examples=7)\n"
        "settings.register_profile('server', settings.get_profile('ci'))\n"
    )
    for profile, examples in (("seven", 7), ("server", 5), ("ci", 5)):
        options = (f"--hypothesis-profile={profile}", "--hypothesis-show-statistics")
        result = run(toy, "toy_claims/squares.py::toy.squares[hypothesis]", *options)
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines([f"*settings.max_examples={examples}*"])


def test_a_damaged_witness_fails_its_item(toy):
    path = toy.path / "toy_claims" / "witnesses" / "toy.squares.printed.json"
    text = path.read_text()
    for damaged, reason in [(text[:50], "not a witness file"), (text.replace("1/2", "2"), "refutes the statement no more")]:
        path.write_text(damaged)
        result = run(toy, "toy_claims/squares.py::toy.squares.printed[exact]")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines([f"*{reason}*"])


def test_an_error_in_a_statement_is_told_with_its_line(pytester):
    (pytester.path / "wrong.py").write_text(WRONG.replace("return le(x**2, x)", "return le(x.chalk, x)"))
    result = run(pytester, "wrong.py::wrong.squares[survives]")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no such method*chalk*wrong.py:8: return le(x.chalk, x)*"])


def test_unusable_options_are_refused(pytester):
    assert run(pytester, "--verify-seed", "-1").ret == pytest.ExitCode.USAGE_ERROR
    assert run(pytester, "--verify-budget", "fast").ret == pytest.ExitCode.USAGE_ERROR
    for seconds in ("0", "nan", "inf"):
        assert run(pytester, "--verify-timeout", seconds).ret == pytest.ExitCode.USAGE_ERROR


def test_an_item_that_goes_on_for_ever_is_ended(pytester):
    text = WRONG.replace("    return le(x**2, x)", "    while True:\n        pass")
    (pytester.path / "wrong.py").write_text(text)
    result = run(pytester, "wrong.py", "-k", "wrong.squares and (survives or hypothesis)", "--verify-timeout", "0.5")
    result.assert_outcomes(failed=2)
    said = [line for line in result.outlines if "longer than the time limit of 0.5 s; --verify-timeout SECONDS sets" in line]
    assert any("TimeLimitExceeded" in line for line in said)
    result.stdout.fnmatch_lines(["*wrong.py:*"])


def test_an_item_has_the_time_of_verify_run(toy, monkeypatch):
    told = []
    monkeypatch.setattr("verify.engines.containment.limited", lambda seconds, _: told.append(seconds) or nullcontext())
    monkeypatch.setattr("verify.checker.running.time_limit", lambda kind: {"standard": 77.0}[kind])
    toy.inline_run(
        "toy_claims/squares.py", "-k", "toy.squares.printed and exact", "--verify-budget", "standard", "-p", "no:cacheprovider"
    )
    assert told == [77.0]


def test_a_project_without_claims_is_left_alone(pytester):
    pytester.makepyfile(
        test_one="def test_one():\n    import sys\n    assert 'verify.search' not in sys.modules\n",
        insurance="raise RuntimeError('imported')\nCLAIM = Claim('fire')\n",
        helper="import verify\nraise RuntimeError('imported')\n",
        script="\n",
    )
    (pytester.path / "latin.py").write_bytes(b"# \xe9\nimport verify\nX = Claim(1)\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)


def test_what_failed_last_is_found_again(pytester):
    pytester.makepyfile(wrong=WRONG)
    quick = ("-q", "-k", "wrong.squares and not true and not hypothesis")
    first = pytester.runpytest_subprocess("wrong.py", *quick)
    failed = first.parseoutcomes()["failed"]
    assert first.parseoutcomes()["passed"]
    last = pytester.runpytest_subprocess("wrong.py", "--lf", *quick)
    assert (last.parseoutcomes()["failed"], "passed" in last.parseoutcomes()) == (failed, False)
    ordered = pytester.runpytest_subprocess("wrong.py", "--ff", "-vv", *quick).stdout.str()
    outcomes = re.findall(r"\] (PASSED|FAILED)", ordered)
    assert outcomes == sorted(outcomes)
    assert outcomes.count("FAILED") == failed


def test_a_claim_that_a_test_imports_is_checked_where_it_is_declared(pytester):
    pytester.makepyfile(
        wrong=WRONG, test_right="from wrong import CLAIM\n\n\ndef test_it():\n    assert CLAIM.id == 'wrong.squares'\n"
    )
    result = pytester.runpytest_subprocess("test_right.py", "-q")
    result.assert_outcomes(passed=1, warnings=0)


def test_a_claim_in_a_module_of_tests_is_told(pytester):
    pytester.makepyfile(test_wrong=WRONG)
    result = pytester.runpytest_subprocess("test_wrong.py", "-q")
    result.stdout.fnmatch_lines(["*ClaimNotChecked: the claim CLAIM is not checked, for test_wrong.py is a module of tests*"])


def test_a_module_of_claims_that_is_named_is_checked_without_a_warning(pytester):
    pytester.makepyfile(wrong=WRONG)
    result = pytester.runpytest_subprocess(
        "wrong.py", "-q", "-k", "rejects", "-W", "error::verify.pytest_plugin.ClaimNotChecked"
    )
    assert set(result.parseoutcomes()) <= {"passed", "deselected"}


def test_what_a_claim_changes_of_the_process_is_put_back(pytester):
    spoiled = WRONG.replace("def ", "def spoil():\n    import numpy\n    numpy.abs = numpy.negative\n    return 1\n\n\ndef ", 1)
    pytester.makepyfile(spoils=spoiled.replace("return le(x**2, x)", "return le(x**2, spoil() * x)"))
    before = np.abs
    try:
        run(pytester, "spoils.py", "-k", "survives")
        assert np.abs is before
    finally:
        np.abs = before
