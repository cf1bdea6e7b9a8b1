r"""Theorem 7: with a kernel of order L, representations stay bounded.

Statement
    For a balanced network with :math:`\|\theta\|^2 \le kL + c_1`, a point x with :math:`\mathrm{rank}\, Jf(x) = k` and
    :math:`\mathrm{Tr}\,\Theta(x, x) \le cL`,

    .. math:: \sum_{\ell=1}^L \|\alpha_{\ell-1}(x)\|^2
              \le L\, \frac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x)|_+^{2/k}} ,

    hence at least (1 - p)L layers have :math:`\|\alpha_{\ell-1}\|^2` at most 1/p times the right side over L.
Correction
    The talk has :math:`e^{2c_1/k}` without the maximum: weaker for :math:`c_1 \ge 0`, and false for :math:`c_1 < 0`. A step of
    the printed proof is false; the theorem stands.
Checked
    ``statement``: the sum, as in the paper and as in the talk. ``layers``: the number of layers. ``sharper``: powers in place
    of the exponential. ``steps``: the proof, corrected and printed.
Source
    bottleneck_structure, Theorem 7 (Theorem 16 of the appendix).
"""
