r"""The problem over activations is a flow of particles.

Statement
    .. math:: C(A_1) + \frac\lambda{2L}\int_0^1\|LA_p + \partial_pA_p\|_{K_p}^2dp
              = \sum_{i=1}^w\Bigl(\frac1N\|F_{i\cdot} - A_{1,i\cdot}\|^2
              + \frac\lambda{2L}\int_0^1\|LA_{p,i\cdot} + \partial_pA_{p,i\cdot}\|_{K_p}^2dp\Bigr) , \qquad
              K_p = \sum_{i=1}^w\bar\sigma(A_{p,i\cdot})^T\bar\sigma(A_{p,i\cdot}) + \mathbf 1\mathbf 1^T .
Correction
    The print leaves out the parentheses: the sum is over both terms. Its kernel has no :math:`\mathbf 1\mathbf 1^T`, which is
    that of the bias (``.printed``).
Checked
    Both identities for discrete paths, with the bare formula for the norm.
Proof idea
    The squared norm of K is a sum over rows.
Source
    leaky_resnets, Section 1.3.
"""

import numpy as np

from theorems.leaky_resnets.constructions.paths import wandering_problems
from theorems.leaky_resnets.constructions.representations import sigma
from theorems.leaky_resnets.lagrangian import SIZES, integral, rationals_grow, smallest_weights
from verify import Claim, Domain, FalseAsPrinted, Source, reals
from verify.networks.leaky_resnet import activation_kernel
from verify.words import eq, lifted, norm2, pinv, relu


def objective(problem):
    return problem.misfit + problem.lam / (2 * problem.L) * integral(problem, smallest_weights(problem))


def misfit(problem, i):
    """What neuron i adds to the cost at the end."""
    return norm2((problem.F - problem.path[-1])[i]) / problem.F.shape[1]


def regularisation(problem, i, inverse):
    """What neuron i adds to the regularisation, with the pseudo-inverse of features."""
    driving = (problem.L * problem.A + problem.dA)[:, i : i + 1]
    return problem.lam / (2 * problem.L) * integral(problem, driving @ inverse)


def sum_over_particles(problem):
    """The objective of a path against the sum over its neurons, and the kernel in which they meet."""
    inverse, features = pinv(sigma(problem.A)), relu(problem.A)
    neurons = range(len(problem.F))
    kernel = sum(features[:, i, :, None] * features[:, i, None, :] for i in neurons) + 1
    return eq(
        objective(problem), sum(misfit(problem, i) + regularisation(problem, i, inverse) for i in neurons), name="sum"
    ) & eq(lifted(activation_kernel)(problem.A), kernel, name="kernel")


def kernel_without_the_ones(A):
    """The kernel of the features with their ones, against the sum over the neurons."""
    return eq(sigma(A).T @ sigma(A), sum(np.outer(z, z) for z in relu(A)))


def every_particle_its_own_kernel(problem):
    neurons = range(len(problem.F))
    own = [pinv(sigma(problem.A[:, i : i + 1])) for i in neurons]
    return eq(objective(problem), sum(misfit(problem, i) + regularisation(problem, i, own[i]) for i in neurons))


def sum_of_the_first_term_alone(problem):
    """The print without parentheses: only the cost at the end is summed, the cost of the path is that of the last neuron."""
    price = regularisation(problem, len(problem.F) - 1, pinv(sigma(problem.A)))
    return eq(objective(problem), problem.misfit + price)


CLAIM = Claim(
    id="leaky_resnets.particles",
    title="The objective is a sum over neurons, which meet in the kernel",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=sum_over_particles,
    domain=Domain({"problem": wandering_problems()}, SIZES),
    false_variants={
        "every neuron has its own kernel": every_particle_its_own_kernel,
        "one neuron is regularised": sum_of_the_first_term_alone,
    },
    cost=rationals_grow,
)

PRINTED = Claim(
    id="leaky_resnets.particles.printed",
    title="The kernel is the sum over the neurons alone",
    source=Source("leaky_resnets", "Section 1.3"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=kernel_without_the_ones,
    domain=Domain({"A": reals("neurons", "points")}, {"neurons": (1, 2), "points": (1, 2)}),
)
