"""Statements typeset from their code."""

import re

import numpy as np
import pytest

from verify import Claim, Domain, Q, Source, reals
from verify.checker.running import claims_in
from verify.networks import leaky_resnet
from verify.networks.combinations import compose
from verify.notation.formulas import unicode_formula
from verify.notation.mathml import mathml
from verify.report.typeset import NoFormula, typeset, typeset_claim
from verify.words import (
    block,
    concatenate,
    eq,
    ge,
    inner,
    inverse,
    le,
    least,
    maximum,
    norm2,
    pinv,
    rank,
    relu,
    schatten_power,
    sqrt,
    where,
)


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
    matrices: ["A B x = t Aᵀ y", "xᵀ x ≤ 1/2 ‖B‖⁴", "yᵀ A ≥ −(t − 1) (x + 1)"],
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


ARRAYS = {"A": np.ones((3, 2)), "B": np.ones((3, 2)), "x": np.ones(2), "y": np.ones(3), "t": 2.0}


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        # entry by entry, which a product of matrices is not
        (lambda A, B: eq(A * B, A.T @ B), "A ⊙ B = Aᵀ B"),
        (lambda A, B: eq((A > 0) * (A @ B.T @ B), B**2), "[A > 0] ⊙ (A Bᵀ B) = B^(⊙ 2)"),
        (lambda x, A, t: eq(t * x * x, A.T @ (x * x) - x * x), "(t x) ⊙ x = Aᵀ (x ⊙ x) − (x ⊙ x)"),
        (lambda A, x, y: eq(A * x, y[:, None] * A), "A diag(x) = diag(y) A"),
        (lambda A, x, y: eq(A / x, A / y[:, None]), "A diag(x)⁻¹ = diag(y)⁻¹ A"),
        (lambda A, x, y: eq(y[:, None] * x, A - x[None] * y[:, None]), "y xᵀ = A − y xᵀ"),
        # what is added to each entry, row or column
        (lambda A, x, y: eq(A.T @ A + 1, A - x + y[:, None]), "Aᵀ A + 1 1ᵀ = A − 1 xᵀ + y 1ᵀ"),
        # a row times a vector
        (lambda A, x, y: eq(y @ A @ x, t * (x @ x)), "yᵀ A x = t xᵀ x"),  # noqa: F821
        (lambda A, x, y: eq(x + y @ A, (y @ x) * y), "x + (yᵀ A)ᵀ = (yᵀ x) y"),
        # the truth of a comparison is a number
        (lambda x, y: le(x > 0, y == y), "[x > 0] ≤ [y = y]"),
        (lambda A, x: eq((A > 0).sum(), where(x > 0, x, -x)), "∑ [A > 0] = { x if x > 0 ; −x else"),
        # scripts
        (lambda W: le(norm2(W) ** Q(1, 3), norm2(relu(W[0]))), "(‖W‖²)^(1/3) ≤ ‖(W₁)₊‖²"),
        (lambda c2, W_new: eq(c2[-1], W_new[0]), "(c₂)_last = W_(new,1)"),
        (lambda A, k=2: eq(A[:, k], A[k:]), "A_(· 3) = A_(3:last)"),
        (lambda A, n, k: eq(A[-k % n], 0), "A_(((−k) mod n)+1) = 0"),
        (lambda f: eq(f.activation.negative, 0), "f_(activation,negative) = 0"),
        (lambda K_sigma, with_bias: eq(K_sigma, with_bias), "K_σ = with bias"),
        (lambda A, x: eq(A.shape[0] + len(A), A.shape[1] * len(x)), "rows(A) + rows(A) = columns(A) #(x)"),
        (lambda t, a, b: eq(t - 1 * (-a * b), -1 * a + b), "t − (−a b) = −a + b"),
        (lambda word: eq(word * value_of(word) * word, word), "word · value of(word) · word = word"),
        (lambda A, x: eq(concatenate([x, x]), concatenate([A, x[None]])), "(x, x) = [A; xᵀ]"),
        (lambda A, B: eq(concatenate([A, B], axis=1), sum(map(norm2, A))), "[A B] = ∑ᵢ ‖Aᵢ‖²"),
        (lambda A, t: eq(0 * A + t, t), "t = t"),
        (lambda t: eq(leaky_resnet.feature_matrix(t), t), "feature matrix(t) = t"),
        (lambda ridge, depth: le(ridge / depth, Q(2, 2) / 2), "λ/L ≤ 1/2"),
        (lambda L, depth, ridge, lam: le(L / ridge, depth * lam), "L/(ridge) ≤ depth λ"),
        (lambda f: eq(sum(norm2(W) for W in f.weights), 1), "∑_ℓ ‖W_ℓ‖² = 1"),
        (lambda n: eq(np.arange(n), np.arange(n, 0, -1)), "(0, …, n − 1) = (n, …, 1)"),
    ],
)
def test_a_formula_is_what_is_evaluated(statement, shown):
    found = unicode_formula(typeset(statement, ARRAYS).relations[0])
    assert found.replace("  ", " ") == shown


def value_of(t):
    """The value of a number: its square. More of it."""
    for _ in range(2):
        t = t * t
    return t


def test_two_networks_have_norms_and_weights_of_their_own():
    def statement(f, g):
        return le(f.parameter_norm_squared + norm2(f.weights[0]), g.weight_norm_squared + g.depth)

    assert unicode_formula(typeset(statement).relations[0]) == "‖θ(f)‖² + ‖W(f)₁‖² ≤ ∑_ℓ ‖W(g)_ℓ‖² + L(g)"
    assert unicode_formula(typeset(lambda f: le(f.parameter_norm_squared, f.depth)).relations[0]) == "‖θ‖² ≤ L"


def test_a_letter_of_a_network_that_is_something_else_is_named_after_the_network():
    def statement(f, x):
        W, L = f.weights[0], f.depth
        return le(norm2(W @ x), L * norm2(x))

    found = typeset(statement)
    assert [*map(unicode_formula, (*found.relations, *found.where))] == ["‖W x‖² ≤ L ‖x‖²", "W = W(f)₁"]


def scaled_gram(A, s, with_bias=True):
    shift = 1 if with_bias else 0
    return s * (A.T @ A + shift)


def power_of(A, p=2):
    return norm2(scaled_gram(A, 3, with_bias=False)) ** p


def test_functions_that_are_formulas_are_written_out_and_others_described():
    def statement(A, t):
        return le(power_of(A, 1) + norm2(scaled_gram(A, t)), value_of(t))

    found = typeset(statement, ARRAYS)
    assert [*map(unicode_formula, found.functions)] == [
        "power of(A, 1) = ‖scaled gram(A, 3; without bias)‖²",
        "scaled gram(A, s) = s (Aᵀ A + shift 1 1ᵀ) with shift = 1",
        "scaled gram(A, 3; without bias) = 3 (Aᵀ A + shift 1 1ᵀ) with shift = 0",
    ]
    assert [(unicode_formula(symbol), text) for symbol, text in found.descriptions] == [
        ("value of(t)", "The value of a number: its square")
    ]


def test_what_differs_in_a_switch_alone_is_not_the_same():
    def statement(A):
        return le(norm2(scaled_gram(A, 1)), norm2(scaled_gram(A, 1, with_bias=False)))

    shown = unicode_formula(typeset(statement, ARRAYS).relations[0])
    assert shown == "‖scaled gram(A, 1)‖² ≤ ‖scaled gram(A, 1; without bias)‖²"


def test_a_matrix_along_a_new_axis_and_a_letter_of_two_meanings_are_no_formulas():
    def renamed(A):
        P = A
        P = P + A  # the letter would be defined by itself
        return eq(P, A)

    with pytest.raises(NoFormula, match="new axis"):
        typeset(lambda A: eq(A[:, None] - A, 0), ARRAYS)
    with pytest.raises(NoFormula, match="changes its meaning"):
        typeset(renamed, ARRAYS)


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
            for one in (*found.relations, *found.where, *found.functions, *(symbol for symbol, _ in found.descriptions)):
                assert mathml(one, block=True).startswith("<math")
                assert slips_of(one) == [], claim.id
                assert "\\" not in unicode_formula(one), claim.id
