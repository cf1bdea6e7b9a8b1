"""A theorem as data: what is said, where, on which instances, where it is sharp, and which statements beside it are false."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from verify.domain import Domain, Sizes
from verify.relation import Relation
from verify.representation import card, said_by

if TYPE_CHECKING:
    from verify.rate import Rate

DOCUMENTS: Mapping[str, str] = {
    "feature_learning": "Feature Learning in L2-regularized DNNs: Attraction/Repulsion and Sparsity (2022)",
    "notion_of_rank": "Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions (2023)",
    "bottleneck_structure": "Bottleneck Structure in Learned Features: Low-Dimension vs Regularity Tradeoff (2023)",
    "leaky_resnets": "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets (2024)",
    "symmetry_learning": "Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (2023)",
}
"""The documents whose statements `theorems` checks, by the folder that holds them; other packages have others."""

Statement: TypeAlias = Callable[..., Relation]
"""Takes the variables of a domain by name, batched or single, in either arithmetic."""


@dataclass(frozen=True)
class Source:
    """Where a statement stands: a document and the label in it; the label ``"ours"`` for what no document states."""

    document: str
    label: str


@dataclass(frozen=True)
class Stated:
    """The document states it, and it is expected to hold."""

    name = "stated"


@dataclass(frozen=True)
class Ours:
    """No document states it (a step of a proof, a correction, a stronger fact); it is expected to hold."""

    name = "ours"


@dataclass(frozen=True)
class Conjectured:
    """Nobody has proved it; it is expected to survive the search, which is no proof: it is "unrefuted" then, never "holds"."""

    name = "conjectured"


@dataclass(frozen=True)
class FalseAsPrinted:
    """The document states it and it is false: it must be refuted, and the claim `corrected_by` states what is true."""

    corrected_by: str
    name = "false_as_printed"


Status: TypeAlias = Stated | Ours | Conjectured | FalseAsPrinted


@dataclass(frozen=True)
class Tight:
    """Instances at which a bound is attained, or nearly so.

    Attributes
    ----------
    instance
        Gives the variables of the domain, single or as a batch, floats or rationals.
    relative_slack
        How far from equality they may be: 0 where the bound is attained, else the best that is known.
    why
        The reason, where `relative_slack` is not 0.
    of
        Names of the comparisons that the instance makes sharp; if none is given, it is judged for each.
    """

    instance: Callable[[], Mapping[str, Any]]
    relative_slack: float = 0.0
    why: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim:
    """One statement, declared once; the tests, the reports, the pages and the baseline all read this value.

    Attributes
    ----------
    id
        ``document.label`` or ``document.label.part``; never changed once published.
    title
        A few words.
    source, status
        Where it stands, and whether it is expected to hold.
    statement
        Gives the relation that must hold on every instance of `domain`.
    domain
        The hypotheses by name, and how instances are drawn.
    tight
        Named instances at which the relation is attained.
    false_neighbours
        Named statements beside this one that are false: the same domain and the same search must refute each of them.
    needs
        Names of the hypotheses without which the statement is false, as the search must show.
    exact
        Named relations on rationals or symbols that must hold: what is decided without a sample.
    proof, argument
        Name of an entry of `exact` from which the whole statement follows, and the argument why it does, in a sentence.
    rate
        The exponent with which a quantity is stated to grow or decay.
    loose
        Names of comparisons (and of constant parameters) that nobody claims to be sharp, each with the reason in a sentence.
    cost
        Price of one evaluation in units of the search budget: 1 for a batched formula, more where each instance is solved;
        a function of the sizes where some are much dearer than others.
    """

    id: str
    title: str
    source: Source
    statement: Statement
    domain: Domain
    false_neighbours: Mapping[str, Statement]
    status: Status = Stated()
    tight: Mapping[str, Tight] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    exact: Mapping[str, Callable[[], Relation]] = field(default_factory=dict)
    proof: str | None = None
    argument: str = ""
    rate: Rate | None = None
    loose: Mapping[str, str] = field(default_factory=dict)
    cost: int | Callable[[Sizes], int] = 1

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]*(\.[a-z0-9_]+)+", self.id):
            raise ValueError(f"id must look like document.label, in lower case, got {self.id!r}")
        if not self.source.document or not self.source.label:
            raise ValueError(f"{self.id}: source must name a document and a label, got {self.source}")
        unknown = set(self.needs) - set(self.domain.hypotheses)
        if unknown:
            raise ValueError(f"{self.id}: needs names hypotheses that the domain does not have: {', '.join(sorted(unknown))}")
        if not isinstance(self.status, FalseAsPrinted) and not self.false_neighbours and not self.needs:
            raise ValueError(f"{self.id}: a false neighbour, or a needed hypothesis, must show that the check can fail")
        if self.proof is not None and self.proof not in self.exact:
            raise ValueError(f"{self.id}: proof must name an entry of exact, got {self.proof!r}")
        if self.least_cost < 1:
            raise ValueError(f"{self.id}: cost must be at least 1, got {self.least_cost}")

    def __repr__(self) -> str:
        return f"<Claim {self.id}: {self.title} ({self.source.document}, {self.source.label}; {self.status.name})>"

    def _repr_html_(self) -> str:
        function = self.statement
        while isinstance(function, functools.partial):
            function = function.func
        sizes = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in self.domain.sizes.items())
        rows = {
            "id": self.id,
            "source": f"{self.source.document}, {self.source.label}",
            "status": self.status.name.replace("_", " "),
            "sizes": sizes or None,
            "hypotheses": "; ".join(self.domain.hypotheses) or None,
            "sharp instances": "; ".join(self.tight) or None,
            "false neighbours": "; ".join(self.false_neighbours) or None,
        }
        return card(self.title, rows, said_by(inspect.unwrap(function).__module__))

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def least_cost(self) -> int:
        """The cost at the cheapest sizes."""
        return min(map(self.cost, self.domain.all_sizes())) if callable(self.cost) else self.cost

    def price(self, sizes: Sizes) -> int:
        """The cost at these sizes, relative to the cheapest."""
        return self.cost(sizes) // self.least_cost if callable(self.cost) else 1

    @property
    def expected(self) -> str:
        """The outcome a check is expected to have: ``"holds"``, or ``"refuted"`` for what is false as printed, or
        ``"unrefuted"`` for a conjecture.
        """
        if isinstance(self.status, Conjectured):
            return "unrefuted"
        return "refuted" if isinstance(self.status, FalseAsPrinted) else "holds"

    @property
    def document(self) -> str:
        """Folder of `theorems` in which the claim lives: the first part of its id."""
        return self.id.split(".")[0]
