r"""Theorem 6, proof: the volume of the Jacobian, layer by layer.

Statement
    In the proof of Theorem 15, :math:`|Jf(x)|_+` is the product of the volumes of the layers, projected to the images of the
    Jacobians before them and of the transposed Jacobians behind them; the frames of the factors are those of the theorem.
Correction
    That chain is false: it loses the cosine of the angle between the two spaces twice at a hidden layer. For
    :math:`W_1 = (1, 2)^T` and :math:`W_2 = (1, 0)` it gives 1/5 in place of :math:`|Jf|_+ = 1`, and the frames of its factors
    give 5.1 where the theorem allows 4. With :math:`E_0 = (\ker Jf)^\perp`, :math:`F_\ell = W_\ell E_{\ell-1}` and
    :math:`E_\ell = D_\ell F_\ell`, all of dimension k,

    .. math:: |Jf|_+ = \prod_\ell |W_\ell P_{E_{\ell-1}}|_+ \prod_\ell |D_\ell P_{F_\ell}|_+ , \qquad
              0 \le k - \|D_\ell P_{F_\ell}\|_F^2 \le -2\log|D_\ell P_{F_\ell}|_+ .
Checked
    The corrected product, what the slopes contract, and Theorem 15 at the frames of the factors; the printed product is
    refuted. The product needs no bound on the slopes.
Proof idea
    Volumes multiply along the spaces. The last factors are at most 1 for slopes in [-1, 1], and the scalar inequality of
    ``singular_values`` for :math:`A = W_\ell P_{E_{\ell-1}}` gives the theorem.
Tight
    The slopes: where they are 1 on the spaces, and to first order where they are nearly so.
Source
    bottleneck_structure, proof of Theorem 15; the corrected chain is derived here.
"""

from theorems.bottleneck_structure.constructions import frames
from theorems.bottleneck_structure.constructions.corrections import squared_volume
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.theorem_6.statement import DERIVATIVE, POINT, SLOPES, bound, one_short_side
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Source, Tight, derived, integers
from verify.claims.domain import Hypothesis
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import rational, rationals
from verify.words import eq, ge, le, lifted, log_pseudo_determinant, norm2, pinv, polar_factor, rank, stack

volume2, row_space, projection = map(lifted, (squared_volume, frames.row_space, frames.projection_to_image))


def slopes_at(f, x):
    r"""Diagonals of :math:`D_1, \ldots, D_{L-1}`, as columns."""
    return [f.activation.derivative(z)[:, None] for z in f.preactivations(x)[:-1]]


def image_chain(f, x):
    r"""All :math:`W_\ell P_{E_{\ell-1}}`, and all :math:`D_\ell P_{F_\ell}` but the last, where :math:`D_L = I`."""
    E = row_space(f.jacobian(x))
    weights, slopes = [f.weights[0] @ projection(E)], []
    for D, before, W in zip(slopes_at(f, x), f.weights[:-1], f.weights[1:], strict=True):
        F = before @ E
        E = D * F
        slopes.append(D * projection(F))
        weights.append(W @ projection(E))
    return weights, slopes


def onto_image(A):
    return A @ pinv(A)


def whole_image_chain(f, x):
    r"""The same with the images of all of :math:`J\alpha_{\ell-1}` and :math:`J\tilde\alpha_\ell`."""
    weights, slopes = [f.weights[0]], []
    for ell, D in enumerate(slopes_at(f, x), start=1):
        before = f.jacobian_to_layer(ell, x)
        slopes.append(D * onto_image(before))
        weights.append(f.weights[ell] @ onto_image(D * before))
    return weights, slopes


def printed_chain(f, x):
    r"""The factors of `whole_image_chain`, projected to the images of :math:`J(\tilde\alpha_\ell \to f)^T` and
    :math:`J(\alpha_\ell \to f)^T`.
    """
    weights, slopes = whole_image_chain(f, x)
    D, behind = slopes_at(f, x), f.weights[-1]
    for ell in range(f.depth - 1, 0, -1):
        slopes[ell - 1] = onto_image(behind.T) @ slopes[ell - 1]
        behind = behind * D[ell - 1].T
        weights[ell - 1] = onto_image(behind.T) @ weights[ell - 1]
        behind = behind @ f.weights[ell - 1]
    return weights, slopes


def is_product_of(factors, f, x):
    """The squared volume of the Jacobian is the product of those of the factors."""
    return eq(volume2(f.jacobian(x)), stack([volume2(factor) for factor in factors]).prod())


def volume_is_product(f, x):
    weights, slopes = image_chain(f, x)
    return is_product_of([*weights, *slopes], f, x)


def printed_product(f, x):
    weights, slopes = printed_chain(f, x)
    return is_product_of([*weights, *slopes], f, x)


def slopes_contract(f, x, log_factor=2):
    k, slopes = rank(f.jacobian(x)), image_chain(f, x)[1]
    norms, logs = stack([norm2(A) for A in slopes]), stack([log_pseudo_determinant(A) for A in slopes])
    return le(norms, k, name="norm") & le(k - norms, -log_factor * logs, name="volume")


def near_frames_of(factors, f, x):
    """The theorem with the frames of the factors, rather than the best ones."""
    biases = f.parameter_norm_squared - f.weight_norm_squared
    return le(sum(norm2(W - polar_factor(A)) for W, A in zip(f.weights, factors, strict=True)) + biases, bound(f, x))


def frames_of_factors_are_near(f, x):
    return near_frames_of(image_chain(f, x)[0], f, x)


def product_with_whole_images(f, x):
    """The images of all of the layers, also where they have more than k dimensions."""
    weights, slopes = whole_image_chain(f, x)
    return is_product_of([*weights, *slopes], f, x)


def product_without_slopes(f, x):
    return is_product_of(image_chain(f, x)[0], f, x)


def slopes_lose_nothing(f, x):
    return ge(stack([norm2(A) for A in image_chain(f, x)[1]]), rank(f.jacobian(x)))


def frames_of_printed_factors_are_near(f, x):
    return near_frames_of(printed_chain(f, x)[0], f, x)


def slope_nearly_one():
    """Depth 2, one neuron with a negative pre-activation and a slope a little less than 1."""
    activation = leaky_relu(rational("1048575/1048576"))
    return {"f": FullyConnected([rationals([[1]])] * 2, activation=activation), "x": [-1]}


SMALL = {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
AT_A_POINT = {
    "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network"),
    "x": POINT,
}
INSIDE: dict[str, Hypothesis] = {
    "the slope is strictly between -1 and 1": lambda f: (f.activation.negative > -1) & (f.activation.negative < 1)
}
OURS = Source("bottleneck_structure", "derived here")

CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain",
    title="The pseudo-determinant of the Jacobian is a product over the layers",
    source=OURS,
    status=DerivedHere(),
    statement=volume_is_product,
    domain=Domain(AT_A_POINT, SMALL, DERIVATIVE),
    false_variants={
        "images of all of the layers": product_with_whole_images,
        "without the slopes": product_without_slopes,
    },
)

CONTRACTION = Claim(
    id="bottleneck_structure.theorem_6.slopes",
    title="The slopes of the activation contract the spaces of the chain",
    source=OURS,
    status=DerivedHere(),
    statement=slopes_contract,
    domain=Domain(AT_A_POINT, SMALL, {**DERIVATIVE, **SLOPES}),
    needs=tuple(SLOPES),
    tight={
        "one short side": Tight(one_short_side, of=("norm", "volume")),
        "a slope nearly 1": Tight(slope_nearly_one, 2e-6, "-log s is 1 - s to first order", of=("volume",)),
    },
    false_variants={"half of the volume": {"log_factor": 1}, "nothing lost": slopes_lose_nothing},
)

PRINTED_CHAIN = Claim(
    id="bottleneck_structure.theorem_6.chain.printed",
    title="The product over the layers, projected from both sides",
    source=Source("bottleneck_structure", "Theorem 15, proof"),
    status=FalseAsPrinted(corrected_by=CHAIN.id),
    statement=printed_product,
    domain=Domain({"f": Networks(slope=(-2, 2)), "x": POINT}, SMALL, {**DERIVATIVE, **INSIDE}),
)

IMAGE_FRAMES = Claim(
    id="bottleneck_structure.theorem_6.image_frames",
    title="The frames of the corrected chain satisfy the theorem",
    source=OURS,
    status=DerivedHere(),
    statement=frames_of_factors_are_near,
    domain=Domain(
        AT_A_POINT, {**SMALL, "depth": (2, 3, 4), "width": range(2, 4), "outputs": range(1, 3)}, {**DERIVATIVE, **SLOPES}
    ),
    needs=tuple(SLOPES),
    tight={"one short side": one_short_side},
    false_variants={"frames of the printed chain": frames_of_printed_factors_are_near},
)
