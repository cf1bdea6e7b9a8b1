"""Live neurons, and the rescaling of neurons that makes the parameter norm smallest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from verify.networks._arrays import nonzero
from verify.numbers.arithmetic import Array, UndecidedInstances, array_module

MAX_NEWTON_STEPS = 500
"""Damped steps: 200 layers whose rows were scaled by 10^(6 g), g normal, took 301, three layers without scales 6."""

# then no square, no scale and no product of both leaves the range of float64
SMALLEST, LARGEST = 1e-50, 1e50


def live_neurons(weights: Sequence[Array], biases: Sequence[Array]) -> tuple[Array, ...]:
    """For each hidden layer, which neurons can matter: shapes ``(*batch, n_l)``, booleans.

    A neuron is live if non-zero weights lead to it from an input or a bias, and from it to an output. Setting the incoming
    and outgoing weights and the bias of every other neuron to zero does not change the function.
    """
    edges = [nonzero(weight) for weight in weights]
    xp = array_module(edges[0])
    reached = [xp.ones(edges[0].shape[:-2] + edges[0].shape[-1:], dtype=bool)]
    for edge, bias in zip(edges[:-1], biases[:-1], strict=True):
        reached.append((edge & reached[-1][..., None, :]).any(axis=-1) | nonzero(bias))
    useful = [xp.ones(edges[-1].shape[:-1], dtype=bool)]
    for edge in reversed(edges[1:]):
        useful.append((edge & useful[-1][..., :, None]).any(axis=-2))
    return tuple(forward & backward for forward, backward in zip(reached[1:], reversed(useful[1:]), strict=True))


def check_range(parameters: Sequence[Array]) -> None:
    """Check that every parameter is zero or between 1e-50 and 1e50 in absolute value."""
    xp = array_module(parameters[0])
    for magnitudes in map(xp.abs, parameters):
        if ((magnitudes > 0) & ((magnitudes < SMALLEST) | (magnitudes > LARGEST))).any():
            raise ValueError(f"balance needs parameters that are zero or between {SMALLEST} and {LARGEST} in absolute value")


def balancing_factors(weights: Sequence[Array], biases: Sequence[Array]) -> tuple[Array, ...]:
    r"""Factors ``exp(u_l)`` of the hidden neurons for which the parameter norm is smallest, shapes ``(*batch, n_l)``.

    Neuron `i` of layer `l` gets its incoming weights and its bias times ``exp(u_{l,i})``, its outgoing weights divided by
    it. The norm, a sum of exponentials of differences of the `u`, is convex, and its minimum is attained and unique on the
    live neurons; every other neuron must have zero weights and bias. Newton's method: its Hessian is block tridiagonal, and
    the step is damped by ``log(1 + r) / r`` with `r` the largest change of an exponent along the step, for which a sum of
    exponentials decreases always.

    Raises
    ------
    UndecidedInstances
        Newton's method did not reach its accuracy.
    """
    xp = array_module(weights[0])
    squares = [weight**2 for weight in weights]
    bias_squares = [bias**2 for bias in biases[:-1]]
    live = live_neurons(weights, biases)
    if not live:
        return ()
    logs = _one_sweep_each(squares, bias_squares, live)
    terms = [before.shape[-1] + after.shape[-2] + 1 for before, after in pairwise(weights)]
    for _ in range(MAX_NEWTON_STEPS):
        edges = _rescaled(squares, logs)
        incoming, outgoing = _sums(edges, bias_squares, logs)
        total = [xp.where(alive, into + out, 1.0) for alive, into, out in zip(live, incoming, outgoing, strict=True)]
        gap = [(out - into) / 2 for into, out in zip(incoming, outgoing, strict=True)]
        residual = [2 * g / t for g, t in zip(gap, total, strict=True)]
        # each neuron sums up `terms` rounded squares, whose exponents carry as many ulps as the exponent is large
        per_term = _largest([part / count for part, count in zip(residual, terms, strict=True)])
        unbalanced = ~(per_term <= 4 * (1 + _largest(logs)) * np.finfo(np.float64).eps)
        if not unbalanced.any():
            return tuple(xp.exp(log) for log in logs)
        try:
            step = _solve_block_tridiagonal(total, edges[1:-1], gap)
        except np.linalg.LinAlgError:
            break
        longest = 4 * _largest(step)
        damping = xp.where(longest > 0, xp.log1p(longest) / xp.where(longest > 0, longest, 1.0), 1.0)
        logs = [log + damping[..., None] * part for log, part in zip(logs, step, strict=True)]
    message = f"the neurons are balanced only to {float(_largest(residual).max()):.1e}: their weights differ by too much"
    raise UndecidedInstances(message, unbalanced)


def _largest(layers: Sequence[Array]) -> Array:
    """Largest absolute value over all neurons, shapes ``(*batch, n_l) -> (*batch,)``."""
    xp = array_module(layers[0])
    zero = xp.zeros((*layers[0].shape[:-1], 1), dtype=layers[0].dtype)  # there may be no neurons
    largest: Array = xp.concatenate([zero, *(xp.abs(layer) for layer in layers)], axis=-1).max(axis=-1)
    return largest


def _rescaled(squares: Sequence[Array], logs: Sequence[Array]) -> list[Array]:
    xp = array_module(squares[0])
    edges = list(squares)
    for layer, log in enumerate(logs):
        edges[layer] = edges[layer] * xp.exp(2 * log)[..., :, None]
        edges[layer + 1] = edges[layer + 1] * xp.exp(-2 * log)[..., None, :]
    return edges


def _sums(edges: Sequence[Array], bias_squares: Sequence[Array], logs: Sequence[Array]) -> tuple[list[Array], list[Array]]:
    xp = array_module(edges[0])
    incoming = [
        edge.sum(axis=-1) + square * xp.exp(2 * log) for edge, square, log in zip(edges[:-1], bias_squares, logs, strict=True)
    ]
    return incoming, [edge.sum(axis=-2) for edge in edges[1:]]


def _one_sweep_each(squares: Sequence[Array], bias_squares: Sequence[Array], live: Sequence[Array]) -> list[Array]:
    """Start of Newton's method: each layer balanced in its turn, so that no exponent is far off."""
    xp = array_module(squares[0])
    logs = [xp.zeros(alive.shape, dtype=xp.float64) for alive in live]
    previous = xp.zeros(squares[0].shape[:-2] + squares[0].shape[-1:], dtype=xp.float64)
    for layer, alive in enumerate(live):
        into = (squares[layer] * xp.exp(-2 * previous)[..., None, :]).sum(axis=-1) + bias_squares[layer]
        out = squares[layer + 1].sum(axis=-2)
        previous = logs[layer] = (xp.log(xp.where(alive, out, 1.0)) - xp.log(xp.where(alive, into, 1.0))) / 4
    return logs


def _solve_block_tridiagonal(diagonal: Sequence[Array], below: Sequence[Array], right: Sequence[Array]) -> list[Array]:
    """Solve ``H h = right``: the diagonal blocks of H are diagonal, ``-below[l]`` couples layer ``l + 1`` to layer `l`."""
    xp = array_module(right[0])
    blocks = [entries[..., :, None] * xp.eye(entries.shape[-1]) for entries in diagonal]
    solution = [part[..., None] for part in right]
    for layer, edge in enumerate(below, start=1):
        right_sides = xp.concatenate([xp.swapaxes(edge, -1, -2), solution[layer - 1]], axis=-1)
        eliminated = xp.linalg.solve(blocks[layer - 1], right_sides)
        blocks[layer] = blocks[layer] - edge @ eliminated[..., :-1]
        solution[layer] = solution[layer] + edge @ eliminated[..., -1:]
    solution[-1] = xp.linalg.solve(blocks[-1], solution[-1])
    for layer in range(len(below) - 1, -1, -1):
        coupled = solution[layer] + xp.swapaxes(below[layer], -1, -2) @ solution[layer + 1]
        solution[layer] = xp.linalg.solve(blocks[layer], coupled)
    return [part[..., 0] for part in solution]
