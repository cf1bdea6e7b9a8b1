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


def median(case: str, one: Mapping[str, Any]) -> str:
    """Such as "rank 2: 2.03, from 1.9 to 2.1 (94 %, 5 seeds)"."""
    return (
        f"{case}: {one['median']:.4g}, from {one['low']:.4g} to {one['high']:.4g} "
        f"({100 * one['confidence']:.0f} %, {one['seeds']} seeds)"
    )


def outcome(one: Mapping[str, Any]) -> str:
    """Such as "holds, uncertain"."""
    if one["problem"]:
        return f"failed: {one['problem']}"
    return "failed" if one["outcome"] != "holds" else "holds" if one["certain"] else "holds, but not for the whole interval"


def as_asserted(one: Mapping[str, Any]) -> bool:
    """Whether an assertion holds and its false variants are refuted."""
    return bool(one["outcome"] == "holds" and all(variant["refuted"] for variant in one["false"].values()))


def assertion_lines(one: Mapping[str, Any]) -> list[str]:
    """An assertion of a result with its numbers, and what became of its false variants."""
    lines = [f"{outcome(one)}: {one['name']} ({bounds(one['within'])})"]
    lines += [f"    {median(case, interval)}" for case, interval in one["medians"].items()]
    for name, variant in one["false"].items():
        if variant["refuted"]:
            ((case, interval),) = variant["by"].items()
            lines.append(f"    false: {name} ({bounds(variant['within'])}); refuted by {median(case, interval)}")
        else:
            lines.append(f"    false: {name} ({bounds(variant['within'])}); NOT refuted")
    return lines
