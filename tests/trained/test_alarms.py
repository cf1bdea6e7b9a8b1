"""No true theorem is said to fail in an ordinary network; what a claim speaks of is matched by role and by lengths."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy_training import trained

import verify
from verify import Claim, Domain, Networks, Source, derived, interval, reals
from verify.claims.catalogue import catalogue
from verify.matrices import singular_values
from verify.networks import FullyConnected, LeakyResNet, leaky_relu
from verify.numbers.arithmetic import FloatOnly, is_exact
from verify.trained.asking import Answer, NotAsked, TooLong, ask, ask_all, at_most
from verify.trained.points import Points
from verify.trained.roles import ROLES, read, roles
from verify.trained.subjects import CannotAsk, Subject, live_neurons, places, widened, with_neurons
from verify.words import eq, le

CLAIMS = catalogue("theorems")
ORDINARY = {
    "wide, with dead neurons": {"widths": (2, 64, 64, 64, 1)},
    "deep": {"widths": (3, *[16] * 8, 3), "seed": 2},
    "twelve layers, in single precision": {"widths": (2, *[12] * 11, 2), "ridge": 3e-4, "seed": 3, "single": True},
    "one hidden layer": {"widths": (2, 32, 1)},
    "no ridge": {"widths": (2, 24, 24, 1), "ridge": 0.0},
    "a large ridge": {"widths": (2, 32, 32, 2), "ridge": 1e-2},
    "linear": {"widths": (3, 10, 10, 3), "slope": 1.0},
    "leaky": {"widths": (2, 20, 20, 20, 1), "slope": 0.1},
    "a bottleneck of one neuron": {"widths": (2, 20, 1, 20, 2), "ridge": 1e-4},
    "without biases": {"widths": (2, 30, 30, 2), "biases": False},
    "of the line": {"widths": (1, 40, 40, 1), "ridge": 1e-4},
    "as narrow as its ends": {"widths": (2, 2, 2, 2), "ridge": 1e-4},
}


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", ORDINARY)
def test_no_false_alarm_in_an_ordinary_network(name):
    network, points = trained(**ORDINARY[name])
    answers, left = ask_all(CLAIMS.values(), Subject.of(network, points))
    assert len(answers) + len(left) == len(CLAIMS)
    assert len(answers) >= 140
    assert [one.claim for one in answers if one.outcome == "fails" and CLAIMS[one.claim].expected != "refuted"] == []
    # what is said to fail was decided on rationals; errata are found all the same
    failing = [one for one in answers if one.outcome == "fails"]
    assert len(failing) >= 3
    assert all(one.exact for one in failing)


STEEP = FullyConnected([np.ones((2, 1)), np.ones((1, 2))], activation=leaky_relu(2.0))
STEEPER = FullyConnected([np.ones((1, 1)), np.ones((1, 1))], activation=leaky_relu(3.0))
INHIBITING = LeakyResNet([-np.ones((1, 1)), -np.ones((1, 1))], 1.0)


@pytest.mark.parametrize("network", [STEEP, STEEPER, INHIBITING], ids=["slope 2", "slope 3", "leaky ResNet without biases"])
def test_no_false_alarm_where_a_claim_speaks_of_other_slopes_or_of_biases(network):
    points = Points(np.array([[1.0], [2.0], [-1.0], [-2.0]]))
    answers, _ = ask_all(CLAIMS.values(), Subject.of(network, points))
    assert len(answers) > 50
    assert [one.claim for one in answers if one.outcome == "fails" and CLAIMS[one.claim].expected != "refuted"] == []


def claim(statement, variables, sizes=None, name="toy.claim"):
    return Claim(
        id=name,
        title="A claim",
        source=Source("Toys", "Section 1"),
        statement=statement,
        domain=Domain(variables, sizes or {"depth": (1, 2), "inputs": (1, 2), "width": (1, 2), "outputs": (1, 2)}),
        false_variants={"nothing": lambda: le(1, 0)},
    )


@pytest.fixture
def subject():
    return Subject.of(*trained((2, 6, 6, 1), steps=200))


def through_a_cancellation(network, x):
    """True, and false in floats: what is added is lost."""
    value = network(x)[0]
    large = value * value + 2**60
    return eq((large + value) - large, value)


def in_floats_only(network, x):
    if is_exact(network.weights[0]):
        raise FloatOnly("this statement")
    return through_a_cancellation(network, x)


def false_for_all(network, x):
    return le(network.parameter_norm_squared + 1 + 0 * x[0], network.parameter_norm_squared)


ANY = {"network": Networks(slope=(-1, 1)), "x": reals("inputs", role="point")}


def test_floats_alone_refute_nothing(subject):
    true, undecided, false = (ask(claim(one, ANY), subject) for one in (through_a_cancellation, in_floats_only, false_for_all))
    assert (true.outcome, true.exact) == ("holds", True)
    assert (undecided.outcome, undecided.rank) == ("undecided", 5)
    assert undecided.words == "not decided: floats alone say that it fails; this statement"
    assert (false.outcome, false.exact, false.rank, false.left - false.right) == ("fails", True, 0, pytest.approx(1))


def test_the_decision_is_exact_for_wide_networks():
    network, points = trained((2, 300, 300, 1), steps=2)
    one = ask(claim(through_a_cancellation, ANY), Subject.of(network, points))
    assert (one.outcome, one.exact) == ("holds", True)


def test_dead_neurons_are_removed_and_nothing_else():
    network, points = trained((2, 64, 64, 1))
    kept = live_neurons(network)
    assert 0 < sum(int((~one).sum()) for one in kept) < 128
    small = with_neurons(network, kept)
    assert_allclose(small(points.inputs), network(points.inputs), rtol=1e-14, atol=1e-15)
    assert_allclose(small.parameter_norm_squared, network.parameter_norm_squared, rtol=1e-14)
    # small weights alone are no reason, nor is a constant network
    half = network.rescale_neurons([np.full(64, 2.0**-20), np.full(64, 2.0**20)])
    assert [one.sum() for one in live_neurons(half)] == [one.sum() for one in kept]
    assert [one.sum() for one in live_neurons(network.with_parameters([0 * one for one in network.parameters]))] == [64, 64]


@pytest.mark.parametrize("exact", [False, True])
def test_widened_networks_are_the_same_functions_at_the_same_norm(exact):
    rng = np.random.default_rng(0)
    network = FullyConnected(
        [rng.standard_normal((3, 2)), rng.standard_normal((7, 3)), rng.standard_normal((1, 7))],
        [rng.standard_normal(3), rng.standard_normal(7), rng.standard_normal(1)],
        leaky_relu(0.5),
    )
    x = rng.standard_normal((5, 2))
    network = network.as_exact() if exact else network
    wide = widened(network, 9)
    assert wide.widths == (2, 9, 9, 1)
    if exact:
        from verify.numbers.arithmetic import rationals

        assert (wide(rationals(x)) == network(rationals(x))).all()
        assert wide.parameter_norm_squared == network.parameter_norm_squared
    else:
        assert_allclose(wide(x), network(x), rtol=1e-13)
        assert_allclose(wide.parameter_norm_squared, network.parameter_norm_squared, rtol=1e-14)
    assert widened(network, 9).widths[1:-1] == (9, 9)


def through(encoder, decoder):
    return le(0, encoder.parameter_norm_squared + decoder.parameter_norm_squared)


def test_parts_are_matched_at_the_layer_that_fits():
    parts = {
        "encoder": Networks(depth="before", inputs=2, outputs=1, slope=(-1, 1), role="first part"),
        "decoder": Networks(depth="after", inputs=1, outputs=2, slope=(-1, 1), role="second part"),
    }
    asked = claim(through, parts, {"before": (1, 2), "after": (1, 2), "width": (1, 2)})
    ring, points = trained((2, 5, 5, 5, 1, 5, 2), steps=2)
    assert ask(asked, Subject.of(ring, points)).where == "point 1, layer 4"
    other, points = trained((2, 5, 5, 5, 1), steps=2)
    assert isinstance(ask(asked, Subject.of(other, points)), NotAsked)


def test_lengths_agree_and_nothing_is_broadcast():
    def same(x, y):
        return le(x, y + abs(x))

    sizes = {"n": (1, 2, 3)}
    asked = claim(same, {"x": reals("n", role="point"), "y": reals("n", role="residual")}, sizes)
    fits, broadcast = (ask(asked, Subject.of(*trained((2, 3, outputs), steps=1))) for outputs in (2, 1))
    assert isinstance(fits, Answer)
    assert broadcast.reason == "its variable y (n) has the length 2, here it is 1"
    fixed = claim(same, {"x": reals("n", role="point"), "y": reals("n", role="second point")}, {"n": (3,)})
    assert ask(fixed, Subject.of(*trained((2, 3, 1), steps=1))).reason == "its number of n must be 3, here it is 2"
    axes = claim(same, {"x": reals("n", "n", role="point"), "y": reals("n", role="point")}, sizes)
    assert "has 2 axes, here there are 1" in ask(axes, Subject.of(*trained((2, 3, 1), steps=1))).reason


def test_nothing_is_claimed_beyond_the_intervals(subject):
    def small(slope, x):
        return le(slope + 0 * x[0], -1)

    inside, beyond, sign = (
        ask(claim(small, {"slope": interval(lower, upper, role="slope"), "x": ANY["x"]}), subject)
        for lower, upper in ((-2, 2), (-2, -1 / 2), (1 / 2, 1))
    )
    assert (inside.outcome, inside.exact) == ("fails", True)
    assert beyond.outcome == "hypothesis"
    assert "slope is at most -0.5 (largest entry 0)" in beyond.words
    assert sign.outcome == "hypothesis"
    assert "slope is positive (least entry 0)" in sign.words


def test_a_claim_of_another_package_is_asked_by_its_roles(subject):
    def bounded(jacobian, x, factor, weight):
        assert (jacobian.shape, x.shape, factor.shape, weight.shape) == ((1, 2), (2,), (), (2,))
        return le(0 * (jacobian @ x), factor + weight[0])

    variables = {
        "jacobian": reals("m", "n", role="Jacobian"),
        "x": derived(lambda point: point, point=reals("n", role="point")),
        "factor": interval(0, 1, role="free"),
        "weight": reals("n", role="ones"),
    }
    place = places(subject)[0]
    found = read(claim(bounded, variables, {"m": (1, 2), "n": (1, 2)}).domain, place).variables
    assert found["factor"].values == 0.5
    assert_allclose(found["weight"].values, [[1, 1]])
    assert_allclose(found["jacobian"].values, subject.dense.jacobian(place.point()))
    assert ask(claim(bounded, variables, {"m": (1, 2), "n": (1, 2)}), subject).outcome == "holds"
    with pytest.raises(CannotAsk, match="nothing in a network is its variable secret"):
        read(Domain({"secret": reals()}), place)
    with pytest.raises(ValueError, match=r"the role of x must be one of .*, got 'pont'"):
        read(Domain({"x": reals(role="pont")}), place)
    with pytest.raises(CannotAsk, match="it speaks of numbers that no network has"):
        read(Domain({"x": reals(role="free")}), place)


def test_roles_are_those_of_the_catalogue_and_the_engine_names_no_document():
    used = {role for one in CLAIMS.values() for role in roles(one.domain.variables)}
    assert used >= set(ROLES)
    assert all(role in ROLES or role in ("free", "ones") or role.isdecimal() for role in used)
    folder = Path(verify.__file__).parent / "trained"
    documents = {name.partition(".")[0] for name in CLAIMS}
    text = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.py")}
    assert [file for file, code in text.items() if any(f'"{name}.' in code or f'"{name}:' in code for name in documents)] == []


def test_measuring_is_quiet_about_points_that_are_alone():
    network, _ = trained((2, 3, 1), steps=1)
    answers, _ = ask_all(CLAIMS.values(), Subject.of(network, Points(np.ones((1, 2)))))
    assert [one.claim for one in answers if one.rank < 2] == []


def test_singular_values_that_outlast_their_time_are_not_begun(monkeypatch):
    begun, decompose = [], np.linalg.svd
    monkeypatch.setattr(np.linalg, "svd", lambda matrix, **options: begun.append(matrix.shape) or decompose(matrix, **options))
    batch = np.random.default_rng(0).standard_normal((2, 3, 128, 130))
    with at_most(60.0):
        values = singular_values(batch)
    # one after another, so that an alarm is heard between them
    assert begun == [(128, 130)] * 6
    assert_allclose(values, decompose(batch, compute_uv=False), rtol=1e-12)
    with pytest.raises(TooLong), at_most(1.0):
        singular_values(np.broadcast_to(1.0, (2000, 2000)))
    assert len(begun) == 6


def test_what_would_take_gigabytes_is_not_asked_of_a_small_network_either():
    network = FullyConnected([np.ones((1, 128)), np.ones((128, 1))])
    answers, left = ask_all([CLAIMS["bottleneck_structure.prop_9"]], Subject.of(network, Points(np.ones((1, 128)))))
    assert (answers, [one.reason for one in left]) == ([], ["it would take more than 1 GB"])
