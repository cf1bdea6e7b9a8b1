r"""Critical layers are symplectic Euler steps of Hamilton's equations.

Statement
    A discrete leaky ResNet has steps :math:`\rho_\ell` and layers
    :math:`\alpha_{p_\ell} = (1 - \rho_\ell L)\alpha_{p_{\ell-1}} + \rho_\ell W_\ell\sigma(\alpha_{p_{\ell-1}})`, with the loss
    :math:`C(A_M) + \frac\lambda{2L} \sum_\ell \rho_\ell \|W_\ell\|^2`.

    * A layer with the critical weights :math:`W_\ell = L B_\ell \sigma(A_{\ell-1})^T` and its adjoint are the step
      :math:`A_\ell = A_{\ell-1} + \rho\,\partial_B\mathcal H(A_{\ell-1}, B_\ell)`,
      :math:`B_{\ell-1} = B_\ell + \rho\,\partial_A\mathcal H(A_{\ell-1}, B_\ell)`.
    * In it :math:`\mathrm{Tr}[B_\ell A_\ell^T] - \mathrm{Tr}[B_{\ell-1} A_{\ell-1}^T] = \rho_\ell \|b_\ell\|^2 / L`, exactly
      and across kinks (``.trace``).
    * :math:`\mathcal H(A_{\ell-1}, B_\ell)` is constant along a critical network up to an error of the order of the step.
    * Where :math:`W\sigma(A) = LA`, as in the bottleneck, a step of any length does nothing (``.bottleneck``): the condition
      :math:`\rho_\ell L < 1` is not needed there. Where the leak acts alone, the activations stay bounded for
      :math:`\rho_\ell L \le 2` (``.leak``).
Checked
    All of this; the order of the drift is fitted. That a layer is an explicit Euler step is in ``ode``, the derivative of the
    loss in ``critical_weights``.
Tight
    The bound of the leak, at :math:`\rho L = 2`.
Source
    leaky_resnets, Section 3; the symplectic form and what follows from it are derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, hamiltonian
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, Rate, Source, interval, reals
from verify.networks import LeakyResNet, leaky_resnet
from verify.networks.leaky_resnet import critical_network, equidistant_steps
from verify.words import block, eq, exp, eye, inner, le, lifted, norm2, ones, zeros

network, symplectic_euler_step = lifted(LeakyResNet), lifted(leaky_resnet.symplectic_euler_step)


def critical_layer(A, B, L, rho):
    """Activations after the network of one critical layer, and adjoints before it."""
    f = network([L * B @ sigma(A).T], L, rho * ones(1))
    after = f(A)
    return after, f.adjoints((A, after), B)[0]


def step_is_symplectic(A, B, L, rho):
    (after, before), (stepped, pulled) = critical_layer(A, B, L, rho), symplectic_euler_step(A, B, L, rho)
    return eq(after, stepped, name="activations") & eq(before, pulled, name="adjoints")


def trace_grows_by_biases(A, B, L, rho, power=1):
    after, before = symplectic_euler_step(A, B, L, rho)
    b = L * B @ ones(B.shape[1])
    return eq(inner(B, after) - inner(before, A), rho**power * norm2(b) / L)


def bottleneck_is_still(A, L, rho, sign=1):
    f = network([block([[L * eye(len(A)), 0]])] * len(rho), L, rho)
    return eq(f(sign * A), sign * A)


def without_weights(x, L, rho):
    """What the leak alone makes of one neuron."""
    return network([L * zeros(1, 2)] * len(rho), L, rho)(x)


def leak_alone(x, L, rho):
    return le(norm2(without_weights(x, L, rho)), norm2(x))


def drift_of_the_energy(layers):
    r"""Range of :math:`\mathcal H(A_{\ell-1}, B_\ell)/L` along one critical network, for a ladder of depths."""
    A, B = np.array([[1.0, 0.5], [0.25, 1.0]]), np.array([[0.5, -0.25], [0.125, 0.25]])
    ranges = []
    for M in layers:
        f = critical_network(A, B, 1.0, equidistant_steps(int(M)))
        ranges.append(np.ptp([hamiltonian(*pair) for pair in zip(f.activations[:-1], f.adjoints[1:], strict=True)]))
    return np.array(ranges)


# False variants


def energy_after_the_layer(A, B, L, rho):
    after, before = critical_layer(A, B, L, rho)
    return eq(before, symplectic_euler_step(after, B, L, rho)[1])


def explicit_euler(A, B, L, rho):
    """The activations move by the energy at the adjoints before the layer."""
    after, before = critical_layer(A, B, L, rho)
    return eq(after, symplectic_euler_step(A, before, L, rho)[0])


def bias_of_the_layer_before(A, B, L, rho):
    after, before = symplectic_euler_step(A, B, L, rho)
    b = L * before @ ones(B.shape[1])
    return eq(inner(B, after) - inner(before, A), rho * norm2(b) / L)


def identity_is_still(A, L, rho):
    """The weights (I, 0), as in a network without a leak."""
    return eq(network([block([[eye(len(A)) + 0 * L, 0]])] * len(rho), L, rho)(A), A)


def leaks_as_the_equation(x, L, rho):
    return le(norm2(without_weights(x, L, rho)), norm2(x) * exp(-2 * L * rho.sum()))


SOURCE = Source("leaky_resnets", "Section 3")
OURS = Source("leaky_resnets", "derived here")
PHASE_SPACE = {
    "A": reals("width", "points", role="values"),
    "B": reals("width", "points", role="adjoint at the end"),
    "L": interval(1 / 4, 3, role="leak"),
    "rho": interval(1 / 16, 1, role="step"),
}
STABLE = "rho L is at most 2"

CLAIM = Claim(
    id="leaky_resnets.discretisation",
    title="Critical layers are steps of the symplectic Euler method",
    source=OURS,
    status=DerivedHere(),
    statement=step_is_symplectic,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_variants={"the energy after the layer": energy_after_the_layer, "explicit Euler": explicit_euler},
    rate=Rate(drift_of_the_energy, (4, 8, 16, 32, 64, 128, 256), -1.0),
)

TRACE = Claim(
    id="leaky_resnets.discretisation.trace",
    title="The trace of a critical network grows by its biases",
    source=OURS,
    status=DerivedHere(),
    statement=trace_grows_by_biases,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_variants={"the bias of the layer before": bias_of_the_layer_before, "step squared": {"power": 2}},
)

BOTTLENECK = Claim(
    id="leaky_resnets.discretisation.bottleneck",
    title="In the bottleneck a step of any length is exact",
    source=SOURCE,
    statement=bottleneck_is_still,
    domain=Domain(
        {
            "A": interval(0, np.inf, "width", "points", role="values"),
            "L": interval(1 / 4, 3, role="leak"),
            "rho": interval(1 / 16, 4, "depth", role="steps"),
        },
        {"width": range(1, 4), "points": range(1, 3), "depth": (1, 2, 3, 6, 14)},
    ),
    false_variants={"negative activations": {"sign": -1}, "weights without the leak": identity_is_still},
    not_known_tight={"sign": "what is positive changes nothing, because sigma is homogeneous"},
)

LEAK = Claim(
    id="leaky_resnets.discretisation.leak",
    title="Where the leak acts alone, steps up to twice its time keep A bounded",
    source=OURS,
    status=DerivedHere(),
    statement=leak_alone,
    domain=Domain(
        {
            "x": reals(1, "points", role="one row of the start"),
            "L": interval(1 / 4, 4, role="leak"),
            "rho": interval(1 / 16, 1, "depth", role="steps"),
        },
        {"points": range(1, 3), "depth": (1, 2, 3, 6, 14)},
        {STABLE: lambda L, rho: (L * rho <= 2).all()},
    ),
    needs=(STABLE,),
    tight={"rho L = 2": {"x": [[1, -3]], "L": 4, "rho": ["1/2", "1/2"]}},
    false_variants={"as fast as the equation": leaks_as_the_equation},
)
