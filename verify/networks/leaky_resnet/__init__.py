r"""Leaky ResNets: networks that interpolate between residual and fully connected ones by a leak L, their effective depth.

Activations are arrays of shape ``(..., w, N)``, neurons by points, with leading batch axes.

Source: leaky_resnets.
"""

from verify.networks.leaky_resnet.continuous import ContinuousLeakyResNet, IntegratedPath
from verify.networks.leaky_resnet.critical import CriticalNetwork, critical_network, symplectic_euler_step
from verify.networks.leaky_resnet.features import (
    activation_kernel,
    active,
    feature_matrix,
    inner,
    rectified,
    squared_norm,
)
from verify.networks.leaky_resnet.hamiltonian import (
    HamiltonianTrajectories,
    adjoint_velocity,
    critical_weights,
    hamiltonian,
    integrate_hamiltonian,
    kinetic_energy,
    path_length,
    potential_energy,
    stable_hamiltonian,
    velocity,
)
from verify.networks.leaky_resnet.kernel_norms import (
    cost_of_identity,
    feature_norm_squared,
    is_in_row_space,
    kernel_inverse,
    kernel_norm_squared,
    smallest_weights,
    stable_cost_of_identity,
    stable_kernel_norm_squared,
    weights_from_activations,
)
from verify.networks.leaky_resnet.network import LeakyResNet
from verify.networks.leaky_resnet.steps import (
    adaptive_steps,
    equidistant_steps,
    irregular_steps,
    irregular_steps_renormalised,
)

__all__ = [
    "ContinuousLeakyResNet",
    "CriticalNetwork",
    "HamiltonianTrajectories",
    "IntegratedPath",
    "LeakyResNet",
    "activation_kernel",
    "active",
    "adaptive_steps",
    "adjoint_velocity",
    "cost_of_identity",
    "critical_network",
    "critical_weights",
    "equidistant_steps",
    "feature_matrix",
    "feature_norm_squared",
    "hamiltonian",
    "inner",
    "integrate_hamiltonian",
    "irregular_steps",
    "irregular_steps_renormalised",
    "is_in_row_space",
    "kernel_inverse",
    "kernel_norm_squared",
    "kinetic_energy",
    "path_length",
    "potential_energy",
    "rectified",
    "smallest_weights",
    "squared_norm",
    "stable_cost_of_identity",
    "stable_hamiltonian",
    "stable_kernel_norm_squared",
    "symplectic_euler_step",
    "velocity",
    "weights_from_activations",
]
