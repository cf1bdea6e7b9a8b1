"""What a statement may not ask: the type of a number, whether two are one object, what comes after an error, and the clock."""

import builtins
import collections
import contextlib
import decimal
import functools
import inspect
import itertools
import operator
import os
import random
import sys
import time

import networkx as nx
import numpy as np
import pytest
import scipy.stats

from verify import Claim, Domain, Follows, Source, integers, reals
from verify.claims.variables import derived
from verify.evidence.fingerprint import claim_fingerprint
from verify.proofs.certificate import Certificate, Deadline, NotProved
from verify.proofs.methods import check, finite, prove
from verify.proofs.plain import require_plain
from verify.words import eq, ge, le

LINE = Domain({"x": reals()})


def claim(statement, domain=LINE, follows=()):
    return Claim(
        "toy.plain", "", Source("toy", "derived here"), statement, domain, {"wrong": lambda x: le(x + 1, x)}, follows=follows
    )


def caught(x):
    try:
        return eq(x / x, 1)
    except ZeroDivisionError:
        return eq(x, x)


def caught_by_all(x):
    try:
        return eq(x, x)
    except:  # noqa: E722
        return eq(x, 1)


def ended_by_return(x):
    try:
        found = eq(x / x, 1)
    finally:
        return found  # noqa: B012


def suppressed(x):
    with contextlib.suppress(ValueError):
        return eq(x, x)
    return eq(x, 1)


class Swallows:
    """A context that catches errors of others."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def swallowed(x):
    with Swallows():
        return eq(x, x)
    return eq(x, 1)


class Asks:
    """A method that asks for a type."""

    def of(self, x):
        return eq(x, x) if type(x) is float else eq(x, 1)


ASKS = Asks()
TABLE = {"type": [lambda x: type(x)]}


def said_otherwise(x):
    try:
        return eq(x, x)
    except ValueError as error:
        raise RuntimeError("in other words") from error


def decorated(function):
    @functools.wraps(function)
    def inner(x):
        try:
            return function(x)
        except ArithmeticError:
            return eq(x, x)

    return inner


SEVEN = 7
NAMES = {"__name__": "exec", "eq": eq, "SEVEN": SEVEN}
exec("def unseen(x):\n    try:\n        return eq(x, x)\n    except ValueError:\n        return eq(x, 1)", NAMES)
exec("def identical(x):\n    return eq(x, len(str(x)) is SEVEN)", NAMES)

exec("def drawn(x):\n    import random\n    return eq(x, x + (random.random() < 1e-9))", NAMES)
COUNTED = itertools.count()
DRAWS = np.random.default_rng(0)


def imported(x):
    from datetime import datetime

    return eq(x, x + (datetime.now().year < 0))


def reads_a_file(x):
    with open("nothing") as file:  # noqa: PTH123 (one way to read it)
        return eq(x, x + len(file.read()))


COUNT, QUEUE, KIND_OF, KINDS = [0], collections.deque([0]), type, {"type": type}
GET_SIZE, INFO = np.getbufsize, functools.lru_cache(lambda n: n).cache_info


def counts(x):
    COUNT[0] += 1
    return eq(x, x + (COUNT[0] == 10**9))


def remembers(x):
    remembers.n = getattr(remembers, "n", 0) + 1
    return eq(x, x + (remembers.n == 10**9))


def appends(x):
    QUEUE.appendleft(0)
    return eq(x, x + (len(QUEUE) == 10**9))


@functools.singledispatch
def by_kind(x):
    return eq(x, x)


class Counter:
    """Counts in an attribute."""

    n = 0

    def __call__(self, x):
        """Another one each time."""
        self.n = self.n + 1
        return eq(x, x + (self.n == 10**9))


def own_import(x):
    import numpy as again

    return eq(x, x + (again.random.random() < 1e-9))  # noqa: NPY002


def own_import_of_a_module(x):
    from numpy import random as chance

    return eq(x, x + (chance.random() < 1e-9))  # noqa: NPY002


def other_name(x):
    chance = np.random
    return eq(x, x + (chance.random() < 1e-9))


exec("import numpy\ndef thrown(x):\n    return eq(x, x + (numpy.random.random() < 1e-9))", NAMES)


class Clock:
    """Has a clock as an attribute."""

    now = time.time_ns


CLOCKS = {"now": time.time_ns, "open": open}
COUNTER, UFUNCS = Counter(), {"u": np.frompyfunc(abs, 1, 1)}
NOT_PLAIN = {
    "chance, by an import of its own": (own_import, r"depends on again\.random"),
    "chance, by an import of a module": (own_import_of_a_module, r"depends on chance\.random"),
    "chance under another name": (other_name, r"depends on np\.random"),
    "chance of NumPy, without a source": (NAMES["thrown"], "depends on random"),
    "chance, by a text": (lambda x: eq(x, x + (getattr(np, "random").random() < 1e-9)), r"depends on getattr\(np"),  # noqa: B009
    "chance, by its names": (lambda x: eq(x, x + (vars(np)["random"].random() < 1e-9)), r"depends on vars\(np\)"),
    "no seed": (lambda x: eq(x, x + (np.random.default_rng(None).random() < 1e-9)), "depends on np.random"),
    "chance of SciPy": (lambda x: eq(x, x + (scipy.stats.norm.rvs() > 50)), "rvs"),
    "chance of graphs": (lambda x: eq(x, x + len(nx.gnp_random_graph(3, 0.5))), "depends on nx.gnp_random_graph"),
    "the clock of a table": (lambda x: eq(x, x + (CLOCKS["now"]() % 10**9 == 7)), "time_ns is reached"),
    "the clock of a class": (lambda x: eq(x, x + (Clock.now() % 10**9 == 7)), "time_ns is reached"),
    "the clock of a partial": (functools.partial(lambda now, x: eq(x, x + (now() == 7)), time.time_ns), "time_ns is reached"),
    "memory that nobody wrote": (lambda x: eq(x, x + (np.empty(1, dtype=int)[0] == 765432)), "depends on np.empty"),
    "memory like another": (lambda x: eq(x, x + (np.empty_like([1])[0] == 765432)), "depends on np.empty_like"),
    "is, by a function": (lambda x: eq(x, operator.is_(x, SEVEN)), r"asks for operator\.is_\("),
    "a name of classes": (lambda x: eq(x, x.__sizeof__()), "__sizeof__"),
    "a name of classes as a text": (lambda x: eq(x, hasattr(np.eye, "__closure__")), "__closure__"),
    "what a function changes": (counts, "COUNT, which a function changes,"),
    "an attribute of a function": (remembers, "an attribute of remembers, which"),
    "a queue that grows": (appends, "QUEUE, which a function changes,"),
    "an attribute that a method changes": (Counter(), "the attribute n of Counter, which a method changes,"),
    "an attribute behind a function": (lambda x: COUNTER(x), "the attribute n of Counter"),
    "a function inside a ufunc": (lambda x: eq(x, UFUNCS["u"](x)), "inside the ufunc"),
    "how often something was kept": (lambda x: eq(x, x + (INFO().hits == 7)), "depends on INFO"),
    "a setting of NumPy": (lambda x: eq(x, x + (GET_SIZE() == 7)), "depends on GET_SIZE"),
    "a setting of NumPy by its name": (lambda x: eq(x, x + (np.geterr() == {})), "depends on np.geterr"),
    "the context of decimals": (lambda x: eq(x, x + (decimal.getcontext().prec == 7)), "depends on decimal"),
    "the hash of a text": (lambda x: eq(x, x + (hash("a") == 7)), "depends on hash"),
    "type under another name": (lambda x: eq(x, KIND_OF(x) is float), r"asks for KIND_OF\("),
    "type in a dictionary": (lambda x: eq(x, KINDS["type"](x) is float), "another name"),
    "type by a default": (lambda x, kind=type: eq(x, kind(x) is float), r"asks for type"),
    "type of a partial": (functools.partial(lambda kind, x: eq(x, kind(x) is float), type), "another name"),
    "type of its module": (lambda x: eq(x, builtins.type(x) is float), r"asks for builtins\.type"),
    "the class": (lambda x: eq(x, x.__class__ is float), "__class__"),
    "a function for each type": (by_kind, "singledispatch"),
    "chance": (lambda x: eq(x, x + (random.random() < 1e-9)), "depends on random"),
    "chance of NumPy": (lambda x: eq(x, x + (np.random.default_rng().random() < 1e-9)), "depends on np.random"),
    "draws that go on": (lambda x: eq(x, x + (DRAWS.random() < 1e-9)), "depends on DRAWS"),
    "chance, without a source": (NAMES["drawn"], "depends on random"),
    "the clock": (lambda x: eq(x, x + (time.time_ns() % 10**9 == 7)), "depends on time"),
    "an import": (imported, "depends on datetime"),
    "the surroundings": (lambda x: eq(x, x + ("UNSET" in os.environ)), "depends on os"),
    "who calls": (lambda x: eq(x, x + (sys._getframe(1).f_code.co_name == "nobody")), "depends on sys"),
    "an attribute behind its back": (lambda x: eq(x, x + (inspect.getattr_static(x, "p", 0) == 7)), "depends on inspect"),
    "how often it is called": (lambda x: eq(x, x + (next(COUNTED) == 1000)), "depends on COUNTED"),
    "how often it is called, by a default": (lambda x, count=COUNTED: eq(x, x + (next(count) == 9)), "depends on COUNTED"),
    "a file": (reads_a_file, "depends on open"),
    "a text that is run": (lambda x: eval("eq(x, 1)", {"eq": eq, "x": x}), "depends on eval"),
    "an error": (caught, "catches errors"),
    "all errors": (caught_by_all, "catches errors"),
    "finally": (ended_by_return, "catches errors"),
    "suppress": (suppressed, "catches errors"),
    "a context": (swallowed, "catches errors"),
    "a decorator": (decorated(said_otherwise), "catches errors"),
    "a decorator of a lambda": (decorated(lambda x: eq(x, x)), "catches errors"),
    "what has no source": (NAMES["unseen"], "has no source at hand"),
    "type": (lambda x: eq(x, x) if type(x) is float else eq(x, 1), r"asks for type\(\.\.\.\)"),
    "type of a method": (lambda x: ASKS.of(x), r"asks for type\(\.\.\.\)"),
    "type in a table": (lambda x: eq(x, TABLE["type"][0](x) is float), r"asks for type\(\.\.\.\)"),
    "type as a function": (lambda x: eq(x, len(list(map(type, [x])))), r"asks for type\(\.\.\.\)"),
    "id": (lambda x: eq(x, id(x)), r"asks for id\(\.\.\.\)"),
    "is, of a size": (lambda x: eq(x, len(np.shape(x)) is SEVEN), "are one object"),
    "is, of a truth value": (lambda x: eq(x, (x > 0) is True), "are one object"),
    "is, without a source": (NAMES["identical"], "has no source at hand"),
    "is": (lambda x, y: eq(x, y) if x is y else eq(x, x), "are one object"),
}


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_what_is_not_plain_is_refused_in_a_sentence(name):
    statement, said = NOT_PLAIN[name]
    domain = Domain({"x": reals(), "y": reals()}) if name == "is" else LINE
    with pytest.raises(NotProved, match=said):
        require_plain(claim(statement, domain))


def test_hypotheses_variables_and_what_it_follows_from_count():
    plain = lambda x: eq(x, x)  # noqa: E731
    with pytest.raises(NotProved, match="catches errors"):
        require_plain(claim(plain, Domain({"x": reals()}, {}, {"a hypothesis": lambda x: bool(caught(x))})))
    with pytest.raises(NotProved, match="asks for type"):
        require_plain(claim(plain, Domain({"x": derived(lambda t: t if type(t) is float else 2 * t, t=reals())})))
    with pytest.raises(NotProved, match="catches errors"):
        require_plain(claim(plain, follows=(Follows(claim(caught)),)))


def of_none(x, y=None):
    with np.errstate(divide="ignore"):
        return eq(x, x if y is None else y)


def with_a_seed(x):
    rng, graph, made = np.random.default_rng(4), nx.gnp_random_graph(3, 0.5, seed=1), np.empty(2, dtype=object)
    return eq(x, x + 0 * len(graph) + 0 * made.size + (rng.integers(3) > 3))


class Thing:
    """Has an attribute that is called like a function of Python."""

    type = 2


@pytest.mark.parametrize("statement", [said_otherwise, of_none, with_a_seed, lambda x: eq(Thing.type * x, 2 * x)])
def test_what_is_plain_is_not_refused(statement):
    require_plain(claim(statement))


def counting(k, calls=[]):  # noqa: B006 (calls are counted in it)
    calls.append(k)
    return eq(k, k + (len(calls) == 1_000_000))


FEW = Domain({"k": integers(-3, 3)})


def of_integers(statement):
    return Claim("toy.plain", "", Source("toy", "derived here"), statement, FEW, {"wrong": lambda k: le(k + 1, k)})


def test_finite_cases_may_ask_for_types_and_not_for_the_clock():
    assert prove(of_integers(lambda k: ge(k * k, k - (type(k) is int))), 1, 5)[0] is not None
    certificate, reasons = prove(of_integers(lambda k: eq(k, k + (time.time_ns() < 0))), 1, 5)
    assert certificate is None
    assert "depends on time" in str(reasons)


def test_what_an_evaluation_changes_proves_nothing():
    certificate, reasons = prove(of_integers(counting), 1, 5)
    assert certificate is None
    assert "changes something that the statement reaches" in str(reasons)
    toy = of_integers(counting)
    made = Certificate(toy.id, claim_fingerprint(toy), (finite.prove(toy, {}, Deadline(5.0)),))
    with pytest.raises(Exception, match=r"changed since|changes something"):
        check(made, toy)
