"""Files that come from anywhere: opened only if they are files, and measured before they are read."""

from __future__ import annotations

import errno
import os
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, BinaryIO

MOST_NUMBERS = 2**25
"""Numbers that are read of one file, at most: 256 MiB in double precision."""
MOST_BYTES = 8 * MOST_NUMBERS
"""Bytes that are read, or unpacked, of one file."""
MOST_PARTS = 4096
"""Members of an archive, tensors and nodes of a model that are read, at most."""
SMALL, MOST_PACKED = 2**24, 100
"""More bytes than that are read only of archives that unpack to at most so many times what they are."""
MOST_DIRECTORY = 2**22
"""Bytes of the directory of an archive, and of the header of a file of tensors."""
END_OF_ARCHIVE = struct.Struct("<4s4H2LH")
END_OF_LARGE_ARCHIVE = struct.Struct("<4sQ2H2L4Q")
"""The record before the last one, which holds the sizes where those of the last are too small; it stands 20 bytes before it."""


LONGEST = 400
"""Characters of a sentence, at most: names in a file may be as long as it."""


class Unreadable(ValueError):
    """A file, or a network in it, that cannot be read: one line, which names the file or the layer."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[:LONGEST]} ...")


KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def check_parts(count: int, what: str) -> None:
    """At most `MOST_PARTS` of them; an Unreadable where there are more."""
    if count > MOST_PARTS:
        raise Unreadable(f"this has {count} {what}, at most {MOST_PARTS} are read")


def check_names(names: Iterable[str]) -> None:
    """Names are printed: they have no control characters, and a sensible length.

    Raises
    ------
    Unreadable
        One has not.
    """
    for name in names:
        # what is no text of Unicode comes as bytes
        if not isinstance(name, str) or not name.isprintable() or len(name) > LONGEST // 2:
            raise Unreadable(f"names must be at most {LONGEST // 2} characters that can be printed, got {name[:60]!r}")


def opened(path: Path, most: int = MOST_BYTES) -> BinaryIO:
    """A regular file of at most `most` bytes, open for reading; nothing waits for a writer that never comes.

    Raises
    ------
    Unreadable
        It is a folder, a pipe or a device, or too large.
    OSError
        The file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(f"this is {KINDS.get(stat.S_IFMT(status.st_mode), 'a device')}, no file")
        if status.st_size > most:
            raise Unreadable(f"this has {status.st_size} bytes, at most {most} are read")
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def content(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file; errors as for `opened`."""
    with opened(path, most) as file:
        # a file may grow while it is read, and those of the system say that they are empty
        data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"this has more than {most} bytes")
    return data


def unpacked(file: IO[bytes], what: str) -> Mapping[str, bytes]:
    """The members of a zip archive by name; `what` is the archive that it should be.

    Sizes are those that the directory states, and are summed before anything is unpacked.

    Raises
    ------
    Unreadable
        It is damaged, encrypted, too large when unpacked, or has two members of one name.
    """
    try:
        _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_members(members)
            return {member.filename: _member(archive, member) for member in members if not member.is_dir()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"this is no {what}: {error or 'it is damaged'}") from error
    except OSError as error:
        # of a file that is open already: a member is said to begin before it does
        if error.errno != errno.EINVAL:
            raise
        raise Unreadable(f"this is no {what}: its first part is missing") from error


def _check_directory(file: IO[bytes]) -> None:
    """The directory is read at once by `zipfile`: so its size is checked before."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - END_OF_ARCHIVE.size - END_OF_LARGE_ARCHIVE.size - 20 - 2**16)
    file.seek(start)
    tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < END_OF_ARCHIVE.size:
        raise zipfile.BadZipFile("it has no directory at its end")
    _, _, _, _, entries, length, _, _ = END_OF_ARCHIVE.unpack_from(tail, place)
    large = place - 20 - END_OF_LARGE_ARCHIVE.size
    if large >= 0 and tail[place - 20 :][:4] == b"PK\x06\x07":
        entries, length = END_OF_LARGE_ARCHIVE.unpack_from(tail, large)[7:9]
    if length > MOST_DIRECTORY:
        raise Unreadable(f"this is an archive with a directory of {length} bytes for {entries} members")
    file.seek(0)


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    check_parts(len(names), "members")
    twice, count = Counter(names).most_common(1)[0] if names else ("", 1)
    if count > 1:
        raise Unreadable(f"two members of the archive are called {twice}")
    for member in members:
        if member.flag_bits & 1:
            raise Unreadable(f"{member.filename} is encrypted")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Unreadable(f"{member.filename} is compressed in a way that NumPy does not write")
    total, packed = sum(member.file_size for member in members), sum(member.compress_size for member in members)
    if total > MOST_BYTES:
        raise Unreadable(f"this unpacks to {total} bytes, at most {MOST_BYTES} are read")
    if total > max(SMALL, MOST_PACKED * packed):
        raise Unreadable(f"this unpacks from {packed} bytes to {total}, as no numbers do that were trained or measured")


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        data = file.read(member.file_size + 1)
    if len(data) != member.file_size:
        raise zipfile.BadZipFile(f"{member.filename} has {len(data)} bytes, {member.file_size} are stated")
    return data
