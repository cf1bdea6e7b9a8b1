"""One claim at length, for ``verify show``."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from verify.claims.catalogue import Named
from verify.claims.claim import Claim, FalseAsPrinted, Tight
from verify.evidence import packaged_witness
from verify.notation.formulas import readable, unicode_formula
from verify.report import proved, words
from verify.report.typeset import NoFormula, parts_in, typeset_claim


def describe(claim: Claim, claims: Mapping[str, Named], package: str = "theorems", *, for_a_terminal: bool = False) -> str:
    """Statement, status, hypotheses, constructions, false variants, exact parts, strength, witness and code, as text.

    For a terminal the formulas are Unicode, and the last result on this machine stands below the status; on a page the formulas
    stay LaTeX, and nothing depends on the machine.
    """
    return "\n".join(_lines(claim, claims, package, for_a_terminal)).rstrip()


def _lines(claim: Claim, claims: Mapping[str, Named], package: str, for_a_terminal: bool) -> Iterator[str]:
    written = readable if for_a_terminal else str
    yield f"{claim.id}\n{written(words.statement(claim))}\n"
    yield from _section("status", words.status(claim, claims))
    if for_a_terminal:
        yield from _section("erratum", _erratum(claim, package))
        yield from _section("evidence", [_evidence(claim, package)])
        yield from _section("last result", _last_result(claim, package))
    module = module_of(claim, package)
    folder = None if module is None else _folder(module)
    if folder is not None and folder.__doc__:
        yield from _section(f"theorem {folder.__name__}", written(inspect.cleandoc(folder.__doc__)).splitlines())
    if module is not None and module.__doc__:
        yield from _section(f"module {module.__name__}", written(inspect.cleandoc(module.__doc__)).splitlines())
    yield from _section("what is evaluated", _formula(claim, for_a_terminal))
    smallest = claim.domain.all_sizes()[0]
    at_sizes = f" (at {', '.join(f'{name} = {value}' for name, value in smallest.items())})" if smallest else ""
    layout = claim.domain.layout(smallest)
    yield from _section("sizes", [words.sizes(claim.domain)] if claim.domain.sizes else [])
    yield from _section(
        f"free parameters{at_sizes}", [f"{name}: {words.variable(coordinate)}" for name, coordinate in layout.items()]
    )
    needed = [f"{name}{'  (needed)' if name in claim.needs else ''}" for name in claim.domain.hypotheses]
    yield from _section("hypotheses", needed)
    yield from _section("tight examples", [_tight(name, example) for name, example in claim.tight.items()])
    yield from _section("false variants", list(claim.false_variants))
    exact_parts = [f"{name}{'  (argued: {claim.argument})' if name == claim.proof else ''}" for name in claim.exact]
    yield from _section("exact parts", exact_parts)
    yield from _section("proofs", [written(line) for line in proved.proofs(claim, package).lines])
    yield from _section("follows from", list(dict.fromkeys(follow.claim.id for follow in claim.follows)))
    if claim.rate is not None:
        ladder = ", ".join(map(str, claim.rate.sizes))
        yield from _section("rate", [f"{words.name(claim.rate.quantity)}: exponent {claim.rate.exponent:g}, sizes {ladder}"])
    loose = [f"{name or 'the comparison'}: {reason}" for name, reason in claim.not_known_tight.items()]
    yield from _section("not known to be tight", loose)
    yield from _section("strength", _strength(claim, package))
    witness = packaged_witness(claim, package)
    if witness is not None:
        yield from _section(f"witness {witness}", witness.read_text(encoding="utf-8").splitlines())
    yield from _code(claim)


def _erratum(claim: Claim, package: str) -> list[str]:
    """Where a paper says what is false as printed, how much of it is wrong, and which text was read."""
    if not isinstance(claim.status, FalseAsPrinted):
        return []
    from verify.claims.errata import document, row_of

    row = row_of(claim.id, package)
    if row is None:
        return []
    text = document(claim.id.partition(".")[0], package)
    return [f"{row.grade}: {row.place}", *([f"read: {text}"] if text else [])]


def _formula(claim: Claim, for_a_terminal: bool) -> list[str]:
    """The statement, typeset from its code."""
    try:
        typeset = typeset_claim(claim)
    except NoFormula as error:
        return [f"not shown as a formula: {error}"]
    written = unicode_formula if for_a_terminal else str
    parts = parts_in(typeset, claim.domain.variables)
    where = [f"where {written(condition)}" for condition in (*typeset.where, *typeset.functions)]
    where += [f"where {written(symbol)}: {readable(text) if for_a_terminal else text}" for symbol, text in typeset.descriptions]
    return [*map(written, typeset.relations), *where, *([parts] if parts else [])]


def _evidence(claim: Claim, package: str) -> str:
    """As `verify list` and `verify run` say it, with the command that checks a certificate."""
    from verify.checker.last_run import form_of, last_results
    from verify.report.evidence import certificate_of, evidence_of, note
    from verify.report.words import NOT_CHECKED

    last = last_results(package).get(claim.id)
    found = last.evidence if last is not None and last.fingerprint == form_of(claim) else ""
    said = evidence_of(claim, package, packaged_witness(claim, package) is not None, found)
    file = certificate_of(claim, package)
    return f"{said}: {note([file]).partition(': ')[2]}" if NOT_CHECKED in said and file is not None else said


def _last_result(claim: Claim, package: str) -> list[str]:
    """What the last run on this machine said, or the baseline of the package."""
    from verify.checker.baseline import UnusableBaseline, read_baseline
    from verify.checker.last_run import last_results
    from verify.evidence.files import witness_folder
    from verify.evidence.fingerprint import is_of, source_fingerprint

    last = last_results(package).get(claim.id)
    if last is not None:
        run = f"{last.when}, budget {last.budget}, seed {last.seed}"
        lines = [f"{last.outcome}, relative slack {words.smallest_slack(last.relative_slack)} ({run})"]
        if last.fingerprint != source_fingerprint(claim):
            lines.append("of an earlier form of the statement; `verify run` checks it anew")
        return lines + last.problems
    try:
        bounds = read_baseline(witness_folder(package).with_name("baseline.json")).get(claim.id, {})
    except UnusableBaseline:
        return []
    # the slacks at tight examples stand with the instances
    slacks = {name: bound for name, bound in bounds.items() if not name.startswith(("slack at ", "strength"))}
    lines = [f"in the baseline: {name} {bound.value:.3g} ({bound.effort})" for name, bound in slacks.items()]
    if any(not is_of(fingerprint, claim) for fingerprint in {bound.fingerprint for bound in slacks.values()}):
        lines.insert(0, "of an earlier form of the statement; `verify bounds update` measures it anew")
    return lines


def _folder(module: ModuleType) -> ModuleType | None:
    """The package of a theorem whose parts are modules: it says what is stated, where the module only says which part it is."""
    package = sys.modules.get(module.__name__.rpartition(".")[0])
    statement = re.search(r"^Statement$", inspect.cleandoc(module.__doc__ or ""), re.MULTILINE)
    return package if statement is None and package is not None and module.__name__.count(".") > 2 else None


def _strength(claim: Claim, package: str) -> list[str]:
    from verify.checker.strength import NEEDED, is_measured, known_strengths

    strength = known_strengths(package).get(claim.id)
    if strength is None:
        return []
    parts = {f"comparison {name}".strip(): comparison for name, comparison in strength.comparisons.items()}
    parts |= {f"constant {name}": constant for name, constant in strength.constants.items()}
    lines = [f"{name}: detected from {part.amount}{f' ({part.by})' if part.by else ''}" for name, part in parts.items()]
    lines += [f"fails outside of what is drawn: {end}" for end, finding in strength.ranges.items() if finding == NEEDED]
    if not is_measured(strength, claim):
        lines.insert(0, "of an earlier form of the claim; `verify strength` measures it anew")
    return lines


def _tight(name: str, tight: Tight) -> str:
    reached = f"  relative slack {tight.relative_slack:g}: {tight.why}" if tight.relative_slack else ""
    return f"{name}  ({_made(tight.instance)}){reached}"


def _made(instance: Callable[[], Any]) -> str:
    """What gives the variables of a tight example: the variables themselves where they are written down."""
    if isinstance(instance, functools.partial) and instance.func is dict:
        shown = ", ".join(f"{name} = {value}" for name, value in instance().items())
        return textwrap.shorten(shown, 100, placeholder=" ...")
    return words.name(instance)


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"{title}:\n{words.indented(chr(10).join(lines))}\n"


def _code(claim: Claim) -> Iterator[str]:
    function = words.unwrapped(claim.statement)
    try:
        lines, first_line = inspect.getsourcelines(function)
        path = Path(inspect.getsourcefile(function) or "")
    except (OSError, TypeError):
        return
    shown_path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    yield f"{shown_path}:{first_line}\n{words.indented(''.join(lines))}"


def module_of(claim: Claim, package: str) -> ModuleType | None:
    """The module of `package` that declares `claim`: the one with its statement, if several name it."""
    modules = [module for name, module in sys.modules.items() if name == package or name.startswith(package + ".")]
    naming = [module for module in modules if any(value is claim for value in vars(module).values())]
    home = words.unwrapped(claim.statement).__module__
    return next((module for module in naming if module.__name__ == home), naming[0] if naming else None)
