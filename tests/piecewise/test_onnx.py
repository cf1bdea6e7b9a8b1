import itertools
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from flint import arb

from verify.networks import FullyConnected, HomogeneousActivation, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import rationals
from verify.piecewise.onnx import to_onnx

ACTIVATIONS = [
    relu(),
    leaky_relu(0.125),
    leaky_relu(-0.5),
    absolute_value(),
    identity(),
    HomogeneousActivation(0, 2),
    HomogeneousActivation(-1.5, 0),
    HomogeneousActivation(3, 0.25),
    HomogeneousActivation(2, 2),
    HomogeneousActivation(0, 0),
]


def network(widths, activation=None, seed=0):
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=(n, m)) for m, n in itertools.pairwise(widths)]
    return FullyConnected(weights, [rng.normal(size=n) for n in widths[1:]], activation)


def run(model, x):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x.astype(np.float32)})[0]


def rounding(f, x):
    """Bound of the rounding errors in float32: an ulp of the absolute terms for each operation, and what becomes of it."""
    error, gain = np.zeros_like(x), float(np.max(f.activation.lipschitz_constant))
    for weight, bias, values in zip(f.weights, f.biases, f.activations(x), strict=True):
        # each operation, the rounding of the weight (before and after scaling), and of the activation
        ulps = (weight.shape[1] + 4) * np.finfo(np.float32).eps
        error = np.abs(weight) @ (gain * error) + ulps * (np.abs(weight) @ np.abs(values) + np.abs(bias))
    return error


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=str)
@pytest.mark.parametrize("widths", [(3, 2), (3, 8, 2), (2, 16, 9, 5, 1)])
def test_the_runtime_computes_the_same_values(activation, widths):
    f = network(widths, activation)
    points = np.random.default_rng(1).normal(size=(20, widths[0])).astype(np.float32).astype(np.float64)
    got = run(to_onnx(f), points)
    assert got.shape == (20, widths[-1])
    bounds = np.stack([rounding(f, x) for x in points])
    assert np.all(np.abs(got - f(points)) <= bounds)
    # a change of one weight by a thousandth is seen
    changed = FullyConnected([f.weights[0] * 1.001, *f.weights[1:]], f.biases, activation)
    if f.depth == 1 or activation.lipschitz_constant > 0:
        assert np.any(np.abs(got - changed(points)) > bounds)


def test_exact_networks_and_files(tmp_path):
    f = FullyConnected([rationals([["1/3", "-2"]]), rationals([["3"]])], [rationals(["1/7"]), rationals(["0"])], leaky_relu(2))
    to_onnx(f, tmp_path / "net.onnx")
    model = onnx.load(tmp_path / "net.onnx")
    assert [node.op_type for node in model.graph.node] == ["Gemm", "LeakyRelu", "Gemm"]
    np.testing.assert_allclose(run(model, np.array([[3.0, 0.0]])), [[3 + 3 / 7]], rtol=1e-6)
    np.testing.assert_allclose(run(model, np.array([[0.0, 1.0]])), [[6 * (1 / 7 - 2)]], rtol=1e-6)


def test_operators():
    def operators(activation):
        return [node.op_type for node in to_onnx(network((2, 3, 1), activation)).graph.node]

    assert operators(relu()) == ["Gemm", "Relu", "Gemm"]
    assert operators(identity()) == ["Gemm", "Gemm"]
    assert operators(absolute_value()) == ["Gemm", "LeakyRelu", "Gemm"]
    assert operators(HomogeneousActivation(0, 2)) == ["Gemm", "Relu", "Gemm"]


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: to_onnx("network"), TypeError, "network must be a FullyConnected"),
        (lambda: to_onnx(FullyConnected([np.ones((4, 1, 2))])), ValueError, r"got a batch of shape \(4,\)"),
        (lambda: to_onnx(FullyConnected([np.full((1, 1), 1e39)])), ValueError, r"weights\[0\] has an entry beyond .* float32"),
        (lambda: to_onnx(FullyConnected([rationals([[10**400]])])), ValueError, r"weights\[0\] has an entry beyond"),
        (lambda: to_onnx(FullyConnected([np.full((1, 1), arb(1), dtype=object)])), TypeError, "balls"),
        (lambda: to_onnx(network((2, 1)), 3), TypeError, "path must be text or a pathlib.Path, got 3"),
        (lambda: to_onnx(network((2, 1)), b"net.onnx"), TypeError, "path must be text or a pathlib.Path"),
    ],
)
def test_arguments_are_validated(build, error, message):
    with pytest.raises(error, match=message):
        build()


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'deep-l2-verify\[onnx\]'"):
        to_onnx(network((2, 1)))
