"""Leaky ResNets of infinite depth: differential equations, integrated by scipy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.networks._arrays import check_batches, number_like
from verify.networks.leaky_resnet._features import active, checked_matrix, rectified
from verify.networks.leaky_resnet.hamiltonian import check_integrable
from verify.networks.leaky_resnet.network import LeakyResNet
from verify.numbers.arguments import listed, real_array, real_number
from verify.numbers.arithmetic import Array, UndecidedInstances

TOLERANCE = 1e-11
"""Tolerance asked of the integrator at each step, relative and absolute."""

WeightFunction: TypeAlias = Callable[[float], Array]
"""Gives W_p = [V_p, b_p], shape ``(*batch, w, w + 1)`` or without bias ``(*batch, w, w)``, at a position p."""


@dataclass(frozen=True, eq=False)
class IntegratedPath:
    r"""What the integrator gave at some positions.

    Attributes
    ----------
    positions
        Shape ``(T,)``.
    values
        Activations or adjoints at the positions, shape ``(..., T, w, N)``.
    accuracy
        Shape ``(...)``: a bound on the error of every value, if each step kept its tolerance as long as no activation changed
        its sign. In a step in which one does, the integrator's estimate says little: there the bound counts all that the
        kink can do. By Grönwall's inequality the sum is multiplied by :math:`e^{\int[\|V_p\| - L]_+}`.
    """

    positions: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    accuracy: npt.NDArray[np.float64]


class ContinuousLeakyResNet:
    r"""Network, or a batch of networks: :math:`\partial_pA_p = -LA_p + W_p\sigma(A_p)` on an interval, mostly [0, 1].

    Parameters
    ----------
    weights
        W as a function of the position, continuous; or one such function for each piece of the interval.
    leak
        L, a number or an array of batch shape.
    breaks
        Ends of the pieces, increasing, one more than pieces; the first is 0.

    Raises
    ------
    TypeError
        The weights are no functions, or give no arrays of NumPy's.
    ValueError
        The breaks do not fit; a function gives weights of another shape or entries that are not finite real numbers.

    Source: leaky_resnets, Section 1.1.
    """

    def __init__(
        self, weights: WeightFunction | Sequence[WeightFunction], leak: Any, breaks: Sequence[float] = (0.0, 1.0)
    ) -> None:
        pieces = (weights,) if callable(weights) else tuple(listed("weights", weights))
        self.breaks = _checked_breaks(breaks, len(pieces))
        self._pieces = tuple(map(_in_floats, pieces))
        shapes = set()
        for k, (piece, ends) in enumerate(zip(pieces, pairwise(self.breaks), strict=True)):
            if not callable(piece):
                raise TypeError(f"weights must be functions of the position, got {type(piece).__name__} for piece {k}")
            for end in ends:
                shapes.add(_checked_weight(f"weights of piece {k}", piece(end)).shape)
        if len(shapes) != 1:
            raise ValueError(f"the pieces of the weights must have one shape, got {sorted(shapes)}")
        (self._shape,) = shapes
        self.leak: Array = number_like("leak", leak, np.zeros(()))
        check_batches(weights=self._shape[:-2], leak=self.leak.shape)

    @classmethod
    def piecewise_constant(
        cls, weights: Sequence[Array], leak: Any, breaks: Sequence[float] | None = None
    ) -> ContinuousLeakyResNet:
        """Weights that are constant on each piece; the pieces of [0, 1] are equal if no `breaks` are given."""
        values = [_checked_weight(f"weights[{k}]", weight) for k, weight in enumerate(listed("weights", weights))]
        if not values:
            raise ValueError("weights must not be empty: there is a piece at least")
        return cls([_constant(value) for value in values], leak, _equal_pieces(len(values)) if breaks is None else breaks)

    @classmethod
    def piecewise_linear(
        cls, weights: Sequence[Array], leak: Any, breaks: Sequence[float] | None = None
    ) -> ContinuousLeakyResNet:
        """Weights that are given at the `breaks` and linear in between; equidistant in [0, 1] if none are given."""
        values = [_checked_weight(f"weights[{k}]", weight) for k, weight in enumerate(listed("weights", weights))]
        if len(values) < 2:
            raise ValueError(f"weights must be given at both ends of a piece at least, got {len(values)}")
        ends = _checked_breaks(_equal_pieces(len(values) - 1) if breaks is None else breaks, len(values) - 1)
        pieces = [_linear(start, end) for start, end in pairwise(zip(ends, values, strict=True))]
        return cls(pieces, leak, ends)

    @property
    def length(self) -> float:
        """Where the interval ends."""
        return self.breaks[-1]

    @property
    def width(self) -> int:
        """w, the number of neurons."""
        return int(self._shape[-2])

    @property
    def has_bias(self) -> bool:
        """Whether the weights have a column for the bias."""
        return bool(self._shape[-1] > self._shape[-2])

    def weights_at(self, position: float) -> Array:
        """W at a position, shape ``(*batch, w, w + 1)``; at a break the limit from the left.

        Raises
        ------
        ValueError
            The position is not in the interval.
        """
        if not 0 <= real_number("position", position, exact=False) <= self.length:
            raise ValueError(f"position must be between 0 and {self.length}, got {position}")
        piece = max(0, int(np.searchsorted(self.breaks, position, side="left")) - 1)
        return self._pieces[piece](position)

    def __call__(self, x: Array, /) -> Array:
        """Activations at the end, shape ``(..., w, N) -> (..., w, N)``; errors as for `activations`."""
        return np.asarray(self.activations(x, [self.length]).values[..., 0, :, :])

    def activations(self, x: Array, positions: Sequence[float] | Array) -> IntegratedPath:
        """Activations from `x`, shape ``(..., w, N)``, at increasing `positions`, by DOP853.

        Raises
        ------
        FloatOnly
            `x` is exact.
        UndecidedInstances
            The integrator gave up.
        TypeError
            `x` is no NumPy array.
        ValueError
            `x` has not w rows, or an entry is not finite; the positions do not increase within the interval.
        """
        start = self._checked("x", x)
        checked_positions = self._checked_positions(positions)
        values, run = self._integrate(start, self._forward, _kinks_of_activations, 1)
        return IntegratedPath(checked_positions, values(checked_positions), run.accuracy())

    def adjoints(self, x: Array, last: Array, positions: Sequence[float] | Array) -> IntegratedPath:
        r"""Adjoints from `last` at the end backwards, along the activations from `x`, shapes ``(..., w, N)``:

        .. math:: -\partial_pB = \dot\sigma(A)\odot[V^TB] - LB .

        Errors as for `activations`. Source: leaky_resnets, Section 1.5.
        """
        start, end = self._checked("x", x), self._checked("last", last)
        checked_positions = self._checked_positions(positions)
        along, forward = self._integrate(start, self._forward, _kinks_of_activations, 1)

        def field(weight: Array, position: float, values: Array) -> Array:
            matrix = weight[..., : self.width]
            mask = active(along(np.array([position]))[..., 0, :, :])
            return np.asarray(self.leak[..., None, None] * values - mask * (matrix.swapaxes(-1, -2) @ values))

        def jumps(times: Array, states: Array) -> Array:
            masks = np.moveaxis(active(along(times)), -3, -1)
            changed = (masks[..., 1:] != masks[..., :-1]).any(axis=(-3, -2))
            norms = np.sqrt((states * states).sum(axis=(-3, -2)))
            return np.asarray(changed * np.maximum(norms[..., 1:], norms[..., :-1]))

        shape = np.broadcast_shapes(end.shape, forward.shape)
        values, backward = self._integrate(np.broadcast_to(end, shape), field, jumps, -1)
        return IntegratedPath(checked_positions, values(checked_positions), backward.accuracy())

    @property
    def parameter_norm_squared(self) -> Array:
        r""":math:`\int\|W_p\|^2dp`, biases included, of batch shape."""
        from scipy.integrate import quad_vec

        total = np.zeros(self._shape[:-2])
        for piece, (lower, upper) in zip(self._pieces, pairwise(self.breaks), strict=True):
            total = total + quad_vec(_squared(piece), lower, upper, epsabs=0.0, epsrel=1e-12)[0]
        return np.asarray(total)

    def stretched(self, factor: float) -> ContinuousLeakyResNet:
        r"""On an interval `factor` times as long: :math:`W'_q = W_{q/c}/c`, leak L/c: the activations are stretched.

        Raises
        ------
        ValueError
            `factor` is not positive and finite.

        Source: leaky_resnets, Section 1.2.
        """
        factor = real_number("factor", factor, exact=False)
        if not factor > 0:
            raise ValueError(f"factor must be positive and finite, got {factor}")
        pieces = [_stretched(piece, factor) for piece in self._pieces]
        return ContinuousLeakyResNet(pieces, self.leak / factor, [end * factor for end in self.breaks])

    def discretised(self, steps: Array) -> LeakyResNet:
        r"""The discrete network with :math:`W_{p_\ell}` in layer l; `steps`, shape ``(M,)``, sum up to the length.

        Raises
        ------
        ValueError
            The steps are not positive, or their sum is not the length beyond rounding errors.
        """
        lengths = number_like("steps", steps, np.zeros(()))
        if lengths.ndim != 1 or not lengths.size or not (lengths > 0).all():
            raise ValueError(f"steps must be a vector of positive numbers, got shape {lengths.shape}")
        ends = np.cumsum(lengths)
        if not abs(ends[-1] - self.length) <= len(ends) * 2.0**-52 * self.length:
            raise ValueError(f"steps must sum up to the length {self.length}, got {ends[-1]}")
        return LeakyResNet([self.weights_at(min(float(end), self.length)) for end in ends], self.leak, lengths)

    def _forward(self, weight: Array, _: float, values: Array) -> Array:
        moved = weight[..., : self.width] @ rectified(values)
        if self.has_bias:
            moved = moved + weight[..., self.width :]
        return np.asarray(moved - self.leak[..., None, None] * values)

    def _integrate(
        self,
        start: Array,
        field: Callable[[Array, float, Array], Array],
        kinks: Callable[[Array, Array], Array],
        direction: int,
    ) -> tuple[Callable[[Array], Array], _Run]:
        """The solution as a function of positions, from `start` at one end, and what is known of its accuracy."""
        from scipy.integrate import solve_ivp

        shape = np.broadcast_shapes(start.shape, (*self._shape[:-2], 1, 1), (*self.leak.shape, 1, 1))
        state = np.broadcast_to(start, shape).ravel().astype(np.float64)
        run = _Run(shape, self.leak, self.length)
        pieces = list(zip(self._pieces, pairwise(self.breaks), strict=True))
        solutions = []
        for piece, ends in pieces[::direction]:

            def derivative(position: float, flat: Any, piece: WeightFunction = piece) -> Any:
                weight = piece(float(position))
                run.see(weight[..., : self.width])
                return field(weight, float(position), flat.reshape(shape)).ravel()

            solution = solve_ivp(
                derivative, ends[::direction], state, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE, dense_output=True
            )
            if not solution.success or not np.all(np.isfinite(solution.y)):
                raise UndecidedInstances(f"the integrator gave up: {solution.message}", np.ones(shape[:-2], dtype=bool))
            states = solution.y.reshape(*shape, -1)
            run.passed(states, abs(np.diff(solution.t)) * kinks(solution.t, states))
            state = solution.y[:, -1]
            solutions.append(solution.sol)
        ordered = solutions[::direction]

        def values(positions: Array) -> Array:
            index = np.clip(np.searchsorted(self.breaks, positions, side="left") - 1, 0, len(ordered) - 1)
            flat = np.stack([ordered[k](p) for k, p in zip(index, positions, strict=True)], axis=-1)
            return np.moveaxis(flat.reshape(*shape, len(positions)), -1, -3)

        return values, run

    def _checked(self, name: str, values: Any) -> Array:
        array = checked_matrix(name, values)
        check_integrable(name, array)
        if array.shape[-2] != self.width:
            raise ValueError(f"{name} must have {self.width} rows, one for each neuron, got the shape {array.shape}")
        check_batches(**{name: array.shape[:-2], "the weights": self._shape[:-2], "the leak": self.leak.shape})
        return array

    def _checked_positions(self, positions: Any) -> npt.NDArray[np.float64]:
        array: Array = real_array("positions", positions, exact=False)
        inside = array.ndim == 1 and array.size and array[0] >= 0 and array[-1] <= self.length
        if not inside or not np.all(np.diff(array) > 0):
            raise ValueError(f"positions must increase from 0 to {self.length} at most, got {positions!r}")
        return array


class _Run:
    """What an integration went through: as much as a bound on its error needs."""

    def __init__(self, shape: tuple[int, ...], leak: Array, length: float) -> None:
        self.shape, self._leak, self._length = shape, leak, length
        self._steps, self._largest, self._norm, self._kinks = 0, *(np.zeros(shape[:-2]) for _ in range(3))

    def see(self, matrix: Array) -> None:
        """Keep the largest norm of the weights."""
        self._norm = np.maximum(self._norm, np.sqrt((matrix * matrix).sum(axis=(-2, -1))))

    def passed(self, states: Array, kinks: Array) -> None:
        """Count the steps of a piece, keep the largest value of each instance, and add what its kinks did, ``(..., steps)``."""
        self._steps += states.shape[-1] - 1
        self._largest = np.maximum(self._largest, abs(states).max(axis=(-3, -2, -1)))
        self._kinks = self._kinks + kinks.sum(axis=-1)

    def accuracy(self) -> npt.NDArray[np.float64]:
        """See `IntegratedPath`; scipy asks for the root mean square over all values of the batch."""
        allowed = np.sqrt(np.prod(self.shape)) * TOLERANCE * (1 + self._largest)
        growth = np.exp(self._length * np.maximum(self._norm - self._leak, 0))
        return np.asarray((self._steps * allowed + self._norm * self._kinks) * growth)


def _kinks_of_activations(_: Array, states: Array) -> Array:
    """How far activations that change their sign in a step are from zero at its ends, ``(..., w, N, T) -> (..., T - 1)``."""
    changed = (states[..., 1:] > 0) != (states[..., :-1] > 0)
    overshoot = np.maximum(abs(states[..., 1:]), abs(states[..., :-1]))
    return np.asarray((changed * overshoot).sum(axis=(-3, -2)))


def _in_floats(piece: WeightFunction) -> WeightFunction:
    return lambda p: np.asarray(piece(p), dtype=np.float64)


def _constant(value: Array) -> WeightFunction:
    return lambda _: value


def _linear(start: tuple[float, Array], end: tuple[float, Array]) -> WeightFunction:
    (lower, first), (upper, last) = start, end
    return lambda p: first + (last - first) * ((p - lower) / (upper - lower))


def _stretched(piece: WeightFunction, factor: float) -> WeightFunction:
    return lambda q: piece(q / factor) / factor


def _squared(piece: WeightFunction) -> Callable[[float], Array]:
    return lambda p: np.asarray((piece(p) ** 2).sum(axis=(-2, -1)))


def _equal_pieces(count: int) -> list[float]:
    return [k / count for k in range(count + 1)]


def _checked_breaks(breaks: Sequence[float], pieces: int) -> tuple[float, ...]:
    ends = tuple(real_number(f"breaks[{k}]", end, exact=False) for k, end in enumerate(listed("breaks", breaks)))
    if len(ends) != pieces + 1 or ends[0] != 0 or not all(a < b for a, b in pairwise(ends)) or not np.isfinite(ends[-1]):
        raise ValueError(f"breaks must increase from 0, one more than the {pieces} pieces of the weights, got {tuple(breaks)}")
    return ends


def _checked_weight(name: str, weight: Any) -> Array:
    value = checked_matrix(name, weight)
    check_integrable(name, value)
    if value.shape[-1] - value.shape[-2] not in (0, 1):
        raise ValueError(f"{name} must have the shape (*batch, w, w + 1), or (*batch, w, w), got {value.shape}")
    return value
