r"""The cross term can be integrated in linear networks alone.

Statement
    On a path of constant rank, without bias and activation,

    .. math:: \int_0^1\mathrm{Tr}[\partial_pA\,A^+A^{+T}A^T]dp = \log|A_1|_+ - \log|A_0|_+

    with the product of the non-zero singular values.
Correction
    The rank must be constant, as it is on paths of finite cost, :math:`A_p = \Phi_pA_0`. Where it changes the footnote is
    false: for diag(1, p) the integrand is 1/p.
Checked
    ``path``: the integral, without bias and with it. ``ends``: where the bias does not matter.
Source
    leaky_resnets, Section 1.3, footnote; the form with bias is derived here.
"""
