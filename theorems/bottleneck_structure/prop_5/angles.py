r"""Proposition 5, "only if": tangent spaces cost their angles.

Statement
    For k-dimensional tangent spaces at x and y with the principal angles :math:`\theta_i`,

    .. math:: R^{(1)}(id; \Omega) \ge \sum_i \log(1 + \sin\theta_i) .
Checked
    The steps. For every network, k-dimensional T and point x where Jf keeps the dimension of :math:`A = J\alpha_{L-1}(x)P_T`,

    .. math:: \|\theta\|^2 \ge \|W_L\|_F^2 + k(L - 1) + 2\log|A|_+ , \qquad |A|_+ \ge |W_L^+ W_L A|_+ ,

    so that for a network that is the identity on :math:`\Omega`, with :math:`M = W_LW_L^T` and orthonormal bases :math:`T_z` of
    both tangent spaces, :math:`\|\theta\|^2 \ge \mathrm{Tr}\,M + k(L - 1) + \max_z \log\det(T_z^T M^{-1} T_z)`. And for every
    positive definite M,

    .. math:: \mathrm{Tr}\,M + \max_z \log\det(T_z^T M^{-1} T_z) \ge k + \sum_i \log(1 + \sin\theta_i) .

    The whole for networks that are the identity on two rays (``.broken_line``), where k = 1.
Proof idea
    In the plane of a pair of principal vectors the maximum is least at :math:`M = \mathrm{diag}(\cos\frac\theta2,
    \sin\frac\theta2)/(\cos\frac\theta2 + \sin\frac\theta2)` along the bisectors, where it is
    :math:`1 + \log(1 + \sin\theta)`.
Tight
    That M. For networks nothing is known to attain it.
Source
    bottleneck_structure, Proposition 12, proof; the least value over M is derived here.
"""

from theorems.bottleneck_structure.constructions.frames import projection_to_image, sines_of_angles
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import (
    determinant,
    diag,
    eye,
    ge,
    inverse,
    le,
    lifted,
    log,
    log_pseudo_determinant,
    maximum,
    norm2,
    pinv,
    rank,
    trace,
    vector,
    where,
    zeros,
)

network = lifted(FullyConnected)
sines, projection = lifted(sines_of_angles), lifted(projection_to_image)


def log_volume(M, T):
    r""":math:`\log\det(T^TM^{-1}T)` for an orthonormal basis of the columns of T."""
    return log(determinant(T.T @ inverse(M) @ T) / determinant(T.T @ T))


def two_spaces_cost_their_angles(M, Tx, Ty, factor=1):
    larger = maximum(log_volume(M, Tx), log_volume(M, Ty))
    return ge(trace(M) + larger, Tx.shape[1] + log(1 + factor * sines(Tx, Ty)).sum())


def one_of_both_spaces(M, Tx, Ty):
    return ge(trace(M) + log_volume(M, Tx), Tx.shape[1] + log(1 + sines(Tx, Ty)).sum())


def are_bases(M, Tx, Ty):
    """M is invertible, and the columns are independent."""
    k = Tx.shape[1]
    return (rank(M) == len(M)) & (rank(Tx) == k) & (rank(Ty) == k)


def last_representation(f, x, T):
    """A, with the derivative that the activation has at a kink by convention."""
    slopes = f.activation.derivative(f.preactivations(x)[-2])
    return slopes[:, None] * f.jacobian_to_layer(f.depth - 1, x) @ projection(T)


def last_layer_and_volume(f, x, T):
    A, W = last_representation(f, x, T), f.weights[-1]
    volume = log_pseudo_determinant(A)
    cost = ge(f.weight_norm_squared, norm2(W) + rank(A) * (f.depth - 1) + 2 * volume, name="cost")
    return cost & ge(volume, log_pseudo_determinant(pinv(W) @ W @ A), name="volume")


def volume_as_a_factor(f, x, T):
    A, W = last_representation(f, x, T), f.weights[-1]
    return ge(log_pseudo_determinant(A), log_pseudo_determinant(W) + log_pseudo_determinant(W @ A))


def all_layers(f, x, T):
    A = last_representation(f, x, T)
    return ge(f.weight_norm_squared, norm2(f.weights[-1]) + rank(A) * f.depth + 2 * log_pseudo_determinant(A))


def last_layer_keeps_the_rank(f, x, T):
    A = last_representation(f, x, T)
    return rank(f.weights[-1] @ A) == rank(A)


def slope_between_minus_one_and_one(f):
    return (f.activation.negative >= -1) & (f.activation.negative <= 1)


def legs(depth, shift):
    r"""The identity on the legs for depths from 3 on: :math:`t = x_1 - x_2` plus a shift from 1 on, identities, and
    :math:`(\sigma(t), \sigma(-t))`.
    """
    signs = vector(1, -1)
    weights = [signs[None, :], *[eye(1)] * (depth - 3), signs[:, None], eye(2)]
    return network(weights, [vector(shift), *[zeros(1)] * (depth - 3), -shift * signs, zeros(2)])


def on_two_rays(depth, shift, directions):
    """The network that is the identity on the segments from 0 to two vectors of the plane, and the vectors, as columns."""
    f = legs(depth, shift)
    W = [f.weights[0] @ inverse(directions), *f.weights[1:-1], directions @ f.weights[-1]]
    return network(W, f.biases), directions


def broken_line_costs_its_angle(rays):
    f, T = rays
    bound = f.depth + log(1 + sines(T[:, :1], T[:, 1:])).sum()
    return ge(f.parameter_norm_squared, where((f(T[:, 0]) != T[:, 0]).any(), 0, bound))


def as_if_it_were_free(rays):
    return le(rays[0].parameter_norm_squared, rays[0].depth)


def as_if_it_cost_its_span(rays):
    return ge(rays[0].parameter_norm_squared, 2 * rays[0].depth)


def two_pairs():
    """Two of them in four dimensions."""
    Tx, Ty = ([[4, 0], [3 * sign, 0], [0, 12], [0, 5 * sign]] for sign in (1, -1))
    return {"M": diag(rationals(["4/7", "3/7", "12/17", "5/17"])), "Tx": Tx, "Ty": Ty}


def identities():
    """Three identities of the plane."""
    return {"f": FullyConnected([rationals(eye(2))] * 3), "x": [1, 1], "T": [[3, 1], [0, 1]]}


def nearly_identities():
    """Six layers, all but the last of which stretch by a ten-thousandth: the volume is not 1, and the means nearly agree."""
    layers = [rationals(s) * rationals(eye(2)) for s in ["10001/10000"] * 5 + [1]]
    return {"f": FullyConnected(layers), "x": [1, 1], "T": [[3, 1], [0, 1]]}


SOURCE, OURS = Source("bottleneck_structure", "Proposition 12, proof"), Source("bottleneck_structure", "derived here")
KEPT, SLOPES = "the last layer keeps the rank", "the slope is between -1 and 1"

ANGLES = Claim(
    id="bottleneck_structure.prop_5.angles",
    title="Two tangent spaces cost the logarithms of 1 + sines of their angles",
    source=OURS,
    status=DerivedHere(),
    statement=two_spaces_cost_their_angles,
    domain=Domain(
        {
            "M": derived(lambda root: root.T @ root, root=reals("dimension", "dimension")),
            "Tx": reals("dimension", "k"),
            "Ty": reals("dimension", "k"),
        },
        {"dimension": (1, 2, 3, 4), "k": (1, 2)},
        {"M is invertible and the columns are independent": are_bases},
        lambda sizes: sizes["k"] <= sizes["dimension"],
    ),
    tight={
        # two lines with cosine 4/5 and sine 3/5 of half the angle
        "the best matrix": {"M": [["4/7", 0], [0, "3/7"]], "Tx": [[4], [3]], "Ty": [[4], [-3]]},
        "two pairs": two_pairs,
    },
    false_variants={"log(1 + 2 sin)": {"factor": 2}, "one of both spaces": one_of_both_spaces},
)

LAST_LAYER = Claim(
    id="bottleneck_structure.prop_5.last_layer",
    title="The last layer and the last representation's volume bound the cost",
    source=SOURCE,
    statement=last_layer_and_volume,
    domain=Domain(
        {
            "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 2), role="network"),
            "x": reals("inputs", role="point"),
            "T": reals("inputs", "k", role="directions"),
        },
        {"depth": (2, 3, 6), "inputs": (2, 3), "width": (2, 4), "outputs": (1, 2, 3), "k": (1, 2)},
        {KEPT: last_layer_keeps_the_rank, SLOPES: slope_between_minus_one_and_one},
    ),
    needs=(KEPT, SLOPES),
    tight={
        "identities": identities,
        "nearly identities": Tight(
            nearly_identities, relative_slack=2e-8, why="the logarithm is below its tangent by a square", of=("cost",)
        ),
    },
    cost=3,
    false_variants={"the volume as a factor": volume_as_a_factor, "kL": all_layers},
)

BROKEN = Claim(
    id="bottleneck_structure.prop_5.broken_line",
    title="The identity of a broken line costs its angle",
    source=OURS,
    status=DerivedHere(),
    statement=broken_line_costs_its_angle,
    domain=Domain(
        {"rays": derived(on_two_rays, shift=interval(1, 2), directions=reals(2, 2))},
        {"depth": (3, 4, 6, 13)},
        {"the rays are independent": lambda rays: rank(rays[1]) == 2},
    ),
    not_known_tight={"": "the networks that we know cost much more"},
    false_variants={"as if it were free": as_if_it_were_free, "as if it cost its span": as_if_it_cost_its_span},
)
