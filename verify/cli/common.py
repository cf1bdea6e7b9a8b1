"""What all commands share: the application, how claims are chosen, and how bad input is refused."""

from __future__ import annotations

import os
import shutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from verify.catalogue import Catalogue, UnknownClaim, select
from verify.claim import Claim

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

Timeout = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="A limit for each piece of work, which is a problem of its claim; none by default."),
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


class Commands(TyperGroup):
    """The commands; what they share is how they end."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments, or print the help."""
        with _in_one_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Call the command."""
        with _in_one_line():
            return super().invoke(ctx)


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
    help="Checks theorems: every statement, its sharp instances, and the false statements beside it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Package = Annotated[str, typer.Option("--package", metavar="NAME", help="Package whose claims are meant; yours, for example.")]
Status = Literal["stated", "ours", "conjectured", "false_as_printed"]


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
    except (Exception, SystemExit) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"
        raise unusable("--package", f"{package!r} is not a package of claims: {reason}") from error
    for problem in found.problems:
        typer.echo(f"problem: {problem}", err=True)
    if not found:
        raise unusable("--package", f"{package!r} has no claims")
    return found


def select_claims(claims: Catalogue, names: list[str], package: str) -> list[Claim]:
    """The claims of these ids or folders; a path within the package means the claims under it."""
    ids = [
        name.removeprefix("./").removeprefix(f"{package}/").removesuffix(".py").strip("/").replace("/", ".") for name in names
    ]
    try:
        return select(claims, [] if package in ids else ids)
    except UnknownClaim as error:
        raise unusable("ID", str(error)) from error


class _Unusable(typer.BadParameter):
    """An option, argument or file that cannot be used: one line, and exit status 2."""

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 (the signature of what it replaces)
        say(f"Error: {self.format_message()}")


def unusable(option: str, message: str) -> typer.BadParameter:
    """The error for an unusable option, argument or file: one line, and exit status 2."""
    return _Unusable(" ".join(message.split()), param_hint=f"'{option}'")


def executor_of(engine: str, timeout: float | None) -> Executor:
    """The executor of an engine; refused with the reason if there is none."""
    from verify.checker.engines import MissingExtra, open_executor

    try:
        return open_executor(engine, timeout)
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
