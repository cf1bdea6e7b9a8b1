"""Quantities and claims of the networks that PyTorch trained, from the files and from Python."""

import io
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy_training import trained
from rich.console import Console
from typer.testing import CliRunner

import verify
from verify.claims.catalogue import catalogue
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
from verify.trained.tables import shown
from verify.trained.untrained import least, mean_of

NETWORKS = Path(__file__).parents[1] / "data" / "networks"
CLAIMS = catalogue("theorems")
SCHEMA = json.loads((Path(verify.__file__).parent / "schemas" / "measurement.json").read_text())


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
    assert ridge.whole["bottleneck rank"] == ridge.whole["rank of the Jacobian"] == 2
    assert ridge.whole["gap below the bottleneck rank"] > 1000
    assert plain.whole["bottleneck rank"] > 4
    assert ridge.whole["imbalance of a neuron, largest"] < 0.01 < plain.whole["imbalance of a neuron, largest"]
    # theorem 6: what the norm exceeds the rank by is at least the volume of the Jacobian
    assert 0 < ridge.whole["bound B on the distance to isometries"] < 3 < plain.whole["bound B on the distance to isometries"]
    assert ridge.whole["lower bound of the squared norm by the Jacobian"] <= ridge.whole["squared norm of weights and biases"]
    # neurons that the points do not need
    assert [row["kept neurons"] for row in plain.layers[:-1]] == [12, 11, 9, 7, 10, 7, 4]


def test_the_quantities_are_those_of_the_engine():
    network, points = read("classes.safetensors", "classes_points.npz")
    found = quantities(network, points)
    assert_allclose(
        found.whole["trace of the tangent kernel, mean over points"], ntk_trace(network, points.inputs).mean(), rtol=1e-12
    )
    assert_allclose(sum(row["share of the kernel"] for row in found.layers), 1, rtol=1e-12)
    values = np.linalg.svd(network.jacobian_to_layer(2, points.inputs), compute_uv=False)
    assert_allclose(found.spectra["Jacobians to the layer"][1], np.median(values, axis=0), rtol=1e-10)
    values = np.linalg.svd(network.jacobian_from_layer(1, points.inputs), compute_uv=False)
    assert_allclose(found.spectra["Jacobians from it"][0], np.median(values, axis=0), rtol=1e-10, atol=1e-15)
    assert_allclose(found.whole["squared norm of weights and biases"], network.parameter_norm_squared, rtol=1e-12)


@pytest.mark.parametrize("slope", [0.0, -1.0, 1.0, 3.0, -2.0])
def test_no_bound_of_the_norm_exceeds_it(slope):
    network = FullyConnected([np.ones((1, 1))] * 4, activation=leaky_relu(slope))
    found = quantities(network, Points(np.array([[-1.0], [2.0], [-3.0]])))
    assert float(found.whole.get("lower bound of the squared norm by the Jacobian") or 0) <= 4
    assert ("bound B on the distance to isometries" in found.whole) == (abs(slope) <= 1) == (found.notes == [])


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
    assert found.whole["-2H/leak, median over the middle layers"] > 0


def test_few_frequencies_are_kept_by_a_circular_network():
    found = quantities(*read("circular.safetensors", "circular_points.npz"))
    assert all(1 <= row["frequencies"] <= 8 for row in found.layers)
    assert found.whole["pixels"] == 8
    assert len(found.spectra["all frequencies"][1]) == 3 * 8


def test_a_rank_is_where_the_gap_is():
    assert decided_rank(np.array([1.0, 0.9, 1e-3, 1e-9])) == (2, pytest.approx(900))
    assert decided_rank(np.array([1.0, 0.9, 0.8])) == decided_rank(np.array([1.0, 0.5, 0.11])) == (3, 1.0)
    assert decided_rank(np.zeros(3)) == (0, np.inf)


@pytest.mark.parametrize(
    ("name", "points", "least"),
    [("small.npz", "small_points.npz", 170), ("resnet.npz", "resnet_points.npz", 110)],
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
    assert ridge.broken[0].by == "by 0.0022 of the norm of a neuron"
    assert plain.broken[0].by.startswith("by 8")
    assert ridge.conclusion is True


def test_a_balanced_network_meets_the_hypothesis():
    network, points = read("classes.safetensors", "classes_points.npz")
    one = ask(CLAIMS["bottleneck_structure.theorem_7"], Subject.of(network.balance(), points))
    assert one.outcome == "holds"
    assert one.met == one.places


def test_what_is_false_as_printed_fails_in_a_trained_network():
    one = asked("ridge.npz", "points.npz", "bottleneck_structure.narrowness.printed")
    assert (one.outcome, one.words, one.rank) == ("fails", "false as printed", 8)
    assert one.exact
    assert one.left - one.right > 1


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


def test_what_is_no_network_at_all():
    with pytest.raises(TypeError, match=r"network must be one of verify\.networks, a torch\.nn\.Module or a path"):
        from_module(3)


def test_from_python_with_arrays():
    network = LeakyResNet([np.eye(2, 3)] * 2, 1.0)
    found = verify.measure(network, [[1.0, 2.0], [0.5, -1.0]], package="tests.toy_claims")
    assert found.quantities.whole["depth"] == 2
    assert found.answers == []
    assert "leaky ResNet width 2, 2 layers, leak 1" in repr(found)


def test_layers_of_the_same_weights_are_named():
    weight = np.arange(6.0).reshape(2, 3)
    network = FullyConnected([weight, weight.T, np.zeros((2, 3)), np.zeros((3, 2)), weight])
    notes = verify.measure(network, package="tests.toy_claims").quantities.notes
    assert notes == ["layers 1, 2, 5 have the same weights, perhaps transposed: the norm counts them in each layer"]


def test_the_command_writes_a_table_a_page_and_a_file(tmp_path):
    arguments = [str(NETWORKS / f"{name}.npz") for name in ("step02000", "ridge")]
    arguments += ["--points", str(NETWORKS / "points.npz"), "--seconds", "0", "--html", str(tmp_path / "page")]
    result = CliRunner().invoke(app, ["measure", *arguments, "--json", str(tmp_path / "found.json")])
    assert result.exit_code == 0, result.output
    assert "fully connected 4-12-12-12-12-12-12-12-3, ReLU; 48 points, ridge 0.004, outputs known" in result.stdout
    written = json.loads((tmp_path / "found.json").read_text(), parse_constant=pytest.fail)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(written, SCHEMA)
    found = written["networks"]
    assert [one["name"] for one in found] == ["step02000.npz", "ridge.npz"]
    assert found[1]["quantities"]["whole"]["bottleneck rank"] == 2
    page = (tmp_path / "page" / "index.html").read_text()
    assert page.count("<svg") == 8
    assert "claims say different things" in page
    last = page[page.rindex("<section") :]
    assert last.index("squared norm of weights and biases") < last.index("Singular values by layer") < last.index("<details>")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ridge", "-1"], "'--ridge': ridge must be a number that is not negative, got -1.0"),
        (["--ridge", "nan"], "'--ridge': ridge must be a number that is not negative, got nan"),
        (["--slope", "nan"], "'--slope': slope must be a finite number, got nan"),
        (["--points", "nowhere.npy"], "'--points': nowhere.npy: No such file or directory"),
        (["--points", "points.txt"], "'--points': points.txt: points must be a file .npy, .csv or .npz, got 'points.txt'"),
    ],
)
def test_an_option_that_cannot_be_used_is_refused_by_its_name(options, message):
    result = CliRunner().invoke(app, ["measure", str(NETWORKS / "ridge.npz"), *options])
    assert result.exit_code == 2
    assert message in result.stderr


def test_targets_stand_in_place_of_those_of_a_file():
    targets = np.zeros((48, 3))
    _, points = measured_network(NETWORKS / "ridge.npz", NETWORKS / "points.npz", targets=targets)
    assert_allclose(points.targets, targets)
    assert points.ridge == 0.004
    with pytest.raises(TypeError, match="targets come with points"):
        measured_network(NETWORKS / "ridge.npz", targets=targets)


def test_what_is_not_decided_is_named():
    from dataclasses import replace

    from verify.trained.tables import _failures

    network, points = read("small.npz", "small_points.npz")
    measurement = measured("small", network, points, [CLAIMS[name] for name in FEW])
    undecided = replace(measurement.answers[0], outcome="undecided")
    lines = []

    class Screen:
        def print(self, text, **_):
            lines.append(text)

    for part in _failures(replace(measurement, answers=[undecided])):
        part(Screen())
    assert lines[-1] == f"not decided: {undecided.claim}"


def test_a_folder_of_checkpoints_is_a_series_in_the_order_of_their_numbers(tmp_path):
    for step, name in ((10, "ridge"), (9, "step02000"), (100, "plain")):
        (tmp_path / f"step{step}.npz").write_bytes((NETWORKS / f"{name}.npz").read_bytes())
    (tmp_path / "data.npz").write_bytes((NETWORKS / "points.npz").read_bytes())
    arguments = [str(tmp_path), "--points", str(tmp_path / "data.npz"), "--seconds", "0", "--html", str(tmp_path / "page")]
    result = CliRunner().invoke(app, ["measure", *arguments])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["step9.npz", "step10.npz", "step100.npz"]
    assert "from file 1, step9.npz, to file 3, step100.npz." in (tmp_path / "page" / "index.html").read_text()
    result = CliRunner().invoke(app, ["measure", str(tmp_path / "page")])
    assert result.exit_code == 2
    assert "must hold networks (.npz, .safetensors, .pt, .pth, .onnx), it has none" in result.stderr


def test_two_networks_stand_side_by_side():
    claims = [CLAIMS[one] for one in (*FEW, "leaky_resnets.bottleneck_rank.stable")]
    plain, ridge = (measured(name, *read(f"{name}.npz", "points.npz"), claims) for name in ("plain", "ridge"))
    with io.StringIO() as out:
        screen = Console(file=out, width=160)
        for part in shown([plain, ridge]):
            part(screen)
        text = out.getvalue()
    compared = text[text.index("ratio") :]
    (norm,) = (line.split() for line in compared.splitlines() if line.startswith("squared norm of"))
    values = [float(one) for one in norm[-3:]]
    assert_allclose(values[2], values[1] / values[0], rtol=1e-3)
    assert "claims say different things of the two" in text
    written = json.loads(json.dumps({"schema": 1, "networks": [plain.as_json(), ridge.as_json()]}, allow_nan=False))
    jsonschema.validate(written, SCHEMA)
    assert len(written["networks"][0]["claims"]) == len(claims)


def test_units_of_comparison():
    network, points = read("ridge.npz", "points.npz")
    found = measured("ridge", network, points, [])
    # He's weights have the squared norm 2 for each output of a layer, in the mean
    assert mean_of(found.untrained, "squared norm of weights and biases") == pytest.approx(2 * sum(network.widths[1:]), rel=0.1)
    norm = found.quantities.whole["squared norm of weights and biases"]
    least_norm = found.least["squared norm of weights and biases"]
    assert 1 < least_norm < norm
    # a linear network of one input attains the bound of the norm: equal layers
    line = FullyConnected([[[2.0]], [[2.0]], [[2.0]]], None, leaky_relu(1.0))
    assert least(line, Points(np.array([[0.0], [1.0]])))["squared norm of weights and biases"] == pytest.approx(12)
    # two answers for one point
    twice = Points(np.array([[1.0], [1.0], [2.0]]), np.array([[0.0], [2.0], [5.0]]))
    assert least(line, twice)["mean squared error"] == pytest.approx(2 / 3)


def test_main_quantities_by_independent_computations():
    network, points = trained((3, 9, 7, 2), slope=0.1, steps=400)
    found = quantities(network, points).whole
    weights, biases = network.weights, network.biases
    outputs, jacobians, traces = [], [], []
    for x in points.inputs:
        value, jacobian, layers = x, np.eye(3), []
        for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            before = value
            value = weight @ value + bias
            slopes = np.where(value > 0, 1, 0.1) if layer < 2 else np.ones(len(value))
            jacobian, value = slopes[:, None] * (weight @ jacobian), slopes * value
            layers.append((before, slopes))
        back, trace = np.eye(2), 0.0
        for (before, slopes), weight in zip(reversed(layers), reversed(weights), strict=True):
            back = back * slopes
            trace += (back**2).sum() * (before @ before + 1)
            back = back @ weight
        outputs.append(value)
        jacobians.append(np.linalg.svd(jacobian, compute_uv=False))
        traces.append(trace)
    norm = sum((one**2).sum() for one in (*weights, *biases))
    expected = {
        "squared norm of weights and biases": norm,
        "squared norm, mean over layers": norm / 3,
        "mean squared error": ((np.array(outputs) - points.targets) ** 2).sum(axis=1).mean(),
        "trace of the tangent kernel, mean over points": np.mean(traces),
        "lower bound of the squared norm by the Jacobian": 3 * max((one ** (2 / 3)).sum() for one in jacobians),
    }
    for name, value in expected.items():
        assert_allclose(found[name], value, rtol=1e-9, err_msg=name)
    incoming = [(w**2).sum(axis=1) + b**2 for w, b in zip(weights[:-1], biases[:-1], strict=True)]
    outgoing = [(w**2).sum(axis=0) for w in weights[1:]]
    imbalance = max(abs(i - o).max() / ((i + o).mean() / 2) for i, o in zip(incoming, outgoing, strict=True))
    assert_allclose(found["imbalance of a neuron, largest"], imbalance, rtol=1e-9)


def test_the_command_writes_a_pruned_network_that_it_can_read(tmp_path):
    arguments = [str(NETWORKS / "plain.npz"), "--points", str(NETWORKS / "points.npz"), "--seconds", "0", "-q"]
    result = CliRunner().invoke(app, ["measure", *arguments, "--prune", str(tmp_path / "small.npz")])
    assert result.exit_code == 0, result.output
    assert "4 - 12 - 12 - 12 - 12 - 12 - 12 - 12 - 3 neurons become 4 - 12 - 11 - 9 - 7 - 10 - 7 - 4 - 3" in result.stderr
    assert measured_network(tmp_path / "small.npz")[0].widths == (4, 12, 11, 9, 7, 10, 7, 4, 3)


def test_a_state_dict_is_measured_when_somebody_says_that_it_is_theirs():
    arguments = ["measure", str(NETWORKS / "ridge.safetensors"), "--seconds", "0"]
    data = ["--points", str(NETWORKS / "points.npz")]
    result = CliRunner().invoke(app, arguments + data)
    assert result.exit_code == 1
    assert "read as a chain of ReLU layers, its mean squared error is 0.00315; is that yours?" in result.stdout
    assert len(result.stdout.strip().splitlines()) == 1
    for option in (["--yes"], ["--activation", "relu"], ["--slope", "0"]):
        result = CliRunner().invoke(app, arguments + data + option)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith(
            "ridge.safetensors: read as a chain of ReLU layers, in the order 0, 2, 4, 6, 8, 10, 12, 14"
        )
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert "which was assumed" in result.stdout.splitlines()[0]
    result = CliRunner().invoke(app, [*arguments, *data, "--activation", "gelu"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("ridge.safetensors: read as a chain of GELU layers")
    assert "no claim asked" in result.stdout


def test_a_pruned_network_is_written_whole_or_not_at_all(tmp_path):
    """A disk that is full, as far as the process can see: the old file stays, and nothing is left beside it."""
    old = tmp_path / "small.npz"
    old.write_bytes(b"what was there")
    code = (
        "import resource, signal, sys; from verify.__main__ import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "sys.argv = ['verify', 'measure', *sys.argv[1:]]; main()"
    )
    arguments = [str(NETWORKS / "plain.npz"), "--points", str(NETWORKS / "points.npz"), "--seconds", "0", "-q"]
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments, "--prune", str(old)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == f"Error: {old}: File too large"
    assert old.read_bytes() == b"what was there"
    assert [one.name for one in tmp_path.iterdir()] == ["small.npz"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(NETWORKS / "ridge.pt"), "--activation", "rely"], "activation must be one of relu, leaky_relu"),
        ([str(NETWORKS / "ridge.onnx"), "--activation", "relu"], "a .onnx file says what its activations are"),
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
