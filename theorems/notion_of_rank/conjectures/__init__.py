r"""Open: is the cost per layer of deep networks the bottleneck rank?

Statement
    The talk conjectures :math:`R^{(0)}(f; \Omega) = \mathrm{Rank}_{BN}(f; \Omega)`. The smallest cases that are open have
    Jacobian rank one and bottleneck rank two: the tripod (three rays from a point) and the clipped ring (a closed curve). A
    network repeats a cycle of m layers that maps such a shape to itself as often as it likes; a cycle that costs less than 2m
    refutes the conjecture.
Checked
    ``kept_shapes``: a layer that keeps a shape costs at least its embedding dimension, and a cycle that keeps a triangle 2 for
    each layer. ``tripod``, ``clipped_ring``: the search for cycles that cost less.
Source
    symmetry_learning, Infinite depth limit (Conjecture).
"""
