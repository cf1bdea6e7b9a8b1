"""Ascents end early at a bound that is attained, and nowhere else."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.optimize

from verify import Domain, reals
from verify.claims.domain import Sample
from verify.numbers.relation import Verdict
from verify.search.ascent import RESTARTS, ascend
from verify.search.batch import Candidate
from verify.words import le

STEPS = 200


def attained(x, y, gap=0):
    """Attained at (1, 1), at the end of a valley, or missed by the gap."""
    return le(1, 1 + gap + (1 - x) ** 2 + 100 * (y - x**2) ** 2)


def missed(x, y):
    return attained(x, y, gap=1e-3)


def false_beyond_a_wall(x, y):
    """Attained at x = 0, and false at x > 1/64, behind larger values."""
    return le(0 * y, x**2 * (1 - 64 * x))


@pytest.fixture
def lengths(monkeypatch):
    """How many calls each beginning of an ascent may take."""
    minimize, found = scipy.optimize.minimize, []

    def recorded(*arguments, **options):
        found.append(options["options"]["maxfun"])
        return minimize(*arguments, **options)

    monkeypatch.setattr(scipy.optimize, "minimize", recorded)
    return found


def ascent(statement, x, y):
    domain = Domain({"x": reals(), "y": reals()})
    start = Candidate(Sample({}, {"x": np.array(x), "y": np.array(y)}), 1.0, int(Verdict.HOLDS))
    reached, evaluations = ascend(statement, domain, start, STEPS, np.random.default_rng(0), None)
    assert reached is not None
    return reached, evaluations // 3  # a call evaluates a point, and one step along each coordinate


def test_what_is_not_attained_takes_all_steps(lengths):
    reached, calls = ascent(missed, -1.2, 1.0)
    assert reached.relative_slack == pytest.approx(1e-3, rel=1e-2)
    assert lengths[0] == 2 * STEPS
    assert calls == 2 * STEPS or len(lengths) == RESTARTS
    assert min(lengths) > 0


def test_what_is_attained_takes_half_of_the_steps_from_there_on_in_several_goes(lengths):
    reached, calls = ascent(attained, 1.0, 1.0)
    assert abs(reached.relative_slack) < 1e-12
    assert STEPS // 2 <= calls <= STEPS // 2 + RESTARTS
    assert lengths[0] == 2 * STEPS
    assert len(lengths) > 2
    # at most an eighth of the steps from one beginning
    assert all(0 < before - after <= STEPS // 8 for before, after in pairwise(lengths[1:]))


def test_what_is_false_near_an_attained_bound_is_found_by_beginning_again():
    reached, _ = ascent(false_beyond_a_wall, 0.0, 0.0)
    assert reached.relative_slack < 0
    assert reached.verdict == Verdict.FAILS
