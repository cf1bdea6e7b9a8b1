"""Claims, instances and results in words."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq, fmpz

from verify.claims.catalogue import Named
from verify.claims.claim import Claim, FalseAsPrinted, Statement
from verify.claims.domain import Domain, Sample
from verify.claims.shown import derived_values
from verify.claims.variables import Coordinate
from verify.numbers.arithmetic import floats, is_exact
from verify.numbers.relation import Relation, Verdict

if TYPE_CHECKING:
    from verify.search import Refutation

READABLE = 48
"""Characters of a number that are printed before it is given as a float."""
SHORT = 12
"""Those on a page."""


def number(value: Any) -> str:
    """A number, or the text of one in a witness file, as text; a long fraction or ball by its value."""
    if isinstance(value, float | np.floating):
        value = float(value) + 0.0  # no zero has a sign
        return repr(value) if len(repr(value)) <= 12 else f"{value:.9g}"
    text = str(value)
    if ball := re.fullmatch(r"\[(-?[0-9.]+)(e[+-]?[0-9]+)? \+/- ([0-9.]+e[+-]?[0-9]+)\]", text):
        digits = ball[1][:READABLE]
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return f"{digits}{ball[2] or ''} ± {ball[3]}"
    if len(text) <= READABLE:
        return text
    if isinstance(value, str) and (ratio := re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", text)):
        value = fmpq(fmpz(ratio[1]), fmpz(ratio[2] or 1))
    if not is_exact(np.asarray(value)):
        return text
    return f"{float(floats(np.asarray(value, dtype=object))):.17g} (a fraction of {len(text)} characters)"


def short_number(value: Any, digits: int = 6) -> str:
    """A number as a page shows it: short fractions as they are, others with a few digits, and a sign that says so."""
    if isinstance(value, float | np.floating):
        return f"{float(value):.{digits}g}"
    text = str(value)
    if len(text) <= SHORT:
        return text
    if isinstance(value, str):
        if ratio := re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", text):
            value = fmpq(fmpz(ratio[1]), fmpz(ratio[2] or 1))
        elif ball := re.fullmatch(r"\[(-?[0-9.]+(?:e[+-]?[0-9]+)?) \+/- [0-9.]+(?:e[+-]?[0-9]+)?\]", text):
            return f"≈ {float(ball[1]):.{digits}g}"
    if not is_exact(np.asarray(value)):
        return text
    return f"≈ {float(floats(np.asarray(value, dtype=object))):.{digits}g}"


def two_short_numbers(left: Any, right: Any) -> tuple[str, str]:
    """Both sides of a comparison, with as many digits as it takes to tell them apart."""
    digits = (6, 9, 12, 15, 17)
    pairs = ((short_number(left, count), short_number(right, count)) for count in digits)
    return next((pair for pair in pairs if pair[0] != pair[1]), (number(left), number(right)))


def smallest_slack(value: float | None) -> str:
    """The smallest relative slack of a search; 0 is what is inside its error."""
    return "0 (attained, up to rounding)" if value == 0 else slack(value)


def exhausted(counts: Mapping[str, int]) -> str:
    """Such as "all instances of n = 5 (1024) and of n = 6 (32768)"; empty where there are none."""
    parts = [f"of {sizes} ({count})" if sizes else f"({count})" for sizes, count in counts.items()]
    several = f"{', '.join(parts[:-1])} and " if len(parts) > 1 else ""
    return f"all instances {several}{parts[-1]}" if parts else ""


def slack(value: float | None) -> str:
    """A relative slack with three digits; a dash where there is none."""
    return "-" if value is None or not np.isfinite(value) else "0" if value == 0 else f"{value:.3g}"


def source(claim: Claim) -> str:
    """Paper and label."""
    return f"{claim.source.paper}, {claim.source.label}"


def papers(package: str) -> Mapping[str, str]:
    """Titles of the papers that a package speaks of, by the first part of the ids of their claims: its `PAPERS`."""
    return getattr(sys.modules.get(package), "PAPERS", {})


def package_of(claim: Claim) -> str:
    """The package in which the statement of a claim stands."""
    return (unwrapped(claim.statement).__module__ or "").partition(".")[0]


def paper(claim: Claim) -> str:
    """Title of the paper, as the package of the claim says in its `PAPERS`; else its name."""
    name = claim.source.paper
    return papers(package_of(claim)).get(name, name)


def unwrapped(statement: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind partial applications and decorators."""
    while isinstance(statement, functools.partial):
        statement = statement.func
    inner: Callable[..., Any] = inspect.unwrap(statement)
    return inner


def docstring(statement: Callable[..., Any]) -> str:
    """Docstring of the function behind `statement`, with the arguments it is given; empty if it has none."""
    text = inspect.getdoc(unwrapped(statement)) or ""
    settings = getattr(statement, "keywords", None) or {}
    arguments = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return f"{text} (with {arguments})" if arguments else text


def statement(claim: Claim) -> str:
    """Title, source, and what the statement function says of itself."""
    title = paper(claim)
    lines = [claim.title, f"  {source(claim)}{f': {title}' if title != claim.source.paper else ''}"]
    return "\n".join([*lines, *(f"  {line}" for line in docstring(claim.statement).splitlines())])


def status(claim: Claim, claims: Mapping[str, Named]) -> list[str]:
    """The status, with links between what is printed and what corrects it, both ways."""
    sentences = [claim.status.name.replace("_", " ")]
    if isinstance(claim.status, FalseAsPrinted):
        sentences.append(f"corrected by {claim.status.corrected_by}")
    corrects = [other.id for other in claims.values() if getattr(other.status, "corrected_by", None) == claim.id]
    return sentences + [f"corrects {name}" for name in corrects]


def variable(coordinate: Coordinate) -> str:
    """What a coordinate may be, such as "2 x 3 integers from 0 to 4"."""
    kind = "integer" if coordinate.integer else "real number"
    counted = " x ".join(map(str, coordinate.shape)) + f" {kind}s" if coordinate.shape else kind
    limits = [coordinate.lower, coordinate.upper]
    bounded = [f"{word} {limit:g}" for word, limit in zip(("from", "to"), limits, strict=True) if np.isfinite(limit)]
    return " ".join([counted, *bounded])


def sizes(domain: Domain) -> str:
    """The values that the sizes may take."""
    return ", ".join(
        f"{name}: {', '.join(f'{value} ({kind})' for value, kind in values.items())}"
        if isinstance(values, Mapping)
        else f"{name} in {_values(list(values))}"
        for name, values in domain.sizes.items()
    )


def with_kinds(sizes: Mapping[str, int], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Sizes by name; beside a number that stands for a kind of instances, what it is."""
    return {name: f"{value} ({kinds[name]})" if name in kinds else value for name, value in sizes.items()}


def _values(values: list[int]) -> str:
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}..{values[-1]}"
    return "{" + ", ".join(map(str, values)) + "}"


def instance(sizes: Mapping[str, Any], coordinates: Mapping[str, Any]) -> str:
    """Sizes and free parameters, one a line; matrices by rows. Takes arrays or the nested texts of a witness file."""
    lines = [", ".join(f"{name} = {value}" for name, value in sizes.items())] if sizes else []
    for name, values in coordinates.items():
        rows = _rows(values.tolist() if isinstance(values, np.ndarray | np.generic) else values)
        lines.append(f"{name} = {rows[0]}")
        lines += [" " * (len(name) + 3) + row for row in rows[1:]]
    return "\n".join(lines)


def short_list(values: Any) -> str:
    """Nested lists of numbers, or of texts in a witness file, in a line."""
    return f"({', '.join(map(short_list, values))})" if isinstance(values, list) else short_number(values)


def _rows(values: Any) -> list[str]:
    if not isinstance(values, list):
        return [number(values)]
    if not any(isinstance(entry, list) for entry in values):
        return ["[" + ", ".join(number(entry) for entry in values) + "]"]
    rows = []
    for place, entry in enumerate(values):
        *head, last = _rows(entry)
        rows += [*head, last + ("]" if place == len(values) - 1 else ",")]
    return [("[" if place == 0 else " ") + row for place, row in enumerate(rows)]


def sides(relation: Relation) -> str:
    """Both sides of the worst entry, the slack and the relative slack; for a relation of one instance."""
    left, right, absolute = relation.worst()
    comparison, place = relation.worst_place()
    relative = f"relative slack = {float(comparison.relative[place]):.3g}"
    if comparison.verdicts[place] == Verdict.UNDECIDED and not np.isnan(absolute):
        relative = "inside its error" + (": attained, up to rounding" if comparison.known[place] == 0 else "")
    return f"{two_sides(left, right)}\nslack = {absolute:.6g}   {relative}"


def two_sides(left: Any, right: Any) -> str:
    """Both sides, one a line."""
    return f"left  = {number(left)}\nright = {number(right)}"


def found_at(document: Mapping[str, Any]) -> str:
    """The instance and both sides of what a record holds: a witness, or the instance that is nearest to one."""
    numbers = {**document["coordinates"], **document.get("derived", {})}
    sizes = with_kinds(document["sizes"], document.get("kinds", {}))
    return f"{instance(sizes, numbers)}\n\n{two_sides(document['left'], document['right'])}"


def refutation(refuted: Refutation, domain: Domain) -> str:
    """The instance and both sides."""
    return f"{of_domain(domain, refuted.sample)}\n\n{sides(refuted.relation)}"


def of_domain(domain: Domain, sample: Sample) -> str:
    """The sizes and free parameters of an instance, and the variables that are derived from them."""
    sizes = with_kinds(sample.sizes, domain.kinds(sample.sizes))
    return instance(sizes, {**sample.coordinates, **derived_values(domain, sample)})


def float_instance(statement: Statement, domain: Domain, sample: Sample | None) -> str:
    """The worst instance of a search in floats, and both sides there."""
    if sample is None:
        return "no instance could be evaluated"
    from verify.search.batch import judged_alone  # with the search, which a listing does without

    text = of_domain(domain, sample)
    relation = judged_alone(statement, domain, sample)
    return f"{text}\n\n{'floats cannot evaluate the statement there' if relation is None else sides(relation)}"


def indented(text: str, by: int = 2) -> str:
    """`text` with every line moved to the right."""
    return "\n".join(" " * by + line if line else line for line in text.splitlines())


def command(claim_id: str, budget: str, seed: int, package: str = "theorems") -> str:
    """The command line that repeats a check."""
    where = "" if package in ("", "theorems") else f" --package {package}"
    return f"verify run {claim_id} --budget {budget} --seed {seed}{where}"


def name(function: Callable[..., Any]) -> str:
    """Module and name of a function, behind partial applications."""
    inner = unwrapped(function)
    if inner.__name__ == "<lambda>":
        return f"{inner.__module__}, line {inner.__code__.co_firstlineno}"
    return f"{inner.__module__}.{inner.__qualname__}"


NOT_CHECKED = "certificate not checked here"
"""What is said of a certificate that fits the statement: whoever wrote the file, what it says counts once it is checked."""
IN_COQ = "Coq (all sizes)"
"""What is said of a claim that a theorem in Coq states, which somebody wrote by hand."""
COQ_NOTE = f"{IN_COQ}: accepted by Coq when that was recorded; `make` in the folder coq of the package compiles it again"
"""What stands below a table that says so."""
CERTIFICATE = "certificate*"
"""The same in a table, with a note below it."""


def shortened(evidence: str) -> str:
    """Words of evidence for a table."""
    return evidence.replace(NOT_CHECKED, CERTIFICATE)
