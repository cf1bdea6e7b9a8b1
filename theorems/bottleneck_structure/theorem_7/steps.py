r"""Theorem 7, proof: the volume before a layer and the norm behind it.

Statement
    The proof of Theorem 16 has :math:`|B_\ell P|_+ = |Jf|_+ / |J\tilde\alpha_\ell|_+` for
    :math:`B_\ell = J(\tilde\alpha_\ell \to f)` and the projection P to the image of :math:`J\tilde\alpha_\ell`.
Correction
    The identity holds only if that image has dimension k. What holds for every network with slopes in [-1, 1] is

    .. math:: \|B_\ell\|_F^2 \ge k \Bigl(\frac{|Jf|_+}{\prod_{i \le k} s_i(J\tilde\alpha_\ell)}\Bigr)^{2/k} , \qquad
              \prod_{i \le k} s_i(J\tilde\alpha_\ell)^{2/k} \le \Bigl(\frac{1}{k\ell} \sum_{m \le \ell} \|W_m\|_F^2\Bigr)^\ell ,

    and for balanced networks the average of the first layers is at most that of all.
Checked
    The two inequalities at every layer, balanced or not; the printed identity is refuted on balanced networks.
Proof idea
    The volume of a product is at most the product of the k largest singular values; the inequality of means.
Tight
    Identities.
Source
    bottleneck_structure, proof of Theorem 16.
"""

import numpy as np

from theorems.bottleneck_structure.constructions.balanced import BALANCED
from theorems.bottleneck_structure.constructions.frames import projection_to_image
from theorems.bottleneck_structure.theorem_7.statement import ANY, HYPOTHESES, IDENTITIES, RANK, SIZES
from theorems.shared.activations import SLOPES
from verify import Claim, Domain, FalseAsPrinted, Source, Tight, reals
from verify.words import eq, exp, le, lifted, log, norm2, pseudo_determinant, rank, singular_values, stack, where

projection = lifted(projection_to_image)


def largest_product(s, k):
    """Of the k largest singular values."""
    return where(np.arange(len(s)) < k, s, 1).prod()


def half_power(base, exponent):
    """``base ** (exponent / 2)`` of positive numbers, where the exponent differs between instances."""
    return exp(exponent * log(base) / 2)


def volume_before(f, x, k):
    r""":math:`\prod_{i \le k} s_i(J\tilde\alpha_\ell)` for every layer."""
    return stack([largest_product(singular_values(f.jacobian_to_layer(ell, x)), k) for ell in range(1, f.depth + 1)])


def averages(f, k):
    r""":math:`\frac{1}{k\ell} \sum_{m \le \ell} \|W_m\|_F^2`."""
    return np.cumsum(stack([norm2(W) for W in f.weights])) / (k * np.arange(1, f.depth + 1))


def steps_of_the_proof(f, x):
    """The two inequalities to the power k/2, at every layer; behind the last one the first says nothing."""
    J, ell = f.jacobian(x), np.arange(1, f.depth + 1)
    k = rank(J)
    before, norms = volume_before(f, x, k), stack([norm2(f.jacobian_from_layer(layer, x)) for layer in range(1, f.depth)])
    behind = le(pseudo_determinant(J), half_power(norms / k, k) * before[:-1], name="behind")
    return behind & le(before, half_power(averages(f, k), k * ell), name="before")


def one_power_less(f, x):
    k = rank(f.jacobian(x))
    return le(volume_before(f, x, k), half_power(averages(f, k), k * np.arange(f.depth)))


def square_of_k(f, x):
    J = f.jacobian(x)
    k = rank(J)
    behind = half_power(norm2(f.jacobian_from_layer(1, x)) / (k * k), k)
    return le(pseudo_determinant(J), behind * volume_before(f, x, k)[0])


def volume_is_a_quotient(f, x):
    first = f.jacobian_to_layer(1, x)
    behind = f.jacobian_from_layer(1, x) @ projection(first)
    return eq(pseudo_determinant(behind) * pseudo_determinant(first), pseudo_determinant(f.jacobian(x)))


SOURCE = Source("bottleneck_structure", "proof of Theorem 16")

STEPS = Claim(
    id="bottleneck_structure.theorem_7.steps",
    title="Volumes before and behind a layer, balanced or not",
    source=SOURCE,
    statement=steps_of_the_proof,
    cost=2,
    domain=Domain(ANY, {"depth": (2, 3, 6), "inputs": range(2, 4), "width": range(2, 4), "outputs": range(1, 4)}, RANK),
    needs=(SLOPES,),
    tight={name: Tight(instance, of=("behind", "before")) for name, instance in IDENTITIES.items()},
    false_variants={"one power less": one_power_less, "the square of k": square_of_k},
)

CHAIN = Claim(
    id="bottleneck_structure.theorem_7.chain.printed",
    title="The volume of a projected Jacobian is a quotient (proof of Thm 16)",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=STEPS.id),
    statement=volume_is_a_quotient,
    domain=Domain({"f": BALANCED, "x": reals("inputs", role="point")}, {**SIZES, "depth": (3, 4)}, HYPOTHESES),
)
