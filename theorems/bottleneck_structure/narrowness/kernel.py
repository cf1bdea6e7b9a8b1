r"""The neural tangent kernel is a sum over layers.

Statement
    .. math:: \Theta(x, y) = J_\theta f(x)\, J_\theta f(y)^T = \sum_{\ell=1}^L (\alpha_{\ell-1}(x)^T \alpha_{\ell-1}(y) + 1)\,
              J(\tilde\alpha_\ell \to f)(x)\, J(\tilde\alpha_\ell \to f)(y)^T ,

    and in a linear region :math:`\partial^2_{xy}\Theta` is the sum of the Kronecker products
    :math:`(J\alpha_{\ell-1}^T J\alpha_{\ell-1}) \otimes (J(\tilde\alpha_\ell\to f) J(\tilde\alpha_\ell\to f)^T)`.
Correction
    The 1 is the share of the biases; the proofs of the paper print the sum without it.
Checked
    The left side as it stands, with derivatives carried forward from every single parameter; the form without the share of the
    biases is refuted. Mixed differences of the kernel in a linear region, which are exact: the biases have no share there.
Proof idea
    Every parameter of a layer reaches the output through its pre-activations.
Source
    bottleneck_structure, Section 4 and proofs of Theorem 16 and Proposition 18.
"""

from theorems.shared.parameter_jacobian import parameter_jacobian
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, reals
from verify.networks.ntk import ntk, ntk_mixed_derivative, ntk_trace
from verify.words import eq, eye, lifted, norm2

kernel, kernel_trace, mixed_derivative = lifted(ntk), lifted(ntk_trace), lifted(ntk_mixed_derivative)


def kernel_is_sum_over_layers(f, x, y):
    Jx, Jy = parameter_jacobian(f, x), parameter_jacobian(f, y)
    return eq(Jx @ Jy.T, kernel(f, x, y), name="kernel") & eq(norm2(Jx), kernel_trace(f, x), name="trace")


def kernel_without_biases(f, x, y):
    return eq(parameter_jacobian(f, x) @ parameter_jacobian(f, y).T, kernel(f, x, y, biases=False))


def points_exchanged(f, x, y):
    return eq(parameter_jacobian(f, x) @ parameter_jacobian(f, y).T, kernel(f, y, x))


def along(f, x, u, v):
    """The Kronecker products along u and v."""
    d, n = f.widths[0], f.widths[-1]
    blocks = mixed_derivative(f, x).reshape(d, n, d, n)
    return (blocks * u[:, None, None, None] * v[:, None]).sum(axis=(0, 2))


def difference(f, x, u, v, last=1):
    """Mixed difference of the kernel at x, x + u/8 and x + v/8, times 8^2."""
    return 8**2 * (kernel(f, x + u / 8, x + v / 8) - kernel(f, x + u / 8, x) - kernel(f, x, x + v / 8) + last * kernel(f, x, x))


def mixed_difference(f, x, u, v, last=1):
    # beside the traces of the kernel, of which the difference is a small part
    size = 8**2 * sum(kernel_trace(f, point) for point in (x, x + u / 8, x + v / 8))
    return eq(difference(f, x, u, v, last), along(f, x, u, v), beside=size)


def of_the_last_layer(f, x, u, v):
    slopes = f.activation.derivative(f.preactivations(x)[-2])
    J = slopes[:, None] * f.jacobian_to_layer(f.depth - 1, x)
    return eq(difference(f, x, u, v), ((J @ u) @ (J @ v)) * eye(f.widths[-1]))


def pattern_is_constant(f, x, u, v):
    """No hidden neuron changes its sign between the three points, or is at its kink at x."""
    same = x[0] == x[0]
    for at_x, at_u, at_v in zip(*(f.preactivations(point)[:-1] for point in (x, x + u / 8, x + v / 8)), strict=True):
        same = same & ((at_x * at_u > 0) & (at_x * at_v > 0)).all()
    return same


SOURCE = Source("bottleneck_structure", "Section 4")
SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 3), "width": range(2, 4), "outputs": range(1, 4)}
NETWORKS = Networks(slope=(-2, 2))
TWO_POINTS = {"f": NETWORKS, "x": reals("inputs", role="point"), "y": reals("inputs", role="second point")}
CONSTANT = "the activation pattern is constant"

CLAIM = Claim(
    id="bottleneck_structure.narrowness",
    title="The neural tangent kernel is a sum over layers",
    source=SOURCE,
    statement=kernel_is_sum_over_layers,
    domain=Domain(TWO_POINTS, SIZES),
    false_variants={"without the share of the biases": kernel_without_biases, "points exchanged": points_exchanged},
)

PRINTED = Claim(
    id="bottleneck_structure.narrowness.printed",
    title="The kernel of a network with biases without their share",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=kernel_without_biases,
    domain=Domain(TWO_POINTS, SIZES),
)

MIXED = Claim(
    id="bottleneck_structure.narrowness.mixed_derivative",
    title="The mixed derivative of the kernel in a linear region",
    source=SOURCE,
    statement=mixed_difference,
    domain=Domain(
        {
            "f": NETWORKS,
            "x": reals("inputs", role="point"),
            "u": reals("inputs", role="direction"),
            "v": reals("inputs", role="second direction"),
        },
        {**SIZES, "depth": (2, 3, 4)},
        {CONSTANT: pattern_is_constant},
    ),
    needs=(CONSTANT,),
    false_variants={"without the kernel at x": {"last": 0}, "the last layer alone": of_the_last_layer},
)
