r"""Proposition 14: any completely positive matrix is an optimum.

Statement
    A shallow ReLU network without bias has the inputs X = I_N and outputs Y such that :math:`A = \sqrt{Y^TY}` is completely
    positive, of CP-rank k. Then at every minimum of the representation cost :math:`K_1 = K_1^\sigma = A`, so that the rank of
    the pair is k, and :math:`R(I, Y) = 2\,\mathrm{Tr}\,A = 2\|Y\|_*`. For all small enough ridges the rank is at least k.
Checked
    The bound in `optimum`, a network that attains it in `attained`, the loss with a ridge in `ridge`; in `few_neurons`, for
    Y_4, that three neurons cost more, without a ridge and with small ones.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix).
"""
