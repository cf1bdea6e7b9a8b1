"""Kinds of edits that change what a statement says, each in a small package; `EDITS` are named by what is edited."""

from __future__ import annotations

import importlib
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from verify import catalogue
from verify.checker.running import claims_in

CLAIMS = """
from functools import partial
from verify import Claim, Domain, Source, interval
from verify.claims.variables import derived
from verify.words import ge
{code}
def double(x):
    return 2 * x

def positive(x):
    return x > 0

def statement(x, y, power=1):
    return ge(({use}) * x**power + y - y, x)

CLAIM = Claim(
    id="edited.claim",
    title="A claim that is edited",
    source=Source("edited", "derived here"),
    statement=statement,
    domain=Domain(
        {{"x": interval(1, 2), "y": derived(double, x=interval(0, 1))}}, {{}}, {{"positive": positive}}
    ),
    false_variants={{"power 0": {{"power": 0}}}},
    not_known_tight={{"": "it is an example"}},
)
"""


@dataclass(frozen=True)
class Edit:
    """An edit of a package: what the statement uses, the code before, and what of it is replaced.

    Attributes
    ----------
    use
        An expression of `x` that gives 2 before, and 3 after.
    code, parts, deep
        The module of the claim, and two others: ``parts`` beside it, and ``inner.deep``.
    old, new
        Text that is replaced in all of them.
    """

    use: str
    code: str = ""
    parts: str = ""
    deep: str = ""
    old: str = "2"
    new: str = "3"

    def files(self, *, after: bool) -> dict[str, str]:
        code, parts, deep = (textwrap.dedent(text) for text in (self.code, self.parts, self.deep))
        if after:
            assert any(self.old in text for text in (code, parts, deep)), f"{self.old!r} is nowhere"
            code, parts, deep = (text.replace(self.old, self.new) for text in (code, parts, deep))
        claims = CLAIMS.format(code=code, use=self.use)
        return {"__init__.py": "", "claims.py": claims, "parts.py": parts, "inner/__init__.py": "", "inner/deep.py": deep}


EDITS = {
    "a constant": Edit("FACTOR", "FACTOR = 2"),
    "a constant of another module": Edit("FACTOR", "from .parts import FACTOR", "FACTOR = 2"),
    "an exact constant": Edit("FACTOR", "from verify import Q\nFACTOR = Q('2')"),
    "an entry of a dictionary": Edit("TABLE['a']['b']", "TABLE = {'a': {'b': 2}}"),
    "an entry of a list": Edit("LIST[0]", "LIST = [2]"),
    "an entry of an array": Edit("int(ARRAY[1])", "import numpy as np\nARRAY = np.array([1, 2])"),
    "an entry of an array of rationals": Edit(
        "ARRAY[0]", "from verify.numbers.arithmetic import rationals\nARRAY = rationals([2])"
    ),
    "a far entry of a long array": Edit("int(ARRAY[5000])", "import numpy as np\nARRAY = np.zeros(10000)\nARRAY[5000] = 2"),
    "a default": Edit("helper()", "def helper(factor=2):\n    return factor"),
    "a keyword with a default": Edit("helper()", "def helper(*, factor=2):\n    return factor"),
    "a helper": Edit("helper()", "def helper():\n    return 2"),
    "a helper of a helper": Edit("one()", "def one():\n    return two()\ndef two():\n    return 2"),
    "a helper of another module": Edit("helper()", "from .parts import helper", "def helper():\n    return 2"),
    "a function of an imported module": Edit("p.helper()", "from . import parts as p", "def helper():\n    return 2"),
    "a function at the end of a chain": Edit(
        "pkg.inner.deep.helper()", "import PACKAGE.inner.deep\nimport PACKAGE as pkg", deep="def helper():\n    return 2"
    ),
    "a function that is imported by a star": Edit("helper()", "from .parts import *", "def helper():\n    return 2"),
    "a function that is imported while it runs": Edit(
        "helper()", "def helper():\n    from .parts import one\n    return one()", "def one():\n    return 2"
    ),
    "a module that is asked by a name": Edit(
        "getattr(p, 'helper')()", "from . import parts as p", "def helper():\n    return 2"
    ),
    "what globals gives": Edit("globals()['FACTOR']", "FACTOR = 2"),
    "a closure": Edit("helper()", "def make(n):\n    return lambda: n\nhelper = make(2)"),
    "the second of two closures": Edit("one() * two()", "def make(n):\n    return lambda: n\none, two = make(1), make(2)"),
    "a closure in a closure": Edit(
        "helper()", "def make(n):\n    def inner():\n        return n\n    return lambda: inner()\nhelper = make(2)"
    ),
    "the second lambda of a line": Edit("PAIR[1]()", "PAIR = (lambda: 1, lambda: 2)"),
    "a comprehension": Edit("helper()", "def helper():\n    return sum(FACTOR for _ in range(1))\nFACTOR = 2"),
    "a nested function": Edit(
        "helper()", "def helper():\n    def inner():\n        return FACTOR\n    return inner()\nFACTOR = 2"
    ),
    "a generator": Edit("next(helper())", "def helper():\n    yield 2"),
    "an argument of a partial": Edit("helper()", "def one(n):\n    return n\nhelper = partial(one, 2)"),
    "a function in a partial": Edit(
        "helper()", "def one(n):\n    return n + 1\nhelper = partial(one, n=1)", old="n + 1", new="n + 2"
    ),
    "a partial of a partial": Edit("helper()", "def one(n, m):\n    return n * m\nhelper = partial(partial(one, 2), m=1)"),
    "an attribute of a function": Edit("helper.factor", "def helper():\n    pass\nhelper.factor = 2"),
    "a dictionary of functions": Edit("TABLE['one']()", "def one():\n    return 2\nTABLE = {'one': one}"),
    "a list of functions": Edit("LIST[0]()", "LIST = [lambda: 2]"),
    "a set of functions": Edit(
        "sum(one() for one in SET)", "def one():\n    return 2\ndef two():\n    return 0\nSET = {one, two}"
    ),
    "a function in a tuple in a dictionary": Edit("TABLE[0][1][0]()", "TABLE = {0: (1, [lambda: 2])}"),
    "a static method": Edit("Thing.give()", "class Thing:\n    @staticmethod\n    def give():\n        return 2"),
    "a class method": Edit("Thing.give()", "class Thing:\n    @classmethod\n    def give(cls):\n        return 2"),
    "a class attribute": Edit("Thing.factor", "class Thing:\n    factor = 2"),
    "a class attribute that a method uses": Edit(
        "Thing().give()", "class Thing:\n    factor = 2\n    def give(self):\n        return self.factor"
    ),
    "an inherited attribute": Edit(
        "Thing.factor", "from .parts import Base\nclass Thing(Base):\n    pass", "class Base:\n    factor = 2"
    ),
    "an inherited method": Edit(
        "Thing().give()", "class Base:\n    def give(self):\n        return 2\nclass Thing(Base):\n    pass"
    ),
    "an attribute of the class of a class": Edit(
        "Thing.factor",
        "class Kind(type):\n    @property\n    def factor(cls):\n        return 2\nclass Thing(metaclass=Kind):\n    pass",
    ),
    "a method of an instance": Edit("THING.give()", "class Thing:\n    def give(self):\n        return 2\nTHING = Thing()"),
    "the state of an instance": Edit(
        "THING.factor", "class Thing:\n    def __init__(self, n):\n        self.factor = n\nTHING = Thing(2)"
    ),
    "a slot of an instance": Edit(
        "THING.factor",
        "class Thing:\n    __slots__ = ('factor',)\n    def __init__(self, n):\n        self.factor = n\nTHING = Thing(2)",
    ),
    "an instance in an instance": Edit(
        "THING.inner.factor",
        """
        class Thing:
            def __init__(self, **parts):
                self.__dict__.update(parts)
        THING = Thing(inner=Thing(factor=2))
        """,
    ),
    "what a method of the state was given": Edit(
        "THING.factor",
        "class Thing:\n    def put(self, n):\n        self.factor = n\n        return self\nTHING = Thing().put(2)",
    ),
    "a default of a dataclass": Edit(
        "Thing().factor", "from dataclasses import dataclass\n@dataclass\nclass Thing:\n    factor: int = 2"
    ),
    "a field of a dataclass": Edit(
        "Thing().factor",
        "from dataclasses import dataclass, field\n@dataclass\nclass Thing:\n    factor: int = field(default=2)",
    ),
    "a factory of defaults": Edit(
        "Thing().factors[0]",
        """
        from dataclasses import dataclass, field
        @dataclass
        class Thing:
            factors: list = field(default_factory=lambda: [2])
        """,
    ),
    "a value of a frozen dataclass": Edit(
        "THING.factor",
        """
        from dataclasses import dataclass
        @dataclass(frozen=True, slots=True)
        class Thing:
            factor: int
        THING = Thing(2)
        """,
    ),
    "a default of a named tuple": Edit(
        "Thing().factor", "from typing import NamedTuple\nclass Thing(NamedTuple):\n    factor: int = 2"
    ),
    "a value of a named tuple": Edit(
        "THING.factor", "from collections import namedtuple\nThing = namedtuple('Thing', 'factor')\nTHING = Thing(2)"
    ),
    "a property": Edit("Thing().factor", "class Thing:\n    @property\n    def factor(self):\n        return 2"),
    "a cached property": Edit(
        "Thing().factor",
        "from functools import cached_property\nclass Thing:\n    @cached_property\n    def factor(self):\n        return 2",
    ),
    "a descriptor": Edit(
        "Thing().factor",
        """
        class Fixed:
            def __init__(self, n):
                self.n = n
            def __get__(self, owner, kind):
                return self.n
        class Thing:
            factor = Fixed(2)
        """,
    ),
    "a value of an enumeration": Edit("Kind.ONE.value", "from enum import Enum\nclass Kind(Enum):\n    ONE = 2"),
    "a method of an enumeration": Edit(
        "Kind.ONE.give()", "from enum import Enum\nclass Kind(Enum):\n    ONE = 1\n    def give(self):\n        return 2"
    ),
    "an integer enumeration": Edit("int(Kind.ONE)", "from enum import IntEnum\nclass Kind(IntEnum):\n    ONE = 2"),
    "a callable object": Edit("THING()", "class Thing:\n    def __call__(self):\n        return 2\nTHING = Thing()"),
    "the state of a callable object": Edit(
        "THING()",
        """
        class Thing:
            def __init__(self, n):
                self.n = n
            def __call__(self):
                return self.n
        THING = Thing(2)
        """,
    ),
    "a bound method": Edit("give()", "class Thing:\n    def give(self):\n        return 2\ngive = Thing().give"),
    "the object of a bound method": Edit(
        "give()",
        """
        class Thing:
            def __init__(self, n):
                self.n = n
            def give(self):
                return self.n
        give = Thing(2).give
        """,
    ),
    "the object of a bound method of Python": Edit("get('a')", "get = {'a': 2}.get"),
    "a partial method": Edit(
        "Thing().two()",
        """
        from functools import partialmethod
        class Thing:
            def give(self, n):
                return n
            two = partialmethod(give, 2)
        """,
    ),
    "a cached function": Edit("helper()", "from functools import cache\n@cache\ndef helper():\n    return 2"),
    "what a decorated function wraps": Edit(
        "helper()",
        """
        from functools import wraps
        def plain(function):
            @wraps(function)
            def inner():
                return function()
            return inner
        @plain
        def helper():
            return 2
        """,
    ),
    "what wraps a function": Edit(
        "helper()",
        """
        from functools import wraps
        def twice(function):
            @wraps(function)
            def inner():
                return function() * 2
            return inner
        @twice
        def helper():
            return 1
        """,
    ),
    "an argument of a decorator": Edit(
        "helper()",
        """
        from functools import wraps
        def times(n):
            def decorate(function):
                @wraps(function)
                def inner():
                    return function() * n
                return inner
            return decorate
        @times(2)
        def helper():
            return 1
        """,
    ),
    "a function for one kind": Edit(
        "helper(1)",
        """
        from functools import singledispatch
        @singledispatch
        def helper(x):
            return 1
        @helper.register(int)
        def _(x):
            return 2
        """,
    ),
    "a context manager": Edit(
        "helper()",
        """
        from contextlib import contextmanager
        @contextmanager
        def factor():
            yield 2
        def helper():
            with factor() as found:
                return found
        """,
    ),
    "a vectorised function": Edit(
        "int(helper(1))", "import numpy as np\ndef one(x):\n    return 2\nhelper = np.vectorize(one, otypes=[int])"
    ),
    "a ufunc of ours": Edit(
        "int(helper(1))", "import numpy as np\ndef one(x):\n    return 2\nhelper = np.frompyfunc(one, 1, 1)"
    ),
    "a ufunc of another module": Edit(
        "int(helper(1))", "from .parts import helper", "import numpy as np\nhelper = np.frompyfunc(lambda x: 2, 1, 1)"
    ),
    "an object of a library": Edit("int(POLY(1))", "import numpy as np\nPOLY = np.polynomial.Polynomial([2])"),
    "a namespace": Edit("SPACE.factor", "from types import SimpleNamespace\nSPACE = SimpleNamespace(factor=2)"),
    "a dictionary of our own": Edit("TABLE['a']", "class Table(dict):\n    pass\nTABLE = Table(a=2)"),
    "what a dictionary of our own does": Edit(
        "TABLE['b']", "class Table(dict):\n    def __missing__(self, key):\n        return 2\nTABLE = Table()"
    ),
    "a table that functions fill": Edit(
        "helper('a')",
        "MEMORY = {'a': 2}\ndef helper(key):\n    if key not in MEMORY:\n        MEMORY[key] = 1\n    return MEMORY[key]",
    ),
    "a class that a function makes": Edit(
        "Thing().give()",
        "def make(n):\n    class Thing:\n        def give(self):\n            return n\n    return Thing\nThing = make(2)",
    ),
    "a class that exec makes": Edit(
        "NAMES['Thing']().give()",
        "NAMES = {}\nexec('class Thing:\\n    def give(self):\\n        return 2', NAMES)",
    ),
    "a class made by type": Edit("Thing.factor", "Thing = type('Thing', (), {'factor': 2})"),
    "a method that was put there later": Edit(
        "Thing().give()", "class Thing:\n    pass\ndef give(self):\n    return 2\nThing.give = give"
    ),
    "a function that was replaced": Edit(
        "p.helper()", "from . import parts as p\np.helper = lambda: 2", "def helper():\n    return 1"
    ),
    "an operator": Edit("helper()", "def helper():\n    return 1 + 1", old="1 + 1", new="1 + 1 + 1"),
    "the order of a table": Edit(
        "next(iter(TABLE.values()))", "TABLE = {'a': 2, 'b': 3}", old="{'a': 2, 'b': 3}", new="{'b': 3, 'a': 2}"
    ),
    "a file that is read": Edit("FACTOR", "from .parts import FACTOR", "import json\nFACTOR = json.loads('[2]')[0]"),
}

EDITS |= {
    "a case of a match": Edit(
        "helper(1)",
        "def helper(kind):\n    match kind:\n        case 0:\n            return 1\n        case _:\n            return 2",
    ),
    "a pattern of a match": Edit(
        "helper(7)",
        """
        def helper(kind):
            match kind:
                case 2:
                    return 2
                case 7:
                    return 2
                case _:
                    return 3
        """,
        old="case 7",
        new="case 8",
    ),
    "an override in a subclass": Edit(
        "Thing().give()",
        """
        class Base:
            def give(self):
                return 1
        class Thing(Base):
            def give(self):
                return super().give() * 2
        """,
    ),
    "a base of a base in another module": Edit(
        "Thing().give()",
        "from .parts import Base\nclass Middle(Base):\n    pass\nclass Thing(Middle):\n    pass",
        "class Base:\n    def give(self):\n        return 2",
    ),
    "what a class makes of its subclasses": Edit(
        "Thing.factor",
        "class Base:\n    def __init_subclass__(cls):\n        cls.factor = 2\nclass Thing(Base):\n    pass",
    ),
    "a decorator of a class": Edit(
        "Thing.factor", "def decorated(kind):\n    kind.factor = 2\n    return kind\n@decorated\nclass Thing:\n    pass"
    ),
    "an operator of a class": Edit("(Thing() + 1)", "class Thing:\n    def __add__(self, other):\n        return other * 2"),
    "an item of a class": Edit("Thing()[0]", "class Thing:\n    def __getitem__(self, key):\n        return 2"),
    "an attribute that is asked for": Edit("Thing().any", "class Thing:\n    def __getattr__(self, name):\n        return 2"),
    "the length of an object": Edit("len(Thing())", "class Thing:\n    def __len__(self):\n        return 2"),
    "an iteration": Edit(
        "sum(Thing())", "class Thing:\n    def __iter__(self):\n        return iter((1, 1))", old="(1, 1)", new="(1, 2)"
    ),
    "what a context gives": Edit(
        "helper()",
        """
        class Context:
            def __enter__(self):
                return 2
            def __exit__(self, *error):
                return None
        def helper():
            with Context() as found:
                return found
        """,
    ),
    "an attribute of a module that is asked for": Edit(
        "p.anything",
        "from . import parts as p",
        "def __getattr__(name):\n    if name == 'anything':\n        return 2\n    raise AttributeError(name)",
    ),
    "a module by its name": Edit("importlib.import_module('PACKAGE.parts').FACTOR", "import importlib", "FACTOR = 2"),
    "a module among all": Edit("sys.modules['PACKAGE.parts'].FACTOR", "import sys\nfrom . import parts", "FACTOR = 2"),
    "a text that is evaluated": Edit("eval(TEXT)", "TEXT = '2'"),
    "what a text names": Edit("eval('FACTOR')", "FACTOR = 2"),
    "a factory of a dictionary": Edit("TABLE['a']", "from collections import defaultdict\nTABLE = defaultdict(lambda: 2)"),
    "a chain of dictionaries": Edit("TABLE['a']", "from collections import ChainMap\nTABLE = ChainMap({}, {'a': 2})"),
    "a counter": Edit("TABLE['a']", "from collections import Counter\nTABLE = Counter(['a'] * 2)"),
    "a queue": Edit("QUEUE[0]", "from collections import deque\nQUEUE = deque([2])"),
    "an array of Python": Edit("ARRAY[0]", "from array import array\nARRAY = array('l', [2])"),
    "bytes": Edit("BYTES[0]", "BYTES = bytes([2])"),
    "bytes that change": Edit("BYTES[0]", "BYTES = bytearray([2])"),
    "a getter of items": Edit("get([1, 1, 2, 3])", "from operator import itemgetter\nget = itemgetter(2)"),
    "a caller of methods": Edit(
        "call([1, 2, 2, 3, 3, 3])", "from operator import methodcaller\ncall = methodcaller('count', 2)"
    ),
    "a variable of a context": Edit(
        "VARIABLE.get()", "from contextvars import ContextVar\nVARIABLE = ContextVar('VARIABLE', default=2)"
    ),
    "a mapping that cannot be written to": Edit(
        "TABLE['a']", "from types import MappingProxyType\nTABLE = MappingProxyType({'a': 2})"
    ),
    "a method for one kind": Edit(
        "Thing().give(1)",
        """
        from functools import singledispatchmethod
        class Thing:
            @singledispatchmethod
            def give(self, x):
                return 1
            @give.register
            def _(self, x: int):
                return 2
        """,
    ),
    "a cached method": Edit(
        "Thing().give()",
        "from functools import lru_cache\nclass Thing:\n    @lru_cache\n    def give(self):\n        return 2",
    ),
    "a cached function of another module": Edit(
        "helper()",
        "from .parts import helper",
        "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef helper():\n    return 2",
    ),
    "a default that is a function": Edit(
        "helper()", "def one():\n    return 2\ndef helper(function=one):\n    return function()"
    ),
    "a default that is an object": Edit(
        "helper()", "class Thing:\n    factor = 2\ndef helper(thing=Thing()):\n    return thing.factor"
    ),
    "a default in a dictionary": Edit("TABLE['a']()", "TABLE = {'a': lambda n=2: n}"),
    "a lambda in a list of lists": Edit("LIST[0][0](1)", "LIST = [[lambda n: n * 2]]"),
    "a lambda in an array": Edit("ARRAY[0](1)", "import numpy as np\nARRAY = np.array([lambda n: n * 2], dtype=object)"),
    "a member of a flag": Edit("Kind.ONE.value", "from enum import Flag\nclass Kind(Flag):\n    ONE = 2"),
    "a member that is missing": Edit(
        "Kind('x').value",
        """
        from enum import Enum
        class Kind(Enum):
            ONE = 2
            @classmethod
            def _missing_(cls, value):
                return cls.ONE
        """,
    ),
    "a property of a base": Edit(
        "Thing().factor", "class Base:\n    @property\n    def factor(self):\n        return 2\nclass Thing(Base):\n    pass"
    ),
    "a setter": Edit(
        "made().kept",
        """
        class Thing:
            @property
            def factor(self):
                return 1
            @factor.setter
            def factor(self, n):
                self.kept = n * 2
        def made():
            thing = Thing()
            thing.factor = 1
            return thing
        """,
    ),
    "a loop": Edit("helper()", "def helper():\n    n = 0\n    for _ in range(2):\n        n += 1\n    return n"),
    "a branch that is taken": Edit("helper()", "def helper():\n    return 1 if not FLAG else 2\nFLAG = True"),
    "a flag": Edit("helper()", "def helper():\n    return 2 if FLAG else 3\nFLAG = True", old="True", new="False"),
    "an error that is caught": Edit(
        "helper()", "def helper():\n    try:\n        return {}['a']\n    except KeyError:\n        return 2"
    ),
    "an import where it fits": Edit(
        "FACTOR", "try:\n    from .parts import FACTOR\nexcept ImportError:\n    FACTOR = 1", "FACTOR = 2"
    ),
    "a class method of a class of another module": Edit(
        "p.Thing.give()", "from . import parts as p", "class Thing:\n    @classmethod\n    def give(cls):\n        return 2"
    ),
    "a class in a class": Edit("Thing.Inner.factor", "class Thing:\n    class Inner:\n        factor = 2"),
    "an instance that a class holds": Edit(
        "Thing.inner.factor",
        "class Inner:\n    def __init__(self, n):\n        self.factor = n\nclass Thing:\n    inner = Inner(2)",
    ),
    "a file beside the module": Edit(
        "helper()",
        "from pathlib import Path\ndef helper():\n    return int(Path(__file__).with_name('parts.py').read_text().split()[-1])",
        "FACTOR = 2",
    ),
    "a file that a constant names": Edit(
        "helper()",
        """
        from pathlib import Path
        FILE = Path(__file__).with_name('parts.py')
        def helper():
            return int(FILE.read_text().split()[-1])
        """,
        "FACTOR = 2",
    ),
    "a file that is opened": Edit(
        "helper()",
        """
        import os
        def helper():
            with open(os.path.join(os.path.dirname(__file__), 'parts.py')) as file:
                return int(file.read().split()[-1])
        """,
        "FACTOR = 2",
    ),
    "a star of arguments": Edit("helper(*LIST)", "LIST = [1, 2]\ndef helper(a, b):\n    return b", old="[1, 2]", new="[1, 3]"),
    "a global that a function writes": Edit(
        "helper()", "FACTOR = 1\ndef helper():\n    global FACTOR\n    FACTOR = 2\n    return FACTOR"
    ),
    "an attribute that is put on a class of another module": Edit(
        "p.Thing.factor", "from . import parts as p\np.Thing.factor = 2", "class Thing:\n    factor = 1"
    ),
    "a registry that a function fills": Edit(
        "TABLE['a']", "TABLE = {}\ndef register(name, value):\n    TABLE[name] = value\nregister('a', 2)"
    ),
    "a function under a decorator that registers it": Edit(
        "TABLE['f']()",
        "TABLE = {}\ndef register(f):\n    TABLE[f.__name__] = f\n    return f\n@register\ndef f():\n    return 2",
    ),
    "a global that a call sets": Edit(
        "helper()",
        "FACTOR = 1\ndef configure(n):\n    global FACTOR\n    FACTOR = n\nconfigure(2)\ndef helper():\n    return FACTOR",
    ),
    "a setting of another module": Edit(
        "p.LIMIT[0]", "from . import parts as p\np.set_limit(2)", "LIMIT = [0]\ndef set_limit(n):\n    LIMIT[0] = n"
    ),
    "a setting that a module sets, which the module of the claim imports": Edit(
        "LIMIT[0]",
        "from .inner import deep\nfrom .parts import LIMIT",
        "LIMIT = [0]\ndef set_limit(n):\n    LIMIT[0] = n",
        "from PACKAGE.parts import set_limit\nset_limit(2)",
    ),
    "a list that a function fills and another closes over": Edit(
        "F()",
        """
        def make(n):
            bounds = []
            def add(v):
                bounds.append(v)
            add(n)
            return lambda: bounds[0]
        F = make(2)
        """,
    ),
    "an object that a method fills": Edit(
        "T.bounds[0]",
        """
        class Table:
            def __init__(self):
                self.bounds = []
            def add(self, n):
                self.bounds.append(n)
                return self
        T = Table().add(2)
        """,
    ),
    "an attribute that a method sets anew": Edit(
        "T.limit",
        """
        class Table:
            limit = 0
            def set(self, n):
                self.limit = max(self.limit, n)
                return self
        T = Table().set(2)
        """,
    ),
    "a function with an attribute that a call sets": Edit(
        "helper()", "def helper():\n    return helper.n\ndef configure(n):\n    helper.n = n\nconfigure(2)"
    ),
    "a deque of ours": Edit("D[0]", "from collections import deque\nclass Queue(deque):\n    pass\nD = Queue([2])"),
    "what an error says": Edit("E.args[0]", "E = OverflowError(2)"),
    "a ufunc in a dictionary": Edit("TABLE['u'](1)", "import numpy as np\nTABLE = {'u': np.frompyfunc(lambda v: v * 2, 1, 1)}"),
    "a polynomial in a tuple": Edit("int(P[0][0])", "from flint import fmpz_poly\nP = (fmpz_poly([2]),)"),
    "a docstring that is asked for": Edit("int(helper.__doc__)", "def helper():\n    '2'"),
    "an annotation that is asked for": Edit("Bounds.__annotations__['upper']", "class Bounds:\n    upper: 2"),
    "a name that is put together": Edit("helper.__globals__['FAC' + 'TOR']", "FACTOR = 2\ndef helper():\n    pass"),
    "an iterator": Edit(
        "next(COUNT) * 0 + helper()", "import itertools\nCOUNT = itertools.repeat(2)\ndef helper():\n    return next(COUNT)"
    ),
}

# what stands elsewhere than where it is asked for, and what is said of classes and fields besides their values
EDITS |= {
    "metadata of a field": Edit(
        "fields(Thing)[0].metadata['most']",
        """
        from dataclasses import dataclass, field, fields
        @dataclass
        class Thing:
            one: int = field(default=1, metadata={'most': 2})
        """,
    ),
    "a field that its text leaves out": Edit(
        "(2 if 'one' in repr(Thing()) else 3)",
        """
        from dataclasses import dataclass, field
        @dataclass
        class Thing:
            one: int = field(default=1, repr=True)
        """,
        old="True",
        new="False",
    ),
    "the order of a pattern": Edit(
        "helper(Pair())",
        """
        class Pair:
            __match_args__ = ('first', 'second')
            first, second = 2, 3
        def helper(pair):
            match pair:
                case Pair(one):
                    return one
        """,
        old="('first', 'second')",
        new="('second', 'first')",
    ),
    "what a protocol asks for": Edit(
        "(2 if isinstance(THING, Kind) else 3)",
        """
        from typing import Protocol, runtime_checkable
        @runtime_checkable
        class Kind(Protocol):
            one: int
        class Thing:
            one = 1
        THING = Thing()
        """,
        old="    one: int",
        new="    two: int",
    ),
    "what an abstract class counts as its own": Edit(
        "(2 if isinstance(1, Kind) else 3)",
        "from abc import ABC\nclass Kind(ABC):\n    pass\nKind.register(int)",
        old="register(int)",
        new="register(str)",
    ),
    "subclasses that a base lists": Edit(
        "sum(one.factor for one in Base.__subclasses__())",
        "class Base:\n    pass\nclass Thing(Base):\n    factor = 2",
    ),
    "a hint of a type": Edit(
        "helper()",
        """
        import typing
        class Thing:
            one: typing.Literal[2]
        def helper():
            return typing.get_args(typing.get_type_hints(Thing)['one'])[0]
        """,
    ),
    "an attribute of a class that begins like those of abstract classes": Edit(
        "Thing._abc_factor", "class Thing:\n    _abc_factor = 2"
    ),
    "an attribute that is put on an enumeration": Edit(
        "Kind.factor", "from enum import Enum\nclass Kind(Enum):\n    ONE = 1\nKind.factor = 2"
    ),
    "an attribute that is put on a member": Edit(
        "Kind.ONE.factor", "from enum import Enum\nclass Kind(Enum):\n    ONE = 1\nKind.ONE.factor = 2"
    ),
    "a module with a class of its own": Edit(
        "p.factor",
        "from . import parts as p",
        """
        import sys, types
        class Module(types.ModuleType):
            @property
            def factor(self):
                return 2
        sys.modules[__name__].__class__ = Module
        """,
    ),
    "a function that is put into a module of Python": Edit(
        "fractions.put_by_edits()", "import fractions\nfractions.put_by_edits = lambda: 2"
    ),
    "a function that is put there and imported while it runs": Edit(
        "helper()",
        """
        import fractions
        fractions.put_by_edits = lambda: 2
        def helper():
            from fractions import put_by_edits
            return put_by_edits()
        """,
    ),
    "a number that is put into a module of NumPy": Edit("np.PUT_BY_EDITS", "import numpy as np\nnp.PUT_BY_EDITS = 2"),
    "a number that is put among Python's names": Edit("PUT_BY_EDITS", "import builtins\nbuiltins.PUT_BY_EDITS = 2"),
    "a method that is put on a class of the engine": Edit(
        "Q(1).put_by_edits()", "from verify import Q\nQ.put_by_edits = lambda self: 2"
    ),
    "an attribute that is put on a word": Edit("ge.put_by_edits", "ge.put_by_edits = 2"),
    "the module itself by its name": Edit("getattr(sys.modules[__name__], 'FACTOR')", "import sys\nFACTOR = 2"),
    "a module by a name that is put together": Edit(
        "importlib.import_module(f'{__package__}.parts').FACTOR", "import importlib", "FACTOR = 2"
    ),
    "a module that Python's function imports": Edit(
        "__import__(__package__ + '.parts', fromlist=['FACTOR']).FACTOR", "", "FACTOR = 2"
    ),
    "a file in a folder": Edit(
        "int((Path(__file__).parent / 'inner' / 'deep.py').read_text().split()[-1])",
        "from pathlib import Path",
        deep="FACTOR = 2",
    ),
    "a file that is looked for": Edit(
        "int(next(HERE.glob('d*p.py')).read_text().split()[-1])",
        "from pathlib import Path\nHERE = Path(__file__).parent / 'inner'",
        deep="FACTOR = 2",
    ),
    "an attribute of a partial": Edit("helper.factor", "helper = partial(int)\nhelper.factor = 2"),
    "an attribute of a cached function": Edit(
        "helper.factor", "from functools import cache\n@cache\ndef helper():\n    return 1\nhelper.factor = 2"
    ),
    "an attribute of a function for kinds": Edit(
        "helper.factor",
        "from functools import singledispatch\n@singledispatch\ndef helper(x):\n    return 1\nhelper.factor = 2",
    ),
    "a partial of ours": Edit("helper()", "class Own(partial):\n    def __call__(self):\n        return 2\nhelper = Own(int)"),
    "a path of ours": Edit(
        "HERE.factor", "from pathlib import PurePosixPath\nclass Place(PurePosixPath):\n    factor = 2\nHERE = Place('x')"
    ),
    "an operator that exec writes": Edit(
        "Thing()()",
        "NAMES = {}\nexec('class Thing:\\n    def __call__(self):\\n        return 2', NAMES)\nThing = NAMES['Thing']",
    ),
    "the order of an ordered dictionary": Edit(
        "next(iter(TABLE))",
        "from collections import OrderedDict\nTABLE = OrderedDict([(2, 0), (3, 0)])\nTABLE.move_to_end(3)",
        old="to_end(3)",
        new="to_end(2)",
    ),
    "a number that is put on a class of Python": Edit(
        "Fraction.PUT_BY_EDITS", "from fractions import Fraction\nFraction.PUT_BY_EDITS = 2"
    ),
    "a function that is put on a class of NumPy": Edit(
        "np.poly1d.put_by_edits()", "import numpy as np\nnp.poly1d.put_by_edits = staticmethod(lambda: 2)"
    ),
    "a number that is put into a module without a list of its names": Edit(
        "itertools.PUT_BY_EDITS", "import itertools\nitertools.PUT_BY_EDITS = 2"
    ),
    "an object that is put into a module of Python": Edit(
        "fractions.PUT_BY_EDITS()",
        "import fractions\nclass Thing:\n    def __call__(self):\n        return 2\nfractions.PUT_BY_EDITS = Thing()",
    ),
    "the type of a field": Edit(
        "int(fields(Thing)[0].type)", "from dataclasses import dataclass, fields\n@dataclass\nclass Thing:\n    a: '2' = 0"
    ),
    "an annotation of an argument": Edit(
        "int(inspect.signature(helper).parameters['a'].annotation)", "import inspect\ndef helper(a: '2'):\n    pass"
    ),
    "a class inside a type": Edit("KIND.__args__[0].factor", "class Thing:\n    factor = 2\nKIND = list[Thing]"),
    "a cached property that is set": Edit(
        "THING.factor",
        """
        from functools import cached_property
        class Thing:
            @cached_property
            def factor(self):
                return 1
        THING = Thing()
        THING.factor = 2
        """,
        old="factor = 2",
        new="factor = 3",
    ),
}

DOMAIN_EDITS = {
    "a hypothesis": ("return x > 0", "return x > 1"),
    "a helper of a variable": ("return 2 * x", "return 3 * x"),
    "an interval": ("interval(1, 2)", "interval(1, 3)"),
    "an end of an interval that floats do not tell": ("interval(1, 2)", "interval(1, Fraction(1, 3) + 2)"),
}


def write(folder: Path, files: dict[str, str], package: str) -> None:
    for name, text in files.items():
        path = folder / package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("PACKAGE", package))


def claim_of(package: str):
    """The claim of a package as its files are now."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    claims_in.cache_clear()
    importlib.invalidate_caches()
    return catalogue(package)["edited.claim"]
