"""Random ONNX models, right and slightly wrong, and what onnxruntime makes of them beside our reading."""

import re

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from verify.trained.checking import outputs_of
from verify.trained.files import Unreadable
from verify.trained.reading import read
from verify.trained.traced import LayersAlone

onnxruntime.set_default_logger_severity(4)
ACTIVATIONS = [
    "Relu",
    "Relu",
    "Relu",
    "LeakyRelu",
    "Tanh",
    "Sigmoid",
    "Elu",
    "Softplus",
    "Erf",
    "Clip",
    "PRelu",
    "Gelu",
    "Selu",
]


class Maker:
    """A graph that grows; `shape` is what the last value should have, without the axis of the points."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes, self.constants = [], []
        self.opset = int(rng.choice([11, 13, 13, 17, 18, 19, 20, 21, 22]))
        self.kind = np.float64 if rng.random() < 0.06 else np.float32
        self.batch = rng.choice(["N", "N", "N", 1, 5])
        axes = int(rng.choice([0, 0, 0, 1, 1, 2, 2]))
        lengths = [int(rng.integers(2, 7)) for _ in range(axes)]
        self.shape = self.input = [int(rng.integers(1, 5)), *lengths]
        self.last = "x"

    def chance(self, p):
        return self.rng.random() < p

    def constant(self, values, kind=None):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype=kind or self.kind), name))
        return name

    def normal(self, *shape):
        return self.constant(self.rng.standard_normal(shape))

    def node(self, operator, *inputs, **attributes):
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, [self.last, *inputs], [result], **attributes))
        self.last = result

    def step(self):
        rng, shape = self.rng, self.shape
        kinds = ["activation", "activation", "arithmetic", "residual", "norm", "move", "gate"]
        kinds += ["dense"] * 4 if len(shape) == 1 else ["conv", "conv", "conv", "pool", "pad", "flatten", "circular", "matmul"]
        getattr(self, str(rng.choice(kinds)))()

    def dense(self):
        inside, outside = self.shape[0], int(self.rng.integers(1, 5))
        inside += int(self.chance(0.02))
        if self.chance(0.5):
            turned = int(self.chance(0.6))
            weight = self.normal(outside, inside) if turned else self.normal(inside, outside)
            shapes = [(outside,), (outside,), (1, outside), (1,), (), (outside, 1), (2, outside), (outside, outside)]
            bias = [self.normal(*shapes[int(self.rng.choice(8, p=[0.4, 0.3, 0.1, 0.05, 0.05, 0.04, 0.03, 0.03]))])]
            attributes = {"transB": turned}
            if self.chance(0.2):
                attributes |= {"alpha": 0.5, "beta": 2.0}
            if self.chance(0.02):
                attributes["transA"] = 1
            self.node("Gemm", weight, *(bias if self.chance(0.8) else []), **attributes)
        else:
            self.node("MatMul", self.normal(*((inside, outside) if self.chance(0.97) else (inside,))))
        self.shape = [outside]

    def matmul(self):
        outside = int(self.rng.integers(1, 5))
        self.node("MatMul", self.normal(self.shape[-1], outside))
        self.shape = [*self.shape[:-1], outside]

    def window(self, lengths):
        axes = len(lengths)
        attributes = {}
        if self.chance(0.5):
            attributes["strides"] = [int(self.rng.integers(1, 3)) for _ in range(axes)]
        if self.chance(0.15):
            attributes["dilations"] = [int(self.rng.integers(1, 3)) for _ in range(axes)]
        if self.chance(0.6):
            attributes["pads"] = [int(self.rng.integers(0, 3)) for _ in range(2 * axes)]
        if self.chance(0.12):
            attributes["auto_pad"] = str(self.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"]))
        return attributes

    def after(self, lengths, attributes, channels):
        """Shape after a window; what is wrong here is left to the readers."""
        image = self.shape[1:]
        auto = attributes.get("auto_pad", "NOTSET")
        found = []
        for k, (length, size) in enumerate(zip(image, lengths, strict=True)):
            stride, gap = attributes.get("strides", [1] * 9)[k], attributes.get("dilations", [1] * 9)[k]
            pads = attributes.get("pads", [0] * 9)
            around = 0 if auto == "VALID" else pads[k] + pads[k + len(image)] if "pads" in attributes else 0
            room = length + around - gap * (size - 1) - 1
            found.append(-(-length // stride) if auto.startswith("SAME") else room // stride + 1)
        self.shape = [channels, *(max(one, 1) for one in found)]

    def conv(self):
        lengths = [int(self.rng.integers(1, 4)) for _ in self.shape[1:]]
        outputs, inputs = int(self.rng.integers(1, 4)), self.shape[0] + int(self.chance(0.02))
        attributes = self.window(lengths)
        if self.chance(0.15):
            attributes["group"], outputs, inputs = self.shape[0], self.shape[0] * outputs, 1
        bias = [self.normal(outputs + int(self.chance(0.02)))] if self.chance(0.6) else []
        self.node("Conv", self.normal(outputs, inputs, *lengths), *bias, **attributes)
        self.after(lengths, attributes, outputs)

    def circular(self):
        size = 3
        pads = [0, 0, *[1] * (len(self.shape) - 1)] * 2
        modes = ["wrap"] if self.opset >= 19 else ["reflect", "edge"]
        self.node("Pad", self.constant(pads, np.int64), mode=str(self.rng.choice([*modes, "constant"])))
        outputs = int(self.rng.integers(1, 4))
        self.node("Conv", self.normal(outputs, self.shape[0], *[size] * (len(self.shape) - 1)))
        self.shape = [outputs, *self.shape[1:]]

    def pool(self):
        which = str(self.rng.choice(["AveragePool", "MaxPool", "GlobalAveragePool", "GlobalMaxPool", "ReduceMean"]))
        if which.startswith("Global"):
            self.node(which)
            self.shape = [self.shape[0], *[1] * (len(self.shape) - 1)]
        elif which == "ReduceMean":
            axes = list(range(2, len(self.shape) + 1)) if self.chance(0.8) else [1]
            keep = int(self.chance(0.5))
            if self.opset >= 18:
                self.node(which, self.constant(axes, np.int64), keepdims=keep)
            else:
                self.node(which, axes=axes, keepdims=keep)
            kept = [1 if k + 1 in axes else length for k, length in enumerate(self.shape)]
            self.shape = kept if keep else [length for k, length in enumerate(self.shape) if k + 1 not in axes]
        else:
            lengths = [int(self.rng.integers(1, 4)) for _ in self.shape[1:]]
            attributes = self.window(lengths) | {"kernel_shape": lengths}
            if self.opset < 19 and which == "AveragePool":
                attributes.pop("dilations", None)
            if which == "AveragePool" and self.chance(0.5):
                attributes["count_include_pad"] = 1
            if self.chance(0.1):
                attributes["ceil_mode"] = 1
            self.node(which, **attributes)
            self.after(lengths, attributes, self.shape[0])

    def pad(self):
        rank = len(self.shape) + 1
        pads = [int(self.rng.integers(0, 3)) if k % rank > 1 else 0 for k in range(2 * rank)]
        value = [self.constant(0.0 if self.chance(0.7) else 1.0)] if self.chance(0.5) else []
        self.node("Pad", self.constant(pads, np.int64), *value)
        self.shape = [length + pads[k + 1] + pads[k + 1 + rank] for k, length in enumerate(self.shape)]

    def flatten(self):
        kind = int(self.rng.integers(4))
        size = int(np.prod(self.shape))
        if kind == 0:
            self.node("Flatten", axis=int(self.rng.choice([1, 1, 1, -1, 0, 2])))
        elif kind == 1:
            self.node("Reshape", self.constant([0, -1] if self.chance(0.7) else [-1, size], np.int64))
        elif kind == 2:
            self.node("Reshape", self.constant([1, -1] if self.chance(0.1) else [-1, size], np.int64))
        else:
            self.node("Flatten")
        self.shape = [size]

    def activation(self):
        which = str(self.rng.choice(ACTIVATIONS))
        if which == "Gelu" and self.opset < 20:
            which = "Relu"
        if which == "LeakyRelu" or (which == "Elu" and self.chance(0.5)):
            self.node(which, alpha=float(self.rng.choice([0.25, 0.1, -0.5, 2.0])))
        elif which == "Clip":
            self.node(
                which, self.constant(0.0 if self.chance(0.5) else -1.0), *([self.constant(6.0)] if self.chance(0.5) else [])
            )
        elif which == "PRelu":
            self.node(which, self.normal(*([1] if self.chance(0.6) else [self.shape[0], *[1] * (len(self.shape) - 1)])))
        elif which == "Gelu":
            self.node(which, approximate=str(self.rng.choice(["none", "tanh"])))
        else:
            self.node(which)

    def arithmetic(self):
        operator = str(self.rng.choice(["Add", "Sub", "Mul", "Div"]))
        shape, rank = self.shape, len(self.shape)
        shapes = [(), (1,), shape, [1, *shape], [shape[0], *[1] * (rank - 1)], shape[-1:], [*shape[:-1], 1], [5, *[1] * rank]]
        shapes += [[3, *shape], [1, 1, *shape], [shape[-1] + 1]]
        weights = np.array([3, 3, 3, 3, 3, 2, 1, 0.2, 0.2, 0.2, 0.2])
        name = self.normal(*shapes[int(self.rng.choice(len(shapes), p=weights / weights.sum()))])
        if self.chance(0.15):
            self.nodes.append(helper.make_node(operator, [name, self.last], [f"v{len(self.nodes)}"]))
            self.last = f"v{len(self.nodes) - 1}"
        else:
            self.node(operator, name)

    def residual(self):
        before = self.last
        for _ in range(int(self.rng.integers(1, 3))):
            self.activation()
        self.node(str(self.rng.choice(["Add", "Sub"])), before)

    def gate(self):
        before = self.last
        self.node("Sigmoid")
        self.node("Mul", before)

    def norm(self):
        channels = self.shape[0]
        arrays = [self.normal(channels) for _ in range(3)]
        variance = self.constant(self.rng.random(channels) + 0.1)
        self.node("BatchNormalization", *arrays, variance, epsilon=float(self.rng.choice([1e-5, 0.5])))

    def move(self):
        kind = int(self.rng.integers(7))
        rank = len(self.shape) + 1
        if kind == 0:
            self.node("Identity")
        elif kind == 1:
            self.node("Dropout")
        elif kind == 2 and rank > 2:
            order = [0, *(1 + self.rng.permutation(rank - 1))] if self.chance(0.9) else list(self.rng.permutation(rank))
            self.node("Transpose", perm=[int(one) for one in order])
            self.shape = [self.shape[k - 1] if k else 1 for k in order[1:]]
        elif kind == 3 and self.opset >= 13:
            place = int(self.rng.integers(1, rank + 1))
            self.node("Unsqueeze", self.constant([place], np.int64))
            self.shape = [*self.shape[: place - 1], 1, *self.shape[place - 1 :]]
        elif kind == 4 and rank > 2 and 1 in self.shape and self.opset >= 13:
            place = self.shape.index(1) + 1
            self.node("Squeeze", self.constant([place], np.int64))
            self.shape = [length for k, length in enumerate(self.shape) if k + 1 != place]
        elif kind == 5:
            axis = int(self.rng.integers(1, rank)) if self.chance(0.95) else 0
            end = int(self.rng.integers(1, 6))
            self.node("Slice", *(self.constant(one, np.int64) for one in ([0], [end], [axis])))
            if axis:
                self.shape = [min(length, end) if k + 1 == axis else length for k, length in enumerate(self.shape)]
        elif self.chance(0.3):
            self.node("Cast", to=int(self.rng.choice([TensorProto.FLOAT, TensorProto.INT64, TensorProto.DOUBLE])))

    def model(self):
        for place in range(int(self.rng.integers(2, 8))):
            if place == 1:
                self.dense() if len(self.shape) == 1 else self.conv()
            else:
                self.step()
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(self.kind))
        ends = [helper.make_tensor_value_info("x", kind, [self.batch, *self.input])]
        result = helper.make_tensor_value_info(self.last, kind, [None] * (len(self.shape) + 1))
        graph = helper.make_graph(self.nodes, "g", ends, [result], initializer=self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=int(self.rng.choice([7, 8, 9, 10])))


def random_model(seed):
    """A model, and how many points it takes at once."""
    maker = Maker(np.random.default_rng(seed))
    model = maker.model()
    count = 4 if maker.batch == "N" else int(maker.batch)
    return model, np.random.default_rng(seed + 10**6).standard_normal((count, *maker.input)).astype(maker.kind)


def compared_with_onnxruntime(seed, folder):
    """What becomes of one random model: "read", "layers alone", "refused", or what is wrong with the reading."""
    model, x = random_model(seed)
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    try:
        network = read(path).network
    except Unreadable as error:
        return f"refused: {error}"
    if isinstance(network, LayersAlone):
        # nothing is said of what it computes
        return "layers alone"
    try:
        session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
        expected = session.run(None, {"x": x})[0]
    except Exception as error:
        return f"WRONG: accepted, onnxruntime refuses it ({re.sub(r'.onnxruntime_src.', '', str(error))[:160]})"
    found = outputs_of(network, x.astype(np.float64))
    if found.shape != expected.shape:
        return f"WRONG: shape {found.shape} for {expected.shape}"
    # both are sums of a few hundred products of numbers that may grow by a factor of ten with every layer
    scale = max(1.0, float(np.abs(expected).max()))
    if not np.abs(found - expected).max() <= 2e-4 * scale:
        return f"WRONG: values differ by {np.abs(found - expected).max():.3g} of {scale:.3g}"
    return "read"
