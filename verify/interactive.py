"""Checking from Python and from notebooks: `check`, `attack`, `explain` and `measure`.

Nothing of the search is imported before it is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flint import fmpq

from verify.claims.claim import Claim, Conjectured, Source, Statement, given
from verify.claims.domain import Domain
from verify.claims.variables import Variable, says_its_call
from verify.numbers.arithmetic import floats, is_exact
from verify.numbers.relation import Relation

if TYPE_CHECKING:
    from verify.report.result import Result
    from verify.trained.measurement import Measurement


def check(claim: Claim | str, *, budget: str = "quick", seed: int = 0) -> Result:
    """What ``verify run`` shows of a claim, or of the claim with this id.

    Parameters
    ----------
    budget
        How hard it is tried: ``"quick"``, ``"standard"`` or ``"deep"``.
    seed
        Of the search, from 0.

    Raises
    ------
    UnknownClaim
        No known package has a claim with this id; the message gives the nearest ones.
    TypeError, ValueError
        An argument is none of these.

    Examples
    --------
    >>> result = check("notion_of_rank.prop_3")
    >>> result.outcome, result.as_expected
    ('survived', True)
    """
    from verify.checker.checking import Checker
    from verify.claims.catalogue import claim_of
    from verify.engines.containment import restored
    from verify.engines.executors import one_blas_thread
    from verify.report.result import Result

    if isinstance(claim, str):
        claim = claim_of(claim)
    if not isinstance(claim, Claim):
        raise TypeError(
            f"claim must be a Claim or the id of one, got {claim!r}: for a function, write attack(function, {{'x': reals()}})"
        )
    checker = Checker(claim, budget, seed)
    with restored(streams=False), one_blas_thread():
        outcome = checker.everything()
    return Result(outcome, checker.cache, budget, seed, of_a_claim=True)


def evaluate(claim: Claim | str, **variables: Any) -> Relation:
    """The statement of a claim at one instance, whose variables are numbers, nested lists, arrays or networks.

    Integers and text such as ``"1/3"`` are exact, so that the relation is decided; beside an array or a network of floats they
    are floats, too. A warning says where the instance is outside the domain.

    Raises
    ------
    UnknownClaim
        See `check`.
    TypeError
        A variable is missing, or the domain has none of that name.

    Examples
    --------
    >>> network = FullyConnected([[[1.0], [2.0]], [[2.0, 1.0]]])
    >>> Verdict(evaluate("notion_of_rank.prop_3", f=network, x=[1.0]).verdict).name
    'HOLDS'
    """
    from verify.checker.checking import evaluated
    from verify.claims.catalogue import claim_of

    claim = claim_of(claim) if isinstance(claim, str) else claim
    if not isinstance(claim, Claim):
        raise TypeError(
            f"claim must be a Claim or the id of one, got {claim!r}: a function is called, as in statement(numpy.array([1, 2]))"
        )
    needed = [*claim.domain.variables]
    if set(needed) != {*variables} - ({*claim.domain.told} - {*needed}):
        raise TypeError(f"{claim.id} takes {', '.join(needed)}, got {', '.join(variables) or 'nothing'}")
    arrays = {name: given(value) for name, value in variables.items()}
    if any(_is_of_floats(value) for value in arrays.values()):
        # sizes stay integers
        arrays = {
            name: floats(value) if name in needed and (is_exact(value) or isinstance(value, fmpq)) else value
            for name, value in arrays.items()
        }
    if outside := claim.domain.outside(arrays):
        warnings.warn(f"this instance is outside the domain of {claim.id}: {'; '.join(outside)}", stacklevel=2)
    return evaluated(claim.statement, claim.domain.given(arrays), lambda: claim.domain.given(arrays))


def _is_of_floats(value: Any) -> bool:
    return getattr(value, "is_exact", None) is False or getattr(getattr(value, "dtype", None), "kind", "") == "f"


@says_its_call("attack(statement, {'x': reals(3)}), or attack(statement, Domain(variables, sizes, hypotheses))")
def attack(
    statement: Statement,
    domain: Domain | Mapping[str, Variable],
    *,
    budget: str = "quick",
    seed: int = 0,
    examples: Sequence[Mapping[str, Any]] = (),
) -> Result:
    """Try to refute a statement: a function of the variables of `domain` that returns ``le``, ``ge`` or ``eq`` of two sides.

    Parameters
    ----------
    domain
        Where it should hold: a `Domain`, or the variables by the names of the statement's parameters, as in
        ``{"x": reals(3), "y": interval(0, 1)}``.
    budget, seed
        As for `check`.
    examples
        Instances that are tried first, as in ``Claim(examples=[{"x": [3, 4]}])``.

    A warning says what stopped the search, such as a statement that raises an error.

    Raises
    ------
    TypeError, ValueError
        An argument is none of these.

    Examples
    --------
    >>> result = attack(lambda x, y: le((x + y) ** 2, x**2 + y**2), {"x": reals(), "y": reals()})
    >>> result.outcome
    'refuted'
    >>> print(result.witness.in_words())
    x = 1
    y = 1
    """
    from verify.checker.checking import Checker, Outcome
    from verify.engines.containment import restored
    from verify.engines.executors import one_blas_thread
    from verify.report.result import Result

    if isinstance(statement, Claim):
        raise TypeError(f"statement must be a function, got the claim {statement.id}: write check(claim)")
    if not callable(statement):
        raise TypeError(
            f"statement must be a function that returns le, ge or eq of two sides, got {type(statement).__name__}: "
            "write `lambda x: le(...)`, or def"
        )
    if isinstance(domain, Mapping):
        domain = Domain(domain)
    if not isinstance(domain, Domain):
        raise TypeError(f"domain must be a Domain, or variables by name such as {{'x': reals()}}, got {domain!r}")
    name = getattr(statement, "__name__", "statement").strip("<>")
    claim = Claim(
        "attack.statement",
        name,
        Source("attack", name),
        statement,
        domain,
        {"itself": statement},
        status=Conjectured(),
        examples=examples,
    )
    checker = Checker(claim, budget, seed)
    with restored(streams=False), one_blas_thread():
        searched = checker.searched()
    if searched.error:
        # who prints the witness only would take "None" for "nothing was found"
        warnings.warn(f"undecided: {searched.error}", stacklevel=2)
    return Result(Outcome(claim, searched), checker.cache, budget, seed, of_a_claim=False)


def explain(result: Result) -> str:
    """What `check` or `attack` found, in sentences: what was tried, what it means, and what it does not mean.

    Raises
    ------
    TypeError
        It is not what they return.

    Examples
    --------
    >>> print(explain(attack(lambda x: ge(x**2, x), {"x": reals()})))
    It is false: at x = 1/2 it says 1/4 ≥ 1/2, which rationals decide.
    """
    from verify.report.result import Result

    if not isinstance(result, Result):
        raise TypeError(
            f"result must be what check or attack returns, got {type(result).__name__}: write explain(check(claim))"
        )
    return result.in_words()


def measure(
    network: Any,
    points: Any = None,
    targets: Any = None,
    *,
    ridge: float | None = None,
    slope: float | None = None,
    image: Sequence[int] | None = None,
    activation: str | None = None,
    trust: bool = False,
    package: str = "theorems",
) -> Measurement:
    """What ``verify measure`` finds in a trained network: the quantities of the theory, and what every claim says of it.

    Parameters
    ----------
    network
        A path, a network of `verify.networks`, or a ``torch.nn.Module``, which is traced at the points and left as it is.
    points, targets
        One point for each row, and the outputs that are wanted there; or a path. Without points, some are drawn.
    ridge
        That it was trained with, if it is known: the factor of the squared norm beside the mean squared error.
    slope, image, activation
        Of the activation below zero, the lengths of images, and the name of the activation, where a file does not say.
    trust
        Whether whole modules are loaded from files, which runs code that they name.
    package
        Whose claims are asked.

    Raises
    ------
    ValueError
        Something cannot be read; the message names the layer.
    OSError
        A file cannot be opened.
    TypeError
        `network` is none of these.

    Examples
    --------
    >>> measurement = measure(from_matrix(np.diag([2.0, 1.0]), 3), np.eye(2))
    >>> measurement.description
    'fully connected 2-2-2-2, linear; 2 points'
    >>> measurement.failing
    []
    """
    from verify.checker.running import claims_in
    from verify.engines.containment import restored
    from verify.engines.executors import one_blas_thread
    from verify.trained.measurement import measured, measured_reading

    reading, data = measured_reading(
        network, points, slope=slope, image=image, targets=targets, ridge=ridge, activation=activation, trust=trust
    )
    assumed = " (assumed)" if reading.assumed else ""
    description = f"read as {reading.words}, {reading.details}{assumed}" if reading.words else reading.details
    name = str(network) if isinstance(network, str) or hasattr(network, "__fspath__") else "network"
    with restored(streams=False), one_blas_thread():
        return measured(name, reading.network, data, claims_in(package).values(), reading=description)
