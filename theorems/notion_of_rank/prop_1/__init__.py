r"""Proposition 1: Rank Jf is at most the bottleneck rank.

Statement
    If :math:`f = h \circ g` through dimension k with piecewise linear h and g, then :math:`\mathrm{rank}\, Jf \le k` wherever f
    is differentiable. If :math:`f = \psi \circ (x \mapsto Ax + b) \circ \varphi` with piecewise linear homeomorphisms
    :math:`\psi` and :math:`\varphi`, both ranks are that of A (``.homeomorphisms``).

    They differ for the map that clips both coordinates to [-1, 1] on the square ring :math:`1 \le \|x\|_\infty \le 2`: on each
    of its eight linear regions the Jacobian has rank 0 or 1, and the bottleneck rank is 2. For on the inner boundary Q the map
    is the identity, and every :math:`\hat f = h \circ g` with continuous :math:`g : Q \to \mathbb{R}` has (``.ring``)

    .. math:: \sup_Q \|\hat f - f\|_\infty \ge 1 .
Checked
    The rank of the network that composes h and g, at points. Homeomorphisms of up to three dimensions that are composed of
    shears. On the ring the ranks over all regions; for every scalar encoder a point p with nearly g(p) = g(-p), found by
    bisection. What remains of
    :math:`\hat f(p) - \hat f(-p)` is at most the Lipschitz constant of the networks times the width of the last interval.
Proof idea
    The chain rule. There is a p with g(p) = g(-p) because g(p) - g(-p) is odd on a closed curve. One coordinate of p is 1 or
    -1, and the two values of h there would have to differ by 2.
Tight
    The identity and a plane in space, through a bottleneck; the constant 0 and the first coordinate on the ring.
Source
    notion_of_rank, Proposition 1; the error on the ring is derived here.
"""
