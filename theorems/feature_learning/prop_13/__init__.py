r"""Definition 12 and Proposition 13: CP-ranks of graphs without triangles.

Statement
    A is completely positive if :math:`A = B^TB` for some B without negative entries; its CP-rank is the smallest number of rows
    of such a B. For a simple graph with k edges, let E have a row for each edge, with ones at its two ends. Without triangles,

    .. math:: \mathrm{Rank}_{cp}(E^TE) = k .
Checked
    The proposition in `cp_rank`, the step of its proof in `supports`, and the largest number of edges in `mantel`.
Source
    feature_learning, Definition 12, Proposition 13 and the display after it (Proposition 21 in the appendix).
"""
