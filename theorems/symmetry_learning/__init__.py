r"""Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023), a talk, in its order.

Linear models and kernel methods
    ``kernel_rate.monomials``: how many monomials there are.
    ``kernel_rate.rate``: the coefficients and the tail of a series.
Symmetries
    ``translation_symmetry``: networks learn translations in the first layer.
    ``symmetries``: a symmetry leaves the dimensions of its quotient.
    ``half_bottleneck``: the full symmetry of the values, and the true one.
Symmetry overfitting
    ``symmetry_overfitting``: functions of bottleneck rank one pay the logarithm of N.
    ``gd_stability``: gradient descent leaves minima of curvature above 2/eta.
Summary statistics
    ``summary_statistics.flow``: two numbers close under a gradient flow.
    ``summary_statistics.noise``: how far noise moves them.
    ``summary_statistics.descent``: steps of gradient descent, and the rotations about the hidden direction.
    ``summary_statistics.closed_form``: the flow in closed form.
    ``dynamics_rank``: the losses of a descent depend on two numbers.
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
"""

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {}
"""Ids that went, and what replaced them."""
