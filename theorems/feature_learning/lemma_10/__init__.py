r"""Lemma 10: the rank of a pair lies between Rank K and N(N+1).

Statement
    .. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N(N+1) .
Checked
    In `bounds`, by pruning any neurons; in `few_points`, with the rank itself where it is known.
Source
    feature_learning, Lemma 10.
"""
