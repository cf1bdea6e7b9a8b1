"""The source of everything that a function reaches, values included, as one text that is the same in every process."""

from __future__ import annotations

import abc
import builtins
import dataclasses
import decimal
import enum
import functools
import hashlib
import importlib.util
import operator
import re
import sys
import types
import typing
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz

from verify.claims.domain import Domain
from verify.evidence.code_text import (
    Code,
    all_names,
    chains_in,
    code_of,
    module_text,
    remembered_by,
    source_module,
    statements_of,
    text_of,
    written_in,
)
from verify.evidence.kept import NOT_THE_STATEMENT, files_in
from verify.linting.installed import is_followed
from verify.numbers.exactness import Q

_PLAIN = (type(None), bool, int, float, complex, bytes, type(...), type(NotImplemented))
_NUMBERS = (fmpq, fmpz, Fraction, Q, decimal.Decimal, range, slice)
_OF_MODULES = frozenset({"__file__", "__path__", "__cached__", "__spec__", "__loader__", "__builtins__", "__doc__", "__name__"})
_OF_CLASSES = frozenset(
    [
        "__module__",
        "__qualname__",
        "__doc__",
        "__dict__",
        "__weakref__",
        "__annotations__",
        "__annotate__",
        "__annotate_func__",
        "__annotations_cache__",
        "__firstlineno__",
        "__static_attributes__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__match_args__",
        "__abstractmethods__",
        "_abc_impl",
        "__orig_bases__",
        "__parameters__",
        "__type_params__",
        "__slots__",
        "__slotnames__",
        "__replace__",
        "__classcell__",
        "__protocol_attrs__",
        "__non_callable_proto_members__",
        "_is_protocol",
        "_is_runtime_protocol",
    ]
)
_MADE_IN_PYTHON = 1 << 9
"""The flag of a class that a statement made, `Py_TPFLAGS_HEAPTYPE`."""
_INDIRECT = frozenset({"globals", "eval", "exec"})
"""Functions by which the whole module is at hand."""
_LOOKS_INSIDE = frozenset(
    [
        *("__globals__", "__annotations__", "__doc__", "__code__", "__builtins__"),
        *("f_globals", "f_locals", "f_back", "f_builtins"),
        *("__slots__", "__orig_bases__", "__subclasses__", "__dataclass_fields__", "__value__", "get_type_hints", "getdoc"),
        *("getsource", "getsourcelines", "getcomments", "findsource", "get_annotations", "signature", "getfullargspec"),
    ]
)
"""Names by which a function is at what no fingerprint of values sees: texts, annotations, subclasses, names of a module."""
_REACHES_FILES = frozenset(
    [
        *("modules", "import_module", "__import__", "find_spec", "spec_from_file_location", "run_path", "run_module"),
        *("open", "read_text", "read_bytes", "read_csv", "fromfile", "genfromtxt", "load", "loadtxt", "memmap"),
        *("get_data", "glob", "iglob", "iterdir", "listdir", "rglob", "scandir"),
    ]
)
"""Names by which a function is at modules and files whose names it may put together: all of its package count."""
_BUILTIN = frozenset(vars(builtins))
"""Names that Python has; others were put there."""
_OF_DATACLASSES = frozenset(
    f"__{name}__" for name in ("init", "repr", "eq", "lt", "le", "gt", "ge", "hash", "setattr", "delattr", "replace")
)
"""Methods that `dataclass` writes."""
_OF_WRAPPERS = frozenset({"cache_parameters", "registry", "dispatch", "register", "_clear_cache"})
"""Attributes that the wrappers of `functools` have anyway."""
_OF_MATHS = frozenset({"pi", "e", "tau", "inf", "nan", "infj", "nanj"})
"""Numbers that modules without a file have."""
_OF_ABC = frozenset(f"_abc_{name}" for name in ("impl", "registry", "cache", "negative_cache", "negative_cache_version"))


def reached(roots: Mapping[str, Any]) -> str:
    """The text of `roots` and of everything that they reach."""
    walk = _Walk(_tops(roots.values()))
    for name, value in roots.items():
        walk.add(f"\n{name}: ")
        walk.visit(value)
    if walk.unseen:
        walk.add(f"\nmodules: {''.join(walk.modules())}")
    return "".join(walk.parts)


@dataclasses.dataclass(frozen=True)
class Within:
    """What roots reach, as far as their code is followed.

    Attributes
    ----------
    functions
        Each once.
    unseen
        What there is whose value no text shows, as a subject of a sentence: what functions write to, what hides its content.
    values
        All that was met and has a place in memory, by it.
    """

    functions: list[types.FunctionType]
    unseen: tuple[str, ...]
    values: Mapping[int, Any]


def within(roots: Iterable[Any]) -> Within:
    """What `roots` reach."""
    every = list(roots)
    walk = _Walk(_tops(every))
    for value in every:
        walk.visit(value)
    return Within(walk.functions, tuple(walk.unseen), {id(value): value for value in walk.met})


def _module_of(value: Any) -> str:
    """The module that made a function or a class; nothing where that is not known, as of what some compilers make."""
    module = getattr(value, "__module__", None)
    return module if isinstance(module, str) else ""


def _tops(values: Iterable[Any]) -> frozenset[str]:
    """The packages of the functions that are asked about: they are followed wherever they are installed."""
    tops = set()
    for value in values:
        while isinstance(value, functools.partial):
            value = value.func
        module = _module_of(value) or _module_of(type(value))
        tops.add(module.partition(".")[0])
    return frozenset(tops - {"verify", "builtins"} - sys.stdlib_module_names)


class _Walk:
    """Visits values, and writes down what they are; what was met before is named by its number."""

    def __init__(self, tops: frozenset[str], sorting: frozenset[int] = frozenset()) -> None:
        self.tops = tops
        self.parts: list[str] = []
        self.functions: list[types.FunctionType] = []
        self._numbers: dict[int, int] = {}
        # what is only made to be looked at must not give its place in memory to another
        self.met: list[Any] = []
        self.unseen: dict[str, None] = {}
        self._sorting = sorting

    @functools.cached_property
    def _put_there(self) -> Mapping[str, list[type]]:
        return _PUT_THERE.table()

    def add(self, text: str) -> None:
        self.parts.append(text)

    def hide(self, what: str) -> None:
        """Note what is left out, as the subject of a sentence: then all of the modules counts, for values come from there."""
        self.unseen[what] = None

    def modules(self) -> Iterator[str]:
        """The texts of the modules of the functions that were met, and of all of ours that these import."""
        raw = any(what.startswith("the attribute") for what in self.unseen)
        waiting = sorted({str(function.__globals__.get("__name__")) for function in self.functions})
        known = set(waiting)
        while waiting:
            module = sys.modules.get(waiting.pop(0))
            file = getattr(module, "__file__", None)
            if module is None or not isinstance(file, str) or not file.endswith(".py"):
                continue
            whole, imports = module_text(file)
            text = Path(file).read_text(encoding="utf-8") if raw else whole
            yield f" {module.__name__} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
            for name, level, imported in imports:
                for place in (name, f"{name}.{imported}" if imported and name else imported):
                    other = _module_named(vars(module), place, level) if place or level else None
                    if other is not None and other.__name__ not in known and self.is_own(other.__name__):
                        known.add(other.__name__)
                        waiting.append(other.__name__)

    def is_own(self, module: str | None) -> bool:
        """Whether the code of a module is followed; code without a module is that of a prompt, or of `exec`."""
        top = (module or "").partition(".")[0]
        return top in self.tops or not top or is_followed(top)

    def _is_own_class(self, kind: type) -> bool:
        module = _module_of(kind)
        if module not in ("", "builtins"):
            return self.is_own(module)
        # a class that `exec` made has no module, and neither have those of some compilers
        functions = [var for var in vars(kind).values() if isinstance(var, types.FunctionType)]
        return any(self.is_own(function.__globals__.get("__name__")) for function in functions)

    def _name(self, value: Any) -> str:
        module = _module_of(value)
        names = (getattr(value, name, None) for name in ("__qualname__", "__name__"))
        name = next((name for name in names if isinstance(name, str) and name), type(value).__qualname__)
        # where in a package of others something stands is their affair
        return f"{module if self.is_own(module) else module.partition('.')[0]}:{name}"

    def _met(self, value: Any) -> bool:
        """Whether `value` was met before, and if so its number is written; else it gets one."""
        number = self._numbers.get(id(value))
        if number is not None:
            self.add(f"#{number}")
            return True
        self._numbers[id(value)] = len(self._numbers)
        self.met.append(value)
        return False

    def visit(self, value: Any) -> None:
        kind = type(value)
        if kind is str:
            self.add(repr(self._without_places(value)))
        elif kind in _PLAIN:
            self.add(repr(value))
        elif kind in _NUMBERS:
            self.add(f"{kind.__name__} {value}")
        elif isinstance(value, np.generic):
            self.add(
                f"{value.dtype.str} {value!r}"
                if not isinstance(value, np.void)
                else f"{value.dtype.str} {value.tobytes().hex()}"
            )
        elif isinstance(value, arb):
            self.add(f"ball {value.mid().man_exp()} {value.rad().man_exp()}" if value.is_finite() else f"ball {value}")
        elif kind is tuple:
            self._each("(", value)
        elif isinstance(value, set | frozenset) and kind in (set, frozenset):
            self._set(value)
        elif self._met(value):
            return
        elif kind is list:
            self._each("[", value)
        elif kind in (dict, types.MappingProxyType):
            self._mapping(value)
        elif isinstance(value, types.ModuleType):
            self._module(value)
        elif isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        elif not self._of_python(value):
            self._instance(value)

    def _without_places(self, text: str) -> str:
        for top in self.tops:
            for place in getattr(sys.modules.get(top), "__path__", ()):
                text = text.replace(place, f"<{top}>")
        return text

    def _each(self, mark: str, values: Iterable[Any]) -> None:
        self.add(mark)
        for value in values:
            self.visit(value)
            self.add(",")
        self.add(")")

    def _mapping(self, values: Mapping[Any, Any]) -> None:
        self._each("{", (part for pair in values.items() for part in pair))

    def _set(self, values: Iterable[Any]) -> None:
        """The elements in an order that does not depend on their hashes: that of their texts."""
        inside = id(values) in self._sorting
        texts = []
        for value in values:
            walk = _Walk(self.tops, self._sorting | {id(values)})
            if inside:
                walk.add(self._name(value))
            else:
                walk.visit(value)
                self.functions += walk.functions
                self.met += walk.met
                self.unseen |= walk.unseen
            texts.append(("".join(walk.parts), value))
        self._each("set{", [text for text, _ in sorted(texts, key=operator.itemgetter(0))])

    def _module(self, module: types.ModuleType) -> None:
        if not self.is_own(module.__name__):
            self.add(f"module {module.__name__.partition('.')[0]}")
            return
        self.add(f"module {module.__name__}")
        for name, value in sorted(vars(module).items()):
            if name not in _OF_MODULES:
                self.add(f" {name}=")
                self.visit(value)

    # functions

    def _function(self, function: types.FunctionType) -> None:
        home = function.__globals__.get("__name__")
        if not self.is_own(home):
            self._function_of_others(function)
            return
        self.functions.append(function)
        code = code_of(function.__code__)
        self.add(f"function {function.__qualname__} {hashlib.sha256(code.text.encode()).hexdigest()[:16]}")
        self._cells(function, code)
        for name, value in (("defaults", function.__defaults__), ("keywords", function.__kwdefaults__)):
            if value:
                self.add(f" {name}=")
                self.visit(value)
        memory = written_in(function.__code__.co_filename)
        attributes = {
            name: value for name, value in vars(function).items() if name == "__wrapped__" or function.__name__ not in memory
        }
        if function.__name__ in memory:
            self.hide(f"an attribute of {function.__name__}, which a function changes,")
        self._looks_inside(function)
        self._reaches_files(function)
        if attributes:
            self.add(" attributes=")
            self._mapping(attributes)
        self._globals(function, code)
        self._put_on_others(function)
        self._named_by_texts(function)

    def _put_on_others(self, function: types.FunctionType) -> None:
        """Functions of ours that stand as methods in classes of `verify`, by the attributes that a function asks for."""
        table = self._put_there
        for name in sorted(table.keys() & all_names(function.__code__)) if table else ():
            for kind in table[name]:
                self.add(f" put on {kind.__name__}.{name}=")
                self.visit(vars(kind)[name])

    def _looks_inside(self, function: types.FunctionType) -> None:
        names = all_names(function.__code__) | set(_texts_of(function.__code__))
        of_fields = {"type"} if names >= {"fields", "type"} else set()  # the annotations of a dataclass
        for name in sorted(_LOOKS_INSIDE & names | of_fields):
            self.hide(f"the attribute {name}, which {function.__name__} asks for,")

    def _reaches_files(self, function: types.FunctionType) -> None:
        """All files of the package of a function that may put together the name of a module or of a file."""
        if _REACHES_FILES & all_names(function.__code__):
            top = (function.__globals__.get("__name__") or "").partition(".")[0]
            for place in getattr(sys.modules.get(top), "__path__", ()):
                self.add(f" files {_digest_of_all(place)}")

    def _named_by_texts(self, function: types.FunctionType) -> None:
        """What a function names by texts: modules of ours that are loaded, and files beside its own."""
        for text in _texts_of(function.__code__):
            module = sys.modules.get(text)
            if module is not None and self.is_own(text):
                self.add(f" named {text.partition('.')[2]}=")
                self.visit(module)
            file = _beside(function.__code__.co_filename, text)
            if file is not None:
                self.add(f" file {text} {_digest_of(file, file.stat().st_mtime_ns)}")

    def _cells(self, function: types.FunctionType, code: Code) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # not yet filled
                continue
            self.add(f" closed {name}=")
            if name in code.written and not isinstance(value, types.FunctionType | type):
                # what a function remembers differs from process to process
                self.hide(f"{name}, which a function changes,")
                self.add(f"kept by {hashlib.sha256(code.outermost.encode()).hexdigest()[:16]}")
            else:
                self.visit(value)

    def _function_of_others(self, function: types.FunctionType) -> None:
        """A function of a package that is not followed: its name, and what of ours it was made from."""
        if not self.is_own(_module_of(function)) and "<locals>" not in function.__qualname__:
            self.add(f"function {self._name(function)}")  # theirs altogether
            return
        home = (function.__globals__.get("__name__") or "").partition(".")[0]
        self.add(f"function {home}:{function.__code__.co_qualname.partition('.')[0]}")
        registry = getattr(function, "registry", None)
        if isinstance(registry, types.MappingProxyType):  # functools.singledispatch
            for kind, implementation in sorted(registry.items(), key=lambda pair: self._name(pair[0])):
                self.add(f" for {self._name(kind)}=")
                self.visit(implementation)
            self._attributes(function)
            return
        self._attributes(function)
        if hasattr(function, "__wrapped__"):
            self.add(" wraps=")
            self.visit(function.__wrapped__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            # their lists, dictionaries and objects may be what they remember
            shows = callable(value) or isinstance(value, (*_PLAIN, *_NUMBERS, str, tuple, np.ndarray))
            if shows or self._is_own_class(type(value)):
                self.add(f" closed {name}=")
                self.visit(value)

    def _globals(self, function: types.FunctionType, code: Code) -> None:
        space = function.__globals__
        path = function.__code__.co_filename
        free = {*function.__code__.co_freevars}
        for chain in code.chains:
            if chain[0] in space and chain[0] not in free and chain[0] not in _OF_MODULES:
                self._chain(space, chain, path)
            elif chain[0] in _INDIRECT and chain[0] not in free:
                module = sys.modules.get(space.get("__name__", ""))
                if module is not None and self.is_own(module.__name__):
                    self.add(" all=")
                    self.visit(module)
            elif chain[0] not in free and chain[0] in vars(builtins):
                value = vars(builtins)[chain[0]]
                # shells put their last result and functions of their own there
                of_a_shell = chain[0] == "_" or callable(value)
                if self._is_put_there(value) or (chain[0] not in _BUILTIN and not of_a_shell):
                    self.add(f" {chain[0]}=")
                    self.visit(value)
        for named, level, imported in code.imports:
            self._import(space, named, level, imported)

    def _chain(self, space: Mapping[str, Any], chain: tuple[str, ...], path: str) -> None:
        value, names = space[chain[0]], list(chain[1:])
        name = chain[0]
        while isinstance(value, types.ModuleType) and names:
            if not self.is_own(value.__name__):
                self._of_another(value, names)
                return
            path = getattr(value, "__file__", None) or ""
            name = names.pop(0)
            if name not in vars(value):
                asked = vars(value).get("__getattr__") if type(value) is types.ModuleType else type(value)
                if asked is not None:
                    self.add(f" {'.'.join(chain)} by=")
                    self.visit(asked)
                return
            value = vars(value)[name]
        if isinstance(value, types.ModuleType) and not self.is_own(value.__name__):
            return
        self.add(f" {'.'.join(chain[: len(chain) - len(names)])}=")
        self._global(value, name, path, space)
        if names and self._is_put_on(value, names[0]):
            self.add(f" {names[0]} of it=")
            self.visit(vars(value)[names[0]])

    def _is_put_on(self, value: Any, name: str) -> bool:
        """Whether ours may have put an attribute on a function or a class of others: all on functions, functions and data."""
        if not isinstance(value, types.FunctionType | type) or self.is_own(_module_of(value)) or name not in vars(value):
            return False
        put = vars(value)[name]
        return isinstance(value, types.FunctionType) or type(put) in (*_PLAIN, *_NUMBERS, str) or self._is_put_there(put)

    def _attributes(self, wrapper: Any) -> None:
        """What was put on a wrapper of Python's, such as a partial or a cached function."""
        for name, value in sorted(getattr(wrapper, "__dict__", {}).items()):
            if not re.fullmatch("__.*__", name) and name not in _OF_WRAPPERS:
                self.add(f" {name}=")
                self.visit(value)

    def _of_another(self, module: types.ModuleType, names: list[str]) -> None:
        """What a chain of names in a module of others stands for: the text names it, unless it was put there by ours."""
        value: Any = module
        for name in names:
            if self._is_put_on(value, name):
                self.add(f" put on as {'.'.join(names)}=")
                self.visit(vars(value)[name])
                return
            if not isinstance(value, types.ModuleType) or name not in vars(value):
                return
            known, file = getattr(value, "__all__", None), getattr(value, "__file__", None) or ""
            value = vars(value)[name]
            kept = isinstance(value, types.ModuleType) or callable(value) or (known is not None and name in known)
            if known is None and type(value) in (*_PLAIN, *_NUMBERS, str):
                kept = bool(statements_of(file, name)) if file.endswith(".py") else name in _OF_MATHS
            elif known is None:
                kept = True
            if not kept or self._is_put_there(value):
                self.add(f" put there as {'.'.join(names)}=")
                self.visit(value)
                return

    def _is_put_there(self, value: Any) -> bool:
        """Whether what stands in a module of others is a function or a class of ours, made from one, or an object of ours."""
        inside = value.func if isinstance(value, functools.partial) else getattr(value, "__wrapped__", value)
        if not isinstance(inside, types.FunctionType | type):
            home = sys.modules.get(_module_of(type(inside)))  # what compiled modules make in memory has no spec
            return getattr(home, "__spec__", None) is not None and self._is_own_class(type(inside))
        return _module_of(inside) not in ("", "builtins") and self.is_own(_module_of(inside))

    def _global(self, value: Any, name: str, path: str, space: Mapping[str, Any]) -> None:
        """What a name of a module stands for; of what functions remember there, and of what shows nothing, how it is made."""
        remembers = name in written_in(path) and not isinstance(value, types.FunctionType | type | types.ModuleType)
        if remembers:
            self.hide(f"{name}, which a function changes,")
        else:
            self.visit(value)
        if remembers or _is_opaque(value):
            self._statements(name, path, space)

    def _statements(self, name: str, path: str, space: Mapping[str, Any]) -> None:
        key = f"{path}:{name}"
        if key in self._numbers:  # type: ignore[comparison-overlap]
            return
        self._numbers[key] = len(self._numbers)  # type: ignore[index]
        origin = source_module(path, name)
        if origin is not None:
            module = _module_named(space, origin[0], origin[1])
            if module is not None and self.is_own(module.__name__) and getattr(module, "__file__", None):
                self._statements(origin[2], module.__file__ or "", vars(module))
            return
        for statement in statements_of(path, name):
            self.add(f" made by {text_of(statement)}")
            for chain in chains_in(statement):
                if chain[0] != name and chain[0] in space and chain[0] not in _OF_MODULES:
                    self._chain(space, chain, path)

    def _import(self, space: Mapping[str, Any], name: str, level: int, imported: str) -> None:
        """What a function imports while it runs."""
        module = _module_named(space, name, level)
        if module is not None and not self.is_own(module.__name__) and imported:
            self._of_another(module, [imported])
        if module is None or not self.is_own(module.__name__):
            return
        self.add(f" import {name} {imported}=")
        if not imported or imported == "*":
            self.visit(module)
        elif imported in vars(module):
            self._global(vars(module)[imported], imported, getattr(module, "__file__", None) or "", vars(module))
        else:
            inner = _module_named({}, f"{module.__name__}.{imported}", 0)
            if inner is not None:
                self.visit(inner)

    # classes and their instances

    def _class(self, kind: type) -> None:
        self.add(f"class {self._name(kind)}")
        if not self._is_own_class(kind):
            return
        self._each(" of (", kind.__bases__)
        if type(kind) is not type:
            self.add(" meta=")
            self.visit(type(kind))
        if issubclass(kind, enum.Enum):
            for name, member in kind.__members__.items():
                self.add(f" {name}=")
                self.visit(member.value)
                for other, part in sorted(vars(member).items()):
                    if not re.fullmatch("_.*_|__objclass__", other):
                        self.add(f" {name}.{other}=")
                        self.visit(part)
        made = dataclasses.is_dataclass(kind) and "__dataclass_fields__" in vars(kind)
        if made:
            self._fields(kind)
        for name, value in sorted(vars(kind).items()):
            if name in _OF_CLASSES or isinstance(value, types.MemberDescriptorType | types.GetSetDescriptorType):
                continue
            own = _is_code(value) or not re.fullmatch("_.*_", name)
            if issubclass(kind, enum.Enum) and (name in kind.__members__ or not own or _is_generated(value, kind)):
                continue
            if _is_generated(value, kind) or (name == "__hash__" and value is None) or name in _OF_ABC:
                continue
            self.add(f" {name}=")
            self.visit(value)
        self._said_of(kind)

    def _said_of(self, kind: type) -> None:
        """What patterns and `isinstance` ask of a class, where it was written by hand."""
        inside = vars(kind)
        matched = inside.get("__match_args__", ())
        made = [field.name for field in dataclasses.fields(kind) if field.init and not field.kw_only] if (
            "__dataclass_fields__" in inside
        ) else [*inside.get("_fields", ())]  # fmt: skip
        if [*matched] != made and matched:
            self.add(f" matched by {matched!r}")
        if inside.get("_is_runtime_protocol"):
            self.add(f" protocol {sorted(typing._get_protocol_attrs(kind))}")  # type: ignore[attr-defined]
        if "_abc_impl" in inside:
            references = abc._get_dump(kind)[0]  # type: ignore[attr-defined]
            registered = sorted(self._name(one) for reference in references if (one := reference()) is not None)
            if registered:
                self.add(f" registered {registered}")

    def _fields(self, kind: type) -> None:
        settings = kind.__dataclass_params__  # type: ignore[attr-defined]
        self.add(f" dataclass {[bool(getattr(settings, name)) for name in ('init', 'eq', 'order', 'unsafe_hash', 'frozen')]}")
        if not settings.repr:
            self.add(" no text")
        for var in vars(kind)["__dataclass_fields__"].values():
            if not var.repr:
                self.add(" not in the text")
            if var.metadata:
                self.add(" metadata=")
                self.visit(var.metadata)
            self.add(f" field {var.name} {var._field_type!r} {var.init} {var.compare} {var.hash} {var.kw_only}")
            for default in (var.default, var.default_factory):
                if default is not dataclasses.MISSING:
                    self.add(" default=")
                    self.visit(default)

    def _wrapper(self, value: Any) -> bool:
        """Write down what Python and NumPy make of functions; False if it is none of it."""
        if not self._made_of_functions(value):
            return False
        if isinstance(value, functools.partial | functools._lru_cache_wrapper):
            self._attributes(value)
        self._kind_of_ours(value)
        return True

    def _kind_of_ours(self, value: Any) -> None:
        """The class of what Python makes, where it is one of ours, which may do something else."""
        if self._is_own_class(type(value)):
            self.add(" kind=")
            self.visit(type(value))

    def _made_of_functions(self, value: Any) -> bool:
        if isinstance(value, functools.partial | functools.partialmethod):
            self.add(f"{type(value).__name__} ")
            self.visit(value.func)
            self._each("(", value.args)
            self._mapping(dict(sorted(value.keywords.items())))
        elif isinstance(value, types.MethodType):
            self.add("method ")
            self.visit(value.__func__)
            self.visit(value.__self__)
        elif isinstance(value, property):
            self._each("property(", (value.fget, value.fset, value.fdel))
        elif isinstance(value, staticmethod | classmethod):
            self.add(f"{type(value).__name__} ")
            self.visit(value.__func__)
        elif isinstance(value, functools.cached_property):
            self.add("cached property ")
            self.visit(value.func)
        elif isinstance(value, functools.singledispatchmethod):
            self.add("by kind ")
            self.visit(value.dispatcher)
        elif isinstance(value, functools._lru_cache_wrapper):
            self.add("cached ")
            self.visit(value.__wrapped__)
        elif isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
            self.add(f"builtin {self._name(value)}")
            if not isinstance(value.__self__, types.ModuleType | type(None)):
                self.visit(value.__self__)
        elif isinstance(value, types.WrapperDescriptorType | types.MethodDescriptorType | types.ClassMethodDescriptorType):
            self.add(f"builtin {value.__objclass__.__qualname__}.{value.__name__}")
        elif isinstance(value, np.ufunc):
            if _is_made(value):
                self.hide(f"the function inside the ufunc {value.__name__}")
            self.add(f"ufunc {value.__name__} {value.nin} {value.nout}")
        elif isinstance(value, np.vectorize):
            self.add("vectorised ")
            self.visit(value.pyfunc)
            self.add(f" {value.otypes} {value.signature} {sorted(map(str, value.excluded or ()))}")
        else:
            return False
        return True

    def _of_python(self, value: Any) -> bool:
        """Write down what Python and NumPy make of functions and of values; False if it is none of it."""
        if self._wrapper(value):
            return True
        if isinstance(value, re.Pattern):
            self.add(f"pattern {value.pattern!r} {value.flags}")
        elif isinstance(value, np.dtype):
            self.add(f"dtype {value.descr}")
        elif isinstance(value, types.GenericAlias | types.UnionType | typing.TypeVar) or type(value).__module__ == "typing":
            self.add(f"type {value!r}")
            for name in ("__args__", "__constraints__", "__bound__", "__supertype__"):
                parts = getattr(value, name, None)
                for part in parts if isinstance(parts, tuple) else (parts,):
                    if isinstance(part, type) and self._is_own_class(part):
                        self.visit(part)
        elif isinstance(value, PurePath):
            self._path(value)
        elif isinstance(value, enum.Enum):
            self.add(f"member {value.name} of ")
            self.visit(type(value))
        elif isinstance(value, np.random.Generator | np.random.RandomState | np.random.BitGenerator):
            self.hide("a generator of random numbers")
            self.add(f"random {type(value).__name__}")  # its state is what it has drawn so far
        else:
            return False
        return True

    def _path(self, path: PurePath) -> None:
        self.add(
            f"path {self._without_places(str(path))}" if not path.is_absolute() or self._is_inside(path) else "path elsewhere"
        )
        if isinstance(path, Path) and path.is_file():
            self.add(f" {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}")
        self._kind_of_ours(path)

    def _is_inside(self, path: PurePath) -> bool:
        places = (place for top in self.tops for place in getattr(sys.modules.get(top), "__path__", ()))
        return any(path.is_relative_to(place) for place in places)

    def _instance(self, value: Any) -> None:
        kind = type(value)
        self.add("instance of ")
        self.visit(kind)
        if isinstance(value, defaultdict):  # what it holds may be what was asked for so far
            self.hide("the content of a defaultdict")
            self.add(" factory=")
            self.visit(value.default_factory)
            return
        for basis, show in _CONTENTS:
            if isinstance(value, basis):
                self._each(" content=(", show(value))
                break
        if isinstance(value, Domain):
            self._each(" domain=(", (value.variables, value.hypotheses, _layouts(value)))
            return
        state = _state(value)
        if state is None or _keeps_more(kind):
            self._reduced(value)
        if state is None:
            return
        left_out = {name for base in kind.__mro__ for name in self._memories(base)}
        for base in kind.__mro__:
            for name in sorted(self._written(base)):
                self.hide(f"the attribute {name} of {kind.__name__}, which a method changes,")
        for name, part in sorted(state.items()):
            if name not in left_out or self._is_set_by_hand(value, name, part):
                self.add(f" {name}=")
                self.visit(part)

    def _is_set_by_hand(self, value: Any, name: str, part: Any) -> bool:
        """Whether an attribute that an instance of ours computes when it is asked is something else than it computes."""
        var = next((vars(base)[name] for base in type(value).__mro__ if name in vars(base)), None)
        if not isinstance(var, functools.cached_property) or not self._is_own_class(type(value)):
            return False
        try:
            return reached({"": var.func(value)}) != reached({"": part})
        except Exception:  # whatever it raises now
            return True

    def _memories(self, kind: type) -> set[str]:
        """Attributes that instances compute when they are asked, and those in which methods of ours remember something."""
        memories = {name for name, var in vars(kind).items() if isinstance(var, functools.cached_property)}
        if kind.__module__ == "verify.claims.variables":
            # how values are listed, drawn often and found again says nothing of what they are
            compared = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
            memories |= {"_often", *(field.name for field in compared if not field.compare)}
        return memories | self._written(kind)

    def _written(self, kind: type) -> set[str]:
        """Attributes in which methods of ours remember something."""
        memories: set[str] = set()
        if self._is_own_class(kind):
            for var in vars(kind).values():
                for function in (var, *(getattr(var, name, None) for name in ("__func__", "fget", "fset", "__wrapped__"))):
                    if isinstance(function, types.FunctionType):
                        memories |= remembered_by(function.__code__)
        return memories

    def _reduced(self, value: Any) -> None:
        """What the copy of an instance would be made from; nothing if it cannot be copied, or has given something already."""
        if isinstance(value, Iterator):
            self.hide(f"the content of the iterator {type(value).__name__}")
            self.add(" opaque")
            return
        if type(value).__module__ == "flint":
            self.add(f" {value!r}")
            return
        try:
            made = value.__reduce_ex__(2)
        except Exception:  # such as locks and files, which have no state to speak of; whatever the type raises
            self.hide(f"the content of a {type(value).__name__}")
            self.add(" opaque")
            return
        if isinstance(made, str):
            self.add(f" {made}")
            return
        self.add(" made from ")
        for part in made:
            self.visit(list(part) if isinstance(part, Iterator) else part)


@functools.cache
def _texts_of(code: types.CodeType) -> tuple[str, ...]:
    """The short texts in a function and in those inside it, each once, in order."""
    texts: dict[str, None] = {}
    for constant in code.co_consts:
        parts = constant if isinstance(constant, tuple) else (constant,)
        texts |= dict.fromkeys(part for part in parts if isinstance(part, str) and re.fullmatch(r"[\w./-]{1,100}", part))
        if isinstance(constant, types.CodeType):
            texts |= dict.fromkeys(_texts_of(constant))
    return tuple(texts)


def _beside(path: str, text: str) -> Path | None:
    """The file with this name in the folder of another, or below it; None if there is none."""
    if "." not in text.strip(".") or text.startswith("/"):
        return None
    file = Path(path).parent / text
    return file if ".." not in file.parts and file.is_file() else None


@functools.lru_cache(maxsize=1024)
def _digest_of(file: Path, changed: int) -> str:  # noqa: ARG001 (a file that has changed since is another)
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _digest_of_all(root: str) -> str:
    """The content of all files of a package, but for evidence."""
    digest = hashlib.sha256()
    for file in files_in(Path(root), NOT_THE_STATEMENT):
        digest.update(f"{file.relative_to(root)} {_digest_of(file, file.stat().st_mtime_ns)}\n".encode())
    return digest.hexdigest()[:16]


class _PutThere:
    """Classes of `verify`, and of Python's fractions, by the names of functions in them that others put there."""

    def __init__(self) -> None:
        self._seen: tuple[Any, ...] = ()
        self._table: dict[str, list[type]] = {}

    def table(self) -> dict[str, list[type]]:
        """What there is now; looked through anew where an attribute of a class is another object than before."""
        classes = _engine_classes(len(sys.modules))
        present = tuple(value for kind in classes for value in vars(kind).values())
        if len(present) != len(self._seen) or not all(map(operator.is_, present, self._seen)):
            self._seen, self._table = present, {}
            for kind in classes:
                for name, value in vars(kind).items():
                    if _is_put_in_a_class(value):
                        self._table.setdefault(name, []).append(kind)
        return self._table


_PUT_THERE = _PutThere()


def _is_put_in_a_class(value: Any) -> bool:
    if not isinstance(value, types.FunctionType | property | staticmethod | classmethod):
        return False
    home = _module_of(getattr(value, "fget", None) or getattr(value, "__func__", value)).partition(".")[0]
    return bool(home) and is_followed(home)


@functools.lru_cache(maxsize=2)
def _engine_classes(modules: int) -> tuple[type, ...]:  # noqa: ARG001 (other modules have other classes)
    classes = {
        value
        for name, module in list(sys.modules.items())
        if name == "fractions" or name.partition(".")[0] == "verify"
        for value in list(vars(module).values())
        if isinstance(value, type)
    }
    return tuple(sorted(classes, key=lambda kind: f"{kind.__module__} {kind.__qualname__}"))


def _layouts(domain: Domain) -> str:
    """Hash of the sizes of a domain, and of the coordinates at each."""
    digest = hashlib.sha256()
    for sizes in domain.all_sizes():
        parts = (
            f"{name}{coordinate.shape}{coordinate.lower}{coordinate.upper}{coordinate.integer}"
            for name, coordinate in domain.layout(sizes).items()
        )
        digest.update(f"{sizes}{','.join(parts)}\n".encode())
    return digest.hexdigest()


def _entries(array: Any) -> Iterable[Any]:
    content = np.asarray(array)
    yield content.shape
    yield content.dtype
    if content.dtype.hasobject:
        yield [*content.flat]
    else:
        yield hashlib.sha256(np.ascontiguousarray(content).tobytes()).hexdigest()
    if isinstance(array, np.ma.MaskedArray):
        yield np.asarray(np.ma.getmaskarray(array))


_CONTENTS: tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...] = (
    (np.ndarray, _entries),
    (OrderedDict, lambda value: ([*pair] for pair in OrderedDict.items(value))),
    (dict, lambda value: ([*pair] for pair in dict.items(value))),
    (list, list.__iter__),
    (deque, lambda value: (value.maxlen, *deque.__iter__(value))),
    (tuple, tuple.__iter__),
    (set, lambda value: [set(value)]),
    (frozenset, lambda value: [frozenset(value)]),
    (str, lambda value: [str.__str__(value)]),
    (bytes, lambda value: [bytes(value)]),
    (int, lambda value: [int(value)]),
    (float, lambda value: [float(value)]),
    (complex, lambda value: [complex(value)]),
    (Fraction, lambda value: [f"{value.numerator}/{value.denominator}"]),
)
"""Types whose instances hold more than their attributes, and what."""


def _state(value: Any) -> dict[str, Any] | None:
    """The attributes of an instance; None if it keeps its state elsewhere."""
    state = dict(getattr(value, "__dict__", ()))
    has_place = hasattr(value, "__dict__")
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            has_place = True
            own = f"_{kind.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
            if name not in ("__dict__", "__weakref__") and hasattr(value, own):
                state[name] = getattr(value, own)
    return state if state or has_place or isinstance(value, tuple(basis for basis, _ in _CONTENTS)) else None


def _is_opaque(value: Any) -> bool:
    """Whether a value does not show what it was made from, such as a ufunc of ours or a generator of random numbers."""
    if isinstance(value, np.ufunc):
        return _is_made(value)
    if isinstance(value, np.random.Generator | np.random.RandomState | defaultdict):
        return True
    plain = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, np.ndarray, str, *_PLAIN)
    if isinstance(value, plain) or _state(value) is not None:
        return False
    if isinstance(value, Iterator):  # which differs by what it has given already
        return True
    try:
        value.__reduce_ex__(2)
    except Exception:  # see `_Walk._reduced`
        return True
    return False


def _is_made(function: np.ufunc) -> bool:
    """Whether a ufunc is none of NumPy's and SciPy's, so that a function may be inside it."""
    homes = (np, sys.modules.get("scipy.special"))
    return all(getattr(home, function.__name__, None) is not function for home in homes)


def _keeps_more(kind: type) -> bool:
    """Whether instances of a class of ours hold what a class of Python's that is no container of `_CONTENTS` keeps for them."""
    of_c = next(base for base in kind.__mro__ if not base.__flags__ & _MADE_IN_PYTHON)
    return of_c is not object and not issubclass(of_c, tuple(basis for basis, _ in _CONTENTS))


def _is_code(value: Any) -> bool:
    return isinstance(value, types.FunctionType | property | staticmethod | classmethod | functools.cached_property)


def _is_generated(value: Any, kind: type) -> bool:
    """Whether a member of a class was made by `dataclass`, `NamedTuple`, `Enum` and their like."""
    function = getattr(value, "__func__", value)
    if not isinstance(function, types.FunctionType):
        return type(value).__module__ in ("collections", "_collections")
    home = function.__globals__.get("__name__") or ""
    written = function.__code__.co_filename.startswith("<") and function.__name__ in _OF_DATACLASSES
    written = (written and "__dataclass_fields__" in vars(kind)) or home.startswith("namedtuple_")
    return written or home.partition(".")[0] in ("dataclasses", "collections", "enum", "reprlib", "typing", "abc", "namedtuple")


def _module_named(space: Mapping[str, Any], name: str, level: int) -> types.ModuleType | None:
    """A module by its name, seen from a module with these names; None where there is none."""
    try:
        full = importlib.util.resolve_name("." * level + name, space.get("__package__") or space.get("__name__"))
        return sys.modules.get(full) or importlib.import_module(full)
    except (ImportError, ValueError):
        return None
