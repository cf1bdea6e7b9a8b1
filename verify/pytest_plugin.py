"""Claims become pytest items: ``ID[survives]``, ``[tight:NAME]``, ``[attained]``, ``[refutes:NAME]``, ``[needs:NAME]`` ...

Collected are the modules that import `verify` and declare claims, ``NAME = Claim(...)``, at their top level. This module is
loaded in every run of pytest in an environment: it must not import the search.
"""

from __future__ import annotations

import functools
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from verify.claims.packages import cache_folder

if TYPE_CHECKING:
    from verify.checker.checking import Checker, VariantResult
    from verify.checker.records import KeptRecords
    from verify.claims.claim import Claim, Statement

_BEGUN: pytest.StashKey[tuple[float, Path | None]] = pytest.StashKey()
"""When the session began, and where the cache was then."""
_KNOWN: pytest.StashKey[KeptRecords] = pytest.StashKey()
_LIMIT: pytest.StashKey[float] = pytest.StashKey()
BUDGETS = ("quick", "standard", "deep")
_DECLARATION = re.compile(r"^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=[ \t]*(?:\w+\.)*Claim\(", re.MULTILINE)
_IMPORT = re.compile(r"^(?:from|import)[ \t]+verify\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The budget and the seed of the search."""
    group = parser.getgroup("verify", "claims of theorems")
    group.addoption("--verify-budget", choices=BUDGETS, default="quick", help="how hard each claim is tried (default: quick)")
    group.addoption("--verify-seed", type=int, default=0, metavar="N", help="seed of the search (default: 0)")
    group.addoption(
        "--verify-fresh", action="store_true", help="search again where nothing has changed since an earlier run, too"
    )
    group.addoption(
        "--verify-timeout",
        type=float,
        metavar="SECONDS",
        help="how long an item of a claim may take (default: as long as a claim in `verify run`)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a seed that no search takes, and a time limit that is none."""
    seed = config.getoption("--verify-seed")
    if not 0 <= seed < 2**63:
        raise pytest.UsageError(f"--verify-seed must be from 0 to 2**63 - 1, got {seed}")
    seconds = config.getoption("--verify-timeout")
    if seconds is not None and not 0 < seconds < float("inf"):
        raise pytest.UsageError(f"--verify-timeout must be a positive number of seconds, got {seconds}")
    # tests may move the cache
    config.stash[_BEGUN] = (time.time(), cache_folder())


def pytest_report_header(config: pytest.Config) -> str:
    """The budget and the seed, for whoever must repeat the run."""
    return f"verify: budget {config.getoption('--verify-budget')}, seed {config.getoption('--verify-seed')}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClaimModule | None:
    """A collector for a module that declares claims."""
    if file_path.suffix != ".py" or _is_of_tests(file_path.name):
        return None
    try:
        text = file_path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if "Claim(" not in text or not _IMPORT.search(text) or not _DECLARATION.search(text):
        return None
    module: ClaimModule = ClaimModule.from_parent(parent, path=file_path)
    module.declared = {match[1]: text.count("\n", 0, match.start()) for match in _DECLARATION.finditer(text)}
    return module


def _is_of_tests(name: str) -> bool:
    """Whether a file of this name holds tests, so that claims in it are values like any other."""
    return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py")


class ClaimNotChecked(pytest.PytestWarning):
    """A claim stands in a module of tests, where it is a value like any other."""


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> None:
    """Say that a claim in a module of tests is not checked."""
    claims = sys.modules.get("verify.claims.claim")
    if claims is None or not isinstance(obj, claims.Claim) or isinstance(collector, ClaimModule):
        return
    # pytest itself collects also a module of claims whose file is named; and what is imported is checked where it is declared
    module = collector.getparent(pytest.Module) if _is_of_tests(collector.path.name) else None
    if module is not None and getattr(obj.statement, "__module__", None) == module.obj.__name__:
        collector.warn(
            ClaimNotChecked(
                f"the claim {name} is not checked, for {collector.path.name} is a module of tests: declare it in a module of "
                "another name, or call verify.check on it in a test"
            )
        )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say of how many items the result was kept from an earlier run."""
    reports = [report for report in terminalreporter.stats.get("passed", []) if getattr(report, "when", "") == "call"]
    kept = sum(("verify", "kept") in getattr(report, "user_properties", ()) for report in reports)
    if kept:
        terminalreporter.write_line(f"verify: {kept} items are kept from an earlier run; --verify-fresh searches again")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """End an item of a claim that goes on for ever; where it was shows the traceback."""
    if not isinstance(item.parent, ClaimModule):
        return (yield)
    from verify.engines.containment import limited

    seconds = _time_limit(item.config)
    with limited(seconds, f"it took longer than the time limit of {seconds:g} s; --verify-timeout SECONDS sets another limit"):
        return (yield)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Let go of the instances of a claim when its last item is done: those of a deep budget fill the memory."""
    if isinstance(item, ClaimItem) and getattr(nextitem, "shared", None) is not item.shared:
        item.shared.forget()


def _time_limit(config: pytest.Config) -> float:
    """Seconds that an item may take; how fast the machine is, is measured once."""
    from verify.checker.running import time_limit

    if _LIMIT not in config.stash:
        given = config.getoption("--verify-timeout")
        config.stash[_LIMIT] = time_limit(config.getoption("--verify-budget")) if given is None else given
    return config.stash[_LIMIT]


class CheckFailed(Exception):
    """What was checked is not as the claim says; the message is for a reader and needs no traceback."""


class ClaimModule(pytest.Module):
    """A module of claims; `declared` gives the lines of their names."""

    declared: dict[str, int]

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """The items of every claim, in the order of the file."""
        from verify.claims.claim import Claim

        for name, line in self.declared.items():
            claim = getattr(self.obj, name, None)
            if isinstance(claim, Claim):
                shared = SharedChecker(self.config, claim, self.obj.__name__)
                for part, check in _parts(shared):
                    yield ClaimItem.from_parent(
                        self,
                        name=f"{claim.id}[{part}]",
                        # given as text, so that pytest takes what is in brackets for parameters, as it does in its cache
                        nodeid=f"{self.nodeid}::{claim.id}[{part}]",
                        check=check,
                        shared=shared,
                        line=line,
                        # the file of a witness is no part of what a run finds
                        of_the_record=part != "exact",
                    )
                # an ordinary test function, so that Hypothesis's options, profiles, database and statistics work as ever
                test = _property(shared)
                if test is None:
                    continue
                function = PropertyItem.from_parent(self, name=f"{claim.id}[hypothesis]", callobj=test)
                if hasattr(function, "_id"):  # a function takes no id as text
                    function._id = type(function._id).parse(function.nodeid)
                yield function


class PropertyItem(pytest.Function):
    """Hypothesis's test of one claim; of one that fails the instance is shown, and not the code of the engine."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002
        """The instance and both sides, then what Hypothesis says of how to see it again."""
        properties = sys.modules.get("verify.report.properties")
        if properties is None or not isinstance(excinfo.value, properties.StatementFails):
            return super().repr_failure(excinfo)
        notes = (note for note in getattr(excinfo.value, "__notes__", ()) if "@reproduce_failure" in note)
        return "\n\n".join([str(excinfo.value), *notes])


class SharedChecker:
    """The checker of one claim, made when its first item runs; its items share the drawn instances."""

    def __init__(self, config: pytest.Config, claim: Claim, module: str) -> None:
        self.claim = claim
        self.budget: str = config.getoption("--verify-budget")
        self.seed: int = config.getoption("--verify-seed")
        # a module of no package is its own
        self.package = module.partition(".")[0]
        self._config = config
        self._checker: Checker | None = None

    @property
    def _known(self) -> KeptRecords:
        """The results that are kept, one object for all claims."""
        from verify.checker.records import KeptRecords

        stash = self._config.stash
        if _KNOWN not in stash:
            begun, cache = stash[_BEGUN]
            fresh = self._config.getoption("--verify-fresh")
            stash[_KNOWN] = KeptRecords(self.budget, self.seed, fresh=fresh, begun=begun, cache=cache)
        return stash[_KNOWN]

    @functools.cached_property
    def is_kept(self) -> bool:
        """Whether an earlier run has found all of the claim as expected, and nothing has changed since."""
        return self._known.find(self.package, self.claim) is not None

    @property
    def checker(self) -> Checker:
        """The checker."""
        from verify.checker.checking import Checker
        from verify.checker.refuted_before import samples

        if self._checker is None:
            before = samples(self.claim, self._known.refuted_before(self.package, self.claim))
            self._checker = Checker(self.claim, self.budget, self.seed, before)
        return self._checker

    def forget(self) -> None:
        """Drop what was drawn; it is drawn again, the same, if it is needed again. What is known of the whole claim is kept."""
        if self._checker is not None and self._checker.is_complete:
            from verify.checker.running import record_of_checker

            self._known.keep(self.package, self.claim, record_of_checker(self._checker))
        self._checker = None


class ClaimItem(pytest.Item):
    """One part of one claim."""

    def __init__(
        self, *, check: Callable[[], None], shared: SharedChecker, line: int, of_the_record: bool, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.check, self.shared, self.line, self.of_the_record = check, shared, line, of_the_record

    def runtest(self) -> None:
        """Check it, unless it is known; what the claim changes of the process is put back."""
        from verify.engines.containment import restored
        from verify.engines.executors import one_blas_thread

        if self.of_the_record and self.shared.is_kept:
            self.user_properties.append(("verify", "kept"))
            return
        with restored(streams=False), one_blas_thread():
            self.check()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The statement, the instance, both sides, and how to see it again."""
        if not isinstance(excinfo.value, CheckFailed):
            return super().repr_failure(excinfo, style)
        from verify.report import words

        shared = self.shared
        return "\n".join(
            [
                words.statement(shared.claim),
                "",
                str(excinfo.value),
                "",
                f"again: {words.command(shared.claim.id, shared.budget, shared.seed, shared.package)}",
                f"   or: pytest '{self.nodeid}' --verify-budget {shared.budget} --verify-seed {shared.seed}",
            ]
        )

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim is declared."""
        return self.path, self.line, self.name


def _property(shared: SharedChecker) -> Callable[[], None] | None:
    """The Hypothesis test; none of what is expected to be refuted and has no witness, which the item `exact` says."""
    from verify.evidence import UnusableWitness, packaged_witness, read_witness
    from verify.report.properties import property_test

    claim = shared.claim
    path = packaged_witness(claim, shared.package) if claim.expected == "refuted" else None
    known = None
    if path is not None:
        with suppress(UnusableWitness):  # the item `exact` says what is wrong with the file
            known = read_witness(path, {claim.id: claim})[0].sample
    return None if claim.expected == "refuted" and known is None else property_test(claim, shared.budget, known)


def _parts(shared: SharedChecker) -> Iterator[tuple[str, Callable[[], None]]]:
    from verify.claims.claim import FalseAsPrinted

    claim = shared.claim
    yield "survives", functools.partial(_check_statement, shared)
    for name in claim.tight:
        yield f"tight:{name}", functools.partial(_check_tight, shared, name)
    if claim.tight:
        yield "attained", functools.partial(_check_attained, shared)
    for name in claim.false_variants:
        yield f"refutes:{name}", functools.partial(_check_variant, shared, name)
    for name in claim.needs:
        yield f"needs:{name}", functools.partial(_check_need, shared, name)
    for name in claim.exact:
        yield f"exact:{name}", functools.partial(_check_exact, shared, name)
    if isinstance(claim.status, FalseAsPrinted):
        yield "exact", functools.partial(_check_witness, shared)
    if claim.rate is not None:
        yield "rate", functools.partial(_check_rate, shared)


def _check_statement(shared: SharedChecker) -> None:
    from verify.report import words

    claim, searched = shared.claim, shared.checker.searched()
    if searched.outcome == claim.expected:
        return
    if searched.refutation is not None:
        instance = words.indented(words.refutation(searched.refutation, claim.domain))
        raise CheckFailed(f"refuted, though it is expected to hold, at this instance ({searched.by}):\n\n{instance}")
    if searched.problems:
        raise CheckFailed(f"{searched.outcome}: {'; '.join(searched.problems)}")
    reached = words.indented(words.float_instance(claim.statement, claim.domain, searched.worst))
    raise CheckFailed(
        f"expected {claim.expected}, but it was not refuted, after {searched.evaluations} evaluations; the worst instance:\n\n"
        f"{reached}"
    )


def _check_tight(shared: SharedChecker, name: str) -> None:
    from verify.checker.checking import evaluated
    from verify.report import words

    result = shared.checker.tight(name)
    if result.as_expected:
        return
    tight = shared.claim.tight[name]
    if result.relative_slack != result.relative_slack:  # NaN: it was not evaluated
        raise CheckFailed(f"not tight at {name!r}: {result.why}")
    variables = tight.variables()
    text = f"not tight at {name!r}: relative slack {result.relative_slack:.3g}, stated at most {tight.relative_slack:g}"
    relation = evaluated(shared.claim.statement, shared.claim.domain.given(variables))
    shown = "\n".join(f"{key} = {value}" for key, value in variables.items())
    sides = words.sides(relation) if relation.batch_shape == () else f"relative slacks: {relation.relative_slack}"
    raise CheckFailed(f"{text}\n\n{words.indented(shown)}\n\n{words.indented(sides)}")


def _check_attained(shared: SharedChecker) -> None:
    from verify.checker.checking import unreached

    claim = shared.claim
    unattained = unreached(claim, {name: shared.checker.tight(name) for name in claim.tight})
    if unattained:
        named = ", ".join(repr(name) if name else "the comparison" for name in unattained)
        raise CheckFailed(f"no tight example reaches {named}: add one, or say why not in not_known_tight={{...}}")


def _check_variant(shared: SharedChecker, name: str) -> None:
    result = shared.checker.refutes(name)
    if not result.refuted:
        statement = shared.claim.false_variants[name]
        if result.problem:
            raise CheckFailed(f"the false variant {name!r} could not be checked: {result.problem}")
        raise CheckFailed(f"the false variant {name!r} was not refuted{_reached(shared, statement, result)}")


def _check_need(shared: SharedChecker, name: str) -> None:
    result = shared.checker.needs(name)
    if not result.refuted:
        if result.problem:
            raise CheckFailed(f"hypothesis {name!r} could not be checked: {result.problem}")
        where = f"the statement was not refuted where {name!r} is broken and all else holds"
        raise CheckFailed(
            f"hypothesis {name!r} was not shown to be needed: {where}{_reached(shared, shared.claim.statement, result)}"
        )


def _reached(shared: SharedChecker, statement: Statement, result: VariantResult) -> str:
    from verify.report import words

    instance = words.indented(words.float_instance(statement, shared.claim.domain, result.worst))
    return f", after {result.evaluations} evaluations; the nearest instance:\n\n{instance}"


def _check_exact(shared: SharedChecker, name: str) -> None:
    from verify.numbers.relation import Verdict
    from verify.report import words
    from verify.search import decide

    result = shared.checker.exact(name)
    verdict = result.verdict
    if result.problem:
        raise CheckFailed(f"exact part {name!r}: {result.problem}")
    if verdict != Verdict.HOLDS:
        relation = decide(shared.claim.exact[name], {})
        raise CheckFailed(f"exact part {name!r}: {verdict.name}\n\n{words.indented(words.sides(relation))}")


def _check_witness(shared: SharedChecker) -> None:
    from verify.evidence import UnusableWitness, packaged_witness, read_witness, recheck, stands, witness_folder
    from verify.report import words

    claim, package = shared.claim, shared.package
    folder = witness_folder(package)
    make = f"{words.command(claim.id, shared.budget, shared.seed, package)} --witnesses {folder}"
    path = packaged_witness(claim, package)
    if path is None:
        raise CheckFailed(f"false as printed, but the package has no witness: {folder / (claim.id + '.json')}\nmake it: {make}")
    try:
        witness, _ = read_witness(path, {claim.id: claim})
        relation = recheck(witness, claim)
    except UnusableWitness as error:
        raise CheckFailed(f"{error}\nmake it again: {make}") from error
    if not stands(relation):
        shown = words.indented(words.sides(relation))
        raise CheckFailed(f"the witness {path} refutes the statement no more:\n\n{shown}\nmake it again: {make}")


def _check_rate(shared: SharedChecker) -> None:
    rate = shared.checker.rate()
    if not rate.as_expected:
        raise CheckFailed(
            f"the fitted exponent is {rate.exponent:.4f} +- {rate.uncertainty:.4f}, the stated one {rate.stated:g}, which must "
            "be inside the interval while the exponents 0.2 below and above it must be outside"
        )
