r"""Theorem 7, proof: the volume before a layer and the norm behind it.

Statement
    The proof of Theorem 16 has :math:`|B_\ell P|_+ = |Jf|_+ / |J\tilde\alpha_\ell|_+` for
    :math:`B_\ell = J(\tilde\alpha_\ell \to f)` and the projection P to the image of :math:`J\tilde\alpha_\ell`.
Correction
    The identity holds only if that image has dimension k. What holds for every network is

    .. math:: \|B_\ell\|_F^2 \ge k \Bigl(\frac{|Jf|_+}{\prod_{i \le k} s_i(J\tilde\alpha_\ell)}\Bigr)^{2/k} , \qquad
              \prod_{i \le k} s_i(J\tilde\alpha_\ell)^{2/k} \le \Bigl(\frac{1}{k\ell} \sum_{m \le \ell} \|W_m\|_F^2\Bigr)^\ell ,

    and for balanced networks the average of the first layers is at most that of all.
Checked
    The two inequalities at every layer, balanced or not; the printed identity is refuted on balanced networks.
Proof idea
    The volume of a product is at most the product of the k largest singular values; the inequality of means.
Sharp
    Identities.
Source
    bottleneck_structure, proof of Theorem 16.
"""

from __future__ import annotations

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.constructions.balanced import BALANCED, is_balanced
from theorems.bottleneck_structure.constructions.frames import projection_to_image
from theorems.bottleneck_structure.constructions.points import jacobian_rank
from theorems.bottleneck_structure.theorem_7.statement import ANY, IDENTITIES, RANK, SIZES
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, exp, log
from verify.matrices import pseudo_determinant, singular_values
from verify.networks import FullyConnected


def largest_product(values: Array, k: Array) -> Array:
    """Product of the first k of the descending `values`, shapes ``(..., n)`` and ``(...)``."""
    kept = np.where(np.arange(values.shape[-1]) < np.asarray(k)[..., None], values, 1)
    return np.asarray(kept.prod(axis=-1))


def half_power(base: Array, exponent: Array) -> Array:
    """``base ** (exponent / 2)`` for positive `base` and integers that differ between instances."""
    return np.asarray(exp(np.asarray(exponent) * log(base) / 2))


def volume_before(network: FullyConnected, x: Array, k: Array) -> Array:
    r""":math:`\prod_{i \le k} s_i(J\tilde\alpha_\ell)` for every layer, shape ``(..., L)``."""
    layers = range(1, network.depth + 1)
    return np.stack([largest_product(singular_values(network.jacobian_to_layer(one, x)), k) for one in layers], axis=-1)


def averages(network: FullyConnected, k: Array) -> Array:
    r""":math:`\frac{1}{k\ell} \sum_{m \le \ell} \|W_m\|_F^2`, shape ``(..., L)``."""
    totals = np.cumsum(np.stack([squares(weight, (-2, -1)) for weight in network.weights], axis=-1), axis=-1)
    return np.asarray(totals / (k[..., None] * np.arange(1, network.depth + 1)))


def steps_of_the_proof(network: FullyConnected, x: Array) -> Relation:
    """The two inequalities to the power k/2, at every layer; behind the last one the first says nothing."""
    k, layers = jacobian_rank(network, x), np.arange(1, network.depth + 1)
    before = volume_before(network, x, k)
    norms = [squares(network.jacobian_from_layer(layer, x), (-2, -1)) / k for layer in layers[:-1].tolist()]
    behind = half_power(np.stack(norms, axis=-1), k[..., None]) * before[..., :-1]
    volume = pseudo_determinant(network.jacobian(x))[..., None]
    return le(volume, behind, name="behind", over=1) & le(
        before, half_power(averages(network, k), k[..., None] * layers), name="before", over=1
    )


def printed_identity(network: FullyConnected, x: Array) -> Relation:
    """The identity of the printed proof at the first layer."""
    first = network.jacobian_to_layer(1, x)
    behind = network.jacobian_from_layer(1, x) @ projection_to_image(first)
    return eq(pseudo_determinant(behind) * pseudo_determinant(first), pseudo_determinant(network.jacobian(x)))


# False variants


def one_power_less(network: FullyConnected, x: Array) -> Relation:
    """The average to the power of the layer before."""
    k, powers = jacobian_rank(network, x), np.arange(network.depth)
    return le(volume_before(network, x, k), half_power(averages(network, k), k[..., None] * powers), over=1)


def norm_not_shared(network: FullyConnected, x: Array) -> Relation:
    """The norm behind a layer divided by the square of k."""
    k = jacobian_rank(network, x)
    before, volume = volume_before(network, x, k)[..., 0], pseudo_determinant(network.jacobian(x))
    return le(volume, half_power(squares(network.jacobian_from_layer(1, x), (-2, -1)) / (k * k), k) * before)


SOURCE = Source("bottleneck_structure", "proof of Theorem 16")

STEPS = Claim(
    id="bottleneck_structure.theorem_7.steps",
    title="Volumes before and behind a layer, for every network",
    source=SOURCE,
    statement=steps_of_the_proof,
    cost=2,
    domain=Domain(ANY, {"depth": (2, 3, 6), "inputs": range(2, 4), "width": range(2, 4), "outputs": range(1, 4)}, RANK),
    tight={name: Tight(instance, of=("behind", "before")) for name, instance in IDENTITIES.items()},
    false_neighbours={"one power less": one_power_less, "the square of k": norm_not_shared},
)

CHAIN = Claim(
    id="bottleneck_structure.theorem_7.chain.printed",
    title="The volume of a projected Jacobian as a quotient, in the proof of Theorem 16",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=STEPS.id),
    statement=printed_identity,
    domain=Domain({"network": BALANCED, "x": reals("inputs")}, {**SIZES, "depth": (3, 4)}, RANK | {"balanced": is_balanced}),
    false_neighbours={},
)
