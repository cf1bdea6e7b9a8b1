"""Networks of the kinds that people have, which PyTorch trained: read of a model and of a trace, and what may be asked of them.

The files of tests/data/people are written by tests/benchmarks/networks_of_people.py; what they should give, PyTorch computed.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from verify.claims.catalogue import catalogue
from verify.networks import CircularCNN, FullyConnected, LeakyResNet
from verify.numbers.arithmetic import floats
from verify.trained.checking import mean_squared_error, outputs_of
from verify.trained.evaluated import evaluated
from verify.trained.files import Unreadable
from verify.trained.measurement import measured, measured_network
from verify.trained.modules import Call, Value, followed
from verify.trained.points import Points, fitted
from verify.trained.programs import Activation, Dense, Program, Scale, Sum
from verify.trained.recognising import leaky_part, recognised
from verify.trained.subjects import CannotAsk, Subject
from verify.trained.traced import LayersAlone, TracedNetwork
from verify.trained.untrained import mean_of, untrained

PEOPLE = Path(__file__).parents[1] / "data" / "people"
CHAIN, RING, LEAKY, OTHER = FullyConnected, CircularCNN, LeakyResNet, TracedNetwork
KINDS = {
    "relu": (CHAIN, True),
    "leaky_relu": (CHAIN, True),
    "linear": (CHAIN, True),
    "batch_norm": (CHAIN, True),
    "dropout": (CHAIN, True),
    "out_of_order": (CHAIN, True),
    "flattened": (CHAIN, True),
    "circular": (RING, True),
    "leaky_resnet": (LEAKY, True),
    "average_pooling": (OTHER, True),
    "max_pooling": (OTHER, False),
    "residual": (OTHER, False),
    "projection": (OTHER, False),
    "residual_rows": (OTHER, False),
    "residual_steps": (OTHER, False),
    "tanh": (OTHER, False),
    "gelu": (OTHER, False),
    "sigmoid": (OTHER, False),
    "silu": (OTHER, False),
    "layer_norm": (LayersAlone, False),
    "attention": (LayersAlone, False),
}
"""What each is read as, and whether it is a chain, of which claims on networks can be asked: the table in docs/measure.md."""
CLAIMS = catalogue("theorems")
CLAIM = CLAIMS["notion_of_rank.prop_3"]
OF_WEIGHTS = "leaky_resnets.weights_from_activations"


def known(name):
    return dict(np.load(PEOPLE / f"{name}.npz"))


def plain(argument):
    if isinstance(argument, dict):
        return Value(argument["value"])
    return [plain(one) for one in argument] if isinstance(argument, list) else argument


def of_trace(name, values):
    trace = json.loads((PEOPLE / f"{name}.json").read_text())
    calls = [Call(one["name"], one["operator"], plain(one["arguments"]), one["options"]) for one in trace["calls"]]
    tensors = {key.removeprefix("tensor:"): value for key, value in values.items() if key.startswith("tensor:")}
    found = followed(calls, tensors, tuple(trace["shape"]), tuple(trace["names"]))
    return found if isinstance(found, LayersAlone) else recognised(found)


def test_an_option_of_an_activation_that_is_not_followed_is_refused():
    weights = {"w": np.ones((2, 3))}
    linear = Call("linear", "linear", [Value("x"), Value("w")], {})
    for operator, options in (("gelu", {"approximate": "tanh"}), ("relu", {})):
        followed([linear, Call("a", operator, [Value("linear")], options)], weights, (3,), ("x", "a"))
    wrong = Call("a", "leaky_relu", [Value("linear")], {"negative_slope": 0.2})
    with pytest.raises(Unreadable, match=r"a \(leaky_relu\) has the option negative_slope=0\.2, which is not followed"):
        followed([linear, wrong], weights, (3,), ("x", "a"))


def test_each_kind_has_its_files():
    assert {path.stem for path in PEOPLE.glob("*.npz")} == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_model_gives_the_quantities_of_pytorch(name):
    values = known(name)
    network, points = measured_network(PEOPLE / f"{name}.onnx", values["x"], targets=values["y"], ridge=1e-3)
    assert isinstance(network, KINDS[name][0])
    found = measured(name, network, points, [CLAIM])
    assert_allclose(found.quantities.whole["squared norm of weights and biases"], values["squared norm"], rtol=1e-5)
    assert len(found.answers) + len(found.not_asked) == 1
    if isinstance(network, LayersAlone):
        assert "outside of the theory" in found.not_asked[0].reason
        return
    assert_allclose(outputs_of(network, points.inputs), values["outputs"].reshape(16, *points.targets.shape[1:]), atol=1e-5)
    assert_allclose(found.quantities.whole["mean squared error"], values["mean squared error"], rtol=1e-4)
    if isinstance(network, TracedNetwork):
        assert_allclose(found.quantities.spectra["Jacobian"][0], values["Jacobian"], rtol=1e-4, atol=1e-6)
    if KINDS[name][1] and not isinstance(network, LeakyResNet):
        assert [one.rank for one in found.answers] == [max(2, one.rank) for one in found.answers]
        assert found.answers
    elif not KINDS[name][1]:
        assert "it speaks of" in found.not_asked[0].reason
        assert network.description in found.description


@pytest.mark.parametrize("name", KINDS)
def test_a_trace_gives_the_outputs_of_the_module(name):
    values = known(name)
    network = of_trace(name, values)
    if isinstance(network, LayersAlone):
        assert KINDS[name][0] is LayersAlone
        return
    # a network on rows of images is kept in their shape here: it is a chain when it is measured
    assert isinstance(network, KINDS[name][0]) or (name == "flattened" and network.has_matrices)
    points = fitted(Points(values["x"], values["y"]), network)
    assert_allclose(outputs_of(network, points.inputs), values["outputs"], rtol=1e-9, atol=1e-12)
    assert_allclose(mean_squared_error(network, points), values["mean squared error"], rtol=1e-9)
    assert_allclose(float(network.parameter_norm_squared), values["squared norm"], rtol=1e-9)
    if isinstance(network, TracedNetwork):
        spectra = np.linalg.svd(network.program.jacobians(points.inputs), compute_uv=False)
        assert_allclose(np.median(spectra, axis=0), values["Jacobian"], rtol=1e-9, atol=1e-12)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", KINDS)
def test_no_true_theorem_is_said_to_fail(name):
    values = known(name)
    network, points = measured_network(PEOPLE / f"{name}.onnx", values["x"], targets=values["y"], ridge=1e-3)
    found = measured(name, network, points, [one for one in CLAIMS.values() if one.expected != "refuted"])
    assert found.failing == []
    if isinstance(network, LayersAlone):
        assert found.answers == []
        return
    assert len(found.answers) >= (100 if KINDS[name][1] or name == "residual_steps" else 60)
    assert sum(one.outcome in ("holds", "within rounding") for one in found.answers) >= (70 if KINDS[name][1] else 40)


def test_what_is_evaluated_is_what_the_matrices_give():
    values = known("average_pooling")
    network, points = measured_network(PEOPLE / "average_pooling.onnx", values["x"], targets=values["y"])
    chain = Subject.of(network, points)
    inputs, targets = points.inputs.reshape(16, -1), points.targets.reshape(16, -1)
    subject = Subject(evaluated(network, points.inputs), inputs, targets, None)
    assert isinstance(chain.network, FullyConnected)
    for one, other in ((subject.path, chain.path), (subject.adjoints, chain.adjoints)):
        assert len(one) == len(other) == 3
        for some, wanted in zip(one, other, strict=True):
            assert_allclose(some, wanted, rtol=1e-9, atol=1e-12)
    assert_allclose(subject.jacobian(3), chain.jacobian(3), rtol=1e-9, atol=1e-12)
    assert (subject.depth, subject.slope.tolist()) == (3, [0.0])
    few, exact = subject.with_few_points(2), subject.exact([5, 7])
    assert_allclose(few.path[1], subject.path[1][..., :2])
    assert exact.is_exact
    assert (floats(exact.path[1][..., 1]) == subject.path[1][..., 7]).all()
    moved = subject.moved(np.random.default_rng(0))
    assert 0 < np.abs(moved.path[1] - subject.path[1]).max() < 1e-13


def test_networks_that_are_no_chain_say_what_they_are_not_asked():
    values = known("gelu")
    subject = Subject.of(*measured_network(PEOPLE / "gelu.onnx", values["x"]))
    with pytest.raises(CannotAsk, match="it speaks of one homogeneous activation, this network has GELU"):
        _ = subject.slope
    with pytest.raises(CannotAsk, match="it speaks of fully connected networks"):
        _ = subject.dense


def test_untrained_networks_with_skips_have_the_weights_of_he():
    network, points = measured_network(PEOPLE / "residual.onnx", known("residual")["x"])
    found = measured("residual", network, points, [])
    outputs = sum(len(one.weight) for one in network.layers)
    assert mean_of(found.untrained, "squared norm of weights and biases") == pytest.approx(2 * outputs, rel=0.2)
    drawn = untrained(network, np.random.default_rng(0))
    assert drawn.description == network.description
    assert not any(one.bias.any() for one in drawn.layers)


def residual_network(width=5, depth=3, leak=0.0):
    """A matrix, steps ``A + W relu(A) + b - leak A / depth``, and a matrix; and what it computes, by hand."""
    rng = np.random.default_rng(0)
    first, last = rng.standard_normal((width, 2)), rng.standard_normal((1, width))
    layers = [(rng.standard_normal((width, width)) / 3, rng.standard_normal(width)) for _ in range(depth)]
    program = Program((2,))
    value = program.add("first", Dense(first, np.zeros(width)), 0)
    for k, (weight, bias) in enumerate(layers):
        active = program.add(f"relu{k}", Activation("slopes"), value)
        step = program.add(f"step{k}", Dense(weight, bias), active)
        kept = program.add(f"leak{k}", Scale(np.array(1 - leak / depth), np.zeros(1)), value) if leak else value
        value = program.add(f"sum{k}", Sum(), kept, step)
    program.output = program.add("last", Dense(last, np.ones(1)), value)
    return program, first, layers


@pytest.mark.parametrize("leak", [0.0, 1.5])
def test_the_middle_of_a_residual_network_is_asked_the_claims_on_leaky_resnets(leak):
    program, first, layers = residual_network(leak=leak)
    network = recognised(program)
    assert isinstance(network, TracedNetwork)
    part, starts = leaky_part(network.program)
    x = np.random.default_rng(1).standard_normal((6, 2))
    values = starts(x)
    assert_allclose(values, x @ first.T)
    wanted = values
    for weight, bias in layers:
        wanted = (1 - leak / len(layers)) * wanted + np.maximum(wanted, 0) @ weight.T + bias
    assert_allclose(outputs_of(part, values), wanted, rtol=1e-9)
    assert float(part.leak) == pytest.approx(leak)
    found = measured("it", network, Points(x), [CLAIMS[name] for name in ("leaky_resnets.gamma_choice", OF_WEIGHTS)])
    assert {one.claim: one.outcome for one in found.answers}.keys() == {"leaky_resnets.gamma_choice", OF_WEIGHTS}
    assert found.failing == []
    assert f"asked of its middle: width 5, 3 layers, leak {leak:g}" in found.quantities.notes[-1]


@pytest.mark.parametrize("name", ["residual_rows", "residual", "projection", "gelu", "max_pooling"])
def test_other_skips_are_no_leaky_resnet(name):
    network, _ = measured_network(PEOPLE / f"{name}.onnx", known(name)["x"])
    assert leaky_part(network.program) is None


def test_the_matrices_of_convolutions_and_pooling_compute_the_same():
    values = known("average_pooling")
    network, points = measured_network(PEOPLE / "average_pooling.onnx", values["x"], targets=values["y"])
    chain = network.chain
    assert isinstance(chain, FullyConnected)
    assert chain.widths == (36, 144, 4, 2)
    flat = points.inputs.reshape(16, -1)
    assert_allclose(chain(flat), network(points.inputs), rtol=1e-9, atol=1e-12)
    assert not network.has_matrices
    notes = measured("it", network, points, []).quantities.notes
    assert any("whose norm is not that of the parameters" in note for note in notes)


def test_derivatives_are_those_of_the_differences():
    values = known("residual")
    network, points = measured_network(PEOPLE / "residual.onnx", values["x"])
    x = points.inputs[:2]
    jacobians = network.program.jacobians(x)
    step = 1e-6
    for k in range(x[0].size):
        moved = x.copy().reshape(2, -1)
        moved[:, k] += step
        difference = (network(moved.reshape(x.shape)) - network(x)) / step
        assert_allclose(jacobians[..., k], difference, atol=1e-4)


def test_smooth_activations_say_which_quantities_they_do_not_have():
    values = known("gelu")
    found = measured("gelu", *measured_network(PEOPLE / "gelu.onnx", values["x"]), [CLAIM])
    assert any("they need one homogeneous activation, and this network has GELU" in note for note in found.quantities.notes)
    assert "chains of layers that share one homogeneous activation" in found.not_asked[0].reason
