r"""The cost of identity: the cost of keeping a representation.

Statement
    With :math:`K = \sigma(A)^T\sigma(A)`, the cost of identity is :math:`\|A\|_K^2 = \mathrm{Tr}[AK^+A^T]`: the smallest
    squared Frobenius norm of a W with :math:`W\sigma(A) = A`, and infinite where there is no such W. It is 0 for A = 0
    only, and no larger than the cost without bias. Without bias, a representation :math:`A \ge 0` costs its rank.
Correction
    Section 1.3 says that the cost is the Frobenius norm of the smallest W. It is the square of it.
Checked
    ``smallest_weights``: the minimum, the printed norm, where no W exists. ``bounds``: zero, the bias, lower semicontinuity.
    ``rank``: representations that are not negative, with and without bias.
Source
    leaky_resnets, Sections 1.3 and 1.4.
"""
