r"""Proposition 12, proof: the last layer does not determine its input.

Statement
    Let A be the Jacobian of the last hidden layer, restricted to the tangent space :math:`T_x\Omega` of a domain on which the
    network is the identity. Since :math:`P_{T_x\Omega} = W_LA`, one can write :math:`A = W_L^+P_{T_x\Omega}`.
Correction
    :math:`W_L^+W_LA = W_L^+P_{T_x\Omega}`, but A may have a part in the kernel of :math:`W_L`. What the proof needs is
    :math:`|A|_+ \ge |W_L^+P_{T_x\Omega}|_+`, which is true (``last_layer``).
Checked
    Networks that are the identity on the non-negative vectors, :math:`x \mapsto (x; Gx)` and :math:`W_2 = (I - HG, H)` with
    :math:`G \ge 0`, at points with positive entries. Refuted is :math:`A = W_2^+`.
Source
    bottleneck_structure, Proposition 12, proof.
"""

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Source, interval, reals
from verify.networks import FullyConnected
from verify.words import concatenate, eq, eye, lifted, pinv

network = lifted(FullyConnected)


def last_layer_determines_the_representation(G, H, x):
    one = eye(len(x))
    f = network([concatenate([one, G]), concatenate([one - H @ G, H], axis=1)])
    return eq(f.jacobian_to_layer(1, x), pinv(f.weights[-1]))


PRINTED = Claim(
    id="bottleneck_structure.prop_5.last_layer.printed",
    title="The last representation is the pseudo-inverse of the last layer",
    source=Source("bottleneck_structure", "Proposition 12, proof"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.prop_5.last_layer"),
    statement=last_layer_determines_the_representation,
    domain=Domain(
        {"G": interval(0, np.inf, "copies", "inputs"), "H": reals("inputs", "copies"), "x": interval(1, 2, "inputs")},
        {"inputs": (1, 2, 3), "copies": (1, 2)},
    ),
)
