"""Factors without negative entries in floats, by descent."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def descend(matrix: Floats, start: Floats, iterations: int) -> tuple[Floats, float]:
    r"""Minimise :math:`\|F^TF - A\|^2` over F without negative entries from `start`, shape ``(k, N)``; F and the largest error.

    The objective and the many starts are those of Bot and Nguyen (2021), who take projected gradient steps; here the steps are
    those of a quasi-Newton method with bounds.
    """
    from scipy.optimize import Bounds, minimize

    def objective(entries: Floats) -> tuple[float, Floats]:
        factor = entries.reshape(start.shape)
        error = factor.T @ factor - matrix
        return float((error * error).sum()), 4 * (factor @ error).ravel()

    options: Any = {"maxiter": iterations, "maxfun": 2 * iterations, "ftol": 1e-30, "gtol": 1e-14, "maxcor": 20}
    descent = minimize(objective, start.ravel(), jac=True, method="L-BFGS-B", bounds=Bounds(0, np.inf), options=options)
    factor = np.asarray(descent.x, dtype=np.float64).reshape(start.shape)
    return factor, float(np.abs(factor.T @ factor - matrix).max())


def random_start(unit: Floats, rows: int, generator: np.random.Generator) -> Floats:
    """Entries with the sizes that a factor with so many rows of a matrix with unit diagonal has."""
    return np.asarray(generator.random((rows, len(unit))) * np.sqrt(3 / rows))
