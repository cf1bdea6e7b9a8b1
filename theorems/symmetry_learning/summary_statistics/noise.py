r"""Summary statistics under noise: the laws of p and q, and the loss, up to terms of order E.

Statement
    The laws of p and q, and the loss as a function of them, hold up to terms of order E.
Checked
    With the operator norm of the symmetric part of the noise,

    .. math:: |p' + 8(p + q - 1)p| \le 8\sqrt p\,\|v\|\,\|E_s\|_{op}, \qquad |q' + 8(p + q)q| \le 8\sqrt q\,\|v\|\,\|E_s\|_{op},

    and exactly :math:`C = (p + q)^2 - 2p + 1 - 2\langle E, vv^T - ww^T\rangle + \|E\|_F^2`.
Proof idea
    The chain rule; the noise enters as :math:`8(w^Tv)w^TE_sv` and :math:`8 v_\perp^T E_s v`.
Sharp
    Noise along w, and across it.
Source
    bottleneck_structure, Section 5; the constants are ours.
"""

from __future__ import annotations

from theorems.symmetry_learning.constructions.hidden_direction import (
    DIMENSIONS,
    PLANE,
    flow_of_statistics,
    inner,
    loss,
    statistics,
    symmetric_part,
)
from verify import Claim, Domain, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, absolute, rational, rationals, sqrt
from verify.matrices import operator_norm


def noise_moves_little(v: Array, w: Array, noise: Array, constant: int = 8) -> Relation:
    """How far noise moves p' and q' from their laws, and the loss."""
    p, q = statistics(v, w)
    p_rate, q_rate = flow_of_statistics(v, w, noise)
    reach = constant * sqrt(inner(v, v)) * operator_norm(symmetric_part(noise))
    # scalar product of the noise with the difference of the projections
    mixed = inner(v, inner(noise, v[..., None, :])) - inner(w, inner(noise, w[..., None, :]))
    cost = (p + q) ** 2 - 2 * p + 1 - 2 * mixed + (noise * noise).sum(axis=(-2, -1))
    return (
        le(absolute(p_rate + 8 * (p + q - 1) * p), sqrt(p) * reach, name="p")
        & le(absolute(q_rate + 8 * (p + q) * q), sqrt(q) * reach, name="q")
        & eq(loss(v, w, noise), cost, name="loss")
    )


# False variants


def moved_by_seven(v: Array, w: Array, noise: Array) -> Relation:
    """The constant 7."""
    return noise_moves_little(v, w, noise, constant=7)


def q_moved_as_p(v: Array, w: Array, noise: Array) -> Relation:
    """The root of p in the bound for q."""
    p, q = statistics(v, w)
    reach = 8 * sqrt(p) * sqrt(inner(v, v)) * operator_norm(symmetric_part(noise))
    return le(absolute(flow_of_statistics(v, w, noise)[1] + 8 * (p + q) * q), reach)


def loss_without_the_mixed_term(v: Array, w: Array, noise: Array) -> Relation:
    """The loss and the square of the noise alone."""
    p, q = statistics(v, w)
    return eq(loss(v, w, noise), (p + q) ** 2 - 2 * p + 1 + (noise * noise).sum(axis=(-2, -1)))


def noise_along(place: int) -> dict[str, Array]:
    """Noise along a unit vector, and v along it; w is the first one."""
    unit = rationals([int(place == 0), int(place == 1)])
    return {"v": unit * rational("1/2"), "w": rationals([1, 0]), "noise": rational("1/4") * unit[:, None] * unit[None, :]}


NOISY = Claim(
    id="symmetry_learning.summary_statistics.noise",
    title="Noise moves the laws of p and q by no more than its norm",
    source=Source("bottleneck_structure", "Section 5"),
    statement=noise_moves_little,
    domain=Domain({**PLANE, "noise": reals("dimension", "dimension")}, DIMENSIONS),
    tight={
        "noise along w": Tight(lambda: noise_along(0), of=("p",)),
        "noise across w": Tight(lambda: noise_along(1), of=("q",)),
    },
    false_neighbours={
        "constant 7": moved_by_seven,
        "the root of p for q": q_moved_as_p,
        "without the mixed term": loss_without_the_mixed_term,
    },
)
