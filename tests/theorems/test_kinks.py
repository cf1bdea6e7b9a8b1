"""Where a neuron is at its kink its slope is the one above, in a Jacobian and in a kernel."""

import pytest

from theorems.bottleneck_structure.prop_9.ends import ENDS, IMPROVED, PATTERN
from verify import evaluate
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals


@pytest.mark.parametrize("claim", [ENDS, IMPROVED], ids=lambda claim: claim.id)
def test_a_neuron_that_reaches_its_kink_from_below_has_another_slope_there(claim):
    weights = [rationals([["1/100"]]), rationals([[10], [1000]]), rationals([[10, "-1/10"]])]
    network = FullyConnected(weights, [rationals([0]), rationals([0, -10]), rationals([0])])
    instance = {"f": network, "x": rationals([0]), "y": rationals([1])}
    (comparison,) = evaluate(claim, **instance).comparisons
    assert comparison.left > comparison.right
    assert not claim.domain.hypotheses[PATTERN](**instance)
