r"""Networks with homogeneous activations.

Statement
    Every positively homogeneous activation is a leaky ReLU :math:`\sigma_a` with :math:`|a| < 1`, up to signs and a factor,
    unless it is linear or a multiple of the absolute value. Its networks represent the continuous piecewise linear functions
    with finitely many pieces.
Correction
    The talk has the activation twice in the last hidden layer: another network unless the activation is the ReLU.
Checked
    ``normal_form``: the leaky ReLU, and the ReLU from two of them. ``last_layer``: the network of the talk. ``represent``:
    piecewise linear functions.
Source
    bottleneck_structure, Section 2 (homogeneous nonlinearities).
"""
