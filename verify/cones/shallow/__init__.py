"""How networks of one hidden layer are minimised over all widths, for `verify.cones.reference`.

`problem` has the values of feasible points and the bounds of dual points; `conic` and `frank_wolfe` propose such points.
"""
