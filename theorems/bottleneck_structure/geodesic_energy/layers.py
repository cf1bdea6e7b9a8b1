r"""The layers between kernels of any rank.

Statement
    For factors :math:`B_0, \dots, B_L` of kernels with a common image, the layers :math:`W_\ell = B_\ell B_{\ell-1}^+` have

    .. math:: \|W_\ell\|_F^2 = \mathrm{Tr}[K_\ell K_{\ell-1}^+] , \qquad W_L\cdots W_1 = B_LB_0^+ , \qquad
              |B_\ell|_+ = |W_\ell|_+|B_{\ell-1}|_+ .

    So the first correction adds up on every path, not on that of least norm alone.
Checked
    The three equalities, the last for the squares, with factors of any widths; that a common image is needed.
Proof idea
    :math:`B_{\ell-1}^+B_{\ell-1}` is the projection to the common image.
Source
    ours, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.corrections import gram
from verify import Claim, Domain, Ours, Relation, Source, derived, eq, reals
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, pseudo_determinant, pseudo_inverse, rank


def layers_between_kernels(factors: Array) -> Relation:
    """Norms, product and pseudo-determinants of the layers, for factors with a common row space."""
    kernels, layers = gram(factors), factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    product = layers[..., 0, :, :]
    for layer in range(1, layers.shape[-3]):
        product = layers[..., layer, :, :] @ product
    traces = (kernels[..., 1:, :, :] * pseudo_inverse(kernels[..., :-1, :, :])).sum(axis=(-2, -1))
    determinants = pseudo_determinant(gram(layers)) * pseudo_determinant(kernels[..., :-1, :, :])
    return (
        eq(frobenius_norm_squared(layers), traces, name="norms", over=1)
        & eq(product, factors[..., -1, :, :] @ pseudo_inverse(factors[..., 0, :, :]), name="product", over=2)
        & eq(determinants, pseudo_determinant(kernels[..., 1:, :, :]), name="determinants", over=1)
    )


def with_common_rows(factors: Array, rows: Array) -> Array:
    """Factors of kernels that vanish where `rows` does, shapes ``(..., L + 1, w, k), (..., k, n) -> (..., L + 1, w, n)``."""
    return np.asarray(factors @ rows[..., None, :, :])


def have_a_common_image(factors: Array) -> npt.NDArray[np.bool_]:
    """Whether all kernels have the same image."""
    first = np.asarray(rank(factors[..., 0, :, :]))
    size, count = factors.shape[-1], factors.shape[-3] * factors.shape[-2]
    together = np.asarray(rank(factors.reshape(*factors.shape[:-3], count, size)))
    return np.asarray((np.asarray(rank(factors)) == first[..., None]).all(axis=-1) & (together == first))


# False variants


def traces_backwards(factors: Array) -> Relation:
    r"""The norms as :math:`\mathrm{Tr}[K_{\ell-1}K_\ell^+]`."""
    kernels, layers = gram(factors), factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    traces = (kernels[..., :-1, :, :] * pseudo_inverse(kernels[..., 1:, :, :])).sum(axis=(-2, -1))
    return eq(frobenius_norm_squared(layers), traces, over=1)


def norms_multiply(factors: Array) -> Relation:
    """The norms in place of the pseudo-determinants."""
    layers = factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    norms = frobenius_norm_squared(factors)
    return eq(frobenius_norm_squared(layers) * norms[..., :-1], norms[..., 1:], over=1)


LAYERS = Claim(
    id="bottleneck_structure.geodesic_energy.layers",
    title="Kernels of any rank with a common image are those of linear layers",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=layers_between_kernels,
    domain=Domain(
        {
            "factors": derived(
                with_common_rows,
                factors=reals(lambda sizes: sizes["depth"] + 1, "width", "rank"),
                rows=reals("rank", "inputs"),
            )
        },
        {"depth": (1, 2, 3), "width": (1, 2, 3, 4), "rank": (1, 2, 3), "inputs": (1, 2, 3)},
        {"the kernels have a common image": have_a_common_image},
    ),
    needs=("the kernels have a common image",),
    cost=4,
    false_neighbours={"the traces the other way": traces_backwards, "norms multiply": norms_multiply},
)
