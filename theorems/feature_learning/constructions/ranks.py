r"""The rank of a pair of covariances: the smallest number of neurons that have it, where it is known, else bounds.

Source: feature_learning, equation (4.1).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.constructions.layers import gram
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import rank_of_pair
from verify.instances import lifted
from verify.matrices import rank
from verify.networks import HomogeneousActivation
from verify.numbers.arithmetic import Array, chosen_rationals
from verify.numbers.parameters import widened


@lifted
@widened
def rank_of_layer(rows: Array, slopes: Array) -> npt.NDArray[np.int64]:
    """A lower bound of the rank of the pair of these neurons without bias, ``(..., k, N), (..., 2) -> (...)``.

    It is the rank itself for one point; for two points and the ReLU; and for the identity. Floats are taken as the rationals
    that they are: a rank is no matter of rounding.
    """
    result = np.zeros(rows.shape[:-2], dtype=np.int64)
    exact_rows, exact_slopes = chosen_rationals(rows), np.broadcast_to(chosen_rationals(slopes), (*result.shape, 2))
    for index in np.ndindex(result.shape):
        result[index] = _rank_of_one(exact_rows[index], HomogeneousActivation(*exact_slopes[index]))
    return result


def _rank_of_one(rows: Array, activation: HomogeneousActivation) -> int:
    first, second = gram(rows), gram(activation(rows))
    a, d = activation.positive, activation.negative
    one_sided = a * d == 0 and a != d
    if rows.shape[-1] == 1 or (rows.shape[-1] == 2 and one_sided):
        return rank_of_pair(first, second, activation).lower
    bounds = [int(rank(first)), int(rank(second))]
    if one_sided:
        bounds.append(int(cp_rank_lower_bound(second)))
    return max(bounds)
