r"""Theorem 3: the first correction :math:`R^{(1)}` measures regularity.

Statement
    Where :math:`\mathrm{rank}\, Jf(x) = R^{(0)}(f; \Omega)`, :math:`R^{(1)}(f) \ge 2\log|Jf(x)|_+`. Moreover

    1. :math:`R^{(1)}(f \circ g) \le R^{(1)}(f) + R^{(1)}(g)` if all three have the same :math:`R^{(0)}`;
    2. :math:`R^{(1)}(f + g) \le R^{(1)}(f) + R^{(1)}(g)` if their :math:`R^{(0)}` add up;
    3. :math:`R^{(1)}(x \mapsto Ax; \Omega) = 2\log|A|_+` if the projection of :math:`\Omega` to :math:`(\ker A)^\perp` and
       :math:`A\Omega` are k = rank A dimensional and completely positive.
Correction
    The contributions list the first bound for all x: false where the rank is smaller. The printed step of the proof of 1,
    :math:`R(f \circ g; L_1 + L_2) \le R(f; L_1) + R(g; L_2)`, is false; that of 2 is false, and so is 2 itself, when the output
    biases of f and g add up. In 3, "k dimensional" cannot mean that the span has k dimensions, and the printed matrices
    interpolate from A to the identity, in the wrong order.
Checked
    ``lower_bound``, ``composition`` and ``addition``, each with its printed form; ``linear_maps``; ``domains``, the domain of f
    in the proof of 1.
Source
    bottleneck_structure, Theorem 3 (Theorem 11 of the appendix).
"""
