"""What all commands share: the application, how claims are chosen, and how bad input is refused."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.catalogue import Catalogue, UnknownClaim, select
from verify.claim import Claim

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(
    help="Checks theorems: every statement, its sharp instances, and the false statements beside it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Package = Annotated[str, typer.Option("--package", metavar="NAME", help="Package whose claims are meant; yours, for example.")]
Status = Literal["stated", "ours", "conjectured", "false_as_printed"]
INTERRUPTED = 130


def claims_of(package: str) -> Catalogue:
    """The claims of a package, installed or here; refused with the reason if it has none."""
    import importlib.util

    from verify.checker.running import claims_in

    top = package.partition(".")[0]
    if importlib.util.find_spec(top) is None:
        # a console script does not look where it is started, unlike `python -m`
        sys.path.insert(0, str(Path.cwd()))
        if importlib.util.find_spec(top) is None:
            raise unusable("--package", f"no package is called {package!r}, here or among the installed ones")
    try:
        found = claims_in(package)
    except (ModuleNotFoundError, AttributeError, ValueError) as error:
        raise unusable("--package", f"{package!r} is not a package of claims: {error}") from error
    for problem in found.problems:
        typer.echo(f"problem: {problem}", err=True)
    if not found:
        raise unusable("--package", f"{package!r} has no claims")
    return found


def select_claims(claims: Mapping[str, Claim], names: list[str], package: str) -> list[Claim]:
    """The claims of these ids or folders; a path within the package means the claims under it."""
    ids = [
        name.removeprefix("./").removeprefix(f"{package}/").removesuffix(".py").strip("/").replace("/", ".") for name in names
    ]
    try:
        return select(claims, [] if package in ids else ids)
    except UnknownClaim as error:
        raise unusable("ID", str(error)) from error


def unusable(option: str, message: str) -> typer.BadParameter:
    """The error for an unusable option or argument: exit status 2."""
    return typer.BadParameter(message, param_hint=f"'{option}'")


def console(*, stderr: bool = False) -> Console:
    """A console that prints what it is given, in colours on a terminal only."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


@contextmanager
def progress_bar(total: int) -> Iterator[Any]:
    """Gives a function to call with the name of what is done; draws a bar on a terminal only."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda name: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    layout = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*layout, TextColumn("{task.description}"), console=screen, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda name: progress.update(task, advance=1, description=name)


def writable(file: Path | None, option: str = "--json") -> None:
    """Refuse a file that cannot be written before the work, not after it."""
    if file is None:
        return
    folder = file.absolute().parent
    if file.is_dir():
        raise unusable(option, f"{file} is a folder; a file is wanted")
    if not folder.is_dir():
        raise unusable(option, f"{file}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise unusable(option, f"{file}: the folder {folder} cannot be written to")
