r"""Proposition 1: the cost of identity is at least an effective dimension.

Statement
    For :math:`A \ne 0`, with the cost infinite where no weights keep A and :math:`\|A\|_* = \sum_i s_i(A)`,

    .. math:: \|A\|_{\bar K}^2 \ge \frac{\|A\|_*^2}{\|A\|_F^2} .
Correction
    The proof minimises :math:`\|AB^+\|_F^2` over all B with the norm of A. It must be the minimum over those with
    :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,B^T`: else B may be orthogonal to A, and the minimum is 0.
Checked
    ``statement``: the bound, a sharper chain, a bound with bias. ``minimiser``: the minimum in the proof and where it is
    attained. ``features``: the first step of the proof.
Source
    leaky_resnets, Proposition 1.
"""
