r"""Rank recovery: the window of depths.

Statement
    The simplest function of rank 2 is the identity of :math:`[0, 1]^2`, known on the grid of :math:`N = n^2` points. It costs
    2 L (``theorem_1.identity``). A function of bottleneck rank one that is the identity on the grid costs

    .. math:: L \Bigl(\frac{(n + 1)^2}2\Bigr)^{1/L} \le R , \qquad \text{and a good one} \quad R \le L + C_n .

    So while :math:`2^{L+1} < (n + 1)^2`, that is :math:`L < 2\log_2(n + 1) - 1`, every such function costs more than the
    identity: interpolation at the smallest cost does not underestimate the rank. For n >= 3 this depth lies between
    :math:`\log_2 N - 1` and :math:`\log_2 N`. From :math:`L > C_n` on, a function of rank one costs less than the identity;
    :math:`C_n` is about 8 N. Between the two depths nothing is decided.

    Such a window always begins at depth 1 (``.initial``): where a function of rank k costs kL + C and those of rank one at
    least :math:`L D^{2/L}`, these cost more as long as :math:`(k + C/L)^L < D^2`, and the left side increases with L for k >=
    1.
Checked
    The lower bound, and that rank one costs more inside the window, for the interpolants of Proposition 2 along all directions,
    at depths inside and outside. ``table`` has both depths for n = 3, ..., 33 on exact costs: 2 and 57 for n = 3, 5 and 622 for
    n = 9, 9 and 8671 for n = 33.
Proof idea
    On the left is Theorem 2: the shortest path through the grid has the length n + 1, the square the diameter
    :math:`\sqrt 2`. On the right is the interpolant of Proposition 2 that runs through the grid row by row (`rows_excess`).
Tight
    At a large depth, where both sides are L up to a constant. An interpolant costs much more than 2 L inside the window.
Not checked
    Minimisers with a ridge, which do not interpolate; functions of a rank between 1 and k, the subject of ``theorem_2.grids``.
Source
    notion_of_rank, rank recovery (after Proposition 5); the window is derived here.
"""
