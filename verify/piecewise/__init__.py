"""What is true of a piecewise linear network on a whole polytope, decided in rational arithmetic."""

from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import LinearPiece, LinearRegions, Region, TooManyRegions, linear_pieces, linear_regions

__all__ = ["LinearPiece", "LinearRegions", "Polytope", "Region", "TooManyRegions", "linear_pieces", "linear_regions"]
