"""Readers: every format gives the same network, and what cannot be read is refused in one line that names the layer."""

import io
import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.testing import assert_allclose
from onnx import TensorProto, helper, numpy_helper
from random_models import compared_with_onnxruntime
from scipy.special import ndtr

from verify.networks import CircularCNN, FullyConnected, LeakyResNet, leaky_relu
from verify.piecewise.onnx import to_onnx
from verify.trained.files import Unreadable
from verify.trained.measurement import measured_reading
from verify.trained.points import Points, fitted, read_points
from verify.trained.programs import Activation
from verify.trained.reading import ACTIVATIONS, of_tensors, read, read_tensors
from verify.trained.states import _state_in, _Storage, _Tensor
from verify.trained.tensors import natural
from verify.trained.traced import LayersAlone, TracedNetwork

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
    ours, safe = (read(NETWORKS / f"ridge.{kind}").network for kind in ("npz", "safetensors"))
    exported = read(NETWORKS / "ridge.onnx").network
    for other in (safe, exported):
        assert isinstance(other, FullyConnected)
        assert other.widths == ours.widths == (4, *[12] * 7, 3)
        for one, two in zip(ours.parameters, other.parameters, strict=True):
            assert np.array_equal(one, two)


def test_a_network_of_ours_comes_back_from_onnx(tmp_path):
    network = FullyConnected([*(w for n, w in arrays().items() if n[0] == "W")], None, leaky_relu(0.125))
    to_onnx(network, tmp_path / "network.onnx")
    found = read(tmp_path / "network.onnx").network
    assert float(found.activation.negative) == 0.125
    x = np.random.default_rng(1).standard_normal((5, 3))
    assert_allclose(found(x), network(x), rtol=1e-5)


def test_a_leaky_resnet_with_its_steps_from_its_factors():
    saved, exported = read(NETWORKS / "resnet.npz").network, read(NETWORKS / "resnet.onnx").network
    assert isinstance(saved, LeakyResNet)
    assert isinstance(exported, LeakyResNet)
    assert_allclose(exported.leak, saved.leak, rtol=1e-6)
    assert_allclose(exported.steps, saved.steps, rtol=1e-6)
    x = read_points(NETWORKS / "resnet_points.npz").inputs.T
    assert_allclose(exported(x), saved(x), rtol=1e-4, atol=1e-5)


def test_a_circular_network_in_two_formats():
    points = read_points(NETWORKS / "circular_points.npz")
    saved = read(NETWORKS / "circular.safetensors", image=points.inputs.shape[2:]).network
    exported = read(NETWORKS / "circular.onnx").network
    assert isinstance(saved, CircularCNN)
    assert_allclose(exported(points.inputs), saved(points.inputs), rtol=1e-5, atol=1e-6)
    # trained to fit: the reader turns the filters the right way around
    assert np.mean((saved(points.inputs) - points.targets) ** 2) < 1e-3


def test_the_ones_with_a_ridge_are_fitted_and_have_a_smaller_norm():
    points = read_points(NETWORKS / "points.npz")
    ridge, plain = (read(NETWORKS / f"{name}.npz").network for name in ("ridge", "plain"))
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
    network = read(tmp_path / "x.safetensors").network
    assert np.array_equal(network.weights[0], values)
    assert np.array_equal(network.biases[0], [1, 2])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [0, 2]},
            "x has the type F8_E4M3, which is not read: save it as one of F64",
        ),
        ({"dtype": "F32", "shape": [0, 2], "data_offsets": [0, 0]}, r"x has the shape \(0, 2\): it is empty"),
    ],
)
def test_what_a_safetensors_file_may_have_and_a_network_not(tmp_path, entry, message):
    text = json.dumps({"x": entry}).encode()
    (tmp_path / "x.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + bytes(entry["data_offsets"][1]))
    with pytest.raises(Unreadable, match=f"^{message}"):
        read(tmp_path / "x.safetensors")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W1": np.full((4, 3), np.nan)}, "W1 has 12 of 12 entries that are NaN or infinite"),
        ({"W2": np.ones((2, 5))}, "W2 takes 5 inputs but W1 gives 4 outputs"),
        (
            {"b1": np.ones(3)},
            r"the bias of W1 has the shape \(3,\) for 4 outputs; save the transpose: weights are outputs x inputs",
        ),
        ({"b1": np.ones(5)}, r"the bias of W1 has the shape \(5,\) for 4 outputs$"),
        ({"gamma": np.ones(4)}, r"gamma, of shape \(4,\), belongs to no weight matrix"),
        ({"W2": np.array([["a", "b"]])}, "W2 must hold real numbers"),
        ({"W1": np.ones((4, 3, 3))}, r"W2 has the shape \(2, 4\), and W1 has \(4, 3, 3\)"),
        ({"leak": 1.0}, "W1 has the shape"),
        ({"slope": np.ones(2)}, "slope must be a number"),
    ],
)
def test_tensors_that_are_no_network(change, message):
    with pytest.raises(Unreadable, match=message):
        of_tensors(arrays() | change)


def test_a_transposed_weight_of_a_state_dict_is_named():
    with pytest.raises(Unreadable, match=r"the bias of 0.weight has the shape \(4,\) for 3 outputs; save the transpose"):
        of_tensors({"0.weight": np.ones((3, 4)), "0.bias": np.ones(4)})
    with pytest.raises(Unreadable, match="W2 takes 2 inputs but W1 gives 3 outputs; save the transposes"):
        of_tensors({"W1": np.ones((3, 4)), "W2": np.ones((4, 2))})
    with pytest.raises(Unreadable, match=r"W2 takes 5 inputs but W1 gives 3 outputs$"):
        of_tensors({"W1": np.ones((3, 4)), "W2": np.ones((2, 5))})


def test_a_convolution_needs_the_size_of_the_images():
    with pytest.raises(Unreadable, match=r"0.weight is a convolution, and nothing says how large the images are"):
        of_tensors({"0.weight": np.ones((1, 1, 3))})


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
        read(tmp_path / name)


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
        read(tmp_path / "x.safetensors")


def test_state_dicts_of_torch_are_read_without_torch():
    assert "torch" not in sys.modules
    ours, theirs = read(NETWORKS / "ridge.npz").network, read(NETWORKS / "ridge.pt").network
    for one, two in zip(ours.parameters, theirs.parameters, strict=True):
        assert np.array_equal(one, two)
    # its numbers are in buffers of the module
    assert read(NETWORKS / "resnet.pt").network.leak == read(NETWORKS / "resnet.npz").network.leak
    assert read(NETWORKS / "circular.pt", image=(8,)).network.channels == (2, 3, 3, 3, 1)


def test_an_optimiser_beside_a_state_dict_is_left_out():
    tensor = _Tensor(_Storage("f4", "0"), 0, (2, 2), (2, 1))
    state = {"0.weight": tensor}
    adam = {
        "state": {0: {"step": tensor, "exp_avg": tensor, "exp_avg_sq": tensor}},
        "param_groups": [{"lr": 1e-3, "params": [0]}],
    }
    assert _state_in({"epoch": 3, "model": state, "optimizer": adam}) == state
    with pytest.raises(Unreadable, match=r"^this holds 2 state dicts, model, average: save the one of the network alone"):
        _state_in({"model": state, "average": state | {"0.bias": tensor}})


def graph(nodes, constants=(), inside=("N", 2), outside=("N", 2)):
    tensors = [numpy_helper.from_array(np.asarray(values, dtype=np.float32), name) for name, values in constants]
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, list(s)) for n, s in (("x", inside), ("y", outside))]
    made = helper.make_graph(nodes, "g", ends[:1], ends[1:], initializer=tensors)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 19)])


def node(operator, inputs, output, **attributes):
    return helper.make_node(operator, inputs, [output], name=f"{operator}_{output}", **attributes)


EYE = ("W", np.eye(2))


RELU = node("Relu", ["a"], "b")
IMAGE = ("N", 1, 4)
FILTER = ("k", np.ones((1, 1, 3)))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (graph([node("Softmax", ["x"], "y")]), r"the node Softmax_y \(Softmax\): .* there are no layers"),
        (
            helper.make_model(
                helper.make_graph(
                    [RELU],
                    "g",
                    [helper.make_tensor_value_info("a", TensorProto.FLOAT16, ["N", 2])],
                    [helper.make_tensor_value_info("b", TensorProto.FLOAT16, ["N", 2])],
                ),
                opset_imports=[helper.make_opsetid("", 19)],
            ),
            "must hold float or double, got the type FLOAT16",
        ),
        (graph([node("Cos", ["x"], "y")]), r"the node Cos_y \(Cos\) is not one of the operators"),
        (graph([node("Mul", ["x", "x"], "y")]), "there is no layer with weights between the input and the output"),
        (graph([node("MatMul", ["x", "W"], "y")], [("W", [[np.nan, 1], [1, 1]])]), "W has 1 of 4 entries that are NaN"),
        (graph([node("MatMul", ["W", "x"], "y")], [EYE], (2, 2)), "multiplies points from the wrong side"),
        (graph([node("MatMul", ["x", "W"], "y")], [EYE], (2,), (2,)), "the first is that of the points"),
        (graph([node("Add", ["x", "c"], "y")], [("c", np.ones((3, 1)))], (3, 2)), "other ones for each point"),
        (graph([node("Gemm", ["x", "W", "c"], "y")], [EYE, ("c", np.ones((3, 1)))], (3, 2)), "other ones for each point"),
        (graph([node("Conv", ["x", "k"], "y", auto_pad="SAME_UPPER", pads=[1, 1])], [FILTER], IMAGE, IMAGE), "SAME_UPPER"),
        (
            graph([node("Cast", ["x"], "a", to=TensorProto.INT64), node("Cast", ["a"], "y", to=TensorProto.FLOAT)]),
            r"Cast_a \(Cast\) is not one of the operators",
        ),
    ],
)
def test_models_that_are_no_network(tmp_path, model, message):
    onnx.save(model, tmp_path / "x.onnx")
    with pytest.raises(Unreadable, match=message):
        read(tmp_path / "x.onnx")


@pytest.mark.parametrize(
    ("model", "shape"),
    [
        (graph([node("MatMul", ["x", "W"], "a"), node("Relu", ["a"], "y")], [EYE]), (2,)),
        (
            graph(
                [node("MatMul", ["x", "W"], "a"), RELU, node("MatMul", ["b", "W"], "c"), node("MatMul", ["c", "W"], "y")], [EYE]
            ),
            (2,),
        ),
        (graph([node("MatMul", ["x", "W"], "a"), node("Tanh", ["a"], "b"), node("Add", ["a", "b"], "y")], [EYE]), (2,)),
        (graph([node("Conv", ["x", "k"], "y", pads=[1, 1])], [FILTER], IMAGE, IMAGE), (1, 4)),
        (
            graph(
                [node("Conv", ["x", "k"], "a"), node("Add", ["a", "c"], "y")], [FILTER, ("c", [5.0, 7.0])], IMAGE, ("N", 1, 2)
            ),
            (1, 4),
        ),
        (
            graph([node("Conv", ["x", "k"], "a"), node("MaxPool", ["a"], "y", kernel_shape=[2])], [FILTER], IMAGE, ("N", 1, 1)),
            (1, 4),
        ),
    ],
    ids=["activation last", "two linear layers", "a skip", "zero padding", "a constant of each pixel", "pooling"],
)
def test_networks_that_are_none_of_the_engine_give_what_the_evaluator_gives(tmp_path, model, shape):
    onnx.save(model, tmp_path / "x.onnx")
    network = read(tmp_path / "x.onnx").network
    assert isinstance(network, TracedNetwork)
    x = np.random.default_rng(0).standard_normal((3, *shape)).astype(np.float32)
    expected = onnx.reference.ReferenceEvaluator(model).run(None, {"x": x})[0]
    assert network(x).shape == expected.shape
    assert_allclose(network(x), expected, rtol=1e-5, atol=1e-5)


def test_what_is_folded_into_layers_is_said(tmp_path):
    def details(*nodes):
        onnx.save(graph(nodes, [EYE, ("s", [3.0, 3.0])]), tmp_path / "x.onnx")
        return read(tmp_path / "x.onnx").details

    layer, bias = node("MatMul", ["x", "W"], "a"), node("Add", ["a", "s"], "b")
    assert details(layer, node("Add", ["a", "s"], "y")) == ""
    assert details(layer, node("Mul", ["a", "s"], "y")).startswith("folded into the layers beside: the node Mul_y (Mul); norms")
    assert "Sub_z" in details(node("Sub", ["x", "s"], "z"), node("MatMul", ["z", "W"], "y"))
    assert "Add_y" in details(layer, bias, node("Add", ["b", "s"], "y"))
    second = node("Relu", ["b"], "c"), node("Add", ["c", "s"], "d"), node("Relu", ["d"], "y")
    assert "what has no layer beside it is in none" in details(layer, bias, *second)


def test_layers_alone_have_their_biases(tmp_path):
    nodes = [node("MatMul", ["x", "W"], "a"), node("Add", ["a", "b"], "c"), node("Sqrt", ["c"], "d")]
    nodes += [node("Gemm", ["d", "W", "b"], "y", alpha=2.0, beta=3.0)]
    onnx.save(graph(nodes, [EYE, ("b", [[1.0, 2.0]])]), tmp_path / "x.onnx")
    network = read(tmp_path / "x.onnx").network
    assert isinstance(network, LayersAlone)
    assert [layer.squared_norm for layer in network.layers] == [2 + 5, 4 * 2 + 9 * 5]


def test_a_model_may_name_the_standard_twice_and_import_what_it_does_not_use(tmp_path):
    model = graph([node("MatMul", ["x", "W"], "y")], [EYE])
    model.opset_import[0].domain = "ai.onnx"
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 2))
    onnx.save(model, tmp_path / "x.onnx")
    assert isinstance(read(tmp_path / "x.onnx").network, FullyConnected)
    model.graph.node[0].domain = "ai.onnx.ml"
    onnx.save(model, tmp_path / "x.onnx")
    with pytest.raises(Unreadable, match=r"operators of the standard alone: it has operators of ai\.onnx\.ml"):
        read(tmp_path / "x.onnx")


def test_points_say_how_large_they_are_where_the_model_does_not(tmp_path):
    onnx.save(graph([node("MatMul", ["x", "W"], "y")], [EYE], ("N", "D")), tmp_path / "x.onnx")
    with pytest.raises(Unreadable, match="does not say how large the points are"):
        read(tmp_path / "x.onnx")
    assert measured_reading(tmp_path / "x.onnx", np.ones((3, 2)))[0].network.widths == (2, 2)


def test_a_clip_to_the_largest_float_is_a_relu(tmp_path):
    nodes = [node("MatMul", ["x", "W"], "a"), node("Clip", ["a", "zero", "most"], "b"), node("MatMul", ["b", "W"], "y")]
    onnx.save(graph(nodes, [EYE, ("zero", 0.0), ("most", np.finfo(np.float32).max)]), tmp_path / "x.onnx")
    assert isinstance(read(tmp_path / "x.onnx").network, FullyConnected)


def test_a_reading_that_differs_from_the_evaluator_is_refused(tmp_path, monkeypatch):
    onnx.save(graph([node("MatMul", ["x", "W"], "a"), RELU, node("MatMul", ["b", "W"], "y")], [EYE]), tmp_path / "x.onnx")
    read(tmp_path / "x.onnx")
    monkeypatch.setattr("verify.trained.onnx._activation", lambda _: Activation("slopes", 0.001))
    with pytest.raises(Unreadable, match=r"what was read gives .* at a random point, the format's own evaluator gives 0"):
        read(tmp_path / "x.onnx")


def test_random_models_are_read_as_onnxruntime_computes_them_or_not_at_all(tmp_path):
    found = [compared_with_onnxruntime(seed, tmp_path) for seed in range(150)]
    assert [one for one in found if one.startswith("WRONG")] == []
    assert found.count("read") > 70


def test_layers_are_in_the_order_of_their_numbers(tmp_path):
    rng = np.random.default_rng(0)
    tensors = {f"W{k}": rng.standard_normal((3, 3)) for k in (10, 2, 1, 9, 3, 4, 5, 6, 8, 7)}
    np.savez(tmp_path / "x.npz", **tensors)
    (tmp_path / "x.safetensors").write_bytes(as_safetensors(tensors))
    for name in ("x.npz", "x.safetensors"):
        for k, weight in enumerate(read(tmp_path / name).network.weights, start=1):
            assert np.array_equal(weight, tensors[f"W{k}"])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["W1", "W3"], "W2 is missing: there is W3"),
        (["W2", "W3"], "W1 is missing: there is W2"),
        (["W1", "b1", "W2"], "b2 is missing"),
        (["W1", "W2", "W4", "W5"], "W3 is missing"),
        (["fc1.weight", "fc3.weight"], "fc2.weight is missing: there is fc3.weight"),
        (["hidden.layer0.weight", "hidden.layer2.weight"], r"hidden.layer1.weight is missing"),
        (["0.weight_v", "0.weight_g"], "0.weight_[gv] is what a weight is computed of, by weight_norm"),
        (["weight_ih_l0"], "weight_ih_l0, of shape .* belongs to no weight matrix"),
    ],
)
def test_a_layer_that_is_missing_is_named(names, message):
    with pytest.raises(Unreadable, match=message):
        of_tensors({name: np.ones((2,) if name[0] == "b" else (2, 2)) for name in names})


@pytest.mark.parametrize(
    "names", [["W0", "W1"], ["conv1.weight", "conv2.weight", "fc3.weight"], ["0.weight", "3.weight", "7.weight"]]
)
def test_what_counts_in_another_way_is_not_missing(names):
    assert of_tensors({name: np.eye(2) for name in names}).network.depth == len(names)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128, np.bool_, np.int8, np.uint8])
def test_weights_are_real_and_not_quantised(kind):
    with pytest.raises(Unreadable, match=r"0\.weight (must hold real numbers|holds .*: quantised)"):
        of_tensors({"0.weight": np.eye(2).astype(kind)})


def test_what_a_state_dict_was_read_as():
    reading = of_tensors({"a.weight": np.eye(2), "b.weight": np.ones((1, 2))})
    assert (reading.words, reading.details, reading.assumed) == ("a chain of ReLU layers", "in the order a, b", True)
    named = of_tensors({"a.weight": np.eye(2), "b.weight": np.ones((1, 2))}, ACTIVATIONS["gelu"])
    assert (named.words, named.assumed) == ("a chain of GELU layers", False)
    x = np.array([[0.5, -2.0]])
    assert_allclose(named.network(x), (x * ndtr(x)).sum(axis=1, keepdims=True))
    assert not of_tensors({"a.weight": np.eye(2), "slope": np.array(0.25)}).assumed
    assert of_tensors({"a.weight": np.eye(2), "activation": np.array("tanh")}).words == "a chain of tanh layers"
    with pytest.raises(Unreadable, match="the file says that the activation is tanh, not GELU"):
        of_tensors({"a.weight": np.eye(2), "activation": np.array("tanh")}, ACTIVATIONS["gelu"])
    with pytest.raises(ValueError, match="activation must be one of relu"):
        read(NETWORKS / "ridge.pt", activation="relo")


def test_batch_norm_is_folded_into_the_layer_before_it():
    rng = np.random.default_rng(0)
    linear, scale, shift, mean = rng.standard_normal((3, 2)), *rng.standard_normal((3, 3))
    variance = rng.random(3) + 0.5
    tensors = {"0.weight": linear, "0.bias": rng.standard_normal(3), "1.weight": scale, "1.bias": shift}
    tensors |= {"1.running_mean": mean, "1.running_var": variance, "1.num_batches_tracked": np.array(7)}
    tensors |= {"3.weight": rng.standard_normal((1, 3)), "3.bias": rng.standard_normal(1)}
    reading = of_tensors(tensors)
    assert "with 1 as BatchNorm before the activation" in reading.details
    x = rng.standard_normal((5, 2))
    hidden = (x @ linear.T + tensors["0.bias"] - mean) / np.sqrt(variance + 1e-5) * scale + shift
    expected = np.maximum(hidden, 0) @ tensors["3.weight"].T + tensors["3.bias"]
    assert_allclose(reading.network(x), expected, rtol=1e-12)


def test_attention_and_layer_norm_are_read_as_layers_alone():
    rng = np.random.default_rng(0)
    attention = {"in_proj_weight": rng.standard_normal((6, 2)), "in_proj_bias": np.zeros(6), "out_proj.weight": np.eye(2)}
    reading = of_tensors(attention)
    assert isinstance(reading.network, LayersAlone)
    assert [layer.name for layer in reading.network.layers] == ["queries", "keys", "values", "out_proj.weight"]
    assert np.array_equal(reading.network.layers[1].weight, attention["in_proj_weight"][2:4])
    norm = of_tensors({"0.weight": np.eye(2), "1.weight": np.ones(2), "1.bias": np.zeros(2), "2.weight": np.eye(2)})
    assert isinstance(norm.network, LayersAlone)
    assert "LayerNorm" in norm.network.reason
    slope = of_tensors({"0.weight": np.ones((3, 2)), "1.weight": np.array([0.25]), "2.weight": np.ones((1, 3))})
    assert "the slope of a PReLU or of a normalisation" in slope.network.reason


def test_points_of_a_table(tmp_path):
    (tmp_path / "p.csv").write_text("x1,x2,y\n1,2,3\n4,5,6\n")
    points = read_points(tmp_path / "p.csv")
    assert np.array_equal(points.inputs, [[1, 2], [4, 5]])
    assert np.array_equal(points.targets, [[3], [6]])
    (tmp_path / "p.csv").write_text("1,2\n4,five\n")
    with pytest.raises(Unreadable, match="row 2 has the entry 'five', which is no number"):
        read_points(tmp_path / "p.csv")


def test_points_that_do_not_fit():
    network = of_tensors(arrays()).network
    with pytest.raises(Unreadable, match=r"takes points of shape \(3,\), got an array of shape \(5, 7\)"):
        fitted(Points(np.ones((5, 7))), network)
    with pytest.raises(Unreadable, match=r"got y of shape \(5, 4\)"):
        fitted(Points(np.ones((5, 3)), np.ones((5, 4))), network)
    with pytest.raises(Unreadable, match="ridge must be a number that is not negative"):
        fitted(Points(np.ones((5, 3)), None, -1.0), network)


def test_images_whose_channels_stand_elsewhere_are_refused():
    network = CircularCNN([np.ones((2, 3, 4, 5))], axes=2)
    fitting = [np.ones((7, 60)), np.ones((7, 3, 4, 5)), np.ones((7, 3, 4, 5, 1))]
    assert all(fitted(Points(x), network).inputs.shape == (7, 3, 4, 5) for x in fitting)
    with pytest.raises(Unreadable, match=r"takes points of shape \(3, 4, 5\), got an array of shape \(7, 4, 5, 3\)"):
        fitted(Points(np.ones((7, 4, 5, 3))), network)
    with pytest.raises(Unreadable, match=r"gives outputs of shape \(2, 4, 5\) for 7 points, got y of shape \(7, 4, 5, 2\)"):
        fitted(Points(np.ones((7, 60)), np.ones((7, 4, 5, 2))), network)


def test_classes_become_unit_vectors_and_drawn_points_say_so():
    network = of_tensors(arrays()).network
    for classes in (np.array([1.0, 0.0]), np.array([[1.0], [0.0]])):
        assert np.array_equal(fitted(Points(np.ones((2, 3)), classes), network).targets, [[0, 1], [1, 0]])
    assert fitted(None, network).drawn
    joined = fitted(Points(np.arange(10.0).reshape(2, 5)), network)
    assert joined.inputs.shape == (2, 3)
    assert np.array_equal(joined.targets, [[3, 4], [8, 9]])


def square(*names, norms=(), width=3):
    rng = np.random.default_rng(0)
    tensors = {f"{name}.weight": rng.standard_normal((width, width)) for name in names}
    for name in norms:
        tensors |= {f"{name}.{key}": rng.random(width) + 0.5 for key in ("weight", "bias", "running_mean", "running_var")}
    return tensors


NAMED_OTHERWISE = {
    "batch norms after all layers": (square("fc1", "fc2", norms=("norm1", "norm2")), "norm1 is BatchNorm"),
    "one after the first of two": (square("conv1", "conv2", norms=("norm1",)), "norm1 is BatchNorm"),
    "two behind one layer": (square("net.0", norms=("net.1", "net.2")), "net.2 is BatchNorm"),
    "averages beside the weights": (square("1", "2", "average.1", "average.2"), "average.1.weight seems to stand beside"),
    "averages of a known name": (square("net.1", "ema.1"), "ema.1.weight seems"),
    "moments of an optimiser": (square("params.fc1", "opt.mu.fc1"), "opt.mu.fc1.weight seems"),
    "an adapter": (square("fc1.base_layer", "fc1.lora_A.default", "fc1.lora_B.default"), "lora_A.default.weight seems"),
    "an average named beside others": (square("net.1", "net_ema.1"), "net_ema.1.weight seems"),
    "an adapter of other names": (square("fc1.lora_down", "fc1.lora_up"), "lora_down.weight seems"),
    "two networks": (square("actor.1", "actor.3", "critic.1", "critic.3"), "actor and critic have layers of the same names"),
    "inputs before outputs": ({"Dense_0.kernel": np.eye(3), "Dense_1.kernel": np.eye(3)}, "inputs x outputs there"),
    "of Keras": ({"dense/kernel:0": np.eye(3), "dense/bias:0": np.ones(3)}, "inputs x outputs there"),
    "weight_norm": ({"0.weight_g": np.ones((3, 1)), "0.weight_v": np.eye(3)}, "is what a weight is computed of"),
    "weight_norm beside LayerNorm": ({"0.weight_v": np.eye(3), "1.weight": np.ones(3), "1.bias": np.ones(3)}, "computed of"),
    "spectral_norm": ({"0.parametrizations.weight.original": np.eye(3)}, "is what a weight is computed of"),
    "a batch norm that an activation may precede": (square("0", "3", norms=("2",)), "2 is BatchNorm"),
    "a batch norm of the next block": (square("block1.fc", norms=("block2.norm",)), "block2.norm is BatchNorm"),
    "digits of another script": ({"W\u0661": np.eye(3), "W\u0662": np.eye(3)}, "belongs to no weight matrix"),
    "letters of another script": (square("\u0441\u043b\u043e\u04391", "\u0441\u043b\u043e\u04393"), "2.weight is missing"),
    "two slopes": (square("fc1") | {"a.slope": np.array(0.1), "b.slope": np.array(0.3)}, "b.slope is another slope"),
    "an activation of a leaky ResNet": (square("1") | {"leak": np.array(1.0), "activation": np.array("tanh")}, "is the ReLU"),
    "a slope of a leaky ResNet": (square("1") | {"leak": np.array(1.0), "slope": np.array(0.3)}, "is the ReLU"),
}


@pytest.mark.parametrize("name", NAMED_OTHERWISE)
def test_what_may_be_read_otherwise_is_refused(name):
    tensors, said = NAMED_OTHERWISE[name]
    with pytest.raises(Unreadable, match=said):
        of_tensors(tensors)


@pytest.mark.parametrize(
    ("layers", "norms"), [(("fc1",), ("bn1",)), (("net.0", "net.3"), ("net.4",)), (("a.fc", "b.fc"), ("b.norm",))]
)
def test_names_tell_where_batch_norms_stand(layers, norms):
    network = of_tensors(square(*layers, norms=norms)).network
    plain = of_tensors(square(*layers)).network
    assert [np.array_equal(*pair) for pair in zip(network.weights, plain.weights, strict=True)][:-1] == [True] * (
        len(layers) - 1
    )
    assert not np.array_equal(network.weights[-1], plain.weights[-1])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,2,\n1,2,3\n", "row 1 has the entry ''"),
        ("1,b\n1,2\n", "row 1 has the entry 'b'"),
        ("0,1,2\n5,6,7\n", "the first row counts the columns"),
        (",a,y\n0,5,7\n", "column 1 has no name"),
    ],
)
def test_a_row_with_a_number_is_no_header(tmp_path, rows, said):
    (tmp_path / "points.csv").write_text(rows)
    with pytest.raises(Unreadable, match=said):
        read_points(tmp_path / "points.csv")


def test_no_outputs_are_refused(tmp_path):
    np.savez(tmp_path / "points.npz", x=np.ones((3, 2)), y=np.zeros(0))
    with pytest.raises(Unreadable, match=r"y must have as many entries as x has points"):
        read_points(tmp_path / "points.npz")
