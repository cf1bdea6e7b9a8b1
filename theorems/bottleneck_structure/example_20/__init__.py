r"""Example 20: rank 3, no first correction, and diverging representations.

Statement
    On the cube :math:`[0, 1]^3`, :math:`f(x) = (x_1, x_2, x_3 + \sigma(x_1 - x_2))` with the ReLU has :math:`R^{(0)} = 3` and
    :math:`R^{(1)} = 0`. With :math:`m = (L - 2)/2` there are networks of even depth L for it with the squared norm
    :math:`3L + E`,

    .. math:: E = m\,[4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)] + 2 e^{-2m\epsilon} + e^{-4m\epsilon} ,

    which vanishes for :math:`\epsilon = L^{-\gamma}`, :math:`\gamma \in (1/2, 1)`, while the representations diverge. The
    optimal networks of f are not uniformly Lipschitz either.
Checked
    ``function``: the networks are f, with that norm, which is never below 3L. ``excess``: the size of E, for which exponents it
    vanishes, and its limits at the ends. ``representations``: how the hidden values grow. ``second_correction``: networks
    whose excess vanishes, the optimal ones among them, do not stay Lipschitz, and :math:`R^{(2)} = +\infty`.
Source
    bottleneck_structure, Appendix D.1, Example 20.
"""
