r"""The adjoints :math:`B_p = -\frac1\lambda\partial_{A_p}C(A_1)` solve a backward equation.

Statement
    From :math:`B_1 = \frac2{\lambda N}(F - A_1)`

    .. math:: -\partial_pB_p = \dot\sigma(A_p)\odot[V_p^TB_p] - LB_p , \qquad
              B_{\ell-1} = (1 - \rho_\ell L)B_\ell + \rho_\ell\dot\sigma(A_{\ell-1})\odot[V_\ell^TB_\ell]

    for the differential equation and for a discrete network, with V the weights without their last column.
Correction
    The print has :math:`W_p^TB_p`, which has w + 1 rows beside the w rows of B: the row of the bias has to be dropped.
Checked
    Discrete networks: the recursion against central differences of the cost C by the activations of every layer, and the
    engine's adjoints. As long as no activation changes its sign, C is a quadratic function of them, so that a difference with a
    short step is the derivative, without error. The differential equation (``.continuous``): :math:`\mathrm{Tr}[B^T\delta A]`
    does not change along it and along the linearised forward equation, which makes B the derivative of whatever it is at p = 1;
    and the adjoints of discrete networks approach the integrated ones at the rate 1/M.
Source
    leaky_resnets, Section 1.5.
"""
