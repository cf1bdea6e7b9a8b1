r"""Equivariant maps are convolutional networks of the same norm.

Statement
    Convolutional networks represent general translation equivariant functions. Precisely: for a fully connected network
    :math:`\phi` that takes images with c channels, the equivariant map

    .. math:: f(x)[v] = \phi(T_{-v}x), \qquad T_{-v}x[i] = x[i + v] ,

    is a convolutional network of the same depth and the same squared norm of the parameters, where a shared weight counts once.
Checked
    The values at every pixel and the norm. Filters of one pixel do not suffice.
Proof idea
    Every equivariant map is of this form, with :math:`\phi` its value at pixel 0, and every continuous piecewise linear
    :math:`\phi` is a network. The first filter is as large as the image, the rows of :math:`W_1` with the pixels in the
    opposite order; the others are 1 x 1.
Source
    symmetry_learning, the section on convolutional networks; the precise form is derived here.
"""

import numpy as np

from theorems.symmetry_learning.constructions.convolutions import equivariant_network, shifted
from verify import Claim, Domain, Networks, Source, reals
from verify.words import eq, eye, stack


def network_at_every_pixel(phi, x, n, sign=-1):
    f = equivariant_network(phi, (n, n))
    views = stack([shifted(x, (sign * i, sign * j)).ravel() for i, j in np.ndindex(n, n)])
    values = f(x).reshape(-1, n * n)
    return eq(values, phi(views).T, name="values") & eq(f.parameter_norm_squared, phi.parameter_norm_squared, name="norm")


def norm_of_dense_matrices(phi, n):
    f = equivariant_network(phi, (n, n)).as_fully_connected()
    return eq(f.parameter_norm_squared, phi.parameter_norm_squared)


def one_by_one_filters(phi, x, n):
    f, corner = equivariant_network(phi, (n, n)), np.outer(eye(n)[0], eye(n)[0])
    return eq(f(x)[:, 0, 0], f(x * corner)[:, 0, 0])


CLAIM = Claim(
    id="symmetry_learning.equivariant_networks",
    title="Equivariant maps are convolutional networks of the same norm",
    source=Source("symmetry_learning", "Convolutional networks"),
    statement=network_at_every_pixel,
    domain=Domain(
        {
            "phi": Networks(
                inputs=lambda sizes: sizes["channels"] * sizes["n"] ** 2, width=2, outputs="outputs", slope=(-2, 2)
            ),
            "x": reals("channels", "n", "n", role="image"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "n": range(2, 4), "outputs": range(1, 3)},
    ),
    false_variants={
        "seen in the other direction": {"sign": 1},
        "the norm of the dense matrices": norm_of_dense_matrices,
        "filters of one pixel": one_by_one_filters,
    },
)
