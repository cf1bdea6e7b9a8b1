r"""Proposition 5: covariances form a translated convex cone.

Statement
    Let :math:`\mathcal K(X)` be the set of Proposition 3 without a bound on the widths. Subtract :math:`\beta^211^T` from every
    :math:`K_\ell^\sigma`: what is left is a convex cone. The cost :math:`L^k` is convex in each pair
    :math:`(K_\ell, K_\ell^\sigma)` with everything else fixed, and in the outputs.
Correction
    :math:`L^k` is convex in the outputs if the cost C is, which is not printed.
Checked
    In `cone`, that it is a cone; in `convexity`, convexity in one pair, and in the last pair and the outputs together; in
    `depth_three`, that no more than that is true for three layers; in `outputs`, convexity in the outputs.
Source
    feature_learning, Proposition 5.
"""
