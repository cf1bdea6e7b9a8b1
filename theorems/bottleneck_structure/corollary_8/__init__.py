r"""Corollary 8: most pre-activations are nearly of rank k.

Statement
    For a balanced network with :math:`\|\theta\|^2 \le kL + c_1` and points :math:`x_1, \ldots, x_N` with
    :math:`\mathrm{rank}\, Jf(x_i) = k` and :math:`\frac1N \mathrm{Tr}\,\Theta(X, X) \le cL`, at least (1 - p)L layers have

    .. math:: s_{k+1}\bigl(N^{-1/2} \tilde\alpha_\ell(X)\bigr) \le \sqrt{c_1 - 2\log|Jf(x)|_+}
              \Bigl(\sqrt{\tfrac1N \sum_i \tfrac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x_i)|_+^{2/k}}} + \sqrt p\Bigr)
              \frac1{p \sqrt L} .
Correction
    With the kernel of each point in its own term it is true; with the average of the kernel it is false.
Checked
    ``statement``: the corrected form. ``averages``: the printed one, and the display after Theorem 16.
Source
    bottleneck_structure, Corollary 8 (Corollary 17 of the appendix).
"""
