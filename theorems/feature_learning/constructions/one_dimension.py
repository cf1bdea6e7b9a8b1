r"""Shallow ReLU networks with one input; balanced neurons :math:`\pm\sigma(u \cdot (x, \beta))` cost :math:`2\|u\|`.

Source: feature_learning, Proposition 15.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import ones, relu, sqrt, stack


@widened
def lengths(vectors: Array) -> Array:
    """Euclidean norms of the rows, ``(n, d) -> (n,)``."""
    return sqrt((vectors * vectors).sum(axis=1))


@widened
def at_points(x: Array | Sequence[int], beta: Array | int) -> Array:
    r"""Columns :math:`(x, \beta)`, ``(N,) -> (2, N)``."""
    return stack([x, beta * ones(len(x))])


@widened
def hidden_outputs(neurons: Array, x: Array | Sequence[int], beta: Array | int) -> Array:
    """Outputs without output bias of neurons with the rows (a, b, c), ``(n, 3), (N,) -> (N,)``."""
    return neurons[:, 0] @ relu(neurons[:, 1:] @ at_points(x, beta))
