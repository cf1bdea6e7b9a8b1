r"""Proposition 5, the set: a translated convex cone.

Statement
    Subtract :math:`\beta^211^T` from every :math:`K_\ell^\sigma`: then for tuples A, B of :math:`\mathcal K(X)` and
    :math:`t_1, t_2 \ge 0` the tuple :math:`t_1A + t_2B` is in the set again.
Checked
    That its pairs are those of the neurons of both, scaled by :math:`\sqrt{t_i}`, side by side; and the conditions on the
    images, for all hidden layers and the outputs. The factors are drawn as squares, to stay rational.
Proof idea
    The activation is homogeneous, and the image of a sum of positive semi-definite matrices is the sum of their images.
Source
    feature_learning, Proposition 5.
"""

from functools import reduce
from operator import and_

from theorems.feature_learning.constructions.activations import ACTIVATIONS, HOMOGENEOUS
from theorems.feature_learning.constructions.layers import DATA, gram, with_bias_row
from theorems.feature_learning.constructions.tuples import inside_the_images, onto_image, pair
from verify import Claim, Domain, Source, interval, reals
from verify.words import concatenate, eq


def combinations_stay_in_the_set(r, V, Z_L, roots, x, sigma, beta, translation=1, counted=(1, 1)):
    """The tuples A and B are along the first axis; t_1 and t_2 are the squares of the `roots`."""
    t, (r_A, r_B) = roots**2, r
    (V_A, Z_A), (V_B, Z_B) = (inside_the_images(*one, x, sigma, beta) for one in zip(r, V, Z_L, strict=True))
    before, parts = with_bias_row(x.T, beta), []
    for layer in range(r.shape[1]):
        A, B = (pair(one[layer], vectors[layer], sigma, beta) for one, vectors in ((r_A, V_A), (r_B, V_B)))
        K = t[0] * A[0] + t[1] * B[0]
        # each bias counts once
        K_sigma = t[0] * A[1] + t[1] * B[1] + translation * (1 - t.sum()) * beta**2
        scaled = [roots[0] * r_A[layer][:, None] * V_A[layer], roots[1] * r_B[layer][:, None] * V_B[layer]]
        Z = concatenate(scaled)
        parts += [
            eq(gram(Z), K, name=f"first of layer {layer + 1}"),
            eq(gram(with_bias_row(sigma(Z), beta)), K_sigma, name=f"second of layer {layer + 1}"),
            eq(onto_image(Z, before), Z, name=f"image in layer {layer + 1}"),
        ]
        before = with_bias_row(concatenate([sigma(c * rows) for c, rows in zip(counted, scaled, strict=True)]), beta)
    ends = t[0] * Z_A + t[1] * Z_B
    return reduce(and_, [*parts, eq(onto_image(ends, before), ends, name="image of the outputs")])


CLAIM = Claim(
    id="feature_learning.prop_5",
    title="Covariances of networks of any width are a translated convex cone",
    source=Source("feature_learning", "Proposition 5"),
    statement=combinations_stay_in_the_set,
    domain=Domain(
        {
            "r": interval(0, 2, 2, lambda sizes: sizes["depth"] - 1, "width"),
            "V": reals(2, lambda sizes: sizes["depth"] - 1, "width", "points"),
            "Z_L": reals(2, "outputs", "points"),
            "roots": interval(0, 2, 2),
            "sigma": ACTIVATIONS,
            **DATA,
        },
        {"depth": (2, 3, 4), "inputs": (1, 2, 3), "width": (1, 2, 3), "outputs": (1, 2, 3), "points": (1, 3, 4)},
        HOMOGENEOUS,
    ),
    needs=tuple(HOMOGENEOUS),
    false_variants={
        "a cone without the translation": {"translation": 0},
        "in the images of the first tuple": {"counted": (1, 0)},
    },
)
