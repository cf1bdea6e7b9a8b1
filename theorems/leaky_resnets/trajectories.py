r"""Four families of Hamiltonian trajectories in closed form.

Statement
    The scalar, the diagonal, the two-point and the pure-bias family of
    `theorems.leaky_resnets.constructions.trajectories` solve
    :math:`\frac1L\partial_pA = BK - A`, :math:`\frac1L\partial_pB = B - \dot\sigma(A)\odot[\bar\sigma(A)B^TB]`, with their
    constants :math:`-\frac2L\mathcal H`, traces :math:`\mathrm{Tr}[BA^T]` and weights :math:`\|W\|^2/L^2` (``.values``).
Checked
    On rationals at three positions, where all exponentials are rational. In symbols for all positions and parameters, at the
    sizes that are drawn.
Source
    Derived here; the equations are leaky_resnets, Section 1.5.
"""

from theorems.leaky_resnets.constructions.trajectories import CLOSED_FORMS, GENUINE
from verify import Claim, DerivedHere, Source
from verify.networks import leaky_resnet
from verify.numbers.symbolic import identically_zero
from verify.words import eq, lifted

velocity, adjoint_velocity = lifted(leaky_resnet.velocity), lifted(leaky_resnet.adjoint_velocity)
critical_weights, hamiltonian = lifted(leaky_resnet.critical_weights), lifted(leaky_resnet.hamiltonian)
norms2, traces = lifted(leaky_resnet.squared_norm), lifted(leaky_resnet.inner)


def solves_the_equations(trajectory):
    """Both of Hamilton's equations at every position."""
    A, B = trajectory.activations, trajectory.adjoints
    # with A and B on both sides, which are not 0 where a velocity is
    forward, backward = A + velocity(A, B, bias=trajectory.bias), B - adjoint_velocity(A, B)
    return eq(forward, A + trajectory.moved, name="forward") & eq(backward, B - trajectory.adjoints_moved, name="backward")


def stated_values(trajectory):
    """The constant, the trace and the norm of the weights."""
    A, B = trajectory.activations, trajectory.adjoints
    weights = norms2(critical_weights(A, B, 1, bias=trajectory.bias))
    energy = -2 * hamiltonian(A, B, bias=trajectory.bias)
    # with the weights on both sides, which are not 0 where the constant or the trace is
    return (
        eq(2 * weights + energy, 2 * weights + trajectory.constant, name="constant")
        & eq(3 * weights + traces(B, A), 3 * weights + trajectory.trace, name="trace")
        & eq(weights, trajectory.weight_norm, name="weights")
    )


def families_in_symbols():
    """A, B, mask, bias, constant, trace and squared norm of the weights, for all p and parameters, at the sizes drawn."""
    import sympy as sp

    L, p, s, P, d, tau, first, second = sp.symbols("L p s P d tau alpha1 alpha2", positive=True)
    x, t = sp.symbols("x:2", positive=True), sp.symbols("t:2", real=True)
    A0, B0 = (sp.Matrix(2, 3, sp.symbols(f"{name}:6", real=True)) for name in "ab")
    E, Q = sp.exp(L * p / s), (s**2 - 1) / (4 * P)
    a = P * E + Q / E
    b = (sp.diff(a, p) / L + a) / (a**2 + 1)
    decay = sp.exp(-L * (1 - tau) * p)
    beta = tau / (decay * (first - second))
    grown = B0 * sp.ones(3, 3) / 2
    modes = [x[i] * sp.exp(-L * (1 - t[i]) * p) for i in range(2)]
    free, norm = (B0 * (A0 - grown).T).trace(), (grown * B0.T).trace() * 2 * sp.exp(2 * L * p)
    return [
        (sp.Matrix([[a]]), sp.Matrix([[b]]), 1, 1, 1 - 1 / s**2, a * b, b**2 * (a**2 + 1)),
        (
            sp.diag(*modes),
            sp.diag(*(t[i] / modes[i] for i in range(2))),
            *(1, 0, 2 - (1 - t[0]) ** 2 - (1 - t[1]) ** 2, sum(t), t[0] ** 2 + t[1] ** 2),
        ),
        (
            sp.Matrix([[decay * first, decay * second], [d * sp.exp(-L * p)] * 2]),
            sp.Matrix([[beta, -beta], [0, 0]]),
            *(1, 1, 1 - (1 - tau) ** 2, tau, tau**2),
        ),
        (
            grown * sp.exp(L * p) + (A0 - grown) * sp.exp(-L * p),
            B0 * sp.exp(L * p),
            *(0, 1, 2 * free, norm / 2 + free, norm),
        ),
    ]


def numerator(expression):
    """What has to be zero for a fraction to be so: polynomials in exponentials, which sympy only has to expand."""
    import sympy as sp

    return sp.numer(sp.together(expression))


def equations_in_symbols():
    """Both equations of all families."""
    import sympy as sp

    L, p = sp.symbols("L p", positive=True)
    remainders = []
    for A, B, mask, bias, *_ in families_in_symbols():
        features = mask * A
        kernel = features.T * features + bias * sp.ones(A.cols, A.cols)
        remainders += list(A.diff(p) / L - (B * kernel - A))
        remainders += list(B.diff(p) / L - (B - mask * features * B.T * B))
    return identically_zero(*map(numerator, remainders))


def values_in_symbols():
    """Energy, trace and norm of all families."""
    import sympy as sp

    remainders = []
    for A, B, mask, bias, constant, trace, norm in families_in_symbols():
        kernel = mask * A.T * A + bias * sp.ones(A.cols, A.cols)
        quadratic = (B * kernel * B.T).trace()
        remainders += [2 * (B * A.T).trace() - quadratic - constant, (B * A.T).trace() - trace, quadratic - norm]
    return identically_zero(*map(numerator, remainders))


# False variants


def solves_with_other_bias(trajectory):
    A, B = trajectory.activations, trajectory.adjoints
    return eq(velocity(A, B, bias=not trajectory.bias), trajectory.moved)


def adjoints_move_against_activations(trajectory):
    return eq(trajectory.adjoints_moved * trajectory.activations + trajectory.adjoints * trajectory.moved, 0)


def constant_is_the_trace(trajectory):
    return eq(trajectory.constant, 2 * trajectory.trace)


def norm_is_the_trace(trajectory):
    """As for weights that are projections."""
    return eq(trajectory.weight_norm, trajectory.trace)


SOURCE = Source("leaky_resnets", "derived here")
ARGUMENT = "the entries are these closed forms for any parameters, at the sizes that are drawn"

CLAIM = Claim(
    id="leaky_resnets.trajectories",
    title="Four families in closed form are Hamiltonian trajectories",
    source=SOURCE,
    status=DerivedHere(),
    statement=solves_the_equations,
    domain=CLOSED_FORMS,
    needs=(GENUINE,),
    false_variants={
        "adjoints against activations": adjoints_move_against_activations,
        "bias where there is none, and none where there is": solves_with_other_bias,
    },
    exact={"in symbols": equations_in_symbols},
    proof="in symbols",
    argument=ARGUMENT,
)

VALUES = Claim(
    id="leaky_resnets.trajectories.values",
    title="Energies, traces and norms of the trajectories are closed forms, too",
    source=SOURCE,
    status=DerivedHere(),
    statement=stated_values,
    domain=CLOSED_FORMS,
    needs=(GENUINE,),
    false_variants={"the constant is twice the trace": constant_is_the_trace, "the norm is the trace": norm_is_the_trace},
    exact={"in symbols": values_in_symbols},
    proof="in symbols",
    argument=ARGUMENT,
)
