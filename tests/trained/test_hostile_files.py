"""Files made to be read wrongly, or not to end: one sentence each, soon, and without their numbers in memory."""

import gc
import io
import json
import os
import pickle
import resource
import struct
import subprocess
import sys
import time
import zipfile
import zlib

import numpy as np
import pytest
from machine_speed import patient
from onnx import TensorProto, helper, numpy_helper
from typer.testing import CliRunner

from verify.cli import app
from verify.trained.files import Unreadable, check_names
from verify.trained.measurement import measured_reading
from verify.trained.points import read_points
from verify.trained.reading import read

FILES = {}
"""How to write each file, by its name; the ending says what it should be."""


def hostile(name):
    def known(write):
        FILES[name] = write
        return write

    return known


def array_of(shape, descr="<f8", order=False, data=b""):
    header = f"{{'descr': {descr!r}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def archive(members, compression=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, data in members:
            made.writestr(name, data)
    return stream.getvalue()


def simple(shape=(2, 2)):
    return array_of(shape, data=bytes(8 * int(np.prod(shape))))


def with_sizes(data, size):
    """An archive of one member whose directory states another size when unpacked."""
    changed = bytearray(data)
    place = data.rfind(b"PK\x01\x02")
    changed[place + 24 : place + 28] = struct.pack("<I", size)
    return bytes(changed)


def safetensors_of(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(shape=(2, 2), begin=0, end=32, dtype="F64"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def bomb(path, unpacked=12 * 2**30):
    """10 MB that unpack to 12 GB of zeros: the compressed stream of a part is written many times."""
    part = 2**24
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = packer.compress(bytes(part)) + packer.flush(zlib.Z_FULL_FLUSH)
    repeated = packer.compress(bytes(part)) + packer.flush(zlib.Z_FULL_FLUSH)
    stream = start + repeated * (unpacked // part - 2) + packer.compress(bytes(part)) + packer.flush()
    name = b"W1.npy"
    small = min(unpacked, 2**32 - 1)
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(stream), small, len(name), 0) + name
    central = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(stream), small, len(name), 0, 0, 0, 0, 0, 0)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(central) + len(name), len(local) + len(stream), 0)
    path.write_bytes(local + stream + central + name + end)


for ending in ("npz", "safetensors", "pt", "pth", "onnx"):
    hostile(f"empty.{ending}")(lambda path: path.write_bytes(b""))
    hostile(f"text.{ending}")(lambda path: path.write_text("W1 = [[1, 2], [3, 4]]\n"))
    hostile(f"pipe.{ending}")(os.mkfifo)
    hostile(f"folder.{ending}")(lambda path: path.mkdir())
    hostile(f"endless.{ending}")(lambda path: path.symlink_to("/dev/zero"))
    hostile(f"noise.{ending}")(lambda path: path.write_bytes(np.random.default_rng(0).bytes(100_000)))
    hostile(f"sparse.{ending}")(lambda path: (path.write_bytes(b"PK\x03\x04"), os.truncate(path, 2**34)))
    hostile(f"zeros.{ending}")(lambda path: (path.write_bytes(b""), os.truncate(path, 2**27)))
for ending in ("npz", "pt"):
    hostile(f"bomb.{ending}")(bomb)
    hostile(f"bomb_that_lies.{ending}")(lambda path: (bomb(path), path.write_bytes(with_sizes(path.read_bytes(), 128)))[0])
    hostile(f"nested.{ending}")(lambda path: path.write_bytes(archive([("a.npz", archive([("W1.npy", simple())]))])))
    hostile(f"begun.{ending}")(lambda path: path.write_bytes(archive([("W1.npy", simple())])[:60]))
    hostile(f"no_end.{ending}")(lambda path: path.write_bytes(archive([("W1.npy", simple())])[:-30]))
    hostile(f"no_first_part.{ending}")(lambda path: path.write_bytes(b"PK\x03\x04" + archive([("W1.npy", simple())])[20:]))
    hostile(f"no_members.{ending}")(lambda path: path.write_bytes(archive([])))
    hostile(f"many.{ending}")(lambda path: path.write_bytes(archive([(f"{k:08}" * 4, b"") for k in range(60_000)])))

    @hostile(f"large_directory.{ending}")
    def _(path):
        """The directory is said to be large in the record for large archives, which counts."""
        data = archive([("W1.npy", simple())])
        place = data.rfind(b"PK\x05\x06")
        large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 2**40, 0)
        locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1)
        path.write_bytes(data[:place] + large + locator + data[place:])

    @hostile(f"encrypted.{ending}")
    def _(path):
        data = bytearray(archive([("W1.npy", simple())]))
        for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.find(magic) + place] |= 1
        path.write_bytes(bytes(data))

    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        hostile(f"method{method}.{ending}")(lambda path, m=method: path.write_bytes(archive([("W1.npy", simple())], m)))

    @hostile(f"two_of_one_name.{ending}")
    def _(path):
        data = archive([("W1.npy", simple()), ("W2.npy", simple())])
        path.write_bytes(data.replace(b"W2.npy", b"W1.npy"))

    @hostile(f"damaged.{ending}")
    def _(path):
        data = bytearray(archive([("W1.npy", simple((20, 20)))]))
        data[600] ^= 255
        path.write_bytes(bytes(data))

    @hostile(f"last_twice.{ending}")
    def _(path):
        data = archive([(f"{k:08}", b"") for k in range(4000)])
        path.write_bytes(data.replace(b"00003998", b"00003999"))

    @hostile(f"zeros_packed.{ending}")
    def _(path):
        path.write_bytes(archive([("W1.npy", simple((2**22, 1)))], zipfile.ZIP_DEFLATED))


hostile("one_by_one.npz")(lambda path: path.write_bytes(archive([(f"W{k}.npy", simple((1, 1))) for k in range(40_000)])))
hostile("lines.npz")(lambda path: path.write_bytes(archive([("W1\n\x1b[2J.npy", simple())])))
hostile("digits.npz")(lambda path: path.write_bytes(archive([(f"W{'1' * 5000}.npy", simple())])))
HEADERS = {
    "million_squared": array_of((10**6, 10**6), data=bytes(64)),
    "million_squared_of_bytes": array_of((10**6, 10**6), "|u1", data=bytes(64)),
    "negative": array_of((-1, 8), data=bytes(64)),
    "beyond_64_bits": array_of((2**40, 2**40), data=bytes(64)),
    "none_of_a_million": array_of((0, 10**15)),
    "objects": array_of((1,), "|O", data=pickle.dumps([1])),
    "long_text": array_of((1,), "<U1000000000", data=bytes(64)),
    "fields": array_of((1,), [("a", "<f8")], data=bytes(8)),
    "complex": array_of((2, 2), "<c16", data=bytes(64)),
    "short": array_of((2, 2), data=bytes(24)),
    "long": array_of((2, 2), data=bytes(40)),
    "parentheses": b"\x93NUMPY\x01\x00" + struct.pack("<H", 9000) + b"(" * 9000,
    "calls": b"\x93NUMPY\x01\x00" + struct.pack("<H", 30) + b"__import__('os').system('id')\n",
    "version_9": b"\x93NUMPY\x09\x00" + struct.pack("<H", 4) + b"{}  ",
    "version_3": b"\x93NUMPY\x03\x00" + struct.pack("<I", 2**31) + b"{}",
    "long_header": b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + b"{}",
    "not_a_number": array_of((2, 2), data=np.full(4, np.nan).tobytes()),
    "no_array": b"PK\x03\x04",
}
for key, data in HEADERS.items():
    hostile(f"{key}.npz")(lambda path, d=data: path.write_bytes(archive([("W1.npy", d)])))

JSON_HEADERS = {
    "long_header": struct.pack("<Q", 2**62) + b"{}",
    "deep": safetensors_of(b"[" * 100_000),
    "list": safetensors_of([1, 2]),
    "million_squared": safetensors_of({"0.weight": entry((10**6, 10**6))}, bytes(32)),
    "negative": safetensors_of({"0.weight": entry((-2, -2))}, bytes(32)),
    "text": safetensors_of({"0.weight": entry(("2", "2"))}, bytes(32)),
    "truth": safetensors_of({"0.weight": entry((True, 4))}, bytes(32)),
    "overlap": safetensors_of({"0.weight": entry(), "2.weight": entry()}, bytes(32)),
    "hole": safetensors_of({"0.weight": entry(), "2.weight": entry((2, 2), 64, 96)}, bytes(96)),
    "behind": safetensors_of({"0.weight": entry((2, 2), 32, 64)}, bytes(32)),
    "more": safetensors_of({"0.weight": entry()}, bytes(64)),
    "twins": safetensors_of(b'{"0.weight": %b, "0.weight": %b}' % ((json.dumps(entry()).encode(),) * 2), bytes(32)),
    "unknown_type": safetensors_of({"0.weight": entry(dtype="F8_E4M3")}, bytes(32)),
    "complex": safetensors_of({"0.weight": entry((2, 1), dtype="C64")}, bytes(16)),
    "no_dtype": safetensors_of({"0.weight": {"shape": [2, 2]}}, bytes(32)),
    "digits": safetensors_of(
        b'{"0.weight": {"dtype": "F64", "shape": [%b], "data_offsets": [0, 8]}}' % (b"9" * 10_000), bytes(8)
    ),
    "one_by_one": safetensors_of({f"{k}.weight": entry((1, 1), 8 * k, 8 * k + 8) for k in range(30_000)}, bytes(240_000)),
    "long_name": safetensors_of({"w" * 10**6 + ".weight": entry()}, bytes(32)),
    "lines": safetensors_of({"0\n\x1b[2J.weight": entry()}, bytes(32)),
    "nothing_of_many": safetensors_of({f"{k}.weight": entry((0, 2), 0, 0) for k in range(20_000)}),
}
for key, data in JSON_HEADERS.items():
    hostile(f"{key}.safetensors")(lambda path, d=data: path.write_bytes(d))


class Runs:
    """What runs a command when it is unpickled."""

    def __reduce__(self):
        return os.system, ("touch it_ran",)


def torch_archive(content, members=()):
    return archive([("a/data.pkl", content), ("a/byteorder", b"little"), *((f"a/{name}", data) for name, data in members)])


def loop():
    found = {}
    found["a"] = found
    return pickle.dumps(found, 2)


def doubled():
    """As many paths as 2 to the power 60."""
    found = {}
    for _ in range(60):
        found = {"a": found, "b": found}
    return pickle.dumps(found, 2)


def tensor_pickle(size, stride, offset=0, kind=b"FloatStorage", key=b"0", numel=4, bits=b""):
    """What torch.save writes for {"0.weight": tensor}, by hand."""

    def number(value):
        return b"J" + struct.pack("<i", value) if abs(value) < 2**31 else b"\x8a\x09" + value.to_bytes(9, "little", signed=True)

    def text(value):
        return b"X" + struct.pack("<I", len(value)) + value

    storage = b"(" + text(b"storage") + b"ctorch\n" + kind + b"\n" + text(key) + text(b"cpu") + number(numel) + b"tQ"
    numbers = b"(" + b"".join(map(number, size)) + b"t(" + b"".join(map(number, stride)) + b"t"
    hooks = b"ccollections\nOrderedDict\n)R"
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + numbers + b"\x89" + hooks + bits + b"tR"
    return b"\x80\x02}" + text(b"0.weight") + tensor + b"s."


PICKLES = {
    "runs": torch_archive(pickle.dumps({"0.weight": Runs()})),
    "runs_alone": torch_archive(b"cos\nsystem\n(S'touch it_ran'\ntR."),
    "loop": torch_archive(loop()),
    "doubled": torch_archive(doubled()),
    "memo": torch_archive(b"\x80\x02}r\xff\xff\xff\x7f."),
    "long_bytes": torch_archive(b"\x80\x05\x96" + struct.pack("<Q", 2**40) + b"."),
    "long_integer": torch_archive(b"\x80\x02\x8b" + struct.pack("<i", 2**31 - 1) + b"."),
    "no_stop": torch_archive(b"\x80\x02}"),
    "deep": torch_archive(b"\x80\x02" + b"]" * 50_000 + b"a" * 49_999 + b"."),
    "nothing": torch_archive(pickle.dumps({}, 2)),
    "text_alone": torch_archive(pickle.dumps("W1", 2)),
    "expanded": torch_archive(tensor_pickle((10**6, 10**6), (0, 0)), [("data/0", bytes(16))]),
    "expanded_to_the_most": torch_archive(tensor_pickle((2**24, 2), (0, 0)), [("data/0", bytes(16))]),
    "beyond": torch_archive(tensor_pickle((2, 2), (2, 1), offset=3), [("data/0", bytes(16))]),
    "backwards": torch_archive(tensor_pickle((2, 2), (-2, 1)), [("data/0", bytes(16))]),
    "unequal": torch_archive(tensor_pickle((2, 2), (1,)), [("data/0", bytes(16))]),
    "no_numbers": torch_archive(tensor_pickle((2, 2), (2, 1))),
    "elsewhere": torch_archive(tensor_pickle((2, 2), (2, 1), key=b"../../../etc/passwd"), [("data/0", bytes(16))]),
    "complex": torch_archive(tensor_pickle((2, 2), (2, 1), kind=b"ComplexFloatStorage"), [("data/0", bytes(32))]),
    "quantised": torch_archive(tensor_pickle((2, 2), (2, 1), kind=b"QInt8Storage"), [("data/0", bytes(16))]),
    "negative_view": torch_archive(tensor_pickle((2, 2), (2, 1), bits=b"}X\x03\x00\x00\x00neg\x88s"), [("data/0", bytes(16))]),
    "no_order": archive([("a/data.pkl", tensor_pickle((2, 2), (2, 1))), ("a/byteorder", b"middle"), ("a/data/0", bytes(16))]),
    "script": archive([("a/constants.pkl", b""), ("a/code/x.py", b""), ("a/data.pkl", pickle.dumps({}, 2))]),
    "old": pickle.dumps(119547037146038801333356, 2) + pickle.dumps(1001, 2),
}
for key, data in PICKLES.items():
    hostile(f"{key}.pt")(lambda path, d=data: path.write_bytes(d))


def model(nodes, tensors=(), shape=("N", 2)):
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape)) for name in ("x", "y")]
    made = helper.make_graph(nodes, "g", ends[:1], ends[1:], initializer=list(tensors))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def dims_only(*dims, where=None):
    tensor = TensorProto(name="W", data_type=TensorProto.FLOAT, dims=dims)
    if where is not None:
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=where)
    return tensor


MULTIPLIES = [helper.make_node("MatMul", ["x", "W"], ["y"])]
MODELS = {
    "million_squared": model(MULTIPLIES, [dims_only(10**6, 10**6)]),
    "negative": model(MULTIPLIES, [dims_only(-2, 2)]),
    "no_numbers": model(MULTIPLIES, [dims_only(2, 2)]),
    "elsewhere": model(MULTIPLIES, [dims_only(2, 2, where="../../../../../../etc/passwd")]),
    "absolute": model(MULTIPLIES, [dims_only(2, 2, where="/etc/passwd")]),
    "endless_numbers": model(MULTIPLIES, [dims_only(2, 2, where="endless.npz")]),
    "piped_numbers": model(MULTIPLIES, [dims_only(2, 2, where="pipe.npz")]),
    "no_numbers_there": model(MULTIPLIES, [dims_only(2, 2, where="is_not_there")]),
    "large_input": model([helper.make_node("Relu", ["x"], ["y"])], (), ("N", 2**40, 2**40)),
    "circle": model([helper.make_node("Relu", ["y"], ["y"])]),
    "undefined": model([helper.make_node("Relu", ["z"], ["y"])]),
    "no_nodes": model([]),
    "very_long_chain": model([helper.make_node("Relu", ["x" if k == 0 else f"v{k}"], [f"v{k + 1}"]) for k in range(20_000)]),
    "lines": model([helper.make_node("MatMul", ["x", "W\n\x1b[2J"], ["y"])], [TensorProto(name="W\n\x1b[2J", data_type=1)]),
    "long_chain": model([helper.make_node("Relu", ["x" if k == 0 else f"v{k}"], [f"v{k + 1}"]) for k in range(3000)]),
    "wide_constant": model(
        [
            helper.make_node("Constant", [], ["s"], value_ints=[10**6, 10**6]),
            helper.make_node("ConstantOfShape", ["s"], ["W"]),
            *MULTIPLIES,
        ]
    ),
}
COLUMN, ROW = (
    helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.ones(shape, dtype=np.float32)))
    for name, shape in (("a", (10**4, 1)), ("b", (1, 10**4)))
)
MODELS |= {
    # the inference of shapes of onnx 1.23 ends the process at this one
    "ends_the_process": helper.make_model(
        helper.make_graph(
            [
                helper.make_node("ReduceMean", ["x"], ["m"], axes=[2, 3], keepdims=1),
                helper.make_node("Conv", ["m", "W"], ["c"]),
                helper.make_node("Slice", ["c", "zero", "one", "three"], ["y"]),
            ],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 2, 3, 3])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * 4)],
            initializer=[
                numpy_helper.from_array(np.ones((2, 2, 2, 3), dtype=np.float32), "W"),
                *(numpy_helper.from_array(np.array([k]), name) for k, name in ((0, "zero"), (1, "one"), (3, "three"))),
            ],
        ),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    ),
    "outer_product": model([COLUMN, ROW, helper.make_node("Mul", ["a", "b"], ["W"]), *MULTIPLIES]),
    "doubled": model(
        [
            COLUMN,
            *(
                helper.make_node("Concat", [v, v], [f"d{k}"], axis=1)
                for k, v in enumerate(["a", *(f"d{j}" for j in range(39))])
            ),
            helper.make_node("MatMul", ["x", "d39"], ["y"]),
        ]
    ),
    "many_points": model(MULTIPLIES, [numpy_helper.from_array(np.eye(2, dtype=np.float32), "W")], (10**9, 2)),
}
for key, made in MODELS.items():
    hostile(f"{key}.onnx")(lambda path, m=made: path.write_bytes(m.SerializeToString()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("hostile")
    for name, write in FILES.items():
        write(where / name)
    return where


def test_they_are_many():
    assert len(FILES) >= 100


@pytest.fixture(scope="module")
def _what_others_left_is_not_collected():
    """Reading makes objects, and the collector would walk all those of the tests before."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_what_others_left_is_not_collected")
@pytest.mark.parametrize("name", FILES)
def test_one_sentence_within_a_second(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.thread_time()
    with pytest.raises((Unreadable, OSError)) as caught:
        read(folder / name)
    assert time.thread_time() - start < patient(1)
    # in KiB: the largest that the process ever had grows by no more than what is read at once
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024
    assert "\n" not in str(caught.value)
    assert not (folder / "it_ran").exists()


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(Unreadable, match=r"characters that can be printed, got b'W.xff'"):
        check_names([b"W\xff"])


@pytest.mark.parametrize("name", ["pipe.npz", "bomb.npz", "endless.onnx", "runs.pt", "deep.safetensors"])
def test_the_command_ends_with_status_2(name, folder):
    result = CliRunner().invoke(app, ["measure", str(folder / name)])
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_memory_of_a_process_is_bounded(folder):
    """With 500 MB of memory a bomb is refused in a sentence: it is not unpacked to see how large it is."""
    code = (
        "import resource, pathlib, sys; from verify.trained.reading import read\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (500 * 2**20,) * 2)\n"
        "try: read(pathlib.Path(sys.argv[1])).network\n"
        "except ValueError as error: print(error)"
    )
    for name in ("bomb.npz", "bomb_that_lies.npz", "million_squared.npz", "expanded.pt"):
        found = subprocess.run([sys.executable, "-c", code, folder / name], capture_output=True, text=True, check=True)
        assert len(found.stdout.splitlines()) == 1


ONES = {"W1": np.ones((3, 2)), "W2": np.ones((1, 3))}
SIZES = {
    "large weights": ({"W1": np.full((3, 2), 1e308), "W2": np.ones((1, 3))}, {"x": np.ones((3, 2))}),
    "a large norm": ({"W1": np.full((3, 2), 1e-200), "W2": np.full((1, 3), 1e200)}, {"x": np.ones((3, 2))}),
    "large inside": ({f"W{k}": np.full((2, 2), 1e29 * (k > 1)) for k in range(1, 14)}, {"x": np.ones((3, 2))}),
    "large points": (ONES, {"x": np.full((3, 2), 1e300)}),
    "large targets": (ONES, {"x": np.ones((3, 2)), "y": np.full(3, 1e300)}),
    "a number for points": (ONES, {"x": 1.0}),
    "a number for targets": (ONES, {"x": np.ones((3, 2)), "y": 1.0}),
    "two ridges": (ONES, {"x": np.ones((3, 2)), "ridge": np.ones(2)}),
    "a ridge in words": (ONES, {"x": np.ones((3, 2)), "ridge": "small"}),
    "a complex ridge": (ONES, {"x": np.ones((3, 2)), "ridge": 1j}),
    "no points": (ONES, {"x": np.ones((0, 2))}),
}


@pytest.mark.parametrize("name", SIZES)
def test_numbers_that_cannot_be_measured_are_told_in_a_sentence(name, tmp_path):
    for file, arrays in zip(("network.npz", "points.npz"), SIZES[name], strict=True):
        np.savez(tmp_path / file, **arrays)
    with pytest.raises(Unreadable) as caught:
        measured_reading(tmp_path / "network.npz", tmp_path / "points.npz")
    assert "\n" not in str(caught.value)


def test_norms_of_many_layers_may_be_large(tmp_path):
    rng = np.random.default_rng(0)
    weights = {f"W{k}": rng.standard_normal((30, 30)) * np.sqrt(2 / 30) for k in range(1, 202)}
    np.savez(tmp_path / "deep.npz", **weights)
    found, _ = measured_reading(tmp_path / "deep.npz")
    assert np.prod([np.linalg.norm(one) for one in weights.values()]) > 1e150
    assert found.network.depth == 201


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".npz")])
def test_points_are_read_with_the_same_care(name, folder):
    with pytest.raises((Unreadable, OSError)) as caught:
        read_points(folder / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["pipe.csv", "endless.csv", "sparse.csv", "zeros.csv", "wide.csv"])
def test_tables_are_read_with_the_same_care(name, tmp_path):
    path = tmp_path / name
    write = {
        "pipe.csv": os.mkfifo,
        "endless.csv": lambda path: path.symlink_to("/dev/zero"),
        "sparse.csv": lambda path: (path.write_bytes(b""), os.truncate(path, 2**34)),
        "zeros.csv": lambda path: (path.write_bytes(b""), os.truncate(path, 2**20)),
        "wide.csv": lambda path: path.write_text("1" * 200_000 + ",2\n"),
    }
    write[name](path)
    start = time.thread_time()
    with pytest.raises(Unreadable) as caught:
        read_points(path)
    assert time.thread_time() - start < patient(1)
    assert len(str(caught.value)) < 400
