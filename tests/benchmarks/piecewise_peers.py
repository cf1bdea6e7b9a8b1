"""One task by one peer, run by `piecewise.py` with the Python of the peer's own environment.

Reads ``{"weights": ..., "biases": ...}`` (for `z3_equal` two of these) from standard input and prints the answer and the
seconds of processor time, those of child processes included, as JSON.
"""

import json
import os
import sys


def z3_equal(task):
    """Whether two ReLU networks of one output are equal on ``[-1, 1]^d``: linear rational arithmetic with case distinctions."""
    import z3

    solver = z3.SolverFor("QF_LRA")
    inputs = [z3.Real(f"x{i}") for i in range(len(task["networks"][0]["weights"][0][0]))]
    solver.add(*[bound for x in inputs for bound in (x >= -1, x <= 1)])

    def number(value):
        top, bottom = value.as_integer_ratio()
        return z3.RatVal(top, bottom)

    outputs = []
    for k, network in enumerate(task["networks"]):
        values = inputs
        for layer, (weight, bias) in enumerate(zip(network["weights"], network["biases"], strict=True)):
            sums = [
                z3.Sum([number(w) * x for w, x in zip(row, values, strict=True) if w] + [number(b)])
                for row, b in zip(weight, bias, strict=True)
            ]
            if layer == len(network["weights"]) - 1:
                outputs += sums
                continue
            values = [z3.Real(f"h{k}_{layer}_{i}") for i in range(len(sums))]
            solver.add(*[h == z3.If(s > 0, s, 0) for h, s in zip(values, sums, strict=True)])
    solver.add(outputs[0] != outputs[1])
    return {"unsat": "equal", "sat": "different"}.get(str(solver.check()), "not decided")


def highs_cells(task):
    """Cells in ``[-1, 1]^d`` by a tree of linear programmes: for each neuron its range on the cell, from the last basis."""
    import highspy
    import numpy as np

    weights, biases = ([np.array(x) for x in task[key][:-1]] for key in ("weights", "biases"))
    d = weights[0].shape[1]
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("presolve", "off")
    for _ in range(d):
        model.addVar(-1.0, 1.0)
    columns = np.arange(d, dtype=np.int32)

    def extreme(row, sense):
        model.changeColsCost(d, columns, sense * row)
        model.run()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return sense * model.getObjectiveValue()

    def count(layer, neuron, inside, chosen):
        if layer == len(weights):
            return 1
        if neuron == len(weights[layer]):
            through = np.array(chosen)[:, None] * inside
            return count(layer + 1, 0, following(layer + 1, through), [])
        row, offset = inside[neuron, :-1], inside[neuron, -1]
        low, high = extreme(row, 1), extreme(row, -1)
        if low is None or high is None:
            return 0
        total = 0
        for positive, possible in ((1, high + offset > 1e-7), (0, low + offset < -1e-7)):
            if not possible:
                continue
            if low + offset < 0 < high + offset:
                bounds = (-offset, model.inf) if positive else (-model.inf, -offset)
                model.addRow(*bounds, d, columns, row)
                total += count(layer, neuron + 1, inside, [*chosen, positive])
                model.deleteRows(1, np.array([model.getNumRow() - 1], dtype=np.int32))
            else:
                total += count(layer, neuron + 1, inside, [*chosen, positive])
        return total

    def following(layer, through):
        if layer == len(weights):
            return through
        result = weights[layer] @ through
        result[:, -1] += biases[layer]
        return result

    sys.setrecursionlimit(10**6)
    return count(0, 0, np.column_stack([weights[0], biases[0]]), [])


def relucent_cells(task):
    """Cells that meet ``[-1, 1]^d`` by search from cell to neighbouring cell."""
    import numpy as np
    import relucent
    from relucent.model.model import LinearLayer, ReLULayer, ReLUNetwork

    layers = []
    for weight, bias in zip(task["weights"], task["biases"], strict=True):
        layers += [LinearLayer(np.array(weight), np.array(bias)), ReLULayer()]
    # the last layer is the output; its sign is none of the cells
    cells = relucent.Complex(ReLUNetwork(layers[:-2]))
    start = np.random.default_rng(0).uniform(-1, 1, (1, len(task["weights"][0][0])))
    cells.bfs(start, cube_radius=1.0, cube_mode="clipped", nworkers=1, verify=False, verbose=0)
    return len(cells)


if __name__ == "__main__":
    task = json.load(sys.stdin)
    before = sum(os.times()[:4])
    answer = {one.__name__: one for one in (z3_equal, highs_cells, relucent_cells)}[sys.argv[1]](task)
    print("\n" + json.dumps({"answer": answer, "seconds": sum(os.times()[:4]) - before}))
