r"""Gradient descent leaves minima of a Hessian above :math:`2/\eta`.

Statement
    Gradient descent with learning rate :math:`\eta` cannot converge to a minimum with
    :math:`\frac2N \|J_\theta f_\theta(x_i)\|_{op}^2 \ge \eta^{-1}`.
Correction
    The threshold is :math:`2/\eta`. Between :math:`1/\eta` and :math:`2/\eta` descent converges, from both sides in turn: one
    weight and one datum of curvature :math:`1.5/\eta` come nearer by the factor 1/2 with every step.
Checked
    At a fit of N points the step of the loss :math:`\frac1N \sum_i \|f_\theta(x_i) - y_i\|^2` is to first order a product
    with :math:`I - \eta H`, :math:`H = \frac2N J_\theta f(X)^T J_\theta f(X)`. For every network and sample

    .. math:: \|I - \eta H\|_{op} \ge \frac{2\eta}N \|J_\theta f(x_i)\|_{op}^2 - 1 \quad\text{for all } i,

    which is above 1 beyond the threshold. For a linear model with features J, where the step is exact, no distance e to the fit
    grows if :math:`\eta \|H\|_{op} \le 2`, and at :math:`\eta \|H\|_{op} > 2` some distance does.
Proof idea
    The eigenvalues of the step are :math:`1 - \eta\lambda`; the norm of the Jacobian at all points is at least that at one.
Tight
    One datum; the threshold itself, at which the distance stays.
Not checked
    That descent of a network with a step that expands to first order does not converge: it may start on the stable manifold.
Source
    symmetry_learning, Minima stability; the Hessian at a fit is in bottleneck_structure.narrowness.
"""

from theorems.shared.parameter_jacobian import stacked_jacobian
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Source, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, ge, greatest, le, norm2, operator_norm


def step_expands(f, X, eta, factor=2, steepest=greatest):
    J, N = stacked_jacobian(f, X), len(X)
    # I - eta H without the zero eigenvalues of H: on the gradients it acts as the Gram matrix
    step = eye(len(J)) - eta * (factor * J @ J.T / N)
    curvatures = [2 * operator_norm(Ji @ Ji.T) / N for Ji in J.reshape(N, -1, J.shape[1])]
    return ge(operator_norm(step) + 1, eta * steepest(curvatures))


def after_a_step(J, e, eta):
    return e - eta * (2 * J.T @ (J @ e) / len(J))


def no_distance_grows(J, e, eta, factor=1):
    return le(factor * norm2(after_a_step(J, e, eta)), norm2(e))


def a_longer_step(J, e, eta):
    return le(norm2(after_a_step(J, e, len(J) * eta)), norm2(e))


def one_weight_cannot_converge(x, eta):
    return ge((1 - 2 * eta * norm2(x) / len(x)) ** 2, 1)


def one_point():
    return {"f": FullyConnected([rationals([[2]])]), "X": [[3]], "eta": 1}


def orthogonal_gradients():
    f = FullyConnected([rationals([[1, 2]])], [rationals([0])])
    return {"f": f, "X": [[1, "-1/2"], ["-1/2", 1], [-2, -2]], "eta": 1}


SOURCE = Source("symmetry_learning", "Minima stability")
AT_MOST, STEEP = "the curvature is at most 2/eta", "a point has curvature 1/eta"

CLAIM = Claim(
    id="symmetry_learning.gd_stability",
    title="Curvature above 2/eta at a point makes gradient descent expand",
    source=SOURCE,
    statement=step_expands,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "X": reals("samples", "inputs", role="few points"), "eta": interval(0, 4, role="free")},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 3), "width": range(2, 4), "outputs": range(1, 4), "samples": (1, 3)},
    ),
    tight={"one point": one_point, "orthogonal gradients": orthogonal_gradients},
    false_variants={"the step of half the loss": {"factor": 1}, "the curvatures of all points added": {"steepest": sum}},
    cost=2,
)

STAYS = Claim(
    id="symmetry_learning.gd_stability.converges",
    title="Below the curvature 2/eta no gradient step moves away from the fit",
    source=Source("symmetry_learning", "derived here"),
    status=DerivedHere(),
    statement=no_distance_grows,
    domain=Domain(
        {"J": reals("samples", "parameters"), "e": reals("parameters"), "eta": interval(0, 4)},
        {"samples": range(1, 5), "parameters": range(1, 4)},
        {AT_MOST: lambda J, eta: eta * operator_norm(2 * J.T @ J / len(J)) <= 2},
    ),
    needs=(AT_MOST,),
    tight={"at the threshold": {"J": [[2, 0], [0, 1]], "e": [1, 0], "eta": "1/2"}},
    false_variants={"half the distance": {"factor": 4}, "a longer step": a_longer_step},
)

PRINTED = Claim(
    id="symmetry_learning.gd_stability.printed",
    title="Gradient descent does not converge where a point has curvature 1/eta",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=one_weight_cannot_converge,
    domain=Domain(
        {"x": reals("samples"), "eta": interval(0, 4)},
        {"samples": range(1, 4)},
        {STEEP: lambda x, eta: 2 * eta * greatest(x**2) / len(x) >= 1},
    ),
)
