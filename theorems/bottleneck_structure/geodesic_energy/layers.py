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
    derived here, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

from functools import reduce

from verify import Claim, DerivedHere, Domain, Source, derived, reals
from verify.words import eq, pinv, pseudo_determinant, rank


def grams(B):
    return B.swapaxes(1, 2) @ B


def norms(B):
    return (B**2).sum(axis=(1, 2))


def layers_between_kernels(B):
    K, W = grams(B), B[1:] @ pinv(B[:-1])
    return (
        eq(norms(W), (K[1:] * pinv(K[:-1])).sum(axis=(1, 2)), name="norms")
        & eq(reduce(lambda product, layer: layer @ product, W), B[-1] @ pinv(B[0]), name="product")
        & eq(pseudo_determinant(grams(W)) * pseudo_determinant(K[:-1]), pseudo_determinant(K[1:]), name="determinants")
    )


def traces_backwards(B):
    K, W = grams(B), B[1:] @ pinv(B[:-1])
    return eq(norms(W), (K[:-1] * pinv(K[1:])).sum(axis=(1, 2)))


def norms_multiply(B):
    return eq(norms(B[1:] @ pinv(B[:-1])) * norms(B[:-1]), norms(B[1:]))


def with_common_rows(B, rows):
    """Factors of kernels that vanish where `rows` does."""
    return B @ rows


def have_a_common_image(B):
    return (rank(B) == rank(B.reshape(-1, B.shape[-1]))).all()


LAYERS = Claim(
    id="bottleneck_structure.geodesic_energy.layers",
    title="Kernels of any rank with a common image are those of linear layers",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=layers_between_kernels,
    domain=Domain(
        {
            "B": derived(
                with_common_rows, B=reals(lambda sizes: sizes["depth"] + 1, "width", "rank"), rows=reals("rank", "inputs")
            )
        },
        {"depth": (1, 2, 3), "width": (1, 2, 3, 4), "rank": (1, 2, 3), "inputs": (1, 2, 3)},
        {"the kernels have a common image": have_a_common_image},
    ),
    needs=("the kernels have a common image",),
    cost=4,
    false_variants={"the traces the other way": traces_backwards, "norms multiply": norms_multiply},
)
