"""Files from elsewhere: 300 that were changed at random, and the worst that we know of; none may cost more than a line."""

from __future__ import annotations

import json
import random
import resource
import shutil
import sys
import tempfile
import time
import warnings
import zipfile
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from machine_speed import patient
from schema_files import validator
from test_ledger import entry
from typer.testing import CliRunner

from verify.checker.baseline import Quantity, UnusableBaseline, read_baseline, write_baseline
from verify.checker.record import Record, document
from verify.checker.strength import Detected, Strength, UnusableStrength, read_strengths, write_strengths
from verify.cli import app
from verify.evidence.files import UnusableFile
from verify.evidence.ledger import TornLedgerWarning, UnusableLedger, append, read_ledger
from verify.experiments.results import RESULT, TABLE, UnusableResult, read_numbers, read_result
from verify.experiments.table import read_table
from verify.networks.training.checkpoints import CheckpointMismatch, State, load, save
from verify.report.changes import read_run, since
from verify.site.experiments import page

TESTS = Path(__file__).parents[1]
EXPERIMENTS = TESTS.parent / "docs" / "experiments"
WITNESS = TESTS / "toy_claims" / "witnesses" / "toy.squares.printed.json"
SECONDS = patient(3)
"""A bomb takes minutes; a file that is read may meet the collector of what other tests left."""
MEGABYTES = 500


@pytest.fixture(autouse=True)
def _in_bounds():
    """However bad the file, it costs little memory; what other tests needed before does not count."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEGABYTES * 1024


def quickly(function, *arguments):
    start = time.thread_time()
    result = function(*arguments)
    assert time.thread_time() - start < SECONDS
    return result


def invoke(*arguments):
    result = quickly(lambda: CliRunner().invoke(app, [*map(str, arguments), "--package", "toy_claims"]))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") <= 1, result.stderr
    if result.exit_code == 2:
        assert result.stderr.count("\n") == 1
    return result


def read_as_a_witness(path):
    return invoke("check", path).exit_code != 2


def read_as_a_ledger(path):
    accepted = invoke("ledger", "show", path).exit_code != 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TornLedgerWarning)
        try:
            read_ledger(path)
        except UnusableLedger:
            assert not accepted
        else:
            assert accepted
    return accepted


def refusal(kind, read, path, *arguments):
    """The message of the error `kind` with which a file is refused, which is one line, or None."""
    message = None
    try:
        quickly(read, path, *arguments)
    except kind as error:
        message = str(error)
    if message is not None:
        assert "\n" not in message
        assert str(path) in message
    return message


def read_as_a_baseline(path):
    return refusal(UnusableBaseline, read_baseline, path) is None


def read_as_strengths(path):
    return refusal(UnusableStrength, read_strengths, path) is None


def read_as_an_earlier_run(path):
    earlier = refusal(UnusableFile, read_run, path) is None
    if earlier:
        found = since(read_run(path), [RECORD], ["toy.means"], {"toy.means": "toy_claims"}, "quick")
        assert found.in_words
        assert all(isinstance(text, str) for change in found.changes for text in asdict(change).values())
    return earlier


def in_a_folder(path, name, read):
    """Whether `read` accepts a folder in which this file has this name."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).symlink_to(path)
        return refusal(UnusableResult, read, Path(folder)) is None


def read_as_a_result(path):
    return in_a_folder(path, RESULT, lambda folder: page(read_result(folder), ""))


def read_as_a_table(path):
    def read(folder):
        table = read_numbers(folder)
        assert read_table(table.csv()).rows == table.rows

    return in_a_folder(path, TABLE, read)


PARAMETERS = np.arange(6.0)


def read_as_a_checkpoint(path):
    def read(path):
        state = load(path, "mark", PARAMETERS, 2, ())
        assert state.parameters.shape == PARAMETERS.shape
        assert state.history.shape == (state.step,)

    return refusal(CheckpointMismatch, read, path) is None


def a_witness(path):
    shutil.copy(WITNESS, path)


def a_ledger(path):
    for seed in range(3):
        append(path, entry(seed, claim="toy.means"))


def a_baseline(path):
    one = Quantity(0.25, float("inf"), "smaller", "quick", "f" * 16)
    write_baseline(path, {"toy.means": {"slack": one}, "toy.squares": {"slack": one, "other": one}})


def strengths(path):
    detected = {"#1": Detected("1e-6", "tight: one", "")}
    one = Strength(
        "f" * 16, detected, detected, {"positive": "needed"}, {"x below 0": "unknown"}, "0.01", {"n = 2": 7}, {"x": 0.25}
    )
    write_strengths(path, {"toy.means": one, "toy.squares": Strength("0" * 16, problem="it raises")})


def a_checkpoint(path):
    save(path, State(3, PARAMETERS, [PARAMETERS, PARAMETERS], np.ones(3)), "mark")


RECORD = Record("toy.means", "", "toy", "", "stated", "survives", "survived", relative_slack=0.5)


def an_earlier_run(path):
    others = [replace(RECORD, id=f"toy.{name}", problems=("it is false",)) for name in "ab"]
    written = document([RECORD, *others], budget="quick", seed=0, engine="inline", interrupted=False)
    path.write_text(json.dumps(written))


def a_result(path):
    shutil.copy(EXPERIMENTS / "notion_of_rank.four_classes" / RESULT, path)


def a_table(path):
    lines = (EXPERIMENTS / "notion_of_rank.four_classes" / TABLE).read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:30]))


OF_OTHER_VERSIONS = ("earlier run", "result")
"""What is read of other versions, too, so that it need not fit the present schema."""
FORMATS = {
    "earlier run": (an_earlier_run, read_as_an_earlier_run, "run"),
    "result": (a_result, read_as_a_result, "experiment"),
    "table": (a_table, read_as_a_table, None),
    "witness": (a_witness, read_as_a_witness, "witness"),
    "ledger": (a_ledger, read_as_a_ledger, "ledger_line"),
    "baseline": (a_baseline, read_as_a_baseline, "baseline"),
    "strengths": (strengths, read_as_strengths, "strength"),
    "checkpoint": (a_checkpoint, read_as_a_checkpoint, None),
}

NASTY = (
    *("null", "true", "-1", "0.5", "1e400", "-1e400", "NaN", "Infinity", "1e10000000", "9" * 5000, "9223372036854775808"),
    *(
        '""',
        '"1e10000000"',
        '"-1e-10000000"',
        f'"{"7" * 5000}"',
        f'"1/{"3" * 200_000}"',
        '"1/0"',
        '"NaN"',
        '"\\u0000"',
        '"unknown"',
    ),
    *(
        "[]",
        "{}",
        "[[]]",
        '["1"]',
        '{"a": 1}',
        "[" * 400 + "]" * 400,
        "[" * 100_000,
        '"0x1.0p+99999"',
        "1" + "0" * 18,
        '"quick"',
    ),
)
"""Texts that stand where a value should be."""


def places(value):
    """The ways to the values of a document."""
    yield ()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield from ((key, *rest) for rest in places(one))


def with_a_value_replaced(text, rng):
    """The text of a document with something else in one place; a line of a ledger is a document."""
    lines = text.split("\n") if text.startswith('{"') else [text]
    number = rng.randrange(max(1, len(lines) - 1))
    document = json.loads(lines[number])
    way = rng.choice(list(places(document)))
    if not way:
        lines[number] = rng.choice(NASTY)
        return "\n".join(lines)
    holder = document
    for key in way[:-1]:
        holder = holder[key]
    if rng.random() < 0.15 and isinstance(holder, dict):
        del holder[way[-1]]
        lines[number] = json.dumps(document)
    else:
        holder[way[-1]] = "@here@"
        lines[number] = json.dumps(document).replace('"@here@"', rng.choice(NASTY))
    return "\n".join(lines)


def with_bytes_changed(data, rng):
    """Cut, torn out, doubled, or with bits turned."""
    first, last = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    kind = rng.randrange(5)
    if kind == 0:
        return data[:first]
    if kind == 1:
        return data[:first] + data[last:]
    if kind == 2:
        return data[:last] + data[first:]
    changed = bytearray(data)
    for _ in range(rng.choice([1, 3, 30])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("name", FORMATS)
def test_changed_files_are_read_or_refused_in_a_line(tmp_path, name):
    write, read, schema = FORMATS[name]
    rng = random.Random(name)
    good = tmp_path / "good"
    write(good)
    assert read(good)
    data, path = good.read_bytes(), tmp_path / "changed"
    refused = 0
    for number in range(60):
        if schema is not None and number % 3:
            path.write_text(with_a_value_replaced(data.decode(), rng), encoding="utf-8")
        else:
            path.write_bytes(with_bytes_changed(data, rng))
        if not read(path):
            refused += 1
        elif schema is not None and name not in OF_OTHER_VERSIONS:
            text = path.read_text(encoding="utf-8")
            for document in text.split("\n")[:-1] if name == "ledger" else [text]:
                validator(schema).validate(json.loads(document))
    assert refused > 20


@pytest.mark.parametrize("name", ["witness", "ledger", "baseline", "strengths", "earlier run", "result"])
@pytest.mark.parametrize("text", NASTY)
def test_no_nasty_value_is_a_document(tmp_path, name, text):
    path = tmp_path / "nasty"
    path.write_text(text + "\n")
    assert not FORMATS[name][1](path)


@pytest.mark.parametrize(
    ("name", "way", "value"),
    [
        ("earlier run", ("claims", 0, "problems"), 7),
        ("result", ("source",), {"label": "Figure 2"}),
        ("result", ("source", "paper"), 7),
        ("result", ("assertions", 0, "name"), 1.5),
    ],
)
def test_a_part_of_another_type_is_refused(tmp_path, name, way, value):
    write, read, _ = FORMATS[name]
    path = tmp_path / "file"
    write(path)
    document = json.loads(path.read_text())
    holder = document
    for key in way[:-1]:
        holder = holder[key]
    holder[way[-1]] = value
    path.write_text(json.dumps(document))
    assert not read(path)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_no_file_is_refused(tmp_path, name):
    read = FORMATS[name][1]
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**33)  # with a hole: it takes no room
    assert not read(tmp_path / "large")
    if name != "ledger":  # `ledger show` names what is missing itself
        assert not read(Path("/dev/zero"))


@pytest.mark.parametrize("text", ['"9e999"', f'"{"7" * 5000}"', f'"-1/{"3" * 90_000}"'])
def test_a_number_of_many_digits_is_decided(tmp_path, text):
    path = tmp_path / "long.json"
    document = json.loads(WITNESS.read_text()) | {"coordinates": {"x": json.loads(text)}}
    path.write_text(json.dumps(document))
    result = invoke("check", path)
    assert result.exit_code == 1
    assert "does not stand" in result.stdout


def test_what_is_written_of_numbers_beyond_the_limit_of_python_is_read(tmp_path):
    options = ["--package", "faulty_claims"]
    written = CliRunner().invoke(
        app, ["run", "faulty.is_huge", "--witnesses", str(tmp_path), "--json", str(tmp_path / "f"), *options]
    )
    assert written.exit_code == 0, written.output
    witness = tmp_path / "faulty.is_huge.json"
    assert len(json.loads(witness.read_text())["left"]) > sys.get_int_max_str_digits()
    assert CliRunner().invoke(app, ["check", str(witness), *options]).exit_code == 0


def test_an_archive_that_unpacks_to_more_than_it_is_is_refused(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, step=3, fingerprint="mark", parameters=np.zeros(10**7), history=np.ones(3))
    assert not read_as_a_checkpoint(path)
    with pytest.raises(CheckpointMismatch, match="it is compressed"):
        load(path, "mark", PARAMETERS, 2, ())
    with zipfile.ZipFile(tmp_path / "liar.npz", "w") as archive:
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
        for name in ("step", "fingerprint", "parameters", "history"):
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    assert not read_as_a_checkpoint(tmp_path / "liar.npz")
