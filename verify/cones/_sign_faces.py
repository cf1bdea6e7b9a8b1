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
from typing import Any

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


@dataclass(frozen=True, eq=False)
class _Group:
    """Sign faces whose vectors have r dimensions: they are ``z = E y``, and their images ``s(E) y``.

    Attributes
    ----------
    places
        Of their supports in the order of all, shape ``(M,)``.
    columns, images
        E and s(E), zero outside of the support, shape ``(M, N, r)``.
    patterns
        The signs, shape ``(M, N)``.
    """

    places: npt.NDArray[np.intp]
    columns: Floats
    images: Floats
    patterns: Floats

    def lowest(self, S: Floats, T: Floats) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
        """Places, values and vectors of the lowest eigenvectors that lie in their faces."""
        forms = self.columns.swapaxes(1, 2) @ (S @ self.columns) + self.images.swapaxes(1, 2) @ (T @ self.images)
        values, directions = np.linalg.eigh(forms)
        vectors = (self.columns @ directions[:, :, :1])[:, :, 0]
        agreement = vectors * self.patterns
        flipped = np.asarray((agreement <= 0).all(axis=1))
        kept = (flipped | (agreement >= 0).all(axis=1)) & (np.abs(vectors) > 0).any(axis=1)
        return self.places[kept], values[kept, 0], np.where(flipped[:, None], -vectors, vectors)[kept]


class SignFaces:
    r"""All sign faces of vectors, or of the :math:`z = w^TB` for a `basis` of independent and orthogonal rows ``(r, N)``.

    What depends on the supports alone is computed once for all quotients.
    """

    def __init__(self, size: int, slopes: tuple[float, float], basis: Floats | None = None) -> None:
        if size > LARGEST_SIZE:
            raise ValueError(f"sign faces are enumerated up to N = {LARGEST_SIZE}, got N = {size}")
        self._size = size
        groups: dict[int, list[tuple[Any, ...]]] = {}
        for place, (support, space) in enumerate(_spaces(size, basis)):
            inside = signs(len(support))
            patterns = np.zeros((len(inside), size))
            patterns[:, list(support)] = inside
            gains = np.where(patterns > 0, *slopes)
            columns = np.broadcast_to(space, (len(inside), *space.shape))
            face = np.full(len(inside), place), columns, gains[:, :, None] * space, patterns
            groups.setdefault(space.shape[1], []).append(face)
        self._groups = [_Group(*map(np.concatenate, zip(*faces, strict=True))) for faces in groups.values()]

    def minimisers(self, S: Floats, T: Floats) -> Face:
        r"""Lowest eigenvectors inside each sign face of :math:`(z^TSz + s(z)^TTs(z)) / \|w\|^2`, sorted by that quotient.

        Without a basis z is w. Empty only if the span of the rows is.
        """
        if not self._groups:
            return Face(np.empty(0), np.empty((0, self._size)))
        places, values, vectors = map(np.concatenate, zip(*(group.lowest(S, T) for group in self._groups), strict=True))
        order = np.lexsort((places, values))
        return Face(values[order], vectors[order])


@lru_cache(maxsize=8)
def sign_faces(size: int, slopes: tuple[float, float]) -> SignFaces:
    """Those of all vectors."""
    return SignFaces(size, slopes)


def _spaces(size: int, basis: Floats | None) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Supports, each with the images ``(N, r_I)`` of orthonormal w whose z vanishes outside, where there are any."""
    for support in supports(size):
        if basis is None:
            yield support, np.eye(size)[:, list(support)]
            continue
        outside = [i for i in range(size) if i not in support]
        # of rows of length 1, so that what vanishes is a matter of directions
        lengths = np.linalg.norm(basis, axis=1)
        _, values, right = np.linalg.svd((basis / lengths[:, None])[:, outside].T, full_matrices=True)
        vanishing = right[int((values > 1e-9).sum()) :] / lengths
        if len(vanishing):
            space = basis.T @ np.linalg.qr(vanishing.T)[0]
            space[outside] = 0
            yield support, space
