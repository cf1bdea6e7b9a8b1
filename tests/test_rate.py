"""Fitted exponents: the stated one is inside the interval, and a wrong one is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.claims.rate import WRONG_BY, Rate, fit

LADDER = tuple(2**k for k in range(3, 15))


@given(st.floats(-3, 3), st.floats(0.01, 100), st.floats(-2, 2), st.floats(0.8, 2))
def test_a_power_with_a_lower_term_is_fitted(exponent, factor, lower, gap):
    fitted = fit(Rate(lambda n: factor * n**exponent * (1 + lower / n**gap), LADDER, exponent))
    assert fitted.allows(exponent)
    assert fitted.as_expected


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_wrong_exponent_is_detected(sign):
    assert not fit(Rate(lambda n: n**-1.0 + n**-2.0, LADDER, -1 + sign * WRONG_BY)).as_expected


def test_noise_that_hides_the_exponent_is_not_taken_for_agreement():
    noise = np.exp(2 * np.random.default_rng(0).standard_normal(len(LADDER)))
    fitted = fit(Rate(lambda n: n**-1.0 * noise, LADDER, -1))
    assert fitted.uncertainty > WRONG_BY
    assert not fitted.as_expected


def test_a_logarithm_is_not_a_power():
    assert not fit(Rate(np.log, LADDER, 0)).as_expected


def test_unusable_ladders_and_quantities_are_refused():
    with pytest.raises(ValueError, match="at least six increasing positive numbers"):
        Rate(np.sqrt, (1, 2, 3), 0.5)
    with pytest.raises(ValueError, match="at least six increasing positive numbers"):
        Rate(np.sqrt, (1, 2, 3, 3, 4, 5), 0.5)
    with pytest.raises(ValueError, match="must give a positive number for every size"):
        fit(Rate(lambda n: n - 8, LADDER, 1))
