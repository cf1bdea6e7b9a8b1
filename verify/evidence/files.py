"""Files: written whole or not at all, and read with suspicion, for they come from anywhere; and where witnesses are kept."""

from __future__ import annotations

import importlib
import json
import math
import os
import reprlib
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from verify.claims.claim import Claim

LARGEST = 16 * 2**20
"""Bytes of a file that is read at once; what we write is far smaller."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
MOST_DIGITS = 19
"""Digits of an integer in JSON: seeds and counts are below 2**63; rationals are text."""


class UnusableFile(ValueError):
    """A file that is not what it should be; the message is one line and says why."""


def write_whole(path: Path, text: str | bytes | Iterable[str]) -> None:
    """Write `text`, or its parts, or bytes, to `path`, replacing what is there only when all is on the disk.

    If the disk is full, what was there stays as it was. A link stays one, and its target is written. What is no file (a device,
    a pipe) is written to.
    """
    path, parts = path.resolve(), [text] if isinstance(text, str | bytes) else text
    replaced = not path.exists() or path.is_file()
    written = path.with_name(f"{path.name}.{os.getpid()}.part") if replaced else path
    try:
        with written.open("wb") as file:
            file.writelines(part if isinstance(part, bytes) else part.encode() for part in parts)
            file.flush()
            if replaced:
                os.fsync(file.fileno())
        if replaced:
            written.replace(path)
    except BaseException as error:  # an interrupt leaves no part behind, either
        if replaced:
            with suppress(OSError):
                written.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        # the disk names no file, and the partial one is nothing to its reader
        raise OSError(error.errno, error.strerror, str(path)) from error


WAIT = 10.0
"""Seconds that a file of the cache is waited for: who holds it longer has stopped."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Have a file for oneself while it is read and written anew: other processes that ask, too, wait.

    The lock is a file beside it, and ends with the process that holds it, however that ends. Where the system has no such lock,
    and after `WAIT`, one goes on without.
    """
    with path.with_name(f"{path.name}.lock").open("a") as file:
        until = time.monotonic() + WAIT
        while not _taken(file) and time.monotonic() < until:
            time.sleep(0.01)
        yield


def _taken(file: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def throw_away(path: Path, why: str) -> None:
    """Delete a file of the cache that is none of ours, if it can be, and say so: nothing is lost but time."""
    try:
        path.unlink()
        done = "thrown away"
    except OSError:  # a folder, or one that others own
        done = "not used"
    sys.stderr.write(f"{path}: {done}: {why}\n")


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Add lines to a file of lines: whole and on the disk when the call returns. A torn last line is cut off first.

    Raises
    ------
    OSError
        The lines could not be written, because the disk is full for example; the file is as it was.
    """
    data = "".join(line + "\n" for line in lines).encode()
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        before = _end_of_lines(descriptor)
        if before < os.fstat(descriptor).st_size:
            os.ftruncate(descriptor, before)
        try:
            written = 0
            while written < len(data):  # a disk that fills up takes a part first, and says so the next time
                written += os.write(descriptor, data[written:])
            os.fsync(descriptor)
        except OSError as error:
            os.ftruncate(descriptor, before)
            raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        os.close(descriptor)


def _end_of_lines(descriptor: int) -> int:
    """The length of a file of lines without its torn last line."""
    end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - 4096)
        os.lseek(descriptor, start, os.SEEK_SET)
        newline = os.read(descriptor, end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def read_text(path: Path) -> str:
    """The text of a file.

    Raises
    ------
    UnusableFile
        There is no such file, it is no file (a folder, a device), it is larger than `LARGEST`, or it is not UTF-8.
    """
    with_size = stat_of(path)
    if with_size.st_size > LARGEST:
        raise UnusableFile(f"it has {with_size.st_size} bytes; at most {LARGEST} are read")
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableFile(f"it is not text in UTF-8: byte {error.start} is not") from error
    except OSError as error:
        raise UnusableFile(f"it cannot be read: {error.strerror}") from error


def stat_of(path: Path) -> os.stat_result:
    """Size and kind of a file; raises `UnusableFile` if it is none."""
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise UnusableFile("there is no such file") from error
    except (OSError, ValueError) as error:
        raise UnusableFile(f"it cannot be read: {getattr(error, 'strerror', error)}") from error
    if not stat.S_ISREG(status.st_mode):
        raise UnusableFile("it is a folder or a device, not a file")
    return status


def from_json(text: str) -> Any:
    """The value of a JSON text that we would write: no NaN or infinity, integers of at most `MOST_DIGITS` digits.

    Raises
    ------
    UnusableFile
        It is not; the message says where.
    """
    try:
        return json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_no_number, object_pairs_hook=_each_once)
    except json.JSONDecodeError as error:
        raise UnusableFile(f"not JSON ({error})") from error
    except RecursionError as error:
        raise UnusableFile("not JSON of ours: nested too deeply") from error


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise UnusableFile(f"not JSON of ours: the name {shortened(twice)} stands twice in one mapping")
    return mapping


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise UnusableFile(f"an integer has {len(text)} digits; at most {MOST_DIGITS} are read")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        _no_number(text)
    return value


def _no_number(text: str) -> NoReturn:
    raise UnusableFile(f"{shortened(text)} is not a finite number")


def shortened(value: Any) -> str:
    """A value of a file from elsewhere, for a message of one line."""
    return _SHORT.repr(value)


def witness_folder(package: str = "theorems") -> Path:
    """The folder ``witnesses`` of the package, or beside the module, of this name; it need not exist."""
    return _folder(package) / "witnesses"


def certificate_folder(package: str = "theorems") -> Path:
    """The folder ``certificates`` of the package, or beside the module, of this name; it need not exist."""
    return _folder(package) / "certificates"


def _folder(package: str) -> Path:
    module = importlib.import_module(package)
    places = list(getattr(module, "__path__", ())) or [Path(module.__file__ or ".").parent]
    return Path(places[0])


def packaged_witness(claim: Claim, package: str = "theorems") -> Path | None:
    """The witness file that `package` carries for `claim`; None if it carries none."""
    path = witness_folder(package) / f"{claim.id}.json"
    return path if path.is_file() else None


def is_of_schema(document: Any, number: int) -> bool:
    """Whether a document of JSON is an object with this number as its schema; true is no number."""
    return isinstance(document, dict) and document.get("schema") == number and document["schema"] is not True
