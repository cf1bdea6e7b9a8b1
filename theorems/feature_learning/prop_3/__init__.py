r"""Proposition 3: the loss as a function of covariances and outputs.

Statement
    With the notation of `constructions.layers`, let :math:`K_\ell = Z_\ell^TZ_\ell` and
    :math:`K_\ell^\sigma = (Z_\ell^\sigma)^TZ_\ell^\sigma`. For a positively homogeneous activation :math:`\inf_W L_\lambda` is
    the infimum of

    .. math:: C(Z_L) + \lambda\sum_{\ell=1}^L \mathrm{Tr}[K_\ell(K_{\ell-1}^\sigma)^+]

    over the set :math:`\mathcal K_n(X)` of tuples with :math:`(K_\ell, K_\ell^\sigma) - (0, \beta^211^T)` a sum of at most
    :math:`n_\ell` terms :math:`\alpha(xx^T, \sigma(x)\sigma(x)^T)`, :math:`\alpha \ge 0`, with the image of :math:`K_\ell` in
    that of :math:`K_{\ell-1}^\sigma`, and the image of :math:`Z_L^T` in that of :math:`K_{L-1}^\sigma`.
Correction
    The transpose of :math:`Z_L` in the last condition is not printed.
Checked
    In `pre_image`, that every tuple is that of a network; in `image`, that every network has such a tuple; in `trace_identity`,
    what a layer costs; in `one_point`, the set and the smallest cost for one data point.
Source
    feature_learning, Proposition 3 (Proposition 17 in the appendix).
"""
