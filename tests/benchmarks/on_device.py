"""The engine on CuPy beside the engine on NumPy: ``python tests/benchmarks/on_device.py [--sizes NAME ...] [--budget SECONDS]``.

On a machine with a CUDA device. The same works and sizes as in `engine.py`, and two that fill a device; NumPy takes the threads that
it likes. Times are by the clock, the device waited for; medians of as many calls as fit into the budget. The difference is the
largest error of the results on the device, relative to the largest number of those on the host.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from engine import NAMES, SIZES
from engine_peers import RATE, draw

from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace_gram
from verify.networks.training import Adam, MeanSquaredError
from verify.networks.training.gradients import objective_of

LARGE = {"8-2048-8192-64-64": (8, 2048, 8192, 64, 64, 0), "100000 of 4-8-16-3-3": (4, 8, 16, 3, 3, 100_000)}
KERNEL = 2**26
"""Numbers of a kernel matrix, above which it is not measured."""


def works(library, size, dtype):
    """Calls by name, on arrays of `library`."""
    (weights, biases), points, targets = draw(size, dtype)
    weights, biases = [[library.asarray(one) for one in arrays] for arrays in (weights, biases)]
    points, targets = library.asarray(points), library.asarray(targets)
    network = FullyConnected(weights, biases)
    x = np.moveaxis(points, -2, 0) if library is np else library.moveaxis(points, -2, 0)
    objective, adam = objective_of(network, points, targets, MeanSquaredError()), Adam(RATE)
    memory, steps = [library.zeros_like(objective.flat) for _ in range(2)], iter(range(10**9))

    def step():
        objective.evaluate(0)
        adam.step(next(steps), objective.flat, objective.flat_gradient, memory)
        return objective.flat

    def gradient():
        objective.evaluate(0)
        return objective.flat_gradient

    found = {"forward": lambda: network.activations(x)[-1], "jacobians": lambda: network.jacobian(x), "gradient": gradient}
    if max(size["networks"], 1) * size["points"] ** 2 <= KERNEL:
        found["ntk"] = lambda: ntk_trace_gram(network, points)
    return {**found, "adam": step}


def median_seconds(call, wait, budget):
    """Of the calls that fit into `budget` seconds by the clock, three at least, after one that is not counted."""
    call()
    wait()
    times, begun = [], time.perf_counter()
    while len(times) < 3 or (len(times) < 1000 and time.perf_counter() - begun < budget):
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main():
    import cupy

    known = SIZES | LARGE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", default=list(known), choices=list(known), metavar="NAME")
    parser.add_argument("--dtypes", nargs="*", default=["float64", "float32"], choices=["float64", "float32"])
    parser.add_argument("--budget", type=float, default=0.5, metavar="SECONDS")
    given = parser.parse_args()
    wait = cupy.cuda.get_current_stream().synchronize
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{device}, cupy {cupy.__version__}, numpy {np.__version__}, {os.cpu_count()} cores, {Path(__file__).name}\n")
    print(
        f"{'-'.join(NAMES)}\n\n| size | dtype | work | NumPy, ms | CuPy, ms | ratio | difference |\n|---|---|---|---|---|---|---|"
    )
    for name in given.sizes:
        for dtype in given.dtypes:
            size = dict(zip(NAMES, known[name], strict=True))
            host, on_device = works(np, size, dtype), works(cupy, size, dtype)
            for work in host:
                expected, got = host[work](), cupy.asnumpy(on_device[work]())
                difference = abs(got - expected).max() / abs(expected).max()
                one, other = (
                    median_seconds(host[work], lambda: None, given.budget),
                    median_seconds(on_device[work], wait, given.budget),
                )
                cells = f"{1000 * one:.2f} | {1000 * other:.2f} | {one / other:.1f} | {difference:.0e}"
                print(f"| {name} | {dtype} | {work} | {cells} |", flush=True)
            cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
