r"""The Hamiltonian is the Legendre transform of the Lagrangian.

Statement
    For :math:`\ell(A, \dot A) = \frac1{2L}\|LA + \dot A\|_K^2`, infinite where no weights move A so, and a velocity with
    :math:`\mathrm{Im}(LA + \dot A)^T \subset \mathrm{Im}\,K`, the momentum is

    .. math:: B = \partial_{\dot A}\ell = \tfrac1L(LA + \dot A)K^+, \qquad \dot A = L(BK - A), \qquad
              \mathcal H(A, B) = \langle B, \dot A\rangle - \ell(A, \dot A) .

    For every momentum B' the difference :math:`\ell(A, \dot A) + \mathcal H(A, B') - \langle B', \dot A\rangle` is
    :math:`\frac L2\|(B' - B)\sigma(A)^T\|^2`, so that it is never negative (``.duality``, for any velocity). The velocity
    determines the part of B in the image of K (``.momentum``); its part in the kernel is free (``.derivative``). At the end of
    an optimal path :math:`B_1 = -\frac1\lambda\partial C(A_1)` (``.transversality``).
Checked
    All of this, divided by L, for every A and every velocity of finite Lagrangian; the inequality also where the Lagrangian is
    infinite. In symbols: one neuron, and kernels that are invertible.
Proof idea
    A quadratic function and its dual.
Source
    leaky_resnets, Section 1.5; the transform is derived here.
"""
