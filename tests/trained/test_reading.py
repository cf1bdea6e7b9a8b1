"""Readers: every format gives the same network, and what cannot be read is refused in one line that names the layer."""

import io
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.testing import assert_allclose
from onnx import TensorProto, helper, numpy_helper

from verify.networks import CircularCNN, FullyConnected, LeakyResNet, leaky_relu
from verify.piecewise.onnx import to_onnx
from verify.trained.networks import from_tensors
from verify.trained.points import Points, fitted, read_points
from verify.trained.reading import read_network
from verify.trained.tensors import Unreadable, natural, read_tensors

NETWORKS = Path(__file__).parents[1] / "data" / "networks"


def arrays(seed=0, widths=(3, 4, 2)):
    rng = np.random.default_rng(seed)
    found = {}
    for k, (inside, outside) in enumerate(pairwise(widths), start=1):
        found[f"W{k}"], found[f"b{k}"] = rng.standard_normal((outside, inside)), rng.standard_normal(outside)
    return found


def as_safetensors(tensors):
    """A file of float64 tensors, and how long its header is said to be."""
    header, data = {}, b""
    for name, values in tensors.items():
        content = np.ascontiguousarray(values, dtype="<f8").tobytes()
        header[name] = {"dtype": "F64", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    return len(text).to_bytes(8, "little") + text + data


def test_one_network_in_three_formats():
    ours, safe = (read_network(NETWORKS / f"ridge.{kind}") for kind in ("npz", "safetensors"))
    exported = read_network(NETWORKS / "ridge.onnx")
    for other in (safe, exported):
        assert isinstance(other, FullyConnected)
        assert other.widths == ours.widths == (4, *[12] * 7, 3)
        for one, two in zip(ours.parameters, other.parameters, strict=True):
            assert np.array_equal(one, two)


def test_a_network_of_ours_comes_back_from_onnx(tmp_path):
    network = FullyConnected([*(w for n, w in arrays().items() if n[0] == "W")], None, leaky_relu(0.125))
    to_onnx(network, tmp_path / "network.onnx")
    found = read_network(tmp_path / "network.onnx")
    assert float(found.activation.negative) == 0.125
    x = np.random.default_rng(1).standard_normal((5, 3))
    assert_allclose(found(x), network(x), rtol=1e-5)


def test_a_leaky_resnet_with_its_steps_from_its_factors():
    saved, exported = read_network(NETWORKS / "resnet.npz"), read_network(NETWORKS / "resnet.onnx")
    assert isinstance(saved, LeakyResNet)
    assert isinstance(exported, LeakyResNet)
    assert_allclose(exported.leak, saved.leak, rtol=1e-6)
    assert_allclose(exported.steps, saved.steps, rtol=1e-6)
    x = read_points(NETWORKS / "resnet_points.npz").inputs.T
    assert_allclose(exported(x), saved(x), rtol=1e-4, atol=1e-5)


def test_a_circular_network_in_two_formats():
    points = read_points(NETWORKS / "circular_points.npz")
    saved = read_network(NETWORKS / "circular.safetensors", image=points.inputs.shape[2:])
    exported = read_network(NETWORKS / "circular.onnx")
    assert isinstance(saved, CircularCNN)
    assert_allclose(exported(points.inputs), saved(points.inputs), rtol=1e-5, atol=1e-6)
    # trained to fit: the reader turns the filters the right way around
    assert np.mean((saved(points.inputs) - points.targets) ** 2) < 1e-3


def test_the_ones_with_a_ridge_are_fitted_and_have_a_smaller_norm():
    points = read_points(NETWORKS / "points.npz")
    ridge, plain = (read_network(NETWORKS / f"{name}.npz") for name in ("ridge", "plain"))
    assert points.ridge == 4e-3
    for network in (ridge, plain):
        assert np.mean((network(points.inputs) - points.targets) ** 2) < 1e-2
    assert ridge.parameter_norm_squared < plain.parameter_norm_squared / 5


def test_names_are_in_natural_order():
    assert sorted(["10.weight", "9.weight", "9.bias"], key=natural) == ["9.bias", "9.weight", "10.weight"]


def test_safetensors_of_other_types(tmp_path):
    values = np.array([[1.5, -2.0], [0.25, 3.0]], dtype="<f4")
    halves = (values.view("<u4") >> 16).astype("<u2")
    header = {
        "0.weight": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]},
        "0.bias": {"dtype": "F16", "shape": [2], "data_offsets": [8, 12]},
    }
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + halves.tobytes() + np.array([1, 2], dtype="<f2").tobytes()
    (tmp_path / "x.safetensors").write_bytes(content)
    network = read_network(tmp_path / "x.safetensors")
    assert np.array_equal(network.weights[0], values)
    assert np.array_equal(network.biases[0], [1, 2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W1": np.full((4, 3), np.nan)}, "W1 has 12 of 12 entries that are NaN or infinite"),
        ({"W2": np.ones((2, 5))}, "W2 takes 5 inputs but W1 gives 4 outputs"),
        ({"b1": np.ones(3)}, r"the bias of W1 has the shape \(3,\) for 4 outputs"),
        ({"gamma": np.ones(4)}, r"gamma, of shape \(4,\), belongs to no weight matrix"),
        ({"W2": np.array([["a", "b"]])}, "W2 must hold real numbers"),
        ({"W1": np.ones((4, 3, 3))}, r"W2 has the shape \(2, 4\), and W1 has \(4, 3, 3\)"),
        ({"leak": 1.0}, "W1 has the shape"),
        ({"slope": np.ones(2)}, "slope must be a number"),
    ],
)
def test_tensors_that_are_no_network(change, message):
    with pytest.raises(Unreadable, match=message):
        from_tensors(arrays() | change)


def test_a_convolution_needs_the_size_of_the_images():
    with pytest.raises(Unreadable, match=r"0.weight is a convolution, and nothing says how large the images are"):
        from_tensors({"0.weight": np.ones((1, 1, 3))})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.npz", b"text", "this is no archive of NumPy"),
        ("x.safetensors", b'\x08\0\0\0\0\0\0\0{"a": 1}', "this is no safetensors file"),
        ("x.safetensors", b"", "this is no safetensors file"),
        ("x.onnx", b"no model", "this is no ONNX model"),
        ("x.h5", b"", "a network must be a file"),
    ],
)
def test_files_that_are_no_model(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Unreadable, match=message):
        read_network(tmp_path / name)


def damaged_archive():
    whole = io.BytesIO()
    np.savez_compressed(whole, W1=np.arange(1000.0))
    content = bytearray(whole.getvalue())
    content[100:140] = bytes(40)
    return bytes(content)


@pytest.mark.parametrize("name", ["x.npy", "x.npz"])
@pytest.mark.parametrize(
    "content", [b"text", b"", b"PK\x03\x04text", damaged_archive()], ids=["text", "empty", "begun", "damaged"]
)
def test_files_that_are_no_points(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Unreadable, match="this is no file of points"):
        read_points(tmp_path / name)


def test_an_array_is_no_archive(tmp_path):
    np.save(tmp_path / "x.npy", np.ones(3))
    (tmp_path / "x.npy").rename(tmp_path / "x.npz")
    with pytest.raises(Unreadable, match="this is one array"):
        read_tensors(tmp_path / "x.npz")


def test_a_tensor_that_ends_beyond_the_file(tmp_path):
    content = as_safetensors({"W1": np.ones((2, 2))})
    (tmp_path / "x.safetensors").write_bytes(content[:-8])
    with pytest.raises(Unreadable, match="said to end at byte 32 of 24"):
        read_network(tmp_path / "x.safetensors")


def test_a_state_dict_without_torch(tmp_path):
    (tmp_path / "x.pt").write_bytes(b"")
    with pytest.raises(Unreadable, match=r"reading a \.pt file needs PyTorch"):
        read_network(tmp_path / "x.pt")


def graph(nodes, constants=(), inside=("N", 2), outside=("N", 2)):
    tensors = [numpy_helper.from_array(np.asarray(values, dtype=np.float32), name) for name, values in constants]
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, list(s)) for n, s in (("x", inside), ("y", outside))]
    made = helper.make_graph(nodes, "g", ends[:1], ends[1:], initializer=tensors)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 19)])


def node(operator, inputs, output, **attributes):
    return helper.make_node(operator, inputs, [output], name=f"{operator}_{output}", **attributes)


EYE = ("W", np.eye(2))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (graph([node("Softmax", ["x"], "y")]), r"the node Softmax_y \(Softmax\) is not one of the operators"),
        (graph([node("MatMul", ["x", "W"], "a"), node("Relu", ["a"], "y")], [EYE]), "ends with an activation, the node Relu_y"),
        (
            graph(
                [
                    node("MatMul", ["x", "W"], "a"),
                    node("Relu", ["a"], "b"),
                    node("MatMul", ["b", "W"], "c"),
                    node("MatMul", ["c", "W"], "y"),
                ],
                [EYE],
            ),
            "must share one activation, its slopes below zero are 0 at the node Relu_b",
        ),
        (
            graph([node("Conv", ["x", "k"], "y", pads=[1, 1])], [("k", np.ones((1, 1, 3)))], ("N", 1, 4), ("N", 1, 4)),
            r"the node Conv_y \(Conv\) pads with zeros: only circular padding is read",
        ),
        (
            graph(
                [node("Pad", ["x", "p"], "a", mode="reflect"), node("Conv", ["a", "k"], "y")],
                [("k", np.ones((1, 1, 3))), ("p", [0, 0, 1, 0, 0, 1])],
                ("N", 1, 4),
                ("N", 1, 4),
            ),
            "pads in the mode reflect",
        ),
        (graph([node("Mul", ["x", "x"], "y")]), r"the node Mul_y \(Mul\) multiplies two values"),
        (graph([node("MatMul", ["x", "W"], "y")], [("W", [[np.nan, 1], [1, 1]])]), "W has 1 of 4 entries that are NaN"),
    ],
)
def test_models_that_are_no_network(tmp_path, model, message):
    onnx.save(model, tmp_path / "x.onnx")
    with pytest.raises(Unreadable, match=message):
        read_network(tmp_path / "x.onnx")


def test_points_of_a_table(tmp_path):
    (tmp_path / "p.csv").write_text("x1,x2,y\n1,2,3\n4,5,6\n")
    points = read_points(tmp_path / "p.csv")
    assert np.array_equal(points.inputs, [[1, 2], [4, 5]])
    assert np.array_equal(points.targets, [[3], [6]])
    (tmp_path / "p.csv").write_text("1,2\n4,five\n")
    with pytest.raises(Unreadable, match="row 2 has the entry 'five', which is no number"):
        read_points(tmp_path / "p.csv")


def test_points_that_do_not_fit():
    network = from_tensors(arrays())
    with pytest.raises(Unreadable, match=r"takes points of shape \(3,\), got \(5, 7\)"):
        fitted(Points(np.ones((5, 7))), network)
    with pytest.raises(Unreadable, match=r"got y of shape \(5, 4\)"):
        fitted(Points(np.ones((5, 3)), np.ones((5, 4))), network)
    with pytest.raises(Unreadable, match="ridge must be a number that is not negative"):
        fitted(Points(np.ones((5, 3)), None, -1.0), network)


def test_classes_become_unit_vectors_and_drawn_points_say_so():
    network = from_tensors(arrays())
    assert np.array_equal(fitted(Points(np.ones((2, 3)), np.array([1.0, 0.0])), network).targets, [[0, 1], [1, 0]])
    assert fitted(None, network).drawn
    joined = fitted(Points(np.arange(10.0).reshape(2, 5)), network)
    assert joined.inputs.shape == (2, 3)
    assert np.array_equal(joined.targets, [[3, 4], [8, 9]])
