"""A theorem as data: what is said, where, on which instances, where it is tight, and which statements beside it are false."""

from __future__ import annotations

import functools
import inspect
import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from verify.claims.domain import Domain
from verify.claims.variables import Sizes, says_its_call
from verify.notation.representation import card, said_by
from verify.numbers.arithmetic import is_number, rationals
from verify.numbers.relation import Relation

if TYPE_CHECKING:
    from verify.claims.rate import Rate

Statement: TypeAlias = Callable[..., Relation]
"""Takes the variables of a domain by name, and its sizes where it asks for them; in floats and on exact numbers."""


DERIVED_HERE = "derived here"
"""The label of what no paper states."""


@dataclass(frozen=True)
class Source:
    """Where a statement stands: a paper or a talk, and the label in it; the label ``"derived here"`` for what none states."""

    paper: str
    label: str


@dataclass(frozen=True)
class Stated:
    """The paper states it, and it is expected to hold."""

    name = "stated"


@dataclass(frozen=True)
class DerivedHere:
    """No paper states it (a step of a proof, a correction, a stronger fact); it is expected to hold."""

    name = "derived_here"


@dataclass(frozen=True)
class Conjectured:
    """Nobody has proved it; it is expected to survive the search, which is no proof: the status says so."""

    name = "conjectured"


@dataclass(frozen=True)
class FalseAsPrinted:
    """The paper states it and it is false: it must be refuted, and the claim `corrected_by` states what is true."""

    corrected_by: str
    name = "false_as_printed"


Status: TypeAlias = Stated | DerivedHere | Conjectured | FalseAsPrinted


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
        Names of the comparisons that the instance attains; if none is given, it is judged for each.
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
        variables = self.instance()
        if not isinstance(variables, Mapping):
            raise TypeError(
                f"a tight example must return its variables by name, such as {{'x': [3, 4]}}, got {reprlib.repr(variables)}"
            )
        return {name: given(value) for name, value in variables.items()}


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
        parameter.name: parameter.default
        for parameter in inspect.signature(statement).parameters.values()
        if parameter.default is not parameter.empty
    }
    if not changed or not set(changed) <= set(constants):
        raise ValueError(
            f"false_variants[{name!r}] must change constants of the statement, which are its parameters with a default "
            f"({', '.join(constants) or 'it has none'}), got {', '.join(changed) or 'nothing'}"
        )
    floats = [name for name, value in changed.items() if isinstance(value, float)]
    if floats:
        raise ValueError(
            f"false_variants[{name!r}] must give exact numbers, such as {floats[0]}=Q({str(changed[floats[0]])!r}), got "
            f"{changed[floats[0]]!r}, which is a float"
        )
    same = [name for name, value in changed.items() if value == constants[name] and type(value) is type(constants[name])]
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
        for name, argument in (("instance", "coordinates"), ("sizes", "sizes")):
            function = getattr(self, name)
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function of the {argument}, got {type(function).__name__}")

    def sizes_of(self, sizes: Sizes) -> dict[str, int]:
        """The sizes of the other claim, for those of this one."""
        return (
            dict(self.sizes(sizes)) if self.sizes else {name: sizes[name] for name in self.claim.domain.sizes if name in sizes}
        )


@says_its_call("Claim(id='paper.theorem_1', title='...', source=Source('paper', 'Prop. 1'), statement=..., domain=Domain(...))")
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
    not_known_tight
        Names of comparisons (and of constant parameters) that nobody claims to be tight, each with the reason in a sentence.
    cost
        Of one evaluation, in units of the search budget: 1 for a batched formula, more where each instance is solved;
        a function of the sizes where some are much more costly than others.
    follows
        Other claims that a proof may use, at instances that are built from those of this one.
    examples
        Instances that are always tried first, each the variables by name (or the free numbers that a witness prints, such as
        ``"A.factor"``), and the sizes that no array tells.

    Examples
    --------
    >>> square = Claim(
    ...     "own.square",
    ...     "A square is not negative",
    ...     Source("own", "Lemma 1"),
    ...     statement=lambda x: ge(x**2, 0),
    ...     domain=Domain({"x": reals()}),
    ...     tight={"zero": {"x": 0}},
    ...     false_variants={"at least 1": lambda x: ge(x**2, 1)},
    ... )
    >>> check(square).as_expected
    True
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
    not_known_tight: Mapping[str, str] = field(default_factory=dict)
    cost: int | Callable[[Sizes], int] = 1
    follows: tuple[Follows, ...] = ()
    examples: Sequence[Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        if isinstance(self.false_variants, Mapping):
            variants = {name: _variant(self.statement, name, variant) for name, variant in self.false_variants.items()}
            object.__setattr__(self, "false_variants", variants)
        if isinstance(self.tight, Mapping):
            object.__setattr__(self, "tight", {name: _tight(example) for name, example in self.tight.items()})
        if not isinstance(self.id, str) or not re.fullmatch(r"[a-z_][a-z0-9_]*(\.[a-z0-9_]+)+", self.id):
            raise ValueError(f"id must look like document.label, in lower case, got {self.id!r}")
        self._check_kinds()
        if not self.source.paper or not self.source.label:
            raise ValueError(f"{self.id}: source must name a paper and a label, got {self.source}")
        unknown = set(self.needs) - set(self.domain.hypotheses)
        if unknown:
            raise ValueError(
                f"{self.id}: needs names hypotheses that the domain does not have: {', '.join(sorted(unknown))}; it has "
                f"{', '.join(self.domain.hypotheses) or 'none'}"
            )
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
        silent = [name for name, reason in self.not_known_tight.items() if not isinstance(reason, str) or not reason.strip()]
        if silent:
            raise ValueError(f"{self.id}: not_known_tight must say why {silent[0]!r} is not tight, in a sentence")
        if self.least_cost < 1:
            raise ValueError(f"{self.id}: cost must be at least 1, got {self.least_cost}")

    def _check_kinds(self) -> None:
        """Refuse what is of another kind than it should be, in a sentence that says what to write."""
        if not isinstance(self.source, Source):
            raise self._refused("source", "a Source", self.source, "Source('paper', 'label')")
        for name, text in (("title", self.title), ("source.paper", self.source.paper), ("source.label", self.source.label)):
            if not isinstance(text, str) or not text.isprintable():
                raise self._refused(name, "a text of one line", text, "a few words")
        if isinstance(self.statement, Relation) or not callable(self.statement):
            raise self._refused("statement", "a function", self.statement, "its name without parentheses")
        if not isinstance(self.domain, Domain):
            raise self._refused("domain", "a Domain", self.domain, "Domain({'x': reals()})")
        if not isinstance(self.status, Stated | DerivedHere | Conjectured | FalseAsPrinted):
            statuses = "Stated(), DerivedHere(), Conjectured() or FalseAsPrinted(corrected_by=ID)"
            raise self._refused("status", "one of four", self.status, statuses)
        self._check_names()
        if not isinstance(self.follows, tuple) or not all(isinstance(follow, Follows) for follow in self.follows):
            raise self._refused("follows", "a tuple of Follows", self.follows, "follows=(Follows(CLAIM),)")
        if not isinstance(self.examples, list | tuple) or not all(isinstance(example, Mapping) for example in self.examples):
            raise self._refused("examples", "a list of variables by name", self.examples, "examples=[{'x': [3, 4]}]")
        if isinstance(self.needs, str):
            raise self._refused("needs", "a tuple of names", self.needs, f"needs=({self.needs!r},)")

    def _check_names(self) -> None:
        """The same for what is given by name."""
        for name in ("false_variants", "tight", "exact", "not_known_tight"):
            named = getattr(self, name)
            if not isinstance(named, Mapping):
                raise self._refused(name, "given by name", named, f"{name}={{'a name': ...}}")
            for key in named:
                if not isinstance(key, str) or not key.isprintable():
                    raise self._refused(f"a name in {name}", "a text of one line", key, f"{name}={{'a name': ...}}")
        for name in ("false_variants", "exact"):
            for key, function in getattr(self, name).items():
                if isinstance(function, Relation) or not callable(function):
                    raise self._refused(f"{name}[{key!r}]", "a function", function, "its name without parentheses, or lambda")
        for key, example in self.tight.items():
            if not isinstance(example, Tight):
                raise self._refused(f"tight[{key!r}]", "an instance", example, "{'x': [3, 4]}, or a function that returns it")

    def statement_of(self, variant: str | None) -> Statement:
        """A false variant by its name; the statement for None."""
        return self.statement if variant is None else self.false_variants[variant]

    def _refused(self, field: str, wanted: str, got: Any, write: str) -> TypeError:
        kind = repr(got) if isinstance(got, str | tuple) else type(got).__name__
        return TypeError(f"{self.id}: {field} must be {wanted}, got {kind}: write {write}")

    def __repr__(self) -> str:
        return f"<Claim {self.id}: {self.title} ({self.source.paper}, {self.source.label}; {self.status.name})>"

    def _repr_html_(self) -> str:
        function = self.statement
        while isinstance(function, functools.partial):
            function = function.func
        sizes = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in self.domain.sizes.items())
        rows = {
            "id": self.id,
            "source": f"{self.source.paper}, {self.source.label}",
            "status": self.status.name.replace("_", " "),
            "sizes": sizes or None,
            "hypotheses": "; ".join(self.domain.hypotheses) or None,
            "tight examples": "; ".join(self.tight) or None,
            "false variants": "; ".join(self.false_variants) or None,
        }
        return card(self.title, rows, said_by(inspect.unwrap(function).__module__))

    def __hash__(self) -> int:
        return hash(self.id)

    @functools.cached_property
    def least_cost(self) -> int:
        """The cost at the cheapest sizes."""
        return min(map(self.cost, self.domain.all_sizes())) if callable(self.cost) else self.cost

    def cost_at(self, sizes: Sizes) -> int:
        """The cost at these sizes, relative to the cheapest."""
        return self.cost(sizes) // self.least_cost if callable(self.cost) else 1

    @property
    def expected(self) -> str:
        """The outcome that is expected: "survived", or "refuted" for what is false as printed."""
        return "refuted" if isinstance(self.status, FalseAsPrinted) else "survived"

    @property
    def paper(self) -> str:
        """The paper by the first part of the id, which names the folder in which the claim lives."""
        return self.id.split(".")[0]
