"""How instances are drawn: which combinations of sizes, and the numbers of their coordinates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from verify.claims.variables import Coordinate, Sizes
from verify.numbers.arithmetic import Array, rationals

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


STRUCTURED_LARGEST = 4
"""Largest numerator of a structured coordinate: small enough to read, large enough for every order and sign pattern. With 2
the false variants of `docs/benchmarks.md` take 44 % more evaluations, and one of 95 survives; with 8, 7 % more."""
STRUCTURED_DENOMINATORS = (1, 1, 2, 4)
"""Denominators of structured coordinates: dyadic, so that float64 evaluates small polynomials of them without rounding."""

SIZES_AT_ONCE = 12
"""Combinations of sizes of which one call draws large batches: `covering` chooses them, so that every value of every size,
then pairs of values, are among them."""
OF_ONE_SIZE = 8
"""Instances of each combination where all combinations are drawn."""
OF_EQUAL_NUMBERS = 24
"""Instances with equal entries of all combinations where these are few, and at least two of each. With half as many the
false variants of `docs/benchmarks.md` take 7 % more evaluations."""

SPECIAL_FORMS = 4
"""Low rank, units, and two choices of magnitudes."""
OF_SPECIAL_FORMS = 60
"""Instances of each special form of all combinations where these are few, at most eight and at least one of each. With half
and with twice as many, 94 and 93 of 95 false variants are refuted, after nearly twice as many evaluations
(`docs/benchmarks.md`)."""
MAGNITUDES = (2.0**-8, 1.0, 2.0**8)
"""By what structured numbers are multiplied where instances of other magnitudes are drawn: powers of two, which round
nothing, and whose squares differ by 2^32 at most, so that sums of squares keep their digits."""

FORMS = ("identity", "plane", "identity", "steps")
"""By turns, what all arrays of an instance have in common: see `common_forms`."""
OF_COMMON_FORMS = 640
"""Instances of a common form of all combinations where these are few, at most 48 and at least `LEAST_COMMON` of each. Half
as many take 13 % more evaluations until the same false variants are refuted, twice as many 4 % more (`docs/benchmarks.md`)."""
LEAST_COMMON = 8
"""Where evaluations are costly, half as many. Half of it takes 1 % fewer evaluations until the same false variants are
refuted, twice as much 24 % more (`docs/benchmarks.md`)."""
LEAST_SHARE = 8
"""Combinations of sizes, at least, that a share of the small batches has."""
RELATIONS = ("equal", "inverse", "free", "opposite")
"""What the arrays of one shape are to the first of them, by turns."""
FREE = RELATIONS.index("free")
FORMS_OF_ONE = (
    ("", "", "columns coincide", "columns coincide"),
    ("opposite columns, no zeros", "opposite columns, no zeros", "columns coincide, no zeros", "columns coincide, no zeros"),
    ("not negative", "sums zero", "one is zero", "not negative"),
    ("rows coincide", "skew", "symmetric", "all columns coincide"),
)
"""What each matrix of such an instance is: a row for the turns of `RELATIONS`, and then the next row. Where no activation may
be zero, few instances would be left without those that have no zeros."""
TRANSPOSED = 2
"""In this row matrices are related to the transposed first one, too, and vectors to its first row, and none is inverse; in the
next one each matrix is free."""
FEW_ONES = 3
"""Partial identities have so many ones at most, or as many as there is room for."""
ALL_ONES = 2**31
"""More than any matrix has room for."""
SCALES = (1.0, 1.0, 1.0, 2.0, 0.5, 4.0, 16.0)
"""By what partial identities are multiplied."""
NEGATIVE, TURNED = 1 / 16, 1 / 6
"""How often they are multiplied by -1, too, and how often the entries of one square matrix move to the next column."""

ALL_INSTANCES = 16
"""Where there are at most so many times as many instances as random ones are wanted, all are taken."""

WIDE = 256
"""Integers of a range at least as wide are also drawn near its ends, and on a logarithmic scale."""
QUARTERS = 4.0
"""Structured numbers of an interval of length 1 or more are multiples of 1/4 every other time, which are seventeen at most
up to this length; of a longer one, integers."""


def covering(combinations: Sequence[Sizes], rng: np.random.Generator, count: int) -> list[int]:
    """Indices of `count` combinations, drawn so that every value of every size, then every pair of values, is met early."""
    order = rng.permutation(len(combinations))
    if count >= len(combinations):
        return sorted(order.tolist())
    values = np.array([list(combinations[index].values()) for index in order])
    names = range(values.shape[1])
    # a column for each value of a size, and one for each pair of values
    single = [values[:, name] for name in names]
    pairs = [values[:, name] * (1 + int(values.max())) + values[:, two] for name in names for two in names if name < two]
    columns = [
        (np.unique(column, return_inverse=True)[1], weight) for part, weight in ((single, 64), (pairs, 1)) for column in part
    ]
    new = [np.ones(int(codes.max()) + 1, dtype=int) for codes, _ in columns]
    chosen: list[int] = []
    remaining = np.ones(len(order), dtype=bool)
    for _ in range(count):
        gain = sum(weight * fresh[codes] for (codes, weight), fresh in zip(columns, new, strict=True))
        place = int(np.argmax(np.where(remaining, gain, -1)))
        remaining[place] = False
        chosen.append(int(order[place]))
        for (codes, _), fresh in zip(columns, new, strict=True):
            fresh[codes[place]] = 0
    return sorted(chosen)


NumberSource: TypeAlias = Callable[[np.random.Generator, Coordinate, int], Array]


def random_numbers(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    shape = (batch, *coordinate.shape)
    lower, upper = coordinate.lower, coordinate.upper
    if coordinate.integer:
        return rng.integers(int(lower), int(upper) + 1, size=shape).astype(np.float64)
    if np.isfinite(lower) and np.isfinite(upper):
        # by halves: the length of the interval may be beyond the largest float
        return _often(rng, coordinate, np.clip(2 * rng.uniform(lower / 2, upper / 2, size=shape), lower, upper))
    magnitude = np.exp2(rng.integers(-2, 2, size=(batch,) + (1,) * len(coordinate.shape)))
    values = magnitude * rng.standard_normal(shape)
    return _often(rng, coordinate, _into(values, lower, upper))


def one_of(rng: np.random.Generator, values: Sequence[float], size: int | tuple[int, ...]) -> Array:
    """The numbers that ``rng.choice(values, size)`` gives, in a quarter of the time."""
    return np.asarray(values)[rng.integers(0, len(values), size=size)]


def _often(rng: np.random.Generator, coordinate: Coordinate, values: Array) -> Array:
    """`values`, half of them replaced by those that are drawn often."""
    if not coordinate.often:
        return values
    special = one_of(rng, coordinate.often, values.shape)
    return np.asarray(np.where(rng.random(values.shape) < 0.5, special, values))


def structured_numbers(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    shape = (batch, *coordinate.shape)
    each = (batch,) + (1,) * len(coordinate.shape)
    if coordinate.integer:
        return _structured_integers(rng, int(coordinate.lower), int(coordinate.upper), shape, each)
    denominator = one_of(rng, STRUCTURED_DENOMINATORS, each)
    values = rng.integers(-STRUCTURED_LARGEST, STRUCTURED_LARGEST + 1, size=shape) / denominator
    values = values * (rng.random(shape) >= one_of(rng, [0.0, 0.3, 0.6], each))
    if len(coordinate.shape) and coordinate.shape[0] > 1:
        # every fourth instance has its second row equal, opposite or proportional to its first
        change = rng.random(batch) < 0.25
        factor = one_of(rng, [1.0, -1.0, 2.0], (batch,) + (1,) * (len(coordinate.shape) - 1))
        values[change, 1] = (factor * values[:, 0])[change]
    values = _into(values, coordinate.lower, coordinate.upper)
    if 1 <= coordinate.upper - coordinate.lower < np.inf:
        # sixteenths of an interval are seldom integers, where coordinates coincide
        step = 0.25 if coordinate.upper - coordinate.lower <= QUARTERS else 1.0
        rounded = np.clip(np.rint(values / step) * step, coordinate.lower, coordinate.upper)
        values = np.where(np.arange(batch).reshape(each) % 2 == 0, rounded, values)
    return _often(rng, coordinate, values)


def _structured_integers(
    rng: np.random.Generator, lower: int, upper: int, shape: tuple[int, ...], each: tuple[int, ...]
) -> Array:
    """Integers of a range; of a wide one by turns near an end or zero, on a logarithmic scale, and anywhere."""
    values = rng.integers(lower, upper + 1, size=shape)
    if upper - lower >= WIDE:
        ends = one_of(rng, [lower, upper, min(max(0, lower), upper)], shape)
        near = np.clip(ends + rng.integers(-STRUCTURED_LARGEST, STRUCTURED_LARGEST + 1, size=shape), lower, upper)
        exponents = rng.uniform(0, math.log2(upper - lower + 1), size=shape)
        scaled = lower + np.floor(np.exp2(exponents)).astype(np.int64) - 1
        # every other time powers of two
        scaled = np.where(rng.random(each) < 0.5, np.exp2(np.floor(exponents)).astype(np.int64), scaled)
        form = rng.integers(0, 4, size=each)
        values = np.where(form == 0, near, np.where(form == 1, np.clip(scaled, lower, upper), values))
    return values.astype(np.float64)


def equal_numbers(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    """Structured instances with equal entries: by turns the largest, and the smallest, of each in absolute value."""
    return _made_equal(structured_numbers(rng, coordinate, batch))


def _made_equal(values: Array) -> Array:
    batch = len(values)
    flat = values.reshape(batch, math.prod(values.shape[1:]))
    if not flat.size:
        return values
    sign = (-1.0) ** np.arange(batch)[:, None]
    chosen = np.take_along_axis(flat, np.argmax(sign * np.abs(flat), axis=1)[:, None], axis=1)
    return np.array(np.broadcast_to(chosen, flat.shape)).reshape(values.shape)


def special_forms(rng: np.random.Generator, coordinate: Coordinate, batch: int) -> Array:
    """Instances by turns of low rank, of units, with each array of its own magnitude, and with all of a large one."""
    return _made_special(rng, coordinate, structured_numbers(rng, coordinate, batch))


def _made_special(rng: np.random.Generator, coordinate: Coordinate, values: Array) -> Array:
    batch = len(values)
    form = (np.arange(batch) % SPECIAL_FORMS).reshape((batch,) + (1,) * len(coordinate.shape))
    if len(coordinate.shape) > 1 and coordinate.shape[-2] > 2:
        values = np.where(form == 0, _of_low_rank(rng, coordinate, values), values)
    below, above = np.isfinite(coordinate.lower), np.isfinite(coordinate.upper)
    if not (coordinate.integer or (below and above)):
        units = np.where(rng.random(form.shape) < 0.5, 1.0, one_of(rng, (1.0, -1.0), values.shape))
        units = units * (rng.random(values.shape) < one_of(rng, (0.5, 1.0), form.shape))
        if below or above:
            units = np.abs(units) if below else -np.abs(units)
        own = np.where(form == 2, one_of(rng, MAGNITUDES, form.shape), np.where(form == 3, MAGNITUDES[-1], 1.0))
        # from the only end, where there is one
        end = coordinate.lower if below else coordinate.upper if above else 0.0
        values = end + np.where(form == 1, units, (values - end) * own)
    return values


def _of_low_rank(rng: np.random.Generator, coordinate: Coordinate, values: Array) -> Array:
    """Matrices whose rows are small combinations of quarters of the first two, where these stay in the interval: of what has no
    negative entries, combinations with the same sign.
    """
    if not coordinate.lower <= 0 <= coordinate.upper:
        return values
    first = values[..., :2, :] / 4
    if coordinate.integer:
        first = np.rint(first * 4 / 3) if coordinate.upper > 3 else values[..., :2, :]
    shares = rng.integers(-2, 3, size=(*values.shape[:-1], 2))
    combined = (np.abs(shares) if coordinate.lower == 0 or coordinate.upper == 0 else shares) @ first
    outside = ((combined < coordinate.lower) | (combined > coordinate.upper)).any(axis=-1, keepdims=True)
    return np.asarray(np.where(outside, first[..., :1, :], combined))


def common_forms(rng: np.random.Generator, layout: Mapping[str, Coordinate], batch: int) -> dict[str, Array]:
    """Instances whose arrays fit one another: chains of layers attain their bounds where all are partial identities.

    By turns all matrices are the same multiple of one partial identity, all numbers but those of the first rows are zero, or
    the rows are equal steps along the first axis. Biases are zero every other time. Now and then one of the identities is a
    permutation.
    """
    return _made_to_fit(rng, layout, {name: structured_numbers(rng, coordinate, batch) for name, coordinate in layout.items()})


def _made_to_fit(
    rng: np.random.Generator, layout: Mapping[str, Coordinate], structured: Mapping[str, Array]
) -> dict[str, Array]:
    batch = len(next(iter(structured.values()), ()))
    form = np.resize(FORMS, batch)
    ones = np.where(rng.random(batch) < 1 / 3, ALL_ONES, rng.integers(1, FEW_ONES + 1, size=batch))
    scale = one_of(rng, SCALES, batch)
    unbiased = rng.random(batch) < 0.5
    common, each = one_of(rng, (0.0, 1.0, 1.0, 2.0), batch), rng.random(batch) < 0.5
    scale = np.where(rng.random(batch) < NEGATIVE, -scale, scale)
    # of some instances one square matrix is a permutation
    squares = [k for k, one in enumerate(layout.values()) if len(one.shape) > 1 and one.shape[-1] == one.shape[-2] > 1]
    turned = np.where(rng.random(batch) < TURNED, np.array(squares or [-1])[rng.integers(max(1, len(squares)), size=batch)], -1)
    result = {}
    for number, (name, coordinate) in enumerate(layout.items()):
        values = structured[name]
        if coordinate.shape:
            axes = (batch,) + (1,) * len(coordinate.shape)
            own = np.where(each, one_of(rng, (0.0, 1.0, 1.0, 2.0, -1.0, -2.0), batch), common).reshape(axes)
            place, first = np.indices(coordinate.shape), ones.reshape(axes)
            row = place[-2] if len(coordinate.shape) > 1 else place[-1]
            plane = np.where(row < np.minimum(first, 2), np.abs(values), 0.0)
            if len(coordinate.shape) > 1:
                moved = row
                if number in squares:
                    moved = (row + (turned == number).reshape(axes)) % coordinate.shape[-1]
                identity = ((moved == place[-1]) & (row < first)) * scale.reshape(axes)
                steps = identity if coordinate.role == "weight" else (place[-1] == 0) * row * scale.reshape(axes)
            elif coordinate.role == "bias":
                identity, steps = np.where(unbiased.reshape(axes), 0.0, (row < first) * own), np.zeros(axes)
            else:
                identity, steps = (row < first) * own, (row == 0) * np.ones(axes)
            which = form.reshape(axes)
            values = np.where(which == "plane", plane, np.where(which == "steps", steps, identity))
            values = np.clip(np.rint(values) if coordinate.integer else values, coordinate.lower, coordinate.upper)
        result[name] = values
    return result


def related_numbers(rng: np.random.Generator, layout: Mapping[str, Coordinate], batch: int) -> dict[str, Array]:
    """Structured instances whose arrays of one shape are by turns equal, inverse to the first entry by entry, or opposite, and
    those of the transposed shape its transpose.

    The first two columns of every matrix coincide, all of its rows or columns do, each second column is the one before it with
    the other sign, the sums of its rows are zero, or squares are skew or symmetric: see `RELATIONS` and `FORMS_OF_ONE`.
    """
    structured = {name: structured_numbers(rng, coordinate, batch) for name, coordinate in layout.items()}
    return _made_related(rng, layout, structured)


def _made_related(
    rng: np.random.Generator, layout: Mapping[str, Coordinate], structured: Mapping[str, Array]
) -> dict[str, Array]:
    batch = len(next(iter(structured.values()), ()))
    rows, turns = len(FORMS_OF_ONE), len(RELATIONS)
    # a few instances begin with another row at every combination of sizes
    place = turns * int(rng.integers(rows)) + np.arange(batch)
    row, turn = place // turns % rows, place % turns
    forms = [(FORMS_OF_ONE[i][j], np.flatnonzero((row == i) & (turn == j))) for i, j in np.ndindex(rows, turns)]
    forms = [(form, here) for form, here in forms if form and len(here)]
    transposed, zero = row == TRANSPOSED, rng.integers(max(1, len(layout)), size=batch)
    inverse = turn == RELATIONS.index("inverse")
    of_matrices = np.where((row > TRANSPOSED) | (transposed & inverse), FREE, turn)
    first: dict[tuple[int, ...], Array] = {}
    result = {}
    for number, (name, coordinate) in enumerate(layout.items()):
        values, shape = structured[name], coordinate.shape
        axes = (batch,) + (1,) * len(shape)
        if len(shape) > 1 and values.size:
            values = values.copy()
            for form, here in forms:
                values[here] = _inside(coordinate, _of_one_form(form, coordinate, values[here]), values[here])
        known = first.get(shape)
        flipped = _transposed_or_row(first, shape) if transposed.any() else None
        if flipped is not None:
            known = np.where(transposed.reshape(axes), flipped, values if known is None else known)
        if known is not None and not coordinate.integer:
            relation = (of_matrices if len(shape) > 1 else turn).reshape(axes)
            wanted = np.choose(relation, [known, 1 / np.where(known == 0, 1.0, known), values, -known])
            values = _inside(coordinate, wanted, values)
        if coordinate.lower <= 0 <= coordinate.upper:
            none_left = [here[zero[here] == number] for form, here in forms if form == "one is zero"]
            for here in none_left:
                values = values.copy()
                values[here] = 0.0
        if not coordinate.integer:
            first.setdefault(shape, values)
        result[name] = values
    return result


def _transposed_or_row(first: Mapping[tuple[int, ...], Array], shape: tuple[int, ...]) -> Array | None:
    """The matrix of the transposed shape, or of a vector the first row of a matrix as long."""
    if len(shape) == 2:
        known = first.get(shape[::-1])
        return None if known is None else known.swapaxes(-1, -2)
    matrices = (known[:, 0] for other, known in first.items() if len(other) == 2 and other[0] and other[1:] == shape)
    return next(matrices, None)


def _inside(coordinate: Coordinate, wanted: Array, values: Array) -> Array:
    """Instances as `wanted` where all of their entries are in the interval."""
    if np.isinf(coordinate.lower) and np.isinf(coordinate.upper):
        return wanted
    inside = ((wanted >= coordinate.lower) & (wanted <= coordinate.upper)).reshape(len(values), -1).all(axis=1)
    return np.where(inside.reshape((-1,) + (1,) * (values.ndim - 1)), wanted, values)


def _of_one_form(form: str, coordinate: Coordinate, values: Array) -> Array:
    """What `FORMS_OF_ONE` makes of the last two axes; points do not coincide in weights."""
    wanted, columns = values.copy(), values.shape[-1]
    if form.endswith("no zeros"):
        wanted[wanted == 0] = min(max(1.0, coordinate.lower), coordinate.upper)
    if form.startswith("opposite columns") and coordinate.lower < 0:
        opposite = -wanted[..., : columns - columns % 2 : 2]
        wanted[..., 1::2] = np.clip(opposite, coordinate.lower, coordinate.upper)
    elif form.startswith("columns coincide") and columns > 1:
        wanted[..., 1] = wanted[..., 0]
    elif form == "sums zero" and columns > 1:
        wanted[..., -1] = -values[..., :-1].sum(axis=-1)
    elif form == "not negative":
        wanted = np.abs(values)
    elif form in ("skew", "symmetric"):
        size = min(values.shape[-2:])
        above = np.triu(values[..., :size, :size], 1)
        sign, diagonal = (1, values[..., :size, :size] * np.eye(size)) if form == "symmetric" else (-1, 0.0)
        wanted[..., :size, :size] = above + sign * above.swapaxes(-1, -2) + diagonal
    elif form == "rows coincide" and coordinate.role != "weight":
        wanted[...] = values[..., :1, :]
    elif form == "all columns coincide" and coordinate.role != "weight":
        wanted[...] = values[..., :1]
    return wanted


@dataclass(frozen=True)
class Kinds:
    """How many instances of each kind a batch has: half structured and half random, of equal numbers, and so on."""

    ordinary: int
    equal: int
    special: int
    fitting: int
    related: int


def of_many_kinds(rng: np.random.Generator, layout: Mapping[str, Coordinate], kinds: Kinds) -> dict[str, Array]:
    """Instances of several kinds in one batch, the ordinary ones first: see `equal_numbers` and what follows it."""
    half = kinds.ordinary // 2
    counts = (half, kinds.equal, kinds.special, kinds.fitting, kinds.related)
    # one draw of all: of a few instances each, the calls cost more than the numbers
    structured = {name: structured_numbers(rng, coordinate, sum(counts)) for name, coordinate in layout.items()}
    ends = np.cumsum(counts)[:-1]
    pieces = {name: np.split(values, ends) for name, values in structured.items()}
    fitting = _made_to_fit(rng, layout, {name: piece[3] for name, piece in pieces.items()}) if kinds.fitting else {}
    related = _made_related(rng, layout, {name: piece[4] for name, piece in pieces.items()}) if kinds.related else {}
    result = {}
    for name, coordinate in layout.items():
        ordinary, equal, special, *_ = pieces[name]
        parts = [ordinary]
        if half:
            parts.append(random_numbers(rng, coordinate, half))
        if kinds.equal:
            parts.append(_made_equal(equal))
        if kinds.special:
            parts.append(_made_special(rng, coordinate, special))
        parts += [part[name] for part in (fitting, related) if part]
        result[name] = np.concatenate(parts)
    return result


def _into(values: Array, lower: float, upper: float) -> Array:
    """Fold `values` into the interval: by reflection at a single bound, by wrapping around between two."""
    if np.isfinite(lower) and np.isfinite(upper):
        # both bounds themselves are drawn, too
        steps = 4 * STRUCTURED_LARGEST
        share = np.mod(np.rint(4 * values), steps + 1) / steps
        length = upper - lower
        inside = lower + length * share if np.isfinite(length) else lower * (1 - share) + upper * share
        return np.asarray(np.clip(inside, lower, upper))
    if np.isfinite(lower):
        return np.asarray(lower + np.abs(values))
    return np.asarray(upper - np.abs(values) if np.isfinite(upper) else values)


def exact_arrays(coordinate: Coordinate) -> SearchStrategy[Array]:
    from hypothesis import strategies as st

    length = math.prod(coordinate.shape)
    if coordinate.integer:
        entries = st.integers(int(coordinate.lower), int(coordinate.upper)).map(float)
    else:
        numerators = st.integers(-STRUCTURED_LARGEST, STRUCTURED_LARGEST)
        entries = st.builds(lambda top, bottom: top / bottom, numerators, st.sampled_from(STRUCTURED_DENOMINATORS))

    if coordinate.often:
        entries = st.one_of(st.sampled_from(coordinate.often), entries)

    def array(values: list[float]) -> Array:
        shaped = np.array(values, dtype=np.float64).reshape(coordinate.shape)
        return rationals(shaped if coordinate.integer else _into(shaped, coordinate.lower, coordinate.upper))

    return st.lists(entries, min_size=length, max_size=length).map(array)
