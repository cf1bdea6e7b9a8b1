"""A run that raises an error."""

from dataclasses import replace

from toy_experiments.experiments import means


def run(recipe, size, seeds):
    if size == 4:
        raise ArithmeticError("four is too much")
    return means.spread_of_means(recipe, size, seeds)


EXPERIMENT = replace(means.EXPERIMENT, name="toy.broken", run=run)
