"""Trains the networks of this folder with PyTorch, in double precision on one thread: `python make.py` writes all files again.

It needs torch, safetensors and onnx. The same network is written in four formats; `plain` is the network with the same initial
weights, trained without a ridge; `step*` are states of the one with a ridge on its way.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent


def trained(
    model: nn.Module,
    x: torch.Tensor,
    y: torch.Tensor,
    ridge: float,
    steps: int,
    rate: float = 5e-3,
    weights: Sequence[float] | None = None,
    kept: Callable[[int, nn.Module], None] | None = None,
) -> nn.Module:
    """Adam on the mean squared error plus the ridge times the squared parameters, each times one of `weights`."""
    shares = [1.0] * len(list(model.parameters())) if weights is None else list(weights)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, rate / 1000)
    for step in range(steps):
        if kept is not None:
            kept(step, model)
        optimiser.zero_grad()
        norm = sum(share * (p * p).sum() for share, p in zip(shares, model.parameters(), strict=True))
        cost = ((model(x) - y) ** 2).flatten(1).sum(dim=1).mean()
        # the ridge grows in the first tenth: from the start it would lead to the zero network
        (cost + ridge * min(1.0, 10 * step / steps) * norm).backward()
        optimiser.step()
        schedule.step()
    return model


def chain(widths: Sequence[int], activation: nn.Module | None) -> nn.Sequential:
    layers: list[nn.Module] = []
    for place, (inside, outside) in enumerate(pairwise(widths)):
        if place and activation is not None:
            layers.append(activation)
        layers.append(nn.Linear(inside, outside))
    return nn.Sequential(*layers)


class Leaky(nn.Module):
    """A leaky ResNet: A + rho (W relu(A) + b - leak A)."""

    def __init__(self, width: int, depth: int, leak: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.register_buffer("leak", torch.tensor(leak))
        self.register_buffer("steps", torch.full((depth,), 1.0 / depth))

    def forward(self, a: torch.Tensor) -> torch.Tensor:
        for layer, step in zip(self.layers, self.steps.tolist(), strict=True):
            a = (1 - step * self.leak.item()) * a + step * layer(torch.relu(a))
        return a


def to_onnx(model: nn.Module, x: torch.Tensor, name: str) -> None:
    single = copy.deepcopy(model).float()
    torch.onnx.export(single, (x[:1].float(),), str(HERE / name), dynamo=False, input_names=["x"], output_names=["y"])


def arrays(model: nn.Module) -> dict[str, np.ndarray]:
    """W1, b1, ... of a chain, and the slope of the ReLU."""
    linear = [layer for layer in model.modules() if isinstance(layer, nn.Linear)]
    named = {}
    for place, layer in enumerate(linear, start=1):
        named[f"W{place}"], named[f"b{place}"] = (one.detach().numpy() for one in (layer.weight, layer.bias))
    return named | {"slope": np.array(0.0)}


def bottleneck() -> None:
    """A teacher of rank 2 from R^4 to R^3, learned by 8 layers of 12 neurons, with a ridge and without."""
    torch.manual_seed(0)
    x = torch.randn(48, 4)
    middle = torch.relu(x @ torch.randn(4, 8)) @ torch.randn(8, 2) / 3
    y = torch.relu(middle @ torch.randn(2, 8) + 0.3) @ torch.randn(8, 3) / 3
    y = y / y.std()
    ridge, steps = 4e-3, 12_000
    start = chain([4, *[12] * 7, 3], nn.ReLU())
    np.savez(HERE / "points.npz", x=x.numpy(), y=y.numpy(), ridge=ridge)

    def kept(step: int, model: nn.Module) -> None:
        if step in (0, 500, 2000):
            np.savez(HERE / f"step{step:05d}.npz", **arrays(model))

    model = trained(copy.deepcopy(start), x, y, ridge, steps, kept=kept)
    # one set of numbers for all formats: ONNX holds those of single precision
    model = model.float().double()
    np.savez(HERE / "ridge.npz", **arrays(model))
    torch.save(model.state_dict(), HERE / "ridge.pt")
    save_file(model.state_dict(), HERE / "ridge.safetensors")
    to_onnx(model, x, "ridge.onnx")
    plain = trained(copy.deepcopy(start), x, y, 0.0, steps)
    np.savez(HERE / "plain.npz", **arrays(plain))


def small() -> None:
    """Few neurons, for what is decided exactly: rounded to 1/64, so that its rationals are short."""
    torch.manual_seed(1)
    x = torch.randint(-4, 5, (6, 2)) / 2.0
    y = torch.relu(x[:, :1] - x[:, 1:]) - 1
    model = trained(chain([2, 3, 3, 1], nn.ReLU()), x, y, 1e-2, 2000)
    named = {name: np.rint(64 * values) / 64 for name, values in arrays(model).items()}
    np.savez(HERE / "small.npz", **named)
    np.savez(HERE / "small_points.npz", x=x.numpy(), y=y.numpy(), ridge=1e-2)


def linear() -> None:
    """A linear network of 4 layers."""
    torch.manual_seed(2)
    x = torch.randn(20, 3)
    y = x @ torch.randn(3, 1) @ torch.randn(1, 3)
    model = nn.Sequential(*[nn.Linear(3, 3, bias=False) for _ in range(4)])
    trained(model, x, y, 5e-3, 6000)
    np.savez(
        HERE / "linear.npz", slope=1.0, **{f"W{k}": layer.weight.detach().numpy() for k, layer in enumerate(model, start=1)}
    )
    np.savez(HERE / "linear_points.npz", x=x.numpy(), y=y.numpy(), ridge=5e-3)


def classes() -> None:
    """Three classes in the plane: where they meet there is a tripoint."""
    torch.manual_seed(3)
    x = 2 * torch.rand(60, 2) - 1
    angle = torch.atan2(x[:, 1], x[:, 0])
    y = torch.nn.functional.one_hot(((angle + torch.pi) / (2 * torch.pi / 3)).long().clamp(0, 2), 3).to(x.dtype)
    model = trained(chain([2, 8, 8, 3], nn.LeakyReLU(0.125)), x, y, 1e-3, 6000)
    state = {**model.state_dict(), "slope": torch.tensor(0.125)}
    save_file(state, HERE / "classes.safetensors")
    np.savez(HERE / "classes_points.npz", x=x.numpy(), y=y.numpy(), ridge=1e-3)


def resnet() -> None:
    """A leaky ResNet of width 6 and leak 4 in 12 layers; the ridge is that of leaky_resnets: lambda / (2 leak)."""
    torch.manual_seed(4)
    x = torch.randn(20, 6)
    middle = torch.relu(x @ torch.randn(6, 6)) @ torch.randn(6, 2) / 3
    y = middle @ torch.randn(2, 6) / 2
    depth, leak, ridge = 12, 4.0, 0.02
    model = trained(Leaky(6, depth, leak), x, y, ridge / (2 * leak), 8000, 2e-2, [1 / depth] * (2 * depth))
    model = model.float().double()
    torch.save(model.state_dict(), HERE / "resnet.pt")
    np.savez(HERE / "resnet.npz", leak=leak, **{name: values for name, values in arrays(model).items() if name != "slope"})
    to_onnx(model, x, "resnet.onnx")
    np.savez(HERE / "resnet_points.npz", x=x.numpy(), y=y.numpy(), ridge=ridge)


def circular() -> None:
    """A circular CNN: a bump on a ring of 8 pixels, turned by as much again as between two images."""
    torch.manual_seed(5)
    place, step = 8 * torch.rand(64), torch.rand(64) - 0.5
    pixels = torch.arange(8.0)

    def bump(at: torch.Tensor) -> torch.Tensor:
        return torch.exp(2 * torch.cos((pixels - at[:, None]) * torch.pi / 4) - 2)

    x, y = torch.stack([bump(place), bump(place + step)], dim=1), bump(place + 2 * step)[:, None]
    layers: list[nn.Module] = []
    for inside, outside in ((2, 3), (3, 3), (3, 3), (3, 1)):
        layers += [nn.Conv1d(inside, outside, 7, padding=3, padding_mode="circular"), nn.ReLU()]
    model = trained(nn.Sequential(*layers[:-1]), x, y, 1e-3, 4000)
    model = model.float().double()
    torch.save(model.state_dict(), HERE / "circular.pt")
    save_file(model.state_dict(), HERE / "circular.safetensors")
    to_onnx(model, x, "circular.onnx")
    np.savez(HERE / "circular_points.npz", x=x.numpy(), y=y.numpy(), ridge=1e-3)


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    for make in (bottleneck, small, linear, classes, resnet, circular):
        make()
