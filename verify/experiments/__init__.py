"""Figures of the papers as experiments: a recipe, independent runs, assertions on medians over seeds, a figure.

An experiment is a value, `Experiment`, as a theorem is a claim; ``verify experiment`` runs it.
"""

from verify.experiments.assertions import Assertion, Interval, Judged, Within, judge, median_interval
from verify.experiments.discovery import Experiments, UnknownExperiment, experiments_in
from verify.experiments.experiment import SCALES, Experiment
from verify.experiments.table import Row, Table

__all__ = [
    "SCALES",
    "Assertion",
    "Experiment",
    "Experiments",
    "Interval",
    "Judged",
    "Row",
    "Table",
    "UnknownExperiment",
    "Within",
    "experiments_in",
    "judge",
    "median_interval",
]
