r"""Remark 11: where optimal pairs of covariances lie in their cone.

Statement
    Let S be the cone of the sums of the pairs :math:`p(z) = (zz^T, \sigma(z)\sigma(z)^T)`. Optimal pairs lie on the boundary of
    S; their rank is determined by the dimension of the smallest face that contains them, and the pairs that are not of full
    rank have measure zero.
Correction
    The rank is at most the dimension of the smallest face, which does not determine it. The pairs of rank at most N have
    measure zero; those of rank N + 1 do not.
Checked
    In `rank_and_face`, the rank and the face; in `boundary`, the boundary; in `measure`, the measure.
Source
    feature_learning, Remark 11. The corrections are derived here.
"""
