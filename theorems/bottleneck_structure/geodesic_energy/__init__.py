r"""The energy of a path of kernels is the cost at the order 1/L.

Statement
    Let K be a smooth path of kernels from the projection P to the image of :math:`A^T` to :math:`A^TA`, invertible on the
    image. The layers :math:`W_\ell = B_\ell B_{\ell-1}^+` with :math:`B_\ell^TB_\ell = K(\ell/L)` have the product A on it, and

    .. math:: \sum_\ell\|W_\ell\|_F^2 = \sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^+]
              = Lk + 2\log|A|_+ + \frac1{2L}\int_0^1\|K^{-1/2}K'K^{-1/2}\|_F^2\,dt + O(L^{-2}) .

    The least energy is :math:`\|\log_+ A^TA\|_F^2`, that of the affine-invariant geodesic. The straight line has the energy
    :math:`\sum_i(s_i - 1/s_i)^2`.
Checked
    ``layers``: the first equality, for kernels of any rank. ``expansion``: the second, with its rest, on the image.
    ``least``: the geodesic has the least energy, and the least cost at every depth.
Source
    derived here, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""
