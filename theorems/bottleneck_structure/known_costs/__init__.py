r"""Representation costs that are known exactly.

Statement
    :math:`R(f; \Omega, L) = \min\{\|\theta\|^2 : f_\theta = f \text{ on } \Omega\}`, biases included. It is known for linear
    networks (``linear_cost``), for constants, and for the identity on an interval at depth 2. The expansion
    :math:`R = LR^{(0)} + R^{(1)} + R^{(2)}/L + \dots` of Section 1.1 defines the corrections as limits.
Checked
    ``constants``: what a constant costs at every depth, so that :math:`R^{(0)} = R^{(2)} = 0` and :math:`R^{(1)}` is the cost.
    ``interval``: what an interval around 0 costs a ReLU network, so that :math:`R^{(1)}(\mathrm{id}; [-1, 1]) \ge \log 2`.
Not checked
    That the limits exist: for Example 20 the second is infinite.
Source
    bottleneck_structure, Section 2.1 and Section 1.1; the values are derived here.
"""
