r"""Proposition 7: the plateau begins by N(N+1) neurons, or half as many.

Statement
    If two networks have equally many inputs and outputs, and each hidden layer of both has at least N(N+1) neurons, then their
    infima of :math:`L_\lambda` are equal, and so are their representation costs on N points, for homogeneous activations.
Checked
    In `pairs`, that N(N+1) neurons reproduce outputs, covariances and cost of any network; in `half`, that N(N+1)/2 reproduce
    the outputs at no larger cost. With Proposition 6, the values at all larger widths are equal.
Source
    feature_learning, Proposition 7; N(N+1)/2 is derived here.
"""
