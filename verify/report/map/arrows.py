"""The arrows of a map, from the table ``map.toml`` of a package and from its claims."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from verify.claims.claim import Claim, FalseAsPrinted

FILE = "map.toml"
"""The table, in the folder of the package."""

KINDS = {
    "uses": "the proof of the one uses the other, in the paper or in what is checked",
    "extends": "the same statement in more generality, or for another kind of network",
    "corrects": "what is true, in place of a statement that is false as printed",
}
"""What an arrow can mean. Those that correct are not written down: they come from the claims."""

WRITTEN = ("uses", "extends")


@dataclass(frozen=True)
class Arrow:
    """From one theorem to another that rests on it, both by paper and name, such as ``notion_of_rank.prop_3``.

    Attributes
    ----------
    source, target
        What is used, extended or corrected by, and what uses, extends or is corrected.
    kind
        One of `KINDS`.
    place
        Where it stands, such as "proof of Proposition 4".
    """

    source: str
    target: str
    kind: str
    place: str


def read(text: str, theorems: Collection[str], name: str = FILE) -> list[Arrow]:
    """The arrows of a table, from the text of its file.

    Raises
    ------
    ValueError
        The file is no TOML, names a theorem that is none or another kind, says no place, has two arrows between the same
        theorems, or goes round in a circle; the message names the file and the entry.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}") from None
    arrows = [arrow for target, kinds in _two_deep(table, name) for arrow in _of_theorem(target, kinds, theorems, name)]
    pairs: set[tuple[str, str]] = set()
    for arrow in arrows:
        if (arrow.source, arrow.target) in pairs:
            raise ValueError(f"{name}: {arrow.target} names {arrow.source} twice; one arrow between two theorems is enough")
        pairs.add((arrow.source, arrow.target))
    circle = circle_of(arrows)
    if circle:
        raise ValueError(f"{name}: {' rests on '.join(circle)}: a proof cannot go round in a circle")
    return arrows


def circle_of(arrows: Collection[Arrow]) -> list[str]:
    """Theorems that rest on each other in a circle, the first one again at the end; empty if there are none."""
    graph = nx.DiGraph((arrow.target, arrow.source) for arrow in arrows if arrow.kind in WRITTEN)
    try:
        steps = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return []
    return [*(start for start, _ in steps), steps[0][0]]


def _two_deep(table: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables below ``[paper.theorem]``."""
    for paper, theorems in table.items():
        if not isinstance(theorems, Mapping) or not all(isinstance(theorem, Mapping) for theorem in theorems.values()):
            raise ValueError(f"{name}: {paper} must have a table for each theorem: write [{paper}.NAME]")
        for theorem, kinds in theorems.items():
            yield f"{paper}.{theorem}", kinds


def _of_theorem(target: str, kinds: Mapping[str, Any], theorems: Collection[str], name: str) -> Iterator[Arrow]:
    if target not in theorems:
        raise ValueError(f"{name}: [{target}] is no theorem of this package")
    for kind, named in kinds.items():
        if kind not in WRITTEN or not isinstance(named, Mapping):
            raise ValueError(f"{name}: [{target}] must say {' or '.join(WRITTEN)}, as in uses.NAME = 'place', got {kind}")
        for key, value in named.items():
            # a name that stands for itself is in the same paper
            places = value if isinstance(value, Mapping) else {key: value}
            paper = key if isinstance(value, Mapping) else target.split(".")[0]
            for theorem, place in places.items():
                source = f"{paper}.{theorem}"
                if source not in theorems or source == target:
                    raise ValueError(f"{name}: [{target}] {kind} {source}, which is no other theorem of this package")
                if not isinstance(place, str) or not place.strip():
                    raise ValueError(f"{name}: [{target}] {kind} {source} must say where, got {place!r}")
                yield Arrow(source, target, kind, place)


def of_claims(claims: Mapping[str, Claim]) -> list[Arrow]:
    """What the claims say themselves: what their proofs may use, and what corrects them, between different theorems."""
    by_ends: dict[tuple[str, str], Arrow] = {}
    for claim in claims.values():
        named = [("uses", follow.claim.id, f"a proof of {claim.id} may use {follow.claim.id}") for follow in claim.follows]
        if isinstance(claim.status, FalseAsPrinted):
            correction = claim.status.corrected_by
            named.append(("corrects", correction, f"{correction} is true in place of {claim.id}"))
        for kind, claim_id, place in named:
            source, target = theorem_of(claim_id), theorem_of(claim.id)
            if source != target:
                by_ends.setdefault((source, target), Arrow(source, target, kind, place))
    return list(by_ends.values())


def theorem_of(claim_id: str) -> str:
    """The theorem of a claim: the first two parts of its id, such as ``notion_of_rank.prop_3``."""
    return ".".join(claim_id.split(".")[:2])
