"""How fast the engine is: run by hand, `python tests/benchmarks/engine.py --peers PYTHON [--table FILE]`.

PYTHON is an interpreter with torch and jax (an environment of their own: they are no dependencies); without it only our own
times are shown. Everything runs on one core, in processes of its own, ours and theirs taking turns; a time is the smallest of
the rounds' medians, in CPU seconds, so that other work on the machine matters little. With `--device cuda` arrays are CuPy's,
the peers work on the same GPU, and times are seconds until the GPU has ended.

Works: the forward pass with all activations kept, Jacobians by the input at all points, the gradient of a loss, the kernel
matrix of traces, and a full-batch step of Adam. The kernel is compared on as many points as the peers' way, a contraction of
parameter Jacobians, has room for; the table has ours on all points, too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).parent
NAMES = ("depth", "width", "points", "inputs", "outputs", "networks")
SIZES = {
    "13-100-500-50-50": (13, 100, 500, 50, 50, 0),
    "25-200-1000-100-50": (25, 200, 1000, 100, 50, 0),
    "50-200-1000-20-20": (50, 200, 1000, 20, 20, 0),
    "10-20-100-3-3": (10, 20, 100, 3, 3, 0),
    "200-10-50-5-5": (200, 10, 50, 5, 5, 0),
    "10000 of 4-3-1-3-3": (4, 3, 1, 3, 3, 10000),
}
DTYPES = ("float64", "float32")
WORKS = ("forward", "jacobians", "gradient", "ntk", "adam")
ROOM = 2**30
"""Bytes that the parameter Jacobian of a peer may take."""


def fitting(size, dtype):
    """Points of a sample whose parameter Jacobian has room, at most all of them."""
    widths = [size["inputs"], *[size["width"]] * (size["depth"] - 1), size["outputs"]]
    parameters = sum(b * (a + 1) for a, b in pairwise(widths))
    each = max(size["networks"], 1) * size["outputs"] * parameters * (8 if dtype == "float64" else 4)
    return min(size["points"], ROOM // each)


def ours(request):
    """Our side: the same works, in this process."""
    sys.path.insert(0, str(HERE))
    import numpy as np
    from engine_peers import RATE, draw, median_time

    from verify.networks import FullyConnected
    from verify.networks.ntk import ntk_trace_gram
    from verify.networks.training import Adam, MeanSquaredError
    from verify.networks.training.gradients import objective_of

    xp, wait = np, None
    if request["device"] == "cuda":
        import cupy as xp

        wait = xp.cuda.Device().synchronize

    for name, size in request["sizes"].items():
        for dtype in request["dtypes"]:
            (weights, biases), points, targets = draw(size, dtype)
            weights, biases = [[xp.asarray(array) for array in arrays] for arrays in (weights, biases)]
            points, targets = xp.asarray(points), xp.asarray(targets)
            network = FullyConnected(weights, biases)
            # a network takes the axes of the points before those of the batch
            x = xp.moveaxis(points, -2, 0)
            x = x[0] if size["points"] == 1 else x
            objective, adam = objective_of(network, points, targets, MeanSquaredError()), Adam(RATE)
            memory, steps = [xp.zeros_like(objective.flat) for _ in range(2)], iter(range(10**9))

            def step(objective=objective, adam=adam, memory=memory, steps=steps):
                objective.evaluate(0)
                adam.step(next(steps), objective.flat, objective.flat_gradient, memory)

            fits = request["fits"][f"{name} {dtype}"]
            calls = {
                "forward": lambda f=network, x=x: f.activations(x),
                "jacobians": lambda f=network, x=x: f.jacobian(x),
                "gradient": lambda objective=objective: objective.evaluate(0),
                "ntk": lambda f=network, x=points[..., :fits, :]: ntk_trace_gram(f, x),
                "ntk of all": lambda f=network, x=points: ntk_trace_gram(f, x),
                "adam": step,
            }
            for work, call in calls.items():
                if work.split(" ")[0] in request["works"] and not (work == "ntk" and fits == 0):
                    seconds, first = median_time(call, request["budget"], wait)
                    show({"library": "ours", "size": name, "dtype": dtype, "work": work, "seconds": seconds, "first": first})
            if "ntk" in request["works"] and dtype == "float64" and xp is np:
                held = sum(array.nbytes for array in network.activations(x))
                tracemalloc.start()
                result = ntk_trace_gram(network, points)
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                show({"size": name, "peak": peak, "result": result.nbytes, "activations": held})


def show(row):
    print(json.dumps(row), flush=True)


def product_rate(device):
    """GF/s of a large matrix product in float64 and float32, on this core or GPU."""
    sys.path.insert(0, str(HERE))
    import numpy as xp
    from engine_peers import median_time

    side, wait = 1024, None
    if device == "cuda":
        import cupy as xp

        side, wait = 8192, xp.cuda.Device().synchronize
    for dtype in DTYPES:
        square = xp.ones((side, side), dtype=dtype)
        show({"dtype": dtype, "rate": 2 * side**3 / median_time(lambda a=square: a @ a, 2.0, wait)[0] / 1e9})


def collect(python, script, request, environment):
    """Rows that a process of its own prints."""
    command = ["taskset", "-c", "0", python, str(script), *([] if script.name == "engine_peers.py" else ["--ours"])]
    found = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, env=environment, check=False)
    if found.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{found.stderr[-2000:]}")
    return [json.loads(line) for line in found.stdout.splitlines()]


def flops(size):
    """Of the forward pass, multiplications and additions."""
    widths = [size["inputs"], *[size["width"]] * (size["depth"] - 1), size["outputs"]]
    return 2 * size["points"] * max(size["networks"], 1) * sum(a * b for a, b in pairwise(widths))


def table(times, sizes, dtypes):
    """Markdown: our time, and the peers' times divided by ours."""
    libraries = ("torch", "torch.func", "jax")
    lines = ["| size | work | dtype | ours | torch | torch.func | JAX | JAX compiles |", "|---|---|---|---|---|---|---|---|"]
    for name in sizes:
        for work in WORKS:
            for dtype in dtypes:
                own = times.get(("ours", name, dtype, work))
                if own is None:
                    continue
                cells = [name, work, dtype, duration(own["seconds"])]
                for library in libraries:
                    other = times.get((library, name, dtype, work))
                    cells.append("" if other is None else f"{other['seconds'] / own['seconds']:.2f}")
                compiled = times.get(("jax", name, dtype, work))
                cells.append("" if compiled is None else duration(compiled["first"]))
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def duration(seconds):
    unit, factor = ("s", 1) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    return f"{seconds * factor:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python with torch and jax")
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--dtypes", nargs="+", default=list(DTYPES), choices=DTYPES)
    parser.add_argument("--works", nargs="+", default=list(WORKS), choices=WORKS)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each time and round")
    parser.add_argument("--json", type=Path, help="where to keep all times")
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rate", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ours:
        request = json.load(sys.stdin)
        product_rate(request["device"]) if request.get("rate") else ours(request)
        return
    environment = {**os.environ, **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}}
    sizes = {name: dict(zip(NAMES, SIZES[name], strict=True)) for name in options.sizes}
    times, notes = {}, {}
    for row in collect(sys.executable, Path(__file__), {"rate": True, "device": options.device}, environment):
        notes[f"rate {row['dtype']}"] = row["rate"]
    for name, size in sizes.items():
        for _ in range(options.rounds):
            request = {
                "sizes": {name: size},
                "dtypes": options.dtypes,
                "works": options.works,
                "budget": options.budget,
                "device": options.device,
                "fits": {f"{name} {dtype}": fitting(size, dtype) for dtype in options.dtypes},
            }
            rows = collect(sys.executable, Path(__file__), request, environment)
            if options.peers:
                rows += collect(options.peers, HERE / "engine_peers.py", request, environment)
            for row in rows:
                if "peak" in row:
                    notes[f"memory {name}"] = row
                    continue
                key = (row["library"], row["size"], row["dtype"], row["work"])
                if key not in times or row["seconds"] < times[key]["seconds"]:
                    times[key] = row
        print(f"done: {name}", file=sys.stderr, flush=True)
    print(table(times, sizes, options.dtypes))
    print()
    for name, size in sizes.items():
        for dtype in options.dtypes:
            own = {
                work: times[key]["seconds"] for work in (*WORKS, "ntk of all") if (key := ("ours", name, dtype, work)) in times
            }
            if "forward" in own:
                share = flops(size) / own["forward"] / 1e9 / notes[f"rate {dtype}"]
                print(f"{name} {dtype}: forward at {share:.0%} of a large matrix product")
            if "adam" in own and "gradient" in own:
                print(f"{name} {dtype}: a step of Adam is {own['adam'] / own['gradient']:.2f} times its gradient")
            if "ntk of all" in own:
                print(f"{name} {dtype}: kernel of all points in {duration(own['ntk of all'])}")
        if f"memory {name}" in notes:
            held = notes[f"memory {name}"]
            megabytes = {part: held[part] / 2**20 for part in ("peak", "result", "activations")}
            print(f"{name}: kernel of traces, MB: {', '.join(f'{part} {value:.1f}' for part, value in megabytes.items())}")
    print(f"matrix products: {notes['rate float64']:.0f} GF/s float64, {notes['rate float32']:.0f} GF/s float32")
    if options.json:
        options.json.write_text(json.dumps({"times": list(times.values()), "notes": notes}, indent=1))


if __name__ == "__main__":
    main()
