r"""Theorem 4: separation of time scales. The cost of the identity is nearly minimal, and the speed measures what it lacks.

Statement
    If :math:`\|B_p\| \le c` on a Hamiltonian trajectory, then for every :math:`\gamma > 0`, with the norms of
    :math:`K_p + \gamma I` and :math:`\ell = \int_0^1\|\partial_pA_p\|dp`,

    .. math:: -(\ell/L + \gamma c)^2 \le -\tfrac2L\mathcal H - \min_p\|A_p\|^2 \le \gamma c^2, \qquad
              -\gamma c \le \tfrac1L\|\partial_pA_p\| - \sqrt{\|A_p\|^2 + \tfrac2L\mathcal H} \le 2\gamma c .
Correction
    With :math:`\gamma` it is false for small :math:`\gamma`; with :math:`\sqrt\gamma` it is true, for the positive part of the
    radicand:

    .. math:: -(\ell/L)^2 - 2\sqrt\gamma c\,\ell/L \le -\tfrac2L\mathcal H - \min_p\|A_p\|^2 \le \gamma c^2, \qquad
              -\sqrt\gamma c \le \tfrac1L\|\partial_pA_p\| - \sqrt{[\|A_p\|^2 + \tfrac2L\mathcal H]_+} \le 2\sqrt\gamma c .
Checked
    ``pointwise``: the identity and the inequalities at a point, for every A and B. ``statement``: the theorem on two families
    of trajectories in closed form, where all its quantities are exact, and on integrated ones. The printed form fails on both
    displays, each by itself, where its radicand is not negative. ``local_minimisers`` and ``global_minimisers``: it fails
    there, too. ``consequences``: what follows from the theorem. ``one_over_leak``: the choice :math:`\gamma = 1/L`.
Proof idea
    At each p :math:`\|\frac1L\partial A + \gamma B\|^2 = \|A\|^2 + \frac2L\mathcal H + \gamma\|B\|^2`; the triangle inequality,
    :math:`\gamma\|B\|_{K+\gamma I} \le \sqrt\gamma\|B\|`, and that H is constant.
Tight
    All four constants, where the leak acts alone, as gamma and L vanish.
Source
    leaky_resnets, Theorem 4 (Theorem 8 of the appendix).
"""
