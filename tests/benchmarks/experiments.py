"""Training of Figure 1's networks against a loop over them in PyTorch, on one core: `experiments.py PYTHON_WITH_TORCH`.

Both take the recipes of the experiment: the same sizes, schedule, ridge and number of networks; ours has all seeds of a depth
in one batch, the loop one network after the other. CPU seconds of a step for all five seeds, the median of five runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median

STEPS, REPEATS, SEEDS = 60, 5, 5
LOOP = """
import json, sys, time
from statistics import median
import torch
torch.set_num_threads(1)
size = json.load(sys.stdin)

def train(depth):
    widths = [size["dimension"], *[size["width"]] * (depth - 1), size["dimension"]]
    layers = []
    for a, b in zip(widths, widths[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.ReLU()]
    network = torch.nn.Sequential(*layers[:-1])
    x, y = torch.randn(size["points"], size["dimension"]), torch.randn(size["points"], size["dimension"])
    # the ridge as weight decay is the same gradient and less work than in the loss; fused is the fastest Adam
    adam = torch.optim.Adam(network.parameters(), size["learning_rate"], weight_decay=2 * size["ridge"], fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: min(1.0, (size["steps"] - step) / size["steps"] / 0.4))
    begin = time.process_time()
    for _ in range(size["steps"]):
        adam.zero_grad()
        ((network(x) - y) ** 2).sum(dim=1).mean().backward()
        adam.step()
        schedule.step()
    return (time.process_time() - begin) / size["steps"]

train(4)
for depth in size["depths"]:
    seconds = median(sum(train(depth) for _ in range(size["seeds"])) for _ in range(size["repeats"]))
    print(json.dumps([depth, seconds]), flush=True)
"""


def ours(recipe, depth):
    """CPU seconds of a step for all seeds."""
    from theorems.bottleneck_structure.experiments.fig_1 import rank_two_task
    from verify.experiments.batches import each_seed, he_batch
    from verify.networks.training import Adam, Linear, train

    x, y = each_seed(range(SEEDS), 0, lambda generator: rank_two_task(generator, recipe))
    start = he_batch(range(SEEDS), depth, (recipe.dimension, *[recipe.width] * (depth - 1), recipe.dimension))
    adam = Adam(Linear(recipe.learning_rate, STEPS, decay=2 * STEPS // 5, warm_up=5))
    begin = time.process_time()
    train(start, x, y, steps=STEPS, optimiser=adam, ridge=recipe.ridge)
    return (time.process_time() - begin) / STEPS


def main(python):
    from theorems.bottleneck_structure.experiments.fig_1 import EXPERIMENT
    from verify.engines.executors import one_blas_thread

    print("| scale | depth | ours, ms | loop in PyTorch, ms | ratio |\n|---|---|---|---|---|")
    for scale, depths in (("smoke", (6, 24)), ("laptop", (6, 16, 32))):
        recipe = EXPERIMENT.recipes[scale]
        names = ("dimension", "width", "points", "ridge", "learning_rate")
        size = {name: getattr(recipe, name) for name in names}
        size |= {"steps": STEPS, "repeats": REPEATS, "seeds": SEEDS, "depths": depths}
        command = [python, "-c", LOOP]
        result = subprocess.run(command, input=json.dumps(size), capture_output=True, text=True, check=True)
        for depth, theirs in map(json.loads, result.stdout.splitlines()):
            with one_blas_thread():
                mine = median(ours(recipe, depth) for _ in range(REPEATS))
            print(f"| {scale} | {depth} | {1e3 * mine:.2f} | {1e3 * theirs:.2f} | {theirs / mine:.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
