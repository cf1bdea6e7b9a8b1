r"""The problem over activations as a flow of particles: the neurons, which move in :math:`\mathbb R^N`.

.. math:: C(A_1) + \frac\lambda{2L}\int_0^1\|LA_p + \partial_pA_p\|_{K_p}^2dp
          = \sum_{i=1}^w\Bigl(\frac1N\|F_{i\cdot} - A_{1,i\cdot}\|^2
          + \frac\lambda{2L}\int_0^1\|LA_{p,i\cdot} + \partial_pA_{p,i\cdot}\|_{K_p}^2dp\Bigr) ,

where all particles meet in :math:`K_p = \sum_i\bar\sigma(A_{p,i\cdot})^T\bar\sigma(A_{p,i\cdot}) + 11^T` alone. (The print
leaves out the parentheses.) What is checked: both identities for discrete paths; a kernel of each particle's own would give
another value. The idea: the norm of K is a sum over rows.

Source: leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.representations import fit
from theorems.leaky_resnets.lagrangian import COMMON, LAYERS, SIZES, Problem, wandering
from verify import Claim, Domain, Relation, Source, derived, eq, integers, reals
from verify.arithmetic import Array
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, rectified


def kernel_of_particles(A: Array, ones: int = 1) -> Array:
    """The sum over the neurons of the kernels of each, and the ones."""
    image = rectified(A)
    products = image[..., :, :, None] * image[..., :, None, :]
    return np.asarray(products.sum(axis=-3) + ones)


def sum_over_particles(problem: Problem, *, own: bool = False, first: bool = False, ones: int = 1) -> Relation:
    """The objective of a path against the sum over its neurons.

    In false neighbours every neuron has a kernel of its `own`, only the `first` is regularised, or the ones are left out.
    """
    layers = problem.layers()
    whole = problem.objective([layer.price for layer in layers])
    total, relation = 0 * whole, Relation(())
    for neuron in range(problem.target.shape[-2]):
        row = slice(neuron, neuron + 1)
        loss = ((problem.target[..., row, :] - problem.path[-1][..., row, :]) ** 2).sum(axis=(-2, -1))
        total = total + loss / problem.target.shape[-1]
        for k, (A, layer) in enumerate(zip(problem.path, layers, strict=False)):
            features = feature_matrix(A[..., row, :] if own else A)
            price = fit(layer.target[..., row, :], features).squared_norm
            if not first or neuron == 0:
                total = total + problem.penalty / (2 * problem.leak) * problem.steps[..., k] * price
    for A in problem.path:
        size = 1 + (A * A).sum(axis=(-2, -1))[..., None, None]
        relation &= eq(activation_kernel(A), kernel_of_particles(A, ones), scale=size, over=2)
    return relation & eq(whole, total, noise=problem.noise(layers))


CLAIM = Claim(
    id="leaky_resnets.particles",
    title="The objective is a sum over neurons, which meet in the kernel",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=sum_over_particles,
    domain=Domain(
        {"problem": derived(wandering, path=reals(LAYERS + 1, "width", "points"), kind=integers(0, 1), **COMMON)}, SIZES
    ),
    false_neighbours={
        "every neuron has its own kernel": partial(sum_over_particles, own=True),
        "one neuron is regularised": partial(sum_over_particles, first=True),
        "no ones in the kernel": partial(sum_over_particles, ones=0),
    },
    cost=4,
)
