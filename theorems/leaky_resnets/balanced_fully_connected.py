r"""Fully connected layers of a leaky ResNet are balanced.

Statement
    With the weights :math:`W_\ell = [V_\ell, b_\ell]`, multiplying the weights into a neuron by a number and those out of it by
    its inverse changes nothing there, so that at a critical point

    .. math:: \|V_{\ell, i\cdot}\|^2 + b_{\ell, i}^2 = \|V_{\ell+1, \cdot i}\|^2 , \qquad
              \|V_{\ell+1}\|^2 = \|V_\ell\|^2 + \|b_\ell\|^2 = \|V_1\|^2 + \sum_{k \le \ell} \|b_k\|^2 .
Checked
    For every network with :math:`\rho L = 1`, critical or not, and every adjoint B: the inner products of incoming weights and
    of outgoing weights of a neuron with :math:`B_\ell\sigma(A_{\ell-1})^T` are equal. At a critical point these are the weights
    over L, and the two sides are the squared norms. Exact critical networks, with one neuron and one point, in which the norms
    grow by the biases.
Proof idea
    The derivative of the cost in the scale of a neuron is zero. With a leak that remains, :math:`\rho L < 1`, the neuron's old
    value comes in: what holds then is Proposition 10.
Not checked
    Critical networks of several neurons, beyond what the first part says of them.
Source
    leaky_resnets, Appendix A.3.
"""

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, DerivedHere, Domain, Q, Source, derived, interval, reals
from verify.networks import LeakyResNet
from verify.numbers.arithmetic import compare
from verify.words import eq, lifted, ones, stack

network = lifted(LeakyResNet)


def gradients_before_and_after(f, X, last, length=1, bias=1):
    """Inner products of the weights before and after every hidden neuron with their gradients, for steps of length 1/L."""
    f = network(f.weights, f.leak, length / f.leak + 0 * f.steps)
    A = f.activations(X)
    B = f.adjoints(A, last)
    products = [f.weights[k] * (B[k + 1] @ sigma(A[k]).T) for k in range(f.depth)]
    into = stack([one[:, :-1].sum(axis=1) + bias * one[:, -1] for one in products[:-1]])
    return eq(into, stack([one[:, :-1].sum(axis=0) for one in products[1:]]))


@lifted
def check_inside(name, number):
    if not ((compare(number, 0) > 0) & (compare(number, 1) < 0)).all():
        raise ValueError(f"{name} must be between 0 and 1, got {number}: activations are positive")


def three_critical_layers(u, v):
    r"""Critical network of three layers with L = 1, one neuron and one point; its input and its last adjoint.

    From u, v in (0, 1): :math:`a_0 = (1 - u^2)/(2u)` and :math:`a_1 = (1 - v^2)/(2v)`, so that :math:`1 + a^2` are squares. The
    layers are :math:`a_\ell = b_\ell (a_{\ell-1}^2 + 1)`, and :math:`b_{\ell-1} = a_{\ell-1} b_\ell^2` asks for
    :math:`b_\ell = (1 + a_{\ell-2}^2)^{-1/2}`.

    Raises
    ------
    ValueError
        A number is not between 0 and 1.
    """
    check_inside("u", u)
    check_inside("v", v)
    one = ones(1, 1)
    a0, a1 = (1 - u * u) / (2 * u) * one, (1 - v * v) / (2 * v) * one
    b1, b2, b3 = a1 / (a0 * a0 + 1), 2 * u / (1 + u * u) * one, 2 * v / (1 + v * v) * one
    a2 = b2 * (a1 * a1 + 1)
    weights = [b @ sigma(a).T for a, b in ((a0, b1), (a1, b2), (a2, b3))]
    return network(weights, 1, 0 * u + ones(3)), a0, b3


def norms_grow_by_biases(chain):
    """The weights against the critical ones of the network's own adjoints, and the norms of the layers."""
    f, x, last = chain
    A, W = f.activations(x), stack(f.weights)[:, 0]
    B = f.adjoints(A, last)
    critical = stack([(B[k + 1] @ sigma(A[k]).T)[0] for k in range(f.depth)])
    squares, growth = W[:, 0] ** 2, (W[:, 1] ** 2).cumsum()
    return eq(W, critical, name="critical") & eq(squares[1:], squares[0] + growth[:-1], name="norms")


def norms_grow_by_twice_the_biases(chain):
    """As for short steps."""
    W = stack(chain[0].weights)[:, 0]
    return eq(W[1:, 0] ** 2, W[0, 0] ** 2 + 2 * (W[:, 1] ** 2).cumsum()[:-1])


def norms_are_equal(chain):
    """As without biases."""
    W = stack(chain[0].weights)[:, 0]
    return eq(W[1:, 0] ** 2, W[0, 0] ** 2)


CLAIM = Claim(
    id="leaky_resnets.balanced_fully_connected",
    title="Gradients before and after a neuron of a fully connected layer",
    source=Source("leaky_resnets", "Appendix A.3"),
    statement=gradients_before_and_after,
    domain=Domain(
        {
            "f": drawn_networks(),
            "X": reals("width", "points", role="start of the path"),
            "last": reals("width", "points", role="last adjoint"),
        },
        {"depth": (2, 3, 6), "width": range(1, 4), "points": range(1, 4)},
    ),
    false_variants={"without the biases": {"bias": 0}, "steps of half the length": {"length": Q(1, 2)}},
)

CHAIN = Claim(
    id="leaky_resnets.balanced_fully_connected.chain",
    title="In a critical fully connected network the norms grow by the biases",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=norms_grow_by_biases,
    domain=Domain({"chain": derived(three_critical_layers, u=interval(1 / 16, 15 / 16), v=interval(1 / 16, 15 / 16))}),
    false_variants={
        "twice the biases, as for short steps": norms_grow_by_twice_the_biases,
        "equal norms": norms_are_equal,
    },
)
