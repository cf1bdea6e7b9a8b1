r"""Corollary 9: the plateau starts at the smallest rank of a minimiser.

Statement
    A width n is on the plateau if and only if there is a global minimiser :math:`(K, Z_L)` with
    :math:`n_\ell \ge \mathrm{Rank}_\sigma(K_\ell, K_\ell^\sigma)` for every hidden layer.
Checked
    In `equivalence`, both directions in a family of examples whose minimisers are known; in `minimisers`, that it need not be
    every minimiser: an example with minimisers of rank 1 and 2.
Proof idea
    Proposition 8, which says that pairs need exactly as many neurons.
Source
    feature_learning, Corollary 9.
"""
