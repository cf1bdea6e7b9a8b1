r"""Quadratic forms of a vector and of its activation on all sign faces, in floats.

On the face of a sign pattern e, a vector with ones, minus ones and zeros, the form :math:`z^TSz + s(z)^TTs(z)` is the
quadratic form of :math:`D_eSD_e + P_eTP_e` at :math:`y = |z|`, with :math:`s(z) = P_ey`. A minimiser of its quotient by a
quadratic form lies in the relative interior of one face, where it is a local, hence a global minimiser of a quotient of
quadratic forms on a linear space: a lowest eigenvector. So the lowest eigenvectors of all :math:`3^N - 1` faces suffice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from verify.networks import HomogeneousActivation
from verify.networks.arguments import checked_activation

Floats = npt.NDArray[np.float64]

LARGEST_SIZE = 10
"""``3^N`` faces are enumerated up to this N: 59 048 for 10."""


def float_slopes(activation: HomogeneousActivation) -> tuple[float, float]:
    """Both slopes of one activation as floats.

    Raises
    ------
    ValueError
        The activation is a batch.
    """
    checked_activation(activation)
    if activation.batch_shape:
        raise ValueError(f"activation must be one activation, got a batch of shape {activation.batch_shape}")
    nearest = activation.as_float()
    return float(nearest.positive), float(nearest.negative)


@lru_cache(maxsize=32)
def supports(size: int) -> tuple[tuple[int, ...], ...]:
    """All non-empty sets of indices below `size`, by length."""
    return tuple(chosen for length in range(1, size + 1) for chosen in combinations(range(size), length))


@lru_cache(maxsize=32)
def signs(length: int) -> Floats:
    """All vectors of `length` signs, shape ``(2**length, length)``."""
    return np.array(list(product((1.0, -1.0), repeat=length)))


@dataclass(frozen=True, eq=False)
class Face:
    """Candidates on the faces of one support: `values` ascending, shape ``(k,)``, and `vectors`, shape ``(k, N)``."""

    values: Floats
    vectors: Floats


def minimisers(S: Floats, T: Floats, slopes: tuple[float, float], basis: Floats | None = None) -> Face:
    r"""Lowest eigenvectors inside each sign face of :math:`(z^TSz + s(z)^TTs(z)) / \|w\|^2`, sorted by that quotient.

    With `basis`, independent and orthogonal rows of shape ``(r, N)``, the vectors are the :math:`z = w^TB`; without, z is w.
    Empty only if the span of the rows is.
    """
    size = len(S)
    if size > LARGEST_SIZE:
        raise ValueError(f"sign faces are enumerated up to N = {LARGEST_SIZE}, got N = {size}")
    values, vectors = [np.empty(0)], [np.empty((0, size))]
    for support, space in _spaces(size, basis):
        minimum = _on_support(S, T, slopes, support, space)
        values.append(minimum.values)
        vectors.append(minimum.vectors)
    all_values, all_vectors = np.concatenate(values), np.concatenate(vectors)
    order = np.argsort(all_values, kind="stable")
    return Face(all_values[order], all_vectors[order])


def _spaces(size: int, basis: Floats | None) -> Iterator[tuple[tuple[int, ...], Floats | None]]:
    """Supports, each with the images ``(|I|, r_I)`` of orthonormal w whose z vanishes outside (None: all)."""
    for support in supports(size):
        if basis is None:
            yield support, None
            continue
        outside = [i for i in range(size) if i not in support]
        # of rows of length 1, so that what vanishes is a matter of directions
        lengths = np.linalg.norm(basis, axis=1)
        _, values, right = np.linalg.svd((basis / lengths[:, None])[:, outside].T, full_matrices=True)
        vanishing = right[int((values > 1e-9).sum()) :] / lengths
        if len(vanishing):
            yield support, (np.linalg.qr(vanishing.T)[0].T @ basis)[:, list(support)].T


def _on_support(S: Floats, T: Floats, slopes: tuple[float, float], support: tuple[int, ...], space: Floats | None) -> Face:
    inside = np.ix_(support, support)
    pattern = signs(len(support))
    gains = np.where(pattern > 0, slopes[0], slopes[1])  # s(z) = gains * z for z of these signs
    forms = S[inside] + gains[:, :, None] * T[inside] * gains[:, None, :]
    if space is not None:
        forms = space.T @ forms @ space
    values, directions = np.linalg.eigh(forms)
    lowest = directions[:, :, 0]
    vectors = lowest if space is None else lowest @ space.T
    agreement = vectors * pattern
    flipped = np.asarray((agreement <= 0).all(axis=1))
    kept = flipped | (agreement >= 0).all(axis=1)
    kept &= (np.abs(vectors) > 0).any(axis=1)
    chosen = np.where(flipped[:, None], -vectors, vectors)[kept]
    result = np.zeros((len(chosen), len(S)))
    result[:, list(support)] = chosen
    return Face(values[kept, 0], result)
