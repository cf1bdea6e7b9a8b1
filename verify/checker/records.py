"""Results of checks that are kept in the user's cache for as long as nothing changes that they depend on.

A result depends on the claim and everything that it reaches, on the files of `verify` that compute, on the other files of the
claim's package, on the versions of what it requires, on the kernels of the linear algebra, on the budget and on the seed. Where
it depends on the clock, on files or on the surroundings, too, it is not kept. Only results that are as expected are: whatever
else a run says is found again by the next one.
"""

from __future__ import annotations

import dataclasses
import functools
import glob
import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from verify.checker.record import Record
from verify.checker.refuted_before import RefutedBefore
from verify.claims.claim import Claim
from verify.claims.packages import GROUP, OURS, cache_folder
from verify.engines.machine import versions
from verify.evidence.files import UnusableFile, from_json, read_text, throw_away, write_whole
from verify.evidence.fingerprint import record_fingerprint
from verify.evidence.kept import CLOCK_MARGIN, COMPUTING, NOT_THE_ENGINE, NOT_THE_STATEMENT, files_in, kept, version_of
from verify.evidence.sources import within
from verify.linting.beside import beside

SCHEMA = 1
DISTRIBUTION = "deep-l2-verify"
_ENGINE = Path(__file__).resolve().parents[1]


class KeptRecords:
    """The results of one budget and seed that are kept; where there is no home, nothing is.

    `fresh` finds none, so that all are made again; `begun` is when the process began to read modules, now if not given; `cache`
    is where they are, in place of `verify.claims.packages.cache_folder`.
    """

    def __init__(
        self, budget: str, seed: int, *, fresh: bool = False, begun: float | None = None, cache: Path | None = None
    ) -> None:
        self.budget, self.seed, self.fresh = budget, seed, fresh
        cache = cache or cache_folder()
        self._folder = None if cache is None else cache / "records"
        self._refuted = RefutedBefore(None if cache is None else cache / "refuted")
        # what is in memory may be an earlier form of a file that was written since
        self._latest = (time.time() if begun is None else begun) - CLOCK_MARGIN

    def find(self, package: str, claim: Claim) -> Record | None:
        """The kept result of a claim, with the time at which it was made; None if there is none, or something changed."""
        path = self._path(package, claim)
        if self.fresh or path is None or not os.path.lexists(path):
            return None
        key = self._key(package, claim)
        if not key:
            return None
        try:
            document = from_json(read_text(path))
            if not isinstance(document, dict) or not isinstance(document.get("record"), dict):
                raise UnusableFile("not the result of a claim")
            if document.get("key") != key:
                return None
            if document.get("digest") != _digest([document.get("when"), document["record"]]):
                raise UnusableFile("not as it was written")
        except UnusableFile as error:
            throw_away(path, str(error))
            return None
        values = document["record"]
        tuples = {name: tuple(values[name]) for name in ("problems", "remarks", "slacks")}
        return Record(**{**values, **tuples, "kept": document["when"]})

    def refuted_before(self, package: str, claim: Claim) -> list[Mapping[str, Any]]:
        """Instances at which earlier runs found the claim to be false, as plain values; is it so now?"""
        return [] if self.fresh else self._refuted.find(package, claim)

    def keep(self, package: str, claim: Claim, record: Record) -> None:
        """Keep a result that was just made, if it is as expected and was made by what computes here.

        Of a claim that was refuted and should not have been, the counterexample is kept.
        """
        if self._refuted.keep(package, claim, record) and (path := self._path(package, claim)) is not None:
            # what survived before it was known is no result any more
            for earlier in path.parent.glob(f"{glob.escape(claim.id)}.*.json"):
                with suppress(OSError):
                    earlier.unlink()
        if not record.as_expected or record.error or record.kept or dict(record.versions) != dict(versions()):
            return
        path = self._path(package, claim)
        key = "" if path is None else self._key(package, claim)
        if path is None or not key:
            return
        when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        values = json.loads(json.dumps(dataclasses.asdict(dataclasses.replace(record, witness=None))))
        document = {"schema": SCHEMA, "key": key, "when": when, "digest": _digest([when, values]), "record": values}
        with suppress(OSError):  # a home that cannot be written to, or a full disk
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(document) + "\n")

    def _path(self, package: str, claim: Claim) -> Path | None:
        """Packages of one name in two places are two."""
        file = getattr(sys.modules.get(package), "__file__", None)
        if self._folder is None or file is None:
            return None
        place = hashlib.sha256(str(Path(file).resolve()).encode()).hexdigest()[:12]
        return self._folder / f"{package}-{place}" / f"{claim.id}.{self.budget}.{self.seed}.json"

    def _key(self, package: str, claim: Claim) -> str:
        """Of all that the result depends on; nothing where that is not known."""
        engine = _engine(self._latest)
        if not engine:
            return ""
        try:
            if int(kept(claim, "beside", lambda: _beside(claim)), 16):
                return ""
            data, said = _data(package), record_fingerprint(claim)
        except Exception:  # whatever a broken declaration raises: its record says what is wrong
            return ""
        return _digest([SCHEMA, engine, data, said, _installed(package), dict(versions()), claim.id, self.budget, self.seed])


def _beside(claim: Claim) -> str:
    """How much of a claim depends on what no key knows, such as a file elsewhere; as a fingerprint is written."""
    inside = within([claim])
    return f"{len(inside.unseen) + sum(bool(beside(function)) for function in inside.functions):016x}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@functools.cache
def _engine(latest: float) -> str:
    """Fingerprint of the files of `verify` that compute; nothing if one was written after `latest`."""
    digest = hashlib.sha256()
    for path in files_in(_ENGINE, NOT_THE_ENGINE):
        try:
            if path.stat().st_mtime > latest:
                return ""
            data = path.read_bytes()
        except OSError:
            return ""
        digest.update(f"{path.name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


@functools.cache
def _data(package: str) -> list[list[str | int]]:
    """Names, sizes and times of the files of a package that are no modules: a statement may read them."""
    folders = [Path(place) for place in getattr(sys.modules[package], "__path__", ())]
    files = [path for folder in folders for path in files_in(folder, NOT_THE_STATEMENT) if path.suffix != ".py"]
    return [[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in files]


@functools.cache
def _installed(package: str) -> list[str]:
    """Names and versions of what a package computes with: what `verify` and its distribution do, and what these require.

    Of a package without a distribution everything that is installed.
    """
    declared = [
        point.dist.name for point in metadata.entry_points(group=GROUP) if point.value == package and point.dist is not None
    ]
    if not declared and package != OURS:
        return sorted(f"{distribution.name} {distribution.version}" for distribution in metadata.distributions())
    names = [*COMPUTING, *declared]
    # of what `verify` requires itself the table and the command line do not count
    installed = {DISTRIBUTION: version_of(DISTRIBUTION)}
    while names:
        name = canonicalize_name(names.pop())
        if name not in installed:
            installed[name] = version_of(name)
            required = map(Requirement, metadata.requires(name) or () if installed[name] else ())
            names += [
                requirement.name
                for requirement in required
                if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            ]
    return sorted(f"{name} {version}" for name, version in installed.items())
