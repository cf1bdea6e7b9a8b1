"""Find the claims of a package: every module-level `Claim` of its modules, by id."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import pkgutil
import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Generic, Self, TypeVar

from verify.claims.claim import Claim, FalseAsPrinted, Source, Status
from verify.engines.containment import importing
from verify.numbers.arguments import printable


@dataclass(frozen=True)
class Declaration:
    """What can be said of a claim without importing its module; see `verify.report.index`.

    Attributes
    ----------
    id, title, source, status
        Those of the claim.
    module
        Name of the module that declares it.
    evidence
        What a certificate proves, or what the declaration promises, "argued", "exact" or "searched"; a run may decide more.
    witness
        Path of the witness file that the package carries, or None.
    certificate
        Path of the certificate file that the package carries, or None.
    form
        Fingerprint of the source of the statement: what a run said of another form does not count.
    """

    id: str
    title: str
    source: Source
    status: Status
    module: str
    evidence: str
    witness: str | None
    certificate: str | None = None
    form: str = ""

    @property
    def corrected_by(self) -> str | None:
        """Id of the claim that states what is true, of one that is false as printed."""
        return self.status.corrected_by if isinstance(self.status, FalseAsPrinted) else None


Named = TypeVar("Named", Claim, Declaration)


class UnknownClaim(LookupError):
    """No claim or folder has this name; the message gives the nearest ones."""


def claims_of(module: ModuleType) -> list[Claim]:
    """The claims that `module` declares, in their order."""
    return [value for value in vars(module).values() if isinstance(value, Claim)]


class Collection(dict[str, Named], Generic[Named]):
    """Claims by id, in the order of the ids, and what is wrong with the package that declares them.

    Attributes
    ----------
    problems
        A line for every module that cannot be imported, for every id that is used twice and for every correction that does not
        exist, or alias of a claim that does not; empty if all is well.
    retired
        Ids that went, with what replaced them: the `RETIRED` of the folders.
    packages
        The package of each claim.
    aliases
        Second ids, with the id of the claim that they stand for: the `ALIASES` of the folders.
    """

    problems: tuple[str, ...] = ()
    retired: Mapping[str, str] = {}
    packages: Mapping[str, str] = {}
    aliases: Mapping[str, str] = {}

    @classmethod
    def joined(cls, collections: Sequence[Self]) -> Self:
        """The claims of several packages; of an id that two of them use, the first one's is kept, and that is a problem."""
        claims: dict[str, Named] = {}
        packages: dict[str, str] = {}
        problems = [problem for collection in collections for problem in collection.problems]
        for collection in collections:
            for name, claim in collection.items():
                if name in claims:
                    problems.append(f"the id {name} is used by the packages {packages[name]} and {collection.packages[name]}")
                    continue
                claims[name], packages[name] = claim, collection.packages[name]
        result = cls(sorted(claims.items()))
        result.problems, result.packages = tuple(problems), packages
        result.retired = {name: text for collection in collections for name, text in collection.retired.items()}
        result.aliases = {
            name: to for collection in collections for name, to in collection.aliases.items() if name not in result
        }
        return result


class Catalogue(Collection[Claim]):
    """The claims of one or several packages, imported."""

    def _repr_html_(self) -> str:
        """For notebooks: how many claims there are and, folded, those of each paper."""
        papers: dict[str, list[Claim]] = {}
        for claim in self.values():
            papers.setdefault(claim.paper, []).append(claim)
        shown = f"<div><b>{len(self)} claims</b>"
        for paper, claims in papers.items():
            wrong = sum(claim.status.name == "false_as_printed" for claim in claims)
            rows = "".join(
                f'<tr><td style="text-align:left"><code>{escape(claim.id)}</code></td>'
                f'<td style="text-align:left">{escape(claim.status.name.replace("_", " "))}</td>'
                f'<td style="text-align:left">{escape(claim.title)}</td></tr>'
                for claim in claims
            )
            counted = f"{escape(paper)}: {len(claims)} claims, {wrong} false as printed"
            head = "<tr><th>claim</th><th>status</th><th>title</th></tr>"
            shown += f"<details><summary>{counted}</summary><table>{head}{rows}</table></details>"
        return f"{shown}</div>"


def _modules(package: ModuleType, problems: list[str]) -> Iterator[ModuleType]:
    """The modules of a package; one that cannot be imported is a line of `problems` and hides no other."""
    yield package
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        try:
            with importing():
                module = importlib.import_module(info.name)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # whatever a module raises while it is imported, to end the interpreter, too
            problems.append(cause_of_import_error(info.name, error))
            continue
        if info.ispkg:
            yield from _modules(module, problems)
        else:
            yield module
    problems += [
        f"{package.__name__}.{name} has claims, and no __init__.py: make one, else they are not found"
        for name in _hidden(package)
    ]


def _hidden(package: ModuleType) -> list[str]:
    """Folders of a package that hold modules with claims, and that Python does not take for packages."""
    folders = [folder for path in package.__path__ for folder in Path(path).glob("*/") if not (folder / "__init__.py").exists()]
    return sorted(
        folder.name
        for folder in folders
        if any(
            not file.name.startswith(("test_", "conftest.")) and _DECLARES.search(file.read_text("utf-8", errors="replace"))
            for file in folder.glob("*.py")
        )
    )


_DECLARES = re.compile(r"^\w+[ \t]*(?::[^=\n]+)?=[ \t]*Claim\(", re.MULTILINE)


def cause_of_import_error(name: str, error: BaseException) -> str:
    """Module, file, line and cause in a line."""
    if isinstance(error, SyntaxError):
        place = f"{Path(error.filename or name).name}:{error.lineno}"
    else:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if not frame.filename.startswith("<")
            and not frame.filename.endswith(
                ("catalogue.py", "importlib/__init__.py", "engines/containment.py", "contextlib.py")
            )
        ]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else name
        own = [frame for frame in frames if _is_file_of(frame.filename, name)]
        if own and own[-1] is not frames[-1]:
            place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
    present = (
        "; since version 0.2 they are false_variants" if "unexpected keyword argument 'false_neighbours'" in str(error) else ""
    )
    return f"{name} cannot be imported: {place}: {type(error).__name__}: {' '.join(printable(str(error)).split())}{present}"


def _is_file_of(file: str, module: str) -> bool:
    path = Path(file)
    path = path.parent if path.stem == "__init__" else path.with_suffix("")
    parts = module.split(".")
    return list(path.parts[-len(parts) :]) == parts


def catalogue(package: str = "theorems") -> Catalogue:
    """All claims of `package`, by id, in the order of the ids, with the problems of the package.

    Examples
    --------
    >>> catalogue()["notion_of_rank.prop_3"].title
    "The Jacobian's Schatten norm bounds the cost per layer"
    """
    problems: list[str] = []
    by_id: dict[str, Claim] = {}
    homes: dict[str, str] = {}
    retired: dict[str, str] = {}
    aliases: dict[str, str] = {}
    with importing():
        home = importlib.import_module(package)
    for module in _modules(home, problems):
        retired.update(getattr(module, "RETIRED", {}))
        aliases.update(getattr(module, "ALIASES", {}))
        declared = claims_of(module)
        for claim in declared:
            if by_id.setdefault(claim.id, claim) is claim:
                homes.setdefault(claim.id, module.__name__)
            else:
                problems.append(
                    f"{module.__name__}: the id {claim.id} is that of a claim in {homes[claim.id]}, which is kept: take another"
                )
    corrections = {claim.id: claim.status.corrected_by for claim in by_id.values() if isinstance(claim.status, FalseAsPrinted)}
    problems += [
        f"{name} is said to be corrected by {correction}, which does not exist"
        for name, correction in corrections.items()
        if correction not in by_id
    ]
    for name, target in sorted(aliases.items()):
        if target not in by_id:
            problems.append(f"the alias {name} stands for {target}, which does not exist")
        if name in by_id:
            problems.append(f"the alias {name} is the id of a claim, too; the claim is meant")
    result = Catalogue(sorted(by_id.items()))
    result.problems, result.retired = tuple(problems), retired
    result.aliases = {name: target for name, target in sorted(aliases.items()) if target in by_id and name not in by_id}
    result.packages = dict.fromkeys(result, package)
    return result


def claim_of(claim_id: str) -> Claim:
    """The claim of this id, or alias, in any package that is known here.

    Raises
    ------
    UnknownClaim
        There is none; the message gives the nearest ones.
    """
    from verify.claims.packages import known_packages

    known = Catalogue.joined([catalogue(package) for package in known_packages()])
    claim = known.get(known.aliases.get(claim_id, claim_id))
    if claim is None:
        raise UnknownClaim(_unknown(claim_id, known))
    return claim


def select(claims: Collection[Named], names: list[str]) -> list[Named]:
    """The claims with these ids, aliases or prefixes, in these folders or at these labels; all claims if no name is given.

    In a name, ``*``, ``?`` and ``[abc]`` mean what they do for files: ``leaky_resnets.prop_*``. A label is the paper's, such
    as ``"Proposition 3"``, of whichever paper.

    Raises
    ------
    UnknownClaim
        A name is none of these.
    """
    if not names:
        return list(claims.values())
    chosen: dict[str, Named] = {}
    for name in names:
        wanted = name.strip("/").removeprefix("theorems/")
        wanted = claims.aliases.get(wanted, wanted)
        if any(sign in wanted for sign in "*?["):
            matching = {key: claim for key, claim in claims.items() if fnmatch.fnmatchcase(key, wanted)}
        else:
            matching = {key: claim for key, claim in claims.items() if key == wanted or key.startswith(wanted + ".")}
        matching = matching or {key: claim for key, claim in claims.items() if _stands_at(claim.source.label, name)}
        if not matching:
            raise UnknownClaim(_unknown(name, claims))
        chosen.update(matching)
    return list(chosen.values())


def _stands_at(label: str, wanted: str) -> bool:
    """Whether a label is the one that is wanted, or a part of it: "Theorem 4, first part" is one of "theorem 4"."""
    return label.casefold() == wanted.casefold() or label.casefold().startswith(f"{wanted.casefold()},")


def _unknown(name: str, claims: Collection[Named]) -> str:
    folders: list[str] = sorted({key.partition(".")[0] for key in claims})
    near: list[str] = difflib.get_close_matches(name, [*claims, *claims.aliases, *folders], n=3, cutoff=0.4)
    near += [key for key in [*claims, *claims.aliases] if key.split(".", 1)[1] == name and key not in near]
    hint = f"nearest: {', '.join(near)}" if near else f"folders: {', '.join(folders)}"
    return f"no claim or folder is called {name!r}; {hint}"
