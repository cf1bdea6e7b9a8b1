r"""Proposition 15: with one input and one output, 4N neurons suffice.

Statement
    On N points, :math:`f(x) = \beta b_0 + \sum_i a_i\sigma(b_ix + \beta c_i)` with the ReLU: the representation cost and the
    smallest loss are the same for all widths from 4N on.
Checked
    The step of the proof in `merging`, the count in `count`. In fact N neurons suffice, for any number of inputs: `fewer`.
    Lower bounds are in `alternating`, `three_points` and `two_neurons`.
Source
    feature_learning, Proposition 15 (Proposition 24 in the appendix).
"""
