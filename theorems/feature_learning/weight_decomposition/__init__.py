r"""Weights split into what representations determine and a residual.

Statement
    In the notation of `constructions.layers`, every layer satisfies

    .. math:: W_\ell = Z_\ell (Z_{\ell-1}^\sigma)^+ + \tilde W_\ell, \qquad \tilde W_\ell Z_{\ell-1}^\sigma = 0, \qquad
       \|W_\ell\|_F^2 = \|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 + \|\tilde W_\ell\|_F^2 .
Checked
    The three equations in all layers, for any activation, homogeneous or not. The first terms alone give the same
    representations and outputs on the data; elsewhere they need not. Among all W' with :math:`W'Z^\sigma = Z` the first term
    has the smallest norm, by :math:`\|W' - ZZ^{\sigma+}\|_F^2`; here :math:`Z^\sigma` is any matrix.
Proof idea
    :math:`P = Z^\sigma Z^{\sigma+}` is the orthogonal projection to the image of :math:`Z^\sigma`, and
    :math:`\tilde W = W(I - P)`.
Tight
    The smallest norm is attained by the first term itself.
Source
    feature_learning, Section 3.1, before Proposition 1. The minimality is derived here.
"""
