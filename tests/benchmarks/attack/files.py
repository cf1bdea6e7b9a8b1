"""Files of every format, changed at random, given to what reads them. Run by hand: a few minutes.

    python tests/benchmarks/attack/files.py [--count 300] [--seed 0] [--only TEXT] [--json FILE]

Of each file values are replaced by what should not stand there, or bytes are cut, torn out, doubled and turned, as in
``tests/evidence/test_mutated_files.py``. A table says how often a file is

* ``read``: it is still a file of the format;
* ``refused``: an error of the format's own kind, or a message, says so;
* ``traceback``: another exception comes out;
* ``slow``: it takes more than `SECONDS` of the processor;
* ``large``: it takes more than `MEGABYTES` of memory.

The status is 1 where one of the last three is not 0.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "evidence"))
from machine_speed import patient
from test_mutated_files import FORMATS, with_a_value_replaced, with_bytes_changed

from verify.claims.catalogue import catalogue
from verify.evidence.files import UnusableFile
from verify.evidence.witness import read_witness, recheck
from verify.proofs.all_sizes.proof import read as read_for_all_sizes
from verify.proofs.certificate import read_certificate
from verify.trained.files import Unreadable
from verify.trained.points import read_points
from verify.trained.reading import read as read_network

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests"
SECONDS = patient(5)
MEGABYTES = 1500
KINDS = ("read", "refused", "traceback", "slow", "large")
CHECKERS = {
    "independent": ROOT / "verify" / "proofs" / "independent.py",
    "independent_words": ROOT / "verify" / "proofs" / "independent_words.py",
    "second_evaluations": ROOT / "theorems" / "second_evaluations.py",
}
CERTIFICATES = ROOT / "theorems" / "certificates"
FILES: dict[str, tuple[str, str]] = {
    "certificate of squares": ("notion_of_rank.prop_3.json", "independent"),
    "certificate of an identity": ("leaky_resnets.ode.json", "independent"),
    "certificate for all sizes": ("all_sizes/leaky_resnets.range_symmetry.json", "independent_words"),
}
NETWORKS = ("small.npz", "ridge.onnx", "ridge.pt", "ridge.safetensors", "resnet.onnx", "resnet.pt")
Reader = Callable[[Path], bool]
"""Whether what it is given is a file of its format; raises what it should not."""


def _by_a_program(name: str) -> Reader:
    """The program reads the file as it does from the command line; status 0, 1 and 3 say that it is one."""
    module = _module(CHECKERS[name])

    def read(path: Path) -> bool:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return bool(module.main([str(path)]) != 2)

    return read


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _refusing(kind: type[Exception], read: Callable[[Path], object]) -> Reader:
    def reader(path: Path) -> bool:
        try:
            read(path)
        except kind:
            return False
        return True

    return reader


def readers() -> dict[str, tuple[bytes, str, bool, Reader]]:
    """By a name: a good file, its ending, whether it is JSON, and what reads it."""
    made: dict[str, tuple[bytes, str, bool, Reader]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (write, read, schema) in FORMATS.items():
            path = Path(folder, "file")
            path.unlink(missing_ok=True)
            write(path)
            made[name] = path.read_bytes(), "", schema is not None, read
    for name, (file, program) in FILES.items():
        data = (CERTIFICATES / file).read_bytes()
        reader = read_for_all_sizes if "all_sizes" in file else read_certificate
        made[name] = data, ".json", True, _refusing(UnusableFile, reader)
        made[f"{name}, {program}.py"] = data, ".json", True, _by_a_program(program)
    claims = catalogue("theorems")
    witness = (ROOT / "theorems" / "witnesses" / "notion_of_rank.prop_3.printed.json").read_bytes()
    decide = _refusing(UnusableFile, lambda path: recheck(*read_witness(path, claims)))
    made["witness of the catalogue"] = witness, ".json", True, decide
    made["witness, second_evaluations.py"] = witness, ".json", True, _by_a_program("second_evaluations")
    for file in NETWORKS:
        path = TESTS / "data" / "networks" / file
        made[f"network {file}"] = path.read_bytes(), path.suffix, False, _refusing(Unreadable, read_network)
    points = TESTS / "data" / "networks" / "small_points.npz"
    made["points"] = points.read_bytes(), ".npz", False, _refusing(Unreadable, read_points)
    return made


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    table: dict[str, Counter[str]] = {}
    print(f"seed {arguments.seed}, {arguments.count} files of each")
    print(f"{'format':48}" + "".join(f"{kind:>11}" for kind in KINDS), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, (good, ending, is_json, read) in readers().items():
            if arguments.only not in name:
                continue
            path = Path(folder, f"file{ending}")
            path.write_bytes(good)
            assert read(path), f"{name} is not read as it is"
            rng = random.Random(f"{arguments.seed} {name}")
            table[name] = Counter()
            for number in range(arguments.count):
                # two of three are still JSON
                replaced = is_json and number % 3
                data = with_a_value_replaced(good.decode(), rng).encode() if replaced else with_bytes_changed(good, rng)
                path.write_bytes(data)
                table[name][_ends(read, path)] += 1
            print(f"{name:48}" + "".join(f"{table[name][kind]:11}" for kind in KINDS), flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(table, indent=1) + "\n")
    return int(any(counts[kind] for counts in table.values() for kind in KINDS[2:]))


def _ends(read: Reader, path: Path) -> str:
    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        end = "read" if read(path) else "refused"
    except Exception as error:  # what comes out is what is counted
        place = traceback.extract_tb(error.__traceback__)[-1]
        print(f"  {Path(place.filename).name}:{place.lineno}: {type(error).__name__}: {error}"[:160], file=sys.stderr)
        end = "traceback"
    if time.process_time() - begun > SECONDS:
        return "slow"
    large = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before > MEGABYTES * 1024
    return "large" if large else end


if __name__ == "__main__":
    sys.exit(main())
