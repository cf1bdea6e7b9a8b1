r"""Proposition 19: local minima of the weights alone.

Statement
    A ReLU network of widths (1, 2, 1) without bias has the data X = (1, -1), Y = (1, 1). For :math:`0 < \lambda < 1` and
    a, b > 0 with :math:`a^2 + b^2 = 1 - \lambda`, the weights :math:`W_1 = (a, b)^T`, :math:`W_2 = (a, b)` are a local minimum
    of :math:`\|Z_2 - Y\|^2 + \lambda\|W\|^2`, and their covariances are not a local minimum of :math:`L^k`.
Correction
    The text of the statement has lost its formulas; its proof determines them. If the error is divided by N (`divisor`), all
    of this holds with :math:`N\lambda` in place of :math:`\lambda`, divided by N.
Checked
    In `local_minimum`, the minima; in `covariance_descent`, the line along which :math:`L^k` descends; in `endpoint`, that the
    ends of the segment are no minima in the weights either; in `second_output`, for which Y = (1, y) the segment is spurious.
Source
    feature_learning, Proposition 19.
"""
