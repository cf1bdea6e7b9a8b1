r"""Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets (2024), in the order of the paper.

Section 1.1, leaky ResNets
    ``ode.statement``: layers are steps of the differential equation.
    ``ode.one_neuron``: one neuron in closed form.
    ``regularised_problem``: the loss, its ridge, and the gradient of it.
Section 1.2, symmetries
    ``range_symmetry``: a longer range is a smaller leak.
    ``output_scaling``: more leak scales the outputs down.
Section 1.3, Lagrangian
    ``weights_from_activations``: the smallest weights that move activations so.
    ``lagrangian``: the problem over weights and the problem over activations.
    ``particles``: neurons are particles, which meet in the kernel.
    ``energy_split``: potential energy, cross term, kinetic energy.
    ``linear_cross_term.path``, footnote: the cross term of linear networks depends on the ends alone.
    ``linear_cross_term.ends``, footnote: where the bias does not matter for it.
    ``cost_of_identity.smallest_weights``: the cost of identity is the smallest squared norm of weights.
    ``cost_of_identity.bounds``: it is zero for zero only, lower semicontinuous, and no larger than without bias.
    ``zero_representation``: after zero a network learns constants only.
Section 1.4, cost of identity as dimension
    ``cost_of_identity.rank``: non-negative representations cost their rank.
    ``prop_1.statement``, Proposition 1: the cost is at least an effective dimension.
    ``prop_1.features``, Proposition 1, proof: how large the features are.
    ``prop_1.minimiser``, Proposition 1, proof: the smallest product of norms.
    ``stable_rank``: stable rank, effective dimension, rank.
    ``prop_2.shrinking``, Proposition 2 (6), proof: shrinking never costs.
    ``prop_2.new_neuron``, Proposition 2 (6), proof: the cost with one more neuron.
    ``prop_2.columns``, Proposition 2 (6), proof: the columns of the kernel as neurons.
    ``prop_2.ones``, Proposition 2 (6), proof: what the kernel makes of the constants.
    ``prop_2.limit``, Proposition 2 (6), proof: the costs with bias and without agree in the limit.
    ``prop_2.descent``, Proposition 2 (6): stable minima have no negative entry.
    ``prop_2.value``, Proposition 2 (6): stable minima cost their rank.
    ``prop_2.minima``, Proposition 2 (6): minima that are stable, and one that is not.
    ``prop_2.infinite_cost``, Proposition 2 (6): the proposition as printed, where the cost is infinite.
    ``prop_3.path``, Proposition 3 (7): the path of constant cost in a wide layer.
    ``prop_3.rows``, Proposition 3 (7): the gradient along it.
    ``prop_3.kernels``, Proposition 3 (7), proof: how the path keeps the signs.
    ``prop_3.saddle``, Proposition 3 (7): its end is a saddle, its width is needed.
    ``prop_3.two_points``, Proposition 3 (7): for two points its hypothesis is empty.
    ``prop_3.negative_entries``, Proposition 3 (7): what its hypothesis asks of three points and more.
Section 1.5, Hamiltonian
    ``backward_equation.statement``: the adjoints of discrete networks.
    ``backward_equation.continuous``: those of the differential equation.
    ``critical_weights``: the weights at critical points.
    ``hamiltonian``: Hamilton's equations.
    ``conservation``: the Hamiltonian is constant.
    ``legendre.transform``: it is the Legendre transform of the Lagrangian.
    ``legendre.duality``: momentum times velocity is at most Lagrangian plus Hamiltonian.
    ``legendre.transversality``: at the end the momentum is that of the loss.
    ``trajectories``: trajectories in closed form.
Section 2.1, separation of timescales
    ``speed_law``: the Hamiltonian is kinetic plus potential energy.
    ``theorem_4.statement``, Theorem 4 (8): the speed, and the least cost, up to terms in gamma.
    ``theorem_4.pointwise``, Theorem 4 (8), proof: the identity and the inequalities at a point.
    ``theorem_4.consequences``, Theorem 4 (8): the stable Hamiltonian, layers of optimal cost.
    ``theorem_4.one_over_leak``, Theorem 4 (8): gamma = 1/L.
    ``theorem_4.local_minimisers``, Theorem 4 (8): as printed it fails at local minimisers.
    ``theorem_4.global_minimisers``, Theorem 4 (8): and at global ones.
    ``gamma_choice.statement``: gamma in proportion to the kernel.
    ``gamma_choice.consequences``: what that does to the condition number, the weights and the scale.
    ``prop_5.construction``, Proposition 5 (9), proof: another neuron, and two misprints.
    ``prop_5.gap``, Proposition 5 (9), proof: what a negative entry saves, and a third.
    ``prop_5.neuron``, Proposition 5 (9), proof: how it follows its target.
    ``prop_5.moving_kernel``, Proposition 5 (9), proof: which kernel stands in it.
    ``prop_5.outputs``, Proposition 5 (9), proof: what it does to the cost at the end.
    ``prop_5.bias``, Proposition 5 (9), proof: the bias is small on average.
    ``prop_5.slow_motion``, Proposition 5 (9): a finite form, for paths that rest or move slowly.
    ``bottleneck_rank.nonnegative``, after Proposition 5: the constant is at most the rank.
    ``bottleneck_rank.diagonal``, after Proposition 5: it nears an integer.
Section 3, discretisation
    ``discretisation``: critical layers are steps of the symplectic Euler method.
    ``equidistant_steps``, ``irregular_steps``, ``adaptive_steps``: the three schemes.
Appendix A.3, balancedness
    ``balanced_fully_connected``: fully connected layers.
    ``prop_10``, Proposition 10: the norm grows by twice the biases.
    ``reparametrisation``, Proposition 10, proof: paths at another speed.
Appendix B, experiments
    ``stable_solve``: solving with gamma in place of a pseudo-inverse.
Conjectures
    ``conjectures.negative_minimum``, open: no minimum of the cost of identity has a negative entry.
"""

from collections.abc import Mapping

RETIRED: Mapping[str, str] = {
    "leaky_resnets.bottleneck_rank.integer": (
        "a case of leaky_resnets.cost_of_identity.nonnegative_with_bias, the cost of every non-negative representation"
    ),
    "leaky_resnets.adaptive_steps.printed": (
        "the paper promises no convergence; leaky_resnets.adaptive_steps.cycle says what repeated updates can do"
    ),
    "leaky_resnets.conservation.discrete": "the same statement as leaky_resnets.discretisation.trace",
    "leaky_resnets.critical_weights.smallest": (
        "leaky_resnets.weights_from_activations says it for all weights, and .critical for critical ones"
    ),
    "leaky_resnets.trajectories.bottleneck_gap": "an equality of leaky_resnets.bottleneck_rank",
}
"""Ids that went, and what replaced them."""
