r"""Planar and completely positive domains.

Statement
    A domain is k-planar if its linear span has dimension k. It is completely positive if there is a linear map O on the span,
    with :math:`O^TO = I`, for which no entry of :math:`O\omega` is negative at any point: if the kernel
    :math:`(x, y) \mapsto x^Ty` is completely positive on it.
Correction
    The main text says "embedded isometrically"; the appendix asks for a linear isometry. Linear is needed (``printed``).
Checked
    ``embedding``: any factorisation of the kernel into vectors without negative entries is such a map. ``plane``: in two
    dimensions it is enough that no two points have a negative inner product. ``cycle``: for five points it is not.
Source
    bottleneck_structure, Section 2, Theorem 3 (3) and Proposition 5, and the proof of Theorem 11 (3).
"""
