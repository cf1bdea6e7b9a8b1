"""A theorem as data: what is said, where, on which instances, where it is sharp, and which statements beside it are false."""

from __future__ import annotations

import functools
import inspect
import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from verify.arithmetic import is_number, rationals
from verify.domain import Domain
from verify.relation import Relation
from verify.representation import card, said_by
from verify.variables import Sizes

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
    partly
        Whether some entries of a comparison over several are enough, for bounds that cannot be attained at all of them at once.
    """

    instance: Callable[[], Mapping[str, Any]]
    relative_slack: float = 0.0
    why: str = ""
    of: tuple[str, ...] = ()
    partly: bool = False

    def __post_init__(self) -> None:
        if not callable(self.instance):
            raise TypeError(
                f"instance must be a function that returns the variables, got {reprlib.repr(self.instance)}: "
                "write Tight(lambda: {'x': [3, 4]})"
            )
        if isinstance(self.of, str):
            raise TypeError(f"of must be a tuple of names, got a text: write of=({self.of!r},)")
        if not 0 <= self.relative_slack < 1 or (self.relative_slack and not self.why.strip()):
            raise ValueError(
                f"relative_slack must be at least 0 and below 1, got {self.relative_slack!r}; where it is not 0, why= must say "
                "why the bound is not attained"
            )

    def variables(self) -> dict[str, Any]:
        """What the instance gives, made anew: lists and numbers as arrays, of rationals unless there is a float in them.

        Raises
        ------
        TypeError
            It gives no variables by name.
        """
        found = self.instance()
        if not isinstance(found, Mapping):
            raise TypeError(
                f"a tight example must return its variables by name, such as {{'x': [3, 4]}}, got {reprlib.repr(found)}"
            )
        return {name: given(value) for name, value in found.items()}


def _tight(value: Any) -> Any:
    """An instance at which the bound is attained, given as it is or by a function without parameters."""
    if isinstance(value, Mapping):
        return Tight(functools.partial(dict, value))
    return Tight(value) if callable(value) else value


def _variant(statement: Statement, name: str, changed: Statement | Mapping[str, Any]) -> Statement:
    """A false statement: a function, or the statement with other constants."""
    if not isinstance(changed, Mapping):
        return changed
    constants = {
        one.name: one.default for one in inspect.signature(statement).parameters.values() if one.default is not one.empty
    }
    if not changed or not set(changed) <= set(constants):
        raise ValueError(
            f"false_variants[{name!r}] must change constants of the statement, which are its parameters with a default "
            f"({', '.join(constants) or 'it has none'}), got {', '.join(changed) or 'nothing'}"
        )
    same = [one for one, value in changed.items() if value == constants[one] and type(value) is type(constants[one])]
    if same:
        raise ValueError(
            f"false_variants[{name!r}] must differ from the statement, and {same[0]} is {constants[same[0]]!r} in both"
        )
    return functools.partial(statement, **changed)


def given(value: Any) -> Any:
    """A variable that is given by hand: numbers and nested lists as arrays, of rationals unless there is a float in them."""
    if not isinstance(value, list | tuple | int | float | Fraction | str):
        return value
    # a tuple of arrays is a variable of its own, such as the weights of several layers
    if isinstance(value, list | tuple) and any(isinstance(entry, np.ndarray) for entry in value):
        return value
    nested = np.asarray(value, dtype=object)
    if not all(is_number(entry) or isinstance(entry, str) for entry in nested.flat):
        return value  # such as several networks
    if any(isinstance(entry, float) for entry in nested.flat):
        return np.asarray(value, dtype=np.float64)
    return rationals(value if isinstance(value, list | tuple) else [value]) if nested.ndim else rationals([value])[0]


@dataclass(frozen=True)
class Follows:
    """Another statement from which this one follows, at an instance that is built from its own.

    Attributes
    ----------
    claim
        The other claim.
    instance
        Gives the coordinates of the other claim's domain by name, from those of this one; if there is none, they are the
        coordinates of the same names.
    sizes
        Gives the sizes of the other claim from those of this one; if there is none, they are those of the same names.
    """

    claim: Claim
    instance: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    sizes: Callable[[Sizes], Sizes] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.claim, Claim):
            raise TypeError(f"claim must be a Claim, got {reprlib.repr(self.claim)}: write Follows(CLAIM)")
        for name, what in (("instance", "coordinates"), ("sizes", "sizes")):
            function = getattr(self, name)
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function of the {what}, got {type(function).__name__}")

    def sizes_of(self, sizes: Sizes) -> dict[str, int]:
        """The sizes of the other claim, for those of this one."""
        return (
            dict(self.sizes(sizes)) if self.sizes else {name: sizes[name] for name in self.claim.domain.sizes if name in sizes}
        )


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
    false_variants
        Named statements beside this one that are false: the same domain and the same search must refute each of them. Where
        only constants of the statement change, these by name: ``{"exponent 3/L": {"p": 3}}`` calls a statement that has a
        parameter ``p=2``.
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
    follows
        Other claims that a proof may use, at instances that are built from those of this one.
    """

    id: str
    title: str
    source: Source
    statement: Statement
    domain: Domain
    false_variants: Mapping[str, Any] = field(default_factory=dict)
    status: Status = Stated()
    tight: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    exact: Mapping[str, Callable[[], Relation]] = field(default_factory=dict)
    proof: str | None = None
    argument: str = ""
    rate: Rate | None = None
    loose: Mapping[str, str] = field(default_factory=dict)
    cost: int | Callable[[Sizes], int] = 1
    follows: tuple[Follows, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.false_variants, Mapping):
            variants = {name: _variant(self.statement, name, one) for name, one in self.false_variants.items()}
            object.__setattr__(self, "false_variants", variants)
        if isinstance(self.tight, Mapping):
            object.__setattr__(self, "tight", {name: _tight(one) for name, one in self.tight.items()})
        if not isinstance(self.id, str) or not re.fullmatch(r"[a-z_][a-z0-9_]*(\.[a-z0-9_]+)+", self.id):
            raise ValueError(f"id must look like document.label, in lower case, got {self.id!r}")
        self._check_kinds()
        if not self.source.document or not self.source.label:
            raise ValueError(f"{self.id}: source must name a document and a label, got {self.source}")
        unknown = set(self.needs) - set(self.domain.hypotheses)
        if unknown:
            raise ValueError(f"{self.id}: needs names hypotheses that the domain does not have: {', '.join(sorted(unknown))}")
        if not isinstance(self.status, FalseAsPrinted) and not self.false_variants and not self.needs:
            raise ValueError(
                f"{self.id}: a false variant, or a needed hypothesis, must show that the check can fail: write "
                "false_variants={'a smaller constant': ...} with a statement that is false"
            )
        if self.proof is not None and self.proof not in self.exact:
            raise ValueError(f"{self.id}: proof must name an entry of exact, got {self.proof!r}")
        if self.proof is None and self.argument:
            raise ValueError(
                f"{self.id}: argument says why a part decides the statement, and proof must name that part of exact"
            )
        silent = [name for name, reason in self.loose.items() if not isinstance(reason, str) or not reason.strip()]
        if silent:
            raise ValueError(f"{self.id}: loose must say why {silent[0]!r} is not sharp, in a sentence")
        if self.least_cost < 1:
            raise ValueError(f"{self.id}: cost must be at least 1, got {self.least_cost}")

    def _check_kinds(self) -> None:
        """Refuse what is of another kind than it should be, in a sentence that says what to write."""

        def refused(what: str, wanted: str, got: Any, write: str) -> TypeError:
            kind = repr(got) if isinstance(got, str | tuple) else type(got).__name__
            return TypeError(f"{self.id}: {what} must be {wanted}, got {kind}: write {write}")

        if not isinstance(self.source, Source):
            raise refused("source", "a Source", self.source, "Source('document', 'label')")
        if isinstance(self.statement, Relation) or not callable(self.statement):
            raise refused("statement", "a function", self.statement, "its name without parentheses")
        if not isinstance(self.domain, Domain):
            raise refused("domain", "a Domain", self.domain, "Domain({'x': reals()})")
        if not isinstance(self.status, Stated | Ours | Conjectured | FalseAsPrinted):
            raise refused(
                "status", "one of four", self.status, "Stated(), Ours(), Conjectured() or FalseAsPrinted(corrected_by=ID)"
            )
        for name in ("false_variants", "tight", "exact", "loose"):
            if not isinstance(getattr(self, name), Mapping):
                raise refused(name, "given by name", getattr(self, name), f"{name}={{'a name': ...}}")
        for name in ("false_variants", "exact"):
            for key, one in getattr(self, name).items():
                if isinstance(one, Relation) or not callable(one):
                    raise refused(f"{name}[{key!r}]", "a function", one, "its name without parentheses, or lambda")
        for key, one in self.tight.items():
            if not isinstance(one, Tight):
                raise refused(f"tight[{key!r}]", "a Tight", one, "Tight(function)")
        if not isinstance(self.follows, tuple) or not all(isinstance(one, Follows) for one in self.follows):
            raise refused("follows", "a tuple of Follows", self.follows, "follows=(Follows(CLAIM),)")
        if isinstance(self.needs, str):
            raise refused("needs", "a tuple of names", self.needs, f"needs=({self.needs!r},)")

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
            "tight examples": "; ".join(self.tight) or None,
            "false variants": "; ".join(self.false_variants) or None,
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
        """The outcome that is expected: "holds", "refuted" for what is false as printed, "unrefuted" for a conjecture."""
        if isinstance(self.status, Conjectured):
            return "unrefuted"
        return "refuted" if isinstance(self.status, FalseAsPrinted) else "holds"

    @property
    def document(self) -> str:
        """Folder of `theorems` in which the claim lives: the first part of its id."""
        return self.id.split(".")[0]
