"""A statement, or a module, that does to its process what it should not is told in a sentence, and hides nothing else."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_claims import DEADLY, RUDE
from machine_speed import patient

from verify.checker.running import SECONDS, time_limit
from verify.engines import containment, processes
from verify.engines.containment import TimeLimitExceeded, limited
from verify.engines.executors import abandon, open_executor, workers_of
from verify.engines.processes import WorkerDied

TESTS = Path(__file__).parents[1]
PACKAGE = ["--package", "hostile_claims"]
ENDED = {
    "exits_with_0": "its process ended (exit status 0)",
    "exits_with_3": "its process ended (exit status 3)",
    "segmentation_fault": "its process ended (signal 11)",
    "aborts": "its process ended (signal 6)",
    "kills": "its process ended (signal 9)",
    "terminates": "its process ended (signal 15)",
    "kills_its_group": "its process ended (signal 15)",
    "system_exit": "SystemExit: 0",
    "base_exception": "Ends: the end",
    "generator_exit": "GeneratorExit",
    "interrupt": "KeyboardInterrupt",
    "spins": "it took longer than the time limit",
    "counts": "it took longer than the time limit",
    "catches_all": "it took longer than the time limit",
    "digs": "RecursionError",
    "closes_descriptors": "its process ended",
}
"""What is said of each of `DEADLY`; of the others it depends on the machine what ends them."""


def verify(*arguments, cwd, **options):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(cwd), str(TESTS), str(TESTS.parent)]), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "verify", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options)


def problems_in(text):
    return {claim["id"].removeprefix("hostile."): claim["problems"] for claim in json.loads(text)["claims"]}


def test_what_ends_a_claim_is_told_and_ends_no_other(tmp_path):
    left_out = {"eats", "forks", "closes_descriptor_1"}  # tests of their own
    names = [f"hostile.{name}" for name in ["aa_before", "zz_after", *DEADLY, *RUDE] if name not in left_out]
    result = verify("run", *names, "--engine", "processes:2", "--timeout", patient(4), "--json", "-", *PACKAGE, cwd=tmp_path)
    assert result.returncode == 1
    found = problems_in(result.stdout)  # nothing else is on the standard output
    assert set(found) == {name.removeprefix("hostile.") for name in names}
    for name, said in ENDED.items():
        assert any(said in problem for problem in found[name]), (name, found[name])
    assert found["digs_deep"]
    assert {name: found[name] for name in [*RUDE, "aa_before", "zz_after"] if name not in left_out and found[name]} == {}
    assert "printed" in result.stderr


@pytest.mark.parametrize("forks", [True, False])
def test_processes_that_cannot_fork_contain_as_much(tmp_path, monkeypatch, forks):
    monkeypatch.setattr(processes, "FORKS", forks)
    monkeypatch.chdir(tmp_path)
    names = ["exits_with_0", "segmentation_fault", "base_exception", "interrupt"]
    with open_executor("processes:1", patient(60)) as executor:
        ended = [executor.submit(_act, name) for name in names]
        rude = [executor.submit(_act, name) for name in RUDE if name not in ("forks", "threads", "closes_descriptor_1")]
        after = executor.submit(_settings)
        assert isinstance(ended[0].exception(), WorkerDied)
        assert "exit status 0), and again when it was tried once more" in str(ended[0].exception())
        assert isinstance(ended[1].exception(), WorkerDied)
        assert "Ends: the end" in str(ended[2].exception())
        assert "KeyboardInterrupt" in str(ended[3].exception())
        assert [future.exception() for future in rude] == [None] * len(rude)
        assert after.result() == str(tmp_path)


def _act(name):
    (DEADLY | RUDE)[name]()


def _settings():
    import hostile_claims

    hostile_claims.settings(0.0)
    return str(Path.cwd())


def test_in_this_process_all_is_put_back_that_others_rely_on(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    left_out = (
        "forks",
        "threads",
        "closes_the_first_stdout",
        "closes_stderr",
        "collects_nothing",
    )  # what inline cannot contain
    with open_executor("inline") as executor:
        for name in RUDE:
            if name not in left_out:
                assert executor.submit(_act, name).exception() is None, name
        for name in ("system_exit", "base_exception", "generator_exit"):
            with pytest.raises(RuntimeError):
                executor.submit(_act, name).result()
        assert executor.submit(_settings).result() == str(tmp_path)
    os.write(1, b"still open\n")
    out, err = capfd.readouterr()
    assert out == "still open\n"
    assert "written" in err


@pytest.mark.parametrize("name", ["spins", "catches_all"])
def test_a_statement_that_never_ends_ends_in_this_process_too(name):
    with open_executor("inline", 0.2) as executor:
        late = executor.submit(_act if name == "spins" else _catches_once, name)
        assert isinstance(late.exception(), TimeLimitExceeded)
        assert "it took longer than the time limit of 0.2 s" in str(late.exception())
        assert executor.submit(divmod, 7, 2).result() == (3, 1)


def _catches_once(_name):
    """What strikes is caught; it strikes again."""
    try:
        _act("spins")
    except BaseException:
        _act("spins")


def test_a_library_that_never_comes_back_ends_the_process_at_last(tmp_path):
    code = (
        "from verify.engines import containment\n"
        "containment.GRACE = 0.3\n"
        "from verify.engines.executors import open_executor\n"
        "from hostile_claims import DEADLY\n"
        "open_executor('inline', 0.2).submit(DEADLY['counts'])\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr
    assert "hostile_claims" in ended.stderr


def test_limits_do_not_disturb_an_alarm_that_is_set():
    with limited(60, "outer"), limited(1e-3, "inner"):
        sum(range(10**6))
    with pytest.raises(TimeLimitExceeded, match="outer"), limited(0.05, "outer"), limited(1e-3, "inner"):
        _act("spins")


def test_memory_that_a_statement_takes_is_limited(monkeypatch):
    monkeypatch.setattr(containment, "SHARE", 1 / 64)
    with open_executor("processes:1", patient(60)) as executor:
        assert isinstance(executor.submit(_act, "eats").exception(), MemoryError)
        assert executor.submit(divmod, 7, 2).result() == (3, 1)


def test_the_limit_of_a_claim_is_longer_on_a_slow_machine(monkeypatch):
    from verify.checker import running

    monkeypatch.setattr(running, "slowness", lambda: 1.0)
    assert {kind: time_limit(kind) for kind in SECONDS} == SECONDS
    monkeypatch.setattr(running, "slowness", lambda: 3.0)
    assert time_limit("quick") == 3 * SECONDS["quick"]
    monkeypatch.setattr(running, "cores", lambda: 2)
    assert time_limit("quick", 8) == 12 * SECONDS["quick"]
    assert workers_of("processes:8") == 8
    assert workers_of("inline") == 1


def test_an_interrupt_in_this_process_is_one():
    executor = open_executor("inline")
    with pytest.raises(KeyboardInterrupt):
        executor.submit(_act, "interrupt")
    abandon(executor)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["search", "hostile.exits_with_0"], 1, "its process ended (exit status 0)"),
        (["search", "hostile.spins", "--timeout", "PATIENT"], 1, "longer than the time limit"),
        (["strength", "hostile.aa_before", "hostile.exits_with_0", "--file", "s.json"], 1, "its process ended (exit status 0)"),
        (["bounds", "update", "hostile.aa_before", "hostile.exits_with_0", "--baseline", "b.json"], 1, "could not be measured"),
        (["prove", "hostile.aa_before", "hostile.exits_with_0", "--out", "c"], 1, "its process ended (exit status 0)"),
    ],
)
def test_other_commands_tell_what_ends_a_claim_and_keep_the_others(tmp_path, arguments, status, said):
    arguments = [patient(4) if one == "PATIENT" else one for one in arguments]
    result = verify(*arguments, *PACKAGE, cwd=tmp_path)
    assert result.returncode == status
    assert said in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    kept = {"strength": "s.json", "bounds": "b.json", "prove": "c/hostile.aa_before.json"}.get(arguments[0])
    assert kept is None or "hostile.aa_before" in (tmp_path / kept).read_text()


MODULES = {
    "loops": "while True:\n    pass\n",
    "sleeps": "import time\ntime.sleep(600)\n",
    "leaves": "import sys\nsys.exit(0)\n",
    "ends": "import os\nos._exit(0)\n",
    "stops": "class Stop(BaseException): pass\nraise Stop('here')\n",
    "moves": "import os\nos.chdir('/')\n",
    "talks": "import os\nprint('talk')\nos.write(1, b'more')\n",
    "spoils": "import numpy\nnumpy.abs = numpy.negative\nnumpy.seterr(all='raise')\n",
}


def test_modules_that_misbehave_are_problems_and_hide_no_other(tmp_path):
    (tmp_path / "misbehaved").mkdir()
    for name, text in {"__init__": "", **MODULES}.items():
        (tmp_path / "misbehaved" / f"{name}.py").write_text(text)
    (tmp_path / "misbehaved" / "zz_good.py").write_text((TESTS / "toy_claims" / "squares.py").read_text())
    code = "import sys\nfrom verify.engines.containment import IMPORT\nfrom verify.cli import app\n"
    code += "IMPORT.set((2.0, False))\napp(sys.argv[1:])"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(TESTS.parent)]), "NO_COLOR": "1"}
    arguments = ["run", "toy.squares", "--json", "found.json", "--package", "misbehaved"]
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert {claim["id"]: claim["problems"] for claim in found["claims"]} == {"toy.squares": [], "toy.squares.printed": []}
    said = {line.partition(" ")[0].partition(".")[2]: line for line in found["problems"]}
    assert set(said) == {"loops", "sleeps", "leaves", "ends", "stops"}
    assert re.search(r"cannot be imported: loops.py:\d: TimeLimitExceeded: it takes longer than", said["loops"])
    assert "it takes longer than" in said["sleeps"]
    assert "SystemExit: 0" in said["leaves"]
    assert "SystemExit: os._exit(0)" in said["ends"]
    assert "Stop: here" in said["stops"]
    assert "talk" not in result.stdout


def test_a_package_that_leaves_is_refused(tmp_path):
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "__init__.py").write_text(MODULES["ends"])
    result = verify("run", "--package", "left", cwd=tmp_path)
    assert result.returncode == 2
    assert "'left' is not a package of claims: SystemExit: os._exit(0)" in result.stderr


def test_a_limit_that_falls_into_the_collector_of_garbage_is_raised_again(capfd, monkeypatch):
    monkeypatch.setattr(containment, "AGAIN", 0.05)

    def lost(phase, _info):
        if phase == "stop":
            time.sleep(0.3)

    @limited(0.1, "too long")
    def collects():
        gc.collect()
        time.sleep(5)

    gc.callbacks.append(lost)
    try:
        with pytest.raises(TimeLimitExceeded):
            collects()
    finally:
        gc.callbacks.remove(lost)
    assert not capfd.readouterr().err
