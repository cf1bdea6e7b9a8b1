"""Full-batch training."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verify.networks.training.checkpoints import State, fingerprint, load, on_host, save
from verify.networks.training.gradients import objective_of
from verify.networks.training.losses import Loss, MeanSquaredError
from verify.networks.training.objectives import Objective
from verify.networks.training.optimisers import Optimiser
from verify.networks.training.schedules import Schedule, at, checked_schedule
from verify.numbers.arguments import flag, listed
from verify.numbers.arithmetic import Array, array_module, integer, is_exact


class Diverged(ArithmeticError):
    """The objective is no longer finite.

    Attributes
    ----------
    step
        The number of steps after which this was so.
    """

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


@dataclass(frozen=True, eq=False)
class Training:
    """The result of a training run.

    Attributes
    ----------
    network
        The trained network, of the class that was given.
    history
        The objective after 0, 1, ... steps, shape ``(steps + 1, *batch)``, each with the ridge of its step.
    steps
        Steps that were taken in all, those before a checkpoint included.
    seconds
        Time that this call took.
    """

    network: Any
    history: Array
    steps: int
    seconds: float


@dataclass(frozen=True, eq=False)
class TrainingStep:
    """What a callback sees after `step` steps.

    Attributes
    ----------
    objective
        Loss plus ridge, shape ``batch``.
    """

    step: int
    objective: Array
    _state: Objective

    @property
    def network(self) -> Any:
        """The network as it is now; built when asked for."""
        return self._state.network()


Callback = Callable[[TrainingStep], object]


def train(
    network: Any,
    x: Array,
    targets: Array,
    /,
    *,
    steps: int,
    optimiser: Optimiser,
    loss: Loss | None = None,
    ridge: Schedule = 0.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 200,
) -> Training:
    """Minimise loss plus `ridge` times the squared norm of the parameters, on all points at once.

    `x` and `targets` are as for `loss_and_gradient`; the networks of a batch are trained side by side. The run depends on
    nothing but its arguments: draw the network with a generator of your own (see `he_network`).

    Parameters
    ----------
    loss
        `MeanSquaredError` unless given.
    ridge
        A number, or a schedule such as `WarmUp`.
    callbacks
        Called before every step and after the last one; a true result ends the training.
    progress
        Whether to show a progress bar.
    checkpoint, checkpoint_every
        A file for the state, written so often (in steps) and at the end. When it is there already, the run goes on from it,
        to the same result as without a break; it may be given more steps. Ctrl-C leaves the last one.

    Raises
    ------
    ValueError
        As for `loss_and_gradient`; an exact network; `steps` negative or `checkpoint_every` not positive; a `ridge` that is
        negative or not finite.
    Diverged
        The objective is no longer finite.
    CheckpointMismatch
        The checkpoint is one of another run.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0]])
    >>> result = train(FullyConnected([np.array([[0.0]])]), x, 2 * x + 1, steps=500, optimiser=GradientDescent(0.5))
    >>> print(result.network.weights[0].round(6), result.network.biases[0].round(6), len(result.history))
    [[2.]] [1.] 501
    """
    steps, checkpoint_every = integer("steps", steps, 0), integer("checkpoint_every", checkpoint_every, 1)
    progress = flag("progress", progress)
    if checkpoint is not None and not isinstance(checkpoint, str | Path):
        raise TypeError(f"checkpoint must be text or a pathlib.Path, got {checkpoint!r}")
    for k, callback in enumerate(listed("callbacks", callbacks)):
        if not callable(callback):
            raise TypeError(f"callbacks[{k}] must be a function of a TrainingStep, got {callback!r}")
    if not callable(getattr(optimiser, "step", None)):
        raise TypeError(f"optimiser must be one (GradientDescent, Adam, ...), got {optimiser!r}")
    checked_schedule("ridge", ridge)
    loss = MeanSquaredError() if loss is None else loss
    start = time.perf_counter()
    state = objective_of(network, x, targets, loss)
    if is_exact(state.flat):
        raise ValueError("the network is exact, and training is for floats: convert with as_float() first")
    xp: Any = array_module(state.flat)
    memory = [xp.zeros_like(state.flat) for _ in range(optimiser.slots)]
    history: list[Array] = []
    file = None if checkpoint is None else Path(checkpoint)
    mark = "" if file is None else fingerprint([state.flat, x, targets], [optimiser, loss, ridge])
    if file is not None and file.exists():
        history = _restored(load(file, mark, on_host(state.flat), optimiser.slots, network.batch_shape), state, memory)
    begin = len(history)

    def store() -> None:
        if file is not None:
            vectors = [on_host(vector) for vector in memory]
            values = np.array([on_host(value) for value in history])
            save(file, State(len(history), on_host(state.flat), vectors, values), mark)

    bar = _progress_bar if progress else _silence
    with np.errstate(over="ignore", invalid="ignore"), bar(steps, begin) as report, _noting_the_checkpoint(file):
        for step in range(begin, steps):
            value = _finite(state.evaluate(at(ridge, step)), step)
            if _asked_to_stop(callbacks, TrainingStep(step, value, state)):
                break
            optimiser.step(step, state.flat, state.flat_gradient, memory)
            history.append(value)
            report(step + 1, value)
            if len(history) % checkpoint_every == 0:
                store()
        taken = len(history)
        value = _finite(state.evaluate(at(ridge, taken)), taken)
        if taken >= steps:
            _asked_to_stop(callbacks, TrainingStep(taken, value, state))
    if taken % checkpoint_every or taken == begin:
        store()
    return Training(state.network(), xp.stack([*history, value]), taken, time.perf_counter() - start)


def _restored(stored: State, state: Objective, memory: list[Array]) -> list[Array]:
    """Put a checkpoint back in place; the objectives so far."""
    xp: Any = array_module(state.flat)
    for vector, saved in zip((state.flat, *memory), (stored.parameters, *stored.memory), strict=True):
        vector[...] = xp.asarray(saved)
    return [xp.asarray(value) for value in stored.history]


def _finite(value: Array, step: int) -> Array:
    if not array_module(value).isfinite(value).all():
        affected = (
            "" if value.ndim == 0 else f" for {int((~array_module(value).isfinite(value)).sum())} of {value.size} networks"
        )
        raise Diverged(
            f"the objective is not finite after {step} steps{affected}: try a smaller learning rate, a warm-up, or a smaller "
            "scale of the initial weights",
            step,
        )
    return value


def _asked_to_stop(callbacks: Sequence[Callback], at_step: TrainingStep) -> bool:
    answers = [callback(at_step) for callback in callbacks]  # all of them, also after one that stops
    return any(map(bool, answers))


@contextmanager
def _noting_the_checkpoint(file: Path | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interruption:
        if file is not None:
            interruption.add_note(
                f"the checkpoint {file} can be resumed" if file.exists() else f"no checkpoint was written to {file} yet"
            )
        raise


@contextmanager
def _silence(steps: int, done: int) -> Iterator[Callable[[int, Array], None]]:  # noqa: ARG001
    yield lambda step, value: None  # noqa: ARG005


@contextmanager
def _progress_bar(steps: int, done: int) -> Iterator[Callable[[int, Array], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("training", total=steps, completed=done, now="")

        def report(step: int, value: Array) -> None:
            if step % 10 == 0 or step == steps:
                bar.update(task, completed=step, now=f"objective {float(value.mean()):.6g}")

        yield report
