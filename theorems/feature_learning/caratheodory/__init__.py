r"""Definition 2 and Caratheodory's theorem for conical hulls.

Statement
    The conical hull of a set consists of the sums :math:`\sum_{i\le k}\alpha_i\omega_i` with :math:`\alpha_i \ge 0`, its
    m-conical hull of those with k = m (where some :math:`\alpha_i` may be 0). For a non-empty set in :math:`\mathbb R^d` both
    are the same as soon as m >= d. For pairs of covariances of N points, d is at most N(N+1).
Checked
    The theorem in `pruning`, the dimension in `dimension`.
Source
    feature_learning, Definition 2 and the note after it.
"""
