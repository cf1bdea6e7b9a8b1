"""Quantities and claims of the networks that PyTorch trained, from the files and from Python."""

import json
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

import verify
from verify.catalogue import catalogue
from verify.cli import app
from verify.networks import CircularCNN, FullyConnected, LeakyResNet, leaky_relu
from verify.networks.ntk import ntk_trace
from verify.trained.asking import Answer, NotAsked, ask, ask_all
from verify.trained.layers import pruned, regions
from verify.trained.measurement import measured, measured_network
from verify.trained.modules import from_module
from verify.trained.points import Points, fitted
from verify.trained.quantities import decided_rank, quantities
from verify.trained.subjects import Subject
from verify.trained.tensors import Unreadable

NETWORKS = Path(__file__).parents[1] / "data" / "networks"
CLAIMS = catalogue("theorems")


def read(name, points):
    return measured_network(NETWORKS / name, NETWORKS / points)


def asked(name, points, claim):
    return ask(CLAIMS[claim], Subject.of(*read(name, points)))


FEW = (
    "bottleneck_structure.balancedness",
    "bottleneck_structure.theorem_6",
    "bottleneck_structure.theorem_7",
    "leaky_resnets.stable_rank",
    "notion_of_rank.prop_3",
    "symmetry_learning.translation_symmetry",
)


def test_all_formats_of_a_network_give_the_same_table():
    tables = []
    for kind in ("npz", "safetensors", "onnx"):
        network, points = read(f"ridge.{kind}", "points.npz")
        found = measured("network", network, points, [CLAIMS[name] for name in FEW])
        claims = [{name: value for name, value in one.items() if name != "seconds"} for one in found.as_json()["claims"]]
        tables.append(json.dumps([found.quantities.as_json(), claims], sort_keys=True))
    assert len(claims) == len(FEW)
    assert tables[0] == tables[1] == tables[2]


def test_the_ridge_makes_a_bottleneck():
    ridge, plain = (quantities(*read(f"{name}.npz", "points.npz")) for name in ("ridge", "plain"))
    assert ridge.whole["bottleneck rank"] == ridge.whole["Jacobian rank"] == 2
    assert ridge.whole["bottleneck gap"] > 1000
    assert plain.whole["bottleneck rank"] > 4
    assert ridge.whole["largest imbalance"] < 0.01 < plain.whole["largest imbalance"]
    # theorem 6: what the norm exceeds the rank by is at least the volume of the Jacobian
    assert 0 < ridge.whole["bottleneck bound B"] < 3 < plain.whole["bottleneck bound B"]
    assert ridge.whole["Schatten bound"] <= ridge.whole["squared norm"]
    # neurons that the points do not need
    assert [row["kept neurons"] for row in plain.layers[:-1]] == [12, 11, 9, 7, 10, 7, 4]


def test_the_quantities_are_those_of_the_engine():
    network, points = read("classes.safetensors", "classes_points.npz")
    found = quantities(network, points)
    assert_allclose(found.whole["kernel trace"], ntk_trace(network, points.inputs).mean(), rtol=1e-12)
    assert_allclose(sum(row["kernel share"] for row in found.layers), 1, rtol=1e-12)
    values = np.linalg.svd(network.jacobian_to_layer(2, points.inputs), compute_uv=False)
    assert_allclose(found.spectra["Jacobians to the layer"][1], np.median(values, axis=0), rtol=1e-10)
    values = np.linalg.svd(network.jacobian_from_layer(1, points.inputs), compute_uv=False)
    assert_allclose(found.spectra["Jacobians from it"][0], np.median(values, axis=0), rtol=1e-10, atol=1e-15)
    assert_allclose(found.whole["squared norm"], network.parameter_norm_squared, rtol=1e-12)


def test_where_three_classes_meet():
    network, points = read("classes.safetensors", "classes_points.npz")
    found = regions(network, points.inputs)
    assert found.regions > 10
    (place,) = (one for one in found.tripoints if np.abs(one).max() < 0.3)
    outputs = np.sort(network(place))
    assert_allclose(outputs[1:], outputs[:-1], atol=1e-9)


def test_a_leaky_resnet_spends_its_energy_on_the_identity():
    found = quantities(*read("resnet.npz", "resnet_points.npz"))
    assert all(row["cost of identity"] > 0 and row["kinetic"] > 0 for row in found.layers)
    row = found.layers[5]
    assert_allclose(row["-2H/leak"], row["cost of identity"] - row["kinetic"])
    assert found.whole["-2H/leak in the middle"] > 0


def test_few_frequencies_are_kept_by_a_circular_network():
    found = quantities(*read("circular.safetensors", "circular_points.npz"))
    assert all(1 <= row["frequencies"] <= 8 for row in found.layers)
    assert found.whole["pixels"] == 8
    assert len(found.spectra["all frequencies"][1]) == 3 * 8


def test_a_rank_is_where_the_gap_is():
    assert decided_rank(np.array([1.0, 0.9, 1e-3, 1e-9])) == (2, pytest.approx(900))
    assert decided_rank(np.array([1.0, 0.9, 0.8])) == (3, 1.0)
    assert decided_rank(np.zeros(3)) == (0, np.inf)


@pytest.mark.parametrize(
    ("name", "points", "least"),
    [("small.npz", "small_points.npz", 180), ("resnet.npz", "resnet_points.npz", 110)],
)
def test_so_many_claims_can_be_asked_and_none_that_should_hold_fails(name, points, least):
    answers, left = ask_all(CLAIMS.values(), Subject.of(*read(name, points)))
    assert len(answers) + len(left) == len(CLAIMS)
    assert len(answers) >= least
    assert [one.claim for one in answers if one.rank < 2] == []
    assert [one.rank for one in answers] == sorted(one.rank for one in answers)
    if name == "small.npz":
        # a tiny network is decided on rationals where the claim has an exact evaluation
        assert sum(one.exact for one in answers) > 100


def test_a_hypothesis_that_is_missed_says_by_how_much():
    ridge, plain = (asked(f"{name}.npz", "points.npz", "bottleneck_structure.theorem_7") for name in ("ridge", "plain"))
    assert ridge.outcome == plain.outcome == "hypothesis"
    assert ridge.broken[0].by == "by 0.0026 of the norm of a neuron"
    assert plain.broken[0].by.startswith("by 8")
    assert ridge.conclusion is True


def test_a_balanced_network_meets_the_hypothesis():
    network, points = read("classes.safetensors", "classes_points.npz")
    one = ask(CLAIMS["bottleneck_structure.theorem_7"], Subject.of(network.balance(), points))
    assert one.outcome == "holds"
    assert one.met == one.places


def test_what_is_false_as_printed_fails_in_a_trained_network():
    one = asked("ridge.npz", "points.npz", "bottleneck_structure.narrowness.printed")
    assert (one.outcome, one.words, one.rank) == ("fails", "fails, as printed", 2)
    assert one.error < 1e-9 < one.left - one.right


def test_a_network_that_a_claim_does_not_speak_of():
    one = asked("ridge.npz", "points.npz", "notion_of_rank.linear_networks")
    assert isinstance(one, NotAsked)
    assert one.reason == "it speaks of activations with the slope 1 below zero, this one has 0"
    unknown = Subject.of(read("ridge.npz", "points.npz")[0], Points(np.ones((3, 4))))
    assert ask(CLAIMS["feature_learning.prop_1.value"], unknown).reason == "the outputs that are wanted are not known"


def test_a_linear_network_is_asked_what_others_are_not():
    one = asked("linear.npz", "linear_points.npz", "notion_of_rank.linear_networks")
    assert isinstance(one, Answer)
    assert one.outcome in ("holds", "within rounding")


def test_convolutions_on_square_images():
    rng = np.random.default_rng(0)
    network = CircularCNN([rng.standard_normal((2, 1, 2, 2)), rng.standard_normal((1, 2, 2, 2))], None, leaky_relu(0.5))
    subject = Subject.of(network, fitted(Points(rng.standard_normal((5, 1, 2, 2))), network))
    names = [name for name in CLAIMS if name.startswith("symmetry_learning.") and "frequency_singular" in name]
    names += ["symmetry_learning.cnn_prop_3", "symmetry_learning.equivariance"]
    answers, left = ask_all([CLAIMS[name] for name in names], subject)
    assert [one.claim for one in left] == []
    assert {one.outcome for one in answers} <= {"holds", "within rounding"}


def test_pruned_networks_keep_outputs_and_do_not_cost_more():
    network, points = read("plain.npz", "points.npz")
    small, kept = pruned(network, points.inputs)
    assert small.widths[1:-1] == tuple(kept)
    assert sum(kept) < sum(network.widths[1:-1])
    assert_allclose(small(points.inputs), network(points.inputs), rtol=1e-8, atol=1e-8)
    assert small.parameter_norm_squared <= network.parameter_norm_squared * (1 + 1e-9)


class Linear:
    """What PyTorch's layer looks like from outside."""

    def __init__(self, weight, bias=None):
        self.weight, self.bias = weight, bias


class ReLU: ...


class Tanh: ...


class Sequential:
    def __init__(self, *layers):
        self._layers = OrderedDict((str(k), layer) for k, layer in enumerate(layers))

    def named_children(self):
        return self._layers.items()


def test_a_live_network_by_what_it_looks_like():
    model = Sequential(Linear(np.eye(2)), ReLU(), Sequential(Linear(np.ones((3, 2)), np.ones(3))))
    network = from_module(model)
    assert isinstance(network, FullyConnected)
    assert network.widths == (2, 2, 3)
    with pytest.raises(Unreadable, match=r"the layer 1 \(Tanh\) is not read"):
        from_module(Sequential(Linear(np.eye(2)), Tanh(), Linear(np.eye(2))))
    with pytest.raises(Unreadable, match="the last layer ends with an activation"):
        from_module(Sequential(Linear(np.eye(2)), ReLU()))
    with pytest.raises(Unreadable, match=r"1\.0 takes 3 inputs but 0 gives 2 outputs"):
        from_module(Sequential(Linear(np.eye(2)), Sequential(Linear(np.eye(3)))))
    with pytest.raises(TypeError, match=r"network must be one of verify\.networks"):
        from_module(3)


def test_from_python_with_arrays():
    network = LeakyResNet([np.eye(2, 3)] * 2, 1.0)
    found = verify.measure(network, [[1.0, 2.0], [0.5, -1.0]], package="tests.toy_claims")
    assert found.quantities.whole["depth"] == 2
    assert found.answers == []
    assert "leaky ResNet width 2, 2 layers, leak 1" in repr(found)


def test_the_command_writes_a_table_a_page_and_a_file(tmp_path):
    arguments = [str(NETWORKS / f"{name}.npz") for name in ("step02000", "ridge")]
    arguments += ["--points", str(NETWORKS / "points.npz"), "--seconds", "0", "--html", str(tmp_path / "page")]
    result = CliRunner().invoke(app, ["measure", *arguments, "--json", str(tmp_path / "found.json")])
    assert result.exit_code == 0, result.output
    assert "fully connected 4-12-12-12-12-12-12-12-3, ReLU; 48 points, ridge 0.004, outputs known" in result.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    assert [one["name"] for one in found] == ["step02000.npz", "ridge.npz"]
    assert found[1]["quantities"]["whole"]["bottleneck rank"] == 2
    page = (tmp_path / "page" / "index.html").read_text()
    assert page.count("<svg") == 5
    assert "Claims that say different things" in page


def test_the_command_writes_a_pruned_network_that_it_can_read(tmp_path):
    arguments = [str(NETWORKS / "plain.npz"), "--points", str(NETWORKS / "points.npz"), "--seconds", "0", "-q"]
    result = CliRunner().invoke(app, ["measure", *arguments, "--prune", str(tmp_path / "small.npz")])
    assert result.exit_code == 0, result.output
    assert "4 - 12 - 12 - 12 - 12 - 12 - 12 - 12 - 3 neurons become 4 - 12 - 11 - 9 - 7 - 10 - 7 - 4 - 3" in result.stderr
    assert measured_network(tmp_path / "small.npz")[0].widths == (4, 12, 11, 9, 7, 10, 7, 4, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.npz"], "none.npz: No such file or directory"),
        ([str(NETWORKS / "points.npz")], "ridge, of shape (), belongs to no weight matrix"),
        ([str(NETWORKS / "ridge.npz"), "--points", str(NETWORKS / "resnet_points.npz")], "the network takes points of shape"),
        ([str(NETWORKS / "circular.safetensors"), "--image", "8xa"], "an image must be lengths such as 8 or 8x8"),
        ([str(NETWORKS / "circular.safetensors")], "nothing says how large the images are"),
        ([str(NETWORKS / "ridge.npz"), "--prune", "x.onnx"], "one network is pruned, into a file .npz"),
    ],
)
def test_bad_input_ends_in_one_line_and_status_2(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["measure", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""
