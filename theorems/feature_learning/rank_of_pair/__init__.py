r"""The rank of a pair of covariances, and bounds from below.

Statement
    The rank of a pair :math:`(K, K^\sigma)` for an amount of bias b is the smallest k with

    .. math:: K = \sum_{i \le k} z_iz_i^T, \qquad K^\sigma = \sum_{i \le k} \sigma(z_i)\sigma(z_i)^T + b^211^T

    (k = 0 for :math:`(0, b^211^T)`). For the ReLU without bias, as in Section 4.2, :math:`K^\sigma` is completely positive, and
    the rank is at least :math:`\max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}K^\sigma)`.
Checked
    The inequality in `lower_bounds`, what is left of it with a bias in `with_bias`, the rank for one data point in
    `one_point`, and pairs of three points that need five neurons in `five_neurons`.
Source
    feature_learning, equation (4.1) and the inequality after Definition 12.
"""
