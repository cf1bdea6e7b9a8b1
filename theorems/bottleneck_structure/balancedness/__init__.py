r"""Balancedness: a neuron costs as much before it as after it.

Statement
    At every local minimum of a loss with L2 regularisation,

    .. math:: \|W_{\ell, i\cdot}\|^2 + b_{\ell, i}^2 = \|W_{\ell+1, \cdot i}\|^2 \qquad (1 \le \ell < L) .
Checked
    ``rescaling``: a balanced network is the least among its rescalings. ``gradients``: what any critical point satisfies.
    ``layers``: the norms of the layers of a balanced network.
Source
    bottleneck_structure, Section 2 (balancedness).
"""
