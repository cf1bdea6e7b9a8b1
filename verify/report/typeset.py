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
    "ridge": r"\lambda",
    "depth": "L",
    "ell": r"\ell",
    "dA": r"\partial A",
    "dB": r"\partial B",
}
SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
"""How tightly a formula holds together; what binds less is put between parentheses."""
SCRIPT = re.compile(r"_(?:\w|\{(?:[^{}]|\{[^{}]*\})*\})$")
SCRIPT_OF_WORDS = re.compile(r"_\{(?:\\mathrm\{[^{}]*\}|\\[a-z]+)(?:,\\mathrm\{[^{}]*\})*\}$")


class NoFormula(Exception):
    """Why a function is not typeset."""


@dataclass(frozen=True)
class Formula:
    """TeX, and how tightly it holds together; a factor on the right of an open one would be read as part of its argument."""

    tex: str
    level: int = ATOM
    is_open: bool = False
    is_row: bool = False
    """A vector times a matrix, which is a row."""
    ends_in_matrix_product: bool = False
    """A factor on the right would be read as one more matrix or vector of it."""
    negative: str = ""
    """What stands behind a minus sign in front of it."""
    is_entrywise: bool = False
    """A product entry by entry, which needs no parentheses in another one."""
    vector: str = ""
    """The letter of a vector that is used as a row."""

    def inside(self, level: int) -> str:
        """Between parentheses where it binds less."""
        return self.tex if self.level >= level else _parenthesised(self.tex)

    def column(self) -> str:
        """As a vector beside other vectors."""
        return f"{_parenthesised(self.tex)}^T" if self.is_row else self.tex


def _parenthesised(tex: str) -> str:
    return rf"\left({tex}\right)"


@dataclass(frozen=True)
class Typeset:
    """A statement in TeX.

    Attributes
    ----------
    relations
        The comparisons that must all hold.
    where
        What letters stand for that the statement introduces, in its order.
    functions
        What the functions are that it calls, and those that these call, of those that are a formula.
    descriptions
        What the others are in the words of their docstrings: how they are written, and the first sentence.
    """

    relations: tuple[str, ...]
    where: tuple[str, ...]
    functions: tuple[str, ...] = ()
    descriptions: tuple[tuple[str, str], ...] = ()


def typeset_claim(claim: Claim, statement: Statement | None = None) -> Typeset:
    """The statement of a claim, or another one beside it, in TeX; raises `NoFormula`."""
    # where a size is 1, a row, a column and a number have one shape
    sizes = max(reversed(claim.domain.all_sizes()), key=lambda sizes: min(sizes.values(), default=0))
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
    parts = suffix.split("_")
    if suffix and not digits and f" {parts[0]} " in GREEK:
        return Formula(f"{_name(stem).tex}_{{{_index(suffix)}}}")
    # words of an index stand apart: an underscore is a script
    suffix = suffix.replace("_", " ")
    index = digits or suffix
    if (
        len(suffix) > 1
        and len(stem) > 1
        and stem not in LETTERS
        and not (digits or suffix.isdigit())
        and f" {stem} " not in GREEK
    ):
        # the words of one name
        return Formula(_upright(name))
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


def _index(words: str) -> str:
    """Words of code below a letter; those of Greek letters in front are letters."""
    first, _, others = words.partition("_")
    if f" {first} " not in GREEK and first not in LETTERS:
        return rf"\mathrm{{{words.replace('_', ' ')}}}"
    return ",".join([_name(first).tex, *([rf"\mathrm{{{others.replace('_', ' ')}}}"] if others else [])])


def _indexed(array: Formula, places: list[str]) -> Formula:
    """An entry or a part; a word below a letter and a place stand beside each other, two places do not."""
    body = array.inside(ATOM)
    if SCRIPT_OF_WORDS.search(body) and body.count("_{") == 1 and "^" not in body:
        return Formula(f"{body[:-1]},{_joined(places)}}}")
    if SCRIPT.search(body):
        body = _parenthesised(body)
    return Formula(f"{body}_{{{_joined(places)}}}")


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


def _in_parentheses(*arguments: Formula) -> str:
    """Arguments; of a single tuple its entries."""
    is_tuple = len(arguments) == 1 and arguments[0].tex.startswith("(") and arguments[0].tex.endswith(")")
    return arguments[0].tex if is_tuple else _list(*arguments).tex


def _function(network: Formula) -> str:
    """A letter as it is, and anything longer between parentheses."""
    is_letter = re.fullmatch(r"\w|\\(?!mathrm|left)[a-z]+|\\mathrm\{[^{}]*\}", network.tex)
    return network.tex if is_letter else _parenthesised(network.tex)


def _from_to(*ends: Formula) -> Formula:
    """The numbers of a range."""
    if len(ends) == 3 and ends[2].tex != "-1":
        return _named("arange")(*ends)
    first = ends[0].tex if len(ends) > 1 else "0"
    last = _less_one(ends[min(len(ends), 2) - 1]) if len(ends) < 3 else _one_more(ends[1])
    return Formula(rf"({first}, \ldots, {last})")


CALLS: Mapping[str, Callable[..., Formula]] = {
    "norm2": lambda argument: Formula(rf"\left\|{argument.tex}\right\|^2", POWER),
    "norm": _around(r"\left\|", r"\right\|"),
    "absolute": _around(r"\left|", r"\right|"),
    "abs": _around(r"\left|", r"\right|"),
    "inner": lambda left, right: Formula(rf"\langle {left.tex}, {right.tex} \rangle"),
    "relu": lambda argument: Formula(
        rf"{_parenthesised(argument.tex) if SCRIPT.search(argument.tex) else argument.inside(ATOM)}_+", POWER
    ),
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
    "max": lambda *arguments: Formula(rf"\max{_in_parentheses(*arguments)}"),
    "min": lambda *arguments: Formula(rf"\min{_in_parentheses(*arguments)}"),
    "greatest": _operator("max"),
    "least": _operator("min"),
    "sign": _named("sign"),
    "singular_values": lambda argument: Formula(f"s({argument.tex})"),
    "schatten_power": lambda argument, exponent: Formula(rf"\sum_i s_i({argument.tex})^{{{exponent.tex}}}", SUM),
    "nuclear_norm": _around(r"\left\|", r"\right\|_*"),
    "operator_norm": _around(r"\left\|", r"\right\|_{\mathrm{op}}"),
    "pseudo_determinant": _around(r"\left|", r"\right|_+"),
    "log_pseudo_determinant": lambda argument: Formula(rf"\log\left|{argument.tex}\right|_+", PRODUCT, is_open=True),
    "psd_power": lambda argument, exponent: Formula(f"{argument.inside(ATOM)}^{{{exponent.tex}}}", POWER),
    "power": lambda argument, exponent: (
        argument if exponent.tex == "1" else Formula(f"{argument.inside(ATOM)}^{{{exponent.tex}}}", POWER)
    ),
    "spectral_radius": lambda argument: Formula(rf"\rho({argument.tex})"),
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
    "len": _around(r"\#(", ")"),
    "add": lambda left, right: Formula(f"{left.tex} + {right.tex}", SUM),
    "arange": lambda *ends: _from_to(*ends),
    "list": lambda argument: argument,
    "tuple": lambda argument: argument,
    "array": lambda argument: argument,
    "asarray": lambda argument: argument,
    "transpose": lambda argument: FIELDS["T"](argument),
    "outer": lambda left, right: Formula(
        f"{left.inside(PRODUCT)} {right.inside(ATOM)}^T", PRODUCT, ends_in_matrix_product=True
    ),
    "solve": lambda matrix, right: Formula(f"{matrix.inside(ATOM)}^{{-1}} {right.inside(PRODUCT)}", PRODUCT, right.is_open),
    "floor": _around(r"\lfloor ", r" \rfloor"),
    "sum": lambda argument: METHODS["sum"](argument),
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
    "jacobian": lambda network, point: Formula(f"J{_function(network)}({point.tex})"),
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
    "parameter_norm_squared": lambda network: Formula(r"\|\theta\|^2", POWER),  # noqa: ARG005
    "weights": lambda network: Formula("W"),  # noqa: ARG005
    "biases": lambda network: Formula("b"),  # noqa: ARG005
}
LAST = r"\mathrm{last}"
ENDS_IN_A_WORD = re.compile(r"\\mathrm\{[^{}]{2,}\}$|(?<!\\right)\)$")
STARTS_WITH_A_WORD = re.compile(r"\\mathrm\{[^{}]{2,}\}")
OF_NETWORKS = {"depth": "L", "weight_norm_squared": "W", "parameter_norm_squared": r"\theta", "weights": "W", "biases": "b"}
"""Fields of a network, and the letters that stand for them where there is one network."""
SENSES = {"le": r"\le", "ge": r"\ge", "eq": "="}
OF_ONE_OF_SEVERAL: Mapping[str, Callable[[Formula], Formula]] = {
    "depth": lambda network: Formula(f"L({network.tex})"),
    "weight_norm_squared": lambda network: Formula(rf"\sum_\ell \|W({network.tex})_\ell\|^2", SUM),
    "parameter_norm_squared": lambda network: Formula(rf"\|\theta({network.tex})\|^2", POWER),
    "weights": lambda network: Formula(f"W({network.tex})"),
    "biases": lambda network: Formula(f"b({network.tex})"),
}
"""Fields of a network beside another one, or beside another thing of the same letter."""
COMPARED = {ast.Gt: ">", ast.GtE: r"\ge", ast.Lt: "<", ast.LtE: r"\le", ast.Eq: "=", ast.NotEq: r"\ne"}


MOST_FUNCTIONS = 12
LONGEST_FUNCTION = 300
"""Characters of LaTeX."""
LONGEST_SENTENCE = 200
LAYS_OUT = re.compile(r"\\mathrm\{(?:moveaxis|reshape|swapaxes|triu indices|broadcast to|take along axis)\}")
"""Functions that only lay out arrays: a sentence says more."""


@dataclass(frozen=True)
class _Call:
    """A call of a function of a module, with the letters of its own parameters."""

    tex: str
    symbol: str
    function: Callable[..., Any]
    switches: Mapping[str, bool]
    letters: Mapping[str, Formula]
    values: Mapping[str, Any]
    is_of_the_engine: bool


def _first_sentence(function: Callable[..., Any]) -> str:
    """What a docstring says first, without the shapes of arrays that follow."""
    paragraph = (inspect.getdoc(function) or "").partition("\n\n")[0]
    sentence = re.split(r"[.:](?: (?=[A-Z:`])|$)|,? shapes? ``|, ``\(| ``\((?:\.\.\.|\*)|, batch", " ".join(paragraph.split()))[
        0
    ]
    return sentence if len(sentence) <= LONGEST_SENTENCE else ""


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
        self.called: dict[str, _Call] = {}
        self.shared_letters = _shared_letters(tree)

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
        for word in _words_beside_their_letters(tree):
            letters.setdefault(word, Formula(rf"\mathrm{{{word}}}"))
        switches = {name: value for name, value in values.items() if isinstance(value, bool)}
        outside = inspect.getclosurevars(function).nonlocals
        return cls(function, tree, letters, switches, {**outside, **values, **instance})

    def typeset(self) -> Typeset:
        if isinstance(self.tree, ast.Lambda):
            return self._typeset(self.tree.body)
        for line in getattr(self.tree, "body", ()):
            if isinstance(line, ast.Return) and line.value is not None:
                return self._typeset(line.value)
            self._line(line)
        raise NoFormula("it returns nothing")

    def _typeset(self, returned: ast.expr) -> Typeset:
        relations = tuple(self._relations(returned))
        return Typeset(relations, tuple(self.where), *self._functions())

    def value(self) -> str:
        """What a function returns, with the letters that it introduces."""
        if isinstance(self.tree, ast.Lambda):
            return self.read(self.tree.body).tex
        for line in getattr(self.tree, "body", ()):
            if isinstance(line, ast.Return) and line.value is not None:
                returned = self.read(line.value).tex
                return rf"{returned} \text{{ with }} {', '.join(self.where)}" if self.where else returned
            if not isinstance(line, ast.Expr):
                self._line(line)
        raise NoFormula("it returns nothing")

    def _functions(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """What is called, and what that calls: formulas, and sentences."""
        lines: dict[str, str] = {}
        sentences: dict[str, str] = {}
        waiting = [*self.called.values()]
        while waiting:
            call = waiting.pop(0)
            if call.tex in lines:
                continue
            reader = _Reader.of(call.function, call.switches, call.letters, call.values)
            try:
                value = "" if call.is_of_the_engine or len(lines) == MOST_FUNCTIONS else reader.value()
            except NoFormula:
                value = ""
            if value and value != call.tex and len(value) <= LONGEST_FUNCTION and not LAYS_OUT.search(value):
                lines[call.tex] = f"{call.tex} = {value}"
                waiting += reader.called.values()
            elif sentence := _first_sentence(call.function):
                sentences[call.symbol if call.is_of_the_engine else call.tex] = sentence
        return tuple(lines.values()), tuple(sentences.items())

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
            name, formula = _name(target.id).tex, self.read(value)
            if any(line.startswith((f"{name} = ", f"{name}^T = ")) for line in self.where):
                raise NoFormula("a letter changes its meaning")
            # a depth that is read off a network is the letter itself
            self.where += [f"{name}{'^T' * formula.is_row} = {formula.tex}"] if name != formula.tex else []
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
        reader = _Reader.of(called, switches, letters, values)
        inner = reader.typeset()
        own = {_name(name).tex for name in inspect.signature(self.function).parameters}
        defined = {line.partition(" = ")[0]: line for line in self.where}
        for line in inner.where:
            letter = line.partition(" = ")[0]
            if defined.get(letter, line) != line or letter in own:
                raise NoFormula("a letter changes its meaning")
        self.where += [line for line in inner.where if line not in self.where]
        self.called |= reader.called
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
        operand = self.read(node.operand)
        if isinstance(node.operand, ast.Constant):
            return Formula(f"-{operand.tex}", SIGN)
        return _minus(operand)

    def _binop(self, node: ast.BinOp) -> Formula:
        left, right = self.read(node.left), self.read(node.right)
        match node.op:
            case ast.Add() if "0" in (left.tex, right.tex):
                return left if right.tex == "0" else right
            case ast.Sub() if right.tex == "0":
                return left
            case ast.Add() | ast.Sub():
                return self._plus(node, left, right)
            case ast.Mult() if "0" in (left.tex, right.tex) and self._shape(node) == ():
                return Formula("0")
            case ast.Mult() if "1" in (left.tex, right.tex):
                return left if right.tex == "1" else right
            case ast.Mult():
                return self._times(node, left, right)
            case ast.MatMult():
                return self._matrix_product(node, left, right)
            case ast.Div() if left.tex.isdigit() and right.tex.isdigit() and int(right.tex):
                return _number(Fraction(int(left.tex), int(right.tex)))
            case ast.Div():
                return self._over(node, left, right)
            case ast.Mod():
                return Formula(rf"{left.inside(PRODUCT)} \bmod {right.inside(PRODUCT)}", SUM)
            case ast.Pow() if right.tex == "1" or left.tex == "1":
                return left
            case ast.Pow() if _is_matrix(self._shape(node.left)):
                return Formula(rf"{left.inside(ATOM)}^{{\odot {right.tex}}}", POWER)
            case ast.Pow():
                return Formula(_power(left, right), POWER)
        raise NoFormula("it has an operator that is none of numbers")

    def _shape(self, node: ast.expr) -> tuple[int, ...] | None:
        """Lengths of the axes of an expression at the instance; None if that is not known."""
        value = self._value(node)
        try:
            return None if value is None else tuple(getattr(value, "shape", None) or np.shape(value))
        except ValueError:  # parts of several shapes
            return None

    def _plus(self, node: ast.BinOp, left: Formula, right: Formula) -> Formula:
        """A sum or a difference; what is added to each entry, row or column of a matrix is written as a matrix."""
        first, second = self._shape(node.left), self._shape(node.right)
        is_row = left.is_row and right.is_row
        for side, other in ((node.left, right), (node.right, left)):
            # zeros that give a shape
            is_zero = isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult) and getattr(side.left, "value", None) == 0
            if is_zero and not (isinstance(node.op, ast.Sub) and side is node.left):
                return other
        if first is not None and second is not None:
            left, right = _filled(left, first, second), _filled(right, second, first)
        if not is_row and (left.is_row or right.is_row):
            left, right = (Formula(one.column(), POWER if one.is_row else one.level) for one in (left, right))
        if isinstance(node.op, ast.Add):
            added = f"- {right.tex[1:].lstrip()}" if right.tex.startswith("-") else f"+ {right.tex}"
            return Formula(f"{left.tex} {added}", SUM, is_row=is_row)
        return Formula(f"{left.tex} - {right.inside(SIGN if right.negative else PRODUCT)}", SUM, is_row=is_row)

    def _times(self, node: ast.BinOp, left: Formula, right: Formula) -> Formula:
        """A product by a number; of arrays, entry by entry, which a product of matrices is not."""
        if any(isinstance(side, ast.List | ast.Tuple) for side in (node.left, node.right)):
            several, often = (left, right) if isinstance(node.left, ast.List | ast.Tuple) else (right, left)
            return Formula(rf"({several.tex[1:-1]}, \ldots)_{{{often.tex} \text{{ times}}}}")
        first, second = self._shape(node.left), self._shape(node.right)
        if first and second:
            return _entrywise(left, right, first, second)
        if left.tex == "-1":
            return _minus(right)
        if left.negative:
            return _minus(Formula(_product(Formula(left.negative, PRODUCT), right), PRODUCT, right.is_open))
        is_row = left.is_row or right.is_row
        if left.ends_in_matrix_product:
            left = Formula(_parenthesised(left.tex))
        return Formula(_product(left, right), PRODUCT, right.is_open, is_row, right.ends_in_matrix_product)

    def _matrix_product(self, node: ast.BinOp, left: Formula, right: Formula) -> Formula:
        first, second = self._shape(node.left), self._shape(node.right)
        right_tex = right.column() if right.is_row else right.inside(PRODUCT)
        is_row = first is not None and len(first) == 1 and second is not None and len(second) == 2
        if first is not None and len(first) == 1 and not left.is_row:
            return Formula(f"{left.inside(ATOM)}^T {right_tex}", PRODUCT, False, is_row, True)
        return Formula(_product(left, Formula(right_tex, PRODUCT)), PRODUCT, right.is_open, is_row, True)

    def _over(self, node: ast.BinOp, left: Formula, right: Formula) -> Formula:
        first, second = self._shape(node.left), self._shape(node.right)
        if _is_matrix(first) and second and not _is_matrix(second):
            inverse = rf"\mathrm{{diag}}({right.vector or right.tex})^{{-1}}"
            if len(second) == 2 and second[1] == 1:
                return Formula(f"{inverse} {left.inside(PRODUCT)}", PRODUCT, left.is_open)
            return Formula(f"{left.inside(ATOM if left.is_open else PRODUCT)} {inverse}", PRODUCT)
        if left.negative:
            return _minus(Formula(rf"\frac{{{left.negative}}}{{{right.tex}}}", PRODUCT))
        return Formula(rf"\frac{{{left.tex}}}{{{right.tex}}}", PRODUCT, is_row=left.is_row)

    def _condition(self, node: ast.expr) -> Formula:
        """A comparison that is asked for, not counted as 0 or 1."""
        return self._comparison(node) if isinstance(node, ast.Compare) else self.read(node)

    def _compare(self, node: ast.Compare) -> Formula:
        """1 where it is true, and 0 elsewhere."""
        return Formula(f"[{self._comparison(node).tex}]")

    def _comparison(self, node: ast.Compare) -> Formula:
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
        if OF_NETWORKS.get(node.attr, "") in self.shared_letters:
            return OF_ONE_OF_SEVERAL[node.attr](owner)
        if node.attr == "shape" and self._shape(node.value):
            return _list(*(self._length(node.value, owner, axis) for axis in range(len(self._shape(node.value) or ()))))
        if node.attr in FIELDS:
            return FIELDS[node.attr](owner)
        return _indexed(owner, [_index(node.attr)])

    def _length(self, node: ast.expr, array: Formula, axis: int) -> Formula:
        """Number of rows or columns of a matrix, or of entries."""
        ndim = len(self._shape(node) or ())
        if ndim != 2:
            return Formula(rf"\#({array.tex})" if ndim < 2 else rf"\mathrm{{shape}}({array.tex})_{{{axis % ndim + 1}}}")
        return Formula(rf"\mathrm{{{'columns' if axis % 2 else 'rows'}}}({array.tex})")

    def _subscript(self, node: ast.Subscript) -> Formula:
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "widths" and len(keys) == 1:
            return self._width(node.value.value, keys[0])
        axis = self._value(keys[0]) if isinstance(node.value, ast.Attribute) and node.value.attr == "shape" else None
        if isinstance(node.value, ast.Attribute) and isinstance(axis, int) and self._shape(node.value.value):
            return self._length(node.value.value, self.read(node.value.value), axis)
        array = self.read(node.value)
        is_new = [isinstance(key, ast.Constant) and key.value is None for key in keys]
        axes = len(self._shape(node.value) or ()) - sum(isinstance(self._value(key), int) for key in keys)
        if axes > 1 and any(is_new) and not all(is_new[: 1 + max(k for k, new in enumerate(is_new) if new)]):
            raise NoFormula("it lays out a matrix along a new axis")
        if is_new[0] and not any(is_new[1:]) and len(self._shape(node.value) or ()) == 1 and len(keys) <= 2:
            return Formula(f"{array.inside(ATOM)}^T", POWER, vector=array.tex)
        places = [self._place(key) for key in keys if not (isinstance(key, ast.Constant) and key.value is None)]
        if all(place == r"\cdot" for place in places):
            return array
        return _indexed(array, places)

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
        if formula.tex.isdigit():
            return str(int(formula.tex) + 1)
        place = _parenthesised(formula.tex) if r"\bmod" in formula.tex else formula.tex
        return f"{place}+1"

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
        elif self.read(source).tex == letter:
            # of all weights
            over = r"_\ell"
            self.known[target.id] = Formula(rf"{letter}_{{\ell}}")
        else:
            over = rf"_{{{letter} \in {self.read(source).tex}}}"
        total = Formula(f"{over} {self.read(node.elt).inside(PRODUCT)}", SUM)
        self.known.pop(target.id, None)
        return total

    def _listcomp(self, _: ast.ListComp) -> Formula:
        raise NoFormula("it makes a list")

    def _call(self, node: ast.Call) -> Formula:
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            raise NoFormula("it unpacks arguments")
        if isinstance(node.func, ast.Name):
            return self._named_call(node, node.func.id)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            is_numpy = isinstance(node.func.value, ast.Name) and node.func.value.id == "np"
            if is_numpy and name in ALONG and len(node.args) == 1 and [one.arg for one in node.keywords] == ["axis"]:
                return self._along(name, node.args[0], node.keywords[0].value)
            if (
                isinstance(node.func.value, ast.Name)
                and isinstance(self._value(node.func.value), types.ModuleType)
                and not is_numpy
            ):
                return self._named_call(node, name)
            if is_numpy:
                return self._named_call(node, {"maximum": "maximum", "minimum": "minimum", "abs": "abs"}.get(name, name))
            axes = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "axis")]
            if name in ALONG and len(axes) == 1 == len(node.args) + len(node.keywords):
                return self._along(name, node.func.value, axes[0])
            if name in ("any", "all") and not node.keywords and not node.args:
                return METHODS[name](self._condition(node.func.value))
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
        formula = self._condition(array) if name in ("any", "all") else self.read(array)
        if ndim == 1:
            return METHODS[name](formula)
        indices = ["i" if k == place % ndim else r"\cdot" for k in range(ndim)]
        return Formula(f"{ALONG[name]}_i {_indexed(formula, indices).tex}", SUM)

    def _named_call(self, node: ast.Call, name: str) -> Formula:
        written = self._of_arrays(node, name) if node.args else None
        if written is not None:
            return written
        if name in ("sum", "prod") and node.args and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return Formula(rf"\{name}{self._total(node.args[0]).tex}", SUM)
        if name == "sum" and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
            mapped = node.args[0]
            if getattr(mapped.func, "id", "") == "map" and len(mapped.args) == 2 and isinstance(mapped.args[0], ast.Name):
                return self._sum_of_values(mapped.args[0].id, self.read(mapped.args[1]))
        if name in ("Q", "Fraction"):
            return self._quotient(node)
        arguments = [self.read(arg) for arg in node.args if not self._switch(arg)]
        if name in CALLS and all(self._switch(keyword.value) for keyword in node.keywords):
            if re.fullmatch("R[012]", name):
                self._note(node, name, f"R^{{({name[1]})}}", "")
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
        told = self._told(node, name)
        if not arguments and not told:
            return _name(name) if len(name.partition("_")[0]) == 1 else Formula(_upright(name))
        symbol = _name(name).tex if is_letter else _upright(name)
        self._note(node, name, symbol, told)
        within = "; ".join(filter(None, [", ".join(argument.tex for argument in arguments), told]))
        return Formula(f"{symbol}({within})")

    def _quotient(self, node: ast.Call) -> Formula:
        if all(isinstance(arg, ast.Constant) for arg in node.args):
            return _number(Fraction(*(ast.literal_eval(arg) for arg in node.args)))
        above, below = (*map(self.read, node.args), Formula("1"))[:2]
        if above.tex.isdigit() and below.tex.isdigit() and int(below.tex):
            return _number(Fraction(int(above.tex), int(below.tex)))
        return above if below.tex == "1" else Formula(rf"\frac{{{above.tex}}}{{{below.tex}}}", PRODUCT)

    def _of_arrays(self, node: ast.Call, name: str) -> Formula | None:
        """What depends on the shapes of arrays, or has rows and columns; None for another function."""
        if name == "len" and len(node.args) == 1 and len(self._shape(node.args[0]) or ()) == 2:
            return self._length(node.args[0], self.read(node.args[0]), 0)
        if name == "swapaxes" and [self._value(axis) for axis in node.args[1:]] in ([-1, -2], [-2, -1]):
            return FIELDS["T"](self.read(node.args[0]))
        if name == "stack" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
            return self._stacked(node, node.args[0].elts)
        if name == "concatenate" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
            return self._joined_arrays(node, node.args[0].elts)
        if name == "block":
            return self._block(node)
        if name == "where" and len(node.args) == 3:
            condition, yes, no = self._condition(node.args[0]), self.read(node.args[1]), self.read(node.args[2])
            return Formula(
                rf"\begin{{cases}} {yes.tex} & \text{{if }} {condition.tex} \\ {no.tex} & \text{{else}} \end{{cases}}", SUM
            )
        return None

    def _note(self, node: ast.Call, name: str, symbol: str, told: str) -> None:
        """Keep a function that is called, to say what it is."""
        function = self._value(node.func)
        plain = inspect.unwrap(function) if callable(function) else None
        if not isinstance(plain, types.FunctionType) or plain.__module__ == "verify.words" or f" {name} " in GREEK:
            return
        parameters = inspect.signature(plain).parameters
        given = {**dict(zip(parameters, node.args, strict=False)), **{one.arg or "": one.value for one in node.keywords}}
        if any(parameters[key].kind is inspect.Parameter.VAR_POSITIONAL for key in given if key in parameters):
            return
        values = {key: self._value(value) for key, value in given.items()}
        switches = {key: bool(values[key]) for key, value in given.items() if self._switch(value)}
        letters = {key: _name(key) for key in given if key not in switches}
        for key in letters:
            read = self.read(given[key])
            letters[key] = read if re.fullmatch(r"-?\d+", read.tex) else letters[key]
        within = "; ".join(filter(None, [", ".join(letter.tex for letter in letters.values()), told]))
        is_of_the_engine = plain.__module__.startswith("verify.")
        shown = f"{symbol}({within})" if within else symbol
        call = _Call(shown, f"{symbol}({told})" if told else symbol, plain, switches, letters, values, is_of_the_engine)
        self.called.setdefault(call.tex, call)

    def _told(self, node: ast.Call, name: str) -> str:
        """What a function is told by switches, in words."""
        try:
            parameters = [*inspect.signature(self.function.__globals__[name]).parameters]
        except (KeyError, TypeError, ValueError):
            parameters = []
        given = [*zip(parameters, node.args, strict=False), *((one.arg or "", one.value) for one in node.keywords)]
        switched = [(key, self._value(value)) for key, value in given if self._switch(value)]
        return ", ".join(rf"\text{{{_in_words(key, bool(value))}}}" for key, value in switched)

    def _sum_of_values(self, name: str, terms: Formula) -> Formula:
        """The sum of a function of each of several things."""
        entry = _indexed(terms, ["i"])
        value = CALLS[name](entry) if name in CALLS else Formula(f"{_name(name).tex}({entry.tex})")
        return Formula(rf"\sum_i {value.inside(PRODUCT)}", SUM)

    def _joined_arrays(self, node: ast.Call, parts: list[ast.expr]) -> Formula:
        """Vectors one after the other; matrices side by side, or one below the other."""
        axes = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "axis")]
        axis, shape = self._value(axes[0]) if axes else 0, self._shape(node)
        blocks = [self.read(part).tex for part in parts]
        if shape is not None and len(shape) == 2:
            between = " & " if axis in (1, -1) else r" \\ "
            return Formula(rf"\begin{{pmatrix}} {between.join(blocks)} \end{{pmatrix}}")
        return (
            _list(*map(Formula, blocks))
            if shape is not None and len(shape) == 1
            else _named("concatenate")(*map(Formula, blocks))
        )

    def _stacked(self, node: ast.Call, parts: list[ast.expr]) -> Formula:
        """Numbers as a vector, vectors as the rows or columns of a matrix."""
        axes = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "axis")]
        axis, shape = self._value(axes[0]) if axes else 0, self._shape(node)
        blocks = [self.read(part) for part in parts]
        if shape is None or len(shape) > 2 or axis not in (0, 1, -1, -2):
            return _named("stack")(*blocks)
        if len(shape) == 1:
            return _list(*blocks)
        if axis in (0, -2):
            rows = r" \\ ".join(f"{block.inside(ATOM)}^T" for block in blocks)
            return Formula(rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}")
        return Formula(rf"\begin{{pmatrix}} {' & '.join(block.tex for block in blocks)} \end{{pmatrix}}")

    def _switch(self, node: ast.expr) -> bool:
        return _is_switch(node) or (isinstance(node, ast.Name) and node.id in self.switches)

    def _block(self, node: ast.Call) -> Formula:
        rows = node.args[0]
        if not isinstance(rows, ast.List) or not all(isinstance(row, ast.List) for row in rows.elts):
            raise NoFormula("it has blocks that are not written there")
        lines = [" & ".join(self.read(entry).tex for entry in getattr(row, "elts", ())) for row in rows.elts]
        return Formula(r"\begin{pmatrix} " + r" \\ ".join(lines) + r" \end{pmatrix}")


def _shared_letters(tree: ast.AST) -> frozenset[str]:
    """Letters that would stand for the fields of several networks, or for something else as well."""
    nodes = [*ast.walk(tree)]
    owners: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in OF_NETWORKS:
            owners.setdefault("all", set()).add(ast.unparse(node.value))
            owners.setdefault(OF_NETWORKS[node.attr], set()).add(ast.unparse(node.value))
    if not owners:
        return frozenset()
    if len(owners["all"]) > 1:
        return frozenset(OF_NETWORKS.values())
    themselves = {
        name
        for node in nodes
        if isinstance(node, ast.Assign)
        for name, value in _assigned(node.targets[0], node.value)
        if isinstance(value, ast.Attribute) and OF_NETWORKS.get(value.attr) == name
    }
    bound = {
        name.id
        for node in nodes
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    named = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    named |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    named |= {"L"} if "depth" in named else set()
    return frozenset(owners) & (named - themselves - bound)


def _words_beside_their_letters(tree: ast.AST) -> list[str]:
    """Names that stay words, since another name has their letter."""
    nodes = [*ast.walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.arg for node in nodes if isinstance(node, ast.arg)
    }
    same = {
        (name, value.id)
        for node in nodes
        if isinstance(node, ast.Assign)
        for name, value in _assigned(node.targets[0], node.value)
        if isinstance(value, ast.Name)
    }
    pairs = [(letter, word) for letter, word in (("L", "depth"), ("lam", "ridge")) if {letter, word} <= names]
    return [word for letter, word in pairs if (letter, word) not in same]


def _assigned(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [pair for one, part in zip(target.elts, value.elts, strict=False) for pair in _assigned(one, part)]
    return []


def _in_words(name: str, is_on: bool) -> str:
    """What a switch says."""
    words = name.strip("_").replace("_", " ")
    if words.startswith("is "):
        return words.removeprefix("is ") if is_on else f"not {words.removeprefix('is ')}"
    return f"{'with' if is_on else 'without'} {words.removeprefix('with ')}"


def _is_matrix(shape: tuple[int, ...] | None) -> bool:
    return shape is not None and len(shape) >= 2 and all(length > 1 for length in shape[-2:])


def _minus(formula: Formula) -> Formula:
    return Formula(f"-{formula.inside(PRODUCT)}", SUM, is_row=formula.is_row, negative=formula.inside(PRODUCT))


def _filled(formula: Formula, shape: tuple[int, ...], other: tuple[int, ...]) -> Formula:
    """What is added to a matrix, as a matrix: a number in every entry, or a vector in each row or column."""
    try:
        whole = np.broadcast_shapes(shape, other)
    except ValueError:
        return formula
    if len(whole) != 2 or not _is_matrix(whole) or shape == whole:
        return formula
    ones = r"\mathbf{1}"
    if not shape or shape == (1, 1) or shape == (1,):
        if formula.tex == "1":
            return Formula(f"{ones} {ones}^T", PRODUCT)
        number = _parenthesised(formula.tex) if formula.ends_in_matrix_product else formula.inside(PRODUCT)
        return Formula(f"{number} {ones} {ones}^T", PRODUCT)
    if shape[-1] == 1:
        return Formula(f"{formula.inside(PRODUCT)} {ones}^T", PRODUCT)
    row = formula.vector or (formula.tex if len(shape) == 1 else "")
    return Formula(
        f"{ones} {Formula(row, formula.level).inside(ATOM)}^T" if row else f"{ones} {formula.inside(PRODUCT)}", PRODUCT
    )


def _entrywise(left: Formula, right: Formula, first: tuple[int, ...], second: tuple[int, ...]) -> Formula:
    """A product entry by entry; of the rows or columns of a matrix with the entries of a vector by a diagonal matrix."""
    if _is_matrix(first) != _is_matrix(second) and max(len(first), len(second)) == 2:
        (matrix, vector), lengths = ((left, right), second) if _is_matrix(first) else ((right, left), first)
        diagonal = rf"\mathrm{{diag}}({vector.vector or vector.column()})"
        if len(lengths) == 2 and lengths[1] == 1:
            return Formula(f"{diagonal} {matrix.inside(PRODUCT)}", PRODUCT, matrix.is_open, False, True)
        return Formula(f"{matrix.inside(ATOM if matrix.is_open else PRODUCT)} {diagonal}", PRODUCT, False, False, True)
    if len(second) == 2 and second[1] == 1 < second[0] and (len(first) == 1 or first[0] == 1):
        left, right, first, second = right, left, second, first
    if len(first) == 2 and first[1] == 1 < first[0] and (len(second) == 1 or second[0] == 1):
        row = f"{right.inside(ATOM)}^T" if len(second) == 1 else right.inside(PRODUCT)
        return Formula(f"{left.inside(PRODUCT)} {row}", PRODUCT, False, False, True)
    is_row = left.is_row and right.is_row
    sides = [
        one.tex if one.is_entrywise else one.column() if one.is_row and not is_row else one.inside(POWER)
        for one in (left, right)
    ]
    return Formula(rf"{sides[0]} \odot {sides[1]}", SUM, is_row=is_row, is_entrywise=True)


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


def _one_more(end: Formula) -> str:
    return str(int(end.tex) + 1) if end.tex.isdigit() else f"{end.tex} + 1"


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
    numbers = second[:1].isdigit() or (first[-1:].isdigit() and second.startswith(r"\frac"))
    # words side by side would be one name
    words = ENDS_IN_A_WORD.search(first) and STARTS_WITH_A_WORD.match(second)
    between = r" \cdot " if numbers or words else " "
    return f"{first}{between}{second}"


def _power(base: Formula, exponent: Formula) -> str:
    if base.tex.endswith(r"\right\|^2") and base.tex.count(r"\left\|") == 1 and exponent.tex.isdigit():
        return f"{base.tex[:-1]}{{{2 * int(exponent.tex)}}}"
    if base.tex.startswith(r"\left\|") and base.tex.endswith(r"\right\|"):
        return f"{base.tex}^{{{exponent.tex}}}"
    return f"{base.inside(ATOM)}^{{{exponent.tex}}}"
