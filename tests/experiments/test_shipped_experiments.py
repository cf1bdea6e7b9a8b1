"""Every experiment of the documents at its smallest scale: it is drawn, and what it asserts there holds."""

import json

import pytest
from typer.testing import CliRunner

from verify.cli import app
from verify.experiments import experiments_in

EXPERIMENTS = experiments_in("theorems")


def test_all_can_be_imported():
    assert EXPERIMENTS.problems == []


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_smoke_scale_is_as_asserted(name, tmp_path):
    result = CliRunner().invoke(app, ["experiment", name, "--scale", "smoke", "--out", str(tmp_path), "--package", "theorems"])
    assert result.exit_code == 0, result.stdout + result.stderr
    document = json.loads((tmp_path / name / "result.json").read_text())
    assert document["assertions"], "an experiment must assert something in seconds, too"
    assert document["text"]
    assert document["choices"]
    # the colours of the figure are its bytes; a page shows it whole
    assert 1000 < (tmp_path / name / "figure.png").stat().st_size < 300_000
