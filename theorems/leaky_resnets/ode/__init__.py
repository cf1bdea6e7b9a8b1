r"""A leaky ResNet discretises a differential equation.

Statement
    :math:`\partial_p\alpha_p(x) = -L\alpha_p(x) + W_p\sigma(\alpha_p(x))`, :math:`\alpha_0(x) = x`, on [0, 1], where
    :math:`\sigma` appends an entry 1 to the ReLU, so that the last column of W is a bias. L = 0 is the NeuralODE. Steps of
    length :math:`\rho` give :math:`\alpha_\ell = (1 - \rho L)\alpha_{\ell-1} + \rho W\sigma(\alpha_{\ell-1})`; at
    :math:`\rho L = 1` this is a fully connected network (``.fully_connected``). One neuron with constant weights (v, b) has
    the solution (``.one_neuron``)

    .. math:: \alpha_p = \Bigl(x + \frac br\Bigr)e^{rp} - \frac br ,
              \quad r = v - L \text{ if } x > 0, \quad r = -L \text{ if } x < 0 ,

    as long as its sign does not change.
Checked
    That a layer is such a step, and that points do not see each other, whatever their order; that networks with
    :math:`\rho L = 1` are fully connected networks of the rectified inputs, with weights divided by L; the solution; and that
    equidistant steps approach it at the rate 1/M.
Source
    leaky_resnets, Section 1.1.
"""
