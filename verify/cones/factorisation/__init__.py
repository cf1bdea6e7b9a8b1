r"""How a matrix is written as a sum of terms :math:`w\,xx^T` with :math:`x \ge 0`, or separated from these sums, exactly.

`closed_forms` has what a formula decides. Otherwise `search` goes on until one is found: terms rounded (`rounding`) and solved
for in rationals (`target`) from factors in floats (`float_factor`), or a copositive matrix from cutting planes
(`cutting_planes`).
"""
