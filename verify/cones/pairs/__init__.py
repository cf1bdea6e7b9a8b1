"""How pairs of covariances are decided, for `verify.cones.covariance_pairs`.

`faces` has what every vector of a decomposition has to satisfy, `search` looks for the vectors, and `rank` has the smallest
number of them where a formula gives it.
"""
