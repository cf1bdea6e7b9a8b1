r"""Proposition 1, proof: features are no larger than activations.

Statement
    :math:`\|\sigma(A)\|_F \le \|A\|_F` for the activations A of N points.
Correction
    :math:`\sigma` appends a one for each point, so that :math:`\|\sigma(A)\|_F^2 = \|\bar\sigma(A)\|_F^2 + N`, with the ReLU
    :math:`\bar\sigma`: the norm may be larger (``.printed``), and the bar is missing. The proposition itself is on the cost
    without bias.
Checked
    As printed. The step with the ReLU is in the chain of ``statement``.
Source
    leaky_resnets, proof of Proposition 1.
"""

from theorems.leaky_resnets.constructions.representations import sigma
from verify import Claim, Domain, FalseAsPrinted, Source, reals
from verify.words import le, norm2


def features_are_no_larger(A):
    return le(norm2(sigma(A)), norm2(A))


PRINTED = Claim(
    id="leaky_resnets.prop_1.features.printed",
    title="The features with the ones are no larger than the activations",
    source=Source("leaky_resnets", "Proposition 1, proof"),
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_1.chain"),
    statement=features_are_no_larger,
    domain=Domain({"A": reals("neurons", "points")}, {"neurons": (1, 2), "points": (1, 2)}),
)
