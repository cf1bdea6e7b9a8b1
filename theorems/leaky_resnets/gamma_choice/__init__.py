r"""A gamma in proportion to the kernel: :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}`.

Statement
    To balance the errors of Theorem 4 one may choose
    :math:`\gamma_p = \gamma_0\|\sigma(A_p)\|_{op}^2 = \gamma_0\|K_p\|_{op}^2`.
Correction
    K is the square of the features: :math:`\|\sigma(A_p)\|_{op}^2 = \|K_p\|_{op}`. For one neuron and A = (1, 0) the printed
    sides are 2.618 and 6.854 times :math:`\gamma_0`. What the corrected choice gives:

    * no entry of K is below 1, so that (``.bounds``)
      :math:`N \le N + \frac1N\|\bar\sigma(A)\mathbf 1\|^2 \le \|K\|_{op} \le N + \|\bar\sigma(A)\|_{op}^2`;
    * the condition number of :math:`K + \gamma I` is at most :math:`1 + 1/\gamma_0` (``.condition``):
      :math:`\frac{\|M\|^2}{(1 + \gamma_0)\|K\|_{op}} \le \|M\|_{K+\gamma I}^2 \le \frac{\|M\|^2}{\gamma_0\|K\|_{op}}`;
    * :math:`\gamma_p\|B_p\|^2`, which bounds the errors of Theorem 4, is at least :math:`\gamma_0\|W_p\|^2/L^2` (``.weights``);
      without bias it does not change when A is multiplied by a number and B divided by it, which leaves the weights as they are
      (``.invariance``). With the square of the norm it would be multiplied by the square of the number.
Checked
    ``statement``: the equality of the norms, and on rationals that of the characteristic polynomials of
    :math:`\sigma\sigma^T` and :math:`\sigma^T\sigma` (``.spectrum``); the bounds of the norm. ``consequences``: the condition
    number, the weights, the invariance.
Tight
    The bounds at points that coincide; the condition along the ones and against them.
Source
    leaky_resnets, Section 2.1, after Theorem 4; the consequences are derived here.
"""
