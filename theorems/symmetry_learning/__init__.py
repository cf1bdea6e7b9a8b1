r"""Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023), in the order of the talk.

What the talk shares with the two papers is in ``notion_of_rank`` and ``bottleneck_structure``.

Summary statistics (Section 5 of bottleneck_structure, which the talk shows as well)
    ``summary_statistics``: two numbers close under the gradient descent that finds a hidden direction.
Convolutional networks
    ``equivariance``: circular convolutional networks commute with shifts, and linear maps that do are convolutions.
    ``equivariant_networks``: every equivariant map is a convolutional network of the same norm.
    ``frequency_singular_values``: the singular values of a convolution are those of its frequency blocks.
    ``linear_cnn_cost``: a linear network costs the Schatten quasi-norm of its frequency blocks, per pixel.
    ``cnn_prop_3``: the Jacobian's Schatten norm per pixel bounds the cost per layer.
    ``frequency_bottleneck``: layers that keep a few frequencies, and how a ReLU lets them pass.
Newtonian mechanics
    ``frequency_one_pairs``: which frequencies tell all positions of a circle or a torus apart.
    ``newtonian_mechanics``: two frames determine the phases of a falling ball.
Misprints
    First slide: :math:`d_m` is printed for the input dimension :math:`d_{in}`.
    Kernel rate: the number of monomials of degree m in d variables is printed as :math:`m^d`; it is
    :math:`\binom{m+d-1}{d-1}`, which grows like :math:`m^{d-1}/(d-1)!`. Those of degree at most m grow like
    :math:`m^d/d!`.
    Stability of gradient descent: the threshold is printed as :math:`1/\eta`; it is :math:`2/\eta`.
    Newtonian mechanics: "position and velocity in two pairs of frequency 1" is one possibility; frequency 0 may carry the
    velocity (``newtonian_mechanics``).
"""
