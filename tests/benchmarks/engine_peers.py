"""The works of `engine.py` in PyTorch and JAX; started by it with another Python: needs torch and jax, and nothing of ours.

On a GPU products of float32 are as precise as ours: no library may round them to fewer bits.

Reads a JSON request from standard input, writes JSON lines {"library", "size", "dtype", "work", "seconds", "compile"}.
"""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import pairwise

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"

import numpy as np

RATE = 1e-3


def draw(size, dtype):
    """The same weights, points and targets as in `engine.py`."""
    rng = np.random.default_rng(0)
    widths = [size["inputs"], *[size["width"]] * (size["depth"] - 1), size["outputs"]]
    batch = [size["networks"]] if size["networks"] else []
    weights = [rng.standard_normal((*batch, b, a)) * np.sqrt(2 / a) for a, b in pairwise(widths)]
    biases = [rng.standard_normal((*batch, b)) / 10 for b in widths[1:]]
    points = rng.standard_normal((*batch, size["points"], size["inputs"]))
    targets = rng.standard_normal((*batch, size["points"], size["outputs"]))
    return (
        [[array.astype(dtype) for array in arrays] for arrays in (weights, biases)],
        points.astype(dtype),
        targets.astype(dtype),
    )


def median_time(call, budget, wait=None):
    """CPU seconds of a call: the median over as many as fit in `budget` seconds (of slow calls 3, but not beyond 8 budgets),
    and of the first, apart. Where there is something to `wait` for, a GPU, they are seconds until it has ended.
    """
    clock = time.perf_counter if wait else time.process_time

    def timed():
        start = clock()
        call()
        if wait:
            wait()
        return clock() - start

    first = timed()
    times = []
    begin = time.perf_counter()
    while not times or (len(times) < 1000 and time.perf_counter() - begin < budget * (8 if len(times) < 3 else 1)):
        times.append(timed())
    return float(np.median(times)), first


def torch_works(size, dtype, fits, device):
    import torch
    from torch.func import grad, jacrev, vmap

    torch.set_num_threads(1)
    (weights, biases), points, targets = draw(size, dtype)
    weights, biases = [[torch.from_numpy(array).to(device) for array in arrays] for arrays in (weights, biases)]
    x, y = torch.from_numpy(points).to(device), torch.from_numpy(targets).to(device)
    batched = bool(size["networks"])

    def layer(weight, bias, values):
        if batched:
            return torch.baddbmm(bias[:, None, :], values, weight.transpose(-1, -2))
        return torch.nn.functional.linear(values, weight, bias)

    def value(weights, biases, values):
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            values = torch.relu(layer(weight, bias, values))
        return layer(weights[-1], biases[-1], values)

    def forward():
        kept = [x]
        with torch.no_grad():
            for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
                kept.append(torch.relu(layer(weight, bias, kept[-1])))
            kept.append(layer(weights[-1], biases[-1], kept[-1]))
        return kept

    def jacobians_eager():
        inputs = x.clone().requires_grad_()
        result = value(weights, biases, inputs)
        rows = [torch.autograd.grad(result[..., k].sum(), inputs, retain_graph=True)[0] for k in range(size["outputs"])]
        return torch.stack(rows, dim=-2)

    def at_point(weights, biases, point):
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            point = torch.relu(weight @ point + bias)
        return weights[-1] @ point + biases[-1]

    over_points = vmap(jacrev(at_point, argnums=2), in_dims=(None, None, 0))
    jacobians_func = vmap(over_points) if batched else over_points

    leaves = [array.clone().requires_grad_() for array in (*weights, *biases)]
    depth = len(weights)

    def loss(weights, biases):
        return ((value(weights, biases, x) - y) ** 2).sum() / size["points"]

    def gradient_eager():
        return torch.autograd.grad(loss(leaves[:depth], leaves[depth:]), leaves)

    gradient_func = grad(loss, argnums=(0, 1))

    parameters = [array.clone().requires_grad_() for array in (*weights, *biases)]
    adam = torch.optim.Adam(parameters, lr=RATE, foreach=True)

    def step():
        adam.zero_grad(set_to_none=True)
        loss(parameters[:depth], parameters[depth:]).backward()
        adam.step()

    sample = x[..., :fits, :] if fits else None
    parameter_jacobian = vmap(jacrev(at_point, argnums=(0, 1)), in_dims=(None, None, 0))

    def kernel_of(weights, biases, sample):
        total = 0
        for part in (part for parts in parameter_jacobian(weights, biases, sample) for part in parts):
            flat = part.flatten(1)
            total = total + flat @ flat.T
        return total

    kernel = vmap(kernel_of) if batched else kernel_of
    yield "torch", "forward", forward
    yield "torch", "jacobians", jacobians_eager
    yield "torch.func", "jacobians", lambda: jacobians_func(weights, biases, x)
    yield "torch", "gradient", gradient_eager
    yield "torch.func", "gradient", lambda: gradient_func(weights, biases)
    yield "torch", "adam", step
    if fits:
        yield "torch.func", "ntk", lambda: kernel(weights, biases, sample)


def jax_works(size, dtype, fits, device):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_platforms", device)
    jax.config.update("jax_default_matmul_precision", "highest")

    (weights, biases), points, targets = draw(size, dtype)
    parameters = [[jnp.asarray(array) for array in arrays] for arrays in (weights, biases)]
    x, y = jnp.asarray(points), jnp.asarray(targets)
    batched = bool(size["networks"])

    def kept(parameters, values):
        weights, biases = parameters
        result = [values]
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            values = jax.nn.relu(values @ weight.T + bias)
            result.append(values)
        return [*result, values @ weights[-1].T + biases[-1]]

    def at_point(parameters, point):
        return kept(parameters, point)[-1]

    def of_networks(function):
        return jax.jit(jax.vmap(function) if batched else function)

    def loss(parameters, x, y):
        return ((kept(parameters, x)[-1] - y) ** 2).sum() / size["points"]

    def adam(parameters, first, second, count, x, y):
        gradient = jax.grad(loss)(parameters, x, y)
        tree = jax.tree.map
        first = tree(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = tree(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
        factor = RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        moved = tree(lambda p, m, v: (p - factor * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype), parameters, first, second)
        return moved, first, second

    def kernel(parameters, sample):
        leaves = jax.tree.leaves(jax.vmap(jax.jacrev(at_point), in_axes=(None, 0))(parameters, sample))
        flat = [leaf.reshape(leaf.shape[0], -1) for leaf in leaves]
        return sum(one @ one.T for one in flat)

    forward = of_networks(kept)
    jacobians = of_networks(lambda parameters, x: jax.vmap(jax.jacrev(at_point, argnums=1), in_axes=(None, 0))(parameters, x))
    gradient = of_networks(jax.grad(loss))
    step = jax.jit(jax.vmap(adam, in_axes=(0, 0, 0, None, 0, 0)) if batched else adam, donate_argnums=(0, 1, 2))
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    state = [jax.tree.map(jnp.copy, parameters), zeros, jax.tree.map(jnp.zeros_like, parameters), 0]

    def one_step():
        state[3] += 1
        state[:3] = step(*state, x, y)
        jax.block_until_ready(state[:3])

    yield "jax", "forward", lambda: jax.block_until_ready(forward(parameters, x))
    yield "jax", "jacobians", lambda: jax.block_until_ready(jacobians(parameters, x))
    yield "jax", "gradient", lambda: jax.block_until_ready(gradient(parameters, x, y))
    yield "jax", "adam", one_step
    if fits:
        of_sample = of_networks(kernel)
        yield "jax", "ntk", lambda: jax.block_until_ready(of_sample(parameters, x[..., :fits, :]))


def main():
    request = json.load(sys.stdin)
    device, wait = request["device"], None
    if device == "cuda":
        import torch

        wait = torch.cuda.synchronize
    for name, size in request["sizes"].items():
        for dtype in request["dtypes"]:
            for works in (torch_works, jax_works):
                for library, work, call in works(size, dtype, request["fits"].get(f"{name} {dtype}"), device):
                    if work in request["works"]:
                        seconds, first = median_time(call, request["budget"], wait)
                        row = {
                            "library": library,
                            "size": name,
                            "dtype": dtype,
                            "work": work,
                            "seconds": seconds,
                            "first": first,
                        }
                        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
