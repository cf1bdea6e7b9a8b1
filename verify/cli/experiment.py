"""The command experiment."""

from __future__ import annotations

import json
import re
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from verify.cli.common import INTERRUPTED, Package, app, console, executor_of, progress_bar, say, unusable

if TYPE_CHECKING:
    from verify.experiments.discovery import Experiments
    from verify.experiments.experiment import Experiment

MOST_SEEDS = 1000
"""A range with more is a slip of the keyboard: a run takes seconds at least."""


@app.command()
def experiment(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME, folder or glob]...", help="Which experiments; without a name they are listed."),
    ] = None,
    *,
    scale: Annotated[
        Literal["smoke", "laptop", "paper"], typer.Option(help="Seconds, minutes, or what the paper did.")
    ] = "laptop",
    seeds: Annotated[str, typer.Option(help="Seeds, such as 0..4 or 0,3,5.")] = "0..4",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Results are in DIR/NAME.")] = Path("experiments"),
    resume: Annotated[bool, typer.Option("--resume", help="Go on where it was interrupted; else it begins anew.")] = False,
    plot_only: Annotated[bool, typer.Option("--plot-only", help="Judge and draw again what DIR holds; no runs.")] = False,
    engine: Annotated[
        str, typer.Option(help="inline, processes, processes:N, dask:tcp://HOST:PORT or mpi: where it is done.")
    ] = "inline",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, on the standard output.")] = False,
    package: Package = None,
) -> None:
    """Make figures of the papers, with what they show as assertions; without a name, list them.

    Every run that is finished is kept: the same command with --resume goes on, to the same table.
    The exit status is 0 when all is as asserted, 1 when not, 2 for unusable input, 130 when interrupted.
    """
    from verify.experiments.discovery import UnknownExperiment

    known = _experiments(package)
    if not names:
        _list(known, out, as_json)
        return
    try:
        chosen = known.select(names)
    except UnknownExperiment as error:
        raise unusable("NAME", str(error)) from error
    if plot_only and resume:
        raise unusable("--plot-only", "it makes no runs, and --resume goes on with them: give one of the two")
    wanted = _seeds(seeds)
    _can_draw()
    for experiment in chosen:
        try:
            (out / experiment.name).mkdir(parents=True, exist_ok=not plot_only or (out / experiment.name).is_dir())
        except OSError as error:
            raise unusable("--out", f"{out / experiment.name} cannot be made a folder: {error.strerror}") from error
    results = []
    failed = bool(known.problems)
    for experiment in chosen:
        folder = out / experiment.name
        result = (
            _again(experiment, folder)
            if plot_only
            else _made(experiment, known.packages[experiment.name], scale, wanted, folder, engine, resume)
        )
        failed = failed or result is None or not result["as_asserted"]
        if result is None:
            results.append(
                {"name": experiment.name, "as_asserted": False, "problem": "a run failed; the standard error says why"}
            )
            continue
        results.append(result)
        if not as_json:
            _tell(result, folder)
    if as_json:
        typer.echo(json.dumps(results, indent=1))
    raise typer.Exit(int(failed))


def _experiments(package: str | None) -> Experiments:
    from verify.claims.packages import known_packages
    from verify.experiments.discovery import experiments_in

    try:
        packages = known_packages() if package is None else (package,)
        known = experiments_in(*packages)
    except ValueError as error:
        raise unusable("pyproject.toml", str(error)) from error
    except ImportError as error:
        raise unusable("--package", str(error)) from error
    for problem in known.problems:
        say(f"problem: {problem}")
    return known


def _seeds(text: str) -> tuple[int, ...]:
    """The numbers of ``0..4`` or ``0,3,5``."""
    seeds: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d{1,9})(?:\.\.(\d{1,9}))?\s*", part)
        if not ends or int(ends[2] or ends[1]) < int(ends[1]) or int(ends[2] or ends[1]) - int(ends[1]) >= MOST_SEEDS:
            raise unusable("--seeds", f"seeds must be numbers such as 0..4 or 0,3,5, at most {MOST_SEEDS}, got {text!r}")
        seeds += range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    if len(set(seeds)) != len(seeds):
        raise unusable("--seeds", f"seeds must be different, got {text!r}")
    return tuple(seeds)


def _can_draw() -> None:
    """Refuse before the work what could not be drawn after it."""
    from verify.experiments.drawing import style

    try:
        with style():
            pass
    except ModuleNotFoundError as error:
        raise unusable("figure", str(error)) from error


def _made(
    experiment: Experiment[Any], package: str, scale: str, seeds: Sequence[int], folder: Path, engine: str, resume: bool
) -> dict[str, Any] | None:
    """Do all runs and write the files; None, and a message, where a run failed."""
    from verify.engines.executors import abandon
    from verify.experiments.results import document, judged, write
    from verify.experiments.running import JOURNAL, Done, RunFailed, UnusableJournal, all_runs, keys_of
    from verify.experiments.table import table_of

    journal = folder / JOURNAL
    if not resume:
        journal.unlink(missing_ok=True)
    try:
        keys = keys_of(experiment, scale, seeds)
    except ValueError as error:
        raise unusable("--seeds", str(error)) from error
    executor = executor_of(engine, None)
    runs = all_runs(executor, package, experiment, scale, keys, journal)
    done: dict[str, Done] = {}
    begin, finished = time.monotonic(), False
    try:
        with warnings.catch_warnings(record=True) as caught, progress_bar(len(keys)) as advance:
            warnings.simplefilter("always", UserWarning)
            for run in runs:
                done[run.key] = run
                advance(f"{experiment.name} {run.key}")
                _progress(experiment.name, len(done), len(keys), time.monotonic() - begin)
        for warning in caught:
            say(f"Warning: {warning.message}")
        finished = True
    except KeyboardInterrupt:
        say(f"{experiment.name}: interrupted; the runs that are finished are kept, and --resume does the others")
        raise typer.Exit(INTERRUPTED) from None
    except RunFailed as error:
        say(f"{error.traceback}{error}; the runs that are finished are kept, and --resume does the others")
        return None
    except UnusableJournal as error:
        raise unusable("--resume", str(error)) from error
    finally:
        runs.close()
        if finished:
            executor.shutdown()
        else:
            abandon(executor)
    ordered = [done[key] for key in keys]
    table = table_of(run.rows for run in ordered)
    machines = [dict(pairs) for pairs in dict.fromkeys(tuple(run.versions.items()) for run in ordered)]
    made = {"runs": len(keys), "seconds": round(sum(run.seconds for run in ordered), 1), "versions": machines}
    result = document(experiment, scale, seeds, made, judged(experiment, scale, table))
    write(folder, experiment, table, result)
    return result


def _progress(name: str, done: int, total: int, seconds: float) -> None:
    """A line for each run, where nobody looks at a bar."""
    if not console(stderr=True).is_terminal:
        say(f"{name}: run {done} of {total}, {seconds:.0f} s, about {seconds / done * (total - done):.0f} s left")


def _again(experiment: Experiment[Any], folder: Path) -> dict[str, Any]:
    """Judge and draw again what a folder holds."""
    from verify.experiments.experiment import SCALES
    from verify.experiments.results import TABLE, UnusableResult, document, judged, read_numbers, read_result, write

    try:
        table, before = read_numbers(folder), read_result(folder)
        if before["name"] != experiment.name or before["scale"] not in SCALES:
            raise UnusableResult(
                f"{folder}: a result of {before['name']} at the scale {before['scale']}, not of {experiment.name}"
            )
    except UnusableResult as error:
        raise unusable("--plot-only", str(error)) from error
    made = {name: before[name] for name in ("runs", "seconds", "versions")}
    try:
        result = document(experiment, before["scale"], before["seeds"], made, judged(experiment, before["scale"], table))
        # what made the numbers stands, whatever the recipe is now
        result["recipe"] = before["recipe"]
        write(folder, experiment, table, result)
    except OSError as error:
        raise unusable("--plot-only", f"{folder} cannot be written to: {error.strerror}") from error
    except Exception as error:  # whatever the code of an experiment raises where the numbers are not its own
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {' '.join(str(error).split())} ({Path(frame.filename).name}:{frame.lineno})"
        raise unusable("--plot-only", f"{folder / TABLE} is not judged and drawn: {reason}") from error
    return result


def _list(known: Experiments, out: Path, as_json: bool) -> None:
    from verify.experiments.results import UnusableResult, read_result

    entries = []
    for experiment in known.values():
        last: dict[str, Any] | None = None
        with suppress(UnusableResult):
            last = read_result(out / experiment.name)
        entries.append(
            {
                "name": experiment.name,
                "title": experiment.title,
                "paper": experiment.source.paper,
                "figure": experiment.source.label,
                "seconds": dict(experiment.seconds),
                "last": last and {key: last[key] for key in ("scale", "seeds", "as_asserted", "assertions", "seconds")},
            }
        )
    if as_json:
        typer.echo(json.dumps(entries, indent=1))
        return
    from verify.report.console import show
    from verify.report.tables import Column, Table

    columns: list[Column[Mapping[str, Any]]] = [
        Column("experiment", lambda row: row["name"], 0),
        Column("figure", lambda row: row["figure"], 3),
        Column("smoke", lambda row: _duration(row["seconds"]["smoke"]), 5, right=True),
        Column("laptop", lambda row: _duration(row["seconds"]["laptop"]), 4, right=True),
        Column("paper", lambda row: _duration(row["seconds"]["paper"]), 6, right=True),
        Column("last result", lambda row: _last(row["last"]), 1),
        Column("title", lambda row: row["title"], 2, elastic="cut"),
    ]
    show(console(), Table(columns, entries))


def _last(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return "none"
    from verify.experiments.words import as_asserted

    good = sum(as_asserted(assertion) for assertion in result["assertions"])
    return f"{result['scale']}: {good} of {len(result['assertions'])} as asserted"


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _tell(result: Mapping[str, Any], folder: Path) -> None:
    from verify.experiments.words import as_asserted, assertion_lines

    good = sum(as_asserted(assertion) for assertion in result["assertions"])
    seeds = f"{len(result['seeds'])} seed{'s' * (len(result['seeds']) != 1)}"
    typer.echo(f"{result['name']}: {result['title']}")
    for assertion in result["assertions"]:
        for line in assertion_lines(assertion):
            typer.echo(f"  {line}")
    typer.echo(
        f"{good} of {len(result['assertions'])} as asserted; scale {result['scale']}, {seeds}, {result['runs']} runs, "
        f"{result['seconds']:.0f} s of work; {folder}"
    )
