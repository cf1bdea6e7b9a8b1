r"""The bottleneck rank: :math:`-\frac2L\mathcal H` nears a rank from below.

Statement
    The least cost of the identity on the path is near the rank k of a non-negative representation, an integer, and so is
    :math:`-\frac2L\mathcal H` (Section 2.1, after Proposition 5).
Checked
    ``nonnegative``: the constant is at most the rank of any non-negative representation on the path, and the stable cost is
    near it. ``diagonal``: trajectories on which the constant nears an integer at the rate :math:`L^{-2}`. That a
    non-negative representation costs its rank, unless the constants are a combination of its rows, is in
    ``cost_of_identity.rank``; that local minimality makes it an integer, in ``prop_2.value``.
Source
    leaky_resnets, Section 2.1, after Proposition 5.
"""
