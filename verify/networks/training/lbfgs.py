"""The end of a training run: L-BFGS from a point where a first-order method has arrived."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks.training.gradients import objective_of
from verify.networks.training.loop import Diverged, Training
from verify.networks.training.losses import Loss, MeanSquaredError
from verify.networks.training.schedules import checked_constant
from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import Array, array_module, integer, is_exact


def finish(
    network: Any,
    x: Array,
    targets: Array,
    /,
    *,
    loss: Loss | None = None,
    ridge: float = 0.0,
    iterations: int = 500,
    memory: int = 20,
    gradient_tolerance: float = 1e-8,
) -> Training:
    """Minimise by scipy's L-BFGS-B, for one network in float64 on the host.

    It is meant for the end: from an initialisation with a ridge it runs into the zero network. It stops after `iterations`,
    when the largest entry of the gradient is below `gradient_tolerance`, or when the line search finds nothing better (minima
    of networks lie on kinks). The history has the objective after each iteration.

    Raises
    ------
    ValueError
        As for `loss_and_gradient`; a batch of networks, or one that is exact or not on the host; `iterations` or `memory`
        below 1; a `ridge` that is negative or not finite.
    Diverged
        The objective is not finite at the start.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0]])
    >>> result = finish(FullyConnected([np.array([[0.0]])]), x, 2 * x + 1)
    >>> print(result.network.weights[0].round(6), result.network.biases[0].round(6))
    [[2.]] [1.]
    """
    from scipy.optimize import minimize

    iterations, memory = integer("iterations", iterations, 1), integer("memory", memory, 1)
    gradient_tolerance = real_number("gradient_tolerance", gradient_tolerance, exact=False)
    ridge = checked_constant("ridge", ridge)
    start = time.perf_counter()
    state = objective_of(network, x, targets, MeanSquaredError() if loss is None else loss)
    if is_exact(state.flat) or array_module(state.flat) is not np or network.batch_shape:
        raise ValueError("finish is for one float network in NumPy arrays: index a batch, or convert first")

    def evaluate(flat: npt.NDArray[Any]) -> tuple[float, npt.NDArray[Any]]:
        state.flat[...] = flat
        with np.errstate(over="ignore", invalid="ignore"):
            return float(state.evaluate(ridge)), state.flat_gradient.astype(np.float64)

    def remember(intermediate_result: Any) -> None:
        history.append(float(intermediate_result.fun))

    first = np.asarray(state.flat, dtype=np.float64).copy()
    history = [evaluate(first)[0]]
    if not np.isfinite(history[0]):
        raise Diverged("the objective is not finite at the start", 0)
    options: Any = {"maxiter": iterations, "maxfun": 20 * iterations, "maxcor": memory, "gtol": gradient_tolerance, "ftol": 0.0}
    descent = minimize(
        evaluate,
        first,
        jac=True,
        method="L-BFGS-B",
        callback=remember,
        options=options,
    )
    evaluate(descent.x)
    return Training(state.network(), np.array(history), int(descent.nit), time.perf_counter() - start)
