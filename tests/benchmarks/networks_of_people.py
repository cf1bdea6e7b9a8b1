"""Trains networks of the kinds that people have, saves each in every format, and compares what is measured with PyTorch.

    python tests/benchmarks/networks_of_people.py [--claims] [--write]

It needs torch and safetensors. What is read must give the outputs, the squared norm, the Jacobians and the mean squared error
that PyTorch computes by itself, or be refused, or ask; `--claims` also asks all claims, of which none may be a false alarm.
`--write` writes the small files of tests/data/people, which the tests read without PyTorch.
"""

from __future__ import annotations

import argparse
import copy
import json
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from verify.claims.catalogue import catalogue
from verify.trained.checking import mean_squared_error, outputs_of
from verify.trained.files import Unreadable
from verify.trained.measurement import measured, measured_reading
from verify.trained.modules import Value, _calls_of
from verify.trained.points import Points
from verify.trained.traced import LayersAlone

HERE = Path(__file__).parents[1] / "data" / "people"
RIDGE = 1e-3
DOUBLE, SINGLE = 1e-9, 1e-4
"""What quantities may differ by, relative to the larger, of formats in double and in single precision."""


class Block(nn.Module):
    """A residual block, with a projection where it changes the number of channels."""

    def __init__(self, inside: int, outside: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, padding=1)
        self.norm = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, padding=1)
        self.skip = nn.Identity() if inside == outside else nn.Conv2d(inside, outside, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.skip(x) + self.second(torch.relu(self.norm(self.first(x)))))


class ResidualRows(nn.Module):
    """A residual network of vectors."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second, self.last = nn.Linear(2, width), nn.Linear(width, width), nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.first(x))
        return self.last(x + torch.relu(self.second(x)))


class ResidualSteps(nn.Module):
    """A residual network of vectors with activations before the weights."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(2, width), nn.Linear(width, 1)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        for layer in self.layers:
            x = x + layer(torch.relu(x))
        return self.last(x)


class Leaky(nn.Module):
    """A leaky ResNet."""

    def __init__(self, width: int, depth: int, leak: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.leak = leak

    def forward(self, a: torch.Tensor) -> torch.Tensor:
        step = 1 / len(self.layers)
        for layer in self.layers:
            a = (1 - step * self.leak) * a + step * layer(torch.relu(a))
        return a


class Attention(nn.Module):
    """One layer of attention on sequences."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.last = nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.attention(x, x, x, need_weights=False)[0]).mean(dim=1)


class OutOfOrder(nn.Module):
    """Layers that are declared in another order than they are used in."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(8, 8)
        self.body = nn.Linear(8, 8)
        self.stem = nn.Linear(2, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.body(torch.relu(self.stem(x))))
        return self.out(torch.relu(self.head(x)))


def rows(
    activation: nn.Module, *, norm: bool = False, dropout: bool = False, widths: tuple[int, ...] = (2, 8, 8, 1)
) -> nn.Module:
    layers: list[nn.Module] = []
    for place, (inside, outside) in enumerate(pairwise(widths)):
        layers.append(nn.Linear(inside, outside))
        if place < len(widths) - 2:
            layers += [nn.BatchNorm1d(outside)] * norm + [activation] + [nn.Dropout(0.1)] * dropout
    return nn.Sequential(*layers)


def images(pool: nn.Module, *, padding_mode: str = "zeros") -> nn.Module:
    first = nn.Conv2d(1, 4, 3, padding=1, padding_mode=padding_mode)
    return nn.Sequential(first, nn.ReLU(), pool, nn.Conv2d(4, 4, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(4, 2))


@dataclass(frozen=True)
class Kind:
    """A kind of network: how it is made, the shape of a point, and what its state dict is expected to be."""

    make: Callable[[], nn.Module]
    shape: tuple[int, ...]
    state: str


KINDS = {
    "relu": Kind(lambda: rows(nn.ReLU()), (2,), "right"),
    "deep_relu": Kind(lambda: rows(nn.ReLU(), widths=(2, 64, 64, 64, 1)), (2,), "right"),
    "leaky_relu": Kind(lambda: rows(nn.LeakyReLU(0.1)), (2,), "asks"),
    "linear": Kind(lambda: rows(nn.Identity()), (2,), "asks"),
    "batch_norm": Kind(lambda: rows(nn.ReLU(), norm=True), (2,), "right"),
    "dropout": Kind(lambda: rows(nn.ReLU(), dropout=True), (2,), "right"),
    "tanh": Kind(lambda: rows(nn.Tanh()), (2,), "asks"),
    "gelu": Kind(lambda: rows(nn.GELU()), (2,), "asks"),
    "sigmoid": Kind(lambda: rows(nn.Sigmoid()), (2,), "asks"),
    "silu": Kind(lambda: rows(nn.SiLU()), (2,), "asks"),
    "layer_norm": Kind(lambda: nn.Sequential(nn.Linear(2, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 1)), (2,), "layers"),
    "out_of_order": Kind(OutOfOrder, (2,), "refused"),
    "residual_rows": Kind(lambda: ResidualRows(8), (2,), "asks"),
    "residual_steps": Kind(lambda: ResidualSteps(8, 3), (2,), "asks"),
    "leaky_resnet": Kind(lambda: Leaky(2, 6, 2.0), (2,), "asks"),
    "flattened": Kind(lambda: nn.Sequential(nn.Flatten(), rows(nn.ReLU(), widths=(16, 8, 8, 2))), (1, 4, 4), "right"),
    "average_pooling": Kind(lambda: images(nn.AvgPool2d(2)), (1, 6, 6), "refused"),
    "max_pooling": Kind(lambda: images(nn.MaxPool2d(2)), (1, 6, 6), "refused"),
    "residual": Kind(
        lambda: nn.Sequential(
            nn.Conv2d(1, 3, 3, padding=1), Block(3, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 2)
        ),
        (1, 4, 4),
        "refused",
    ),
    "projection": Kind(
        lambda: nn.Sequential(Block(1, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 2)), (1, 4, 4), "refused"
    ),
    "circular": Kind(
        lambda: nn.Sequential(
            nn.Conv1d(1, 3, 3, padding=1, padding_mode="circular"),
            nn.ReLU(),
            nn.Conv1d(3, 1, 3, padding=1, padding_mode="circular"),
        ),
        (1, 6),
        "right",
    ),
    "attention": Kind(Attention, (3, 4), "layers"),
}


def data_for(shape: tuple[int, ...], outputs: tuple[int, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """Points, and outputs that a network can learn."""
    generator = torch.Generator().manual_seed(1)
    x = torch.randn((48, *shape), generator=generator)
    size = int(np.prod(outputs))
    flat_x = x.flatten(1)
    y = torch.stack(
        [torch.sin(flat_x[:, k % flat_x.shape[1]]) + 0.5 * flat_x[:, -1] ** 2 / (k + 1) for k in range(size)], dim=1
    )
    return x, y.reshape(len(x), *outputs)


def trained(name: str, kind: Kind, steps: int = 400) -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    torch.manual_seed(sum(map(ord, name)))
    model = kind.make()
    with torch.no_grad():
        outputs = tuple(model.eval()(torch.zeros(2, *kind.shape)).shape[1:])
    x, y = data_for(kind.shape, outputs)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for _ in range(steps):
        optimiser.zero_grad()
        norm = sum((p * p).sum() for p in model.parameters())
        (((model(x) - y) ** 2).flatten(1).sum(dim=1).mean() + RIDGE * norm).backward()
        optimiser.step()
    # one set of numbers for all formats: ONNX holds those of single precision
    return model.float().double().eval(), x, y


def in_torch(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> dict[str, float | np.ndarray]:
    """The quantities, by PyTorch alone."""
    with torch.no_grad():
        outputs = model(x)
    few = x[np.unique(np.linspace(0, len(x) - 1, min(len(x), 64)).astype(int))]
    jacobians = torch.stack(
        [torch.autograd.functional.jacobian(model, one[None]).reshape(outputs[0].numel(), -1) for one in few]
    )
    norm = 0.0
    modules = list(model.named_modules())
    before: nn.Module | None = None
    for _, module in modules:
        own = sum(float((p * p).sum()) for p in module.parameters(recurse=False))
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            assert before is not None
            factor = module.weight / torch.sqrt(module.running_var + module.eps)
            shape = (-1, *[1] * (before.weight.dim() - 1))
            weight, bias = before.weight * factor.reshape(shape), factor * (before.bias - module.running_mean) + module.bias
            own = float((weight**2).sum() + (bias**2).sum() - (before.weight**2).sum() - (before.bias**2).sum())
        # what is measured by layer alone are matrices with their biases; a leaky ResNet counts its steps
        norm += 0.0 if isinstance(module, nn.LayerNorm) else own
        before = module if hasattr(module, "weight") else before
    if isinstance(model, Leaky):
        norm /= len(model.layers)
    return {
        "outputs": outputs.numpy(),
        "squared norm": norm,
        "mean squared error": float(((outputs - y) ** 2).flatten(1).sum(dim=1).mean()),
        "Jacobian": np.median(np.linalg.svd(jacobians.numpy(), compute_uv=False), axis=0),
    }


def saved(name: str, model: nn.Module, x: torch.Tensor, folder: Path) -> dict[str, Path]:
    """The network in each format that can hold it."""
    files = {"pt": folder / f"{name}.pt", "safetensors": folder / f"{name}.safetensors", "module": folder / f"{name}.module.pt"}
    torch.save(model.state_dict(), files["pt"])
    save_file(model.state_dict(), files["safetensors"])
    torch.save(model, files["module"])
    if any(
        not isinstance(one, HELD | nn.Sequential | ResidualRows | ResidualSteps | nn.ModuleList | Leaky | OutOfOrder)
        for one in model.modules()
    ):
        return files | {"onnx": exported(name, model, x, folder)}
    files["npz"] = folder / f"{name}.npz"
    linear = [module for module in model.modules() if isinstance(module, nn.Linear)]
    arrays = {f"W{k}": one.weight.detach().numpy() for k, one in enumerate(linear, start=1)}
    np.savez(files["npz"], **arrays, **{f"b{k}": one.bias.detach().numpy() for k, one in enumerate(linear, start=1)})
    return files | {"onnx": exported(name, model, x, folder)}


HELD = nn.Linear | nn.ReLU | nn.LeakyReLU | nn.Identity | nn.Dropout | nn.Tanh | nn.GELU | nn.Sigmoid | nn.SiLU | nn.Flatten
"""Modules whose networks an archive of NumPy can hold, with the name of the activation."""


def exported(name: str, model: nn.Module, x: torch.Tensor, folder: Path) -> Path:
    path = folder / f"{name}.onnx"
    single = copy.deepcopy(model).float()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            single,
            (x[:2].float(),),
            str(path),
            dynamo=False,
            input_names=["x"],
            output_names=["y"],
            dynamic_axes={"x": {0: "N"}, "y": {0: "N"}},
        )
    return path


def differences(found: dict[str, float | np.ndarray], known: dict[str, float | np.ndarray]) -> dict[str, float]:
    """By quantity, the largest difference relative to the larger value."""
    result = {}
    for key, value in found.items():
        one, two = np.asarray(value, dtype=float), np.asarray(known[key], dtype=float)
        scale = max(float(np.abs(two).max()), 1e-300)
        result[key] = float(np.abs(one.reshape(two.shape) - two).max()) / scale
    return result


def asked(name: str, format_: str, reading, points: Points, known, claims) -> dict[str, object]:
    """What was measured of one file, beside PyTorch."""
    network = reading.network
    start = time.process_time()
    found = measured(f"{name}.{format_}", network, points, claims)
    seconds = time.process_time() - start
    values = {"squared norm": found.quantities.whole["squared norm of weights and biases"]}
    if not isinstance(network, LayersAlone):
        values["outputs"] = outputs_of(network, points.inputs)
        values["mean squared error"] = mean_squared_error(network, points)
        if "Jacobian" in found.quantities.spectra:
            values["Jacobian"] = found.quantities.spectra["Jacobian"][0]
    return {
        "differences": differences(values, known),
        "alarms": [one.claim for one in found.answers if one.rank < 2],
        "asked": len(found.answers),
        "seconds": seconds,
    }


def of_files(name: str, kind: Kind, files, x, y, known, claims, failures: list[str]) -> None:
    expected = {"onnx": "right", "module": "right", "pt": kind.state, "safetensors": kind.state, "npz": kind.state}
    data = {"points": x.numpy(), "targets": y.numpy(), "ridge": RIDGE}
    for format_, source in files.items():
        wanted = expected.get(format_, "right")
        try:
            reading, points = measured_reading(source, trust=format_ == "module", **data)
        except Unreadable as error:
            print(f"{name:16} {format_:12} refused: {str(error).partition(': ')[2][:110]}")
            if wanted in ("right", "layers"):
                failures.append(f"{name} {format_}: refused")
            continue
        limit = SINGLE if format_ == "onnx" else DOUBLE
        result = asked(name, format_, reading, points, known, claims)
        worst = max(result["differences"].values())
        kind_of = "layers alone" if isinstance(reading.network, LayersAlone) else type(reading.network).__name__
        said = " (asks)" if reading.assumed else ""
        print(
            f"{name:16} {format_:12} {kind_of}{said}, differences up to {worst:.1e}, {result['asked']} claims, "
            f"{len(result['alarms'])} alarms, {result['seconds']:.1f} s"
        )
        if result["alarms"]:
            failures.append(f"{name} {format_}: alarms {', '.join(result['alarms'])}")
        if worst > limit and not (reading.assumed and wanted == "asks"):
            failures.append(f"{name} {format_}: differs by {result['differences']}")


def plain(argument):
    if isinstance(argument, Value):
        return {"value": argument.name}
    if isinstance(argument, list | tuple):
        return [plain(one) for one in argument]
    return argument


def write(name: str, kind: Kind, model: nn.Module, files, x, y) -> None:
    """The model, the trace of the module, and what PyTorch says of it."""
    HERE.mkdir(exist_ok=True)
    (HERE / f"{name}.onnx").write_bytes(files["onnx"].read_bytes())
    calls, tensors, names = _calls_of(torch, torch.export.export(model, (torch.zeros((7, *kind.shape), dtype=torch.float64),)))
    trace = {"names": names, "shape": kind.shape, "calls": [asdict(one) for one in calls]}
    for one, call in zip(trace["calls"], calls, strict=True):
        one["arguments"] = plain(call.arguments)
    few = {"x": x.numpy()[:16], "y": y.numpy()[:16]} | in_torch(model, x[:16], y[:16])
    (HERE / f"{name}.json").write_text(json.dumps(trace, indent=0))
    np.savez_compressed(HERE / f"{name}.npz", **few, **{f"tensor:{key}": value for key, value in tensors.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("kinds", nargs="*", default=[])
    options = parser.parse_args()
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    claims = list(catalogue("theorems").values()) if options.claims else []
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.kinds or KINDS:
            kind = KINDS[name]
            model, x, y = trained(name, kind)
            files = saved(name, model, x, Path(folder))
            known = in_torch(model, x, y)
            of_files(name, kind, {**files, "live": model}, x, y, known, claims, failures)
            if options.write and name != "deep_relu":
                write(name, kind, model, files, x, y)
    print(f"{len(failures)} failures", *failures, sep="\n  ")
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
