"""The adjoints of a discrete network are derivatives of the cost."""

from typing import Any, NamedTuple

from theorems.leaky_resnets.constructions import losses
from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import SMOOTH, STEP
from verify import Claim, Domain, Source, derived, interval, reals
from verify.networks import LeakyResNet
from verify.numbers.arithmetic import Array
from verify.words import eq, inner, lifted, stack

network, keeps_signs = lifted(LeakyResNet), lifted(losses.keeps_signs)


class Moved(NamedTuple):
    """A network whose activations are moved at each layer in turn, back and forth along a direction D."""

    f: Any
    A: tuple[Array, ...]
    """Activations of all layers."""
    D: Array
    ends: tuple[tuple[Array, Array], ...]
    """For each layer, the outputs of the network from there on, moved forth and back."""
    smooth: Array
    """Whether no activation is zero or changes its sign."""


def moved(f, X, D):
    """Every layer moved by D / `STEP`."""
    A, ends = f.activations(X), []
    smooth: Any = True
    for layer in range(f.depth + 1):
        forth, back = (activations_from(f, layer, A[layer] + sign * D / STEP) for sign in (1, -1))
        smooth = smooth & keeps_signs(A[layer:], forth, back)
        ends.append((forth[-1], back[-1]))
    return Moved(f, A, D, tuple(ends), smooth)


def activations_from(f, layer, A):
    """Activations from a layer on, given that layer's."""
    if layer == f.depth:
        return (A,)
    return network(f.weights[layer:], f.leak, f.steps[layer:]).activations(A)


def last_adjoint(path, F, lam):
    return 2 * (F - path.A[-1]) / (lam * F.shape[1])


def backward(path, F, lam, leak=1, mask=lambda A, layer: A[layer] > 0):
    """The adjoints of all layers."""
    f, B = path.f, [last_adjoint(path, F, lam)]
    for layer in reversed(range(f.depth)):
        rho, V = f.steps[layer], f.weights[layer][:, :-1]
        B.insert(0, (1 - leak * rho * f.leak) * B[0] + rho * mask(path.A, layer) * (V.T @ B[0]))
    return B


def are_derivatives(path, F, lam, B):
    """Adjoints along D, at all layers, against central differences of the cost."""
    # C of one end less C of the other, without subtracting squares
    differences = [inner(back - forth, 2 * F - forth - back) / F.shape[1] for forth, back in path.ends]
    return eq(lam * stack([inner(one, path.D) for one in B]), -stack(differences) * STEP / 2, name="derivative")


def adjoints_are_derivatives(path, F, lam):
    """And they are the engine's."""
    B = backward(path, F, lam)
    engine = path.f.adjoints(path.A, last_adjoint(path, F, lam))
    return are_derivatives(path, F, lam, B) & eq(stack(engine), stack(B), name="engine")


def without_mask(path, F, lam):
    return are_derivatives(path, F, lam, backward(path, F, lam, mask=lambda A, layer: 1))  # noqa: ARG005


def mask_of_the_layer_after(path, F, lam):
    return are_derivatives(path, F, lam, backward(path, F, lam, mask=lambda A, layer: A[layer + 1] > 0))


def without_leak(path, F, lam):
    return are_derivatives(path, F, lam, backward(path, F, lam, leak=0))


def every_layer_is_moved(sizes):
    return sizes["depth"] ** 2


SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.backward_equation",
    title="Adjoints of a discrete network are derivatives of the cost",
    source=SOURCE,
    statement=adjoints_are_derivatives,
    domain=Domain(
        {
            "path": derived(
                moved,
                f=drawn_networks(),
                X=reals("width", "points", role="start of the path"),
                D=interval(-1, 1, "width", "points", role="small change of values"),
            ),
            "F": reals("width", "points", role="targets as columns"),
            "lam": interval(1 / 8, 2, role="ridge"),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: lambda path: path.smooth},
    ),
    needs=(SMOOTH,),
    false_variants={
        "no mask": without_mask,
        "mask of the layer after": mask_of_the_layer_after,
        "leak forgotten": without_leak,
    },
    cost=every_layer_is_moved,
)
