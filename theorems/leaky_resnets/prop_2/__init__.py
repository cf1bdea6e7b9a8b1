r"""Proposition 2: stable minima are not negative and cost their rank.

Statement
    A local minimum A of the cost with bias is stable if (A; 0), with one more dead neuron, is a local minimum, too. All stable
    minima are non-negative, and :math:`\|A\|_K^2 = \|A\|_{\bar K}^2 = \mathrm{Rank}\,A`.
Correction
    The cost must be finite. Where it is infinite in a neighbourhood, every point is a stable minimum, also a negative one.
Checked
    ``shrinking``, ``new_neuron``, ``columns``, ``ones``, ``limit``: the steps of the proof, each an identity or a bound at
    every representation, and what is false in their print. ``descent``: an explicit way down from every representation
    with a negative entry. ``value``: both costs. ``minima``: minima that are stable and one that is not.
    ``infinite_cost``: the statement as printed.
Not checked
    Whether a local minimum of finite cost with a negative entry exists: none is known, and none exists for at most 2 points.
Source
    leaky_resnets, Proposition 2 (Proposition 6 of the appendix).
"""
