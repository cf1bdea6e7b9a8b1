r"""Proposition 6: wider networks are never worse.

Statement
    If :math:`n_\ell \le n'_\ell` for all layers, with equal numbers of inputs and of outputs, then

    .. math:: \inf_W L_{\lambda, n}(W) \ge \inf_W L_{\lambda, n'}(W), \qquad R_n(X, Y) \ge R_{n'}(X, Y) .
Checked
    In `wider`, that a narrow network is a wide one with the same function and norm; in `strict`, that the inequality can be
    strict.
Source
    feature_learning, Proposition 6.
"""
