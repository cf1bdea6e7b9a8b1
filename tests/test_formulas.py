"""Formulas of docstrings as Unicode."""

import inspect
import re

import pytest

import theorems
from verify.claims.catalogue import _modules
from verify.notation.formulas import readable, unicode_formula


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"\sum_i s_i(Jf(x))^{2/L} \le \frac1L \sum_\ell \|W_\ell\|_F^2", "∑ᵢ sᵢ(Jf(x))^(2/L) ≤ 1/L ∑_ℓ ‖W_ℓ‖_F²"),
        (r"\tfrac1{2L}\|\partial_pA\|_K^2 - \tfrac L2\|A\|_K^2", "1/(2L) ‖∂ₚA‖_K² − L/2 ‖A‖_K²"),
        (r"\frac{a+b}{c} x", "(a+b)/c x"),
        (r"x\frac12", "x 1/2"),
        (r"2\sqrt{xy} + \sqrt2 + \sqrt[3]{x}", "2√(xy) + √2 + ³√x"),
        (r"\tilde W_\ell Z_{\ell-1}^\sigma = 0", "W̃_ℓ Z_(ℓ−1)^σ = 0"),
        (r"e^{-Lp} + x^{n+1} + A^T + M_{ij}", "e⁻ᴸᵖ + xⁿ⁺¹ + Aᵀ + Mᵢⱼ"),
        (r"\begin{pmatrix}\alpha_1 & \alpha_2 \\ 0 & 1\end{pmatrix}", "[α₁ α₂; 0 1]"),
        (r"\Bigl(\log\det A\Bigr)^2, \qquad \mathrm{diam}\, B", "(log det A)²,   diam B"),
        (r"x \in \mathbb R^n, \mathcal H, \binom n2", "x ∈ ℝⁿ, ℋ, C(n, 2)"),
        (r"f: \Omega \to \{0, 1\}", "f: Ω → {0, 1}"),
        (r"a \unknown b", r"a \unknown b"),
        ("", ""),
        (r"\frac", "()/()"),
    ],
)
def test_a_formula_is_a_line(formula, shown):
    assert unicode_formula(formula) == shown


def test_a_docstring_keeps_its_paragraphs():
    text = "Statement\n    For all :math:`x \\ge 0`,\n\n    .. math:: x^2\n              \\le y .\n\nChecked\n    All."
    assert readable(text) == "Statement\n    For all x ≥ 0,\n\n        x²\n        ≤ y .\n\nChecked\n    All."


def test_all_of_the_catalogue_is_read():
    for module in _modules(theorems, []):
        shown = readable(inspect.cleandoc(module.__doc__ or ""))
        left = re.findall(r"\\[a-zA-Z]+|:math:|\.\. math::", shown)
        # a script within a word
        left += re.findall(r"[A-Za-z]{2,}[ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ]+[a-z]{2,}", shown)
        assert left == [], module.__name__
