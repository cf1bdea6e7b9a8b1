"""An assertion that the numbers do not bear out, beside one whose false variant they do not refute."""

from dataclasses import replace

from toy_experiments.experiments import means
from verify.experiments import Assertion, Within

EXPERIMENT = replace(
    means.EXPERIMENT,
    name="toy.wrong",
    assertions=[
        Assertion(
            "the spread is two", Within(means.scaled_spread, 1.9, 2.1), false={"none": Within(means.scaled_spread, 3, 4)}
        ),
        Assertion(
            "it is about one", Within(means.scaled_spread, 0, 2), false={"so it is": Within(means.scaled_spread, 0.5, 2)}
        ),
    ],
)
