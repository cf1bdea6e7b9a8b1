r"""Ranks of the identity are dimensions of the domain, and its first correction is not negative.

Statement
    :math:`\mathrm{Rank}_J(id; \Omega)` is the largest dimension of a tangent space, :math:`\mathrm{Rank}_{BN}(id; \Omega)` the
    least dimension that :math:`\Omega` can be embedded into by a piecewise linear map; 1 and 2 for a circle. Where both are k,
    :math:`R^{(1)}(id; \Omega) \ge \log|P_{T_x\Omega}|_+ = 0`.
Checked
    On a k-dimensional subspace every network that is the identity there and linear costs at least kL (for other networks it is
    ``theorem_3.lower_bound`` with :math:`Jf\,P = P`). On the boundary of the square :math:`[-1, 1]^2`, a circle, every function
    that passes a bottleneck of one neuron is somewhere wrong by 1 in the maximum norm: it takes the same value at two opposite
    points. All its kinks on the boundary are found, so that the largest error is exact.
Proof idea
    The product of the volumes of the layers is 1; :math:`\mathrm{tr} \ge k + \log\det`. On the circle g(x) - g(-x) changes its
    sign; the errors at x and -x add up to at least 2.
Sharp
    Orthogonal layers; the function 0.
Source
    bottleneck_structure, Section 3.3.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.frames import reflected_frame
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.theorem_2.statement import nodes_on_segment, on_segment
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, ge, integers, reals, slopes
from verify.arithmetic import Array, absolute, largest, rationals
from verify.matrices import inverse, rank
from verify.networks import FullyConnected, compose, identity, relu
from verify.variables import Variable

Changes = tuple[FullyConnected, Array]
"""A linear network, and a basis of the subspace on which it is the identity."""


def near_the_identity(changes: Array, free: Array) -> Array:
    """The matrices (`free` is 1), or identities (0)."""
    part = free[..., None, None, None]
    return np.asarray(part * changes + (1 - part) * np.eye(changes.shape[-1], dtype=np.int64))


def identity_on_subspace(frames: Array, changes: Array) -> Changes:
    r"""The network :math:`W_\ell = U_\ell M_\ell U_{\ell-1}^T`, where the last M inverts the product of the others."""
    bases = reflected_frame(frames)
    layers = [bases[..., layer, :, :] for layer in range(bases.shape[-3])]
    product = changes[..., 0, :, :]
    for layer in range(1, changes.shape[-3]):
        product = changes[..., layer, :, :] @ product
    matrices = [*(changes[..., layer, :, :] for layer in range(changes.shape[-3])), inverse(product)]
    ends = [*layers, layers[0]]
    weights = [after @ matrix @ transpose(before) for before, matrix, after in zip(ends[:-1], matrices, ends[1:], strict=True)]
    return FullyConnected(weights, activation=identity()), layers[0]


def identity_costs_the_dimension(changed: Changes) -> Relation:
    """The cost of the network against kL."""
    network, basis = changed
    return ge(network.weight_norm_squared, network.depth * basis.shape[-1] + 0 * basis[..., 0, 0])


def all_corners() -> list[list[int]]:
    """The corners of the square, in order."""
    return [[1, 1], [-1, 1], [-1, -1], [1, -1]]


def largest_errors(network: FullyConnected) -> Array:
    """Largest distance of each coordinate of the value from that of the point, on the boundary of the square, ``(..., 2)``."""
    errors, batch = [], 0 * network.weights[0][..., 0, :2]
    for start, end in zip(all_corners(), [*all_corners()[1:], all_corners()[0]], strict=True):
        first, last = batch + np.array(start), batch + np.array(end)
        places = nodes_on_segment(network, first, last)
        values = on_segment(network, first, last, places)
        points = first[..., None, :] + places[..., None] * (last - first)[..., None, :]
        errors.append(largest(absolute(values - points), axis=-2))
    return largest(np.stack(errors, axis=-1))


def circle_does_not_pass(parts: Parts) -> Relation:
    """The largest error of a function that passes the bottleneck."""
    inner, outer = parts
    error = largest(largest_errors(compose(outer, inner, merge=False)))
    return ge(error, 0 * error + 1)


def has_one_neuron(parts: Parts) -> Array:
    """Whether the networks are joined by one neuron."""
    inner, _ = parts
    return np.full(inner.batch_shape, inner.widths[-1] == 1)


# False variants


def costs_more_than_its_dimension(changed: Changes) -> Relation:
    """(k + 1)L."""
    network, basis = changed
    return ge(network.weight_norm_squared, network.depth * (basis.shape[-1] + 1) + 0 * basis[..., 0, 0])


def every_layer_costs_its_dimension(changed: Changes) -> Relation:
    """K for the first layer alone."""
    network, basis = changed
    first = network.weights[0]
    return ge((first * first).sum(axis=(-2, -1)), basis.shape[-1] + 0 * basis[..., 0, 0])


def wrong_in_the_first_coordinate(parts: Parts) -> Relation:
    """The error of the first coordinate alone."""
    inner, outer = parts
    error = largest_errors(compose(outer, inner, merge=False))[..., 0]
    return ge(error, 0 * error + 1)


def wrong_by_two(parts: Parts) -> Relation:
    """An error of 2."""
    inner, outer = parts
    error = largest(largest_errors(compose(outer, inner, merge=False)))
    return ge(error, 0 * error + 2)


def orthogonal_layers() -> dict[str, Any]:
    """Identities between different frames, of rank 2."""
    changes = rationals([[[1, 0], [0, 1]]] * 3)
    frames = rationals([[[1, 2, 2], [0, 1, 1]], [[1, 0, 0], [0, 0, 1]], [[0, 0, 0], [3, 1, 1]], [[1, 1, 1], [2, 1, 0]]])
    return {"changed": identity_on_subspace(frames, changes)}


def zero_function() -> dict[str, Any]:
    """Networks of zeros."""
    inner = FullyConnected([rationals([[0, 0]])], activation=relu())
    return {"parts": (inner, FullyConnected([rationals([[0], [0]])], activation=relu()))}


def invertible(changed: Changes) -> Array:
    """Whether all layers keep the subspace, so that the last one is defined."""
    network, basis = changed
    return np.asarray(rank(network.weights[-1]) == basis.shape[-1])


def near_identity(**lengths: Any) -> Variable:
    """Networks, half of them with the identity added to every weight matrix."""
    return derived(around_identity, network=Networks(slope=0, **lengths), kind=integers(0, 1))


SOURCE = Source("bottleneck_structure", "Section 3.3.1")
ONE = {"the bottleneck has one neuron": has_one_neuron}

CLAIM = Claim(
    id="bottleneck_structure.identity_dimension",
    title="The identity of a k-dimensional space costs kL at least",
    source=SOURCE,
    statement=identity_costs_the_dimension,
    domain=Domain(
        {
            "changed": derived(
                identity_on_subspace,
                frames=reals("depth", "k", "width"),
                changes=derived(
                    near_the_identity, changes=reals(lambda sizes: sizes["depth"] - 1, "k", "k"), free=integers(0, 1)
                ),
            )
        },
        {"depth": (2, 3, 6), "k": (1, 2, 3), "width": (1, 2, 3)},
        {"the layers keep the subspace": invertible},
        lambda sizes: sizes["k"] <= sizes["width"],
    ),
    tight={"orthogonal layers": Tight(orthogonal_layers)},
    false_neighbours={"(k + 1)L": costs_more_than_its_dimension, "every layer": every_layer_costs_its_dimension},
)

CIRCLE = Claim(
    id="bottleneck_structure.identity_dimension.circle",
    title="A circle does not pass a bottleneck of one neuron",
    source=SOURCE,
    statement=circle_does_not_pass,
    domain=Domain(
        {
            "parts": derived(
                with_common_slope,
                inner=near_identity(depth="inner_depth", inputs=2, outputs="middle"),
                outer=near_identity(depth="outer_depth", inputs="middle", outputs=2),
                slope=slopes(-1, 1),
            )
        },
        {"inner_depth": (1, 2), "outer_depth": (1, 2, 3), "middle": (1, 2), "width": (2,)},
        ONE,
    ),
    needs=tuple(ONE),
    tight={"the function 0": Tight(zero_function)},
    false_neighbours={"in the first coordinate": wrong_in_the_first_coordinate, "an error of 2": wrong_by_two},
    cost=3,
)
