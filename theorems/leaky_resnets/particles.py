r"""The problem over activations is a flow of particles: the neurons, which meet in the kernel alone.

Statement
    .. math:: C(A_1) + \frac\lambda{2L}\int_0^1\|LA_p + \partial_pA_p\|_{K_p}^2dp
              = \sum_{i=1}^w\Bigl(\frac1N\|F_{i\cdot} - A_{1,i\cdot}\|^2
              + \frac\lambda{2L}\int_0^1\|LA_{p,i\cdot} + \partial_pA_{p,i\cdot}\|_{K_p}^2dp\Bigr) , \qquad
              K_p = \sum_{i=1}^w\bar\sigma(A_{p,i\cdot})^T\bar\sigma(A_{p,i\cdot}) + \mathbf 1\mathbf 1^T .
Correction
    The print leaves out the parentheses: the sum is over both terms.
Checked
    Both identities for discrete paths, with the bare formula for the norm.
Proof idea
    The squared norm of K is a sum over rows.
Source
    leaky_resnets, Section 1.3.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.paths import Problem, wandering_problems
from theorems.leaky_resnets.lagrangian import SIZES, price, value_over_activations
from verify import Claim, Domain, Q, Relation, Source, eq
from verify.arithmetic import Array
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, rectified, smallest_weights, squared_norm

HALF = Q("1/2")


def kernel_of_particles(A: Array, ones: int = 1) -> Array:
    """The sum over the neurons of the kernels of each, and the ones."""
    image = rectified(A)
    return np.asarray((image[..., :, :, None] * image[..., :, None, :]).sum(axis=-3) + ones)


def misfit_of_particle(problem: Problem, row: slice) -> Array:
    """What one neuron adds to the cost at the end."""
    return np.asarray(squared_norm((problem.target - problem.path[-1])[..., row, :]) / problem.target.shape[-1])


def price_of_particle(problem: Problem, row: slice, features: Array, half: Q = HALF) -> Array:
    """What one neuron adds to the regularisation, with the kernel of the given features."""
    norms = squared_norm(smallest_weights(problem.driving[..., row, :], features))
    return np.asarray(half * problem.penalty * problem.over_layers(norms) / problem.leak)


def rows(problem: Problem) -> list[slice]:
    """The neurons."""
    return [slice(neuron, neuron + 1) for neuron in range(problem.target.shape[-2])]


def sum_over_particles(problem: Problem, half: Q = HALF, ones: int = 1) -> Relation:
    """The objective of a path against the sum over its neurons, and the kernel in which they meet."""
    features = feature_matrix(problem.before)
    particles = [misfit_of_particle(problem, row) + price_of_particle(problem, row, features, half) for row in rows(problem)]
    kernels = kernel_of_particles(problem.before, ones)
    return eq(value_over_activations(problem, problem.smallest_weights), sum(particles), name="sum") & eq(
        activation_kernel(problem.before), kernels, name="kernel", over=3
    )


# False variants


def every_particle_its_own_kernel(problem: Problem) -> Relation:
    """No neuron feels another."""
    particles = [
        misfit_of_particle(problem, row) + price_of_particle(problem, row, feature_matrix(problem.before[..., row, :]))
        for row in rows(problem)
    ]
    return eq(value_over_activations(problem, problem.smallest_weights), sum(particles))


def sum_of_the_first_term_alone(problem: Problem) -> Relation:
    """The print without parentheses: only the cost at the end is summed over the neurons, the price is that of the last."""
    features = feature_matrix(problem.before)
    costs = sum(misfit_of_particle(problem, row) for row in rows(problem))
    total = costs + price_of_particle(problem, rows(problem)[-1], features)
    return eq(value_over_activations(problem, problem.smallest_weights), total)


CLAIM = Claim(
    id="leaky_resnets.particles",
    title="The objective is a sum over neurons, which meet in the kernel",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=sum_over_particles,
    domain=Domain({"problem": wandering_problems()}, SIZES),
    false_neighbours={
        "every neuron has its own kernel": every_particle_its_own_kernel,
        "one neuron is regularised": sum_of_the_first_term_alone,
    },
    cost=price,
)
