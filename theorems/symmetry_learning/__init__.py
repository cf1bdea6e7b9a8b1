r"""Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023), a talk, in its order.

Symmetry learning
    ``summary_statistics.flow``: two numbers close under a gradient flow.
    ``summary_statistics.noise``: how far noise moves them.
    ``summary_statistics.descent``: steps of gradient descent, and the rotations about the hidden direction.
    ``summary_statistics.closed_form``: the flow in closed form.
Convolutional networks
    ``equivariance``: convolutional networks commute with shifts.
    ``equivariant_networks``: and represent what does.
    ``frequency_singular_values``: singular values by frequency.
    ``linear_cnn_cost``: what linear convolutional networks cost.
    ``cnn_prop_3``: what the Jacobian costs per pixel.
    ``frequency_bottleneck``: what it costs to keep a few frequencies.
Newtonian mechanics
    ``frequency_one_pairs``: why pairs of frequency 1.
    ``newtonian_mechanics``: the law of a falling ball in phases.
Misprints
    Definition of the network: the activation is applied twice in the last hidden layer
    (``bottleneck_structure.homogeneous_activations.last_layer``).
    Convergence of the representations: the maximum is missing (``bottleneck_structure.theorem_7.statement``).
    Curse of dimensionality: the number of monomials of degree m is printed as :math:`m^d`; of exact degree it grows like
    :math:`m^{d-1}`.
    First slide: :math:`d_m` for :math:`d_{in}`.
    Stability of minima: the threshold :math:`\eta^{-1}`; it is :math:`2/\eta`.
"""

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {}
"""Ids that went, and what replaced them."""
