"""What is true of a piecewise linear network on a whole polytope, decided in rational arithmetic."""

from verify.piecewise.bracket import Bracket
from verify.piecewise.equality import Equality, equal
from verify.piecewise.polytope import Polytope
from verify.piecewise.properties import (
    Nonnegativity,
    Range,
    is_nonnegative,
    jacobian_rank,
    lipschitz_constant,
    maximum,
    minimum_shift,
    range_over,
)
from verify.piecewise.regions import LinearPiece, LinearRegions, Region, TooManyRegions, linear_pieces, linear_regions
from verify.piecewise.rewriting import simplify

__all__ = [
    "Bracket",
    "Equality",
    "LinearPiece",
    "LinearRegions",
    "Nonnegativity",
    "Polytope",
    "Range",
    "Region",
    "TooManyRegions",
    "equal",
    "is_nonnegative",
    "jacobian_rank",
    "linear_pieces",
    "linear_regions",
    "lipschitz_constant",
    "maximum",
    "minimum_shift",
    "range_over",
    "simplify",
]
