r"""Proposition 5, the construction: a neuron takes over for one point.

Statement
    To a path A with weights W = [V, b], a point i, a function t of p and a small :math:`\varepsilon` belong the weights

    .. math:: \begin{pmatrix} V - L\varepsilon^2t^2A_{\cdot i}\bar\sigma(A_{\cdot i})^T & \varepsilon LtA_{\cdot i} & b \\
              \varepsilon Lt\bar\sigma(A_{\cdot i})^T & 0 & 0 \end{pmatrix} ,

    which move :math:`(A; \varepsilon a)` with :math:`a \ge 0`, where :math:`\bar K = \bar\sigma(A)^T\bar\sigma(A)`, by

    .. math:: \Bigl(\partial A - L\varepsilon^2tA_{\cdot i}(t\bar K_{i\cdot} - a); \;
              \varepsilon L(t\bar K_{i\cdot} - a)\Bigr) .

    Their squared norm is that of W plus exactly

    .. math:: L^2\varepsilon^2t^2\Bigl(\|\bar\sigma(A_{\cdot i})\|^2 - \|A_{\cdot i}\|^2 + \tfrac2LA_{\cdot i}^Tb
              - \tfrac2LA_{\cdot i}^T\partial A_{\cdot i}\Bigr)
              + L^2\varepsilon^4t^4\|A_{\cdot i}\|^2\|\bar\sigma(A_{\cdot i})\|^2 .
Correction
    The print has t for its square in the corner, but goes on as if it were the square; the last coefficient is 1/L. A third
    error is the subject of ``gap``.
Checked
    Velocity and norm, for any A, W and a, from the weights themselves; the leading term of the norm, also with the entry 1 of
    the print.
Proof idea
    :math:`V\bar\sigma(A_{\cdot i}) = \partial A_{\cdot i} + LA_{\cdot i} - b`.
Source
    leaky_resnets, Proposition 9 of the appendix, proof.
"""

from functools import partial

from theorems.leaky_resnets.constructions.representations import in_row_space, sigma
from theorems.leaky_resnets.constructions.wider_weights import POINT, kernel_row, widened_weights
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, inner, inverse, nonnegative, norm2, pinv, relu, zeros


def moved_column(A, W, L):
    r""":math:`\partial A_{\cdot i} = W\sigma(A_{\cdot i}) - LA_{\cdot i}`."""
    return W @ sigma(A)[:, POINT] - L * A[:, POINT]


def velocity_of_widened(A, W, L, t, epsilon, a, power=2, bias=0):
    wider, lacking = concatenate([A, epsilon * a[None, :]]), t * (kernel_row(A) + bias) - a
    pulled = L * epsilon**2 * t * A[:, POINT, None] * lacking
    return eq(
        widened_weights(A, W, L, epsilon, t, corner=t**power) @ sigma(wider) - L * wider,
        concatenate([W @ sigma(A) - L * A - pulled, L * epsilon * lacking[None, :]]),
    )


def norm_change(A, W, L, t, epsilon, power=2, velocity=2, bias=2):
    x, part = A[:, POINT], (L * epsilon * t) ** 2
    linear = (bias * inner(x, W[:, -1]) - velocity * inner(x, moved_column(A, W, L))) / L
    return eq(
        norm2(widened_weights(A, W, L, epsilon, t, corner=t**power)),
        norm2(W) + part * (norm2(relu(x)) - norm2(x) + linear) + part * (epsilon * t) ** 2 * norm2(x) * norm2(relu(x)),
    )


def expansion(A, W, L, t, power=2, velocity=2):
    r"""The coefficient n of the squared norm :math:`n_0 + n\varepsilon^2 + n'\varepsilon^4`, from three values.

    The new neuron has a bias, as in print: the entry 1 of :math:`\sigma(A_{\cdot i})` is kept.
    """
    x, features = A[:, POINT], sigma(A)[:, POINT]
    stated = (L * t) ** 2 * (norm2(features) - norm2(x) - velocity * inner(x, moved_column(A, W, L)) / L)
    n = [norm2(widened_weights(A, W, L, epsilon, t, corner=t**power, one=1)) for epsilon in range(3)]
    return eq(16 * n[1], n[2] + 15 * n[0] + 12 * stated)


def weights_at_rest(A):
    r""":math:`[A\bar\sigma(A)^+, 0]`: they hold A for L = 1 without a bias, if any do."""
    return concatenate([A @ pinv(relu(A)), zeros(len(A), 1)], axis=1)


def resting_pair():
    r"""At rest at A = (1, -1/2; 3/10, 1), b = 0, at the second point: the leading coefficient is :math:`-\frac14L^2t^2`."""
    A, L, t = rationals([["1", "-1/2"], ["3/10", "1"]]), rationals("20"), rationals("1/3")
    W = concatenate([L * A @ inverse(relu(A)), zeros(2, 1)], axis=1)
    n = [norm2(widened_weights(A, W, L, epsilon, t, point=1)) for epsilon in range(3)]
    return eq((16 * n[1] - n[2] - 15 * n[0]) / 12, -((L * t) ** 2) / 4)


SIZES = {"width": range(1, 4), "points": range(1, 5)}

PATHS = {
    "A": reals("width", "points", role="values"),
    "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
    "L": interval(1 / 4, 3, role="leak"),
    "t": interval(0, 1, role="free"),
}

EPSILON = {"epsilon": interval(1 / 8, 1, role="free")}

NOT_NEGATIVE = "the new neuron is not negative"

HELD = {"the weights hold the representation": lambda A: in_row_space(A, relu(A))}

SOURCE = Source("leaky_resnets", "Proposition 9, proof")

VELOCITY = Claim(
    id="leaky_resnets.prop_5.velocity",
    title="The widened weights move the path as the proof says",
    source=SOURCE,
    statement=velocity_of_widened,
    domain=Domain(
        {**PATHS, **EPSILON, "a": reals("points", role="values of a neuron")}, SIZES, {NOT_NEGATIVE: lambda a: nonnegative(a)}
    ),
    needs=(NOT_NEGATIVE,),
    false_variants={
        "t for its square in the corner, as printed": {"power": 1},
        "kernel with the bias": {"bias": 1},
    },
)

NORM = Claim(
    id="leaky_resnets.prop_5.norm_change",
    title="A new neuron adds terms of order 2 and 4 to the norm of the weights",
    source=SOURCE,
    status=DerivedHere(),
    statement=norm_change,
    domain=Domain({**PATHS, **EPSILON}, SIZES),
    false_variants={
        "1/L for 2/L, as printed": {"velocity": 1},
        "t for its square in the corner, as printed": {"power": 1},
        "no term of the bias": {"bias": 0},
    },
    exact={"two neurons at rest": resting_pair},
)

EXPANSION = Claim(
    id="leaky_resnets.prop_5.expansion",
    title="With the square in the corner the norm grows by the printed term",
    source=SOURCE,
    status=DerivedHere(),
    statement=expansion,
    domain=Domain(PATHS, SIZES),
    false_variants={
        "1/L for 2/L, as printed": {"velocity": 1},
        "t for its square in the corner, as printed": {"power": 1},
    },
)

PRINTED_CORNER = Claim(
    id="leaky_resnets.prop_5.printed_corner",
    title="The norm grows by the printed leading term with t in the corner",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=partial(expansion, power=1),
    domain=EXPANSION.domain,
    false_variants={},
)

PRINTED_COEFFICIENT = Claim(
    id="leaky_resnets.prop_5.printed_coefficient",
    title="The norm grows by the leading term with 1/L before the velocity",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=partial(expansion, velocity=1),
    domain=EXPANSION.domain,
    false_variants={},
)
