"""Statements typeset from their code."""

import re

import numpy as np
import pytest

from verify import Claim, Domain, Q, Source, reals
from verify.checker.running import claims_in
from verify.networks.combinations import compose
from verify.notation.formulas import unicode_formula
from verify.notation.mathml import mathml
from verify.report.typeset import NoFormula, typeset, typeset_claim
from verify.words import block, eq, ge, inner, inverse, le, least, maximum, norm2, pinv, rank, relu, schatten_power, sqrt, where


def matrices(A, B, x, y, t, p=2):
    return eq(A @ B @ x, t * (A.T @ y)) & le(x @ x, Q(1, p) * norm2(B) ** 2) & ge(y @ A, -(t - 1) * (x + 1))


def columns(A):
    a, r = A[:, 0], relu(A)[:, 0]
    return ge(norm2(a), norm2(r) + least(a) ** 2)


def layers(f, x):
    L = f.depth
    return le(schatten_power(f.jacobian(x), Q(2, 3)), f.weight_norm_squared / L + sum(norm2(W) for W in f.weights[:-1]))


def blocks(A, eps):
    wide = block([[A, eps * A[:, :1]], [0, 1]])
    return eq(inverse(wide) @ wide + pinv(A[1:, -1:]), sum(eps**k for k in range(1, 4)) * where(eps > 0, wide, 0))


def other_values(A, slope=3, bias=False):
    return columns_of(A, slope, bias=bias)


def columns_of(A, s, bias=True):
    return le(maximum(s, 1) * sqrt(norm2(A)), A.sum() if bias else inner(A, A))


def numbered(A, t):
    n0, n1 = (norm2(A + k * t) for k in range(2))
    return eq(n0, n1)


def along(A, x):
    total, _ = A.sum(axis=0), x
    y, _ = called(A, x, A)
    return (
        eq(total * y, A.prod(1))
        & le(x.max(0), A.T.mean(axis=-1).sum() - 0)
        & eq((A != 1).any(), (A[0] == x).all())
        & ge((A > 0).any(1), A.max(axis=0))
    )


def Y_4():
    return np.eye(4)


def called(A, x, f):
    return eq(Y_4() @ x, f.costs(A, x)) & ge(f.activation(x), 0)


CASES = {
    along: [
        "total y = ∏ᵢ A_(· i)",
        "max x ≤ ∑ (meanᵢ (Aᵀ)_(· i))",
        "[A ≠ 1] = [A₁ = x]",
        "total = ∑ᵢ A_(i ·)",
        "y from called(A, x, A)",
        "∃ᵢ (A > 0)_(· i) ≥ maxᵢ A_(i ·)",
    ],
    called: ["Y₄ x = costs(f, A, x)", "σ(x) ≥ 0"],
    matrices: ["A B x = t Aᵀ y", "xᵀ x ≤ 1/2 ‖B‖⁴", "yᵀ A ≥ (−(t − 1)) (x + 1)"],
    columns: ["‖a‖² ≥ ‖r‖² + (min a)²", "a = A_(· 1)", "r = (A₊)_(· 1)"],
    blocks: ["wide⁻¹ wide + A_(2:last,last)⁺", "∑ₖ₌₁³", "wide = [A ε A_(· 1); 0 1]"],
    other_values: ["max(3, 1) √(‖A‖²) ≤ ⟨ A, A ⟩"],
    numbered: ["n₀ = n₁", "n₀ = ‖A + 0 t‖²", "n₁ = ‖A + t‖²"],
}
INSTANCE = {"A": np.eye(3), "B": np.eye(3), "x": np.ones(3), "y": np.ones(3), "t": 2.0, "eps": 1.0}


@pytest.mark.parametrize("statement", CASES, ids=lambda one: one.__name__)
def test_a_statement_is_a_formula(statement):
    found = typeset(statement, INSTANCE)
    shown = "\n".join(unicode_formula(one) for one in (*found.relations, *found.where))
    for line in CASES[statement]:
        assert line in shown
    for one in (*found.relations, *found.where):
        assert mathml(one, block=True).startswith("<math")


def test_a_network_is_a_formula():
    found = typeset(layers)
    assert unicode_formula(found.relations[0]) == "∑ᵢ sᵢ(Jf(x))^(2/3) ≤ (∑_ℓ ‖W_ℓ‖²)/L + ∑_(W ∈ W_(1:last−1)) ‖W‖²"
    # the depth is the letter itself
    assert found.where == ()


def looped(A):
    for _ in range(2):
        A = A @ A
    return eq(A, A)


def written(A):
    A = A.copy()
    A[0] = 1
    return eq(A, A)


def branched(A):
    return eq(A, 1 if A.sum() > 0 else 0)


def no_relation(A):
    return A > 0


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (looped, "no formula"),
        (written, "writes into an array"),
        (branched, "branch"),
        (no_relation, "no comparison"),
        (min, "Python"),
    ],
)
def test_what_is_no_formula_says_why(statement, why):
    with pytest.raises(NoFormula, match=why):
        typeset(statement)


def test_a_claim_tells_vectors_from_matrices():
    domain = Domain({"A": reals("m", "n"), "y": reals("m")}, {"m": (1, 2), "n": (1, 3)})
    claim = Claim(
        "a.b", "t", Source("a", "b"), lambda A, y: eq(y @ A, A.T @ y), domain, false_variants={"2": lambda y: eq(y, 2 * y)}
    )
    assert typeset_claim(claim).relations == (r"y^T A = A^T y",)


def slips_of(formula):
    """Words that are shown as products of letters, or as scripts within a word, in a browser or in a terminal."""
    return [
        *re.findall(r"\\(?:mathrm|text)\{[^{}]*[_^][^{}]*\}", formula),
        *re.findall(r"(?:<mi>[A-Za-z]</mi>){4,}", mathml(formula)),
        *re.findall(r"[A-Za-z]{2,}[ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ]+[A-Za-z]\w*", unicode_formula(formula)),
    ]


def test_words_that_are_no_products_of_letters_are_found():
    assert slips_of(r"K_{\mathrm{sigma_new}}") == [r"\mathrm{sigma_new}", "sigmaₙew"]
    assert len(slips_of("b with the last column of W")) == 1
    assert slips_of(r"K_{\mathrm{sigma new}} = APv \quad\text{with the last column } b") == []


def test_an_index_of_several_words_is_one_index():
    def statement(K_of_both, K1_of_one):
        return le(K_of_both, K1_of_one)

    assert typeset(statement).relations == (r"K_{\mathrm{of both}} \le K_{\mathrm{1,of one}}",)


def test_a_factor_beside_an_operator_is_not_its_argument():
    assert typeset(lambda A, L: le(rank(A) * L, L * rank(A))).relations == (
        r"\left(\mathrm{rank} A\right) L \le L \mathrm{rank} A",
    )


def test_widths_count_from_the_inputs():
    assert typeset(lambda f, k: le(f.widths[0] + f.widths[k], f.widths[-1] + f.widths[-2])).relations == (
        r"n_{0}(f) + n_{k}(f) \le n_{L}(f) + n_{L-1}(f)",
    )
    with pytest.raises(NoFormula, match="several widths"):
        typeset(lambda f: le(f.widths[1:], 0))


def test_a_composition_and_a_coefficient_of_the_cost_have_the_letters_of_the_papers():
    def statement(g, h, x):
        return le(compose(h, g, merge=True).jacobian(x), R2(g))  # noqa: F821

    assert typeset(statement).relations == (r"J\left(h \circ g\right)(x) \le R^{(2)}(g)",)


def test_fractions_of_constants_are_reduced():
    def statement(A, p=2):
        return le(schatten_power(A, Q(p, 4)), A ** Q(p, 2))

    assert typeset(statement).relations == (r"\sum_i s_i(A)^{\frac{1}{2}} \le A",)


def test_every_formula_of_the_catalogue_can_be_shown():
    for claim in claims_in("theorems").values():
        for statement in (claim.statement, *claim.false_variants.values()):
            try:
                found = typeset_claim(claim, statement)
            except NoFormula:
                continue
            for one in (*found.relations, *found.where):
                assert mathml(one, block=True).startswith("<math")
                assert slips_of(one) == [], claim.id
                assert "\\" not in unicode_formula(one), claim.id
