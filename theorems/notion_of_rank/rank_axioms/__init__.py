r"""The axioms of a rank for piecewise linear functions.

Statement
    :math:`\mathrm{Rank}_J(f; \Omega)` is the largest rank of the Jacobian over the linear regions of f that meet the interior
    of :math:`\Omega`; :math:`\mathrm{Rank}_{BN}(f; \Omega)` is the least k with :math:`f = h \circ g` on :math:`\Omega` through
    dimension k, with h and g continuous and piecewise linear (k = 0 for constants). Both satisfy

    1. they are natural numbers;
    2. :math:`\mathrm{Rank}(f \circ g; \Omega) \le \min\{\mathrm{Rank}\, f, \mathrm{Rank}(g; \Omega)\}`;
    3. :math:`\mathrm{Rank}(f + g) \le \mathrm{Rank}\, f + \mathrm{Rank}\, g`;
    4. the rank of an affine map is that of its matrix.
Correction
    In (2) the rank of f must be that on a neighbourhood of :math:`g(\Omega)`, which may lie in the boundary of regions of f.
    In (4) the domain must have an interior: on a segment every affine map has the bottleneck rank 1 or 0
    (``.affine.printed``).
Checked
    For the rank of the Jacobian: at points where all maps are affine nearby, and over all linear regions of a polytope,
    exactly, with a box around the range of g for the neighbourhood. For the bottleneck rank the axioms are constructions:
    :math:`(f \circ h) \circ g` and :math:`f \circ (h \circ g)` for (2), two bottlenecks side by side for (3)
    (``.bottleneck_sum``), a factorisation of the matrix for (4).
Proof idea
    Those of matrices. Both ranks are extreme: a rank that satisfies (2) and (4) and is monotone in :math:`\Omega` lies between
    them. From :math:`f = h \circ \mathrm{id} \circ g` through dimension k follows :math:`\mathrm{Rank}\, f \le k`. In a small
    cube inside a region of largest rank f is affine.
Tight
    Identities in (2), two coordinates in (3).
Source
    notion_of_rank, axioms of a rank; the neighbourhood in (2) and the extremality are derived here.
"""
