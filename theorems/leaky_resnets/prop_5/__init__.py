r"""Proposition 5: slow representations of large networks are non-negative.

Statement
    If the paths :math:`A^L` are uniformly bounded local minima for growing L, and :math:`\|\partial_pA\|` is uniformly bounded
    near :math:`p_0`, then the limit of :math:`A_{p_0}` is non-negative, if it exists.
Correction
    The proof needs besides that they stay local minima when a dead neuron is added, and that the adjoints are uniformly
    bounded. Its formulas have t for its square in the corner of the weights, 1/L for 2/L, and the entry 1 of
    :math:`\sigma(A_{\cdot i})` where it must be left out; the new neuron has the kernel at p for that at q.
Checked
    ``construction``: the wider weights of the proof, how they move the path, what they cost, and two misprints. ``gap``: what
    a negative entry saves, and the third. ``neuron``: how the new neuron follows the triangle t. ``moving_kernel``: which
    kernel stands in its integral. ``outputs``: what it does to the cost at the end. ``slow_motion``: a finite form without
    limits, for paths that rest or move slowly. ``bias``: the bias is small on average.
Not checked
    The limit itself.
Source
    leaky_resnets, Proposition 5 (Proposition 9 of the appendix).
"""
