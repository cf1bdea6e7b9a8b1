r"""Kernel methods pay for the dimension: :math:`N^{-\alpha/d}`.

Statement
    The number of monomials of degree m in d variables is :math:`m^d`. With :math:`|\beta_m|^2 \sim \|m\|_1^{-\alpha-d}` the
    k-th largest coefficient is :math:`\sim k^{-(\alpha+d)/d}`, and the error :math:`\sum_{k>N}\beta_k^2 \approx N^{-\alpha/d}`.
Correction
    There are :math:`\binom{m+d-1}{d-1}` monomials of degree m: their order is :math:`m^{d-1}`. The order :math:`m^d` is that of
    the monomials of degree at most m. The rates are right; the constants are added.
Checked
    ``monomials``: the number of monomials. ``rate``: the coefficients and the tail, with constants that are tight.
Not checked
    That a kernel method with N samples finds the N largest coefficients: the talk gives it as an approximation.
Source
    symmetry_learning, Linear models / kernel methods.
"""
