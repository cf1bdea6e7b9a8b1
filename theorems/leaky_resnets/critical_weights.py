r"""At a critical point the weights are :math:`W_p = LB_p\sigma(A_p)^T`.

Statement
    The loss of a discrete network is :math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`. Its derivative by a
    layer is

    .. math:: \partial_{W_\ell} = \rho_\ell\Bigl(\frac\lambda LW_\ell - \lambda B_\ell\sigma(A_{\ell-1})^T\Bigr) ,

    and vanishes exactly if :math:`W_\ell = LB_\ell\sigma(A_{\ell-1})^T`; the same holds for functions of p.
Checked
    The derivative by every layer, for any weights, by central differences of the loss: a quadratic function of each layer as
    long as no activation changes its sign, so that a difference with a short step has no error. On rationals, that all
    differences vanish at critical networks of one layer for any A and B, and of three layers where only the biases act. That
    critical weights are the smallest that do what they do is in ``weights_from_activations``.
Source
    leaky_resnets, Section 1.5.
"""

from typing import Any, NamedTuple

import numpy as np

from theorems.leaky_resnets.constructions import losses
from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import SMOOTH, STEP, loss, with_layer_moved
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, Relation, Source, derived, interval, reals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import critical_weights, symplectic_euler_step
from verify.numbers.arithmetic import Array, compare, rationals
from verify.words import eq, inner, lifted, stack

keeps_signs, layer_moved = lifted(losses.keeps_signs), lifted(losses.with_layer_moved)


class Moved(NamedTuple):
    """A network of which the weights of each layer in turn are moved, back and forth along a direction D."""

    f: Any
    A: tuple[Array, ...]
    """Activations of all layers."""
    D: Array
    """Of every layer, shape ``(M, w, w + 1)``."""
    ends: tuple[tuple[Array, Array], ...]
    """For each layer, the outputs with it moved forth and back."""
    smooth: Array
    """Whether no activation before the outputs is zero or changes its sign."""


def moved(f, X, D):
    """Every layer moved by its direction / `STEP`."""
    A, ends, smooth = f.activations(X), [], (X == X).all()
    for layer in range(f.depth):
        forth, back = (layer_moved(f, layer, sign * D[layer] / STEP).activations(X) for sign in (1, -1))
        smooth = smooth & keeps_signs(A[1:-1], forth[1:-1], back[1:-1])
        ends.append((forth[-1], back[-1]))
    return Moved(f, A, D, tuple(ends), smooth)


def differences_along(path, F, lam):
    """Central differences of the loss along the direction of each layer."""
    L, W, D, rho = path.f.leak, path.f.weights, path.D, path.f.steps
    # C of one end less C of the other, without subtracting squares
    C = [inner(back - forth, 2 * F - forth - back) / F.shape[1] * STEP / 2 for forth, back in path.ends]
    # of the square of a layer the central difference is twice the product
    return stack([C[k] + lam * rho[k] * inner(W[k], D[k]) / L for k in range(len(C))])


def gradient_by_layer(path, F, lam, scaled=1, leak=1):
    """The derivative of the loss by each layer, along its direction."""
    f, A, D = path.f, path.A, path.D
    L, rho, B = f.leak, f.steps, f.adjoints(A, 2 * (F - A[-1]) / (lam * F.shape[1]))
    gradients = [lam * (f.weights[k] / L**leak - B[k + 1] @ sigma(A[k]).T) for k in range(f.depth)]
    return eq(stack([rho[k] ** scaled * inner(gradients[k], D[k]) for k in range(f.depth)]), differences_along(path, F, lam))


def gradient_without_bias(path, F, lam):
    """The adjoint does not act on the bias."""
    f, A, D = path.f, path.A, path.D
    L, rho, B = f.leak, f.steps, f.adjoints(A, 2 * (F - A[-1]) / (lam * F.shape[1]))
    pulled = [inner(B[k + 1] @ sigma(A[k])[:-1].T, D[k][:, :-1]) for k in range(f.depth)]
    stated = [lam * rho[k] * (inner(f.weights[k], D[k]) / L - pulled[k]) for k in range(f.depth)]
    return eq(stack(stated), differences_along(path, F, lam))


# Exact parts


def differences(network, x, target, ridge):
    """Central differences of the loss by every single weight, in a row."""
    found = []
    for layer, weight in enumerate(network.weights):
        for place in np.ndindex(weight.shape):
            change = 0 * weight
            change[place] = rationals(1)[()] / STEP
            both = [loss(with_layer_moved(network, layer, sign * change), x, target, ridge) for sign in (1, -1)]
            found.append(both[0] - both[1])
    return rationals(np.stack(found))


def one_layer_is_critical():
    r"""For some A and B of every sign, N > w + 1 included: the layer W = L B sigma(A)^T, with the target that B asks for."""
    rng = np.random.default_rng(4)
    relation = Relation(())
    leak, step, ridge = rationals("3/2"), rationals("3/4"), rationals("1/2")
    for width, points in ((1, 1), (1, 3), (2, 2), (2, 4), (3, 2)):
        A, B = (rationals(rng.integers(-4, 5, (width, points))) for _ in range(2))
        last, _ = symplectic_euler_step(A, B, leak, step)
        network = LeakyResNet([critical_weights(A, B, leak)], leak, step[None])
        relation &= eq(differences(network, A, last + ridge * points / 2 * B, ridge), 0)
    return relation


def pure_bias_layers_are_critical():
    r"""Three layers in which all activations are negative, so that :math:`B_{\ell-1} = (1 - \rho_\ell L)B_\ell`."""
    leak, steps, ridge = rationals("3/2"), rationals(["1/2", "1/4", "1/4"]), rationals("1/2")
    last, x = rationals([["1/2", "-1"], ["1/4", "1/4"]]), rationals([[-4, -3], [-2, -5]])
    adjoints = [last]
    for layer in (2, 1, 0):
        adjoints.insert(0, (1 - steps[layer] * leak) * adjoints[0])
    values, weights = [x], []
    for layer in range(3):
        weights.append(critical_weights(values[-1], adjoints[layer + 1], leak))
        after, before = symplectic_euler_step(values[-1], adjoints[layer + 1], leak, steps[layer])
        values.append(after)
        if compare(before, adjoints[layer]).any() or (compare(values[layer], 0) >= 0).any():
            raise ArithmeticError("the construction is not a critical network: an adjoint or a sign is wrong")
    network = LeakyResNet(weights, leak, steps)
    return eq(differences(network, x, values[-1] + ridge * last, ridge), 0)


def every_layer_is_moved(sizes):
    return sizes["depth"] ** 2


CLAIM = Claim(
    id="leaky_resnets.critical_weights",
    title="The derivative of the loss by a layer vanishes at critical weights",
    source=Source("leaky_resnets", "Section 1.5"),
    statement=gradient_by_layer,
    domain=Domain(
        {
            "path": derived(
                moved,
                f=drawn_networks(),
                X=reals("width", "points", role="start of the path"),
                D=interval(-1, 1, "depth", "width", lambda sizes: sizes["width"] + 1, role="small weights"),
            ),
            "F": reals("width", "points", role="targets as columns"),
            "lam": interval(1 / 8, 2, role="ridge"),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: lambda path: path.smooth},
    ),
    needs=(SMOOTH,),
    false_variants={
        "not scaled by the step": {"scaled": 0},
        "not divided by the leak": {"leak": 0},
        "no bias in the critical weights": gradient_without_bias,
    },
    exact={"one critical layer": one_layer_is_critical, "three critical layers": pure_bias_layers_are_critical},
    cost=every_layer_is_moved,
)
