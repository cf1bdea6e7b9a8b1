"""The cells of a network in general position by their vertices and edges, in floats, fast, and proved to be all of them.

`cut` finds the skeleton hyperplane by hyperplane, on packed sign patterns (`layout`), `slabs` a large one part by part; `proof`
proves it with the rounding errors of `bounds` and, where floats do not decide, with the integers of `maps`; `cells` reads off
the cells, and `volumes` their volumes.
"""

from verify.piecewise.skeleton.cells import FloatCells, float_cells
from verify.piecewise.skeleton.cut import Degenerate, TooManyVertices

__all__ = ["Degenerate", "FloatCells", "TooManyVertices", "float_cells"]
