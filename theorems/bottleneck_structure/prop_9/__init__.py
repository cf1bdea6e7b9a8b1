r"""Proposition 9: a steep network has a kernel that changes by order L.

Statement
    For any point x :math:`\|\partial^2_{xy}\Theta(x, x)\|_{op} \ge 2L\, \|Jf(x)\|_{op}^{2 - 2/L}`. If the pre-activations are
    constant between x and y, the kernel at one of them is at least
    :math:`\frac L4 \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}`, with :math:`u = (y - x) / \|y - x\|`.
Correction
    The factor in the first inequality is 1, as in the proof. The activation pattern is meant in the second: constant
    pre-activations would give x and y one value.
Checked
    ``bends``: the first inequality, corrected and printed. ``ends``: the second one, and a larger constant for ReLU networks.
Source
    bottleneck_structure, Proposition 9 (Proposition 18 of the appendix).
"""
