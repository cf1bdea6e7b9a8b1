"""What continuous integration runs beside the README's test command, part by part.

`nox -l` says what each part is for, `nox -s style` runs one. All use the environment `.venv` that the README's command makes,
with `pip install -e '.[mpi,docs]'` and what `.ci/run` installs for the system: Open MPI, Chromium and Coq.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["style", "bounds", "proofs", "mpi", "coq", "site"]
# the kernels that this machine chooses by itself, one thread each
os.environ.pop("OPENBLAS_CORETYPE", None)
os.environ.pop("OPENBLAS_L2_SIZE", None)
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

VENV = Path(".venv/bin")


def run(session: nox.Session, command: str, *more: object, **options: object) -> None:
    """A command, its program as a path where it is one of an environment."""
    session.run(*shlex.split(command), *map(str, more), external=True, **options)


def tests(session: nox.Session, arguments: str, **options: object) -> None:
    run(session, f"{VENV}/pytest -q -p no:cacheprovider {arguments}", **options)


def empty_folder(session: nox.Session) -> Path:
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder)
    folder.mkdir()
    return folder


@nox.session
def style(session: nox.Session) -> None:
    """Style, layout, spelling, types."""
    run(session, f"{VENV}/ruff check .")
    run(session, f"{VENV}/ruff format --check .")
    run(session, f"{VENV}/codespell")
    run(session, f"{VENV}/mypy --strict verify theorems")


@nox.session
def bounds(session: nox.Session) -> None:
    """The search finds no less than the baseline says."""
    run(session, f"{VENV}/verify bounds check --strict")


@nox.session
def certificates(session: nox.Session) -> None:
    """Certificates stand, and are of the statements as they are read now: all, or the third -- 0, 1 or 2."""
    folder = Path("theorems/certificates")
    files = [*sorted(folder.glob("*.json")), *sorted(folder.glob("all_sizes/*.json"))]
    chosen = files[int(session.posargs[0]) :: 3] if session.posargs else files
    run(session, f"{VENV}/verify check", *chosen, silent=True)


@nox.session
def proofs(session: nox.Session) -> None:
    """Proofs and witnesses are checked by programs that know nothing of the package."""
    # 3: finite cases and proofs by reference are left to `verify check`
    certified, witnesses = (
        sorted(Path("theorems/certificates").glob("*.json")),
        sorted(Path("theorems/witnesses").glob("*.json")),
    )
    run(session, "python3 verify/proofs/independent.py", *certified, silent=True, success_codes=[0, 3])
    run(session, "python3 theorems/second_evaluations.py", *witnesses, silent=True)


@nox.session
def coq(session: nox.Session) -> None:
    """Coq's kernel accepts the theorems by hand, and what certificates show (for all: `verify export --coq DIR`)."""
    folder = empty_folder(session)
    run(session, f"{VENV}/verify export symmetry_learning --package theorems --coq", folder / "exported")
    run(session, "make -s -C", folder / "exported")
    run(session, "cat", folder / "exported" / "assumptions.log")
    shutil.copytree("theorems/coq", folder / "theorems")
    run(session, "make -s -C", folder / "theorems")
    # the tests that the README's command leaves out where Coq is not installed yet
    tests(session, "tests/proofs/test_coq.py")
    tests(session, "tests/proofs/test_coq_library.py -k what_coq")


@nox.session
def cases(session: nox.Session) -> None:
    """Of tests with many like cases, those of the turn -- K, or all."""
    tests(session, f"tests -m one_of --turn {(session.posargs or ['all'])[0]}")


@nox.session
def mpi(session: nox.Session) -> None:
    """Claims in processes of MPI."""
    tests(session, "tests/checker/test_mpi.py")


@nox.session
def kernels(session: nox.Session) -> None:
    """Answers must not depend on the kernel of OpenBLAS: what depends on floats, on -- CORE, or Prescott."""
    env = {"OPENBLAS_CORETYPE": (session.posargs or ["Prescott"])[0]}
    told = "import threadpoolctl, numpy; print(*(one['architecture'] for one in threadpoolctl.threadpool_info()))"
    run(session, f"{VENV}/python -c", told, env=env)
    folders = ("cones", "experiments", "matrices", "networks", "piecewise", "theorems", "trained")
    tests(session, " ".join(f"tests/{folder}" for folder in folders), env=env)
    tests(session, "theorems -k 'tight: or exact: or attained'", env=env)


@nox.session
def site(session: nox.Session) -> None:
    """The pages are built of what is found, without a warning, and used in a browser."""
    folder = empty_folder(session)
    results, report = folder / "run.json", folder / "report"
    run(session, f"{VENV}/verify run -q --timeout 900 --engine processes:1 --json", results, "--html", report)
    # the README's command leaves it out, for Sphinx is not there
    tests(session, "tests/report/test_atlas.py -k cannot_be_read")
    run(session, f"{VENV}/sphinx-build -q -n -W -b html docs docs/_build", env={"VERIFY_RESULTS": str(results)})
    tests(session, "tests/test_docs.py -k generated")
    run(session, f"{VENV}/python .ci/browser docs/_build", report / "index.html")


def pythons() -> list[str]:
    """Every Python from 3.11 on that is on the path or beside that of pyenv, oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [*map(Path, os.get_exec_path()), *pyenv.glob("*/bin")]
    known = {}
    for path in {path for folder in folders for path in folder.glob("python3.??")}:
        asked = subprocess.run(
            [path, "-c", "import sys; print(sys.version_info[1], sys.executable)"], capture_output=True, text=True
        )
        if not asked.returncode:
            minor, executable = asked.stdout.split(maxsplit=1)
            known[int(minor)] = executable.strip()
    return [known[minor] for minor in sorted(known) if minor >= 11]


@nox.session
def versions(session: nox.Session) -> None:
    """The -- oldest Python and versions that are promised, or the newest; there the wheel works first, by itself."""
    oldest, folder = session.posargs == ["oldest"], empty_folder(session)
    run(session, pythons()[0 if oldest else -1], "-m", "venv", folder / "venv")
    there, limits = folder / "venv" / "bin", folder / "limits.txt"
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    promised = "\n".join(project["dependencies"] + project["optional-dependencies"]["test"])
    limits.write_text(promised.replace(">=", "==") if oldest else "")
    if not oldest:
        run(session, f"{there}/pip wheel -q --no-deps -w", folder / "wheel", ".")
        run(session, f"{there}/pip install -q", *(folder / "wheel").glob("*.whl"))
        (folder / "elsewhere").mkdir()
        with session.chdir(folder / "elsewhere"):
            run(session, f"{there}/verify run --fresh leaky_resnets.prop_10")
            run(session, f"{there}/verify new own")
        with session.chdir(folder / "elsewhere" / "own"):
            run(session, f"{there}/verify run")
    run(session, f"{there}/pip install -q -e .[test] -c", limits)
    run(session, f"{there}/python --version")
    run(session, f"{there}/pytest -q -p no:cacheprovider tests/checker tests/test_cli.py tests/matrices")
