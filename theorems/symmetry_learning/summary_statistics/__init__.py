r"""Summary statistics of a gradient descent.

Statement
    For :math:`C(v) = \|vv^T - (ww^T + E)\|_F^2` with :math:`\|w\| = 1` put :math:`p = (w^Tv)^2` and
    :math:`q = \|(I - ww^T)v\|^2`. Gradient flow obeys, up to terms of order E,

    .. math:: p' = -8(p + q - 1)p, \qquad q' = -8(p + q)q, \qquad C = (p + q)^2 - 2p + 1 ,

    so that the loss curve depends on the start only through (p, q): a map of bottleneck rank 2.
Checked
    ``flow``: the equations without noise, and the gradient. ``noise``: how far noise moves them. ``descent``: a step of
    gradient descent, and that rotations about w do not change the losses. ``closed_form``: p and q at time t. That the map has
    rank 2 and not less is in ``dynamics_rank``.
Source
    bottleneck_structure, Section 5 (the talk shows the same).
"""
