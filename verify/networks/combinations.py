"""Networks made of two networks: composition, sum, and the passage through a bottleneck."""

from __future__ import annotations

import numpy as np

from verify.networks._arrays import apply_to_vector, checked_shift, equal, eye, positive, product, with_batch, zeros
from verify.networks.activations import HomogeneousActivation
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import flag, instance
from verify.numbers.arithmetic import LARGEST_COUNT, Array, array_module, integer


def compose(outer: FullyConnected, inner: FullyConnected, *, merge: bool) -> FullyConnected:
    """Network for ``outer(inner(x))``.

    With ``merge=True`` the last layer of `inner` and the first of `outer` are multiplied together: depth
    ``outer.depth + inner.depth - 1``, equal to the composition everywhere. With ``merge=False`` the activation is applied
    between them: depth ``outer.depth + inner.depth``, equal to the composition where `inner` is not negative (if the
    activation is the identity there), and the squared norm is the sum of the two.

    Raises
    ------
    ValueError
        The widths at the joint or the activations differ.

    Source: bottleneck_structure, Theorem 3 (proof).

    Examples
    --------
    >>> twice = from_matrix(rationals([[2]]), depth=1)
    >>> compose(twice, twice, merge=True).depth, compose(twice, twice, merge=False).depth
    (1, 2)
    """
    _check_joint(outer, inner)
    activation = _common_activation(outer, inner)
    if not flag("merge", merge):
        return FullyConnected([*inner.weights, *outer.weights], [*inner.biases, *outer.biases], activation)
    entry = outer.weights[0]
    return FullyConnected(
        [*inner.weights[:-1], product(entry, inner.weights[-1]), *outer.weights[1:]],
        [*inner.biases[:-1], apply_to_vector(entry, inner.biases[-1]) + outer.biases[0], *outer.biases[1:]],
        activation,
    )


def add(left: FullyConnected, right: FullyConnected) -> FullyConnected:
    """Network for ``left(x) + right(x)``: the two side by side; the biases of the output add.

    For depth at least 2 the squared norm is the sum of the two plus twice the inner product of the output biases.

    Raises
    ------
    ValueError
        The depths, inputs, outputs or activations differ.

    Source: bottleneck_structure, Theorem 3 (proof).

    Examples
    --------
    >>> twice = from_matrix(rationals([[4]]), depth=2)
    >>> print(add(twice, twice)(rationals([3])))
    [24]
    """
    for name, network in (("left", left), ("right", right)):
        instance(name, network, FullyConnected)
    for name, on_left, on_right in (
        ("depth", left.depth, right.depth),
        ("inputs", left.widths[0], right.widths[0]),
        ("outputs", left.widths[-1], right.widths[-1]),
    ):
        if on_left != on_right:
            hint = ": see pad_to_depth" if name == "depth" else ""
            raise ValueError(f"{name} must agree, got left {on_left} and right {on_right}{hint}")
    activation = _common_activation(left, right)
    last_bias = left.biases[-1] + right.biases[-1]
    if left.depth == 1:
        return FullyConnected([left.weights[0] + right.weights[0]], [last_bias], activation)
    batch = np.broadcast_shapes(left.batch_shape, right.batch_shape)
    pairs = [tuple(with_batch(weight, batch, 2) for weight in pair) for pair in zip(left.weights, right.weights, strict=True)]
    bias_pairs = [tuple(with_batch(bias, batch, 1) for bias in pair) for pair in zip(left.biases, right.biases, strict=True)]
    xp = array_module(last_bias)
    return FullyConnected(
        [
            xp.concatenate(pairs[0], axis=-2),
            *(_block_diagonal(*pair) for pair in pairs[1:-1]),
            xp.concatenate(pairs[-1], axis=-1),
        ],
        [*(xp.concatenate(pair, axis=-1) for pair in bias_pairs[:-1]), last_bias],
        activation,
    )


def through_bottleneck(
    inner: FullyConnected, outer: FullyConnected, depth: int, shift: Array | None = None, scale: Array | None = None
) -> FullyConnected:
    r"""Network of `depth` layers for ``outer(inner(x))`` that carries the k outputs of `inner` through identity layers.

    With shifts s and scales c, shapes ``(*batch, k)`` (zero and one unless given), the last layer of `inner` becomes
    :math:`c \odot W, c \odot (b + s)`, the first of `outer` :math:`W \,\mathrm{diag}(1/c), b - W s`, and between them are
    ``depth - inner.depth - outer.depth`` layers :math:`I_k`. Equal to the composition where ``inner(x) + s`` is not
    negative. With s = 0 and c = 1 the squared norm is the sum of the two plus k for each identity layer; in general

    .. math:: [\text{rest of both}] + \sum_i c_i^2 (\|W^g_{i\cdot}\|^2 + (b_i + s_i)^2)
        + \sum_i \|W^h_{\cdot i}\|^2 / c_i^2 + \|b^h - W^h s\|^2 + k (L - L_g - L_h) .

    Raises
    ------
    ValueError
        `depth` is too small, the widths at the joint or the activations differ, a scale is not positive, or the slope of
        the activation for ``t >= 0`` is not 1.

    Source: notion_of_rank, Theorem 1.

    Examples
    --------
    >>> inner = outer = from_matrix(rationals([[2]]), depth=1)
    >>> through_bottleneck(inner, outer, depth=5).weight_norm_squared
    11
    """
    _check_joint(outer, inner)
    activation = _common_activation(outer, inner)
    depth = integer("depth", depth, most=LARGEST_COUNT)
    if depth < inner.depth + outer.depth:
        raise ValueError(f"depth must be at least {inner.depth} + {outer.depth} (inner and outer), got {depth}")
    if not equal(activation.positive, 1):
        raise ValueError(f"identity layers need slope 1 for t >= 0, got {activation.positive}")
    width, like = inner.widths[-1], inner.weights[0]
    exit_weight, exit_bias = inner.weights[-1], inner.biases[-1]
    entry_weight, entry_bias = outer.weights[0], outer.biases[0]
    if shift is not None:
        shift = checked_shift("shift", shift, width, like)
        exit_bias, entry_bias = exit_bias + shift, entry_bias - apply_to_vector(entry_weight, shift)
    if scale is not None:
        scale = checked_shift("scale", scale, width, like)
        if not positive("scale", scale).all():
            raise ValueError("scale must be positive: a negative scale does not pass through the activation")
        exit_weight, exit_bias = exit_weight * scale[..., :, None], exit_bias * scale
        entry_weight = entry_weight / scale[..., None, :]
    count = depth - inner.depth - outer.depth
    return FullyConnected(
        [*inner.weights[:-1], exit_weight, *[eye(width, like)] * count, entry_weight, *outer.weights[1:]],
        [*inner.biases[:-1], exit_bias, *[zeros((width,), like)] * count, entry_bias, *outer.biases[1:]],
        activation,
    )


def _block_diagonal(upper: Array, lower: Array) -> Array:
    rows, columns = upper.shape[-2:]
    result = zeros((*upper.shape[:-2], rows + lower.shape[-2], columns + lower.shape[-1]), upper)
    result[..., :rows, :columns] = upper
    result[..., rows:, columns:] = lower
    return result


def _check_joint(outer: FullyConnected, inner: FullyConnected) -> None:
    for name, network in (("outer", outer), ("inner", inner)):
        instance(name, network, FullyConnected)
    if outer.widths[0] != inner.widths[-1]:
        raise ValueError(f"outer takes {outer.widths[0]} inputs but inner gives {inner.widths[-1]} outputs")


def _common_activation(first_network: FullyConnected, second_network: FullyConnected) -> HomogeneousActivation:
    if first_network.is_exact != second_network.is_exact:
        raise ValueError("one network is exact and the other float: convert with as_exact() or as_float()")
    first, second = first_network.activation, second_network.activation
    if not (equal(first.positive, second.positive) and equal(first.negative, second.negative)):
        raise ValueError(f"the activations must agree, got {first} and {second}")
    return first
