r"""Frank-Wolfe on the cone of covariances.

Statement
    The paper suggests Frank-Wolfe for the second reformulation, and prints no formula. Here it is for shallow networks with
    the data X, amount of bias b, and the loss :math:`\rho\|Z - Y\|^2 + \lambda\|W\|^2`, where :math:`\mu = \lambda/\rho`.
Checked
    In `eliminated`, the loss without the outputs; in `linear_minimisation`, the step of the method; in `certificate`, when to
    stop; in `solver`, that the method finds the optimum. All of it is derived here.
Source
    feature_learning, Section 3.3; the formulas are derived here.
"""
