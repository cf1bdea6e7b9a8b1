"""What all commands share: the application, how claims are chosen, and how bad input is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from verify.claims.catalogue import Catalogue, Collection, Named, UnknownClaim, select
from verify.claims.claim import Claim
from verify.engines.containment import IMPORT
from verify.report.index import Listing, listing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from verify.report.tables import Table

Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="A limit for each piece of work, which is a problem of its claim. By default many times what claims take: for the "
        "budget quick four minutes, more on a slow machine.",
    ),
]
Engine = Annotated[
    str, typer.Option(help="processes (all cores), processes:N, inline, dask:tcp://HOST:PORT or mpi: where it is done.")
]
INTERRUPTED = 130
CLOSED_PIPE = 141
"""What a shell says of a command that SIGPIPE ended, which is how others end whose reader has gone."""
UNUSABLE = 2


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Faults of the machine end in a line and a status: a full disk, a reader that has gone, an interrupt."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError as error:
        _let_go_of_stdout()
        raise typer.Exit(CLOSED_PIPE) from error
    except KeyboardInterrupt as error:
        say("interrupted")
        raise typer.Exit(INTERRUPTED) from error
    except OSError as error:
        _let_go_of_stdout()
        say(f"Error: {explained(error)}")
        raise typer.Exit(UNUSABLE) from error


_AT_THE_END: ContextVar[ExitStack | None] = ContextVar("verify_at_the_end", default=None)
"""What the command that runs does at its end."""


class Commands(TyperGroup):
    """The commands; what they share is how they end."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments, or print the help."""
        with _in_one_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Call the command."""
        with _in_one_line(), ExitStack() as stack:
            token = _AT_THE_END.set(stack)
            try:
                return super().invoke(ctx)
            finally:
                _AT_THE_END.reset(token)


def explained(error: OSError) -> str:
    """What could not be read or written, and why."""
    return f"{error.filename or 'standard output'}: {error.strerror or error}"


def say(line: str) -> None:
    """Print to the standard error, if it is there."""
    with suppress(OSError):
        typer.echo(line, err=True)


def _let_go_of_stdout() -> None:
    """Send what is left in the buffer nowhere: the interpreter would try once more at its end, and complain."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    help="Checks theorems: every statement, its tight examples, and the false statements beside it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from verify.version import __version__

        typer.echo(f"verify {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Checks theorems: every statement, its tight examples, and the false statements beside it."""


def _ids(incomplete: str) -> list[str]:
    """Ids and folders for the completion of a shell, up to the next full stop but one."""
    with suppress(Exception):  # a shell that completes has nowhere to show an error
        names = list(listing_of(None))
        folders = {name.rpartition(".")[0] for name in names}
        return sorted(name for name in {*names, *folders} if name.startswith(incomplete))
    return []


Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID, folder or glob]...",
        help="Which claims, such as 'leaky_resnets.prop_*'; all by default.",
        autocompletion=_ids,
    ),
]
ClaimId = Annotated[str, typer.Argument(metavar="ID", help="Id of a claim.", autocompletion=_ids)]


def _package(name: str | None) -> str | None:
    """The name of a package, which a shell completes as that of its folder."""
    return name and (name.removeprefix("./").rstrip("/") or name)


Package = Annotated[
    str | None,
    typer.Option(
        "--package",
        metavar="NAME",
        callback=_package,
        help="Package whose claims are meant; by default that of the project here, else all that are installed.",
    ),
]
STATUSES = ("stated", "derived_here", "conjectured", "false_as_printed")


def _status(text: str | None) -> str | None:
    """A status as tables write it or as JSON does: ``derived here``, ``derived_here``."""
    if text is None:
        return None
    name = re.sub(r"[\s_-]+", "_", text.strip().lower())
    if name not in STATUSES:
        raise unusable("--status", f"a status is one of {', '.join(STATUSES)}, got {text!r}")
    return name


Status = Annotated[
    str | None,
    typer.Option(metavar="|".join(STATUSES), callback=_status, help="Only claims with this status."),
]
ColumnNames = Annotated[
    str | None, typer.Option("--columns", metavar="NAME,NAME...", help="Show these columns, whatever the width.")
]
Sort = Annotated[str | None, typer.Option("--sort", metavar="COLUMN", help="Sort by a column; -COLUMN in falling order.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Less: no table, nothing while it goes on.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="More: what was found, part by part.")]
JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write what was found to FILE; - is the standard output.")
]
STDOUT = Path("-")
Claims = TypeVar("Claims", Catalogue, Listing)


LEAST_TO_IMPORT = 10.0
"""Seconds that a module may take to import, however short the time limit of a claim is."""


def claims_of(package: str | None, timeout: float | None = None) -> Catalogue:
    """The claims of a package, installed or here, or of all that are known; refused with the reason if it has none.

    With the `timeout` of a claim, no module may take longer to import (but for `LEAST_TO_IMPORT`).
    """
    from verify.checker.running import claims_in
    from verify.evidence.kept import keeping

    stack = _AT_THE_END.get()
    if stack is not None:
        stack.enter_context(keeping())
    return _joined(package, claims_in, Catalogue, timeout)


def listing_of(package: str | None) -> Listing:
    """What the same claims say of themselves, without importing them if that is known."""
    return _joined(package, partial(listing, progress=progress_bar), Listing)


def _joined(package: str | None, read: Callable[[str], Claims], kind: type[Claims], timeout: float | None = None) -> Claims:
    seconds, _ = IMPORT.get()
    token = IMPORT.set((seconds if timeout is None else max(LEAST_TO_IMPORT, timeout), True))
    try:
        return _read(package, read, kind)
    finally:
        IMPORT.reset(token)


def _read(package: str | None, read: Callable[[str], Claims], kind: type[Claims]) -> Claims:
    from verify.claims.packages import known_packages, packages_here

    broken: list[str] = []
    claims: Claims
    if package is not None:
        claims = _claims_in(package, read)
    else:
        try:
            known, own = known_packages(), packages_here()
        except ValueError as error:
            raise unusable("pyproject.toml", str(error)) from error
        collections: list[Claims] = []
        for name in known:
            try:
                collections.append(_claims_in(name, read))
            except typer.BadParameter as error:
                if name in own:
                    raise
                # a package that is installed beside this one and broken is no reason to refuse the others
                broken.append(error.message)
        claims = kind.joined(collections)
    for problem in [*claims.problems, *broken]:
        typer.echo(f"problem: {problem}", err=True)
    if not claims:
        nothing = "there are no claims here" if package is None else f"{package!r} has no claims"
        raise unusable("--package", f"{nothing}: `verify new NAME` begins a package of your own")
    return claims


def _claims_in(package: str, read: Callable[[str], Claims]) -> Claims:
    import importlib.util

    top = package.partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None:
        # a console script does not look where it is started, unlike `python -m`
        sys.path.insert(0, str(Path.cwd()))
        spec = importlib.util.find_spec(top)
    if spec is None:
        folder = Path(package)
        is_folder = (folder / "__init__.py").is_file()
        advice = f": this is a folder, write --package {folder.name} in the folder {folder.parent}" if is_folder else ""
        raise unusable("--package", f"no package is called {package!r}, here or among the installed ones{advice}")
    if spec.submodule_search_locations is None:
        advice = "a package is a folder with __init__.py; `pytest` checks the claims of one module"
        raise unusable("--package", f"{top!r} is a module ({spec.origin}): {advice}")
    try:
        return read(package)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"
        raise unusable("--package", f"{package!r} is not a package of claims: {reason}") from error


def select_claims(
    claims: Collection[Named], names: list[str] | None, package: str | None, status: str | None = None
) -> list[Named]:
    """The claims of these ids, folders or globs; a path within a package means the claims under it.

    Without names, and without a package, those of the project here are meant, if it has any.
    """
    from verify.claims.packages import packages_here

    homes = claims.packages
    known = {package} if package is not None else set(homes.values())
    written: dict[str, str] = {_id(name, known): name for name in names or []}
    ids = [*written]
    if not ids and package is None and (own := packages_here()):
        ids = [package for package in own if package in known]
        if not ids:
            raise unusable(
                "--package", f"the project here, {', '.join(own)}, has no claims: `verify new --claim LABEL` adds one"
            )
    chosen: dict[str, Named] = {} if ids else dict(claims)
    for wanted in ids:
        try:
            selected = (
                [claim for name, claim in claims.items() if homes[name] == wanted]
                if wanted in known
                else select(claims, [wanted])
            )
        except UnknownClaim as error:
            raise unusable("ID", f"{error}{_elsewhere(written[wanted], package)}") from error
        chosen |= {claim.id: claim for claim in selected}
    selected_claims = [claim for claim in chosen.values() if status in (None, claim.status.name)]
    if not selected_claims:
        raise unusable("--status", f"none of these {len(chosen)} claims has the status {status!r}")
    return selected_claims


def _elsewhere(name: str, package: str | None) -> str:
    """Where a claim may be that is not found."""
    from verify.claims.packages import packages_here

    if Path(name).suffix == ".py" and Path(name).is_file():
        return f"; {name} is in no package that is known here: `pytest {name}` checks the claims of one module"
    if package is None and not packages_here():
        return "; those of a project are found in its folder, or with --package NAME"
    return ""


def _id(name: str, packages: set[str]) -> str:
    name = name.removeprefix("./")
    for package in packages:
        name = name.removeprefix(f"{package}/")
    return name.removesuffix(".py").strip("/").replace("/", ".")


def one_package(claims: Catalogue, chosen: list[Claim], package: str | None) -> str:
    """The package of all these claims, for commands that keep a file for each package."""
    homes = {claims.packages[claim.id] for claim in chosen}
    if package is None and len(homes) > 1:
        raise unusable("--package", f"these claims belong to {', '.join(sorted(homes))}: name one of these packages")
    return package or homes.pop()


class _Unusable(typer.BadParameter):
    """An option, argument or file that cannot be used: one line, and exit status 2."""

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 (the signature of what it replaces)
        say(f"Error: {self.format_message()}")


def unusable(option: str, message: str) -> typer.BadParameter:
    """The error for an unusable option, argument or file: one line, and exit status 2."""
    return _Unusable(" ".join(message.split()), param_hint=f"'{option}'")


def executor_of(
    engine: str, timeout: float | None = None, *, packages: Iterable[str] = (), most: int | None = None, kind: str | None = None
) -> Executor:
    """The executor of an engine; refused with the reason if there is none.

    New processes read `packages` first, and there are no more than `most`. Without a timeout that of `kind` is taken, a budget
    or another name in `verify.checker.running.SECONDS`.
    """
    from verify.checker.running import prepare, time_limit
    from verify.engines.executors import MissingExtra, open_executor, workers_of

    is_local = engine.partition(":")[0] in ("inline", "processes")
    if timeout is None and kind is not None and is_local:
        timeout = time_limit(kind, workers_of(engine))
    try:
        return open_executor(engine, timeout, partial(prepare, sorted(set(packages))), most)
    except (ValueError, MissingExtra, OSError) as error:
        raise unusable("--timeout" if str(error).startswith("timeout") else "--engine", str(error)) from error


def console(*, stderr: bool = False) -> Console:
    """A console that prints what it is given, in colours on a terminal only."""
    from rich.console import Console

    class Screen(Console):
        """A console that leaves it to `Commands` what becomes of a reader that has gone."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    # rich believes COLUMNS=0, which others take for "not known"
    unknown = os.environ.get("COLUMNS", "").strip("0") == "" and "COLUMNS" in os.environ
    return Screen(stderr=stderr, highlight=False, width=shutil.get_terminal_size().columns if unknown else None)


@contextmanager
def progress_bar(total: int) -> Iterator[Any]:
    """Gives a function to call with the name of what is done; draws a bar on a terminal only."""
    screen = console(stderr=True)
    if not screen.is_terminal or not total:
        yield lambda name: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # at 80 columns there is room for a name
    shown = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    layout = (BarColumn(12), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*layout, shown, console=screen, transient=True, expand=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda name: progress.update(task, advance=1, description=name)


def shown_as_asked(table: Table[Any], names: str | None, sort: str | None) -> Table[Any]:
    """The table with the columns that were asked for, in the order that was asked for."""
    try:
        table.asked(names)
    except ValueError as error:
        raise unusable("--columns", str(error)) from error
    try:
        return table.asked(names, sort)
    except ValueError as error:
        raise unusable("--sort", str(error)) from error


def write_json(file: Path | None, value: Any) -> None:
    """Write `value` to a file or to the standard output, if it is asked for."""
    from verify.evidence import write_whole

    if file is None:
        return
    text = json.dumps(value, indent=1, allow_nan=False)
    if file == STDOUT:
        typer.echo(text)
    else:
        write_whole(file, text + "\n")


def in_this_project(path: Path, option: str) -> Path:
    """The file or folder of a package that is written to where no other is named; refused outside the project one stands in."""
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / "pyproject.toml").is_file()), here)
    # an environment often lies in the project that uses it
    installed = {"site-packages", "dist-packages"} & set(path.resolve().parts)
    if installed or not path.resolve().is_relative_to(root.resolve()):
        raise unusable(
            option, f"{path} is no part of the project in {root}: name another place, or run this in its own project"
        )
    return path


def writable(file: Path | None, option: str = "--json") -> None:
    """Refuse a file that cannot be written before the work, not after it."""
    if file is None or file == STDOUT:
        return
    folder = file.absolute().parent
    if file.is_dir():
        raise unusable(option, f"{file} is a folder; a file is wanted")
    if not folder.is_dir():
        raise unusable(option, f"{file}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise unusable(option, f"{file}: the folder {folder} cannot be written to")
