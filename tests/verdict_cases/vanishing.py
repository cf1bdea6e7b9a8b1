"""True and false statements whose sides vanish, hold with equality along sets, or are special on thin sets and at needles."""

from fractions import Fraction

import numpy as np

from verdict_cases.claims import SOURCE
from verify import Claim, DerivedHere, Domain, Q, derived, integers, interval, reals
from verify.words import eq, exp, ge, greatest, le, least, log, norm2, power, sqrt

EXPECTED = {}
TRUE, REFUTED = ({"survived"}, False), ({"refuted"}, True)


def never(**given):
    *_, last = given.values()  # sizes come first
    return le(1 + 0 * last.reshape(-1)[0], 0)


def case(name, statement, expected, domain):
    EXPECTED[f"vanishing.{name}"] = expected
    domain = domain if isinstance(domain, Domain) else Domain(domain)
    return Claim(f"vanishing.{name}", name, SOURCE, statement, domain, {"never": never}, status=DerivedHere())


# information: logarithms that cancel, probabilities that are derived
WEIGHTS = interval(Q("1/10"), 1, 3)
PAIR = {name: derived(lambda w: w / w.sum(), w=WEIGHTS) for name in ("p", "q")}


def divergence(p, q):
    return p @ (log(p) - log(q))


def pinsker(p, q, factor=1):
    return le(factor * abs(p - q).sum() ** 2, 2 * divergence(p, q))


def log_sum(p, q):
    return ge(p @ log(p / q), p.sum() * log(p.sum() / q.sum()))


CLAIMS = [
    case("gibbs", lambda p, q: ge(divergence(p, q), 0), TRUE, PAIR),
    case("pinsker", pinsker, TRUE, PAIR),
    case("pinsker_too_large", lambda p, q: pinsker(p, q, Q("21/20")), REFUTED, PAIR),
    case("chi_square", lambda p, q: le(divergence(p, q), ((p - q) ** 2 / q).sum()), TRUE, PAIR),
    case("half_chi_square", lambda p, q: le(2 * divergence(p, q), ((p - q) ** 2 / q).sum()), REFUTED, PAIR),
    case("hellinger", lambda p, q: le(norm2(sqrt(p) - sqrt(q)), divergence(p, q)), TRUE, PAIR),
    case("entropy", lambda p: le(-(p @ log(p)), log(3)), TRUE, {"p": PAIR["p"]}),
    case("log_sum", log_sum, TRUE, {"p": WEIGHTS, "q": WEIGHTS}),
    case("means_of_logs", lambda w: le(log(w).mean(), log(w.mean())), TRUE, {"w": WEIGHTS}),
]


# norms, whose differences and roots vanish
def norm(x, p):
    return power(power(abs(x), Fraction(p)).sum(), 1 / Fraction(p))


def hanner(x, y, p):
    """Hanner: an inequality one way for p up to 2 and the other way from there."""
    left = power(norm(x + y, p), Fraction(p)) + power(norm(x - y, p), Fraction(p))
    right = power(norm(x, p) + norm(y, p), Fraction(p)) + power(abs(norm(x, p) - norm(y, p)), Fraction(p))
    return left, right


def area(x, y):
    return eq(sqrt(norm2(x) * norm2(y) - (x @ y) ** 2), abs(x[0] * y[1] - x[1] * y[0]))


PLANE, POSITIVE = {"x": reals(2), "y": reals(2)}, {"x": interval(0, 4), "y": interval(0, 4)}
CLAIMS += [
    case("hanner_3_2", lambda x, y: ge(*hanner(x, y, Q("3/2"))), TRUE, PLANE),
    case("hanner_3", lambda x, y: le(*hanner(x, y, 3)), TRUE, PLANE),
    case("hanner_the_other_way", lambda x, y: ge(*hanner(x, y, 3)), REFUTED, PLANE),
    case("difference_of_norms", lambda x, y: le(abs(norm(x, 3) - norm(y, 3)), norm(x - y, 3)), TRUE, PLANE),
    case("hoelder", lambda x, y: le(x @ y, norm(x, 3) * norm(y, Q("3/2"))), TRUE, PLANE),
    case("hoelder_wrong", lambda x, y: le(x @ y, norm(x, 3) * norm(y, Q("8/5"))), REFUTED, PLANE),
    case("area", area, TRUE, PLANE),
    case("squares_of_roots", lambda x, y: ge(x + y - 2 * sqrt(x) * sqrt(y), 0), TRUE, POSITIVE),
    case("roots_of_sums", lambda x, y: le(sqrt(x + y), sqrt(x) + sqrt(y)), TRUE, POSITIVE),
]


# moments
def variance(x):
    return norm2(x - x.mean()) / len(x)


FOUR = {"x": reals(4)}
CLAIMS += [
    case("variance", lambda x: eq(norm2(x) / 4 - x.mean() ** 2, variance(x)), TRUE, FOUR),
    case("samuelson", lambda x: le((x[0] - x.mean()) ** 2, 3 * variance(x)), TRUE, FOUR),
    case("samuelson_wrong", lambda x: le(101 * (x[0] - x.mean()) ** 2, 300 * variance(x)), REFUTED, FOUR),
    case("popoviciu", lambda x: le(4 * variance(x), (greatest(x) - least(x)) ** 2), TRUE, FOUR),
]


# thin feasible sets, and hypotheses that few draws satisfy
def on_the_band(x, y):
    return abs(x + y - 1) <= Q("1/100")


def ordered(x):
    return (np.diff(x) >= 0).all()


UNIT, DIGITS = {"x": interval(0, 1), "y": interval(0, 1)}, {"x": integers(-9, 9), "y": integers(-9, 9)}
BAND, PELL = (Domain(UNIT, {}, {"band": on_the_band}), Domain(DIGITS, {}, {"pell": lambda x, y: x * x - 2 * y * y == 1}))
SORTED = Domain({"x": interval(0, 4, 4)}, {}, {"sorted": ordered})
CLAIMS += [
    case("on_a_band", lambda x, y: le(x * y, Q("1/3")), TRUE, BAND),
    case("on_a_band_wrong", lambda x, y: le(x * y, Q("1/4")), REFUTED, BAND),
    case("pell", lambda x, y: le(x * y, 6), TRUE, PELL),
    case("pell_wrong", lambda x, y: le(x * y, 5), REFUTED, PELL),
    case("chebyshev", lambda x: ge(4 * norm2(x), x.sum() ** 2), TRUE, SORTED),
    case("products_of_sorted", lambda x: le(x[0] * x[3], x[1] * x[2]), REFUTED, SORTED),
]


# needles, coincidences and corners
def indicator(condition):
    return le(1 * condition, 0)


CLAIMS += [
    case("needle", lambda x: le(1 / (1 + 10**4 * norm2(x - Q("7/3"))), Q("1/2")), REFUTED, {"x": reals(2)}),
    case("valley", lambda x: ge(10**6 * (x - Q("617/500")) ** 2, 1), REFUTED, {"x": interval(-4, 4)}),
    case("one_point", lambda x: indicator((x == np.array([5, -7, 3])).all()), REFUTED, {"x": integers(-9, 9, 3)}),
    case("one_residue", lambda k: indicator(k - 1000 * np.floor(k / 1000) == 321), REFUTED, {"k": integers(0, 10**6)}),
    case("three_equal", lambda x: indicator((x == x[0]).all()), REFUTED, {"x": integers(0, 30, 3)}),
    case("on_a_circle", lambda x: indicator(norm2(x) == 25), REFUTED, {"x": integers(-9, 9, 2)}),
    case("corner", lambda x: le((2 * x - 1).prod(), Q("99/100")), REFUTED, {"x": interval(0, 1, 4)}),
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
