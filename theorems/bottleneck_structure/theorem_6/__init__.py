r"""Theorem 6: most weights are nearly partial isometries of rank k.

Statement
    For a network of depth L with :math:`\|\theta\|^2 \le kL + c_1` and :math:`\mathrm{rank}\, Jf(x) = k` there are
    semi-orthonormal :math:`V_\ell` with k columns such that

    .. math:: \sum_\ell \|W_\ell - V_\ell V_{\ell-1}^T\|_F^2 + \|b_\ell\|^2 \le B = c_1 - 2\log|Jf(x)|_+ .

    In the appendix (Theorem 15) every layer has frames :math:`U_\ell, V_\ell` of its own, and fewer than pL layers exceed
    :math:`B/(pL)`.
Correction
    With the frames shared between neighbouring layers it is true for slopes in [0, 1] of the activation and false below 0.
    Theorem 15 is true; its printed proof is not.
Checked
    ``statement``: Theorem 15 at the best frames. ``bad_layers``: the number of layers. ``shared``: Theorem 6, true and printed.
    ``singular_values``: what the bound says of the singular values. ``chain``: the proof, corrected and printed.
Source
    bottleneck_structure, Theorem 6 (Theorem 15 of the appendix).
"""
