r"""Balancedness: the gradients before and after a neuron agree.

Statement
    The derivative of any loss in the direction of a rescaling is zero: the inner products of the incoming and of the outgoing
    weights of a neuron with their gradients are equal. At a critical point of the loss plus :math:`\lambda\|\theta\|^2`
    the two squared norms are therefore equal: only the share of the regulariser is left in the two inner products.
Checked
    The equality at every hidden neuron, for the gradients of :math:`v^Tf(x)`: to first order every loss is linear in the
    outputs. With :math:`\delta_\ell = J(\tilde\alpha_\ell \to f)^Tv`

    .. math:: \delta_\ell \odot (W_\ell\alpha_{\ell-1} + b_\ell) = W_{\ell+1}^T\delta_{\ell+1} \odot \alpha_\ell .

Proof idea
    The function does not change along the rescaling.
Source
    bottleneck_structure, Section 2 (balancedness).
"""

from verify import Claim, Domain, Networks, Relation, Source, reals
from verify.words import eq


def delta(f, x, v, ell):
    r""":math:`\delta_\ell`, the gradient of :math:`v^Tf(x)` by :math:`b_\ell`."""
    return v @ f.jacobian_from_layer(ell, x)


def into(f, x, v, ell, bias=1):
    """Inner products of the weights into the neurons of a layer with their gradients, and of the biases with theirs."""
    return delta(f, x, v, ell) * (f.weights[ell - 1] @ f.activations(x)[ell - 1] + bias * f.biases[ell - 1])


def out_of(f, x, v, ell, values):
    """The same of the weights out of these neurons, where `values` are those of the neurons."""
    return delta(f, x, v, ell + 1) @ f.weights[ell] * values


def gradients_agree(f, x, v):
    relation = Relation(())
    for ell in range(1, f.depth):
        relation &= eq(into(f, x, v, ell), out_of(f, x, v, ell, f.activations(x)[ell]), name=f"layer {ell}")
    return relation


def without_the_bias(f, x, v):
    return eq(into(f, x, v, 1, bias=0), out_of(f, x, v, 1, f.activations(x)[1]))


def before_the_activation(f, x, v):
    return eq(into(f, x, v, 1), out_of(f, x, v, 1, f.preactivations(x)[0]))


GRADIENTS = Claim(
    id="bottleneck_structure.balancedness.gradients",
    title="The gradients before and after a neuron agree along its rescaling",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=gradients_agree,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point"), "v": reals("outputs", role="residual")},
        {"depth": (2, 3, 4, 7), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
    ),
    false_variants={"without the bias": without_the_bias, "the values before the activation": before_the_activation},
)
