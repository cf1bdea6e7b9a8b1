r"""Proposition 5: when the identity of a domain is free.

Statement
    If :math:`\mathrm{Rank}_J(id; \Omega) = \mathrm{Rank}_{BN}(id; \Omega) = k`, then :math:`R^{(1)}(id; \Omega) = 0` if and
    only if :math:`\Omega` spans k dimensions and is completely positive.
Correction
    The printed proof of "only if" ends where the tangent spaces agree. Affine domains off the origin and the need of complete
    positivity are not treated; for :math:`\Omega = [-1, 1]` the latter is true (notion_of_rank, ``theorem_1.interval``:
    :math:`R \ge L\,2^{1/L}`, so that :math:`R^{(1)} \ge \log 2`).
Checked
    ``free``: "if". ``angles``: two tangent spaces cost :math:`\sum_i \log(1 + \sin\theta_i)` over their principal angles.
Not checked
    "Only if" for affine domains that do not contain the origin.
Source
    bottleneck_structure, Proposition 5 (Proposition 12 of the appendix).
"""
