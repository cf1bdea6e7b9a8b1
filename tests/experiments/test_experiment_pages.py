"""The pages of figures, from the files of results."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verify.cli import app
from verify.experiments.results import UnusableResult, read_result
from verify.site.experiments import page, pages

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "experiments"
SHOWN_AS_PRINTED = {"feature_learning.fig_1"}
"""At the scale of the paper."""


@pytest.fixture
def results(tmp_path):
    for name in ("toy.means", "toy.wrong"):
        CliRunner().invoke(
            app, ["experiment", name, "--scale", "smoke", "--out", str(tmp_path), "--package", "toy_experiments"]
        )
    return tmp_path


def test_a_page_has_the_figure_with_its_text_and_the_numbers(results):
    found = pages(results, "toy_experiments")
    assert set(found) == {"index.rst", "toy.means.rst", "toy.wrong.rst"}
    good, wrong = found["toy.means.rst"], found["toy.wrong.rst"]
    assert ".. figure:: toy.means/figure.png\n   :width: 600px\n   :alt: A falling curve on a dashed one.\n" in good
    assert "The paper, of its figure: means of more numbers spread less.\n" in good
    median = read_result(results / "toy.means")["assertions"][0]["medians"]["size 4"]
    assert f"   * - size 4\n     - {median['median']:.4g}\n     - {median['low']:.4g} to {median['high']:.4g}\n" in good
    assert "False variant: it does not fall, from 0.9 to 1.1: refuted by size 4" in good
    assert "**failed**: the spread is two, from 1.9 to 2.1." in wrong
    assert "False variant: so it is, from 0.5 to 2: **not refuted**" in wrong
    assert "0 of 2 as asserted, at the scale smoke" in found["index.rst"]
    assert "Without a result here: ``toy.broken``." in found["index.rst"]


def test_what_is_no_result_is_refused(results):
    shutil.copy(results / "toy.means" / "table.csv", results / "toy.means" / "result.json")
    with pytest.raises(UnusableResult, match=r"toy\.means/result\.json: not JSON"):
        pages(results, "toy_experiments")


@pytest.mark.parametrize("folder", sorted(path.parent for path in RESULTS.glob("*/result.json")), ids=lambda path: path.name)
def test_what_is_shown_is_small_and_of_the_scale_that_the_guide_names(folder):
    result = read_result(folder)
    assert (result["name"], result["scale"]) == (folder.name, "paper" if folder.name in SHOWN_AS_PRINTED else "laptop")
    assert page(result, "A curve.").count("The paper, of its figure: A curve.") == 1
    for name in ("figure.png", "figure.svg", "table.csv", "result.json"):
        assert (folder / name).stat().st_size < 300_000, name
