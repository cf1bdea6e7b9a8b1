r"""Splitting: the parts of a network of least norm have the least norm.

Statement
    For a network of least norm for f and every layer,

    .. math:: R(f; \Omega, L) = R(\tilde\alpha_\ell; \Omega, \ell) + R(\sigma(\tilde\alpha_\ell) \to f; \Omega, L - \ell) .
Checked
    Where the costs are known: ``linear`` networks, and ``constants`` with any activation.
Source
    bottleneck_structure, Section 3.3.
"""
