"""Where the theorems of a map stand: layers from left to right, with what is used to the left of what uses it.

The steps are those of Sugiyama's: the layer of a theorem is its longest path, an arrow over several layers gets a place in
each, a few sweeps of barycentres order the layers, and heights are the nearest to those of the neighbours that keep the order.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

SWEEPS = 12
"""Sweeps over all layers, there and back; more change nothing in the maps that there are."""

Key = Hashable


@dataclass(frozen=True)
class Sizes:
    """Width and height of a theorem, the gaps between layers and in a layer, and the height that a passing arrow takes."""

    width: float = 136.0
    height: float = 44.0
    between: float = 56.0
    gap: float = 12.0
    passing: float = 4.0


@dataclass(frozen=True)
class Layout:
    """Upper left corners of the theorems, the corners through which each arrow passes, and the size of it all."""

    places: Mapping[str, tuple[float, float]]
    routes: Mapping[tuple[str, str], Sequence[tuple[float, float]]]
    width: float
    height: float


def laid_out(names: Sequence[str], pairs: Iterable[tuple[str, str]], sizes: Sizes, columns: int = 5) -> Layout:
    """The layout of theorems and of the arrows between them, which have no circle; theorems without arrows stand below.

    Raises
    ------
    ValueError
        The arrows have a circle.
    """
    graph = nx.DiGraph()
    graph.add_edges_from(pairs)
    if not nx.is_directed_acyclic_graph(graph):
        raise ValueError("the arrows of a map must not go round in a circle")
    place = {name: number for number, name in enumerate(names)}
    graph = nx.transitive_reduction(graph)
    layers, links, chains = _with_passing(graph, _layers(graph), place)
    _order(layers, links)
    tops = _heights(layers, links, sizes)
    step = sizes.width + sizes.between
    places = {
        name: (step * layer, tops[name] - sizes.height / 2)
        for layer, row in enumerate(layers)
        for name in row
        if isinstance(name, str)
    }
    lowest = max((y + sizes.height for _, y in places.values()), default=-2 * sizes.gap)
    for number, name in enumerate(name for name in names if name not in graph):
        below, beside = divmod(number, max(columns, len(layers)))
        places[name] = (step * beside, lowest + 3 * sizes.gap + below * (sizes.height + sizes.gap))
    routes = {ends: _route(chain, places, tops, sizes) for ends, chain in chains.items()}
    return Layout(
        places,
        routes,
        width=max((x for x, _ in places.values()), default=0.0) + sizes.width,
        height=max((y for _, y in places.values()), default=0.0) + sizes.height,
    )


def _layers(graph: nx.DiGraph) -> dict[str, int]:
    """The longest path that leads to each theorem; what nothing leads to stands just before what uses it."""
    layer: dict[str, int] = {}
    for name in nx.topological_sort(graph):
        layer[name] = max((layer[before] + 1 for before in graph.predecessors(name)), default=0)
    return {
        name: layer[name] if graph.in_degree(name) else min(layer[neighbour] for neighbour in graph[name]) - 1 for name in layer
    }


def _with_passing(
    graph: nx.DiGraph, layer: Mapping[str, int], place: Mapping[str, int]
) -> tuple[list[list[Key]], nx.DiGraph, dict[tuple[str, str], list[Key]]]:
    """The layers in the given order, links between neighbouring layers only, and the links that make up each arrow."""
    layers: list[list[Key]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name in sorted(graph, key=lambda name: place[name]):
        layers[layer[name]].append(name)
    links, chains = nx.DiGraph(), {}
    for start, end in sorted(graph.edges, key=lambda ends: (place[ends[0]], place[ends[1]])):
        passing: list[Key] = [(start, end, between) for between in range(layer[start] + 1, layer[end])]
        for between, key in enumerate(passing, start=layer[start] + 1):
            layers[between].append(key)
        chains[start, end] = [start, *passing, end]
        nx.add_path(links, chains[start, end])
    return layers, links, chains


def _order(layers: list[list[Key]], links: nx.DiGraph) -> None:
    """Order each layer by the means of the neighbours' places; the order with the fewest crossings is kept."""
    best, fewest = [list(row) for row in layers], crossings(layers, links)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for number in range(1, len(layers)) if forth else range(len(layers) - 2, -1, -1):
            beside = layers[number - 1 if forth else number + 1]
            where = {key: float(place) for place, key in enumerate(beside)}
            old = {key: float(place) for place, key in enumerate(layers[number])}
            means = {}
            for key in layers[number]:
                near = [where[neighbour] for neighbour in (links.predecessors(key) if forth else links.successors(key))]
                means[key] = sum(near) / len(near) if near else old[key], old[key]
            layers[number].sort(key=means.__getitem__)
        if (count := crossings(layers, links)) < fewest:
            best, fewest = [list(row) for row in layers], count
    layers[:] = best


def crossings(layers: Sequence[Sequence[Key]], links: nx.DiGraph) -> int:
    """How many pairs of links cross."""
    count = 0
    for left, right in itertools.pairwise(layers):
        place = {key: number for number, key in enumerate(right)}
        ends = [sorted(place[neighbour] for neighbour in links.successors(key)) for key in left]
        count += sum(
            upper_end > lower_end
            for number, upper in enumerate(ends)
            for lower in ends[number + 1 :]
            for upper_end in upper
            for lower_end in lower
        )
    return count


def _heights(layers: Sequence[Sequence[Key]], links: nx.DiGraph, sizes: Sizes) -> dict[Key, float]:
    """The middles of all theorems and passing arrows, from 0 on: near the means of their neighbours, in the order given."""
    half = {key: (sizes.height if isinstance(key, str) else sizes.passing) / 2 for row in layers for key in row}
    middle: dict[Key, float] = {}
    for row in layers:
        top = 0.0
        for key in row:
            middle[key] = top + half[key]
            top += 2 * half[key] + sizes.gap
    for sweep in range(2 * SWEEPS):
        for row in layers if sweep % 2 == 0 else reversed(layers):
            wanted = []
            for key in row:
                near = [middle[neighbour] for neighbour in (*links.predecessors(key), *links.successors(key))]
                wanted.append(sum(near) / len(near) if near else middle[key])
            middle |= zip(row, _apart(wanted, [half[key] for key in row], sizes.gap), strict=True)
    least = min((middle[key] - half[key] for key in middle), default=0.0)
    return {key: value - least for key, value in middle.items()}


def _apart(wanted: Sequence[float], half: Sequence[float], gap: float) -> list[float]:
    """The places nearest to those wanted, in squares, that keep their order and do not overlap: neighbours are pooled."""
    shift, total = [], 0.0
    for number, size in enumerate(half):
        total += size if not number else half[number - 1] + gap + size
        shift.append(total)
    pools: list[tuple[float, int]] = []
    for value, moved in zip(wanted, shift, strict=True):
        mean, count = value - moved, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    means = [mean for mean, count in pools for _ in range(count)]
    return [mean + moved for mean, moved in zip(means, shift, strict=True)]


def _route(
    chain: Sequence[Key], places: Mapping[str, tuple[float, float]], middles: Mapping[Key, float], sizes: Sizes
) -> list[tuple[float, float]]:
    """The corners of an arrow: out on the right, through its places in the layers between, and in on the left."""
    step = sizes.width + sizes.between
    start, end = str(chain[0]), str(chain[-1])
    first_layer = round(places[start][0] / step)
    corners = [(places[start][0] + sizes.width, middles[start])]
    for number, key in enumerate(chain[1:-1], start=first_layer + 1):
        corners += [(step * number, middles[key]), (step * number + sizes.width, middles[key])]
    return [*corners, (places[end][0], middles[end])]
