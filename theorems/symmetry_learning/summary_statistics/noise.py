r"""Summary statistics under noise, up to terms of order E.

Statement
    The laws of p and q, and the loss as a function of them, hold up to terms of order E.
Checked
    With the operator norm of the symmetric part :math:`E_s` of the noise,

    .. math:: |p' + 8(p + q - 1)p| \le 8\sqrt p\,\|v\|\,\|E_s\|_{op}, \qquad |q' + 8(p + q)q| \le 8\sqrt q\,\|v\|\,\|E_s\|_{op},

    and exactly :math:`C = (p + q)^2 - 2p + 1 - 2\langle E, vv^T - ww^T\rangle + \|E\|_F^2`.
Proof idea
    The chain rule; the noise enters as :math:`8(w^Tv)w^TE_sv` and :math:`8 v_\perp^T E_s v`.
Tight
    Noise along w, and across it.
Source
    bottleneck_structure, Section 5; the constants are derived here.
"""

from theorems.shared.hidden_direction import PLANE, SIZES, flow, loss, statistics, symmetric_part
from verify import Claim, Domain, Source, Tight, reals
from verify.words import absolute, eq, le, norm, norm2, operator_norm, sqrt


def noise_moves_little(v, w, E, constant=8):
    Es, (p, q) = symmetric_part(E), statistics(v, w)
    (dp, dq), reach = flow(v, w, Es), constant * norm(v) * operator_norm(Es)
    C = (p + q) ** 2 - 2 * p + 1 - 2 * (v @ E @ v - w @ E @ w) + norm2(E)
    return (
        le(absolute(dp + 8 * (p + q - 1) * p), sqrt(p) * reach, name="p")
        & le(absolute(dq + 8 * (p + q) * q), sqrt(q) * reach, name="q")
        & eq(loss(v, w, E), C, name="loss")
    )


def q_moved_as_p(v, w, E):
    (p, q), (_, dq) = statistics(v, w), flow(v, w, symmetric_part(E))
    return le(absolute(dq + 8 * (p + q) * q), 8 * sqrt(p) * norm(v) * operator_norm(symmetric_part(E)))


def without_mixed_term(v, w, E):
    p, q = statistics(v, w)
    return eq(loss(v, w, E), (p + q) ** 2 - 2 * p + 1 + norm2(E))


NOISY = Claim(
    id="symmetry_learning.summary_statistics.noise",
    title="Noise moves the laws of p and q by no more than its norm",
    source=Source("bottleneck_structure", "Section 5"),
    statement=noise_moves_little,
    domain=Domain({**PLANE, "E": reals("d", "d")}, SIZES),
    tight={
        "noise along w": Tight(lambda: {"v": ["1/2", 0], "w": [1, 0], "E": [["1/4", 0], [0, 0]]}, of=("p",)),
        "noise across w": Tight(lambda: {"v": [0, "1/2"], "w": [1, 0], "E": [[0, 0], [0, "1/4"]]}, of=("q",)),
    },
    false_variants={
        "constant 7": {"constant": 7},
        "the root of p for q": q_moved_as_p,
        "without the mixed term": without_mixed_term,
    },
)
