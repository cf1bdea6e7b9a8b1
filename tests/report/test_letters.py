"""Letters in prose."""

import pytest

from verify.claims.catalogue import claim_of
from verify.report.letters import lettered, letters_in, letters_of

KNOWN = frozenset({"A", "W"})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("with b the last column of W,", "with :math:`b` the last column of :math:`W`,"),
        ("for L >= 2 and k + 1 < d.", r"for :math:`L \ge 2` and :math:`k + 1 < d`."),
        (
            "the activations are -A; f's rank, n-dimensional",
            "the activations are :math:`-A`; :math:`f`'s rank, :math:`n`-dimensional",
        ),
        ("A network has a rank. A map: A sum", "A network has a rank. A map: A sum"),
        ("the A of a network, the I of it", "the :math:`A` of a network, the I of it"),
        ("the slope sigma is not lambda", r"the slope :math:`\sigma` is not :math:`\lambda`"),
        ("Appendix B, case C, e.g. (i) f(x), L2, x.y, the paper's", "Appendix B, case C, e.g. (i) f(x), L2, x.y, the paper's"),
        ("``b`` and :math:`b` and `b`", "``b`` and :math:`b` and `b`"),
        ("If\n\n.. math:: a = b\n   + c\n\nthen x", "If\n\n.. math:: a = b\n   + c\n\nthen :math:`x`"),
        ("x\n\n==  ==\nb   W\n==  ==\n\ny", ":math:`x`\n\n==  ==\nb   W\n==  ==\n\n:math:`y`"),
    ],
)
def test_letters_are_formulas(text, shown):
    assert lettered(text, KNOWN) == shown


def test_the_letters_of_a_docstring_are_those_of_its_formulas():
    text = r"With :math:`\sigma(W x)` and words" + "\n\n    .. math:: \\mathrm{Rank} A \\le k\n        + n\n\n    z"
    assert letters_in([text]) == {"W", "x", "A", "k", "n"}


def test_the_letters_of_a_claim_are_those_of_its_variables_too():
    assert {"f", "x", "J"} <= letters_of(claim_of("notion_of_rank.prop_3"))
