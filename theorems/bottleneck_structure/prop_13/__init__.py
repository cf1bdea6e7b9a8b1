r"""Proposition 13: two Jacobians that differ cost more than one.

Statement
    For a ReLU network whose maps :math:`\tilde\alpha_\ell` and :math:`\tilde\alpha_\ell \to f` are C-Lipschitz on
    :math:`\Omega`, and two points x and y,

    .. math:: \|\theta\|^2 - L R^{(0)}(f) \ge \log|Jf(x)|_+ + \log|Jf(y)|_+ + C^{-2} \|Jf(x) - Jf(y)\|_* ,

    so that, if a sequence of such networks with :math:`L \to \infty` has the norms :math:`LR^{(0)}(f) + R^{(1)}(f) + o(1)`, the
    right side is at most :math:`R^{(1)}(f)`.
Correction
    It needs :math:`\mathrm{rank}\, Jf(x) = \mathrm{rank}\, Jf(y) = R^{(0)}(f)`. For :math:`f(x) = (x_1, \delta\sigma(x_2))`,
    whose representations are 1-Lipschitz, networks with balanced weights cost :math:`2L + 2\log\delta + O(1/L)`; where
    :math:`x_2 < 0` the Jacobian has rank 1, and the print would have :math:`2L + \log\delta + \delta`.

    The printed proof gives :math:`1/(2C^2)` only; the constant is right.
Checked
    ``statement``: for every network and any two points, with the ranks equal or with the Schatten norms in their place; the
    printed form. ``telescoping``: the difference of two Jacobians as a sum over the layers. ``growth``: what a representation
    costs that is stretched.
Source
    bottleneck_structure, Proposition 13 (Appendix A.2).
"""
