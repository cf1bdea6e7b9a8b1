"""A number is at most its square: false between 0 and 1."""

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Source, interval, reals
from verify.words import le


def square_is_larger(x, power=2):
    """A number is at most its square."""
    return le(x, x**power)


PRINTED = Claim(
    id="toy.squares.printed",
    title="Squares are larger",
    source=Source("notion_of_rank", "derived here"),
    status=FalseAsPrinted(corrected_by="toy.squares"),
    statement=square_is_larger,
    domain=Domain({"x": reals()}),
    false_variants={},
)

CLAIM = Claim(
    id="toy.squares",
    title="Squares are larger beyond 1",
    source=Source("notion_of_rank", "derived here"),
    statement=square_is_larger,
    domain=Domain({"x": interval(1, np.inf)}),
    false_variants={"power 0": {"power": 0}, "power -1": {"power": -1}},
)
