r"""A statement typeset from its code: both sides, in the letters in which it is written.

The source of the function is read: what is shown is what is evaluated, with the author's own names. Places count from 1, as on
paper. What is no formula (a loop with a state, a branch, a solver) is not typeset, and the reason is said.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claims.claim import Claim, Statement
from verify.claims.domain import Sample
from verify.claims.draws import random_numbers
from verify.instances import core_ndim
from verify.linting.syntax import syntax_tree

GREEK = """ alpha beta gamma delta zeta eta theta iota kappa mu nu xi rho sigma tau phi chi psi omega Gamma Delta Theta Lambda
 Xi Sigma Phi Psi Omega """
LETTERS = {
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
    "lam": r"\lambda",
    "ell": r"\ell",
    "dA": r"\partial A",
    "dB": r"\partial B",
}
SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
"""How tightly a formula holds together; what binds less is put between parentheses."""


class NoFormula(Exception):
    """Why a function is not typeset."""


@dataclass(frozen=True)
class Formula:
    """TeX, and how tightly it holds together; a factor on the right of an open one would be read as part of its argument."""

    tex: str
    level: int = ATOM
    is_open: bool = False

    def inside(self, level: int) -> str:
        """Between parentheses where it binds less."""
        return self.tex if self.level >= level else rf"\left({self.tex}\right)"


@dataclass(frozen=True)
class Typeset:
    """A statement in TeX.

    Attributes
    ----------
    relations
        The comparisons that must all hold.
    where
        What letters stand for that the statement introduces, in its order.
    """

    relations: tuple[str, ...]
    where: tuple[str, ...]


def typeset_claim(claim: Claim, statement: Statement | None = None) -> Typeset:
    """The statement of a claim, or another one beside it, in TeX; raises `NoFormula`."""
    sizes = claim.domain.all_sizes()[-1]
    layout = claim.domain.layout(sizes)
    rng = np.random.default_rng(0)
    sample = Sample(sizes, {name: random_numbers(rng, coordinate, 1) for name, coordinate in layout.items()})
    with np.errstate(all="ignore"):
        return typeset(statement or claim.statement, claim.domain.build(sample))


def typeset(statement: Callable[..., Any], instance: Mapping[str, Any] | None = None) -> Typeset:
    """A statement of one instance in TeX; an `instance` tells vectors from matrices.

    Raises
    ------
    NoFormula
        Its source is not at hand, or is no formula.
    """
    constants: dict[str, Any] = {}
    while isinstance(statement, functools.partial):
        constants = {**statement.keywords, **constants}
        statement = statement.func
    return _Reader.of(statement, constants, {}, dict(instance or {})).typeset()


def _name(name: str) -> Formula:
    stem, _, suffix = name.partition("_")
    digits = stem[len(stem.rstrip("0123456789")) :]
    stem = stem.removesuffix(digits)
    # words of an index stand apart: an underscore is a script
    suffix = suffix.replace("_", " ")
    index = digits or suffix
    if stem in LETTERS:
        tex = LETTERS[stem]
    elif f" {stem} " in GREEK:
        tex = "\\" + stem
    else:
        tex = stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    if suffix and digits:
        index = f"{digits},{suffix}"
    if index:
        tex += f"_{{{index}}}" if index.replace(",", "").isdigit() or len(index) == 1 else rf"_{{\mathrm{{{index}}}}}"
    return Formula(tex)


def _of_entries(condition: Formula, whole: str, which: str) -> Formula:
    """A condition on some or all entries; arrays differ where some entry does, and are equal where all are."""
    told = "" if f" {whole} " in condition.tex else rf" \text{{ for {which}}}"
    return Formula(rf"[{condition.tex}{told}]")


def letter_tex(name: str) -> str:
    """A name of code as a letter in LaTeX: ``W1`` is W with an index, ``lam`` is Greek."""
    return _name(name).tex


def parts_in(typeset_statement: Typeset, variables: Iterable[str]) -> str:
    """What names with an index stand for, where these are parts of a variable, such as growth_last; empty if there are none."""
    pairs = re.findall(r"\\mathrm\{([a-z]+)\}_\{\\mathrm\{([a-z]+)\}\}", " ".join(typeset_statement.relations))
    names = [f"{stem}_{part} is {stem}.{part}" for stem, part in dict.fromkeys(pairs) if stem in variables]
    return f"{', '.join(names)} in the code below" if names else ""


def _number(value: Any) -> Formula:
    if isinstance(value, bool) or value is None:
        raise NoFormula("it has a switch")
    if isinstance(value, Fraction):
        sign = "-" * (value < 0)
        if value.denominator == 1:
            return Formula(str(value), SIGN if value < 0 else ATOM)
        return Formula(rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", PRODUCT)
    if isinstance(value, int | float):
        return Formula(repr(value), SIGN if value < 0 else ATOM)
    raise NoFormula(f"it has a constant of the type {type(value).__name__}")


def _around(left: str, right: str) -> Callable[..., Formula]:
    return lambda argument: Formula(f"{left}{argument.tex}{right}")


def _operator(name: str) -> Callable[..., Formula]:
    def formula(argument: Formula) -> Formula:
        if argument.level == ATOM:
            return Formula(rf"\{name} {argument.tex}", PRODUCT, is_open=True)
        return Formula(rf"\{name}\left({argument.tex}\right)", PRODUCT)

    return formula


def _named(name: str) -> Callable[..., Formula]:
    return lambda *arguments: Formula(rf"\mathrm{{{name}}}({', '.join(argument.tex for argument in arguments)})")


def _raised(exponent: str) -> Callable[..., Formula]:
    return lambda argument: Formula(f"{argument.inside(ATOM)}^{{{exponent}}}", POWER)


def _cost(order: int) -> Callable[..., Formula]:
    """A coefficient of the representation cost in the depth."""
    return lambda *arguments: Formula(f"R^{{({order})}}({', '.join(argument.tex for argument in arguments)})")


def _list(*arguments: Formula) -> Formula:
    return Formula(f"({', '.join(argument.tex for argument in arguments)})")


CALLS: Mapping[str, Callable[..., Formula]] = {
    "norm2": _around(r"\left\|", r"\right\|^2"),
    "norm": _around(r"\left\|", r"\right\|"),
    "absolute": _around(r"\left|", r"\right|"),
    "abs": _around(r"\left|", r"\right|"),
    "inner": lambda left, right: Formula(rf"\langle {left.tex}, {right.tex} \rangle"),
    "relu": lambda argument: Formula(rf"{argument.inside(ATOM)}_+", POWER),
    "trace": _operator("mathrm{tr}"),
    "rank": _operator("mathrm{rank}"),
    "determinant": _operator("det"),
    "inverse": _raised("-1"),
    "pinv": _raised("+"),
    "sqrt": _around(r"\sqrt{", "}"),
    "exp": _operator("exp"),
    "log": _operator("log"),
    "log_plus": lambda argument: Formula(rf"\log_+ {argument.inside(ATOM)}", PRODUCT, is_open=True),
    "maximum": lambda *arguments: Formula(rf"\max({', '.join(argument.tex for argument in arguments)})"),
    "minimum": lambda *arguments: Formula(rf"\min({', '.join(argument.tex for argument in arguments)})"),
    "max": lambda *arguments: Formula(rf"\max({', '.join(argument.tex for argument in arguments)})"),
    "min": lambda *arguments: Formula(rf"\min({', '.join(argument.tex for argument in arguments)})"),
    "greatest": _operator("max"),
    "least": _operator("min"),
    "sign": _named("sign"),
    "singular_values": lambda argument: Formula(f"s({argument.tex})"),
    "schatten_power": lambda argument, exponent: Formula(rf"\sum_i s_i({argument.tex})^{{{exponent.tex}}}", SUM),
    "nuclear_norm": _around(r"\left\|", r"\right\|_*"),
    "operator_norm": _around(r"\left\|", r"\right\|_{\mathrm{op}}"),
    "pseudo_determinant": _around(r"\left|", r"\right|_+"),
    "log_pseudo_determinant": _around(r"\log\left|", r"\right|_+"),
    "psd_power": lambda argument, exponent: Formula(f"{argument.inside(ATOM)}^{{{exponent.tex}}}", POWER),
    "power": lambda argument, exponent: (
        argument if exponent.tex == "1" else Formula(f"{argument.inside(ATOM)}^{{{exponent.tex}}}", POWER)
    ),
    "stable_rank": _named("stable rank"),
    "eye": lambda size: Formula(f"I_{{{size.tex}}}"),
    "zeros": lambda *_: Formula("0"),
    "ones": lambda *_: Formula(r"\mathbf{1}"),
    "diag": _named("diag"),
    "vector": _list,
    "pi": lambda: Formula(r"\pi"),
    "positive": lambda argument: Formula(f"{argument.tex} > 0", SUM),
    "nonnegative": lambda argument: Formula(rf"{argument.tex} \ge 0", SUM),
    "compose": lambda outer, inner: Formula(rf"{outer.tex} \circ {inner.tex}", PRODUCT),
    "R0": _cost(0),
    "R1": _cost(1),
    "R2": _cost(2),
    "len": _around("|", "|"),
    "factorial": lambda argument: Formula(f"{argument.inside(ATOM)}!", POWER),
    "comb": lambda above, below: Formula(rf"\binom{{{above.tex}}}{{{below.tex}}}"),
}
"""How the words of statements are written."""
METHODS: Mapping[str, Callable[..., Formula]] = {
    "sum": lambda argument: Formula(rf"\sum {argument.inside(PRODUCT)}", SUM),
    "prod": lambda argument: Formula(rf"\prod {argument.inside(PRODUCT)}", PRODUCT),
    "mean": lambda argument: Formula(rf"\mathrm{{mean}}({argument.tex})"),
    "max": CALLS["greatest"],
    "min": CALLS["least"],
    "trace": CALLS["trace"],
    "jacobian": lambda network, point: Formula(f"J{network.inside(ATOM)}({point.tex})"),
    "any": lambda condition: _of_entries(condition, r"\ne", "some entry"),
    "all": lambda condition: _of_entries(condition, "=", "all entries"),
}
ALONG = {
    "sum": r"\sum",
    "prod": r"\prod",
    "max": r"\max",
    "min": r"\min",
    "mean": r"\mathrm{mean}",
    "any": r"\exists",
    "all": r"\forall",
}
"""What goes along an axis."""
FIELDS: Mapping[str, Callable[[Formula], Formula]] = {
    "T": lambda argument: Formula(f"{argument.inside(ATOM)}^T", POWER),
    "depth": lambda network: Formula("L"),  # noqa: ARG005
    "weight_norm_squared": lambda network: Formula(r"\sum_\ell \|W_\ell\|^2", SUM),  # noqa: ARG005
    "parameter_norm_squared": lambda network: Formula(r"\sum_\ell (\|W_\ell\|^2 + \|b_\ell\|^2)", SUM),  # noqa: ARG005
    "weights": lambda network: Formula("W"),  # noqa: ARG005
    "biases": lambda network: Formula("b"),  # noqa: ARG005
}
LAST = r"\mathrm{last}"
SENSES = {"le": r"\le", "ge": r"\ge", "eq": "="}
COMPARED = {ast.Gt: ">", ast.GtE: r"\ge", ast.Lt: "<", ast.LtE: r"\le", ast.Eq: "=", ast.NotEq: r"\ne"}


class _Reader:
    """Reads the source of one function."""

    def __init__(
        self,
        function: types.FunctionType,
        tree: ast.AST,
        known: dict[str, Formula],
        switches: Mapping[str, bool],
        values: dict[str, Any],
    ) -> None:
        self.function, self.tree, self.known, self.switches, self.values = function, tree, known, switches, values
        self.where: list[str] = []

    @classmethod
    def of(
        cls,
        statement: Callable[..., Any],
        constants: Mapping[str, Any],
        known: Mapping[str, Formula],
        instance: Mapping[str, Any],
    ) -> _Reader:
        function = inspect.unwrap(statement)
        if not isinstance(function, types.FunctionType):
            raise NoFormula("it is no function of Python")
        try:
            tree = syntax_tree(function)
        except (OSError, SyntaxError) as error:
            raise NoFormula("its source is not at hand") from error
        values: dict[str, Any] = {}
        for parameter in inspect.signature(function).parameters.values():
            if parameter.default is not parameter.empty:
                values[parameter.name] = parameter.default
        values |= constants
        letters = dict(known)
        for name, value in values.items():
            if name not in letters and isinstance(value, int | float | Fraction) and not isinstance(value, bool):
                letters[name] = _number(value)
        if isinstance(tree, ast.Module):
            tree = tree.body[0]
        switches = {name: value for name, value in values.items() if isinstance(value, bool)}
        outside = inspect.getclosurevars(function).nonlocals
        return cls(function, tree, letters, switches, {**outside, **values, **instance})

    def typeset(self) -> Typeset:
        if isinstance(self.tree, ast.Lambda):
            return Typeset(tuple(self._relations(self.tree.body)), tuple(self.where))
        for line in getattr(self.tree, "body", ()):
            if isinstance(line, ast.Return) and line.value is not None:
                return Typeset(tuple(self._relations(line.value)), tuple(self.where))
            self._line(line)
        raise NoFormula("it returns nothing")

    def _line(self, line: ast.stmt) -> None:
        if not isinstance(line, ast.Assign) or len(line.targets) != 1:
            raise NoFormula(f"it has a line that is no formula ({type(line).__name__.lower()})")
        target, value = line.targets[0], line.value
        self._compute(line)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for elt, part in zip(target.elts, value.elts, strict=True):
                self._define(elt, part)
        else:
            self._define(target, value)

    def _compute(self, line: ast.stmt) -> None:
        """What a line computes at the instance; what cannot be computed is not known afterwards."""
        module = ast.fix_missing_locations(ast.Module([line], []))
        for node in ast.walk(line):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.values.pop(node.id, None)
        try:
            exec(compile(module, "<statement>", "exec"), {**self.function.__globals__, **self.values}, self.values)
        except Exception:  # the line belongs to somebody else, and only shapes are asked for
            return

    def _value(self, node: ast.expr) -> Any:
        """What an expression is at the instance; None if that is not known."""
        try:
            return eval(compile(ast.Expression(node), "<statement>", "eval"), {**self.function.__globals__, **self.values})
        except Exception:  # see `_compute`
            return None

    def _define(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and not target.id.strip("_"):
            return  # what the statement does not use has no letter
        if isinstance(target, ast.Name):
            self.known.pop(target.id, None)
            name, formula = _name(target.id).tex, self.read(value).tex
            # a depth that is read off a network is the letter itself
            self.where += [f"{name} = {formula}"] if name != formula else []
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.GeneratorExp | ast.ListComp):
            self._define_several(target, value)
        elif isinstance(target, ast.Tuple) and all(isinstance(elt, ast.Name) for elt in target.elts):
            for elt in target.elts:
                self.known.pop(getattr(elt, "id", ""), None)
            used = [getattr(elt, "id", "") for elt in target.elts if getattr(elt, "id", "").strip("_")]
            names = ", ".join(_name(name).tex for name in used)
            is_whole = len(used) == len(target.elts)
            self.where.append(
                f"({names}) = {self.read(value).tex}" if is_whole else rf"{names} \text{{ from }} {self.read(value).tex}"
            )
        else:
            raise NoFormula("it writes into an array")

    def _define_several(self, target: ast.Tuple, value: ast.GeneratorExp | ast.ListComp) -> None:
        """Several letters, by one formula for the numbers of a range."""
        source, letter = value.generators[0].iter, value.generators[0].target
        ends = [
            int(ast.literal_eval(argument)) for argument in getattr(source, "args", ()) if isinstance(argument, ast.Constant)
        ]
        if not isinstance(letter, ast.Name) or getattr(getattr(source, "func", None), "id", "") != "range" or not ends:
            raise NoFormula("it makes a sequence")
        for elt, number in zip(target.elts, range(*ends), strict=False):
            self.known[letter.id] = Formula(str(number))
            self._define(elt, value.elt)
        self.known.pop(letter.id)

    def _relations(self, node: ast.expr) -> list[str]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            return [*self._relations(node.left), *self._relations(node.right)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in SENSES and len(node.args) >= 2:
                left, right = self.read(node.args[0]), self.read(node.args[1])
                return [f"{left.tex} {SENSES[node.func.id]} {right.tex}"]
            return self._relations_of_another(node)
        raise NoFormula("what it returns is no comparison that is written there")

    def _relations_of_another(self, node: ast.Call) -> list[str]:
        """The comparisons of a function that the statement returns, with what it is given."""
        called = self.function.__globals__.get(getattr(node.func, "id", ""))
        if not isinstance(called, types.FunctionType) or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise NoFormula("what it returns is no comparison that is written there")
        parameters = [*inspect.signature(called).parameters]
        letters = {name: self.read(arg) for name, arg in zip(parameters, node.args, strict=False)}
        named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
        letters |= {name: self.read(value) for name, value in named.items() if not self._switch(value)}
        switches = {name: self._value(value) for name, value in named.items() if self._switch(value)}
        values = {name: self._value(arg) for name, arg in zip(parameters, node.args, strict=False)}
        values |= {name: self._value(value) for name, value in named.items()}
        inner = _Reader.of(called, switches, letters, values).typeset()
        self.where += inner.where
        return list(inner.relations)

    def read(self, node: ast.expr) -> Formula:
        """The formula of an expression."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise NoFormula(f"it has an expression that is no formula ({type(node).__name__.lower()})")
        formula: Formula = method(node)
        return formula

    def _constant(self, node: ast.Constant) -> Formula:
        return _number(node.value)

    def _name(self, node: ast.Name) -> Formula:
        if node.id in self.known:
            return self.known[node.id]
        value = self.function.__globals__.get(node.id)
        if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
            return _number(value)
        return _name(node.id)

    def _ifexp(self, node: ast.IfExp) -> Formula:
        if not isinstance(node.test, ast.Name) or node.test.id not in self.switches:
            raise NoFormula("it has a branch")
        return self.read(node.body if self.switches[node.test.id] else node.orelse)

    def _unaryop(self, node: ast.UnaryOp) -> Formula:
        if not isinstance(node.op, ast.USub):
            raise NoFormula("it has a negation of truth values")
        return Formula(f"-{self.read(node.operand).inside(PRODUCT)}", SIGN if isinstance(node.operand, ast.Constant) else SUM)

    def _binop(self, node: ast.BinOp) -> Formula:
        left, right = self.read(node.left), self.read(node.right)
        match node.op:
            case ast.Add() if "0" in (left.tex, right.tex):
                return left if right.tex == "0" else right
            case ast.Add():
                return Formula(f"{left.tex} + {right.tex}" if not right.tex.startswith("-") else f"{left.tex} {right.tex}", SUM)
            case ast.Sub() if right.tex == "0":
                return left
            case ast.Sub():
                return Formula(f"{left.tex} - {right.inside(PRODUCT)}", SUM)
            case ast.Mult() if "1" in (left.tex, right.tex):
                return left if right.tex == "1" else right
            case ast.MatMult() if core_ndim(self._value(node.left)) == 1:
                return Formula(f"{left.inside(ATOM)}^T {right.inside(PRODUCT)}", PRODUCT)
            case ast.Mult() | ast.MatMult():
                return Formula(_product(left, right), PRODUCT, right.is_open)
            case ast.Div():
                return Formula(rf"\frac{{{left.tex}}}{{{right.tex}}}", PRODUCT)
            case ast.Mod():
                return Formula(rf"{left.inside(PRODUCT)} \bmod {right.inside(PRODUCT)}", SUM)
            case ast.Pow() if right.tex == "1":
                return left
            case ast.Pow():
                return Formula(_power(left, right), POWER)
        raise NoFormula("it has an operator that is none of numbers")

    def _compare(self, node: ast.Compare) -> Formula:
        parts = [self.read(node.left).tex]
        for sense, comparator in zip(node.ops, node.comparators, strict=True):
            if type(sense) not in COMPARED:
                raise NoFormula("it compares in a way that is none of numbers")
            parts += [COMPARED[type(sense)], self.read(comparator).tex]
        return Formula(" ".join(parts), SUM)

    def _attribute(self, node: ast.Attribute) -> Formula:
        if isinstance(node.value, ast.Name) and node.value.id == "np" and node.attr in ("pi", "inf"):
            return Formula(r"\pi" if node.attr == "pi" else r"\infty")
        owner = self.read(node.value)
        if node.attr in FIELDS:
            return FIELDS[node.attr](owner)
        return Formula(rf"{owner.inside(ATOM)}_{{\mathrm{{{node.attr.replace('_', ' ')}}}}}")

    def _subscript(self, node: ast.Subscript) -> Formula:
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "widths" and len(keys) == 1:
            return self._width(node.value.value, keys[0])
        array = self.read(node.value)
        places = [self._place(key) for key in keys if not (isinstance(key, ast.Constant) and key.value is None)]
        if all(place == r"\cdot" for place in places):
            return array
        body, closing = array.inside(ATOM), ""
        if body.endswith("}") and "_{" in body and body.count("_{") == 1 and "^" not in body:
            body, closing = body[:-1] + ",", "}"
            return Formula(f"{body}{_joined(places)}{closing}")
        return Formula(f"{body}_{{{_joined(places)}}}")

    def _width(self, network: ast.expr, place: ast.expr) -> Formula:
        """A width of a network; widths count from 0, the inputs, on paper too, and the last is that of the depth."""
        if isinstance(place, ast.Slice):
            raise NoFormula("it takes several widths at once")
        below = place.operand if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub) else None
        if isinstance(below, ast.Constant) and isinstance(below.value, int):
            index = "L" if below.value == 1 else f"L-{below.value - 1}"
        else:
            index = self.read(place).tex
        return Formula(f"n_{{{index}}}({self.read(network).tex})")

    def _place(self, node: ast.expr) -> str:
        if isinstance(node, ast.Slice):
            if node.step is not None:
                raise NoFormula("it takes every other entry")
            if node.lower is None and node.upper is None:
                return r"\cdot"
            first, last = self._end(node.lower, 1) or "1", self._end(node.upper, 0) or LAST
            return last if first == last else f"{first}:{last}"
        if isinstance(node, ast.Constant) and node.value is Ellipsis:
            return r"\cdot"
        return self._end(node, 1)

    def _end(self, node: ast.expr | None, shift: int) -> str:
        """A place, counted from 1; an end of a slice is the last place of it."""
        if node is None:
            return ""
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            value = -int(ast.literal_eval(node.operand))
        if isinstance(value, int):
            if value >= 0:
                return str(value + shift)
            below = -value - shift
            return LAST if not below else rf"\mathrm{{last}}-{below}"
        formula = self.read(node)
        if shift == 0:
            return formula.tex
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and getattr(node.right, "value", None) == 1:
            return self.read(node.left).tex
        return f"{formula.tex}+1"

    def _tuple(self, node: ast.Tuple | ast.List) -> Formula:
        return _list(*map(self.read, node.elts))

    _list = _tuple

    def _generatorexp(self, _: ast.GeneratorExp) -> Formula:
        raise NoFormula("it makes a sequence")

    def _total(self, node: ast.GeneratorExp | ast.ListComp) -> Formula:
        if len(node.generators) != 1 or node.generators[0].ifs:
            raise NoFormula("it has a sum over a choice")
        source, target = node.generators[0].iter, node.generators[0].target
        if not isinstance(target, ast.Name):
            raise NoFormula("it goes through several things at once")
        letter = _name(target.id).tex
        self.known.pop(target.id, None)
        if isinstance(source, ast.Call) and getattr(source.func, "id", "") == "range":
            ends = [self.read(arg) for arg in source.args]
            low, high = (Formula("0"), ends[0]) if len(ends) == 1 else (ends[0], ends[1])
            over = f"_{{{letter}={low.tex}}}^{{{_less_one(high)}}}"
        else:
            over = rf"_{{{letter} \in {self.read(source).tex}}}"
        return Formula(f"{over} {self.read(node.elt).inside(PRODUCT)}", SUM)

    def _listcomp(self, _: ast.ListComp) -> Formula:
        raise NoFormula("it makes a list")

    def _call(self, node: ast.Call) -> Formula:
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            raise NoFormula("it unpacks arguments")
        if isinstance(node.func, ast.Name):
            return self._named_call(node, node.func.id)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "np":
                return self._named_call(node, {"maximum": "maximum", "minimum": "minimum", "abs": "abs"}.get(name, name))
            axes = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "axis")]
            if name in ALONG and len(axes) == 1 == len(node.args) + len(node.keywords):
                return self._along(name, node.func.value, axes[0])
            if name in METHODS and not node.keywords:
                return METHODS[name](self.read(node.func.value), *map(self.read, node.args))
            if node.keywords:
                raise NoFormula(f"it calls {name} in an unusual way")
            arguments = [self.read(arg).tex for arg in (node.func.value, *node.args)]
            if name == "activation":
                return Formula(rf"\sigma({', '.join(arguments[1:])})")
            return Formula(f"{_upright(name)}({', '.join(arguments)})")
        raise NoFormula("it calls what it has computed")

    def _along(self, name: str, array: ast.expr, axis: ast.expr) -> Formula:
        """A sum, or the like, along one axis of an array."""
        ndim, place = core_ndim(self._value(array)), self._value(axis)
        if not isinstance(place, int) or not -ndim <= place < ndim:
            raise NoFormula("it goes along an axis of an array whose shape is not known")
        formula = self.read(array)
        if ndim == 1:
            return METHODS[name](formula)
        indices = ["i" if k == place % ndim else r"\cdot" for k in range(ndim)]
        return Formula(f"{ALONG[name]}_i {formula.inside(ATOM)}_{{{_joined(indices)}}}", SUM)

    def _named_call(self, node: ast.Call, name: str) -> Formula:
        if name in ("sum", "prod") and node.args and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return Formula(rf"\{name}{self._total(node.args[0]).tex}", SUM)
        if name in ("Q", "Fraction"):
            if all(isinstance(arg, ast.Constant) for arg in node.args):
                return _number(Fraction(*(ast.literal_eval(arg) for arg in node.args)))
            above, below = (*map(self.read, node.args), Formula("1"))[:2]
            if above.tex.isdigit() and below.tex.isdigit() and int(below.tex):
                return _number(Fraction(int(above.tex), int(below.tex)))
            return above if below.tex == "1" else Formula(rf"\frac{{{above.tex}}}{{{below.tex}}}", PRODUCT)
        if name == "block":
            return self._block(node)
        if name == "where" and len(node.args) == 3:
            condition, yes, no = map(self.read, node.args)
            return Formula(
                rf"\begin{{cases}} {yes.tex} & \text{{if }} {condition.tex} \\ {no.tex} & \text{{else}} \end{{cases}}"
            )
        arguments = [self.read(arg) for arg in node.args if not self._switch(arg)]
        if name in CALLS and all(self._switch(keyword.value) for keyword in node.keywords):
            try:
                return CALLS[name](*arguments)
            except TypeError:
                raise NoFormula(f"it calls {name} in an unusual way") from None
        arguments += [
            self.read(keyword.value)
            for keyword in node.keywords
            if keyword.arg not in ("axis", None) and not self._switch(keyword.value)
        ]
        is_letter = len(name) == 1 or f" {name} " in GREEK
        if not arguments:
            return _name(name) if len(name.partition("_")[0]) == 1 else Formula(_upright(name))
        return Formula(
            f"{_name(name).tex if is_letter else _upright(name)}({', '.join(argument.tex for argument in arguments)})"
        )

    def _switch(self, node: ast.expr) -> bool:
        return _is_switch(node) or (isinstance(node, ast.Name) and node.id in self.switches)

    def _block(self, node: ast.Call) -> Formula:
        rows = node.args[0]
        if not isinstance(rows, ast.List) or not all(isinstance(row, ast.List) for row in rows.elts):
            raise NoFormula("it has blocks that are not written there")
        lines = [" & ".join(self.read(entry).tex for entry in getattr(row, "elts", ())) for row in rows.elts]
        return Formula(r"\begin{pmatrix} " + r" \\ ".join(lines) + r" \end{pmatrix}")


def _is_switch(node: ast.expr) -> Any:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _upright(name: str) -> str:
    return rf"\mathrm{{{name.strip('_').replace('_', ' ')}}}"


def _joined(places: list[str]) -> str:
    return (
        re.sub(r"cdot(?=[a-z])", r"cdot ", "".join(places))
        if all(place == r"\cdot" or (len(place) == 1) for place in places)
        else ",".join(places)
    )


def _less_one(end: Formula) -> str:
    if end.tex.isdigit():
        return str(int(end.tex) - 1)
    if end.tex.endswith(" + 1"):
        return end.tex.removesuffix(" + 1")
    return f"{end.tex} - 1"


def _product(left: Formula, right: Formula) -> str:
    first, second = left.inside(ATOM if left.is_open else PRODUCT), right.inside(PRODUCT)
    if right.level == SIGN or second.startswith("-"):
        second = rf"\left({second}\right)"
    # numbers side by side would be one
    between = r" \cdot " if second[:1].isdigit() or (first[-1:].isdigit() and second.startswith(r"\frac")) else r" "
    return f"{first}{between}{second}"


def _power(base: Formula, exponent: Formula) -> str:
    if base.tex.endswith(r"\right\|^2") and base.tex.count(r"\left\|") == 1 and exponent.tex.isdigit():
        return f"{base.tex[:-1]}{{{2 * int(exponent.tex)}}}"
    if base.tex.startswith(r"\left\|") and base.tex.endswith(r"\right\|"):
        return f"{base.tex}^{{{exponent.tex}}}"
    return f"{base.inside(ATOM)}^{{{exponent.tex}}}"
