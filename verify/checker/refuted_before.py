"""Counterexamples that earlier runs found, in the user's cache: the next run decides them first.

Only claims that are not expected to be refuted have any. A counterexample stays when the statement is edited: a mistake that
comes back is found at once, and a needle that one seed met is met by all.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from verify.checker.record import Record
from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.evidence.files import UnusableFile, from_json, locked, read_text, throw_away, write_whole
from verify.evidence.witness import UnusableWitness, sample_from

SCHEMA = 1
MOST = 8
"""Counterexamples of a claim that are kept, the latest first: each costs every run an exact evaluation."""


class RefutedBefore:
    """The counterexamples in a folder; without one, none are kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, package: str, claim: Claim) -> list[Mapping[str, Any]]:
        """Sizes and coordinates of each, as a witness file holds them, the latest first.

        A file that cannot be read is deleted, and that is said.
        """
        path = self._path(package, claim)
        if path is None or not os.path.lexists(path):
            return []
        try:
            document = from_json(read_text(path))
            instances = document.get("instances") if isinstance(document, dict) and document.get("schema") == SCHEMA else None
            if not isinstance(instances, list) or not all(isinstance(instance, dict) for instance in instances):
                raise UnusableFile("not the counterexamples of a claim")
        except UnusableFile as error:
            throw_away(path, str(error))
            return []
        return instances[:MOST]

    def keep(self, package: str, claim: Claim, record: Record) -> bool:
        """Keep the counterexample of a result that nobody expected, and say whether it was one that was not known."""
        path = self._path(package, claim)
        if path is None or record.counterexample is None or record.outcome != "refuted" or record.expected == "refuted":
            return False
        instance = {key: record.counterexample[key] for key in ("sizes", "coordinates")}
        with suppress(OSError):  # a home that cannot be written to, or a full disk
            path.parent.mkdir(parents=True, exist_ok=True)
            with locked(path):
                known = self.find(package, claim)
                others = [other for other in known if other != instance]
                document = {"schema": SCHEMA, "claim": claim.id, "instances": [instance, *others][:MOST]}
                write_whole(path, json.dumps(document, indent=1) + "\n")
                return instance not in known
        return False

    def _path(self, package: str, claim: Claim) -> Path | None:
        """Packages of one name in two places are two."""
        file = getattr(sys.modules.get(package), "__file__", None)
        if self._folder is None or file is None:
            return None
        place = hashlib.sha256(str(Path(file).resolve()).encode()).hexdigest()[:12]
        return self._folder / f"{package}-{place}" / f"{claim.id}.json"


def samples(claim: Claim, instances: Sequence[Mapping[str, Any]]) -> list[Sample]:
    """Those of the instances that the domain of the claim still has."""
    fitting = []
    for instance in instances:
        # another domain, or a file that somebody has written
        with suppress(UnusableWitness):
            fitting.append(sample_from(claim.id, claim, instance.get("sizes"), instance.get("coordinates")))
    return fitting
