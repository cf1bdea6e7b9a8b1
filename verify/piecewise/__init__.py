"""What is true of a piecewise linear network on a whole polytope, decided in rational arithmetic, or in floats and proved.

The functions are those named here; what they are made of is in the folders `cells` (exact cells, in integers), `skeleton` (the
fast method in floats, with its proof) and `maximisation` (branch and bound).
"""

from verify.piecewise.bracket import Bracket
from verify.piecewise.equality import Equality, equal
from verify.piecewise.factorisation import (
    Factorisation,
    FactorThrough,
    NotAFactorisation,
    bottleneck_rank_upper_bound,
    factor_through,
)
from verify.piecewise.interpolation import from_breakpoints, from_pieces, triangulated_interpolant
from verify.piecewise.milp import SearchedMaximum, maximum_by_search
from verify.piecewise.onnx import to_onnx
from verify.piecewise.plotting import plot_regions
from verify.piecewise.polytope import Polytope
from verify.piecewise.properties import (
    Nonnegativity,
    Range,
    SignUndecided,
    is_nonnegative,
    jacobian_rank,
    lipschitz_constant,
    maximum,
    minimum_shift,
    range_over,
)
from verify.piecewise.regions import LinearPiece, LinearRegions, Region, TooManyRegions, linear_pieces, linear_regions
from verify.piecewise.rewriting import simplify
from verify.piecewise.skeleton import Degenerate, FloatCells, TooManyVertices, float_cells

__all__ = [
    "Bracket",
    "Degenerate",
    "Equality",
    "FactorThrough",
    "Factorisation",
    "FloatCells",
    "LinearPiece",
    "LinearRegions",
    "Nonnegativity",
    "NotAFactorisation",
    "Polytope",
    "Range",
    "Region",
    "SearchedMaximum",
    "SignUndecided",
    "TooManyRegions",
    "TooManyVertices",
    "bottleneck_rank_upper_bound",
    "equal",
    "factor_through",
    "float_cells",
    "from_breakpoints",
    "from_pieces",
    "is_nonnegative",
    "jacobian_rank",
    "linear_pieces",
    "linear_regions",
    "lipschitz_constant",
    "maximum",
    "maximum_by_search",
    "minimum_shift",
    "plot_regions",
    "range_over",
    "simplify",
    "to_onnx",
    "triangulated_interpolant",
]
