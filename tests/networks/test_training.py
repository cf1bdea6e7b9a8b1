import re
import signal
from pathlib import Path

import numpy as np
import pytest
from dyadic import entries, network
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.networks import FullyConnected
from verify.networks.training import (
    Adam,
    CheckpointMismatch,
    Cosine,
    CrossEntropy,
    Diverged,
    GradientDescent,
    Linear,
    WarmUp,
    finish,
    he_network,
    loss_and_gradient,
    train,
)


def problem(batch=(), dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    f = he_network(rng, (3, 8, 8, 2), batch=batch, dtype=dtype)
    x = rng.standard_normal((20, 3)).astype(dtype)
    y = np.maximum(x @ rng.standard_normal((3, 2)), 0).astype(dtype)
    return f, x, y


OPTIONS = {"optimiser": Adam(Cosine(0.01, 60, warm_up=5)), "ridge": WarmUp(0.001, 20, start=5)}


def assert_identical(one, other):
    assert np.array_equal(one.history, other.history)
    for a, b in zip(one.network.parameters, other.network.parameters, strict=True):
        assert np.array_equal(a, b)
        assert a.dtype == b.dtype


def test_gradient_descent_takes_the_gradient():
    f, x, y = problem()
    found = train(f, x, y, steps=3, optimiser=GradientDescent(0.05), ridge=0.01)
    for k in range(3):
        value, gradient = loss_and_gradient(f, x, y, ridge=0.01)
        assert found.history[k] == pytest.approx(float(value), rel=1e-13)
        f = f.with_parameters([array - 0.05 * slope for array, slope in zip(f.parameters, gradient, strict=True)])
    for a, b in zip(found.network.parameters, f.parameters, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
    assert found.steps == 3
    assert found.history.shape == (4,)


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 0.99), st.floats(0, 0.9999), st.integers(1, 20000), st.integers(0, 2**32 - 1))
def test_adam_is_its_formula(first, second, size, seed):
    rng = np.random.default_rng(seed)
    theta, memory = rng.standard_normal(size), [np.zeros(size), np.zeros(size)]
    expected, mean, square = theta.copy(), np.zeros(size), np.zeros(size)
    adam = Adam(Cosine(0.1, 10), first, second)
    for step in range(3):
        gradient = rng.standard_normal(size)
        mean = first * mean + (1 - first) * gradient
        square = second * square + (1 - second) * gradient**2
        corrected = mean / (1 - first ** (step + 1)), square / (1 - second ** (step + 1))
        expected = expected - Cosine(0.1, 10)(step) * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
        adam.step(step, theta, gradient, memory)
    np.testing.assert_allclose(theta, expected, rtol=1e-10, atol=1e-13)


def test_adam_lowers_the_objective_and_lbfgs_ends_it():
    f, x, y = problem()
    trained = train(f, x, y, steps=300, optimiser=Adam(0.01), ridge=1e-3)
    assert trained.history[-1] < 0.3 * trained.history[0]
    finished = finish(trained.network, x, y, ridge=1e-3, iterations=200)
    assert finished.history[0] == pytest.approx(float(trained.history[-1]), rel=1e-12)
    assert np.all(np.diff(finished.history) <= 0)
    assert finished.history[-1] < trained.history[-1]
    value, gradient = loss_and_gradient(finished.network, x, y, ridge=1e-3)
    assert value == pytest.approx(finished.history[-1], rel=1e-12)
    before = loss_and_gradient(trained.network, x, y, ridge=1e-3)[1]
    assert max(np.abs(part).max() for part in gradient) < 0.1 * max(np.abs(part).max() for part in before)


def test_cross_entropy_separates_classes():
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.standard_normal((20, 2)) + 3, rng.standard_normal((20, 2)) - 3])
    y = np.eye(2)[[0] * 20 + [1] * 20]
    found = train(he_network(rng, (2, 6, 2)), x, y, steps=200, optimiser=Adam(0.02), loss=CrossEntropy())
    assert found.history[-1] < 0.05
    assert np.array_equal(found.network(x).argmax(axis=1), y.argmax(axis=1))


@pytest.mark.parametrize("count", [3, 100])
def test_networks_of_a_batch_are_trained_apart(count):
    f, x, y = problem((count,))
    found = train(f, x, y, steps=20, **OPTIONS)
    for k in (0, count - 1):
        one = train(f[k], x, y, steps=20, **OPTIONS)
        np.testing.assert_allclose(found.history[:, k], one.history, rtol=1e-9)
        for a, b in zip(found.network[k].parameters, one.network.parameters, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)


def test_a_seed_gives_the_same_run():
    assert_identical(train(*problem(seed=5), steps=30, **OPTIONS), train(*problem(seed=5), steps=30, **OPTIONS))
    assert not np.array_equal(problem(seed=5)[0].weights[0], problem(seed=6)[0].weights[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch", [(), (100,)], ids=str)
@pytest.mark.parametrize("optimiser", [OPTIONS["optimiser"], GradientDescent(0.01)], ids=["adam", "descent"])
def test_a_resumed_run_gives_the_same(tmp_path, optimiser, batch, dtype):
    f, x, y = problem(batch, dtype)
    file = tmp_path / "run.npz"
    options = {"optimiser": optimiser, "ridge": OPTIONS["ridge"], "checkpoint": file, "checkpoint_every": 7}
    whole = train(f, x, y, steps=60, optimiser=optimiser, ridge=OPTIONS["ridge"])
    assert whole.history.dtype == dtype
    first = train(f, x, y, steps=25, **options)
    assert first.steps == 25
    resumed = train(f, x, y, steps=60, **options)
    assert_identical(resumed, whole)
    again = train(f, x, y, steps=60, **options)
    assert_identical(again, whole)
    assert list(tmp_path.iterdir()) == [file]


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    f, x, y = problem()
    file = tmp_path / "run.npz"
    train(f, x, y, steps=5, **OPTIONS, checkpoint=file)
    with pytest.raises(CheckpointMismatch, match=r"run.npz is a checkpoint of another run: its network, data, loss, ridge"):
        train(f, x, 2 * y, steps=5, **OPTIONS, checkpoint=file)
    with pytest.raises(CheckpointMismatch, match="another run"):
        train(f, x, y, steps=5, optimiser=Adam(0.01), checkpoint=file)
    file.write_text("no checkpoint")
    with pytest.raises(CheckpointMismatch, match=r"run.npz is not a checkpoint of a training run"):
        train(f, x, y, steps=5, **OPTIONS, checkpoint=file)


def test_an_interruption_leaves_the_last_checkpoint(tmp_path):
    f, x, y = problem()
    file = tmp_path / "run.npz"

    def interrupt(at):
        if at.step == 17:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        train(f, x, y, steps=60, **OPTIONS, checkpoint=file, checkpoint_every=10, callbacks=[interrupt])
    assert caught.value.__notes__ == [f"the checkpoint {file} can be resumed"]
    seen = []
    resumed = train(f, x, y, steps=60, **OPTIONS, checkpoint=file, callbacks=[lambda at: seen.append(at.step)])
    assert seen == list(range(10, 61))
    assert_identical(resumed, train(f, x, y, steps=60, **OPTIONS))
    with pytest.raises(KeyboardInterrupt) as caught:
        train(f, x, y, steps=60, **OPTIONS, checkpoint=tmp_path / "other.npz", callbacks=[interrupt])
    assert caught.value.__notes__ == [f"no checkpoint was written to {tmp_path / 'other.npz'} yet"]


def test_divergence_is_said_and_not_a_warning(tmp_path):
    f, x, y = problem()
    with pytest.raises(Diverged, match=r"the objective is not finite after \d+ steps: try a smaller learning rate") as caught:
        train(f, x, y, steps=200, optimiser=GradientDescent(1e3), checkpoint=tmp_path / "run.npz", checkpoint_every=1)
    assert 1 <= caught.value.step < 200
    f, x, y = problem((4,))
    bad = FullyConnected([weight * np.array([1, 1e80, 1, 1])[:, None, None] for weight in f.weights])
    with pytest.raises(Diverged, match="not finite after 0 steps for 1 of 4 networks"):
        train(bad, x, y, steps=2, optimiser=GradientDescent(0.1))
    with pytest.raises(Diverged, match="the objective is not finite at the start"):
        finish(bad[1], x, y)


def test_callbacks_see_the_steps_and_can_stop():
    f, x, y = problem()
    seen = []

    def watch(at):
        seen.append((at.step, float(at.objective), float(at.network.parameter_norm_squared)))

    found = train(f, x, y, steps=10, optimiser=Adam(0.01), callbacks=[watch, lambda at: at.step == 6])
    assert [step for step, _, _ in seen] == list(range(7))
    assert found.steps == 6
    assert np.array_equal([value for _, value, _ in seen], found.history)
    assert seen[0][2] == pytest.approx(float(f.parameter_norm_squared))
    assert seen[-1][2] == pytest.approx(float(found.network.parameter_norm_squared))


def test_a_progress_bar_changes_nothing(capsys):
    f, x, y = problem()
    assert_identical(train(f, x, y, steps=12, **OPTIONS, progress=True), train(f, x, y, steps=12, **OPTIONS))
    capsys.readouterr()


def test_schedules():
    cosine = Cosine(2.0, 10, warm_up=4, final=0.25)
    assert [cosine(k) for k in range(5)] == [0.5, 1.0, 1.5, 2.0, 2.0]
    assert cosine(7) == pytest.approx(2 * (1 + 0.25) / 2)
    assert cosine(10) == cosine(1000) == 0.5
    linear = Linear(2.0, 10, 4, warm_up=2)
    assert [linear(k) for k in range(12)] == [1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.5, 1.0, 0.5, 0.0, 0.0]
    ridge = WarmUp(3.0, 4, start=2)
    assert [ridge(k) for k in range(8)] == [0, 0, 0, 0.75, 1.5, 2.25, 3.0, 3.0]


def test_he_networks_have_the_variance_that_keeps_sizes():
    f = he_network(np.random.default_rng(0), (200, 300, 100), scale=0.5, dtype=np.float32)
    assert f.weights[0].dtype == np.float32
    assert f.widths == (200, 300, 100)
    for weight, inputs in zip(f.weights, (200, 300), strict=True):
        assert weight.var() == pytest.approx(0.25 * 2 / inputs, rel=0.05)
    assert not any(bias.any() for bias in f.biases)


EXACT = network(np.random.default_rng(0), (3, 2, 2)).as_exact()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f, x, y: train(f, x, y, steps=-1, optimiser=Adam(0.1)), ValueError, "steps must be at least 0"),
        (
            lambda f, x, y: train(f, x, y, steps=1, optimiser=Adam(0.1), checkpoint_every=0),
            ValueError,
            "every must be at least 1, got 0",
        ),
        (
            lambda f, x, y: train(f, x, y[:3], steps=1, optimiser=Adam(0.1)),
            ValueError,
            r"targets must have shape \(..., 20, 2\)",
        ),
        (lambda f, x, y: finish(f, x, y, iterations=0), ValueError, "iterations must be at least 1, got 0"),
        (lambda _, x, y: finish(he_network(np.random.default_rng(0), (3, 2), batch=(2,)), x, y), ValueError, "index a batch"),
        (lambda f, x, y: train(f, x, y, steps=1, optimiser=Adam(0.1), ridge=-1), ValueError, "ridge must be a finite number"),
        (lambda f, x, y: finish(f, x, y, ridge=np.nan), ValueError, "ridge must be finite, got nan"),
        (lambda *_: Adam(-0.1), ValueError, "learning_rate must be a finite number that is not negative, got -0.1"),
        (lambda *_: GradientDescent(np.inf), ValueError, "learning_rate must be finite, got inf"),
        (lambda *_: Adam(0.1, first=1.0), ValueError, r"first must be at least 0 and below 1, got 1.0"),
        (lambda *_: Adam(0.1, epsilon=0.0), ValueError, "epsilon must be positive, got 0.0"),
        (lambda *_: Cosine(0.1, 5, warm_up=5), ValueError, "warm_up must be at least 0 and below steps, got 5 and 5"),
        (lambda *_: Cosine(0.1, 5, final=-1), ValueError, "final must not be negative, got -1"),
        (lambda *_: Linear(0.1, 5, 0), ValueError, "decay must be at least 1, got 0"),
        (lambda *_: Linear(0.1, 5, 3, 3), ValueError, r"warm_up and decay must be at most steps, got 3 \+ 3 and 5"),
        (lambda *_: WarmUp(0.1, 0), ValueError, "steps must be at least 1, got 0"),
        (lambda *_: he_network(0, (2, 3)), TypeError, "generator must be a numpy.random.Generator, got int"),
        (lambda *_: he_network(np.random.default_rng(0), (2,)), ValueError, "widths must be at least two numbers"),
    ],
)
def test_errors_name_the_argument(call, error, message):
    with pytest.raises(error, match=message):
        call(*problem())


def test_exact_networks_are_not_trained():
    rng = np.random.default_rng(0)
    from verify.numbers.arithmetic import rationals

    x, y = rationals(entries(rng, 4, 3)), rationals(entries(rng, 4, 2))
    with pytest.raises(ValueError, match="the network is exact, and training is for floats"):
        train(EXACT, x, y, steps=1, optimiser=Adam(0.1))
    with pytest.raises(ValueError, match="finish is for one float network in NumPy arrays"):
        finish(EXACT, x, y)


def test_the_example_of_the_docs_runs(capsys):
    text = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.+?)```", text, flags=re.DOTALL)
    names = {}
    shorter = (
        example.replace("steps=1000", "steps=30")
        .replace("1000, warm_up=50", "30")
        .replace("y, ridge=0.002)", "y, iterations=9)")
    )
    exec(compile(shorter, "engine.md", "exec"), names)
    assert names["deeper"].depth == names["trained"].depth + 8
    capsys.readouterr()
