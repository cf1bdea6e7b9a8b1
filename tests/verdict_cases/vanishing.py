"""True and false statements whose sides vanish, hold with equality along sets, or are special on thin sets and at needles."""

from fractions import Fraction

import numpy as np

from verdict_cases.claims import SOURCE
from verify import Claim, Domain, Ours, Q, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import absolute, compare, exp, largest, log, power, sqrt

EXPECTED = {}
TRUE, REFUTED = ({"holds"}, False), ({"refuted"}, True)


def never(**given):
    first = next(iter(given.values()))
    return le(1 + 0 * first.reshape(len(first), -1)[:, :1].sum(axis=-1), 0)


def case(name, statement, expected, domain):
    EXPECTED[f"vanishing.{name}"] = expected
    domain = domain if isinstance(domain, Domain) else Domain(domain)
    return Claim(f"vanishing.{name}", name, SOURCE, statement, domain, {"never": never}, status=Ours())


# information: logarithms that cancel, probabilities that are derived
WEIGHTS = interval(Q("1/10"), 1, 3)
PAIR = {name: derived(lambda w: w / w.sum(axis=-1)[..., None], w=WEIGHTS) for name in ("p", "q")}


def divergence(p, q):
    return (p * (log(p) - log(q))).sum(axis=-1)


def pinsker(p, q, factor=1):
    return le(factor * absolute(p - q).sum(axis=-1) ** 2, 2 * divergence(p, q))


def log_sum(p, q):
    return ge((p * log(p / q)).sum(axis=-1), p.sum(axis=-1) * log(p.sum(axis=-1) / q.sum(axis=-1)))


CLAIMS = [
    case("gibbs", lambda p, q: ge(divergence(p, q), 0), TRUE, PAIR),
    case("pinsker", pinsker, TRUE, PAIR),
    case("pinsker_too_large", lambda p, q: pinsker(p, q, Q("21/20")), REFUTED, PAIR),
    case("chi_square", lambda p, q: le(divergence(p, q), ((p - q) ** 2 / q).sum(axis=-1)), TRUE, PAIR),
    case("half_chi_square", lambda p, q: le(2 * divergence(p, q), ((p - q) ** 2 / q).sum(axis=-1)), REFUTED, PAIR),
    case("hellinger", lambda p, q: le(((sqrt(p) - sqrt(q)) ** 2).sum(axis=-1), divergence(p, q)), TRUE, PAIR),
    case("entropy", lambda p: le(-(p * log(p)).sum(axis=-1), log(3)), TRUE, {"p": PAIR["p"]}),
    case("log_sum", log_sum, TRUE, {"p": WEIGHTS, "q": WEIGHTS}),
    case("means_of_logs", lambda w: le(log(w).sum(axis=-1) / 3, log(w.sum(axis=-1) / 3)), TRUE, {"w": WEIGHTS}),
]


# norms, whose differences and roots vanish
def norm(x, p):
    return power(power(absolute(x), Fraction(p)).sum(axis=-1), 1 / Fraction(p))


def hanner(x, y, p):
    """Hanner: an inequality one way for p up to 2 and the other way from there."""
    left = power(norm(x + y, p), Fraction(p)) + power(norm(x - y, p), Fraction(p))
    right = power(norm(x, p) + norm(y, p), Fraction(p)) + power(absolute(norm(x, p) - norm(y, p)), Fraction(p))
    return left, right


def area(x, y):
    squared = (x * x).sum(axis=-1) * (y * y).sum(axis=-1) - (x * y).sum(axis=-1) ** 2
    return eq(sqrt(squared), absolute(x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]))


PLANE, POSITIVE = {"x": reals(2), "y": reals(2)}, {"x": interval(0, 4), "y": interval(0, 4)}
CLAIMS += [
    case("hanner_3_2", lambda x, y: ge(*hanner(x, y, Q("3/2"))), TRUE, PLANE),
    case("hanner_3", lambda x, y: le(*hanner(x, y, 3)), TRUE, PLANE),
    case("hanner_the_other_way", lambda x, y: ge(*hanner(x, y, 3)), REFUTED, PLANE),
    case("difference_of_norms", lambda x, y: le(absolute(norm(x, 3) - norm(y, 3)), norm(x - y, 3)), TRUE, PLANE),
    case("hoelder", lambda x, y: le((x * y).sum(axis=-1), norm(x, 3) * norm(y, Q("3/2"))), TRUE, PLANE),
    case("hoelder_wrong", lambda x, y: le((x * y).sum(axis=-1), norm(x, 3) * norm(y, Q("8/5"))), REFUTED, PLANE),
    case("area", area, TRUE, PLANE),
    case("squares_of_roots", lambda x, y: ge(x + y - 2 * sqrt(x) * sqrt(y), 0), TRUE, POSITIVE),
    case("roots_of_sums", lambda x, y: le(sqrt(x + y), sqrt(x) + sqrt(y)), TRUE, POSITIVE),
]


# moments
def mean(x):
    return x.sum(axis=-1)[..., None] / x.shape[-1]


def variance(x):
    return ((x - mean(x)) ** 2).sum(axis=-1) / x.shape[-1]


FOUR = {"x": reals(4)}
CLAIMS += [
    case("variance", lambda x: eq((x * x).sum(axis=-1) / 4 - mean(x)[..., 0] ** 2, variance(x)), TRUE, FOUR),
    case("samuelson", lambda x: le((x[..., 0] - mean(x)[..., 0]) ** 2, 3 * variance(x)), TRUE, FOUR),
    case("samuelson_wrong", lambda x: le(101 * (x[..., 0] - mean(x)[..., 0]) ** 2, 300 * variance(x)), REFUTED, FOUR),
    case("popoviciu", lambda x: le(4 * variance(x), (largest(x) + largest(-x)) ** 2), TRUE, FOUR),
]


# thin feasible sets, and hypotheses that few draws satisfy
def on_the_band(x, y):
    return compare(absolute(x + y - 1), Q("1/100")) <= 0


def ordered(x):
    return (np.diff(x, axis=-1) >= 0).all(axis=-1)


UNIT, DIGITS = {"x": interval(0, 1), "y": interval(0, 1)}, {"x": integers(-9, 9), "y": integers(-9, 9)}
BAND, PELL = Domain(UNIT, {}, {"band": on_the_band}), Domain(DIGITS, {}, {"pell": lambda x, y: x * x - 2 * y * y == 1})
SORTED = Domain({"x": interval(0, 4, 4)}, {}, {"sorted": ordered})
CLAIMS += [
    case("on_a_band", lambda x, y: le(x * y, Q("1/3")), TRUE, BAND),
    case("on_a_band_wrong", lambda x, y: le(x * y, Q("1/4")), REFUTED, BAND),
    case("pell", lambda x, y: le(x * y, 6), TRUE, PELL),
    case("pell_wrong", lambda x, y: le(x * y, 5), REFUTED, PELL),
    case("chebyshev", lambda x: ge(4 * (x * x).sum(axis=-1), x.sum(axis=-1) ** 2), TRUE, SORTED),
    case("products_of_sorted", lambda x: le(x[..., 0] * x[..., 3], x[..., 1] * x[..., 2]), REFUTED, SORTED),
]


# needles, coincidences and corners
def indicator(condition):
    return le(np.where(condition, 1, 0), 0)


CLAIMS += [
    case("needle", lambda x: le(1 / (1 + 10**4 * ((x - Q("7/3")) ** 2).sum(axis=-1)), Q("1/2")), REFUTED, {"x": reals(2)}),
    case("valley", lambda x: ge(10**6 * (x - Q("617/500")) ** 2, 1), REFUTED, {"x": interval(-4, 4)}),
    case("one_point", lambda x: indicator((x == np.array([5, -7, 3])).all(axis=-1)), REFUTED, {"x": integers(-9, 9, 3)}),
    case("one_residue", lambda k: indicator(k - 1000 * np.floor(k / 1000) == 321), REFUTED, {"k": integers(0, 10**6)}),
    case("three_equal", lambda x: indicator((x == x[..., :1]).all(axis=-1)), REFUTED, {"x": integers(0, 30, 3)}),
    case("on_a_circle", lambda x: indicator((x * x).sum(axis=-1) == 25), REFUTED, {"x": integers(-9, 9, 2)}),
    case("corner", lambda x: le((2 * x - 1).prod(axis=-1), Q("99/100")), REFUTED, {"x": interval(0, 1, 4)}),
    case("motzkin", lambda x, y: ge(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2), TRUE, {"x": reals(), "y": reals()}),
    case(
        "motzkin_less", lambda x, y: ge(x**4 * y**2 + x**2 * y**4 + Q("999/1000"), 3 * x**2 * y**2), REFUTED,
        {"x": reals(), "y": reals()},
    ),
    case("tangent", lambda x: ge(exp(x), 1 + x), TRUE, {"x": interval(-3, 3)}),
    case("parabola", lambda x: ge(exp(x), 1 + x + x * x / 2), REFUTED, {"x": interval(-3, 3)}),
]  # fmt: skip
for claim in CLAIMS:
    globals()[claim.id.partition(".")[2].upper()] = claim
