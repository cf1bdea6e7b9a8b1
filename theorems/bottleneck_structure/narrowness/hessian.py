r"""The Hessian at a fit is at most the norm of the kernel.

Statement
    At a fit of N points the Hessian of :math:`\frac1N \sum_i \|f(x_i) - y_i\|^2` is :math:`\frac2N J_\theta^T J_\theta`, its
    norm :math:`\frac2N \|\Theta(X, X)\|_{op}`, and its trace :math:`\frac2N \mathrm{Tr}\,\Theta(X, X)`. From
    :math:`\frac1N \|\Theta(X, X)\|_{op} \le cL` follows :math:`\frac1N \mathrm{Tr}\,\Theta(X, X) \le N d_{out} cL`.
Correction
    The paper writes 1/N for 2/N, which belongs to the loss with 1/(2N).
Checked
    The second derivative of the loss in any direction v, from the values of the network to second order, and that it is at most
    :math:`\frac2N \|\Theta(X, X)\|_{op} \|v\|^2`: gradient descent with steps :math:`\eta` can stay at the fit only if
    :math:`\eta \|\Theta(X, X)\|_{op} \le N`. Away from a fit it is another, but with the same trace (``.hessian_trace``): its
    diagonal is that of the fit, because no parameter occurs twice in a product. Norm and trace of the kernel against each
    other.
Proof idea
    The terms with second derivatives of the network vanish with the misfit.
Tight
    The gradient of one layer at one point, twice, and of three layers; two points whose features are orthogonal; one output of
    one point.
Source
    bottleneck_structure, Section 4; the inequalities between norm and trace are derived here
    in this form.
"""

from functools import partial
from itertools import pairwise

from theorems.bottleneck_structure.narrowness.kernel import NETWORKS, SOURCE
from theorems.shared.parameter_jacobian import stacked_jacobian
from verify import Claim, DerivedHere, Domain, Source, Tight, integers, reals
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_gram
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened
from verify.words import eq, eye, le, lifted, norm2, operator_norm, trace, where

gram = lifted(ntk_gram)


@widened
def values_along(f: FullyConnected, x: Array, v: Array) -> tuple[Array, Array, Array]:
    r"""The coefficients of 1, t and t^2 in :math:`f_{\theta + tv}(x)`, with the slopes at x; v as in `parameter_jacobian`.

    x may be several points, in rows.
    """
    zeroth, first, second, start = x, 0 * x, 0 * x, 0
    for layer, (W, b) in enumerate(zip(f.weights, f.biases, strict=True), start=1):
        m, n = W.shape
        end = start + m * n
        V, c, start = v[start:end].reshape(m, n), v[end : end + m], end + m
        second = second @ W.T + first @ V.T
        first = first @ W.T + zeroth @ V.T + c
        zeroth = zeroth @ W.T + b
        if layer < f.depth:
            slopes = where(zeroth >= 0, f.activation.positive, f.activation.negative)
            zeroth, first, second = slopes * zeroth, slopes * first, slopes * second
    return zeroth, first, second


def second_derivative(f, X, v, misfit):
    """Of the loss along a direction, where all outputs are too large by `misfit`."""
    _, first, second = values_along(f, X, v)
    return 2 * (norm2(first) + 2 * misfit * second.sum()) / len(X)


def hessian_is_the_kernel(f, X, v, misfit, factor=2):
    J, derivative = stacked_jacobian(f, X), second_derivative(f, X, v, misfit)
    bound = factor * operator_norm(J @ J.T) * norm2(v) / len(X)
    return eq(derivative, factor * norm2(J @ v) / len(X), name="Hessian") & le(derivative, bound, name="bound")


def trace_of_hessian(f, X, misfit):
    """The second derivatives of the loss along all weights and biases added up."""
    return sum(second_derivative(f, X, unit, misfit) for unit in eye(sum(m * (n + 1) for n, m in pairwise(f.widths))))


def trace_is_that_of_the_kernel(f, X, misfit, factor=2):
    return eq(trace_of_hessian(f, X, misfit), factor * trace(gram(f, X)) / len(X))


def trace_is_the_norm(f, X, misfit):
    return eq(trace_of_hessian(f, X, misfit), 2 * operator_norm(gram(f, X)) / len(X))


def trace_and_norm(f, X):
    K = gram(f, X)
    return le(operator_norm(K), trace(K), name="norm") & le(trace(K), len(K) * operator_norm(K), name="trace")


def without_the_outputs(f, X):
    K = gram(f, X)
    return le(trace(K), len(X) * operator_norm(K))


def without_the_points(f, X):
    K = gram(f, X)
    return le(trace(K), f.widths[-1] * operator_norm(K))


def three_layers():
    """Three layers of one weight 1, a point that occurs three times, where all derivatives are 1, and their direction."""
    return {"f": FullyConnected([rationals([[1]])] * 3), "X": [[1]] * 3, "v": [1] * 6, "misfit": 0}


def one_layer(*points, **others):
    """One layer of the weight 1, and points."""
    return {"f": FullyConnected([rationals([[1]])]), "X": [[x] for x in points], **others}


def parameters(sizes):
    """Number of weights and biases."""
    return sum(after * (before + 1) for before, after in pairwise(NETWORKS.widths(sizes)))


SIZES = {"depth": (1, 2, 3), "inputs": range(1, 3), "width": range(2, 3), "outputs": range(1, 4), "samples": (1, 3)}
FITTED = "all points are fitted"

HESSIAN = Claim(
    id="bottleneck_structure.narrowness.hessian",
    title="The Hessian at a fit is at most the norm of the kernel",
    source=SOURCE,
    statement=hessian_is_the_kernel,
    domain=Domain(
        {"f": NETWORKS, "X": reals("samples", "inputs"), "v": reals(parameters), "misfit": integers(0, 1)},
        SIZES,
        {FITTED: lambda misfit: misfit == 0},
    ),
    needs=(FITTED,),
    tight={
        "one layer, along its gradient": Tight(partial(one_layer, 1, 1, v=[1, 1], misfit=0), of=("bound",)),
        "three layers, along the gradient": Tight(three_layers, of=("bound",)),
    },
    false_variants={"1/N, of the other loss": {"factor": 1}},
)

HESSIAN_TRACE = Claim(
    id="bottleneck_structure.narrowness.hessian_trace",
    title="The trace of the Hessian is that of the kernel",
    source=SOURCE,
    statement=trace_is_that_of_the_kernel,
    domain=Domain({"f": NETWORKS, "X": reals("samples", "inputs"), "misfit": reals()}, SIZES),
    false_variants={"1/N, of the other loss": {"factor": 1}, "the norm": trace_is_the_norm},
    cost=4,
)

TRACE = Claim(
    id="bottleneck_structure.narrowness.trace",
    title="What the norm of the kernel says of its trace",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=trace_and_norm,
    domain=Domain({"f": NETWORKS, "X": reals("samples", "inputs", role="few points")}, SIZES),
    tight={
        "two points with orthogonal features": Tight(partial(one_layer, 1, -1), of=("trace",)),
        "one point": Tight(partial(one_layer, 1), of=("norm", "trace")),
    },
    false_variants={"without the outputs": without_the_outputs, "without the points": without_the_points},
)
