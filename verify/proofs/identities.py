r"""Equalities of what is computed by additions, multiplications, divisions and roots, proved by evaluation in finite fields.

The statement is evaluated at a point of its domain on numbers that write down how they were computed. The programme that comes
out computes both sides on the whole cell of the point: where the questions that were asked on the way (is this zero, is that
larger) have the same answers. If the two sides were different functions, their difference would be a quotient of polynomials
whose degrees and coefficients the programme bounds, and it would vanish at a random point modulo a random prime with a
probability that is computed (Schwartz, Zippel). Roots are roots of their equations and nothing else: what vanishes then
vanishes for every choice of them.

A programme of several cells proves the statement on each. All answers to all questions must be met, or cannot occur; where a
number may be zero that is asked whether it is, that is an answer, too. So nothing is left out but where a divisor vanishes, and
there the statement has no value: that is tried, with every division.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import json
import math
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.variables import Coordinate, Sizes
from verify.evidence.fingerprint import claim_fingerprint
from verify.numbers.arithmetic import Array, fraction, object_array, rational
from verify.numbers.relation import Verdict
from verify.proofs import independent, second_look
from verify.proofs import matrices as matrices  # which gives traced numbers their matrices
from verify.proofs.certificate import ALL, CONSTANT, WITH_A_VALUE, Deadline, NotProved, Proof, Refuted
from verify.proofs.finite import integer_cases, shown
from verify.proofs.tracing import Trace, Vanishing, trace
from verify.search.decide import decide_sample, verdict_of

METHOD = "identity"
TIER = "identity"
KINDS = 128
"""Most combinations of values of the integer coordinates, each of which is decided by itself."""
POINTS = 24
"""Points of the domain at which cells are looked for, 3 at least for each combination of the integer coordinates."""
CELLS = 8
"""Most cells of a proof, 2 at least for each combination of the integer coordinates."""
TRIES = 400
"""Points that are tried for one that satisfies the hypotheses."""


def prove(claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof:
    """Prove the statement of a claim at `sizes`, for all real coordinates, by the cells that are met at random points.

    Raises
    ------
    NotProved
        It is no relation of equalities alone, it is not computed by additions, multiplications, divisions and roots, or there
        may be cells that were not met.
    Refuted
        It is false at one of the points.
    """
    try:
        return _proof(claim, sizes, deadline, choosing=True)
    except NotProved:
        # more choices than can be tried, or some that never occur
        return _proof(claim, sizes, deadline, choosing=False)


def _proof(claim: Claim, sizes: Sizes, deadline: Deadline, *, choosing: bool) -> Proof:
    layout = claim.domain.layout(sizes)
    seed = claim_fingerprint(claim)
    rng = np.random.default_rng(int(seed.replace("-", ""), 16))
    pieces: list[dict[str, Any]] = []
    kinds = list(integer_cases(layout, KINDS))
    if not any(math.prod(coordinate.shape) for name, coordinate in layout.items() if name not in kinds[0]):
        raise NotProved("it has no real coordinates: its cases are finite")
    cells = max(2, CELLS // len(kinds))
    for integers in kinds:
        here: dict[str, dict[str, Any]] = {}
        for point in _points(claim, sizes, layout, integers, rng, max(3, POINTS // len(kinds))):
            deadline.check()
            traced = trace(claim, sizes, point, deadline, choosing=choosing, fixed=integers)
            piece = _piece(traced, point, layout, integers)
            key = repr([piece[name] for name in ("code", "zeros", "signs")])
            if key not in here:
                _not_refuted(claim, Sample(sizes, point))
                try:
                    _proved(piece, seed)
                except independent.OnAWall:
                    continue  # the point lies on no open cell
                here[key] = piece
                if len(here) >= cells or _covers({"pieces": list(here.values())}) is not None:
                    break
        if not here:
            raise NotProved("no random point satisfies the hypotheses")
        pieces += here.values()
    return _of(claim, sizes, {"pieces": pieces}, deadline)


def _covers(data: Mapping[str, Any]) -> str | None:
    """What programmes cover; None where there may be other cells."""
    try:
        return independent.covers(data)
    except independent.Rejected:
        return None


def _of(claim: Claim, sizes: Sizes, data: Mapping[str, Any], deadline: Deadline) -> Proof:
    """The proof that consists of some programmes, each of which has been evaluated.

    Raises
    ------
    NotProved
        They are not all there are, or the statement may have a value where a divisor vanishes.
    """
    try:
        covers = independent.covers(data)
    except independent.Rejected as error:
        raise NotProved(f"{error}: what it leaves out is not known to be thin") from error
    layout = claim.domain.layout(sizes)
    exceptions: tuple[str, ...] = ()
    trivial, constant = True, len(data["pieces"]) == 1
    for piece in data["pieces"]:
        point, fixed = _point_of(piece, layout), piece["fixed"]
        traces = (trace(claim, sizes, point, deadline, choosing=choosing, fixed=fixed) for choosing in (True, False))
        traced = next((candidate for candidate in traces if _piece(candidate, point, layout, fixed) == piece), None)
        if traced is None:
            raise NotProved("the statement is another one when it is evaluated again")
        trivial, constant = trivial and traced.trivial, constant and traced.constant
        if covers.endswith("vanishes"):
            exceptions = ("a denominator is zero",)
            if any(coordinate.integer and name not in fixed for name, coordinate in layout.items()):
                raise NotProved("integers are taken for real numbers, and a denominator may vanish at all of them")
            choosing = any(kind == "?" for kind, *_ in traced.operations)
            for number in range(traced.divisions):
                _has_no_value(claim, sizes, point, deadline, choosing=choosing, fixed=fixed, fails=number)
    vacuous = "both sides are zero everywhere" if trivial else CONSTANT if constant else ""
    return Proof(METHOD, dict(sizes), covers, (), data, WITH_A_VALUE if exceptions else ALL, exceptions, vacuous)


def _has_no_value(claim: Claim, sizes: Sizes, point: Mapping[str, Array], deadline: Deadline, **how: Any) -> None:
    """Let a division fail: the statement must fail with it, and compute nothing else instead.

    Raises
    ------
    NotProved
        It has a value all the same.
    """
    try:
        trace(claim, sizes, point, deadline, **how)
    except Vanishing:
        return
    raise NotProved("the statement goes another way where a divisor vanishes, of which nothing is shown")


def _not_refuted(claim: Claim, sample: Sample) -> None:
    relation = decide_sample(claim.statement, claim.domain, sample).relation
    if relation is not None and verdict_of(relation) == Verdict.FAILS:
        raise Refuted(f"it is false at {shown(sample)}")


def check(claim: Claim, proof: Proof) -> int:
    """Check a proof against the statement: at their points, it computes what the programmes of the proof compute.

    At how many other points it is true is returned.
    """
    layout = claim.domain.layout(proof.sizes)
    pieces = proof.data["pieces"]
    if set(proof.data) != {"pieces"}:
        raise NotProved("it has data that nobody reads")
    seed = claim_fingerprint(claim)
    for piece in pieces:
        point = _point_of(piece, layout)
        fixed = piece["fixed"]
        if not any(
            _piece(trace(claim, proof.sizes, point, Deadline(), choosing=choosing, fixed=fixed), point, layout, fixed) == piece
            for choosing in (True, False)
        ):
            raise NotProved("the statement computes something else at the point of a programme")
        _proved(piece, seed)
    kinds = {json.dumps(piece["fixed"], sort_keys=True) for piece in pieces}
    wanted = {json.dumps(_texts(integers), sort_keys=True) for integers in integer_cases(layout, KINDS)}
    if kinds != wanted:
        raise NotProved("it does not have all values of the integer coordinates")
    again = _of(claim, proof.sizes, proof.data, Deadline())
    if replace(again, does_not_tell=proof.does_not_tell) != proof:
        raise NotProved(f"it covers {again.covers}, and not {proof.covers}")
    return second_look.at_statement(claim, proof.sizes, pieces)


def _proved(piece: Mapping[str, Any], seed: str) -> None:
    """Evaluate a programme at a point that is made from it: nobody chose it."""
    try:
        independent.check_identity_piece(piece, _prime(seed), _numbers(repr(piece)))
    except independent.OnAWall:
        raise
    except independent.Rejected as error:
        raise NotProved(f"{error}: it is false, or true under its hypotheses only, or by more than its equations") from error


@functools.lru_cache(maxsize=16)
def _prime(seed: str) -> int:
    return independent.prime(_numbers(seed))


def _numbers(text: str) -> Callable[[int], int]:
    """Integers below a bound, made from `text`."""
    seed, drawn = hashlib.sha256(text.encode()).digest(), itertools.count()

    def number(below: int) -> int:
        digits = hashlib.shake_256(seed + str(next(drawn)).encode()).digest(below.bit_length() // 8 + 17)
        return int.from_bytes(digits, "big") % below

    return number


def _piece(
    traced: Trace, point: Mapping[str, Array], layout: Mapping[str, Coordinate], fixed: Collection[str]
) -> dict[str, Any]:
    """A programme as plain values, without what neither a side nor a condition needs."""
    compared = list(dict.fromkeys(zip(traced.differences, traced.senses, strict=True)))
    zeros = [place for place, sense in compared if sense == "eq"]
    needed = {
        *(place for place, _ in compared),
        *traced.signs,
        *traced.same,
        *traced.radicands,
        *(place for place, operation in enumerate(traced.operations) if operation[0] == "x"),
    }
    for place in range(len(traced.operations) - 1, -1, -1):
        if place in needed:
            needed.update(
                operation
                for operation in traced.operations[place][1:]
                if type(operation) is int and traced.operations[place][0] != "x"
            )
    number = {place: new for new, place in enumerate(sorted(needed))}
    words = [_word(traced.operations[place], new, number) for place, new in number.items()]
    ranges = [
        [None if end is None else str(fraction(end)) for end in coordinate.exact_ends()]
        for name, coordinate in layout.items()
        if name not in fixed
        for _ in range(math.prod(coordinate.shape))
    ]
    return {
        "fixed": _texts({name: point[name] for name in layout if name in fixed}),
        "point": _texts({name: point[name] for name in layout if name not in fixed}),
        "ranges": ranges,
        "code": _packed(" ".join(words)),
        "zeros": [number[place] for place in zeros],
        "radicands": [number[place] for place in traced.radicands],
        "same": [number[place] for place in dict.fromkeys(traced.same)],
        "orders": [[number[place], sense] for place, sense in compared if sense != "eq"],
        "signs": [[number[place], sign] for place, sign in traced.signs.items()],
    }


def _word(operation: tuple[Any, ...], here: int, number: Mapping[int, int]) -> str:
    kind, *operands = operation
    if kind == "x":
        return "x"
    if kind == "q":
        return f"q{operands[0]}"
    name = f"{operands.pop(0)}," if kind == "g" else ""
    return f"{kind}{name}" + ",".join(str(here - number[operand]) for operand in operands)


def _packed(text: str) -> str:
    packed = "zlib:" + base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    return min(text, packed, key=len)


def _texts(values: Mapping[str, Array]) -> dict[str, list[str]]:
    return {name: [str(number) for number in array.flat] for name, array in values.items()}


def _point_of(piece: Mapping[str, Any], layout: Mapping[str, Coordinate]) -> dict[str, Array]:
    texts = {**piece["fixed"], **piece["point"]}
    if set(texts) != set(layout) or any(len(texts[name]) != math.prod(coordinate.shape) for name, coordinate in layout.items()):
        raise NotProved("its point does not have the coordinates of the domain")
    return {
        name: object_array([rational(text) for text in texts[name]], coordinate.shape) for name, coordinate in layout.items()
    }


def _points(
    claim: Claim,
    sizes: Sizes,
    layout: Mapping[str, Coordinate],
    integers: Mapping[str, Array],
    rng: np.random.Generator,
    most: int,
) -> Iterator[dict[str, Array]]:
    """At most `most` random points that satisfy the hypotheses, with small denominators."""
    for _ in range(TRIES):
        point = {
            name: integers[name]
            if name in integers
            else object_array([_inside(coordinate, rng) for _ in range(math.prod(coordinate.shape))], coordinate.shape)
            for name, coordinate in layout.items()
        }
        if claim.domain.admits(Sample(sizes, point)):
            yield point
            most -= 1
            if not most:
                return


def _inside(coordinate: Coordinate, rng: np.random.Generator) -> fmpq:
    if coordinate.integer:
        return fmpq(int(rng.integers(int(coordinate.lower), int(coordinate.upper) + 1)))
    number = int(rng.integers(1, 1024))
    lower, upper = coordinate.exact_ends()
    if lower is not None and upper is not None:
        return lower + (upper - lower) * number / 1024
    if upper is not None:
        return upper - fmpq(number, 256)
    if lower is not None:
        return lower + fmpq(number, 256)
    return fmpq(number * int(rng.choice([-1, 1])), 256)
