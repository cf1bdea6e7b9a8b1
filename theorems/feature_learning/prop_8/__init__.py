r"""Proposition 8: width n suffices if and only if no rank exceeds it.

Statement
    :math:`\mathrm{Rank}_\sigma(K, K^\sigma)` is the smallest k with :math:`K = \sum_{i \le k} z_iz_i^T` and
    :math:`K^\sigma = \sum_{i \le k}\sigma(z_i)\sigma(z_i)^T + \beta^211^T`. A tuple of :math:`\mathcal K(X)` is that of a
    network of width n if and only if :math:`n_\ell \ge \mathrm{Rank}_\sigma(K_\ell, K_\ell^\sigma)` for all hidden layers.
Checked
    One direction in `sufficient`, the other in `necessary`; in `one_point`, both with a formula for the rank.
Source
    feature_learning, Proposition 8 (Proposition 20 in the appendix).
"""
