"""Results in words, for the terminal and for the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def bounds(within: Sequence[float | None]) -> str:
    """Such as "from 1.7 to 2.3"."""
    low, high = within
    if low is None:
        return f"at most {high:g}"
    return f"at least {low:g}" if high is None else f"from {low:g} to {high:g}"


def median(case: str, interval: Mapping[str, Any]) -> str:
    """Such as "rank 2: 2.03, from 1.9 to 2.1 (94 %, 5 seeds)"."""
    return (
        f"{case}: {interval['median']:.4g}, from {interval['low']:.4g} to {interval['high']:.4g} "
        f"({100 * interval['confidence']:.0f} %, {interval['seeds']} seeds)"
    )


def outcome(assertion: Mapping[str, Any]) -> str:
    """Such as "holds, uncertain"."""
    if assertion["problem"]:
        return f"failed: {assertion['problem']}"
    return (
        "failed"
        if assertion["outcome"] != "holds"
        else "holds"
        if assertion["certain"]
        else "holds, but not for the whole interval"
    )


def as_asserted(assertion: Mapping[str, Any]) -> bool:
    """Whether an assertion holds and its false variants are refuted."""
    return bool(assertion["outcome"] == "holds" and all(variant["refuted"] for variant in assertion["false"].values()))


def assertion_lines(assertion: Mapping[str, Any]) -> list[str]:
    """An assertion of a result with its numbers, and what became of its false variants."""
    lines = [f"{outcome(assertion)}: {assertion['name']} ({bounds(assertion['within'])})"]
    lines += [f"    {median(case, interval)}" for case, interval in assertion["medians"].items()]
    for name, variant in assertion["false"].items():
        if variant["refuted"]:
            ((case, interval),) = variant["by"].items()
            lines.append(f"    false: {name} ({bounds(variant['within'])}); refuted by {median(case, interval)}")
        else:
            lines.append(f"    false: {name} ({bounds(variant['within'])}); NOT refuted")
    return lines
