r"""Proposition 3: from a local minimum to a saddle at constant cost.

Statement
    If :math:`w > N(N+1)` and :math:`\hat A` is a local minimum of the cost of identity with a negative entry, there is a
    continuous path of constant cost from :math:`\hat A` to a saddle.
Correction
    The proof compares :math:`A^TA` with K, which has the ones of the bias; it must be :math:`\bar K`, without them. The text
    concludes that all strict local minima of wide layers are stable: true and empty, for only A = 0 is strict
    (``prop_2.shrinking``).
Checked
    ``path``: the path, from every representation; ``rows``: the gradient along it. ``kernels``: how the two Gram matrices tell
    a negative entry. ``saddle``: its end, why N(N + 1) neurons are needed, and a wide layer with a local minimum that is not
    stable. ``two_points``: for at most 2 points the hypothesis is empty, as no local minimum has a negative entry.
    ``negative_entries``: what it asks of more.
Not checked
    Whether the hypothesis can be satisfied at all: for 3 points and more it is open.
Source
    leaky_resnets, Proposition 3 (Proposition 7 of the appendix).
"""
