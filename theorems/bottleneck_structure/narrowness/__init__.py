r"""The neural tangent kernel: its sum over layers, Hessian and least size.

Statement
    Section 4 measures the narrowness of minima by the kernel: the Hessian at a fit has the norm and the trace of the kernel at
    the training set, up to 1/N. A kernel much smaller than L is said to be impossible for a function that is not trivial.
Correction
    The proofs print the kernel without the share of the biases. The factor 1/N belongs to the loss
    :math:`\frac1{2N}\sum\|f(x_i) - y_i\|^2`.
Checked
    ``kernel``: the sum over layers and its mixed derivative. ``hessian``: the Hessian and the trace. ``lower_bound``: without
    biases the kernel is at least of order L.
Source
    bottleneck_structure, Section 4.
"""
