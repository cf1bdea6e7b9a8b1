"""How long the cones take: run by hand, `python tests/benchmarks/cones.py [NAME ...]`.

Factorisation of random completely positive matrices (success rate, seconds), the published matrices, the clique-cover bound on
triangle-free graphs, membership and Caratheodory's reduction at the sizes the library is meant for, copositivity.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np
from rich.console import Console
from rich.table import Table

from verify.cones.completely_positive import factorise, is_completely_positive
from verify.cones.conical_hull import caratheodory, contains
from verify.cones.copositive import is_copositive
from verify.cones.exposed_faces import exposed_face
from verify.cones.support_graphs import edge_clique_cover
from verify.numbers.arithmetic import rationals

DATA = Path(__file__).parents[1] / "data" / "cones"


def timed(call):
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def random_matrix(generator, order, terms, density):
    factor = generator.random((terms, order)) * (generator.random((terms, order)) < density)
    return factor.T @ factor


def factorisations(repeats=5):
    table = Table("order", "terms", "density", "columns", "found", "starts", "s (float)", "exact", "s (exact)")
    generator = np.random.default_rng(0)
    for order in (10, 20, 30, 40):
        for terms, density in ((2 * order, 1.0), (2 * order, 0.3), (order + order // 2, 1.0), (order, 1.0)):
            runs = []
            for _ in range(repeats):
                matrix = random_matrix(generator, order, terms, density)
                columns = terms + order // 2
                found, seconds = timed(lambda m=matrix, k=columns: factorise(m, k, starts=3))
                decided, exact_seconds = timed(found.exact)
                runs.append((found.residual < 1e-8, found.starts, seconds, decided.verdict > 0, exact_seconds))
            rates = np.mean(runs, axis=0)
            table.add_row(
                *map(str, (order, terms, density, columns)),
                f"{rates[0]:.0%}", f"{rates[1]:.1f}", f"{rates[2]:.2f}", f"{rates[3]:.0%}", f"{rates[4]:.2f}",
            )  # fmt: skip
    return table


def published():
    table = Table("matrix", "order", "verdict", "s", "CP-rank", "s (rank)")
    for one in json.loads((DATA / "cp_matrices.json").read_text()):
        matrix = rationals(np.array(one["matrix"], dtype=object))
        decided, seconds = timed(lambda m=matrix: is_completely_positive(m))
        if seconds > 0.1:
            face, face_seconds = timed(lambda m=matrix: exposed_face(m))
            rank = "-" if face is None else str(face.cp_rank)
            table.add_row(one["id"], str(len(matrix)), decided.verdict.name, f"{seconds:.2f}", rank, f"{face_seconds:.2f}")
    return table


def clique_covers():
    table = Table("vertices", "edges", "cover", "s")
    graphs = [nx.complete_bipartite_graph(n, n) for n in (10, 15, 20)]
    graphs += [nx.bipartite.random_graph(20, 20, 0.5, seed=0), nx.circulant_graph(40, [1, 3, 9])]
    for graph in graphs:
        cover, seconds = timed(lambda g=graph: edge_clique_cover(nx.to_numpy_array(g)))
        table.add_row(str(len(graph)), str(graph.number_of_edges()), str(len(cover)), f"{seconds:.2f}")
    return table


def conical_hulls():
    table = Table("task", "generators", "dimensions", "s")
    generator = np.random.default_rng(0)
    for kind in ("integers", "floats"):
        entries = generator.integers(-9, 10, (500, 60)) if kind == "integers" else generator.standard_normal((500, 60))
        generators = rationals(entries)
        generators[:, 0] = np.abs(generators[:, 0]) + 1
        inside = rationals(generator.random(500)) @ generators
        outside = inside.copy()
        outside[0] = -outside[0]
        for name, point in (("inside", inside), ("outside", outside)):
            decided, seconds = timed(lambda g=generators, p=point: contains(g, p))
            table.add_row(f"membership, {kind}, {name}: {decided.verdict.name}", "500", "60", f"{seconds:.3f}")
    for count, size in ((400, 40), (500, 60)):
        generators, weights = rationals(generator.integers(-9, 10, (count, size))), rationals(generator.integers(1, 9, count))
        _, seconds = timed(lambda g=generators, w=weights: caratheodory(g, w))
        table.add_row("Caratheodory, exact", str(count), str(size), f"{seconds:.3f}")
        _, seconds = timed(lambda g=generators, w=weights: caratheodory(g, w, cost=w))
        table.add_row("Caratheodory, exact, with a cost", str(count), str(size), f"{seconds:.3f}")
    generators, weights = generator.standard_normal((10_000, 110)), generator.random(10_000)
    _, seconds = timed(lambda: caratheodory(generators, weights))
    table.add_row("Caratheodory, floats", "10000", "110", f"{seconds:.3f}")
    return table


def copositivity():
    table = Table("matrix", "order", "verdict", "s")
    cases = [
        (one["id"], rationals(np.array(one["matrix"], dtype=object)))
        for one in json.loads((DATA / "copositive.json").read_text())
    ]
    generator = np.random.default_rng(0)
    for order in (12, 14, 16, 18, 20):
        factor = generator.integers(-3, 4, (order, order + 2))
        gram = factor @ factor.T
        shift = int(np.linalg.eigvalsh(gram)[0]) + 1
        cases.append(("nearly positive definite", rationals(gram - shift * np.eye(order))))
    for name, matrix in cases:
        decided, seconds = timed(lambda m=matrix: is_copositive(m))
        if len(matrix) >= 12:
            table.add_row(name, str(len(matrix)), decided.verdict.name, f"{seconds:.3f}")
    return table


TABLES = {one.__name__: one for one in (factorisations, published, clique_covers, conical_hulls, copositivity)}

if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(TABLES):
        sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(TABLES)}")
    for name in sys.argv[1:] or TABLES:
        Console(width=140).print(name, TABLES[name]())
