r"""Linear networks of infinite depth: the cost tends to the rank.

Statement
    For fully connected networks, and for diagonal ones, with p = 2 / L and L to infinity,

    .. math:: \frac{R(A; L)}L = \sum_i s_i(A)^p \to \mathrm{rank} A, \qquad \frac{R(v; L)}L = \|v\|_p^p \to \|v\|_0 .
Checked
    A limit is not an inequality. What is checked is what the expansion in ``depth_expansion`` gives at every depth, with sums
    over non-zero singular values:

    .. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr|
              \le \frac2L \bigl|\log|A|_+\bigr| + \frac2{L^2} \sum_i (\log s_i)^2 \max(1, s_i^{2/L}) ,

    the same for the entries of a vector (``.diagonal``), and, in a form that is easily used (``.explicit``),

    .. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr| \le (e - 1) \frac2L \sum_i |\log s_i|
              \quad\text{for } L \ge 2 \max_i |\log s_i| .

    The rate 1 / L is that of the first term. Where :math:`|A|_+ = 1` the distance is of order :math:`1 / L^2` and not negative
    (``.unit_determinant``). R / L need not decrease to the rank: it increases where all singular values are below 1.
Proof idea
    That of ``depth_expansion``, divided by L; :math:`e^t - 1 \le (e - 1) t` for :math:`0 \le t \le 1`.
Tight
    One singular value 2 at a large depth; for the explicit bound the singular value :math:`e^{L/2}`.
Source
    notion_of_rank, representation cost of linear networks, limit of infinite depth; the bounds are derived here.
"""
