"""Formulas of docstrings as MathML."""

import inspect
import random
import re
import sys

import pytest

from verify import catalogue
from verify.notation.formulas import unicode_formula
from verify.notation.mathml import UnreadableFormula, formula_or_text, mathml
from verify.report.fragments import prose

BLOCK = re.compile(r"^( *)\.\. math::([^\n]*(?:\n(?:\n|\1 +[^\n]*))*)", re.MULTILINE)


def test_a_formula():
    assert mathml("x^2") == "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
    assert mathml("x", block=True) == '<math display="block"><mi>x</mi></math>'


def test_what_is_set_apart_in_a_line_is_formulas_of_its_own():
    assert mathml(r"x, \qquad y", block=True) == mathml("x,", block=True) + mathml("y", block=True)
    for whole in (r"\left( x \qquad y \right)", r"x & y \qquad \\ z & z", r"\frac{x \qquad y}{2}"):
        assert mathml(whole, block=True).count("<math") == 1
    assert mathml(r"x \qquad y").count("<math") == 1


def test_bars_and_strokes_take_no_room():
    assert mathml("|x|/2").count('lspace="0" rspace="0"') == 3
    assert mathml(r"\|x\|^2").count('lspace="0" rspace="0"') == 2


def test_words_in_scripts_stand_upright():
    assert "<mtext>op</mtext>" in mathml(r"\|A\|_{op}")


def test_names_are_words_and_stand_apart_from_what_follows():
    assert "<mtext>critical ridge</mtext><mo" in mathml(r"\mathrm{critical ridge}(v)")
    assert re.search(r"<mtext>rank</mtext><mspace[^>]*></mspace><mi>A</mi>", mathml(r"\mathrm{rank} A"))
    assert "mspace" not in mathml(r"\mathrm{rank}\left(A\right) + x_{\mathrm{op}}")
    assert "<mtext>" not in mathml(r"\mathrm{d}x")
    assert mathml("K_{ij}").count("<mi>") == 3


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (r"a \dots b", r"a \ldots b"),
        (r"\frac14", r"\frac{1}{4}"),
        (r"\tfrac1L", r"\tfrac{1}{L}"),
        (r"\Big|", r"\Bigl|"),
        (r"a \iff b", r"a \;\Leftrightarrow\; b"),
    ],
)
def test_other_spellings_are_the_same_formula(short, long):
    assert mathml(short) == mathml(long)


@pytest.mark.parametrize("formula", [r"\nosuchcommand x", r"\frac{1}", "x^"])
def test_a_formula_that_cannot_be_shown_is_an_error_with_the_formula(formula):
    with pytest.raises(UnreadableFormula, match=re.escape(repr(formula))):
        mathml(formula)


PIECES = [
    r"\left",
    r"\frac",
    r"\begin{pmatrix}",
    r"\end{pmatrix}",
    r"\foo",
    r"\mathcal",
    r"\text{",
    r"\sqrt",
    r"\\",
    *"{}()^_&$%\\[]",
]


def test_whatever_stands_in_a_docstring_is_a_formula_or_a_text():
    rng = random.Random(0)
    whole = r"\sum_i s_i(Jf(x))^{2/L} \le \frac{1}{L} R(f; \Omega, \sigma, L)"
    formulas = ["{" * 5000, r"\frac" * 3000, "x^{" * 3000 + "}" * 3000]
    for _ in range(300):
        formula = whole
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(formula) + 1)
            formula = formula[:place] + rng.choice(PIECES) + formula[place + rng.choice((0, 1, 8)) :]
        formulas.append(formula)
    shown = [formula_or_text(formula, block=block) for formula in formulas for block in (True, False)]
    texts = sum(one.startswith("<code>") for one in shown)
    assert 100 < texts < len(shown) - 20
    assert all(unicode_formula(formula) for formula in formulas)
    assert prose(r":math:`\foo`") == r"<p><code>\foo</code></p>"


def test_every_formula_of_the_theorems_can_be_shown():
    catalogue()
    seen = 0
    for name, module in list(sys.modules.items()):
        if not name.startswith("theorems"):
            continue
        functions = [one for one in vars(module).values() if inspect.isfunction(one) and one.__module__ == name]
        for one in (module, *functions):
            text = inspect.getdoc(one) or ""
            formulas = [(found, False) for found in re.findall(r":math:`([^`]*)`", text)]
            formulas += [(found[2], True) for found in BLOCK.finditer(text)]
            for formula, block in formulas:
                shown = mathml(formula, block=block)
                assert not re.search(r"(?:<mi>[A-Za-z]</mi>){4,}", shown), f"{name}: words in {formula!r} are shown as letters"
                seen += 1
    assert seen > 1000


def test_prose_has_paragraphs_formulas_code_and_rubrics():
    text = "A :math:`x < 1`.\n\n.. math:: y\n          z\n\nStatement\n    Of ``b < c``."
    assert prose(text) == (
        f"<p>A {mathml('x < 1')}.</p>"
        f'<div class="formula">{mathml("y z", block=True)}</div>'
        "<h4>Statement</h4><p>Of <code>b &lt; c</code>.</p>"
    )


def test_tables_in_prose_stay_tables():
    assert prose("== ===\na  b<c\n== ===") == "<pre>== ===\na  b&lt;c\n== ===</pre>"
