r"""Attraction and repulsion are derivatives of the two terms.

Statement
    .. math:: \partial_{Z_\ell}\|Z_\ell (Z_{\ell-1}^\sigma)^+\|_F^2 = 2 Z_\ell (K_{\ell-1}^\sigma)^+, \qquad
       \partial_{Z_\ell}\|Z_{\ell+1} (Z_\ell^\sigma)^+\|_F^2
       = -2\,\dot\sigma(Z_\ell) \odot [\sigma(Z_\ell) (K_\ell^\sigma)^+ K_{\ell+1} (K_\ell^\sigma)^+] ;

    the forces are these times :math:`-\lambda`.
Checked
    Both as expansions with all their higher terms, for steps of any size that take no entry across a kink, where
    :math:`Z_\ell^\sigma` has rank N before and after. With :math:`S = \dot\sigma(Z) \odot D` for the step D, and
    :math:`E = K'^\sigma - K^\sigma`, the second term changes by

    .. math:: \langle R, D \rangle - \mathrm{Tr}[K_{\ell+1} (K^\sigma)^{-1} S^TS (K^\sigma)^{-1}]
       + \mathrm{Tr}[K_{\ell+1} (K^\sigma)^{-1} E (K'^\sigma)^{-1} E (K^\sigma)^{-1}] ,

    of which all but the first is of second order. At the optimum of Proposition 14 for Y_4 the two cancel at all positive
    entries, though the rank is 3.
Proof idea
    :math:`K'^{-1} = K^{-1} - K^{-1}EK^{-1} + K^{-1}EK'^{-1}EK^{-1}`.
Not checked
    Representations of smaller rank, where the second term has a derivative only along changes that keep the rank.
Source
    feature_learning, Section 3.1, item 4. The remainder is derived here.
"""

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.forces import LAYERS, Layer
from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from theorems.feature_learning.constructions.layers import gram
from verify import Claim, Domain, Source, interval
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, eye, inner, inverse, norm2, pinv, rank, sign, where


def higher_orders(layer, D):
    """What the change of the second term by the step D has of second and higher order."""
    K, K_new = gram(layer.seen()), gram(layer.moved(D).seen())
    E, S = K_new - K, layer.sigma.derivative(layer.Z) * D
    M = inverse(K) @ gram(layer.after) @ inverse(K)
    return inner(M, E @ inverse(K_new) @ E) - inner(M, gram(S))


def forces_are_derivatives(layer, share):
    D = share * layer.Z
    (pulled, pushed), (pulled_new, pushed_new) = layer.costs(), layer.moved(D).costs()
    attraction = inner(layer.attraction(), D) + norm2(D @ pinv(layer.before))
    repulsion = inner(layer.repulsion(), D) + higher_orders(layer, D)
    return eq(pulled_new, pulled + attraction, name="attraction") & eq(pushed_new, pushed + repulsion, name="repulsion")


def expansion(layer, share, R):
    """The second expansion with another first term."""
    D = share * layer.Z
    return eq(layer.moved(D).costs()[1], layer.costs()[1] + inner(R, D) + higher_orders(layer, D))


def without_the_slope(layer, share):
    K = inverse(gram(layer.seen()))
    return expansion(layer, share, -2 * layer.sigma(layer.Z) @ K @ gram(layer.after) @ K)


def one_inverse(layer, share):
    pushed = layer.sigma(layer.Z) @ inverse(gram(layer.seen())) @ gram(layer.after)
    return expansion(layer, share, -2 * layer.sigma.derivative(layer.Z) * pushed)


def attracted_by_both(layer, share):
    return expansion(layer, share, -layer.repulsion())


def full_rank(layer, share):
    """Before and after the step."""
    N = layer.Z.shape[1]
    return (rank(layer.seen()) == N) & (rank(layer.moved(share * layer.Z).seen()) == N)


def no_kink_is_crossed(layer, share):
    here, there = layer.Z, layer.Z + share * layer.Z
    same = sign(here) == sign(there)
    inside = sign(absolute(here) - 1) == sign(absolute(there) - 1)
    return (same & (inside | layer.sigma.is_homogeneous)).all()


def balance_for_mantel():
    """X = I, Y = Y_4 and the rows of its edges: A + R = 0 at the positive entries; at the zeros R = 0 on both sides."""
    Z, Y = edge_rows(4), rationals(mantel_matrix(4))
    layer = Layer(rationals(eye(4)), Z, Y, homogeneous(rationals([1, 0])), rationals(0))
    A, R = layer.attraction(), layer.repulsion()
    return eq(where(Z > 0, A + R, 0), 0) & eq(A, 2 * Z)


CLAIM = Claim(
    id="feature_learning.forces",
    title="Attraction and repulsion are derivatives",
    source=Source("feature_learning", "Section 3.1, item 4"),
    statement=forces_are_derivatives,
    domain=Domain(
        {"layer": LAYERS, "share": interval(-1, 1, "width", "points")},
        {"inputs": (1, 3), "width": (1, 2, 4), "outputs": (1, 2), "points": (1, 2, 3)},
        {"the layer has rank N": full_rank, "no entry crosses a kink": no_kink_is_crossed},
        sizes_where=lambda sizes: sizes["points"] <= sizes["width"] + 1,
    ),
    needs=("no entry crosses a kink",),
    false_variants={
        "without the slope": without_the_slope,
        "one inverse": one_inverse,
        "attraction by both": attracted_by_both,
    },
    exact={"they cancel at the optimum for Y_4": balance_for_mantel},
)
