"""Cones of vectors and matrices, decided exactly and with certificates.

`conical_hull` has hulls of finitely many vectors and Caratheodory's theorem; `completely_positive` and its dual `copositive`
have the cones of symmetric matrices, `support_graphs` and `exposed_faces` bounds of the CP-rank; `covariance_pairs`,
`hidden_layers` and `reference` have the cone of pairs of covariances and the networks that it describes. How they do it is in
the folders `factorisation` (of `completely_positive`), `pairs` (of `covariance_pairs`) and `shallow` (of `reference`).
"""
