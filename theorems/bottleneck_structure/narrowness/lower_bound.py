r"""Without biases the kernel is at least of order L.

Statement
    For a ReLU network without biases :math:`\mathrm{Tr}\,\Theta(x, x) \ge L\, \|f(x)\|^{2 - 2/L} \|x\|^{2/L}`. The paper says
    that no function that is not trivial has a kernel much smaller than L; that is a form of it.
Checked
    The inequality without the share of the biases in the kernel, for the ReLU and for slopes 1 and -1; other slopes break it.
    With biases it fails: :math:`f(x) = x` has the trace 5001/5000 at 0 in a network of depth 3.
Proof idea
    :math:`\|f(x)\| \le \|J(\tilde\alpha_\ell \to f)\|\, \|\alpha_\ell\|` at every hidden layer, because the slopes there
    are 0 or of absolute value 1; and the inequality of means.
Tight
    Chains of equal weights; one layer.
Source
    derived here, after bottleneck_structure, Section 4.
"""

from functools import partial

from verify import Claim, DerivedHere, Domain, Networks, Source, reals
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace
from verify.numbers.arithmetic import rationals
from verify.words import Q, eq, le, lifted, norm2, power

kernel_trace = lifted(ntk_trace)


def trace_is_not_small(f, x):
    L = f.depth
    return le(L * power(norm2(f(x)), Q(L - 1, L)) * power(norm2(x), Q(1, L)), kernel_trace(f, x, biases=False))


def value_alone(f, x):
    return le(f.depth * norm2(f(x)), kernel_trace(f, x, biases=False))


def exponents_exchanged(f, x):
    L = f.depth
    return le(L * power(norm2(f(x)), Q(1, L)) * power(norm2(x), Q(L - 1, L)), kernel_trace(f, x, biases=False))


def keeps_or_cuts(f):
    a = f.activation.negative
    return (a == 0) | (a * a == 1)


def chain(*weights, **others):
    """One neuron in every layer, without biases."""
    return {"f": FullyConnected([rationals([[W]]) for W in weights]), **others}


def steep_at_the_end():
    """f(x) = x with weights 100, 1 and 1/100: with the biases the trace at 0 is 1 + 2/100^2."""
    return eq(ntk_trace(chain(100, 1, "1/100")["f"], rationals([0])), Q(5001, 5000))


KEEPS_OR_CUTS = "the slope is 0, 1 or -1"

LOWER = Claim(
    id="bottleneck_structure.narrowness.lower_bound",
    title="Without biases the kernel is at least of order L",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=trace_is_not_small,
    domain=Domain(
        {"f": Networks(biases=False, slope=(-2, 2)), "x": reals("inputs", role="point")},
        {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
        {KEEPS_OR_CUTS: keeps_or_cuts},
    ),
    needs=(KEEPS_OR_CUTS,),
    tight={"a chain of equal weights": partial(chain, 2, 2, 2, x=[3]), "one layer": partial(chain, 2, x=[3])},
    false_variants={"the value alone": value_alone, "the exponents exchanged": exponents_exchanged},
    exact={"small at one point with biases": steep_at_the_end},
)
