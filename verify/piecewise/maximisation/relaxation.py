r"""Proved upper bounds of a network of one output over parts of a polytope, in batches of floats with their rounding errors.

For a neuron with pre-activation t in :math:`[l, u]`, the positive part r = max(t, 0) satisfies :math:`r \ge \alpha t` for any
:math:`\alpha` in [0, 1], and :math:`r \le s t + \max(-s l, (1 - s) u)` with :math:`s = u / (u - l)`; an activation of slopes
p, q is q t + (p - q) r. From the output backwards every activation is replaced by the line on the side that its coefficient
asks for, plus :math:`\beta \ge 0` times t for a neuron whose t is known to be :math:`\ge 0` (minus, for :math:`\le 0`). What
is left is an affine function of the inputs, whose maximum over the polytope is an upper bound whatever :math:`\alpha` and
:math:`\beta` are (Xu et al. 2021; Wang et al. 2021); at the best ones it is the bound of the linear relaxation. They are looked
for by steps along the gradient.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, floats, rational, rationals
from verify.piecewise.polytope import Polytope

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]
Signs = npt.NDArray[np.int8]
"""1: the pre-activation is >= 0; -1: it is <= 0; 0: not said."""

EPS = float(np.finfo(np.float64).eps)
UNDERFLOW = 1e-300
"""More than all that is lost below the range of float64."""
ZERO = fmpq(0)
STEP, DECAY = 0.05, 0.95
"""The first step, which moves a multiplier by about this much, and what the length of each next one is multiplied by."""
TIGHTENING = 40
"""Steps towards the best bounds of pre-activations."""
LITTLE = 1e-6
"""Share with which the interval of a neuron counts whose upper line is not used."""


@dataclass(frozen=True, eq=False, slots=True)
class Parts:
    """Parts of the polytope: for each, floats with ``lower <= t <= upper`` for every hidden neuron, signs, and multipliers.

    All arrays have shape ``(parts, neurons)``. Signs are what the part is defined by; the ranges follow.
    """

    lower: Floats
    upper: Floats
    signs: Signs
    alpha: Floats
    beta: Floats

    @property
    def unstable(self) -> Flags:
        """Which pre-activations may have either sign."""
        return (self.lower < 0) & (self.upper > 0)

    def where(self, index: Index) -> Parts:
        """The parts of an index."""
        return Parts(self.lower[index], self.upper[index], self.signs[index], self.alpha[index], self.beta[index])


@dataclass(frozen=True, eq=False, slots=True)
class Bounds:
    """Upper bounds, shape ``(parts,)``, and the parts with the multipliers that gave them.

    With the inputs where the affine functions are largest, shape ``(parts, inputs)``, and what the upper lines of the neurons
    add to the bounds, shape ``(parts, neurons)``.
    """

    values: Floats
    parts: Parts
    inputs: Floats
    gains: Floats


@dataclass(frozen=True, eq=False, slots=True)
class _Pass:
    """What one backward pass gives: bounds, inputs, coefficients on positive parts, slopes and offsets of their lines."""

    values: Floats
    inputs: Floats
    coefficients: Floats
    slopes: Floats
    offsets: Floats
    intercepts: Floats


class Relaxation:
    """The bounds for one network of one output with hidden neurons, rescaled so that pre-activations are about 1 in size.

    Attributes
    ----------
    network, scale
        The rescaled network, in rationals; times `scale` it is the given one on the polytope.
    starts
        The hidden neurons of layer l are ``starts[l - 1]`` to ``starts[l]``; the last entry is their number.
    """

    def __init__(self, network: FullyConnected, polytope: Polytope) -> None:
        self.polytope = polytope
        self.network, self.scale, self._interval = _rescaled(network, polytope)
        self.starts = [0, *np.cumsum(self.network.widths[1:-1]).tolist()]
        self._weights = [floats(weight) for weight in self.network.weights]
        self._biases = [floats(bias) for bias in self.network.biases]
        slopes = (self.network.activation.positive, self.network.activation.negative)
        self.positive, self.negative = floats(rationals([rational(slope) for slope in slopes]))

    @property
    def count(self) -> int:
        """Number of hidden neurons."""
        return int(self.starts[-1])

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """Bounds of the inputs, in floats that are at most an ulp off."""
        units = rationals(np.eye(self.network.widths[0], dtype=np.int64))
        ends = floats(rationals([self.polytope.range_of_row(list(unit), ZERO) for unit in units]))
        return ends[:, 0], ends[:, 1]

    @cached_property
    def _vertices(self) -> Floats | None:
        """Vertices of a polytope that is no box, in floats."""
        oblique = np.count_nonzero(self.polytope.normals, axis=1) > 1
        return floats(self.polytope.vertices) if np.any(oblique) else None

    @cached_property
    def _facets(self) -> tuple[Floats, Floats, Floats]:
        """The inequalities, and the room they leave at the interior point, in floats."""
        room = self.polytope.offsets - self.polytope.normals @ self.polytope.interior_point
        return floats(self.polytope.normals), floats(self.polytope.offsets), floats(room)

    def moved_inside(self, points: Floats) -> Floats:
        """Points in floats, those outside moved towards the interior point as far as a facet asks."""
        normals, offsets, room = self._facets
        beyond = np.maximum(points @ normals.T - offsets, 0)
        share = (beyond / (beyond + room)).max(axis=1, keepdims=True)
        return np.asarray(points + share * (floats(self.polytope.interior_point) - points))

    @cached_property
    def sizes(self) -> Floats:
        """How large the value of each input and of each activation can be."""
        ends = np.maximum(np.abs(self._interval[0]), np.abs(self._interval[1]))
        inputs = np.maximum(np.abs(self.box[0]), np.abs(self.box[1]))
        return np.concatenate([inputs, ends * max(abs(self.positive), abs(self.negative))]) * (1 + 4 * EPS)

    def whole(self) -> Parts:
        """The polytope as one part; its ranges by interval arithmetic, then from bounds of every pre-activation."""
        zeros = np.zeros((1, self.count))
        part = Parts(self._interval[0][None], self._interval[1][None], zeros.astype(np.int8), zeros + 0.5, zeros)
        for layer in range(1, len(self.starts) - 1):
            part = self._tightened(part, layer)
        return part

    def narrowed(self, parts: Parts) -> Parts:
        """The parts with the ranges that their signs and interval arithmetic make of those of the whole."""
        lower = np.where(parts.signs > 0, np.maximum(parts.lower, 0), parts.lower)
        upper = np.where(parts.signs < 0, np.minimum(parts.upper, 0), parts.upper)
        for layer in range(1, len(self.starts) - 1):
            before, here = self._layer(layer - 1), self._layer(layer)
            low, high = self._activated(lower[:, before], upper[:, before])
            weight, bias = self._weights[layer], self._biases[layer]
            above, below = np.maximum(weight, 0).T, np.minimum(weight, 0).T
            # each weight, slope and bias is rounded once, and there is one product and one addition for each
            size = np.maximum(np.abs(low), np.abs(high)) @ np.abs(weight).T + np.abs(bias)
            error = (weight.shape[1] + 8) * EPS * size + UNDERFLOW
            lower[:, here] = np.maximum(lower[:, here], low @ above + high @ below + bias - error)
            upper[:, here] = np.minimum(upper[:, here], high @ above + low @ below + bias + error)
        return replace(parts, lower=lower, upper=upper)

    def bounds(self, parts: Parts, steps: int, ceilings: Floats, enough: float = -np.inf) -> Bounds:
        """Upper bounds of the output on each part, none above its ceiling, after so many steps (fewer if all are `enough`)."""
        ones = np.ones((len(parts.lower), 1))
        bounds = self._descended(parts, len(self._weights) - 1, ones, steps, enough)
        return replace(bounds, values=np.minimum(bounds.values, ceilings))

    def exact_bound(self, parts: Parts, index: int) -> fmpq:
        """The upper bound of one part from its multipliers, without rounding."""
        positive, negative = (rational(slope) for slope in (self.network.activation.positive, self.network.activation.negative))
        slopes = _upper_lines(parts.where(np.array([index])))[0]
        current, total = rationals([1]), ZERO
        for layer in range(len(self.starts) - 1, -1, -1):
            total += current @ self.network.biases[layer]
            current = current @ self.network.weights[layer]
            if layer == 0:
                break
            for j, i in enumerate(range(self.starts[layer - 1], self.starts[layer])):
                low, high = (_exactly(float(ends[index, i])) for ends in (parts.lower, parts.upper))
                on_part, slope = current[j] * (positive - negative), _exactly(float(slopes[0, i]))
                if low < 0 < high and on_part > 0:
                    total += on_part * max(-slope * low, (1 - slope) * high)
                elif low < 0 < high:
                    slope = _exactly(float(parts.alpha[index, i]))
                else:
                    slope = fmpq(int(low >= 0))
                forced = int(parts.signs[index, i]) * _exactly(float(parts.beta[index, i]))
                current[j] = current[j] * negative + on_part * slope + forced
        return total + self.polytope.range_of_row(list(current), ZERO)[1]

    def _layer(self, layer: int) -> slice:
        return slice(self.starts[layer], self.starts[layer + 1])

    def _activated(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        ends = np.array([np.where(t >= 0, self.positive * t, self.negative * t) for t in (lower, upper)])
        crossing = (lower < 0) & (upper > 0)
        low, high = ends.min(axis=0), ends.max(axis=0)
        return np.where(crossing, np.minimum(low, 0), low), np.where(crossing, np.maximum(high, 0), high)

    def _tightened(self, part: Parts, layer: int) -> Parts:
        """One part, with bounds of the pre-activations of a layer that may have either sign, both ways."""
        here = self._layer(layer)
        neurons = np.flatnonzero(part.unstable[0, here])
        if len(neurons) == 0:
            return part
        rows = np.zeros((2 * len(neurons), here.stop - here.start))
        rows[np.arange(len(neurons)), neurons], rows[len(neurons) + np.arange(len(neurons)), neurons] = 1, -1
        repeated = part.where(np.zeros(len(rows), dtype=np.intp))
        values = self._descended(repeated, layer, rows, TIGHTENING, -np.inf).values
        lower, upper = part.lower.copy(), part.upper.copy()
        place = here.start + neurons
        upper[0, place] = np.minimum(upper[0, place], values[: len(neurons)])
        lower[0, place] = np.maximum(lower[0, place], -values[len(neurons) :])
        return self.narrowed(replace(part, lower=lower, upper=upper))

    def _descended(self, parts: Parts, layer: int, rows: Floats, steps: int, enough: float) -> Bounds:
        """Bounds of ``rows . t`` for the pre-activations of a layer (the last: the output), by Adam's steps (Kingma and Ba)."""
        alpha, beta = parts.alpha, parts.beta
        best = np.full(len(rows), np.inf)
        kept = [alpha.copy(), beta.copy(), np.zeros((len(rows), self.network.widths[0])), np.zeros_like(alpha)]
        means, squares = np.zeros((2, *alpha.shape)), np.zeros((2, *alpha.shape))
        unstable, lines = parts.unstable, _upper_lines(parts)
        for step in range(steps + 1):
            backward = self._backward(replace(parts, alpha=alpha, beta=beta), unstable, lines, layer, rows)
            signals = self._forward(backward, layer)
            better = backward.values < best
            best = np.where(better, backward.values, best)
            gains = np.abs(backward.coefficients) * np.where(backward.coefficients > 0, 1, LITTLE) * backward.intercepts
            for old, new in zip(kept, (alpha, beta, backward.inputs, gains), strict=True):
                old[better] = new[better]
            if step == steps or np.all(best < enough):
                break
            gradients = np.stack(
                [np.where(backward.coefficients < 0, backward.coefficients * signals, 0), parts.signs * signals]
            )
            gradients[0][~unstable] = 0
            means, squares = 0.8 * means + 0.2 * gradients, 0.9 * squares + 0.1 * gradients**2
            size = STEP * DECAY**step
            change = size * means / (1 - 0.8 ** (step + 1)) / (np.sqrt(squares / (1 - 0.9 ** (step + 1))) + 1e-12)
            alpha, beta = np.clip(alpha - change[0], 0, 1), np.maximum(beta - change[1], 0)
        return Bounds(best, replace(parts, alpha=kept[0], beta=kept[1]), kept[2], kept[3])

    def _backward(self, parts: Parts, unstable: Flags, lines: tuple[Floats, Floats], layer: int, rows: Floats) -> _Pass:
        """Bounds of ``rows . t`` from the lines of the parts.

        What is computed is a sum of terms with multipliers that may be anything, so that a rounding error is one of a term; the
        sizes of all terms are added up, too.
        """
        coefficients, slopes, offsets = np.zeros((3, *parts.lower.shape))
        upper_slopes, upper_offsets = lines
        below, p, q = self.network.widths[0], self.positive, self.negative
        current = rows
        total, size = np.zeros(len(rows)), np.zeros(len(rows))
        for k in range(layer, -1, -1):
            weight, bias = self._weights[k], self._biases[k]
            total += current @ bias
            start = 0 if k == 0 else below + self.starts[k - 1]
            size += np.abs(current) @ (np.abs(bias) + np.abs(weight) @ self.sizes[start : start + weight.shape[1]])
            current = current @ weight
            if k == 0:
                break
            here = self._layer(k - 1)
            on_parts = current * (p - q)
            slope = np.where(on_parts > 0, upper_slopes[:, here], parts.alpha[:, here])
            slope = np.where(unstable[:, here], slope, parts.lower[:, here] >= 0)
            offset = np.where(on_parts > 0, upper_offsets[:, here], 0)
            coefficients[:, here], slopes[:, here], offsets[:, here] = on_parts, slope, offset
            total += (on_parts * offset).sum(axis=1)
            forced = parts.beta[:, here] * parts.signs[:, here]
            # |t| and max(t, 0) are at most 1 and a few ulps, and so are the offsets
            size += 3 * (np.abs(current) * (abs(p) + abs(q)) + np.abs(forced)).sum(axis=1)
            current = current * q + on_parts * slope + forced
        if self._vertices is None:
            inputs = np.where(current > 0, self.box[1], self.box[0])
            total += (current * inputs).sum(axis=1)
        else:
            heights = current @ self._vertices.T
            inputs = self._vertices[np.argmax(heights, axis=1)]
            total += heights.max(axis=1)
        error = 4 * (self.count + below + 16) * EPS * (size + np.abs(current) @ self.sizes[:below]) + UNDERFLOW
        return _Pass(total + error, inputs, coefficients, slopes, offsets, upper_offsets)

    def _forward(self, backward: _Pass, layer: int) -> Floats:
        """The pre-activations at the inputs of a pass, with its lines for the activations: zero behind `layer`."""
        signals = np.zeros_like(backward.slopes)
        values = backward.inputs
        for k in range(layer):
            here = self._layer(k)
            t = values @ self._weights[k].T + self._biases[k]
            signals[:, here] = t
            parts = backward.slopes[:, here] * t + backward.offsets[:, here]
            values = self.negative * t + (self.positive - self.negative) * parts
        return signals


def _upper_lines(parts: Parts) -> tuple[Floats, Floats]:
    """Slopes and offsets of the lines above the positive parts of unstable neurons; the offsets with rounding errors."""
    unstable = parts.unstable
    width = np.where(unstable, parts.upper - parts.lower, 1)
    # multiples of 2^-30, so that 1 - slope is exact
    slopes = np.where(unstable, np.rint(np.ldexp(parts.upper / width, 30)) / 2**30, 0)
    return slopes, np.where(unstable, np.maximum(-slopes * parts.lower, (1 - slopes) * parts.upper), 0)


def rounded_up(value: fmpq) -> float:
    """A float that is at least `value`, the next or the one after."""
    return float(np.nextafter(floats(rationals([value]))[0], np.inf))


def _rescaled(network: FullyConnected, polytope: Polytope) -> tuple[FullyConnected, fmpq, tuple[Floats, Floats]]:
    """The function divided by a power of two, this power, and ranges of all pre-activations.

    All neurons are rescaled by powers of two, so that pre-activations and last weights are at most 1 in size.
    """
    positive, negative = (rational(slope) for slope in (network.activation.positive, network.activation.negative))
    weights, biases, lows, highs = [], [], list[float](), list[float]()
    values: list[tuple[fmpq, fmpq]] = []
    scales = rationals(np.ones(network.widths[0], dtype=np.int64))
    for layer, (weight, bias) in enumerate(zip(network.weights[:-1], network.biases, strict=False)):
        scaled = weight * scales
        if layer == 0:
            ranges = [polytope.range_of_row(list(row), offset) for row, offset in zip(scaled, bias, strict=True)]
        else:
            ranges = [_range(row, values, offset) for row, offset in zip(scaled, bias, strict=True)]
        scales = rationals([_power_of_two(max(abs(low), abs(high))) for low, high in ranges])
        weights.append(scaled / scales[:, None])
        biases.append(bias / scales)
        values = []
        for (low, high), scale in zip(ranges, scales, strict=True):
            lows.append(-rounded_up(-low / scale))
            highs.append(rounded_up(high / scale))
            ends = [_exactly(t) * (positive if t >= 0 else negative) for t in (lows[-1], highs[-1])]
            ends += [ZERO] if lows[-1] < 0 < highs[-1] else []
            values.append((min(ends), max(ends)))
    last = network.weights[-1] * scales
    size = _power_of_two(max(abs(entry) for entry in last.flat))
    result = FullyConnected([*weights, last / size], [*biases, network.biases[-1] / size], network.activation)
    return result, size, (np.array(lows), np.array(highs))


def _range(row: Array, values: list[tuple[fmpq, fmpq]], offset: fmpq) -> tuple[fmpq, fmpq]:
    low = high = offset
    for entry, (a, b) in zip(row, values, strict=True):
        low, high = low + entry * (a if entry > 0 else b), high + entry * (b if entry > 0 else a)
    return low, high


def _power_of_two(size: fmpq) -> fmpq:
    """The power of two that is at least `size` and less than four times as large; 1 for zero."""
    if size == 0:
        return fmpq(1)
    return fmpq(2) ** (int(size.p).bit_length() - int(size.q).bit_length() + 1)


def _exactly(value: float) -> fmpq:
    return fmpq(*value.as_integer_ratio())
